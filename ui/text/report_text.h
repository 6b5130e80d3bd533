// SPDX-License-Identifier: Apache-2.0
// Translates the terms of reports; the engine's are English. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/report/report_texts.h"

namespace steelyard::ui {

class ReportText {
    Q_DECLARE_TR_FUNCTIONS(ReportText)

public:
    [[nodiscard]] static report::ReportTexts texts();

private:
    static void setNames(report::ReportTexts& texts);
};

}  // namespace steelyard::ui
