// SPDX-License-Identifier: Apache-2.0
// The stored runs: one SQLite file (WAL, foreign keys on, numbered migrations). An object owns one connection and is
// used from one thread; several processes may open the same file. Every finished case is committed by itself, so a
// killed run keeps what it had. A file that is refused is left untouched, and the kind of the error says why:
// CorruptData (not a database, or damaged), InvalidArgument (another application's database), VersionTooNew,
// PermissionDenied (the file or its folder is read-only), Locked, DiskFull.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"

namespace steelyard::history {

// A row of the list of runs, without samples.
struct RunOverview {
    std::string id;
    std::string suite;
    std::string suiteVersion;
    std::string programVersion;
    std::int64_t startedUnixMs = 0;
    std::optional<std::int64_t> finishedUnixMs;
    std::string computer;
    std::string origin;  // measured | imported
    std::string note;
    std::int64_t caseCount = 0;
    std::int64_t okCount = 0;
    std::int64_t failedCount = 0;               // every status but ok and cancelled
    bool resumable = false;                     // unfinished, measured here, and what it was to measure is known
    std::optional<std::int64_t> plannedCount;   // cases that were ordered; unknown of imported runs
    std::optional<std::int64_t> stoppedUnixMs;  // by the user, who may resume it
    bool underWay = false;                      // the process that measures it lives on this computer

    // Cases with a result or a failure; the one under way when a run was stopped is neither.
    [[nodiscard]] std::int64_t doneCount() const { return okCount + failedCount; }

    friend bool operator==(const RunOverview&, const RunOverview&) = default;
};

// One case at one moment, for trends.
struct TrendPoint {
    std::string runId;
    std::int64_t startedUnixMs = 0;
    double medianSeconds = 0;
    std::optional<double> ci95Low, ci95High;
};

// A row of a list of cases, without samples and sensors.
struct CaseOverview {
    std::string runId;
    std::int64_t position = 0;       // within the run, from 0
    std::int64_t startedUnixMs = 0;  // of the run
    std::string computer;
    std::string suiteVersion;
    std::string origin;
    bench::Case spec;
    std::string hash;
    std::string deviceName;
    bench::Status status = bench::Status::Failed;
    Message reason;
    std::optional<double> medianSeconds, ci95Low, ci95High;
    std::optional<bench::Throughput> throughput;

    friend bool operator==(const CaseOverview&, const CaseOverview&) = default;
};

// Unset members let everything through.
struct CaseFilter {
    std::optional<std::string> runId;  // as in run()
    std::optional<std::string> computer;
    std::optional<std::string> workload;
    std::optional<std::string> hash;
    std::optional<bench::Status> status;
};

// Which runs to prune: those beyond the newest `keepNewest` of all, and those that started before a moment; with both,
// a run goes only when both hold, and with neither none does.
struct PruneRule {
    std::optional<std::int64_t> keepNewest;
    std::optional<std::int64_t> startedBeforeUnixMs;
};

// Those of `runs` (newest first) that go. A run with a note stays, for somebody cares about it; so does one under way.
[[nodiscard]] std::vector<RunOverview> prunable(const std::vector<RunOverview>& runs, const PruneRule& rule);

// Bytes of the file and its log.
struct Compaction {
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
};

struct OpenOptions {
    std::chrono::milliseconds busyTimeout{5000};  // how long to wait for another writer before Locked
    std::optional<std::int64_t> maximumBytes;     // of the file; beyond it writing fails with DiskFull
};

// Writing to a file that was moved or deleted meanwhile is IoFailed.
class HistoryStore {
public:
    // Opens or creates the file (and its folder) and migrates it to the current schema.
    [[nodiscard]] static Result<std::unique_ptr<HistoryStore>> open(const std::filesystem::path& file,
                                                                    const OpenOptions& options = {});
    ~HistoryStore();
    // The file was moved or deleted: what is read is what it held, and writing fails.
    [[nodiscard]] bool wasMoved() const;
    HistoryStore(const HistoryStore&) = delete;
    HistoryStore& operator=(const HistoryStore&) = delete;

    // run.records are stored too, if any. The id must be new (InvalidArgument otherwise), also among deleted runs.
    // `order` is what is to be measured, for resuming: a text that orderOf() gives back (bench::toJson of a RunSpec).
    [[nodiscard]] Result<void> beginRun(const bench::RunRecord& run, std::string_view order = {});
    [[nodiscard]] Result<void> addRecord(std::string_view runId, const bench::CaseRecord& record);
    // In the place of the record of the same case, after a further visit; at the end when the run has none of it.
    [[nodiscard]] Result<void> putRecord(std::string_view runId, const bench::CaseRecord& record);
    [[nodiscard]] Result<void> finishRun(std::string_view runId, std::int64_t finishedUnixMs);
    // Ends it before its end, as the user wished.
    [[nodiscard]] Result<void> stopRun(std::string_view runId, std::int64_t stoppedUnixMs);

    // Empty when the run was stored without one (imported, or by an earlier version).
    [[nodiscard]] Result<std::string> orderOf(std::string_view runId) const;
    // Takes the cancelled cases out of an unfinished run, to be measured again by whom `order` names now.
    // InvalidArgument when it is finished.
    [[nodiscard]] Result<void> reopenRun(std::string_view runId, std::string_view order);

    [[nodiscard]] Result<std::vector<RunOverview>> runs() const;  // newest first
    // By id, by the beginning of one (InvalidArgument when several runs have it), or "latest". The functions below take
    // ids in the same way. NotFound when there is no such run, or it is deleted.
    [[nodiscard]] Result<bench::RunRecord> run(std::string_view idOrPrefix) const;
    // Every run, oldest first; one at a time is in memory. One that cannot be read is passed over, and the first such
    // error is returned in the end.
    [[nodiscard]] Result<void> forEachRun(const std::function<void(const bench::RunRecord&)>& visit) const;
    // Newest run first, in the order of the run.
    [[nodiscard]] Result<std::vector<CaseOverview>> cases(const CaseFilter& filter) const;
    // Oldest first; an empty computer means all of them. Only cases that ended ok.
    [[nodiscard]] Result<std::vector<TrendPoint>> trend(std::string_view caseHash, std::string_view computer) const;
    [[nodiscard]] Result<void> setNote(std::string_view runId, std::string_view note);
    // Deletion can be taken back until purgeDeleted().
    [[nodiscard]] Result<void> remove(std::string_view runId);
    [[nodiscard]] Result<void> restore(std::string_view runId);
    // Deletes what is prunable(), all or nothing, in the same way; returns it.
    [[nodiscard]] Result<std::vector<RunOverview>> prune(const PruneRule& rule);
    // For good. What another process deleted stays while that process lives: its user may still take it back.
    [[nodiscard]] Result<void> purgeDeleted();
    // Purges, then makes the file as small as what it holds. Locked while a run is under way, which must neither wait
    // nor be disturbed, or while another process writes or reads. When it fails no run is lost but what was deleted.
    [[nodiscard]] Result<Compaction> compact();
    [[nodiscard]] std::int64_t bytes() const;  // of the file and its log

    // The document of bench::resultsToJson(), without host names; no ids means all runs, oldest first. Writing is
    // atomic (temporary file, rename).
    [[nodiscard]] Result<void> exportRuns(const std::vector<std::string>& ids, const std::filesystem::path& file) const;
    // Takes that document, or results of other programs (bench/imported/imported_results.h, CSV or JSON).
    // Returns the ids added; their origin becomes "imported". A run already present is skipped, one that was deleted
    // here is taken anew. The whole file is checked before the first row is written, and all rows are written or none.
    [[nodiscard]] Result<std::vector<std::string>> importRuns(const std::filesystem::path& file);

private:
    class Database;
    explicit HistoryStore(std::unique_ptr<Database> database);
    std::unique_ptr<Database> m_database;
};

// $XDG_DATA_HOME/steelyard/history.sqlite, or ~/.local/share/... The environment is passed in for tests.
[[nodiscard]] std::filesystem::path defaultHistoryFile(const char* xdgDataHome, const char* home);

}  // namespace steelyard::history
