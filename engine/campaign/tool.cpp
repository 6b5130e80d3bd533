// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/tool.h"

#include <unistd.h>

#include <filesystem>

#include "engine/bench/run/child_process.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"

namespace steelyard::campaign {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostOutput = 64U << 20;

// Searches like execvp(3), except that empty and relative folders are ignored.
std::optional<std::string> programOn(std::string_view path, const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    while (!path.empty()) {
        const auto end = std::min(path.find(':'), path.size());
        const fs::path folder(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
        std::error_code ignored;
        const auto file = folder / name;
        if (folder.is_absolute() && fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
            return file.string();
    }
    return std::nullopt;
}

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

}  // namespace

bool isToolThere(const std::string& name, std::string_view path) {
    return programOn(path, name).has_value();
}

Result<ToolOutput> runTool(const std::vector<std::string>& words, const ToolOptions& options) {
    const auto program = programOn(options.path, words.front());
    if (!program) return fail(ErrorKind::NotFound, {}, messages::noSuchProgram(words.front()));
    auto arguments = words;
    arguments.front() = *program;
    ASSIGN(auto child,
           bench::ChildProcess::start({.arguments = std::move(arguments), .environment = {}, .standardInput = {}}));
    const auto deadline = std::chrono::steady_clock::now() + options.timeout;
    ToolOutput output;
    std::optional<ErrorKind> stopped;
    while (!child.atEnd()) {
        if (auto line = child.readLine(std::chrono::milliseconds(100));
            line && output.out.size() + line->size() < kMostOutput)
            output.out += *line + "\n";
        if (stopped) continue;
        if (options.cancelled && options.cancelled()) stopped = ErrorKind::Cancelled;
        if (std::chrono::steady_clock::now() > deadline) stopped = ErrorKind::TimedOut;
        if (stopped) child.kill();
    }
    const auto end = child.wait();
    if (stopped) return fail(*stopped, words.front());
    output.code = end.code.value_or(128 + end.signal.value_or(0));
    output.error = end.standardErrorTail;
    return output;
}

Error toolError(const std::vector<std::string>& words, const ToolOutput& output) {
    auto said = trimmed(toUtf8(output.error.empty() ? output.out : output.error));
    return {ErrorKind::IoFailed,
            {},
            said.empty() ? messages::toolEnded(words.front(), output.code)
                         : messages::toolSays(words.front(), output.code, std::move(said)),
            {},
            {},
            {}};
}

}  // namespace steelyard::campaign
