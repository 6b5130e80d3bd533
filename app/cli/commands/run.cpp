// SPDX-License-Identifier: Apache-2.0
// run: measures a suite, or all combinations of the given options, and stores the run.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <ostream>
#include <set>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/device_rates.h"
#include "app/cli/options/history_issue.h"
#include "app/cli/options/kernel_cache_flag.h"
#include "app/cli/options/nodes.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/options/run_arguments.h"
#include "app/cli/tables/record_table.h"
#include "engine/bench/compare/run_comparison.h"
#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/multi_device/node_group.h"
#include "engine/bench/multi_device/node_runner.h"
#include "engine/bench/multi_device/scaling_tables.h"
#include "engine/bench/protocol/visits.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/resume.h"
#include "engine/bench/run/run_issue.h"
#include "engine/bench/run/suite_runner.h"
#include "engine/bench/suite/run_options.h"
#include "engine/bench/suite/suite.h"
#include "engine/core/messages/app.h"
#include "engine/core/version.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/history/history_store.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

constexpr const char* kLatest = "latest";
constexpr Seconds kSustainedTime{600};  // per case

// Prints one line per finished case on err, which keeps standard output clean for `--json`.
class ProgressPrinter {
public:
    ProgressPrinter(std::ostream& err, bool quiet) : m_err(err), m_quiet(quiet) {}

    void operator()(const bench::Event& event) {
        if (m_quiet) return;
        if (event.kind == bench::EventKind::SuiteStarted) {
            m_count = event.caseCount;
            fmt::print(m_err, "{} cases{}\n", m_count,
                       event.estimateSeconds ? ", about " + formatSeconds(Seconds(*event.estimateSeconds)) : "");
        }
        if (event.kind == bench::EventKind::SuiteStarted) m_visits = event.visitCount;
        if (event.kind == bench::EventKind::CaseStarted && event.spec) begin(event);
        if (event.kind == bench::EventKind::CaseFinished && event.record) {
            const auto& record = *event.record;
            m_isOpen = false;
            fmt::print(m_err, "{}\n",
                       record.stepSeconds ? formatSeconds(Seconds(record.stepSeconds->median))
                                          : fmt::format("{}: {}", bench::toString(record.status), record.reason.text));
        }
    }

private:
    // One line per visit; the result follows after the last visit of the case.
    void begin(const bench::Event& event) {
        if (m_isOpen) fmt::print(m_err, "\n");
        const auto visit = m_visits > 1 ? fmt::format(" visit {}/{}", event.visit + 1, m_visits) : std::string();
        fmt::print(m_err, "[{}/{}]{} {} ... ", event.caseIndex + 1, m_count, visit, bench::caseLabel(*event.spec));
        m_err.flush();
        m_isOpen = true;
    }

    std::ostream& m_err;
    bool m_quiet;
    std::int64_t m_count = 0;
    std::int64_t m_visits = 1;
    bool m_isOpen = false;  // the line of the current case is not terminated yet
};

std::optional<std::string> databaseOf(const bench::RunRequest& request) {
    return request.database.empty() ? std::nullopt : std::optional(request.database);
}

bench::RunRecord newRun(const bench::Suite& suite, std::uint64_t seed, const hardware::HardwareProfile& profile,
                        const Clock& clock) {
    bench::RunRecord run;
    run.id = bench::newRunId(clock);
    run.suite = suite.id;
    run.suiteVersion = suite.version;
    run.programVersion = std::string(programVersion());
    run.gitRevision = std::string(gitRevision());
    run.startedUnixMs = clock.unixMilliseconds();
    run.computer = profile.environment.hostname.valueOr("this computer");
    run.profileJson = hardware::toJson(profile);
    run.seed = seed;
    return run;
}

int exitCodeOf(const bench::RunRecord& run) {
    if (!run.finishedUnixMs) return kCancelled;
    const auto count = [&](bench::Status status) {
        return std::count_if(run.records.begin(), run.records.end(), [&](const auto& r) { return r.status == status; });
    };
    if (count(bench::Status::Unsupported) == static_cast<std::ptrdiff_t>(run.records.size())) return kNothingRunnable;
    return count(bench::Status::Ok) == static_cast<std::ptrdiff_t>(run.records.size()) ? kDone : kSomeCaseFailed;
}

void printResult(CommandContext& context, const RunArguments& options, const bench::RunRecord& run, bool stored) {
    if (options.json) {
        context.out << bench::resultToJson(run) << "\n";
    } else if (options.events.empty()) {
        printRecords(context.out, run.records);
        if (stored) fmt::print(context.out, "\nstored as {} (steelyard-cli history show {})\n", run.id, run.id);
    }
}

// Nothing was measured; with --events the reason is sent as an event, which the window translates.
void refuse(CommandContext& context, const RunArguments& options, const Error& error, int code = kWrongUsage) {
    if (options.events == "jsonl")
        context.out << bench::toJsonLine(bench::RunIssue{bench::RunIssue::Kind::Refused, error, {}}) << std::endl;
    context.report(error, code);
}

// Only a stop by the user counts as stopped; any other end is an interruption.
Result<void> storeEnd(CommandContext& context, history::HistoryStore& store, const bench::RunRecord& run) {
    if (run.finishedUnixMs) return store.finishRun(run.id, *run.finishedUnixMs);
    if (context.interrupted.load() != SIGINT) return {};
    return store.stopRun(run.id, context.clock.unixMilliseconds());
}

// Noise seen in recent runs on this computer: a run of few cases cannot estimate it well.
struct EarlierNoise {
    std::vector<bench::Variance> betweenVisits;
    bench::RunSpread runs;
};
EarlierNoise earlierNoise(const history::HistoryStore& store, const bench::RunRecord& run) {
    constexpr std::size_t kEarlierRuns = 8;
    EarlierNoise noise;
    const auto recent = store.recentRuns(run.computer, kEarlierRuns);
    if (!recent) return noise;  // optional for the run
    for (const auto& earlier : *recent) {
        if (earlier.id == run.id) continue;
        for (const auto& variance : bench::visitVariances(earlier.records)) noise.betweenVisits.push_back(variance);
        noise.runs.add(earlier);
    }
    return noise;
}

// Destination of a run's events and records, whichever process measures.
struct RunOutput {
    CommandContext& context;
    const RunArguments& options;
    history::HistoryStore* store = nullptr;  // null: nothing is stored
    std::string runId;
    ProgressPrinter progress{context.err, options.events == "jsonl"};
    HistoryIssue issue{context, options.events == "jsonl"};

    void onEvent(const bench::Event& event) {
        progress(event);
        if (options.events == "jsonl") context.out << bench::toJsonLine(event) << std::endl;
    }
    [[nodiscard]] bool isCancelled() const { return context.interrupted.load() != 0 || !context.out.good(); }
    void onRecord(const bench::CaseRecord& record) {
        if (!store || issue) return;
        if (auto ok = store->putRecord(runId, record); !ok) issue.begin(ok.error());
    }
    // Stores the end and prints the figures.
    void end(const bench::RunRecord& record) {
        if (store && !issue) {
            if (auto ok = storeEnd(context, *store, record); !ok) issue.begin(ok.error());
        }
        printResult(context, options, record, store && !issue);
        context.exitCode = exitCodeOf(record);
    }
};

struct Measuring {
    bench::RunRecord record;  // including cases that were measured earlier
    std::vector<bench::Case> cases;
    bench::Protocol protocol;
    double estimateSeconds = 0;
    std::optional<Seconds> timeBudget;
    history::HistoryStore* store = nullptr;  // null: nothing is stored
};

void measure(CommandContext& context, const RunArguments& options, const hardware::HardwareProfile& profile,
             Measuring measuring) {
    auto& record = measuring.record;
    auto* store = measuring.store;
    RunOutput output{context, options, store, record.id};
    const auto earlier = store ? earlierNoise(*store, record) : EarlierNoise();
    const bench::SuiteServices services{
        .executable = context.executable,
        .clock = context.clock,
        .onEvent = [&](const bench::Event& event) { output.onEvent(event); },
        .cancelled = [&] { return output.isCancelled(); },
        .onRecord = [&](const bench::CaseRecord& finished) { output.onRecord(finished); },
        .usableThreads = profile.cpu.usableThreads.valueOr(1),
        .childArguments =
            context.usesKernelCache ? std::vector<std::string>() : std::vector{std::string(kNoKernelCache)},
        .earlierVariances = earlier.betweenVisits,
        .runEffect = earlier.runs.runEffect(),
        .timeBudget = measuring.timeBudget};
    bench::runSuite(record, measuring.cases, measuring.protocol, measuring.estimateSeconds, services);
    output.end(record);
    if (output.issue) output.issue.end(record);
}

// Number of cases from which probing the devices' speed pays off.
constexpr std::size_t kCasesWorthProbing = 5;

double estimateOf(CommandContext& context, const hardware::HardwareProfile& profile,
                  const std::vector<bench::Case>& cases, std::optional<Seconds> timeBudget,
                  const bench::Protocol& protocol) {
    std::set<std::string> devices;
    if (cases.size() >= kCasesWorthProbing)
        for (const auto& spec : cases) devices.insert(spec.device);
    return bench::estimateSeconds(cases, timeBudget, protocol, assumedRates(context, profile, devices));
}

// The cases for several nodes: rank 0 decides and broadcasts. Empty: refused.
Result<std::optional<bench::RunSpec>> sharedOrder(compute::HostCommunicator& ranks, const bench::RunSpec& own) {
    ASSIGN(const auto text, bench::broadcastText(ranks, own.cases.empty() ? std::string() : bench::toJson(own)));
    if (text.empty()) return std::optional<bench::RunSpec>();
    ASSIGN(auto order, bench::runSpecFromJson(text));
    return std::optional(std::move(order));
}

Result<void> checkNodeOptions(const RunArguments& options, const bench::RunRequest& request) {
    const auto refused = [](const char* other) {
        return fail(ErrorKind::InvalidArgument, "--nodes", app::messages::nodesNotWith(other));
    };
    if (!request.gpus.empty()) return refused("--gpus");
    if (!request.data.empty()) return refused("--data");
    if (!request.isas.empty()) return refused("--isa");
    if (!request.kernels.empty()) return refused("--kernels");
    if (!request.threads.empty()) return refused("--threads");
    if (options.profile) return refused("--profile");
    if (options.visits > 1) return refused("--visits");
    for (const auto& device : request.devices)
        if (device != "cpu") return fail(ErrorKind::InvalidArgument, "--device", app::messages::nodesNeedCpu());
    for (const auto mode : request.modes)
        if (mode != plan::Mode::Train)
            return fail(ErrorKind::InvalidArgument, "--mode", app::messages::nodesTrainOnly());
    return {};
}

bench::Protocol protocolOf(const RunArguments& options, const bench::RunRequest& request, const bench::Suite& suite) {
    bench::Protocol protocol;
    protocol.precise = request.precise;
    protocol.visits = options.visits > 0 ? options.visits : bench::visitsFor(request.precise, options.sustained);
    protocol.verify = !options.noVerify;
    protocol.profile = options.profile;
    protocol.sustained = options.sustained;
    const auto usual = options.sustained ? kSustainedTime : suite.timeCap;
    protocol.timeCap = request.timeCapSeconds ? Seconds(*request.timeCapSeconds) : usual;
    return protocol;
}

// One of several processes, started by mpirun or srun. Rank 0 prints and stores; all measure.
void runAsNode(CommandContext& context, const RunArguments& options, const bench::RunRequest& request,
               const hardware::HardwareProfile& profile) {
    if (const auto ok = checkNodeOptions(options, request); !ok) return refuse(context, options, ok.error());
    const auto joined = joinNodes(context, request.nodes.back());
    if (!joined) return refuse(context, options, joined.error());
    auto& ranks = **joined;
    const bool isFirst = ranks.rank() == 0;

    bench::RunRecord record;
    bench::RunSpec order;
    std::unique_ptr<history::HistoryStore> store;
    const auto prepare = [&]() -> Result<void> {
        ASSIGN(const auto suite, bench::makeSuite(request, bench::suiteMachine(profile)));
        for (const auto& note : suite.notes) fmt::print(context.err, "{}\n", note.text);
        order = {suite.cases, protocolOf(options, request, suite), bench::processIdentity(::getpid())};
        order.protocol.visits = 1;
        record = newRun(suite, request.seed, profile, context.clock);
        if (options.noSave) return {};
        ASSIGN(store, history::HistoryStore::open(context.historyFile(databaseOf(request))));
        return store->beginRun(record, bench::toJson(order));
    };
    const auto prepared = isFirst ? prepare() : Result<void>();
    if (!prepared) order.cases.clear();
    const auto shared = sharedOrder(ranks, order);
    if (!prepared) return refuse(context, options, prepared.error());
    if (!shared) return refuse(context, options, shared.error(), kSomeCaseFailed);
    if (!*shared) {
        context.exitCode = kWrongUsage;  // rank 0 has reported the reason
        return;
    }

    RunOutput output{context, options, store.get(), record.id};
    auto backend = context.backends().backendOf("cpu");
    compute::hostRanksOf(**backend)->join(*joined);
    const bench::NodeServices services{
        .ranks = ranks,
        .backend = **backend,
        .reference = context.backends().reference(),
        .profile = profile,
        .clock = context.clock,
        .onEvent = [&](const bench::Event& event) { output.onEvent(event); },
        .cancelled = [&] { return output.isCancelled(); },
        .onRecord = [&](const bench::CaseRecord& finished) { output.onRecord(finished); }};
    const auto& cases = (*shared)->cases;
    const auto done = bench::runOnNodes(record, cases, (*shared)->protocol, services);
    if (isFirst) {
        output.end(record);
        if (!done) {
            context.report(done.error(), context.interrupted.load() == SIGINT ? kCancelled : kSomeCaseFailed);
            const auto kept = store && !output.issue
                                  ? app::messages::finishedKept(record.records.size(), cases.size(), record.id)
                                  : app::messages::finishedNotStored(record.records.size(), cases.size());
            fmt::print(context.err, "{}\n", kept.text);
        }
        if (output.issue) output.issue.end(record);
    } else if (!done) {
        context.exitCode = kSomeCaseFailed;
    }
    if (ranks.isLost()) leaveLostGroup(context);
}

void run(CommandContext& context, const RunArguments& options) {
    const auto profile = context.profile();
    if (!profile) return refuse(context, options, profile.error());
    const auto request = requestOf(options, context);
    if (!request) return refuse(context, options, request.error());
    if (!request->nodes.empty()) return runAsNode(context, options, *request, *profile);
    std::vector<std::string> devices;
    for (const auto& device : context.backends().devices()) devices.push_back(device.id);
    const auto suite = bench::makeSuite(*request, bench::suiteMachine(*profile, devices));
    if (!suite) {
        const bool unsupported = suite.error().kind == ErrorKind::Unsupported;
        return refuse(context, options, suite.error(), unsupported ? kNothingRunnable : kWrongUsage);
    }
    if (suite->cases.empty())
        return refuse(context, options,
                      {ErrorKind::Unsupported, "the suite", app::messages::nothingRunnable(), {}, {}, {}},
                      kNothingRunnable);

    for (const auto& note : suite->notes) fmt::print(context.err, "{}\n", note.text);

    std::unique_ptr<history::HistoryStore> store;
    if (!options.noSave) {
        auto opened = history::HistoryStore::open(context.historyFile(databaseOf(*request)));
        if (!opened) return refuse(context, options, opened.error());
        store = std::move(*opened);
    }
    const auto protocol = protocolOf(options, *request, *suite);
    auto record = newRun(*suite, request->seed, *profile, context.clock);
    if (store) {
        const bench::RunSpec order{suite->cases, protocol, bench::processIdentity(::getpid())};
        if (auto ok = store->beginRun(record, bench::toJson(order)); !ok) return refuse(context, options, ok.error());
    }
    const auto timeBudget = bench::timeBudgetOf(*suite, protocol);
    const double estimate = estimateOf(context, *profile, suite->cases, timeBudget, protocol);
    measure(context, options, *profile, {std::move(record), suite->cases, protocol, estimate, timeBudget, store.get()});
}

Result<std::string> runToResume(const history::HistoryStore& store, const std::string& wanted) {
    if (wanted != kLatest) return wanted;
    ASSIGN(const auto runs, store.runs());
    for (const auto& run : runs)
        if (run.resumable) return run.id;
    return fail(ErrorKind::NotFound, "an unfinished run");
}

// Measures the missing cases of a run with its original protocol.
void resume(CommandContext& context, const RunArguments& options) {
    const auto request = requestOf(options, context);
    if (!request) return refuse(context, options, request.error());
    const auto profile = context.profile();
    if (!profile) return refuse(context, options, profile.error());
    auto opened = history::HistoryStore::open(context.historyFile(databaseOf(*request)), {.create = false});
    if (!opened) return refuse(context, options, opened.error());
    auto& store = **opened;
    const auto id = runToResume(store, request->resume);
    if (!id) return refuse(context, options, id.error());
    auto run = store.run(*id);
    if (!run) return refuse(context, options, run.error());
    const auto text = store.orderOf(run->id);
    if (!text) return refuse(context, options, text.error());
    auto order = text->empty() ? bench::RunSpec{} : bench::runSpecFromJson(*text).value_or(bench::RunSpec{});
    const auto revision = gitRevision();
    const bench::ResumeFacts here{bench::kSuiteVersion, programVersion(), revision, *profile,
                                  bench::isAlive(order.process) ? order.process : std::string_view()};
    if (auto ok = bench::checkResumable(*run, here); !ok) return refuse(context, options, ok.error());
    if (order.cases.empty())
        return refuse(context, options,
                      {ErrorKind::Unsupported, "resuming run " + run->id, app::messages::planNotStored(), {}, {}, {}});

    for (const auto& spec : order.cases)
        if (const auto devices = bench::deviceGroup(spec.device); devices.isShared() && devices.ids.front() == "cpu")
            return refuse(context, options,
                          {ErrorKind::Unsupported, "resuming run " + run->id, app::messages::nodesNotResumed()});

    std::erase_if(run->records, [](const auto& record) { return record.status == bench::Status::Cancelled; });
    const auto missing = bench::missingCases(order, run->records);
    order.process = bench::processIdentity(::getpid());
    if (auto ok = store.reopenRun(run->id, bench::toJson(order)); !ok) return refuse(context, options, ok.error());
    if (options.events != "jsonl")
        fmt::print(context.err, "run {}: {} of {} cases are missing\n", run->id, missing.size(), order.cases.size());
    const double estimate = estimateOf(context, *profile, missing, {}, order.protocol);
    measure(context, options, *profile, {std::move(*run), missing, order.protocol, estimate, {}, &store});
}

}  // namespace

void addRun(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("run", "Measure a suite, or all combinations of the given options");
    auto o = std::make_shared<RunArguments>();
    const bench::RunRequest usual;
    bench::visitOptions(usual, [&]<typename T>(const bench::RunOption& option, const T& /*member*/) {
        if constexpr (std::is_same_v<T, bool>) {
            command->add_flag(option.name, o->precise, option.help);
        } else {
            auto* added = command->add_option(option.name, o->texts[option.name], option.help);
            // An empty list, for example from an unset shell variable, must not mean "all".
            if constexpr (requires(T & list) { list.clear(), list.push_back({}); } && !std::is_same_v<T, std::string>)
                added->check(nonEmptyList);
        }
    });
    command->get_option("--suite")->check(CLI::IsMember({"quick", "standard", "full", "scaling", "language"}));
    command->get_option("--gpus")->excludes(command->get_option("--device"));
    command->get_option("--data")->check(CLI::ExistingPath);
    command->get_option("--time-cap")->check(greaterThanZero);
    command->get_option("--seed")->check(seed)->default_str(std::to_string(usual.seed));
    addOnnxOptions(*command, o->onnx, true);
    addLanguageTaskOptions(*command, o->language);
    command->add_flag("--no-save", o->noSave, "Do not store the run");
    command->add_flag("--no-verify", o->noVerify, "Skip verification");
    command->add_flag("--sustained", o->sustained,
                      "Sample each case for ten minutes (or --time-cap) and report whether the speed drops");
    command->add_flag("--profile", o->profile, "Also time each operation of the step");
    command
        ->add_option("--visits", o->visits,
                     "Number of measurements of each case, each in a new process (default: 3; 7 with --precise)")
        ->check(CLI::Range(1, 100));
    // A resumed run keeps its original options.
    auto* resumed = command->get_option("--resume")->expected(0, 1)->default_str(kLatest);
    for (auto* option : command->get_options())
        if (option != resumed && option != command->get_option("--db") && option != command->get_help_ptr())
            option->excludes(resumed);
    command->add_option("--events", o->events, "Print progress to standard output, one JSON object per line")
        ->check(CLI::IsMember({"jsonl"}));
    addKernelCacheFlag(command, context);
    command->add_flag("--json", o->json, "Print one JSON document")->excludes("--events");
    command->callback([&context, resumed, o] { resumed->count() > 0 ? resume(context, *o) : run(context, *o); });
}

}  // namespace steelyard::cli
