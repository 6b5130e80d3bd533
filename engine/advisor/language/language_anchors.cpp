// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_anchors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/advisor/predict/local_hardware.h"
#include "engine/advisor/predict/transfer.h"
#include "engine/bench/imported/imported_results.h"
#include "engine/bench/record/disturbance.h"
#include "engine/core/quantile.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/model/decoder/language_workload.h"

namespace steelyard::advisor {
namespace {

using hardware::HardwareProfile;

constexpr double kOtherFormat = 0.25;
// Run-to-run agreement of a case (tests/performance/RESULTS.md, the comparison of idle suites).
constexpr double kRepeated = 0.1;
// For AVX-512 processors without measurements the fit halves the rate of the widest units.
constexpr double kWidestShare = 0.5;

LanguageDevice processorOf(const HardwareProfile& profile, const DeviceModel& model, double threads) {
    LanguageDevice device;
    device.deviceClass = profile.cpu.architecture.valueOr("").starts_with("aarch64") ? LanguageDeviceClass::CpuArm
                                                                                     : LanguageDeviceClass::CpuX86;
    device.cores = device.threads = threads;
    device.bytesPerSecond = model.bytesPerSecond;
    device.fp32Flops = device.matrixFlops = model.vectorFlops;
    const auto isa = profile.cpu.isa.valueOr({});
    if (std::ranges::find(isa, "avx512") != isa.end()) device.matrixFlops *= kWidestShare;
    return device;
}

// Values measured beside a case.
void useMeasured(LanguageDevice& device, double bytesPerSecond, double flops) {
    device.bytesPerSecond = bytesPerSecond;
    device.measuredBandwidth = true;
    device.fp32Flops = device.matrixFlops = flops;
}

bool isSameWork(const LanguageJob& a, const LanguageJob& b) {
    return a.model.spec == b.model.spec && a.weights == b.weights && a.cache == b.cache && a.mode == b.mode &&
           a.context == b.context && a.depth == b.depth && a.batch == b.batch &&
           a.model.fileWeightBytes == b.model.fileWeightBytes;
}

bool isSameDevice(const LanguageAnchor& anchor, const LanguageTarget& target) {
    return anchor.deviceId == target.deviceId && anchor.device.threads == target.device.threads;
}

double weightOf(const LanguageAnchor& anchor, const LanguageJob& job) {
    const double size = std::abs(std::log(anchor.job.weightBytes().readPerToken / job.weightBytes().readPerToken));
    const double batch = std::abs(std::log(anchor.job.batch / job.batch));
    return (anchor.job.weights == job.weights ? 1 : kOtherFormat) / (1 + size) / (1 + batch);
}

}  // namespace

struct LanguageAnchorCollector::Known {
    const catalog::Catalog& catalog;
    const PredictorParameters& devices;
    const model::DecoderTable& models;
    struct Machine {
        std::optional<HardwareProfile> profile;
        std::optional<DeviceModel> processor;
    };
    std::map<std::string, Machine> machines;  // by profile text
    std::map<std::string, std::optional<model::ResolvedDecoder>> resolved;
    std::map<std::string, LanguageAnchor> newest;  // by device and work

    const std::optional<model::ResolvedDecoder>& resolve(const std::string& name) {
        const auto [found, isNew] = resolved.try_emplace(name);
        if (isNew)
            if (auto model = model::resolveDecoder(models, name)) found->second = std::move(*model);
        return found->second;
    }

    std::optional<LanguageJob> jobOf(const bench::CaseRecord& record);
    void add(const bench::CaseRecord& record, const Machine& machine);
};

std::optional<LanguageJob> LanguageAnchorCollector::Known::jobOf(const bench::CaseRecord& record) {
    const auto name = model::parseLanguageName(record.spec.workload);
    if (!name || name->task == model::LanguageTask::Generate) return std::nullopt;
    const auto& model = resolve(name->model);
    if (!model) return std::nullopt;
    LanguageJob job;
    job.model = *model;
    const auto weights = weightsOfJob(job.model, name->weights);
    if (!weights) return std::nullopt;
    job.weights = *weights;
    job.batch = static_cast<double>(record.spec.batch);
    job.cache = name->cache;
    const bool prefill = name->task == model::LanguageTask::Prefill;
    job.mode = prefill ? LanguageMode::Prefill : LanguageMode::Decode;
    job.context = static_cast<double>(prefill ? name->prompt : name->context);
    // The file may have been replaced. Batched prompts are not modelled.
    const auto stored = std::abs(job.weightBytes().total - static_cast<double>(record.language->weightBytes));
    if (stored > 1 || (prefill && record.spec.batch > 1)) return std::nullopt;
    return sized(std::move(job));
}

void LanguageAnchorCollector::Known::add(const bench::CaseRecord& record, const Machine& machine) {
    const auto& spec = record.spec;
    if (!record.language || record.status != bench::Status::Ok || !record.stepSeconds || spec.device != "cpu" ||
        spec.isa || spec.kernels || bench::wasDisturbed(record) || !machine.processor ||
        record.conditions.contains(std::string(bench::kSoftwareCondition)))
        return;
    auto job = jobOf(record);
    if (!job) return;
    LanguageAnchor anchor;
    const double threads = spec.threads.value_or(static_cast<int>(machine.processor->cores));
    anchor.device = processorOf(*machine.profile, partOf(*machine.processor, threads), threads);
    const auto how = record.conditions.find("peak_bytes_of");
    const auto& use = record.utilization;
    // Weights that fit in the cache were read from there.
    const bool ofMemory = static_cast<double>(record.language->weightBytes) > machine.processor->cacheBytes;
    if (use && use->peakBytes && use->peakFlops && ofMemory && how != record.conditions.end() &&
        how->second.starts_with("reading"))
        useMeasured(anchor.device, *use->peakBytes, *use->peakFlops);
    anchor.deviceId = machine.processor->id;
    anchor.software = kThisEngine;
    const double tokens = static_cast<double>(record.language->tokensPerStep * spec.batch);
    const auto& seconds = *record.stepSeconds;
    anchor.tokensPerSecond = {tokens / seconds.ci95High.value_or(seconds.median), tokens / seconds.median,
                              tokens / seconds.ci95Low.value_or(seconds.median)};
    anchor.job = std::move(*job);
    newest[fmt::format("{} {} {} {}", anchor.deviceId, threads, spec.workload, spec.batch)] = std::move(anchor);
}

LanguageAnchorCollector::LanguageAnchorCollector(const catalog::Catalog& catalog, const PredictorParameters& devices,
                                                 const model::DecoderTable& models)
    : m_known(new Known{catalog, devices, models, {}, {}, {}}) {}

LanguageAnchorCollector::~LanguageAnchorCollector() = default;

void LanguageAnchorCollector::add(const bench::RunRecord& run) {
    if (std::ranges::none_of(run.records, [](const auto& record) { return record.language.has_value(); })) return;
    const auto [found, isNew] = m_known->machines.try_emplace(run.profileJson);
    auto& machine = found->second;
    if (isNew) {
        if (auto read = hardware::profileFromJson(run.profileJson)) {
            machine.processor = ownDevice(*read, "cpu", m_known->catalog, m_known->devices);
            machine.profile = std::move(*read);
        }
    }
    for (const auto& record : run.records) m_known->add(record, machine);
}

std::vector<LanguageAnchor> LanguageAnchorCollector::anchors() const {
    std::vector<LanguageAnchor> result;
    for (const auto& [key, anchor] : m_known->newest) result.push_back(anchor);
    return result;
}

std::vector<LanguageTarget> ownLanguageTargets(const HardwareProfile& profile, const catalog::Catalog& catalog,
                                               const PredictorParameters& devices,
                                               std::span<const LanguageAnchor> anchors) {
    std::vector<LanguageTarget> targets;
    for (const auto& own : ownDevices(profile, catalog, devices)) {
        const auto& model = own.device;
        LanguageTarget target;
        if (model.kind == DeviceKind::Processor) {
            target.device = processorOf(profile, model, model.cores);
            target.deviceId = model.id;
            std::vector<double> bandwidths, rates;
            for (const auto& anchor : anchors)
                if (isSameDevice(anchor, target) && anchor.device.measuredBandwidth) {
                    bandwidths.push_back(anchor.device.bytesPerSecond);
                    rates.push_back(anchor.device.fp32Flops);
                }
            target.lowTrust = model.lowTrust && bandwidths.empty();
            if (!bandwidths.empty()) useMeasured(target.device, median(bandwidths), median(rates));
        } else {
            auto refusal = LanguageRefusal::None;
            const auto* spec = catalog.findHardware(model.id);
            auto known = spec != nullptr ? languageTarget(*spec, refusal) : std::nullopt;
            if (!known) continue;
            target = std::move(*known);
        }
        target.id = own.id;
        target.name = model.kind == DeviceKind::Processor ? own.title : model.name;
        if (model.memoryBytes) setMemory(target, *model.memoryBytes);
        targets.push_back(std::move(target));
    }
    return targets;
}

void applyAnchors(const LanguageJob& job, const LanguageTarget& target, const LanguageStack& stack,
                  const LanguageParameters& parameters, std::span<const LanguageAnchor> anchors,
                  LanguagePrediction& prediction) {
    const auto applies = [&](const LanguageAnchor& anchor) {
        return anchor.software == stack.id && anchor.job.mode == job.mode &&
               isCpu(anchor.device.deviceClass) == isCpu(target.device.deviceClass);
    };
    const auto onDevice = [&](const LanguageAnchor& anchor) { return applies(anchor) && isSameDevice(anchor, target); };
    const bool own = std::ranges::any_of(anchors, onDevice);
    double weights = 0, sum = 0;
    for (const auto& anchor : anchors) {
        if (!applies(anchor) || (own && !isSameDevice(anchor, target))) continue;
        const auto& measured = anchor.tokensPerSecond;
        if (own && isSameWork(anchor.job, job)) {
            prediction.tokensPerSecond = {measured.low / (1 + kRepeated), measured.median,
                                          measured.high * (1 + kRepeated)};
            prediction.boundTokensPerSecond = std::max(prediction.boundTokensPerSecond, measured.high);
            prediction.basis = Basis::Measured;
            prediction.band = "measured";
            prediction.lowConfidence = false;
            return;
        }
        LanguageTarget there;
        there.device = anchor.device;
        const auto predicted = predictOn(anchor.job, there, stack, parameters);
        if (!predicted.hasSpeed()) continue;
        const double weight = weightOf(anchor, job);
        weights += weight;
        sum += weight * std::log(measured.median / predicted.tokensPerSecond.median);
    }
    if (weights <= 0) return;
    const double share = weights / (weights + 1) * (own ? 1 : kTransferShare);
    const bool prefill = job.mode == LanguageMode::Prefill;
    const auto& bands = prefill ? parameters.prefillBands : parameters.decodeBands;
    const char* name = own ? "anchored" : isCpu(target.device.deviceClass) ? "cpu" : "all";
    const auto found = bands.find(name);
    const auto band = found != bands.end() ? found->second : bands.at("all");
    const double roof = prediction.boundTokensPerSecond;
    const double speed = std::min(prediction.tokensPerSecond.median * std::exp(share * sum / weights), roof);
    prediction.tokensPerSecond = {speed * std::min(1.0, band.low), speed,
                                  std::min(speed * std::max(1.0, band.high), roof)};
    prediction.basis = Basis::Anchored;
    prediction.band = name;
    prediction.lowConfidence = target.lowTrust || !own || weights < 0.5;
}

}  // namespace steelyard::advisor
