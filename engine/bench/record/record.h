// SPDX-License-Identifier: Apache-2.0
// The values that measuring produces, as plain structs: they cross process, file, database and thread borders by copy.
// Times are seconds, sizes bytes, rates per second; std::optional means "may be unknown", and unknown is never 0.
// Field names follow the record of the command line's contract (docs in resources/schemas/record.schema.json).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/machine_reading.h"
#include "engine/core/message.h"
#include "engine/plan/mode.h"

namespace steelyard::bench {

// What of a workload with real data is timed: the step alone (its data already on the device), reading, decoding,
// augmenting and batching alone, or both together as in a training.
enum class Part { Step, Pipeline, Together };
[[nodiscard]] std::string_view toString(Part part);
[[nodiscard]] std::optional<Part> partFromString(std::string_view name);

// One configuration of one workload on one device.
struct Case {
    std::string workload;  // zoo id, "mnist_cnn"
    plan::Mode mode = plan::Mode::Train;
    std::string device = "cpu";  // cpu | cuda:0 | reference | several (device_group.h)
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 0;              // samples per step, of all devices together
    std::optional<int> threads;          // unset: the physical cores this process may use
    std::optional<std::string> isa;      // unset: all the machine has; sse | avx2 | avx512 | amx
    std::optional<std::string> kernels;  // who does matrix products; unset: the fastest; onednn | openblas
    std::string data = "synthetic";      // synthetic | a folder
    Part part = Part::Step;
    std::string optimizer;  // "rmsprop"; empty when inferring
    std::uint64_t seed = 1;

    friend bool operator==(const Case&, const Case&) = default;
};

// Sixteen hexadecimal digits over every field of the case that changes what is measured (all but the seed).
[[nodiscard]] std::string caseHash(const Case& value);
// "mnist_cnn train cpu fp32 b128 t2".
[[nodiscard]] std::string caseLabel(const Case& value);

enum class Status { Ok, OutOfMemory, Unsupported, TimedOut, Cancelled, Failed, Crashed };
[[nodiscard]] std::string_view toString(Status status);
[[nodiscard]] std::optional<Status> statusFromString(std::string_view name);

enum class VerificationState { Pass, Fail, NotChecked };
[[nodiscard]] std::string_view toString(VerificationState state);
[[nodiscard]] std::optional<VerificationState> verificationStateFromString(std::string_view name);

enum class StopReason { Precision, NoiseStable, TimeCap, Sustained };
[[nodiscard]] std::string_view toString(StopReason reason);
[[nodiscard]] std::optional<StopReason> stopReasonFromString(std::string_view name);

// Statistics of the samples of one case. Fewer than five samples: no MAD, no percentiles. With a figure, of the samples
// that it is made of (protocol/figure.h): its median, and its interval, which is unset with one visit. Without one, of
// all samples, and the interval is that of the median from order statistics.
struct Summary {
    double median = 0;
    std::optional<double> ci95Low;
    std::optional<double> ci95High;
    double mean = 0;
    std::optional<double> mad;  // median absolute deviation from the median
    double min = 0;
    std::optional<double> p90;  // n >= 10
    std::optional<double> p99;  // n >= 100
    std::int64_t n = 0;

    friend bool operator==(const Summary&, const Summary&) = default;
};

struct Throughput {
    double value = 0;
    std::string unit;  // samples/s, tokens/s

    friend bool operator==(const Throughput&, const Throughput&) = default;
};

struct Utilization {
    double achievedFlops = 0;         // FLOP/s
    std::optional<double> peakFlops;  // FLOP/s, measured on this device and precision
    std::optional<double> fraction;
    std::optional<double> achievedBytes;  // byte/s, of the Plan's compulsory traffic
    std::optional<double> peakBytes;      // byte/s, measured on this device

    friend bool operator==(const Utilization&, const Utilization&) = default;
};

struct MemoryUse {
    std::optional<std::int64_t> plannedBytes;      // what the backend said before it allocated, or the Plan
    std::optional<std::int64_t> enginePeakBytes;   // what the backend allocated
    std::optional<std::int64_t> processPeakBytes;  // peak resident set of the measuring process
    std::optional<std::int64_t> devicePeakBytes;   // on a GPU
    // What that consists of; sums to plannedBytes.
    std::optional<std::int64_t> weightBytes, gradientBytes, optimizerBytes, activationBytes, workspaceBytes;

    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

struct Verification {
    VerificationState state = VerificationState::NotChecked;
    std::optional<double> maxRelativeError;  // largest over outputs, loss, gradients and updated weights, norm-relative
    std::optional<double> tolerance;
    std::optional<double> lossFirst;
    std::optional<double> lossLast;
    Message reason;  // why not checked, or what failed

    friend bool operator==(const Verification&, const Verification&) = default;
};

struct WarmUp {
    std::int64_t steps = 0;
    double seconds = 0;

    friend bool operator==(const WarmUp&, const WarmUp&) = default;
};

// One reading of the machine beside the timing.
struct SensorReading {
    double atSeconds = 0;                   // since the start of the case
    std::optional<double> cpuLoadFraction;  // of all allowed CPUs, 0..1
    std::optional<double> cpuMhz;
    std::optional<double> cpuCelsius;
    std::optional<double> gpuMhz, gpuCelsius, gpuWatts, gpuLoadFraction;
    std::optional<std::int64_t> memoryUsedBytes;  // by the measuring process
    std::optional<std::int64_t> deviceMemoryUsedBytes;
    bool throttled = false;

    friend bool operator==(const SensorReading&, const SensorReading&) = default;
};

// One operation of a step; operations that a backend fuses are counted with the first of them.
struct ProfiledOperation {
    std::string name;             // "conv2d_1 (weight gradient)"
    std::string kind;             // "convolution"
    std::string pass;             // "backward_weights"
    std::string kernel;           // the implementation that ran
    double seconds = 0;           // mean per step
    std::optional<double> flops;  // of one step

    friend bool operator==(const ProfiledOperation&, const ProfiledOperation&) = default;
};

struct StepProfile {
    double stepSeconds = 0;  // mean of the profiled steps; reading the clock around each operation makes them longer
    std::int64_t steps = 0;
    std::vector<ProfiledOperation> operations;  // in order of execution

    [[nodiscard]] double sumSeconds() const;  // of the operations; the rest of the step is spent between them

    friend bool operator==(const StepProfile&, const StepProfile&) = default;
};

// How a step is fed (Part::Together), or could be (Part::Pipeline).
struct InputUse {
    int producers = 0;                        // threads of the pipeline
    std::optional<double> waitFraction;       // of the time, the step waited for data
    std::optional<double> producibleSamples;  // per second, when nothing holds the pipeline back
    std::optional<bool> pipelineLimits;       // or else the step does

    friend bool operator==(const InputUse&, const InputUse&) = default;
};

// Processors of several nodes on one case: what the network between them did, and what it was expected to do.
struct NodesUse {
    std::vector<std::string> hosts;        // by rank
    std::string library;                   // "Open MPI v4.1.4"
    std::vector<double> computeSeconds;    // by rank: a step that exchanges nothing
    std::optional<int> slowestRank;        // where it computes for more than 1.1 times the median
    std::optional<double> busBandwidth;    // bytes/s of the step's exchange: 2 (n - 1) / n of its bytes over its time
    std::optional<double> latencySeconds;  // of a hop, fitted to all-reduces of many sizes
    std::optional<double> bytesPerSecond;  // of the bus, fitted likewise
    // The median of computeSeconds over the step: what a node does in a group, of what it does alone. Predicted from
    // the fit and computeSeconds alone, with nothing of the exchange hidden (low) and all that can be (high).
    std::optional<double> efficiency, predictedEfficiency, predictedLow, predictedHigh;

    friend bool operator==(const NodesUse&, const NodesUse&) = default;
};

// Several devices on one case (device_group.h). Of shared steps also the exchange, by rank 0's device clock.
struct ParallelUse {
    std::vector<std::string> devices;            // by rank
    std::vector<double> rankStepSeconds;         // median of each
    std::optional<double> exchangeSeconds;       // all exchanges of a step, with nothing beside them
    std::optional<double> computeSeconds;        // a step that exchanges nothing
    std::optional<double> exposedSeconds;        // that the exchange adds: such a step takes compute + exposed seconds
    std::optional<std::int64_t> exchangedBytes;  // of a step, by each rank
    std::optional<int> exchanges;                // in a step
    std::optional<NodesUse> nodes;               // unset where all devices are in one computer

    friend bool operator==(const ParallelUse&, const ParallelUse&) = default;
};

// A language model (model/decoder/language_workload.h). Its tokens a second are the throughput, its bytes a second and
// their share of the measured bandwidth are in `utilization`; energyJoulesPerStep is that of tokensPerStep tokens.
struct LanguageUse {
    std::string task;     // prefill | decode | generate
    std::string weights;  // q4_k_m, or the format of most of a file's bytes
    std::int64_t tokensPerStep = 1;
    std::optional<std::int64_t> context;  // decode: tokens in the cache before each step
    std::optional<std::int64_t> prompt;   // prefill, generate: tokens at once
    std::int64_t weightBytes = 0;         // as stored, of the whole model
    std::int64_t readBytesPerToken = 0;   // of them, what one token passes through
    std::int64_t cacheBytes = 0;          // keys and values, as allocated
    std::int64_t layers = 0;
    std::int64_t checkedLayers = 0;  // compared with the exact decoder; 0: none
    // generate: of each step of each visit, until the first token, and between the others, tokensPerStep - 1 a step.
    std::vector<double> firstTokenSeconds, tokenSeconds;

    friend bool operator==(const LanguageUse&, const LanguageUse&) = default;
};

// What int8 changes in a network's outputs, against fp32 on the same device, with the same weights and seeded samples.
struct PrecisionCost {
    double relativeRms = 0;                   // norm of the difference over that of the fp32 outputs
    std::optional<double> topClassAgreement;  // share of the samples whose largest output is the same; 0..1
    std::int64_t samples = 0;                 // 256, or fewer where those take too long

    friend bool operator==(const PrecisionCost&, const PrecisionCost&) = default;
};

struct CaseRecord {
    Case spec;
    std::string deviceName;  // "AMD EPYC 9354"
    Status status = Status::Failed;
    Message reason;  // empty when ok
    std::optional<Summary> stepSeconds;
    std::vector<double> samplesSeconds;  // one entry per sample, seconds per step; of all visits, one after another
    std::vector<Visit> visits;           // how they were taken; none in records of earlier versions and of others
    std::optional<Figure> figure;        // what `stepSeconds` shows, with its evidence; unset where there are no visits
    std::int64_t stepsPerSample = 1;
    std::optional<Throughput> throughput;
    std::optional<double> flopsPerStep;
    std::optional<double> bytesPerStep;
    std::optional<Utilization> utilization;
    MemoryUse memory;
    Verification verification;
    std::optional<StopReason> stopReason;
    WarmUp warmUp;
    std::optional<double> compileSeconds;
    std::optional<double> energyJoulesPerStep;
    std::map<std::string, std::string> conditions;  // libraries, versions, governor, load, clocks at both ends, ...
    std::vector<Message> warnings;
    std::vector<SensorReading> sensors;
    std::int64_t startedUnixMs = 0;
    std::optional<StepProfile> profile;          // when asked for
    std::optional<InputUse> input;               // when real data are read
    std::optional<ParallelUse> parallel;         // when several devices share the case
    std::optional<LanguageUse> language;         // of a language model
    std::optional<PrecisionCost> precisionCost;  // of int8

    friend bool operator==(const CaseRecord&, const CaseRecord&) = default;
};

struct RunRecord {
    std::string id;            // 12 hexadecimal digits
    std::string suite;         // "quick", "custom"
    std::string suiteVersion;  // results of different versions are not compared
    std::string programVersion;
    std::string gitRevision;
    std::int64_t startedUnixMs = 0;
    std::optional<std::int64_t> finishedUnixMs;  // unset: running, cancelled or killed
    std::string computer;                        // host label, may be edited
    std::string profileJson;                     // the HardwareProfile of the computer, as detect --json prints it
    std::string origin = "measured";             // measured | imported
    std::string note;
    std::uint64_t seed = 1;
    std::vector<CaseRecord> records;

    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// Progress of a run, in the order it happens. The command line prints one JSON object a line (--events jsonl); the
// window reads them from its child.
enum class EventKind { SuiteStarted, CaseStarted, Phase, Sample, Sensor, CaseFinished, SuiteFinished };
[[nodiscard]] std::string_view toString(EventKind kind);
[[nodiscard]] std::optional<EventKind> eventKindFromString(std::string_view name);

enum class Phase { Compile, Verify, WarmUp, Sampling, CoolDown };
[[nodiscard]] std::string_view toString(Phase phase);
[[nodiscard]] std::optional<Phase> phaseFromString(std::string_view name);

struct Event {
    EventKind kind = EventKind::SuiteStarted;
    std::string runId;                      // SuiteStarted, SuiteFinished
    std::int64_t caseIndex = -1;            // position in the suite, for all case events
    std::int64_t caseCount = 0;             // SuiteStarted
    std::int64_t visitCount = 1;            // SuiteStarted: how often each case is visited
    std::int64_t visit = 0;                 // CaseStarted: which of them begins, from 0
    std::optional<double> estimateSeconds;  // SuiteStarted
    std::vector<Case> cases;                // SuiteStarted: the plan of the run, in order of execution
    std::optional<Case> spec;               // CaseStarted
    std::optional<Phase> phase;             // Phase
    std::optional<double> sampleSeconds;    // Sample: seconds per step
    std::optional<double> medianSeconds;    // Sample: so far
    std::optional<double> ciLow, ciHigh;    // Sample: so far
    std::optional<SensorReading> sensor;    // Sensor
    std::optional<CaseRecord> record;       // CaseFinished
    std::string status;                     // SuiteFinished: done | partial | cancelled

    friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace steelyard::bench
