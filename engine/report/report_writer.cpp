// SPDX-License-Identifier: Apache-2.0
#include "engine/report/report_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/bench/record/anonymised_run.h"
#include "engine/bench/record/record_json.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/report.h"

namespace steelyard::report {

namespace {

// The document for `history import`, with the advice as one more member.
std::string jsonReport(std::span<const bench::RunRecord> runs, const std::vector<std::string>& advice) {
    const auto results = bench::resultsToJson({runs.begin(), runs.end()});
    if (advice.empty()) return results;
    auto document = nlohmann::ordered_json::parse(results);
    auto& list = document["advice"] = nlohmann::ordered_json::array();
    for (const auto& text : advice) list.push_back(nlohmann::ordered_json::parse(text));
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string_view fileSuffix(ReportFormat format) {
    switch (format) {
        case ReportFormat::Markdown:
            return "md";
        case ReportFormat::Html:
            return "html";
        case ReportFormat::Csv:
            return "csv";
        case ReportFormat::Json:
            return "json";
    }
    return {};
}

std::optional<ReportFormat> formatOf(const std::filesystem::path& file) {
    constexpr std::array<std::pair<std::string_view, ReportFormat>, 6> kSuffixes{{{".md", ReportFormat::Markdown},
                                                                                  {".markdown", ReportFormat::Markdown},
                                                                                  {".html", ReportFormat::Html},
                                                                                  {".htm", ReportFormat::Html},
                                                                                  {".csv", ReportFormat::Csv},
                                                                                  {".json", ReportFormat::Json}}};
    auto suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char character) { return static_cast<char>(std::tolower(character)); });
    for (const auto& [known, format] : kSuffixes) {
        if (known == suffix) return format;
    }
    return std::nullopt;
}

std::string toReport(ReportFormat format, std::span<const bench::RunRecord> stored, const ReportOptions& options) {
    std::vector<bench::RunRecord> runs;
    for (const auto& run : stored) runs.push_back(bench::anonymised(run));
    switch (format) {
        case ReportFormat::Markdown:
            return toMarkdown(runs, options);
        case ReportFormat::Html:
            return toHtml(runs, options);
        case ReportFormat::Csv:
            return toCsv(runs);
        case ReportFormat::Json:
            return jsonReport(runs, options.adviceJson) + "\n";
    }
    return {};
}

Result<void> writeReport(const std::filesystem::path& file, std::span<const bench::RunRecord> runs,
                         const ReportOptions& options) {
    const auto format = formatOf(file);
    if (!format) {
        return fail(ErrorKind::InvalidArgument, file.string(), messages::reportEnding());
    }
    return writeFileAtomically(file, toReport(*format, runs, options));
}

}  // namespace steelyard::report
