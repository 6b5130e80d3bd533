// SPDX-License-Identifier: Apache-2.0
// An answer of the advisor as sentences, cards, tables and charts. Every predicted value has its interval and is marked
// as predicted. No logic: the engine decides what is cheapest, why a machine lost and when buying pays. Pure functions
// over the answer, which must outlive the presenter.
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
    // The range of time weights with the same choice; empty if the weight does not matter.
    [[nodiscard]] QString weights() const;
    // The basis of the figures: predictions, measurements, date of the prices.
    [[nodiscard]] QString footing() const;
    // That the recommended offer's price is old, with its age; otherwise empty.
    [[nodiscard]] QString priceCaution() const;
    // Source of the choice's price; empty if nothing is paid.
    [[nodiscard]] QString priceSource() const;
    [[nodiscard]] std::vector<ChoiceCard> choices() const;
    // All candidates, best first, with the reasons against each; keys are candidate ids.
    [[nodiscard]] TableContent table(bool onlyPossible, int mostReasons = kAllReasons) const;
    // Every price with its date, age and source.
    [[nodiscard]] TableContent prices() const;
    // Prices of the choices and the Pareto front: for a report.
    [[nodiscard]] TableContent pricesInFront() const;
    [[nodiscard]] std::vector<Detail> details(const std::string& candidate) const;

    [[nodiscard]] ChartSpec timeAgainstCost() const;
    // Time and cost relative to the cheapest choice, with a line at 1: two charts with the same rows and axis.
    [[nodiscard]] std::vector<ChartSpec> relative() const;
    [[nodiscard]] ChartSpec buyOrRent(const advisor::PurchaseRequest& plan) const;
    [[nodiscard]] QString buyOrRentSentence(const advisor::PurchaseRequest& plan) const;

    [[nodiscard]] QString job() const;  // "Training ResNet-50, batch 32, fp32"
    [[nodiscard]] QString machine(const advisor::Candidate& candidate) const;
    [[nodiscard]] QString device(const advisor::Candidate& candidate) const;

private:
    // For the planned card, or the best value card if the job does not fit on that.
    [[nodiscard]] std::optional<advisor::Purchase> trade(const advisor::PurchaseRequest& plan) const;
    [[nodiscard]] const advisor::Candidate* chosen() const;
    [[nodiscard]] const advisor::Candidate* own() const;
    [[nodiscard]] const advisor::Candidate* rented() const;
    [[nodiscard]] QString noChoice() const;
    // If an own device is enough.
    [[nodiscard]] QString noNeedToRent() const;
    [[nodiscard]] QString secondSentence() const;
    [[nodiscard]] QString ownLeftOut() const;
    [[nodiscard]] QString why(const advisor::Candidate& candidate, int most, const QString& between = {}) const;
    [[nodiscard]] QString leftOutName() const;
    [[nodiscard]] ChartPoint point(const advisor::Candidate& candidate) const;
    [[nodiscard]] std::vector<const advisor::Candidate*> front() const;  // by time, ascending
    [[nodiscard]] bool isChoice(const advisor::Candidate& candidate) const;
    [[nodiscard]] TableContent priceTable(const std::vector<const advisor::Candidate*>& candidates) const;

    const AdviceAnswer& m_answer;
    const advisor::Advice& m_advice;
};

}  // namespace steelyard::ui
