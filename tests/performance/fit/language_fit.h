// SPDX-License-Identifier: Apache-2.0
// Fits the constants of language_speed.h to published rows. Minimised is the sum of robust squared logarithms of
// predicted over measured, in which every device has the same weight with each software, however many rows; from round
// start values, within bounds, by damped Gauss-Newton steps. Decode and prefill have no constants in common and are
// fitted apart. Used by fit_language and by tests. Deterministic; results have six digits; one thread per call.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/advisor/language/language_backtest.h"

namespace steelyard::fit {

// The rows for which `use` holds. Software without such a row is omitted. Without bands.
[[nodiscard]] advisor::LanguageParameters fitLanguage(std::span<const advisor::LanguageRow> rows,
                                                      const std::function<bool(const advisor::LanguageRow&)>& use);

// Some GPUs appear under several names: those with the same figures are one. Processors are told apart by name, because
// their speed depends on the computer.
[[nodiscard]] bool isSameDevice(const advisor::LanguageRow& a, const advisor::LanguageRow& b);

// Predicted tokens per second of every row, in their order: by all rows, without those of its device, and without those
// of its software. The software of a row that has no other device is then unknown.
struct LanguageFolds {
    std::vector<double> fitted, deviceLeftOut, softwareLeftOut;
    std::vector<bool> stackSeenElsewhere;
};
[[nodiscard]] LanguageFolds languageFolds(std::span<const advisor::LanguageRow> rows);

// The shipped constants and bands. A band reaches from the 10th to the 90th percentile of measured over predicted with
// the device left out, widened until bands found without a device hold for four of five of its rows.
[[nodiscard]] advisor::LanguageParameters shippedLanguage(std::span<const advisor::LanguageRow> rows,
                                                          const LanguageFolds& folds, const std::string& date);

// `csv` (language_rows.csv) with the columns device_left_out, software_left_out and stack_seen_elsewhere replaced.
[[nodiscard]] Result<std::string> withFolds(std::string name, std::string csv, const LanguageFolds& folds);

}  // namespace steelyard::fit
