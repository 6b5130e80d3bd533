// SPDX-License-Identifier: Apache-2.0
// What a measuring process does as one of several, beside measuring: the ranks of a shared step take rank 0's
// decisions, so that all do the same number of steps; experiments side by side begin to be timed together and keep
// their devices busy until the last of them is through. Alone, all of it is nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"

namespace steelyard::bench {

// A process's place among those that measure one case.
struct RankSpec {
    compute::RankGroup group;
    bool sideBySide = false;

    friend bool operator==(const RankSpec&, const RankSpec&) = default;
};

class RankCoordinator {
public:
    explicit RankCoordinator(std::optional<RankSpec> order) : m_order(std::move(order)) {}

    // For what is compiled to be timed; never for checks, peaks and profiles, which each rank does alone.
    void share(compute::CompileOptions& options) const;

    // Rank 0's value on every rank of a shared step, else one's own.
    [[nodiscard]] Result<std::int64_t> agreed(compute::Executable* executable, std::int64_t own) const;
    // Whether there is to be another step: rank 0's wish counts.
    [[nodiscard]] Result<bool> goesOn(compute::Executable* executable, bool wanted) const;
    // Of the exchange and the step with and without it, by the device, into CaseRecord::parallel. Nothing when alone.
    [[nodiscard]] Result<void> recordExchange(compute::Executable& executable, CaseRecord& record) const;

    // Side by side: waits until all have come to the place of that name. Cancelled; TimedOut after ten minutes.
    [[nodiscard]] Result<void> meet(const std::string& place, const std::function<bool()>& cancelled) const;
    // Side by side: makes steps until all have sampled.
    [[nodiscard]] Result<void> keepBusy(const std::function<Result<double>()>& step,
                                        const std::function<bool()>& cancelled) const;

private:
    [[nodiscard]] bool sharesSteps() const { return m_order && !m_order->sideBySide; }
    [[nodiscard]] Result<void> mark(const std::string& place) const;  // this one has been there
    [[nodiscard]] bool allHaveBeen(const std::string& place) const;
    [[nodiscard]] bool isSideBySide() const { return m_order && m_order->sideBySide; }

    std::optional<RankSpec> m_order;
};

}  // namespace steelyard::bench
