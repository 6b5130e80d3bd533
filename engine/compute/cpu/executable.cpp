// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/threads.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/operation_times.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kAlignment = 64;  // a cache line

bool isReadable(plan::TensorRole role) {
    using plan::TensorRole;
    switch (role) {
        case TensorRole::Weight:
        case TensorRole::State:
        case TensorRole::OptimizerState:
        case TensorRole::Gradient:
        case TensorRole::Probability:
        case TensorRole::Loss:
            return true;
        default:
            return false;
    }
}

bool isParameter(plan::TensorRole role) {
    using plan::TensorRole;
    return role == TensorRole::Weight || role == TensorRole::State || role == TensorRole::OptimizerState;
}

bool isWritable(plan::TensorRole role) {
    using plan::TensorRole;
    return role == TensorRole::Input || role == TensorRole::Label || isParameter(role);
}

}  // namespace

ArenaPlan planArena(std::deque<Buffer>& buffers) {
    return planStepMemory(buffers, kAlignment);
}

Result<std::unique_ptr<Executable>> CpuExecutable::make(const dnnl::engine& engine, CompiledStep step,
                                                        const CompileOptions& options,
                                                        std::shared_ptr<HostCommunicator> communicator) {
    std::unique_ptr<CpuExecutable> executable(new CpuExecutable(engine, std::move(step), options));
    TRY(executable->place(options));
    if (communicator) executable->attach(std::move(communicator));
    return executable;
}

CpuExecutable::CpuExecutable(const dnnl::engine& engine, CompiledStep step, const CompileOptions& options)
    : m_engine(engine),
      m_stream(engine),
      m_step(std::move(step)),
      m_threads(options.threads),
      m_seed(options.seed),
      m_profile(options.profile) {}

Result<void> CpuExecutable::place(const CompileOptions& options) {
    const auto planned = planArena(m_step.buffers);
    const auto bytes = planned.placement.totalBytes;
    if (options.memoryLimit && bytes > options.memoryLimit->value())
        return Failure(Error{
            ErrorKind::OutOfMemory, options.device, messages::overTheLimit(), {}, bytes, options.memoryLimit->value()});
    ASSIGN(auto arena, Arena::allocate(bytes));
    m_arena = std::move(arena);
    m_memory = planned.figures;
    m_memory.peak = Bytes(m_arena.bytes());
    for (std::size_t i = 0; i < planned.buffers.size(); ++i)
        planned.buffers[i]->data = m_arena.data() + planned.placement.offsets[i];
    try {
        for (auto& binding : m_step.bindings) binding.memory.set_data_handle(binding.buffer->data + binding.offset);
    } catch (const dnnl::error& error) {
        return fail(ErrorKind::Internal, "cpu", messages::callFailed("oneDNN", error.what()));
    }
    m_step.bindings.clear();
    return {};
}

Result<const Value*> CpuExecutable::find(TensorId tensor, std::size_t count) const {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= plan().tensors.size())
        return fail(ErrorKind::InvalidArgument, {}, messages::noTensor(tensor));
    const auto& t = plan().tensor(tensor);
    if (static_cast<std::int64_t>(count) != t.elements())
        return fail(ErrorKind::InvalidArgument, t.name, messages::wrongElementCount(count, model::toString(t.dims)));
    return &m_step.values[static_cast<std::size_t>(tensor)];
}

void CpuExecutable::reorder(const Desc& fromDesc, void* from, const Desc& toDesc, void* to) {
    dnnl::memory source(fromDesc, m_engine, from), target(toDesc, m_engine, to);
    dnnl::reorder(source, target).execute(m_stream, source, target);
    m_stream.wait();
}

Result<void> CpuExecutable::write(TensorId tensor, std::span<const float> values) {
    ASSIGN(const auto value, find(tensor, values.size()));
    const auto& t = plan().tensor(tensor);
    if (!isWritable(t.role) || t.type == model::DataType::Int32)
        return fail(ErrorKind::InvalidArgument, t.name, messages::notWrittenAsFloats());
    const ThreadScope threads(m_threads);
    try {
        if (t.role == plan::TensorRole::Weight) writeRounded(tensor, values);
        if (!*value) return {};
        const auto& target = *value;
        const auto plain = plainDesc(dimsOf(target.desc), DataKind::f32);
        // oneDNN takes a non-const pointer for either side of a copy.
        reorder(plain, const_cast<float*>(values.data()), target.desc, target.as<std::byte>());
        if (t.role == plan::TensorRole::Weight || t.role == plan::TensorRole::State) m_weightsChanged = true;
        if (isParameter(t.role)) m_spread = false;
    } catch (const dnnl::error& error) {
        return fail(ErrorKind::Internal, t.name, messages::callFailed("oneDNN", error.what()));
    }
    return {};
}

// Pixels of more channels, which are zero.
std::vector<std::int8_t> widened(std::span<const std::int8_t> pixels, std::int64_t channels, std::int64_t wanted) {
    const auto count = static_cast<std::int64_t>(pixels.size()) / channels;
    std::vector<std::int8_t> wide(static_cast<std::size_t>(count * wanted));
    for (std::int64_t i = 0; i < count; ++i)
        std::copy_n(pixels.data() + i * channels, channels, wide.data() + i * wanted);
    return wide;
}

void CpuExecutable::writeRounded(TensorId tensor, std::span<const float> values) {
    for (const auto& target : m_step.rounded) {
        if (target.parameter != tensor) continue;
        std::vector<std::int8_t> rows(values.size());
        const auto channels = static_cast<std::size_t>(dimsOf(target.steps.desc)[0]);
        roundWeightRows(values, plan::declaredSteps(plan(), tensor), plan().options.quantisation.weightLevels, rows,
                        std::span(target.steps.as<float>(), channels));
        for (auto& row : rows) row = static_cast<std::int8_t>(row * target.factor);
        if (!target.image.empty()) {
            auto dims = target.image;
            dims[0] = static_cast<std::int64_t>(channels);
            std::vector<std::int8_t> together(rows.size());
            reorder(plainDesc(dims, DataKind::s8), rows.data(), Desc(dims, DataKind::s8, Tag::nhwc), together.data());
            rows = widened(together, dims[1], std::max(dims[1], target.channels));
        }
        reorder(target.rows, rows.data(), target.weights.desc, target.weights.as<std::byte>());
        m_weightsChanged = true;
    }
}

Result<void> CpuExecutable::write(TensorId tensor, std::span<const std::int32_t> values) {
    ASSIGN(const auto value, find(tensor, values.size()));
    const auto& t = plan().tensor(tensor);
    if (!isWritable(t.role) || t.type != model::DataType::Int32)
        return fail(ErrorKind::InvalidArgument, t.name, messages::notWrittenAsIntegers());
    const auto range = integerLimit(plan(), tensor);
    for (auto index : values) {
        if (!isWithin(index, range))
            return fail(ErrorKind::InvalidArgument, t.name, messages::outOfRange(index, range));
    }
    std::ranges::copy(values, value->as<std::int32_t>());
    return {};
}

Result<void> CpuExecutable::read(TensorId tensor, std::span<float> values) {
    ASSIGN(const auto value, find(tensor, values.size()));
    const auto& t = plan().tensor(tensor);
    const bool kept = value != nullptr && *value && value->buffer->data != nullptr &&
                      (value->buffer->persistent || t.role == plan::TensorRole::Probability);
    const bool probabilities = t.role != plan::TensorRole::Probability || plan().options.mode == plan::Mode::Infer;
    if (!isReadable(t.role) || !kept || !probabilities)
        return fail(ErrorKind::Unsupported, t.name, messages::notKept());
    if (!isBlocked(value->desc)) return fail(ErrorKind::Unsupported, t.name, messages::keptTransformed());
    const ThreadScope threads(m_threads);
    try {
        const auto& source = *value;
        reorder(source.desc, source.as<std::byte>(), plainDesc(dimsOf(source.desc), DataKind::f32), values.data());
    } catch (const dnnl::error& error) {
        return fail(ErrorKind::Internal, t.name, messages::callFailed("oneDNN", error.what()));
    }
    return {};
}

Result<StepOutcome> CpuExecutable::step(const StepContext& context) {
    TRY(spreadParameters());
    const ThreadScope threads(m_threads);
    const StepState state{m_stream, context.index, dropoutSeed(m_seed, context.index),
                          learningRate(plan().options.optimizer, context)};
    try {
        if (m_weightsChanged)
            for (auto& task : m_step.preparation) task.task->run(state);
        m_weightsChanged = false;
        runTasks(state);
    } catch (const dnnl::error& error) {
        return fail(ErrorKind::Internal, plan().workload, messages::callFailed("oneDNN", error.what()));
    }
    if (m_step.parallel) TRY(m_step.parallel->outcome());
    ++m_steps;
    StepOutcome outcome;
    outcome.loss = loss();
    return outcome;
}

void CpuExecutable::runTasks(const StepState& state) {
    if (!m_profile) {
        for (auto& task : m_step.tasks) task.task->run(state);
        return;
    }
    for (auto& task : m_step.tasks) {
        const auto start = std::chrono::steady_clock::now();
        task.task->run(state);
        task.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
}

std::optional<double> CpuExecutable::loss() const {
    if (plan().options.mode != plan::Mode::Train) return std::nullopt;
    double sum = 0;
    for (const auto& head : plan().heads)
        sum += head.head.weight * static_cast<double>(*m_step.values[static_cast<std::size_t>(head.loss)].as<float>());
    return sum;
}

std::vector<OperationTime> CpuExecutable::profile() const {
    std::vector<OperationTime> result;
    if (!m_profile || m_steps == 0) return result;
    for (const auto& task : m_step.tasks)
        addTime(result, task.operation, task.seconds / static_cast<double>(m_steps), task.kernel);
    return result;
}

}  // namespace steelyard::compute::cpu
