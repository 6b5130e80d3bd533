// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/run_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>

#include "app/cli/options/option_values.h"
#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/suite/run_options.h"
#include "engine/core/csv.h"
#include "engine/core/device_id.h"
#include "engine/core/messages/app.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

using bench::RunOption;

constexpr std::array<std::string_view, 4> kIsas{"sse", "avx2", "avx512", "amx"};
constexpr std::array<std::string_view, 3> kKernels{"auto", "onednn", "openblas"};

// Parses one option's text into its member. What option_checks.h has validated is not checked again.
struct OptionReader {
    std::vector<model::LanguageTask>& tasks;  // among the modes

    Result<void> read(const RunOption&, const std::string& text, std::string& member) const {
        member = text;
        return {};
    }
    Result<void> read(const RunOption& option, const std::string& text, std::vector<std::string>& member) const {
        member = std::string_view(option.name) == "--workload" ? model::splitWorkloads(text) : splitList(text);
        return {};
    }
    Result<void> read(const RunOption& option, const std::string& text, std::vector<plan::Mode>& member) const {
        std::vector<std::string_view> names;
        for (const auto mode : plan::kModes) names.push_back(toString(mode));
        for (const auto task : model::kLanguageTasks) names.push_back(toString(task));
        ASSIGN(const auto words, knownWords(text, option.name, names));
        for (const auto& word : words) {
            if (const auto task = model::languageTaskFromString(word)) tasks.push_back(*task);
            if (const auto mode = plan::modeFromString(word)) member.push_back(*mode);
        }
        return {};
    }
    Result<void> read(const RunOption& option, const std::string& text, std::vector<plan::Precision>& member) const {
        ASSIGN(member, namedValues(text, option.name, plan::kPrecisions));
        return {};
    }
    Result<void> read(const RunOption& option, const std::string& text, std::vector<bench::ScalingKind>& member) const {
        ASSIGN(member, namedValues(text, option.name, bench::kScalingKinds));
        return {};
    }
    template <std::integral Number>
    Result<void> read(const RunOption& option, const std::string& text, std::vector<Number>& member) const {
        ASSIGN(member, wholeNumbers<Number>(text, option.name, option.largest));
        return {};
    }
    Result<void> read(const RunOption&, const std::string& text, std::optional<double>& member) const {
        member = numberFromText(text);
        return {};
    }
    Result<void> read(const RunOption&, const std::string& text, std::uint64_t& member) const {
        std::from_chars(text.data(), text.data() + text.size(), member);
        return {};
    }
    Result<void> read(const RunOption&, const std::string&, bool&) const { return {}; }
};

// "cuda:0", or several that share a case: "cuda:0+cuda:1".
Result<void> checkDevice(const std::string& device, CommandContext& context) {
    auto shared = bench::deviceGroup(device);
    for (const auto& id : shared.ids) {
        TRY(context.backends().backendOf(id));
        if (shared.isShared() && !DeviceId::parse(id).isGpu())
            return fail(ErrorKind::InvalidArgument, "--device", app::messages::onlyGpusShare(device));
    }
    std::sort(shared.ids.begin(), shared.ids.end());
    if (std::adjacent_find(shared.ids.begin(), shared.ids.end()) != shared.ids.end())
        return fail(ErrorKind::InvalidArgument, "--device", app::messages::deviceTwice(device));
    return {};
}

}  // namespace

Result<bench::RunRequest> requestOf(const RunArguments& arguments, CommandContext& context) {
    bench::RunRequest request;
    Result<void> read;
    std::vector<model::LanguageTask> tasks;
    bench::visitOptions(request, [&](const RunOption& option, auto& member) {
        const auto text = arguments.texts.find(option.name);
        if (read && text != arguments.texts.end() && !text->second.empty())
            read = OptionReader{tasks}.read(option, text->second, member);
    });
    TRY(read);
    ASSIGN(const auto named,
           withLanguageTasks(request.workloads, tasks, arguments.onnx.weights, arguments.language, context));
    auto onnx = arguments.onnx;
    if (named.any && std::ranges::none_of(named.workloads, model::onnx::isOnnxName)) onnx.weights.clear();
    ASSIGN(const auto workloads, withOnnxOptions(fmt::format("{}", fmt::join(named.workloads, ",")), onnx));
    request.workloads = model::splitWorkloads(workloads);
    request.precise = arguments.precise;
    TRY(knownWords(fmt::format("{}", fmt::join(request.isas, ",")), "--isa", kIsas));
    TRY(knownWords(fmt::format("{}", fmt::join(request.kernels, ",")), "--kernels", kKernels));
    if (request.kernels == std::vector<std::string>{"auto"}) request.kernels.clear();
    std::sort(request.nodes.begin(), request.nodes.end());
    request.nodes.erase(std::unique(request.nodes.begin(), request.nodes.end()), request.nodes.end());
    if (!request.scalings.empty() && request.gpus.empty() && request.nodes.empty() && request.suite != "scaling")
        return fail(ErrorKind::InvalidArgument, "--scaling", app::messages::scalingNeedsGpus());
    for (const auto& device : request.devices) TRY(checkDevice(device, context));
    return request;
}

}  // namespace steelyard::cli
