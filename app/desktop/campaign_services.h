// SPDX-License-Identifier: Apache-2.0
// Campaign services for the window: campaigns are stored in the history and driven by the workload managers' commands.
// Call from one thread only (the window's campaign thread), never the GUI thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/clock.h"
#include "ui/controllers/campaign_controller.h"

namespace steelyard::desktop {

// `program`: steelyard-cli of this installation, which measures on this computer and on hosts that share its file
// system. `path`: search path, as in PATH. The clock must outlive the services.
[[nodiscard]] ui::CampaignServices campaignServices(const std::filesystem::path& program, const std::string& path,
                                                    const Clock& clock);

}  // namespace steelyard::desktop
