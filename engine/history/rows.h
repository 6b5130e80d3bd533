// SPDX-License-Identifier: Apache-2.0
// Private to this folder: runs and cases as rows. The functions throw SQLite::Exception; history_store.cpp catches.
// Writers expect to be called within a transaction.
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

// The internal key of a run by id, beginning of an id, or "latest".
[[nodiscard]] Result<std::int64_t> findRun(SQLite::Database& database, std::string_view idOrPrefix, Among among);

// Returns the new key.
[[nodiscard]] std::int64_t insertRun(SQLite::Database& database, const bench::RunRecord& run);
void insertCase(SQLite::Database& database, std::int64_t runKey, const bench::CaseRecord& record);
// In the place of the case of the same hash, if the run has one.
void replaceCase(SQLite::Database& database, std::int64_t runKey, const bench::CaseRecord& record);

// Replaces the plan of a run; empty when none is stored.
void insertOrder(SQLite::Database& database, std::int64_t runKey, std::string_view order);
[[nodiscard]] std::string loadOrder(SQLite::Database& database, std::int64_t runKey);

[[nodiscard]] Result<bench::RunRecord> loadRun(SQLite::Database& database, std::int64_t runKey, Detail detail);
[[nodiscard]] Result<std::vector<RunOverview>> listRuns(SQLite::Database& database);
[[nodiscard]] Result<std::vector<CaseOverview>> listCases(SQLite::Database& database, const CaseFilter& filter);
[[nodiscard]] Result<std::vector<TrendPoint>> listTrend(SQLite::Database& database, std::string_view caseHash,
                                                        std::string_view computer);

}  // namespace steelyard::history
