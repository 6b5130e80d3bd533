// SPDX-License-Identifier: Apache-2.0
// How wrong the speed model of language models is, on published speeds (resources/backtest/language_rows.csv). Each row
// has what the shipped constants say, and what constants said that were fitted without the row's device; the latter
// were found outside of this program and are kept as data. Read once; pure afterwards.
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
    double fitted = 0;         // by the model this one is a port of
    double deviceLeftOut = 0;  // by constants fitted without the device
    bool stackSeenElsewhere = false;
};
[[nodiscard]] Result<std::vector<LanguageRow>> languageRowsFromCsv(std::string name, std::string text);
// backtest/language_rows.csv of the resources.
[[nodiscard]] Result<std::vector<LanguageRow>> loadLanguageRows(const std::filesystem::path& resources);

// Tokens per second of a row by this program.
[[nodiscard]] double predictedTokensPerSecond(const LanguageParameters& parameters, const LanguageRow& row);

struct LanguageBacktest {
    // "decode_fitted", "decode_device_left_out", "decode_device_left_out_nvidia_gddr", ..., and the same of prefill.
    // Coverage: of the shipped bands.
    std::vector<ErrorSummary> classes;
    std::size_t rankedPairs = 0,
                rankedRight = 0;         // of devices left out, whose measured speeds differ by more than 25 %
    std::size_t predictedAboveRoof = 0;  // never
};
[[nodiscard]] LanguageBacktest languageBacktest(const LanguageParameters& parameters,
                                                const std::vector<LanguageRow>& rows);

}  // namespace steelyard::advisor
