// SPDX-License-Identifier: Apache-2.0
// Execution of a step: eager the first time, which triggers lazy loading in libraries; captured as a graph the second
// time; as a graph afterwards. Profiling: eager with an event before every task.
#include "engine/compute/cuda/execute/executable.h"
#include "engine/compute/operation_times.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {

// The step's control values are copied first and its losses last, through pinned memory, so that a graph contains these
// copies.
Result<void> CudaExecutable::enqueueAll() {
    const auto s = stream();
    if (auto ok = runtime().copyToDevice(m_step.control.data(), m_control, sizeof(kernels::StepControl), s); !ok)
        return ok;
    for (std::size_t i = 0; i < m_step.tasks.size(); ++i) {
        if (m_profile)
            if (auto ok = runtime().record(m_taskEvents[i].get(), s); !ok) return ok;
        if (auto ok = m_step.tasks[i].run(runtime(), s); !ok) return ok;
    }
    if (m_profile)
        if (auto ok = runtime().record(m_taskEvents.back().get(), s); !ok) return ok;
    if (plan().options.mode != plan::Mode::Train) return {};
    for (std::size_t h = 0; h < plan().heads.size(); ++h) {
        const auto& loss = m_step.values[static_cast<std::size_t>(plan().heads[h].loss)];
        if (auto ok = runtime().copyToHost(m_losses + h, loss.data(), sizeof(float), s); !ok) return ok;
    }
    return {};
}

// Null if it cannot be captured, with the reason in the remarks.
std::unique_ptr<DeviceGraph> CudaExecutable::capture() {
    auto began = runtime().beginCapture(stream());
    if (!began) {
        m_whyNoGraph = messageOf(began.error());
        return nullptr;
    }
    const auto enqueued = enqueueAll();
    auto graph = runtime().endCapture(stream());
    if (enqueued && graph) return std::move(*graph);
    m_whyNoGraph = messageOf(enqueued ? graph.error() : enqueued.error());
    return nullptr;
}

Result<void> CudaExecutable::prepare() {
    for (auto& task : m_step.preparation)
        if (auto ok = task.run(runtime(), stream()); !ok) return ok;
    m_prepared = true;
    return {};
}

Result<void> CudaExecutable::runStep() {
    if (!m_prepared)
        if (auto ok = prepare(); !ok) return ok;
    if (!m_profile && m_steps == 1 && m_whyNoGraph.empty() && !m_graph) m_graph = capture();
    if (auto ok = spreadParameters(); !ok) return ok;
    if (auto ok = runtime().record(m_first.get(), stream()); !ok) return ok;
    if (auto ok = m_graph ? m_graph->launch(stream()) : enqueueAll(); !ok) return ok;
    if (auto ok = runtime().record(m_last.get(), stream()); !ok) return ok;
    return runtime().synchronize(stream());
}

Result<StepOutcome> CudaExecutable::step(const StepContext& context) {
    TRY(runtime().makeCurrent());
    const auto& optimizer = plan().options.optimizer;
    m_control->dropoutSeed = dropoutSeed(m_seed, context.index);
    m_control->rate = kernels::stepRate(optimizer, learningRate(optimizer, context), context.index);
    while (m_profile && m_taskEvents.size() < m_step.tasks.size() + 1) {
        ASSIGN(auto event, OwnedEvent::create(runtime()));
        m_taskEvents.push_back(std::move(event));
    }
    if (auto ok = runStep(); !ok) {
        if (m_step.parallel) m_step.parallel->abort();
        return Failure(ok.error());
    }
    ++m_steps;
    TRY(lookAtMemory());
    if (m_profile) TRY(addTaskTimes());
    StepOutcome outcome;
    outcome.loss = loss();
    ASSIGN(const auto seconds, runtime().secondsBetween(m_first.get(), m_last.get()));
    outcome.deviceSeconds = seconds;
    return outcome;
}

// Libraries allocate lazily in the first steps: eager, captured, graph.
Result<void> CudaExecutable::lookAtMemory() {
    constexpr int kLooks = 3;
    if (m_steps > kLooks) return {};
    ASSIGN(const auto memory, runtime().memory());
    m_leastFree = std::min(m_leastFree.value_or(memory.freeBytes), memory.freeBytes);
    return {};
}

Result<void> CudaExecutable::addTaskTimes() {
    for (std::size_t i = 0; i < m_step.tasks.size(); ++i) {
        const auto seconds = runtime().secondsBetween(m_taskEvents[i].get(), m_taskEvents[i + 1].get());
        if (!seconds) return Failure(seconds.error());
        m_step.tasks[i].seconds += *seconds;
    }
    return {};
}

std::optional<double> CudaExecutable::loss() const {
    if (plan().options.mode != plan::Mode::Train) return std::nullopt;
    double sum = 0;
    for (std::size_t h = 0; h < plan().heads.size(); ++h)
        sum += plan().heads[h].head.weight * static_cast<double>(m_losses[h]);
    return sum;
}

std::vector<OperationTime> CudaExecutable::profile() const {
    std::vector<OperationTime> result;
    if (!m_profile || m_steps == 0) return result;
    for (const auto& task : m_step.tasks)
        addTime(result, task.operation, task.seconds / static_cast<double>(m_steps), task.kernel);
    return result;
}

std::vector<Message> CudaExecutable::remarks() const {
    auto all = m_step.remarks;
    if (!m_whyNoGraph.empty()) all.push_back(messages::notCaptured(m_whyNoGraph));
    return all;
}

}  // namespace steelyard::compute::cuda
