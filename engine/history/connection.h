// SPDX-License-Identifier: Apache-2.0
// Private to this folder: opening the database file. Refused files are not touched: what can be told from the file's
// access rights and its first 100 bytes is told before SQLite opens it.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "engine/core/error.h"
#include "engine/history/history_store.h"
#include "engine/history/migrations.h"

namespace SQLite {
class Database;
}

namespace steelyard::history {

// Current schema, WAL, foreign keys on, every commit synchronised to the disk. Never throws.
[[nodiscard]] Result<std::unique_ptr<SQLite::Database>> openDatabase(const std::filesystem::path& file,
                                                                     const OpenOptions& options,
                                                                     std::span<const Migration> migrations);

}  // namespace steelyard::history
