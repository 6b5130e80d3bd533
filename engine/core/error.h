// SPDX-License-Identifier: Apache-2.0
// Expected failures as values. The engine does not address the user: an Error has a kind, a subject (a file, an
// argument, a device, a workload), and a technical detail. The window translates kind and detail (ui/text), the command
// line prints describe().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "engine/core/message.h"

namespace steelyard {

enum class ErrorKind {
    InvalidArgument,  // the caller's value is not acceptable; subject names the argument
    NotFound,         // file, workload, device, run does not exist
    Unsupported,      // not supported by this backend or machine; detail names the operation
    OutOfMemory,      // needed / available are set if known
    TimedOut,
    Cancelled,
    IoFailed,  // reading or writing failed; detail is the system's error message
    DiskFull,
    PermissionDenied,
    CorruptData,         // truncated, wrong magic number, bad checksum; offset is set if known
    VersionTooNew,       // a file of a newer program version; not modified
    Locked,              // another program holds the database
    ChildCrashed,        // the measuring process ended without a result
    BackendUnavailable,  // no card, no driver, driver too old, library missing: see detail
    Internal,            // unexpected failure of a third-party call
};

struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string subject;  // empty: the detail is complete
    Message detail;
    std::optional<std::int64_t> offset;          // byte offset in the subject file
    std::optional<std::int64_t> neededBytes;     // OutOfMemory, DiskFull
    std::optional<std::int64_t> availableBytes;  // OutOfMemory, DiskFull

    friend bool operator==(const Error&, const Error&) = default;
};

// A value or an Error. Functions that return one are marked [[nodiscard]]; the type itself cannot be.
template <typename T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

[[nodiscard]] inline Failure fail(ErrorKind kind, std::string subject, Message detail = {}) {
    return Failure(Error{kind, std::move(subject), std::move(detail), {}, {}, {}});
}

// Early returns. Both return the Error of a failed Result from the enclosing function, which must return a Result.
//   TRY(store.write(run));                          a Result whose value is not needed
//   ASSIGN(const auto plan, plan::lower(graph));    declares `plan` as the value in the current scope
#define TRY(...)                                                  \
    if (auto steelyardOutcome = (__VA_ARGS__); !steelyardOutcome) \
    return ::steelyard::Failure(std::move(steelyardOutcome).error())
#define ASSIGN(declaration, ...) STEELYARD_ASSIGN(STEELYARD_JOIN(steelyardResult, __LINE__), declaration, __VA_ARGS__)
#define STEELYARD_ASSIGN(result, declaration, ...)                       \
    auto result = (__VA_ARGS__);                                         \
    if (!result) return ::steelyard::Failure(std::move(result).error()); \
    declaration = *std::move(result)
#define STEELYARD_JOIN(a, b) STEELYARD_JOIN_EXPANDED(a, b)
#define STEELYARD_JOIN_EXPANDED(a, b) a##b

// Stable lower_snake name, used in JSON and the database.
[[nodiscard]] std::string_view toString(ErrorKind kind);
[[nodiscard]] std::optional<ErrorKind> errorKindFromString(std::string_view name);

// One sentence: what happened, to what, and the sizes if known.
[[nodiscard]] Message messageOf(const Error& error);
// The same in English.
[[nodiscard]] std::string describe(const Error& error);

// Maps an errno value to a kind (ENOSPC -> DiskFull, EACCES/EROFS -> PermissionDenied, ENOENT -> NotFound, else
// IoFailed).
[[nodiscard]] Error errorFromErrno(int errnoValue, std::string subject);

}  // namespace steelyard
