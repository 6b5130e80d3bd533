// SPDX-License-Identifier: Apache-2.0
// Records as after several visits.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::test {

// Interprets the record's samples as those of three visits with one window each, and computes the figure. The summary
// is unchanged. `disturbed`: other processes used a CPU in every window.
void splitIntoVisits(bench::CaseRecord& record, bool disturbed = false);

}  // namespace steelyard::test
