// SPDX-License-Identifier: Apache-2.0
#include "engine/history/sqlite_error.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <new>

namespace steelyard::history {
namespace {

// SQLite reports a full disk as an I/O error where it enlarges the shared-memory file.
bool isDiskFull(const std::string& file) {
    constexpr std::uint64_t kLittle = 64 * 1024;
    struct statvfs space {};
    const auto folder = std::filesystem::path(file).parent_path();
    if (::statvfs(folder.empty() ? "." : folder.c_str(), &space) != 0) return false;
    return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize < kLittle;
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
    return Error{kindOf(code, subject), subject, exception.what(), {}, {}, {}};
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
        return Error{ErrorKind::Internal, subject, exception.what(), {}, {}, {}};
    }
}

}  // namespace steelyard::history
