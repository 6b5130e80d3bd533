// SPDX-License-Identifier: Apache-2.0
// Results of measurements as plain structs, which are copied between processes, files, database and threads. Times are
// seconds, sizes bytes, rates per second; std::optional means "may be unknown", and unknown is never 0. Field names
// follow resources/schemas/record.schema.json.
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

// What is timed of a workload with real data: the step alone (data already on the device), the input pipeline alone
// (reading, decoding, augmenting, batching), or both together as in training.
enum class Part { Step, Pipeline, Together };
[[nodiscard]] std::string_view toString(Part part);
[[nodiscard]] std::optional<Part> partFromString(std::string_view name);

// One configuration of one workload on one device.
struct Case {
    std::string workload;  // zoo id, "mnist_cnn"
    plan::Mode mode = plan::Mode::Train;
    std::string device = "cpu";  // cpu | cuda:0 | reference | several devices (device_group.h)
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 0;              // samples per step, over all devices
    std::optional<int> threads;          // unset: the physical cores available to this process
    std::optional<std::string> isa;      // unset: no limit; sse | avx2 | avx512 | amx
    std::optional<std::string> kernels;  // library for matrix products; unset: the fastest; onednn | openblas
    std::string data = "synthetic";      // synthetic | path of a folder
    Part part = Part::Step;
    std::string optimizer;  // "rmsprop"; empty when inferring
    std::uint64_t seed = 1;

    friend bool operator==(const Case&, const Case&) = default;
};

// Sixteen hexadecimal digits over all fields that affect the measurement (all except the seed).
[[nodiscard]] std::string caseHash(const Case& value);
// "mnist_cnn train cpu fp32 b128 t2"; files without their folders.
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

// Statistics of the samples of one case. With fewer than five samples, no MAD and no percentiles. With a figure: of its
// samples (protocol/figure.h), with its median and its interval (unset with one visit). Otherwise: of all samples, with
// the order-statistics interval of the median.
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
    std::optional<double> peakFlops;  // FLOP/s, measured on this device in this precision
    std::optional<double> fraction;
    std::optional<double> achievedBytes;  // byte/s of the Plan's compulsory traffic
    std::optional<double> peakBytes;      // byte/s, measured on this device

    friend bool operator==(const Utilization&, const Utilization&) = default;
};

struct MemoryUse {
    std::optional<std::int64_t> plannedBytes;      // by the backend before allocation, or by the Plan
    std::optional<std::int64_t> enginePeakBytes;   // allocated by the backend
    std::optional<std::int64_t> processPeakBytes;  // peak resident set of the measuring process
    std::optional<std::int64_t> devicePeakBytes;   // GPU
    // Breakdown of plannedBytes.
    std::optional<std::int64_t> weightBytes, gradientBytes, optimizerBytes, activationBytes, workspaceBytes;

    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

struct Verification {
    VerificationState state = VerificationState::NotChecked;
    std::optional<double> maxRelativeError;  // norm-relative, maximum over outputs, loss, gradients and updated weights
    std::optional<double> tolerance;
    std::optional<double> lossFirst;
    std::optional<double> lossLast;
    Message reason;  // why it was not checked or failed

    friend bool operator==(const Verification&, const Verification&) = default;
};

struct WarmUp {
    std::int64_t steps = 0;
    double seconds = 0;

    friend bool operator==(const WarmUp&, const WarmUp&) = default;
};

// A sensor reading taken while a case runs.
struct SensorReading {
    double atSeconds = 0;                   // since the start of the case
    std::optional<double> cpuLoadFraction;  // over all allowed CPUs, 0..1
    std::optional<double> cpuMhz;
    std::optional<double> cpuCelsius;
    std::optional<double> gpuMhz, gpuCelsius, gpuWatts, gpuLoadFraction;
    std::optional<std::int64_t> memoryUsedBytes;  // used by the measuring process
    std::optional<std::int64_t> deviceMemoryUsedBytes;
    bool throttled = false;

    friend bool operator==(const SensorReading&, const SensorReading&) = default;
};

// One operation of a step; fused operations are attributed to the first one.
struct ProfiledOperation {
    std::string name;             // "conv2d_1 (weight gradient)"
    std::string kind;             // "convolution"
    std::string pass;             // "backward_weights"
    std::string kernel;           // implementation used
    double seconds = 0;           // mean per step
    std::optional<double> flops;  // per step

    friend bool operator==(const ProfiledOperation&, const ProfiledOperation&) = default;
};

struct StepProfile {
    double stepSeconds = 0;  // mean of the profiled steps, which include the timing overhead
    std::int64_t steps = 0;
    std::vector<ProfiledOperation> operations;  // in execution order

    [[nodiscard]] double sumSeconds() const;  // of the operations, without the time between them

    friend bool operator==(const StepProfile&, const StepProfile&) = default;
};

// Input pipeline: throughput beside a step (Part::Together) or alone (Part::Pipeline).
struct InputUse {
    int producers = 0;                        // pipeline threads
    std::optional<double> waitFraction;       // fraction of the time that the step waited for data
    std::optional<double> producibleSamples;  // per second, without back-pressure
    std::optional<bool> pipelineLimits;       // false: the step is the bottleneck

    friend bool operator==(const InputUse&, const InputUse&) = default;
};

// Processors of several nodes on one case: measured and predicted gradient exchange.
struct NodesUse {
    std::vector<std::string> hosts;        // in rank order
    std::string library;                   // "Open MPI v4.1.4"
    std::vector<double> computeSeconds;    // in rank order: step time without exchange
    std::optional<int> slowestRank;        // unset unless its computeSeconds exceed 1.1 times the median
    std::optional<double> busBandwidth;    // bytes/s of the step's exchange: 2 (n - 1) / n of its bytes over its time
    std::optional<double> latencySeconds;  // per hop, fitted to all-reduces of several sizes
    std::optional<double> bytesPerSecond;  // bus bandwidth, fitted likewise
    // Parallel efficiency: median of computeSeconds over the step time. Predicted from the fit and computeSeconds,
    // assuming no overlap (low) and full overlap (high) of the exchange.
    std::optional<double> efficiency, predictedEfficiency, predictedLow, predictedHigh;

    friend bool operator==(const NodesUse&, const NodesUse&) = default;
};

// Several devices on one case (device_group.h). For shared steps with the exchange, by rank 0's device clock.
struct ParallelUse {
    std::vector<std::string> devices;            // in rank order
    std::vector<double> rankStepSeconds;         // median of each rank
    std::optional<double> exchangeSeconds;       // all exchanges of a step, without overlap
    std::optional<double> computeSeconds;        // step without exchange
    std::optional<double> exposedSeconds;        // exchange time not hidden: the step takes compute + exposed seconds
    std::optional<std::int64_t> exchangedBytes;  // per step and rank
    std::optional<int> exchanges;                // per step
    std::optional<NodesUse> nodes;               // unset if all devices are in one computer

    friend bool operator==(const ParallelUse&, const ParallelUse&) = default;
};

// A language model (model/decoder/language_workload.h). Tokens per second are in the throughput; bytes per second and
// their fraction of the measured bandwidth in `utilization`; energyJoulesPerStep covers tokensPerStep tokens.
struct LanguageUse {
    std::string task;     // prefill | decode | generate
    std::string weights;  // q4_k_m, or the predominant format of a file
    std::int64_t tokensPerStep = 1;
    std::optional<std::int64_t> context;  // decode: tokens in the KV cache before each step
    std::optional<std::int64_t> prompt;   // prefill, generate: prompt length in tokens
    std::int64_t weightBytes = 0;         // as stored, whole model
    std::int64_t readBytesPerToken = 0;   // of these, read per token
    std::int64_t cacheBytes = 0;          // KV cache, as allocated
    std::int64_t layers = 0;
    std::int64_t checkedLayers = 0;  // verified against the exact decoder; 0: none
    // generate: time to first token of each step of each visit, and times of the other tokens, tokensPerStep - 1 per
    // step.
    std::vector<double> firstTokenSeconds, tokenSeconds;

    friend bool operator==(const LanguageUse&, const LanguageUse&) = default;
};

// Accuracy loss of int8 against fp32 on the same device, with the same weights and seeded samples.
struct PrecisionCost {
    double relativeRms = 0;                   // norm of the difference over the norm of the fp32 outputs
    std::optional<double> topClassAgreement;  // fraction of samples with the same top class, 0..1
    std::int64_t samples = 0;                 // 256, or fewer if they take too long

    friend bool operator==(const PrecisionCost&, const PrecisionCost&) = default;
};

struct CaseRecord {
    Case spec;
    std::string deviceName;  // "AMD EPYC 9354"
    Status status = Status::Failed;
    Message reason;  // empty if ok
    std::optional<Summary> stepSeconds;
    std::vector<double> samplesSeconds;  // seconds per step, one entry per sample, over all visits in order
    std::vector<Visit> visits;           // empty in records of earlier versions and of other programs
    std::optional<Figure> figure;        // the result with its evidence; unset without visits
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
    std::map<std::string, std::string> conditions;  // libraries, versions, governor, load, clocks at start and end, ...
    std::vector<Message> warnings;
    std::vector<SensorReading> sensors;
    std::int64_t startedUnixMs = 0;
    std::optional<StepProfile> profile;          // if requested
    std::optional<InputUse> input;               // with real data
    std::optional<ParallelUse> parallel;         // with several devices
    std::optional<LanguageUse> language;         // language models
    std::optional<PrecisionCost> precisionCost;  // int8

    friend bool operator==(const CaseRecord&, const CaseRecord&) = default;
};

struct RunRecord {
    std::string id;            // 12 hexadecimal digits
    std::string suite;         // "quick", "custom"
    std::string suiteVersion;  // results of different versions are not comparable
    std::string programVersion;
    std::string gitRevision;
    std::int64_t startedUnixMs = 0;
    std::optional<std::int64_t> finishedUnixMs;  // unset: running, cancelled or killed
    std::string computer;                        // host label, editable
    std::string profileJson;                     // the computer's HardwareProfile, as printed by detect --json
    std::string origin = "measured";             // measured | imported
    std::string note;
    std::uint64_t seed = 1;
    std::vector<CaseRecord> records;

    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// Progress of a run, in order. The command line prints one JSON object per line (--events jsonl), which the window
// reads from its child process.
enum class EventKind { SuiteStarted, CaseStarted, Phase, Sample, Sensor, CaseFinished, SuiteFinished };
[[nodiscard]] std::string_view toString(EventKind kind);
[[nodiscard]] std::optional<EventKind> eventKindFromString(std::string_view name);

enum class Phase { Compile, Verify, WarmUp, Sampling, CoolDown };
[[nodiscard]] std::string_view toString(Phase phase);
[[nodiscard]] std::optional<Phase> phaseFromString(std::string_view name);

struct Event {
    EventKind kind = EventKind::SuiteStarted;
    std::string runId;                      // SuiteStarted, SuiteFinished
    std::int64_t caseIndex = -1;            // index in the suite, for all case events
    std::int64_t caseCount = 0;             // SuiteStarted
    std::int64_t visitCount = 1;            // SuiteStarted: visits per case
    std::int64_t visit = 0;                 // CaseStarted: index of the visit
    std::optional<double> estimateSeconds;  // SuiteStarted
    std::vector<Case> cases;                // SuiteStarted: cases in execution order
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
