// SPDX-License-Identifier: Apache-2.0
// The report as Markdown (CommonMark with GitHub's tables); see report_writer.h.
#include <fmt/format.h>

#include "engine/report/escape.h"
#include "engine/report/report_writer.h"

namespace steelyard::report {
namespace {

std::string heading(int level, const std::string& text) {
    return fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'), escapeMarkdown(text));
}

std::string paragraph(const std::string& text) {
    return escapeMarkdown(text) + "\n\n";
}

std::string row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const auto& cell : cells) line += fmt::format(" {} |", escapeMarkdown(cell));
    return line + "\n";
}

std::string table(const ReportTable& content, int level) {
    auto text = heading(level, content.title);
    if (!content.note.empty()) text += paragraph(content.note);
    std::vector<std::string> headings;
    std::string rule = "|";
    for (const auto& column : content.columns) {
        headings.push_back(column.heading);
        rule += column.isNumber ? " ---: |" : " --- |";
    }
    text += row(headings) + rule + "\n";
    for (const auto& cells : content.rows) text += row(cells);
    return text + "\n";
}

}  // namespace

std::string toMarkdown(std::span<const bench::RunRecord> runs, const ReportOptions& options) {
    const auto& texts = options.texts;
    const auto model = buildReport(runs, options.stamp, texts, options.betweenRuns);
    auto text = heading(1, model.title) + paragraph(model.writtenBy);
    for (const auto& section : model.runs) {
        text += heading(2, section.heading) + paragraph(section.summary);
        for (const auto& fact : section.facts) {
            text += fmt::format("- **{}:** {}\n", escapeMarkdown(fact.name), escapeMarkdown(fact.value));
        }
        text += "\n";
        for (const auto& content : section.tables) text += table(content, 3);
    }
    for (const auto& content : model.comparisons) text += table(content, 2);
    for (const auto& content : options.advice) text += table(content, 2);
    text += heading(2, texts.method);
    for (const auto& part : texts.methodParagraphs) text += paragraph(part);
    for (const auto& content : model.rawData) text += table(content, 2);
    return text;
}

}  // namespace steelyard::report
