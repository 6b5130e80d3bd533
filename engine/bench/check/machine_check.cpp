// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/check/machine_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include "engine/bench/check/covering_cases.h"
#include "engine/bench/check/memory_pattern.h"
#include "engine/bench/measure/verification.h"
#include "engine/bench/run/measuring_child.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/bench.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;

constexpr double kOfMainMemory = 0.5, kOfDeviceMemory = 0.9;  // of what is free
constexpr double kMostMainMemory = double{1ULL << 31};
constexpr double kLeastMemory = double{1 << 24};
constexpr std::int64_t kCheckedSamples = 2;
constexpr double kMostEmulatedFlops = 1e9;  // of a sample
constexpr double kMarginal = 10;            // times the tolerance: not yet evidence of a fault
constexpr std::uint64_t kRetries = 2;
constexpr double kHotFraction = 0.1;  // of the readings
constexpr double kMuchSlower = 1.2;
constexpr double kLimitSeconds = 1800;  // of a part, besides its load
constexpr auto kCheckPoll = 50ms;
constexpr auto kCheckTermination = 1s;
constexpr std::size_t kMaxCheckFile = 1U << 20;

class CheckTaskRunner {
public:
    CheckTaskRunner(const CheckTask& task, const CheckTaskServices& services) : m_task(task), m_services(services) {
        m_part.kind = task.kind;
        m_part.device = task.device;
        m_part.deviceName = task.deviceName;
    }

    CheckPart run() {
        const auto start = m_services.clock.nowNanoseconds();
        if (m_services.backend == nullptr && m_task.device != kMainMemoryDevice) {
            skip(messages::checkNoDevice(m_task.device));
        } else {
            switch (m_task.kind) {
                case CheckKind::Memory:
                    checkMemory();
                    break;
                case CheckKind::Operations:
                    checkOperations();
                    break;
                case CheckKind::Load:
                    checkLoad();
                    break;
            }
        }
        m_part.seconds = secondsBetween(start, m_services.clock.nowNanoseconds()).value();
        return std::move(m_part);
    }

private:
    [[nodiscard]] bool isCancelled() const { return m_services.cancelled && m_services.cancelled(); }
    void skip(Message why) {
        m_part.state = CheckState::Skipped;
        m_part.finding = std::move(why);
    }
    void stop() {
        m_part.state = CheckState::Cancelled;
        m_part.finding = messages::stopped();
    }
    void conclude(CheckState state, Message finding) {
        m_part.state = state;
        m_part.finding = std::move(finding);
    }
    [[nodiscard]] compute::CompileOptions compileOptions() const {
        compute::CompileOptions options;
        options.device = m_task.device;
        options.seed = m_task.seed;
        options.threads = std::max(1, m_services.profile.cpu.usableThreads.valueOr(1));
        return options;
    }
    [[nodiscard]] double sizeOf(double free, double fraction, double most) const {
        const double wanted = m_task.memoryBytes > 0 ? m_task.memoryBytes : most;
        return std::min(wanted, free * fraction);
    }

    Result<std::unique_ptr<compute::RawMemory>> allocate() {
        if (m_task.device == kMainMemoryDevice) {
            const auto& available = m_services.profile.memory.availableBytes.value;
            const auto size = sizeOf(static_cast<double>(available.value_or(0)), kOfMainMemory, kMostMainMemory);
            if (size < kLeastMemory) return fail(ErrorKind::OutOfMemory, {}, messages::checkLittleMemory());
            const Bytes bytes(static_cast<std::int64_t>(size));
            return m_services.allocateMain ? m_services.allocateMain(bytes) : allocateMainMemory(bytes);
        }
        auto* source = compute::rawMemoryOf(*m_services.backend);
        if (source == nullptr) return fail(ErrorKind::Unsupported, {}, messages::checkNoRawMemory());
        ASSIGN(const auto free, source->freeMemory(m_task.device));
        const auto size = sizeOf(static_cast<double>(free.value()), kOfDeviceMemory, static_cast<double>(free.value()));
        if (size < kLeastMemory) return fail(ErrorKind::OutOfMemory, {}, messages::checkLittleMemory());
        return source->allocateRaw(m_task.device, Bytes(static_cast<std::int64_t>(size)));
    }

    void checkMemory() {
        auto memory = allocate();
        if (!memory) return skip(messageOf(memory.error()));
        const auto tally = testPatterns(
            **memory, {.seed = m_task.seed, .onProgress = m_services.onProgress, .cancelled = m_services.cancelled});
        if (!tally) return conclude(CheckState::Faults, messages::checkError(messageOf(tally.error())));
        m_part.checked = tally->bytes;
        m_part.wrong = tally->wrongWords;
        for (const auto& fault : tally->first)
            m_part.details.push_back(messages::memoryFault(fmt::format("{:#x}", fault.offset),
                                                           fmt::format("{:016x}", fault.expected),
                                                           fmt::format("{:016x}", fault.found)));
        if (tally->wrongWords > 0)
            conclude(CheckState::Faults, messages::memoryWrong(tally->wrongWords, Bytes(tally->bytes),
                                                               fmt::format("{:016x}", tally->wrongBits)));
        else if (tally->cancelled)
            stop();
        else
            conclude(CheckState::Passed, messages::memoryPassed(Bytes(tally->bytes), tally->patterns));
    }

    // Precisions that the device supports for this plan.
    void checkOperations() {
        const auto cases = coveringCases();
        double total = 0, done = 0;
        for (const auto& one : cases) total += one.flops;
        for (const auto& one : cases) {
            for (const auto precision : plan::kPrecisions) {
                if (precision == plan::Precision::Int8) continue;
                // The reference emulates rounding slowly; the cheap networks have nearly all operations.
                if (precision != plan::Precision::Fp32 && one.flops > kMostEmulatedFlops) continue;
                if (isCancelled()) return m_part.wrong > 0 ? concludeOperations() : stop();
                checkCase(one, precision);
            }
            done += one.flops;
            if (m_services.onProgress) m_services.onProgress(done / std::max(total, 1.0));
        }
        concludeOperations();
    }

    // A case that the device does not support in this precision is not counted.
    void checkCase(const CoveringCase& one, plan::Precision precision) {
        const auto workload = model::findWorkload(one.workload);
        if (!workload) return;
        const auto graph = (*workload)->build();
        if (!graph) return;
        const auto verified = [&](std::uint64_t seed) {
            VerifyOptions options;
            options.seed = seed;
            options.compile = compileOptions();
            options.reducedBatch = kCheckedSamples;
            options.lossSteps = 0;  // whether it learns is a question about software
            return verify(*m_services.backend, m_services.reference, *graph,
                          {one.mode, kCheckedSamples, precision, (*workload)->optimizer}, options);
        };
        auto result = verified(m_task.seed);
        // With unlucky values, a sum of nearly cancelling terms is off by a little more than the tolerance.
        for (std::uint64_t again = 1; again <= kRetries && isMarginal(result); ++again)
            result = verified(m_task.seed + again);
        if (result.state == VerificationState::NotChecked) return;
        ++m_part.checked;
        if (result.state == VerificationState::Pass) return;
        ++m_part.wrong;
        m_part.details.push_back(messages::operationWrong((*workload)->title, toString(precision), result.reason));
    }

    [[nodiscard]] static bool isMarginal(const Verification& result) {
        return result.state == VerificationState::Fail && result.maxRelativeError && result.tolerance &&
               *result.maxRelativeError < kMarginal * *result.tolerance;
    }

    void concludeOperations() {
        if (m_part.checked == 0) return skip(messages::operationsNone());
        if (m_part.wrong > 0)
            conclude(CheckState::Faults, messages::operationsWrong(m_part.wrong, m_part.checked));
        else
            conclude(CheckState::Passed, messages::operationsPassed(m_part.checked));
    }

    [[nodiscard]] const hardware::GpuInfo* gpu() const {
        const auto& gpus = m_services.profile.gpus;
        const auto found = std::ranges::find(gpus, m_task.device, &hardware::GpuInfo::id);
        return found == gpus.end() ? nullptr : &*found;
    }

    // Power limits are how a GPU is meant to work; heat is not.
    [[nodiscard]] static bool isThermal(const Message& reason) {
        return reason.id == "hardware.software_thermal_slowdown" || reason.id == "hardware.hardware_thermal_slowdown" ||
               reason.id == "hardware.hardware_slowdown";
    }

    [[nodiscard]] std::function<LoadReading()> sensing() const {
        if (m_services.sense) return m_services.sense;
        hardware::SensorOptions options;
        options.cpus = m_services.profile.cpu.allowedCpuList.valueOr({});
        const auto* card = gpu();
        if (card != nullptr) {
            options.management = m_services.management;
            options.gpuPciBusId = card->pciBusId.valueOr({});
        }
        auto sensors = std::make_shared<hardware::Sensors>(options);
        (void)sensors->sample();  // the first one has no differences
        return [sensors, isCard = card != nullptr] {
            const auto sample = sensors->sample();
            LoadReading reading;
            reading.mhz = isCard ? sample.gpuMhz : sample.cpuMhz;
            reading.celsius = isCard ? sample.gpuCelsius : sample.cpuCelsius;
            if (!isCard)
                reading.throttled = sample.cpuThrottled;
            else if (sample.gpuMhz)
                reading.throttled = std::ranges::any_of(sample.gpuThrottleReasons, isThermal);
            return reading;
        };
    }

    void checkLoad() {
        auto load = makeLoad(*m_services.backend, compileOptions());
        if (!load) return skip(messageOf(load.error()));
        const auto tally = sustain(**load, m_services.clock,
                                   {.seconds = m_task.loadSeconds,
                                    .seed = m_task.seed,
                                    .sense = sensing(),
                                    .onProgress = m_services.onProgress,
                                    .cancelled = m_services.cancelled});
        // The rating of a processor; a GPU has none that it must hold.
        const auto judged = judgeClock(tally, gpu() == nullptr ? m_services.profile.cpu.baseMhz.value : std::nullopt);
        m_part.checked = tally.repetitions;
        m_part.wrong = tally.differing;
        m_part.firstMhz = judged.firstMhz;
        m_part.lastMhz = judged.lastMhz;
        m_part.hottestCelsius = judged.hottestCelsius;
        m_part.throttledFraction = judged.throttledFraction;
        m_part.slowdown = judged.slowdown;
        concludeLoad(tally, judged);
    }

    void concludeLoad(const LoadTally& tally, const ClockJudgement& judged) {
        const bool isHot = judged.throttledFraction.value_or(0) > kHotFraction;
        const bool isSlower = judged.slowdown.value_or(1) > kMuchSlower;
        auto& details = m_part.details;
        if (judged.belowRating) details.push_back(messages::clockFell(*judged.firstMhz, *judged.lastMhz));
        if (isHot) details.push_back(messages::loadThrottled(Percent{*judged.throttledFraction}));
        if (isSlower && !judged.belowRating) details.push_back(messages::loadSlower(Percent{*judged.slowdown - 1}));
        if (!judged.lastMhz && !tally.cancelled) details.push_back(messages::clockNotReported());
        if (tally.error) return conclude(CheckState::Faults, messages::checkError(messageOf(*tally.error)));
        if (tally.differing > 0)
            return conclude(CheckState::Faults,
                            messages::loadDiffers(tally.differing, tally.repetitions, tally.differingValues));
        if (judged.belowRating) return conclude(CheckState::Faults, messages::loadClockFault(tally.repetitions));
        if (tally.cancelled) return stop();
        conclude(isHot || isSlower ? CheckState::Remarks : CheckState::Passed, messages::loadPassed(tally.repetitions));
    }

    const CheckTask& m_task;
    const CheckTaskServices& m_services;
    CheckPart m_part;
};

// The parent's side of one part.
class CheckChild {
public:
    CheckChild(const CheckTask& task, const CheckServices& services) : m_task(task), m_services(services) {}

    CheckPart run(const std::function<void(double)>& onProgress) {
        ChildCommand command;
        command.arguments = {m_services.executable.string(), "check-part"};
        command.arguments.insert(command.arguments.end(), m_services.childArguments.begin(),
                                 m_services.childArguments.end());
        command.standardInput = toJsonLine(m_task) + "\n";
        auto child = ChildProcess::start(command);
        if (!child) return without(CheckState::Skipped, messageOf(child.error()));
        const auto start = m_services.clock.nowNanoseconds();
        const double limit = kLimitSeconds + m_task.loadSeconds;
        bool late = false, asked = false;
        while (!child->atEnd()) {
            if (const auto line = child->readLine(kCheckPoll)) take(*line, onProgress);
            if (!asked && m_services.cancelled && m_services.cancelled()) {
                asked = true;
                child->terminate();
                m_deadline = std::chrono::steady_clock::now() + kCheckTermination;
            }
            late = secondsBetween(start, m_services.clock.nowNanoseconds()).value() > limit;
            if (late || (asked && std::chrono::steady_clock::now() > m_deadline)) break;
        }
        if (!child->atEnd()) child->kill();
        const auto exit = child->wait();
        if (m_part) return std::move(*m_part);
        if (asked) return without(CheckState::Cancelled, messages::stopped());
        if (late) return without(CheckState::Faults, messages::tookLonger(Seconds(limit)));
        // Killed from outside: memory ran out, or a limit of the system.
        const bool isKilled = exit.signal == SIGKILL || exit.signal == SIGXCPU;
        return without(isKilled ? CheckState::Skipped : CheckState::Faults, crashReason(exit));
    }

private:
    void take(const std::string& line, const std::function<void(double)>& onProgress) {
        auto event = checkEventFromJson(line);
        if (!event) return;
        if (event->part)
            m_part = std::move(event->part);
        else
            onProgress(event->fraction);
    }
    [[nodiscard]] CheckPart without(CheckState state, Message finding) const {
        CheckPart part;
        part.kind = m_task.kind;
        part.device = m_task.device;
        part.deviceName = m_task.deviceName;
        part.state = state;
        part.finding = std::move(finding);
        return part;
    }

    const CheckTask& m_task;
    const CheckServices& m_services;
    std::optional<CheckPart> m_part;
    std::chrono::steady_clock::time_point m_deadline;
};

}  // namespace

std::vector<CheckTask> checkTasks(const std::vector<compute::Device>& devices, double loadSeconds, double memoryBytes) {
    std::vector<CheckTask> tasks;
    const auto add = [&](CheckKind kind, const std::string& device, const std::string& name) {
        tasks.push_back({kind, device, name, loadSeconds, memoryBytes});
    };
    add(CheckKind::Memory, std::string(kMainMemoryDevice), {});
    for (const auto& device : devices) {
        if (device.memory && device.id != "cpu") add(CheckKind::Memory, device.id, device.name);
        add(CheckKind::Operations, device.id, device.name);
        add(CheckKind::Load, device.id, device.name);
    }
    return tasks;
}

CheckPart runCheckTask(const CheckTask& task, const CheckTaskServices& services) {
    return CheckTaskRunner(task, services).run();
}

void runCheck(CheckReport& report, const std::vector<CheckTask>& tasks, const CheckServices& services) {
    CheckEvent event;
    event.partCount = static_cast<std::int64_t>(tasks.size());
    const auto tell = [&] {
        if (services.onEvent) services.onEvent(event);
    };
    for (const auto& task : tasks) {
        if (services.cancelled && services.cancelled()) return;
        event.partIndex = static_cast<std::int64_t>(report.parts.size());
        event.kind = task.kind;
        event.device = task.device;
        event.fraction = 0;
        event.part.reset();
        tell();
        report.parts.push_back(CheckChild(task, services).run([&](double fraction) {
            event.fraction = fraction;
            tell();
        }));
        event.fraction = 1;
        event.part = report.parts.back();
        tell();
        if (report.parts.back().state == CheckState::Cancelled) return;
    }
    report.finishedUnixMs = services.clock.unixMilliseconds();
}

std::filesystem::path checkFileBeside(const std::filesystem::path& historyFile) {
    return historyFile.parent_path() / "check.json";
}

Result<CheckReport> loadCheckReport(const std::filesystem::path& file) {
    ASSIGN(const auto text, readFile(file, kMaxCheckFile));
    return checkReportFromJson(text);
}

Result<void> saveCheckReport(const CheckReport& report, const std::filesystem::path& file) {
    TRY(createPrivateFolders(file.parent_path()));
    return writeFileAtomically(file, toJson(report) + "\n", FileRights::OwnerOnly);
}

}  // namespace steelyard::bench
