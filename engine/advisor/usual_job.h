// SPDX-License-Identifier: Apache-2.0
// The defaults of an advice: what a person means who names a network and no more. Command line, window and report take
// them from here, so that they answer alike. Pure functions.
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
    double epochs = 1;              // inference: once over the data
    std::optional<double> samples;  // per epoch; absent where the size of the data set is unknown
};

// PyTorch; single operations are computed by this program only.
[[nodiscard]] std::string usualSoftware(const model::Workload& workload);
// Mixed precision; this program is measured in fp32.
[[nodiscard]] plan::Precision usualPrecision(std::string_view software);
// What is given is kept: the rest follows from it.
[[nodiscard]] UsualJob usualJob(const model::Workload& workload, std::optional<plan::Mode> mode = {},
                                std::string_view software = {});

}  // namespace steelyard::advisor
