// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks (semantics: engine/model/array) on tensors with any strides and any of four element
// types, one general kernel per kind. Extents and strides have at most kMostDimensions dimensions, in elements; a
// stride of 0 broadcasts. Unlike other kernels these convert between element types: to Int32 by truncation with
// saturation, NaN becomes 0.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/model/array/map_kind.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr int kMostDimensions = 8;

enum class ArrayType : std::uint8_t { F32, F16, Bf16, I32 };
[[nodiscard]] constexpr std::int64_t bytesOf(ArrayType type) {
    return type == ArrayType::F32 || type == ArrayType::I32 ? 4 : 2;
}

struct ArrayExtents {
    int rank = 0;  // 0: one element
    std::int64_t at[kMostDimensions] = {};
    [[nodiscard]] constexpr std::int64_t count() const {
        std::int64_t product = 1;
        for (int d = 0; d < rank; ++d) product *= at[d];
        return product;
    }
};
struct ArrayStrides {
    std::int64_t at[kMostDimensions] = {};
};
struct ArrayTensor {
    void* data = nullptr;
    ArrayType type = ArrayType::F32;
    std::int64_t offset = 0;
};
// A tensor in the coordinates of the iterated extents.
struct ArrayOperand {
    ArrayTensor tensor;
    ArrayStrides strides;
};

// A chain of element-wise functions. Operands of a step: an input, or ~k for the result of step k; the last step gives
// the result. `exact`: in double, for 32-bit integers. The result may alias an input with the same strides.
inline constexpr int kMostMapInputs = 6, kMostMapSteps = 8;
struct ArrayMapStep {
    model::MapKind kind = model::MapKind::Identity;
    int operands = 1;
    int a = 0, b = 0, c = 0;
    double alpha = 0, beta = 0;
};
struct ArrayMap {
    ArrayExtents extents;
    int inputs = 0, steps = 0;
    ArrayOperand in[kMostMapInputs];
    ArrayMapStep step[kMostMapSteps];
    ArrayOperand out;
    bool exact = false;
};
[[nodiscard]] Status arrayMap(Stream stream, const ArrayMap& map);

// out = in
[[nodiscard]] Status arrayCopy(Stream stream, const ArrayExtents& extents, const ArrayOperand& in,
                               const ArrayOperand& out);

enum class ArrayPadding { Constant, Edge, Reflect, Wrap };
struct ArrayPad {
    ArrayExtents extents;                       // of the result
    ArrayExtents from;                          // of the input
    std::int64_t before[kMostDimensions] = {};  // negative: cropped
    ArrayPadding mode = ArrayPadding::Constant;
    float value = 0;
    ArrayOperand in, out;
};
[[nodiscard]] Status arrayPad(Stream stream, const ArrayPad& pad);

// Gather with tuples of `depth` indices, `tupleStride` apart: in = data[.., index_0, index_1, ..].
struct ArrayLookUp {
    ArrayExtents extents;  // of the result
    ArrayOperand data;     // without the indexed dimensions
    ArrayOperand indices;  // first of each tuple
    int depth = 1;
    std::int64_t tupleStride = 0;
    std::int64_t lookStrides[kMostDimensions] = {}, lookExtents[kMostDimensions] = {};
    ArrayOperand out;
};
[[nodiscard]] Status arrayLookUp(Stream stream, const ArrayLookUp& look);

// Scatter into `out`. Threads iterate over `extents`; each iterates over `loop` in order, so that updates of one
// position are sequential.
enum class ArrayCombination { Replace, Add, Mul, Max, Min };
struct ArrayScatter {
    ArrayExtents extents, loop;
    ArrayOperand indices, updates, out;     // in `extents`; out without the indexed dimensions
    ArrayStrides loopIndices, loopUpdates;  // in `loop`
    int depth = 1;
    std::int64_t tupleStride = 0;
    std::int64_t lookStrides[kMostDimensions] = {}, lookExtents[kMostDimensions] = {};
    ArrayCombination combination = ArrayCombination::Replace;
};
[[nodiscard]] Status arrayScatter(Stream stream, const ArrayScatter& scatter);

struct ArrayTriangle {
    ArrayExtents extents;
    bool upper = true;
    std::int64_t diagonal = 0;
    ArrayOperand in, out;
};
[[nodiscard]] Status arrayTriangle(Stream stream, const ArrayTriangle& triangle);

struct ArrayCumulativeSum {
    ArrayExtents lines;
    std::int64_t length = 0, inStride = 0, outStride = 0;
    bool exclusive = false, reverse = false;
    ArrayOperand in, out;
};
[[nodiscard]] Status arrayCumulativeSum(Stream stream, const ArrayCumulativeSum& sum);

// For each of `rows`, reduces the elements of `inner`.
enum class ArrayReduction { Sum, Mean, Max, Min, Prod, L1, L2, SumSquare, LogSum, LogSumExp, ArgMax, ArgMin };
struct ArrayReduce {
    ArrayReduction kind = ArrayReduction::Sum;
    bool last = false;   // ArgMax, ArgMin: the last of equal values
    bool exact = false;  // in double, for 32-bit integers
    ArrayExtents rows, inner;
    ArrayOperand in, out;  // in `rows`
    ArrayStrides inInner;
};
[[nodiscard]] Status arrayReduce(Stream stream, const ArrayReduce& reduce);

// y = softmax(scale x + masks) along `length`.
inline constexpr int kMostMasks = 4;
struct ArraySoftmax {
    ArrayExtents rows;
    std::int64_t length = 0, inStride = 1, outStride = 1;
    bool logarithm = false;
    float scale = 1;
    int masks = 0;
    ArrayOperand mask[kMostMasks];
    std::int64_t maskStrides[kMostMasks] = {};
    ArrayOperand in, out;
};
[[nodiscard]] Status arraySoftmax(Stream stream, const ArraySoftmax& softmax);

enum class ArrayNorm { Standard, RootMeanSquare, Moments, Length };  // Layer and similar, .., MeanVariance, Lp
struct ArrayNormalise {
    ArrayNorm kind = ArrayNorm::Standard;
    float epsilon = 0, power = 2;
    ArrayExtents rows, inner;
    ArrayOperand in, out, scale, offset;  // in `rows`; scale and offset are optional
    ArrayStrides inInner, outInner, scaleInner, offsetInner;
};
[[nodiscard]] Status arrayNormalise(Stream stream, const ArrayNormalise& normalise);

// Local response normalisation over neighbouring channels.
struct ArrayResponse {
    ArrayExtents extents;
    int axis = 1;
    std::int64_t before = 0, after = 0;
    float factor = 0, beta = 0, bias = 0;
    ArrayOperand in, out;
};
[[nodiscard]] Status arrayResponse(Stream stream, const ArrayResponse& response);

// C = A B if no library supports it: any strides, any types.
struct ArrayProduct {
    ArrayExtents extents;  // of the result
    std::int64_t depth = 0, aStride = 0, bStride = 0;
    ArrayOperand a, b, out;  // of the first of `depth`
    bool exact = false;
};
[[nodiscard]] Status arrayProduct(Stream stream, const ArrayProduct& product);

// x [B, C, ..], w [K, C / groups, ..] or, transposed, [C, K / groups, ..], y [B, K, ..]; `spatial` dimensions, at most
// three. The bias is optional.
inline constexpr int kMostSpatial = 3;
struct ArrayWindow {
    int spatial = 1;
    std::int64_t kernel[kMostSpatial] = {}, stride[kMostSpatial] = {}, dilation[kMostSpatial] = {},
                 before[kMostSpatial] = {}, after[kMostSpatial] = {}, from[kMostSpatial] = {};
};
struct ArrayConvolution {
    ArrayExtents extents;  // of y
    ArrayWindow window;
    std::int64_t groups = 1, inChannels = 0;
    bool transposed = false;
    ArrayOperand x, w, bias, y;  // each in its dimensions
};
[[nodiscard]] Status arrayConvolution(Stream stream, const ArrayConvolution& convolution);

enum class ArrayPooling { Max, Average, Norm };
struct ArrayPool {
    ArrayExtents extents;  // of y
    ArrayWindow window;
    ArrayPooling kind = ArrayPooling::Max;
    bool countPadding = false;
    float power = 2;
    ArrayOperand x, y;
};
[[nodiscard]] Status arrayPool(Stream stream, const ArrayPool& pool);

// Along one dimension: y_i = sum of weights[i taps + t] x[places[i taps + t]]. The tables are in device memory.
struct ArrayResize {
    ArrayExtents extents;  // of y
    int axis = 0, taps = 1;
    std::int64_t inStride = 0;
    const std::int32_t* places = nullptr;
    const float* weights = nullptr;
    ArrayOperand in, out;  // in without the axis
};
[[nodiscard]] Status arrayResize(Stream stream, const ArrayResize& resize);

// One step of a recurrent layer over all directions, samples and units. x [T, B, F], W [D, G H, F], R [D, G H, H], bias
// [D, 2 G H], lengths [B], hidden and cell [D, B, H], peepholes [D, 3 H]; absent tensors have no memory. Gates as in
// ONNX. States are Float32 [D, B, H]: `hidden` is read, `nextHidden` written.
enum class ArrayCell { Lstm, Gru, Rnn };
struct ArrayPassStep {
    ArrayCell cell = ArrayCell::Lstm;
    std::int64_t step = 0, steps = 0, directions = 1, batch = 0, features = 0, units = 0;
    bool firstIsReverse = false;  // for one direction; with two, the second is reversed
    bool linearBeforeReset = false, inputForget = false;
    float clip = 0;
    model::MapKind activation[6] = {};                 // three per direction
    ArrayTensor x, w, r, bias, lengths, peepholes, y;  // dense; y: all steps, then the last states
    const float* hidden = nullptr;
    float* nextHidden = nullptr;
    float* cellState = nullptr;
    float *reset = nullptr, *update = nullptr;  // Gru, [D, B, H]
};
// Initializes the state from `initial`, or to zero.
[[nodiscard]] Status arrayPassBegin(Stream stream, const ArrayTensor& initial, float* state, std::int64_t count);
[[nodiscard]] Status arrayPassStep(Stream stream, const ArrayPassStep& step);
// Writes the last states after all steps in y, and zeros beyond the end of shorter sequences.
[[nodiscard]] Status arrayPassEnd(Stream stream, const ArrayPassStep& step);

}  // namespace steelyard::compute::cuda::kernels
