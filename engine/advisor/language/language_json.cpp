// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_json.h"

#include <algorithm>
#include <cmath>

#include "engine/core/json/json.h"

namespace steelyard::advisor {
namespace {

Json speedJson(const Interval& interval) {
    return {{"low", orNull(interval.low)}, {"median", orNull(interval.median)}, {"high", orNull(interval.high)}};
}

// Bytes and parameters are integers.
Json whole(double value) {
    return value < 9e18 ? Json(static_cast<std::int64_t>(std::llround(value))) : Json(value);
}

Json needJson(const LanguageMemory& memory) {
    return {{"weights", whole(memory.weights)},
            {"cache", whole(memory.cache)},
            {"working", whole(memory.working)},
            {"driver", whole(memory.context)},
            {"total", whole(memory.total())}};
}

Json targetJson(const LanguagePrediction& p) {
    Json json;
    json["id"] = p.id;
    json["hardware"] = p.id;
    json["name"] = p.name;
    json["software"] = p.software.empty() ? Json(nullptr) : Json(p.software);
    json["tokens_per_second"] = p.hasSpeed() ? speedJson(p.tokensPerSecond) : Json(nullptr);
    json["bound_tokens_per_second"] = p.hasSpeed() ? orNull(p.boundTokensPerSecond) : Json(nullptr);
    json["basis"] = p.hasSpeed() ? Json(toString(p.basis)) : Json(nullptr);
    json["band"] = p.hasSpeed() ? Json(p.band) : Json(nullptr);
    json["confidence"] = p.hasSpeed() ? Json(p.lowConfidence ? "low" : "normal") : Json(nullptr);
    json["memory_bytes"] = whole(p.memory.total());
    json["memory"] = needJson(p.memory);
    json["available_bytes"] = orNull(p.availableBytes);
    json["fits"] = p.fits == Fits::Unknown ? Json(nullptr) : Json(p.fits == Fits::Yes);
    json["missing_bytes"] =
        p.availableBytes ? Json(std::max(0.0, p.memory.total() - *p.availableBytes)) : Json(nullptr);
    json["largest_context"] = orNull(p.largestContext);
    json["largest_batch"] = orNull(p.largestBatch);
    json["layers_on_device"] = orNull(p.layersOnDevice);
    json["refused_because"] = p.hasSpeed() ? Json(nullptr) : Json(englishText(p.refusal));
    return json;
}

Json jobHead(const LanguageJob& job) {
    const auto& spec = job.model.spec;
    const auto bytes = job.weightBytes();
    Json json;
    json["workload"] = spec.id;
    json["title"] = spec.title;
    json["parameters"] = whole(model::parametersOf(spec).total);
    json["weights"] = job.weights->name;
    json["weights_bytes"] = whole(bytes.total);
    json["kv_bytes_per_token"] = whole(model::cacheBytesPerToken(spec, job.cache));
    return json;
}

Json tuningNeedJson(const FineTuningMemory& memory, double driver) {
    return {{"base", whole(memory.base)},
            {"optimizer", whole(memory.optimiser)},
            {"activations", whole(memory.activations)},
            {"logits", whole(memory.logits)},
            {"driver", whole(driver)},
            {"total", whole(memory.total() + driver)}};
}

Json tuningHead(const TuningJob& job, const TrainingParameters& parameters) {
    const auto& spec = job.model.spec;
    const auto& tuning = job.tuning;
    const bool adapters = tuning.method == FineTuning::Method::Lora || tuning.method == FineTuning::Method::Qlora;
    Json json;
    json["workload"] = spec.id;
    json["title"] = spec.title;
    json["parameters"] = whole(model::parametersOf(spec).total);
    json["method"] = toString(tuning.method);
    json["rank"] = adapters ? Json(tuning.rank) : Json(nullptr);
    json["trained_parameters"] = whole(fineTuningMemory(spec, tuning).trained);
    json["step_tokens"] = tuning.tokens;
    json["sequence"] = std::min(tuning.sequence, tuning.tokens);
    json["checkpointing"] = tuning.checkpointing;
    json["predicted"] = true;
    json["parameters_source"] = parameters.source;
    json["parameters_date"] = parameters.date;
    return json;
}

Json reasonsJson(const std::vector<Message>& messages) {
    auto list = Json::array();
    for (const auto& message : messages) list.push_back(message.text);
    return list;
}

Json errorJson(const ErrorSummary& s) {
    return {{"class", s.name},
            {"rows", s.rows},
            {"median_error", orNull(s.median)},
            {"mean_error", orNull(s.mean)},
            {"p90_error", orNull(s.p90)},
            {"coverage", orNull(s.coverage ? s.coverage : s.coverageUnseen)}};
}

}  // namespace

std::string languageModelJson(const LanguageJob& job, int indent) {
    const auto& spec = job.model.spec;
    const auto counts = model::parametersOf(spec);
    const auto bytes = job.weightBytes();
    auto json = jobHead(job);
    json["active_parameters"] = whole(counts.active);
    json["embedding_parameters"] = whole(counts.embedding);
    json["weights_bytes_read_per_token"] = whole(bytes.readPerToken);
    json["bits_per_weight"] = 8 * bytes.total / counts.total;
    json["cache_type"] = model::toString(job.cache);
    json["context"] = job.context;
    json["batch"] = job.batch;
    json["kv_bytes"] = whole(job.batch * model::cacheBytes(spec, job.context, job.cache));
    json["context_length"] = spec.contextLength > 0 ? Json(spec.contextLength) : Json(nullptr);
    json["memory"] = needJson(languageMemory(job, true));
    json["unread_members"] = job.model.unread;
    if (auto figures = parseJson(model::toJson(spec, -1))) json["specification"] = std::move(*figures);
    return dumpJson(json, indent);
}

std::string languagePredictionsJson(const LanguageJob& job, const LanguageRequest& request,
                                    const LanguageParameters& parameters,
                                    const std::vector<LanguagePrediction>& predictions, int indent) {
    auto json = jobHead(job);
    json["mode"] = toString(job.mode);
    json["batch"] = job.batch;
    json["context"] = job.mode == LanguageMode::Prefill ? job.depth : job.context;
    json["prompt"] = job.mode == LanguageMode::Prefill ? Json(job.context) : Json(nullptr);
    json["devices"] = request.count;
    json["software"] = request.software.empty() ? "llamacpp" : request.software;
    json["predicted"] = true;
    json["parameters_source"] = parameters.source;
    json["parameters_date"] = parameters.date;
    auto& targets = json["targets"] = Json::array();
    for (const auto& prediction : predictions) targets.push_back(targetJson(prediction));
    return dumpJson(json, indent);
}

std::string tuningPredictionsJson(const TuningJob& job, const TuningRequest& request,
                                  const TrainingParameters& parameters,
                                  const std::vector<TuningPrediction>& predictions, int indent) {
    auto json = tuningHead(job, parameters);
    json["devices"] = request.count;
    auto& targets = json["targets"] = Json::array();
    for (const auto& p : predictions)
        targets.push_back({{"id", p.id},
                           {"hardware", p.id},
                           {"name", p.name},
                           {"software", p.software.empty() ? Json(nullptr) : Json(p.software)},
                           {"tokens_per_second", p.hasSpeed() ? speedJson(p.tokensPerSecond) : Json(nullptr)},
                           {"bound_tokens_per_second", p.hasSpeed() ? orNull(p.boundTokensPerSecond) : Json(nullptr)},
                           {"band", p.hasSpeed() ? Json(p.band) : Json(nullptr)},
                           {"confidence", p.hasSpeed() ? Json(p.lowConfidence ? "low" : "normal") : Json(nullptr)},
                           {"memory_bytes", whole(p.neededBytes())},
                           {"memory", tuningNeedJson(p.memory, p.driver)},
                           {"available_bytes", orNull(p.availableBytes)},
                           {"fits", p.fits == Fits::Unknown ? Json(nullptr) : Json(p.fits == Fits::Yes)},
                           {"refused_because", p.hasSpeed() ? Json(nullptr) : Json(englishText(p.refusal))}});
    return dumpJson(json, indent);
}

std::string tuningAdviceJson(const TuningOfferRequest& request, const TrainingParameters& parameters,
                             const TuningAdvice& advice, int indent) {
    auto json = tuningHead(request.job, parameters);
    json["job"] = "finetune";
    json["tokens"] = request.tokens;
    json["busy"] = request.busy;
    json["keep_years"] = request.years;
    auto& offers = json["offers"] = Json::array();
    for (const auto& offer : advice.offers) {
        const bool possible = offer.possible();
        offers.push_back({{"kind", toString(offer.kind)},
                          {"id", offer.id},
                          {"title", offer.title},
                          {"hardware", offer.hardware},
                          {"software", offer.software.empty() ? Json(nullptr) : Json(offer.software)},
                          {"devices", offer.devices},
                          {"price_usd", offer.priceUsd},
                          {"price_date", offer.priceDate},
                          {"price_source", offer.priceSource},
                          {"tokens_per_second", possible ? speedJson(offer.tokensPerSecond) : Json(nullptr)},
                          {"hours", possible ? speedJson(offer.hours) : Json(nullptr)},
                          {"usd", possible ? speedJson(offer.usd) : Json(nullptr)},
                          {"usd_per_million_tokens", possible ? orNull(offer.usdPerMillion) : Json(nullptr)},
                          {"watts", offer.watts > 0 ? Json(offer.watts) : Json(nullptr)},
                          {"confidence", possible ? Json(offer.lowConfidence ? "low" : "normal") : Json(nullptr)},
                          {"reasons", reasonsJson(offer.reasons)},
                          {"rejected_because", reasonsJson(offer.rejectedBecause)}});
    }
    json["sensitivity"] = {{"fastest", advice.fastest.empty() ? Json(nullptr) : Json(advice.fastest)},
                           {"jobs_until_purchase_pays", orNull(advice.jobsUntilPurchasePays)}};
    return dumpJson(json, indent);
}

std::string languageBacktestJson(const LanguageParameters& parameters, const LanguageBacktest& report, int indent) {
    Json json;
    json["family"] = "language_models";
    json["parameters_source"] = parameters.source;
    json["parameters_date"] = parameters.date;
    auto& classes = json["classes"] = Json::array();
    for (const auto& summary : report.classes) classes.push_back(errorJson(summary));
    json["ranked_pairs"] = report.rankedPairs;
    json["ranked_right"] = report.rankedRight;
    json["predicted_above_roof"] = report.predictedAboveRoof;
    return dumpJson(json, indent);
}

std::string languageModelsJson(const model::DecoderTable& table, int indent) {
    auto list = Json::array();
    for (const auto& spec : table.models) {
        const auto counts = model::parametersOf(spec);
        list.push_back({{"id", spec.id},
                        {"title", spec.title},
                        {"family", spec.family},
                        {"parameters", whole(counts.total)},
                        {"active_parameters", whole(counts.active)},
                        {"kv_bytes_per_token", whole(model::cacheBytesPerToken(spec))},
                        {"context_length", spec.contextLength},
                        {"source", spec.source},
                        {"date", spec.date}});
    }
    return dumpJson(Json{{"models", std::move(list)}}, indent);
}

}  // namespace steelyard::advisor
