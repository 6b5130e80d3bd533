// SPDX-License-Identifier: Apache-2.0
// Memory layout and accounting of a compiled step: buffers that are not live at the same time share memory, and sizes
// are summed by kind. Shared by the backends' executables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/plan/memory_planner.h"

namespace steelyard::compute {

enum class MemoryKind { Weights, Gradients, Optimizer, Activations, Workspace };

// Common part of a backend's buffers. Uses are task indices, inclusive.
struct BufferUse {
    std::int64_t bytes = 0;
    int firstUse = std::numeric_limits<int>::max();
    int lastUse = std::numeric_limits<int>::min();
    bool persistent = false;  // keeps its values between steps
    MemoryKind kind = MemoryKind::Activations;

    [[nodiscard]] bool isUsed() const { return firstUse <= lastUse; }
};

[[nodiscard]] inline Bytes& figureOf(MemoryFigures& memory, MemoryKind kind) {
    switch (kind) {
        case MemoryKind::Weights:
            return memory.weights;
        case MemoryKind::Gradients:
            return memory.gradients;
        case MemoryKind::Optimizer:
            return memory.optimizer;
        case MemoryKind::Activations:
            return memory.activations;
        case MemoryKind::Workspace:
            return memory.workspace;
    }
    return memory.workspace;
}

template <class Buffer>
struct StepMemory {
    std::vector<Buffer*> buffers;  // used buffers
    plan::Placement placement;     // of these, in this order
    MemoryFigures figures;         // peak: all of it
};

// Persistent buffers are placed after all others, since they would fragment the shared part. Scratch only counts as
// workspace to the extent that it enlarges the shared part.
template <class Buffer>
[[nodiscard]] StepMemory<Buffer> planStepMemory(std::deque<Buffer>& buffers, std::int64_t alignment) {
    StepMemory<Buffer> result;
    std::vector<plan::Lifetime> shared, withoutScratch;
    std::vector<Buffer*> persistent;
    for (auto& buffer : buffers) {
        if (!buffer.isUsed()) continue;
        if (buffer.persistent) {
            figureOf(result.figures, buffer.kind) += Bytes(buffer.bytes);
            persistent.push_back(&buffer);
            continue;
        }
        shared.push_back({buffer.bytes, buffer.firstUse, buffer.lastUse});
        result.buffers.push_back(&buffer);
        if (buffer.kind != MemoryKind::Workspace) withoutScratch.push_back(shared.back());
    }
    result.placement = plan::placeBuffers(shared, alignment);
    const auto bytes = result.placement.totalBytes;
    for (auto* buffer : persistent) {
        result.buffers.push_back(buffer);
        result.placement.offsets.push_back(result.placement.totalBytes);
        result.placement.totalBytes += (buffer->bytes + alignment - 1) / alignment * alignment;
    }
    const auto activations = std::min(bytes, plan::placeBuffers(withoutScratch, alignment).totalBytes);
    result.figures.activations += Bytes(activations);
    result.figures.workspace += Bytes(bytes - activations);
    result.figures.peak = Bytes(result.placement.totalBytes);
    return result;
}

}  // namespace steelyard::compute
