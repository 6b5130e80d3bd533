// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/backend_comparison.h"
#include "engine/compute/comparison_values.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

constexpr double kLongestStepSeconds = 30;
constexpr double kStepFlops = 60e9;  // aimed at by the choice of the batch
constexpr std::int64_t kLargestBatch = 8;

// After its last batch normalisation a network often averages over the image, so that the gradient is the same at every
// pixel of a sample. With a single sample the normalisation then cancels it: every earlier gradient is zero up to
// rounding, and two correct results have nothing in common. A second sample avoids this.
constexpr std::int64_t kSmallestNormalisedBatch = 2;

std::int64_t smallestBatch(const plan::Plan& plan) {
    const bool normalised = std::any_of(plan.operations.begin(), plan.operations.end(), [](const auto& op) {
        return op.kind == plan::OperationKind::BatchNorm && op.pass != plan::Pass::Forward;
    });
    return normalised ? kSmallestNormalisedBatch : 1;
}

Verification notChecked(const Message& reason) {
    Verification result;
    result.reason = reason;
    return result;
}

// An unsupported case is not a wrong one.
Verification fromError(const Error& error) {
    auto result = notChecked(messageOf(error));
    const bool unable = error.kind == ErrorKind::Unsupported || error.kind == ErrorKind::OutOfMemory ||
                        error.kind == ErrorKind::BackendUnavailable || error.kind == ErrorKind::Cancelled;
    if (!unable) result.state = VerificationState::Fail;
    return result;
}

void failWith(Verification& result, Message reason) {
    result.state = VerificationState::Fail;
    result.reason = std::move(reason);
}

// Tolerance per compared tensor, norm-relative.
using TensorKey = std::pair<compute::Quantity, std::string>;
using Allowances = std::map<TensorKey, double>;

// Some tensors are small differences of large terms (a gradient before a normalisation), or discontinuous (ReLU,
// maximum): there the precision alone causes errors above the tolerance in any implementation. The reference determines
// them by rounding what it stores.
constexpr double kTimesRounding = 3;       // two independent roundings, and different summation orders
constexpr double kLargestAllowance = 0.9;  // a missing or doubled gradient never passes

// Rounding to nearest is nearly always conclusive; otherwise stochastic rounding: if a few values dominate, such as the
// gradients of two samples' logits, one rounding may by chance be several times closer than others.
constexpr std::optional<std::uint64_t> kRoundings[] = {std::nullopt, 1, 2, 3};

// Effect of one rounding. `exactLoss`: of the last step of the exact backend.
Result<compute::Comparison> compareRounded(std::optional<std::uint64_t> roundingSeed,
                                           const std::shared_ptr<const plan::Plan>& plan, compute::Executable& exact,
                                           double exactLoss, const compute::CompileOptions& compile,
                                           const VerifyOptions& options) {
    const auto emulation = compute::makeReferenceBackend({.emulatePrecision = true, .roundingSeed = roundingSeed});
    ASSIGN(const auto rounded, emulation->compile(plan, compile));
    return compute::compareExecutables(*rounded, exact, {.seed = options.seed, .steps = 1, .referenceLoss = exactLoss});
}

// Adds the effect of one rounding to those of others.
Result<void> widen(Allowances& allowances, std::optional<std::uint64_t> roundingSeed,
                   const std::shared_ptr<const plan::Plan>& plan, compute::Executable& exact, double exactLoss,
                   const compute::CompileOptions& compile, const VerifyOptions& options, double tolerance) {
    ASSIGN(const auto comparison, compareRounded(roundingSeed, plan, exact, exactLoss, compile, options));
    for (const auto& difference : comparison.differences) {
        auto& allowed = allowances[{difference.quantity, difference.tensor}];
        allowed = std::max(allowed, std::clamp(kTimesRounding * difference.relative, tolerance, kLargestAllowance));
    }
    return {};
}

// The decisive difference: the largest relative to its tolerance, or if that is exceeded, the first kind of quantity
// that exceeds it (a wrong gradient also makes a wrong update).
Verification judge(const compute::Comparison& comparison, double tolerance, const Allowances& allowances) {
    Verification result;
    const compute::Difference* worst = nullptr;
    double worstShare = -1;
    for (const auto& difference : comparison.differences) {
        const auto found = allowances.find({difference.quantity, difference.tensor});
        const double allowed = found == allowances.end() ? tolerance : found->second;
        const double share = difference.relative / allowed;
        const bool sameKind = worst != nullptr && worst->quantity == difference.quantity;
        if (share <= worstShare || (worstShare > 1 && !sameKind)) continue;
        worst = &difference;
        worstShare = share;
        result.tolerance = allowed;
    }
    result.state = VerificationState::Pass;
    if (worst == nullptr) {
        failWith(result, messages::nothingCompared());
        return result;
    }
    if (std::isfinite(worst->relative)) result.maxRelativeError = worst->relative;
    if (!comparison.unusable.empty()) {
        failWith(result, comparison.unusable);
    } else if (worstShare > 1) {
        failWith(result,
                 messages::differs(toString(worst->quantity), worst->tensor, fmt::format("{:.2g}", worst->relative),
                                   fmt::format("{:.2g}", *result.tolerance)));
    }
    return result;
}

// Whether the effect of the precision could explain the difference.
bool isOpen(const Verification& judged, const compute::Comparison& comparison, const VerifyOptions& options) {
    return judged.state != VerificationState::Pass && comparison.unusable.empty() && !options.tolerance &&
           judged.maxRelativeError && *judged.maxRelativeError <= kLargestAllowance;
}

// Always step 0, for one dropout mask throughout: its noise would hide the trend of the loss.
Result<std::vector<double>> lossesOf(compute::Executable& candidate, double rateScale, const VerifyOptions& options) {
    TRY(compute::writeInitialValues(candidate, options.seed));
    TRY(compute::writeSyntheticBatch(candidate, options.seed));
    std::vector<double> losses;
    for (std::int64_t i = 0; i <= options.lossSteps; ++i) {
        ASSIGN(const auto outcome, candidate.step({0, rateScale}));
        losses.push_back(outcome.loss.value_or(std::nan("")));
    }
    return losses;
}

// A later loss is below the first. In a narrow type the loss itself has an error up to the tolerance.
bool falls(const std::vector<double>& losses, plan::Precision precision) {
    if (std::any_of(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); })) return false;
    const bool narrow = precision == plan::Precision::Bf16 || precision == plan::Precision::Fp16;
    const double bound = losses.front() * (narrow ? 1 + toleranceOf(precision) : 1);
    return *std::min_element(losses.begin() + 1, losses.end()) < bound;
}

// Training on a fixed batch must lower the loss. The network's learning rate may be too large for a few samples; then a
// smaller step along the gradient must lower it.
Result<void> judgeLoss(Verification& result, compute::Executable& candidate, const VerifyOptions& options) {
    for (const double rateScale : {1.0, 0.1, 0.01}) {
        ASSIGN(const auto losses, lossesOf(candidate, rateScale, options));
        result.lossFirst = losses.front();
        result.lossLast = losses.back();
        if (falls(losses, candidate.plan().options.precision)) return {};
    }
    failWith(result, messages::lossDoesNotFall(options.lossSteps, fmt::format("{:.6g}", *result.lossFirst),
                                               fmt::format("{:.6g}", *result.lossLast)));
    return {};
}

}  // namespace

double toleranceOf(plan::Precision precision) {
    switch (precision) {
        case plan::Precision::Fp32:
            return 1e-4;
        case plan::Precision::Tf32:
            return 2e-3;
        case plan::Precision::Bf16:
        case plan::Precision::Fp16:
        case plan::Precision::Int8:
            return 2e-2;
    }
    return 1e-4;
}

Result<std::int64_t> checkedBatch(const model::Graph& graph, const plan::PlanOptions& full, int threads) {
    auto one = full;
    one.batch = 1;
    ASSIGN(const auto plan, plan::lower(graph, one));
    const double flops = std::max(1.0, plan.stepFlops());
    const auto smallest = std::min(smallestBatch(plan), full.batch);
    if (static_cast<double>(smallest) * flops > kLongestStepSeconds * kReferenceFlopsPerSecond * threads)
        return fail(ErrorKind::Unsupported, plan.workload, messages::tooLargeForReference(formatFlops(Flops(flops))));
    const auto affordable = static_cast<std::int64_t>(kStepFlops / flops);
    return std::clamp(affordable, smallest, std::min(kLargestBatch, full.batch));
}

Verification verify(compute::Backend& candidate, compute::Backend& reference, const model::Graph& graph,
                    plan::PlanOptions full, const VerifyOptions& options) {
    const auto batch = options.reducedBatch > 0 ? Result<std::int64_t>(std::min(options.reducedBatch, full.batch))
                                                : checkedBatch(graph, full, options.compile.threads);
    if (!batch) return fromError(batch.error());
    full.batch = *batch;
    full.quantisation = {};  // other values than those timed
    // Check that there is something to verify before calibrating.
    if (const auto any = plan::lower(graph, full); any)
        if (auto ok = compute::supportsPlan(candidate, *any); !ok) return fromError(ok.error());
    auto lowered = compute::lowerCalibrated(
        reference, candidate, graph, full,
        {.seed = options.seed, .threads = options.compile.threads, .write = compute::writeComparedValues});
    if (!lowered) return fromError(lowered.error());
    const auto plan = std::make_shared<const plan::Plan>(std::move(*lowered));
    auto compile = options.compile;
    compile.seed = options.seed;
    compile.profile = false;
    compile.keepGradients = compute::needsGradients(full.optimizer);
    auto judged = candidate.compile(plan, compile);
    if (!judged) return fromError(judged.error());
    auto naive = compile;
    naive.device = "reference";
    naive.memoryLimit.reset();  // a limit of the device
    // For int8 the reference rounds to the same grids; their effect is reported separately (precision_cost.h).
    const auto emulation = compute::makeReferenceBackend({.emulatePrecision = true});
    const bool bytes = full.precision == plan::Precision::Int8;
    const auto exact = (bytes ? *emulation : reference).compile(plan, naive);
    if (!exact) return fromError(exact.error());

    const auto comparison = compute::compareExecutables(**judged, **exact, {.seed = options.seed, .steps = 1});
    if (!comparison) return fromError(comparison.error());
    // Values of an untrained network may overflow Float16 (resnet56 inference); then no result is correct.
    if (!comparison->unusable.empty() && full.precision == plan::Precision::Fp16) {
        const auto rounded = compareRounded(std::nullopt, plan, **exact, comparison->referenceLoss, naive, options);
        if (!rounded) return fromError(rounded.error());
        if (!rounded->unusable.empty()) return notChecked(messages::fp16Overflow(rounded->unusable));
    }
    const double tolerance = options.tolerance.value_or(toleranceOf(full.precision));
    auto step = judge(*comparison, tolerance, {});
    const bool open = isOpen(step, *comparison, options);
    if (step.state != VerificationState::Pass && !open) return step;

    Verification learning{VerificationState::Pass};
    if (full.mode == plan::Mode::Train && options.lossSteps > 0)
        if (auto ok = judgeLoss(learning, **judged, options); !ok) return fromError(ok.error());
    if (open) {
        judged->reset();  // three copies of a large network with gradients and moments may not fit
        Allowances allowances;
        for (const auto& roundingSeed : kRoundings) {
            if (auto ok = widen(allowances, roundingSeed, plan, **exact, comparison->referenceLoss, naive, options,
                                tolerance);
                !ok)
                return fromError(ok.error());
            step = judge(*comparison, tolerance, allowances);
            if (step.state == VerificationState::Pass) break;
        }
        if (step.state != VerificationState::Pass) return step;
    }
    learning.maxRelativeError = step.maxRelativeError;
    learning.tolerance = step.tolerance;
    return learning;
}

}  // namespace steelyard::bench
