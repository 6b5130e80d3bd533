// SPDX-License-Identifier: Apache-2.0
// What was recognized in a network file, translated. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <vector>

#include "ui/presenters/network_summary.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class NetworkPresenter {
    Q_DECLARE_TR_FUNCTIONS(NetworkPresenter)

public:
    // "x: 1 × 3 × 224 × 224, float32"; open dimensions by name, or a question mark.
    static QString value(const NetworkValue& value);
    // One sentence: supported, what still must be set, or what is wrong.
    static QString state(const NetworkSummary& summary);
    static Tone tone(const NetworkSummary& summary);
    // What to do about it; empty if nothing.
    static QString advice(const NetworkSummary& summary, const QString& schema);
    static std::vector<Detail> details(const NetworkSummary& summary);
};

}  // namespace steelyard::ui
