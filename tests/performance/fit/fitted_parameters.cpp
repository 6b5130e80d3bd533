// SPDX-License-Identifier: Apache-2.0
#include "tests/performance/fit/fitted_parameters.h"

#include <nlohmann/json.hpp>

namespace steelyard::fit {
namespace {

using Json = nlohmann::ordered_json;

// One member of the document per line, and below it one element per line, for readable diffs.
std::string lines(const Json& document) {
    std::string text = "{";
    const char* separator = "\n ";
    for (const auto& [key, value] : document.items()) {
        text += separator + Json(key).dump() + ": ";
        separator = ",\n ";
        if (!value.is_structured() || value.empty()) {
            text += value.dump();
            continue;
        }
        text += value.is_object() ? "{" : "[";
        const char* inner = "\n  ";
        for (const auto& [name, element] : value.items()) {
            text += inner + (value.is_object() ? Json(name).dump() + ": " : "") + element.dump();
            inner = ",\n  ";
        }
        text += value.is_object() ? "\n }" : "\n ]";
    }
    return text + "\n}\n";
}

}  // namespace

Result<std::string> withFitted(std::string_view text, const advisor::PredictorParameters& fitted) {
    try {
        auto document = Json::parse(text);
        document["source"] = fitted.source;
        document["date"] = fitted.date;
        for (const auto& field : advisor::constantFields())
            document.at("constants").at(std::string(field.name)) = fitted.constants.*field.member;
        for (const auto& field : advisor::processorFields())
            document.at("processor").at(std::string(field.name)) = fitted.processor.*field.member;
        for (auto& stack : document.at("stacks"))
            if (const auto* known = fitted.findStack(stack.at("name").get<std::string>()))
                stack.at("factor") = known->factor;
        for (const auto& [value, band] : fitted.bands)
            document.at("bands").at(std::string(toString(value))) = {
                {"low", band.low}, {"median", band.median}, {"high", band.high}};
        return lines(document);
    } catch (const Json::exception& error) {
        return fail(ErrorKind::CorruptData, "predictor_parameters.json", Message(error.what()));
    }
}

}  // namespace steelyard::fit
