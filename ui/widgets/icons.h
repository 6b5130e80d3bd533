// SPDX-License-Identifier: Apache-2.0
// The program's line icons (resources/icons/NAME.svg), recoloured by the current palette when painted, so a theme
// change needs no new icons. GUI thread; an unknown name gives an empty icon.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace steelyard::ui {

// The theme colour of an icon.
enum class IconColour { Text, Muted, Accent, OnAccent, Good, Caution, Bad };

// Disabled icons are drawn muted; checked ones of colour Text in the accent.
[[nodiscard]] QIcon icon(const QString& name, IconColour colour = IconColour::Text);
// For labels: a pixmap in the current palette.
[[nodiscard]] QPixmap iconPixmap(const QString& name, IconColour colour, int size, qreal devicePixelRatio);

}  // namespace steelyard::ui
