// SPDX-License-Identifier: Apache-2.0
// Times the candidates for the same work, once per shape, or takes what an earlier process found (kernel_cache.h). A
// backend owns one Tuner; any thread may use it. Trials run on the OpenMP threads of the calling thread, on memory that
// they allocate themselves.
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

// Performs the work of one candidate each time it is called. Made only when it is needed, since it holds memory.
using Trial = std::function<void()>;
using TrialMaker = std::function<Trial()>;

class Tuner {
public:
    Tuner() = default;
    explicit Tuner(KernelChoices remembered) : m_known(std::move(remembered)) {}
    // A tuner that runs no trials, for where only sizes matter: it knows what this one has found, and takes the first
    // candidate for everything else.
    [[nodiscard]] Tuner untrying() const;

    // The fastest of the candidates, of which there is at least one; `key` names the work, the shape and the number of
    // threads. A single candidate is timed too, so that sums of choices can be compared. The choice for a key does not
    // change during the life of the tuner, so that what was verified is what is timed. Candidates are made anew each
    // time they are tried. Where the first has an advantage that a trial does not show, it is taken unless another is
    // more than `favour` times as fast. Runs that other programs disturbed are repeated, for some seconds in the life
    // of the tuner; a choice made after that is not certain.
    [[nodiscard]] Choice fastest(const std::string& key, const std::vector<TrialMaker>& candidates, double favour = 1);

    // Stores a key that stands for no choice, such as the name of a step.
    void note(const std::string& key);

    // The choices and notes that were added since the last call.
    [[nodiscard]] KernelChoices takeNews();

private:
    Tuner(KernelChoices known, bool tries) : m_tries(tries), m_known(std::move(known)) {}

    bool m_tries = true;
    double m_disturbedSeconds = 0;  // spent in runs that other programs disturbed
    mutable std::mutex m_mutex;
    KernelChoices m_known;
    KernelChoices m_news;
};

// Newly allocated memory, filled with zeros.
[[nodiscard]] dnnl::memory trialMemory(const Desc& desc, const dnnl::engine& engine);

// Runs a primitive on newly allocated memory; the scratchpad is added to the arguments.
[[nodiscard]] Trial primitiveTrial(const dnnl::primitive& primitive, const dnnl::engine& engine,
                                   const std::vector<std::pair<int, Desc>>& arguments, const Desc& scratchpad);

}  // namespace steelyard::compute::cpu
