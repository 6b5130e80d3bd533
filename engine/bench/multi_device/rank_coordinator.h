// SPDX-License-Identifier: Apache-2.0
// Coordination of a measuring process with the other ranks: ranks of a shared step follow rank 0's decisions, so that
// all do the same number of steps; independent jobs start timing together and keep their devices busy until the last
// one finishes. Without other ranks everything is a no-op.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"

namespace steelyard::bench {

// This process's position among those that measure one case.
struct RankSpec {
    compute::RankGroup group;
    bool sideBySide = false;

    friend bool operator==(const RankSpec&, const RankSpec&) = default;
};

class RankCoordinator {
public:
    explicit RankCoordinator(std::optional<RankSpec> order) : m_order(std::move(order)) {}

    // For executables to be timed only; each rank does verification, peaks and profiles alone.
    void share(compute::CompileOptions& options) const;

    // Broadcasts rank 0's value in a shared step; otherwise returns `own`.
    [[nodiscard]] Result<std::int64_t> agreed(compute::Executable* executable, std::int64_t own) const;
    // Whether to run another step, as decided by rank 0.
    [[nodiscard]] Result<bool> shouldContinue(compute::Executable* executable, bool wanted) const;
    // Records exchange time and step time with and without it, by the device's clock, in CaseRecord::parallel. No-op
    // without other ranks.
    [[nodiscard]] Result<void> recordExchange(compute::Executable& executable, CaseRecord& record) const;

    // Independent jobs: barrier with that name. Errors: Cancelled; TimedOut after ten minutes.
    [[nodiscard]] Result<void> barrier(const std::string& place, const std::function<bool()>& cancelled) const;
    // Independent jobs: runs steps until all ranks have sampled.
    [[nodiscard]] Result<void> keepBusy(const std::function<Result<double>()>& step,
                                        const std::function<bool()>& cancelled) const;

private:
    [[nodiscard]] bool sharesSteps() const { return m_order && !m_order->sideBySide; }
    [[nodiscard]] Result<void> mark(const std::string& place) const;  // arrives at the barrier
    [[nodiscard]] bool allHaveBeen(const std::string& place) const;
    [[nodiscard]] bool isSideBySide() const { return m_order && m_order->sideBySide; }

    std::optional<RankSpec> m_order;
};

}  // namespace steelyard::bench
