// SPDX-License-Identifier: Apache-2.0
// What the predictor sees of a job: the forward operations of one sample with their sizes, taken from a Plan. Backward
// and update follow from them by rule (step_model.h), so that one list serves training and inference, every batch and
// every device. A plain value; nothing here can fail.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::advisor {

enum class WorkKind {
    Convolution1x1,
    Convolution3x3,  // stride 1, ungrouped: where Winograd's algorithm applies
    ConvolutionOther,
    Depthwise,
    MatMul,
    BatchedMatMul,
    Recurrent,  // the part of a recurrent layer that goes step by step; its input product is a MatMul
    BatchNorm,
    LayerNorm,
    Add,
    Scale,  // an elementwise product
    Activation,
    Pool,
    Softmax,
    Loss,  // of a head: at inference nothing but a launch
    Dropout,
    Concat,
    Embedding,
};

// Matrix-like work: it has FLOPs that count, and two backward operations of the same size.
[[nodiscard]] bool isMatrixLike(WorkKind kind);
[[nodiscard]] std::string_view toString(WorkKind kind);
[[nodiscard]] std::optional<WorkKind> workKindFromString(std::string_view name);

// Sizes are of one sample; elements, not bytes.
struct Work {
    WorkKind kind = WorkKind::Activation;
    double flops = 0;
    double inputs = 0, outputs = 0;
    double scores = 0;        // of inputs and outputs: attention scores, which a fused attention never writes
    double parameters = 0;    // read whatever the batch
    double channels = 0;      // N: output channels of a group
    double reduction = 0;     // K
    double steps = 1;         // one after another; recurrent: time steps
    double count = 1;         // equal operations
    bool scoresOnly = false;  // exists only where attention is not fused
    bool kept = true;         // its result is kept for the backward pass

    friend bool operator==(const Work&, const Work&) = default;
};

enum class Family { Convolutional, Transformer, Recurrent, Dense };
[[nodiscard]] std::string_view toString(Family family);

struct JobModel {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    std::int64_t batch = 1;
    plan::Precision precision = plan::Precision::Fp32;
    std::vector<Work> work;
    double parameters = 0;       // trainable
    int optimizerTensors = 1;    // state tensors per parameter
    bool mixedPrecision = true;  // 16 bit: master weights stay fp32
    // Memory of the Plan that made this, without the part of one sample; 0 when it came from a list of operations.
    double plannedFixedBytes = 0;   // weights, gradients, optimiser
    double plannedSampleBytes = 0;  // activations and workspace, divided by the batch
    // Token-by-token decoding: keys and values of earlier tokens, elements per sample; 0 otherwise.
    double cachedElements = 0;

    [[nodiscard]] Family family() const;
    [[nodiscard]] double forwardMacsPerSample() const;
    [[nodiscard]] double forwardOutputsPerSample() const;  // results of all operations, elements
    [[nodiscard]] bool isDecode() const { return cachedElements > 0; }
};

[[nodiscard]] JobModel jobModel(const plan::Plan& plan);

}  // namespace steelyard::advisor
