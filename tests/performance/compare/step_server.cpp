// SPDX-License-Identifier: Apache-2.0
// Runs steps of one network on request, so that a comparison can alternate between this engine and a peer:
//   step_server WORKLOAD train|infer BATCH fp32|bf16 THREADS [DEVICE]
// WORKLOAD as on the command line, including network files; BATCH 0 is the workload's default. Prints "ready <peak
// bytes> <planned bytes>" once compiled, then for each input line "<count>" runs that many steps and prints the seconds
// and the CPU seconds per step; for "<count> each" the seconds of each step. Exits at the end of its input.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "engine/compute/eight_bit.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/registry.h"
#include "engine/compute/step_values.h"
#include "engine/core/clock.h"
#include "engine/model/resolve.h"

using namespace steelyard;

namespace {

int fail(const Error& error) {
    std::cerr << describe(error) << "\n";
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 6) {
        std::cerr << "usage: step_server WORKLOAD train|infer BATCH PRECISION THREADS [DEVICE]\n";
        return 2;
    }
    const auto workload = model::resolveWorkload(argv[1]);
    if (!workload) return fail(workload.error());
    const auto mode = plan::modeFromString(argv[2]);
    const auto precision = plan::precisionFromString(argv[4]);
    if (!mode || !precision) return 2;
    const auto graph = workload->build();
    if (!graph) return fail(graph.error());
    const auto batch = std::atoll(argv[3]) > 0 ? std::atoll(argv[3]) : workload->batch;
    auto reference = compute::makeReferenceBackend();

    const std::string device = argc > 6 ? argv[6] : "cpu";
    compute::Registry registry({std::filesystem::read_symlink("/proc/self/exe").parent_path()});
    auto backend = registry.backendOf(device);
    if (!backend) return fail(backend.error());
    auto lowered =
        compute::lowerCalibrated(*reference, **backend, *graph, {*mode, batch, *precision, workload->optimizer},
                                 {.seed = 1, .threads = std::atoi(argv[5])});
    if (!lowered) return fail(lowered.error());
    const auto plan = std::make_shared<const plan::Plan>(std::move(*lowered));
    const compute::CompileOptions options{.device = device, .threads = std::atoi(argv[5])};
    const auto planned = (*backend)->plannedMemory(*plan, options);
    if (!planned) return fail(planned.error());
    auto executable = (*backend)->compile(plan, options);
    if (!executable) return fail(executable.error());
    if (auto ok = compute::writeSyntheticState(**executable, 1); !ok) return fail(ok.error());
    std::cout << fmt::format("ready {} {}", (*executable)->memory().peak.value(), planned->peak.value()) << std::endl;

    const SystemClock clock;
    std::int64_t index = 0;
    for (std::string line; std::getline(std::cin, line);) {
        const int count = std::atoi(line.c_str());
        const bool each = line.ends_with(" each");
        std::vector<std::int64_t> marks{clock.nowNanoseconds()};
        const auto processorStart = std::clock();
        for (int i = 0; i < count; ++i) {
            if (auto outcome = (*executable)->step({index++, 1.0}); !outcome) return fail(outcome.error());
            if (each) marks.push_back(clock.nowNanoseconds());
        }
        if (each) {
            for (std::size_t i = 1; i < marks.size(); ++i)
                std::cout << fmt::format("{:.9f} ", secondsBetween(marks[i - 1], marks[i]).value());
            std::cout << std::endl;
            continue;
        }
        const double seconds = secondsBetween(marks[0], clock.nowNanoseconds()).value();
        const double processor = static_cast<double>(std::clock() - processorStart) / CLOCKS_PER_SEC;
        std::cout << fmt::format("{:.9f} {:.9f}", seconds / count, processor / count) << std::endl;
    }
    return 0;
}
