// SPDX-License-Identifier: Apache-2.0
// Studies: published tables of times and prices, first the 2017 cloud study, or tables of the user; sliders for time
// weight and prices, with the winner recomputed at once. GUI thread; owned by the main window.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "engine/advisor/study/study.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSlider;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace steelyard::ui {

class Card;
class ChartView;
class ElidedLabel;
class RowsModel;
class RowsProxy;
enum class ExportFormat;
struct ChartSpec;

class StudiesPage : public Page {
    Q_OBJECT

public:
    explicit StudiesPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    bool exportContent() override;
    void entered() override;
    // Opens a table of the user, or reports what is wrong with it.
    void openFile(const QString& file);

private:
    enum View { Winners, Time, Cost, Scatter, Variants, Figures };
    void buildHeader();
    QWidget* makeControls();
    QWidget* makeResults();
    QTableView* addTable(const char* name, const QString& accessibleName, int view);
    void showStudy(const std::filesystem::path& file);
    void fillControls();
    void weighAgain();
    void showView();
    void exportSpec(const ChartSpec& spec, ExportFormat format);

    WindowContext& m_context;
    std::optional<advisor::Study> m_study;
    advisor::StudyOptions m_options;
    std::optional<advisor::StudyReport> m_report;
    QComboBox* m_studies = nullptr;
    QSlider* m_weight = nullptr;
    QLabel* m_weightText = nullptr;
    QComboBox* m_baseline = nullptr;
    QComboBox* m_workload = nullptr;
    QLabel* m_workloadText = nullptr;
    QFormLayout* m_prices = nullptr;
    std::map<std::string, QDoubleSpinBox*> m_factors;
    QLabel* m_verdict = nullptr;
    QLabel* m_source = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    struct Table {
        RowsModel* rows = nullptr;
        RowsProxy* sorted = nullptr;
        QTableView* view = nullptr;
    };
    std::map<int, Table> m_tables;
    std::map<int, ChartView*> m_charts;
};

}  // namespace steelyard::ui
