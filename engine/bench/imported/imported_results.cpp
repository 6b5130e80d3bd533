// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/imported/imported_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "engine/bench/protocol/statistics.h"
#include "engine/core/csv.h"
#include "engine/core/date.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/limits.h"
#include "engine/core/messages/bench.h"
#include "engine/model/resolve.h"
#include "engine/plan/plan.h"

namespace steelyard::bench {
namespace {

constexpr double kLongestStep = 1e6;   // seconds
constexpr double kHighestRate = 1e12;  // samples per second

// A measurement as read from the file.
struct Measurement {
    std::string workload, device, mode = "train", precision = "fp32", date, software, computer;
    std::int64_t batch = 0;
    std::optional<int> threads;
    std::optional<double> stepSeconds, samplesPerSecond, ci95Low, ci95High;
    std::vector<double> samplesSeconds;
};

// What is wrong with a value; empty if it is valid or absent.
Message problemOf(std::string_view name, const std::optional<double>& value, double most) {
    if (!value || (*value > 0 && *value <= most)) return {};
    if (*value > most) return messages::figureTooLarge(name, most);
    return messages::memberNotPositive(std::string(name));
}

// What is wrong with a measurement; empty if it is valid.
Message problemOf(const Measurement& m) {
    if (m.workload.empty()) return messages::noWorkload();
    if (m.device.empty()) return messages::noDevice();
    if (m.batch < 1 || m.batch > kLargestBatch) return messages::batchRange(kLargestBatch);
    if (!plan::modeFromString(m.mode)) return messages::badMode();
    if (!plan::precisionFromString(m.precision)) return messages::badPrecision();
    if (m.threads && (*m.threads < 1 || *m.threads > kMostThreads)) return messages::threadsRange(kMostThreads);
    if (!unixMillisecondsOfDate(m.date)) return messages::badDate();
    const int told = (m.stepSeconds ? 1 : 0) + (m.samplesPerSecond ? 1 : 0) + (m.samplesSeconds.empty() ? 0 : 1);
    if (told != 1) return messages::oneSpeedOnly();
    if (auto problem = problemOf("step_seconds", m.stepSeconds, kLongestStep); !problem.empty()) return problem;
    if (auto problem = problemOf("samples_per_second", m.samplesPerSecond, kHighestRate); !problem.empty())
        return problem;
    for (const double sample : m.samplesSeconds)
        if (auto problem = problemOf("samples_seconds", sample, kLongestStep); !problem.empty()) return problem;
    if (m.ci95Low.has_value() != m.ci95High.has_value()) return messages::intervalIncomplete();
    if (m.ci95Low && (!m.stepSeconds || *m.ci95Low > *m.stepSeconds || *m.ci95High < *m.stepSeconds || *m.ci95Low <= 0))
        return messages::outsideInterval();
    return {};
}

// A known workload name in its canonical form, or the path of a network file, which is not opened; otherwise unset.
std::optional<std::string> canonicalWorkload(const std::string& name) {
    if (std::string_view(name).substr(0, name.find('#')).ends_with(".json")) return name;
    if (name.find('/') != std::string::npos) return std::nullopt;
    const auto workload = model::resolveWorkload(name);
    return workload ? std::optional(workload->id) : std::nullopt;
}

// For a valid measurement.
CaseRecord recordOf(const Measurement& m, std::string workload) {
    CaseRecord record;
    record.spec = {.workload = std::move(workload),
                   .mode = plan::modeFromString(m.mode).value(),
                   .device = m.device,
                   .precision = plan::precisionFromString(m.precision).value(),
                   .batch = m.batch,
                   .threads = m.threads};
    record.deviceName = m.device;
    record.status = Status::Ok;
    record.samplesSeconds = m.samplesSeconds;
    if (record.samplesSeconds.empty())
        record.samplesSeconds = {m.stepSeconds ? *m.stepSeconds : static_cast<double>(m.batch) / *m.samplesPerSecond};
    record.stepSeconds = summarize(record.samplesSeconds);
    if (m.ci95Low) {
        record.stepSeconds->ci95Low = m.ci95Low;
        record.stepSeconds->ci95High = m.ci95High;
    }
    record.throughput = Throughput{static_cast<double>(m.batch) / record.stepSeconds->median, "samples/s"};
    record.verification.reason = messages::otherSoftware();
    record.conditions[std::string(kSoftwareCondition)] = m.software.empty() ? std::string("unknown") : m.software;
    record.startedUnixMs = *unixMillisecondsOfDate(m.date);
    return record;
}

// Twelve hexadecimal digits of the FNV-1a hash, as in run ids.
std::string idOf(std::string_view text, std::string_view part) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const auto piece : {text, std::string_view("\n"), part})
        for (const char c : piece) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return fmt::format("{:012x}", hash & 0xffffffffffffU);
}

class RunMaker {
public:
    RunMaker(const std::string& name, std::string_view text) : m_name(name), m_text(text) {}

    std::string note;

    Result<void> add(const Measurement& m, const std::function<Message(Message)>& placed) {
        if (const auto problem = problemOf(m); !problem.empty())
            return fail(ErrorKind::CorruptData, m_name, placed(problem));
        auto workload = canonicalWorkload(m.workload);
        if (!workload)
            return fail(ErrorKind::CorruptData, m_name,
                        placed(messages::unknownWorkloadName(m.workload.substr(0, 60))));
        auto& run = m_runs[{m.computer, m.software}];
        auto record = recordOf(m, std::move(*workload));
        if (run.records.empty()) {
            run.id = idOf(m_text, m.computer + "\n" + m.software);
            run.suite = "imported";
            run.programVersion = m.software.empty() ? "unknown software" : m.software;
            run.computer = m.computer;
            run.origin = "imported";
            run.startedUnixMs = record.startedUnixMs;
        }
        run.startedUnixMs = std::min(run.startedUnixMs, record.startedUnixMs);
        run.finishedUnixMs = std::max(run.finishedUnixMs.value_or(0), record.startedUnixMs);
        run.note = note;
        run.records.push_back(std::move(record));
        return {};
    }
    Result<std::vector<RunRecord>> finish() {
        if (m_runs.empty()) return fail(ErrorKind::CorruptData, m_name, messages::noMeasurement());
        std::vector<RunRecord> runs;
        for (auto& [key, run] : m_runs) runs.push_back(std::move(run));
        return runs;
    }

private:
    const std::string& m_name;
    std::string_view m_text;
    std::map<std::pair<std::string, std::string>, RunRecord> m_runs;  // by computer and software
};

// Text columns and numeric columns.
struct TextField {
    std::string_view name;
    std::string Measurement::*member;
};
constexpr std::array kTexts{
    TextField{"workload", &Measurement::workload}, TextField{"device", &Measurement::device},
    TextField{"mode", &Measurement::mode},         TextField{"precision", &Measurement::precision},
    TextField{"date", &Measurement::date},         TextField{"software", &Measurement::software},
    TextField{"computer", &Measurement::computer}};
struct NumberField {
    std::string_view name;
    std::optional<double> Measurement::*member;
};
constexpr std::array kNumbers{NumberField{"step_seconds", &Measurement::stepSeconds},
                              NumberField{"samples_per_second", &Measurement::samplesPerSecond},
                              NumberField{"ci95_low", &Measurement::ci95Low},
                              NumberField{"ci95_high", &Measurement::ci95High}};

// Parses one row.
tl::expected<Measurement, Message> measurementOf(const CsvDocument& document, std::size_t index,
                                                 const Measurement& common) {
    const auto fields = document.row(index);
    if (fields.size() != document.header().size())
        return tl::unexpected(messages::fieldCount(fields.size(), document.header().size()));
    auto m = common;
    const auto cell = [&](std::string_view name) {
        const auto column = document.column(name);
        return column ? trimmed(fields[*column]) : std::string_view();
    };
    for (const auto& field : kTexts)
        if (const auto text = cell(field.name); !text.empty()) m.*field.member = text;
    const auto number = [&](std::string_view name) -> tl::expected<std::optional<double>, Message> {
        const auto text = cell(name);
        if (text.empty()) return std::nullopt;
        const auto value = numberFromText(text);
        if (!value) return tl::unexpected(messages::notANumber(name, text.substr(0, 40)));
        return value;
    };
    for (const auto& field : kNumbers) {
        const auto value = number(field.name);
        if (!value) return tl::unexpected(value.error());
        m.*field.member = *value;
    }
    const auto batch = number("batch"), threads = number("threads");
    if (!batch || !threads) return tl::unexpected(batch ? threads.error() : batch.error());
    const auto isWhole = [](double v, double most) { return v == std::floor(v) && std::abs(v) <= most; };
    if (*batch && isWhole(**batch, kLargestBatch)) m.batch = static_cast<std::int64_t>(**batch);
    if (*threads) m.threads = isWhole(**threads, kMostThreads) ? static_cast<int>(**threads) : 0;
    return m;
}

}  // namespace

Result<std::vector<RunRecord>> importedResultsFromCsv(const std::string& name, std::string text) {
    RunMaker runs(name, text);
    ASSIGN(const auto document, CsvDocument::parse(name, text, {.maxBytes = 16U << 20U, .maxRows = 100'000}));
    for (const std::string_view needed : {"workload", "device", "batch"})
        if (!document.column(needed)) return fail(ErrorKind::CorruptData, name, messages::noColumn(needed));
    Measurement common;
    for (const auto& remark : document.remarks()) {
        if (remark.key == "note") runs.note = remark.text;
        for (const auto& field : kTexts)
            if (remark.key == field.name) common.*field.member = remark.text;
    }
    for (std::size_t i = 0; i < document.rowCount(); ++i) {
        const auto placed = [&](Message problem) { return messages::onLine(document.lineOf(i), std::move(problem)); };
        const auto measurement = measurementOf(document, i, common);
        if (!measurement) return fail(ErrorKind::CorruptData, name, placed(measurement.error()));
        TRY(runs.add(*measurement, placed));
    }
    return runs.finish();
}

Result<std::vector<RunRecord>> importedResultsFromJson(const std::string& name, std::string_view text) {
    const auto json = parseJson(text);
    std::optional<Error> error;
    const auto failure = [&](const Error& e) {
        return fail(e.kind, name, e.subject.empty() ? e.detail : messages::atPlace(e.subject, e.detail));
    };
    if (!json) return failure(json.error());
    RunMaker runs(name, text);
    JsonReader document(*json, {}, error);
    int version = 0;
    document.require("version", version, 1);
    if (!error && version > kMeasurementsVersion)
        return fail(ErrorKind::VersionTooNew, name, messages::documentVersion(version, kMeasurementsVersion));
    document.read("note", runs.note);
    Measurement common;
    for (const auto& field : kTexts) document.read(field.name, common.*field.member);
    if (document.demand("measurements") == nullptr) return failure(*error);
    std::optional<Error> refused;
    document.eachElement("measurements", [&](const Json& element, const std::string& path) {
        JsonReader reader(element, path, error);
        auto m = common;
        for (const auto& field : kTexts) reader.read(field.name, m.*field.member);
        for (const auto& field : kNumbers) reader.read(field.name, m.*field.member, kAnySign);
        reader.require("batch", m.batch, kAnySign);
        reader.read("threads", m.threads, kAnySign);
        reader.read("samples_seconds", m.samplesSeconds, kAnySign);
        if (error || refused) return;
        if (auto ok = runs.add(m, [&](Message problem) { return messages::atPlace(path, std::move(problem)); }); !ok)
            refused = std::move(ok.error());
    });
    if (error) return failure(*error);
    if (refused) return Failure(std::move(*refused));
    return runs.finish();
}

bool isMeasurementsJson(std::string_view text) {
    const auto json = parseJson(text);
    if (!json || !json->is_object()) return false;
    const auto format = json->find("format");
    return format != json->end() && *format == Json(std::string(kMeasurementsFormat));
}

}  // namespace steelyard::bench
