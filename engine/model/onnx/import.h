// SPDX-License-Identifier: Apache-2.0
// An ONNX file as a network: shapes are inferred with every dimension a number, what depends on constants alone is
// computed here and vanishes (shape arithmetic above all), and every other operator becomes a layer. Where a layer of
// layer.h says the same (a convolution, a dense layer, a normalisation), it is used: backends know it best.
// Pure functions but for reading the file's constants. Thread-safe.
//
// Opsets 7 to 22 of the standard domain. Element types: floating ones are computed in the Plan's precision (64-bit ones
// too); integers and booleans as 32-bit integers.
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
    std::optional<std::int64_t> batch;                        // for first dimensions that are open; 1 when unset
    std::map<std::string, std::vector<std::int64_t>> shapes;  // by input; or one number by the name of a dimension
    std::map<std::string, std::vector<double>> values;        // inputs that become constants
    std::vector<std::string> outputs;                         // values to stop at; empty: the file's own outputs
    bool fileWeights = false;                                 // false: large weights are drawn, as those of the zoo are
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
    bool batchIsOpen = false;  // the file leaves it open
    std::string inputsText;    // "x 1 x 3 x 224 x 224", for a title
};

// InvalidArgument: options that do not fit, dimensions left open, a graph that does not fit together. Unsupported names
// node and operator and says what can be done. CorruptData for external data that are not there.
[[nodiscard]] Result<Imported> import(std::shared_ptr<const File> file, const ImportOptions& options = {});

}  // namespace steelyard::model::onnx
