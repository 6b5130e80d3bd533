// SPDX-License-Identifier: Apache-2.0
// How many GPUs share a case, and which kinds of scaling are measured: the form's way to say --gpus and --scaling. GUI
// thread; a part of the Benchmark page's form.
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

    // The numbers to choose from; none on a computer with fewer than two GPUs, where nothing can be chosen.
    void setChoices(const std::vector<int>& numbers);
    // Ticks what was chosen last and can still be chosen. Says nothing about it.
    void restore(const Preferences& preferences);
    void store(Preferences& preferences) const;

    // As they are read, for the order of Tab.
    [[nodiscard]] std::vector<QWidget*> boxes() const;
    [[nodiscard]] bool hasChoices() const { return !m_counts.empty(); }
    [[nodiscard]] std::vector<int> counts() const;  // none: each device measures for itself
    // strong, weak, experiments; empty when all of them are ticked, which is what the program does unasked.
    [[nodiscard]] std::vector<bench::ScalingKind> scalings() const;
    // Several GPUs are to share cases, and no kind of scaling is ticked.
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
