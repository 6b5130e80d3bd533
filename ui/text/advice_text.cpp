// SPDX-License-Identifier: Apache-2.0
#include "ui/text/advice_text.h"

#include <QRegularExpression>

#include "ui/text/message_text.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

const QRegularExpression& repositorySource() {
    static const QRegularExpression pattern(
        QStringLiteral("github:([\\w.-]+)/([\\w.-]+)@([0-9a-f]+)(?: ([\\w./-]+))?"));
    return pattern;
}

}  // namespace

QString AdviceText::sourceName(const QString& source) {
    const auto match = repositorySource().match(source);
    return match.hasMatch() ? match.captured(2) : source;
}

QUrl AdviceText::sourceLink(const QString& source) {
    if (source.startsWith(QLatin1String("https://"))) return QUrl(source.section(QLatin1Char(' '), 0, 0));
    const auto match = repositorySource().match(source);
    if (!match.hasMatch()) return {};
    const auto place = match.captured(4).isEmpty()
                           ? QStringLiteral("tree/%1").arg(match.captured(3))
                           : QStringLiteral("blob/%1/%2").arg(match.captured(3), match.captured(4));
    return QUrl(QStringLiteral("https://github.com/%1/%2/%3").arg(match.captured(1), match.captured(2), place));
}

QString AdviceText::machine(std::string_view title) {
    return MessageText::text(advisor::machineTitle(title));
}

QString AdviceText::limit(std::string_view name) {
    return MessageText::text(advisor::limitMessage(name));
}

QString AdviceText::reason(const advisor::Reason& reason) {
    return MessageText::text(advisor::messageOf(reason));
}

QString AdviceText::name(advisor::Priority priority) {
    switch (priority) {
        case advisor::Priority::Cheapest:
            return tr("Cheapest");
        case advisor::Priority::Fastest:
            return tr("Fastest");
        case advisor::Priority::Balanced:
            return tr("Balanced");
    }
    return {};
}

QString AdviceText::name(advisor::Basis basis) {
    switch (basis) {
        case advisor::Basis::Measured:
            return tr("measured");
        case advisor::Basis::Anchored:
            return tr("estimate from a measurement");
        case advisor::Basis::Extrapolated:
            return tr("estimate");
    }
    return {};
}

QString AdviceText::bandClass(advisor::BandClass value) {
    using Class = advisor::BandClass;
    switch (value) {
        case Class::SameGenerationTransfer:
            return tr("transferred from a device of the same generation");
        case Class::MedianTransfer:
            return tr("transferred from several devices");
        case Class::OtherGenerationTransfer:
            return tr("transferred from a device of another generation");
        case Class::Anchored:
            return tr("other networks were measured on this device");
        case Class::KnownStack:
            return tr("device not measured, known software");
        case Class::LaunchBound:
            return tr("small operations: limited by launch overhead");
        case Class::UnknownStack:
            return tr("unknown software on this device");
        case Class::Unmeasured:
            return tr("no measurement on this device yet");
        case Class::OtherProcessor:
            return tr("another processor");
        case Class::Uncalibrated:
            return tr("no published figures to compare with: low confidence");
    }
    return {};
}

QString AdviceText::name(advisor::VariantVerdict verdict) {
    switch (verdict) {
        case advisor::VariantVerdict::Pays:
            return tr("worth it");
        case advisor::VariantVerdict::Costs:
            return tr("costs time");
        case advisor::VariantVerdict::Undecided:
            return tr("unclear");
    }
    return {};
}

QString AdviceText::preset(std::string_view id) {
    if (id == "overnight_hobbyist") return tr("Hobbyist (runs overnight)");
    if (id == "professional") return tr("Professional");
    if (id == "beginner") return tr("Beginner on a small budget");
    if (id == "competition") return tr("Competition");
    if (id == "researcher") return tr("Researcher");
    if (id == "team") return tr("Team with a cluster");
    return plain(id);
}

QString AdviceText::studyTitle(std::string_view title) {
    static constexpr const char* kShipped[] = {
        QT_TRANSLATE_NOOP("AdviceText", "CPU or GPU in the cloud, 2017"),
        QT_TRANSLATE_NOOP("AdviceText", "CPU or GPU in the cloud, 2017: the seventh workload"),
        QT_TRANSLATE_NOOP("AdviceText", "The follow-up with TensorFlow 1.4 and CNTK 2.2"),
    };
    for (const auto* shipped : kShipped)
        if (title == shipped) return tr(shipped);
    return plain(title);
}

QString AdviceText::studyNotes(std::string_view notes) {
    static constexpr const char* kShipped[] = {
        QT_TRANSLATE_NOOP("AdviceText",
                          "One run per cell. Mean seconds of an epoch, its validation included. CPU prices are "
                          "preemptible, the GPU's is not."),
        QT_TRANSLATE_NOOP("AdviceText", "One run per cell. Mean seconds of an epoch, its validation included."),
        QT_TRANSLATE_NOOP("AdviceText",
                          "One run per cell. Mean seconds of an epoch. CPU prices are preemptible, the GPU's is not."),
    };
    for (const auto* shipped : kShipped)
        if (notes == shipped) return tr(shipped);
    return plain(notes);
}

QString AdviceText::backtestClass(std::string_view name) {
    if (name == "leave_one_chip_out") return tr("one chip left out");
    if (name == "leave_one_family_out") return tr("one family of networks left out");
    if (name == "transfer_same_generation") return tr("transferred within a generation");
    if (name == "transfer_other_generation") return tr("transferred to another generation");
    if (name == "transfer_median") return tr("transferred from several devices");
    if (name == "anchored") return tr("other networks measured on the device");
    if (name == "convolutional") return tr("convolutional networks");
    if (name == "transformer") return tr("transformers");
    if (name == "recurrent") return tr("recurrent networks");
    if (name == "dense") return tr("dense networks");
    if (name == "launch_bound") return tr("small operations");
    if (name == "batch_up_to_8") return tr("batches up to 8");
    if (name == "unknown_stack") return tr("unknown software");
    return plain(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace steelyard::ui
