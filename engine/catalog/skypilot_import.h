// SPDX-License-Identifier: Apache-2.0
// Imports prices from SkyPilot's catalogue files (github.com/skypilot-org/skypilot-catalog, vms.csv of each cloud;
// SkyPilot users have them in ~/.sky/catalogs/<version>/<cloud>/). Columns are found by name; implausible rows are
// skipped with the reason. Pure but for reading the files; a damaged file ends the import with an Error and changes
// nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/catalog.h"

namespace steelyard::catalog {

struct SkyPilotOptions {
    std::vector<std::string> regions;  // empty: all
    bool cheapestRegionOnly = true;    // per machine; the file lists some in forty regions
};

// Why a row, or one of its prices, was skipped.
enum class Rejection {
    FieldCount,         // fewer or more fields than the header
    NotANumber,         // detail: the column
    Implausible,        // a price or size that no machine has
    NoInstance,         // neither an instance nor a standalone accelerator
    NoPrice,            // offered neither on demand nor as spot
    PriceSentinel,      // 700.0: the publisher's mark for "no price"
    HostPriceUnknown,   // GCP: the host machine of the accelerator has no price in this zone
    NoHostRow,          // GCP: the host machine of the accelerator is not listed in this zone
    UnknownHost,        // GCP: the host machine for this number of accelerators is unknown
    SpotAboveOnDemand,  // the on-demand price belongs to another contract type: dropped, the spot price is kept
};
[[nodiscard]] std::string_view toString(Rejection reason);

struct RejectedRow {
    std::string file;
    std::size_t line = 0;
    Rejection reason = Rejection::NoPrice;
    std::string detail;
    bool wholeRow = true;  // false: only one of its prices
};

struct SkyPilotImport {
    std::vector<Offer> offers;  // origin Imported; the id of the shipped offer for the same machine and region
    std::vector<RejectedRow> rejected;
    std::size_t rows = 0;
    std::vector<std::string> files;
};

// `folder` holds vms.csv, <cloud>/vms.csv, or <version>/<cloud>/vms.csv (the highest version with that cloud is read).
// The catalogue determines the known devices and the providers' billing rules. NotFound if there is no such file.
[[nodiscard]] Result<SkyPilotImport> importSkyPilot(const std::filesystem::path& folder, const Catalog& catalog,
                                                    const SkyPilotOptions& options = {});

// Memory of one device, from the Python dictionary in the GpuInfo column; nothing if missing.
[[nodiscard]] std::optional<Bytes> deviceMemoryFromGpuInfo(std::string_view text);

}  // namespace steelyard::catalog
