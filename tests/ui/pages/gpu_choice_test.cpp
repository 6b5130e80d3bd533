// SPDX-License-Identifier: Apache-2.0
// The form of a run on a computer with several GPUs: available choices, resulting request, remembered settings.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include "tests/ui/support/test_window.h"
#include "ui/pages/benchmark/gpu_choice.h"
#include "ui/pages/benchmark/run_setup_view.h"

namespace steelyard::ui {
namespace {

struct Form {
    explicit Form(int gpus) : test({.withRuns = false, .usableGpus = gpus}) {
        test.waitUntilReady();
        test.window->showPage(QStringLiteral("benchmark"));
    }
    void press(const char* box) {
        auto* widget = test.find<QCheckBox>(box);
        ASSERT_NE(widget, nullptr) << box;
        widget->setFocus();
        QTest::keyClick(widget, Qt::Key_Space);
    }
    [[nodiscard]] bench::RunRequest request() const { return test.window->findChild<RunSetupView*>()->request(); }
    [[nodiscard]] QString arguments() const {
        QStringList list;
        for (const auto& argument : bench::argumentsOf(request())) list << QString::fromStdString(argument);
        return list.join(QLatin1Char(' '));
    }

    TestWindow test;
};

TEST(GpuChoice, IsNotThereWithFewerThanTwo) {
    for (const int gpus : {0, 1}) {
        Form form(gpus);
        const auto* choice = form.test.window->findChild<GpuChoice*>();
        ASSERT_NE(choice, nullptr);
        EXPECT_FALSE(choice->isVisible()) << gpus;
        EXPECT_TRUE(form.request().gpus.empty());
    }
}

TEST(GpuChoice, OrdersWhatTheCommandLineWould) {
    Form form(4);
    ASSERT_TRUE(form.test.window->findChild<GpuChoice*>()->isVisible());
    EXPECT_FALSE(form.arguments().contains(QStringLiteral("--gpus"))) << "nothing is ticked";
    EXPECT_FALSE(form.test.find<QCheckBox>("scalingBox_weak")->isEnabled());
    for (const char* box : {"gpusBox_1", "gpusBox_2", "gpusBox_4"}) form.press(box);
    EXPECT_TRUE(form.arguments().contains(QStringLiteral("--gpus 1,2,4"))) << form.arguments().toStdString();
    EXPECT_FALSE(form.arguments().contains(QStringLiteral("--scaling"))) << "all kinds unasked";
    EXPECT_TRUE(form.arguments().contains(QStringLiteral("--mode train,infer"))) << "unasked it is training alone";
    EXPECT_FALSE(form.test.find<QLineEdit>("threadsEdit")->isEnabled());
    form.press("scalingBox_experiments");
    EXPECT_TRUE(form.arguments().contains(QStringLiteral("--scaling strong,weak"))) << form.arguments().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return form.test.find<QPushButton>("runButton")->isEnabled(); }, 5000));
    for (const char* box : {"scalingBox_strong", "scalingBox_weak"}) form.press(box);
    EXPECT_FALSE(form.test.find<QPushButton>("runButton")->isEnabled());
    EXPECT_EQ(form.test.find<QLabel>("estimateLabel")->text(), QStringLiteral("Choose at least one kind of scaling."));
    for (const char* box : {"gpusBox_2", "gpusBox_4"}) form.press(box);
    EXPECT_TRUE(QTest::qWaitFor([&] { return form.test.find<QPushButton>("runButton")->isEnabled(); }, 5000))
        << "one GPU has nothing to share";
    form.press("gpusBox_1");
    EXPECT_FALSE(form.arguments().contains(QStringLiteral("--gpus")));
    EXPECT_TRUE(form.test.find<QLineEdit>("threadsEdit")->isEnabled());
}

TEST(GpuChoice, IsReachedByTabWhereItIsRead) {
    Form form(4);
    form.press("gpusBox_1");
    form.press("gpusBox_2");
    QStringList order;
    QWidget* widget = form.test.find<QCheckBox>("inferBox");
    for (int step = 0; step < 60 && widget != form.test.find<QLineEdit>("batchEdit"); ++step) {
        widget = widget->nextInFocusChain();
        if (qobject_cast<QCheckBox*>(widget) && !widget->objectName().isEmpty()) order << widget->objectName();
    }
    EXPECT_EQ(order.join(QLatin1Char(' ')),
              QStringLiteral("gpusBox_1 gpusBox_2 gpusBox_4 scalingBox_strong scalingBox_weak scalingBox_experiments"));
}

TEST(GpuChoice, IsRememberedAsFarAsItCanBe) {
    Form form(4);
    form.press("gpusBox_2");
    form.press("gpusBox_4");
    form.press("scalingBox_strong");
    EXPECT_EQ(form.test.preferences.load().gpus, (QStringList{QStringLiteral("2"), QStringLiteral("4")}));
    form.test.window = std::make_unique<MainWindow>(form.test.context);
    form.test.window->show();
    form.test.waitUntilReady();
    EXPECT_EQ(form.request().gpus, (std::vector<int>{2, 4}));
    EXPECT_EQ(form.request().scalings, (std::vector{bench::ScalingKind::Weak, bench::ScalingKind::Experiments}));

    // A computer with two GPUs does not offer four; one without GPUs offers no choice and keeps the settings.
    GpuChoice smaller;
    smaller.setChoices({1, 2});
    smaller.restore(form.test.preferences.load());
    EXPECT_EQ(smaller.counts(), std::vector<int>{2});
    GpuChoice none;
    none.setChoices({});
    auto kept = form.test.preferences.load();
    none.store(kept);
    EXPECT_EQ(kept, form.test.preferences.load());
}

}  // namespace
}  // namespace steelyard::ui
