// SPDX-License-Identifier: Apache-2.0
#include "tests/support/eight_bit_suite.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <stdexcept>

#include "engine/compute/backend_comparison.h"
#include "engine/compute/comparison_values.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/zoo/blocks.h"

namespace steelyard::test {

using compute::makeReferenceBackend;
using model::ActivationKind;
using model::square;

model::Graph everyKindInBytes(std::int64_t channels) {
    model::GraphBuilder g("every_kind");
    auto x = g.input({3, 11, 9});
    x = g.relu(g.add(model::BatchNorm{}, {g.conv(x, square(channels, 3, 2, 1))}));
    const auto shortcut = g.add(model::BatchNorm{}, {g.conv(x, square(2 * channels, 1))});
    auto y = g.activation(g.conv(x, square(channels, 3, 1, 1)), ActivationKind::Relu6);
    auto depthwise = square(channels, 3, 1, 1);
    depthwise.groups = channels;
    y = g.relu(g.conv(y, depthwise));
    y = g.relu(g.add(model::Add{}, {shortcut, g.conv(y, square(2 * channels, 3, 1, 1))}));
    const auto pooled = g.maxPool(y, 3, 1, 1);
    y = g.add(model::Concat{}, {g.relu(g.conv(y, square(5, 1))), pooled});
    y = g.activation(g.conv(y, square(7, 1)), ActivationKind::Swish);
    y = g.add(model::Add{}, {g.conv(y, square(7, 3, 1, 1)), y});
    const auto flat = g.relu(g.dense(g.flatten(y), 19));
    g.head(g.dense(flat, 6));
    return std::move(g).build().value();
}

std::vector<EightBitNetwork> specialEightBitNetworks() {
    std::vector<EightBitNetwork> networks;
    const auto add = [&](std::string name, model::GraphBuilder& g) {
        networks.push_back({std::move(name), std::move(g).build().value()});
    };
    // The CPU stores pixels as words where the native product is faster, which it is for these sizes with AVX-512 VNNI.
    for (const std::int64_t channels : {1, 3, 6}) {
        model::GraphBuilder g("few_channels");
        const auto x = g.relu(g.conv(g.input({channels, 64, 60}), square(64, 7, 2, 3)));
        g.head(g.dense(g.flatten(g.maxPool(x, 4, 4)), 5));
        add(fmt::format("image_of_{}_channels", channels), g);
    }
    for (const std::int64_t channels : {2, 3, 8, 70}) {
        model::GraphBuilder g("pixels");
        const auto x = g.relu(g.conv(g.input({8, 6, 6}), square(16, 6)));
        const auto squeezed = g.relu(g.conv(x, square(channels, 1)));
        const auto excited = g.add(model::BatchNorm{}, {g.conv(squeezed, square(16, 1))});
        const auto sum = g.relu(g.add(model::Add{}, {x, excited}));
        g.head(g.dense(g.flatten(g.conv(sum, square(4, 1))), 5));
        add(fmt::format("pixels_of_{}_channels", channels), g);
    }
    // The CPU multiplies bfloat16 from four tokens on, several strips of queries, and widths that are not even.
    for (const auto& [tokens, width] : std::initializer_list<std::pair<int, int>>{{3, 8}, {4, 5}, {33, 16}, {130, 64}})
        for (const bool causal : {false, true}) {
            model::GraphBuilder g("attention");
            const auto x = g.dense(g.input({tokens, 24}), 3 * 2 * width);
            g.head(g.dense(g.add(model::Attention{2, causal, 0}, {x}), 6));
            add(fmt::format("attention_of_{}_tokens_{}{}", tokens, width, causal ? "_causal" : ""), g);
        }
    model::GraphBuilder g("flattened");
    const auto x = g.relu(g.flatten(g.conv(g.input({3, 9, 7}), square(8, 3))));
    g.head(g.dense(x, 5));
    add("flattened", g);
    return networks;
}

std::shared_ptr<const plan::Plan> calibratedPlan(compute::Backend& backend, const model::Graph& graph,
                                                 std::int64_t batch) {
    const auto reference = makeReferenceBackend();
    auto plan = lowerCalibrated(*reference, backend, graph, {plan::Mode::Infer, batch, plan::Precision::Int8, {}},
                                {.seed = 1, .threads = 2, .write = compute::writeComparedValues});
    if (!plan) throw std::runtime_error(describe(plan.error()));
    return std::make_shared<const plan::Plan>(std::move(*plan));
}

EightBitDistances eightBitDistances(compute::Backend& backend, const std::string& device,
                                    const std::shared_ptr<const plan::Plan>& plan) {
    const compute::CompileOptions options{.device = device, .threads = 2, .seed = 1};
    const auto grids = makeReferenceBackend({.emulatePrecision = true}), exact = makeReferenceBackend();
    EightBitDistances distances;
    for (const auto& [reference, distance] :
         {std::pair{grids.get(), &distances.sameGrid}, {exact.get(), &distances.fp32}}) {
        const auto comparison = compareBackends(backend, *reference, plan, options, {.seed = 1, .steps = 1});
        if (!comparison) throw std::runtime_error(describe(comparison.error()));
        EXPECT_TRUE(comparison->unusable.empty()) << comparison->unusable.text;
        *distance = comparison->largestOf(compute::Quantity::Output);
    }
    return distances;
}

void expectWeightsCanBeWrittenAgain(compute::Backend& backend, const std::string& device) {
    const auto plan = calibratedPlan(backend, everyKindInBytes(8), 2);
    const auto executable = backend.compile(plan, {.device = device, .threads = 1, .seed = 1}).value();
    const auto outputs = [&] {
        EXPECT_TRUE(executable->step({}));
        const auto id = plan->heads[0].probabilities;
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(id).elements()));
        EXPECT_TRUE(executable->read(id, values));
        return values;
    };
    ASSERT_TRUE(writeSyntheticState(*executable, 1));
    const auto first = outputs();
    ASSERT_TRUE(writeInitialValues(*executable, 2));
    EXPECT_NE(outputs(), first);
    ASSERT_TRUE(writeInitialValues(*executable, 1));
    EXPECT_EQ(outputs(), first);
    std::vector<float> weight(static_cast<std::size_t>(plan->tensor(plan->parameterTensors[0]).elements()));
    EXPECT_FALSE(executable->read(plan->parameterTensors[0], weight)) << "there are bytes only";
}

}  // namespace steelyard::test
