// SPDX-License-Identifier: Apache-2.0
// Access to the stored runs without blocking the window: a worker thread owns the HistoryStore (created by the given
// factory and used in that thread only), executes requests in order and posts results back. Signals arrive in the GUI
// thread. A failure is a signal with its Error; the list is unchanged.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "engine/history/history_store.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

using HistoryFactory = std::function<Result<std::unique_ptr<history::HistoryStore>>(const std::filesystem::path&)>;

class HistoryController : public QObject {
    Q_OBJECT

public:
    explicit HistoryController(HistoryFactory factory, QObject* parent = nullptr);
    ~HistoryController() override;  // waits for pending requests

    [[nodiscard]] const std::vector<history::RunOverview>& runs() const { return m_runs; }
    // The newest run with a result, or the newest if none has one; null without runs.
    [[nodiscard]] const history::RunOverview* newestWithResult() const;
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }  // file size when the list was read
    [[nodiscard]] bool isLoaded() const { return m_loaded; }      // the list was read at least once

public slots:
    void open(const QString& file);
    void refresh();
    // Only if the file changed since the list was read, for example because another program stored a run.
    void refreshIfChanged();
    // "latest" without runs does nothing and is no failure.
    void loadRun(const QString& id);
    void loadPair(const QString& base, const QString& other);
    void setNote(const QString& id, const QString& note);
    void remove(const QStringList& ids);
    void restore(const QStringList& ids);
    // Like remove(), for the runs that match the rule.
    void prune(const steelyard::history::PruneRule& rule);
    // Deleted runs can no longer be restored afterwards.
    void compact();
    void purgeDeleted();
    void exportRuns(const QStringList& ids, const QString& file);
    void importRuns(const QString& file);
    void loadTrend(const QString& caseHash, const QString& computer);

signals:
    void runsChanged();
    // The open file was moved or deleted: a new, empty one was created.
    void replaced(const QString& file);
    void runLoaded(const steelyard::bench::RunRecord& run);
    // `betweenRuns`: run-to-run variance on the base's computer (HistoryStore::spreadBetweenRuns).
    void pairLoaded(const steelyard::bench::RunRecord& base, const steelyard::bench::RunRecord& other,
                    const steelyard::bench::Variance& betweenRuns);
    void removed(const QStringList& ids);
    // From now on deleted runs cannot be restored.
    void compacting();
    void compacted(const steelyard::history::Compaction& compaction);
    void exported(const QString& file, int count);
    void imported(const QString& file, const QStringList& ids);
    void trendLoaded(const QString& caseHash, const std::vector<steelyard::history::TrendPoint>& points);
    void failed(const steelyard::Error& error);

private:
    class Worker;
    // Runs `work` on the store in the worker thread and `done` with its value here; an error becomes failed().
    template <typename Value>
    void ask(std::function<Result<Value>(history::HistoryStore&)> work, std::function<void(Value)> done);
    void tell(std::function<Result<void>(history::HistoryStore&)> work, std::function<void()> done);

    std::vector<history::RunOverview> m_runs;
    history::FileState m_state;  // of the file, before the list was read
    std::int64_t m_bytes = 0;
    bool m_loaded = false;
    std::unique_ptr<Worker> m_store;  // used in m_worker's thread only
    SerialWorker m_worker;            // destroyed first
};

}  // namespace steelyard::ui
