// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/step_model.h"

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {
namespace {

constexpr double kTraining = 3;  // forward, data gradient, weight gradient
constexpr double kUnitsReachable = 0.97;
constexpr double kCachedShare = 0.7;     // of a working set that fits in the cache
constexpr double kFusedDispatch = 0.35;  // of the launches, with fused operations
constexpr double kWinogradSaving = 2.25;

bool is16Bit(plan::Precision precision) {
    return precision == plan::Precision::Bf16 || precision == plan::Precision::Fp16;
}

double fourth(double x) {
    return (x * x) * (x * x);
}

struct Bytes {
    double forward = 0, backward = 0;
};

// Memory traffic of operations that are not matrix-like, all samples.
Bytes elementwiseBytes(const Work& work, const JobModel& job, double width) {
    const double in = work.inputs * static_cast<double>(job.batch) * width,
                 out = work.outputs * static_cast<double>(job.batch) * width;
    const bool training = job.mode == plan::Mode::Train;
    switch (work.kind) {
        case WorkKind::BatchNorm:
            return {training ? 3 * in : 2 * in, 5 * in};
        case WorkKind::LayerNorm:
            return {2 * in, 3 * in};
        case WorkKind::Add:
            return {in + out, out};
        case WorkKind::Embedding:
            return {2 * out, out + 4 * work.parameters};  // the table's gradient is dense and fp32
        default:
            return {in + out, 1.5 * (in + out)};
    }
}

bool isFusedAway(WorkKind kind) {
    return kind == WorkKind::Activation || kind == WorkKind::Add || kind == WorkKind::BatchNorm ||
           kind == WorkKind::LayerNorm || kind == WorkKind::Scale;
}

double updateBytes(const JobModel& job) {
    if (is16Bit(job.precision) && !job.mixedPrecision) return job.parameters * (16 + 8 * job.optimizerTensors) / 2;
    return job.parameters * (16 + 8 * job.optimizerTensors + (is16Bit(job.precision) ? 8 : 0));
}

class GpuStep {
public:
    GpuStep(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack, const Constants& constants)
        : m_job(job),
          m_device(device),
          m_stack(stack),
          m_c(constants),
          m_width(bytesPerElement(job.precision)),
          m_batch(static_cast<double>(job.batch)),
          m_training(job.mode == plan::Mode::Train),
          m_power(std::pow(std::max(1.0, device.powerRatio), -constants.powerExponent)) {
        m_matrixFlops = is16Bit(job.precision)                   ? device.matrix16Flops
                        : job.precision == plan::Precision::Tf32 ? device.tf32Flops
                                                                 : 0;
        m_launch = constants.launchSeconds;
        m_matrixLaunch = m_launch * (1 + constants.launchPerMultiprocessor * device.multiprocessors);
    }

    StepParts run() {
        for (const auto& work : m_job.work) add(work);
        if (m_training) {
            const double seconds = trafficSeconds(updateBytes(m_job), m_c.elementwiseBandwidth);
            m_parts.traffic += seconds;
            m_parts.launches += m_launch;
            m_parts.device += seconds + m_launch;
            m_boundBytes += updateBytes(m_job);
        }
        m_parts.device *= m_stack.factor;
        m_parts.host = hostSeconds();
        // Data that fit in the cache may remain there from the previous step.
        m_parts.bound = std::max(m_parts.bound, (m_boundBytes - m_device.cacheBytes) / m_device.bytesPerSecond);
        const double joined = std::sqrt(std::sqrt(fourth(m_parts.device) + fourth(m_parts.host)));
        m_parts.seconds = std::max(joined, m_parts.bound);
        return m_parts;
    }

private:
    [[nodiscard]] double trafficSeconds(double bytes, double utilization) const {
        if (bytes <= 0) return 0;
        const double cached = kCachedShare * m_device.cacheBytes / (m_device.cacheBytes + bytes);
        return bytes * (1 - cached) / (m_device.bytesPerSecond * utilization);
    }

    [[nodiscard]] double efficiency(WorkKind kind) const {
        const bool units = m_matrixFlops > 0;
        switch (kind) {
            case WorkKind::Convolution1x1:
                return units ? m_c.conv1x1On16 : m_c.conv1x1On32;
            case WorkKind::Convolution3x3:
                return units ? m_c.conv3x3On16 : m_c.conv3x3On32;
            case WorkKind::ConvolutionOther:
                return units ? m_c.convOn16 : m_c.convOn32;
            case WorkKind::MatMul:
                return units ? m_c.matMulOn16 : m_c.matMulOn32;
            case WorkKind::BatchedMatMul:
                return units ? m_c.batchedOn16 : m_c.batchedOn32;
            default:
                return m_c.recurrent;
        }
    }

    [[nodiscard]] double computeSeconds(const Work& work) const {
        if (work.flops == 0 || work.kind == WorkKind::Depthwise) return 0;
        const double shape =
            work.channels / (work.channels + m_c.halfChannels) * work.reduction / (work.reduction + m_c.halfReduction);
        const double flops = work.flops * m_batch;
        const double utilization = efficiency(work.kind) * shape * m_power;
        if (m_matrixFlops == 0) return flops / (utilization * m_device.vectorFlops);
        const double full = m_device.halfRateAccumulation ? 2 * m_matrixFlops : m_matrixFlops;
        const double ratio = m_job.precision == plan::Precision::Tf32 ? m_c.tf32Ratio : 1;
        return flops * std::sqrt(std::sqrt(1 / fourth(kUnitsReachable * m_matrixFlops) +
                                           1 / fourth(utilization * ratio * full)));
    }

    void add(const Work& work) {
        if (work.scoresOnly && m_stack.fusedAttention) return;
        if (!m_training && (work.kind == WorkKind::Loss || work.kind == WorkKind::Dropout)) return;
        if (isMatrixLike(work.kind)) {
            addMatrixLike(work);
        } else {
            const auto bytes = elementwiseBytes(work, m_job, m_width);
            addElementwise(work, bytes.forward);
            if (m_training) addElementwise(work, bytes.backward);
        }
    }

    void addMatrixLike(const Work& work) {
        const double elements = work.inputs + work.outputs - (m_stack.fusedAttention ? work.scores : 0);
        const double utilization = work.kind == WorkKind::Depthwise ? m_c.depthwiseBandwidth : m_c.matrixBandwidth;
        const double traffic = trafficSeconds((elements * m_batch + work.parameters) * m_width, utilization);
        const double compute = computeSeconds(work);
        const double launch = (work.kind == WorkKind::Depthwise ? m_launch : m_matrixLaunch) * work.steps;
        const double times = work.count * (m_training ? kTraining : 1);
        m_parts.compute += times * compute;
        m_parts.traffic += times * traffic;
        m_parts.launches += times * launch;
        m_parts.device += times * (std::hypot(compute, traffic) + launch);
        addBound(work, times);
    }

    void addElementwise(const Work& work, double bytes) {
        const double left = m_stack.fused && isFusedAway(work.kind) ? m_c.fusedTraffic : 1;
        const double traffic = left * trafficSeconds(bytes, m_c.elementwiseBandwidth);
        m_parts.traffic += work.count * traffic;
        m_parts.launches += work.count * m_launch;
        m_parts.device += work.count * (traffic + m_launch);
    }

    void addBound(const Work& work, double times) {
        const bool winograd = work.kind == WorkKind::Convolution3x3 && m_matrixFlops == 0;
        const double full = m_matrixFlops == 0              ? std::max(m_device.vectorFlops, m_device.peakVectorFlops)
                            : m_device.halfRateAccumulation ? 2 * m_matrixFlops
                                                            : m_matrixFlops;
        if (work.kind != WorkKind::Depthwise)
            m_parts.bound += times * work.flops * m_batch / (winograd ? kWinogradSaving : 1) / full;
        if (!m_training) m_boundBytes += work.count * work.parameters * m_width;
    }

    [[nodiscard]] double hostSeconds() const {
        const double launches = launchCount(m_job, m_stack) * (m_stack.fused ? kFusedDispatch : 1);
        switch (m_stack.dispatch) {
            case Dispatch::Eager:
                return launches * m_c.eagerDispatchSeconds;
            case Dispatch::Graph:
                return launches * m_c.graphDispatchSeconds;
            case Dispatch::Captured:
                return m_c.eagerDispatchSeconds;  // one launch replays everything
        }
        return 0;
    }

    const JobModel& m_job;
    const DeviceModel& m_device;
    const SoftwareStack& m_stack;
    const Constants& m_c;
    double m_width, m_batch;
    bool m_training;
    double m_power;
    double m_matrixFlops = 0, m_launch = 0, m_matrixLaunch = 0;
    double m_boundBytes = 0;
    StepParts m_parts;
};

}  // namespace

bool isLaunchBound(const StepParts& parts, const SoftwareStack& stack) {
    return parts.host > parts.device || stack.factor * parts.launches > 0.5 * parts.device;
}

double bytesPerElement(plan::Precision precision) {
    return is16Bit(precision) ? 2 : 4;
}

double launchCount(const JobModel& job, const SoftwareStack& stack) {
    const bool training = job.mode == plan::Mode::Train;
    double launches = 0;
    for (const auto& work : job.work) {
        if (work.scoresOnly && stack.fusedAttention) continue;
        // A step of a recurrent layer is a product and its gates; the update takes four small launches per parameter.
        const double each = work.kind == WorkKind::Recurrent ? 2 * work.steps : 1;
        launches += work.count * (training ? 3 * each + (work.parameters > 0 ? 4 : 0) : each);
    }
    return launches;
}

StepParts gpuStep(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack,
                  const Constants& constants) {
    return GpuStep(job, device, stack, constants).run();
}

StepParts processorStep(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack,
                        const PredictorParameters& parameters) {
    const auto& c = parameters.processor;
    const bool training = job.mode == plan::Mode::Train;
    const double width = bytesPerElement(job.precision), batch = static_cast<double>(job.batch);
    const double peak = is16Bit(job.precision) && device.bf16Flops > 0 ? device.bf16Flops : device.vectorFlops;
    const double operation = c.operationSeconds + c.operationSecondsPerThread * device.threadsUsed;
    const auto traffic = [&](double bytes) {
        const double cached = kCachedShare * device.cacheBytes / (device.cacheBytes + bytes);
        return bytes > 0 ? bytes * (1 - cached) / (device.bytesPerSecond * c.bandwidth) : 0;
    };
    StepParts parts;
    for (const auto& work : job.work) {
        if (work.scoresOnly && stack.fusedAttention) continue;
        if (!training && (work.kind == WorkKind::Loss || work.kind == WorkKind::Dropout)) continue;
        double compute = 0, moved = 0;
        if (isMatrixLike(work.kind)) {
            const double utilization = work.kind == WorkKind::Depthwise   ? c.depthwise
                                       : work.kind == WorkKind::Recurrent ? c.recurrent
                                       : work.kind == WorkKind::MatMul || work.kind == WorkKind::BatchedMatMul
                                           ? c.matMul
                                           : c.conv;
            const double times = training ? kTraining : 1;
            compute =
                times * work.flops * batch / (utilization * work.reduction / (work.reduction + c.halfReduction) * peak);
            moved = times * traffic(((work.inputs + work.outputs) * batch + work.parameters) * width);
            parts.bound += work.count * times * work.flops * batch /
                           (work.kind == WorkKind::Convolution3x3 ? kWinogradSaving : 1) / peak;
        } else {
            const auto bytes = elementwiseBytes(work, job, width);
            moved = traffic(bytes.forward) + (training ? traffic(bytes.backward) : 0);
        }
        parts.compute += work.count * compute;
        parts.traffic += work.count * moved;
        parts.launches += work.count * operation * work.steps * (training ? kTraining : 1);
        parts.device += work.count * std::hypot(compute, moved);
    }
    if (training) {
        const double seconds = traffic(updateBytes(job));
        parts.traffic += seconds;
        parts.device += seconds;
    }
    parts.device = stack.factor * (parts.device + parts.launches);
    parts.bound = std::max(parts.bound, (training ? updateBytes(job) - device.cacheBytes : 0) / device.bytesPerSecond);
    parts.seconds = std::max(parts.device, parts.bound);
    return parts;
}

StepParts decodeStep(const JobModel& job, const DeviceModel& device, double bandwidthShare) {
    const double width = bytesPerElement(job.precision);
    const double bytes = (job.parameters + job.cachedElements * static_cast<double>(job.batch)) * width;
    StepParts parts;
    parts.traffic = parts.device = bytes / (device.bytesPerSecond * bandwidthShare);
    parts.bound = bytes / device.bytesPerSecond;
    parts.seconds = parts.device;
    return parts;
}

}  // namespace steelyard::advisor
