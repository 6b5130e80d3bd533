// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/onnx_case.h"

#include "engine/compute/reference/reference_backend.h"

namespace steelyard::test {

Result<std::vector<compute::OutputError>> runOnnxCase(compute::Backend& backend, const std::string& folder,
                                                      const OnnxCaseOptions& options) {
    ASSIGN(auto file, model::onnx::readFile(folder + "/model.onnx"));
    compute::EvaluationRequest request;
    request.folder = folder + "/test_data_set_0";
    request.options.fileWeights = true;
    request.constants = options.constants;
    request.bindInputsOnDemand = options.bindInputsOnDemand;
    request.precision = options.precision;
    request.compile.device = options.device;
    const auto reference = compute::makeReferenceBackend();
    request.calibrating = reference.get();
    ASSIGN(const auto found, compute::evaluateFolder(backend, std::move(file), request));
    std::vector<compute::OutputError> errors;
    for (std::size_t i = 0; i < found.outputs.size() && i < found.expected.size(); ++i) {
        if (!found.expected[i]) continue;
        auto error = compute::compareOutput(found.outputs[i], *found.expected[i], options.tolerance);
        if (found.outputs[i].shape != found.expected[i]->shape) error.within = false;
        errors.push_back(error);
    }
    return errors;
}

}  // namespace steelyard::test
