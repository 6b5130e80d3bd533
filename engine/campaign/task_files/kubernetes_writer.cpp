// SPDX-License-Identifier: Apache-2.0
// Kubernetes Jobs (batch/v1) and MPIJobs of the MPI Operator (kubeflow.org/v2beta1). With a queue they are created
// suspended and admitted by Kueue.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/campaign/task_files/quoting.h"
#include "engine/campaign/task_files/writers.h"
#include "engine/core/device_id.h"

namespace steelyard::campaign {
namespace {

constexpr int kKeepFinishedSeconds = 86'400;  // finished jobs are kept this long for fetching their logs
constexpr std::string_view kVolumeThere = "/steelyard-results";
constexpr std::string_view kCasesThere = "/steelyard-cases";

std::string metadata(const Campaign& campaign, std::string_view name) {
    const auto& delivery = campaign.delivery;
    auto lines = fmt::format("metadata:\n  name: {}\n", yamlQuoted(name));
    if (!delivery.nameSpace.empty()) lines += fmt::format("  namespace: {}\n", yamlQuoted(delivery.nameSpace));
    lines += fmt::format("  labels:\n    app.kubernetes.io/name: steelyard\n    steelyard/campaign: {}\n",
                         yamlQuoted(campaign.id));
    if (!delivery.queue.empty())
        lines += fmt::format("    kueue.x-k8s.io/queue-name: {}\n", yamlQuoted(delivery.queue));
    return lines;
}

int gpusOf(const Candidate& candidate) {
    return std::max(candidate.gpus, DeviceId::parse(candidate.device).isGpu() ? 1 : 0);
}

std::string gpuLines(const Candidate& candidate, std::string_view indent) {
    if (gpusOf(candidate) == 0) return {};
    return fmt::format("{0}resources:\n{0}  limits:\n{0}    nvidia.com/gpu: {1}\n", indent, gpusOf(candidate));
}

std::string programOf(const Campaign& campaign) {
    return campaign.delivery.program.empty() ? "steelyard-cli" : campaign.delivery.program;
}

// The measuring command, without a shell. Kubernetes expands $(NAME) to environment variables unless the dollar is
// doubled.
std::vector<std::string> words(const Campaign& campaign, const Candidate& candidate) {
    auto command = timeoutWords(candidate);
    command.push_back(programOf(campaign));
    for (auto& word : measureArguments(campaign, candidate)) command.push_back(std::move(word));
    if (!campaign.delivery.results.empty()) command.insert(command.end(), {"--results", std::string(kVolumeThere)});
    for (auto& word : command)
        for (std::size_t at = 0; (at = word.find("$(", at)) != std::string::npos; at += 3) word.insert(at, 1, '$');
    return command;
}

std::string yamlList(const std::vector<std::string>& words, std::string_view indent) {
    std::string lines;
    for (const auto& word : words) lines += fmt::format("{}- {}\n", indent, yamlQuoted(word));
    return lines;
}

struct Array {
    std::size_t completions = 1;
    bool hasCases = false;
};

std::string job(const Campaign& campaign, const Candidate& candidate, std::string_view name, const Array& array) {
    const auto& delivery = campaign.delivery;
    const double podSeconds = candidate.capSeconds + kKillAfterSeconds;
    auto lines = "apiVersion: batch/v1\nkind: Job\n" + metadata(campaign, name) + "spec:\n";
    if (!delivery.queue.empty()) lines += "  suspend: true\n";
    lines += fmt::format(
        "  completionMode: Indexed\n  completions: {0}\n  parallelism: {0}\n  backoffLimitPerIndex: {1}\n"
        "  maxFailedIndexes: {0}\n  activeDeadlineSeconds: {2:.0f}\n  ttlSecondsAfterFinished: {3}\n",
        array.completions, campaign.retries,
        // Deadline of the whole job: its pods may run sequentially, each with all its retries.
        std::ceil((podSeconds + kStartSeconds) * static_cast<double>(array.completions) * (campaign.retries + 1)),
        kKeepFinishedSeconds);
    lines +=
        "  podFailurePolicy:\n    rules:\n"
        "      - action: FailIndex\n";  // the job does not fit this machine, or the time limit was reached
    lines += fmt::format(
        "        onExitCodes:\n          containerName: steelyard\n          operator: In\n          values: [{}, "
        "{}]\n",
        2, kTimeIsUp);
    lines +=
        "      - action: Ignore\n"
        "        onPodConditions:\n          - type: DisruptionTarget\n            status: \"True\"\n";
    lines += fmt::format("  template:\n    spec:\n      restartPolicy: Never\n      activeDeadlineSeconds: {:.0f}\n",
                         std::ceil(podSeconds));
    if (!candidate.host.empty())
        lines += fmt::format("      nodeSelector:\n        kubernetes.io/hostname: {}\n", yamlQuoted(candidate.host));
    lines += fmt::format("      containers:\n        - name: steelyard\n          image: {}\n          command:\n",
                         yamlQuoted(delivery.image));
    auto command = words(campaign, candidate);
    if (array.hasCases)
        command.insert(command.end(), {"--cases", fmt::format("{}/{}", kCasesThere, kCasesFile), "--index",
                                       "$(JOB_COMPLETION_INDEX)"});
    lines += yamlList(command, "            ");
    lines += gpuLines(candidate, "          ");
    std::string mounts, volumes;
    if (array.hasCases) {
        mounts += fmt::format("            - name: cases\n              mountPath: {}\n", kCasesThere);
        volumes += fmt::format("        - name: cases\n          configMap:\n            name: {}\n", yamlQuoted(name));
    }
    if (!delivery.results.empty()) {
        mounts += fmt::format("            - name: results\n              mountPath: {}\n", kVolumeThere);
        volumes += fmt::format("        - name: results\n          persistentVolumeClaim:\n            claimName: {}\n",
                               yamlQuoted(delivery.results));
    }
    if (!mounts.empty()) lines += "          volumeMounts:\n" + mounts + "      volumes:\n" + volumes;
    return lines;
}

}  // namespace

std::string kubernetesJob(const Campaign& campaign, const Candidate& candidate) {
    return fmt::format("# {}\n", candidate.title) +
           job(campaign, candidate, jobName(campaign, &candidate), {static_cast<std::size_t>(candidate.nodes), false});
}

std::string kubernetesArray(const Campaign& campaign, const Candidates& chunks, std::string_view cases) {
    auto any = **std::ranges::max_element(chunks, {}, [](const Candidate* chunk) { return chunk->capSeconds; });
    any.id = "auto";
    const auto name = arrayJob(campaign, chunks);
    return "apiVersion: v1\nkind: ConfigMap\n" + metadata(campaign, name) +
           fmt::format("data:\n  {}: {}---\n", kCasesFile, yamlBlock(cases, 4)) +
           job(campaign, any, name, {chunks.size(), true});
}

std::string mpiJob(const Campaign& campaign, const Candidate& candidate) {
    const auto& delivery = campaign.delivery;
    auto lines = fmt::format("# {}\napiVersion: kubeflow.org/v2beta1\nkind: MPIJob\n", candidate.title) +
                 metadata(campaign, jobName(campaign, &candidate)) + "spec:\n  slotsPerWorker: 1\n  runPolicy:\n";
    if (!delivery.queue.empty()) lines += "    suspend: true\n";
    lines += fmt::format(
        "    cleanPodPolicy: Running\n    backoffLimit: {}\n    activeDeadlineSeconds: {:.0f}\n"
        "    ttlSecondsAfterFinished: {}\n  mpiReplicaSpecs:\n    Launcher:\n      replicas: 1\n"
        "      template:\n        spec:\n          containers:\n            - name: launcher\n"
        "              image: {}\n              command:\n",
        campaign.retries,
        std::ceil((candidate.capSeconds + kKillAfterSeconds + kStartSeconds) * (campaign.retries + 1)),
        kKeepFinishedSeconds, yamlQuoted(delivery.image));
    auto command = mpirunWords(delivery, candidate.nodes);
    for (auto& word : words(campaign, candidate)) command.push_back(std::move(word));
    lines += yamlList(command, "                ");
    lines += fmt::format(
        "    Worker:\n      replicas: {}\n      template:\n        spec:\n          containers:\n"
        "            - name: worker\n              image: {}\n",
        candidate.nodes, yamlQuoted(delivery.image));
    lines += gpuLines(candidate, "              ");
    return lines;
}

}  // namespace steelyard::campaign
