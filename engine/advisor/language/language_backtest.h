// SPDX-License-Identifier: Apache-2.0
// Error of the language model speed model on published speeds (resources/backtest/language_rows.csv). Each row also has
// the predictions of constants fitted without the row's device and without its software, stored by
// tests/performance/fit/fit_language. Read once; pure afterwards.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/advisor/evidence/backtest.h"
#include "engine/advisor/language/language_speed.h"

namespace steelyard::advisor {

struct LanguageRow {
    bool prefill = false;
    LanguageDevice device;
    std::string deviceName, model, weights, stack;
    LanguageWork work;
    LanguageConditions conditions;
    double measured = 0;       // tokens per second
    double fitted = 0;         // by the model that this one was ported from
    double deviceLeftOut = 0;  // by constants fitted without the device
    double softwareLeftOut = 0;
    bool stackSeenElsewhere = false;
};
[[nodiscard]] Result<std::vector<LanguageRow>> languageRowsFromCsv(std::string name, std::string text);
// backtest/language_rows.csv in the resources.
[[nodiscard]] Result<std::vector<LanguageRow>> loadLanguageRows(const std::filesystem::path& resources);

// Predicted tokens per second of a row.
[[nodiscard]] double predictedTokensPerSecond(const LanguageParameters& parameters, const LanguageRow& row);

struct LanguageBacktest {
    // "decode_fitted", "decode_device_left_out", "decode_software_left_out", "decode_device_left_out_nvidia_gddr", ...,
    // and the same for prefill. Coverage: of the shipped bands.
    std::vector<ErrorSummary> classes;
    std::size_t rankedPairs = 0,
                rankedRight = 0;         // of devices left out, whose measured speeds differ by more than 25 %
    std::size_t predictedAboveRoof = 0;  // must be 0
};
[[nodiscard]] LanguageBacktest languageBacktest(const LanguageParameters& parameters,
                                                const std::vector<LanguageRow>& rows);

}  // namespace steelyard::advisor
