// SPDX-License-Identifier: Apache-2.0
// Batch normalisation (S. Ioffe, C. Szegedy, Batch Normalization, 2015) and layer normalisation (J. L. Ba, J. R. Kiros,
// G. E. Hinton, Layer Normalization, 2016), forward and backward. With N values in a set, their mean m and biased
// variance v:
//   x^ = (x - m) / sqrt(v + epsilon);  y = scale x^ + offset
//   dx = (g - mean(g) - x^ mean(g x^)) / sqrt(v + epsilon)   with g = scale dy
#include <cmath>

#include "engine/compute/reference/step_run.h"
#include "engine/core/random.h"

namespace steelyard::compute::reference {
namespace {

struct Moments {
    double mean = 0, variance = 0;
};

// Two-pass moments of `count` values, the i-th at position at(i).
template <typename At>
Moments momentsOf(std::span<const float> values, std::size_t count, const At& at) {
    Moments moments;
    for (std::size_t i = 0; i < count; ++i) moments.mean += static_cast<double>(values[at(i)]);
    moments.mean /= static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double deviation = static_cast<double>(values[at(i)]) - moments.mean;
        moments.variance += deviation * deviation;
    }
    moments.variance /= static_cast<double>(count);
    return moments;
}

// [B, C, H, W] or [B, F]: position of a channel's i-th value.
struct Channels {
    std::size_t count = 0, pixels = 0, perChannel = 0;

    explicit Channels(const model::Shape& dims)
        : count(static_cast<std::size_t>(dims[1])),
          pixels(dims.size() == 4 ? static_cast<std::size_t>(dims[2] * dims[3]) : 1),
          perChannel(static_cast<std::size_t>(dims[0]) * pixels) {}
    [[nodiscard]] std::size_t at(std::size_t channel, std::size_t i) const {
        return (i / pixels * count + channel) * pixels + i % pixels;
    }
};

void addTo(float& target, double value) {
    target = static_cast<float>(static_cast<double>(target) + value);
}

// Training: moments of the batch, which also update the running ones; inference: the running ones.
Moments batchMoments(StepRun& run, const Operation& op, const Channels& channels, std::size_t c) {
    const auto runningMean = run.parameter(op, 2);
    const auto runningVariance = run.parameter(op, 3);
    if (run.plan.options.mode == plan::Mode::Infer)
        return {static_cast<double>(runningMean[c]), static_cast<double>(runningVariance[c])};
    const auto moments =
        momentsOf(run.input(op), channels.perChannel, [&](std::size_t i) { return channels.at(c, i); });
    const double momentum = std::get<model::BatchNorm>(op.layer).momentum;
    addTo(runningMean[c], momentum * (moments.mean - static_cast<double>(runningMean[c])));
    addTo(runningVariance[c], momentum * (moments.variance - static_cast<double>(runningVariance[c])));
    return moments;
}

void batchNormForward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    const Channels channels(run.dims(op.output));
    const double epsilon = std::get<model::BatchNorm>(op.layer).epsilon;
    for (std::size_t c = 0; c < channels.count; ++c) {
        const auto [mean, variance] = batchMoments(run, op, channels, c);
        const double inverse = 1 / std::sqrt(variance + epsilon);
        const auto scale = static_cast<double>(run.parameter(op, 0)[c]);
        const auto offset = static_cast<double>(run.parameter(op, 1)[c]);
        for (std::size_t i = 0; i < channels.perChannel; ++i) {
            const auto at = channels.at(c, i);
            y[at] = static_cast<float>(scale * (static_cast<double>(x[at]) - mean) * inverse + offset);
        }
        if (op.saved.empty()) continue;
        run.saved(op, 0)[c] = static_cast<float>(mean);
        run.saved(op, 1)[c] = static_cast<float>(inverse);
    }
}

// A sum and the sum of its terms' magnitudes, to which its error is relative regardless of cancellation.
struct Sum {
    double value = 0, magnitude = 0;

    void add(double term) {
        value += term;
        magnitude += std::abs(term);
    }
    // With an error of that fraction of the magnitude, in either direction.
    [[nodiscard]] double inexact(double error, std::size_t channel) const {
        const bool up = (mixBits(static_cast<std::uint32_t>(channel)) & 1U) != 0;
        return value + (up ? error : -error) * magnitude;
    }
};

void batchNormBackward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto dy = run.outputGradient(op);
    const auto dx = run.inputGradient(op);
    const auto dScale = run.parameterGradient(op, 0);
    const auto dOffset = run.parameterGradient(op, 1);
    const Channels channels(run.dims(op.outputGradient));
    const auto count = static_cast<double>(channels.perChannel);
    for (std::size_t c = 0; c < channels.count; ++c) {
        const auto mean = static_cast<double>(run.saved(op, 0)[c]);
        const auto inverse = static_cast<double>(run.saved(op, 1)[c]);
        const auto scale = static_cast<double>(run.parameter(op, 0)[c]);
        Sum sums, weightedSums;  // of dy and of dy x^
        for (std::size_t i = 0; i < channels.perChannel; ++i) {
            const auto at = channels.at(c, i);
            sums.add(static_cast<double>(dy[at]));
            weightedSums.add(static_cast<double>(dy[at]) * (static_cast<double>(x[at]) - mean) * inverse);
        }
        const double sum = sums.inexact(run.sumError, c);
        const double weighted = weightedSums.inexact(run.sumError, c);
        addTo(dScale[c], weighted);
        addTo(dOffset[c], sum);
        if (dx.empty()) continue;
        for (std::size_t i = 0; i < channels.perChannel; ++i) {
            const auto at = channels.at(c, i);
            const double normal = (static_cast<double>(x[at]) - mean) * inverse;
            addTo(dx[at], scale * inverse * (static_cast<double>(dy[at]) - sum / count - normal * weighted / count));
        }
    }
}

void layerNormForward(StepRun& run, const Operation& op) {
    const auto y = run.output(op);
    const auto features = static_cast<std::size_t>(run.dims(op.output).back());
    const double epsilon = std::get<model::LayerNorm>(op.layer).epsilon;
    for (std::size_t row = 0; row < y.size() / features; ++row) {
        const auto x = run.input(op).subspan(row * features, features);
        const auto [mean, variance] = momentsOf(x, features, [](std::size_t i) { return i; });
        const double inverse = 1 / std::sqrt(variance + epsilon);
        for (std::size_t f = 0; f < features; ++f) {
            const double normal = (static_cast<double>(x[f]) - mean) * inverse;
            y[row * features + f] = static_cast<float>(static_cast<double>(run.parameter(op, 0)[f]) * normal +
                                                       static_cast<double>(run.parameter(op, 1)[f]));
        }
        if (op.saved.empty()) continue;
        run.saved(op, 0)[row] = static_cast<float>(mean);
        run.saved(op, 1)[row] = static_cast<float>(inverse);
    }
}

void layerNormBackward(StepRun& run, const Operation& op) {
    const auto scale = run.parameter(op, 0);
    const auto dx = run.inputGradient(op);
    const auto features = scale.size();
    auto& sums = run.scratch.sums;  // gradients of scale and offset, accumulated in double
    sums.assign(2 * features, 0.0);
    for (std::size_t row = 0; row < run.outputGradient(op).size() / features; ++row) {
        const auto x = run.input(op).subspan(row * features, features);
        const auto dy = run.outputGradient(op).subspan(row * features, features);
        const auto mean = static_cast<double>(run.saved(op, 0)[row]);
        const auto inverse = static_cast<double>(run.saved(op, 1)[row]);
        double sum = 0, weighted = 0;  // of g and of g x^
        for (std::size_t f = 0; f < features; ++f) {
            const double normal = (static_cast<double>(x[f]) - mean) * inverse;
            const double g = static_cast<double>(scale[f]) * static_cast<double>(dy[f]);
            sum += g;
            weighted += g * normal;
            sums[f] += static_cast<double>(dy[f]) * normal;
            sums[features + f] += static_cast<double>(dy[f]);
        }
        if (dx.empty()) continue;
        const auto count = static_cast<double>(features);
        for (std::size_t f = 0; f < features; ++f) {
            const double normal = (static_cast<double>(x[f]) - mean) * inverse;
            const double g = static_cast<double>(scale[f]) * static_cast<double>(dy[f]);
            addTo(dx[row * features + f], inverse * (g - sum / count - normal * weighted / count));
        }
    }
    for (std::size_t p = 0; p < 2; ++p) {
        const auto gradient = run.parameterGradient(op, p);
        for (std::size_t f = 0; f < features; ++f) addTo(gradient[f], sums[p * features + f]);
    }
}

}  // namespace

void runBatchNorm(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? batchNormForward(run, op) : batchNormBackward(run, op);
}

void runLayerNorm(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? layerNormForward(run, op) : layerNormBackward(run, op);
}

}  // namespace steelyard::compute::reference
