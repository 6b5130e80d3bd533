// SPDX-License-Identifier: Apache-2.0
// An ONNX file as values: graphs, nodes, attributes, and tensors that remain in the file until they are read. No
// interpretation. Field numbers: onnx/onnx.proto3 of https://github.com/onnx/onnx (Apache-2.0), IR version 3 to 10.
//
// Limits for untrusted files: at most 100,000 nodes in all graphs together, names of 1 KiB, rank 8, subgraphs nested 8
// deep, checked products of sizes, data length consistent with the dimensions. CorruptData names the byte offset.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/array/array_layer.h"
#include "engine/model/onnx/mapped_file.h"

namespace steelyard::model::onnx {

// TensorProto.DataType
enum class ElementType {
    Undefined = 0,
    Float = 1,
    Uint8 = 2,
    Int8 = 3,
    Uint16 = 4,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    String = 8,
    Bool = 9,
    Float16 = 10,
    Double = 11,
    Uint32 = 12,
    Uint64 = 13,
    Complex64 = 14,
    Complex128 = 15,
    BFloat16 = 16
};
[[nodiscard]] std::string_view toString(ElementType type);
[[nodiscard]] bool isFloating(ElementType type);
[[nodiscard]] std::int64_t bytesOf(ElementType type);  // 0: strings, complex numbers and unknown types

struct Tensor {
    std::string name;
    ElementType type = ElementType::Undefined;
    Shape shape;
    std::string_view raw;                  // raw_data, or float_data and double_data in one packed field
    std::vector<double> values;            // the other typed fields, and unpacked ones
    std::string location;                  // external data
    std::int64_t offset = 0, length = -1;  // external data; -1: up to the end of the file
    bool isRaw = false;
};

struct Graph;
struct Attribute {
    std::string name;
    int type = 0;  // AttributeProto.AttributeType; 0 in old files
    std::optional<float> real;
    std::optional<std::int64_t> whole;
    std::optional<std::string> text;
    std::optional<Tensor> tensor;
    std::shared_ptr<const Graph> graph;
    std::vector<float> reals;
    std::vector<std::int64_t> wholes;
    std::vector<std::string> texts;
};

struct Node {
    std::string name, kind, domain;
    std::vector<std::string> inputs, outputs;  // "": absent
    std::vector<Attribute> attributes;

    [[nodiscard]] const Attribute* find(std::string_view attribute) const;
};

struct ValueInfo {
    std::string name;
    bool isTensor = false;
    ElementType type = ElementType::Undefined;
    bool hasShape = false;
    std::vector<std::int64_t> dims;    // -1: symbolic
    std::vector<std::string> symbols;  // by dimension; may be empty if unnamed
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Tensor> initializers;
    std::vector<ValueInfo> inputs, outputs;
};

struct File {
    std::string path;
    std::shared_ptr<const MappedFile> mapping;
    std::string producer;
    std::int64_t irVersion = 0;
    std::map<std::string, std::int64_t> opsets;  // by domain; "" is ai.onnx
    Graph graph;
};

[[nodiscard]] Result<std::shared_ptr<const File>> readFile(const std::string& path);
// The same for bytes in memory, which must outlive the result (except for external data, in the folder of `path`).
[[nodiscard]] Result<std::shared_ptr<const File>> readBytes(std::string_view bytes, const std::string& path);
// A standalone TensorProto, as in a model's test data; `bytes` must outlive the result.
[[nodiscard]] Result<Tensor> readTensorBytes(std::string_view bytes, const std::string& subject);

// The elements of a tensor; external data are opened in the folder of `path`. Integers beyond 2^53 lose precision.
[[nodiscard]] Result<std::vector<double>> tensorValues(const Tensor& tensor, const std::string& path);
[[nodiscard]] Result<void> readTensor(const Tensor& tensor, const std::string& path, std::span<float> values);

}  // namespace steelyard::model::onnx
