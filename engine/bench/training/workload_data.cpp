// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/workload_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/data/open_dataset.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

// The option for the vocabulary size, if it depends on the data.
std::optional<std::string> vocabularyOption(const model::Workload& workload) {
    for (const auto* name : {"characters", "ids"}) {
        for (const auto& option : workload.options)
            if (option.name == name) return name;
    }
    return std::nullopt;
}

std::string baseId(const std::string& id) {
    return id.substr(0, id.find('('));
}

// The workload with one option replaced.
std::string withOption(const std::string& id, const std::string& name, std::int64_t value) {
    std::string list;
    if (const auto open = id.find('('); open != std::string::npos) {
        std::string rest = id.substr(open + 1, id.size() - open - 2);
        while (!rest.empty()) {
            const auto comma = rest.find(',');
            const auto part = rest.substr(0, comma);
            if (!part.starts_with(name + "=")) list += part + ",";
            rest = comma == std::string::npos ? std::string() : rest.substr(comma + 1);
        }
    }
    return fmt::format("{}({}{}={})", baseId(id), list, name, value);
}

}  // namespace

bool hasRealData(const model::Workload& workload) {
    const auto& names = data::datasetNames();
    return std::find(names.begin(), names.end(), workload.dataset) != names.end();
}

Result<WorkloadData> openWorkloadData(const model::Workload& workload, const std::filesystem::path& folder,
                                      std::int64_t batch, std::uint64_t seed) {
    auto graph = workload.build();
    if (!graph) return Failure(graph.error());
    data::DatasetRequest request;
    request.dataset = workload.dataset;
    request.folder = folder;
    request.featureShape = graph->nodes.front().output;
    request.batch = batch > 0 ? batch : workload.batch;
    request.bigrams = baseId(workload.id) == "imdb_fasttext";
    request.classCount = graph->nodes[static_cast<std::size_t>(graph->heads.front().logits)].output.back();
    request.seed = seed;
    auto data = data::openDataset(request);
    if (!data) return Failure(data.error());

    WorkloadData result{workload, std::move(*graph), std::move(*data), {}};
    if (baseId(workload.id) == "cifar10_cnn") result.augmentation = data::usualAugmentation(workload.dataset);
    const auto option = vocabularyOption(workload);
    const auto& info = result.data.train->info();
    const auto vocabulary = info.vocabulary.value_or(info.classCount);
    if (!option) return result;
    ASSIGN(auto fitted, model::resolveWorkload(withOption(workload.id, *option, vocabulary)));
    ASSIGN(auto fittedGraph, fitted.build());
    result.workload = std::move(fitted);
    result.graph = std::move(fittedGraph);
    return result;
}

}  // namespace steelyard::bench
