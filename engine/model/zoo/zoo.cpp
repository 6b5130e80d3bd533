// SPDX-License-Identifier: Apache-2.0
#include "engine/model/zoo/zoo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "engine/core/messages/model.h"
#include "engine/model/nearest_name.h"

namespace steelyard::model {

std::int64_t WorkloadChoice::operator[](std::string_view option) const {
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == option; });
    assert(found != values.end());
    return found == values.end() ? 0 : found->second;
}

std::string_view throughputUnit(const Workload& workload) {
    switch (workload.rate) {
        case Rate::Samples:
            break;
        case Rate::Flops:
            return "FLOP/s";
        case Rate::Bytes:
            return "B/s";
        case Rate::Operations:
            return "operations/s";
    }
    // A decoding step makes one token per sample. For an imported network only samples are known.
    const bool decodes = workload.inferenceOnly && workload.family != "own";
    return workload.tokensPerSample > 1 || decodes ? "tokens/s" : "samples/s";
}

Workload configurable(std::string id, std::vector<WorkloadOption> options,
                      std::function<Workload(const WorkloadChoice&)> make) {
    WorkloadChoice standard{std::move(id), {}};
    for (const auto& option : options) standard.values.emplace_back(option.name, option.standard);
    Workload workload = make(standard);
    workload.options = std::move(options);
    workload.choose = std::move(make);
    return workload;
}

const std::vector<Workload>& workloads() {
    static const std::vector<Workload> all{
#define NETWORK(function) function(),
#include "engine/model/zoo/networks.def"
#undef NETWORK
    };
    return all;
}

Result<const Workload*> findWorkload(std::string_view id) {
    if (id == "bert_base") id = "bert_base_128";
    if (id == "bert_large") id = "bert_large_128";
    const auto& all = workloads();
    for (const auto& workload : all) {
        if (workload.id == id) return &workload;
    }
    std::vector<std::string_view> ids;
    for (const auto& workload : all) ids.push_back(workload.id);
    return fail(ErrorKind::NotFound, {}, messages::unknownWorkload(id, nearestName(id, ids)));
}

}  // namespace steelyard::model
