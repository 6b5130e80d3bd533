// SPDX-License-Identifier: Apache-2.0
// Where this computer stands: a measured case among the predictions for devices that readers know. Pure functions.
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

// A job to be predicted on the known devices, in this program's software.
struct LadderQuestion {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 0;
    friend bool operator==(const LadderQuestion&, const LadderQuestion&) = default;
};

// To several questions: the one that depends on the devices most, rather than on what starts their operations.
struct LadderAnswer {
    std::vector<LadderQuestion> asked;
    LadderQuestion question;
    std::vector<advisor::PredictedTarget> targets;
};

class LadderPresenter {
    Q_DECLARE_TR_FUNCTIONS(LadderPresenter)

public:
    // Identifiers of the catalogue: GPUs and processors from the smallest to the largest, at most one of a family.
    static const std::vector<std::string>& devices();
    // About the cases with most arithmetic in a step, of the training cases if there are any. None of a run without an
    // undisturbed result.
    static std::vector<LadderQuestion> questions(const bench::RunRecord& run);
    // Of the answers the one with the fewest devices that the start of operations limits.
    static std::optional<LadderAnswer> best(std::vector<LadderAnswer> answers);
    // Measured cases of the question solid, predictions hollow with their 80 % interval, fastest first.
    static ChartSpec chart(const bench::RunRecord& run, const LadderAnswer& answer, const WorkloadCatalogue& catalogue);
};

}  // namespace steelyard::ui
