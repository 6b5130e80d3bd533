// SPDX-License-Identifier: Apache-2.0
// Compiles a fused Plan into tasks in one pass. The emitters (emitters.h), one file per family of operations, request
// the values of tensors, choose layouts and primitives, and add tasks; the compiler tracks tensor locations, buffer
// lifetimes and existing conversions. One thread; dnnl::error is only thrown internally.
#pragma once

#include <any>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/compute/cpu/compile/fusion.h"
#include "engine/compute/cpu/data_parallel.h"
#include "engine/compute/cpu/task.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

using plan::kNoTensor;
using plan::TensorId;

struct Binding {
    dnnl::memory memory;
    Buffer* buffer = nullptr;
    std::int64_t offset = 0;
};

// Quantised weights of an Int8 plan: the executable quantises what the caller writes (compute/eight_bit.h), row by row,
// and stores it here. There is no Float32 copy.
struct RoundedWeights {
    TensorId parameter = kNoTensor;
    Value weights;   // as the operation reads them
    Value steps;     // scale of each row, Float32
    Desc rows;       // the caller's order, in the dimensions of `weights`
    Dims image;      // for features that are a flattened channels-last image: its dimensions; otherwise empty
    int factor = 1;  // applied to the stored values
    std::int64_t channels = 0;  // of a pixel of `image` as stored, those beyond its own zero; 0: its own
};

struct CompiledStep {
    std::deque<Buffer> buffers;             // addresses are stable
    std::vector<CompiledTask> preparation;  // inference: run again after a weight was written
    std::vector<CompiledTask> tasks;
    std::vector<Value> values;  // by TensorId; empty if the tensor was fused away
    std::vector<RoundedWeights> rounded;
    std::vector<Binding> bindings;
    std::shared_ptr<const plan::Plan> plan;  // the original
    std::shared_ptr<DataParallel> parallel;  // null unless this is one of several ranks
    std::vector<Value> buckets;              // gradient buckets, in order
    std::vector<Message> remarks;            // Executable::remarks()
};

// A gradient to be written by an operation. If another consumer of the tensor wrote first, `value` is scratch memory
// that Compiler::finishGradient adds.
struct GradientTarget {
    TensorId tensor = kNoTensor;
    Value value;
    bool added = false;
};

// Limit on scratch memory for memory-intensive algorithms.
enum class ScratchUse {
    None,      // do not use them
    Little,    // a few per cent of the Plan's memory
    Headroom,  // in addition, memory that other operations of the step need anyway (memory_headroom.h)
};

class Compiler {
public:
    Compiler(const dnnl::engine& engine, Tuner& tuner, const FusedPlan& fused, const CompileOptions& options);
    // Limits Headroom to a fraction of it.
    void allow(ScratchUse use, double headroomFraction = 1) {
        m_scratchUse = use;
        m_headroomFraction = headroomFraction;
    }

    [[nodiscard]] Result<CompiledStep> run();

    [[nodiscard]] const plan::Plan& plan() const { return m_fused.plan; }
    [[nodiscard]] const plan::Tensor& tensor(TensorId id) const { return plan().tensor(id); }
    [[nodiscard]] const dnnl::engine& engine() const { return m_engine; }
    [[nodiscard]] const CompileOptions& options() const { return m_options; }
    [[nodiscard]] const Fusion& fusion() const { return m_fused.fusion[m_current]; }
    [[nodiscard]] bool training() const { return plan().options.mode == plan::Mode::Train; }
    [[nodiscard]] bool mayUseMoreMemory() const { return m_scratchUse != ScratchUse::None; }
    // Whether an algorithm may use that much scratch during the current operation.
    [[nodiscard]] bool affords(std::int64_t scratchBytes) const;
    // Likewise, regardless of memory that is unused during the current operation.
    [[nodiscard]] bool affordsAnywhere(std::int64_t bytes) const;
    // Whether a step of inference reads its weights from memory, which counts in trials of all rows or samples.
    [[nodiscard]] bool weightsAreCold() const;
    [[nodiscard]] Tuner& tuner() const { return m_tuner; }
    // The compiler provides the scratchpad, not the library.
    [[nodiscard]] dnnl::primitive_attr attributes() const;

    // The tensor in its current layout. A tensor written by the caller (input, label, state) without a layout yet
    // becomes row-major.
    [[nodiscard]] Value value(TensorId id);
    // The tensor in the given layout: allocated in it if still possible, otherwise converted (once, and again after it
    // changed).
    [[nodiscard]] Value valueAs(TensorId id, const Desc& desc);
    // A parameter in the type and layout that an operation reads. In training, the master copy is float32, in the
    // layout of its first reader unless placeMaster chose one; in addition there is one bf16 copy, in the layout of its
    // first reader, which the update refreshes.
    [[nodiscard]] Value weight(TensorId id, const Desc& desc);
    // bf16 training: stores the master copy in the layout of its gradient, so that the update needs no conversion.
    void placeMaster(TensorId id, const Desc& gradient);
    // Int8: the parameter is stored quantised.
    void roundWeights(RoundedWeights weights) { m_step.rounded.push_back(std::move(weights)); }
    // A copy that an emitter created, reusable until the tensor changes; empty if there is none.
    [[nodiscard]] Value copyAs(TensorId id, const Desc& desc) const;
    void keepCopy(TensorId id, const Value& copy) { m_converted[id].push_back(copy); }
    // The bf16 copy that an update must refresh; empty if there is none.
    [[nodiscard]] Value bf16Weight(TensorId id) const;
    [[nodiscard]] bool isPlaced(TensorId id) const { return static_cast<bool>(m_step.values[index(id)]); }
    // Where an operation writes a tensor. May overwrite other tensors as permitted by the Plan's storages.
    [[nodiscard]] Value define(TensorId id, const Desc& desc);
    // Places `id` in the memory of `operand`, which no later operation reads, so that the operation accumulates into
    // it. In 8 bits, the types may differ in signedness.
    [[nodiscard]] Value defineOver(TensorId id, TensorId operand, const Desc& desc);
    // `id` has the same elements as `source`: an alias if safe, otherwise a copy.
    void same(TensorId id, TensorId source);
    // `id` has the elements of `source` in other dimensions, of rank above two: row-major.
    void reshaped(TensorId id, TensorId source);
    // Row-major in the Plan's dimensions, regardless of the value's view.
    [[nodiscard]] Value plainValue(TensorId id);
    [[nodiscard]] Desc plainDescOf(TensorId id) const;
    [[nodiscard]] Value scratch(std::int64_t bytes);
    [[nodiscard]] Value scratch(const Desc& desc);
    [[nodiscard]] Value converted(const Value& value, const Desc& desc);  // always adds a task
    void convert(const Value& source, const Value& target);

    [[nodiscard]] GradientTarget inputGradient(const plan::Operation& op, std::size_t i, const Desc& desc);
    [[nodiscard]] GradientTarget parameterGradient(const plan::Operation& op, std::size_t i, const Desc& desc);
    void finishGradient(const GradientTarget& target);

    // Tasks up to endPreparation() run once after weights were written instead of in each step. Inference only.
    void beginPreparation() { m_preparing = true; }
    void endPreparation() { m_preparing = false; }
    // Memory for the results of a preparation.
    [[nodiscard]] Value prepared(const Desc& desc);

    using Arguments = std::vector<std::pair<int, Value>>;
    template <class PrimitiveDesc>
    void primitive(const dnnl::primitive& primitive, const PrimitiveDesc& desc, Arguments arguments) {
        addPrimitive(primitive, desc.scratchpad_desc(), desc.impl_info_str(), std::move(arguments));
    }
    // `uses`: all values that the function accesses. The function is called with the StepState.
    template <class Function>
    void task(std::string kernel, std::initializer_list<Value> uses, Function function) {
        addTask(std::make_unique<FunctionTask<Function>>(std::move(function)), std::move(kernel), uses);
    }
    template <class Function>
    void task(std::string kernel, std::span<const Value> uses, Function function) {
        addTask(std::make_unique<FunctionTask<Function>>(std::move(function)), std::move(kernel), uses);
    }
    void addTask(std::unique_ptr<Task> task, std::string kernel, std::span<const Value> uses);

    // Data that a node's forward pass leaves for its backward passes, such as a primitive descriptor.
    template <class T>
    void remember(model::NodeId node, T value) {
        m_memory[node] = std::move(value);
    }
    template <class T>
    [[nodiscard]] const T& recall(model::NodeId node) const {
        return std::any_cast<const T&>(m_memory.at(node));
    }

    // Likewise for the gradient of a parameter; null if there is none.
    template <class T>
    void rememberGradient(TensorId gradient, T value) {
        m_gradientMemory[gradient] = std::move(value);
    }
    template <class T>
    [[nodiscard]] const T* recallGradient(TensorId gradient) const {
        const auto found = m_gradientMemory.find(gradient);
        return found == m_gradientMemory.end() ? nullptr : std::any_cast<T>(&found->second);
    }
    // Number of operations that write the gradient of a parameter: more than one if it is tied.
    [[nodiscard]] std::int64_t writers(TensorId gradient) const;
    // Memory that is always zero.
    [[nodiscard]] Value zeros(std::int64_t bytes);

    // Takes the run of consecutive operations of one kind, starting with the current one.
    [[nodiscard]] std::span<const plan::Operation> takeRun();
    // Takes `count` operations, starting with the current one.
    void take(std::size_t count) { m_taken = count; }
    // Calls a function with the k-th of them as the current operation.
    template <class Function>
    auto asOperation(std::size_t k, Function function) {
        m_current += k;
        auto result = function(plan().operations[m_current]);
        m_current -= k;
        return result;
    }

private:
    static std::size_t index(TensorId id) { return static_cast<std::size_t>(id); }
    void addTask(std::unique_ptr<Task> task, std::string kernel, std::initializer_list<Value> uses) {
        addTask(std::move(task), std::move(kernel), std::span<const Value>(uses.begin(), uses.size()));
    }
    void addPrimitive(const dnnl::primitive& primitive, const Desc& scratchpad, const char* implementation,
                      Arguments arguments);
    [[nodiscard]] dnnl::memory bind(const Value& value);
    Buffer* newBuffer(std::int64_t bytes, bool persistent, MemoryKind kind);
    void forgetConversions(TensorId id);
    [[nodiscard]] Value trainedWeight(TensorId id, const Desc& desc);
    [[nodiscard]] Value viewedAs(const Value& value, const Desc& desc);
    [[nodiscard]] Result<void> emit(const plan::Operation& op);
    void storeInBytes(TensorId id);
    void placeBuckets();
    [[nodiscard]] Value inBucket(std::size_t bucket, const BucketedGradient& gradient);
    void sendReadyBuckets(int lastOperation);
    void receiveBuckets();

    dnnl::engine m_engine;
    Tuner& m_tuner;
    ScratchUse m_scratchUse = ScratchUse::Headroom;
    double m_headroomFraction = 1;
    std::vector<std::int64_t> m_headroom;  // per operation
    bool m_preparing = false;
    const FusedPlan& m_fused;
    const CompileOptions& m_options;
    std::size_t m_current = 0;  // operation being emitted
    std::size_t m_taken = 1;    // number of operations taken by the emitter
    CompiledStep m_step;
    std::vector<Buffer*> m_storage;  // by Plan storage: its current buffer
    std::map<model::NodeId, std::any> m_memory;
    std::map<TensorId, std::any> m_gradientMemory;
    Value m_zeros;
    std::size_t m_bucketsSent = 0;
    bool m_bucketsReceived = false;
    std::map<TensorId, Value> m_bf16Weights;             // bf16 copies of weights
    std::map<TensorId, std::vector<Value>> m_converted;  // valid copies in other layouts
};

[[nodiscard]] MemoryKind memoryKind(plan::TensorRole role);

}  // namespace steelyard::compute::cpu
