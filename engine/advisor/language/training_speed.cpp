// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/training_speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/messages/core.h"

namespace steelyard::advisor {
namespace {

constexpr double kReferenceWidth = 4096, kMicroseconds = 1e-6;

constexpr std::array<std::pair<TrainingBase, std::string_view>, 4> kTrainingBases{{
    {TrainingBase::Bits16, "bits16"},
    {TrainingBase::Nf4, "nf4"},
    {TrainingBase::Groups4, "groups4"},
    {TrainingBase::Mlx4, "mlx4"},
}};

struct TrainingFigure {
    std::string_view name;
    double TrainingParameters::*member;
};
constexpr std::array kTrainingFigures{
    TrainingFigure{"reference_flops", &TrainingParameters::referenceFlops},
    TrainingFigure{"lowest_flops", &TrainingParameters::lowestFlops},
    TrainingFigure{"highest_flops", &TrainingParameters::highestFlops},
    TrainingFigure{"rate_exponent", &TrainingParameters::rateExponent},
    TrainingFigure{"width_exponent", &TrainingParameters::widthExponent},
    TrainingFigure{"attention_share", &TrainingParameters::attentionShare},
    TrainingFigure{"highest_share", &TrainingParameters::highestShare},
    TrainingFigure{"nf4_bytes", &TrainingParameters::nf4Bytes},
    TrainingFigure{"groups_bytes", &TrainingParameters::groupsBytes},
    TrainingFigure{"optimizer_bytes", &TrainingParameters::optimizerBytes},
    TrainingFigure{"experts_share", &TrainingParameters::expertsShare},
};

bool holds(const std::vector<std::string>& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

TrainingStack readTrainingStack(JsonReader& reader) {
    TrainingStack stack;
    reader.require("id", stack.id);
    reader.require("title", stack.title);
    reader.require("makers", stack.makers);
    reader.require("seen_on", stack.seenOn);
    reader.require("devices_seen", stack.devicesSeen);
    reader.requirePositive("share", stack.share);
    reader.read("layer_microseconds", stack.layerMicroseconds);
    return stack;
}

void readTrainingBands(JsonReader& bands, TrainingParameters& p) {
    for (const auto* name : {"training", "stack_unknown", "experts"}) {
        if (!bands.has(name)) bands.refuse(name, steelyard::messages::isMissing());
        bands.object(name, [&](JsonReader& reader) {
            auto& band = p.bands[name];
            reader.requirePositive("low", band.low);
            reader.requirePositive("median", band.median);
            reader.requirePositive("high", band.high);
        });
    }
}

double passes(const TrainingWork& work) {
    return 2 + (work.checkpointing ? 1 : 0);
}

}  // namespace

std::string_view toString(TrainingBase value) {
    for (const auto& [key, name] : kTrainingBases)
        if (key == value) return name;
    return "unknown";
}

std::optional<TrainingBase> fromName(std::type_identity<TrainingBase>, std::string_view name) {
    for (const auto& [key, known] : kTrainingBases)
        if (known == name) return key;
    return std::nullopt;
}

bool TrainingStack::runsOn(std::string_view maker) const {
    return holds(makers, maker);
}

bool TrainingStack::isSeenOn(std::string_view maker) const {
    return holds(seenOn, maker);
}

const TrainingStack* TrainingParameters::findStack(std::string_view id) const {
    const auto found = std::ranges::find(stacks, id, &TrainingStack::id);
    return found == stacks.end() ? nullptr : &*found;
}

double TrainingParameters::unpackedBytes(TrainingBase base) const {
    switch (base) {
        case TrainingBase::Nf4:
            return nf4Bytes;
        case TrainingBase::Groups4:
            return groupsBytes;
        case TrainingBase::Bits16:
        case TrainingBase::Mlx4:  // its kernels multiply quantised weights directly
            return 0;
    }
    return 0;
}

Result<TrainingParameters> trainingParametersFromJson(std::string_view name, std::string_view text) {
    ASSIGN(const auto json, parseJson(text, std::string(name)));
    std::optional<Error> error;
    JsonReader file(json, std::string(name), error);
    file.requireFormat("steelyard-training-predictor", 1);
    TrainingParameters p;
    file.require("source", p.source);
    file.require("date", p.date);
    for (const auto& figure : kTrainingFigures) file.requirePositive(figure.name, p.*figure.member);
    file.eachObject("stacks", [&](JsonReader& reader) { p.stacks.push_back(readTrainingStack(reader)); });
    if (p.stacks.empty()) file.refuse("stacks", steelyard::messages::isMissing());
    if (!file.has("bands")) file.refuse("bands", steelyard::messages::isMissing());
    file.object("bands", [&](JsonReader& reader) { readTrainingBands(reader, p); });
    if (error) return Failure(std::move(*error));
    return p;
}

Result<TrainingParameters> loadTrainingParameters(const std::filesystem::path& resources) {
    const auto file = resources / "models" / "training_predictor.json";
    ASSIGN(const auto text, readFile(file, 1 << 20));
    return trainingParametersFromJson(file.string(), text);
}

std::string toJson(const TrainingParameters& p) {
    Json json;
    json["format"] = "steelyard-training-predictor";
    json["version"] = 1;
    json["source"] = p.source;
    json["date"] = p.date;
    for (const auto& figure : kTrainingFigures) json[std::string(figure.name)] = p.*figure.member;
    auto& stacks = json["stacks"] = Json::array();
    for (const auto& stack : p.stacks) {
        Json one{{"id", stack.id},
                 {"title", stack.title},
                 {"makers", stack.makers},
                 {"seen_on", stack.seenOn},
                 {"devices_seen", stack.devicesSeen},
                 {"share", stack.share}};
        if (stack.layerMicroseconds > 0) one["layer_microseconds"] = stack.layerMicroseconds;
        stacks.push_back(std::move(one));
    }
    for (const auto& [name, band] : p.bands)
        json["bands"][name] = {{"low", band.low}, {"median", band.median}, {"high", band.high}};
    return dumpJson(json, 1) + "\n";
}

double TrainingWork::productFlops() const {
    const double back = 1 + (full ? 1 : 0) + (checkpointing ? 1 : 0);
    return 2 * weights * stepTokens * (1 + adaptedShare * back);
}

double TrainingWork::attentionFlops() const {
    const double back = 2 + (checkpointing ? 1 : 0);
    return 4 * layers * attentionWidth * stepTokens * sequence / 2 * (1 + adaptedShare * back);
}

TrainingParts trainingParts(const TrainingParameters& p, const TrainingStack& stack, const TrainingDevice& device,
                            const TrainingWork& work) {
    TrainingParts parts;
    const double rate = std::clamp(device.flops, p.lowestFlops, p.highestFlops);
    double share = stack.share * std::pow(rate / p.referenceFlops, -p.rateExponent) *
                   std::pow(work.width / kReferenceWidth, p.widthExponent);
    share = std::min(share, p.highestShare);
    if (work.hasExperts) share *= p.expertsShare;
    parts.products = work.productFlops() / (device.flops * share);
    parts.attention = work.attentionFlops() / (device.flops * p.attentionShare);
    parts.launch = work.layers * passes(work) * stack.layerMicroseconds * kMicroseconds;
    parts.unpack = work.storedWeights * passes(work) * p.unpackedBytes(work.base) / device.bytesPerSecond;
    parts.optimizer = work.trainedWeights * p.optimizerBytes / (device.bytesPerSecond * work.stepsPerUpdate);
    const double computed = parts.products + parts.attention;
    parts.seconds = std::pow(std::pow(computed, 4) + std::pow(parts.launch, 4), 0.25) + parts.unpack + parts.optimizer;
    parts.bound = (work.productFlops() + work.attentionFlops()) / device.flops;
    parts.seconds = std::max(parts.seconds, parts.bound);
    return parts;
}

TrainingStack unknownTrainingStack(const TrainingParameters& parameters) {
    TrainingStack unknown{.id = "unknown", .title = {}, .makers = {}, .seenOn = {}, .share = 1};
    for (const auto& stack : parameters.stacks)
        unknown.share *= std::pow(stack.share, 1.0 / static_cast<double>(parameters.stacks.size()));
    return unknown;
}

double predictedTokensPerSecond(const TrainingParameters& parameters, const TrainingRow& row) {
    const auto* known = parameters.findStack(row.stack);
    const auto stack = known != nullptr ? *known : unknownTrainingStack(parameters);
    return row.work.stepTokens / trainingParts(parameters, stack, row.device, row.work).seconds;
}

Result<std::vector<TrainingRow>> trainingRowsFromCsv(std::string name, std::string text) {
    ASSIGN(const auto table, CsvDocument::parse(std::move(name), std::move(text)));
    std::vector<TrainingRow> rows;
    rows.reserve(table.rowCount());
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        std::string_view wrong;
        const auto cell = [&](std::string_view heading) {
            const auto column = table.column(heading);
            const auto fields = table.row(i);
            if (column && *column < fields.size()) return std::string(fields[*column]);
            wrong = heading;
            return std::string();
        };
        const auto number = [&](std::string_view heading) {
            const auto value = numberFromText(cell(heading));
            if (!value || *value <= 0) wrong = heading;
            return value.value_or(1);
        };
        TrainingRow row;
        row.deviceName = cell("device");
        row.model = cell("model");
        row.stack = cell("stack");
        row.device = {number("training_flops"), number("bytes_per_second"), cell("maker")};
        auto& work = row.work;
        work.layers = number("layers");
        work.width = work.attentionWidth = number("width");
        work.weights = work.storedWeights = number("weights");
        work.adaptedShare = number("adapted_share");
        work.sequence = number("sequence");
        work.stepTokens = number("step_tokens");
        work.stepsPerUpdate = number("steps_per_update");
        work.checkpointing = cell("checkpointing") == "1";
        work.full = cell("method") == "full";
        work.trainedWeights = work.full ? work.weights : 0;
        if (const auto base = fromName(std::type_identity<TrainingBase>{}, cell("base")))
            work.base = *base;
        else
            wrong = "base";
        row.measured = number("measured");
        if (!wrong.empty())
            return fail(ErrorKind::CorruptData, table.name() + ":" + std::to_string(table.lineOf(i)),
                        steelyard::messages::withDetail(wrong, steelyard::messages::implausible()));
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<std::vector<TrainingRow>> loadTrainingRows(const std::filesystem::path& resources) {
    const auto file = resources / "backtest" / "training_rows.csv";
    ASSIGN(auto text, readFile(file, 1 << 22));
    return trainingRowsFromCsv(file.string(), std::move(text));
}

}  // namespace steelyard::advisor
