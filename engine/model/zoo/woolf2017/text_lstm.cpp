// SPDX-License-Identifier: Apache-2.0
// F. Chollet and others, Keras examples: lstm_text_generation (Keras 2.0.5, 2017), as timed by M. Woolf, "Benchmarking
// TensorFlow on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017. https://minimaxir.com/2017/07/cpu-or-gpu/
// Windows of 40 one-hot characters out of 57, every third one of a text of 600,893. The gates use the logistic function
// (Keras: a piecewise linear one). 102,585 parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildTextLstm(const std::string& id, std::int64_t characters) {
    GraphBuilder g(id);
    const auto x = g.add(Recurrent{.cell = RecurrentCell::Lstm, .units = 128}, {g.input({40, characters})});
    g.head(g.dense(x, characters));
    return std::move(g).build();
}

Workload makeTextLstm(const WorkloadChoice& choice) {
    const auto characters = choice["characters"];
    return {.id = choice.id,
            .title = "Text LSTM",
            .family = "woolf2017",
            .paper = "Keras examples (2017); Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "text",
            .dataKind = DataKind::OneHotText,
            .optimizer = {.kind = OptimizerKind::RmsProp, .learningRate = 0.01, .rho = 0.9},
            .batch = 128,
            .batchSweep = {},
            .epochs = 10,
            .trainSamples = 200'285,
            .validationSamples = 0,
            .parameters = 641 * characters + 66'048,
            .build = [id = choice.id, characters] { return buildTextLstm(id, characters); }};
}

}  // namespace

Workload textLstm() {
    return configurable(
        "text_lstm",
        {{.name = "characters", .standard = 57, .low = 2, .high = 4096, .about = "different characters of the text"}},
        makeTextLstm);
}

}  // namespace steelyard::model
