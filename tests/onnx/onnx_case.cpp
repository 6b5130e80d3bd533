// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/onnx_case.h"

namespace steelyard::test {
namespace {

Result<std::vector<compute::OutputError>> run(compute::Backend& backend, const std::string& folder,
                                              const OnnxCaseOptions& options,
                                              const std::vector<std::string>& constants) {
    ASSIGN(const auto file, model::onnx::readFile(folder + "/model.onnx"));
    model::onnx::ImportOptions import;
    import.fileWeights = true;
    ASSIGN(const auto known, compute::readEvaluationCase(*file, folder + "/test_data_set_0", import, constants));
    ASSIGN(const auto network, model::onnx::import(file, known.options));
    compute::CompileOptions compile;
    compile.device = options.device;
    ASSIGN(const auto outputs, compute::evaluate(backend, network, known.inputs, plan::Precision::Fp32, compile));
    std::vector<compute::OutputError> errors;
    for (std::size_t i = 0; i < outputs.size() && i < known.expected.size(); ++i) {
        auto error = compute::compareOutput(outputs[i], known.expected[i], options.tolerance);
        if (outputs[i].shape != known.expected[i].shape) error.within = false;
        errors.push_back(error);
    }
    return errors;
}

}  // namespace

Result<std::vector<compute::OutputError>> runOnnxCase(compute::Backend& backend, const std::string& folder,
                                                      const OnnxCaseOptions& options) {
    auto result = run(backend, folder, options, options.constants);
    if (result || !options.bindInputsOnDemand) return result;
    // One after the other, the last first: the first is most often what the case is about.
    ASSIGN(const auto file, model::onnx::readFile(folder + "/model.onnx"));
    auto constants = options.constants;
    for (std::size_t i = file->graph.inputs.size(); i-- > 0;) {
        constants.push_back(file->graph.inputs[i].name);
        auto again = run(backend, folder, options, constants);
        if (again) return again;
    }
    return result;
}

}  // namespace steelyard::test
