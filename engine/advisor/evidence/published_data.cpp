// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/evidence/published_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/catalog/catalog_json.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/messages/advisor.h"

namespace steelyard::advisor {
namespace {

constexpr std::int64_t kMaxFile = 64LL << 20;
constexpr std::array<std::string_view, 12> kColumns{"kind",   "flops",       "inputs",   "outputs",
                                                    "scores", "parameters",  "channels", "reduction",
                                                    "steps",  "scores_only", "kept",     "count"};

// One row of a network's operations, in the order of kColumns.
std::optional<Work> workFrom(const Json& row) {
    if (!row.is_array() || row.size() != kColumns.size() || !row[0].is_string() || !row[9].is_boolean() ||
        !row[10].is_boolean())
        return std::nullopt;
    const auto kind = workKindFromString(row[0].get<std::string>());
    if (!kind) return std::nullopt;
    Work work;
    work.kind = *kind;
    double* const numbers[] = {nullptr,          &work.flops,    &work.inputs,    &work.outputs, &work.scores,
                               &work.parameters, &work.channels, &work.reduction, &work.steps};
    for (std::size_t i = 1; i < std::size(numbers); ++i) {
        if (!row[i].is_number()) return std::nullopt;
        *numbers[i] = row[i].get<double>();
    }
    work.scoresOnly = row[9].get<bool>();
    work.kept = row[10].get<bool>();
    if (!row[11].is_number()) return std::nullopt;
    work.count = row[11].get<double>();
    return work;
}

PublishedNetwork readNetwork(JsonReader& reader) {
    PublishedNetwork network;
    reader.require("name", network.name);
    reader.require("family", network.family);
    reader.require("operations", network.operations);
    reader.require("optimizer_tensors", network.job.optimizerTensors);
    reader.requirePositive("parameters", network.job.parameters);
    network.job.workload = network.name;
    const auto* rows = reader.find("work");
    if (rows == nullptr || !rows->is_array()) {
        reader.refuse("work", messages::notAnArray());
        return network;
    }
    for (const auto& row : *rows) {
        if (auto work = workFrom(row)) {
            network.job.work.push_back(*work);
        } else {
            reader.refuse("work", messages::notAnOperation(row.dump().substr(0, 80)));
        }
    }
    return network;
}

Result<std::vector<PublishedNetwork>> readNetworks(const std::filesystem::path& file) {
    ASSIGN(const auto text, readFile(file, kMaxFile));
    ASSIGN(const auto json, parseJson(text, file.string()));
    std::optional<Error> error;
    JsonReader reader(json, file.string(), error);
    reader.requireFormat("steelyard-networks", 1);
    std::vector<PublishedNetwork> networks;
    reader.eachObject("networks", [&](JsonReader& entry) { networks.push_back(readNetwork(entry)); });
    if (error) return Failure(std::move(*error));
    return networks;
}

Result<std::vector<DeviceModel>> readDevices(const std::filesystem::path& file, const PredictorParameters& parameters) {
    ASSIGN(const auto text, readFile(file, kMaxFile));
    ASSIGN(const auto hardware, catalog::hardwareFromJson(file.string(), text));
    std::vector<DeviceModel> devices;
    for (const auto& spec : hardware.devices)
        if (auto device = deviceModel(spec, parameters)) devices.push_back(std::move(*device));
    return devices;
}

// Reads the rows of both tables by column name and resolves their references.
class RowReader {
public:
    RowReader(const CsvDocument& document, PublishedData& data) : m_document(document), m_data(data) {
        for (std::size_t i = 0; i < data.devices.size(); ++i) m_devices.emplace(data.devices[i].id, i);
        for (std::size_t i = 0; i < data.networks.size(); ++i) m_networks.emplace(data.networks[i].name, i);
    }

    std::optional<Error> readGpuRows() {
        constexpr std::array<std::string_view, 10> kNames{
            "device", "chip", "network", "mode", "precision", "mixed", "batch", "stack", "stack_known_elsewhere",
            "seconds"};
        return readRows(kNames, m_data.rows);
    }
    std::optional<Error> readProcessorRows() {
        constexpr std::array<std::string_view, 7> kNames{"device", "cores", "network", "mode",
                                                         "batch",  "stack", "seconds"};
        return readRows(kNames, m_data.processorRows);
    }

private:
    template <typename Row>
    std::optional<Error> readRows(std::span<const std::string_view> names, std::vector<Row>& rows) {
        m_columns.clear();
        for (auto name : names) {
            const auto column = m_document.column(name);
            if (!column) return refuse(0, messages::noColumn(name));
            m_columns.push_back(*column);
        }
        for (std::size_t i = 0; i < m_document.rowCount(); ++i) {
            const auto fields = m_document.row(i);
            Row row;
            if (fields.size() != m_document.header().size() || !read(fields, row))
                return refuse(m_document.lineOf(i), messages::notARow());
            rows.push_back(std::move(row));
        }
        return std::nullopt;
    }

    Error refuse(std::size_t line, Message why) const {
        return {ErrorKind::CorruptData,
                m_document.name(),
                line > 0 ? messages::onLine(line, std::move(why)) : std::move(why),
                {},
                {},
                {}};
    }

    bool read(std::span<const std::string_view> fields, PublishedRow& row) const {
        const auto cell = [&](std::size_t i) { return fields[m_columns[i]]; };
        const auto device = m_devices.find(cell(0));
        const auto network = m_networks.find(cell(2));
        const auto mode = plan::modeFromString(cell(3));
        const auto precision = plan::precisionFromString(cell(4));
        const auto batch = numberFromText(cell(6)), seconds = numberFromText(cell(9));
        if (device == m_devices.end() || network == m_networks.end() || !mode || !precision || !batch || !seconds ||
            *batch < 1 || *seconds <= 0)
            return false;
        row.device = device->second;
        row.network = network->second;
        row.chip = cell(1);
        row.mode = *mode;
        row.precision = *precision;
        row.mixedPrecision = cell(5) == "1";
        row.batch = static_cast<std::int64_t>(*batch);
        row.stack = cell(7);
        row.stackKnownElsewhere = cell(8) == "1";
        row.seconds = *seconds;
        return true;
    }

    bool read(std::span<const std::string_view> fields, ProcessorRow& row) const {
        const auto cell = [&](std::size_t i) { return fields[m_columns[i]]; };
        const auto device = m_devices.find(cell(0));
        const auto network = m_networks.find(cell(2));
        const auto mode = plan::modeFromString(cell(3));
        const auto batch = numberFromText(cell(4)), seconds = numberFromText(cell(6));
        if (device == m_devices.end() || network == m_networks.end() || !mode || !batch || !seconds || *batch < 1 ||
            *seconds <= 0)
            return false;
        const auto& whole = m_data.devices[device->second];
        const auto cores = numberFromText(cell(1));
        row = {cores ? partOf(whole, *cores) : whole, network->second,      *mode,
               static_cast<std::int64_t>(*batch),     std::string(cell(5)), *seconds};
        return true;
    }

    const CsvDocument& m_document;
    PublishedData& m_data;
    std::map<std::string, std::size_t, std::less<>> m_devices, m_networks;
    std::vector<std::size_t> m_columns;
};

}  // namespace

JobModel PublishedData::jobOf(const PublishedRow& row) const {
    auto job = networks[row.network].job;
    job.mode = row.mode;
    job.precision = row.precision;
    job.mixedPrecision = row.mixedPrecision;
    job.batch = row.batch;
    return job;
}

JobModel PublishedData::jobOf(const ProcessorRow& row) const {
    auto job = networks[row.network].job;
    job.mode = row.mode;
    job.batch = row.batch;
    return job;
}

const PublishedNetwork* PublishedData::findNetwork(std::string_view name) const {
    const auto found = std::ranges::find(networks, name, &PublishedNetwork::name);
    return found == networks.end() ? nullptr : &*found;
}

Result<PublishedData> loadPublishedData(const std::filesystem::path& folder, const PredictorParameters& parameters) {
    PublishedData data;
    auto networks = readNetworks(folder / "networks.json");
    if (!networks) return Failure(std::move(networks.error()));
    data.networks = std::move(*networks);
    auto devices = readDevices(folder / "devices.json", parameters);
    if (!devices) return Failure(std::move(devices.error()));
    data.devices = std::move(*devices);
    for (const bool processors : {false, true}) {
        const auto file = folder / (processors ? "processor_rows.csv" : "rows.csv");
        auto text = readFile(file, kMaxFile);
        if (!text) return Failure(std::move(text.error()));
        ASSIGN(const auto document, CsvDocument::parse(file.string(), std::move(*text)));
        RowReader reader(document, data);
        if (auto error = processors ? reader.readProcessorRows() : reader.readGpuRows())
            return Failure(std::move(*error));
    }
    return data;
}

}  // namespace steelyard::advisor
