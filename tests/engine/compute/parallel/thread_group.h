// SPDX-License-Identifier: Apache-2.0
// A HostGroup whose processes are threads of the test.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "engine/compute/parallel/host_group.h"

namespace steelyard::compute::testing {

class ThreadMeeting {
public:
    explicit ThreadMeeting(int size);
    ~ThreadMeeting();
    // Waits for the other ranks.
    [[nodiscard]] Result<std::unique_ptr<HostGroup>> join(int rank);
    // Without waiting: its peers never arrive.
    [[nodiscard]] Result<std::unique_ptr<HostGroup>> joinAlone(int rank);
    // Fails all waiting and future calls.
    void breakUp();

private:
    struct Place;
    class Member;
    std::shared_ptr<Place> m_place;
};

}  // namespace steelyard::compute::testing
