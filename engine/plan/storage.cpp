// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/storage.h"

#include <algorithm>

#include "engine/plan/memory_planner.h"
#include "engine/plan/quantisation.h"

namespace steelyard::plan {
namespace {

struct Uses {
    std::vector<int> writes;  // operation indices, ascending
    int lastRead = -1;
};

bool isPersistent(TensorRole role) {
    switch (role) {
        case TensorRole::Activation:
        case TensorRole::ActivationGradient:
        case TensorRole::Saved:
        case TensorRole::Probability:
            return false;
        default:
            return true;
    }
}

// Merges storages if a result may overwrite, or is identical to, an operand that no later operation reads.
class StorageMerger {
public:
    explicit StorageMerger(Plan& plan) : m_plan(plan), m_uses(plan.tensors.size()), m_members(plan.tensors.size()) {
        for (auto& tensor : plan.tensors) {
            tensor.storage = tensor.id;
            m_members[static_cast<std::size_t>(tensor.id)] = {tensor.id};
        }
        for (std::size_t t = 0; t < plan.operations.size(); ++t) {
            for (auto id : plan.operations[t].reads()) uses(id).lastRead = static_cast<int>(t);
            for (auto id : plan.operations[t].writes()) uses(id).writes.push_back(static_cast<int>(t));
        }
        // The output is read by the caller after the step.
        const auto end = static_cast<int>(plan.operations.size());
        if (plan.options.mode == Mode::Infer)
            for (const auto& head : plan.heads) uses(head.probabilities).lastRead = end;
    }

    void mergeAll() {
        for (std::size_t t = 0; t < m_plan.operations.size(); ++t) {
            const auto& op = m_plan.operations[t];
            if (op.pass == Pass::Forward) {
                mergeForward(op, static_cast<int>(t));
            } else if (op.pass != Pass::Update) {
                mergeBackward(op, static_cast<int>(t));
            }
        }
    }

    void fillStorages() {
        std::vector<int> index(m_plan.tensors.size(), -1);
        for (auto& tensor : m_plan.tensors) {
            auto& slot = index[static_cast<std::size_t>(tensor.storage)];
            if (slot < 0) {
                slot = static_cast<int>(m_plan.storages.size());
                m_plan.storages.push_back({0, static_cast<int>(m_plan.operations.size()), 0, false, -1});
            }
            auto& storage = m_plan.storages[static_cast<std::size_t>(slot)];
            storage.bytes = std::max(storage.bytes, tensor.bytes());
            storage.persistent = storage.persistent || isPersistent(tensor.role);
            const auto& use = uses(tensor.id);
            if (!use.writes.empty()) {
                storage.firstUse = std::min(storage.firstUse, use.writes.front());
                storage.lastUse = std::max(storage.lastUse, use.writes.back());
            }
            storage.lastUse = std::max(storage.lastUse, use.lastRead);
            tensor.storage = slot;
        }
    }

private:
    Uses& uses(TensorId id) { return m_uses[static_cast<std::size_t>(id)]; }

    static bool writesInPlace(OperationKind kind, bool inferring) {
        switch (kind) {
            case OperationKind::Activation:
            case OperationKind::Dropout:
            case OperationKind::Add:
            case OperationKind::AddParameter:
            case OperationKind::Softmax:
            case OperationKind::Sigmoid:
            case OperationKind::SoftmaxCrossEntropy:
            case OperationKind::SigmoidCrossEntropy:
                return true;
            case OperationKind::RotaryEmbedding:
            case OperationKind::GatedActivation:
            case OperationKind::Scale:
                return true;
            case OperationKind::BatchNorm:
            case OperationKind::LayerNorm:
            case OperationKind::RmsNorm:
                return inferring;
            default:
                return false;
        }
    }

    static bool isElementwise(const Operation& op) {
        const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
        return array != nullptr && std::holds_alternative<model::Map>(array->operation);
    }

    void mergeForward(const Operation& op, int t) {
        if (op.kind == OperationKind::Flatten) return (void)tryMerge(op.output, op.inputs[0], t, true);
        const bool elementwise = isElementwise(op);
        if (!elementwise && !writesInPlace(op.kind, m_plan.options.mode == Mode::Infer)) return;
        const auto candidates = elementwise || op.kind == OperationKind::Add ? op.inputs.size() : 1;
        for (std::size_t i = 0; i < candidates; ++i) {
            // A broadcast operand may have the same size in a wider type.
            if (m_plan.tensor(op.inputs[i]).elements() != m_plan.tensor(op.output).elements()) continue;
            if (uses(op.output).writes.front() < t) continue;  // adds to existing values
            if (tryMerge(op.output, op.inputs[i], t, false)) return;
        }
    }

    void mergeBackward(const Operation& op, int t) {
        switch (op.kind) {
            case OperationKind::Add:
            case OperationKind::AddParameter:
            case OperationKind::Flatten:
                for (std::size_t i = 0; i < op.inputGradients.size(); ++i)
                    if (op.inputGradients[i] != kNoTensor && !op.accumulate[i] && !addsToItself(op, i))
                        tryMerge(op.inputGradients[i], op.outputGradient, t, true);
                return;
            case OperationKind::Activation:
            case OperationKind::Dropout:
            case OperationKind::BatchNorm:
            case OperationKind::LayerNorm:
            case OperationKind::RmsNorm:
            case OperationKind::RotaryEmbedding:
            case OperationKind::GatedActivation:
            case OperationKind::Scale:
                if (op.inputGradients[0] != kNoTensor && !op.accumulate[0])
                    tryMerge(op.inputGradients[0], op.outputGradient, t, false);
                return;
            case OperationKind::SoftmaxCrossEntropy:
            case OperationKind::SigmoidCrossEntropy:
                if (!op.accumulate[0]) tryMerge(op.inputGradients[0], op.output, t, false);
                return;
            default:
                return;
        }
    }

    // x + x + x: the gradient of x is written and added to in one operation, from an output gradient that must be
    // preserved.
    static bool addsToItself(const Operation& op, std::size_t input) {
        const auto& gradients = op.inputGradients;
        return std::count(gradients.begin(), gradients.end(), gradients[input]) > 1;
    }

    // sameValue: the result equals the operand, nothing is written. Otherwise operation t overwrites operand with
    // result, element by element.
    bool tryMerge(TensorId result, TensorId operand, int t, bool sameValue) {
        const auto& in = m_plan.tensor(operand);
        const auto& out = m_plan.tensor(result);
        if (in.bytes() != out.bytes() || in.storage == out.storage) return false;
        if (isPersistent(in.role) || isPersistent(out.role)) return false;
        auto members = m_members[static_cast<std::size_t>(in.storage)];
        members.push_back(result);
        for (auto writer : members) {
            for (int w : uses(writer).writes) {
                if (w < t || (sameValue && writer == result && w == t)) continue;
                for (auto other : members) {
                    if (other == writer) continue;
                    const bool consumedHere = w == t && other == operand;
                    if (uses(other).lastRead > w || (uses(other).lastRead == w && !consumedHere)) return false;
                }
            }
        }
        m_plan.tensors[static_cast<std::size_t>(result)].storage = in.storage;
        m_members[static_cast<std::size_t>(in.storage)] = std::move(members);
        return true;
    }

    Plan& m_plan;
    std::vector<Uses> m_uses;
    std::vector<std::vector<TensorId>> m_members;
};

bool isParameter(const Plan& plan, TensorId id) {
    const auto& list = plan.parameterTensors;
    return std::find(list.begin(), list.end(), id) != list.end();
}

// In a narrow precision, products read a copy of the weight in that type; so do look-ups in inference.
bool isReadNarrow(const Plan& plan, TensorId weight) {
    if (plan.tensor(weight).dims.size() < 2) return false;  // biases and scales stay in Float32
    return std::any_of(plan.operations.begin(), plan.operations.end(), [&](const Operation& op) {
        switch (op.kind) {
            case OperationKind::Convolution:
            case OperationKind::DepthwiseConvolution:
            case OperationKind::MatMul:
            case OperationKind::Recurrent:
                break;
            case OperationKind::Embedding:
                if (plan.options.mode == Mode::Infer) break;
                return false;
            default:
                return false;
        }
        return op.pass == Pass::Forward &&
               std::find(op.parameters.begin(), op.parameters.end(), weight) != op.parameters.end();
    });
}

std::vector<const Operation*> readersOfParameter(const Plan& plan, TensorId id) {
    std::vector<const Operation*> readers;
    for (const auto& op : plan.operations)
        if (std::find(op.parameters.begin(), op.parameters.end(), id) != op.parameters.end() ||
            std::find(op.inputs.begin(), op.inputs.end(), id) != op.inputs.end())
            readers.push_back(&op);
    return readers;
}

// Training keeps the Float32 master copy and the narrow one; inference only what is read.
Bytes weightBytes(const Plan& plan, const Tensor& weight) {
    const auto width = model::bytesOf(activationType(plan.options.precision));
    const Bytes wide(weight.bytes());
    if (plan.options.precision == Precision::Int8) {
        const auto readers = readersOfParameter(plan, weight.id);
        const auto eightBits = static_cast<std::size_t>(std::count_if(readers.begin(), readers.end(), [&](auto* op) {
            return isEightBitProduct(*op, plan) && op->parameters.front() == weight.id;
        }));
        if (eightBits == 0) return wide;
        const Bytes steps(weight.dims[0] * static_cast<std::int64_t>(sizeof(float)));
        return Bytes(weight.elements()) + steps + (eightBits < readers.size() ? wide : Bytes(0));
    }
    if (width == model::bytesOf(weight.type) || !isReadNarrow(plan, weight.id)) return wide;
    const Bytes narrow(weight.elements() * width);
    return plan.options.mode == Mode::Train ? wide + narrow : narrow;
}

}  // namespace

void assignStorages(Plan& plan) {
    StorageMerger merger(plan);
    merger.mergeAll();
    merger.fillStorages();
}

void planMemory(Plan& plan) {
    std::vector<Lifetime> lifetimes;
    std::vector<std::size_t> arena;
    for (std::size_t i = 0; i < plan.storages.size(); ++i) {
        const auto& storage = plan.storages[i];
        if (storage.persistent) continue;
        lifetimes.push_back({storage.bytes, storage.firstUse, storage.lastUse});
        arena.push_back(i);
    }
    const auto placement = placeBuffers(lifetimes);
    for (std::size_t i = 0; i < arena.size(); ++i) plan.storages[arena[i]].offset = placement.offsets[i];

    plan.memory = {};
    plan.memory.activations = Bytes(placement.totalBytes);
    for (const auto& tensor : plan.tensors) {
        const Bytes bytes(tensor.bytes());
        switch (tensor.role) {
            case TensorRole::Weight:
                plan.memory.weights += weightBytes(plan, tensor);
                break;
            case TensorRole::State:  // running statistics, or per-sample state of the batch
                (isParameter(plan, tensor.id) ? plan.memory.weights : plan.memory.activations) += bytes;
                break;
            case TensorRole::Gradient:
                plan.memory.gradients += bytes;
                break;
            case TensorRole::OptimizerState:
                plan.memory.optimizer += bytes;
                break;
            case TensorRole::Input:
            case TensorRole::Label:
            case TensorRole::Loss:
                plan.memory.activations += bytes;
                break;
            default:
                break;
        }
    }
}

}  // namespace steelyard::plan
