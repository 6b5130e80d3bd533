// SPDX-License-Identifier: Apache-2.0
// The fields of records, each listed once (core/fields.h), in the order of the JSON output. JSON, the rows of the
// history (history/case_rows.cpp), the case hash and the schema test walk these lists. Include from .cpp files only. A
// new field needs a member in record.h and a line here; a property in resources/schemas/record.schema.json; and, if the
// history stores it, a migration that adds its column.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/language_figures.h"
#include "engine/bench/record/record.h"
#include "engine/bench/record/visit_fields.h"
#include "engine/core/fields.h"

namespace steelyard::bench {

inline auto fromName(std::type_identity<Part>, std::string_view name) {
    return partFromString(name);
}
inline auto fromName(std::type_identity<Status>, std::string_view name) {
    return statusFromString(name);
}
inline auto fromName(std::type_identity<VerificationState>, std::string_view name) {
    return verificationStateFromString(name);
}
inline auto fromName(std::type_identity<StopReason>, std::string_view name) {
    return stopReasonFromString(name);
}
inline auto fromName(std::type_identity<EventKind>, std::string_view name) {
    return eventKindFromString(name);
}
inline auto fromName(std::type_identity<Phase>, std::string_view name) {
    return phaseFromString(name);
}

// A field added here enters the hash of cases that set it.
template <SameAs<Case> T, typename Visitor>
void visitCaseFields(T& spec, Visitor&& visit) {
    visit(required("workload"), spec.workload);
    visit(required("mode"), spec.mode);
    visit(required("device"), spec.device);
    visit(required("batch"), spec.batch);
    visit(required("precision"), spec.precision);
    visit(field("threads").atLeast(1), spec.threads);
    visit(field("isa"), spec.isa);
    visit(field("kernels"), spec.kernels);
    visit(field("data"), spec.data);
    visit(field("part"), spec.part);
    visit(field("optimizer"), spec.optimizer);
    visit(field("seed"), spec.seed);
}
template <SameAs<Case> T, typename Visitor>
void visitFields(T& spec, Visitor&& visit) {
    visitCaseFields(spec, visit);
    visit.derived("hash", [&] { return caseHash(spec); });
}

template <SameAs<Summary> T, typename Visitor>
void visitFields(T& summary, Visitor&& visit) {
    visit(required("median"), summary.median);
    visit(field("ci95_low"), summary.ci95Low);
    visit(field("ci95_high"), summary.ci95High);
    visit(required("mean"), summary.mean);
    visit(field("mad"), summary.mad);
    visit(required("min"), summary.min);
    visit(field("p90"), summary.p90);
    visit(field("p99"), summary.p99);
    visit(required("n").atLeast(1), summary.n);
}

template <SameAs<Throughput> T, typename Visitor>
void visitFields(T& throughput, Visitor&& visit) {
    visit(required("value"), throughput.value);
    visit(required("unit"), throughput.unit);
}

template <SameAs<Utilization> T, typename Visitor>
void visitFields(T& utilization, Visitor&& visit) {
    visit(required("achieved_flops"), utilization.achievedFlops);
    visit(field("peak_flops"), utilization.peakFlops);
    visit(field("fraction").inColumn("utilization_fraction"), utilization.fraction);
    visit(field("achieved_bytes"), utilization.achievedBytes);
    visit(field("peak_bytes"), utilization.peakBytes);
}

template <SameAs<MemoryUse> T, typename Visitor>
void visitFields(T& memory, Visitor&& visit) {
    visit(field("planned_bytes"), memory.plannedBytes);
    visit(field("engine_peak_bytes"), memory.enginePeakBytes);
    visit(field("process_peak_bytes"), memory.processPeakBytes);
    visit(field("device_peak_bytes"), memory.devicePeakBytes);
    visit(field("weight_bytes"), memory.weightBytes);
    visit(field("gradient_bytes"), memory.gradientBytes);
    visit(field("optimizer_bytes"), memory.optimizerBytes);
    visit(field("activation_bytes"), memory.activationBytes);
    visit(field("workspace_bytes"), memory.workspaceBytes);
}

template <SameAs<Verification> T, typename Visitor>
void visitFields(T& verification, Visitor&& visit) {
    visit(field("state"), verification.state);
    visit(field("max_relative_error"), verification.maxRelativeError);
    visit(field("tolerance"), verification.tolerance);
    visit(field("loss_first").atLeast(kAnySign), verification.lossFirst);
    visit(field("loss_last").atLeast(kAnySign), verification.lossLast);
    visit(field("reason"), verification.reason);
}

template <SameAs<WarmUp> T, typename Visitor>
void visitFields(T& warmUp, Visitor&& visit) {
    visit(required("steps"), warmUp.steps);
    visit(required("seconds"), warmUp.seconds);
}

template <SameAs<SensorReading> T, typename Visitor>
void visitFields(T& reading, Visitor&& visit) {
    visit(required("at_seconds"), reading.atSeconds);
    visit(field("cpu_load_fraction"), reading.cpuLoadFraction);
    visit(field("cpu_mhz"), reading.cpuMhz);
    visit(field("cpu_celsius").atLeast(kAnySign), reading.cpuCelsius);
    visit(field("gpu_mhz"), reading.gpuMhz);
    visit(field("gpu_celsius").atLeast(kAnySign), reading.gpuCelsius);
    visit(field("gpu_watts"), reading.gpuWatts);
    visit(field("gpu_load_fraction"), reading.gpuLoadFraction);
    visit(field("memory_used_bytes"), reading.memoryUsedBytes);
    visit(field("device_memory_used_bytes"), reading.deviceMemoryUsedBytes);
    visit(field("throttled"), reading.throttled);
}

template <SameAs<ProfiledOperation> T, typename Visitor>
void visitOperation(T& operation, Visitor&& visit, const std::optional<double>* share) {
    visit(required("name"), operation.name);
    visit(field("kind"), operation.kind);
    visit(field("pass"), operation.pass);
    visit(field("kernel"), operation.kernel);
    visit(required("seconds"), operation.seconds);
    if (share != nullptr) visit.derived("share", [&] { return *share; });
    visit(field("flops"), operation.flops);
}
template <SameAs<ProfiledOperation> T, typename Visitor>
void visitFields(T& operation, Visitor&& visit) {
    visitOperation(operation, visit, nullptr);
}

// An operation as serialized, with its share of the step time.
struct OperationOfStep {
    ProfiledOperation operation;
    std::optional<double> share;
};
template <SameAs<OperationOfStep> T, typename Visitor>
void visitFields(T& of, Visitor&& visit) {
    visitOperation(of.operation, visit, &of.share);
}
[[nodiscard]] inline std::vector<OperationOfStep> operationsOf(const StepProfile& profile) {
    std::vector<OperationOfStep> list;
    for (const auto& operation : profile.operations) {
        auto& entry = list.emplace_back(OperationOfStep{operation, {}});
        if (profile.stepSeconds > 0) entry.share = operation.seconds / profile.stepSeconds;
    }
    return list;
}

template <SameAs<StepProfile> T, typename Visitor>
void visitFields(T& profile, Visitor&& visit) {
    visit(required("step_seconds"), profile.stepSeconds);
    visit.derived("sum_seconds", [&] { return profile.sumSeconds(); });
    visit(required("steps"), profile.steps);
    visit(field("operations"), profile.operations);
    visit.derived("operations", [&] { return operationsOf(profile); });
}

template <SameAs<InputUse> T, typename Visitor>
void visitFields(T& input, Visitor&& visit) {
    visit(field("producers"), input.producers);
    visit(field("wait_fraction"), input.waitFraction);
    visit(field("producible_samples_per_second"), input.producibleSamples);
    visit(field("pipeline_limits"), input.pipelineLimits);
}

template <SameAs<NodesUse> T, typename Visitor>
void visitFields(T& use, Visitor&& visit) {
    visit(field("hosts"), use.hosts);
    visit(field("library"), use.library);
    visit(field("compute_seconds"), use.computeSeconds);
    visit(field("slowest_rank"), use.slowestRank);
    visit(field("bus_bandwidth"), use.busBandwidth);
    visit(field("latency_seconds"), use.latencySeconds);
    visit(field("bytes_per_second"), use.bytesPerSecond);
    visit(field("efficiency"), use.efficiency);
    visit(field("predicted_efficiency"), use.predictedEfficiency);
    visit(field("predicted_low"), use.predictedLow);
    visit(field("predicted_high"), use.predictedHigh);
}

template <SameAs<ParallelUse> T, typename Visitor>
void visitFields(T& use, Visitor&& visit) {
    visit(field("devices"), use.devices);
    visit(field("rank_step_seconds"), use.rankStepSeconds);
    visit(field("exchange_seconds"), use.exchangeSeconds);
    visit(field("compute_seconds"), use.computeSeconds);
    visit(field("exposed_seconds"), use.exposedSeconds);
    visit(field("exchanged_bytes"), use.exchangedBytes);
    visit(field("exchanges"), use.exchanges);
    visit(field("nodes").omittedWhenEmpty(), use.nodes);
}

template <SameAs<TokenTimes> T, typename Visitor>
void visitFields(T& times, Visitor&& visit) {
    visit(field("first_seconds"), times.firstSeconds);
    visit(field("p50_seconds"), times.p50Seconds);
    visit(field("p90_seconds"), times.p90Seconds);
    visit(field("p99_seconds"), times.p99Seconds);
    visit(field("growth"), times.growth);
}

template <SameAs<LanguageUse> T, typename Visitor>
void visitFields(T& use, Visitor&& visit) {
    visit(required("task"), use.task);
    visit(field("weights"), use.weights);
    visit(field("tokens_per_step").atLeast(1), use.tokensPerStep);
    visit(field("context"), use.context);
    visit(field("prompt"), use.prompt);
    visit(field("weight_bytes"), use.weightBytes);
    visit(field("read_bytes_per_token"), use.readBytesPerToken);
    visit(field("cache_bytes"), use.cacheBytes);
    visit(field("layers"), use.layers);
    visit(field("checked_layers"), use.checkedLayers);
    visit(field("first_token_seconds"), use.firstTokenSeconds);
    visit(field("token_seconds"), use.tokenSeconds);
    visit.derived("token_times", [&] { return tokenTimes(use); });
}

template <SameAs<PrecisionCost> T, typename Visitor>
void visitFields(T& cost, Visitor&& visit) {
    visit(required("relative_rms"), cost.relativeRms);
    visit(field("top_class_agreement"), cost.topClassAgreement);
    visit(required("samples").atLeast(1), cost.samples);
}

template <SameAs<CaseRecord> T, typename Visitor>
void visitFields(T& record, Visitor&& visit) {
    visit(required("case").flat(), record.spec);
    visit(field("device_name").within("case"), record.deviceName);
    visit(required("status"), record.status);
    visit(field("reason"), record.reason);
    visit(field("step_seconds").flat(), record.stepSeconds);
    visit(field("samples_seconds").storedElsewhere(), record.samplesSeconds);
    visit(field("steps_per_sample").atLeast(1), record.stepsPerSample);
    visit(field("throughput").flat("throughput_"), record.throughput);
    visit(field("flops_per_step"), record.flopsPerStep);
    visit(field("bytes_per_step"), record.bytesPerStep);
    visit(field("utilization").flat(), record.utilization);
    visit(field("memory").flat(), record.memory);
    visit(field("verification").flat("verification_"), record.verification);
    visit(field("stop_reason"), record.stopReason);
    visit(field("warm_up").flat("warm_up_"), record.warmUp);
    visit(field("compile_seconds"), record.compileSeconds);
    visit(field("energy_joules_per_step"), record.energyJoulesPerStep);
    visit(field("conditions"), record.conditions);
    visit(field("warnings"), record.warnings);
    visit(field("sensors"), record.sensors);
    visit(field("started_unix_ms"), record.startedUnixMs);
    visit(field("profile"), record.profile);
    visit(field("input"), record.input);
    visit(field("parallel"), record.parallel);
    visit(field("language"), record.language);
    visit(field("precision_cost"), record.precisionCost);
    visit(field("visits"), record.visits);
    visit(field("figure"), record.figure);
    visit.derived("disturbed", [&] { return wasDisturbed(record); });
}

template <SameAs<RunRecord> T, typename Visitor>
void visitFields(T& run, Visitor&& visit) {
    visit(required("id"), run.id);
    visit(field("suite"), run.suite);
    visit(field("suite_version"), run.suiteVersion);
    visit(field("program_version"), run.programVersion);
    visit(field("git_revision"), run.gitRevision);
    visit(field("started_unix_ms"), run.startedUnixMs);
    visit(field("finished_unix_ms"), run.finishedUnixMs);
    visit(field("computer"), run.computer);
    visit(field("profile").asDocument().storedElsewhere(), run.profileJson);
    visit(field("origin"), run.origin);
    visit(field("note"), run.note);
    visit(field("seed"), run.seed);
    visit(required("records").storedElsewhere(), run.records);
}

template <SameAs<Event> T, typename Visitor>
void visitFields(T& event, Visitor&& visit) {
    visit(required("event"), event.kind);
    visit(field("run_id"), event.runId);
    visit(field("case_index").atLeast(-1), event.caseIndex);
    visit(field("case_count"), event.caseCount);
    visit(field("visit_count").atLeast(1), event.visitCount);
    visit(field("visit"), event.visit);
    visit(field("estimate_seconds"), event.estimateSeconds);
    visit(field("cases"), event.cases);
    visit(field("case"), event.spec);
    visit(field("phase"), event.phase);
    visit(field("sample_seconds"), event.sampleSeconds);
    visit(field("median_seconds"), event.medianSeconds);
    visit(field("ci95_low"), event.ciLow);
    visit(field("ci95_high"), event.ciHigh);
    visit(field("sensor"), event.sensor);
    visit(field("record"), event.record);
    visit(field("status"), event.status);
}

}  // namespace steelyard::bench
