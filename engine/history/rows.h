// SPDX-License-Identifier: Apache-2.0
// Private to this folder: runs and cases as rows. Throws SQLite::Exception; history_store.cpp catches. Writers require
// a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"
#include "engine/history/history_store.h"

namespace SQLite {
class Database;
}

namespace steelyard::history {

enum class Among { Present, Deleted };

// The row id of a run by its id, an id prefix, or "latest".
[[nodiscard]] Result<std::int64_t> findRun(SQLite::Database& database, std::string_view idOrPrefix, Among among);

// Returns the new row id.
[[nodiscard]] std::int64_t insertRun(SQLite::Database& database, const bench::RunRecord& run);
void insertCase(SQLite::Database& database, std::int64_t runKey, const bench::CaseRecord& record);
// Replaces the case with the same hash, if the run has one.
void replaceCase(SQLite::Database& database, std::int64_t runKey, const bench::CaseRecord& record);

// Replaces the plan of a run; an empty one removes it.
void insertOrder(SQLite::Database& database, std::int64_t runKey, std::string_view order);
[[nodiscard]] std::string loadOrder(SQLite::Database& database, std::int64_t runKey);

[[nodiscard]] Result<bench::RunRecord> loadRun(SQLite::Database& database, std::int64_t runKey, Detail detail);
[[nodiscard]] Result<std::vector<RunOverview>> listRuns(SQLite::Database& database);
[[nodiscard]] Result<std::vector<CaseOverview>> listCases(SQLite::Database& database, const CaseFilter& filter);
[[nodiscard]] Result<std::vector<TrendPoint>> listTrend(SQLite::Database& database, std::string_view caseHash,
                                                        std::string_view computer);

}  // namespace steelyard::history
