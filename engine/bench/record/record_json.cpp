// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/record_json.h"

#include "engine/bench/record/record_json_parts.h"

namespace steelyard::bench {
namespace {

Json summaryToJson(const std::optional<Summary>& summary) {
    // A summary without its three plain figures says nothing.
    if (!summary || !std::isfinite(summary->median) || !std::isfinite(summary->mean) || !std::isfinite(summary->min)) {
        return nullptr;
    }
    return Json{
        {"median", summary->median},   {"ci95_low", orNull(summary->ci95Low)}, {"ci95_high", orNull(summary->ci95High)},
        {"mean", summary->mean},       {"mad", orNull(summary->mad)},          {"min", summary->min},
        {"p90", orNull(summary->p90)}, {"p99", orNull(summary->p99)},          {"n", summary->n}};
}

Summary readSummary(const Json& json, const std::string& path, std::optional<Error>& error) {
    Summary summary;
    JsonReader reader(json, path, error);
    reader.require("median", summary.median);
    reader.read("ci95_low", summary.ci95Low);
    reader.read("ci95_high", summary.ci95High);
    reader.require("mean", summary.mean);
    reader.read("mad", summary.mad);
    reader.require("min", summary.min);
    reader.read("p90", summary.p90);
    reader.read("p99", summary.p99);
    reader.require("n", summary.n, 1);
    return summary;
}

Json throughputToJson(const std::optional<Throughput>& throughput) {
    if (!throughput || !std::isfinite(throughput->value)) return nullptr;
    return Json{{"value", throughput->value}, {"unit", throughput->unit}};
}

Throughput readThroughput(const Json& json, const std::string& path, std::optional<Error>& error) {
    Throughput throughput;
    JsonReader reader(json, path, error);
    reader.require("value", throughput.value);
    reader.require("unit", throughput.unit);
    return throughput;
}

Json utilizationToJson(const std::optional<Utilization>& utilization) {
    if (!utilization || !std::isfinite(utilization->achievedFlops)) return nullptr;
    return Json{{"achieved_flops", utilization->achievedFlops},
                {"peak_flops", orNull(utilization->peakFlops)},
                {"fraction", orNull(utilization->fraction)},
                {"achieved_bytes", orNull(utilization->achievedBytes)},
                {"peak_bytes", orNull(utilization->peakBytes)}};
}

Utilization readUtilization(const Json& json, const std::string& path, std::optional<Error>& error) {
    Utilization utilization;
    JsonReader reader(json, path, error);
    reader.require("achieved_flops", utilization.achievedFlops);
    reader.read("peak_flops", utilization.peakFlops);
    reader.read("fraction", utilization.fraction);
    reader.read("achieved_bytes", utilization.achievedBytes);
    reader.read("peak_bytes", utilization.peakBytes);
    return utilization;
}

Json memoryToJson(const MemoryUse& memory) {
    return Json{{"planned_bytes", orNull(memory.plannedBytes)},
                {"engine_peak_bytes", orNull(memory.enginePeakBytes)},
                {"process_peak_bytes", orNull(memory.processPeakBytes)},
                {"device_peak_bytes", orNull(memory.devicePeakBytes)},
                {"weight_bytes", orNull(memory.weightBytes)},
                {"gradient_bytes", orNull(memory.gradientBytes)},
                {"optimizer_bytes", orNull(memory.optimizerBytes)},
                {"activation_bytes", orNull(memory.activationBytes)},
                {"workspace_bytes", orNull(memory.workspaceBytes)}};
}

MemoryUse readMemory(const Json& json, const std::string& path, std::optional<Error>& error) {
    MemoryUse memory;
    JsonReader reader(json, path, error);
    reader.read("planned_bytes", memory.plannedBytes);
    reader.read("engine_peak_bytes", memory.enginePeakBytes);
    reader.read("process_peak_bytes", memory.processPeakBytes);
    reader.read("device_peak_bytes", memory.devicePeakBytes);
    reader.read("weight_bytes", memory.weightBytes);
    reader.read("gradient_bytes", memory.gradientBytes);
    reader.read("optimizer_bytes", memory.optimizerBytes);
    reader.read("activation_bytes", memory.activationBytes);
    reader.read("workspace_bytes", memory.workspaceBytes);
    return memory;
}

Json verificationToJson(const Verification& verification) {
    return Json{
        {"state", toString(verification.state)},       {"max_relative_error", orNull(verification.maxRelativeError)},
        {"tolerance", orNull(verification.tolerance)}, {"loss_first", orNull(verification.lossFirst)},
        {"loss_last", orNull(verification.lossLast)},  {"reason", verification.reason}};
}

Verification readVerification(const Json& json, const std::string& path, std::optional<Error>& error) {
    Verification verification;
    JsonReader reader(json, path, error);
    reader.readName("state", verification.state, verificationStateFromString);
    reader.read("max_relative_error", verification.maxRelativeError);
    reader.read("tolerance", verification.tolerance);
    reader.read("loss_first", verification.lossFirst, kAnySign);
    reader.read("loss_last", verification.lossLast, kAnySign);
    reader.read("reason", verification.reason);
    return verification;
}

Json warmUpToJson(const WarmUp& warmUp) {
    if (!std::isfinite(warmUp.seconds)) return nullptr;
    return Json{{"steps", warmUp.steps}, {"seconds", warmUp.seconds}};
}

Json profileToJson(const std::optional<StepProfile>& profile) {
    if (!profile || !std::isfinite(profile->stepSeconds)) return nullptr;
    auto operations = Json::array();
    for (const auto& operation : profile->operations) {
        if (!std::isfinite(operation.seconds)) continue;
        operations.push_back(
            Json{{"name", operation.name},
                 {"kind", operation.kind},
                 {"pass", operation.pass},
                 {"kernel", operation.kernel},
                 {"seconds", operation.seconds},
                 {"share", profile->stepSeconds > 0 ? orNull(operation.seconds / profile->stepSeconds) : Json(nullptr)},
                 {"flops", orNull(operation.flops)}});
    }
    return Json{{"step_seconds", profile->stepSeconds},
                {"sum_seconds", orNull(profile->sumSeconds())},
                {"steps", profile->steps},
                {"operations", std::move(operations)}};
}

StepProfile readProfile(const Json& json, const std::string& path, std::optional<Error>& error) {
    StepProfile profile;
    JsonReader reader(json, path, error);
    reader.require("step_seconds", profile.stepSeconds);
    reader.require("steps", profile.steps);
    reader.eachElement("operations", [&](const Json& element, const std::string& elementPath) {
        ProfiledOperation operation;
        JsonReader part(element, elementPath, error);
        part.require("name", operation.name);
        part.read("kind", operation.kind);
        part.read("pass", operation.pass);
        part.read("kernel", operation.kernel);
        part.require("seconds", operation.seconds);
        part.read("flops", operation.flops);
        profile.operations.push_back(std::move(operation));
    });
    return profile;
}

Json sensorsToArray(const std::vector<SensorReading>& readings) {
    auto json = Json::array();
    for (const auto& reading : readings) {
        auto element = sensorToJson(reading);
        if (!element.is_null()) json.push_back(std::move(element));
    }
    return json;
}

// The members of a record that are objects or lists.
void readRecordParts(JsonReader& reader, CaseRecord& record, std::optional<Error>& error) {
    if (const auto* part = reader.find("step_seconds")) {
        record.stepSeconds = readSummary(*part, reader.pathOf("step_seconds"), error);
    }
    if (const auto* part = reader.find("throughput")) {
        record.throughput = readThroughput(*part, reader.pathOf("throughput"), error);
    }
    if (const auto* part = reader.find("utilization")) {
        record.utilization = readUtilization(*part, reader.pathOf("utilization"), error);
    }
    if (const auto* part = reader.find("profile")) {
        record.profile = readProfile(*part, reader.pathOf("profile"), error);
    }
    if (const auto* part = reader.find("input")) record.input = readInput(*part, reader.pathOf("input"), error);
    if (const auto* part = reader.find("parallel"))
        record.parallel = readParallel(*part, reader.pathOf("parallel"), error);
    if (const auto* part = reader.find("memory")) record.memory = readMemory(*part, reader.pathOf("memory"), error);
    if (const auto* part = reader.find("verification")) {
        record.verification = readVerification(*part, reader.pathOf("verification"), error);
    }
    if (const auto* part = reader.find("warm_up")) {
        JsonReader warmUp(*part, reader.pathOf("warm_up"), error);
        warmUp.require("steps", record.warmUp.steps);
        warmUp.require("seconds", record.warmUp.seconds);
    }
    if (const auto* part = reader.find("conditions")) {
        JsonReader conditions(*part, reader.pathOf("conditions"), error);
        for (auto member = part->begin(); !error && member != part->end(); ++member) {
            conditions.convert(member.key(), *member, record.conditions[member.key()]);
        }
    }
    reader.read("samples_seconds", record.samplesSeconds);
    reader.read("warnings", record.warnings);
    reader.eachElement("sensors", [&](const Json& element, const std::string& path) {
        record.sensors.push_back(readSensor(element, path, error));
    });
}

}  // namespace

Json caseToJson(const Case& spec) {
    return Json{{"workload", spec.workload},   {"mode", spec.mode},
                {"device", spec.device},       {"batch", spec.batch},
                {"precision", spec.precision}, {"threads", orNull(spec.threads)},
                {"isa", orNull(spec.isa)},     {"kernels", orNull(spec.kernels)},
                {"data", spec.data},           {"part", toString(spec.part)},
                {"optimizer", spec.optimizer}, {"seed", spec.seed},
                {"hash", caseHash(spec)}};
}

Case readCase(const Json& json, const std::string& path, std::optional<Error>& error) {
    Case spec;
    JsonReader reader(json, path, error);
    reader.require("workload", spec.workload);
    reader.require("mode", spec.mode);
    reader.require("device", spec.device);
    reader.require("batch", spec.batch);
    reader.require("precision", spec.precision);
    reader.read("threads", spec.threads, 1);
    reader.read("isa", spec.isa);
    reader.read("kernels", spec.kernels);
    reader.read("data", spec.data);
    reader.readName("part", spec.part, partFromString);
    reader.read("optimizer", spec.optimizer);
    reader.read("seed", spec.seed);
    return spec;
}

Json sensorToJson(const SensorReading& reading) {
    if (!std::isfinite(reading.atSeconds)) return nullptr;
    return Json{{"at_seconds", reading.atSeconds},
                {"cpu_load_fraction", orNull(reading.cpuLoadFraction)},
                {"cpu_mhz", orNull(reading.cpuMhz)},
                {"cpu_celsius", orNull(reading.cpuCelsius)},
                {"gpu_mhz", orNull(reading.gpuMhz)},
                {"gpu_celsius", orNull(reading.gpuCelsius)},
                {"gpu_watts", orNull(reading.gpuWatts)},
                {"gpu_load_fraction", orNull(reading.gpuLoadFraction)},
                {"memory_used_bytes", orNull(reading.memoryUsedBytes)},
                {"device_memory_used_bytes", orNull(reading.deviceMemoryUsedBytes)},
                {"throttled", reading.throttled}};
}

SensorReading readSensor(const Json& json, const std::string& path, std::optional<Error>& error) {
    SensorReading reading;
    JsonReader reader(json, path, error);
    reader.require("at_seconds", reading.atSeconds);
    reader.read("cpu_load_fraction", reading.cpuLoadFraction);
    reader.read("cpu_mhz", reading.cpuMhz);
    reader.read("cpu_celsius", reading.cpuCelsius, kAnySign);
    reader.read("gpu_mhz", reading.gpuMhz);
    reader.read("gpu_celsius", reading.gpuCelsius, kAnySign);
    reader.read("gpu_watts", reading.gpuWatts);
    reader.read("gpu_load_fraction", reading.gpuLoadFraction);
    reader.read("memory_used_bytes", reading.memoryUsedBytes);
    reader.read("device_memory_used_bytes", reading.deviceMemoryUsedBytes);
    reader.read("throttled", reading.throttled);
    return reading;
}

Json recordToJson(const CaseRecord& record) {
    auto spec = caseToJson(record.spec);
    spec["device_name"] = record.deviceName;
    return Json{{"case", std::move(spec)},
                {"status", toString(record.status)},
                {"reason", record.reason},
                {"step_seconds", summaryToJson(record.stepSeconds)},
                {"samples_seconds", finiteNumbers(record.samplesSeconds)},
                {"steps_per_sample", record.stepsPerSample},
                {"throughput", throughputToJson(record.throughput)},
                {"flops_per_step", orNull(record.flopsPerStep)},
                {"bytes_per_step", orNull(record.bytesPerStep)},
                {"utilization", utilizationToJson(record.utilization)},
                {"memory", memoryToJson(record.memory)},
                {"verification", verificationToJson(record.verification)},
                {"stop_reason", record.stopReason ? Json(toString(*record.stopReason)) : Json(nullptr)},
                {"warm_up", warmUpToJson(record.warmUp)},
                {"compile_seconds", orNull(record.compileSeconds)},
                {"energy_joules_per_step", orNull(record.energyJoulesPerStep)},
                {"conditions", Json(record.conditions)},
                {"warnings", record.warnings},
                {"sensors", sensorsToArray(record.sensors)},
                {"started_unix_ms", record.startedUnixMs},
                {"profile", profileToJson(record.profile)},
                {"input", inputToJson(record.input)},
                {"parallel", parallelToJson(record.parallel)}};
}

CaseRecord readRecord(const Json& json, const std::string& path, std::optional<Error>& error) {
    CaseRecord record;
    JsonReader reader(json, path, error);
    if (const auto* spec = reader.demand("case")) {
        record.spec = readCase(*spec, reader.pathOf("case"), error);
        JsonReader(*spec, reader.pathOf("case"), error).read("device_name", record.deviceName);
    }
    if (reader.demand("status") != nullptr) reader.readName("status", record.status, statusFromString);
    reader.read("reason", record.reason);
    reader.read("steps_per_sample", record.stepsPerSample, 1);
    reader.read("flops_per_step", record.flopsPerStep);
    reader.read("bytes_per_step", record.bytesPerStep);
    reader.readName("stop_reason", record.stopReason, stopReasonFromString);
    reader.read("compile_seconds", record.compileSeconds);
    reader.read("energy_joules_per_step", record.energyJoulesPerStep);
    reader.read("started_unix_ms", record.startedUnixMs);
    readRecordParts(reader, record, error);
    return record;
}

std::string toJson(const CaseRecord& record, int indent) {
    return dumpJson(recordToJson(record), indent);
}
Result<CaseRecord> caseRecordFromJson(std::string_view text) {
    return readDocument(text, readRecord);
}

std::string toJson(const Case& spec, int indent) {
    return dumpJson(caseToJson(spec), indent);
}
Result<Case> caseFromJson(std::string_view text) {
    return readDocument(text, readCase);
}

std::string toJson(const std::optional<StepProfile>& profile) {
    return dumpJson(profileToJson(profile));
}
Result<std::optional<StepProfile>> stepProfileFromJson(std::string_view text) {
    return readDocument(text, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        return json.is_null() ? std::optional<StepProfile>() : readProfile(json, path, error);
    });
}

std::string toJson(const std::vector<SensorReading>& readings, int indent) {
    return dumpJson(sensorsToArray(readings), indent);
}

Result<std::vector<SensorReading>> sensorsFromJson(std::string_view text) {
    return readDocument(text, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        std::vector<SensorReading> readings;
        JsonReader(Json{{"sensors", json}}, path, error)
            .eachElement("sensors", [&](const Json& element, const std::string& elementPath) {
                readings.push_back(readSensor(element, elementPath, error));
            });
        return readings;
    });
}

}  // namespace steelyard::bench
