// SPDX-License-Identifier: Apache-2.0
// Warnings for runs that were measured while other programs used the CPU (bench/record/disturbance.h): the same texts
// on Home, Results, in comparisons and in the report. Pure functions.
#pragma once

#include <QCoreApplication>

#include "engine/bench/record/record.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class DisturbancePresenter {
    Q_DECLARE_TR_FUNCTIONS(DisturbancePresenter)

public:
    // Empty for an undisturbed run.
    static QString banner(const bench::RunRecord& run);
    // For two compared runs; empty if neither was disturbed.
    static QString banner(const bench::RunRecord& base, const bench::RunRecord& other);
    // For a tooltip; empty for an undisturbed case.
    static QString remark(const bench::CaseRecord& record);
    // A disturbed result is never shown as good.
    static Tone moderated(Tone tone, bool disturbed) { return disturbed && tone == Tone::Good ? Tone::Caution : tone; }
};

}  // namespace steelyard::ui
