// SPDX-License-Identifier: Apache-2.0
// The CPU backend with kernels selected by a test, regardless of trial timings.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/cpu/compile/fusion.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/executable.h"
#include "engine/compute/cpu/threads.h"

namespace steelyard::compute {

class ChosenKernels final : public Backend {
public:
    // Receives the results of trials, by work and shape (tuning.h), and may change them.
    using Choose = std::function<void(cpu::KernelChoices&)>;
    explicit ChosenKernels(Choose choose) : m_choose(std::move(choose)) {}

    [[nodiscard]] std::string_view name() const override { return m_cpu->name(); }
    [[nodiscard]] std::vector<Device> devices() const override { return m_cpu->devices(); }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    [[nodiscard]] Result<void> supports(const plan::Operation& operation, const plan::Plan& plan) const override {
        return m_cpu->supports(operation, plan);
    }
    [[nodiscard]] Result<MemoryFigures> plannedMemory(const plan::Plan& plan,
                                                      const CompileOptions& options) const override {
        return m_cpu->plannedMemory(plan, options);
    }
    [[nodiscard]] Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                              const CompileOptions& options) override {
        const cpu::ThreadScope threads(options.threads);
        const auto fused = cpu::fuse(*plan, {options.keepGradients});
        cpu::Tuner trying;
        if (auto tried = cpu::Compiler(m_engine, trying, fused, options).run(); !tried) return Failure(tried.error());
        auto choices = trying.takeNews();
        m_choose(choices);
        cpu::Tuner chosen(std::move(choices));
        auto step = cpu::Compiler(m_engine, chosen, fused, options).run();
        if (!step) return Failure(step.error());
        m_lastTasks = step->tasks.size();
        for (const auto& task : step->tasks) ++m_tasks[task.kernel];
        step->plan = std::move(plan);
        return cpu::CpuExecutable::make(m_engine, std::move(*step), options);
    }

    // Total number of tasks with this kernel in the compiled steps.
    [[nodiscard]] int tasks(const std::string& kernel) const {
        const auto found = m_tasks.find(kernel);
        return found == m_tasks.end() ? 0 : found->second;
    }

    // Number of tasks of the step compiled last.
    [[nodiscard]] std::size_t tasksOfLast() const { return m_lastTasks; }

private:
    Choose m_choose;
    std::unique_ptr<Backend> m_cpu = makeCpuBackend();
    dnnl::engine m_engine{dnnl::engine::kind::cpu, 0};
    std::map<std::string, int> m_tasks;
    std::size_t m_lastTasks = 0;
};

}  // namespace steelyard::compute
