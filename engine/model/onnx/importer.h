// SPDX-License-Identifier: Apache-2.0
// What the operators of an ONNX graph are translated with. Internal to engine/model/onnx.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/onnx/import.h"

namespace steelyard::model::onnx {

// Stored integers as the numbers they stand for: (value - zeros[k]) scales[k], where element i of the tensor belongs to
// k = i / inner modulo the number of scales.
struct StoredGrid {
    std::vector<double> scales, zeros;  // as many of both
    std::int64_t inner = 1;

    void apply(std::span<double> values) const;
    void apply(std::span<float> values) const;
};

// A value of the graph while it is translated: known now, or the result of a layer.
struct Value {
    Shape shape;
    ElementType type = ElementType::Float;
    NodeId node = -1;                                 // of the network; -1 while it is only known
    std::shared_ptr<const std::vector<double>> data;  // known
    std::optional<double> uniform;                    // known: every element is this
    const Tensor* tensor = nullptr;                   // known: in the file, of as many elements
    std::shared_ptr<const StoredGrid> grid;           // with a tensor: its elements are integers on this grid
    NodeId levels = -1;                               // of rounded values: the same ones as a floating node
    bool isWeight = false;                            // an initializer of a floating type

    [[nodiscard]] bool isKnown() const { return data != nullptr || uniform.has_value() || tensor != nullptr; }
};

class Importer;

// One node being translated. Functions that fail do so in its name.
class NodeContext {
public:
    NodeContext(Importer& importer, const Node& node) : m_importer(importer), m_node(node) {}

    [[nodiscard]] const Node& node() const { return m_node; }
    [[nodiscard]] Importer& importer() const { return m_importer; }
    [[nodiscard]] std::int64_t opset() const;
    [[nodiscard]] Failure invalid(Message why) const;
    [[nodiscard]] Failure unsupported(Message why) const;

    [[nodiscard]] std::size_t inputs() const { return m_node.inputs.size(); }
    [[nodiscard]] bool has(std::size_t i) const { return i < m_node.inputs.size() && !m_node.inputs[i].empty(); }
    [[nodiscard]] bool uses(std::size_t output) const;         // somebody reads it
    [[nodiscard]] bool isReadBy(std::string_view kind) const;  // its first output, by a node of that kind
    // Asked for only where has(i) or the operator needs it: translate() has checked those that are needed.
    [[nodiscard]] const Value& in(std::size_t i) const;
    [[nodiscard]] const Shape& shape(std::size_t i = 0) const { return in(i).shape; }
    [[nodiscard]] std::int64_t rank(std::size_t i = 0) const { return static_cast<std::int64_t>(shape(i).size()); }
    [[nodiscard]] bool isMovedInput(std::size_t i) const;  // of the graph, perhaps in another order or shape
    [[nodiscard]] Result<std::vector<double>> numbers(std::size_t i) const;       // a known input
    [[nodiscard]] Result<std::vector<std::int64_t>> wholes(std::size_t i) const;  // of a known input

    [[nodiscard]] std::int64_t whole(std::string_view attribute, std::int64_t otherwise) const;
    [[nodiscard]] double real(std::string_view attribute, double otherwise) const;
    [[nodiscard]] std::string text(std::string_view attribute, std::string otherwise) const;
    [[nodiscard]] std::vector<std::int64_t> list(std::string_view attribute) const;
    [[nodiscard]] Result<std::int64_t> axis(std::int64_t value, std::int64_t rank) const;
    [[nodiscard]] Result<std::vector<std::int64_t>> axes(std::vector<std::int64_t> values, std::int64_t rank) const;

    void set(std::size_t output, Value value) const;
    // An array operation; computed now where all operands are known.
    [[nodiscard]] Result<Value> apply(ArrayOperation operation, const std::vector<Value>& operands,
                                      std::optional<ElementType> type = {}) const;
    [[nodiscard]] Result<Value> reshaped(const Value& value, Shape shape) const;
    [[nodiscard]] Result<Value> transposed(const Value& value, const std::vector<std::int64_t>& order) const;
    [[nodiscard]] Result<Value> sliced(const Value& value, std::int64_t axis, std::int64_t start, std::int64_t step,
                                       std::int64_t count) const;
    // A layer of layer.h over values that are not known; `parameters` in the order of parametersOf.
    struct Stored {
        const Value* value = nullptr;
        std::string name;
        Shape shape;
        Init init;
        bool transposed = false;  // of a matrix: the file has it the other way round
        double scale = 1;
        bool trainable = true;
        bool drawnSmall = false;  // by `init` even where it is a vector, unless the file's weights are wanted
    };
    [[nodiscard]] Result<Value> layer(Layer layer, const std::vector<Value>& operands,
                                      const std::vector<Stored>& parameters, Shape shape) const;

private:
    Importer& m_importer;
    const Node& m_node;
};

using Translate = std::function<Result<void>(const NodeContext&)>;
struct Operator {
    std::size_t needed = 1;  // inputs that must be there
    Translate translate;
};
using Operators = std::map<std::string, Operator, std::less<>>;
void addElementwise(Operators& operators);  // operators_elementwise.cpp
void addShaping(Operators& operators);      // operators_shaping.cpp
void addLookUps(Operators& operators);      // operators_lookup.cpp
void addMatrices(Operators& operators);     // operators_matrix.cpp
void addWindows(Operators& operators);      // operators_window.cpp
void addRecurrent(Operators& operators);    // operators_recurrent.cpp
void addQuantised(Operators& operators);    // operators_quantised.cpp

// A branch of an If: its outputs become the node's.
[[nodiscard]] Result<void> inlineBranch(const NodeContext& context, const Graph& graph);
[[nodiscard]] std::int64_t elements(const Shape& shape);
[[nodiscard]] Value knownValue(Shape shape, ElementType type, std::vector<double> values);
[[nodiscard]] inline bool isFloat(const Value& value) {
    return isFloating(value.type);
}

}  // namespace steelyard::model::onnx
