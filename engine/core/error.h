// SPDX-License-Identifier: Apache-2.0
// Expected failures as values. The engine never speaks to the user: an Error names what failed (kind), what it was
// about (subject: a file, an argument, a device, a workload), and a technical detail. The window translates kind and
// detail (ui/text), the command line prints describe().
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
    Unsupported,      // this backend or machine cannot do it; detail names the operation
    OutOfMemory,      // needed / available are set when known
    TimedOut,
    Cancelled,
    IoFailed,  // reading or writing failed; detail is the system's message
    DiskFull,
    PermissionDenied,
    CorruptData,         // truncated, wrong magic, bad checksum; offset is set when known
    VersionTooNew,       // a file of a later program version; left untouched
    Locked,              // another program holds the database
    ChildCrashed,        // the measuring process ended without a result
    BackendUnavailable,  // no card, no driver, driver too old, library missing: detail says which
    Internal,            // a third-party call failed in a way that should not happen
};

struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string subject;  // empty: the detail says all
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

// Early returns. Both hand the Error of a failed Result to the caller of the function they stand in, which returns a
// Result itself.
//   TRY(store.write(run));                          a Result whose value is of no interest
//   ASSIGN(const auto plan, plan::lower(graph));    declares `plan` as the value; the rest of the block uses it
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

// One sentence: what happened, to what, and the figures where there are any.
[[nodiscard]] Message messageOf(const Error& error);
// The same in English.
[[nodiscard]] std::string describe(const Error& error);

// Maps an errno value to a kind (ENOSPC -> DiskFull, EACCES/EROFS -> PermissionDenied, ENOENT -> NotFound, else
// IoFailed).
[[nodiscard]] Error errorFromErrno(int errnoValue, std::string subject);

}  // namespace steelyard
