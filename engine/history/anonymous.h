// SPDX-License-Identifier: Apache-2.0
// Private to this folder: a run without the name of the computer it was measured on, for files that are given away.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::history {

// The profile loses its host name, and a computer that is labelled with it is called after its processor. A label that
// the user has written stays.
[[nodiscard]] bench::RunRecord withoutHostName(bench::RunRecord run);

}  // namespace steelyard::history
