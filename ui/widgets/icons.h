// SPDX-License-Identifier: Apache-2.0
// Our own line icons (resources/icons/NAME.svg), recoloured by the palette in force each time they are painted, so a
// change of theme needs no new icons. GUI thread; an unknown name gives an empty icon.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace steelyard::ui {

// Which token of the theme an icon takes its colour from.
enum class IconColour { Text, Muted, Accent, OnAccent, Good, Caution, Bad };

// Disabled icons are drawn muted; checked ones of colour Text in the accent.
[[nodiscard]] QIcon icon(const QString& name, IconColour colour = IconColour::Text);
// For labels: one pixmap of the palette in force.
[[nodiscard]] QPixmap iconPixmap(const QString& name, IconColour colour, int size, qreal devicePixelRatio);

}  // namespace steelyard::ui
