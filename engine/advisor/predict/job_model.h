// SPDX-License-Identifier: Apache-2.0
// A job as the predictor sees it: the forward operations of one sample with their sizes, from a Plan. Backward pass and
// update are derived by rule (step_model.h), so one list serves training and inference, every batch and every device. A
// plain value; nothing here can fail.
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
    Recurrent,  // the sequential part of a recurrent layer; its input product is a MatMul
    BatchNorm,
    LayerNorm,
    Add,
    Scale,  // elementwise product
    Activation,
    Pool,
    Softmax,
    Loss,  // of an output head; at inference only a launch
    Dropout,
    Concat,
    Embedding,
};

// Matrix-like operations have relevant FLOPs and two backward operations of the same size.
[[nodiscard]] bool isMatrixLike(WorkKind kind);
[[nodiscard]] std::string_view toString(WorkKind kind);
[[nodiscard]] std::optional<WorkKind> workKindFromString(std::string_view name);

// Sizes per sample, in elements, not bytes.
struct Work {
    WorkKind kind = WorkKind::Activation;
    double flops = 0;
    double inputs = 0, outputs = 0;
    double scores = 0;        // attention scores among inputs and outputs; fused attention never writes them
    double parameters = 0;    // read once, independent of the batch
    double channels = 0;      // N: output channels per group
    double reduction = 0;     // K
    double steps = 1;         // sequential steps; recurrent: time steps
    double count = 1;         // identical operations
    bool scoresOnly = false;  // exists only without fused attention
    bool kept = true;         // the result is kept for the backward pass

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
    bool mixedPrecision = true;  // 16 bit: master weights are fp32
    // From the memory plan of the Plan, separated into fixed and per-sample parts; 0 if made from a list of operations.
    double plannedFixedBytes = 0;   // weights, gradients, optimiser
    double plannedSampleBytes = 0;  // activations and workspace, divided by the batch
    // Token-by-token decoding: cached keys and values, elements per sample; otherwise 0.
    double cachedElements = 0;

    [[nodiscard]] Family family() const;
    [[nodiscard]] double forwardMacsPerSample() const;
    [[nodiscard]] double forwardOutputsPerSample() const;  // results of all operations, in elements
    [[nodiscard]] bool isDecode() const { return cachedElements > 0; }
};

[[nodiscard]] JobModel jobModel(const plan::Plan& plan);

}  // namespace steelyard::advisor
