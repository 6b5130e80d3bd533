// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/onnx/patterns.h"
#include "engine/model/onnx/structure_hash.h"
#include "engine/model/resolve.h"
#include "tests/onnx/onnx_case.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::model::onnx {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kData = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx";

std::string refused(const std::string& name, const ImportOptions& options = {}) {
    const auto file = readFile(kData + "/refused/" + name + ".onnx");
    if (!file) return describe(file.error());
    const auto network = import(*file, options);
    return network ? "" : describe(network.error());
}

Imported imported(const std::string& name, const ImportOptions& options = {}) {
    auto network = import(readFile(kData + "/" + name + "/model.onnx").value(), options);
    EXPECT_TRUE(network) << describe(network.error());
    return std::move(network).value();
}

std::string content(const std::string& name) {
    std::ifstream stream(kData + "/" + name + "/model.onnx", std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class Models : public ::testing::TestWithParam<std::string> {};

TEST_P(Models, ComputeWhatIsExpected) {
    const auto backend = compute::makeReferenceBackend();
    const auto errors = test::runOnnxCase(*backend, kData + "/" + GetParam(), {});
    ASSERT_TRUE(errors) << describe(errors.error());
    EXPECT_FALSE(errors->empty());
    for (const auto& error : *errors)
        EXPECT_TRUE(error.within) << error.name << ": " << error.absolute << ", relative " << error.relative;
}

INSTANTIATE_TEST_SUITE_P(Onnx, Models,
                         ::testing::Values("mlp", "external", "shapes", "windows", "tokens", "toy_espcn", "toy_tcn1d",
                                           "toy_transformer_encoder", "masked_attention", "recurrent", "logarithm",
                                           "qdq_channels", "qdq_signed", "qdq_symmetric", "qdq_exact", "qdq_saturated",
                                           "qdq_bias", "qlinear", "integers"),
                         [](const auto& one) { return one.param; });

TEST(OnnxComparison, SeesADifference) {
    const compute::NamedArray expected{"y", {3}, {1, -2, 0}};
    auto computed = expected;
    EXPECT_TRUE(compareOutput(computed, expected, {}).within);
    computed.values[1] += 0.01;
    EXPECT_FALSE(compareOutput(computed, expected, {}).within);
    computed.values[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(compareOutput(computed, expected, {}).within);
}

TEST(OnnxComparison, AcceptsTwiceTheEffectOfRounding) {
    const compute::NamedArray expected{"y", {3}, {1, -2, 0}};
    auto rounded = expected, computed = expected;
    rounded.values[0] = 1.1;
    computed.values[1] = -2.19;
    const auto error = compareRoundedOutput(computed, rounded, expected, {});
    EXPECT_TRUE(error.within);
    EXPECT_NEAR(*error.rounding, 0.1, 1e-12);
    computed.values[1] = -2.21;
    EXPECT_FALSE(compareRoundedOutput(computed, rounded, expected, {}).within);
    computed.values[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(compareRoundedOutput(computed, rounded, expected, {}).within);
    // Rounding that leaves nothing to compare accepts nothing.
    rounded.values[0] = 2.1;
    computed.values[1] = -2.01;
    EXPECT_FALSE(compareRoundedOutput(computed, rounded, expected, {}).within);
}

TEST(OnnxImport, UsesTheLayersThatBackendsKnow) {
    const auto network = imported("mlp");
    int dense = 0;
    for (const auto& node : network.graph.nodes) dense += std::holds_alternative<Dense>(node.layer) ? 1 : 0;
    EXPECT_EQ(dense, 2);
    EXPECT_EQ(network.graph.trainableParameters(), 6 * 8 + 8 + 4 * 8 + 4);
}

TEST(OnnxImport, UsesRecurrentLayersWhereTheyComputeTheSame) {
    const auto network = imported("recurrent");
    std::vector<std::string> layers, arrays;
    for (const auto& node : network.graph.nodes) {
        const auto name = node.name.substr(0, node.name.find('#'));
        if (std::holds_alternative<Recurrent>(node.layer)) layers.push_back(name);
        const auto* array = std::get_if<ArrayLayer>(&node.layer);
        if (array != nullptr && std::holds_alternative<RecurrentPass>(array->operation)) arrays.push_back(name);
    }
    EXPECT_EQ(layers, (std::vector<std::string>{"both", "gru", "rnn"}));
    EXPECT_EQ(arrays, (std::vector<std::string>{"inner", "early", "cell"}));
    // Between two layers nothing is moved: time first and batch first again.
    const auto& nodes = network.graph.nodes;
    const auto gru = std::find_if(nodes.begin(), nodes.end(), [](const auto& node) {
        const auto* layer = std::get_if<Recurrent>(&node.layer);
        return layer != nullptr && layer->cell == RecurrentCell::Gru;
    });
    ASSERT_NE(gru, nodes.end());
    const auto* before = &nodes[static_cast<std::size_t>(gru->inputs[0])];
    while (std::holds_alternative<Flatten>(before->layer)) before = &nodes[static_cast<std::size_t>(before->inputs[0])];
    EXPECT_TRUE(std::holds_alternative<Recurrent>(before->layer)) << before->name;
}

TEST(OnnxImport, FoldsTheArithmeticOfShapes) {
    for (const auto& node : imported("shapes").graph.nodes)
        EXPECT_TRUE(node.type == DataType::Float32 || std::holds_alternative<ArrayLayer>(node.layer));
    EXPECT_EQ(imported("shapes").outputs[0].shape, (Shape{1, 3}));
}

TEST(OnnxImport, TakesTheBatchThatIsAskedFor) {
    const auto graph = imported("mlp").graph;
    const auto plan = plan::lower(graph, {plan::Mode::Infer, 7, plan::Precision::Fp32, {}});
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->tensor(plan->inputs[0]).dims, (Shape{7, 6}));
    EXPECT_DOUBLE_EQ(plan->forwardMacsPerSample(), 6 * 8 + 8 * 4);
    // Not where the file says otherwise.
    const auto fixed = plan::lower(imported("windows").graph, {plan::Mode::Infer, 3, plan::Precision::Fp32, {}});
    ASSERT_FALSE(fixed);
    EXPECT_THAT(fixed.error().detail.text, HasSubstr("dynamic_axes"));
    EXPECT_TRUE(plan::lower(graph, {plan::Mode::Train, 7, plan::Precision::Fp32, {}}));
}

TEST(OnnxImport, DrawsWeightsUnlessTheFilesAreWanted) {
    const auto first = [](const ImportOptions& options) {
        const auto network = imported("mlp", options);
        std::vector<float> values;
        EXPECT_TRUE(initialValues(network.graph.parameters.at(0), 1, values));
        return values;
    };
    ImportOptions wanted;
    wanted.fileWeights = true;
    EXPECT_EQ(first({}).size(), 48U);
    EXPECT_NE(first({}), first(wanted));
    EXPECT_EQ(first(wanted), first(wanted));
}

TEST(OnnxImport, StopsAtTheOutputsThatAreAskedFor) {
    ImportOptions options;
    options.outputs = {"h"};
    EXPECT_EQ(refused("operator", options), "");
    options.outputs = {"nothing"};
    EXPECT_THAT(refused("operator", options), HasSubstr("there is no value \"nothing\""));
}

TEST(OnnxImport, NamesWhatItRefuses) {
    EXPECT_THAT(refused("operator"),
                AllOf(HasSubstr("NonMaxSuppression"), HasSubstr("/head/nms"), HasSubstr("--outputs h")));
    EXPECT_THAT(refused("domain"), HasSubstr("FusedMatMul of com.microsoft"));
    EXPECT_THAT(refused("cycle"), HasSubstr("\"b\" is read before it is computed"));
    EXPECT_THAT(refused("twice"), HasSubstr("\"y\" is defined twice"));
    EXPECT_THAT(refused("open"), HasSubstr("(height) is dynamic; set it with --shape x=1x3x?x8"));
    EXPECT_THAT(refused("old"), HasSubstr("opset 6"));
    ImportOptions shaped;
    shaped.shapes["x"] = {2, 3, 5, 8};
    EXPECT_EQ(refused("open", shaped), "");
    shaped.shapes["x"] = {2, 4, 5, 8};
    EXPECT_THAT(refused("open", shaped), HasSubstr("dimension 2 is 3 in the file, not 4"));
    shaped.shapes = {{"z", {1}}};
    EXPECT_THAT(refused("open", shaped), HasSubstr("there is no input \"z\""));
}

TEST(OnnxImport, ReadsNoDataOutsideTheFolder) {
    ImportOptions options;
    options.fileWeights = true;
    const auto network = import(readFile(kData + "/refused/outside.onnx").value(), options);
    ASSERT_TRUE(network) << describe(network.error());
    std::vector<float> values;
    const auto read = initialValues(network->graph.parameters.at(0), 1, values);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().detail.text, HasSubstr("model's folder"));
}

TEST(OnnxFile, SaysWhereItIsDamaged) {
    const auto whole = content("mlp");
    EXPECT_TRUE(readBytes(whole, "net.onnx"));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto file = readBytes(std::string_view(whole).substr(0, length), "net.onnx");
        if (file) continue;  // cut between two fields: what is left may be a file
        EXPECT_EQ(file.error().kind, ErrorKind::CorruptData);
        EXPECT_TRUE(file.error().offset && *file.error().offset <= static_cast<std::int64_t>(length));
    }
    EXPECT_FALSE(readBytes("", "net.onnx"));
    EXPECT_EQ(readFile("/nonexistent/net.onnx").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(readFile("/tmp").error().kind, ErrorKind::InvalidArgument);
}

TEST(OnnxFile, BoundsSubgraphs) {
    // GraphProto in an attribute of a node of a GraphProto, 100 deep, built from the inside.
    const auto field = [](int number, const std::string& bytes) {
        std::string result(1, static_cast<char>(number << 3 | 2));
        for (auto size = bytes.size();; size >>= 7) {
            result += static_cast<char>(size < 128 ? size : (size & 127U) | 128U);
            if (size < 128) break;
        }
        return result + bytes;
    };
    std::string graph;
    for (int i = 0; i < 100; ++i) graph = field(1, field(5, field(6, graph)));
    const auto file = readBytes(field(7, graph), "deep.onnx");
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().detail.text, HasSubstr("nested"));
}

TEST(OnnxWorkload, IsNamedByPathOptionsAndStructure) {
    const auto path = kData + "/mlp/model.onnx";
    const auto plain = resolveWorkload(path);
    ASSERT_TRUE(plain) << describe(plain.error());
    EXPECT_FALSE(plain->inferenceOnly);
    EXPECT_TRUE(plain->usuallyInferred);
    // No folder: the same wherever the file lies. This process knows where, another one is told.
    EXPECT_THAT(plain->id, StartsWith("model.onnx#"));
    EXPECT_EQ(resolveWorkload(plain->id)->id, plain->id);
    EXPECT_EQ(locatedOnnxName(plain->id), fs::absolute(path).string() + plain->id.substr(10));
    EXPECT_EQ(receivedOnnxName(locatedOnnxName(plain->id)), plain->id);
    EXPECT_EQ(receivedOnnxName("/elsewhere/net.onnx(batch=2)#01234567"), "net.onnx(batch=2)#01234567");
    EXPECT_EQ(locatedOnnxName("net.onnx(batch=2)#01234567"), "/elsewhere/net.onnx(batch=2)#01234567");
    for (const auto* name : {"mnist_mlp", "./net.onnx", "net.onnx(batch=2)"}) {
        EXPECT_EQ(locatedOnnxName(name), name);
        EXPECT_EQ(receivedOnnxName(name), name);
    }
    const auto several = resolveWorkload(path + "(batch=4,weights=file)");
    ASSERT_TRUE(several) << describe(several.error());
    EXPECT_THAT(several->id, HasSubstr("(batch=4,weights=file)#"));
    EXPECT_EQ(several->batch, 4);
    EXPECT_EQ(resolveWorkload(several->id)->id, several->id);
    EXPECT_FALSE(resolveWorkload(path + "#00000000"));
    EXPECT_FALSE(resolveWorkload(path + "(size=3)"));
    EXPECT_FALSE(resolveWorkload(path + "(batch=0)"));
    const auto added = withImportOptions(path + "(batch=4)", {"shape.x=4x6", "weights=file"});
    ASSERT_TRUE(added) << describe(added.error());
    EXPECT_EQ(*added, path + "(batch=4,shape.x=4x6,weights=file)");
    EXPECT_EQ(withImportOptions("resnet50", {}).value(), "resnet50");
    EXPECT_FALSE(withImportOptions("resnet50", {"weights=file"}));
    EXPECT_EQ(workloadIdentity("a/net.onnx(batch=4)#0123abcd"), workloadIdentity("/b/other.onnx#0123abcd"));
    EXPECT_NE(workloadIdentity("a/net.onnx#0123abcd"), workloadIdentity("a/net.onnx#0123abce"));
    EXPECT_EQ(workloadIdentity("mnist_mlp"), "mnist_mlp");
    // The same structure elsewhere is the same network; other weights do not matter.
    EXPECT_EQ(structureHash(imported("mlp").graph), structureHash(imported("external").graph));
    EXPECT_NE(structureHash(imported("mlp").graph), structureHash(imported("shapes").graph));
}

TEST(OnnxWorkload, HashesAttributes) {
    model::Graph network;
    network.nodes.push_back({0, "x", Input{{2, 8}}, {}, {}, {2, 8}, DataType::Float32});
    network.nodes.push_back({1, "y", ArrayLayer{Map{MapKind::Clip, 0, 1}}, {0}, {}, {2, 8}, DataType::Float32});
    auto other = network;
    other.nodes[1].name = "z";
    EXPECT_EQ(structureHash(network), structureHash(other));
    other.nodes[1].layer = ArrayLayer{Map{MapKind::Clip, 0, 2}};
    EXPECT_NE(structureHash(network), structureHash(other));
    other.nodes[1].layer = ArrayLayer{SoftmaxAlong{0, false}};
    const auto first = structureHash(other);
    other.nodes[1].layer = ArrayLayer{SoftmaxAlong{1, false}};
    EXPECT_NE(first, structureHash(other));
}

// The first values of a constant; the rest is zero, or equal to the only one.
class FixedValues final : public ParameterValues {
public:
    explicit FixedValues(std::vector<float> values) : m_values(std::move(values)) {}
    [[nodiscard]] Result<void> read(std::span<float> values) const override {
        std::fill(values.begin(), values.end(), m_values.size() == 1 ? m_values[0] : 0.0F);
        std::copy_n(m_values.begin(), std::min(m_values.size(), values.size()), values.begin());
        return {};
    }

private:
    std::vector<float> m_values;
};

// A network of one input [2, 4, 8] that is written operator by operator; the last node is its output.
class SpelledOut {
public:
    SpelledOut() {
        put(Input{{2, 4, 8}}, {}, {2, 4, 8});
        m_imported.inputs.push_back({"x", {2, 4, 8}, ElementType::Float, 0});
    }
    NodeId put(Layer layer, std::vector<NodeId> inputs, Shape shape = {2, 4, 8}) {
        const auto id = static_cast<NodeId>(m_imported.graph.nodes.size());
        m_imported.graph.nodes.push_back(
            {id, "node" + std::to_string(id), std::move(layer), std::move(inputs), {}, std::move(shape)});
        return id;
    }
    NodeId map(MapKind kind, std::vector<NodeId> inputs, Shape shape = {2, 4, 8}) {
        return put(ArrayLayer{Map{kind}}, std::move(inputs), std::move(shape));
    }
    NodeId constant(Shape shape, float value) { return constant(std::move(shape), std::vector<float>{value}); }
    NodeId constant(Shape shape, std::vector<float> values) {
        const auto id = static_cast<ParameterId>(m_imported.graph.parameters.size());
        ParameterSpec spec{"constant", shape, {}};
        spec.values = std::make_shared<FixedValues>(std::move(values));
        m_imported.graph.parameters.push_back({id, "p" + std::to_string(id), std::move(spec), -1});
        const auto node = put(Constant{}, {}, std::move(shape));
        m_imported.graph.nodes.back().parameters = {id};
        return node;
    }
    NodeId rowMean(NodeId x) { return put(ArrayLayer{Reduce{ReduceKind::Mean, {2}, true, false}}, {x}, {2, 4, 1}); }

    // The layers that are left but the input and constants.
    std::vector<model::Node> recognised() {
        const auto last = static_cast<NodeId>(m_imported.graph.nodes.size()) - 1;
        m_imported.graph.heads = {{last, LossKind::None, 1.0, false}};
        m_imported.outputs.push_back({"y", {2, 4, 8}, ElementType::Float, last});
        recognisePatterns(m_imported);
        std::vector<model::Node> layers;
        for (const auto& node : m_imported.graph.nodes)
            if (!std::holds_alternative<Input>(node.layer) && !std::holds_alternative<Constant>(node.layer))
                layers.push_back(node);
        return layers;
    }

private:
    Imported m_imported;
};

TEST(OnnxPatterns, FindGelu) {
    for (const int order : {0, 1, 2}) {
        SpelledOut net;
        const auto root = net.constant({1}, 1.41421F), one = net.constant({1}, 1), half = net.constant({1}, 0.5F);
        const auto scaled = net.map(MapKind::Div, {0, root});
        const auto erf = net.map(MapKind::Erf, {scaled});
        const auto term = net.map(MapKind::Add, {erf, one});
        if (order == 0) net.map(MapKind::Mul, {net.map(MapKind::Mul, {0, term}), half});
        if (order == 1) net.map(MapKind::Mul, {net.map(MapKind::Mul, {0, half}), term});
        if (order == 2) net.map(MapKind::Mul, {0, net.map(MapKind::Mul, {half, term})});
        const auto layers = net.recognised();
        ASSERT_EQ(layers.size(), 1U) << order;
        EXPECT_EQ(std::get<Activation>(layers[0].layer).kind, ActivationKind::Gelu);
    }
}

TEST(OnnxPatterns, FindGeluByTanh) {
    for (const bool power : {false, true}) {
        SpelledOut net;
        const auto one = net.constant({1}, 1), half = net.constant({}, 0.5F), root = net.constant({}, 0.7978846F);
        const auto small = net.constant({}, 0.044715F), three = net.constant({}, 3);
        const auto cube =
            power ? net.map(MapKind::Pow, {0, three}) : net.map(MapKind::Mul, {0, net.map(MapKind::Mul, {0, 0})});
        const auto sum = net.map(MapKind::Add, {0, net.map(MapKind::Mul, {cube, small})});
        const auto tanh = net.put(Activation{ActivationKind::Tanh}, {net.map(MapKind::Mul, {sum, root})});
        net.map(MapKind::Mul, {net.map(MapKind::Mul, {0, half}), net.map(MapKind::Add, {tanh, one})});
        const auto layers = net.recognised();
        ASSERT_EQ(layers.size(), 1U) << power;
        EXPECT_EQ(std::get<Activation>(layers[0].layer).kind, ActivationKind::GeluTanh);
    }
}

TEST(OnnxPatterns, LeaveAloneWhatIsNoGelu) {
    SpelledOut net;
    const auto root = net.constant({1}, 1.5F), one = net.constant({1}, 1), half = net.constant({1}, 0.5F);
    const auto term = net.map(MapKind::Add, {net.map(MapKind::Erf, {net.map(MapKind::Div, {0, root})}), one});
    net.map(MapKind::Mul, {net.map(MapKind::Mul, {0, term}), half});
    EXPECT_EQ(net.recognised().size(), 5U);
}

TEST(OnnxPatterns, FindSwish) {
    SpelledOut net;
    net.map(MapKind::Mul, {0, net.put(Activation{ActivationKind::Sigmoid}, {0})});
    const auto layers = net.recognised();
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(std::get<Activation>(layers[0].layer).kind, ActivationKind::Swish);
}

TEST(OnnxPatterns, FindLayerNormalisation) {
    SpelledOut net;
    const auto centred = net.map(MapKind::Sub, {0, net.rowMean(0)});
    const auto variance = net.rowMean(net.map(MapKind::Mul, {centred, centred}));
    const auto shifted = net.map(MapKind::Add, {variance, net.constant({1}, 1e-6F)}, {2, 4, 1});
    const auto value = net.map(MapKind::Div, {centred, net.map(MapKind::Sqrt, {shifted}, {2, 4, 1})});
    net.map(MapKind::Add, {net.map(MapKind::Mul, {value, net.constant({8}, 2)}), net.constant({8}, 3)});
    const auto layers = net.recognised();
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_NEAR(std::get<LayerNorm>(layers[0].layer).epsilon, 1e-6, 1e-9);
    EXPECT_EQ(layers[0].parameters.size(), 2U);
}

TEST(OnnxPatterns, FindRootMeanSquareNormalisation) {
    SpelledOut net;
    const auto mean = net.rowMean(net.map(MapKind::Mul, {0, 0}));
    const auto shifted = net.map(MapKind::Add, {mean, net.constant({1}, 1e-6F)}, {2, 4, 1});
    const auto value = net.map(MapKind::Div, {0, net.map(MapKind::Sqrt, {shifted}, {2, 4, 1})});
    net.map(MapKind::Mul, {net.constant({8}, 2), value});
    const auto layers = net.recognised();
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(std::get<Normalise>(std::get<ArrayLayer>(layers[0].layer).operation).kind, NormaliseKind::RootMeanSquare);
}

// Queries, keys and values are 2 x 4 x 8, keys transposed.
TEST(OnnxPatterns, FindAttention) {
    for (const int form : {0, 1, 2, 3}) {
        SpelledOut net;
        const auto keys = net.constant({2, 8, 4}, 1), values = net.constant({2, 4, 8}, 1);
        const auto quarter = net.constant({}, 0.25F), half = net.constant({1}, 0.5F), two = net.constant({}, 2);
        const auto mask = net.constant({4, 4}, 0), other = net.constant({2, 1, 4}, 0);
        const Shape square{2, 4, 4};
        const auto product = [&](NodeId a, NodeId b, Shape shape) {
            return net.put(ArrayLayer{MatrixProduct{}}, {a, b}, std::move(shape));
        };
        NodeId scores = 0;
        if (form == 0) scores = product(0, keys, square);
        if (form == 1)  // on both sides, as scaled_dot_product_attention is exported
            scores = product(net.map(MapKind::Mul, {0, half}), net.map(MapKind::Mul, {keys, half}, {2, 8, 4}), square);
        if (form == 2)
            scores = net.map(MapKind::Add, {mask, net.map(MapKind::Mul, {product(0, keys, square), quarter}, square)},
                             square);
        if (form == 3) {
            const auto divided = net.map(MapKind::Div, {product(0, keys, square), two}, square);
            const auto once = net.map(MapKind::Add, {divided, mask}, square);
            scores = net.map(MapKind::Add, {once, other}, square);
        }
        const auto weights = net.put(ArrayLayer{SoftmaxAlong{2, false}}, {scores}, square);
        product(weights, values, {2, 4, 8});
        const auto layers = net.recognised();
        ASSERT_EQ(layers.size(), 1U) << form;
        const auto* attention = std::get_if<AttendArrays>(&std::get<ArrayLayer>(layers[0].layer).operation);
        ASSERT_NE(attention, nullptr) << form;
        const double scales[] = {1, 0.25, 0.25, 0.5};
        const std::size_t operands[] = {3, 3, 4, 5};
        EXPECT_DOUBLE_EQ(attention->scale, scales[form]);
        EXPECT_EQ(layers[0].inputs.size(), operands[form]);
    }
}

// Two heads of four features from one array of queries, keys and values.
TEST(OnnxPatterns, FindPackedAttention) {
    enum Form { Plain, Causal, LaterTokensFirst, OtherOrder, OtherScale };
    for (const auto form : {Plain, Causal, LaterTokensFirst, OtherOrder, OtherScale}) {
        SpelledOut net;
        const auto packed = net.constant({2, 4, 24}, 1);
        const auto heads = [&](std::int64_t part, bool keys) {
            const Shape shape{2, 4, 8};
            const auto piece = net.put(ArrayLayer{Rearrange{shape, {96, 24, 1}, part * 8, shape}}, {packed}, shape);
            const auto parted = net.put(Flatten{}, {piece}, {2, 4, 2, 4});
            const Shape to{2, 2, 4, 4};
            return net.put(ArrayLayer{Rearrange{to, keys ? Shape{32, 4, 1, 8} : Shape{32, 4, 8, 1}, 0, to}}, {parted},
                           to);
        };
        const auto q = heads(form == OtherOrder ? 1 : 0, false), k = heads(form == OtherOrder ? 0 : 1, true),
                   v = heads(2, false);
        const Shape square{2, 2, 4, 4};
        auto scores = net.map(
            MapKind::Mul,
            {net.put(ArrayLayer{MatrixProduct{}}, {q, k}, square), net.constant({}, form == OtherScale ? 0.3F : 0.5F)},
            square);
        if (form == Causal || form == LaterTokensFirst) {
            constexpr float kHides = -3e38F;
            std::vector<float> mask(16, 0);
            for (std::size_t t = 0; t < 4; ++t)
                for (std::size_t s = 0; s < 4; ++s)
                    if (form == Causal ? s > t : s < t) mask[4 * t + s] = kHides;
            scores = net.map(MapKind::Add, {scores, net.constant({4, 4}, mask)}, square);
        }
        const auto weights = net.put(ArrayLayer{SoftmaxAlong{3, false}}, {scores}, square);
        const auto context = net.put(ArrayLayer{MatrixProduct{}}, {weights, v}, square);
        const Shape tokens{2, 4, 2, 4};
        net.put(Flatten{}, {net.put(ArrayLayer{Rearrange{tokens, {32, 4, 16, 1}, 0, tokens}}, {context}, tokens)});
        const auto layers = net.recognised();
        const auto* attention = std::get_if<Attention>(&layers.back().layer);
        ASSERT_EQ(attention != nullptr, form == Plain || form == Causal) << form;
        if (attention == nullptr) continue;
        EXPECT_EQ(layers.size(), 1U);
        EXPECT_EQ(attention->heads, 2);
        EXPECT_EQ(attention->causal, form == Causal);
    }
}

// Three masks that hide scores, and a number that does not.
TEST(OnnxPatterns, FindAttentionWithMasks) {
    const auto network = imported("masked_attention");
    int attentions = 0, products = 0;
    std::set<NodeId> masks;
    for (const auto& node : network.graph.nodes) {
        for (auto in : node.inputs) EXPECT_LT(in, node.id);
        const auto* array = std::get_if<ArrayLayer>(&node.layer);
        if (array == nullptr) continue;
        products += std::holds_alternative<MatrixProduct>(array->operation) ? 1 : 0;
        if (!std::holds_alternative<AttendArrays>(array->operation)) continue;
        ++attentions;
        EXPECT_EQ(node.inputs.size(), 4U);
        masks.insert(node.inputs.back());
    }
    EXPECT_EQ(attentions, 3);
    EXPECT_EQ(products, 2);
    EXPECT_EQ(masks.size(), 3U);
    ASSERT_EQ(network.outputs.size(), 4U);
    for (const auto& output : network.outputs)
        EXPECT_EQ(network.graph.nodes[static_cast<std::size_t>(output.node)].output, output.shape);
}

TEST(OnnxPatterns, LeaveAloneWhatIsNoAttention) {
    for (const int form : {0, 1, 2}) {
        SpelledOut net;
        const auto keys = net.constant({2, 8, 4}, 1), values = net.constant({2, 4, 8}, 1);
        const auto mask = net.constant({4, 4}, 0), two = net.constant({}, 2);
        const Shape square{2, 4, 4};
        auto scores = net.put(ArrayLayer{MatrixProduct{}}, {0, keys}, square);
        if (form == 0)  // a mask that is scaled, too
            scores = net.map(MapKind::Mul, {net.map(MapKind::Add, {scores, mask}, square), two}, square);
        const std::int64_t axis = form == 1 ? 1 : 2;
        const auto weights = net.put(ArrayLayer{SoftmaxAlong{axis, false}}, {scores}, square);
        const auto context = net.put(ArrayLayer{MatrixProduct{}}, {weights, values});
        if (form == 2)  // the weights are wanted elsewhere
            net.map(MapKind::Add, {context, net.put(ArrayLayer{MatrixProduct{}}, {weights, values})});
        for (const auto& layer : net.recognised()) {
            const auto* array = std::get_if<ArrayLayer>(&layer.layer);
            EXPECT_FALSE(array != nullptr && std::holds_alternative<AttendArrays>(array->operation)) << form;
        }
    }
}

TEST(OnnxPatterns, GiveDenseLayersTheirBias) {
    SpelledOut net;
    const auto dense = net.put(Dense{8, false}, {0});
    net.map(MapKind::Add, {net.constant({8}, 1), dense});
    const auto layers = net.recognised();
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_TRUE(std::get<Dense>(layers[0].layer).bias);
}

TEST(OnnxWorkload, RunsOnDrawnValues) {
    for (const auto* name : {"mlp", "shapes", "tokens"}) {
        const auto network = imported(
            name, std::string(name) == "tokens" ? ImportOptions{{}, {}, {{"mode", {1}}}, {}, false} : ImportOptions{});
        auto lowered = plan::lower(network.graph, {plan::Mode::Infer, network.batch, plan::Precision::Fp32, {}});
        ASSERT_TRUE(lowered);
        const auto plan = std::make_shared<const plan::Plan>(*std::move(lowered));
        const auto executable = compute::makeReferenceBackend()->compile(plan, {}).value();
        ASSERT_TRUE(compute::writeSyntheticState(*executable, 1));
        ASSERT_TRUE(executable->step({}));
        const auto answer = plan->heads[0].probabilities;
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(answer).elements()));
        ASSERT_TRUE(executable->read(answer, values));
        for (const float v : values) EXPECT_TRUE(std::isfinite(v)) << name;
    }
}

}  // namespace
}  // namespace steelyard::model::onnx
