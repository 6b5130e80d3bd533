// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/advice_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <set>

#include "engine/advisor/predict/local_hardware.h"
#include "engine/advisor/usual_job.h"
#include "engine/core/messages/app.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

std::vector<std::string> presetNames() {
    std::vector<std::string> names;
    for (const auto& preset : advisor::presets()) names.push_back(preset.id);
    return names;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// In the catalogue's spelling.
Result<std::vector<std::string>> providersOf(const std::string& text, const catalog::Catalog& catalog) {
    std::set<std::string> known;
    for (const auto& offer : catalog.offers) known.insert(offer.provider);
    std::vector<std::string> providers;
    for (const auto& name : splitList(text)) {
        const auto found = std::ranges::find_if(known, [&](const auto& k) { return equalIgnoringCase(k, name); });
        if (found == known.end())
            return fail(ErrorKind::InvalidArgument, "--provider",
                        app::messages::notOneOf(name, fmt::format("{}", fmt::join(known, ", "))));
        providers.push_back(*found);
    }
    return providers;
}

struct UsualAndAsked {
    advisor::Job job;
    advisor::UsualJob usual;
};

// The job as asked, completed by what is usual.
Result<UsualAndAsked> completedJob(const AdviceArguments& arguments) {
    const auto& asked = arguments.job;
    TRY(checkMode(asked));
    ASSIGN(const auto name, withOnnxOptions(asked.workload, asked.onnx));
    ASSIGN(auto workload, model::resolveWorkload(name));
    auto usual = advisor::usualJob(workload, plan::modeFromString(asked.mode), arguments.software.value_or(""));
    ASSIGN(auto job,
           advisor::makeJob(std::move(workload),
                            {.workload = name,
                             .mode = usual.mode,
                             .batch = asked.batch > 0 ? asked.batch : usual.batch,
                             .precision = plan::precisionFromString(asked.precision).value_or(usual.precision)}));
    return UsualAndAsked{std::move(job), std::move(usual)};
}

Result<double> stepsOf(const AdviceArguments& arguments, const UsualAndAsked& completed) {
    if (arguments.steps) return *arguments.steps;
    const auto samples = arguments.samples ? arguments.samples : completed.usual.samples;
    if (!samples) return fail(ErrorKind::InvalidArgument, "--samples", app::messages::samplesUnknown());
    return advisor::stepsOf(arguments.epochs.value_or(completed.usual.epochs), *samples, completed.job.model.batch);
}

void applyOptions(const AdviceArguments& arguments, const ExchangeRate& money, advisor::AdviceRequest& request) {
    if (arguments.preset) advisor::apply(*advisor::findPreset(*arguments.preset), request);
    if (arguments.priority) request.priority = *advisor::priorityFromString(*arguments.priority);
    if (arguments.timeWeight) request.timeWeight = *arguments.timeWeight;
    if (arguments.budget) request.budgetUsd = money.toUsd(*arguments.budget);
    if (arguments.deadline) request.deadlineHours = arguments.deadline;
    if (arguments.spot) request.spot = *arguments.spot == "yes";
    request.inputSamplesPerSecond = arguments.inputRate;
    if (arguments.startUp) request.rental.startUpSeconds = *arguments.startUp;
    if (arguments.dataBytes) request.rental.transferBytes = *arguments.dataBytes;
    if (arguments.priceFactor) request.rental.priceFactor = *arguments.priceFactor;
}

}  // namespace

void addAdviceOptions(CLI::App& command, AdviceArguments& arguments) {
    addJobOptions(command, arguments.job);
    auto* epochs =
        command.add_option("--epochs", arguments.epochs, "Epochs of the job (default: as published; of inference 1)")
            ->check(amount);
    auto* samples =
        command.add_option("--samples", arguments.samples, "Samples per epoch (default: size of the data set)")
            ->check(amount);
    command.add_option("--steps", arguments.steps, "Steps of the job, instead of epochs and samples")
        ->check(amount)
        ->excludes(epochs)
        ->excludes(samples);
    command.add_option("--experiments", arguments.experiments, "Number of independent jobs, one per device")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--priority", arguments.priority, "Objective")
        ->check(CLI::IsMember({"cheapest", "fastest", "balanced"}));
    command
        .add_option("--time-weight", arguments.timeWeight, "Weight of time against cost; 0 = cost only (default: 1)")
        ->check(timeWeight);
    command.add_option("--budget", arguments.budget, "Maximum cost of the job, in the currency of --currency")
        ->check(greaterThanZero);
    addCurrencyOptions(command, arguments.currency);
    command.add_option("--deadline", arguments.deadline, "Maximum duration of the job in hours")
        ->check(greaterThanZero);
    command.add_option("--spot", arguments.spot, "Include spot instances, which can be interrupted")
        ->check(CLI::IsMember({"yes", "no"}));
    command.add_option("--provider", arguments.providers, "Restrict to these providers, comma separated");
    // --persona: the name until version 0.1.0.
    command.add_option("--preset,--persona", arguments.preset, "Preset for the options above")
        ->check(CLI::IsMember(presetNames()));
    command.add_option("--software", arguments.software,
                       "Software stack: steelyard, or a published one (default: ngc22, PyTorch). Language models: "
                       "llamacpp, llamacpp_cuda, vllm, tensorrt_llm, mlx, ... (default: the fastest with published "
                       "speeds for each device); fine-tuning: transformers, unsloth, torchtune, llm_foundry, mlx");
    command.get_option("--batch")->description("Samples per step (default: as the network is usually trained)");
    command.get_option("--precision")->description("Number format (default: fp16, mixed; fp32 with steelyard)");
    command.add_option("--own", arguments.own, "Include this computer as a candidate")
        ->check(CLI::IsMember({"yes", "no"}))
        ->capture_default_str();
    command
        .add_option("--watts", arguments.watts, "Power draw of this computer in watts (default: its published power)")
        ->check(greaterThanZero);
    command.add_option("--usd-per-kwh", arguments.usdPerKwh, "Electricity price in US dollars per kWh")
        ->check(notNegative)
        ->capture_default_str();
    command.add_option("--input-rate", arguments.inputRate, "Throughput of the input pipeline in samples per second")
        ->check(greaterThanZero);
    command.add_option("--start-up", arguments.startUp, "Start-up time of a rented machine in seconds (default: 120)")
        ->check(notNegative);
    command.add_option("--data-bytes", arguments.dataBytes, "Bytes to transfer to a rented machine")
        ->check(notNegative);
    command.add_option("--price-factor", arguments.priceFactor, "Multiplier for all prices; 0.8 is a 20 % discount")
        ->check(greaterThanZero);
}

Result<AskedAdvice> askedAdvice(CommandContext& context, const AdviceArguments& arguments,
                                const advisor::AdvisorData& data) {
    ASSIGN(auto completed, completedJob(arguments));
    AskedAdvice asked;
    ASSIGN(asked.money, shownCurrency(context, arguments.currency));
    auto& request = asked.request;
    request.job = completed.job.model;
    request.software = completed.usual.software;
    request.today = today(context);
    TRY(advisor::checkSoftware(request.software, data.parameters));
    ASSIGN(request.steps, stepsOf(arguments, completed));
    asked.workload = std::move(completed.job.workload);
    request.experiments = arguments.experiments;
    ASSIGN(request.providers, providersOf(arguments.providers, data.catalog));
    applyOptions(arguments, asked.money, request);
    if (arguments.own == "no") return asked;
    ASSIGN(const auto profile, context.profile());
    request.own = advisor::ownDevices(profile, data.catalog, data.parameters);
    advisor::chargeElectricity(request.own, data.catalog, {.usdPerKwh = arguments.usdPerKwh, .watts = arguments.watts});
    return asked;
}

}  // namespace steelyard::cli
