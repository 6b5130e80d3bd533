// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/run_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "app/cli/options/option_checks.h"
#include "engine/bench/multi_device/device_group.h"
#include "engine/core/device_id.h"
#include "engine/core/limits.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

constexpr int kMostGpus = 4096;

template <typename Number>
Result<std::vector<Number>> positiveNumbers(const std::string& text, const char* option, Number most) {
    std::vector<Number> numbers;
    for (const auto& part : splitList(text)) {
        Number number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc{} || end != part.data() + part.size() || number < 1 || number > most)
            return fail(ErrorKind::InvalidArgument, option,
                        fmt::format("'{}' is not a whole number from 1 to {}", part, most));
        numbers.push_back(number);
    }
    return numbers;
}

Result<void> checkWords(const std::vector<std::string>& words, const char* option,
                        std::initializer_list<std::string_view> allowed) {
    for (const auto& word : words) {
        if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
            return fail(ErrorKind::InvalidArgument, option,
                        fmt::format("'{}' is none of {}", word, fmt::join(allowed, ", ")));
    }
    return {};
}

// "cuda:0", or several that share a case: "cuda:0+cuda:1".
Result<void> checkDevice(const std::string& device, CommandContext& context) {
    auto shared = bench::deviceGroup(device);
    for (const auto& id : shared.ids) {
        TRY(context.backends().backendOf(id));
        if (shared.isShared() && !DeviceId::parse(id).isGpu())
            return fail(ErrorKind::InvalidArgument, "--device",
                        fmt::format("'{}': only GPUs can share a case", device));
    }
    std::sort(shared.ids.begin(), shared.ids.end());
    if (std::adjacent_find(shared.ids.begin(), shared.ids.end()) != shared.ids.end())
        return fail(ErrorKind::InvalidArgument, "--device", fmt::format("'{}' names a device twice", device));
    return {};
}

Result<void> readGpus(const RunOptions& options, CommandContext& context, bench::SuiteRequest& request) {
    ASSIGN(request.gpus, positiveNumbers(options.gpus, "--gpus", kMostGpus));
    request.scalings = splitList(options.scalings);
    if (auto ok = checkWords(request.scalings, "--scaling", {"strong", "weak", "experiments"}); !ok) return ok;
    if (!request.scalings.empty() && request.gpus.empty() && options.suite != "scaling")
        return fail(ErrorKind::InvalidArgument, "--scaling", "say with --gpus how many are to share a case");
    for (const auto& device : context.backends().devices())
        if (DeviceId::parse(device.id).isGpu()) ++request.machine.gpus;
    return {};
}

}  // namespace

Result<bench::SuiteRequest> requestOf(const RunOptions& options, CommandContext& context) {
    bench::SuiteRequest request;
    request.suite = options.suite;
    request.workloads = model::splitWorkloads(options.workloads);
    request.modes = splitList(options.modes);
    request.devices = splitList(options.devices);
    request.precisions = splitList(options.precisions);
    request.isas = splitList(options.isas);
    request.kernels = splitList(options.kernels);
    request.seed = options.seed;
    if (!options.data.empty()) request.data = options.data;
    ASSIGN(request.batches, positiveNumbers(options.batches, "--batch", kLargestBatch));
    ASSIGN(request.threads, positiveNumbers(options.threads, "--threads", kMostThreads));
    TRY(checkWords(request.modes, "--mode", {"train", "infer"}));
    TRY(checkWords(request.precisions, "--precision", {"fp32", "tf32", "bf16", "fp16"}));
    TRY(checkWords(request.isas, "--isa", {"sse", "avx2", "avx512", "amx"}));
    TRY(checkWords(request.kernels, "--kernels", {"auto", "onednn", "openblas"}));
    if (request.kernels == std::vector<std::string>{"auto"}) request.kernels.clear();
    TRY(readGpus(options, context, request));
    if (request.devices.empty())
        for (const auto& device : context.backends().devices()) request.devices.push_back(device.id);
    for (const auto& device : request.devices) TRY(checkDevice(device, context));
    return request;
}

}  // namespace steelyard::cli
