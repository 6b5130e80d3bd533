// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/network_services.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "app/desktop/user_networks.h"
#include "engine/model/onnx/import.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/resolve.h"
#include "engine/model/training_graph.h"
#include "engine/plan/plan.h"

namespace steelyard::desktop {
namespace {

namespace onnx = model::onnx;

// The message with that id, searched in a message and its arguments.
const Message* findMessage(const Message& message, std::string_view id) {
    if (message.id == id) return &message;
    for (const auto& argument : message.arguments) {
        const auto* inner = std::get_if<Message>(&argument.value);
        const auto* found = inner == nullptr ? nullptr : findMessage(*inner, id);
        if (found != nullptr) return found;
    }
    return nullptr;
}

// These characters end a name in workload options.
bool isPlain(const std::string& name) {
    return !name.empty() && name.find_first_of(",()=#+") == std::string::npos;
}

std::string keyOf(const onnx::ValueInfo& input, std::size_t axis) {
    return isPlain(input.symbols[axis]) ? input.symbols[axis] : fmt::format("{}:{}", input.name, axis);
}

class OnnxInspection {
public:
    OnnxInspection(const ui::NetworkRequest& request, const onnx::File& file) : m_request(request), m_file(file) {
        std::set<std::string> initialised;
        for (const auto& tensor : file.graph.initializers) initialised.insert(tensor.name);
        for (const auto& input : file.graph.inputs)
            if (!initialised.contains(input.name)) m_inputs.push_back(&input);
        if (!m_inputs.empty() && isOpen(*m_inputs.front(), 0)) m_batchSymbol = m_inputs.front()->symbols.front();
    }

    // The contents of the file, before import.
    void describe(ui::NetworkSummary& summary) const {
        summary.isOnnx = true;
        summary.producer = m_file.producer;
        if (const auto opset = m_file.opsets.find(""); opset != m_file.opsets.end()) summary.opset = opset->second;
        summary.nodes = static_cast<std::int64_t>(m_file.graph.nodes.size());
        summary.batchIsOpen = !m_inputs.empty() && isOpen(*m_inputs.front(), 0);
        std::set<std::string> asked;
        for (const auto* input : m_inputs) {
            ui::NetworkValue value{input->name,     std::string(onnx::toString(input->type)),
                                   input->dims,     input->symbols,
                                   input->hasShape, false};
            for (std::size_t axis = 0; axis < input->dims.size(); ++axis) {
                if (!isAsked(*input, axis)) continue;
                const auto key = keyOf(*input, axis);
                if (!asked.insert(key).second) continue;
                summary.open.push_back({key, isPlain(input->symbols[axis]) ? input->symbols[axis]
                                                                           : fmt::format("{}[{}]", input->name, axis)});
            }
            const bool single = input->hasShape && (input->dims.empty() || input->dims == model::Shape{1});
            value.mayBeFixed = single && !onnx::isFloating(input->type);
            summary.inputs.push_back(std::move(value));
        }
        for (const auto& output : m_file.graph.outputs)
            summary.outputs.push_back({output.name, std::string(onnx::toString(output.type)), output.dims,
                                       output.symbols, output.hasShape, false});
    }

    // The request as options in a workload's name.
    [[nodiscard]] std::vector<std::string> options() const {
        std::vector<std::string> options;
        if (m_request.batch && !m_inputs.empty() && isOpen(*m_inputs.front(), 0))
            options.push_back(fmt::format("batch={}", *m_request.batch));
        std::set<std::string> given;
        for (const auto* input : m_inputs) {
            if (const auto value = m_request.values.find(input->name); value != m_request.values.end()) {
                options.push_back(fmt::format("value.{}={}", input->name, value->second));
                continue;
            }
            if (const auto shape = m_request.shapes.find(input->name);
                shape != m_request.shapes.end() && !shape->second.empty()) {
                options.push_back(fmt::format("shape.{}={}", input->name, shape->second));
                continue;
            }
            bool unnamed = false, complete = true;
            model::Shape whole = input->dims;
            for (std::size_t axis = 0; axis < whole.size(); ++axis) {
                if (whole[axis] > 0) continue;
                const auto found = m_request.dimensions.find(keyOf(*input, axis));
                const bool set = found != m_request.dimensions.end() && found->second > 0;
                if (!isAsked(*input, axis)) {
                    whole[axis] = m_request.batch.value_or(1);
                    continue;
                }
                complete = complete && set;
                if (!set) continue;
                whole[axis] = found->second;
                if (!isPlain(input->symbols[axis])) {
                    unnamed = true;
                } else if (given.insert(input->symbols[axis]).second) {
                    options.push_back(fmt::format("shape.{}={}", input->symbols[axis], found->second));
                }
            }
            if (unnamed && complete) options.push_back(fmt::format("shape.{}={}", input->name, fmt::join(whole, "x")));
        }
        if (!m_request.stopBefore.empty()) options.push_back("outputs=" + m_request.stopBefore);
        return options;
    }

private:
    static bool isOpen(const onnx::ValueInfo& input, std::size_t axis) {
        return input.hasShape && axis < input.dims.size() && input.dims[axis] < 0;
    }
    // The batch size is the first dimension and every dimension with the same symbol.
    [[nodiscard]] bool isAsked(const onnx::ValueInfo& input, std::size_t axis) const {
        return isOpen(input, axis) && axis > 0 && (m_batchSymbol.empty() || input.symbols[axis] != m_batchSymbol);
    }

    const ui::NetworkRequest& m_request;
    const onnx::File& m_file;
    std::vector<const onnx::ValueInfo*> m_inputs;  // without initializers
    std::string m_batchSymbol;
};

Result<std::string> workloadText(const ui::NetworkRequest& request) {
    if (!onnx::isOnnxName(request.file)) return request.file;
    ASSIGN(const auto file, onnx::readFile(request.file));
    return onnx::withImportOptions(request.file, OnnxInspection(request, *file).options());
}

ui::NetworkValue valueOf(const std::string& name, std::string_view type, const model::Shape& shape) {
    return {name, std::string(type), shape, std::vector<std::string>(shape.size()), true, false};
}

Result<ui::UnderstoodNetwork> understand(const model::Workload& workload, const model::Graph& graph) {
    ASSIGN(const auto plan,
           plan::lower(graph, {plan::usualMode(workload), workload.batch, plan::Precision::Fp32, workload.optimizer}));
    ui::UnderstoodNetwork result;
    std::map<std::string, std::int64_t> kinds;
    for (const auto& node : graph.nodes) {
        if (std::holds_alternative<model::Input>(node.layer) || std::holds_alternative<model::Constant>(node.layer))
            continue;
        ++result.layers;
        ++kinds[std::string(model::kindName(node.layer))];
    }
    result.kinds.assign(kinds.begin(), kinds.end());
    std::stable_sort(result.kinds.begin(), result.kinds.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    result.parameters = graph.trainableParameters();
    result.flopsPerSample = 2 * plan.forwardMacsPerSample();
    result.batch = workload.batch;
    result.memoryBytes = plan.memory.total().value();
    result.trainable = !workload.inferenceOnly;
    return result;
}

Result<void> inspectOnnx(const ui::NetworkRequest& request, ui::NetworkSummary& summary) {
    ASSIGN(const auto file, onnx::readFile(request.file));
    const OnnxInspection inspection(request, *file);
    inspection.describe(summary);
    ASSIGN(const auto text, onnx::withImportOptions(request.file, inspection.options()));
    ASSIGN(const auto name, onnx::parseOnnxName(text));
    ASSIGN(const auto imported, onnx::import(file, name.options));
    for (const auto& input : imported.inputs)
        for (auto& shown : summary.inputs)
            if (shown.name == input.name) shown.dims = input.shape;
    summary.outputs.clear();
    for (const auto& output : imported.outputs)
        summary.outputs.push_back(valueOf(output.name, onnx::toString(output.type), output.shape));
    summary.batchIsOpen = imported.batchIsOpen;
    model::Workload workload;
    workload.inferenceOnly = !model::trainingGraph(imported.graph);
    workload.usuallyInferred = true;
    workload.batch = imported.batch;
    ASSIGN(summary.understood, understand(workload, imported.graph));
    return {};
}

Result<void> inspectJson(const ui::NetworkRequest& request, ui::NetworkSummary& summary) {
    ASSIGN(const auto workload, model::resolveWorkload(request.file));
    ASSIGN(const auto graph, workload.build());
    summary.title = workload.title;
    for (const auto& node : graph.nodes)
        if (std::holds_alternative<model::Input>(node.layer))
            summary.inputs.push_back(
                valueOf(node.name, node.type == model::DataType::Int32 ? "int32" : "float32", node.output));
    for (const auto& head : graph.heads) {
        const auto& node = graph.nodes[static_cast<std::size_t>(head.logits)];
        summary.outputs.push_back(valueOf(node.name, "float32", node.output));
    }
    ASSIGN(summary.understood, understand(workload, graph));
    return {};
}

}  // namespace

ui::NetworkSummary inspectNetwork(const ui::NetworkRequest& request) {
    ui::NetworkSummary summary;
    summary.request = request;
    summary.title = std::filesystem::path(request.file).stem().string();
    const auto done = onnx::isOnnxName(request.file) ? inspectOnnx(request, summary) : inspectJson(request, summary);
    if (done) return summary;
    summary.problem = done.error();
    summary.needsDimensions = findMessage(done.error().detail, "onnx.dimension_open") != nullptr ||
                              findMessage(done.error().detail, "onnx.shape_not_in_file") != nullptr;
    if (const auto* cut = findMessage(done.error().detail, "onnx.cut_here"); cut != nullptr)
        if (const auto* value = std::get_if<std::string>(&cut->arguments.front().value);
            value != nullptr && isPlain(*value)) {
            summary.cutBefore = *value;
            // The window offers the cut as a button.
            if (const auto& detail = done.error().detail; detail.id == "core.listed" && detail.arguments.size() == 2)
                if (const auto* first = std::get_if<Message>(&detail.arguments.front().value))
                    summary.problem->detail = Message(*first);
        }
    return summary;
}

ui::NetworkServices networkServices(const std::filesystem::path& resources, const std::filesystem::path& networks) {
    const auto own = std::make_shared<UserNetworks>(networks);
    own->purge();
    ui::NetworkServices services;
    services.inspect = [](const ui::NetworkRequest& request) { return inspectNetwork(request); };
    services.add = [own](const ui::NetworkRequest& request) -> Result<std::string> {
        ASSIGN(const auto text, workloadText(request));
        return own->add(request.name, text);
    };
    services.setRemoved = [own](const std::string& id, bool removed) { return own->setRemoved(id, removed); };
    services.schema = resources / "schemas" / "network.schema.json";
    return services;
}

}  // namespace steelyard::desktop
