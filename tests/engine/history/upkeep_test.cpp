// SPDX-License-Identifier: Apache-2.0
// Pruning, purging and compaction.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/bench/run/resume.h"
#include "engine/history/history_store.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::history {
namespace {

namespace fs = std::filesystem;
using test::Optionals;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

const OpenOptions kImpatient{std::chrono::milliseconds(50), {}};

std::vector<std::string> idsOf(const std::vector<RunOverview>& runs) {
    std::vector<std::string> ids;
    for (const auto& run : runs) ids.push_back(run.id);
    return ids;
}

class Upkeep : public testing::Test {
protected:
    void SetUp() override { m_store = open(file()); }
    [[nodiscard]] fs::path file() const { return m_folder / "history.sqlite"; }
    [[nodiscard]] static std::unique_ptr<HistoryStore> open(const fs::path& file) {
        auto store = HistoryStore::open(file, kImpatient);
        EXPECT_TRUE(store) << describe(store.error());
        return store ? std::move(*store) : nullptr;
    }
    // Started at 1000, 2000, ... ms; finished; without notes.
    static std::vector<bench::RunRecord> fill(HistoryStore& store, int count, int cases = 0) {
        std::vector<bench::RunRecord> runs;
        for (int number = 1; number <= count; ++number) {
            auto run = test::inventRun(static_cast<std::uint64_t>(number), Optionals::All, cases);
            run.startedUnixMs = 1000 * number;
            run.finishedUnixMs = run.startedUnixMs + 500;
            run.note.clear();
            const auto begun = store.beginRun(run);
            EXPECT_TRUE(begun) << describe(begun.error());
            runs.push_back(std::move(run));
        }
        return runs;
    }
    [[nodiscard]] std::vector<std::string> ids() const { return idsOf(m_store->runs().value()); }
    int rows(const std::string& table) const {
        SQLite::Database database(file().string());
        return database.execAndGet("SELECT count(*) FROM " + table).getInt();
    }
    // As if this process had started it and were still measuring.
    void beginUnderWay(const std::string& id, std::int64_t started) const {
        bench::RunRecord run;
        run.id = id;
        run.startedUnixMs = started;
        ASSERT_TRUE(
            m_store->beginRun(run, R"({"cases": [{}], "process": ")" + bench::processIdentity(::getpid()) + "\"}"));
    }

    TemporaryFolder m_folder;
    std::unique_ptr<HistoryStore> m_store;
};

TEST_F(Upkeep, PruningKeepsTheNewestOrWhatIsYoungOrEither) {
    const auto runs = fill(*m_store, 5);
    const auto going = [this](const PruneRule& rule) { return idsOf(prunable(m_store->runs().value(), rule)); };
    EXPECT_THAT(going({.keepNewest = 3}), ElementsAre(runs[1].id, runs[0].id));
    EXPECT_THAT(going({.startedBeforeUnixMs = 3000}), ElementsAre(runs[1].id, runs[0].id)) << "3000 is not before 3000";
    EXPECT_THAT(going({.keepNewest = 2, .startedBeforeUnixMs = 2000}), ElementsAre(runs[0].id)) << "both must hold";
    EXPECT_THAT(going({.keepNewest = 4, .startedBeforeUnixMs = 9000}), ElementsAre(runs[0].id)) << "both must hold";
    EXPECT_THAT(going({.keepNewest = 5}), IsEmpty());
    EXPECT_THAT(going({}), IsEmpty()) << "what was not asked for is not done";
    EXPECT_EQ(going({.keepNewest = 0}).size(), 5U);
}

TEST_F(Upkeep, PruningKeepsNotesAndWhatIsUnderWay) {
    const auto runs = fill(*m_store, 4);
    ASSERT_TRUE(m_store->setNote(runs[1].id, "before the new fan"));
    beginUnderWay("abcdef", 2500);
    bench::RunRecord interrupted;
    interrupted.id = "fedcba";
    interrupted.startedUnixMs = 100;
    ASSERT_TRUE(m_store->beginRun(interrupted, R"({"cases": [{}], "process": "1:1:gone"})"));
    const auto pruned = m_store->prune({.keepNewest = 1});
    ASSERT_TRUE(pruned) << describe(pruned.error());
    EXPECT_THAT(idsOf(*pruned), ElementsAre(runs[2].id, runs[0].id, "fedcba"));
    EXPECT_THAT(ids(), ElementsAre(runs[3].id, "abcdef", runs[1].id));
}

TEST_F(Upkeep, PruningIsTakenBackLikeADeletion) {
    const auto runs = fill(*m_store, 3, 2);
    ASSERT_EQ(m_store->prune({.keepNewest = 1})->size(), 2U);
    for (const auto& id : {runs[0].id, runs[1].id}) ASSERT_TRUE(m_store->restore(id));
    for (const auto& run : runs) EXPECT_EQ(m_store->run(run.id), run);
}

TEST_F(Upkeep, PruningNothingChangesNothing) {
    EXPECT_THAT(m_store->prune({.keepNewest = 0}).value(), IsEmpty());
    fill(*m_store, 2);
    EXPECT_THAT(m_store->prune({.startedBeforeUnixMs = 1000}).value(), IsEmpty());
    EXPECT_EQ(ids().size(), 2U);
}

TEST_F(Upkeep, CompactingGivesTheSpaceOfDeletedRunsBackAndKeepsTheOthers) {
    const auto runs = fill(*m_store, 30, 10);
    ASSERT_EQ(m_store->prune({.keepNewest = 3})->size(), 27U);
    const auto before = m_store->bytes();
    const auto compaction = m_store->compact();
    ASSERT_TRUE(compaction) << describe(compaction.error());
    EXPECT_EQ(compaction->bytesBefore, before);
    EXPECT_EQ(compaction->bytesAfter, m_store->bytes());
    EXPECT_LT(compaction->bytesAfter, compaction->bytesBefore / 3);
    EXPECT_EQ(static_cast<std::uintmax_t>(compaction->bytesAfter), fs::file_size(file())) << "the log is empty";
    EXPECT_EQ(rows("runs"), 3);
    m_store = open(file());
    for (std::size_t i = 27; i < 30; ++i) EXPECT_EQ(m_store->run(runs[i].id), runs[i]);
    SQLite::Database database(file().string());
    EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(Upkeep, CompactingAgainGivesNothing) {
    const auto runs = fill(*m_store, 5, 3);
    ASSERT_TRUE(m_store->compact());
    const auto again = m_store->compact();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->bytesBefore, again->bytesAfter);
    for (const auto& run : runs) EXPECT_EQ(m_store->run(run.id), run);
}

TEST_F(Upkeep, CompactingWhileAnotherWritesIsLocked) {
    const auto runs = fill(*m_store, 3, 2);
    ASSERT_TRUE(m_store->remove(runs[0].id));
    SQLite::Database other(file().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    const auto locked = m_store->compact();
    ASSERT_FALSE(locked);
    EXPECT_EQ(locked.error().kind, ErrorKind::Locked) << describe(locked.error());
    EXPECT_NE(locked.error().subject.find("history.sqlite"), std::string::npos);
    other.exec("ROLLBACK");
    EXPECT_TRUE(m_store->restore(runs[0].id)) << "not even purged";
    EXPECT_TRUE(m_store->compact());
}

TEST_F(Upkeep, CompactingWhileAnotherReadsIsLockedAndLosesNothing) {
    const auto runs = fill(*m_store, 10, 5);
    ASSERT_TRUE(m_store->prune({.keepNewest = 2}));
    SQLite::Database other(file().string());
    other.exec("BEGIN; SELECT * FROM runs");
    const auto locked = m_store->compact();
    ASSERT_FALSE(locked);
    EXPECT_EQ(locked.error().kind, ErrorKind::Locked) << describe(locked.error());
    other.exec("COMMIT");
    for (std::size_t i = 8; i < 10; ++i) EXPECT_EQ(m_store->run(runs[i].id), runs[i]);
    const auto compaction = m_store->compact();
    ASSERT_TRUE(compaction) << describe(compaction.error());
    EXPECT_LT(compaction->bytesAfter, compaction->bytesBefore);
}

TEST_F(Upkeep, CompactingWhileARunIsUnderWayIsLocked) {
    const auto runs = fill(*m_store, 2);
    beginUnderWay("abcdef", 5000);
    ASSERT_TRUE(m_store->remove(runs[0].id));
    const auto refused = [this] {
        const auto compaction = m_store->compact();
        return !compaction && compaction.error().kind == ErrorKind::Locked &&
               compaction.error().detail.text == "run abcdef is in progress";
    };
    EXPECT_TRUE(refused());
    ASSERT_TRUE(m_store->remove("abcdef"));
    EXPECT_TRUE(refused()) << "also of a run that was deleted meanwhile";
    EXPECT_TRUE(m_store->restore(runs[0].id)) << "not even purged";
    ASSERT_TRUE(m_store->finishRun("abcdef", 6000));
    EXPECT_TRUE(m_store->compact());
}

TEST_F(Upkeep, AFileThatWasMovedIsNotCompacted) {
    fill(*m_store, 1);
    fs::rename(file(), m_folder / "elsewhere.sqlite");
    const auto compaction = m_store->compact();
    ASSERT_FALSE(compaction);
    EXPECT_EQ(compaction.error().kind, ErrorKind::IoFailed);
}

// While a window is open, its deletions can be undone, whatever the command line does meanwhile.
TEST_F(Upkeep, WhatAnotherProcessDeletedStaysWhileThatLives) {
    const auto runs = fill(*m_store, 3, 1);
    ASSERT_TRUE(m_store->remove(runs[0].id));
    m_store.reset();
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        auto store = HistoryStore::open(file(), kImpatient);
        const bool removed = store && (*store)->remove(runs[1].id);
        const char answer = removed ? 'y' : 'n';
        if (::write(ends[1], &answer, 1) != 1) ::_exit(1);
        ::alarm(60);  // at the latest
        ::pause();
        ::_exit(0);
    }
    char answer = 0;
    ASSERT_EQ(::read(ends[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    m_store = open(file());
    EXPECT_TRUE(m_store->compact());
    EXPECT_EQ(m_store->restore(runs[0].id).error().kind, ErrorKind::NotFound) << "its own";
    EXPECT_EQ(rows("runs"), 2);
    ASSERT_TRUE(m_store->restore(runs[1].id));
    EXPECT_EQ(m_store->run(runs[1].id), runs[1]);

    SQLite::Database(file().string(), SQLite::OPEN_READWRITE)
        .exec("UPDATE runs SET deleted_unix_ms = 1, deleted_by = '" + bench::processIdentity(child) + "' WHERE id = '" +
              runs[1].id + "'");
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    for (const int end : ends) ::close(end);
    ASSERT_TRUE(m_store->purgeDeleted());
    EXPECT_EQ(rows("runs"), 1) << "nobody can take it back any more";
}

TEST_F(Upkeep, AFullDiskLosesNothing) {
    const auto disk = m_folder / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1200k") != 0)
        GTEST_SKIP() << "cannot mount a small file system: " << std::strerror(errno);
    {
        const auto store = open(disk / "history.sqlite");
        std::vector<bench::RunRecord> runs;
        for (std::uint64_t number = 1; store->bytes() < 700'000; ++number) {
            auto run = test::inventRun(number, Optionals::All, 5);
            run.startedUnixMs = static_cast<std::int64_t>(number);
            ASSERT_TRUE(store->beginRun(run));
            runs.push_back(std::move(run));
        }
        ASSERT_TRUE(store->remove(runs[0].id));
        TemporaryFolder::spill(disk / "ballast", std::string(200'000, 'x'));
        const auto full = store->compact();
        ASSERT_FALSE(full);
        EXPECT_EQ(full.error().kind, ErrorKind::DiskFull) << describe(full.error());
        for (std::size_t i = 1; i < runs.size(); ++i) EXPECT_EQ(store->run(runs[i].id), runs[i]);
    }
    ::umount2(disk.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace steelyard::history
