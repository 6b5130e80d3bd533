// SPDX-License-Identifier: Apache-2.0
// An answer about a language model as sentences, cards, tables and charts. Every speed is predicted and says so. Holds
// no rule of its own: what fits, what is cheapest and what a month costs is the engine's. Pure functions over the
// answer, which outlives the presenter.
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

    // The kind of job in the user's words: "Chat with a language model".
    static QString task(LanguageTask task);
    static QString method(advisor::FineTuning::Method method);

    // The answer in one or two sentences.
    [[nodiscard]] QString verdict() const;
    // Where the choice turns: how many tokens a month, a tenth and ten times as many.
    [[nodiscard]] QString sensitivity() const;
    // What the figures rest on.
    [[nodiscard]] QString footing() const;

    // Chat and serve: the best to rent, to buy, and the best API, the cheapest first. Fine-tuning: the cheapest to rent
    // and to buy, and the fastest.
    [[nodiscard]] std::vector<ChoiceCard> choices() const;
    [[nodiscard]] TableContent offers(bool onlyPossible) const;
    // Tokens per second of a machine against USD per million tokens; of fine-tuning, hours against USD of the job.
    [[nodiscard]] ChartSpec speedAgainstCost() const;
    // What a month costs over the tokens of a day, by renting, buying, API.
    [[nodiscard]] ChartSpec costByLoad() const;
    // Fit: devices that hold this model, the smallest first; and all models on one device.
    [[nodiscard]] TableContent devices() const;
    [[nodiscard]] TableContent models() const;
    // Fine-tuning: devices that hold it, the fastest first.
    [[nodiscard]] TableContent holders() const;
    // Weights, cache and working space in several formats, or fine-tuning by several methods, against what devices
    // have.
    [[nodiscard]] ChartSpec memory() const;

private:
    [[nodiscard]] const advisor::ServingOffer* best(advisor::OfferKind kind) const;
    [[nodiscard]] QString model() const;  // "Llama 3.1 8B as Q4_K_M"
    // Of serving or fine-tuning.
    template <typename Offer>
    [[nodiscard]] QString device(const Offer& offer) const;
    template <typename Offer>
    [[nodiscard]] QString name(const Offer& offer) const;
    [[nodiscard]] QString servingVerdict() const;
    [[nodiscard]] QString fitVerdict() const;
    [[nodiscard]] QString tuningVerdict() const;
    [[nodiscard]] const advisor::FineTuningMemory* tuned() const;
    [[nodiscard]] const advisor::TuningOffer* fastestTuning() const;
    [[nodiscard]] QString tuningSensitivity() const;
    [[nodiscard]] std::vector<ChoiceCard> tuningChoices() const;
    [[nodiscard]] TableContent tuningOffers(bool onlyPossible) const;
    [[nodiscard]] ChartSpec timeAgainstCost() const;
    [[nodiscard]] ChartPoint point(const advisor::ServingOffer& offer) const;

    const LanguageAnswer& m_answer;
};

}  // namespace steelyard::ui
