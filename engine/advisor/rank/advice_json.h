// SPDX-License-Identifier: Apache-2.0
// The advisor's answers as JSON text in the command line's format (resources/schemas/advice.schema.json and its
// siblings). SI units and US dollars; unknown is null. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/advisor/advisor_data.h"
#include "engine/advisor/cost/purchase.h"
#include "engine/advisor/evidence/backtest.h"
#include "engine/advisor/rank/ranking.h"
#include "engine/advisor/study/study.h"
#include "engine/catalog/skypilot_import.h"

namespace steelyard::advisor {

[[nodiscard]] std::string predictionsJson(const JobModel& job, std::string_view software,
                                          const std::vector<PredictedTarget>& targets, int indent = 2);

// With the member "purchase" if a purchase was evaluated.
[[nodiscard]] std::string adviceJson(const AdviceRequest& request, const Advice& advice, int indent = 2,
                                     const Purchase* purchase = nullptr);
[[nodiscard]] std::string backtestJson(const BacktestReport& report, int indent = 2);
[[nodiscard]] std::string studyJson(const Study& study, const StudyReport& report, const StudyOptions& options,
                                    int indent = 2);
[[nodiscard]] std::string importJson(const catalog::SkyPilotImport& import, int indent = 2);
[[nodiscard]] std::string problemsJson(const std::vector<catalog::Problem>& problems, int indent = 2);

}  // namespace steelyard::advisor
