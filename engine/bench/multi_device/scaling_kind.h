// SPDX-License-Identifier: Apache-2.0
// How several devices share a case.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace steelyard::bench {

// Strong: constant global batch. Weak: constant batch per device. Experiments: as weak, but each device trains its own
// network, without exchange.
enum class ScalingKind { Strong, Weak, Experiments };
inline constexpr std::array kScalingKinds{ScalingKind::Strong, ScalingKind::Weak, ScalingKind::Experiments};
[[nodiscard]] std::string_view toString(ScalingKind kind);  // "strong", "weak", "experiments"
[[nodiscard]] std::optional<ScalingKind> scalingKindFromString(std::string_view name);

[[nodiscard]] inline std::optional<ScalingKind> fromName(std::type_identity<ScalingKind>, std::string_view name) {
    return scalingKindFromString(name);
}

}  // namespace steelyard::bench
