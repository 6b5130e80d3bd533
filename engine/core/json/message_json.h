// SPDX-License-Identifier: Apache-2.0
// A message in JSON: {"id": "hardware.driver_too_old", "arguments": ["12.2", {"bytes": 4096}]}. Documents contain the
// English text under the name given by their schema ("reason"), followed by the message under "<name>_message", which
// is omitted for text that is not from this program. Pure; templates over nlohmann's types.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/message.h"

namespace steelyard {

template <typename Json>
[[nodiscard]] Json messageToJson(const Message& message);

template <typename Json>
[[nodiscard]] Json argumentToJson(const MessageArgument& argument) {
    struct Writer {
        Json operator()(const std::string& text) const { return text; }
        Json operator()(std::int64_t count) const { return count; }
        Json operator()(double number) const { return number; }
        Json operator()(Bytes bytes) const { return Json{{"bytes", bytes.value()}}; }
        Json operator()(Seconds seconds) const { return Json{{"seconds", seconds.value()}}; }
        Json operator()(Percent percent) const { return Json{{"fraction", percent.fraction}}; }
        Json operator()(Usd usd) const { return Json{{"usd", usd.value()}}; }
        Json operator()(const Message& message) const {
            auto json = messageToJson<Json>(message);
            if (json.is_null()) json = Json::object();
            json["text"] = message.text;
            return json;
        }
    };
    return std::visit(Writer{}, argument.value);
}

// Null for text that is not from this program.
template <typename Json>
[[nodiscard]] Json messageToJson(const Message& message) {
    if (message.id.empty()) return nullptr;
    auto arguments = Json::array();
    for (const auto& argument : message.arguments) arguments.push_back(argumentToJson<Json>(argument));
    return Json{{"id", message.id}, {"arguments", std::move(arguments)}};
}

template <typename Json>
[[nodiscard]] MessageArgument argumentFromJson(const Json& json);

// Adds id and arguments to a message with known English text. Invalid input is ignored: the English text is then shown.
template <typename Json>
void readMessage(const Json& json, Message& message) {
    if (!json.is_object() || !json.contains("id") || !json["id"].is_string()) return;
    message.id = json["id"].template get<std::string>();
    message.arguments.clear();
    const auto arguments = json.find("arguments");
    if (arguments == json.end() || !arguments->is_array()) return;
    for (const auto& argument : *arguments) message.arguments.push_back(argumentFromJson(argument));
}

// "name": the English text, and "name_message" if there is one.
template <typename Json>
void writeMessage(Json& object, const std::string& name, const Message& message) {
    object[name] = message.text;
    if (auto json = messageToJson<Json>(message); !json.is_null()) object[name + "_message"] = std::move(json);
}
// Adds "name_message" to a message whose English text was read from "name".
template <typename Json>
void readMessageOf(const Json& object, const std::string& name, Message& message) {
    if (const auto found = object.find(name + "_message"); found != object.end()) readMessage(*found, message);
}

// "names": the English texts, and, if any is a message, "names_messages" of the same length, null for external text.
template <typename Json>
void writeMessages(Json& object, const std::string& name, const std::vector<Message>& messages) {
    auto texts = Json::array(), values = Json::array();
    bool any = false;
    for (const auto& message : messages) {
        texts.push_back(message.text);
        values.push_back(messageToJson<Json>(message));
        any = any || !message.id.empty();
    }
    object[name] = std::move(texts);
    if (any) object[name + "_messages"] = std::move(values);
}

template <typename Json>
[[nodiscard]] MessageArgument argumentFromJson(const Json& json) {
    const auto number = [&json](const char* unit) {
        return json.is_object() && json.contains(unit) && json[unit].is_number() ? &json[unit] : nullptr;
    };
    if (json.is_number_integer()) return json.template get<std::int64_t>();
    if (json.is_number()) return json.template get<double>();
    if (const auto* bytes = number("bytes")) return Bytes(bytes->template get<std::int64_t>());
    if (const auto* seconds = number("seconds")) return Seconds(seconds->template get<double>());
    if (const auto* fraction = number("fraction")) return Percent{fraction->template get<double>()};
    if (const auto* usd = number("usd")) return Usd{usd->template get<double>()};
    if (json.is_object() && json.contains("text") && json["text"].is_string()) {
        Message message(json["text"].template get<std::string>());
        readMessage(json, message);
        return message;
    }
    return json.is_string() ? json.template get<std::string>() : std::string();
}

}  // namespace steelyard
