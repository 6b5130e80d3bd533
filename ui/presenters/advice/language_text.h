// SPDX-License-Identifier: Apache-2.0
// Texts and cells shared by the presenters of answers about language models; their translations are in the context
// LanguagePresenter. Pure functions.
#pragma once

#include <QCoreApplication>
#include <optional>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/language_question.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class LanguageText {
    Q_DECLARE_TR_FUNCTIONS(LanguagePresenter)

public:
    static constexpr double kMillion = 1e6, kSecondsOfAnHour = 3600, kGib = 1024.0 * 1024 * 1024;

    // "Llama 3.1 8B as Q4_K_M"
    static QString model(const LanguageAnswer& answer);
    static QString method(advisor::FineTuning::Method method);
    static QString bytes(double bytes);
    static QString wait(double hours);
    static QString waitRange(const advisor::Interval& hours);
    // "this computer's processor", or the device's name.
    static QString deviceOf(const std::string& id, const std::string& name);

    // "llama.cpp CUDA"
    static QString software(const LanguageAnswer& answer, const std::string& id);

    static TableCell numberCell(const QString& text, double sortBy);
    static TableCell missingCell(const QString& reason = {});
    static TableCell countCell(const std::optional<double>& count);
    static TableCell fitsCell(bool fits, const QString& hover = {});
    static ChartPoint predictedPoint(double y);

    // Of serving or fine-tuning: "8 × H100", and the name of the offer.
    template <typename Offer>
    static QString hardware(const LanguageAnswer& answer, const Offer& offer) {
        const auto found = answer.deviceNames.find(offer.hardware);
        const auto title = found == answer.deviceNames.end() ? plain(offer.hardware) : plain(found->second);
        return offer.devices > 1
                   ? QStringLiteral("%1 × %2").arg(Format::integer(static_cast<int>(offer.devices)), title)
                   : title;
    }
    template <typename Offer>
    static QString name(const Offer& offer) {
        if (offer.kind == advisor::OfferKind::Api && offer.id.starts_with("api/own/")) return tr("your provider");
        if (offer.kind != advisor::OfferKind::Buy) return plain(offer.title);
        return offer.id.ends_with("+used") ? tr("%1, used").arg(plain(offer.title)) : plain(offer.title);
    }
    // With its device, if it is rented.
    template <typename Offer>
    static QString title(const LanguageAnswer& answer, const Offer& offer) {
        return offer.kind == advisor::OfferKind::Rent
                   ? QStringLiteral("%1, %2").arg(name(offer), hardware(answer, offer))
                   : name(offer);
    }
};

}  // namespace steelyard::ui
