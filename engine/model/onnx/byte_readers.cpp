// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/byte_readers.h"

#include <algorithm>
#include <set>

namespace steelyard::model::onnx {
namespace {

constexpr int kDeepest = 64;  // operators one behind the other

using Kinds = std::set<std::string, std::less<>>;

// Operators that only move their first input.
const Kinds& moves() {
    static const Kinds kinds{"Flatten", "Identity", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"};
    return kinds;
}

std::string inputOf(const Node& node, std::size_t i) {
    return i < node.inputs.size() ? node.inputs[i] : std::string();
}

// Dilated convolutions are array operations.
bool isDilated(const Node& node) {
    const auto* dilations = node.find("dilations");
    return dilations != nullptr && std::ranges::any_of(dilations->wholes, [](auto dilation) { return dilation != 1; });
}

// Whether scale and zero point, inputs 1 and 2, are those of the value.
bool isSameGrid(const Node& node, const ByteReaders::Quantised& value, const ByteReaders::NumberOf& numberOf) {
    const auto same = [&](const std::string& a, const std::string& b) {
        const auto number = [&](const std::string& name) { return name.empty() ? std::optional(0.0) : numberOf(name); };
        return a == b || (number(a) && number(a) == number(b));
    };
    return same(inputOf(node, 1), value.scale) && same(inputOf(node, 2), value.zero);
}

}  // namespace

ByteReaders::ByteReaders(const Graph& graph, const std::vector<std::string>& outputs)
    : m_outputs(outputs.begin(), outputs.end()) {
    add(graph, 0);
}

void ByteReaders::add(const Graph& graph, int depth) {
    for (const auto& output : graph.outputs) m_outputs.insert(output.name);
    for (const auto& tensor : graph.initializers) m_initializers.insert(tensor.name);
    for (const auto& node : graph.nodes) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) m_readers.emplace(node.inputs[i], Reader{&node, i});
        for (const auto& output : node.outputs) m_writers.emplace(output, &node);
        for (const auto& attribute : node.attributes)
            if (attribute.graph != nullptr && depth < kDeepest) add(*attribute.graph, depth + 1);
    }
}

// False for a value that is an output or is not read.
template <class Accepts>
bool ByteReaders::allReaders(const std::string& name, const Accepts& accepts) const {
    const auto [first, last] = m_readers.equal_range(name);
    if (first == last || m_outputs.contains(name)) return false;
    return std::all_of(first, last, [&](const auto& found) {
        const auto& [node, input] = found.second;
        return node->domain.empty() && node->outputs.size() == 1 && accepts(*node, input);
    });
}

bool ByteReaders::all(const Quantised& value, const NumberOf& numberOf) const {
    return onlyDequantise(value.integers, value, numberOf, 0);
}

bool ByteReaders::onlyDequantise(const std::string& integers, const Quantised& value, const NumberOf& numberOf,
                                 int depth) const {
    if (depth > kDeepest) return false;
    return allReaders(integers, [&](const Node& node, std::size_t input) {
        const bool dequantises = input == 0 && isSameGrid(node, value, numberOf);
        if (node.kind == "DequantizeLinear")
            return dequantises && readBytes(node.outputs[0], value, numberOf, depth + 1);
        if (node.kind == "QLinearConv" || node.kind == "QLinearMatMul")
            return dequantises && isConstant(inputOf(node, 3), 0) && !isDilated(node);
        const bool keeps = moves().contains(node.kind) || (node.kind == "MaxPool" && value.isStored);
        return keeps && input == 0 && onlyDequantise(node.outputs[0], value, numberOf, depth + 1);
    });
}

bool ByteReaders::readBytes(const std::string& name, const Quantised& value, const NumberOf& numberOf,
                            int depth) const {
    static const Kinds kProducts{"Conv", "Gemm", "MatMul"};
    static const Kinds kOthers{"Add",     "AveragePool", "BatchNormalization", "Clip", "Concat", "GlobalAveragePool",
                               "MaxPool", "Relu"};
    if (depth > kDeepest) return false;
    return allReaders(name, [&](const Node& node, std::size_t input) {
        if (moves().contains(node.kind)) return input == 0 && readBytes(node.outputs[0], value, numberOf, depth + 1);
        if (kProducts.contains(node.kind)) return input == 0 && isConstant(inputOf(node, 1), 0) && !isDilated(node);
        if (node.kind == "QuantizeLinear") return input == 0 && isSameGrid(node, value, numberOf);
        return value.isStored && kOthers.contains(node.kind);
    });
}

bool ByteReaders::isConstant(const std::string& name, int depth) const {
    if (name.empty() || m_initializers.contains(name)) return true;
    const auto writer = m_writers.find(name);
    if (writer == m_writers.end() || depth > kDeepest) return false;
    const auto& inputs = writer->second->inputs;
    return std::ranges::all_of(inputs, [&](const std::string& input) { return isConstant(input, depth + 1); });
}

}  // namespace steelyard::model::onnx
