// SPDX-License-Identifier: Apache-2.0
// The networks that the user has added in the window: copies of their JSON files in one folder, read on each request.
// Used from the window's worker threads; each instance by one thread at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::desktop {

class OwnNetworks {
public:
    // The folder need not exist; empty: there are none, and none can be added.
    explicit OwnNetworks(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    // By name. Files that are no longer valid are left out.
    [[nodiscard]] std::vector<model::Workload> list() const;
    // Reads `file`, and keeps a copy under its name, in place of one of that name; the workload is of the copy. Errors
    // as of model::readNetworkFile, and of writing.
    [[nodiscard]] Result<model::Workload> add(const std::filesystem::path& file) const;

private:
    std::filesystem::path m_folder;
};

}  // namespace steelyard::desktop
