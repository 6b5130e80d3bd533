// SPDX-License-Identifier: Apache-2.0
// The Plan: one step of a network at a batch size, lowered to a list of operations with shapes, FLOPs, bytes and tensor
// lifetimes. Backends compile it, bench times it, the advisor predicts it, memory is planned from it. A value type;
// immutable once created.
//
// FLOPs count a multiply-accumulate as 2. Bytes are compulsory traffic: every input, parameter and output once, at the
// width of its type; weights at the width of activations except in updates, and only the table rows that are looked up.
// Gradients are averaged over the batch (the loss operation divides).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/model/graph.h"
#include "engine/model/optimizer.h"
#include "engine/plan/mode.h"

namespace steelyard::plan {

using TensorId = int;
inline constexpr TensorId kNoTensor = -1;

// Tf32 is stored as Float32; so is Int8, except for the tensors selected by chooseEightBits.
[[nodiscard]] model::DataType activationType(Precision precision);

enum class TensorRole {
    Input,     // written by the caller before a step
    Label,     // class indices, Int32; written by the caller before a training step
    Weight,    // trainable parameter (master copy in Float32)
    State,     // running statistics; recurrent state; KV cache (decoding)
    Gradient,  // of a weight
    OptimizerState,
    Activation,
    ActivationGradient,
    Saved,  // saved by a forward operation for its backward one (pool indices, batch statistics, recurrent reserve)
    Probability,  // softmax or sigmoid of a head's logits
    Loss,         // one Float32
};

struct Tensor {
    TensorId id = kNoTensor;
    std::string name;
    model::Shape dims;  // including the batch if present: [B, C, H, W], [B, T, F], [B, F]
    model::DataType type = model::DataType::Float32;
    TensorRole role = TensorRole::Activation;
    // Index into Plan::storages; tensors that share memory in place have the same storage.
    int storage = -1;
    bool neverNegative = false;           // Int8: known from the operation that writes it, or from its grid
    std::optional<model::ByteGrid> grid;  // Int8: of a quantised file

    [[nodiscard]] std::int64_t elements() const { return model::elementCount(dims); }
    [[nodiscard]] std::int64_t bytes() const { return elements() * model::bytesOf(type); }
};

// A block of memory and its lifetime (first and last index into Plan::operations, inclusive). Persistent storages
// (inputs, weights, states, gradients of the step) live for the whole step and have no offset.
struct Storage {
    std::int64_t bytes = 0;
    int firstUse = 0;
    int lastUse = 0;
    bool persistent = false;
    std::int64_t offset = -1;  // in the shared arena; -1 if persistent
};

enum class OperationKind {
    Convolution,
    DepthwiseConvolution,
    MatMul,
    Attention,
    Recurrent,
    Activation,
    Dropout,
    Add,
    Concat,
    Flatten,
    Pool,
    GlobalPool,
    BatchNorm,
    LayerNorm,
    Embedding,
    AddParameter,
    ClassToken,
    ToTokens,
    SelectStep,
    ShortcutPad,
    Product,  // of two inputs; forward only
    Array,    // operations of imported networks (engine/model/array), and their gradients
    RmsNorm,
    RotaryEmbedding,
    GroupedAttention,
    GatedActivation,
    Scale,
    Softmax,
    Sigmoid,
    SoftmaxCrossEntropy,
    SigmoidCrossEntropy,
    ClipGradients,
    Update,
};
[[nodiscard]] std::string_view toString(OperationKind kind);

// Convolution, DepthwiseConvolution and MatMul have BackwardData and BackwardWeights (in this order, so that a backend
// may write the update directly to the weights); all others with a derivative have one Backward.
enum class Pass { Forward, Backward, BackwardData, BackwardWeights, Update };
[[nodiscard]] std::string_view toString(Pass pass);

struct Operation {
    OperationKind kind = OperationKind::Activation;
    Pass pass = Pass::Forward;
    model::NodeId node = -1;  // -1: ClipGradients, Update, operations of heads, and gradients of Array operations
    std::string name;         // "conv2d_1" or "conv2d_1 (weight gradient)"
    model::Layer layer;       // attributes; Dense for a head and ClipGradients; Update: the weight's owner

    // Forward: reads inputs, parameters and states; writes output, saved and (Recurrent) states. Attention's states are
    // {cached keys, cached values}, each [B, cachedTokens, F].
    // Backward*: reads outputGradient and what it needs of inputs, output, parameters and saved; writes inputGradients
    // and parameterGradients. Tensors that a pass does not use are kNoTensor in its lists.
    // Losses: inputs = {logits, labels}, output = probabilities, saved = {loss}; Backward writes inputGradients[0].
    // Update: parameters = {weight}, parameterGradients = {gradient}, states. ClipGradients: parameterGradients, in
    // place.
    std::vector<TensorId> inputs;
    TensorId output = kNoTensor;
    std::vector<TensorId> parameters;
    std::vector<TensorId> saved;
    TensorId outputGradient = kNoTensor;
    std::vector<TensorId> inputGradients;
    std::vector<bool> accumulate;  // per input gradient: add to the value written by another consumer
    std::vector<TensorId> parameterGradients;
    bool accumulateParameters = false;  // tied weights: add to the gradient written by another layer
    std::vector<TensorId> states;
    double lossWeight = 1.0;  // losses: weight of the head

    double macs = 0;   // multiply-accumulates of matrix-like work (convolution, product, attention, recurrent)
    double flops = 0;  // 2 macs, plus one per elementwise arithmetic result
    double bytes = 0;
    // For the predictor: output channels per group, reduction length, sequential steps (recurrent: T).
    double outputChannels = 0;
    double reductionLength = 0;
    std::int64_t sequentialSteps = 1;

    [[nodiscard]] std::vector<TensorId> reads() const;
    [[nodiscard]] std::vector<TensorId> writes() const;
};

struct HeadTensors {
    model::Head head;
    TensorId logits = kNoTensor;
    TensorId probabilities = kNoTensor;  // LossKind::None: the logits
    TensorId labels = kNoTensor;         // training only
    TensorId loss = kNoTensor;           // training only
};

struct MemoryPlan {
    Bytes weights;  // including running statistics; in a narrow precision, the copies that products read (training: in
                    // addition)
    Bytes gradients;
    Bytes optimizer;
    // The arena: activations, their gradients and saved tensors, with memory reuse; plus inputs, recurrent state and
    // caches.
    Bytes activations;
    Bytes workspace;  // scratch memory of operations, an estimate until a backend has compiled
    [[nodiscard]] Bytes total() const { return weights + gradients + optimizer + activations + workspace; }
};

// Precision::Int8: ranges of activations, and rounding of weights (plan/quantisation.h).
struct Quantisation {
    std::vector<float> ranges;  // by TensorId: maximum magnitude, of a quantised file or on seeded data; empty: unknown
    int weightLevels = 127;     // maximum magnitude of a quantised weight
};

struct PlanOptions {
    Mode mode = Mode::Train;
    std::int64_t batch = 1;
    Precision precision = Precision::Fp32;
    model::Optimizer optimizer;  // ignored for inference
    Quantisation quantisation;   // Int8
};

struct Plan {
    std::string workload;
    PlanOptions options;
    std::vector<Tensor> tensors;
    std::vector<Storage> storages;
    // Forward, then backward in reverse, then updates. Gradients of Array operations are in the backward part, but are
    // themselves Array and Flatten operations with Pass::Forward (plan/array_gradient.h).
    std::vector<Operation> operations;
    std::vector<TensorId> inputs;
    std::vector<model::Parameter> parameters;
    std::vector<TensorId> parameterTensors;  // by ParameterId
    std::vector<TensorId> gradientTensors;   // by ParameterId; kNoTensor for state and for inference
    std::vector<HeadTensors> heads;
    MemoryPlan memory;

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[static_cast<std::size_t>(id)]; }
    [[nodiscard]] double stepFlops() const;
    [[nodiscard]] double stepBytes() const;
    [[nodiscard]] double forwardMacsPerSample() const;   // convolutions, matrix products, attention, recurrent layers
    [[nodiscard]] std::int64_t tokensPerSample() const;  // for an Int32 input; otherwise 1
};

// Lowers a graph; in Int8 that of Graph::inEightBits if there is one. InvalidArgument for a batch below 1 or a tensor
// of more than 2^44 elements, which bounds sums of sizes. (Index limits are checked by compute::supportsPlan.)
[[nodiscard]] Result<Plan> lower(const model::Graph& graph, const PlanOptions& options);

}  // namespace steelyard::plan
