// SPDX-License-Identifier: Apache-2.0
// Which of several ways to do the same work is fastest here, found by trying once per shape, or remembered from an
// earlier process (kernel_cache.h). A backend owns one; any thread. Trials run on the calling thread's OpenMP threads,
// on memory of their own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/kernel_cache.h"

namespace steelyard::compute::cpu {

// One way: performs the work each time it is called. Made only when it is needed, since it holds memory.
using Trial = std::function<void()>;
using TrialMaker = std::function<Trial()>;

class Tuner {
public:
    Tuner() = default;
    explicit Tuner(KernelChoices remembered) : m_known(std::move(remembered)) {}
    // For where only sizes matter: with what this one has found, and the first candidate where it has found nothing.
    [[nodiscard]] Tuner untrying() const;

    // The fastest of the candidates; `key` names the work, the shape and the number of threads. A single candidate is
    // measured too, so that sums of choices can be compared. At least one candidate. One choice for the life of the
    // tuner, so that what was verified is what is timed. Candidates are made anew each time they are tried. Where the
    // first has a merit that a trial does not see, it is taken unless another is more than `favour` times as fast.
    [[nodiscard]] Choice fastest(const std::string& key, const std::vector<TrialMaker>& candidates, double favour = 1);

    // Something to remember beside the choices; `key` names no work.
    void note(const std::string& key);

    // What was tried or noted since the last call.
    [[nodiscard]] KernelChoices takeNews();

private:
    Tuner(KernelChoices known, bool tries) : m_tries(tries), m_known(std::move(known)) {}

    bool m_tries = true;
    mutable std::mutex m_mutex;
    KernelChoices m_known;
    KernelChoices m_news;
};

// Zeroed memory of its own.
[[nodiscard]] dnnl::memory trialMemory(const Desc& desc, const dnnl::engine& engine);

// Runs a primitive on memory of its own; the scratchpad is added.
[[nodiscard]] Trial primitiveTrial(const dnnl::primitive& primitive, const dnnl::engine& engine,
                                   const std::vector<std::pair<int, Desc>>& arguments, const Desc& scratchpad);

}  // namespace steelyard::compute::cpu
