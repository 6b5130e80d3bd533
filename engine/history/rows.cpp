// SPDX-License-Identifier: Apache-2.0
#include "engine/history/rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/run/resume.h"
#include "engine/core/messages/history.h"
#include "engine/history/case_rows.h"
#include "engine/history/overview_fields.h"
#include "engine/history/packed_samples.h"
#include "engine/history/row_fields.h"
#include "engine/history/row_values.h"

namespace steelyard::history {
namespace {

using bench::RunRecord;

// Profiles are stored once, however many runs share one. The hash only narrows the search; the text decides.
std::optional<std::int64_t> storeProfile(SQLite::Database& database, const std::string& profile) {
    if (profile.empty()) return std::nullopt;
    const auto hash = fmt::format("{:08x}", checksum(profile));
    SQLite::Statement find(database, "SELECT key FROM profiles WHERE hash = ? AND json = ?");
    find.bind(1, hash);
    find.bind(2, profile);
    if (find.executeStep()) return find.getColumn(0).getInt64();
    SQLite::Statement insert(database, "INSERT INTO profiles (hash, json) VALUES (?, ?)");
    insert.bind(1, hash);
    insert.bind(2, profile);
    insert.exec();
    return database.getLastInsertRowid();
}

}  // namespace

Result<std::int64_t> findRun(SQLite::Database& database, std::string_view idOrPrefix, Among among) {
    const std::string wanted(idOrPrefix);
    if (wanted.empty()) return fail(ErrorKind::InvalidArgument, {}, messages::emptyRunId());
    const auto* deleted = among == Among::Deleted ? "IS NOT NULL" : "IS NULL";
    if (wanted == "latest") {
        SQLite::Statement latest(database, fmt::format("SELECT key FROM runs WHERE deleted_unix_ms {} "
                                                       "ORDER BY started_unix_ms DESC, key DESC LIMIT 1",
                                                       deleted));
        if (!latest.executeStep()) return fail(ErrorKind::NotFound, {}, messages::noRuns());
        return latest.getColumn(0).getInt64();
    }
    // An id that is a prefix of another one still matches exactly.
    SQLite::Statement query(database, fmt::format("SELECT key, id FROM runs WHERE deleted_unix_ms {} "
                                                  "AND substr(id, 1, length(?1)) = ?1 ORDER BY id <> ?1 LIMIT 2",
                                                  deleted));
    query.bind(1, wanted);
    if (!query.executeStep()) return fail(ErrorKind::NotFound, {}, messages::runNotFound(wanted));
    const auto key = query.getColumn(0).getInt64();
    if (query.getColumn(1).getString() != wanted && query.executeStep()) {
        return fail(ErrorKind::InvalidArgument, {}, messages::runIs(wanted, messages::ambiguousId()));
    }
    return key;
}

std::int64_t insertRun(SQLite::Database& database, const RunRecord& run) {
    const auto profile = storeProfile(database, run.profileJson);
    std::string names = "profile_key";
    std::string parameters = ":profile_key";
    for (const auto& column : columnsOf<RunRecord>()) {
        names += ", " + column;
        parameters += ", :" + column;
    }
    SQLite::Statement insert(database, fmt::format("INSERT INTO runs ({}) VALUES ({})", names, parameters));
    RowWriter row(insert);
    row.put("profile_key", profile);
    putFields(row, run);
    insert.exec();
    const auto key = database.getLastInsertRowid();
    for (const auto& record : run.records) insertCase(database, key, record);
    return key;
}

void insertOrder(SQLite::Database& database, std::int64_t runKey, std::string_view order) {
    SQLite::Statement insert(database, "INSERT OR REPLACE INTO orders (run_key, json) VALUES (?, ?)");
    insert.bind(1, runKey);
    insert.bind(2, std::string(order));
    insert.exec();
    SQLite::Statement count(database,
                            "UPDATE runs SET planned_count = CASE WHEN json_valid(?2) "
                            "THEN json_array_length(?2, '$.cases') END, stopped_unix_ms = NULL WHERE key = ?1");
    count.bind(1, runKey);
    count.bind(2, std::string(order));
    count.exec();
}

std::string loadOrder(SQLite::Database& database, std::int64_t runKey) {
    SQLite::Statement query(database, "SELECT json FROM orders WHERE run_key = ?");
    query.bind(1, runKey);
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
}

Result<RunRecord> loadRun(SQLite::Database& database, std::int64_t runKey, Detail detail) {
    SQLite::Statement query(database,
                            "SELECT runs.*, coalesce(profiles.json, '') AS profile FROM runs "
                            "LEFT JOIN profiles ON profiles.key = runs.profile_key WHERE runs.key = ?");
    query.bind(1, runKey);
    if (!query.executeStep()) return fail(ErrorKind::NotFound, "the run");
    const RowReader row(query);
    RunRecord run;
    TRY(getFields(row, run, "a stored run"));
    row.get("profile", run.profileJson);
    auto records = loadCases(database, runKey, detail);
    if (!records) return Failure(records.error());
    run.records = std::move(*records);
    return run;
}

Result<std::vector<RunOverview>> listRuns(SQLite::Database& database) {
    // The index cases_by_run_status gives the counts without reading the wide rows of cases.
    SQLite::Statement query(database,
                            "SELECT id, suite, suite_version, program_version, started_unix_ms, finished_unix_ms, "
                            "computer, origin, note, count(cases.status) AS case_count, "
                            "count(*) FILTER (WHERE cases.status = 'ok') AS ok_count, "
                            "count(*) FILTER (WHERE cases.status NOT IN ('ok', 'cancelled')) AS failed_count, "
                            "(SELECT count(*) FROM cases INDEXED BY cases_disturbed WHERE run_key = runs.key "
                            "AND disturbed = 1 AND status = 'ok') AS disturbed_count, "
                            "planned_count, stopped_unix_ms, "
                            "finished_unix_ms IS NULL AND origin = 'measured' AND EXISTS (SELECT 1 FROM orders "
                            "WHERE orders.run_key = runs.key) AS resumable, "
                            // Only unfinished runs are checked for a live process.
                            "CASE WHEN finished_unix_ms IS NULL AND stopped_unix_ms IS NULL THEN (SELECT "
                            "json_extract(json, '$.process') FROM orders WHERE orders.run_key = runs.key "
                            "AND json_valid(json)) END AS process "
                            "FROM runs LEFT JOIN (SELECT run_key, status FROM cases) AS cases "
                            "ON cases.run_key = runs.key WHERE deleted_unix_ms IS NULL "
                            "GROUP BY runs.key ORDER BY started_unix_ms DESC, runs.key DESC");
    std::vector<RunOverview> overviews;
    const RowReader row(query);
    while (query.executeStep()) {
        RunOverview overview;
        TRY(getFields(row, overview, "a stored run"));
        std::optional<std::string> process;
        row.get("process", process);
        overview.underWay = process && !process->empty() && bench::isAlive(*process);
        overviews.push_back(std::move(overview));
    }
    return overviews;
}

Result<std::vector<CaseOverview>> listCases(SQLite::Database& database, const CaseFilter& filter) {
    std::string conditions;
    std::optional<std::int64_t> runKey;
    if (filter.runId) {
        ASSIGN(const auto found, findRun(database, *filter.runId, Among::Present));
        runKey = found;
        conditions += " AND cases.run_key = :run_key";
    }
    if (filter.computer) conditions += " AND runs.computer = :computer";
    if (filter.workload) conditions += " AND cases.workload = :workload";
    if (filter.hash) conditions += " AND cases.hash = :hash";
    if (filter.status) conditions += " AND cases.status = :status";
    SQLite::Statement query(
        database, fmt::format("SELECT runs.id AS run_id, position, runs.started_unix_ms AS run_started, computer, "
                              "suite_version, origin, workload, mode, device, device_name, precision, batch, threads, "
                              "isa, kernels, data, part, optimizer, cases.seed AS seed, hash, status, reason, "
                              "reason_message, median, ci95_low, "
                              "ci95_high, throughput_value, throughput_unit FROM cases "
                              "JOIN runs ON runs.key = cases.run_key WHERE runs.deleted_unix_ms IS NULL{} "
                              "ORDER BY runs.started_unix_ms DESC, runs.key DESC, position",
                              conditions));
    RowWriter parameters(query);
    if (runKey) parameters.put("run_key", *runKey);
    if (filter.computer) parameters.put("computer", *filter.computer);
    if (filter.workload) parameters.put("workload", *filter.workload);
    if (filter.hash) parameters.put("hash", *filter.hash);
    if (filter.status) parameters.put("status", toString(*filter.status));
    std::vector<CaseOverview> overviews;
    const RowReader row(query);
    while (query.executeStep()) {
        CaseOverview overview;
        TRY(getFields(row, overview, "a stored case"));
        overviews.push_back(std::move(overview));
    }
    return overviews;
}

Result<std::vector<TrendPoint>> listTrend(SQLite::Database& database, std::string_view caseHash,
                                          std::string_view computer) {
    SQLite::Statement query(database,
                            "SELECT cases.*, runs.id AS run_id, runs.started_unix_ms AS run_started "
                            "FROM cases JOIN runs ON runs.key = cases.run_key "
                            "WHERE hash = :hash AND (:computer = '' OR computer = :computer) AND status = 'ok' "
                            "AND median IS NOT NULL AND deleted_unix_ms IS NULL "
                            "ORDER BY runs.started_unix_ms, runs.key, position");
    RowWriter parameters(query);
    parameters.put("hash", caseHash);
    parameters.put("computer", computer);
    std::vector<TrendPoint> points;
    const RowReader row(query);
    while (query.executeStep()) {
        bench::CaseRecord record;
        TRY(getFields(row, record, "a stored case", "sensors"));
        auto& point = points.emplace_back();
        row.get("run_id", point.runId);
        row.get("run_started", point.startedUnixMs);
        point.medianSeconds = record.stepSeconds->median;
        point.disturbed = bench::wasDisturbed(record);
        // Samples within one process do not show run-to-run variation.
        if (!record.figure) continue;
        point.ci95Low = record.figure->low;
        point.ci95High = record.figure->high;
        point.roundTripSeconds = record.figure->main.roundTripSeconds;
        if (!record.figure->others.empty()) point.otherStateSeconds = record.figure->others.front().medianSeconds;
    }
    return points;
}

}  // namespace steelyard::history
