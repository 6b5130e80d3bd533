// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/check_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cctype>
#include <ostream>

#include "app/cli/visible_output.h"
#include "engine/bench/check/machine_check.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

const char* wordOf(bench::CheckState state) {
    switch (state) {
        case bench::CheckState::Passed:
            return "passed";
        case bench::CheckState::Remarks:
            return "passed, see below";
        case bench::CheckState::Faults:
            return "FAULTS";
        case bench::CheckState::Skipped:
            return "not checked";
        case bench::CheckState::Cancelled:
            return "stopped";
    }
    return "";
}

}  // namespace

std::string checkSubject(bench::CheckKind kind, const std::string& device, const std::string& name) {
    if (device == bench::kMainMemoryDevice) return "main memory";
    const auto what = kind == bench::CheckKind::Memory ? "memory"
                      : kind == bench::CheckKind::Load ? "load"
                                                       : "operations";
    return name.empty() ? fmt::format("{} of {}", what, device) : fmt::format("{} of {} ({})", what, device, name);
}

void printCheckPart(std::ostream& out, const bench::CheckPart& part) {
    fmt::print(out, "{}: {}: {} ({})\n", checkSubject(part.kind, part.device, part.deviceName), wordOf(part.state),
               part.finding.text, formatSeconds(Seconds(part.seconds)));
    if (part.firstMhz && part.lastMhz)
        fmt::print(out, "  clock {} MHz at the beginning, {} MHz at the end\n", formatNumber(*part.firstMhz),
                   formatNumber(*part.lastMhz));
    if (part.hottestCelsius) fmt::print(out, "  at most {:.0f} degrees Celsius\n", *part.hottestCelsius);
    for (const auto& detail : part.details) fmt::print(out, "  - {}\n", detail.text);
}

void printCheckVerdict(std::ostream& out, const bench::CheckReport& report) {
    auto text = bench::verdictMessage(report).text;
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    fmt::print(out, "\n{}.\n", text);
}

}  // namespace steelyard::cli
