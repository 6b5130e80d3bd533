// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/generation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

TEST(DrawCharacter, FollowsTheProbabilitiesSharpenedByTheTemperature) {
    constexpr std::array probabilities{0.2F, 0.0F, 0.6F, 0.2F};
    const auto shareOf = [&](std::int32_t index, double temperature) {
        int count = 0;
        for (int i = 0; i < 10000; ++i)
            count += sampleCharacter(probabilities, temperature, i / 10000.0) == index ? 1 : 0;
        return count / 10000.0;
    };
    EXPECT_NEAR(shareOf(2, 1.0), 0.6, 1e-3);
    EXPECT_EQ(shareOf(1, 1.0), 0);
    // .6^2 / (.2^2 + .6^2 + .2^2) = .36 / .44
    EXPECT_NEAR(shareOf(2, 0.5), 0.36 / 0.44, 1e-3);
    EXPECT_NEAR(shareOf(0, 0.5), 0.04 / 0.44, 1e-3);
    EXPECT_EQ(shareOf(2, 0.001), 1.0) << "a low temperature takes the likeliest";
    EXPECT_NE(sampleCharacter(probabilities, 1.0, 0.99999999), 1);
}

class GenerateText : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        m_oneHot = std::string(GetParam()) == "text_lstm";
        std::u32string letters;
        for (int i = 0; i < 400; ++i)
            letters.push_back(U"abcdefghi \u00e9"[static_cast<std::size_t>(i * 7 + i / 11) % 11]);
        m_text = data::CharacterText::create(letters, {.oneHot = m_oneHot}, "test").value();
    }
    std::unique_ptr<compute::Executable> network(std::int64_t characters, std::int64_t batch = 1) {
        const auto workload =
            model::resolveWorkload(std::string(GetParam()) + "(characters=" + std::to_string(characters) + ")").value();
        const auto plan =
            plan::lower(workload.build().value(), {plan::Mode::Infer, batch, plan::Precision::Fp32, workload.optimizer})
                .value();
        auto executable = m_backend->compile(std::make_shared<const plan::Plan>(plan), {.device = "reference"}).value();
        EXPECT_TRUE(compute::writeInitialValues(*executable, 3));
        return executable;
    }

    bool m_oneHot = false;
    std::shared_ptr<const data::CharacterText> m_text;
    std::unique_ptr<compute::Backend> m_backend = compute::makeReferenceBackend();
    SystemClock m_clock;
};

TEST_P(GenerateText, WritesAsManyCharactersAsAskedAndRepeatsItselfForASeed) {
    const auto count = m_text->classCount();
    const GenerationOptions options{.characters = 30, .temperature = 0.8, .seed = 5};
    const auto once = generateText(*network(count), *m_text, options, m_clock);
    ASSERT_TRUE(once) << describe(once.error());
    const auto decoded = data::decodeUtf8(
        data::ByteView(reinterpret_cast<const std::uint8_t*>(once->text.data()), once->text.size()), "text");
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->size(), 30U);
    EXPECT_EQ(once->secondsPerCharacter.n, 30);
    EXPECT_GT(once->secondsPerCharacter.median, 0);
    EXPECT_FALSE(once->start.empty());
    const auto again = generateText(*network(count), *m_text, options, m_clock);
    EXPECT_EQ(again->text, once->text);
    EXPECT_EQ(again->start, once->start);
    const auto other =
        generateText(*network(count), *m_text, {.characters = 30, .temperature = 0.8, .seed = 6}, m_clock);
    EXPECT_NE(other->text + other->start, once->text + once->start);
}

TEST_P(GenerateText, RefusesAnotherNetworkOrTemperature) {
    EXPECT_EQ(generateText(*network(m_text->classCount() + 1), *m_text, {}, m_clock).error().kind,
              ErrorKind::InvalidArgument);
    EXPECT_EQ(generateText(*network(m_text->classCount(), 2), *m_text, {}, m_clock).error().kind,
              ErrorKind::InvalidArgument);
    EXPECT_EQ(generateText(*network(m_text->classCount()), *m_text, {.temperature = 0}, m_clock).error().subject,
              "temperature");
}

INSTANTIATE_TEST_SUITE_P(Networks, GenerateText, testing::Values("text_lstm", "text_generator"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace steelyard::bench
