// SPDX-License-Identifier: Apache-2.0
// What the window shows of a campaign: what was predicted beside what was measured, how far each candidate is, what the
// measurements change in the advice, and before all that what measuring takes and may cost. No window; any thread that
// may translate.
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

    // "ResNet-50, 25 November 2026": the name that the user gave, or the job and the day.
    [[nodiscard]] QString title() const;
    // "ResNet-50 · Training · batch 256 · fp32 · 3 machines".
    [[nodiscard]] QString job() const;
    [[nodiscard]] QString state() const;
    [[nodiscard]] Tone tone() const;
    // "At most $4.20 together; about $1.10 spent so far."
    [[nodiscard]] QString cost() const;
    // What the measurements say about the advice, a sentence each; empty before the first one.
    [[nodiscard]] QStringList changes() const;
    // A row a candidate; keys are candidate ids.
    [[nodiscard]] TableContent table() const;
    // A row a candidate: the predicted step hollow with its band, the measured one solid.
    [[nodiscard]] ChartSpec chart() const;

    // Of a plan: machine, engine, how long, at most how much.
    [[nodiscard]] TableContent plan() const;
    // The commands that start it, a line each, as they would be typed.
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
