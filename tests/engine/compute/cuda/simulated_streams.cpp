// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/simulated_streams.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace steelyard::compute::cuda::test {

void StreamQueues::put(StreamItem item, Late late) {
    const auto stream = item.stream;
    m_queues[stream].push_back(std::move(item));
    const bool lags = stream == m_compute ? late == Late::Compute : late == Late::Others;
    if (!lags) drain(stream);
}

void StreamQueues::drain(Stream stream) {
    auto& queue = m_queues[stream];
    while (!queue.empty()) runFirst(queue);
}

void StreamQueues::drainAll() {
    for (auto& [stream, queue] : m_queues)
        while (!queue.empty()) runFirst(queue);
}

void StreamQueues::runFirst(std::deque<StreamItem>& queue) {
    const auto item = queue.front();
    if (item.waitsFor && !item.waitsFor->reached) reach(*item.waitsFor);
    queue.pop_front();
    if (item.work) m_run(item.work);
    if (item.reaches) item.reaches->reached = true;
}

void StreamQueues::reach(const Mark& mark) {
    for (auto& [stream, queue] : m_queues) {
        const bool here = std::any_of(queue.begin(), queue.end(),
                                      [&](const StreamItem& item) { return item.reaches.get() == &mark; });
        while (here && !mark.reached) runFirst(queue);
    }
    if (mark.reached) return;
    std::fputs("simulated device: a stream waits for what nobody does\n", stderr);
    std::abort();
}

}  // namespace steelyard::compute::cuda::test
