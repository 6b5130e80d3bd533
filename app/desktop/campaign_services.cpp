// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/campaign_services.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/campaign/drive.h"
#include "engine/campaign/task_files/task_files.h"
#include "engine/core/messages/campaign.h"
#include "engine/history/campaigns.h"

namespace steelyard::desktop {
namespace {

using campaign::Campaign;
using history::HistoryStore;

class CampaignDesk {
public:
    CampaignDesk(std::filesystem::path program, std::string path, const Clock& clock)
        : m_program(std::move(program)), m_path(std::move(path)), m_clock(clock) {}

    static Result<std::vector<Campaign>> list(const std::string& database) {
        if (!std::filesystem::exists(database)) return std::vector<Campaign>();
        ASSIGN(const auto store, HistoryStore::open(database));
        return store->campaigns();
    }

    Result<Campaign> create(const std::string& database, Campaign planned) const {
        ASSIGN(const auto store, HistoryStore::open(database));
        planned.id = campaign::newCampaignId(m_clock);
        planned.createdUnixMs = m_clock.unixMilliseconds();
        TRY(history::checkFolder(*store, planned.folder));
        TRY(campaign::completeDelivery(planned, m_program, {.path = m_path}));
        TRY(campaign::writeTaskFiles(planned));
        TRY(store->putCampaign(planned));
        return planned;
    }

    Result<ui::CampaignStep> launch(const std::string& database, const std::string& id,
                                    const ui::CampaignServices::Cancelled& cancelled) const {
        ASSIGN(const auto store, HistoryStore::open(database));
        ASSIGN(auto campaign, store->campaign(id));
        TRY(campaign::writeTaskFiles(campaign));
        TRY(store->putCampaign(campaign));
        const auto commands = campaign::launchCommands(campaign);
        if (commands.empty()) return fail(ErrorKind::NotFound, {}, campaign::messages::nothingToLaunch());
        auto problems = campaign::launch(campaign, commands, services(*store, cancelled));
        return ui::CampaignStep{std::move(campaign), std::move(problems)};
    }

    Result<ui::CampaignStep> refresh(const std::string& database, const std::string& id,
                                     const ui::CampaignServices::Cancelled& cancelled) const {
        ASSIGN(const auto store, HistoryStore::open(database));
        ASSIGN(auto campaign, store->campaign(id));
        std::vector<Error> problems;
        const auto texts = campaign::fetchResults(campaign, services(*store, cancelled), problems);
        ASSIGN(auto stored, history::storeResults(*store, campaign, texts, true));
        std::ranges::move(stored.problems, std::back_inserter(problems));
        ASSIGN(auto now, store->campaign(id));
        return ui::CampaignStep{std::move(now), std::move(problems)};
    }

    static Result<void> remove(const std::string& database, const std::string& id) {
        ASSIGN(const auto store, HistoryStore::open(database));
        return store->removeCampaign(id);
    }

    [[nodiscard]] bool isInstalled(campaign::Engine engine) const {
        return campaign::isToolThere(std::string(campaign::launcherOf(engine)), m_path);
    }

private:
    campaign::DriveServices services(HistoryStore& store, const ui::CampaignServices::Cancelled& cancelled) const {
        return {.tool = {.path = m_path, .cancelled = cancelled},
                .clock = m_clock,
                .onCommand = {},
                .keep = [&store](const Campaign& campaign) { return store.putCampaign(campaign); }};
    }

    std::filesystem::path m_program;
    std::string m_path;
    const Clock& m_clock;
};

}  // namespace

ui::CampaignServices campaignServices(const std::filesystem::path& program, const std::string& path,
                                      const Clock& clock) {
    const auto desk = std::make_shared<CampaignDesk>(program, path, clock);
    ui::CampaignServices services;
    services.list = &CampaignDesk::list;
    services.remove = &CampaignDesk::remove;
    services.create = [desk](const std::string& database, Campaign planned) {
        return desk->create(database, std::move(planned));
    };
    services.launch = [desk](const std::string& database, const std::string& id,
                             const ui::CampaignServices::Cancelled& cancelled) {
        return desk->launch(database, id, cancelled);
    };
    services.refresh = [desk](const std::string& database, const std::string& id,
                              const ui::CampaignServices::Cancelled& cancelled) {
        return desk->refresh(database, id, cancelled);
    };
    services.isInstalled = [desk](campaign::Engine engine) { return desk->isInstalled(engine); };
    return services;
}

}  // namespace steelyard::desktop
