// SPDX-License-Identifier: Apache-2.0
// The whole zoo on the CPU backend, checked as a run checks it before it times: every network, training and inferring,
// in Float32 and, where the processor can, bfloat16.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/bench/verification.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {
namespace {

struct ZooCase {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;
};

std::vector<ZooCase> zoo() {
    std::vector<ZooCase> cases;
    for (const auto& workload : model::workloads())
        for (const auto mode : {plan::Mode::Infer, plan::Mode::Train})
            for (const auto precision : {plan::Precision::Fp32, plan::Precision::Bf16})
                if (mode == plan::Mode::Infer || !workload.inferenceOnly)
                    cases.push_back({workload.id, mode, precision});
    return cases;
}

class ZooVerification : public ::testing::TestWithParam<ZooCase> {};

TEST_P(ZooVerification, AgreesWithTheReference) {
    const auto& [id, mode, precision] = GetParam();
    const auto* workload = model::findWorkload(id).value();
    const auto cpu = compute::makeCpuBackend();
    const auto reference = compute::makeReferenceBackend();
    VerifyOptions options;
    options.compile.threads = 2;
    const auto result = verify(*cpu, *reference, workload->build().value(),
                               {mode, workload->batch, precision, workload->optimizer}, options);
    RecordProperty("max_relative_error", fmt::format("{:.2g}", result.maxRelativeError.value_or(-1)));
    RecordProperty("tolerance", fmt::format("{:.2g}", result.tolerance.value_or(-1)));
    if (result.state == VerificationState::NotChecked) GTEST_SKIP() << result.reason;
    EXPECT_EQ(result.state, VerificationState::Pass) << result.reason;
}

INSTANTIATE_TEST_SUITE_P(Zoo, ZooVerification, ::testing::ValuesIn(zoo()), [](const auto& tested) {
    return tested.param.workload + "_" + std::string(toString(tested.param.mode)) + "_" +
           std::string(toString(tested.param.precision));
});

}  // namespace
}  // namespace steelyard::bench
