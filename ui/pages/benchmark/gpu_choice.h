// SPDX-License-Identifier: Apache-2.0
// Selects how many GPUs share a case, and the kinds of scaling: --gpus and --scaling. GUI thread; part of the Benchmark
// page's form.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "engine/bench/multi_device/scaling_kind.h"

class QCheckBox;
class QHBoxLayout;

namespace steelyard::ui {

struct Preferences;

class GpuChoice : public QWidget {
    Q_OBJECT

public:
    explicit GpuChoice(QWidget* parent = nullptr);

    // Possible numbers of GPUs; empty, and without effect, on a computer with fewer than two GPUs.
    void setChoices(const std::vector<int>& numbers);
    // Restores the last selection where possible. Emits no signal.
    void restore(const Preferences& preferences);
    void store(Preferences& preferences) const;

    // In reading order, for the tab order.
    [[nodiscard]] std::vector<QWidget*> boxes() const;
    [[nodiscard]] bool hasChoices() const { return !m_counts.empty(); }
    [[nodiscard]] std::vector<int> counts() const;  // empty: each device measures separately
    // strong, weak, experiments; empty if all are checked, which is the default.
    [[nodiscard]] std::vector<bench::ScalingKind> scalings() const;
    // Several GPUs share cases, but no kind of scaling is checked.
    [[nodiscard]] bool lacksScaling() const;

signals:
    void changed();

private:
    void update();

    QHBoxLayout* m_row = nullptr;
    QWidget* m_kindsBox = nullptr;
    std::vector<std::pair<int, QCheckBox*>> m_counts;
    std::vector<std::pair<bench::ScalingKind, QCheckBox*>> m_kinds;
};

}  // namespace steelyard::ui
