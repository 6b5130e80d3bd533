// SPDX-License-Identifier: Apache-2.0
// The process that measures a case, or one rank of it, as the run sees it: started with its order, followed by its
// events, ended when it must, and a record in the end whatever happened. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/bench/run/child_process.h"
#include "engine/bench/run/suite_runner.h"

namespace steelyard::bench {

// A record of a case of which nothing was measured.
[[nodiscard]] CaseRecord emptyRecord(const Case& spec, Status status, Message reason, const Clock& clock);

class MeasuringChild {
public:
    [[nodiscard]] static Result<MeasuringChild> start(const CaseSpec& order,
                                                      const std::map<std::string, std::string>& environment,
                                                      const SuiteServices& services);

    // One line at most; its event, but the last, which is the record.
    void read(std::chrono::milliseconds timeout, const std::function<void(const Event&)>& onEvent);
    [[nodiscard]] bool atEnd() const { return m_child.atEnd(); }
    void terminate() { m_child.terminate(); }  // asks it to end
    // Kills it, after half a second in which it may end by itself.
    void end();
    // Once, after atEnd() or end(): what it measured, or why it did not.
    [[nodiscard]] CaseRecord finish(const Clock& clock);

private:
    MeasuringChild(ChildProcess child, Case spec) : m_child(std::move(child)), m_spec(std::move(spec)) {}

    ChildProcess m_child;
    Case m_spec;
    std::optional<CaseRecord> m_record;
};

// A case of several devices, a process each. The first that fails, or that ends without a result, ends all of them, and
// the record says which and why; so does a cancellation.
[[nodiscard]] CaseRecord measureGroup(const CaseSpec& order, const SuiteServices& services,
                                      const std::function<void(const Event&)>& onEvent);

}  // namespace steelyard::bench
