// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/skypilot_import.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "engine/catalog/skypilot_devices.h"
#include "engine/core/clock.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/catalog.h"

namespace steelyard::catalog {
namespace {

namespace fs = std::filesystem;

constexpr double kSentinel = 700.0;   // placeholder price in TPU rows
constexpr double kHighestSize = 1e6;  // vCPUs, GiB
constexpr std::int64_t kMaxSkypilotFile = 64LL << 20;

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kProviders{{{"aws", "AWS"},
                                                                                   {"gcp", "GCP"},
                                                                                   {"azure", "Azure"},
                                                                                   {"lambda", "Lambda"},
                                                                                   {"runpod", "RunPod"},
                                                                                   {"vast", "Vast.ai"}}};

std::string providerOf(std::string_view cloud) {
    for (const auto& [folder, name] : kProviders)
        if (folder == cloud) return std::string(name);
    return std::string(cloud);
}

struct Row {
    std::size_t line = 0;
    std::string instance, accelerator, region, zone, arch;
    double count = 0;
    std::optional<double> vcpus, memoryGib, price, spot;
    std::optional<Bytes> deviceMemory;
};

struct File {
    std::string cloud;
    fs::path path;
};

// The files contain no date; the modification date is when the prices were fetched.
std::string dateOfFile(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return formatIsoTime(static_cast<std::int64_t>(status.st_mtime) * 1000).substr(0, 10);
}

// <folder>/vms.csv, <folder>/<cloud>/vms.csv, <folder>/v8/<cloud>/vms.csv
std::vector<File> findFiles(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder / "vms.csv", error)) return {{folder.filename().string(), folder / "vms.csv"}};
    std::map<std::string, std::pair<int, fs::path>> best;  // by cloud, with the version
    const auto add = [&](const fs::path& parent, int version) {
        for (const auto& entry : fs::directory_iterator(parent, error)) {
            const auto file = entry.path() / "vms.csv";
            if (!fs::is_regular_file(file, error)) continue;
            auto& known = best[entry.path().filename().string()];
            if (known.second.empty() || version > known.first) known = {version, file};
        }
    };
    add(folder, 0);
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const auto name = entry.path().filename().string();
        if (!name.starts_with('v')) continue;
        if (const auto version = numberFromText(name.substr(1)))
            add(entry.path(), static_cast<int>(std::clamp(*version, 0.0, 1e6)));
    }
    std::vector<File> files;
    for (auto& [cloud, found] : best) files.push_back({cloud, found.second});
    return files;
}

// One cloud's file: converts rows to offers and rejections.
class CloudImport {
public:
    CloudImport(const File& file, const Catalog& catalog, const SkyPilotOptions& options, SkyPilotImport& result)
        : m_file(file), m_provider(providerOf(file.cloud)), m_catalog(catalog), m_options(options), m_result(result) {}

    std::optional<Error> run() {
        auto text = readFile(m_file.path, kMaxSkypilotFile);
        if (!text) return std::move(text.error());
        auto document = CsvDocument::parse(m_file.path.string(), std::move(*text));
        if (!document) return std::move(document.error());
        if (auto error = findColumns(*document)) return error;
        m_date = dateOfFile(m_file.path);
        m_result.files.push_back(m_file.path.string());
        std::vector<Row> rows;
        rows.reserve(document->rowCount());
        for (std::size_t i = 0; i < document->rowCount(); ++i) {
            if (auto row = readRow(*document, i)) rows.push_back(std::move(*row));
        }
        m_result.rows += document->rowCount();
        if (m_file.cloud == "gcp") joinHosts(rows);
        for (auto& row : rows) addRow(row);
        finish();
        return std::nullopt;
    }

private:
    enum Column {
        kInstance,
        kVcpus,
        kMemory,
        kAccelerator,
        kCount,
        kGpuInfo,
        kRegion,
        kZone,
        kPrice,
        kSpot,
        kArch,
        kColumns
    };

    std::optional<Error> findColumns(const CsvDocument& document) {
        constexpr std::array<std::string_view, kColumns> kColumnNames{
            "InstanceType", "vCPUs",  "MemoryGiB",        "AcceleratorName", "AcceleratorCount",
            "GpuInfo",      "Region", "AvailabilityZone", "Price",           "SpotPrice",
            "Arch"};
        for (std::size_t i = 0; i < kColumns; ++i) m_columns[i] = document.column(kColumnNames[i]);
        for (auto needed : {kInstance, kAccelerator, kRegion, kPrice})
            if (!m_columns[needed])
                return Error{
                    ErrorKind::CorruptData, document.name(), messages::noColumn(kColumnNames[needed]), {}, {}, {}};
        return std::nullopt;
    }

    void reject(std::size_t line, Rejection reason, std::string detail, bool wholeRow = true) {
        m_result.rejected.push_back({m_file.path.string(), line, reason, std::move(detail), wholeRow});
    }

    [[nodiscard]] std::string_view cell(std::span<const std::string_view> fields, Column column) const {
        return m_columns[column] ? trimmed(fields[*m_columns[column]]) : std::string_view{};
    }

    // A number of the row; false if the cell is text or out of range, and the row is then rejected.
    bool readNumber(std::span<const std::string_view> fields, Column column, double highest, std::size_t line,
                    std::optional<double>& value) {
        const auto text = cell(fields, column);
        if (text.empty()) return true;
        value = numberFromText(text);
        if (!value) {
            reject(line, Rejection::NotANumber, std::string(text.substr(0, 60)));
            return false;
        }
        const bool isPrice = column == kPrice || column == kSpot;
        if (*value < 0 || *value > highest || (isPrice && *value != 0 && !isPlausiblePrice(*value))) {
            reject(line, Rejection::Implausible, std::string(text.substr(0, 60)));
            return false;
        }
        return true;
    }

    std::optional<Row> readRow(const CsvDocument& document, std::size_t index) {
        const auto fields = document.row(index);
        const auto line = document.lineOf(index);
        if (fields.size() != document.header().size()) {
            reject(line, Rejection::FieldCount, fmt::format("{} of {}", fields.size(), document.header().size()));
            return std::nullopt;
        }
        Row row;
        row.line = line;
        row.instance = cell(fields, kInstance);
        row.accelerator = cell(fields, kAccelerator);
        row.region = cell(fields, kRegion);
        row.zone = cell(fields, kZone);
        row.arch = cell(fields, kArch);
        std::optional<double> count;
        if (!readNumber(fields, kVcpus, kHighestSize, line, row.vcpus) ||
            !readNumber(fields, kMemory, kHighestSize, line, row.memoryGib) ||
            !readNumber(fields, kCount, kHighestSize, line, count) ||
            !readNumber(fields, kPrice, kHighestPrice, line, row.price) ||
            !readNumber(fields, kSpot, kHighestPrice, line, row.spot))
            return std::nullopt;
        row.count = count.value_or(row.accelerator.empty() ? 0 : 1);
        row.deviceMemory = deviceMemoryFromGpuInfo(cell(fields, kGpuInfo));
        if (!m_options.regions.empty() && std::ranges::find(m_options.regions, row.region) == m_options.regions.end())
            return std::nullopt;
        if (row.instance.empty() && row.accelerator.empty()) {
            reject(line, Rejection::NoInstance, {});
            return std::nullopt;
        }
        return row;
    }

    // Google sells machine and accelerator separately: an accelerator offer is the sum of both rows of one zone. TPUs
    // are standalone.
    void joinHosts(std::vector<Row>& rows) {
        std::map<std::pair<std::string_view, std::string_view>, const Row*> hosts;
        for (const auto& row : rows)
            if (!row.instance.empty() && row.accelerator.empty())
                hosts.emplace(std::pair<std::string_view, std::string_view>(row.instance, row.zone), &row);
        std::vector<Row> joined;
        for (const auto& row : rows) {
            if (!row.instance.empty() || isTpu(row.accelerator)) continue;
            const auto name = googleHost(row.accelerator, row.count);
            if (!name) {
                reject(row.line, Rejection::UnknownHost, fmt::format("{} x {:g}", row.accelerator, row.count));
                continue;
            }
            const auto host = hosts.find({*name, row.zone});
            if (host == hosts.end()) {
                reject(row.line, Rejection::NoHostRow, fmt::format("{} in {}", *name, row.zone));
                continue;
            }
            if (host->second->price.value_or(0) == 0) {
                reject(row.line, Rejection::HostPriceUnknown, fmt::format("{} in {}", *name, row.zone));
                continue;
            }
            joined.push_back(sum(row, *host->second));
        }
        // The remaining hosts are machines without accelerators; those intended for accelerators are not offers by
        // themselves.
        std::erase_if(rows, [](const Row& row) {
            const bool carrier = row.instance.starts_with("a2-") || row.instance.starts_with("a3-") ||
                                 row.instance.starts_with("a4") || row.instance.starts_with("g2-") ||
                                 row.instance.starts_with("g4-");
            return row.instance.empty() ? !isTpu(row.accelerator) : carrier;
        });
        std::ranges::move(joined, std::back_inserter(rows));
    }

    static Row sum(const Row& accelerator, const Row& host) {
        Row row = accelerator;
        const bool attached = host.instance.starts_with("n1-");
        row.instance = attached
                           ? fmt::format("{} + {:g}x {}", host.instance, accelerator.count, accelerator.accelerator)
                           : host.instance;
        row.vcpus = host.vcpus;
        row.memoryGib = host.memoryGib;
        if (row.price) *row.price += *host.price;
        if (row.spot && host.spot && *host.spot > 0) {
            *row.spot += *host.spot;
        } else {
            row.spot.reset();
        }
        return row;
    }

    void cleanPrices(Row& row) {
        for (auto* price : {&row.price, &row.spot})
            if (*price && **price == kSentinel) {
                reject(row.line, Rejection::PriceSentinel, price == &row.price ? "on demand" : "spot", false);
                price->reset();
            }
        if (row.price && *row.price == 0) row.price.reset();
        if (row.spot && *row.spot == 0) row.spot.reset();  // not available as spot, rather than free
        if (m_file.cloud == "runpod" && row.price == row.spot) row.spot.reset();  // the secure cloud repeats its price
        if (row.price && row.spot && *row.spot > *row.price) {
            reject(row.line, Rejection::SpotAboveOnDemand, fmt::format("{:g} above {:g}", *row.spot, *row.price),
                   false);
            row.price.reset();
        }
    }

    void addRow(Row& row) {
        cleanPrices(row);
        if (!row.price && !row.spot)
            return reject(row.line, Rejection::NoPrice, row.instance.empty() ? row.accelerator : row.instance);
        if (row.instance.empty()) row.instance = row.accelerator;
        auto& known = m_offers[{row.instance, row.region}];
        if (known.instance.empty()) known = offerOf(row);
        const auto price = [&](double usd) { return Price{usd, m_date, m_file.path.string()}; };
        if (row.price && (!known.onDemand || *row.price < known.onDemand->usdPerHour))
            known.onDemand = price(*row.price);
        if (!row.spot) return;
        if (!known.spot || *row.spot < known.spot->usdPerHour) known.spot = price(*row.spot);
        known.highestSpotUsdPerHour = std::max(known.highestSpotUsdPerHour.value_or(0), *row.spot);
    }

    Offer offerOf(const Row& row) const {
        Offer offer;
        offer.provider = m_provider;
        offer.instance = row.instance;
        offer.id = fmt::format("{}/{}/{}", m_file.cloud, row.instance, row.region);
        offer.origin = OfferOrigin::Imported;
        if (!row.region.empty()) offer.region = row.region;
        if (row.vcpus && *row.vcpus > 0) offer.vcpus = row.vcpus;
        if (row.memoryGib && *row.memoryGib > 0)
            offer.memory = Bytes(static_cast<std::int64_t>(*row.memoryGib * (1U << 30U)));
        if (row.arch == "arm64") offer.vcpuKind = VcpuKind::Core;
        if (!row.accelerator.empty()) {
            const auto device = skyPilotDevice(row.accelerator, row.count, row.deviceMemory);
            offer.accelerator = row.accelerator;
            offer.acceleratorCount = device.count;
            offer.acceleratorMemory = row.deviceMemory;
            if (device.hardware && m_catalog.findHardware(*device.hardware) != nullptr)
                offer.acceleratorHardware = device.hardware;
        }
        completeFromShipped(offer);
        return offer;
    }

    // Fields missing in the file, from the shipped offer of the same machine, or else of the same family.
    void completeFromShipped(Offer& offer) const {
        const auto family = [](std::string_view instance) { return instance.substr(0, instance.find_first_of(".-")); };
        const Offer* same = nullptr;
        const Offer* similar = nullptr;
        for (const auto& shipped : m_catalog.offers) {
            if (shipped.provider != offer.provider || shipped.historical) continue;
            if (shipped.instance == offer.instance && (!same || shipped.region == offer.region)) same = &shipped;
            if (!similar && family(shipped.instance) == family(offer.instance)) similar = &shipped;
            if (offer.billing.text.empty()) offer.billing = shipped.billing;
        }
        const auto* model = same ? same : similar;
        if (model == nullptr) return;
        if (!offer.cpu) offer.cpu = model->cpu;
        if (!offer.cpuHardware) offer.cpuHardware = model->cpuHardware;
        if (!offer.vcpuKind) offer.vcpuKind = model->vcpuKind;
        if (same == nullptr) return;
        if (same->acceleratorHardware) offer.acceleratorHardware = same->acceleratorHardware;
        if (same->region == offer.region) offer.id = same->id;
    }

    void finish() {
        std::map<std::string_view, const Offer*> cheapest;
        const auto price = [](const Offer& offer) {
            return std::pair(!offer.onDemand, offer.onDemand ? offer.onDemand->usdPerHour : offer.spot->usdPerHour);
        };
        for (auto& [key, offer] : m_offers) {
            if (offer.spot && offer.highestSpotUsdPerHour == offer.spot->usdPerHour)
                offer.highestSpotUsdPerHour.reset();
            auto& best = cheapest[offer.instance];
            if (best == nullptr || price(offer) < price(*best)) best = &offer;
        }
        for (auto& [key, offer] : m_offers)
            if (!m_options.cheapestRegionOnly || cheapest[offer.instance] == &offer) m_result.offers.push_back(offer);
    }

    const File& m_file;
    std::string m_provider, m_date;
    const Catalog& m_catalog;
    const SkyPilotOptions& m_options;
    SkyPilotImport& m_result;
    std::array<std::optional<std::size_t>, kColumns> m_columns;
    std::map<std::pair<std::string, std::string>, Offer> m_offers;  // by instance and region
};

}  // namespace

std::string_view toString(Rejection reason) {
    switch (reason) {
        case Rejection::FieldCount:
            return "field_count";
        case Rejection::NotANumber:
            return "not_a_number";
        case Rejection::Implausible:
            return "implausible";
        case Rejection::NoInstance:
            return "no_instance";
        case Rejection::NoPrice:
            return "no_price";
        case Rejection::PriceSentinel:
            return "price_sentinel";
        case Rejection::HostPriceUnknown:
            return "host_price_unknown";
        case Rejection::NoHostRow:
            return "no_host_row";
        case Rejection::UnknownHost:
            return "unknown_host";
        case Rejection::SpotAboveOnDemand:
            return "spot_above_on_demand";
    }
    return "unknown";
}

// {'Gpus': [{'Name': 'L4', 'MemoryInfo': {'SizeInMiB': 22888}}], 'TotalGpuMemoryInMiB': 22888}: Python syntax, so not
// for a JSON parser; the first SizeInMiB is used. One cloud writes GiB there: no such device has less than 1 GiB.
std::optional<Bytes> deviceMemoryFromGpuInfo(std::string_view text) {
    constexpr std::string_view kKey = "'SizeInMiB':";
    const auto at = text.find(kKey);
    if (at == std::string_view::npos) return std::nullopt;
    text = text.substr(at + kKey.size());
    const auto value = numberFromText(text.substr(0, text.find_first_of(",}")));
    if (!value || *value <= 0 || *value > 1e8) return std::nullopt;
    const double unit = *value < 1024 ? 1U << 30U : 1U << 20U;
    return Bytes(static_cast<std::int64_t>(*value * unit));
}

Result<SkyPilotImport> importSkyPilot(const fs::path& folder, const Catalog& catalog, const SkyPilotOptions& options) {
    const auto files = findFiles(folder);
    if (files.empty()) return fail(ErrorKind::NotFound, folder.string(), messages::noVmsCsv());
    SkyPilotImport result;
    for (const auto& file : files)
        if (auto error = CloudImport(file, catalog, options, result).run()) return Failure(std::move(*error));
    return result;
}

}  // namespace steelyard::catalog
