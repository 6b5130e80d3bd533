// SPDX-License-Identifier: Apache-2.0
// The table of native kernels. Each is compiled once per instruction set (kernels.def) and selected at program start.
// All work on a range and start no threads; callers split the range (parallel.h). No errors. Activations are float or
// BFloat16, arithmetic and parameters are float. Pointers are to contiguous elements, unaligned unless stated; lengths
// are in elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/model/activation_kind.h"

namespace steelyard::model {
enum class MapKind;  // from array/array_layer.h, which kernels cannot include: it uses the standard library
}

namespace steelyard::compute::cpu {

struct BFloat16 {
    std::uint16_t bits = 0;
};

// Derivatives expressed by the function's result y.
enum class OutputGradient { Relu, Relu6, Sigmoid, Tanh };

using model::ActivationKind;

// Inverted dropout of rows x columns contiguous elements; the logical index of element (r, c) is start + r rowStride +
// c columnStride. An element is kept if its 24-bit hash is at least `threshold`.
struct DropoutRun {
    std::uint32_t key = 0;
    std::uint32_t threshold = 0;
    float scale = 1;
    std::uint32_t start = 0;
    std::uint32_t rows = 1, columns = 0;
    std::uint32_t rowStride = 0, columnStride = 1;
};

struct UpdateFactors {
    float rate = 0;  // of this step, including Adam's bias correction
    float weightDecay = 0;
    float momentum = 0;
    float rho = 0;
    float beta1 = 0, beta2 = 0;
    float epsilon = 0;
};

template <class T>
struct NormRows {
    T* y = nullptr;
    const T* x = nullptr;
    const float* scale = nullptr;
    const float* offset = nullptr;
    float* mean = nullptr;  // null: not stored
    float* inverse = nullptr;
    float epsilon = 0;
    std::int64_t rows = 0, features = 0;
};
template <class T>
struct NormGradientRows {
    T* dx = nullptr;  // may alias dy
    const T* dy = nullptr;
    const T* x = nullptr;
    const float* scale = nullptr;
    const float* mean = nullptr;
    const float* inverse = nullptr;
    float* scaleSums = nullptr;
    float* offsetSums = nullptr;
    std::int64_t rows = 0, features = 0;
};

// RMS norm; as above, without mean and offset.
template <class T>
struct RmsRows {
    T* y = nullptr;  // dx in the backward pass, may alias dy
    const T* x = nullptr;
    const T* dy = nullptr;
    const float* scale = nullptr;
    float* inverse = nullptr;    // forward: null: not stored
    float* scaleSums = nullptr;  // backward; null: not wanted
    float epsilon = 0;
    std::int64_t rows = 0, features = 0;
};

// Pixels of channels-last images for batch normalisation: x^ = x - mean.
//   y = factor x^ + offset, then optionally ReLU,
//   g = dy where y > 0 (with ReLU), otherwise dy,
//   dx = factor g + slope x^ + constant.
template <class T>
struct ChannelRows {
    const T* x = nullptr;
    T* y = nullptr;  // dx in the backward pass, may alias dy
    const T* dy = nullptr;
    const float* mean = nullptr;
    const float* factor = nullptr;
    const float* offset = nullptr;
    const float* slope = nullptr;
    const float* constant = nullptr;
    bool relu = false;
    std::int64_t rows = 0, channels = 0;
};

enum class GateKind { Lstm, Gru, Rnn };

// One time step of a recurrent layer for some samples and some of the units. Gate g of sample b is at
// gates[(b gateCount + g) stride], likewise of `recurrent`; its bias is at bias[g stride], and states of sample b are
// at b stride. Formulas as in compute/reference/recurrent.cpp.
struct RecurrentRows {
    GateKind kind = GateKind::Lstm;
    float* gates = nullptr;            // in: W x (+ R h except for Gru); out: gate values
    const float* recurrent = nullptr;  // Gru: R h
    float* kept = nullptr;             // Gru: the candidate's part of R h, saved for the backward pass
    const float* bias = nullptr;
    const float* hiddenBefore = nullptr;
    const float* cellBefore = nullptr;
    float* hidden = nullptr;
    float* cell = nullptr;
    std::int64_t samples = 0, units = 0;
    std::int64_t stride = 0;  // all units of the layer
};
// Likewise of all units: rows are contiguous.
struct RecurrentGradientRows {
    GateKind kind = GateKind::Lstm;
    const float* gates = nullptr;
    const float* kept = nullptr;  // Gru
    const float* hiddenBefore = nullptr;
    const float* cellBefore = nullptr;
    const float* hidden = nullptr;
    const float* cell = nullptr;
    float* dHidden = nullptr;     // in: of this step's state; out: direct part for the previous step
    float* dCell = nullptr;       // Lstm; likewise
    float* dInput = nullptr;      // with respect to W x + b, like gates; may alias them
    float* dRecurrent = nullptr;  // Gru: with respect to R h, like gates; others: same as dInput, not written
    std::int64_t samples = 0, units = 0;
};

template <class T>
struct PointwiseKernels {
    void (*relu)(T* y, const T* x, std::int64_t n);
    void (*addRelu)(T* y, const T* a, const T* b, std::int64_t n);
    void (*add)(T* y, const T* a, const T* b, std::int64_t n);
    void (*addMany)(T* y, const T* const* terms, std::int64_t count, std::int64_t first, std::int64_t n);
    // dx = dy f'(y)
    void (*outputGradient)(OutputGradient kind, T* dx, const T* dy, const T* y, std::int64_t n);
    // dx = y != 0 ? scale dy : 0
    void (*maskedGradient)(T* dx, const T* dy, const T* y, float scale, std::int64_t n);
    void (*dropout)(T* y, const T* x, const DropoutRun& run);
    // Probabilities of one row.
    void (*softmax)(T* y, const T* x, std::int64_t n);
    void (*sigmoid)(T* y, const T* x, std::int64_t n);
    // One row: gradient = scale (softmax(x) - onehot(label)); returns -log softmax(x)[label].
    float (*softmaxCrossEntropy)(T* gradient, const T* x, std::int32_t label, float scale, std::int64_t n);
    // gradient[i] = scale (sigmoid(x[i]) - label[i]); returns the sum of the losses.
    float (*sigmoidCrossEntropy)(T* gradient, const T* x, const std::int32_t* labels, float scale, std::int64_t n);
    // y[r, c] += bias[c] for a contiguous block of rows; then optionally ReLU.
    void (*addBias)(T* y, const float* bias, bool relu, std::int64_t rows, std::int64_t columns);
    // sums[c] (+)= sum over rows of x[r, first + c], c < columns; leading is the length of a row.
    void (*columnSums)(float* sums, const T* x, std::int64_t rows, std::int64_t leading, std::int64_t columns,
                       bool accumulate);
    // y = f(gate) up; y may alias an operand.
    void (*gate)(ActivationKind kind, T* y, const T* gate, const T* up, std::int64_t n);
    // dGate = dy up f'(gate), dUp = dy f(gate); both may alias dy.
    void (*gateGradient)(ActivationKind kind, T* dGate, T* dUp, const T* dy, const T* gate, const T* up,
                         std::int64_t n);
    // y = factor x, or with cap > 0 cap tanh(factor x / cap).
    void (*scale)(T* y, const T* x, float factor, float cap, std::int64_t n);
    // dx = factor dy, with cap > 0 times 1 - (y / cap)^2; y is read only then.
    void (*scaleGradient)(T* dx, const T* dy, const T* y, float factor, float cap, std::int64_t n);
};

// Operations on rows of features. In functions of several rows, row r starts at r * features.
template <class T>
struct RowKernels {
    // y = scale (x - mean) / sqrt(variance + epsilon) + offset; optionally stores mean and 1 / sqrt(...) per row.
    void (*layerNorm)(const NormRows<T>& rows);
    // dx, and sums += {sum of dy x^, sum of dy} per feature.
    void (*layerNormGradient)(const NormGradientRows<T>& rows);
    // y = scale x / sqrt(mean of squares + epsilon); optionally stores 1 / sqrt(...) per row.
    void (*rmsNorm)(const RmsRows<T>& rows);
    // y = dx, and scaleSums += sum of dy x / sqrt(...) per feature.
    void (*rmsNormGradient)(const RmsRows<T>& rows);
    // Rotates `pairs` pairs of one head: (a, b) becomes (a cosine - b sine, a sine + b cosine). Elements of a pair are
    // `distance` apart, pairs `stride`. y may be x.
    void (*rotate)(T* y, const T* x, const float* cosine, const float* sine, std::int64_t pairs, std::int64_t distance,
                   std::int64_t stride);
    // sums[c] += sum of x^, products[c] += sum of x^ x^; the mean may be any nearby value.
    void (*channelMoments)(const ChannelRows<T>& rows, float* sums, float* products);
    void (*normaliseChannels)(const ChannelRows<T>& rows);
    // sums[c] += sum of g, products[c] += sum of g x^
    void (*channelGradientSums)(const ChannelRows<T>& rows, float* sums, float* products);
    void (*channelGradient)(const ChannelRows<T>& rows);
    // y[c] = factor * sum over p of x[p * width + c]
    void (*sumPixels)(T* y, const T* x, float factor, std::int64_t pixels, std::int64_t width);
    // dx[p * width + c] = factor * dy[c]
    void (*spreadPixels)(T* dx, const T* dy, float factor, std::int64_t pixels, std::int64_t width);
    void (*addTo)(float* sum, const T* x, std::int64_t n);  // sum += x
    void (*addParameter)(T* y, const T* x, const float* parameter, std::int64_t n);
    void (*toF32)(float* y, const T* x, std::int64_t n);
    void (*fromF32)(T* y, const float* x, std::int64_t n);
};

// One row of pixels of a pool over an image [height, width, channels]:
//   y[p, c] = maximum or average over h and w of x[h, w, c], h < rows, p stride - left <= w < p stride - left + kernel,
//   w within 0 .. width; zero for a window outside the image.
// The maximum is the first of equal ones. NaN is returned if it comes first, and otherwise ignored.
template <class T>
struct PooledRow {
    T* y = nullptr;        // [pixels, channels]
    const T* x = nullptr;  // of the first row inside the image
    std::int64_t rows = 0;
    std::int64_t width = 0, channels = 0, pixels = 0;
    std::int64_t kernel = 0, stride = 0, left = 0;
    std::int64_t divisor = 0;  // averages: of the sum; 0: the number of its terms
};
struct PoolingKernels {
    void (*maximumF32)(const PooledRow<float>& row);
    void (*maximumBf16)(const PooledRow<BFloat16>& row);
    void (*maximumS8)(const PooledRow<std::int8_t>& row);
    void (*maximumU8)(const PooledRow<std::uint8_t>& row);
    void (*averageF32)(const PooledRow<float>& row);
    void (*averageBf16)(const PooledRow<BFloat16>& row);

    void maximum(const PooledRow<float>& row) const { maximumF32(row); }
    void maximum(const PooledRow<BFloat16>& row) const { maximumBf16(row); }
    void maximum(const PooledRow<std::int8_t>& row) const { maximumS8(row); }
    void maximum(const PooledRow<std::uint8_t>& row) const { maximumU8(row); }
    void average(const PooledRow<float>& row) const { averageF32(row); }
    void average(const PooledRow<BFloat16>& row) const { averageBf16(row); }
};

// Attention on one row of scores, and the pointwise part of recurrent layers; float32.
struct SequenceKernels {
    // row = softmax(scale row) over the first `visible` of n keys, zero for the rest; returns log sum exp.
    float (*scoreSoftmax)(float* row, float scale, std::int64_t visible, std::int64_t n);
    // row = exp(scale row - logSum) for visible keys, zero for the rest.
    void (*scoreProbabilities)(float* row, float scale, float logSum, std::int64_t visible, std::int64_t n);
    // gradient = probabilities (gradient - shared) scale
    void (*scoreGradient)(float* gradient, const float* probabilities, float shared, float scale, std::int64_t n);
    // row = cap tanh(scale row / cap)
    void (*capScores)(float* row, float scale, float cap, std::int64_t n);
    // gradient *= 1 - (capped / cap)^2
    void (*cappedGradient)(float* gradient, const float* capped, float cap, std::int64_t n);
    float (*dot)(const float* a, const float* b, std::int64_t n);
    void (*recurrentForward)(const RecurrentRows& rows);
    void (*recurrentBackward)(const RecurrentGradientRows& rows);
};

// y[i] = f(a[i], b[i], c[i]) in float32, f an element-wise function of imported networks (model::Map, with its
// attributes). A broadcast operand has one element; unused ones are null. y may alias an operand.
struct MapRow {
    model::MapKind kind{};
    float alpha = 0, beta = 0;
    float* y = nullptr;
    const float *a = nullptr, *b = nullptr, *c = nullptr;
    bool repeatsA = false, repeatsB = false, repeatsC = false;
    std::int64_t n = 0;
};
// Operations of imported networks, on rows of floats.
struct ArrayKernels {
    void (*map)(const MapRow& row);
    float (*sum)(const float* x, std::int64_t n);
    float (*sumOfSquares)(const float* x, float centre, std::int64_t n);  // of x - centre
    float (*maximum)(const float* x, std::int64_t n);                     // n at least 1; propagates NaN
    float (*minimum)(const float* x, std::int64_t n);
    void (*addScaled)(float* y, const float* x, float factor, std::int64_t n);  // y += factor x
    void (*fromInt32)(float* y, const std::int32_t* x, std::int64_t n);
    void (*toInt32)(std::int32_t* y, const float* x, std::int64_t n);  // truncates, saturating
};

// Unit of k in a gemm kernel: a pair of bfloat16, the first in the low half, or a float.
template <class T>
using ProductWord = std::conditional_t<sizeof(T) == sizeof(float), float, std::uint32_t>;
template <class T>
inline constexpr std::int64_t kElementsOfAWord = sizeof(ProductWord<T>) / sizeof(T);

// C (+)= A B with factors of type T and float32 sums. Word j of row m of A is a[m rowStride + j wordStride], where one
// of the strides is one word; column n of B is b[j leadingB + n]. In pairs, an odd k is zero-padded in both.
template <class T>
struct PanelProduct {
    std::int64_t m = 0, n = 0, k = 0;
    const T* a = nullptr;
    std::int64_t rowStride = 0, wordStride = kElementsOfAWord<T>;
    const ProductWord<T>* b = nullptr;
    std::int64_t leadingB = 0;
    float* c = nullptr;
    std::int64_t leadingC = 0;
    bool accumulate = false;
    const float* rowStart = nullptr;  // added to each row of C; float only, without `accumulate`
    // Memory to prefetch: operands read next, and the destination of C in rows of n elements (the latter by vectors
    // only). Either may be null.
    const void* ahead = nullptr;
    std::int64_t aheadBytes = 0;
    const void* target = nullptr;
    std::int64_t targetStride = 0, targetElement = 0;  // in bytes
};
using Bf16Gemm = PanelProduct<BFloat16>;
using F32Gemm = PanelProduct<float>;

// Rows times a panel of columns of weights, in words of 32 bits along k: four bytes, two bfloat16 or a float. A panel
// has up to C columns: 64, or of floats WindowKernels::columns. k are `lines` lines of `words` words each. Word j of
// line i of row r is at x + row(r) + i lineStride + 4 j, that of column c is panel[C (i words + j) + c]. Rows are
// windows of whole lines of an image, rowsOfLine each: row(r) is r / rowsOfLine nextStride + r % rowsOfLine rowStride.
// Plain rows are one line. Strides of x are in bytes.
inline constexpr std::int64_t kPanelColumns = 64, kWordBytes = 4;
struct WindowProduct {
    const std::byte* x = nullptr;
    std::int64_t rowStride = 0, rows = 0, rowsOfLine = 0, nextStride = 0;  // rows are a multiple of rowsOfLine
    std::int64_t lines = 1, lineStride = 0, words = 0, columns = 0;
    const std::uint32_t* panel = nullptr;
    const std::uint32_t* following = nullptr;  // the panel to read next, to be prefetched; null: unknown
    std::byte* y = nullptr;
    std::int64_t targetStride = 0;  // elements between rows of y and of the shortcut
};

// Of float or bfloat16, with float32 sums: y[r, c] = f(factors[c] sum[r, c] + bias[c] + shortcut[r, c]), rounded once.
// f is clamp(low, high), or `activate` if not null.
struct FloatWindowProduct : WindowProduct {
    const float* factors = nullptr;       // null: 1; of float only
    const float* bias = nullptr;          // null: none
    const std::byte* shortcut = nullptr;  // null: none; may be y
    float low = 0, high = 0;
    void (*activate)(ActivationKind kind, float* x, std::int64_t n) = nullptr;  // in place
    ActivationKind activation{};
};
struct WindowKernels {
    void (*multiply)(const FloatWindowProduct& product) = nullptr;  // null without products of the type
    std::int64_t columns = kPanelColumns;                           // of a panel
};

// For matrices in the cache. Null if hasBfloat16Products() is false.
struct Bf16GemmKernels {
    void (*multiply)(const Bf16Gemm& product);
    // words[r / 2, c] = {x[r, c], x[r + 1, c]}: B, or A transposed, of a row-major matrix; missing rows are zero.
    void (*pairRows)(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                     std::int64_t leading);
    void (*pairFloatRows)(std::uint32_t* words, const float* x, std::int64_t rows, std::int64_t columns,
                          std::int64_t leading);
    // words[c / 2, r] = {x[r, c], x[r, c + 1]}: B from a transposed matrix.
    void (*pairColumns)(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                        std::int64_t leading);
    float (*dot)(const BFloat16* a, const BFloat16* b, std::int64_t n);
    void (*addScaled)(float* sum, const BFloat16* x, float factor, std::int64_t n);  // sum += factor x
    // weights[k] = e^(scale (scores[k] - maximum)) for k < visible, 0 up to n. Returns 1 / their sum, and in logSum
    // log(sum over e^(scale scores[k])).
    float (*scoreWeights)(BFloat16* weights, const float* scores, float scale, std::int64_t visible, std::int64_t n,
                          float* logSum);
    // Rows of A per multiply(), multiples of its register or AMX tiles. A strip is the minimum for full speed; a block
    // is for panels of B outside the cache.
    std::int64_t stripRows = 48, blockRows = 96;
    WindowKernels windows{};
};

// Likewise for float. Null without AVX2.
struct F32GemmKernels {
    void (*multiply)(const F32Gemm& product);
    // words[c, r] = x[r, c]
    void (*transpose)(float* words, const float* x, std::int64_t rows, std::int64_t columns, std::int64_t leading);
    // words[r * panel + c] = x[r * leading + c * step]
    void (*copyRows)(float* words, std::int64_t panel, const float* x, std::int64_t leading, std::int64_t step,
                     std::int64_t rows, std::int64_t columns);
    std::int64_t blockRows = 96;
    WindowKernels windows{};
};

// Depthwise convolution of as many channels as a vector has lanes:
//   y[line, pixel] = clamp(bias + sum over the taps inside of x of weights[i, j] x[line strideHeight - top + i,
//                    pixel strideWidth - left + j], low, high)
// Strides of x and y are in elements.
struct FloatDepthwise {
    const float* x = nullptr;  // the first pixel of the image, its lines and pixels lineStride and pixelStride apart
    std::int64_t height = 0, width = 0, lineStride = 0, pixelStride = 0;
    const float* weights = nullptr;  // [kernelHeight, kernelWidth, lanes]
    const float* bias = nullptr;     // lanes; null: none
    std::int64_t kernelHeight = 0, kernelWidth = 0, strideHeight = 1, strideWidth = 1, top = 0, left = 0;
    float* y = nullptr;
    std::int64_t outWidth = 0, targetLineStride = 0, targetPixelStride = 0;
    float low = 0, high = 0;
};
// Null without AVX2.
struct F32DepthwiseKernels {
    void (*multiply)(const FloatDepthwise& convolution, std::int64_t firstLine, std::int64_t lines) = nullptr;
    std::int64_t lanes = 0;
};

// Winograd's F(Tile x Tile, 3x3): 2x2 pixels of bfloat16, 4x4 of float.
template <class T>
inline constexpr int kWinogradTile = sizeof(T) == sizeof(float) ? 4 : 2;

// Sixteen channels (contiguous, or two halves apart) of the pixels of a patch (of a convolution's source, two more in
// each direction than a tile) or a tile (of its target). Strides in elements.
template <class T>
struct WinogradPixels {
    const T* corner = nullptr;  // may be outside the image
    std::int64_t rowStride = 0, columnStride = 0;
    unsigned rows = 0, columns = 0;  // bit i: row or column i is inside; the rest is zero
    std::int64_t halfStride = 8;     // of the second eight channels; others than 8 need splitsGroups
};
template <class T>
struct WinogradResult {
    T* corner = nullptr;
    std::int64_t rowStride = 0, columnStride = 0;
    int rows = kWinogradTile<T>, columns = kWinogradTile<T>;  // used part of the tile
    std::int64_t halfStride = 8;                              // as above
    const float* bias = nullptr;                              // sixteen, or null
    bool adds = false;                                        // accumulates
    bool relu = false;                                        // applied last
};

// Winograd transforms. A patch has one point per pixel; point i is at i * pointStride (in elements or words). Null if
// the processor does not support the products.
template <class T>
struct WinogradKernels {
    // Transforms a patch to its points, sixteen elements each.
    void (*sourcePoints)(T* points, std::int64_t pointStride, const WinogradPixels<T>& patch);
    // Points of one row, for as many patches as a word has elements.
    void (*sourceWords)(ProductWord<T>* words, std::int64_t pointStride, const WinogradPixels<T>* patches, int row);
    // Likewise for tiles of the target's gradient. In row 1, sums += their pixels, per channel, unless null.
    void (*targetWords)(ProductWord<T>* words, std::int64_t pointStride, const WinogradPixels<T>* tiles, int row,
                        float* sums);
    // Transforms points back to a tile.
    void (*targetPixels)(const WinogradResult<T>& result, const float* points, std::int64_t pointStride);
    // Transforms sixteen words of 3x3 weights, with taps tapStride words apart, to points; optionally rotated by 180
    // degrees.
    void (*weightWords)(ProductWord<T>* words, std::int64_t pointStride, const ProductWord<T>* taps,
                        std::int64_t tapStride, bool rotated);
    // Transforms points to the 3x3 gradients of sixteen weights.
    void (*weightGradient)(float* taps, std::int64_t tapStride, const float* points, std::int64_t pointStride);
    bool splitsGroups = false;  // reads and writes halves of the sixteen channels apart
};

struct UpdateKernels {
    void (*sgd)(float* p, const float* g, const UpdateFactors& f, std::int64_t n);
    void (*momentum)(float* p, const float* g, float* v, const UpdateFactors& f, std::int64_t n);
    void (*rmsProp)(float* p, const float* g, float* a, const UpdateFactors& f, std::int64_t n);
    void (*adadelta)(float* p, const float* g, float* a, float* d, const UpdateFactors& f, std::int64_t n);
    void (*adam)(float* p, const float* g, float* m, float* v, const UpdateFactors& f, std::int64_t n);
    double (*sumOfSquares)(const float* x, std::int64_t n);
    void (*scale)(float* x, float factor, std::int64_t n);
};

// 8-bit values in the grids of plan/quantisation.h. Unsigned: 0 to 255, Signed: -127 to 127.
enum class StoredAs { Float, Signed, Unsigned };
// Of one value. Always inlined: a copy compiled for one instruction set must not be called on other processors.
[[gnu::always_inline]] constexpr std::int64_t bytesOf(StoredAs type) {
    return type == StoredAs::Float ? 4 : 1;
}
inline constexpr std::int64_t kMeanChannels = 512;  // channels that meanOfPixels sums at a time

// Rows of bytes and signed 8-bit weights, with 32-bit sums:
//   y[r, c] = clamp(factors[c] sum[r, c] + offsets[c] + shortcutFactor shortcut[r, c], low, high), rounded as `type`.
struct Int8Product : WindowProduct {
    bool isSigned = false;  // the rows
    // -128 times the sum of each column, for signed rows and kernels that multiply them with 128 added
    // (EightBitKernels::needsStart). Not read otherwise.
    const std::int32_t* start = nullptr;
    const float *factors = nullptr, *offsets = nullptr;
    const std::byte* shortcut = nullptr;  // null: none; may be y
    StoredAs shortcutType = StoredAs::Float;
    float shortcutFactor = 1;
    float low = 0, high = 0;  // within the range of `type`
    StoredAs type = StoredAs::Float;
};

struct EightBitKernels {
    // y = x factor, clamped to zero if `rectify`; rounds to nearest, ties to even, saturating.
    void (*store)(void* y, StoredAs type, const float* x, float factor, bool rectify, std::int64_t n) = nullptr;
    // sum = or += x factor
    void (*addScaled)(float* sum, const void* x, StoredAs type, float factor, bool first, std::int64_t n) = nullptr;
    // y[c] = factor times the sum over pixels of x[p, c], in 8 bits; at most 2^23 pixels.
    void (*meanOfPixels)(float* y, const void* x, StoredAs type, std::int64_t pixels, std::int64_t channels,
                         float factor) = nullptr;
    // words[i stride] = {a[i], b[i], c[i], d[i]}, the first in the lowest byte
    void (*interleave)(std::uint32_t* words, std::int64_t stride, const std::uint8_t* a, const std::uint8_t* b,
                       const std::uint8_t* c, const std::uint8_t* d, std::int64_t n) = nullptr;
    // Null without AVX2. Exact for weights of at most 127, or 63 without hasByteDotProducts().
    void (*multiply)(const Int8Product& product) = nullptr;
    bool needsStart = false;  // multiply() reads Int8Product::start
};

// Multiply-adds in registers: enough independent chains sums = sums factor + term to hide the latency. f32 and bf16
// return the number of FLOPs of `rounds` rounds.
struct PeakKernels {
    // `value`: start of every chain, which converges to 1; returns the mean of the chains.
    double (*f32)(std::int64_t rounds, float* value) = nullptr;
    // Dot products of pairs, each adding twice value squared to its chain, which starts at zero; `value` returns the
    // mean of the chains. Null without AVX-512 BF16.
    double (*bf16)(std::int64_t rounds, float* value) = nullptr;
    // Sum of `count` words, at memory speed. `pattern`: preferredReadPattern()
    std::uint64_t (*sum)(const std::uint64_t* values, std::int64_t count, ReadPattern pattern) = nullptr;
};

struct Kernels {
    std::string_view instructionSet;  // of what runs on all processors: "avx512", "avx2", "baseline"
    PointwiseKernels<float> f32;
    PointwiseKernels<BFloat16> bf16;
    RowKernels<float> rowsF32;
    RowKernels<BFloat16> rowsBf16;
    PoolingKernels pooling;
    SequenceKernels sequence;
    ArrayKernels array;
    void (*activate)(ActivationKind kind, float* x, std::int64_t n);
    Bf16GemmKernels bf16Gemm{};
    F32GemmKernels f32Gemm{};
    F32DepthwiseKernels f32Depthwise{};
    WinogradKernels<BFloat16> bf16Winograd{};
    WinogradKernels<float> f32Winograd{};
    UpdateKernels update;
    PeakKernels peak{};
    LanguageKernels language;
    EightBitKernels eightBit;

    template <class T>
    [[nodiscard]] const PointwiseKernels<T>& pointwise() const {
        if constexpr (sizeof(T) == sizeof(float)) {
            return f32;
        } else {
            return bf16;
        }
    }
    template <class T>
    [[nodiscard]] const RowKernels<T>& rows() const {
        if constexpr (sizeof(T) == sizeof(float)) {
            return rowsF32;
        } else {
            return rowsBf16;
        }
    }
    template <class T>
    [[nodiscard]] const auto& products() const {
        if constexpr (sizeof(T) == sizeof(float)) {
            return f32Gemm;
        } else {
            return bf16Gemm;
        }
    }
    template <class T>
    [[nodiscard]] const WinogradKernels<T>& winograd() const {
        if constexpr (sizeof(T) == sizeof(float)) {
            return f32Winograd;
        } else {
            return bf16Winograd;
        }
    }
};

// The instruction sets that kernels are compiled for, ascending; also the names of their namespaces. kernels.def lists
// the sources for each.
enum class CpuIsa { baseline, avx2, avx2_vnni, avx512, avx512_vnni, avx512_bf16, amx };
// Whether the processor has it, and the operating system and ONEDNN_MAX_CPU_ISA allow it.
[[nodiscard]] bool runsHere(CpuIsa isa);
// Sets the kernels compiled for this instruction set in the table, and leaves the others. It must run here.
void fillKernels(CpuIsa isa, Kernels& table);

// The fastest kernels that run here. The same table for the life of the process; any thread.
[[nodiscard]] const Kernels& kernels();
// Whether bfloat16 products run in hardware (AVX-512 BF16; AMX implies it). The library would otherwise emulate them,
// slower than float32.
[[nodiscard]] bool hasBfloat16Products();
[[nodiscard]] bool hasAmxTiles();
// Whether four products of bytes are added in 32 bits (VNNI, AMX) by the kernels and the library; without, pairs are
// added in 16 bits.
[[nodiscard]] bool hasByteDotProducts();

}  // namespace steelyard::compute::cpu
