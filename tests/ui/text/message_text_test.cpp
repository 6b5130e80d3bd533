// SPDX-License-Identifier: Apache-2.0
// Checks the engine's list of messages in each language, and displays the errors of a run in Chinese.
#include "ui/text/message_text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QRegularExpression>
#include <set>

#include "engine/core/error.h"
#include "engine/core/messages/bench.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/messages/compute.h"
#include "engine/core/messages/core.h"
#include "engine/core/messages/data.h"
#include "engine/core/messages/hardware.h"
#include "engine/core/messages/model.h"
#include "engine/core/messages/onnx.h"
#include "ui/settings/languages.h"
#include "ui/text/advice_text.h"
#include "ui/text/error_text.h"

namespace steelyard::ui {
namespace {

// With a distinct value for each placeholder.
Message withValues(std::string_view id, std::string_view english) {
    std::vector<MessageArgument> values;
    for (int place = 1; place <= 9; ++place) {
        if (english.find("%" + std::to_string(place)) != std::string_view::npos)
            values.emplace_back("v" + std::to_string(place));
    }
    return Message(id, english, std::move(values));
}

class MessageTextTest : public ::testing::Test {
protected:
    ~MessageTextTest() override { m_languages.use(QStringLiteral("en")); }

    void use(const char* language) { ASSERT_TRUE(m_languages.use(QLatin1String(language))) << language; }

    LanguageController m_languages{*qApp};
};

TEST_F(MessageTextTest, IdsAreUniqueAndPlacesHaveNoGap) {
    std::set<std::string_view> ids;
    for (const auto& [id, english] : allMessages()) {
        EXPECT_TRUE(ids.insert(id).second) << id;
        bool ended = false;
        for (int place = 1; place <= 9; ++place) {
            const bool there = english.find("%" + std::to_string(place)) != std::string_view::npos;
            EXPECT_FALSE(ended && there) << id;
            ended = ended || !there;
        }
    }
    EXPECT_GT(ids.size(), 100U);
}

TEST_F(MessageTextTest, EnglishIsWhatTheEngineWrites) {
    use("en");
    for (const auto& [id, english] : allMessages()) {
        const auto message = withValues(id, english);
        EXPECT_EQ(MessageText::text(message).toStdString(), message.text) << id;
    }
    EXPECT_EQ(MessageText::sentence(compute::messages::notInstalled()),
              QStringLiteral("The backend is not installed."));
    EXPECT_EQ(MessageText::sentence(Message("one. Two.")), QStringLiteral("One. Two."));
    EXPECT_EQ(MessageText::sentence(campaign::messages::sameChoice("nodeA")),
              QStringLiteral("nodeA stays the best choice."));
    // Names of files and workloads are not translated.
    for (const auto* name :
         {"libcuda.so.1: cannot open it.", "/proc/stat cannot be read.", "bert_base has no data.", "v100 is busy."})
        EXPECT_EQ(MessageText::sentence(Message(name)), QString::fromLatin1(name));
}

TEST_F(MessageTextTest, EachMessageIsTranslatedWithAllItsValues) {
    static const QRegularExpression words(QStringLiteral("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
    static const QRegularExpression letters(QStringLiteral("[A-Za-z]{2,}"));
    for (const auto* language : {"zh_CN", "zh_TW"}) {
        use(language);
        for (const auto& [id, english] : allMessages()) {
            const auto message = withValues(id, english);
            const auto text = MessageText::text(message);
            // Text that consists of placeholders and punctuation only may be identical in every language.
            auto bare = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
            bare.remove(QRegularExpression(QStringLiteral("%\\d")));
            if (bare.contains(letters) && !bare.startsWith(QLatin1String("true"))) {
                EXPECT_NE(text.toStdString(), message.text) << language << ": " << id;
            }
            EXPECT_FALSE(text.contains(words)) << language << ": " << text.toStdString();
            for (int place = 1; place <= 9; ++place) {
                const auto value = QStringLiteral("v%1").arg(place);
                const bool expected = place <= static_cast<int>(message.arguments.size());
                EXPECT_EQ(text.count(value) > 0, expected) << language << ": " << id << " " << text.toStdString();
            }
        }
    }
}

TEST_F(MessageTextTest, MessagesWithinMessagesAreTranslatedToo) {
    use("zh_CN");
    const auto text = MessageText::text(
        hardware::messages::backendNotLoaded(compute::messages::librariesMissing("libcudnn.so.9: not found")));
    EXPECT_EQ(text.toStdString(), "未能加载 CUDA 后端：缺少其所需的库：libcudnn.so.9: not found");
    EXPECT_EQ(MessageText::text(Message("words of a library")), QStringLiteral("words of a library"));
    // A value may contain a percent sign, and an unknown id from a later version shows its English text.
    EXPECT_TRUE(MessageText::text(hardware::messages::notAValue("%1")).contains(QStringLiteral("%1")));
    EXPECT_EQ(MessageText::text(Message("bench.of_tomorrow", "in %1", {"2030"})), QStringLiteral("in 2030"));
}

// The errors of a run contain no English except for names.
TEST_F(MessageTextTest, FailuresOfARunAreToldInChinese) {
    const Error memory{ErrorKind::OutOfMemory, "vgg16", {}, {}, std::int64_t{12} << 30, std::int64_t{8} << 30};
    const Error disk{ErrorKind::DiskFull, "results.db", {}, {}, {}, {}};
    const Error layer{ErrorKind::Unsupported, "conv2d_1", compute::messages::referenceConvolution(), {}, {}, {}};
    const Error cancelled{ErrorKind::Cancelled, "mnist_mlp", {}, {}, {}, {}};
    const std::vector<Message> failures{
        hardware::messages::driverNotInstalled("libcuda.so.1"),
        compute::messages::noDriver(),
        messageOf(memory),
        messageOf(cancelled),
        messageOf(layer),
        messageOf(disk),
        bench::messages::childKilled(),
        bench::messages::gpuSlowedDown(hardware::messages::powerCap()),
        model::onnx::messages::atNode("conv2d_1", "vgg16", model::messages::shapesDiffer("3", "4")),
        messages::atPosition(3, 7, model::messages::memberMustBe("vgg16", messages::aNumber(), messages::anObject())),
        data::messages::labelRange(12, 0, 9),
    };
    static const QRegularExpression names(
        QStringLiteral("NVIDIA|GPU|GiB|oneDNN|libcuda\\.so\\.1|vgg16|mnist_mlp|conv2d_1|results\\.db"));
    static const QRegularExpression english(QStringLiteral("[A-Za-z]{2,}"));
    for (const auto* language : {"zh_CN", "zh_TW"}) {
        use(language);
        for (const auto& message : failures) {
            auto text = MessageText::text(message);
            EXPECT_FALSE(text.remove(names).contains(english)) << language << ": " << text.toStdString();
        }
        for (const auto& error : {memory, disk, layer, cancelled}) {
            auto text = ErrorText::full(error);
            EXPECT_FALSE(text.remove(names).contains(english)) << language << ": " << text.toStdString();
        }
    }
}

TEST_F(MessageTextTest, EveryReasonOfTheAdviceIsTranslated) {
    static const QRegularExpression english(QStringLiteral("[A-Za-z]{2,}"));
    for (const auto* language : {"zh_CN", "zh_TW"}) {
        use(language);
        for (int kind = 0; kind <= static_cast<int>(advisor::ReasonKind::Limited); ++kind) {
            for (const auto* subject : {"bandwidth_unknown", "input", "this computer's processor"}) {
                const advisor::Reason reason{static_cast<advisor::ReasonKind>(kind), subject, 3, 2};
                auto text = AdviceText::reason(reason);
                // Names are shown unchanged.
                text.remove(QLatin1String("GiB")).remove(QLatin1String(subject));
                EXPECT_FALSE(text.contains(english)) << language << ": " << text.toStdString();
            }
        }
    }
}

}  // namespace
}  // namespace steelyard::ui
