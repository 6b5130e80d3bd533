// SPDX-License-Identifier: Apache-2.0
#include "engine/history/connection.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>

#include "engine/core/messages/history.h"
#include "engine/history/sqlite_error.h"

namespace steelyard::history {
namespace {

namespace fs = std::filesystem;

// "The SQLite Database File Format", section 1.3: the header, big-endian.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;
constexpr std::string_view kMagic("SQLite format 3\0", 16);

std::uint32_t bigEndian(const std::array<char, kHeaderBytes>& header, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(header[offset + i]);
    return value;
}

bool isAccessible(const fs::path& path, int mode) {
    return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

Result<void> checkRights(const fs::path& file) {
    std::error_code error;
    auto folder = file.parent_path();
    if (folder.empty()) folder = ".";
    fs::create_directories(folder, error);
    if (error) return Failure(errorFromErrno(error.value(), folder.string()));
    if (!isAccessible(folder, W_OK | X_OK)) return Failure(errorFromErrno(errno, folder.string()));
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        if (errno == ENOENT) return {};
        return Failure(errorFromErrno(errno, file.string()));
    }
    if (!S_ISREG(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), messages::notRegular());
    if (!isAccessible(file, R_OK | W_OK)) return Failure(errorFromErrno(errno, file.string()));
    return {};
}

// The first bytes of the file and how many there are; 0 when it does not exist. Read through SQLite's own layer:
// closing any other descriptor of the file would drop the locks that this process's connections hold on it, and another
// process could then take the log away under them ("How To Corrupt An SQLite Database File", section 2.2).
std::size_t readHeader(const fs::path& file, std::array<char, kHeaderBytes>& header) {
    auto* vfs = sqlite3_vfs_find(nullptr);
    if (vfs == nullptr) return 0;
    const std::unique_ptr<const char, void (*)(const char*)> name(
        sqlite3_create_filename(fs::absolute(file).c_str(), "", "", 0, nullptr),
        [](const char* n) { sqlite3_free_filename(n); });
    if (name == nullptr) return 0;
    const auto words = static_cast<std::size_t>(vfs->szOsFile) / sizeof(std::max_align_t) + 1;
    const auto memory = std::make_unique<std::max_align_t[]>(words);
    auto* handle = reinterpret_cast<sqlite3_file*>(memory.get());
    int flags = 0;
    std::size_t count = 0;
    if (vfs->xOpen(vfs, name.get(), handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, &flags) == SQLITE_OK) {
        sqlite3_int64 size = 0;
        const auto wanted = static_cast<int>(kHeaderBytes);
        const int status = handle->pMethods->xRead(handle, header.data(), wanted, 0);
        const bool read = status == SQLITE_OK || status == SQLITE_IOERR_SHORT_READ;
        if (read && handle->pMethods->xFileSize(handle, &size) == SQLITE_OK)
            count = std::min(kHeaderBytes, static_cast<std::size_t>(size));
    }
    if (handle->pMethods != nullptr) handle->pMethods->xClose(handle);
    return count;
}

// The header in the file may be older than the newest commits (they may still be in the write-ahead log), so this only
// refuses what is certain; migrate() looks again.
Result<void> checkHeader(const fs::path& file, int latest) {
    std::array<char, kHeaderBytes> header{};
    const auto count = readHeader(file, header);
    if (count == 0) return {};  // new, or empty
    const auto magicBytes = std::min(count, kMagic.size());
    if (std::string_view(header.data(), magicBytes) != kMagic.substr(0, magicBytes) || count < kHeaderBytes) {
        return fail(ErrorKind::CorruptData, file.string(), messages::notADatabase());
    }
    const auto applicationId = bigEndian(header, kApplicationIdOffset);
    const auto version = static_cast<std::int32_t>(bigEndian(header, kUserVersionOffset));
    if (applicationId != 0 && applicationId != static_cast<std::uint32_t>(kApplicationId)) {
        return fail(ErrorKind::InvalidArgument, file.string(), messages::otherApplication());
    }
    if (applicationId != 0 && version > latest) {
        return fail(ErrorKind::VersionTooNew, file.string(), messages::schemaTooNew(version, latest));
    }
    return {};
}

std::string textPragma(SQLite::Database& database, const std::string& sql) {
    SQLite::Statement query(database, sql);
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
}

// Switching needs the file for itself for a moment, and SQLite does not wait for that by itself.
void useWriteAheadLog(SQLite::Database& database, std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (true) {
        try {
            if (textPragma(database, "PRAGMA journal_mode = WAL") == "wal") return;
        } catch (const SQLite::Exception& exception) {
            if (exception.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline) throw;
        }
        // Some file systems cannot share memory; the rollback journal is slower and as safe.
        if (std::chrono::steady_clock::now() > deadline) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void limitSize(SQLite::Database& database, std::int64_t maximumBytes) {
    const auto pageBytes = std::stoll(textPragma(database, "PRAGMA page_size"));
    (void)textPragma(database, fmt::format("PRAGMA max_page_count = {}", std::max(1LL, maximumBytes / pageBytes)));
}

}  // namespace

Result<std::unique_ptr<SQLite::Database>> openDatabase(const fs::path& file, const OpenOptions& options,
                                                       std::span<const Migration> migrations) {
    const auto subject = file.string();
    return guarded(subject, [&]() -> Result<std::unique_ptr<SQLite::Database>> {
        if (subject.empty()) return fail(ErrorKind::InvalidArgument, {}, messages::noName());
        TRY(checkRights(file));
        TRY(checkHeader(file, latestVersion(migrations)));
        auto database = std::make_unique<SQLite::Database>(subject, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                                           static_cast<int>(options.busyTimeout.count()));
        database->exec("PRAGMA foreign_keys = ON");
        database->exec("PRAGMA trusted_schema = OFF");  // a file from elsewhere may carry views and triggers
        if (options.maximumBytes) limitSize(*database, *options.maximumBytes);
        if (auto migration = migrate(*database, migrations); migration.error) return Failure(*migration.error);
        useWriteAheadLog(*database, options.busyTimeout);
        // In WAL the default survives a killed process but may lose the last commits in a power cut; one
        // synchronisation for each finished case costs nothing.
        database->exec("PRAGMA synchronous = FULL");
        return database;
    });
}

}  // namespace steelyard::history
