// SPDX-License-Identifier: Apache-2.0
// Translates the advisor's terms: names of priorities, bases, classes and presets, and the messages about machines
// (engine/advisor/rank/reasons.h). Exhaustive switches. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QUrl>
#include <string_view>

#include "engine/advisor/cost/cost.h"
#include "engine/advisor/rank/ranking.h"
#include "engine/advisor/rank/reasons.h"
#include "engine/advisor/study/study.h"

namespace steelyard::ui {

class AdviceText {
    Q_DECLARE_TR_FUNCTIONS(AdviceText)

public:
    // A phrase without a full stop.
    static QString reason(const advisor::Reason& reason);
    // A machine's title; those of the user's devices are translated.
    static QString machine(std::string_view title);
    static QString limit(std::string_view name);  // advisor::Limit's

    static QString name(advisor::Priority priority);
    static QString name(advisor::Basis basis);  // "measured", "predicted from ..."
    static QString bandClass(advisor::BandClass value);
    static QString name(advisor::VariantVerdict verdict);
    static QString preset(std::string_view id);
    // The title of a study: bundled ones are translated, others are shown unchanged.
    static QString studyTitle(std::string_view title);
    // For a price source such as "github:OWNER/REPOSITORY@COMMIT FILE (remark)": the repository, or the text itself.
    static QString sourceName(const QString& source);
    // Its URL; empty if the text has none.
    static QUrl sourceLink(const QString& source);
    static QString studyNotes(std::string_view notes);
    // A class of the back-test.
    static QString backtestClass(std::string_view name);
};

}  // namespace steelyard::ui
