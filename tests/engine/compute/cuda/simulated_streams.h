// SPDX-License-Identifier: Apache-2.0
// The streams of a simulated device. Each keeps its own order, and a wait is not passed before its mark; beyond that
// the order is free, and the late stream takes all the freedom there is: it does nothing until somebody must have it.
// So what a real device may do in any order is done in the most inconvenient one.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "engine/compute/cuda/execute/device_runtime.h"

namespace steelyard::compute::cuda::test {

// Which stream lags behind: none, the one of the runtime, or those created beside it.
enum class Late { Nothing, Compute, Others };

struct Mark {
    bool reached = false;
};

struct StreamItem {
    std::function<void()> work;      // empty for a wait
    std::shared_ptr<Mark> reaches;   // or null
    std::shared_ptr<Mark> waitsFor;  // or null
    Stream stream = nullptr;
};

class StreamQueues {
public:
    using Run = std::function<void(const std::function<void()>&)>;
    // run: executes one piece of work.
    StreamQueues(Stream compute, Run run) : m_compute(compute), m_run(std::move(run)) {}
    void put(StreamItem item, Late late);
    void drain(Stream stream);
    void drainAll();

private:
    void runFirst(std::deque<StreamItem>& queue);
    void reach(const Mark& mark);

    Stream m_compute;
    Run m_run;
    std::map<Stream, std::deque<StreamItem>> m_queues;
};

}  // namespace steelyard::compute::cuda::test
