// SPDX-License-Identifier: Apache-2.0
// The field lists of campaigns and results compared with their schemas, and documents that have every field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/campaign/campaign_fields.h"
#include "engine/campaign/campaign_json.h"
#include "tests/support/json_schema.h"
#include "tests/support/random_records.h"
#include "tests/support/schema_fields.h"

namespace steelyard::campaign {
namespace {

using test::differences;
using test::Optionals;
using test::schemaProblems;
using test::Undeclared;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kSchemas = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas";

nlohmann::json campaignSchema(const char* part = nullptr) {
    return test::schemaOf(kSchemas / "campaign.schema.json", part);
}

Campaign fullCampaign() {
    Campaign campaign{.id = "0123456789ab", .name = "all of it", .createdUnixMs = 7};
    campaign.question = Question{"resnet50", "train", 64, "fp16", 1e6, "fastest", 2, 100.0, 12.5};
    campaign.protocol = SweepProtocol();
    campaign.budgetUsd = 5;
    Candidate candidate{.id = "01", .title = "AWS p3.2xlarge"};
    candidate.placements = {{"aws/p3.2xlarge", "AWS", "p3.2xlarge", "us-east-1", true, 3.06}};
    candidate.cases = {test::inventCase(1, Optionals::All)};
    candidate.forecast = Forecast{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 4.5, "anchored", 1, 240.0};
    candidate.taskIndex = 0;
    candidate.reason = Message("out of memory");
    candidate.runIds = {"abcdefabcdef"};
    candidate.measuredStepSeconds = Band{1, 1, 1};
    candidate.submittedUnixMs = candidate.startedUnixMs = candidate.endedUnixMs = 9;
    campaign.candidates = {candidate, Candidate{.id = "02"}};
    return campaign;
}

TEST(CampaignSchema, ListAndSchemaAgree) {
    EXPECT_THAT(differences<Campaign>(campaignSchema(), {"comparison"}), IsEmpty());
    EXPECT_THAT(differences<Comparison>(campaignSchema("comparison")), IsEmpty());
    EXPECT_THAT(differences<ComparedCandidate>(campaignSchema("compared_candidate")), IsEmpty());
    EXPECT_THAT(differences<Candidate>(campaignSchema("candidate")), IsEmpty());
    EXPECT_THAT(differences<Band>(campaignSchema("band")), IsEmpty());
    EXPECT_THAT(differences<Forecast>(campaignSchema("forecast")), IsEmpty());
    EXPECT_THAT(differences<Placement>(campaignSchema("placement")), IsEmpty());
    EXPECT_THAT(differences<Question>(campaignSchema("question")), IsEmpty());
    EXPECT_THAT(differences<Delivery>(campaignSchema("delivery")), IsEmpty());
    EXPECT_THAT(differences<SweepProtocol>(campaignSchema("protocol")), IsEmpty());
    EXPECT_THAT(
        differences<TaskResult>(test::schemaOf(kSchemas / "campaign_result.schema.json"), {"format", "version"}),
        IsEmpty());
}

TEST(CampaignSchema, DeclaresEverythingThatIsWritten) {
    EXPECT_THAT(schemaProblems(kSchemas, "campaign.schema.json", toJson(fullCampaign()), Undeclared::Reported),
                IsEmpty());
    EXPECT_THAT(schemaProblems(kSchemas, "campaign.schema.json", toJson(fullCampaign(), compare(fullCampaign())),
                               Undeclared::Reported),
                IsEmpty());
    EXPECT_THAT(schemaProblems(kSchemas, "campaign.schema.json", toJson(Campaign{.id = "x"}), Undeclared::Reported),
                IsEmpty());
    TaskResult result{.campaign = "0123456789ab", .candidate = "01", .reason = Message("none")};
    result.runs = {test::inventRun(3, Optionals::All, 2)};
    EXPECT_THAT(schemaProblems(kSchemas, "campaign_result.schema.json", toJson(result), Undeclared::Reported),
                IsEmpty());
}

TEST(CampaignSchema, EveryEngineAndStateIsInIt) {
    auto campaign = fullCampaign();
    const auto properties = campaignSchema("candidate")["properties"];
    for (const auto& name : properties["engine"]["enum"]) {
        const auto engine = engineFromString(name.get<std::string>());
        ASSERT_TRUE(engine) << name;
        campaign.candidates[0].engine = *engine;
        EXPECT_TRUE(campaignFromJson(toJson(campaign))) << name;
    }
    for (const auto& name : properties["state"]["enum"])
        EXPECT_TRUE(candidateStateFromString(name.get<std::string>())) << name;
    auto document = nlohmann::json::parse(toJson(campaign));
    document["candidates"][0]["engine"] = "hand";
    EXPECT_THAT(schemaProblems(kSchemas, "campaign.schema.json", document.dump()), Not(IsEmpty()));
    EXPECT_FALSE(campaignFromJson(document.dump()));
}

}  // namespace
}  // namespace steelyard::campaign
