// SPDX-License-Identifier: Apache-2.0
// Runs a test as each rank of a group of threads.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "engine/compute/parallel/host_communicator.h"
#include "tests/engine/compute/parallel/thread_group.h"

namespace steelyard::compute::testing {

template <typename Function>
void asRanks(int size, Function function, const HostTimeouts& timeouts = {}) {
    ThreadMeeting meeting(size);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            auto communicator = HostCommunicator::start([&] { return meeting.join(rank); }, timeouts);
            ASSERT_TRUE(communicator) << communicator.error().detail;
            function(*communicator);
        });
    for (auto& thread : threads) thread.join();
}

}  // namespace steelyard::compute::testing
