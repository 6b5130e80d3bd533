// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/core/messages/plan.h"
#include "engine/model/training_graph.h"
#include "engine/plan/array_gradient.h"
#include "engine/plan/operation_cost.h"
#include "engine/plan/plan.h"
#include "engine/plan/quantisation.h"
#include "engine/plan/storage.h"

namespace steelyard::plan {
namespace {

using model::DataType;
using model::Graph;
using model::Node;
using model::NodeId;
using model::Shape;

OperationKind kindOf(const Node& node, std::int64_t inputChannels) {
    using K = OperationKind;
    if (const auto* conv = std::get_if<model::Conv2d>(&node.layer))
        return conv->groups > 1 && conv->groups == inputChannels ? K::DepthwiseConvolution : K::Convolution;
    // In the order of the alternatives of model::Layer; Input and Conv2d are handled elsewhere.
    constexpr K kinds[] = {K::Activation,      K::MatMul,           K::Convolution,     K::Pool,      K::GlobalPool,
                           K::Activation,      K::Dropout,          K::BatchNorm,       K::LayerNorm, K::Add,
                           K::Concat,          K::Flatten,          K::Embedding,       K::Recurrent, K::Attention,
                           K::AddParameter,    K::AddParameter,     K::ClassToken,      K::ToTokens,  K::SelectStep,
                           K::ShortcutPad,     K::Product,          K::Array,           K::Array,     K::RmsNorm,
                           K::RotaryEmbedding, K::GroupedAttention, K::GatedActivation, K::Scale};
    static_assert(std::size(kinds) == std::variant_size_v<model::Layer>);
    return kinds[node.layer.index()];
}

bool isMatrixPair(OperationKind kind) {
    return kind == OperationKind::Convolution || kind == OperationKind::DepthwiseConvolution ||
           kind == OperationKind::MatMul;
}

// Values per step that a recurrent layer saves for its backward pass. Per direction: the gates, the cell (Lstm) or the
// recurrent part of the candidate (Gru), the hidden state.
std::int64_t keptPerStep(const model::Recurrent& layer) {
    const auto kept = layer.cell == model::RecurrentCell::Rnn ? 1 : model::gateCount(layer.cell) + 2;
    return (layer.bidirectional ? 2 : 1) * kept * layer.units;
}

// What a joint backward pass reads in addition to the output gradient.
struct BackwardNeeds {
    bool inputs = false, output = false, parameters = false;
};
BackwardNeeds backwardNeeds(const Operation& forward) {
    switch (forward.kind) {
        case OperationKind::Activation: {
            const bool fromInput = model::slopeNeedsInput(std::get<model::Activation>(forward.layer).kind);
            return {fromInput, !fromInput, false};
        }
        case OperationKind::BatchNorm:
        case OperationKind::LayerNorm:
        case OperationKind::RmsNorm:
            return {true, false, true};
        case OperationKind::Recurrent:
            return {true, true, true};
        case OperationKind::Attention:
        case OperationKind::GroupedAttention:
            return {true, true, false};
        case OperationKind::Embedding:
        case OperationKind::GatedActivation:
            return {true, false, false};
        case OperationKind::Scale:
            return {false, std::get<model::Scale>(forward.layer).cap > 0, false};
        default:
            return {};
    }
}

// Elements per sample of the largest activation, saved tensor or state of a layer.
double largestPerSample(const Graph& graph, const Node& node) {
    const auto output = static_cast<double>(model::elementCount(node.output));
    if (const auto* attention = std::get_if<model::Attention>(&node.layer))
        return std::max(output, static_cast<double>(attention->cachedTokens) * static_cast<double>(node.output[1]));
    const auto* recurrent = std::get_if<model::Recurrent>(&node.layer);
    if (recurrent == nullptr) return output;
    const auto& input = graph.nodes[static_cast<std::size_t>(node.inputs[0])].output;
    const auto steps = static_cast<double>(model::elementCount(input)) / static_cast<double>(input.back());
    return steps * static_cast<double>(keptPerStep(*recurrent));
}

class Lowering {
public:
    Lowering(const Graph& graph, const PlanOptions& options) : m_graph(graph) {
        m_plan.workload = graph.name;
        m_plan.options = options;
        m_activation = activationType(options.precision);
        m_nodeTensor.assign(graph.nodes.size(), kNoTensor);
        m_gradient.assign(graph.nodes.size(), kNoTensor);
        m_forwardIndex.assign(graph.nodes.size(), -1);
    }

    Plan run() && {
        findLiveNodes();
        addParameters();
        for (const auto& node : m_graph.nodes)
            if (m_live[idx(node.id)]) lowerForward(node);
        lowerHeads();
        if (training()) {
            for (std::size_t h = m_plan.heads.size(); h-- > 0;) lowerHeadBackward(m_plan.heads[h]);
            for (auto node = m_graph.nodes.rbegin(); node != m_graph.nodes.rend(); ++node)
                if (m_live[idx(node->id)]) lowerBackward(*node);
            lowerUpdates();
        }
        if (m_plan.options.precision == Precision::Int8) chooseEightBits(m_plan);
        for (auto& op : m_plan.operations) fillCost(op, m_plan);
        assignStorages(m_plan);
        planMemory(m_plan);
        return std::move(m_plan);
    }

private:
    static std::size_t idx(int id) { return static_cast<std::size_t>(id); }
    [[nodiscard]] bool training() const { return m_plan.options.mode == Mode::Train; }
    [[nodiscard]] bool isUsed(const model::Head& head) const { return training() || !head.trainingOnly; }

    TensorId addTensor(std::string name, Shape dims, DataType type, TensorRole role) {
        const auto id = static_cast<TensorId>(m_plan.tensors.size());
        m_plan.tensors.push_back({id, std::move(name), std::move(dims), type, role, -1});
        return id;
    }
    Shape batched(const Shape& sample) const {
        if (m_graph.wholeShapes) return sample.empty() ? Shape{1} : sample;
        Shape dims{m_plan.options.batch};
        dims.insert(dims.end(), sample.begin(), sample.end());
        return dims;
    }

    void findLiveNodes() {
        m_live.assign(m_graph.nodes.size(), false);
        for (const auto& head : m_graph.heads)
            if (isUsed(head)) m_live[idx(head.logits)] = true;
        for (auto node = m_graph.nodes.rbegin(); node != m_graph.nodes.rend(); ++node)
            if (m_live[idx(node->id)])
                for (auto in : node->inputs) m_live[idx(in)] = true;
        m_trainable = model::trainableNodes(m_graph);
    }

    void addParameters() {
        m_plan.parameters = m_graph.parameters;
        for (const auto& parameter : m_graph.parameters) {
            const auto role = parameter.spec.trainable ? TensorRole::Weight : TensorRole::State;
            m_plan.parameterTensors.push_back(
                addTensor(parameter.name, parameter.spec.shape, parameter.spec.type, role));
            const bool gradient = training() && learns(parameter) && m_live[idx(parameter.owner)];
            m_plan.gradientTensors.push_back(gradient ? addTensor(parameter.name + ".gradient", parameter.spec.shape,
                                                                  DataType::Float32, TensorRole::Gradient)
                                                      : kNoTensor);
        }
    }

    static bool learns(const model::Parameter& parameter) { return parameter.spec.trainable && !parameter.spec.frozen; }

    Operation baseOperation(const Node& node) const {
        Operation op;
        op.kind = kindOf(node, inputChannels(node));
        op.node = node.id;
        op.name = node.name;
        op.layer = node.layer;
        return op;
    }

    std::int64_t inputChannels(const Node& node) const {
        return std::holds_alternative<model::Conv2d>(node.layer) ? firstInputDims(node)[1] : 0;
    }
    Shape firstInputDims(const Node& node) const { return batched(m_graph.nodes[idx(node.inputs[0])].output); }
    Shape weightDims(const Node& node) const {
        return node.parameters.empty() ? Shape{} : m_graph.parameters[idx(node.parameters[0])].spec.shape;
    }

    void lowerForward(const Node& node) {
        if (std::holds_alternative<model::Input>(node.layer)) {
            const auto type = node.type == DataType::Int32 ? DataType::Int32 : m_activation;
            m_nodeTensor[idx(node.id)] = addTensor(node.name, batched(node.output), type, TensorRole::Input);
            m_plan.tensors.back().grid = node.grid;
            m_plan.inputs.push_back(m_nodeTensor[idx(node.id)]);
            return;
        }
        if (const auto* dropout = std::get_if<model::Dropout>(&node.layer);
            dropout != nullptr && (!training() || dropout->rate == 0)) {
            m_nodeTensor[idx(node.id)] = m_nodeTensor[idx(node.inputs[0])];
            return;
        }
        if (std::holds_alternative<model::Constant>(node.layer)) {
            m_nodeTensor[idx(node.id)] = asActivation(node, m_plan.parameterTensors[idx(node.parameters[0])]);
            return;
        }
        auto op = baseOperation(node);
        op.pass = Pass::Forward;
        for (auto in : node.inputs) op.inputs.push_back(m_nodeTensor[idx(in)]);
        for (auto p : node.parameters) op.parameters.push_back(m_plan.parameterTensors[idx(p)]);
        const auto type = node.type == DataType::Int32 ? DataType::Int32 : m_activation;
        op.output = m_nodeTensor[idx(node.id)] =
            addTensor(node.name, batched(node.output), type, TensorRole::Activation);
        m_plan.tensors.back().grid = node.grid;
        if (training()) addSaved(op, node);
        addCarriedState(op, node);
        addCache(op, node);
        fillMatrixCost(op, m_plan, firstInputDims(node), weightDims(node));
        m_forwardIndex[idx(node.id)] = static_cast<int>(m_plan.operations.size());
        m_plan.operations.push_back(std::move(op));
    }

    // A parameter that is an operand: in training with 16 bits, operations and their gradients expect activations.
    TensorId asActivation(const Node& node, TensorId parameter) {
        if (!training() || m_plan.tensor(parameter).type != DataType::Float32 || m_activation == DataType::Float32)
            return parameter;
        Operation op;
        op.kind = OperationKind::Array;
        op.pass = Pass::Forward;
        op.name = node.name + " (conversion)";
        op.layer = model::ArrayLayer{model::Map{model::MapKind::Identity}};
        op.inputs = {parameter};
        const auto output = op.output =
            addTensor(node.name + ".converted", m_plan.tensor(parameter).dims, m_activation, TensorRole::Activation);
        m_plan.operations.push_back(std::move(op));
        return output;
    }

    void addSaved(Operation& op, const Node& node) {
        const auto save = [&](const char* what, Shape dims, DataType type) {
            op.saved.push_back(addTensor(node.name + "." + what, std::move(dims), type, TensorRole::Saved));
        };
        if (const auto* pool = std::get_if<model::Pool2d>(&node.layer);
            pool != nullptr && pool->kind == model::PoolKind::Max)
            save("indices", batched(node.output), DataType::UInt8);
        if (std::holds_alternative<model::BatchNorm>(node.layer)) {
            const auto channels = batched(node.output)[1];
            save("mean", {channels}, DataType::Float32);
            save("inverse_deviation", {channels}, DataType::Float32);
        }
        if (std::holds_alternative<model::LayerNorm>(node.layer)) {
            const auto rows = model::elementCount(batched(node.output)) / node.output.back();
            save("mean", {rows}, DataType::Float32);
            save("inverse_deviation", {rows}, DataType::Float32);
        }
        if (const auto* norm = std::get_if<model::RmsNorm>(&node.layer)) {
            const auto group = norm->group > 0 ? norm->group : node.output.back();
            save("inverse_root", {model::elementCount(batched(node.output)) / group}, DataType::Float32);
        }
        if (const auto* attention = std::get_if<model::GroupedAttention>(&node.layer))
            save("log_sum_exp", {m_plan.options.batch, attention->heads, node.output[0]}, DataType::Float32);
        if (const auto* attention = std::get_if<model::Attention>(&node.layer))
            save("log_sum_exp", {firstInputDims(node)[0], attention->heads, firstInputDims(node)[1]},
                 DataType::Float32);
        if (const auto* recurrent = std::get_if<model::Recurrent>(&node.layer)) {
            const auto input = firstInputDims(node);
            save("reserve", {input[0], input[1], keptPerStep(*recurrent)}, m_activation);
        }
    }

    // KV cache of earlier tokens: filled by the caller, only read by a step.
    void addCache(Operation& op, const Node& node) {
        const auto* attention = std::get_if<model::Attention>(&node.layer);
        if (attention == nullptr || attention->cachedTokens == 0) return;
        const auto dims = batched({attention->cachedTokens, node.output[1]});
        for (const char* what : {".cached_keys", ".cached_values"})
            op.states.push_back(addTensor(node.name + what, dims, m_activation, TensorRole::State));
    }

    void addCarriedState(Operation& op, const Node& node) {
        const auto* recurrent = std::get_if<model::Recurrent>(&node.layer);
        if (recurrent == nullptr || !recurrent->carryState) return;
        const auto width = recurrent->units * (recurrent->bidirectional ? 2 : 1);
        op.states.push_back(addTensor(node.name + ".hidden", batched({width}), DataType::Float32, TensorRole::State));
        if (recurrent->cell == model::RecurrentCell::Lstm)
            op.states.push_back(addTensor(node.name + ".cell", batched({width}), DataType::Float32, TensorRole::State));
    }

    void lowerHeads() {
        const auto count =
            std::count_if(m_graph.heads.begin(), m_graph.heads.end(), [&](const auto& head) { return isUsed(head); });
        for (std::size_t h = 0; h < m_graph.heads.size(); ++h) {
            const auto& head = m_graph.heads[h];
            if (!isUsed(head)) continue;
            const bool softmax = head.loss == model::LossKind::SoftmaxCrossEntropy;
            const std::string name = count > 1 ? fmt::format("head_{}", h + 1) : "head";
            HeadTensors tensors;
            tensors.head = head;
            tensors.logits = m_nodeTensor[idx(head.logits)];
            if (head.loss == model::LossKind::None) {
                tensors.probabilities = tensors.logits;
                m_plan.tensors[idx(tensors.logits)].role = TensorRole::Probability;
                m_plan.heads.push_back(tensors);
                continue;
            }
            const auto dims = m_plan.tensor(tensors.logits).dims;
            tensors.probabilities = addTensor(name + ".probabilities", dims, m_activation, TensorRole::Probability);
            Operation op;
            op.name = name;
            op.layer = model::Dense{};
            op.output = tensors.probabilities;
            op.inputs = {tensors.logits};
            op.lossWeight = head.weight;
            op.kind = softmax ? OperationKind::Softmax : OperationKind::Sigmoid;
            if (training()) {
                op.kind = softmax ? OperationKind::SoftmaxCrossEntropy : OperationKind::SigmoidCrossEntropy;
                Shape labels(dims.begin(), dims.end() - 1);
                tensors.labels = addTensor(name + ".labels", labels, DataType::Int32, TensorRole::Label);
                tensors.loss = addTensor(name + ".loss", {1}, DataType::Float32, TensorRole::Loss);
                op.inputs.push_back(tensors.labels);
                op.saved = {tensors.loss};
            }
            m_plan.operations.push_back(std::move(op));
            m_plan.heads.push_back(tensors);
        }
    }

    // The gradient of a node's output, created by the first consumer; later consumers add to it.
    std::pair<TensorId, bool> gradientOf(NodeId node) {
        node = sourceOf(node);
        auto& gradient = m_gradient[idx(node)];
        const bool exists = gradient != kNoTensor;
        if (!exists) {
            const auto& source = m_plan.tensor(m_nodeTensor[idx(node)]);
            const auto dims = source.dims;
            gradient = addTensor(source.name + ".gradient", dims, m_activation, TensorRole::ActivationGradient);
        }
        return {gradient, exists};
    }
    // The node that owns this node's tensor.
    [[nodiscard]] NodeId sourceOf(NodeId node) const {
        while (isForwarded(node)) node = m_graph.nodes[idx(node)].inputs[0];
        return node;
    }
    // Nodes without an operation: their tensor is their input's.
    [[nodiscard]] bool isForwarded(NodeId node) const {
        return m_forwardIndex[idx(node)] < 0 && !m_graph.nodes[idx(node)].inputs.empty();
    }

    void lowerHeadBackward(const HeadTensors& head) {
        Operation op;
        const bool softmax = head.head.loss == model::LossKind::SoftmaxCrossEntropy;
        op.kind = softmax ? OperationKind::SoftmaxCrossEntropy : OperationKind::SigmoidCrossEntropy;
        op.pass = Pass::Backward;
        op.layer = model::Dense{};
        op.name = m_plan.tensor(head.loss).name + " (gradient)";
        op.inputs = {kNoTensor, head.labels};
        op.output = head.probabilities;
        op.lossWeight = head.head.weight;
        const auto [gradient, accumulate] = gradientOf(head.head.logits);
        op.inputGradients = {gradient};
        op.accumulate = {accumulate};
        m_plan.operations.push_back(std::move(op));
    }

    void lowerBackward(const Node& node) {
        if (m_gradient[idx(node.id)] == kNoTensor || !m_trainable[idx(node.id)]) return;
        if (std::holds_alternative<model::Constant>(node.layer)) return lowerConstantBackward(node);
        if (m_forwardIndex[idx(node.id)] < 0) return;
        if (std::holds_alternative<model::ArrayLayer>(node.layer)) return lowerArrayBackward(node);
        const auto& forward = m_plan.operations[idx(m_forwardIndex[idx(node.id)])];
        auto op = baseOperation(node);
        op.outputGradient = m_gradient[idx(node.id)];
        if (isMatrixPair(op.kind)) return lowerMatrixBackward(node, op, forward);
        const auto needs = backwardNeeds(forward);
        op.pass = Pass::Backward;
        op.name += " (gradient)";
        op.inputs = needs.inputs ? forward.inputs : std::vector<TensorId>(forward.inputs.size(), kNoTensor);
        op.output = needs.output ? forward.output : kNoTensor;
        op.saved = forward.saved;
        if (needs.parameters)
            for (auto p : node.parameters)
                if (m_graph.parameters[idx(p)].spec.trainable) op.parameters.push_back(m_plan.parameterTensors[idx(p)]);
        addInputGradients(op, node);
        addParameterGradients(op, node);
        fillMatrixCost(op, m_plan, firstInputDims(node), weightDims(node));
        push(std::move(op), node);
    }

    // The gradient of a parameter that is an operand of array operations.
    void lowerConstantBackward(const Node& node) {
        const auto gradient = m_plan.gradientTensors[idx(node.parameters[0])];
        ArrayGradient(m_plan, node.name)
            .intoParameter(gradient, m_gradient[idx(node.id)], m_gradientWritten.contains(gradient));
        m_gradientWritten[gradient] = true;
    }

    void lowerArrayBackward(const Node& node) {
        const auto outputGradient = m_gradient[idx(node.id)];
        ArrayGradient emitter(m_plan, node.name);
        std::vector<bool> wanted;
        for (auto in : node.inputs) wanted.push_back(m_trainable[idx(in)]);
        const auto contributions =
            emitter.contributions(m_plan.operations[idx(m_forwardIndex[idx(node.id)])], outputGradient, wanted);
        bool passedOn =
            false;  // the output gradient is passed on unchanged to one input only, since others may add to it
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            auto contribution = contributions[i];
            if (contribution == kNoTensor) continue;
            auto& gradient = m_gradient[idx(sourceOf(node.inputs[i]))];
            if (gradient != kNoTensor) {
                gradient = emitter.sum(gradient, contribution);
                continue;
            }
            if (contribution == outputGradient && std::exchange(passedOn, true))
                contribution = emitter.copy(contribution);
            gradient = contribution;
        }
    }

    void lowerMatrixBackward(const Node& node, const Operation& base, const Operation& forward) {
        const auto input = forward.inputs[0];
        const auto weight = forward.parameters[0];
        if (m_trainable[idx(node.inputs[0])]) {
            auto data = base;
            data.pass = Pass::BackwardData;
            data.name += " (data gradient)";
            data.inputs = {kNoTensor};
            data.parameters = {weight};
            addInputGradients(data, node);
            fillMatrixCost(data, m_plan, firstInputDims(node), weightDims(node));
            m_plan.operations.push_back(std::move(data));
        }
        if (!learns(m_graph.parameters[idx(node.parameters[0])])) return;
        auto weights = base;
        weights.pass = Pass::BackwardWeights;
        weights.name += " (weight gradient)";
        weights.inputs = {input};
        addParameterGradients(weights, node);
        fillMatrixCost(weights, m_plan, firstInputDims(node), weightDims(node));
        push(std::move(weights), node);
    }

    void addInputGradients(Operation& op, const Node& node) {
        for (auto in : node.inputs) {
            if (!m_trainable[idx(in)]) {
                op.inputGradients.push_back(kNoTensor);
                op.accumulate.push_back(false);
                continue;
            }
            const auto [gradient, accumulate] = gradientOf(in);
            op.inputGradients.push_back(gradient);
            op.accumulate.push_back(accumulate);
        }
    }

    void addParameterGradients(Operation& op, const Node& node) {
        std::vector<TensorId> gradients;
        for (auto p : node.parameters)
            if (learns(m_graph.parameters[idx(p)])) gradients.push_back(m_plan.gradientTensors[idx(p)]);
        const auto written = std::count_if(gradients.begin(), gradients.end(),
                                           [&](TensorId gradient) { return m_gradientWritten.contains(gradient); });
        op.accumulateParameters = written > 0 && written == static_cast<std::ptrdiff_t>(gradients.size());
        for (auto& gradient : gradients) {
            // Tied with another layer, but this layer has other parameters: use a separate sum.
            if (!op.accumulateParameters && m_gradientWritten.contains(gradient)) {
                const auto dims = m_plan.tensor(gradient).dims;
                const auto name = fmt::format("{} ({})", m_plan.tensor(gradient).name, node.name);
                const auto part = addTensor(name, dims, DataType::Float32, TensorRole::ActivationGradient);
                m_partsToAdd.emplace_back(gradient, part);
                gradient = part;
            } else {
                m_gradientWritten[gradient] = true;
            }
        }
        op.parameterGradients = std::move(gradients);
    }

    void push(Operation op, const Node& node) {
        m_plan.operations.push_back(std::move(op));
        for (const auto& [gradient, part] : std::exchange(m_partsToAdd, {}))
            ArrayGradient(m_plan, node.name).intoParameter(gradient, part, true);
    }

    void lowerUpdates() {
        const auto& optimizer = m_plan.options.optimizer;
        if (optimizer.clipNorm) {
            Operation op;
            op.kind = OperationKind::ClipGradients;
            op.pass = Pass::Update;
            op.name = "clip gradients";
            op.layer = model::Dense{};
            for (auto gradient : m_plan.gradientTensors)
                if (m_gradientWritten.contains(gradient)) op.parameterGradients.push_back(gradient);
            m_plan.operations.push_back(std::move(op));
        }
        for (std::size_t p = 0; p < m_plan.parameters.size(); ++p) {
            const auto gradient = m_plan.gradientTensors[p];
            if (!m_gradientWritten.contains(gradient)) continue;
            Operation op;
            op.kind = OperationKind::Update;
            op.pass = Pass::Update;
            op.name = m_plan.parameters[p].name + " (update)";
            op.layer = m_graph.nodes[idx(m_plan.parameters[p].owner)].layer;
            op.parameters = {m_plan.parameterTensors[p]};
            op.parameterGradients = {gradient};
            for (int s = 0; s < model::stateTensors(optimizer.kind); ++s)
                op.states.push_back(addTensor(fmt::format("{}.state_{}", m_plan.parameters[p].name, s + 1),
                                              m_plan.parameters[p].spec.shape, DataType::Float32,
                                              TensorRole::OptimizerState));
            m_plan.operations.push_back(std::move(op));
        }
    }

    const Graph& m_graph;
    Plan m_plan;
    DataType m_activation = DataType::Float32;
    std::vector<bool> m_live, m_trainable;
    std::vector<TensorId> m_nodeTensor, m_gradient;
    std::vector<int> m_forwardIndex;  // operation of a node; -1: none
    std::map<TensorId, bool> m_gradientWritten;
    std::vector<std::pair<TensorId, TensorId>>
        m_partsToAdd;  // gradients, and contributions that the next operation adds
};

}  // namespace

Result<Plan> lower(const Graph& graph, const PlanOptions& options) {
    if (options.batch < 1) return fail(ErrorKind::InvalidArgument, "batch", messages::atLeastOne());
    if (options.mode == Mode::Infer && options.precision == Precision::Int8 && graph.inEightBits) {
        ASSIGN(const auto other, graph.inEightBits());
        return lower(other, options);
    }
    if (graph.wholeShapes && options.batch != graph.fixedBatch) {
        ASSIGN(const auto other, graph.atBatch(options.batch));
        return lower(other, options);
    }
    const bool hasLoss = std::none_of(graph.heads.begin(), graph.heads.end(),
                                      [](const auto& head) { return head.loss == model::LossKind::None; });
    if (options.mode == Mode::Train && !hasLoss && graph.wholeShapes) {
        ASSIGN(const auto trained, model::trainingGraph(graph));
        return lower(trained, options);
    }
    if (options.mode == Mode::Train && options.precision == Precision::Int8)
        return fail(ErrorKind::Unsupported, "precision", messages::inferenceAlone());
    if (options.mode == Mode::Train && !hasLoss)
        return fail(ErrorKind::InvalidArgument, "mode", messages::nothingToTrain(graph.name));
    // Sums of sizes must fit in 64 bits; limits of indexing are checked by the backends.
    constexpr double kLimit = 0x1p44;
    for (const auto& node : graph.nodes) {
        if (const auto* attention = std::get_if<model::Attention>(&node.layer);
            attention != nullptr && attention->cachedTokens > 0 && options.mode == Mode::Train)
            return fail(ErrorKind::InvalidArgument, "mode", messages::decodesOnly(graph.name));
        const double elements =
            largestPerSample(graph, node) * (graph.wholeShapes ? 1 : static_cast<double>(options.batch));
        if (elements > kLimit)
            return fail(ErrorKind::InvalidArgument, "batch",
                        messages::batchTooLarge(options.batch, node.name, graph.name, fmt::format("{:.0f}", kLimit)));
    }
    return Lowering(graph, options).run();
}

}  // namespace steelyard::plan
