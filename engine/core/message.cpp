// SPDX-License-Identifier: Apache-2.0
#include "engine/core/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "engine/core/messages/all.h"

namespace steelyard {
namespace {

std::string filled(std::string_view pattern, const std::vector<MessageArgument>& arguments,
                   const ExchangeRate& rate = {}) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const auto place = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] - '1' : -1;
        if (place < 0 || place >= static_cast<int>(arguments.size())) {
            text += pattern[i];
            continue;
        }
        text += english(arguments[static_cast<std::size_t>(place)], rate);
        ++i;
    }
    return text;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

Message::Message() = default;
Message::Message(std::string verbatim) : text(std::move(verbatim)) {}
Message::Message(std::string_view verbatim) : text(verbatim) {}
Message::Message(const char* verbatim) : text(verbatim) {}
Message::Message(std::string_view name, std::string_view pattern, std::vector<MessageArgument> values)
    : id(name), arguments(std::move(values)), text(filled(pattern, arguments)) {}
Message::Message(const Message&) = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(const Message&) = default;
Message& Message::operator=(Message&&) noexcept = default;
Message::~Message() = default;

void Message::replace(std::string_view from, std::string_view to) {
    replaceAll(text, from, to);
    for (auto& argument : arguments) {
        if (auto* words = std::get_if<std::string>(&argument.value)) replaceAll(*words, from, to);
        if (auto* message = std::get_if<Message>(&argument.value)) message->replace(from, to);
    }
}

bool operator==(const Message& a, const Message& b) {
    return a.id == b.id && a.text == b.text && a.arguments == b.arguments;
}

std::ostream& operator<<(std::ostream& out, const Message& message) {
    return out << message.text;
}

std::span<const MessageText> allMessages() {
    return kAllMessages;
}

std::string english(const MessageArgument& argument, const ExchangeRate& rate) {
    struct Writer {
        const ExchangeRate& rate;
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::int64_t count) const { return fmt::format("{}", count); }
        std::string operator()(double number) const { return formatNumber(number); }
        std::string operator()(Bytes bytes) const { return formatBytes(bytes); }
        std::string operator()(Seconds seconds) const { return formatSeconds(seconds); }
        std::string operator()(Percent percent) const { return fmt::format("{:.3g} %", 100 * percent.fraction); }
        std::string operator()(Usd usd) const { return moneyText(usd.value(), rate); }
        std::string operator()(const Message& message) const { return englishIn(message, rate); }
    };
    return std::visit(Writer{rate}, argument.value);
}

std::string englishIn(const Message& message, const ExchangeRate& rate) {
    if (rate.currency == Currency::UsDollar || message.id.empty()) return message.text;
    const auto known = std::ranges::find(kAllMessages, message.id, &MessageText::id);
    return known == std::ranges::end(kAllMessages) ? message.text : filled(known->english, message.arguments, rate);
}

Message joined(std::vector<Message> messages) {
    Message whole;
    for (auto& next : messages) {
        if (next.empty()) continue;
        whole = whole.empty() ? std::move(next) : messages::listed(std::move(whole), std::move(next));
    }
    return whole;
}

}  // namespace steelyard
