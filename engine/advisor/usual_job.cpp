// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/usual_job.h"

#include "engine/advisor/predict/predictor_parameters.h"

namespace steelyard::advisor {

std::string usualSoftware(const model::Workload& workload) {
    return std::string(workload.family == "micro" ? kThisEngine : kUsualSoftware);
}

plan::Precision usualPrecision(std::string_view software) {
    return software == kThisEngine ? plan::Precision::Fp32 : plan::Precision::Fp16;
}

UsualJob usualJob(const model::Workload& workload, std::optional<plan::Mode> mode, std::string_view software) {
    UsualJob job;
    job.software = software.empty() ? usualSoftware(workload) : std::string(software);
    job.mode = mode.value_or(plan::usualMode(workload));
    job.precision = usualPrecision(job.software);
    job.batch = workload.usualBatch > 0 ? workload.usualBatch : workload.batch;
    if (job.mode == plan::Mode::Train) job.epochs = static_cast<double>(workload.epochs);
    if (workload.trainSamples > 0) job.samples = static_cast<double>(workload.trainSamples);
    return job;
}

ServingRequest usualServing(ServingKind kind) {
    ServingRequest request;
    if (kind == ServingKind::Chat) {
        request.tokensPerMonth = 3e6;
        request.userSpeed = 10;
    }
    return request;
}

TuningOfferRequest usualTuning() {
    return {};
}

}  // namespace steelyard::advisor
