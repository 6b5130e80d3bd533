// SPDX-License-Identifier: Apache-2.0
#include "engine/history/migrations.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <array>

#include "engine/core/messages/history.h"
#include "engine/history/sqlite_error.h"

namespace steelyard::history {
namespace {

// runs.key and cases.key are internal; runs.id is the public identifier. Times are Unix milliseconds (UTC), durations
// seconds. Wide columns come last, so that lists do not read them. NULL is unknown.
constexpr const char* kSchema1 = R"sql(
CREATE TABLE profiles (
    key INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    json TEXT NOT NULL
) STRICT;
CREATE INDEX profiles_by_hash ON profiles (hash);

CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    suite TEXT NOT NULL,
    suite_version TEXT NOT NULL,
    program_version TEXT NOT NULL,
    git_revision TEXT NOT NULL,
    started_unix_ms INTEGER NOT NULL,
    finished_unix_ms INTEGER,
    computer TEXT NOT NULL,
    profile_key INTEGER REFERENCES profiles (key),
    origin TEXT NOT NULL CHECK (origin IN ('measured', 'imported')),
    note TEXT NOT NULL,
    seed INTEGER NOT NULL,
    deleted_unix_ms INTEGER
) STRICT;
CREATE INDEX runs_by_start ON runs (started_unix_ms);
CREATE INDEX runs_by_profile ON runs (profile_key);

CREATE TABLE cases (
    key INTEGER PRIMARY KEY,
    run_key INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    workload TEXT NOT NULL,
    mode TEXT NOT NULL,
    device TEXT NOT NULL,
    device_name TEXT NOT NULL,
    precision TEXT NOT NULL,
    batch INTEGER NOT NULL,
    threads INTEGER,
    isa TEXT,
    data TEXT NOT NULL,
    optimizer TEXT NOT NULL,
    seed INTEGER NOT NULL,
    hash TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    started_unix_ms INTEGER NOT NULL,
    median REAL,
    ci95_low REAL,
    ci95_high REAL,
    mean REAL,
    mad REAL,
    min REAL,
    p90 REAL,
    p99 REAL,
    n INTEGER,
    steps_per_sample INTEGER NOT NULL,
    throughput_value REAL,
    throughput_unit TEXT,
    flops_per_step REAL,
    bytes_per_step REAL,
    achieved_flops REAL,
    peak_flops REAL,
    utilization_fraction REAL,
    planned_bytes INTEGER,
    engine_peak_bytes INTEGER,
    process_peak_bytes INTEGER,
    device_peak_bytes INTEGER,
    weight_bytes INTEGER,
    gradient_bytes INTEGER,
    optimizer_bytes INTEGER,
    activation_bytes INTEGER,
    workspace_bytes INTEGER,
    verification_state TEXT NOT NULL,
    verification_max_relative_error REAL,
    verification_tolerance REAL,
    verification_loss_first REAL,
    verification_loss_last REAL,
    verification_reason TEXT NOT NULL,
    stop_reason TEXT,
    warm_up_steps INTEGER NOT NULL,
    warm_up_seconds REAL NOT NULL,
    compile_seconds REAL,
    energy_joules_per_step REAL,
    warnings TEXT NOT NULL,
    conditions TEXT NOT NULL,
    sensors TEXT NOT NULL,
    UNIQUE (run_key, position)
) STRICT;
CREATE INDEX cases_by_run_status ON cases (run_key, status);
CREATE INDEX cases_by_hash ON cases (hash);

CREATE TABLE samples (
    case_key INTEGER PRIMARY KEY REFERENCES cases (key) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    encoding TEXT NOT NULL CHECK (encoding IN ('f64le', 'f64le+zlib')),
    crc32 INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
)sql";

// The plan of a run, so that it can be resumed; and for cases: the forced library, the timed part of an input pipeline,
// bandwidth, and operation times.
constexpr const char* kSchema2 = R"sql(
CREATE TABLE orders (
    run_key INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
    json TEXT NOT NULL
) STRICT;
ALTER TABLE cases ADD COLUMN kernels TEXT;
ALTER TABLE cases ADD COLUMN part TEXT NOT NULL DEFAULT 'step';
ALTER TABLE cases ADD COLUMN achieved_bytes REAL;
ALTER TABLE cases ADD COLUMN peak_bytes REAL;
ALTER TABLE cases ADD COLUMN profile TEXT;
ALTER TABLE cases ADD COLUMN input TEXT;
)sql";

// The number of cases of a run, and when the user stopped it: a run neither finished nor stopped was interrupted.
constexpr const char* kSchema3 = R"sql(
ALTER TABLE runs ADD COLUMN planned_count INTEGER;
ALTER TABLE runs ADD COLUMN stopped_unix_ms INTEGER;
UPDATE runs SET planned_count = (SELECT json_array_length(json, '$.cases') FROM orders
                                 WHERE run_key = runs.key AND json_valid(json));
)sql";

// How a case was shared among several devices.
constexpr const char* kSchema4 = R"sql(
ALTER TABLE cases ADD COLUMN parallel TEXT;
)sql";

// The process that deleted a run: while it is alive it can undo the deletion.
constexpr const char* kSchema5 = R"sql(
ALTER TABLE runs ADD COLUMN deleted_by TEXT;
)sql";

// Messages behind the English texts of a case: ids and arguments, so that they can be translated.
constexpr const char* kSchema6 = R"sql(
ALTER TABLE cases ADD COLUMN reason_message TEXT;
ALTER TABLE cases ADD COLUMN verification_reason_message TEXT;
ALTER TABLE cases ADD COLUMN warnings_messages TEXT;
)sql";

// How the samples of a case were taken, and the resulting figure.
constexpr const char* kSchema7 = R"sql(
ALTER TABLE cases ADD COLUMN visits TEXT;
ALTER TABLE cases ADD COLUMN figure TEXT;
ALTER TABLE cases ADD COLUMN disturbed INTEGER;
CREATE INDEX cases_disturbed ON cases (run_key, status) WHERE disturbed = 1;
)sql";

// Campaigns with their candidates; the runs linked to one, with the number of machines and the network.
constexpr const char* kSchema8 = R"sql(
CREATE TABLE campaigns (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL,
    created_unix_ms INTEGER NOT NULL,
    question TEXT,
    protocol TEXT,
    suite TEXT NOT NULL,
    budget_usd REAL,
    retries INTEGER NOT NULL,
    folder TEXT NOT NULL,
    delivery TEXT,
    state TEXT NOT NULL
) STRICT;

CREATE TABLE candidates (
    key INTEGER PRIMARY KEY,
    campaign_key INTEGER NOT NULL REFERENCES campaigns (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL CHECK (id <> ''),
    title TEXT NOT NULL,
    placements TEXT,
    ordered INTEGER NOT NULL,
    host TEXT NOT NULL,
    hardware TEXT NOT NULL,
    device TEXT NOT NULL,
    gpus INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    cases TEXT,
    forecast TEXT,
    engine TEXT NOT NULL,
    task_file TEXT NOT NULL,
    task_index INTEGER,
    external_id TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    reason_message TEXT,
    cap_seconds REAL NOT NULL,
    attempts INTEGER NOT NULL,
    repeats TEXT NOT NULL,
    measured_step_seconds TEXT,
    submitted_unix_ms INTEGER,
    started_unix_ms INTEGER,
    ended_unix_ms INTEGER,
    UNIQUE (campaign_key, id)
) STRICT;

CREATE TABLE candidate_runs (
    candidate_key INTEGER NOT NULL REFERENCES candidates (key) ON DELETE CASCADE,
    run_key INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    nodes INTEGER NOT NULL,
    network TEXT,
    PRIMARY KEY (candidate_key, run_key)
) STRICT;
CREATE INDEX candidate_runs_by_run ON candidate_runs (run_key);
)sql";

// Language models.
constexpr const char* kSchema9 = R"sql(
ALTER TABLE cases ADD COLUMN language TEXT;
)sql";

// int8 inference.
constexpr const char* kSchema10 = R"sql(
ALTER TABLE cases ADD COLUMN precision_cost TEXT;
)sql";

constexpr std::array kMigrations{Migration{1, "runs, cases, samples and profiles", kSchema1},
                                 Migration{2, "orders of runs; kernels, parts, bandwidth, operations", kSchema2},
                                 Migration{3, "what a run was to have, and that it was stopped", kSchema3},
                                 Migration{4, "several devices", kSchema4},
                                 Migration{5, "who deleted a run", kSchema5},
                                 Migration{6, "messages of cases", kSchema6},
                                 Migration{7, "visits and figures", kSchema7},
                                 Migration{8, "campaigns", kSchema8},
                                 Migration{9, "language models", kSchema9},
                                 Migration{10, "what a precision costs", kSchema10}};

std::int64_t pragma(SQLite::Database& database, const char* sql) {
    SQLite::Statement query(database, sql);
    return query.executeStep() ? query.getColumn(0).getInt64() : 0;
}

int userVersion(SQLite::Database& database) {
    return static_cast<int>(pragma(database, "PRAGMA user_version"));
}

// Throws if the step fails; the transaction is then rolled back.
void apply(SQLite::Database& database, const Migration& migration) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Another process may have run it while this one waited for the lock.
    if (userVersion(database) >= migration.version) return;
    database.exec(migration.sql);
    if (pragma(database, "SELECT count(*) FROM pragma_foreign_key_check") != 0) {
        throw SQLite::Exception(fmt::format("step {} leaves dangling references", migration.version));
    }
    database.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
    database.exec(fmt::format("PRAGMA user_version = {}", migration.version));
    transaction.commit();
}

MigrationResult refused(MigrationOutcome outcome, int version, ErrorKind kind, SQLite::Database& database,
                        Message detail) {
    return {outcome, version, version, Error{kind, database.getFilename(), std::move(detail), {}, {}, {}}};
}

MigrationResult migrateOrThrow(SQLite::Database& database, std::span<const Migration> migrations) {
    int before = 0;
    std::int64_t applicationId = 0;
    bool isEmpty = false;
    {
        // One transaction for a consistent snapshot, even while another process creates the schema.
        SQLite::Transaction transaction(database);
        before = userVersion(database);
        applicationId = pragma(database, "PRAGMA application_id");
        isEmpty = pragma(database, "SELECT count(*) FROM sqlite_master") == 0;
    }
    const int latest = latestVersion(migrations);
    if (applicationId != kApplicationId && !(applicationId == 0 && before == 0 && isEmpty)) {
        return refused(MigrationOutcome::OtherApplication, before, ErrorKind::InvalidArgument, database,
                       messages::otherApplication());
    }
    if (before > latest) {
        return refused(MigrationOutcome::NewerSchema, before, ErrorKind::VersionTooNew, database,
                       messages::schemaTooNew(before, latest));
    }
    if (before == latest) return {MigrationOutcome::Current, before, before, {}};
    // Steps may rebuild tables; references are checked at the end of each step instead of row by row. The pragma has no
    // effect within a transaction, so it is set outside.
    database.exec("PRAGMA foreign_keys = OFF");
    for (const auto& migration : migrations) {
        if (migration.version > before) apply(database, migration);
    }
    database.exec("PRAGMA foreign_keys = ON");
    return {before == 0 ? MigrationOutcome::Created : MigrationOutcome::Upgraded, before, latest, {}};
}

}  // namespace

std::span<const Migration> historyMigrations() {
    return kMigrations;
}

MigrationResult migrate(SQLite::Database& database, std::span<const Migration> migrations) {
    try {
        return migrateOrThrow(database, migrations);
    } catch (...) {
        MigrationResult result;
        result.error = errorFromCurrentException(database.getFilename());
        // Steps handle anything this program has written; other content was changed externally.
        if (result.error->kind == ErrorKind::Internal) result.error->kind = ErrorKind::CorruptData;
        try {
            database.exec("PRAGMA foreign_keys = ON");
            result.toVersion = userVersion(database);
        } catch (const std::exception&) {  // report the first error
        }
        return result;
    }
}

}  // namespace steelyard::history
