// SPDX-License-Identifier: Apache-2.0
// Real numbers through an imported network: inputs from a folder, outputs compared with what another program computed.
// The folder is laid out as the ONNX project's test data are: input_0.pb, input_1.pb, ... and output_0.pb, ..., each a
// TensorProto, in the order of the file's inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/model/onnx/import.h"

namespace steelyard::compute {

struct NamedArray {
    std::string name;
    model::Shape shape;
    std::vector<double> values;
};

// Shapes and, for inputs that are known scalars, values taken from the inputs of a folder. `options` keep what is set.
struct EvaluationCase {
    model::onnx::ImportOptions options;
    std::vector<NamedArray> inputs;    // by name; those the network reads
    std::vector<NamedArray> expected;  // by position; may be fewer than there are outputs
};
// `constants`: inputs that become constants of the graph, by name.
[[nodiscard]] Result<EvaluationCase> readEvaluationCase(const model::onnx::File& file, const std::string& folder,
                                                        const model::onnx::ImportOptions& options,
                                                        const std::vector<std::string>& constants);

struct Tolerance {
    double relative = 1e-3, absolute = 1e-5;
};
struct OutputError {
    std::string name;
    double absolute = 0;  // the largest difference
    double relative = 0;  // the largest difference over the magnitude expected there
    bool within = true;   // |a - b| <= absolute + relative |b| for every element; NaN and infinity match themselves
};
[[nodiscard]] OutputError compareOutput(const NamedArray& computed, const NamedArray& expected,
                                        const Tolerance& tolerance);

// One step. The plan is that of the imported graph at its batch.
[[nodiscard]] Result<std::vector<NamedArray>> evaluate(Backend& backend, const model::onnx::Imported& network,
                                                       const std::vector<NamedArray>& inputs, plan::Precision precision,
                                                       const CompileOptions& options);

// All of it on the inputs of a folder.
struct EvaluationRequest {
    std::string folder;
    model::onnx::ImportOptions options;
    std::vector<std::string> constants;  // inputs that become constants of the graph
    // Inputs whose values decide shapes or attributes become constants as well, where the graph cannot do without: one
    // after the other, the last first, because the first is most often the data.
    bool bindInputsOnDemand = true;
    plan::Precision precision = plan::Precision::Fp32;
    CompileOptions compile;
};
struct Evaluation {
    std::vector<NamedArray> outputs, expected;  // by position; fewer may be expected than there are outputs
};
// InvalidArgument where the folder has no inputs although the network reads some.
[[nodiscard]] Result<Evaluation> evaluateFolder(Backend& backend, std::shared_ptr<const model::onnx::File> file,
                                                const EvaluationRequest& request);

// As a TensorProto of float32, as the folder has them.
[[nodiscard]] Result<void> writeArray(const NamedArray& array, const std::string& path);

}  // namespace steelyard::compute
