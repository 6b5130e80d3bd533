// SPDX-License-Identifier: Apache-2.0
// J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", 2018. https://arxiv.org/abs/1810.04805  BERT-Base, uncased: 109,482,240 parameters with the pooler,
// 108,891,648 without; 1,538 more for either head: 109,483,778 for classification, 108,893,186 for question answering.
#include "engine/model/zoo/transformers/bert.h"

namespace steelyard::model {

Workload bertBase128() {
    return bertWorkload({.id = "bert_base_128", .title = "BERT-Base", .parameters = 109'483'778}, BertTask::Classify,
                        128);
}

Workload bertBase384() {
    return bertWorkload({.id = "bert_base_384", .title = "BERT-Base", .parameters = 108'893'186}, BertTask::Answer,
                        384);
}

}  // namespace steelyard::model
