// SPDX-License-Identifier: Apache-2.0
// Campaigns created from an advice with the shipped catalogue.
#include "engine/shortlist/shortlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/campaign/campaign.h"

namespace steelyard::shortlist {
namespace {

using campaign::Engine;
using testing::HasSubstr;
using testing::SizeIs;

class Shortlists : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        auto loaded = advisor::loadAdvisorData(
            {.resources = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources", .userCatalog = {}});
        ASSERT_TRUE(loaded) << describe(loaded.error());
        data = new advisor::AdvisorData(std::move(*loaded));
    }
    static void TearDownTestSuite() { delete data; }

    Shortlists() {
        auto job = advisor::makeJob(
            {.workload = "resnet50", .mode = plan::Mode::Train, .batch = 32, .precision = plan::Precision::Fp16});
        EXPECT_TRUE(job);
        m_question.job = job->model;
        m_question.steps = 100'000;
        m_question.today = "2026-11-25";
    }
    [[nodiscard]] advisor::Advice advice() const {
        auto advice = advisor::advise(m_question, data->catalog, advisor::makePredictor(*data));
        EXPECT_TRUE(advice) << describe(advice.error());
        return std::move(*advice);
    }
    void addHost(std::string_view text) {
        const auto host = hostFromText(text);
        ASSERT_TRUE(host) << text;
        const auto candidate = hostCandidate(*host, *data, {});
        ASSERT_TRUE(candidate) << describe(candidate.error());
        m_question.own.push_back(*candidate);
    }

    static inline advisor::AdvisorData* data = nullptr;
    advisor::AdviceRequest m_question;
    ShortlistRequest m_request;
};

TEST_F(Shortlists, TakeTheBestOfTheAdviceWithItsForecast) {
    const auto best = advice();
    const auto list = shortlistOf(m_request, m_question, best, data->catalog);
    ASSERT_TRUE(list) << describe(list.error());
    ASSERT_THAT(list->campaign.candidates, SizeIs(3));
    for (const auto& candidate : list->campaign.candidates) {
        EXPECT_EQ(candidate.engine, Engine::SkyPilot);
        const auto& offer = best.candidates[static_cast<std::size_t>(*candidate.forecast->rank - 1)];
        EXPECT_EQ(candidate.title, offer.title);
        EXPECT_EQ(candidate.placements.front().instance, offer.instance);
        EXPECT_EQ(candidate.forecast->stepSeconds.median, offer.prediction.seconds.median);
        EXPECT_EQ(candidate.forecast->hours.high, offer.hours.high);
        EXPECT_EQ(candidate.forecast->usd.low, offer.costUsd.low);
        EXPECT_LE(candidate.forecast->jobHours, candidate.forecast->hours.median);
        EXPECT_GT(campaign::worstUsd(list->campaign, candidate), *offer.usdPerHour / 2);
    }
    EXPECT_EQ(list->campaign.question->workload, "resnet50");
    EXPECT_EQ(list->campaign.question->batch, 32);
}

TEST_F(Shortlists, TheBudgetLeavesOutWhatItCannotPay) {
    const auto best = advice();
    const auto all = shortlistOf(m_request, m_question, best, data->catalog);
    ASSERT_TRUE(all);
    m_request.budgetUsd = *campaign::worstUsd(all->campaign) * 0.6;
    const auto list = shortlistOf(m_request, m_question, best, data->catalog);
    ASSERT_TRUE(list) << describe(list.error());
    EXPECT_TRUE(campaign::checkBudget(list->campaign));
    EXPECT_FALSE(list->leftOut.empty());
    m_request.budgetUsd = 1e-6;
    EXPECT_EQ(shortlistOf(m_request, m_question, best, data->catalog).error().kind, ErrorKind::NotFound);
}

TEST_F(Shortlists, HostsAreAlwaysMeasuredByTheirEngine) {
    addHost("gpu1=a100_sxm_80:4");
    m_request.top = 0;
    m_request.engine = Engine::Slurm;
    const auto list = shortlistOf(m_request, m_question, advice(), data->catalog);
    ASSERT_TRUE(list) << describe(list.error());
    ASSERT_THAT(list->campaign.candidates, SizeIs(1));
    const auto& host = list->campaign.candidates.front();
    EXPECT_EQ(host.host, "gpu1");
    EXPECT_EQ(host.engine, Engine::Slurm);
    EXPECT_EQ(host.device, "cuda:0");
    EXPECT_EQ(host.gpus, 4);
    EXPECT_TRUE(host.placements.empty());
    const auto all = advice();
    const auto offer = std::ranges::find_if(all.candidates, [](const auto& c) { return c.isViable() && !c.own; });
    ASSERT_NE(offer, all.candidates.end());
    m_request.ids = {offer->id};
    EXPECT_FALSE(shortlistOf(m_request, m_question, advice(), data->catalog)) << "Slurm rents nothing";
}

TEST_F(Shortlists, WhatHasNoBackendIsLeftOutWithAReason) {
    for (const auto& spec : data->catalog.hardware) {
        if (spec.vendor != "AMD" || !spec.isGpu() || !advisor::deviceModel(spec, data->parameters)) continue;
        addHost("amd=" + spec.id);
        m_request.top = 0;
        const auto list = shortlistOf(m_request, m_question, advice(), data->catalog);
        ASSERT_FALSE(list);
        EXPECT_THAT(describe(list.error()), HasSubstr("no backend for " + spec.id));
        return;
    }
    FAIL() << "no AMD GPU in the catalogue";
}

TEST_F(Shortlists, HostsAreNamedPlainlyOrRefused) {
    EXPECT_EQ(hostFromText("a")->name, "a");
    EXPECT_EQ(hostFromText("a=h100:8")->count, 8);
    for (const auto* text : {"", "=h100", "a=", "a=h100:", "a=h100:0", "a=h100:x", "a=:4"})
        EXPECT_FALSE(hostFromText(text)) << text;
    EXPECT_EQ(hostCandidate({"a", "abacus", 1}, *data, {}).error().kind, ErrorKind::NotFound);
    EXPECT_FALSE(hostCandidate({"a", "", 1}, *data, {})) << "nothing is known of this computer";
}

TEST_F(Shortlists, AMeasurementTakesLongerOnASlowerMachineAndWithASuite) {
    campaign::Question question{.workload = "resnet50", .mode = "train", .batch = 32, .precision = "fp32"};
    const auto fast = measuringSeconds(question, "cpu", "", 0.1, 0),
               slow = measuringSeconds(question, "cpu", "", 10, 0);
    ASSERT_TRUE(fast && slow);
    EXPECT_GT(*slow, *fast);
    EXPECT_GT(measuringSeconds(question, "cpu", "quick", 0.1, 0), *fast);
    EXPECT_DOUBLE_EQ(*measuringSeconds(question, "cpu", "", 0.1, 120), *fast + 120);
    question.workload = "no_such_network";
    EXPECT_FALSE(measuringSeconds(question, "cpu", "", 0.1, 0));
}

}  // namespace
}  // namespace steelyard::shortlist
