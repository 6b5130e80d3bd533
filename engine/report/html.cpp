// SPDX-License-Identifier: Apache-2.0
// The report as one HTML file; see report_writer.h. Also well-formed XML.
#include <fmt/format.h>

#include "engine/report/escape.h"
#include "engine/report/report_writer.h"
#include "engine/report/svg_chart.h"

namespace steelyard::report {
namespace {

// The colours of the window's palettes. The content security policy forbids everything that the report does not
// contain, as protection against injected names.
constexpr std::string_view kHead = R"html(<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<style>
:root { color-scheme: light dark; --surface: #FFFFFF; --line: #D0D7DE; --text: #1B1F24; --muted: #57606A;
  --s1: #0B5CAD; --s2: #C8551B; --s3: #1B7F6B; --s4: #8A3FA0; --s5: #8C6D00; --s6: #B02A5B; --s7: #4B5563; }
@media (prefers-color-scheme: dark) { :root { --surface: #1E2227; --line: #3A424B; --text: #E6EAEE; --muted: #9AA5B1;
  --s1: #6CB2FF; --s2: #FF9E5E; --s3: #4FD1B5; --s4: #D19BE8; --s5: #E8C547; --s6: #FF8FB1; --s7: #A9B4C0; } }
body { background: var(--surface); color: var(--text); font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem; }
.muted { color: var(--muted); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; } dt { color: var(--muted); } dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
th.number, td.number { text-align: right; white-space: nowrap; }
svg { display: block; max-width: 48rem; width: 100%; }
svg text { fill: var(--text); font-size: 12px; } svg text.label { text-anchor: end; }
svg .whisker { fill: none; stroke: var(--text); stroke-width: 1.5; }
.series1 { fill: var(--s1); } .series2 { fill: var(--s2); } .series3 { fill: var(--s3); } .series4 { fill: var(--s4); }
.series5 { fill: var(--s5); } .series6 { fill: var(--s6); } .series7 { fill: var(--s7); }
@media print { body { margin: 0; max-width: none; } }
</style>
)html";

std::string element(std::string_view name, std::string_view text) {
    return fmt::format("<{0}>{1}</{0}>\n", name, escapeHtml(text));
}

std::string muted(std::string_view text) {
    return fmt::format("<p class=\"muted\">{}</p>\n", escapeHtml(text));
}

std::string cell(std::string_view name, const ReportColumn& column, std::string_view text) {
    return fmt::format("<{0}{1}>{2}</{0}>", name, column.isNumber ? " class=\"number\"" : "", escapeHtml(text));
}

std::string table(const ReportTable& content, std::string_view headingName) {
    std::string text = "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const auto& column : content.columns) text += cell("th", column, column.heading);
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : content.rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) text += cell("td", content.columns[i], row[i]);
        text += "</tr>\n";
    }
    text += "</tbody></table></div>\n";
    const auto note = content.note.empty() ? std::string() : muted(content.note);
    if (!content.isLong) return element(headingName, content.title) + note + text;
    return fmt::format("<details><summary>{}</summary>\n{}{}</details>\n", escapeHtml(content.title), note, text);
}

std::string facts(const std::vector<ReportFact>& list) {
    std::string text = "<dl>\n";
    for (const auto& fact : list) text += element("dt", fact.name) + element("dd", fact.value);
    return text + "</dl>\n";
}

std::string charts(const std::vector<ReportChart>& list, const ReportTexts& texts) {
    if (list.empty()) return {};
    auto text = element("h2", texts.charts) + muted(texts.chartNote);
    for (const auto& chart : list) text += element("h3", chart.title) + svgChart(chart);
    return text;
}

}  // namespace

std::string toHtml(std::span<const bench::RunRecord> runs, const ReportOptions& options) {
    const auto& texts = options.texts;
    const auto model = buildReport(runs, options.stamp, texts, options.betweenRuns);
    auto text = fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n{}{}</head>\n<body>\n",
                            escapeHtml(texts.language), kHead, element("title", model.title));
    text += element("h1", model.title) + muted(model.writtenBy);
    for (const auto& section : model.runs) {
        text += element("h2", section.heading) + element("p", section.summary) + facts(section.facts);
        for (const auto& content : section.tables) text += table(content, "h3");
    }
    for (const auto& content : model.comparisons) text += table(content, "h2");
    for (const auto& content : options.advice) text += table(content, "h2");
    for (const auto& chart : options.adviceCharts)
        text += element("h3", chart.title) + muted(texts.costChartNote) + svgChart(chart);
    text += charts(model.charts, texts);
    text += element("h2", texts.method);
    for (const auto& part : texts.methodParagraphs) text += element("p", part);
    for (const auto& content : model.rawData) text += table(content, "h2");
    return text + "</body>\n</html>\n";
}

}  // namespace steelyard::report
