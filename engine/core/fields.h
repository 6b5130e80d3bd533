// SPDX-License-Identifier: Apache-2.0
// The fields of a struct, listed once. A struct that goes into files, tables or columns has a function in its
// namespace, in a header for .cpp files:
//
//   template <SameAs<WarmUp> T, typename Visitor>
//   void visitFields(T& warmUp, Visitor&& visit) {
//       visit(required("steps"), warmUp.steps);
//       visit(required("seconds"), warmUp.seconds);
//   }
//
// JSON input and output (core/json/json_reader.h, json_writer.h), SQL columns (history/case_rows.cpp) and the schema
// tests visit this list, in this order. An enumeration among the fields has toString(E) and, for reading,
// fromName(std::type_identity<E>, std::string_view) -> std::optional<E> in its namespace. A value that is written but
// computed from other fields is visit.derived(name, function).
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <string_view>
#include <type_traits>

namespace steelyard {

// Lower bound for numbers that may be negative.
inline constexpr double kAnySign = -std::numeric_limits<double>::infinity();

struct Field {
    // Storage in a table. Column: numbers and text directly, structs and lists as JSON text. Flat: one column per field
    // of the struct, all NULL if it is absent. Elsewhere: not in this table.
    enum class Storage { Column, Flat, Elsewhere };

    std::string_view name;    // JSON member name, lower_snake
    bool isRequired = false;  // a document without it is refused; an object without this value becomes null
    double lowest = 0;        // lower bound when reading a number
    bool isOmitted = false;   // omitted instead of writing null or an empty list
    std::string_view object;  // nested JSON object that contains it; empty: none
    bool isDocument = false;  // text that is itself a JSON document
    Storage storage = Storage::Column;
    std::string_view column;  // if different from the name; for Flat the column prefix

    [[nodiscard]] constexpr Field atLeast(double value) const {
        auto field = *this;
        field.lowest = value;
        return field;
    }
    [[nodiscard]] constexpr Field inColumn(std::string_view value) const {
        auto field = *this;
        field.column = value;
        return field;
    }
    [[nodiscard]] constexpr Field omittedWhenEmpty() const {
        auto field = *this;
        field.isOmitted = true;
        return field;
    }
    [[nodiscard]] constexpr Field within(std::string_view value) const {
        auto field = *this;
        field.object = value;
        return field;
    }
    [[nodiscard]] constexpr Field asDocument() const {
        auto field = *this;
        field.isDocument = true;
        return field;
    }
    [[nodiscard]] constexpr Field flat(std::string_view prefix = {}) const {
        auto field = *this;
        field.storage = Storage::Flat;
        field.column = prefix;
        return field;
    }
    [[nodiscard]] constexpr Field storedElsewhere() const {
        auto field = *this;
        field.storage = Storage::Elsewhere;
        return field;
    }
    [[nodiscard]] constexpr std::string_view columnName() const { return column.empty() ? name : column; }
};

[[nodiscard]] constexpr Field field(std::string_view name) {
    Field result;
    result.name = name;
    return result;
}
[[nodiscard]] constexpr Field required(std::string_view name) {
    auto result = field(name);
    result.isRequired = true;
    return result;
}

// T or const T: one list for readers and writers.
template <typename T, typename Struct>
concept SameAs = std::same_as<std::remove_const_t<T>, Struct>;

// Whether a type has a list of fields in its namespace.
struct NoVisitor {
    template <typename T>
    void operator()(const Field&, T&) const {}
    template <typename Make>
    void derived(std::string_view, const Make&) const {}
};
template <typename T>
concept HasFields = requires(T& value) {
    visitFields(value, NoVisitor{});
};

struct KnownCheck {
    bool& known;
    template <typename T>
    void operator()(const Field& field, const T& member) const {
        if constexpr (std::is_floating_point_v<T>) known = known && (!field.isRequired || std::isfinite(member));
    }
    template <typename Make>
    void derived(std::string_view, const Make&) const {}
};
// Whether every required number of a struct is finite; otherwise the whole struct is unknown.
template <HasFields T>
[[nodiscard]] bool isKnown(const T& value) {
    bool known = true;
    visitFields(value, KnownCheck{known});
    return known;
}

// Types that field lists treat like the number they wrap: Seconds, Bytes.
template <typename T>
concept IsQuantity = std::is_class_v<T> && requires(const T& quantity) {
    { T(quantity.value()) } -> std::same_as<T>;
    requires std::is_arithmetic_v<decltype(quantity.value())>;
};

}  // namespace steelyard
