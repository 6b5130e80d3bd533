// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/advice_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <set>

#include "engine/advisor/predict/local_hardware.h"
#include "engine/core/messages/app.h"

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

// As the catalogue spells them.
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

Result<double> stepsOf(const AdviceArguments& arguments, const advisor::Job& job) {
    if (arguments.steps) return *arguments.steps;
    const bool trains = job.model.mode == plan::Mode::Train;
    const auto samples =
        arguments.samples ? *arguments.samples : (trains ? static_cast<double>(job.workload.trainSamples) : 0);
    if (samples <= 0) return fail(ErrorKind::InvalidArgument, "--samples", app::messages::samplesUnknown());
    const double epochs = arguments.epochs.value_or(trains ? static_cast<double>(job.workload.epochs) : 1);
    return advisor::stepsOf(epochs, samples, job.model.batch);
}

void applyOptions(const AdviceArguments& arguments, advisor::AdviceRequest& request) {
    if (arguments.preset) advisor::apply(*advisor::findPreset(*arguments.preset), request);
    if (arguments.priority) request.priority = *advisor::priorityFromString(*arguments.priority);
    if (arguments.timeWeight) request.timeWeight = *arguments.timeWeight;
    if (arguments.budget) request.budgetUsd = arguments.budget;
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
        command.add_option("--epochs", arguments.epochs, "Epochs of the job (default: as published)")->check(amount);
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
    command.add_option("--priority", arguments.priority, "What to optimise for")
        ->check(CLI::IsMember({"cheapest", "fastest", "balanced"}));
    command
        .add_option("--time-weight", arguments.timeWeight, "Weight of time against cost; 0 = cost only (default: 1)")
        ->check(timeWeight);
    command.add_option("--budget", arguments.budget, "Maximum cost of the job in US dollars")->check(greaterThanZero);
    command.add_option("--deadline", arguments.deadline, "Maximum duration of the job in hours")
        ->check(greaterThanZero);
    command.add_option("--spot", arguments.spot, "Include spot instances, which can be interrupted")
        ->check(CLI::IsMember({"yes", "no"}));
    command.add_option("--provider", arguments.providers, "Restrict to these providers, comma separated");
    // --persona: the name until version 0.1.0.
    command.add_option("--preset,--persona", arguments.preset, "Preset for the options above")
        ->check(CLI::IsMember(presetNames()));
    command.add_option("--software", arguments.software, "Software stack: steelyard, or a published one such as ngc22")
        ->capture_default_str();
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

Result<advisor::AdviceRequest> adviceRequest(CommandContext& context, const AdviceArguments& arguments,
                                             const advisor::Job& job, const advisor::AdvisorData& data) {
    advisor::AdviceRequest request;
    request.job = job.model;
    request.software = arguments.software;
    request.today = today(context);
    TRY(advisor::checkSoftware(arguments.software, data.parameters));
    const auto steps = stepsOf(arguments, job);
    if (!steps) return Failure(steps.error());
    request.steps = *steps;
    request.experiments = arguments.experiments;
    auto providers = providersOf(arguments.providers, data.catalog);
    if (!providers) return Failure(providers.error());
    request.providers = std::move(*providers);
    applyOptions(arguments, request);
    if (arguments.own == "no") return request;
    ASSIGN(const auto profile, context.profile());
    request.own = advisor::ownDevices(profile, data.catalog, data.parameters);
    advisor::chargeElectricity(request.own, data.catalog, {.usdPerKwh = arguments.usdPerKwh, .watts = arguments.watts});
    return request;
}

}  // namespace steelyard::cli
