// SPDX-License-Identifier: Apache-2.0
// Records as several visits leave them.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::test {

// Takes the record's samples for those of three visits with one window each, and makes the figure of them. The summary
// stays as it is. `disturbed`: others took a processor in every window.
void splitIntoVisits(bench::CaseRecord& record, bool disturbed = false);

}  // namespace steelyard::test
