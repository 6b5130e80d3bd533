// SPDX-License-Identifier: Apache-2.0
#include "ui/text/report_text.h"

#include <QLocale>

#include "ui/text/format.h"

namespace steelyard::ui {

report::ReportTexts ReportText::texts() {
    const auto word = [](const QString& text) { return text.toStdString(); };
    report::ReportTexts t;
    t.money = Format::currency();
    t.language = QLocale().bcp47Name().toStdString();
    t.title = word(tr("Deep-learning benchmark report"));
    t.writtenBy = word(tr("Written by Steelyard %1 on %2."));
    t.runHeading = word(tr("Run %1 on %2"));
    t.unnamedComputer = word(tr("an unnamed computer"));
    t.casesEndedOk = word(tr("%1 of %2 cases were measured."));
    t.runId = word(tr("Run"));
    t.suite = word(tr("Suite"));
    t.suiteVersion = word(tr("%1 (version %2)"));
    t.program = word(tr("Program"));
    t.started = word(tr("Started (UTC)"));
    t.finished = word(tr("Finished (UTC)"));
    t.notFinished = word(tr("not finished"));
    t.origin = word(tr("Origin"));
    t.note = word(tr("Note"));
    t.seed = word(tr("Seed"));
    t.processor = word(tr("Processor"));
    t.processorValue = word(tr("%1 (%2 cores, %3 allowed)"));
    t.memory = word(tr("Memory"));
    t.gpu = word(tr("GPU"));
    t.system = word(tr("System"));
    t.results = word(tr("Results"));
    t.workload = word(tr("Workload"));
    t.mode = word(tr("Mode"));
    t.device = word(tr("Device"));
    t.precision = word(tr("Precision"));
    t.batch = word(tr("Batch"));
    t.threads = word(tr("Threads"));
    t.stepTime = word(tr("Step time (median)"));
    t.interval = word(tr("95 % interval"));
    t.intervalValue = word(tr("%1 to %2"));
    t.samples = word(tr("Samples"));
    t.throughput = word(tr("Throughput"));
    t.utilization = word(tr("Of peak"));
    t.memoryPeak = word(tr("Peak memory"));
    t.verification = word(tr("Verified"));
    t.stopReason = word(tr("Stopped by"));
    t.languageModels = word(tr("Language models"));
    t.languageNote =
        word(tr("Decoding reads weights and cache once for each token; in parentheses, the share of the bandwidth that "
                "was measured in the same process. Times of tokens are of generated text: to the first one behind the "
                "prompt, and between two others in the middle, at the 90th and at the 99th percentile."));
    t.weights = word(tr("Weights"));
    t.cache = word(tr("Key-value cache"));
    t.memoryRead = word(tr("Memory read"));
    t.joulesPerToken = word(tr("Joules per token"));
    t.firstToken = word(tr("First token"));
    t.betweenTokens = word(tr("Between tokens (50 %)"));
    t.betweenTokens90 = word(tr("90 %"));
    t.betweenTokens99 = word(tr("99 %"));
    t.notMeasured = word(tr("Not measured"));
    t.status = word(tr("Status"));
    t.reason = word(tr("Reason"));
    t.comparison = word(tr("Compared with run %1"));
    t.baseTime = word(tr("Base"));
    t.otherTime = word(tr("This run"));
    t.ratio = word(tr("Time ratio"));
    t.verdict = word(tr("Verdict"));
    t.verdictMethod =
        word(tr("Faster or slower needs a t-test between visits in the same state of the machine (5 % false discovery "
                "rate over all cases) and medians at least 2 % apart. The ratio is this run's median over the base's; "
                "below 1 is faster."));
    t.tooFewVisits = word(tr("too few visits, and no earlier runs that show how much results vary from run to run"));
    t.otherState = word(tr("the machine was in another state in each run"));
    t.machineMoved = word(tr("it changed by the same factor as the whole machine"));
    t.withinNoise = word(tr("the difference is within the noise (p = %1)"));
    t.tooClose = word(tr("the medians differ by less than 2 %"));
    t.disturbed = word(tr("other programs used the CPU during the measurement"));
    t.disturbedCase = word(tr("disturbed"));
    t.machineState = word(tr("Machine state"));
    t.resultsNote =
        word(tr("A 95 % interval is where another run with as many visits is expected. The machine state is the round "
                "trip of a cache line between the cores, with the step time in the other states in parentheses; "
                "“disturbed” means that other programs used the CPU in every window."));
    t.disturbedRun = word(tr("Disturbed by other programs, and unreliable: %1 of them."));
    t.peakDisturbed = word(tr("– (peak was measured while busy)"));
    t.differs = word(tr("%1 differs (%2, %3)"));
    t.noResult = word(tr("run %1 has no result (%2)"));
    t.charts = word(tr("Charts"));
    t.chartTitle = word(tr("%1, %2: time per step"));
    t.chartNote = word(tr("Bars are medians, whiskers their 95 % intervals. Shorter is faster."));
    t.check = word(tr("Machine check of %1 UTC"));
    t.checkPart = word(tr("Part"));
    t.checkResult = word(tr("Result"));
    t.checkFinding = word(tr("Finding"));
    t.mainMemory = word(tr("main memory"));
    t.method = word(tr("Method"));
    t.conditions = word(tr("Conditions"));
    t.condition = word(tr("Condition"));
    t.value = word(tr("Value"));
    t.warnings = word(tr("Warnings"));
    t.warning = word(tr("Warning"));
    t.allCases = word(tr("all %1 cases"));
    t.batchOf = word(tr("batch"));
    t.caseName = word(tr("Case"));
    t.rawData = word(tr("Raw samples"));
    t.rawNote = word(tr("Seconds per step, in the order in which they were taken."));
    t.stepsPerSample = word(tr("Steps per sample"));
    t.outliers = word(tr("Outliers"));
    t.methodParagraphs = {
        word(tr("Each case is first verified on its device against a simple reference implementation, or marked as not "
                "checked with the reason. Creation of primitives, selection of algorithms and first accesses happen "
                "before timing, during compilation and an adaptive warm-up.")),
        word(tr("A sample is one synchronised step, or several if a step takes less than 1 ms. At least 10 samples are "
                "taken; sampling stops when half the 95 % interval of the median is below the limit, when the noise no "
                "longer changes, or at the time limit. Intervals are computed from order statistics, without "
                "assumptions about the distribution. Outliers are kept.")),
        word(tr("Data is on the device before timing unless a case says otherwise. Utilisation is the network's "
                "floating-point operations divided by the time and by the peak measured on the same device. Unknown "
                "values are shown as a dash."))};
    setNames(t);
    return t;
}

void ReportText::setNames(report::ReportTexts& t) {
    const std::pair<const char*, QString> names[] = {
        {"ok", tr("ok")},
        {"out_of_memory", tr("out of memory")},
        {"unsupported", tr("unsupported")},
        {"timed_out", tr("timed out")},
        {"cancelled", tr("cancelled")},
        {"failed", tr("failed")},
        {"crashed", tr("crashed")},
        {"passed", tr("passed")},
        {"remarks", tr("passed, with remarks")},
        {"faults", tr("faults")},
        {"skipped", tr("not checked")},
        {"memory", tr("memory")},
        {"operations", tr("operations")},
        {"load", tr("sustained load")},
        {"pass", tr("yes")},
        {"fail", tr("failed")},
        {"not_checked", tr("not checked")},
        {"precision", tr("precision")},
        {"noise_stable", tr("stable noise")},
        {"time_cap", tr("time cap")},
        {"sustained", tr("whole time")},
        {"train", tr("training")},
        {"infer", tr("inference")},
        {"measured", tr("measured here")},
        {"imported", tr("imported")},
        {"faster", tr("faster")},
        {"slower", tr("slower")},
        {"no evidence", tr("no evidence")},
        {"not comparable", tr("not comparable")},
        {"suite_version", tr("suite version")},
        {"device_name", tr("device")},
    };
    for (const auto& [name, text] : names) t.names[name] = text.toStdString();
}

}  // namespace steelyard::ui
