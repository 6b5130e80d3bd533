// SPDX-License-Identifier: Apache-2.0
// Every zoo case supported by the CPU backend: each network, in inference and (if trainable) training, in Float32 and
// bfloat16. For parameterised tests.
#pragma once

#include <string>
#include <vector>

#include "engine/model/zoo/zoo.h"
#include "engine/plan/plan.h"

namespace steelyard::test {

struct ZooCase {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;

    [[nodiscard]] std::string name() const {
        return workload + "_" + std::string(toString(mode)) + "_" + std::string(toString(precision));
    }
};

[[nodiscard]] inline std::vector<ZooCase> zooCases() {
    std::vector<ZooCase> cases;
    for (const auto& workload : model::workloads())
        for (const auto mode : {plan::Mode::Infer, plan::Mode::Train})
            for (const auto precision : {plan::Precision::Fp32, plan::Precision::Bf16})
                if (mode == plan::Mode::Infer || !workload.inferenceOnly)
                    cases.push_back({workload.id, mode, precision});
    return cases;
}

}  // namespace steelyard::test
