// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/network_files.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace steelyard::ui {
namespace {

constexpr qint64 kLargest = 1 << 20;  // limit of model::readNetworkFile

}  // namespace

bool isNetworkFile(const QString& path) {
    if (path.endsWith(QLatin1String(".onnx"), Qt::CaseInsensitive)) return true;
    QFile file(path);
    if (file.size() > kLargest || !file.open(QIODevice::ReadOnly)) return false;
    return QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("layers")).isArray();
}

}  // namespace steelyard::ui
