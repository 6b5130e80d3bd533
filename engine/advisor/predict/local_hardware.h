// SPDX-License-Identifier: Apache-2.0
// The user's own computer and its measured or imported results, as input of the predictor. Pure functions.
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

// The catalogue's device that a driver or system calls `name` ("NVIDIA A100-SXM4-40GB", "AMD EPYC 9654 96-Core
// Processor"); nullptr when none fits. The memory, where known, decides between variants.
[[nodiscard]] const catalog::HardwareSpec* matchDevice(const catalog::Catalog& catalog, std::string_view name,
                                                       std::optional<double> memoryBytes = {});

// A device of the profile as --device takes it ("cpu", "cuda:0"): from the catalogue if it is there, else from what
// the system reports. No value if that is not enough.
[[nodiscard]] std::optional<DeviceModel> ownDevice(const hardware::HardwareProfile& profile, std::string_view device,
                                                   const catalog::Catalog& catalog,
                                                   const PredictorParameters& parameters);

// Every usable device of the computer, the processor first, as candidates without a price.
[[nodiscard]] std::vector<OwnCandidate> ownDevices(const hardware::HardwareProfile& profile,
                                                   const catalog::Catalog& catalog,
                                                   const PredictorParameters& parameters);

// Their electricity cost: from the published power, of a processor in proportion to its cores; if none is published,
// from a typical value, and the source of the price says so.
struct Electricity {
    double usdPerKwh = 0.12;
    std::optional<double> watts;  // of each device, when it is known better
};
void chargeElectricity(std::vector<OwnCandidate>& own, const catalog::Catalog& catalog,
                       const Electricity& electricity = {});

// Measured cases as references: those that ended well, of workloads that can still be built, on devices that are known.
// Newest last; of one configuration the newest stays. The reference backend does not count. Results of other
// programs (bench/imported/imported_results.h) count where their software is a stack of the parameters.
// Run by run, oldest first, so that a long history need not be in memory at once. Keeps the catalogue and the
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
