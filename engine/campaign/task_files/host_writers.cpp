// SPDX-License-Identifier: Apache-2.0
// Writers for this computer and for machines reached by ssh: Open MPI's mpirun (mpirun(1)) and GNU parallel
// (parallel(1)).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/campaign/task_files/quoting.h"
#include "engine/campaign/task_files/writers.h"

namespace steelyard::campaign {
namespace {

constexpr std::string_view kHere = "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 1\n";

std::vector<std::string> hostsOf(const Candidate& candidate) {
    std::vector<std::string> hosts;
    std::string_view rest = candidate.host;
    while (!rest.empty()) {
        const auto end = rest.find(',');
        if (const auto name = rest.substr(0, end); !name.empty()) hosts.emplace_back(name);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return hosts;
}

bool isThisComputer(std::string_view host) {
    return host == "localhost" || host == ":";
}

std::string_view resultsOf(const Delivery& delivery) {
    return delivery.results.empty() ? kResultsFolder : std::string_view(delivery.results);
}

// Ends a hanging connection: three unanswered keep-alives in 45 seconds.
constexpr std::string_view kSsh =
    "ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=3 --";

std::string taskScript(const Campaign& campaign, const Candidate& candidate) {
    const auto& delivery = campaign.delivery;
    if (isThisComputer(candidate.host)) return localScript(campaign, candidate);
    auto script = fmt::format("{}# {}\n", kHere, candidate.title);
    // Without a shared folder the result is returned in the log.
    const auto there = programLines(delivery, "\"$HOME/steelyard-bundle.tar.gz\"") +
                       measureCommand(campaign, candidate, "\"$STEELYARD\"", delivery.results);
    if (delivery.program.empty())
        script += fmt::format("scp -q -o BatchMode=yes -- {} {} || exit 1\n", shellQuoted(delivery.bundle),
                              shellQuoted(candidate.host + ":steelyard-bundle.tar.gz"));
    script += fmt::format("{} {} {}", kSsh, shellQuoted(candidate.host), shellQuoted(there));
    return script + "\n" + exitLines();
}

std::string parallelCommand(const Campaign& campaign, const Candidates& candidates, std::string_view options) {
    double longest = 0;
    for (const auto* candidate : candidates) longest = std::max(longest, candidate->capSeconds);
    return fmt::format("exec parallel --retries {} --timeout {:.0f} --joblog {} --results {}/parallel {}",
                       campaign.retries + 1, std::ceil(longest + 2 * kKillAfterSeconds), kJobLog, kLogsFolder, options);
}

}  // namespace

std::vector<std::string> mpirunWords(const Delivery& delivery, int nodes) {
    std::vector<std::string> words{"mpirun",    "-np", std::to_string(nodes), "--map-by", "ppr:1:node",
                                   "--bind-to", "none"};
    const auto set = [&](const char* name, std::string value) {
        words.insert(words.end(), {"--mca", name, std::move(value)});
    };
    set("oob_tcp_keepalive_time", "5");
    set("oob_tcp_keepalive_intvl", "2");
    set("oob_tcp_keepalive_probes", "2");
    set("odls_base_sigkill_timeout", "10");  // seconds in which processes can report why they end
    set("mpi_yield_when_idle", "1");
    if (!delivery.network.empty()) {
        set("btl", "tcp,self");
        set("btl_tcp_if_include", delivery.network);
        set("oob_tcp_if_include", delivery.network);
    }
    return words;
}

std::vector<TaskFile> mpirunFiles(const Campaign& campaign, const Candidate& candidate) {
    const auto hostFile = candidate.id + ".hosts";
    std::string hosts;
    for (const auto& host : hostsOf(candidate)) hosts += host + " slots=1\n";
    auto words = mpirunWords(campaign.delivery, candidate.nodes);
    words.insert(words.begin() + 1, {"--hostfile", hostFile});
    auto script =
        fmt::format("{}# {}\n{}{} {}\n{}", kHere, candidate.title,
                    programLines(campaign.delivery, shellQuoted(campaign.delivery.bundle)), commandLine(words),
                    measureCommand(campaign, candidate, "\"$STEELYARD\"", resultsOf(campaign.delivery)), exitLines());
    return {{hostFile, std::move(hosts)}, {candidate.taskFile, std::move(script), true}};
}

std::string localScript(const Campaign& campaign, const Candidate& candidate) {
    return fmt::format("{}# {}\n", kHere, candidate.title) +
           programLines(campaign.delivery, shellQuoted(campaign.delivery.bundle)) +
           measureCommand(campaign, candidate, "\"$STEELYARD\"", resultsOf(campaign.delivery)) + "\n" + exitLines();
}

// Each machine has its own task, so the task names the machine instead of leaving the choice to parallel.
std::vector<TaskFile> parallelFiles(const Campaign& campaign, const Candidates& candidates) {
    std::vector<TaskFile> files;
    std::string tasks;
    for (const auto* candidate : candidates) {
        files.push_back({candidate->id + ".sh", taskScript(campaign, *candidate), true});
        tasks += files.back().name + "\n";
    }
    files.push_back({"tasks.txt", tasks});
    files.push_back(
        {"parallel.sh",
         fmt::format("{}{}\n", kHere, parallelCommand(campaign, candidates, "--jobs 0 sh {} :::: tasks.txt")), true});
    return files;
}

// Any machine may run any chunk. The folder is on a shared file system.
std::vector<TaskFile> parallelSweepFiles(const Campaign& campaign, const Candidates& chunks) {
    const auto& first = *chunks.front();
    std::string hosts;
    for (const auto& host : hostsOf(first)) hosts += fmt::format("1/{}\n", isThisComputer(host) ? ":" : host);
    auto any = **std::ranges::max_element(chunks, {}, [](const Candidate* chunk) { return chunk->capSeconds; });
    any.id = "auto";
    const auto task = fmt::format("{}{}{} --cases {} --index \"$1\"\n{}", kHere,
                                  programLines(campaign.delivery, shellQuoted(campaign.delivery.bundle)),
                                  measureCommand(campaign, any, "\"$STEELYARD\"", resultsOf(campaign.delivery)),
                                  arrayFile(chunks, kCasesFile), exitLines());
    std::string indices;
    for (std::size_t i = 0; i < chunks.size(); ++i) indices += fmt::format("{}\n", i);
    const auto hostFile = arrayFile(chunks, "hosts.txt"), taskFile = arrayFile(chunks, "task.sh"),
               list = arrayFile(chunks, "tasks.txt");
    const auto options =
        fmt::format("--jobs 1 --sshloginfile {} --workdir . ./{} {{}} :::: {}", hostFile, taskFile, list);
    return {{hostFile, std::move(hosts)},
            {taskFile, task, true},
            {list, std::move(indices)},
            {arrayFile(chunks, "parallel.sh"), fmt::format("{}{}\n", kHere, parallelCommand(campaign, chunks, options)),
             true}};
}

}  // namespace steelyard::campaign
