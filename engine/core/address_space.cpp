// SPDX-License-Identifier: Apache-2.0
#include "engine/core/address_space.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace steelyard {

std::optional<std::int64_t> addressSpaceLeft() {
    // Pages of the whole address space and, sixth, of data and stack (proc(5), statm).
    std::int64_t pages[6]{};
    std::ifstream statm("/proc/self/statm");
    for (auto& count : pages) statm >> count;
    const std::int64_t page = ::sysconf(_SC_PAGESIZE);
    std::optional<std::int64_t> left;
    for (const auto& [resource, used] : {std::pair{RLIMIT_AS, pages[0]}, std::pair{RLIMIT_DATA, pages[5]}}) {
        rlimit limit{};
        if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
        const auto free = std::max<std::int64_t>(static_cast<std::int64_t>(limit.rlim_cur) - used * page, 0);
        left = std::min(left.value_or(free), free);
    }
    return left;
}

}  // namespace steelyard
