// SPDX-License-Identifier: Apache-2.0
// Private to this folder: opens the database file. Refused files are not modified: permissions and the first 100 bytes
// are checked before SQLite opens the file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "engine/core/error.h"
#include "engine/history/history_store.h"
#include "engine/history/migrations.h"

namespace SQLite {
class Database;
}

namespace steelyard::history {

struct OpenedDatabase {
    std::unique_ptr<SQLite::Database> database;
    std::optional<Error> whyReadOnly;  // set if every write fails
};

// Current schema, WAL, foreign keys on, synchronous commits. A file that cannot be written (its permissions, its
// folder's, a full disk) is opened read-only; an older schema is then migrated in memory. Triggers, views and virtual
// tables, which this program never creates, are refused. Never throws.
[[nodiscard]] Result<OpenedDatabase> openDatabase(const std::filesystem::path& file, const OpenOptions& options,
                                                  std::span<const Migration> migrations);

}  // namespace steelyard::history
