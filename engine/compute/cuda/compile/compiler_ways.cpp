// SPDX-License-Identifier: Apache-2.0
// The choice between several ways to do one operation, each of several tasks, by the time they take.
#include <algorithm>
#include <limits>

#include "engine/compute/cuda/compile/compiler.h"
#include "engine/compute/cuda/execute/owned_event.h"

namespace steelyard::compute::cuda {
namespace {

constexpr int kRuns = 3;  // after one that is not timed

// Memory for the buffers of a trial, which they forget afterwards.
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

// Of the tasks from `first` on, alone on memory of their own.
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

Result<void> Compiler::fastest(const TuningKey& key, const std::vector<Way>& ways) {
    const auto emitNamed = [&](const std::string& name) {
        const auto way = std::find_if(ways.begin(), ways.end(), [&](const Way& one) { return one.name == name; });
        return (way == ways.end() ? ways.front() : *way).emit();
    };
    if (ways.size() == 1) return ways.front().emit();
    if (const auto* known = m_tuner.chosen(key)) return emitNamed(*known);
    // Whatever a trial adds to the step is taken back. Buffers keep their places: values point to them.
    const auto tasks = m_step.tasks.size(), buffers = m_step.buffers.size(), taken = m_taken;
    const auto preparation = m_step.preparation.size();
    const std::deque<Buffer> before = m_step.buffers;
    const auto values = m_step.values;
    const auto narrow = m_step.narrow;
    const auto storage = m_storage;
    const auto memory = m_memory;
    std::string best = ways.front().name;
    double bestSeconds = std::numeric_limits<double>::infinity();
    for (const auto& way : ways) {
        auto emitted = way.emit();
        if (emitted && way.consequence) emitted = way.consequence();
        const auto seconds = emitted ? secondsOfTasks(tasks) : Result<double>(Failure(emitted.error()));
        if (seconds && *seconds < bestSeconds) {
            bestSeconds = *seconds;
            best = way.name;
        }
        m_taken = taken;
        m_step.tasks.resize(tasks);
        m_step.preparation.resize(preparation);
        m_step.buffers.resize(buffers);
        for (std::size_t i = 0; i < buffers; ++i) m_step.buffers[i] = before[i];
        m_step.values = values;
        m_step.narrow = narrow;
        m_storage = storage;
        m_memory = memory;
    }
    m_tuner.remember(key, best);
    return emitNamed(best);
}

}  // namespace steelyard::compute::cuda
