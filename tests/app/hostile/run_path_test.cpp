// SPDX-License-Identifier: Apache-2.0
// No binary searches for libraries in the current folder, as an empty element of RUNPATH would cause. The programs of a
// package are checked if STEELYARD_BINARIES names their folders (separated by colons).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {
namespace {

namespace fs = std::filesystem;

bool isElf(const fs::path& file) {
    char magic[4] = {};
    std::ifstream stream(file, std::ios::binary);
    return fs::is_regular_file(file) && stream.read(magic, 4) &&
           std::string_view(magic, 4) ==
               "\x7f"
               "ELF";
}

// The search paths of a binary, from readelf.
std::vector<std::string> runPaths(const fs::path& file) {
    std::vector<std::string> paths;
    FILE* output = ::popen((std::string(STEELYARD_READELF) + " -dW '" + file.string() + "'").c_str(), "r");
    char line[8192];
    while (output != nullptr && std::fgets(line, sizeof line, output) != nullptr) {
        const std::string text(line);
        const auto open = text.find('['), close = text.rfind(']');
        const bool isPath = text.find("(RUNPATH)") != std::string::npos || text.find("(RPATH)") != std::string::npos;
        if (isPath && open < close) paths.push_back(text.substr(open + 1, close - open - 1));
    }
    EXPECT_TRUE(output != nullptr && ::pclose(output) == 0) << file;
    return paths;
}

// Elements relative to the current folder.
std::vector<std::string> looseElements(const std::string& path) {
    std::vector<std::string> loose;
    std::istringstream elements(path + ":");
    for (std::string element; std::getline(elements, element, ':');)
        if (!element.starts_with('/') && !element.starts_with("$ORIGIN")) loose.push_back(element);
    return loose;
}

TEST(RunPath, AnEmptyElementIsSeen) {
    EXPECT_EQ(looseElements("/usr/lib:").size(), 1U);
    EXPECT_EQ(looseElements(":/usr/lib").size(), 1U);
    EXPECT_EQ(looseElements("/a::/b").size(), 1U);
    EXPECT_EQ(looseElements("lib").size(), 1U);
    EXPECT_TRUE(looseElements("/usr/lib:$ORIGIN/../lib").empty());
}

TEST(RunPath, NoBinaryLooksIntoTheCurrentFolder) {
    if (std::string_view(STEELYARD_READELF).ends_with("NOTFOUND")) GTEST_SKIP() << "there is no readelf";
    std::vector<fs::path> folders{fs::path(STEELYARD_CLI).parent_path()};
    if (const char* more = std::getenv("STEELYARD_BINARIES")) {
        std::istringstream list(more);
        for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder);
    }
    int binaries = 0;
    for (const auto& folder : folders) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (!isElf(entry.path())) continue;
            ++binaries;
            for (const auto& path : runPaths(entry.path()))
                EXPECT_TRUE(looseElements(path).empty()) << entry.path() << ": " << path;
        }
    }
    EXPECT_GT(binaries, 0);
}

}  // namespace
}  // namespace steelyard
