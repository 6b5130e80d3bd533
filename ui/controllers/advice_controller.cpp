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

template <typename Answer, typename Question>
void AdviceController::askLatest(std::atomic<int>& latest,
                                 std::function<Result<Answer>(const Question&, const AdviceSurroundings&)> answer,
                                 const Question& question, const AdviceSurroundings& surroundings,
                                 std::function<void(Result<Answer>)> done) {
    if (!answer) return;
    const int number = ++latest;
    using Value = std::optional<Result<Answer>>;  // unset if the question was superseded
    m_worker.run(
        this,
        [&latest, number, question, surroundings, answer = std::move(answer)] {
            return number == latest ? Value(answer(question, surroundings)) : Value();
        },
        [&latest, number, done = std::move(done)](Value value) {
            if (value && number == latest) done(std::move(*value));
        });
}

void AdviceController::ask(const AdviceQuestion& question, const AdviceSurroundings& surroundings) {
    askLatest<AdviceAnswer>(m_latest, m_services.answer, question, surroundings, [this](Result<AdviceAnswer> answer) {
        m_answered = m_latest;
        if (!answer) {
            emit refused(answer.error());
            return;
        }
        m_answer = std::move(*answer);
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
    askLatest<LanguageAnswer>(m_latestLanguage, m_services.languageAnswer, question, surroundings,
                              [this](Result<LanguageAnswer> answer) {
                                  if (!answer) {
                                      emit languageRefused(answer.error());
                                      return;
                                  }
                                  m_languageAnswer = std::move(*answer);
                                  emit languageAnswered();
                              });
}

void AdviceController::askLadder(const std::vector<LadderQuestion>& questions, const AdviceSurroundings& surroundings) {
    askLatest<LadderAnswer>(m_latestLadder, m_services.ladder, questions, surroundings,
                            [this](Result<LadderAnswer> answer) {
                                if (!answer) return;  // a network that is no longer known, or an unsupported precision
                                m_ladder = std::move(*answer);
                                emit ladderAnswered();
                            });
}

void AdviceController::askShortlist(const AdviceQuestion& question, const AdviceSurroundings& surroundings,
                                    const shortlist::ShortlistRequest& request) {
    if (!m_services.shortlist) return;
    const std::function<Result<shortlist::Shortlist>(const AdviceQuestion&, const AdviceSurroundings&)> choose =
        [shortlist = m_services.shortlist, request](const AdviceQuestion& asked, const AdviceSurroundings& around) {
            return shortlist(asked, around, request);
        };
    askLatest<shortlist::Shortlist>(m_latestShortlist, choose, question, surroundings,
                                    [this](Result<shortlist::Shortlist> chosen) {
                                        if (chosen) {
                                            emit shortlisted(*chosen);
                                        } else {
                                            emit notShortlisted(chosen.error());
                                        }
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
