// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/suite_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <thread>

#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/protocol/machine_state.h"
#include "engine/bench/protocol/visits.h"
#include "engine/bench/record/protocol_fields.h"
#include "engine/bench/record/record_fields.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/measuring_child.h"
#include "engine/core/json/json_document.h"
#include "engine/core/messages/bench.h"
#include "engine/core/random.h"
#include "engine/hardware/system/processor_load.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto kRunnerPollInterval = 50ms;

enum class Ended { ByItself, Cancelled, OutOfTime };

// CPUs used by others above which waiting threads should sleep.
constexpr double kBusyCpus = 0.25;
constexpr auto kLoadLook = 100ms;
constexpr int kLoadSamples = 5;  // one quiet interval suffices, since terminating programs are busy for a moment

class SuiteRun {
public:
    SuiteRun(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol, const SuiteServices& services)
        : m_run(run),
          m_cases(cases),
          m_protocol(protocol),
          m_services(services),
          m_startNanoseconds(services.clock.nowNanoseconds()),
          m_recordOf(cases.size()),
          m_visitSeconds(cases.size()) {}

    void run(std::optional<double> estimateSeconds) {
        Event started{.kind = EventKind::SuiteStarted};
        started.runId = m_run.id;
        started.caseCount = static_cast<std::int64_t>(m_cases.size());
        started.visitCount = visits();
        started.estimateSeconds = estimateSeconds;
        started.cases = m_cases;
        m_services.onEvent(started);
        findStarted();
        sampleLoad();
        bool cancelled = false;
        for (int round = 0; round < visits() && !cancelled; ++round)
            for (const auto index : orderOf(round)) {
                if ((cancelled = m_services.cancelled())) break;
                if (!wantsVisit(index, round)) continue;
                if (isTooLate(index, round)) {
                    finish(index, *recordOf(index));
                    continue;
                }
                if ((cancelled = !visit(index))) break;
            }
        refreshFigures();
        if (!cancelled) m_run.finishedUnixMs = m_services.clock.unixMilliseconds();
        Event finished{.kind = EventKind::SuiteFinished};
        finished.runId = m_run.id;
        const bool allOk = std::all_of(m_run.records.begin(), m_run.records.end(),
                                       [](const auto& r) { return r.status == Status::Ok; });
        finished.status = cancelled ? "cancelled" : allOk ? "done" : "partial";
        m_services.onEvent(finished);
    }

private:
    [[nodiscard]] int visits() const { return std::max(1, m_protocol.visits); }

    // Resumed runs: cases that need further visits.
    void findStarted() {
        for (std::size_t i = 0; i < m_cases.size(); ++i)
            for (std::size_t record = 0; record < m_run.records.size(); ++record)
                if (m_run.records[record].spec == m_cases[i] && !m_run.records[record].visits.empty())
                    m_recordOf[i] = record;
    }

    [[nodiscard]] CaseRecord* recordOf(std::size_t index) {
        return m_recordOf[index] ? &m_run.records[*m_recordOf[index]] : nullptr;
    }

    // The first round uses the order of the run, every other one a random one (Fisher-Yates with the run's seed).
    [[nodiscard]] std::vector<std::size_t> orderOf(int round) const {
        std::vector<std::size_t> order(m_cases.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (round == 0) return order;
        const RandomStream random(m_run.seed, kRoundStream + static_cast<std::uint64_t>(round));
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i))]);
        return order;
    }

    [[nodiscard]] bool wantsVisit(std::size_t index, int round) {
        const auto* record = recordOf(index);
        if (record == nullptr) return round == 0;
        return record->status == Status::Ok && static_cast<int>(record->visits.size()) == round;
    }

    // Estimated from the last visit of the case.
    [[nodiscard]] bool isTooLate(std::size_t index, int round) const {
        if (!m_services.timeBudget || round < kLeastVisits) return false;
        return elapsedSeconds() + m_visitSeconds[index] > m_services.timeBudget->value();
    }
    [[nodiscard]] double elapsedSeconds() const {
        return secondsBetween(m_startNanoseconds, m_services.clock.nowNanoseconds()).value();
    }

    // False if the run was cancelled.
    bool visit(std::size_t index) {
        const auto* known = recordOf(index);
        const double start = elapsedSeconds();
        auto measured = measure(index, m_protocol);
        m_visitSeconds[index] = elapsedSeconds() - start;
        // Sleeping threads make steps slower: once the machine is quiet again, such a visit does not count.
        if (m_isBusy && measured.status == Status::Ok && !measured.visits.empty() &&
            !isDisturbed(measured.visits.back(), threadsOf(measured))) {
            m_isBusy = false;
            measured = measureAgain(index, measured);
        }
        const bool cancelled = measured.status == Status::Cancelled;
        if (known == nullptr) {
            m_recordOf[index] = m_run.records.size();
            m_run.records.push_back(std::move(measured));
        } else if (!cancelled) {
            // A failed visit counts, since it would fail again.
            if (measured.status != Status::Ok) m_failed.insert(index);
            addVisit(*recordOf(index), std::move(measured));
        }
        auto& record = *recordOf(index);
        noteLoad(record);
        applyFigure(record, threadsOf(record), noise());
        if (m_services.onRecord && !(cancelled && known != nullptr)) m_services.onRecord(record);
        if (isDone(index) || cancelled) finish(index, record);
        return !cancelled;
    }

    [[nodiscard]] bool isDone(std::size_t index) {
        const auto& record = *recordOf(index);
        return record.status != Status::Ok || m_failed.contains(index) || record.visits.empty() ||
               static_cast<int>(record.visits.size()) >= visits();
    }

    void finish(std::size_t index, const CaseRecord& record) {
        Event event{.kind = EventKind::CaseFinished};
        event.caseIndex = static_cast<std::int64_t>(index);
        event.record = record;
        m_services.onEvent(event);
    }

    // Recomputes intervals of cases that finished before the noise was known better.
    void refreshFigures() {
        const auto known = noise();
        for (auto& record : m_run.records) {
            const auto before = record.figure;
            applyFigure(record, threadsOf(record), known);
            if (record.figure != before && m_services.onRecord) m_services.onRecord(record);
        }
    }

    // From the other cases and earlier runs.
    [[nodiscard]] Noise noise() const {
        auto variances = visitVariances(m_run.records);
        variances.insert(variances.end(), m_services.earlierVariances.begin(), m_services.earlierVariances.end());
        return {.betweenVisits = fitPrior(variances), .runEffect = m_services.runEffect};
    }

    // CPU load of other programs before anything is measured; later as seen by the last visit.
    void sampleLoad() {
        if (m_services.otherCpus) {
            m_isBusy = m_services.otherCpus() > kBusyCpus;
            return;
        }
        hardware::ProcessorLoad load({}, {}, m_services.usableThreads);
        (void)load.sample();
        m_isBusy = true;
        for (int look = 0; look < kLoadSamples && m_isBusy; ++look) {
            std::this_thread::sleep_for(kLoadLook);
            m_isBusy = load.sample().otherCpus.value_or(0) > kBusyCpus;
        }
    }
    void noteLoad(const CaseRecord& record) {
        if (record.visits.empty() || record.visits.back().windows.empty()) return;
        double sum = 0;
        const auto& windows = record.visits.back().windows;
        for (const auto& window : windows) sum += window.after.otherCpus.value_or(0);
        m_isBusy = sum / static_cast<double>(windows.size()) > kBusyCpus;
    }

    [[nodiscard]] int threadsOf(const CaseRecord& record) const {
        return record.spec.threads.value_or(m_services.usableThreads);
    }

    // Keeps the verification of the earlier visit.
    CaseRecord measureAgain(std::size_t index, const CaseRecord& before) {
        auto protocol = m_protocol;
        protocol.verify = false;
        auto record = measure(index, protocol);
        record.verification = before.verification;
        record.precisionCost = before.precisionCost;
        return record;
    }

    CaseRecord measure(std::size_t index, const Protocol& protocol) {
        const auto& spec = m_cases[index];
        const auto* known = recordOf(index);
        const int visit = known == nullptr ? 0 : static_cast<int>(known->visits.size());
        const auto stepsPerSample = known == nullptr ? 0 : known->stepsPerSample;
        const auto passOn = [this, index, visit](Event event) {
            event.caseIndex = static_cast<std::int64_t>(index);
            if (event.kind == EventKind::CaseStarted) event.visit = visit;
            m_services.onEvent(event);
        };
        if (deviceGroup(spec.device).isShared())
            return measureGroup({spec, protocol, {}, visit, stepsPerSample}, m_services, passOn);
        auto child = MeasuringChild::start({spec, protocol, {}, visit, stepsPerSample},
                                           childEnvironment(spec, m_services.usableThreads, m_isBusy), m_services);
        if (!child) return emptyRecord(spec, Status::Failed, messageOf(child.error()), m_services.clock);
        const auto ended = follow(*child, passOn);
        auto record = child->finish(m_services.clock);
        if (ended == Ended::Cancelled)
            return emptyRecord(spec, Status::Cancelled, messages::stopped(), m_services.clock);
        if (ended == Ended::OutOfTime)
            return emptyRecord(spec, Status::TimedOut, messages::tookLonger(hardLimit(m_protocol)), m_services.clock);
        return record;
    }

    // Forwards the child's events until it ends or must be terminated.
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

    static constexpr std::uint64_t kRoundStream = 0x5000;

    RunRecord& m_run;
    const std::vector<Case>& m_cases;
    const Protocol& m_protocol;
    const SuiteServices& m_services;
    std::int64_t m_startNanoseconds = 0;
    std::vector<std::optional<std::size_t>> m_recordOf;  // per case, index of its record in the run
    std::vector<double> m_visitSeconds;                  // per case, duration of the last visit
    std::set<std::size_t> m_failed;                      // cases with a failed later visit
    bool m_isBusy = false;
};

}  // namespace

Seconds hardLimit(const Protocol& protocol) {
    return Seconds(60 + 10 * protocol.timeCap.value());
}

void runSuite(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
              std::optional<double> estimateSeconds, const SuiteServices& services) {
    SuiteRun(run, cases, protocol, services).run(estimateSeconds);
}

// Threads are not pinned: libgomp would bind the main thread before the hardware is detected, and the child would see a
// single core.
std::map<std::string, std::string> childEnvironment(const Case& spec, int usableThreads, bool busyMachine) {
    const int threads = spec.threads.value_or(usableThreads);
    std::map<std::string, std::string> environment{{"OMP_NUM_THREADS", std::to_string(threads)}};
    if (busyMachine) environment["OMP_WAIT_POLICY"] = "passive";
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
    visit(required("folder"), rank.group.rendezvousFolder);
    visit(required("side_by_side"), rank.sideBySide);
}

template <SameAs<CaseSpec> T, typename Visitor>
void visitFields(T& order, Visitor&& visit) {
    visit(required("case"), order.spec);
    visit(required("protocol"), order.protocol);
    visit(field("visit"), order.visit);
    visit(field("steps_per_sample"), order.stepsPerSample);
    visit(field("rank").omittedWhenEmpty(), order.rank);
}

std::string toJson(const CaseSpec& order) {
    auto located = order;
    located.spec.workload = model::onnx::locatedOnnxName(order.spec.workload);
    return dumpJson(toJsonValue(located));
}

Result<CaseSpec> caseSpecFromJson(std::string_view text) {
    ASSIGN(auto order, readDocument<CaseSpec>(text));
    order.spec.workload = model::onnx::receivedOnnxName(order.spec.workload);
    return order;
}

std::string newRunId(const Clock& clock) {
    const auto mixed = static_cast<std::uint64_t>(clock.unixMilliseconds()) * 0x9e3779b97f4a7c15ULL ^
                       static_cast<std::uint64_t>(::getpid()) * 0xc2b2ae3d27d4eb4fULL ^
                       static_cast<std::uint64_t>(clock.nowNanoseconds());
    return fmt::format("{:012x}", mixed >> 16);
}

}  // namespace steelyard::bench
