// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/compile/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

constexpr int kRuns = 3;

// Temporary operands and workspace for timing; zeroed.
struct Trial {
    std::vector<DeviceMemory> memory;
    std::vector<void*> operands;
    DeviceMemory workspace;
    Event first = nullptr, last = nullptr;
};

Result<Trial> makeTrial(DeviceRuntime& runtime, std::span<const std::int64_t> operandBytes, std::int64_t workspace) {
    Trial trial;
    for (auto bytes : operandBytes) {
        auto memory = DeviceMemory::allocate(runtime, std::max<std::int64_t>(bytes, 256));
        if (!memory) return Failure(memory.error());
        TRY(runtime.fill(memory->data(), 0, memory->bytes(), runtime.stream()));
        trial.operands.push_back(memory->data());
        trial.memory.push_back(std::move(*memory));
    }
    ASSIGN(auto scratch, DeviceMemory::allocate(runtime, workspace));
    trial.workspace = std::move(scratch);
    return trial;
}

// The best of a few runs after a warm-up.
Result<double> secondsOf(DeviceRuntime& runtime, LibraryCall& call, std::size_t candidate, const Trial& trial) {
    double best = std::numeric_limits<double>::infinity();
    const auto stream = runtime.stream();
    for (int run = 0; run <= kRuns; ++run) {
        TRY(runtime.record(trial.first, stream));
        TRY(call.run(candidate, trial.operands, trial.workspace.data(), stream));
        TRY(runtime.record(trial.last, stream));
        TRY(runtime.synchronize(stream));
        ASSIGN(const auto seconds, runtime.secondsBetween(trial.first, trial.last));
        if (run > 0) best = std::min(best, seconds);
    }
    return best;
}

// A candidate that fails on the device is skipped.
std::optional<std::size_t> fastest(DeviceRuntime& runtime, LibraryCall& call, std::span<const std::size_t> within,
                                   const Trial& trial) {
    std::optional<std::size_t> best;
    double bestSeconds = std::numeric_limits<double>::infinity();
    for (auto candidate : within) {
        const auto seconds = secondsOf(runtime, call, candidate, trial);
        if (!seconds || *seconds >= bestSeconds) continue;
        best = candidate;
        bestSeconds = *seconds;
    }
    return best;
}

}  // namespace

Result<std::size_t> Tuner::choose(DeviceRuntime& runtime, LibraryCall& call, const TuningKey& key,
                                  std::span<const std::int64_t> operandBytes, std::int64_t workspaceLimit) {
    std::vector<std::size_t> within;
    std::int64_t workspace = 0;
    const auto candidates = call.candidates();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].workspaceBytes > workspaceLimit) continue;
        within.push_back(i);
        workspace = std::max(workspace, candidates[i].workspaceBytes);
    }
    if (within.empty())
        return fail(ErrorKind::Unsupported, key,
                    messages::noneWithinWorkspace(candidates.size(), Bytes(workspaceLimit)));
    if (within.size() == 1) return within.front();
    const auto limited = fmt::format("{} within {}", key, workspaceLimit);
    if (const auto known = m_chosen.find(limited); known != m_chosen.end())
        for (auto candidate : within)
            if (candidates[candidate].name == known->second) return candidate;

    auto trial = makeTrial(runtime, operandBytes, workspace);
    if (!trial) return within.front();
    const auto first = runtime.createEvent();
    if (!first) return Failure(first.error());
    const auto last = runtime.createEvent();
    if (!last) {
        runtime.destroyEvent(*first);
        return Failure(last.error());
    }
    trial->first = *first;
    trial->last = *last;
    const auto chosen = fastest(runtime, call, within, *trial);
    runtime.destroyEvent(*first);
    runtime.destroyEvent(*last);
    ++m_measured;
    const auto result = chosen.value_or(within.front());
    m_chosen[limited] = candidates[result].name;
    return result;
}

TuningKey keyOf(const MatrixProduct& p) {
    return fmt::format(
        "product {}x{}x{} {}{} strides {},{},{} batch {} {},{},{} aligned {},{},{} types {},{} tf32 {} add {} epilogue "
        "{}",
        p.rows, p.columns, p.depth, p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.aStride, p.bStride, p.cStride,
        p.batch, p.aBatchStride, p.bBatchStride, p.cBatchStride, p.aAlignment, p.bAlignment, p.cAlignment,
        static_cast<int>(p.operandType), static_cast<int>(p.resultType), p.tf32, p.accumulate,
        static_cast<int>(p.epilogue));
}

TuningKey keyOf(const Convolution& c) {
    return fmt::format(
        "convolution {} {}x{}x{}x{} filters {}x{}x{} stride {},{} padding {},{} groups {} last {} type {} "
        "tf32 {} add {} bias {} shortcut {} relu {}",
        static_cast<int>(c.pass), c.batch, c.channels, c.height, c.width, c.filters, c.kernelHeight, c.kernelWidth,
        c.strideHeight, c.strideWidth, c.paddingHeight, c.paddingWidth, c.groups, c.channelsLast,
        static_cast<int>(c.type), c.tf32, c.accumulate, c.bias, c.shortcut, c.relu);
}

}  // namespace steelyard::compute::cuda
