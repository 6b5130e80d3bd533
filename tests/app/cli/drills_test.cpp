// SPDX-License-Identifier: Apache-2.0
// Failures of the environment during a run: the history file, its folder, the disk space or the data disappear. They
// are caused by the measured case, using a script in place of the measuring child.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/run_issue.h"
#include "engine/history/history_store.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/drawn_digits.h"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kTwoCases{"run", "--workload", "mnist_mlp", "--batch",    "8",   "--device",
                                         "cpu", "--threads",  "1",         "--time-cap", "0.3", "--no-verify"};

class Drills : public CliTest {
protected:
    // The child of the inference case performs `deed` first.
    void beforeInference(const std::string& deed) {
        m_executable = script("measuring", "order=$(cat)\ncase \"$order\" in *'\"infer\"'*) " + deed +
                                               ";; esac\nprintf '%s\\n' \"$order\" | '" STEELYARD_CLI "' \"$@\"\n");
    }
    // The messages besides the events.
    std::vector<bench::RunIssue> play(const std::vector<std::string>& more) {
        auto arguments = kTwoCases;
        arguments.insert(arguments.end(), more.begin(), more.end());
        arguments.insert(arguments.end(), {"--events", "jsonl"});
        m_outcome = call(arguments);
        std::vector<bench::RunIssue> issues;
        std::istringstream lines(m_outcome.out);
        for (std::string line; std::getline(lines, line);) {
            if (bench::eventFromJson(line)) continue;
            const auto issue = bench::runIssueFromJson(line);
            EXPECT_TRUE(issue) << line;
            if (issue) issues.push_back(*issue);
        }
        return issues;
    }
    // A run that could not be stored is reported twice: immediately without the file, at the end with it.
    void expectKept(const std::vector<bench::RunIssue>& told, ErrorKind kind) {
        ASSERT_EQ(m_outcome.code, 1) << m_outcome.err;
        ASSERT_EQ(told.size(), 2U) << m_outcome.out << m_outcome.err;
        EXPECT_EQ(told[0].kind, bench::RunIssue::Kind::NotStored);
        EXPECT_EQ(told[0].error.kind, kind) << describe(told[0].error);
        EXPECT_TRUE(told[0].file.empty());
        const auto kept = bench::resultsFromJson(test::TemporaryFolder::slurp(told[1].file));
        ASSERT_TRUE(kept) << told[1].file;
        ASSERT_EQ(kept->size(), 1U);
        EXPECT_EQ(kept->front().records.size(), 2U);
        for (const auto& record : kept->front().records) EXPECT_EQ(record.status, bench::Status::Ok) << record.reason;
        EXPECT_NE(m_outcome.err.find("history import " + told[1].file), std::string::npos) << m_outcome.err;
        // As stated by the message.
        EXPECT_EQ(call({"history", "import", told[1].file, "--db", (m_folder / "new.sqlite").string()}).code, 0);
        const auto runs =
            call({"history", "list", "--json", "--db", (m_folder / "new.sqlite").string()}).json()["runs"];
        ASSERT_EQ(runs.size(), 1U);
        EXPECT_EQ(runs[0]["ok"], 2);
        fs::remove(told[1].file);
    }

    Outcome m_outcome;
};

TEST_F(Drills, TheHistoryIsDeletedDuringTheRun) {
    const auto database = m_folder / "history.sqlite";
    beforeInference("rm -f '" + database.string() + "' '" + database.string() + "-wal'");
    expectKept(play({"--db", database.string()}), ErrorKind::IoFailed);
}

TEST_F(Drills, TheFolderOfTheApplicationIsDeletedDuringTheRun) {
    beforeInference("rm -rf '" + (m_folder / ".local").string() + "'");
    expectKept(play({}), ErrorKind::IoFailed);
}

TEST_F(Drills, TheDiskIsFullDuringTheRun) {
    const auto disk = m_folder / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=2m") != 0)
        GTEST_SKIP() << "mounting: " << std::strerror(errno);
    beforeInference("dd if=/dev/zero of='" + (disk / "filler").string() + "' bs=4k 2>/dev/null");
    expectKept(play({"--db", (disk / "history.sqlite").string()}), ErrorKind::DiskFull);
    fs::remove(disk / "filler");
    // Previously stored results are intact, and the run can be completed from them.
    const auto runs = call({"history", "list", "--json", "--db", (disk / "history.sqlite").string()}).json()["runs"];
    EXPECT_EQ(runs.size(), 1U);
    EXPECT_LE(runs[0]["ok"], 1);
    EXPECT_TRUE(runs[0]["finished"].is_null());
    EXPECT_EQ(::umount2(disk.c_str(), MNT_DETACH), 0);
}

TEST_F(Drills, ThereIsNoRoomToBegin) {
    const auto disk = m_folder / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=16k") != 0)
        GTEST_SKIP() << "mounting: " << std::strerror(errno);
    const auto told = play({"--db", (disk / "history.sqlite").string()});
    EXPECT_EQ(::umount2(disk.c_str(), MNT_DETACH), 0);
    EXPECT_EQ(m_outcome.code, 2);
    ASSERT_EQ(told.size(), 1U) << m_outcome.out;
    EXPECT_EQ(told[0].kind, bench::RunIssue::Kind::Refused);
    EXPECT_EQ(told[0].error.kind, ErrorKind::DiskFull) << describe(told[0].error);
}

TEST_F(Drills, TheDataArePulledAwayDuringTheRun) {
    const auto data = m_folder / "data";
    fs::create_directory(data);
    ASSERT_TRUE(test::writeDrawnDigits(data, {.seed = 1, .train = 200, .test = 50}));
    // The first of the three cases removes them when it has ended.
    m_executable =
        script("measuring", "'" STEELYARD_CLI "' \"$@\"\ncode=$?\nrm -rf '" + data.string() + "'\nexit $code\n");
    auto arguments = kTwoCases;
    arguments.insert(arguments.end(), {"--mode", "train", "--data", data.string(), "--json"});
    const auto outcome = call(arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const auto records = outcome.json()["records"];
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0]["status"], "ok") << records[0]["reason"];
    for (std::size_t i = 1; i < records.size(); ++i) {
        EXPECT_EQ(records[i]["status"], "failed");
        EXPECT_NE(records[i]["reason"].get<std::string>().find(data.string()), std::string::npos)
            << records[i]["reason"];
    }
    EXPECT_EQ(call({"history", "list", "--json"}).json()["runs"][0]["ok"], 1);
}

TEST_F(Drills, OnlyTheUsersWishIsAStop) {
    for (const auto& [number, stopped] : {std::pair(SIGINT, true), std::pair(SIGTERM, false)}) {
        const auto database = (m_folder / (std::to_string(number) + ".sqlite")).string();
        m_interrupted = number;
        (void)play({"--db", database});
        EXPECT_EQ(m_outcome.code, 130) << m_outcome.err;
        m_interrupted = 0;
        const auto run = call({"history", "list", "--json", "--db", database}).json()["runs"][0];
        EXPECT_EQ(run["stopped"].is_null(), !stopped);
        EXPECT_EQ(run["planned"], 2);
        EXPECT_EQ(run["cases"], 0);
        const auto line = call({"history", "list", "--db", database}).out;
        // This process is recorded as the measuring one, so an interrupted run appears to be in progress.
        EXPECT_NE(line.find(stopped ? "(stopped after 0 of 2 cases)" : "(under way)"), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace steelyard::cli
