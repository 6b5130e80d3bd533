// SPDX-License-Identifier: Apache-2.0
#include "engine/core/error.h"

#include <array>
#include <cerrno>
#include <cstring>

#include "engine/core/messages/core.h"

namespace steelyard {
namespace {

struct KindText {
    ErrorKind kind;
    std::string_view name;
    MessagePattern<1> sentence;  // %1 is the subject
};

constexpr std::array kKinds{
    KindText{ErrorKind::InvalidArgument, "invalid_argument", messages::notValid},
    KindText{ErrorKind::NotFound, "not_found", messages::notFound},
    KindText{ErrorKind::Unsupported, "unsupported", messages::notSupported},
    KindText{ErrorKind::OutOfMemory, "out_of_memory", messages::noMemory},
    KindText{ErrorKind::TimedOut, "timed_out", messages::timedOut},
    KindText{ErrorKind::Cancelled, "cancelled", messages::cancelled},
    KindText{ErrorKind::IoFailed, "io_failed", messages::ioFailed},
    KindText{ErrorKind::DiskFull, "disk_full", messages::diskFull},
    KindText{ErrorKind::PermissionDenied, "permission_denied", messages::permissionDenied},
    KindText{ErrorKind::CorruptData, "corrupt_data", messages::corruptData},
    KindText{ErrorKind::VersionTooNew, "version_too_new", messages::versionTooNew},
    KindText{ErrorKind::Locked, "locked", messages::locked},
    KindText{ErrorKind::ChildCrashed, "child_crashed", messages::childCrashed},
    KindText{ErrorKind::BackendUnavailable, "backend_unavailable", messages::unavailable},
    KindText{ErrorKind::Internal, "internal", messages::unexpected},
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

Message messageOf(const Error& error) {
    if (error.subject.empty() && !error.detail.empty()) return error.detail;
    const auto sentence = textOf(error.kind).sentence;
    auto message = error.subject.empty() ? sentence(messages::theOperation()) : sentence(error.subject);
    if (error.neededBytes && error.availableBytes) {
        message = messages::withDetail(std::move(message),
                                       messages::needsHas(Bytes(*error.neededBytes), Bytes(*error.availableBytes)));
    }
    if (error.neededBytes && !error.availableBytes)
        message = messages::withDetail(std::move(message), messages::needs(Bytes(*error.neededBytes)));
    if (!error.detail.empty()) message = messages::withDetail(std::move(message), error.detail);
    if (error.offset) message = messages::atByte(std::move(message), *error.offset);
    return message;
}

std::string describe(const Error& error) {
    return messageOf(error).text;
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
        case EFBIG:
            return Error{ErrorKind::IoFailed, std::move(subject), messages::fileSizeLimit(), {}, {}, {}};
        case ENOMEM:
            kind = ErrorKind::OutOfMemory;
            break;
        default:
            break;
    }
    return Error{kind, std::move(subject), Message(std::strerror(errnoValue)), {}, {}, {}};
}

}  // namespace steelyard
