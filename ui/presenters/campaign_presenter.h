// SPDX-License-Identifier: Apache-2.0
// A campaign for the window: predicted and measured times, state of each candidate, changes in the recommendation, and,
// before it starts, duration and cost of measuring. No widgets; any thread that may translate.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/launch.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/workload_catalogue.h"
#include "ui/text/status_text.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class CampaignPresenter {
    Q_DECLARE_TR_FUNCTIONS(CampaignPresenter)

public:
    CampaignPresenter(const campaign::Campaign& campaign, const WorkloadCatalogue& catalogue, std::int64_t nowUnixMs)
        : m_campaign(campaign), m_catalogue(catalogue), m_now(nowUnixMs) {}

    // "ResNet-50, 25 November 2026": the user's name, or the job and the date.
    [[nodiscard]] QString title() const;
    // "ResNet-50 · Training · batch 256 · fp32 · 3 machines".
    [[nodiscard]] QString job() const;
    [[nodiscard]] QString state() const;
    [[nodiscard]] Tone tone() const;
    // "At most $4.20 together; about $1.10 spent so far."
    [[nodiscard]] QString cost() const;
    // Effect of the measurements on the recommendation, one sentence each; empty before the first one.
    [[nodiscard]] QStringList changes() const;
    // One row per candidate; keys are candidate ids.
    [[nodiscard]] TableContent table() const;
    // One row per candidate: the predicted step hollow with its interval, the measured one solid.
    [[nodiscard]] ChartSpec chart() const;

    // Plan: machine, workload manager, duration, maximum cost.
    [[nodiscard]] TableContent plan() const;
    // The commands that start it, one per line, as typed in a shell.
    [[nodiscard]] static QString commands(const std::vector<campaign::EngineCommand>& commands);

    [[nodiscard]] static QString name(campaign::Engine engine);
    [[nodiscard]] static QString name(campaign::CandidateState state);
    [[nodiscard]] static Tone tone(const campaign::Candidate& candidate);

private:
    const campaign::Campaign& m_campaign;
    const WorkloadCatalogue& m_catalogue;
    std::int64_t m_now;
};

}  // namespace steelyard::ui
