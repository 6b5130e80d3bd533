// SPDX-License-Identifier: Apache-2.0
#include "engine/core/address_space.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/sanitized.h"

namespace steelyard {
namespace {

// In a separate process, since a limit cannot be raised again. Exit code 0: the result is correct.
int checkUnderLimit(int resource, std::int64_t room) {
    const pid_t child = ::fork();
    if (child == 0) {
        rlimit limit{};
        ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
        // Far more than any process uses here, so that the remaining space is close to the limit.
        limit.rlim_cur = static_cast<rlim_t>(room);
        if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) ::_exit(2);
        const auto left = addressSpaceLeft();
        if (!left || *left <= 0 || *left > room) ::_exit(3);
        // Allocating more than the remaining space fails, most of it succeeds.
        const auto map = [](std::int64_t bytes) {
            return ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
        };
        if (map(*left + (std::int64_t{16} << 20))) ::_exit(4);
        if (!map(*left - (std::int64_t{16} << 20))) ::_exit(5);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

TEST(AddressSpace, IsUnlimitedOrWhatTheLimitLeaves) {
    rlimit space{}, data{};
    ::getrlimit(RLIMIT_AS, &space);
    ::getrlimit(RLIMIT_DATA, &data);
    if (space.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY) {
        EXPECT_FALSE(addressSpaceLeft());
    }
#if STEELYARD_SANITIZED
    GTEST_SKIP() << "sanitizers reserve the address space";
#else
    EXPECT_EQ(checkUnderLimit(RLIMIT_AS, std::int64_t{4} << 30), 0);
    EXPECT_EQ(checkUnderLimit(RLIMIT_DATA, std::int64_t{4} << 30), 0);
#endif
}

}  // namespace
}  // namespace steelyard
