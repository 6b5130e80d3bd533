// SPDX-License-Identifier: Apache-2.0
// "Is this machine sound?" on the Hardware page: one button, the progress, and a sentence per part. GUI thread; owned
// by the page.
#pragma once

#include "ui/pages/window_context.h"
#include "ui/widgets/basics.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace steelyard::ui {

class CheckCard : public Card {
    Q_OBJECT

public:
    explicit CheckCard(WindowContext& context, QWidget* parent = nullptr);

signals:
    void noticePosted(steelyard::ui::Tone tone, const QString& text);

private:
    void showState();
    void showProgress();
    void showParts();

    WindowContext& m_context;
    QPushButton* m_button = nullptr;
    QSpinBox* m_seconds = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_text = nullptr;
    QVBoxLayout* m_parts = nullptr;
};

}  // namespace steelyard::ui
