// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/plugin_loader.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {

Registry::Registry(const std::vector<std::filesystem::path>& pluginFolders, const std::filesystem::path& cacheFolder) {
    m_backends.push_back(makeReferenceBackend());
    m_backends.push_back(makeCpuBackend({.kernelCacheFolder = cacheFolder}));
    m_states.push_back({"reference", true, {}});
    m_states.push_back({"cpu", true, {}});
    auto cuda = loadBackendPlugin("steelyard_cuda", pluginFolders);
    m_states.push_back({"cuda", cuda.has_value(), cuda ? Message() : cuda.error().detail});
    if (cuda) m_backends.push_back(std::move(*cuda));
}

std::vector<Device> Registry::devices() const {
    std::vector<Device> all;
    for (const auto& backend : m_backends) {
        if (backend.get() == m_backends.front().get()) continue;
        for (auto& device : backend->devices()) all.push_back(std::move(device));
    }
    return all;
}

Result<Backend*> Registry::backendOf(std::string_view device) {
    std::vector<std::string> known;
    for (const auto& backend : m_backends) {
        for (const auto& candidate : backend->devices()) {
            if (candidate.id == device) return backend.get();
            known.push_back(candidate.id);
        }
    }
    const auto family = device.substr(0, device.find(':'));
    for (const auto& state : m_states) {
        if (state.name == family && !state.loaded)
            return fail(ErrorKind::BackendUnavailable, std::string(device), state.reason);
    }
    return fail(ErrorKind::NotFound, {}, messages::unknownDevice(device, fmt::format("{}", fmt::join(known, ", "))));
}

}  // namespace steelyard::compute
