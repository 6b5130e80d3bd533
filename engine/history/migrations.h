// SPDX-License-Identifier: Apache-2.0
// Private to this folder: schema migrations. A released migration is never edited; a change is a new one. The file's
// version is its user_version; its application_id identifies this program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace SQLite {
class Database;
}

namespace steelyard::history {

inline constexpr std::int32_t kApplicationId = 0x53544c59;  // "STLY"

struct Migration {
    int version = 0;  // 1, 2, 3, ...
    std::string_view description;
    const char* sql = nullptr;  // any number of statements
};

[[nodiscard]] std::span<const Migration> historyMigrations();
[[nodiscard]] inline int latestVersion(std::span<const Migration> migrations) {
    return migrations.empty() ? 0 : migrations.back().version;
}

enum class MigrationOutcome {
    Current,           // nothing to do
    Created,           // the file was empty
    Upgraded,          // steps were applied
    NewerSchema,       // of a newer program; not modified
    OtherApplication,  // a database of another application; not modified
    Failed,            // a step failed and was rolled back; earlier steps are kept
};

struct MigrationResult {
    MigrationOutcome outcome = MigrationOutcome::Failed;
    int fromVersion = 0;
    int toVersion = 0;
    std::optional<Error> error;  // for the last three; CorruptData if the content does not fit a step
};

// Runs each migration in its own transaction; foreign keys are checked before the commit. Several processes may migrate
// a file concurrently: each step is applied once. Never throws.
[[nodiscard]] MigrationResult migrate(SQLite::Database& database, std::span<const Migration> migrations);

}  // namespace steelyard::history
