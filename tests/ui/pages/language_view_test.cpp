// SPDX-License-Identifier: Apache-2.0
// Questions about language models on Cost & advice, with the shipped catalogue and the real advisor.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/pages/advice/choice_view.h"
#include "ui/pages/advice/language_form.h"

namespace steelyard::ui {
namespace {

const QString kDecoders = QStringLiteral(STEELYARD_SOURCE_DIR "/tests/data/decoders/");

class LanguageViewTest : public WindowFixture {
protected:
    LanguageViewTest() : WindowFixture({.withRuns = false, .withGpus = false}) {}
    void SetUp() override {
        WindowFixture::SetUp();
        click("navigation_advice");
        take(LanguageTask::Chat);
    }
    // Chooses the kind of job and waits for its answer.
    void take(LanguageTask task) {
        auto* tasks = find<QTabBar>("adviceTask");
        const auto name = QString::fromStdString(std::string(toString(task)));
        for (int index = 0; index < tasks->count(); ++index)
            if (tasks->tabData(index).toString() == name) tasks->setCurrentIndex(index);
        ASSERT_TRUE(answered([&](const LanguageQuestion& question) { return question.task == task; }));
    }
    template <typename Condition>
    [[nodiscard]] bool answered(Condition condition) {
        return eventually([&] {
            const auto& answer = m_test.advice.languageAnswer();
            return answer && condition(answer->question);
        });
    }
    const LanguageAnswer& answer() { return *m_test.advice.languageAnswer(); }
    QString verdict() { return find<QLabel>("languageVerdict")->text(); }
    void type(const char* name, const char* number) {
        auto* box = find<QDoubleSpinBox>(name);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::fromLatin1(number));
        QTest::keyClick(box, Qt::Key_Return);
    }
    void choose(const char* name, const char* data) {
        auto* box = find<QComboBox>(name);
        const int row = box->findData(QString::fromLatin1(data));
        ASSERT_GE(row, 0) << data;
        box->setCurrentIndex(row);
        emit box->activated(row);
    }
    void open(const QString& file) {
        m_test.dialogs.fileToOpen = file;
        click("languageFile");
    }
};

TEST_F(LanguageViewTest, TypedValuesSurviveOtherJobsAndModels) {
    type("languagePrompt", "1234");
    type("languageSpeed", "15");
    choose("languageSoftware", "llamacpp_vulkan");
    choose("languageModel", "qwen3_8b");
    ASSERT_TRUE(answered([](const LanguageQuestion& q) { return q.model == "qwen3_8b" && q.prompt == 1234; }));
    take(LanguageTask::FineTune);
    type("languageRank", "64");
    choose("languageTuningSoftware", "unsloth");
    ASSERT_TRUE(answered([](const LanguageQuestion& q) { return q.tuning.rank == 64; }));
    EXPECT_EQ(answer().question.model, "qwen3_8b");
    take(LanguageTask::Serve);
    EXPECT_EQ(find<QDoubleSpinBox>("languagePrompt")->value(), 1234);
    EXPECT_NE(find<QDoubleSpinBox>("languageSpeed")->value(), 15) << "that of chatting";
    take(LanguageTask::Fit);
    find<QSlider>("languageContext")->setValue(find<QSlider>("languageContext")->maximum());
    take(LanguageTask::Chat);
    EXPECT_EQ(find<QDoubleSpinBox>("languageSpeed")->value(), 15);
    EXPECT_EQ(answer().question.software, "llamacpp_vulkan");
    EXPECT_EQ(answer().question.tuningSoftware, "unsloth");
    EXPECT_EQ(answer().question.tuning.rank, 64);

    // In the next window as well.
    m_test.window = std::make_unique<MainWindow>(m_test.context);
    EXPECT_EQ(find<QDoubleSpinBox>("languagePrompt")->value(), 1234);
    EXPECT_EQ(find<LanguageForm>("languageForm")->question().software, "llamacpp_vulkan");
}

TEST_F(LanguageViewTest, ModelsAreFoundByTyping) {
    auto* box = find<QComboBox>("languageModel");
    auto* completer = box->completer();
    completer->setCompletionPrefix(QStringLiteral("gpt-oss"));
    EXPECT_EQ(completer->completionCount(), 2);
    completer->setCompletionPrefix(QStringLiteral("OSS 120"));
    ASSERT_EQ(completer->completionCount(), 1) << "part of a name, in any case";
    box->setFocus();
    box->lineEdit()->selectAll();
    QTest::keyClicks(box->lineEdit(), completer->currentCompletion().toLower());
    QTest::keyClick(box->lineEdit(), Qt::Key_Return);
    EXPECT_TRUE(answered([](const LanguageQuestion& q) { return q.model == "gpt_oss_120b"; }));
    // What is no model leaves the selection.
    box->lineEdit()->selectAll();
    QTest::keyClicks(box->lineEdit(), QStringLiteral("nothing like it"));
    find<QDoubleSpinBox>("languagePrompt")->setFocus();
    EXPECT_EQ(box->currentData().toString(), QStringLiteral("gpt_oss_120b"));
    EXPECT_EQ(box->currentText(), box->itemText(box->currentIndex()));
}

TEST_F(LanguageViewTest, OpensModelsFromFiles) {
    for (const auto* file : {"qwen3_8b/config.json", "llama_3_1_8b/header.gguf", "tiny.gguf"}) {
        open(kDecoders + QString::fromLatin1(file));
        ASSERT_TRUE(answered([&](const LanguageQuestion& q) {
            return QString::fromStdString(q.model).endsWith(QString::fromLatin1(file));
        })) << file;
        EXPECT_TRUE(find<QLabel>("languageRefusal")->isHidden()) << file;
        EXPECT_TRUE(
            find<QComboBox>("languageModel")->currentText().endsWith(QString::fromLatin1(file).section('/', -1)));
        EXPECT_FALSE(verdict().isEmpty()) << file;
    }
    EXPECT_EQ(answer().job.weights->name, "bf16") << "as the file stores them";
    choose("languageWeights", "q8_0");
    EXPECT_TRUE(answered([](const LanguageQuestion& q) { return q.weights == "q8_0"; }));
    for (const auto task : kLanguageTasks) take(task);
    EXPECT_TRUE(QString::fromStdString(answer().question.model).endsWith(QStringLiteral("tiny.gguf")));
    open(kDecoders + QStringLiteral("tiny.gguf"));
    choose("languageModel", "llama_3_1_8b");
    ASSERT_TRUE(answered([](const LanguageQuestion& q) { return q.model == "llama_3_1_8b"; }));
    EXPECT_EQ(answer().question.weights, "q4_k_m");
    EXPECT_LT(find<QComboBox>("languageWeights")->findData(QString()), 0) << "there is no file any more";
}

TEST_F(LanguageViewTest, AHostileFileIsRefusedInASentence) {
    const auto write = [&](const char* name, const QByteArray& bytes) {
        QFile file(m_test.folder.filePath(QString::fromLatin1(name)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        return file.fileName();
    };
    // 2^63 tensors; a configuration without a shape; no text at all.
    const QByteArray tensors("GGUF\3\0\0\0\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0", 24);
    for (const auto& file : {write("huge.gguf", tensors), write("config.json", R"({"model_type": "llama"})"),
                             write("noise.json", QByteArray(512, '\xff'))}) {
        open(file);
        auto* refusal = find<QLabel>("languageRefusal");
        ASSERT_TRUE(eventually([&] { return !refusal->isHidden(); })) << file.toStdString();
        EXPECT_TRUE(refusal->text().contains(file.section('/', -1))) << refusal->text().toStdString();
        EXPECT_LT(refusal->text().size(), 400) << refusal->text().toStdString();
        EXPECT_FALSE(find<QWidget>("languageTabs")->isVisible()) << "the answer is that of another model";
        choose("languageModel", "llama_3_1_8b");
        ASSERT_TRUE(eventually([&] { return refusal->isHidden(); }));
        EXPECT_TRUE(find<QWidget>("languageTabs")->isVisible());
    }
}

TEST_F(LanguageViewTest, SaysWhenNothingCanDoIt) {
    choose("languageModel", "deepseek_v3");
    type("languageSpeed", "9999");
    ASSERT_TRUE(answered([](const LanguageQuestion& q) { return q.chat.userSpeed == 9999; }));
    // APIs remain; with a model that has none, nothing does.
    open(kDecoders + QStringLiteral("tiny.gguf"));
    type("languageSpeed", "100000");
    ASSERT_TRUE(answered([](const LanguageQuestion& q) { return q.chat.userSpeed == 100000; }));
    EXPECT_TRUE(verdict().startsWith(QStringLiteral("No machine and no API"))) << verdict().toStdString();
    EXPECT_TRUE(find<QWidget>("languageChoice0")->isHidden());
    EXPECT_FALSE(find<ChartView>("languageScatter")->spec().hasValues());
    EXPECT_FALSE(find<ChartView>("languageScatter")->spec().emptyText.isEmpty());
    find<QTabBar>("languageTabs")->setCurrentIndex(1);
    auto* table = find<QTableView>("languageTable");
    EXPECT_EQ(table->model()->rowCount(), 0);
    find<QCheckBox>("languageOnlyPossible")->setChecked(false);
    EXPECT_GT(table->model()->rowCount(), 50) << "with the reasons";
}

TEST_F(LanguageViewTest, SoftwareChangesTheOffers) {
    take(LanguageTask::Serve);
    std::set<std::string> chosen;
    for (const auto& offer : answer().advice.offers)
        if (offer.possible()) chosen.insert(offer.software);
    EXPECT_GT(chosen.size(), 2U) << "each device has its own";
    choose("languageSoftware", "vllm");
    ASSERT_TRUE(answered([](const LanguageQuestion& q) { return q.software == "vllm"; }));
    for (const auto& offer : answer().advice.offers) {
        if (!offer.possible() || offer.kind == advisor::OfferKind::Api) continue;
        EXPECT_EQ(offer.software, "vllm") << offer.id;
    }
    find<QTabBar>("languageTabs")->setCurrentIndex(1);
    const auto* model = find<QTableView>("languageTable")->model();
    bool named = false;
    for (int row = 0; row < model->rowCount(); ++row)
        for (int column = 0; column < model->columnCount(); ++column)
            named = named || model->index(row, column).data().toString() == QStringLiteral("vLLM");
    EXPECT_TRUE(named);
}

// "3.000" is three thousand to many readers.
TEST_F(LanguageViewTest, NumbersHaveNoTrailingZeros) {
    EXPECT_EQ(find<QDoubleSpinBox>("languageTokens")->text(), QStringLiteral("3"));
    type("languageTokens", "0.25");
    EXPECT_EQ(find<QDoubleSpinBox>("languageTokens")->text(), QStringLiteral("0.25"));
    type("languageTokens", "12000");
    EXPECT_EQ(find<QDoubleSpinBox>("languageTokens")->text(), QStringLiteral("12,000"));
    EXPECT_DOUBLE_EQ(find<QDoubleSpinBox>("languageTokens")->value(), 12000);
}

}  // namespace
}  // namespace steelyard::ui
