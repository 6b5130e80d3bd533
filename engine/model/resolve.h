// SPDX-License-Identifier: Apache-2.0
// Resolves what a user writes to a workload:
//   mnist_cnn                          a network of the zoo
//   fcn_s(hidden_layers=4)             with options; the others have their defaults
//   paradnn_rnn(cell=gru, layers=3)    a member of a family
//   ./net.json                         a user-defined network: any name with a slash or ending in .json; its id ends in
//                                      a hash of the content, ./net.json#1a2b3c4d, which is also accepted as a name
//   ./net.onnx(batch=8)                likewise an ONNX file (onnx/onnx_workload.h); the hash is of its structure
//   llama_3_2_1b(mode=decode)          a language model (decoder/language_workload.h), or ./model.gguf(mode=decode)
// Pure except for reading files. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// Builds the network once, to count parameters and to reject inconsistent options. Errors: InvalidArgument for an
// unknown option or a value out of range, with the valid ones; NotFound for an unknown name. The id is the canonical
// name: options in list order, without defaults.
[[nodiscard]] Result<Workload> resolveWorkload(std::string_view text);

// Splits "a(x=1,y=2),b" at commas outside parentheses and trims; empty parts are dropped.
[[nodiscard]] std::vector<std::string> splitWorkloads(std::string_view list);

// "layers: hidden layers, 4 to 128 (4)", for listings.
[[nodiscard]] std::string describe(const WorkloadOption& option);

}  // namespace steelyard::model
