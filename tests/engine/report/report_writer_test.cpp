// SPDX-License-Identifier: Apache-2.0
// The formats are parsed and compared as structures.
#include "engine/report/report_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/record/anonymised_run.h"
#include "engine/bench/record/record_json.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/visited_record.h"
#include "tests/support/xml_reader.h"

namespace steelyard::report {
namespace {

using bench::CaseRecord;
using bench::RunRecord;
using bench::Status;
using test::TemporaryFolder;
using test::XmlElement;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CaseRecord measured(const std::string& workload, const std::string& device, double seconds) {
    CaseRecord record;
    record.spec.workload = workload;
    record.spec.batch = 128;
    record.spec.device = device;
    record.spec.threads = 2;
    record.deviceName = "Example " + device;
    record.status = Status::Ok;
    for (int i = 0; i < 12; ++i) record.samplesSeconds.push_back(seconds * (1 + 0.001 * i));
    record.stepSeconds = bench::summarize(record.samplesSeconds);
    test::splitIntoVisits(record);
    record.throughput = bench::Throughput{128 / seconds, "samples/s"};
    record.verification.state = bench::VerificationState::Pass;
    record.verification.lossFirst = -0.5;
    record.stopReason = bench::StopReason::Precision;
    record.memory.enginePeakBytes = std::int64_t{3} << 20;
    record.conditions["governor"] = "performance";
    return record;
}

RunRecord exampleRun(const std::string& id = "abcdef012345", double factor = 1) {
    RunRecord run;
    run.id = id;
    run.suite = "quick";
    run.suiteVersion = "1";
    run.computer = "workstation";
    run.programVersion = "0.1.0";
    run.startedUnixMs = 1'000'000'000'000;
    run.profileJson =
        R"({"cpu":{"name":"Example CPU","cores":8,"allowed_cores":4},"memory":{"total_bytes":8589934592}})";
    run.records = {measured("mnist_cnn", "cpu", 0.04 * factor), measured("mnist_cnn", "cuda:0", 0.004),
                   measured("resnet50", "cpu", 1.5)};
    CaseRecord failed;
    failed.spec.workload = "vgg16";
    failed.spec.batch = 512;
    failed.status = Status::OutOfMemory;
    failed.reason = Message("needs 40 GiB, has 8 GiB");
    failed.warnings = {Message("other load on the machine")};
    run.records.push_back(failed);
    return run;
}

const std::string kHostile = "<script>alert('x')</script> \"q\" | `c` & \nnew line =cmd()";

RunRecord hostileRun() {
    auto run = test::inventRun(3, test::Optionals::All, 8);
    run.computer = run.note = run.suite = run.programVersion = kHostile;
    for (auto& record : run.records) {
        record.status = Status::Ok;
        record.deviceName = record.spec.workload = record.spec.optimizer = kHostile;
        record.verification.reason = record.reason = Message("=" + kHostile);
        record.warnings = {Message(kHostile)};
        record.conditions = {{kHostile, kHostile}};
    }
    run.records.back().status = Status::Failed;
    return run;
}

const ReportOptions kOptions{{}, {"0.1.0", 1'000'000'000'000}};

// CSV ----------------------------------------------------------------------------------------------------------------

std::vector<std::map<std::string, std::string>> readCsv(const std::string& text) {
    std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        auto& cell = lines.back().back();
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            cell += text[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            lines.back().emplace_back();
        } else if (c == '\n' && !quoted) {
            lines.emplace_back(1);
        } else {
            cell += c;
        }
    }
    EXPECT_FALSE(quoted);
    lines.pop_back();
    std::vector<std::map<std::string, std::string>> rows;
    for (std::size_t line = 1; line < lines.size(); ++line) {
        EXPECT_EQ(lines[line].size(), lines[0].size());
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(lines[0].size(), lines[line].size()); ++i)
            row[lines[0][i]] = lines[line][i];
    }
    return rows;
}

TEST(CsvReport, HasOneRowPerCaseWithAllFigures) {
    const auto run = exampleRun();
    const std::vector runs{run, exampleRun("bbbb")};
    const auto rows = readCsv(toCsv(runs));
    ASSERT_EQ(rows.size(), 8U);
    EXPECT_EQ(rows[0].at("run_id"), run.id);
    EXPECT_EQ(rows[4].at("run_id"), "bbbb");
    EXPECT_EQ(rows[0].at("workload"), "mnist_cnn");
    EXPECT_EQ(rows[0].at("batch_samples"), "128");
    EXPECT_EQ(rows[0].at("started_utc"), "2001-09-09T01:46:40Z");
    EXPECT_EQ(std::stod(rows[0].at("step_median_seconds")), run.records[0].stepSeconds->median);
    EXPECT_EQ(std::stod(rows[0].at("step_ci95_low_seconds")), *run.records[0].stepSeconds->ci95Low);
    EXPECT_EQ(rows[0].at("loss_first"), "-0.5") << "a negative number is no formula";
    EXPECT_EQ(rows[0].at("engine_peak_bytes"), "3145728");
    EXPECT_EQ(rows[0].at("device_peak_bytes"), "") << "unknown is empty, not 0";
    EXPECT_EQ(rows[3].at("status"), "out_of_memory");
    EXPECT_EQ(rows[3].at("reason"), "needs 40 GiB, has 8 GiB");
    EXPECT_EQ(rows[3].at("step_median_seconds"), "");
    EXPECT_EQ(rows[3].at("warnings"), "other load on the machine");
}

TEST(CsvReport, OfNothingIsTheHeader) {
    EXPECT_TRUE(readCsv(toCsv({})).empty());
    EXPECT_THAT(toCsv({}), HasSubstr("run_id,"));
}

TEST(CsvReport, HostileTextsStayInTheirCells) {
    const auto rows = readCsv(toCsv(std::vector{hostileRun()}));
    ASSERT_EQ(rows.size(), 8U);
    for (const auto& row : rows) {
        EXPECT_EQ(row.at("device_name"), kHostile);
        EXPECT_EQ(row.at("reason"), "'=" + kHostile);
        for (const auto& [heading, value] : row) {
            if (value.empty()) continue;
            const bool isNumber = std::regex_match(value, std::regex("-?[0-9.]+(e[-+]?[0-9]+)?"));
            EXPECT_TRUE(isNumber || std::string("=+-@\t\r").find(value[0]) == std::string::npos) << heading << value;
        }
    }
}

// HTML ---------------------------------------------------------------------------------------------------------------

std::vector<std::vector<std::string>> cellsOf(const XmlElement& table) {
    std::vector<std::vector<std::string>> rows;
    for (const auto* row : table.all("tr")) {
        auto& cells = rows.emplace_back();
        for (const auto& cell : row->children) cells.push_back(cell.fullText());
    }
    return rows;
}

std::vector<std::string> textsOf(const XmlElement& page, std::string_view element) {
    std::vector<std::string> texts;
    for (const auto* found : page.all(element)) texts.push_back(found->fullText());
    return texts;
}

TEST(HtmlReport, SaysWhatWasMeasuredAndHow) {
    const auto run = exampleRun();
    const auto page = test::readXml(toHtml(std::vector{run}, kOptions));
    EXPECT_EQ(page.name, "html");
    EXPECT_EQ(page.attributes.at("lang"), "en");
    EXPECT_THAT(textsOf(page, "h2"), ElementsAre("Run quick on workstation", "Charts", "Method"));
    const auto facts = textsOf(page, "dd");
    EXPECT_THAT(facts, Contains("abcdef012345"));
    EXPECT_THAT(facts, Contains("2001-09-09 01:46:40"));
    EXPECT_THAT(facts, Contains("not finished"));
    EXPECT_THAT(facts, Contains("Example CPU (8 cores, 4 allowed)"));
    EXPECT_THAT(facts, Contains("8.00 GiB"));

    const auto tables = page.all("table");
    ASSERT_EQ(tables.size(), 5U);  // results, not measured, warnings, conditions, raw samples
    const auto results = cellsOf(*tables[0]);
    ASSERT_EQ(results.size(), 4U);
    EXPECT_THAT(results[1], ElementsAre("mnist_cnn", "training", "cpu (Example cpu)", "fp32", "128", "2", "40.2 ms",
                                        "40.1 ms to 40.4 ms", "\xe2\x80\x93", "12", "3200 samples/s", "\xe2\x80\x93",
                                        "3.00 MiB", "yes", "precision"));
    EXPECT_THAT(cellsOf(*tables[1])[1],
                ElementsAre("vgg16 train cpu fp32 b512", "out of memory", "needs 40 GiB, has 8 GiB"));
    EXPECT_THAT(cellsOf(*tables[2])[1], ElementsAre("vgg16 train cpu fp32 b512", "other load on the machine"));
    EXPECT_THAT(cellsOf(*tables[3])[1], ElementsAre("governor", "performance"));
    const auto raw = cellsOf(*tables[4]);
    ASSERT_EQ(raw.size(), 4U);
    std::istringstream numbers(raw[1][3]);
    std::vector<double> samples{std::istream_iterator<double>(numbers), {}};
    ASSERT_EQ(samples.size(), 12U);
    EXPECT_NEAR(samples[11], run.records[0].samplesSeconds[11], 1e-6);
}

TEST(HtmlReport, TellsTimesOfTokensWhereThereAreLanguageModels) {
    auto run = exampleRun();
    auto generated = measured("llama_3_2_1b(mode=generate)", "cpu", 0.5);
    generated.throughput = bench::Throughput{8, "tokens/s"};
    auto& use = generated.language.emplace();
    use = {.task = "generate", .weights = "q4_0", .tokensPerStep = 4, .context = {}, .prompt = 8};
    use.weightBytes = std::int64_t{700} << 20;
    use.cacheBytes = std::int64_t{5} << 20;
    use.firstTokenSeconds = {0.25};
    use.tokenSeconds = {0.010, 0.011, 0.020};
    generated.utilization = bench::Utilization{.achievedBytes = 36e9, .peakBytes = 40e9};
    run.records.push_back(generated);
    const auto page = test::readXml(toHtml(std::vector{run}, kOptions));
    EXPECT_THAT(textsOf(page, "h3"), Contains("Language models"));
    const auto table = cellsOf(*page.all("table")[1]);
    EXPECT_THAT(table[0], ElementsAre("Case", "Weights", "Key-value cache", "Throughput", "Memory read", "First token",
                                      "Between tokens (50 %)", "90 %", "99 %"))
        << "no meter was read: there are no joules";
    EXPECT_THAT(std::vector(table[1].begin() + 1, table[1].end()),
                ElementsAre("q4_0, 700 MiB", "5.00 MiB", HasSubstr("tokens/s"), "36.0 GB/s (90.0 %)", "250 ms",
                            "11.0 ms", "20.0 ms", "20.0 ms"));
    run.records.back().energyJoulesPerStep = 6;
    run.records.back().spec.batch = 2;
    const auto joules = cellsOf(*test::readXml(toHtml(std::vector{run}, kOptions)).all("table")[1]);
    EXPECT_EQ(joules[0][5], "Joules per token");
    EXPECT_EQ(joules[1][5], "0.75");
    EXPECT_THAT(toMarkdown(std::vector{run}, kOptions), HasSubstr("Between tokens"));
    EXPECT_THAT(toMarkdown(std::vector{exampleRun()}, kOptions), Not(HasSubstr("Between tokens")));
}

TEST(HtmlReport, BarsAndWhiskersAreToScale) {
    const auto run = exampleRun();
    const auto page = test::readXml(toHtml(std::vector{run}, kOptions));
    const auto charts = page.all("svg");
    ASSERT_EQ(charts.size(), 2U);
    EXPECT_EQ(charts[0]->attributes.at("aria-label"), "mnist_cnn, training: time per step");
    const auto bars = charts[0]->all("rect");
    ASSERT_EQ(bars.size(), 2U);
    const double cpu = std::stod(bars[0]->attributes.at("width"));
    const double gpu = std::stod(bars[1]->attributes.at("width"));
    EXPECT_NEAR(cpu / gpu, 10, 0.1);
    EXPECT_NE(bars[0]->attributes.at("class"), bars[1]->attributes.at("class"));
    // The error bar of the longest bar ends at the end of the axis: it is the maximum of the chart.
    const auto whiskers = charts[0]->all("path");
    ASSERT_EQ(whiskers.size(), 2U);
    double left = 0;
    double top = 0;
    double right = 0;
    ASSERT_EQ(std::sscanf(whiskers[0]->attributes.at("d").c_str(), "M%lf %lfH%lf", &left, &top, &right), 3);
    const auto& summary = *run.records[0].stepSeconds;
    const double start = std::stod(bars[0]->attributes.at("x"));
    EXPECT_NEAR((left - start) / cpu, *summary.ci95Low / summary.median, 1e-3);
    EXPECT_NEAR((right - start) / cpu, *summary.ci95High / summary.median, 1e-3);
    // A device has the same colour on the next chart.
    EXPECT_EQ(charts[1]->all("rect")[0]->attributes.at("class"), bars[0]->attributes.at("class"));
    EXPECT_THAT(textsOf(*charts[0], "text"), Contains("40.2 ms"));
}

TEST(HtmlReport, StandsAlone) {
    const auto text = toHtml(std::vector{exampleRun(), hostileRun()}, kOptions);
    const auto page = test::readXml(text);
    for (const auto* name : {"script", "link", "img", "iframe", "object", "embed", "a", "base", "form"}) {
        EXPECT_TRUE(page.all(name).empty()) << name;
    }
    std::vector<const XmlElement*> elements{&page};
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const auto& child : elements[i]->children) elements.push_back(&child);
        for (const auto& [name, value] : elements[i]->attributes) {
            EXPECT_FALSE(name == "src" || name == "href" || name.starts_with("on")) << name << "=" << value;
            EXPECT_TRUE(name == "xmlns" || value.find("http") == std::string::npos) << value;
        }
    }
    const auto style = page.all("style").at(0)->text;
    EXPECT_EQ(style.find("url("), std::string::npos);
    EXPECT_EQ(style.find("@import"), std::string::npos);
    EXPECT_THAT(style, HasSubstr("prefers-color-scheme: dark"));
}

TEST(HtmlReport, HostileTextsAreShownAndNotObeyed) {
    const auto page = test::readXml(toHtml(std::vector{hostileRun()}, kOptions));
    EXPECT_THAT(textsOf(page, "dd"), Contains(kHostile));
    EXPECT_THAT(cellsOf(*page.all("table")[0])[1], Contains(kHostile));
}

TEST(HtmlReport, OfNothingIsStillADocument) {
    const auto page = test::readXml(toHtml({}, kOptions));
    EXPECT_TRUE(page.all("table").empty());
    EXPECT_EQ(page.all("h1").size(), 1U);
}

TEST(HtmlReport, UsesTheTextsItIsGiven) {
    auto options = kOptions;
    options.texts.language = "de";
    options.texts.results = "Ergebnisse";
    options.texts.names["out_of_memory"] = "kein Speicher";
    const auto page = test::readXml(toHtml(std::vector{exampleRun()}, options));
    EXPECT_EQ(page.attributes.at("lang"), "de");
    EXPECT_THAT(textsOf(page, "h3"), Contains("Ergebnisse"));
    EXPECT_EQ(cellsOf(*page.all("table")[1])[1][1], "kein Speicher");
}

TEST(HtmlReport, FurtherRunsAreComparedWithTheFirst) {
    auto slower = exampleRun("bbbbbbbbbbbb", 1.5);
    slower.records[2].status = Status::Cancelled;
    const auto page = test::readXml(toHtml(std::vector{exampleRun(), slower}, kOptions));
    EXPECT_THAT(textsOf(page, "h2"), Contains("Compared with run abcdef012345"));
    std::vector<std::vector<std::string>> comparison;
    for (const auto* table : page.all("table")) {
        const auto rows = cellsOf(*table);
        if (rows[0].back() == "Reason" && rows[0].size() == 6) comparison = rows;
    }
    ASSERT_EQ(comparison.size(), 5U);
    EXPECT_EQ(comparison[1][3], "1.500");
    EXPECT_EQ(comparison[1][4], "slower");
    EXPECT_EQ(comparison[1][5], "");
    EXPECT_EQ(comparison[2][4], "no evidence");
    EXPECT_THAT(comparison[2][5], HasSubstr("within the noise"));
    EXPECT_EQ(comparison[3][4], "not comparable");
    EXPECT_EQ(comparison[3][5], "run bbbbbbbbbbbb has no result (cancelled)");
}

// Markdown -----------------------------------------------------------------------------------------------------------

// Tables by the preceding heading; cells are split at unescaped bars.
std::map<std::string, std::vector<std::vector<std::string>>> readTables(const std::string& text) {
    std::map<std::string, std::vector<std::vector<std::string>>> tables;
    std::istringstream stream(text);
    std::string heading;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("#")) heading = line.substr(line.find(' ') + 1);
        if (!line.starts_with("|")) continue;
        std::vector<std::string> cells;
        std::string cell;
        for (std::size_t i = 1; i < line.size(); ++i) {
            if (line[i] == '\\' && i + 1 < line.size()) {
                cell += line[++i];
            } else if (line[i] == '|') {
                cells.push_back(cell.substr(1, cell.size() - 2));
                cell.clear();
            } else {
                cell += line[i];
            }
        }
        EXPECT_TRUE(cell.empty()) << line;
        tables[heading].push_back(cells);
    }
    return tables;
}

TEST(MarkdownReport, HasTheSameTables) {
    const auto tables = readTables(toMarkdown(std::vector{exampleRun()}, kOptions));
    ASSERT_TRUE(tables.contains("Results"));
    const auto& results = tables.at("Results");
    ASSERT_EQ(results.size(), 5U);
    EXPECT_EQ(results[0][6], "Step time (median)");
    EXPECT_EQ(results[1][6], "---:");
    EXPECT_EQ(results[2][0], "mnist_cnn");
    EXPECT_EQ(results[2][6], "40.2 ms");
    EXPECT_EQ(tables.at("Not measured")[2][1], "out of memory");
    EXPECT_TRUE(tables.contains("Conditions"));
    EXPECT_TRUE(tables.contains("Raw samples: abcdef012345"));
}

TEST(MarkdownReport, HostileTextsStayInTheirCells) {
    const auto text = toMarkdown(std::vector{hostileRun()}, kOptions);
    EXPECT_EQ(text.find('<'), std::string::npos);
    for (const auto& [heading, rows] : readTables(text)) {
        for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << heading;
    }
}

// JSON and files -----------------------------------------------------------------------------------------------------

TEST(JsonReport, IsTheResultsDocument) {
    const std::vector runs{exampleRun(), test::inventRun(4, test::Optionals::All)};
    std::vector<bench::RunRecord> shared;
    for (const auto& run : runs) shared.push_back(bench::anonymised(run));
    EXPECT_EQ(bench::resultsFromJson(toReport(ReportFormat::Json, runs, kOptions)), shared);
}

TEST(WriteReport, TakesTheFormatFromTheName) {
    const TemporaryFolder folder;
    const std::vector runs{exampleRun()};
    for (const auto format : {ReportFormat::Markdown, ReportFormat::Html, ReportFormat::Csv, ReportFormat::Json}) {
        const auto file = folder / ("report." + std::string(fileSuffix(format)));
        EXPECT_EQ(formatOf(file), format);
        ASSERT_TRUE(writeReport(file, runs, kOptions));
        EXPECT_EQ(TemporaryFolder::slurp(file), toReport(format, runs, kOptions));
    }
    EXPECT_EQ(formatOf("A.HTM"), ReportFormat::Html);
    EXPECT_EQ(formatOf("report"), std::nullopt);
    EXPECT_EQ(writeReport(folder / "report.doc", runs, kOptions).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(writeReport(folder / "none" / "r.md", runs, kOptions).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace steelyard::report
