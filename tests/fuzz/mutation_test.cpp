// SPDX-License-Identifier: Apache-2.0
// Runs every fuzz target on its valid inputs and a fixed number of random mutations: not a replacement for libFuzzer,
// but run by everyone, with any compiler. A violated property ends the program with a message.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/core/random.h"
#include "tests/fuzz/targets.h"

namespace steelyard::test {
namespace {

using Input = std::vector<std::uint8_t>;

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : m_stream(seed, 0x6d7574617465) {}  // "mutate"

    Input mutate(const Input& from, const Input& other) {
        auto input = from;
        for (auto changes = 1 + below(4); changes > 0; --changes) change(input, other);
        return input;
    }

private:
    std::uint32_t below(std::size_t count) {
        return m_stream.below(m_next++, static_cast<std::uint32_t>(std::max<std::size_t>(count, 1)));
    }
    std::uint8_t anyByte() {
        constexpr std::uint8_t kEdges[]{0x00, 0x01, 0x7f, 0x80, 0xff};
        return below(2) == 0 ? kEdges[below(std::size(kEdges))] : static_cast<std::uint8_t>(below(256));
    }
    void change(Input& input, const Input& other) {
        const auto at = below(input.size() + 1);
        const auto length =
            std::min<std::size_t>(1 + below(16), input.size() - std::min<std::size_t>(at, input.size()));
        const auto place = input.begin() + at;
        switch (below(7)) {
            case 0:
                if (at < input.size()) *place = static_cast<std::uint8_t>(*place ^ 1U << below(8));
                break;
            case 1:
                std::generate_n(place, std::min<std::size_t>(length, 4), [this] { return anyByte(); });
                break;
            case 2:
                input.resize(at);
                break;
            case 3:
                input.erase(place, place + static_cast<std::ptrdiff_t>(length));
                break;
            case 4:
                input.insert(place, 1 + below(8), anyByte());
                break;
            case 5: {
                const Input copy(place, place + static_cast<std::ptrdiff_t>(length));
                input.insert(input.begin() + below(input.size() + 1), copy.begin(), copy.end());
                break;
            }
            default: {
                const auto start = below(other.size() + 1);
                input.erase(place, input.end());
                input.insert(input.end(), other.begin() + start, other.end());
            }
        }
    }

    RandomStream m_stream;
    std::uint32_t m_next = 0;
};

class Mutations : public ::testing::TestWithParam<FuzzTarget> {};

TEST_P(Mutations, KeepThePromises) {
    const auto& target = GetParam();
    const auto seeds = target.seeds();
    for (const auto& seed : seeds) target.run(seed);
    target.run({});
    for (std::uint64_t round = 0; round < target.mutations; ++round) {
        Mutator mutator(round);
        const auto input = mutator.mutate(seeds[round % seeds.size()], seeds[(round + 1) % seeds.size()]);
        target.run(input);
    }
}

std::string nameOf(const ::testing::TestParamInfo<FuzzTarget>& info) {
    return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Targets, Mutations, ::testing::ValuesIn(fuzzTargets().begin(), fuzzTargets().end()), nameOf);

}  // namespace
}  // namespace steelyard::test
