// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/cli_fixture.h"

#include <cstdlib>
#include <fstream>

#include "app/cli/cli_app.h"
#include "app/cli/command_context.h"

namespace steelyard::cli {

// Measuring processes inherit the environment: their caches are also in the folder.
CliTest::CliTest() {
    ::setenv("XDG_CACHE_HOME", (m_folder / "cache").c_str(), 1);
}

Outcome CliTest::call(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    std::ostringstream err;
    std::istringstream in(m_input);
    SystemClock clock;
    const auto home = m_folder.path().string();
    CommandContext context(CommandEnvironment{.out = out,
                                              .err = err,
                                              .in = in,
                                              .clock = clock,
                                              .executable = m_executable,
                                              .resources = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources",
                                              .environment = [&](const char* name) -> const char* {
                                                  if (std::string_view(name) == "HOME") return home.c_str();
                                                  return std::string_view(name) == "PATH" && !m_path.empty()
                                                             ? m_path.c_str()
                                                             : nullptr;
                                              },
                                              .interrupted = m_interrupted});
    const int code = runCli(arguments, context);
    return {code, out.str(), err.str()};
}

std::filesystem::path CliTest::script(const std::string& name, const std::string& body) const {
    const auto file = m_folder / name;
    std::ofstream(file) << "#!/bin/sh\n" << body;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
}

}  // namespace steelyard::cli
