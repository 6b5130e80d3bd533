// SPDX-License-Identifier: Apache-2.0
// State of the form on Cost & advice, its options, and the advisor's answer: plain values copied between threads.
#pragma once

#include <QVariantMap>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/advisor/cost/cost.h"
#include "engine/advisor/cost/purchase.h"
#include "engine/advisor/rank/ranking.h"
#include "engine/advisor/usual_job.h"
#include "engine/catalog/catalog.h"
#include "engine/core/message.h"
#include "engine/plan/plan.h"

namespace steelyard::ui {

struct AdviceWorkload;

struct AdviceQuestion {
    std::string workload;  // empty: nothing selected yet
    plan::Mode mode = plan::Mode::Train;
    std::int64_t batch = 32;
    plan::Precision precision = plan::Precision::Fp32;
    std::string software{advisor::kThisEngine};
    bool bySteps = false;  // size of the job in steps, or in epochs of samples
    double epochs = 1, samples = 10'000, steps = 10'000;
    std::string preset;  // empty: none; its values are in the fields below
    advisor::Priority priority = advisor::Priority::Balanced;
    double timeWeight = 1;
    std::optional<double> budgetUsd, deadlineHours;
    bool spot = false;
    bool ownComputer = true;             // it is a candidate
    std::vector<std::string> providers;  // empty: all

    friend bool operator==(const AdviceQuestion&, const AdviceQuestion&) = default;
};

// For the settings file. Missing or invalid values keep their defaults.
[[nodiscard]] QVariantMap toMap(const AdviceQuestion& question);
[[nodiscard]] AdviceQuestion adviceQuestionFrom(const QVariantMap& map);
// The usual job where only the network is named; the other fields of the question are kept.
[[nodiscard]] AdviceQuestion withUsual(AdviceQuestion question, const AdviceWorkload& workload,
                                       const advisor::UsualJob& usual);
// Sets the fields from the preset.
[[nodiscard]] AdviceQuestion withPreset(AdviceQuestion question, const advisor::Preset& preset);

struct AdviceWorkload {
    std::string id, title, family;
    advisor::UsualJob training, inference;  // what is usual of each
    bool usuallyInferred = false;
    Message problem;  // a user's network: its file is missing or has changed

    [[nodiscard]] bool isOwn() const { return family == "own"; }
    [[nodiscard]] const advisor::UsualJob& usual(plan::Mode mode) const {
        return mode == plan::Mode::Train ? training : inference;
    }
    [[nodiscard]] const advisor::UsualJob& usual() const { return usuallyInferred ? inference : training; }
};

// Options of the form.
struct AdviceOptions {
    std::vector<AdviceWorkload> workloads;
    std::vector<std::string> providers;
    std::vector<std::pair<std::string, std::string>> software;  // name, title; this program first
    std::string collected;                                      // date of the bundled prices
    std::size_t offers = 0;

    [[nodiscard]] const AdviceWorkload* find(const std::string& id) const;
};

struct AdviceAnswer {
    AdviceQuestion question;
    advisor::AdviceRequest request;
    std::string workloadTitle;
    advisor::Advice advice;
    std::vector<advisor::CardToBuy> cards;           // best value first
    std::map<std::string, std::string> deviceNames;  // Candidate::hardware -> "4 × Tesla V100 SXM2 16GB"
    std::size_t ownMeasurements = 0;                 // of the user, used for the predictions
    std::string collected;
};

// Result of a price import.
struct ImportedPrices {
    std::size_t offers = 0, rejected = 0, rows = 0;
    std::vector<std::string> providers;
};

}  // namespace steelyard::ui
