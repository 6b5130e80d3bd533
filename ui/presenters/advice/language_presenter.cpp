// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/language_presenter.h"

#include <algorithm>

#include "ui/presenters/advice/fit_presenter.h"
#include "ui/presenters/advice/language_memory_presenter.h"
#include "ui/presenters/advice/language_text.h"
#include "ui/presenters/advice/serving_presenter.h"
#include "ui/presenters/advice/tuning_presenter.h"

namespace steelyard::ui {

QString LanguagePresenter::task(LanguageTask task) {
    switch (task) {
        case LanguageTask::Chat:
            return tr("Chat with a language model");
        case LanguageTask::Serve:
            return tr("Serve a language model");
        case LanguageTask::FineTune:
            return tr("Fine-tune a language model");
        case LanguageTask::Fit:
            return tr("Does it fit?");
    }
    return {};
}

QString LanguagePresenter::method(advisor::FineTuning::Method method) {
    return LanguageText::method(method);
}

bool LanguagePresenter::isServing() const {
    return m_answer.question.task == LanguageTask::Chat || m_answer.question.task == LanguageTask::Serve;
}

bool LanguagePresenter::isTuning() const {
    return m_answer.question.task == LanguageTask::FineTune;
}

QString LanguagePresenter::verdict() const {
    if (isServing()) return ServingPresenter(m_answer).verdict();
    return isTuning() ? TuningPresenter(m_answer).verdict() : FitPresenter(m_answer).verdict();
}

QString LanguagePresenter::sensitivity() const {
    QStringList sentences;
    if (m_answer.isBeyondTraining)
        sentences << tr("The model was trained for a context of %1 tokens.")
                         .arg(Format::integer(m_answer.job.model.spec.contextLength));
    if (!m_answer.unread.empty()) {
        QStringList names;
        for (const auto& one : m_answer.unread) names << plain(one);
        sentences << tr("Not used of the file: %1.").arg(names.join(QStringLiteral(", ")));
    }
    if (isTuning()) sentences << TuningPresenter(m_answer).sensitivity();
    if (isServing()) sentences << ServingPresenter(m_answer).sensitivity();
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

QString LanguagePresenter::footing() const {
    const bool showsAmounts = isTuning() || isServing();
    const auto rate = showsAmounts ? Format::rateSentence() : QString();
    return rate.isEmpty() ? basis() : basis() + QLatin1Char(' ') + rate;
}

QString LanguagePresenter::basis() const {
    if (isTuning())
        return tr(
            "Memory is estimated from the shape of the model. Speeds are predicted from published ones of few "
            "devices, with 80 % prediction ranges; nothing was measured here.");
    const auto speeds = tr(
        "Every speed is predicted from published measurements, with 80 % prediction ranges; none was measured here.");
    if (m_answer.question.task == LanguageTask::Fit) {
        const bool known = std::ranges::any_of(m_answer.devices, [](const advisor::LanguagePrediction& one) {
            return one.hasSpeed() && one.basis != advisor::Basis::Extrapolated;
        });
        return known
                   ? tr("Speeds are predicted from published measurements, with 80 % prediction ranges; those of this "
                        "computer's processor also from what was measured here.")
                   : speeds;
    }
    std::string oldest, newest;
    for (const auto& offer : m_answer.advice.offers) {
        if (!offer.possible() || offer.priceDate.empty()) continue;
        if (oldest.empty() || offer.priceDate < oldest) oldest = offer.priceDate;
        newest = std::max(newest, offer.priceDate);
    }
    if (oldest.empty()) return speeds;
    return speeds + QLatin1Char(' ') +
           tr("Prices from %1 to %2: check them.").arg(Format::isoDate(oldest), Format::isoDate(newest));
}

std::vector<ChoiceCard> LanguagePresenter::choices() const {
    return isTuning() ? TuningPresenter(m_answer).choices() : ServingPresenter(m_answer).choices();
}

TableContent LanguagePresenter::offers(bool onlyPossible) const {
    return isTuning() ? TuningPresenter(m_answer).offers(onlyPossible)
                      : ServingPresenter(m_answer).offers(onlyPossible);
}

ChartSpec LanguagePresenter::speedAgainstCost() const {
    return isTuning() ? TuningPresenter(m_answer).timeAgainstCost() : ServingPresenter(m_answer).speedAgainstCost();
}

ChartSpec LanguagePresenter::costByLoad() const {
    return ServingPresenter(m_answer).costByLoad();
}

TableContent LanguagePresenter::devices() const {
    return FitPresenter(m_answer).devices();
}

TableContent LanguagePresenter::models() const {
    return FitPresenter(m_answer).models();
}

TableContent LanguagePresenter::holders() const {
    return TuningPresenter(m_answer).holders();
}

ChartSpec LanguagePresenter::memory() const {
    return LanguageMemoryPresenter(m_answer).chart();
}

}  // namespace steelyard::ui
