// SPDX-License-Identifier: Apache-2.0
// A machine check as sentences. Pure functions.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include "engine/bench/check/check_report.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {

struct CheckLine {
    Tone tone = Tone::Neutral;
    QString subject;      // "Main memory", "Operations of cuda:0"
    QString state;        // "passed"
    QString sentence;     // what was found
    QStringList details;  // what was wrong, clocks, temperature
};

class CheckPresenter {
    Q_DECLARE_TR_FUNCTIONS(CheckPresenter)

public:
    static QString subject(bench::CheckKind kind, const std::string& device);
    static CheckLine line(const bench::CheckPart& part);
    static QString state(bench::CheckState state);
    static Tone tone(bench::CheckState state);
    // "No faults found: ...", with the date.
    static QString verdict(const bench::CheckReport& report);
    // "Part 2 of 5: load of cpu"
    static QString progress(const bench::CheckEvent& event);
};

}  // namespace steelyard::ui
