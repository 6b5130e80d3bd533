// SPDX-License-Identifier: Apache-2.0
// Private to this folder: converts SQLiteCpp's exceptions to Errors.
#pragma once

#include <string>
#include <type_traits>

#include "engine/core/error.h"

namespace steelyard::history {

// To be called in a catch block only. `subject` is the path of the database file.
[[nodiscard]] Error errorFromCurrentException(const std::string& subject);

// Calls `body`, which returns a Result, and converts exceptions to an Error.
template <typename Body>
[[nodiscard]] std::invoke_result_t<Body> guarded(const std::string& subject, Body body) {
    try {
        return body();
    } catch (...) {
        return Failure(errorFromCurrentException(subject));
    }
}

}  // namespace steelyard::history
