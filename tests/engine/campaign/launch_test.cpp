// SPDX-License-Identifier: Apache-2.0
// The commands of each engine, and the parsing of their output: recorded output of squeue, sky and kubectl.
#include "engine/campaign/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/campaign/task_files/task_files.h"
#include "engine/campaign/tool.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Campaign campaignWith(Engine engine, std::size_t count = 2) {
    Campaign campaign{.id = "0123456789ab", .folder = "/shared/it's here"};
    for (std::size_t i = 1; i <= count; ++i) {
        Candidate candidate{.id = "0" + std::to_string(i)};
        candidate.engine = engine;
        candidate.taskFile = candidate.id + ".file";
        candidate.forecast = Forecast();
        campaign.candidates.push_back(candidate);
    }
    return campaign;
}

Campaign launchedWith(Engine engine, std::vector<std::string> externalIds) {
    auto campaign = campaignWith(engine, externalIds.size());
    for (std::size_t i = 0; i < externalIds.size(); ++i) {
        campaign.candidates[i].externalId = externalIds[i];
        campaign.candidates[i].state = CandidateState::Submitted;
    }
    return campaign;
}

Result<void> answered(Campaign& campaign, const std::string& text) {
    const auto commands = pollCommands(campaign);
    EXPECT_THAT(commands, SizeIs(1));
    return markPolled(campaign, commands.front(), {.code = 0, .out = text, .error = {}}, 1000);
}

TEST(Launch, EachEngineIsCalledByItsOwnProgram) {
    EXPECT_THAT(launchCommands(campaignWith(Engine::Slurm))[0].words,
                ElementsAre("sbatch", "--parsable", "--chdir=/shared/it's here", "/shared/it's here/01.file"));
    EXPECT_THAT(
        launchCommands(campaignWith(Engine::SkyPilot))[1].words,
        ElementsAre("sky", "jobs", "launch", "-n", "sy-0123456789ab-02", "-y", "-d", "/shared/it's here/02.file"));
    EXPECT_THAT(launchCommands(campaignWith(Engine::Kubernetes))[0].words,
                ElementsAre("kubectl", "apply", "-f", "/shared/it's here/01.file"));
    EXPECT_EQ(shown(launchCommands(campaignWith(Engine::Kubernetes))[0]),
              R"(kubectl apply -f '/shared/it'\''s here/01.file')");
}

TEST(Launch, AnArrayGoesTogetherAndEachTaskHasItsPlace) {
    auto campaign = campaignWith(Engine::Slurm, 3);
    campaign.candidates[2].state = CandidateState::Collected;
    for (std::size_t i = 0; i < 2; ++i) {
        campaign.candidates[i].taskFile = "array.sbatch";
        campaign.candidates[i].taskIndex = static_cast<std::int64_t>(i);
    }
    const auto commands = launchCommands(campaign);
    ASSERT_THAT(commands, SizeIs(1));
    EXPECT_THAT(commands[0].candidates, ElementsAre("01", "02"));
    ASSERT_TRUE(markLaunched(campaign, commands[0], {.code = 0, .out = "17;cluster\n", .error = {}}, 5));
    EXPECT_EQ(campaign.candidates[1].externalId, "17_1");
    EXPECT_EQ(campaign.candidates[1].state, CandidateState::Submitted);
    EXPECT_EQ(campaign.candidates[1].attempts, 1);
    EXPECT_EQ(campaign.candidates[1].submittedUnixMs, 5);
    EXPECT_EQ(campaign.candidates[2].state, CandidateState::Collected);
    EXPECT_THAT(launchCommands(campaign), IsEmpty()) << "nothing is launched twice";
}

TEST(Launch, AnAnswerWithoutAJobIsAnError) {
    auto campaign = campaignWith(Engine::Slurm, 1);
    const auto command = launchCommands(campaign)[0];
    const auto marked = markLaunched(campaign, command, {.code = 0, .out = "hello\n", .error = {}}, 5);
    ASSERT_FALSE(marked);
    EXPECT_THAT(describe(marked.error()), HasSubstr("hello"));
    EXPECT_EQ(campaign.candidates[0].state, CandidateState::Planned);
    markRefused(campaign, command, messageOf(marked.error()));
    EXPECT_EQ(campaign.candidates[0].state, CandidateState::Failed);
    EXPECT_TRUE(canLaunch(campaign.candidates[0]));
}

TEST(Poll, SlurmsStates) {
    auto campaign = launchedWith(Engine::Slurm, {"11", "12_0", "12_1", "13", "14"});
    ASSERT_TRUE(answered(campaign,
                         "11|PENDING|Resources\n12_0|RUNNING|None\n12_1|COMPLETED|None\n13|FAILED|NonZeroExitCode\n"
                         "99|RUNNING|None\n"));
    const auto& c = campaign.candidates;
    EXPECT_EQ(c[0].state, CandidateState::Submitted);
    EXPECT_THAT(c[0].reason.text, HasSubstr("Resources"));
    EXPECT_EQ(c[1].state, CandidateState::Running);
    EXPECT_TRUE(isUnderWay(c[1]));
    EXPECT_EQ(c[2].state, CandidateState::Running) << "until its result is collected";
    EXPECT_FALSE(isUnderWay(c[2]));
    EXPECT_TRUE(c[2].reason.empty());
    EXPECT_FALSE(isUnderWay(c[3]));
    EXPECT_EQ(c[3].reason, "slurm reports: FAILED (NonZeroExitCode)");
    EXPECT_FALSE(isUnderWay(c[4])) << "Slurm has forgotten it";
    failWithoutResult(campaign);
    EXPECT_EQ(c[1].state, CandidateState::Running);
    EXPECT_EQ(c[2].state, CandidateState::Failed);
    EXPECT_EQ(c[2].reason, "ended without a result");
    EXPECT_EQ(c[3].reason, "slurm reports: FAILED (NonZeroExitCode)");
    EXPECT_FALSE(answered(campaign, "slurm_load_jobs error"));
}

TEST(Poll, SkyPilotsStatesAndALostSpotMachine) {
    auto campaign = launchedWith(Engine::SkyPilot, {"a", "b", "c"});
    campaign.candidates[2].placements = {{"aws/x", "AWS", "x", "", true, 1.0}};
    ASSERT_TRUE(answered(campaign, R"(Fetching jobs...
[{"job_id": 1, "job_name": "a", "status": "FAILED"}, {"job_id": 4, "job_name": "a", "status": "RECOVERING"},
 {"job_id": 2, "job_name": "b", "status": "FAILED_NO_RESOURCE", "failure_reason": "no capacity"},
 {"job_id": 3, "job_name": "c", "status": "FAILED", "failure_reason": "the instance was preempted"}])"));
    EXPECT_EQ(campaign.candidates[0].state, CandidateState::Running) << "the newest job of a name";
    EXPECT_EQ(campaign.candidates[1].reason, "skypilot reports: FAILED_NO_RESOURCE: no capacity");
    ASSERT_THAT(campaign.candidates, SizeIs(4));
    EXPECT_EQ(campaign.candidates[2].state, CandidateState::GivenUp);
    EXPECT_EQ(campaign.candidates[3].repeats, "03");
    EXPECT_EQ(campaign.candidates[3].forecast, campaign.candidates[2].forecast);
    EXPECT_TRUE(canLaunch(campaign.candidates[3]));
    for (const auto* text : {"", "no jobs", "{\"x\": 1}", "[1, 2"}) EXPECT_FALSE(answered(campaign, text)) << text;
    EXPECT_TRUE(answered(campaign, R"({"jobs": []})"));
}

TEST(Poll, KubernetesStates) {
    auto campaign = launchedWith(Engine::Kubernetes, {"a", "b", "c", "d"});
    ASSERT_TRUE(answered(campaign, R"({"items": [
        {"metadata": {"name": "a"}, "status": {"active": 2}},
        {"metadata": {"name": "b"}, "status": {"conditions": [{"type": "Complete", "status": "True"}]}},
        {"metadata": {"name": "c"}, "status": {"conditions": [{"type": "Failed", "status": "True",
            "reason": "BackoffLimitExceeded", "message": "too often"}]}},
        {"metadata": {"name": "d"}, "status": {"conditions": [{"type": "Suspended", "status": "True"}]}}]})"));
    EXPECT_TRUE(isUnderWay(campaign.candidates[0]));
    EXPECT_FALSE(isUnderWay(campaign.candidates[1]));
    EXPECT_THAT(campaign.candidates[2].reason.text, HasSubstr("BackoffLimitExceeded: too often"));
    EXPECT_EQ(campaign.candidates[3].state, CandidateState::Submitted);
    EXPECT_THAT(logCommands(campaign), SizeIs(2));
    EXPECT_FALSE(answered(campaign, "error: the server is gone"));
}

TEST(Poll, JobsHereByTheirProcessAndTheirLog) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "logs");
    auto campaign = launchedWith(Engine::Local, {"none", "none", "none"});
    campaign.folder = folder.path().string();
    test::TemporaryFolder::spill(folder / "logs" / "01.file.log", "all is well\nsteelyard-exit 0\n");
    test::TemporaryFolder::spill(folder / "logs" / "02.file.log", "it is broken\n\nsteelyard-exit 7\n");
    test::TemporaryFolder::spill(folder / "logs" / "03.file.log", "half a line");
    EXPECT_THAT(pollCommands(campaign), IsEmpty());
    pollLocal(campaign, 9);
    EXPECT_TRUE(campaign.candidates[0].reason.empty());
    EXPECT_THAT(campaign.candidates[1].reason.text, HasSubstr("code 7: it is broken"));
    EXPECT_THAT(campaign.candidates[2].reason.text, HasSubstr("the process has gone"));
    for (const auto& candidate : campaign.candidates) EXPECT_EQ(candidate.endedUnixMs, 9);
}

TEST(Tool, RunsToItsEndAndKeepsWhatWasSaid) {
    const ToolOptions usual{.path = "relative::/usr/bin:/bin", .timeout = std::chrono::seconds(60), .cancelled = {}};
    const auto said = runTool({"sh", "-c", "echo out; echo err >&2; exit 3"}, usual);
    ASSERT_TRUE(said) << describe(said.error());
    EXPECT_EQ(said->code, 3);
    EXPECT_EQ(said->out, "out\n");
    EXPECT_EQ(describe(toolError({"sh"}, *said)), "sh exited with code 3: err");
    EXPECT_EQ(describe(toolError({"sh"}, {.code = 2, .out = {}, .error = {}})), "sh exited with code 2");
    EXPECT_EQ(runTool({"sh", "-c", "kill -TERM $$"}, usual)->code, 128 + 15);
    EXPECT_EQ(runTool({"no-such-program-at-all"}, usual).error().kind, ErrorKind::NotFound);
    auto stopped = usual;
    stopped.cancelled = [] { return true; };
    EXPECT_EQ(runTool({"sleep", "60"}, stopped).error().kind, ErrorKind::Cancelled);
    stopped = usual;
    stopped.timeout = std::chrono::seconds(0);
    EXPECT_EQ(runTool({"sleep", "60"}, stopped).error().kind, ErrorKind::TimedOut);
}

}  // namespace
}  // namespace steelyard::campaign
