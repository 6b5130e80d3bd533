// SPDX-License-Identifier: Apache-2.0
// show: layers, parameters, FLOPs, bytes and memory plan of a workload; sizes of a language model.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/language_inputs.h"
#include "app/cli/options/onnx_options.h"
#include "app/cli/options/option_checks.h"
#include "engine/advisor/language/language_json.h"
#include "engine/core/messages/app.h"
#include "engine/core/units.h"
#include "engine/model/onnx/exporter.h"
#include "engine/model/resolve.h"
#include "engine/plan/plan.h"

namespace steelyard::cli {
namespace {

struct ShowOptions {
    std::string workload;
    std::int64_t batch = 0;
    std::string mode;  // empty: training, or inference if there is nothing to train
    std::string precision = "fp32";
    LanguageArguments language;
    bool json = false;
    std::string onnxFile;
    OnnxOptions onnx;
};

void printModel(std::ostream& out, const advisor::LanguageJob& job) {
    const auto& spec = job.model.spec;
    const auto counts = model::parametersOf(spec);
    const auto bytes = job.weightBytes();
    const auto memory = advisor::languageMemory(job, true);
    fmt::print(out, "{} ({}), {} layers of width {}, {} heads ({} for keys and values), vocabulary {}\n", spec.title,
               spec.id, spec.layers, spec.width, spec.heads, spec.kvHeads, spec.vocabulary);
    if (!spec.source.empty())
        fmt::print(out, "source: {}{}{}\n", spec.source, spec.date.empty() ? "" : ", ", spec.date);
    fmt::print(out, "\nparameters {:.0f}", counts.total);
    if (spec.hasExperts()) fmt::print(out, ", active {:.0f}", counts.active);
    fmt::print(out, "\nweights as {}: {}, {:.2f} bits per weight, {} read per token\n", job.weights->title,
               languageBytes(bytes.total), 8 * bytes.total / counts.total, languageBytes(bytes.readPerToken));
    fmt::print(out, "cache: {} per token, {} for {:.0f} tokens\n",
               languageBytes(model::cacheBytesPerToken(spec, job.cache)), languageBytes(memory.cache), job.context);
    fmt::print(out, "memory on a GPU: weights {}, cache {}, workspace {}, driver {}, total {}\n",
               languageBytes(memory.weights), languageBytes(memory.cache), languageBytes(memory.working),
               languageBytes(memory.context), languageBytes(memory.total()));
}

Result<void> showModel(CommandContext& context, const ShowOptions& options, const model::DecoderTable& table) {
    ASSIGN(const auto resolved, model::resolveDecoder(table, options.workload));
    auto language = options.language;
    language.weights = options.onnx.weights;
    ASSIGN(const auto job, languageJob(resolved, language, options.mode, static_cast<double>(options.batch)));
    remarkOn(context, job);
    if (options.json) {
        context.out << advisor::languageModelJson(job) << "\n";
    } else {
        printModel(context.out, job);
    }
    return {};
}

// For imported operations, their function, such as "attention".
std::string_view layerKind(const model::Layer& layer) {
    const auto* array = std::get_if<model::ArrayLayer>(&layer);
    return array == nullptr ? model::kindName(layer) : model::arrayKindName(array->operation);
}

nlohmann::ordered_json layersJson(const model::Graph& graph) {
    auto layers = nlohmann::ordered_json::array();
    for (const auto& node : graph.nodes) {
        std::int64_t parameters = 0;
        for (auto p : node.parameters) {
            const auto& parameter = graph.parameters[static_cast<std::size_t>(p)];
            if (parameter.owner == node.id && parameter.spec.trainable)
                parameters += model::elementCount(parameter.spec.shape);
        }
        auto inputs = nlohmann::ordered_json::array();
        for (auto in : node.inputs) inputs.push_back(graph.nodes[static_cast<std::size_t>(in)].name);
        layers.push_back({{"name", node.name},
                          {"kind", layerKind(node.layer)},
                          {"inputs", inputs},
                          {"output", node.output},
                          {"parameters", parameters}});
    }
    return layers;
}

nlohmann::ordered_json asJson(const model::Workload& workload, const model::Graph& graph, const plan::Plan& plan) {
    const auto& memory = plan.memory;
    return {{"workload", workload.id},
            {"title", workload.title},
            {"paper", workload.paper},
            {"link", workload.link},
            {"mode", plan::toString(plan.options.mode)},
            {"batch", plan.options.batch},
            {"precision", plan::toString(plan.options.precision)},
            {"optimizer", model::toString(workload.optimizer.kind)},
            {"parameters", graph.trainableParameters()},
            {"state_parameters", graph.stateParameters()},
            {"forward_macs_per_sample", plan.forwardMacsPerSample()},
            {"step_flops", plan.stepFlops()},
            {"step_bytes", plan.stepBytes()},
            {"memory",
             {{"weights", memory.weights.value()},
              {"gradients", memory.gradients.value()},
              {"optimizer", memory.optimizer.value()},
              {"activations", memory.activations.value()},
              {"workspace", memory.workspace.value()},
              {"total", memory.total().value()}}},
            {"layers", layersJson(graph)}};
}

void print(std::ostream& out, const model::Workload& workload, const model::Graph& graph, const plan::Plan& plan) {
    fmt::print(out, "{} ({})\n{}\n{}\n\n", workload.title, workload.id, workload.paper, workload.link);
    fmt::print(out, "{:<24} {:<20} {:>18} {:>14}\n", "layer", "kind", "output", "parameters");
    for (const auto& layer : layersJson(graph)) {
        fmt::print(out, "{:<24} {:<20} {:>18} {:>14}\n", layer["name"].get<std::string>(),
                   layer["kind"].get<std::string>(), model::toString(layer["output"].get<model::Shape>()),
                   layer["parameters"].get<std::int64_t>());
    }
    fmt::print(out, "\nparameters {}, forward {} per sample\n", graph.trainableParameters(),
               formatFlops(Flops(2 * plan.forwardMacsPerSample())));
    fmt::print(out, "{} step, batch {}, {}: {}, {} moved\n", plan::toString(plan.options.mode), plan.options.batch,
               plan::toString(plan.options.precision), formatFlops(Flops(plan.stepFlops())),
               formatBytes(Bytes(static_cast<std::int64_t>(plan.stepBytes()))));
    fmt::print(out, "memory: weights {}, gradients {}, optimizer {}, activations {}, workspace {}, total {}\n",
               formatBytes(plan.memory.weights), formatBytes(plan.memory.gradients), formatBytes(plan.memory.optimizer),
               formatBytes(plan.memory.activations), formatBytes(plan.memory.workspace),
               formatBytes(plan.memory.total()));
}

void show(CommandContext& context, const ShowOptions& options) {
    const auto table = model::loadDecoderTable(context.resources);
    if (!table) return context.report(table.error());
    if (model::namesDecoder(*table, options.workload)) {
        if (const auto done = showModel(context, options, *table); !done) context.report(done.error());
        return;
    }
    if (const auto* option = options.language.given())
        return context.report({ErrorKind::InvalidArgument, option, app::messages::forLanguageModels(), {}, {}, {}});
    const auto name = withOnnxOptions(options.workload, options.onnx);
    if (!name) return context.report(name.error());
    const auto workload = model::resolveWorkload(*name);
    if (!workload) return context.report(workload.error());
    auto graph = workload->build();
    // The shapes of an imported network may fix the batch size.
    if (graph && graph->wholeShapes && options.batch > 0 && options.batch != graph->fixedBatch)
        graph = graph->atBatch(options.batch);
    if (!graph) return context.report(graph.error());
    if (!options.onnxFile.empty())
        if (const auto written = model::onnx::exportNetwork(*graph, options.onnxFile, 1); !written)
            return context.report(written.error());
    plan::PlanOptions planOptions{plan::modeFromString(options.mode).value_or(plan::usualMode(*workload)),
                                  options.batch, plan::precisionFromString(options.precision).value(),
                                  workload->optimizer};
    if (options.batch == 0) planOptions.batch = workload->batch;
    const auto plan = plan::lower(*graph, planOptions);
    if (!plan) return context.report(plan.error());
    if (options.json) {
        context.out << dumpJson(asJson(*workload, *graph, *plan), 2) << "\n";
    } else {
        print(context.out, *workload, *graph, *plan);
    }
}

}  // namespace

void addShow(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("show", "Show layers, parameters, FLOPs, bytes and memory of a workload");
    auto options = std::make_shared<ShowOptions>();
    command
        ->add_option("workload", options->workload,
                     "Workload name (see list workloads), or a language model (see list models)")
        ->required();
    addLanguageOptions(*command, options->language, false);
    command->add_option("--batch", options->batch, "Samples per step (default: as published)")->check(batchSize);
    command
        ->add_option("--mode", options->mode, "train or infer (default: train, or infer if there is nothing to train)")
        ->check(CLI::IsMember({"train", "infer"}));
    command->add_option("--precision", options->precision)
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16", "int8"}))
        ->capture_default_str();
    addOnnxOptions(*command, options->onnx, true);
    command->add_option("--onnx", options->onnxFile,
                        "Also export the network as an ONNX file, with the initial weights of a run");
    command->add_flag("--json", options->json, "Print one JSON document");
    command->callback([&context, options] { show(context, *options); });
}

}  // namespace steelyard::cli
