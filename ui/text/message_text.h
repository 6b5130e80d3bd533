// SPDX-License-Identifier: Apache-2.0
// The engine's messages (reasons, warnings, notes, details of errors) in the user's language: the pattern's translation
// with the values in its places, numbers and sizes as the language writes them. Words that are not the program's (the
// system's, a library's, those of a record of an older version) are shown as they are. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

#include "engine/core/message.h"

namespace steelyard::ui {

class MessageText {
    Q_DECLARE_TR_FUNCTIONS(MessageText)

public:
    // "the data set is synthetic"
    static QString text(const Message& message);
    // The same as a sentence of its own, with a capital and a full stop.
    static QString sentence(const Message& message);
    // The name of a condition of a record: "cpu_mhz_start".
    static QString condition(std::string_view name);
};

}  // namespace steelyard::ui
