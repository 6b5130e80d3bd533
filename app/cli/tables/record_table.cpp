// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/record_table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "engine/bench/measure/step_profile.h"
#include "engine/bench/multi_device/scaling_tables.h"
#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/language_figures.h"
#include "engine/bench/record/peak_fraction.h"
#include "engine/core/text.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

std::string interval(const bench::Summary& summary) {
    if (!summary.ci95Low || !summary.ci95High) return "-";
    return fmt::format("{} .. {}", formatSeconds(Seconds(*summary.ci95Low)), formatSeconds(Seconds(*summary.ci95High)));
}

std::string nanoseconds(double seconds) {
    return fmt::format("{:.0f} ns", seconds * 1e9);
}

// What the result alone does not show: disturbances, and the results in the machine's other states.
void printFigure(std::ostream& out, const bench::CaseRecord& record) {
    if (!record.figure) {
        if (bench::wasDisturbed(record)) fmt::print(out, "    disturbed: other programs used the CPU\n");
        return;
    }
    const auto& figure = *record.figure;
    if (figure.disturbed && figure.disturbedWindows == 0)
        fmt::print(out, "    disturbed: the machine state changed in every window\n");
    else if (figure.disturbed)
        fmt::print(out, "    disturbed: other programs took up to {:.1f} CPUs\n", figure.worstOtherCpus.value_or(0));
    if (!figure.disturbed && !figure.low && record.visits.size() > 1)
        fmt::print(out,
                   "    no interval: in the other {} of {} visits, other programs used the CPU or the machine state "
                   "changed\n",
                   record.visits.size() - figure.main.visitSeconds.size(), record.visits.size());
    for (const auto& state : figure.others)
        if (state.roundTripSeconds && figure.main.roundTripSeconds)
            fmt::print(out, "    in another machine state ({} core-to-core latency instead of {}): {}\n",
                       nanoseconds(*state.roundTripSeconds), nanoseconds(*figure.main.roundTripSeconds),
                       formatSeconds(Seconds(state.medianSeconds)));
}

// Operations below this share of the step are grouped.
constexpr double kShownShare = 0.002;

void printInputs(std::ostream& out, const std::vector<bench::CaseRecord>& records) {
    for (const auto& record : records) {
        if (record.spec.part != bench::Part::Together || !record.input || !record.input->pipelineLimits) continue;
        const auto& input = *record.input;
        fmt::print(out, "\n{}: {} limits; the step waits {:.0f} % of the time, {} thread{} could make {} samples/s\n",
                   visible(bench::caseLabel(record.spec)), *input.pipelineLimits ? "the input pipeline" : "the step",
                   100 * input.waitFraction.value_or(0), input.producers, input.producers == 1 ? "" : "s",
                   input.producibleSamples ? fmt::format("{:.4g}", *input.producibleSamples) : "-");
    }
}

void printLanguage(std::ostream& out, const std::vector<bench::CaseRecord>& records) {
    const auto ms = [](const std::optional<double>& seconds) {
        return seconds ? fmt::format("{:.1f} ms", *seconds * 1e3) : std::string("-");
    };
    for (const auto& record : records) {
        if (!record.language || !record.stepSeconds) continue;
        const auto& use = *record.language;
        fmt::print(out, "\n{}: weights {}, cache {}", visible(bench::caseLabel(record.spec)),
                   formatBytes(Bytes(use.weightBytes)), formatBytes(Bytes(use.cacheBytes)));
        if (record.utilization && record.utilization->achievedBytes)
            fmt::print(out, ", {:.1f} GB/s", *record.utilization->achievedBytes * 1e-9);
        if (record.utilization && record.utilization->achievedBytes && record.utilization->peakBytes)
            fmt::print(out, " of {:.1f} GB/s ({})", *record.utilization->peakBytes * 1e-9,
                       record.conditions.contains("peak_bytes_of") ? record.conditions.at("peak_bytes_of")
                                                                   : std::string("measured"));
        if (const auto joules = bench::joulesPerToken(record)) fmt::print(out, ", {:.3g} J/token", *joules);
        if (record.verification.state == bench::VerificationState::Pass && use.checkedLayers < use.layers)
            fmt::print(out, "; verified: {} of {} layers and the head", use.checkedLayers, use.layers);
        out << "\n";
        if (use.tokenSeconds.empty()) continue;
        const auto times = bench::tokenTimes(use);
        fmt::print(out, "    first token after {}; between tokens {} (p50), {} (p90), {} (p99)", ms(times.firstSeconds),
                   ms(times.p50Seconds), ms(times.p90Seconds), ms(times.p99Seconds));
        if (times.growth)
            fmt::print(out, "; the last quarter of the tokens took {:.2f} times as long as the first", *times.growth);
        out << "\n";
    }
}

void printPrecisionCost(std::ostream& out, const std::vector<bench::CaseRecord>& records) {
    for (const auto& record : records) {
        if (!record.precisionCost) continue;
        const auto& cost = *record.precisionCost;
        fmt::print(out, "\n{}: the outputs differ from those of fp32 by {:.2g} % (relative RMS, {} samples)",
                   visible(bench::caseLabel(record.spec)), 100 * cost.relativeRms, cost.samples);
        if (cost.topClassAgreement) fmt::print(out, "; top-1 agreement {:.1f} %", 100 * *cost.topClassAgreement);
        out << "\n";
    }
}

void printProfile(std::ostream& out, const bench::CaseRecord& record) {
    const auto& profile = *record.profile;
    const auto ms = [](double seconds) { return fmt::format("{:.3f} ms", seconds * 1e3); };
    fmt::print(out, "\n{}: time per operation (mean of {} profiled steps)\n", visible(bench::caseLabel(record.spec)),
               profile.steps);
    fmt::print(out, "step {}, sum of operations {}", ms(profile.stepSeconds), ms(profile.sumSeconds()));
    if (record.stepSeconds) fmt::print(out, "; unprofiled {}", ms(record.stepSeconds->median));
    out << "\n";
    for (const auto& share : bench::sharesByKind(profile))
        fmt::print(out, "{:>12} {:>6.1f} %  {}\n", ms(share.seconds), 100 * share.share, share.what);
    auto operations = profile.operations;
    std::stable_sort(operations.begin(), operations.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    fmt::print(out, "\n{:>12} {:>8} {:>9}  {:<40} {}\n", "time", "share", "GFLOP/s", "operation", "kernel");
    double rest = 0;
    int small = 0;
    for (const auto& operation : operations) {
        const double share = profile.stepSeconds > 0 ? operation.seconds / profile.stepSeconds : 0;
        if (share < kShownShare) {
            rest += operation.seconds;
            ++small;
            continue;
        }
        const auto rate = operation.flops && operation.seconds > 0
                              ? fmt::format("{:.1f}", *operation.flops / operation.seconds * 1e-9)
                              : "-";
        fmt::print(out, "{:>12} {:>6.1f} % {:>9}  {:<40} {}\n", ms(operation.seconds), 100 * share, rate,
                   operation.name, operation.kernel);
    }
    if (small > 0)
        fmt::print(out, "{:>12} {:>6.1f} %            {} smaller operations\n", ms(rest),
                   profile.stepSeconds > 0 ? 100 * rest / profile.stepSeconds : 0, small);
}

void printScaling(std::ostream& out, const std::vector<bench::CaseRecord>& records) {
    const auto share = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.0f} %", 100 * *value) : std::string("-");
    };
    const auto ofNodes = [](const bench::ScalingLine& line) {
        if (!line.predicted || !line.predictedLow || !line.predictedHigh) return std::string();
        return fmt::format("  {:>20} {:>15}  {}",
                           fmt::format("{:.0f} % ({:.0f} to {:.0f})", 100 * *line.predicted, 100 * *line.predictedLow,
                                       100 * *line.predictedHigh),
                           line.busBandwidth ? fmt::format("{:.3f} GB/s", *line.busBandwidth / 1e9) : "-",
                           visible(line.slowestHost));
    };
    for (const auto& table : bench::scalingTables(records)) {
        const auto* what = table.kind == bench::ScalingKind::Strong ? "global batch {} (strong scaling)"
                           : table.kind == bench::ScalingKind::Weak ? "batch {} per device (weak scaling)"
                                                                    : "independent jobs of batch {}, one per device";
        fmt::print(out, "\n{} {} {}, {}\n", table.workload, toString(table.mode), toString(table.precision),
                   fmt::format(fmt::runtime(what), table.batch));
        fmt::print(out, "{:>5} {:>12} {:>14} {:>8} {:>10} {:>12} {:>12}{}\n", table.ofNodes ? "nodes" : "GPUs", "step",
                   "throughput", "speedup", "efficiency", "exchange", "exposed",
                   table.ofNodes ? "  predicted efficiency   bus bandwidth  slowest" : "");
        for (const auto& line : table.lines) {
            const auto& record = records[line.record];
            fmt::print(out, "{:>5} {:>12} {:>14} {:>8.2f} {:>8.0f} % {:>12} {:>12}{}\n", line.devices,
                       formatSeconds(Seconds(record.stepSeconds ? record.stepSeconds->median : 0)),
                       formatRate(line.samplesPerSecond, record.throughput->unit), line.row.speedup,
                       100 * line.row.efficiency, share(line.row.exchangeShare), share(line.row.exposedShare),
                       ofNodes(line));
        }
    }
}

}  // namespace

void printRecords(std::ostream& out, const std::vector<bench::CaseRecord>& records) {
    fmt::print(out, "{:<42} {:>10}  {:<24} {:>17} {:>6} {:>10}  {}\n", "case", "step", "95 % interval", "throughput",
               "of peak", "memory", "verification");
    for (const auto& record : records) {
        if (!record.stepSeconds) {
            fmt::print(out, "{:<42} {}: {}\n", visible(bench::caseLabel(record.spec)), bench::toString(record.status),
                       visible(record.reason.text));
            continue;
        }
        const auto& summary = *record.stepSeconds;
        const auto median = bench::medianRate(record);
        const auto rate = median ? formatRate(*median, record.throughput->unit) : "-";
        const auto peak = bench::peakFraction(record);
        const auto share = peak ? fmt::format("{:.0f} %", 100 * peak->fraction) : "-";
        const auto memory = record.memory.enginePeakBytes ? formatBytes(Bytes(*record.memory.enginePeakBytes)) : "-";
        fmt::print(out, "{:<42} {:>10}  {:<24} {:>17} {:>6} {:>10}  {}\n", visible(bench::caseLabel(record.spec)),
                   formatSeconds(Seconds(summary.median)), interval(summary), rate, share, memory,
                   bench::toString(record.verification.state));
        if (bench::peakWasDisturbed(record))
            fmt::print(out, "    of peak: unknown; other programs used the device while its peak was measured\n");
        printFigure(out, record);
        for (const auto& warning : record.warnings) fmt::print(out, "    warning: {}\n", warning.text);
    }
    const auto disturbed = std::count_if(records.begin(), records.end(), [](const bench::CaseRecord& record) {
        return record.status == bench::Status::Ok && bench::wasDisturbed(record);
    });
    if (disturbed > 0)
        fmt::print(out,
                   "{} of {} cases were measured while other programs used the CPU: their results are unreliable and "
                   "are not compared or used for recommendations; close these programs and measure the cases again\n",
                   disturbed, records.size());
    printInputs(out, records);
    printLanguage(out, records);
    printPrecisionCost(out, records);
    printScaling(out, records);
    for (const auto& record : records)
        if (record.profile) printProfile(out, record);
}

}  // namespace steelyard::cli
