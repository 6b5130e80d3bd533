// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/fusion.h"

#include <algorithm>
#include <map>

#include "engine/compute/cpu/compile/array_fusion.h"
#include "engine/plan/quantisation.h"
#include "engine/plan/storage.h"

namespace steelyard::compute::cpu {
namespace {

using plan::kNoTensor;
using plan::Operation;
using plan::OperationKind;
using plan::Pass;
using plan::TensorId;

// Updates are grouped until their gradients exceed this size: fewer parallel regions than one per update, less memory
// than all at the end, and the gradients are still in the outer cache.
constexpr std::int64_t kUpdateGroupBytes = std::int64_t{4} << 20;

bool contains(const std::vector<TensorId>& list, TensorId id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

bool isMatrixOperation(OperationKind kind) {
    return kind == OperationKind::Convolution || kind == OperationKind::DepthwiseConvolution ||
           kind == OperationKind::MatMul;
}

class Fuser {
public:
    Fuser(const plan::Plan& plan, const FusionOptions& options) : m_options(options) {
        m_result.plan = plan;
        m_result.fusion.resize(plan.operations.size());
        for (std::size_t i = 0; i < plan.operations.size(); ++i) m_result.fusion[i].original = static_cast<int>(i);
        m_removed.assign(plan.operations.size(), false);
    }

    FusedPlan run() && {
        for (std::size_t i = 0; i < operations().size(); ++i) {
            foldNormalisation(i);
            hoistRelu(i);
            fuseSum(i);
            fuseActivation(i);
            fuseNormalisation(i);
        }
        for (std::size_t i = 0; i < operations().size(); ++i) fuseReluGradient(i);
        for (std::size_t i = 0; i < operations().size(); ++i) fuseLoss(i);
        compact();
        fuseArrays(m_result);
        m_removed.assign(operations().size(), false);
        for (std::size_t i = 0; i < operations().size(); ++i) markChain(i);
        if (!m_options.keepGradients) {
            forgetGradients();
            advanceUpdates();
        }
        plan::assignStorages(m_result.plan);
        return std::move(m_result);
    }

private:
    std::vector<Operation>& operations() { return m_result.plan.operations; }
    Operation& at(int index) { return operations()[static_cast<std::size_t>(index)]; }
    Fusion& fusionOf(int index) { return m_result.fusion[static_cast<std::size_t>(index)]; }
    void remove(int index) { m_removed[static_cast<std::size_t>(index)] = true; }

    // Indices of the operations that read a tensor.
    std::vector<int> readers(TensorId id) {
        std::vector<int> result;
        for (std::size_t i = 0; i < operations().size(); ++i)
            if (!m_removed[i] && contains(operations()[i].reads(), id)) result.push_back(static_cast<int>(i));
        return result;
    }
    // Outputs of the network are read by the caller.
    bool isAnswer(TensorId id) {
        if (training()) return false;
        const auto& heads = m_result.plan.heads;
        return std::any_of(heads.begin(), heads.end(), [&](const auto& head) { return head.probabilities == id; });
    }
    // The only forward reader, or -1.
    int soleForwardReader(TensorId id) {
        if (isAnswer(id)) return -1;
        int found = -1;
        for (int index : readers(id)) {
            if (at(index).pass != Pass::Forward) continue;
            if (found >= 0) return -1;
            found = index;
        }
        return found;
    }
    // The only reader, or -1.
    int soleReader(TensorId id) {
        if (isAnswer(id)) return -1;
        const auto all = readers(id);
        return all.size() == 1 ? all.front() : -1;
    }
    int backwardOf(int forward) {
        const auto node = at(forward).node;
        for (std::size_t i = 0; i < operations().size(); ++i)
            if (!m_removed[i] && operations()[i].node == node && operations()[i].pass == Pass::Backward)
                return static_cast<int>(i);
        return -1;
    }
    static bool isActivation(const Operation& op, model::ActivationKind kind) {
        return op.kind == OperationKind::Activation && std::get<model::Activation>(op.layer).kind == kind;
    }
    static bool isMaxPool(const Operation& op) {
        return op.kind == OperationKind::Pool && std::get<model::Pool2d>(op.layer).kind == model::PoolKind::Max;
    }
    static bool writesFirst(const Operation& op) {
        return op.inputGradients.size() == 1 && op.inputGradients[0] != kNoTensor && !op.accumulate[0];
    }

    [[nodiscard]] bool training() const { return m_result.plan.options.mode == plan::Mode::Train; }

    // Convolution or dense layer, then batch norm, inference.
    void foldNormalisation(std::size_t i) {
        auto& op = operations()[i];
        if (m_removed[i] || training() || !isMatrixOperation(op.kind)) return;
        const int norm = soleReader(op.output);
        if (norm < 0 || at(norm).kind != OperationKind::BatchNorm) return;
        m_result.fusion[i].normalisation = at(norm).parameters;
        m_result.fusion[i].normalisationEpsilon = std::get<model::BatchNorm>(at(norm).layer).epsilon;
        op.output = at(norm).output;
        remove(norm);
    }

    [[nodiscard]] bool eightBits() const { return m_result.plan.options.precision == plan::Precision::Int8; }
    // Whether the sum, or its ReLU, is stored in 8 bits.
    bool isRoundedBehind(int sum) {
        const int next = soleReader(at(sum).output);
        const bool rectified = next >= 0 && isActivation(at(next), model::ActivationKind::Relu);
        return plan::isEightBit(m_result.plan.tensor(rectified ? at(next).output : at(sum).output));
    }

    // Convolution, then addition of a tensor that was written earlier and is not read later, inference.
    void fuseSum(std::size_t i) {
        auto& op = operations()[i];
        if (m_removed[i] || training() || op.kind != OperationKind::Convolution) return;
        if (m_result.fusion[i].activation) return;
        const int sum = soleReader(op.output);
        if (sum < 0 || at(sum).kind != OperationKind::Add || at(sum).inputs.size() != 2) return;
        const auto other = at(sum).inputs[at(sum).inputs[0] == op.output ? 1 : 0];
        if (other == op.output || m_result.plan.tensor(other).role != plan::TensorRole::Activation) return;
        for (int reader : readers(other))
            if (reader != sum && reader >= static_cast<int>(i)) return;
        for (std::size_t later = i; later < operations().size(); ++later)
            if (!m_removed[later] && contains(operations()[later].writes(), other)) return;
        if (eightBits() && plan::isEightBit(m_result.plan.tensor(other)) != isRoundedBehind(sum)) return;
        op.inputs.push_back(other);
        op.output = at(sum).output;
        m_result.fusion[i].addsInput = true;
        remove(sum);
    }

    // Batch norm, then ReLU.
    void fuseNormalisation(std::size_t i) {
        auto& norm = operations()[i];
        if (m_removed[i] || norm.pass != Pass::Forward || norm.kind != OperationKind::BatchNorm) return;
        const int relu = soleReader(norm.output);
        if (relu < 0 || at(relu).pass != Pass::Forward || !isActivation(at(relu), model::ActivationKind::Relu)) return;
        if (training() && !fuseNormalisationGradient(i, relu)) return;
        norm.output = at(relu).output;
        m_result.fusion[i].activation = model::ActivationKind::Relu;
        remove(relu);
    }

    bool fuseNormalisationGradient(std::size_t norm, int relu) {
        const int reluBackward = backwardOf(relu);
        const int normBackward = backwardOf(static_cast<int>(norm));
        if (reluBackward < 0 || normBackward < 0 || !writesFirst(at(reluBackward))) return false;
        const auto between = at(normBackward).outputGradient;
        if (at(reluBackward).inputGradients[0] != between || soleReader(between) != normBackward) return false;
        plan::Tensor mask = m_result.plan.tensor(operations()[norm].output);
        mask.id = static_cast<TensorId>(m_result.plan.tensors.size());
        mask.name += ".rectified";
        mask.type = model::DataType::UInt8;
        mask.role = plan::TensorRole::Saved;
        m_result.plan.tensors.push_back(mask);
        operations()[norm].saved.push_back(mask.id);
        at(normBackward).saved.push_back(mask.id);
        at(normBackward).outputGradient = at(reluBackward).outputGradient;
        remove(reluBackward);
        return true;
    }

    // conv - max pool - ReLU: the pool writes ReLU's result, the convolution applies ReLU.
    void hoistRelu(std::size_t i) {
        auto& conv = operations()[i];
        if (eightBits()) return;  // input and output of a pool share a grid
        if (m_removed[i] || conv.pass != Pass::Forward || !isMatrixOperation(conv.kind)) return;
        const int pool = soleReader(conv.output);
        if (pool < 0 || !isMaxPool(at(pool)) || at(pool).pass != Pass::Forward) return;
        const int relu = soleReader(at(pool).output);
        if (relu < 0 || at(relu).pass != Pass::Forward || !isActivation(at(relu), model::ActivationKind::Relu)) return;
        at(pool).output = at(relu).output;
        m_result.fusion[i].activation = model::ActivationKind::Relu;
        remove(relu);
    }

    void fuseActivation(std::size_t i) {
        auto& op = operations()[i];
        const bool sum = op.kind == OperationKind::Add;
        if (m_removed[i] || op.pass != Pass::Forward || (!isMatrixOperation(op.kind) && !sum)) return;
        if (m_result.fusion[i].activation) return;
        const int next = soleReader(op.output);
        if (next < 0 || at(next).pass != Pass::Forward || at(next).kind != OperationKind::Activation) return;
        if (sum && (op.inputs.size() != 2 || !isActivation(at(next), model::ActivationKind::Relu))) return;
        m_result.fusion[i].activation = std::get<model::Activation>(at(next).layer).kind;
        op.output = at(next).output;
        remove(next);
    }

    void fuseReluGradient(std::size_t i) {
        auto& relu = operations()[i];
        if (m_removed[i] || relu.pass != Pass::Backward || !isActivation(relu, model::ActivationKind::Relu)) return;
        if (!writesFirst(relu)) return;
        const int next = soleForwardReader(relu.output);
        if (next < 0) return;
        for (int reader : readers(relu.output))
            if (reader != next && reader != static_cast<int>(i)) return;
        const int backward = backwardOf(next);
        if (backward < 0 || !writesFirst(at(backward)) || at(backward).inputGradients[0] != relu.outputGradient) return;
        if (at(next).kind == OperationKind::Dropout) {
            at(backward).inputGradients[0] = relu.inputGradients[0];
            maskDropout(next, backward);
            remove(static_cast<int>(i));
        } else if (isMaxPool(at(next))) {
            maskPooled(static_cast<int>(i), next, backward);
        }
    }

    void maskDropout(int forward, int backward) {
        at(backward).output = at(forward).output;
        fusionOf(backward).reluMask = true;
    }

    // The pool's gradient goes directly to ReLU's input; the mask is applied to the pooled gradient before.
    void maskPooled(int relu, int pool, int poolBackward) {
        const auto pooled = at(pool).output;
        const int dropout = soleForwardReader(pooled);
        const int dropoutBackward =
            dropout >= 0 && at(dropout).kind == OperationKind::Dropout ? backwardOf(dropout) : -1;
        const auto target = at(relu).inputGradients[0];
        if (dropoutBackward >= 0 && writesFirst(at(dropoutBackward)) &&
            at(dropoutBackward).inputGradients[0] == at(poolBackward).outputGradient) {
            maskDropout(dropout, dropoutBackward);
            at(poolBackward).inputGradients[0] = target;
            remove(relu);
            return;
        }
        // Moves ReLU's operation before the pool's: it masks in place what the pool then distributes.
        const auto gradient = at(poolBackward).outputGradient;
        auto mask = at(relu);
        auto distribute = at(poolBackward);
        mask.output = pooled;
        mask.outputGradient = gradient;
        mask.inputGradients = {maskedCopy(gradient)};
        distribute.outputGradient = mask.inputGradients[0];
        distribute.inputGradients[0] = target;
        std::swap(m_result.fusion[static_cast<std::size_t>(relu)], fusionOf(poolBackward));
        at(poolBackward) = std::move(mask);
        at(relu) = std::move(distribute);
    }

    TensorId maskedCopy(TensorId gradient) {
        auto tensor = m_result.plan.tensor(gradient);
        tensor.id = static_cast<TensorId>(m_result.plan.tensors.size());
        tensor.name += ".masked";
        m_result.plan.tensors.push_back(tensor);
        return tensor.id;
    }

    void fuseLoss(std::size_t i) {
        auto& backward = operations()[i];
        const bool loss =
            backward.kind == OperationKind::SoftmaxCrossEntropy || backward.kind == OperationKind::SigmoidCrossEntropy;
        if (m_removed[i] || !loss || backward.pass != Pass::Backward || !writesFirst(backward)) return;
        for (std::size_t f = 0; f < i; ++f) {
            auto& forward = operations()[f];
            if (forward.kind != backward.kind || forward.pass != Pass::Forward || forward.output != backward.output)
                continue;
            forward.output = backward.inputGradients[0];
            m_result.fusion[f].computesGradient = true;
            remove(static_cast<int>(i));
            return;
        }
    }

    void compact() {
        std::vector<Operation> kept;
        std::vector<Fusion> fusion;
        for (std::size_t i = 0; i < operations().size(); ++i) {
            if (m_removed[i]) continue;
            kept.push_back(std::move(operations()[i]));
            fusion.push_back(m_result.fusion[i]);
        }
        operations() = std::move(kept);
        m_result.fusion = std::move(fusion);
        m_removed.assign(operations().size(), false);
    }

    // Convolution, depthwise convolution and, if it follows, a third, one after the other, inference.
    void markChain(std::size_t i) {
        if (training() || operations()[i].kind != OperationKind::Convolution) return;
        if (!leadsToNext(i, OperationKind::DepthwiseConvolution)) return;
        m_result.fusion[i].chain = leadsToNext(i + 1, OperationKind::Convolution) ? 3 : 2;
    }

    // Whether the next operation is of this kind and alone reads the result, as its data.
    bool leadsToNext(std::size_t i, OperationKind kind) {
        const auto next = i + 1;
        if (next >= operations().size() || operations()[next].kind != kind) return false;
        const auto result = operations()[i].output;
        return operations()[next].inputs[0] == result && soleReader(result) == static_cast<int>(next);
    }

    // Gradients live from their writer to their update, not between steps.
    void forgetGradients() {
        for (auto& tensor : m_result.plan.tensors)
            if (tensor.role == plan::TensorRole::Gradient) tensor.role = plan::TensorRole::ActivationGradient;
    }

    // Moves each update after the last operation that reads its weight or writes its gradient.
    void advanceUpdates() {
        const auto& optimizer = m_result.plan.options.optimizer;
        if (optimizer.clipNorm) return;  // the norm needs all gradients
        const auto isUpdate = [](const Operation& op) { return op.pass == Pass::Update; };
        auto& ops = operations();
        const auto firstUpdate = static_cast<std::size_t>(std::find_if(ops.begin(), ops.end(), isUpdate) - ops.begin());
        std::map<TensorId, std::size_t> lastTouch;
        for (std::size_t i = 0; i < firstUpdate; ++i) {
            for (auto id : ops[i].reads()) lastTouch[id] = i;
            for (auto id : ops[i].writes()) lastTouch[id] = i;
        }
        std::multimap<std::size_t, std::size_t> ready;  // operation after which an update may run
        for (std::size_t u = firstUpdate; u < ops.size(); ++u) {
            const auto gradient = ops[u].parameterGradients[0];
            ready.emplace(std::max(lastTouch[gradient], lastTouch[ops[u].parameters[0]]), u);
        }
        reorder(firstUpdate, ready);
    }

    void reorder(std::size_t firstUpdate, const std::multimap<std::size_t, std::size_t>& ready) {
        std::vector<Operation> ordered;
        std::vector<Fusion> fusion;
        const auto take = [&](std::size_t index) {
            ordered.push_back(operations()[index]);
            fusion.push_back(m_result.fusion[index]);
        };
        std::vector<std::size_t> group;
        std::int64_t groupBytes = 0;
        for (std::size_t i = 0; i < firstUpdate; ++i) {
            take(i);
            const auto [begin, end] = ready.equal_range(i);
            for (auto entry = begin; entry != end; ++entry) {
                group.push_back(entry->second);
                groupBytes += m_result.plan.tensor(operations()[entry->second].parameterGradients[0]).bytes();
            }
            if (groupBytes < kUpdateGroupBytes && i + 1 < firstUpdate) continue;
            for (auto update : group) take(update);
            group.clear();
            groupBytes = 0;
        }
        operations() = std::move(ordered);
        m_result.fusion = std::move(fusion);
    }

    FusionOptions m_options;
    FusedPlan m_result;
    std::vector<bool> m_removed;
};

}  // namespace

FusedPlan fuse(const plan::Plan& plan, const FusionOptions& options) {
    return Fuser(plan, options).run();
}

}  // namespace steelyard::compute::cpu
