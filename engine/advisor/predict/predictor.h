// SPDX-License-Identifier: Apache-2.0
// Time and memory of a job on a device that need not be present, with a band and a basis, or the reason for a refusal.
// Constructed once from parameters and references; read-only afterwards, any thread.
//
// Choice of the estimate: a measurement of this exact configuration, if there is one. Otherwise, if this job was
// measured on a device of the same generation, or on two or more devices, that measurement transferred by the model.
// Otherwise the model with the factor of the software (for this program learned from the user's measurements),
// corrected by other jobs measured on that device.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/predict/device_model.h"
#include "engine/advisor/predict/job_model.h"
#include "engine/advisor/predict/memory_model.h"
#include "engine/advisor/predict/step_model.h"
#include "engine/core/error.h"

namespace steelyard::advisor {

struct Interval {
    double low = 0, median = 0, high = 0;  // 80 % interval
    friend bool operator==(const Interval&, const Interval&) = default;
};

enum class Basis { Measured, Anchored, Extrapolated };
[[nodiscard]] std::string_view toString(Basis basis);

enum class Limit { Compute, Bandwidth, Overhead, Input };
[[nodiscard]] std::string_view toString(Limit limit);

// Why there is no prediction.
enum class Refusal {
    None,
    ComputeRateUnknown,
    BandwidthUnknown,
    PrecisionUnsupported,  // the device does not have it
    PartOfDevice,          // fractional GPUs are not modelled
    BatchBelowDevices,     // fewer samples than devices
    SoftwareNotForDevice,  // published stacks were measured on GPUs only
    DeviceUnknown,         // the offer's device is in no catalogue
};
[[nodiscard]] std::string_view toString(Refusal refusal);

// A measured step: by the user, on this computer, or imported.
struct Reference {
    JobModel job;
    DeviceModel device;
    std::string software{kThisEngine};
    Interval seconds;
};

struct Target {
    const DeviceModel* device = nullptr;
    double count = 1;                   // number of devices; the total batch is constant
    std::optional<double> memoryBytes;  // per device, if not that of its specification (an offer's, a container's)
    std::optional<double> inputSamplesPerSecond;  // throughput of the data pipeline; absent: not limiting
};

struct Prediction {
    Refusal refusal = Refusal::None;
    Interval seconds;         // per step; 0 if refused
    double boundSeconds = 0;  // lower bound: the model's compute and memory bound, or the measurement
    Limit limit = Limit::Compute;
    Basis basis = Basis::Extrapolated;
    std::optional<BandClass> bandClass;  // absent if measured
    std::string software;
    StepParts parts;             // per device
    double exchangeSeconds = 0;  // gradient exchange not overlapped with computing
    Fits fits = Fits::Unknown;
    double neededBytes = 0;
    std::optional<double> availableBytes;

    [[nodiscard]] bool hasTime() const { return refusal == Refusal::None; }
};

class Predictor {
public:
    explicit Predictor(PredictorParameters parameters, std::vector<Reference> references = {});

    [[nodiscard]] const PredictorParameters& parameters() const { return m_parameters; }
    // InvalidArgument names unknown software.
    [[nodiscard]] Result<Prediction> predict(const JobModel& job, const Target& target,
                                             std::string_view software = kThisEngine) const;

private:
    struct Estimate;
    [[nodiscard]] StepParts model(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack) const;
    [[nodiscard]] Estimate estimate(const JobModel& job, const DeviceModel& device, const SoftwareStack& stack) const;
    [[nodiscard]] std::optional<double> carriedShift(const Reference& source, const JobModel& job,
                                                     const DeviceModel& device) const;
    [[nodiscard]] SoftwareStack learned(const SoftwareStack& stack, DeviceKind kind, std::size_t* witnesses) const;
    [[nodiscard]] BandClass absoluteBand(const DeviceModel& device, const SoftwareStack& stack, const StepParts& parts,
                                         std::size_t witnesses) const;

    PredictorParameters m_parameters;
    std::vector<Reference> m_references;
    std::vector<double> m_modelled;  // modelled seconds of each reference, with the shipped factor of its stack
};

// Gradient exchange between n devices in each step.
enum class ExchangePath {
    Ring,     // each device's link carries 2 (n - 1) / n of the gradients
    Central,  // all gradients pass through one shared link, as in summation by the host
};
[[nodiscard]] double exchangeSeconds(double gradientBytes, double devices, double linkBytesPerSecond,
                                     ExchangePath path);

// t1 / (n tn): 1 is perfect.
[[nodiscard]] double parallelEfficiency(double secondsOnOne, double secondsOnMany, double devices);

}  // namespace steelyard::advisor
