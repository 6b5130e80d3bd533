// SPDX-License-Identifier: Apache-2.0
// The engine's text (UTF-8) as the window's, untranslated: names, numbers, paths. For what is translated:
// message_text.h.
#pragma once

#include <QString>
#include <string_view>

namespace steelyard::ui {

inline QString plain(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace steelyard::ui
