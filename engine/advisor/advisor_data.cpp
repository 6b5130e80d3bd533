// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/advisor_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/advisor/predict/local_hardware.h"
#include "engine/core/limits.h"
#include "engine/core/messages/advisor.h"
#include "engine/model/nearest_name.h"
#include "engine/model/resolve.h"

namespace steelyard::advisor {
namespace {

using Wanted = std::vector<std::string>;

Result<void> checkWanted(const Wanted& wanted, const AdvisorData& data, const std::vector<OwnCandidate>& own) {
    std::vector<std::string_view> known;
    for (const auto& candidate : own) known.push_back(candidate.id);
    for (const auto& spec : data.catalog.hardware) known.push_back(spec.id);
    for (const auto& id : wanted) {
        if (std::ranges::find(known, id) != known.end()) continue;
        return fail(ErrorKind::NotFound, fmt::format("device '{}'", id),
                    known.empty() ? Message() : messages::didYouMean(model::nearestName(id, known)));
    }
    return {};
}

bool isWanted(const Wanted& wanted, std::string_view id) {
    return wanted.empty() || std::ranges::find(wanted, id) != wanted.end();
}

}  // namespace

Result<AdvisorData> loadAdvisorData(const AdvisorFiles& files) {
    AdvisorData data;
    auto shipped = catalog::loadCatalog(files.resources / "catalog");
    if (!shipped) return Failure(std::move(shipped.error()));
    data.shipped = std::move(*shipped);
    if (!files.userCatalog.empty()) {
        auto user = catalog::loadUserCatalog(files.userCatalog);
        if (!user) return Failure(std::move(user.error()));
        data.user = std::move(*user);
    }
    data.catalog = catalog::withUser(data.shipped, data.user);
    auto parameters = loadPredictorParameters(files.resources / "catalog" / "predictor_parameters.json");
    if (!parameters) return Failure(std::move(parameters.error()));
    data.parameters = std::move(*parameters);
    return data;
}

Predictor makePredictor(const AdvisorData& data, std::vector<Reference> references) {
    return Predictor(data.parameters, std::move(references));
}

Result<BacktestReport> shippedBacktest(const std::filesystem::path& resources, const PredictorParameters& parameters) {
    ASSIGN(const auto published, loadPublishedData(resources / "backtest", parameters));
    ASSIGN(const auto folds, loadFolds(resources / "backtest" / "folds.json"));
    return backtest(published, parameters, folds);
}

Result<void> checkSoftware(std::string_view software, const PredictorParameters& parameters) {
    if (parameters.findStack(software) != nullptr) return {};
    std::vector<std::string_view> known;
    for (const auto& stack : parameters.stacks) known.push_back(stack.name);
    return fail(ErrorKind::InvalidArgument, "software",
                messages::noSpeedsOf(software, model::nearestName(software, known)));
}

Result<Job> makeJob(const JobRequest& request) {
    auto workload = model::resolveWorkload(request.workload);
    if (!workload) return Failure(std::move(workload.error()));
    return makeJob(std::move(*workload), request);
}

Result<Job> makeJob(model::Workload workload, const JobRequest& request) {
    if (request.batch < 0 || request.batch > kLargestBatch)
        return fail(ErrorKind::InvalidArgument, "batch", messages::batchRange(kLargestBatch));
    const auto mode = request.mode.value_or(plan::usualMode(workload));
    if (workload.inferenceOnly && mode == plan::Mode::Train)
        return fail(ErrorKind::InvalidArgument, fmt::format("workload '{}'", workload.id), messages::nothingToTrain());
    ASSIGN(const auto graph, workload.build());
    // Planned for one sample: the batch scales it, and a batch that fits no machine is valid input. An imported network
    // is planned at the requested batch, which its file may not allow.
    const auto planned = !graph.wholeShapes ? 1 : request.batch > 0 ? request.batch : graph.fixedBatch;
    ASSIGN(
        const auto plan,
        plan::lower(graph,
                    {.mode = mode, .batch = planned, .precision = request.precision, .optimizer = workload.optimizer}));
    Job job{std::move(workload), jobModel(plan)};
    job.model.workload = job.workload.id;
    job.model.batch = request.batch > 0 ? request.batch : job.workload.batch;
    return job;
}

Result<std::vector<PredictedTarget>> predictTargets(const JobModel& job, const AdvisorData& data,
                                                    const Predictor& predictor, const std::vector<OwnCandidate>& own,
                                                    const TargetRequest& request) {
    TRY(checkWanted(request.only, data, own));
    TRY(checkSoftware(request.software, data.parameters));
    std::vector<PredictedTarget> targets;
    for (const auto& candidate : own) {
        if (!isWanted(request.only, candidate.id)) continue;
        auto prediction = predictor.predict(
            job, {.device = &candidate.device, .count = request.count, .memoryBytes = candidate.memoryBytes},
            request.software);
        if (!prediction) return Failure(std::move(prediction.error()));
        targets.push_back({candidate.id, candidate.title, std::move(*prediction), true});
    }
    for (const auto& spec : data.catalog.hardware) {
        if (!isWanted(request.only, spec.id)) continue;
        PredictedTarget target{.id = spec.id, .name = spec.name};
        MissingFigure missing = MissingFigure::None;
        if (const auto device = deviceModel(spec, data.parameters, &missing)) {
            auto prediction = predictor.predict(job, {.device = &*device, .count = request.count}, request.software);
            if (!prediction) return Failure(std::move(prediction.error()));
            target.prediction = std::move(*prediction);
        } else {
            target.prediction.software = request.software;
            target.prediction.refusal =
                missing == MissingFigure::Bandwidth ? Refusal::BandwidthUnknown : Refusal::ComputeRateUnknown;
        }
        targets.push_back(std::move(target));
    }
    return targets;
}

}  // namespace steelyard::advisor
