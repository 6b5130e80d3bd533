// SPDX-License-Identifier: Apache-2.0
// Campaigns of the window: recommended candidates measured on their machines. A worker thread stores them in the
// history and runs the workload managers' commands, so the window never blocks; they are polled every few seconds while
// a candidate is running. The services are provided by the program (app/desktop) or a test and called in that thread,
// one at a time. GUI thread otherwise.
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/core/error.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

// Result of a step: the updated campaign, and errors of some of its candidates.
struct CampaignStep {
    campaign::Campaign campaign;
    std::vector<Error> problems;
};

struct CampaignServices {
    using Cancelled = std::function<bool()>;
    // Newest first; empty if there is no history yet.
    std::function<Result<std::vector<campaign::Campaign>>(const std::string& database)> list;
    // Assigns an id to a planned campaign, stores it and writes its task files.
    std::function<Result<campaign::Campaign>(const std::string& database, campaign::Campaign)> create;
    // Starts all candidates that can be launched.
    std::function<Result<CampaignStep>(const std::string& database, const std::string& id, Cancelled)> launch;
    // Polls the workload managers and collects results.
    std::function<Result<CampaignStep>(const std::string& database, const std::string& id, Cancelled)> refresh;
    // Keeps its runs and files.
    std::function<Result<void>(const std::string& database, const std::string& id)> remove;
    // Whether the program of this workload manager is installed.
    std::function<bool(campaign::Engine)> isInstalled;
};

class CampaignController : public QObject {
    Q_OBJECT

public:
    explicit CampaignController(CampaignServices services, QObject* parent = nullptr);
    // Terminates the running command and waits for it.
    ~CampaignController() override { m_isEnding = true; }

    // Newest first.
    [[nodiscard]] const std::vector<campaign::Campaign>& campaigns() const { return m_campaigns; }
    [[nodiscard]] const campaign::Campaign* find(const std::string& id) const;
    [[nodiscard]] bool isInstalled(campaign::Engine engine) const;
    // A step is running.
    [[nodiscard]] bool isBusy() const { return m_steps > 0; }
    // Polling interval.
    void setInterval(int milliseconds) { m_timer.setInterval(milliseconds); }

public slots:
    // Opens a history file; emits changed.
    void open(const QString& database);
    // Emits created.
    void create(const steelyard::campaign::Campaign& planned);
    void launch(const QString& id);
    void refresh(const QString& id);
    void remove(const QString& id);

signals:
    void changed();
    void created(const QString& id);
    // New results were collected: the history has new runs.
    void collected(const QString& id);
    // Errors of some candidates; the others continue.
    void problemsFound(const std::vector<steelyard::Error>& problems);
    void failed(const steelyard::Error& error);

private:
    template <typename Value>
    void step(std::function<Result<Value>()> work, std::function<void(Value)> done);
    void take(CampaignStep result);
    void put(campaign::Campaign campaign);
    void refreshAll();

    CampaignServices m_services;
    std::string m_database;
    std::vector<campaign::Campaign> m_campaigns;
    QTimer m_timer;
    int m_steps = 0;
    std::atomic<bool> m_isEnding{false};
    SerialWorker m_worker;  // destroyed first: its work reads m_isEnding
};

}  // namespace steelyard::ui
