// SPDX-License-Identifier: Apache-2.0
// Language model cases with small models of random weights: every format and family, the content of records, and
// refusals.
#include "engine/bench/measure/language_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/protocol/visits.h"
#include "engine/bench/record/language_figures.h"
#include "engine/bench/record/peak_fraction.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"

namespace steelyard::bench {
namespace {

model::DecoderSpec smallModel(std::string id, std::string family = "llama") {
    model::DecoderSpec spec;
    spec.id = std::move(id);
    spec.family = std::move(family);
    spec.layers = 3;
    spec.width = 256;
    spec.heads = 4;
    spec.kvHeads = 2;
    spec.headDimension = 64;
    spec.feedForward = 512;
    spec.vocabulary = 320;
    spec.contextLength = 4096;
    return spec;
}

model::DecoderTable table() {
    model::DecoderTable table;
    table.models.push_back(smallModel("plain"));
    auto qwen = smallModel("biased", "qwen2");
    qwen.qkvBias = qwen.tiedEmbeddings = true;
    table.models.push_back(qwen);
    auto normed = smallModel("normed", "qwen3");
    normed.qkNorm = model::QkNorm::PerHead;
    table.models.push_back(normed);
    auto gemma = smallModel("windowed", "gemma2");
    gemma.gate = model::DecoderGate::GeGlu;
    gemma.normsPerLayer = 4;
    gemma.window = 4;
    gemma.globalEvery = 2;
    gemma.attentionSoftCap = 50;
    gemma.logitSoftCap = 30;
    gemma.tiedEmbeddings = true;
    table.models.push_back(gemma);
    auto fused = smallModel("fused", "phi3");
    fused.fusedQkv = true;
    table.models.push_back(fused);
    auto experts = smallModel("experts", "gpt_oss");
    experts.feedForward = 0;
    experts.experts = 4;
    experts.activeExperts = 2;
    experts.expertWidth = 256;
    experts.qkvBias = experts.outputBias = experts.expertBias = experts.routerBias = experts.attentionSinks = true;
    table.models.push_back(experts);
    auto shared = smallModel("shared", "qwen2_moe");
    shared.feedForward = 0;
    shared.experts = 4;
    shared.activeExperts = 2;
    shared.expertWidth = 256;
    shared.sharedExpertWidth = 512;
    shared.qkvBias = shared.sharedExpertGate = true;
    table.models.push_back(shared);
    auto outputs = smallModel("outputs", "olmo2");
    outputs.qkNorm = model::QkNorm::Whole;
    table.models.push_back(outputs);
    auto unrotated = smallModel("unrotated", "smollm3");
    unrotated.layers = 4;
    table.models.push_back(unrotated);
    table.models.push_back(smallModel("unknown", "gpt2"));
    auto narrow = smallModel("narrow");
    narrow.headDimension = 48;
    table.models.push_back(narrow);
    return table;
}

Case caseOf(std::string workload) {
    return {.workload = std::move(workload), .mode = plan::Mode::Infer, .device = "cpu", .batch = 1};
}

Verification verified(const std::string& workload, std::int64_t batch = 1) {
    const auto backend = compute::makeCpuBackend();
    const auto models = table();
    auto spec = caseOf(workload);
    spec.batch = batch;
    auto language = LanguageCase::open(spec, *backend, &models, 2);
    if (!language) return {.reason = messageOf(language.error())};
    (*language)->draw(7);
    return (*language)->verify(7);
}

class LanguageFormats : public testing::TestWithParam<const char*> {};
TEST_P(LanguageFormats, AreDrawnAndVerified) {
    const auto result = verified(std::string("plain(mode=decode,weights=") + GetParam() + ")");
    EXPECT_EQ(result.state, VerificationState::Pass) << result.reason << result.maxRelativeError.value_or(-1);
    EXPECT_GT(result.maxRelativeError.value_or(0), 0);
}
INSTANTIATE_TEST_SUITE_P(Formats, LanguageFormats,
                         testing::Values("f32", "bf16", "f16", "q8_0", "q6_k", "q5_k_m", "q5_1", "q5_0", "q4_k_m",
                                         "q4_k_s", "q4_1", "q4_0", "iq4_nl", "mxfp4"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(LanguageCaches, AreVerified) {
    for (const auto* cache : {"f32", "q8_0"}) {
        const auto result = verified(std::string("plain(mode=decode,weights=q4_0,cache=") + cache + ")", 2);
        EXPECT_EQ(result.state, VerificationState::Pass) << result.reason << result.maxRelativeError.value_or(-1);
    }
}

class LanguageForms : public testing::TestWithParam<const char*> {};
TEST_P(LanguageForms, AreDrawnAndVerified) {
    for (const auto* weights : {"f32", "q8_0"})
        for (const int batch : {1, 5}) {
            const auto result = verified(std::string(GetParam()) + "(mode=decode,weights=" + weights + ")", batch);
            EXPECT_EQ(result.state, VerificationState::Pass)
                << weights << result.reason << result.maxRelativeError.value_or(-1);
        }
}
INSTANTIATE_TEST_SUITE_P(Forms, LanguageForms,
                         testing::Values("plain", "biased", "normed", "windowed", "fused", "experts", "shared",
                                         "outputs", "unrotated"),
                         [](const auto& instance) { return std::string(instance.param); });

// Like the CPU backend, but with a wrong logit.
class WrongBackend final : public compute::Backend, public compute::LanguageBackend {
public:
    class Decoder final : public compute::LanguageDecoder {
    public:
        explicit Decoder(std::unique_ptr<compute::LanguageDecoder> right) : m_right(std::move(right)) {}
        std::int64_t vocabulary() const override { return m_right->vocabulary(); }
        std::int64_t context() const override { return m_right->context(); }
        std::int64_t sequences() const override { return m_right->sequences(); }

    protected:
        Result<std::span<const float>> process(std::span<const std::int32_t> tokens) override {
            EXPECT_TRUE(m_right->rewind(position()));
            const auto logits = m_right->append(tokens).value();
            m_logits.assign(logits.begin(), logits.end());
            m_logits.back() += 5;
            return std::span<const float>(m_logits);
        }
        Result<void> repeat(std::int64_t positions) override { return m_right->repeatTo(positions); }

    private:
        std::unique_ptr<compute::LanguageDecoder> m_right;
        std::vector<float> m_logits;
    };

    std::string_view name() const override { return "wrong"; }
    std::vector<compute::Device> devices() const override { return {{"cpu", "Invented", {}}}; }
    std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    Result<void> supports(const plan::Operation&, const plan::Plan&) const override { return {}; }
    Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan>,
                                                         const compute::CompileOptions&) override {
        return fail(ErrorKind::Unsupported, "a plan");
    }
    Result<compute::DecoderMemory> plannedDecoderMemory(const compute::DecoderWeights& weights,
                                                        const compute::DecoderOptions& options) const override {
        return compute::languageBackendOf(*m_cpu)->plannedDecoderMemory(weights, options);
    }
    Result<std::unique_ptr<compute::LanguageDecoder>> makeDecoder(compute::DecoderWeights weights,
                                                                  const compute::DecoderOptions& options) override {
        ++made;
        ASSIGN(auto right, compute::languageBackendOf(*m_cpu)->makeDecoder(std::move(weights), options));
        return std::make_unique<Decoder>(std::move(right));
    }
    int made = 0;

private:
    std::unique_ptr<compute::Backend> m_cpu = compute::makeCpuBackend();
};

// A decoder on a manual clock whose memory is now fast, now slow: a step takes the time of reading `bytes`, the first
// one after a reading twice as long.
class ChangingBackend final : public compute::Backend, public compute::LanguageBackend {
public:
    static constexpr double kFast = 20e9, kSlow = 10e9, kStepBytes = 1e8, kReadSeconds = 0.03;
    // Fast and slow for 0.7 s each, so that windows have different readings before and after.
    [[nodiscard]] double bandwidth() const {
        return std::fmod(static_cast<double>(clock.nowNanoseconds()) * 1e-9, 1.4) < 0.7 ? kFast : kSlow;
    }

    class Decoder final : public compute::LanguageDecoder {
    public:
        Decoder(ChangingBackend& backend, std::int64_t vocabulary, std::int64_t context)
            : m_backend(backend), m_context(context), m_logits(static_cast<std::size_t>(vocabulary), 0.5F) {}
        std::int64_t vocabulary() const override { return static_cast<std::int64_t>(m_logits.size()); }
        std::int64_t context() const override { return m_context; }
        std::optional<double> readBandwidth() override {
            const double rate = m_backend.bandwidth();
            m_backend.clock.advance(Seconds(kReadSeconds));
            m_backend.readings.push_back(rate);
            m_hasRead = true;
            return rate;
        }

    protected:
        Result<std::span<const float>> process(std::span<const std::int32_t>) override {
            m_backend.clock.advance(Seconds(kStepBytes / m_backend.bandwidth() * (m_hasRead ? 2 : 1)));
            m_hasRead = false;
            return std::span<const float>(m_logits);
        }
        Result<void> repeat(std::int64_t) override { return {}; }

    private:
        ChangingBackend& m_backend;
        std::int64_t m_context;
        std::vector<float> m_logits;
        bool m_hasRead = false;
    };

    std::string_view name() const override { return "changing"; }
    std::vector<compute::Device> devices() const override { return {{"cpu", "Invented", {}}}; }
    std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    Result<void> supports(const plan::Operation&, const plan::Plan&) const override { return {}; }
    Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan>,
                                                         const compute::CompileOptions&) override {
        return fail(ErrorKind::Unsupported, "a plan");
    }
    Result<compute::DecoderMemory> plannedDecoderMemory(const compute::DecoderWeights&,
                                                        const compute::DecoderOptions&) const override {
        return compute::DecoderMemory{};
    }
    Result<std::unique_ptr<compute::LanguageDecoder>> makeDecoder(compute::DecoderWeights weights,
                                                                  const compute::DecoderOptions& options) override {
        return std::make_unique<Decoder>(*this, weights.spec.vocabulary, options.context);
    }

    ManualClock clock;
    std::vector<double> readings;
};

class LanguageRecords : public testing::Test {
protected:
    CaseRecord run(compute::Backend& backend, const Case& spec, Protocol protocol = {}) {
        protocol.timeCap = Seconds(0.3);
        return runOn(m_clock, backend, spec, protocol);
    }
    CaseRecord runOn(Clock& clock, compute::Backend& backend, const Case& spec, Protocol protocol) {
        protocol.sensorsPerSecond = 0;
        CaseServices services{.backend = backend,
                              .reference = *m_reference,
                              .profile = m_profile,
                              .clock = clock,
                              .onEvent = {},
                              .cancelled = [this] { return m_cancelled; },
                              .management = {}};
        services.decoders = &m_table;
        services.visit = m_visit;
        return runCase(spec, protocol, services);
    }

    model::DecoderTable m_table = table();
    std::unique_ptr<compute::Backend> m_cpu = compute::makeCpuBackend(), m_reference = compute::makeReferenceBackend();
    hardware::HardwareProfile m_profile;
    SystemClock m_clock;
    bool m_cancelled = false;
    int m_visit = 0;
};

TEST_F(LanguageRecords, OfATokenBehindAContext) {
    const auto record = run(*m_cpu, caseOf("plain(mode=decode,weights=q4_0,context=1000)"));
    ASSERT_EQ(record.status, Status::Ok) << record.reason;
    ASSERT_TRUE(record.language);
    EXPECT_EQ(record.language->task, "decode");
    EXPECT_EQ(record.language->weights, "q4_0");
    EXPECT_EQ(record.language->context, 1000);
    EXPECT_EQ(record.language->checkedLayers, 3);
    // 1001 positions are 63 panels of 16: keys and values of 2 heads with 64 elements of 2 bytes, in 3 layers.
    EXPECT_EQ(record.language->cacheBytes, 3 * 2 * 2 * 63 * 16 * 64 * 2);
    EXPECT_EQ(record.throughput->unit, "tokens/s");
    EXPECT_NEAR(record.throughput->value * record.stepSeconds->mean, 1, 1e-9);
    EXPECT_EQ(record.verification.state, VerificationState::Pass);
    EXPECT_EQ(record.visits.size(), 1U);
    const auto bytes = static_cast<double>(record.language->readBytesPerToken) + 1001 * 3 * 2 * 2 * 64 * 2;
    EXPECT_DOUBLE_EQ(*record.bytesPerStep, bytes);
    ASSERT_TRUE(record.utilization && record.utilization->achievedBytes);
    EXPECT_FALSE(record.utilization->fraction);
    EXPECT_EQ(record.conditions.at("peak_bytes_of"), "reading the weights between windows of steps");
    EXPECT_TRUE(record.conditions.contains("read_bandwidth_ratio"));
    for (const auto& window : record.visits.front().windows)
        EXPECT_GT(std::min(window.before.weightBandwidth.value_or(0), window.after.weightBandwidth.value_or(0)), 1e7);
    if (const auto share = peakFraction(record)) {
        EXPECT_EQ(share->kind, PeakKind::Bandwidth);
    }
    const auto& memory = record.memory;
    EXPECT_EQ(*memory.plannedBytes, *memory.weightBytes + *memory.activationBytes + *memory.workspaceBytes);
    EXPECT_GT(*memory.weightBytes, record.language->weightBytes);
}

// A step takes exactly as long as reading, so that its share follows from the windows in which the bandwidth changed.
TEST_F(LanguageRecords, OfATokenReferToTheBandwidthDuringTheSteps) {
    ChangingBackend backend;
    const auto spec = caseOf("plain(mode=decode,weights=q4_0,context=50)");
    const Protocol protocol{.timeCap = Seconds(8), .verify = false, .sustained = true};
    auto record = runOn(backend.clock, backend, spec, protocol);
    ASSERT_EQ(record.status, Status::Ok) << record.reason;
    auto& windows = record.visits.front().windows;
    EXPECT_EQ(record.conditions.at("peak_bytes_of"), "reading the weights between windows of steps");
    // All windows count, whatever else this machine did meanwhile.
    for (auto& window : windows)
        for (auto* reading : {&window.before, &window.after})
            *reading = MachineReading{.weightBandwidth = reading->weightBandwidth};
    applyFigure(record, 1, {});
    ASSERT_GT(windows.size(), 15U);
    EXPECT_EQ(backend.readings.size(), windows.size() + 1);
    EXPECT_EQ(windows.front().before.weightBandwidth, backend.readings.front());
    double bytes = 0, seconds = 0;
    std::size_t at = 0;
    for (std::size_t w = 0; w < windows.size(); ++w) {
        EXPECT_EQ(windows[w].after.weightBandwidth, backend.readings[w + 1]);
        for (std::int64_t i = 0; i < windows[w].samples; ++i, ++at) {
            const double sample = record.samplesSeconds[at];
            // Neither the reading nor the step after it is timed.
            EXPECT_LE(sample, ChangingBackend::kStepBytes / ChangingBackend::kSlow * 1.001);
            bytes += sample * (backend.readings[w] + backend.readings[w + 1]) / 2;
            seconds += sample;
        }
    }
    EXPECT_EQ(at, record.samplesSeconds.size());
    const double peak = *record.utilization->peakBytes;
    EXPECT_NEAR(peak, bytes / seconds, 1);
    // Bytes read by all steps over those read in the same time: a single reading would give 75 or 150 %.
    const double share = ChangingBackend::kStepBytes / record.stepSeconds->mean / peak;
    EXPECT_NEAR(share, 1, 0.05);
    EXPECT_EQ(record.conditions.at("read_bandwidth_ratio"), "0.50");
}

TEST_F(LanguageRecords, OfSeveralSequencesReadTheWeightsOnce) {
    auto spec = caseOf("plain(mode=decode,weights=q8_0,context=50)");
    const auto one = run(*m_cpu, spec);
    spec.batch = 5;
    const auto five = run(*m_cpu, spec);
    ASSERT_EQ(five.status, Status::Ok) << five.reason;
    EXPECT_EQ(five.verification.state, VerificationState::Pass);
    EXPECT_NEAR(five.throughput->value * five.stepSeconds->mean, 5, 1e-6);
    EXPECT_EQ(five.language->cacheBytes, 5 * one.language->cacheBytes);
    EXPECT_DOUBLE_EQ(*five.flopsPerStep, 5 * *one.flopsPerStep);
    const double cache = 51.0 * 3 * 2 * 2 * 64 * 2;
    EXPECT_DOUBLE_EQ(*five.bytesPerStep - *one.bytesPerStep, 4 * cache);
    EXPECT_GT(*five.memory.plannedBytes, *one.memory.plannedBytes + 4 * one.language->cacheBytes - 1);
}

TEST_F(LanguageRecords, OfACacheInBlocksCountItsBytes) {
    const auto halves = run(*m_cpu, caseOf("plain(mode=decode,weights=q4_0,context=1000)"));
    const auto blocks = run(*m_cpu, caseOf("plain(mode=decode,weights=q4_0,context=1000,cache=q8_0)"));
    ASSERT_EQ(blocks.status, Status::Ok) << blocks.reason;
    EXPECT_EQ(blocks.verification.state, VerificationState::Pass);
    EXPECT_EQ(blocks.language->cacheBytes * 32, halves.language->cacheBytes * 17);
    EXPECT_DOUBLE_EQ(*halves.bytesPerStep - *blocks.bytesPerStep, 1001 * 3 * 2 * 2 * 64 * (2 - 34.0 / 32));
}

// A token uses 2 of 4 experts: five tokens leave one out with probability 1/32.
TEST_F(LanguageRecords, OfSeveralSequencesReadTheExpertsThatTheyChoose) {
    auto spec = caseOf("shared(mode=decode,weights=f16,context=16)");
    const auto one = run(*m_cpu, spec);
    spec.batch = 5;
    const auto five = run(*m_cpu, spec);
    ASSERT_EQ(five.status, Status::Ok) << five.reason;
    const double cache = 17.0 * 3 * 2 * 2 * 64 * 2;
    const double experts = 3.0 * 2 * (3 * 256 * 256) * 2;  // of a token: layers, experts, weights, bytes
    EXPECT_NEAR(*five.bytesPerStep - *one.bytesPerStep, 4 * cache + experts * (2 * 31.0 / 32 - 1), 1);
}

TEST_F(LanguageRecords, OfSeveralPromptsCountAllTokens) {
    auto spec = caseOf("plain(mode=prefill,weights=q8_0,prompt=40)");
    spec.batch = 4;
    const auto prompts = run(*m_cpu, spec);
    ASSERT_EQ(prompts.status, Status::Ok) << prompts.reason;
    EXPECT_NEAR(prompts.throughput->value * prompts.stepSeconds->mean, 160, 1e-6);
    spec.workload = "plain(mode=generate,weights=q8_0,prompt=20,tokens=12)";
    const auto generated = run(*m_cpu, spec);
    ASSERT_EQ(generated.status, Status::Ok) << generated.reason;
    EXPECT_NEAR(generated.throughput->value * generated.stepSeconds->mean, 48, 1e-6);
    EXPECT_EQ(generated.language->tokenSeconds.size(), 11 * generated.language->firstTokenSeconds.size());
}

TEST_F(LanguageRecords, OfAPromptHasNoShareOfTheBandwidth) {
    const auto record = run(*m_cpu, caseOf("plain(mode=prefill,weights=q8_0,prompt=40)"));
    ASSERT_EQ(record.status, Status::Ok) << record.reason;
    EXPECT_NEAR(record.throughput->value * record.stepSeconds->mean, 40, 1e-6);
    EXPECT_FALSE(record.bytesPerStep);
    EXPECT_FALSE(peakFraction(record));
    EXPECT_EQ(record.language->prompt, 40);
}

TEST_F(LanguageRecords, OfGeneratedTokensHasTheirTimes) {
    auto record = run(*m_cpu, caseOf("plain(mode=generate,weights=f16,prompt=20,tokens=12)"));
    ASSERT_EQ(record.status, Status::Ok) << record.reason;
    const auto steps = record.samplesSeconds.size() * static_cast<std::size_t>(record.stepsPerSample);
    EXPECT_GE(record.language->firstTokenSeconds.size(), steps);  // and steps between windows
    EXPECT_EQ(record.language->tokenSeconds.size(), 11 * record.language->firstTokenSeconds.size());
    const auto times = tokenTimes(*record.language);
    EXPECT_LE(*times.p50Seconds, *times.p99Seconds);
    EXPECT_GT(*times.firstSeconds, 0);
    m_visit = 1;
    auto later = run(*m_cpu, record.spec);
    ASSERT_EQ(later.status, Status::Ok) << later.reason;
    EXPECT_EQ(later.verification.state, VerificationState::NotChecked);
    const auto before = record.language->tokenSeconds.size(), added = later.language->tokenSeconds.size();
    addVisit(record, later);
    EXPECT_EQ(record.language->tokenSeconds.size(), before + added);
    EXPECT_EQ(record.visits.size(), 2U);
}

TEST_F(LanguageRecords, SayWhereAStepGoes) {
    for (const auto* workload :
         {"plain(mode=decode,weights=q8_0,context=50)", "shared(mode=generate,prompt=9,tokens=4)"}) {
        const auto record = run(*m_cpu, caseOf(workload), {.profile = true});
        ASSERT_EQ(record.status, Status::Ok) << record.reason;
        ASSERT_TRUE(record.profile);
        const auto& profile = *record.profile;
        EXPECT_GE(profile.steps, 3);
        std::set<std::string> names;
        for (const auto& operation : profile.operations) names.insert(operation.name);
        EXPECT_TRUE(names.contains("attention") && names.contains("head") && names.contains("down product"));
        EXPECT_EQ(names.contains("choice of experts, gathering, scattering"), workload[0] == 's');
        EXPECT_EQ(names.size(), profile.operations.size());
        EXPECT_GT(profile.sumSeconds(), 0);
        EXPECT_LE(profile.sumSeconds(), profile.stepSeconds * 1.001);
        EXPECT_EQ(sharesByKind(profile).back().what, "between operations");
    }
}

TEST_F(LanguageRecords, OfTheUsersOwnFile) {
    const auto path = std::filesystem::path(STEELYARD_SOURCE_DIR) / "tests/data/decoders/computed/llama_q4_0.gguf";
    const auto record = run(*m_cpu, caseOf(path.string() + "(mode=decode,context=40)"));
    ASSERT_EQ(record.status, Status::Ok) << record.reason;
    EXPECT_EQ(record.verification.state, VerificationState::Pass);
    EXPECT_GT(record.language->weightBytes, 0);
}

TEST_F(LanguageRecords, FailWhereTheDecoderIsWrong) {
    WrongBackend wrong;
    for (const int batch : {1, 3}) {  // the last sequence is the wrong one
        auto spec = caseOf("plain(mode=decode,weights=q8_0)");
        spec.batch = batch;
        const auto record = run(wrong, spec);
        EXPECT_EQ(record.status, Status::Failed);
        EXPECT_EQ(record.verification.state, VerificationState::Fail);
        EXPECT_GT(*record.verification.maxRelativeError, *record.verification.tolerance);
        EXPECT_TRUE(record.samplesSeconds.empty());
    }
}

TEST_F(LanguageRecords, RefuseWhatDoesNotFitBeforeAnythingIsAllocated) {
    m_profile.memory.availableBytes = hardware::known<std::int64_t>(1 << 20, "test");
    WrongBackend counting;
    const auto record = run(counting, caseOf("plain(mode=decode,weights=f32,context=100000)"));
    EXPECT_EQ(record.status, Status::OutOfMemory) << record.reason;
    EXPECT_EQ(counting.made, 0);
    EXPECT_GT(*record.memory.plannedBytes, 1 << 20);
}

TEST_F(LanguageRecords, EndWhenTheRunIsCancelled) {
    m_cancelled = true;
    EXPECT_EQ(run(*m_cpu, caseOf("plain(mode=decode)")).status, Status::Cancelled);
}

TEST_F(LanguageRecords, NameWhatIsNotMeasured) {
    auto trained = caseOf("plain(mode=decode)");
    trained.mode = plan::Mode::Train;
    EXPECT_EQ(run(*m_cpu, trained).status, Status::Unsupported);
    EXPECT_EQ(run(*m_reference, caseOf("plain(mode=decode)")).status, Status::Unsupported);
    EXPECT_EQ(run(*m_cpu, caseOf("unknown(mode=decode)")).status, Status::Unsupported);
    EXPECT_EQ(run(*m_cpu, caseOf("narrow(mode=decode,weights=q8_0)")).status, Status::Ok);
    EXPECT_EQ(run(*m_cpu, caseOf("narrow(mode=decode,weights=q8_0,cache=q8_0)")).status, Status::Unsupported);
    EXPECT_EQ(run(*m_cpu, caseOf("absent(mode=decode)")).status, Status::Failed);
}

TEST(TokenTimes, AreRanksOfAllTokens) {
    LanguageUse use{.task = "generate", .weights = "q4_0", .tokensPerStep = 11, .context = {}, .prompt = {}};
    use.firstTokenSeconds = {3, 1, 2};
    for (int step = 0; step < 10; ++step)
        for (int i = 1; i <= 10; ++i) use.tokenSeconds.push_back(i);
    const auto times = tokenTimes(use);
    EXPECT_EQ(times.firstSeconds, 2);
    EXPECT_EQ(times.p50Seconds, 5);
    EXPECT_EQ(times.p90Seconds, 9);
    EXPECT_EQ(times.p99Seconds, 10);
    EXPECT_EQ(times.growth, 9);  // 9, 10 after 1, 2: the lower of each pair
    EXPECT_EQ(tokenTimes(LanguageUse{.task = "decode", .weights = {}, .context = {}, .prompt = {}}), TokenTimes{});
    CaseRecord record;
    record.spec.batch = 1;
    record.language = use;
    EXPECT_FALSE(joulesPerToken(record));
    record.energyJoulesPerStep = 22;
    EXPECT_EQ(joulesPerToken(record), 2);
}

}  // namespace
}  // namespace steelyard::bench
