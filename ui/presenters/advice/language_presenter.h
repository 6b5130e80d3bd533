// SPDX-License-Identifier: Apache-2.0
// An answer about a language model as sentences, cards, tables and charts, by the presenter of its kind of job. All
// speeds are predictions and are labelled so. No logic: the engine decides what fits, what is cheapest and what a month
// costs. Pure functions over the answer, which must outlive the presenter.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_question.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class LanguagePresenter {
    Q_DECLARE_TR_FUNCTIONS(LanguagePresenter)

public:
    explicit LanguagePresenter(const LanguageAnswer& answer) : m_answer(answer) {}

    // The kind of job for users: "Chat with a language model".
    static QString task(LanguageTask task);
    static QString method(advisor::FineTuning::Method method);

    // The answer in one or two sentences.
    [[nodiscard]] QString verdict() const;
    // Break-even load in tokens per month, and the choices at a tenth and at ten times the load.
    [[nodiscard]] QString sensitivity() const;
    // The basis of the figures.
    [[nodiscard]] QString footing() const;

    // Chat and serve: the best rental, purchase and API, cheapest first. Fine-tuning: the cheapest rental and purchase,
    // and the fastest.
    [[nodiscard]] std::vector<ChoiceCard> choices() const;
    [[nodiscard]] TableContent offers(bool onlyPossible) const;
    // Tokens per second of a machine against USD per million tokens; for fine-tuning, hours against USD of the job.
    [[nodiscard]] ChartSpec speedAgainstCost() const;
    // Monthly cost over tokens per day, for renting, buying and APIs.
    [[nodiscard]] ChartSpec costByLoad() const;
    // Fit: devices that this model fits on, smallest first; and all models on one device.
    [[nodiscard]] TableContent devices() const;
    [[nodiscard]] TableContent models() const;
    // Fine-tuning: devices that it fits on, fastest first.
    [[nodiscard]] TableContent holders() const;
    // Weights, KV cache and workspace in several formats, or fine-tuning by several methods, against the memory of
    // devices.
    [[nodiscard]] ChartSpec memory() const;

private:
    [[nodiscard]] QString basis() const;
    [[nodiscard]] bool isServing() const;
    [[nodiscard]] bool isTuning() const;

    const LanguageAnswer& m_answer;
};

}  // namespace steelyard::ui
