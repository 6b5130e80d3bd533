// SPDX-License-Identifier: Apache-2.0
// Task files compared with golden files in tests/data/campaign (regenerated with STEELYARD_WRITE_GOLDEN=1), and names
// that try to break the quoting.
#include "engine/campaign/task_files/task_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/campaign/task_files/quoting.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::campaign {
namespace {

using test::TemporaryFolder;
const std::filesystem::path kGolden = std::filesystem::path(STEELYARD_TEST_DATA) / "campaign";

Campaign campaignOf(Engine engine) {
    Campaign campaign{.id = "0123456789ab", .name = "example"};
    campaign.question = Question{.workload = "resnet50", .mode = "train", .batch = 64, .precision = "fp16"};
    campaign.suite = "quick";
    campaign.delivery.bundle = "/home/me/steelyard.tar.gz";
    campaign.delivery.bundleSha256 = std::string(64, 'a');
    campaign.delivery.image = "registry.example/steelyard:0.1.0";
    Candidate candidate{.id = "01", .title = "example machine"};
    candidate.engine = engine;
    candidate.capSeconds = 1800;
    if (engine == Engine::SkyPilot) {
        candidate.placements = {{"aws/p3.2xlarge", "AWS", "p3.2xlarge", "us-east-1", false, 3.06}};
        candidate.device = "cuda:0";
    } else {
        candidate.host = "nodeA";
    }
    campaign.candidates = {candidate};
    return campaign;
}

Campaign sweepOf(Engine engine) {
    auto campaign = campaignOf(engine);
    campaign.question.reset();
    campaign.suite.clear();
    campaign.protocol = SweepProtocol{2, 1};
    campaign.delivery.program = "/opt/steelyard/bin/steelyard-cli";
    campaign.candidates.front().cases = {bench::Case{.workload = "mnist_mlp", .batch = 8}};
    campaign.candidates.push_back(campaign.candidates.front());
    campaign.candidates.back().id = "02";
    return campaign;
}

void expectGolden(const std::string& folder, Campaign campaign) {
    SCOPED_TRACE(folder);
    const auto files = taskFiles(campaign);
    ASSERT_TRUE(files) << describe(files.error());
    ASSERT_FALSE(files->empty());
    for (const auto& file : *files) {
        const auto golden = kGolden / folder / file.name;
        if (std::getenv("STEELYARD_WRITE_GOLDEN") != nullptr) {
            std::filesystem::create_directories(golden.parent_path());
            TemporaryFolder::spill(golden, file.content);
        }
        EXPECT_EQ(file.content, TemporaryFolder::slurp(golden)) << file.name;
        if (!file.executable) continue;
        const TemporaryFolder scripts;
        TemporaryFolder::spill(scripts / "script", file.content);
        EXPECT_EQ(std::system(("bash -n " + shellQuoted((scripts / "script").string())).c_str()), 0) << file.name;
    }
    for (const auto& candidate : campaign.candidates) EXPECT_FALSE(candidate.taskFile.empty());
}

TEST(TaskFiles, AreTheGoldenOnes) {
    expectGolden("skypilot", campaignOf(Engine::SkyPilot));
    auto any = campaignOf(Engine::SkyPilot);
    any.candidates[0].placements.push_back({"gcp/g2", "GCP", "g2-standard-4", "us-central1", true, 0.28});
    expectGolden("skypilot_any", any);
    expectGolden("slurm", campaignOf(Engine::Slurm));
    auto queued = campaignOf(Engine::Kubernetes);
    queued.delivery.queue = "team-a";
    queued.candidates[0].device = "cuda:0";
    expectGolden("kubernetes", queued);
    auto two = campaignOf(Engine::MpiJob);
    two.candidates[0].nodes = 2;
    expectGolden("mpijob", two);
    two = campaignOf(Engine::Mpirun);
    two.candidates[0].nodes = 2;
    two.candidates[0].host = "nodeA,nodeB";
    two.delivery.network = "10.99.0.0/24";
    expectGolden("mpirun", two);
    expectGolden("parallel", campaignOf(Engine::Parallel));
    auto here = campaignOf(Engine::Local);
    here.candidates[0].host.clear();
    expectGolden("local", here);
    for (const auto engine : {Engine::Slurm, Engine::Kubernetes, Engine::Parallel})
        expectGolden("sweep_" + std::string(toString(engine)), sweepOf(engine));
    auto sweep = sweepOf(Engine::MpiJob);
    EXPECT_EQ(taskFiles(sweep).error().kind, ErrorKind::Unsupported);
}

// Each retry by the engine costs the same again.
TEST(TaskFiles, OnlyWhatAnotherAttemptMayChangeIsTriedAgain) {
    for (const auto& [code, seen] : {std::pair{0, 0}, {2, 0}, {124, 0}, {1, 1}, {137, 137}}) {
        const TemporaryFolder folder;
        TemporaryFolder::spill(folder / "program", "#!/bin/sh\nexit " + std::to_string(code) + "\n");
        std::filesystem::permissions(folder / "program", std::filesystem::perms::owner_all);
        auto campaign = campaignOf(Engine::Local);
        campaign.candidates[0].host.clear();
        campaign.delivery.program = (folder / "program").string();
        const auto files = taskFiles(campaign);
        ASSERT_TRUE(files) << describe(files.error());
        TemporaryFolder::spill(folder / "task", files->front().content);
        const int status = std::system(("sh " + shellQuoted((folder / "task").string())).c_str());
        EXPECT_EQ(WEXITSTATUS(status), seen) << code;
    }
}

TEST(TaskFiles, NeedWhatTheirEngineNeeds) {
    for (const auto engine : {Engine::SkyPilot, Engine::Slurm, Engine::Kubernetes, Engine::MpiJob, Engine::Mpirun}) {
        auto campaign = campaignOf(engine);
        campaign.delivery = {};
        EXPECT_EQ(taskFiles(campaign).error().kind, ErrorKind::InvalidArgument) << toString(engine);
    }
    auto done = campaignOf(Engine::Slurm);
    done.candidates[0].state = CandidateState::Collected;
    EXPECT_EQ(taskFiles(done).error().kind, ErrorKind::NotFound);
}

TEST(TaskFiles, HostileNamesAreQuotedOrRefused) {
    for (const std::string text :
         {"$(touch owned)", "a'b\"c", "`touch owned`", "; touch owned #", "${HOME}", "\\", "ä ö"}) {
        const TemporaryFolder folder;
        const auto file = folder / "out";
        const auto command =
            "cd " + shellQuoted(folder.path().string()) + " && printf %s " + shellQuoted(text) + " > out";
        ASSERT_EQ(std::system(command.c_str()), 0);
        EXPECT_EQ(TemporaryFolder::slurp(file), text);
        EXPECT_FALSE(std::filesystem::exists(folder / "owned")) << text;
        auto campaign = campaignOf(Engine::Slurm);
        campaign.question->workload = text;
        const auto files = taskFiles(campaign);
        ASSERT_TRUE(files);
        EXPECT_NE(files->front().content.find("--workload " + shellQuoted(text)), std::string::npos) << text;
    }
    EXPECT_EQ(yamlQuoted("a\"b\\c\td"), "\"a\\\"b\\\\c\\x09d\"");
    for (const std::string text : {"a\nb", "a\rb", "a\x1b[2J", "a\u2028b", "a\u202eb"}) {
        auto campaign = campaignOf(Engine::Slurm);
        campaign.candidates[0].title = text;
        EXPECT_FALSE(taskFiles(campaign));
    }
    for (const std::string text : {"-oProxyCommand=x", "a b", "a;b", "$(x)"}) {
        auto campaign = campaignOf(Engine::Parallel);
        campaign.candidates[0].host = text;
        EXPECT_FALSE(taskFiles(campaign)) << text;
    }
    auto campaign = campaignOf(Engine::Kubernetes);
    campaign.delivery.queue = "Team A\nx: y";
    EXPECT_FALSE(taskFiles(campaign));
    campaign = campaignOf(Engine::Kubernetes);
    campaign.question->workload = "$(JOB_COMPLETION_INDEX)";
    EXPECT_NE(taskFiles(campaign)->front().content.find("\"$$(JOB_COMPLETION_INDEX)\""), std::string::npos);
}

}  // namespace
}  // namespace steelyard::campaign
