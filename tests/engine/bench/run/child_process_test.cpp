// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/child_process.h"

#include <gtest/gtest.h>

#include <csignal>

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;

ChildCommand shell(const std::string& script, const std::string& input = {}) {
    return {
        .arguments = {"/bin/sh", "-c", script}, .environment = {{"STEELYARD_TEST", "one two"}}, .standardInput = input};
}

std::vector<std::string> allLines(ChildProcess& child) {
    std::vector<std::string> lines;
    while (!child.atEnd())
        if (auto line = child.readLine(200ms)) lines.push_back(*line);
    return lines;
}

TEST(ChildProcess, PassesInputEnvironmentAndOutput) {
    auto child = ChildProcess::start(shell(
        "read word; echo \"got $word\"; echo \"$STEELYARD_TEST\"; echo no newline at the end | tr -d '\\n'; exit 7",
        "hello\n"));
    ASSERT_TRUE(child);
    EXPECT_EQ(allLines(*child), (std::vector<std::string>{"got hello", "one two", "no newline at the end"}));
    const auto exit = child->wait();
    EXPECT_EQ(exit.code, 7);
    EXPECT_FALSE(exit.signal);
    EXPECT_GT(exit.peakResidentBytes, 0);
}

TEST(ChildProcess, ReportsTheSignalAndTheLastWords) {
    auto child = ChildProcess::start(shell("echo out of cheese >&2; kill -SEGV $$"));
    ASSERT_TRUE(child);
    EXPECT_TRUE(allLines(*child).empty());
    const auto exit = child->wait();
    EXPECT_EQ(exit.signal, SIGSEGV);
    EXPECT_NE(exit.standardErrorTail.find("out of cheese"), std::string::npos);
}

TEST(ChildProcess, PatienceRunsOutWithoutALine) {
    auto child = ChildProcess::start(shell("sleep 20"));
    ASSERT_TRUE(child);
    EXPECT_FALSE(child->readLine(20ms));
    EXPECT_FALSE(child->atEnd());
    child->kill();
    EXPECT_EQ(child->wait().signal, SIGKILL);
}

TEST(ChildProcess, TheDestructorEndsIt) {
    pid_t pid = -1;
    {
        auto child = ChildProcess::start(shell("exec sleep 60"));
        ASSERT_TRUE(child);
        pid = child->pid();
        EXPECT_EQ(::kill(pid, 0), 0);
    }
    EXPECT_NE(::kill(pid, 0), 0);
}

TEST(ChildProcess, AMissingProgramIsNotFound) {
    const auto child = ChildProcess::start({.arguments = {"/nowhere/at/all"}, .environment = {}, .standardInput = {}});
    ASSERT_FALSE(child);
    EXPECT_EQ(child.error().kind, ErrorKind::NotFound);
}

TEST(ChildProcess, LongOutputArrivesWhole) {
    auto child = ChildProcess::start(
        shell("i=0; while [ $i -lt 2000 ]; do echo \"line $i "
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"; i=$((i+1)); done"));
    ASSERT_TRUE(child);
    EXPECT_EQ(allLines(*child).size(), 2000U);
}

}  // namespace
}  // namespace steelyard::bench
