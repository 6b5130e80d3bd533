// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/bench/protocol/statistics.h"
#include "engine/core/messages/bench.h"
#include "engine/core/random.h"

namespace steelyard::bench {
namespace {

constexpr std::uint64_t kStartStream = 0x5000, kDrawStream = 0x5001;

class Writer {
public:
    Writer(compute::Executable& network, const data::CharacterText& text) : m_network(network), m_text(text) {}

    Result<void> check() const {
        const auto& plan = m_network.plan();
        const auto& input = plan.tensor(plan.inputs.front());
        if (plan.options.batch != 1 || plan.options.mode != plan::Mode::Infer)
            return fail(ErrorKind::InvalidArgument, plan.workload, messages::generationBatch());
        if (input.elements() != m_text.featureElements() || classes() != m_text.classCount())
            return fail(ErrorKind::InvalidArgument, m_text.info().source,
                        messages::characterCount(m_text.classCount(), plan.workload, classes()));
        return {};
    }

    // Probabilities of the next character.
    Result<std::span<const float>> predict(std::span<const std::int32_t> window) {
        const auto input = m_network.plan().inputs.front();
        if (m_text.featureKind() == data::FeatureKind::Tokens) {
            TRY(m_network.write(input, window));
        } else {
            m_oneHot.assign(static_cast<std::size_t>(m_text.featureElements()), 0.0F);
            for (std::size_t t = 0; t < window.size(); ++t)
                m_oneHot[t * static_cast<std::size_t>(classes()) + static_cast<std::size_t>(window[t])] = 1.0F;
            TRY(m_network.write(input, std::span<const float>(m_oneHot)));
        }
        TRY(m_network.step({m_steps++, 1.0}));
        m_probabilities.resize(static_cast<std::size_t>(classes()));
        const auto& head = m_network.plan().heads.front();
        TRY(m_network.read(head.probabilities, m_probabilities));
        return std::span<const float>(m_probabilities);
    }

private:
    [[nodiscard]] std::int64_t classes() const {
        const auto& plan = m_network.plan();
        return plan.tensor(plan.heads.front().probabilities).dims.back();
    }

    compute::Executable& m_network;
    const data::CharacterText& m_text;
    std::vector<float> m_oneHot, m_probabilities;
    std::int64_t m_steps = 0;
};

}  // namespace

std::int32_t sampleCharacter(std::span<const float> probabilities, double temperature, double uniform) {
    // Relative to the maximum, so that a low temperature does not underflow all of them.
    const double largest = static_cast<double>(*std::max_element(probabilities.begin(), probabilities.end()));
    std::vector<double> weights(probabilities.size(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double p = static_cast<double>(probabilities[i]);
        if (largest > 0 && p > 0) weights[i] = std::exp(std::log(p / largest) / temperature);
        sum += weights[i];
    }
    double left = uniform * sum;
    std::int32_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0) continue;
        last = static_cast<std::int32_t>(i);
        left -= weights[i];
        if (left < 0) break;
    }
    return last;
}

Result<GeneratedText> generateText(compute::Executable& network, const data::CharacterText& text,
                                   const GenerationOptions& options, const Clock& clock) {
    if (!(options.temperature > 0)) return fail(ErrorKind::InvalidArgument, "temperature", messages::mustBePositive());
    Writer writer(network, text);
    TRY(writer.check());
    const auto length = text.featureShape().front();
    const auto starts = static_cast<std::int64_t>(text.ids().size()) - length;
    const auto start = RandomStream(options.seed, kStartStream)
                           .below(0, static_cast<std::uint32_t>(std::min<std::int64_t>(starts, 0x7fffffff)));
    std::vector<std::int32_t> window(text.ids().begin() + start, text.ids().begin() + start + length);
    const auto encoded = [&](std::span<const std::int32_t> ids) {
        std::u32string characters;
        for (const auto id : ids) characters.push_back(text.characters()[static_cast<std::size_t>(id)]);
        return data::encodeUtf8(characters);
    };
    GeneratedText result;
    result.start = encoded(window);
    TRY(writer.predict(window));  // touches the memory

    const RandomStream draws(options.seed, kDrawStream);
    std::vector<double> seconds;
    std::vector<std::int32_t> written;
    for (std::int64_t i = 0; i < options.characters; ++i) {
        const auto before = clock.nowNanoseconds();
        ASSIGN(const auto probabilities, writer.predict(window));
        seconds.push_back(secondsBetween(before, clock.nowNanoseconds()).value());
        written.push_back(sampleCharacter(probabilities, options.temperature,
                                          static_cast<double>(draws.uniform(static_cast<std::uint32_t>(i)))));
        window.erase(window.begin());
        window.push_back(written.back());
    }
    result.text = encoded(written);
    if (const auto summary = summarize(seconds)) result.secondsPerCharacter = *summary;
    return result;
}

}  // namespace steelyard::bench
