// SPDX-License-Identifier: Apache-2.0
// evaluate: runs an ONNX file on given inputs and compares with reference outputs; runs tokens through a GGUF file.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/kernel_cache_flag.h"
#include "app/cli/options/onnx_options.h"
#include "app/cli/options/option_checks.h"
#include "engine/bench/measure/case_runner.h"
#include "engine/compute/evaluation.h"
#include "engine/compute/language/language_backend.h"
#include "engine/compute/language/reference_decoder.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/app.h"
#include "engine/core/messages/bench.h"
#include "engine/core/npy.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::cli {
namespace {

struct EvaluateArguments {
    std::string file, inputs, outputs, format, weights = "file", device, precision = "fp32", constants;
    std::optional<double> relative, absolute;
    std::string tokens;  // GGUF only
    std::int64_t generate = 0;
    std::string cache = "f16";
    std::int64_t sequences = 1;
    int threads = 0;  // 0: the default number of threads
    bool warmUp = false;
    bool json = false;

    [[nodiscard]] bool isGguf() const { return file.ends_with(".gguf"); }

    [[nodiscard]] std::string chosenDevice() const { return device.empty() ? "cpu" : device; }
    // Defaults depend on the precision: 8 and 16-bit types have two to three significant digits.
    [[nodiscard]] bool isNarrow() const { return precision == "bf16" || precision == "fp16" || precision == "int8"; }
    [[nodiscard]] compute::Tolerance tolerance() const {
        return {relative.value_or(isNarrow() ? 5e-2 : 1e-3), absolute.value_or(isNarrow() ? 5e-2 : 1e-5)};
    }
    // The defaults are widened by the effect of rounding, a given tolerance is not.
    [[nodiscard]] bool allowsRounding() const { return isNarrow() && !relative && !absolute; }
};

// The folder with the inputs: the given one, or its subfolder test_data_set_0.
std::string folderOf(const std::string& inputs) {
    const auto below = (std::filesystem::path(inputs) / "test_data_set_0").string();
    return !compute::hasArrays(inputs) && compute::hasArrays(below) ? below : inputs;
}

// What an ONNX file computes, and how far each output is from what is expected; unset where nothing is expected.
struct ComparedOutputs {
    compute::Evaluation evaluation;
    std::vector<std::optional<compute::OutputError>> errors;

    [[nodiscard]] bool anyFails() const {
        return std::ranges::any_of(errors, [](const auto& error) { return error && !error->within; });
    }
};

ComparedOutputs compared(compute::Evaluation evaluation, const compute::Tolerance& tolerance,
                         const compute::Evaluation* rounded = nullptr) {
    ComparedOutputs result{std::move(evaluation), {}};
    const auto& [outputs, allExpected, fromNpy] = result.evaluation;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        auto& error = result.errors.emplace_back();
        const auto& expected = allExpected[i];
        if (!expected) continue;
        error = rounded == nullptr
                    ? compute::compareOutput(outputs[i], *expected, tolerance)
                    : compute::compareRoundedOutput(outputs[i], rounded->outputs[i], *expected, tolerance);
        if (outputs[i].shape != expected->shape) error->within = false;
    }
    return result;
}

Result<ComparedOutputs> evaluateFile(CommandContext& context, const EvaluateArguments& arguments) {
    if (!model::onnx::isOnnxName(arguments.file))
        return fail(ErrorKind::InvalidArgument, arguments.file, app::messages::evaluatesOnnxFiles());
    if (arguments.inputs.empty()) return fail(ErrorKind::InvalidArgument, "--inputs", app::messages::neededForOnnx());
    for (const auto& [given, name] :
         {std::pair{!arguments.tokens.empty(), "--tokens"}, std::pair{arguments.generate > 0, "--generate"},
          std::pair{arguments.threads > 0, "--threads"}, std::pair{arguments.warmUp, "--warm-up"},
          std::pair{arguments.sequences != 1, "--sequences"}})
        if (given) return fail(ErrorKind::InvalidArgument, name, app::messages::onlyForGguf());
    ASSIGN(const auto name, model::onnx::parseOnnxName(arguments.file));
    ASSIGN(const std::shared_ptr<const model::onnx::File> file, model::onnx::readFile(name.path));
    ASSIGN(const auto profile, context.profile());
    ASSIGN(auto* const backend, context.backends().backendOf(arguments.chosenDevice()));
    compute::EvaluationRequest request;
    request.folder = folderOf(arguments.inputs);
    request.options = name.options;
    request.options.fileWeights = arguments.weights == "file";
    request.constants = splitList(arguments.constants);
    request.precision = plan::precisionFromString(arguments.precision).value();
    request.compile.device = arguments.chosenDevice();
    request.compile.threads = bench::threadsOf({.device = arguments.chosenDevice()}, profile);
    const auto reference = compute::makeReferenceBackend();
    request.calibrating = reference.get();
    ASSIGN(auto evaluation, compute::evaluateFolder(*backend, file, request));
    auto result = compared(std::move(evaluation), arguments.tolerance());
    if (!result.anyFails() || !arguments.allowsRounding()) return result;
    const auto emulation = compute::makeReferenceBackend({.emulatePrecision = true});
    request.compile.device = "reference";
    ASSIGN(const auto rounded, compute::evaluateFolder(*emulation, file, request));
    return compared(std::move(result.evaluation), arguments.tolerance(), &rounded);
}

// As asked, else as the inputs are.
Result<void> writeOutputs(const compute::Evaluation& evaluation, const EvaluateArguments& arguments) {
    const bool npy = arguments.format.empty() ? evaluation.fromNpy : arguments.format == "npy";
    return compute::writeArrays(evaluation.outputs, arguments.outputs,
                                npy ? compute::ArrayFormat::Npy : compute::ArrayFormat::TensorProto);
}

Result<std::vector<std::int32_t>> tokensOf(const std::string& text) {
    std::vector<std::int32_t> tokens;
    for (const auto& part : splitList(text)) {
        std::int32_t token = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), token);
        if (error != std::errc() || end != part.data() + part.size())
            return fail(ErrorKind::InvalidArgument, "--tokens", app::messages::notTokens(text));
        tokens.push_back(token);
    }
    if (tokens.empty()) return fail(ErrorKind::InvalidArgument, "--tokens", app::messages::neededForGguf());
    return tokens;
}

struct LanguageEvaluation {
    model::DecoderSpec spec;
    std::vector<std::int32_t> tokens, generated;
    std::vector<float> logits;  // of the last token
    double promptSeconds = 0;
    std::vector<double> tokenSeconds;  // of each generated token, in order
};

Result<LanguageEvaluation> evaluateTokens(CommandContext& context, const EvaluateArguments& arguments) {
    for (const auto& [given, name] :
         {std::pair{!arguments.inputs.empty(), "--inputs"}, std::pair{arguments.weights != "file", "--weights"},
          std::pair{!arguments.constants.empty(), "--constants"}, std::pair{!arguments.format.empty(), "--format"},
          std::pair{arguments.precision != "fp32", "--precision"},
          std::pair{arguments.relative.has_value(), "--relative"},
          std::pair{arguments.absolute.has_value(), "--absolute"}})
        if (given) return fail(ErrorKind::InvalidArgument, name, app::messages::notForGguf());
    const auto device = arguments.chosenDevice();
    LanguageEvaluation result;
    ASSIGN(result.tokens, tokensOf(arguments.tokens));
    ASSIGN(auto file, model::GgufWeightFile::open(arguments.file));
    result.spec = file->spec();
    const auto positions = static_cast<std::int64_t>(result.tokens.size()) + arguments.generate;
    ASSIGN(auto weights, compute::decoderWeights(std::move(file), positions));
    std::unique_ptr<compute::LanguageDecoder> decoder;
    if (device == "reference") {
        decoder = compute::makeReferenceDecoder(std::move(weights), positions);
    } else {
        ASSIGN(const auto profile, context.profile());
        ASSIGN(auto* const backend, context.backends().backendOf(device));
        auto* const computing = compute::languageBackendOf(*backend);
        if (computing == nullptr) return fail(ErrorKind::Unsupported, device, bench::messages::noLanguageBackend());
        const auto threads = arguments.threads > 0 ? arguments.threads : bench::threadsOf({.device = "cpu"}, profile);
        ASSIGN(decoder,
               computing->makeDecoder(std::move(weights),
                                      {.device = device,
                                       .context = positions,
                                       .threads = threads,
                                       .sequences = arguments.sequences,
                                       .cache = model::fromName(std::type_identity<model::CacheType>(), arguments.cache)
                                                    .value_or(model::CacheType::F16)}));
    }
    std::vector<std::int32_t> prompt;
    for (std::int64_t i = 0; i < decoder->sequences(); ++i)
        prompt.insert(prompt.end(), result.tokens.begin(), result.tokens.end());
    if (arguments.warmUp) {
        TRY(decoder->append(prompt));
        TRY(decoder->rewind(0));
    }
    auto start = context.clock.nowNanoseconds();
    const auto seconds = [&] {
        const auto now = context.clock.nowNanoseconds();
        return static_cast<double>(now - std::exchange(start, now)) * 1e-9;
    };
    const auto vocabulary = static_cast<std::size_t>(decoder->vocabulary());
    ASSIGN(auto logits, decoder->append(prompt));
    result.promptSeconds = seconds();
    result.logits.assign(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(vocabulary));
    start = context.clock.nowNanoseconds();
    for (std::int64_t i = 0; i < arguments.generate; ++i) {
        std::vector<std::int32_t> next;
        for (std::size_t first = 0; first < logits.size(); first += vocabulary)
            next.push_back(compute::greedyToken(logits.subspan(first, vocabulary)));
        result.generated.push_back(next.front());
        if (i + 1 == arguments.generate) break;
        ASSIGN(logits, decoder->append(next));
        result.tokenSeconds.push_back(seconds());
    }
    return result;
}

void evaluateLanguage(CommandContext& context, const EvaluateArguments& arguments) {
    const auto evaluation = evaluateTokens(context, arguments);
    if (!evaluation) return context.report(evaluation.error());
    const auto& logits = evaluation->logits;
    if (!arguments.outputs.empty())
        if (const auto written = writeFileAtomically(
                arguments.outputs,
                npyBytes("<f4", {std::ssize(logits)}, std::vector<double>(logits.begin(), logits.end())));
            !written)
            return context.report(written.error());
    constexpr std::size_t kShown = 5;
    std::vector<std::int32_t> order(logits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    const auto shown = order.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, order.size()));
    std::ranges::partial_sort(order, shown, [&](std::int32_t a, std::int32_t b) {
        const auto x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    });
    order.erase(shown, order.end());
    if (arguments.json) {
        auto largest = nlohmann::ordered_json::array();
        for (const auto token : order)
            largest.push_back({{"token", token}, {"logit", logits[static_cast<std::size_t>(token)]}});
        const nlohmann::ordered_json document{{"family", evaluation->spec.family},
                                              {"vocabulary", logits.size()},
                                              {"tokens", evaluation->tokens},
                                              {"largest_logits", largest},
                                              {"generated", evaluation->generated},
                                              {"prompt_seconds", evaluation->promptSeconds},
                                              {"token_seconds", evaluation->tokenSeconds}};
        context.out << dumpJson(document, 2) << "\n";
        return;
    }
    fmt::print(context.out, "{}, {} layers, {} tokens; largest logits after the last token:\n", evaluation->spec.family,
               evaluation->spec.layers, evaluation->tokens.size());
    for (const auto token : order)
        fmt::print(context.out, "{:>8} {:>12.5f}\n", token, logits[static_cast<std::size_t>(token)]);
    if (!evaluation->generated.empty())
        fmt::print(context.out, "generated: {}\n", fmt::join(evaluation->generated, ","));
}

void evaluate(CommandContext& context, const EvaluateArguments& arguments) {
    if (arguments.isGguf()) return evaluateLanguage(context, arguments);
    const auto compared = evaluateFile(context, arguments);
    if (!compared) return context.report(compared.error());
    const auto& outputs = compared->evaluation.outputs;
    if (!arguments.outputs.empty())
        if (const auto written = writeOutputs(compared->evaluation, arguments); !written)
            return context.report(written.error());
    if (compared->anyFails()) context.exitCode = kSomeCaseFailed;
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& output = outputs[i];
        const auto& error = compared->errors[i];
        const auto shape = output.shape.empty() ? "scalar" : model::toString(output.shape);
        auto& row = rows.emplace_back(nlohmann::ordered_json{{"output", output.name}, {"shape", output.shape}});
        if (!error) {
            row["state"] = "not_compared";
            if (!arguments.json) fmt::print(context.out, "{:<32} {:<20} not compared\n", output.name, shape);
            continue;
        }
        const auto* state = error->within ? "pass" : "fail";
        row["state"] = state;
        row["max_absolute_error"] = error->absolute;
        row["max_relative_error"] = error->relative;
        if (error->rounding) row["rounding_error"] = *error->rounding;
        const auto rounding =
            error->rounding ? fmt::format(" (rounding to {} alone: {:.2g})", arguments.precision, *error->rounding)
                            : "";
        if (!arguments.json)
            fmt::print(context.out, "{:<32} {:<20} {}, largest error {:.2g}{}, relative {:.2g}\n", output.name, shape,
                       state, error->absolute, rounding, error->relative);
    }
    if (arguments.json) context.out << dumpJson(nlohmann::ordered_json{{"outputs", rows}}, 2) << "\n";
}

}  // namespace

void addEvaluate(CLI::App& app, CommandContext& context) {
    auto* command =
        app.add_subcommand("evaluate",
                           "Run an ONNX file on given inputs and compare with reference outputs, or run tokens "
                           "through a GGUF file");
    auto arguments = std::make_shared<EvaluateArguments>();
    command
        ->add_option("file", arguments->file,
                     "ONNX file, optionally with options in parentheses: net.onnx(outputs=logits); or GGUF file")
        ->required();
    command->add_option("--inputs", arguments->inputs,
                        "ONNX: folder with input_0.pb, ... (TensorProto), input_0.npy, ... or NAME.npy (NumPy); "
                        "output_0.pb, output_0.npy, ... or NAME.npy are the expected outputs");
    command->add_option("--tokens", arguments->tokens, "GGUF: token ids, comma separated");
    command->add_option("--generate", arguments->generate, "GGUF: number of tokens to generate (greedy)")
        ->check(CLI::Range(0, 1'000'000));
    command->add_option("--outputs", arguments->outputs,
                        "Folder to write the computed output_0.pb or output_0.npy, ... to; GGUF: .npy file for the "
                        "last token's logits");
    command->add_option("--format", arguments->format, "ONNX: format of --outputs, pb or npy (default: as the inputs)")
        ->check(CLI::IsMember({"pb", "npy"}));
    command->add_option("--weights", arguments->weights, "file: weights of the file (default); drawn: random weights")
        ->check(CLI::IsMember({"file", "drawn"}));
    command->add_option("--constants", arguments->constants,
                        "Inputs to import as constants, comma separated (default: those that must be constant)");
    command->add_option("--device", arguments->device, "Device (default: cpu); GGUF: also reference (exact but slow)");
    command
        ->add_option("--sequences", arguments->sequences,
                     "GGUF: number of equal sequences that are processed together; the first one is printed")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--warm-up", arguments->warmUp, "GGUF: run the prompt once before it is timed");
    command->add_option("--threads", arguments->threads, "GGUF: CPU threads (default: as for run)")->check(threadCount);
    command->add_option("--precision", arguments->precision)
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16", "int8"}))
        ->capture_default_str();
    command
        ->add_option(
            "--relative", arguments->relative,
            "Relative tolerance (default: 1e-3; in 8 and 16-bit precisions 5e-2, or twice the error of rounding)")
        ->check(notNegative);
    command
        ->add_option(
            "--absolute", arguments->absolute,
            "Absolute tolerance (default: 1e-5; in 8 and 16-bit precisions 5e-2, or twice the error of rounding)")
        ->check(notNegative);
    command->add_option("--cache", arguments->cache, "GGUF: type of the KV cache, f16 (default), f32 or q8_0")
        ->check(CLI::IsMember({"f16", "f32", "q8_0"}));
    addKernelCacheFlag(command, context);
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { evaluate(context, *arguments); });
}

}  // namespace steelyard::cli
