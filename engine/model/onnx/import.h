// SPDX-License-Identifier: Apache-2.0
// Imports an ONNX file as a network: shapes are inferred with concrete dimensions, subgraphs that depend on constants
// only are evaluated (mainly shape arithmetic), and every other operator becomes a layer. An equivalent layer of
// layer.h (a convolution, a dense layer, a normalisation) is used if there is one: backends have optimised kernels for
// it. Pure functions except for reading the file's constants. Thread-safe.
//
// Opsets 7 to 22 of the standard domain. Element types: floating types are computed in the Plan's precision (including
// 64-bit ones); integers and booleans as 32-bit integers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/graph.h"
#include "engine/model/onnx/onnx_file.h"

namespace steelyard::model::onnx {

struct ImportOptions {
    std::optional<std::int64_t> batch;                        // for symbolic first dimensions; 1 if not set
    std::map<std::string, std::vector<std::int64_t>> shapes;  // by input; or one number by the name of a dimension
    std::map<std::string, std::vector<double>> values;        // inputs that become constants
    std::vector<std::string> outputs;                         // values to use as outputs; empty: the file's outputs
    bool fileWeights = false;                                 // false: large weights are random, as in the zoo
    // For inference in int8: where a quantised file rounds a value to 8 bits for operators that work on 8 bits, the
    // value remains as it is, and its node declares the grid (Node::grid).
    bool eightBits = false;
};

struct ImportedValue {
    std::string name;
    Shape shape;
    ElementType type = ElementType::Undefined;
    NodeId node = -1;
};

struct Imported {
    model::Graph graph;  // wholeShapes is set; one head without a loss per output, in order
    std::vector<ImportedValue> inputs, outputs;
    std::int64_t batch = 1;    // the first dimension of the first input
    bool batchIsOpen = false;  // symbolic in the file
    std::string inputsText;    // "x 1 x 3 x 224 x 224", for a title
    bool isQuantised = false;  // the file quantises values that are not constant
};

// InvalidArgument: invalid options, unresolved dimensions, an inconsistent graph. Unsupported names node and operator
// and suggests alternatives. CorruptData for missing external data.
[[nodiscard]] Result<Imported> import(std::shared_ptr<const File> file, const ImportOptions& options = {});

}  // namespace steelyard::model::onnx
