// SPDX-License-Identifier: Apache-2.0
// Benchmark: select what to run, watch it, stop it. Two views, one at a time. GUI thread; owned by the main window; the
// run belongs to the controller and continues on any page.
#pragma once

#include <optional>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/hardware/system/preflight.h"
#include "ui/controllers/run_estimate.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QStackedWidget;
class QTimer;

namespace steelyard::ui {

class Banner;
class RunSetupView;
class RunView;

class BenchmarkPage : public Page {
    Q_OBJECT

public:
    explicit BenchmarkPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    void entered() override;
    // Starts the selection, if possible.
    void startChosen();
    // Starts the catalogue's first suite, regardless of the selection, once there is a catalogue.
    void startFirstSuite();
    // Repeats a stored run: at once if it was a suite or a single case, otherwise as a selection in the form.
    void runAgain(const bench::RunRecord& run);

private:
    void startUnlessBusy(const std::vector<hardware::PreflightWarning>& warnings);
    void makeBanners();
    // Looks at the load again and again, until the run of m_later can start.
    void waitUntilIdle();
    void waitNoLonger();

    WindowContext& m_context;
    QStackedWidget* m_stack = nullptr;
    RunSetupView* m_setup = nullptr;
    RunView* m_view = nullptr;
    bool m_wantsFirstSuite = false;
    std::optional<bench::RunRequest> m_wanted;  // starts unless other programs are running
    std::optional<bench::RunRequest> m_later;   // was not started, since they are
    Banner* m_notStarted = nullptr;
    Banner* m_waiting = nullptr;
    QTimer* m_idleTimer = nullptr;  // runs while waiting
};

}  // namespace steelyard::ui
