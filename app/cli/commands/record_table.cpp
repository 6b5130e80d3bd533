// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/record_table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

std::string interval(const bench::Summary& summary) {
    if (!summary.ci95Low || !summary.ci95High) return "-";
    return fmt::format("{} .. {}", formatSeconds(Seconds(*summary.ci95Low)), formatSeconds(Seconds(*summary.ci95High)));
}

}  // namespace

void printRecords(std::ostream& out, const std::vector<bench::CaseRecord>& records) {
    fmt::print(out, "{:<42} {:>10}  {:<24} {:>17} {:>6} {:>10}  {}\n", "case", "step", "95 % interval", "throughput", "of peak", "memory", "checked");
    for (const auto& record : records) {
        if (!record.stepSeconds) {
            fmt::print(out, "{:<42} {}: {}\n", bench::caseLabel(record.spec), bench::toString(record.status), record.reason);
            continue;
        }
        const auto& summary = *record.stepSeconds;
        const auto rate = record.throughput ? fmt::format("{:.4g} {}", record.throughput->value, record.throughput->unit) : "-";
        const auto share = record.utilization && record.utilization->fraction ? fmt::format("{:.0f} %", 100 * *record.utilization->fraction) : "-";
        const auto memory = record.memory.enginePeakBytes ? formatBytes(Bytes(*record.memory.enginePeakBytes)) : "-";
        fmt::print(out, "{:<42} {:>10}  {:<24} {:>17} {:>6} {:>10}  {}\n", bench::caseLabel(record.spec), formatSeconds(Seconds(summary.median)), interval(summary),
                   rate, share, memory, bench::toString(record.verification.state));
        for (const auto& warning : record.warnings) fmt::print(out, "    warning: {}\n", warning);
    }
}

}  // namespace steelyard::cli
