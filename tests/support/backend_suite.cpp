// SPDX-License-Identifier: Apache-2.0
#include "tests/support/backend_suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "engine/compute/reference/reference_backend.h"

namespace steelyard::test {

compute::Comparison compareWithReference(compute::Backend& candidate, const plan::Plan& plan,
                                         const compute::CompileOptions& compile) {
    const auto reference = compute::makeReferenceBackend();
    auto comparison = compute::compareBackends(candidate, *reference, std::make_shared<const plan::Plan>(plan), compile,
                                               {.seed = compile.seed, .steps = 2});
    if (comparison) return std::move(*comparison);
    ADD_FAILURE() << plan.workload << ": " << describe(comparison.error());
    return {};
}

namespace {

// The effect of a narrow type alone, with the allowance of bench/measure/verification.cpp: a small difference of large
// terms, or a ReLU switched by different rounding, exceeds the tolerance in any implementation. Only evaluated if a
// difference exceeds it.
class Rounding {
public:
    Rounding(const plan::Plan& plan, const BackendCheck& check)
        : m_plan(plan), m_compile(check.compile), m_most(check.manyRoundings ? std::size(kSeeds) : 1) {}

    // Adds rounded references until one explains the difference, or there are no more.
    bool excuses(const compute::Difference& difference) {
        const bool wide = plan::activationType(m_plan.options.precision) == model::DataType::Float32;
        if (m_plan.options.precision == plan::Precision::Fp32 || (wide && m_most == 1)) return false;
        do
            for (const auto& one : m_draws)
                for (const auto& other : one.differences)
                    if (other.quantity == difference.quantity && other.tensor == difference.tensor &&
                        other.step == difference.step &&
                        difference.relative <= std::min(kLargest, kTimesRounding * other.relative))
                        return true;
        while (draw());
        return false;
    }

    // Values beyond the range of the type are not an error of the backend.
    bool isUnusable() {
        return m_plan.options.precision == plan::Precision::Fp16 && (!m_draws.empty() || draw()) &&
               !m_draws.front().unusable.empty();
    }

private:
    static constexpr double kTimesRounding = 3, kLargest = 0.9;
    static constexpr std::optional<std::uint64_t> kSeeds[] = {std::nullopt, 1, 2, 3};

    bool draw() {
        if (m_draws.size() == m_most) return false;
        const auto backend =
            compute::makeReferenceBackend({.emulatePrecision = true, .roundingSeed = kSeeds[m_draws.size()]});
        m_draws.push_back(compareWithReference(*backend, m_plan, m_compile));
        return true;
    }

    const plan::Plan& m_plan;
    const compute::CompileOptions& m_compile;
    std::size_t m_most;
    std::vector<compute::Comparison> m_draws;
};

}  // namespace

void expectEqualsReference(compute::Backend& candidate, const model::Graph& graph, const BackendCheck& check) {
    for (const auto mode : {plan::Mode::Infer, plan::Mode::Train}) {
        const auto plan = plan::lower(graph, {mode, check.batch, check.precision, check.optimizer});
        ASSERT_TRUE(plan) << describe(plan.error());
        const auto comparison = compareWithReference(candidate, *plan, check.compile);
        Rounding rounding(*plan, check);
        if (!comparison.unusable.empty() && rounding.isUnusable()) continue;
        EXPECT_EQ(comparison.unusable, "") << graph.name;
        EXPECT_FALSE(comparison.differences.empty()) << graph.name;
        for (const auto& difference : comparison.differences)
            EXPECT_TRUE(difference.relative <= check.tolerance || rounding.excuses(difference))
                << graph.name << ", " << toString(mode) << ", " << toString(check.precision) << ", seed "
                << check.compile.seed << ", step " << difference.step + 1 << ": " << toString(difference.quantity)
                << " of " << difference.tensor << " differs by " << difference.relative;
    }
}

void expectEqualsReference(compute::Backend& candidate, const LayerCase& layer, const BackendCheck& check) {
    for (std::uint64_t seed = 1; seed <= check.seeds; ++seed) {
        auto one = check;
        one.compile.seed = seed;
        expectEqualsReference(candidate, layer.graph(seed), one);
    }
}

}  // namespace steelyard::test
