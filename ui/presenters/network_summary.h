// SPDX-License-Identifier: Apache-2.0
// A network of the user's own on its way into the list of workloads: what is asked about a file, and what was
// understood of it. Plain values that cross the threads of the window by copy; filled by app/desktop.
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
    std::string name;                                // in the list of workloads; empty: the file's own title
    std::optional<std::int64_t> batch;               // where the file leaves the first dimension open; unset: 1
    std::map<std::string, std::int64_t> dimensions;  // OpenDimension::key -> extent
    std::map<std::string, std::string> shapes;       // of inputs without a shape in the file: "1x3x224x224"
    std::map<std::string, double> values;            // of inputs that are set once: sizes, rates
    std::string stopBefore;                          // value to stop at, in place of the file's outputs; empty: none

    friend bool operator==(const NetworkRequest&, const NetworkRequest&) = default;
};

struct NetworkValue {
    std::string name, type;          // "float32"
    std::vector<std::int64_t> dims;  // -1: open, not set yet
    std::vector<std::string> symbols;
    bool hasShape = true;     // the file says how many dimensions there are
    bool mayBeFixed = false;  // one whole number, which may decide shapes: NetworkRequest::values
};

// A dimension that the file leaves open, other than the batch.
struct OpenDimension {
    std::string key;    // NetworkRequest::dimensions
    std::string label;  // its name in the file, or "input, dimension 3"
};

// What is known when the whole network could be read.
struct UnderstoodNetwork {
    std::int64_t layers = 0;
    std::vector<std::pair<std::string, std::int64_t>> kinds;  // of layers, most frequent first
    std::int64_t parameters = 0;
    double flopsPerSample = 0;  // forward; a multiply-accumulate counts as 2
    std::int64_t batch = 1;
    std::int64_t memoryBytes = 0;  // of one step in fp32 at that batch: inference, or training where it can be trained
    bool trainable = false;
};

struct NetworkSummary {
    NetworkRequest request;
    bool isOnnx = false;
    std::string title;     // that the file suggests
    std::string producer;  // "pytorch 2.1"
    std::int64_t opset = 0;
    std::int64_t nodes = 0;  // of the ONNX graph
    std::vector<NetworkValue> inputs, outputs;
    bool batchIsOpen = false;
    std::vector<OpenDimension> open;
    std::optional<UnderstoodNetwork> understood;
    // Where not understood:
    std::optional<Error> problem;
    bool needsDimensions = false;  // it is only that open dimensions are not set
    std::string cutBefore;         // value before the node that cannot be computed: for NetworkRequest::stopBefore
};

}  // namespace steelyard::ui
