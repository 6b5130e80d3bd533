// SPDX-License-Identifier: Apache-2.0
// Tables and documents from external sources: networks, studies, measurements, exports, prices, the history file.
#include "tests/fuzz/document_targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include "engine/advisor/study/study.h"
#include "engine/bench/imported/imported_results.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/resume.h"
#include "engine/bench/run/suite_runner.h"
#include "engine/catalog/catalog_json.h"
#include "engine/catalog/skypilot_import.h"
#include "engine/compute/cpu/language/cpu_decoder.h"
#include "engine/compute/cpu/tuning/kernel_cache.h"
#include "engine/core/csv.h"
#include "engine/core/text.h"
#include "engine/history/history_store.h"
#include "engine/model/decoder/config_json.h"
#include "engine/model/decoder/gguf_file.h"
#include "engine/model/decoder/gguf_weights.h"
#include "engine/model/file/network_file.h"
#include "engine/model/onnx/import.h"
#include "engine/plan/plan.h"
#include "tests/fuzz/promises.h"
#include "tests/support/data_files.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::uint8_t>;
using Seeds = std::vector<FileBytes>;

std::string textOf(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> fileOf(const fs::path& path) {
    const auto text = TemporaryFolder::slurp(path);
    require(!text.empty(), "the seed is there");
    return bytesOf(text);
}

const fs::path& sources() {
    static const fs::path folder(STEELYARD_SOURCE_DIR);
    return folder;
}

// An error names a subject and describes the problem.
template <typename T>
bool told(const Result<T>& result) {
    if (result) return true;
    // A message of the engine may be a complete sentence: "there is no run abc".
    require(!result.error().subject.empty() || !result.error().detail.id.empty(), "the error names its subject");
    // For NotFound the name suffices: a damaged index may hide a run that the list shows.
    require(result.error().kind == ErrorKind::NotFound || !result.error().detail.text.empty(),
            "the error says what is wrong");
    require(!describe(result.error()).empty(), "the error is a sentence");
    return false;
}

// A round trip of writing and reading gives the same text.
template <typename Read, typename Write>
void readsWhatItWrites(std::string_view text, Read read, Write write) {
    const auto first = read(text);
    if (!told(first)) return;
    const auto written = write(*first);
    const auto second = read(written);
    require(second.has_value(), "it reads what it wrote");
    require(write(*second) == written, "nothing is lost on the way");
}

void runNetwork(Bytes bytes) {
    const auto workload = model::readNetwork(textOf(bytes), "input");
    if (!told(workload)) return;
    require(workload->batch > 0, "a network has a batch");
}

// The sizes of an accepted model are finite.
void requireSized(const model::DecoderSpec& spec) {
    // Layers are listed individually; a fuzzer need not wait for ten thousand of them.
    if (spec.layers > 200) return;
    const auto counts = model::parametersOf(spec);
    require(counts.total > 0 && counts.active <= counts.total, "parameters are counted");
    for (const auto& scheme : model::weightSchemes()) {
        const auto bytes = model::weightBytes(spec, scheme);
        require(std::isfinite(bytes.total) && bytes.readPerToken <= bytes.total, "sizes are possible");
    }
    require(model::cacheBytes(spec, 1 << 20) > 0, "a cache has a size");
}

void runGguf(Bytes bytes) {
    const auto text = textOf(bytes);
    const auto header = model::ggufHeaderFromBytes("input", text);
    if (!told(header)) {
        if (header.error().offset)
            require(*header.error().offset >= 0 && *header.error().offset <= static_cast<std::int64_t>(text.size()),
                    "the place is in the file");
        return;
    }
    const auto spec = model::decoderFromGguf("input", *header);
    if (!told(spec)) return;
    requireSized(*spec);
    require(model::weightsOf(*header, *spec).total >= 0, "weights have a size");
}

void runModelConfig(Bytes bytes) {
    const auto config = model::decoderFromConfig("input", textOf(bytes));
    if (told(config)) requireSized(config->spec);
}

void runStudy(Bytes bytes) {
    const auto study = advisor::studyFromCsv("input", textOf(bytes));
    if (!told(study)) return;
    require(!study->rows.empty(), "a study has rows");
    for (const auto& row : study->rows)
        require(row.epochSeconds > 0 && row.usdPerHour >= 0, "times and prices are possible");
    (void)told(advisor::weigh(*study));
}

void requireImported(const std::vector<bench::RunRecord>& runs) {
    for (const auto& run : runs) {
        require(run.origin == "imported" && !run.id.empty(), "imported runs say so");
        for (const auto& record : run.records)
            require(!record.stepSeconds || record.stepSeconds->median > 0, "times are possible");
    }
}

void runMeasurementsTable(Bytes bytes) {
    const auto runs = bench::importedResultsFromCsv("input", textOf(bytes));
    if (told(runs)) requireImported(*runs);
}

void runMeasurements(Bytes bytes) {
    const auto runs = bench::importedResultsFromJson("input", textOf(bytes));
    if (told(runs)) requireImported(*runs);
}

void runResults(Bytes bytes) {
    readsWhatItWrites(textOf(bytes), bench::resultsFromJson,
                      [](const auto& runs) { return bench::resultsToJson(runs); });
}

void runEvent(Bytes bytes) {
    readsWhatItWrites(textOf(bytes), bench::eventFromJson, bench::toJsonLine);
}

void runRunSpec(Bytes bytes) {
    readsWhatItWrites(textOf(bytes), bench::runSpecFromJson, [](const bench::RunSpec& spec) { return toJson(spec); });
}

void runCaseSpec(Bytes bytes) {
    readsWhatItWrites(textOf(bytes), bench::caseSpecFromJson, [](const bench::CaseSpec& spec) { return toJson(spec); });
}

// Invalid entries are dropped; the remaining ones are usable.
void runKernelCache(Bytes bytes) {
    static const TemporaryFolder folder;
    static const compute::cpu::KernelCache cache(folder.path(), "machine");
    TemporaryFolder::spill(cache.file(), textOf(bytes));
    for (const auto& [key, choice] : cache.load())
        require(!key.empty() && choice.index >= 0 && choice.index < 64 && std::isfinite(choice.seconds),
                "a choice is one of the candidates");
}

void runText(Bytes bytes) {
    const auto text = textOf(bytes);
    const auto replaced = toUtf8(text);
    require(isUtf8(replaced), "what is replaced is UTF-8");
    require(isUtf8(text) == (replaced == text), "only what is not UTF-8 is replaced");
    const auto shown = visible(text);
    require(isUtf8(shown) && std::ranges::none_of(shown, [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
            "nothing in a shown text acts on a terminal");
    require(visible(shown) == shown, "a shown text is shown as it is");
    require(incompleteTail(text) <= std::min<std::size_t>(3, text.size()), "a tail is a part of the text");
    const auto row = CsvDocument::parse("input", "a,b\n" + csvText(text) + ",end\n");
    require(!row || (row->rowCount() == 1 && row->row(0).size() == 2 && row->row(0)[1] == "end"),
            "a field of CSV is one field");
}

void runUserCatalog(Bytes bytes) {
    readsWhatItWrites(
        textOf(bytes), [](std::string_view text) { return catalog::userCatalogFromJson("input", text); },
        [](const catalog::UserCatalog& user) { return catalog::toJson(user); });
}

void runSkyPilot(Bytes bytes) {
    static const auto known = catalog::loadCatalog(sources() / "resources/catalog");
    require(known.has_value(), "the shipped catalogue is readable");
    static const TemporaryFolder folder;
    for (const char* cloud : {"aws", "gcp"}) {
        fs::create_directories(folder / cloud);
        TemporaryFolder::spill(folder / cloud / "vms.csv", textOf(bytes));
    }
    const auto import = catalog::importSkyPilot(folder.path(), *known);
    if (!told(import)) return;
    for (const auto& offer : import->offers) {
        require(!offer.id.empty() && (offer.onDemand || offer.spot), "an offer has a price");
        for (const auto& price : {offer.onDemand, offer.spot})
            require(!price || (price->usdPerHour > 0 && price->usdPerHour <= 100000), "prices are possible");
    }
}

void runHistory(Bytes bytes) {
    static const TemporaryFolder folder;
    const auto file = folder / "history.sqlite";
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(folder / ("history.sqlite" + std::string(suffix)));
    TemporaryFolder::spill(file, textOf(bytes));
    const auto store = history::HistoryStore::open(file);
    if (!store) {
        require(bytes.empty() || TemporaryFolder::slurp(file) == textOf(bytes) ||
                    store.error().kind == ErrorKind::CorruptData,
                "a refused file is left as it was");
        return;
    }
    const auto runs = (*store)->runs();
    if (!told(runs)) return;
    for (const auto& run : *runs) (void)told((*store)->run(run.id));
    (void)told((*store)->cases({}));
}

// An unnamed temporary file with the lifetime of this object.
class NamelessFile {
public:
    explicit NamelessFile(std::string_view content) : m_descriptor(memfd_create("fuzz", MFD_CLOEXEC)) {
        require(m_descriptor >= 0 &&
                    ::write(m_descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
                "a file can be written");
    }
    ~NamelessFile() { ::close(m_descriptor); }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

// Accepted files can be read completely and computed.
void runGgufWeights(Bytes bytes) {
    constexpr std::int64_t kContext = 4, kMostBytes = 64 << 20;
    const NamelessFile content(textOf(bytes));
    auto file = model::GgufWeightFile::open(content.path());
    if (!told(file)) return;
    const auto weights = compute::decoderWeights(std::move(*file), kContext);
    if (!told(weights)) return;
    const compute::DecoderOptions options{.context = kContext, .threads = 1};
    if (const auto memory = compute::cpuDecoderMemory(*weights, options); !memory || memory->total() > kMostBytes)
        return;
    auto decoder = compute::makeCpuDecoder(*weights, options);
    if (!told(decoder)) return;
    const std::array<std::int32_t, 2> tokens{0, static_cast<std::int32_t>((*decoder)->vocabulary() - 1)};
    const auto logits = (*decoder)->append(tokens);
    require(logits && static_cast<std::int64_t>(logits->size()) == weights->spec.vocabulary,
            "every word of the vocabulary has a logit");
}
Seeds ggufWeightSeeds() {
    Seeds seeds;
    for (const auto* name : {"llama_q4_0", "gemma3", "gpt_oss", "qwen2moe"})
        seeds.push_back(fileOf(sources() / "tests/data/decoders/computed" / (std::string(name) + ".gguf")));
    return seeds;
}

Seeds decoderSeeds(const char* file) {
    Seeds seeds;
    for (const auto& entry : fs::directory_iterator(sources() / "tests/data/decoders"))
        if (fs::exists(entry.path() / file)) seeds.push_back(fileOf(entry.path() / file));
    return seeds;
}

Seeds ggufSeeds() {
    auto seeds = decoderSeeds("header.gguf");
    seeds.push_back(fileOf(sources() / "tests/data/decoders/tiny.gguf"));
    return seeds;
}

Seeds modelConfigSeeds() {
    return decoderSeeds("config.json");
}

Seeds networkSeeds() {
    const auto folder = sources() / "tests/data/networks";
    return {fileOf(folder / "small_cnn.json"), fileOf(folder / "small_language_model.json")};
}
Seeds studySeeds() {
    return {
        bytesOf(
            "# title: Two machines\n# date: 2026-01-02\nworkload,platform,variant,epoch_seconds,price_usd_per_hour\n"
            "cnn,Big,gpu,10,2\ncnn,Big,cpu,90,2\nrnn,\"Small, old\",,55.5,0.1\n"),
        bytesOf("price_usd_per_hour,epoch_seconds,variant,platform,workload\r\n1e0,3,,A,x\r\n")};
}
Seeds measurementTableSeeds() {
    return {bytesOf(
        "# date: 2026-08-03\n# software: x\nworkload,device,mode,batch,precision,step_seconds,ci95_low,ci95_high\n"
        "resnet50,GeForce RTX 3090,train,64,fp16,0.12,0.118,0.125\n\"vgg16\",L4,infer,8,fp32,0.5,,\n")};
}
Seeds measurementSeeds() {
    return {bytesOf(R"({"format": "steelyard-measurements", "version": 1, "date": "2026-08-03", "software": "x",
        "measurements": [{"workload": "bert_base", "device": "L4", "batch": 8, "samples_per_second": 40},
        {"workload": "vgg16", "device": "E", "computer": "o", "threads": 16, "batch": 32, "samples_seconds": [0.5, 0.6]}]})")};
}
Seeds resultSeeds() {
    return {bytesOf(bench::resultsToJson({inventRun(1, Optionals::All, 1)}, -1)),
            bytesOf(bench::resultsToJson({inventRun(2, Optionals::None, 2)}, -1))};
}
Seeds eventSeeds() {
    return {bytesOf(bench::toJsonLine(inventEvent(1, Optionals::All, bench::EventKind::CaseFinished))),
            bytesOf(bench::toJsonLine(inventEvent(2, Optionals::Some, bench::EventKind::SuiteStarted)))};
}
Seeds runSpecSeeds() {
    bench::RunSpec spec;
    for (std::uint64_t i = 1; i <= 3; ++i) spec.cases.push_back(inventRecord(i, Optionals::All).spec);
    spec.process = "1 2 3";
    return {bytesOf(toJson(spec))};
}
Seeds caseSpecSeeds() {
    return {bytesOf(toJson(bench::CaseSpec{inventRecord(1, Optionals::All).spec, {}, {}})),
            bytesOf(toJson(bench::CaseSpec{inventRecord(2, Optionals::None).spec, {}, {}}))};
}
Seeds kernelCacheSeeds() {
    const TemporaryFolder folder;
    const compute::cpu::KernelCache cache(folder.path(), "machine");
    require(cache.add({{"8x8x8nn 1", {.index = 1, .seconds = 0.5, .certain = true}},
                       {"step x", {.index = 0, .seconds = 0, .certain = true}}}),
            "a cache can be written");
    return {fileOf(cache.file())};
}
Seeds textSeeds() {
    return {bytesOf("=1+1, \"a\"\n\x1b[2J"), bytesOf("\xe9\x95\xbf\xf0\x9f\x98\x80\xe2\x80\xae\xc2\x9b\xff")};
}
Seeds userCatalogSeeds() {
    const auto shipped = catalog::loadCatalog(sources() / "resources/catalog");
    require(shipped.has_value(), "the shipped catalogue is readable");
    catalog::UserCatalog user;
    user.offers.assign(shipped->offers.begin(), shipped->offers.begin() + 2);
    user.hardware.assign(shipped->hardware.begin(), shipped->hardware.begin() + 1);
    return {bytesOf(catalog::toJson(user)), bytesOf(catalog::toJson(catalog::UserCatalog{}))};
}
Seeds skyPilotSeeds() {
    return {
        bytesOf("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
                "AvailabilityZone,Arch\np4d.24xlarge,A100,8,96,1152,\"{'Gpus': [{'Name': 'X', 'MemoryInfo': "
                "{'SizeInMiB': 40960}}], 'TotalGpuMemoryInMiB': 40960}\",21.96,13.99,us-east-1,us-east-1a,x86_64\n"),
        bytesOf("InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,"
                "SpotPrice\na2-highgpu-1g,12,85,,,,us-central1,us-central1-a,0.5,0.1\n"
                ",,,A100,1,,us-central1,us-central1-a,2.9,0.9\n")};
}
Seeds historySeeds() {
    return {fileOf(sources() / "tests/data/history/schema_v1.sqlite")};
}

// Reading, importing and, for small networks, planning.
void runOnnx(Bytes bytes) {
    const std::string text = textOf(bytes);
    const auto file = model::onnx::readBytes(text, "net.onnx");
    if (!told(file)) {
        const auto& offset = file.error().offset;
        require(offset && *offset >= 0 && *offset <= static_cast<std::int64_t>(text.size()),
                "the offset is in the file");
        return;
    }
    const auto network = model::onnx::import(*file);
    if (!told(network)) return;
    require(network->outputs.size() == network->graph.heads.size(), "every output has a head");
    require(told(plan::lower(network->graph, {plan::Mode::Infer, network->batch, plan::Precision::Fp32, {}})),
            "what was imported can be planned");
}
Seeds onnxSeeds() {
    Seeds seeds;
    for (const auto& entry : fs::directory_iterator(sources() / "tests/data/onnx")) {
        const auto model = entry.path() / "model.onnx";
        if (fs::exists(model) && fs::file_size(model) < 64 * 1024) seeds.push_back(fileOf(model));
    }
    for (const auto& entry : fs::directory_iterator(sources() / "tests/data/onnx/refused"))
        seeds.push_back(fileOf(entry.path()));
    return seeds;
}

constexpr FuzzTarget kTargets[]{
    {"onnx", runOnnx, onnxSeeds, 20'000},
    {"network", runNetwork, networkSeeds},
    {"gguf", runGguf, ggufSeeds, 5'000},
    {"gguf_weights", runGgufWeights, ggufWeightSeeds, 500},
    {"model_config", runModelConfig, modelConfigSeeds},
    {"study", runStudy, studySeeds},
    {"measurements_table", runMeasurementsTable, measurementTableSeeds},
    {"measurements", runMeasurements, measurementSeeds},
    {"results", runResults, resultSeeds},
    {"event", runEvent, eventSeeds},
    {"run_spec", runRunSpec, runSpecSeeds},
    {"case_spec", runCaseSpec, caseSpecSeeds},
    {"kernel_cache", runKernelCache, kernelCacheSeeds, 5'000},
    {"visible_text", runText, textSeeds},
    {"user_catalog", runUserCatalog, userCatalogSeeds},
    {"skypilot", runSkyPilot, skyPilotSeeds, 2'000},
    {"history", runHistory, historySeeds, 500},
};

}  // namespace

std::span<const FuzzTarget> documentTargets() {
    return kTargets;
}

}  // namespace steelyard::test
