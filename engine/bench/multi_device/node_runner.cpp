// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/node_runner.h"

#include <algorithm>

#include "engine/bench/measure/case_figures.h"
#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/multi_device/node_group.h"
#include "engine/bench/protocol/figure.h"
#include "engine/bench/record/record_json.h"
#include "engine/core/messages/bench.h"
#include "engine/core/quantile.h"

namespace steelyard::bench {
namespace {

constexpr double kSlow = 1.1;  // relative to the median
// Limits of the probe before the cases: gradients are exchanged in buckets of a few MB to the largest gradient.
constexpr NetworkLimits kBeforeCases{Bytes(8), Bytes(std::int64_t{32} << 20), Seconds(0.5), false};

class NodeRun {
public:
    NodeRun(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol, const NodeServices& services)
        : m_run(run), m_cases(cases), m_protocol(protocol), m_services(services) {
        m_protocol.visits = 1;
        m_protocol.profile = false;
    }

    Result<void> perform() {
        begin();
        const auto done = performAll();
        if (done) m_run.finishedUnixMs = m_services.clock.unixMilliseconds();
        Event finished{.kind = EventKind::SuiteFinished};
        finished.runId = m_run.id;
        const bool allOk = std::all_of(m_run.records.begin(), m_run.records.end(),
                                       [](const auto& record) { return record.status == Status::Ok; });
        finished.status = !done ? "cancelled" : allOk ? "done" : "partial";
        tell(finished);
        return done;
    }

private:
    Result<void> performAll() {
        auto& ranks = m_services.ranks;
        const int whole = ranks.size();
        m_isFirst = ranks.rank() == 0;
        for (std::size_t i = 0; i < m_cases.size(); ++i) {
            const auto among = ranks.restrictTo(deviceGroup(m_cases[i].device).count());
            if (!among) return Failure(among.error());
            if (!*among) continue;
            if (auto ok = performCase(i); !ok) return ok;
        }
        if (const auto all = ranks.restrictTo(whole); !all) return Failure(all.error());
        return {};
    }

    void begin() {
        Event event{.kind = EventKind::SuiteStarted};
        event.runId = m_run.id;
        event.caseCount = static_cast<std::int64_t>(m_cases.size());
        event.cases = m_cases;
        m_isFirst = m_services.ranks.rank() == 0;
        tell(event);
    }

    void tell(const Event& event) {
        if (m_isFirst && m_services.onEvent) m_services.onEvent(event);
    }

    Result<void> performCase(std::size_t index) {
        const auto& spec = m_cases[index];
        auto& ranks = m_services.ranks;
        const int nodes = ranks.size();
        CaseServices services{.backend = m_services.backend,
                              .reference = m_services.reference,
                              .profile = m_services.profile,
                              .clock = m_services.clock,
                              .onEvent =
                                  [&](Event event) {
                                      event.caseIndex = static_cast<std::int64_t>(index);
                                      if (event.spec) event.spec = spec;
                                      tell(event);
                                  },
                              .cancelled = m_services.cancelled};
        auto own = spec;
        if (nodes > 1) {
            ASSIGN(own, caseOfRank(spec, ranks.rank()));
            services.rank = RankSpec{{ranks.rank(), nodes, {}, {}}, false};
            services.nodes = &ranks;
        }
        if (!own.threads && ranks.processesHere() > 1)
            own.threads = std::max(1, threadsOf(own, m_services.profile) / ranks.processesHere());
        std::optional<compute::Link> link;
        if (nodes > 1) {
            ASSIGN(link, linkOf(nodes));
        }
        auto record = runCase(own, m_protocol, services);
        record.spec = spec;
        if (ranks.isLost() || record.status == Status::Cancelled)
            return fail(record.status == Status::Cancelled ? ErrorKind::Cancelled : ErrorKind::Internal, {},
                        record.reason);
        if (nodes > 1) {
            ASSIGN(record, together(spec, std::move(record), *link));
        }
        if (m_isFirst) keep(index, std::move(record));
        return {};
    }

    // Measured once per number of nodes.
    Result<compute::Link> linkOf(int nodes) {
        const auto known = m_links.find(nodes);
        if (known != m_links.end()) return known->second;
        ASSIGN(const auto network, measureNetwork(m_services.ranks, kBeforeCases));
        m_links[nodes] = network.link;
        return network.link;
    }

    Result<CaseRecord> together(const Case& spec, CaseRecord own, const compute::Link& link) {
        auto& ranks = m_services.ranks;
        if (ranks.rank() > 0) own.sensors.clear();
        const auto host = m_services.profile.environment.hostname.valueOr(std::to_string(ranks.rank()));
        ASSIGN(const auto hosts, gatherTexts(ranks, host));
        ASSIGN(const auto texts, gatherTexts(ranks, toJson(own)));
        std::vector<CaseRecord> all;
        for (const auto& text : texts) {
            ASSIGN(auto record, caseRecordFromJson(text));
            all.push_back(std::move(record));
        }
        for (const auto& record : all)
            if (record.status != Status::Ok) {
                own.spec = spec;
                own.status = record.status;
                own.reason = record.reason;
                return own;
            }
        auto merged = mergedRecord(spec, all);
        auto& use = merged.parallel->nodes.emplace(nodesUse(*merged.parallel, all, link));
        use.hosts = hosts;
        use.library = ranks.library();
        if (use.slowestRank) {
            const auto slowest = static_cast<std::size_t>(*use.slowestRank);
            merged.warnings.push_back(messages::slowNode(hosts[slowest], Seconds(use.computeSeconds[slowest]),
                                                         Seconds(median(use.computeSeconds))));
        }
        return merged;
    }

    void keep(std::size_t index, CaseRecord record) {
        m_run.records.push_back(record);
        if (m_services.onRecord) m_services.onRecord(record);
        Event event{.kind = EventKind::CaseFinished};
        event.caseIndex = static_cast<std::int64_t>(index);
        event.record = std::move(record);
        tell(event);
    }

    RunRecord& m_run;
    const std::vector<Case>& m_cases;
    Protocol m_protocol;
    const NodeServices& m_services;
    std::map<int, compute::Link> m_links;
    bool m_isFirst = false;
};

}  // namespace

NodesUse nodesUse(const ParallelUse& shared, const std::vector<CaseRecord>& records, const compute::Link& link) {
    NodesUse use;
    for (const auto& record : records)
        if (record.parallel && record.parallel->computeSeconds)
            use.computeSeconds.push_back(*record.parallel->computeSeconds);
    use.latencySeconds = link.latencySeconds;
    use.bytesPerSecond = link.bytesPerSecond;
    if (use.computeSeconds.size() != records.size() || !shared.exchangeSeconds || !shared.exchangedBytes) return use;
    const double usual = median(use.computeSeconds);
    const auto slowest = std::max_element(use.computeSeconds.begin(), use.computeSeconds.end());
    if (*slowest > kSlow * usual) use.slowestRank = static_cast<int>(slowest - use.computeSeconds.begin());
    const int n = static_cast<int>(records.size());
    const auto bytes = static_cast<double>(*shared.exchangedBytes);
    const double hops = 2.0 * (n - 1);
    if (*shared.exchangeSeconds > 0) use.busBandwidth = hops / n * bytes / *shared.exchangeSeconds;
    if (shared.computeSeconds && shared.exposedSeconds)
        use.efficiency = usual / (*shared.computeSeconds + *shared.exposedSeconds);
    const int exchanges = std::max(1, shared.exchanges.value_or(1));
    const double expected = hops * link.latencySeconds * exchanges + hops / n * bytes / link.bytesPerSecond;
    const auto forecast = compute::forecastEfficiency(*slowest, expected, exchanges);
    const double even = usual / *slowest;  // all wait for the slowest
    use.predictedLow = forecast.low * even;
    use.predictedEfficiency = forecast.expected * even;
    use.predictedHigh = forecast.high * even;
    return use;
}

Result<void> runOnNodes(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
                        const NodeServices& services) {
    return NodeRun(run, cases, protocol, services).perform();
}

}  // namespace steelyard::bench
