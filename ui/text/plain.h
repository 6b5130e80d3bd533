// SPDX-License-Identifier: Apache-2.0
// Converts engine text (UTF-8) to QString without translation: names, numbers, paths. For translated text:
// message_text.h.
#pragma once

#include <QString>
#include <string_view>

namespace steelyard::ui {

inline QString plain(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace steelyard::ui
