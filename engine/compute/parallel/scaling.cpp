// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/messages/compute.h"
#include "engine/core/quantile.h"

namespace steelyard::compute {
namespace {

Result<void> check(const std::vector<ScalingPoint>& points) {
    if (points.empty()) return fail(ErrorKind::InvalidArgument, {}, messages::noMeasurements());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& p = points[i];
        if (p.devices < 1) return fail(ErrorKind::InvalidArgument, "devices", messages::tooFewDevices(p.devices));
        if (!(p.stepSeconds > 0) || !(p.deviceStepSeconds.value_or(1) > 0))
            return fail(ErrorKind::InvalidArgument, "step", messages::timeNotPositive());
        if (i > 0 && points[i - 1].devices == p.devices)
            return fail(ErrorKind::InvalidArgument, "devices", messages::givenTwice(p.devices));
    }
    return {};
}

}  // namespace

Result<std::vector<ScalingRow>> scalingOf(Scaling kind, std::vector<ScalingPoint> points) {
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.devices < b.devices; });
    TRY(check(points));
    const auto& base = points.front();
    std::vector<ScalingRow> rows;
    for (const auto& p : points) {
        ScalingRow row;
        row.devices = p.devices;
        const double times = static_cast<double>(p.devices) / base.devices;
        const double faster = base.stepSeconds / p.stepSeconds;
        row.speedup = kind == Scaling::Strong ? faster : times * faster;
        row.efficiency = row.speedup / times;
        const double whole = p.deviceStepSeconds.value_or(p.stepSeconds);
        if (p.exchangeSeconds) row.exchangeShare = *p.exchangeSeconds / whole;
        if (p.exposedSeconds) row.exposedShare = *p.exposedSeconds / whole;
        if (kind == Scaling::Strong && base.devices == 1 && p.devices > 1) {
            const double share = 1.0 / p.devices;
            row.serialFraction = (1 / row.speedup - share) / (1 - share);
        }
        rows.push_back(row);
    }
    return rows;
}

double ringSeconds(Bytes bytes, int devices, const Link& link) {
    if (devices < 2) return 0;
    const double hops = devices - 1;
    return 2 * hops * link.latencySeconds +
           2 * hops / devices * static_cast<double>(bytes.value()) / link.bytesPerSecond;
}

double treeSeconds(Bytes bytes, int devices, const Link& link) {
    if (devices < 2) return 0;
    return 2 * std::log2(devices) * link.latencySeconds + 2 * static_cast<double>(bytes.value()) / link.bytesPerSecond;
}

double allReduceSeconds(Bytes bytes, int devices, const Link& link) {
    return std::min(ringSeconds(bytes, devices, link), treeSeconds(bytes, devices, link));
}

double hierarchicalSeconds(Bytes bytes, int nodes, int devicesOfNode, const Link& inside, const Link& between) {
    if (nodes < 2) return allReduceSeconds(bytes, devicesOfNode, inside);
    const double levels = allReduceSeconds(bytes, devicesOfNode, inside) + allReduceSeconds(bytes, nodes, between);
    const Link slower{std::max(inside.latencySeconds, between.latencySeconds),
                      std::min(inside.bytesPerSecond, between.bytesPerSecond)};
    return std::min(levels, ringSeconds(bytes, nodes * devicesOfNode, slower));
}

Result<LinearTime> fitTimes(const std::vector<TimedMessage>& timed) {
    constexpr std::size_t kOfAnEnd = 3;
    if (timed.size() < 2) return fail(ErrorKind::InvalidArgument, {}, messages::noMeasurements());
    const auto end = std::min(kOfAnEnd, timed.size() / 2);
    std::vector<double> small, large;
    for (std::size_t i = 0; i < end; ++i) small.push_back(timed[i].seconds);
    LinearTime time;
    time.alpha = median(small);
    for (std::size_t i = timed.size() - end; i < timed.size(); ++i)
        large.push_back((timed[i].seconds - time.alpha) / static_cast<double>(timed[i].bytes));
    time.beta = median(large);
    const auto& largest = timed.back();
    if (!(time.beta > 0)) time.beta = largest.seconds / static_cast<double>(largest.bytes);
    return time;
}

Link linkOf(const LinearTime& allReduce, int devices) {
    const double hops = 2.0 * (devices - 1);
    return {allReduce.alpha / hops, hops / devices / allReduce.beta};
}

EfficiencyForecast forecastEfficiency(double computeSeconds, double exchangeSeconds, int exchanges) {
    constexpr double kBackwardShare = 2.0 / 3;  // it has twice the products of the forward pass
    const double last = exchangeSeconds / std::max(1, exchanges);
    const double exposed = std::max(last, exchangeSeconds - kBackwardShare * computeSeconds);
    const auto efficiency = [&](double waiting) { return computeSeconds / (computeSeconds + waiting); };
    return {efficiency(exchangeSeconds), efficiency((exchangeSeconds + exposed) / 2), efficiency(exposed)};
}

OverlappedStep overlap(const plan::Plan& plan, std::span<const double> operationSeconds,
                       const std::vector<Bucket>& buckets, std::span<const double> bucketSeconds) {
    OverlappedStep step;
    std::vector<double> finished(plan.operations.size());
    double beforeUpdates = 0;
    for (std::size_t i = 0; i < plan.operations.size(); ++i) {
        step.computeSeconds += operationSeconds[i];
        finished[i] = step.computeSeconds;
        if (plan.operations[i].pass != plan::Pass::Update) beforeUpdates = step.computeSeconds;
    }
    double exchanged = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        exchanged = std::max(exchanged, finished[static_cast<std::size_t>(buckets[b].readyAfter)]) + bucketSeconds[b];
        step.exchangeSeconds += bucketSeconds[b];
    }
    step.exposedSeconds = std::max(0.0, exchanged - beforeUpdates);
    return step;
}

}  // namespace steelyard::compute
