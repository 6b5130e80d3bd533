// SPDX-License-Identifier: Apache-2.0
#include "ui/text/engine_text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QRegularExpression>

#include "ui/settings/languages.h"

namespace steelyard::ui {
namespace {

// With a value of its own in each place.
QString filled(QString pattern) {
    for (int place = 1; place <= 4; ++place)
        pattern.replace(QStringLiteral("%%1").arg(place), QStringLiteral("v%1").arg(place));
    return pattern;
}

TEST(EngineText, EnglishStaysAsItIs) {
    LanguageController languages(*qApp);
    ASSERT_TRUE(languages.use(QStringLiteral("en")));
    for (const auto& pattern : EngineText::patterns()) {
        const auto sentence = filled(pattern);
        EXPECT_EQ(EngineText::text(sentence.toStdString()).toStdString(), sentence.toStdString());
    }
    EXPECT_EQ(EngineText::sentence("the backend is not installed"), QStringLiteral("The backend is not installed."));
    EXPECT_EQ(EngineText::sentence("one. Two."), QStringLiteral("One. Two."));
    // Names of files and workloads are no words.
    for (const auto* name :
         {"libcuda.so.1: cannot open it.", "/proc/stat cannot be read.", "bert_base has no data.", "v100 is busy."})
        EXPECT_EQ(EngineText::sentence(name), QString::fromLatin1(name));
    EXPECT_EQ(EngineText::sentence("it is. So"), QStringLiteral("It is. So."));
}

TEST(EngineText, ChineseHasEverySentenceWithAllItsValues) {
    LanguageController languages(*qApp);
    static const QRegularExpression words(QStringLiteral("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
    for (const auto* language : {"zh_CN", "zh_TW"}) {
        ASSERT_TRUE(languages.use(QLatin1String(language)));
        for (const auto& pattern : EngineText::patterns()) {
            const auto text = EngineText::text(filled(pattern).toStdString());
            EXPECT_FALSE(text.contains(words)) << language << ": " << text.toStdString();
            for (int place = 1; place <= 4; ++place) {
                const auto value = QStringLiteral("v%1").arg(place);
                EXPECT_EQ(filled(pattern).contains(value), text.contains(value))
                    << language << ": " << pattern.toStdString() << " -> " << text.toStdString();
            }
        }
    }
    languages.use(QStringLiteral("en"));
}

TEST(EngineText, ASentenceWithinASentenceIsTranslatedToo) {
    LanguageController languages(*qApp);
    ASSERT_TRUE(languages.use(QStringLiteral("zh_CN")));
    const auto text = EngineText::text("The CUDA backend was not loaded: its libraries are missing: libcudnn.so.9");
    EXPECT_TRUE(text.contains(QStringLiteral("libcudnn.so.9"))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("missing"))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("loaded"))) << text.toStdString();
    const auto slowed = EngineText::text("the GPU was slowed down: software thermal slowdown");
    EXPECT_FALSE(slowed.contains(QRegularExpression(QStringLiteral("[a-z]{3}")))) << slowed.toStdString();
    const auto driver =
        EngineText::text("The NVIDIA driver is not installed: libcuda.so.1 (kernel driver in use: nouveau)");
    EXPECT_TRUE(driver.contains(QStringLiteral("libcuda.so.1（")) && driver.contains(QStringLiteral("nouveau")))
        << driver.toStdString();
    EXPECT_FALSE(driver.contains(QStringLiteral("kernel"))) << driver.toStdString();
    EXPECT_EQ(EngineText::text("what no list knows"), QStringLiteral("what no list knows"));
    EXPECT_TRUE(EngineText::text("The computer runs on its battery (50 % left)").contains(QStringLiteral("50 %")));
    languages.use(QStringLiteral("en"));
}

}  // namespace
}  // namespace steelyard::ui
