// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/advisor/rank/advice_json.h"
#include "tests/engine/advisor/advisor_fixture.h"

namespace steelyard::advisor {
namespace {

using catalog::Catalog;
using catalog::Offer;
using catalog::Price;
using plan::Mode;
using plan::Precision;
using testing::HasSubstr;

Offer rented(std::string id, std::string hardware, double usd, std::optional<double> spot = {}) {
    Offer offer;
    offer.id = id;
    offer.provider = id.substr(0, id.find('/'));
    offer.instance = id.substr(id.find('/') + 1);
    offer.accelerator = offer.acceleratorHardware = std::move(hardware);
    offer.acceleratorCount = 1;
    offer.onDemand = Price{usd, "2026-11-01", "a list"};
    if (spot) offer.spot = Price{*spot, "2026-11-01", "a list"};
    return offer;
}

Catalog smallCatalog() {
    Catalog catalog;
    catalog.hardware = test::shippedCatalog().hardware;
    catalog.offers = {rented("One/h100", "h100_sxm", 4.0), rented("One/a10", "a10", 1.0), rented("Two/t4", "t4", 0.35),
                      rented("Two/a10", "a10", 1.2, 0.4)};
    return catalog;
}

AdviceRequest request(Priority priority = Priority::Balanced) {
    AdviceRequest r;
    r.job = test::job("resnet50", Mode::Train, 64, Precision::Fp16);
    r.steps = 50'000;
    r.software = "ngc22";
    r.priority = priority;
    r.today = "2026-11-21";
    return r;
}

Advice advised(const AdviceRequest& r, const Catalog& catalog) {
    const Predictor predictor(test::shippedParameters());
    const auto advice = advise(r, catalog, predictor);
    EXPECT_TRUE(advice) << describe(advice.error());
    return *advice;
}

bool has(const std::vector<Reason>& reasons, ReasonKind kind) {
    return std::ranges::any_of(reasons, [&](const Reason& r) { return r.kind == kind; });
}

TEST(Ranking, ChoosesByPriority) {
    const auto catalog = smallCatalog();
    const auto cheapest = advised(request(Priority::Cheapest), catalog),
               fastest = advised(request(Priority::Fastest), catalog);
    EXPECT_EQ(fastest.candidates.front().id, "One/h100");
    EXPECT_EQ(*fastest.chosen, 0U);
    for (const auto& c : cheapest.candidates) {
        if (c.isViable()) {
            EXPECT_GE(c.costUsd.median, cheapest.candidates.front().costUsd.median);
        }
    }
    EXPECT_EQ(cheapest.candidates.size(), 5U);  // the spot price is a candidate of its own
    EXPECT_TRUE(has(cheapest.candidates.front().reasons, ReasonKind::Cheapest));
    EXPECT_TRUE(has(fastest.candidates.front().reasons, ReasonKind::Fastest));
    // All choices are listed, whatever the priority.
    EXPECT_EQ(cheapest.candidates[*cheapest.choices.fastest].id, "One/h100");
}

TEST(Ranking, MovesWithTheWeightOfTime) {
    const auto catalog = smallCatalog();
    auto r = request();
    r.timeWeight = 0;
    const auto money = advised(r, catalog);
    EXPECT_EQ(money.choices.balanced, money.choices.cheapest);
    r.timeWeight = 20;
    const auto time = advised(r, catalog);
    EXPECT_EQ(time.candidates[*time.choices.balanced].id, "One/h100");
}

TEST(Ranking, KeepsEveryCandidateVisibleWithTheReasonItLost) {
    const auto advice = advised(request(), smallCatalog());
    for (const auto& c : advice.candidates) EXPECT_FALSE(c.reasons.empty() && c.rejectedBecause.empty()) << c.id;
    const auto* spot = advice.find("Two/a10+spot");
    ASSERT_NE(spot, nullptr);
    EXPECT_TRUE(has(spot->rejectedBecause, ReasonKind::SpotExcluded));
    const auto* same = advice.find("Two/a10");
    ASSERT_NE(same, nullptr);
    EXPECT_TRUE(has(same->reasons, ReasonKind::Dominated));
    EXPECT_FALSE(same->onPareto);
}

TEST(Ranking, FiltersByMemoryBudgetDeadlineProviderAndSpot) {
    const auto catalog = smallCatalog();
    auto r = request(Priority::Cheapest);
    r.providers = {"Two"};
    r.spot = true;
    r.job.batch = 384;  // too much for a T4
    r.budgetUsd = 2;
    r.deadlineHours = 1e-3;
    const auto advice = advised(r, catalog);
    EXPECT_FALSE(advice.chosen);
    EXPECT_TRUE(has(advice.find("One/h100")->rejectedBecause, ReasonKind::ProviderExcluded));
    EXPECT_TRUE(has(advice.find("Two/t4")->rejectedBecause, ReasonKind::DoesNotFit));
    EXPECT_TRUE(has(advice.find("Two/a10")->rejectedBecause, ReasonKind::OverBudget));
    EXPECT_TRUE(has(advice.find("Two/a10+spot")->rejectedBecause, ReasonKind::OverDeadline));
    EXPECT_TRUE(std::ranges::none_of(advice.candidates, [](const Candidate& c) { return c.onPareto; }));
}

TEST(Ranking, AddingAnIrrelevantOfferChangesNothingElse) {
    auto catalog = smallCatalog();
    for (auto priority : {Priority::Cheapest, Priority::Fastest, Priority::Balanced}) {
        const auto before = advised(request(priority), catalog);
        auto more = catalog;
        more.offers.insert(more.offers.begin(),
                           rented("Three/k80", "k80_gk210", 9.0));  // slower and more expensive than all
        const auto after = advised(request(priority), more);
        ASSERT_EQ(after.candidates.size(), before.candidates.size() + 1);
        EXPECT_FALSE(after.find("Three/k80")->onPareto);
        for (const auto& old : before.candidates) {
            const auto* now = after.find(old.id);
            ASSERT_NE(now, nullptr);
            EXPECT_EQ(now->costUsd, old.costUsd);
            EXPECT_EQ(now->hours, old.hours);
            EXPECT_EQ(now->onPareto, old.onPareto);
            EXPECT_EQ(now->reasons, old.reasons) << old.id;
            EXPECT_EQ(now->rejectedBecause, old.rejectedBecause);
        }
        EXPECT_EQ(after.candidates[*after.chosen].id, before.candidates[*before.chosen].id);
        EXPECT_EQ(after.sensitivity.priceFactor, before.sensitivity.priceFactor);
        EXPECT_EQ(after.sensitivity.timeFactor, before.sensitivity.timeFactor);
        EXPECT_EQ(after.sensitivity.weightAbove, before.sensitivity.weightAbove);
        EXPECT_EQ(after.sensitivity.weightBelow, before.sensitivity.weightBelow);
    }
}

TEST(Ranking, TheSensitivityIsWhereTheChoiceChanges) {
    auto catalog = smallCatalog();
    for (auto priority : {Priority::Cheapest, Priority::Balanced}) {
        const auto advice = advised(request(priority), catalog);
        const auto chosen = advice.candidates[*advice.chosen].id;
        ASSERT_TRUE(advice.sensitivity.priceFactor);
        for (const double step : {0.99, 1.01}) {
            auto changed = catalog;
            for (auto& offer : changed.offers)
                if (offer.id == chosen) offer.onDemand->usdPerHour *= *advice.sensitivity.priceFactor * step;
            const auto again = advised(request(priority), changed);
            EXPECT_EQ(again.candidates[*again.chosen].id == chosen, step < 1);
        }
    }
    const auto balanced = advised(request(), catalog);
    ASSERT_TRUE(balanced.sensitivity.weightAbove || balanced.sensitivity.weightBelow);
    if (balanced.sensitivity.weightAbove) {
        auto r = request();
        r.timeWeight = *balanced.sensitivity.weightAbove * 1.01;
        EXPECT_NE(advised(r, catalog).candidates.front().id, balanced.candidates.front().id);
    }
    EXPECT_FALSE(advised(request(Priority::Fastest), catalog).sensitivity.priceFactor);
}

TEST(Ranking, SaysWhenTwoAreNotDistinguishable) {
    Catalog catalog;
    catalog.hardware = test::shippedCatalog().hardware;
    catalog.offers = {rented("One/a40", "a40", 1.0), rented("One/a6000", "rtxa6000", 1.2),
                      rented("One/a40-dear", "a40", 1.3)};
    const auto advice = advised(request(Priority::Cheapest), catalog);
    EXPECT_TRUE(has(advice.candidates[0].reasons, ReasonKind::NotDistinguishable));
    EXPECT_TRUE(has(advice.candidates[1].reasons, ReasonKind::NotDistinguishable));
    EXPECT_FALSE(has(advice.find("One/a40-dear")->reasons,
                     ReasonKind::NotDistinguishable));  // the same device: only the price differs
}

TEST(Ranking, WeighsAgainstTheUsersOwnComputer) {
    auto r = request();
    r.software = std::string(kThisEngine);
    r.own.push_back(
        {.id = "own/card", .title = "your GTX 1080 Ti", .device = test::device("gtx1080ti"), .usdPerHour = 0.9});
    const auto advice = advised(r, smallCatalog());
    const auto* own = advice.find("own/card");
    ASSERT_NE(own, nullptr);
    EXPECT_TRUE(own->own);
    EXPECT_EQ(own->breakdown.overheadSeconds, 0);
    const auto* h100 = advice.find("One/h100");
    ASSERT_TRUE(has(h100->reasons, ReasonKind::FasterPaysOff));
    for (const auto& reason : h100->reasons)
        if (reason.kind == ReasonKind::FasterPaysOff) {
            EXPECT_THAT(englishText(reason), HasSubstr("as fast as your GTX 1080 Ti"));
        }
}

// Eight devices that share one job lose to the exchange of gradients; eight experiments lose nothing.
TEST(Ranking, GivesEachExperimentADevice) {
    Catalog catalog;
    catalog.hardware = test::shippedCatalog().hardware;
    catalog.offers = {rented("One/a100", "a100_sxm_40", 4.0), rented("One/a100x8", "a100_sxm_40", 32.0)};
    catalog.offers[1].acceleratorCount = 8;
    auto r = request(Priority::Cheapest);
    r.rental.startUpSeconds = 0;
    const auto one = advised(r, catalog);
    const double alone = one.find("One/a100")->hours.median;
    EXPECT_GT(one.find("One/a100x8")->hours.median, alone / 8);
    EXPECT_EQ(one.find("One/a100")->rounds, 1);
    r.experiments = 12;
    const auto twelve = advised(r, catalog);
    EXPECT_NEAR(twelve.find("One/a100")->hours.median, 12 * alone, 1e-9 * alone);
    EXPECT_NEAR(twelve.find("One/a100x8")->hours.median, 2 * alone, 1e-9 * alone);
    EXPECT_EQ(twelve.find("One/a100x8")->rounds, 2);
    EXPECT_FALSE(twelve.find("One/a100x8")->scaling);
    // Sixteen complete both rounds: same cost as sequential runs on the small machine, and eight times as fast.
    r.experiments = 16;
    const auto sixteen = advised(r, catalog);
    EXPECT_NEAR(sixteen.find("One/a100x8")->costUsd.median, sixteen.find("One/a100")->costUsd.median, 0.05);
    r.experiments = 0;
    EXPECT_FALSE(advise(r, catalog, Predictor(test::shippedParameters())));
}

TEST(Ranking, WarnsOfOldPricesSpotAndStartUp) {
    auto catalog = smallCatalog();
    catalog.offers[0].onDemand->date = "2026-01-01";
    catalog.offers[1].lowTrust = true;
    auto r = request();
    r.spot = true;
    r.steps = 200;
    const auto advice = advised(r, catalog);
    EXPECT_TRUE(has(advice.find("One/h100")->reasons, ReasonKind::OldPrice));
    r.oldPriceDays = 400;
    EXPECT_FALSE(has(advised(r, catalog).find("One/h100")->reasons, ReasonKind::OldPrice)) << "the age is the user's";
    EXPECT_TRUE(has(advice.find("One/h100")->reasons, ReasonKind::StartUpShare));
    EXPECT_TRUE(has(advice.find("One/a10")->reasons, ReasonKind::LowTrustPrice));
    r.steps = 5'000'000;
    EXPECT_TRUE(has(advised(r, catalog).find("Two/a10+spot")->reasons, ReasonKind::SpotInterruptions));
}

TEST(Ranking, AdvisesOnTheShippedCatalog) {
    auto r = request();
    r.software = std::string(kThisEngine);
    r.spot = true;
    const auto advice = advised(r, test::shippedCatalog());
    EXPECT_GT(advice.candidates.size(), 250U);
    EXPECT_TRUE(advice.chosen);
    for (const auto& c : advice.candidates) {
        EXPECT_EQ(c.id.find('@'), std::string::npos) << "a historical price is no candidate";
        if (c.prediction.hasTime() && c.usdPerHour) {
            EXPECT_GT(c.costUsd.median, 0) << c.id;
        }
    }
    r.job = test::job("mnist_mlp", Mode::Train, 128);
    const auto small = advised(r, test::shippedCatalog());
    EXPECT_NE(small.candidates[*small.choices.cheapest].hardware.find(':'), std::string::npos)
        << "a small network is cheapest on a processor";
}

TEST(Ranking, RefusesNonsense) {
    const Predictor predictor(test::shippedParameters());
    auto r = request();
    r.steps = 0;
    EXPECT_EQ(advise(r, smallCatalog(), predictor).error().kind, ErrorKind::InvalidArgument);
    r = request();
    r.timeWeight = -1;
    EXPECT_FALSE(advise(r, smallCatalog(), predictor));
    r = request();
    r.software = "abacus";
    EXPECT_FALSE(advise(r, smallCatalog(), predictor));
    EXPECT_EQ(stepsOf(2, 100, 32), 8);
}

TEST(Ranking, PresetsFillTheInputs) {
    ASSERT_EQ(presets().size(), 6U);
    for (const auto& preset : presets()) {
        auto filled = request();
        apply(preset, filled);
        auto byHand = request();
        byHand.priority = preset.priority;
        byHand.timeWeight = preset.timeWeight;
        byHand.budgetUsd = preset.budgetUsd;
        byHand.deadlineHours = preset.deadlineHours;
        byHand.spot = preset.spot;
        const auto a = advised(filled, smallCatalog()), b = advised(byHand, smallCatalog());
        ASSERT_EQ(a.candidates.size(), b.candidates.size());
        for (std::size_t i = 0; i < a.candidates.size(); ++i) EXPECT_EQ(a.candidates[i].id, b.candidates[i].id);
        EXPECT_EQ(findPreset(preset.id), &preset);
    }
    EXPECT_EQ(findPreset("nobody"), nullptr);
}

// The user's processor, without measurements of the published software.
OwnCandidate ownProcessor() {
    OwnCandidate own;
    own.id = "own/cpu";
    own.title = "this computer's processor";
    own.device = partOf(test::device("epyc_7763"), 8);
    return own;
}

TEST(Ranking, AnOwnDeviceThatCannotBePredictedTellsWhatItWouldTake) {
    auto r = request();
    r.own = {ownProcessor()};
    const auto advice = advised(r, smallCatalog());
    const auto* own = advice.find("own/cpu");
    ASSERT_NE(own, nullptr);
    EXPECT_FALSE(own->isViable());
    ASSERT_TRUE(own->instead);
    EXPECT_EQ(own->instead->software, kThisEngine);
    EXPECT_EQ(own->instead->precision, Precision::Fp32) << "this processor computes no fp16";
    EXPECT_TRUE(has(own->reasons, ReasonKind::InsteadInPrecisionThisProgram));

    // The same figure as if it had been requested.
    r.software = std::string(kThisEngine);
    r.job = test::job("resnet50", Mode::Train, 64, Precision::Fp32);
    const auto asked = advised(r, smallCatalog());
    ASSERT_TRUE(asked.find("own/cpu")->isViable());
    EXPECT_FALSE(asked.find("own/cpu")->instead);
    EXPECT_DOUBLE_EQ(own->instead->hours.median, asked.find("own/cpu")->hours.median);
}

TEST(Ranking, SmallCostsAreComparedAsTheyAre) {
    auto r = request();
    r.steps = 40;  // some cents of a cent
    r.rental.startUpSeconds = 0;
    const auto advice = advised(r, smallCatalog());
    const auto* same = advice.find("Two/a10");  // as One/a10, for 1.2 times the price
    ASSERT_NE(same, nullptr);
    ASSERT_LT(same->costUsd.median, 0.01);
    const auto dominated = std::ranges::find(same->reasons, ReasonKind::Dominated, &Reason::kind);
    ASSERT_NE(dominated, same->reasons.end());
    const auto better = std::ranges::find(advice.candidates, dominated->subject, &Candidate::title);
    ASSERT_NE(better, advice.candidates.end());
    EXPECT_NEAR(dominated->b, better->costUsd.median / same->costUsd.median, 1e-9);
}

TEST(Ranking, TheUsualCardIsTheOwnOneOrLikeTheRented) {
    const Predictor predictor(test::shippedParameters());
    const auto r = request(Priority::Fastest);
    const auto cards = cardsToBuy(r.job, test::shippedCatalog(), predictor, r.software).value();
    for (const auto& card : cards)
        if (!test::device(card.hardware).fittedVendor) {
            EXPECT_FALSE(canDoJob(card)) << card.name;
        }
    auto catalog = smallCatalog();
    catalog.offers = {rented("One/a10", "a10", 1.0)};
    auto advice = advised(r, catalog);
    const auto* twin = usualCard(cards, advice);
    ASSERT_NE(twin, nullptr);
    EXPECT_TRUE(twin->isConsumer);
    EXPECT_EQ(twin->generation, test::device("a10").generation);
    catalog.offers = {rented("One/rtx3090", "rtx3090", 0.2)};
    EXPECT_EQ(usualCard(cards, advised(r, catalog))->hardware, "rtx3090") << "it is for sale itself";
    advice.candidates.push_back({});
    advice.candidates.back().own = true;
    advice.candidates.back().hardware = "rtx4090";
    EXPECT_EQ(usualCard(cards, advice)->hardware, "rtx4090");
    const auto purchase = weighPurchase({}, cards, advice);
    ASSERT_TRUE(purchase);
    EXPECT_EQ(purchase->card.hardware, "rtx4090");
    EXPECT_DOUBLE_EQ(purchase->jobHours.median, purchase->card.prediction.seconds.median * r.steps / 3600);
}

TEST(Ranking, OrdersCardsByWhatTheyDoForTheirPrice) {
    const Predictor predictor(test::shippedParameters());
    const auto cards =
        cardsToBuy(test::job("resnet50", Mode::Train, 32, Precision::Fp16), test::shippedCatalog(), predictor, "ngc22")
            .value();
    ASSERT_GT(cards.size(), 15U);
    for (std::size_t i = 1; i < cards.size(); ++i) {
        const auto &a = cards[i - 1], &b = cards[i];
        if (a.prediction.hasTime() && b.prediction.hasTime() && a.prediction.fits != Fits::No &&
            b.prediction.fits != Fits::No) {
            EXPECT_GE(a.samplesPerSecondPerThousandUsd, b.samplesPerSecondPerThousandUsd);
        }
    }
    EXPECT_FALSE(cards[0].priceSource.empty());
}

TEST(AdviceJson, FollowsTheContract) {
    auto r = request();
    r.providers = {"One"};
    const auto json = nlohmann::json::parse(adviceJson(r, advised(r, smallCatalog())));
    ASSERT_EQ(json["offers"].size(), 5U);
    for (const auto& offer : json["offers"]) {
        for (const char* field : {"offer", "hours", "cost_usd", "on_pareto", "reasons", "rejected_because"})
            EXPECT_TRUE(offer.contains(field)) << field;
        EXPECT_TRUE(offer["hours"]["median"].is_number());
    }
    for (const char* field : {"cheapest", "fastest", "balanced"}) EXPECT_TRUE(json["choices"][field].is_string());
    EXPECT_TRUE(json["sensitivity"].contains("price"));
    EXPECT_EQ(json["offers"].back()["rejected_because"][0]["kind"], "provider_excluded");

    const Predictor predictor(test::shippedParameters());
    const auto card = test::device("rtx2080ti");
    const auto bf16 = test::job("resnet50", Mode::Train, 64, Precision::Bf16);
    const auto refused = nlohmann::json::parse(predictionsJson(
        bf16, "steelyard", {{"rtx2080ti", card.name, predictor.predict(bf16, {.device = &card}).value()}}));
    EXPECT_TRUE(refused["targets"][0]["step_seconds"].is_null());
    EXPECT_TRUE(refused["targets"][0]["basis"].is_null());
    EXPECT_TRUE(refused["targets"][0]["refused_because"].is_string());
}

TEST(Reasons, EachHasANameAndASentence) {
    for (int i = 0; i <= static_cast<int>(ReasonKind::InsteadInPrecisionThisProgram); ++i) {
        const auto kind = static_cast<ReasonKind>(i);
        EXPECT_NE(toString(kind), "unknown") << i;
        EXPECT_FALSE(englishText({kind, "bandwidth", 2, 3}).empty()) << toString(kind);
    }
    EXPECT_EQ(englishText({ReasonKind::Cheapest, {}, 0.0064, 0}), "cheapest: $0.0064");
    EXPECT_EQ(englishText({ReasonKind::OverBudget, {}, 12.5, 10}), "$12.50 is $2.50 over the budget");
    EXPECT_EQ(englishText({ReasonKind::CheaperAndFaster, "your CPU", 152.7, 1}),
              "153× as fast as your CPU and no more expensive");
    EXPECT_EQ(englishText({ReasonKind::FasterPaysOff, "your CPU", 4.1, 2.6}),
              "4.1× as fast as your CPU for 2.6× the price: worth the higher price");
}

}  // namespace
}  // namespace steelyard::advisor
