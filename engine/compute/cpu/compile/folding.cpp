// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/folding.h"

#include <array>
#include <cmath>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {

NormalisationFactors normalisationFactors(Compiler& compiler, const plan::Operation& op) {
    const auto& fusion = compiler.fusion();
    const auto channels = compiler.tensor(fusion.normalisation[0]).elements();
    const auto vector = plainDesc(Dims{channels}, DataKind::f32);
    const auto bias = op.parameters.size() > 1 ? compiler.weight(op.parameters[1], vector) : Value();
    std::array<Value, 4> norm;
    for (std::size_t i = 0; i < norm.size(); ++i) norm[i] = compiler.weight(fusion.normalisation[i], vector);
    const auto epsilon = fusion.normalisationEpsilon;
    compiler.beginPreparation();
    const NormalisationFactors factors{compiler.prepared(vector), compiler.prepared(vector)};
    compiler.task("native:batch_norm_factors",
                  {bias, factors.scale, factors.offset, norm[0], norm[1], norm[2], norm[3]}, [=](const StepState&) {
                      for (std::int64_t c = 0; c < channels; ++c) {
                          const auto scale = static_cast<double>(norm[0].as<float>()[c]) /
                                             std::sqrt(static_cast<double>(norm[3].as<float>()[c]) + epsilon);
                          const double given = bias ? static_cast<double>(bias.as<float>()[c]) : 0;
                          const auto mean = static_cast<double>(norm[2].as<float>()[c]);
                          factors.scale.as<float>()[c] = static_cast<float>(scale);
                          factors.offset.as<float>()[c] =
                              static_cast<float>(static_cast<double>(norm[1].as<float>()[c]) + (given - mean) * scale);
                      }
                  });
    compiler.endPreparation();
    return factors;
}

FoldedLayer foldNormalisation(Compiler& compiler, const plan::Operation& op, const Dims& dims, const Desc& layout) {
    const auto channels = compiler.tensor(compiler.fusion().normalisation[0]).elements();
    const auto perChannel = compiler.tensor(op.parameters[0]).elements() / channels;
    const auto weights = compiler.weight(op.parameters[0], plainDesc(dims, DataKind::f32));
    const auto factors = normalisationFactors(compiler, op);
    compiler.beginPreparation();
    const auto scaled = compiler.scratch(weights.desc);
    const FoldedLayer folded{compiler.prepared(layout), factors.offset};
    compiler.task("native:fold_batch_norm", {weights, scaled, factors.scale}, [=](const StepState&) {
        parallelRows(channels, perChannel, [&](std::int64_t begin, std::int64_t end) {
            for (auto c = begin; c < end; ++c) {
                const auto scale = factors.scale.as<float>()[c];
                const auto* from = weights.as<float>() + c * perChannel;
                auto* target = scaled.as<float>() + c * perChannel;
                for (std::int64_t i = 0; i < perChannel; ++i) target[i] = from[i] * scale;
            }
        });
    });
    compiler.convert(scaled, folded.weights);
    compiler.endPreparation();
    return folded;
}

}  // namespace steelyard::compute::cpu
