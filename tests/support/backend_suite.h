// SPDX-License-Identifier: Apache-2.0
// Compares a backend with the reference, for the tests of every backend: one layer at a time (layerCases), or a
// whole network. A difference is a test failure that names the tensor.
//
//   class CpuLayers : public ::testing::TestWithParam<test::LayerCase> {};
//   TEST_P(CpuLayers, EqualTheReference) { test::expectEqualsReference(*makeCpuBackend(), GetParam(), {}); }
//   INSTANTIATE_TEST_SUITE_P(Fp32, CpuLayers, ::testing::ValuesIn(test::layerCases()), test::nameOfParam);
#pragma once

#include <cstdint>
#include <string>

#include "engine/compute/backend.h"
#include "engine/compute/backend_comparison.h"
#include "engine/model/graph.h"
#include "tests/support/layer_cases.h"

namespace steelyard::test {

struct BackendCheck {
    plan::Precision precision = plan::Precision::Fp32;
    model::Optimizer optimizer;
    std::int64_t batch = 3;
    std::uint64_t seeds = 3;     // layers: shapes and values with seeds 1 .. seeds
    double tolerance = 1e-5;     // norm-relative; in bf16 and fp16 more if rounding alone has a larger effect
    bool manyRoundings = false;  // use four rounded references, as in bench/measure/verification.cpp, and also in tf32
    compute::CompileOptions compile;  // device, threads, kernels
};

// The differences of one plan; a failure to compile or run is a test failure and yields an empty comparison.
compute::Comparison compareWithReference(compute::Backend& candidate, const plan::Plan& plan,
                                         const compute::CompileOptions& compile);

// Inference: outputs. Training: loss, every gradient, every update and state, after one and two steps.
void expectEqualsReference(compute::Backend& candidate, const model::Graph& graph, const BackendCheck& check);
void expectEqualsReference(compute::Backend& candidate, const LayerCase& layer, const BackendCheck& check);

inline const auto nameOfParam = [](const auto& one) { return one.param.name; };

}  // namespace steelyard::test
