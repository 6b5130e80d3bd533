// SPDX-License-Identifier: Apache-2.0
// Shared by the commands of steelyard-cli: streams, clock, backends, paths and the exit code. All access to the
// environment goes through here, so that tests can redirect it. One thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compute/registry.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::cli {

// Exit codes, as documented in the README.
enum ExitCode : int {
    kDone = 0,
    kSomeCaseFailed = 1,
    kWrongUsage = 2,
    kNothingRunnable = 3,
    kSlower = 4,
    kCancelled = 130
};

// References that must outlive the context.
struct CommandEnvironment {
    std::ostream& out;
    std::ostream& err;
    std::istream& in;
    Clock& clock;
    std::filesystem::path executable;  // started again for each measured case
    std::filesystem::path resources;   // catalogue, schemas, ...
    std::function<const char*(const char*)> environment;
    const std::atomic<int>& interrupted;  // the first SIGINT or SIGTERM received; 0: none
};

struct CommandContext : CommandEnvironment {
    explicit CommandContext(CommandEnvironment surroundings) : CommandEnvironment(std::move(surroundings)) {}

    int exitCode = kDone;
    bool usesKernelCache = true;  // set before the first call of backends() (kernelCacheFlag)

    // Search path of dynamically loaded modules, in order.
    [[nodiscard]] std::vector<std::filesystem::path> moduleFolders() const;
    // Created on first use: loading the libraries takes longer than printing help.
    compute::Registry& backends();
    [[nodiscard]] Result<hardware::HardwareProfile> profile();
    // The file given with --db, otherwise the default file.
    [[nodiscard]] std::filesystem::path historyFile(const std::optional<std::string>& option) const;

    // Prints "steelyard-cli: <message>" on err and sets the exit code.
    void report(const Error& error, int code = kWrongUsage);

private:
    std::unique_ptr<compute::Registry> m_backends;
    std::optional<hardware::HardwareProfile> m_profile;
};

// Splits "a,b,c"; empty parts are dropped.
[[nodiscard]] std::vector<std::string> splitList(const std::string& text);

}  // namespace steelyard::cli
