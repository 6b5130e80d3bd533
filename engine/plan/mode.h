// SPDX-License-Identifier: Apache-2.0
// Mode and precision of a step: two small types shared by requests, cases and records.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace steelyard::model {
struct Workload;
}

namespace steelyard::plan {

enum class Mode { Train, Infer };
inline constexpr std::array kModes{Mode::Train, Mode::Infer};
// Int8: inference only (plan/quantisation.h).
enum class Precision { Fp32, Tf32, Bf16, Fp16, Int8 };
inline constexpr std::array kPrecisions{Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16,
                                        Precision::Int8};

[[nodiscard]] std::string_view toString(Mode mode);            // "train", "infer"
[[nodiscard]] std::string_view toString(Precision precision);  // "fp32", ...
// Default mode: training, or inference for networks that have nothing to train or were exported for inference.
[[nodiscard]] Mode usualMode(const model::Workload& workload);
[[nodiscard]] std::optional<Mode> modeFromString(std::string_view name);
[[nodiscard]] std::optional<Precision> precisionFromString(std::string_view name);

// For lists of fields (core/fields.h).
[[nodiscard]] inline std::optional<Mode> fromName(std::type_identity<Mode>, std::string_view name) {
    return modeFromString(name);
}
[[nodiscard]] inline std::optional<Precision> fromName(std::type_identity<Precision>, std::string_view name) {
    return precisionFromString(name);
}

}  // namespace steelyard::plan
