// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/advice_question.h"
#include "ui/text/plain.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace steelyard::ui {
namespace {

constexpr double kMostCount = 1e12;

double numberIn(const QVariantMap& map, const char* key, double standard, double low, double high) {
    bool ok = false;
    const double value = map.value(QLatin1String(key)).toDouble(&ok);
    return ok && std::isfinite(value) ? std::clamp(value, low, high) : standard;
}

std::optional<double> limitIn(const QVariantMap& map, const char* key) {
    const double value = numberIn(map, key, 0, 0, kMostCount);
    return value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

QVariantMap toMap(const AdviceQuestion& q) {
    QStringList providers;
    for (const auto& provider : q.providers) providers << plain(provider);
    return {{QStringLiteral("workload"), plain(q.workload)},
            {QStringLiteral("mode"), plain(plan::toString(q.mode))},
            {QStringLiteral("batch"), qlonglong{q.batch}},
            {QStringLiteral("precision"), plain(plan::toString(q.precision))},
            {QStringLiteral("software"), plain(q.software)},
            {QStringLiteral("by_steps"), q.bySteps},
            {QStringLiteral("epochs"), q.epochs},
            {QStringLiteral("samples"), q.samples},
            {QStringLiteral("steps"), q.steps},
            {QStringLiteral("preset"), plain(q.preset)},
            {QStringLiteral("priority"), plain(advisor::toString(q.priority))},
            {QStringLiteral("time_weight"), q.timeWeight},
            {QStringLiteral("budget"), q.budgetUsd.value_or(0)},
            {QStringLiteral("deadline"), q.deadlineHours.value_or(0)},
            {QStringLiteral("spot"), q.spot},
            {QStringLiteral("own_computer"), q.ownComputer},
            {QStringLiteral("providers"), providers}};
}

AdviceQuestion adviceQuestionFrom(const QVariantMap& map) {
    AdviceQuestion q;
    const auto text = [&](const char* key) { return map.value(QLatin1String(key)).toString().toStdString(); };
    q.workload = text("workload");
    q.mode = plan::modeFromString(text("mode")).value_or(q.mode);
    q.batch = static_cast<std::int64_t>(numberIn(map, "batch", static_cast<double>(q.batch), 1, 1e6));
    q.precision = plan::precisionFromString(text("precision")).value_or(q.precision);
    if (!text("software").empty()) q.software = text("software");
    q.bySteps = map.value(QStringLiteral("by_steps"), q.bySteps).toBool();
    q.epochs = numberIn(map, "epochs", q.epochs, 1, 1e6);
    q.samples = numberIn(map, "samples", q.samples, 1, kMostCount);
    q.steps = numberIn(map, "steps", q.steps, 1, kMostCount);
    q.preset = text(map.contains(QStringLiteral("preset")) ? "preset" : "persona");  // "persona": in older settings
    q.priority = advisor::priorityFromString(text("priority")).value_or(q.priority);
    q.timeWeight = numberIn(map, "time_weight", q.timeWeight, 0, 10);
    q.budgetUsd = limitIn(map, "budget");
    q.deadlineHours = limitIn(map, "deadline");
    q.spot = map.value(QStringLiteral("spot"), q.spot).toBool();
    q.ownComputer = map.value(QStringLiteral("own_computer"), q.ownComputer).toBool();
    for (const auto& provider : map.value(QStringLiteral("providers")).toStringList())
        q.providers.push_back(provider.toStdString());
    return q;
}

AdviceQuestion withUsual(AdviceQuestion question, const AdviceWorkload& workload, const advisor::UsualJob& usual) {
    question.workload = workload.id;
    question.mode = usual.mode;
    question.batch = usual.batch;
    question.precision = usual.precision;
    question.software = usual.software;
    question.bySteps = false;
    question.epochs = usual.epochs;
    question.samples = usual.samples.value_or(AdviceQuestion().samples);
    return question;
}

AdviceQuestion withPreset(AdviceQuestion question, const advisor::Preset& preset) {
    advisor::AdviceRequest filled;
    apply(preset, filled);
    question.preset = preset.id;
    question.priority = filled.priority;
    question.timeWeight = filled.timeWeight;
    question.budgetUsd = filled.budgetUsd;
    question.deadlineHours = filled.deadlineHours;
    question.spot = filled.spot;
    return question;
}

const AdviceWorkload* AdviceOptions::find(const std::string& id) const {
    const auto found =
        std::find_if(workloads.begin(), workloads.end(), [&](const AdviceWorkload& one) { return one.id == id; });
    return found == workloads.end() ? nullptr : &*found;
}

}  // namespace steelyard::ui
