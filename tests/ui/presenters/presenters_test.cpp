// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "engine/bench/record/peak_fraction.h"
#include "tests/ui/support/sample_data.h"
#include "ui/presenters/hardware_presenter.h"
#include "ui/presenters/history/compare_presenter.h"
#include "ui/presenters/home_presenter.h"
#include "ui/presenters/results/ladder_presenter.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/presenters/results/sweep_presenter.h"

namespace steelyard::ui {
namespace {

const WorkloadCatalogue kCatalogue = sample::catalogue();

TEST(ResultsPresenter, TrainingAndInferenceHaveOneScale) {
    auto run = sample::run();
    const WorkloadCatalogue catalogue = sample::catalogue();
    for (const auto unit : {SpeedUnit::SamplesPerSecond, SpeedUnit::SecondsPerStep, SpeedUnit::FlopRate}) {
        const ResultsPresenter presenter(run, catalogue);
        const auto training = presenter.speed(plan::Mode::Train, unit),
                   inference = presenter.speed(plan::Mode::Infer, unit);
        ASSERT_TRUE(training.y.span && inference.y.span);
        EXPECT_EQ(training.y, inference.y);
        for (const auto* chart : {&training, &inference})
            for (const auto& series : chart->series)
                for (const auto& point : series.points)
                    if (point.y) {
                        EXPECT_GE(*point.y, training.y.span->low);
                        EXPECT_LE(*point.y, training.y.span->high);
                    }
    }
}

TEST(WorkloadCatalogue, TitlesSayTheOptions) {
    EXPECT_EQ(kCatalogue.titleOf("resnet50"), "ResNet-50");
    EXPECT_EQ(kCatalogue.titleOf("resnet50(size=96)"), "ResNet-50 (size 96)");
    EXPECT_EQ(kCatalogue.titleOf("from_elsewhere(size=96)"), "from_elsewhere(size=96)");
    // Networks in files are identified by hash, independent of the path and options.
    auto catalogue = kCatalogue;
    catalogue.workloads.push_back({"/a/net.onnx(batch=8)#1a2b3c4d", "Fraud model", "own"});
    EXPECT_EQ(catalogue.titleOf("/a/net.onnx(batch=8)#1a2b3c4d"), "Fraud model");
    EXPECT_EQ(catalogue.titleOf("/b/other.onnx#1a2b3c4d"), "Fraud model");
    EXPECT_EQ(catalogue.titleOf("/b/other.onnx(batch=2)#00000000"), "other");
    catalogue.languageModels = {{"llama_3_2_1b", "Llama 3.2 1B"}};
    EXPECT_EQ(catalogue.titleOf("llama_3_2_1b(mode=decode,weights=q4_0,context=4096)"),
              "Llama 3.2 1B decode (Q4_0, context 4,096)");
    // Before the list of this computer is there, as at the start of the window.
    EXPECT_EQ(WorkloadCatalogue().titleOf("resnet50(size=96)"), "ResNet-50 (size 96)");
}

TEST(ResultsPresenter, MicroCasesStandInTheTableOnlyAndInTheirUnit) {
    auto run = sample::run();
    auto micro = run.records.front();
    micro.spec.workload = "gemm";
    micro.throughput = bench::Throughput{2.0e11, "FLOP/s"};
    micro.stepSeconds->mean = micro.stepSeconds->median;
    const auto before = ResultsPresenter(run, kCatalogue).speed(micro.spec.mode, SpeedUnit::SamplesPerSecond);
    run.records.push_back(micro);
    const auto after = ResultsPresenter(run, kCatalogue).speed(micro.spec.mode, SpeedUnit::SamplesPerSecond);
    EXPECT_EQ(before.categories, after.categories);
    EXPECT_TRUE(RecordsPresenter::headline(micro).startsWith(QStringLiteral("200 GFLOP/s")))
        << RecordsPresenter::headline(micro).toStdString();
}

TEST(RecordsPresenter, TheShareOfThePeakIsOfThePeakThatCounts) {
    auto record = sample::okRecord("resnet50", plan::Mode::Train, "cpu", 0.1);
    record.utilization = bench::Utilization{1.2e12, 1e12, 1.2, 8e10, 1e11};
    const auto share = bench::peakFraction(record);
    ASSERT_TRUE(share.has_value());
    EXPECT_EQ(share->kind, bench::PeakKind::Compute);
    EXPECT_DOUBLE_EQ(share->fraction, 1.2);
    const auto text = [&] {
        QString all;
        for (const auto& detail : RecordsPresenter::details(record))
            all += detail.label + detail.value + QLatin1Char('\n');
        return all;
    };
    EXPECT_TRUE(text().contains(QStringLiteral("Winograd"))) << "more than 100 % is explained";

    record.throughput = bench::Throughput{8e10, "B/s"};
    ASSERT_TRUE(bench::peakFraction(record).has_value());
    EXPECT_EQ(bench::peakFraction(record)->kind, bench::PeakKind::Bandwidth);
    EXPECT_DOUBLE_EQ(bench::peakFraction(record)->fraction, 0.8);
    EXPECT_TRUE(text().contains(QStringLiteral("Of peak bandwidth80 %"))) << text().toStdString();

    // An interrupted step reduces the rate over all steps, not the displayed one.
    record.stepSeconds->mean = 1.25 * record.stepSeconds->median;
    EXPECT_DOUBLE_EQ(bench::medianRate(record).value(), 1e11);

    record.throughput = bench::Throughput{1e5, "operations/s"};
    EXPECT_FALSE(bench::peakFraction(record).has_value());
    record.throughput.reset();
    record.utilization.reset();
    EXPECT_FALSE(bench::peakFraction(record).has_value());
}

TEST(ResultsPresenter, RunsOfLanguageModelsCountTokens) {
    auto run = sample::run();
    const auto speedOf = [&] {
        return ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SamplesPerSecond);
    };
    EXPECT_EQ(speedOf().y.unit, QStringLiteral("samples/s")) << "some networks count images";
    run.records.resize(1);
    auto& record = run.records.front();
    record.status = bench::Status::Ok;
    record.spec.batch = 1;
    record.stepSeconds = bench::Summary{.median = 0.5, .mean = 0.5, .min = 0.5, .n = 10};
    record.throughput = bench::Throughput{256, "tokens/s"};  // a prompt of 128 tokens
    const auto chart = speedOf();
    EXPECT_EQ(chart.y.unit, QStringLiteral("tokens/s"));
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_NEAR(*chart.series[0].points[0].y, 256, 1e-9);
}

TEST(ResultsPresenter, OneSeriesPerDeviceAndEveryValueInItsPlace) {
    const auto run = sample::run();
    const auto chart = ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SamplesPerSecond);
    EXPECT_EQ(chart.categories.size(), 6);
    ASSERT_EQ(chart.series.size(), 2U);
    EXPECT_EQ(chart.series[0].name, QStringLiteral("CPU"));
    EXPECT_NE(chart.series[0].colour, chart.series[1].colour);
    const auto resnet = chart.categories.indexOf(QStringLiteral("ResNet-50"));
    ASSERT_GE(resnet, 0);
    const auto& point = chart.series[0].points[static_cast<std::size_t>(resnet)];
    ASSERT_TRUE(point.y && point.interval);
    EXPECT_NEAR(*point.y, 16 / 1.5, 1e-9);
    EXPECT_NEAR(point.interval->low, 16 / (1.5 * 1.017), 1e-9) << "the slow end of the time is the low end of the rate";
    EXPECT_NEAR(point.interval->high, 16 / (1.5 * 0.985), 1e-9);
    EXPECT_EQ(run.records[static_cast<std::size_t>(point.key.toInt())].spec.workload, "resnet50");
}

TEST(ResultsPresenter, WhatFailedIsUnknownWithItsReason) {
    const auto run = sample::run();
    const auto chart = ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SecondsPerStep);
    const auto flowers = static_cast<std::size_t>(chart.categories.indexOf(QStringLiteral("VGG16 on flowers")));
    EXPECT_FALSE(chart.series[0].points[flowers].y.has_value());
    EXPECT_TRUE(chart.series[0].points[flowers].reason.contains(QStringLiteral("needs 90")));
    EXPECT_EQ(chart.series[1].points[flowers].reason, QStringLiteral("not part of this run"));
}

TEST(ResultsPresenter, FarApartValuesGoOnALogarithmicAxis) {
    const auto run = sample::run();
    EXPECT_EQ(ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SecondsPerStep).y.scale,
              ChartScale::Logarithmic);
    auto alike = run;
    alike.records.resize(2);
    const auto chart = ResultsPresenter(alike, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SecondsPerStep);
    EXPECT_EQ(chart.y.scale, ChartScale::Linear);
    EXPECT_EQ(chart.y.unit, QStringLiteral("ms"));
    EXPECT_NEAR(*chart.series[0].points[0].y, 2.0, 1e-12);
}

TEST(ResultsPresenter, MemoryIsStackedWithTheMeasuredPeakAcross) {
    const auto run = sample::run();
    const auto chart = ResultsPresenter(run, kCatalogue).memory();
    EXPECT_EQ(chart.kind, ChartKind::StackedBars);
    ASSERT_EQ(chart.series.size(), 6U);
    EXPECT_TRUE(chart.series.back().asMark);
    double total = 0;
    for (std::size_t part = 0; part < 5; ++part) total += chart.series[part].points[0].y.value_or(0);
    EXPECT_NEAR(chart.series.back().points[0].y.value(), total * 1.05, total * 1e-3);
}

TEST(SweepPresenter, SweepsAppearWhenThereAreSweeps) {
    const auto plain = sample::run();
    EXPECT_FALSE(SweepPresenter(plain, kCatalogue).hasBatchSweep());
    const auto run = sample::sweepRun();
    const SweepPresenter presenter(run, kCatalogue);
    ASSERT_TRUE(presenter.hasBatchSweep());
    const auto sweep = presenter.batchSweep();
    ASSERT_EQ(sweep.series.size(), 1U);
    EXPECT_THAT(sweep.x.ticks, testing::ElementsAre(1, 2, 4, 8, 16));
    EXPECT_NEAR(*sweep.series[0].points[4].y, 16 / (0.05 + 0.09 * 16), 1e-9);
    const auto scaling = presenter.threadScaling();
    ASSERT_EQ(scaling.series.size(), 2U);
    EXPECT_TRUE(scaling.series[1].guide);
    EXPECT_EQ(scaling.x.scale, scaling.y.scale) << "or proportional growth would be no straight line";
    EXPECT_NEAR(*scaling.series[1].points.back().y, *scaling.series[0].points.front().y * 8, 1e-9);
}

TEST(SweepPresenter, SpeedOverGpusAppearsWhereSeveralShareACase) {
    auto run = sample::run();
    EXPECT_FALSE(SweepPresenter(run, kCatalogue).hasGpuScaling());
    const auto add = [&](const char* device, double rate) {
        auto record = run.records.front();
        record.spec.device = device;
        record.spec.batch = 128;
        record.status = bench::Status::Ok;
        record.throughput = bench::Throughput{rate, "samples/s"};
        record.stepSeconds = bench::Summary{.median = 128 / rate, .mean = 128 / rate, .min = 128 / rate, .n = 10};
        run.records.push_back(record);
    };
    run.records.resize(1);
    add("cuda:0", 1000);
    add("cuda:0+cuda:1", 1600);
    run.records.erase(run.records.begin());
    const SweepPresenter presenter(run, kCatalogue);
    ASSERT_TRUE(presenter.hasGpuScaling());
    const auto chart = presenter.gpuScaling();
    ASSERT_EQ(chart.series.size(), 2U) << "the measured line and the ideal one";
    EXPECT_TRUE(chart.series[0].name.contains(QStringLiteral("divided among all")));
    EXPECT_THAT(chart.x.ticks, testing::ElementsAre(1, 2));
    EXPECT_EQ(chart.x.scale, chart.y.scale) << "or proportional growth would be no straight line";
    EXPECT_NEAR(*chart.series[1].points.back().y, 2 * *chart.series[0].points.front().y, 1e-9);
}

TEST(ResultsPresenter, TheVerifiedBadgeSaysWhatWasChecked) {
    auto run = sample::run();
    EXPECT_EQ(ResultsPresenter(run, kCatalogue).verificationTone(), Tone::Neutral) << "one was not checked";
    run.records[1].verification.state = bench::VerificationState::Pass;
    EXPECT_EQ(ResultsPresenter(run, kCatalogue).verificationTone(), Tone::Good);
    run.records[0].verification.state = bench::VerificationState::Fail;
    EXPECT_EQ(ResultsPresenter(run, kCatalogue).verificationTone(), Tone::Bad);
    EXPECT_TRUE(ResultsPresenter(run, kCatalogue).verificationText().contains(QStringLiteral("11")));
}

TEST(ResultsPresenter, ARunWithoutResultsSaysWhy) {
    auto run = sample::run();
    const auto failed = run.records[12];  // does not fit in memory
    run.records.assign(5, failed);
    const ResultsPresenter presenter(run, kCatalogue);
    EXPECT_EQ(presenter.verificationTone(), Tone::Neutral);
    const auto text = presenter.speed(failed.spec.mode, SpeedUnit::SamplesPerSecond).emptyText;
    EXPECT_EQ(text.count(QStringLiteral("needs 90")), 3) << text.toStdString();
    EXPECT_TRUE(text.endsWith(QStringLiteral("and 2 more"))) << text.toStdString();
}

TEST(RecordsPresenter, UnknownIsADashAndNeverZero) {
    auto run = sample::run();
    run.records[0].utilization->fraction.reset();
    const auto table = RecordsPresenter::table(run, kCatalogue);
    ASSERT_EQ(table.rows.size(), run.records.size());
    EXPECT_EQ(table.rows[0].cells.size(), table.columns.size());
    EXPECT_EQ(table.rows[0].cells[8].text, QStringLiteral("–"));
    const auto& failed = table.rows[12];
    EXPECT_EQ(failed.cells[4].text, QStringLiteral("–"));
    EXPECT_TRUE(failed.cells[4].hover.contains(QStringLiteral("needs 90")));
    EXPECT_EQ(failed.cells[3].tone, Tone::Caution);
}

TEST(RecordsPresenter, DetailsNameTheNextStep) {
    const auto run = sample::run();
    const auto details = RecordsPresenter::details(run.records[12]);
    const auto has = [&](const QString& text) {
        return std::any_of(details.begin(), details.end(),
                           [&](const Detail& detail) { return detail.value.contains(text); });
    };
    EXPECT_TRUE(has(QStringLiteral("needs 90")));
    EXPECT_TRUE(has(QStringLiteral("smaller batch")));
    EXPECT_FALSE(RecordsPresenter::details(run.records[0]).empty());
    EXPECT_EQ(RecordsPresenter::positionOf(QStringLiteral("3"), run), 3);
    EXPECT_EQ(RecordsPresenter::positionOf(QStringLiteral("99"), run), -1);
    EXPECT_EQ(RecordsPresenter::positionOf(QStringLiteral("x"), run), -1);
}

TEST(HomePresenter, TheSentenceHasAbsoluteValuesAndANamedBase) {
    const auto run = sample::run();
    const auto text = HomePresenter::verdict(&run, kCatalogue);
    EXPECT_TRUE(text.contains(QStringLiteral("ResNet-50"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("10.7 samples/s"))) << text.toStdString();
    auto both = run;
    for (auto& record : both.records) {  // now the largest training case is on the GPU only, with the CPU as base
        if (record.spec.workload == "resnet50" && record.spec.device == "cuda:0") *record.flopsPerStep *= 2;
    }
    const auto ratio = HomePresenter::verdict(&both, kCatalogue);
    EXPECT_TRUE(ratio.contains(QStringLiteral("14.3 times the CPU"))) << ratio.toStdString();
    EXPECT_TRUE(ratio.contains(QStringLiteral("10.7 samples/s"))) << ratio.toStdString();
    EXPECT_TRUE(HomePresenter::verdict(nullptr, kCatalogue).contains(QStringLiteral("Nothing measured yet")));
}

// The run has cases of more work per step, which few people know.
TEST(HomePresenter, AKnownNetworkStandsForTheComputer) {
    auto run = sample::run();
    for (auto& record : run.records) {
        if (record.spec.workload == "lstm_ptb" && record.flopsPerStep) *record.flopsPerStep = 1e15;
        if (record.spec.workload == "mnist_cnn") record.spec.workload = "mobilenet_v2(size=96)";
    }
    EXPECT_TRUE(HomePresenter::verdict(&run, kCatalogue).contains(QStringLiteral("ResNet-50")));
    std::erase_if(run.records, [](const auto& record) { return record.spec.workload == "resnet50"; });
    EXPECT_TRUE(HomePresenter::verdict(&run, kCatalogue).contains(QStringLiteral("MobileNetV2")))
        << HomePresenter::verdict(&run, kCatalogue).toStdString();
    std::erase_if(run.records, [](const auto& record) { return record.spec.workload.starts_with("mobilenet"); });
    EXPECT_TRUE(HomePresenter::verdict(&run, kCatalogue).contains(QStringLiteral("LSTM")));
}

TEST(HomePresenter, WhatIsCopiedHasTheVerdictTheFiguresAndTheirOrigin) {
    const auto run = sample::run("aaaaaaaaaaaa");
    const auto text = HomePresenter::markdown(run, kCatalogue, QStringLiteral("16 cores"));
    EXPECT_TRUE(text.startsWith(QStringLiteral("**%1**").arg(HomePresenter::verdict(&run, kCatalogue))));
    for (const auto& figure : HomePresenter::keyFigures(run, kCatalogue))
        EXPECT_TRUE(text.contains(QStringLiteral("- %1: %2 %3").arg(figure.label, figure.value, figure.unit)))
            << text.toStdString();
    EXPECT_TRUE(text.contains(HomePresenter::runLine(run) + QStringLiteral(" · 16 cores")));
}

TEST(HomePresenter, ThreeFiguresEachWithItsInterval) {
    const auto run = sample::run();
    const auto figures = HomePresenter::keyFigures(run, kCatalogue);
    ASSERT_EQ(figures.size(), 3U);
    for (const auto& figure : figures) {
        EXPECT_FALSE(figure.value.isEmpty());
        EXPECT_FALSE(figure.interval.isEmpty());
    }
    auto wrong = run;
    for (auto& record : wrong.records) record.verification.state = bench::VerificationState::Fail;
    EXPECT_TRUE(HomePresenter::keyFigures(wrong, kCatalogue).empty()) << "a wrong result is no figure to show";
}

// Much more work per step than a network, in another unit.
bench::CaseRecord microCase(const char* workload, const char* unit, double value) {
    auto record = sample::okRecord(workload, plan::Mode::Infer, "cpu", 1);
    record.flopsPerStep = 1e15;
    record.throughput = bench::Throughput{value, unit};
    return record;
}

TEST(HomePresenter, AMicroCaseStandsForNoNetwork) {
    auto run = sample::run();
    const auto networks = HomePresenter::keyFigures(run, kCatalogue);
    run.records.push_back(microCase("gemm", "FLOP/s", 1e15));
    run.records.push_back(microCase("launch_overhead", "operations/s", 1e6));
    const auto figures = HomePresenter::keyFigures(run, kCatalogue);
    ASSERT_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[0], networks[0]);
    EXPECT_EQ(figures[1], networks[1]);
    EXPECT_EQ(figures[2].unit, QStringLiteral("PFLOP/s"));
    EXPECT_EQ(
        ResultsPresenter(run, kCatalogue).speed(plan::Mode::Infer, SpeedUnit::SamplesPerSecond).categories,
        ResultsPresenter(sample::run(), kCatalogue).speed(plan::Mode::Infer, SpeedUnit::SamplesPerSecond).categories);

    std::swap(run.records.front(), run.records[run.records.size() - 2]);
    run.records.resize(1);
    const auto text = HomePresenter::verdict(&run, kCatalogue);
    EXPECT_TRUE(text.contains(QStringLiteral("1.00 PFLOP/s"))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("predicts"))) << text.toStdString();
    EXPECT_EQ(HomePresenter::keyFigures(run, kCatalogue).size(), 1U);

    run.records = {microCase("memory_bandwidth", "B/s", 1e10)};
    run.records[0].flopsPerStep = 0;
    EXPECT_TRUE(HomePresenter::keyFigures(run, kCatalogue).empty()) << "no rate of work where none is done";
}

TEST(HomePresenter, TheButtonSaysHowMuchAndHowLong) {
    EXPECT_EQ(HomePresenter::runButton(&kCatalogue.suites[0]).contains(QStringLiteral("90 s")), true);
    EXPECT_TRUE(HomePresenter::runButton(&kCatalogue.suites[0]).contains(QStringLiteral("14")));
    EXPECT_EQ(HomePresenter::runButton(nullptr), QStringLiteral("Run benchmark"));
}

TEST(HardwarePresenter, OneLineForTheComputer) {
    const auto line = HardwarePresenter::computerLine(sample::profile());
    EXPECT_TRUE(line.contains(QStringLiteral("12 of 16"))) << line.toStdString();
    EXPECT_TRUE(line.contains(QStringLiteral("64.0 GiB")));
    EXPECT_TRUE(line.contains(QStringLiteral("no GPU")));
    const auto withGpus = HardwarePresenter::computerLine(sample::profileWithGpus());
    EXPECT_TRUE(withGpus.contains(QStringLiteral("driver missing"))) << withGpus.toStdString();
    EXPECT_FALSE(HardwarePresenter::computerLine({}).isEmpty()) << "nothing known at all";
}

TEST(HardwarePresenter, DetectedAllowedUsedAndSource) {
    const auto content = HardwarePresenter::facts(sample::profile());
    const auto row = std::find_if(content.rows.begin(), content.rows.end(), [](const TableRow& one) {
        return !one.cells.empty() && one.cells[0].text == QStringLiteral("Physical cores");
    });
    ASSERT_NE(row, content.rows.end());
    EXPECT_EQ(row->cells[1].text, QStringLiteral("16"));
    EXPECT_EQ(row->cells[2].text, QStringLiteral("12"));
    EXPECT_EQ(row->cells[3].text, QStringLiteral("12"));
    EXPECT_TRUE(row->cells[4].text.contains(QStringLiteral("sched_getaffinity")));
    const auto governor = std::find_if(content.rows.begin(), content.rows.end(), [](const TableRow& one) {
        return !one.cells.empty() && one.cells[0].text == QStringLiteral("Governor");
    });
    EXPECT_EQ(governor->cells[1].text, governor->cells[1].hover) << "a short reason stands in the place of a dash";
    EXPECT_TRUE(governor->cells[1].text.contains(QStringLiteral("virtual machine")));
    for (const auto& one : content.rows) EXPECT_EQ(one.cells.size(), content.columns.size());
}

TEST(HardwarePresenter, CardsAndBackendsHaveReasons) {
    EXPECT_FALSE(HardwarePresenter::noGpuText(sample::profile()).isEmpty());
    const auto cards = HardwarePresenter::gpus(sample::profileWithGpus());
    ASSERT_EQ(cards.size(), 2U);
    EXPECT_EQ(cards[0].tone, Tone::Good);
    EXPECT_TRUE(cards[1].reason.contains(QStringLiteral("Install")));
    const auto backends = HardwarePresenter::backends(sample::profile());
    ASSERT_EQ(backends.size(), 3U);
    EXPECT_TRUE(backends[1].reason.contains(QStringLiteral("steelyard_cuda")));
}

TEST(ComparePresenter, VerdictPerCaseAndASentence) {
    const auto base = sample::run("aaaaaaaaaaaa");
    auto other = sample::run("bbbbbbbbbbbb", 0.8);
    other.records.pop_back();
    const auto result = ComparePresenter::compare(base, other, bench::Scope::SameDevice, kCatalogue);
    EXPECT_EQ(result.faster, 12);
    EXPECT_EQ(result.unmatched, 1);
    EXPECT_EQ(result.table.rows.front().cells[1].text, QStringLiteral("faster"));
    EXPECT_EQ(result.table.rows.front().cells[2].text, QStringLiteral("0.800 (0.796–0.804)"));
    // What all have in common is omitted: the device and the precision.
    const auto& name = result.table.rows.front().cells[0];
    EXPECT_FALSE(name.text.contains(QStringLiteral("fp32"))) << name.text.toStdString();
    EXPECT_TRUE(name.hover.contains(QStringLiteral("fp32"))) << name.hover.toStdString();
    EXPECT_TRUE(result.summary.contains(QStringLiteral("12 faster"))) << result.summary.toStdString();
    const auto same = ComparePresenter::compare(base, base, bench::Scope::SameDevice, kCatalogue);
    EXPECT_EQ(same.faster + same.slower, 0);
}

TEST(ComparePresenter, ShowsTheTimesOfTheMachineStateThatBothRunsHad) {
    const auto base = sample::run("aaaaaaaaaaaa");
    auto other = sample::run("bbbbbbbbbbbb");
    const bench::StateFigure slow{
        .roundTripSeconds = 325e-9, .medianSeconds = 3.0, .windows = 1, .visitSeconds = {3.0}};
    // The other run was mostly in a slow state.
    for (auto& record : other.records) {
        if (!record.figure) continue;
        auto& figure = *record.figure;
        figure.others = {figure.main};
        figure.main = slow;
        record.stepSeconds->median = slow.medianSeconds;
    }
    const auto result = ComparePresenter::compare(base, other, bench::Scope::SameDevice, kCatalogue);
    const auto& cells = result.table.rows.front().cells;
    EXPECT_EQ(result.slower, 0);
    EXPECT_EQ(cells[4].text.toStdString(), cells[3].text.section(QLatin1Char(' '), 0, 0).toStdString());
    EXPECT_TRUE(cells[4].hover.contains(QStringLiteral("3,000"))) << cells[4].hover.toStdString();
}

TEST(ComparePresenter, DifferentHardwareIsSaidAndCanBeAskedFor) {
    const auto base = sample::run("aaaaaaaaaaaa");
    auto other = sample::run("bbbbbbbbbbbb", 0.8);
    for (auto& record : other.records) record.deviceName = "Other CPU";
    const auto strict = ComparePresenter::compare(base, other, bench::Scope::SameDevice, kCatalogue);
    EXPECT_EQ(strict.faster, 0);
    EXPECT_TRUE(strict.table.rows.front().cells[5].text.contains(QStringLiteral("Other CPU")));
    const auto across = ComparePresenter::compare(base, other, bench::Scope::AcrossDevices, kCatalogue);
    EXPECT_EQ(across.faster, 12);
}

TEST(ComparePresenter, ForestPlotHasTheLargestChangeToTheWorseFirst) {
    const auto base = sample::run("aaaaaaaaaaaa");
    auto other = sample::run("bbbbbbbbbbbb", 0.8);
    const auto result = ComparePresenter::compare(base, other, bench::Scope::SameDevice, kCatalogue);
    const auto& chart = result.chart;
    EXPECT_TRUE(chart.hasRows());
    ASSERT_EQ(chart.series.size(), 1U);
    ASSERT_EQ(chart.series[0].points.size(), result.table.rows.size());
    double before = std::numeric_limits<double>::infinity();
    for (const auto& point : chart.series[0].points) {
        if (!point.y) {
            EXPECT_FALSE(point.reason.isEmpty());
            before = 0;
            continue;
        }
        EXPECT_LE(*point.y, before);
        before = *point.y;
        EXPECT_EQ(point.role, PointRole::Better);
        EXPECT_TRUE(point.interval->low < *point.y && *point.y < point.interval->high);
        EXPECT_EQ(point.value, QStringLiteral("20 % faster")) << point.value.toStdString();
    }
    ASSERT_EQ(chart.references.size(), 1U);
    EXPECT_EQ(chart.references[0].value, 1);
    const auto same = ComparePresenter::compare(base, base, bench::Scope::SameDevice, kCatalogue);
    EXPECT_EQ(same.chart.series[0].points[0].role, PointRole::Ordinary);
}

TEST(ResultsPresenter, RowsAreSortedAndADisturbedCaseIsDoubtful) {
    auto run = sample::run();
    const auto chart = ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SamplesPerSecond);
    EXPECT_TRUE(chart.hasRows());
    double before = std::numeric_limits<double>::infinity();
    for (qsizetype row = 0; row < chart.categories.size(); ++row) {
        double fastest = 0;
        for (const auto& series : chart.series)
            fastest = std::max(fastest, series.points[static_cast<std::size_t>(row)].y.value_or(0));
        EXPECT_LE(fastest, before);
        before = fastest;
    }
    const auto time = ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SecondsPerStep);
    EXPECT_LT(*time.series[0].points[0].y, *time.series[0].points[1].y) << "the fastest first";
    for (auto& record : run.records)
        if (record.figure) record.figure->disturbed = true;
    const auto marked = ResultsPresenter(run, kCatalogue).speed(plan::Mode::Train, SpeedUnit::SamplesPerSecond);
    EXPECT_EQ(marked.series[0].points[0].role, PointRole::Doubtful);
}

TEST(ResultsPresenter, MemoryTellsTheTotalOfEachRow) {
    const auto chart = ResultsPresenter(sample::run(), kCatalogue).memory();
    EXPECT_TRUE(chart.hasRows());
    EXPECT_TRUE(chart.series[0].points[0].value.endsWith(QStringLiteral("iB")))
        << chart.series[0].points[0].value.toStdString();
}

advisor::PredictedTarget target(const std::string& name, double seconds, advisor::Limit limit) {
    advisor::PredictedTarget result;
    result.name = name;
    result.prediction.seconds = {seconds / 2, seconds, seconds * 2};
    result.prediction.limit = limit;
    return result;
}

TEST(LadderPresenter, AsksAboutTheCasesWithMostArithmetic) {
    auto run = sample::run();
    const auto questions = LadderPresenter::questions(run);
    ASSERT_FALSE(questions.empty());
    EXPECT_LE(questions.size(), 4U);
    for (const auto& question : questions) EXPECT_EQ(question.mode, plan::Mode::Train);
    for (auto& record : run.records)
        if (record.figure) record.figure->disturbed = true;
    for (auto& record : run.records) record.warnings.clear();
    EXPECT_TRUE(LadderPresenter::questions(run).empty()) << "what was disturbed says nothing about the device";
    EXPECT_TRUE(LadderPresenter::questions({}).empty());
}

TEST(LadderPresenter, TakesTheQuestionThatDependsOnTheDevice) {
    LadderAnswer overhead{{}, {"small"}, {target("a", 1, advisor::Limit::Overhead)}};
    LadderAnswer compute{{}, {"large"}, {target("a", 1, advisor::Limit::Compute)}};
    EXPECT_EQ(LadderPresenter::best({overhead, compute})->question.workload, "large");
    EXPECT_FALSE(LadderPresenter::best({}));
}

TEST(LadderPresenter, ThisComputerStandsAmongTheEstimates) {
    const auto run = sample::run();
    const auto question = LadderPresenter::questions(run).front();
    const auto record = std::find_if(run.records.begin(), run.records.end(), [&](const auto& one) {
        return one.spec.workload == question.workload && one.spec.mode == question.mode;
    });
    const double own = record->stepSeconds->median;
    const auto chart = LadderPresenter::chart(run,
                                              {{question},
                                               question,
                                               {target("Slow GPU", own * 100, advisor::Limit::Compute),
                                                target("Fast GPU", own / 100, advisor::Limit::Compute)}},
                                              kCatalogue);
    ASSERT_GE(chart.categories.size(), 3);
    EXPECT_EQ(chart.categories.front(), QStringLiteral("Fast GPU"));
    EXPECT_EQ(chart.categories.back(), QStringLiteral("Slow GPU"));
    const auto& points = chart.series[0].points;
    EXPECT_EQ(points.front().basis, Basis::Predicted);
    EXPECT_NEAR(points.front().interval->high, 2 * *points.front().y, 1e-6 * *points.front().y);
    EXPECT_EQ(points[1].role, PointRole::Own);
    EXPECT_EQ(points[1].basis, Basis::Measured);
    EXPECT_TRUE(chart.categories[1].startsWith(QStringLiteral("This computer"))) << chart.categories[1].toStdString();
}

TEST(LadderPresenter, TheCatalogueHasItsDevices) {
    const auto data = advisor::loadAdvisorData({std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources", {}});
    ASSERT_TRUE(data);
    std::set<std::string> known;
    for (const auto& device : data->catalog.hardware) known.insert(device.id);
    for (const auto& id : LadderPresenter::devices()) EXPECT_TRUE(known.count(id) == 1) << id;
    EXPECT_EQ(LadderPresenter::devices().size(), 30U);
}

}  // namespace
}  // namespace steelyard::ui
