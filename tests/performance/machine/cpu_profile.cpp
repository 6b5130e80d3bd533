// SPDX-License-Identifier: Apache-2.0
// Times one step of a network on the CPU backend, whole and by operation:
//   cpu_profile mnist_cnn [batch=128] [threads=2] [mode=train|infer] [precision=fp32] [kernels=auto] [seconds=3]
//   [detail=1]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include "engine/bench/measure/step_profile.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/resolve.h"

namespace {

using namespace steelyard;

using Settings = std::map<std::string, std::string>;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string setting(const Settings& settings, const std::string& key, const std::string& fallback) {
    const auto found = settings.find(key);
    return found == settings.end() ? fallback : found->second;
}

int failed(const Error& error) {
    fmt::print(stderr, "{}\n", describe(error));
    return 1;
}

Result<std::unique_ptr<compute::Executable>> prepare(compute::Backend& backend,
                                                     const std::shared_ptr<const plan::Plan>& plan,
                                                     const compute::CompileOptions& options) {
    auto executable = backend.compile(plan, options);
    if (!executable) return executable;
    if (auto ok = compute::writeSyntheticState(**executable, 1); !ok) return Failure(ok.error());
    return executable;
}

Result<std::vector<double>> samples(compute::Executable& executable, double seconds) {
    std::vector<double> times;
    const double end = now() + seconds;
    for (std::int64_t step = 0; step < 3 || now() < end; ++step) {
        const double start = now();
        if (auto outcome = executable.step({step, 1.0}); !outcome) return Failure(outcome.error());
        times.push_back(now() - start);
    }
    times.erase(times.begin());  // first touch
    std::sort(times.begin(), times.end());
    return times;
}

void printProfile(const bench::StepProfile& profile) {
    for (const auto& op : profile.operations)
        fmt::print("{:9.3f} ms {:7.1f} GFLOP/s  {:<40} {}\n", op.seconds * 1e3,
                   op.flops.value_or(0) / op.seconds * 1e-9, op.name, op.kernel);
    for (const auto& share : bench::sharesByKind(profile))
        fmt::print("{:9.3f} ms {:5.1f} %  {}\n", share.seconds * 1e3, 100 * share.share, share.what);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: cpu_profile WORKLOAD [key=value ...]\n");
        return 2;
    }
    Settings settings;
    for (int i = 2; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto equals = argument.find('=');
        settings[argument.substr(0, equals)] = equals == std::string::npos ? "" : argument.substr(equals + 1);
    }
    const auto workload = model::resolveWorkload(argv[1]);
    if (!workload) return failed(workload.error());
    const auto graph = workload->build();
    if (!graph) return failed(graph.error());
    plan::PlanOptions planOptions;
    planOptions.batch = std::stoll(setting(settings, "batch", std::to_string(workload->batch)));
    planOptions.mode = plan::modeFromString(setting(settings, "mode", "train")).value_or(plan::Mode::Train);
    planOptions.precision =
        plan::precisionFromString(setting(settings, "precision", "fp32")).value_or(plan::Precision::Fp32);
    planOptions.optimizer = workload->optimizer;
    auto lowered = plan::lower(*graph, planOptions);
    if (!lowered) return failed(lowered.error());
    const auto plan = std::make_shared<const plan::Plan>(std::move(*lowered));

    compute::CompileOptions options;
    options.threads = std::stoi(setting(settings, "threads", "2"));
    options.kernels = setting(settings, "kernels", "auto");
    const double seconds = std::stod(setting(settings, "seconds", "3"));
    const auto backend = compute::makeCpuBackend();
    const double compileStart = now();
    const auto executable = prepare(*backend, plan, options);
    if (!executable) return failed(executable.error());
    const double compileSeconds = now() - compileStart;
    const auto times = samples(**executable, seconds);
    if (!times) return failed(times.error());
    const auto memory = (*executable)->memory();
    const double median = (*times)[times->size() / 2];
    fmt::print("{} b{} {} {}: median {:.3f} ms, min {:.3f} ms, n {}, {:.1f} GFLOP/s, {}, compiled in {:.2f} s\n",
               argv[1], planOptions.batch, toString(planOptions.mode), toString(planOptions.precision), median * 1e3,
               times->front() * 1e3, times->size(), plan->stepFlops() / median * 1e-9, formatBytes(memory.peak),
               compileSeconds);
    fmt::print("weights {}, gradients {}, optimizer {}, activations {}, scratch {}\n", formatBytes(memory.weights),
               formatBytes(memory.gradients), formatBytes(memory.optimizer), formatBytes(memory.activations),
               formatBytes(memory.workspace));
    if (setting(settings, "detail", "0") == "0") return 0;
    const auto profiled =
        bench::profileStep(*backend, plan, options, SystemClock(), [] { return false; }, {.time = Seconds(seconds)});
    if (!profiled) return failed(profiled.error());
    printProfile(*profiled);
    return 0;
}
