// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/language_memory_presenter.h"

#include <algorithm>

#include "ui/presenters/advice/language_text.h"

namespace steelyard::ui {
namespace {

constexpr std::size_t kMostCapacities = 5;
constexpr double kCapacityInSight = 1.4;  // relative to the largest bar

}  // namespace

ChartSpec LanguageMemoryPresenter::chart() const {
    ChartSpec chart;
    chart.kind = ChartKind::StackedBars;
    chart.title = tr("Memory");
    chart.y = {tr("Memory"), QStringLiteral("GiB"), ChartScale::Linear, {}};
    double largest = 0;
    const auto stack = [&](const std::vector<std::pair<QString, std::vector<double>>>& parts) {
        int colour = 0;
        for (const auto& [words, values] : parts) {
            ChartSeries series{words, colour++};
            for (const double bytes : values)
                series.points.push_back(LanguageText::predictedPoint(bytes / LanguageText::kGib));
            chart.series.push_back(std::move(series));
        }
    };
    if (m_answer.question.task == LanguageTask::FineTune) {
        const auto& tuning = m_answer.question.tuning;
        chart.subtitle =
            tr("fine-tuning %1 · steps of %2 tokens · estimated")
                .arg(plain(m_answer.job.model.spec.title), Format::integer(static_cast<std::int64_t>(tuning.tokens)));
        std::vector<std::pair<QString, std::vector<double>>> parts{{tr("base weights"), {}},
                                                                   {tr("trained weights and optimiser"), {}},
                                                                   {tr("activations"), {}},
                                                                   {tr("logits"), {}}};
        for (const auto& [one, memory] : m_answer.methods) {
            chart.categories << LanguageText::method(one);
            const double values[] = {memory.base, memory.optimiser, memory.activations, memory.logits};
            for (std::size_t i = 0; i < parts.size(); ++i) parts[i].second.push_back(values[i]);
            largest = std::max(largest, memory.total());
        }
        stack(parts);
    } else {
        chart.subtitle = tr("%1 · context of %2 tokens · estimated")
                             .arg(plain(m_answer.job.model.spec.title),
                                  Format::integer(static_cast<std::int64_t>(m_answer.job.context)));
        std::vector<std::pair<QString, std::vector<double>>> parts{
            {tr("weights"), {}}, {tr("cache"), {}}, {tr("working space"), {}}, {tr("driver"), {}}};
        for (const auto& [format, memory] : m_answer.formats) {
            chart.categories << plain(format);
            const double values[] = {memory.weights, memory.cache, memory.working, memory.context};
            for (std::size_t i = 0; i < parts.size(); ++i) parts[i].second.push_back(values[i]);
            largest = std::max(largest, memory.total());
        }
        stack(parts);
    }
    // Memory of devices: always this computer's, and as many others as are distinguishable.
    std::vector<MemoryCapacity> shown;
    for (const auto& one : m_answer.capacities)
        if (!one.own && one.bytes <= kCapacityInSight * largest) shown.push_back(one);
    const auto gap = [&](std::size_t i) { return shown[i].bytes / shown[i - 1].bytes; };
    while (shown.size() > kMostCapacities) {  // drop the one closest to its smaller neighbour
        std::size_t closest = 1;
        for (std::size_t i = 2; i < shown.size(); ++i)
            if (gap(i) < gap(closest)) closest = i;
        shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(closest));
    }
    for (const auto& one : shown)
        chart.references.push_back({QStringLiteral("%1, %2").arg(LanguageText::bytes(one.bytes), plain(one.name)),
                                    one.bytes / LanguageText::kGib});
    for (const auto& one : m_answer.capacities) {
        if (!one.own) continue;
        const auto label = one.name.empty()
                               ? tr("this computer's memory: %1").arg(LanguageText::bytes(one.bytes))
                               : tr("this computer's %2: %1").arg(LanguageText::bytes(one.bytes), plain(one.name));
        if (one.bytes <= kCapacityInSight * largest) {
            chart.references.push_back({label, one.bytes / LanguageText::kGib});
        } else {
            chart.subtitle += QStringLiteral(" · ") + label;
        }
    }
    return chart;
}

}  // namespace steelyard::ui
