// SPDX-License-Identifier: Apache-2.0
// Translates the engine's enumerations and fixed terms, with what to try next after a failure. Exhaustive switches.
// Unknown modes, devices and precisions are shown unchanged. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

#include "engine/bench/compare/comparison.h"
#include "engine/bench/record/record.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::ui {

// Severity: selects icon and colour, which always accompany a word.
enum class Tone { Neutral, Good, Caution, Bad };

class StatusText {
    Q_DECLARE_TR_FUNCTIONS(StatusText)

public:
    static QString name(bench::Status status);
    static Tone tone(bench::Status status);
    // What to try next; empty if ok.
    static QString advice(bench::Status status);

    static QString name(bench::VerificationState state);
    static Tone tone(bench::VerificationState state);
    static QString name(bench::StopReason reason);
    static QString name(bench::Phase phase);

    static QString name(bench::Verdict verdict);
    static Tone tone(bench::Verdict verdict);
    static QString name(bench::Difference difference);
    // Why there is no verdict, or what differs; empty for faster and slower.
    static QString reason(const bench::Comparison& comparison);

    static QString name(hardware::GpuStatus status);
    // How to make the card usable; empty if it is.
    static QString advice(hardware::GpuStatus status);

    static QString mode(plan::Mode mode);
    static QString device(std::string_view device);       // cpu, cuda:0, reference
    static QString runOrigin(std::string_view origin);    // measured, imported
    static QString suite(std::string_view suite);         // quick, standard, full, custom
    static QString family(std::string_view family);       // groups of the zoo
    static QString suiteStatus(std::string_view status);  // done, partial, cancelled
    // "ResNet-50 · Training · CPU · fp32 · batch 16".
    static QString caseLabel(const bench::Case& spec, const QString& workloadTitle);
};

// Name of the tone's icon (resources/icons).
[[nodiscard]] QString toneIcon(Tone tone);

}  // namespace steelyard::ui
