// SPDX-License-Identifier: Apache-2.0
// A network: layers in topological order with shapes and parameters, and the loss at each head. A value type.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/layer.h"

namespace steelyard::model {

using NodeId = int;
using ParameterId = int;

// The 8-bit grid of a value according to its file: whole steps up to a magnitude, from -127 to 127 or from 0 to 255.
struct ByteGrid {
    bool isSigned = true;
    float range = 0;  // maximum magnitude
};

struct Node {
    NodeId id = -1;
    std::string name;  // unique in the graph
    Layer layer;
    std::vector<NodeId> inputs;
    std::vector<ParameterId> parameters;  // in the order of parametersOf; a tied layer refers to another node's
    Shape output;                         // per sample
    DataType type = DataType::Float32;    // Int32 for token ids
    std::optional<ByteGrid> grid;         // in Graph::inEightBits
};

struct Parameter {
    ParameterId id = -1;
    std::string name;  // "dense_1.weight"
    ParameterSpec spec;
    NodeId owner = -1;
};

// SoftmaxCrossEntropy: logits [.., V] and class indices [..]; SigmoidCrossEntropy: logits [1] and 0 or 1. Averaged over
// the batch (and the steps of a sequence). None: the output is the layer's result; not trainable.
enum class LossKind { SoftmaxCrossEntropy, SigmoidCrossEntropy, None };
struct Head {
    NodeId logits = -1;
    LossKind loss = LossKind::SoftmaxCrossEntropy;
    double weight = 1.0;
    bool trainingOnly = false;  // auxiliary; omitted for inference
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Parameter> parameters;
    std::vector<Head> heads;  // the first is the main output and never trainingOnly

    // Imported networks: node shapes include the batch, wherever it is, for one batch size. atBatch gives the graph for
    // another one, or an error if the file fixes it.
    bool wholeShapes = false;
    std::int64_t fixedBatch = 0;
    std::function<Result<Graph>(std::int64_t batch)> atBatch;
    // Quantised files: the network for inference in int8, with the file's weights, whose nodes have grids instead of
    // being followed by operations that round. Empty for other networks.
    std::function<Result<Graph>()> inEightBits;

    [[nodiscard]] std::int64_t trainableParameters() const;
    [[nodiscard]] std::int64_t frozenParameters() const;  // weights that training does not change
    [[nodiscard]] std::int64_t stateParameters() const;   // running statistics
};

// Builds a graph layer by layer. The first error is kept and returned by build(); later ids are meaningless but
// harmless, so that zoo files need no checks.
class GraphBuilder {
public:
    explicit GraphBuilder(std::string name) { m_graph.name = std::move(name); }

    NodeId add(Layer layer, std::vector<NodeId> inputs, std::string name = {});
    NodeId input(Shape shape);
    NodeId ids(std::int64_t length, std::int64_t vocabulary);
    NodeId dense(NodeId x, std::int64_t units, bool bias = true) { return add(Dense{units, bias}, {x}); }
    // A dense layer without bias whose weight is the table of `embedding` (GPT-2's output layer).
    NodeId tiedDense(NodeId x, NodeId embedding, std::string name = {});
    NodeId conv(NodeId x, Conv2d layer) { return add(layer, {x}); }
    NodeId activation(NodeId x, ActivationKind kind) { return add(Activation{kind}, {x}); }
    NodeId relu(NodeId x) { return activation(x, ActivationKind::Relu); }
    NodeId maxPool(NodeId x, std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0);
    NodeId dropout(NodeId x, double rate) { return add(Dropout{rate}, {x}); }
    NodeId flatten(NodeId x) { return add(Flatten{}, {x}); }
    void head(Head head) { m_graph.heads.push_back(head); }
    void head(NodeId logits, LossKind loss = LossKind::SoftmaxCrossEntropy, double weight = 1.0) {
        head(Head{logits, loss, weight, false});
    }
    // Initialization of dense and convolutional layers added from here on (default: GlorotUniform).
    void weightInit(InitKind kind, double scale = 0) { m_weightInit = Init{kind, scale, 1, 1}; }
    // Whether training leaves the weights of layers added from here on unchanged; for dense layers, embeddings and RMS
    // norms.
    void freeze(bool frozen) { m_freezes = frozen; }

    [[nodiscard]] const Shape& shapeOf(NodeId node) const;
    [[nodiscard]] const std::string& nameOf(NodeId node) const;
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] Result<Graph> build() &&;

private:
    NodeId append(Node node, const std::vector<Shape>& shapes);
    void addParameters(Node& node, const std::vector<Shape>& shapes);
    Graph m_graph;
    Init m_weightInit{InitKind::GlorotUniform, 0, 1, 1};
    bool m_freezes = false;
    std::optional<Error> m_error;
};

// Square kernels and strides, with padding for an output of ceil(size / stride) ("same"; an odd pixel is added at the
// end).
[[nodiscard]] Conv2d square(std::int64_t filters, std::int64_t kernel, std::int64_t stride = 1,
                            std::int64_t padding = 0);
[[nodiscard]] Padding2d samePadding(const Shape& image, std::int64_t kernel, std::int64_t stride);

// Initial values of a parameter, row-major: from its file if imported (reading may fail), otherwise by initialize().
[[nodiscard]] Result<void> initialValues(const Parameter& parameter, std::uint64_t seed, std::vector<float>& values);
// Fills `values` (row-major) with random initial values, identical on all backends for a seed.
void initialize(const Parameter& parameter, std::uint64_t seed, std::vector<float>& values);

}  // namespace steelyard::model
