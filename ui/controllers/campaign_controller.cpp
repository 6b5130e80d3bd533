// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/campaign_controller.h"

#include <algorithm>
#include <utility>

namespace steelyard::ui {
namespace {

constexpr int kIntervalMs = 5000;

bool isUnderWay(const campaign::Campaign& campaign) {
    return stateOf(campaign) == campaign::CampaignState::Running;
}

std::size_t runsOf(const campaign::Campaign& campaign) {
    std::size_t runs = 0;
    for (const auto& candidate : campaign.candidates) runs += candidate.runIds.size();
    return runs;
}

}  // namespace

CampaignController::CampaignController(CampaignServices services, QObject* parent)
    : QObject(parent), m_services(std::move(services)) {
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &CampaignController::refreshAll);
}

template <typename Value>
void CampaignController::step(std::function<Result<Value>()> work, std::function<void(Value)> done) {
    ++m_steps;
    m_worker.run(this, std::move(work), [this, done = std::move(done)](Result<Value> value) {
        --m_steps;
        if (value) {
            done(std::move(*value));
        } else {
            emit failed(value.error());
            emit changed();
        }
    });
}

const campaign::Campaign* CampaignController::find(const std::string& id) const {
    const auto found = std::ranges::find(m_campaigns, id, &campaign::Campaign::id);
    return found == m_campaigns.end() ? nullptr : &*found;
}

bool CampaignController::isInstalled(campaign::Engine engine) const {
    return m_services.isInstalled && m_services.isInstalled(engine);
}

void CampaignController::open(const QString& database) {
    m_database = database.toStdString();
    if (!m_services.list) return;
    step<std::vector<campaign::Campaign>>([list = m_services.list, file = m_database] { return list(file); },
                                          [this](std::vector<campaign::Campaign> campaigns) {
                                              m_campaigns = std::move(campaigns);
                                              if (std::ranges::any_of(m_campaigns, isUnderWay)) m_timer.start();
                                              emit changed();
                                          });
}

void CampaignController::put(campaign::Campaign campaign) {
    const auto found = std::ranges::find(m_campaigns, campaign.id, &campaign::Campaign::id);
    if (found == m_campaigns.end()) {
        m_campaigns.insert(m_campaigns.begin(), std::move(campaign));
    } else {
        *found = std::move(campaign);
    }
    if (std::ranges::any_of(m_campaigns, isUnderWay)) {
        if (!m_timer.isActive()) m_timer.start();
    } else {
        m_timer.stop();
    }
    emit changed();
}

void CampaignController::take(CampaignStep result) {
    const auto id = result.campaign.id;
    const auto* before = find(id);
    const bool hasNewRuns = runsOf(result.campaign) > (before != nullptr ? runsOf(*before) : 0);
    put(std::move(result.campaign));
    if (hasNewRuns) emit collected(QString::fromStdString(id));
    if (!result.problems.empty()) emit problemsFound(result.problems);
}

void CampaignController::create(const campaign::Campaign& planned) {
    if (!m_services.create) return;
    step<campaign::Campaign>([create = m_services.create, file = m_database, planned] { return create(file, planned); },
                             [this](campaign::Campaign campaign) {
                                 const auto id = QString::fromStdString(campaign.id);
                                 put(std::move(campaign));
                                 emit created(id);
                             });
}

void CampaignController::launch(const QString& id) {
    if (!m_services.launch) return;
    step<CampaignStep>([this, launch = m_services.launch, file = m_database,
                        text = id.toStdString()] { return launch(file, text, [this] { return m_isEnding.load(); }); },
                       [this](CampaignStep result) { take(std::move(result)); });
}

void CampaignController::refresh(const QString& id) {
    if (!m_services.refresh) return;
    step<CampaignStep>([this, refresh = m_services.refresh, file = m_database,
                        text = id.toStdString()] { return refresh(file, text, [this] { return m_isEnding.load(); }); },
                       [this](CampaignStep result) { take(std::move(result)); });
}

// One poll at a time: a slow workload manager is not polled again meanwhile.
void CampaignController::refreshAll() {
    if (isBusy()) return;
    for (const auto& campaign : m_campaigns)
        if (isUnderWay(campaign)) refresh(QString::fromStdString(campaign.id));
}

void CampaignController::remove(const QString& id) {
    if (!m_services.remove) return;
    step<bool>(
        [remove = m_services.remove, file = m_database, text = id.toStdString()]() -> Result<bool> {
            TRY(remove(file, text));
            return true;
        },
        [this, text = id.toStdString()](bool) {
            std::erase_if(m_campaigns, [&](const auto& campaign) { return campaign.id == text; });
            emit changed();
        });
}

}  // namespace steelyard::ui
