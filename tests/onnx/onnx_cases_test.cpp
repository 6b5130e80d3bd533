// SPDX-License-Identifier: Apache-2.0
// The ONNX project's own cases (Debian's libonnx-testdata) on the reference, the CPU and a simulated GPU.
// skipped_cases_VERSION.txt lists those that do not pass, each with the reason: "outside" where an operator or a type
// is none of those that are imported, "open" where it is. A case that neither passes nor is listed is a failure; so is
// one that is listed and passes on the CPU.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"
#include "tests/engine/compute/cuda/gpu_under_test.h"
#include "tests/onnx/onnx_case.h"

namespace steelyard::compute {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = "/usr/share/libonnx-testdata/data";

// Of the versions 1.12 (Debian 12) and 1.17 (Debian 13); the second has cases of group normalisation.
std::string list() {
    const auto* version = fs::exists(kCases / "node" / "test_group_normalization_example") ? "1.17" : "1.12";
    return std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/skipped_cases_" + version + ".txt";
}

constexpr double kLeastShare = 0.95;  // of the cases of the imported operators

struct SkippedCase {
    bool open = false;
    std::string reason;
};

// Lines "name outside|open reason"; # begins a comment.
std::map<std::string, SkippedCase> skippedCases() {
    std::map<std::string, SkippedCase> cases;
    std::ifstream stream(list());
    EXPECT_TRUE(stream) << list();
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line.front() == '#') continue;
        const auto first = line.find(' '), second = line.find(' ', first + 1);
        const auto kind = line.substr(first + 1, second - first - 1);
        EXPECT_TRUE(kind == "open" || kind == "outside") << line;
        EXPECT_GT(line.size(), second + 1) << line;
        EXPECT_TRUE(cases.emplace(line.substr(0, first), SkippedCase{kind == "open", line.substr(second + 1)}).second)
            << line;
    }
    return cases;
}

std::unique_ptr<Backend> backendFor(const std::string& name) {
    if (name == "cpu") return makeCpuBackend();
    if (name == "reference") return makeReferenceBackend();
    return cuda::test::gpuUnderTest();
}

class OnnxCases : public ::testing::TestWithParam<std::string> {};

TEST_P(OnnxCases, PassOrAreListed) {
    if (!fs::exists(kCases)) GTEST_SKIP() << "libonnx-testdata is not installed";
    const auto skipped = skippedCases();
    const auto backend = backendFor(GetParam());
    test::OnnxCaseOptions options;
    options.device = GetParam() == "gpu" ? "cuda:0" : GetParam();
    options.tolerance = {1e-3, 1e-7};
    int passed = 0, open = 0;
    for (const auto* folder : {"node", "simple", "pytorch-converted", "pytorch-operator"}) {
        for (const auto& entry : fs::directory_iterator(kCases / folder)) {
            if (!fs::exists(entry.path() / "model.onnx")) continue;
            const auto name = entry.path().filename().string();
            const auto listed = skipped.find(name);
            const auto result = test::runOnnxCase(*backend, entry.path().string(), options);
            const bool passes = result && !result->empty() &&
                                std::all_of(result->begin(), result->end(), [](const auto& one) { return one.within; });
            if (listed != skipped.end()) {
                open += listed->second.open ? 1 : 0;
                EXPECT_FALSE(passes && GetParam() == "cpu") << name << " passes: take it out of the list";
                continue;
            }
            passed += passes ? 1 : 0;
            EXPECT_TRUE(passes) << name << ": " << (result ? "wrong" : describe(result.error()));
        }
    }
    EXPECT_GE(passed, kLeastShare * (passed + open));
    RecordProperty("passed", passed);
    fmt::print("{}: {} passed, {} open\n", GetParam(), passed, open);
}

// Those of tests/data, which onnx_test computes on the reference alone.
TEST_P(OnnxCases, OwnModelsPass) {
    const auto backend = backendFor(GetParam());
    test::OnnxCaseOptions options;
    options.device = GetParam() == "gpu" ? "cuda:0" : GetParam();
    for (const auto* name :
         {"mlp", "tokens", "windows", "masked_attention", "recurrent", "logarithm", "qdq_channels", "qdq_signed",
          "qdq_symmetric", "qdq_exact", "qdq_saturated", "qdq_bias", "qlinear", "integers"}) {
        const auto folder = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/" + name;
        const auto result = test::runOnnxCase(*backend, folder, options);
        ASSERT_TRUE(result) << name << ": " << describe(result.error());
        EXPECT_FALSE(result->empty());
        for (const auto& output : *result)
            EXPECT_TRUE(output.within) << name << ", " << output.name << ": " << output.absolute;
    }
}

INSTANTIATE_TEST_SUITE_P(Backends, OnnxCases, ::testing::Values("reference", "cpu", "gpu"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace steelyard::compute
