// SPDX-License-Identifier: Apache-2.0
#include "engine/history/history_store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "engine/bench/compare/run_comparison.h"
#include "engine/bench/imported/imported_results.h"
#include "engine/bench/record/anonymised_run.h"
#include "engine/bench/record/record_json.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/history.h"
#include "engine/history/anonymous.h"
#include "engine/history/campaign_rows.h"
#include "engine/history/connection.h"
#include "engine/history/migrations.h"
#include "engine/history/rows.h"
#include "engine/history/sqlite_error.h"
#include "engine/history/upkeep.h"

namespace steelyard::history {
namespace {

using bench::CaseRecord;
using bench::RunRecord;

constexpr std::int64_t kMaximumImportBytes = std::int64_t{512} << 20;

// Id prefixes and "latest" are accepted as ids, so an id must not be ambiguous or a keyword.
bool isPlausibleId(std::string_view id) {
    return id.size() >= 4 && id.size() <= 64 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool existsAtAll(SQLite::Database& database, const std::string& id) {
    SQLite::Statement query(database, "SELECT 1 FROM runs WHERE id = ?");
    query.bind(1, id);
    return query.executeStep();
}

bool hasSameFigures(const bench::RunRecord& a, const bench::RunRecord& b) {
    return std::ranges::equal(a.records, b.records, [](const auto& x, const auto& y) {
        return x.spec == y.spec && x.status == y.status && x.stepSeconds == y.stepSeconds;
    });
}

// A run may be deleted while another process still measures it; undoing restores all of it.
Result<std::int64_t> findRunBeingMeasured(SQLite::Database& database, std::string_view runId) {
    auto key = findRun(database, runId, Among::Present);
    if (!key && key.error().kind == ErrorKind::NotFound) key = findRun(database, runId, Among::Deleted);
    return key;
}

// The exported document, or one of the two forms of results of other programs. Content that does not start like JSON,
// in a file without a JSON suffix, is CSV.
Result<std::vector<RunRecord>> resultsOf(const std::string& name, const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool isJson =
        name.ends_with(".json") || (first != std::string::npos && (text[first] == '{' || text[first] == '['));
    if (!isJson) return bench::importedResultsFromCsv(name, text);
    if (bench::isMeasurementsJson(text)) return bench::importedResultsFromJson(name, text);
    auto runs = bench::resultsFromJson(text);
    if (runs) return runs;
    auto error = runs.error();
    if (!error.subject.empty()) error.detail = messages::withinDocument(error.subject, error.detail);
    error.subject = name;
    return Failure(error);
}

// While it exists, slow statements are interrupted: a damaged or hostile file must not hang the program.
class Deadline {
public:
    Deadline(SQLite::Database& database, std::chrono::milliseconds timeout)
        : m_handle(database.getHandle()), m_end(std::chrono::steady_clock::now() + timeout) {
        constexpr int kInstructions = 100'000;
        sqlite3_progress_handler(
            m_handle, kInstructions,
            [](void* self) -> int {
                return std::chrono::steady_clock::now() > static_cast<const Deadline*>(self)->m_end ? 1 : 0;
            },
            this);
    }
    ~Deadline() { sqlite3_progress_handler(m_handle, 0, nullptr, nullptr); }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

private:
    sqlite3* m_handle;
    std::chrono::steady_clock::time_point m_end;
};

}  // namespace

class HistoryStore::Database {
public:
    Database(OpenedDatabase opened, std::string file, std::chrono::milliseconds timeout)
        : m_connection(std::move(opened.database)),
          m_whyReadOnly(std::move(opened.whyReadOnly)),
          m_file(std::move(file)),
          m_timeout(timeout) {}

    [[nodiscard]] SQLite::Database& sqlite() { return *m_connection; }
    [[nodiscard]] const std::string& file() const { return m_file; }
    [[nodiscard]] bool isReadOnly() const { return m_whyReadOnly.has_value(); }

    [[nodiscard]] bool wasMoved() const {
        int moved = 0;
        sqlite3_file_control(m_connection->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
        return moved != 0;
    }

    // Runs `body(sqlite)` in one transaction, committed if it returns a value.
    template <typename Body>
    [[nodiscard]] auto write(Body body) -> std::invoke_result_t<Body, SQLite::Database&> {
        if (m_whyReadOnly) return Failure(*m_whyReadOnly);
        // A file deleted under an open connection is still writable, but its content would be lost.
        if (wasMoved()) return fail(ErrorKind::IoFailed, m_file, messages::fileMoved());
        return transact(SQLite::TransactionBehavior::IMMEDIATE, body);
    }
    // Runs `body` on a consistent snapshot.
    template <typename Body>
    [[nodiscard]] auto read(Body body) {
        return transact(SQLite::TransactionBehavior::DEFERRED, body);
    }

    // Updates columns of one run: ?1 is its row id, followed by the values.
    template <typename... Values>
    [[nodiscard]] Result<void> update(Among among, std::string_view runId, const char* sql, const Values&... values) {
        return write([&](SQLite::Database& database) -> Result<void> {
            ASSIGN(const auto key, findRun(database, runId, among));
            SQLite::Statement statement(database, sql);
            int index = 0;
            statement.bind(++index, key);
            (statement.bind(++index, values), ...);
            statement.exec();
            return {};
        });
    }

    // Also if the run was deleted while another process still measured it.
    [[nodiscard]] Result<void> updateAnywhere(std::string_view runId, const char* sql, std::int64_t value) {
        auto result = update(Among::Present, runId, sql, value);
        if (result || result.error().kind != ErrorKind::NotFound) return result;
        return update(Among::Deleted, runId, sql, value);
    }

private:
    template <typename Body>
    [[nodiscard]] auto transact(SQLite::TransactionBehavior behavior, Body& body) {
        using Outcome = std::invoke_result_t<Body, SQLite::Database&>;
        return guarded(m_file, [&]() -> Outcome {
            const Deadline deadline(*m_connection, m_timeout);
            SQLite::Transaction transaction(*m_connection, behavior);
            auto result = body(*m_connection);
            if (result) transaction.commit();
            return result;
        });
    }

    std::unique_ptr<SQLite::Database> m_connection;
    std::optional<Error> m_whyReadOnly;
    std::string m_file;
    std::chrono::milliseconds m_timeout;
};

HistoryStore::HistoryStore(std::unique_ptr<Database> database) : m_database(std::move(database)) {}
HistoryStore::~HistoryStore() = default;

bool HistoryStore::wasMoved() const {
    return m_database->wasMoved();
}

Result<std::unique_ptr<HistoryStore>> HistoryStore::open(const std::filesystem::path& file,
                                                         const OpenOptions& options) {
    ASSIGN(auto opened, openDatabase(file, options, historyMigrations()));
    return std::unique_ptr<HistoryStore>(
        new HistoryStore(std::make_unique<Database>(std::move(opened), file.string(), options.timeout)));
}

bool HistoryStore::isReadOnly() const {
    return m_database->isReadOnly();
}

Result<void> HistoryStore::beginRun(const RunRecord& run, std::string_view order) {
    return m_database->write([&](SQLite::Database& database) -> Result<void> {
        if (run.id.empty() || run.id == "latest")
            return fail(ErrorKind::InvalidArgument, {}, messages::badRunId(run.id));
        if (run.origin != "measured" && run.origin != "imported") {
            return fail(ErrorKind::InvalidArgument, {}, messages::badOrigin(run.origin));
        }
        if (existsAtAll(database, run.id)) {
            return fail(ErrorKind::InvalidArgument, {}, messages::runIs(run.id, messages::alreadyStored()));
        }
        const auto key = insertRun(database, run);
        if (!order.empty()) insertOrder(database, key, order);
        return {};
    });
}

Result<std::string> HistoryStore::orderOf(std::string_view runId) const {
    return m_database->read([&](SQLite::Database& database) -> Result<std::string> {
        ASSIGN(const auto key, findRun(database, runId, Among::Present));
        return loadOrder(database, key);
    });
}

Result<void> HistoryStore::reopenRun(std::string_view runId, std::string_view order) {
    return m_database->write([&](SQLite::Database& database) -> Result<void> {
        ASSIGN(const auto key, findRun(database, runId, Among::Present));
        SQLite::Statement unfinished(database, "SELECT 1 FROM runs WHERE key = ? AND finished_unix_ms IS NULL");
        unfinished.bind(1, key);
        if (!unfinished.executeStep()) {
            return fail(ErrorKind::InvalidArgument, {}, messages::runIs(runId, messages::runFinished()));
        }
        SQLite::Statement cancelled(database, "DELETE FROM cases WHERE run_key = ? AND status = 'cancelled'");
        cancelled.bind(1, key);
        cancelled.exec();
        insertOrder(database, key, order);
        return {};
    });
}

Result<void> HistoryStore::addRecord(std::string_view runId, const CaseRecord& record) {
    return m_database->write([&](SQLite::Database& database) -> Result<void> {
        ASSIGN(const auto key, findRunBeingMeasured(database, runId));
        insertCase(database, key, record);
        return {};
    });
}

Result<void> HistoryStore::putRecord(std::string_view runId, const CaseRecord& record) {
    return m_database->write([&](SQLite::Database& database) -> Result<void> {
        ASSIGN(const auto key, findRunBeingMeasured(database, runId));
        replaceCase(database, key, record);
        return {};
    });
}

Result<void> HistoryStore::finishRun(std::string_view runId, std::int64_t finishedUnixMs) {
    return m_database->updateAnywhere(runId, "UPDATE runs SET finished_unix_ms = ?2 WHERE key = ?1", finishedUnixMs);
}

Result<void> HistoryStore::stopRun(std::string_view runId, std::int64_t stoppedUnixMs) {
    return m_database->updateAnywhere(
        runId, "UPDATE runs SET stopped_unix_ms = ?2 WHERE key = ?1 AND finished_unix_ms IS NULL", stoppedUnixMs);
}

Result<std::vector<RunOverview>> HistoryStore::runs() const {
    return m_database->read([](SQLite::Database& database) { return listRuns(database); });
}

Result<RunRecord> HistoryStore::run(std::string_view idOrPrefix, Detail detail) const {
    return m_database->read([&](SQLite::Database& database) -> Result<RunRecord> {
        ASSIGN(const auto key, findRun(database, idOrPrefix, Among::Present));
        return loadRun(database, key, detail);
    });
}

Result<void> HistoryStore::forEachRun(const std::function<void(const RunRecord&)>& visit, Detail detail) const {
    ASSIGN(const auto overviews, runs());
    Result<void> result;
    for (auto overview = overviews.rbegin(); overview != overviews.rend(); ++overview) {
        if (const auto one = run(overview->id, detail)) {
            visit(*one);
        } else if (result) {
            result = Failure(one.error());
        }
    }
    return result;
}

Result<std::vector<bench::RunRecord>> HistoryStore::recentRuns(std::string_view computer, std::size_t most) const {
    ASSIGN(const auto overviews, runs());
    std::vector<bench::RunRecord> recent;
    std::size_t looked = 0;
    for (const auto& overview : overviews) {
        if (overview.computer != computer || overview.origin != "measured") continue;
        if (looked++ == most) break;
        if (auto one = run(overview.id, Detail::Summaries)) recent.push_back(std::move(*one));
    }
    return recent;
}

Result<bench::Variance> HistoryStore::spreadBetweenRuns(std::string_view computer) const {
    ASSIGN(const auto recent, recentRuns(computer, kSpreadRuns));
    bench::RunSpread spread;
    for (const auto& run : recent) spread.add(run);
    return spread.variance();
}

Result<std::vector<CaseOverview>> HistoryStore::cases(const CaseFilter& filter) const {
    return m_database->read([&](SQLite::Database& database) { return listCases(database, filter); });
}

Result<std::vector<TrendPoint>> HistoryStore::trend(std::string_view caseHash, std::string_view computer) const {
    return m_database->read([&](SQLite::Database& database) { return listTrend(database, caseHash, computer); });
}

Result<void> HistoryStore::setNote(std::string_view runId, std::string_view note) {
    return m_database->update(Among::Present, runId, "UPDATE runs SET note = ?2 WHERE key = ?1", std::string(note));
}

Result<void> HistoryStore::remove(std::string_view runId) {
    return m_database->write([&](SQLite::Database& database) -> Result<void> {
        ASSIGN(const auto key, findRun(database, runId, Among::Present));
        markDeleted(database, key);
        return {};
    });
}

Result<void> HistoryStore::restore(std::string_view runId) {
    return m_database->update(Among::Deleted, runId,
                              "UPDATE runs SET deleted_unix_ms = NULL, deleted_by = NULL WHERE key = ?1");
}

Result<std::vector<RunOverview>> HistoryStore::prune(const PruneRule& rule) {
    return m_database->write([&](SQLite::Database& database) -> Result<std::vector<RunOverview>> {
        ASSIGN(const auto all, listRuns(database));
        auto going = prunable(all, rule);
        for (const auto& run : going) {
            ASSIGN(const auto key, findRun(database, run.id, Among::Present));
            markDeleted(database, key);
        }
        return going;
    });
}

Result<void> HistoryStore::purgeDeleted() {
    return m_database->write([](SQLite::Database& database) -> Result<void> {
        purge(database);
        return {};
    });
}

std::int64_t HistoryStore::bytes() const {
    return bytesOf(m_database->file());
}

Result<Compaction> HistoryStore::compact() {
    const auto& file = m_database->file();
    const auto before = bytes();
    TRY(m_database->write([&](SQLite::Database& database) -> Result<void> {
        if (const auto run = runUnderWay(database)) return fail(ErrorKind::Locked, file, messages::runUnderWay(*run));
        purge(database);
        return {};
    }));
    return guarded(file, [&]() -> Result<Compaction> {
        if (!shrink(m_database->sqlite())) return fail(ErrorKind::Locked, file, messages::readElsewhere());
        return Compaction{before, bytes()};
    });
}

Result<void> HistoryStore::exportRuns(const std::vector<std::string>& ids, const std::filesystem::path& file) const {
    ASSIGN(const auto runs, m_database->read([&](SQLite::Database& database) -> Result<std::vector<RunRecord>> {
        std::vector<std::int64_t> keys;
        if (ids.empty()) {
            SQLite::Statement all(database,
                                  "SELECT key FROM runs WHERE deleted_unix_ms IS NULL ORDER BY started_unix_ms, key");
            while (all.executeStep()) keys.push_back(all.getColumn(0).getInt64());
        }
        for (const auto& id : ids) {
            ASSIGN(const auto key, findRun(database, id, Among::Present));
            // Duplicate ids are written once: the file must not contain two runs with the same id.
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        }
        std::vector<RunRecord> loaded;
        for (const auto key : keys) {
            ASSIGN(auto run, loadRun(database, key, Detail::Everything));
            loaded.push_back(bench::anonymised(withoutHostName(std::move(run))));
        }
        return loaded;
    }));
    return writeFileAtomically(file, bench::resultsToJson(runs) + "\n");
}

Result<std::vector<std::string>> HistoryStore::importRuns(const std::filesystem::path& file) {
    ASSIGN(const auto text, readFile(file, kMaximumImportBytes));
    auto runs = resultsOf(file.string(), text);
    if (!runs) return Failure(runs.error());
    for (const auto& run : *runs) {
        if (!isPlausibleId(run.id)) {
            return fail(ErrorKind::CorruptData, file.string(), messages::badRunId(run.id));
        }
    }
    return m_database->write([&runs](SQLite::Database& database) -> Result<std::vector<std::string>> {
        std::vector<std::string> added;
        for (auto& run : *runs) {
            SQLite::Statement forget(database, "DELETE FROM runs WHERE id = ? AND deleted_unix_ms IS NOT NULL");
            forget.bind(1, run.id);
            forget.exec();
            if (existsAtAll(database, run.id)) continue;
            run.origin = "imported";
            (void)insertRun(database, run);
            added.push_back(run.id);
        }
        deleteOrphans(database);
        return added;
    });
}

Result<void> HistoryStore::putCampaign(const campaign::Campaign& campaign) {
    return m_database->write(
        [&](SQLite::Database& database) -> Result<void> { return upsertCampaign(database, campaign); });
}

Result<campaign::Campaign> HistoryStore::campaign(std::string_view idOrPrefix) const {
    return m_database->read([&](SQLite::Database& database) -> Result<campaign::Campaign> {
        ASSIGN(const auto key, findCampaign(database, idOrPrefix));
        return loadCampaign(database, key);
    });
}

Result<std::vector<campaign::Campaign>> HistoryStore::campaigns() const {
    return m_database->read([](SQLite::Database& database) { return listCampaigns(database); });
}

Result<void> HistoryStore::removeCampaign(std::string_view id) {
    return m_database->write([&](SQLite::Database& database) -> Result<void> {
        ASSIGN(const auto key, findCampaign(database, id));
        SQLite::Statement remove(database, "DELETE FROM campaigns WHERE key = ?");
        remove.bind(1, key);
        remove.exec();
        return {};
    });
}

Result<std::vector<std::string>> HistoryStore::collectRuns(std::string_view campaignId, std::string_view candidate,
                                                           std::vector<bench::RunRecord> runs) {
    for (const auto& run : runs)
        if (!isPlausibleId(run.id)) return fail(ErrorKind::CorruptData, {}, messages::badRunId(run.id));
    return m_database->write([&](SQLite::Database& database) -> Result<std::vector<std::string>> {
        ASSIGN(const auto campaignKey, findCampaign(database, campaignId));
        std::vector<std::string> added;
        for (auto& run : runs) {
            if (!existsAtAll(database, run.id)) {
                run.origin = "imported";
                (void)insertRun(database, run);
                added.push_back(run.id);
            } else if (auto key = findRun(database, run.id, Among::Present)) {
                ASSIGN(const auto stored, loadRun(database, *key, Detail::Summaries));
                if (!hasSameFigures(stored, run))
                    return fail(ErrorKind::CorruptData, {}, messages::otherFigures(run.id));
            }
            TRY(linkRun(database, campaignKey, candidate, run.id));
        }
        return added;
    });
}

FileState stateOf(const std::filesystem::path& file) {
    const auto partOf = [](const std::filesystem::path& path) {
        FileState::Part part;
        std::error_code error;
        const auto bytes = std::filesystem::file_size(path, error);
        // Opening a database creates an empty WAL, closing it removes the WAL.
        if (error || bytes == 0) return part;
        part.bytes = static_cast<std::int64_t>(bytes);
        part.written = std::filesystem::last_write_time(path, error);
        return part;
    };
    auto log = file;
    log += "-wal";
    return {partOf(file), partOf(log)};
}

std::filesystem::path defaultHistoryFile(const char* xdgDataHome, const char* home) {
    const auto folder = userDataFolder(xdgDataHome, home);
    return folder.empty() ? folder : folder / "history.sqlite";
}

}  // namespace steelyard::history
