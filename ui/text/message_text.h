// SPDX-License-Identifier: Apache-2.0
// Translates the engine's messages (reasons, warnings, notes, details of errors): the pattern's translation with the
// arguments inserted, numbers and sizes in the language's format. Texts from elsewhere (the system, a library, records
// of older versions) are shown unchanged. Pure functions; any thread.
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
    // As a sentence, capitalized and with a full stop.
    static QString sentence(const Message& message);
    // The name of a condition of a record: "cpu_mhz_start".
    static QString condition(std::string_view name);
};

}  // namespace steelyard::ui
