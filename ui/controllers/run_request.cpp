// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/run_request.h"

#include <algorithm>

#include "engine/bench/multi_device/gpu_sweep.h"
#include "engine/core/device_id.h"

namespace steelyard::ui {
namespace {

template <typename Number>
QString joined(const std::vector<Number>& numbers) {
    QStringList parts;
    for (const auto number : numbers) parts << QString::number(number);
    return parts.join(QLatin1Char(','));
}

QString joined(const std::vector<std::string>& words) {
    QStringList parts;
    for (const auto& word : words) parts << QString::fromStdString(word);
    return parts.join(QLatin1Char(','));
}

int atLeastOne(std::size_t count) {
    return std::max(1, static_cast<int>(count));
}

// Of one workload in one mode: one GPU is the base of every kind of scaling.
int sharedCases(const RunRequest& request) {
    constexpr int kKinds = 3;
    const int kinds = request.scalings.empty() ? kKinds : static_cast<int>(request.scalings.size());
    int cases = 0;
    for (const int count : request.gpus) cases += count == 1 ? 1 : kinds;
    return cases;
}

}  // namespace

QStringList argumentsOf(const RunRequest& request) {
    QStringList arguments{QStringLiteral("run")};
    const auto add = [&](const char* option, const QString& value) {
        if (!value.isEmpty()) arguments << QLatin1String(option) << value;
    };
    if (!request.resume.empty()) {
        add("--resume", QString::fromStdString(request.resume));
        add("--db", QString::fromStdString(request.database));
        return arguments << QStringLiteral("--events") << QStringLiteral("jsonl");
    }
    add("--suite", QString::fromStdString(request.suite));
    add("--workload", joined(request.workloads));
    add("--mode", joined(request.modes));
    const bool shared = !request.gpus.empty();
    if (!shared) add("--device", joined(request.devices));
    add("--gpus", joined(request.gpus));
    if (shared) add("--scaling", joined(request.scalings));
    add("--batch", joined(request.batches));
    if (!shared) add("--threads", joined(request.threads));
    add("--precision", joined(request.precisions));
    if (request.timeCapSeconds) add("--time-cap", QString::number(*request.timeCapSeconds));
    if (request.seed) add("--seed", QString::number(*request.seed));
    if (!shared) add("--data", QString::fromStdString(request.data));
    if (request.precise) arguments << QStringLiteral("--precise");
    add("--db", QString::fromStdString(request.database));
    arguments << QStringLiteral("--events") << QStringLiteral("jsonl");
    return arguments;
}

std::vector<int> gpuChoices(const WorkloadCatalogue& catalogue) {
    const auto usable = std::count_if(catalogue.devices.begin(), catalogue.devices.end(), [](const auto& device) {
        return device.runnable && DeviceId::parse(device.id).isGpu();
    });
    if (usable < 2) return {};
    bench::SuiteRequest all;
    all.machine.gpus = static_cast<int>(usable);
    return bench::gpuCounts(all).value_or(std::vector<int>());
}

RunEstimate estimateOf(const RunRequest& request, const WorkloadCatalogue& catalogue) {
    const bool shared = !request.gpus.empty();
    auto workloads = request.workloads;
    if (!request.suite.empty()) {
        const auto* suite = catalogue.findSuite(request.suite);
        if (!suite) return {};
        if (!shared) return {static_cast<int>(suite->caseCount), suite->estimateSeconds};
        workloads = suite->workloads;
    }
    const int places =
        shared ? sharedCases(request) : atLeastOne(request.devices.size()) * atLeastOne(request.threads.size());
    const int variants = places * atLeastOne(request.batches.size()) * atLeastOne(request.precisions.size());
    RunEstimate estimate{0, 0.0};
    for (const auto& id : workloads) {
        const auto* workload = catalogue.findWorkload(id);
        if (!workload || !workload->runnable) continue;
        const auto& wanted = request.modes.empty() ? workload->modes : request.modes;
        const auto modes = std::count_if(wanted.begin(), wanted.end(), [&](const std::string& mode) {
            return std::find(workload->modes.begin(), workload->modes.end(), mode) != workload->modes.end();
        });
        const int cases = static_cast<int>(modes) * variants;
        estimate.cases += cases;
        if (!workload->estimateSeconds) estimate.seconds.reset();
        if (estimate.seconds) *estimate.seconds += *workload->estimateSeconds * cases;
    }
    return estimate;
}

}  // namespace steelyard::ui
