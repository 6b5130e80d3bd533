// SPDX-License-Identifier: Apache-2.0
// Operations on arrays of any rank for imported networks: a few general kinds instead of one per operator of the
// exchange format. Unlike the layers of layer.h they see whole shapes, including the batch. Most of their gradients are
// composed of the same operations (array_gradient.h). Sizes and axes are checked by arrayShape(); axes count from the
// front.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/array/map_kind.h"

namespace steelyard::model {

using Shape = std::vector<std::int64_t>;

struct Map {
    MapKind kind = MapKind::Identity;
    double alpha = 0, beta = 0;
};
[[nodiscard]] std::string_view toString(MapKind kind);

// Element i of `extents` (row-major) is input element offset + sum of i_k stride_k: transposition, slicing, expansion,
// splitting, depth to space. The result has `shape`, with the same number of elements.
struct Rearrange {
    Shape extents, strides;
    std::int64_t offset = 0;
    Shape shape;
};

enum class PadMode { Constant, Edge, Reflect, Wrap };
struct PadArray {  // negative widths crop
    PadMode mode = PadMode::Constant;
    Shape before, after;  // one per dimension
    double value = 0;
};

struct JoinArrays {
    std::int64_t axis = 0;
};

enum class ReduceKind { Sum, Mean, Max, Min, Prod, L1, L2, SumSquare, LogSum, LogSumExp, ArgMax, ArgMin };
struct Reduce {
    ReduceKind kind = ReduceKind::Sum;
    std::vector<std::int64_t> axes;
    bool keepDimensions = true;
    bool lastIndex = false;  // ArgMax, ArgMin: the last of equal values
};

// Inputs: data, indices; negative indices count from the end.
enum class LookUpKind { Axis, Elements, Nd };  // Gather, GatherElements, GatherND
struct LookUp {
    LookUpKind kind = LookUpKind::Axis;
    std::int64_t axis = 0;
    std::int64_t batchDimensions = 0;  // Nd
};

// Inputs: data, indices, updates.
enum class ScatterKind { Elements, Nd };
enum class ScatterReduction { None, Add, Mul, Max, Min };
struct Scatter {
    ScatterKind kind = ScatterKind::Elements;
    std::int64_t axis = 0;
    ScatterReduction reduction = ScatterReduction::None;
};

struct MatrixProduct {};  // A [.., M, K] B [.., K, N], leading dimensions broadcast; vectors as in NumPy

// softmax(scale Q K + M1 + M2 ..) V, with the softmax over the columns of the scores. Inputs: Q [.., T, D], K [.., D,
// S] and V [.., S, E] with equal leading dimensions, then the masks, each broadcast to [.., T, S].
struct AttendArrays {
    double scale = 1;
};

struct SoftmaxAlong {
    std::int64_t axis = 0;
    bool logarithm = false;
};

// Inputs: x [B, C, ..], weight [K, C / groups, ..] (transposed: [C, K / groups, ..]), optionally bias [K]. Attributes
// have one entry per spatial dimension.
struct ConvolveNd {
    Shape kernel, stride, dilation, before, after;
    std::int64_t groups = 1;
    bool transposed = false;
    Shape outputPadding;  // transposed
};

enum class WindowKind { Max, Average, L2 };
struct PoolNd {
    WindowKind kind = WindowKind::Max;
    Shape kernel, stride, dilation, before, after;
    bool roundUp = false, countPadding = false;
    double power = 2;  // L2: the p of the norm
};

enum class ResizeMode { Nearest, Linear, Cubic };
enum class Coordinates { HalfPixel, PytorchHalfPixel, AlignCorners, Asymmetric, HalfPixelSymmetric };
enum class Nearest { RoundPreferFloor, RoundPreferCeil, Floor, Ceil };
struct ResizeArray {
    ResizeMode mode = ResizeMode::Nearest;
    Coordinates coordinates = Coordinates::HalfPixel;
    Nearest nearest = Nearest::RoundPreferFloor;
    std::vector<double> scales;  // one per dimension
    Shape shape;
    double cubicCoefficient = -0.75;
    bool excludeOutside = false;
};

// Instance: x [B, C, ..], scale [C], offset [C]. Group: the same, with statistics over a group's channels. Layer: over
// the dimensions from `axis`, as are scale and offset. LocalResponse: over `size` channels.
enum class NormaliseKind { Instance, Group, Layer, RootMeanSquare, LocalResponse, Lp, MeanVariance };
struct Normalise {
    NormaliseKind kind = NormaliseKind::Instance;
    double epsilon = 1e-5;
    std::int64_t axis = 0, groups = 1, size = 1;
    double alpha = 1e-4, beta = 0.75, bias = 1;  // LocalResponse
    double power = 2;                            // Lp
    std::vector<std::int64_t> axes;              // MeanVariance
};

// Inputs x [T, B, F], W [D, G H, F], R [D, G H, H], then optionally B [D, 2 G H], lengths [B], initial hidden [D, B,
// H], initial cell [D, B, H], peepholes [D, 3 H]. The result concatenates in one dimension: all steps [T, D, B, H], the
// last hidden state [D, B, H], and (Lstm) the last cell [D, B, H]. Gates as in ONNX: i o f c; z r h.
enum class PassCell { Lstm, Gru, Rnn };
enum class PassDirection { Forward, Reverse, Bidirectional };
struct RecurrentPass {
    PassCell cell = PassCell::Lstm;
    PassDirection direction = PassDirection::Forward;
    std::int64_t units = 0;
    bool linearBeforeReset = false;
    bool hasBias = false, hasLengths = false, hasHidden = false, hasCell = false, hasPeepholes = false;
    std::vector<MapKind> activations;  // per direction: f g h; f g; f
    double clip = 0;                   // 0: none
    bool inputForget = false;
};

struct CumulativeSum {
    std::int64_t axis = 0;
    bool exclusive = false, reverse = false;
};

struct Triangle {  // keeps the upper or lower triangle of the last two dimensions; zeros elsewhere
    bool upper = true;
    std::int64_t diagonal = 0;
};

using ArrayOperation =
    std::variant<Map, Rearrange, PadArray, JoinArrays, Reduce, LookUp, Scatter, MatrixProduct, SoftmaxAlong, ConvolveNd,
                 PoolNd, ResizeArray, Normalise, RecurrentPass, CumulativeSum, Triangle, AttendArrays>;

// One of the above as a layer of a network.
struct ArrayLayer {
    ArrayOperation operation;
};
// A parameter used as an operand of array operations.
struct Constant {};

[[nodiscard]] std::string_view arrayKindName(const ArrayOperation& operation);  // "rearrange"; of a Map "erf"

// The shape of the result, or InvalidArgument with the reason.
[[nodiscard]] Result<Shape> arrayShape(const ArrayOperation& operation, const std::vector<Shape>& inputs);
[[nodiscard]] Result<Shape> broadcastShape(const std::vector<Shape>& inputs);

// Multiply-accumulates of matrix-like kinds, otherwise 0.
[[nodiscard]] double arrayMacs(const ArrayOperation& operation, const std::vector<Shape>& inputs, const Shape& output);

struct ArrayView {
    Shape shape;
    const double* values = nullptr;
};
// Naive evaluation: plain loops in double, for shapes accepted by arrayShape(). Folds constants of imported files, and
// is the reference backend's implementation. False: an index is out of range; constants and inputs
// (Executable::write()) are then refused. For indices computed in a step all backends agree: out-of-range reads give
// NaN (0 in an integer tensor), out-of-range updates are skipped.
[[nodiscard]] bool evaluateArray(const ArrayOperation& operation, const std::vector<ArrayView>& inputs,
                                 const Shape& output, std::vector<double>& result);

}  // namespace steelyard::model
