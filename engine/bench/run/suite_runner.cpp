// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/suite_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/record/protocol_fields.h"
#include "engine/bench/record/record_fields.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/measuring_child.h"
#include "engine/core/json/json_document.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto kRunnerPollInterval = 50ms;

enum class Ended { ByItself, Cancelled, OutOfTime };

class SuiteRun {
public:
    SuiteRun(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol, const SuiteServices& services)
        : m_run(run), m_cases(cases), m_protocol(protocol), m_services(services) {}

    void run(std::optional<double> estimateSeconds) {
        Event started{.kind = EventKind::SuiteStarted};
        started.runId = m_run.id;
        started.caseCount = static_cast<std::int64_t>(m_cases.size());
        started.estimateSeconds = estimateSeconds;
        started.cases = m_cases;
        m_services.onEvent(started);
        bool cancelled = false;
        for (std::size_t i = 0; i < m_cases.size() && !cancelled; ++i) {
            if ((cancelled = m_services.cancelled())) break;
            auto record = runOne(static_cast<std::int64_t>(i));
            cancelled = record.status == Status::Cancelled;
            finish(static_cast<std::int64_t>(i), std::move(record));
        }
        if (!cancelled) m_run.finishedUnixMs = m_services.clock.unixMilliseconds();
        Event finished{.kind = EventKind::SuiteFinished};
        finished.runId = m_run.id;
        const bool allOk = std::all_of(m_run.records.begin(), m_run.records.end(),
                                       [](const auto& r) { return r.status == Status::Ok; });
        finished.status = cancelled ? "cancelled" : allOk ? "done" : "partial";
        m_services.onEvent(finished);
    }

private:
    void finish(std::int64_t index, CaseRecord record) {
        if (m_services.onRecord) m_services.onRecord(record);
        Event event{.kind = EventKind::CaseFinished};
        event.caseIndex = index;
        event.record = record;
        m_services.onEvent(event);
        m_run.records.push_back(std::move(record));
    }

    CaseRecord runOne(std::int64_t index) {
        const auto& spec = m_cases[static_cast<std::size_t>(index)];
        const auto passOn = [this, index](Event event) {
            event.caseIndex = index;
            m_services.onEvent(event);
        };
        if (deviceGroup(spec.device).isShared()) return measureGroup(spec, m_protocol, m_services, passOn);
        auto child =
            MeasuringChild::start({spec, m_protocol, {}}, childEnvironment(spec, m_services.usableThreads), m_services);
        if (!child) return emptyRecord(spec, Status::Failed, messageOf(child.error()), m_services.clock);
        const auto ended = follow(*child, passOn);
        auto record = child->finish(m_services.clock);
        if (ended == Ended::Cancelled) return emptyRecord(spec, Status::Cancelled, "stopped", m_services.clock);
        if (ended == Ended::OutOfTime)
            return emptyRecord(spec, Status::TimedOut, messages::tookLonger(hardLimit(m_protocol)), m_services.clock);
        return record;
    }

    // Passes the child's events on until it ends or must end.
    Ended follow(MeasuringChild& child, const std::function<void(const Event&)>& passOn) {
        const auto start = m_services.clock.nowNanoseconds();
        while (!child.atEnd()) {
            child.read(kRunnerPollInterval, passOn);
            const bool cancelled = m_services.cancelled();
            const bool late = secondsBetween(start, m_services.clock.nowNanoseconds()) > hardLimit(m_protocol);
            if (!cancelled && !late) continue;
            child.terminate();
            child.end();
            return cancelled ? Ended::Cancelled : Ended::OutOfTime;
        }
        return Ended::ByItself;
    }

    RunRecord& m_run;
    const std::vector<Case>& m_cases;
    const Protocol& m_protocol;
    const SuiteServices& m_services;
};

}  // namespace

Seconds hardLimit(const Protocol& protocol) {
    return Seconds(60 + 10 * protocol.timeCap.value());
}

void runSuite(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
              std::optional<double> estimateSeconds, const SuiteServices& services) {
    SuiteRun(run, cases, protocol, services).run(estimateSeconds);
}

// Threads are not pinned: libgomp would bind the main thread before the hardware is detected, and the child would then
// believe that it may use one core only.
std::map<std::string, std::string> childEnvironment(const Case& spec, int usableThreads) {
    const int threads = spec.threads.value_or(usableThreads);
    std::map<std::string, std::string> environment{{"OMP_NUM_THREADS", std::to_string(threads)}};
    struct Switches {
        std::string_view isa, onednn, openblas;
    };
    constexpr std::array kSwitches{Switches{"sse", "SSE41", "Nehalem"}, Switches{"avx2", "AVX2", "Haswell"},
                                   Switches{"avx512", "AVX512_CORE_BF16", "SkylakeX"},
                                   Switches{"amx", "AVX512_CORE_AMX", "SkylakeX"}};
    for (const auto& choice : kSwitches) {
        if (spec.isa != choice.isa) continue;
        environment["ONEDNN_MAX_CPU_ISA"] = choice.onednn;
        environment["OPENBLAS_CORETYPE"] = choice.openblas;
    }
    return environment;
}

template <SameAs<RankSpec> T, typename Visitor>
void visitFields(T& rank, Visitor&& visit) {
    visit(required("rank"), rank.group.rank);
    visit(required("size"), rank.group.size);
    visit(required("folder"), rank.group.meetingFolder);
    visit(required("side_by_side"), rank.sideBySide);
}

template <SameAs<CaseSpec> T, typename Visitor>
void visitFields(T& order, Visitor&& visit) {
    visit(required("case"), order.spec);
    visit(required("protocol"), order.protocol);
    visit(field("rank").omittedWhenEmpty(), order.rank);
}

std::string toJson(const CaseSpec& order) {
    return dumpJson(toJsonValue(order));
}

Result<CaseSpec> caseSpecFromJson(std::string_view text) {
    return readDocument<CaseSpec>(text);
}

std::string newRunId(const Clock& clock) {
    const auto mixed = static_cast<std::uint64_t>(clock.unixMilliseconds()) * 0x9e3779b97f4a7c15ULL ^
                       static_cast<std::uint64_t>(::getpid()) * 0xc2b2ae3d27d4eb4fULL ^
                       static_cast<std::uint64_t>(clock.nowNanoseconds());
    return fmt::format("{:012x}", mixed >> 16);
}

}  // namespace steelyard::bench
