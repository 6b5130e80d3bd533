// SPDX-License-Identifier: Apache-2.0
// The engine's enumerations and fixed words in the user's language, with what to try next where something failed.
// Exhaustive switches. A mode, device or precision unknown here is shown as it is. Pure functions; any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

#include "engine/bench/compare/comparison.h"
#include "engine/bench/record/record.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::ui {

// How good news something is: chooses icon and colour, which always stand beside a word.
enum class Tone { Neutral, Good, Caution, Bad };

class StatusText {
    Q_DECLARE_TR_FUNCTIONS(StatusText)

public:
    static QString name(bench::Status status);
    static Tone tone(bench::Status status);
    // What to try next; empty when ok.
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
    // What to do so that the card can be used; empty when usable.
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

// Names of the tone's icon (resources/icons).
[[nodiscard]] QString toneIcon(Tone tone);

}  // namespace steelyard::ui
