// SPDX-License-Identifier: Apache-2.0
// Time and memory of a job on a device that is not here, with a band, a basis and the reason where there is no answer.
// Constructed once with the constants and what was measured on this computer; afterwards read-only, any thread.
//
// Which estimate: measured here in this very configuration: that. Else, when this job was measured on a device of the
// same generation, or on two and more devices: that, carried over by the model. Else the model, with the factor of the
// software (of this program: learned from the user's own measurements), corrected by other jobs measured on that
// device.
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
    double low = 0, median = 0, high = 0;  // 80 %
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
    PartOfDevice,          // a fraction of a GPU is not modelled
    BatchBelowDevices,     // fewer samples than devices
    SoftwareNotForDevice,  // a published stack was measured on GPUs only
    DeviceUnknown,         // an offer whose device is in no catalogue
};
[[nodiscard]] std::string_view toString(Refusal refusal);

// A step that was measured: by the user, on this computer or imported.
struct Reference {
    JobModel job;
    DeviceModel device;
    std::string software{kThisEngine};
    Interval seconds;
};

struct Target {
    const DeviceModel* device = nullptr;
    double count = 1;                   // of them, the total batch constant
    std::optional<double> memoryBytes;  // of each, where it is not the device's own (an offer's, a container's)
    std::optional<double> inputSamplesPerSecond;  // what the data pipeline delivers; absent: enough
};

struct Prediction {
    Refusal refusal = Refusal::None;
    Interval seconds;         // of a step; 0 when refused
    double boundSeconds = 0;  // never faster than this: arithmetic and memory of the model, or what was measured
    Limit limit = Limit::Compute;
    Basis basis = Basis::Extrapolated;
    std::optional<BandClass> bandClass;  // absent when measured
    std::string software;
    StepParts parts;             // of one device
    double exchangeSeconds = 0;  // of gradients between devices, where it is not hidden behind computing
    Fits fits = Fits::Unknown;
    double neededBytes = 0;
    std::optional<double> availableBytes;

    [[nodiscard]] bool hasTime() const { return refusal == Refusal::None; }
};

class Predictor {
public:
    explicit Predictor(PredictorParameters parameters, std::vector<Reference> references = {});

    [[nodiscard]] const PredictorParameters& parameters() const { return m_parameters; }
    // InvalidArgument names the software that is not known.
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
    std::vector<double> m_modelled;  // seconds of each reference by the model, with the stack's shipped factor
};

// Exchange of gradients between n devices, each step.
enum class ExchangePath {
    Ring,     // each device's own link carries 2 (n - 1) / n of the gradients
    Central,  // all gradients pass one shared link, as when a host sums them
};
[[nodiscard]] double exchangeSeconds(double gradientBytes, double devices, double linkBytesPerSecond,
                                     ExchangePath path);

// t1 / (n tn): 1 is perfect.
[[nodiscard]] double parallelEfficiency(double secondsOnOne, double secondsOnMany, double devices);

}  // namespace steelyard::advisor
