// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace steelyard::compute::cpu {
namespace {

constexpr int kRuns = 3;
constexpr double kHopeless = 1.3;  // a first run this much slower than the best is not repeated

double secondsOf(const Trial& trial) {
    const auto start = std::chrono::steady_clock::now();
    trial();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Choice Tuner::fastest(const std::string& key, const std::vector<TrialMaker>& candidates) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    Choice best{0, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto trial = candidates[i]();
        trial();  // creates what is created lazily
        double seconds = std::numeric_limits<double>::infinity();
        for (int run = 0; run < kRuns; ++run) {
            seconds = std::min(seconds, secondsOf(trial));
            if (seconds > kHopeless * best.seconds) break;
        }
        if (seconds < best.seconds) best = {static_cast<int>(i), seconds};
    }
    return m_known[key] = best;
}

dnnl::memory trialMemory(const Desc& desc, const dnnl::engine& engine) {
    dnnl::memory memory(desc, engine);
    // Untouched pages would all be one page of zeros, always in the cache.
    std::memset(memory.get_data_handle(), 0, desc.get_size());
    return memory;
}

Trial primitiveTrial(const dnnl::primitive& primitive, const dnnl::engine& engine,
                     const std::vector<std::pair<int, Desc>>& arguments, const Desc& scratchpad) {
    std::unordered_map<int, dnnl::memory> memories;
    for (const auto& [argument, desc] : arguments)
        if (desc.get_size() > 0) memories.emplace(argument, trialMemory(desc, engine));
    if (scratchpad.get_size() > 0) memories.emplace(DNNL_ARG_SCRATCHPAD, trialMemory(scratchpad, engine));
    return [primitive, memories = std::move(memories), stream = dnnl::stream(engine)] {
        primitive.execute(stream, memories);
    };
}

}  // namespace steelyard::compute::cpu
