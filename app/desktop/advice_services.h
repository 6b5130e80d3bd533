// SPDX-License-Identifier: Apache-2.0
// Advisor services for the window: catalogue with the user's prices, predictions from measurements, ranking,
// back-test. Loaded on the first call and reloaded after a price change. Call from one thread only (the window's advice
// thread), never the GUI thread.
#pragma once

#include <filesystem>

#include "engine/core/clock.h"
#include "ui/controllers/advice_controller.h"

namespace steelyard::desktop {

struct AdviceFiles {
    std::filesystem::path resources;    // of the program
    std::filesystem::path userCatalog;  // need not exist
    std::filesystem::path networks;     // folder of the user's networks (user_networks.h)
};

// The clock outlives the services.
[[nodiscard]] ui::AdviceServices adviceServices(const AdviceFiles& files, const Clock& clock);

}  // namespace steelyard::desktop
