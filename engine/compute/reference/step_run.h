// SPDX-License-Identifier: Apache-2.0
// Context of the reference backend's operations during a step: the plan, one buffer per tensor, and the step's context.
// Internal to engine/compute/reference. The buffer of an absent tensor (kNoTensor) is an empty span.
//
// Letters, as in engine/model/layer.h: B batch, C channels, H height, W width, T steps or tokens, F features.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/compute/reference/product.h"

namespace steelyard::compute::reference {

using Index = std::int64_t;
using plan::Operation;
using plan::TensorId;

// One buffer per tensor; token ids and labels are integers, all others Float32 in every precision.
class TensorStore {
public:
    explicit TensorStore(const plan::Plan& plan);

    [[nodiscard]] std::span<float> floats(TensorId id) { return id < 0 ? std::span<float>{} : m_floats[at(id)]; }
    [[nodiscard]] std::span<std::int32_t> integers(TensorId id) { return m_integers[at(id)]; }
    [[nodiscard]] static bool isInteger(const plan::Tensor& tensor) { return tensor.type == model::DataType::Int32; }

private:
    static std::size_t at(TensorId id) { return static_cast<std::size_t>(id); }
    std::vector<std::vector<float>> m_floats;
    std::vector<std::vector<std::int32_t>> m_integers;
};

// Values that a layer keeps between its passes in addition to the plan's tensors, and temporary matrices. Grows in the
// first step only.
struct Scratch {
    std::vector<float> unfolded;
    std::vector<double> sums;
    std::map<model::NodeId, std::vector<float>> initialStates;  // recurrent layers: initial state of the step
};

struct StepRun {
    const plan::Plan& plan;
    TensorStore& tensors;
    Scratch& scratch;
    StepContext context;
    std::uint64_t seed = 1;
    int threads = 1;      // for matrix products
    double sumError = 0;  // error added to sums of a normalisation, relative to their terms' magnitudes; 0: exact
    int coarserBits = 0;  // significant bits of an emulated precision whose type has more
    double loss = 0;      // weighted sum over the heads

    void addProduct(const Product& product) const { reference::addProduct(product, threads); }
    [[nodiscard]] const model::Shape& dims(TensorId id) const { return plan.tensor(id).dims; }
    [[nodiscard]] std::span<const float> input(const Operation& op, std::size_t i = 0) const {
        return tensors.floats(op.inputs[i]);
    }
    [[nodiscard]] std::span<float> output(const Operation& op) const { return tensors.floats(op.output); }
    [[nodiscard]] std::span<float> parameter(const Operation& op, std::size_t i) const {
        return i < op.parameters.size() ? tensors.floats(op.parameters[i]) : std::span<float>{};
    }
    [[nodiscard]] std::span<float> saved(const Operation& op, std::size_t i = 0) const {
        return i < op.saved.size() ? tensors.floats(op.saved[i]) : std::span<float>{};
    }
    [[nodiscard]] std::span<const float> outputGradient(const Operation& op) const {
        return tensors.floats(op.outputGradient);
    }
    // Zeroed unless the operation accumulates, so that backward passes only add.
    [[nodiscard]] std::span<float> inputGradient(const Operation& op, std::size_t i = 0) const {
        const auto values = tensors.floats(op.inputGradients[i]);
        if (!op.accumulate[i]) std::fill(values.begin(), values.end(), 0.0F);
        return values;
    }
    [[nodiscard]] std::span<float> parameterGradient(const Operation& op, std::size_t i) const {
        if (i >= op.parameterGradients.size()) return {};
        const auto values = tensors.floats(op.parameterGradients[i]);
        if (!op.accumulateParameters) std::fill(values.begin(), values.end(), 0.0F);
        return values;
    }
};

// One function per kind of operation, for all passes; one file per family of layers.
void runConvolution(StepRun& run, const Operation& op);  // matrix_layers.cpp
void runMatMul(StepRun& run, const Operation& op);
void runProduct(StepRun& run, const Operation& op);
void runPool(StepRun& run, const Operation& op);  // pooling.cpp
void runGlobalPool(StepRun& run, const Operation& op);
void runArray(StepRun& run, const Operation& op);       // array.cpp
void runActivation(StepRun& run, const Operation& op);  // pointwise.cpp
void runGatedActivation(StepRun& run, const Operation& op);
void runDropout(StepRun& run, const Operation& op);
void runAdd(StepRun& run, const Operation& op);
void runAddParameter(StepRun& run, const Operation& op);
void runFlatten(StepRun& run, const Operation& op);  // shaping.cpp
void runConcat(StepRun& run, const Operation& op);
void runClassToken(StepRun& run, const Operation& op);
void runToTokens(StepRun& run, const Operation& op);
void runSelectStep(StepRun& run, const Operation& op);
void runShortcutPad(StepRun& run, const Operation& op);
void runBatchNorm(StepRun& run, const Operation& op);  // normalisation.cpp
void runLayerNorm(StepRun& run, const Operation& op);
void runEmbedding(StepRun& run, const Operation& op);  // embedding.cpp
void runRecurrent(StepRun& run, const Operation& op);  // recurrent.cpp
void runAttention(StepRun& run, const Operation& op);  // attention.cpp
void runRmsNorm(StepRun& run, const Operation& op);    // decoder_layers.cpp
void runRotaryEmbedding(StepRun& run, const Operation& op);
void runGroupedAttention(StepRun& run, const Operation& op);
void runScale(StepRun& run, const Operation& op);
void runSoftmax(StepRun& run, const Operation& op);  // losses.cpp; the losses too
void runSigmoid(StepRun& run, const Operation& op);
void runClipGradients(StepRun& run, const Operation& op);  // updates.cpp
void runUpdate(StepRun& run, const Operation& op);

}  // namespace steelyard::compute::reference
