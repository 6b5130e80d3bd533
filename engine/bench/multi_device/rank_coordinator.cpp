// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/rank_coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 10min;
constexpr auto kLook = 5ms;
constexpr int kSteps = 5;  // timed with their exchange; the first is not counted

std::filesystem::path markOf(const compute::RankGroup& group, const std::string& place, int rank) {
    return std::filesystem::path(group.rendezvousFolder) / fmt::format("{}-{}", place, rank);
}

Result<compute::RankedExecutable*> ranked(compute::Executable* executable) {
    auto* found = dynamic_cast<compute::RankedExecutable*>(executable);
    if (found == nullptr) return fail(ErrorKind::Unsupported, {}, messages::noRanks());
    return found;
}

// Time of a whole step, best of a few, by the clock of exchangeTimes(): the device's events if available.
Result<double> deviceSecondsOf(compute::Executable& executable) {
    double best = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps; ++step) {
        const auto start = std::chrono::steady_clock::now();
        ASSIGN(const auto outcome, executable.step({}));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (step > 0) best = std::min(best, outcome.deviceSeconds.value_or(seconds));
    }
    return best;
}

}  // namespace

void RankCoordinator::share(compute::CompileOptions& options) const {
    if (sharesSteps()) options.ranks = m_order->group;
}

Result<std::int64_t> RankCoordinator::agreed(compute::Executable* executable, std::int64_t own) const {
    if (!sharesSteps()) return own;
    ASSIGN(const auto rank, ranked(executable));
    return rank->valueOfRankZero(own);
}

Result<bool> RankCoordinator::shouldContinue(compute::Executable* executable, bool wanted) const {
    ASSIGN(const auto all, agreed(executable, wanted ? 1 : 0));
    return all == 1;
}

Result<void> RankCoordinator::keepBusy(const std::function<Result<double>()>& step,
                                       const std::function<bool()>& cancelled) const {
    if (auto ok = mark("sampled"); !ok) return ok;
    while (!allHaveBeen("sampled")) {
        if (cancelled()) return fail(ErrorKind::Cancelled, {}, messages::waitingCancelled());
        TRY(step());
    }
    return {};
}

Result<void> RankCoordinator::recordExchange(compute::Executable& executable, CaseRecord& record) const {
    if (!sharesSteps()) return {};
    ASSIGN(const auto rank, ranked(&executable));
    ASSIGN(const auto step, deviceSecondsOf(executable));
    ASSIGN(const auto times, rank->exchangeTimes());
    auto& use = record.parallel.emplace();
    use.computeSeconds = times.computeSeconds;
    use.exchangeSeconds = times.exchangeSeconds;  // may exceed the step, since it is launched separately here
    use.exposedSeconds = std::max(0.0, step - times.computeSeconds);
    use.exchangedBytes = times.bytes;
    use.exchanges = times.exchanges;
    return {};
}

Result<void> RankCoordinator::mark(const std::string& place) const {
    if (!isSideBySide()) return {};
    const auto file = markOf(m_order->group, place, m_order->group.rank);
    if (std::ofstream(file)) return {};
    return fail(ErrorKind::IoFailed, file.string());
}

bool RankCoordinator::allHaveBeen(const std::string& place) const {
    if (!isSideBySide()) return true;
    for (int rank = 0; rank < m_order->group.size; ++rank) {
        std::error_code ignored;
        if (!std::filesystem::exists(markOf(m_order->group, place, rank), ignored)) return false;
    }
    return true;
}

Result<void> RankCoordinator::barrier(const std::string& place, const std::function<bool()>& cancelled) const {
    if (auto ok = mark(place); !ok) return ok;
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!allHaveBeen(place)) {
        if (cancelled()) return fail(ErrorKind::Cancelled, {}, messages::waitingCancelled());
        if (std::chrono::steady_clock::now() > deadline)
            return fail(ErrorKind::TimedOut, {}, messages::devicesMissing());
        std::this_thread::sleep_for(kLook);
    }
    return {};
}

}  // namespace steelyard::bench
