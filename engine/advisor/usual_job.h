// SPDX-License-Identifier: Apache-2.0
// The defaults of an advice if only a network or a language model is given. Used by the command line, the window and
// the report, so that their answers agree. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/advisor/language/fine_tuning.h"
#include "engine/advisor/language/language_offers.h"
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

inline constexpr std::string_view kUsualLanguageModel = "llama_3_1_8b", kUsualWeights = "q4_k_m";

// Chat: one user who reads along. Serve: many users.
enum class ServingKind { Chat, Serve };
// Without a model. The defaults of serving and fine-tuning are those of the members.
[[nodiscard]] ServingRequest usualServing(ServingKind kind);
[[nodiscard]] TuningOfferRequest usualTuning();

}  // namespace steelyard::advisor
