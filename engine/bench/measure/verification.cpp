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
constexpr double kUsualFlops = 60e9;  // as many samples as fit
constexpr std::int64_t kLargestBatch = 8;

// Behind its last batch normalisation a network often averages over the image, so that the gradient is the same at
// every pixel of a sample. Of one sample alone the normalisation takes away all of it: every gradient before is zero
// but for rounding, and two right results have nothing in common. Another sample makes it a quantity again.
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

// Not being able to is no proof of being wrong.
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

// What is allowed of each compared tensor, norm-relative.
using TensorKey = std::pair<compute::Quantity, std::string>;
using Allowances = std::map<TensorKey, double>;

// Some tensors are a small rest of large terms (a gradient behind a normalisation), or jump where a rounded value
// changes sign (a ReLU, a maximum): there the precision alone costs more than the tolerance, in any
// implementation. How much, the reference shows by rounding what it stores.
constexpr double kTimesRounding = 3;       // two independent roundings, and kernels that sum in another order
constexpr double kLargestAllowance = 0.9;  // a gradient that is missing or doubled is never allowed

// To the nearest, which nearly always settles it; then at random: where a few values decide, such as the gradients of
// two samples' logits, one rounding can come out several times as near as others do.
constexpr std::optional<std::uint64_t> kRoundings[] = {std::nullopt, 1, 2, 3};

// What one rounding does, against no rounding. `exactLoss`: of the step that the exact one took last.
Result<compute::Comparison> compareRounded(std::optional<std::uint64_t> roundingSeed,
                                           const std::shared_ptr<const plan::Plan>& plan, compute::Executable& exact,
                                           double exactLoss, const compute::CompileOptions& compile,
                                           const VerifyOptions& options) {
    const auto emulation = compute::makeReferenceBackend({.emulatePrecision = true, .roundingSeed = roundingSeed});
    ASSIGN(const auto rounded, emulation->compile(plan, compile));
    return compute::compareExecutables(*rounded, exact, {.seed = options.seed, .steps = 1, .referenceLoss = exactLoss});
}

// What one rounding costs, added to what others did.
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

// The difference that decides: the largest over its allowance, or when that is too large, the first kind of quantity
// that is (a wrong gradient also makes a wrong update).
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

// Whether a look at what the precision costs could excuse the difference.
bool isOpen(const Verification& judged, const compute::Comparison& comparison, const VerifyOptions& options) {
    return judged.state != VerificationState::Pass && comparison.unusable.empty() && !options.tolerance &&
           judged.maxRelativeError && *judged.maxRelativeError <= kLargestAllowance;
}

// Always step 0: one dropout mask throughout, or its noise would hide which way the loss goes.
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

// A later loss is below the first. In a narrow type the loss itself is known to the tolerance only.
bool falls(const std::vector<double>& losses, plan::Precision precision) {
    if (std::any_of(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); })) return false;
    const bool narrow = precision == plan::Precision::Bf16 || precision == plan::Precision::Fp16;
    const double bound = losses.front() * (narrow ? 1 + toleranceOf(precision) : 1);
    return *std::min_element(losses.begin() + 1, losses.end()) < bound;
}

// A fixed batch is learnt. The network's own learning rate is meant for its own batch and may be too large for a few
// samples; then a smaller step down the gradient must do.
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
    const auto affordable = static_cast<std::int64_t>(kUsualFlops / flops);
    return std::clamp(affordable, smallest, std::min(kLargestBatch, full.batch));
}

Verification verify(compute::Backend& candidate, compute::Backend& reference, const model::Graph& graph,
                    plan::PlanOptions full, const VerifyOptions& options) {
    const auto batch = options.reducedBatch > 0 ? Result<std::int64_t>(std::min(options.reducedBatch, full.batch))
                                                : checkedBatch(graph, full, options.compile.threads);
    if (!batch) return fromError(batch.error());
    full.batch = *batch;
    full.quantisation = {};  // other values are compared than timed
    // Whether there is anything to check, before anything is calibrated.
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
    naive.memoryLimit.reset();  // is the device's
    // Of int8 the reference rounds to the same grids: what these cost is a figure of its own (precision_cost.h).
    const auto emulation = compute::makeReferenceBackend({.emulatePrecision = true});
    const bool bytes = full.precision == plan::Precision::Int8;
    const auto exact = (bytes ? *emulation : reference).compile(plan, naive);
    if (!exact) return fromError(exact.error());

    const auto comparison = compute::compareExecutables(**judged, **exact, {.seed = options.seed, .steps = 1});
    if (!comparison) return fromError(comparison.error());
    // The values of a new network may be beyond what Float16 holds (resnet56 inferring); then no result is right.
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
        judged->reset();  // three copies of a large network, with gradients and moments, may be more than fits
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
