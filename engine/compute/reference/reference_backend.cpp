// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/reference_backend.h"

#include <fmt/format.h>

#include <chrono>
#include <new>

#include "engine/compute/reference/eight_bit.h"
#include "engine/compute/reference/rounding.h"
#include "engine/compute/reference/step_run.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace reference {

TensorStore::TensorStore(const plan::Plan& plan) : m_floats(plan.tensors.size()), m_integers(plan.tensors.size()) {
    for (const auto& tensor : plan.tensors) {
        const auto count = static_cast<std::size_t>(tensor.elements());
        if (isInteger(tensor))
            m_integers[at(tensor.id)].resize(count);
        else
            m_floats[at(tensor.id)].resize(count);
    }
}

namespace {

constexpr int kMomentBits = 20;  // see reference_backend.h
constexpr double kSumError = 0x1p-20;

using Run = void (*)(StepRun&, const Operation&);

Run functionFor(plan::OperationKind kind) {
    // In the order of plan::OperationKind.
    constexpr Run functions[] = {runConvolution,
                                 runConvolution,
                                 runMatMul,
                                 runAttention,
                                 runRecurrent,
                                 runActivation,
                                 runDropout,
                                 runAdd,
                                 runConcat,
                                 runFlatten,
                                 runPool,
                                 runGlobalPool,
                                 runBatchNorm,
                                 runLayerNorm,
                                 runEmbedding,
                                 runAddParameter,
                                 runClassToken,
                                 runToTokens,
                                 runSelectStep,
                                 runShortcutPad,
                                 runProduct,
                                 runArray,
                                 runRmsNorm,
                                 runRotaryEmbedding,
                                 runGroupedAttention,
                                 runGatedActivation,
                                 runScale,
                                 runSoftmax,
                                 runSigmoid,
                                 runSoftmax,
                                 runSigmoid,
                                 runClipGradients,
                                 runUpdate};
    static_assert(std::size(functions) == static_cast<std::size_t>(plan::OperationKind::Update) + 1);
    return functions[static_cast<std::size_t>(kind)];
}

bool isWritable(plan::TensorRole role) {
    using R = plan::TensorRole;
    return role == R::Input || role == R::Label || role == R::Weight || role == R::State || role == R::OptimizerState;
}

MemoryFigures memoryOf(const plan::Plan& plan) {
    MemoryFigures figures;
    for (const auto& tensor : plan.tensors) {
        const Bytes bytes(tensor.elements() * 4);
        using R = plan::TensorRole;
        figures.peak += bytes;
        if (tensor.role == R::Weight || tensor.role == R::State)
            figures.weights += bytes;
        else if (tensor.role == R::Gradient)
            figures.gradients += bytes;
        else if (tensor.role == R::OptimizerState)
            figures.optimizer += bytes;
        else
            figures.activations += bytes;
    }
    return figures;
}

class ReferenceExecutable final : public Executable {
public:
    ReferenceExecutable(std::shared_ptr<const plan::Plan> plan, const CompileOptions& options,
                        const ReferenceOptions& reference)
        : m_plan(std::move(plan)),
          m_tensors(*m_plan),
          m_seed(options.seed),
          m_threads(options.threads),
          m_rounds(reference.emulatePrecision),
          m_roundingSeed(reference.roundingSeed),
          m_profile(options.profile),
          m_seconds(m_plan->operations.size()) {}

    [[nodiscard]] const plan::Plan& plan() const override { return *m_plan; }

    [[nodiscard]] Result<void> write(TensorId id, std::span<const float> values) override {
        if (auto ok = check(id, values.size(), false); !ok) return ok;
        const auto& tensor = m_plan->tensor(id);
        if (!isWritable(tensor.role)) return fail(ErrorKind::InvalidArgument, tensor.name, messages::notWritable());
        const auto to = m_tensors.floats(id);
        std::copy(values.begin(), values.end(), to.begin());
        if (m_rounds) roundStored(m_plan->options.precision, tensor, to);
        return {};
    }

    [[nodiscard]] Result<void> write(TensorId id, std::span<const std::int32_t> values) override {
        if (auto ok = check(id, values.size(), true); !ok) return ok;
        const auto limit = integerLimit(*m_plan, id);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!isWithin(values[i], limit))
                return fail(ErrorKind::InvalidArgument, m_plan->tensor(id).name,
                            messages::elementOutOfRange(i, values[i], limit));
        }
        std::copy(values.begin(), values.end(), m_tensors.integers(id).begin());
        return {};
    }

    [[nodiscard]] Result<void> read(TensorId id, std::span<float> values) override {
        if (id < 0 || static_cast<std::size_t>(id) >= m_plan->tensors.size())
            return fail(ErrorKind::InvalidArgument, {}, messages::noTensor(id));
        const bool integer = TensorStore::isInteger(m_plan->tensor(id));
        if (auto ok = check(id, values.size(), integer); !ok) return ok;
        if (integer) {
            const auto from = m_tensors.integers(id);
            std::transform(from.begin(), from.end(), values.begin(), [](auto v) { return static_cast<float>(v); });
        } else {
            const auto from = m_tensors.floats(id);
            std::copy(from.begin(), from.end(), values.begin());
        }
        return {};
    }

    [[nodiscard]] Result<StepOutcome> step(const StepContext& context) override {
        StepRun run{*m_plan, m_tensors, m_scratch, context, m_seed, m_threads};
        if (m_rounds) {
            run.sumError = kSumError;
            run.coarserBits = coarserBits(m_plan->options.precision);
        }
        if (m_rounds) narrowWeights();
        for (std::size_t i = 0; i < m_plan->operations.size(); ++i) {
            const auto& op = m_plan->operations[i];
            if (m_rounds && op.pass == plan::Pass::Update) restoreWeights();
            const auto start = std::chrono::steady_clock::now();
            runOperation(run, op);
            if (m_profile)
                m_seconds[i] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (m_rounds) roundResults(op, i);
        }
        restoreWeights();
        ++m_steps;
        StepOutcome outcome;
        if (m_plan->options.mode == plan::Mode::Train) outcome.loss = run.loss;
        return outcome;
    }

    [[nodiscard]] MemoryFigures memory() const override { return memoryOf(*m_plan); }

    [[nodiscard]] std::vector<OperationTime> profile() const override {
        std::vector<OperationTime> times;
        if (!m_profile || m_steps == 0) return times;
        for (std::size_t i = 0; i < m_seconds.size(); ++i)
            times.push_back({static_cast<int>(i), m_seconds[i] / static_cast<double>(m_steps), "reference"});
        return times;
    }

private:
    [[nodiscard]] Result<void> check(TensorId id, std::size_t count, bool integer) const {
        if (id < 0 || static_cast<std::size_t>(id) >= m_plan->tensors.size())
            return fail(ErrorKind::InvalidArgument, {}, messages::noTensor(id));
        const auto& tensor = m_plan->tensor(id);
        if (TensorStore::isInteger(tensor) != integer)
            return fail(ErrorKind::InvalidArgument, tensor.name,
                        integer ? messages::holdsNoIntegers() : messages::holdsIntegers());
        if (static_cast<std::int64_t>(count) != tensor.elements())
            return fail(ErrorKind::InvalidArgument, tensor.name, messages::wrongElementCount(count, tensor.elements()));
        return {};
    }

    void runOperation(StepRun& run, const Operation& op) {
        if (!m_rounds) return functionFor(op.kind)(run, op);
        const EightBitOperands rounded(*m_plan, m_tensors, op);
        functionFor(op.kind)(run, op);
    }

    // With stochastic rounding, a value near a rounding boundary may be rounded to either side, as with another
    // summation order.
    void roundEightBits(TensorId id, const std::optional<RandomStream>& atRandom) {
        const auto& tensor = m_plan->tensor(id);
        if (atRandom) roundStored(plan::Precision::Fp32, tensor, m_tensors.floats(id), atRandom);
        if (plan::isEightBit(tensor)) roundToGrid(plan::gridOf(*m_plan, id), m_tensors.floats(id));
    }

    void roundResults(const Operation& op, std::size_t place) {
        for (auto id : op.writes()) {
            std::optional<RandomStream> atRandom;
            if (m_roundingSeed)
                atRandom.emplace(*m_roundingSeed,
                                 (static_cast<std::uint64_t>(place) << 32) + static_cast<std::uint64_t>(id));
            if (m_plan->options.precision == plan::Precision::Int8) {
                roundEightBits(id, atRandom);
                continue;
            }
            roundStored(m_plan->options.precision, m_plan->tensor(id), m_tensors.floats(id), atRandom);
        }
        const bool normalises = op.kind == plan::OperationKind::BatchNorm ||
                                op.kind == plan::OperationKind::LayerNorm || op.kind == plan::OperationKind::RmsNorm;
        if (!normalises || op.pass != plan::Pass::Forward) return;
        for (auto moments : op.saved)
            for (auto& moment : m_tensors.floats(moments)) moment = roundedToBits(kMomentBits, moment);
    }

    // Layers use weights rounded to the narrow type; updates use the Float32 originals.
    void narrowWeights() {
        for (auto id : m_plan->parameterTensors) {
            if (m_plan->tensor(id).role != plan::TensorRole::Weight) continue;
            const auto values = m_tensors.floats(id);
            m_originals[id].assign(values.begin(), values.end());
            roundWeights(m_plan->options.precision, values);
        }
    }
    void restoreWeights() {
        for (const auto& [id, values] : m_originals)
            std::copy(values.begin(), values.end(), m_tensors.floats(id).begin());
        m_originals.clear();
    }

    std::shared_ptr<const plan::Plan> m_plan;
    TensorStore m_tensors;
    Scratch m_scratch;
    std::uint64_t m_seed;
    int m_threads;
    bool m_rounds;
    std::optional<std::uint64_t> m_roundingSeed;
    bool m_profile;
    std::vector<double> m_seconds;  // by operation, since compile
    std::int64_t m_steps = 0;
    std::map<TensorId, std::vector<float>> m_originals;
};

class ReferenceBackend final : public Backend {
public:
    explicit ReferenceBackend(const ReferenceOptions& options) : m_options(options) {}

    [[nodiscard]] std::string_view name() const override { return "reference"; }
    [[nodiscard]] std::vector<Device> devices() const override { return {{"reference", "Reference", std::nullopt}}; }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }

    [[nodiscard]] Result<void> supports(const Operation& /*op*/, const plan::Plan& /*plan*/) const override {
        return {};  // supports all operations
    }

    [[nodiscard]] Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                              const CompileOptions& options) override {
        TRY(refuseRanks(options));
        const auto needed = memoryOf(*plan).peak;
        if (options.memoryLimit && needed > *options.memoryLimit)
            return outOfMemory(*plan, needed, options.memoryLimit);
        try {
            return std::make_unique<ReferenceExecutable>(std::move(plan), options, m_options);
        } catch (const std::bad_alloc&) {
            return Failure(Error{ErrorKind::OutOfMemory, "reference", {}, {}, needed.value(), {}});
        }
    }

private:
    static Failure outOfMemory(const plan::Plan& plan, Bytes needed, const std::optional<Bytes>& available) {
        Error error{ErrorKind::OutOfMemory, plan.workload, {}, {}, needed.value(), {}};
        if (available) error.availableBytes = available->value();
        return Failure(std::move(error));
    }

    ReferenceOptions m_options;
};

}  // namespace
}  // namespace reference

std::unique_ptr<Backend> makeReferenceBackend(const ReferenceOptions& options) {
    return std::make_unique<reference::ReferenceBackend>(options);
}

}  // namespace steelyard::compute
