// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/local_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>

#include "engine/advisor/advisor_data.h"
#include "engine/bench/imported/imported_results.h"
#include "engine/bench/record/disturbance.h"
#include "engine/core/messages/advisor.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/model/resolve.h"

namespace steelyard::advisor {
namespace {

using catalog::Catalog;
using catalog::HardwareSpec;
using hardware::GpuInfo;
using hardware::HardwareProfile;

// Words without distinguishing value.
constexpr std::array<std::string_view, 21> kNoise{
    "nvidia", "geforce", "tesla",  "quadro",   "amd", "intel", "r",   "tm",    "cpu",     "processor", "core",
    "xeon",   "with",    "radeon", "graphics", "gpu", "rtx",   "gtx", "titan", "sockets", "socket"};

// "NVIDIA A100-SXM4-40GB" -> {a100, sxm, 40gb}: lower case, split at characters other than letters and digits.
std::vector<std::string> words(std::string_view name) {
    std::vector<std::string> result;
    std::string word;
    const auto flush = [&] {
        if (word.starts_with("sxm")) word = "sxm";
        if (!word.empty() && std::ranges::find(kNoise, word) == kNoise.end()) result.push_back(word);
        word.clear();
    };
    for (char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        } else {
            flush();
        }
    }
    flush();
    return result;
}

// "40gb", and a bare "gb" after a number.
bool isSize(const std::string& word) {
    return word == "gb" || (word.ends_with("gb") && std::isdigit(static_cast<unsigned char>(word[0])) != 0);
}

// Identifies the model: contains a digit and is not a size, clock or core count.
bool isModelWord(const std::string& word) {
    const bool digit =
        std::ranges::any_of(word, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    return digit && !isSize(word) && !word.ends_with("ghz");
}

constexpr double kMemoryTolerance = 0.12;  // drivers reserve a part, and vendors use decimal prefixes

bool memoryAgrees(const HardwareSpec& spec, std::optional<double> memoryBytes) {
    if (!memoryBytes || !spec.memoryBytes) return true;
    return std::abs(*memoryBytes / spec.memoryBytes->value - 1) <= kMemoryTolerance;
}

struct PerClock {
    std::string_view capability;
    double matrix16;  // FLOP per multiprocessor and clock, with fp32 accumulation
    double lanes;     // fp32
};
// From the architecture whitepapers; GeForce cards of 7.5 to 12.0 have these rates, professional cards with the same
// chip twice as much.
constexpr PerClock kPerClock[] = {{"7.0", 1024, 64}, {"7.5", 512, 64},   {"8.0", 2048, 64},   {"8.6", 512, 128},
                                  {"8.9", 512, 128}, {"9.0", 4096, 128}, {"10.0", 8192, 128}, {"12.0", 512, 128}};

std::optional<DeviceModel> gpuFromFacts(const GpuInfo& gpu) {
    if (!gpu.multiprocessors.value || !gpu.maxMhz.value || !gpu.memoryBytesPerSecond.value) return std::nullopt;
    const auto* rates = std::ranges::find(kPerClock, gpu.computeCapability.valueOr(""), &PerClock::capability);
    if (rates == std::end(kPerClock)) return std::nullopt;
    DeviceModel device;
    const double clocks = *gpu.multiprocessors.value * *gpu.maxMhz.value * 1e6;
    device.vectorFlops = device.peakVectorFlops = clocks * rates->lanes * 2;
    device.matrix16Flops = clocks * rates->matrix16;
    const bool ampere = rates->capability >= "8.0" || rates->capability.size() > 3;
    device.bf16Flops = ampere ? device.matrix16Flops : 0;
    device.tf32Flops = ampere ? device.matrix16Flops / 2 : 0;
    device.bytesPerSecond = *gpu.memoryBytesPerSecond.value;
    device.multiprocessors = *gpu.multiprocessors.value;
    return device;
}

double flopsPerClock(const std::vector<std::string>& isa) {
    const auto has = [&](std::string_view name) { return std::ranges::find(isa, name) != isa.end(); };
    if (has("avx512")) return 64;  // two units of sixteen lanes
    if (has("avx2")) return 32;
    return has("avx") ? 16 : 8;
}

std::optional<DeviceModel> processorFromFacts(const HardwareProfile& profile, double cores) {
    constexpr double kUsualHertz = 2.5e9, kBytesPerCore = 10e9, kMostBytes = 200e9;
    DeviceModel device;
    device.kind = DeviceKind::Processor;
    const auto& cpu = profile.cpu;
    const double hertz = cpu.baseMhz.value  ? *cpu.baseMhz.value * 1e6
                         : cpu.maxMhz.value ? *cpu.maxMhz.value * 0.7e6
                                            : kUsualHertz;
    const auto isa = cpu.isa.valueOr({});
    device.vectorFlops = device.peakVectorFlops = cores * hertz * flopsPerClock(isa);
    if (std::ranges::find(isa, "amx_bf16") != isa.end()) device.bf16Flops = cores * hertz * 2048;
    device.bytesPerSecond =
        std::min(kMostBytes, kBytesPerCore * cores);  // no system reports it; measurements correct it
    for (const auto& cache : cpu.caches.valueOr({}))
        if (cache.level == 3)
            device.cacheBytes = std::max(device.cacheBytes, static_cast<double>(cache.bytes) * cache.count);
    device.cores = device.threadsUsed = cores;
    device.lowTrust = true;
    return device;
}

std::optional<DeviceModel> ownProcessor(const HardwareProfile& profile, const Catalog& catalog,
                                        const PredictorParameters& parameters) {
    const double cores = profile.cpu.usableThreads.valueOr(profile.cpu.cores.valueOr(1));
    const auto name = profile.cpu.name.valueOr("this processor");
    const auto* spec = matchDevice(catalog, name);
    auto device = spec != nullptr ? deviceModel(*spec, parameters) : std::nullopt;
    device = device ? partOf(*device, cores) : processorFromFacts(profile, cores);
    device->id = spec != nullptr ? spec->id : "cpu:" + name;
    device->name = name;
    if (profile.memory.limitBytes.value) {
        device->memoryBytes = static_cast<double>(*profile.memory.limitBytes.value);
    } else if (profile.memory.totalBytes.value) {
        device->memoryBytes = static_cast<double>(*profile.memory.totalBytes.value);
    }
    return device;
}

// A network file may have changed since it was measured; its operations are then different.
bool isStillTheSame(const bench::CaseRecord& record) {
    const auto& spec = record.spec;
    if (!spec.workload.ends_with(".json") && spec.workload.find('/') == std::string::npos) return true;
    const auto workload = model::resolveWorkload(spec.workload);
    if (!workload || !record.flopsPerStep) return false;
    const auto graph = workload->build();
    if (!graph) return false;
    const auto plan = plan::lower(*graph, {spec.mode, spec.batch, spec.precision, workload->optimizer});
    return plan && std::abs(plan->stepFlops() / *record.flopsPerStep - 1) < 1e-6;
}

// A device known only by name.
std::optional<DeviceModel> namedDevice(std::string_view name, const Catalog& catalog,
                                       const PredictorParameters& parameters) {
    const auto* spec = matchDevice(catalog, name);
    return spec == nullptr ? std::nullopt : deviceModel(*spec, parameters);
}

// Identifies a job except for its batch: "mnist_cnn train fp32".
std::string jobName(const bench::Case& spec) {
    return fmt::format("{} {} {}", spec.workload, toString(spec.mode), toString(spec.precision));
}

std::optional<JobModel> jobOf(const bench::Case& spec, std::map<std::string, std::optional<JobModel>>& cache) {
    if (spec.batch < 1) return std::nullopt;
    const auto [found, isNew] = cache.try_emplace(jobName(spec));
    if (isNew) {
        const auto made = makeJob({.workload = spec.workload, .mode = spec.mode, .precision = spec.precision});
        const auto workload = model::resolveWorkload(spec.workload);
        // Machine figures (probes) are not networks.
        if (made && workload && workload->family != "micro") found->second = made->model;
    }
    auto job = found->second;
    if (job) job->batch = spec.batch;
    return job;
}

}  // namespace

const HardwareSpec* matchDevice(const Catalog& catalog, std::string_view name, std::optional<double> memoryBytes) {
    const auto wanted = words(name);
    const auto has = [&](const std::string& word) { return std::ranges::find(wanted, word) != wanted.end(); };
    const HardwareSpec* best = nullptr;
    std::size_t most = 0;
    for (const auto& spec : catalog.hardware) {
        if (!memoryAgrees(spec, memoryBytes)) continue;
        const auto known = words(spec.name);
        std::size_t matched = 0, models = 0;
        bool contradicts = false;
        for (const auto& word : known) {
            const bool found = has(word);
            matched += found ? 1 : 0;
            if (isModelWord(word)) {
                ++models;
                contradicts = contradicts || !found;
            }
            // "Ti" and "Super" denote different cards of the same number.
            contradicts =
                contradicts || ((word == "ti" || word == "super" || word == "sxm" || word == "pcie" || word == "ada") &&
                                !found && !wanted.empty());
        }
        for (const auto& word : {"ti", "super", "sxm", "pcie", "laptop", "mobile"})
            contradicts = contradicts || (has(word) && std::ranges::find(known, word) == known.end());
        if (contradicts || models == 0 || matched <= most) continue;
        most = matched;
        best = &spec;
    }
    return best;
}

std::optional<DeviceModel> ownDevice(const HardwareProfile& profile, std::string_view device, const Catalog& catalog,
                                     const PredictorParameters& parameters) {
    if (device == "cpu") return ownProcessor(profile, catalog, parameters);
    const auto gpu = std::ranges::find(profile.gpus, device, &GpuInfo::id);
    if (gpu == profile.gpus.end()) return std::nullopt;
    const auto name = gpu->name.valueOr("");
    const auto memory =
        gpu->memoryBytes.value ? std::optional(static_cast<double>(*gpu->memoryBytes.value)) : std::nullopt;
    const auto* spec = matchDevice(catalog, name, memory);
    auto result = spec != nullptr ? deviceModel(*spec, parameters) : std::nullopt;
    if (!result) result = gpuFromFacts(*gpu);
    if (!result) return std::nullopt;
    if (spec == nullptr) result->id = "gpu:" + name;
    result->name = name;
    result->memoryBytes = memory ? memory : result->memoryBytes;
    return result;
}

std::vector<OwnCandidate> ownDevices(const HardwareProfile& profile, const Catalog& catalog,
                                     const PredictorParameters& parameters) {
    std::vector<OwnCandidate> result;
    if (auto cpu = ownDevice(profile, "cpu", catalog, parameters))
        result.push_back({.id = "own/cpu", .title = "this computer's processor", .device = std::move(*cpu)});
    for (const auto& gpu : profile.gpus) {
        if (gpu.status != hardware::GpuStatus::Usable) continue;
        if (auto device = ownDevice(profile, gpu.id, catalog, parameters)) {
            const auto title = "this computer's " + device->name;
            result.push_back({.id = "own/" + gpu.id, .title = title, .device = std::move(*device)});
        }
    }
    return result;
}

void chargeElectricity(std::vector<OwnCandidate>& own, const Catalog& catalog, const Electricity& electricity) {
    // A computing machine draws more than a few cores of its processor.
    constexpr double kLeastWatts = 30, kUsualProcessorWatts = 100, kUsualCardWatts = 250;
    for (auto& candidate : own) {
        const auto& device = candidate.device;
        const bool isProcessor = device.kind == DeviceKind::Processor;
        const auto* spec = catalog.findHardware(device.id);
        double watts = isProcessor ? kUsualProcessorWatts : kUsualCardWatts;
        Message how = messages::wattsAssumed();
        if (electricity.watts) {
            watts = *electricity.watts;
            how = messages::wattsGiven();
        } else if (spec != nullptr && spec->tdpWatts) {
            const bool isShare = isProcessor && spec->cores && device.cores > 0;
            watts = spec->tdpWatts->value * (isShare ? std::min(1.0, device.cores / spec->cores->value) : 1);
            watts = std::max(kLeastWatts, watts);
            how = messages::wattsPublished();
        }
        watts *= candidate.count;
        candidate.usdPerHour = watts / 1000 * electricity.usdPerKwh;
        candidate.priceSource = messages::electricity(fmt::format("{:.0f}", watts), how, Usd{electricity.usdPerKwh});
    }
}

struct ReferenceCollector::Known {
    const Catalog& catalog;
    const PredictorParameters& parameters;
    std::map<std::string, std::optional<JobModel>> jobs;
    std::map<std::tuple<std::string, std::string, std::string, double>, Reference> newest;
    // Thousands of cases come from few machines, and matching names against the catalogue is slow.
    using Devices = std::map<std::string, std::optional<DeviceModel>>;
    struct Machine {
        std::optional<hardware::HardwareProfile> profile;
        Devices devices;
    };
    std::map<std::string, Machine> machines;  // by profile text
    Devices foreignDevices;

    void add(const bench::CaseRecord& record, Machine& machine);
};

void ReferenceCollector::Known::add(const bench::CaseRecord& record, Machine& machine) {
    if (bench::wasDisturbed(record)) return;  // not representative of the machine
    if (record.status != bench::Status::Ok || !record.stepSeconds || record.spec.device == "reference" ||
        record.spec.isa || record.spec.kernels || record.spec.part != bench::Part::Step)
        return;
    const auto foreign = record.conditions.find(std::string(bench::kSoftwareCondition));
    const bool isForeign = foreign != record.conditions.end();
    const auto software = isForeign ? foreign->second : std::string(kThisEngine);
    if ((!isForeign && !machine.profile) || parameters.findStack(software) == nullptr) return;
    const auto [known, isNew] =
        isForeign ? foreignDevices.try_emplace(record.deviceName) : machine.devices.try_emplace(record.spec.device);
    if (isNew) {
        known->second = isForeign ? namedDevice(record.deviceName, catalog, parameters)
                                  : ownDevice(*machine.profile, record.spec.device, catalog, parameters);
    }
    auto device = known->second;
    auto job = jobOf(record.spec, jobs);
    if (!device || !job || !isStillTheSame(record)) return;
    if (record.spec.threads && device->kind == DeviceKind::Processor) device = partOf(*device, *record.spec.threads);
    const auto& summary = *record.stepSeconds;
    const Interval seconds{summary.ci95Low.value_or(summary.median), summary.median,
                           summary.ci95High.value_or(summary.median)};
    const std::tuple key{device->id + " " + software, jobName(record.spec), std::to_string(record.spec.batch),
                         device->cores};
    newest[key] = Reference{std::move(*job), std::move(*device), software, seconds};
}

ReferenceCollector::ReferenceCollector(const Catalog& catalog, const PredictorParameters& parameters)
    : m_known(new Known{catalog, parameters, {}, {}, {}, {}}) {}

ReferenceCollector::~ReferenceCollector() = default;

void ReferenceCollector::add(const bench::RunRecord& run) {
    const auto [found, isNew] = m_known->machines.try_emplace(run.profileJson);
    auto& machine = found->second;
    if (isNew) {
        if (auto read = hardware::profileFromJson(run.profileJson)) machine.profile = std::move(*read);
    }
    for (const auto& record : run.records) m_known->add(record, machine);
}

std::vector<Reference> ReferenceCollector::references() const {
    std::vector<Reference> result;
    for (const auto& [key, reference] : m_known->newest) result.push_back(reference);
    return result;
}

std::vector<Reference> referencesFrom(std::span<const bench::RunRecord> runs, const Catalog& catalog,
                                      const PredictorParameters& parameters) {
    ReferenceCollector collector(catalog, parameters);
    for (const auto& run : runs) collector.add(run);
    return collector.references();
}

}  // namespace steelyard::advisor
