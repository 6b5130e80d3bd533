// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/own_networks.h"

#include <algorithm>
#include <system_error>

#include "engine/core/messages/core.h"
#include "engine/model/file/network_file.h"

namespace steelyard::desktop {
namespace fs = std::filesystem;

std::vector<model::Workload> OwnNetworks::list() const {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(m_folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
        if (entry->path().extension() == ".json") files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    std::vector<model::Workload> result;
    for (const auto& file : files) {
        if (auto workload = model::readNetworkFile(file.string())) result.push_back(std::move(*workload));
    }
    return result;
}

Result<model::Workload> OwnNetworks::add(const fs::path& file) const {
    ASSIGN(auto read, model::readNetworkFile(file.string()));
    if (m_folder.empty()) return fail(ErrorKind::Unsupported, file.string(), steelyard::messages::noUserFolder());
    std::error_code error;
    fs::create_directories(m_folder, error);
    // A comma or a parenthesis would end the name of a workload in a list of them.
    auto name = file.filename().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ',' || c == '(' || c == ')' || c == '#'; }, '_');
    const auto copy = m_folder / name;
    if (fs::equivalent(file, copy, error)) return read;
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
    if (error) return fail(ErrorKind::IoFailed, copy.string(), Message(error.message()));
    return model::readNetworkFile(copy.string());
}

}  // namespace steelyard::desktop
