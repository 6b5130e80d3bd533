// SPDX-License-Identifier: Apache-2.0
// The history controller with a real store in a temporary folder.
#include "ui/controllers/history_controller.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/support/sample_data.h"
#include "ui/controllers/machine_controller.h"

namespace steelyard::ui {
namespace {

constexpr int kHistoryPatience = 15000;

class HistoryControllerTest : public testing::Test {
protected:
    void SetUp() override {
        auto store = history::HistoryStore::open(file().toStdString());
        ASSERT_TRUE(store.has_value()) << describe(store.error());
        ASSERT_TRUE((*store)->beginRun(sample::run("aaaaaaaaaaaa")).has_value());
        auto later = sample::run("bbbbbbbbbbbb", 0.9);
        later.startedUnixMs += 1000;
        ASSERT_TRUE((*store)->beginRun(later).has_value());
        store->reset();
        QObject::connect(&m_history, &HistoryController::failed, &m_history,
                         [this](const Error& error) { m_error = error; });
        m_history.open(file());
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_history.isLoaded(); }, kHistoryPatience));
    }
    [[nodiscard]] QString file() const { return m_folder.filePath(QStringLiteral("history.sqlite")); }

    QTemporaryDir m_folder;
    HistoryController m_history{[](const std::filesystem::path& path) { return history::HistoryStore::open(path); }};
    std::optional<Error> m_error;
};

TEST_F(HistoryControllerTest, ListsAndLoadsRuns) {
    ASSERT_EQ(m_history.runs().size(), 2U);
    EXPECT_EQ(m_history.runs().front().id, "bbbbbbbbbbbb") << "the newest first";
    std::optional<bench::RunRecord> loaded;
    QObject::connect(&m_history, &HistoryController::runLoaded, &m_history,
                     [&](const bench::RunRecord& run) { loaded = run; });
    m_history.loadRun(QStringLiteral("latest"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return loaded.has_value(); }, kHistoryPatience));
    EXPECT_EQ(loaded->id, "bbbbbbbbbbbb");
    EXPECT_EQ(loaded->records.size(), sample::run().records.size());
}

TEST_F(HistoryControllerTest, AFolderThatIsPulledAwayIsBegunAnew) {
    QSignalSpy replaced(&m_history, &HistoryController::replaced);
    ASSERT_TRUE(QDir(m_folder.path()).removeRecursively());
    m_history.loadRun(QStringLiteral("latest"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return replaced.count() == 1 && m_history.runs().empty(); }, kHistoryPatience));
    EXPECT_FALSE(m_error.has_value()) << describe(*m_error);
    EXPECT_TRUE(QFile::exists(file()));
    m_history.loadRun(QStringLiteral("aaaaaaaaaaaa"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_error.has_value(); }, kHistoryPatience));
    EXPECT_EQ(m_error->kind, ErrorKind::NotFound);
    EXPECT_EQ(replaced.count(), 1) << "once";
}

TEST_F(HistoryControllerTest, DeletionCanBeTakenBack) {
    QSignalSpy removed(&m_history, &HistoryController::removed);
    m_history.remove({QStringLiteral("aaaaaaaaaaaa")});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return removed.count() == 1 && m_history.runs().size() == 1; }, kHistoryPatience));
    m_history.restore({QStringLiteral("aaaaaaaaaaaa")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_history.runs().size() == 2; }, kHistoryPatience));
}

TEST_F(HistoryControllerTest, PruningIsADeletionAndCompactingTellsTheSizes) {
    QSignalSpy removed(&m_history, &HistoryController::removed);
    m_history.prune({.keepNewest = 2, .startedBeforeUnixMs = {}});
    m_history.prune({.keepNewest = 1, .startedBeforeUnixMs = {}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_history.runs().size() == 1; }, kHistoryPatience));
    ASSERT_EQ(removed.count(), 1) << "of nothing nothing is said";
    EXPECT_EQ(removed.front().front().toStringList(), QStringList{QStringLiteral("aaaaaaaaaaaa")});
    EXPECT_GT(m_history.bytes(), 0);

    std::optional<history::Compaction> compaction;
    QObject::connect(&m_history, &HistoryController::compacted, &m_history,
                     [&](const history::Compaction& one) { compaction = one; });
    m_history.compact();
    ASSERT_TRUE(QTest::qWaitFor([&] { return compaction.has_value(); }, kHistoryPatience));
    EXPECT_LT(compaction->bytesAfter, compaction->bytesBefore);
    EXPECT_TRUE(QTest::qWaitFor([&] { return m_history.bytes() == compaction->bytesAfter; }, kHistoryPatience));
    EXPECT_EQ(QFile(file()).size(), compaction->bytesAfter);
}

TEST_F(HistoryControllerTest, ExportAndImport) {
    const auto target = m_folder.filePath(QStringLiteral("runs.json"));
    QSignalSpy exported(&m_history, &HistoryController::exported);
    m_history.exportRuns({QStringLiteral("aaaaaaaaaaaa")}, target);
    ASSERT_TRUE(QTest::qWaitFor([&] { return exported.count() == 1; }, kHistoryPatience));
    EXPECT_TRUE(QFile::exists(target));
    QSignalSpy imported(&m_history, &HistoryController::imported);
    m_history.importRuns(target);
    ASSERT_TRUE(QTest::qWaitFor([&] { return imported.count() == 1; }, kHistoryPatience));
    EXPECT_TRUE(imported.front().at(1).toStringList().isEmpty()) << "it is already there";
}

TEST_F(HistoryControllerTest, ErrorsAreSignals) {
    m_history.loadRun(QStringLiteral("0123456789ab"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_error.has_value(); }, kHistoryPatience));
    EXPECT_EQ(m_error->kind, ErrorKind::NotFound);
    m_error.reset();
    m_history.importRuns(m_folder.filePath(QStringLiteral("absent.json")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_error.has_value(); }, kHistoryPatience));
}

TEST_F(HistoryControllerTest, NotesAreKept) {
    m_history.setNote(QStringLiteral("aaaaaaaaaaaa"), QStringLiteral("new fan"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_history.runs().back().note == "new fan"; }, kHistoryPatience));
}

TEST(HistoryController, AFileThatCannotBeOpenedIsSaidAndEverythingAfterTellsWhy) {
    QTemporaryDir folder;
    const auto file = folder.filePath(QStringLiteral("not-a-database.sqlite"));
    QFile text(file);
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write(QByteArray(4096, 'x'));
    text.close();
    HistoryController history([](const std::filesystem::path& path) { return history::HistoryStore::open(path); });
    std::vector<Error> errors;
    QObject::connect(&history, &HistoryController::failed, &history,
                     [&](const Error& error) { errors.push_back(error); });
    history.open(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return errors.size() == 1; }, kHistoryPatience));
    history.loadRun(QStringLiteral("latest"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return errors.size() == 2; }, kHistoryPatience));
    EXPECT_EQ(errors[0].kind, errors[1].kind);
}

TEST(MachineController, DetectsAndReportsInTheBackground) {
    const auto* window = QThread::currentThread();
    bool elsewhere = false;
    MachineController machine({[&]() -> Result<hardware::HardwareProfile> {
                                   elsewhere = QThread::currentThread() != window;
                                   return sample::profile();
                               },
                               [](const hardware::HardwareProfile&) { return sample::catalogue(); },
                               [](const hardware::HardwareProfile&) { return std::string("readings"); }});
    QSignalSpy catalogue(&machine, &MachineController::catalogueReady);
    QSignalSpy report(&machine, &MachineController::reportReady);
    machine.detect();
    ASSERT_TRUE(QTest::qWaitFor([&] { return catalogue.count() == 1; }, kHistoryPatience));
    EXPECT_TRUE(elsewhere);
    EXPECT_EQ(machine.catalogue().workloads.size(), 6U);
    machine.makeReport();
    ASSERT_TRUE(QTest::qWaitFor([&] { return report.count() == 1; }, kHistoryPatience));
    EXPECT_EQ(report.front().front().toString(), QStringLiteral("readings"));
}

TEST(MachineController, EstimatesLearnFromTheLastRun) {
    MachineController machine({[]() -> Result<hardware::HardwareProfile> { return sample::profile(); },
                               [](const hardware::HardwareProfile&) { return sample::catalogue(); },
                               [](const hardware::HardwareProfile&) { return std::string(); }});
    const QSignalSpy catalogue(&machine, &MachineController::catalogueReady);
    const QSignalSpy learned(&machine, &MachineController::durationLearned);
    std::optional<RunEstimate> estimate;
    QObject::connect(&machine, &MachineController::estimateReady, &machine,
                     [&](const RunEstimate& one) { estimate = one; });
    machine.detect();
    ASSERT_TRUE(QTest::qWaitFor([&] { return catalogue.count() == 1; }, kHistoryPatience));
    bench::RunRequest request;
    request.suite = "quick";
    ASSERT_EQ(*machine.catalogue().findSuite("quick")->estimateSeconds, 90);
    for (const double took : {45.0, 60.0}) {  // the last one is used, not their product
        machine.learnDuration(request, took);
        const auto count = took == 45.0 ? 1 : 2;
        ASSERT_TRUE(QTest::qWaitFor([&] { return learned.count() == count; }, kHistoryPatience));
        EXPECT_NEAR(*machine.catalogue().findSuite("quick")->estimateSeconds, took, 1e-9);
        estimate.reset();
        machine.requestEstimate(request);
        ASSERT_TRUE(QTest::qWaitFor([&] { return estimate.has_value(); }, kHistoryPatience));
        EXPECT_NEAR(*estimate->seconds, took, 1e-9);
    }
    machine.learnDuration(request, 1e6);
    ASSERT_TRUE(QTest::qWaitFor([&] { return learned.count() == 3; }, kHistoryPatience));
    EXPECT_EQ(machine.durationFactor(), 4) << "a run beside other programs says little";
}

TEST(MachineController, AFailureIsASignal) {
    MachineController machine({[]() -> Result<hardware::HardwareProfile> {
                                   return fail(ErrorKind::Internal, "topology", Message("no hwloc"));
                               },
                               [](const hardware::HardwareProfile&) { return WorkloadCatalogue(); },
                               [](const hardware::HardwareProfile&) { return std::string(); }});
    std::optional<Error> error;
    QObject::connect(&machine, &MachineController::failed, &machine, [&](const Error& one) { error = one; });
    machine.detect();
    ASSERT_TRUE(QTest::qWaitFor([&] { return error.has_value(); }, kHistoryPatience));
    EXPECT_FALSE(machine.profile().has_value());
}

}  // namespace
}  // namespace steelyard::ui
