// SPDX-License-Identifier: Apache-2.0
// Telling files apart that the user opens or drops. Pure but for reading the file.
#pragma once

#include <QString>

namespace steelyard::ui {

// An ONNX file (by its ending), or a JSON file that describes a network (resources/schemas/network.schema.json): an
// object with a list of layers. It may still have mistakes in it.
[[nodiscard]] bool isNetworkFile(const QString& file);

}  // namespace steelyard::ui
