// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/scaling_tables.h"

#include <algorithm>

#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/record/record_fields.h"
#include "engine/core/device_id.h"
#include "engine/core/json/json_writer.h"
#include "engine/core/quantile.h"

namespace steelyard::bench {
namespace {

bool fits(const DeviceGroup& devices, ScalingKind kind) {
    return !devices.isShared() || devices.sideBySide == (kind == ScalingKind::Experiments);
}

// Step time over all devices, from their total rate: independent jobs are not synchronized.
double secondsOf(const CaseRecord& record) {
    return static_cast<double>(record.spec.batch) / record.throughput->value;
}

// Predicted efficiency: single-node speed at its part of the batch relative to the baseline, times the fraction that
// the exchange leaves.
void expectOfNodes(ScalingLine& line, const ScalingLine& base, const std::vector<CaseRecord>& records) {
    const auto& record = records[line.record];
    if (!record.parallel || !record.parallel->nodes || record.parallel->nodes->computeSeconds.empty()) return;
    const auto& use = *record.parallel->nodes;
    const double rate = static_cast<double>(record.spec.batch) / line.devices / median(use.computeSeconds);
    const double share = rate / (base.samplesPerSecond / base.devices);
    const auto expected = [&](const std::optional<double>& efficiency) {
        return efficiency ? std::optional(*efficiency * share) : std::nullopt;
    };
    line.predicted = expected(use.predictedEfficiency);
    line.predictedLow = expected(use.predictedLow);
    line.predictedHigh = expected(use.predictedHigh);
    line.busBandwidth = use.busBandwidth;
    if (use.slowestRank && static_cast<std::size_t>(*use.slowestRank) < use.hosts.size())
        line.slowestHost = use.hosts[static_cast<std::size_t>(*use.slowestRank)];
}

bool complete(ScalingTable& table, const std::vector<CaseRecord>& records) {
    auto& lines = table.lines;
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.devices < b.devices; });
    // Of two measurements, the later one is kept.
    for (std::size_t i = 1; i < lines.size();)
        if (lines[i - 1].devices == lines[i].devices)
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        else
            ++i;
    if (lines.size() < 2) return false;
    std::vector<compute::ScalingPoint> points;
    for (const auto& line : lines) {
        const auto& record = records[line.record];
        compute::ScalingPoint point{line.devices, secondsOf(record), {}, {}};
        if (record.parallel) {
            point.exchangeSeconds = record.parallel->exchangeSeconds;
            point.exposedSeconds = record.parallel->exposedSeconds;
            if (record.parallel->computeSeconds && point.exposedSeconds)
                point.deviceStepSeconds = *record.parallel->computeSeconds + *point.exposedSeconds;
        }
        points.push_back(point);
    }
    const auto strong = table.kind == ScalingKind::Strong;
    const auto rows = compute::scalingOf(strong ? compute::Scaling::Strong : compute::Scaling::Weak, points);
    if (!rows) return false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].row = (*rows)[i];
        expectOfNodes(lines[i], lines.front(), records);
    }
    return true;
}

}  // namespace

std::string_view toString(ScalingKind kind) {
    if (kind == ScalingKind::Strong) return "strong";
    return kind == ScalingKind::Weak ? "weak" : "experiments";
}

std::optional<ScalingKind> scalingKindFromString(std::string_view name) {
    for (const auto kind : kScalingKinds)
        if (toString(kind) == name) return kind;
    return std::nullopt;
}

std::vector<ScalingTable> scalingTables(const std::vector<CaseRecord>& records) {
    std::vector<ScalingTable> tables;
    for (const auto kind : kScalingKinds)
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto& record = records[i];
            const auto devices = deviceGroup(record.spec.device);
            const bool usable = record.status == Status::Ok && record.throughput && record.throughput->value > 0;
            const bool ofNodes = devices.ids.front() == "cpu";
            if (!usable || !(ofNodes || DeviceId::parse(devices.ids.front()).isGpu()) || !fits(devices, kind)) continue;
            if (record.spec.data != "synthetic" || record.spec.part != Part::Step) continue;
            ScalingTable wanted{kind,
                                record.spec.workload,
                                record.spec.mode,
                                record.spec.precision,
                                kind == ScalingKind::Strong ? record.spec.batch : record.spec.batch / devices.count(),
                                {},
                                ofNodes};
            auto table = std::find_if(tables.begin(), tables.end(), [&](const ScalingTable& one) {
                return one.kind == wanted.kind && one.workload == wanted.workload && one.mode == wanted.mode &&
                       one.precision == wanted.precision && one.batch == wanted.batch && one.ofNodes == wanted.ofNodes;
            });
            if (table == tables.end()) table = tables.insert(tables.end(), std::move(wanted));
            table->lines.push_back(
                {.record = i, .devices = devices.count(), .samplesPerSecond = record.throughput->value});
        }
    std::erase_if(tables, [&](ScalingTable& table) { return !complete(table, records); });
    return tables;
}

template <SameAs<ScalingLine> T, typename Visitor>
void visitFields(T& line, Visitor&& visit) {
    visit(field("devices"), line.devices);
    visit(field("record"), line.record);
    visit(field("throughput"), line.samplesPerSecond);
    visit(field("speedup"), line.row.speedup);
    visit(field("efficiency"), line.row.efficiency);
    visit(field("serial_fraction"), line.row.serialFraction);
    visit(field("exchange_share"), line.row.exchangeShare);
    visit(field("exposed_share"), line.row.exposedShare);
    visit(field("predicted"), line.predicted);
    visit(field("predicted_low"), line.predictedLow);
    visit(field("predicted_high"), line.predictedHigh);
    visit(field("bus_bandwidth"), line.busBandwidth);
    visit(field("slowest_host"), line.slowestHost);
}

template <SameAs<ScalingTable> T, typename Visitor>
void visitFields(T& table, Visitor&& visit) {
    visit(field("kind"), table.kind);
    visit(field("workload"), table.workload);
    visit(field("mode"), table.mode);
    visit(field("precision"), table.precision);
    visit(field("batch"), table.batch);
    visit(field("of_nodes"), table.ofNodes);
    visit(field("lines"), table.lines);
}

std::string resultToJson(const RunRecord& run, int indent) {
    Json document{{"run_id", run.id}, {"records", toJsonValue(run.records)}};
    if (const auto tables = scalingTables(run.records); !tables.empty()) document["scaling"] = toJsonValue(tables);
    return dumpJson(document, indent);
}

}  // namespace steelyard::bench
