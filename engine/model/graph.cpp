// SPDX-License-Identifier: Apache-2.0
#include "engine/model/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/messages/model.h"
#include "engine/core/random.h"

namespace steelyard::model {
namespace {

// Token ids may only go into an embedding whose table has a row for each.
std::optional<Message> problemOfTypes(const Graph& graph, const Node& node) {
    if (const auto* in = std::get_if<Input>(&node.layer)) {
        if (in->type == DataType::Int32 ? in->shape.size() == 1 && in->vocabulary > 0 : in->type == DataType::Float32)
            return std::nullopt;
        return messages::inputType();
    }
    const auto* table = std::get_if<Embedding>(&node.layer);
    for (auto id : node.inputs) {
        const auto& source = graph.nodes[static_cast<std::size_t>(id)];
        if ((source.type == DataType::Int32) != (table != nullptr))
            return table != nullptr ? messages::needsTokenIds() : messages::noTokenIds();
        if (table == nullptr) continue;
        const auto vocabulary = std::get<Input>(source.layer).vocabulary;
        if (vocabulary > table->vocabulary) return messages::tableTooSmall(table->vocabulary, vocabulary);
    }
    return std::nullopt;
}

bool canFreeze(const Layer& layer) {
    return std::holds_alternative<Dense>(layer) || std::holds_alternative<Embedding>(layer) ||
           std::holds_alternative<RmsNorm>(layer);
}

bool tooLarge(const Shape& shape) {
    double elements = 1;
    for (auto extent : shape) elements *= static_cast<double>(extent);
    return elements > 0x1p40;
}

}  // namespace

std::int64_t Graph::trainableParameters() const {
    std::int64_t sum = 0;
    for (const auto& p : parameters) sum += p.spec.trainable && !p.spec.frozen ? elementCount(p.spec.shape) : 0;
    return sum;
}

std::int64_t Graph::frozenParameters() const {
    std::int64_t sum = 0;
    for (const auto& p : parameters) sum += p.spec.frozen ? elementCount(p.spec.shape) : 0;
    return sum;
}

std::int64_t Graph::stateParameters() const {
    std::int64_t sum = 0;
    for (const auto& p : parameters) sum += p.spec.trainable ? 0 : elementCount(p.spec.shape);
    return sum;
}

NodeId GraphBuilder::add(Layer layer, std::vector<NodeId> inputs, std::string name) {
    std::vector<Shape> shapes;
    for (auto id : inputs) {
        if (id < 0 || id >= static_cast<NodeId>(m_graph.nodes.size())) {
            if (!m_error)
                m_error = Error{ErrorKind::InvalidArgument, m_graph.name, messages::unknownInput(), {}, {}, {}};
            return -1;
        }
        shapes.push_back(m_graph.nodes[static_cast<std::size_t>(id)].output);
    }
    Node node;
    node.layer = std::move(layer);
    node.inputs = std::move(inputs);
    node.name = std::move(name);
    return append(std::move(node), shapes);
}

NodeId GraphBuilder::append(Node node, const std::vector<Shape>& shapes) {
    if (m_error) return -1;
    node.id = static_cast<NodeId>(m_graph.nodes.size());
    if (node.name.empty()) {
        const auto kind = node.layer.index();
        const auto same = std::count_if(m_graph.nodes.begin(), m_graph.nodes.end(),
                                        [&](const Node& other) { return other.layer.index() == kind; });
        node.name = fmt::format("{}_{}", kindName(node.layer), same + 1);
    }
    auto shape = outputShape(node.layer, shapes);
    if (!shape) {
        m_error = shape.error();
        m_error->detail = messages::ofLayer(node.name, m_graph.name, std::move(m_error->detail));
        return -1;
    }
    node.output = std::move(*shape);
    if (const auto* in = std::get_if<Input>(&node.layer)) node.type = in->type;
    const auto newParameters = m_graph.parameters.size();
    if (node.parameters.empty()) addParameters(node, shapes);
    auto problem = problemOfTypes(m_graph, node);
    if (!problem && m_freezes && m_graph.parameters.size() > newParameters && !canFreeze(node.layer))
        problem = messages::cannotFreeze();
    if (!problem && tooLarge(node.output)) problem = messages::resultTooLarge();
    for (auto p = newParameters; p < m_graph.parameters.size(); ++p)
        if (tooLarge(m_graph.parameters[p].spec.shape)) problem = messages::weightsTooLarge();
    if (problem) {
        m_error = Error{ErrorKind::InvalidArgument,
                        std::string(kindName(node.layer)),
                        messages::ofLayer(node.name, m_graph.name, *std::move(problem)),
                        {},
                        {},
                        {}};
        return -1;
    }
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.back().id;
}

void GraphBuilder::addParameters(Node& node, const std::vector<Shape>& shapes) {
    const bool weighted = std::holds_alternative<Dense>(node.layer) || std::holds_alternative<Conv2d>(node.layer);
    for (auto& spec : parametersOf(node.layer, shapes)) {
        if (weighted && spec.init.kind == InitKind::GlorotUniform) {
            spec.init.kind = m_weightInit.kind;
            spec.init.scale = m_weightInit.scale;
        }
        spec.frozen = m_freezes;
        const auto id = static_cast<ParameterId>(m_graph.parameters.size());
        m_graph.parameters.push_back({id, node.name + "." + spec.name, spec, node.id});
        node.parameters.push_back(id);
    }
}

NodeId GraphBuilder::input(Shape shape) {
    return add(Input{std::move(shape), DataType::Float32, 0}, {});
}

NodeId GraphBuilder::ids(std::int64_t length, std::int64_t vocabulary) {
    return add(Input{{length}, DataType::Int32, vocabulary}, {});
}

NodeId GraphBuilder::tiedDense(NodeId x, NodeId embedding, std::string name) {
    if (m_error || x < 0 || embedding < 0) return -1;
    const auto& source = m_graph.nodes[static_cast<std::size_t>(embedding)];
    const auto* table = std::get_if<Embedding>(&source.layer);
    if (table == nullptr || table->sparseUpdate || shapeOf(x).back() != table->units) {
        m_error = Error{ErrorKind::InvalidArgument, m_graph.name, messages::tiedDense(), {}, {}, {}};
        return -1;
    }
    Node node;
    node.layer = Dense{table->vocabulary, false};
    node.name = std::move(name);
    node.inputs = {x};
    node.parameters = {source.parameters.front()};
    return append(std::move(node), {shapeOf(x)});
}

NodeId GraphBuilder::maxPool(NodeId x, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    return add(
        Pool2d{PoolKind::Max, {kernel, kernel}, {stride, stride}, {padding, padding, padding, padding}, false, false},
        {x});
}

const std::string& GraphBuilder::nameOf(NodeId node) const {
    static const std::string kUnknown;
    return node < 0 || m_error ? kUnknown : m_graph.nodes[static_cast<std::size_t>(node)].name;
}

const Shape& GraphBuilder::shapeOf(NodeId node) const {
    static const Shape kUnknown{1, 1, 1};
    return node < 0 || m_error ? kUnknown : m_graph.nodes[static_cast<std::size_t>(node)].output;
}

Result<Graph> GraphBuilder::build() && {
    if (m_error) return Failure(*m_error);
    const auto& heads = m_graph.heads;
    if (heads.empty() || heads.front().trainingOnly)
        return fail(ErrorKind::InvalidArgument, m_graph.name, messages::noOutput());
    for (const auto& head : heads) {
        if (head.logits < 0 || head.logits >= static_cast<NodeId>(m_graph.nodes.size()))
            return fail(ErrorKind::InvalidArgument, m_graph.name, messages::unknownOutput());
        const auto& logits = m_graph.nodes[static_cast<std::size_t>(head.logits)];
        const bool fits =
            head.loss == LossKind::None ||
            (head.loss == LossKind::SoftmaxCrossEntropy ? logits.output.size() <= 2 : logits.output == Shape{1});
        if (!fits || logits.type != DataType::Float32)
            return fail(ErrorKind::InvalidArgument, m_graph.name,
                        messages::wrongOutput(logits.name, toString(logits.output)));
    }
    return std::move(m_graph);
}

Conv2d square(std::int64_t filters, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    return {filters, {kernel, kernel}, {stride, stride}, {padding, padding, padding, padding}, 1, true};
}

Padding2d samePadding(const Shape& image, std::int64_t kernel, std::int64_t stride) {
    const auto total = [&](std::int64_t size) {
        return std::max<std::int64_t>(0, ((size + stride - 1) / stride - 1) * stride + kernel - size);
    };
    const auto height = total(image[1]);
    const auto width = total(image[2]);
    return {height / 2, width / 2, height - height / 2, width - width / 2};
}

Result<void> initialValues(const Parameter& parameter, std::uint64_t seed, std::vector<float>& values) {
    if (parameter.spec.values == nullptr) {
        initialize(parameter, seed, values);
        return {};
    }
    values.assign(static_cast<std::size_t>(elementCount(parameter.spec.shape)), 0.0F);
    return parameter.spec.values->read(values);
}

void initialize(const Parameter& parameter, std::uint64_t seed, std::vector<float>& values) {
    const auto& init = parameter.spec.init;
    const auto count = static_cast<std::size_t>(elementCount(parameter.spec.shape));
    values.resize(count);
    const RandomStream stream(seed, 0x1000U + static_cast<std::uint64_t>(parameter.id));
    const auto uniform = [&](double halfWidth) { fillUniform(values, stream, static_cast<float>(2 * halfWidth)); };
    const auto normal = [&](double deviation) { fillNormal(values, stream, static_cast<float>(deviation)); };
    switch (init.kind) {
        case InitKind::GlorotUniform:  // Glorot & Bengio 2010: U(-a, a), a = sqrt(6 / (fan in + fan out))
            return uniform(std::sqrt(6.0 / static_cast<double>(init.fanIn + init.fanOut)));
        case InitKind::HeNormal:  // He et al. 2015: N(0, 2 / fan in)
            return normal(std::sqrt(2.0 / static_cast<double>(init.fanIn)));
        case InitKind::Uniform:
            return uniform(init.scale);
        case InitKind::Normal:
            return normal(init.scale);
        case InitKind::Constant:
            std::fill(values.begin(), values.end(), static_cast<float>(init.scale));
            return;
        case InitKind::LstmBias: {  // gate order i f c o: Jozefowicz et al. 2015, forget bias
            std::fill(values.begin(), values.end(), 0.0F);
            const auto units = count / 4;
            std::fill(values.begin() + static_cast<std::ptrdiff_t>(units),
                      values.begin() + static_cast<std::ptrdiff_t>(2 * units), static_cast<float>(init.scale));
            return;
        }
    }
}

}  // namespace steelyard::model
