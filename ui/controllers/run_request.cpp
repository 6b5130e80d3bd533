// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/run_request.h"

#include <algorithm>

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
    add("--device", joined(request.devices));
    add("--batch", joined(request.batches));
    add("--threads", joined(request.threads));
    add("--precision", joined(request.precisions));
    if (request.timeCapSeconds) add("--time-cap", QString::number(*request.timeCapSeconds));
    if (request.seed) add("--seed", QString::number(*request.seed));
    add("--data", QString::fromStdString(request.data));
    if (request.precise) arguments << QStringLiteral("--precise");
    add("--db", QString::fromStdString(request.database));
    arguments << QStringLiteral("--events") << QStringLiteral("jsonl");
    return arguments;
}

RunEstimate estimateOf(const RunRequest& request, const WorkloadCatalogue& catalogue) {
    if (!request.suite.empty()) {
        const auto* suite = catalogue.findSuite(request.suite);
        if (!suite) return {};
        return {static_cast<int>(suite->caseCount), suite->estimateSeconds};
    }
    const int variants = atLeastOne(request.devices.size()) * atLeastOne(request.batches.size()) *
                         atLeastOne(request.threads.size()) * atLeastOne(request.precisions.size());
    RunEstimate estimate{0, 0.0};
    for (const auto& id : request.workloads) {
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
