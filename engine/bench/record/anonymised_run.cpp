// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/anonymised_run.h"

#include <filesystem>

namespace steelyard::bench {
namespace {

std::string lastName(const std::string& folder) {
    const std::filesystem::path path(folder);
    const auto name = path.has_filename() ? path.filename() : path.parent_path().filename();
    return name.empty() ? folder : name.string();
}

}  // namespace

RunRecord anonymised(RunRecord run) {
    for (auto& record : run.records) {
        const auto folder = record.spec.data;
        const auto name = lastName(folder);
        if (name == folder) continue;
        record.spec.data = name;
        // A trailing slash would prevent matches of longer paths.
        const auto way = folder.ends_with('/') ? folder.substr(0, folder.find_last_not_of('/') + 1) : folder;
        record.reason.replace(way, name);
        for (auto& warning : record.warnings) warning.replace(way, name);
    }
    return run;
}

}  // namespace steelyard::bench
