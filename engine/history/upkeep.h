// SPDX-License-Identifier: Apache-2.0
// Private to this folder: deleting, and giving space back. The functions throw SQLite::Exception; history_store.cpp
// catches. Writers but shrink() expect to be called within a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace steelyard::history {

// By this process.
void markDeleted(SQLite::Database& database, std::int64_t runKey);

// For good: what was marked, unless another process that still lives marked it.
void purge(SQLite::Database& database);
// Profiles that no run has.
void deleteOrphans(SQLite::Database& database);

// The id of one that a living process measures, also of a deleted one.
[[nodiscard]] std::optional<std::string> runUnderWay(SQLite::Database& database);

// Writes the file anew without its gaps and takes its log away. False when a reader kept the log: the space is then
// given back when the log is next taken away.
[[nodiscard]] bool shrink(SQLite::Database& database);

// Of the file and its log.
[[nodiscard]] std::int64_t bytesOf(const std::string& file);

}  // namespace steelyard::history
