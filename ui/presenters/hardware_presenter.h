// SPDX-License-Identifier: Apache-2.0
// A HardwareProfile as rows, cards and one line. Unknown facts are dashes with a reason. Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/hardware/profile/hardware_profile.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

struct GpuCard {
    QString title;
    Tone tone = Tone::Neutral;
    QString status;
    QString reason;  // why it cannot be used, and what to do
    std::vector<Detail> facts;
};

struct BackendRow {
    QString name;
    bool loaded = false;
    QString reason;
};

class HardwarePresenter {
    Q_DECLARE_TR_FUNCTIONS(HardwarePresenter)

public:
    // "AMD EPYC 9354 · 16 of 32 cores usable · 62.8 GiB memory · no GPU".
    static QString computerLine(const hardware::HardwareProfile& profile);
    // Reductions by the memory limit, the CPU quota or the affinity, in one sentence; empty if there are none.
    static QString limits(const hardware::HardwareProfile& profile);
    // Fact, detected, allowed, used, source. The key of a correctable row is the fact's path.
    static TableContent facts(const hardware::HardwareProfile& profile);
    // For editing a fact: "24 GiB", "16"; and the input in the engine's format.
    static QString editText(const hardware::HardwareProfile& profile, const QString& path);
    static std::string parsed(const QString& path, const QString& text);
    static std::vector<GpuCard> gpus(const hardware::HardwareProfile& profile);
    // Why there is no card, and the consequences; empty if there is one.
    static QString noGpuText(const hardware::HardwareProfile& profile);
    static std::vector<BackendRow> backends(const hardware::HardwareProfile& profile);
};

}  // namespace steelyard::ui
