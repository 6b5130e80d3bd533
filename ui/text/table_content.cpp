// SPDX-License-Identifier: Apache-2.0
#include "ui/text/table_content.h"

#include <QStringList>
#include <algorithm>

namespace steelyard::ui {
namespace {

QString lineOf(const QStringList& cells) {
    return QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
}

QString cellOf(QString text) {
    return text.replace(QLatin1Char('|'), QLatin1String("\\|")).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

}  // namespace

QString markdownOf(const TableContent& content, std::size_t columns) {
    const auto count = std::min(columns, content.columns.size());
    QStringList titles, rules;
    for (std::size_t column = 0; column < count; ++column) {
        titles << cellOf(content.columns[column].title);
        rules << (content.columns[column].number ? QStringLiteral("---:") : QStringLiteral("---"));
    }
    auto text = lineOf(titles) + lineOf(rules);
    for (const auto& row : content.rows) {
        QStringList cells;
        for (std::size_t column = 0; column < count; ++column)
            cells << (column < row.cells.size() ? cellOf(row.cells[column].text) : QString());
        text += lineOf(cells);
    }
    return text;
}

}  // namespace steelyard::ui
