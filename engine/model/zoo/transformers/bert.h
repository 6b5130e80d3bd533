// SPDX-License-Identifier: Apache-2.0
// J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", 2018. https://arxiv.org/abs/1810.04805  Shared by its two sizes and two tasks. Internal to
// engine/model/zoo.
#pragma once

#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// Binary text classification, with the pooler; or question answering (SQuAD): start and end of the answer in the text,
// without the pooler.
enum class BertTask { Classify, Answer };

struct BertSize {
    std::string id, title;
    std::int64_t layers = 12, width = 768, heads = 12;
    std::int64_t parameters = 0;
};

// With the option `sequence`, the number of tokens per sample.
[[nodiscard]] Workload bertWorkload(const BertSize& size, BertTask task, std::int64_t sequence);

}  // namespace steelyard::model
