// SPDX-License-Identifier: Apache-2.0
// Hardware: the processor drawn, every fact with what is detected, allowed and used, the graphics cards or why there is
// none, the backends, and the diagnostic report. GUI thread; owned by the main window.
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QGridLayout;
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
    // The diagnostic report is this page's export.
    bool exportContent() override;

private:
    void build();
    void showProfile();
    void showCards();
    [[nodiscard]] Card* makeGpuCard(const GpuCard& gpu);
    [[nodiscard]] Card* makeBackendsCard();
    void previewReport(const QString& text);
    void fitTable();

    WindowContext& m_context;
    TopologyView* m_topology = nullptr;
    QGridLayout* m_cards = nullptr;
    RowsModel* m_facts = nullptr;
    QTableView* m_table = nullptr;
    QPushButton* m_reportButton = nullptr;
    bool m_reportAsked = false;
};

}  // namespace steelyard::ui
