// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/check_presenter.h"

#include "engine/bench/check/machine_check.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {

QString CheckPresenter::subject(bench::CheckKind kind, const std::string& device) {
    if (device == bench::kMainMemoryDevice) return tr("Main memory");
    const auto name = StatusText::device(device);
    switch (kind) {
        case bench::CheckKind::Memory:
            return tr("Memory of %1").arg(name);
        case bench::CheckKind::Operations:
            return tr("Operations of %1").arg(name);
        case bench::CheckKind::Load:
            return tr("Sustained load of %1").arg(name);
    }
    return {};
}

QString CheckPresenter::state(bench::CheckState state) {
    switch (state) {
        case bench::CheckState::Passed:
            return tr("passed");
        case bench::CheckState::Remarks:
            return tr("passed, with remarks");
        case bench::CheckState::Faults:
            return tr("faults");
        case bench::CheckState::Skipped:
            return tr("not checked");
        case bench::CheckState::Cancelled:
            return tr("stopped");
    }
    return {};
}

Tone CheckPresenter::tone(bench::CheckState state) {
    switch (state) {
        case bench::CheckState::Passed:
            return Tone::Good;
        case bench::CheckState::Remarks:
            return Tone::Caution;
        case bench::CheckState::Faults:
            return Tone::Bad;
        case bench::CheckState::Skipped:
        case bench::CheckState::Cancelled:
            break;
    }
    return Tone::Neutral;
}

CheckLine CheckPresenter::line(const bench::CheckPart& part) {
    CheckLine line;
    line.tone = tone(part.state);
    line.subject = subject(part.kind, part.device);
    line.state = state(part.state);
    // A stopped part has found nothing.
    if (part.state != bench::CheckState::Cancelled) line.sentence = MessageText::sentence(part.finding);
    if (part.firstMhz && part.lastMhz)
        line.details << tr("Clock: %1 MHz at the beginning, %2 MHz at the end")
                            .arg(Format::number(*part.firstMhz), Format::number(*part.lastMhz));
    if (part.hottestCelsius) line.details << tr("At most %1 °C").arg(Format::number(*part.hottestCelsius));
    for (const auto& detail : part.details) line.details << MessageText::sentence(detail);
    return line;
}

QString CheckPresenter::verdict(const bench::CheckReport& report) {
    return tr("%1: %2.").arg(Format::dateTime(report.startedUnixMs), MessageText::text(bench::verdictMessage(report)));
}

QString CheckPresenter::progress(const bench::CheckEvent& event) {
    return tr("Part %1 of %2: %3")
        .arg(Format::integer(event.partIndex + 1), Format::integer(event.partCount), subject(event.kind, event.device));
}

}  // namespace steelyard::ui
