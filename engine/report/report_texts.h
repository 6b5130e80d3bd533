// SPDX-License-Identifier: Apache-2.0
// Every text of a report, in English; the window replaces them with translations. %1, %2, ... are placeholders. A
// value.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/core/money.h"

namespace steelyard::report {

struct ReportTexts {
    std::string language = "en";  // BCP 47
    std::string title = "Deep-learning benchmark report";
    std::string writtenBy = "Written by Steelyard %1 on %2.";

    std::string runHeading = "Run %1 on %2";
    std::string unnamedComputer = "an unnamed computer";
    std::string casesEndedOk = "%1 of %2 cases were measured.";
    std::string runId = "Run";
    std::string suite = "Suite";
    std::string suiteVersion = "%1 (version %2)";
    std::string program = "Program";
    std::string started = "Started (UTC)";
    std::string finished = "Finished (UTC)";
    std::string notFinished = "not finished";
    std::string origin = "Origin";
    std::string note = "Note";
    std::string seed = "Seed";
    std::string processor = "Processor";
    std::string processorValue = "%1 (%2 cores, %3 allowed)";
    std::string memory = "Memory";
    std::string gpu = "GPU";
    std::string system = "System";

    std::string results = "Results";
    std::string workload = "Workload";
    std::string mode = "Mode";
    std::string device = "Device";
    std::string precision = "Precision";
    std::string batch = "Batch";
    std::string batchOf = "batch";  // before a number
    std::string threads = "Threads";
    std::string stepTime = "Step time (median)";
    std::string interval = "95 % interval";
    std::string intervalValue = "%1 to %2";
    std::string samples = "Samples";
    std::string throughput = "Throughput";
    std::string utilization = "Of peak";
    std::string peakDisturbed = "\u2013 (peak was measured while busy)";
    std::string memoryPeak = "Peak memory";
    std::string verification = "Verified";
    std::string stopReason = "Stopped by";

    std::string languageModels = "Language models";
    std::string languageNote =
        "Decoding reads weights and cache once for each token; in parentheses, the share of the bandwidth that was "
        "measured in the same process. Times of tokens are of generated text: to the first one behind the prompt, and "
        "between two others in the middle, at the 90th and at the 99th percentile.";
    std::string weights = "Weights";
    std::string cache = "Key-value cache";
    std::string memoryRead = "Memory read";
    std::string joulesPerToken = "Joules per token";
    std::string firstToken = "First token";
    std::string betweenTokens = "Between tokens (50 %)";
    std::string betweenTokens90 = "90 %";
    std::string betweenTokens99 = "99 %";

    std::string notMeasured = "Not measured";
    std::string status = "Status";
    std::string reason = "Reason";

    std::string comparison = "Compared with run %1";
    std::string baseTime = "Base";
    std::string otherTime = "This run";
    std::string ratio = "Time ratio";
    std::string verdict = "Verdict";
    std::string verdictMethod =
        "Faster or slower needs a t-test between visits in the same state of the machine (5 % false discovery rate "
        "over "
        "all cases) and medians at least 2 % apart. The ratio is this run's median over the base's; below 1 is faster.";

    std::string tooFewVisits = "too few visits, and no earlier runs that show how much results vary from run to run";
    std::string otherState = "the machine was in another state in each run";
    std::string machineMoved = "it changed by the same factor as the whole machine";
    std::string withinNoise = "the difference is within the noise (p = %1)";
    std::string tooClose = "the medians differ by less than 2 %";
    std::string disturbed = "other programs used the CPU during the measurement";
    std::string disturbedCase = "disturbed";
    std::string machineState = "Machine state";
    std::string resultsNote =
        "A 95 % interval is where another run with as many visits is expected. The machine state is the round trip of "
        "a cache line between the cores, with the step time in the other states in parentheses; \u201cdisturbed\u201d "
        "means that other programs used the CPU in every window.";
    std::string disturbedRun = "Disturbed by other programs, and unreliable: %1 of them.";
    std::string differs = "%1 differs (%2, %3)";
    std::string noResult = "run %1 has no result (%2)";

    std::string recommendation = "Recommendation for %1, %2";
    std::string recommendationNote =
        "For %1 steps of %2 samples in %3 with %4. Times are predicted, not measured, with 80 % prediction intervals. "
        "Cost is time including start-up at the dated price of the offer.";
    std::string nothingCanDoIt = "no machine can run it";
    std::string choice = "Choice";
    std::string ranking = "Ranking for %1, %2: %3";
    std::string rankingNote = "Predicted; best first.";
    std::string rank = "Rank";
    std::string machine = "Machine";
    std::string hours = "Hours";
    std::string band = "80 % interval";
    std::string cost = "Cost in %1";
    std::string priceOf = "Price date";
    std::string basis = "Basis";
    std::string why = "Why";
    std::string costChart = "Predicted cost of %1, %2";
    std::string costChartNote = "Whiskers are 80 % prediction intervals.";
    std::string backtest = "Error of the predictions";
    std::string backtestNote =
        "The predictor on published measurements. Devices and families that are left out were not part of the fit; "
        "transferred rows use the shipped constants. The error is predicted over measured, minus one; the last column "
        "is the fraction within an 80 % interval that was fitted without the device or the family.";
    std::string className = "Class";
    std::string rows = "Measurements";
    std::string medianError = "Median error";
    std::string percentile90 = "90th percentile";
    std::string coverage = "Within interval";

    std::string charts = "Charts";
    std::string chartTitle = "%1, %2: time per step";
    std::string chartNote = "Bars are medians, whiskers their 95 % intervals. Shorter is faster.";

    std::string check = "Machine check of %1 UTC";
    std::string checkPart = "Part";
    std::string checkResult = "Result";
    std::string checkFinding = "Finding";
    std::string mainMemory = "main memory";

    std::string method = "Method";
    std::vector<std::string> methodParagraphs{
        "Each case is first verified on its device against a simple reference implementation, or marked as not checked "
        "with the reason. Creation of primitives, selection of algorithms and first accesses happen before timing, "
        "during compilation and an adaptive warm-up.",
        "A sample is one synchronised step, or several if a step takes less than 1 ms. At least 10 samples are taken; "
        "sampling stops when half the 95 % interval of the median is below the limit, when the noise no longer "
        "changes, or at the time limit. Intervals are computed from order statistics, without assumptions about the "
        "distribution. Outliers are kept.",
        "Data is on the device before timing unless a case says otherwise. Utilisation is the network's floating-point "
        "operations divided by the time and by the peak measured on the same device. Unknown values are shown as a "
        "dash."};

    std::string conditions = "Conditions";
    std::string condition = "Condition";
    std::string value = "Value";
    std::string warnings = "Warnings";
    std::string warning = "Warning";
    std::string allCases = "all %1 cases";
    std::string caseName = "Case";

    std::string rawData = "Raw samples";
    std::string rawNote = "Seconds per step, in the order in which they were taken.";
    std::string stepsPerSample = "Steps per sample";
    std::string outliers = "Outliers";
    std::string unknown = "\xe2\x80\x93";  // en dash

    ExchangeRate money;  // of the currency of amounts

    // By the stable names in records; names not listed are shown as they are.
    std::map<std::string, std::string> names{
        {"ok", "ok"},
        {"out_of_memory", "out of memory"},
        {"unsupported", "unsupported"},
        {"timed_out", "timed out"},
        {"cancelled", "cancelled"},
        {"failed", "failed"},
        {"crashed", "crashed"},
        {"passed", "passed"},
        {"remarks", "passed, with remarks"},
        {"faults", "faults"},
        {"skipped", "not checked"},
        {"memory", "memory"},
        {"operations", "operations"},
        {"load", "sustained load"},
        {"pass", "yes"},
        {"fail", "failed"},
        {"not_checked", "not checked"},
        {"precision", "precision"},
        {"noise_stable", "stable noise"},
        {"time_cap", "time cap"},
        {"sustained", "whole time"},
        {"train", "training"},
        {"infer", "inference"},
        {"measured", "measured here"},
        {"imported", "imported"},
        {"faster", "faster"},
        {"slower", "slower"},
        {"no evidence", "no evidence"},
        {"not comparable", "not comparable"},
        {"suite_version", "suite version"},
        {"device_name", "device"},
        {"cheapest", "cheapest"},
        {"fastest", "fastest"},
        {"balanced", "balanced"},
        {"anchored", "predicted, anchored"},
        {"extrapolated", "predicted, extrapolated"},
    };

    // Converts messages in records to text; not set: English, and the identifier.
    std::function<std::string(const Message&)> ofMessage;
    std::function<std::string(std::string_view workload)> ofWorkload;
    std::function<std::string(std::string_view condition)> ofCondition;

    [[nodiscard]] std::string nameOf(std::string_view name) const;
    [[nodiscard]] std::string text(const Message& message) const {
        return ofMessage ? ofMessage(message) : message.text;
    }
    [[nodiscard]] std::string workloadName(const std::string& id) const { return ofWorkload ? ofWorkload(id) : id; }
    [[nodiscard]] std::string conditionName(const std::string& id) const { return ofCondition ? ofCondition(id) : id; }
};

// Replaces the placeholders of "%1 of %2"; inserted values are not expanded again.
[[nodiscard]] std::string fillIn(std::string_view text, std::initializer_list<std::string_view> values);

}  // namespace steelyard::report
