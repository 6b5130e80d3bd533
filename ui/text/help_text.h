// SPDX-License-Identifier: Apache-2.0
// What F1 shows: how to read a page, the terms that the pages use, the keys. HTML; what is passed in is plain text. Any
// thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <utility>
#include <vector>

namespace steelyard::ui {

class HelpText {
    Q_DECLARE_TR_FUNCTIONS(HelpText)

public:
    // Terms with one sentence each, in the order in which they are shown.
    static std::vector<std::pair<QString, QString>> terms();
    // Links at the top lead to the terms and the keys.
    static QString page(const QString& about, const QString& keys);
};

}  // namespace steelyard::ui
