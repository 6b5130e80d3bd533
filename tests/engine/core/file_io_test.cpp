// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_io.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace steelyard {
namespace {

namespace fs = std::filesystem;

class FileIo : public testing::Test {
protected:
    FileIo() {
        std::string pattern = (fs::temp_directory_path() / "steelyard-file-io-XXXXXX").string();
        m_folder = ::mkdtemp(pattern.data());
    }
    ~FileIo() override { fs::remove_all(m_folder); }

    [[nodiscard]] std::size_t filesInFolder() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
    }

    fs::path m_folder;
};

TEST_F(FileIo, WritesAndReadsBack) {
    const std::string content("a\0b\n", 4);
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", content));
    EXPECT_EQ(readFile(m_folder / "f", 100), content);
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", ""));
    EXPECT_EQ(readFile(m_folder / "f", 100), "");
    EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(FileIo, KeepsTheModeAndFollowsALink) {
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", "old"));
    fs::permissions(m_folder / "f", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(m_folder / "f", m_folder / "link");
    ASSERT_TRUE(writeFileAtomically(m_folder / "link", "new"));
    EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
    EXPECT_EQ(readFile(m_folder / "f", 100), "new");
    EXPECT_EQ(fs::status(m_folder / "f").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FileIo, WritesToWhatIsNotARegularFile) {
    EXPECT_TRUE(writeFileAtomically("/dev/null", "gone"));
}

TEST_F(FileIo, FailuresNameTheFileAndLeaveNothingBehind) {
    const auto missing = writeFileAtomically(m_folder / "no" / "f", "x");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::NotFound);
    EXPECT_EQ(missing.error().subject, (m_folder / "no" / "f").string());
    EXPECT_EQ(writeFileAtomically(m_folder, "x").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(readFile(m_folder / "none", 10).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(readFile(m_folder, 10).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(filesInFolder(), 0U);
}

TEST_F(FileIo, RefusesWhatIsTooLarge) {
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", "12345"));
    EXPECT_TRUE(readFile(m_folder / "f", 5));
    EXPECT_EQ(readFile(m_folder / "f", 4).error().kind, ErrorKind::InvalidArgument);
}

TEST_F(FileIo, ReadsRegularFilesOnlyAndWaitsForNoOther) {
    ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(readFile(m_folder / "pipe", 10).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(openRegularFile("/dev/zero").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(openRegularFile(m_folder).error().kind, ErrorKind::InvalidArgument);
    EXPECT_TRUE(readFile("/proc/self/status", 1 << 20));
}

TEST_F(FileIo, PrivateFilesAndFoldersAreForTheUserAlone) {
    const auto rights = [](const fs::path& path) { return fs::status(path).permissions(); };
    const auto old = ::umask(0);
    ASSERT_TRUE(createPrivateFolders(m_folder / "a" / "b"));
    ASSERT_TRUE(createPrivateFolders(m_folder / "a" / "b")) << "again";
    ASSERT_TRUE(writeFileAtomically(m_folder / "a" / "secret", "x", FileRights::OwnerOnly));
    ASSERT_TRUE(writeFileAtomically(m_folder / "a" / "open", "x"));
    ::umask(old);
    EXPECT_EQ(rights(m_folder / "a"), fs::perms::owner_all);
    EXPECT_EQ(rights(m_folder / "a" / "b"), fs::perms::owner_all);
    EXPECT_EQ(rights(m_folder / "a" / "secret"), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(static_cast<unsigned>(rights(m_folder / "a" / "open")), 0666U);
    EXPECT_EQ(createPrivateFolders(m_folder / "a" / "open" / "c").error().kind, ErrorKind::IoFailed);
}

TEST_F(FileIo, AFullDiskIsSaidSo) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(writeFileAtomically("/dev/full", "x").error().kind, ErrorKind::DiskFull);
}

TEST(UserFolders, FollowTheEnvironment) {
    EXPECT_EQ(userCacheFolder("/x/cache", "/home/me"), "/x/cache/steelyard");
    for (const char* unset : {static_cast<const char*>(nullptr), "", "relative"}) {
        EXPECT_EQ(userCacheFolder(unset, "/home/me"), "/home/me/.cache/steelyard");
    }
    EXPECT_EQ(userDataFolder(nullptr, "/home/me"), "/home/me/.local/share/steelyard");
    EXPECT_EQ(userDataFolder("/x/data", "relative"), "/x/data/steelyard");
}

TEST(UserFolders, AreNeverInTheCurrentFolder) {
    for (const char* home : {"relative", ".", "./x"}) {
        EXPECT_EQ(userDataFolder(nullptr, home), "") << home;
        EXPECT_EQ(userCacheFolder("relative", home), "") << home;
    }
    // Without HOME the password database is used; without an entry there, there is none.
    for (const char* home : {static_cast<const char*>(nullptr), ""}) {
        const auto folder = userDataFolder(nullptr, home);
        EXPECT_TRUE(folder.empty() || folder.is_absolute()) << folder;
    }
}

}  // namespace
}  // namespace steelyard
