// SPDX-License-Identifier: Apache-2.0
// An answer of the advisor as sentences, cards, tables and charts. Every predicted figure comes with its band and is
// marked as predicted. Holds no rule of its own: what is cheapest, why a machine lost and when buying pays is the
// engine's. Pure functions over the answer, which outlives the presenter.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <vector>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/advice_question.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

// One of the three choices.
struct ChoiceCard {
    QString heading;  // "Cheapest"
    QString machine, device;
    QString time, timeBand;
    QString cost, costBand;
    QString label;  // "predicted by the model"
    QStringList reasons;
    QString key;  // of the candidate
    bool chosen = false;
    friend bool operator==(const ChoiceCard&, const ChoiceCard&) = default;
};

class AdvicePresenter {
    Q_DECLARE_TR_FUNCTIONS(AdvicePresenter)

public:
    static constexpr int kAllReasons = 100;
    explicit AdvicePresenter(const AdviceAnswer& answer) : m_answer(answer), m_advice(answer.advice) {}

    // The answer in one or two sentences.
    [[nodiscard]] QString verdict() const;
    // "It stays the choice until its price rises 18 %."
    [[nodiscard]] QString sensitivity() const;
    // For which weights of time the choice is the same; empty where the weight does not matter.
    [[nodiscard]] QString weights() const;
    // What the figures rest on: predictions, measurements, the day of the prices.
    [[nodiscard]] QString footing() const;
    // That the price of the recommended offer is old, and how old; empty when it is not.
    [[nodiscard]] QString priceCaution() const;
    // Where the price of the choice was read; empty where nothing is paid.
    [[nodiscard]] QString priceSource() const;
    [[nodiscard]] std::vector<ChoiceCard> choices() const;
    // All candidates, best first, with why each lost; keys are the candidates' ids.
    [[nodiscard]] TableContent table(bool onlyPossible, int mostReasons = kAllReasons) const;
    // Every price with its date, age and source.
    [[nodiscard]] TableContent prices() const;
    // Those of the choices and of the front: for a report.
    [[nodiscard]] TableContent pricesInFront() const;
    [[nodiscard]] std::vector<Detail> details(const std::string& candidate) const;

    [[nodiscard]] ChartSpec timeAgainstCost() const;
    // Relative to the cheapest choice, with a line at 1.
    [[nodiscard]] ChartSpec relative() const;
    [[nodiscard]] ChartSpec buyOrRent(const advisor::PurchaseRequest& plan) const;
    [[nodiscard]] QString buyOrRentSentence(const advisor::PurchaseRequest& plan) const;

    [[nodiscard]] QString job() const;  // "Training ResNet-50, batch 32, fp32"
    [[nodiscard]] QString machine(const advisor::Candidate& candidate) const;
    [[nodiscard]] QString device(const advisor::Candidate& candidate) const;

private:
    // Of the plan's card, or of the best one for its price where the job does not fit that.
    [[nodiscard]] std::optional<advisor::Purchase> trade(const advisor::PurchaseRequest& plan) const;
    [[nodiscard]] const advisor::Candidate* chosen() const;
    [[nodiscard]] const advisor::Candidate* own() const;
    [[nodiscard]] const advisor::Candidate* rented() const;
    [[nodiscard]] QString noChoice() const;
    [[nodiscard]] QString secondSentence() const;
    [[nodiscard]] QString ownLeftOut() const;
    [[nodiscard]] QString why(const advisor::Candidate& candidate, int most, const QString& between = {}) const;
    [[nodiscard]] ChartPoint point(const advisor::Candidate& candidate) const;
    [[nodiscard]] std::vector<const advisor::Candidate*> front() const;  // by rising time
    [[nodiscard]] bool isChoice(const advisor::Candidate& candidate) const;
    [[nodiscard]] TableContent priceTable(const std::vector<const advisor::Candidate*>& candidates) const;

    const AdviceAnswer& m_answer;
    const advisor::Advice& m_advice;
};

}  // namespace steelyard::ui
