// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/disturbance.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

// Prefix of messages::otherLoad in English, which older records store as plain text.
constexpr std::string_view kLoadWarning = "Other programs keep ";
// In the same warning, after the number of threads, in records from before messages had ids.
constexpr std::string_view kThreadsWarning = " usable cores: ";

std::optional<double> numberOf(const CaseRecord& record, std::string_view name) {
    const auto found = record.conditions.find(std::string(name));
    if (found == record.conditions.end()) return std::nullopt;
    double value = 0;
    const auto& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool hasMoreThreadsThanCores(const CaseRecord& record) {
    return std::any_of(record.warnings.begin(), record.warnings.end(), [](const Message& warning) {
        return warning.id == messages::tooManyThreads.id || warning.text.find(kThreadsWarning) != std::string::npos;
    });
}

}  // namespace

std::optional<double> recordedLoad(const CaseRecord& record) {
    auto highest = numberOf(record, kOtherLoadCondition);
    if (hasMoreThreadsThanCores(record)) return highest;
    for (const auto* name : {"cpu_pressure_start", "cpu_pressure_end"}) {
        const auto pressure = numberOf(record, name);
        if (pressure && (!highest || *pressure > *highest)) highest = pressure;
    }
    return highest;
}

bool wasDisturbed(const CaseRecord& record) {
    if (record.figure) return record.figure->disturbed;
    if (recordedLoad(record).value_or(0) > kDisturbedLoad) return true;
    return std::any_of(record.warnings.begin(), record.warnings.end(),
                       [](const Message& warning) { return warning.text.starts_with(kLoadWarning); });
}

std::size_t disturbedCount(const RunRecord& run) {
    return static_cast<std::size_t>(std::count_if(run.records.begin(), run.records.end(), [](const CaseRecord& record) {
        return record.status == Status::Ok && wasDisturbed(record);
    }));
}

}  // namespace steelyard::bench
