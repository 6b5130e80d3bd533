// SPDX-License-Identifier: Apache-2.0
// Private to this folder: removes the name of the computer from a run, for exported files.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::history {

// Removes the host name from the profile; a computer labelled with it is named after its processor instead. A label
// that the user has written is kept.
[[nodiscard]] bench::RunRecord withoutHostName(bench::RunRecord run);

}  // namespace steelyard::history
