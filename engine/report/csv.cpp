// SPDX-License-Identifier: Apache-2.0
// Cases as CSV; see report_writer.h.
#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <utility>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/language_figures.h"
#include "engine/core/clock.h"
#include "engine/core/text.h"
#include "engine/report/report_writer.h"

namespace steelyard::report {
namespace {

using bench::CaseRecord;
using bench::RunRecord;

// The shortest text that parses to the same number.
std::string field(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}
std::string field(std::int64_t value) {
    return fmt::format("{}", value);
}
std::string field(std::uint64_t value) {
    return fmt::format("{}", value);
}
std::string field(int value) {
    return fmt::format("{}", value);
}
std::string field(std::string_view value) {
    return csvText(value);
}
template <std::same_as<Message> T>
std::string field(const T& value) {
    return csvText(value.text);
}
template <typename T>
requires std::is_enum_v<T> std::string field(T value) {
    return std::string(toString(value));
}
template <typename T>
std::string field(const std::optional<T>& value) {
    return value ? field(*value) : std::string();
}

struct Column {
    const char* heading;
    std::string (*value)(const RunRecord&, const CaseRecord&);
};

template <auto member>
std::string summaryField(const RunRecord& /*run*/, const CaseRecord& record) {
    return record.stepSeconds ? field((*record.stepSeconds).*member) : std::string();
}
template <auto member>
std::string memoryField(const RunRecord& /*run*/, const CaseRecord& record) {
    return field(record.memory.*member);
}
template <auto member>
std::string specField(const RunRecord& /*run*/, const CaseRecord& record) {
    return field(record.spec.*member);
}
template <auto member>
std::string verificationField(const RunRecord& /*run*/, const CaseRecord& record) {
    return field(record.verification.*member);
}
template <auto member>
std::string recordField(const RunRecord& /*run*/, const CaseRecord& record) {
    return field(record.*member);
}
template <auto member>
std::string runField(const RunRecord& run, const CaseRecord& /*record*/) {
    return field(run.*member);
}

template <auto member>
std::string tokenField(const RunRecord& /*run*/, const CaseRecord& record) {
    return record.language ? field(bench::tokenTimes(*record.language).*member) : std::string();
}

bool hasOtherState(const CaseRecord& record) {
    return record.figure && !record.figure->others.empty();
}

using bench::Case;
using bench::MemoryUse;
using bench::Summary;
using bench::TokenTimes;
using bench::Verification;

const Column kColumns[] = {
    {"run_id", runField<&RunRecord::id>},
    {"computer", runField<&RunRecord::computer>},
    {"suite", runField<&RunRecord::suite>},
    {"suite_version", runField<&RunRecord::suiteVersion>},
    {"program_version", runField<&RunRecord::programVersion>},
    {"origin", runField<&RunRecord::origin>},
    {"started_utc",
     [](const RunRecord& run, const CaseRecord& record) {
         return formatIsoTime(record.startedUnixMs > 0 ? record.startedUnixMs : run.startedUnixMs);
     }},
    {"workload", specField<&Case::workload>},
    {"mode", specField<&Case::mode>},
    {"device", specField<&Case::device>},
    {"device_name", recordField<&CaseRecord::deviceName>},
    {"precision", specField<&Case::precision>},
    {"batch_samples", specField<&Case::batch>},
    {"threads", specField<&Case::threads>},
    {"isa", specField<&Case::isa>},
    {"data", specField<&Case::data>},
    {"optimizer", specField<&Case::optimizer>},
    {"seed", specField<&Case::seed>},
    {"case_hash", [](const RunRecord&, const CaseRecord& record) { return bench::caseHash(record.spec); }},
    {"status", [](const RunRecord&, const CaseRecord& record) { return field(toString(record.status)); }},
    {"reason", recordField<&CaseRecord::reason>},
    {"step_median_seconds", summaryField<&Summary::median>},
    {"step_ci95_low_seconds", summaryField<&Summary::ci95Low>},
    {"step_ci95_high_seconds", summaryField<&Summary::ci95High>},
    {"step_mean_seconds", summaryField<&Summary::mean>},
    {"step_mad_seconds", summaryField<&Summary::mad>},
    {"step_min_seconds", summaryField<&Summary::min>},
    {"step_p90_seconds", summaryField<&Summary::p90>},
    {"step_p99_seconds", summaryField<&Summary::p99>},
    {"samples_count", summaryField<&Summary::n>},
    {"visits_count",
     [](const RunRecord&, const CaseRecord& record) { return field(static_cast<std::int64_t>(record.visits.size())); }},
    {"disturbed",
     [](const RunRecord&, const CaseRecord& record) { return std::string(bench::wasDisturbed(record) ? "1" : "0"); }},
    {"state_round_trip_seconds",
     [](const RunRecord&, const CaseRecord& record) {
         return record.figure ? field(record.figure->main.roundTripSeconds) : std::string();
     }},
    {"other_state_round_trip_seconds",
     [](const RunRecord&, const CaseRecord& record) {
         return hasOtherState(record) ? field(record.figure->others.front().roundTripSeconds) : std::string();
     }},
    {"other_state_step_median_seconds",
     [](const RunRecord&, const CaseRecord& record) {
         return hasOtherState(record) ? field(record.figure->others.front().medianSeconds) : std::string();
     }},
    {"steps_per_sample", recordField<&CaseRecord::stepsPerSample>},
    {"throughput",
     [](const RunRecord&, const CaseRecord& record) {
         return record.throughput ? field(record.throughput->value) : std::string();
     }},
    {"throughput_unit",
     [](const RunRecord&, const CaseRecord& record) {
         return record.throughput ? field(record.throughput->unit) : std::string();
     }},
    {"step_flops", recordField<&CaseRecord::flopsPerStep>},
    {"step_bytes", recordField<&CaseRecord::bytesPerStep>},
    {"achieved_flops_per_second",
     [](const RunRecord&, const CaseRecord& record) {
         return record.utilization ? field(record.utilization->achievedFlops) : std::string();
     }},
    {"peak_flops_per_second",
     [](const RunRecord&, const CaseRecord& record) {
         return record.utilization ? field(record.utilization->peakFlops) : std::string();
     }},
    {"utilization_fraction",
     [](const RunRecord&, const CaseRecord& record) {
         return record.utilization ? field(record.utilization->fraction) : std::string();
     }},
    {"planned_bytes", memoryField<&MemoryUse::plannedBytes>},
    {"engine_peak_bytes", memoryField<&MemoryUse::enginePeakBytes>},
    {"process_peak_bytes", memoryField<&MemoryUse::processPeakBytes>},
    {"device_peak_bytes", memoryField<&MemoryUse::devicePeakBytes>},
    {"weight_bytes", memoryField<&MemoryUse::weightBytes>},
    {"gradient_bytes", memoryField<&MemoryUse::gradientBytes>},
    {"optimizer_bytes", memoryField<&MemoryUse::optimizerBytes>},
    {"activation_bytes", memoryField<&MemoryUse::activationBytes>},
    {"workspace_bytes", memoryField<&MemoryUse::workspaceBytes>},
    {"verification",
     [](const RunRecord&, const CaseRecord& record) { return field(toString(record.verification.state)); }},
    {"max_relative_error", verificationField<&Verification::maxRelativeError>},
    {"tolerance", verificationField<&Verification::tolerance>},
    {"loss_first", verificationField<&Verification::lossFirst>},
    {"loss_last", verificationField<&Verification::lossLast>},
    {"stop_reason",
     [](const RunRecord&, const CaseRecord& record) {
         return record.stopReason ? field(toString(*record.stopReason)) : std::string();
     }},
    {"warm_up_seconds", [](const RunRecord&, const CaseRecord& record) { return field(record.warmUp.seconds); }},
    {"compile_seconds", recordField<&CaseRecord::compileSeconds>},
    {"step_energy_joules", recordField<&CaseRecord::energyJoulesPerStep>},
    {"achieved_bytes_per_second",
     [](const RunRecord&, const CaseRecord& record) {
         return record.utilization ? field(record.utilization->achievedBytes) : std::string();
     }},
    {"peak_bytes_per_second",
     [](const RunRecord&, const CaseRecord& record) {
         return record.utilization ? field(record.utilization->peakBytes) : std::string();
     }},
    {"precision_cost_rms",
     [](const RunRecord&, const CaseRecord& record) {
         return record.precisionCost ? field(record.precisionCost->relativeRms) : std::string();
     }},
    {"top_class_agreement",
     [](const RunRecord&, const CaseRecord& record) {
         return record.precisionCost ? field(record.precisionCost->topClassAgreement) : std::string();
     }},
    {"cache_bytes",
     [](const RunRecord&, const CaseRecord& record) {
         return record.language ? field(record.language->cacheBytes) : std::string();
     }},
    {"first_token_seconds", tokenField<&TokenTimes::firstSeconds>},
    {"token_p50_seconds", tokenField<&TokenTimes::p50Seconds>},
    {"token_p90_seconds", tokenField<&TokenTimes::p90Seconds>},
    {"token_p99_seconds", tokenField<&TokenTimes::p99Seconds>},
    {"token_growth", tokenField<&TokenTimes::growth>},
    {"token_energy_joules",
     [](const RunRecord&, const CaseRecord& record) { return field(bench::joulesPerToken(record)); }},
    {"warnings",
     [](const RunRecord&, const CaseRecord& record) {
         std::string text;
         for (const auto& warning : record.warnings) text += (text.empty() ? "" : "; ") + warning.text;
         return csvText(text);
     }},
};

}  // namespace

std::string toCsv(std::span<const RunRecord> runs) {
    std::string text;
    for (const auto& column : kColumns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.heading);
    text += "\n";
    for (const auto& run : runs) {
        for (const auto& record : run.records) {
            std::string line;
            bool isFirst = true;
            for (const auto& column : kColumns) {
                if (!std::exchange(isFirst, false)) line += ',';
                line += column.value(run, record);
            }
            text += line + "\n";
        }
    }
    return text;
}

}  // namespace steelyard::report
