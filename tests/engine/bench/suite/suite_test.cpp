// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/suite/suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "engine/bench/measure/peak_probe.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/core/clock.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

std::set<std::string> labels(const Suite& suite) {
    std::set<std::string> result;
    for (const auto& spec : suite.cases) result.insert(caseLabel(spec));
    return result;
}

TEST(Suite, AllCombinationsOfWhatIsNamedOnceEach) {
    RunRequest request;
    request.workloads = {"mnist_mlp", "fcn_r"};
    request.batches = {8, 16, 32};
    request.threads = {1, 2};
    const auto suite = makeSuite(request);
    ASSERT_TRUE(suite);
    EXPECT_EQ(suite->id, "custom");
    EXPECT_EQ(suite->cases.size(), 2U * 2 * 3 * 2);
    EXPECT_EQ(labels(*suite).size(), suite->cases.size());
    for (const auto& spec : suite->cases) EXPECT_EQ(spec.optimizer.empty(), spec.mode == plan::Mode::Infer);
}

TEST(Suite, TheSeedDecidesTheOrderAndNothingElse) {
    RunRequest request;
    request.suite = "quick";
    const auto a = makeSuite(request);
    const auto b = makeSuite(request);
    request.seed = 2;
    const auto c = makeSuite(request);
    ASSERT_TRUE(a && b && c);
    EXPECT_EQ(a->cases, b->cases);
    EXPECT_EQ(labels(*a), labels(*c));
    const auto order = [](const Suite& suite) {
        std::vector<std::string> list;
        for (const auto& spec : suite.cases) list.push_back(caseLabel(spec));
        return list;
    };
    EXPECT_NE(order(*a), order(*c));
}

TEST(Suite, DevicesTakeTurns) {
    RunRequest request;
    request.workloads = {"mnist_mlp", "mnist_cnn", "fcn_r"};
    request.devices = {"cpu", "cuda:0"};
    const auto suite = makeSuite(request);
    ASSERT_TRUE(suite);
    for (std::size_t i = 0; i + 1 < suite->cases.size(); i += 2)
        EXPECT_NE(suite->cases[i].device, suite->cases[i + 1].device);
}

TEST(Suite, AWorkloadWithoutABatchGetsThePapers) {
    RunRequest request;
    request.workloads = {"mnist_cnn"};
    EXPECT_EQ(makeSuite(request)->cases.front().batch, 128);
}

TEST(Suite, UnknownNamesAreNotFound) {
    RunRequest request;
    request.suite = "tiny";
    EXPECT_EQ(makeSuite(request).error().kind, ErrorKind::NotFound);
    request.suite.clear();
    request.workloads = {"mnist_cnnn"};
    EXPECT_NE(makeSuite(request).error().detail.text.find("mnist_cnn"), std::string::npos);
    request.workloads = {"fcn_s(hidden_layers=0)"};
    EXPECT_EQ(makeSuite(request).error().kind, ErrorKind::InvalidArgument);
}

TEST(Suite, OptionsAndFilesAreWorkloadsToo) {
    const auto file = std::string(STEELYARD_TEST_DATA) + "/networks/small_cnn.json";
    RunRequest request;
    request.workloads = {"fcn_s(hidden_layers=4)", file};
    request.modes = {plan::Mode::Infer};
    const auto suite = makeSuite(request).value();
    std::set<std::string> names;
    for (const auto& spec : suite.cases) {
        names.insert(spec.workload);
        EXPECT_GT(estimateSeconds(spec, {}), 0.5);
    }
    ASSERT_EQ(names.size(), 2U);
    EXPECT_TRUE(names.begin()->starts_with(file + "#")) << *names.begin();
    EXPECT_EQ(*names.rbegin(), "fcn_s(hidden_layers=4)");
}

TEST(Suite, EightBitsAreNotTrained) {
    RunRequest request;
    request.workloads = {"mnist_cnn", "mnist_mlp"};
    request.precisions = {plan::Precision::Fp32, plan::Precision::Int8};
    const auto suite = makeSuite(request).value();
    EXPECT_EQ(suite.cases.size(), 6U);
    for (const auto& spec : suite.cases)
        EXPECT_TRUE(spec.precision == plan::Precision::Fp32 || spec.mode == plan::Mode::Infer) << caseLabel(spec);
    EXPECT_EQ(suite.notes.size(), 1U);
    request.modes = {plan::Mode::Train};  // requested explicitly: the case reports why not
    EXPECT_EQ(makeSuite(request)->cases.size(), 4U);
}

TEST(Suite, WhatCanOnlyInferIsNotTrained) {
    RunRequest request;
    request.workloads = {"gpt2_small_decode"};
    EXPECT_EQ(makeSuite(request)->cases.size(), 1U);
    EXPECT_TRUE(makeSuite(request)->notes.empty());
    request.modes = {plan::Mode::Train, plan::Mode::Infer};
    EXPECT_EQ(makeSuite(request)->notes.size(), 1U);
    request.modes = {plan::Mode::Train};
    EXPECT_EQ(makeSuite(request).error().detail.text,
              "gpt2_small_decode supports inference only; training was skipped");
}

TEST(Suite, ThreadsAndInstructionSetsAreForTheProcessor) {
    RunRequest request;
    request.workloads = {"mnist_mlp"};
    request.modes = {plan::Mode::Infer};
    request.devices = {"cpu", "cuda:0"};
    request.threads = {1, 2};
    request.isas = {"avx2", "avx512"};
    const auto suite = makeSuite(request).value();
    EXPECT_EQ(suite.cases.size(), 4U + 1);
    for (const auto& spec : suite.cases) EXPECT_EQ(spec.threads.has_value(), spec.device == "cpu");
}

TEST(Suite, EverySuiteIsMadeOfKnownWorkloadsEachCaseOnce) {
    for (const auto& info : suites()) {
        RunRequest request;
        request.suite = info.id;
        const auto suite = makeSuite(
            request, {.devices = {"cpu", "cuda:0"}, .cores = 8, .isas = {"sse", "avx2", "avx512", "amx"}, .gpus = 4});
        ASSERT_TRUE(suite) << describe(suite.error());
        EXPECT_EQ(suite->title, info.title);
        EXPECT_EQ(labels(*suite).size(), suite->cases.size());
        std::set<plan::Mode> modes;
        for (const auto& spec : suite->cases) {
            modes.insert(spec.mode);
            EXPECT_GT(estimateSeconds(spec, {}), 0) << caseLabel(spec);
        }
        EXPECT_EQ(modes.size(), info.id == "scaling" || info.id == "language" ? 1U : 2U);
        EXPECT_TRUE(suite->notes.empty());
    }
}

TEST(Suite, QuickTouchesEveryFamily) {
    RunRequest request;
    request.suite = "quick";
    std::set<std::string> families;
    const auto suite = makeSuite(request).value();
    for (const auto& spec : suite.cases) families.insert(model::resolveWorkload(spec.workload)->family);
    EXPECT_EQ(families, (std::set<std::string>{"woolf2017", "dlbench", "kaggle_flowers", "language", "micro", "paradnn",
                                               "staples"}));
}

TEST(Suite, FullVariesOneThingAtATime) {
    RunRequest request;
    request.suite = "full";
    std::set<int> threads;
    std::set<std::string> isas;
    const auto suite = makeSuite(request, {.cores = 8, .isas = {"sse", "avx2", "avx512"}}).value();
    for (const auto& spec : suite.cases) {
        const auto own = model::resolveWorkload(spec.workload)->batch;
        EXPECT_LE((spec.batch != own) + spec.threads.has_value() + spec.isa.has_value() +
                      (spec.precision != plan::Precision::Fp32),
                  1)
            << caseLabel(spec);
        if (spec.threads) threads.insert(*spec.threads);
        if (spec.isa) isas.insert(*spec.isa);
        EXPECT_EQ(spec.precision, plan::Precision::Fp32);  // bf16 would be emulated
    }
    EXPECT_EQ(threads, (std::set<int>{1, 2, 4, 16}));
    EXPECT_EQ(isas, (std::set<std::string>{"sse", "avx2"}));
}

TEST(Suite, FullSweepsTheNarrowTypeWhereTheProcessorMultipliesIt) {
    hardware::HardwareProfile profile;
    for (const auto* flag : {"avx512_bf16", "amx_bf16"}) {
        profile.cpu.isa.value = {"avx2", "avx512", flag};
        RunRequest request;
        request.suite = "full";
        const auto machine = suiteMachine(profile);
        EXPECT_TRUE(machine.bf16) << flag;
        const auto suite = makeSuite(request, machine).value();
        EXPECT_TRUE(std::any_of(suite.cases.begin(), suite.cases.end(), [](const Case& spec) {
            return spec.precision == plan::Precision::Bf16;
        })) << flag;
    }
    profile.cpu.isa.value = {"avx2", "avx512"};
    EXPECT_FALSE(suiteMachine(profile).bf16);
}

TEST(Suite, ANamedWorkloadIsRunAsTheSuiteWould) {
    RunRequest request;
    request.suite = "quick";
    request.workloads = {"fcn_r"};
    const auto suite = makeSuite(request).value();
    EXPECT_EQ(suite.id, "custom");
    EXPECT_EQ(suite.cases.front().batch, 256);
    EXPECT_EQ(suite.timeCap, Seconds(3));
}

TEST(Estimate, GrowsWithTheWorkAndShrinksWithTheMachine) {
    Case spec{.workload = "fcn_r", .mode = plan::Mode::Train, .device = "cpu", .batch = 256};
    Protocol protocol;
    const double small = estimateSeconds(spec, protocol);
    spec.batch = 4096;
    const double large = estimateSeconds(spec, protocol);
    EXPECT_GT(small, 0.5);
    EXPECT_GT(large, small);
    const AssumedRates fast{.devices = {{"cpu", {.flopsPerSecond = 1e13, .bytesPerSecond = 1e12}}}, .cores = 64};
    EXPECT_LT(estimateSeconds(spec, protocol, fast), large);
    // Rates of another device are not used.
    EXPECT_EQ(estimateSeconds(spec, protocol, {.devices = {{"cuda:0", {.flopsPerSecond = 1e15}}}}), large);
}

TEST(Estimate, FewerThreadsAndMoreThanCoresTakeLonger) {
    Case spec{.workload = "resnet50", .mode = plan::Mode::Train, .device = "cpu", .batch = 16};
    const AssumedRates rates{.devices = {{"cpu", {.flopsPerSecond = 5e11, .noise = 0.001}}}, .cores = 4};
    Protocol protocol;
    protocol.timeCap = Seconds(60);
    protocol.verify = false;
    const double all = estimateSeconds(spec, protocol, rates);
    spec.threads = 1;
    EXPECT_GT(estimateSeconds(spec, protocol, rates), 2 * all);
    spec.threads = 8;
    EXPECT_GT(estimateSeconds(spec, protocol, rates), 1.5 * all);
}

TEST(Estimate, TheCapBoundsSamplingAndTheCheckCosts) {
    const Case spec{.workload = "resnet50", .mode = plan::Mode::Train, .device = "cpu", .batch = 16};
    Protocol protocol;
    protocol.timeCap = Seconds(1000);
    const double free = estimateSeconds(spec, protocol);
    protocol.timeCap = Seconds(5);
    const double capped = estimateSeconds(spec, protocol);
    EXPECT_LT(capped, free);
    protocol.verify = false;
    EXPECT_LT(estimateSeconds(spec, protocol), capped);
}

TEST(Estimate, NoisyMachinesTakeLongerButNotLongerThanTheCap) {
    const Case spec{.workload = "fcn_r", .mode = plan::Mode::Train, .device = "cpu", .batch = 256};
    Protocol protocol;
    protocol.timeCap = Seconds(20);
    const auto sampling = [&](std::optional<double> noise) {
        return estimateCase(spec, protocol,
                            {.devices = {{"cpu", {.flopsPerSecond = 5e11, .noise = noise}}}, .cores = 2})
            .sampling;
    };
    const double step = estimateCase(spec, protocol, {.devices = {{"cpu", {.flopsPerSecond = 5e11}}}, .cores = 2}).step;
    EXPECT_GE(sampling(0.001), 10 * step);
    EXPECT_LT(sampling(0.001), 20 * step);
    EXPECT_GT(sampling(0.05), 2 * sampling(0.001));
    EXPECT_GT(sampling(std::nullopt), sampling(0.001));
    EXPECT_LT(sampling(std::nullopt), sampling(0.05));
    EXPECT_NEAR(sampling(10), 5, 1e-9);  // the noise is then known
    protocol.precise = true;
    EXPECT_GT(sampling(0.01), 10 * step);
    protocol.sustained = true;
    EXPECT_EQ(sampling(0.001), 20);
}

TEST(Estimate, ChecksAsFastAsTheReferenceWasProbed) {
    const auto reference = compute::makeReferenceBackend();
    const auto probed = probeReference(*reference, {}, SystemClock());
    ASSERT_TRUE(probed.flopsPerSecond);
    EXPECT_GT(*probed.flopsPerSecond, 1e6);
    const Case spec{.workload = "mnist_cnn", .mode = plan::Mode::Train, .device = "cpu", .batch = 128};
    const auto checking = [&](double flops) {
        return estimateCase(spec, {}, {.devices = {{"reference", {.flopsPerSecond = flops}}}, .cores = 2}).check;
    };
    EXPECT_GT(checking(1e8), 5 * checking(1e10));
}

TEST(Estimate, CountsTheTrialOfKernelsThatAreNotKnown) {
    const Case spec{.workload = "fcn_r", .mode = plan::Mode::Train, .device = "cpu", .batch = 256};
    AssumedRates rates{.devices = {{"cpu", {}}}, .cores = 2};
    const double nothingTried = estimateSeconds(spec, {}, rates);
    auto& known = rates.devices["cpu"].knownSteps.emplace();
    const auto estimate = estimateCase(spec, {}, rates);
    EXPECT_GT(estimate.total(), nothingTried + 5 * estimate.step);
    known = {"fcn_r train 256 bf16 2 auto", "fcn_r train 256 fp32 1 auto", "fcn_r infer 256 fp32 2 auto"};
    EXPECT_EQ(estimateSeconds(spec, {}, rates), estimate.total());
    known.insert("fcn_r train 256 fp32 2 auto");
    const double checkTries = estimateSeconds(spec, {}, rates);
    EXPECT_LT(checkTries, estimate.total());
    EXPECT_GT(checkTries, nothingTried);
    known.insert("fcn_r train 8 fp32 2 auto");
    EXPECT_EQ(estimateSeconds(spec, {}, rates), nothingTried);
}

// Trials are counted only for convolutions supported by Winograd's algorithm.
TEST(Estimate, CountsNoTrialOfConvolutionsThatTheLibraryAloneDoes) {
    const auto ofTrials = [](const char* workload) {
        const Case spec{.workload = workload, .mode = plan::Mode::Infer, .device = "cpu", .batch = 32};
        AssumedRates rates{.devices = {{"cpu", {}}}, .cores = 2};
        const auto nothingTried = estimateCase(spec, {}, rates);
        rates.devices["cpu"].knownSteps.emplace();
        return (estimateCase(spec, {}, rates).compile - nothingTried.compile) / nothingTried.step;
    };
    EXPECT_GT(ofTrials("vgg16"), 2 * ofTrials("mobilenet_v2"));
}

TEST(Estimate, DrawsWeightsAsFastAsWasProbed) {
    const auto cpu = compute::makeCpuBackend();
    const auto probed = probeRates(*cpu, {}, SystemClock());
    ASSERT_TRUE(probed.valuesPerSecond);
    EXPECT_GT(*probed.valuesPerSecond, 1e6);
    const Case spec{.workload = "bert_base_128(sequence=16)", .mode = plan::Mode::Infer, .device = "cpu", .batch = 1};
    const auto compiling = [&](double values) {
        return estimateCase(spec, {}, {.devices = {{"cpu", {.valuesPerSecond = values}}}, .cores = 2}).compile;
    };
    EXPECT_GT(compiling(1e7), compiling(1e9) + 5) << "110 million weights";
}

TEST(Estimate, KnowsTheSizeOfALanguageModel) {
    auto table = std::make_shared<model::DecoderTable>();
    for (const double factor : {1.0, 4.0}) {
        model::DecoderSpec spec{.id = factor > 1 ? "large" : "small", .family = "llama"};
        spec.layers = 16;
        spec.width = static_cast<std::int64_t>(1024 * factor);
        spec.heads = spec.kvHeads = 16;
        spec.headDimension = spec.width / 16;
        spec.feedForward = 4 * spec.width;
        spec.vocabulary = 32000;
        table->models.push_back(spec);
    }
    const AssumedRates rates{
        .devices = {{"cpu", {.flopsPerSecond = 3e11, .bytesPerSecond = 4e10}}}, .cores = 2, .decoders = table};
    const auto estimated = [&](const char* workload, std::int64_t batch = 1) {
        return estimateCase({.workload = workload, .mode = plan::Mode::Infer, .device = "cpu", .batch = batch}, {},
                            rates);
    };
    // Sixteen times the weights, read once per token.
    const auto small = estimated("small(mode=decode,weights=q8_0)"),
               large = estimated("large(mode=decode,weights=q8_0)");
    EXPECT_NEAR(large.step / small.step, 14, 3);
    EXPECT_GT(large.compile, 3 * small.compile);
    EXPECT_NEAR(estimated("large(mode=decode,weights=bf16)").step / large.step, 2, 0.3) << "twice the bytes";
    EXPECT_LT(estimated("large(mode=decode,weights=q8_0)", 4).step, 4 * large.step);
    EXPECT_GT(estimated("large(mode=generate,weights=q8_0,prompt=9,tokens=20)").step, 19 * large.step);
    EXPECT_GT(estimated("large(mode=prefill,weights=q8_0,prompt=512)").step, 20 * large.step);
    EXPECT_GT(estimated("unknown(mode=decode)").total(), 0) << "a usual size is assumed";
}

TEST(Estimate, QuickTakesAMinuteOrTwoOnTwoCores) {
    RunRequest request;
    request.suite = "quick";
    const auto suite = makeSuite(request).value();
    Protocol protocol;
    protocol.timeCap = suite.timeCap;
    const AssumedRates twoCores{.devices = {{"cpu", {.flopsPerSecond = 3.2e11, .bytesPerSecond = 3e10}}}, .cores = 2};
    const double seconds = estimateSeconds(suite.cases, timeBudgetOf(suite, protocol), protocol, twoCores);
    EXPECT_GT(seconds, 45);
    EXPECT_LT(seconds, 130);
}

TEST(Suite, QuickHasATimeBudgetForEachDeviceUnlessMoreIsAskedFor) {
    RunRequest request;
    request.suite = "quick";
    const auto suite = makeSuite(request).value();
    Protocol usual;
    usual.visits = kVisits;
    usual.timeCap = suite.timeCap;
    ASSERT_TRUE(timeBudgetOf(suite, usual));
    EXPECT_EQ(timeBudgetOf(suite, usual)->value(), suite.timeBudget->value());
    auto more = usual;
    more.visits = kVisits + 1;
    EXPECT_FALSE(timeBudgetOf(suite, more));
    auto longer = usual;
    longer.timeCap = suite.timeCap + Seconds(1);
    EXPECT_FALSE(timeBudgetOf(suite, longer));
    request.devices = {"cpu", "reference"};
    EXPECT_EQ(makeSuite(request).value().timeBudget->value(), 2 * suite.timeBudget->value());
    request.suite = "standard";
    EXPECT_FALSE(makeSuite(request).value().timeBudget);
}

TEST(Estimate, TheTimeBudgetTakesAwayThirdVisitsOnly) {
    const std::vector<Case> cases(4,
                                  {.workload = "mnist_cnn", .mode = plan::Mode::Train, .device = "cpu", .batch = 128});
    Protocol protocol;
    protocol.visits = kLeastVisits;
    const double two = estimateSeconds(cases, {}, protocol);
    protocol.visits = kVisits;
    const double three = estimateSeconds(cases, {}, protocol);
    EXPECT_NEAR(estimateSeconds(cases, Seconds(0), protocol), two, 1e-9);
    EXPECT_EQ(estimateSeconds(cases, Seconds(1e6), protocol), three);
    EXPECT_EQ(estimateSeconds(cases, Seconds((two + three) / 2), protocol), (two + three) / 2);
}

}  // namespace
}  // namespace steelyard::bench
