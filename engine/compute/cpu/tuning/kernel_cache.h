// SPDX-License-Identifier: Apache-2.0
// The fastest kernels on this machine, cached in a file. A choice is determined by its key (shape, type, threads,
// candidates) and the machine's description (processor, instruction sets in use, library versions); there is one file
// per description. A missing, damaged, unreadable or differently versioned file counts as empty; if it cannot be
// written, the next process selects kernels again. Several processes may share a file: a writer merges its choices.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace steelyard::compute::cpu {

struct Choice {
    int index = 0;  // into the candidates listed in the key
    double seconds = 0;
    bool certain = false;  // each candidate had at least one run that other programs did not disturb
};
using KernelChoices = std::map<std::string, Choice>;

class KernelCache {
public:
    KernelCache() = default;  // caches nothing
    // `folder` is created on the first write. `machine` is one line.
    KernelCache(const std::filesystem::path& folder, std::string machine);

    [[nodiscard]] KernelChoices load() const;
    // False if the file cannot be written. Uncertain choices are skipped.
    bool add(const KernelChoices& choices) const;
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;  // empty: no file
    std::string m_machine;
};

}  // namespace steelyard::compute::cpu
