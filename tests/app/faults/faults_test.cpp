// SPDX-License-Identifier: Apache-2.0
// Fault injection: a run during which the system fails at successive calls: the program exits with a message, the
// existing history is intact, and nothing incomplete is marked complete.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "engine/bench/run/child_process.h"
#include "tests/support/honest_history.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace steelyard {
namespace {

using std::chrono::milliseconds;

// Selects one of the two processes by a word of its command line.
constexpr auto kRun = "run --workload";
constexpr auto kMeasuring = "run-case";

struct Ended {
    std::optional<int> code, signal;
    std::string out, err;
    bool met = false;  // the fault occurred
};

class Faults : public testing::Test {
protected:
    void SetUp() override {
#if STEELYARD_SANITIZED
        GTEST_SKIP() << "a sanitizer wants to be the first library itself";
#endif
        const auto first = run();
        ASSERT_EQ(first.code, 0) << first.err;
        std::filesystem::copy(database(), m_folder / "before.sqlite");
    }

    [[nodiscard]] std::filesystem::path database() const {
        return m_folder / "history.sqlite";
    }

    // One small case, measured with the fault armed.
    Ended run(const std::string& fault = {}) {
        const auto log = m_folder / "met";
        std::filesystem::remove(log);
        bench::ChildCommand command{
            .arguments = {STEELYARD_CLI, "run", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8",
                          "--device", "cpu", "--threads", "1", "--time-cap", "0.1", "--no-verify", "--json", "--db",
                          database().string()},
            .environment = {{"HOME", m_folder.path().string()}, {"TMPDIR", m_folder.path().string()}},
            .standardInput = {}};
        if (!fault.empty()) {
            command.environment["LD_PRELOAD"] = STEELYARD_FAULTY_SYSTEM;
            command.environment["STEELYARD_FAULT"] = fault;
            command.environment["STEELYARD_FAULT_LOG"] = log.string();
        }
        auto child = bench::ChildProcess::start(command);
        if (!child) {
            ADD_FAILURE() << describe(child.error());
            return {};
        }
        Ended ended;
        while (!child->atEnd()) {
            if (const auto line = child->readLine(milliseconds(60'000))) {
                ended.out += *line + '\n';
            } else if (!child->atEnd()) {
                ADD_FAILURE() << "it hangs";
                child->kill();
                break;
            }
        }
        const auto exit = child->wait();
        ended.code = exit.code;
        ended.signal = exit.signal;
        ended.err = exit.standardErrorTail;
        ended.met = std::filesystem::exists(log);
        return ended;
    }

    // Each round starts with the same history of one finished run.
    Ended runAnew(const std::string& kind, int moment, const std::string& process) {
        for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(database().string() + end);
        std::filesystem::copy(m_folder / "before.sqlite", database());
        return run(kind + ':' + std::to_string(moment) + ':' + process);
    }

    // Invariants after any fault.
    void expectNothingLost(const Ended& ended) {
        test::expectHonest(database());
        const auto store = history::HistoryStore::open(database());
        ASSERT_TRUE(store) << describe(store.error());
        const auto runs = (*store)->runs();
        ASSERT_TRUE(runs) << describe(runs.error());
        ASSERT_FALSE(runs->empty());
        EXPECT_TRUE(runs->back().finishedUnixMs) << "the run of before";
        EXPECT_EQ(runs->back().okCount, 1);
        if (ended.code == 0) {
            ASSERT_EQ(runs->size(), 2U);
            EXPECT_TRUE(runs->front().finishedUnixMs);
            EXPECT_EQ(runs->front().okCount, 1);
        }
    }

    // Injects the fault at increasing positions until it no longer occurs: the program always exits by itself with a
    // message.
    void expectSentences(const std::string& kind, const std::string& process, const std::vector<int>& moments) {
        int met = 0;
        for (const int moment : moments) {
            SCOPED_TRACE(kind + ' ' + std::to_string(moment) + " in " + process);
            const auto ended = runAnew(kind, moment, process);
            EXPECT_FALSE(ended.signal) << "ended by signal " << *ended.signal << ": " << ended.err;
            if (ended.code != 0) {
                EXPECT_FALSE((ended.err + ended.out).empty());
            }
            expectNothingLost(ended);
            if (!ended.met) break;
            ++met;
        }
        EXPECT_GT(met, 1) << "the fault was never met";
    }

    // Killed at those positions: the history shows it.
    void expectHonestAfterDeath(const std::string& kind, const std::vector<int>& moments) {
        int met = 0;
        for (const int moment : moments) {
            SCOPED_TRACE(kind + ' ' + std::to_string(moment));
            const auto ended = runAnew(kind, moment, kRun);
            EXPECT_EQ(ended.signal.has_value(), ended.met) << ended.err;
            expectNothingLost(ended);
            if (!ended.met) break;
            ++met;
        }
        EXPECT_GT(met, 1);
    }

    test::TemporaryFolder m_folder;
};

TEST_F(Faults, TheDiskFillsAtAnyWriting) {
    expectSentences("full", kRun, {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66});
}

TEST_F(Faults, AWritingFailsOnce) {
    expectSentences("broken", kRun, {1, 4, 8, 13, 19, 26, 34, 43, 53, 64});
}

TEST_F(Faults, WhatWasWrittenCannotBeMadeLasting) {
    expectSentences("unsynced", kRun, {1, 2, 3, 4, 5, 6});
}

TEST_F(Faults, AReadingFailsOnce) {
    expectSentences("unread", kRun, {1, 5, 12, 25, 45, 70, 100, 140});
}

TEST_F(Faults, MemoryEndsInTheRun) {
    expectSentences("memory", kRun, {900, 2500, 5000, 7000, 8000, 9000, 10'000, 11'000});
}

TEST_F(Faults, MemoryEndsInTheMeasuringProcess) {
    expectSentences("memory", kMeasuring, {900, 3000, 5000, 7000, 9000, 11'000, 13'000});
}

TEST_F(Faults, TheRunIsKilledAtAnyWriting) {
    expectHonestAfterDeath("kill", {1, 3, 7, 12, 18, 25, 33, 42, 52, 63, 75});
}

TEST_F(Faults, TheMeasuringProcessIsKilledAnywhere) {
    int met = 0;
    for (const int moment : {10, 3000, 6000, 9000, 12'000, 15'000}) {
        SCOPED_TRACE(moment);
        const auto ended = runAnew("die", moment, kMeasuring);
        EXPECT_EQ(ended.code, ended.met ? 1 : 0) << ended.err;
        if (ended.met) {
            EXPECT_NE(ended.out.find("\"crashed\""), std::string::npos) << ended.out;
        }
        expectNothingLost(ended);
        met += ended.met ? 1 : 0;
        if (!ended.met) break;
    }
    EXPECT_GT(met, 1);
}

TEST_F(Faults, ItIsToldToEndWhileItWrites) {
    for (const int moment : {2, 9, 20, 35}) {
        SCOPED_TRACE(moment);
        const auto ended = runAnew("term", moment, kRun);
        ASSERT_TRUE(ended.met);
        EXPECT_FALSE(ended.signal);
        // Told after the last case, it has nothing left to leave out.
        EXPECT_TRUE(ended.code == 130 || ended.code == 0) << ended.err;
        expectNothingLost(ended);
    }
}

TEST_F(Faults, ReadingsMayGiveLessThanAsked) {
    for (const int bytes : {1000, 97}) {
        const auto ended = runAnew("short", bytes, "");
        EXPECT_TRUE(ended.met);
        EXPECT_EQ(ended.code, 0) << ended.err;
        expectNothingLost(ended);
    }
}

TEST_F(Faults, TheClockIsSetBack) {
    for (const int moment : {1, 2, 3}) {
        SCOPED_TRACE(moment);
        for (const auto* process : {kRun, kMeasuring}) {
            const auto ended = runAnew("clock", moment, process);
            if (process == kRun) {
                EXPECT_TRUE(ended.met);
            }
            EXPECT_EQ(ended.code, 0) << ended.err;
            test::expectHonest(database());
            const auto runs = (*history::HistoryStore::open(database()))->runs();
            ASSERT_TRUE(runs);
            ASSERT_EQ(runs->size(), 2U);
            for (const auto& overview : *runs) {
                EXPECT_EQ(overview.okCount, 1);
                EXPECT_TRUE(overview.finishedUnixMs);
            }
        }
    }
}

}  // namespace
}  // namespace steelyard
