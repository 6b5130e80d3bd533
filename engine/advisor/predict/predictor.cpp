// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/advisor/predict/transfer.h"
#include "engine/advisor/statistics.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/quantile.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::advisor {
namespace {

// For second-hand estimates, and figures without a source.
constexpr double kLowTrustWidening = 0.15;
// Fraction of a step in which gradients can be exchanged: they become available during the backward pass, two thirds of
// it.
constexpr double kOverlap = 0.5;

bool sameJob(const JobModel& a, const JobModel& b) {
    return model::onnx::workloadIdentity(a.workload) == model::onnx::workloadIdentity(b.workload) && a.mode == b.mode &&
           a.precision == b.precision;
}

bool isNear(const JobModel& a, const JobModel& b) {
    const double ratio = static_cast<double>(a.batch) / static_cast<double>(b.batch);
    return ratio <= kTransferBatchRatio && ratio >= 1 / kTransferBatchRatio;
}

bool isOn(const Reference& reference, const DeviceModel& device) {
    return reference.device.id == device.id && reference.device.cores == device.cores;
}

Refusal refusalOf(const JobModel& job, const DeviceModel& device, double count) {
    if (count < 1 || count != std::floor(count)) return Refusal::PartOfDevice;
    if (static_cast<double>(job.batch) < count) return Refusal::BatchBelowDevices;
    switch (job.precision) {
        case plan::Precision::Fp32:
            return Refusal::None;
        case plan::Precision::Tf32:
            return device.tf32Flops > 0 ? Refusal::None : Refusal::PrecisionUnsupported;
        case plan::Precision::Bf16:
            return device.bf16Flops > 0 ? Refusal::None : Refusal::PrecisionUnsupported;
        case plan::Precision::Int8:
            return Refusal::PrecisionUnsupported;
        case plan::Precision::Fp16:
            // Cards without such units store fp16 and compute at the fp32 rate.
            return device.kind == DeviceKind::Gpu ? Refusal::None : Refusal::PrecisionUnsupported;
    }
    return Refusal::None;
}

Limit limitOf(const StepParts& parts, const SoftwareStack& stack) {
    if (isLaunchBound(parts, stack)) return Limit::Overhead;
    return parts.traffic > parts.compute ? Limit::Bandwidth : Limit::Compute;
}

Band widened(Band band) {
    return {std::max(0.05, band.low - kLowTrustWidening), band.median, band.high + kLowTrustWidening};
}

}  // namespace

std::string_view toString(Basis basis) {
    switch (basis) {
        case Basis::Measured:
            return "measured";
        case Basis::Anchored:
            return "anchored";
        case Basis::Extrapolated:
            return "extrapolated";
    }
    return "extrapolated";
}

std::string_view toString(Limit limit) {
    switch (limit) {
        case Limit::Compute:
            return "compute";
        case Limit::Bandwidth:
            return "bandwidth";
        case Limit::Overhead:
            return "overhead";
        case Limit::Input:
            return "input";
    }
    return "compute";
}

std::string_view toString(Refusal refusal) {
    switch (refusal) {
        case Refusal::None:
            return "none";
        case Refusal::ComputeRateUnknown:
            return "compute_rate_unknown";
        case Refusal::BandwidthUnknown:
            return "bandwidth_unknown";
        case Refusal::PrecisionUnsupported:
            return "precision_unsupported";
        case Refusal::PartOfDevice:
            return "part_of_device";
        case Refusal::BatchBelowDevices:
            return "batch_below_devices";
        case Refusal::SoftwareNotForDevice:
            return "software_not_for_device";
        case Refusal::DeviceUnknown:
            return "device_unknown";
    }
    return "none";
}

struct Predictor::Estimate {
    double seconds = 0;
    StepParts parts;
    Limit limit = Limit::Compute;
    Basis basis = Basis::Extrapolated;
    std::optional<BandClass> bandClass;
    std::optional<Interval> measured;
};

Predictor::Predictor(PredictorParameters parameters, std::vector<Reference> references)
    : m_parameters(std::move(parameters)), m_references(std::move(references)) {
    std::erase_if(m_references, [&](const Reference& r) {
        return m_parameters.findStack(r.software) == nullptr || !(r.seconds.median > 0);
    });
    for (const auto& reference : m_references)
        m_modelled.push_back(
            model(reference.job, reference.device, *m_parameters.findStack(reference.software)).seconds);
}

StepParts Predictor::model(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack) const {
    if (job.isDecode() && device.kind != DeviceKind::Processor)
        return decodeStep(job, device, m_parameters.decodeBandwidth);
    if (device.kind == DeviceKind::Processor) return processorStep(job, device, stack, m_parameters);
    return gpuStep(job, device, stack, m_parameters.constants);
}

// The factor of a stack from its measurements on this kind of device, shrunk towards the shipped one.
SoftwareStack Predictor::learned(const SoftwareStack& stack, DeviceKind kind, std::size_t* witnesses) const {
    std::vector<double> residuals;
    for (std::size_t i = 0; i < m_references.size(); ++i) {
        const auto& reference = m_references[i];
        if (reference.software == stack.name && reference.device.kind == kind)
            residuals.push_back(std::log(reference.seconds.median / m_modelled[i]));
    }
    *witnesses = residuals.size();
    auto result = stack;
    result.factor *= std::exp(shrunkMedian(residuals));
    return result;
}

BandClass Predictor::absoluteBand(const DeviceModel& device, const SoftwareStack& stack, const StepParts& parts,
                                  std::size_t witnesses) const {
    if (device.kind == DeviceKind::Accelerator) return BandClass::Uncalibrated;
    if (device.kind == DeviceKind::Processor) return witnesses > 0 ? BandClass::OtherProcessor : BandClass::Unmeasured;
    if (!device.fittedVendor) return BandClass::Unmeasured;
    if (!stack.fitted) return witnesses > 0 ? BandClass::OtherGenerationTransfer : BandClass::Unmeasured;
    return isLaunchBound(parts, stack) ? BandClass::LaunchBound : BandClass::KnownStack;
}

// Error of the transfer from the machine of `source` for other jobs measured on both machines: mainly how the software
// scales with cores, which a thread sweep shows but no data sheet. In log seconds, nothing without such jobs.
std::optional<double> Predictor::carriedShift(const Reference& source, const JobModel& job,
                                              const DeviceModel& device) const {
    std::vector<double> shifts;
    for (std::size_t b = 0; b < m_references.size(); ++b) {
        const auto& there = m_references[b];
        if (there.software != source.software || !isOn(there, device) || sameJob(there.job, job) ||
            there.job.mode != job.mode || there.job.precision != job.precision)
            continue;
        for (std::size_t a = 0; a < m_references.size(); ++a) {
            const auto& here = m_references[a];
            if (here.software != source.software || !isOn(here, source.device) || !sameJob(here.job, there.job) ||
                here.job.batch != there.job.batch)
                continue;
            shifts.push_back(std::log(there.seconds.median / m_modelled[b] * m_modelled[a] / here.seconds.median));
        }
    }
    if (shifts.empty()) return std::nullopt;
    return shrunkMedian(shifts);
}

Predictor::Estimate Predictor::estimate(const JobModel& job, const DeviceModel& device,
                                        const SoftwareStack& shipped) const {
    Estimate result;
    const double modelled = model(job, device, shipped).seconds;  // comparable with m_modelled
    std::vector<double> related, all, anchors;
    double nearest = std::numeric_limits<double>::infinity();  // processor, by the logarithm of its cores
    for (std::size_t i = 0; i < m_references.size(); ++i) {
        const auto& reference = m_references[i];
        if (reference.software != shipped.name || reference.device.kind != device.kind) continue;
        const bool same = sameJob(reference.job, job);
        const bool here = isOn(reference, device);
        if (same && here && reference.job.batch == job.batch) result.measured = reference.seconds;
        if (same && isNear(reference.job, job)) {
            double seconds = transferred(reference.seconds.median, m_modelled[i], modelled);
            if (device.kind == DeviceKind::Processor) {
                const double away = std::abs(std::log(reference.device.cores / device.cores));
                if (away > nearest) continue;
                if (away < nearest) all.clear();
                nearest = std::min(nearest, away);
                if (const auto shift = here ? std::nullopt : carriedShift(reference, job, device))
                    seconds = reference.seconds.median * modelled / m_modelled[i] * std::exp(*shift);
            }
            all.push_back(seconds);
            const bool kin = here || (device.generation && reference.device.generation == device.generation);
            if (kin && device.kind == DeviceKind::Gpu) related.push_back(seconds);
        } else if (here && reference.job.mode == job.mode && reference.job.precision == job.precision) {
            anchors.push_back(std::log(reference.seconds.median / m_modelled[i]));
        }
    }
    std::size_t witnesses = 0;
    const auto stack = learned(shipped, device.kind, &witnesses);
    result.parts = model(job, device, stack);
    result.limit = limitOf(result.parts, stack);
    result.basis = Basis::Anchored;
    if (result.measured) {
        result.basis = Basis::Measured;
        result.seconds = result.measured->median;
        // A single value without an interval: its noise is unknown, not zero.
        if (!(result.measured->low < result.measured->high)) result.bandClass = BandClass::SameGenerationTransfer;
    } else if (!related.empty()) {
        result.seconds = quantile(related, 0.5);
        result.bandClass = BandClass::SameGenerationTransfer;
    } else if (all.size() >= 2 || (!all.empty() && device.kind == DeviceKind::Processor)) {
        result.seconds = quantile(all, 0.5);
        result.bandClass = device.kind == DeviceKind::Processor ? BandClass::OtherProcessor : BandClass::MedianTransfer;
    } else if (anchors.size() >= 2) {
        result.seconds = modelled * std::exp(shrunkMedian(anchors));
        result.bandClass = BandClass::Anchored;
    } else {
        result.seconds = result.parts.seconds;
        result.bandClass = absoluteBand(device, stack, result.parts, witnesses);
        if (witnesses == 0) result.basis = Basis::Extrapolated;
    }
    return result;
}

Result<Prediction> Predictor::predict(const JobModel& job, const Target& target, std::string_view software) const {
    const auto* stack = m_parameters.findStack(software);
    if (stack == nullptr) return fail(ErrorKind::InvalidArgument, "software", messages::noSpeeds(software));
    const auto& device = *target.device;
    Prediction result;
    result.software = stack->name;
    result.refusal = refusalOf(job, device, target.count);
    if (result.refusal == Refusal::None && device.kind != DeviceKind::Gpu && stack->name != kThisEngine)
        result.refusal = Refusal::SoftwareNotForDevice;
    if (result.refusal == Refusal::PartOfDevice || result.refusal == Refusal::BatchBelowDevices) return result;

    auto perDevice = job;  // the work of one device
    perDevice.batch = static_cast<std::int64_t>(std::ceil(static_cast<double>(job.batch) / target.count));
    result.neededBytes = memoryNeed(perDevice, *stack, device.kind == DeviceKind::Gpu).total();
    result.availableBytes = target.memoryBytes ? target.memoryBytes : device.memoryBytes;
    if (result.availableBytes) result.fits = fits(result.neededBytes, *result.availableBytes);
    if (result.refusal != Refusal::None) return result;

    const auto one = estimate(perDevice, device, *stack);
    result.parts = one.parts;
    // The bound reads every weight from memory; the measured run may have had them in cache.
    result.boundSeconds = one.measured ? std::min(one.parts.bound, one.measured->low) : one.parts.bound;
    result.basis = one.basis;
    result.bandClass = one.bandClass;
    result.limit = one.limit;
    double seconds = one.seconds;
    if (target.count > 1 && job.mode == plan::Mode::Train) {
        const double link = device.linkBytesPerSecond.value_or(0);
        const double gradients = job.parameters * bytesPerElement(job.precision);
        const double exchange = link > 0 ? exchangeSeconds(gradients, target.count, link, ExchangePath::Ring) : 0;
        result.exchangeSeconds = std::max(0.0, exchange - kOverlap * seconds);
        // Published efficiencies include effects beyond the link: waiting for the slowest device, and copies.
        double efficiency = 1;
        for (const auto& known : m_parameters.parallel)
            if (known.devices <= target.count)
                efficiency = (job.family() == Family::Transformer ? known.transformer : known.convolutional).median;
        seconds = std::max(seconds + result.exchangeSeconds, seconds / efficiency);
        if (result.basis == Basis::Measured) result.basis = Basis::Anchored;
        if (!result.bandClass) result.bandClass = BandClass::SameGenerationTransfer;
        if (result.exchangeSeconds > one.seconds) result.limit = Limit::Bandwidth;
    }
    auto band = result.bandClass ? m_parameters.band(*result.bandClass) : Band{};
    if (device.lowTrust) band = widened(band);
    result.seconds = {seconds * band.low, seconds, seconds * band.high};
    if (result.basis == Basis::Measured && !result.bandClass) result.seconds = *one.measured;
    const double input =
        target.inputSamplesPerSecond ? static_cast<double>(job.batch) / *target.inputSamplesPerSecond : 0;
    if (input > result.seconds.median) result.limit = Limit::Input;
    for (auto* value : {&result.seconds.low, &result.seconds.median, &result.seconds.high})
        *value = std::max({*value, result.boundSeconds, input});
    return result;
}

double exchangeSeconds(double gradientBytes, double devices, double linkBytesPerSecond, ExchangePath path) {
    if (devices <= 1) return 0;
    const double passes = path == ExchangePath::Ring ? 2 * (devices - 1) / devices : devices;
    return gradientBytes * passes / linkBytesPerSecond;
}

double parallelEfficiency(double secondsOnOne, double secondsOnMany, double devices) {
    return secondsOnOne / (devices * secondsOnMany);
}

}  // namespace steelyard::advisor
