// SPDX-License-Identifier: Apache-2.0
#include "ui/text/status_text.h"

#include <QStringList>

#include "engine/bench/multi_device/device_group.h"
#include "engine/core/device_id.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
QString StatusText::name(bench::Status status) {
    switch (status) {
        case bench::Status::Ok:
            return tr("ok");
        case bench::Status::OutOfMemory:
            return tr("does not fit");
        case bench::Status::Unsupported:
            return tr("not supported");
        case bench::Status::TimedOut:
            return tr("timed out");
        case bench::Status::Cancelled:
            return tr("cancelled");
        case bench::Status::Failed:
            return tr("failed");
        case bench::Status::Crashed:
            return tr("crashed");
    }
    return {};
}

Tone StatusText::tone(bench::Status status) {
    switch (status) {
        case bench::Status::Ok:
            return Tone::Good;
        case bench::Status::OutOfMemory:
        case bench::Status::Unsupported:
        case bench::Status::TimedOut:
            return Tone::Caution;
        case bench::Status::Cancelled:
            return Tone::Neutral;
        case bench::Status::Failed:
        case bench::Status::Crashed:
            return Tone::Bad;
    }
    return Tone::Neutral;
}

QString StatusText::advice(bench::Status status) {
    switch (status) {
        case bench::Status::Ok:
            return {};
        case bench::Status::OutOfMemory:
            return tr("Choose a smaller batch, or a device with more memory.");
        case bench::Status::Unsupported:
            return tr("Choose another device or precision.");
        case bench::Status::TimedOut:
            return tr("Raise the time cap, or choose a smaller batch.");
        case bench::Status::Cancelled:
            return tr("Run it again to complete the suite.");
        case bench::Status::Failed:
            return tr("Read the reason; a report on the Hardware page helps to find the cause.");
        case bench::Status::Crashed:
            return tr("Run the case alone with a smaller batch; other cases were not affected.");
    }
    return {};
}

QString StatusText::name(bench::VerificationState state) {
    switch (state) {
        case bench::VerificationState::Pass:
            return tr("verified");
        case bench::VerificationState::Fail:
            return tr("wrong result");
        case bench::VerificationState::NotChecked:
            return tr("not checked");
    }
    return {};
}

Tone StatusText::tone(bench::VerificationState state) {
    switch (state) {
        case bench::VerificationState::Pass:
            return Tone::Good;
        case bench::VerificationState::Fail:
            return Tone::Bad;
        case bench::VerificationState::NotChecked:
            return Tone::Neutral;
    }
    return Tone::Neutral;
}

QString StatusText::name(bench::StopReason reason) {
    switch (reason) {
        case bench::StopReason::Precision:
            return tr("precise enough");
        case bench::StopReason::NoiseStable:
            return tr("noise no longer shrinks");
        case bench::StopReason::TimeCap:
            return tr("time cap reached");
        case bench::StopReason::Sustained:
            return tr("whole time sampled");
    }
    return {};
}

QString StatusText::name(bench::Phase phase) {
    switch (phase) {
        case bench::Phase::Compile:
            return tr("Compile");
        case bench::Phase::Verify:
            return tr("Verify");
        case bench::Phase::WarmUp:
            return tr("Warm up");
        case bench::Phase::Sampling:
            return tr("Sample");
        case bench::Phase::CoolDown:
            return tr("Cool down");
    }
    return {};
}

QString StatusText::name(bench::Verdict verdict) {
    switch (verdict) {
        case bench::Verdict::Faster:
            return tr("faster");
        case bench::Verdict::Slower:
            return tr("slower");
        case bench::Verdict::NoEvidence:
            return tr("no evidence");
        case bench::Verdict::NotComparable:
            return tr("not comparable");
    }
    return {};
}

Tone StatusText::tone(bench::Verdict verdict) {
    switch (verdict) {
        case bench::Verdict::Faster:
            return Tone::Good;
        case bench::Verdict::Slower:
            return Tone::Bad;
        case bench::Verdict::NoEvidence:
        case bench::Verdict::NotComparable:
            return Tone::Neutral;
    }
    return Tone::Neutral;
}

QString StatusText::name(bench::Difference difference) {
    switch (difference) {
        case bench::Difference::Workload:
            return tr("workload");
        case bench::Difference::Mode:
            return tr("mode");
        case bench::Difference::Device:
            return tr("device");
        case bench::Difference::DeviceName:
            return tr("hardware");
        case bench::Difference::Precision:
            return tr("precision");
        case bench::Difference::Batch:
            return tr("batch");
        case bench::Difference::Threads:
            return tr("threads");
        case bench::Difference::Isa:
            return tr("instruction set");
        case bench::Difference::Kernels:
            return tr("library of the matrix products");
        case bench::Difference::Data:
            return tr("data");
        case bench::Difference::Part:
            return tr("timed part");
        case bench::Difference::Optimizer:
            return tr("optimiser");
        case bench::Difference::SuiteVersion:
            return tr("suite version");
        case bench::Difference::BaseNotOk:
            return tr("no result in the base");
        case bench::Difference::OtherNotOk:
            return tr("no result in the other run");
    }
    return {};
}

QString StatusText::reason(const bench::Comparison& comparison) {
    switch (comparison.reason) {
        case bench::Reason::None:
            return {};
        case bench::Reason::SameWithinNoise:
            return tr("The same within the noise.");
        case bench::Reason::BelowPracticalDifference:
            return tr("Less than 2 % apart.");
        case bench::Reason::Disturbed:
            return tr("Other programs used the CPU during the measurement.");
        case bench::Reason::TooFewVisits:
            return tr("Too few visits, and no earlier runs that show how much results vary from run to run.");
        case bench::Reason::OtherState:
            return tr("The machine was in another state in each run, so the two times cannot be compared.");
        case bench::Reason::MachineMoved:
            return tr("It changed by the same factor as the whole machine.");
        case bench::Reason::DifferentThings:
            break;
    }
    QStringList parts;
    for (const auto& item : comparison.differences) {
        if (item.base.empty() && item.other.empty()) {
            parts << name(item.what);
        } else {
            parts << tr("%1: %2, %3").arg(name(item.what), plain(item.base), plain(item.other));
        }
    }
    return tr("Differs in %1.").arg(parts.join(QStringLiteral("; ")));
}

QString StatusText::name(hardware::GpuStatus status) {
    switch (status) {
        case hardware::GpuStatus::Usable:
            return tr("usable");
        case hardware::GpuStatus::UnsupportedVendor:
            return tr("no backend for this vendor");
        case hardware::GpuStatus::DriverMissing:
            return tr("driver missing");
        case hardware::GpuStatus::DriverTooOld:
            return tr("driver too old");
        case hardware::GpuStatus::DriverFailed:
            return tr("driver failed");
        case hardware::GpuStatus::NotVisible:
            return tr("hidden from this process");
        case hardware::GpuStatus::TooOld:
            return tr("card too old");
        case hardware::GpuStatus::BackendMissing:
            return tr("GPU backend missing");
    }
    return {};
}

QString StatusText::advice(hardware::GpuStatus status) {
    switch (status) {
        case hardware::GpuStatus::Usable:
            return {};
        case hardware::GpuStatus::UnsupportedVendor:
            return tr("Benchmarks run on the CPU.");
        case hardware::GpuStatus::DriverMissing:
            return tr("Install the vendor's driver and start the program again.");
        case hardware::GpuStatus::DriverTooOld:
            return tr("Update the driver and start the program again.");
        case hardware::GpuStatus::DriverFailed:
            return tr("Restart the computer; if the error persists, reinstall the driver.");
        case hardware::GpuStatus::NotVisible:
            return tr("Check CUDA_VISIBLE_DEVICES, or the container's device options.");
        case hardware::GpuStatus::TooOld:
            return tr("Benchmarks run on the CPU.");
        case hardware::GpuStatus::BackendMissing:
            return tr("Install the program's GPU package.");
    }
    return {};
}

QString StatusText::mode(plan::Mode mode) {
    return mode == plan::Mode::Train ? tr("Training") : tr("Inference");
}

QString StatusText::device(std::string_view device) {
    if (device == "cpu") return tr("CPU");
    if (device == "reference") return tr("Reference");
    const auto id = DeviceId::parse(device);
    if (id.gpu == 0) return tr("GPU");
    if (const auto shared = bench::deviceGroup(device); shared.isShared()) {
        if (shared.ids.front() == "cpu") return tr("CPUs of %1 nodes").arg(shared.count());
        QStringList names;
        for (const auto& name : shared.ids) {
            const auto one = DeviceId::parse(name);
            names << tr("GPU %1").arg(one.gpu ? QString::number(*one.gpu) : plain(one.name));
        }
        if (shared.sideBySide) return tr("%1, an experiment each").arg(names.join(QStringLiteral(", ")));
        return names.join(QStringLiteral(" + "));
    }
    if (id.gpu) return tr("GPU %1").arg(*id.gpu);
    return plain(device);
}

QString StatusText::runOrigin(std::string_view origin) {
    if (origin == "measured") return tr("measured here");
    if (origin == "imported") return tr("imported");
    return plain(origin);
}

QString StatusText::suite(std::string_view suite) {
    if (suite == "quick") return tr("Quick");
    if (suite == "standard") return tr("Standard");
    if (suite == "full") return tr("Full");
    if (suite == "scaling") return tr("Scaling");
    if (suite == "language") return tr("Language models");
    if (suite == "custom") return tr("Own selection");
    return plain(suite);
}

QString StatusText::family(std::string_view family) {
    if (family == "woolf2017") return tr("Cloud study 2017");
    if (family == "dlbench") return tr("Tools and devices (dlbench)");
    if (family == "kaggle_flowers") return tr("Flower photographs");
    if (family == "paradnn") return tr("Parameterised families (ParaDnn)");
    if (family == "staples") return tr("Today's networks");
    if (family == "own") return tr("Your networks");
    if (family == "micro") return tr("The machine itself");
    return plain(family);
}

QString StatusText::suiteStatus(std::string_view status) {
    if (status == "done") return tr("done");
    if (status == "partial") return tr("done, some cases without result");
    if (status == "cancelled") return tr("stopped");
    return plain(status);
}

QString StatusText::caseLabel(const bench::Case& spec, const QString& workloadTitle) {
    QStringList parts{workloadTitle, mode(spec.mode), device(spec.device), plain(toString(spec.precision)),
                      tr("batch %1").arg(Format::integer(spec.batch))};
    if (spec.threads) parts << tr("%n thread(s)", nullptr, *spec.threads);
    if (spec.isa) parts << plain(*spec.isa);
    if (spec.kernels) parts << plain(*spec.kernels);
    if (spec.part == bench::Part::Pipeline) parts << tr("input pipeline alone");
    if (spec.part == bench::Part::Together) parts << tr("with the input pipeline");
    return parts.join(QStringLiteral(" · "));
}

QString toneIcon(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return QStringLiteral("good");
        case Tone::Caution:
            return QStringLiteral("caution");
        case Tone::Bad:
            return QStringLiteral("bad");
        case Tone::Neutral:
            return QStringLiteral("unknown");
    }
    return {};
}

}  // namespace steelyard::ui
