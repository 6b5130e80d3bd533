// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/compile/memory_headroom.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/eight_bit/eight_bit.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/core/messages/compute.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::cpu {
namespace {
// Preparations precede all tasks in a buffer's lifetime.
constexpr int kFirstPreparation = -1'000'000;

bool writtenByCaller(plan::TensorRole role) {
    using plan::TensorRole;
    return role == TensorRole::Input || role == TensorRole::Label || role == TensorRole::Weight ||
           role == TensorRole::State || role == TensorRole::OptimizerState;
}

}  // namespace

MemoryKind memoryKind(plan::TensorRole role) {
    using plan::TensorRole;
    switch (role) {
        case TensorRole::Weight:
        case TensorRole::State:
            return MemoryKind::Weights;
        case TensorRole::Gradient:
            return MemoryKind::Gradients;
        case TensorRole::OptimizerState:
            return MemoryKind::Optimizer;
        default:
            return MemoryKind::Activations;
    }
}

Compiler::Compiler(const dnnl::engine& engine, Tuner& tuner, const FusedPlan& fused, const CompileOptions& options)
    : m_engine(engine), m_tuner(tuner), m_headroom(headroomBeside(fused.plan)), m_fused(fused), m_options(options) {
    m_step.values.resize(plan().tensors.size());
    m_storage.assign(plan().storages.size(), nullptr);
}

bool Compiler::affords(std::int64_t scratchBytes) const {
    const double headroom =
        m_scratchUse == ScratchUse::Headroom ? m_headroomFraction * static_cast<double>(m_headroom[m_current]) : 0;
    return affordsAnywhere(scratchBytes - static_cast<std::int64_t>(headroom));
}

bool Compiler::affordsAnywhere(std::int64_t bytes) const {
    constexpr double kShare = 0.05;  // allows for steps that need less than the Plan's estimate
    return static_cast<double>(bytes) <= kShare * static_cast<double>(plan().memory.total().value());
}

bool Compiler::weightsAreCold() const {
    constexpr std::int64_t kCachedBytes = 32 << 20;  // more than most processors keep from one step to the next
    return !training() && plan().memory.weights.value() > kCachedBytes;
}

dnnl::primitive_attr Compiler::attributes() const {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

Result<CompiledStep> Compiler::run() {
    const auto& operations = plan().operations;
    placeBuckets();
    for (m_current = 0; m_current < operations.size(); m_current += m_taken) {
        m_taken = 1;
        const auto& op = operations[m_current];
        try {
            if (op.pass == plan::Pass::Update) receiveBuckets();
            TRY(emit(op));
            storeInBytes(op.output);
            sendReadyBuckets(static_cast<int>(m_current + m_taken) - 1);
        } catch (const dnnl::error& error) {
            const auto kind = error.status == dnnl_out_of_memory ? ErrorKind::OutOfMemory : ErrorKind::Unsupported;
            return fail(kind, op.name, Message(fmt::format("oneDNN: {}", error.what())));
        }
    }
    // Tensors accessible to the caller but not used by any operation, such as weights of an unused head.
    for (const auto& t : plan().tensors) {
        const auto isThis = [&](const RoundedWeights& weights) { return weights.parameter == t.id; };
        if (std::any_of(m_step.rounded.begin(), m_step.rounded.end(), isThis)) continue;
        if (writtenByCaller(t.role)) (void)value(t.id);
    }
    const auto last = static_cast<int>(m_step.tasks.size());
    for (auto& buffer : m_step.buffers) {
        if (!buffer.persistent) continue;
        buffer.firstUse = kFirstPreparation;
        buffer.lastUse = last;
    }
    if (!training())
        for (const auto& head : plan().heads) m_step.values[index(head.probabilities)].buffer->lastUse = last;
    return std::move(m_step);
}

// For one of several ranks: row-major memory for all gradients. The buckets are derived from the fused Plan, which is
// the same on all ranks, unlike the kernels' layouts.
void Compiler::placeBuckets() {
    if (!m_options.ranks) return;
    // Smaller than those of GPUs: a network between computers is slow, so that the exchange of the last bucket, which
    // nothing hides, must be short; the latency of an exchange counts less.
    BucketOptions options{.enough = Bytes(std::int64_t{4} << 20)};
    if (m_options.ranks->bucketBytes) options.enough = options.first = *m_options.ranks->bucketBytes;
    m_step.parallel = std::make_shared<DataParallel>(planBuckets(plan(), options));
    for (const auto& bucket : m_step.parallel->buckets())
        m_step.buckets.push_back({newBuffer(bucket.bytes().value(), true, MemoryKind::Gradients), Desc()});
}

Value Compiler::inBucket(std::size_t bucket, const BucketedGradient& gradient) {
    const auto plain = plainDesc(dimsOf(value(gradient.gradient).desc), DataKind::f32);
    return m_step.buckets[bucket].viewed(plain, gradient.offset * 4);
}

void Compiler::sendReadyBuckets(int lastOperation) {
    if (!m_step.parallel) return;
    const auto& buckets = m_step.parallel->buckets();
    std::vector<Value> uses;
    while (m_bucketsSent < buckets.size() && buckets[m_bucketsSent].readyAfter <= lastOperation) {
        for (const auto& gradient : buckets[m_bucketsSent].gradients)
            convert(value(gradient.gradient), inBucket(m_bucketsSent, gradient));
        uses.push_back(m_step.buckets[m_bucketsSent++]);
    }
    if (uses.empty()) return;
    for (const auto& head : plan().heads) uses.push_back(value(head.loss));
    task("exchange", uses, [parallel = m_step.parallel.get(), lastOperation](const StepState&) {
        parallel->afterOperation(lastOperation);
    });
}

void Compiler::receiveBuckets() {
    if (!m_step.parallel || std::exchange(m_bucketsReceived, true)) return;
    auto uses = m_step.buckets;
    for (const auto& head : plan().heads) uses.push_back(value(head.loss));
    task("exchange", uses, [parallel = m_step.parallel.get()](const StepState&) { parallel->join(); });
    const auto& buckets = m_step.parallel->buckets();
    for (std::size_t b = 0; b < buckets.size(); ++b)
        for (const auto& gradient : buckets[b].gradients) {
            convert(inBucket(b, gradient), value(gradient.gradient));
            forgetConversions(gradient.gradient);
        }
}

Buffer* Compiler::newBuffer(std::int64_t bytes, bool persistent, MemoryKind kind) {
    m_step.buffers.emplace_back();
    auto& buffer = m_step.buffers.back();
    buffer.bytes = bytes;
    buffer.persistent = persistent;
    buffer.kind = kind;
    return &buffer;
}

Desc Compiler::plainDescOf(TensorId id) const {
    return plainDesc(tensor(id).dims, tensor(id).type);
}

Value Compiler::value(TensorId id) {
    if (!isPlaced(id) && writtenByCaller(tensor(id).role)) return define(id, plainDescOf(id));
    return m_step.values[index(id)];
}

Value Compiler::valueAs(TensorId id, const Desc& desc) {
    if (!isPlaced(id) && writtenByCaller(tensor(id).role)) return define(id, desc);
    const auto current = value(id);
    if (current.desc == desc) return current;
    for (const auto& copy : m_converted[id])
        if (copy.desc == desc) return copy;
    auto source = current;
    // A view with other dimensions: both are compatible with row-major.
    if (dimsOf(source.desc) != dimsOf(desc)) {
        source = plainValue(id);
        source.desc = plainDesc(dimsOf(desc), kindOf(source.desc));
        if (source.desc == desc) return source;
    }
    const auto copy = converted(source, desc);
    m_converted[id].push_back(copy);
    return copy;
}

Value Compiler::weight(TensorId id, const Desc& desc) {
    if (training()) return trainedWeight(id, desc);
    // Constant between steps, so a copy in another layout is made once.
    if (!isPlaced(id)) return define(id, desc);
    const auto current = value(id);
    if (current.desc == desc) return current;
    for (const auto& copy : m_converted[id])
        if (copy.desc == desc) return copy;
    const bool nested = m_preparing;
    m_preparing = true;
    const auto copy = prepared(desc);
    convert(viewedAs(current, desc), copy);
    m_preparing = nested;
    m_converted[id].push_back(copy);
    return copy;
}

// In the dimensions of `desc`: another view of the same elements, row-major.
Value Compiler::viewedAs(const Value& value, const Desc& desc) {
    auto source = value;
    if (dimsOf(source.desc) == dimsOf(desc)) return source;
    const auto plain = plainDesc(dimsOf(source.desc), kindOf(source.desc));
    if (source.desc != plain) source = converted(source, plain);
    source.desc = plainDesc(dimsOf(desc), kindOf(source.desc));
    return source;
}

Value Compiler::trainedWeight(TensorId id, const Desc& desc) {
    if (kindOf(desc) == DataKind::f32 || tensor(id).type == model::DataType::Int32) return valueAs(id, desc);
    if (!isPlaced(id)) (void)define(id, withKind(desc, DataKind::f32));
    auto& bf16 = m_bf16Weights[id];
    if (!bf16) {
        bf16 = prepared(desc);
        m_preparing = true;  // whenever the caller wrote the master copy; otherwise done by the update
        convert(viewedAs(value(id), desc), bf16);
        m_preparing = false;
    }
    if (bf16.desc == desc) return bf16;
    for (const auto& copy : m_converted[id])
        if (copy.desc == desc) return copy;
    const auto copy = converted(viewedAs(bf16, desc), desc);
    m_converted[id].push_back(copy);
    return copy;
}

void Compiler::placeMaster(TensorId id, const Desc& gradient) {
    if (training() && !isPlaced(id) && isBlocked(gradient)) (void)define(id, gradient);
}

Value Compiler::bf16Weight(TensorId id) const {
    const auto found = m_bf16Weights.find(id);
    return found == m_bf16Weights.end() ? Value() : found->second;
}

Value Compiler::plainValue(TensorId id) {
    auto current = value(id);
    const auto plain = plainDescOf(id);
    if (current.desc == plain) return current;
    const auto viewed = plainDesc(dimsOf(current.desc), kindOf(current.desc));
    if (current.desc != viewed) {
        const auto& copies = m_converted[id];
        const auto found =
            std::find_if(copies.begin(), copies.end(), [&](const Value& copy) { return copy.desc == viewed; });
        if (found != copies.end()) {
            current = *found;
        } else {
            current = converted(current, viewed);
            m_converted[id].push_back(current);
        }
    }
    current.desc = plain;
    return current;
}

Value Compiler::converted(const Value& source, const Desc& desc) {
    const auto copy = scratch(desc);
    convert(source, copy);
    return copy;
}

void Compiler::convert(const Value& source, const Value& target) {
    const dnnl::reorder::primitive_desc description(m_engine, source.desc, m_engine, target.desc, attributes());
    primitive(dnnl::reorder(description), description, {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}});
}

Value Compiler::define(TensorId id, const Desc& desc) {
    const auto& t = tensor(id);
    const auto bytes = bytesOf(desc);
    auto& buffer = m_storage[static_cast<std::size_t>(t.storage)];
    const bool persistent = plan().storages[static_cast<std::size_t>(t.storage)].persistent;
    if (buffer == nullptr || buffer->bytes != bytes) buffer = newBuffer(bytes, persistent, memoryKind(t.role));
    forgetConversions(id);
    return m_step.values[index(id)] = {buffer, desc};
}

Value Compiler::defineOver(TensorId id, TensorId operand, const Desc& desc) {
    const auto stored = kindOf(value(operand).desc);
    const auto under = valueAs(operand, stored == kindOf(desc) ? desc : withKind(desc, stored));
    m_storage[static_cast<std::size_t>(tensor(id).storage)] = under.buffer;
    m_converted.erase(operand);
    return m_step.values[index(id)] = under.viewed(desc);
}

Value Compiler::copyAs(TensorId id, const Desc& desc) const {
    const auto found = m_converted.find(id);
    if (found == m_converted.end()) return {};
    for (const auto& copy : found->second)
        if (copy.desc == desc) return copy;
    return {};
}

void Compiler::same(TensorId id, TensorId source) {
    const auto original = value(source);
    const auto storage = static_cast<std::size_t>(tensor(id).storage);
    const bool shared = tensor(id).storage == tensor(source).storage;
    // Values written by the caller are never overwritten, so an alias is safe; memory of the step may be reused too
    // early.
    if (shared || plan().storages[static_cast<std::size_t>(tensor(source).storage)].persistent) {
        if (shared) m_storage[storage] = original.buffer;
        m_step.values[index(id)] = original;
        return;
    }
    const auto copy = define(id, original.desc);
    task("copy", {original, copy}, [original, copy](const StepState&) {
        parallelRanges(original.buffer->bytes, [&](std::int64_t begin, std::int64_t end) {
            std::memcpy(copy.buffer->data + begin, original.buffer->data + begin,
                        static_cast<std::size_t>(end - begin));
        });
    });
}

void Compiler::reshaped(TensorId id, TensorId source) {
    const auto original = value(source);
    if (isPlain(original.desc)) {
        same(id, source);
        m_step.values[index(id)].desc = plainDescOf(id);
        return;
    }
    // A separate copy: the storage may be the source's, which cannot be reordered in place.
    auto copy = converted(original, plainDesc(dimsOf(original.desc), kindOf(original.desc)));
    copy.desc = plainDescOf(id);
    forgetConversions(id);
    m_storage[static_cast<std::size_t>(tensor(id).storage)] = copy.buffer;
    m_step.values[index(id)] = copy;
}

void Compiler::forgetConversions(TensorId id) {
    m_converted.erase(id);
}

Value Compiler::prepared(const Desc& desc) {
    return {newBuffer(bytesOf(desc), true, MemoryKind::Weights), desc};
}

Value Compiler::zeros(std::int64_t bytes) {
    if (!m_zeros) m_zeros = {newBuffer(bytes, true, MemoryKind::Workspace), Desc()};
    m_zeros.buffer->bytes = std::max(m_zeros.buffer->bytes, bytes);
    return m_zeros;  // the arena is zero-initialized
}

std::int64_t Compiler::writers(TensorId gradient) const {
    return std::count_if(plan().operations.begin(), plan().operations.end(), [&](const plan::Operation& op) {
        if (op.pass == plan::Pass::Update) return false;
        const auto written = op.writes();
        return std::find(written.begin(), written.end(), gradient) != written.end();
    });
}

Value Compiler::scratch(std::int64_t bytes) {
    return {newBuffer(bytes, false, MemoryKind::Workspace), Desc()};
}

Value Compiler::scratch(const Desc& desc) {
    return {newBuffer(bytesOf(desc), false, MemoryKind::Workspace), desc};
}

GradientTarget Compiler::inputGradient(const plan::Operation& op, std::size_t i, const Desc& desc) {
    const auto id = op.inputGradients[i];
    if (op.accumulate[i]) return {id, scratch(desc), true};
    return {id, define(id, desc), false};
}

GradientTarget Compiler::parameterGradient(const plan::Operation& op, std::size_t i, const Desc& desc) {
    const auto id = op.parameterGradients[i];
    if (op.accumulateParameters) return {id, scratch(desc), true};
    return {id, define(id, desc), false};
}

void Compiler::finishGradient(const GradientTarget& target) {
    if (!target.added) return;
    const auto sum = value(target.tensor);
    auto part = target.value;
    if (part.desc != sum.desc) {
        if (dimsOf(part.desc) != dimsOf(sum.desc)) {
            const auto plain = plainDesc(dimsOf(part.desc), kindOf(part.desc));
            if (part.desc != plain) part = converted(part, plain);
            part.desc = plainDesc(dimsOf(sum.desc), kindOf(sum.desc));
        }
        if (part.desc != sum.desc) part = converted(part, sum.desc);
    }
    emitSum(*this, sum, sum, part);
    forgetConversions(target.tensor);
}

dnnl::memory Compiler::bind(const Value& value) {
    dnnl::memory memory(value.desc, m_engine, DNNL_MEMORY_NONE);
    m_step.bindings.push_back({memory, value.buffer, value.offset});
    return memory;
}

void Compiler::addPrimitive(const dnnl::primitive& primitive, const Desc& scratchpad, const char* implementation,
                            Arguments arguments) {
    if (scratchpad.get_size() > 0) arguments.emplace_back(DNNL_ARG_SCRATCHPAD, scratch(scratchpad));
    std::vector<std::pair<int, dnnl::memory>> memories;
    std::vector<Value> uses;
    for (const auto& [argument, value] : arguments) {
        memories.emplace_back(argument, bind(value));
        uses.push_back(value);
    }
    addTask(std::make_unique<PrimitiveTask>(primitive, memories), implementation, std::span<const Value>(uses));
}

void Compiler::addTask(std::unique_ptr<Task> task, std::string kernel, std::span<const Value> uses) {
    auto& list = m_preparing ? m_step.preparation : m_step.tasks;
    const auto at = (m_preparing ? kFirstPreparation : 0) + static_cast<int>(list.size());
    for (const auto& value : uses) {
        if (!value) continue;
        value.buffer->firstUse = std::min(value.buffer->firstUse, at);
        value.buffer->lastUse = std::max(value.buffer->lastUse, at);
    }
    list.push_back({std::move(task), fusion().original, std::move(kernel), 0});
}

// Quantises a Float32 result of a tensor that is stored in 8 bits.
void Compiler::storeInBytes(TensorId id) {
    if (id == kNoTensor || !plan::isEightBit(tensor(id)) || kindOf(value(id).desc) != DataKind::f32) return;
    const auto bytes = emitToBytes(*this, id, value(id));
    forgetConversions(id);
    m_storage[static_cast<std::size_t>(tensor(id).storage)] = bytes.buffer;
    m_step.values[index(id)] = bytes;
}

std::span<const plan::Operation> Compiler::takeRun() {
    const auto& operations = plan().operations;
    auto end = m_current + 1;
    while (end < operations.size() && operations[end].kind == operations[m_current].kind) ++end;
    m_taken = end - m_current;
    return std::span(operations).subspan(m_current, m_taken);
}

Result<void> Compiler::emit(const plan::Operation& op) {
    using K = plan::OperationKind;
    const bool bytes = plan().options.precision == plan::Precision::Int8 && worksOnBytes(*this, op);
    switch (op.kind) {
        case K::Convolution:
        case K::DepthwiseConvolution:
            if (bytes) return emitEightBitConvolution(*this, op);
            return emitConvolution(*this, op);
        case K::MatMul:
            if (bytes) return emitEightBitMatMul(*this, op);
            return emitMatMul(*this, op);
        case K::Pool:
            return emitPool(*this, op);
        case K::GlobalPool:
            if (bytes) return emitEightBitGlobalPool(*this, op);
            return emitGlobalPool(*this, op);
        case K::Activation:
            return emitActivation(*this, op);
        case K::Dropout:
            return emitDropout(*this, op);
        case K::Add:
            if (bytes) return emitEightBitAdd(*this, op);
            return emitAdd(*this, op);
        case K::Concat:
            return emitConcat(*this, op);
        case K::Flatten:
            return emitFlatten(*this, op);
        case K::BatchNorm:
            return emitBatchNorm(*this, op);
        case K::LayerNorm:
            return emitLayerNorm(*this, op);
        case K::Embedding:
            return emitEmbedding(*this, op);
        case K::AddParameter:
            return emitAddParameter(*this, op);
        case K::ClassToken:
            return emitClassToken(*this, op);
        case K::ToTokens:
            return emitToTokens(*this, op);
        case K::SelectStep:
            return emitSelectStep(*this, op);
        case K::ShortcutPad:
            return emitShortcutPad(*this, op);
        case K::Product:
            return emitPlainProduct(*this, op);
        case K::Array:
            return emitArray(*this, op);
        case K::Attention:
            return emitAttention(*this, op);
        case K::RmsNorm:
            return emitRmsNorm(*this, op);
        case K::RotaryEmbedding:
            return emitRotaryEmbedding(*this, op);
        case K::GroupedAttention:
            return emitGroupedAttention(*this, op);
        case K::GatedActivation:
            return emitGatedActivation(*this, op);
        case K::Scale:
            return emitScale(*this, op);
        case K::Recurrent:
            return emitRecurrent(*this, op);
        case K::Softmax:
        case K::Sigmoid:
        case K::SoftmaxCrossEntropy:
        case K::SigmoidCrossEntropy:
            return emitHead(*this, op);
        case K::ClipGradients:
            return emitClip(*this, op);
        case K::Update:
            return emitUpdates(*this, takeRun());
    }
    return fail(ErrorKind::Unsupported, op.name, messages::unknownOperation());
}

}  // namespace steelyard::compute::cpu
