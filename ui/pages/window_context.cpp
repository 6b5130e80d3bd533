// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_context.h"

#include "ui/settings/preferences.h"

namespace steelyard::ui {

QString WindowContext::databaseFile() const {
    if (!forcedDatabase.isEmpty()) return forcedDatabase;
    const auto chosen = preferences.load().databaseFile;
    return chosen.isEmpty() ? defaultDatabase : chosen;
}

}  // namespace steelyard::ui
