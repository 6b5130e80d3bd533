// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/engine_services.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>

#include "app/common/resource_path.h"
#include "app/desktop/user_networks.h"
#include "engine/bench/measure/peak_probe.h"
#include "engine/bench/suite/suite.h"
#include "engine/compute/kernel_memory.h"
#include "engine/compute/registry.h"
#include "engine/core/clock.h"
#include "engine/core/device_id.h"
#include "engine/core/file_io.h"
#include "engine/core/units.h"
#include "engine/hardware/detect.h"
#include "engine/hardware/system/preflight.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/zoo/zoo.h"
#include "engine/plan/plan.h"

// A macro keeps lupdate from following the include: message lists that it first meets in a header are missing from the
// translations.
#define STEELYARD_BENCH_MESSAGES "engine/core/messages/bench.h"
#include STEELYARD_BENCH_MESSAGES

namespace steelyard::desktop {
namespace {

class Engine {
public:
    Engine(std::filesystem::path folder, std::filesystem::path networks)
        : m_folder(std::move(folder)), m_networks(std::move(networks)) {}

    Result<hardware::HardwareProfile> detect() {
        hardware::DetectOptions options;
        for (const auto& state : backends().states())
            options.backends.push_back({state.name, state.loaded, state.reason});
        return hardware::detect(options);
    }

    std::string report(const hardware::HardwareProfile& profile) { return hardware::doctorReport(profile); }

    ui::WorkloadCatalogue catalogue(const hardware::HardwareProfile& profile) {
        m_machine = bench::suiteMachine(profile, deviceIds());
        m_rates.cores = m_machine.cores;
        if (const auto cpu = backends().backendOf("cpu"); cpu && !m_rates.devices.contains("cpu")) {
            compute::CompileOptions options;
            options.threads = std::max(1, m_rates.cores);
            m_rates.devices["cpu"] = bench::probeRates(**cpu, options, SystemClock());
            if (const auto reference = backends().backendOf("reference"))
                m_rates.devices["reference"] = bench::probeReference(**reference, options, SystemClock());
        }
        if (!m_rates.decoders)
            if (auto table = model::loadDecoderTable(app::resourcePath((m_folder / "steelyard").string())))
                m_rates.decoders = std::make_shared<const model::DecoderTable>(std::move(*table));
        ui::WorkloadCatalogue result;
        if (m_rates.decoders)
            for (const auto& model : m_rates.decoders->models) result.languageModels.emplace(model.id, model.title);
        m_rates.devices["cpu"].memoryBytes = profile.memory.availableBytes.value;
        refreshKnownSteps();
        result.maxThreads = profile.cpu.usableThreads.valueOr(1);
        for (const auto& device : backends().devices()) result.devices.push_back({device.id, device.name, true, {}});
        for (const auto& gpu : profile.gpus) {
            if (gpu.status == hardware::GpuStatus::Usable) continue;
            result.devices.push_back({gpu.id, gpu.name.valueOr(gpu.vendor), false, gpu.reason});
        }
        for (const auto& network : m_networks.list())
            result.workloads.push_back(network.workload ? optionOf(*network.workload, profile)
                                                        : optionOf(network, network.workload.error()));
        for (const auto& workload : model::workloads()) result.workloads.push_back(optionOf(workload, profile));
        for (const auto* id : {"quick", "standard", "full"}) {
            if (auto suite = suiteOption(id)) result.suites.push_back(std::move(*suite));
        }
        result.precisions = precisions();
        return result;
    }

    ui::RunEstimate estimate(const bench::RunRequest& request) {
        const auto suite = bench::makeSuite(request, m_machine);
        if (!suite) return {};
        refreshKnownSteps();
        bench::Protocol protocol;
        protocol.precise = request.precise;
        protocol.visits = bench::visitsFor(request.precise, false);
        protocol.timeCap = request.timeCapSeconds ? Seconds(*request.timeCapSeconds) : suite->timeCap;
        return {static_cast<int>(suite->cases.size()),
                bench::estimateSeconds(suite->cases, bench::timeBudgetOf(*suite, protocol), protocol, m_rates)};
    }

private:
    compute::Registry& backends() {
        if (!m_backends) {
            m_backends = std::make_unique<compute::Registry>(
                std::vector<std::filesystem::path>{m_folder, m_folder / ".." / "lib" / "steelyard" / "backends"},
                userCacheFolder(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME")));
        }
        return *m_backends;
    }

    // Runs of other processes add to them.
    void refreshKnownSteps() {
        if (const auto cpu = backends().backendOf("cpu"))
            if (const auto* kernels = compute::kernelMemoryOf(**cpu))
                m_rates.devices["cpu"].knownSteps = kernels->knownSteps();
    }

    std::vector<std::string> deviceIds() {
        std::vector<std::string> ids;
        for (const auto& device : backends().devices()) ids.push_back(device.id);
        return ids;
    }

    // A training step at the published batch must fit and be supported by the CPU. A smaller batch may still run; the
    // reason therefore gives the figures.
    ui::WorkloadOption optionOf(const model::Workload& workload, const hardware::HardwareProfile& profile) {
        ui::WorkloadOption option;
        option.id = workload.id;
        option.title = workload.title;
        option.family = workload.family;
        option.defaultBatch = workload.batch;
        option.parameters = workload.parameters;
        bench::Case spec;
        spec.workload = workload.id;
        spec.batch = workload.batch;
        if (workload.inferenceOnly) {
            option.modes = {plan::Mode::Infer};
        }
        spec.mode = plan::usualMode(workload);
        option.estimateSeconds = bench::estimateSeconds(spec, {.visits = bench::kVisits}, m_rates);
        const auto problem = whyNot(workload, profile);
        option.reason = problem;
        option.runnable = problem.empty();
        return option;
    }

    // For a user's network whose file cannot be read.
    static ui::WorkloadOption optionOf(const ListedNetwork& network, const Error& error) {
        ui::WorkloadOption option;
        option.id = network.id;
        option.title = network.title;
        option.family = "own";
        option.runnable = false;
        option.reason = messageOf(error);
        return option;
    }

    // Empty if it can run.
    Message whyNot(const model::Workload& workload, const hardware::HardwareProfile& profile) {
        const auto graph = workload.build();
        if (!graph) return messageOf(graph.error());
        const auto mode = plan::usualMode(workload);
        const auto plan = plan::lower(*graph, {mode, workload.batch, plan::Precision::Fp32, workload.optimizer});
        if (!plan) return messageOf(plan.error());
        const auto needed = plan->memory.total();
        const auto available = profile.memory.availableBytes;
        if (available.isKnown() && needed.value() > *available.value) {
            const Bytes free(*available.value);
            return mode == plan::Mode::Infer ? bench::messages::inferenceNeeds(workload.batch, needed, free)
                                             : bench::messages::trainingNeeds(workload.batch, needed, free);
        }
        const auto cpu = backends().backendOf("cpu");
        if (!cpu) return messageOf(cpu.error());
        const auto supported = compute::supportsPlan(**cpu, *plan);
        return supported ? Message() : messageOf(supported.error());
    }

    std::optional<ui::SuiteOption> suiteOption(const std::string& id) {
        bench::RunRequest request;
        request.suite = id;
        const auto suite = bench::makeSuite(request, m_machine);
        if (!suite || suite->cases.empty()) return std::nullopt;
        ui::SuiteOption option;
        option.id = id;
        option.title = id;
        option.caseCount = static_cast<std::int64_t>(suite->cases.size());
        bench::Protocol protocol;
        protocol.timeCap = suite->timeCap;
        protocol.visits = bench::kVisits;
        option.estimateSeconds =
            bench::estimateSeconds(suite->cases, bench::timeBudgetOf(*suite, protocol), protocol, m_rates);
        std::set<std::string> seen;
        for (const auto& spec : suite->cases) {
            if (seen.insert(spec.workload).second) option.workloads.push_back(spec.workload);
            option.cases.push_back(
                {spec.workload, spec.mode, spec.batch, bench::estimateSeconds(spec, protocol, m_rates)});
        }
        return option;
    }

    // Precisions in which at least one device trains the smallest network, or infers in int8.
    std::vector<plan::Precision> precisions() {
        std::vector<plan::Precision> result;
        const auto workload = model::findWorkload("mnist_mlp");
        const auto graph = workload ? (*workload)->build() : Result<model::Graph>(Failure(workload.error()));
        if (!graph) return {plan::Precision::Fp32};
        for (const auto precision : plan::kPrecisions) {
            const auto mode = precision == plan::Precision::Int8 ? plan::Mode::Infer : plan::Mode::Train;
            const auto plan = plan::lower(*graph, {mode, 1, precision, (*workload)->optimizer});
            const auto devices = deviceIds();
            const bool any = plan && std::any_of(devices.begin(), devices.end(), [&](const std::string& device) {
                                 const auto backend = backends().backendOf(device);
                                 return backend && compute::supportsPlan(**backend, *plan).has_value();
                             });
            if (any) result.push_back(precision);
        }
        return result;
    }

    std::filesystem::path m_folder;
    UserNetworks m_networks;
    std::unique_ptr<compute::Registry> m_backends;
    bench::SuiteMachine m_machine;  // of the profile that the catalogue was built from
    bench::AssumedRates m_rates;
};

}  // namespace

ui::MachineServices engineServices(const std::filesystem::path& programFolder, const std::filesystem::path& networks) {
    auto engine = std::make_shared<Engine>(programFolder, networks);
    ui::MachineServices services;
    services.detect = [engine] { return engine->detect(); };
    services.catalogue = [engine](const hardware::HardwareProfile& profile) { return engine->catalogue(profile); };
    services.diagnosticReport = [engine](const hardware::HardwareProfile& profile) { return engine->report(profile); };
    services.estimate = [engine](const bench::RunRequest& request) { return engine->estimate(request); };
    services.preflight = [](const hardware::HardwareProfile& profile) {
        SystemClock clock;
        return hardware::preflight(profile, clock);
    };
    return services;
}

}  // namespace steelyard::desktop
