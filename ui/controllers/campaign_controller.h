// SPDX-License-Identifier: Apache-2.0
// Campaigns of the window: candidates of an advice that are measured where they are. A worker thread keeps them in the
// history and runs the engines' programs, so the window never waits; engines are asked again every few seconds as long
// as something is under way. The functions are given by the program (app/desktop) or a test, and are called in that
// thread, one at a time. GUI thread otherwise.
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

// What came of a step: the campaign as it is now, and what went wrong with some of its candidates.
struct CampaignStep {
    campaign::Campaign campaign;
    std::vector<Error> problems;
};

struct CampaignServices {
    using Cancelled = std::function<bool()>;
    // Newest first; none where there is no history yet.
    std::function<Result<std::vector<campaign::Campaign>>(const std::string& database)> list;
    // Gives a planned campaign its id, stores it and writes its task files.
    std::function<Result<campaign::Campaign>(const std::string& database, campaign::Campaign)> create;
    // Starts what can be launched.
    std::function<Result<CampaignStep>(const std::string& database, const std::string& id, Cancelled)> launch;
    // Asks the engines and collects results.
    std::function<Result<CampaignStep>(const std::string& database, const std::string& id, Cancelled)> refresh;
    // Its runs stay, and so do its files.
    std::function<Result<void>(const std::string& database, const std::string& id)> remove;
    // Whether the program of this engine is installed.
    std::function<bool(campaign::Engine)> isInstalled;
};

class CampaignController : public QObject {
    Q_OBJECT

public:
    explicit CampaignController(CampaignServices services, QObject* parent = nullptr);
    // Ends the engine's program that runs, and waits for it.
    ~CampaignController() override { m_isEnding = true; }

    // Newest first.
    [[nodiscard]] const std::vector<campaign::Campaign>& campaigns() const { return m_campaigns; }
    [[nodiscard]] const campaign::Campaign* find(const std::string& id) const;
    [[nodiscard]] bool isInstalled(campaign::Engine engine) const;
    // A step is under way.
    [[nodiscard]] bool isBusy() const { return m_steps > 0; }
    // Milliseconds from one question to the engines to the next.
    void setInterval(int milliseconds) { m_timer.setInterval(milliseconds); }

public slots:
    // The file of the history; changed follows.
    void open(const QString& database);
    // created follows.
    void create(const steelyard::campaign::Campaign& planned);
    void launch(const QString& id);
    void refresh(const QString& id);
    void remove(const QString& id);

signals:
    void changed();
    void created(const QString& id);
    // Results of a campaign came in: the history has new runs.
    void collected(const QString& id);
    // Of some candidates; the others go on.
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
    SerialWorker m_worker;  // ends first: its work reads m_isEnding
};

}  // namespace steelyard::ui
