// SPDX-License-Identifier: Apache-2.0
// Times candidates for the same work, once per shape, or takes cached results (kernel_cache.h). A backend owns one
// Tuner; any thread may use it. Trials run on the OpenMP threads of the calling thread, in memory that they allocate.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/kernel_cache.h"

namespace steelyard::compute::cpu {

// Runs the work of one candidate. Created on demand, since it holds memory. `cold` is evicted from the caches before
// each run: what a step reads from memory, such as the weights of a large network.
class Trial {
public:
    // Implicit, so that a function can return a lambda as a trial.
    template <class Run>
    requires(std::is_invocable_v<Run&> && !std::is_same_v<std::decay_t<Run>, Trial>)
        Trial(Run run, std::vector<dnnl::memory> cold = {})
        : m_run(std::move(run)), m_cold(std::move(cold)) {}

    void operator()() const { m_run(); }
    void evict() const;

private:
    std::function<void()> m_run;
    std::vector<dnnl::memory> m_cold;
};
using TrialMaker = std::function<Trial()>;

class Tuner {
public:
    Tuner() = default;
    explicit Tuner(KernelChoices remembered) : m_known(std::move(remembered)) {}
    // A tuner without trials, for computing sizes: it uses what this one has found, otherwise the first candidate.
    [[nodiscard]] Tuner withoutTrials() const;
    [[nodiscard]] bool tries() const { return m_tries; }

    // What was chosen for a key, if anything.
    [[nodiscard]] std::optional<Choice> known(const std::string& key) const;

    // The fastest of the candidates (at least one); `key` identifies the work, the shape and the number of threads. A
    // single candidate is timed too, so that sums over choices can be compared. The choice for a key never changes, so
    // that what was verified is what is timed. Candidates are created for each trial. If the first has an advantage
    // that trials do not show, it is chosen unless another is more than `favour` times as fast. Disturbed runs are
    // repeated, for some seconds over the life of the tuner; later choices are marked as uncertain.
    [[nodiscard]] Choice fastest(const std::string& key, const std::vector<TrialMaker>& candidates, double favour = 1);

    // Stores a key without a choice, such as the name of a step.
    void note(const std::string& key);

    // Choices and notes added since the last call.
    [[nodiscard]] KernelChoices takeNews();

private:
    Tuner(KernelChoices known, bool tries) : m_tries(tries), m_known(std::move(known)) {}

    bool m_tries = true;
    double m_disturbedSeconds = 0;  // spent in disturbed runs
    mutable std::mutex m_mutex;
    KernelChoices m_known;
    KernelChoices m_news;
};

// Newly allocated memory, zeroed.
[[nodiscard]] dnnl::memory trialMemory(const Desc& desc, const dnnl::engine& engine);

// Runs a primitive on newly allocated memory; the scratchpad is added to the arguments. `cold`: arguments to evict.
[[nodiscard]] Trial primitiveTrial(const dnnl::primitive& primitive, const dnnl::engine& engine,
                                   const std::vector<std::pair<int, Desc>>& arguments, const Desc& scratchpad,
                                   const std::vector<int>& cold = {});

}  // namespace steelyard::compute::cpu
