// SPDX-License-Identifier: Apache-2.0
// The networks that the user has added in the window, in a list beside a folder: networks.json names them, and the
// folder networks holds copies of those in JSON. ONNX files stay where they are, and are known by path, options and the
// hash of their structure. Read on each request, so that what another thread has added is there. Used from the window's
// worker threads; each instance by one thread at a time, and written by one thread only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::desktop {

struct OwnNetwork {
    std::string name;      // in lists; empty: the file's own title
    std::string workload;  // as model::resolveWorkload takes it
    bool removed = false;  // only until the program ends

    friend bool operator==(const OwnNetwork&, const OwnNetwork&) = default;
};

struct ListedNetwork {
    std::string id, title;  // as they are known, also where the file is gone
    Result<model::Workload> workload;
};

class OwnNetworks {
public:
    // The folder need not exist; empty: there are none, and none can be added.
    explicit OwnNetworks(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    // Without those removed, and without reading them.
    [[nodiscard]] std::vector<OwnNetwork> entries() const;
    // The same, read. The error of a workload says what to do: its file is missing or has changed.
    [[nodiscard]] std::vector<ListedNetwork> list() const;
    // Of the workload of that id; empty where it is not in the list, or has only the file's own title.
    [[nodiscard]] std::string nameOf(const std::string& id) const;
    // Puts a network into the list, in place of one of that name or of that file; the id of its workload. `workload`:
    // the path of a JSON file, or an ONNX file with its options. Errors as of model::resolveWorkload, and of writing;
    // InvalidArgument for a path that cannot stand in a list of workloads.
    [[nodiscard]] Result<std::string> add(const std::string& name, const std::string& workload) const;
    // By the id of its workload. NotFound.
    [[nodiscard]] Result<void> setRemoved(const std::string& id, bool removed) const;
    // What was removed is gone for good, with its copy.
    void purge() const;

private:
    [[nodiscard]] std::filesystem::path indexFile() const;
    // CorruptData: the list cannot be read, and is not written then.
    [[nodiscard]] Result<std::vector<OwnNetwork>> all() const;
    [[nodiscard]] Result<void> save(const std::vector<OwnNetwork>& networks) const;
    [[nodiscard]] Result<std::string> copied(const std::filesystem::path& file, const std::string& name,
                                             const std::vector<OwnNetwork>& networks) const;

    std::filesystem::path m_folder;
};

}  // namespace steelyard::desktop
