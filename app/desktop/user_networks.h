// SPDX-License-Identifier: Apache-2.0
// The networks that the user added in the window: networks.json lists them, and the folder `networks` beside it holds
// copies of JSON networks. ONNX files stay in place and are identified by path, options and structure hash. Read on
// every call, so that changes by other threads are seen. Each instance is used by one thread at a time; only one thread
// writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::desktop {

struct UserNetwork {
    std::string name;      // display name; empty: the title in the file
    std::string workload;  // as passed to model::resolveWorkload
    bool removed = false;  // can be undone until the program ends

    friend bool operator==(const UserNetwork&, const UserNetwork&) = default;
};

struct ListedNetwork {
    std::string id, title;  // known even if the file is missing
    Result<model::Workload> workload;
};

class UserNetworks {
public:
    // The folder need not exist; empty: no networks, and none can be added.
    explicit UserNetworks(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    // Without removed entries; the files are not read.
    [[nodiscard]] std::vector<UserNetwork> entries() const;
    // Likewise, with the files read. A workload's error says what to do: its file is missing or has changed.
    [[nodiscard]] std::vector<ListedNetwork> list() const;
    // Display name of the workload with that id; empty if it is not listed or has only the title in the file.
    [[nodiscard]] std::string nameOf(const std::string& id) const;
    // Adds a network, replacing one with the same name or file; returns the workload's id. `workload`: path of a JSON
    // file, or an ONNX file with options. Errors: those of model::resolveWorkload and of writing; InvalidArgument if
    // the path cannot be part of a list of workloads.
    [[nodiscard]] Result<std::string> add(const std::string& name, const std::string& workload) const;
    // By workload id. Errors: NotFound.
    [[nodiscard]] Result<void> setRemoved(const std::string& id, bool removed) const;
    // Deletes removed entries and their copies for good.
    void purge() const;

private:
    [[nodiscard]] std::filesystem::path indexFile() const;
    // CorruptData: the list cannot be read, and will not be overwritten.
    [[nodiscard]] Result<std::vector<UserNetwork>> all() const;
    [[nodiscard]] Result<void> save(const std::vector<UserNetwork>& networks) const;
    [[nodiscard]] Result<std::string> copied(const std::filesystem::path& file, const std::string& name,
                                             const std::vector<UserNetwork>& networks) const;

    std::filesystem::path m_folder;
};

}  // namespace steelyard::desktop
