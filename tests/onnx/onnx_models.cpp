// SPDX-License-Identifier: Apache-2.0
// Runs every case of the folders given on a backend and prints what came of it, a line each. A case is a folder with
// model.onnx and test_data_set_0/{input,output}_i.pb, as the ONNX project's test data and exported models have them.
//   onnx_models [--backend reference|cpu|cuda:0] [--plugin FOLDER] [--precision fp32] [--constants name,name]
//   [--absolute 1e-5]
//               [--relative 1e-3] FOLDER...
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/plugin_loader.h"
#include "engine/compute/reference/reference_backend.h"
#include "tests/onnx/onnx_case.h"

namespace fs = std::filesystem;
using namespace steelyard;

int main(int argc, char** argv) {
    test::OnnxCaseOptions options;
    std::vector<fs::path> cases;
    fs::path plugin;  // folder of the CUDA plugin
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto next = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
        if (word == "--backend") {
            options.device = next();
        } else if (word == "--plugin") {
            plugin = next();
        } else if (word == "--precision") {
            options.precision = plan::precisionFromString(next()).value_or(plan::Precision::Fp32);
        } else if (word == "--absolute") {
            options.tolerance.absolute = std::stod(next());
        } else if (word == "--relative") {
            options.tolerance.relative = std::stod(next());
        } else if (word == "--constants") {
            options.constants.push_back(next());
        } else if (fs::exists(fs::path(word) / "model.onnx")) {
            cases.emplace_back(word);
        } else {
            for (const auto& entry : fs::directory_iterator(word))
                if (fs::exists(entry.path() / "model.onnx")) cases.push_back(entry.path());
        }
    }
    std::sort(cases.begin(), cases.end());
    auto loaded = options.device.starts_with("cuda") ? compute::loadBackendPlugin("steelyard_cuda", {plugin})
                  : options.device == "cpu"          ? compute::makeCpuBackend()
                                                     : compute::makeReferenceBackend();
    if (!loaded) {
        fmt::print(stderr, "{}\n", describe(loaded.error()));
        return 2;
    }
    const auto backend = std::move(*loaded);
    int passed = 0, refused = 0, wrong = 0;
    for (const auto& folder : cases) {
        const auto result = test::runOnnxCase(*backend, folder.string(), options);
        const auto name = folder.filename().string();
        if (!result) {
            ++refused;
            fmt::print("refused {:<48} {}\n", name, describe(result.error()));
            continue;
        }
        bool within = true;
        std::string errors;
        for (const auto& error : *result) {
            within = within && error.within;
            errors += fmt::format(" {}: {:.2e} (relative {:.1e})", error.name, error.absolute, error.relative);
        }
        ++(within ? passed : wrong);
        fmt::print("{} {:<48}{}\n", within ? "passed " : "WRONG  ", name, errors);
        std::fflush(stdout);
    }
    fmt::print("{} passed, {} wrong, {} refused\n", passed, wrong, refused);
    return wrong == 0 ? 0 : 1;
}
