// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/patterns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "engine/model/array/strided_view.h"
#include "engine/model/onnx/importer.h"

namespace steelyard::model::onnx {
namespace {

constexpr double kConstantTolerance = 1e-3;  // for constants rounded by exporters

class PatternFinder {
public:
    explicit PatternFinder(Imported& imported) : m_imported(imported), m_graph(imported.graph) {}

    void run() {
        countReaders();
        for (NodeId id = 0; id < static_cast<NodeId>(m_graph.nodes.size()); ++id) {
            const bool found = findUndoneMove(id) || findBias(id) || findSwish(id) || findGelu(id) ||
                               findNormalisation(id) || findAttention(id) || findPackedAttention(id) || findTokens(id);
            if (found) countReaders();
        }
        order();
        leaveOutUnused();
    }

private:
    static std::size_t at(int id) { return static_cast<std::size_t>(id); }
    [[nodiscard]] model::Node& node(NodeId id) { return m_graph.nodes[at(id)]; }
    [[nodiscard]] const Shape& shape(NodeId id) { return node(id).output; }
    [[nodiscard]] NodeId input(NodeId id, std::size_t k) { return node(id).inputs[k]; }

    template <class Layer>
    const Layer* layerOf(NodeId id) {
        return std::get_if<Layer>(&node(id).layer);
    }
    template <class Operation>
    const Operation* arrayOf(NodeId id) {
        const auto* array = layerOf<ArrayLayer>(id);
        return array == nullptr ? nullptr : std::get_if<Operation>(&array->operation);
    }
    bool isMap(NodeId id, MapKind kind) {
        const auto* map = arrayOf<Map>(id);
        return map != nullptr && map->kind == kind;
    }
    // Sums of two operands with equal shapes are Add layers.
    bool isSum(NodeId id) {
        return (isMap(id, MapKind::Add) || layerOf<Add>(id) != nullptr) && node(id).inputs.size() == 2;
    }
    bool isActivation(NodeId id, ActivationKind kind) {
        const auto* activation = layerOf<Activation>(id);
        return activation != nullptr && activation->kind == kind;
    }

    void countReaders() {
        m_readers.assign(m_graph.nodes.size(), 0);
        for (const auto& one : m_graph.nodes)
            for (auto in : one.inputs) ++m_readers[at(in)];
        for (const auto& head : m_graph.heads) m_readers[at(head.logits)] += 2;  // is kept
    }
    // Has a single reader, so that it may be removed.
    bool isInner(NodeId id) { return m_readers[at(id)] == 1; }

    // The value of a single-element constant.
    std::optional<double> scalar(NodeId id) {
        if (layerOf<Constant>(id) == nullptr || elementCount(shape(id)) != 1) return std::nullopt;
        const auto& values = m_graph.parameters[at(node(id).parameters[0])].spec.values;
        float value = 0;
        if (values == nullptr || !values->read(std::span(&value, 1))) return std::nullopt;
        return static_cast<double>(value);
    }
    bool isScalar(NodeId id, double wanted) {
        const auto value = scalar(id);
        return value && std::abs(*value - wanted) <= kConstantTolerance * std::max(1.0, std::abs(wanted));
    }
    // The other operand of a binary function whose one operand is that constant.
    std::optional<NodeId> besideScalar(NodeId id, double wanted, bool eitherSide = true) {
        if (node(id).inputs.size() != 2) return std::nullopt;
        if (isScalar(input(id, 1), wanted)) return input(id, 0);
        if (eitherSide && isScalar(input(id, 0), wanted)) return input(id, 1);
        return std::nullopt;
    }

    // A constant as a parameter of another layer with `count` elements; nothing for other values.
    std::optional<ParameterId> vectorParameter(NodeId id, std::int64_t count, const char* name, double initial) {
        if (layerOf<Constant>(id) == nullptr || elementCount(shape(id)) != count || shape(id).empty() ||
            shape(id).back() != count || node(id).type != DataType::Float32)
            return std::nullopt;
        auto parameter = m_graph.parameters[at(node(id).parameters[0])];
        parameter.id = static_cast<ParameterId>(m_graph.parameters.size());
        parameter.owner = -1;
        parameter.spec.name = name;
        parameter.spec.shape = {count};
        parameter.spec.trainable = true;
        parameter.spec.init = {InitKind::Constant, initial, 1, 1};
        m_graph.parameters.push_back(std::move(parameter));
        return m_graph.parameters.back().id;
    }

    // The reordering by an operation that does nothing else.
    std::optional<StridedView> reordering(NodeId id) {
        if (node(id).type != DataType::Float32) return std::nullopt;
        if (layerOf<Flatten>(id) != nullptr) return wholeView(elementCount(shape(id)));
        const auto* move = arrayOf<Rearrange>(id);
        return move == nullptr ? std::nullopt : std::optional(StridedView{move->extents, move->strides, move->offset});
    }
    // A rearrangement that restores the order before an earlier one: time first and batch first again around a
    // recurrent layer.
    bool findUndoneMove(NodeId id) {
        auto view = arrayOf<Rearrange>(id) != nullptr ? reordering(id) : std::nullopt;
        for (auto source = view ? input(id, 0) : -1; view && source >= 0;) {
            const auto order = reordering(source);
            if (!order) return false;
            view = composed(*order, *view);
            source = input(source, 0);
            if (!view) return false;
            const auto all = simplified(*view);
            if (all.offset != 0 || all.extents != Shape{elementCount(shape(source))} || all.strides != Shape{1})
                continue;
            node(id).layer = Flatten{};
            node(id).inputs = {source};
            return true;
        }
        return false;
    }

    // Dense without a bias, optionally reshaped, and the sum with a vector.
    bool findBias(NodeId id) {
        if (!isSum(id)) return false;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto product = input(id, side), vector = input(id, 1 - side);
            const bool reshaped = layerOf<Flatten>(product) != nullptr && isInner(product);
            const auto dense = reshaped ? input(product, 0) : product;
            const auto* layer = layerOf<Dense>(dense);
            if (layer == nullptr || layer->bias || !isInner(dense) || !isInner(product)) continue;
            if (shape(product) != shape(id) || shape(id).back() != layer->units) continue;
            const auto bias = vectorParameter(vector, layer->units, "bias", 0);
            if (!bias) continue;
            auto changed = node(dense);
            std::get<Dense>(changed.layer).bias = true;
            changed.grid = node(id).grid;
            changed.parameters.push_back(*bias);
            if (reshaped) {
                // The dense layer keeps its position; the reshape moves to that of the sum.
                node(dense) = changed;
                node(id).layer = Flatten{};
                node(id).inputs = {dense};
            } else {
                changed.id = id;
                std::swap(node(dense).name, node(id).name);  // the dense layer's name moves with it
                node(id) = std::move(changed);
            }
            return true;
        }
        return false;
    }

    bool findSwish(NodeId id) {
        if (!isMap(id, MapKind::Mul) || node(id).inputs.size() != 2) return false;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto gate = input(id, side), x = input(id, 1 - side);
            if (!isActivation(gate, ActivationKind::Sigmoid) || !isInner(gate) || input(gate, 0) != x) continue;
            if (shape(x) != shape(id)) continue;
            node(id).layer = Activation{ActivationKind::Swish};
            node(id).inputs = {x};
            return true;
        }
        return false;
    }

    // 1 + Erf(x / sqrt 2): x.
    std::optional<NodeId> errorTerm(NodeId id) {
        if (!isSum(id) || !isInner(id)) return std::nullopt;
        const auto erf = besideScalar(id, 1);
        if (!erf || !isMap(*erf, MapKind::Erf) || !isInner(*erf)) return std::nullopt;
        const auto scaled = input(*erf, 0);
        if (!isInner(scaled)) return std::nullopt;
        if (isMap(scaled, MapKind::Div)) return besideScalar(scaled, std::numbers::sqrt2, false);
        if (isMap(scaled, MapKind::Mul)) return besideScalar(scaled, 1 / std::numbers::sqrt2);
        return std::nullopt;
    }

    bool isCube(NodeId id, NodeId x) {
        if (!isInner(id)) return false;
        if (isMap(id, MapKind::Pow)) return input(id, 0) == x && isScalar(input(id, 1), 3);
        if (!isMap(id, MapKind::Mul) || node(id).inputs.size() != 2) return false;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto square = input(id, 1 - side);
            if (input(id, side) == x && isMap(square, MapKind::Mul) && isInner(square) && input(square, 0) == x &&
                input(square, 1) == x)
                return true;
        }
        return false;
    }
    // 1 + Tanh(sqrt(2 / pi) (x + 0.044715 x^3)): x.
    std::optional<NodeId> tanhTerm(NodeId id) {
        if (!isSum(id) || !isInner(id)) return std::nullopt;
        const auto tanh = besideScalar(id, 1);
        if (!tanh || !isInner(*tanh) || (!isActivation(*tanh, ActivationKind::Tanh) && !isMap(*tanh, MapKind::Tanh)))
            return std::nullopt;
        const auto scaled = input(*tanh, 0);
        if (!isMap(scaled, MapKind::Mul) || !isInner(scaled)) return std::nullopt;
        const auto sum = besideScalar(scaled, std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
        if (!sum || !isSum(*sum) || !isInner(*sum)) return std::nullopt;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto x = input(*sum, side), cubic = input(*sum, 1 - side);
            if (!isMap(cubic, MapKind::Mul) || !isInner(cubic)) continue;
            const auto cube = besideScalar(cubic, 0.044715);
            if (cube && isCube(*cube, x)) return x;
        }
        return std::nullopt;
    }
    struct GeluTerm {
        NodeId x = -1;
        ActivationKind kind = ActivationKind::Gelu;
    };
    std::optional<GeluTerm> geluTerm(NodeId id) {
        if (const auto x = errorTerm(id)) return GeluTerm{*x, ActivationKind::Gelu};
        if (const auto x = tanhTerm(id)) return GeluTerm{*x, ActivationKind::GeluTanh};
        return std::nullopt;
    }

    // The three factors x, 1 + Erf (or 1 + Tanh) and 1/2 in any order.
    bool findGelu(NodeId id) {
        if (!isMap(id, MapKind::Mul) || node(id).inputs.size() != 2) return false;
        const auto becomes = [&](const GeluTerm& term) {
            if (shape(term.x) != shape(id) || shape(id).empty()) return false;
            node(id).layer = Activation{term.kind};
            node(id).inputs = {term.x};
            return true;
        };
        // half * (x * term)
        if (const auto product = besideScalar(id, 0.5); product && isMap(*product, MapKind::Mul) && isInner(*product)) {
            for (std::size_t side = 0; side < 2; ++side)
                if (const auto term = geluTerm(input(*product, side)); term && input(*product, 1 - side) == term->x)
                    return becomes(*term);
        }
        for (std::size_t side = 0; side < 2; ++side) {
            const auto factor = input(id, side), other = input(id, 1 - side);
            // (half * x) * term
            if (const auto term = geluTerm(factor); term && isMap(other, MapKind::Mul) && isInner(other)) {
                const auto halved = besideScalar(other, 0.5);
                if (halved && *halved == term->x) return becomes(*term);
            }
            // x * (half * term)
            if (isMap(factor, MapKind::Mul) && isInner(factor))
                if (const auto inner = besideScalar(factor, 0.5))
                    if (const auto term = geluTerm(*inner); term && other == term->x) return becomes(*term);
        }
        return false;
    }

    // A mean over the last dimension, kept as 1.
    bool isRowMean(NodeId id) {
        const auto* reduce = arrayOf<Reduce>(id);
        if (reduce == nullptr || reduce->kind != ReduceKind::Mean || !reduce->keepDimensions) return false;
        const auto rank = static_cast<std::int64_t>(shape(input(id, 0)).size());
        return reduce->axes == std::vector<std::int64_t>{rank - 1};
    }
    // Sqrt(mean(value^2) + e): value and e.
    struct Deviation {
        NodeId value = -1;
        double epsilon = 0;
    };
    std::optional<Deviation> deviation(NodeId id) {
        if (!isMap(id, MapKind::Sqrt)) return std::nullopt;
        const auto sum = input(id, 0);
        if (!isSum(sum)) return std::nullopt;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto mean = input(sum, side);
            const auto epsilon = scalar(input(sum, 1 - side));
            if (!epsilon || *epsilon < 0 || !isRowMean(mean)) continue;
            const auto square = input(mean, 0);
            if (!isMap(square, MapKind::Mul) || node(square).inputs.size() != 2) return std::nullopt;
            if (input(square, 0) == input(square, 1)) return Deviation{input(square, 0), *epsilon};
            return std::nullopt;
        }
        return std::nullopt;
    }
    // x - mean(x): x.
    std::optional<NodeId> centred(NodeId id) {
        if (!isMap(id, MapKind::Sub) || !isRowMean(input(id, 1))) return std::nullopt;
        const auto x = input(id, 0);
        return input(input(id, 1), 0) == x ? std::optional(x) : std::nullopt;
    }
    // value / deviation, or value * (1 / deviation): both operands.
    struct Standardised {
        NodeId numerator = -1;
        Deviation by;
    };
    std::optional<Standardised> standardised(NodeId id) {
        if (node(id).inputs.size() != 2) return std::nullopt;
        if (isMap(id, MapKind::Div)) {
            const auto by = deviation(input(id, 1));
            return by ? std::optional(Standardised{input(id, 0), *by}) : std::nullopt;
        }
        if (!isMap(id, MapKind::Mul)) return std::nullopt;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto inverse = input(id, side);
            if (isMap(inverse, MapKind::Reciprocal))
                if (const auto by = deviation(input(inverse, 0))) return Standardised{input(id, 1 - side), *by};
            if (isMap(inverse, MapKind::Div) && isScalar(input(inverse, 0), 1))
                if (const auto by = deviation(input(inverse, 1))) return Standardised{input(id, 1 - side), *by};
        }
        return std::nullopt;
    }

    bool findNormalisation(NodeId id) {
        if (shape(id).size() < 2) return false;
        return findLayerNorm(id) || findRootMeanSquare(id);
    }

    // standardised * scale + offset
    bool findLayerNorm(NodeId id) {
        if (!isSum(id)) return false;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto product = input(id, side);
            if (!isMap(product, MapKind::Mul) || !isInner(product) || node(product).inputs.size() != 2) continue;
            for (std::size_t factor = 0; factor < 2; ++factor) {
                const auto value = input(product, factor);
                const auto found = standardised(value);
                if (!found || !isInner(value)) continue;
                const auto x = centred(found->numerator), again = centred(found->by.value);
                if (!x || !again || *x != *again || shape(*x) != shape(id)) continue;
                const auto features = shape(id).back();
                const auto scale = vectorParameter(input(product, 1 - factor), features, "scale", 1);
                const auto offset = vectorParameter(input(id, 1 - side), features, "offset", 0);
                if (!scale || !offset) return false;
                node(id).layer = LayerNorm{found->by.epsilon};
                node(id).inputs = {*x};
                node(id).parameters = {*scale, *offset};
                return true;
            }
        }
        return false;
    }

    // x / Sqrt(mean(x^2) + e), including a subsequent weight. Of centred values it is part of a LayerNorm, which is
    // recognised at its last sum.
    bool findRootMeanSquare(NodeId id) {
        if (!isMap(id, MapKind::Mul) || node(id).inputs.size() != 2) return false;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto value = input(id, side), weight = input(id, 1 - side);
            if (layerOf<Constant>(weight) == nullptr || shape(weight) != Shape{shape(id).back()} || !isInner(value))
                continue;
            const auto found = standardised(value);
            if (!found || found->numerator != found->by.value || shape(found->numerator) != shape(id)) continue;
            if (centred(found->numerator)) continue;
            Normalise layer;
            layer.kind = NormaliseKind::RootMeanSquare;
            layer.axis = static_cast<std::int64_t>(shape(id).size()) - 1;
            layer.epsilon = found->by.epsilon;
            node(id).layer = ArrayLayer{layer};
            node(id).inputs = {found->numerator, weight};
            return true;
        }
        return false;
    }

    // A product with a scalar: the other operand and the scalar.
    struct Scaled {
        NodeId value = -1;
        double factor = 1;
    };
    std::optional<Scaled> scaled(NodeId id) {
        const auto* map = arrayOf<Map>(id);
        if (map == nullptr) return std::nullopt;
        if (map->kind == MapKind::Scale && map->beta == 0) return Scaled{input(id, 0), map->alpha};
        if (node(id).inputs.size() != 2) return std::nullopt;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto factor = scalar(input(id, 1 - side));
            if (!factor || shape(input(id, side)) != shape(id)) continue;
            if (map->kind == MapKind::Mul) return Scaled{input(id, side), *factor};
            if (map->kind == MapKind::Div && side == 0 && *factor != 0) return Scaled{input(id, 0), 1 / *factor};
        }
        return std::nullopt;
    }

    // Scores overwritten with a number where a condition holds, or where it does not.
    struct Overwritten {
        NodeId condition = -1, scores = -1;
        double number = 0;
        bool keepsWhereTrue = false;
    };
    std::optional<Overwritten> overwritten(NodeId id) {
        if (!isMap(id, MapKind::Where) || node(input(id, 0)).type != DataType::Int32) return std::nullopt;
        for (std::size_t side = 1; side < 3; ++side) {
            const auto number = scalar(input(id, 3 - side));
            if (number && shape(input(id, side)) == shape(id))
                return Overwritten{input(id, 0), input(id, side), *number, side == 1};
        }
        return std::nullopt;
    }

    // scale Q K + masks
    struct Scores {
        NodeId queries = -1, keys = -1;
        double scale = 1;
        std::vector<NodeId> masks;
        std::optional<Overwritten> fill;
    };
    std::optional<Scores> scores(NodeId id) {
        if (!isInner(id)) return std::nullopt;
        if (arrayOf<MatrixProduct>(id) != nullptr) {
            Scores found{input(id, 0), input(id, 1), 1, {}, {}};
            for (auto* operand : {&found.queries, &found.keys})
                while (const auto part = scaled(*operand)) {
                    *operand = part->value;
                    found.scale *= part->factor;
                }
            return found;
        }
        if (const auto part = scaled(id)) {
            auto found = scores(part->value);
            if (!found || !found->masks.empty() || found->fill) return std::nullopt;
            found->scale *= part->factor;
            return found;
        }
        if (const auto part = overwritten(id)) {
            auto found = part->number <= kHiddenScore ? scores(part->scores) : std::nullopt;
            // Earlier additions are overwritten, too.
            if (!found || !found->masks.empty() || found->fill) return std::nullopt;
            found->fill = part;
            return found;
        }
        if (!isSum(id)) return std::nullopt;
        for (std::size_t side = 0; side < 2; ++side) {
            if (shape(input(id, side)) != shape(id)) continue;
            auto found = scores(input(id, side));
            if (!found || node(input(id, 1 - side)).type != DataType::Float32) continue;
            found->masks.push_back(input(id, 1 - side));
            return found;
        }
        return std::nullopt;
    }

    // The mask to add instead of overwriting: 0 where scores are kept. A weight for a number as low as kHiddenScore is
    // zero either way; -1e38 absorbs the scores entirely, and a row without any kept score has equal weights as before.
    // Minus infinity is unchanged.
    NodeId maskOf(const Overwritten& fill) {
        const bool infinite = std::isinf(fill.number);
        const auto key = std::make_tuple(fill.condition, infinite, fill.keepsWhereTrue);
        if (const auto known = m_masks.find(key); known != m_masks.end()) return known->second;
        constexpr double kLow = -1e38;
        const auto of = [&](Map map, NodeId in) { return append(ArrayLayer{map}, {in}, shape(fill.condition)); };
        // 1 where the scores are hidden, or for the logarithm where they are kept; any nonzero number is true.
        const bool one = infinite == fill.keepsWhereTrue;
        const auto selected = of(Map{one ? MapKind::ToBool : MapKind::Not}, fill.condition);
        const auto mask = of(infinite ? Map{MapKind::Log} : Map{MapKind::Scale, kLow, 0}, selected);
        m_masks.emplace(key, mask);
        return mask;
    }

    // Where(IsNaN(softmax), 0, softmax): the softmax and the zero. Exporters guard rows without any score in this way.
    struct Guarded {
        NodeId softmax = -1, zero = -1;
    };
    std::optional<Guarded> guarded(NodeId id) {
        if (!isMap(id, MapKind::Where) || !isInner(id) || !isScalar(input(id, 1), 0)) return std::nullopt;
        const auto condition = input(id, 0), softmax = input(id, 2);
        if (!isMap(condition, MapKind::IsNaN) || !isInner(condition) || input(condition, 0) != softmax)
            return std::nullopt;
        return m_readers[at(softmax)] == 2 ? std::optional(Guarded{softmax, input(id, 1)}) : std::nullopt;
    }

    // softmax(scores) V
    bool findAttention(NodeId id) {
        if (arrayOf<MatrixProduct>(id) == nullptr || node(id).inputs.size() != 2) return false;
        const auto values = input(id, 1);
        const auto guard = guarded(input(id, 0));
        const auto weights = guard ? guard->softmax : input(id, 0);
        const auto* softmax = arrayOf<SoftmaxAlong>(weights);
        if (softmax == nullptr || softmax->logarithm || (!guard && !isInner(weights)) ||
            softmax->axis + 1 != static_cast<std::int64_t>(shape(weights).size()))
            return false;
        auto found = scores(input(weights, 0));
        if (!found) return false;
        std::vector<NodeId> operands{found->queries, found->keys, values};
        for (auto operand : operands)
            if (node(operand).type != DataType::Float32) return false;
        operands.insert(operands.end(), found->masks.begin(), found->masks.end());
        std::vector<Shape> shapes;
        for (auto operand : operands) shapes.push_back(shape(operand));
        if (found->fill) shapes.push_back(shape(found->fill->condition));
        const ArrayOperation attention = AttendArrays{found->scale};
        const auto result = arrayShape(attention, shapes);
        if (!result || *result != shape(id)) return false;
        if (found->fill) operands.push_back(maskOf(*found->fill));
        if (!guard) {
            node(id).layer = ArrayLayer{attention};
            node(id).inputs = std::move(operands);
            return true;
        }
        // A row of weights that are NaN gives a NaN row of the result.
        const auto attended = append(ArrayLayer{attention}, std::move(operands), shape(id));
        const auto missing = append(ArrayLayer{Map{MapKind::IsNaN}}, {attended}, shape(id), DataType::Int32);
        std::swap(node(attended).name, node(id).name);
        node(id).layer = ArrayLayer{Map{MapKind::Where}};
        node(id).inputs = {missing, guard->zero, attended};
        return true;
    }

    // The source of a value behind rearrangements and reshapes that nothing else reads, and the view of it.
    struct Moved {
        NodeId source = -1;
        StridedView view;
    };
    std::optional<Moved> moved(NodeId id) {
        Moved result{id, wholeView(elementCount(shape(id)))};
        while (const auto order = reordering(result.source)) {
            const auto view = composed(*order, result.view);
            if (!view) return std::nullopt;
            result.view = simplified(*view);
            result.source = input(result.source, 0);
        }
        return result;
    }
    static bool isView(const StridedView& view, const Shape& extents, const Shape& strides, std::int64_t offset) {
        const auto wanted = simplified({extents, strides, offset});
        return view.extents == wanted.extents && view.strides == wanted.strides && view.offset == wanted.offset;
    }
    // A constant that hides later tokens from earlier ones.
    bool isCausalMask(NodeId id, std::int64_t tokens) {
        if (layerOf<Constant>(id) == nullptr || elementCount(shape(id)) != tokens * tokens || shape(id).size() < 2 ||
            shape(id).back() != tokens)
            return false;
        const auto& stored = m_graph.parameters[at(node(id).parameters[0])].spec.values;
        std::vector<float> values(static_cast<std::size_t>(tokens * tokens));
        if (stored == nullptr || !stored->read(values)) return false;
        for (std::int64_t t = 0; t < tokens; ++t)
            for (std::int64_t s = 0; s < tokens; ++s) {
                const auto value = static_cast<double>(values[static_cast<std::size_t>(t * tokens + s)]);
                if (s > t ? value > kHiddenScore : value != 0) return false;
            }
        return true;
    }

    // Heads that are parts of one dense layer's result, queries, keys and values side by side, and whose answers are
    // put side by side again: [B, T, 3 F] -> [B, T, F].
    bool findPackedAttention(NodeId id) {
        if (layerOf<Flatten>(id) == nullptr && arrayOf<Rearrange>(id) == nullptr) return false;
        const auto answer = moved(id);
        if (!answer) return false;
        const auto attended = answer->source;
        const auto* layer = arrayOf<AttendArrays>(attended);
        if (layer == nullptr || shape(attended).size() != 4) return false;
        for (auto step = input(id, 0);; step = input(step, 0)) {
            if (!isInner(step)) return false;
            if (step == attended) break;
        }
        const auto& all = shape(attended);  // [B, heads, T, D]
        const auto batch = all[0], heads = all[1], tokens = all[2], width = all[3], features = heads * width;
        if (!isView(answer->view, {batch, tokens, heads, width}, {features * tokens, width, tokens * width, 1}, 0) ||
            shape(id).back() != features)
            return false;
        if (std::abs(layer->scale * std::sqrt(static_cast<double>(width)) - 1) > kConstantTolerance) return false;
        const auto masks = node(attended).inputs.size() - 3;
        if (masks > 1 || (masks == 1 && !isCausalMask(input(attended, 3), tokens))) return false;
        NodeId packed = -1;
        for (std::size_t part = 0; part < 3; ++part) {
            const auto operand = moved(input(attended, part));
            if (!operand || (part > 0 && operand->source != packed)) return false;
            packed = operand->source;
            const auto row = 3 * features, offset = static_cast<std::int64_t>(part) * features;
            const bool keys = part == 1;
            const auto extents = keys ? Shape{batch, heads, width, tokens} : Shape{batch, heads, tokens, width};
            const auto strides = keys ? Shape{tokens * row, width, 1, row} : Shape{tokens * row, width, row, 1};
            if (!isView(operand->view, extents, strides, offset)) return false;
        }
        if (elementCount(shape(packed)) != batch * tokens * 3 * features || node(packed).type != DataType::Float32)
            return false;
        const auto found = Attention{heads, masks == 1};
        const Shape from{batch, tokens, 3 * features}, to{batch, tokens, features};
        if (shape(packed) != from) packed = append(Flatten{}, {packed}, from);
        if (shape(id) == to) {
            std::swap(node(attended).name, node(id).name);
            node(id).layer = found;
            node(id).inputs = {packed};
        } else {
            node(id).layer = Flatten{};
            node(id).inputs = {append(found, {packed}, to)};
        }
        return true;
    }

    // Pixels as tokens: [B, C, H, W] -> [B, H W, C].
    bool findTokens(NodeId id) {
        if (arrayOf<Rearrange>(id) == nullptr || shape(id).size() != 3) return false;
        const auto pixels = moved(id);
        if (!pixels) return false;
        const auto& image = shape(pixels->source);
        if (image.size() != 4 || layerOf<Conv2d>(pixels->source) == nullptr) return false;
        const auto count = image[2] * image[3];
        if (shape(id) != Shape{image[0], count, image[1]} ||
            !isView(pixels->view, shape(id), {image[1] * count, 1, count}, 0))
            return false;
        node(id).layer = ToTokens{};
        node(id).inputs = {pixels->source};
        return true;
    }

    // Appended; order() determines its position.
    NodeId append(Layer layer, std::vector<NodeId> inputs, Shape output, DataType type = DataType::Float32) {
        model::Node added;
        added.id = static_cast<NodeId>(m_graph.nodes.size());
        const auto* array = std::get_if<ArrayLayer>(&layer);
        added.name = node(inputs.front()).name + "." +
                     std::string(array == nullptr ? kindName(layer) : arrayKindName(array->operation));
        added.layer = std::move(layer);
        added.inputs = std::move(inputs);
        added.output = std::move(output);
        added.type = type;
        m_graph.nodes.push_back(std::move(added));
        m_readers.push_back(0);
        return m_graph.nodes.back().id;
    }

    // Restores topological order; only appended nodes violate it.
    void order() {
        std::vector<NodeId> place(m_graph.nodes.size(), -1);
        std::vector<NodeId> order, waiting;
        for (const auto& one : m_graph.nodes) {
            waiting.push_back(one.id);
            while (!waiting.empty()) {
                const auto id = waiting.back();
                const auto before = waiting.size();
                if (place[at(id)] < 0)
                    for (auto in : node(id).inputs)
                        if (place[at(in)] < 0) waiting.push_back(in);
                if (waiting.size() != before) continue;
                waiting.pop_back();
                if (place[at(id)] >= 0) continue;
                place[at(id)] = static_cast<NodeId>(order.size());
                order.push_back(id);
            }
        }
        if (std::is_sorted(order.begin(), order.end())) return;
        std::vector<model::Node> nodes;
        for (auto id : order) {
            nodes.push_back(std::move(node(id)));
            nodes.back().id = place[at(id)];
            for (auto& in : nodes.back().inputs) in = place[at(in)];
        }
        m_graph.nodes = std::move(nodes);
        for (auto& head : m_graph.heads) head.logits = place[at(head.logits)];
        for (auto* list : {&m_imported.inputs, &m_imported.outputs})
            for (auto& one : *list) one.node = place[at(one.node)];
    }

    // Keeps what the heads need, and the inputs.
    void leaveOutUnused() {
        std::vector<bool> needed(m_graph.nodes.size(), false);
        for (const auto& head : m_graph.heads) needed[at(head.logits)] = true;
        for (const auto& one : m_imported.inputs) needed[at(one.node)] = true;
        for (auto id = static_cast<NodeId>(m_graph.nodes.size()); id-- > 0;)
            if (needed[at(id)])
                for (auto in : node(id).inputs) needed[at(in)] = true;
        std::vector<NodeId> place(m_graph.nodes.size(), -1);
        std::vector<ParameterId> parameterPlace(m_graph.parameters.size(), -1);
        std::vector<model::Node> nodes;
        std::vector<Parameter> parameters;
        for (auto& one : m_graph.nodes) {
            if (!needed[at(one.id)]) continue;
            place[at(one.id)] = static_cast<NodeId>(nodes.size());
            one.id = static_cast<NodeId>(nodes.size());
            for (auto& in : one.inputs) in = place[at(in)];
            for (auto& p : one.parameters) {
                auto& to = parameterPlace[at(p)];
                if (to < 0) {
                    to = static_cast<ParameterId>(parameters.size());
                    parameters.push_back(std::move(m_graph.parameters[at(p)]));
                    parameters.back().id = to;
                    parameters.back().owner = one.id;
                }
                p = to;
            }
            nodes.push_back(std::move(one));
        }
        m_graph.nodes = std::move(nodes);
        m_graph.parameters = std::move(parameters);
        for (auto& head : m_graph.heads) head.logits = place[at(head.logits)];
        for (auto* list : {&m_imported.inputs, &m_imported.outputs})
            for (auto& one : *list) one.node = place[at(one.node)];
    }

    Imported& m_imported;
    model::Graph& m_graph;
    std::vector<int> m_readers;
    std::map<std::tuple<NodeId, bool, bool>, NodeId> m_masks;  // by condition, infinity, keepsWhereTrue
};

}  // namespace

void recognisePatterns(Imported& imported) {
    PatternFinder(imported).run();
}

}  // namespace steelyard::model::onnx
