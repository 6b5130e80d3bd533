// SPDX-License-Identifier: Apache-2.0
// Writes fitted values into predictor_parameters.json. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "engine/advisor/predict/predictor_parameters.h"
#include "engine/core/error.h"

namespace steelyard::fit {

// The document `text` with source, date, constants, processor, bands and the stacks' factors of `fitted`; the rest is
// unchanged. Members of `fitted` missing in the document are not added. CorruptData if it is not such a document.
[[nodiscard]] Result<std::string> withFitted(std::string_view text, const advisor::PredictorParameters& fitted);

}  // namespace steelyard::fit
