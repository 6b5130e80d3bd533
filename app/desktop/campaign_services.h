// SPDX-License-Identifier: Apache-2.0
// Services of campaigns for the window: stored in the history, moved along by the engines' own programs. Called from
// one thread (the window's campaign thread), never from the GUI thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/clock.h"
#include "ui/controllers/campaign_controller.h"

namespace steelyard::desktop {

// `program`: steelyard-cli of this installation, which measures on this computer and on hosts that share its files.
// `path`: folders of programs, as in PATH. The clock outlives the services.
[[nodiscard]] ui::CampaignServices campaignServices(const std::filesystem::path& program, const std::string& path,
                                                    const Clock& clock);

}  // namespace steelyard::desktop
