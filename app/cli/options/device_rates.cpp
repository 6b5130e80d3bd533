// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/device_rates.h"

#include <algorithm>

#include "engine/bench/measure/peak_probe.h"
#include "engine/model/decoder/decoder_table.h"

namespace steelyard::cli {

bench::AssumedRates assumedRates(CommandContext& context, const hardware::HardwareProfile& profile,
                                 const std::set<std::string>& probed) {
    bench::AssumedRates rates;
    rates.cores = profile.cpu.usableThreads.valueOr(0);
    const auto optionsOf = [&](const std::string& device) {
        compute::CompileOptions options;
        options.device = device;
        options.threads = std::max(1, rates.cores);
        return options;
    };
    for (const auto& device : probed) {
        const auto backend = context.backends().backendOf(device);
        if (!backend || device == "reference") continue;
        rates.devices[device] = bench::probeRates(**backend, optionsOf(device), context.clock);
    }
    if (const auto reference = context.backends().backendOf("reference"); reference && !probed.empty())
        rates.devices["reference"] = bench::probeReference(**reference, optionsOf("reference"), context.clock);
    if (auto table = model::loadDecoderTable(context.resources))
        rates.decoders = std::make_shared<const model::DecoderTable>(std::move(*table));
    rates.devices["cpu"].memoryBytes = profile.memory.availableBytes.value;
    return rates;
}

}  // namespace steelyard::cli
