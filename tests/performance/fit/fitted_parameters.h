// SPDX-License-Identifier: Apache-2.0
// Writes what was fitted into a predictor_parameters.json. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "engine/advisor/predict/predictor_parameters.h"
#include "engine/core/error.h"

namespace steelyard::fit {

// The document `text` with source, date, constants, processor, bands and the stacks' factors of `fitted`; all else as
// it was. Members of `fitted` that the document lacks are not added. CorruptData when it is no such document.
[[nodiscard]] Result<std::string> withFitted(std::string_view text, const advisor::PredictorParameters& fitted);

}  // namespace steelyard::fit
