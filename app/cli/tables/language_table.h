// SPDX-License-Identifier: Apache-2.0
// Language models on devices, as tables for the terminal. All speeds are predictions and are labelled so.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/advisor/language/fine_tuning.h"

namespace steelyard::cli {

// "Llama 3.1 8B, Q4_K_M, decode at context 4096, batch 1"
[[nodiscard]] std::string jobText(const advisor::LanguageJob& job);
// Fastest first; then devices without enough memory; then those without a prediction, with the reason.
void printLanguagePredictions(std::ostream& out, const advisor::LanguageJob& job,
                              const std::vector<advisor::LanguagePrediction>& predictions);
// Likewise for fine-tuning.
void printTuningPredictions(std::ostream& out, const advisor::TuningJob& job,
                            const std::vector<advisor::TuningPrediction>& predictions);
// "Llama 3.1 8B, qlora of rank 16, steps of 2048 tokens"
[[nodiscard]] std::string jobText(const advisor::TuningJob& job);
// Devices that the model fits on, smallest memory first.
void printFit(std::ostream& out, const advisor::LanguageJob& job,
              const std::vector<advisor::LanguagePrediction>& predictions);

}  // namespace steelyard::cli
