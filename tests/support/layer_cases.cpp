// SPDX-License-Identifier: Apache-2.0
#include "tests/support/layer_cases.h"

#include <ostream>

#include "engine/model/decoder/decoder_graph.h"

namespace steelyard::test {
namespace {

using model::GraphBuilder;
using model::NodeId;

NodeId image(GraphBuilder& g, Dice& dice) {
    const auto channels = dice.between(1, 3);
    const auto x = g.input({channels, dice.between(5, 8), dice.between(5, 8)});
    return g.conv(x, model::square(dice.between(2, 4), 3, 1, 1));
}
void imageHead(GraphBuilder& g, NodeId x) {
    g.head(g.dense(g.flatten(x), 3));
}
NodeId tokens(GraphBuilder& g, Dice& dice) {
    const auto units = dice.between(2, 5);  // evaluated first: the order of argument evaluation is unspecified
    return g.dense(g.input({dice.between(3, 5), dice.between(2, 4)}), units);
}
NodeId vector(GraphBuilder& g, Dice& dice) {
    const auto units = dice.between(3, 7);
    return g.dense(g.input({dice.between(3, 6)}), units);
}

model::Conv2d randomConvolution(Dice& dice, std::int64_t channels) {
    model::Conv2d conv;
    conv.groups = dice.coin() ? channels : 1;
    conv.filters = conv.groups * dice.between(1, 2);
    conv.kernel = {dice.between(1, 4), dice.between(1, 4)};
    conv.stride = {dice.between(1, 2), dice.between(1, 3)};
    conv.padding = {dice.between(0, 2), dice.between(0, 2), dice.between(0, 2), dice.between(0, 2)};
    conv.bias = dice.coin();
    return conv;
}

model::Pool2d randomPool(Dice& dice, model::PoolKind kind) {
    model::Pool2d pool;
    pool.kind = kind;
    pool.kernel = {dice.between(2, 3), dice.between(2, 3)};
    pool.stride = {dice.between(1, 3), dice.between(1, 3)};
    pool.padding = {dice.between(0, 1), dice.between(0, 1), dice.between(0, 1), dice.between(0, 1)};
    pool.roundUp = dice.coin();
    pool.countPadding = dice.coin();
    return pool;
}

constexpr double kCurved = 3e-3;  // where the loss bends within the usual difference
constexpr double kKinked = 3e-4;  // relu and maxima: small differences rarely cross a kink

// Every activation; smaller differences for those with a kink.
std::vector<LayerCase> activationCases() {
    std::vector<LayerCase> cases;
    for (const auto kind : model::activationKinds()) {
        const bool hasKink = kind == model::ActivationKind::Relu || kind == model::ActivationKind::Relu6;
        cases.push_back(
            {"activation_" + std::string(toString(kind)),
             [kind](GraphBuilder& g, Dice& dice) { g.head(g.dense(g.activation(vector(g, dice), kind), 3)); },
             hasKink ? kKinked : 1e-2});
    }
    return cases;
}

// Two recurrent layers, so that the gradient also leaves one towards its input.
LayerCase recurrentCase(const char* name, model::RecurrentCell cell) {
    return {
        name, [cell](GraphBuilder& g, Dice& dice) {
            const auto in = g.input({dice.between(2, 5), dice.between(2, 4)});
            const auto x = g.add(model::Recurrent{cell, dice.between(1, 4), dice.coin(), true, 1.0, dice.coin()}, {in});
            const auto y =
                g.add(model::Recurrent{cell, dice.between(1, 4), dice.coin(), dice.coin(), 1.0, dice.coin()}, {x});
            g.head(g.dense(y, 3));
        }};
}

std::vector<LayerCase> imageCases() {
    return {
        {"convolution",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = image(g, dice);
             imageHead(g, g.conv(x, randomConvolution(dice, g.shapeOf(x)[0])));
         }},
        {"max_pool",
         [](GraphBuilder& g, Dice& dice) {
             imageHead(g, g.add(randomPool(dice, model::PoolKind::Max), {image(g, dice)}));
         },
         kKinked},
        {"average_pool",
         [](GraphBuilder& g, Dice& dice) {
             imageHead(g, g.add(randomPool(dice, model::PoolKind::Average), {image(g, dice)}));
         }},
        {"residual_add",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = image(g, dice);
             const auto branch = g.conv(x, model::square(g.shapeOf(x)[0], 3, 1, 1));
             imageHead(g, g.add(model::Add{}, {branch, x, branch}));
         }},
        {"normalised_residual",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = image(g, dice);
             const auto channels = g.shapeOf(x)[0];
             const auto branch = g.add(model::BatchNorm{}, {g.conv(x, model::square(channels, 3, 1, 1))});
             const bool projected = dice.between(0, 1) == 1;
             const auto shortcut =
                 projected ? g.add(model::BatchNorm{}, {g.conv(x, model::square(channels, 1, 1, 0))}) : x;
             imageHead(g, g.add(model::Add{}, {branch, shortcut}));
         }},
        {"concat",
         [](GraphBuilder& g, Dice& dice) {
             const auto in = g.input({2, 4, 5});
             const auto a = g.conv(in, model::square(dice.between(1, 3), 3, 1, 1));
             const auto b = g.conv(in, model::square(dice.between(1, 3), 3, 1, 1));
             imageHead(g, g.add(model::Concat{}, {a, in, b, a}));
         }},
        {"global_pool_of_images",
         [](GraphBuilder& g, Dice& dice) { g.head(g.dense(g.add(model::GlobalAveragePool{}, {image(g, dice)}), 3)); }},
        {"batch_norm_of_images",
         [](GraphBuilder& g, Dice& dice) { imageHead(g, g.add(model::BatchNorm{}, {image(g, dice)})); }},
        {"batch_norm_of_the_input",
         [](GraphBuilder& g, Dice& dice) {
             imageHead(g, g.add(model::BatchNorm{}, {g.input({dice.between(1, 3), 4, 4})}));
         }},
        {"to_tokens",
         [](GraphBuilder& g, Dice& dice) { g.head(g.dense(g.add(model::ToTokens{}, {image(g, dice)}), 3)); }},
        {"shortcut_pad",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = image(g, dice);
             const auto channels = g.shapeOf(x)[0] + 2 * dice.between(0, 2);
             imageHead(g, g.add(model::ShortcutPad{channels, dice.between(1, 3)}, {x}));
         }},
    };
}

std::vector<LayerCase> vectorCases() {
    using A = model::ActivationKind;
    return {
        {"dense", [](GraphBuilder& g, Dice& dice) { g.head(g.dense(vector(g, dice), 4, dice.coin())); }},
        {"dropout", [](GraphBuilder& g, Dice& dice) { g.head(g.dense(g.dropout(vector(g, dice), 0.3), 3)); }},
        {"sigmoid_loss", [](GraphBuilder& g,
                            Dice& dice) { g.head(g.dense(vector(g, dice), 1), model::LossKind::SigmoidCrossEntropy); }},
        {"two_heads",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = vector(g, dice);
             g.head(g.dense(x, 3));
             g.head(g.dense(x, 4), model::LossKind::SoftmaxCrossEntropy, 0.2);
         }},
        {"batch_norm_of_vectors",
         [](GraphBuilder& g, Dice& dice) {
             g.head(g.dense(g.activation(g.add(model::BatchNorm{0.1, 0.1}, {vector(g, dice)}), A::Tanh), 3));
         }},
    };
}

std::vector<LayerCase> sequenceCases() {
    using A = model::ActivationKind;
    return {
        {"dense_over_tokens",
         [](GraphBuilder& g, Dice& dice) {
             g.head(g.dense(g.dense(g.input({4, 3}), dice.between(2, 5)), 3));
         }},
        {"global_pool_of_tokens",
         [](GraphBuilder& g, Dice& dice) { g.head(g.dense(g.add(model::GlobalAveragePool{}, {tokens(g, dice)}), 3)); }},
        {"layer_norm",
         [](GraphBuilder& g, Dice& dice) { g.head(g.dense(g.add(model::LayerNorm{}, {tokens(g, dice)}), 3)); }},
        {"embedding",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = g.add(model::Embedding{5, dice.between(2, 4), false}, {g.ids(dice.between(3, 6), 5)});
             g.head(g.dense(g.flatten(x), 3));
         }},
        {"tied_embedding",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = g.add(model::Embedding{5, 3, false}, {g.ids(dice.between(3, 6), 5)});
             g.head(g.tiedDense(g.activation(g.dense(x, 3), A::Tanh), x));
         }},
        {"class_token_and_positions",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = g.add(model::ClassToken{}, {tokens(g, dice)});
             const auto y = g.add(model::PositionEmbedding{12, dice.between(0, 3)}, {x});
             g.head(g.dense(g.activation(y, A::Tanh), 3));
         }},
        {"token_types",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = g.add(model::TokenTypeEmbedding{3}, {tokens(g, dice)});
             g.head(g.dense(g.activation(x, A::Tanh), 3));
         }},
        {"select_step",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = tokens(g, dice);
             g.head(g.dense(g.add(model::SelectStep{dice.between(-3, 2)}, {x}), 3));
         }},
        {"attention",
         [](GraphBuilder& g, Dice& dice) {
             const auto heads = dice.between(1, 3);
             const auto x = g.dense(g.input({dice.between(2, 5), 3}), 3 * heads * dice.between(1, 4));
             g.head(g.dense(g.add(model::Attention{heads, dice.coin(), 0}, {x}), 3));
         }},
        {"attention_overwritten",  // its output, by the sum
         [](GraphBuilder& g, Dice& dice) {
             const auto heads = dice.between(1, 3), features = heads * dice.between(1, 4);
             const auto in = g.input({dice.between(2, 5), 3});
             const auto x = g.add(model::Attention{heads, dice.coin(), 0}, {g.dense(in, 3 * features)});
             g.head(g.dense(g.add(model::Add{}, {x, g.dense(in, features)}), 3));
         }},
        recurrentCase("lstm", model::RecurrentCell::Lstm),
        recurrentCase("gru", model::RecurrentCell::Gru),
        recurrentCase("rnn", model::RecurrentCell::Rnn),
        {"residual_tokens",
         [](GraphBuilder& g, Dice& dice) {
             const auto x = tokens(g, dice);
             const auto y = g.dense(g.add(model::LayerNorm{}, {x}), g.shapeOf(x)[1]);
             g.head(g.dense(g.add(model::Add{}, {x, g.dropout(y, 0.2)}), 3));
         }},
    };
}

// Queries, keys and values by three dense layers; heads of even width, which rotate.
struct Projections {
    std::int64_t heads = 1, kvHeads = 1, width = 2;
    NodeId queries = -1, keys = -1, values = -1;
};
Projections projections(GraphBuilder& g, Dice& dice) {
    Projections p;
    p.kvHeads = dice.between(1, 2);
    p.heads = p.kvHeads * dice.between(1, 3);
    p.width = 2 * dice.between(1, 3);
    const auto x = g.input({dice.between(3, 7), dice.between(2, 4)});
    p.queries = g.dense(x, p.heads * p.width);
    p.keys = g.dense(x, p.kvHeads * p.width);
    p.values = g.dense(x, p.kvHeads * p.width);
    return p;
}
NodeId attended(GraphBuilder& g, const Projections& p, model::GroupedAttention layer) {
    layer.heads = p.heads;
    layer.kvHeads = p.kvHeads;
    return g.add(layer, {p.queries, p.keys, p.values});
}

LayerCase gateCase(model::ActivationKind kind) {
    return {"gated_activation_" + std::string(toString(kind)), [kind](GraphBuilder& g, Dice& dice) {
                const auto in = g.input({dice.between(2, 4), 3});
                const auto units = dice.between(2, 9);
                const auto gate = g.dense(in, units), up = g.dense(in, units);
                const auto y = g.add(model::GatedActivation{kind}, {gate, up});
                // One of its operands has another reader.
                g.head(g.dense(dice.coin() ? y : g.add(model::Add{}, {y, up}), 3));
            }};
}

}  // namespace

std::vector<LayerCase> decoderLayerCases() {
    using A = model::ActivationKind;
    return {
        {"rms_norm",
         [](GraphBuilder& g, Dice& dice) {
             g.head(g.dense(g.add(model::RmsNorm{.epsilon = 1e-2}, {tokens(g, dice)}), 3));
         },
         kCurved},
        {"rms_norm_of_groups",
         [](GraphBuilder& g, Dice& dice) {
             const auto group = dice.between(2, 4);
             const auto x = g.dense(g.input({4, 3}), group * dice.between(1, 3));
             g.head(g.dense(g.add(model::RmsNorm{.epsilon = 1e-2, .group = group}, {x}), 3));
         }},
        {"rotary_embedding",
         [](GraphBuilder& g, Dice& dice) {
             const auto width = 2 * dice.between(1, 4);
             const auto x = g.dense(g.input({dice.between(2, 6), 3}), width * dice.between(1, 3));
             const model::RotaryEmbedding layer{.headWidth = width,
                                                .rotated = dice.coin() ? 2 : 0,
                                                .theta = 10,
                                                .neighbours = dice.coin(),
                                                .factor = dice.coin() ? 4.0 : 1.0,
                                                .llama3Context = dice.coin() ? 32 : 0};
             g.head(g.dense(g.add(layer, {x}), 3));
         }},
        {"grouped_attention",
         [](GraphBuilder& g, Dice& dice) {
             const auto p = projections(g, dice);
             g.head(g.dense(attended(g, p, {.causal = dice.coin()}), 3));
         }},
        {"grouped_attention_in_a_window",
         [](GraphBuilder& g, Dice& dice) {
             const auto p = projections(g, dice);
             g.head(g.dense(attended(g, p, {.window = dice.between(1, 4), .scale = 0.7}), 3));
         }},
        {"grouped_attention_with_a_cap",
         [](GraphBuilder& g, Dice& dice) {
             const auto p = projections(g, dice);
             g.head(g.dense(attended(g, p, {.causal = dice.coin(), .scale = 1, .softCap = 0.5}), 3));
         },
         kCurved},
        {"attention_to_itself",  // the three operands are one
         [](GraphBuilder& g, Dice& dice) {
             const auto heads = dice.between(1, 3);
             const auto x = g.dense(g.input({5, 3}), heads * 2);
             g.head(g.dense(g.add(model::GroupedAttention{heads, heads}, {x, x, x}), 3));
         }},
        {"scale", [](GraphBuilder& g, Dice& dice) { g.head(g.add(model::Scale{1.7}, {g.dense(vector(g, dice), 4)})); }},
        {"scale_with_a_cap",
         [](GraphBuilder& g, Dice& dice) {
             g.head(g.add(model::Scale{2, 1.5}, {g.dense(vector(g, dice), 4)}));
         }},
        gateCase(A::Sigmoid),
        gateCase(A::Gelu),
        gateCase(A::GeluTanh),
        gateCase(A::Swish),
        {"low_rank_adapter",  // beside frozen weights, behind a frozen norm
         [](GraphBuilder& g, Dice& dice) {
             const auto units = dice.between(2, 5);
             const auto in = g.input({dice.between(2, 4), 3});
             auto x = in;
             for (int layer = 0; layer < 2; ++layer) {
                 g.freeze(true);
                 x = g.add(model::RmsNorm{.epsilon = 1e-2}, {x});
                 const auto base = g.dense(x, units, dice.coin());
                 g.freeze(false);
                 const auto adapter = g.dense(g.dense(x, dice.between(1, 2), false), units, false);
                 x = g.activation(g.add(model::Add{}, {base, g.add(model::Scale{2}, {adapter})}), A::Tanh);
             }
             g.freeze(true);
             g.head(g.dense(x, 3));
         },
         kCurved},
    };
}

std::vector<model::Graph> smallDecoders() {
    model::DecoderSpec qwen{.id = "small_qwen3",
                            .family = "qwen3",
                            .layers = 2,
                            .width = 24,
                            .heads = 4,
                            .kvHeads = 2,
                            .headDimension = 8,
                            .feedForward = 40,
                            .vocabulary = 50,
                            .qkNorm = model::QkNorm::PerHead};
    auto gemma = qwen;
    gemma.id = "small_gemma2", gemma.family = "gemma2";
    gemma.gate = model::DecoderGate::GeGlu;
    gemma.qkNorm = model::QkNorm::None;
    gemma.normsPerLayer = 4;
    gemma.tiedEmbeddings = true;
    gemma.window = 5, gemma.globalEvery = 2;
    gemma.attentionSoftCap = 2, gemma.logitSoftCap = 3;
    // Keys without an adapter have no gradient in the first layer.
    auto llama = qwen;
    llama.id = "small_llama", llama.family = "llama";
    llama.kvHeads = llama.heads;
    llama.headDimension = 16, llama.rotaryShare = 0.5;
    llama.qkNorm = model::QkNorm::None;
    std::vector<model::Graph> graphs;
    for (const auto& spec : {qwen, gemma, llama})
        for (const std::int64_t rank : {0, 4})
            graphs.push_back(model::decoderGraph(
                                 spec, {.name = spec.id + (rank > 0 ? "_adapted" : ""),
                                        .tokens = 12,
                                        .rank = rank,
                                        .targets = spec.qkNorm == model::QkNorm::None ? model::LoraTargets::QueryValue
                                                                                      : model::LoraTargets::AllLinear,
                                        .neighbours = spec.rotaryShare < 1})
                                 .value());
    return graphs;
}

std::vector<LayerCase> layerCases() {
    auto all = imageCases();
    for (auto& more : {activationCases(), vectorCases(), sequenceCases()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

model::Graph LayerCase::graph(std::uint64_t seed) const {
    GraphBuilder g(name);
    Dice dice(seed);
    build(g, dice);
    return std::move(g).build().value();
}

std::ostream& operator<<(std::ostream& out, const LayerCase& layer) {
    return out << layer.name;
}

}  // namespace steelyard::test
