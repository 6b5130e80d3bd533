// SPDX-License-Identifier: Apache-2.0
// Accuracy of duration estimates, case by case: each case of a suite is measured in this process on one thread, timed
// by CPU time, so that a busy machine gives the results of an idle one; or, with "wall", by wall-clock time on all
// cores, as in a run.
//   estimate_check [suite=quick] [workload=...] [cap=SECONDS] [wall]
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <map>
#include <string>

#include "engine/bench/measure/peak_probe.h"
#include "engine/bench/suite/suite.h"
#include "engine/compute/registry.h"
#include "engine/hardware/detect.h"
#include "engine/model/resolve.h"

namespace {

using namespace steelyard;

class ProcessorClock final : public Clock {
public:
    std::int64_t nowNanoseconds() const override {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return now.tv_sec * 1'000'000'000LL + now.tv_nsec + m_slept;
    }
    std::int64_t unixMilliseconds() const override { return SystemClock().unixMilliseconds(); }
    void sleep(Seconds duration) override { m_slept += static_cast<std::int64_t>(duration.value() * 1e9); }

private:
    std::int64_t m_slept = 0;
};

// Seconds spent in each phase.
class Phases {
public:
    explicit Phases(const Clock& clock) : m_clock(clock), m_since(clock.nowNanoseconds()) {}
    void enter(std::string_view name) {
        const auto now = m_clock.nowNanoseconds();
        m_seconds[m_name] += secondsBetween(m_since, now).value();
        m_since = now;
        m_name = name;
    }
    double operator[](const std::string& name) { return m_seconds[name]; }

private:
    const Clock& m_clock;
    std::int64_t m_since;
    std::string m_name = "start";
    std::map<std::string, double> m_seconds;
};

}  // namespace

int main(int argc, char** argv) {
    bench::RunRequest request;
    request.suite = "quick";
    double cap = 0;
    bool wall = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = argument.substr(argument.find('=') + 1);
        if (argument.starts_with("suite=")) request.suite = value;
        if (argument.starts_with("workload=")) request.workloads = model::splitWorkloads(value);
        if (argument.starts_with("cap=")) cap = std::stod(value);
        if (argument == "wall") wall = true;
    }
    if (!wall) request.threads = {1};
    const auto suite = bench::makeSuite(request);
    const auto profile = hardware::detect({});
    if (!suite || !profile) {
        fmt::print(stderr, "{}\n", describe(!suite ? suite.error() : profile.error()));
        return 1;
    }
    compute::Registry registry({});
    auto& cpu = *registry.backendOf("cpu").value();
    ProcessorClock processor;
    SystemClock onTheWall;
    Clock& clock = wall ? static_cast<Clock&>(onTheWall) : processor;
    const int cores = wall ? profile->cpu.usableThreads.value.value_or(1) : 1;
    const compute::CompileOptions options{.threads = cores};
    const bench::AssumedRates rates{
        .devices = {{"cpu", bench::probeRates(cpu, options, clock)},
                    {"reference", bench::probeReference(registry.reference(), options, clock)}},
        .cores = cores};
    const auto& known = rates.devices.at("cpu");
    fmt::print("{} threads: {:.0f} GFLOP/s, {:.1f} GB/s\n", cores, known.flopsPerSecond.value_or(0) * 1e-9,
               known.bytesPerSecond.value_or(0) * 1e-9);
    fmt::print("{:<44} {:>15} {:>13} {:>13} {:>17} {:>15}\n", "case: estimated / measured, s", "step, ms", "compile",
               "check", "warm-up, sampling", "all");
    bench::Protocol protocol;
    protocol.timeCap = cap > 0 ? Seconds(cap) : suite->timeCap;
    double estimated = 0;
    double measured = 0;
    for (const auto& spec : suite->cases) {
        Phases phases(clock);
        const auto start = clock.nowNanoseconds();
        const bench::CaseServices services{.backend = cpu,
                                           .reference = registry.reference(),
                                           .profile = *profile,
                                           .clock = clock,
                                           .onEvent =
                                               [&](const bench::Event& event) {
                                                   if (event.phase) phases.enter(toString(*event.phase));
                                               },
                                           .cancelled = [] { return false; },
                                           .management = {}};
        const auto record = bench::runCase(spec, protocol, services);
        phases.enter("end");
        const double seconds = secondsBetween(start, clock.nowNanoseconds()).value();
        const auto estimate = bench::estimateCase(spec, protocol, rates);
        fmt::print(
            "{:<44} {:>7.2f} {:>7.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>8.2f} {:>8.2f} {:>7.2f} {:>7.2f}  {}\n",
            bench::caseLabel(spec), 1e3 * estimate.step, record.stepSeconds ? 1e3 * record.stepSeconds->median : 0.0,
            estimate.compile, phases["compile"], estimate.check, phases["verify"], estimate.warmUp + estimate.sampling,
            phases["warm_up"] + phases["sampling"], estimate.total(), seconds, record.reason.text);
        std::fflush(stdout);
        estimated += estimate.total();
        measured += seconds;
    }
    fmt::print("all: {:.1f} s estimated, {:.1f} s measured, ratio {:.2f} (starting processes left out of the latter)\n",
               estimated, measured, estimated / measured);
    return 0;
}
