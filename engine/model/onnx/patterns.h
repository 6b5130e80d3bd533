// SPDX-License-Identifier: Apache-2.0
// What exporters write as several operators and is one layer: found again, so that backends use their own kernels and
// bytes are counted as they are moved. A network computes the same afterwards, up to rounding.
//   MatMul + Add of a vector                     dense layer with a bias
//   x Sigmoid(x)                                 swish
//   x (1 + Erf(x / sqrt 2)) / 2, in any order    GELU
//   (x - mean) / Sqrt(variance + e), a x + b     layer normalisation
//   x / Sqrt(mean of x^2 + e), times a           root mean square normalisation
#pragma once

#include "engine/model/onnx/import.h"

namespace steelyard::model::onnx {

// Layers and parameters that nothing needs any more are left out; ids change, those in `imported` too.
void recognisePatterns(Imported& imported);

}  // namespace steelyard::model::onnx
