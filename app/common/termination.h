// SPDX-License-Identifier: Apache-2.0
// Start-up of the programs, and how they end when they cannot continue: with a message and exit code 2 instead of
// a signal. Finished cases of a run are in the history by then.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>

namespace steelyard::app {

inline constexpr int kCannotGoOn = 2;

[[noreturn]] inline void exitWithMessage(const char* sentence, const char* detail = "") {
    for (const char* part : {"steelyard: ", sentence, detail, "\n"})
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, part, std::strlen(part));
    std::_Exit(kCannotGoOn);
}

// The main thread's stack grows up to the limit, which a shell may have set too low for deep calls in libraries.
inline void requireStack() {
    constexpr rlim_t kWanted = rlim_t{8} << 20, kLeast = rlim_t{1} << 20;
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kWanted) return;
    auto raised = limit;
    raised.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > kWanted ? kWanted : limit.rlim_max;
    if (::setrlimit(RLIMIT_STACK, &raised) == 0) limit = raised;
    if (limit.rlim_cur < kLeast) exitWithMessage("the stack limit is below 1 MiB: raise it with ulimit -s");
}

// Call once, at the start of main. An uncaught exception (in a destructor or thread) ends with a message; writing to a
// closed pipe or beyond the file size limit fails in that call instead of raising a signal.
inline void installTerminationHandlers() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    requireStack();
    static std::terminate_handler otherwise = nullptr;
    otherwise = std::set_terminate([] {
        if (const auto thrown = std::current_exception()) {
            try {
                std::rethrow_exception(thrown);
            } catch (const std::bad_alloc&) {
                exitWithMessage("out of memory");
            } catch (const std::exception& exception) {
                exitWithMessage("unexpected error: ", exception.what());
            } catch (...) {
            }
        }
        otherwise();
    });
}

}  // namespace steelyard::app
