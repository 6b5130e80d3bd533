// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/case_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "engine/bench/measure/case_figures.h"
#include "engine/bench/measure/conditions.h"
#include "engine/bench/measure/copy_probe.h"
#include "engine/bench/measure/input_feed.h"
#include "engine/bench/measure/language_case.h"
#include "engine/bench/measure/peak_probe.h"
#include "engine/bench/measure/precision_cost.h"
#include "engine/bench/measure/sensor_recorder.h"
#include "engine/bench/measure/state_probe.h"
#include "engine/bench/measure/step_profile.h"
#include "engine/bench/measure/verification.h"
#include "engine/bench/multi_device/node_group.h"
#include "engine/bench/protocol/statistics.h"
#include "engine/bench/protocol/stopping_rule.h"
#include "engine/bench/protocol/visits.h"
#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/peak_fraction.h"
#include "engine/compute/device_memory_use.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/machine_probe.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/bench.h"
#include "engine/hardware/system/preflight.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

// Progress is for display; more events would only cost time.
constexpr double kSampleEventsPerSecond = 20;
// Between two probes of the machine state. A longer step forms its own window.
constexpr Seconds kWindowTime{0.25};
// A probe evicts data of the step from the caches; steps longer than this are not affected noticeably.
constexpr double kLongStep = 0.05;
// Shorter warm-up of later visits, since the first one showed that the case settles.
constexpr double kLaterWarmUpSeconds = 0.15, kLaterWarmUpCap = 0.3;
constexpr std::string_view kSynthetic = "synthetic";

Failure cancelledFailure(const Case& spec) {
    return fail(ErrorKind::Cancelled, caseLabel(spec));
}

class CaseMeasurement {
public:
    CaseMeasurement(const Case& spec, const Protocol& protocol, const CaseServices& services)
        : m_spec(spec), m_protocol(protocol), m_services(services), m_ranks(services.rank) {
        m_record.spec = spec;
        m_record.startedUnixMs = services.clock.unixMilliseconds();
    }

    CaseRecord run() {
        emitCaseStarted();
        if (auto done = measure(); !done) {
            m_record.status = statusOf(done.error().kind);
            m_record.reason = messageOf(done.error());
        } else {
            m_record.status = Status::Ok;
        }
        return std::move(m_record);
    }

private:
    using Stage = Result<void> (CaseMeasurement::*)();

    Result<void> measure() {
        std::vector<Stage> stages{
            &CaseMeasurement::openWorkload, &CaseMeasurement::makePlan,      &CaseMeasurement::preflight,
            &CaseMeasurement::compile,      &CaseMeasurement::compareToFp32, &CaseMeasurement::openFeed,
            &CaseMeasurement::verifyFirst,  &CaseMeasurement::warmUp,        &CaseMeasurement::sample,
            &CaseMeasurement::summarise,    &CaseMeasurement::summariseStep, &CaseMeasurement::profileStep};
        if (m_spec.part == Part::Pipeline)
            stages = {&CaseMeasurement::openWorkload, &CaseMeasurement::preflight, &CaseMeasurement::openFeed,
                      &CaseMeasurement::warmUp,       &CaseMeasurement::sample,    &CaseMeasurement::summarise};
        if (model::isLanguageName(m_spec.workload))
            stages = {&CaseMeasurement::openWorkload,   &CaseMeasurement::openLanguage,
                      &CaseMeasurement::preflight,      &CaseMeasurement::compileLanguage,
                      &CaseMeasurement::verifyLanguage, &CaseMeasurement::prepareLanguage,
                      &CaseMeasurement::warmUp,         &CaseMeasurement::sample,
                      &CaseMeasurement::summarise,      &CaseMeasurement::summariseLanguage,
                      &CaseMeasurement::profileStep};
        if (m_services.nodes == nullptr) return perform(stages);
        // All ranks must be ready before the first shared step; otherwise the others would wait forever.
        const auto shared = std::find(stages.begin(), stages.end(), &CaseMeasurement::warmUp);
        TRY(allReady(*m_services.nodes, perform({stages.begin(), shared})));
        return perform({shared, stages.end()});
    }

    Result<void> perform(const std::vector<Stage>& stages) {
        for (const Stage stage : stages) {
            if (m_services.cancelled()) return cancelledFailure(m_spec);
            if (auto ok = (this->*stage)(); !ok) return ok;
        }
        return {};
    }

    [[nodiscard]] bool isFirstVisit() const { return m_services.visit == 0; }
    // Sampling time of one visit.
    [[nodiscard]] Seconds timeOfVisit() const {
        return Seconds(m_protocol.timeCap.value() / std::max(1, m_protocol.visits));
    }

    [[nodiscard]] bool hasRealData() const { return m_spec.data != kSynthetic; }

    Result<void> openWorkload() {
        auto workload = model::resolveWorkload(m_spec.workload);
        if (!workload) return Failure(workload.error());
        m_workload = std::move(*workload);
        if (model::isLanguageName(m_spec.workload)) return {};
        if (hasRealData()) {
            ASSIGN(auto source, openWorkloadData(m_workload, m_spec.data, m_spec.batch, m_spec.seed));
            m_source = std::move(source);
            m_workload = m_source->workload;
            m_graph = m_source->graph;
            return {};
        }
        if (m_spec.part != Part::Step) return fail(ErrorKind::InvalidArgument, {}, messages::noDataToRead());
        ASSIGN(auto graph, m_workload.build());
        m_graph = std::move(graph);
        return {};
    }

    Result<void> makePlan() {
        ASSIGN(auto plan, lowerCalibrated());
        m_plan = std::make_shared<const plan::Plan>(std::move(plan));
        m_record.flopsPerStep = m_plan->stepFlops();
        m_record.bytesPerStep = m_plan->stepBytes();
        m_record.conditions[std::string(kWorkRatioCondition)] = fmt::format("{:.3f}", workRatio(*m_plan));
        m_options.device = m_spec.device;
        m_options.threads = threadsOf(m_spec, m_services.profile);
        m_options.seed = m_spec.seed;
        m_options.kernels = m_spec.kernels.value_or("auto");
        // What the backend cannot estimate or support is reported when it compiles.
        recordPlannedMemory(m_record.memory,
                            m_services.backend.plannedMemory(*m_plan, m_options)
                                .value_or(m_services.backend.Backend::plannedMemory(*m_plan, m_options).value()));
        return {};
    }

    // A backend without int8 reports so before the calibration.
    Result<plan::Plan> lowerCalibrated() {
        const plan::PlanOptions options{m_spec.mode, m_spec.batch, m_spec.precision, m_workload.optimizer};
        ASSIGN(auto plan, plan::lower(m_graph, options));
        if (m_spec.precision != plan::Precision::Int8 || !compute::supportsPlan(m_services.backend, plan)) return plan;
        return compute::lowerCalibrated(m_services.reference, m_services.backend, m_graph, options,
                                        {.seed = m_spec.seed, .threads = threadsOf(m_spec, m_services.profile)});
    }

    // Replaces the plan for language models.
    Result<void> openLanguage() {
        m_options.device = m_spec.device;
        m_options.threads = threadsOf(m_spec, m_services.profile);
        ASSIGN(auto language, LanguageCase::open(m_spec, m_services.backend, m_services.decoders, m_options.threads));
        m_language = std::move(language);
        m_record.flopsPerStep = m_language->flops();
        m_record.bytesPerStep = m_language->bytes();
        m_record.language = m_language->use();
        recordPlannedMemory(m_record.memory, m_language->plannedMemory());
        return {};
    }

    Result<void> compileLanguage() {
        emitPhase(Phase::Compile);
        const auto start = m_services.clock.nowNanoseconds();
        m_language->draw(m_spec.seed);
        m_record.compileSeconds = secondsBetween(start, m_services.clock.nowNanoseconds()).value();
        return {};
    }

    Result<void> verifyLanguage() {
        if (notVerified()) return {};
        emitPhase(Phase::Verify);
        m_record.verification = m_language->verify(m_spec.seed);
        return verificationResult();
    }

    Result<void> prepareLanguage() {
        emitPhase(Phase::Compile);
        const auto start = m_services.clock.nowNanoseconds();
        TRY(m_language->prepare());
        *m_record.compileSeconds += secondsBetween(start, m_services.clock.nowNanoseconds()).value();
        return {};
    }

    Result<void> summariseLanguage() {
        m_record.memory.enginePeakBytes = m_language->plannedMemory().peak.value();
        m_record.language = m_language->use();
        if (isFirstVisit())
            recordUtilization(m_record, m_services.backend, plan::Precision::Fp32, m_options, arrayOfProbe(),
                              m_services.clock);
        return {};
    }

    [[nodiscard]] std::int64_t arrayOfProbe() const { return probeMebibytes(m_spec.device, m_services.profile); }

    std::optional<Bytes> freeMemory() const {
        for (const auto& device : m_services.backend.devices()) {
            if (device.id != m_spec.device) continue;
            m_deviceName = device.name;
            if (device.id != "cpu" && device.id != "reference") return device.memory;
        }
        const auto& available = m_services.profile.memory.availableBytes;
        return available.value ? std::optional(Bytes(*available.value)) : std::nullopt;
    }

    Result<void> preflight() {
        m_free = freeMemory();
        m_record.deviceName = m_deviceName;
        const Bytes planned(m_record.memory.plannedBytes.value_or(0));
        if ((m_plan || m_language) && m_free && planned > *m_free)
            return Failure(Error{ErrorKind::OutOfMemory, caseLabel(m_spec), {}, {}, planned.value(), m_free->value()});
        if (m_plan) {
            if (auto ok = compute::supportsPlan(m_services.backend, *m_plan); !ok) return ok;
        }
        const hardware::PreflightOptions options{.files = {}, .management = m_services.management};
        if (isFirstVisit())
            for (const auto& warning : hardware::preflight(m_services.profile, m_services.clock, options)) {
                m_record.warnings.push_back(warning.detail);
                if (warning.kind == hardware::PreflightKind::OtherLoad && warning.value)
                    m_record.conditions[std::string(kOtherLoadCondition)] = fmt::format("{:.2f}", *warning.value);
            }
        const int usable = m_services.profile.cpu.usableThreads.valueOr(1);
        if (m_spec.device == "cpu" && threadsOf(m_spec, m_services.profile) > usable)
            m_record.warnings.push_back(messages::tooManyThreads(*m_spec.threads, usable));
        recordReadings(m_record, "start");
        if (const auto* gpu = gpuOfCase()) recordGpuCircumstances(m_record, *gpu);
        readGpu("start");
        recordCircumstances(m_record, m_services.profile, m_services.backend, threadsOf(m_spec, m_services.profile));
        return {};
    }

    Result<void> compile() {
        emitPhase(Phase::Compile);
        m_options.memoryLimit = m_free;
        auto timed = m_options;
        m_ranks.share(timed);
        const auto start = m_services.clock.nowNanoseconds();
        ASSIGN(auto executable, m_services.backend.compile(m_plan, timed));
        m_record.compileSeconds = secondsBetween(start, m_services.clock.nowNanoseconds()).value();
        m_executable = std::move(executable);
        return compute::writeSyntheticState(*m_executable, m_spec.seed);
    }

    // Step only: uses one batch of the real data, since its ids and zeros may affect the speed.
    Result<void> openFeed() {
        if (!m_source) return {};
        FeedOptions options{.batch = m_spec.batch, .training = m_spec.mode == plan::Mode::Train, .seed = m_spec.seed};
        options.threads = feedThreads(m_services.profile.cpu.usableThreads.valueOr(1));
        ASSIGN(auto feed, InputFeed::create(*m_source, options, m_services.clock));
        m_feed = std::move(feed);
        if (m_spec.part == Part::Pipeline) {
            m_record.verification.reason = messages::nothingComputed();
            return {};
        }
        if (auto ok = m_feed->advance(); !ok) return ok;
        if (auto ok = m_feed->write(*m_executable); !ok) return ok;
        if (m_spec.part == Part::Step) m_feed.reset();
        return {};
    }

    // Sets the reason in the record.
    bool notVerified() {
        auto& reason = m_record.verification.reason;
        if (!m_protocol.verify)
            reason = messages::switchedOff();
        else if (!isFirstVisit())
            reason = messages::checkedBefore();
        else if (m_spec.device == "reference")
            reason = messages::isReference();
        else
            return false;
        return true;
    }

    [[nodiscard]] Result<void> verificationResult() const {
        if (m_record.verification.state == VerificationState::Fail)
            return fail(ErrorKind::Internal, {}, messages::verificationFailed(m_record.verification.reason));
        return {};
    }

    Result<void> verifyFirst() {
        if (notVerified()) return {};
        emitPhase(Phase::Verify);
        VerifyOptions options;
        options.seed = m_spec.seed;
        options.compile = m_options;
        m_record.verification = verify(m_services.backend, m_services.reference, m_graph, m_plan->options, options);
        return verificationResult();
    }

    // Accuracy loss of int8. A failure only adds a warning.
    Result<void> compareToFp32() {
        if (m_spec.precision != plan::Precision::Int8 || !m_protocol.verify || !isFirstVisit()) return {};
        PrecisionCostOptions options;
        options.seed = m_spec.seed;
        options.compile = m_options;
        auto cost = precisionCost(m_services.backend, *m_executable, m_graph, options, m_services.clock);
        if (!cost) m_record.warnings.push_back(messages::noPrecisionCost(messageOf(cost.error())));
        if (cost) m_record.precisionCost = *cost;
        return compute::writeSyntheticState(*m_executable, m_spec.seed);
    }

    Result<double> timedSteps(std::int64_t count) {
        const auto start = m_services.clock.nowNanoseconds();
        for (std::int64_t i = 0; i < count; ++i) {
            if (m_language) {
                TRY(m_language->step(m_services.clock));
                continue;
            }
            if (m_feed) {
                TRY(m_feed->advance());
                if (!m_executable) continue;
                TRY(m_feed->write(*m_executable));
            }
            TRY(m_executable->step({m_step++, 1.0}));
        }
        return secondsBetween(start, m_services.clock.nowNanoseconds()).value();
    }

    Result<void> warmUp() {
        emitPhase(Phase::WarmUp);
        WarmUpLimits limits;
        limits.timeCap = m_protocol.timeCap;
        if (!isFirstVisit()) {
            limits.minimumTime = Seconds(kLaterWarmUpSeconds);
            limits.timeCap = std::min(limits.timeCap, Seconds(kLaterWarmUpCap / WarmUpRule::kShareOfCap));
        }
        WarmUpRule rule(limits);
        while (true) {
            if (m_services.cancelled()) return cancelledFailure(m_spec);
            ASSIGN(const auto more, m_ranks.shouldContinue(m_executable.get(), rule.state() == WarmUpState::Continue));
            if (!more) break;
            ASSIGN(const auto seconds, timedSteps(1));
            rule.add(Seconds(seconds));
        }
        m_record.warmUp = rule.total();
        const auto steps =
            m_services.stepsPerSample > 0
                ? m_services.stepsPerSample
                : stepsPerSample(rule.secondsPerStep().value_or(0), clockResolution(m_services.clock),
                                 m_protocol.sustained ? kMinimumSustainedSampleSeconds : kMinimumSampleSeconds);
        ASSIGN(const auto agreed, m_ranks.agreed(m_executable.get(), steps));
        m_record.stepsPerSample = agreed;
        m_secondsPerStep = rule.secondsPerStep().value_or(0);
        return m_ranks.barrier("sampling", m_services.cancelled);
    }

    Result<void> sample() {
        emitPhase(Phase::Sampling);
        StoppingLimits limits;
        limits.timeCap = timeOfVisit();
        limits.minimumTime = std::min(kWindowTime, limits.timeCap);
        if (m_protocol.precise) limits.relativeHalfWidth = kPreciseHalfWidth;
        limits.wholeTime = m_protocol.sustained;
        StoppingRule rule(limits);
        hardware::SensorOptions sensorOptions;
        sensorOptions.cpus = m_services.profile.cpu.allowedCpuList.valueOr({});
        sensorOptions.management = m_services.management;
        if (const auto* gpu = gpuOfCase()) sensorOptions.gpuPciBusId = gpu->pciBusId.valueOr("");
        SensorRecorder recorder(sensorOptions, m_protocol.sensorsPerSecond, m_services.clock,
                                [this](const SensorReading& reading) {
                                    Event event{.kind = EventKind::Sensor};
                                    event.sensor = reading;
                                    emit(event);
                                });
        StateProbe probe(m_services.backend, {.files = {},
                                              .cpus = sensorOptions.cpus,
                                              .threads = threadsOf(m_spec, m_services.profile),
                                              .management = m_services.management,
                                              .gpuPciBusId = sensorOptions.gpuPciBusId,
                                              .processId = ::getpid()});
        auto& visit = m_record.visits.emplace_back();
        visit.startedUnixMs = m_services.clock.unixMilliseconds();
        SamplingWindow window{.samples = 0, .before = readMachine(probe), .after = {}};
        TRY(settle(window.before));
        if (m_language) m_language->beginSampling();
        const auto start = m_services.clock.nowNanoseconds();
        auto windowStart = start;
        double lastEvent = -1;
        while (true) {
            if (m_services.cancelled()) return cancelledFailure(m_spec);
            ASSIGN(const auto more, m_ranks.shouldContinue(m_executable.get(), !rule.stopReason()));
            const bool isFull =
                !(secondsBetween(windowStart, m_services.clock.nowNanoseconds()) < windowTime()) && window.samples > 0;
            if (isFull || (!more && window.samples > 0)) {
                window.after = readMachine(probe);
                visit.windows.push_back(window);
                window = {.samples = 0, .before = window.after, .after = {}};
                if (more) {
                    TRY(settle(window.before));
                }
                windowStart = m_services.clock.nowNanoseconds();
            }
            if (!more) break;
            ASSIGN(const auto seconds, timedSteps(m_record.stepsPerSample));
            const double perStep = seconds / static_cast<double>(m_record.stepsPerSample);
            m_record.samplesSeconds.push_back(perStep);
            ++window.samples;
            const auto elapsed = secondsBetween(start, m_services.clock.nowNanoseconds());
            rule.add(perStep, elapsed);
            if (elapsed.value() - lastEvent >= 1 / kSampleEventsPerSecond || rule.stopReason()) {
                lastEvent = elapsed.value();
                emitSample(perStep, rule);
            }
        }
        m_record.stopReason = rule.stopReason();
        m_record.sensors = recorder.finish();
        m_energy = recorder.energy();
        for (const auto& reason : recorder.throttleReasons())
            m_record.warnings.push_back(messages::gpuSlowedDown(reason));
        // Independent jobs: the last samples of the slowest rank should be as disturbed as its first.
        return m_ranks.keepBusy([this] { return timedSteps(1); }, m_services.cancelled);
    }

    // Sustained cases have thousands of windows, and use longer ones to show how the speed develops.
    [[nodiscard]] Seconds windowTime() const {
        constexpr double kWindowsOfSustained = 60;
        return m_protocol.sustained ? std::max(kWindowTime, Seconds(m_protocol.timeCap.value() / kWindowsOfSustained))
                                    : kWindowTime;
    }

    // Every visit reads the bandwidth of its own windows: that of a shared machine changes within a second.
    [[nodiscard]] MachineReading readMachine(StateProbe& probe) {
        auto reading = probe.read();
        if (m_language) reading.weightBandwidth = m_language->readBandwidth();
        return reading;
    }

    // Runs the step after a probe untimed. Processes that share a step would have to agree on it.
    Result<void> settle(const MachineReading& reading) {
        if (m_services.rank || (!m_executable && !m_language) || m_feed) return {};
        if (compute::machineProbeOf(m_services.backend) == nullptr && !reading.weightBandwidth) return {};
        if (m_secondsPerStep > kLongStep) return {};
        const auto untimed = timedSteps(1);
        if (!untimed) return Failure(untimed.error());
        return {};
    }

    Result<void> summarise() {
        m_record.stepSeconds = summarize(m_record.samplesSeconds);
        if (m_record.stepSeconds) applyFigure(m_record, threadsOf(m_spec, m_services.profile), {});
        if (!m_record.stepSeconds || m_record.stepSeconds->median <= 0)
            return fail(ErrorKind::Internal, {}, messages::timerStalled());
        m_record.throughput = Throughput{workOfStep(m_workload, m_spec, m_plan.get()) / m_record.stepSeconds->mean,
                                         std::string(model::throughputUnit(m_workload))};
        hardware::Sensors sensors({});
        m_record.memory.processPeakBytes = sensors.sample().peakResidentBytes;
        if (m_feed) m_record.input = m_feed->use();
        if (std::any_of(m_record.sensors.begin(), m_record.sensors.end(),
                        [](const auto& reading) { return reading.throttled; }))
            m_record.warnings.push_back(messages::cpuThrottled());
        if (m_energy) {
            m_record.energyJoulesPerStep = m_energy->joules / m_energy->seconds * m_record.stepSeconds->mean;
            m_record.conditions["energy_source"] = m_energy->ofGpu ? "nvml" : "rapl";
        }
        recordSustained(m_record);
        recordReadings(m_record, "end");
        readGpu("end");
        return {};
    }

    [[nodiscard]] const hardware::GpuInfo* gpuOfCase() const {
        for (const auto& gpu : m_services.profile.gpus)
            if (gpu.id == m_spec.device) return &gpu;
        return nullptr;
    }
    void readGpu(std::string_view when) {
        const auto* gpu = gpuOfCase();
        if (gpu == nullptr || !gpu->pciBusId.value || !m_services.management || !m_services.management->open()) return;
        if (const auto reading = m_services.management->read(*gpu->pciBusId.value))
            recordGpuReading(m_record, when, *reading);
    }

    Result<void> summariseStep() {
        const auto memory = m_executable->memory();
        m_record.memory.enginePeakBytes = memory.peak.value();
        m_record.memory.devicePeakBytes = compute::devicePeakBytes(*m_executable);
        for (const auto& remark : m_executable->remarks()) m_record.warnings.push_back(remark);
        if (auto ok = m_ranks.recordExchange(*m_executable, m_record); !ok) return ok;
        if (!isFirstVisit()) return {};
        recordUtilization(m_record, m_services.backend, m_plan->options.precision, m_options, arrayOfProbe(),
                          m_services.clock);
        // Link bandwidth is a property of the machine: it is measured in one kind of case.
        auto* copies = compute::hostCopiesOf(m_services.backend);
        if (copies != nullptr && m_workload.rate == model::Rate::Bytes)
            recordCopyRates(m_record, measureCopies(*copies, m_spec.device, m_services.clock));
        return {};
    }

    // A failed profile only adds a warning.
    Result<void> profileStep() {
        if (!m_protocol.profile || !isFirstVisit()) return {};
        m_executable.reset();  // the profiled executable needs its memory
        const ProfileLimits limits{.time = Seconds(std::min(2.0, m_protocol.timeCap.value()))};
        auto profile = m_language ? m_language->profile(m_services.clock, m_services.cancelled, limits)
                                  : bench::profileStep(m_services.backend, m_plan, m_options, m_services.clock,
                                                       m_services.cancelled, limits);
        if (!profile && profile.error().kind == ErrorKind::Cancelled) return Failure(profile.error());
        if (!profile) m_record.warnings.push_back(messages::noProfile(messageOf(profile.error())));
        if (profile) m_record.profile = std::move(*profile);
        return {};
    }

    void emitCaseStarted() {
        Event event{.kind = EventKind::CaseStarted};
        event.spec = m_spec;
        emit(event);
    }
    void emitPhase(Phase phase) {
        Event event{.kind = EventKind::Phase};
        event.phase = phase;
        emit(event);
    }
    void emitSample(double seconds, const StoppingRule& rule) {
        Event event{.kind = EventKind::Sample};
        event.sampleSeconds = seconds;
        event.medianSeconds = rule.median();
        if (const auto interval = rule.interval()) {
            event.ciLow = interval->low;
            event.ciHigh = interval->high;
        }
        emit(event);
    }
    void emit(const Event& event) {
        const std::lock_guard lock(m_emitting);
        if (m_services.onEvent) m_services.onEvent(event);
    }

    const Case& m_spec;
    const Protocol& m_protocol;
    const CaseServices& m_services;
    RankCoordinator m_ranks;
    CaseRecord m_record;
    model::Workload m_workload;
    model::Graph m_graph;
    std::optional<WorkloadData> m_source;  // with real data
    std::unique_ptr<InputFeed> m_feed;     // if it is part of what is timed
    std::shared_ptr<const plan::Plan> m_plan;
    std::unique_ptr<compute::Executable> m_executable;
    std::unique_ptr<LanguageCase> m_language;  // language models, which have no plan
    compute::CompileOptions m_options;
    std::optional<Bytes> m_free;
    std::optional<EnergyUse> m_energy;
    mutable std::string m_deviceName;
    std::int64_t m_step = 0;
    double m_secondsPerStep = 0;  // from the warm-up
    std::mutex m_emitting;
};

}  // namespace

int threadsOf(const Case& spec, const hardware::HardwareProfile& profile) {
    return spec.threads.value_or(profile.cpu.usableThreads.valueOr(1));
}

CaseRecord runCase(const Case& spec, const Protocol& protocol, const CaseServices& services) {
    return CaseMeasurement(spec, protocol, services).run();
}

}  // namespace steelyard::bench
