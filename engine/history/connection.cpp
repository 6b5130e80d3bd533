// SPDX-License-Identifier: Apache-2.0
#include "engine/history/connection.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "engine/core/file_io.h"
#include "engine/core/messages/core.h"
#include "engine/core/messages/history.h"
#include "engine/history/sqlite_error.h"

namespace steelyard::history {
namespace {

namespace fs = std::filesystem;

// Header fields, big-endian ("The SQLite Database File Format", section 1.3).
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

enum class Access { ReadAndWrite, ReadOnly };

// New files are created here with mode 0600: SQLite would use the umask, and the WAL inherits the mode. No connection
// can hold locks on a new file, so closing the descriptor drops none.
Result<void> createPrivately(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return errno == EEXIST ? Result<void>() : Failure(errorFromErrno(errno, file.string()));
    ::close(descriptor);
    return {};
}

Result<Access> accessTo(const fs::path& file, bool create) {
    auto folder = file.parent_path();
    if (folder.empty()) folder = ".";
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        if (errno != ENOENT || !create) return Failure(errorFromErrno(errno, file.string()));
        TRY(createPrivateFolders(folder));
        if (!isAccessible(folder, W_OK | X_OK)) return Failure(errorFromErrno(errno, folder.string()));
        TRY(createPrivately(file));
        return Access::ReadAndWrite;
    }
    if (!S_ISREG(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), messages::notRegular());
    if (!isAccessible(file, R_OK)) return Failure(errorFromErrno(errno, file.string()));
    const bool canWrite = isAccessible(file, W_OK) && isAccessible(folder, W_OK | X_OK);
    return canWrite ? Access::ReadAndWrite : Access::ReadOnly;
}

// Reads the first bytes of the file and their number; 0 if it does not exist. Uses SQLite's VFS: closing any other
// descriptor of the file would drop the locks held by this process's connections, and another process could then remove
// the WAL ("How To Corrupt An SQLite Database File", section 2.2).
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

// The header in the file may be older than the latest commits (still in the WAL), so this only refuses definite cases;
// migrate() checks again.
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

// Switching the journal mode needs exclusive access, and SQLite does not wait for that.
void useWriteAheadLog(SQLite::Database& database, std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        try {
            if (textPragma(database, "PRAGMA journal_mode = WAL") == "wal") return;
        } catch (const SQLite::Exception& exception) {
            if (exception.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline) throw;
        }
        // Some file systems have no shared memory; the rollback journal is slower but equally safe.
        if (std::chrono::steady_clock::now() > deadline) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void limitSize(SQLite::Database& database, std::int64_t maximumBytes) {
    const auto pageBytes = std::stoll(textPragma(database, "PRAGMA page_size"));
    (void)textPragma(database, fmt::format("PRAGMA max_page_count = {}", std::max(1LL, maximumBytes / pageBytes)));
}

// An untrusted file may contain code (triggers, views): it is disabled. Foreign keys still work, since they are not
// triggers.
void distrust(SQLite::Database& database) {
    auto* handle = database.getHandle();
    for (const auto& [setting, value] :
         {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
          std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), std::pair(SQLITE_DBCONFIG_ENABLE_VIEW, 0)})
        sqlite3_db_config(handle, setting, value, nullptr);
}

// This program creates tables and indexes only.
Result<void> refuseForeignObjects(SQLite::Database& database, const std::string& subject) {
    SQLite::Statement foreign(database,
                              "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') "
                              "OR sql LIKE 'create virtual%' LIMIT 1");
    if (!foreign.executeStep()) return {};
    return fail(
        ErrorKind::CorruptData, subject,
        messages::foreignObject(foreign.getColumn(0).getString(), foreign.getColumn(1).getString().substr(0, 60)));
}

using DatabasePtr = std::unique_ptr<SQLite::Database>;

Result<void> prepare(SQLite::Database& database, const std::string& subject, std::span<const Migration> migrations) {
    distrust(database);
    database.exec("PRAGMA foreign_keys = ON");
    TRY(refuseForeignObjects(database, subject));
    if (auto migration = migrate(database, migrations); migration.error) {
        migration.error->subject = subject;
        return Failure(*migration.error);
    }
    return {};
}

Result<OpenedDatabase> openForWriting(const std::string& subject, const OpenOptions& options,
                                      std::span<const Migration> migrations) {
    return guarded(subject, [&]() -> Result<OpenedDatabase> {
        auto database = std::make_unique<SQLite::Database>(subject, SQLite::OPEN_READWRITE,
                                                           static_cast<int>(options.busyTimeout.count()));
        if (options.maximumBytes) limitSize(*database, *options.maximumBytes);
        TRY(prepare(*database, subject, migrations));
        useWriteAheadLog(*database, options.busyTimeout);
        // With WAL, synchronous=NORMAL survives a killed process but may lose the last commits in a power failure; one
        // sync per finished case is negligible.
        database->exec("PRAGMA synchronous = FULL");
        return OpenedDatabase{std::move(database), {}};
    });
}

std::string immutableUri(const fs::path& file) {
    std::string uri = "file:";
    for (const char c : fs::absolute(file).string()) {
        const bool isPlain =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
        uri += isPlain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
    return uri + "?immutable=1";
}

// Copies the content into memory, so that an older schema can be migrated without writing to the file.
DatabasePtr copyInMemory(SQLite::Database& file) {
    auto copy = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Backup backup(*copy, file);
    backup.executeStep();
    return copy;
}

Result<OpenedDatabase> readOnly(DatabasePtr database, const std::string& subject,
                                std::span<const Migration> migrations) {
    distrust(*database);
    if (std::stoi(textPragma(*database, "PRAGMA user_version")) < latestVersion(migrations))
        database = copyInMemory(*database);
    TRY(prepare(*database, subject, migrations));
    database->exec("PRAGMA query_only = ON");
    Error error{ErrorKind::PermissionDenied, subject, messages::readOnly(), {}, {}, {}};
    return OpenedDatabase{std::move(database), std::move(error)};
}

// Tries three ways: with the shared-memory file; as an immutable file, if it has no WAL; and with the WAL index in this
// process's memory, if the shared memory cannot be created (full disk).
Result<OpenedDatabase> openForReading(const fs::path& file, const OpenOptions& options,
                                      std::span<const Migration> migrations) {
    const auto subject = file.string();
    const auto timeout = static_cast<int>(options.busyTimeout.count());
    auto opened = guarded(subject, [&] {
        return readOnly(std::make_unique<SQLite::Database>(subject, SQLite::OPEN_READONLY, timeout), subject,
                        migrations);
    });
    if (opened || opened.error().kind == ErrorKind::CorruptData || opened.error().kind == ErrorKind::VersionTooNew)
        return opened;
    std::error_code none;
    const auto logBytes = fs::file_size(subject + "-wal", none);
    auto second = guarded(subject, [&] {
        if (none || logBytes == 0)
            return readOnly(std::make_unique<SQLite::Database>(immutableUri(file),
                                                               SQLite::OPEN_READONLY | SQLite::OPEN_URI, timeout),
                            subject, migrations);
        auto database = std::make_unique<SQLite::Database>(subject, SQLite::OPEN_READWRITE, timeout);
        sqlite3_db_config(database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        (void)textPragma(*database, "PRAGMA locking_mode = EXCLUSIVE");
        return readOnly(std::move(database), subject, migrations);
    });
    return second ? std::move(second) : std::move(opened);
}

}  // namespace

Result<OpenedDatabase> openDatabase(const fs::path& file, const OpenOptions& options,
                                    std::span<const Migration> migrations) {
    if (file.empty()) return fail(ErrorKind::InvalidArgument, {}, steelyard::messages::noUserFolder());
    return guarded(file.string(), [&]() -> Result<OpenedDatabase> {
        ASSIGN(const auto access, accessTo(file, options.create));
        TRY(checkHeader(file, latestVersion(migrations)));
        if (access == Access::ReadOnly) return openForReading(file, options, migrations);
        auto opened = openForWriting(file.string(), options, migrations);
        if (opened) return opened;
        const auto kind = opened.error().kind;
        if (kind != ErrorKind::DiskFull && kind != ErrorKind::IoFailed && kind != ErrorKind::PermissionDenied)
            return opened;
        // With a full disk the shared memory cannot be created, but the content can be read.
        auto reading = openForReading(file, options, migrations);
        if (!reading) return opened;
        reading->whyReadOnly = std::move(opened.error());
        return reading;
    });
}

}  // namespace steelyard::history
