// SPDX-License-Identifier: Apache-2.0
// A program whose memory runs out where nobody can catch it (in a destructor, in a thread) ends with a sentence and
// exit code 2 instead of an abort. Finished cases of a run are in the history by then.
#pragma once

#include <cstdlib>
#include <exception>
#include <new>

#include <unistd.h>

namespace steelyard::app {

inline constexpr int kOutOfMemoryExitCode = 2;

[[noreturn]] inline void sayThatMemoryEnded() {
    constexpr char kSentence[] = "steelyard: there is not enough memory to go on\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
    std::_Exit(kOutOfMemoryExitCode);
}

// Once, at the start of main.
inline void endInWordsWithoutMemory() {
    static std::terminate_handler otherwise = nullptr;
    otherwise = std::set_terminate([] {
        if (const auto thrown = std::current_exception()) {
            try {
                std::rethrow_exception(thrown);
            } catch (const std::bad_alloc&) {
                sayThatMemoryEnded();
            } catch (...) {
            }
        }
        otherwise();
    });
}

}  // namespace steelyard::app
