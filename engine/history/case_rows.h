// SPDX-License-Identifier: Apache-2.0
// Private to this folder: reads rows of `cases` for lists and for complete runs. Throws like rows.h.
#pragma once

#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"
#include "engine/history/history_store.h"

namespace SQLite {
class Database;
}

namespace steelyard::history {

// All cases of a run, by position.
[[nodiscard]] Result<std::vector<bench::CaseRecord>> loadCases(SQLite::Database& database, std::int64_t runKey,
                                                               Detail detail);

}  // namespace steelyard::history
