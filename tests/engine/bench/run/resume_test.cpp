// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/resume.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/hardware/profile/profile_json.h"

namespace steelyard::bench {
namespace {

Case caseOf(std::int64_t batch) {
    return {.workload = "mnist_mlp", .mode = plan::Mode::Infer, .device = "cpu", .batch = batch};
}

CaseRecord recordOf(std::int64_t batch, Status status) {
    CaseRecord record;
    record.spec = caseOf(batch);
    record.status = status;
    return record;
}

class Resume : public testing::Test {
protected:
    void SetUp() override {
        m_profile = {};
        m_profile.cpu.name = hardware::known<std::string>("Zen", "test");
        m_profile.cpu.cores = hardware::known(8, "test");
        m_profile.cpu.usableThreads = hardware::known(8, "test");
        m_profile.memory.totalBytes = hardware::known(std::int64_t{64} << 30, "test");
        m_profile.environment.hostname = hardware::known<std::string>("here", "test");
        m_run.id = "abcd";
        m_run.suiteVersion = "3";
        m_run.programVersion = "1.0";
        m_run.gitRevision = "cafe";
        m_run.profileJson = hardware::toJson(m_profile);
    }
    [[nodiscard]] std::string refusal(std::string_view process = {}) const {
        const auto result = checkResumable(m_run, {"3", "1.0", "cafe", m_profile, process});
        return result ? "" : describe(result.error());
    }

    hardware::HardwareProfile m_profile;
    RunRecord m_run;
};

TEST_F(Resume, TheSameMachineAndVersionMayGoOn) {
    EXPECT_EQ(refusal(), "");
}

TEST_F(Resume, AnythingElseIsRefusedInWords) {
    const auto says = [&](const std::string& words) {
        const auto text = refusal();
        EXPECT_NE(text.find("abcd"), std::string::npos);
        EXPECT_NE(text.find(words), std::string::npos) << text;
        SetUp();
        m_run.finishedUnixMs.reset();
        m_run.origin = "measured";
    };
    m_run.finishedUnixMs = 5;
    says("it is finished");
    m_run.origin = "imported";
    says("imported");
    m_run.suiteVersion = "2";
    says("version 2 of the suites; this program has 3");
    m_run.gitRevision = "beef";
    says("started by version 1.0 (beef); this is 1.0 (cafe)");
    m_run.profileJson.clear();
    says("is unknown");
    m_profile.cpu.name = hardware::known<std::string>("Xeon", "test");
    says("processor Zen, now Xeon");
    m_profile.cpu.usableThreads = hardware::known(4, "test");
    says("8 usable cores, now 4");
    m_profile.memory.totalBytes = hardware::known(std::int64_t{32} << 30, "test");
    says("memory 64.0 GiB, now 32.0 GiB");
    m_profile.gpus.emplace_back().name = hardware::known<std::string>("L4", "test");
    says("GPUs none, now L4");
    m_profile.environment.hostname = hardware::known<std::string>("there", "test");
    says("host name here, now there");
    EXPECT_NE(refusal("1 2 3").find("still measuring"), std::string::npos);
}

TEST_F(Resume, AFewMegabytesAreNoOtherComputer) {
    m_profile.memory.totalBytes = hardware::known((std::int64_t{64} << 30) - (std::int64_t{100} << 20), "test");
    EXPECT_EQ(refusal(), "");
}

TEST(MissingCases, AreThoseWithoutARecordAndTheCancelledOnes) {
    const RunSpec order{{caseOf(1), caseOf(2), caseOf(3), caseOf(2), caseOf(4)}, {}, {}};
    const auto missing =
        missingCases(order, {recordOf(2, Status::Ok), recordOf(4, Status::Cancelled), recordOf(1, Status::Crashed)});
    std::vector<std::int64_t> batches;
    for (const auto& spec : missing) batches.push_back(spec.batch);
    EXPECT_EQ(batches, (std::vector<std::int64_t>{3, 2, 4}));
}

TEST(RunSpec, RoundTrips) {
    RunSpec order{{caseOf(1), caseOf(2)}, {.timeCap = Seconds(2.5), .precise = true}, "12 34 boot"};
    order.cases[1].kernels = "openblas";
    EXPECT_EQ(runSpecFromJson(toJson(order)).value(), order);
    EXPECT_FALSE(runSpecFromJson("[]"));
    EXPECT_FALSE(runSpecFromJson(R"({"protocol": {}})"));
}

TEST(ProcessMark, NamesALivingProcess) {
    const auto own = processIdentity(::getpid());
    EXPECT_TRUE(isAlive(own)) << own;
    EXPECT_TRUE(processIdentity(1 << 30).empty());
    EXPECT_FALSE(isAlive(""));
    EXPECT_FALSE(isAlive("gibberish"));
    EXPECT_FALSE(isAlive(own + "x")) << "the same number after another start, or another boot, is another process";
}

}  // namespace
}  // namespace steelyard::bench
