// SPDX-License-Identifier: Apache-2.0
// What turns a Plan into work on a device. A Backend compiles a whole Plan, so that layouts, fusion and memory are its
// own business; the Executable that comes out runs steps and allocates nothing while it does.
//
// Threads: a Backend may be used from any thread; an Executable belongs to one thread at a time.
// Ownership: the caller owns both; an Executable keeps its Plan alive and does not outlive its Backend.
// Errors: Unsupported names the operation, OutOfMemory carries needed and available bytes. Nothing falls back silently.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compute/rank_group.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/plan/plan.h"

namespace steelyard::compute {

// Compared before a backend that was loaded at run time is used.
inline constexpr int kBackendInterfaceVersion = 5;

struct Device {
    std::string id;    // "cpu", "cuda:0", "reference"
    std::string name;  // "AMD EPYC 9354"
    std::optional<Bytes> memory;
};

struct CompileOptions {
    std::string device = "cpu";
    int threads = 1;               // CPU backends
    std::uint64_t seed = 1;        // dropout masks
    bool profile = false;          // time every operation; slower
    std::string kernels = "auto";  // auto | CPU: onednn | openblas (products) | CUDA: own | cublas | cudnn (see there)
    // Gradients stay readable after the step: needs their memory, and updates cannot be fused with them.
    bool keepGradients = false;
    std::optional<Bytes> memoryLimit;  // OutOfMemory before allocating when the step needs more
    // GPU backends: the most scratch memory that one library call may ask for; the backend's own choice when unset.
    std::optional<Bytes> workspaceLimit;
    // Set: this process is one of several that share each step; the plan's batch is this one's part. Only backends
    // whose executables are RankedExecutable know what to do with it; the others refuse it (Unsupported).
    std::optional<RankGroup> ranks;
};

// What the step number selects: dropout masks, the learning rate's decay, Adam's bias correction.
struct StepContext {
    std::int64_t index = 0;  // counted from 0
    double learningRateScale = 1.0;
};

struct StepOutcome {
    std::optional<double> loss;           // training: weighted sum over the heads, averaged over the batch
    std::optional<double> deviceSeconds;  // by the device's own events
};

struct MemoryFigures {
    Bytes weights, gradients, optimizer, activations, workspace;  // as allocated
    Bytes peak;                                                   // of the backend's own allocations
};

struct OperationTime {
    int operation = -1;  // index into Plan::operations; fused ones are counted with the first
    double seconds = 0;  // mean per step since compile
    std::string kernel;  // the implementation that ran, "jit:avx512_core"
};

class Executable {
public:
    virtual ~Executable() = default;
    [[nodiscard]] virtual const plan::Plan& plan() const = 0;

    // Host values in the logical layout of Tensor::dims, row-major. The count must match (InvalidArgument otherwise).
    // Writable: inputs, labels, weights, states, optimizer states.
    [[nodiscard]] virtual Result<void> write(plan::TensorId tensor, std::span<const float> values) = 0;
    [[nodiscard]] virtual Result<void> write(plan::TensorId tensor, std::span<const std::int32_t> values) = 0;
    // Readable after a step: weights (Unsupported when inferring and kept transformed), states, optimizer states;
    // probabilities when inferring; gradients unless fused with the update (Unsupported).
    [[nodiscard]] virtual Result<void> read(plan::TensorId tensor, std::span<float> values) = 0;

    // One whole step (forward, or forward + backward + update). Returns when its results are visible.
    [[nodiscard]] virtual Result<StepOutcome> step(const StepContext& context) = 0;

    [[nodiscard]] virtual MemoryFigures memory() const = 0;
    [[nodiscard]] virtual std::vector<OperationTime> profile() const = 0;  // empty unless compiled with profile
    // What a reader of the times should know, a sentence each: "the step was not captured as a graph: ...".
    [[nodiscard]] virtual std::vector<Message> remarks() const { return {}; }
};

class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;  // "cpu"
    [[nodiscard]] virtual std::vector<Device> devices() const = 0;
    // Libraries and their versions, for the record: {"onednn", "2.6.3"}.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> libraries() const = 0;
    // Ok, or Unsupported with the operation and the reason.
    [[nodiscard]] virtual Result<void> supports(const plan::Operation& operation, const plan::Plan& plan) const = 0;
    // What compile() is going to allocate, told in seconds and without allocating it. A backend that knows its layouts,
    // its scratch memory and what it fuses says it better than the Plan, whose estimate is the default.
    [[nodiscard]] virtual Result<MemoryFigures> plannedMemory(const plan::Plan& plan,
                                                              const CompileOptions& options) const;
    [[nodiscard]] virtual Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                                      const CompileOptions& options) = 0;
};

// The first operation of the plan that the backend cannot do, or the first tensor that is larger than the kernels'
// 32-bit indices reach, as an error; ok when there is none.
[[nodiscard]] Result<void> supportsPlan(const Backend& backend, const plan::Plan& plan);

// For backends that know no ranks: Unsupported where the options name some.
[[nodiscard]] Result<void> refuseRanks(const CompileOptions& options);

// Seed of the dropout mask of one operation in one step: an element is kept when
// RandomStream(dropoutSeed(...), node).uniform(index) >= rate, index counting row-major over Tensor::dims.
[[nodiscard]] std::uint64_t dropoutSeed(std::uint64_t seed, std::int64_t step);

// Learning rate of a step, with decay (engine/model/optimizer.h).
[[nodiscard]] double learningRate(const model::Optimizer& optimizer, const StepContext& context);

}  // namespace steelyard::compute
