// SPDX-License-Identifier: Apache-2.0
// JSON output of the commands on language models. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/advisor/language/fine_tuning.h"
#include "engine/advisor/language/language_backtest.h"
#include "engine/advisor/language/language_model.h"

namespace steelyard::advisor {

// show: the specification with sizes for one weight format and context length.
[[nodiscard]] std::string languageModelJson(const LanguageJob& job, int indent = 2);
// predict and fit: the requested devices, in the catalogue's order.
[[nodiscard]] std::string languagePredictionsJson(const LanguageJob& job, const LanguageRequest& request,
                                                  const LanguageParameters& parameters,
                                                  const std::vector<LanguagePrediction>& predictions, int indent = 2);
[[nodiscard]] std::string languageBacktestJson(const LanguageParameters& parameters, const LanguageBacktest& report,
                                               int indent = 2);
// predict --mode train, lora, qlora
[[nodiscard]] std::string tuningPredictionsJson(const TuningJob& job, const TuningRequest& request,
                                                const TrainingParameters& parameters,
                                                const std::vector<TuningPrediction>& predictions, int indent = 2);
// advise --job finetune
[[nodiscard]] std::string tuningAdviceJson(const TuningOfferRequest& request, const TrainingParameters& parameters,
                                           const TuningAdvice& advice, int indent = 2);
// list models
[[nodiscard]] std::string languageModelsJson(const model::DecoderTable& table, int indent = 2);

}  // namespace steelyard::advisor
