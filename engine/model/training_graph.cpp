// SPDX-License-Identifier: Apache-2.0
#include "engine/model/training_graph.h"

#include <algorithm>
#include <numeric>

#include "engine/core/messages/model.h"
#include "engine/model/array/array_gradient.h"
#include "engine/model/array/strides.h"

namespace steelyard::model {
namespace {

std::size_t idx(int id) {
    return static_cast<std::size_t>(id);
}

const ArrayOperation* arrayOf(const Node& node) {
    const auto* layer = std::get_if<ArrayLayer>(&node.layer);
    return layer == nullptr ? nullptr : &layer->operation;
}

bool isSoftmaxOfLast(const Node& node) {
    const auto* operation = arrayOf(node);
    const auto* softmax = operation == nullptr ? nullptr : std::get_if<SoftmaxAlong>(operation);
    return softmax != nullptr && softmax->axis + 1 == static_cast<std::int64_t>(node.output.size());
}

bool isSigmoid(const Node& node) {
    if (const auto* activation = std::get_if<Activation>(&node.layer))
        return activation->kind == ActivationKind::Sigmoid;
    const auto* operation = arrayOf(node);
    const auto* map = operation == nullptr ? nullptr : std::get_if<Map>(operation);
    return map != nullptr && map->kind == MapKind::Sigmoid;
}

// Without operations that the loss includes.
NodeId logitsOf(const Graph& graph, NodeId output) {
    const auto& node = graph.nodes[idx(output)];
    return isSoftmaxOfLast(node) || isSigmoid(node) ? node.inputs[0] : output;
}

// Rearranges scores to the form that losses take, [.., classes] of two or three dimensions.
std::optional<Rearrange> formOfScores(const Shape& shape) {
    const auto elements = elementCount(shape);
    auto extents = shape;
    auto strides = rowMajorStrides(shape);
    if (shape.size() >= 4 && shape[1] > 1) {  // classes per pixel
        std::rotate(extents.begin() + 1, extents.begin() + 2, extents.end());
        std::rotate(strides.begin() + 1, strides.begin() + 2, strides.end());
        return Rearrange{extents, strides, 0, {shape[0], elements / shape[0] / shape[1], shape[1]}};
    }
    if (shape.back() == 1 || shape.size() == 1 || shape.size() >= 4)  // one score
        return shape.size() == 2 ? std::nullopt : std::optional(Rearrange{extents, strides, 0, {elements, 1}});
    return std::nullopt;
}

Result<void> checkGradients(const Graph& graph) {
    const auto trainable = trainableNodes(graph);
    std::vector<bool> live(graph.nodes.size(), false);
    live[idx(graph.heads[0].logits)] = true;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        if (!live[idx(node->id)] || !trainable[idx(node->id)]) continue;
        std::vector<Shape> inputs;
        std::vector<bool> wanted;
        for (auto in : node->inputs) {
            live[idx(in)] = true;
            inputs.push_back(graph.nodes[idx(in)].output);
            wanted.push_back(trainable[idx(in)]);
        }
        const auto* operation = arrayOf(*node);
        const bool known = operation != nullptr ? hasGradient(*operation, inputs, node->output, wanted)
                                                : !std::holds_alternative<Product>(node->layer);
        if (!known)
            return fail(ErrorKind::Unsupported, node->name,
                        messages::noGradient(
                            std::string(operation != nullptr ? arrayKindName(*operation) : kindName(node->layer))));
    }
    return {};
}

}  // namespace

std::vector<bool> trainableNodes(const Graph& graph) {
    std::vector<bool> trainable(graph.nodes.size(), false);
    for (const auto& node : graph.nodes) {
        const auto* operation = arrayOf(node);
        if (node.type == DataType::Int32 || (operation != nullptr && !passesGradient(*operation))) continue;
        bool any = std::any_of(node.parameters.begin(), node.parameters.end(), [&](ParameterId p) {
            const auto& spec = graph.parameters[idx(p)].spec;
            return spec.trainable && !spec.frozen;
        });
        for (auto in : node.inputs) any = any || trainable[idx(in)];
        trainable[idx(node.id)] = any;
    }
    return trainable;
}

Result<Graph> trainingGraph(const Graph& graph) {
    auto result = graph;
    result.atBatch = nullptr;
    result.inEightBits = nullptr;
    const auto output = graph.heads.front().logits;
    auto logits = logitsOf(graph, output);
    const auto& node = graph.nodes[idx(logits)];
    if (node.type == DataType::Int32)
        return fail(ErrorKind::InvalidArgument, node.name, messages::integersHaveNoLoss());
    if (!trainableNodes(graph)[idx(logits)])
        return fail(ErrorKind::InvalidArgument, graph.name, messages::noTrainableWeights());
    auto shape = node.output.empty() ? Shape{1} : node.output;
    if (auto move = formOfScores(shape)) {
        shape = move->shape;
        Node scores;
        scores.id = static_cast<NodeId>(result.nodes.size());
        scores.name = node.name + ".scores";
        scores.layer = ArrayLayer{std::move(*move)};
        scores.inputs = {logits};
        scores.output = shape;
        logits = scores.id;
        result.nodes.push_back(std::move(scores));
    }
    const auto loss = shape.back() == 1 ? LossKind::SigmoidCrossEntropy : LossKind::SoftmaxCrossEntropy;
    result.heads = {Head{logits, loss, 1.0, false}};
    TRY(checkGradients(result));
    return result;
}

}  // namespace steelyard::model
