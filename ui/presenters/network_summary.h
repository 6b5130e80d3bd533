// SPDX-License-Identifier: Apache-2.0
// Importing a user's network: the request for a file, and the result of inspecting it. Plain values copied between
// threads; filled by app/desktop.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::ui {

struct NetworkRequest {
    std::string file;                                // an ONNX file, or a network in JSON
    std::string name;                                // in the list of workloads; empty: the title in the file
    std::optional<std::int64_t> batch;               // if the file leaves the first dimension open; unset: 1
    std::map<std::string, std::int64_t> dimensions;  // OpenDimension::key -> extent
    std::map<std::string, std::string> shapes;       // of inputs without a shape in the file: "1x3x224x224"
    std::map<std::string, double> values;            // of inputs that are constant: sizes, rates
    std::string stopBefore;                          // value to stop at, instead of the file's outputs; empty: none

    friend bool operator==(const NetworkRequest&, const NetworkRequest&) = default;
};

struct NetworkValue {
    std::string name, type;          // "float32"
    std::vector<std::int64_t> dims;  // -1: open, not set yet
    std::vector<std::string> symbols;
    bool hasShape = true;     // the file specifies the rank
    bool mayBeFixed = false;  // a scalar integer, which may determine shapes: NetworkRequest::values
};

// An open dimension of the file other than the batch.
struct OpenDimension {
    std::string key;    // NetworkRequest::dimensions
    std::string label;  // its name in the file, or "input, dimension 3"
};

// Known once the whole network could be imported.
struct UnderstoodNetwork {
    std::int64_t layers = 0;
    std::vector<std::pair<std::string, std::int64_t>> kinds;  // of layers, most frequent first
    std::int64_t parameters = 0;
    double flopsPerSample = 0;  // forward; a multiply-accumulate counts as 2
    std::int64_t batch = 1;
    std::int64_t memoryBytes = 0;  // per fp32 step at that batch: inference, or training if possible
    bool trainable = false;
};

struct NetworkSummary {
    NetworkRequest request;
    bool isOnnx = false;
    std::string title;     // suggested by the file
    std::string producer;  // "pytorch 2.1"
    std::int64_t opset = 0;
    std::int64_t nodes = 0;  // of the ONNX graph
    std::vector<NetworkValue> inputs, outputs;
    bool batchIsOpen = false;
    std::vector<OpenDimension> open;
    std::optional<UnderstoodNetwork> understood;
    // If not supported:
    std::optional<Error> problem;
    bool needsDimensions = false;  // only open dimensions are missing
    std::string cutBefore;         // value before the unsupported node: for NetworkRequest::stopBefore
};

}  // namespace steelyard::ui
