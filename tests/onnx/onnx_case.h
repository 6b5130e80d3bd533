// SPDX-License-Identifier: Apache-2.0
// One case of ONNX test data on a backend.
#pragma once

#include <string>
#include <vector>

#include "engine/compute/evaluation.h"

namespace steelyard::test {

struct OnnxCaseOptions {
    std::string device = "reference";    // of the backend that is given
    std::vector<std::string> constants;  // inputs that become constants of the graph
    // Inputs whose values decide shapes or attributes become constants as well, where the graph cannot do without.
    bool bindInputsOnDemand = true;
    compute::Tolerance tolerance;
    plan::Precision precision = plan::Precision::Fp32;
};

// An error by output; outputs without an expected file are left out.
[[nodiscard]] Result<std::vector<compute::OutputError>> runOnnxCase(compute::Backend& backend,
                                                                    const std::string& folder,
                                                                    const OnnxCaseOptions& options);

}  // namespace steelyard::test
