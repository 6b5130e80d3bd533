// SPDX-License-Identifier: Apache-2.0
// Queries the advisor without blocking the window: a worker thread predicts and ranks; the answer to the latest
// question is posted back. The services are provided by the program (app/desktop) or a test and called in that thread,
// one at a time. GUI thread otherwise.
#pragma once

#include <QObject>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>

#include "engine/advisor/evidence/backtest.h"
#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "engine/shortlist/shortlist.h"
#include "ui/presenters/advice/advice_question.h"
#include "ui/presenters/advice/language_question.h"
#include "ui/presenters/results/ladder_presenter.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

// State of this computer for a question.
struct AdviceSurroundings {
    std::optional<hardware::HardwareProfile> profile;
    std::string database;  // with the user's measurements; need not exist
    double usdPerKwh = 0.12;
    int oldPriceDays = catalog::kOldPriceDays;  // prices older than this are marked
};

struct AdviceServices {
    std::function<Result<AdviceOptions>()> options;
    std::function<Result<AdviceAnswer>(const AdviceQuestion&, const AdviceSurroundings&)> answer;
    // Selects the question's candidates to measure in a campaign.
    std::function<Result<shortlist::Shortlist>(const AdviceQuestion&, const AdviceSurroundings&,
                                               const shortlist::ShortlistRequest&)>
        shortlist;
    std::function<Result<LadderAnswer>(const std::vector<LadderQuestion>&, const AdviceSurroundings&)> ladder;
    std::function<Result<advisor::BacktestReport>()> backtest;
    std::function<Result<ImportedPrices>(const std::filesystem::path& folder)> importPrices;
    std::function<Result<void>(const catalog::PriceOverride&)> setPrice;
    std::function<Result<LanguageOptions>()> languageOptions;
    std::function<Result<LanguageAnswer>(const LanguageQuestion&, const AdviceSurroundings&)> languageAnswer;
    std::vector<std::filesystem::path> studies;  // bundled ones
};

class AdviceController : public QObject {
    Q_OBJECT

public:
    explicit AdviceController(AdviceServices services, QObject* parent = nullptr);
    // Waits for running work; queued questions are skipped.
    ~AdviceController() override {
        ++m_latest;
        ++m_latestLanguage;
        ++m_latestLadder;
        ++m_latestShortlist;
    }

    [[nodiscard]] const AdviceOptions& options() const { return m_options; }
    // To the latest answered question.
    [[nodiscard]] const std::optional<AdviceAnswer>& answer() const { return m_answer; }
    [[nodiscard]] const LanguageOptions& languageOptions() const { return m_languageOptions; }
    // To the latest answered question about a language model.
    [[nodiscard]] const std::optional<LanguageAnswer>& languageAnswer() const { return m_languageAnswer; }
    // To the latest answered question about the known devices.
    [[nodiscard]] const std::optional<LadderAnswer>& ladder() const { return m_ladder; }
    [[nodiscard]] const std::optional<advisor::BacktestReport>& backtest() const { return m_backtest; }
    // The purchase options set in the window: for its chart and the report.
    [[nodiscard]] const advisor::PurchaseRequest& purchase() const { return m_purchase; }
    void setPurchase(const advisor::PurchaseRequest& purchase);
    [[nodiscard]] bool isBusy() const { return m_latest != m_answered; }
    [[nodiscard]] const std::vector<std::filesystem::path>& studies() const { return m_services.studies; }

public slots:
    // Emits optionsReady.
    void load();
    // Emits answered or refused, for the latest question only.
    void ask(const steelyard::ui::AdviceQuestion& question, const steelyard::ui::AdviceSurroundings& surroundings);
    // Emits languageOptionsReady.
    void loadLanguage();
    // Emits languageAnswered or languageRefused, for the latest question only.
    void askLanguage(const steelyard::ui::LanguageQuestion& question,
                     const steelyard::ui::AdviceSurroundings& surroundings);
    // Emits ladderAnswered, for the latest questions only; nothing if none can be predicted.
    void askLadder(const std::vector<steelyard::ui::LadderQuestion>& questions,
                   const steelyard::ui::AdviceSurroundings& surroundings);
    // Candidates of a question for a campaign: emits shortlisted or notShortlisted, for the latest request only.
    void askShortlist(const steelyard::ui::AdviceQuestion& question,
                      const steelyard::ui::AdviceSurroundings& surroundings,
                      const steelyard::shortlist::ShortlistRequest& request);
    // Emits backtestReady; computed once.
    void requestBacktest();
    // Emits pricesImported, then pricesChanged.
    void importPrices(const QString& folder);
    // Emits pricesChanged.
    void setPrice(const steelyard::catalog::PriceOverride& price);

signals:
    void optionsReady();
    void answered();
    // The question has no answer; not a failure of the program.
    void refused(const steelyard::Error& error);
    void languageOptionsReady();
    void languageAnswered();
    void languageRefused(const steelyard::Error& error);
    void ladderAnswered();
    void shortlisted(const steelyard::shortlist::Shortlist& shortlist);
    void notShortlisted(const steelyard::Error& error);
    void backtestReady();
    void pricesImported(const steelyard::ui::ImportedPrices& prices);
    void pricesChanged();
    void purchaseChanged();
    void failed(const steelyard::Error& error);

private:
    // Runs `work` in the worker thread and `done` with its value here; an error becomes failed().
    template <typename Value>
    void post(std::function<Result<Value>()> work, std::function<void(Value)> done);

    // Answers in the worker thread unless superseded by a later question of the kind; calls `done` for the latest only.
    template <typename Answer, typename Question>
    void askLatest(std::atomic<int>& latest,
                   std::function<Result<Answer>(const Question&, const AdviceSurroundings&)> answer,
                   const Question& question, const AdviceSurroundings& surroundings,
                   std::function<void(Result<Answer>)> done);

    AdviceServices m_services;
    AdviceOptions m_options;
    std::optional<AdviceAnswer> m_answer;
    advisor::PurchaseRequest m_purchase;
    std::optional<advisor::BacktestReport> m_backtest;
    bool m_backtestAsked = false;
    LanguageOptions m_languageOptions;
    std::optional<LanguageAnswer> m_languageAnswer;
    std::optional<LadderAnswer> m_ladder;
    std::atomic<int> m_latest{0}, m_latestLanguage{0}, m_latestLadder{0}, m_latestShortlist{0};
    int m_answered = 0;
    SerialWorker m_worker;  // destroyed first: its work reads m_latest
};

}  // namespace steelyard::ui
