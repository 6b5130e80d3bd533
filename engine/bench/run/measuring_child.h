// SPDX-License-Identifier: Apache-2.0
// The process that measures a case, or one rank of it: started with its specification, read for events, terminated if
// necessary; yields a record in any case. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/bench/run/child_process.h"
#include "engine/bench/run/suite_runner.h"

namespace steelyard::bench {

// A record without measurements.
[[nodiscard]] CaseRecord emptyRecord(const Case& spec, Status status, Message reason, const Clock& clock);

// Why a child ended without a result: a signal, a limit, or its exit code, with the last line of its standard error.
[[nodiscard]] Message crashReason(const ChildExit& exit);

class MeasuringChild {
public:
    [[nodiscard]] static Result<MeasuringChild> start(const CaseSpec& order,
                                                      const std::map<std::string, std::string>& environment,
                                                      const SuiteServices& services);

    // Reads at most one line and passes on its event; the last line is the record.
    void read(std::chrono::milliseconds timeout, const std::function<void(const Event&)>& onEvent);
    [[nodiscard]] bool atEnd() const { return m_child.atEnd(); }
    void terminate() { m_child.terminate(); }  // requests termination
    // Kills it after a grace period of half a second.
    void end();
    // Call once, after atEnd() or end(): the measurement, or the reason for its failure.
    [[nodiscard]] CaseRecord finish(const Clock& clock);

private:
    MeasuringChild(ChildProcess child, Case spec) : m_child(std::move(child)), m_spec(std::move(spec)) {}

    ChildProcess m_child;
    Case m_spec;
    std::optional<CaseRecord> m_record;
};

// Measures a case on several devices, one process each. The first failure, or a cancellation, terminates all of them;
// the record names the rank and the reason.
[[nodiscard]] CaseRecord measureGroup(const CaseSpec& order, const SuiteServices& services,
                                      const std::function<void(const Event&)>& onEvent);

}  // namespace steelyard::bench
