// SPDX-License-Identifier: Apache-2.0
// What the charts of a run have in common: the identity and colour of their series, and when their axis is logarithmic.
#pragma once

#include <set>
#include <string>

#include "engine/bench/record/record.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

// The colour of a device in all charts: CPU first, then the GPUs by number; the reference last.
[[nodiscard]] int deviceColour(const std::string& device);

// Its device's colour; further precisions of a device use free colours.
[[nodiscard]] int freeColour(const std::string& device, std::set<int>& taken);

// Identifies a case except for batch, threads and instruction set.
[[nodiscard]] std::string jobKey(const bench::Case& spec);

// Of the positive values; without any: zeros.
[[nodiscard]] ChartInterval extremesOf(const ChartSpec& spec);

// Whether the values need a logarithmic axis; on a linear one the small ones would be invisible.
[[nodiscard]] bool isWide(const ChartInterval& extremes);

}  // namespace steelyard::ui
