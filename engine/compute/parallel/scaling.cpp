// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/scaling.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/messages/compute.h"

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
