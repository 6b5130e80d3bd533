// SPDX-License-Identifier: Apache-2.0
// list: workloads, language models, suites, devices, catalogue entries, studies.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/device_rates.h"
#include "app/cli/options/language_inputs.h"
#include "app/cli/tables/catalog_text.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/language/language_json.h"
#include "engine/advisor/study/study.h"
#include "engine/bench/suite/suite.h"
#include "engine/catalog/catalog_json.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::cli {
namespace {

using Json = nlohmann::ordered_json;

// Why the CPU cannot run a workload in any of its modes; empty if it can.
std::string reasonAgainst(const model::Workload& workload, const compute::Backend& backend) {
    const auto graph = workload.build();
    if (!graph) return describe(graph.error());
    for (const auto mode : {plan::Mode::Train, plan::Mode::Infer}) {
        if (mode == plan::Mode::Train && workload.inferenceOnly) continue;
        const auto plan = plan::lower(*graph, {mode, 1, plan::Precision::Fp32, workload.optimizer});
        if (!plan) return describe(plan.error());
        if (const auto ok = compute::supportsPlan(backend, *plan); !ok) return describe(ok.error());
    }
    return {};
}

Json workloadsJson(CommandContext& context) {
    auto list = Json::array();
    const auto cpu = context.backends().backendOf("cpu");
    for (const auto& w : model::workloads()) {
        const bench::Case spec{.workload = w.id, .mode = plan::usualMode(w), .device = "cpu", .batch = w.batch};
        const auto reason = cpu ? reasonAgainst(w, **cpu) : describe(cpu.error());
        list.push_back({{"id", w.id},
                        {"title", w.title},
                        {"family", w.family},
                        {"dataset", w.dataset},
                        {"batch", w.batch},
                        {"parameters", w.parameters},
                        {"runnable", reason.empty()},
                        {"estimate_seconds", bench::estimateSeconds(spec, {})},
                        {"paper", w.paper},
                        {"reason", reason}});
    }
    return list;
}

Json suitesJson(CommandContext& context) {
    auto list = Json::array();
    const auto profile = context.profile().value_or(hardware::HardwareProfile{});
    const auto machine = bench::suiteMachine(profile);
    const auto rates = assumedRates(context, profile, {"cpu"});
    for (const auto& suite : bench::suites()) {
        bench::RunRequest request;
        request.suite = std::string(suite.id);
        const auto made = bench::makeSuite(request, machine);
        if (!made) continue;
        const bench::Protocol protocol{.timeCap = made->timeCap, .visits = bench::kVisits};
        std::set<std::string> workloads;
        for (const auto& spec : made->cases) workloads.insert(spec.workload);
        list.push_back({{"id", std::string(suite.id)},
                        {"title", std::string(suite.title)},
                        {"cases", made->cases.size()},
                        {"estimate_seconds",
                         bench::estimateSeconds(made->cases, bench::timeBudgetOf(*made, protocol), protocol, rates)},
                        {"workloads", workloads}});
    }
    return list;
}

Json devicesJson(CommandContext& context) {
    auto list = Json::array();
    for (const auto& device : context.backends().devices())
        list.push_back({{"id", device.id},
                        {"name", device.name},
                        {"memory_bytes", device.memory ? Json(device.memory->value()) : Json(nullptr)}});
    return list;
}

void listStudies(CommandContext& context, bool json) {
    auto list = Json::array();
    for (const auto& file : advisor::studyFiles(context.resources / "studies")) {
        const auto study = advisor::loadStudy(file);
        if (!study) return context.report(study.error());
        list.push_back({{"id", file.stem().string()},
                        {"title", study->title},
                        {"date", study->date},
                        {"rows", study->rows.size()},
                        {"source", study->source},
                        {"link", study->link}});
    }
    if (json) {
        context.out << dumpJson(Json{{"studies", list}}, 2) << "\n";
        return;
    }
    TextTable table({{"id"}, {"title"}, {"date"}, {"rows", true}});
    for (const auto& study : list)
        table.add({study["id"].get<std::string>(), study["title"].get<std::string>(), study["date"].get<std::string>(),
                   std::to_string(study["rows"].get<std::size_t>())});
    table.print(context.out);
}

void listModels(CommandContext& context, bool json) {
    const auto models = model::loadDecoderTable(context.resources);
    if (!models) return context.report(models.error());
    if (json) {
        context.out << advisor::languageModelsJson(*models) << "\n";
        return;
    }
    TextTable table(
        {{"id"}, {"title"}, {"parameters", true}, {"active", true}, {"cache/token", true}, {"q4_k_m", true}});
    const auto& q4 = *model::findWeightScheme("q4_k_m");
    for (const auto& spec : models->models) {
        const auto counts = model::parametersOf(spec);
        table.add({spec.id, spec.title, fmt::format("{:.2f} B", counts.total / 1e9),
                   spec.hasExperts() ? fmt::format("{:.2f} B", counts.active / 1e9) : "",
                   languageBytes(model::cacheBytesPerToken(spec)), languageBytes(model::weightBytes(spec, q4).total)});
    }
    table.print(context.out);
}

// Devices or offers of the catalogue, including user entries.
void listCatalog(CommandContext& context, bool hardware, bool json) {
    const auto data = advisorData(context);
    if (!data) return context.report(data.error());
    if (json) {
        const auto all = Json::parse(catalog::toJson(data->catalog));
        const char* member = hardware ? "hardware" : "offers";
        context.out << dumpJson(Json{{member, all.at(member)}}, 2) << "\n";
    } else if (hardware) {
        printHardware(context.out, data->catalog);
    } else {
        printOffers(context.out, data->catalog, today(context));
    }
}

constexpr const char* kEstimate = "estimate_seconds";

// Rounded to the accuracy of an estimate.
std::string aboutText(double seconds) {
    if (seconds < 1) return "under 1 s";
    if (seconds < 100) return fmt::format("about {:.0f} s", seconds);
    if (seconds < 100 * 60) return fmt::format("about {:.0f} min", seconds / 60);
    return fmt::format("about {:.1f} h", seconds / 3600);
}

// Columns in the order of the first entry's members, each as wide as its widest value.
void printTable(std::ostream& out, const Json& list) {
    if (list.empty()) {
        out << "none\n";
        return;
    }
    const auto text = [](const std::string& key, const Json& value) {
        if (value.is_null()) return std::string("-");
        if (key == kEstimate) return aboutText(value.get<double>());
        return value.is_string() ? value.get<std::string>() : value.dump();
    };
    struct Column {
        std::string key, heading;
        std::size_t width;
    };
    std::vector<Column> columns;
    for (const auto& [key, value] : list.front().items()) {
        Column column{key, key == kEstimate ? "duration" : key, 0};
        column.width = column.heading.size();
        for (const auto& row : list) column.width = std::max(column.width, text(key, row.at(key)).size());
        column.width = std::min<std::size_t>(column.width, 70);
        columns.push_back(std::move(column));
    }
    for (const auto& column : columns) fmt::print(out, "{:<{}}  ", column.heading, column.width);
    out << "\n";
    for (const auto& row : list) {
        for (const auto& [key, heading, width] : columns) fmt::print(out, "{:<{}}  ", text(key, row.at(key)), width);
        out << "\n";
    }
}

}  // namespace

void addList(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand(
        "list", "List workloads, language models, suites, local devices, hardware of the catalogue, offers or studies");
    auto what = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    command->add_option("what", *what)
        ->required()
        ->check(CLI::IsMember({"workloads", "models", "suites", "devices", "hardware", "offers", "studies"}));
    command->add_flag("--json", *json, "Print one JSON document");
    command->callback([&context, what, json] {
        if (*what == "models") return listModels(context, *json);
        if (*what == "studies") return listStudies(context, *json);
        if (*what == "hardware" || *what == "offers") return listCatalog(context, *what == "hardware", *json);
        const auto list = *what == "workloads" ? workloadsJson(context)
                          : *what == "suites"  ? suitesJson(context)
                                               : devicesJson(context);
        if (*json) {
            context.out << dumpJson(Json{{*what, list}}, 2) << "\n";
        } else {
            printTable(context.out, list);
        }
    });
}

}  // namespace steelyard::cli
