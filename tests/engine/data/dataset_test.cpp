// SPDX-License-Identifier: Apache-2.0
#include "engine/data/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <thread>

#include "engine/data/synthetic.h"

namespace steelyard::data {
namespace {

DatasetPtr makeImages(std::int64_t samples, std::uint64_t seed = 1) {
    auto made = makeSynthetic({.seed = seed, .samples = samples, .featureShape = {3, 8, 6}, .classCount = 10});
    EXPECT_TRUE(made) << describe(made.error());
    return *made;
}

TEST(Synthetic, ValuesAreStandardNormalAndLabelsUniform) {
    const auto set = makeImages(1000);
    std::vector<float> x(144);
    std::int32_t label = -1;
    double sum = 0;
    double squares = 0;
    std::vector<int> histogram(10);
    for (std::int64_t i = 0; i < set->size(); ++i) {
        ASSERT_TRUE(set->readSample(i, {x, {}, {&label, 1}}));
        ASSERT_TRUE(label >= 0 && label < 10);
        ++histogram[static_cast<std::size_t>(label)];
        for (const double v : x) {
            ASSERT_TRUE(std::isfinite(v));
            sum += v;
            squares += v * v;
        }
    }
    const double count = 144'000;
    EXPECT_NEAR(sum / count, 0, 0.02);                                     // standard error 0.0026
    EXPECT_NEAR(squares / count, 1, 0.03);                                 // standard error 0.0037
    EXPECT_GT(*std::min_element(histogram.begin(), histogram.end()), 60);  // expected 100, deviation 9.5
    EXPECT_TRUE(set->info().synthetic);
}

TEST(Synthetic, SampleIsTheSameInAnyBatchAndThread) {
    const auto set = makeImages(64);
    std::vector<std::int64_t> all(64);
    std::iota(all.begin(), all.end(), 0);
    std::vector<float> whole(64 * 144);
    std::vector<std::int32_t> labels(64);
    ASSERT_TRUE(set->fillBatch(all, {whole, {}, labels}));

    std::vector<std::jthread> threads;
    std::vector<int> same(4);
    for (std::size_t t = 0; t < same.size(); ++t) {
        threads.emplace_back([&, t] {
            const auto again = makeImages(64);
            std::vector<float> x(144);
            std::int32_t label = 0;
            bool equal = true;
            for (std::size_t i = t; i < 64; i += same.size()) {
                equal = equal && again->readSample(static_cast<std::int64_t>(i), {x, {}, {&label, 1}}).has_value() &&
                        std::equal(x.begin(), x.end(), whole.begin() + static_cast<std::ptrdiff_t>(i * 144)) &&
                        label == labels[i];
            }
            same[t] = equal;
        });
    }
    threads.clear();
    EXPECT_EQ(same, std::vector<int>(4, 1));
}

TEST(Synthetic, SeedChangesTheData) {
    std::vector<float> a(144);
    std::vector<float> b(144);
    std::int32_t label = 0;
    ASSERT_TRUE(makeImages(1, 1)->readSample(0, {a, {}, {&label, 1}}));
    ASSERT_TRUE(makeImages(1, 2)->readSample(0, {b, {}, {&label, 1}}));
    EXPECT_NE(a, b);
}

TEST(Synthetic, TokensStayInTheVocabulary) {
    auto made = makeSynthetic({.samples = 50,
                               .featureKind = FeatureKind::Tokens,
                               .featureShape = {32},
                               .vocabulary = 7,
                               .labelKind = LabelKind::TokenSequence,
                               .labelLength = 32,
                               .classCount = 7});
    ASSERT_TRUE(made) << describe(made.error());
    std::vector<std::int32_t> tokens(32);
    std::vector<std::int32_t> labels(32);
    std::set<std::int32_t> seen;
    for (std::int64_t i = 0; i < 50; ++i) {
        ASSERT_TRUE((*made)->readSample(i, {{}, tokens, labels}));
        seen.insert(tokens.begin(), tokens.end());
        seen.insert(labels.begin(), labels.end());
    }
    EXPECT_EQ(seen, (std::set<std::int32_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Synthetic, RefusesImpossibleOptions) {
    const auto subjectOf = [](const SyntheticOptions& options) {
        const auto made = makeSynthetic(options);
        return made ? std::string() : made.error().subject;
    };
    EXPECT_EQ(subjectOf({.samples = 0, .featureShape = {1}, .classCount = 2}), "samples");
    EXPECT_EQ(subjectOf({.samples = 1, .featureShape = {1, 0}, .classCount = 2}), "feature shape");
    EXPECT_EQ(subjectOf({.samples = 1, .featureShape = {1 << 20, 1 << 20, 1 << 30}, .classCount = 2}), "feature shape");
    EXPECT_EQ(subjectOf({.samples = 1, .featureKind = FeatureKind::Tokens, .featureShape = {4}, .classCount = 2}),
              "vocabulary");
    EXPECT_EQ(subjectOf({.samples = 1, .featureShape = {4}}), "class count");
    EXPECT_EQ(subjectOf({.samples = 1, .featureShape = {4}, .labelKind = LabelKind::Binary, .classCount = 3}),
              "class count");
}

TEST(Dataset, RefusesWrongTargets) {
    const auto set = makeImages(4);
    std::vector<float> x(144);
    std::vector<std::int32_t> label(1);
    EXPECT_EQ(set->readSample(4, {x, {}, label}).error().subject, "index");
    EXPECT_EQ(set->readSample(-1, {x, {}, label}).error().subject, "index");
    EXPECT_EQ(set->readSample(0, {std::span(x).first(143), {}, label}).error().subject, "target");
    EXPECT_EQ(set->readSample(0, {x, label, label}).error().subject, "target");
    EXPECT_EQ(set->readSample(0, {x, {}, {}}).error().subject, "target");
}

TEST(Dataset, SplitKeepsEverySampleOnce) {
    const auto set = makeImages(100);
    const auto split = splitDataset(set, 20, 5);
    ASSERT_TRUE(split);
    EXPECT_EQ(split->train->size(), 80);
    EXPECT_EQ(split->validation->size(), 20);
    EXPECT_EQ(split->validation->info().split, "validation");

    std::multiset<std::vector<float>> parts;
    std::multiset<std::vector<float>> whole;
    std::vector<float> x(144);
    std::int32_t label = 0;
    for (const auto* part : {&split->train, &split->validation}) {
        for (std::int64_t i = 0; i < (*part)->size(); ++i) {
            ASSERT_TRUE((*part)->readSample(i, {x, {}, {&label, 1}}));
            parts.insert(x);
        }
    }
    for (std::int64_t i = 0; i < 100; ++i) {
        ASSERT_TRUE(set->readSample(i, {x, {}, {&label, 1}}));
        whole.insert(x);
    }
    EXPECT_EQ(parts, whole);
    EXPECT_EQ(splitDataset(set, 0, 1).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(splitDataset(set, 100, 1).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(subset(set, {0, 100}, "").error().kind, ErrorKind::InvalidArgument);
}

}  // namespace
}  // namespace steelyard::data
