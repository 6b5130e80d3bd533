// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_records.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "engine/core/random.h"

namespace steelyard::test {
namespace {

using namespace steelyard::bench;

// Generates values in sequence.
class Inventor {
public:
    Inventor(std::uint64_t seed, Optionals optionals) : m_stream(seed, 77), m_optionals(optionals) {}

    std::uint32_t below(std::uint32_t count) { return m_stream.below(m_next++, count); }
    // Positive, over many orders of magnitude, using all bits of the mantissa.
    double real() {
        double mantissa = 1.0 + m_stream.uniform(m_next++);
        mantissa += m_stream.uniform(m_next++) * 1e-8;
        return std::ldexp(mantissa, static_cast<int>(below(80)) - 40);
    }
    std::int64_t integer() { return static_cast<std::int64_t>(real() * 1e6); }
    bool chance() { return below(2) == 1; }
    bool present() { return m_optionals == Optionals::All || (m_optionals == Optionals::Some && chance()); }
    std::string text() {
        static constexpr std::array kTexts{"mnist_cnn",
                                           "",
                                           "<script>alert(1)</script>",
                                           "a \"b\" 'c' & d",
                                           "line\nbreak",
                                           "\xe9\x95\xbf\xe5\x9f\x8e",
                                           "=cmd()",
                                           "back\\slash\t\x01"};
        return kTexts[below(kTexts.size())];
    }

    // External text, or a message with an argument of each kind.
    Message message() {
        static constexpr MessagePattern<7> kAll{"test.all", "%1 %2 %3 %4 %5 %6 %7"};
        if (chance()) return Message(text());
        return kAll(text(), integer(), real(), Bytes(integer()), Seconds(real()), Percent{real()}, Message(text()));
    }

    void maybe(std::optional<double>& target) {
        if (present()) target = real();
    }
    void maybe(std::optional<std::int64_t>& target) {
        if (present()) target = integer();
    }
    void maybe(Message& target) {
        if (present()) target = message();
    }
    void maybe(std::string& target) {
        if (present()) target = text();
    }

private:
    RandomStream m_stream;
    std::uint32_t m_next = 0;
    Optionals m_optionals;
};

Case inventCase(Inventor& inventor) {
    static constexpr std::array kDevices{"cpu", "cuda:0", "cuda:1", "reference"};
    Case spec;
    spec.workload = fmt::format("workload_{}", inventor.below(100));
    spec.mode = inventor.chance() ? plan::Mode::Train : plan::Mode::Infer;
    spec.device = kDevices[inventor.below(kDevices.size())];
    spec.precision = plan::kPrecisions[inventor.below(plan::kPrecisions.size())];
    spec.batch = 1 + inventor.below(1024);
    if (inventor.present()) spec.threads = 1 + static_cast<int>(inventor.below(128));
    if (inventor.present()) spec.isa = "avx2";
    if (inventor.present()) spec.kernels = "openblas";
    if (inventor.present()) spec.part = static_cast<Part>(inventor.below(3));
    if (inventor.present()) spec.data = "/data/" + inventor.text();
    inventor.maybe(spec.optimizer);
    spec.seed = (std::uint64_t{inventor.below(0xffffffffU)} << 32) | inventor.below(0xffffffffU);
    return spec;
}

Summary inventSummary(Inventor& inventor) {
    Summary summary;
    summary.median = inventor.real();
    inventor.maybe(summary.ci95Low);
    inventor.maybe(summary.ci95High);
    summary.mean = inventor.real();
    inventor.maybe(summary.mad);
    summary.min = inventor.real();
    inventor.maybe(summary.p90);
    inventor.maybe(summary.p99);
    summary.n = 1 + inventor.below(1000);
    return summary;
}

SensorReading inventSensor(Inventor& inventor) {
    SensorReading reading;
    reading.atSeconds = inventor.real();
    for (auto* field : {&reading.cpuLoadFraction, &reading.cpuMhz, &reading.cpuCelsius, &reading.gpuMhz,
                        &reading.gpuCelsius, &reading.gpuWatts, &reading.gpuLoadFraction}) {
        inventor.maybe(*field);
    }
    if (reading.cpuCelsius) reading.cpuCelsius = -*reading.cpuCelsius;
    inventor.maybe(reading.memoryUsedBytes);
    inventor.maybe(reading.deviceMemoryUsedBytes);
    reading.throttled = inventor.chance();
    return reading;
}

MemoryUse inventMemory(Inventor& inventor) {
    MemoryUse memory;
    for (auto* field : {&memory.plannedBytes, &memory.enginePeakBytes, &memory.processPeakBytes,
                        &memory.devicePeakBytes, &memory.weightBytes, &memory.gradientBytes, &memory.optimizerBytes,
                        &memory.activationBytes, &memory.workspaceBytes}) {
        inventor.maybe(*field);
    }
    return memory;
}

StepProfile inventProfile(Inventor& inventor) {
    StepProfile profile;
    profile.stepSeconds = inventor.real();
    profile.steps = inventor.below(1000);
    for (auto i = inventor.below(5); i > 0; --i) {
        auto& operation = profile.operations.emplace_back();
        operation.name = inventor.text();
        operation.kind = "convolution";
        operation.pass = "backward_weights";
        operation.kernel = inventor.text();
        operation.seconds = inventor.real();
        inventor.maybe(operation.flops);
    }
    return profile;
}

MachineReading inventReading(Inventor& inventor) {
    MachineReading reading;
    for (auto* value :
         {&reading.roundTripSeconds, &reading.slowestRoundTripSeconds, &reading.arithmeticRate, &reading.bandwidth,
          &reading.weightBandwidth, &reading.stolenCpus, &reading.otherCpus, &reading.gpuMhz, &reading.gpuCelsius})
        inventor.maybe(*value);
    inventor.maybe(reading.involuntarySwitches);
    if (inventor.present()) reading.gpuThrottled = inventor.chance();
    if (inventor.present()) reading.gpuOtherProcesses = static_cast<int>(inventor.below(5));
    return reading;
}

Visit inventVisit(Inventor& inventor) {
    Visit visit{.startedUnixMs = inventor.integer(), .windows = {}};
    for (auto i = inventor.below(4); i > 0; --i) {
        const auto samples = static_cast<std::int64_t>(inventor.below(50));
        auto before = inventReading(inventor);
        visit.windows.push_back({samples, std::move(before), inventReading(inventor)});
    }
    return visit;
}

StateFigure inventState(Inventor& inventor) {
    StateFigure state;
    inventor.maybe(state.roundTripSeconds);
    state.medianSeconds = inventor.real();
    state.meanSeconds = inventor.real();
    state.windows = static_cast<std::int64_t>(inventor.below(50));
    inventor.maybe(state.arithmeticRate);
    inventor.maybe(state.bandwidth);
    for (auto i = inventor.below(4); i > 0; --i) state.visitSeconds.push_back(inventor.real());
    return state;
}

Figure inventFigure(Inventor& inventor) {
    Figure figure;
    figure.main = inventState(inventor);
    for (auto i = inventor.below(3); i > 0; --i) figure.others.push_back(inventState(inventor));
    for (auto* value : {&figure.low, &figure.high, &figure.deviation, &figure.degrees, &figure.priorDeviation,
                        &figure.priorDegrees, &figure.runDeviation, &figure.runDegrees, &figure.worstOtherCpus})
        inventor.maybe(*value);
    figure.tornWindows = static_cast<std::int64_t>(inventor.below(9));
    figure.disturbedWindows = static_cast<std::int64_t>(inventor.below(9));
    figure.disturbed = inventor.chance();
    return figure;
}

CaseRecord inventRecord(Inventor& inventor) {
    CaseRecord record;
    record.spec = inventCase(inventor);
    inventor.maybe(record.deviceName);
    record.status = static_cast<Status>(inventor.below(7));
    inventor.maybe(record.reason);
    if (inventor.present()) record.stepSeconds = inventSummary(inventor);
    if (inventor.present()) {
        for (auto i = inventor.below(200); i > 0; --i) record.samplesSeconds.push_back(inventor.real());
    }
    record.stepsPerSample = 1 + inventor.below(100);
    if (inventor.present()) record.throughput = Throughput{inventor.real(), "samples/s"};
    inventor.maybe(record.flopsPerStep);
    inventor.maybe(record.bytesPerStep);
    if (inventor.present()) {
        record.utilization = Utilization{inventor.real(), {}, {}, {}, {}};
        inventor.maybe(record.utilization->achievedBytes);
        inventor.maybe(record.utilization->peakBytes);
        inventor.maybe(record.utilization->peakFlops);
        inventor.maybe(record.utilization->fraction);
    }
    record.memory = inventMemory(inventor);
    record.verification.state = static_cast<VerificationState>(inventor.below(3));
    inventor.maybe(record.verification.maxRelativeError);
    inventor.maybe(record.verification.tolerance);
    inventor.maybe(record.verification.lossFirst);
    inventor.maybe(record.verification.lossLast);
    inventor.maybe(record.verification.reason);
    if (inventor.present()) record.stopReason = static_cast<StopReason>(inventor.below(4));
    if (inventor.present()) record.warmUp = WarmUp{inventor.integer(), inventor.real()};
    inventor.maybe(record.compileSeconds);
    inventor.maybe(record.energyJoulesPerStep);
    if (inventor.present()) {
        for (auto i = inventor.below(6); i > 0; --i) record.conditions[inventor.text()] = inventor.text();
        for (auto i = inventor.below(4); i > 0; --i) record.warnings.push_back(inventor.message());
        for (auto i = inventor.below(5); i > 0; --i) record.sensors.push_back(inventSensor(inventor));
    }
    record.startedUnixMs = inventor.integer();
    if (inventor.present()) record.profile = inventProfile(inventor);
    if (inventor.present()) {
        record.parallel = ParallelUse{.devices = {"cuda:0", "cuda:1"}, .rankStepSeconds = {0.25, 0.5}};
        inventor.maybe(record.parallel->exchangeSeconds);
        inventor.maybe(record.parallel->computeSeconds);
        inventor.maybe(record.parallel->exposedSeconds);
        if (inventor.present()) record.parallel->exchangedBytes = static_cast<std::int64_t>(inventor.below(1U << 30));
        if (inventor.present()) record.parallel->exchanges = static_cast<int>(inventor.below(100));
        if (inventor.present()) {
            auto& nodes = record.parallel->nodes.emplace();
            nodes.hosts = {inventor.text(), inventor.text()};
            nodes.library = inventor.text();
            nodes.computeSeconds = {0.25, 0.5};
            if (inventor.present()) nodes.slowestRank = 1;
            for (auto* figure : {&nodes.busBandwidth, &nodes.latencySeconds, &nodes.bytesPerSecond, &nodes.efficiency,
                                 &nodes.predictedEfficiency, &nodes.predictedLow, &nodes.predictedHigh})
                inventor.maybe(*figure);
        }
        record.input = InputUse{.producers = static_cast<int>(inventor.below(8)),
                                .waitFraction = {},
                                .producibleSamples = {},
                                .pipelineLimits = {}};
        inventor.maybe(record.input->waitFraction);
        inventor.maybe(record.input->producibleSamples);
        if (inventor.present()) record.input->pipelineLimits = inventor.chance();
    }
    if (inventor.present()) {
        record.language = LanguageUse{.task = "generate",
                                      .weights = "q4_0",
                                      .tokensPerStep = 3,
                                      .context = {},
                                      .prompt = {},
                                      .weightBytes = inventor.integer(),
                                      .readBytesPerToken = inventor.integer(),
                                      .cacheBytes = inventor.integer(),
                                      .layers = 2,
                                      .checkedLayers = 1,
                                      .firstTokenSeconds = {inventor.real()},
                                      .tokenSeconds = {inventor.real(), inventor.real()}};
        if (inventor.present()) record.language->context = inventor.integer();
        if (inventor.present()) record.language->prompt = inventor.integer();
    }
    if (inventor.present()) {
        record.precisionCost = PrecisionCost{.relativeRms = inventor.real(),
                                             .topClassAgreement = {},
                                             .samples = 1 + static_cast<int>(inventor.below(256))};
        inventor.maybe(record.precisionCost->topClassAgreement);
    }
    if (inventor.present()) {
        for (auto i = inventor.below(4); i > 0; --i) record.visits.push_back(inventVisit(inventor));
        record.figure = inventFigure(inventor);
    }
    return record;
}

}  // namespace

Case inventCase(std::uint64_t seed, Optionals optionals) {
    Inventor inventor(seed, optionals);
    return inventCase(inventor);
}

CaseRecord inventRecord(std::uint64_t seed, Optionals optionals) {
    Inventor inventor(seed, optionals);
    return inventRecord(inventor);
}

RunRecord inventRun(std::uint64_t seed, Optionals optionals, int caseCount) {
    Inventor inventor(seed, optionals);
    RunRecord run;
    run.id = fmt::format("{:012x}", (seed * 0x9e3779b97f4a7c15ULL) >> 16);
    inventor.maybe(run.suite);
    inventor.maybe(run.suiteVersion);
    inventor.maybe(run.programVersion);
    inventor.maybe(run.gitRevision);
    run.startedUnixMs = inventor.integer();
    inventor.maybe(run.finishedUnixMs);
    inventor.maybe(run.computer);
    if (inventor.present()) run.profileJson = R"({"cpu":{"name":"Zen","cores":4,"isa":["avx2"]},"gpus":[]})";
    run.origin = inventor.chance() ? "measured" : "imported";
    inventor.maybe(run.note);
    run.seed = inventor.below(1000);
    for (int i = 0; i < caseCount; ++i) run.records.push_back(inventRecord(inventor));
    return run;
}

Event inventEvent(std::uint64_t seed, Optionals optionals, EventKind kind) {
    Inventor inventor(seed, optionals);
    Event event;
    event.kind = kind;
    const bool suite = kind == EventKind::SuiteStarted || kind == EventKind::SuiteFinished;
    if (suite) event.runId = "0123456789ab";
    if (!suite) event.caseIndex = inventor.below(20);
    switch (kind) {
        case EventKind::SuiteStarted:
            event.caseCount = 2;
            event.visitCount = 1 + inventor.below(7);
            inventor.maybe(event.estimateSeconds);
            event.cases = {inventCase(inventor), inventCase(inventor)};
            break;
        case EventKind::CaseStarted:
            event.spec = inventCase(inventor);
            event.visit = inventor.below(7);
            break;
        case EventKind::Phase:
            event.phase = static_cast<Phase>(inventor.below(5));
            break;
        case EventKind::Sample:
            event.sampleSeconds = inventor.real();
            inventor.maybe(event.medianSeconds);
            inventor.maybe(event.ciLow);
            inventor.maybe(event.ciHigh);
            break;
        case EventKind::Sensor:
            event.sensor = inventSensor(inventor);
            break;
        case EventKind::CaseFinished:
            event.record = inventRecord(inventor);
            break;
        case EventKind::SuiteFinished:
            event.status = "partial";
            break;
    }
    return event;
}

}  // namespace steelyard::test
