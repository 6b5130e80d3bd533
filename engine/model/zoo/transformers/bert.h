// SPDX-License-Identifier: Apache-2.0
// J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", 2018. https://arxiv.org/abs/1810.04805  What its two sizes and two tasks share. Internal to
// engine/model/zoo.
#pragma once

#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// Classification of a text in two classes, through the pooler; or question answering (SQuAD): where in the text the
// answer starts and ends, without the pooler.
enum class BertTask { Classify, Answer };

struct BertSize {
    std::string id, title;
    std::int64_t layers = 12, width = 768, heads = 12;
    std::int64_t parameters = 0;
};

// With the option `sequence`, the tokens of a sample.
[[nodiscard]] Workload bertWorkload(const BertSize& size, BertTask task, std::int64_t sequence);

}  // namespace steelyard::model
