// SPDX-License-Identifier: Apache-2.0
// From what a person writes to a workload:
//   mnist_cnn                          a network of the zoo
//   fcn_s(hidden_layers=4)             with options; those left out keep their standard value
//   paradnn_rnn(cell=gru, layers=3)    a member of a family
//   ./net.json                         a network of one's own: whatever contains a slash or ends in .json; its id ends
//                                      in a hash of the content, ./net.json#1a2b3c4d, and that is a name of it too
//   ./net.onnx(batch=8)                the same as an ONNX file (onnx/onnx_workload.h); the hash is of its structure
//   llama_3_2_1b(mode=decode)          a language model (decoder/language_workload.h), or ./model.gguf(mode=decode)
// Pure but for files. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// The network has been built once: parameters are counted, and a combination that does not fit together is
// InvalidArgument. So is an unknown option or a value out of range, naming what there is; an unknown name is NotFound.
// The id is the shortest way to write it: options in the order of the list, without those at their standard value.
[[nodiscard]] Result<Workload> resolveWorkload(std::string_view text);

// "a(x=1,y=2),b" -> "a(x=1,y=2)", "b": splits at commas outside parentheses and trims; empty parts are left out.
[[nodiscard]] std::vector<std::string> splitWorkloads(std::string_view list);

// "layers: hidden layers, 4 to 128 (4)": one line for a listing.
[[nodiscard]] std::string describe(const WorkloadOption& option);

}  // namespace steelyard::model
