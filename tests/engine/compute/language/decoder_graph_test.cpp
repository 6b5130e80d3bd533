// SPDX-License-Identifier: Apache-2.0
// Language models as networks (model/decoder/decoder_graph.h): the Plan computes what the decoder computes from the
// same weights, and can be trained, also with low-rank adapters.
#include "engine/model/decoder/decoder_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/language/reference_decoder.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/decoder/weight_blocks.h"
#include "engine/model/file/network_file.h"
#include "tests/engine/compute/language/computed_models.h"

namespace steelyard::compute {
namespace {

using Values = std::vector<float>;

Values rowsOf(const model::StoredMatrix& matrix) {
    Values values(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        model::dequantise(matrix.type, matrix.row(row),
                          std::span(values).subspan(static_cast<std::size_t>(row * matrix.columns),
                                                    static_cast<std::size_t>(matrix.columns)));
    return values;
}

// By the names of the graph's parameters.
std::map<std::string, Values> parametersOf(const DecoderWeights& weights) {
    std::map<std::string, Values> all;
    all["embedding.table"] = rowsOf(weights.embedding);
    all["head.weight"] = rowsOf(weights.head);
    all["output_norm.scale"] = weights.outputNorm;
    for (std::size_t i = 0; i < weights.layers.size(); ++i) {
        const auto& layer = weights.layers[i];
        const auto name = "layer_" + std::to_string(i) + ".";
        all[name + "attention_norm.scale"] = layer.attentionNorm;
        all[name + "feed_forward_norm.scale"] = layer.feedForwardNorm;
        all[name + "attention_post_norm.scale"] = layer.attentionPostNorm;
        all[name + "feed_forward_post_norm.scale"] = layer.feedForwardPostNorm;
        all[name + "query.weight"] = rowsOf(layer.query);
        all[name + "query.bias"] = layer.queryBias;
        all[name + "query_norm.scale"] = layer.queryNorm;
        all[name + "key.weight"] = rowsOf(layer.key);
        all[name + "key.bias"] = layer.keyBias;
        all[name + "key_norm.scale"] = layer.keyNorm;
        all[name + "value.weight"] = rowsOf(layer.value);
        all[name + "value.bias"] = layer.valueBias;
        all[name + "attention_output.weight"] = rowsOf(layer.output);
        all[name + "gate.weight"] = rowsOf(layer.feedForward.gate);
        all[name + "up.weight"] = rowsOf(layer.feedForward.up);
        all[name + "down.weight"] = rowsOf(layer.feedForward.down);
    }
    return all;
}

// The family llama of the test data divides its frequencies by figures of its own.
DecoderWeights plainlyRotated(const std::string& name) {
    auto weights = weightsOf(name);
    if (name == "llama") {
        weights.spec.rotaryScaling = model::RotaryScaling::None;
        weights.spec.rotaryFactor = 1;
        weights.rotary.frequencies = model::rotaryFrequencies({.headWidth = weights.spec.headDimension});
    }
    return weights;
}

std::unique_ptr<Executable> compiled(Backend& backend, const model::Graph& graph, plan::PlanOptions options) {
    auto plan = std::make_shared<plan::Plan>(plan::lower(graph, options).value());
    return backend.compile(std::move(plan), {.threads = 1}).value();
}

// Probabilities of the next token at every position.
Values probabilitiesOf(Backend& backend, const DecoderWeights& weights, std::span<const std::int32_t> tokens) {
    const auto graph = model::decoderGraph(weights.spec, {.tokens = static_cast<std::int64_t>(tokens.size()),
                                                          .neighbours = weights.rotary.neighbours})
                           .value();
    const auto executable = compiled(backend, graph, {.mode = plan::Mode::Infer, .batch = 1});
    const auto& plan = executable->plan();
    const auto known = parametersOf(weights);
    for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
        const auto& values = known.at(plan.parameters[p].name);
        EXPECT_TRUE(executable->write(plan.parameterTensors[p], values)) << plan.parameters[p].name;
    }
    EXPECT_TRUE(executable->write(plan.inputs[0], tokens));
    EXPECT_TRUE(executable->step({}));
    Values values(static_cast<std::size_t>(plan.tensor(plan.heads[0].probabilities).elements()));
    EXPECT_TRUE(executable->read(plan.heads[0].probabilities, values));
    return values;
}

Values softmaxOf(std::span<const float> logits) {
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const float x : logits) sum += std::exp(static_cast<double>(x) - largest);
    Values values;
    for (const float x : logits) values.push_back(static_cast<float>(std::exp(static_cast<double>(x) - largest) / sum));
    return values;
}

class DecoderFamilies : public testing::TestWithParam<const char*> {};

TEST_P(DecoderFamilies, EqualTheDecoderAtEveryPosition) {
    const auto weights = plainlyRotated(GetParam());
    const auto tokens = computedModel(GetParam()).tokens;
    const auto decoder = makeReferenceDecoder(weights, 128);
    Values expected;
    for (const auto token : tokens) {
        const auto here = softmaxOf(decoder->append({&token, 1}).value());
        expected.insert(expected.end(), here.begin(), here.end());
    }
    const auto reference = makeReferenceBackend();
    const auto cpu = makeCpuBackend();
    EXPECT_LT(relativeError(probabilitiesOf(*reference, weights, tokens), expected), 2e-5);
    EXPECT_LT(relativeError(probabilitiesOf(*cpu, weights, tokens), expected), 2e-5);
}

INSTANTIATE_TEST_SUITE_P(Families, DecoderFamilies,
                         testing::Values("llama", "qwen2", "qwen3", "phi3", "gemma2", "gemma3"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(DecoderGraph, NamesThePartsThatItLacks) {
    for (const auto& [name, part] : {std::pair{"mixtral", "mixture of experts"}, {"gpt_oss", "mixture of experts"}}) {
        const auto graph = model::decoderGraph(weightsOf(name).spec, {});
        ASSERT_FALSE(graph) << name;
        EXPECT_EQ(graph.error().kind, ErrorKind::Unsupported);
        EXPECT_THAT(describe(graph.error()), testing::HasSubstr(part));
    }
    auto spec = weightsOf("llama").spec;
    spec.rotaryScaling = model::RotaryScaling::Yarn;
    EXPECT_THAT(describe(model::decoderGraph(spec, {}).error()), testing::HasSubstr("yarn"));
    spec.rotaryScaling = model::RotaryScaling::None;
    EXPECT_EQ(model::decoderGraph(spec, {.tokens = 0}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(model::decoderGraph(spec, {.rank = spec.width + 1}).error().kind, ErrorKind::InvalidArgument);
}

TEST(DecoderGraph, CountsTheParametersOfTheSpecification) {
    for (const auto* name : {"llama", "qwen2", "qwen3", "gemma2", "gemma3", "phi3"}) {
        const auto spec = weightsOf(name).spec;
        const auto counts = model::parametersOf(spec);
        const auto all = model::decoderGraph(spec, {}).value();
        EXPECT_EQ(static_cast<double>(all.trainableParameters()), counts.total) << name;
        if (spec.fusedQkv) continue;
        for (const auto targets : {model::LoraTargets::AllLinear, model::LoraTargets::QueryValue}) {
            const auto adapted = model::decoderGraph(spec, {.rank = 4, .targets = targets}).value();
            EXPECT_EQ(static_cast<double>(adapted.trainableParameters()), model::loraParameters(spec, 4, targets));
            EXPECT_EQ(static_cast<double>(adapted.frozenParameters()), counts.total) << name;
        }
    }
}

// Losses of steps on one batch; `weights`, if given, receives the frozen ones before and after.
std::vector<double> lossesOf(Backend& backend, const model::Graph& graph, int steps,
                             std::vector<std::pair<Values, Values>>* frozen = nullptr) {
    const model::Optimizer adam{.kind = model::OptimizerKind::Adam, .learningRate = 3e-3};
    const auto executable = compiled(backend, graph, {.mode = plan::Mode::Train, .batch = 4, .optimizer = adam});
    const auto& plan = executable->plan();
    EXPECT_TRUE(writeSyntheticState(*executable, 7));
    const auto read = [&](std::size_t p) {
        Values values(static_cast<std::size_t>(plan.tensor(plan.parameterTensors[p]).elements()));
        EXPECT_TRUE(executable->read(plan.parameterTensors[p], values));
        return values;
    };
    if (frozen != nullptr)
        for (std::size_t p = 0; p < plan.parameters.size(); ++p)
            if (plan.parameters[p].spec.frozen) frozen->emplace_back(read(p), Values{});
    std::vector<double> losses;
    for (int i = 0; i < steps; ++i) losses.push_back(executable->step({.index = i}).value().loss.value());
    if (frozen != nullptr) {
        auto next = frozen->begin();
        for (std::size_t p = 0; p < plan.parameters.size(); ++p)
            if (plan.parameters[p].spec.frozen) (next++)->second = read(p);
    }
    return losses;
}

TEST(DecoderGraph, LearnsABatchByHeart) {
    const auto file = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/networks/small_llama.json";
    const auto workload = model::readNetworkFile(file).value();
    const auto graph = workload.build().value();
    const auto reference = makeReferenceBackend();
    const auto cpu = makeCpuBackend();
    const auto expected = lossesOf(*reference, graph, 12);
    const auto losses = lossesOf(*cpu, graph, 60);
    EXPECT_NEAR(losses.front(), std::log(100.0), 0.3);  // nothing known of 100 tokens
    EXPECT_LT(losses.back(), 0.5 * losses.front());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(losses[i], expected[i], 2e-3) << i;
}

TEST(DecoderGraph, AdaptersLearnBesideFrozenWeights) {
    const auto spec = weightsOf("llama").spec;
    auto plain = spec;
    plain.rotaryScaling = model::RotaryScaling::None;
    plain.rotaryFactor = 1;
    const auto graph = model::decoderGraph(plain, {.tokens = 12, .rank = 4}).value();
    const auto reference = makeReferenceBackend();
    const auto cpu = makeCpuBackend();
    const auto expected = lossesOf(*reference, graph, 8);
    std::vector<std::pair<Values, Values>> frozen;
    const auto losses = lossesOf(*cpu, graph, 80, &frozen);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(losses[i], expected[i], 2e-3) << i;
    EXPECT_LT(losses.back(), losses.front() - 0.05);
    EXPECT_EQ(frozen.size(), 2 * 9 + 3U);
    for (const auto& [before, after] : frozen) EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace steelyard::compute
