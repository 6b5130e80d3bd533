// SPDX-License-Identifier: Apache-2.0
// The table of native kernels. Each is compiled once per instruction set (kernels.def) and selected when the program
// starts. All work on a range and start no threads; callers split the range (parallel.h). Nothing here fails.
// Activations are float or BFloat16, arithmetic and parameters are float. Pointers are to contiguous elements and need
// no alignment unless it is said; lengths count elements.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/model/activation_kind.h"

namespace steelyard::model {
enum class MapKind;  // array/array_layer.h; its functions and types of the standard library are no part of kernels
}

namespace steelyard::compute::cpu {

struct BFloat16 {
    std::uint16_t bits = 0;
};

// Derivative expressed by the function's result y.
enum class OutputGradient { Relu, Relu6, Sigmoid, Tanh };

using model::ActivationKind;

// Inverted dropout of rows x columns elements that lie one after the other; the logical index of element (r, c) is
// start + r rowStride + c columnStride. An element is kept when its 24-bit hash is at least `threshold`.
struct DropoutRun {
    std::uint32_t key = 0;
    std::uint32_t threshold = 0;
    float scale = 1;
    std::uint32_t start = 0;
    std::uint32_t rows = 1, columns = 0;
    std::uint32_t rowStride = 0, columnStride = 1;
};

struct UpdateFactors {
    float rate = 0;  // learning rate of this step, with Adam's bias correction
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
    float* mean = nullptr;  // null: not kept
    float* inverse = nullptr;
    float epsilon = 0;
    std::int64_t rows = 0, features = 0;
};
template <class T>
struct NormGradientRows {
    T* dx = nullptr;  // may be dy
    const T* dy = nullptr;
    const T* x = nullptr;
    const float* scale = nullptr;
    const float* mean = nullptr;
    const float* inverse = nullptr;
    float* scaleSums = nullptr;
    float* offsetSums = nullptr;
    std::int64_t rows = 0, features = 0;
};

// Pixels of images whose channels lie together, as batch normalisation takes them: x^ = x - mean.
//   y = factor x^ + offset, then ReLU if there is one,
//   g = dy where y > 0, or everywhere,
//   dx = factor g + slope x^ + constant.
template <class T>
struct ChannelRows {
    const T* x = nullptr;
    T* y = nullptr;  // dx when going backward, which may be dy
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

// One time step of a recurrent layer for some samples; all rows lie one after the other. Gate g of sample b is at
// gates[(b gateCount + g) units]. Formulas as in compute/reference/recurrent.cpp.
struct RecurrentRows {
    GateKind kind = GateKind::Lstm;
    float* gates = nullptr;            // in: W x (+ R h but for Gru); out: the gates' values
    const float* recurrent = nullptr;  // Gru: R h
    float* kept = nullptr;             // Gru: the candidate's part of R h, for the backward pass
    const float* bias = nullptr;       // [gateCount units], added here
    const float* hiddenBefore = nullptr;
    const float* cellBefore = nullptr;
    float* hidden = nullptr;
    float* cell = nullptr;
    std::int64_t samples = 0, units = 0;
};
struct RecurrentGradientRows {
    GateKind kind = GateKind::Lstm;
    const float* gates = nullptr;
    const float* kept = nullptr;  // Gru
    const float* hiddenBefore = nullptr;
    const float* cellBefore = nullptr;
    const float* hidden = nullptr;
    const float* cell = nullptr;
    float* dHidden = nullptr;     // in: of this step's state; out: what goes straight to the step before
    float* dCell = nullptr;       // Lstm; in and out likewise
    float* dInput = nullptr;      // towards W x + b, like gates, which it may overwrite
    float* dRecurrent = nullptr;  // Gru: towards R h, like gates; others: the same as dInput and not written
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
    // One row: probabilities.
    void (*softmax)(T* y, const T* x, std::int64_t n);
    void (*sigmoid)(T* y, const T* x, std::int64_t n);
    // One row: gradient = scale (softmax(x) - onehot(label)); returns -log softmax(x)[label].
    float (*softmaxCrossEntropy)(T* gradient, const T* x, std::int32_t label, float scale, std::int64_t n);
    // gradient[i] = scale (sigmoid(x[i]) - label[i]); returns the sum of the losses.
    float (*sigmoidCrossEntropy)(T* gradient, const T* x, const std::int32_t* labels, float scale, std::int64_t n);
    // y[r, c] += bias[c], for a contiguous block of rows; then ReLU when asked for.
    void (*addBias)(T* y, const float* bias, bool relu, std::int64_t rows, std::int64_t columns);
    // sums[c] (+)= sum over rows of x[r, first + c], c < columns; leading is the length of a row.
    void (*columnSums)(float* sums, const T* x, std::int64_t rows, std::int64_t leading, std::int64_t columns,
                       bool accumulate);
};

// Work on rows of features. Where a function takes many rows, row r starts at r * features.
template <class T>
struct RowKernels {
    // y = scale (x - mean) / sqrt(variance + epsilon) + offset; keeps mean and 1 / sqrt(...) of each row when asked to.
    void (*layerNorm)(const NormRows<T>& rows);
    // dx, and sums += {sum of dy x^, sum of dy} per feature.
    void (*layerNormGradient)(const NormGradientRows<T>& rows);
    // sums[c] += sum of x^, products[c] += sum of x^ x^; the mean may be any value near it.
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

// Attention on one row of scores, and the pointwise part of recurrent layers; float32.
struct SequenceKernels {
    // row = softmax(scale row) over the first `visible` of n keys, zero behind; returns log sum exp.
    float (*scoreSoftmax)(float* row, float scale, std::int64_t visible, std::int64_t n);
    // row = exp(scale row - logSum) over the visible keys, zero behind.
    void (*scoreProbabilities)(float* row, float scale, float logSum, std::int64_t visible, std::int64_t n);
    // gradient = probabilities (gradient - shared) scale
    void (*scoreGradient)(float* gradient, const float* probabilities, float shared, float scale, std::int64_t n);
    float (*dot)(const float* a, const float* b, std::int64_t n);
    void (*recurrentForward)(const RecurrentRows& rows);
    void (*recurrentBackward)(const RecurrentGradientRows& rows);
};

// y[i] = f(a[i], b[i], c[i]) in float32, f an element-wise function of imported networks (model::Map, with its
// attributes). An operand that repeats has one element; what a function does not take is null. y may be an operand.
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
    float (*maximum)(const float* x, std::int64_t n);                     // n at least 1; not a number if one is
    float (*minimum)(const float* x, std::int64_t n);
    void (*addScaled)(float* y, const float* x, float factor, std::int64_t n);  // y += factor x
    void (*fromInt32)(float* y, const std::int32_t* x, std::int64_t n);
    void (*toInt32)(std::int32_t* y, const float* x, std::int64_t n);  // towards zero, within the type's range
};

// What a gemm kernel takes at a time along k: a pair of bfloat16, the first in the low half, or a float.
template <class T>
using ProductWord = std::conditional_t<sizeof(T) == sizeof(float), float, std::uint32_t>;
template <class T>
inline constexpr std::int64_t kElementsOfAWord = sizeof(ProductWord<T>) / sizeof(T);

// C (+)= A B with factors of T and float32 sums. Word j of row m of A begins at a[m rowStride + j wordStride], one of
// the strides being a word's; that of column n of B is b[j leadingB + n]. In pairs, an odd k is filled up with zeros in
// both.
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
    // What is read next, and where C will be copied to, in rows of n elements: memory that is fetched meanwhile (the
    // latter by vectors alone). Either may be null.
    const void* ahead = nullptr;
    std::int64_t aheadBytes = 0;
    const void* target = nullptr;
    std::int64_t targetStride = 0, targetElement = 0;  // in bytes
};
using Bf16Gemm = PanelProduct<BFloat16>;
using F32Gemm = PanelProduct<float>;

// For matrices that stay in the cache. Null where hasBfloat16Products() is false.
struct Bf16GemmKernels {
    void (*multiply)(const Bf16Gemm& product);
    // words[r / 2, c] = {x[r, c], x[r + 1, c]}: B, or A transposed, of a row-major matrix; a missing row is zero.
    void (*pairRows)(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                     std::int64_t leading);
    void (*pairFloatRows)(std::uint32_t* words, const float* x, std::int64_t rows, std::int64_t columns,
                          std::int64_t leading);
    // words[c / 2, r] = {x[r, c], x[r, c + 1]}: B of a matrix that lies transposed.
    void (*pairColumns)(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                        std::int64_t leading);
    float (*dot)(const BFloat16* a, const BFloat16* b, std::int64_t n);
    void (*addScaled)(float* sum, const BFloat16* x, float factor, std::int64_t n);  // sum += factor x
    // Rows of A that multiply() should get at once, multiples of its register or AMX tiles. A strip is the least that
    // is fast; a block is for panels of B that are not in the cache.
    std::int64_t stripRows = 48, blockRows = 96;
};

// The same of floats. Null without AVX-512.
struct F32GemmKernels {
    void (*multiply)(const F32Gemm& product);
    // words[c, r] = x[r, c]
    void (*transpose)(float* words, const float* x, std::int64_t rows, std::int64_t columns, std::int64_t leading);
    std::int64_t blockRows = 96;
};

// Winograd's F(Tile x Tile, 3x3): two by two pixels of bfloat16 at a time, four by four of float.
template <class T>
inline constexpr int kWinogradTile = sizeof(T) == sizeof(float) ? 4 : 2;

// Sixteen channels, which lie one after the other, of the pixels of a patch (of a convolution's source, two more in
// each direction than a tile) or a tile (of its target). Strides in elements.
template <class T>
struct WinogradPixels {
    const T* corner = nullptr;  // may itself lie outside of the image
    std::int64_t rowStride = 0, columnStride = 0;
    unsigned rows = 0, columns = 0;  // bit i: row or column i lies inside; what does not is zero
};
template <class T>
struct WinogradResult {
    T* corner = nullptr;
    std::int64_t rowStride = 0, columnStride = 0;
    int rows = kWinogradTile<T>, columns = kWinogradTile<T>;  // of the tile, that are wanted
    const float* bias = nullptr;                              // of sixteen, or null
    bool adds = false;                                        // to what is there
    bool relu = false;                                        // afterwards
};

// Convolutions as products of points, as many as a patch has pixels. Point i begins i * pointStride further on (in
// elements or words). Null where the processor has not the products.
template <class T>
struct WinogradKernels {
    // A patch's points, sixteen elements each.
    void (*sourcePoints)(T* points, std::int64_t pointStride, const WinogradPixels<T>& patch);
    // Those of a row of them, of as many patches as a word has elements.
    void (*sourceWords)(ProductWord<T>* words, std::int64_t pointStride, const WinogradPixels<T>* patches, int row);
    // The same of tiles of the target's gradient. In row 1, sums += their pixels, in each of sixteen channels, unless
    // it is null.
    void (*targetWords)(ProductWord<T>* words, std::int64_t pointStride, const WinogradPixels<T>* tiles, int row,
                        float* sums);
    // A tile, of its points.
    void (*targetPixels)(const WinogradResult<T>& result, const float* points, std::int64_t pointStride);
    // The points of sixteen words of 3x3 weights, whose taps lie tapStride words apart; rotated by half a turn.
    void (*weightWords)(ProductWord<T>* words, std::int64_t pointStride, const ProductWord<T>* taps,
                        std::int64_t tapStride, bool rotated);
    // 3x3 gradients of sixteen weights, of their points.
    void (*weightGradient)(float* taps, std::int64_t tapStride, const float* points, std::int64_t pointStride);
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

// Bytes on the grids of plan/quantisation.h. Unsigned: 0 to 255, Signed: -127 to 127.
enum class StoredAs { Float, Signed, Unsigned };
inline constexpr std::int64_t kMeanChannels = 512;  // that meanOfPixels sums at a time

struct EightBitKernels {
    // y = x factor, at least zero where `rectify` says so; bytes to the nearest, ties to even, within their limits.
    void (*store)(void* y, StoredAs type, const float* x, float factor, bool rectify, std::int64_t n) = nullptr;
    // sum = or += x factor
    void (*addScaled)(float* sum, const void* x, StoredAs type, float factor, bool first, std::int64_t n) = nullptr;
    // y[c] = factor times the sum over the pixels of x[p, c], in bytes; at most 2^23 pixels.
    void (*meanOfPixels)(float* y, const void* x, StoredAs type, std::int64_t pixels, std::int64_t channels,
                         float factor) = nullptr;
};

// Multiply-adds in registers alone: independent chains sums = sums factor + term, enough of them to hide the latency.
// Both return the number of FLOPs that `rounds` rounds took.
struct PeakKernels {
    // `value` is where every chain starts, 1 being the limit of all; the mean of the chains is returned in it.
    double (*f32)(std::int64_t rounds, float* value) = nullptr;
    // Dot products of pairs, each adding two times value squared to its chain, which starts at zero; the mean of the
    // chains is returned in `value`. Null without AVX-512 BF16.
    double (*bf16)(std::int64_t rounds, float* value) = nullptr;
};

struct Kernels {
    std::string_view instructionSet;  // of what runs on all processors: "avx512", "avx2", "baseline"
    PointwiseKernels<float> f32;
    PointwiseKernels<BFloat16> bf16;
    RowKernels<float> rowsF32;
    RowKernels<BFloat16> rowsBf16;
    SequenceKernels sequence;
    ArrayKernels array;
    void (*activate)(ActivationKind kind, float* x, std::int64_t n);
    Bf16GemmKernels bf16Gemm{};
    F32GemmKernels f32Gemm{};
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

// The instruction sets that kernels are compiled for, ascending; named as their namespaces. kernels.def lists which
// source is compiled for which.
enum class CpuIsa { baseline, avx2, avx2_vnni, avx512, avx512_vnni, avx512_bf16, amx };
// Whether the processor has it, and the operating system and ONEDNN_MAX_CPU_ISA allow it.
[[nodiscard]] bool runsHere(CpuIsa isa);
// Enters the kernels that are compiled for this instruction set, and leaves all others. It must run here.
void fillKernels(CpuIsa isa, Kernels& table);

// The fastest that run here. The same table for the life of the process; any thread.
[[nodiscard]] const Kernels& kernels();
// Whether bfloat16 is multiplied in hardware (AVX-512 BF16; AMX comes with it). Without it the library would emulate,
// slower than float32.
[[nodiscard]] bool hasBfloat16Products();
[[nodiscard]] bool hasAmxTiles();

}  // namespace steelyard::compute::cpu
