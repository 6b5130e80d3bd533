// SPDX-License-Identifier: Apache-2.0
// The run controller with a scripted child (fake_cli.cpp).
#include "ui/controllers/run_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/support/sample_data.h"

namespace steelyard::ui {
namespace {

constexpr int kPatience = 15000;

class RunControllerTest : public testing::Test {
protected:
    // Starts a scenario and waits for its end.
    void play(const std::string& scenario) {
        start(scenario);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !m_controller.isRunning(); }, kPatience));
    }
    void start(const std::string& scenario) {
        QObject::connect(&m_controller, &RunController::failed, &m_controller,
                         [this](const Error& error) { m_error = error; });
        bench::RunRequest request;
        request.suite = scenario;
        m_controller.start(request);
    }
    RunController m_controller{QStringLiteral(STEELYARD_FAKE_CLI)};
    QSignalSpy m_finished{&m_controller, &RunController::finished};
    QSignalSpy m_caseFinished{&m_controller, &RunController::caseFinished};
    QSignalSpy m_caseStarted{&m_controller, &RunController::caseStarted};
    QSignalSpy m_samples{&m_controller, &RunController::sampleTaken};
    QSignalSpy m_phases{&m_controller, &RunController::phaseChanged};
    std::optional<Error> m_error;
};

TEST_F(RunControllerTest, ANormalRunTellsEverythingInOrder) {
    play("normal");
    ASSERT_EQ(m_finished.count(), 1);
    EXPECT_EQ(m_finished.front().front().toString(), QStringLiteral("partial"));
    EXPECT_FALSE(m_error.has_value());
    EXPECT_EQ(m_caseStarted.count(), 2);
    EXPECT_EQ(m_caseFinished.count(), 2);
    EXPECT_EQ(m_samples.count(), 2);
    EXPECT_EQ(m_phases.count(), 8);
    const auto& progress = m_controller.progress();
    EXPECT_EQ(progress.runId(), "feedfacecafe");
    EXPECT_EQ(progress.caseCount(), 2);
    EXPECT_EQ(progress.finishedCount(), 2);
    EXPECT_EQ(progress.okCount(), 1);
    EXPECT_TRUE(m_controller.messages().isEmpty());
}

TEST_F(RunControllerTest, ACrashIsReportedAndFinishedCasesStay) {
    play("crash");
    EXPECT_EQ(m_finished.count(), 0);
    ASSERT_TRUE(m_error.has_value());
    EXPECT_EQ(m_error->kind, ErrorKind::ChildCrashed);
    EXPECT_THAT(m_error->detail.text, testing::HasSubstr("something went very wrong"));
    const auto& finished = m_controller.progress().finished();
    ASSERT_EQ(finished.size(), 2U);
    EXPECT_EQ(finished[0].status, bench::Status::Ok);
    EXPECT_EQ(finished[1].status, bench::Status::Crashed) << "the case under way";
    EXPECT_EQ(m_controller.progress().okCount(), 1);
    EXPECT_FALSE(m_controller.progress().current().has_value());
}

TEST_F(RunControllerTest, ARunThatIsRefusedSaysWhy) {
    play("refused");
    EXPECT_EQ(m_finished.count(), 0);
    ASSERT_TRUE(m_error.has_value());
    EXPECT_EQ(m_error->kind, ErrorKind::DiskFull) << "the error itself, not that there was one";
    EXPECT_EQ(m_error->subject, "/data/history.sqlite");
}

TEST_F(RunControllerTest, ARunThatCannotBeStoredSaysSoAndWhereItIs) {
    QSignalSpy notStored(&m_controller, &RunController::notStored);
    QSignalSpy kept(&m_controller, &RunController::keptElsewhere);
    play("unstored");
    EXPECT_EQ(m_finished.count(), 1) << "the run itself went well";
    EXPECT_EQ(notStored.count(), 1);
    ASSERT_EQ(kept.count(), 1);
    const auto file = kept.front().front().toString();
    EXPECT_TRUE(QFile::remove(file)) << file.toStdString();
    EXPECT_EQ(m_controller.progress().storeError()->kind, ErrorKind::DiskFull);
    EXPECT_EQ(m_controller.progress().keptFile(), file.toStdString());
    EXPECT_TRUE(m_controller.messages().isEmpty()) << "no line was skipped";
    play("normal");
    EXPECT_FALSE(m_controller.progress().storeError().has_value()) << "of the next run nothing is known";
}

TEST_F(RunControllerTest, AChildThatJustLeavesIsLost) {
    play("lost");
    ASSERT_TRUE(m_error.has_value());
    EXPECT_EQ(m_error->kind, ErrorKind::ChildCrashed);
}

TEST_F(RunControllerTest, GarbageIsSkippedWithAMessage) {
    play("garbage");
    EXPECT_EQ(m_finished.count(), 1);
    EXPECT_EQ(m_caseFinished.count(), 2);
    EXPECT_EQ(m_controller.messages().size(), 4);
}

TEST_F(RunControllerTest, AHugeLineIsDroppedAndTheRestIsRead) {
    play("huge");
    EXPECT_EQ(m_finished.count(), 1);
    EXPECT_EQ(m_caseFinished.count(), 2);
    EXPECT_EQ(m_controller.messages().size(), 1);
}

TEST_F(RunControllerTest, WrongArgumentsAreNoCrash) {
    play("usage");
    ASSERT_TRUE(m_error.has_value());
    EXPECT_EQ(m_error->kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(m_error->detail.text, testing::HasSubstr("--batch"));
}

TEST_F(RunControllerTest, StopInterruptsAndKeepsWhatIsFinished) {
    start("obedient");
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_caseFinished.count() == 1; }, kPatience));
    m_controller.stop();
    EXPECT_TRUE(m_controller.isStopping());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_controller.isRunning(); }, kPatience));
    ASSERT_EQ(m_finished.count(), 1);
    EXPECT_EQ(m_finished.front().front().toString(), QStringLiteral("cancelled"));
    EXPECT_EQ(m_controller.progress().finishedCount(), 1);
    EXPECT_FALSE(m_error.has_value());
}

TEST_F(RunControllerTest, AChildThatIgnoresSignalsIsKilled) {
    start("stubborn");
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_caseFinished.count() == 1; }, kPatience));
    m_controller.stop();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_controller.isRunning(); }, kPatience));
    ASSERT_EQ(m_finished.count(), 1);
    EXPECT_EQ(m_finished.front().front().toString(), QStringLiteral("cancelled"));
}

TEST_F(RunControllerTest, CanRunAgain) {
    play("crash");
    play("normal");
    EXPECT_EQ(m_finished.count(), 1);
    EXPECT_EQ(m_controller.progress().finishedCount(), 2);
}

TEST(RunController, AMissingProgramIsNamed) {
    RunController controller(QStringLiteral("/nonexistent/steelyard-cli"));
    std::optional<Error> error;
    QObject::connect(&controller, &RunController::failed, &controller, [&](const Error& one) { error = one; });
    controller.start({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return error.has_value(); }, kPatience));
    EXPECT_EQ(error->kind, ErrorKind::NotFound);
    EXPECT_EQ(error->subject, "/nonexistent/steelyard-cli");
    EXPECT_FALSE(controller.isRunning());
}

TEST(RunController, TheDestructorLeavesNoChildBehind) {
    QElapsedTimer clock;
    auto controller = std::make_unique<RunController>(QStringLiteral(STEELYARD_FAKE_CLI));
    QSignalSpy spy(controller.get(), &RunController::caseFinished);
    bench::RunRequest request;
    request.suite = "stubborn";
    controller->start(request);
    ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() == 1; }, kPatience));
    clock.start();
    controller.reset();
    EXPECT_LT(clock.elapsed(), 15000) << "the child would have lived for 20 s";
}

TEST(LineSplitter, CutsAnywhereGiveTheSameLines) {
    const QByteArray text = "first\nsecond\n\nlast";
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        LineSplitter splitter(100);
        auto lines = splitter.take(text.left(cut)).lines;
        lines += splitter.take(text.mid(cut)).lines;
        EXPECT_EQ(lines, (QList<QByteArray>{"first", "second", ""})) << cut;
        EXPECT_EQ(splitter.rest(), QByteArray("last"));
    }
}

TEST(LineSplitter, ALongLineIsDroppedWhole) {
    LineSplitter splitter(10);
    auto taken = splitter.take("ok\n0123456");
    EXPECT_EQ(taken.lines, QList<QByteArray>{"ok"});
    taken = splitter.take("789abc");
    EXPECT_EQ(taken.dropped, 1);
    taken = splitter.take("def\nagain\n");
    EXPECT_EQ(taken.dropped, 0);
    EXPECT_EQ(taken.lines, QList<QByteArray>{"again"});
}

TEST(RunEstimate, TheEstimateCountsCombinations) {
    const auto catalogue = sample::catalogue();
    bench::RunRequest request;
    request.suite = "quick";
    EXPECT_EQ(estimateOf(request, catalogue).cases, 14);
    EXPECT_DOUBLE_EQ(*estimateOf(request, catalogue).seconds, 90);
    request = {};
    request.workloads = {"mnist_mlp", "resnet50", "flowers_vgg16"};
    request.modes = {plan::Mode::Train};
    request.batches = {8, 16};
    EXPECT_EQ(estimateOf(request, catalogue).cases, 4) << "what cannot run does not count";
    EXPECT_DOUBLE_EQ(*estimateOf(request, catalogue).seconds, 2 * 4.0 + 2 * 14.0);
}

TEST(RunEstimate, GpusCanBeSharedFromTwoOn) {
    EXPECT_TRUE(gpuChoices(sample::catalogue()).empty());
    EXPECT_TRUE(gpuChoices(sample::catalogue(1)).empty());
    EXPECT_EQ(gpuChoices(sample::catalogue(2)), (std::vector<int>{1, 2}));
    EXPECT_EQ(gpuChoices(sample::catalogue(6)), (std::vector<int>{1, 2, 4, 6}));
    auto broken = sample::catalogue(2);
    broken.devices.back().runnable = false;
    EXPECT_TRUE(gpuChoices(broken).empty());
}

TEST(RunEstimate, TheEstimateCountsKindsOfScaling) {
    const auto catalogue = sample::catalogue(4);
    bench::RunRequest request;
    request.workloads = {"mnist_mlp"};
    request.modes = {plan::Mode::Train};
    request.devices = {"cpu", "cuda:0"};
    request.gpus = {1, 2, 4};
    EXPECT_EQ(estimateOf(request, catalogue).cases, 7) << "one GPU once, the others strong, weak and side by side";
    request.scalings = {bench::ScalingKind::Weak};
    EXPECT_EQ(estimateOf(request, catalogue).cases, 3);
    request.suite = "quick";
    EXPECT_EQ(estimateOf(request, catalogue).cases, 12) << "each of its four workloads";
}

TEST(RunProgress, TheEstimateIsCorrectedByThePace) {
    RunProgress progress;
    EXPECT_FALSE(progress.fraction().has_value());
    bench::Event event;
    event.kind = bench::EventKind::SuiteStarted;
    event.caseCount = 4;
    event.estimateSeconds = 40;
    progress.apply(event);
    EXPECT_DOUBLE_EQ(*progress.fraction(), 0);
    EXPECT_DOUBLE_EQ(*progress.remainingSeconds(10), 30);
    event = {};
    event.kind = bench::EventKind::CaseFinished;
    event.record = bench::CaseRecord{};
    progress.apply(event);
    progress.apply(event);
    EXPECT_DOUBLE_EQ(*progress.fraction(), 0.5);
    // Half done in 30 s: by rate 60 s in total, by estimate 40 s, combined 50 s.
    EXPECT_DOUBLE_EQ(*progress.remainingSeconds(30), 20);
    EXPECT_DOUBLE_EQ(*progress.remainingSeconds(300), 0 + 40 * 0.5 + 600 * 0.5 - 300);
}

TEST(RunProgress, TheRestOfThePlanAndTheTimeOfAVisitAreKnown) {
    RunProgress progress;
    bench::Event event;
    event.kind = bench::EventKind::SuiteStarted;
    event.cases.resize(2);
    event.cases[0].workload = "first";
    event.cases[1].workload = "second";
    event.caseCount = 2;
    event.visitCount = 2;
    event.estimateSeconds = 40;
    progress.apply(event);
    EXPECT_EQ(progress.unfinished().size(), 2U);
    EXPECT_DOUBLE_EQ(*progress.visitSeconds(0), 10);
    EXPECT_DOUBLE_EQ(*progress.visitSeconds(0, 0.5), 5) << "as the last run taught";
    event = {};
    event.kind = bench::EventKind::CaseFinished;
    event.record = bench::CaseRecord{};
    event.record->spec.workload = "first";
    progress.apply(event);
    ASSERT_EQ(progress.unfinished().size(), 1U);
    EXPECT_EQ(progress.unfinished().front().workload, "second");
    EXPECT_DOUBLE_EQ(*progress.visitSeconds(30), 15) << "two visits took half a minute";
}

TEST(RunProgress, KeepsABoundedNumberOfSamples) {
    RunProgress progress;
    bench::Event event;
    event.kind = bench::EventKind::Sample;
    event.sampleSeconds = 0.001;
    event.medianSeconds = 2.0;
    event.ciLow = 1.9;
    event.ciHigh = 2.1;
    for (std::size_t count = 0; count < RunProgress::kMostSamples + 10; ++count) progress.apply(event);
    EXPECT_EQ(progress.samples().size(), RunProgress::kMostSamples);
    EXPECT_NEAR(*progress.relativeHalfWidth(), 0.05, 1e-12);
}

}  // namespace
}  // namespace steelyard::ui
