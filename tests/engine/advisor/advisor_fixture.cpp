// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/advisor/advisor_fixture.h"

#include <map>

#include "engine/model/zoo/zoo.h"

namespace steelyard::advisor::test {

std::filesystem::path resources() {
    return std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources";
}

const catalog::Catalog& shippedCatalog() {
    static const auto value = catalog::loadCatalog(resources() / "catalog").value();
    return value;
}

const PredictorParameters& shippedParameters() {
    static const auto value = loadPredictorParameters(resources() / "catalog/predictor_parameters.json").value();
    return value;
}

const LanguageParameters& shippedLanguageParameters() {
    static const auto value = loadLanguageParameters(resources()).value();
    return value;
}

const model::DecoderTable& shippedDecoders() {
    static const auto value = model::loadDecoderTable(resources()).value();
    return value;
}

DeviceModel device(std::string_view id) {
    return deviceModel(*shippedCatalog().findHardware(id), shippedParameters()).value();
}

JobModel job(std::string_view workload, plan::Mode mode, std::int64_t batch, plan::Precision precision) {
    const auto* entry = model::findWorkload(workload).value();
    auto result =
        jobModel(plan::lower(entry->build().value(),
                             {.mode = mode, .batch = 1, .precision = precision, .optimizer = entry->optimizer})
                     .value());
    result.workload = entry->id;
    result.batch = batch;
    return result;
}

}  // namespace steelyard::advisor::test
