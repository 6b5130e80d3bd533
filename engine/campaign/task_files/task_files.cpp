// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/task_files/task_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/campaign/sweep.h"
#include "engine/campaign/task_files/quoting.h"
#include "engine/campaign/task_files/writers.h"
#include "engine/core/messages/campaign.h"

namespace steelyard::campaign {
namespace {

// Size limit of a ConfigMap, with room for the rest of the object (Kubernetes: 1 MiB).
constexpr std::size_t kMostConfigMapBytes = 900'000;

Result<void> checkTexts(const Campaign& campaign) {
    const auto& delivery = campaign.delivery;
    for (const auto& [what, text] : {std::pair<const char*, const std::string&>{"the name", campaign.name},
                                     {"--suite", campaign.suite},
                                     {"--program", delivery.program},
                                     {"--bundle", delivery.bundle},
                                     {"--image", delivery.image},
                                     {"--results", delivery.results}})
        TRY(checkLine(what, text));
    for (const auto& [what, text] : {std::pair<const char*, const std::string&>{"--partition", delivery.partition},
                                     {"--account", delivery.account}})
        TRY(checkPlainName(what, text));
    TRY(checkDnsLabel("--queue", delivery.queue));
    TRY(checkDnsLabel("--namespace", delivery.nameSpace));
    TRY(checkLine("--network", delivery.network));
    if (campaign.question) TRY(checkLine("--workload", campaign.question->workload));
    for (const auto& candidate : campaign.candidates) {
        TRY(checkLine("the title", candidate.title));
        TRY(checkPlainName("--host", candidate.host));
        TRY(checkLine("--device", candidate.device));
        for (const auto& placement : candidate.placements)
            for (const auto* text : {&placement.provider, &placement.instance, &placement.region})
                TRY(checkLine(placement.offer, *text));
    }
    return {};
}

Result<void> checkMachine(const Campaign& campaign, const Candidate& candidate) {
    const auto refuse = [&](Message why) { return fail(ErrorKind::InvalidArgument, candidate.title, std::move(why)); };
    const auto& delivery = campaign.delivery;
    switch (candidate.engine) {
        case Engine::SkyPilot:
            if (candidate.placements.empty()) return refuse(messages::needsOffer(toString(candidate.engine)));
            break;
        case Engine::Kubernetes:
        case Engine::MpiJob:
            if (delivery.image.empty()) return refuse(messages::needsImage(toString(candidate.engine)));
            return {};
        case Engine::Mpirun:
        case Engine::Parallel:
            if (candidate.host.empty()) return refuse(messages::needsHost(toString(candidate.engine)));
            break;
        case Engine::Local:
            if (!candidate.host.empty()) return refuse(messages::noHostHere());
            break;
        case Engine::Slurm:
            break;
    }
    if (delivery.program.empty() && delivery.bundle.empty()) return refuse(messages::needsProgram());
    if (delivery.program.empty() && delivery.bundleSha256.empty()) return refuse(messages::needsChecksum());
    return {};
}

std::string arraySuffix(const Candidates& chunks) {
    const auto& first = *chunks.front();
    if (first.id == "01" && first.attempts == 0) return {};
    return fmt::format("-{}{}", first.id, first.attempts > 0 ? fmt::format("-{}", first.attempts + 1) : std::string());
}

Result<std::vector<TaskFile>> sweepFiles(Campaign& campaign, const std::vector<Candidate*>& chunks) {
    if (chunks.size() > kMaxArraySize)
        return fail(ErrorKind::InvalidArgument, campaign.id, messages::tooManyChunks(chunks.size(), kMaxArraySize));
    const auto engine = chunks.front()->engine;
    const Candidates list(chunks.begin(), chunks.end());
    const auto name = arrayFile(list, engine == Engine::Slurm        ? "array.sbatch"
                                      : engine == Engine::Kubernetes ? "array.yaml"
                                                                     : "parallel.sh");
    std::int64_t index = 0;
    for (auto* chunk : chunks) {
        chunk->taskFile = name;
        chunk->taskIndex = index++;
    }
    const auto cases = sweepDocument(campaign, list);
    std::vector<TaskFile> files{{arrayFile(list, kCasesFile), cases}};
    switch (engine) {
        case Engine::Slurm:
            files.push_back({name, slurmArray(campaign, list), true});
            return files;
        case Engine::Kubernetes:
            if (cases.size() > kMostConfigMapBytes)
                return fail(ErrorKind::InvalidArgument, campaign.id, messages::tooLargeForConfigMap());
            files.push_back({name, kubernetesArray(campaign, list, cases)});
            return files;
        case Engine::Parallel:
            for (auto& file : parallelSweepFiles(campaign, list)) files.push_back(std::move(file));
            return files;
        default:
            return fail(ErrorKind::Unsupported, std::string(toString(engine)), messages::noArrays());
    }
}

std::vector<TaskFile> filesOf(const Campaign& campaign, Candidate& candidate) {
    switch (candidate.engine) {
        case Engine::SkyPilot:
            candidate.taskFile = candidate.id + ".sky.yaml";
            return {{candidate.taskFile, skyPilotTask(campaign, candidate)}};
        case Engine::Slurm:
            candidate.taskFile = candidate.id + ".sbatch";
            return {{candidate.taskFile, slurmScript(campaign, candidate), true}};
        case Engine::Kubernetes:
            candidate.taskFile = candidate.id + ".job.yaml";
            return {{candidate.taskFile, kubernetesJob(campaign, candidate)}};
        case Engine::MpiJob:
            candidate.taskFile = candidate.id + ".mpijob.yaml";
            return {{candidate.taskFile, mpiJob(campaign, candidate)}};
        case Engine::Mpirun:
            candidate.taskFile = candidate.id + ".mpirun.sh";
            return mpirunFiles(campaign, candidate);
        case Engine::Local:
            candidate.taskFile = candidate.id + ".sh";
            return {{candidate.taskFile, localScript(campaign, candidate), true}};
        case Engine::Parallel:
            candidate.taskFile = "parallel.sh";  // shared by all
            return {};
    }
    return {};
}

}  // namespace

Result<std::vector<TaskFile>> taskFiles(Campaign& campaign) {
    TRY(checkTexts(campaign));
    TRY(checkBudget(campaign));
    std::vector<Candidate*> open;
    for (auto& candidate : campaign.candidates)
        if (canLaunch(candidate)) open.push_back(&candidate);
    for (const auto* candidate : open) TRY(checkMachine(campaign, *candidate));
    if (open.empty()) return fail(ErrorKind::NotFound, campaign.id, messages::nothingToLaunch());
    if (campaign.isSweep()) return sweepFiles(campaign, open);
    std::vector<TaskFile> files;
    Candidates together;
    for (auto* candidate : open) {
        for (auto& file : filesOf(campaign, *candidate)) files.push_back(std::move(file));
        if (candidate->engine == Engine::Parallel) together.push_back(candidate);
    }
    if (!together.empty())
        for (auto& file : parallelFiles(campaign, together)) files.push_back(std::move(file));
    return files;
}

std::vector<std::string> measureArguments(const Campaign& campaign, const Candidate& candidate) {
    std::vector<std::string> words{"campaign", "measure", "--campaign", campaign.id, "--candidate", candidate.id};
    const auto add = [&](const char* option, std::string value) {
        words.emplace_back(option);
        words.push_back(std::move(value));
    };
    if (candidate.nodes > 1) add("--nodes", std::to_string(candidate.nodes));
    if (campaign.question) {
        add("--workload", campaign.question->workload);
        add("--mode", campaign.question->mode);
        add("--batch", std::to_string(campaign.question->batch));
        add("--precision", campaign.question->precision);
    }
    if (!campaign.suite.empty()) add("--suite", campaign.suite);
    if (candidate.gpus > 1) {
        add("--gpus", std::to_string(candidate.gpus));
    } else if (!candidate.device.empty()) {
        add("--device", candidate.device);
    }
    return words;
}

std::vector<std::string> timeoutWords(const Candidate& candidate) {
    return {"timeout", "--signal=TERM", fmt::format("--kill-after={}", kKillAfterSeconds),
            fmt::format("{:.0f}", std::ceil(candidate.capSeconds))};
}

std::string measureCommand(const Campaign& campaign, const Candidate& candidate, std::string_view program,
                           std::string_view results) {
    auto command = fmt::format("{} {} {}", commandLine(timeoutWords(candidate)), program,
                               commandLine(measureArguments(campaign, candidate)));
    if (!results.empty()) command += " --results " + shellQuoted(results);
    return command;
}

std::string programLines(const Delivery& delivery, std::string_view bundleThere) {
    if (!delivery.program.empty()) return fmt::format("STEELYARD={}\n", shellQuoted(delivery.program));
    return fmt::format(
        "bundle={}\n"
        "echo \"{}  $bundle\" | sha256sum --check --quiet || exit 1\n"
        "unpacked=$(mktemp -d) || exit 1\n"
        "trap 'rm -rf \"$unpacked\"' EXIT\n"
        "tar -xzf \"$bundle\" -C \"$unpacked\" || exit 1\n"
        "STEELYARD=$(find \"$unpacked\" -type f -name steelyard-cli | head -n 1)\n",
        bundleThere, delivery.bundleSha256);
}

std::string arrayFile(const Candidates& chunks, std::string_view name) {
    const auto suffix = arraySuffix(chunks);
    const auto dot = std::min(name.rfind('.'), name.size());
    return std::string(name.substr(0, dot)) + suffix + std::string(name.substr(dot));
}

std::string arrayJob(const Campaign& campaign, const Candidates& chunks) {
    return jobName(campaign) + arraySuffix(chunks);
}

std::string exitLines() {
    return fmt::format(
        "code=$?\n"
        "# 2: the job does not fit this machine; {0}: its time is up. Another attempt would end the same way; the "
        "result "
        "says why.\n"
        "case $code in 2|{0}) code=0 ;; esac\n"
        "exit \"$code\"\n",
        kTimeIsUp);
}

}  // namespace steelyard::campaign
