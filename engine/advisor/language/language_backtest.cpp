// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_backtest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "engine/advisor/statistics.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/core.h"
#include "engine/core/quantile.h"

namespace steelyard::advisor {
namespace {

using model::WeightCost;

// The cells of a row by column heading; records the first invalid one.
class Cells {
public:
    Cells(const CsvDocument& table, std::size_t row) : m_table(table), m_row(row) {}

    [[nodiscard]] std::string text(std::string_view heading) {
        const auto column = m_table.column(heading);
        const auto fields = m_table.row(m_row);
        if (column && *column < fields.size()) return std::string(fields[*column]);
        refuse(heading);
        return {};
    }
    [[nodiscard]] double number(std::string_view heading) {
        const auto value = numberFromText(text(heading));
        if (!value || *value < 0) refuse(heading);
        return value.value_or(0);
    }
    [[nodiscard]] bool flag(std::string_view heading) { return number(heading) != 0; }
    void refuse(std::string_view heading) {
        if (m_wrong.empty()) m_wrong = heading;
    }
    [[nodiscard]] const std::string& wrong() const { return m_wrong; }

private:
    const CsvDocument& m_table;
    std::size_t m_row;
    std::string m_wrong;
};

LanguageRow readRow(Cells& cells) {
    LanguageRow row;
    row.prefill = cells.text("mode") == "prefill";
    row.deviceName = cells.text("device");
    row.model = cells.text("model");
    row.weights = cells.text("weights");
    row.stack = cells.text("stack");
    auto& device = row.device;
    if (const auto value = fromName(std::type_identity<LanguageDeviceClass>{}, cells.text("class"))) {
        device.deviceClass = *value;
    } else {
        cells.refuse("class");
    }
    device.bytesPerSecond = cells.number("bytes_per_second");
    device.fp32Flops = cells.number("fp32_flops");
    device.matrixFlops = cells.number("matrix_flops");
    device.tdpWatts = cells.number("tdp_watts");
    device.architecture = cells.text("architecture");
    device.threads = cells.number("threads");
    device.cores = cells.number("cores");
    device.halfLanes = cells.flag("half_lanes");
    device.oldChip = cells.flag("old");
    device.noDot4 = cells.flag("no_dot4");
    device.appleM3 = cells.flag("apple_m3");
    device.noPowerCap = cells.flag("no_power_cap");
    auto& work = row.work;
    constexpr std::array kCosts{"bits16", "bits8", "bits4_simple", "bits4_nested"};
    const auto cost = std::ranges::find(kCosts, cells.text("cost"));
    if (cost == kCosts.end())
        cells.refuse("cost");
    else
        work.cost = static_cast<WeightCost>(cost - kCosts.begin());
    work.slowOnCpu = cells.flag("slow_on_cpu");
    work.isBf16 = cells.flag("bf16");
    work.isNf4 = cells.flag("nf4");
    work.isDequantised = cells.flag("dequantised");
    work.readBytes = cells.number("weight_bytes_read");
    work.activeWeights = cells.number("active_weights");
    work.cacheBytesPerToken = cells.number("cache_bytes_per_token");
    work.layers = cells.number("layers");
    work.cacheLayers = cells.number("cache_layers");
    work.heads = cells.number("heads");
    work.kvHeads = cells.number("kv_heads");
    work.headDimension = cells.number("head_dimension");
    work.window = cells.number("window");
    work.globalShare = cells.number("global_share");
    work.experts = cells.number("experts");
    work.activeExperts = cells.number("active_experts");
    auto& conditions = row.conditions;
    conditions.year = cells.number("year");
    conditions.flashAttention = cells.flag("flash_attention");
    conditions.context = cells.number("context");
    conditions.prompt = cells.number("prompt");
    conditions.depth = cells.number("depth");
    conditions.llamafile = cells.flag("llamafile");
    row.measured = cells.number("measured");
    row.fitted = cells.number("fitted");
    row.deviceLeftOut = cells.number("device_left_out");
    row.softwareLeftOut = cells.number("software_left_out");
    row.stackSeenElsewhere = cells.flag("stack_seen_elsewhere");
    for (const auto& [heading, value] :
         {std::pair{"measured", row.measured}, std::pair{"fitted", row.fitted},
          std::pair{"device_left_out", row.deviceLeftOut}, std::pair{"software_left_out", row.softwareLeftOut},
          std::pair{"bytes_per_second", device.bytesPerSecond}, std::pair{"fp32_flops", device.fp32Flops},
          std::pair{"matrix_flops", device.matrixFlops}})
        if (value <= 0) cells.refuse(heading);
    return row;
}

using Choose = std::function<bool(const LanguageRow&)>;

// By which constants the rows are predicted.
enum class PredictedBy { Shipped, DeviceLeftOut, SoftwareLeftOut };

double predictedIn(PredictedBy fold, const LanguageParameters& p, const LanguageRow& row) {
    switch (fold) {
        case PredictedBy::Shipped:
            return predictedTokensPerSecond(p, row);
        case PredictedBy::DeviceLeftOut:
            return row.deviceLeftOut;
        case PredictedBy::SoftwareLeftOut:
            return row.softwareLeftOut;
    }
    return 0;
}

ErrorSummary summaryOf(std::string name, const LanguageParameters& p, const std::vector<LanguageRow>& rows,
                       const Choose& choose, PredictedBy fold) {
    ErrorSummary summary;
    summary.name = std::move(name);
    std::vector<double> errors;
    double inside = 0;
    for (const auto& row : rows) {
        if (!choose(row)) continue;
        const double predicted = predictedIn(fold, p, row);
        errors.push_back(std::abs(relativeError(predicted, row.measured)));
        const auto* stack = p.findStack(row.stack);
        const auto& bands = row.prefill ? p.prefillBands : p.decodeBands;
        const auto band = bands.find(fold == PredictedBy::SoftwareLeftOut
                                         ? "stack_unknown"
                                         : languageBandName(row.device.deviceClass, *stack, row.prefill));
        const double ratio = row.measured / predicted;
        if (band != bands.end() && ratio >= band->second.low && ratio <= band->second.high) ++inside;
    }
    summary.rows = errors.size();
    if (errors.empty()) return summary;
    for (const double error : errors) summary.mean += error / static_cast<double>(errors.size());
    summary.median = quantile(errors, 0.5);
    summary.p90 = quantile(errors, 0.9);
    (fold == PredictedBy::Shipped ? summary.coverage : summary.coverageUnseen) =
        inside / static_cast<double>(errors.size());
    return summary;
}

// For two devices with the same model, weights, stack and conditions: whether the faster one is predicted faster.
void rankPairs(const std::vector<LanguageRow>& rows, LanguageBacktest& report) {
    using Key = std::tuple<bool, std::string, std::string, std::string, double, double, double, bool>;
    std::map<Key, std::vector<const LanguageRow*>> groups;
    for (const auto& row : rows)
        groups[{row.prefill, row.model, row.weights, row.stack, row.conditions.context, row.conditions.prompt,
                row.conditions.depth, row.conditions.flashAttention}]
            .push_back(&row);
    for (const auto& [key, group] : groups)
        for (std::size_t i = 0; i < group.size(); ++i)
            for (std::size_t j = i + 1; j < group.size(); ++j) {
                const auto& a = *group[i];
                const auto& b = *group[j];
                if (a.deviceName == b.deviceName) continue;
                const double ratio = a.measured / b.measured;
                if (ratio < 1.25 && ratio > 0.8) continue;
                ++report.rankedPairs;
                if ((ratio > 1) == (a.deviceLeftOut > b.deviceLeftOut)) ++report.rankedRight;
            }
}

}  // namespace

Result<std::vector<LanguageRow>> languageRowsFromCsv(std::string name, std::string text) {
    ASSIGN(const auto table, CsvDocument::parse(std::move(name), std::move(text)));
    std::vector<LanguageRow> rows;
    rows.reserve(table.rowCount());
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        Cells cells(table, i);
        auto row = readRow(cells);
        if (!cells.wrong().empty())
            return fail(ErrorKind::CorruptData, table.name() + ":" + std::to_string(table.lineOf(i)),
                        steelyard::messages::withDetail(cells.wrong(), steelyard::messages::implausible()));
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<std::vector<LanguageRow>> loadLanguageRows(const std::filesystem::path& resources) {
    const auto file = resources / "backtest" / "language_rows.csv";
    ASSIGN(auto text, readFile(file, 1 << 24));
    return languageRowsFromCsv(file.string(), std::move(text));
}

double predictedTokensPerSecond(const LanguageParameters& parameters, const LanguageRow& row) {
    const auto* stack = parameters.findStack(row.stack);
    const LanguageStack unknown;
    const auto& known = stack != nullptr ? *stack : unknown;
    if (row.prefill)
        return row.conditions.prompt / prefillParts(parameters, known, row.device, row.work, row.conditions).seconds;
    return 1 / decodeParts(parameters, known, row.device, row.work, row.conditions).seconds;
}

LanguageBacktest languageBacktest(const LanguageParameters& parameters, const std::vector<LanguageRow>& all) {
    std::vector<LanguageRow> rows;
    for (const auto& row : all)
        if (parameters.findStack(row.stack) != nullptr) rows.push_back(row);
    LanguageBacktest report;
    for (const bool prefill : {false, true}) {
        const std::string mode = prefill ? "prefill" : "decode";
        const auto add = [&](const std::string& name, const Choose& choose, PredictedBy fold) {
            auto summary = summaryOf(
                mode + name, parameters, rows,
                [&](const LanguageRow& row) { return row.prefill == prefill && choose(row); }, fold);
            if (summary.rows > 0) report.classes.push_back(std::move(summary));
        };
        const auto every = [](const LanguageRow&) { return true; };
        const auto elsewhere = [](const LanguageRow& row) { return row.stackSeenElsewhere; };
        add("_fitted", every, PredictedBy::Shipped);
        add("_device_left_out", elsewhere, PredictedBy::DeviceLeftOut);
        add("_software_left_out", every, PredictedBy::SoftwareLeftOut);
        // A stack whose only device was left out is unknown.
        add(
            "_stack_never_seen", [](const LanguageRow& row) { return !row.stackSeenElsewhere; },
            PredictedBy::DeviceLeftOut);
        add(
            "_device_left_out_gpu",
            [](const LanguageRow& row) { return row.stackSeenElsewhere && !isCpu(row.device.deviceClass); },
            PredictedBy::DeviceLeftOut);
        for (const auto& [value, share] : parameters.bandwidthShare)
            add(
                "_device_left_out_" + std::string(toString(value)),
                [&, value = value](const LanguageRow& row) {
                    return row.stackSeenElsewhere && row.device.deviceClass == value;
                },
                PredictedBy::DeviceLeftOut);
    }
    rankPairs(rows, report);
    for (const auto& row : rows) {
        const auto& stack = *parameters.findStack(row.stack);
        const auto parts = row.prefill ? prefillParts(parameters, stack, row.device, row.work, row.conditions)
                                       : decodeParts(parameters, stack, row.device, row.work, row.conditions);
        if (parts.seconds < parts.bound) ++report.predictedAboveRoof;
    }
    return report;
}

}  // namespace steelyard::advisor
