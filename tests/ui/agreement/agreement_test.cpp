// SPDX-License-Identifier: Apache-2.0
// The command line without options, the form of the window as it first stands, and the report say the same, to the
// digit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <QLocale>
#include <atomic>
#include <filesystem>
#include <set>
#include <sstream>

#include "app/cli/cli_app.h"
#include "app/cli/command_context.h"
#include "app/desktop/advice_services.h"
#include "engine/advisor/rank/advice_json.h"
#include "engine/report/advice_tables.h"
#include "tests/support/temporary_folder.h"
#include "ui/pages/advice/advice_form.h"
#include "ui/pages/advice/language_form.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_presenter.h"
#include "ui/presenters/report_presenter.h"
#include "ui/text/format.h"
#include "ui/text/report_text.h"

namespace steelyard::ui {
namespace {

struct Job {
    const char* workload;
    plan::Mode mode = plan::Mode::Train;
};

// The command line and the services of the window over the same files, clock and computer.
class AgreementWorld : public testing::Test {
protected:
    AgreementWorld() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    ~AgreementWorld() override {
        QLocale::setDefault(m_before);
        Format::setCurrency({});
    }

    cli::CommandContext context() {
        const auto home = [this](const char* name) {
            return std::string_view(name) == "HOME" ? m_home.c_str() : nullptr;
        };
        return cli::CommandContext(cli::CommandEnvironment{.out = m_out,
                                                           .err = m_err,
                                                           .in = m_in,
                                                           .clock = m_clock,
                                                           .executable = m_folder / "steelyard-cli",
                                                           .resources = STEELYARD_SOURCE_DIR "/resources",
                                                           .environment = home,
                                                           .interrupted = m_interrupted});
    }
    std::string printed(const std::vector<std::string>& arguments) {
        m_out.str({});
        auto world = context();
        EXPECT_EQ(cli::runCli(arguments, world), 0) << m_err.str();
        return m_out.str();
    }
    AdviceServices services() {
        return desktop::adviceServices(
            {.resources = STEELYARD_SOURCE_DIR "/resources", .userCatalog = {}, .networks = m_folder / "networks"},
            m_clock);
    }
    AdviceSurroundings surroundings() {
        auto world = context();
        AdviceSurroundings here;
        here.profile = world.profile().value();
        here.database = (m_folder / "history.sqlite").string();
        return here;
    }
    // The window has signs where the command line has words.
    static std::string asInTerminal(QString text) {
        return text.replace(QStringLiteral("–"), QStringLiteral(" to "))
            .replace(QStringLiteral("×"), QStringLiteral("x"))
            .toStdString();
    }

    test::TemporaryFolder m_folder;
    std::string m_home = m_folder.path().string();
    std::ostringstream m_out, m_err;
    std::istringstream m_in;
    SystemClock m_clock;
    std::atomic<int> m_interrupted{0};
    QLocale m_before;
};

class AgreementTest : public AgreementWorld, public testing::WithParamInterface<Job> {
protected:
    std::string advised(bool json, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{"advise", "--workload", GetParam().workload};
        arguments.insert(arguments.end(), more.begin(), more.end());
        if (GetParam().mode == plan::Mode::Infer) arguments.insert(arguments.end(), {"--mode", "infer"});
        if (json) arguments.emplace_back("--json");
        return printed(arguments);
    }
    // What the form asks when it is opened for the first time and the network is chosen.
    AdviceAnswer windowAnswer() {
        const auto advisor = services();
        AdviceForm form;
        form.setOptions(advisor.options().value());
        form.chooseWorkload(GetParam().workload);
        form.setMode(GetParam().mode);
        return advisor.answer(form.question(), surroundings()).value();
    }
};

TEST_P(AgreementTest, CommandLineWindowAndReportAnswerAlike) {
    const auto answer = windowAnswer();
    EXPECT_EQ(advised(true), advisor::adviceJson(answer.request, answer.advice) + "\n");

    const AdvicePresenter presenter(answer);
    const auto text = advised(false);
    const auto headline = text.substr(0, text.find('\n'));
    EXPECT_EQ(asInTerminal(presenter.verdict()).substr(0, headline.size()), headline);
    for (const auto& card : presenter.choices())
        EXPECT_NE(text.find(asInTerminal(
                      QStringLiteral("%1 (%2), %3 (%4)").arg(card.time, card.timeBand, card.cost, card.costBand))),
                  std::string::npos)
            << card.heading.toStdString() << "\n"
            << text.substr(0, 1500);

    ReportSources sources;
    sources.advice = &answer;
    const auto content = ReportPresenter::content(sources, {}, {"1", 0});
    ASSERT_FALSE(content.summary.isEmpty());
    EXPECT_EQ(asInTerminal(content.summary.front()).substr(0, headline.size()), headline);
    ASSERT_EQ(content.options.adviceJson.size(), 1U);
    EXPECT_EQ(content.options.adviceJson.front() + "\n", advised(true));
}

TEST_P(AgreementTest, AmountsInOtherCurrenciesAgreeToTheDigit) {
    const auto answer = windowAnswer();
    for (const auto& rate : {ExchangeRate{Currency::Euro, 0.8637, "2026-11-20", "a bank"},
                             ExchangeRate{Currency::Yuan, 7.0931, "2026-11-20", "a bank"},
                             ExchangeRate{Currency::TaiwanDollar, 31.27, "2026-11-20", "a bank"},
                             ExchangeRate{Currency::Pound, 0.7612, "2026-11-20", "a bank"}}) {
        const std::string code(toString(rate.currency));
        Format::setCurrency(rate);
        const auto text = advised(false, {"--currency", code, "--exchange-rate", fmt::format("{}", rate.perUsd)});
        const auto headline = text.substr(0, text.find('\n'));
        EXPECT_NE(headline.find(symbolOf(rate.currency)), std::string::npos) << headline;
        const AdvicePresenter presenter(answer);
        EXPECT_EQ(asInTerminal(presenter.verdict()).substr(0, headline.size()), headline);
        EXPECT_NE(presenter.footing().indexOf(QString::fromStdString(code)), -1) << presenter.footing().toStdString();
        auto texts = ReportText::texts();
        const std::vector<report::AdvisedJob> jobs{{answer.request, answer.advice, headline}};
        const auto written = report::adviceTables(jobs, texts).front();
        std::set<std::string> costs;  // the window has another order of the choices
        for (const auto& row : written.rows) costs.insert(std::string(symbolOf(rate.currency)) + row.at(4));
        for (const auto& card : presenter.choices()) {
            const auto cost = asInTerminal(QStringLiteral("%1 (%2)").arg(card.cost, card.costBand));
            EXPECT_NE(text.find(cost), std::string::npos) << card.heading.toStdString() << " " << cost;
            EXPECT_TRUE(costs.contains(card.cost.toStdString())) << card.cost.toStdString();
        }
        // What the window's report prints.
        ReportSources sources;
        sources.advice = &answer;
        const auto content = ReportPresenter::content(sources, {}, {"1", 0});
        EXPECT_EQ(asInTerminal(content.summary.front()).substr(0, headline.size()), headline);
        // Documents stay in US dollars.
        EXPECT_EQ(advised(true, {"--currency", code, "--exchange-rate", fmt::format("{}", rate.perUsd)}),
                  advisor::adviceJson(answer.request, answer.advice) + "\n");
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, AgreementTest,
                         testing::Values(Job{"resnet50"}, Job{"resnet50", plan::Mode::Infer}, Job{"vit_b16"},
                                         Job{"mnist_mlp"}, Job{"lstm_ptb"}),
                         [](const auto& one) {
                             return std::string(one.param.workload) + "_" + std::string(plan::toString(one.param.mode));
                         });

class LanguageAgreementTest : public AgreementWorld, public testing::WithParamInterface<LanguageTask> {};

// A job with a language model without options, as the form first stands.
TEST_P(LanguageAgreementTest, CommandLineWindowAndReportAnswerAlike) {
    const auto advisor = services();
    LanguageForm form;
    form.setOptions(advisor.languageOptions().value());
    form.setTask(GetParam());
    const auto question = form.question();
    const auto answer = advisor.languageAnswer(question, surroundings()).value();
    const bool isFit = GetParam() == LanguageTask::Fit;
    std::vector<std::string> arguments{"fit", question.model, "--json"};
    if (!isFit)
        arguments = {"advise", "--workload", question.model, "--job", std::string(toString(GetParam())), "--json"};
    const auto json = printed(arguments);
    EXPECT_EQ(json, answer.json + "\n");

    ReportSources sources;
    sources.language = &answer;
    const auto content = ReportPresenter::content(sources, {}, {"1", 0});
    ASSERT_FALSE(content.summary.isEmpty());
    EXPECT_EQ(content.summary.front(), LanguagePresenter(answer).verdict());
    ASSERT_EQ(content.options.adviceJson.size(), 1U);
    EXPECT_EQ(content.options.adviceJson.front() + "\n", json);
    ASSERT_EQ(content.advice.size(), 1U);
    EXPECT_FALSE(content.advice.front().rows.empty());
    if (!isFit) {
        std::set<std::string> kinds;
        for (const auto& row : content.advice.front().rows) {
            kinds.insert(row[1]);
            EXPECT_EQ(row.size(), content.advice.front().columns.size());
        }
        EXPECT_GE(kinds.size(), 2U) << "the best of each kind";
    }
    EXPECT_FALSE(content.charts.empty());
}

INSTANTIATE_TEST_SUITE_P(Jobs, LanguageAgreementTest, testing::ValuesIn(kLanguageTasks),
                         [](const auto& one) { return std::string(toString(one.param)); });

}  // namespace
}  // namespace steelyard::ui
