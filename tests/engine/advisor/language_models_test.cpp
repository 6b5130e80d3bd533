// SPDX-License-Identifier: Apache-2.0
// Speeds and memory of language models: the port compared with the original model, the published errors, and properties
// of predictions on every device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "engine/advisor/language/language_json.h"
#include "engine/advisor/language/language_offers.h"
#include "engine/advisor/usual_job.h"
#include "engine/core/file_io.h"
#include "tests/engine/advisor/advisor_fixture.h"

namespace steelyard::advisor {
namespace {

using testing::HasSubstr;

const std::vector<LanguageRow>& publishedRows() {
    static const auto loaded = loadLanguageRows(test::resources()).value();
    return loaded;
}

LanguageJob languageJobOf(const char* model, const char* weights, double context = 4096) {
    LanguageJob job;
    job.model = model::resolveDecoder(test::shippedDecoders(), model).value();
    job.weights = weightsOfJob(job.model, weights).value();
    job.context = context;
    return job;
}

LanguagePrediction only(const LanguageJob& job, const char* device, const char* software = "") {
    return predictLanguage(job, test::shippedCatalog(), test::shippedLanguageParameters(),
                           {.software = software, .only = {device}})
        .value()
        .front();
}

// With the constants of the first fit, whose predictions are in the rows.
TEST(LanguageSpeed, FormulasAreThoseOfTheFirstModelOnEveryPublishedRow) {
    const auto file = std::string(STEELYARD_TEST_DATA) + "/language_predictor_golden.json";
    const auto golden = languageParametersFromJson(file, readFile(file, 1 << 20).value()).value();
    EXPECT_EQ(publishedRows().size(), 1310U);
    for (std::size_t i = 0; i < publishedRows().size(); ++i) {
        const auto& row = publishedRows()[i];
        ASSERT_NE(golden.findStack(row.stack), nullptr) << row.stack;
        EXPECT_NEAR(predictedTokensPerSecond(golden, row) / row.fitted, 1, 1e-4)
            << "row " << i << ": " << row.deviceName << " " << row.stack << " " << row.model << " " << row.weights;
    }
}

TEST(LanguageSpeed, TheShippedConstantsPredictWithinOnePercentOfTheFirstFit) {
    for (const auto& row : publishedRows()) {
        ASSERT_NE(test::shippedLanguageParameters().findStack(row.stack), nullptr) << row.stack;
        EXPECT_NEAR(predictedTokensPerSecond(test::shippedLanguageParameters(), row) / row.fitted, 1, 0.01)
            << row.deviceName << " " << row.stack << " " << row.model << " " << row.weights;
    }
}

TEST(LanguageSpeed, ErrorsAreThoseThatArePublished) {
    const auto report = languageBacktest(test::shippedLanguageParameters(), publishedRows());
    const auto find = [&](std::string_view name) {
        for (const auto& summary : report.classes)
            if (summary.name == name) return summary;
        throw std::invalid_argument(std::string(name));
    };
    struct Target {
        const char* name;
        double median, p90;
    };
    for (const auto& [name, median, p90] : {
             Target{"decode_fitted", 0.075, 0.24},
             Target{"prefill_fitted", 0.125, 0.41},
             Target{"decode_device_left_out", 0.11, 0.31},
             Target{"prefill_device_left_out", 0.18, 0.64},
             Target{"prefill_device_left_out_gpu", 0.15, 0.46},
         }) {
        const auto summary = find(name);
        EXPECT_LE(summary.median, median) << name;
        EXPECT_LE(summary.p90, p90) << name;
        EXPECT_GT(summary.rows, 300U) << name;
    }
    // Four of five rows are in the shipped bands, although their device was left out of the fit.
    for (const char* name : {"decode_device_left_out", "prefill_device_left_out"}) {
        EXPECT_GE(find(name).coverageUnseen.value(), 0.75) << name;
        EXPECT_LE(find(name).coverageUnseen.value(), 0.87) << name;
    }
    EXPECT_GT(report.rankedPairs, 500U);
    EXPECT_GE(static_cast<double>(report.rankedRight), 0.95 * static_cast<double>(report.rankedPairs));
    EXPECT_EQ(report.predictedAboveRoof, 0U);
}

TEST(LanguageSpeed, DescribesCataloguedDevicesAsTheRowsDo) {
    // The same device by its specification and by the published rows.
    for (const auto& [id, name] :
         {std::pair{"rtx3090", "rtx3090"}, std::pair{"a100_sxm_80", "a100_sxm_80"}, std::pair{"p40", "Tesla P40"},
          std::pair{"gb10", "NVIDIA GB10 (DGX Spark)"}, std::pair{"p100_pcie16", "p100_pcie16"},
          std::pair{"rtx2080ti", "rtx2080ti"}, std::pair{"arc_b580", "Arc B580"}, std::pair{"xeon_8480p", "xeon_8480p"},
          std::pair{"ryzen_5950x", "ryzen_5950x"},
          std::pair{"apple_m3ultra80", "Apple M3 Ultra 80-core GPU (512GB)"}}) {
        auto refusal = LanguageRefusal::None;
        const auto* spec = test::shippedCatalog().findHardware(id);
        ASSERT_NE(spec, nullptr) << id;
        const auto target = languageTarget(*spec, refusal);
        ASSERT_TRUE(target) << id;
        const auto row = std::ranges::find(publishedRows(), std::string(name), &LanguageRow::deviceName);
        ASSERT_NE(row, publishedRows().end()) << name;
        const auto& a = target->device;
        const auto& b = row->device;
        EXPECT_EQ(a.deviceClass, b.deviceClass) << id;
        EXPECT_NEAR(a.bytesPerSecond / b.bytesPerSecond, 1, 0.01) << id;
        EXPECT_NEAR(a.fp32Flops / b.fp32Flops, 1, 0.01) << id;
        EXPECT_NEAR(a.matrixFlops / b.matrixFlops, 1, 0.01) << id;
        EXPECT_EQ(a.halfLanes, b.halfLanes) << id;
        EXPECT_EQ(a.oldChip, b.oldChip) << id;
        EXPECT_EQ(a.noDot4, b.noDot4) << id;
        EXPECT_EQ(a.appleM3, b.appleM3) << id;
        EXPECT_EQ(a.noPowerCap, b.noPowerCap) << id;
    }
}

TEST(LanguageModel, PredictsEveryDeviceThatHasMemoryOrSaysWhyNot) {
    for (const auto mode : {LanguageMode::Decode, LanguageMode::Prefill}) {
        auto job = languageJobOf("llama_3_1_8b", "q4_k_m");
        job.mode = mode;
        const auto predictions =
            predictLanguage(job, test::shippedCatalog(), test::shippedLanguageParameters(), {}).value();
        ASSERT_EQ(predictions.size(), test::shippedCatalog().hardware.size());
        std::size_t predicted = 0;
        for (const auto& p : predictions) {
            const auto* spec = test::shippedCatalog().findHardware(p.id);
            if (spec->memoryBytes) {
                EXPECT_NE(p.fits, Fits::Unknown) << p.id;
            }
            EXPECT_GT(p.memory.total(), 4.5e9) << p.id;
            if (!p.hasSpeed()) {
                EXPECT_FALSE(englishText(p.refusal).empty()) << p.id;
                EXPECT_EQ(p.tokensPerSecond.median, 0) << p.id;
                continue;
            }
            ++predicted;
            EXPECT_LE(p.tokensPerSecond.low, p.tokensPerSecond.median) << p.id;
            EXPECT_LE(p.tokensPerSecond.median, p.tokensPerSecond.high) << p.id;
            EXPECT_LE(p.tokensPerSecond.high, p.boundTokensPerSecond * 1.0001) << p.id;
            EXPECT_GT(p.tokensPerSecond.low, 0) << p.id;
        }
        EXPECT_GE(predicted, 160U);
    }
}

TEST(LanguageModel, SpeedFollowsBytesContextAndBatch) {
    const auto small = only(languageJobOf("llama_3_1_8b", "q4_k_m"), "rtx3090");
    const auto large = only(languageJobOf("llama_3_1_8b", "q8_0"), "rtx3090");
    EXPECT_GT(small.tokensPerSecond.median, large.tokensPerSecond.median);
    const auto longer = only(languageJobOf("llama_3_1_8b", "q4_k_m", 65536), "rtx3090");
    EXPECT_LT(longer.tokensPerSecond.median, small.tokensPerSecond.median);
    auto job = languageJobOf("llama_3_1_8b", "q4_k_m");
    job.batch = 16;
    const auto batched = only(job, "rtx3090");
    EXPECT_GT(batched.tokensPerSecond.median, 3 * small.tokensPerSecond.median);
    EXPECT_LT(batched.tokensPerSecond.median, 16 * small.tokensPerSecond.median);
    EXPECT_TRUE(batched.lowConfidence);
}

TEST(LanguageModel, SaysWhatFits) {
    const auto job = languageJobOf("llama_3_1_70b", "q4_k_m", 8192);
    EXPECT_EQ(only(job, "rtx3090").fits, Fits::No);
    EXPECT_EQ(only(job, "rtx3090").largestContext, 0);
    const auto part = only(job, "rtx3090").layersOnDevice.value();
    EXPECT_GT(part, 35);
    EXPECT_LT(part, 50);
    EXPECT_EQ(only(job, "a100_sxm_80").fits, Fits::Yes);
    EXPECT_EQ(only(job, "a100_sxm_80").layersOnDevice, 80);
    // Split over two cards as a pipeline, without a speed-up.
    const auto pair = predictLanguage(job, test::shippedCatalog(), test::shippedLanguageParameters(),
                                      {.only = {"rtx3090"}, .count = 2})
                          .value();
    EXPECT_EQ(pair.front().fits, Fits::Yes);
    EXPECT_EQ(pair.front().tokensPerSecond, only(job, "rtx3090").tokensPerSecond);
    // The largest context fits, and one token more does not.
    const auto eight = languageJobOf("llama_3_1_8b", "q4_k_m");
    const auto largest = only(eight, "rtx3090").largestContext.value();
    EXPECT_EQ(only(languageJobOf("llama_3_1_8b", "q4_k_m", largest), "rtx3090").fits, Fits::Yes);
    EXPECT_EQ(only(languageJobOf("llama_3_1_8b", "q4_k_m", largest + 1), "rtx3090").fits, Fits::No);
    // llama.cpp's log lines: compute buffers of 258.5 and 70.5 MiB.
    EXPECT_EQ(languageMemory(eight, true).working, 258.5 * 1048576);
    EXPECT_EQ(languageMemory(languageJobOf("llama_2_7b", "q4_0"), true).working, 70.5 * 1048576);
}

// No row of latent attention was fitted: this one was published for DeepSeek R1 in Q4_K_M, without its context.
TEST(LanguageModel, LatentAttentionIsPredictedWithinTheBandOfWhatIsUnknown) {
    const auto job = languageJobOf("deepseek_v3", "q4_k_m", 512);
    const double measured = 19.89;
    const auto p = only(job, "apple_m3ultra80");
    EXPECT_TRUE(p.hasSpeed());
    EXPECT_EQ(p.band, "stack_unknown");
    EXPECT_TRUE(p.lowConfidence);
    EXPECT_GE(measured, p.tokensPerSecond.low);
    EXPECT_LE(measured, p.tokensPerSecond.high);
    EXPECT_LE(measured, p.boundTokensPerSecond);
    // 61 layers keep 512 + 64 elements of two bytes a token; 16,384 tokens more are read in each step.
    const auto work = languageWork(job, test::shippedLanguageParameters());
    EXPECT_EQ(work.cacheBytesPerToken, 61 * 576 * 2);
    EXPECT_EQ(work.headDimension, 160) << "128 + 64 for keys, 128 for values";
    auto prefill = job;
    prefill.mode = LanguageMode::Prefill;
    EXPECT_TRUE(only(prefill, "b200_sxm").hasSpeed());
}

TEST(LanguageModel, RefusesSoftwareOnCardsThatAreTooOldForIt) {
    const auto job = languageJobOf("llama_3_1_8b", "f16");
    for (const auto& [device, software, isTooOld] : {std::tuple{"m40", "exllamav2", true},
                                                     {"gtx1080ti", "exllamav2", false},
                                                     {"gtx1080ti", "vllm", true},
                                                     {"v100_sxm2_32", "vllm", true},
                                                     {"titanrtx", "vllm", false},
                                                     {"titanrtx", "tensorrt_llm", true},
                                                     {"rtx3090", "tensorrt_llm", false},
                                                     {"gtx1080ti", "llamacpp_cuda", false},
                                                     {"mi300x", "vllm", false}}) {
        const auto prediction = only(job, device, software);
        EXPECT_EQ(prediction.refusal, isTooOld ? LanguageRefusal::CardTooOld : LanguageRefusal::None)
            << software << " on " << device;
        EXPECT_EQ(prediction.software, software);
    }
    EXPECT_THAT(englishText(LanguageRefusal::CardTooOld), ::testing::HasSubstr("newer card"));
    for (const auto& stack : test::shippedLanguageParameters().stacks)
        if (stack.leastCapability) {
            EXPECT_TRUE(stack.capabilitySource.starts_with("https://")) << stack.id;
            EXPECT_FALSE(stack.capabilityDate.empty()) << stack.id;
        }
    // Advice chooses other software for such a card.
    auto request = usualServing(ServingKind::Serve);
    request.job = languageJobOf("llama_3_1_8b", "gptq4");
    auto refusal = LanguageRefusal::None;
    for (const auto& spec : test::shippedCatalog().hardware)
        if (const auto target = languageTarget(spec, refusal)) {
            EXPECT_FALSE(servingStack(request, *target, test::shippedLanguageParameters()).isTooOld(target->device))
                << spec.id;
        }
}

TEST(LanguageModel, RefusesInASentence) {
    const auto job = languageJobOf("llama_3_1_8b", "q4_k_m");
    EXPECT_EQ(only(job, "apple_m4max32", "llamacpp_cuda").refusal, LanguageRefusal::StackNotForDevice);
    EXPECT_EQ(only(job, "rtx3090", "steelyard").refusal, LanguageRefusal::ThisEngine);
    EXPECT_EQ(only(job, "tpu_v5e").refusal, LanguageRefusal::NotAModelledDevice);
    auto prefill = job;
    prefill.mode = LanguageMode::Prefill;
    EXPECT_EQ(only(prefill, "a100_sxm_80", "vllm").refusal, LanguageRefusal::NoPrefillRows);
    const auto unknown =
        predictLanguage(job, test::shippedCatalog(), test::shippedLanguageParameters(), {.software = "llamacpp_cud"});
    ASSERT_FALSE(unknown);
    EXPECT_THAT(describe(unknown.error()), HasSubstr("llamacpp_cuda"));
    const auto device =
        predictLanguage(job, test::shippedCatalog(), test::shippedLanguageParameters(), {.only = {"rtx3091"}});
    ASSERT_FALSE(device);
    EXPECT_THAT(describe(device.error()), HasSubstr("did you mean rtx309"));
    EXPECT_FALSE(weightsOfJob(job.model, "q4_k_x").has_value());
}

TEST(LanguageModel, UnknownSoftwareHasTheWidestBand) {
    const auto job = languageJobOf("llama_3_1_8b", "awq4");
    const auto known = only(job, "rtx4090", "exllamav2");
    const auto unknown = only(job, "rtx4090", "tensorrt_llm");
    EXPECT_EQ(unknown.band, "stack_unknown");
    EXPECT_TRUE(unknown.lowConfidence);
    EXPECT_LT(unknown.tokensPerSecond.low / unknown.tokensPerSecond.median,
              known.tokensPerSecond.low / known.tokensPerSecond.median);
}

TEST(LanguageModel, FineTuningNeedsMemoryAsPublished) {
    const auto& big = *test::shippedDecoders().find("llama_3_3_70b");
    FineTuning tuning{.method = FineTuning::Method::Qlora, .rank = 32, .tokens = 1};
    // Unsloth: 43 GB at the start of QLoRA of rank 32.
    EXPECT_NEAR(fineTuningMemory(big, tuning).total() / 43e9, 1, 0.1);
    // 7B in bf16 is 13.5 GB; full fine-tuning with Adam 16 bytes a parameter.
    const auto& seven = *test::shippedDecoders().find("llama_2_7b");
    EXPECT_NEAR(fineTuningMemory(seven, {.method = FineTuning::Method::Lora, .rank = 8}).base, 13.48e9, 0.01e9);
    EXPECT_EQ(fineTuningMemory(seven, {.method = FineTuning::Method::Full}).optimiser,
              16 * model::parametersOf(seven).total);
    tuning.tokens = 4096;
    auto without = tuning;
    without.checkpointing = false;
    EXPECT_GT(fineTuningMemory(big, without).activations, 5 * fineTuningMemory(big, tuning).activations);
}

const LanguagePrices& shippedPrices() {
    static const auto loaded = loadLanguagePrices(test::resources()).value();
    return loaded;
}

ServingRequest serving(double tokensPerMonth) {
    ServingRequest request;
    request.job = languageJobOf("llama_3_1_8b", "q4_k_m");
    request.tokensPerMonth = tokensPerMonth;
    request.today = "2026-11-25";
    return request;
}

ServingAdvice served(const ServingRequest& request) {
    return adviseServing(request, test::shippedCatalog(), test::shippedLanguageParameters(), shippedPrices()).value();
}

TEST(LanguageOffers, RanksRentedBoughtAndApisByTheMonth) {
    const auto advice = served(serving(1e8));
    std::set<OfferKind> kinds;
    bool rejected = false;
    double last = 0;
    for (const auto& offer : advice.offers) {
        if (!offer.possible()) {
            rejected = true;
            continue;
        }
        EXPECT_FALSE(rejected) << "possible ones come first";
        EXPECT_GE(offer.usdPerMonth.median, last) << offer.id;
        last = offer.usdPerMonth.median;
        kinds.insert(offer.kind);
        EXPECT_FALSE(offer.reasons.empty()) << offer.id;
        EXPECT_FALSE(offer.priceDate.empty()) << offer.id;
        EXPECT_FALSE(offer.priceSource.empty()) << offer.id;
        if (offer.kind == OfferKind::Api) continue;
        EXPECT_LE(offer.usdPerMonth.low, offer.usdPerMonth.median) << offer.id;
        EXPECT_LE(offer.usdPerMonth.median, offer.usdPerMonth.high) << offer.id;
        EXPECT_GE(offer.userTokensPerSecond, 20) << offer.id;
        EXPECT_GE(offer.users.value(), 1) << offer.id;
        // As many machines as the tokens need, and not one more.
        EXPECT_GE(offer.machines * offer.tokensPerMonth.median, 1e8) << offer.id;
        if (offer.machines > 1) {
            EXPECT_LT((offer.machines - 1) * offer.tokensPerMonth.median, 1e8) << offer.id;
        }
    }
    EXPECT_EQ(kinds.size(), 3U);
}

TEST(LanguageOffers, EachDeviceRunsTheFastestPublishedSoftware) {
    const auto chosen = [](const char* weights) {
        auto request = serving(1e8);
        request.job = languageJobOf("llama_3_1_8b", weights);
        std::map<std::string, std::string> software;
        for (const auto& offer : served(request).offers) {
            software[offer.hardware] = offer.software;
            if (!offer.possible() || offer.kind == OfferKind::Api) continue;
            const auto* stack = test::shippedLanguageParameters().findStack(offer.software);
            EXPECT_NE(stack, nullptr) << offer.id;
            const auto says = [&](std::string_view id) {
                return std::ranges::any_of(offer.reasons, [&](const Message& reason) {
                    return reason.id == id && reason.text.find(stack->title) != std::string::npos;
                });
            };
            const bool loads = stack->loads(*request.job.weights);
            EXPECT_NE(loads, says("advisor.offer_other_format")) << offer.id;
            if (loads) {
                EXPECT_GT(stack->devicesSeen, 0) << offer.id;
                EXPECT_TRUE(says("advisor.offer_software")) << offer.id;
            } else {
                EXPECT_THAT(offer.software, testing::StartsWith("llamacpp_")) << offer.id;
            }
        }
        return software;
    };
    auto gguf = chosen("q4_k_m");
    EXPECT_THAT(gguf["rtx3090"], testing::StartsWith("llamacpp_"));
    EXPECT_EQ(gguf["apple_m5max40"], "llamacpp_metal");
    EXPECT_EQ(gguf["arc_b580"], "llamacpp_sycl");
    auto others = chosen("mlx4");
    EXPECT_EQ(others["apple_m5max40"], "mlx");
    EXPECT_THAT(chosen("awq4")["rtx3090"], testing::AnyOf("vllm", "autoawq", "transformers"));
    EXPECT_EQ(chosen("nf4")["rtx3090"], "transformers");

    // It is the fastest of those that may be chosen.
    auto request = serving(1e8);
    auto refusal = LanguageRefusal::None;
    const auto target = *languageTarget(*test::shippedCatalog().findHardware("rx7900xtx"), refusal);
    const auto& best = servingStack(request, target, test::shippedLanguageParameters());
    const auto speed = [&](const char* software) {
        request.software = software;
        for (const auto& offer : served(request).offers)
            if (offer.hardware == "rx7900xtx" && offer.possible()) return offer.tokensPerMonth.median;
        return 0.0;
    };
    const double most = std::max(speed("llamacpp_rocm"), speed("llamacpp_vulkan"));
    EXPECT_EQ(speed(best.id.c_str()), most);
}

TEST(LanguageOffers, RequestedSoftwareRunsWhereItCanAndSaysWhatIsAssumed) {
    auto request = serving(1e8);
    request.job = languageJobOf("llama_3_1_8b", "awq4");
    for (const char* software : {"vllm", "tensorrt_llm", "exllamav2"}) {
        request.software = software;
        std::size_t possible = 0;
        for (const auto& offer : served(request).offers) {
            if (offer.kind == OfferKind::Api) continue;
            EXPECT_TRUE(offer.software.empty() || offer.software == software) << offer.id;
            if (!offer.possible()) continue;
            ++possible;
            EXPECT_TRUE(std::isfinite(offer.usdPerMonth.high)) << offer.id;
            const bool isUnseen = std::ranges::any_of(
                offer.reasons, [](const Message& reason) { return reason.id == "advisor.offer_software_unseen"; });
            const auto* spec = test::shippedCatalog().findHardware(offer.hardware);
            const bool isSeen = std::string(software) != "tensorrt_llm" && spec->vendor == "NVIDIA";
            EXPECT_NE(isUnseen, isSeen) << offer.id << " " << software;
            EXPECT_TRUE(std::ranges::any_of(offer.reasons, [](const Message& reason) {
                return reason.id == "advisor.offer_prompts_assumed";
            })) << offer.id;
            EXPECT_FALSE(std::ranges::any_of(offer.reasons, [](const Message& reason) {
                return reason.id == "advisor.offer_software";
            })) << offer.id;
        }
        EXPECT_GT(possible, 20U) << software;
    }
    request.software = "llamacpp_metal";
    for (const auto& offer : served(request).offers) {
        if (offer.possible() && offer.kind != OfferKind::Api) {
            EXPECT_THAT(offer.hardware, testing::StartsWith("apple"));
            EXPECT_TRUE(std::ranges::any_of(offer.reasons, [](const Message& reason) {
                return reason.id == "advisor.offer_other_format";
            })) << "AWQ";
        }
        if (offer.hardware == "rtx3090") {
            EXPECT_THAT(offer.rejectedBecause.at(0).text, HasSubstr("does not run on this device"));
        }
    }
    request.software = "vlm";
    const auto unknown =
        adviseServing(request, test::shippedCatalog(), test::shippedLanguageParameters(), shippedPrices());
    ASSERT_FALSE(unknown.has_value());
    EXPECT_THAT(describe(unknown.error()), HasSubstr("did you mean vllm"));
}

TEST(LanguageOffers, CostFollowsTheFormula) {
    auto request = serving(1e6);
    const auto advice = served(request);
    const auto find = [&](std::string_view id) -> const ServingOffer& {
        return *std::ranges::find(advice.offers, std::string(id), &ServingOffer::id);
    };
    // A rented machine for a month.
    const auto& rented = *std::ranges::find_if(advice.offers, [](const ServingOffer& offer) {
        return offer.kind == OfferKind::Rent && offer.possible() && offer.machines == 1;
    });
    EXPECT_DOUBLE_EQ(rented.usdPerMonth.median, rented.priceUsd * 730);
    // A bought one: its price over three years, and half of a month's electricity.
    const auto& bought = find("rtx3090+used");
    EXPECT_NEAR(bought.usdPerMonth.median, bought.priceUsd / 36 + 0.5 * 0.5 * 730 * 0.12, 0.01);
    EXPECT_DOUBLE_EQ(bought.watts, 500);
    // An API by the token: 1,000 of 1,300 tokens go in.
    request.ownApi = ApiPrice{.model = "llama_3_1_8b",
                              .provider = "own",
                              .offeredAs = "entered",
                              .usdPerMillionInput = 1.3,
                              .usdPerMillionOutput = 2.6,
                              .date = "2026-11-25",
                              .source = "entered"};
    const auto withOwn = served(request);
    const auto api = std::ranges::find(withOwn.offers, std::string("api/own/entered"), &ServingOffer::id);
    ASSERT_NE(api, withOwn.offers.end());
    EXPECT_NEAR(api->usdPerMonth.median, 1.6, 1e-9);
    EXPECT_EQ(api->title, "your provider");
}

TEST(LanguageOffers, AnApiIsNamedByItsProviderAndModel) {
    const auto advice = served(serving(1e6));
    const auto title = [&](std::string_view id) {
        const auto found = std::ranges::find(advice.offers, std::string(id), &ServingOffer::id);
        return found == advice.offers.end() ? "none" : found->title;
    };
    EXPECT_EQ(title("api/huggingface_novita/meta-llama/Llama-3.1-8B-Instruct"),
              "Novita (Hugging Face) Llama-3.1-8B-Instruct");
    EXPECT_EQ(title("api/ovhcloud/Llama-3.1-8B-Instruct"), "OVHcloud Llama-3.1-8B-Instruct");
    EXPECT_EQ(title("api/groq/llama-3.1-8b-instant"), "Groq llama-3.1-8b-instant");
}

TEST(LanguageOffers, ChoiceTurnsWithTheLoad) {
    auto request = serving(1e5);
    // A little is cheapest by the token.
    EXPECT_EQ(served(request).offers.front().kind, OfferKind::Api);
    // Where an API costs more than a machine at full load, one machine wins above the turning point and not below.
    const LanguagePrices dear{shippedPrices().devices,
                              {{.model = "llama_3_1_8b",
                                .provider = "dear",
                                .offeredAs = "x",
                                .usdPerMillionInput = 2,
                                .usdPerMillionOutput = 2,
                                .date = "2026-11",
                                .source = "test"}}};
    const auto at = [&](double tokens) {
        request.tokensPerMonth = tokens;
        return adviseServing(request, test::shippedCatalog(), test::shippedLanguageParameters(), dear).value();
    };
    const auto turning = at(1e6).buyBeatsApi;
    ASSERT_TRUE(turning.has_value());
    EXPECT_EQ(at(0.8 * *turning * 1e6).offers.front().kind, OfferKind::Api);
    EXPECT_NE(at(1.2 * *turning * 1e6).offers.front().kind, OfferKind::Api);
}

TEST(LanguageOffers, CostAtAnotherLoadIsThatOfAskingForIt) {
    const auto at = served(serving(1e8));
    const auto tenfold = served(serving(1e9));
    int compared = 0;
    for (const auto& offer : at.offers) {
        if (!offer.possible()) continue;
        EXPECT_NEAR(usdPerMonthAt(offer, 1e8).median, offer.usdPerMonth.median, 1e-9 * offer.usdPerMonth.median);
        if (offer.kind == OfferKind::Buy) continue;  // the power of a bought one is that of the hours it works
        for (const auto& other : tenfold.offers)
            if (other.id == offer.id && other.possible()) {
                EXPECT_NEAR(usdPerMonthAt(offer, 1e9).median, other.usdPerMonth.median, 1e-9 * other.usdPerMonth.median)
                    << offer.id;
                ++compared;
            }
    }
    EXPECT_GT(compared, 10);
}

TEST(LanguageOffers, FasterUsersAreFewer) {
    const auto users = [](double speed) {
        auto request = serving(1e8);
        request.userSpeed = speed;
        for (const auto& offer : served(request).offers)
            if (offer.id == "rtx3090+used") return offer.users.value_or(0);
        return -1.0;
    };
    EXPECT_GT(users(10), users(40));
    EXPECT_GE(users(40), 1);
    EXPECT_EQ(users(10'000), 0);  // rejected
}

TEST(LanguageOffers, SweepGrowsAsUsersShare) {
    auto refusal = LanguageRefusal::None;
    const auto target = languageTarget(*test::shippedCatalog().findHardware("l40s"), refusal);
    const auto points = batchSweep(serving(1e8), *target, *test::shippedLanguageParameters().findStack("llamacpp_cuda"),
                                   test::shippedLanguageParameters());
    ASSERT_GT(points.size(), 3U);
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_GT(points[i].tokensPerSecond, points[i - 1].tokensPerSecond);
        EXPECT_LT(points[i].userTokensPerSecond, points[i - 1].userTokensPerSecond);
    }
}

TEST(LanguageOffers, RefusesAbsurdAmountsAndTables) {
    for (auto change : {+[](ServingRequest& r) { r.prompt = 0; }, +[](ServingRequest& r) { r.tokensPerMonth = -1; },
                        +[](ServingRequest& r) { r.busy = std::nan(""); }}) {
        auto request = serving(1e8);
        change(request);
        EXPECT_FALSE(adviseServing(request, test::shippedCatalog(), test::shippedLanguageParameters(), shippedPrices())
                         .has_value());
    }
    EXPECT_FALSE(devicePricesFromCsv("p.csv", "device,kind,usd\nx,street_new,-5\n").has_value());
    EXPECT_FALSE(devicePricesFromCsv("p.csv", "device,kind,usd\nx,gift,5\n").has_value());
    EXPECT_FALSE(apiPricesFromCsv("a.csv", "model,provider\nx,y\n").has_value());
    EXPECT_GT(shippedPrices().devices.size(), 250U);
    EXPECT_GT(shippedPrices().apis.size(), 150U);
    for (const auto& api : shippedPrices().apis)
        EXPECT_NE(test::shippedDecoders().find(api.model), nullptr) << api.model;
    for (const auto& price : shippedPrices().devices)
        EXPECT_NE(test::shippedCatalog().findHardware(price.device), nullptr) << price.device;
}

TEST(LanguageParametersFile, RefusesWhatIsNotOne) {
    EXPECT_FALSE(languageParametersFromJson("p.json", "{}").has_value());
    EXPECT_FALSE(languageParametersFromJson("p.json", R"({"format": "steelyard-language-predictor", "version": 1})")
                     .has_value());
    EXPECT_FALSE(languageRowsFromCsv("rows.csv", "mode,device\ndecode,x\n").has_value());
    // What is written is read again.
    const auto text = toJson(test::shippedLanguageParameters());
    EXPECT_EQ(toJson(languageParametersFromJson("p.json", text).value()), text);
    EXPECT_EQ(text, readFile(test::resources() / "models/language_predictor.json", 1 << 20).value());
}

}  // namespace
}  // namespace steelyard::advisor
