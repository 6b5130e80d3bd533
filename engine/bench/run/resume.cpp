// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "engine/bench/record/protocol_fields.h"
#include "engine/bench/record/record_fields.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json_document.h"
#include "engine/hardware/profile/profile_json.h"

namespace steelyard::bench {
namespace {

// Firmware and kernel take a little more or less of it from boot to boot.
constexpr double kMemoryTolerance = 0.02;

template <typename T>
std::string shown(const hardware::Fact<T>& fact) {
    return fact.value ? fmt::format("{}", *fact.value) : "unknown";
}

std::string gpuList(const hardware::HardwareProfile& profile) {
    std::string list;
    for (const auto& gpu : profile.gpus) list += (list.empty() ? "" : ", ") + gpu.name.valueOr(gpu.id);
    return list.empty() ? "none" : list;
}

// "the processor was X and is Y"; empty when nothing that matters differs.
std::string differenceOf(const hardware::HardwareProfile& then, const hardware::HardwareProfile& now) {
    const auto changed = [](std::string_view what, const std::string& before, const std::string& after) {
        return before == after ? std::string() : fmt::format("{} was {} and is {}", what, before, after);
    };
    for (const auto& text :
         {changed("the computer", shown(then.environment.hostname), shown(now.environment.hostname)),
          changed("the processor", shown(then.cpu.name), shown(now.cpu.name)),
          changed("the number of cores", shown(then.cpu.cores), shown(now.cpu.cores)),
          changed("the number of usable cores", shown(then.cpu.usableThreads), shown(now.cpu.usableThreads)),
          changed("the list of GPUs", gpuList(then), gpuList(now))}) {
        if (!text.empty()) return text;
    }
    const auto before = static_cast<double>(then.memory.totalBytes.valueOr(0));
    const auto after = static_cast<double>(now.memory.totalBytes.valueOr(0));
    if (std::fabs(before - after) > kMemoryTolerance * std::max(before, after))
        return fmt::format("memory was {} and is {}", formatBytes(Bytes(static_cast<std::int64_t>(before))),
                           formatBytes(Bytes(static_cast<std::int64_t>(after))));
    return {};
}

}  // namespace

template <SameAs<RunSpec> T, typename Visitor>
void visitFields(T& order, Visitor&& visit) {
    visit(required("cases"), order.cases);
    visit(required("protocol"), order.protocol);
    visit(field("process"), order.process);
}

std::string toJson(const RunSpec& order) {
    return dumpJson(toJsonValue(order));
}

Result<RunSpec> runSpecFromJson(std::string_view text) {
    return readDocument<RunSpec>(text);
}

std::vector<Case> missingCases(const RunSpec& order, const std::vector<CaseRecord>& records) {
    std::map<std::string, int> done;
    for (const auto& record : records)
        if (record.status != Status::Cancelled) ++done[caseHash(record.spec)];
    std::vector<Case> missing;
    for (const auto& spec : order.cases) {
        const auto found = done.find(caseHash(spec));
        if (found == done.end() || found->second-- <= 0) missing.push_back(spec);
    }
    return missing;
}

Result<void> checkResumable(const RunRecord& run, const ResumeFacts& here) {
    const auto refuse = [&](std::string why) {
        return fail(ErrorKind::Unsupported, "resuming run " + run.id, std::move(why));
    };
    if (run.origin != "measured") return refuse("it was imported, so it cannot be measured further");
    if (run.finishedUnixMs) return refuse("it is finished, there is nothing left to measure");
    if (!here.process.empty()) return refuse("another process is still measuring it");
    if (run.suiteVersion != here.suiteVersion)
        return refuse(
            fmt::format("it was begun with version {} of the suites, this is {}", run.suiteVersion, here.suiteVersion));
    if (run.programVersion != here.programVersion || run.gitRevision != here.gitRevision)
        return refuse(fmt::format("it was begun by version {} ({}), this is {} ({})", run.programVersion,
                                  run.gitRevision, here.programVersion, here.gitRevision));
    const auto then = hardware::profileFromJson(run.profileJson);
    if (!then) return refuse("the computer it was begun on is not known");
    if (const auto difference = differenceOf(*then, here.profile); !difference.empty())
        return refuse("it was begun on another computer: " + difference);
    return {};
}

std::string processMark(long processId) {
    const auto read = [](const std::string& file) { return readFile(file, 64 * 1024).value_or(std::string()); };
    auto boot = read("/proc/sys/kernel/random/boot_id");
    while (!boot.empty() && boot.back() == '\n') boot.pop_back();
    const auto stat = read(fmt::format("/proc/{}/stat", processId));
    // Fields are counted after the name in parentheses, which may hold anything; the start is the 22nd of all.
    const auto name = stat.rfind(')');
    if (name == std::string::npos) return {};
    std::size_t at = name;
    for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
    if (at == std::string::npos) return {};
    return fmt::format("{} {} {}", processId, stat.substr(at + 1, stat.find(' ', at + 1) - at - 1), boot);
}

bool isAlive(std::string_view mark) {
    long processId = 0;
    const auto [end, error] = std::from_chars(mark.data(), mark.data() + mark.size(), processId);
    return error == std::errc() && end != mark.data() && processMark(processId) == mark;
}

}  // namespace steelyard::bench
