// SPDX-License-Identifier: Apache-2.0
// J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", 2018. https://arxiv.org/abs/1810.04805  BERT-Large, uncased: 335,141,888 parameters with the pooler,
// 334,092,288 without; 2,050 more for either head: 335,143,938 for classification, 334,094,338 for question answering.
#include "engine/model/zoo/transformers/bert.h"

namespace steelyard::model {
namespace {

BertSize large(std::string id, std::int64_t parameters) {
    return {
        .id = std::move(id), .title = "BERT-Large", .layers = 24, .width = 1024, .heads = 16, .parameters = parameters};
}

}  // namespace

Workload bertLarge128() {
    return bertWorkload(large("bert_large_128", 335'143'938), BertTask::Classify, 128);
}

Workload bertLarge384() {
    return bertWorkload(large("bert_large_384", 334'094'338), BertTask::Answer, 384);
}

}  // namespace steelyard::model
