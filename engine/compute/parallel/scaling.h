// SPDX-License-Identifier: Apache-2.0
// What several devices gain, from measured steps; and how long a step with overlapped exchange lasts, from the times of
// its operations. Pure arithmetic. A predicted time is one: whoever shows it says so.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/compute/parallel/bucket_plan.h"
#include "engine/core/error.h"

namespace steelyard::compute {

enum class Scaling {
    Strong,  // the batch of all devices together stays the same
    Weak,    // the batch of each device stays the same
};

struct ScalingPoint {
    int devices = 1;
    double stepSeconds = 0;
    std::optional<double> exchangeSeconds;  // of all exchanges of a step
    std::optional<double> exposedSeconds;   // of them, what the step waited for
    // The step by the clock that those two were taken by; stepSeconds when unset.
    std::optional<double> deviceStepSeconds = {};
};

struct ScalingRow {
    int devices = 1;
    double speedup = 1;                   // work in a time, over that of the base
    double efficiency = 1;                // speedup over how many times as many devices
    std::optional<double> exchangeShare;  // of the step, by one clock
    std::optional<double> exposedShare;
    // A. Karp, H. Flatt, Measuring Parallel Processor Performance, 1990: (1 / speedup - 1 / n) / (1 - 1 / n). Strong
    // scaling from one device, n > 1.
    std::optional<double> serialFraction;
};

// In the order of devices; the point of fewest devices is the base. InvalidArgument for no points, devices below 1,
// twice the same number, or a time that is not above 0.
[[nodiscard]] Result<std::vector<ScalingRow>> scalingOf(Scaling kind, std::vector<ScalingPoint> points);

// Time of one all-reduce in a ring (P. Patarasuk, X. Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations, 2009): 2 (n - 1) / n of the bytes over the bandwidth of the slowest link, and 2 (n - 1) latencies.
struct Link {
    double latencySeconds = 0;
    double bytesPerSecond = 0;  // above 0
};
[[nodiscard]] double ringSeconds(Bytes bytes, int devices, const Link& link);

struct OverlappedStep {
    double computeSeconds = 0;   // of all operations
    double exchangeSeconds = 0;  // of all buckets
    double exposedSeconds = 0;   // the update waits for the exchange
    [[nodiscard]] double stepSeconds() const { return computeSeconds + exposedSeconds; }
};
// operationSeconds: one for each of Plan::operations; bucketSeconds: one for each bucket. Exchanges follow each other
// on a stream of their own, each not before its bucket is ready; updates (and clipping) begin when all are through.
[[nodiscard]] OverlappedStep overlap(const plan::Plan& plan, std::span<const double> operationSeconds,
                                     const std::vector<Bucket>& buckets, std::span<const double> bucketSeconds);

}  // namespace steelyard::compute
