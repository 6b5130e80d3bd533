// SPDX-License-Identifier: Apache-2.0
// A current or finished run: case and phase, live samples, progress and remaining time, sensor readings, the log of
// finished cases. Draws from RunController::progress(), at most ten times per second. GUI thread; owned by the
// Benchmark page.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "engine/core/error.h"
#include "ui/pages/window_context.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace steelyard::ui {

class Badge;
class Card;
class ElidedLabel;
class Gauge;
class LiveSamplesView;
class RowsModel;

class RunView : public QWidget {
    Q_OBJECT

public:
    explicit RunView(WindowContext& context, QWidget* parent = nullptr);

signals:
    void stopRequested();
    void resultsRequested();
    void setupRequested();
    // For the remaining cases of a stopped run.
    void resumeRequested();

private:
    [[nodiscard]] Card* makeHeadCard();
    [[nodiscard]] Card* makeLiveCard();
    void makeGauges(Card* card);
    void runStarted();
    void runEnded(const QString& status);
    void runFailed(const Error& error);
    void fillLog();
    void refresh();
    void refreshGauges();
    void showButtons();

    WindowContext& m_context;
    QTimer m_timer;
    QLabel* m_heading = nullptr;
    ElidedLabel* m_case = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_remaining = nullptr;
    Badge* m_outcome = nullptr;
    QLabel* m_outcomeText = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_results = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_resume = nullptr;
    Card* m_liveCard = nullptr;
    QLabel* m_phases = nullptr;
    QLabel* m_interval = nullptr;
    LiveSamplesView* m_live = nullptr;
    QWidget* m_gaugeRow = nullptr;
    QPushButton* m_countersButton = nullptr;
    Gauge* m_load = nullptr;
    Gauge* m_clock = nullptr;
    Gauge* m_heat = nullptr;
    Gauge* m_memory = nullptr;
    Gauge* m_gpu = nullptr;
    RowsModel* m_log = nullptr;
    QTableView* m_logTable = nullptr;
    std::optional<Error> m_error;
};

}  // namespace steelyard::ui
