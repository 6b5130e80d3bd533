// SPDX-License-Identifier: Apache-2.0
// The streams of a simulated device. Each preserves its order, and a wait does not pass before its mark; otherwise the
// order is free, and the lagging stream delays its work until it is needed. This exercises the most adverse order
// permitted on a real device.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "engine/compute/cuda/execute/device_runtime.h"

namespace steelyard::compute::cuda::test {

// Which stream lags: none, the runtime's, or those created additionally.
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
    // run: executes one item of work.
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
