// SPDX-License-Identifier: Apache-2.0
// Services of the advisor for the window: catalogue with the user's prices, predictions from measurements, ranking,
// back-test. Loaded on the first call and again after a price changed; called from one thread (the window's advice
// thread), never from the GUI thread.
#pragma once

#include <filesystem>

#include "engine/core/clock.h"
#include "ui/controllers/advice_controller.h"

namespace steelyard::desktop {

struct AdviceFiles {
    std::filesystem::path resources;    // the program's
    std::filesystem::path userCatalog;  // of the user; need not exist
    std::filesystem::path networks;     // folder of the user's own networks (own_networks.h)
};

// The clock outlives the services.
[[nodiscard]] ui::AdviceServices adviceServices(const AdviceFiles& files, const Clock& clock);

}  // namespace steelyard::desktop
