// SPDX-License-Identifier: Apache-2.0
// User-visible text as a value: a message id and its arguments. The command line and the reports print the English
// text, the window its translation (ui/text/message_text.h). Plain values: copied freely between threads, processes,
// files and the database. Nothing here can fail.
//
// The messages are listed in engine/core/messages, one list per area. Each line declares a constant that is called with
// as many arguments as its pattern has placeholders:
//   fail(ErrorKind::Unsupported, op.name, messages::noImplementation(device, precision))
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/money.h"
#include "engine/core/units.h"

namespace steelyard {

struct MessageArgument;

struct Message {
    std::string id;                          // "compute.no_implementation"; empty: words of a third party
    std::vector<MessageArgument> arguments;  // for %1, %2, ...
    std::string text;                        // complete English text

    Message();
    // External text: from the system, a library, or a record of an older version.
    explicit Message(std::string verbatim);
    explicit Message(std::string_view verbatim);
    explicit Message(const char* verbatim);
    Message(std::string_view id, std::string_view pattern, std::vector<MessageArgument> values);
    Message(const Message&);
    Message(Message&&) noexcept;
    Message& operator=(const Message&);
    Message& operator=(Message&&) noexcept;
    ~Message();

    [[nodiscard]] bool empty() const { return text.empty(); }
    // Replaces every occurrence of `from`, in the English text and in the arguments.
    void replace(std::string_view from, std::string_view to);

    friend bool operator==(const Message& a, const Message& b);
    template <std::convertible_to<std::string_view> Text>
    friend bool operator==(const Message& message, const Text& english) {
        return message.text == std::string_view(english);
    }
};
std::ostream& operator<<(std::ostream& out, const Message& message);

// A fraction, 0.25 for 25 %.
struct Percent {
    double fraction = 0;

    friend bool operator==(const Percent&, const Percent&) = default;
};

// An argument of a message. Text is shown unchanged: a name, a path, a version, text of a library.
struct MessageArgument {
    std::variant<std::string, std::int64_t, double, Bytes, Seconds, Percent, Usd, Message> value;

    MessageArgument(std::string text) : value(std::move(text)) {}                // NOLINT(google-explicit-constructor)
    MessageArgument(std::string_view text) : value(std::string(text)) {}         // NOLINT(google-explicit-constructor)
    MessageArgument(const char* text) : value(std::string(text)) {}              // NOLINT(google-explicit-constructor)
    MessageArgument(Bytes bytes) : value(bytes) {}                               // NOLINT(google-explicit-constructor)
    MessageArgument(Seconds seconds) : value(seconds) {}                         // NOLINT(google-explicit-constructor)
    MessageArgument(Percent percent) : value(percent) {}                         // NOLINT(google-explicit-constructor)
    MessageArgument(Usd usd) : value(usd) {}                                     // NOLINT(google-explicit-constructor)
    MessageArgument(Message message) : value(std::move(message)) {}              // NOLINT(google-explicit-constructor)
    MessageArgument(std::floating_point auto number) : value(double{number}) {}  // NOLINT(google-explicit-constructor)
    MessageArgument(std::integral auto count)                                    // NOLINT(google-explicit-constructor)
        : value(static_cast<std::int64_t>(count)) {}

    friend bool operator==(const MessageArgument&, const MessageArgument&) = default;
};

// The number of placeholders, which is the highest one: 2 for "%1 needs %2".
consteval std::size_t countPlaces(std::string_view pattern) {
    std::size_t places = 0;
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
        if (pattern[i] != '%' || pattern[i + 1] < '1' || pattern[i + 1] > '9') continue;
        const auto place = static_cast<std::size_t>(pattern[i + 1] - '0');
        places = place > places ? place : places;
    }
    return places;
}

// An entry of a message list.
template <std::size_t Places>
struct MessagePattern {
    std::string_view id;
    std::string_view english;

    template <typename... Values>
    [[nodiscard]] Message operator()(Values&&... values) const {
        static_assert(sizeof...(Values) == Places, "a message takes one argument for each of its places");
        std::vector<MessageArgument> arguments;
        arguments.reserve(Places);
        (arguments.emplace_back(std::forward<Values>(values)), ...);
        return Message(id, english, std::move(arguments));
    }
};

struct MessageText {
    std::string_view id;
    std::string_view english;
};
// All messages of the engine, by area.
[[nodiscard]] std::span<const MessageText> allMessages();

// An argument as English text: "1.4 GiB", "12.3 ms", "35 %", "$3.42".
[[nodiscard]] std::string english(const MessageArgument& argument, const ExchangeRate& rate = {});
// The English text with amounts in another currency.
[[nodiscard]] std::string englishIn(const Message& message, const ExchangeRate& rate);
[[nodiscard]] inline const std::string& english(const Message& message) {
    return message.text;
}

// Joins any number of messages: "a; b".
[[nodiscard]] Message joined(std::vector<Message> messages);

}  // namespace steelyard
