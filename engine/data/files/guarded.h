// SPDX-License-Identifier: Apache-2.0
// Converts exceptions of the standard library (out of memory, file system) to Errors. Internal to
// engine/data.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "engine/core/error.h"

namespace steelyard::data {

// Calls `work`, which returns a Result; an exception becomes an Error about `subject`.
template <typename Work>
[[nodiscard]] auto guarded(const std::string& subject, Work&& work) -> decltype(work()) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::OutOfMemory, subject);
    } catch (const std::exception& problem) {
        return fail(ErrorKind::Internal, subject, Message(problem.what()));
    }
}

}  // namespace steelyard::data
