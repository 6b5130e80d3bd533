// SPDX-License-Identifier: Apache-2.0
#include "tests/support/backend_suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

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

// What a narrow type alone does to a tensor, as bench/verification.cpp allows it: a small rest of large terms, or a
// rectifier that another rounding switches, is off by more than the tolerance in any implementation.
double allowed(const compute::Difference& difference, const compute::Comparison& rounding, double tolerance) {
    constexpr double kTimesRounding = 3, kLargest = 0.9;
    for (const auto& other : rounding.differences)
        if (other.quantity == difference.quantity && other.tensor == difference.tensor && other.step == difference.step)
            tolerance = std::max(tolerance, std::min(kLargest, kTimesRounding * other.relative));
    return tolerance;
}

}  // namespace

void expectEqualsReference(compute::Backend& candidate, const model::Graph& graph, const BackendCheck& check) {
    for (const auto mode : {plan::Mode::Infer, plan::Mode::Train}) {
        const auto plan = plan::lower(graph, {mode, check.batch, check.precision, check.optimizer});
        ASSERT_TRUE(plan) << describe(plan.error());
        const auto comparison = compareWithReference(candidate, *plan, check.compile);
        EXPECT_EQ(comparison.unusable, "") << graph.name;
        EXPECT_FALSE(comparison.differences.empty()) << graph.name;
        compute::Comparison rounding;
        if (plan::activationType(check.precision) != model::DataType::Float32)
            rounding =
                compareWithReference(*compute::makeReferenceBackend({.emulatePrecision = true}), *plan, check.compile);
        for (const auto& difference : comparison.differences)
            EXPECT_LE(difference.relative, allowed(difference, rounding, check.tolerance))
                << graph.name << ", " << toString(mode) << ", seed " << check.compile.seed << ", step "
                << difference.step + 1 << ": " << toString(difference.quantity) << " of " << difference.tensor;
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
