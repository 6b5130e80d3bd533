// SPDX-License-Identifier: Apache-2.0
// Elements of a compiled step: buffers, whose addresses are set once the arena is laid out, and tasks that run in
// order. Tasks are created by the compiler and owned by the executable; they do not allocate. A task may throw
// dnnl::error, which the executable converts to an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/cpu/onednn.h"
#include "engine/compute/step_memory.h"

namespace steelyard::compute::cpu {

struct Buffer : BufferUse {
    std::byte* data = nullptr;

    template <class T>
    [[nodiscard]] T* as() const {
        return reinterpret_cast<T*>(data);
    }
};

// A tensor, or scratch memory, in a given layout.
struct Value {
    Buffer* buffer = nullptr;
    Desc desc;
    std::int64_t offset = 0;  // in bytes

    [[nodiscard]] explicit operator bool() const { return buffer != nullptr; }
    template <class T>
    [[nodiscard]] T* as() const {
        return reinterpret_cast<T*>(buffer->data + offset);
    }
    // A view of the same memory with another descriptor, `bytes` further on.
    [[nodiscard]] Value viewed(const Desc& as, std::int64_t bytes = 0) const { return {buffer, as, offset + bytes}; }
};

// State that differs between steps.
struct StepState {
    dnnl::stream stream;
    std::int64_t index = 0;
    std::uint64_t dropoutSeed = 0;
    double learningRate = 0;
};

class Task {
public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual ~Task() = default;
    virtual void run(const StepState& state) = 0;
};

// A task from a callable, with captures fixed at compile time.
template <class Function>
class FunctionTask final : public Task {
public:
    explicit FunctionTask(Function function) : m_function(std::move(function)) {}
    void run(const StepState& state) override { m_function(state); }

private:
    Function m_function;
};

// A oneDNN primitive with bound arguments.
class PrimitiveTask final : public Task {
public:
    PrimitiveTask(dnnl::primitive primitive, const std::vector<std::pair<int, dnnl::memory>>& arguments);
    void run(const StepState& state) override;

private:
    dnnl::primitive m_primitive;
    std::vector<dnnl::memory> m_memories;  // owns the handles of m_arguments
    std::vector<dnnl_exec_arg_t> m_arguments;
};

struct CompiledTask {
    std::unique_ptr<Task> task;
    int operation = -1;  // index into the original Plan's operations
    std::string kernel;
    double seconds = 0;  // sum over the profiled steps
};

}  // namespace steelyard::compute::cpu
