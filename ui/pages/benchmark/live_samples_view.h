// SPDX-License-Identifier: Apache-2.0
// Live samples of the current case: one dot each, the median as a line, its 95 % interval as a narrowing band. For
// watching, not for reading off values; those are in the accessible value. GUI thread.
#pragma once

#include <QWidget>
#include <deque>

#include "ui/controllers/run_progress.h"

namespace steelyard::ui {

class LiveSamplesView : public QWidget {
    Q_OBJECT

public:
    explicit LiveSamplesView(QWidget* parent = nullptr);
    void setSamples(const std::deque<LiveSample>& samples);
    // Shown while there are no samples.
    void setWaitingText(const QString& text);
    [[nodiscard]] QSize sizeHint() const override { return {480, 180}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintSamples(QPainter& painter, const QRectF& plot, double divisor);
    std::deque<LiveSample> m_samples;
    QString m_waiting;
};

}  // namespace steelyard::ui
