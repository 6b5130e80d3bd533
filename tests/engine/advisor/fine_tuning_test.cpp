// SPDX-License-Identifier: Apache-2.0
// Speeds and costs of fine-tuning language models: manually calculated steps, constants compared with the fit, and
// properties of predictions and offers.
#include "engine/advisor/language/fine_tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/core/quantile.h"
#include "tests/engine/advisor/advisor_fixture.h"
#include "tests/performance/fit/training_fit.h"

namespace steelyard::advisor {
namespace {

using testing::HasSubstr;
using Method = FineTuning::Method;

const TrainingParameters& trainingParameters() {
    static const auto loaded = loadTrainingParameters(test::resources()).value();
    return loaded;
}

const std::vector<TrainingRow>& trainingRows() {
    static const auto loaded = loadTrainingRows(test::resources()).value();
    return loaded;
}

const LanguagePrices& languagePrices() {
    static const auto loaded = loadLanguagePrices(test::resources()).value();
    return loaded;
}

TuningJob tuningJob(const char* model, Method method, double tokens = 2048) {
    static const auto table = model::loadDecoderTable(test::resources()).value();
    TuningJob job;
    job.model = model::resolveDecoder(table, model).value();
    job.tuning.method = method;
    job.tuning.tokens = tokens;
    return job;
}

TuningPrediction tunedOn(const TuningJob& job, const char* device, const char* software = "", double count = 1) {
    return predictTuning(job, test::shippedCatalog(), trainingParameters(),
                         {.software = software, .only = {device}, .own = {}, .count = count})
        .value()
        .front();
}

// Round constants, so that a step can be calculated by hand.
TrainingParameters roundConstants() {
    TrainingParameters p;
    p.referenceFlops = p.lowestFlops = p.highestFlops = 1e14;
    p.attentionShare = 0.25;
    p.highestShare = 1;
    p.nf4Bytes = 10;
    p.groupsBytes = 20;
    p.optimizerBytes = 28;
    return p;
}

TEST(TrainingSpeed, StepsAreThoseComputedByHand) {
    const auto p = roundConstants();
    const TrainingStack half{.id = "half", .title = {}, .makers = {}, .seenOn = {}, .share = 0.5};
    const TrainingDevice device{.flops = 1e14, .bytesPerSecond = 1e12, .maker = {}};
    // Llama 3.1 8B: 8,030,261,248 parameters, 525,336,576 of them in the input embedding and as many in the head.
    const double behindEmbedding = 7'504'924'672;
    const auto lora = trainingWork(tuningJob("llama_3_1_8b", Method::Lora));
    EXPECT_NEAR(lora.weights, behindEmbedding, 3e5) << "but for the norms";
    // Forward, again, and back through the weights: 6 FLOPs a weight and token. Attention 4 x 32 x 4096 x 2048 x 1024
    // forward, again, and twice back.
    EXPECT_NEAR(lora.productFlops(), 6 * lora.weights * 2048, 1);
    EXPECT_NEAR(lora.attentionFlops(), 4.398046511e12, 1e4);
    const auto parts = trainingParts(p, half, device, lora);
    EXPECT_NEAR(parts.products, 1.84438, 1e-4);
    EXPECT_NEAR(parts.attention, 0.175922, 1e-6);
    EXPECT_NEAR(parts.optimizer, 0.001174, 1e-6) << "41,943,040 trained weights";
    EXPECT_NEAR(parts.seconds, 2.02147, 1e-4);
    EXPECT_NEAR(2048 / parts.seconds, 1013.1, 0.1);
    // nf4 adds three passes over the 6,979,584,000 weights of the layers, of 10 bytes each.
    const auto qlora = trainingParts(p, half, device, trainingWork(tuningJob("llama_3_1_8b", Method::Qlora)));
    EXPECT_NEAR(qlora.unpack, 0.209396, 1e-4);
    EXPECT_NEAR(qlora.seconds - parts.seconds, qlora.unpack, 1e-9);
    // All weights: 8 FLOPs, and 28 bytes of each in an update.
    const auto full = trainingParts(p, half, device, trainingWork(tuningJob("llama_3_1_8b", Method::Full)));
    EXPECT_NEAR(full.products / parts.products, 8.0 / 6, 1e-9);
    EXPECT_NEAR(full.optimizer, 0.224847, 1e-6);
    // Without checkpointing 4 and 6.
    auto stored = tuningJob("llama_3_1_8b", Method::Lora);
    stored.tuning.checkpointing = false;
    EXPECT_NEAR(trainingWork(stored).productFlops(), 4 * lora.weights * 2048, 1);
    stored.tuning.method = Method::Full;
    EXPECT_NEAR(trainingWork(stored).productFlops(), 6 * lora.weights * 2048, 1);
    // If the host launches one operation at a time: 32 layers, three passes, 1 ms each, by the 4-norm.
    auto slow = half;
    slow.layerMicroseconds = 1000;
    EXPECT_NEAR(trainingParts(p, slow, device, lora).launch, 0.096, 1e-9);
    const double norm = std::pow(std::pow(2.02030, 4) + std::pow(0.096, 4), 0.25) + 0.001174;
    EXPECT_NEAR(trainingParts(p, slow, device, lora).seconds, norm, 1e-4);
    // Never above the peak.
    auto magic = half;
    magic.share = 5;
    auto free = p;
    free.attentionShare = 5;
    free.highestShare = 9;
    const auto bound = trainingParts(free, magic, device, lora);
    EXPECT_EQ(bound.seconds, bound.bound);
    EXPECT_NEAR(bound.bound, (lora.productFlops() + lora.attentionFlops()) / 1e14, 1e-9);
}

TEST(TrainingSpeed, TiedHeadsWindowsExpertsAndLatentAttentionCountAsTheyAre) {
    // The embedding of a tied model is its head.
    EXPECT_NEAR(trainingWork(tuningJob("llama_3_2_1b", Method::Lora)).weights, 1.2358e9, 1e6);
    // Mistral's first version looks back 4,096 tokens: beyond twice that, attention no longer grows with the sequence.
    auto windowed = tuningJob("mistral_7b_v0_1", Method::Lora, 32768);
    windowed.tuning.sequence = 32768;
    EXPECT_EQ(trainingWork(windowed).sequence, 8192);
    // A token passes through 8 of 128 experts; all of them are unpacked.
    const auto sparse = trainingWork(tuningJob("qwen3_30b_a3b", Method::Qlora));
    EXPECT_NEAR(sparse.weights, 3.353e9 - 0.311e9, 1e6) << "active ones without the input embedding";
    EXPECT_GT(sparse.storedWeights, 29e9);
    EXPECT_TRUE(sparse.hasExperts);
    // DeepSeek V3: 128 heads of 128 + 64 for keys and 128 for values.
    EXPECT_EQ(trainingWork(tuningJob("deepseek_v3", Method::Lora)).attentionWidth, 128 * 160);
}

TEST(TrainingSpeed, StoredConstantsAreThoseOfTheFit) {
    ASSERT_EQ(trainingRows().size(), 206U);
    const auto ratios = fit::trainingRatios(trainingRows());
    const auto fitted = fit::shippedTraining(trainingRows(), ratios, trainingParameters().date);
    EXPECT_EQ(fitted.source, trainingParameters().source);
    const auto near = [](double stored, double found, const std::string& name) {
        EXPECT_NEAR(stored / found, 1, 1e-3) << name << " was stored by: fit_training RESOURCES DATE";
    };
    near(trainingParameters().rateExponent, fitted.rateExponent, "rate_exponent");
    near(trainingParameters().widthExponent, fitted.widthExponent, "width_exponent");
    near(trainingParameters().attentionShare, fitted.attentionShare, "attention_share");
    near(trainingParameters().highestShare, fitted.highestShare, "highest_share");
    near(trainingParameters().nf4Bytes, fitted.nf4Bytes, "nf4_bytes");
    near(trainingParameters().groupsBytes, fitted.groupsBytes, "groups_bytes");
    near(trainingParameters().optimizerBytes, fitted.optimizerBytes, "optimizer_bytes");
    near(trainingParameters().expertsShare, fitted.expertsShare, "experts_share");
    ASSERT_EQ(trainingParameters().stacks.size(), fitted.stacks.size());
    for (std::size_t i = 0; i < fitted.stacks.size(); ++i) {
        const auto& stored = trainingParameters().stacks[i];
        EXPECT_EQ(stored.id, fitted.stacks[i].id);
        EXPECT_EQ(stored.devicesSeen, fitted.stacks[i].devicesSeen);
        near(stored.share, fitted.stacks[i].share, stored.id);
        if (stored.layerMicroseconds > 0) near(stored.layerMicroseconds, fitted.stacks[i].layerMicroseconds, stored.id);
    }
    ASSERT_EQ(trainingParameters().bands.size(), fitted.bands.size());
    for (const auto& [name, band] : fitted.bands) {
        near(trainingParameters().bands.at(name).low, band.low, name);
        near(trainingParameters().bands.at(name).high, band.high, name);
    }
    // The errors stated in docs/accuracy.md.
    const auto errorsOf = [](const std::vector<double>& list) {
        std::vector<double> errors;
        for (const double ratio : list) errors.push_back(std::abs(1 / ratio - 1));
        return errors;
    };
    EXPECT_LE(quantile(errorsOf(ratios.fitted), 0.5), 0.08);
    EXPECT_LE(quantile(errorsOf(ratios.deviceLeftOut), 0.5), 0.13);
    EXPECT_LE(quantile(errorsOf(ratios.stackLeftOut), 0.5), 0.32);
    const auto covered = [](const std::vector<double>& list, const Band& band) {
        double inside = 0;
        for (const double ratio : list)
            if (ratio >= band.low && ratio <= band.high) ++inside;
        return inside / static_cast<double>(list.size());
    };
    for (const auto& [list, name] :
         {std::pair{&ratios.deviceLeftOut, "training"}, std::pair{&ratios.stackLeftOut, "stack_unknown"}}) {
        EXPECT_GE(covered(*list, trainingParameters().bands.at(name)), 0.75) << name;
        EXPECT_LE(covered(*list, trainingParameters().bands.at(name)), 0.87) << name;
    }
}

TEST(TrainingSpeed, NoPublishedRowIsAboveThePeak) {
    for (const auto& row : trainingRows()) {
        const double flops = row.work.productFlops() + row.work.attentionFlops();
        EXPECT_LT(row.measured / row.work.stepTokens * flops, row.device.flops) << row.deviceName << " " << row.model;
    }
}

TEST(TrainingSpeed, DescribesCataloguedDevicesAsTheRowsDo) {
    for (const auto& row : trainingRows()) {
        const auto* spec = test::shippedCatalog().findHardware(row.deviceName);
        ASSERT_NE(spec, nullptr) << row.deviceName;
        auto refusal = LanguageRefusal::None;
        const auto device = trainingDevice(languageTarget(*spec, refusal).value());
        EXPECT_NEAR(device.flops / row.device.flops, 1, 0.01) << row.deviceName;
        EXPECT_NEAR(device.bytesPerSecond / row.device.bytesPerSecond, 1, 0.01) << row.deviceName;
        EXPECT_EQ(device.maker, row.device.maker) << row.deviceName;
    }
}

TEST(FineTuning, PredictsEveryDeviceOrSaysWhyNot) {
    for (const auto method : {Method::Full, Method::Lora, Method::Qlora}) {
        const auto predictions =
            predictTuning(tuningJob("llama_3_1_8b", method), test::shippedCatalog(), trainingParameters(), {}).value();
        ASSERT_EQ(predictions.size(), test::shippedCatalog().hardware.size());
        std::size_t predicted = 0;
        for (const auto& p : predictions) {
            EXPECT_GT(p.memory.total(), 0) << p.id;
            if (!p.hasSpeed()) {
                EXPECT_FALSE(englishText(p.refusal).empty()) << p.id;
                continue;
            }
            ++predicted;
            EXPECT_GT(p.tokensPerSecond.low, 0) << p.id;
            EXPECT_LE(p.tokensPerSecond.low, p.tokensPerSecond.median) << p.id;
            EXPECT_LE(p.tokensPerSecond.median, p.tokensPerSecond.high) << p.id;
            EXPECT_LE(p.tokensPerSecond.high, p.boundTokensPerSecond * 1.0001) << p.id;
        }
        EXPECT_GE(predicted, 160U);
    }
}

TEST(FineTuning, SaysWhatFitsAndHowSure) {
    EXPECT_EQ(tunedOn(tuningJob("llama_3_1_8b", Method::Qlora), "rtx4090").fits, Fits::Yes);
    EXPECT_EQ(tunedOn(tuningJob("llama_3_1_8b", Method::Full), "rtx4090").fits, Fits::No);
    // Sixteen bytes of 8 billion weights are 128 GB: on two cards of 80 GB they are divided, on one they do not fit.
    EXPECT_EQ(tunedOn(tuningJob("llama_3_1_8b", Method::Full), "a100_sxm_80").fits, Fits::No);
    const auto pair = tunedOn(tuningJob("llama_3_1_8b", Method::Full), "a100_sxm_80", "", 2);
    const auto one = tunedOn(tuningJob("llama_3_1_8b", Method::Full), "a100_sxm_80");
    EXPECT_EQ(pair.fits, Fits::Yes);
    EXPECT_NEAR(pair.memory.optimiser, one.memory.optimiser / 2, 1);
    EXPECT_EQ(pair.memory.activations, one.memory.activations);
    EXPECT_NEAR(pair.tokensPerSecond.median, 2 * one.tokensPerSecond.median, 1e-6);
    const auto tuned = tunedOn(tuningJob("llama_3_1_8b", Method::Lora), "rtx4090", "torchtune");
    EXPECT_FALSE(tuned.lowConfidence);
    EXPECT_EQ(tuned.band, "training");
    EXPECT_TRUE(tunedOn(tuningJob("llama_3_1_8b", Method::Lora), "mi300x", "torchtune").lowConfidence)
        << "no row of this maker";
    EXPECT_EQ(tunedOn(tuningJob("qwen3_30b_a3b", Method::Lora), "h200_sxm").band, "experts");
    EXPECT_EQ(tunedOn(tuningJob("llama_3_1_8b", Method::Lora), "apple_m2ultra76").software, "mlx");
    EXPECT_EQ(tunedOn(tuningJob("llama_3_1_8b", Method::Lora), "apple_m2ultra76", "unsloth").refusal,
              LanguageRefusal::StackNotForDevice);
    EXPECT_FALSE(tunedOn(tuningJob("llama_3_1_8b", Method::Lora), "tpu_v5e").hasSpeed());
    const auto unknown = predictTuning(tuningJob("llama_3_1_8b", Method::Lora), test::shippedCatalog(),
                                       trainingParameters(), {.software = "unslot", .only = {}, .own = {}});
    ASSERT_FALSE(unknown);
    EXPECT_THAT(describe(unknown.error()), HasSubstr("unsloth"));
}

TEST(FineTuning, RanksOffersByWhatIsPaidForThisJob) {
    TuningOfferRequest request;
    request.job = tuningJob("llama_3_1_8b", Method::Qlora);
    request.tokens = 2e7;
    request.today = "2026-11-25";
    const auto advice = adviseTuning(request, test::shippedCatalog(), trainingParameters(), languagePrices()).value();
    std::set<OfferKind> kinds;
    double before = 0;
    bool possible = true;
    for (const auto& offer : advice.offers) {
        EXPECT_TRUE(possible || !offer.possible()) << "possible ones first";
        possible = offer.possible();
        if (!possible) continue;
        kinds.insert(offer.kind);
        EXPECT_GE(offer.paidUsd, before);
        before = offer.paidUsd;
        EXPECT_NEAR(offer.hours.median, 2e7 / offer.tokensPerSecond.median / 3600, 1e-9) << offer.id;
        EXPECT_NEAR(offer.hours.low, 2e7 / offer.tokensPerSecond.high / 3600, 1e-9) << offer.id;
        EXPECT_NEAR(offer.usdPerMillion, offer.usd.median / 20, 1e-12) << offer.id;
        if (offer.kind == OfferKind::Rent) {
            EXPECT_NEAR(offer.usd.median, offer.hours.median * offer.priceUsd, 1e-9) << offer.id;
            EXPECT_EQ(offer.paidUsd, offer.usd.median) << offer.id;
        } else {
            // Three years of half the hours: 13,140 h.
            const double hour = offer.priceUsd / 13140 + offer.watts / 1000 * 0.12;
            EXPECT_NEAR(offer.usd.median, offer.hours.median * hour, 1e-9) << offer.id;
            EXPECT_NEAR(offer.paidUsd, offer.priceUsd + offer.hours.median * offer.watts / 1000 * 0.12, 1e-9);
        }
    }
    EXPECT_EQ(kinds, (std::set{OfferKind::Rent, OfferKind::Buy}));
    EXPECT_FALSE(advice.fastest.empty());
    ASSERT_TRUE(advice.jobsUntilPurchasePays);
    EXPECT_GT(*advice.jobsUntilPurchasePays, 1);
    EXPECT_EQ(advice.offers.front().kind, OfferKind::Rent) << "a job of hours does not pay for a purchase";

    // Limits refuse, with the amount.
    request.deadlineHours = 1;
    request.budgetUsd = 3;
    const auto limited = adviseTuning(request, test::shippedCatalog(), trainingParameters(), languagePrices()).value();
    bool late = false;
    for (const auto& offer : limited.offers) {
        if (offer.possible()) {
            EXPECT_LE(offer.hours.median, 1) << offer.id;
            EXPECT_LE(offer.paidUsd, 3) << offer.id;
        }
        for (const auto& why : offer.rejectedBecause)
            late |= why.text.find("more than the 1 h 00 min allowed") != std::string::npos;
    }
    EXPECT_TRUE(late);
    request.tokens = 0;
    EXPECT_FALSE(adviseTuning(request, test::shippedCatalog(), trainingParameters(), languagePrices()));
}

TEST(TrainingSpeed, RefusesFilesThatAreNotItsOwn) {
    for (const auto* text : {"{}", "[]", R"({"format":"steelyard-training-predictor","version":1})", "{\"format\":1}"})
        EXPECT_FALSE(trainingParametersFromJson("file", text)) << text;
    auto broken = toJson(trainingParameters());
    EXPECT_TRUE(trainingParametersFromJson("file", broken));
    broken.replace(broken.find("rate_exponent"), 13, "rate_esponent");
    EXPECT_FALSE(trainingParametersFromJson("file", broken));
    EXPECT_FALSE(trainingRowsFromCsv("rows.csv", "device,maker\nrtx4090,nvidia\n"));
}

}  // namespace
}  // namespace steelyard::advisor
