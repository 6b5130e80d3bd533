// SPDX-License-Identifier: Apache-2.0
// A compiled step, its device memory and, from the second step on, its graph. All memory is one allocation; buffers
// with disjoint lifetimes share memory. One thread at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/compute/cuda/compile/compiler.h"
#include "engine/compute/cuda/execute/host_values.h"
#include "engine/compute/cuda/execute/owned_event.h"
#include "engine/compute/device_memory_use.h"

namespace steelyard::compute::cuda {

class CudaExecutable final : public Executable, public RankedExecutable, public DeviceMemoryUse {
public:
    // Lays out the buffers, then allocates: OutOfMemory with needed and available bytes if the limit or the device is
    // too small, without side effects. Keeps the device set alive.
    [[nodiscard]] static Result<std::unique_ptr<CudaExecutable>> make(std::shared_ptr<DeviceSet> device,
                                                                      CompiledStep step, const CompileOptions& options);

    [[nodiscard]] const plan::Plan& plan() const override { return *m_step.plan; }
    [[nodiscard]] Result<void> write(TensorId tensor, std::span<const float> values) override;
    [[nodiscard]] Result<void> write(TensorId tensor, std::span<const std::int32_t> values) override;
    [[nodiscard]] Result<void> read(TensorId tensor, std::span<float> values) override;
    [[nodiscard]] Result<StepOutcome> step(const StepContext& context) override;
    [[nodiscard]] MemoryFigures memory() const override { return m_memory; }
    [[nodiscard]] std::vector<OperationTime> profile() const override;
    [[nodiscard]] std::vector<Message> remarks() const override;

    // For ranks; otherwise InvalidArgument.
    [[nodiscard]] Result<std::int64_t> valueOfRankZero(std::int64_t value) override;
    [[nodiscard]] Result<ExchangeTimes> exchangeTimes() override;

    [[nodiscard]] std::optional<std::int64_t> devicePeakBytes() const override {
        if (!m_leastFree) return std::nullopt;
        return std::max<std::int64_t>(0, m_device->freeBytes - *m_leastFree);
    }

    [[nodiscard]] bool usesGraph() const { return m_graph != nullptr; }
    [[nodiscard]] bool channelsLast() const { return m_step.channelsLast; }

private:
    CudaExecutable(std::shared_ptr<DeviceSet> device, CompiledStep step, const CompileOptions& options);
    [[nodiscard]] DeviceRuntime& runtime() const { return *m_device->runtime; }
    [[nodiscard]] Stream stream() const { return m_device->runtime->stream(); }
    [[nodiscard]] Result<void> place(const CompileOptions& options);
    [[nodiscard]] Result<void> allocate(std::int64_t bytes, const CompileOptions& options);
    [[nodiscard]] Result<void> fillInitial();
    [[nodiscard]] Result<void> checkCount(TensorId tensor, std::size_t count) const;
    [[nodiscard]] HostLayout layoutOf(TensorId tensor, ElementType type) const;
    // The forms of a weight in 8 bits, if there are any.
    [[nodiscard]] Result<void> writeBytes(TensorId tensor, std::span<const float> values);
    [[nodiscard]] Result<void> upload(const Value& to, std::span<const std::byte> bytes);
    [[nodiscard]] Result<void> enqueueAll();
    [[nodiscard]] Result<void> runStep();
    [[nodiscard]] std::unique_ptr<DeviceGraph> capture();
    [[nodiscard]] Result<void> spreadParameters();
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<double> secondsAlone();
    [[nodiscard]] Result<void> addTaskTimes();
    [[nodiscard]] Result<void> lookAtMemory();
    [[nodiscard]] std::optional<double> loss() const;

    std::shared_ptr<DeviceSet> m_device;
    CompiledStep m_step;
    DeviceMemory m_memoryOfStep, m_pinned;
    kernels::StepControl* m_control = nullptr;  // pinned
    float* m_losses = nullptr;                  // pinned, one per head
    MemoryFigures m_memory;
    std::unique_ptr<DeviceGraph> m_graph;
    Message m_whyNoGraph;
    OwnedEvent m_first, m_last;
    std::vector<OwnedEvent> m_taskEvents;  // profiling: one before each task and one at the end
    std::uint64_t m_seed = 1;
    bool m_profile = false;
    std::int64_t m_steps = 0;
    std::optional<std::int64_t> m_leastFree;  // bytes of the device
    bool m_spread = false;                    // rank 0's parameters were broadcast
    bool m_prepared = false;                  // CompiledStep::preparation has run since the last write of a parameter
};

}  // namespace steelyard::compute::cuda
