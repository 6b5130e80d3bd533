// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <thread>

#include "engine/data/synthetic.h"

namespace steelyard::data {
namespace {

DatasetPtr makeImages(std::int64_t samples) {
    return *makeSynthetic({.samples = samples, .featureShape = {3, 8, 8}, .classCount = 10});
}

std::unique_ptr<BatchPipeline> open(const DatasetPtr& set, const PipelineOptions& options, const Clock& clock) {
    auto made = BatchPipeline::create(set, options, clock);
    EXPECT_TRUE(made) << describe(made.error());
    return std::move(*made);
}

std::vector<Batch> take(BatchPipeline& pipeline, int count) {
    std::vector<Batch> batches;
    for (int i = 0; i < count; ++i) {
        auto batch = pipeline.next({});
        EXPECT_TRUE(batch) << describe(batch.error());
        if (!batch) break;
        batches.push_back(**batch);
    }
    return batches;
}

// Fails at one sample, and counts reads.
class FailingDataset final : public Dataset {
public:
    FailingDataset(std::int64_t samples, std::int64_t badSample) : Dataset(makeInfo(samples)), m_bad(badSample) {}
    mutable std::atomic<int> reads = 0;

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        ++reads;
        if (index == m_bad) {
            return Failure(Error{ErrorKind::CorruptData, "photo.jpg", Message("ends early"), 123, {}, {}});
        }
        target.values[0] = static_cast<float>(index);
        target.labels[0] = 0;
        return {};
    }

private:
    static DatasetInfo makeInfo(std::int64_t samples) {
        DatasetInfo info;
        info.name = "failing";
        info.samples = samples;
        info.featureShape = {1};
        info.classCount = 1;
        return info;
    }
    std::int64_t m_bad;
};

// Each read takes a millisecond on the injected clock.
class SlowDataset final : public Dataset {
public:
    explicit SlowDataset(ManualClock& clock) : Dataset(makeInfo()), m_clock(clock) {}

protected:
    Result<void> read(std::int64_t, const SampleTarget& target) const override {
        m_clock.advance(Seconds(0.001));
        target.values[0] = 0;
        target.labels[0] = 0;
        return {};
    }

private:
    static DatasetInfo makeInfo() {
        DatasetInfo info;
        info.name = "slow";
        info.samples = 100;
        info.featureShape = {1};
        info.classCount = 1;
        return info;
    }
    ManualClock& m_clock;
};

TEST(Pipeline, EveryEpochHoldsEverySampleOnceInAnotherOrder) {
    const SystemClock clock;
    auto pipeline = open(makeImages(50), {.batch = 16, .shuffle = true, .seed = 3, .threads = 2}, clock);
    ASSERT_EQ(pipeline->batchesPerEpoch(), 4);
    const auto batches = take(*pipeline, 8);
    ASSERT_EQ(batches.size(), 8U);
    std::vector<std::vector<std::int64_t>> orders(2);
    for (const auto& batch : batches) {
        auto& order = orders[static_cast<std::size_t>(batch.epoch)];
        order.insert(order.end(), batch.indices.begin(), batch.indices.end());
    }
    EXPECT_EQ(batches[3].samples, 2);
    EXPECT_EQ(batches[3].number, 3);
    EXPECT_EQ(batches[4].epoch, 1);
    EXPECT_NE(orders[0], orders[1]);
    for (auto& order : orders) {
        EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
        EXPECT_EQ(std::set<std::int64_t>(order.begin(), order.end()).size(), 50U);
        EXPECT_EQ(order.size(), 50U);
    }
}

TEST(Pipeline, DropLastLeavesOutTheRemainder) {
    const SystemClock clock;
    auto pipeline = open(makeImages(50), {.batch = 16, .dropLast = true, .threads = 1}, clock);
    ASSERT_EQ(pipeline->batchesPerEpoch(), 3);
    for (const auto& batch : take(*pipeline, 6)) EXPECT_EQ(batch.samples, 16);
}

TEST(Pipeline, SameBatchesForAnyNumberOfThreads) {
    const SystemClock clock;
    const auto set = makeImages(70);
    PipelineOptions options{.batch = 8, .shuffle = true, .seed = 9};
    options.augmentation = {.shiftFraction = 0.2, .horizontalFlip = true};
    options.threads = 0;
    const auto expected = take(*open(set, options, clock), 30);
    for (const int threads : {1, 2, 7}) {
        for (const int ahead : {1, 5}) {
            options.threads = threads;
            options.ahead = ahead;
            const auto got = take(*open(set, options, clock), 30);
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                ASSERT_EQ(got[i].indices, expected[i].indices);
                ASSERT_EQ(got[i].values, expected[i].values);
                ASSERT_EQ(got[i].labels, expected[i].labels);
            }
        }
    }
}

TEST(Pipeline, BatchStaysUntouchedWhileItIsHeld) {
    const SystemClock clock;
    auto pipeline = open(makeImages(64), {.batch = 4, .threads = 3, .ahead = 2}, clock);
    for (int i = 0; i < 40; ++i) {
        const auto batch = pipeline->next({});
        ASSERT_TRUE(batch);
        const Batch copy = **batch;
        std::this_thread::yield();
        ASSERT_EQ(copy.values, (*batch)->values);
        ASSERT_EQ(copy.indices, (*batch)->indices);
    }
}

TEST(Pipeline, ErrorComesAtItsBatchAndStays) {
    const SystemClock clock;
    for (const int threads : {0, 1, 4}) {
        const auto set = std::make_shared<FailingDataset>(40, 17);
        auto pipeline = open(set, {.batch = 5, .threads = threads, .ahead = 3}, clock);
        EXPECT_EQ(take(*pipeline, 3).size(), 3U);
        for (int i = 0; i < 2; ++i) {
            const auto failed = pipeline->next({});
            ASSERT_FALSE(failed);
            EXPECT_EQ(failed.error().subject, "photo.jpg");
            EXPECT_EQ(failed.error().offset, 123);
        }
    }
}

TEST(Pipeline, ReadsNoFurtherAheadThanAllowed) {
    const SystemClock clock;
    const auto set = std::make_shared<FailingDataset>(1000, -1);
    auto pipeline = open(set, {.batch = 10, .threads = 4, .ahead = 2}, clock);
    ASSERT_EQ(take(*pipeline, 3).size(), 3U);
    // Two batches are released, one is held, two are prefetched.
    pipeline.reset();
    EXPECT_LE(set->reads.load(), 50);
    EXPECT_GE(set->reads.load(), 30);
}

TEST(Pipeline, StopsWhenAsked) {
    const SystemClock clock;
    std::stop_source source;
    auto pipeline = open(makeImages(64), {.batch = 4, .threads = 2}, clock);
    ASSERT_TRUE(pipeline->next(source.get_token()));
    source.request_stop();
    const auto stopped = pipeline->next(source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);

    auto direct = open(makeImages(64), {.batch = 4, .threads = 0}, clock);
    EXPECT_EQ(direct->next(source.get_token()).error().kind, ErrorKind::Cancelled);
}

// A sample that blocks until the test releases it.
class BlockedDataset final : public Dataset {
public:
    BlockedDataset() : Dataset(makeInfo()) {}
    std::atomic<bool> open = false;

protected:
    Result<void> read(std::int64_t, const SampleTarget& target) const override {
        open.wait(false);
        target.values[0] = 0;
        target.labels[0] = 0;
        return {};
    }

private:
    static DatasetInfo makeInfo() {
        DatasetInfo info;
        info.name = "blocked";
        info.samples = 10;
        info.featureShape = {1};
        info.classCount = 1;
        return info;
    }
};

TEST(Pipeline, StopWakesAWaitingConsumer) {
    const SystemClock clock;
    const auto set = std::make_shared<BlockedDataset>();
    auto pipeline = open(set, {.batch = 1, .threads = 1}, clock);
    std::stop_source source;
    std::jthread other([&] { source.request_stop(); });
    const auto stopped = pipeline->next(source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
    set->open = true;
    set->open.notify_all();
}

TEST(Pipeline, StatisticsSayWhatLimits) {
    ManualClock clock;
    const auto set = std::make_shared<SlowDataset>(clock);
    auto pipeline = open(set, {.batch = 10, .threads = 0}, clock);
    EXPECT_FALSE(pipeline->statistics().pipelineLimits());
    EXPECT_FALSE(pipeline->statistics().producibleRate());

    ASSERT_TRUE(pipeline->next({}));  // 10 ms of reading
    clock.advance(Seconds(0.010));    // 10 ms of computing
    auto statistics = pipeline->statistics();
    EXPECT_NEAR(statistics.elapsed.value(), 0.020, 1e-6);
    EXPECT_NEAR(statistics.consumerWait.value(), 0.010, 1e-6);
    EXPECT_NEAR(*statistics.producibleRate(), 1000, 1);
    EXPECT_EQ(statistics.pipelineLimits(), true);
    EXPECT_EQ(statistics.samples, 10);

    clock.advance(Seconds(0.180));  // now 190 ms of computing against 10 ms of waiting
    EXPECT_NEAR(*pipeline->statistics().waitFraction(), 0.05, 1e-3);
    EXPECT_EQ(pipeline->statistics().pipelineLimits(), false);
}

TEST(Pipeline, RefusesWhatDoesNotFit) {
    const SystemClock clock;
    const auto set = makeImages(10);
    const auto subjectOf = [&](const PipelineOptions& options) {
        const auto made = BatchPipeline::create(set, options, clock);
        return made ? std::string() : made.error().subject;
    };
    EXPECT_EQ(subjectOf({.batch = 0}), "batch");
    EXPECT_EQ(subjectOf({.batch = 11, .dropLast = true}), "batch");
    EXPECT_EQ(subjectOf({.threads = -1}), "threads");
    EXPECT_EQ(subjectOf({.threads = 1, .ahead = 0}), "ahead");
    EXPECT_EQ(subjectOf({.augmentation = {.shiftFraction = 1}}), "shift");
    const auto vectors = *makeSynthetic({.samples = 4, .featureShape = {5}, .classCount = 2});
    EXPECT_EQ(BatchPipeline::create(vectors, {.augmentation = {.horizontalFlip = true}}, clock).error().subject,
              "augmentation");
}

TEST(Augment, ShiftRepeatsTheBorderAndFlipMirrors) {
    // Over many keys every result must be a shift by -1, 0 or 1 of the row 1 2 3 4, optionally mirrored.
    const Shape shape{1, 1, 4};
    std::set<std::vector<float>> seen;
    std::vector<float> scratch;
    for (std::int64_t i = 0; i < 400; ++i) {
        std::vector<float> image{1, 2, 3, 4};
        augmentImage(image, shape, {.shiftFraction = 0.25, .horizontalFlip = true}, {1, 0, i}, scratch);
        seen.insert(image);
    }
    const std::set<std::vector<float>> expected{{1, 2, 3, 4}, {1, 1, 2, 3}, {2, 3, 4, 4},
                                                {4, 3, 2, 1}, {4, 4, 3, 2}, {3, 2, 1, 1}};
    EXPECT_EQ(seen, expected);
}

TEST(Augment, DependsOnTheKeyOnly) {
    const Shape shape{3, 8, 8};
    std::vector<float> original(192);
    std::iota(original.begin(), original.end(), 0.0F);
    std::vector<float> scratch;
    const Augmentation how{.shiftFraction = 0.5, .horizontalFlip = true};
    const auto changed = [&](const AugmentKey& key) {
        auto image = original;
        augmentImage(image, shape, how, key, scratch);
        return image;
    };
    EXPECT_EQ(changed({1, 2, 3}), changed({1, 2, 3}));
    EXPECT_NE(changed({1, 2, 3}), changed({1, 3, 3}));
    EXPECT_NE(changed({1, 2, 3}), changed({1, 2, 4}));
    EXPECT_NE(changed({1, 2, 3}), changed({2, 2, 3}));
}

TEST(Augment, OrderIsAPermutationWithoutObviousBias) {
    // Position of sample 0: over 2000 epochs of 10 samples each position is expected 200 times (standard deviation
    // 13.4).
    std::vector<int> places(10);
    for (std::int64_t epoch = 0; epoch < 2000; ++epoch) {
        const auto order = epochOrder(10, true, 4, epoch);
        ++places[static_cast<std::size_t>(std::find(order.begin(), order.end(), 0) - order.begin())];
    }
    EXPECT_GT(*std::min_element(places.begin(), places.end()), 140);
    EXPECT_LT(*std::max_element(places.begin(), places.end()), 260);
    EXPECT_EQ(epochOrder(3, false, 4, 0), (std::vector<std::int64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace steelyard::data
