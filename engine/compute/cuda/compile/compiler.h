// SPDX-License-Identifier: Apache-2.0
// Traverses a Plan once and emits the tasks of a step: library calls and kernels on buffers whose addresses are set
// once the executable has laid out its memory. Internal to engine/compute/cuda.
//
// Layouts: tensors are row-major in Tensor::dims, except with channelsLast: images are [B, H, W, C], and weights of
// convolutions [K, R, S, C / groups].
// Types: activations have the Plan's type; parameters, their gradients and optimizer states are float32. In a 16-bit
// precision each parameter that a layer reads also has a 16-bit copy, refreshed by writes and updates. In inference
// only the copy is kept, and so of frozen weights when training. Int8: some activations and the weights of products are
// bytes (plan/quantisation.h), everything else is float32.
#pragma once

#include <any>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/compute/cuda/compile/library_call.h"
#include "engine/compute/cuda/compile/tuning.h"
#include "engine/compute/cuda/execute/byte_weights.h"
#include "engine/compute/cuda/execute/data_parallel.h"
#include "engine/compute/step_memory.h"

namespace steelyard::compute::cuda {

using plan::kNoTensor;
using plan::TensorId;

struct Buffer : BufferUse {
    std::byte* data = nullptr;  // device memory
    // Persistent buffers: returns the initial contents, once addresses are known; empty: zeros.
    std::function<std::vector<std::byte>()> contents;
};

// Device memory at `offset` bytes in a buffer.
struct Value {
    Buffer* buffer = nullptr;
    std::int64_t offset = 0;

    [[nodiscard]] explicit operator bool() const { return buffer != nullptr; }
    [[nodiscard]] void* data() const { return buffer == nullptr ? nullptr : buffer->data + offset; }
    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(data());
    }
    [[nodiscard]] Value at(std::int64_t bytes) const { return {buffer, offset + bytes}; }
};

using Task = std::function<Result<void>(DeviceRuntime&, Stream)>;

struct CompiledTask {
    Task run;
    int operation = -1;  // index into Plan::operations
    std::string kernel;
    double seconds = 0;  // sum over the profiled steps
    std::vector<Value> uses;
};

// A parameter in 8 bits, with one step per unit in Float32.
struct ByteWeights {
    ByteWeightForm form;
    Value bytes, steps;
};

struct CompiledStep {
    std::deque<Buffer> buffers;  // addresses are stable
    std::vector<CompiledTask> tasks;
    std::vector<CompiledTask> preparation;                     // depends on parameters only: runs after one was written
    std::vector<Value> values;                                 // by TensorId; empty if a tensor has no memory
    std::map<TensorId, Value> halfCopies;                      // 16-bit copies of parameters
    std::map<TensorId, std::vector<ByteWeights>> byteWeights;  // Int8: as products read them
    Value control;                                             // kernels::StepControl
    Value lossScale;                                           // kernels::LossScale; Fp16 training only
    bool gradientsAreScaled = false;                           // the gradients in memory are scaled
    std::set<TensorId> filterTensors;                          // stored as [K, R, S, C / groups] with channelsLast
    bool channelsLast = false;
    std::shared_ptr<const plan::Plan> plan;
    std::shared_ptr<DataParallel> parallel;  // null unless this is one of several ranks
    std::vector<Value> buckets;              // gradient buckets, in order
    std::vector<Message> remarks;            // Executable::remarks()
};

class Compiler {
public:
    // parallel: for one of several ranks, otherwise null; the gradients are then in its buckets.
    Compiler(DeviceSet& device, Tuner& tuner, std::shared_ptr<const plan::Plan> plan, const CompileOptions& options,
             bool channelsLast, std::shared_ptr<DataParallel> parallel);

    [[nodiscard]] Result<CompiledStep> run();

    [[nodiscard]] const plan::Plan& plan() const { return *m_plan; }
    [[nodiscard]] const plan::Tensor& tensor(TensorId id) const { return m_plan->tensor(id); }
    [[nodiscard]] const model::Shape& dims(TensorId id) const { return m_plan->tensor(id).dims; }
    [[nodiscard]] std::int64_t elements(TensorId id) const { return m_plan->tensor(id).elements(); }
    [[nodiscard]] bool training() const { return m_plan->options.mode == plan::Mode::Train; }
    [[nodiscard]] bool channelsLast() const { return m_step.channelsLast; }
    [[nodiscard]] bool is16Bit() const { return m_type != ElementType::F32; }
    [[nodiscard]] ElementType type() const { return m_type; }  // of activations
    [[nodiscard]] bool tf32() const { return m_plan->options.precision == plan::Precision::Tf32; }
    [[nodiscard]] const plan::Operation& forwardOf(const plan::Operation& op) const;
    // The Pass::Backward of a node; null if there is none.
    [[nodiscard]] const plan::Operation* backwardOf(const plan::Operation& op) const;
    [[nodiscard]] std::int64_t typeBytes() const { return bytesOf(m_type); }

    // Location of a tensor. Empty for kNoTensor.
    [[nodiscard]] Value value(TensorId id);
    [[nodiscard]] Value valueOf(const std::vector<TensorId>& list, std::size_t i) {
        return i < list.size() ? value(list[i]) : Value{};
    }
    // Gives a tensor separate memory, although the Plan lets it share.
    void placeAlone(TensorId id);
    [[nodiscard]] bool isSame(TensorId a, TensorId b) { return value(a).buffer == value(b).buffer; }
    // A parameter as layers read it: the 16-bit copy in a 16-bit precision, otherwise the parameter.
    [[nodiscard]] Value weight(TensorId id);
    // Float32 in every precision (scales and offsets of normalisations).
    [[nodiscard]] Value f32Weight(TensorId id);
    // A weight that this step does not change.
    [[nodiscard]] bool isConstant(TensorId weight) const { return !training() || m_frozen.contains(weight); }
    // A parameter in 8 bits, once per form.
    [[nodiscard]] ByteWeights byteWeights(TensorId id, const ByteWeightForm& form);
    // Where a tensor is kept quantised for all its readers, in rows of `pitch` bytes; empty until the first sets it.
    [[nodiscard]] Value& quantised(TensorId id, std::int64_t pitch) { return m_quantised[{id, pitch}]; }
    // The 16-bit copy that an update refreshes; empty if there is none.
    [[nodiscard]] Value halfCopyOf(TensorId id) const;
    [[nodiscard]] Value scratch(std::int64_t bytes);
    // Memory that keeps its values between steps, with these initial values (default: zero).
    [[nodiscard]] Value persistent(std::int64_t bytes, MemoryKind kind,
                                   std::function<std::vector<std::byte>()> contents = {});
    // Such memory that no task writes, once per key.
    [[nodiscard]] Value constant(const std::string& key, std::int64_t bytes,
                                 std::function<std::vector<std::byte>()> contents);
    [[nodiscard]] Value control() const { return m_step.control; }
    [[nodiscard]] Value lossScale() const { return m_step.lossScale; }  // empty without loss scaling
    [[nodiscard]] bool keepsGradients() const { return m_options.keepGradients; }
    void gradientsStayScaled() { m_step.gradientsAreScaled = true; }

    // `uses`: all values that the launcher accesses. The launcher enqueues kernels on the stream.
    template <class Launcher>
    void kernel(std::string name, std::vector<Value> uses, Launcher launcher) {
        addTask(std::move(name), std::move(uses), [launcher](DeviceRuntime& runtime, Stream stream) {
            return runtime.launch(stream, [launcher, stream] { return launcher(stream); });
        });
    }
    void addTask(std::string name, std::vector<Value> uses, Task task);
    // Tasks up to endPreparation go to CompiledStep::preparation: they depend on parameters only and write persistent
    // memory.
    void beginPreparation() { m_preparing = true; }
    void endPreparation() { m_preparing = false; }
    [[nodiscard]] bool hasMatrices() const {
        return m_device.matrices != nullptr;
    }  // whether the libraries for call() exist
    [[nodiscard]] bool hasNetworks() const { return m_device.networks != nullptr; }
    // A library call with the fastest candidate within the workspace limit.
    [[nodiscard]] Result<void> call(const MatrixProduct& product, std::vector<Value> operands);
    [[nodiscard]] Result<void> call(const Convolution& convolution, std::vector<Value> operands);
    [[nodiscard]] Result<void> call(const Recurrence& recurrence, std::vector<Value> operands);
    // Unsupported, with the reason, if the library cannot do it within the workspace limit.
    [[nodiscard]] Result<RecurrenceSpaces> spacesOf(const Recurrence& recurrence);
    // One of several implementations of the current operation, by name. Each emits all its tasks. The fastest in a
    // trial on scratch memory is kept, once per key; the first one if the memory is not available.
    struct Implementation {
        std::string name;
        std::function<Result<void>()> emit;
        // Optional: emits consequences of the choice later in the step, which are timed with it.
        std::function<Result<void>()> consequence = {};
    };
    [[nodiscard]] Result<void> fastest(const TuningKey& key, const std::vector<Implementation>& candidates);
    // CompileOptions::kernels: "auto"; or "own", "cublas", "cudnn" to select an implementation.
    [[nodiscard]] const std::string& kernels() const { return m_options.kernels; }
    // For Executable::remarks(); duplicates are dropped.
    void remark(Message sentence);
    void copy(Value to, Value from, std::int64_t bytes);
    void clear(Value to, std::int64_t bytes);
    // B, C, H, W of an image; other tensors as a single channel.
    [[nodiscard]] kernels::ImageLayout imageLayout(const model::Shape& dims) const;
    // Channels of an image, features of other tensors.
    [[nodiscard]] kernels::ChannelAxes channelAxes(const model::Shape& dims) const;

    // Data that a node's forward pass leaves for its backward passes.
    template <class T>
    void remember(model::NodeId node, T value) {
        m_memory[node] = std::move(value);
    }
    template <class T>
    [[nodiscard]] const T* recall(model::NodeId node) const {
        const auto found = m_memory.find(node);
        return found == m_memory.end() ? nullptr : std::any_cast<T>(&found->second);
    }

    // The next operation, or the one `ahead` after that; null at the end. An emitter may also take it.
    [[nodiscard]] const plan::Operation* next(std::size_t ahead = 0) const;
    // The following activation if it is the only reader of `result`, which then need not be stored.
    [[nodiscard]] const plan::Operation* onlyActivationOf(TensorId result, std::size_t ahead = 0) const;
    void takeNext() { ++m_taken; }
    [[nodiscard]] bool isReadOnce(TensorId id) const { return m_readers[index(id)] == 1; }
    // Takes the run of consecutive operations of one kind, starting with the current one.
    [[nodiscard]] std::vector<const plan::Operation*> takeRun();

private:
    [[nodiscard]] Result<double> secondsOfTasks(std::size_t first);
    static std::size_t index(TensorId id) { return static_cast<std::size_t>(id); }
    Buffer* newBuffer(std::int64_t bytes, bool persistent, MemoryKind kind);
    [[nodiscard]] Result<void> addCall(Result<std::unique_ptr<LibraryCall>> prepared, const TuningKey& key,
                                       std::vector<std::int64_t> operandBytes, std::vector<Value> operands);
    void touch(const Value& value);
    void placeBuckets();
    void exchangeAfter(std::size_t operation);
    void joinExchange();
    [[nodiscard]] Result<void> emit(const plan::Operation& op);

    DeviceSet& m_device;
    Tuner& m_tuner;
    std::shared_ptr<const plan::Plan> m_plan;
    const CompileOptions& m_options;
    ElementType m_type = ElementType::F32;
    std::size_t m_current = 0;  // operation being emitted
    std::size_t m_taken = 1;    // number of operations taken by the emitter
    bool m_preparing = false;
    CompiledStep m_step;
    std::size_t m_bucketsSent = 0;
    std::vector<Buffer*> m_storage;  // by Plan storage
    std::map<model::NodeId, std::any> m_memory;
    std::set<TensorId> m_frozen;  // weights
    std::map<std::string, Value> m_constants;
    std::map<std::pair<TensorId, std::int64_t>, Value> m_quantised;
    std::map<model::NodeId, std::size_t> m_forward;
    std::vector<int> m_readers;  // by TensorId: number of reading operations and heads
};

[[nodiscard]] ElementType elementType(plan::Precision precision);
[[nodiscard]] MemoryKind memoryKind(plan::TensorRole role);

}  // namespace steelyard::compute::cuda
