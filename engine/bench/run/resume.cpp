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
#include "engine/core/messages/bench.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::bench {
namespace {

// Firmware and kernel reserve a varying amount at each boot.
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

// "processor X, now Y"; empty if nothing relevant differs.
Message differenceOf(const hardware::HardwareProfile& then, const hardware::HardwareProfile& now) {
    struct Change {
        MessagePattern<2> what;
        std::string before, after;
    };
    for (const auto& change :
         {Change{messages::hostChanged, shown(then.environment.hostname), shown(now.environment.hostname)},
          Change{messages::processorChanged, shown(then.cpu.name), shown(now.cpu.name)},
          Change{messages::coresChanged, shown(then.cpu.cores), shown(now.cpu.cores)},
          Change{messages::usableCoresChanged, shown(then.cpu.usableThreads), shown(now.cpu.usableThreads)},
          Change{messages::gpusChanged, gpuList(then), gpuList(now)}}) {
        if (change.before != change.after) return change.what(change.before, change.after);
    }
    const auto before = then.memory.totalBytes.valueOr(0);
    const auto after = now.memory.totalBytes.valueOr(0);
    if (std::fabs(static_cast<double>(before - after)) >
        kMemoryTolerance * static_cast<double>(std::max(before, after)))
        return messages::memoryChanged(Bytes(before), Bytes(after));
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
    auto located = order;
    for (auto& spec : located.cases) spec.workload = model::onnx::locatedOnnxName(spec.workload);
    return dumpJson(toJsonValue(located));
}

Result<RunSpec> runSpecFromJson(std::string_view text) {
    ASSIGN(auto order, readDocument<RunSpec>(text));
    for (auto& spec : order.cases) spec.workload = model::onnx::receivedOnnxName(spec.workload);
    return order;
}

std::vector<Case> missingCases(const RunSpec& order, const std::vector<CaseRecord>& records) {
    std::map<std::string, int> done;
    // Records of earlier versions have no visits and count as complete.
    const auto isWhole = [&](const CaseRecord& record) {
        if (record.status != Status::Ok || record.visits.empty()) return record.status != Status::Cancelled;
        return static_cast<int>(record.visits.size()) >= order.protocol.visits;
    };
    for (const auto& record : records)
        if (isWhole(record)) ++done[caseHash(record.spec)];
    std::vector<Case> missing;
    for (const auto& spec : order.cases) {
        const auto found = done.find(caseHash(spec));
        if (found == done.end() || found->second-- <= 0) missing.push_back(spec);
    }
    return missing;
}

Result<void> checkResumable(const RunRecord& run, const ResumeFacts& here) {
    const auto refuse = [&](Message why) {
        return fail(ErrorKind::Unsupported, {}, messages::cannotResume(run.id, std::move(why)));
    };
    if (run.origin != "measured") return refuse(messages::wasImported());
    if (run.finishedUnixMs) return refuse(messages::isFinished());
    if (!here.process.empty()) return refuse(messages::stillMeasuring());
    if (run.suiteVersion != here.suiteVersion)
        return refuse(messages::otherSuiteVersion(run.suiteVersion, here.suiteVersion));
    if (run.programVersion != here.programVersion || run.gitRevision != here.gitRevision)
        return refuse(
            messages::otherProgramVersion(run.programVersion, run.gitRevision, here.programVersion, here.gitRevision));
    const auto then = hardware::profileFromJson(run.profileJson);
    if (!then) return refuse(messages::computerUnknown());
    if (const auto difference = differenceOf(*then, here.profile); !difference.empty())
        return refuse(messages::otherComputer(difference));
    return {};
}

std::string processIdentity(long processId) {
    const auto read = [](const std::string& file) { return readFile(file, 64 * 1024).value_or(std::string()); };
    auto boot = read("/proc/sys/kernel/random/boot_id");
    while (!boot.empty() && boot.back() == '\n') boot.pop_back();
    const auto stat = read(fmt::format("/proc/{}/stat", processId));
    // Fields are counted after the name in parentheses, which may contain anything; starttime is field 22.
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
    return error == std::errc() && end != mark.data() && processIdentity(processId) == mark;
}

}  // namespace steelyard::bench
