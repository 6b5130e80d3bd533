// SPDX-License-Identifier: Apache-2.0
// Reports and charts without a window, from a real history file; the figures in the files match the database.
#include "app/desktop/headless.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "engine/history/history_store.h"
#include "tests/ui/support/sample_data.h"

namespace steelyard::desktop {
namespace {

class HeadlessTest : public testing::Test {
protected:
    void SetUp() override {
        m_clock.advance(Seconds(1'795'219'200));  // 2026-11-21
        m_request.database = file("history.sqlite").toStdString();
        m_request.advice = {STEELYARD_SOURCE_DIR "/resources", file("user.json").toStdString()};
        auto store = history::HistoryStore::open(m_request.database);
        ASSERT_TRUE(store.has_value());
        ASSERT_TRUE((*store)->beginRun(m_run).has_value());
    }
    [[nodiscard]] QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    int run() { return runHeadless(m_request, m_clock, m_out, m_errors); }
    static QByteArray contentOf(const QString& name) {
        QFile device(name);
        EXPECT_TRUE(device.open(QIODevice::ReadOnly)) << name.toStdString();
        return device.readAll();
    }

    QTemporaryDir m_folder;
    ManualClock m_clock;
    bench::RunRecord m_run = ui::sample::run();
    HeadlessRequest m_request;
    std::ostringstream m_out, m_errors;
};

TEST_F(HeadlessTest, EveryFormatIsWritten) {
    for (const auto* name : {"r.pdf", "r.html", "r.md", "r.csv", "r.json"}) {
        m_request.reportFile = file(name);
        EXPECT_EQ(run(), 0) << m_errors.str();
        EXPECT_GT(QFile(file(name)).size(), 1000) << name;
    }
    EXPECT_TRUE(contentOf(file("r.pdf")).startsWith("%PDF"));
    EXPECT_TRUE(contentOf(file("r.html")).contains("Recommendation: "));
    EXPECT_TRUE(contentOf(file("r.md")).contains("Recommendation: "));
    EXPECT_TRUE(contentOf(file("r.json")).contains("\"advice\""));
}

TEST_F(HeadlessTest, ChartsAgreeWithTheDatabase) {
    m_request.chartsFolder = file("charts");
    ASSERT_EQ(run(), 0) << m_errors.str();
    const QDir charts(m_request.chartsFolder);
    for (const auto* suffix : {"png", "svg", "pdf", "csv"})
        EXPECT_TRUE(charts.exists(QStringLiteral("training-speed.") + QLatin1String(suffix))) << suffix;
    EXPECT_FALSE(QImage(charts.filePath(QStringLiteral("training-speed.png"))).isNull());
    EXPECT_TRUE(contentOf(charts.filePath(QStringLiteral("training-speed.svg"))).contains("<svg"));
    const auto rows = contentOf(charts.filePath(QStringLiteral("training-speed.csv"))).split('\n');
    for (const auto& record : m_run.records) {
        if (record.status != bench::Status::Ok || record.spec.mode != plan::Mode::Train) continue;
        const double speed = static_cast<double>(record.spec.batch) / record.stepSeconds->median;
        EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                                [&](const QByteArray& row) {
                                    const auto fields = row.split(',');
                                    return fields.size() > 3 && std::abs(fields[3].toDouble() / speed - 1) < 1e-9;
                                }))
            << bench::caseLabel(record.spec) << " at " << speed;
    }
}

TEST_F(HeadlessTest, WhatIsNotThereIsSaid) {
    m_request.reportFile = file("r.pdf");
    m_request.run = QStringLiteral("ffffffffffff");
    EXPECT_EQ(run(), 2);
    EXPECT_NE(m_errors.str().find("ffffffffffff"), std::string::npos) << m_errors.str();
    m_request.run = QStringLiteral("latest");
    m_request.reportFile = file("r.doc");
    EXPECT_EQ(run(), 2);
    m_request.database = file("nothing.sqlite").toStdString();
    EXPECT_EQ(run(), 2);
    EXPECT_FALSE(QFile::exists(file("nothing.sqlite"))) << "reading makes no file";
}

}  // namespace
}  // namespace steelyard::desktop
