// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/memory_model.h"

#include <algorithm>

#include "engine/advisor/predict/step_model.h"

namespace steelyard::advisor {
namespace {

constexpr double kGib = 1024.0 * 1024 * 1024;
constexpr double kContext = 0.6 * kGib;
constexpr double kComfortable = 0.85, kImpossible = 1.05;

double largestOperation(const JobModel& job, bool fusedAttention) {
    double elements = 0;
    for (const auto& work : job.work) {
        if (work.scoresOnly && fusedAttention) continue;
        elements = std::max(elements, work.inputs + work.outputs - (fusedAttention ? work.scores : 0));
    }
    return elements;
}

}  // namespace

std::string_view toString(Fits value) {
    switch (value) {
        case Fits::Yes:
            return "fits";
        case Fits::Tight:
            return "tight";
        case Fits::No:
            return "does_not_fit";
        case Fits::Unknown:
            return "unknown";
    }
    return "unknown";
}

double keptElements(const JobModel& job, bool fusedAttention) {
    double elements = 0;
    for (const auto& work : job.work) {
        if (!work.kept || (work.scoresOnly && fusedAttention)) continue;
        const bool hidden = fusedAttention && work.outputs == work.scores;
        elements += work.count * (hidden ? 0 : work.outputs);
    }
    return elements;
}

MemoryNeed memoryNeed(const JobModel& job, const SoftwareStack& stack, bool onGpu) {
    const double batch = static_cast<double>(job.batch), width = bytesPerElement(job.precision);
    MemoryNeed need;
    need.context = onGpu ? kContext : 0;
    if (stack.name == kThisEngine && job.plannedFixedBytes > 0) {
        need.fixed = job.plannedFixedBytes;
        need.activations = job.plannedSampleBytes * batch;
        return need;
    }
    const double largest = largestOperation(job, stack.fusedAttention) * batch * width;
    if (job.mode == plan::Mode::Infer) {
        need.fixed = job.parameters * width + job.cachedElements * batch * width;
        need.activations = largest;
        need.workspace = std::min(kGib, 0.25 * kGib);
        return need;
    }
    const double mixed = width == 2 && job.mixedPrecision ? 4 : 0;
    const double kept = keptElements(job, stack.fusedAttention) * batch * width;
    need.fixed = job.parameters * (8 + 4 * job.optimizerTensors + mixed);
    need.activations = kept + largest;
    need.workspace = std::min(kGib, 0.25 * kGib + 0.05 * kept);
    return need;
}

Fits fits(double neededBytes, double availableBytes) {
    if (neededBytes < kComfortable * availableBytes) return Fits::Yes;
    return neededBytes <= kImpossible * availableBytes ? Fits::Tight : Fits::No;
}

}  // namespace steelyard::advisor
