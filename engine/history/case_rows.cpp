// SPDX-License-Identifier: Apache-2.0
// Cases and their samples as rows; see rows.h.
#include "engine/history/case_rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/bench/record/record_json.h"
#include "engine/history/packed_samples.h"
#include "engine/history/row_values.h"
#include "engine/history/rows.h"

namespace steelyard::history {
namespace {

using bench::CaseRecord;
using nlohmann::json;

constexpr std::array kColumns{"run_key",
                              "position",
                              "workload",
                              "mode",
                              "device",
                              "device_name",
                              "precision",
                              "batch",
                              "threads",
                              "isa",
                              "data",
                              "optimizer",
                              "seed",
                              "hash",
                              "status",
                              "reason",
                              "started_unix_ms",
                              "median",
                              "ci95_low",
                              "ci95_high",
                              "mean",
                              "mad",
                              "min",
                              "p90",
                              "p99",
                              "n",
                              "steps_per_sample",
                              "throughput_value",
                              "throughput_unit",
                              "flops_per_step",
                              "bytes_per_step",
                              "achieved_flops",
                              "peak_flops",
                              "utilization_fraction",
                              "planned_bytes",
                              "engine_peak_bytes",
                              "process_peak_bytes",
                              "device_peak_bytes",
                              "weight_bytes",
                              "gradient_bytes",
                              "optimizer_bytes",
                              "activation_bytes",
                              "workspace_bytes",
                              "verification_state",
                              "verification_max_relative_error",
                              "verification_tolerance",
                              "verification_loss_first",
                              "verification_loss_last",
                              "verification_reason",
                              "stop_reason",
                              "warm_up_steps",
                              "warm_up_seconds",
                              "compile_seconds",
                              "energy_joules_per_step",
                              "warnings",
                              "conditions",
                              "sensors",
                              "kernels",
                              "part",
                              "achieved_bytes",
                              "peak_bytes",
                              "profile",
                              "input",
                              "parallel"};

std::string insertStatement() {
    std::string names;
    std::string parameters;
    for (const auto* column : kColumns) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", column);
        parameters += fmt::format("{}:{}", parameters.empty() ? "" : ", ", column);
    }
    return fmt::format("INSERT INTO cases ({}) VALUES ({})", names, parameters);
}

// Text that is not UTF-8 is replaced, as in the exported files.
std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void putSpec(RowWriter& row, const bench::Case& spec) {
    row.put("workload", spec.workload);
    row.put("mode", spec.mode);
    row.put("device", spec.device);
    row.put("precision", spec.precision);
    row.put("batch", spec.batch);
    row.put("threads", spec.threads);
    row.put("isa", spec.isa);
    row.put("kernels", spec.kernels);
    row.put("data", spec.data);
    row.put("part", toString(spec.part));
    row.put("optimizer", spec.optimizer);
    row.put("seed", spec.seed);
    row.put("hash", bench::caseHash(spec));
}

void putSummary(RowWriter& row, const CaseRecord& record) {
    const auto& summary = record.stepSeconds;
    // Columns that are not bound are NULL.
    if (summary && std::isfinite(summary->median) && std::isfinite(summary->mean) && std::isfinite(summary->min)) {
        row.put("median", summary->median);
        row.put("ci95_low", summary->ci95Low);
        row.put("ci95_high", summary->ci95High);
        row.put("mean", summary->mean);
        row.put("mad", summary->mad);
        row.put("min", summary->min);
        row.put("p90", summary->p90);
        row.put("p99", summary->p99);
        row.put("n", summary->n);
    }
    if (record.throughput && std::isfinite(record.throughput->value)) {
        row.put("throughput_value", record.throughput->value);
        row.put("throughput_unit", record.throughput->unit);
    }
    if (record.utilization && std::isfinite(record.utilization->achievedFlops)) {
        row.put("achieved_flops", record.utilization->achievedFlops);
        row.put("peak_flops", record.utilization->peakFlops);
        row.put("utilization_fraction", record.utilization->fraction);
        row.put("achieved_bytes", record.utilization->achievedBytes);
        row.put("peak_bytes", record.utilization->peakBytes);
    }
    row.put("flops_per_step", record.flopsPerStep);
    row.put("bytes_per_step", record.bytesPerStep);
}

void putMemory(RowWriter& row, const bench::MemoryUse& memory) {
    row.put("planned_bytes", memory.plannedBytes);
    row.put("engine_peak_bytes", memory.enginePeakBytes);
    row.put("process_peak_bytes", memory.processPeakBytes);
    row.put("device_peak_bytes", memory.devicePeakBytes);
    row.put("weight_bytes", memory.weightBytes);
    row.put("gradient_bytes", memory.gradientBytes);
    row.put("optimizer_bytes", memory.optimizerBytes);
    row.put("activation_bytes", memory.activationBytes);
    row.put("workspace_bytes", memory.workspaceBytes);
}

void putCourse(RowWriter& row, const CaseRecord& record) {
    row.put("device_name", record.deviceName);
    row.put("status", toString(record.status));
    row.put("reason", record.reason);
    row.put("started_unix_ms", record.startedUnixMs);
    row.put("steps_per_sample", record.stepsPerSample);
    row.put("verification_state", toString(record.verification.state));
    row.put("verification_max_relative_error", record.verification.maxRelativeError);
    row.put("verification_tolerance", record.verification.tolerance);
    row.put("verification_loss_first", record.verification.lossFirst);
    row.put("verification_loss_last", record.verification.lossLast);
    row.put("verification_reason", record.verification.reason);
    if (record.stopReason) row.put("stop_reason", toString(*record.stopReason));
    const bool warmUpKnown = std::isfinite(record.warmUp.seconds);
    row.put("warm_up_steps", warmUpKnown ? record.warmUp.steps : 0);
    row.put("warm_up_seconds", warmUpKnown ? record.warmUp.seconds : 0.0);
    row.put("compile_seconds", record.compileSeconds);
    row.put("energy_joules_per_step", record.energyJoulesPerStep);
    row.put("warnings", dump(json(record.warnings)));
    row.put("conditions", dump(json(record.conditions)));
    row.put("sensors", bench::toJson(record.sensors));
    if (record.profile) row.put("profile", bench::toJson(record.profile));
    if (record.input) row.put("input", bench::toJson(record.input));
    if (record.parallel) row.put("parallel", bench::toJson(record.parallel));
}

void insertSamples(SQLite::Database& database, std::int64_t caseKey, const std::vector<double>& samples) {
    if (samples.empty()) return;
    const auto packed = packSamples(samples);
    SQLite::Statement insert(database,
                             "INSERT INTO samples (case_key, count, encoding, crc32, data) "
                             "VALUES (:case_key, :count, :encoding, :crc32, :data)");
    RowWriter row(insert);
    row.put("case_key", caseKey);
    row.put("count", packed.count);
    row.put("encoding", packed.encoding);
    row.put("crc32", std::int64_t{packed.crc32});
    row.putBlob("data", packed.data);
    insert.exec();
}

void getSummary(const RowReader& row, CaseRecord& record) {
    std::optional<double> median;
    row.get("median", median);
    if (median) {
        auto& summary = record.stepSeconds.emplace();
        summary.median = *median;
        row.get("ci95_low", summary.ci95Low);
        row.get("ci95_high", summary.ci95High);
        row.get("mean", summary.mean);
        row.get("mad", summary.mad);
        row.get("min", summary.min);
        row.get("p90", summary.p90);
        row.get("p99", summary.p99);
        row.get("n", summary.n);
    }
    record.throughput = throughputOf(row);
    std::optional<double> achieved;
    row.get("achieved_flops", achieved);
    if (achieved) {
        auto& utilization = record.utilization.emplace();
        utilization.achievedFlops = *achieved;
        row.get("peak_flops", utilization.peakFlops);
        row.get("utilization_fraction", utilization.fraction);
        row.get("achieved_bytes", utilization.achievedBytes);
        row.get("peak_bytes", utilization.peakBytes);
    }
    row.get("flops_per_step", record.flopsPerStep);
    row.get("bytes_per_step", record.bytesPerStep);
}

void getMemory(const RowReader& row, bench::MemoryUse& memory) {
    row.get("planned_bytes", memory.plannedBytes);
    row.get("engine_peak_bytes", memory.enginePeakBytes);
    row.get("process_peak_bytes", memory.processPeakBytes);
    row.get("device_peak_bytes", memory.devicePeakBytes);
    row.get("weight_bytes", memory.weightBytes);
    row.get("gradient_bytes", memory.gradientBytes);
    row.get("optimizer_bytes", memory.optimizerBytes);
    row.get("activation_bytes", memory.activationBytes);
    row.get("workspace_bytes", memory.workspaceBytes);
}

Failure damaged(const char* column) {
    return fail(ErrorKind::CorruptData, "a stored case", fmt::format("{} cannot be read", column));
}

Result<void> getNames(const RowReader& row, CaseRecord& record) {
    const auto status = bench::statusFromString(row.text("status"));
    if (!status) return damaged("status");
    record.status = *status;
    const auto state = bench::verificationStateFromString(row.text("verification_state"));
    if (!state) return damaged("verification_state");
    record.verification.state = *state;
    std::optional<std::string> stopReason;
    row.get("stop_reason", stopReason);
    if (stopReason) {
        record.stopReason = bench::stopReasonFromString(*stopReason);
        if (!record.stopReason) return damaged("stop_reason");
    }
    return {};
}

Result<void> getTexts(const RowReader& row, CaseRecord& record) {
    try {
        record.warnings = json::parse(row.text("warnings")).get<std::vector<std::string>>();
        record.conditions = json::parse(row.text("conditions")).get<std::map<std::string, std::string>>();
    } catch (const json::exception&) {
        return damaged("warnings or conditions");
    }
    auto sensors = bench::sensorsFromJson(row.text("sensors"));
    if (!sensors) return damaged("sensors");
    record.sensors = std::move(*sensors);
    if (!row.isNull("profile")) {
        auto profile = bench::stepProfileFromJson(row.text("profile"));
        if (!profile) return damaged("profile");
        record.profile = std::move(*profile);
    }
    if (!row.isNull("input")) {
        const auto input = bench::inputUseFromJson(row.text("input"));
        if (!input) return damaged("input");
        record.input = *input;
    }
    if (!row.isNull("parallel")) {
        auto parallel = bench::parallelUseFromJson(row.text("parallel"));
        if (!parallel) return damaged("parallel");
        record.parallel = std::move(*parallel);
    }
    return {};
}

Result<void> getSamples(const RowReader& row, CaseRecord& record) {
    if (row.isNull("count")) return {};
    PackedSamples packed;
    row.get("count", packed.count);
    row.get("encoding", packed.encoding);
    std::int64_t crc32 = 0;
    row.get("crc32", crc32);
    packed.crc32 = static_cast<std::uint32_t>(crc32);
    row.get("blob", packed.data);
    ASSIGN(auto samples, unpackSamples(packed));
    record.samplesSeconds = std::move(samples);
    return {};
}

Result<CaseRecord> readCase(const RowReader& row) {
    CaseRecord record;
    record.spec = specOf(row);
    row.get("device_name", record.deviceName);
    row.get("reason", record.reason);
    row.get("started_unix_ms", record.startedUnixMs);
    row.get("steps_per_sample", record.stepsPerSample);
    row.get("verification_max_relative_error", record.verification.maxRelativeError);
    row.get("verification_tolerance", record.verification.tolerance);
    row.get("verification_loss_first", record.verification.lossFirst);
    row.get("verification_loss_last", record.verification.lossLast);
    row.get("verification_reason", record.verification.reason);
    row.get("warm_up_steps", record.warmUp.steps);
    row.get("warm_up_seconds", record.warmUp.seconds);
    row.get("compile_seconds", record.compileSeconds);
    row.get("energy_joules_per_step", record.energyJoulesPerStep);
    getSummary(row, record);
    getMemory(row, record.memory);
    TRY(getNames(row, record));
    TRY(getTexts(row, record));
    TRY(getSamples(row, record));
    return record;
}

}  // namespace

bench::Case specOf(const RowReader& row) {
    bench::Case spec;
    row.get("workload", spec.workload);
    row.get("mode", spec.mode);
    row.get("device", spec.device);
    row.get("precision", spec.precision);
    row.get("batch", spec.batch);
    row.get("threads", spec.threads);
    row.get("isa", spec.isa);
    row.get("kernels", spec.kernels);
    row.get("data", spec.data);
    spec.part = bench::partFromString(row.text("part")).value_or(bench::Part::Step);
    row.get("optimizer", spec.optimizer);
    row.get("seed", spec.seed);
    return spec;
}

std::optional<bench::Throughput> throughputOf(const RowReader& row) {
    std::optional<double> value;
    row.get("throughput_value", value);
    if (!value) return std::nullopt;
    return bench::Throughput{*value, row.text("throughput_unit")};
}

void insertCase(SQLite::Database& database, std::int64_t runKey, const CaseRecord& record) {
    SQLite::Statement next(database, "SELECT coalesce(max(position) + 1, 0) FROM cases WHERE run_key = ?");
    next.bind(1, runKey);
    (void)next.executeStep();
    SQLite::Statement insert(database, insertStatement());
    RowWriter row(insert);
    row.put("run_key", runKey);
    row.put("position", next.getColumn(0).getInt64());
    putSpec(row, record.spec);
    putSummary(row, record);
    putMemory(row, record.memory);
    putCourse(row, record);
    insert.exec();
    insertSamples(database, database.getLastInsertRowid(), record.samplesSeconds);
}

Result<std::vector<CaseRecord>> loadCases(SQLite::Database& database, std::int64_t runKey) {
    SQLite::Statement query(database,
                            "SELECT cases.*, samples.count, samples.encoding, samples.crc32, samples.data AS blob "
                            "FROM cases LEFT JOIN samples ON samples.case_key = cases.key "
                            "WHERE run_key = ? ORDER BY position");
    query.bind(1, runKey);
    std::vector<CaseRecord> records;
    while (query.executeStep()) {
        ASSIGN(auto record, readCase(RowReader(query)));
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace steelyard::history
