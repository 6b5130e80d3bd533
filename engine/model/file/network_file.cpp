// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/network_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include "engine/core/hash.h"
#include "engine/model/file/network_layers.h"
#include "engine/model/nearest_name.h"

namespace steelyard::model {
namespace {

bool isPlainName(const std::string& name) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return !name.empty() && name.size() <= 64 && name.find_first_not_of(kAllowed) == std::string::npos;
}

Result<Optimizer> readOptimizer(const JsonSource& source, const JsonValue& object) {
    TRY(checkObject(source, object, optimizerRules()));
    Optimizer result;
    const auto name = textOf(object, "kind");
    for (auto kind : {OptimizerKind::Sgd, OptimizerKind::Momentum, OptimizerKind::RmsProp, OptimizerKind::Adadelta,
                      OptimizerKind::Adam})
        if (toString(kind) == name) result.kind = kind;
    for (const auto& member : object.members) {
        if (!optimizerUses(result.kind, member.name))
            return source.failAt(member.offset, fmt::format("{} has no '{}'", name, member.name));
    }
    result.learningRate = realOf(object, "learning_rate", result.learningRate);
    result.decay = realOf(object, "decay", result.decay);
    result.momentum = realOf(object, "momentum", result.momentum);
    result.rho = realOf(object, "rho", result.rho);
    result.beta1 = realOf(object, "beta1", result.beta1);
    result.beta2 = realOf(object, "beta2", result.beta2);
    result.epsilon = realOf(object, "epsilon", result.epsilon);
    result.weightDecay = realOf(object, "weight_decay", result.weightDecay);
    if (object.find("clip_norm") != nullptr) result.clipNorm = realOf(object, "clip_norm", 0);
    return result;
}

// Adds the layers of a document to a builder, one after the other.
class NetworkReader {
public:
    explicit NetworkReader(const JsonSource& source, const JsonValue& document)
        : m_source(source), m_document(document), m_builder(textOf(document, "name")) {}

    Result<Graph> read() && {
        const auto init = textOf(m_document, "weight_init", "glorot_uniform");
        if (init == "he_normal") m_builder.weightInit(InitKind::HeNormal);
        if (init == "normal") m_builder.weightInit(InitKind::Normal, 0.02);
        for (const auto& layer : m_document.find("layers")->value.items) TRY(addLayer(layer));
        const auto& outputs = m_document.find("outputs")->value;
        for (const auto& output : outputs.items) TRY(addOutput(output));
        auto graph = std::move(m_builder).build();
        if (!graph) return m_source.failAt(outputs.offset, graph.error().detail);
        return graph;
    }

private:
    Result<void> addLayer(const JsonValue& layer) {
        // The kind first: it decides which members there may be.
        const auto* kind = layer.find("kind");
        const auto& entries = layerEntries();
        auto entry = entries.end();
        if (kind != nullptr)
            entry =
                std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.kind == kind->value.text; });
        if (entry == entries.end()) return unknownKind(layer);
        if (auto ok = checkObject(m_source, layer, layerRules(), entry->rules); !ok) return ok;
        const auto* name = layer.find("name");
        if (name != nullptr && (!isPlainName(name->value.text) || m_nodes.contains(name->value.text)))
            return m_source.failAt(
                name->value.offset,
                fmt::format("'{}' is {}", name->value.text,
                            isPlainName(name->value.text) ? "the name of another layer"
                                                          : "no name: up to 64 letters, digits and _ - . are"));
        ASSIGN(const auto inputs, inputsOf(layer, entry->kind == "input"));
        return append(*entry, layer, inputs);
    }

    Failure unknownKind(const JsonValue& layer) const {
        const auto* kind = layer.find("kind");
        if (kind == nullptr) return m_source.failAt(layer.offset, "'kind' is missing");
        std::vector<std::string_view> known;
        for (const auto& entry : layerEntries()) known.push_back(entry.kind);
        return m_source.failAt(kind->value.offset, fmt::format("there is no kind of layer '{}'; did you mean '{}'?",
                                                               kind->value.text, nearestName(kind->value.text, known)));
    }

    Result<NodeId> nodeOf(const JsonValue& name) const {
        const auto found = m_nodes.find(name.text);
        if (found != m_nodes.end()) return found->second;
        return m_source.failAt(name.offset, fmt::format("there is no layer '{}' above", name.text));
    }

    Result<std::vector<NodeId>> inputsOf(const JsonValue& layer, bool isInput) const {
        std::vector<NodeId> result;
        const auto* inputs = layer.find("inputs");
        if (inputs != nullptr) {
            for (const auto& name : inputs->value.items) {
                ASSIGN(const auto node, nodeOf(name));
                result.push_back(node);
            }
        } else if (!isInput) {
            if (m_last < 0) return m_source.failAt(layer.offset, "the first layer must be an input");
            result.push_back(m_last);
        }
        return result;
    }

    Result<void> append(const LayerEntry& entry, const JsonValue& layer, const std::vector<NodeId>& inputs) {
        const auto* tied = layer.find("tied_to");
        if (entry.kind == "dense" && (tied == nullptr) == (layer.find("units") == nullptr))
            return m_source.failAt(layer.offset, "a dense layer takes either 'units' or 'tied_to'");
        NodeId node = -1;
        if (tied != nullptr) {
            ASSIGN(const auto table, nodeOf(tied->value));
            if (inputs.size() != 1 || layer.find("bias") != nullptr)
                return m_source.failAt(layer.offset, "a tied layer takes one input and no 'bias'");
            node = m_builder.tiedDense(inputs.front(), table, textOf(layer, "name"));
        } else {
            std::vector<Shape> shapes;
            for (auto input : inputs) shapes.push_back(m_builder.shapeOf(input));
            node = m_builder.add(entry.make(layer, shapes), inputs, textOf(layer, "name"));
        }
        if (const auto& error = m_builder.error()) return m_source.failAt(layer.offset, error->detail);
        m_last = node;
        // Also by the name it was given: "dense_1".
        const auto& known = m_builder.nameOf(node);
        if (!m_nodes.emplace(known, node).second)
            return m_source.failAt(layer.offset, fmt::format("give this layer a name: '{}' is taken", known));
        return {};
    }

    Result<void> addOutput(const JsonValue& output) {
        if (auto ok = checkObject(m_source, output, outputRules()); !ok) return ok;
        ASSIGN(const auto node, nodeOf(output.find("layer")->value));
        const auto loss = textOf(output, "loss", "softmax_cross_entropy") == "sigmoid_cross_entropy"
                              ? LossKind::SigmoidCrossEntropy
                              : LossKind::SoftmaxCrossEntropy;
        m_builder.head(Head{node, loss, realOf(output, "weight", 1.0), flagOf(output, "training_only", false)});
        return {};
    }

    const JsonSource& m_source;
    const JsonValue& m_document;
    GraphBuilder m_builder;
    std::map<std::string, NodeId> m_nodes;
    NodeId m_last = -1;
};

DataKind dataKindOf(const Graph& graph) {
    const auto input = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [](const Node& node) { return std::holds_alternative<Input>(node.layer); });
    if (input == graph.nodes.end() || input->output.size() == 1)
        return input != graph.nodes.end() && input->type == DataType::Int32 ? DataKind::TokenIds : DataKind::Vectors;
    return input->output.size() == 3 ? DataKind::Images : DataKind::OneHotText;
}

bool decodes(const Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
        const auto* attention = std::get_if<Attention>(&node.layer);
        return attention != nullptr && attention->cachedTokens > 0;
    });
}

constexpr std::size_t kHashDigits = 8;

// "net.json#1a2b3c4d" -> "net.json" and "1a2b3c4d"; without such an ending, or when a file is called so, all of it is
// the path.
struct NamedContent {
    std::string path;
    std::string hash;
};
NamedContent splitContentHash(const std::string& text) {
    const auto mark = text.rfind('#');
    if (mark == std::string::npos || text.size() - mark != kHashDigits + 1) return {text, {}};
    if (text.find_first_not_of("0123456789abcdef", mark + 1) != std::string::npos) return {text, {}};
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored)) return {text, {}};
    return {text.substr(0, mark), text.substr(mark + 1)};
}

Result<std::string> readText(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return fail(ErrorKind::NotFound, path, "there is no such file");
    if (!std::filesystem::is_regular_file(status))
        return fail(ErrorKind::InvalidArgument, path, "is not a file with a network in it");
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return Failure(errorFromErrno(errno, path));
    std::string text(JsonLimits{}.bytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad()) return fail(ErrorKind::IoFailed, path, "reading failed");
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

}  // namespace

Result<Workload> readNetwork(std::string_view text, const std::string& subject) {
    const JsonSource source{text, subject};
    ASSIGN(const auto document, parseJson(text, subject));
    TRY(checkObject(source, document, documentRules()));
    const auto& name = document.find("name")->value;
    if (!isPlainName(name.text)) return source.failAt(name.offset, "'name' takes up to 64 letters, digits and _ - .");

    Workload workload;
    if (const auto* optimizer = document.find("optimizer")) {
        ASSIGN(auto read, readOptimizer(source, optimizer->value));
        workload.optimizer = read;
    }
    auto graph = NetworkReader(source, document).read();
    if (!graph) return Failure(graph.error());
    workload.id = subject;
    workload.title = textOf(document, "title", name.text);
    workload.family = "own";
    workload.dataset = "synthetic";
    workload.dataKind = dataKindOf(*graph);
    workload.batch = wholeOf(document, "batch", 32);
    workload.parameters = graph->trainableParameters();
    workload.inferenceOnly = decodes(*graph);
    workload.build = [graph = std::move(*graph)]() -> Result<Graph> { return graph; };
    return workload;
}

Result<Workload> readNetworkFile(const std::string& name) {
    const auto [path, hash] = splitContentHash(name);
    ASSIGN(const auto text, readText(path));
    auto workload = readNetwork(text, path);
    if (!workload) return workload;
    const auto found = fmt::format("{:016x}", fnv1a(text)).substr(0, kHashDigits);
    if (!hash.empty() && hash != found)
        return fail(ErrorKind::InvalidArgument, path,
                    fmt::format("it has been changed: its content is #{}, not #{}", found, hash));
    workload->id = path + "#" + found;
    return workload;
}

}  // namespace steelyard::model
