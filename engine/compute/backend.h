// SPDX-License-Identifier: Apache-2.0
// Executes Plans on devices. A Backend compiles a whole Plan, so that it can choose layouts, fusion and memory; the
// resulting Executable runs steps without allocating.
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

// Checked before a dynamically loaded backend is used.
inline constexpr int kBackendInterfaceVersion = 5;

struct Device {
    std::string id;    // "cpu", "cuda:0", "reference"
    std::string name;  // "AMD EPYC 9354"
    std::optional<Bytes> memory;
};

struct CompileOptions {
    std::string device = "cpu";
    int threads = 1;         // CPU backends
    std::uint64_t seed = 1;  // of dropout masks
    bool profile = false;    // time each operation; slower
    std::string kernels =
        "auto";  // auto | CPU: onednn | openblas (matrix products) | CUDA: own | cublas | cudnn (see there)
    // Gradients remain readable after the step: they need memory, and cannot be fused with updates.
    bool keepGradients = false;
    std::optional<Bytes> memoryLimit;  // if the step needs more: OutOfMemory before allocating
    // GPU backends: maximum workspace of a library call; unset: the backend's default.
    std::optional<Bytes> workspaceLimit;
    // Set if this process is one of several that share each step; the plan's batch is its part. Backends whose
    // executables are not RankedExecutable return Unsupported.
    std::optional<RankGroup> ranks;
};

// Depends on the step number: dropout masks, learning-rate decay, Adam's bias correction.
struct StepContext {
    std::int64_t index = 0;  // from 0
    double learningRateScale = 1.0;
};

struct StepOutcome {
    std::optional<double> loss;           // training: weighted sum over the heads, averaged over the batch
    std::optional<double> deviceSeconds;  // measured with device events
};

struct MemoryFigures {
    Bytes weights, gradients, optimizer, activations, workspace;  // as allocated
    Bytes peak;                                                   // of the backend's allocations
};

struct OperationTime {
    int operation = -1;  // index into Plan::operations; fused operations count as the first
    double seconds = 0;  // mean per step since compile
    std::string kernel;  // the implementation that ran, "jit:avx512_core"
};

class Executable {
public:
    virtual ~Executable() = default;
    [[nodiscard]] virtual const plan::Plan& plan() const = 0;

    // Host values in the logical layout of Tensor::dims, row-major. InvalidArgument if the count differs. Writable:
    // inputs, labels, weights, states, optimizer states.
    [[nodiscard]] virtual Result<void> write(plan::TensorId tensor, std::span<const float> values) = 0;
    [[nodiscard]] virtual Result<void> write(plan::TensorId tensor, std::span<const std::int32_t> values) = 0;
    // Readable after a step: weights (Unsupported for inference if stored transformed), states, optimizer states; in
    // inference, probabilities; gradients unless fused with the update (Unsupported).
    [[nodiscard]] virtual Result<void> read(plan::TensorId tensor, std::span<float> values) = 0;

    // Runs one complete step (forward, or forward + backward + update); results are visible on return.
    [[nodiscard]] virtual Result<StepOutcome> step(const StepContext& context) = 0;

    [[nodiscard]] virtual MemoryFigures memory() const = 0;
    [[nodiscard]] virtual std::vector<OperationTime> profile() const = 0;  // empty unless compiled with profile
    // Notes on the timing, for example "the step was not captured as a graph: ...".
    [[nodiscard]] virtual std::vector<Message> remarks() const { return {}; }
};

class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;  // "cpu"
    [[nodiscard]] virtual std::vector<Device> devices() const = 0;
    // Names and versions of libraries, for the record: {"onednn", "2.6.3"}.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> libraries() const = 0;
    // Ok, or Unsupported with the operation and the reason.
    [[nodiscard]] virtual Result<void> supports(const plan::Operation& operation, const plan::Plan& plan) const = 0;
    // What compile() will allocate, computed within seconds and without allocating it. Backends that know their
    // layouts, workspaces and fusion are more accurate than the Plan's estimate, which is the default.
    [[nodiscard]] virtual Result<MemoryFigures> plannedMemory(const plan::Plan& plan,
                                                              const CompileOptions& options) const;
    [[nodiscard]] virtual Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                                      const CompileOptions& options) = 0;
};

// Error of the first unsupported operation, or of the first tensor too large for 32-bit indices; ok if there is none.
[[nodiscard]] Result<void> supportsPlan(const Backend& backend, const plan::Plan& plan);

// For backends without ranks: Unsupported if the options have some.
[[nodiscard]] Result<void> refuseRanks(const CompileOptions& options);

// Seed for the dropout mask of a step: an element is kept if RandomStream(dropoutSeed(...), node).uniform(index) >=
// rate, with the row-major index over Tensor::dims.
[[nodiscard]] std::uint64_t dropoutSeed(std::uint64_t seed, std::int64_t step);

// Learning rate of a step after decay (engine/model/optimizer.h).
[[nodiscard]] double learningRate(const model::Optimizer& optimizer, const StepContext& context);

}  // namespace steelyard::compute
