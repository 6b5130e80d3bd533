// SPDX-License-Identifier: Apache-2.0
// Prices from the catalogue files that SkyPilot keeps (github.com/skypilot-org/skypilot-catalog, vms.csv of each cloud;
// a user of it has them under ~/.sky/catalogs/<version>/<cloud>/). Read by column names; implausible rows are
// left out with the reason. Pure but for reading the files; a damaged file ends the import with an Error and changes
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
    bool cheapestRegionOnly = true;    // of each machine; the file lists some in forty regions
};

// Why a row, or one price of it, was left out.
enum class Rejection {
    FieldCount,         // fewer or more fields than the header
    NotANumber,         // in detail: the column
    Implausible,        // a price or size no machine has
    NoInstance,         // neither an instance nor an accelerator that stands alone
    NoPrice,            // offered neither on demand nor as spot
    PriceSentinel,      // 700.0: the publisher's mark for "no price"
    HostPriceUnknown,   // GCP: the machine of the accelerator has no price in this zone
    NoHostRow,          // GCP: the machine of the accelerator is not listed in this zone
    UnknownHost,        // GCP: which machine carries so many of this accelerator is not known
    SpotAboveOnDemand,  // the on-demand price belongs to another kind of contract: dropped, the spot price kept
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
    std::vector<Offer>
        offers;  // origin Imported; ids of shipped offers where it is the same machine in the same region
    std::vector<RejectedRow> rejected;
    std::size_t rows = 0;
    std::vector<std::string> files;
};

// `folder` holds vms.csv, or <cloud>/vms.csv, or <version>/<cloud>/vms.csv (of which the highest version with that
// cloud is read). The catalogue tells which devices are known and how a provider bills. NotFound when there is no such
// file.
[[nodiscard]] Result<SkyPilotImport> importSkyPilot(const std::filesystem::path& folder, const Catalog& catalog,
                                                    const SkyPilotOptions& options = {});

// Memory of one device, from the Python dictionary in the GpuInfo column; nothing when there is none.
[[nodiscard]] std::optional<Bytes> deviceMemoryFromGpuInfo(std::string_view text);

}  // namespace steelyard::catalog
