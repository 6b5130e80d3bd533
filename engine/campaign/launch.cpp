// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>

#include "engine/bench/run/resume.h"
#include "engine/campaign/task_files/quoting.h"
#include "engine/campaign/task_files/task_files.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"

namespace steelyard::campaign {
namespace {

namespace fs = std::filesystem;

enum class JobPhase { Waiting, Running, EndedWell, EndedBadly, Lost };

struct JobState {
    JobPhase phase = JobPhase::Waiting;
    std::string reason;  // reported by the engine
};

// ---- launching

std::string inFolder(const Campaign& campaign, std::string_view name) {
    return (fs::path(campaign.folder) / name).string();
}

std::string logOfScript(const Campaign& campaign, const std::string& taskFile) {
    return inFolder(campaign, fmt::format("{}/{}.log", kLogsFolder, taskFile));
}

// The last line of the log, so that the end is detected even if no process waits for it.
constexpr std::string_view kExitMark = "steelyard-exit ";

bool runsHere(Engine engine) {
    return engine == Engine::Local || engine == Engine::Parallel || engine == Engine::Mpirun;
}

std::vector<std::string> launchWords(const Campaign& campaign, const Candidate& candidate) {
    const auto file = inFolder(campaign, candidate.taskFile);
    const std::string launcher(launcherOf(candidate.engine));
    switch (candidate.engine) {
        case Engine::SkyPilot:
            return {launcher, "jobs", "launch", "-n", jobName(campaign, &candidate), "-y", "-d", file};
        case Engine::Slurm:
            return {launcher, "--parsable", "--chdir=" + campaign.folder, file};
        case Engine::Kubernetes:
        case Engine::MpiJob:
            return {launcher, "apply", "-f", file};
        case Engine::Mpirun:
        case Engine::Parallel:
        case Engine::Local: {
            const auto task = fmt::format("sh {}; echo \"{}$?\"", shellQuoted(file), kExitMark);
            return {"sh", "-c",
                    fmt::format("setsid sh -c {} >{} 2>&1 </dev/null & echo $!", shellQuoted(task),
                                shellQuoted(logOfScript(campaign, candidate.taskFile)))};
        }
    }
    return {};
}

std::string firstLine(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Failure notUnderstood(const EngineCommand& command, std::string_view answer) {
    return fail(ErrorKind::CorruptData, {},
                messages::unexpectedAnswer(command.words.front(), toUtf8(answer.substr(0, 200))));
}

// The engine's id for all of them; for a Slurm array without the index.
Result<std::string> externalIdOf(const Campaign& campaign, const EngineCommand& command, const ToolOutput& output) {
    const auto& first = *campaign.find(command.candidates.front());
    switch (command.engine) {
        case Engine::SkyPilot:
            return jobName(campaign, &first);
        case Engine::Kubernetes:
        case Engine::MpiJob:
            if (!first.taskIndex) return jobName(campaign, &first);
            // "array.yaml", "array-17.yaml": see arrayJob().
            return jobName(campaign) +
                   fs::path(first.taskFile).stem().string().substr(std::string_view("array").size());
        case Engine::Slurm: {
            const auto line = firstLine(output.out);
            const auto id = line.substr(0, line.find(';'));  // "17;cluster"
            if (!isNumber(id)) return notUnderstood(command, output.out);
            return id;
        }
        case Engine::Mpirun:
        case Engine::Parallel:
        case Engine::Local: {
            const auto line = firstLine(output.out);
            if (!isNumber(line)) return notUnderstood(command, output.out);
            long process = 0;
            std::from_chars(line.data(), line.data() + line.size(), process);
            const auto mark = bench::processIdentity(process);
            return mark.empty() ? line : mark;
        }
    }
    return std::string();
}

// ---- states

JobState stateOfSlurm(std::string_view state, std::string_view reason) {
    constexpr std::array<std::string_view, 8> kWaiting{"PENDING",      "CONFIGURING",  "REQUEUED",      "REQUEUE_FED",
                                                       "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD", "STAGE_IN"};
    constexpr std::array<std::string_view, 8> kBad{"BOOT_FAIL", "CANCELLED", "DEADLINE",      "FAILED",
                                                   "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "TIMEOUT"};
    if (state == "COMPLETED") return {JobPhase::EndedWell, {}};
    if (std::ranges::find(kWaiting, state) != kWaiting.end()) return {JobPhase::Waiting, std::string(reason)};
    if (std::ranges::find(kBad, state) == kBad.end()) return {JobPhase::Running, {}};
    const bool saysMore = !reason.empty() && reason != "None" && reason != state;
    return {JobPhase::EndedBadly, saysMore ? fmt::format("{} ({})", state, reason) : std::string(state)};
}

using JobStates = std::map<std::string, JobState, std::less<>>;

// squeue --format=%i|%T|%r, one array element per line: "12_3|RUNNING|None".
std::optional<JobStates> slurmStates(std::string_view text) {
    JobStates states;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        const auto first = line.find('|'), second = line.find('|', first + 1);
        if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
        states[std::string(line.substr(0, first))] =
            stateOfSlurm(line.substr(first + 1, second - first - 1), line.substr(second + 1));
    }
    return states;
}

std::string textIn(const Json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

JobState stateOfSky(const std::string& status, const std::string& reason) {
    if (status == "SUCCEEDED") return {JobPhase::EndedWell, {}};
    if (status == "PENDING" || status == "SUBMITTED" || status == "STARTING") return {JobPhase::Waiting, {}};
    if (status != "CANCELLED" && !status.starts_with("FAILED")) return {JobPhase::Running, {}};
    const auto words = reason.empty() ? status : fmt::format("{}: {}", status, reason);
    const bool isLost = reason.find("preempt") != std::string::npos || reason.find("Preempt") != std::string::npos;
    return {isLost ? JobPhase::Lost : JobPhase::EndedBadly, words};
}

// sky jobs queue --output json: a list of jobs, or an object containing it; the latest job of a name is used.
std::optional<JobStates> skyStates(std::string_view text) {
    // Notices may precede the document.
    const auto begin = text.find_first_of("[{");
    if (begin == std::string_view::npos) return std::nullopt;
    const auto document = parseJson(text.substr(begin));
    if (!document) return std::nullopt;
    const auto& jobs = document->is_object() && document->contains("jobs") ? document->at("jobs") : *document;
    if (!jobs.is_array()) return std::nullopt;
    JobStates states;
    std::map<std::string, std::int64_t> newest;
    for (const auto& job : jobs) {
        const auto name = textIn(job, "job_name");
        const auto id = job.is_object() ? job.value("job_id", Json(0)) : Json(0);
        const auto number = id.is_number_integer() ? id.get<std::int64_t>() : 0;
        if (name.empty() || newest[name] > number) continue;
        newest[name] = number;
        states[name] = stateOfSky(textIn(job, "status"), textIn(job, "failure_reason"));
    }
    return states;
}

// The condition of a Job (batch/v1) or MPIJob that is true; its status if there is none.
JobState stateOfKubernetes(const Json& job) {
    const auto status = job.value("status", Json::object());
    const auto conditions = status.value("conditions", Json::array());
    const auto holds = [&](std::initializer_list<const char*> types) -> const Json* {
        for (const auto& condition : conditions)
            for (const auto* type : types)
                if (textIn(condition, "type") == type && textIn(condition, "status") == "True") return &condition;
        return nullptr;
    };
    if (holds({"Complete", "Succeeded"}) != nullptr) return {JobPhase::EndedWell, {}};
    if (const auto* failed = holds({"Failed"}))
        return {JobPhase::EndedBadly, fmt::format("{}: {}", textIn(*failed, "reason"), textIn(*failed, "message"))};
    const auto active = status.value("active", Json(0));
    const bool runs = (active.is_number_integer() && active.get<std::int64_t>() > 0) || holds({"Running"}) != nullptr;
    return {runs ? JobPhase::Running : JobPhase::Waiting, {}};
}

// kubectl get -o json: a List of jobs, or a single one.
std::optional<JobStates> kubernetesStates(std::string_view text) {
    const auto document = parseJson(text);
    if (!document || !document->is_object()) return std::nullopt;
    JobStates states;
    const auto add = [&](const Json& job) {
        if (job.is_object()) states[textIn(job.value("metadata", Json::object()), "name")] = stateOfKubernetes(job);
    };
    if (document->contains("items") && document->at("items").is_array()) {
        for (const auto& job : document->at("items")) add(job);
    } else {
        add(*document);
    }
    return states;
}

void apply(Campaign& campaign, std::string_view id, const JobState& state, std::int64_t nowUnixMs) {
    auto& candidate = *campaign.find(id);
    if (state.phase == JobPhase::Waiting) {
        candidate.state = CandidateState::Submitted;
        candidate.reason = state.reason.empty() || state.reason == "None"
                               ? Message()
                               : messages::engineReports(toString(candidate.engine), toUtf8(state.reason));
        return;
    }
    candidate.state = CandidateState::Running;
    candidate.reason = {};
    if (!candidate.startedUnixMs) candidate.startedUnixMs = nowUnixMs;
    if (state.phase == JobPhase::Running) return;
    candidate.endedUnixMs = nowUnixMs;
    if (state.phase == JobPhase::EndedWell) return;
    candidate.reason = messages::engineReports(toString(candidate.engine), toUtf8(state.reason));
    if (state.phase == JobPhase::Lost && candidate.isSpot()) repeatLostSpot(campaign, id);
}

std::vector<std::string> withNamespace(const Campaign& campaign, std::vector<std::string> words) {
    if (!campaign.delivery.nameSpace.empty()) words.push_back("--namespace=" + campaign.delivery.nameSpace);
    return words;
}

std::vector<std::string> pollWords(const Campaign& campaign, Engine engine) {
    const auto label = "--selector=steelyard/campaign=" + campaign.id;
    switch (engine) {
        case Engine::SkyPilot:
            return {"sky", "jobs", "queue", "--all", "--output", "json"};
        case Engine::Slurm:
            return {"squeue", "--me", "--states=all", "--array", "--noheader", "--format=%i|%T|%r"};
        case Engine::Kubernetes:
            return withNamespace(campaign, {"kubectl", "get", "jobs", label, "--output=json"});
        case Engine::MpiJob:
            return withNamespace(campaign, {"kubectl", "get", "mpijobs", label, "--output=json"});
        default:
            return {};
    }
}

// The end of a script's log: the exit code after the marker, and the text before it.
std::optional<JobState> endInLog(const std::string& file) {
    constexpr std::int64_t kMostLogBytes = std::int64_t{256} << 20;
    const auto text = readFile(file, kMostLogBytes);
    if (!text) return std::nullopt;
    const auto mark = text->rfind(kExitMark);
    if (mark == std::string::npos || (mark > 0 && text->at(mark - 1) != '\n')) return std::nullopt;
    const auto code = firstLine(std::string_view(*text).substr(mark + kExitMark.size()));
    if (code == "0") return JobState{JobPhase::EndedWell, {}};
    std::string_view before(*text);
    before = before.substr(0, mark);
    while (before.ends_with('\n')) before.remove_suffix(1);
    const auto line = before.substr(before.rfind('\n') + 1);
    return JobState{JobPhase::EndedBadly,
                    line.empty() ? "code " + code : fmt::format("code {}: {}", code, line.substr(0, 400))};
}

}  // namespace

bool isUnderWay(const Candidate& candidate) {
    return (candidate.state == CandidateState::Submitted || candidate.state == CandidateState::Running) &&
           !candidate.endedUnixMs;
}

std::string_view launcherOf(Engine engine) {
    switch (engine) {
        case Engine::SkyPilot:
            return "sky";
        case Engine::Slurm:
            return "sbatch";
        case Engine::Kubernetes:
        case Engine::MpiJob:
            return "kubectl";
        case Engine::Mpirun:
            return "mpirun";
        case Engine::Parallel:
            return "parallel";
        case Engine::Local:
            break;
    }
    return "sh";
}

std::string shown(const EngineCommand& command) {
    return commandLine(command.words);
}

std::vector<EngineCommand> launchCommands(const Campaign& campaign) {
    std::vector<EngineCommand> commands;
    for (const auto& candidate : campaign.candidates) {
        if (!canLaunch(candidate) || candidate.taskFile.empty()) continue;
        EngineCommand command{candidate.engine, launchWords(campaign, candidate), {candidate.id}};
        const auto same = std::ranges::find_if(commands, [&](const EngineCommand& other) {
            return other.words == command.words;  // one array, one parallel.sh
        });
        if (same != commands.end()) {
            same->candidates.push_back(candidate.id);
        } else {
            commands.push_back(std::move(command));
        }
    }
    return commands;
}

Result<void> markLaunched(Campaign& campaign, const EngineCommand& command, const ToolOutput& output,
                          std::int64_t nowUnixMs) {
    ASSIGN(const auto external, externalIdOf(campaign, command, output));
    for (const auto& id : command.candidates) {
        auto& candidate = *campaign.find(id);
        candidate.externalId = candidate.taskIndex && command.engine == Engine::Slurm
                                   ? fmt::format("{}_{}", external, *candidate.taskIndex)
                                   : external;
        candidate.state = CandidateState::Submitted;
        candidate.reason = {};
        ++candidate.attempts;
        candidate.submittedUnixMs = nowUnixMs;
        candidate.startedUnixMs = candidate.endedUnixMs = std::nullopt;
    }
    return {};
}

void markRefused(Campaign& campaign, const EngineCommand& command, const Message& why) {
    for (const auto& id : command.candidates) {
        auto& candidate = *campaign.find(id);
        candidate.state = CandidateState::Failed;
        candidate.reason = why;
    }
}

std::vector<EngineCommand> pollCommands(const Campaign& campaign) {
    std::vector<EngineCommand> commands;
    for (const auto& candidate : campaign.candidates) {
        if (!isUnderWay(candidate) || runsHere(candidate.engine)) continue;
        const auto same = std::ranges::find(commands, candidate.engine, &EngineCommand::engine);
        if (same != commands.end()) {
            same->candidates.push_back(candidate.id);
        } else {
            commands.push_back({candidate.engine, pollWords(campaign, candidate.engine), {candidate.id}});
        }
    }
    return commands;
}

Result<void> markPolled(Campaign& campaign, const EngineCommand& command, const ToolOutput& output,
                        std::int64_t nowUnixMs) {
    const auto states = command.engine == Engine::Slurm      ? slurmStates(output.out)
                        : command.engine == Engine::SkyPilot ? skyStates(output.out)
                                                             : kubernetesStates(output.out);
    if (!states) return notUnderstood(command, output.out);
    for (const auto& id : command.candidates) {
        const auto* candidate = campaign.find(id);
        const auto state = states->find(candidate->externalId);
        // Engines forget jobs some time after their end.
        apply(campaign, id, state == states->end() ? JobState{JobPhase::EndedWell, {}} : state->second, nowUnixMs);
    }
    return {};
}

void pollLocal(Campaign& campaign, std::int64_t nowUnixMs) {
    for (auto& candidate : campaign.candidates) {
        if (!isUnderWay(candidate) || !runsHere(candidate.engine)) continue;
        const bool isAlive = bench::isAlive(candidate.externalId);  // before reading the log, which is written first
        const auto end = endInLog(logOfScript(campaign, candidate.taskFile));
        const JobState gone{JobPhase::EndedBadly, "the process has gone"};
        const JobState running{JobPhase::Running, {}};
        apply(campaign, candidate.id, end.value_or(isAlive ? running : gone), nowUnixMs);
    }
}

std::vector<EngineCommand> logCommands(const Campaign& campaign) {
    std::vector<EngineCommand> commands;
    for (const auto& candidate : campaign.candidates) {
        if (candidate.state != CandidateState::Running || !candidate.endedUnixMs) continue;
        const auto kubernetesLog = [&](const std::string& selector) {
            return withNamespace(campaign, {"kubectl", "logs", "--selector=" + selector, "--tail=-1"});
        };
        std::vector<std::string> words;
        if (candidate.engine == Engine::SkyPilot)
            words = {"sky", "jobs", "logs", "-n", candidate.externalId, "--no-follow", "--tail", "0"};
        if (candidate.engine == Engine::Kubernetes)
            words = kubernetesLog("batch.kubernetes.io/job-name=" + candidate.externalId);
        if (candidate.engine == Engine::MpiJob)
            words = kubernetesLog("training.kubeflow.org/job-name=" + candidate.externalId);
        if (words.empty()) continue;
        const auto same = std::ranges::find(commands, words, &EngineCommand::words);
        if (same != commands.end()) {
            same->candidates.push_back(candidate.id);
        } else {
            commands.push_back({candidate.engine, std::move(words), {candidate.id}});
        }
    }
    return commands;
}

void failWithoutResult(Campaign& campaign) {
    for (auto& candidate : campaign.candidates) {
        if (candidate.state != CandidateState::Running || !candidate.endedUnixMs) continue;
        candidate.state = CandidateState::Failed;
        if (candidate.reason.empty()) candidate.reason = messages::endedWithoutResult();
    }
}

}  // namespace steelyard::campaign
