// SPDX-License-Identifier: Apache-2.0
// Whether a language model fits: this model on every device, and every model on one device. Pure functions over the
// answer, which must outlive the presenter.
#pragma once

#include <QCoreApplication>

#include "ui/presenters/advice/language_question.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class FitPresenter {
    Q_DECLARE_TR_FUNCTIONS(LanguagePresenter)

public:
    explicit FitPresenter(const LanguageAnswer& answer) : m_answer(answer) {}

    [[nodiscard]] QString verdict() const;
    // Devices that this model fits on, smallest first.
    [[nodiscard]] TableContent devices() const;
    [[nodiscard]] TableContent models() const;

private:
    // Two cells: tokens per second and their range, if the model fits.
    static void addSpeed(TableRow& row, const advisor::LanguagePrediction& one);
    void addPromptSpeed(TableRow& row, const advisor::LanguagePrediction& one) const;

    const LanguageAnswer& m_answer;
};

}  // namespace steelyard::ui
