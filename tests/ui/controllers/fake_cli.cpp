// SPDX-License-Identifier: Apache-2.0
// A stub of the measuring program: accepts the same arguments and runs the scenario named by --suite. Prints real
// events, so that the controller is tested with real output.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "engine/bench/check/check_report.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/run_issue.h"

namespace {

using namespace steelyard::bench;

volatile std::sig_atomic_t interrupted = 0;

void say(const Event& event) {
    std::cout << toJsonLine(event) << std::endl;
}

Case specOf(int index) {
    Case spec;
    spec.workload = index == 0 ? "mnist_mlp" : "resnet50";
    spec.batch = 16;
    return spec;
}

void startSuite() {
    Event event;
    event.kind = EventKind::SuiteStarted;
    event.runId = "feedfacecafe";
    event.caseCount = 2;
    event.estimateSeconds = 10;
    event.cases = {specOf(0), specOf(1)};
    say(event);
}

void startCase(int index) {
    Event event;
    event.kind = EventKind::CaseStarted;
    event.caseIndex = index;
    event.spec = specOf(index);
    say(event);
    for (const auto phase : {Phase::Compile, Phase::Verify, Phase::WarmUp, Phase::Sampling}) {
        Event change;
        change.kind = EventKind::Phase;
        change.caseIndex = index;
        change.phase = phase;
        say(change);
    }
}

void sample(int index, double seconds, double median, double halfWidth) {
    Event event;
    event.kind = EventKind::Sample;
    event.caseIndex = index;
    event.sampleSeconds = seconds;
    event.medianSeconds = median;
    event.ciLow = median - halfWidth;
    event.ciHigh = median + halfWidth;
    say(event);
    Event reading;
    reading.kind = EventKind::Sensor;
    reading.caseIndex = index;
    reading.sensor = SensorReading{};
    reading.sensor->cpuLoadFraction = 0.5 + 0.4 * std::sin(seconds * 4000);
    reading.sensor->cpuMhz = 3100;
    reading.sensor->memoryUsedBytes = 700LL << 20;
    say(reading);
}

void finishCase(int index, Status status) {
    Event event;
    event.kind = EventKind::CaseFinished;
    event.caseIndex = index;
    event.record = CaseRecord{};
    event.record->spec = specOf(index);
    event.record->status = status;
    event.record->stepSeconds = Summary{0.01, 0.0098, 0.0102, 0.01, {}, 0.009, {}, {}, 10};
    say(event);
}

void finishSuite(const std::string& status) {
    Event event;
    event.kind = EventKind::SuiteFinished;
    event.runId = "feedfacecafe";
    event.status = status;
    say(event);
}

void say(const RunIssue& issue) {
    std::cout << toJsonLine(issue) << std::endl;
}

// The two messages about a run that could not be stored, with a file for importing at the end.
void tellNotStored(const std::string& file) {
    const steelyard::Error error{steelyard::ErrorKind::DiskFull,
                                 "/data/history.sqlite",
                                 steelyard::Message("database or disk is full"),
                                 {},
                                 {},
                                 {}};
    say(RunIssue{RunIssue::Kind::NotStored, error, file});
    if (file.empty()) return;
    RunRecord run;
    run.id = "feedfacecafe";
    run.suite = "quick";
    run.suiteVersion = "1";
    run.computer = "workshop";
    run.startedUnixMs = 1'767'225'600'000;
    std::ofstream(file) << resultsToJson({run}) << std::endl;
}

int waitForSignal(bool obey) {
    using namespace std::chrono;
    const auto end = steady_clock::now() + seconds(20);
    while (steady_clock::now() < end) {
        std::this_thread::sleep_for(milliseconds(5));
        if (interrupted && obey) {
            finishSuite("cancelled");
            return 130;
        }
    }
    return 0;
}

// `check --seconds N`: 1 finds a fault, 2 waits for the stop, 3 refuses, 4 crashes, 5 ignores every signal.
int playCheck(const std::string& seconds) {
    if (seconds == "3") {
        std::cerr << "steelyard-cli: --seconds is odd" << std::endl;
        return 2;
    }
    CheckEvent event;
    event.partCount = 2;
    event.device = "memory";
    std::cout << toJsonLine(event) << "\nnonsense" << std::endl;
    event.part = CheckPart{};
    event.part->device = "memory";
    event.part->state = CheckState::Passed;
    event.part->finding = steelyard::Message("every bit as written");
    std::cout << toJsonLine(event) << std::endl;
    if (seconds == "4") std::abort();
    if (seconds == "5") return waitForSignal(false);
    CheckReport report;
    report.computer = "workshop";
    report.startedUnixMs = 1'767'225'600'000;
    report.parts = {*event.part};
    if (seconds == "2") {
        while (!interrupted) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        report.parts.emplace_back().state = CheckState::Cancelled;
    } else {
        report.finishedUnixMs = report.startedUnixMs + 1000;
        auto& load = report.parts.emplace_back();
        load.kind = CheckKind::Load;
        load.device = "cpu";
        load.state = CheckState::Faults;
        load.finding = steelyard::Message("results differ");
        load.details = {steelyard::Message("the clock fell")};
        load.firstMhz = 3000;
        load.lastMhz = 900;
        load.hottestCelsius = 99;
    }
    CheckEvent last;
    last.partIndex = last.partCount = 2;
    last.fraction = 1;
    last.report = report;
    std::cout << toJsonLine(last) << std::endl;
    return seconds == "2" ? 130 : 1;
}

int play(const std::string& scenario) {
    if (scenario == "usage") {
        std::cerr << "steelyard-cli: --batch is not valid: 'x'" << std::endl;
        return 2;
    }
    if (scenario == "refused") {
        say(RunIssue{
            RunIssue::Kind::Refused,
            {steelyard::ErrorKind::DiskFull, "/data/history.sqlite", steelyard::Message("no space left"), {}, {}, {}},
            {}});
        return 2;
    }
    startSuite();
    startCase(0);
    sample(0, 0.010, 0.010, 0.0002);
    sample(0, 0.011, 0.0105, 0.0002);
    finishCase(0, Status::Ok);
    if (scenario == "crash") {
        startCase(1);
        std::cerr << "something went very wrong" << std::endl;
        std::abort();
    }
    if (scenario == "live") {  // a case whose interval narrows, until it is stopped
        startCase(1);
        for (int count = 1; count <= 60; ++count) {
            const double wobble = 0.04 * ((count * 7) % 11 - 5) / 5;
            sample(1, 0.05 * (1 + wobble), 0.05, 0.05 * 0.2 / count + 0.0005);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return waitForSignal(true);
    }
    if (scenario == "lost") return 0;
    if (scenario == "unstored") {
        tellNotStored({});
        startCase(1);
        finishCase(1, Status::Ok);
        finishSuite("done");
        const auto name = "steelyard-run-of-a-test-" + std::to_string(::getpid()) + ".json";
        tellNotStored((std::filesystem::temp_directory_path() / name).string());
        return 1;
    }
    if (scenario == "garbage") {
        std::cout << "this is not JSON\n\n{\"event\": \"no_such_event\"}\n{\"event\": " << std::endl;
        std::cout << std::string(1000, '\xff') << std::endl;
    }
    if (scenario == "huge") {
        const std::string block(1 << 20, 'x');
        for (int count = 0; count < 18; ++count) std::cout << block;
        std::cout << std::endl;
    }
    if (scenario == "obedient") return waitForSignal(true);
    if (scenario == "stubborn") return waitForSignal(false);
    startCase(1);
    finishCase(1, Status::OutOfMemory);
    finishSuite("partial");
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, [](int) { interrupted = 1; });
    if (argc > 3 && std::string(argv[1]) == "check") return playCheck(argv[3]);
    std::string scenario = "normal";
    for (int index = 1; index + 1 < argc; ++index) {
        if (std::string(argv[index]) == "--suite") scenario = argv[index + 1];
    }
    if (scenario == "stubborn") {
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
    }
    return play(scenario);
}
