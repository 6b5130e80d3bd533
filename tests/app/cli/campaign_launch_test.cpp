// SPDX-License-Identifier: Apache-2.0
// campaign plan, write, launch, status and collect with stubs for sky and kubectl that simulate their states, with GNU
// parallel, and on this computer.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CampaignLaunchTest : public AdviceCliTest {
protected:
    CampaignLaunchTest() {
        std::filesystem::create_directories(m_folder / "bin");
        m_path = (m_folder / "bin").string() + ":/usr/bin:/bin";
    }
    Outcome campaign(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "campaign");
        arguments.insert(arguments.end(), {"--db", m_database, "--json"});
        return call(arguments);
    }
    json plan(std::vector<std::string> arguments) {
        m_files = m_folder / ("files" + std::to_string(++m_plans));
        arguments.insert(arguments.begin(), {"plan", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8",
                                             "--steps", "1e9", "--suite", "none", "--folder", m_files.string()});
        const auto planned = campaign(arguments);
        EXPECT_EQ(planned.code, 0) << planned.err;
        EXPECT_THAT(schemaProblems("campaign.schema.json", planned.out), IsEmpty());
        m_said = planned.err;
        return planned.code == 0 ? planned.json() : json();
    }
    // A stub of another program: its lines can use the folder of the stubs as $HERE.
    void fake(const std::string& name, const std::string& body) {
        script("bin/" + name,
               "HERE=" + (m_folder / "bin").string() + "\necho \"" + name + " $*\" >>$HERE/calls\n" + body);
    }
    [[nodiscard]] std::string calls() const { return test::TemporaryFolder::slurp(m_folder / "bin" / "calls"); }
    // The lines of a task that measures a candidate, run on this computer, as its machine's log.
    std::string measuredLog(const std::string& id, const std::string& candidate) {
        const auto task = call({"campaign", "measure", "--campaign", id, "--candidate", candidate, "--workload",
                                "mnist_mlp", "--mode", "infer", "--batch", "8", "--device", "cpu"});
        EXPECT_EQ(task.code, 0) << task.err;
        return task.out;
    }

    int m_plans = 0;
    std::filesystem::path m_files = m_folder / "files";
    std::string m_database = (m_folder / "history.sqlite").string();
    std::string m_said;
};

TEST_F(CampaignLaunchTest, ThePlanSaysWhatIsMeasuredWhereWithTimeAndCost) {
    const auto document = plan({"--own", "no", "--top", "3", "--bundle", m_executable.string()});
    ASSERT_EQ(document["candidates"].size(), 3U);
    std::set<std::string> ids;
    for (const auto& candidate : document["candidates"]) {
        EXPECT_EQ(candidate["engine"], "skypilot");
        EXPECT_EQ(candidate["state"], "planned");
        EXPECT_GT(candidate["placements"][0]["usd_per_hour"], 0);
        EXPECT_GT(candidate["forecast"]["measuring_seconds"], 120) << "a rented machine has to start";
        EXPECT_GT(candidate["forecast"]["step_seconds"]["high"], candidate["forecast"]["step_seconds"]["low"]);
        ids.insert(candidate["placements"][0]["offer"]);
    }
    EXPECT_EQ(document["candidates"][0]["forecast"]["rank"], 1);
    EXPECT_EQ(document["delivery"]["bundle_sha256"].get<std::string>().size(), 64U);
    const auto text = call({"campaign", "show", "latest", "--db", m_database});
    EXPECT_THAT(text.out, HasSubstr("Maximum cost of all measurements: $"));
}

TEST_F(CampaignLaunchTest, ThePlanStaysWithinItsBudget) {
    const auto all = plan({"--own", "no", "--top", "3", "--bundle", m_executable.string()});
    // Half an hour plus overhead, twice.
    const auto worstOf = [](const json& document) {
        double worst = 0;
        for (const auto& candidate : document["candidates"])
            worst += candidate["placements"][0]["usd_per_hour"].get<double>() * 2 * 46 / 60;
        return worst;
    };
    const auto limited = plan({"--own", "no", "--top", "3", "--bundle", m_executable.string(), "--measuring-budget",
                               std::to_string(worstOf(all) * 0.7)});
    EXPECT_THAT(m_said, HasSubstr("more than the budget of"));
    EXPECT_LE(worstOf(limited), worstOf(all) * 0.7);
    const auto text = call({"campaign", "show", "latest", "--db", m_database});
    EXPECT_THAT(text.out, HasSubstr(fmt::format("all measurements: ${:.2f} of a budget", worstOf(limited))));
    const auto none = campaign({"plan", "--workload", "mnist_mlp", "--steps", "1e6", "--own", "no", "--folder",
                                m_files.string(), "--measuring-budget", "1e-9"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("budget"));
}

TEST_F(CampaignLaunchTest, WrongPlansAreRefused) {
    const std::vector<std::string> job{"plan", "--workload", "mnist_mlp",     "--steps",
                                       "1e6",  "--folder",   m_files.string()};
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--own", "no"},  // rented, without the program
          {"--candidate", "nowhere/nothing"},
          {"--host", "a=abacus"},
          {"--host", "a=h100:0"},
          {"--candidate", "own/cpu", "--host", "=x"}}) {
        auto arguments = job;
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const auto planned = campaign(arguments);
        EXPECT_EQ(planned.code, 2) << planned.out;
        EXPECT_FALSE(planned.err.empty());
    }
}

TEST_F(CampaignLaunchTest, TwoCampaignsDoNotShareAFolder) {
    plan({"--candidate", "own/cpu"});
    const auto second = campaign(
        {"plan", "--workload", "mnist_mlp", "--steps", "1e6", "--candidate", "own/cpu", "--folder", m_files.string()});
    EXPECT_EQ(second.code, 2);
    EXPECT_THAT(second.err, HasSubstr("choose another folder"));
}

TEST_F(CampaignLaunchTest, NothingIsLaunchedWithoutAYes) {
    plan({"--own", "no", "--top", "2", "--bundle", m_executable.string()});
    fake("sky", "exit 0\n");
    for (const auto* answer : {"", "n\n", "perhaps\n"}) {
        m_input = answer;
        const auto launched = campaign({"launch", "latest"});
        EXPECT_EQ(launched.code, 130);
        EXPECT_THAT(launched.err, HasSubstr("sky jobs launch"));
        EXPECT_THAT(launched.err, HasSubstr("cost at most $"));
        EXPECT_FALSE(std::filesystem::exists(m_folder / "bin" / "calls"));
    }
    m_input = "y\n";
    const auto launched = campaign({"launch", "latest", "--candidate", "02"});
    EXPECT_EQ(launched.code, 0) << launched.err;
    EXPECT_EQ(launched.json()["candidates"][0]["state"], "planned");
    EXPECT_EQ(launched.json()["candidates"][1]["state"], "submitted");
}

TEST_F(CampaignLaunchTest, SkyPilotsStatesAndLogsAreFollowed) {
    const auto document = plan({"--own", "no", "--top", "2", "--bundle", m_executable.string()});
    const auto id = document["id"].get<std::string>();
    fake("sky", R"(case "$2" in
launch) case "$4" in *-02) echo "No resource satisfies the request" >&2; exit 1;; esac;;
queue) cat $HERE/queue;;
logs) cat $HERE/log;;
esac
)");
    auto launched = campaign({"launch", "latest", "--yes"});
    EXPECT_EQ(launched.code, 1);
    EXPECT_EQ(launched.json()["candidates"][0]["state"], "submitted");
    EXPECT_EQ(launched.json()["candidates"][0]["external_id"], "sy-" + id + "-01");
    EXPECT_EQ(launched.json()["candidates"][1]["state"], "failed");
    EXPECT_THAT(launched.json()["candidates"][1]["reason"].get<std::string>(),
                HasSubstr("No resource satisfies the request"));
    EXPECT_THAT(calls(), HasSubstr("sky jobs launch -n sy-" + id + "-01 -y -d " + m_files.string() + "/01.sky.yaml"));
    const auto state = [&](const std::string& status) {
        write("bin/queue", R"([{"job_id": 3, "job_name": "sy-)" + id + R"(-01", "status": ")" + status +
                               R"(", "failure_reason": ""}])");
        const auto said = campaign({"status", "latest"});
        EXPECT_EQ(said.code, 0) << said.err;
        return said.json()["candidates"][0]["state"].get<std::string>();
    };
    EXPECT_EQ(state("STARTING"), "submitted");
    EXPECT_EQ(state("RUNNING"), "running");
    write("bin/queue", "sky is confused");
    const auto confused = campaign({"status", "latest"});
    EXPECT_EQ(confused.code, 1);
    EXPECT_THAT(confused.err, HasSubstr("sky is confused"));
    EXPECT_EQ(confused.json()["candidates"][0]["state"], "running") << "nothing is known, nothing changes";
    EXPECT_EQ(state("SUCCEEDED"), "running") << "its result was not collected yet";
    write("bin/log", "(task, pid=7) hello\n" + measuredLog(id, "01"));
    const auto collected = campaign({"collect", "latest"});
    EXPECT_EQ(collected.code, 0) << collected.err;
    EXPECT_EQ(collected.json()["candidates"][0]["state"], "collected");
    EXPECT_EQ(collected.json()["candidates"][0]["forecast"], document["candidates"][0]["forecast"]);
    EXPECT_FALSE(collected.json()["comparison"]["changes"].empty());
    EXPECT_EQ(collected.json()["comparison"]["candidates"][0]["place_now"], 1);
    // Failed candidates are launched again, under a new name; collected ones are not.
    EXPECT_EQ(campaign({"launch", "latest", "--yes"}).code, 1);
    EXPECT_THAT(calls(), Not(HasSubstr("-01-2")));
}

TEST_F(CampaignLaunchTest, KubernetesJobsThatFailSayWhy) {
    const auto document = plan({"--host", "node1", "--engine", "kubernetes", "--image", "registry.example/steelyard"});
    const auto id = document["id"].get<std::string>();
    fake("kubectl", R"(case "$1" in
apply) echo job.batch/x created;;
get) cat $HERE/jobs;;
logs) echo "nothing of interest";;
esac
)");
    ASSERT_EQ(campaign({"launch", "latest", "--yes"}).code, 0);
    const auto jobs = [&](const std::string& status) {
        write("bin/jobs", R"({"kind": "List", "items": [{"metadata": {"name": "sy-)" + id + R"(-01"}, "status": )" +
                              status + "}]}");
        return campaign({"status", "latest"}).json()["candidates"][0];
    };
    EXPECT_EQ(jobs("{}")["state"], "submitted");
    EXPECT_EQ(jobs(R"({"active": 1})")["state"], "running");
    const auto failed = jobs(R"({"conditions": [{"type": "Failed", "status": "True", "reason": "DeadlineExceeded",
                                                "message": "Job was active longer than specified deadline"}]})");
    EXPECT_THAT(failed["reason"].get<std::string>(), HasSubstr("DeadlineExceeded: Job was active longer"));
    const auto collected = campaign({"collect", "latest"});
    EXPECT_EQ(collected.json()["candidates"][0]["state"], "failed");
    EXPECT_THAT(collected.json()["candidates"][0]["reason"].get<std::string>(), HasSubstr("DeadlineExceeded"));
    EXPECT_THAT(calls(), HasSubstr("kubectl logs --selector=batch.kubernetes.io/job-name=sy-" + id + "-01 --tail=-1"));
    // A finished job with that name still exists: the next one gets another name.
    EXPECT_EQ(campaign({"launch", "latest", "--yes"}).json()["candidates"][0]["external_id"], "sy-" + id + "-01-2");
}

TEST_F(CampaignLaunchTest, AMissingProgramIsNamed) {
    plan({"--own", "no", "--top", "1", "--bundle", m_executable.string()});
    const auto launched = campaign({"launch", "latest", "--yes"});
    EXPECT_EQ(launched.code, 1);
    EXPECT_THAT(launched.err, HasSubstr("sky is not installed"));
}

TEST_F(CampaignLaunchTest, ThisComputerIsMeasuredWithoutAnEngine) {
    const auto document = plan({"--candidate", "own/cpu"});
    ASSERT_EQ(document["candidates"][0]["engine"], "local");
    const auto launched = campaign({"launch", "latest"});
    ASSERT_EQ(launched.code, 0) << launched.err;
    EXPECT_THAT(launched.err, Not(HasSubstr("[y/N]"))) << "it costs nothing";
    ASSERT_EQ(campaign({"status", "latest", "--wait", "--every", "0.2"}).code, 0);
    const auto collected = campaign({"collect", "latest"});
    EXPECT_EQ(collected.code, 0) << collected.err;
    EXPECT_EQ(collected.json()["state"], "done");
    EXPECT_TRUE(collected.json()["comparison"]["candidates"][0]["measured"]);
    const auto text = call({"campaign", "show", "latest", "--db", m_database});
    EXPECT_THAT(text.out, HasSubstr("Effect of the measurements on the recommendation:"));
    EXPECT_THAT(text.out, HasSubstr("stays the best choice"));
    // From now on the advice contains its measurement.
    const auto advice = call({"advise", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8", "--steps", "1e9",
                              "--db", m_database, "--json"});
    EXPECT_EQ(advice.code, 0) << advice.err;
    const auto answer = advice.json();
    const auto own = std::ranges::find(answer["offers"], "own/cpu", [](const json& offer) { return offer["offer"]; });
    ASSERT_NE(own, answer["offers"].end());
    // The job is in a precision that the processor lacks; with that of the measurement it would take so long. Figures
    // that other programs disturbed (other tests run in parallel) do not count as measurements of this computer.
    const auto reason = collected.json()["candidates"][0].value("reason", "");
    const bool disturbed = reason.find("other programs") != std::string::npos;
    EXPECT_EQ((*own)["instead"]["prediction"]["basis"] == "measured", !disturbed) << reason << '\n' << own->dump();
}

TEST_F(CampaignLaunchTest, AJobThatDiesOnThisComputerHasFailed) {
    plan({"--candidate", "own/cpu", "--program", script("dies", "echo 'no such luck' >&2\nexit 3\n").string()});
    ASSERT_EQ(campaign({"launch", "latest"}).code, 0);
    const auto status = campaign({"status", "latest", "--wait", "--every", "0.1"});
    EXPECT_THAT(status.json()["candidates"][0]["reason"].get<std::string>(), HasSubstr("code 3: no such luck"));
    EXPECT_EQ(campaign({"collect", "latest"}).json()["candidates"][0]["state"], "failed");
    EXPECT_EQ(campaign({"launch", "latest"}).json()["candidates"][0]["attempts"], 2);
}

TEST_F(CampaignLaunchTest, GnuParallelMeasuresHosts) {
    if (!std::filesystem::exists("/usr/bin/parallel")) GTEST_SKIP() << "GNU parallel is not installed";
    plan({"--host", "localhost"});
    ASSERT_EQ(campaign({"launch", "latest", "--yes"}).code, 0);
    ASSERT_EQ(campaign({"status", "latest", "--wait", "--every", "0.2"}).code, 0);
    const auto collected = campaign({"collect", "latest"});
    EXPECT_EQ(collected.code, 0) << collected.err;
    EXPECT_EQ(collected.json()["state"], "done") << collected.out;
}

}  // namespace
}  // namespace steelyard::cli
