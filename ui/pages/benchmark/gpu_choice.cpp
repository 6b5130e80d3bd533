// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/gpu_choice.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/settings/preferences.h"
#include "ui/text/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

QString nameOf(bench::ScalingKind kind) {
    return QString::fromLatin1(bench::toString(kind));
}

}  // namespace

GpuChoice::GpuChoice(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 2);
    layout->setSpacing(0);
    m_row = new QHBoxLayout;
    m_row->setSpacing(spacing::kGap);
    layout->addLayout(m_row);
    m_kindsBox = new QWidget(this);
    auto* kinds = new QVBoxLayout(m_kindsBox);
    kinds->setContentsMargins(0, 0, 0, 0);
    kinds->setSpacing(0);
    const auto add = [&](bench::ScalingKind kind, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text, m_kindsBox);
        box->setObjectName(QStringLiteral("scalingBox_%1").arg(nameOf(kind)));
        box->setToolTip(tip);
        kinds->addWidget(box);
        m_kinds.emplace_back(kind, box);
        connect(box, &QCheckBox::toggled, this, &GpuChoice::changed);
    };
    add(bench::ScalingKind::Strong, tr("strong scaling"), tr("The GPUs share the batch: how much sooner is it done?"));
    add(bench::ScalingKind::Weak, tr("weak scaling"),
        tr("Each GPU takes a whole batch: how much more is done in the same time?"));
    add(bench::ScalingKind::Experiments, tr("experiments side by side"),
        tr("Each GPU runs its own steps: the alternative to splitting a case."));
    layout->addWidget(m_kindsBox);
    connect(this, &GpuChoice::changed, this, &GpuChoice::update);
}

void GpuChoice::setChoices(const std::vector<int>& numbers) {
    clearLayout(m_row);
    m_counts.clear();
    for (const int number : numbers) {
        auto* box = new QCheckBox(Format::integer(number), this);
        box->setObjectName(QStringLiteral("gpusBox_%1").arg(number));
        box->setAccessibleName(tr("%n GPU(s) together", nullptr, number));
        box->setToolTip(tr("Times each case on that many GPUs. Devices, threads and real data are then left aside."));
        m_row->addWidget(box);
        m_counts.emplace_back(number, box);
        connect(box, &QCheckBox::toggled, this, &GpuChoice::changed);
    }
    m_row->addStretch(1);
    update();
}

void GpuChoice::restore(const Preferences& preferences) {
    const QSignalBlocker blocker(this);
    for (const auto& [number, box] : m_counts) box->setChecked(preferences.gpus.contains(QString::number(number)));
    for (const auto& [kind, box] : m_kinds) box->setChecked(preferences.scalings.contains(nameOf(kind)));
    update();
}

void GpuChoice::store(Preferences& preferences) const {
    if (!hasChoices()) return;  // keep the settings for another computer's GPUs
    preferences.gpus.clear();
    for (const int number : counts()) preferences.gpus << QString::number(number);
    preferences.scalings.clear();
    for (const auto& [kind, box] : m_kinds)
        if (box->isChecked()) preferences.scalings << nameOf(kind);
}

std::vector<QWidget*> GpuChoice::boxes() const {
    std::vector<QWidget*> result;
    for (const auto& count : m_counts) result.push_back(count.second);
    for (const auto& kind : m_kinds) result.push_back(kind.second);
    return result;
}

std::vector<int> GpuChoice::counts() const {
    std::vector<int> result;
    for (const auto& [number, box] : m_counts)
        if (box->isChecked()) result.push_back(number);
    return result;
}

std::vector<bench::ScalingKind> GpuChoice::scalings() const {
    std::vector<bench::ScalingKind> result;
    for (const auto& [kind, box] : m_kinds)
        if (box->isChecked()) result.push_back(kind);
    return result.size() == m_kinds.size() ? std::vector<bench::ScalingKind>() : result;
}

bool GpuChoice::lacksScaling() const {
    const auto numbers = counts();
    const bool several = std::any_of(numbers.begin(), numbers.end(), [](int number) { return number > 1; });
    return several &&
           std::none_of(m_kinds.begin(), m_kinds.end(), [](const auto& kind) { return kind.second->isChecked(); });
}

void GpuChoice::update() {
    const auto numbers = counts();
    m_kindsBox->setEnabled(std::any_of(numbers.begin(), numbers.end(), [](int number) { return number > 1; }));
}

}  // namespace steelyard::ui
