// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/language_text.h"

#include <algorithm>

namespace steelyard::ui {

QString LanguageText::model(const LanguageAnswer& answer) {
    return tr("%1 as %2", "model, format of its weights")
        .arg(plain(answer.job.model.spec.title), plain(answer.job.weights->title));
}

QString LanguageText::method(advisor::FineTuning::Method method) {
    using Method = advisor::FineTuning::Method;
    switch (method) {
        case Method::Full:
            return tr("all weights, mixed precision");
        case Method::FullBf16:
            return tr("all weights, bf16");
        case Method::Lora:
            return QStringLiteral("LoRA");
        case Method::Qlora:
            return QStringLiteral("QLoRA");
    }
    return {};
}

QString LanguageText::bytes(double bytes) {
    return Format::bytes(static_cast<std::int64_t>(std::clamp(bytes, 0.0, 9.2e18)));
}

QString LanguageText::wait(double hours) {
    return Format::wait(hours * kSecondsOfAnHour);
}

QString LanguageText::waitRange(const advisor::Interval& hours) {
    return Format::waitRangeBeside(hours.median * kSecondsOfAnHour, hours.low * kSecondsOfAnHour,
                                   hours.high * kSecondsOfAnHour);
}

QString LanguageText::deviceOf(const std::string& id, const std::string& name) {
    return id == "own/cpu" ? tr("this computer's processor") : plain(name);
}

QString LanguageText::software(const LanguageAnswer& answer, const std::string& id) {
    const auto found = answer.softwareNames.find(id);
    return plain(found == answer.softwareNames.end() ? id : found->second);
}

TableCell LanguageText::numberCell(const QString& text, double sortBy) {
    return {text, {}, sortBy, {}};
}

TableCell LanguageText::missingCell(const QString& reason) {
    return {Format::unknown(), reason, {}, {}};
}

TableCell LanguageText::countCell(const std::optional<double>& count) {
    if (!count) return missingCell();
    return numberCell(Format::integer(static_cast<std::int64_t>(std::min(*count, 1e15))), *count);
}

TableCell LanguageText::fitsCell(bool fits, const QString& hover) {
    return {fits ? tr("yes") : tr("no"), hover, fits ? 1.0 : 0.0, fits ? Tone::Good : Tone::Bad};
}

ChartPoint LanguageText::predictedPoint(double y) {
    ChartPoint point;
    point.basis = Basis::Predicted;
    point.y = y;
    return point;
}

}  // namespace steelyard::ui
