// SPDX-License-Identifier: Apache-2.0
// Memory of a language model against that of devices. Pure functions over the answer, which must outlive the presenter.
#pragma once

#include <QCoreApplication>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/language_question.h"

namespace steelyard::ui {

class LanguageMemoryPresenter {
    Q_DECLARE_TR_FUNCTIONS(LanguagePresenter)

public:
    explicit LanguageMemoryPresenter(const LanguageAnswer& answer) : m_answer(answer) {}
    // Weights, KV cache and workspace in several formats, or fine-tuning by several methods, against the memory of
    // devices.
    [[nodiscard]] ChartSpec chart() const;

private:
    const LanguageAnswer& m_answer;
};

}  // namespace steelyard::ui
