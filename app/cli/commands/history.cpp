// SPDX-License-Identifier: Apache-2.0
// history: the stored runs: list, show, compare, note, delete, prune, compact, export, import.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/tables/record_table.h"
#include "engine/bench/compare/run_comparison.h"
#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/record_json.h"
#include "engine/core/date.h"
#include "engine/core/text.h"
#include "engine/history/history_store.h"

namespace steelyard::cli {
namespace {

using Json = nlohmann::ordered_json;
using Store = std::unique_ptr<history::HistoryStore>;

struct HistoryOptions {
    std::optional<std::string> database;
    bool json = false;
    std::string first, second, text, file;
    std::vector<std::string> ids;
    std::optional<std::int64_t> keep;
    std::optional<std::string> before;
    bool dryRun = false;
    std::string failOn;  // "slower", or empty
};

Json optionalJson(const auto& value) {
    return value ? Json(*value) : Json(nullptr);
}

// Empty for a run that finished.
std::string endOf(const history::RunOverview& run) {
    if (run.finishedUnixMs) return {};
    if (run.underWay) return " (under way)";
    if (run.origin == "imported") return " (unfinished)";
    const auto of = run.plannedCount ? fmt::format("{} of {} cases", run.doneCount(), *run.plannedCount)
                                     : fmt::format("{} cases", run.doneCount());
    return fmt::format(" ({} after {})", run.stoppedUnixMs ? "stopped" : "interrupted", of);
}

Json toJson(const history::RunOverview& run) {
    return {{"id", run.id},
            {"suite", run.suite},
            {"suite_version", run.suiteVersion},
            {"started", formatIsoTime(run.startedUnixMs)},
            {"finished", run.finishedUnixMs ? Json(formatIsoTime(*run.finishedUnixMs)) : Json(nullptr)},
            {"computer", run.computer},
            {"origin", run.origin},
            {"planned", optionalJson(run.plannedCount)},
            {"stopped", run.stoppedUnixMs ? Json(formatIsoTime(*run.stoppedUnixMs)) : Json(nullptr)},
            {"under_way", run.underWay},
            {"cases", run.caseCount},
            {"ok", run.okCount},
            {"failed", run.failedCount},
            {"disturbed", run.disturbedCount},
            {"note", run.note}};
}

Json toJson(const std::vector<history::RunOverview>& runs) {
    auto rows = Json::array();
    for (const auto& run : runs) rows.push_back(toJson(run));
    return rows;
}

void print(CommandContext& context, const std::vector<history::RunOverview>& runs) {
    for (const auto& run : runs)
        fmt::print(context.out, "{}  {}  {:<10} {:>3}/{} ok  {}{}{}{}  {}\n", run.id, formatIsoTime(run.startedUnixMs),
                   visible(run.suite), run.okCount, run.caseCount, visible(run.computer), endOf(run),
                   run.disturbedCount > 0 ? fmt::format(" ({} disturbed)", run.disturbedCount) : "",
                   run.origin == "imported" ? " (imported)" : "", visible(run.note));
}

void printRuns(CommandContext& context, const std::vector<history::RunOverview>& runs, const HistoryOptions& options) {
    if (options.json) {
        context.out << dumpJson(Json{{"runs", toJson(runs)}}, 2) << "\n";
        return;
    }
    if (runs.empty()) context.out << "no runs yet: steelyard-cli run --suite quick\n";
    print(context, runs);
}

void list(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    const auto runs = store.runs();
    if (!runs) return context.report(runs.error());
    printRuns(context, *runs, options);
}

void showRun(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    const auto run = store.run(options.first);
    if (!run) return context.report(run.error());
    if (options.json) {
        context.out << bench::toJson(*run, 2) << "\n";
    } else {
        fmt::print(context.out, "{}  {}  suite {} {}  {}\n", run->id, formatIsoTime(run->startedUnixMs),
                   visible(run->suite), visible(run->suiteVersion), visible(run->computer));
        printRecords(context.out, run->records);
    }
}

// The figures that were compared: those of the machine state common to both runs, if there is one.
Json comparedFigures(const bench::ComparedCase& pair) {
    const auto& test = pair.comparison.test;
    if (!test) return nullptr;
    return {{"a_seconds", test->baseSeconds},
            {"b_seconds", test->otherSeconds},
            {"round_trip_seconds", optionalJson(test->roundTripSeconds)},
            {"in_another_state", bench::isOfOtherState(pair.base, test->baseSeconds) ||
                                     bench::isOfOtherState(pair.other, test->otherSeconds)}};
}

void compare(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    const auto a = store.run(options.first);
    if (!a) return context.report(a.error());
    const auto b = store.run(options.second);
    if (!b) return context.report(b.error());
    auto rows = Json::array();
    const auto spread = bench::needsRunSpread(*a, *b) ? store.spreadBetweenRuns(a->computer)
                                                      : Result<bench::Variance>(bench::Variance{});
    if (!spread) return context.report(spread.error());
    const auto pairs = bench::compareRuns(*a, *b, *spread);
    const auto shift = bench::machineShiftOf(pairs);
    const bool isSlower = std::any_of(
        pairs.begin(), pairs.end(), [](const auto& pair) { return pair.comparison.verdict == bench::Verdict::Slower; });
    if (isSlower && !options.failOn.empty()) context.exitCode = kSlower;
    for (const auto& pair : pairs) {
        const auto side = [](const bench::CaseRecord& record) {
            const auto& s = record.stepSeconds;
            if (!s) return Json(nullptr);
            return Json{{"median_seconds", s->median},
                        {"ci95_low", optionalJson(s->ci95Low)},
                        {"ci95_high", optionalJson(s->ci95High)},
                        {"disturbed", bench::wasDisturbed(record)},
                        {"round_trip_seconds",
                         record.figure ? optionalJson(record.figure->main.roundTripSeconds) : Json(nullptr)}};
        };
        rows.push_back({{"case", bench::caseLabel(pair.base.spec)},
                        {"hash", bench::caseHash(pair.base.spec)},
                        {"verdict", bench::toString(pair.comparison.verdict)},
                        {"ratio", optionalJson(pair.comparison.ratio)},
                        {"p_value", pair.comparison.test ? Json(pair.comparison.test->pValue) : Json(nullptr)},
                        {"a", side(pair.base)},
                        {"b", side(pair.other)},
                        {"compared", comparedFigures(pair)},
                        {"reason", bench::describe(pair.comparison)}});
    }
    if (options.json) {
        const auto moved = shift ? Json{{"ratio", shift->ratio}, {"machine", shift->arithmeticMoved}} : Json(nullptr);
        context.out << dumpJson(Json{{"a", a->id}, {"b", b->id}, {"all_moved", moved}, {"cases", rows}}, 2) << "\n";
        return;
    }
    if (shift) fmt::print(context.out, "{}\n", bench::describe(*shift));
    if (rows.empty()) context.out << "the runs have no case in common\n";
    for (const auto& row : rows) {
        const auto ms = [&](const char* which) {
            const auto& compared = row["compared"];
            if (!compared.is_null())
                return formatSeconds(Seconds(compared[std::string(which) + "_seconds"].get<double>()));
            return row[which].is_null() ? std::string("-")
                                        : formatSeconds(Seconds(row[which]["median_seconds"].get<double>()));
        };
        const auto state = [&] {
            const auto& compared = row["compared"];
            if (compared.is_null() || !compared["in_another_state"].get<bool>()) return std::string();
            return fmt::format(", in the machine state common to both runs; overall {} and {}",
                               formatSeconds(Seconds(row["a"]["median_seconds"].get<double>())),
                               formatSeconds(Seconds(row["b"]["median_seconds"].get<double>())));
        };
        fmt::print(context.out, "{:<44} {:>10} -> {:>10}  {:<14} {}\n", visible(row["case"].get<std::string>()),
                   ms("a"), ms("b"), row["verdict"].get<std::string>(),
                   row["ratio"].is_null() || row["p_value"].is_null()
                       ? row["reason"].get<std::string>()
                       : fmt::format("ratio {:.3f}{}", row["ratio"].get<double>(), state()));
    }
}

void finish(CommandContext& context, const Result<void>& result, const std::string& done) {
    if (!result) return context.report(result.error());
    context.err << done << "\n";
}

void exportTo(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    auto ids = options.ids;
    if (ids.empty()) {
        const auto runs = store.runs();
        if (!runs) return context.report(runs.error());
        for (const auto& run : *runs) ids.push_back(run.id);
    }
    finish(context, store.exportRuns(ids, options.file),
           fmt::format("exported {} runs to {}", ids.size(), options.file));
}

void importFrom(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    const auto added = store.importRuns(options.file);
    if (!added) return context.report(added.error());
    context.err << fmt::format("imported {} runs\n", added->size());
    if (options.json) context.out << dumpJson(Json{{"imported", *added}}, 2) << "\n";
}

std::string sizes(const history::Compaction& compaction) {
    return fmt::format("{} before, {} now", formatBytes(Bytes(compaction.bytesBefore)),
                       formatBytes(Bytes(compaction.bytesAfter)));
}

void compact(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    const auto compaction = store.compact();
    if (!compaction) return context.report(compaction.error());
    if (options.json) {
        const Json document{{"bytes_before", compaction->bytesBefore}, {"bytes_after", compaction->bytesAfter}};
        context.out << dumpJson(document, 2) << "\n";
    } else {
        context.out << sizes(*compaction) << "\n";
    }
}

void prune(CommandContext& context, history::HistoryStore& store, const HistoryOptions& options) {
    history::PruneRule rule{options.keep, {}};
    if (options.before) rule.startedBeforeUnixMs = unixMillisecondsOfDate(*options.before);
    auto pruned = options.dryRun ? store.runs() : store.prune(rule);
    if (!pruned) return context.report(pruned.error());
    if (options.dryRun) pruned = history::prunable(*pruned, rule);
    std::optional<history::Compaction> compaction;
    if (!options.dryRun && !pruned->empty()) {
        if (const auto compacted = store.compact()) {
            compaction = *compacted;
        } else {
            context.err << "the runs are deleted; free their space later with 'history compact':\n";
            context.report(compacted.error(), kSomeCaseFailed);
        }
    }
    if (options.json) {
        const Json document{{"pruned", toJson(*pruned)},
                            {"dry_run", options.dryRun},
                            {"bytes_before", compaction ? Json(compaction->bytesBefore) : Json(nullptr)},
                            {"bytes_after", compaction ? Json(compaction->bytesAfter) : Json(nullptr)}};
        context.out << dumpJson(document, 2) << "\n";
    } else {
        print(context, *pruned);
    }
    context.err << fmt::format("{} {} {}{}\n", options.dryRun ? "would delete" : "deleted", pruned->size(),
                               pruned->size() == 1 ? "run" : "runs",
                               compaction ? "; size of the history: " + sizes(*compaction) : "");
}

void addPrune(CLI::App& prune, HistoryOptions& options) {
    prune.add_option("--keep", options.keep, "Keep the newest N runs")->type_name("N")->check(notNegative);
    prune.add_option("--before", options.before, "Delete only runs started before this date (UTC)")
        ->type_name("YYYY-MM-DD")
        ->check(day);
    prune.add_flag("--dry-run", options.dryRun, "List the runs that would be deleted; change nothing");
    prune.parse_complete_callback([&options] {
        if (!options.keep && !options.before)
            throw CLI::ValidationError("history prune", "--keep N, --before DATE or both are required");
    });
    prune.footer(
        "With both options, a run is deleted only if it is not among the newest N and older than the date. Runs with\n"
        "a note and runs in progress are always kept. Deleting cannot be undone.");
}

}  // namespace

void addHistory(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("history", "Manage stored runs");
    command->require_subcommand(1);
    command->fallthrough();
    auto options = std::make_shared<HistoryOptions>();
    command->add_option("--db", options->database, "History file (default: in $XDG_DATA_HOME/steelyard)");
    command->add_flag("--json", options->json, "Print one JSON document");
    const auto add = [&](const char* name, const char* help, auto action) {
        auto* sub = command->add_subcommand(name, help);
        sub->fallthrough();
        sub->callback([&context, options, action, name] {
            const bool isImport = std::string_view(name) == "import";
            const auto store =
                history::HistoryStore::open(context.historyFile(options->database), {.create = isImport});
            const bool isFirst = !store && store.error().kind == ErrorKind::NotFound && !options->database;
            if (isFirst && std::string_view(name) == "list") return printRuns(context, {}, *options);
            if (!store) return context.report(store.error());
            action(context, **store, *options);
        });
        return sub;
    };
    add("list", "List all runs, newest first", list);
    add("show", "Show a run with its cases", showRun)
        ->add_option("id", options->first, "Run id, a unique prefix of it, or latest")
        ->required();
    auto* compareCommand = add("compare", "Compare two runs case by case: faster, slower or no evidence", compare);
    compareCommand->add_option("a", options->first)->required();
    compareCommand->add_option("b", options->second)->required();
    compareCommand
        ->add_option("--fail-on", options->failOn, "Exit with code 4 when a case of the second run has this verdict")
        ->check(CLI::IsMember({"slower"}));
    auto* note = add("note", "Set the note of a run",
                     [](auto& c, auto& store, const auto& o) { finish(c, store.setNote(o.first, o.text), "noted"); });
    note->add_option("id", options->first)->required();
    note->add_option("text", options->text)->required();
    add("delete", "Delete a run",
        [](auto& c, auto& store, const auto& o) { finish(c, store.remove(o.first), "deleted"); })
        ->add_option("id", options->first)
        ->required();
    addPrune(*add("prune", "Delete old runs and compact the history file", prune), *options);
    add("compact", "Free the space of deleted runs; they can then no longer be restored", compact);
    auto* exportCommand = add("export", "Write runs to a JSON file", exportTo);
    exportCommand->add_option("ids", options->ids, "Run ids (default: all)");
    exportCommand->add_option("-o,--output", options->file)->required();
    auto* import = add("import", "Import exported runs (JSON) or results of other programs (CSV)", importFrom);
    import->add_option("file", options->file)->required();
    import->footer(
        "Results of other programs are marked as imported: a CSV file with the columns workload, device, batch, date "
        "and\n"
        "step_seconds or samples_per_second; optionally mode, precision, threads, software, computer, ci95_low and\n"
        "ci95_high. Lines such as \"# software: PyTorch 2.9\" before the header apply to all rows.");
}

}  // namespace steelyard::cli
