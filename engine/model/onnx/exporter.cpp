// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/exporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <protozero/pbf_writer.hpp>

#include "engine/core/messages/onnx.h"
#include "engine/model/onnx/onnx_file.h"

namespace steelyard::model::onnx {
namespace {

template <class... Ts>
struct Cases : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Cases(Ts...) -> Cases<Ts...>;

constexpr std::int64_t kOpset = 20, kIrVersion = 9;
constexpr std::int64_t kMostModelBytes = (std::int64_t{1} << 31) - 1;
// Field numbers of onnx.proto.
namespace field {
constexpr protozero::pbf_tag_type kModelVersion = 1, kModelProducer = 2, kModelGraph = 7, kModelOpset = 8;
constexpr protozero::pbf_tag_type kGraphNode = 1, kGraphName = 2, kGraphInitializer = 5, kGraphInput = 11,
                                  kGraphOutput = 12;
constexpr protozero::pbf_tag_type kNodeInput = 1, kNodeOutput = 2, kNodeName = 3, kNodeKind = 4, kNodeAttribute = 5;
constexpr protozero::pbf_tag_type kTensorDims = 1, kTensorType = 2, kTensorName = 8, kTensorRaw = 9;
}  // namespace field

// Fields of a tensor without its data.
std::string tensorHead(std::string_view name, const Shape& shape, ElementType type) {
    std::string bytes;
    protozero::pbf_writer writer(bytes);
    for (auto extent : shape) writer.add_int64(field::kTensorDims, extent);
    writer.add_int32(field::kTensorType, static_cast<std::int32_t>(type));
    writer.add_string(field::kTensorName, name.data(), name.size());
    return bytes;
}

// Header of a field with `length` bytes.
std::string fieldHead(protozero::pbf_tag_type tag, std::uint64_t length) {
    std::string bytes;
    protozero::write_varint(std::back_inserter(bytes), (static_cast<std::uint64_t>(tag) << 3) | 2U);
    protozero::write_varint(std::back_inserter(bytes), length);
    return bytes;
}

struct Attributes {
    std::string bytes;

    Attributes& whole(std::string_view name, std::int64_t value) {
        std::string one;
        protozero::pbf_writer writer(one);
        writer.add_string(1, name.data(), name.size());
        writer.add_int64(3, value);
        writer.add_int32(20, 2);
        return add(one);
    }
    Attributes& real(std::string_view name, double value) {
        std::string one;
        protozero::pbf_writer writer(one);
        writer.add_string(1, name.data(), name.size());
        writer.add_float(2, static_cast<float>(value));
        writer.add_int32(20, 1);
        return add(one);
    }
    Attributes& text(std::string_view name, std::string_view value) {
        std::string one;
        protozero::pbf_writer writer(one);
        writer.add_string(1, name.data(), name.size());
        writer.add_bytes(4, value.data(), value.size());
        writer.add_int32(20, 3);
        return add(one);
    }
    Attributes& wholes(std::string_view name, const std::vector<std::int64_t>& values) {
        std::string one;
        protozero::pbf_writer writer(one);
        writer.add_string(1, name.data(), name.size());
        for (auto value : values) writer.add_int64(8, value);
        writer.add_int32(20, 7);
        return add(one);
    }

private:
    Attributes& add(const std::string& one) {
        protozero::pbf_writer writer(bytes);
        writer.add_message(field::kNodeAttribute, one);
        return *this;
    }
};

std::string valueInfo(const std::string& name, const Shape& shape, ElementType type) {
    std::string dims;
    {
        protozero::pbf_writer list(dims);
        for (std::size_t d = 0; d <= shape.size(); ++d) {
            std::string dim;
            protozero::pbf_writer writer(dim);
            if (d == 0)
                writer.add_string(2, "batch");
            else
                writer.add_int64(1, shape[d - 1]);
            list.add_message(1, dim);
        }
    }
    std::string tensor, outer, info;
    protozero::pbf_writer tensorWriter(tensor);
    tensorWriter.add_int32(1, static_cast<std::int32_t>(type));
    tensorWriter.add_message(2, dims);
    protozero::pbf_writer typeWriter(outer);
    typeWriter.add_message(1, tensor);
    protozero::pbf_writer writer(info);
    writer.add_string(1, name);
    writer.add_message(2, outer);
    return info;
}

// Four bytes per element, or eight for integers.
struct Stored {
    std::string name;
    Shape shape;
    std::function<Result<std::vector<float>>()> values;
    std::vector<std::int64_t> integers;

    [[nodiscard]] bool isInteger() const { return !values; }
    [[nodiscard]] std::int64_t dataBytes() const { return elementCount(shape) * (isInteger() ? 8 : 4); }
    [[nodiscard]] std::string head() const {
        auto bytes = tensorHead(name, shape, isInteger() ? ElementType::Int64 : ElementType::Float);
        return bytes + fieldHead(field::kTensorRaw, static_cast<std::uint64_t>(dataBytes()));
    }
};

class Exporter {
public:
    Exporter(const model::Graph& network, std::uint64_t seed) : m_network(network), m_seed(seed) {}

    Result<void> collect() {
        if (m_network.wholeShapes) return refuse("an imported network");
        findLive();
        for (const auto& node : m_network.nodes)
            if (m_live[at(node.id)]) TRY(add(node));
        for (const auto& head : m_network.heads)
            if (!head.trainingOnly) addHead(head);
        return {};
    }

    Result<void> write(const std::string& path) const {
        std::int64_t graphBytes = static_cast<std::int64_t>(m_nodes.size() + m_values.size());
        for (const auto& one : m_stored) {
            const auto inner = static_cast<std::int64_t>(one.head().size()) + one.dataBytes();
            graphBytes += inner + static_cast<std::int64_t>(
                                      fieldHead(field::kGraphInitializer, static_cast<std::uint64_t>(inner)).size());
        }
        if (graphBytes + 1024 > kMostModelBytes) return fail(ErrorKind::Unsupported, path, messages::fileTooLarge());
        std::string begin;
        protozero::pbf_writer writer(begin);
        writer.add_int64(field::kModelVersion, kIrVersion);
        writer.add_string(field::kModelProducer, "steelyard");
        std::string opset;
        protozero::pbf_writer(opset).add_int64(2, kOpset);
        writer.add_message(field::kModelOpset, opset);
        begin += fieldHead(field::kModelGraph, static_cast<std::uint64_t>(graphBytes));
        std::ofstream stream(path, std::ios::binary | std::ios::trunc);
        const auto put = [&](const std::string& bytes) {
            stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        };
        put(begin);
        put(m_nodes);
        for (const auto& one : m_stored) {
            const auto head = one.head();
            const auto inner = static_cast<std::uint64_t>(head.size()) + static_cast<std::uint64_t>(one.dataBytes());
            put(fieldHead(field::kGraphInitializer, inner));
            put(head);
            if (one.isInteger()) {
                stream.write(reinterpret_cast<const char*>(one.integers.data()), one.dataBytes());
                continue;
            }
            ASSIGN(const auto values, one.values());
            stream.write(reinterpret_cast<const char*>(values.data()), one.dataBytes());
        }
        put(m_values);
        stream.close();
        if (!stream) return fail(ErrorKind::IoFailed, path, messages::cannotBeWritten());
        return {};
    }

private:
    static std::size_t at(int id) { return static_cast<std::size_t>(id); }
    [[nodiscard]] Failure refuse(std::string_view what) const {
        return fail(ErrorKind::Unsupported, m_network.name, messages::notExported(what));
    }

    void findLive() {
        m_live.assign(m_network.nodes.size(), false);
        for (const auto& head : m_network.heads)
            if (!head.trainingOnly) m_live[at(head.logits)] = true;
        for (auto id = static_cast<NodeId>(m_network.nodes.size()); id-- > 0;)
            if (m_live[at(id)])
                for (auto in : m_network.nodes[at(id)].inputs) m_live[at(in)] = true;
    }

    [[nodiscard]] const Shape& shapeOf(NodeId id) const { return m_network.nodes[at(id)].output; }
    [[nodiscard]] const std::string& nameOf(NodeId id) const { return m_name.at(id); }

    void emit(std::string_view kind, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
              const Attributes& attributes = {}) {
        std::string node;
        protozero::pbf_writer writer(node);
        for (const auto& input : inputs) writer.add_string(field::kNodeInput, input);
        for (const auto& output : outputs) writer.add_string(field::kNodeOutput, output);
        const auto& named = outputs.front().empty() ? outputs.back() : outputs.front();
        writer.add_string(field::kNodeName, named);
        writer.add_string(field::kNodeKind, kind.data(), kind.size());
        node += attributes.bytes;
        protozero::pbf_writer graph(m_nodes);
        graph.add_message(field::kGraphNode, node);
    }

    std::string integers(const std::string& name, std::vector<std::int64_t> values, bool isScalar = false) {
        const Shape shape = isScalar ? Shape{} : Shape{static_cast<std::int64_t>(values.size())};
        m_stored.push_back({name, shape, nullptr, std::move(values)});
        return name;
    }
    std::string constant(const std::string& name, Shape shape, std::function<std::vector<float>()> make) {
        m_stored.push_back(
            {name, std::move(shape), [make = std::move(make)]() -> Result<std::vector<float>> { return make(); }, {}});
        return name;
    }
    // A parameter unchanged, or transformed by `change`; written once per name.
    using Change = std::function<std::vector<float>(const std::vector<float>&)>;
    std::string parameter(ParameterId id, std::string name = {}, Shape shape = {}, Change change = nullptr) {
        const auto& parameter = m_network.parameters[at(id)];
        if (name.empty()) name = parameter.name;
        if (shape.empty()) shape = parameter.spec.shape;
        const bool known =
            std::any_of(m_stored.begin(), m_stored.end(), [&](const Stored& one) { return one.name == name; });
        if (known) return name;
        m_stored.push_back({name,
                            std::move(shape),
                            [&parameter, seed = m_seed, change = std::move(change)]() -> Result<std::vector<float>> {
                                std::vector<float> values;
                                TRY(initialValues(parameter, seed, values));
                                return change ? change(values) : values;
                            },
                            {}});
        return name;
    }

    // 0 keeps a dimension, -1 takes the remainder.
    std::string reshape(const std::string& x, const std::string& y, std::vector<std::int64_t> dims) {
        emit("Reshape", {x, integers(y + ".shape", std::move(dims))}, {y});
        return y;
    }
    std::string transpose(const std::string& x, const std::string& y, const std::vector<std::int64_t>& order) {
        emit("Transpose", {x}, {y}, Attributes().wholes("perm", order));
        return y;
    }

    Result<void> add(const model::Node& node) {
        const auto& y = m_name[node.id] = node.name;
        std::vector<std::string> in;
        for (auto id : node.inputs) in.push_back(nameOf(id));
        const auto inShape = node.inputs.empty() ? Shape{} : shapeOf(node.inputs[0]);
        return std::visit(
            Cases{
                [&](const Input& l) -> Result<void> {
                    protozero::pbf_writer(m_values).add_message(
                        field::kGraphInput,
                        valueInfo(y, l.shape, l.type == DataType::Int32 ? ElementType::Int64 : ElementType::Float));
                    return {};
                },
                [&](const Dense& l) -> Result<void> {
                    addDense(node, l, in[0], inShape);
                    return {};
                },
                [&](const Conv2d& l) -> Result<void> {
                    auto inputs = std::vector<std::string>{in[0], parameter(node.parameters[0])};
                    if (l.bias) inputs.push_back(parameter(node.parameters[1]));
                    emit("Conv", inputs, {y}, window(l.kernel, l.stride, l.padding).whole("group", l.groups));
                    return {};
                },
                [&](const Pool2d& l) -> Result<void> {
                    auto attributes = window(l.kernel, l.stride, l.padding).whole("ceil_mode", l.roundUp ? 1 : 0);
                    const bool isMax = l.kind == PoolKind::Max;
                    if (!isMax) attributes.whole("count_include_pad", l.countPadding ? 1 : 0);
                    emit(isMax ? "MaxPool" : "AveragePool", {in[0]}, {y}, attributes);
                    return {};
                },
                [&](const GlobalAveragePool&) -> Result<void> {
                    if (inShape.size() == 3) {
                        emit("GlobalAveragePool", {in[0]}, {y + ".pool"});
                        emit("Flatten", {y + ".pool"}, {y}, Attributes().whole("axis", 1));
                    } else {
                        emit("ReduceMean", {in[0], integers(y + ".axes", {1})}, {y}, Attributes().whole("keepdims", 0));
                    }
                    return {};
                },
                [&](const Activation& l) -> Result<void> {
                    addActivation(l.kind, in[0], y);
                    return {};
                },
                [&](const Dropout&) -> Result<void> {
                    m_name[node.id] = in[0];
                    return {};
                },
                [&](const BatchNorm& l) -> Result<void> {
                    std::vector<std::string> inputs{in[0]};
                    for (auto p : node.parameters) inputs.push_back(parameter(p));
                    emit("BatchNormalization", inputs, {y}, Attributes().real("epsilon", l.epsilon));
                    return {};
                },
                [&](const LayerNorm& l) -> Result<void> {
                    emit("LayerNormalization", {in[0], parameter(node.parameters[0]), parameter(node.parameters[1])},
                         {y}, Attributes().whole("axis", -1).real("epsilon", l.epsilon));
                    return {};
                },
                [&](const Add&) -> Result<void> {
                    emit(in.size() == 2 ? "Add" : "Sum", in, {y});
                    return {};
                },
                [&](const Concat&) -> Result<void> {
                    emit("Concat", in, {y}, Attributes().whole("axis", 1));
                    return {};
                },
                [&](const Flatten&) -> Result<void> {
                    emit("Flatten", {in[0]}, {y}, Attributes().whole("axis", 1));
                    return {};
                },
                [&](const Embedding&) -> Result<void> {
                    emit("Gather", {parameter(node.parameters[0]), in[0]}, {y}, Attributes().whole("axis", 0));
                    return {};
                },
                [&](const Recurrent& l) { return addRecurrent(node, l, in[0], inShape); },
                [&](const Attention& l) { return addAttention(node, l, in[0], inShape); },
                [&](const PositionEmbedding& l) -> Result<void> {
                    addRows(node, in[0], l.offset, inShape);
                    return {};
                },
                [&](const TokenTypeEmbedding&) -> Result<void> {
                    addRows(node, in[0], 0, {1, inShape[1]});
                    return {};
                },
                [&](const ClassToken&) -> Result<void> {
                    addClassToken(node, in[0], inShape);
                    return {};
                },
                [&](const ToTokens&) -> Result<void> {
                    reshape(in[0], y + ".pixels", {0, inShape[0], -1});
                    transpose(y + ".pixels", y, {0, 2, 1});
                    return {};
                },
                [&](const SelectStep& l) -> Result<void> {
                    emit("Gather", {in[0], integers(y + ".step", {l.step < 0 ? l.step + inShape[0] : l.step}, true)},
                         {y}, Attributes().whole("axis", 1));
                    return {};
                },
                [&](const ShortcutPad& l) -> Result<void> {
                    addShortcut(y, l, in[0], inShape);
                    return {};
                },
                [&](const Product& l) -> Result<void> {
                    const auto a = l.transposeA ? transpose(in[0], y + ".a", {0, 2, 1}) : in[0];
                    const auto b = l.transposeB ? transpose(in[1], y + ".b", {0, 2, 1}) : in[1];
                    emit("MatMul", {a, b}, {y});
                    return {};
                },
                [&](const ArrayLayer&) -> Result<void> { return refuse("an imported operation"); },
                [&](const Constant&) -> Result<void> { return refuse("an imported operation"); },
                [&](const auto&) -> Result<void> { return refuse(kindName(node.layer)); },
            },
            node.layer);
    }

    static Attributes window(const Size2d& kernel, const Size2d& stride, const Padding2d& padding) {
        return Attributes()
            .wholes("kernel_shape", {kernel.height, kernel.width})
            .wholes("strides", {stride.height, stride.width})
            .wholes("pads", {padding.top, padding.left, padding.bottom, padding.right});
    }

    // Rows use Gemm, sequences MatMul and Add, as PyTorch exports them; a tied weight is used in its stored layout.
    void addDense(const model::Node& node, const Dense& l, const std::string& x, const Shape& shape) {
        const auto& y = node.name;
        const auto& weight = m_network.parameters[at(node.parameters[0])];
        const bool tied = weight.owner != node.id;
        if (shape.size() == 1 || tied) {
            std::vector<std::string> inputs{x, parameter(weight.id)};
            if (l.bias) inputs.push_back(parameter(node.parameters[1]));
            if (shape.size() == 1) return emit("Gemm", inputs, {y}, Attributes().whole("transB", 1));
            inputs[0] = reshape(x, y + ".rows", {-1, shape.back()});
            emit("Gemm", inputs, {y + ".product"}, Attributes().whole("transB", 1));
            auto dims = std::vector<std::int64_t>{-1};
            dims.insert(dims.end(), shape.begin(), shape.end() - 1);
            dims.push_back(l.units);
            reshape(y + ".product", y, std::move(dims));
            return;
        }
        const auto units = weight.spec.shape[0], features = weight.spec.shape[1];
        const auto turned = [units, features](const std::vector<float>& values) {
            std::vector<float> result(values.size());
            for (std::int64_t u = 0; u < units; ++u)
                for (std::int64_t f = 0; f < features; ++f)
                    result[static_cast<std::size_t>(f * units + u)] =
                        values[static_cast<std::size_t>(u * features + f)];
            return result;
        };
        const auto matrix = parameter(weight.id, weight.name, {features, units}, turned);
        emit("MatMul", {x, matrix}, {l.bias ? y + ".product" : y});
        if (l.bias) emit("Add", {y + ".product", parameter(node.parameters[1])}, {y});
    }

    void addActivation(ActivationKind kind, const std::string& x, const std::string& y) {
        switch (kind) {
            case ActivationKind::Relu:
                return emit("Relu", {x}, {y});
            case ActivationKind::Relu6:
                return emit("Clip",
                            {x, constant(y + ".low", {}, [] { return std::vector<float>{0}; }),
                             constant(y + ".high", {}, [] { return std::vector<float>{6}; })},
                            {y});
            case ActivationKind::Sigmoid:
                return emit("Sigmoid", {x}, {y});
            case ActivationKind::Tanh:
                return emit("Tanh", {x}, {y});
            case ActivationKind::Gelu:
                return emit("Gelu", {x}, {y}, Attributes().text("approximate", "none"));
            case ActivationKind::GeluTanh:
                return emit("Gelu", {x}, {y}, Attributes().text("approximate", "tanh"));
            case ActivationKind::Swish:
                emit("Sigmoid", {x}, {y + ".gate"});
                return emit("Mul", {x, y + ".gate"}, {y});
        }
    }

    // The rows of a table from `first` on, added to every sample.
    void addRows(const model::Node& node, const std::string& x, std::int64_t first, const Shape& shape) {
        const auto count = shape[0] * shape[1], begin = first * shape[1];
        const auto rows =
            parameter(node.parameters[0], node.name + ".rows", shape, [count, begin](const std::vector<float>& values) {
                const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
                return std::vector<float>(from, from + static_cast<std::ptrdiff_t>(count));
            });
        emit("Add", {x, rows}, {node.name});
    }

    void addClassToken(const model::Node& node, const std::string& x, const Shape& shape) {
        const auto& y = node.name;
        emit("Shape", {x}, {y + ".batch"}, Attributes().whole("start", 0).whole("end", 1));
        emit("Concat", {y + ".batch", integers(y + ".rest", {1, shape[1]})}, {y + ".size"},
             Attributes().whole("axis", 0));
        const auto token = parameter(node.parameters[0], {}, {1, 1, shape[1]});
        emit("Expand", {token, y + ".size"}, {y + ".token"});
        emit("Concat", {y + ".token", x}, {y}, Attributes().whole("axis", 1));
    }

    void addShortcut(const std::string& y, const ShortcutPad& l, const std::string& x, const Shape& shape) {
        auto image = x;
        if (l.stride > 1) {
            image = y + ".pixels";
            emit("Slice",
                 {x, integers(y + ".starts", {0, 0}), integers(y + ".ends", {shape[1], shape[2]}),
                  integers(y + ".axes", {2, 3}), integers(y + ".steps", {l.stride, l.stride})},
                 {image});
        }
        const auto side = (l.channels - shape[0]) / 2;
        emit("Pad", {image, integers(y + ".pads", {0, side, 0, 0, 0, side, 0, 0})}, {y},
             Attributes().text("mode", "constant"));
    }

    Result<void> addAttention(const model::Node& node, const Attention& l, const std::string& x, const Shape& shape) {
        if (l.cachedTokens > 0) return refuse("attention to a cache");
        const auto& y = node.name;
        const auto tokens = shape[0], features = shape[1] / 3, width = features / l.heads;
        emit("Split", {x}, {y + ".q", y + ".k", y + ".v"}, Attributes().whole("axis", 2).whole("num_outputs", 3));
        const auto heads = [&](const std::string& part, const std::vector<std::int64_t>& order) {
            const auto name = y + "." + part;
            reshape(name, name + ".parted", {0, 0, l.heads, width});
            return transpose(name + ".parted", name + ".heads", order);
        };
        const auto q = heads("q", {0, 2, 1, 3}), k = heads("k", {0, 2, 3, 1}), v = heads("v", {0, 2, 1, 3});
        emit("MatMul", {q, k}, {y + ".scores"});
        const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(width)));
        emit("Mul", {y + ".scores", constant(y + ".scale", {}, [scale] { return std::vector<float>{scale}; })},
             {y + ".scaled"});
        auto scores = y + ".scaled";
        if (l.causal) {
            const auto mask = constant(y + ".mask", {tokens, tokens}, [tokens] {
                std::vector<float> values(static_cast<std::size_t>(tokens * tokens), 0);
                for (std::int64_t t = 0; t < tokens; ++t)
                    for (std::int64_t s = t + 1; s < tokens; ++s)
                        values[static_cast<std::size_t>(t * tokens + s)] = std::numeric_limits<float>::lowest();
                return values;
            });
            emit("Add", {scores, mask}, {y + ".masked"});
            scores = y + ".masked";
        }
        emit("Softmax", {scores}, {y + ".weights"}, Attributes().whole("axis", -1));
        emit("MatMul", {y + ".weights", v}, {y + ".context"});
        transpose(y + ".context", y + ".tokens", {0, 2, 1, 3});
        reshape(y + ".tokens", y, {0, 0, features});
        return {};
    }

    // Gates of `cell` in ONNX's order: i o f c; z r h.
    static std::vector<std::int64_t> gateOrder(RecurrentCell cell) {
        if (cell == RecurrentCell::Lstm) return {0, 3, 1, 2};
        return cell == RecurrentCell::Gru ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{0};
    }

    Result<void> addRecurrent(const model::Node& node, const Recurrent& l, const std::string& x, const Shape& shape) {
        if (l.carryState) return refuse("a state that is carried from step to step");
        const auto& y = node.name;
        const std::int64_t directions = l.bidirectional ? 2 : 1, features = shape[1], units = l.units;
        const auto order = gateOrder(l.cell);
        const auto gates = static_cast<std::int64_t>(order.size());
        // Both directions of weight (0), recurrent (1) or bias (2), its rows in gate blocks.
        const auto joined = [&](std::size_t which, std::int64_t columns, std::int64_t zeros, const char* name,
                                Shape dims) {
            std::vector<const Parameter*> parts;
            for (std::int64_t d = 0; d < directions; ++d)
                parts.push_back(&m_network.parameters[at(node.parameters[static_cast<std::size_t>(d) * 3 + which])]);
            m_stored.push_back({y + "." + name,
                                std::move(dims),
                                [parts, order, units, columns, zeros, seed = m_seed]() -> Result<std::vector<float>> {
                                    std::vector<float> all;
                                    for (const auto* part : parts) {
                                        std::vector<float> values;
                                        TRY(initialValues(*part, seed, values));
                                        for (auto gate : order) {
                                            const auto from = values.begin() + gate * units * columns;
                                            all.insert(all.end(), from, from + units * columns);
                                        }
                                        all.insert(all.end(), static_cast<std::size_t>(zeros), 0.0F);
                                    }
                                    return all;
                                },
                                {}});
            return y + "." + name;
        };
        const auto w = joined(0, features, 0, "W", {directions, gates * units, features});
        const auto r = joined(1, units, 0, "R", {directions, gates * units, units});
        const auto b = joined(2, 1, gates * units, "B", {directions, 2 * gates * units});
        auto attributes = Attributes().whole("hidden_size", units);
        attributes.text("direction", l.bidirectional ? "bidirectional" : "forward");
        if (l.cell == RecurrentCell::Gru) attributes.whole("linear_before_reset", 1);
        const auto* kind = l.cell == RecurrentCell::Lstm ? "LSTM" : l.cell == RecurrentCell::Gru ? "GRU" : "RNN";
        transpose(x, y + ".steps", {1, 0, 2});
        if (l.returnSequence) {
            emit(kind, {y + ".steps", w, r, b}, {y + ".all"}, attributes);
            transpose(y + ".all", y + ".samples", {2, 0, 1, 3});
            reshape(y + ".samples", y, {0, 0, directions * units});
        } else {
            emit(kind, {y + ".steps", w, r, b}, {"", y + ".last"}, attributes);
            transpose(y + ".last", y + ".samples", {1, 0, 2});
            reshape(y + ".samples", y, {0, directions * units});
        }
        return {};
    }

    void addHead(const Head& head) {
        auto name = nameOf(head.logits);
        const auto& shape = shapeOf(head.logits);
        const auto kind = head.loss == LossKind::SoftmaxCrossEntropy   ? "Softmax"
                          : head.loss == LossKind::SigmoidCrossEntropy ? "Sigmoid"
                                                                       : "Identity";
        const auto answer = name + ".answer";
        emit(kind, {name}, {answer},
             head.loss == LossKind::SoftmaxCrossEntropy ? Attributes().whole("axis", -1) : Attributes());
        protozero::pbf_writer(m_values).add_message(field::kGraphOutput, valueInfo(answer, shape, ElementType::Float));
    }

    const model::Graph& m_network;
    std::uint64_t m_seed;
    std::vector<bool> m_live;
    std::map<NodeId, std::string> m_name;
    std::vector<Stored> m_stored;
    std::string m_nodes, m_values;  // fields of the graph: nodes; inputs and outputs
};

}  // namespace

Result<void> exportNetwork(const model::Graph& network, const std::string& path, std::uint64_t seed) {
    Exporter exporter(network, seed);
    TRY(exporter.collect());
    return exporter.write(path);
}

std::string tensorBytes(std::string_view name, const Shape& shape, std::span<const float> values) {
    auto bytes = tensorHead(name, shape, ElementType::Float);
    protozero::pbf_writer writer(bytes);
    writer.add_bytes(field::kTensorRaw, reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return bytes;
}

}  // namespace steelyard::model::onnx
