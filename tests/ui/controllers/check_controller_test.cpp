// SPDX-License-Identifier: Apache-2.0
// The check controller with a scripted child (fake_cli.cpp).
#include "ui/controllers/check_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace steelyard::ui {
namespace {

constexpr int kCheckPatience = 15000;

class CheckControllerTest : public testing::Test {
protected:
    CheckControllerTest() {
        QObject::connect(&m_controller, &CheckController::failed, &m_controller,
                         [this](const Error& error) { m_error = error; });
    }
    void play(double scenario) {
        m_controller.start(scenario, history());
        ASSERT_TRUE(QTest::qWaitFor([&] { return !m_controller.isRunning(); }, kCheckPatience));
    }
    [[nodiscard]] QString history() const { return m_folder.filePath(QStringLiteral("history.sqlite")); }

    QTemporaryDir m_folder;
    CheckController m_controller{QStringLiteral(STEELYARD_FAKE_CLI)};
    QSignalSpy m_finished{&m_controller, &CheckController::finished};
    std::optional<Error> m_error;
};

TEST_F(CheckControllerTest, TheReportOfAnEndedCheckIsTheLastOne) {
    EXPECT_FALSE(m_controller.lastReport(history()).has_value());
    play(1);
    EXPECT_EQ(m_finished.count(), 1);
    EXPECT_FALSE(m_error.has_value());
    ASSERT_TRUE(m_controller.lastReport(history()).has_value());
    EXPECT_EQ(m_controller.lastReport(history())->verdict(), bench::CheckState::Faults);
}

TEST_F(CheckControllerTest, ACrashIsAFailureAlsoIfThereIsAnEarlierReport) {
    play(1);
    play(4);
    EXPECT_EQ(m_finished.count(), 1) << "only the first";
    ASSERT_TRUE(m_error.has_value());
    EXPECT_EQ(m_error->kind, ErrorKind::ChildCrashed);
    EXPECT_FALSE(m_error->detail.empty());
    EXPECT_TRUE(m_controller.lastReport(history()).has_value()) << "the earlier one stays";
}

TEST_F(CheckControllerTest, ARefusalTellsTheReasonAndNotTheEarlierReport) {
    play(1);
    play(3);
    EXPECT_EQ(m_finished.count(), 1) << "only the first";
    ASSERT_TRUE(m_error.has_value());
    EXPECT_EQ(m_error->kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(m_error->detail.text, testing::HasSubstr("--seconds"));
}

TEST(CheckController, AMissingProgramIsNamed) {
    CheckController controller(QStringLiteral("/nonexistent/steelyard-cli"));
    std::optional<Error> error;
    QObject::connect(&controller, &CheckController::failed, &controller, [&](const Error& one) { error = one; });
    controller.start(1, QStringLiteral("/nonexistent/history.sqlite"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return error.has_value(); }, kCheckPatience));
    EXPECT_EQ(error->kind, ErrorKind::NotFound);
    EXPECT_FALSE(controller.isRunning());
}

TEST(CheckController, TheDestructorLeavesNoChildBehind) {
    QElapsedTimer clock;
    auto controller = std::make_unique<CheckController>(QStringLiteral(STEELYARD_FAKE_CLI));
    controller->start(5, QStringLiteral("/nonexistent/history.sqlite"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !controller->parts().empty(); }, kCheckPatience));
    clock.start();
    controller.reset();
    EXPECT_LT(clock.elapsed(), 15000) << "the child would have lived for 20 s";
}

}  // namespace
}  // namespace steelyard::ui
