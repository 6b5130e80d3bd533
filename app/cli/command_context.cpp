// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_context.h"

#include <ostream>
#include <sstream>

#include "engine/core/file_io.h"
#include "engine/core/text.h"
#include "engine/hardware/detect.h"
#include "engine/history/history_store.h"

namespace steelyard::cli {

std::vector<std::filesystem::path> CommandContext::moduleFolders() const {
    const auto folder = executable.parent_path();
    return {folder, folder / ".." / "lib" / "steelyard" / "backends"};
}

compute::Registry& CommandContext::backends() {
    if (!m_backends) {
        m_backends = std::make_unique<compute::Registry>(
            moduleFolders(), usesKernelCache ? userCacheFolder(environment("XDG_CACHE_HOME"), environment("HOME"))
                                             : std::filesystem::path());
    }
    return *m_backends;
}

Result<hardware::HardwareProfile> CommandContext::profile() {
    if (!m_profile) {
        hardware::DetectOptions options;
        for (const auto& state : backends().states())
            options.backends.push_back({state.name, state.loaded, state.reason});
        auto detected = hardware::detect(options);
        if (!detected) return detected;
        m_profile = std::move(*detected);
    }
    return *m_profile;
}

std::filesystem::path CommandContext::historyFile(const std::optional<std::string>& option) const {
    return option ? std::filesystem::path(*option)
                  : history::defaultHistoryFile(environment("XDG_DATA_HOME"), environment("HOME"));
}

void CommandContext::report(const Error& error, int code) {
    auto shown = error;
    shown.subject = visible(error.subject);
    err << "steelyard-cli: " << describe(shown) << "\n";
    exitCode = code;
}

std::vector<std::string> splitList(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

}  // namespace steelyard::cli
