// SPDX-License-Identifier: Apache-2.0
// A computer's files in a temporary folder, created from a .tree text (tests/data/hardware/README.md) and removed by
// the destructor. Single thread.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware::testing {

class FileTree {
public:
    // An empty name creates an empty computer.
    explicit FileTree(const std::string& name = {}) {
        std::string pattern = ::testing::TempDir() + "steelyard-tree-XXXXXX";
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        m_root = pattern;
        if (!name.empty()) load(std::string(STEELYARD_TEST_DATA) + "/hardware/" + name + ".tree");
    }
    ~FileTree() {
        std::error_code error;
        std::filesystem::remove_all(m_root, error);
    }
    FileTree(const FileTree&) = delete;
    FileTree& operator=(const FileTree&) = delete;

    void write(std::string_view path, std::string_view text) {
        const std::string file = m_root + std::string(path);
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    void link(std::string_view path, std::string_view target) {
        const std::string file = m_root + std::string(path);
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::filesystem::create_symlink(target, file);
    }
    void remove(std::string_view path) { std::filesystem::remove_all(m_root + std::string(path)); }

    [[nodiscard]] const std::string& root() const { return m_root; }
    [[nodiscard]] SystemFiles files() const { return SystemFiles(m_root); }

private:
    void load(const std::string& file) {
        std::ifstream in(file);
        if (!in) throw std::runtime_error(file + " cannot be read");
        std::string path;
        std::string text;
        const auto flush = [&] {
            if (!path.empty()) write(path, text);
            path.clear();
            text.clear();
        };
        for (std::string line; std::getline(in, line);) {
            if (!line.starts_with("@ ")) {
                text += line + "\n";
                continue;
            }
            flush();
            const auto arrow = line.find(" -> ");
            if (arrow == std::string::npos) {
                path = line.substr(2);
            } else {
                link(line.substr(2, arrow - 2), line.substr(arrow + 4));
            }
        }
        flush();
    }

    std::string m_root;
};

}  // namespace steelyard::hardware::testing
