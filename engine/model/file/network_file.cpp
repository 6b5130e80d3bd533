// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/network_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/core/file_io.h"
#include "engine/core/hash.h"
#include "engine/core/messages/model.h"
#include "engine/model/file/network_layers.h"
#include "engine/model/nearest_name.h"

namespace steelyard::model {
namespace {

bool isPlainName(const std::string& name) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return !name.empty() && name.size() <= 64 && name.find_first_not_of(kAllowed) == std::string::npos;
}

Result<Optimizer> readOptimizer(const JsonDocument& document, const Json& object) {
    TRY(checkObject(document, object, optimizerRules()));
    Optimizer result;
    const auto name = textOf(object, "kind");
    for (auto kind : {OptimizerKind::Sgd, OptimizerKind::Momentum, OptimizerKind::RmsProp, OptimizerKind::Adadelta,
                      OptimizerKind::Adam})
        if (toString(kind) == name) result.kind = kind;
    for (const auto& [member, value] : object.items()) {
        if (!optimizerUses(result.kind, member))
            return document.failAtName(value, messages::optimizerMember(name, member));
    }
    result.learningRate = realOf(object, "learning_rate", result.learningRate);
    result.decay = realOf(object, "decay", result.decay);
    result.momentum = realOf(object, "momentum", result.momentum);
    result.rho = realOf(object, "rho", result.rho);
    result.beta1 = realOf(object, "beta1", result.beta1);
    result.beta2 = realOf(object, "beta2", result.beta2);
    result.epsilon = realOf(object, "epsilon", result.epsilon);
    result.weightDecay = realOf(object, "weight_decay", result.weightDecay);
    if (object.contains("clip_norm")) result.clipNorm = realOf(object, "clip_norm", 0);
    return result;
}

// Adds the layers of a document to a builder, in order.
class NetworkReader {
public:
    explicit NetworkReader(const JsonDocument& document)
        : m_document(document), m_builder(textOf(document.root(), "name")) {}

    Result<Graph> read() && {
        const auto init = textOf(m_document.root(), "weight_init", "glorot_uniform");
        if (init == "he_normal") m_builder.weightInit(InitKind::HeNormal);
        if (init == "normal") m_builder.weightInit(InitKind::Normal, 0.02);
        for (const auto& layer : m_document.root().at("layers")) TRY(addLayer(layer));
        const auto& outputs = m_document.root().at("outputs");
        for (const auto& output : outputs) TRY(addOutput(output));
        auto graph = std::move(m_builder).build();
        if (!graph) return m_document.failAt(outputs, graph.error().detail);
        return graph;
    }

private:
    Result<void> addLayer(const Json& layer) {
        // The kind determines which members are allowed.
        const auto* kind = memberOf(layer, "kind");
        const auto& entries = layerEntries();
        auto entry = entries.end();
        if (kind != nullptr)
            entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return *kind == e.kind; });
        if (entry == entries.end()) return unknownKind(layer);
        TRY(checkObject(m_document, layer, layerRules(), entry->rules));
        const auto name = textOf(layer, "name");
        if (layer.contains("name") && (!isPlainName(name) || m_nodes.contains(name)))
            return m_document.failAt(layer.at("name"),
                                     isPlainName(name) ? messages::nameTaken(name) : messages::badName(name));
        ASSIGN(const auto inputs, inputsOf(layer, entry->kind == "input"));
        return append(*entry, layer, inputs);
    }

    Failure unknownKind(const Json& layer) const {
        const auto* kind = memberOf(layer, "kind");
        if (kind == nullptr) return m_document.failAt(layer, messages::kindMissing());
        std::vector<std::string_view> known;
        for (const auto& entry : layerEntries()) known.push_back(entry.kind);
        const auto text = kind->is_string() ? kind->get<std::string>() : std::string();
        return m_document.failAt(*kind, messages::unknownKind(text, nearestName(text, known)));
    }

    Result<NodeId> nodeOf(const Json& value) const {
        const auto name = value.get<std::string>();
        const auto found = m_nodes.find(name);
        if (found != m_nodes.end()) return found->second;
        return m_document.failAt(value, messages::noLayerAbove(name));
    }

    Result<std::vector<NodeId>> inputsOf(const Json& layer, bool isInput) const {
        std::vector<NodeId> result;
        const auto* inputs = memberOf(layer, "inputs");
        if (inputs != nullptr) {
            for (const auto& name : *inputs) {
                ASSIGN(const auto node, nodeOf(name));
                result.push_back(node);
            }
        } else if (!isInput) {
            if (m_last < 0) return m_document.failAt(layer, messages::firstLayer());
            result.push_back(m_last);
        }
        return result;
    }

    Result<void> append(const LayerEntry& entry, const Json& layer, const std::vector<NodeId>& inputs) {
        const auto* tied = memberOf(layer, "tied_to");
        if (entry.kind == "dense" && (tied == nullptr) == (!layer.contains("units")))
            return m_document.failAt(layer, messages::unitsOrTied());
        NodeId node = -1;
        if (tied != nullptr) {
            ASSIGN(const auto table, nodeOf(*tied));
            if (inputs.size() != 1 || layer.contains("bias") || layer.contains("frozen"))
                return m_document.failAt(layer, messages::tiedOneInput());
            node = m_builder.tiedDense(inputs.front(), table, textOf(layer, "name"));
        } else {
            std::vector<Shape> shapes;
            for (auto input : inputs) shapes.push_back(m_builder.shapeOf(input));
            m_builder.freeze(flagOf(layer, "frozen", false));
            node = m_builder.add(entry.make(layer, shapes), inputs, textOf(layer, "name"));
        }
        if (const auto& error = m_builder.error()) return m_document.failAt(layer, error->detail);
        m_last = node;
        // Generated names can be referenced, too: "dense_1".
        const auto& known = m_builder.nameOf(node);
        if (!m_nodes.emplace(known, node).second) return m_document.failAt(layer, messages::nameThisLayer(known));
        return {};
    }

    Result<void> addOutput(const Json& output) {
        TRY(checkObject(m_document, output, outputRules()));
        ASSIGN(const auto node, nodeOf(output.at("layer")));
        const auto loss = textOf(output, "loss", "softmax_cross_entropy") == "sigmoid_cross_entropy"
                              ? LossKind::SigmoidCrossEntropy
                              : LossKind::SoftmaxCrossEntropy;
        m_builder.head(Head{node, loss, realOf(output, "weight", 1.0), flagOf(output, "training_only", false)});
        return {};
    }

    const JsonDocument& m_document;
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

// "net.json#1a2b3c4d" -> "net.json" and "1a2b3c4d"; without such a suffix, or if a file has that name, all of it is the
// path.
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

}  // namespace

Result<Workload> readNetwork(std::string_view text, const std::string& subject) {
    ASSIGN(const auto document, JsonDocument::parse(text, subject, kNetworkLimits));
    const auto& root = document.root();
    TRY(checkObject(document, root, documentRules()));
    const auto name = root.at("name").get<std::string>();
    if (!isPlainName(name)) return document.failAt(root.at("name"), messages::networkName());

    Workload workload;
    if (const auto* optimizer = memberOf(root, "optimizer")) {
        ASSIGN(auto read, readOptimizer(document, *optimizer));
        workload.optimizer = read;
    }
    auto graph = NetworkReader(document).read();
    if (!graph) return Failure(graph.error());
    workload.id = subject;
    workload.title = textOf(root, "title", name);
    workload.family = "own";
    workload.dataset = "synthetic";
    workload.dataKind = dataKindOf(*graph);
    workload.batch = wholeOf(root, "batch", 32);
    workload.parameters = graph->trainableParameters();
    workload.inferenceOnly = decodes(*graph);
    workload.build = [graph = std::move(*graph)]() -> Result<Graph> { return graph; };
    return workload;
}

Result<Workload> readNetworkFile(const std::string& name) {
    const auto [path, hash] = splitContentHash(name);
    ASSIGN(const auto text, readFile(path, static_cast<std::int64_t>(kNetworkLimits.bytes)));
    auto workload = readNetwork(text, path);
    if (!workload) return workload;
    const auto found = fmt::format("{:016x}", fnv1a(text)).substr(0, kHashDigits);
    if (!hash.empty() && hash != found)
        return fail(ErrorKind::InvalidArgument, path, messages::fileChanged(found, hash));
    workload->id = path + "#" + found;
    return workload;
}

}  // namespace steelyard::model
