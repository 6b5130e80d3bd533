// SPDX-License-Identifier: Apache-2.0
#include "engine/core/error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "engine/core/units.h"

namespace steelyard {
namespace {

struct KindText {
    ErrorKind kind;
    std::string_view name;
    std::string_view sentence;  // {} is the subject
};

constexpr std::array kKinds{
    KindText{ErrorKind::InvalidArgument, "invalid_argument", "{} is not valid"},
    KindText{ErrorKind::NotFound, "not_found", "{} was not found"},
    KindText{ErrorKind::Unsupported, "unsupported", "{} is not supported here"},
    KindText{ErrorKind::OutOfMemory, "out_of_memory", "{} does not fit into memory"},
    KindText{ErrorKind::TimedOut, "timed_out", "{} took longer than its time limit"},
    KindText{ErrorKind::Cancelled, "cancelled", "{} was cancelled"},
    KindText{ErrorKind::IoFailed, "io_failed", "{} could not be read or written"},
    KindText{ErrorKind::DiskFull, "disk_full", "the disk is full, {} could not be written"},
    KindText{ErrorKind::PermissionDenied, "permission_denied", "access to {} is not permitted"},
    KindText{ErrorKind::CorruptData, "corrupt_data", "{} is damaged or not of the expected format"},
    KindText{ErrorKind::VersionTooNew, "version_too_new", "{} was written by a newer version of this program"},
    KindText{ErrorKind::Locked, "locked", "{} is in use by another program"},
    KindText{ErrorKind::ChildCrashed, "child_crashed", "the measuring process of {} ended unexpectedly"},
    KindText{ErrorKind::BackendUnavailable, "backend_unavailable", "{} is not available"},
    KindText{ErrorKind::Internal, "internal", "an unexpected failure in {}"},
};

const KindText& textOf(ErrorKind kind) {
    for (const auto& entry : kKinds) {
        if (entry.kind == kind) return entry;
    }
    return kKinds.back();
}

}  // namespace

std::string_view toString(ErrorKind kind) {
    return textOf(kind).name;
}

std::optional<ErrorKind> errorKindFromString(std::string_view name) {
    for (const auto& entry : kKinds) {
        if (entry.name == name) return entry.kind;
    }
    return std::nullopt;
}

std::string describe(const Error& error) {
    const auto subject = error.subject.empty() ? std::string("the operation") : error.subject;
    auto text = fmt::format(fmt::runtime(textOf(error.kind).sentence), subject);
    if (error.neededBytes && error.availableBytes) {
        text += fmt::format(": needs {}, has {}", formatBytes(Bytes(*error.neededBytes)),
                            formatBytes(Bytes(*error.availableBytes)));
    }
    if (!error.detail.empty()) text += ": " + error.detail;
    if (error.offset) text += fmt::format(" (at byte {})", *error.offset);
    return text;
}

Error errorFromErrno(int errnoValue, std::string subject) {
    auto kind = ErrorKind::IoFailed;
    switch (errnoValue) {
        case ENOSPC:
        case EDQUOT:
            kind = ErrorKind::DiskFull;
            break;
        case EACCES:
        case EPERM:
        case EROFS:
            kind = ErrorKind::PermissionDenied;
            break;
        case ENOENT:
            kind = ErrorKind::NotFound;
            break;
        case ENOMEM:
            kind = ErrorKind::OutOfMemory;
            break;
        default:
            break;
    }
    return Error{kind, std::move(subject), std::strerror(errnoValue), {}, {}, {}};
}

}  // namespace steelyard
