// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/rates.h"

#include <algorithm>

#include "engine/bench/peak_probe.h"

namespace steelyard::cli {

bench::AssumedRates assumedRates(CommandContext& context, const hardware::HardwareProfile& profile,
                                 const std::set<std::string>& probed) {
    bench::AssumedRates rates;
    rates.cores = profile.cpu.usableThreads.valueOr(0);
    for (const auto& device : probed) {
        const auto backend = context.backends().backendOf(device);
        if (!backend || device == "reference") continue;
        compute::CompileOptions options;
        options.device = device;
        options.threads = std::max(1, rates.cores);
        rates.devices[device] = bench::probeRates(**backend, options, context.clock);
    }
    rates.devices["cpu"].memoryBytes = profile.memory.availableBytes.value;
    return rates;
}

}  // namespace steelyard::cli
