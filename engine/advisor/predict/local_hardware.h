// SPDX-License-Identifier: Apache-2.0
// The user's computer and its measured or imported results as predictor input. Pure functions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/rank/ranking.h"
#include "engine/bench/record/record.h"
#include "engine/catalog/catalog.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::advisor {

// The catalogue's device that a driver or system names `name` ("NVIDIA A100-SXM4-40GB", "AMD EPYC 9654 96-Core
// Processor"); nullptr if none matches. The memory size, if known, selects among variants.
[[nodiscard]] const catalog::HardwareSpec* matchDevice(const catalog::Catalog& catalog, std::string_view name,
                                                       std::optional<double> memoryBytes = {});

// A device of the profile as named by --device ("cpu", "cuda:0"): from the catalogue if listed, else from what the
// system reports. No value if that is insufficient.
[[nodiscard]] std::optional<DeviceModel> ownDevice(const hardware::HardwareProfile& profile, std::string_view device,
                                                   const catalog::Catalog& catalog,
                                                   const PredictorParameters& parameters);

// Every usable device of the computer, the processor first, as candidates without a price.
[[nodiscard]] std::vector<OwnCandidate> ownDevices(const hardware::HardwareProfile& profile,
                                                   const catalog::Catalog& catalog,
                                                   const PredictorParameters& parameters);

// Their electricity cost: from the published power, for a processor in proportion to the cores used; if none is
// published, from a typical value, as the source of the price states.
struct Electricity {
    double usdPerKwh = 0.12;
    std::optional<double> watts;  // per device, if known more precisely
};
void chargeElectricity(std::vector<OwnCandidate>& own, const catalog::Catalog& catalog,
                       const Electricity& electricity = {});

// Measured cases as references: successful ones, of workloads that can still be built, on known devices. In order of
// time; of repeated configurations the latest is kept. The reference backend is excluded. Results of other programs
// (bench/imported/imported_results.h) are included if their software is a stack of the parameters.
// Takes run by run, oldest first, so that a long history need not be in memory at once. Keeps the catalogue and the
// parameters by reference.
class ReferenceCollector {
public:
    ReferenceCollector(const catalog::Catalog& catalog, const PredictorParameters& parameters);
    ReferenceCollector(const ReferenceCollector&) = delete;
    ReferenceCollector& operator=(const ReferenceCollector&) = delete;
    ~ReferenceCollector();
    void add(const bench::RunRecord& run);
    [[nodiscard]] std::vector<Reference> references() const;

private:
    struct Known;
    std::unique_ptr<Known> m_known;
};
[[nodiscard]] std::vector<Reference> referencesFrom(std::span<const bench::RunRecord> runs,
                                                    const catalog::Catalog& catalog,
                                                    const PredictorParameters& parameters);

}  // namespace steelyard::advisor
