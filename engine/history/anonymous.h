// SPDX-License-Identifier: Apache-2.0
// Private to this folder: removes the host name from a run, for exported files.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::history {

// Removes the host name from the profile; a computer labelled with it is relabelled by its processor. Labels set by the
// user are kept.
[[nodiscard]] bench::RunRecord withoutHostName(bench::RunRecord run);

}  // namespace steelyard::history
