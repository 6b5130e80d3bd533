// SPDX-License-Identifier: Apache-2.0
// What a quantised file does with the integers of a value: whether the value can remain real in the network for int8,
// since whatever reads it works on 8 bits. Internal to engine/model/onnx.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/model/onnx/onnx_file.h"

namespace steelyard::model::onnx {

class ByteReaders {
public:
    // The value of a constant with one element.
    using NumberOf = std::function<std::optional<double>(const std::string& name)>;

    // `outputs` of the network, beside those of the graph, which must outlive the object.
    ByteReaders(const Graph& graph, const std::vector<std::string>& outputs);

    // A QuantizeLinear.
    struct Quantised {
        std::string integers, scale, zero;  // names; an empty zero point is zero
        bool isStored = false;              // the value's layer can write 8 bits
    };
    // Whether the integers are only moved and dequantised with the same scale and zero point, and the results only read
    // by products, which round what they read, by the same QuantizeLinear again, or, if the value is stored in 8 bits,
    // by other layers that read these.
    [[nodiscard]] bool all(const Quantised& value, const NumberOf& numberOf) const;

private:
    struct Reader {
        const Node* node = nullptr;
        std::size_t input = 0;
    };
    void add(const Graph& graph, int depth);
    template <class Accepts>
    [[nodiscard]] bool allReaders(const std::string& name, const Accepts& accepts) const;
    [[nodiscard]] bool onlyDequantise(const std::string& integers, const Quantised& value, const NumberOf& numberOf,
                                      int depth) const;
    [[nodiscard]] bool readBytes(const std::string& name, const Quantised& value, const NumberOf& numberOf,
                                 int depth) const;
    [[nodiscard]] bool isConstant(const std::string& name, int depth) const;

    std::unordered_multimap<std::string, Reader> m_readers;  // including those in branches
    std::unordered_map<std::string, const Node*> m_writers;
    std::unordered_set<std::string> m_initializers, m_outputs;
};

}  // namespace steelyard::model::onnx
