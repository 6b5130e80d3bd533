// SPDX-License-Identifier: Apache-2.0
// A compiled step and its memory. One thread at a time; does not allocate while running.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/compute/cpu/compile/arena.h"
#include "engine/compute/cpu/compile/compiler.h"
#include "engine/plan/memory_planner.h"

namespace steelyard::compute::cpu {

// Layout of a step's buffers in its arena.
using ArenaPlan = StepMemory<Buffer>;
[[nodiscard]] ArenaPlan planArena(std::deque<Buffer>& buffers);

class CpuExecutable final : public Executable, public RankedExecutable {
public:
    // Lays out the buffers, then allocates: OutOfMemory if the limit or the machine is too small. communicator: for a
    // step of several ranks, otherwise null.
    [[nodiscard]] static Result<std::unique_ptr<Executable>> make(
        const dnnl::engine& engine, CompiledStep step, const CompileOptions& options,
        std::shared_ptr<HostCommunicator> communicator = nullptr);

    [[nodiscard]] const plan::Plan& plan() const override { return *m_step.plan; }
    [[nodiscard]] Result<void> write(TensorId tensor, std::span<const float> values) override;
    [[nodiscard]] Result<void> write(TensorId tensor, std::span<const std::int32_t> values) override;
    [[nodiscard]] Result<void> read(TensorId tensor, std::span<float> values) override;
    [[nodiscard]] Result<StepOutcome> step(const StepContext& context) override;
    [[nodiscard]] MemoryFigures memory() const override { return m_memory; }
    [[nodiscard]] std::vector<OperationTime> profile() const override;
    [[nodiscard]] std::vector<Message> remarks() const override { return m_step.remarks; }

    // For ranks; otherwise InvalidArgument.
    [[nodiscard]] Result<std::int64_t> valueOfRankZero(std::int64_t value) override;
    [[nodiscard]] Result<ExchangeTimes> exchangeTimes() override;

private:
    CpuExecutable(const dnnl::engine& engine, CompiledStep step, const CompileOptions& options);
    [[nodiscard]] Result<void> place(const CompileOptions& options);
    [[nodiscard]] Result<const Value*> find(TensorId tensor, std::size_t count) const;
    void reorder(const Desc& fromDesc, void* from, const Desc& toDesc, void* to);
    // Weights that are stored in 8 bits. Throws dnnl::error.
    void writeRounded(TensorId tensor, std::span<const float> values);
    void runTasks(const StepState& state);
    void attach(std::shared_ptr<HostCommunicator> communicator);
    [[nodiscard]] Result<void> spreadParameters();
    [[nodiscard]] Result<double> secondsAlone();
    [[nodiscard]] std::optional<double> loss() const;

    dnnl::engine m_engine;
    dnnl::stream m_stream;
    CompiledStep m_step;
    Arena m_arena;
    MemoryFigures m_memory;
    int m_threads = 1;
    std::uint64_t m_seed = 1;
    bool m_profile = false;
    bool m_weightsChanged = true;
    std::int64_t m_steps = 0;
    bool m_spread = false;  // rank 0's parameters were broadcast
};

}  // namespace steelyard::compute::cpu
