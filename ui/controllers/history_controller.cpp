// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/history_controller.h"

#include <algorithm>

#include "engine/bench/compare/run_comparison.h"
#include "engine/core/messages/app.h"

namespace steelyard::ui {
namespace {

std::vector<std::string> plain(const QStringList& texts) {
    std::vector<std::string> result;
    for (const auto& text : texts) result.push_back(text.toStdString());
    return result;
}

}  // namespace

// The store, in the worker's thread.
class HistoryController::Worker {
public:
    explicit Worker(HistoryFactory factory) : m_factory(std::move(factory)) {}

    Result<void> open(const std::filesystem::path& file) {
        m_file = file;
        m_store.reset();
        auto opened = m_factory(file);
        if (!opened) {
            m_error = opened.error();
            return Failure(opened.error());
        }
        m_store = std::move(*opened);
        return {};
    }

    // If the file was deleted or replaced, reads would be outdated and writes lost: follow the path. A file that could
    // not be opened is tried again.
    [[nodiscard]] history::HistoryStore* store() {
        const bool moved = m_store && m_store->wasMoved();
        if ((moved || (!m_store && !m_file.empty())) && open(m_file) && moved) onReplaced(m_file);
        return m_store.get();
    }
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    std::function<void(const std::filesystem::path&)> onReplaced;
    // Why there is no store.
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    HistoryFactory m_factory;
    std::filesystem::path m_file;
    std::unique_ptr<history::HistoryStore> m_store;
    Error m_error{ErrorKind::NotFound, "history", app::messages::noDatabase(), {}, {}, {}};
};

HistoryController::HistoryController(HistoryFactory factory, QObject* parent)
    : QObject(parent), m_store(std::make_unique<Worker>(std::move(factory))) {
    m_store->onReplaced = [this](const std::filesystem::path& file) {
        QMetaObject::invokeMethod(
            this,
            [this, file] {
                refresh();
                emit replaced(QString::fromStdString(file.string()));
            },
            Qt::QueuedConnection);
    };
}

HistoryController::~HistoryController() = default;

template <typename Value>
void HistoryController::ask(std::function<Result<Value>(history::HistoryStore&)> work,
                            std::function<void(Value)> done) {
    m_worker.run(
        this,
        [store = m_store.get(), work = std::move(work)] {
            return store->store() ? work(*store->store()) : Result<Value>(Failure(store->error()));
        },
        [this, done = std::move(done)](Result<Value> result) {
            if (result) {
                done(std::move(*result));
            } else {
                emit failed(result.error());
            }
        });
}

void HistoryController::tell(std::function<Result<void>(history::HistoryStore&)> work, std::function<void()> done) {
    ask<bool>(
        [work = std::move(work)](history::HistoryStore& store) -> Result<bool> {
            TRY(work(store));
            return true;
        },
        [done = std::move(done)](bool) { done(); });
}

void HistoryController::open(const QString& file) {
    m_worker.run(
        this, [store = m_store.get(), path = std::filesystem::path(file.toStdString())] { return store->open(path); },
        [this](const Result<void>& opened) {
            if (opened) return;
            m_runs.clear();
            m_bytes = 0;
            m_loaded = true;
            emit runsChanged();
            emit failed(opened.error());
        });
    refresh();
}

void HistoryController::refresh() {
    struct Listed {
        Result<std::vector<history::RunOverview>> runs;
        std::int64_t bytes = 0;
        history::FileState state;
    };
    m_worker.run(
        this,
        [store = m_store.get()]() -> std::optional<Listed> {
            if (!store->store()) return std::nullopt;  // open() has reported the reason
            const auto state = history::stateOf(store->file());
            return Listed{store->store()->runs(), store->store()->bytes(), state};
        },
        [this](std::optional<Listed> listed) {
            if (!listed) return;
            if (!listed->runs) {
                emit failed(listed->runs.error());
                return;
            }
            m_runs = std::move(*listed->runs);
            m_bytes = listed->bytes;
            m_state = listed->state;
            m_loaded = true;
            emit runsChanged();
        });
}

const history::RunOverview* HistoryController::newestWithResult() const {
    const auto found = std::ranges::find_if(m_runs, [](const auto& run) { return run.okCount > 0; });
    if (found != m_runs.end()) return &*found;
    return m_runs.empty() ? nullptr : &m_runs.front();
}

void HistoryController::refreshIfChanged() {
    m_worker.run(
        this, [store = m_store.get()] { return history::stateOf(store->file()); },
        [this](const history::FileState& state) {
            if (m_loaded && state != m_state) refresh();
        });
}

void HistoryController::loadRun(const QString& id) {
    using Loaded = std::optional<bench::RunRecord>;
    ask<Loaded>(
        [id = id.toStdString()](history::HistoryStore& store) -> Result<Loaded> {
            auto run = store.run(id);
            if (run) return Loaded(std::move(*run));
            if (id == "latest" && run.error().kind == ErrorKind::NotFound) return Loaded();
            return Failure(run.error());
        },
        [this](const Loaded& run) {
            if (run) emit runLoaded(*run);
        });
}

void HistoryController::loadPair(const QString& base, const QString& other) {
    struct Pair {
        bench::RunRecord base, other;
        bench::Variance betweenRuns;
    };
    ask<Pair>(
        [base = base.toStdString(), other = other.toStdString()](history::HistoryStore& store) -> Result<Pair> {
            ASSIGN(auto first, store.run(base));
            ASSIGN(auto second, store.run(other));
            bench::Variance spread;
            if (bench::needsRunSpread(first, second)) {
                ASSIGN(spread, store.spreadBetweenRuns(first.computer));
            }
            return Pair{std::move(first), std::move(second), spread};
        },
        [this](const Pair& pair) { emit pairLoaded(pair.base, pair.other, pair.betweenRuns); });
}

void HistoryController::setNote(const QString& id, const QString& note) {
    tell([id = id.toStdString(),
          note = note.toStdString()](history::HistoryStore& store) { return store.setNote(id, note); },
         [this] { refresh(); });
}

void HistoryController::remove(const QStringList& ids) {
    tell(
        [ids = plain(ids)](history::HistoryStore& store) -> Result<void> {
            for (const auto& id : ids) {
                if (auto result = store.remove(id); !result) return result;
            }
            return {};
        },
        [this, ids] {
            refresh();
            emit removed(ids);
        });
}

void HistoryController::restore(const QStringList& ids) {
    tell(
        [ids = plain(ids)](history::HistoryStore& store) -> Result<void> {
            for (const auto& id : ids) {
                if (auto result = store.restore(id); !result) return result;
            }
            return {};
        },
        [this] { refresh(); });
}

void HistoryController::prune(const history::PruneRule& rule) {
    using Runs = std::vector<history::RunOverview>;
    ask<Runs>([rule](history::HistoryStore& store) { return store.prune(rule); },
              [this](const Runs& pruned) {
                  QStringList ids;
                  for (const auto& run : pruned) ids << QString::fromStdString(run.id);
                  refresh();
                  if (!ids.isEmpty()) emit removed(ids);
              });
}

void HistoryController::compact() {
    emit compacting();
    ask<history::Compaction>([](history::HistoryStore& store) { return store.compact(); },
                             [this](const history::Compaction& compaction) {
                                 refresh();
                                 emit compacted(compaction);
                             });
}

void HistoryController::purgeDeleted() {
    tell([](history::HistoryStore& store) { return store.purgeDeleted(); }, [] {});
}

void HistoryController::exportRuns(const QStringList& ids, const QString& file) {
    tell([ids = plain(ids),
          file = file.toStdString()](history::HistoryStore& store) { return store.exportRuns(ids, file); },
         [this, file, count = static_cast<int>(ids.size())] { emit exported(file, count); });
}

void HistoryController::importRuns(const QString& file) {
    using Ids = std::vector<std::string>;
    ask<Ids>([file = file.toStdString()](history::HistoryStore& store) { return store.importRuns(file); },
             [this, file](const Ids& ids) {
                 QStringList added;
                 for (const auto& id : ids) added << QString::fromStdString(id);
                 refresh();
                 emit imported(file, added);
             });
}

void HistoryController::loadTrend(const QString& caseHash, const QString& computer) {
    using Points = std::vector<history::TrendPoint>;
    ask<Points>([hash = caseHash.toStdString(),
                 host = computer.toStdString()](history::HistoryStore& store) { return store.trend(hash, host); },
                [this, caseHash](const Points& points) { emit trendLoaded(caseHash, points); });
}

}  // namespace steelyard::ui
