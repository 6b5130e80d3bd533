// SPDX-License-Identifier: Apache-2.0
// The architecture rules as tests: allowed includes, libraries confined to certain folders, no registration by globals,
// self-contained headers, a command line without Qt.
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

// A library as linked by CMake: steelyard_write_libraries in packaging/cmake/SteelyardTargets.cmake.
struct Library {
    std::string folder;
    std::set<std::string> dependencies;        // directly linked libraries of the tree
    std::set<std::string> publicDependencies;  // those among them that are also passed on to dependents
};

std::map<std::string, Library> readLibraries() {
    std::map<std::string, Library> libraries;
    std::ifstream file(STEELYARD_LIBRARIES);
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string name, publicNames, privateNames;
        Library library;
        std::getline(fields, name, '\t');
        std::getline(fields, library.folder, '\t');
        std::getline(fields, publicNames, '\t');
        std::getline(fields, privateNames, '\t');
        const auto take = [](const std::string& names, std::set<std::string>& target) {
            std::istringstream words(names);
            for (std::string word; words >> word;)
                if (word.starts_with("steelyard_")) target.insert(word);
        };
        take(publicNames, library.dependencies);
        library.publicDependencies = library.dependencies;
        take(privateNames, library.dependencies);
        libraries.emplace(name, std::move(library));
    }
    return libraries;
}

// The folders that each folder with a library may include besides itself: those of its linked libraries, and what these
// pass on.
std::map<std::string, std::set<std::string>> allowedIncludes(const std::map<std::string, Library>& libraries) {
    std::map<std::string, std::set<std::string>> allowed;
    for (const auto& [name, library] : libraries) {
        std::vector<std::string> open(library.dependencies.begin(), library.dependencies.end());
        std::set<std::string> seen;
        while (!open.empty()) {
            const auto next = open.back();
            open.pop_back();
            if (!libraries.contains(next) || !seen.insert(next).second) continue;
            const auto& passedOn = libraries.at(next).publicDependencies;
            open.insert(open.end(), passedOn.begin(), passedOn.end());
        }
        auto& folders = allowed[library.folder];
        for (const auto& dependency : seen) folders.insert(libraries.at(dependency).folder);
    }
    return allowed;
}

// The level of a file of the engine ("bench" of engine/bench/record/record.h); empty for others.
std::string levelOf(const std::string& path) {
    if (!path.starts_with("engine/")) return {};
    return path.substr(7, path.find('/', 7) - 7);
}

bool isInside(const std::string& path, const std::string& folder) {
    return path.starts_with(folder + "/");
}

// The innermost folder with a library that contains `path`; empty if there is none.
std::string libraryFolder(const std::string& path, const std::map<std::string, std::set<std::string>>& allowed) {
    std::string best;
    for (const auto& [folder, below] : allowed)
        if (isInside(path, folder) && folder.size() > best.size()) best = folder;
    return best;
}

TEST(Architecture, FoldersIncludeOnlyWhatTheirLibrariesLink) {
    const auto allowed = allowedIncludes(readLibraries());
    ASSERT_TRUE(allowed.contains("engine/core"));
    int crossings = 0;
    for (const auto* top : {"engine", "ui", "app"}) {
        for (const auto& source : sourcesUnder(top)) {
            const auto own = libraryFolder(source.file.generic_string(), allowed);
            if (own.empty() && std::string_view(top) == "app") continue;  // a program's main
            ASSERT_FALSE(own.empty()) << source.file << ": a folder without a library";
            for (const auto& include : source.includes) {
                const auto target = libraryFolder(include, allowed);
                if (target.empty() || target == own || isInside(target, own)) continue;
                EXPECT_TRUE(allowed.at(own).contains(target)) << source.file << " includes " << include;
                ++crossings;
            }
        }
    }
    EXPECT_GT(crossings, 100) << "the test sees no includes";
}

// A folder under engine/ is a level: the dependencies between levels are acyclic.
TEST(Architecture, LevelsOfTheEngineFormNoCycle) {
    std::map<std::string, std::set<std::string>> below;
    const auto libraries = readLibraries();
    for (const auto& [name, library] : libraries) {
        if (!library.folder.starts_with("engine/")) continue;
        auto& levels = below[levelOf(library.folder)];
        for (const auto& dependency : library.dependencies) {
            ASSERT_TRUE(libraries.contains(dependency)) << name << " links " << dependency;
            const auto other = levelOf(libraries.at(dependency).folder);
            ASSERT_FALSE(other.empty()) << name << " links " << dependency;
            if (other != levelOf(library.folder)) levels.insert(other);
        }
    }
    ASSERT_GE(below.size(), 11U);
    while (!below.empty()) {
        const auto lowest =
            std::find_if(below.begin(), below.end(), [](const auto& entry) { return entry.second.empty(); });
        ASSERT_NE(lowest, below.end()) << below.begin()->first << " is part of a cycle";
        const auto name = lowest->first;
        below.erase(lowest);
        for (auto& [other, levels] : below) levels.erase(name);
    }
}

// The sentence "Depends on `core` and `model`." in a README must list exactly the folders linked by CMake.
TEST(Architecture, ReadmesNameTheDependenciesThatCMakeLinks) {
    const auto libraries = readLibraries();
    std::map<std::string, std::set<std::string>> linked;
    for (const auto& [name, library] : libraries) {
        auto& folders = linked[library.folder];
        for (const auto& dependency : library.dependencies) {
            const auto& folder = libraries.at(dependency).folder;
            if (folder != library.folder && folder.starts_with("engine/")) folders.insert(folder.substr(7));
        }
    }
    for (const auto& [folder, expected] : linked) {
        if (!folder.starts_with("engine/")) continue;
        std::ifstream stream(kTop / folder / "README.md");
        ASSERT_TRUE(stream) << folder << " has no README.md";
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        std::smatch sentence;
        ASSERT_TRUE(std::regex_search(text, sentence, std::regex("Depends on ([^.]+)\\."))) << folder;
        const auto names = sentence[1].str();
        std::set<std::string> stated;
        const std::regex quoted("`([^`]+)`");
        for (std::sregex_iterator at(names.begin(), names.end(), quoted), end; at != end; ++at) stated.insert((*at)[1]);
        EXPECT_EQ(stated, expected) << folder;
    }
}

TEST(Architecture, EngineKnowsNoQt) {
    for (const auto& source : sourcesUnder("engine"))
        for (const auto& include : source.includes)
            EXPECT_FALSE(std::regex_match(include, std::regex("Q[A-Z].*|Qt.*")))
                << source.file << " includes " << include;
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

// A header that includes the JSON library, directly or indirectly, is for sources of the engine only. That of core may
// be used by every folder, that of another folder by that folder only, and none outside the engine: the public
// interface of a folder is free of JSON.
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
                const auto own = levelOf(source.file.generic_string());
                EXPECT_TRUE(!own.empty() && (levelOf(include) == "core" || levelOf(include) == own))
                    << source.file << " includes " << include << ", which names the JSON library";
            }
        }
    }
}

// The list in ui/README.md defines the order.
TEST(Architecture, FoldersOfTheWindowIncludeOnlyThoseAboveThem) {
    std::vector<std::string> order;
    std::ifstream file(kTop / "ui/README.md");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("- `")) order.push_back(line.substr(3, line.find('`', 3) - 3));
    ASSERT_GT(order.size(), 8U);
    const auto levelIn = [&](const std::string& path) {
        const auto folder = path.substr(3, path.find('/', 3) - 3);
        return std::find(order.begin(), order.end(), folder) - order.begin();
    };
    int crossings = 0;
    for (const auto& source : sourcesUnder("ui")) {
        const auto level = levelIn(source.file.generic_string());
        ASSERT_LT(level, std::ssize(order)) << source.file << ": its folder is not in ui/README.md";
        for (const auto& include : source.includes) {
            if (!include.starts_with("ui/")) continue;
            EXPECT_LE(levelIn(include), level) << source.file << " includes " << include;
            crossings += levelIn(include) < level ? 1 : 0;
        }
    }
    EXPECT_GT(crossings, 50) << "the test sees no includes";
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
    // Two thread pools in one process are up to three times slower: OpenBLAS must share oneDNN's.
    EXPECT_EQ(output.find("openblas-pthread"), std::string::npos) << output;
}

}  // namespace
