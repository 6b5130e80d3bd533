// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/cpu_backend.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <new>

#include "engine/compute/arithmetic_peak.h"
#include "engine/compute/cpu/compile/fusion.h"
#include "engine/compute/cpu/executable.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/language/cpu_decoder.h"
#include "engine/compute/cpu/openblas.h"
#include "engine/compute/cpu/step_threads.h"
#include "engine/compute/cpu/threads.h"
#include "engine/compute/cpu/tuning/cpu_machine_probe.h"
#include "engine/compute/cpu/tuning/cpu_peak.h"
#include "engine/compute/cpu/tuning/kernel_cache.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/kernel_memory.h"
#include "engine/compute/parallel/host_ranks.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const auto colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "CPU";
}

// What kernel speed depends on besides shapes: the processor, the instruction sets in use, and library versions.
std::string machineOfKernels() {
    const auto* onednn = dnnl_version();
    return fmt::format("{}; oneDNN {}.{}.{} {} instruction set {:x}; {}; own kernels {}", processorName(),
                       onednn->major, onednn->minor, onednn->patch, onednn->hash,
                       static_cast<unsigned>(dnnl_get_effective_cpu_isa()), cpu::blasVersion(),
                       cpu::kernels().instructionSet);
}

constexpr std::string_view kStepKey = "step ";  // marks that all choices of a step are cached

class CpuBackend final : public Backend,
                         public ArithmeticPeak,
                         public MachineProbe,
                         public KernelMemory,
                         public EightBitProducts,
                         public HostRanks,
                         public LanguageBackend {
public:
    explicit CpuBackend(const CpuOptions& options)
        : m_cache(options.kernelCacheFolder, machineOfKernels()), m_tuner(m_cache.load()) {}

    [[nodiscard]] std::string_view name() const override { return "cpu"; }

    [[nodiscard]] std::vector<Device> devices() const override {
        const auto bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
        return {{"cpu", processorName(), Bytes(bytes)}};
    }

    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override {
        const auto* onednn = dnnl_version();
        return {{"onednn", fmt::format("{}.{}.{}", onednn->major, onednn->minor, onednn->patch)},
                {"openblas", cpu::blasVersion()},
                {"openblas_threads", cpu::blasUsesOpenMp() ? "openmp" : "not openmp: competes with oneDNN's threads"},
                {"own_kernels", std::string(cpu::kernels().instructionSet)}};
    }

    [[nodiscard]] Result<void> supports(const plan::Operation& operation, const plan::Plan& plan) const override {
        const auto precision = plan.options.precision;
        if (precision == plan::Precision::Fp32) return {};
        if (precision == plan::Precision::Int8) return supportsEightBits(operation, plan);
        if (precision != plan::Precision::Bf16)
            return fail(ErrorKind::Unsupported, operation.name, messages::noPrecision("cpu", toString(precision)));
        if (!cpu::hasBfloat16Products()) return fail(ErrorKind::Unsupported, operation.name, messages::noBfloat16());
        return {};
    }

    // 8-bit products are exact if two of them fit in the accumulator.
    [[nodiscard]] int weightLevels() const override { return cpu::hasByteDotProducts() ? 127 : 63; }

    // For kernels without a trial result, the first candidate is assumed.
    [[nodiscard]] Result<MemoryFigures> plannedMemory(const plan::Plan& plan,
                                                      const CompileOptions& asked) const override {
        TRY(supportsPlan(*this, plan));
        auto options = withBuckets(asked);
        auto tuner = m_tuner.withoutTrials();
        options.threads = cpu::threadsOfStep(tuner, plan, options, {});
        const cpu::ThreadScope threads(options.threads);
        const auto fused = cpu::fuse(plan, {options.keepGradients});
        ASSIGN(auto step, fittingStep(tuner, fused, options));
        return cpu::planArena(step.buffers).figures;
    }

    [[nodiscard]] Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                              const CompileOptions& asked) override {
        TRY(checkRank(*plan, asked));
        const auto options = withBuckets(asked);
        if (options.threads < 1) return fail(ErrorKind::InvalidArgument, "threads", messages::atLeastOne());
        TRY(supportsPlan(*this, *plan));
        TRY(cpu::requireOpenBlas(options.threads));
        try {
            const auto fused = cpu::fuse(*plan, {options.keepGradients});
            const auto compiled = [&](int threads) { return compileFor(threads, plan, fused, options); };
            return compiled(cpu::threadsOfStep(m_tuner, *plan, options, compiled));
        } catch (const std::bad_alloc&) {
            Error error{ErrorKind::OutOfMemory, options.device, messages::compilingStep(), {}, {}, {}};
            error.availableBytes = cpu::availableMemory();
            return Failure(std::move(error));
        }
    }

    [[nodiscard]] Result<double> multiplyAddPeak(plan::Precision precision, const CompileOptions& options) override {
        return cpu::multiplyAddPeak(precision, options.threads);
    }

    void join(std::shared_ptr<HostCommunicator> communicator) override { m_communicator = std::move(communicator); }

    [[nodiscard]] MachineRates probeMachine(int threads) override { return m_machineProbe.probe(threads); }

    [[nodiscard]] Result<DecoderMemory> plannedDecoderMemory(const DecoderWeights& weights,
                                                             const DecoderOptions& options) const override {
        return cpuDecoderMemory(weights, options);
    }
    [[nodiscard]] Result<std::unique_ptr<LanguageDecoder>> makeDecoder(DecoderWeights weights,
                                                                       const DecoderOptions& options) override {
        return makeCpuDecoder(std::move(weights), options);
    }

    [[nodiscard]] std::set<std::string> knownSteps() const override {
        std::set<std::string> names;
        for (const auto& [key, choice] : m_cache.load())
            if (key.starts_with(kStepKey)) names.insert(key.substr(kStepKey.size()));
        return names;
    }

private:
    // A step without matrix products has nothing to compute in int8.
    [[nodiscard]] static Result<void> supportsEightBits(const plan::Operation& operation, const plan::Plan& plan) {
        // Version 2.6 gives wrong results there.
        constexpr std::int64_t kVector = 8;
        if (operation.kind == plan::OperationKind::DepthwiseConvolution && !cpu::runsHere(cpu::CpuIsa::avx512_vnni) &&
            plan.tensor(operation.output).dims[1] % kVector != 0)
            return fail(ErrorKind::Unsupported, operation.name, messages::depthwiseNeedsVnni());
        const auto& all = plan.operations;
        if (std::none_of(all.begin(), all.end(), [&](const auto& op) { return plan::isEightBitProduct(op, plan); }))
            return fail(ErrorKind::Unsupported, operation.name, messages::nothingInBytes());
        return {};
    }

    // Gradients are kept until they are exchanged.
    [[nodiscard]] static CompileOptions withBuckets(const CompileOptions& options) {
        auto own = options;
        if (own.ranks) own.keepGradients = true;
        return own;
    }

    [[nodiscard]] Result<void> checkRank(const plan::Plan& plan, const CompileOptions& options) const {
        if (!options.ranks) return {};
        if (!m_communicator) return refuseRanks(options);
        if (m_communicator->rank() != options.ranks->rank || m_communicator->size() != options.ranks->size)
            return fail(ErrorKind::InvalidArgument, {}, messages::otherRankHere());
        if (updatesSparsely(plan)) return fail(ErrorKind::Unsupported, options.device, messages::sparseUpdateShared());
        return {};
    }

    [[nodiscard]] Result<cpu::CompiledStep> stepWith(cpu::ScratchUse use, double headroomFraction, cpu::Tuner& tuner,
                                                     const cpu::FusedPlan& fused, const CompileOptions& options) const {
        cpu::Compiler compiler(m_engine, tuner, fused, options);
        compiler.allow(use, headroomFraction);
        return compiler.run();
    }

    // Scratch memory within the headroom may still cost memory: other algorithms' layouts need more conversions, and
    // the arena gets fragmented. The step is then compiled with less of it.
    [[nodiscard]] Result<cpu::CompiledStep> fittingStep(cpu::Tuner& tuner, const cpu::FusedPlan& fused,
                                                        const CompileOptions& options) const {
        constexpr double kMostTimes = 1.07;
        auto withoutTrials = tuner.withoutTrials();
        auto plain = stepWith(cpu::ScratchUse::None, 0, withoutTrials, fused, options);
        const double least = plain ? static_cast<double>(cpu::planArena(plain->buffers).figures.peak.value())
                                   : std::numeric_limits<double>::infinity();
        for (const double headroomFraction : {1.0, 0.75, 0.5, 0.25}) {
            auto step = stepWith(cpu::ScratchUse::Headroom, headroomFraction, tuner, fused, options);
            if (!step) return step;
            const auto needed = static_cast<double>(cpu::planArena(step->buffers).figures.peak.value());
            if (needed <= kMostTimes * least) return step;
        }
        return stepWith(cpu::ScratchUse::Little, 0, tuner, fused, options);
    }

    [[nodiscard]] Result<std::unique_ptr<Executable>> compileFor(int threads,
                                                                 const std::shared_ptr<const plan::Plan>& plan,
                                                                 const cpu::FusedPlan& fused,
                                                                 const CompileOptions& asked) {
        auto options = asked;
        options.threads = threads;
        const cpu::ThreadScope scope(threads);
        auto executable = build(plan, fittingStep(m_tuner, fused, options), options, asked.threads);
        if (executable || executable.error().kind != ErrorKind::OutOfMemory) return executable;
        return build(plan, stepWith(cpu::ScratchUse::None, 0, m_tuner, fused, options), options, asked.threads);
    }

    Result<std::unique_ptr<Executable>> build(const std::shared_ptr<const plan::Plan>& plan,
                                              Result<cpu::CompiledStep> step, const CompileOptions& options,
                                              int askedThreads) {
        if (!step) return Failure(step.error());
        remember(stepName(*plan, askedThreads, options.kernels));
        step->plan = plan;
        if (options.threads < askedThreads) step->remarks.push_back(messages::oneThreadIsFaster(askedThreads));
        return cpu::CpuExecutable::make(m_engine, std::move(*step), options, options.ranks ? m_communicator : nullptr);
    }

    void remember(const std::string& step) {
        auto news = m_tuner.takeNews();
        if (std::all_of(news.begin(), news.end(), [](const auto& entry) { return entry.second.certain; })) {
            m_tuner.note(std::string(kStepKey) + step);
            news.merge(m_tuner.takeNews());
        }
        m_cache.add(news);
    }

    cpu::KernelCache m_cache;
    cpu::Tuner m_tuner;
    cpu::CpuMachineProbe m_machineProbe;
    std::shared_ptr<HostCommunicator> m_communicator;  // for one of several ranks
    dnnl::engine m_engine{dnnl::engine::kind::cpu, 0};
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend(const CpuOptions& options) {
    return std::make_unique<CpuBackend>(options);
}

}  // namespace steelyard::compute
