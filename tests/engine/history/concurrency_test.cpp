// SPDX-License-Identifier: Apache-2.0
// Several stores on one file: threads, processes, and a writer that is killed.
#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "engine/history/history_store.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::history {
namespace {

using test::Optionals;
using test::TemporaryFolder;

const OpenOptions kPatient{std::chrono::seconds(60), {}};

class SharedHistory : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "history.sqlite"; }
    [[nodiscard]] std::unique_ptr<HistoryStore> open() const {
        auto store = HistoryStore::open(file(), kPatient);
        EXPECT_TRUE(store) << describe(store.error());
        return store ? std::move(*store) : nullptr;
    }
    void expectIntact() const {
        SQLite::Database database(file().string(), SQLite::OPEN_READWRITE);
        EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
        EXPECT_EQ(database.execAndGet("SELECT count(*) FROM pragma_foreign_key_check").getInt(), 0);
    }

    TemporaryFolder m_folder;
};

TEST_F(SharedHistory, ThreadsWithStoresOfTheirOwnWriteAtTheSameTime) {
    constexpr int kWriters = 4;
    constexpr int kRecords = 15;
    std::atomic<int> failures = 0;
    std::vector<std::thread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([this, writer, &failures] {
            const auto store = HistoryStore::open(file(), kPatient);
            const auto run = test::inventRun(static_cast<std::uint64_t>(writer) + 1, Optionals::All, 0);
            if (!store || !(*store)->beginRun(run)) ++failures;
            for (std::uint64_t i = 0; store && i < kRecords; ++i) {
                if (!(*store)->addRecord(run.id, test::inventRecord(i, Optionals::Some))) ++failures;
            }
        });
    }
    for (auto& writer : writers) writer.join();
    EXPECT_EQ(failures, 0);
    const auto store = open();
    const auto runs = store->runs();
    ASSERT_EQ(runs->size(), static_cast<std::size_t>(kWriters));
    for (const auto& overview : *runs) {
        EXPECT_EQ(overview.caseCount, kRecords);
        const auto run = store->run(overview.id);
        for (std::uint64_t i = 0; i < kRecords; ++i) {
            EXPECT_EQ(run->records[i], test::inventRecord(i, Optionals::Some));
        }
    }
    expectIntact();
}

TEST_F(SharedHistory, ProcessesCreateOneFileTogether) {
    constexpr std::uint64_t kProcesses = 6;
    std::vector<pid_t> children;
    for (std::uint64_t i = 1; i <= kProcesses; ++i) {
        const auto child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const auto store = HistoryStore::open(file(), kPatient);
            const bool done = store && (*store)->beginRun(test::inventRun(i, Optionals::All));
            ::_exit(done ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const auto child : children) {
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(open()->runs()->size(), kProcesses);
    expectIntact();
}

TEST_F(SharedHistory, AKilledWriterKeepsWhatItHadFinished) {
    for (const int killAfter : {1, 2, 7, 20}) {
        const auto run = test::inventRun(static_cast<std::uint64_t>(killAfter), Optionals::All, 0);
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        const auto child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const auto store = HistoryStore::open(file(), kPatient);
            if (!store || !(*store)->beginRun(run)) ::_exit(1);
            for (std::uint64_t i = 0;; ++i) {  // until it is killed, most likely within addRecord
                if (!(*store)->addRecord(run.id, test::inventRecord(i, Optionals::All))) ::_exit(1);
                if (::write(ends[1], "x", 1) != 1) ::_exit(1);
            }
        }
        ::close(ends[1]);
        char byte = 0;
        for (int i = 0; i < killAfter; ++i) ASSERT_EQ(::read(ends[0], &byte, 1), 1);
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
        std::size_t finished = static_cast<std::size_t>(killAfter);
        while (::read(ends[0], &byte, 1) == 1) ++finished;
        ::close(ends[0]);

        const auto stored = open()->run(run.id);
        ASSERT_TRUE(stored) << describe(stored.error());
        // One more may have been committed without being reported.
        EXPECT_GE(stored->records.size(), finished);
        EXPECT_LE(stored->records.size(), finished + 1);
        for (std::size_t i = 0; i < stored->records.size(); ++i) {
            EXPECT_EQ(stored->records[i], test::inventRecord(i, Optionals::All)) << i;
        }
        EXPECT_EQ(stored->finishedUnixMs, run.finishedUnixMs);
        expectIntact();
    }
}

TEST_F(SharedHistory, ReadersSeeWholeCasesWhileAnotherWrites) {
    const auto writer = open();
    auto run = test::inventRun(1, Optionals::All, 0);
    ASSERT_TRUE(writer->beginRun(run));
    std::atomic<bool> done = false;
    std::atomic<int> wrong = 0;
    std::atomic<int> readings = 0;
    std::thread reader([&] {
        const auto store = HistoryStore::open(file(), kPatient);
        std::size_t before = 0;
        do {
            const auto stored = (*store)->run(run.id);
            if (!stored || stored->records.size() < before) {
                ++wrong;
                continue;
            }
            before = stored->records.size();
            for (std::size_t i = 0; i < before; ++i) {
                if (stored->records[i] != test::inventRecord(i, Optionals::All)) ++wrong;
            }
            ++readings;
        } while (!done);
    });
    for (std::uint64_t i = 0; i < 40; ++i) {
        EXPECT_TRUE(writer->addRecord(run.id, test::inventRecord(i, Optionals::All)));
    }
    done = true;
    reader.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(readings, 0);
}

}  // namespace
}  // namespace steelyard::history
