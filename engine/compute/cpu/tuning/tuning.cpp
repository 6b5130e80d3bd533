// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/tuning.h"

#include <emmintrin.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/compute/cpu/compile/arena.h"
#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

constexpr int kRuns = 2;
constexpr double kLongRun = 5e-3;     // s; long enough that a single run suffices
constexpr double kVeryLongRun = 0.1;  // s; allocations in the first run are negligible
constexpr int kMostRuns = 6;          // including disturbed ones
constexpr double kMostSeconds = 1;
constexpr double kHopeless = 1.3;  // a first run this much slower than the best is not repeated

// On a virtual machine, another guest on the core's second hardware thread may double run times for some hundred
// milliseconds, which the guest cannot detect. All candidates are therefore tried again later until each is as fast as
// before.
constexpr int kTrialRounds = 3;
constexpr double kSteady = 1.1;
constexpr double kTooSlow = 2.5;  // relative to the best; not tried again

// Harmless preemptions per second: kernel work costs little. Another program on the same core causes several hundred.
constexpr double kHarmlessPreemptions = 50;

// Limit on the total time of disturbed runs: otherwise a program that computes all the time would delay the case until
// its time limit.
constexpr double kMostDisturbedSeconds = 8;

struct Timing {
    double seconds = 0;
    bool disturbed = false;
};

// Number of involuntary context switches of this process.
long preemptions() {
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

// Runs the trial; adds time disturbed by other programs to `disturbedSeconds`.
Timing timed(const Trial& trial, double& disturbedSeconds) {
    trial.evict();
    const auto before = preemptions();
    const auto start = std::chrono::steady_clock::now();
    trial();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool disturbed = static_cast<double>(preemptions() - before) > kHarmlessPreemptions * seconds;
    if (disturbed) disturbedSeconds += seconds;
    return {seconds, disturbed};
}

// The shortest run. Runs preempted by other programs are repeated, up to a limit.
Choice shortest(const Trial& trial, double best, double& disturbedSeconds) {
    Choice result{0, std::numeric_limits<double>::infinity(), false};
    double spent = 0;
    for (int run = 0, quiet = 0; run < kMostRuns && quiet < kRuns && spent < kMostSeconds; ++run) {
        const auto timing = timed(trial, disturbedSeconds);
        spent += timing.seconds;
        result.seconds = std::min(result.seconds, timing.seconds);
        if (timing.disturbed && disturbedSeconds > kMostDisturbedSeconds) break;
        if (timing.disturbed) continue;
        ++quiet;
        result.certain = true;
        if (timing.seconds >= kLongRun || result.seconds > kHopeless * best) break;
    }
    return result;
}

bool faster(const Choice& left, const Choice& right) {
    return left.seconds < right.seconds;
}

// Repeats candidates that may still be the fastest; whether all took as long as before.
bool tryAgain(const std::vector<TrialMaker>& candidates, std::vector<Choice>& tried, double& disturbedSeconds) {
    bool steady = true;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const double best = std::min_element(tried.begin(), tried.end(), faster)->seconds;
        const double before = tried[i].seconds;
        if (std::isfinite(before) && before > kTooSlow * best) continue;
        const auto trial = candidates[i]();
        const auto first = timed(trial, disturbedSeconds);  // triggers lazy initialization
        const bool counts = first.seconds >= kVeryLongRun && !first.disturbed;
        const auto now = counts ? Choice{0, first.seconds, true} : shortest(trial, best, disturbedSeconds);
        tried[i].seconds = std::min(before, now.seconds);
        tried[i].certain = tried[i].certain || now.certain;
        steady = steady && std::max(before, now.seconds) <= kSteady * tried[i].seconds;
    }
    return steady;
}

Choice fastestOf(const std::vector<TrialMaker>& candidates, double favour, double& disturbedSeconds) {
    std::vector<Choice> tried;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        tried.push_back({static_cast<int>(i), std::numeric_limits<double>::infinity(), false});
    for (int round = 0; round < kTrialRounds && !tryAgain(candidates, tried, disturbedSeconds); ++round)
        if (disturbedSeconds > kMostDisturbedSeconds) break;
    auto best = *std::min_element(tried.begin(), tried.end(), faster);
    if (tried.front().seconds <= favour * best.seconds) best = tried.front();
    best.certain = std::all_of(tried.begin(), tried.end(), [](const Choice& choice) { return choice.certain; });
    return best;
}

}  // namespace

void Trial::evict() const {
    constexpr std::size_t kLine = 64;
    for (const auto& memory : m_cold) {
        const auto* data = static_cast<const std::byte*>(memory.get_data_handle());
        for (std::size_t byte = 0; byte < memory.get_desc().get_size(); byte += kLine) _mm_clflush(data + byte);
    }
    _mm_mfence();
}

Tuner Tuner::withoutTrials() const {
    const std::lock_guard lock(m_mutex);
    return {m_known, false};
}

std::optional<Choice> Tuner::known(const std::string& key) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_known.find(key);
    if (found == m_known.end()) return std::nullopt;
    return found->second;
}

Choice Tuner::fastest(const std::string& key, const std::vector<TrialMaker>& candidates, double favour) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(key); known != m_known.end())
        if (std::cmp_less(known->second.index, candidates.size())) return known->second;
    if (!m_tries) return {};
    const auto best = fastestOf(candidates, favour, m_disturbedSeconds);
    return m_known[key] = m_news[key] = best;
}

void Tuner::note(const std::string& key) {
    const std::lock_guard lock(m_mutex);
    const Choice noted{0, 0, true};
    if (m_known.emplace(key, noted).second) m_news[key] = noted;
}

KernelChoices Tuner::takeNews() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_news, {});
}

dnnl::memory trialMemory(const Desc& desc, const dnnl::engine& engine) {
    dnnl::memory memory(desc, engine);
    // Huge pages, as for a step's tensors. Untouched pages would all map to the zero page, which stays in the cache.
    auto* data = static_cast<std::byte*>(memory.get_data_handle());
    const auto bytes = static_cast<std::int64_t>(desc.get_size());
    adviseHugePages(data, bytes);
    parallelRanges(bytes, [data](std::int64_t begin, std::int64_t end) {
        std::memset(data + begin, 0, static_cast<std::size_t>(end - begin));
    });
    return memory;
}

Trial primitiveTrial(const dnnl::primitive& primitive, const dnnl::engine& engine,
                     const std::vector<std::pair<int, Desc>>& arguments, const Desc& scratchpad,
                     const std::vector<int>& cold) {
    std::unordered_map<int, dnnl::memory> memories;
    for (const auto& [argument, desc] : arguments)
        if (desc.get_size() > 0) memories.emplace(argument, trialMemory(desc, engine));
    if (scratchpad.get_size() > 0) memories.emplace(DNNL_ARG_SCRATCHPAD, trialMemory(scratchpad, engine));
    std::vector<dnnl::memory> evicted;
    for (const int argument : cold) evicted.push_back(memories.at(argument));
    return {[primitive, memories = std::move(memories), stream = dnnl::stream(engine)] {
                primitive.execute(stream, memories);
            },
            std::move(evicted)};
}

}  // namespace steelyard::compute::cpu
