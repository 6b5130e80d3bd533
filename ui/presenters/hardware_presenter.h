// SPDX-License-Identifier: Apache-2.0
// A HardwareProfile as rows, cards and one line. Unknown facts are dashes that carry their reason. Pure functions.
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
    // What the memory limit, the quota or the affinity takes away, in one sentence; empty when nothing does.
    static QString limits(const hardware::HardwareProfile& profile);
    // Fact, detected, allowed, used, source. The key of a row that can be corrected is the path of its fact.
    static TableContent facts(const hardware::HardwareProfile& profile);
    // For the field that corrects a fact: "24 GiB", "16"; and what was typed there as the engine reads it.
    static QString editText(const hardware::HardwareProfile& profile, const QString& path);
    static std::string parsed(const QString& path, const QString& text);
    static std::vector<GpuCard> gpus(const hardware::HardwareProfile& profile);
    // Why there is no card, and what that means; empty when there is one.
    static QString noGpuText(const hardware::HardwareProfile& profile);
    static std::vector<BackendRow> backends(const hardware::HardwareProfile& profile);
};

}  // namespace steelyard::ui
