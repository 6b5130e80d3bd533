// SPDX-License-Identifier: Apache-2.0
// Runs on a small file system that is filled concurrently; most of them are killed at a random time. Every case
// reported as finished is in the history unless the program reported that it could not be stored, the history has no
// case that was not measured, and a full disk is reported with a message.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/run_issue.h"
#include "engine/core/random.h"
#include "engine/history/history_store.h"
#include "tests/app/hostile/program.h"
#include "tests/support/honest_history.h"
#include "tests/support/temporary_folder.h"

namespace steelyard {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using test::TemporaryFolder;

constexpr int kTrials = 60;

class FillingDisk : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directory(m_disk);
        if (::mount("tmpfs", m_disk.c_str(), "tmpfs", 0, "size=1m") != 0)
            GTEST_SKIP() << "cannot mount a small file system (not root?): " << std::strerror(errno);
        m_isMounted = true;
        m_start.folder = m_folder.path();
        m_start.environment = {{"HOME", m_folder.path().string()}, {"TMPDIR", m_folder.path().string()}};
        const auto first = test::runProgram(run(1), m_start);
        ASSERT_EQ(first.code, 0) << first.err;
        fs::copy_file(database(), m_folder / "before.sqlite");
    }
    void TearDown() override {
        if (m_isMounted) ::umount2(m_disk.c_str(), MNT_DETACH);
    }

    [[nodiscard]] fs::path database() const { return m_disk / "history.sqlite"; }
    [[nodiscard]] std::vector<std::string> run(int batches) const {
        std::string list;
        for (int i = 0; i < batches; ++i) list += (i == 0 ? "" : ",") + std::to_string(8 << i);
        return {"run",  "--workload",  "mnist_mlp", "--mode",    "infer", "--batch",
                list,   "--device",    "cpu",       "--threads", "1",     "--time-cap",
                "0.05", "--no-verify", "--events",  "jsonl",     "--db",  database().string()};
    }
    void empty() const {
        for (const auto& entry : fs::directory_iterator(m_disk)) fs::remove(entry.path());
        fs::copy_file(m_folder / "before.sqlite", database());
    }
    // Allocates blocks until the disk is full.
    void fill(milliseconds pause, std::size_t piece, const std::atomic<bool>& stop) const {
        std::ofstream file(m_disk / "filler", std::ios::binary);
        while (!stop) {
            if (!(file << std::string(piece, 'x') << std::flush)) file.clear();
            std::this_thread::sleep_for(pause);
        }
    }

    TemporaryFolder m_folder;
    fs::path m_disk = m_folder / "disk";
    bool m_isMounted = false;
    test::Start m_start;
};

struct Told {
    std::set<std::string> finished;  // hashes of cases reported before any problem
    std::set<std::string> started;   // labels
    bool full = false;               // the run could not be stored
};

Told toldBy(const std::string& output) {
    Told told;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (const auto event = bench::eventFromJson(line)) {
            if (event->kind == bench::EventKind::CaseStarted && event->spec)
                told.started.insert(bench::caseLabel(*event->spec));
            if (event->kind == bench::EventKind::CaseFinished && event->record && !told.full)
                told.finished.insert(bench::caseLabel(event->record->spec));
        } else if (const auto issue = bench::runIssueFromJson(line)) {
            EXPECT_EQ(issue->error.kind, ErrorKind::DiskFull) << describe(issue->error);
            told.full = true;
        }
    }
    return told;
}

TEST_F(FillingDisk, LosesNoFinishedCaseAndInventsNone) {
    const RandomStream random(7, 0x66756c6c);
    std::uint32_t draw = 0;
    int killed = 0, full = 0, live = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        SCOPED_TRACE("trial " + std::to_string(trial));
        empty();
        std::atomic<bool> stop{false};
        // The last trials end by themselves, so that all their output is checked.
        const bool isKilled = trial < kTrials * 4 / 5;
        m_start.killAfter.reset();
        // A run with three visits per case takes several seconds.
        if (isKilled) m_start.killAfter = milliseconds(50 + random.below(draw++, 3000));
        const milliseconds pause(5 + random.below(draw++, 60));
        const std::size_t piece = 4096 * (1 + random.below(draw++, 8));
        std::thread filler([&] { fill(pause, piece, stop); });
        const auto finish = test::runProgram(run(8), m_start);
        stop = true;
        filler.join();
        ASSERT_FALSE(finish.hung);
        const auto told = toldBy(finish.out);
        killed += finish.signal ? 1 : 0;
        full += told.full ? 1 : 0;
        live += told.started.empty() ? 0 : 1;
        if (!finish.signal) {
            EXPECT_TRUE(finish.code == 0 || finish.code == 1 || finish.code == 2) << finish.code.value_or(-1);
        }
        if (!finish.signal && finish.code != 0) {
            EXPECT_NE(finish.err.find("disk is full"), std::string::npos) << finish.err;
        }
        {
            // While the disk is full, stored data can be read.
            const auto store = history::HistoryStore::open(database(), {.create = false});
            ASSERT_TRUE(store) << describe(store.error());
            EXPECT_TRUE((*store)->runs());
        }
        fs::remove(m_disk / "filler");
        test::expectHonest(database());
        const auto store = history::HistoryStore::open(database());
        ASSERT_TRUE(store) << describe(store.error());
        const auto runs = (*store)->runs();
        ASSERT_TRUE(runs);
        ASSERT_GE(runs->size(), 1U);
        ASSERT_LE(runs->size(), 2U);
        EXPECT_TRUE(runs->back().finishedUnixMs) << "the run of before";
        EXPECT_EQ(runs->back().okCount, 1);
        std::set<std::string> stored;
        if (runs->size() == 2) {
            const auto latest = (*store)->run(runs->front().id);
            ASSERT_TRUE(latest) << describe(latest.error());
            for (const auto& record : latest->records) {
                const auto label = bench::caseLabel(record.spec);
                EXPECT_TRUE(stored.insert(label).second) << label << " is there twice";
                EXPECT_TRUE(told.started.contains(label)) << label << " was invented";
            }
        }
        for (const auto& label : told.finished) EXPECT_TRUE(stored.contains(label)) << label << " was lost";
    }
    std::printf("%d trials: %d killed, %d with cases, %d told of a full disk\n", kTrials, killed, live, full);
    EXPECT_GT(killed, 10);
    EXPECT_GT(live, kTrials / 4);
    EXPECT_GT(full, 3);
}

}  // namespace
}  // namespace steelyard
