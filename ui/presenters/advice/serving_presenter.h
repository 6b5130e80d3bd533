// SPDX-License-Identifier: Apache-2.0
// The answer about chatting with or serving a language model: monthly costs of renting, buying and APIs. Pure functions
// over the answer, which must outlive the presenter.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_question.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class ServingPresenter {
    Q_DECLARE_TR_FUNCTIONS(LanguagePresenter)

public:
    explicit ServingPresenter(const LanguageAnswer& answer) : m_answer(answer) {}

    [[nodiscard]] QString verdict() const;
    // Break-even load in tokens per month, and the choices at a tenth and at ten times the load.
    [[nodiscard]] QString sensitivity() const;
    // The best rental, purchase and API, cheapest first.
    [[nodiscard]] std::vector<ChoiceCard> choices() const;
    [[nodiscard]] TableContent offers(bool onlyPossible) const;
    // Tokens per second of a machine against USD per million tokens.
    [[nodiscard]] ChartSpec speedAgainstCost() const;
    // Monthly cost over tokens per day, for renting, buying and APIs.
    [[nodiscard]] ChartSpec costByLoad() const;

private:
    [[nodiscard]] const advisor::ServingOffer* best(advisor::OfferKind kind) const;
    [[nodiscard]] ChartPoint point(const advisor::ServingOffer& offer) const;

    const LanguageAnswer& m_answer;
};

}  // namespace steelyard::ui
