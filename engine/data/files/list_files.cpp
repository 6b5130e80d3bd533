// SPDX-License-Identifier: Apache-2.0
#include "engine/data/files/list_files.h"

#include <algorithm>
#include <string>

namespace steelyard::data {

char lowerAscii(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

Result<std::vector<std::filesystem::path>> listFiles(const std::filesystem::path& folder,
                                                     std::initializer_list<std::string_view> endings) {
    std::vector<std::filesystem::path> files;
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        auto name = entry->path().filename().string();
        std::transform(name.begin(), name.end(), name.begin(), lowerAscii);
        const bool wanted = std::any_of(endings.begin(), endings.end(),
                                        [&](std::string_view ending) { return name.ends_with(ending); });
        std::error_code ignored;
        if (wanted && entry->is_regular_file(ignored)) files.push_back(entry->path());
    }
    if (problem) return Failure(errorFromErrno(problem.value(), folder.string()));
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace steelyard::data
