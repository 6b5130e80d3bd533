// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/executable.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/compute/cuda/execute/host_values.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/compute.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::cuda {
namespace {

constexpr std::int64_t kAlignment = 256;

Failure outOfMemory(const std::string& device, Message what, std::int64_t needed, std::int64_t available) {
    return Failure(Error{ErrorKind::OutOfMemory, device, std::move(what), {}, needed, available});
}

bool isWritable(plan::TensorRole role) {
    using R = plan::TensorRole;
    return role == R::Input || role == R::Label || role == R::Weight || role == R::State || role == R::OptimizerState;
}

// Each rank has different samples, and drops different values.
std::uint64_t seedOf(const CompileOptions& options) {
    constexpr std::uint64_t kApart = 0x9e3779b97f4a7c15ULL;
    return options.seed + (options.ranks ? kApart * static_cast<std::uint64_t>(options.ranks->rank) : 0);
}

}  // namespace

CudaExecutable::CudaExecutable(std::shared_ptr<DeviceSet> device, CompiledStep step, const CompileOptions& options)
    : m_device(std::move(device)), m_step(std::move(step)), m_seed(seedOf(options)), m_profile(options.profile) {}

Result<std::unique_ptr<CudaExecutable>> CudaExecutable::make(std::shared_ptr<DeviceSet> device, CompiledStep step,
                                                             const CompileOptions& options) {
    std::unique_ptr<CudaExecutable> executable(new CudaExecutable(std::move(device), std::move(step), options));
    TRY(executable->place(options));
    TRY(executable->fillInitial());
    return executable;
}

Result<void> CudaExecutable::place(const CompileOptions& options) {
    const auto planned = planStepMemory(m_step.buffers, kAlignment);
    m_memory = planned.figures;
    if (auto ok = allocate(planned.placement.totalBytes, options); !ok) return ok;
    for (std::size_t i = 0; i < planned.buffers.size(); ++i)
        planned.buffers[i]->data = m_memoryOfStep.data() + planned.placement.offsets[i];
    if (!m_step.parallel) return {};
    std::vector<float*> buckets, losses;
    for (const auto& bucket : m_step.buckets) buckets.push_back(bucket.as<float>());
    if (plan().options.mode == plan::Mode::Train)
        for (const auto& head : plan().heads)
            losses.push_back(m_step.values[static_cast<std::size_t>(head.loss)].as<float>());
    m_step.parallel->place(std::move(buckets), std::move(losses));
    return {};
}

Result<void> CudaExecutable::allocate(std::int64_t bytes, const CompileOptions& options) {
    if (options.memoryLimit && bytes > options.memoryLimit->value())
        return outOfMemory(options.device, messages::overTheMemoryLimit(), bytes, options.memoryLimit->value());
    ASSIGN(const auto before, runtime().memory());
    if (bytes > before.freeBytes)
        return outOfMemory(options.device, messages::overFreeMemory(), bytes, before.freeBytes);
    auto memory = DeviceMemory::allocate(runtime(), bytes);
    if (!memory && memory.error().kind == ErrorKind::OutOfMemory)
        return outOfMemory(options.device, messages::noDeviceMemory(), bytes, before.freeBytes);
    if (!memory) return Failure(memory.error());
    m_memoryOfStep = std::move(*memory);
    return {};
}

Result<void> CudaExecutable::fillInitial() {
    const auto losses = plan().heads.size();
    ASSIGN(auto pinned, DeviceMemory::allocatePinned(runtime(), static_cast<std::int64_t>(sizeof(kernels::StepControl) +
                                                                                          losses * sizeof(float))));
    m_pinned = std::move(pinned);
    m_control = new (m_pinned.data()) kernels::StepControl;
    m_losses = new (m_pinned.data() + sizeof(kernels::StepControl)) float[losses]();
    for (auto* event : {&m_first, &m_last}) {
        ASSIGN(auto made, OwnedEvent::create(runtime()));
        *event = std::move(made);
    }
    if (auto ok = runtime().fill(m_memoryOfStep.data(), 0, m_memoryOfStep.bytes(), stream()); !ok) return ok;
    for (const auto& buffer : m_step.buffers) {
        if (!buffer.contents || buffer.data == nullptr) continue;
        const auto contents = buffer.contents();
        if (auto ok = upload({const_cast<Buffer*>(&buffer), 0}, contents); !ok) return ok;
    }
    return runtime().synchronize(stream());
}

Result<void> CudaExecutable::checkCount(TensorId tensor, std::size_t count) const {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= plan().tensors.size())
        return fail(ErrorKind::InvalidArgument, {}, messages::noTensor(tensor));
    const auto& t = plan().tensor(tensor);
    if (static_cast<std::int64_t>(count) != t.elements())
        return fail(ErrorKind::InvalidArgument, t.name, messages::wrongElementCount(count, model::toString(t.dims)));
    return {};
}

// Images and filters depend on the layout; there are no other parameters of rank four.
HostLayout CudaExecutable::layoutOf(TensorId tensor, ElementType type) const {
    const auto role = plan().tensor(tensor).role;
    using R = plan::TensorRole;
    const bool parameter = role == R::Weight || role == R::Gradient || role == R::OptimizerState;
    const bool last = m_step.channelsLast && (!parameter || m_step.filterTensors.contains(tensor));
    return {type, last};
}

Result<void> CudaExecutable::upload(const Value& to, std::span<const std::byte> bytes) {
    if (!to || to.data() == nullptr || bytes.empty()) return {};
    if (auto ok = runtime().copyToDevice(to.data(), bytes.data(), static_cast<std::int64_t>(bytes.size()), stream());
        !ok)
        return ok;
    return runtime().synchronize(stream());
}

Result<void> CudaExecutable::writeBytes(TensorId tensor, std::span<const float> values) {
    const auto forms = m_step.byteWeights.find(tensor);
    if (forms == m_step.byteWeights.end()) return {};
    const auto declared = plan::declaredSteps(plan(), tensor);
    for (const auto& weights : forms->second) {
        std::vector<float> steps(static_cast<std::size_t>(weights.form.units));
        const auto bytes =
            toByteWeights(values, weights.form, declared, plan().options.quantisation.weightLevels, steps);
        TRY(upload(weights.bytes, bytes));
        TRY(upload(weights.steps, std::as_bytes(std::span(steps))));
    }
    return {};
}

Result<void> CudaExecutable::write(TensorId tensor, std::span<const float> values) {
    if (auto ok = checkCount(tensor, values.size()); !ok) return ok;
    const auto& t = plan().tensor(tensor);
    if (!isWritable(t.role) || t.type == model::DataType::Int32)
        return fail(ErrorKind::InvalidArgument, t.name, messages::notWrittenAsFloats());
    if (auto ok = runtime().makeCurrent(); !ok) return ok;
    m_prepared = m_prepared && t.role == plan::TensorRole::Input;  // a different batch needs a new preparation
    m_spread = m_spread && t.role != plan::TensorRole::Weight && t.role != plan::TensorRole::OptimizerState;
    const auto halfType = elementType(plan().options.precision);
    const auto type = t.type == model::DataType::Float32 ? ElementType::F32 : halfType;
    const auto place = [&](const Value& to, ElementType as) -> Result<void> {
        if (!to || to.buffer->data == nullptr) return {};
        return upload(to, toDeviceBytes(values, t.dims, layoutOf(tensor, as)));
    };
    if (auto ok = place(m_step.values[static_cast<std::size_t>(tensor)], type); !ok) return ok;
    if (auto ok = writeBytes(tensor, values); !ok) return ok;
    const auto copy = m_step.halfCopies.find(tensor);
    return copy == m_step.halfCopies.end() ? Result<void>{} : place(copy->second, halfType);
}

Result<void> CudaExecutable::write(TensorId tensor, std::span<const std::int32_t> values) {
    if (auto ok = checkCount(tensor, values.size()); !ok) return ok;
    const auto& t = plan().tensor(tensor);
    if (!isWritable(t.role) || t.type != model::DataType::Int32)
        return fail(ErrorKind::InvalidArgument, t.name, messages::notWrittenAsIntegers());
    const auto range = integerLimit(plan(), tensor);
    for (auto index : values)
        if (!isWithin(index, range))
            return fail(ErrorKind::InvalidArgument, t.name, messages::outOfRange(index, range));
    if (auto ok = runtime().makeCurrent(); !ok) return ok;
    const auto layout = layoutOf(tensor, ElementType::F32);
    if (layout.channelsLast && t.dims.size() == 4)
        return upload(m_step.values[static_cast<std::size_t>(tensor)], toDeviceBytes(values, t.dims, layout));
    return upload(m_step.values[static_cast<std::size_t>(tensor)], std::as_bytes(values));
}

Result<void> CudaExecutable::read(TensorId tensor, std::span<float> values) {
    if (auto ok = checkCount(tensor, values.size()); !ok) return ok;
    const auto& t = plan().tensor(tensor);
    using R = plan::TensorRole;
    const bool inferring = plan().options.mode == plan::Mode::Infer;
    const bool readable = t.role == R::Weight || t.role == R::State || t.role == R::OptimizerState ||
                          t.role == R::Loss || (t.role == R::Probability && inferring) ||
                          (t.role == R::Gradient && !m_step.gradientsAreScaled);
    auto from = m_step.values[static_cast<std::size_t>(tensor)];
    const bool wide = t.type == model::DataType::Float32 || t.type == model::DataType::Int32;
    auto type = wide ? ElementType::F32 : elementType(plan().options.precision);
    if (const auto copy = m_step.halfCopies.find(tensor);
        copy != m_step.halfCopies.end() && (!from || from.buffer->data == nullptr)) {
        from = copy->second;
        type = elementType(plan().options.precision);
    }
    if (!readable || !from || from.buffer->data == nullptr)
        return fail(ErrorKind::Unsupported, t.name, messages::notKept());
    if (auto ok = runtime().makeCurrent(); !ok) return ok;
    std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(bytesOf(type)));
    if (auto ok = runtime().copyToHost(bytes.data(), from.data(), static_cast<std::int64_t>(bytes.size()), stream());
        !ok)
        return ok;
    if (auto ok = runtime().synchronize(stream()); !ok) return ok;
    if (t.type == model::DataType::Int32) {
        std::vector<std::int32_t> integers(values.size());
        fromDeviceBytes(bytes, t.dims, layoutOf(tensor, type), integers);
        std::transform(integers.begin(), integers.end(), values.begin(), [](auto v) { return static_cast<float>(v); });
        return {};
    }
    fromDeviceBytes(bytes, t.dims, layoutOf(tensor, type), values);
    return {};
}

}  // namespace steelyard::compute::cuda
