// SPDX-License-Identifier: Apache-2.0
// The engine's sentences (reasons, warnings, notes, details of errors) in the user's language. The engine writes
// English, also into stored records; the sentences it is known to write are listed here as patterns, and what stands
// in them for a value is carried over. A sentence that is not known is shown as it is. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

namespace steelyard::ui {

class EngineText {
    Q_DECLARE_TR_FUNCTIONS(EngineText)

public:
    // "the data are invented"; a value within the sentence that is a known sentence itself is translated as well.
    static QString text(std::string_view english);
    // The same as a sentence of its own, with a capital and a full stop.
    static QString sentence(std::string_view english);
    // The name of a condition of a record: "cpu_mhz_start".
    static QString condition(std::string_view name);
    // Every pattern, for tests.
    static QStringList patterns();
};

}  // namespace steelyard::ui
