// SPDX-License-Identifier: Apache-2.0
// Turns a fused Plan into tasks, in one pass. The emitters (emitters.h), one file per family of operations, ask it
// for the values of tensors, choose layouts and primitives, and add tasks; it keeps track of where each tensor lies, of
// the lifetime of each buffer and of the conversions already made. Used on one thread; throws dnnl::error inward only.
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

// Weights of an Int8 plan: the executable rounds what the caller writes (compute/eight_bit.h), row by row, and puts it
// here. They have no Float32 copy.
struct RoundedWeights {
    TensorId parameter = kNoTensor;
    Value weights;   // as the operation reads them
    Value steps;     // of their rows, Float32
    Desc rows;       // the caller's order, in the dimensions of `weights`
    Dims image;      // the features are a flattened image of these dimensions, whose channels lie together; else empty
    int factor = 1;  // of what is stored
};

struct CompiledStep {
    std::deque<Buffer> buffers;             // stable addresses
    std::vector<CompiledTask> preparation;  // inferring: run again whenever a weight was written
    std::vector<CompiledTask> tasks;
    std::vector<Value> values;  // by TensorId; empty where a tensor was fused away
    std::vector<RoundedWeights> rounded;
    std::vector<Binding> bindings;
    std::shared_ptr<const plan::Plan> plan;  // the original
    std::shared_ptr<DataParallel> parallel;  // null but in a rank of several
    std::vector<Value> buckets;              // of its buckets, in their order
};

// A gradient an operation is to write. When another consumer of the same tensor wrote first, `value` is scratch that
// Compiler::finishGradient adds.
struct GradientTarget {
    TensorId tensor = kNoTensor;
    Value value;
    bool added = false;
};

// How much scratch memory may be used by algorithms that need a lot of it.
enum class ScratchUse {
    None,      // they are not used
    Little,    // a few per cent of what the Plan needs
    Headroom,  // that, and what other operations of the step need anyway (memory_headroom.h)
};

class Compiler {
public:
    Compiler(const dnnl::engine& engine, Tuner& tuner, const FusedPlan& fused, const CompileOptions& options);
    // Of Headroom, that share of it.
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
    // Whether an algorithm may work in that much scratch during the current operation, by what was allowed.
    [[nodiscard]] bool affords(std::int64_t scratchBytes) const;
    // The same, without counting what the current operation leaves free.
    [[nodiscard]] bool affordsAnywhere(std::int64_t bytes) const;
    [[nodiscard]] Tuner& tuner() const { return m_tuner; }
    // Scratch memory is the compiler's, not the library's.
    [[nodiscard]] dnnl::primitive_attr attributes() const;

    // The tensor in the layout that it has. A tensor that the caller writes (input, label, state) and that has no place
    // yet is placed row-major.
    [[nodiscard]] Value value(TensorId id);
    // The tensor in this layout: placed so if it may still be chosen, converted otherwise (once, and again after it
    // changed).
    [[nodiscard]] Value valueAs(TensorId id, const Desc& desc);
    // A parameter as an operation reads it, in the operation's type and layout. When training the master copy is
    // float32, in the layout of its first reader unless placeMaster chose one; beside it stands one copy in bf16, in
    // the layout of the first reader that wants one, which the update refreshes.
    [[nodiscard]] Value weight(TensorId id, const Desc& desc);
    // Training in bf16: the master copy lies as its gradient does, so that the update converts neither.
    void placeMaster(TensorId id, const Desc& gradient);
    // Int8: the parameter is kept rounded.
    void roundWeights(RoundedWeights weights) { m_step.rounded.push_back(std::move(weights)); }
    // A copy that an emitter made itself, and that later readers may use until the tensor changes; empty: there is
    // none.
    [[nodiscard]] Value copyAs(TensorId id, const Desc& desc) const;
    void keepCopy(TensorId id, const Value& copy) { m_converted[id].push_back(copy); }
    // The bf16 copy that an update has to refresh; empty when there is none.
    [[nodiscard]] Value bf16Weight(TensorId id) const;
    [[nodiscard]] bool isPlaced(TensorId id) const { return static_cast<bool>(m_step.values[index(id)]); }
    // Where an operation writes a tensor. Shares memory with whatever the Plan's storages say it may overwrite.
    [[nodiscard]] Value define(TensorId id, const Desc& desc);
    // Places `id` where `operand` lies, which no later operation reads, so that the operation can add to it. In bytes
    // the one may have a sign and the other none.
    [[nodiscard]] Value defineOver(TensorId id, TensorId operand, const Desc& desc);
    // `id` holds the same elements as `source`: another name where that is safe, a copy otherwise.
    void same(TensorId id, TensorId source);
    // `id` holds the elements of `source` in other dimensions, of which there are more than two: row-major.
    void reshaped(TensorId id, TensorId source);
    // Row-major in the Plan's dimensions, whatever view the value has.
    [[nodiscard]] Value plainValue(TensorId id);
    [[nodiscard]] Desc plainDescOf(TensorId id) const;
    [[nodiscard]] Value scratch(std::int64_t bytes);
    [[nodiscard]] Value scratch(const Desc& desc);
    [[nodiscard]] Value converted(const Value& value, const Desc& desc);  // unconditionally a task
    void convert(const Value& source, const Value& target);

    [[nodiscard]] GradientTarget inputGradient(const plan::Operation& op, std::size_t i, const Desc& desc);
    [[nodiscard]] GradientTarget parameterGradient(const plan::Operation& op, std::size_t i, const Desc& desc);
    void finishGradient(const GradientTarget& target);

    // Until endPreparation(), tasks are run once after weights were written and not in each step. Inferring only.
    void beginPreparation() { m_preparing = true; }
    void endPreparation() { m_preparing = false; }
    // Where to keep what a preparation computes.
    [[nodiscard]] Value prepared(const Desc& desc);

    using Arguments = std::vector<std::pair<int, Value>>;
    template <class PrimitiveDesc>
    void primitive(const dnnl::primitive& primitive, const PrimitiveDesc& desc, Arguments arguments) {
        addPrimitive(primitive, desc.scratchpad_desc(), desc.impl_info_str(), std::move(arguments));
    }
    // `uses` are all the values the function touches. The function is called with the StepState.
    template <class Function>
    void task(std::string kernel, std::initializer_list<Value> uses, Function function) {
        addTask(std::make_unique<FunctionTask<Function>>(std::move(function)), std::move(kernel), uses);
    }
    template <class Function>
    void task(std::string kernel, std::span<const Value> uses, Function function) {
        addTask(std::make_unique<FunctionTask<Function>>(std::move(function)), std::move(kernel), uses);
    }
    void addTask(std::unique_ptr<Task> task, std::string kernel, std::span<const Value> uses);

    // What the forward pass of a node leaves for its backward passes, such as a primitive descriptor.
    template <class T>
    void remember(model::NodeId node, T value) {
        m_memory[node] = std::move(value);
    }
    template <class T>
    [[nodiscard]] const T& recall(model::NodeId node) const {
        return std::any_cast<const T&>(m_memory.at(node));
    }

    // The same for the gradient of a parameter; null when there is nothing.
    template <class T>
    void rememberGradient(TensorId gradient, T value) {
        m_gradientMemory[gradient] = std::move(value);
    }
    template <class T>
    [[nodiscard]] const T* recallGradient(TensorId gradient) const {
        const auto found = m_gradientMemory.find(gradient);
        return found == m_gradientMemory.end() ? nullptr : std::any_cast<T>(&found->second);
    }
    // How many operations write the gradient of a parameter: more than one when it is tied.
    [[nodiscard]] std::int64_t writers(TensorId gradient) const;
    // Memory that is zero and stays so.
    [[nodiscard]] Value zeros(std::int64_t bytes);

    // The operations of one kind that follow each other, beginning with the current one; the emitter takes them all.
    [[nodiscard]] std::span<const plan::Operation> takeRun();

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
    std::vector<std::int64_t> m_headroom;  // by operation
    bool m_preparing = false;
    const FusedPlan& m_fused;
    const CompileOptions& m_options;
    std::size_t m_current = 0;  // operation being emitted
    std::size_t m_taken = 1;    // how many the emitter has taken
    CompiledStep m_step;
    std::vector<Buffer*> m_storage;  // by Plan storage: the buffer it lies in now
    std::map<model::NodeId, std::any> m_memory;
    std::map<TensorId, std::any> m_gradientMemory;
    Value m_zeros;
    std::size_t m_bucketsSent = 0;
    bool m_bucketsReceived = false;
    std::map<TensorId, Value> m_bf16Weights;             // of weights: the copy in bf16
    std::map<TensorId, std::vector<Value>> m_converted;  // copies in other layouts that are still current
};

[[nodiscard]] MemoryKind memoryKind(plan::TensorRole role);

}  // namespace steelyard::compute::cpu
