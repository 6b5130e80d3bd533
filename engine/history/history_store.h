// SPDX-License-Identifier: Apache-2.0
// The stored runs: one SQLite file (WAL, foreign keys on, numbered migrations). An object owns one connection and is
// used from one thread; several processes may open the same file. Every finished case is committed separately, so a
// killed run keeps its finished cases. A refused file is not modified, and the error kind gives the reason: CorruptData
// (not a database, damaged, or with triggers or views, which this program never creates), InvalidArgument (another
// application's database), VersionTooNew, PermissionDenied (not readable), Locked, DiskFull. A file that is readable
// but not writable is opened read-only: changes are PermissionDenied or DiskFull. A query that exceeds
// OpenOptions::timeout is TimedOut.
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

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"
#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace steelyard::history {

// A row in the list of runs, without samples.
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
    std::int64_t disturbedCount = 0;            // of the successful ones: bench::wasDisturbed()
    bool resumable = false;                     // unfinished, measured here, with a stored plan
    std::optional<std::int64_t> plannedCount;   // requested cases; unknown for imported runs
    std::optional<std::int64_t> stoppedUnixMs;  // stopped by the user; can be resumed
    bool underWay = false;                      // is being measured by a running process on this computer

    // Cases with a result or a failure, excluding the one in progress when a run was stopped.
    [[nodiscard]] std::int64_t doneCount() const { return okCount + failedCount; }

    friend bool operator==(const RunOverview&, const RunOverview&) = default;
};

// One case at one point in time, for trends.
struct TrendPoint {
    std::string runId;
    std::int64_t startedUnixMs = 0;
    double medianSeconds = 0;
    std::optional<double> ci95Low, ci95High;  // only with visits: not set in records of earlier versions
    std::optional<double> roundTripSeconds;   // state of the machine (Figure::main), if it could be measured
    std::optional<double> otherStateSeconds;  // median in the next most frequent state, if any
    bool disturbed = false;                   // bench::wasDisturbed
};

// A row in a list of cases, without samples and sensor readings.
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

// How much of a case is read. Summaries omit samples and sensor readings, which make up most of the file.
enum class Detail { Everything, Summaries };

inline constexpr std::size_t kSpreadRuns = 30;

// Detects changes of a history: sizes and times of the file and its WAL. Equal: nothing was written in between.
struct FileState {
    struct Part {
        std::int64_t bytes = 0;  // 0 also if there is no such file
        std::filesystem::file_time_type written;

        friend bool operator==(const Part&, const Part&) = default;
    };
    Part file, log;

    friend bool operator==(const FileState&, const FileState&) = default;
};
[[nodiscard]] FileState stateOf(const std::filesystem::path& file);

// Members that are not set do not filter.
struct CaseFilter {
    std::optional<std::string> runId;  // as in run()
    std::optional<std::string> computer;
    std::optional<std::string> workload;
    std::optional<std::string> hash;
    std::optional<bench::Status> status;
};

// Selects runs for pruning: those beyond the newest `keepNewest`, and those that started before a given time; with
// both, a run is pruned only if both apply; with neither, none is.
struct PruneRule {
    std::optional<std::int64_t> keepNewest;
    std::optional<std::int64_t> startedBeforeUnixMs;
};

// The subset of `runs` (newest first) to be pruned. Runs with a note and runs in progress are kept.
[[nodiscard]] std::vector<RunOverview> prunable(const std::vector<RunOverview>& runs, const PruneRule& rule);

// Bytes of the file and its WAL.
struct Compaction {
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
};

struct OpenOptions {
    std::chrono::milliseconds busyTimeout{5000};  // wait for another writer before Locked
    std::optional<std::int64_t> maximumBytes;     // size limit of the file; writes beyond it fail with DiskFull
    bool create = true;                           // false: NotFound if there is no file
    std::chrono::milliseconds timeout{300'000};   // for each of the functions below, except compact()
};

// Writing to a file that has been moved or deleted is IoFailed.
class HistoryStore {
public:
    // Opens or creates the file (0600) and its folder (0700) and migrates it to the current schema.
    [[nodiscard]] static Result<std::unique_ptr<HistoryStore>> open(const std::filesystem::path& file,
                                                                    const OpenOptions& options = {});
    ~HistoryStore();
    // The file, its folder or the disk is not writable.
    [[nodiscard]] bool isReadOnly() const;
    // The file has been moved or deleted: reading returns its last content, writing fails.
    [[nodiscard]] bool wasMoved() const;
    HistoryStore(const HistoryStore&) = delete;
    HistoryStore& operator=(const HistoryStore&) = delete;

    // Also stores run.records, if any. The id must be new (InvalidArgument otherwise), also among deleted runs. `order`
    // is the plan for resuming: the text that orderOf() returns (bench::toJson of a RunSpec).
    [[nodiscard]] Result<void> beginRun(const bench::RunRecord& run, std::string_view order = {});
    [[nodiscard]] Result<void> addRecord(std::string_view runId, const bench::CaseRecord& record);
    // Replaces the record of the same case, after another visit; appends it if the run has none.
    [[nodiscard]] Result<void> putRecord(std::string_view runId, const bench::CaseRecord& record);
    [[nodiscard]] Result<void> finishRun(std::string_view runId, std::int64_t finishedUnixMs);
    // Marks it as stopped by the user.
    [[nodiscard]] Result<void> stopRun(std::string_view runId, std::int64_t stoppedUnixMs);

    // Empty if the run was stored without one (imported, or by an earlier version).
    [[nodiscard]] Result<std::string> orderOf(std::string_view runId) const;
    // Removes the cancelled cases of an unfinished run, to be measured again as given by `order`. InvalidArgument if it
    // is finished.
    [[nodiscard]] Result<void> reopenRun(std::string_view runId, std::string_view order);

    [[nodiscard]] Result<std::vector<RunOverview>> runs() const;  // newest first
    // By id, a unique id prefix (InvalidArgument if ambiguous), or "latest". The functions below accept ids in the same
    // way. NotFound if there is no such run, or it is deleted.
    [[nodiscard]] Result<bench::RunRecord> run(std::string_view idOrPrefix, Detail detail = Detail::Everything) const;
    // Every run, oldest first, one at a time in memory. Unreadable runs are skipped, and the first such error is
    // returned at the end.
    [[nodiscard]] Result<void> forEachRun(const std::function<void(const bench::RunRecord&)>& visit,
                                          Detail detail = Detail::Everything) const;
    // The newest `most` runs measured on a computer, without samples. Unreadable ones are skipped.
    [[nodiscard]] Result<std::vector<bench::RunRecord>> recentRuns(std::string_view computer, std::size_t most) const;
    // Run-to-run variation of a case on this computer, from its newest kSpreadRuns runs.
    [[nodiscard]] Result<bench::Variance> spreadBetweenRuns(std::string_view computer) const;
    // Newest run first, cases in the order of the run.
    [[nodiscard]] Result<std::vector<CaseOverview>> cases(const CaseFilter& filter) const;
    // Oldest first; an empty computer means all of them. Successful cases only.
    [[nodiscard]] Result<std::vector<TrendPoint>> trend(std::string_view caseHash, std::string_view computer) const;
    [[nodiscard]] Result<void> setNote(std::string_view runId, std::string_view note);
    // Deletion can be undone until purgeDeleted().
    [[nodiscard]] Result<void> remove(std::string_view runId);
    [[nodiscard]] Result<void> restore(std::string_view runId);
    // Deletes the prunable() runs, all or nothing, likewise undoable; returns them.
    [[nodiscard]] Result<std::vector<RunOverview>> prune(const PruneRule& rule);
    // Permanently. Runs deleted by another running process are kept: the deletion may still be undone there.
    [[nodiscard]] Result<void> purgeDeleted();
    // Purges, then shrinks the file (VACUUM). Locked while a run is in progress, which must not be disturbed, or while
    // another process reads or writes. If it fails, only deleted runs are lost.
    [[nodiscard]] Result<Compaction> compact();
    [[nodiscard]] std::int64_t bytes() const;  // of the file and its log

    // Stores a new campaign, or an updated state of one: candidates are matched by id, and none is removed. The runs of
    // a candidate are those of collectRuns(), not Candidate::runIds. Forecasts are immutable: InvalidArgument if the
    // update has a different one for its candidate, or another question.
    [[nodiscard]] Result<void> putCampaign(const campaign::Campaign& campaign);
    // By id, a unique id prefix, or "latest"; NotFound, or InvalidArgument if ambiguous.
    [[nodiscard]] Result<campaign::Campaign> campaign(std::string_view idOrPrefix) const;
    [[nodiscard]] Result<std::vector<campaign::Campaign>> campaigns() const;  // newest first
    [[nodiscard]] Result<void> removeCampaign(std::string_view id);           // its runs are kept
    // Stores the runs returned by a candidate, as imported, and links them to it; all or none. Runs already stored are
    // skipped; CorruptData if their figures differ from the stored ones. Returns the ids of the new runs.
    [[nodiscard]] Result<std::vector<std::string>> collectRuns(std::string_view campaignId, std::string_view candidate,
                                                               std::vector<bench::RunRecord> runs);

    // The document of bench::resultsToJson(), without host names; no ids means all runs, oldest first. Writes
    // atomically (temporary file, rename).
    [[nodiscard]] Result<void> exportRuns(const std::vector<std::string>& ids, const std::filesystem::path& file) const;
    // Accepts that document, or results of other programs (bench/imported/imported_results.h, CSV or JSON). Returns the
    // ids added; their origin becomes "imported". Runs already present are skipped; deleted ones are imported again.
    // The whole file is validated before the first row is written, and all rows are written or none.
    [[nodiscard]] Result<std::vector<std::string>> importRuns(const std::filesystem::path& file);

private:
    class Database;
    explicit HistoryStore(std::unique_ptr<Database> database);
    std::unique_ptr<Database> m_database;
};

// $XDG_DATA_HOME/steelyard/history.sqlite, or ~/.local/share/... The environment is passed in for tests.
[[nodiscard]] std::filesystem::path defaultHistoryFile(const char* xdgDataHome, const char* home);

}  // namespace steelyard::history
