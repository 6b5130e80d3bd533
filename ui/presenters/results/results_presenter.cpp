// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/results_presenter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/bench/multi_device/device_group.h"
#include "engine/core/device_id.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/results_detail.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {

using namespace resultsdetail;

namespace {

bool isOk(const bench::CaseRecord& record) {
    return record.status == bench::Status::Ok && record.stepSeconds.has_value();
}

}  // namespace

int deviceColour(const std::string& device) {
    if (device == "reference") return 6;
    // Of several devices the first one's.
    const auto first = DeviceId::parse(bench::deviceGroup(device).ids.front());
    return first.gpu ? 1 + *first.gpu % 5 : 0;
}

QString ResultsPresenter::unitName(SpeedUnit unit) {
    switch (unit) {
        case SpeedUnit::SecondsPerStep:
            return tr("Time per step");
        case SpeedUnit::SamplesPerSecond:
            return tr("Samples per second");
        case SpeedUnit::FlopRate:
            return tr("FLOP/s");
    }
    return {};
}

QString ResultsPresenter::workloadTitle(const bench::CaseRecord& record) const {
    return plain(m_catalogue.titleOf(record.spec.workload));
}

QString ResultsPresenter::subtitle() const {
    std::set<std::string> devices;
    for (const auto& record : m_run.records) {
        if (!record.deviceName.empty()) devices.insert(record.deviceName);
    }
    QStringList parts;
    if (!m_run.computer.empty()) parts << plain(m_run.computer);
    for (const auto& device : devices) parts << plain(device);
    parts << Format::dateTime(m_run.startedUnixMs);
    if (m_run.origin == "imported") parts << tr("imported");
    return parts.join(QStringLiteral(" · "));
}

ChartPoint ResultsPresenter::speedPoint(std::size_t position, SpeedUnit unit) const {
    const auto& record = m_run.records[position];
    ChartPoint point;
    point.key = RecordsPresenter::keyOf(position);
    point.basis = m_run.origin == "imported" ? Basis::Imported : Basis::Measured;
    point.note = record.warnings.empty() ? QString() : MessageText::text(record.warnings.front());
    if (!isOk(record)) {
        point.reason = record.reason.empty() ? StatusText::name(record.status)
                                             : QStringLiteral("%1: %2").arg(StatusText::name(record.status),
                                                                            MessageText::text(record.reason));
        return point;
    }
    const auto& step = *record.stepSeconds;
    const auto setRate = [&](double rate) {
        point.y = rate;
        if (const auto interval = rateInterval(record, rate))
            point.interval = ChartInterval{interval->low, interval->high};
    };
    switch (unit) {
        case SpeedUnit::SecondsPerStep:
            point.y = step.median;
            if (step.ci95Low && step.ci95High) point.interval = ChartInterval{*step.ci95Low, *step.ci95High};
            break;
        case SpeedUnit::SamplesPerSecond:
            // Not record.throughput: that counts tokens for some workloads, and one axis has one unit.
            if (step.median > 0) setRate(static_cast<double>(record.spec.batch) / step.median);
            break;
        case SpeedUnit::FlopRate:
            if (record.utilization) {
                setRate(record.utilization->achievedFlops);
            } else {
                point.reason = tr("the work per step is not known");
            }
            break;
    }
    return point;
}

bool ResultsPresenter::hasMode(const std::string& mode) const {
    return std::any_of(m_run.records.begin(), m_run.records.end(),
                       [&](const auto& record) { return record.spec.mode == mode; });
}

QString ResultsPresenter::summary() const {
    std::map<bench::Status, int> counts;
    for (const auto& record : m_run.records) ++counts[record.status];
    QStringList parts;
    for (const auto& [status, count] : counts) {
        parts << QStringLiteral("%1 %2").arg(Format::integer(count), StatusText::name(status));
    }
    return tr("%n case(s): %1", nullptr, static_cast<int>(m_run.records.size())).arg(parts.join(QStringLiteral(", ")));
}

Tone ResultsPresenter::verificationTone() const {
    bool all = !m_run.records.empty();
    for (const auto& record : m_run.records) {
        if (record.verification.state == bench::VerificationState::Fail) return Tone::Bad;
        if (record.status == bench::Status::Ok && record.verification.state != bench::VerificationState::Pass)
            all = false;
    }
    return all ? Tone::Good : Tone::Neutral;
}

QString ResultsPresenter::verificationText() const {
    int pass = 0;
    int fail = 0;
    int unchecked = 0;
    for (const auto& record : m_run.records) {
        switch (record.verification.state) {
            case bench::VerificationState::Pass:
                ++pass;
                break;
            case bench::VerificationState::Fail:
                ++fail;
                break;
            case bench::VerificationState::NotChecked:
                unchecked += record.status == bench::Status::Ok ? 1 : 0;
                break;
        }
    }
    QStringList parts{tr("%n case(s) verified", nullptr, pass)};
    if (fail > 0) parts << tr("%n wrong", nullptr, fail);
    if (unchecked > 0) parts << tr("%n not checked", nullptr, unchecked);
    return parts.join(QStringLiteral(", "));
}

}  // namespace steelyard::ui
