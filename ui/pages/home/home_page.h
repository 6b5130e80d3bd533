// SPDX-License-Identifier: Apache-2.0
// Home: this computer, the result of the last run, and the primary button. GUI thread; owned by the main window.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace steelyard::ui {

class Banner;
class Card;
class ChartView;
class KeyFigureCard;
class LadderView;

class HomePage : public Page {
    Q_OBJECT

public:
    explicit HomePage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    void showRun(const std::optional<bench::RunRecord>& run);
    [[nodiscard]] const std::optional<bench::RunRecord>& run() const { return m_run; }

signals:
    // Run the first suite of the catalogue.
    void runRequested();
    // About the workload of the last run, or without one if there is none.
    void adviceRequested();

private:
    void build();
    [[nodiscard]] QWidget* makeHero(QWidget* parent);
    [[nodiscard]] QWidget* makePromises(QWidget* parent);
    void showMachine();
    void showProgress();
    void copyMarkdown();
    void copyPicture();

    WindowContext& m_context;
    std::optional<bench::RunRecord> m_run;
    QLabel* m_limits = nullptr;
    Banner* m_banner = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_runLine = nullptr;
    QPushButton* m_runButton = nullptr;
    QPushButton* m_resultsButton = nullptr;
    QPushButton* m_copyButton = nullptr;
    QWidget* m_body = nullptr;
    QProgressBar* m_progress = nullptr;
    std::vector<KeyFigureCard*> m_figures;
    Card* m_chartCard = nullptr;
    ChartView* m_chart = nullptr;
    LadderView* m_ladder = nullptr;
    QWidget* m_promises = nullptr;
};

}  // namespace steelyard::ui
