// SPDX-License-Identifier: Apache-2.0
// Everything that predictions and advice need, for the command line and the window: the catalogue with the user's
// entries, the predictor's constants, the user's measurements, and jobs by the name of a workload. The caller passes
// the paths of the user's files. A plain value, loaded once; functions read files only where they
// say so.
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
    std::filesystem::path resources;    // the program's: catalog/, backtest/
    std::filesystem::path userCatalog;  // of the user; empty: none. Need not exist
};

struct AdvisorData {
    catalog::Catalog shipped;
    catalog::UserCatalog user;
    catalog::Catalog catalog;  // shipped, with the user's over it
    PredictorParameters parameters;
};
// Reads the files. The error names the file and the place in it.
[[nodiscard]] Result<AdvisorData> loadAdvisorData(const AdvisorFiles& files);

// With the user's measured or imported results as references (local_hardware.h).
[[nodiscard]] Predictor makePredictor(const AdvisorData& data, std::vector<Reference> references = {});

// The error of the shipped predictor. Reads backtest/ of the resources; takes some tenths of a second.
[[nodiscard]] Result<BacktestReport> shippedBacktest(const std::filesystem::path& resources,
                                                     const PredictorParameters& parameters);

// A job as the user specifies it.
struct JobRequest {
    std::string workload;            // as model::resolveWorkload() takes it: with options, or a network file
    std::optional<plan::Mode> mode;  // absent: training, or inference where there is nothing to train
    std::int64_t batch = 0;          // 0: the paper's
    plan::Precision precision = plan::Precision::Fp32;
};
struct Job {
    model::Workload workload;
    JobModel model;
};
// Errors as of resolveWorkload() and lowering; InvalidArgument for training a network that has nothing to train.
[[nodiscard]] Result<Job> makeJob(const JobRequest& request);
[[nodiscard]] Result<Job> makeJob(model::Workload workload, const JobRequest& request);

// InvalidArgument, with the nearest name, for a software whose factor is not known.
[[nodiscard]] Result<void> checkSoftware(std::string_view software, const PredictorParameters& parameters);

// The devices to predict a job on.
struct TargetRequest {
    std::string software{kThisEngine};
    std::vector<std::string> only;  // ids of devices, or of `own`; empty: all
    double count = 1;               // of each device, the total batch constant
};
struct PredictedTarget {
    std::string id, name;
    Prediction prediction;
    bool own = false;
};
// The user's own devices first, then the catalogue in its order; devices without a prediction are included with the
// reason. NotFound names an unknown device and the most similar known one; InvalidArgument names the software.
[[nodiscard]] Result<std::vector<PredictedTarget>> predictTargets(const JobModel& job, const AdvisorData& data,
                                                                  const Predictor& predictor,
                                                                  const std::vector<OwnCandidate>& own,
                                                                  const TargetRequest& request = {});

}  // namespace steelyard::advisor
