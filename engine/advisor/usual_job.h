// SPDX-License-Identifier: Apache-2.0
// The defaults of an advice if only a network is given. Used by the command line, the window and the report, so that
// their answers agree. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/zoo/zoo.h"
#include "engine/plan/mode.h"

namespace steelyard::advisor {

struct UsualJob {
    std::string software;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 1;
    double epochs = 1;              // inference: one pass over the data
    std::optional<double> samples;  // per epoch; absent if the size of the data set is unknown
};

// PyTorch; single operations are supported by this program only.
[[nodiscard]] std::string usualSoftware(const model::Workload& workload);
// Mixed precision; for this program fp32.
[[nodiscard]] plan::Precision usualPrecision(std::string_view software);
// Given values are kept, the others are derived from them.
[[nodiscard]] UsualJob usualJob(const model::Workload& workload, std::optional<plan::Mode> mode = {},
                                std::string_view software = {});

}  // namespace steelyard::advisor
