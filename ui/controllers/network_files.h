// SPDX-License-Identifier: Apache-2.0
// Recognizes files that the user opens or drops. Pure except for reading the file.
#pragma once

#include <QString>

namespace steelyard::ui {

// An ONNX file (by its suffix), or a JSON file that describes a network (resources/schemas/network.schema.json): an
// object with a list of layers. It may still be invalid.
[[nodiscard]] bool isNetworkFile(const QString& file);

}  // namespace steelyard::ui
