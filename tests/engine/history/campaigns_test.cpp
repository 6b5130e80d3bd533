// SPDX-License-Identifier: Apache-2.0
// Campaigns in the history, and runs returned by their candidates.
#include <gtest/gtest.h>

#include "engine/campaign/campaign_json.h"
#include "engine/history/history_store.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::history {
namespace {

using test::Optionals;
using test::TemporaryFolder;

class Campaigns : public ::testing::Test {
protected:
    [[nodiscard]] std::unique_ptr<HistoryStore> open(const std::string& name) const {
        auto store = HistoryStore::open(m_folder / name);
        EXPECT_TRUE(store);
        return std::move(*store);
    }
    static campaign::Campaign example() {
        campaign::Campaign campaign{.id = "0123456789ab", .name = "ä", .createdUnixMs = 3};
        campaign.protocol = campaign::SweepProtocol{2, 0.5};
        campaign::Candidate candidate{.id = "01", .title = "chunk"};
        candidate.cases = {test::inventCase(1, Optionals::All)};
        candidate.capSeconds = 60;
        candidate.reason = Message("why");
        campaign.candidates = {candidate, candidate};
        campaign.candidates[1].id = "02";
        return campaign;
    }
    TemporaryFolder m_folder;
    std::unique_ptr<HistoryStore> m_store = open("history.sqlite");
};

TEST_F(Campaigns, AreReadAsTheyWereStored) {
    auto campaign = example();
    ASSERT_TRUE(m_store->putCampaign(campaign));
    EXPECT_EQ(m_store->campaign("0123"), campaign);
    campaign.candidates[1].state = campaign::CandidateState::GivenUp;
    campaign.candidates[1].startedUnixMs = 9;
    campaign.budgetUsd = 4;
    ASSERT_TRUE(m_store->putCampaign(campaign));
    EXPECT_EQ(m_store->campaign("latest"), campaign);
    auto other = example();
    other.id = "0123ffffffff";
    other.createdUnixMs = 4;
    ASSERT_TRUE(m_store->putCampaign(other));
    EXPECT_EQ(m_store->campaigns(), std::vector({other, campaign}));
    EXPECT_EQ(m_store->campaign("0123").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(m_store->campaign("f").error().kind, ErrorKind::NotFound);
}

TEST_F(Campaigns, AForecastIsStoredOnceAndNeverChanged) {
    auto campaign = example();
    campaign.question = campaign::Question{.workload = "resnet50", .mode = "train", .batch = 64, .steps = 1e6};
    ASSERT_TRUE(m_store->putCampaign(campaign));
    campaign.candidates[0].forecast = campaign::Forecast{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 4.5, "extrapolated", 1, 60.0};
    ASSERT_TRUE(m_store->putCampaign(campaign)) << "the first one";
    campaign.candidates[0].state = campaign::CandidateState::Collected;
    campaign.candidates[0].measuredStepSeconds = campaign::Band{2, 2, 2};
    ASSERT_TRUE(m_store->putCampaign(campaign)) << "with the same forecast";
    auto changed = campaign;
    changed.candidates[0].forecast->stepSeconds.median = 2.1;
    EXPECT_EQ(m_store->putCampaign(changed).error().kind, ErrorKind::InvalidArgument);
    changed.candidates[0].forecast.reset();
    EXPECT_EQ(m_store->putCampaign(changed).error().kind, ErrorKind::InvalidArgument);
    changed = campaign;
    changed.question->steps = 2e6;
    EXPECT_EQ(m_store->putCampaign(changed).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(m_store->campaign("latest"), campaign);
}

TEST_F(Campaigns, CollectingTwiceStoresARunOnce) {
    ASSERT_TRUE(m_store->putCampaign(example()));
    const auto run = test::inventRun(5, Optionals::All);
    const auto first = m_store->collectRuns("0123456789ab", "01", {run});
    ASSERT_TRUE(first) << describe(first.error());
    EXPECT_EQ(*first, std::vector{run.id});
    EXPECT_EQ(m_store->collectRuns("0123456789ab", "01", {run}), std::vector<std::string>());
    ASSERT_TRUE(m_store->putCampaign(example())) << "a later state keeps the runs";
    const auto campaign = m_store->campaign("latest");
    ASSERT_TRUE(campaign);
    EXPECT_EQ(campaign->candidates[0].runIds, std::vector{run.id});
    EXPECT_TRUE(campaign->candidates[1].runIds.empty());
    EXPECT_EQ(m_store->runs()->size(), 1U);
    EXPECT_EQ(m_store->run(run.id)->origin, "imported");
    auto changed = run;
    changed.records[0].status = run.records[0].status == bench::Status::Ok ? bench::Status::Failed : bench::Status::Ok;
    EXPECT_EQ(m_store->collectRuns("0123456789ab", "01", {changed}).error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(m_store->run(run.id)->records, run.records);
    const auto other = test::inventRun(6, Optionals::None);
    EXPECT_EQ(m_store->collectRuns("0123456789ab", "99", {other}).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(m_store->runs()->size(), 1U) << "all or none";
    ASSERT_TRUE(m_store->removeCampaign("0123456789ab"));
    EXPECT_EQ(m_store->runs()->size(), 1U);
    EXPECT_TRUE(m_store->campaigns()->empty());
}

// The files were written by make_history_fixture when this schema was current.
TEST_F(Campaigns, OfTheFixtureAreReadInFull) {
    const auto data = std::filesystem::path(STEELYARD_TEST_DATA) / "history";
    std::filesystem::copy(data / "schema_v8.sqlite", m_folder / "v8");
    const auto expected = campaign::campaignFromJson(TemporaryFolder::slurp(data / "schema_v8.campaign.json"));
    ASSERT_TRUE(expected) << describe(expected.error());
    EXPECT_EQ(expected->candidates.at(0).runIds.size(), 1U);
    EXPECT_EQ(open("v8")->campaign(expected->id), *expected);
}

}  // namespace
}  // namespace steelyard::history
