// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/fit_presenter.h"

#include <algorithm>

#include "ui/presenters/advice/language_text.h"
#include "ui/text/message_text.h"

namespace steelyard::ui {
namespace {

using advisor::Fits;
using advisor::LanguagePrediction;

}  // namespace

QString FitPresenter::verdict() const {
    const auto& devices = m_answer.devices;
    const auto fits = [](const LanguagePrediction& one) { return one.fits == Fits::Yes; };
    const auto count = std::count_if(devices.begin(), devices.end(), fits);
    // The driver also needs memory of a card; shared memory already excludes that of the system.
    const auto most = LanguageText::bytes(m_answer.memory.total());
    const auto least = LanguageText::bytes(m_answer.memory.total() - m_answer.memory.context);
    const auto context = Format::integer(static_cast<std::int64_t>(m_answer.job.context));
    const auto need = tr("%1 needs %2 at a context of %3 tokens, %4 on a graphics card.")
                          .arg(LanguageText::model(m_answer), least, context, most);
    const LanguagePrediction* smallest = nullptr;
    for (const auto& one : devices)
        if (fits(one) && (smallest == nullptr || *one.availableBytes < *smallest->availableBytes)) smallest = &one;
    if (smallest == nullptr) return need + QLatin1Char(' ') + tr("No device in the catalogue holds it alone.");
    return need + QLatin1Char(' ') +
           tr("It fits on %1 of %2 devices; the smallest is %3.")
               .arg(Format::integer(count), Format::integer(static_cast<std::int64_t>(devices.size())),
                    LanguageText::deviceOf(smallest->id, smallest->name));
}

void FitPresenter::addSpeed(TableRow& row, const LanguagePrediction& one) {
    const auto& speed = one.tokensPerSecond;
    if (one.fits == Fits::Yes && one.hasSpeed()) {
        auto cell = LanguageText::numberCell(Format::number(speed.median), speed.median);
        if (one.basis == advisor::Basis::Measured) cell.hover = tr("measured on this computer");
        if (one.basis == advisor::Basis::Anchored)
            cell.hover = tr("predicted from other language models measured on this computer");
        row.cells.push_back(std::move(cell));
        row.cells.push_back(LanguageText::numberCell(Format::range(speed.low, speed.high), speed.median));
        return;
    }
    const auto why = one.hasSpeed() ? tr("does not fit") : MessageText::text(advisor::messageOf(one.refusal));
    row.cells.insert(row.cells.end(), 2, LanguageText::missingCell(why));
}

void FitPresenter::addPromptSpeed(TableRow& row, const LanguagePrediction& one) const {
    // The prompt of one sequence needs no more memory than the question's sequences.
    const auto prompt = m_answer.prompts.find(one.id);
    if (prompt != m_answer.prompts.end() && one.fits == Fits::Yes && one.hasSpeed())
        addSpeed(row, prompt->second);
    else
        row.cells.insert(row.cells.end(), 2, LanguageText::missingCell({}));
}

TableContent FitPresenter::devices() const {
    TableContent content;
    content.columns = {{tr("Device")},
                       {tr("Fits")},
                       {tr("Tokens/s"), true, tr("predicted, all sequences together")},
                       {tr("80 % range"), true},
                       {tr("Prompt tokens/s"), true, tr("predicted, a prompt that fills the context")},
                       {tr("80 % range"), true},
                       {tr("Usable"), true},
                       {tr("Longest context"), true},
                       {tr("Most sequences"), true},
                       {tr("Layers on it"), true, tr("the rest in the computer's memory")},
                       {tr("Software")}};
    auto sorted = m_answer.devices;
    std::ranges::stable_sort(sorted, {}, [](const LanguagePrediction& one) {
        return std::pair(one.fits != Fits::Yes, one.fits == Fits::Yes ? *one.availableBytes : -*one.availableBytes);
    });
    for (const auto& one : sorted) {
        TableRow row;
        row.key = plain(one.id);
        const bool fits = one.fits == Fits::Yes;
        row.muted = !fits;
        row.cells.push_back({LanguageText::deviceOf(one.id, one.name)});
        row.cells.push_back(LanguageText::fitsCell(fits, tr("needs %1").arg(LanguageText::bytes(one.memory.total()))));
        addSpeed(row, one);
        addPromptSpeed(row, one);
        row.cells.push_back(LanguageText::numberCell(LanguageText::bytes(*one.availableBytes), *one.availableBytes));
        row.cells.push_back(LanguageText::countCell(one.largestContext));
        row.cells.push_back(LanguageText::countCell(one.largestBatch));
        row.cells.push_back(LanguageText::countCell(one.layersOnDevice));
        row.cells.push_back({LanguageText::software(m_answer, one.software)});
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent FitPresenter::models() const {
    TableContent content;
    content.columns = {{tr("Model")},
                       {tr("Fits")},
                       {tr("Tokens/s"), true, tr("predicted, all sequences together")},
                       {tr("80 % range"), true},
                       {tr("Needs"), true},
                       {tr("Parameters"), true},
                       {tr("Longest context"), true}};
    for (const auto& [model, one] : m_answer.models) {
        TableRow row;
        row.key = plain(model.id);
        const bool fits = one.fits == Fits::Yes;
        row.muted = !fits;
        row.cells.push_back({plain(model.title)});
        row.cells.push_back(LanguageText::fitsCell(fits));
        addSpeed(row, one);
        row.cells.push_back(LanguageText::numberCell(LanguageText::bytes(one.memory.total()), one.memory.total()));
        row.cells.push_back(LanguageText::numberCell(Format::count(model.parameters), model.parameters));
        row.cells.push_back(LanguageText::countCell(one.largestContext));
        content.rows.push_back(std::move(row));
    }
    return content;
}

}  // namespace steelyard::ui
