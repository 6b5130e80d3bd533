// SPDX-License-Identifier: Apache-2.0
// Which kernels were found to be the fastest on this machine, kept in a file between processes. What the choice depends
// on is in its key (shape, type, threads, the candidates themselves) or in the machine's description (processor,
// instruction sets in use, versions of the libraries); there is one file per description. A file that is absent,
// damaged, of another format version or not readable counts as empty; one that cannot be written means that choices are
// found again by the next process. Several processes may use one file: a writer adds its choices to what the file has.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace steelyard::compute::cpu {

struct Choice {
    int index = 0;  // into the candidates that the key lists
    double seconds = 0;
    bool certain = false;  // each candidate ran at least once without being interrupted by other programs
};
using KernelChoices = std::map<std::string, Choice>;

class KernelCache {
public:
    KernelCache() = default;  // remembers nothing
    // `folder` is made when there is something to remember. `machine` is one line.
    KernelCache(const std::filesystem::path& folder, std::string machine);

    [[nodiscard]] KernelChoices load() const;
    // False where the file could not be written. Choices that are not certain are left out.
    bool add(const KernelChoices& choices) const;
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;  // empty: none
    std::string m_machine;
};

}  // namespace steelyard::compute::cpu
