// SPDX-License-Identifier: Apache-2.0
// Measured language models as anchors of predictions: which cases become anchors, and their effect.
#include "engine/advisor/language/language_anchors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/advisor/language/language_json.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/model/decoder/language_workload.h"
#include "tests/engine/advisor/advisor_fixture.h"

namespace steelyard::advisor {
namespace {

hardware::HardwareProfile computer() {
    hardware::HardwareProfile profile;
    profile.cpu.name = hardware::known<std::string>("A Processor Nobody Listed", "test");
    profile.cpu.architecture = hardware::known<std::string>("x86_64", "test");
    profile.cpu.usableThreads = hardware::known(8, "test");
    profile.cpu.baseMhz = hardware::known(3000.0, "test");
    profile.cpu.isa = hardware::known(std::vector<std::string>{"avx", "avx2", "fma"}, "test");
    profile.memory.totalBytes = hardware::known<std::int64_t>(32LL << 30, "test");
    return profile;
}

// A computer with 40 GB/s read bandwidth and 0.6 TFLOP/s.
bench::CaseRecord measured(const std::string& workload, double tokensPerSecond, std::int64_t batch = 1) {
    const auto name = model::parseLanguageName(workload).value();
    const auto spec = model::resolveDecoder(test::shippedDecoders(), name.model).value().spec;
    bench::CaseRecord record;
    record.spec = {.workload = workload, .mode = plan::Mode::Infer, .device = "cpu", .batch = batch};
    record.status = bench::Status::Ok;
    auto& use = record.language.emplace();
    use.task = toString(name.task);
    use.tokensPerStep = name.tokensOfStep();
    use.weightBytes = static_cast<std::int64_t>(model::weightBytes(spec, *model::findWeightScheme(name.weights)).total);
    const double seconds = static_cast<double>(use.tokensPerStep * batch) / tokensPerSecond;
    record.stepSeconds = bench::Summary{.median = seconds, .ci95Low = seconds * 0.98, .ci95High = seconds * 1.03};
    record.utilization = bench::Utilization{.peakFlops = 0.6e12, .peakBytes = 40e9};
    record.conditions["peak_bytes_of"] = "reading the weights between windows of steps";
    return record;
}

std::vector<LanguageAnchor> anchorsOf(std::vector<bench::CaseRecord> records,
                                      const hardware::HardwareProfile& profile = computer()) {
    bench::RunRecord run;
    run.profileJson = hardware::toJson(profile);
    run.records = std::move(records);
    LanguageAnchorCollector collector(test::shippedCatalog(), test::shippedParameters(), test::shippedDecoders());
    collector.add(run);
    return collector.anchors();
}

LanguageJob jobOf(const char* model, const char* weights, double context = 128) {
    LanguageJob job;
    job.model = model::resolveDecoder(test::shippedDecoders(), model).value();
    job.weights = weightsOfJob(job.model, weights).value();
    job.context = context;
    return job;
}

LanguagePrediction predicted(const LanguageJob& job, const std::vector<LanguageAnchor>& anchors,
                             const std::string& device = "own/cpu", const std::string& software = "") {
    LanguageRequest request{.software = software, .only = {device}, .anchors = anchors};
    request.own = ownLanguageTargets(computer(), test::shippedCatalog(), test::shippedParameters(), anchors);
    return predictLanguage(job, test::shippedCatalog(), test::shippedLanguageParameters(), request).value().front();
}

const std::string kOneB = "llama_3_2_1b(mode=decode,weights=q4_0,context=128)";

TEST(LanguageAnchors, TheSameWorkIsNotPredicted) {
    const auto anchors = anchorsOf({measured(kOneB, 40)});
    ASSERT_EQ(anchors.size(), 1U);
    EXPECT_TRUE(anchors[0].device.measuredBandwidth);
    const auto known = predicted(jobOf("llama_3_2_1b", "q4_0"), anchors);
    EXPECT_EQ(known.basis, Basis::Measured);
    EXPECT_EQ(known.software, "steelyard");
    EXPECT_NEAR(known.tokensPerSecond.median, 40, 1e-9);
    EXPECT_NEAR(known.tokensPerSecond.low, 40 / 1.03 / 1.1, 1e-9);
    EXPECT_NEAR(known.tokensPerSecond.high, 40 / 0.98 * 1.1, 1e-9);
    EXPECT_FALSE(known.lowConfidence);
    EXPECT_NE(languagePredictionsJson(jobOf("llama_3_2_1b", "q4_0"), {}, test::shippedLanguageParameters(), {known})
                  .find("\"measured\""),
              std::string::npos);
}

TEST(LanguageAnchors, WeightsInTheCacheSayNothingOfTheMemory) {
    auto profile = computer();
    profile.cpu.caches = hardware::known<std::vector<hardware::CacheInfo>>(
        {{.level = 3, .type = "unified", .bytes = 512LL << 20, .count = 1, .sharedByThreads = 8}}, "test");
    // 0.35 and 0.76 GB.
    const auto anchors =
        anchorsOf({measured("qwen3_0_6b(mode=decode,weights=q4_0)", 90), measured(kOneB, 40)}, profile);
    ASSERT_EQ(anchors.size(), 2U);
    for (const auto& anchor : anchors)
        EXPECT_EQ(anchor.device.measuredBandwidth, anchor.job.model.spec.id == "llama_3_2_1b");
}

TEST(LanguageAnchors, OtherWorkOnTheDeviceIsCorrectedByThem) {
    const auto job = jobOf("llama_3_2_3b", "q4_0", 512);
    // The device as measured by anchors, without the correction of the model's error.
    const auto exact = predicted(jobOf("llama_3_2_1b", "q4_0"), anchorsOf({measured("qwen3_0_6b(mode=prefill)", 1)}));
    ASSERT_EQ(exact.basis, Basis::Extrapolated) << "a prompt says nothing of decoding";
    const auto right = anchorsOf({measured(kOneB, exact.tokensPerSecond.median)});
    const auto base = predicted(job, right).tokensPerSecond.median;
    // A single measurement with an error of a quarter has a weight of less than a half here: the model has another
    // size.
    const auto slow = predicted(job, anchorsOf({measured(kOneB, exact.tokensPerSecond.median / 1.25)}));
    EXPECT_EQ(slow.basis, Basis::Anchored);
    EXPECT_EQ(slow.band, "anchored");
    const double size = std::log(right[0].job.weightBytes().readPerToken / job.weightBytes().readPerToken);
    const double weight = 1 / (1 + std::abs(size));
    EXPECT_NEAR(slow.tokensPerSecond.median, base * std::pow(1.25, -weight / (weight + 1)), 1e-6 * base);
    // Several consistent anchors have more weight; another format has a quarter.
    const auto several = anchorsOf(
        {measured(kOneB, exact.tokensPerSecond.median / 1.25),
         measured("llama_3_2_1b(mode=decode,weights=q4_0,context=129)", exact.tokensPerSecond.median / 1.25)});
    EXPECT_EQ(several.size(), 2U);
    EXPECT_LT(predicted(job, several).tokensPerSecond.median, slow.tokensPerSecond.median);
    const auto other = predicted(jobOf("llama_3_2_3b", "q8_0", 512),
                                 anchorsOf({measured(kOneB, exact.tokensPerSecond.median / 1.25)}));
    EXPECT_EQ(other.basis, Basis::Anchored);
    EXPECT_TRUE(other.lowConfidence) << "one of another format";
    EXPECT_LE(slow.tokensPerSecond.high, slow.boundTokensPerSecond);
}

TEST(LanguageAnchors, OtherDevicesAndSoftware) {
    const auto job = jobOf("llama_3_2_3b", "q4_0", 512);
    const auto anchors = anchorsOf({measured(kOneB, 20)});
    const auto elsewhere = predicted(job, anchors, "ryzen_9950x", "steelyard");
    EXPECT_EQ(elsewhere.basis, Basis::Anchored);
    EXPECT_EQ(elsewhere.band, "cpu");
    EXPECT_TRUE(elsewhere.lowConfidence);
    const auto alone = predicted(job, {}, "ryzen_9950x", "steelyard");
    EXPECT_EQ(alone.basis, Basis::Extrapolated);
    EXPECT_EQ(alone.band, "stack_unknown") << "seen on one device";
    EXPECT_NE(alone.tokensPerSecond.median, elsewhere.tokensPerSecond.median);
    // They do not apply to other software.
    for (const char* device : {"own/cpu", "ryzen_9950x"})
        EXPECT_EQ(predicted(job, anchors, device, "llamacpp_cpu").basis, Basis::Extrapolated) << device;
    EXPECT_EQ(predicted(job, anchors, "ryzen_9950x", "llamacpp_cpu").tokensPerSecond,
              predicted(job, {}, "ryzen_9950x", "llamacpp_cpu").tokensPerSecond);
    EXPECT_EQ(predicted(job, anchors, "rtx3090", "steelyard").refusal, LanguageRefusal::ThisEngine);
    EXPECT_EQ(predicted(job, anchors, "ryzen_9950x").software, "llamacpp_cpu");
}

TEST(LanguageAnchors, AComputerWithoutMeasurementsIsPredictedWithLowConfidence) {
    const auto guessed = predicted(jobOf("llama_3_2_1b", "q4_0"), {});
    ASSERT_TRUE(guessed.hasSpeed());
    EXPECT_EQ(guessed.basis, Basis::Extrapolated);
    EXPECT_TRUE(guessed.lowConfidence);
    EXPECT_EQ(guessed.fits, Fits::Yes);
    const auto all =
        predictLanguage(jobOf("llama_3_2_1b", "q4_0"), test::shippedCatalog(), test::shippedLanguageParameters(),
                        {.own = ownLanguageTargets(computer(), test::shippedCatalog(), test::shippedParameters(), {})})
            .value();
    EXPECT_EQ(all.front().id, "own/cpu");
    EXPECT_EQ(all.size(), test::shippedCatalog().hardware.size() + 1);
}

TEST(LanguageAnchors, OnlyWhatSaysSomethingOfTheProgramOnTheDevice) {
    auto failed = measured(kOneB, 40);
    failed.status = bench::Status::Failed;
    auto narrow = measured(kOneB, 40);
    narrow.spec.isa = "avx2";
    auto imported = measured(kOneB, 40);
    imported.conditions["software"] = "llamacpp_cpu";
    auto changed = measured(kOneB, 40);
    changed.language->weightBytes += 1000;
    EXPECT_TRUE(anchorsOf({failed, narrow, imported, changed,
                           measured("llama_3_2_1b(mode=generate,weights=q4_0,prompt=8,tokens=9)", 40),
                           measured("llama_3_2_1b(mode=prefill,weights=q4_0,prompt=8)", 40, 2)})
                    .empty());
    // The latest for the same work; another number of threads is another device.
    auto threads = measured(kOneB, 30);
    threads.spec.threads = 4;
    const auto anchors = anchorsOf({measured(kOneB, 40), measured(kOneB, 41), threads, measured(kOneB, 90, 4)});
    ASSERT_EQ(anchors.size(), 3U);
    EXPECT_NEAR(predicted(jobOf("llama_3_2_1b", "q4_0"), anchors).tokensPerSecond.median, 41, 1e-9);
    auto batched = jobOf("llama_3_2_1b", "q4_0");
    batched.batch = 4;
    EXPECT_NEAR(predicted(batched, anchors).tokensPerSecond.median, 90, 1e-9);
    // An older record without a read bandwidth.
    auto old = measured(kOneB, 40);
    old.conditions.clear();
    EXPECT_FALSE(anchorsOf({old}).at(0).device.measuredBandwidth);
}

struct OwnCase {
    std::string workload;
    std::int64_t batch = 1;
    double tokensPerSecond = 0, readBytes = 0, flops = 0;
};

// Recorded on one machine; see the file's head.
std::vector<OwnCase> ownCases() {
    const auto file = std::filesystem::path(STEELYARD_SOURCE_DIR) / "tests/data/language/own_cases.csv";
    const auto table = CsvDocument::parse("own_cases.csv", readFile(file, 1 << 20).value()).value();
    std::vector<OwnCase> cases;
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        const auto row = table.row(i);
        const auto number = [&](std::size_t column) { return std::stod(std::string(row[column])); };
        cases.push_back({std::string(row[0]), static_cast<std::int64_t>(number(1)), number(2), number(3), number(4)});
    }
    return cases;
}

bench::CaseRecord recorded(const OwnCase& one) {
    auto record = measured(one.workload, one.tokensPerSecond, one.batch);
    record.utilization->peakBytes = one.readBytes;
    record.utilization->peakFlops = one.flops;
    return record;
}

// Each recorded case is predicted from the others: four of five must lie in the band. There are few, of two models: a
// smoke test of the constants rather than a proof of the band.
TEST(LanguageAnchors, RecordedCasesArePredictedFromEachOther) {
    const auto cases = ownCases();
    ASSERT_GE(cases.size(), 13U);
    for (const auto mode : {LanguageMode::Decode, LanguageMode::Prefill}) {
        std::vector<double> errors;
        std::size_t inside = 0;
        for (std::size_t left = 0; left < cases.size(); ++left) {
            const auto name = model::parseLanguageName(cases[left].workload).value();
            const bool prefill = name.task == model::LanguageTask::Prefill;
            if (prefill != (mode == LanguageMode::Prefill)) continue;
            std::vector<bench::CaseRecord> others;
            for (std::size_t i = 0; i < cases.size(); ++i)
                if (i != left) others.push_back(recorded(cases[i]));
            auto job = jobOf(name.model.c_str(), name.weights.c_str(),
                             static_cast<double>(prefill ? name.prompt : name.context));
            job.mode = mode;
            job.batch = static_cast<double>(cases[left].batch);
            const auto p = predicted(job, anchorsOf(std::move(others)));
            ASSERT_EQ(p.basis, Basis::Anchored);
            const double found = cases[left].tokensPerSecond;
            errors.push_back(std::abs(p.tokensPerSecond.median / found - 1));
            if (p.tokensPerSecond.low <= found && found <= p.tokensPerSecond.high) ++inside;
        }
        std::ranges::sort(errors);
        const auto count = errors.size();
        ASSERT_GE(count, 4U);
        EXPECT_GE(static_cast<double>(inside), 0.8 * static_cast<double>(count)) << toString(mode);
        EXPECT_LE(errors[count / 2], 0.16) << toString(mode);
    }
}

}  // namespace
}  // namespace steelyard::advisor
