// SPDX-License-Identifier: Apache-2.0
// Seconds of one step from operations and a device: a roofline with fitted efficiencies. Pure functions.
//
// A matrix-like operation (kind k, F FLOPs, b compulsory bytes, N channels, K reduction, S sequential steps) takes
//   t = sqrt(t_c^2 + t_m^2) + tau (1 + m SM) S,     t_c = F / P_eff,   t_m = b (1 - 0.7 L2 / (L2 + b)) / (BW e_b)
//   shape = N / (N + n0)  K / (K + k0),   c = powerRatio^-pw
//   without matrix units  P_eff = e_k shape c P_fp32
//   with matrix units     P_eff = ((0.97 P)^-4 + (e_k r shape c P_full)^-4)^(-1/4),   r of TF32, 1 for 16 bit
// other operations t_m + tau. P is the rate with fp32 accumulation, P_full = 2 P on GeForce. Training: matrix-like
// operations three times; batch norm 3 + 5 passes over its tensor, layer norm 2 + 3, the gradient of an addition one
// pass, of an embedding its rows and the dense table, other elementwise operations 1.5 times their bytes; the update 16
// bytes per parameter and 8 per optimizer tensor, 8 more with 16-bit activations over fp32 weights.
//   T_gpu = s sum t,   T_host = launches d,   T = (T_gpu^4 + T_host^4)^(1/4), at least the strict bound
// The constants are fitted on published speeds of 2016-2025 (predictor_parameters.json).
#pragma once

#include "engine/advisor/predict/device_model.h"
#include "engine/advisor/predict/job_model.h"

namespace steelyard::advisor {

struct StepParts {
    double compute = 0;   // sum of t_c
    double traffic = 0;   // sum of t_m
    double launches = 0;  // sum of launch times on the device
    double device = 0;    // T_gpu
    double host = 0;      // T_host
    double bound = 0;     // lower bound for any software: FLOPs at the full peak (Winograd counted), weights read once
    double seconds = 0;   // T
};

[[nodiscard]] StepParts gpuStep(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack,
                                const Constants& constants);

// A processor: t = sqrt((F / (e_k K / (K + k0) P))^2 + t_m^2) + operation time (1 + share per thread); bf16 at the peak
// of its bf16 units, if any. No host part.
[[nodiscard]] StepParts processorStep(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack,
                                      const PredictorParameters& parameters);

// Token-by-token decoding: all weights and the cached keys and values are read once per token.
[[nodiscard]] StepParts decodeStep(const JobModel& job, const DeviceModel& device, double bandwidthShare);

// Launch-bound: launching takes longer than executing.
[[nodiscard]] bool isLaunchBound(const StepParts& parts, const SoftwareStack& stack);

[[nodiscard]] double bytesPerElement(plan::Precision precision);
// Kernels launched by a training or inference step.
[[nodiscard]] double launchCount(const JobModel& job, const SoftwareStack& stack);

}  // namespace steelyard::advisor
