// SPDX-License-Identifier: Apache-2.0
#include "engine/history/sqlite_error.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <utility>

namespace steelyard::history {
namespace {

// When extending the shared-memory file, SQLite reports a full disk as an I/O error.
bool isDiskFull(const std::string& file) {
    constexpr std::uint64_t kLittle = 64 * 1024;
    struct statvfs space {};
    const auto folder = std::filesystem::path(file).parent_path();
    if (::statvfs(folder.empty() ? "." : folder.c_str(), &space) != 0) return false;
    return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize < kLittle;
}

// Likewise if a file would exceed the process's file size limit; it is then short by a few pages.
bool isAtSizeLimit(const std::string& file) {
    constexpr std::uint64_t kLittle = 64 * 1024;
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
    for (const char* part : {"", "-wal", "-shm"}) {
        std::error_code none;
        const auto size = std::filesystem::file_size(file + part, none);
        if (!none && size + kLittle > limit.rlim_cur) return true;
    }
    return limit.rlim_cur < kLittle;
}

ErrorKind kindOf(int code, const std::string& subject) {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return ErrorKind::Locked;
        case SQLITE_FULL:
            return ErrorKind::DiskFull;
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_READONLY:
            return ErrorKind::PermissionDenied;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return ErrorKind::CorruptData;
        case SQLITE_INTERRUPT:
            return ErrorKind::TimedOut;
        case SQLITE_NOMEM:
            return ErrorKind::OutOfMemory;
        case SQLITE_IOERR:
        case SQLITE_CANTOPEN:
            return isDiskFull(subject) ? ErrorKind::DiskFull : ErrorKind::IoFailed;
        default:
            return ErrorKind::Internal;
    }
}

Error errorFromSqlite(const SQLite::Exception& exception, const std::string& subject) {
    const int code = exception.getExtendedErrorCode() > 0 ? exception.getExtendedErrorCode() : exception.getErrorCode();
    std::string detail = exception.what();
    if ((code & 0xff) == SQLITE_IOERR && isAtSizeLimit(subject)) detail = errorFromErrno(EFBIG, {}).detail.text;
    return Error{kindOf(code, subject), subject, Message(std::move(detail)), {}, {}, {}};
}

}  // namespace

Error errorFromCurrentException(const std::string& subject) {
    try {
        throw;
    } catch (const SQLite::Exception& exception) {
        return errorFromSqlite(exception, subject);
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::OutOfMemory, subject, {}, {}, {}, {}};
    } catch (const std::exception& exception) {
        return Error{ErrorKind::Internal, subject, Message(exception.what()), {}, {}, {}};
    }
}

}  // namespace steelyard::history
