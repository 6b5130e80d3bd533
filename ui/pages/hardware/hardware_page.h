// SPDX-License-Identifier: Apache-2.0
// Hardware: a drawing of the processor, all facts as detected, allowed and used, the graphics cards or why there are
// none, the backends, and the diagnostic report. GUI thread; owned by the main window.
#pragma once

#include <map>
#include <string>

#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QTableView;
class QPushButton;

namespace steelyard::ui {

class Card;
class RowsModel;
struct GpuCard;
class TopologyView;

class HardwarePage : public Page {
    Q_OBJECT

public:
    explicit HardwarePage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    // Exports the diagnostic report.
    bool exportContent() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void showProfile();
    void showCards();
    [[nodiscard]] Card* makeGpuCard(const GpuCard& gpu);
    [[nodiscard]] Card* makeBackendsCard();
    void previewReport(const QString& text);
    void fitTable();
    [[nodiscard]] QWidget* makeCorrection(QWidget* parent);
    void editFact(const QString& path);
    void useFact();
    void applyCorrections(const std::map<std::string, std::string>& corrections);
    [[nodiscard]] int columnsForWidth() const;

    WindowContext& m_context;
    TopologyView* m_topology = nullptr;
    QGridLayout* m_cards = nullptr;
    RowsModel* m_facts = nullptr;
    QTableView* m_table = nullptr;
    QPushButton* m_reportButton = nullptr;
    QLabel* m_factName = nullptr;
    QLineEdit* m_factValue = nullptr;
    QPushButton* m_useFact = nullptr;
    QPushButton* m_undoFact = nullptr;
    QString m_fact;  // path of the selected fact
    bool m_reportAsked = false;
    int m_columns = 0;  // of cards; 0: not laid out yet
};

}  // namespace steelyard::ui
