// SPDX-License-Identifier: Apache-2.0
// Infrastructure for translating the operators of an ONNX graph. Internal to engine/model/onnx.
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

// Quantised integers and their real values: (value - zeros[k]) scales[k], where element i of the tensor has k = i /
// inner modulo the number of scales.
struct StoredGrid {
    std::vector<double> scales, zeros;  // of equal length
    std::int64_t inner = 1;
    bool inEightBits = false;  // value - zeros[k] is from -128 to 127

    void apply(std::span<double> values) const;
    void apply(std::span<float> values) const;
};

// Scores overwritten by a mask with this or less have no weight beside others: exp(-10,000) is zero in every format.
inline constexpr double kHiddenScore = -1e4;

// A value of the graph during translation: a constant, or the result of a layer.
struct Value {
    Shape shape;
    ElementType type = ElementType::Float;
    NodeId node = -1;                                 // of the network; -1 while it is a constant only
    std::shared_ptr<const std::vector<double>> data;  // constant
    std::optional<double> uniform;                    // constant: all elements have this value
    const Tensor* tensor = nullptr;                   // constant: in the file, with as many elements
    std::shared_ptr<const StoredGrid> grid;           // with a tensor: its elements are integers on this grid
    std::shared_ptr<const StoredGrid> steps;          // constant: all elements are whole steps of this grid
    NodeId levels = -1;                               // of rounded values: the same values as a floating node
    bool isWeight = false;                            // an initializer of a floating type

    [[nodiscard]] bool isKnown() const { return data != nullptr || uniform.has_value() || tensor != nullptr; }
};

class Importer;

// One node being translated. Errors name it.
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
    [[nodiscard]] bool uses(std::size_t output) const;         // has readers
    [[nodiscard]] bool isReadBy(std::string_view kind) const;  // its first output is read by a node of that kind
    // Only valid if has(i), or if the operator requires it: translate() has checked required inputs.
    [[nodiscard]] const Value& in(std::size_t i) const;
    [[nodiscard]] const Shape& shape(std::size_t i = 0) const { return in(i).shape; }
    [[nodiscard]] std::int64_t rank(std::size_t i = 0) const { return static_cast<std::int64_t>(shape(i).size()); }
    [[nodiscard]] bool isMovedInput(std::size_t i) const;  // a graph input, possibly transposed or reshaped
    [[nodiscard]] Result<std::vector<double>> numbers(std::size_t i) const;       // of a constant input
    [[nodiscard]] Result<std::vector<std::int64_t>> wholes(std::size_t i) const;  // of a constant input

    [[nodiscard]] std::int64_t whole(std::string_view attribute, std::int64_t otherwise) const;
    [[nodiscard]] double real(std::string_view attribute, double otherwise) const;
    [[nodiscard]] std::string text(std::string_view attribute, std::string otherwise) const;
    [[nodiscard]] std::vector<std::int64_t> list(std::string_view attribute) const;
    [[nodiscard]] Result<std::int64_t> axis(std::int64_t value, std::int64_t rank) const;
    [[nodiscard]] Result<std::vector<std::int64_t>> axes(std::vector<std::int64_t> values, std::int64_t rank) const;

    // Whether quantised values become values with a grid (ImportOptions::eightBits).
    [[nodiscard]] bool inEightBits() const;
    // The same condition, and that of ByteReaders for this QuantizeLinear.
    [[nodiscard]] bool isReadInBytes() const;
    [[nodiscard]] bool isNeverNegative(std::size_t i) const;  // known from the layers that compute input i
    void declare(const Value& value, const ByteGrid& grid) const;
    void noteQuantised() const;  // the file quantises a value that is not constant

    void set(std::size_t output, Value value) const;
    [[nodiscard]] Result<void> setResult(Result<Value> value) const;  // sets output 0, or passes the error on
    // An array operation; evaluated immediately if all operands are constant.
    [[nodiscard]] Result<Value> apply(ArrayOperation operation, const std::vector<Value>& operands,
                                      std::optional<ElementType> type = {}) const;
    [[nodiscard]] Result<Value> reshaped(const Value& value, Shape shape) const;
    [[nodiscard]] Result<Value> transposed(const Value& value, const std::vector<std::int64_t>& order) const;
    [[nodiscard]] Result<Value> sliced(const Value& value, std::int64_t axis, std::int64_t start, std::int64_t step,
                                       std::int64_t count) const;
    // A layer of layer.h on non-constant values; `parameters` in the order of parametersOf.
    struct Stored {
        const Value* value = nullptr;
        std::string name;
        Shape shape;
        Init init;
        bool transposed = false;  // of a matrix: stored transposed in the file
        double scale = 1;
        bool trainable = true;
        bool drawnSmall = false;  // initialised by `init` even if it is a vector, unless the file's weights are used
        std::vector<std::int64_t> blocks;  // of equal length: their first elements in the constant; empty: all of it
    };
    [[nodiscard]] Result<Value> layer(Layer layer, const std::vector<Value>& operands,
                                      const std::vector<Stored>& parameters, Shape shape) const;

private:
    Importer& m_importer;
    const Node& m_node;
};

using Translate = std::function<Result<void>(const NodeContext&)>;
struct Operator {
    std::size_t needed = 1;  // number of required inputs
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

// A branch of an If: its outputs replace the node's.
[[nodiscard]] Result<void> inlineBranch(const NodeContext& context, const Graph& graph);
[[nodiscard]] std::int64_t elements(const Shape& shape);
[[nodiscard]] Value knownValue(Shape shape, ElementType type, std::vector<double> values);
[[nodiscard]] inline bool isFloat(const Value& value) {
    return isFloating(value.type);
}

}  // namespace steelyard::model::onnx
