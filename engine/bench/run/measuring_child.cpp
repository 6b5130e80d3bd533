// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/measuring_child.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include "engine/bench/record/record_json.h"
#include "engine/core/messages/bench.h"
#include "engine/core/messages/core.h"

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto kPollInterval = 50ms;
constexpr auto kTerminateTimeout = 500ms;

std::string lastLine(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const auto newline = text.rfind('\n');
    return newline == std::string::npos ? text : text.substr(newline + 1);
}

// Children inherit the limit (ulimit -t); when it is reached they get SIGXCPU, or SIGKILL at the hard limit.
bool hasTimeLimit() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

Message crashReason(const ChildExit& exit) {
    Message reason;
    if (exit.signal == SIGXCPU || (exit.signal == SIGKILL && hasTimeLimit())) {
        reason = messages::childOutOfTime();
    } else if (exit.signal == SIGKILL) {
        reason = messages::childKilled();
    } else if (exit.signal) {
        reason = messages::childCrashed(::strsignal(*exit.signal));
    } else {
        reason = messages::childEnded(exit.code.value_or(-1));
    }
    const auto said = lastLine(exit.standardErrorTail);
    return said.empty() ? reason : steelyard::messages::withDetail(std::move(reason), said);
}

CaseRecord emptyRecord(const Case& spec, Status status, Message reason, const Clock& clock) {
    CaseRecord record;
    record.spec = spec;
    record.status = status;
    record.reason = std::move(reason);
    record.startedUnixMs = clock.unixMilliseconds();
    return record;
}

Result<MeasuringChild> MeasuringChild::start(const CaseSpec& order,
                                             const std::map<std::string, std::string>& environment,
                                             const SuiteServices& services) {
    ChildCommand command;
    command.arguments = {services.executable.string(), "run-case"};
    command.arguments.insert(command.arguments.end(), services.childArguments.begin(), services.childArguments.end());
    command.environment = environment;
    command.standardInput = toJson(order) + "\n";
    ASSIGN(auto child, ChildProcess::start(command));
    return MeasuringChild(std::move(child), order.spec);
}

void MeasuringChild::read(std::chrono::milliseconds timeout, const std::function<void(const Event&)>& onEvent) {
    const auto line = m_child.readLine(timeout);
    if (!line) return;
    auto event = eventFromJson(*line);
    if (!event) return;
    if (event->kind == EventKind::CaseFinished)
        m_record = std::move(event->record);
    else
        onEvent(*event);
}

void MeasuringChild::end() {
    const auto deadline = std::chrono::steady_clock::now() + kTerminateTimeout;
    while (!atEnd() && std::chrono::steady_clock::now() < deadline) (void)m_child.readLine(kPollInterval);
    m_child.kill();
}

CaseRecord MeasuringChild::finish(const Clock& clock) {
    const auto exit = m_child.wait();
    return m_record ? std::move(*m_record) : emptyRecord(m_spec, Status::Crashed, crashReason(exit), clock);
}

}  // namespace steelyard::bench
