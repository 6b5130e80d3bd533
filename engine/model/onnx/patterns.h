// SPDX-License-Identifier: Apache-2.0
// Recognises layers that exporters decompose into several operators, so that backends use their optimised kernels and
// memory traffic is counted correctly. The network computes the same result, up to rounding.
//   MatMul + Add of a vector                     dense layer with a bias
//   x Sigmoid(x)                                 swish
//   x (1 + Erf(x / sqrt 2)) / 2, in any order    GELU
//   (x - mean) / Sqrt(variance + e), a x + b     layer normalisation
//   x / Sqrt(mean of x^2 + e), times a           root mean square normalisation
#pragma once

#include "engine/model/onnx/import.h"

namespace steelyard::model::onnx {

// Removes unused layers and parameters; ids change, including those in `imported`.
void recognisePatterns(Imported& imported);

}  // namespace steelyard::model::onnx
