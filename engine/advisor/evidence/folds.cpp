// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "engine/advisor/evidence/backtest.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/messages/advisor.h"

namespace steelyard::advisor {
namespace {

constexpr std::array<std::pair<FoldKind, std::string_view>, 3> kKinds{
    {{FoldKind::Nothing, "nothing"}, {FoldKind::Chip, "chip"}, {FoldKind::Family, "family"}}};

std::optional<FoldKind> kindFromString(std::string_view name) {
    for (const auto& [kind, known] : kKinds)
        if (known == name) return kind;
    return std::nullopt;
}

Fold readFold(JsonReader& reader) {
    Fold fold;
    reader.readName("kind", fold.kind, kindFromString);
    reader.read("left_out", fold.leftOut);
    reader.object("constants", [&](JsonReader& constants) {
        for (const auto& field : constantFields()) constants.requirePositive(field.name, fold.constants.*field.member);
    });
    const auto* factors = reader.find("factors");
    if (factors == nullptr || !factors->is_object()) {
        reader.refuse("factors", messages::notAnObject());
        return fold;
    }
    reader.object("factors", [&](JsonReader& names) {
        for (const auto& [name, value] : factors->items()) {
            double factor = 1;
            names.requirePositive(name, factor);
            fold.factors.emplace_back(name, factor);
        }
    });
    return fold;
}

}  // namespace

Result<std::vector<Fold>> loadFolds(const std::filesystem::path& file) {
    ASSIGN(const auto text, readFile(file, 1 << 24));
    ASSIGN(const auto json, parseJson(text, file.string()));
    std::optional<Error> error;
    JsonReader reader(json, file.string(), error);
    reader.requireFormat("steelyard-folds", 1);
    std::vector<Fold> folds;
    reader.eachObject("folds", [&](JsonReader& entry) { folds.push_back(readFold(entry)); });
    if (error) return Failure(std::move(*error));
    return folds;
}

std::string toJson(const std::vector<Fold>& folds, std::string_view date) {
    std::string text =
        "{\"format\": \"steelyard-folds\", \"version\": 1, \"date\": \"" + std::string(date) + "\", \"folds\": [";
    const char* separator = "\n";
    for (const auto& fold : folds) {
        Json constants, factors = Json::object();
        for (const auto& field : constantFields()) constants[std::string(field.name)] = fold.constants.*field.member;
        for (const auto& [name, factor] : fold.factors) factors[name] = factor;
        Json entry{{"kind", kKinds[static_cast<std::size_t>(fold.kind)].second},
                   {"left_out", fold.leftOut},
                   {"constants", constants},
                   {"factors", factors}};
        text += separator + dumpJson(entry, -1);
        separator = ",\n";
    }
    return text + "\n]}\n";
}

}  // namespace steelyard::advisor
