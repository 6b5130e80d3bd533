// SPDX-License-Identifier: Apache-2.0
// Writes tests/data/history/schema_v<N>.{sqlite,json} for the current schema. Run once when a schema is released; the
// files are kept permanently, to verify that later programs can read them.
#include <fstream>
#include <iostream>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/resume.h"
#include "engine/campaign/campaign_json.h"
#include "engine/history/history_store.h"
#include "engine/history/migrations.h"
#include "tests/support/random_records.h"

int main(int count, char** arguments) {
    using namespace steelyard;
    if (count != 2) {
        std::cerr << "usage: make_history_fixture FOLDER\n";
        return 2;
    }
    const auto version = std::to_string(history::latestVersion(history::historyMigrations()));
    const auto base = std::filesystem::path(arguments[1]) / ("schema_v" + version);
    const auto database = base.string() + ".sqlite";
    std::filesystem::remove(database);
    const auto store = history::HistoryStore::open(database);
    if (!store) {
        std::cerr << describe(store.error()) << "\n";
        return 1;
    }
    std::vector<bench::RunRecord> runs;
    for (const auto optionals : {test::Optionals::None, test::Optionals::Some, test::Optionals::All}) {
        runs.push_back(test::inventRun(runs.size() + 1, optionals));
        bench::RunSpec order;  // one case more than was measured
        for (const auto& record : runs.back().records) order.cases.push_back(record.spec);
        order.cases.emplace_back();
        if (const auto stored = (*store)->beginRun(runs.back(), bench::toJson(order)); !stored) {
            std::cerr << describe(stored.error()) << "\n";
            return 1;
        }
    }
    campaign::Campaign measured{.id = "0123456789ab", .name = "fixture", .createdUnixMs = 1};
    measured.question = campaign::Question{.workload = "resnet50", .mode = "train", .batch = 64, .steps = 1000};
    campaign::Candidate candidate{.id = "01", .title = "AWS p3.2xlarge"};
    candidate.placements = {{"aws/p3.2xlarge", "AWS", "p3.2xlarge", "us-east-1", false, 3.06}};
    candidate.forecast = campaign::Forecast{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 4.5, "extrapolated", 1};
    candidate.capSeconds = 1800;
    measured.candidates = {candidate};
    if (!(*store)->putCampaign(measured) || !(*store)->collectRuns(measured.id, "01", {runs.front()})) return 1;
    std::ofstream(base.string() + ".campaign.json") << campaign::toJson(*(*store)->campaign(measured.id), 1) << "\n";
    std::ofstream(base.string() + ".json") << bench::resultsToJson(runs, 1) << "\n";
    return 0;
}
