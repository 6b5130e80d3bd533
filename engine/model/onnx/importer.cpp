// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "engine/core/messages/core.h"
#include "engine/core/messages/onnx.h"
#include "engine/model/array/strides.h"
#include "engine/model/onnx/byte_readers.h"
#include "engine/model/onnx/patterns.h"

namespace steelyard::model::onnx {
namespace {

constexpr std::int64_t kOldestOpset = 7, kNewestOpset = 22;
constexpr std::int64_t kMostKnown = std::int64_t{1} << 24;  // elements of a computed constant: 64 MiB as Float32
constexpr double kMostWork = 3e8;                           // total steps of all computed constants

// The content of a network parameter, read from the file on demand by a backend.
class StoredValues final : public ParameterValues {
public:
    StoredValues(std::shared_ptr<const File> file, const NodeContext::Stored& stored)
        : m_file(std::move(file)),
          m_value(*stored.value),
          m_from(stored.transposed ? stored.value->shape : Shape{}),
          m_blocks(stored.blocks),
          m_scale(stored.scale) {}

    [[nodiscard]] std::vector<float> rowSteps(std::int64_t rows) const override {
        const auto& grid = m_value.steps;
        const auto count = elements(m_value.shape);
        if (grid == nullptr || !grid->inEightBits || !m_blocks.empty() || rows < 1 || count % rows != 0) return {};
        // Transposed: the rows are the columns in the file.
        const bool transposed = m_from.size() == 2;
        const auto length = count / rows;
        std::vector<float> steps;
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto stepAt = [&](std::int64_t i) {
                const auto place = transposed ? i * rows + r : r * length + i;
                return grid->scales[static_cast<std::size_t>(place / grid->inner) % grid->scales.size()];
            };
            for (std::int64_t i = 1; i < length; ++i)
                if (stepAt(i) != stepAt(0)) return {};
            steps.push_back(static_cast<float>(stepAt(0) * std::abs(m_scale)));
        }
        return steps;
    }

    [[nodiscard]] Result<void> read(std::span<float> values) const override {
        if (m_blocks.empty()) return readAll(values);
        std::vector<float> all(static_cast<std::size_t>(elements(m_value.shape)));
        TRY(readAll(all));
        const auto length = values.size() / m_blocks.size();
        for (std::size_t i = 0; i < m_blocks.size(); ++i)
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(m_blocks[i]), length,
                        values.begin() + static_cast<std::ptrdiff_t>(i * length));
        return {};
    }

private:
    [[nodiscard]] Result<void> readAll(std::span<float> values) const {
        if (m_value.uniform) {
            std::fill(values.begin(), values.end(), static_cast<float>(*m_value.uniform * m_scale));
            return {};
        }
        if (m_value.data != nullptr) {
            std::transform(m_value.data->begin(), m_value.data->end(), values.begin(),
                           [](double v) { return static_cast<float>(v); });
        } else {
            TRY(readTensor(*m_value.tensor, m_file->path, values));
            if (m_value.grid != nullptr) m_value.grid->apply(values);
        }
        if (m_from.size() == 2) {
            const std::vector<float> before(values.begin(), values.end());
            const auto rows = static_cast<std::size_t>(m_from[0]), columns = static_cast<std::size_t>(m_from[1]);
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < columns; ++c) values[c * rows + r] = before[r * columns + c];
        }
        if (m_scale != 1)
            for (auto& value : values) value *= static_cast<float>(m_scale);
        return {};
    }

    std::shared_ptr<const File> m_file;
    Value m_value;
    Shape m_from;
    std::vector<std::int64_t> m_blocks;
    double m_scale;
};

const Operators& operators() {
    static const Operators all = [] {
        Operators result;
        addElementwise(result);
        addShaping(result);
        addLookUps(result);
        addMatrices(result);
        addWindows(result);
        addRecurrent(result);
        addQuantised(result);
        return result;
    }();
    return all;
}

double rounded(ElementType type, double value) {
    if (type == ElementType::Float || type == ElementType::Float16 || type == ElementType::BFloat16)
        return static_cast<double>(static_cast<float>(value));
    return value;
}

bool isInteger(ElementType type) {
    return !isFloating(type) && bytesOf(type) > 0;
}

// Steps of the naive loops.
double workOf(const ArrayOperation& operation, const std::vector<Shape>& shapes, const Shape& output) {
    double work = arrayMacs(operation, shapes, output);
    double count = 1;
    for (auto extent : output) count *= static_cast<double>(extent);
    if (const auto* pool = std::get_if<PoolNd>(&operation)) {
        work = count;
        for (auto extent : pool->kernel) work *= static_cast<double>(extent);
    }
    if (const auto* normalise = std::get_if<Normalise>(&operation);
        normalise != nullptr && normalise->kind == NormaliseKind::LocalResponse)
        work = count * static_cast<double>(std::min(normalise->size, shapes[0][1]));
    return work;
}

Init drawnInit(const Shape& shape) {
    if (shape.size() < 2) return {InitKind::Constant, 0, 1, 1};
    const auto count = elements(shape);
    const auto fanIn = std::max<std::int64_t>(1, count / std::max<std::int64_t>(1, shape.front()));
    return {InitKind::GlorotUniform, 0, fanIn, std::max<std::int64_t>(1, shape.front())};
}

}  // namespace

std::int64_t elements(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

namespace {

template <class T>
void applyGrid(const StoredGrid& grid, std::span<T> values) {
    const auto inner = static_cast<std::size_t>(grid.inner);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto k = i / inner % grid.scales.size();
        values[i] = static_cast<T>((static_cast<double>(values[i]) - grid.zeros[k]) * grid.scales[k]);
    }
}

}  // namespace

void StoredGrid::apply(std::span<double> values) const {
    applyGrid(*this, values);
}

void StoredGrid::apply(std::span<float> values) const {
    applyGrid(*this, values);
}

Value knownValue(Shape shape, ElementType type, std::vector<double> values) {
    Value value;
    value.shape = std::move(shape);
    value.type = type;
    for (auto& v : values) v = rounded(type, v);
    value.data = std::make_shared<const std::vector<double>>(std::move(values));
    return value;
}

class Importer {
public:
    Importer(std::shared_ptr<const File> file, const ImportOptions& options)
        : m_file(std::move(file)), m_options(options) {}

    Result<Imported> run() && {
        TRY(checkOpset());
        m_result.graph.name = m_file->graph.name.empty() ? "onnx" : m_file->graph.name;
        m_result.graph.wholeShapes = true;
        auto wanted = m_options.outputs;
        if (wanted.empty())
            for (const auto& output : m_file->graph.outputs) wanted.push_back(output.name);
        if (wanted.empty()) return fail(ErrorKind::InvalidArgument, m_file->path, messages::graphWithoutOutputs());
        findLive(m_file->graph, wanted, true);
        TRY(checkNames(wanted));
        m_scopes.emplace_back();
        for (const auto& tensor : m_file->graph.initializers) TRY(defineInitializer(tensor));
        TRY(defineInputs());
        TRY(translateNodes(m_file->graph));
        TRY(defineOutputs(wanted));
        finish();
        return std::move(m_result);
    }

    [[nodiscard]] const File& file() const { return *m_file; }
    [[nodiscard]] std::int64_t opset() const { return m_opset; }
    [[nodiscard]] bool isLive(const std::string& name) const { return m_live.contains(name); }
    [[nodiscard]] bool isMovedInput(NodeId id) const {
        while (id >= 0) {
            const auto& node = m_result.graph.nodes[static_cast<std::size_t>(id)];
            if (std::holds_alternative<model::Input>(node.layer)) return true;
            const auto* array = std::get_if<ArrayLayer>(&node.layer);
            if (array == nullptr || !std::holds_alternative<Rearrange>(array->operation)) return false;
            id = node.inputs.front();
        }
        return false;
    }

    [[nodiscard]] const Value* find(const std::string& name) const {
        for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end()) return &found->second;
        return nullptr;
    }
    [[nodiscard]] bool inEightBits() const { return m_options.eightBits; }
    void noteQuantised() { m_result.isQuantised = true; }
    // For the QuantizeLinear of a value: ByteReaders::all.
    [[nodiscard]] bool isReadInBytes(const Node& node, NodeId value) {
        if (!m_byteReaders) m_byteReaders.emplace(m_file->graph, m_options.outputs);
        const auto numberOf = [this](const std::string& name) -> std::optional<double> {
            const auto* found = find(name);
            if (found == nullptr || !found->isKnown() || elements(found->shape) != 1) return std::nullopt;
            const auto data = dataOf(*found);
            return data ? std::optional((*data)->front()) : std::nullopt;
        };
        return m_byteReaders->all(
            {node.outputs[0], node.inputs[1], node.inputs.size() > 2 ? node.inputs[2] : "", isStoredInBytes(value)},
            numberOf);
    }
    // Whether the layer can write 8 bits.
    [[nodiscard]] bool isStoredInBytes(NodeId id) const {
        const auto& node = m_result.graph.nodes[static_cast<std::size_t>(id)];
        if (std::holds_alternative<Flatten>(node.layer)) return isStoredInBytes(node.inputs.front());
        return std::holds_alternative<Conv2d>(node.layer) || std::holds_alternative<Dense>(node.layer) ||
               std::holds_alternative<BatchNorm>(node.layer) || std::holds_alternative<Activation>(node.layer) ||
               std::holds_alternative<Add>(node.layer) || std::holds_alternative<Concat>(node.layer) ||
               std::holds_alternative<Pool2d>(node.layer);
    }
    [[nodiscard]] bool isNeverNegative(NodeId id) const {
        while (id >= 0) {
            const auto& node = m_result.graph.nodes[static_cast<std::size_t>(id)];
            if (const auto* activation = std::get_if<Activation>(&node.layer))
                return activation->kind == ActivationKind::Relu || activation->kind == ActivationKind::Relu6 ||
                       activation->kind == ActivationKind::Sigmoid;
            const auto* array = std::get_if<ArrayLayer>(&node.layer);
            const bool keeps = std::holds_alternative<Flatten>(node.layer) ||
                               std::holds_alternative<Pool2d>(node.layer) ||
                               std::holds_alternative<GlobalAveragePool>(node.layer) ||
                               (array != nullptr && std::holds_alternative<Rearrange>(array->operation));
            if (!keeps) return false;
            id = node.inputs.front();
        }
        return false;
    }
    // If a value is quantised several times, the coarsest grid covers all of them.
    void declare(NodeId id, const ByteGrid& grid) {
        auto& declared = m_result.graph.nodes[static_cast<std::size_t>(id)].grid;
        if (!declared) declared = ByteGrid{grid.isSigned, 0};
        declared->isSigned = declared->isSigned || grid.isSigned;
        declared->range = std::max(declared->range, grid.range);
    }
    void define(const std::string& name, Value value) { m_scopes.back().insert_or_assign(name, std::move(value)); }

    Result<std::shared_ptr<const std::vector<double>>> dataOf(const Value& value) const {
        if (value.data != nullptr) return value.data;
        if (elements(value.shape) > kMostKnown)
            return fail(ErrorKind::Unsupported, m_file->path, messages::constantTooLarge());
        if (value.uniform)
            return std::make_shared<const std::vector<double>>(static_cast<std::size_t>(elements(value.shape)),
                                                               *value.uniform);
        ASSIGN(auto values, tensorValues(*value.tensor, m_file->path));
        if (value.grid != nullptr) value.grid->apply(std::span(values));
        return std::make_shared<const std::vector<double>>(std::move(values));
    }

    Result<Value> apply(const NodeContext& context, ArrayOperation operation, const std::vector<Value>& operands,
                        ElementType type) {
        std::vector<Shape> shapes;
        for (const auto& operand : operands) shapes.push_back(operand.shape);
        auto shape = arrayShape(operation, shapes);
        if (!shape) return context.invalid(shape.error().detail);
        if (std::all_of(operands.begin(), operands.end(), [](const Value& v) { return v.isKnown(); })) {
            ASSIGN(auto known, computed(context, operation, operands, *shape, type));
            if (known) return *known;
        }
        if (elements(*shape) == 0) return context.unsupported(messages::emptyResult());
        const bool matrix = arrayMacs(operation, shapes, *shape) > 0 || std::holds_alternative<LookUp>(operation) ||
                            std::holds_alternative<Normalise>(operation);
        const auto* map = std::get_if<Map>(&operation);
        const bool scales =
            map != nullptr && (map->kind == MapKind::Add || map->kind == MapKind::Mul || map->kind == MapKind::PRelu ||
                               map->kind == MapKind::Sub || map->kind == MapKind::Div);
        std::vector<NodeId> inputs;
        for (const auto& operand : operands) {
            bool weight = operand.isWeight && (matrix || (scales && elements(operand.shape) > 1));
            if (weight && !matrix) {
                ASSIGN(const bool mask, isMask(operand));
                weight = !mask;
            }
            ASSIGN(const auto node, nodeOf(context, operand, weight));
            inputs.push_back(node);
        }
        return append(context, ArrayLayer{std::move(operation)}, std::move(inputs), {}, *shape, type);
    }

    Result<Value> append(const NodeContext& context, Layer layer, std::vector<NodeId> inputs,
                         std::vector<ParameterId> parameters, Shape shape, ElementType type) {
        if (elements(shape) > (std::int64_t{1} << 40)) return context.invalid(messages::resultTooLarge());
        model::Node node;
        node.id = static_cast<NodeId>(m_result.graph.nodes.size());
        node.name = uniqueName(context.node());
        node.layer = std::move(layer);
        node.inputs = std::move(inputs);
        node.parameters = std::move(parameters);
        for (auto p : node.parameters)
            if (m_result.graph.parameters[static_cast<std::size_t>(p)].owner < 0)
                m_result.graph.parameters[static_cast<std::size_t>(p)].owner = node.id;
        node.output = shape;
        node.type = isInteger(type) ? DataType::Int32 : DataType::Float32;
        m_result.graph.nodes.push_back(std::move(node));
        Value value;
        value.shape = std::move(shape);
        value.type = type;
        value.node = m_result.graph.nodes.back().id;
        return value;
    }

    Result<ParameterId> parameter(const NodeContext& context, const NodeContext::Stored& stored) {
        const auto& value = *stored.value;
        ParameterSpec spec{stored.name, stored.shape, stored.init, stored.trainable};
        const bool integer = isInteger(value.type);
        spec.type = integer ? DataType::Int32 : DataType::Float32;
        const bool drawn =
            !m_options.fileWeights && (stored.drawnSmall || (stored.trainable && stored.shape.size() >= 2));
        if (integer) TRY(checkIntegers(context, value));
        if (!drawn) spec.values = std::make_shared<StoredValues>(m_file, stored);
        // Matrices shared by several layers (tied embeddings) are one parameter.
        const bool shared = value.tensor != nullptr && stored.trainable && stored.shape.size() == 2;
        const auto key = std::make_tuple(sourceOf(value), stored.transposed, stored.scale, stored.shape, stored.blocks);
        if (const auto found = m_shared.find(key); shared && found != m_shared.end()) return found->second;
        const auto id = static_cast<ParameterId>(m_result.graph.parameters.size());
        if (shared) m_shared.emplace(key, id);
        if (shared && value.grid != nullptr) m_kept.push_back(value.grid);
        const auto owner = uniqueParameter(value.tensor != nullptr && !value.tensor->name.empty()
                                               ? value.tensor->name
                                               : context.node().name + "." + stored.name);
        m_result.graph.parameters.push_back({id, owner, std::move(spec), -1});
        return id;
    }

    // A square matrix with numbers that hide scores of an attention: no weight has such.
    Result<bool> isMask(const Value& value) const {
        constexpr std::int64_t kMostTokens = 4096;
        const auto& shape = value.shape;
        if (shape.size() < 2 || shape[shape.size() - 1] != shape[shape.size() - 2] || shape.back() > kMostTokens ||
            elements(shape) > kMostKnown)
            return false;
        ASSIGN(const auto values, dataOf(value));
        return std::any_of(values->begin(), values->end(), [](double v) { return v <= kHiddenScore; });
    }

    // Identity of a constant; null if it has no storage.
    static const void* sourceOf(const Value& value) {
        if (value.grid != nullptr) return value.grid.get();
        return value.tensor != nullptr ? static_cast<const void*>(value.tensor) : value.data.get();
    }

    // The node that provides this value at run time: for a constant a Constant operation.
    Result<NodeId> nodeOf(const NodeContext& context, const Value& value, bool weight) {
        if (value.node >= 0) return value.node;
        const void* source = sourceOf(value);
        const auto key = std::make_pair(source, fmt::format("{}", fmt::join(value.shape, "x")));
        if (source != nullptr)
            if (const auto found = m_constants.find(key); found != m_constants.end()) return found->second;
        NodeContext::Stored stored{&value, "constant", value.shape, drawnInit(value.shape)};
        stored.trainable = weight;
        if (stored.shape.empty()) stored.shape = {1};
        ASSIGN(const auto id, parameter(context, stored));
        ASSIGN(const auto constant, append(context, Constant{}, {}, {id}, value.shape, value.type));
        if (source != nullptr) m_constants.emplace(key, constant.node);
        if (value.data != nullptr) m_kept.push_back(value.data);
        if (value.grid != nullptr) m_kept.push_back(value.grid);
        return constant.node;
    }

    Result<void> inlineGraph(const NodeContext& context, const Graph& graph) {
        if (graph.outputs.size() < context.node().outputs.size())
            return context.invalid(messages::fewerBranchOutputs());
        std::vector<std::string> wanted;
        for (const auto& output : graph.outputs) wanted.push_back(output.name);
        findLive(graph, wanted, false);
        m_scopes.emplace_back();
        for (const auto& tensor : graph.initializers) TRY(defineInitializer(tensor));
        TRY(translateNodes(graph));
        std::vector<Value> values;
        for (const auto& name : wanted) {
            const auto* value = find(name);
            if (value == nullptr) return context.invalid(messages::branchWithoutValue(name));
            values.push_back(*value);
        }
        m_scopes.pop_back();
        for (std::size_t i = 0; i < context.node().outputs.size(); ++i) context.set(i, values[i]);
        return {};
    }

private:
    // Checks the names in the options against existing ones.
    Result<void> checkNames(const std::vector<std::string>& wanted) const {
        std::set<std::string> inputs, known;
        for (const auto& info : m_file->graph.inputs) {
            inputs.insert(info.name);
            known.insert(info.symbols.begin(), info.symbols.end());
        }
        for (const auto& [name, values] : m_options.values)
            if (!inputs.contains(name)) return unknownInput(name);
        for (const auto& [name, dims] : m_options.shapes)
            if (!inputs.contains(name) && (dims.size() != 1 || !known.contains(name))) return unknownInput(name);
        known = inputs;
        for (const auto& tensor : m_file->graph.initializers) known.insert(tensor.name);
        for (const auto& node : m_file->graph.nodes) known.insert(node.outputs.begin(), node.outputs.end());
        for (const auto& name : wanted)
            if (!known.contains(name)) return fail(ErrorKind::InvalidArgument, m_file->path, messages::noValue(name));
        return {};
    }

    Result<void> checkOpset() {
        const auto found = m_file->opsets.find("");
        if (found == m_file->opsets.end()) return fail(ErrorKind::Unsupported, m_file->path, messages::noOpset());
        m_opset = found->second;
        if (m_opset < kOldestOpset || m_opset > kNewestOpset)
            return fail(ErrorKind::Unsupported, m_file->path,
                        messages::opsetNotSupported(m_opset, kOldestOpset, kNewestOpset));
        return {};
    }

    // Names required by the requested outputs. Nodes are in topological order; everything in subgraphs counts as
    // required.
    void findLive(const Graph& graph, const std::vector<std::string>& wanted, bool fresh) {
        if (fresh) m_live.clear();
        m_live.insert(wanted.begin(), wanted.end());
        for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
            const bool live = std::any_of(node->outputs.begin(), node->outputs.end(),
                                          [&](const auto& name) { return m_live.contains(name); });
            if (live) addReads(*node, 0);
        }
    }
    void addReads(const Node& node, int depth) {
        m_live.insert(node.inputs.begin(), node.inputs.end());
        for (const auto& attribute : node.attributes)
            if (attribute.graph != nullptr && depth < 16) {
                for (const auto& inner : attribute.graph->nodes) addReads(inner, depth + 1);
                for (const auto& output : attribute.graph->outputs) m_live.insert(output.name);
            }
    }

    Result<void> defineInitializer(const Tensor& tensor) {
        if (!isLive(tensor.name)) return {};
        if (m_scopes.back().contains(tensor.name))
            return fail(ErrorKind::InvalidArgument, m_file->path, messages::duplicateValue(tensor.name));
        Value value;
        value.shape = tensor.shape;
        value.type = tensor.type;
        value.tensor = &tensor;
        value.isWeight = isFloating(tensor.type);
        if (bytesOf(tensor.type) == 0)
            return fail(ErrorKind::Unsupported, m_file->path, messages::valueType(tensor.name, toString(tensor.type)));
        define(tensor.name, std::move(value));
        return {};
    }

    Result<Shape> shapeOfInput(const ValueInfo& info) {
        const auto bad = [&](Message why) {
            return fail(ErrorKind::InvalidArgument, m_file->path, messages::ofInput(info.name, std::move(why)));
        };
        const auto given = m_options.shapes.find(info.name);
        if (given != m_options.shapes.end()) {
            if (info.hasShape && given->second.size() != info.dims.size())
                return bad(messages::rankDiffers(info.dims.size(), given->second.size()));
            for (std::size_t i = 0; i < given->second.size(); ++i) {
                if (given->second[i] < 1) return bad(messages::extentTooSmall());
                if (info.hasShape && info.dims[i] > 0 && info.dims[i] != given->second[i])
                    return bad(messages::dimensionFixed(i + 1, info.dims[i], given->second[i]));
                if (info.hasShape && !info.symbols[i].empty()) m_symbols.emplace(info.symbols[i], given->second[i]);
            }
            if (m_result.inputs.empty() && info.hasShape && !info.dims.empty() && info.dims[0] < 0 && m_options.batch &&
                *m_options.batch != given->second[0])
                return bad(messages::batchGivenTwice(given->second[0], *m_options.batch));
            return given->second;
        }
        if (!info.hasShape) return bad(messages::shapeNotInFile(info.name));
        Shape shape = info.dims;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i] > 0) continue;
            const auto& symbol = info.symbols[i];
            if (const auto found = m_symbols.find(symbol); !symbol.empty() && found != m_symbols.end()) {
                shape[i] = found->second;
                if (i == 0 && m_result.inputs.empty()) m_result.batchIsOpen = symbol == m_batchSymbol;
                continue;
            }
            if (i == 0) {
                shape[0] = m_options.batch.value_or(1);
                if (m_result.inputs.empty()) m_result.batchIsOpen = true;
                if (!symbol.empty()) {
                    m_symbols.emplace(symbol, shape[0]);
                    m_batchSymbol = symbol;
                }
                continue;
            }
            std::vector<std::string> text;
            for (std::size_t k = 0; k < shape.size(); ++k)
                text.push_back(shape[k] > 0 ? std::to_string(shape[k]) : k == 0 ? "1" : "?");
            return bad(messages::dimensionOpen(i + 1, symbol.empty() ? "" : fmt::format(" ({})", symbol), info.name,
                                               fmt::format("{}", fmt::join(text, "x"))));
        }
        return shape;
    }

    Result<void> defineInputs() {
        for (const auto& [name, dims] : m_options.shapes)
            if (dims.size() == 1) m_symbols.emplace(name, dims.front());
        for (const auto& info : m_file->graph.inputs) {
            if (m_scopes.back().contains(info.name)) continue;  // an initializer that is also listed as an input
            if (!isLive(info.name)) continue;
            if (!info.isTensor || bytesOf(info.type) == 0)
                return fail(ErrorKind::Unsupported, m_file->path,
                            info.isTensor ? messages::inputType(info.name, toString(info.type))
                                          : messages::notATensor(info.name));
            if (const auto value = m_options.values.find(info.name); value != m_options.values.end()) {
                const auto count = static_cast<std::int64_t>(value->second.size());
                const auto given = m_options.shapes.find(info.name);
                Shape shape = given != m_options.shapes.end() ? given->second : info.dims;
                const bool open = std::any_of(shape.begin(), shape.end(), [](auto extent) { return extent < 0; });
                if (!shape.empty() && (open || elements(shape) != count)) shape = {count};
                if (shape.empty() && value->second.size() != 1)
                    return fail(ErrorKind::InvalidArgument, m_file->path, messages::scalarInput(info.name));
                define(info.name, knownValue(shape, info.type, value->second));
                continue;
            }
            ASSIGN(auto shape, shapeOfInput(info));
            double count = 1;
            for (auto extent : shape) count *= static_cast<double>(extent);
            if (count > 0x1p40)
                return fail(ErrorKind::InvalidArgument, m_file->path, messages::inputTooLarge(info.name));
            Node source;
            source.name = info.name;
            const NodeContext context(*this, source);
            model::Input layer{shape.empty() ? Shape{1} : shape,
                               isInteger(info.type) ? DataType::Int32 : DataType::Float32, 0};
            ASSIGN(auto value, append(context, std::move(layer), {}, {}, shape, info.type));
            if (m_result.inputs.empty()) m_result.batch = shape.empty() ? 1 : shape.front();
            m_result.inputs.push_back({info.name, shape, info.type, value.node});
            define(info.name, std::move(value));
        }
        if (m_options.batch && *m_options.batch != m_result.batch)
            return fail(ErrorKind::InvalidArgument, m_file->path,
                        messages::fixedBatch(m_result.batch, *m_options.batch));
        return {};
    }

    // The actual inputs, as "x (batch x 3 x height x width)".
    Failure unknownInput(const std::string& name) const {
        std::vector<std::string> names;
        for (const auto& info : m_file->graph.inputs) {
            names.push_back(info.name);
            std::vector<std::string> extents;
            for (std::size_t i = 0; i < info.dims.size(); ++i)
                extents.push_back(info.dims[i] > 0          ? std::to_string(info.dims[i])
                                  : info.symbols[i].empty() ? "?"
                                                            : info.symbols[i]);
            if (!extents.empty()) names.back() += fmt::format(" ({})", fmt::join(extents, " x "));
        }
        return fail(ErrorKind::InvalidArgument, m_file->path,
                    messages::unknownInput(name, fmt::format("{}", fmt::join(names, ", "))));
    }

    Result<void> translateNodes(const Graph& graph) {
        for (const auto& node : graph.nodes) {
            for (const auto& output : node.outputs)
                if (!output.empty() && m_scopes.back().contains(output))
                    return NodeContext(*this, node).invalid(messages::valueDefinedTwice(output));
            const bool live =
                std::any_of(node.outputs.begin(), node.outputs.end(), [&](const auto& name) { return isLive(name); });
            if (live) TRY(translate(node));
        }
        return {};
    }

    Result<void> translate(const Node& node) {
        const NodeContext context(*this, node);
        const auto found = node.domain.empty() ? operators().find(node.kind) : operators().end();
        if (found == operators().end()) return context.unsupported({});
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (!node.inputs[i].empty() && find(node.inputs[i]) == nullptr)
                return context.invalid(messages::readBeforeDefined(node.inputs[i]));
        for (std::size_t i = 0; i < found->second.needed; ++i)
            if (!context.has(i)) return context.invalid(messages::inputMissing(i + 1));
        TRY(found->second.translate(context));
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            if (context.uses(i) && find(node.outputs[i]) == nullptr)
                return context.unsupported(messages::outputUsed(i + 1));
        return {};
    }

    Result<void> defineOutputs(const std::vector<std::string>& wanted) {
        for (const auto& name : wanted) {
            const auto* found = find(name);
            if (found == nullptr) return fail(ErrorKind::InvalidArgument, m_file->path, messages::noValue(name));
            auto value = *found;
            Node source;
            source.name = name;
            source.kind = "output";
            const NodeContext context(*this, source);
            const bool plain = value.node >= 0 && !isSource(value.node) && !m_heads.contains(value.node);
            if (!plain) {  // an input, a constant or a duplicate: through a separate operation
                ASSIGN(const auto node, nodeOf(context, value, false));
                ASSIGN(value, append(context, ArrayLayer{Map{MapKind::Identity}}, {node}, {}, value.shape, value.type));
            }
            m_heads.insert(value.node);
            m_result.outputs.push_back({name, value.shape, value.type, value.node});
            m_result.graph.heads.push_back({value.node, LossKind::None, 1.0, false});
        }
        return {};
    }
    [[nodiscard]] bool isSource(NodeId id) const {
        const auto& layer = m_result.graph.nodes[static_cast<std::size_t>(id)].layer;
        return std::holds_alternative<model::Input>(layer) || std::holds_alternative<Constant>(layer);
    }

    void finish() {
        recognisePatterns(m_result);
        m_result.graph.fixedBatch = m_result.batch;
        std::vector<std::string> texts;
        for (const auto& input : m_result.inputs)
            texts.push_back(fmt::format("{} {}", input.name, model::toString(input.shape)));
        m_result.inputsText = fmt::format("{}", fmt::join(texts, ", "));
    }

    Result<std::optional<Value>> computed(const NodeContext& context, const ArrayOperation& operation,
                                          const std::vector<Value>& operands, const Shape& shape, ElementType type) {
        const auto* map = std::get_if<Map>(&operation);
        const bool keepsUniform = operands.size() == 1 && operands[0].uniform &&
                                  (map != nullptr || std::holds_alternative<Rearrange>(operation));
        std::vector<Shape> shapes;
        double total = static_cast<double>(elements(shape));
        for (const auto& operand : operands) {
            shapes.push_back(operand.shape);
            total = std::max(total, static_cast<double>(elements(operand.shape)));
        }
        Value value;
        value.shape = shape;
        value.type = type;
        if (keepsUniform) {
            std::vector<double> one;
            value.uniform = operands[0].uniform;
            if (map != nullptr) {
                const bool ok = evaluateArray(operation, {{{1}, &*operands[0].uniform}}, {1}, one);
                value.uniform = ok ? rounded(type, one.front()) : 0;
            }
            return std::optional(value);
        }
        const double work = std::max(total, workOf(operation, shapes, shape));
        m_work += work;
        if (total > static_cast<double>(kMostKnown) || m_work > kMostWork) return std::optional<Value>();
        std::vector<std::shared_ptr<const std::vector<double>>> data;
        std::vector<ArrayView> views;
        for (const auto& operand : operands) {
            ASSIGN(auto known, dataOf(operand));
            data.push_back(std::move(known));
            views.push_back({operand.shape, data.back()->data()});
        }
        std::vector<double> result;
        if (!evaluateArray(operation, views, shape, result)) return context.invalid(messages::indexOutOfRange());
        value = knownValue(shape, type, std::move(result));
        value.isWeight = std::holds_alternative<Rearrange>(operation) && operands[0].isWeight;
        return std::optional(value);
    }

    Result<void> checkIntegers(const NodeContext& context, const Value& value) const {
        ASSIGN(const auto data, dataOf(value));
        for (const double v : *data)
            if (!(v >= -2147483648.0 && v <= 2147483647.0)) return context.unsupported(messages::integerTooWide(v));
        return {};
    }

    std::string uniqueName(const Node& node) {
        auto base = !node.name.empty() ? node.name : !node.outputs.empty() ? node.outputs.front() : node.kind;
        if (base.empty()) base = "node";
        const auto count = m_names[base]++;
        return count == 0 ? base : uniqueWith(base, count);
    }
    std::string uniqueWith(const std::string& base, int count) {
        for (;; ++count) {
            auto name = fmt::format("{}#{}", base, count + 1);
            if (m_names[name]++ == 0) return name;
        }
    }
    std::string uniqueParameter(const std::string& base) {
        const auto count = m_parameterNames[base]++;
        return count == 0 ? base : fmt::format("{}#{}", base, count + 1);
    }

    std::shared_ptr<const File> m_file;
    const ImportOptions& m_options;
    Imported m_result;
    std::int64_t m_opset = 0;
    std::vector<std::unordered_map<std::string, Value>> m_scopes;
    std::unordered_set<std::string> m_live;
    std::optional<ByteReaders> m_byteReaders;  // made on demand
    std::map<std::string, std::int64_t> m_symbols;
    std::string m_batchSymbol;
    std::set<NodeId> m_heads;
    std::unordered_map<std::string, int> m_names, m_parameterNames;
    std::map<std::pair<const void*, std::string>, NodeId> m_constants;
    std::map<std::tuple<const void*, bool, double, Shape, std::vector<std::int64_t>>, ParameterId> m_shared;
    std::vector<std::shared_ptr<const void>> m_kept;  // prevents reuse of addresses
    double m_work = 0;
};

std::int64_t NodeContext::opset() const {
    return m_importer.opset();
}

namespace {

const std::string& shownName(const Node& node) {
    return node.name.empty() && !node.outputs.empty() ? node.outputs.front() : node.name;
}

}  // namespace

Failure NodeContext::invalid(Message why) const {
    return fail(ErrorKind::InvalidArgument, m_importer.file().path,
                messages::atNode(shownName(m_node), m_node.kind, std::move(why)));
}

Failure NodeContext::unsupported(Message why) const {
    auto detail = messages::operatorAt(
        m_node.domain.empty() ? MessageArgument(m_node.kind) : messages::operatorOfDomain(m_node.kind, m_node.domain),
        shownName(m_node));
    if (!why.empty()) detail = steelyard::messages::withDetail(std::move(detail), std::move(why));
    for (const auto& input : m_node.inputs)
        if (const auto* value = m_importer.find(input); value != nullptr && value->node >= 0) {
            detail = steelyard::messages::listed(std::move(detail), messages::cutHere(input));
            break;
        }
    return fail(ErrorKind::Unsupported, m_importer.file().path, std::move(detail));
}

bool NodeContext::uses(std::size_t output) const {
    return output < m_node.outputs.size() && !m_node.outputs[output].empty() &&
           m_importer.isLive(m_node.outputs[output]);
}

bool NodeContext::isReadBy(std::string_view kind) const {
    const auto& nodes = m_importer.file().graph.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
        return node.kind == kind && !node.inputs.empty() && node.inputs.front() == m_node.outputs.front();
    });
}

const Value& NodeContext::in(std::size_t i) const {
    static const Value kNone;
    if (!has(i)) return kNone;
    const auto* value = m_importer.find(m_node.inputs[i]);
    return value == nullptr ? kNone : *value;
}

bool NodeContext::isMovedInput(std::size_t i) const {
    return m_importer.isMovedInput(in(i).node);
}

Result<std::vector<double>> NodeContext::numbers(std::size_t i) const {
    const auto& value = in(i);
    if (!value.isKnown()) return unsupported(messages::inputNotConstant(i + 1));
    ASSIGN(const auto data, m_importer.dataOf(value));
    return *data;
}

Result<std::vector<std::int64_t>> NodeContext::wholes(std::size_t i) const {
    ASSIGN(const auto values, numbers(i));
    std::vector<std::int64_t> result;
    for (const double v : values)
        result.push_back(v >= 9.2e18    ? std::numeric_limits<std::int64_t>::max()
                         : v <= -9.2e18 ? std::numeric_limits<std::int64_t>::min()
                                        : static_cast<std::int64_t>(v));
    return result;
}

std::int64_t NodeContext::whole(std::string_view attribute, std::int64_t otherwise) const {
    const auto* found = m_node.find(attribute);
    return found != nullptr && found->whole ? *found->whole : otherwise;
}

double NodeContext::real(std::string_view attribute, double otherwise) const {
    const auto* found = m_node.find(attribute);
    return found != nullptr && found->real ? static_cast<double>(*found->real) : otherwise;
}

std::string NodeContext::text(std::string_view attribute, std::string otherwise) const {
    const auto* found = m_node.find(attribute);
    return found != nullptr && found->text ? *found->text : otherwise;
}

std::vector<std::int64_t> NodeContext::list(std::string_view attribute) const {
    const auto* found = m_node.find(attribute);
    return found != nullptr ? found->wholes : std::vector<std::int64_t>{};
}

Result<std::int64_t> NodeContext::axis(std::int64_t value, std::int64_t rank) const {
    if (value < -rank || value >= rank) return invalid(messages::noAxis(value, rank));
    return value < 0 ? value + rank : value;
}

Result<std::vector<std::int64_t>> NodeContext::axes(std::vector<std::int64_t> values, std::int64_t rank) const {
    for (auto& value : values) {
        ASSIGN(value, axis(value, rank));
    }
    return values;
}

bool NodeContext::inEightBits() const {
    return m_importer.inEightBits();
}

bool NodeContext::isReadInBytes() const {
    return inEightBits() && m_importer.isReadInBytes(m_node, in(0).node);
}

bool NodeContext::isNeverNegative(std::size_t i) const {
    return m_importer.isNeverNegative(in(i).node);
}

void NodeContext::declare(const Value& value, const ByteGrid& grid) const {
    m_importer.declare(value.node, grid);
}

void NodeContext::noteQuantised() const {
    m_importer.noteQuantised();
}

void NodeContext::set(std::size_t output, Value value) const {
    if (output < m_node.outputs.size() && !m_node.outputs[output].empty())
        m_importer.define(m_node.outputs[output], std::move(value));
}

Result<void> NodeContext::setResult(Result<Value> value) const {
    ASSIGN(auto result, std::move(value));
    set(0, std::move(result));
    return {};
}

Result<Value> NodeContext::apply(ArrayOperation operation, const std::vector<Value>& operands,
                                 std::optional<ElementType> type) const {
    return m_importer.apply(*this, std::move(operation), operands,
                            type.value_or(operands.empty() ? ElementType::Float : operands.front().type));
}

Result<Value> NodeContext::reshaped(const Value& value, Shape shape) const {
    if (shape == value.shape) return value;
    if (elements(shape) != elements(value.shape))
        return invalid(messages::cannotReshape(model::toString(value.shape), model::toString(shape)));
    if (value.isKnown()) {
        auto result = value;
        result.shape = std::move(shape);
        return result;
    }
    if (!isFloat(value)) {  // Flatten applies to activations
        const auto count = elements(shape);
        return apply(Rearrange{{count}, {1}, 0, std::move(shape)}, {value});
    }
    return m_importer.append(*this, Flatten{}, {value.node}, {}, std::move(shape), value.type);
}

Result<Value> NodeContext::transposed(const Value& value, const std::vector<std::int64_t>& order) const {
    const auto strides = rowMajorStrides(value.shape);
    Rearrange move;
    std::vector<std::int64_t> moving;  // axes with more than one element, in their new order
    for (auto from : order) {
        move.extents.push_back(value.shape[static_cast<std::size_t>(from)]);
        move.strides.push_back(strides[static_cast<std::size_t>(from)]);
        if (move.extents.back() != 1) moving.push_back(from);
    }
    move.shape = move.extents;
    if (std::is_sorted(moving.begin(), moving.end())) return reshaped(value, move.shape);
    return apply(std::move(move), {value});
}

Result<Value> NodeContext::sliced(const Value& value, std::int64_t axis, std::int64_t start, std::int64_t step,
                                  std::int64_t count) const {
    Rearrange move;
    move.extents = value.shape;
    move.strides = rowMajorStrides(value.shape);
    const auto at = static_cast<std::size_t>(axis);
    if (start == 0 && step == 1 && count == value.shape[at]) return value;
    move.offset = count == 0 ? 0 : start * move.strides[at];
    move.strides[at] *= step;
    move.extents[at] = count;
    move.shape = move.extents;
    return apply(std::move(move), {value});
}

Result<Value> NodeContext::layer(Layer layer, const std::vector<Value>& operands, const std::vector<Stored>& parameters,
                                 Shape shape) const {
    std::vector<NodeId> inputs;
    for (const auto& operand : operands) {
        ASSIGN(const auto node, m_importer.nodeOf(*this, operand, false));
        inputs.push_back(node);
    }
    std::vector<ParameterId> ids;
    for (const auto& stored : parameters) {
        ASSIGN(const auto id, m_importer.parameter(*this, stored));
        ids.push_back(id);
    }
    return m_importer.append(*this, std::move(layer), std::move(inputs), std::move(ids), std::move(shape),
                             ElementType::Float);
}

Result<void> inlineBranch(const NodeContext& context, const Graph& graph) {
    return context.importer().inlineGraph(context, graph);
}

Result<Imported> import(std::shared_ptr<const File> file, const ImportOptions& options) {
    ASSIGN(auto imported, Importer(file, options).run());
    const auto again = [file, options](auto change) -> Result<model::Graph> {
        auto changed = options;
        change(changed);
        ASSIGN(auto other, import(file, changed));
        return std::move(other.graph);
    };
    // With another batch the same file gives another graph.
    imported.graph.atBatch = [again](std::int64_t wanted) {
        return again([wanted](ImportOptions& changed) { changed.batch = wanted; });
    };
    // The grids belong to the file's weights.
    if (imported.isQuantised && !options.eightBits)
        imported.graph.inEightBits = [again] {
            return again([](ImportOptions& changed) { changed.eightBits = changed.fileWeights = true; });
        };
    return imported;
}

}  // namespace steelyard::model::onnx
