// SPDX-License-Identifier: Apache-2.0
// Translates the engine's errors: what happened, to what, and what to try next. Exhaustive over ErrorKind, so that the
// compiler reports a missing kind. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/core/error.h"

namespace steelyard::ui {

class ErrorText {
    Q_DECLARE_TR_FUNCTIONS(ErrorText)

public:
    // "The file results.json is damaged or not of the expected format."
    static QString sentence(const Error& error);
    // What to try next.
    static QString advice(const Error& error);
    // Sentence, figures and advice, and the technical detail on a separate line.
    static QString full(const Error& error);
};

}  // namespace steelyard::ui
