// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/check/covering_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {
namespace {

std::string operationName(const plan::Operation& op) {
    return fmt::format("{} ({})", toString(op.kind), toString(op.pass));
}

}  // namespace

std::vector<CoveringCase> coveringCases() {
    struct Member {
        CoveringCase one;
        std::set<std::string> operations;
    };
    std::vector<Member> all;
    for (const auto& workload : model::workloads()) {
        const auto graph = workload.build();
        if (!graph) continue;
        const auto mode = workload.inferenceOnly ? plan::Mode::Infer : plan::Mode::Train;
        const auto plan = plan::lower(*graph, {mode, 1, plan::Precision::Fp32, workload.optimizer});
        if (!plan) continue;
        Member member{{workload.id, mode, plan->stepFlops(), {}}, {}};
        for (const auto& op : plan->operations) member.operations.insert(operationName(op));
        all.push_back(std::move(member));
    }
    std::ranges::sort(all, {}, [](const Member& member) { return member.one.flops; });
    std::set<std::string> covered;
    std::vector<CoveringCase> chosen;
    for (auto& member : all) {
        for (const auto& operation : member.operations)
            if (covered.insert(operation).second) member.one.operations.push_back(operation);
        if (!member.one.operations.empty()) chosen.push_back(std::move(member.one));
    }
    return chosen;
}

}  // namespace steelyard::bench
