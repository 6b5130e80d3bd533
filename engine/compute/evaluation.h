// SPDX-License-Identifier: Apache-2.0
// Real numbers through an imported network: inputs from a folder, outputs compared with what another program computed.
// The folder is laid out as the ONNX project's test data are: input_0.pb, input_1.pb, ... and output_0.pb, ..., each a
// TensorProto, in the order of the file's inputs and outputs. Any of them may be a NumPy array instead, input_0.npy, or
// by the name of the input or output, NAME.npy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/model/onnx/import.h"

namespace steelyard::compute {

struct NamedArray {
    std::string name;
    model::Shape shape;
    std::vector<double> values;
    model::onnx::ElementType type = model::onnx::ElementType::Float;  // that the graph declares, where it is known
};

// Shapes and, for inputs that are known scalars, values taken from the inputs of a folder. `options` keep what is set.
struct EvaluationCase {
    model::onnx::ImportOptions options;
    std::vector<NamedArray> inputs;                   // by name; those the network reads
    std::vector<std::optional<NamedArray>> expected;  // by position; may be fewer than there are outputs
    bool fromNpy = false;                             // an input was a NumPy array
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
    std::optional<double> rounding;  // the largest difference that rounding to the precision alone makes, where known
};
[[nodiscard]] OutputError compareOutput(const NamedArray& computed, const NamedArray& expected,
                                        const Tolerance& tolerance);
// For outputs that amplify rounding, such as a logarithm of small numbers: also accepts up to twice the largest
// difference that rounding to the precision makes in any implementation. `rounded`: outputs of the reference backend
// that emulates the precision. Rounding that moves an output by more than half its largest magnitude leaves nothing to
// compare; then the tolerance stays.
[[nodiscard]] OutputError compareRoundedOutput(const NamedArray& computed, const NamedArray& rounded,
                                               const NamedArray& expected, const Tolerance& tolerance);

// One step. The plan is that of the imported graph at its batch. `calibrating`: the reference that computes the ranges
// of int8 (compute/eight_bit.h); null: not supported.
[[nodiscard]] Result<std::vector<NamedArray>> evaluate(Backend& backend, const model::onnx::Imported& network,
                                                       const std::vector<NamedArray>& inputs, plan::Precision precision,
                                                       const CompileOptions& options, Backend* calibrating = nullptr);

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
    Backend* calibrating = nullptr;  // for int8
};
struct Evaluation {
    std::vector<NamedArray> outputs;
    std::vector<std::optional<NamedArray>> expected;  // by position, as many as there are outputs
    bool fromNpy = false;                             // an input was a NumPy array
};
// InvalidArgument where the folder has no inputs although the network reads some.
[[nodiscard]] Result<Evaluation> evaluateFolder(Backend& backend, std::shared_ptr<const model::onnx::File> file,
                                                const EvaluationRequest& request);

enum class ArrayFormat { TensorProto, Npy };
// A folder that has what `format` reads by position: input_0.pb or input_0.npy.
[[nodiscard]] bool hasArrays(const std::string& folder);
// output_0.pb, a TensorProto of float32, or output_0.npy of the array's own type (bfloat16 as float32).
[[nodiscard]] Result<void> writeArrays(const std::vector<NamedArray>& arrays, const std::string& folder,
                                       ArrayFormat format);

}  // namespace steelyard::compute
