// SPDX-License-Identifier: Apache-2.0
// Data for predictions and advice, used by the command line and the window: the catalogue with the user's entries, the
// predictor's parameters, the user's measurements, and jobs by workload name. The caller passes the paths of the user's
// files. A plain value, loaded once; functions read files only where stated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/evidence/backtest.h"
#include "engine/advisor/predict/predictor.h"
#include "engine/advisor/rank/ranking.h"
#include "engine/bench/record/record.h"
#include "engine/catalog/catalog.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::advisor {

struct AdvisorFiles {
    std::filesystem::path resources;    // shipped: catalog/, backtest/
    std::filesystem::path userCatalog;  // the user's file; empty: none. Need not exist
};

struct AdvisorData {
    catalog::Catalog shipped;
    catalog::UserCatalog user;
    catalog::Catalog catalog;  // shipped entries, overlaid with the user's
    PredictorParameters parameters;
};
// Reads the files. The error names the file and the position in it.
[[nodiscard]] Result<AdvisorData> loadAdvisorData(const AdvisorFiles& files);

// With the user's measured or imported results as references (local_hardware.h).
[[nodiscard]] Predictor makePredictor(const AdvisorData& data, std::vector<Reference> references = {});

// The error of the shipped predictor. Reads backtest/ in the resources; takes a few tenths of a second.
[[nodiscard]] Result<BacktestReport> shippedBacktest(const std::filesystem::path& resources,
                                                     const PredictorParameters& parameters);

// A job as the user specifies it.
struct JobRequest {
    std::string workload;            // as accepted by model::resolveWorkload(): with options, or a network file
    std::optional<plan::Mode> mode;  // absent: training, or inference if nothing is trainable
    std::int64_t batch = 0;          // 0: that of the paper
    plan::Precision precision = plan::Precision::Fp32;
};
struct Job {
    model::Workload workload;
    JobModel model;
};
// Errors of resolveWorkload() and lowering; InvalidArgument for training a network without trainable parameters.
[[nodiscard]] Result<Job> makeJob(const JobRequest& request);
[[nodiscard]] Result<Job> makeJob(model::Workload workload, const JobRequest& request);

// InvalidArgument for software whose factor is unknown, with the closest name.
[[nodiscard]] Result<void> checkSoftware(std::string_view software, const PredictorParameters& parameters);

// The devices to predict a job on.
struct TargetRequest {
    std::string software{kThisEngine};
    std::vector<std::string> only;  // device ids, also from `own`; empty: all
    double count = 1;               // number of each device; the total batch is constant
};
struct PredictedTarget {
    std::string id, name;
    Prediction prediction;
    bool own = false;
};
// The user's own devices first, then the catalogue in its order; devices without a prediction are included with the
// reason. NotFound names an unknown device and the most similar known one; InvalidArgument names unknown software.
[[nodiscard]] Result<std::vector<PredictedTarget>> predictTargets(const JobModel& job, const AdvisorData& data,
                                                                  const Predictor& predictor,
                                                                  const std::vector<OwnCandidate>& own,
                                                                  const TargetRequest& request = {});

}  // namespace steelyard::advisor
