// SPDX-License-Identifier: Apache-2.0
// Device memory needed by a job, estimated before a run. Pure functions.
//   training   M = P (8 + 4 opt [+ 2 or 4 mixed]) + A B s + largest operation (in + out) B s + workspace + context
// P parameters (fp32 weight and gradient), opt optimizer tensors, A elements kept per sample, B batch, s bytes per
// activation; workspace min(1 GiB, 0.25 GiB + 5 % of A B s); context 0.6 GiB on a GPU. For this program's engine the
// Plan's memory plan replaces all but the context.
#pragma once

#include "engine/advisor/predict/job_model.h"
#include "engine/advisor/predict/predictor_parameters.h"

namespace steelyard::advisor {

struct MemoryNeed {
    double fixed = 0;        // weights, gradients, optimizer state
    double activations = 0;  // kept for the backward pass, and the largest operation
    double workspace = 0;
    double context = 0;  // driver and libraries
    [[nodiscard]] double total() const { return fixed + activations + workspace + context; }
};

enum class Fits { Yes, Tight, No, Unknown };
[[nodiscard]] std::string_view toString(Fits fits);

[[nodiscard]] MemoryNeed memoryNeed(const JobModel& job, const SoftwareStack& stack, bool onGpu);
// Below 85 % of the memory the job fits, up to 105 % it is tight, given the accuracy of the estimate.
[[nodiscard]] Fits fits(double neededBytes, double availableBytes);
// Elements per sample needed by the backward pass.
[[nodiscard]] double keptElements(const JobModel& job, bool fusedAttention);

}  // namespace steelyard::advisor
