// SPDX-License-Identifier: Apache-2.0
// The answer about fine-tuning a language model: time and cost of the job, and the devices that it fits on. Pure
// functions over the answer, which must outlive the presenter.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_question.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class TuningPresenter {
    Q_DECLARE_TR_FUNCTIONS(LanguagePresenter)

public:
    explicit TuningPresenter(const LanguageAnswer& answer) : m_answer(answer) {}

    [[nodiscard]] QString verdict() const;
    // The fastest offer, and the number of jobs after which a purchase pays.
    [[nodiscard]] QString sensitivity() const;
    // The cheapest rental and purchase, and the fastest offer.
    [[nodiscard]] std::vector<ChoiceCard> choices() const;
    [[nodiscard]] TableContent offers(bool onlyPossible) const;
    [[nodiscard]] ChartSpec timeAgainstCost() const;
    // Devices that it fits on, fastest first.
    [[nodiscard]] TableContent holders() const;

private:
    [[nodiscard]] const advisor::FineTuningMemory* tuned() const;
    [[nodiscard]] const advisor::TuningOffer* fastest() const;

    const LanguageAnswer& m_answer;
};

}  // namespace steelyard::ui
