// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "engine/compute/cuda/compile/emitters.h"
#include "engine/compute/cuda/execute/owned_event.h"
#include "engine/compute/cuda/operations/eight_bit.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

using Emit = Result<void> (*)(Compiler&, const plan::Operation&);

Emit emitterOf(plan::OperationKind kind) {
    // In the order of plan::OperationKind.
    constexpr Emit emitters[] = {emitConvolution,      emitConvolution,     emitMatMul,     emitAttention,
                                 emitRecurrent,        emitActivation,      emitDropout,    emitAdd,
                                 emitConcat,           emitFlatten,         emitPool,       emitGlobalPool,
                                 emitBatchNorm,        emitLayerNorm,       emitEmbedding,  emitAddParameter,
                                 emitClassToken,       emitToTokens,        emitSelectStep, emitShortcutPad,
                                 emitProduct,          emitArray,           emitRmsNorm,    emitRotaryEmbedding,
                                 emitGroupedAttention, emitGatedActivation, emitScale,      emitSoftmax,
                                 emitSigmoid,          emitSoftmax,         emitSigmoid,    emitUpdates,
                                 emitUpdates};
    static_assert(std::size(emitters) == static_cast<std::size_t>(plan::OperationKind::Update) + 1);
    return emitters[static_cast<std::size_t>(kind)];
}

// Bytes from the first to the last element of [rows, columns] with this stride, `batch` times.
std::int64_t matrixBytes(std::int64_t rows, std::int64_t columns, std::int64_t stride, std::int64_t batch,
                         std::int64_t batchStride, ElementType type) {
    return ((batch - 1) * batchStride + (rows - 1) * stride + columns) * bytesOf(type);
}

// Buffers are aligned to 256 bytes.
std::int64_t alignmentOf(const Value& value) {
    return std::gcd(value.offset, std::int64_t{256});
}

std::vector<int> countReaders(const plan::Plan& plan) {
    std::vector<int> readers(plan.tensors.size());
    const auto at = [&](TensorId id) -> int& { return readers[static_cast<std::size_t>(id)]; };
    for (const auto& op : plan.operations)
        for (auto id : op.reads()) ++at(id);
    for (const auto& head : plan.heads) {
        ++at(head.logits);
        ++at(head.probabilities);
    }
    return readers;
}

constexpr Bytes kDefaultWorkspaceLimit(std::int64_t{256} << 20);
constexpr float kFirstLossScale = 1024;

template <class T>
std::vector<std::byte> bytesOfObject(const T& object) {
    const auto* first = reinterpret_cast<const std::byte*>(&object);
    return {first, first + sizeof object};
}

constexpr int kRuns = 3;  // per trial, after one warm-up run

// Temporarily allocates the buffers of a trial.
class TrialMemory {
public:
    ~TrialMemory() {
        for (auto* buffer : m_buffers) buffer->data = nullptr;
    }
    [[nodiscard]] Result<void> give(DeviceRuntime& runtime, Buffer* buffer) {
        if (buffer == nullptr || buffer->data != nullptr) return {};
        ASSIGN(auto memory, DeviceMemory::allocate(runtime, buffer->bytes));
        if (auto ok = runtime.fill(memory.data(), 0, buffer->bytes, runtime.stream()); !ok) return ok;
        if (buffer->contents) {
            const auto contents = buffer->contents();
            const auto bytes = static_cast<std::int64_t>(contents.size());
            if (auto ok = runtime.copyToDevice(memory.data(), contents.data(), bytes, runtime.stream()); !ok) return ok;
            if (auto ok = runtime.synchronize(runtime.stream()); !ok) return ok;
        }
        buffer->data = memory.data();
        m_buffers.push_back(buffer);
        m_memory.push_back(std::move(memory));
        return {};
    }

private:
    std::vector<Buffer*> m_buffers;
    std::vector<DeviceMemory> m_memory;
};

}  // namespace

ElementType elementType(plan::Precision precision) {
    if (precision == plan::Precision::Bf16) return ElementType::Bf16;
    return precision == plan::Precision::Fp16 ? ElementType::F16 : ElementType::F32;
}

MemoryKind memoryKind(plan::TensorRole role) {
    switch (role) {
        case plan::TensorRole::Weight:
            return MemoryKind::Weights;
        case plan::TensorRole::Gradient:
            return MemoryKind::Gradients;
        case plan::TensorRole::OptimizerState:
            return MemoryKind::Optimizer;
        default:
            return MemoryKind::Activations;
    }
}

Compiler::Compiler(DeviceSet& device, Tuner& tuner, std::shared_ptr<const plan::Plan> plan,
                   const CompileOptions& options, bool channelsLast, std::shared_ptr<DataParallel> parallel)
    : m_device(device),
      m_tuner(tuner),
      m_plan(std::move(plan)),
      m_options(options),
      m_type(elementType(m_plan->options.precision)),
      m_storage(m_plan->storages.size()),
      m_readers(countReaders(*m_plan)) {
    m_step.channelsLast = channelsLast;
    m_step.plan = m_plan;
    m_step.parallel = std::move(parallel);
    m_step.values.resize(m_plan->tensors.size());
    for (std::size_t p = 0; p < m_plan->parameters.size(); ++p)
        if (m_plan->parameters[p].spec.frozen) m_frozen.insert(m_plan->parameterTensors[p]);
    placeBuckets();
    m_step.control = persistent(sizeof(kernels::StepControl), MemoryKind::Workspace);
    if (training() && m_type == ElementType::F16)
        m_step.lossScale = persistent(sizeof(kernels::LossScale), MemoryKind::Workspace, [] {
            kernels::LossScale first;
            first.scale = kFirstLossScale;
            return bytesOfObject(first);
        });
    for (std::size_t i = 0; i < m_plan->operations.size(); ++i) {
        const auto& op = m_plan->operations[i];
        if (op.pass == plan::Pass::Forward && op.node >= 0) m_forward[op.node] = i;
        if (!std::holds_alternative<model::Conv2d>(op.layer)) continue;
        for (const auto* list : {&op.parameters, &op.parameterGradients, &op.states})
            for (auto id : *list)
                if (id != kNoTensor && dims(id).size() == 4) m_step.filterTensors.insert(id);
    }
}

Result<CompiledStep> Compiler::run() {
    // Tensors that the caller may write are allocated even if nothing reads them; of a weight that does not change only
    // the form that is read.
    for (const auto& tensor : m_plan->tensors) {
        const bool converts = is16Bit() || m_plan->options.precision == plan::Precision::Int8;
        if (converts && tensor.role == plan::TensorRole::Weight && isConstant(tensor.id)) continue;
        if (m_plan->storages[static_cast<std::size_t>(tensor.storage)].persistent) touch(value(tensor.id));
    }
    for (m_current = 0; m_current < m_plan->operations.size(); m_current += m_taken) {
        m_taken = 1;
        if (m_plan->operations[m_current].pass == plan::Pass::Update) joinExchange();
        TRY(emit(m_plan->operations[m_current]));
        exchangeAfter(m_current + m_taken - 1);
    }
    // The output is read by the caller after the step.
    const auto end = static_cast<int>(m_step.tasks.size());
    if (!training())
        for (const auto& head : m_plan->heads) {
            auto* buffer = value(head.probabilities).buffer;
            touch(value(head.probabilities));
            buffer->lastUse = std::max(buffer->lastUse, end);
        }
    return std::move(m_step);
}

void Compiler::placeBuckets() {
    if (!m_step.parallel) return;
    for (const auto& bucket : m_step.parallel->buckets()) {
        auto* memory = newBuffer(bucket.bytes().value(), true, MemoryKind::Gradients);
        m_step.buckets.push_back({memory, 0});
        for (const auto& [gradient, offset] : bucket.gradients) m_step.values[index(gradient)] = {memory, offset * 4};
    }
}

// The exchange overlaps with the following tasks, up to the one that joins.
void Compiler::exchangeAfter(std::size_t operation) {
    if (!m_step.parallel) return;
    const auto& buckets = m_step.parallel->buckets();
    std::vector<Value> uses;
    const auto last = static_cast<int>(operation);
    while (m_bucketsSent < buckets.size() && buckets[m_bucketsSent].readyAfter <= last)
        uses.push_back(m_step.buckets[m_bucketsSent++]);
    if (uses.empty()) return;
    addTask("exchange", std::move(uses), [parallel = m_step.parallel.get(), last](DeviceRuntime&, Stream) {
        return parallel->afterOperation(last);
    });
}

void Compiler::joinExchange() {
    if (!m_step.parallel) return;
    auto uses = m_step.buckets;
    for (const auto& head : m_plan->heads) uses.push_back(value(head.loss));
    addTask("exchange", std::move(uses),
            [parallel = m_step.parallel.get()](DeviceRuntime&, Stream) { return parallel->join(); });
}

Result<void> Compiler::emit(const plan::Operation& op) {
    return isEmittedInBytes(*this, op) ? emitInBytes(*this, op) : emitterOf(op.kind)(*this, op);
}

const plan::Operation& Compiler::forwardOf(const plan::Operation& op) const {
    if (op.pass == plan::Pass::Forward) return op;
    return m_plan->operations[m_forward.at(op.node)];
}

const plan::Operation* Compiler::backwardOf(const plan::Operation& op) const {
    const auto found = std::find_if(m_plan->operations.begin(), m_plan->operations.end(), [&](const auto& other) {
        return other.node == op.node && other.pass == plan::Pass::Backward;
    });
    return op.node < 0 || found == m_plan->operations.end() ? nullptr : &*found;
}

void Compiler::remark(Message sentence) {
    auto& remarks = m_step.remarks;
    if (std::find(remarks.begin(), remarks.end(), sentence) == remarks.end()) remarks.push_back(std::move(sentence));
}

Buffer* Compiler::newBuffer(std::int64_t bytes, bool persistent, MemoryKind kind) {
    auto& buffer = m_step.buffers.emplace_back();
    buffer.bytes = std::max<std::int64_t>(bytes, 1);
    buffer.persistent = persistent;
    buffer.kind = kind;
    return &buffer;
}

Value Compiler::value(TensorId id) {
    if (id == kNoTensor) return {};
    auto& value = m_step.values[index(id)];
    if (value) return value;
    const auto& t = tensor(id);
    const auto& storage = m_plan->storages[static_cast<std::size_t>(t.storage)];
    auto& buffer = m_storage[static_cast<std::size_t>(t.storage)];
    if (buffer == nullptr) buffer = newBuffer(storage.bytes, storage.persistent, memoryKind(t.role));
    value.buffer = buffer;
    return value;
}

void Compiler::placeAlone(TensorId id) {
    const auto& t = tensor(id);
    m_step.values[index(id)] = {newBuffer(t.bytes(), false, memoryKind(t.role)), 0};
}

Value Compiler::weight(TensorId id) {
    if (!is16Bit()) return value(id);
    auto& copy = m_step.halfCopies[id];
    if (!copy) copy = persistent(elements(id) * typeBytes(), MemoryKind::Weights);
    return copy;
}

Value Compiler::f32Weight(TensorId id) {
    return value(id);
}

ByteWeights Compiler::byteWeights(TensorId id, const ByteWeightForm& form) {
    auto& known = m_step.byteWeights[id];
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const ByteWeights& one) { return one.form == form; });
    if (found != known.end()) return *found;
    known.push_back(
        {form, persistent(form.bytes(), MemoryKind::Weights), persistent(form.units * 4, MemoryKind::Weights)});
    return known.back();
}

Value Compiler::halfCopyOf(TensorId id) const {
    const auto found = m_step.halfCopies.find(id);
    return found == m_step.halfCopies.end() ? Value{} : found->second;
}

Value Compiler::scratch(std::int64_t bytes) {
    return {newBuffer(bytes, false, MemoryKind::Workspace), 0};
}

Value Compiler::persistent(std::int64_t bytes, MemoryKind kind, std::function<std::vector<std::byte>()> contents) {
    auto* buffer = newBuffer(bytes, true, kind);
    buffer->contents = std::move(contents);
    touch({buffer, 0});
    return {buffer, 0};
}

Value Compiler::constant(const std::string& key, std::int64_t bytes, std::function<std::vector<std::byte>()> contents) {
    auto& value = m_constants[key];
    if (!value) value = persistent(bytes, MemoryKind::Workspace, std::move(contents));
    return value;
}

void Compiler::touch(const Value& value) {
    if (!value) return;
    const auto now = static_cast<int>(m_step.tasks.size());
    value.buffer->firstUse = std::min(value.buffer->firstUse, value.buffer->persistent ? 0 : now);
    value.buffer->lastUse =
        std::max(value.buffer->lastUse, value.buffer->persistent ? std::numeric_limits<int>::max() : now);
}

void Compiler::addTask(std::string name, std::vector<Value> uses, Task task) {
    for (const auto& use : uses) touch(use);
    (m_preparing ? m_step.preparation : m_step.tasks)
        .push_back({std::move(task), static_cast<int>(m_current), std::move(name), 0, std::move(uses)});
}

Result<void> Compiler::call(const MatrixProduct& product, std::vector<Value> operands) {
    auto p = product;
    p.aAlignment = alignmentOf(operands[0]);
    p.bAlignment = alignmentOf(operands[1]);
    p.cAlignment = alignmentOf(operands[2]);
    const auto& name = m_plan->operations[m_current].name;
    if (!m_device.matrices) return fail(ErrorKind::Unsupported, name, m_device.whyNoMatrices);
    const auto aRows = p.transposeA ? p.depth : p.rows, aColumns = p.transposeA ? p.rows : p.depth;
    const auto bRows = p.transposeB ? p.columns : p.depth, bColumns = p.transposeB ? p.depth : p.columns;
    const auto limit = m_options.workspaceLimit.value_or(kDefaultWorkspaceLimit).value();
    return addCall(m_device.matrices->prepare(p, limit), keyOf(p),
                   {matrixBytes(aRows, aColumns, p.aStride, p.batch, p.aBatchStride, p.operandType),
                    matrixBytes(bRows, bColumns, p.bStride, p.batch, p.bBatchStride, p.operandType),
                    matrixBytes(p.rows, p.columns, p.cStride, p.batch, p.cBatchStride, p.resultType),
                    p.columns * bytesOf(p.resultType)},
                   std::move(operands));
}

Result<void> Compiler::call(const Convolution& c, std::vector<Value> operands) {
    const auto& name = m_plan->operations[m_current].name;
    if (!m_device.networks) return fail(ErrorKind::Unsupported, name, m_device.whyNoNetworks);
    const auto image = c.batch * c.channels * c.height * c.width * bytesOf(c.type);
    const auto weights = c.filters * (c.channels / c.groups) * c.kernelHeight * c.kernelWidth * bytesOf(c.type);
    const auto result = c.batch * c.filters * c.outputHeight * c.outputWidth * bytesOf(c.type);
    std::vector<std::int64_t> bytes{image, weights, result};
    if (c.pass == ConvolutionPass::BackwardData) bytes = {result, weights, image};
    if (c.pass == ConvolutionPass::BackwardWeights) bytes = {image, result, weights};
    if (c.bias) bytes.push_back(c.filters * bytesOf(c.type));
    if (c.shortcut) bytes.push_back(result);
    const auto limit = m_options.workspaceLimit.value_or(kDefaultWorkspaceLimit).value();
    return addCall(m_device.networks->prepare(c, limit), keyOf(c), std::move(bytes), std::move(operands));
}

Result<RecurrenceSpaces> Compiler::spacesOf(const Recurrence& r) {
    if (!m_device.networks) return fail(ErrorKind::Unsupported, "cudnn", m_device.whyNoNetworks);
    auto spaces = m_device.networks->spacesOf(r);
    const auto limit = m_options.workspaceLimit.value_or(kDefaultWorkspaceLimit).value();
    if (spaces && spaces->workspace > limit)
        return fail(ErrorKind::Unsupported, "cudnn",
                    messages::workspaceTooSmall(Bytes(spaces->workspace), Bytes(limit)));
    return spaces;
}

// There is a single candidate, so no trial is needed.
Result<void> Compiler::call(const Recurrence& r, std::vector<Value> operands) {
    const auto& name = m_plan->operations[m_current].name;
    if (!m_device.networks) return fail(ErrorKind::Unsupported, name, m_device.whyNoNetworks);
    return addCall(m_device.networks->prepare(r), "recurrence", {}, std::move(operands));
}

Result<void> Compiler::addCall(Result<std::unique_ptr<LibraryCall>> prepared, const TuningKey& key,
                               std::vector<std::int64_t> operandBytes, std::vector<Value> operands) {
    if (!prepared) return Failure(prepared.error());
    const std::shared_ptr<LibraryCall> call = std::move(*prepared);
    operandBytes.resize(operands.size());
    const auto limit = m_options.workspaceLimit.value_or(kDefaultWorkspaceLimit).value();
    ASSIGN(const auto chosen, m_tuner.choose(*m_device.runtime, *call, key, operandBytes, limit));
    const auto& candidate = call->candidates()[chosen];
    const auto workspace = candidate.workspaceBytes > 0 ? scratch(candidate.workspaceBytes) : Value{};
    auto uses = operands;
    uses.push_back(workspace);
    addTask(candidate.name, std::move(uses),
            [call, operands = std::move(operands), workspace, which = chosen](DeviceRuntime&, Stream stream) {
                std::array<void*, kMostOperands> pointers{};
                for (std::size_t i = 0; i < operands.size(); ++i) pointers[i] = operands[i].data();
                return call->run(which, std::span(pointers).first(operands.size()), workspace.data(), stream);
            });
    return {};
}

void Compiler::copy(Value to, Value from, std::int64_t bytes) {
    addTask("copy", {to, from}, [=](DeviceRuntime& runtime, Stream stream) {
        return runtime.copyOnDevice(to.data(), from.data(), bytes, stream);
    });
}

void Compiler::clear(Value to, std::int64_t bytes) {
    addTask("clear", {to},
            [=](DeviceRuntime& runtime, Stream stream) { return runtime.fill(to.data(), 0, bytes, stream); });
}

kernels::ImageLayout Compiler::imageLayout(const model::Shape& d) const {
    if (d.size() == 4) return {d[0], d[1], d[2], d[3], channelsLast()};
    return {1, 1, 1, model::elementCount(d), false};
}

kernels::ChannelAxes Compiler::channelAxes(const model::Shape& d) const {
    if (d.size() == 4) return kernels::channelAxes(imageLayout(d));
    return {model::elementCount(d) / d.back(), d.back(), 1};
}

const plan::Operation* Compiler::next(std::size_t ahead) const {
    const auto at = m_current + m_taken + ahead;
    return at < m_plan->operations.size() ? &m_plan->operations[at] : nullptr;
}

const plan::Operation* Compiler::onlyActivationOf(TensorId result, std::size_t ahead) const {
    const auto* op = next(ahead);
    if (op == nullptr || op->kind != plan::OperationKind::Activation || op->pass != plan::Pass::Forward) return nullptr;
    return op->inputs[0] == result && m_readers[index(result)] == 1 ? op : nullptr;
}

std::vector<const plan::Operation*> Compiler::takeRun() {
    std::vector<const plan::Operation*> run{&m_plan->operations[m_current]};
    while (const auto* op = next()) {
        if (op->pass != run.front()->pass) break;
        run.push_back(op);
        takeNext();
    }
    return run;
}

// Times the tasks from `first` on in temporary memory.
Result<double> Compiler::secondsOfTasks(std::size_t first) {
    auto& runtime = *m_device.runtime;
    const auto stream = runtime.stream();
    TrialMemory memory;
    for (std::size_t i = first; i < m_step.tasks.size(); ++i)
        for (const auto& use : m_step.tasks[i].uses) TRY(memory.give(runtime, use.buffer));
    ASSIGN(auto before, OwnedEvent::create(runtime));
    ASSIGN(auto after, OwnedEvent::create(runtime));
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run <= kRuns; ++run) {
        TRY(runtime.record(before.get(), stream));
        for (std::size_t i = first; i < m_step.tasks.size(); ++i) TRY(m_step.tasks[i].run(runtime, stream));
        TRY(runtime.record(after.get(), stream));
        TRY(runtime.synchronize(stream));
        ASSIGN(const auto seconds, runtime.secondsBetween(before.get(), after.get()));
        if (run > 0) best = std::min(best, seconds);
    }
    return best;
}

Result<void> Compiler::fastest(const TuningKey& key, const std::vector<Implementation>& candidates) {
    const auto emitNamed = [&](const std::string& name) {
        const auto candidate = std::find_if(candidates.begin(), candidates.end(),
                                            [&](const Implementation& one) { return one.name == name; });
        return (candidate == candidates.end() ? candidates.front() : *candidate).emit();
    };
    if (candidates.size() == 1) return candidates.front().emit();
    if (const auto* known = m_tuner.chosen(key)) return emitNamed(*known);
    // Reverts what a trial added to the step. Buffers stay in place, since values point to them.
    const auto tasks = m_step.tasks.size(), buffers = m_step.buffers.size(), taken = m_taken;
    const auto preparation = m_step.preparation.size();
    const std::deque<Buffer> before = m_step.buffers;
    const auto values = m_step.values;
    const auto halfCopies = m_step.halfCopies;
    const auto storage = m_storage;
    const auto memory = m_memory;
    const auto constants = m_constants;
    std::string best = candidates.front().name;
    double bestSeconds = std::numeric_limits<double>::infinity();
    for (const auto& candidate : candidates) {
        auto emitted = candidate.emit();
        if (emitted && candidate.consequence) emitted = candidate.consequence();
        const auto seconds = emitted ? secondsOfTasks(tasks) : Result<double>(Failure(emitted.error()));
        if (seconds && *seconds < bestSeconds) {
            bestSeconds = *seconds;
            best = candidate.name;
        }
        m_taken = taken;
        m_step.tasks.resize(tasks);
        m_step.preparation.resize(preparation);
        m_step.buffers.resize(buffers);
        for (std::size_t i = 0; i < buffers; ++i) m_step.buffers[i] = before[i];
        m_step.values = values;
        m_step.halfCopies = halfCopies;
        m_storage = storage;
        m_memory = memory;
        m_constants = constants;
    }
    m_tuner.remember(key, best);
    return emitNamed(best);
}

}  // namespace steelyard::compute::cuda
