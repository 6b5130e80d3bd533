// SPDX-License-Identifier: Apache-2.0
// Opcodes as documented in Python's Lib/pickletools.py.
#include "engine/data/formats/pickled_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/little_endian.h"

namespace steelyard::data {
namespace {

// Far more than an array of reviews needs (25,000 lists, filled 1,000 numbers at a time).
constexpr std::size_t kMostStack = 1'000'000;
constexpr std::size_t kMostRemembered = 2'000'000;
constexpr std::size_t kMostLists = 1'000'000;

constexpr std::array<std::string_view, 5> kKnownNames{"numpy.core.multiarray _reconstruct",
                                                      "numpy._core.multiarray _reconstruct", "numpy ndarray",
                                                      "numpy dtype", "_codecs encode"};

enum Code : std::uint8_t {
    kMark = '(',
    kStop = '.',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kNone = 'N',
    kReduce = 'R',
    kBinString = 'T',
    kShortBinString = 'U',
    kBinUnicode = 'X',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kAppend = 'a',
    kBuild = 'b',
    kGlobal = 'c',
    kAppends = 'e',
    kBinGet = 'h',
    kLongBinGet = 'j',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kTuple = 't',
    kEmptyTuple = ')',
    kEmptyList = ']',
    kEmptyDict = '}',
    kProto = 0x80,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kShortBinUnicode = 0x8c,
    kStackGlobal = 0x93,
    kMemoize = 0x94,
    kFrame = 0x95,
};

struct Value {
    // Number: its value. List: its index. Tuple: the index of its last list, or -1. Text: its index. Other: an object
    // or a constant whose value is irrelevant.
    enum class Kind : std::uint8_t { Number, List, Tuple, Text, Name, Mark, Other };
    Kind kind = Kind::Other;
    std::int64_t number = 0;
};
using Kind = Value::Kind;

bool isMark(const Value& value) {
    return value.kind == Value::Kind::Mark;
}

struct List {
    enum class Holds : std::uint8_t { Nothing, Numbers, Lists, Other };
    Holds holds = Holds::Nothing;
    std::vector<std::int32_t> items;  // numbers, or indices of lists
};

class Machine {
public:
    Machine(ByteView bytes, const std::string& file, std::int64_t offset)
        : m_bytes(bytes), m_file(file), m_offset(offset) {}

    Result<TokenLists> run() {
        while (!m_stopped) {
            m_instruction = m_position;
            const auto code = number(1);
            if (!m_problem) step(static_cast<std::uint8_t>(code));
            if (!m_problem && tooMany()) m_problem = messages::tooManyObjects();
            if (m_problem) return corrupt(m_file, m_offset + static_cast<std::int64_t>(m_instruction), *m_problem);
        }
        if (m_position != m_bytes.size()) {
            return corrupt(m_file, m_offset + static_cast<std::int64_t>(m_position), messages::trailingData());
        }
        return flatten();
    }

private:
    [[nodiscard]] bool tooMany() const {
        return m_stack.size() > kMostStack || m_memory.size() > kMostRemembered || m_texts.size() > kMostRemembered ||
               m_lists.size() > kMostLists;
    }

    // --- reading; after the first error everything reads as zero ---
    ByteView take(std::uint64_t count) {
        if (m_problem || count > m_bytes.size() - m_position) {
            if (!m_problem) m_problem = messages::endsEarly();
            return {};
        }
        const auto part = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
        m_position += static_cast<std::size_t>(count);
        return part;
    }
    std::uint64_t number(int bytes) {
        std::uint64_t value = 0;
        int shift = 0;
        for (const auto byte : take(static_cast<std::uint64_t>(bytes))) {
            value |= std::uint64_t{byte} << shift;
            shift += 8;
        }
        return value;
    }
    std::string_view characters(std::uint64_t count) {
        const auto part = take(count);
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }
    std::string_view line() {
        const auto rest = m_bytes.subspan(m_position);
        const auto end = std::find(rest.begin(), rest.end(), std::uint8_t{'\n'});
        const auto text = characters(static_cast<std::uint64_t>(end - rest.begin()));
        take(1);
        return text;
    }

    // --- the stack ---
    void push(Kind kind, std::int64_t value = 0) { m_stack.push_back({kind, value}); }
    void pushText(std::string_view text) {
        push(Kind::Text, static_cast<std::int64_t>(m_texts.size()));
        m_texts.push_back(text);
    }
    Value pop() {
        if (m_stack.empty() || m_stack.back().kind == Kind::Mark) {
            m_problem = messages::emptyStack();
            return {};
        }
        const auto value = m_stack.back();
        m_stack.pop_back();
        return value;
    }
    // Index of the first value above the topmost mark, which is removed; the values are kept.
    std::size_t popMark() {
        const auto mark = std::find_if(m_stack.rbegin(), m_stack.rend(), isMark);
        if (mark == m_stack.rend()) {
            m_problem = messages::markMissing();
            return m_stack.size();
        }
        const auto index = static_cast<std::size_t>(m_stack.rend() - mark) - 1;
        m_stack.erase(m_stack.begin() + static_cast<std::ptrdiff_t>(index));
        return index;
    }

    // --- the opcodes ---
    void makeTuple(std::size_t first) {
        const bool endsWithList = first < m_stack.size() && m_stack.back().kind == Kind::List;
        const auto list = endsWithList ? m_stack.back().number : -1;
        m_stack.resize(first);
        push(Kind::Tuple, list);
    }
    void makeTupleFromMark() {
        const auto first = popMark();
        if (!m_problem) makeTuple(first);
    }
    void makeTupleOf(std::size_t count) {
        const bool enough = m_stack.size() >= count &&
                            std::none_of(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end(), isMark);
        if (enough) {
            makeTuple(m_stack.size() - count);
        } else {
            m_problem = messages::emptyStack();
        }
    }
    void newList() {
        push(Kind::List, static_cast<std::int64_t>(m_lists.size()));
        m_lists.emplace_back();
    }
    void checkProtocol(std::uint64_t protocol) {
        if (protocol > 5) m_problem = messages::pickleProtocol(protocol);
    }
    void append(List& list, const Value& value) {
        using Holds = List::Holds;
        const auto holds = value.kind == Kind::Number ? Holds::Numbers
                           : value.kind == Kind::List ? Holds::Lists
                                                      : Holds::Other;
        const bool fits = std::in_range<std::int32_t>(value.number);
        if (holds == Holds::Other || !fits || (list.holds != Holds::Nothing && list.holds != holds)) {
            m_problem = messages::notInt32();
            return;
        }
        list.holds = holds;
        list.items.push_back(static_cast<std::int32_t>(value.number));
    }
    void appendFrom(std::size_t first) {
        if (m_problem) return;
        if (first == 0 || m_stack[first - 1].kind != Kind::List) {
            m_problem = messages::appendsToNoList();
            return;
        }
        auto& list = m_lists[static_cast<std::size_t>(m_stack[first - 1].number)];
        for (auto i = first; i < m_stack.size() && !m_problem; ++i) append(list, m_stack[i]);
        m_stack.resize(first);
    }
    void pushName(std::string_view module, std::string_view name) {
        const auto full = fmt::format("{} {}", module, name);
        if (std::find(kKnownNames.begin(), kKnownNames.end(), full) == kKnownNames.end()) {
            if (!m_problem) m_problem = messages::pythonObject(full.substr(0, 80));
            return;
        }
        push(Kind::Name);
    }
    void nameFromLines() {
        const auto module = line();
        const auto name = line();
        pushName(module, name);
    }
    void nameFromStack() {
        const auto name = pop();
        const auto module = pop();
        if (m_problem) return;
        if (name.kind != Kind::Text || module.kind != Kind::Text) {
            m_problem = messages::nameNotText();
            return;
        }
        pushName(m_texts[static_cast<std::size_t>(module.number)], m_texts[static_cast<std::size_t>(name.number)]);
    }
    void reduce() {
        const auto arguments = pop();
        const auto callable = pop();
        if (m_problem) return;
        if (arguments.kind != Kind::Tuple || callable.kind != Kind::Name) {
            m_problem = messages::callsUnnamed();
            return;
        }
        push(Kind::Other);  // the result of the skipped call
    }
    void build() {
        const auto state = pop();
        const auto object = pop();
        if (m_problem) return;
        if (state.kind == Kind::Tuple && state.number >= 0)
            m_result = state.number;  // the array's items are the last element of its state
        push(object.kind, object.number);
    }
    void longNumber() {
        const auto count = number(1);
        if (count > 8) {
            m_problem = messages::intTooWide();
            return;
        }
        auto value = number(static_cast<int>(count));
        const bool negative = count > 0 && count < 8 && (value >> (8 * count - 1) & 1U) != 0;
        if (negative) value |= ~std::uint64_t{0} << (8 * count);
        push(Kind::Number, static_cast<std::int64_t>(value));
    }
    void remember(std::uint64_t key) {
        if (m_stack.empty() || m_stack.back().kind == Kind::Mark) {
            m_problem = messages::remembersNothing();
        } else if (!m_problem) {
            m_memory[static_cast<std::uint32_t>(key)] = m_stack.back();
        }
    }
    void recall(std::uint64_t key) {
        const auto found = m_memory.find(static_cast<std::uint32_t>(key));
        if (found == m_memory.end()) {
            if (!m_problem) m_problem = messages::recallsUnknown();
            return;
        }
        m_stack.push_back(found->second);
    }

    void step(std::uint8_t code) {
        if (!stepData(code) && !stepStructure(code)) {
            m_problem = messages::badInstruction(fmt::format("0x{:02x}", code));
        }
    }

    // clang-format off
    // Constants and names.
    bool stepData(std::uint8_t code) {
        switch (code) {
            case kBinInt1: push(Kind::Number, static_cast<std::int64_t>(number(1))); break;
            case kBinInt2: push(Kind::Number, static_cast<std::int64_t>(number(2))); break;
            case kBinInt: push(Kind::Number, static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4)))); break;
            case kLong1: longNumber(); break;
            case kNone:
            case kNewTrue:
            case kNewFalse:
            case kEmptyDict: push(Kind::Other); break;
            case kShortBinUnicode:
            case kShortBinString:
            case kShortBinBytes: pushText(characters(number(1))); break;
            case kBinUnicode:
            case kBinString:
            case kBinBytes: pushText(characters(number(4))); break;
            case kGlobal: nameFromLines(); break;
            case kStackGlobal: nameFromStack(); break;
            default: return false;
        }
        return true;
    }

    // Containers, memo, calls and framing.
    bool stepStructure(std::uint8_t code) {
        switch (code) {
            case kProto: checkProtocol(number(1)); break;
            case kFrame: number(8); break;
            case kStop: m_stopped = true; break;
            case kMark: push(Kind::Mark); break;
            case kEmptyList: newList(); break;
            case kEmptyTuple: makeTuple(m_stack.size()); break;
            case kTuple: makeTupleFromMark(); break;
            case kTuple1:
            case kTuple2:
            case kTuple3: makeTupleOf(code - kTuple1 + std::size_t{1}); break;
            case kAppend: appendFrom(std::max<std::size_t>(m_stack.size(), 1) - 1); break;
            case kAppends: appendFrom(popMark()); break;
            case kReduce: reduce(); break;
            case kBuild: build(); break;
            case kBinPut: remember(number(1)); break;
            case kLongBinPut: remember(number(4)); break;
            case kMemoize: remember(m_memory.size()); break;
            case kBinGet: recall(number(1)); break;
            case kLongBinGet: recall(number(4)); break;
            default: return false;
        }
        return true;
    }
    // clang-format on

    Result<TokenLists> flatten() const {
        const auto refuse = [this](Message why) { return corrupt(m_file, m_offset, std::move(why)); };
        if (!m_result) return refuse(messages::noArray());
        const auto& outer = m_lists[static_cast<std::size_t>(*m_result)];
        if (outer.holds != List::Holds::Lists) return refuse(messages::arrayWithoutLists());
        TokenLists result;
        for (const auto index : outer.items) {
            const auto& list = m_lists[static_cast<std::size_t>(index)];
            if (list.holds == List::Holds::Lists) return refuse(messages::nestedLists());
            // Every number takes at least two bytes; otherwise a shared list could be repeated without limit.
            if (result.tokens.size() + list.items.size() > m_bytes.size()) return refuse(messages::repeatedList());
            result.tokens.insert(result.tokens.end(), list.items.begin(), list.items.end());
            result.endList();
        }
        return result;
    }

    ByteView m_bytes;
    const std::string& m_file;
    std::int64_t m_offset;
    std::size_t m_position = 0;
    std::size_t m_instruction = 0;
    bool m_stopped = false;
    std::optional<Message> m_problem;
    std::vector<Value> m_stack;
    std::unordered_map<std::uint32_t, Value> m_memory;
    std::vector<List> m_lists;
    std::vector<std::string_view> m_texts;
    std::optional<std::int64_t> m_result;
};

}  // namespace

Result<TokenLists> readPickledLists(ByteView bytes, const std::string& file, std::int64_t offset) {
    return Machine(bytes, file, offset).run();
}

}  // namespace steelyard::data
