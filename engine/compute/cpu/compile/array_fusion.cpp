// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/array_fusion.h"

#include <algorithm>
#include <set>

#include "engine/plan/quantisation.h"

namespace steelyard::compute::cpu {
namespace {

using model::MapKind;
using model::Shape;
using model::wholeView;
using plan::kNoTensor;
using plan::Operation;
using plan::OperationKind;
using plan::TensorId;

// Chains with more inputs or steps are split: their blocks would not fit in the inner cache.
constexpr std::size_t kMostInputs = 12, kMostSteps = 32;

template <class Layer>
const Layer* arrayOf(const Operation& op) {
    const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
    return array == nullptr ? nullptr : std::get_if<Layer>(&array->operation);
}

bool givesTruth(MapKind kind) {
    return kind == MapKind::Not || kind == MapKind::IsNaN || kind == MapKind::IsInf || kind == MapKind::ToBool ||
           (kind >= MapKind::And && kind <= MapKind::GreaterOrEqual);
}
bool takesTruth(MapKind kind) {
    return kind == MapKind::Not || kind == MapKind::ToBool || kind == MapKind::And || kind == MapKind::Or ||
           kind == MapKind::Xor;
}

class ArrayFuser {
public:
    explicit ArrayFuser(FusedPlan& fused) : m_fused(fused) {}

    void run() {
        const auto isArray = [](const Operation& op) { return op.kind == OperationKind::Array; };
        if (std::none_of(operations().begin(), operations().end(), isArray)) return;
        m_removed.assign(operations().size(), false);
        m_readers.resize(m_fused.plan.tensors.size());
        m_writer.assign(m_fused.plan.tensors.size(), -1);
        for (std::size_t i = 0; i < operations().size(); ++i) {
            for (auto id : operations()[i].reads()) m_readers[at(id)].insert(static_cast<int>(i));
            for (auto id : operations()[i].writes()) m_writer[at(id)] = static_cast<int>(i);
        }
        for (const auto& head : m_fused.plan.heads) m_answers.insert(head.probabilities);
        for (std::size_t i = 0; i < operations().size(); ++i) joinRearrangements(static_cast<int>(i));
        for (std::size_t i = 0; i < operations().size(); ++i) viewOperands(static_cast<int>(i));
        for (std::size_t i = 0; i < operations().size(); ++i) viewResult(static_cast<int>(i));
        for (std::size_t i = 0; i < operations().size(); ++i) fuseActivation(static_cast<int>(i));
        for (auto i = static_cast<int>(operations().size()); i-- > 0;) fuseMaps(i);
        for (std::size_t i = 0; i < operations().size(); ++i)
            if (!m_removed[i] && arrayOf<model::Map>(operations()[i]) != nullptr && fusionOf(i).steps.empty())
                (void)becomesChain(static_cast<int>(i));
        compact();
    }

private:
    static std::size_t at(TensorId id) { return static_cast<std::size_t>(id); }
    std::vector<Operation>& operations() { return m_fused.plan.operations; }
    Operation& operation(int i) { return operations()[static_cast<std::size_t>(i)]; }
    Fusion& fusionOf(std::size_t i) { return m_fused.fusion[i]; }
    [[nodiscard]] const plan::Tensor& tensor(TensorId id) const { return m_fused.plan.tensor(id); }
    [[nodiscard]] bool isInteger(TensorId id) const { return tensor(id).type == model::DataType::Int32; }

    [[nodiscard]] bool usesBytes(const Operation& op) const {
        return plan::isEightBit(tensor(op.output)) ||
               std::any_of(op.inputs.begin(), op.inputs.end(), [&](auto id) { return plan::isEightBit(tensor(id)); });
    }

    // The only reader of a tensor, or -1.
    [[nodiscard]] int soleReader(TensorId id) const {
        const auto& readers = m_readers[at(id)];
        return readers.size() == 1 && !m_answers.contains(id) ? *readers.begin() : -1;
    }
    void remove(int i) {
        m_removed[static_cast<std::size_t>(i)] = true;
        for (auto id : operation(i).reads()) m_readers[at(id)].erase(i);
    }
    void setInput(int i, std::size_t k, TensorId id) {
        auto& inputs = operation(i).inputs;
        const auto before = inputs[k];
        inputs[k] = id;
        if (std::find(inputs.begin(), inputs.end(), before) == inputs.end()) m_readers[at(before)].erase(i);
        m_readers[at(id)].insert(i);
    }

    // The reordering by an operation that does nothing else.
    [[nodiscard]] std::optional<StridedView> reordering(const Operation& op) const {
        if (op.pass != plan::Pass::Forward) return std::nullopt;
        if (op.kind == OperationKind::Flatten) return wholeView(tensor(op.output).elements());
        const auto* move = arrayOf<model::Rearrange>(op);
        if (move == nullptr) return std::nullopt;
        return StridedView{move->extents, move->strides, move->offset};
    }

    // The rearrangements (and reshapes between them) that only operation i reads as input k, as one view of their
    // source. Operations that become unnecessary are added to `gone`.
    struct Source {
        TensorId id = kNoTensor;
        StridedView view;
        std::vector<int> gone;
        bool moves = false;  // more than a reshape
    };
    Source sourceOf(int i, std::size_t k) {
        Source source{operation(i).inputs[k], wholeView(tensor(operation(i).inputs[k]).elements()), {}, false};
        for (int reader = i;;) {
            const auto writer = m_writer[at(source.id)];
            if (writer < 0 || soleReader(source.id) != reader) return source;
            if (reader == i && std::count(operation(i).inputs.begin(), operation(i).inputs.end(), source.id) > 1)
                return source;
            const auto& op = operation(writer);
            const auto order = reordering(op);
            if (!order) return source;
            const auto both = composed(*order, source.view);
            if (!both) return source;
            source.view = *both;
            source.id = op.inputs[0];
            source.moves = source.moves || op.kind != OperationKind::Flatten;
            source.gone.push_back(writer);
            reader = writer;
        }
    }

    void joinRearrangements(int i) {
        auto& op = operation(i);
        const auto* move = arrayOf<model::Rearrange>(op);
        if (m_removed[static_cast<std::size_t>(i)] || move == nullptr) return;
        const auto source = sourceOf(i, 0);
        if (!source.moves) return;
        const auto whole = composed(source.view, {move->extents, move->strides, move->offset});
        if (!whole) return;
        const auto shape = move->shape;
        for (int gone : source.gone) remove(gone);
        setInput(i, 0, source.id);
        op.layer = model::ArrayLayer{model::Rearrange{whole->extents, whole->strides, whole->offset, shape}};
    }

    // Whether each matrix of the last two dimensions is usable by BLAS: one of its strides is 1.
    static bool isMatrices(const OperandView& operand) {
        const auto& shape = operand.shape;
        if (shape.size() < 2) return false;
        const auto strides = stridesFor(operand.view, shape);
        if (!strides) return false;
        const auto rows = shape[shape.size() - 2], columns = shape.back();
        const auto row = (*strides)[shape.size() - 2], column = strides->back();
        const bool plain = (columns == 1 || column == 1) && (rows == 1 || row >= columns);
        const bool transposed = (rows == 1 || row == 1) && (columns == 1 || column >= rows);
        return plain || transposed;
    }

    // Number of factors of a matrix product or attention; 0 for other operations.
    [[nodiscard]] std::size_t factors(int i) {
        if (m_removed[static_cast<std::size_t>(i)]) return 0;
        const auto& op = operation(i);
        if (arrayOf<model::AttendArrays>(op) != nullptr) return 3;
        if (arrayOf<model::MatrixProduct>(op) == nullptr) return 0;
        if (!fusionOf(static_cast<std::size_t>(i)).views.empty()) return 2;
        return tensor(op.inputs[0]).dims.size() > 1 && tensor(op.inputs[1]).dims.size() > 1 ? 2 : 0;
    }

    void viewOperands(int i) {
        const auto count = factors(i);
        std::vector<OperandView> views;
        bool any = false;
        for (std::size_t k = 0; k < count; ++k) {
            const auto id = operation(i).inputs[k];
            OperandView operand{tensor(id).dims, wholeView(tensor(id).elements())};
            const auto source = sourceOf(i, k);
            const OperandView moved{operand.shape, source.view};
            if (source.moves && isMatrices(moved)) {
                for (int gone : source.gone) remove(gone);
                setInput(i, k, source.id);
                operand = moved;
                any = true;
            }
            views.push_back(std::move(operand));
        }
        if (any) fusionOf(static_cast<std::size_t>(i)).views = std::move(views);
    }

    void viewResult(int i) {
        if (factors(i) == 0) return;
        const auto shape = tensor(operation(i).output).dims;
        auto view = wholeView(tensor(operation(i).output).elements());
        std::vector<int> gone;
        auto output = operation(i).output;
        bool moves = false;
        std::optional<OperandView> best;
        TensorId bestOutput = kNoTensor;
        std::size_t bestGone = 0;
        while (true) {
            const auto reader = soleReader(output);
            if (reader < 0) break;
            const auto order = reordering(operation(reader));
            if (!order || order->elements() != view.elements()) break;
            const auto both = composed(view, *order);
            if (!both) break;
            const auto back = inverse(*both);
            if (!back) break;
            view = *both;
            output = operation(reader).output;
            moves = moves || operation(reader).kind != OperationKind::Flatten;
            gone.push_back(reader);
            const OperandView candidate{shape, *back};
            const auto strides = stridesFor(*back, shape);
            // Columns must be contiguous: BLAS cannot write a transposed matrix.
            if (moves && strides && isMatrices(candidate) && (shape.back() == 1 || strides->back() == 1)) {
                best = candidate;
                bestOutput = output;
                bestGone = gone.size();
            }
        }
        if (!best) return;
        for (std::size_t g = 0; g < bestGone; ++g) remove(gone[g]);
        operation(i).output = bestOutput;
        m_writer[at(bestOutput)] = i;
        fusionOf(static_cast<std::size_t>(i)).resultView = std::move(best);
    }

    // ---- element-wise chains

    // Whether float32 arithmetic is exact enough: 32-bit integers do not fit in a float.
    [[nodiscard]] bool computesInFloat(const Operation& op, MapKind kind) const {
        const auto integers = std::count_if(op.inputs.begin(), op.inputs.end(), [&](auto id) { return isInteger(id); });
        if (takesTruth(kind)) return true;
        if (givesTruth(kind) || kind == MapKind::Truncate) return integers == 0;
        if (isInteger(op.output)) return false;
        if (kind == MapKind::Identity) return true;
        if (kind == MapKind::Where) return !isInteger(op.inputs[1]) && !isInteger(op.inputs[2]);
        return integers == 0;
    }

    // The operation as a chain of steps over its inputs; unset if it is none, or reads or writes tensors in 8 bits.
    [[nodiscard]] std::optional<std::vector<MapStep>> chainOf(int i) {
        const auto& op = operation(i);
        const auto& fusion = fusionOf(static_cast<std::size_t>(i));
        if (m_removed[static_cast<std::size_t>(i)] || op.pass != plan::Pass::Forward) return std::nullopt;
        if (usesBytes(op)) return std::nullopt;
        if (!fusion.steps.empty()) return fusion.steps;
        const auto many = [&](MapKind kind, std::size_t count) {
            std::vector<MapStep> steps;
            if (count == 1) return std::vector<MapStep>{{{MapKind::Identity}, {0}}};
            for (std::size_t k = 1; k < count; ++k)
                steps.push_back({{kind}, {k == 1 ? 0 : ~static_cast<int>(k - 2), static_cast<int>(k)}});
            return steps;
        };
        if (const auto* map = arrayOf<model::Map>(op)) {
            if (!computesInFloat(op, map->kind)) return std::nullopt;
            if (map->kind == MapKind::Where) return std::vector<MapStep>{{*map, {0, 1, 2}}};
            if (map->kind < MapKind::Add) return std::vector<MapStep>{{*map, {0}}};
            auto steps = many(map->kind, op.inputs.size());
            if (map->kind == MapKind::Mean)
                steps.push_back({{MapKind::Scale, 1.0 / static_cast<double>(op.inputs.size()), 0},
                                 {~static_cast<int>(steps.size() - 1)}});
            return steps;
        }
        if (op.kind == OperationKind::Add && !fusion.addsInput) {
            auto steps = many(MapKind::Add, op.inputs.size());
            if (fusion.activation && !addActivation(steps, *fusion.activation, ~static_cast<int>(steps.size() - 1)))
                return std::nullopt;
            return steps;
        }
        if (op.kind == OperationKind::Activation) {
            std::vector<MapStep> steps;
            if (!addActivation(steps, std::get<model::Activation>(op.layer).kind, 0)) return std::nullopt;
            return steps;
        }
        return std::nullopt;
    }

    // False for kinds that chains do not support.
    static bool addActivation(std::vector<MapStep>& steps, model::ActivationKind kind, int operand) {
        using A = model::ActivationKind;
        static const std::pair<A, model::Map> kMaps[] = {
            {A::Relu, {MapKind::Relu}}, {A::Relu6, {MapKind::Clip, 0, 6}}, {A::Sigmoid, {MapKind::Sigmoid}},
            {A::Tanh, {MapKind::Tanh}}, {A::Gelu, {MapKind::Gelu}},        {A::GeluTanh, {MapKind::GeluTanh}},
        };
        if (kind == A::Swish) {
            steps.push_back({{MapKind::Sigmoid}, {operand}});
            steps.push_back({{MapKind::Mul}, {operand, ~static_cast<int>(steps.size() - 1)}});
            return true;
        }
        const auto found = std::ranges::find(kMaps, kind, &std::pair<A, model::Map>::first);
        if (found == std::end(kMaps)) return false;
        steps.push_back({found->second, {operand}});
        return true;
    }

    // Converts the operation to a chain, if possible.
    bool becomesChain(int i) {
        auto steps = chainOf(i);
        if (!steps) return false;
        const auto count = steps->size();
        fusionOf(static_cast<std::size_t>(i)).steps = std::move(*steps);
        fusionOf(static_cast<std::size_t>(i)).activation.reset();
        auto& op = operation(i);
        if (arrayOf<model::Map>(op) == nullptr) {
            op.kind = OperationKind::Array;
            op.layer = model::ArrayLayer{fusionOf(static_cast<std::size_t>(i)).steps[count - 1].map};
        }
        return true;
    }

    // Fuses an activation that is the only reader of a convolution's result: a ReLU, or any where native products
    // compute the convolution.
    void fuseActivation(int i) {
        const auto* convolution = arrayOf<model::ConvolveNd>(operation(i));
        if (m_removed[static_cast<std::size_t>(i)] || convolution == nullptr || convolution->kernel.size() > 2) return;
        const auto& inputs = operation(i).inputs;
        if (std::any_of(inputs.begin(), inputs.end(), [&](TensorId id) { return isInteger(id); })) return;
        const auto reader = soleReader(operation(i).output);
        if (reader < 0 || operation(reader).pass != plan::Pass::Forward) return;
        const auto* layer = std::get_if<model::Activation>(&operation(reader).layer);
        if (operation(reader).kind != OperationKind::Activation || usesBytes(operation(reader))) return;
        const bool native = hasShiftedProducts(m_fused.plan, operation(i), *convolution);
        if (layer->kind != model::ActivationKind::Relu && !native) return;
        operation(i).output = operation(reader).output;
        m_writer[at(operation(i).output)] = i;
        fusionOf(static_cast<std::size_t>(i)).activation = layer->kind;
        remove(reader);
    }

    // Fuses operation i with the only reader of its result.
    void fuseMaps(int i) {
        const auto first = chainOf(i);
        if (!first) return;
        const auto result = operation(i).output;
        const auto reader = soleReader(result);
        if (reader < 0) return;
        const auto second = chainOf(reader);
        if (!second) return;
        const bool anyMap =
            arrayOf<model::Map>(operation(i)) != nullptr || arrayOf<model::Map>(operation(reader)) != nullptr;
        if (!anyMap || tensor(result).dims != tensor(operation(reader).output).dims) return;
        // Inputs: those of the second operation without the result, then the new ones of the first.
        std::vector<TensorId> inputs;
        const auto place = [&](TensorId id) {
            const auto found = std::find(inputs.begin(), inputs.end(), id);
            if (found != inputs.end()) return static_cast<int>(found - inputs.begin());
            inputs.push_back(id);
            return static_cast<int>(inputs.size() - 1);
        };
        std::vector<MapStep> steps;
        for (auto step : *first) {
            for (auto& operand : step.operands)
                if (operand >= 0) operand = place(operation(i).inputs[static_cast<std::size_t>(operand)]);
            steps.push_back(std::move(step));
        }
        const auto shift = static_cast<int>(steps.size());
        for (auto step : *second) {
            for (auto& operand : step.operands) {
                if (operand < 0) {
                    operand = ~(~operand + shift);
                } else {
                    const auto id = operation(reader).inputs[static_cast<std::size_t>(operand)];
                    operand = id == result ? ~(shift - 1) : place(id);
                }
            }
            steps.push_back(std::move(step));
        }
        if (inputs.size() > kMostInputs || steps.size() > kMostSteps) return;
        for (auto id : operation(reader).inputs) m_readers[at(id)].erase(reader);
        remove(i);
        operation(reader).inputs = inputs;
        for (auto id : inputs) m_readers[at(id)].insert(reader);
        operation(reader).kind = OperationKind::Array;
        operation(reader).layer = model::ArrayLayer{steps.back().map};
        auto& fusion = fusionOf(static_cast<std::size_t>(reader));
        fusion.steps = std::move(steps);
        fusion.activation.reset();
    }

    void compact() {
        std::vector<Operation> kept;
        std::vector<Fusion> fusion;
        for (std::size_t i = 0; i < operations().size(); ++i) {
            if (m_removed[i]) continue;
            kept.push_back(std::move(operations()[i]));
            fusion.push_back(std::move(m_fused.fusion[i]));
        }
        operations() = std::move(kept);
        m_fused.fusion = std::move(fusion);
    }

    FusedPlan& m_fused;
    std::vector<bool> m_removed;
    std::vector<std::set<int>> m_readers;  // by tensor
    std::vector<int> m_writer;             // by tensor
    std::set<TensorId> m_answers;
};

}  // namespace

bool hasShiftedProducts(const plan::Plan& plan, const plan::Operation& op, const model::ConvolveNd& layer) {
    constexpr std::int64_t kFewestFilters = 16, kFewestChannels = 8, kFewestColumns = 32;
    const auto& weights = plan.tensor(op.inputs[1]);
    const auto& result = plan.tensor(op.output);
    const bool stored = weights.role == plan::TensorRole::Weight || weights.role == plan::TensorRole::State;
    return stored && layer.kernel.size() == 1 && layer.stride[0] == 1 && layer.groups == 1 && !layer.transposed &&
           result.type == model::DataType::Float32 && weights.dims[0] >= kFewestFilters &&
           weights.dims[1] >= kFewestChannels && result.dims[2] >= kFewestColumns;
}

void fuseArrays(FusedPlan& fused) {
    ArrayFuser(fused).run();
}

}  // namespace steelyard::compute::cpu
