// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/language_presenter.h"

#include <gtest/gtest.h>

#include "engine/model/decoder/weight_format.h"
#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

using advisor::Fits;
using advisor::LanguagePrediction;
using advisor::OfferKind;

constexpr double kGib = 1024.0 * 1024 * 1024;

LanguagePrediction on(std::string id, double available, Fits fits, double speed) {
    LanguagePrediction one;
    one.id = one.name = std::move(id);
    one.availableBytes = available * kGib;
    one.fits = fits;
    one.tokensPerSecond = {0.8 * speed, speed, 1.2 * speed};
    return one;
}

LanguageAnswer answerTo(LanguageTask task) {
    LanguageAnswer answer;
    answer.question.task = task;
    answer.job.model.spec.title = "Some 8B";
    answer.job.weights = &model::weightSchemes().front();
    answer.job.context = 4096;
    answer.memory = {.weights = 4 * kGib, .cache = 1 * kGib, .working = 0, .context = 0.5 * kGib};
    return answer;
}

TEST(LanguagePresenter, DevicesThatFitComeFirstAndOthersHaveNoSpeed) {
    auto answer = answerTo(LanguageTask::Fit);
    auto refused = on("odd", 64, Fits::Yes, 0);
    refused.refusal = advisor::LanguageRefusal::BandwidthUnknown;
    answer.devices = {on("small", 4, Fits::No, 20), on("large", 24, Fits::Yes, 100), on("medium", 8, Fits::Yes, 50),
                      refused};
    answer.prompts = {{"large", on("large", 24, Fits::Yes, 3000)}, {"small", on("small", 4, Fits::Yes, 700)}};
    const LanguagePresenter presenter(answer);
    const auto table = presenter.devices();
    ASSERT_EQ(table.rows.size(), 4U);
    for (const auto& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
    EXPECT_EQ(table.rows[0].key, QStringLiteral("medium"));
    EXPECT_EQ(table.rows[1].key, QStringLiteral("large"));
    EXPECT_EQ(table.rows[3].key, QStringLiteral("small"));
    EXPECT_EQ(table.rows[0].cells[2].text, QStringLiteral("50.0"));
    EXPECT_EQ(table.rows[1].cells[4].text, QStringLiteral("3,000"));
    EXPECT_EQ(table.rows[0].cells[4].text, QStringLiteral("–")) << "its speed of prompts is unknown";
    EXPECT_EQ(table.rows[3].cells[2].text, QStringLiteral("–")) << "it does not fit";
    EXPECT_EQ(table.rows[3].cells[4].text, QStringLiteral("–")) << "it does not fit";
    EXPECT_TRUE(table.rows[3].muted);
    EXPECT_EQ(table.rows[2].cells[2].text, QStringLiteral("–")) << "no speed is known";
    EXPECT_FALSE(table.rows[2].cells[2].hover.isEmpty());
}

TEST(LanguagePresenter, VerdictNamesBothNeedsAndTheSmallestDevice) {
    auto answer = answerTo(LanguageTask::Fit);
    answer.devices = {on("small", 4, Fits::No, 20), on("large", 24, Fits::Yes, 100), on("shared", 5.2, Fits::Yes, 10)};
    const auto text = LanguagePresenter(answer).verdict();
    EXPECT_TRUE(text.contains(QStringLiteral("needs 5.00 GiB"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("5.50 GiB on a graphics card"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("2 of 3 devices; the smallest is shared"))) << text.toStdString();
    answer.devices = {on("small", 4, Fits::No, 20)};
    EXPECT_TRUE(LanguagePresenter(answer).verdict().contains(QStringLiteral("No device")));
}

TEST(LanguagePresenter, CostByLoadIsThatOfTheOffersAtEachLoad) {
    auto answer = answerTo(LanguageTask::Serve);
    answer.request.tokensPerMonth = 1e8;
    advisor::ServingOffer api{.kind = OfferKind::Api, .id = "api", .title = "Some API", .usdPerMillion = 0.1};
    api.usdPerMonth = {10, 10, 10};
    advisor::ServingOffer rent{.kind = OfferKind::Rent, .id = "rent", .title = "Some machine"};
    rent.tokensPerMonth = {4e8, 5e8, 6e8};
    rent.machines = 1;
    rent.usdPerMonth = {100, 100, 100};
    answer.advice.offers = {api, rent};
    const LanguagePresenter presenter(answer);
    const auto chart = presenter.costByLoad();
    ASSERT_EQ(chart.series.size(), 2U);
    for (const auto& series : chart.series)
        for (const auto& point : series.points) EXPECT_NE(point.basis, Basis::Measured);
    const auto& rented = chart.series[0].points;
    EXPECT_EQ(rented.front().y, 100) << "a hundredth of the load takes one machine, too";
    // A hundred times the load: 1e10 tokens by machines of 5e8.
    EXPECT_NEAR(*rented.back().y, 2000, 1e-6);
    EXPECT_NEAR(*chart.series[1].points.back().y, 1000, 1e-6);
}

advisor::TuningOffer tuningOffer(OfferKind kind, std::string id, double hours, double usd) {
    advisor::TuningOffer offer{.kind = kind, .id = id, .title = id, .hardware = "card", .software = "some"};
    offer.hours = {0.8 * hours, hours, 1.5 * hours};
    offer.usd = {0.8 * usd, usd, 1.5 * usd};
    offer.tokensPerSecond = {500, 1000, 1200};
    return offer;
}

TEST(LanguagePresenter, FineTuningTellsTimeAndCost) {
    auto answer = answerTo(LanguageTask::FineTune);
    answer.question.tuning.method = advisor::FineTuning::Method::Qlora;
    answer.methods = {{advisor::FineTuning::Method::Qlora, {.trained = 4e7, .base = 5 * kGib}}};
    answer.tuningRequest.tokens = 3.6e6;
    auto rejected = tuningOffer(OfferKind::Rent, "slow", 90, 1);
    rejected.rejectedBecause = {Message("too slow")};
    answer.tuningAdvice.offers = {tuningOffer(OfferKind::Buy, "desk", 4, 2),
                                  tuningOffer(OfferKind::Rent, "cloud", 2, 3),
                                  tuningOffer(OfferKind::Rent, "large", 0.5, 20), rejected};
    answer.tuningAdvice.fastest = "large";
    answer.tuningAdvice.jobsUntilPurchasePays = 41.2;
    const LanguagePresenter presenter(answer);
    const auto verdict = presenter.verdict();
    EXPECT_TRUE(verdict.contains(QStringLiteral("For 3.60 M tokens, rent cloud (card)"))) << verdict.toStdString();
    EXPECT_TRUE(verdict.contains(QStringLiteral("On desk, bought"))) << verdict.toStdString();
    EXPECT_TRUE(presenter.sensitivity().contains(QStringLiteral("The fastest is large")));
    EXPECT_TRUE(presenter.sensitivity().contains(QStringLiteral("after 42 such jobs")));
    EXPECT_TRUE(presenter.footing().contains(QStringLiteral("predicted")));
    EXPECT_FALSE(presenter.footing().contains(QStringLiteral("US dollar")));
    Format::setCurrency({Currency::Euro, 0.86, "2026-11-20", "a bank"});
    EXPECT_TRUE(presenter.footing().contains(QStringLiteral("1 US dollar = 0.860 EUR")))
        << presenter.footing().toStdString();
    Format::setCurrency({});
    const auto cards = presenter.choices();
    ASSERT_EQ(cards.size(), 3U);
    EXPECT_EQ(cards[0].key, QStringLiteral("desk")) << "the cheapest comes first";
    EXPECT_TRUE(cards[0].chosen);
    EXPECT_EQ(presenter.offers(true).rows.size(), 3U);
    const auto all = presenter.offers(false);
    ASSERT_EQ(all.rows.size(), 4U);
    for (const auto& row : all.rows) EXPECT_EQ(row.cells.size(), all.columns.size());
    EXPECT_TRUE(all.rows[3].muted);
    const auto chart = presenter.speedAgainstCost();
    std::size_t points = 0;
    for (const auto& series : chart.series)
        for (const auto& point : series.points) {
            ++points;
            EXPECT_NE(point.basis, Basis::Measured);
        }
    EXPECT_EQ(points, 3U);

    advisor::TuningPrediction card;
    card.id = card.name = "card";
    card.software = "some";
    card.availableBytes = 24 * kGib;
    card.fits = Fits::Yes;
    card.tokensPerSecond = {800, 1000, 1100};
    auto small = card;
    small.id = small.name = "small";
    small.availableBytes = 4 * kGib;
    small.fits = Fits::No;
    answer.tuned = {small, card};
    const auto devices = presenter.holders();
    ASSERT_EQ(devices.rows.size(), 2U);
    for (const auto& row : devices.rows) EXPECT_EQ(row.cells.size(), devices.columns.size());
    EXPECT_EQ(devices.rows[0].key, QStringLiteral("card"));
    EXPECT_EQ(devices.rows[0].cells[4].sortBy, 1.0) << "3.6 million tokens at 1,000 a second: an hour";
    EXPECT_TRUE(devices.rows[1].muted);

    answer.tuningAdvice = {};
    EXPECT_TRUE(LanguagePresenter(answer).verdict().contains(QStringLiteral("No machine for rent")));
}

TEST(LanguagePresenter, NothingPossibleIsSaid) {
    auto answer = answerTo(LanguageTask::Chat);
    EXPECT_TRUE(LanguagePresenter(answer).verdict().startsWith(QStringLiteral("No machine and no API")));
    EXPECT_TRUE(LanguagePresenter(answer).choices().empty());
}

}  // namespace
}  // namespace steelyard::ui
