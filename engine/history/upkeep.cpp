// SPDX-License-Identifier: Apache-2.0
#include "engine/history/upkeep.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "engine/bench/run/resume.h"
#include "engine/history/history_store.h"

namespace steelyard::history {

std::vector<RunOverview> prunable(const std::vector<RunOverview>& runs, const PruneRule& rule) {
    std::vector<RunOverview> going;
    if (!rule.keepNewest && !rule.startedBeforeUnixMs) return going;
    std::int64_t newer = 0;  // newer than the run
    for (const auto& run : runs) {
        const bool isBeyond = !rule.keepNewest || newer >= *rule.keepNewest;
        const bool isOld = !rule.startedBeforeUnixMs || run.startedUnixMs < *rule.startedBeforeUnixMs;
        if (isBeyond && isOld && run.note.empty() && !run.underWay) going.push_back(run);
        ++newer;
    }
    return going;
}

void markDeleted(SQLite::Database& database, std::int64_t runKey) {
    SQLite::Statement mark(database,
                           "UPDATE runs SET deleted_unix_ms = unixepoch() * 1000, deleted_by = ? WHERE key = ?");
    mark.bind(1, bench::processIdentity(::getpid()));
    mark.bind(2, runKey);
    mark.exec();
}

void purge(SQLite::Database& database) {
    const auto own = bench::processIdentity(::getpid());
    SQLite::Statement deleters(database,
                               "SELECT DISTINCT coalesce(deleted_by, '') FROM runs WHERE deleted_unix_ms IS NOT NULL");
    std::vector<std::string> gone;
    while (deleters.executeStep()) {
        auto deleter = deleters.getColumn(0).getString();
        if (deleter == own || !bench::isAlive(deleter)) gone.push_back(std::move(deleter));
    }
    for (const auto& deleter : gone) {
        SQLite::Statement remove(database,
                                 "DELETE FROM runs WHERE deleted_unix_ms IS NOT NULL AND coalesce(deleted_by, '') = ?");
        remove.bind(1, deleter);
        remove.exec();  // cases and samples are deleted by cascade
    }
    deleteOrphans(database);
}

void deleteOrphans(SQLite::Database& database) {
    database.exec("DELETE FROM profiles WHERE key NOT IN (SELECT profile_key FROM runs WHERE profile_key IS NOT NULL)");
}

std::optional<std::string> runUnderWay(SQLite::Database& database) {
    SQLite::Statement unfinished(database,
                                 "SELECT id, json_extract(json, '$.process') FROM runs "
                                 "JOIN orders ON orders.run_key = runs.key WHERE finished_unix_ms IS NULL "
                                 "AND stopped_unix_ms IS NULL AND json_valid(json)");
    while (unfinished.executeStep()) {
        if (bench::isAlive(unfinished.getColumn(1).getString())) return unfinished.getColumn(0).getString();
    }
    return std::nullopt;
}

bool shrink(SQLite::Database& database) {
    database.exec("VACUUM");  // into the WAL first
    SQLite::Statement checkpoint(database, "PRAGMA wal_checkpoint(TRUNCATE)");
    return checkpoint.executeStep() && checkpoint.getColumn(0).getInt() == 0;
}

std::int64_t bytesOf(const std::string& file) {
    std::int64_t sum = 0;
    for (const auto& part : {file, file + "-wal"}) {
        std::error_code error;
        const auto size = std::filesystem::file_size(part, error);
        if (!error) sum += static_cast<std::int64_t>(size);
    }
    return sum;
}

}  // namespace steelyard::history
