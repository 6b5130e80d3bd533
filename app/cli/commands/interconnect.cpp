// SPDX-License-Identifier: Apache-2.0
// interconnect: measures the network between the nodes, one process each, started by mpirun or srun.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/nodes.h"
#include "engine/bench/multi_device/network_probe.h"
#include "engine/bench/multi_device/node_group.h"
#include "engine/core/text.h"

namespace steelyard::cli {
namespace {

struct InterconnectArguments {
    int nodes = 0;
    double largestMegabytes = 1024;
    bool json = false;
};

constexpr double kMicro = 1e6, kGiga = 1e9;

void printTimes(std::ostream& out, const std::vector<bench::NetworkTime>& times, const char* type,
                const char* operation) {
    fmt::print(out, "{:>12} {:>12} {:>8} {:>6} {:>12} {:>8} {:>8} {:>6}\n", "size (B)", "count", "type", "redop",
               "time (us)", "algbw", "busbw", "#wrong");
    for (const auto& time : times)
        fmt::print(out, "{:>12} {:>12} {:>8} {:>6} {:>12.2f} {:>8.3f} {:>8.3f} {:>6}\n", time.bytes, time.bytes / 4,
                   type, operation, time.seconds * kMicro, time.algorithmBandwidth / kGiga, time.busBandwidth / kGiga,
                   time.wrong);
}

void printMeasurement(std::ostream& out, const bench::NetworkMeasurement& found, const std::vector<std::string>& hosts,
                      const std::string& library) {
    fmt::print(out, "{} processes by {}; algbw and busbw in GB/s (1e9 bytes per second)\n", found.ranks, library);
    for (std::size_t rank = 0; rank < hosts.size(); ++rank)
        fmt::print(out, "  rank {}: {}\n", rank, visible(hosts[rank]));
    for (const auto& peer : found.peers) {
        fmt::print(out, "\npoint to point, rank 0 and rank {}, one direction\n", peer.rank);
        printTimes(out, peer.times, "float", "none");
        fmt::print(out, "fitted: {:.1f} us + bytes / {:.3f} GB/s\n", peer.fit.alpha * kMicro,
                   1 / peer.fit.beta / kGiga);
    }
    fmt::print(out, "\nall-reduce\n");
    printTimes(out, found.allReduce, "float", "sum");
    fmt::print(out, "fitted: {:.1f} us a hop, bus bandwidth {:.3f} GB/s\n", found.link.latencySeconds * kMicro,
               found.link.bytesPerSecond / kGiga);
}

nlohmann::ordered_json timesJson(const std::vector<bench::NetworkTime>& times) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& time : times)
        list.push_back({{"bytes", time.bytes},
                        {"seconds", time.seconds},
                        {"algorithm_bandwidth", time.algorithmBandwidth},
                        {"bus_bandwidth", time.busBandwidth},
                        {"wrong", time.wrong}});
    return list;
}

void interconnect(CommandContext& context, const InterconnectArguments& arguments) {
    const auto joined = joinNodes(context, arguments.nodes);
    if (!joined) return context.report(joined.error());
    auto& ranks = **joined;
    const auto profile = context.profile();
    const auto host = profile ? profile->environment.hostname.valueOr(std::string()) : std::string();
    bench::NetworkLimits limits;
    limits.largestAllReduce = Bytes(static_cast<std::int64_t>(arguments.largestMegabytes * (1 << 20)));
    limits.largestMessage = std::min(limits.largestMessage, limits.largestAllReduce);
    const auto measure = [&]() -> Result<void> {
        ASSIGN(const auto hosts, bench::gatherTexts(ranks, host));
        ASSIGN(const auto found, bench::measureNetwork(ranks, limits));
        if (ranks.rank() > 0) return {};
        if (!arguments.json) {
            printMeasurement(context.out, found, hosts, ranks.library());
            return {};
        }
        nlohmann::ordered_json document{{"ranks", found.ranks},
                                        {"hosts", hosts},
                                        {"library", ranks.library()},
                                        {"peers", nlohmann::ordered_json::array()},
                                        {"all_reduce", timesJson(found.allReduce)},
                                        {"latency_seconds", found.link.latencySeconds},
                                        {"bytes_per_second", found.link.bytesPerSecond}};
        for (const auto& peer : found.peers)
            document["peers"].push_back({{"rank", peer.rank},
                                         {"times", timesJson(peer.times)},
                                         {"latency_seconds", peer.fit.alpha},
                                         {"bytes_per_second", 1 / peer.fit.beta}});
        context.out << dumpJson(document, 2) << "\n";
        return {};
    };
    if (const auto ok = measure(); !ok) context.report(ok.error(), kSomeCaseFailed);
    if (ranks.isLost()) leaveLostGroup(context);
}

}  // namespace

void addInterconnect(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("interconnect", "Measure the network between nodes (under mpirun or srun)");
    auto o = std::make_shared<InterconnectArguments>();
    command->add_option("--nodes", o->nodes, "Number of nodes, with one process each")
        ->required()
        ->check(CLI::Range(2, 4096));
    command->add_option("--largest", o->largestMegabytes, "Size of the largest all-reduce in MiB (default: 1024)")
        ->check(CLI::Range(0.001, 16384.0));
    command->add_flag("--json", o->json, "Print one JSON document");
    command->callback([&context, o] { interconnect(context, *o); });
}

}  // namespace steelyard::cli
