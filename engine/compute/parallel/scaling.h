// SPDX-License-Identifier: Apache-2.0
// Scaling over several devices from measured steps; and prediction of a step with overlapped exchange from the times of
// its operations. Pure arithmetic. Predicted times must be labelled as such.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/compute/parallel/bucket_plan.h"
#include "engine/core/error.h"

namespace steelyard::compute {

enum class Scaling {
    Strong,  // constant global batch
    Weak,    // constant batch per device
};

struct ScalingPoint {
    int devices = 1;
    double stepSeconds = 0;
    std::optional<double> exchangeSeconds;  // all exchanges of a step
    std::optional<double> exposedSeconds;   // part of them that the step waited for
    // Step time by the clock of those two; unset: stepSeconds.
    std::optional<double> deviceStepSeconds = {};
};

struct ScalingRow {
    int devices = 1;
    double speedup = 1;                   // throughput relative to the baseline
    double efficiency = 1;                // speedup over the ratio of device counts
    std::optional<double> exchangeShare;  // fraction of the step, by the same clock
    std::optional<double> exposedShare;
    // A. Karp, H. Flatt, Measuring Parallel Processor Performance, 1990: (1 / speedup - 1 / n) / (1 - 1 / n). Strong
    // scaling from one device, n > 1.
    std::optional<double> serialFraction;
};

// In order of device counts; the smallest count is the baseline. InvalidArgument for no points, counts below 1,
// duplicate counts, or times not above 0.
[[nodiscard]] Result<std::vector<ScalingRow>> scalingOf(Scaling kind, std::vector<ScalingPoint> points);

// Time of a ring all-reduce (P. Patarasuk, X. Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations, 2009): 2 (n - 1) / n of the bytes over the bandwidth of the slowest link, and 2 (n - 1) latencies.
struct Link {
    double latencySeconds = 0;
    double bytesPerSecond = 0;  // above 0
};
[[nodiscard]] double ringSeconds(Bytes bytes, int devices, const Link& link);
// Pipelined tree reduction and broadcast (P. Sanders, J. Speck, J. Traeff, Two-tree Algorithms for Full Bandwidth
// Broadcast, Reduction and Scan, 2009): 2 log2(n) latencies and twice the bytes.
[[nodiscard]] double treeSeconds(Bytes bytes, int devices, const Link& link);
// The faster of the two, as libraries choose.
[[nodiscard]] double allReduceSeconds(Bytes bytes, int devices, const Link& link);
// Hierarchical (within nodes, then between them) or one ring through all devices, whichever is faster.
[[nodiscard]] double hierarchicalSeconds(Bytes bytes, int nodes, int devicesOfNode, const Link& inside,
                                         const Link& between);

struct TimedMessage {
    std::int64_t bytes = 0;
    double seconds = 0;  // above 0
};
// Linear model seconds = alpha + beta bytes, fitted to both ends: alpha is the time of the three smallest sizes, beta
// the increment per byte of the three largest ones (medians). In between, protocol switches and buffering would distort
// the bandwidth of a line through all sizes. Ascending by bytes; with fewer than six sizes, half of them at each end.
// If the largest sizes take no longer than the smallest, all of the largest one's time is attributed to its bytes.
// InvalidArgument for fewer than two sizes.
struct LinearTime {
    double alpha = 0;  // s, at least 0
    double beta = 0;   // s/byte
};
[[nodiscard]] Result<LinearTime> fitTimes(const std::vector<TimedMessage>& timed);
// From all-reduces among n devices, for the ring formula.
[[nodiscard]] Link linkOf(const LinearTime& allReduce, int devices);

struct EfficiencyForecast {
    double low = 0, expected = 0, high = 0;  // in (0, 1]
};
// Predicted parallel efficiency of a step with computeSeconds of computation, two thirds of which is the backward pass,
// and exchangeSeconds of exchange in so many buckets. Low: no overlap. High: the backward pass hides all but the last
// bucket. Expected: half of the maximum overlap.
[[nodiscard]] EfficiencyForecast forecastEfficiency(double computeSeconds, double exchangeSeconds, int exchanges);

struct OverlappedStep {
    double computeSeconds = 0;   // all operations
    double exchangeSeconds = 0;  // all buckets
    double exposedSeconds = 0;   // part of the exchange that the update waits for
    [[nodiscard]] double stepSeconds() const { return computeSeconds + exposedSeconds; }
};
// operationSeconds: per entry of Plan::operations; bucketSeconds: per bucket. Exchanges run in order on a separate
// stream, each once its bucket is ready; updates (and clipping) start when all are complete.
[[nodiscard]] OverlappedStep overlap(const plan::Plan& plan, std::span<const double> operationSeconds,
                                     const std::vector<Bucket>& buckets, std::span<const double> bucketSeconds);

}  // namespace steelyard::compute
