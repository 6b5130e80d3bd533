// SPDX-License-Identifier: Apache-2.0
// One small network per kind of layer, of random shape: the layer follows a dense or convolutional one whose weight
// gradients depend on the gradient passing through it. For finite differences and for comparing backends.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/model/graph.h"

namespace steelyard::test {

// A small integer, deterministic per seed and question.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_stream(seed, 0x4000) {}
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + m_stream.below(m_next++, static_cast<std::uint32_t>(high - low + 1));
    }
    bool coin() { return between(0, 1) == 1; }

private:
    RandomStream m_stream;
    std::uint32_t m_next = 0;
};

struct LayerCase {
    std::string name;
    std::function<void(model::GraphBuilder&, Dice&)> build;
    double differenceStep = 1e-2;  // for central differences of the loss

    [[nodiscard]] model::Graph graph(std::uint64_t seed) const;
};
std::ostream& operator<<(std::ostream& out, const LayerCase& layer);

[[nodiscard]] std::vector<LayerCase> layerCases();
// Layers of language models, which not every backend supports.
[[nodiscard]] std::vector<LayerCase> decoderLayerCases();
// Language models of two layers: of the kinds of Qwen 3, with grouped keys, Gemma 2, with windows and caps, and Llama,
// with as many keys as queries. Each with all weights trained and with low-rank adapters of rank 4 beside frozen ones,
// of all matrices or of queries and values.
[[nodiscard]] std::vector<model::Graph> smallDecoders();

}  // namespace steelyard::test
