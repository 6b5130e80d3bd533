// SPDX-License-Identifier: Apache-2.0
// Private to this folder: binds and reads statement values by name. Non-finite numbers are unknown and stored as NULL.
// Both classes refer to a statement that must outlive them, and throw SQLite::Exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace SQLite {
class Statement;
}

namespace steelyard::history {

class RowWriter {
public:
    explicit RowWriter(SQLite::Statement& statement) : m_statement(statement) {}

    void put(const char* name, std::string_view value);
    void put(const char* name, std::int64_t value);
    // All 64 bits are kept; SQLite shows large values as negative.
    void put(const char* name, std::uint64_t value);
    void put(const char* name, int value) { put(name, std::int64_t{value}); }
    void put(const char* name, double value);
    template <typename T>
    void put(const char* name, const std::optional<T>& value) {
        if (value) {
            put(name, *value);
        } else {
            putNull(name);
        }
    }
    void putBlob(const char* name, const std::string& value);
    void putNull(const char* name);

private:
    SQLite::Statement& m_statement;
};

class RowReader {
public:
    explicit RowReader(SQLite::Statement& statement) : m_statement(statement) {}

    // Text: invalid UTF-8 is replaced.
    void get(const char* name, std::string& target) const;
    void getBlob(const char* name, std::string& target) const;
    void get(const char* name, std::int64_t& target) const;
    void get(const char* name, std::uint64_t& target) const;
    void get(const char* name, int& target) const;
    void get(const char* name, double& target) const;
    void get(const char* name, bool& target) const;
    template <typename T>
    void get(const char* name, std::optional<T>& target) const {
        target.reset();
        if (isNull(name)) return;
        T value{};
        get(name, value);
        target = std::move(value);
    }
    [[nodiscard]] bool isNull(const char* name) const;
    [[nodiscard]] std::string text(const char* name) const {
        std::string value;
        get(name, value);
        return value;
    }

private:
    SQLite::Statement& m_statement;
};

}  // namespace steelyard::history
