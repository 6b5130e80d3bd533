// SPDX-License-Identifier: Apache-2.0
// What is said of a run that was measured while other programs used the CPU (bench/record/disturbance.h): the same
// words on Home, Results, in a comparison and in the report. Pure functions.
#pragma once

#include <QCoreApplication>

#include "engine/bench/record/record.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class DisturbancePresenter {
    Q_DECLARE_TR_FUNCTIONS(DisturbancePresenter)

public:
    // Empty for a run that nothing disturbed.
    static QString banner(const bench::RunRecord& run);
    // Of two runs that are compared; empty when neither was disturbed.
    static QString banner(const bench::RunRecord& base, const bench::RunRecord& other);
    // For a tooltip; empty for a case that nothing disturbed.
    static QString remark(const bench::CaseRecord& record);
    // Nothing is green that was disturbed.
    static Tone moderated(Tone tone, bool disturbed) { return disturbed && tone == Tone::Good ? Tone::Caution : tone; }
};

}  // namespace steelyard::ui
