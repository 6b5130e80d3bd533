// SPDX-License-Identifier: Apache-2.0
// Private to this folder: deletion and compaction. Throws SQLite::Exception; history_store.cpp catches. Writers except
// shrink() require a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace steelyard::history {

// Marked as deleted by this process.
void markDeleted(SQLite::Database& database, std::int64_t runKey);

// Permanently deletes marked runs, except those marked by another process that is still alive.
void purge(SQLite::Database& database);
// Profiles not used by any run.
void deleteOrphans(SQLite::Database& database);

// The id of a run in progress in a live process, also of a deleted run.
[[nodiscard]] std::optional<std::string> runUnderWay(SQLite::Database& database);

// Vacuums the file and truncates the WAL. False if a reader prevents the truncation: the space is then reclaimed at the
// next checkpoint.
[[nodiscard]] bool shrink(SQLite::Database& database);

// Bytes of the file and its WAL.
[[nodiscard]] std::int64_t bytesOf(const std::string& file);

}  // namespace steelyard::history
