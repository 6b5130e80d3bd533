// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/advice_controller.h"

namespace steelyard::ui {

AdviceController::AdviceController(AdviceServices services, QObject* parent)
    : QObject(parent), m_services(std::move(services)) {}

template <typename Value>
void AdviceController::post(std::function<Result<Value>()> work, std::function<void(Value)> done) {
    if (!work) return;
    m_worker.run(this, std::move(work), [this, done = std::move(done)](Result<Value> value) {
        if (value) {
            done(std::move(*value));
        } else {
            emit failed(value.error());
        }
    });
}

void AdviceController::load() {
    post<AdviceOptions>(m_services.options, [this](AdviceOptions options) {
        m_options = std::move(options);
        emit optionsReady();
    });
}

void AdviceController::ask(const AdviceQuestion& question, const AdviceSurroundings& surroundings) {
    if (!m_services.answer) return;
    const int number = ++m_latest;
    using Answer = std::optional<Result<AdviceAnswer>>;  // none to a question that a later one replaced
    m_worker.run(
        this,
        [this, number, question, surroundings, answer = m_services.answer] {
            return number == m_latest ? Answer(answer(question, surroundings)) : Answer();
        },
        [this, number](Answer value) {
            if (!value || number != m_latest) return;
            m_answered = number;
            if (!*value) {
                emit refused(value->error());
                return;
            }
            m_answer = std::move(**value);
            emit answered();
        });
}

void AdviceController::loadLanguage() {
    post<LanguageOptions>(m_services.languageOptions, [this](LanguageOptions options) {
        m_languageOptions = std::move(options);
        emit languageOptionsReady();
    });
}

void AdviceController::askLanguage(const LanguageQuestion& question, const AdviceSurroundings& surroundings) {
    if (!m_services.languageAnswer) return;
    const int number = ++m_latestLanguage;
    using Answer = std::optional<Result<LanguageAnswer>>;  // none to a question that a later one replaced
    m_worker.run(
        this,
        [this, number, question, surroundings, answer = m_services.languageAnswer] {
            return number == m_latestLanguage ? Answer(answer(question, surroundings)) : Answer();
        },
        [this, number](Answer value) {
            if (!value || number != m_latestLanguage) return;
            if (!*value) {
                emit languageRefused(value->error());
                return;
            }
            m_languageAnswer = std::move(**value);
            emit languageAnswered();
        });
}

void AdviceController::setPurchase(const advisor::PurchaseRequest& purchase) {
    if (purchase == m_purchase) return;
    m_purchase = purchase;
    emit purchaseChanged();
}

void AdviceController::requestBacktest() {
    if (m_backtest || m_backtestAsked) return;
    m_backtestAsked = true;
    post<advisor::BacktestReport>(m_services.backtest, [this](advisor::BacktestReport report) {
        m_backtest = std::move(report);
        emit backtestReady();
    });
}

void AdviceController::importPrices(const QString& folder) {
    if (!m_services.importPrices) return;
    const std::filesystem::path path = folder.toStdString();
    post<ImportedPrices>([import = m_services.importPrices, path] { return import(path); },
                         [this](const ImportedPrices& prices) {
                             emit pricesImported(prices);
                             emit pricesChanged();
                             load();  // there may be new providers
                         });
}

void AdviceController::setPrice(const catalog::PriceOverride& price) {
    if (!m_services.setPrice) return;
    post<bool>(
        [set = m_services.setPrice, price]() -> Result<bool> {
            TRY(set(price));
            return true;
        },
        [this](bool) { emit pricesChanged(); });
}

}  // namespace steelyard::ui
