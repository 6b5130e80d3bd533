// SPDX-License-Identifier: Apache-2.0
// A sensor reading beside the run: its name, current value and history (sparkline). Unknown is a dash. GUI thread.
#pragma once

#include <QWidget>
#include <deque>
#include <optional>

namespace steelyard::ui {

class Gauge : public QWidget {
    Q_OBJECT

public:
    explicit Gauge(const QString& name, QWidget* parent = nullptr);
    // One value per reading, oldest first; unset if unknown.
    void setReadings(const std::deque<std::optional<double>>& readings, const QString& now);
    // Fixed range of the scale; by default it follows the values.
    void setRange(double low, double high);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
    QString m_now;
    std::deque<std::optional<double>> m_readings;
    std::optional<double> m_low, m_high;
};

}  // namespace steelyard::ui
