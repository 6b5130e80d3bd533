// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/comparison_values.h"

#include <algorithm>
#include <vector>

#include "engine/compute/step_values.h"
#include "engine/core/random.h"

namespace steelyard::compute {
namespace {

// In an untrained network half of the ReLU inputs are near zero, where rounding may switch them and with them all
// earlier gradients; in deep networks even fp32 results then hardly agree (resnet50: a few per cent, in bf16 not at
// all). Normalised values shifted by this many deviations are mostly positive: few ReLUs remain to be switched, enough
// to test them.
constexpr float kNormalisedOffset = 2.5F;

std::vector<plan::TensorId> normalisedOffsets(const plan::Plan& plan) {
    std::vector<plan::TensorId> offsets;
    for (const auto& op : plan.operations)
        if (op.kind == plan::OperationKind::BatchNorm && op.pass == plan::Pass::Forward)
            offsets.push_back(op.parameters[1]);
    return offsets;
}

}  // namespace

Result<void> writeComparedValues(Executable& executable, std::uint64_t seed) {
    if (auto ok = writeInitialValues(executable, seed); !ok) return ok;
    if (auto ok = writeSyntheticBatch(executable, seed); !ok) return ok;
    const auto& plan = executable.plan();
    const auto offsets = normalisedOffsets(plan);
    std::vector<float> values;
    for (const auto& parameter : plan.parameters) {
        if (parameter.spec.values != nullptr) continue;  // values of an imported network
        const auto kind = parameter.spec.init.kind;
        if (kind != model::InitKind::Constant && kind != model::InitKind::LstmBias) continue;
        model::initialize(parameter, seed, values);
        const auto tensor = plan.parameterTensors[static_cast<std::size_t>(parameter.id)];
        const bool moved = std::find(offsets.begin(), offsets.end(), tensor) != offsets.end();
        const RandomStream stream(seed, 0x5000U + static_cast<std::uint64_t>(parameter.id));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] +=
                0.2F * (stream.uniform(static_cast<std::uint32_t>(i)) - 0.5F) + (moved ? kNormalisedOffset : 0.0F);
        if (auto ok = executable.write(tensor, values); !ok) return ok;
    }
    return {};
}

}  // namespace steelyard::compute
