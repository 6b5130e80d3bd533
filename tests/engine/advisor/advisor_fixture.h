// SPDX-License-Identifier: Apache-2.0
// The shipped catalogue and constants, and jobs of the zoo, for the advisor's tests. Read once.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/advisor/language/language_parameters.h"
#include "engine/advisor/predict/predictor.h"
#include "engine/catalog/catalog.h"
#include "engine/model/decoder/decoder_table.h"

namespace steelyard::advisor::test {

inline constexpr double kGib = 1024.0 * 1024 * 1024;

[[nodiscard]] std::filesystem::path resources();
[[nodiscard]] const catalog::Catalog& shippedCatalog();
[[nodiscard]] const PredictorParameters& shippedParameters();
[[nodiscard]] const LanguageParameters& shippedLanguageParameters();
[[nodiscard]] const model::DecoderTable& shippedDecoders();
[[nodiscard]] DeviceModel device(std::string_view id);
[[nodiscard]] JobModel job(std::string_view workload, plan::Mode mode, std::int64_t batch,
                           plan::Precision precision = plan::Precision::Fp32);

}  // namespace steelyard::advisor::test
