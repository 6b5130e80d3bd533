// SPDX-License-Identifier: Apache-2.0
// The rules of the tree, as tests: who may include whom, which library is named where, no globals' registration,
// headers that stand alone, a command line without Qt.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path kTop = STEELYARD_SOURCE_DIR;

struct Source {
    fs::path file;  // relative to the tree
    std::string text;
    std::vector<std::string> includes;
};

std::vector<Source> sourcesUnder(const std::string& folder) {
    std::vector<Source> sources;
    const std::regex includeLine("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
    for (const auto& entry : fs::recursive_directory_iterator(kTop / folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp" && extension != ".cu") continue;
        std::ifstream stream(entry.path());
        Source source{fs::relative(entry.path(), kTop), {std::istreambuf_iterator<char>(stream), {}}, {}};
        std::istringstream lines(source.text);
        for (std::string line; std::getline(lines, line);) {
            std::smatch match;
            if (std::regex_search(line, match, includeLine)) source.includes.push_back(match[1]);
        }
        sources.push_back(std::move(source));
    }
    return sources;
}

// What each folder of the engine may include, besides itself.
const std::map<std::string, std::set<std::string>> kMayInclude{
    {"core", {}},
    {"model", {"core"}},
    {"plan", {"core", "model"}},
    {"hardware", {"core"}},
    {"compute", {"core", "model", "plan"}},
    {"data", {"core", "model", "plan"}},
    {"catalog", {"core", "model", "plan", "hardware", "data", "compute"}},
    {"bench", {"core", "model", "plan", "hardware", "data", "compute"}},
    {"history", {"core", "model", "plan", "hardware", "data", "compute", "catalog", "bench"}},
    {"advisor", {"core", "model", "plan", "hardware", "data", "compute", "catalog", "bench"}},
    {"report", {"core", "model", "plan", "hardware", "data", "compute", "catalog", "bench", "history", "advisor"}},
};

std::string folderOf(const std::string& include) {
    if (!include.starts_with("engine/")) return {};
    const auto end = include.find('/', 7);
    return include.substr(7, end - 7);
}

TEST(Architecture, EngineFoldersIncludeOnlyWhatIsBelowThem) {
    for (const auto& source : sourcesUnder("engine")) {
        const auto own = folderOf(source.file.generic_string());
        ASSERT_TRUE(kMayInclude.contains(own)) << source.file << ": a folder without a place in the order";
        for (const auto& include : source.includes) {
            EXPECT_FALSE(include.starts_with("ui/") || include.starts_with("app/"))
                << source.file << " includes " << include;
            const auto target = folderOf(include);
            if (target.empty() || target == own) continue;
            EXPECT_TRUE(kMayInclude.at(own).contains(target)) << source.file << " includes " << include;
        }
    }
}

TEST(Architecture, EngineKnowsNoQt) {
    for (const auto& source : sourcesUnder("engine"))
        for (const auto& include : source.includes)
            EXPECT_FALSE(std::regex_match(include, std::regex("Q[A-Z].*|Qt.*")))
                << source.file << " includes " << include;
}

TEST(Architecture, UiDoesNotIncludeApp) {
    for (const auto& source : sourcesUnder("ui"))
        for (const auto& include : source.includes)
            EXPECT_FALSE(include.starts_with("app/")) << source.file << " includes " << include;
}

struct Confined {
    const char* pattern;  // of an include
    const char* folder;   // the only place for it
    bool headersToo;      // false: only in .cpp
};

TEST(Architecture, ThirdPartiesStayWhereTheyBelong) {
    constexpr std::array rules{
        Confined{"hwloc.*", "engine/hardware/", false}, Confined{"SQLiteCpp/.*|sqlite3.*", "engine/history/", false},
        Confined{"cblas.*|oneapi/dnnl.*|dnnl.*", "engine/compute/cpu/", true},
        Confined{"cuda.*|cudnn.*|nccl.*", "engine/compute/cuda/", true}, Confined{"CLI/.*", "app/cli/", false}};
    for (const auto* folder : {"engine", "ui", "app"}) {
        for (const auto& source : sourcesUnder(folder)) {
            for (const auto& include : source.includes) {
                for (const auto& rule : rules) {
                    if (!std::regex_match(include, std::regex(rule.pattern))) continue;
                    EXPECT_TRUE(source.file.generic_string().starts_with(rule.folder))
                        << source.file << " includes " << include;
                    EXPECT_TRUE(rule.headersToo || source.file.extension() != ".h")
                        << source.file << " includes " << include;
                }
            }
        }
    }
}

// A header that names the JSON library, itself or through others, is a tool for sources of the engine. That of core
// serves every folder, one of another folder serves that folder, and nothing outside the engine includes any: what a
// folder offers to others is free of JSON.
TEST(Architecture, TheJsonLibraryIsInNoPublicHeader) {
    std::set<std::string> tools{"nlohmann/json.hpp"};
    const auto sources = sourcesUnder("engine");
    for (std::size_t before = 0; before != tools.size();) {
        before = tools.size();
        for (const auto& source : sources)
            if (source.file.extension() == ".h" &&
                std::ranges::any_of(source.includes, [&](const auto& include) { return tools.contains(include); }))
                tools.insert(source.file.generic_string());
    }
    tools.erase("nlohmann/json.hpp");
    EXPECT_TRUE(tools.contains("engine/core/json/json_reader.h"));
    for (const auto* folder : {"engine", "ui", "app"}) {
        for (const auto& source : sourcesUnder(folder)) {
            for (const auto& include : source.includes) {
                if (!tools.contains(include)) continue;
                const auto own = folderOf(source.file.generic_string());
                EXPECT_TRUE(!own.empty() && (folderOf(include) == "core" || folderOf(include) == own))
                    << source.file << " includes " << include << ", which names the JSON library";
            }
        }
    }
}

TEST(Architecture, UiHasNoSqlAndNoFormulaOfTheAdvisor) {
    for (const auto& source : sourcesUnder("ui")) {
        EXPECT_FALSE(std::regex_search(source.text, std::regex("\"(SELECT|INSERT|UPDATE|DELETE) "))) << source.file;
    }
}

TEST(Architecture, ASourceIncludesItsOwnHeaderFirst) {
    for (const auto* folder : {"engine", "ui", "app"}) {
        for (const auto& source : sourcesUnder(folder)) {
            if (source.file.extension() != ".cpp" || source.includes.empty()) continue;
            auto header = source.file;
            header.replace_extension(".h");
            if (!fs::exists(kTop / header)) continue;
            EXPECT_EQ(source.includes.front(), header.generic_string()) << source.file;
        }
    }
}

TEST(Architecture, EverySourceNamesItsLicence) {
    for (const auto* folder : {"engine", "ui", "app", "tests"})
        for (const auto& source : sourcesUnder(folder))
            EXPECT_TRUE(source.text.starts_with("// SPDX-License-Identifier: Apache-2.0")) << source.file;
}

TEST(Architecture, EveryFolderSaysWhatItIs) {
    for (const auto& [folder, below] : kMayInclude) {
        EXPECT_TRUE(fs::exists(kTop / "engine" / folder / "README.md")) << folder;
    }
}

TEST(Architecture, TheCommandLineLinksNoQt) {
    std::array<char, 4096> chunk{};
    std::string output;
    FILE* pipe = ::popen("ldd '" STEELYARD_CLI "'", "r");
    ASSERT_NE(pipe, nullptr);
    while (const auto count = std::fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), count);
    EXPECT_EQ(::pclose(pipe), 0);
    EXPECT_NE(output.find("libc.so"), std::string::npos) << output;
    EXPECT_EQ(output.find("Qt"), std::string::npos) << output;
    EXPECT_EQ(output.find("libcuda"), std::string::npos) << output;
    // Two thread pools in one process cost up to three times: OpenBLAS must share oneDNN's.
    EXPECT_EQ(output.find("openblas-pthread"), std::string::npos) << output;
}

}  // namespace
