// SPDX-License-Identifier: Apache-2.0
// Which files are refused, with which error, and that they are not modified.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "engine/history/history_store.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::history {
namespace {

namespace fs = std::filesystem;
using test::Optionals;
using test::TemporaryFolder;

const OpenOptions kImpatient{.busyTimeout = std::chrono::milliseconds(50)};

class OpenHistory : public testing::Test {
protected:
    [[nodiscard]] fs::path file() const { return m_folder / "history.sqlite"; }

    void fill(int runs = 2, int cases = 3) const {
        const auto store = HistoryStore::open(file());
        ASSERT_TRUE(store) << describe(store.error());
        for (int i = 0; i < runs; ++i) {
            ASSERT_TRUE((*store)->beginRun(test::inventRun(static_cast<std::uint64_t>(i) + 1, Optionals::All, cases)));
        }
    }
    void raw(const std::string& sql) const {
        SQLite::Database database(file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        database.exec(sql);
    }
    void expectRefusedUntouched(ErrorKind kind) const {
        const auto before = m_folder.contents();
        const auto store = HistoryStore::open(file(), kImpatient);
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().kind, kind) << describe(store.error());
        EXPECT_NE(store.error().subject.find(m_folder.path().string()), std::string::npos);
        EXPECT_TRUE(m_folder.contents() == before);
    }

    TemporaryFolder m_folder;
};

TEST_F(OpenHistory, CreatesTheFileAndItsFolder) {
    const auto deep = m_folder / "a" / "b" / "history.sqlite";
    ASSERT_TRUE(HistoryStore::open(deep));
    EXPECT_TRUE(fs::exists(deep));
    ASSERT_TRUE(HistoryStore::open(deep));
}

TEST_F(OpenHistory, IsForTheUserAlone) {
    const auto deep = m_folder / "a" / "history.sqlite";
    const auto store = HistoryStore::open(deep);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->beginRun(test::inventRun(1, Optionals::All, 1)));
    EXPECT_EQ(fs::status(deep.parent_path()).permissions(), fs::perms::owner_all);
    for (const auto& entry : fs::directory_iterator(deep.parent_path()))
        EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << entry.path();
}

TEST_F(OpenHistory, CreatesNothingWhereItIsNotToldTo) {
    const auto store = HistoryStore::open(m_folder / "a" / "history.sqlite", {.create = false});
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::NotFound);
    EXPECT_TRUE(fs::is_empty(m_folder.path()));
}

TEST_F(OpenHistory, AnEmptyFileIsANewHistory) {
    TemporaryFolder::spill(file(), "");
    const auto store = HistoryStore::open(file());
    ASSERT_TRUE(store);
    EXPECT_TRUE((*store)->runs()->empty());
}

TEST_F(OpenHistory, UsesTheWriteAheadLogAndForeignKeys) {
    fill();
    SQLite::Database database(file().string(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
    // The store's connection enforces foreign keys: deleting a run also deletes its cases and samples.
    const auto store = HistoryStore::open(file());
    ASSERT_TRUE((*store)->remove("latest"));
    ASSERT_TRUE((*store)->remove("latest"));
    ASSERT_TRUE((*store)->purgeDeleted());
    for (const auto* table : {"runs", "cases", "samples", "profiles"}) {
        EXPECT_EQ(database.execAndGet(std::string("SELECT count(*) FROM ") + table).getInt(), 0) << table;
    }
}

// Closing any descriptor of the file drops the locks of the whole process; another process would then assume that the
// file is unused, and remove its WAL.
TEST_F(OpenHistory, OpeningAgainKeepsTheLocksOfThisProcess) {
    const auto first = HistoryStore::open(file());
    ASSERT_TRUE(first);
    ASSERT_TRUE((*first)->runs());
    const auto isLockedForOthers = [this] {
        const pid_t child = ::fork();
        if (child == 0) {
            const int descriptor = ::open(file().c_str(), O_RDWR);
            struct flock lock {};
            lock.l_type = F_WRLCK;
            lock.l_whence = SEEK_SET;  // all of the file
            ::_exit(::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    };
    EXPECT_TRUE(isLockedForOthers());
    ASSERT_TRUE(HistoryStore::open(file())) << "and closed at once";
    EXPECT_TRUE(isLockedForOthers());
}

TEST_F(OpenHistory, RefusesWhatIsNotADatabase) {
    TemporaryFolder::spill(file(), "just some text");
    expectRefusedUntouched(ErrorKind::CorruptData);
    TemporaryFolder::spill(file(), std::string(5000, 'x'));
    expectRefusedUntouched(ErrorKind::CorruptData);
    TemporaryFolder::spill(file(), std::string("SQLite format 3\0cut short", 25));
    expectRefusedUntouched(ErrorKind::CorruptData);
    fs::remove(file());
    fs::create_directory(file());
    expectRefusedUntouched(ErrorKind::InvalidArgument);
    EXPECT_EQ(HistoryStore::open("").error().kind, ErrorKind::InvalidArgument);
}

TEST_F(OpenHistory, RefusesAnotherApplicationsDatabase) {
    raw("CREATE TABLE bookmarks (url TEXT)");
    expectRefusedUntouched(ErrorKind::InvalidArgument);
    raw("PRAGMA application_id = 1234");
    expectRefusedUntouched(ErrorKind::InvalidArgument);
}

TEST_F(OpenHistory, RefusesANewerSchema) {
    fill();
    raw("PRAGMA user_version = 99");
    expectRefusedUntouched(ErrorKind::VersionTooNew);
}

TEST_F(OpenHistory, RefusesANewerSchemaThatIsStillInTheLog) {
    fill();
    SQLite::Database newer(file().string(), SQLite::OPEN_READWRITE);
    newer.exec("PRAGMA user_version = 99");  // in the WAL, not yet in the file
    const auto store = HistoryStore::open(file(), kImpatient);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::VersionTooNew);
}

TEST_F(OpenHistory, RefusesALockedFile) {
    fill();
    SQLite::Database other(file().string(), SQLite::OPEN_READWRITE);
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE runs SET note = 'x'; COMMIT");
    const auto store = HistoryStore::open(file(), kImpatient);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::Locked);
}

TEST_F(OpenHistory, WritingWhileAnotherWritesIsLockedAndReadingIsNot) {
    fill();
    const auto store = HistoryStore::open(file(), kImpatient);
    SQLite::Database other(file().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    const auto note = (*store)->setNote("latest", "x");
    ASSERT_FALSE(note);
    EXPECT_EQ(note.error().kind, ErrorKind::Locked);
    EXPECT_EQ((*store)->runs()->size(), 2U);
    other.exec("ROLLBACK");
    EXPECT_TRUE((*store)->setNote("latest", "x"));
}

// Root may write anywhere, so the permission tests temporarily switch to an ordinary user.
class AsOrdinaryUser {
public:
    AsOrdinaryUser() : m_wasRoot(::geteuid() == 0) {
        if (m_wasRoot) m_changed = ::seteuid(65534) == 0;
    }
    ~AsOrdinaryUser() {
        if (m_changed && ::seteuid(0) != 0) std::abort();
    }
    AsOrdinaryUser(const AsOrdinaryUser&) = delete;
    AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;
    [[nodiscard]] bool isOrdinary() const { return !m_wasRoot || m_changed; }

private:
    bool m_wasRoot;
    bool m_changed = false;
};

// Stored data can be read, and nothing changes.
void expectReadOnly(const TemporaryFolder& folder, const fs::path& file, std::size_t runs) {
    const auto before = folder.contents();
    {
        const auto store = HistoryStore::open(file, kImpatient);
        ASSERT_TRUE(store) << describe(store.error());
        EXPECT_TRUE((*store)->isReadOnly());
        ASSERT_TRUE((*store)->runs());
        EXPECT_EQ((*store)->runs()->size(), runs);
        EXPECT_TRUE((*store)->run("latest"));
        for (const auto& change :
             {(*store)->setNote("latest", "x"), (*store)->remove("latest"), (*store)->purgeDeleted(),
              (*store)->beginRun(test::inventRun(9, Optionals::All, 1))}) {
            ASSERT_FALSE(change);
            EXPECT_EQ(change.error().kind, ErrorKind::PermissionDenied);
            EXPECT_NE(change.error().detail.text.find("read-only"), std::string::npos);
            EXPECT_EQ(change.error().subject, file.string());
        }
        EXPECT_EQ((*store)->compact().error().kind, ErrorKind::PermissionDenied);
    }
    auto after = folder.contents();
    std::erase_if(after, [](const auto& entry) { return entry.first.ends_with("-shm") || entry.second.empty(); });
    EXPECT_TRUE(after == before);
}

TEST_F(OpenHistory, AReadOnlyFileIsRead) {
    fill();
    ::chmod(m_folder.path().c_str(), 0777);
    ::chmod(file().c_str(), 0444);
    const AsOrdinaryUser user;
    if (!user.isOrdinary()) GTEST_SKIP() << "cannot act as another user";
    expectReadOnly(m_folder, file(), 2);
}

TEST_F(OpenHistory, AFileInAReadOnlyFolderIsRead) {
    fill();
    ::chmod(file().c_str(), 0666);
    ::chmod(m_folder.path().c_str(), 0555);
    const AsOrdinaryUser user;
    if (!user.isOrdinary()) GTEST_SKIP() << "cannot act as another user";
    expectReadOnly(m_folder, file(), 2);
    const auto inside = HistoryStore::open(m_folder / "new" / "history.sqlite");
    ASSERT_FALSE(inside);
    EXPECT_EQ(inside.error().kind, ErrorKind::PermissionDenied);
}

TEST_F(OpenHistory, AnOlderSchemaInAReadOnlyFolderIsReadInMemory) {
    fs::copy_file(fs::path(STEELYARD_TEST_DATA) / "history" / "schema_v1.sqlite", file());
    std::size_t runs = 0;
    {
        fs::copy_file(file(), m_folder / "copy.sqlite");
        const auto copy = HistoryStore::open(m_folder / "copy.sqlite");
        ASSERT_TRUE(copy);
        runs = (*copy)->runs()->size();
    }
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(m_folder / ("copy.sqlite" + std::string(suffix)));
    ::chmod(file().c_str(), 0444);
    ::chmod(m_folder.path().c_str(), 0555);
    const AsOrdinaryUser user;
    if (!user.isOrdinary()) GTEST_SKIP() << "cannot act as another user";
    expectReadOnly(m_folder, file(), runs);
}

TEST_F(OpenHistory, AnUnreadableFileIsRefused) {
    fill();
    ::chmod(m_folder.path().c_str(), 0777);
    ::chmod(file().c_str(), 0000);
    const AsOrdinaryUser user;
    if (!user.isOrdinary()) GTEST_SKIP() << "cannot act as another user";
    const auto store = HistoryStore::open(file(), kImpatient);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::PermissionDenied);
}

TEST_F(OpenHistory, OnAFullDiskWhatIsStoredCanBeRead) {
    const auto disk = m_folder / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=2m") != 0)
        GTEST_SKIP() << "cannot mount a small file system: " << std::strerror(errno);
    const auto full = disk / "history.sqlite";
    for (const bool withLog : {false, true}) {
        SCOPED_TRACE(withLog ? "with a log that a killed run left" : "closed well");
        for (const auto& entry : fs::directory_iterator(disk)) fs::remove(entry.path());
        fill();
        fs::copy_file(file(), full);
        if (withLog) {
            const auto store = HistoryStore::open(full);
            ASSERT_TRUE((*store)->setNote("latest", "in the log"));
            fs::copy_file(full.string() + "-wal", m_folder / "log");
            fs::copy_file(full, m_folder / "base");
        }
        if (withLog) {
            for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(full.string() + suffix);
            fs::copy_file(m_folder / "base", full);
            fs::copy_file(m_folder / "log", full.string() + "-wal");
        }
        std::ofstream filler(disk / "filler", std::ios::binary);
        while (filler << std::string(4096, 'x') << std::flush) {
        }
        const auto store = HistoryStore::open(full, kImpatient);
        ASSERT_TRUE(store) << describe(store.error());
        EXPECT_TRUE((*store)->isReadOnly());
        ASSERT_TRUE((*store)->runs());
        EXPECT_EQ((*store)->runs()->size(), 2U);
        EXPECT_TRUE((*store)->run("latest"));
        if (withLog) {
            EXPECT_EQ((*store)->runs()->front().note, "in the log");
        }
        EXPECT_EQ((*store)->remove("latest").error().kind, ErrorKind::DiskFull);
        for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file().string() + suffix);
    }
    ::umount2(disk.c_str(), MNT_DETACH);
}

// A foreign file may contain code.
TEST_F(OpenHistory, RefusesTriggersAndViews) {
    for (const char* sql :
         {"CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM runs; END",
          "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
          "ALTER TABLE runs RENAME TO kept; CREATE VIEW runs AS SELECT * FROM kept"}) {
        SCOPED_TRACE(sql);
        for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file().string() + suffix);
        fill();
        raw(sql);
        expectRefusedUntouched(ErrorKind::CorruptData);
    }
}

TEST_F(OpenHistory, RefusesTriggersBeforeItMigrates) {
    fs::copy_file(fs::path(STEELYARD_TEST_DATA) / "history" / "schema_v2.sqlite", file());
    raw("CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM runs; END");
    expectRefusedUntouched(ErrorKind::CorruptData);
}

TEST_F(OpenHistory, AQueryThatTakesTooLongIsEnded) {
    fill(1, 1);
    raw("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO runs (id, suite, suite_version, program_version, git_revision, started_unix_ms, computer, origin, "
        "note, seed) SELECT printf('%012x', i), 's', '1', '1', 'g', i, 'c', 'imported', '', 1 FROM n");
    const auto store = HistoryStore::open(file(), {.timeout = std::chrono::milliseconds(0)});
    ASSERT_TRUE(store) << describe(store.error());
    const auto runs = (*store)->runs();
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().kind, ErrorKind::TimedOut) << describe(runs.error());
    EXPECT_EQ((*HistoryStore::open(file()))->runs()->size(), 20001U);
}

TEST_F(OpenHistory, TextThatIsNotUtf8IsReplaced) {
    fill(1, 1);
    raw("UPDATE runs SET note = CAST(x'61ff62' AS TEXT), computer = CAST(x'c3' AS TEXT)");
    const auto store = HistoryStore::open(file());
    ASSERT_TRUE(store);
    EXPECT_EQ((*store)->runs()->front().note,
              "a\xef\xbf\xbd"
              "b");
    EXPECT_EQ((*store)->run("latest")->computer, "\xef\xbf\xbd");
}

// Adds cases until one fails, and verifies that all previous ones are present.
void expectFullDiskKeepsFinishedCases(const fs::path& file, const OpenOptions& options) {
    const auto store = HistoryStore::open(file, options);
    ASSERT_TRUE(store) << describe(store.error());
    auto run = test::inventRun(1, Optionals::All, 0);
    ASSERT_TRUE((*store)->beginRun(run));
    auto record = test::inventRecord(1, Optionals::All);
    Result<void> added;
    for (std::uint64_t i = 0; i < 1000 && added; ++i) {
        record = test::inventRecord(i, Optionals::All);
        added = (*store)->addRecord(run.id, record);
        if (added) run.records.push_back(record);
    }
    ASSERT_FALSE(added) << "the disk is too large for this test";
    EXPECT_EQ(added.error().kind, ErrorKind::DiskFull) << describe(added.error());
    EXPECT_FALSE(run.records.empty());
    EXPECT_EQ((*store)->run(run.id), run);
}

TEST_F(OpenHistory, AFullFileKeepsFinishedCases) {
    expectFullDiskKeepsFinishedCases(file(), {.busyTimeout = std::chrono::milliseconds(50), .maximumBytes = 200'000});
}

TEST_F(OpenHistory, AFullDiskKeepsFinishedCases) {
    const auto disk = m_folder / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=600k") != 0) {
        GTEST_SKIP() << "cannot mount a small file system: " << std::strerror(errno);
    }
    expectFullDiskKeepsFinishedCases(disk / "history.sqlite", kImpatient);
    ::umount2(disk.c_str(), MNT_DETACH);
}

TEST_F(OpenHistory, DamagedPagesAreAnErrorAndNeverACrash) {
    fill(3, 10);
    const auto intact = TemporaryFolder::slurp(file());
    constexpr std::size_t kPage = 4096;
    ASSERT_EQ(intact.size() % kPage, 0U);
    int refused = 0;
    for (std::size_t page = 0; page < intact.size() / kPage; ++page) {
        auto damaged = intact;
        // The first page keeps its header: without it the file is not a database.
        const auto from = page * kPage + (page == 0 ? 100 : 0);
        std::fill(damaged.begin() + static_cast<std::ptrdiff_t>(from),
                  damaged.begin() + static_cast<std::ptrdiff_t>((page + 1) * kPage), '\xa5');
        TemporaryFolder::spill(file(), damaged);
        const auto store = HistoryStore::open(file(), kImpatient);
        if (!store) {
            ++refused;
            EXPECT_EQ(store.error().kind, ErrorKind::CorruptData) << describe(store.error());
            continue;
        }
        for (std::uint64_t id = 1; id <= 3; ++id) {
            const auto expected = test::inventRun(id, Optionals::All, 10);
            const auto run = (*store)->run(expected.id);
            if (run) continue;
            ++refused;
            const auto kind = run.error().kind;
            // A damaged index may not find an existing run.
            EXPECT_TRUE(kind == ErrorKind::CorruptData || kind == ErrorKind::NotFound) << describe(run.error());
        }
    }
    EXPECT_GT(refused, 10);
}

TEST_F(OpenHistory, DamagedSamplesAreNoticedByTheirChecksum) {
    fill(1, 1);
    raw("UPDATE samples SET data = zeroblob(length(data))");
    const auto store = HistoryStore::open(file());
    const auto run = (*store)->run("latest");
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, ErrorKind::CorruptData);
    EXPECT_TRUE((*store)->runs());
}

TEST_F(OpenHistory, ATruncatedFileIsAnError) {
    fill(3, 10);
    fs::resize_file(file(), fs::file_size(file()) / 2 / 4096 * 4096);
    const auto store = HistoryStore::open(file(), kImpatient);
    if (store) {
        const auto run = (*store)->run("latest");
        ASSERT_FALSE(run);
        EXPECT_EQ(run.error().kind, ErrorKind::CorruptData);
    } else {
        EXPECT_EQ(store.error().kind, ErrorKind::CorruptData);
    }
}

TEST(DefaultHistoryFile, FollowsTheBaseDirectorySpecification) {
    EXPECT_EQ(defaultHistoryFile("/x/data", "/home/me"), "/x/data/steelyard/history.sqlite");
    EXPECT_EQ(defaultHistoryFile("", "/home/me"), "/home/me/.local/share/steelyard/history.sqlite");
    EXPECT_EQ(defaultHistoryFile(nullptr, "/home/me"), "/home/me/.local/share/steelyard/history.sqlite");
    EXPECT_EQ(defaultHistoryFile("relative", "/home/me"), "/home/me/.local/share/steelyard/history.sqlite");
}

}  // namespace
}  // namespace steelyard::history
