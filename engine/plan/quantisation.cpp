// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/quantisation.h"

#include <algorithm>
#include <cmath>

namespace steelyard::plan {
namespace {

using model::DataType;

bool isProduct(OperationKind kind) {
    return kind == OperationKind::Convolution || kind == OperationKind::DepthwiseConvolution ||
           kind == OperationKind::MatMul;
}

// Operations that only move values or average neighbours.
bool keepsGrid(OperationKind kind) {
    return kind == OperationKind::Pool || kind == OperationKind::Concat || kind == OperationKind::Flatten;
}

bool onlyMoves(const Operation& op) {
    const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
    return keepsGrid(op.kind) || (array != nullptr && std::holds_alternative<model::Rearrange>(array->operation));
}

bool readsBytes(OperationKind kind) {
    return isProduct(kind) || keepsGrid(kind) || kind == OperationKind::Add || kind == OperationKind::GlobalPool;
}

bool writesBytes(OperationKind kind) {
    return isProduct(kind) || keepsGrid(kind) || kind == OperationKind::Add || kind == OperationKind::BatchNorm ||
           kind == OperationKind::Activation;
}

// Whether the function is non-negative.
bool isNeverNegative(model::ActivationKind kind) {
    using K = model::ActivationKind;
    return kind == K::Relu || kind == K::Relu6 || kind == K::Sigmoid;
}

class EightBitChoice {
public:
    explicit EightBitChoice(Plan& plan)
        : m_plan(plan),
          m_writer(plan.tensors.size(), -1),
          m_readers(plan.tensors.size()),
          m_bytes(plan.tensors.size()) {
        for (std::size_t i = 0; i < plan.operations.size(); ++i) {
            const auto& op = plan.operations[i];
            if (op.output != kNoTensor) m_writer[at(op.output)] = static_cast<int>(i);
            for (auto id : op.inputs) m_readers[at(id)].push_back(static_cast<int>(i));
        }
    }

    void run() {
        for (const auto& op : m_plan.operations)
            if (op.output != kNoTensor) m_bytes[at(op.output)] = mayBeBytes(op);
        while (joinGrids()) {
        }
        findSigns();
        for (auto& tensor : m_plan.tensors)
            if (m_bytes[at(tensor.id)]) tensor.type = tensor.neverNegative ? DataType::UInt8 : DataType::Int8;
    }

private:
    static std::size_t at(TensorId id) { return static_cast<std::size_t>(id); }
    const Operation& operation(int index) const { return m_plan.operations[static_cast<std::size_t>(index)]; }

    bool mayBeBytes(const Operation& op) const {
        const auto& tensor = m_plan.tensor(op.output);
        const auto& readers = m_readers[at(op.output)];
        if (tensor.role != TensorRole::Activation || tensor.type != DataType::Float32 || isLogits(op.output))
            return false;
        if (!writesBytes(op.kind) || readers.empty()) return false;
        // Rounded once, after the whole chain.
        const auto isPartOfChain = [&](int reader) {
            const auto kind = operation(reader).kind;
            return kind == OperationKind::BatchNorm || kind == OperationKind::Activation;
        };
        if (std::any_of(readers.begin(), readers.end(), isPartOfChain)) return false;
        if (!std::all_of(readers.begin(), readers.end(),
                         [&](int reader) { return readsBytes(operation(reader).kind); }))
            return false;
        return !isAddedLast(op.output);
    }

    bool isLogits(TensorId id) const {
        return std::any_of(m_plan.heads.begin(), m_plan.heads.end(),
                           [&](const auto& head) { return head.logits == id || head.probabilities == id; });
    }

    // The second operand of an addition, written by a convolution (and its batch normalisation) and read by nothing
    // else.
    bool isAddedLast(TensorId id) const {
        const auto& readers = m_readers[at(id)];
        if (readers.size() != 1 || operation(readers[0]).kind != OperationKind::Add) return false;
        const auto& operands = operation(readers[0]).inputs;
        if (operands.size() != 2 || operands[0] == operands[1]) return false;
        const auto other = operands[operands[0] == id ? 1 : 0];
        if (m_writer[at(other)] > m_writer[at(id)]) return false;
        const auto* writer = &operation(m_writer[at(id)]);
        if (writer->kind == OperationKind::BatchNorm) {
            const auto before = m_writer[at(writer->inputs[0])];
            if (before < 0) return false;
            writer = &operation(before);
        }
        return writer->kind == OperationKind::Convolution;
    }

    // Whether the tensors of a grid-preserving operation had to be changed to the same kind of storage.
    bool joinGrids() {
        bool changed = false;
        for (const auto& op : m_plan.operations) {
            if (!keepsGrid(op.kind)) continue;
            bool all = m_bytes[at(op.output)];
            for (auto id : op.inputs) all = all && m_bytes[at(id)];
            const auto demote = [&](TensorId id) {
                changed = changed || m_bytes[at(id)];
                m_bytes[at(id)] = false;
            };
            if (all) continue;
            demote(op.output);
            for (auto id : op.inputs) demote(id);
        }
        return changed;
    }

    bool isNonNegative(const Operation& op) const {
        if (op.kind == OperationKind::Activation) return isNeverNegative(std::get<model::Activation>(op.layer).kind);
        if (op.kind == OperationKind::Softmax || op.kind == OperationKind::Sigmoid) return true;
        if (!onlyMoves(op) && op.kind != OperationKind::GlobalPool && op.kind != OperationKind::Add) return false;
        return std::all_of(op.inputs.begin(), op.inputs.end(),
                           [&](TensorId id) { return m_plan.tensor(id).neverNegative; });
    }

    // Operations are in data order. Tensors that share a grid have the same sign.
    void findSigns() {
        for (auto& tensor : m_plan.tensors)
            if (tensor.grid) tensor.neverNegative = !tensor.grid->isSigned;
        for (const auto& op : m_plan.operations)
            if (op.output != kNoTensor && !m_plan.tensor(op.output).grid)
                m_plan.tensors[at(op.output)].neverNegative = isNonNegative(op);
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& op : m_plan.operations) {
                if (!keepsGrid(op.kind) || !m_bytes[at(op.output)]) continue;
                auto ids = op.inputs;
                ids.push_back(op.output);
                const bool all =
                    std::all_of(ids.begin(), ids.end(), [&](TensorId id) { return m_plan.tensor(id).neverNegative; });
                for (auto id : ids) {
                    changed = changed || m_plan.tensor(id).neverNegative != all;
                    m_plan.tensors[at(id)].neverNegative = all;
                }
            }
        }
    }

    Plan& m_plan;
    std::vector<int> m_writer;  // operation; -1: the caller
    std::vector<std::vector<int>> m_readers;
    std::vector<bool> m_bytes;
};

}  // namespace

bool isEightBitProduct(const Operation& op, const Plan& plan) {
    return plan.options.precision == Precision::Int8 && op.pass == Pass::Forward && isProduct(op.kind);
}

bool isEightBit(const Tensor& tensor) {
    return tensor.role == TensorRole::Activation && (tensor.type == DataType::Int8 || tensor.type == DataType::UInt8);
}

void chooseEightBits(Plan& plan) {
    EightBitChoice(plan).run();
}

Grid gridOf(const Plan& plan, TensorId id) {
    Grid grid;
    grid.isSigned = !plan.tensor(id).neverNegative;
    const auto& ranges = plan.options.quantisation.ranges;
    const auto index = static_cast<std::size_t>(id);
    if (index < ranges.size() && ranges[index] > 0 && std::isfinite(ranges[index]))
        grid.step = ranges[index] / static_cast<float>(grid.highest());
    return grid;
}

std::vector<float> declaredRanges(const Plan& plan) {
    std::vector<float> ranges(plan.tensors.size(), 0);
    const auto range = [&](TensorId id) -> float& { return ranges[static_cast<std::size_t>(id)]; };
    for (const auto& tensor : plan.tensors)
        if (tensor.grid) range(tensor.id) = tensor.grid->range;
    for (const auto& op : plan.operations) {
        if (!onlyMoves(op) || range(op.output) > 0) continue;
        float largest = 0;
        for (auto id : op.inputs) largest = std::max(largest, range(id));
        if (std::all_of(op.inputs.begin(), op.inputs.end(), [&](TensorId id) { return range(id) > 0; }))
            range(op.output) = largest;
    }
    return sharedRanges(plan, std::move(ranges));
}

bool needsRange(const Plan& plan, TensorId id) {
    return isEightBit(plan.tensor(id)) ||
           std::any_of(plan.operations.begin(), plan.operations.end(),
                       [&](const Operation& op) { return isEightBitProduct(op, plan) && op.inputs[0] == id; });
}

std::vector<float> declaredSteps(const Plan& plan, TensorId weight) {
    for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
        const auto& spec = plan.parameters[p].spec;
        if (plan.parameterTensors[p] == weight && spec.values != nullptr) return spec.values->rowSteps(spec.shape[0]);
    }
    return {};
}

std::vector<float> sharedRanges(const Plan& plan, std::vector<float> ranges) {
    const auto range = [&](TensorId id) -> float& { return ranges[static_cast<std::size_t>(id)]; };
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& op : plan.operations) {
            if (!keepsGrid(op.kind) || !isEightBit(plan.tensor(op.output))) continue;
            float largest = range(op.output);
            for (auto id : op.inputs) largest = std::max(largest, range(id));
            auto ids = op.inputs;
            ids.push_back(op.output);
            for (auto id : ids) {
                changed = changed || range(id) != largest;
                range(id) = largest;
            }
        }
    }
    return ranges;
}

}  // namespace steelyard::plan
