// SPDX-License-Identifier: Apache-2.0
// Comparison with known devices: a measured case among predictions for them. Pure functions.
#pragma once

#include <QCoreApplication>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/advisor/advisor_data.h"
#include "engine/bench/record/record.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

// A job to be predicted on the known devices, with this program's software.
struct LadderQuestion {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 0;
    friend bool operator==(const LadderQuestion&, const LadderQuestion&) = default;
};

// The answer to the question that depends most on the device rather than on launch overhead.
struct LadderAnswer {
    std::vector<LadderQuestion> asked;
    LadderQuestion question;
    std::vector<advisor::PredictedTarget> targets;
};

class LadderPresenter {
    Q_DECLARE_TR_FUNCTIONS(LadderPresenter)

public:
    // Ids of the catalogue: GPUs and processors by size, at most one per family.
    static const std::vector<std::string>& devices();
    // About the most expensive cases, training cases if there are any. Empty for a run without undisturbed results.
    static std::vector<LadderQuestion> questions(const bench::RunRecord& run);
    // The answer with the fewest devices limited by launch overhead.
    static std::optional<LadderAnswer> best(std::vector<LadderAnswer> answers);
    // Measured cases solid, predictions hollow with their 80 % interval, fastest first.
    static ChartSpec chart(const bench::RunRecord& run, const LadderAnswer& answer, const WorkloadCatalogue& catalogue);
};

}  // namespace steelyard::ui
