// SPDX-License-Identifier: Apache-2.0
#include "engine/history/row_values.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

#include <bit>
#include <cmath>

#include "engine/core/text.h"

namespace steelyard::history {
namespace {

std::string parameter(const char* name) {
    return std::string(":") + name;
}

}  // namespace

void RowWriter::put(const char* name, std::string_view value) {
    m_statement.bind(parameter(name), std::string(value));
}
void RowWriter::put(const char* name, std::int64_t value) {
    m_statement.bind(parameter(name), value);
}
void RowWriter::put(const char* name, std::uint64_t value) {
    put(name, std::bit_cast<std::int64_t>(value));
}
void RowWriter::put(const char* name, double value) {
    if (std::isfinite(value)) {
        m_statement.bind(parameter(name), value);
    } else {
        putNull(name);
    }
}
void RowWriter::putBlob(const char* name, const std::string& value) {
    m_statement.bind(parameter(name), value.data(), static_cast<int>(value.size()));
}
void RowWriter::putNull(const char* name) {
    m_statement.bind(parameter(name));
}

void RowReader::get(const char* name, std::string& target) const {
    target = toUtf8(m_statement.getColumn(name).getString());
}
void RowReader::getBlob(const char* name, std::string& target) const {
    target = m_statement.getColumn(name).getString();
}
void RowReader::get(const char* name, std::int64_t& target) const {
    target = m_statement.getColumn(name).getInt64();
}
void RowReader::get(const char* name, std::uint64_t& target) const {
    target = std::bit_cast<std::uint64_t>(m_statement.getColumn(name).getInt64());
}
void RowReader::get(const char* name, int& target) const {
    target = m_statement.getColumn(name).getInt();
}
void RowReader::get(const char* name, double& target) const {
    target = m_statement.getColumn(name).getDouble();
}
void RowReader::get(const char* name, bool& target) const {
    target = m_statement.getColumn(name).getInt() != 0;
}
bool RowReader::isNull(const char* name) const {
    return m_statement.getColumn(name).isNull();
}

}  // namespace steelyard::history
