// SPDX-License-Identifier: Apache-2.0
// Help texts (F1): how to read a page, glossary, shortcuts. HTML; arguments are plain text. Any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <utility>
#include <vector>

namespace steelyard::ui {

class HelpText {
    Q_DECLARE_TR_FUNCTIONS(HelpText)

public:
    // Terms with one sentence each, in display order.
    static std::vector<std::pair<QString, QString>> terms();
    // Begins with links to the glossary and the shortcuts.
    static QString page(const QString& about, const QString& keys);
};

}  // namespace steelyard::ui
