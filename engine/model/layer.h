// SPDX-License-Identifier: Apache-2.0
// The layers of networks as plain values, and their shape rules. Letters: B batch, C channels, H height, W width, T
// time steps or tokens, F features. Shapes are per sample; the Plan adds B. Images are [C, H, W], sequences [T, F],
// vectors [F], token ids [T] of type Int32.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/activation_kind.h"
#include "engine/model/array/array_layer.h"

namespace steelyard::model {

using Shape = std::vector<std::int64_t>;
[[nodiscard]] std::int64_t elementCount(const Shape& shape);
[[nodiscard]] std::string toString(const Shape& shape);  // "3 x 224 x 224"

enum class DataType { Float32, BFloat16, Float16, Int32, UInt8, Int8 };
[[nodiscard]] std::int64_t bytesOf(DataType type);

struct Size2d {
    std::int64_t height = 1, width = 1;
    friend bool operator==(const Size2d&, const Size2d&) = default;
};
struct Padding2d {
    std::int64_t top = 0, left = 0, bottom = 0, right = 0;
    friend bool operator==(const Padding2d&, const Padding2d&) = default;
};

struct Input {
    Shape shape;
    DataType type = DataType::Float32;
    std::int64_t vocabulary = 0;  // Int32: ids are in [0, vocabulary)
};

// y = x W^T + b over the last dimension. W is [units, F].
struct Dense {
    std::int64_t units = 0;
    bool bias = true;
};

// Cross-correlation. W is [filters, C / groups, kernel.height, kernel.width].
struct Conv2d {
    std::int64_t filters = 0;
    Size2d kernel, stride;
    Padding2d padding;
    std::int64_t groups = 1;
    bool bias = true;
};

enum class PoolKind { Max, Average };
struct Pool2d {
    PoolKind kind = PoolKind::Max;
    Size2d kernel, stride;
    Padding2d padding;
    bool roundUp = false;       // output size: ceil instead of floor
    bool countPadding = false;  // Average: divide by the whole window
};

struct GlobalAveragePool {};  // [C, H, W] -> [C]; [T, F] -> [F]

[[nodiscard]] std::string_view toString(ActivationKind kind);  // "gelu_tanh", as in a network file
[[nodiscard]] const std::vector<ActivationKind>& activationKinds();
[[nodiscard]] std::optional<ActivationKind> activationKindFromString(std::string_view word);
struct Activation {
    ActivationKind kind = ActivationKind::Relu;
};

// Inverted dropout: kept values are divided by 1 - rate. Identity in inference.
struct Dropout {
    double rate = 0.5;
};

// Over B, H, W per channel ([C, H, W]) or over B per feature ([F]). Training uses the batch's biased variance and
// updates running = (1 - momentum) running + momentum batch. Parameters: scale, offset; state: running mean, running
// variance.
struct BatchNorm {
    double epsilon = 1e-5;
    double momentum = 0.1;
};

// Over the last dimension. Parameters: scale, offset.
struct LayerNorm {
    double epsilon = 1e-5;
};

struct Add {};      // elementwise, two or more inputs of equal shape
struct Concat {};   // along the first dimension of a sample (channels)
struct Flatten {};  // [..] -> [F], row-major

// ids [T] -> [T, units]; table [vocabulary, units].
struct Embedding {
    std::int64_t vocabulary = 0;
    std::int64_t units = 0;
    bool sparseUpdate = false;  // only rows that occur in the batch are updated (different results from a dense update)
};

enum class RecurrentCell { Lstm, Gru, Rnn };  // gate order: Lstm i f c o; Gru u r o (update, reset, output); Rnn: tanh
struct Recurrent {
    RecurrentCell cell = RecurrentCell::Lstm;
    std::int64_t units = 0;
    bool bidirectional = false;   // outputs concatenated: forward, backward
    bool returnSequence = false;  // [T, D units] instead of the last step's [D units] (backward direction: its last)
    double forgetBias = 1.0;      // Lstm: initial value of the forget gate's bias
    bool carryState = false;      // the final state is the next step's initial state (stateful across batches)
};

// Scaled dot-product attention, softmax(Q K^T / sqrt(F / heads)) V. Input [T, 3 F] holds Q, K, V side by side; output
// [T, F]. cachedTokens > 0: T new tokens also attend to cachedTokens earlier ones, whose K and V are cached (decoding).
struct Attention {
    std::int64_t heads = 1;
    bool causal = false;
    std::int64_t cachedTokens = 0;
};

// Adds rows offset .. offset + T - 1 of a learned [positions, F]; positions 0 means T + offset.
struct PositionEmbedding {
    std::int64_t positions = 0;
    std::int64_t offset = 0;  // of the first token; above 0 for decoding
};
struct TokenTypeEmbedding {  // adds row 0 of a learned [types, F]: single-segment input
    std::int64_t types = 2;
};
struct ClassToken {};  // prepends a learned token: [T, F] -> [T + 1, F]
struct ToTokens {};    // [C, H, W] -> [H W, C]
struct SelectStep {    // [T, F] -> [F]; negative counts from the end
    std::int64_t step = 0;
};
// Parameter-free residual shortcut (ResNet option A): every stride-th pixel, zero channels appended evenly on both
// sides.
struct ShortcutPad {
    std::int64_t channels = 0;
    std::int64_t stride = 1;
};

// C = op(A) op(B) of two inputs, per sample: A is [M, K] or, transposed, [K, M]; B is [K, N] or [N, K]. For benchmarks
// of matrix products; has no gradient.
struct Product {
    bool transposeA = false, transposeB = false;
};

// x / sqrt(mean of x^2 + epsilon) scale (B. Zhang, R. Sennrich, Root Mean Square Layer Normalization, 2019), over the
// last dimension or, with `group` > 0, over groups of that many features (queries and keys per head). Parameter: scale.
struct RmsNorm {
    double epsilon = 1e-5;
    std::int64_t group = 0;
};

// Rotary position embedding (J. Su et al., RoFormer, 2021) of [T, F], whose heads are `headWidth` wide: pair i of a
// head is rotated by position times rotaryFrequencies()[i].
struct RotaryEmbedding {
    std::int64_t headWidth = 0;
    std::int64_t rotated = 0;  // features of a head that are rotated, the first ones; 0: all
    double theta = 10'000;
    bool neighbours = false;  // pairs are 2 i and 2 i + 1; otherwise i and i + rotated / 2
    // Frequencies are divided by `factor`. With llama3Context, the original context of Llama 3.1 to 3.3, only those of
    // long wavelengths are.
    double factor = 1;
    std::int64_t llama3Context = 0;
};
// In radians per position, one for each pair.
[[nodiscard]] std::vector<double> rotaryFrequencies(const RotaryEmbedding& layer);

// Attention whose queries share keys and values in groups (J. Ainslie et al., GQA, 2023). Inputs: queries [T, heads D],
// keys and values [T, kvHeads D]; output [T, heads D].
struct GroupedAttention {
    std::int64_t heads = 1, kvHeads = 1;
    bool causal = true;
    std::int64_t window = 0;  // causal: a token sees itself and the window - 1 tokens before; 0: all of them
    double scale = 0;         // of the scores; 0: 1 / sqrt(D)
    double softCap = 0;       // scaled scores s become softCap tanh(s / softCap); 0: unchanged
};

// y = f(gate) up of the inputs gate and up (N. Shazeer, GLU Variants Improve Transformer, 2020): SwiGLU with swish,
// GeGLU with gelu.
struct GatedActivation {
    ActivationKind kind = ActivationKind::Swish;
};

// y = factor x; with cap > 0, y = cap tanh(factor x / cap).
struct Scale {
    double factor = 1;
    double cap = 0;
};

using Layer = std::variant<Input, Dense, Conv2d, Pool2d, GlobalAveragePool, Activation, Dropout, BatchNorm, LayerNorm,
                           Add, Concat, Flatten, Embedding, Recurrent, Attention, PositionEmbedding, TokenTypeEmbedding,
                           ClassToken, ToTokens, SelectStep, ShortcutPad, Product, ArrayLayer, Constant, RmsNorm,
                           RotaryEmbedding, GroupedAttention, GatedActivation, Scale>;

[[nodiscard]] std::string_view kindName(const Layer& layer);  // "conv2d", as in a network file

// Initial values: GlorotUniform over (fanIn, fanOut), HeNormal over fanIn, Uniform and Normal with `scale` as half
// width or standard deviation, Constant with `scale` as value, LstmBias: zero except for the forget gate, which is
// `scale`.
enum class InitKind { GlorotUniform, HeNormal, Uniform, Normal, Constant, LstmBias };
struct Init {
    InitKind kind = InitKind::Constant;
    double scale = 0;
    std::int64_t fanIn = 1, fanOut = 1;
};

// Source of a parameter's values if they are not random: a file, or constants computed on import.
class ParameterValues {
public:
    virtual ~ParameterValues() = default;
    [[nodiscard]] virtual Result<void> read(std::span<float> values) const = 0;  // row-major, all values
    // Steps of the rows if all values are stored as whole steps from -128 to 127; otherwise empty.
    [[nodiscard]] virtual std::vector<float> rowSteps(std::int64_t /*rows*/) const { return {}; }
};

struct ParameterSpec {
    std::string name;  // "weight", "bias", "scale", ...
    Shape shape;
    Init init;
    bool trainable = true;              // false: running statistics, and constants of an imported network
    bool frozen = false;                // a weight that training does not change (beside low-rank adapters)
    DataType type = DataType::Float32;  // Int32: constants
    std::shared_ptr<const ParameterValues> values = nullptr;  // instead of `init`
};

// Output shape per sample, or InvalidArgument naming the layer and the shapes.
[[nodiscard]] Result<Shape> outputShape(const Layer& layer, const std::vector<Shape>& inputs);
// Parameters in the order in which backends receive them. Recurrent, per direction: weight [G units, F], recurrent [G
// units, units], bias [G units] (Gru: one bias per gate, applied before the reset gate's product, as in cuDNN's input
// bias).
[[nodiscard]] std::vector<ParameterSpec> parametersOf(const Layer& layer, const std::vector<Shape>& inputs);
[[nodiscard]] std::int64_t gateCount(RecurrentCell cell);

}  // namespace steelyard::model
