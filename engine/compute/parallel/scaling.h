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
// In a tree and back, pipelined (P. Sanders, J. Speck, J. Traeff, Two-tree Algorithms for Full Bandwidth Broadcast,
// Reduction and Scan, 2009): 2 log2(n) latencies and twice the bytes.
[[nodiscard]] double treeSeconds(Bytes bytes, int devices, const Link& link);
// The faster of the two, as libraries choose.
[[nodiscard]] double allReduceSeconds(Bytes bytes, int devices, const Link& link);
// Inside each node, then between the nodes, or in one ring through all devices: the least.
[[nodiscard]] double hierarchicalSeconds(Bytes bytes, int nodes, int devicesOfNode, const Link& inside,
                                         const Link& between);

struct TimedMessage {
    std::int64_t bytes = 0;
    double seconds = 0;  // above 0
};
// seconds = alpha + beta bytes by its two ends: alpha is what the smallest three sizes take, beta what a byte of the
// largest three adds (medians). Sizes between switch protocols and fill buffers, which a line through all of them would
// mistake for bandwidth. Ascending by bytes; with fewer than six sizes, of as many as half of them. Where the
// largest take no longer than the smallest, as none of them is large, all of the largest one's time is its bytes'.
// InvalidArgument for fewer than two sizes.
struct LinearTime {
    double alpha = 0;  // s, at least 0
    double beta = 0;   // s/byte
};
[[nodiscard]] Result<LinearTime> fitTimes(const std::vector<TimedMessage>& timed);
// Of all-reduces among n: as ringSeconds has them.
[[nodiscard]] Link linkOf(const LinearTime& allReduce, int devices);

struct EfficiencyForecast {
    double low = 0, expected = 0, high = 0;  // in (0, 1]
};
// What a device does in a group, of what it does alone, where a step computes for computeSeconds, of which the backward
// pass is two thirds, and exchanges as many seconds in so many pieces. Low: nothing is hidden. High: the backward pass
// hides all but the last piece. Expected: half of what can be.
[[nodiscard]] EfficiencyForecast forecastEfficiency(double computeSeconds, double exchangeSeconds, int exchanges);

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
