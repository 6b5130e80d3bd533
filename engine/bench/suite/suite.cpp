// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/suite/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "engine/bench/multi_device/gpu_sweep.h"
#include "engine/bench/suite/suite_definitions.h"
#include "engine/bench/training/workload_data.h"
#include "engine/core/device_id.h"
#include "engine/core/messages/bench.h"
#include "engine/core/random.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

// An entry of a suite, or a requested workload, with its network.
struct Chosen {
    model::Workload workload;
    std::int64_t batch = 0;  // 0: the workload's default
    unsigned sweeps = kNoSweep;
    bool train = true;
};

bool isCpu(std::string_view device) {
    return device == "cpu" || device == "reference";
}

Result<const SuiteDefinition*> definitionOf(std::string_view id) {
    std::vector<std::string_view> known;
    for (const auto& definition : suiteDefinitions()) {
        if (definition.id == id) return &definition;
        known.push_back(definition.id);
    }
    return fail(ErrorKind::NotFound, fmt::format("suite '{}'", id),
                messages::knownNames(fmt::format("{}", fmt::join(known, ", "))));
}

Result<std::vector<Chosen>> choose(const RunRequest& request, const SuiteDefinition* definition) {
    std::vector<SuiteEntry> entries;
    if (definition != nullptr && request.workloads.empty()) entries = definition->entries;
    for (const auto& name : request.workloads) entries.push_back({name, 0, kNoSweep, true});
    if (entries.empty()) return fail(ErrorKind::InvalidArgument, {}, messages::nothingNamed());
    std::vector<Chosen> result;
    for (const auto& entry : entries) {
        auto workload = model::resolveWorkload(entry.workload);
        if (!workload) return Failure(workload.error());
        Chosen chosen{std::move(*workload), entry.batch, entry.sweeps, entry.train};
        // A workload that is part of the suite uses its definition.
        if (definition != nullptr && !request.workloads.empty())
            for (const auto& known : definition->entries)
                if (known.workload == chosen.workload.id) chosen.batch = known.batch, chosen.sweeps = known.sweeps;
        result.push_back(std::move(chosen));
    }
    return result;
}

// Values of a swept parameter, the default first. Sweeps vary one parameter at a time.
std::vector<std::int64_t> batchesOf(const RunRequest& request, const Chosen& chosen) {
    if (!request.batches.empty()) return request.batches;
    const auto own = chosen.batch > 0 ? chosen.batch : chosen.workload.batch;
    if ((chosen.sweeps & kBatches) == 0) return {own};
    std::vector<std::int64_t> result{own};
    const auto& sweep = chosen.workload.batchSweep;
    if (sweep.empty()) {
        for (const auto batch : {own / 4, own / 2, own * 2, own * 4})
            if (batch > 0) result.push_back(batch);
    }
    result.insert(result.end(), sweep.begin(), sweep.end());
    return result;
}

std::vector<std::optional<int>> threadsOf(const RunRequest& request, const SuiteMachine& machine, const Chosen& chosen,
                                          const std::string& device) {
    if (!isCpu(device)) return {std::nullopt};
    if (!request.threads.empty()) return {request.threads.begin(), request.threads.end()};
    std::vector<std::optional<int>> result{std::nullopt};
    const int cores = machine.cores;
    if ((chosen.sweeps & kThreads) == 0 || cores < 1) return result;
    for (int threads = 1; threads < cores; threads *= 2) result.emplace_back(threads);
    result.emplace_back(2 * cores);  // oversubscribed, to show the cost
    return result;
}

std::vector<plan::Precision> precisionsOf(const RunRequest& request, const SuiteMachine& machine, const Chosen& chosen,
                                          const std::string& device) {
    using enum plan::Precision;
    if (!request.precisions.empty()) return request.precisions;
    if ((chosen.sweeps & kPrecisions) == 0) return {Fp32};
    if (!isCpu(device)) return {Fp32, Tf32, Bf16, Fp16};
    return machine.bf16 ? std::vector{Fp32, Bf16} : std::vector{Fp32};
}

std::vector<std::optional<std::string>> isasOf(const RunRequest& request, const SuiteMachine& machine,
                                               const Chosen& chosen, const std::string& device) {
    if (!isCpu(device)) return {std::nullopt};
    if (!request.isas.empty()) return {request.isas.begin(), request.isas.end()};
    std::vector<std::optional<std::string>> result{std::nullopt};
    const auto& isas = machine.isas;
    if ((chosen.sweeps & kIsas) == 0 || isas.size() < 2) return result;
    // The widest ISA is the default, and AMX does not support fp32.
    for (const auto& isa : isas)
        if (isa != isas.back() && isa != "amx") result.emplace_back(isa);
    return result;
}

std::vector<std::optional<std::string>> kernelsOf(const RunRequest& request, const Chosen& chosen,
                                                  const std::string& device) {
    if (device != "cpu") return {std::nullopt};
    if (!request.kernels.empty()) return {request.kernels.begin(), request.kernels.end()};
    if ((chosen.sweeps & kKernels) == 0) return {std::nullopt};
    return {std::nullopt, "onednn", "openblas"};
}

class CaseList {
public:
    CaseList(const RunRequest& request, const SuiteMachine& machine, std::vector<Message>& notes)
        : m_request(request), m_machine(machine), m_notes(notes) {}

    void add(const Chosen& chosen) {
        const auto& workload = chosen.workload;
        auto modes = m_request.modes;
        if (modes.empty()) modes.assign(plan::kModes.begin(), plan::kModes.end());
        if (workload.inferenceOnly && std::erase(modes, plan::Mode::Train) > 0 && !m_request.modes.empty())
            m_notes.push_back(messages::inferenceOnly(workload.id));
        if ((!chosen.train || workload.usuallyInferred) && m_request.modes.empty())
            std::erase(modes, plan::Mode::Train);
        for (const auto mode : modes)
            for (const auto& device : m_request.devices.empty() ? m_machine.devices : m_request.devices)
                addCombinations(chosen, mode, device);
    }

    // Over GPUs or nodes: training, unless the request says otherwise.
    using CasesOver = decltype(casesOverGpus);
    void addShared(const Chosen& chosen, const std::vector<int>& counts, CasesOver& casesOver) {
        const auto& workload = chosen.workload;
        auto modes = m_request.modes.empty() ? std::vector{plan::Mode::Train} : m_request.modes;
        if (workload.inferenceOnly && std::erase(modes, plan::Mode::Train) > 0)
            m_notes.push_back(messages::inferenceOnly(workload.id));
        const auto precisions =
            m_request.precisions.empty() ? std::vector{plan::Precision::Fp32} : m_request.precisions;
        for (const auto mode : modes)
            for (const auto precision : precisions)
                for (const auto batch : batchesOf(m_request, chosen)) {
                    Case base{.workload = workload.id, .mode = mode, .precision = precision, .batch = batch};
                    if (mode == plan::Mode::Train)
                        base.optimizer = std::string(model::toString(workload.optimizer.kind));
                    base.seed = m_request.seed;
                    for (auto& spec : casesOver(base, counts, m_request.scalings, m_notes)) addOnce(std::move(spec));
                }
    }

    std::vector<Case> take() { return std::move(m_cases); }

private:
    void addNote(Message note) {
        if (std::find(m_notes.begin(), m_notes.end(), note) == m_notes.end()) m_notes.push_back(std::move(note));
    }

    // Requested values are combined; swept parameters vary one at a time.
    void addCombinations(const Chosen& chosen, plan::Mode mode, const std::string& device) {
        const auto batches = batchesOf(m_request, chosen);
        const auto threads = threadsOf(m_request, m_machine, chosen, device);
        auto precisions = precisionsOf(m_request, m_machine, chosen, device);
        // If training was requested explicitly, the error explains why it is impossible.
        if (mode == plan::Mode::Train && m_request.modes.empty() && std::erase(precisions, plan::Precision::Int8) > 0)
            addNote(messages::int8Infers());
        const auto isas = isasOf(m_request, m_machine, chosen, device);
        const auto kernels = kernelsOf(m_request, chosen, device);
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (std::size_t t = 0; t < threads.size(); ++t)
                for (std::size_t p = 0; p < precisions.size(); ++p)
                    for (std::size_t i = 0; i < isas.size(); ++i)
                        for (std::size_t k = 0; k < kernels.size(); ++k) {
                            const int varied = (b > 0 && m_request.batches.empty()) +
                                               (t > 0 && m_request.threads.empty()) +
                                               (p > 0 && m_request.precisions.empty()) +
                                               (i > 0 && m_request.isas.empty()) + (k > 0 && m_request.kernels.empty());
                            if (varied > 1) continue;
                            Case spec{.workload = chosen.workload.id,
                                      .mode = mode,
                                      .device = device,
                                      .precision = precisions[p],
                                      .batch = batches[b],
                                      .threads = threads[t],
                                      .isa = isas[i],
                                      .kernels = kernels[k]};
                            if (mode == plan::Mode::Train)
                                spec.optimizer = std::string(model::toString(chosen.workload.optimizer.kind));
                            spec.seed = m_request.seed;
                            addParts(chosen.workload, std::move(spec));
                        }
    }

    void addParts(const model::Workload& workload, Case spec) {
        if (m_request.data.empty()) return addOnce(std::move(spec));
        if (!hasRealData(workload)) {
            const auto note = messages::noRealData(workload.id);
            if (std::find(m_notes.begin(), m_notes.end(), note) == m_notes.end()) m_notes.push_back(note);
            return addOnce(std::move(spec));
        }
        spec.data = m_request.data;
        addOnce(spec);
        spec.part = Part::Together;
        addOnce(spec);
        // The pipeline is independent of the device: one case for all of them.
        Case pipeline{.workload = spec.workload,
                      .mode = spec.mode,
                      .batch = spec.batch,
                      .data = spec.data,
                      .part = Part::Pipeline};
        pipeline.seed = spec.seed;
        addOnce(std::move(pipeline));
    }

    void addOnce(Case spec) {
        if (m_known.insert(caseHash(spec)).second) m_cases.push_back(std::move(spec));
    }

    const RunRequest& m_request;
    const SuiteMachine& m_machine;
    std::vector<Message>& m_notes;
    std::vector<Case> m_cases;
    std::set<std::string> m_known;
};

// Fisher-Yates with the seed, then alternating between devices, so that drift of the machine affects all alike.
std::vector<Case> ordered(std::vector<Case> cases, std::uint64_t seed) {
    const RandomStream random(seed, 0x4000);
    for (std::size_t i = cases.size(); i > 1; --i)
        std::swap(cases[i - 1], cases[random.below(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i))]);
    std::map<std::string, std::vector<Case>> byDevice;
    for (auto& spec : cases) byDevice[spec.device].push_back(std::move(spec));
    std::vector<Case> result;
    for (std::size_t round = 0; result.size() < cases.size(); ++round)
        for (auto& [device, list] : byDevice)
            if (round < list.size()) result.push_back(std::move(list[round]));
    return result;
}

}  // namespace

SuiteMachine suiteMachine(const hardware::HardwareProfile& profile, const std::vector<std::string>& devices) {
    SuiteMachine machine;
    machine.devices = devices;
    machine.gpus = static_cast<int>(
        std::count_if(devices.begin(), devices.end(), [](const auto& id) { return DeviceId::parse(id).isGpu(); }));
    machine.cores = profile.cpu.usableThreads.valueOr(0);
    const auto names = profile.cpu.isa.valueOr({});
    const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (has("sse4_2")) machine.isas.emplace_back("sse");
    if (has("avx2")) machine.isas.emplace_back("avx2");
    if (has("avx512")) machine.isas.emplace_back("avx512");
    if (has("amx_bf16")) machine.isas.emplace_back("amx");
    machine.bf16 = has("avx512_bf16") || has("amx_bf16");
    return machine;
}

const std::vector<SuiteInfo>& suites() {
    static const std::vector<SuiteInfo> all = [] {
        std::vector<SuiteInfo> list;
        for (const auto& definition : suiteDefinitions())
            list.push_back({std::string(definition.id), std::string(definition.title)});
        return list;
    }();
    return all;
}

Result<Suite> makeSuite(const RunRequest& request, const SuiteMachine& machine) {
    const SuiteDefinition* definition = nullptr;
    if (!request.suite.empty() || request.workloads.empty()) {
        ASSIGN(const auto found, definitionOf(request.suite.empty() ? "quick" : request.suite));
        definition = found;
    }
    ASSIGN(const auto chosen, choose(request, definition));
    Suite suite;
    const bool whole = definition != nullptr && request.workloads.empty();
    suite.id = whole ? std::string(definition->id) : "custom";
    suite.title = whole ? std::string(definition->title) : "Chosen cases";
    if (definition != nullptr) suite.timeCap = Seconds(definition->timeCapSeconds);
    CaseList list(request, machine, suite.notes);
    if (!request.nodes.empty()) {
        if (!request.data.empty()) return fail(ErrorKind::InvalidArgument, {}, messages::syntheticOnly());
        for (const auto& each : chosen) list.addShared(each, request.nodes, casesOverNodes);
    } else if (!request.gpus.empty() || suite.id == "scaling") {
        if (!request.data.empty()) return fail(ErrorKind::InvalidArgument, {}, messages::syntheticOnly());
        ASSIGN(const auto counts, gpuCounts(request.gpus, machine.gpus));
        for (const auto& each : chosen) list.addShared(each, counts, casesOverGpus);
    } else {
        for (const auto& each : chosen) list.add(each);
    }
    suite.cases = ordered(list.take(), request.seed);
    if (whole && definition->timeBudgetSeconds > 0) {
        std::set<std::string> devices;
        for (const auto& spec : suite.cases) devices.insert(spec.device);
        suite.timeBudget = Seconds(definition->timeBudgetSeconds * static_cast<double>(devices.size()));
    }
    if (suite.cases.empty())
        return fail(ErrorKind::InvalidArgument, {}, suite.notes.empty() ? messages::noCases() : suite.notes.front());
    return suite;
}

std::optional<Seconds> timeBudgetOf(const Suite& suite, const Protocol& protocol) {
    const bool usual = protocol.visits == kVisits && !protocol.precise && !protocol.sustained && !protocol.profile &&
                       protocol.timeCap == suite.timeCap;
    return usual ? suite.timeBudget : std::nullopt;
}

}  // namespace steelyard::bench
