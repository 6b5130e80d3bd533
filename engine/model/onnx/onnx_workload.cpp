// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/onnx_workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <mutex>

#include "engine/core/messages/onnx.h"
#include "engine/model/onnx/structure_hash.h"
#include "engine/model/training_graph.h"

namespace steelyard::model::onnx {
namespace {

constexpr std::string_view kEnding = ".onnx";

Failure bad(std::string_view text, Message why) {
    return fail(ErrorKind::InvalidArgument, fmt::format("workload '{}'", text), std::move(why));
}

template <class T>
std::optional<T> number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
std::optional<std::vector<T>> numbers(std::string_view text) {
    std::vector<T> list;
    while (true) {
        const auto next = text.find('x');
        const auto value = number<T>(text.substr(0, next));
        if (!value || list.size() > 100) return std::nullopt;
        list.push_back(*value);
        if (next == std::string_view::npos) return list;
        text.remove_prefix(next + 1);
    }
}

Result<void> readOption(std::string_view whole, std::string_view part, OnnxName& name) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) return bad(whole, messages::notAnOption(part));
    const auto key = part.substr(0, equals);
    const auto value = part.substr(equals + 1);
    auto& options = name.options;
    if (key == "batch") {
        options.batch = number<std::int64_t>(value);
        if (!options.batch || *options.batch < 1) return bad(whole, messages::notABatch(value));
    } else if (key.starts_with("shape.")) {
        const auto shape = numbers<std::int64_t>(value);
        if (!shape || std::any_of(shape->begin(), shape->end(), [](auto extent) { return extent < 1; }))
            return bad(whole, messages::notAShape(value));
        options.shapes[std::string(key.substr(6))] = *shape;
    } else if (key.starts_with("value.")) {
        const auto values = numbers<double>(value);
        if (!values) return bad(whole, messages::notANumber(value));
        options.values[std::string(key.substr(6))] = *values;
    } else if (key == "outputs") {
        for (std::size_t from = 0; from <= value.size();) {
            const auto end = std::min(value.find('+', from), value.size());
            if (end > from) options.outputs.emplace_back(value.substr(from, end - from));
            from = end + 1;
        }
    } else if (key == "weights") {
        if (value != "file" && value != "drawn") return bad(whole, messages::weightsOption());
        options.fileWeights = value == "file";
    } else {
        return bad(whole, messages::unknownOption(key));
    }
    return {};
}

std::string optionsText(const ImportOptions& options) {
    std::vector<std::string> parts;
    if (options.batch) parts.push_back(fmt::format("batch={}", *options.batch));
    for (const auto& [input, shape] : options.shapes)
        parts.push_back(fmt::format("shape.{}={}", input, fmt::join(shape, "x")));
    for (const auto& [input, values] : options.values)
        parts.push_back(fmt::format("value.{}={}", input, fmt::join(values, "x")));
    if (!options.outputs.empty()) parts.push_back(fmt::format("outputs={}", fmt::join(options.outputs, "+")));
    if (options.fileWeights) parts.emplace_back("weights=file");
    return parts.empty() ? "" : fmt::format("({})", fmt::join(parts, ","));
}

// The end of the path: after the first ".onnx" followed by the end of the text, an option list or a hash.
std::size_t endOfPath(std::string_view text) {
    for (auto at = text.find(kEnding); at != std::string_view::npos; at = text.find(kEnding, at + 1)) {
        const auto end = at + kEnding.size();
        if (end == text.size() || text[end] == '(' || text[end] == '#') return end;
    }
    return std::string_view::npos;
}

// Paths of files found in this process, by the hash of the network.
class Places {
public:
    void remember(const std::string& hash, const std::filesystem::path& path) {
        std::error_code ignored;
        const auto whole = std::filesystem::absolute(path, ignored);
        const std::scoped_lock lock(m_mutex);
        m_paths[hash] = whole.empty() ? path.string() : whole.lexically_normal().string();
    }
    [[nodiscard]] std::string of(std::string_view hash) const {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_paths.find(hash);
        return found == m_paths.end() ? std::string() : found->second;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, std::string, std::less<>> m_paths;
};

Places& places() {
    static Places all;
    return all;
}

DataKind dataKindOf(const Imported& network) {
    const auto& first = network.inputs.front();
    if (!isFloating(first.type)) return DataKind::TokenIds;
    return first.shape.size() == 4 ? DataKind::Images : DataKind::Vectors;
}

// Number of convolutions without a normalisation.
bool lacksNormalisation(const model::Graph& graph) {
    bool convolves = false;
    for (const auto& node : graph.nodes) {
        const auto* array = std::get_if<ArrayLayer>(&node.layer);
        if (std::holds_alternative<BatchNorm>(node.layer) || std::holds_alternative<LayerNorm>(node.layer) ||
            (array != nullptr && std::holds_alternative<Normalise>(array->operation)))
            return false;
        convolves = convolves || std::holds_alternative<Conv2d>(node.layer) ||
                    (array != nullptr && std::holds_alternative<ConvolveNd>(array->operation));
    }
    return convolves;
}

}  // namespace

bool isOnnxName(std::string_view text) {
    return endOfPath(text) != std::string_view::npos;
}

Result<OnnxName> parseOnnxName(std::string_view text) {
    OnnxName name;
    const auto end = endOfPath(text);
    if (end == std::string_view::npos) return bad(text, messages::notOnnx());
    name.path = std::string(text.substr(0, end));
    auto rest = text.substr(end);
    const auto mark = rest.rfind('#');
    if (mark != std::string_view::npos && rest.size() - mark == kStructureHashDigits + 1 &&
        rest.find_first_not_of("0123456789abcdef", mark + 1) == std::string_view::npos) {
        name.hash = std::string(rest.substr(mark + 1));
        rest = rest.substr(0, mark);
    }
    if (rest.empty()) return name;
    if (rest.front() != '(' || rest.back() != ')') return bad(text, messages::parentheses());
    rest = rest.substr(1, rest.size() - 2);
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        TRY(readOption(text, rest.substr(0, comma), name));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    name.optionsText = optionsText(name.options);
    return name;
}

Result<std::string> withImportOptions(std::string_view text, const std::vector<std::string>& options) {
    if (options.empty()) return std::string(text);
    if (!isOnnxName(text)) return bad(text, messages::forOnnxFiles());
    ASSIGN(auto name, parseOnnxName(text));
    for (const auto& option : options) TRY(readOption(text, option, name));
    return name.path + optionsText(name.options) + (name.hash.empty() ? "" : "#" + name.hash);
}

std::string workloadIdentity(std::string_view id) {
    const auto end = endOfPath(id);
    if (end == std::string_view::npos) return std::string(id);
    const auto mark = id.rfind('#');
    return std::string(mark == std::string_view::npos || mark < end ? id : id.substr(mark));
}

std::string locatedOnnxName(std::string_view text) {
    const auto end = endOfPath(text);
    const auto mark = text.rfind('#');
    if (end == std::string_view::npos || mark == std::string_view::npos || mark < end) return std::string(text);
    const auto path = places().of(text.substr(mark + 1));
    return path.empty() ? std::string(text) : path + std::string(text.substr(end));
}

std::string receivedOnnxName(std::string_view text) {
    const auto end = endOfPath(text);
    const auto mark = text.rfind('#');
    if (end == std::string_view::npos || mark == std::string_view::npos || mark < end) return std::string(text);
    const std::filesystem::path path(text.substr(0, end));
    if (path.has_parent_path()) places().remember(std::string(text.substr(mark + 1)), path);
    return path.filename().string() + std::string(text.substr(end));
}

Result<Workload> readOnnxWorkload(std::string_view text) {
    ASSIGN(const auto name, parseOnnxName(locatedOnnxName(text)));
    ASSIGN(const auto file, readFile(name.path));
    ASSIGN(auto network, import(file, name.options));
    if (network.inputs.empty()) return fail(ErrorKind::InvalidArgument, name.path, messages::noInputNeeded());
    const auto hash = structureHash(network.graph);
    if (!name.hash.empty() && name.hash != hash)
        return fail(ErrorKind::InvalidArgument, name.path, messages::structureChanged(hash, name.hash));
    Workload workload;
    const std::filesystem::path path(name.path);
    places().remember(hash, path);
    workload.id = path.filename().string() + name.optionsText + "#" + hash;
    workload.title = path.stem().string();
    workload.family = "own";
    workload.dataset = "synthetic";
    workload.dataKind = dataKindOf(network);
    workload.batch = network.batch;
    if (!network.batchIsOpen) workload.batchSweep = {network.batch};
    workload.parameters = network.graph.trainableParameters();
    workload.inferenceOnly = !trainingGraph(network.graph);
    workload.usuallyInferred = true;
    workload.remark = network.batchIsOpen
                          ? fmt::format("inputs: {}", network.inputsText)
                          : fmt::format("inputs: {}; the batch is written into the file", network.inputsText);
    if (!workload.inferenceOnly && lacksNormalisation(network.graph))
        workload.remark +=
            "; no normalisation (exporters fold it away), so a training step is cheaper than the original's";
    network.graph.name = workload.title;
    workload.build = [graph = std::move(network.graph)]() -> Result<model::Graph> { return graph; };
    return workload;
}

}  // namespace steelyard::model::onnx
