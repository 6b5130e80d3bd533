// SPDX-License-Identifier: Apache-2.0
// Training of a language model as a workload name:
//   ./config.json(mode=train,tokens=512)#1a2b3c4d         all weights; the optional hash is of the file
//   ./config.json(mode=lora,tokens=512,rank=16)           adapters of that rank beside all matrices
// The file is a Hugging Face configuration; the weights are random. Unlike the other tasks of language models, training
// is lowered to a Plan (decoder_graph.h). Stateless functions; any thread.
#pragma once

#include <string_view>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// A JSON file with mode=train or mode=lora in parentheses.
[[nodiscard]] bool isTrainingName(std::string_view text);
// Errors: InvalidArgument for an unknown option or another hash; those of decoderFromConfig() and decoderGraph().
[[nodiscard]] Result<Workload> readTrainingWorkload(std::string_view text);

}  // namespace steelyard::model
