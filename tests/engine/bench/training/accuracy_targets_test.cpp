// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/accuracy_targets.h"

#include <gtest/gtest.h>

#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

// A data set that only has a size.
class Sized final : public data::Dataset {
public:
    explicit Sized(std::int64_t samples)
        : Dataset({.name = "test", .samples = samples, .featureShape = {1}, .classCount = 2}) {}

protected:
    Result<void> read(std::int64_t, const data::SampleTarget&) const override { return {}; }
};

struct Trained {
    std::string workload;
    std::int64_t samples = 0, batch = 0, epochs = 0;
    double accuracy = 0, loss = 0;
};

AccuracyVerdict judged(const Trained& trained) {
    const auto workload = model::resolveWorkload(trained.workload).value();
    TrainingOptions options;
    options.batch = trained.batch;
    TrainingResult result;
    for (std::int64_t i = 0; i < (trained.epochs > 0 ? trained.epochs : workload.epochs); ++i)
        result.epochs.push_back({.epoch = i + 1, .trainLoss = trained.loss, .validationAccuracy = trained.accuracy});
    const data::DatasetPair data{std::make_shared<Sized>(trained.samples > 0 ? trained.samples : workload.trainSamples),
                                 nullptr};
    return judgeAccuracy(workload, data, options, result).value();
}

TEST(Gates, ThePublishedTrainingIsJudged) {
    EXPECT_EQ(judged({.workload = "mnist_mlp", .accuracy = 0.9812}).state, AccuracyState::Passed);
    EXPECT_EQ(judged({.workload = "mnist_mlp", .accuracy = 0.9799}).state, AccuracyState::Failed);
    EXPECT_EQ(judged({.workload = "mnist_cnn", .accuracy = 0.9899}).state, AccuracyState::Failed);
    EXPECT_EQ(judged({.workload = "cifar10_cnn", .accuracy = 0.729}).state, AccuracyState::Failed);
    EXPECT_EQ(judged({.workload = "cifar10_cnn", .accuracy = 0.75}).state, AccuracyState::Passed);
    EXPECT_EQ(judged({.workload = "imdb_bilstm", .accuracy = 0.8281}).state, AccuracyState::Passed);
    EXPECT_EQ(judged({.workload = "imdb_fasttext(ids=5000)", .accuracy = 0.90}).state, AccuracyState::Passed);
    EXPECT_EQ(judged({.workload = "text_lstm", .loss = 1.43}).state, AccuracyState::Failed);
    EXPECT_EQ(judged({.workload = "text_lstm", .loss = 1.40}).state, AccuracyState::Passed);
    const auto better = judged({.workload = "cifar10_cnn", .accuracy = 0.8});
    EXPECT_EQ(better.state, AccuracyState::Passed);
    EXPECT_NE(better.sentence.text.find("better"), std::string::npos) << better.sentence;
}

TEST(Gates, AnotherTrainingIsNotJudgedAndSaysWhy) {
    const auto reason = [](const Trained& trained) {
        const auto verdict = judged(trained);
        EXPECT_EQ(verdict.state, AccuracyState::NotJudged);
        return verdict.sentence.text;
    };
    EXPECT_EQ(reason({.workload = "mnist_mlp", .samples = 6000, .accuracy = 1}),
              "6000 training samples; the published run used 60000");
    EXPECT_EQ(reason({.workload = "mnist_mlp", .batch = 64, .accuracy = 1}), "batch 64; the published run used 128");
    EXPECT_EQ(reason({.workload = "mnist_mlp", .epochs = 3, .accuracy = 1}), "3 epochs; the published run used 20");
    EXPECT_FALSE(accuracyTargetOf(model::resolveWorkload("resnet50").value()));
}

}  // namespace
}  // namespace steelyard::bench
