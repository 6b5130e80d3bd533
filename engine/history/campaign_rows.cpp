// SPDX-License-Identifier: Apache-2.0
#include "engine/history/campaign_rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/campaign/campaign_fields.h"
#include "engine/core/messages/history.h"
#include "engine/history/row_fields.h"
#include "engine/history/row_values.h"

namespace steelyard::history {
namespace {

using campaign::Campaign;
using campaign::Candidate;

// Upsert: inserts a row, or updates the one with the same key columns, keeping its row id.
std::string upsertStatement(const std::string& table, const std::vector<std::string>& first,
                            const std::vector<std::string>& columns, const std::string& conflict) {
    std::string names, parameters, updates;
    const auto add = [&](const std::string& column) {
        names += (names.empty() ? "" : ", ") + column;
        parameters += (parameters.empty() ? ":" : ", :") + column;
        updates += fmt::format("{}{} = excluded.{}", updates.empty() ? "" : ", ", column, column);
    };
    for (const auto& column : first) add(column);
    for (const auto& column : columns) add(column);
    return fmt::format("INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO UPDATE SET {}", table, names, parameters,
                       conflict, updates);
}

void loadRunIds(SQLite::Database& database, std::int64_t candidateKey, Candidate& candidate) {
    SQLite::Statement query(database,
                            "SELECT runs.id FROM candidate_runs JOIN runs ON runs.key = candidate_runs.run_key "
                            "WHERE candidate_key = ? AND deleted_unix_ms IS NULL ORDER BY started_unix_ms, runs.key");
    query.bind(1, candidateKey);
    while (query.executeStep()) candidate.runIds.push_back(query.getColumn(0).getString());
}

// Forecasts are immutable: a candidate gets one only once.
Result<void> checkFrozen(SQLite::Database& database, const Campaign& campaign) {
    SQLite::Statement find(database, "SELECT key FROM campaigns WHERE id = ?");
    find.bind(1, campaign.id);
    if (!find.executeStep()) return {};
    ASSIGN(const auto stored, loadCampaign(database, find.getColumn(0).getInt64()));
    const bool hasForecast =
        std::ranges::any_of(stored.candidates, [](const auto& candidate) { return candidate.forecast.has_value(); });
    if (hasForecast && stored.question != campaign.question)
        return fail(ErrorKind::InvalidArgument, campaign.id, messages::frozenQuestion());
    for (const auto& candidate : stored.candidates) {
        const auto* now = campaign.find(candidate.id);
        if (candidate.forecast && now != nullptr && now->forecast != candidate.forecast)
            return fail(ErrorKind::InvalidArgument, campaign.id, messages::frozenForecast(candidate.id));
    }
    return {};
}

}  // namespace

Result<std::int64_t> findCampaign(SQLite::Database& database, std::string_view idOrPrefix) {
    const std::string wanted(idOrPrefix);
    const auto notFound = [&] { return fail(ErrorKind::NotFound, {}, messages::campaignNotFound(wanted)); };
    if (wanted.empty()) return notFound();
    SQLite::Statement query(
        database, wanted == "latest" ? "SELECT key, ?1 FROM campaigns ORDER BY created_unix_ms DESC, key DESC LIMIT 1"
                                     : "SELECT key, id FROM campaigns WHERE substr(id, 1, length(?1)) = ?1 "
                                       "ORDER BY id <> ?1 LIMIT 2");
    query.bind(1, wanted);
    if (!query.executeStep()) return notFound();
    const auto key = query.getColumn(0).getInt64();
    if (query.getColumn(1).getString() != wanted && query.executeStep())
        return fail(ErrorKind::InvalidArgument, {}, messages::ambiguousCampaign(wanted));
    return key;
}

Result<void> upsertCampaign(SQLite::Database& database, const Campaign& campaign) {
    TRY(checkFrozen(database, campaign));
    {
        SQLite::Statement insert(database, upsertStatement("campaigns", {}, columnsOf<Campaign>(), "id"));
        RowWriter row(insert);
        putFields(row, campaign);
        insert.exec();
    }
    SQLite::Statement find(database, "SELECT key FROM campaigns WHERE id = ?");
    find.bind(1, campaign.id);
    find.executeStep();
    const auto key = find.getColumn(0).getInt64();
    const auto statement =
        upsertStatement("candidates", {"campaign_key", "position"}, columnsOf<Candidate>(), "campaign_key, id");
    std::int64_t position = 0;
    for (const auto& candidate : campaign.candidates) {
        SQLite::Statement insert(database, statement);
        RowWriter row(insert);
        row.put("campaign_key", key);
        row.put("position", position++);
        putFields(row, candidate);
        insert.exec();
    }
    return {};
}

Result<Campaign> loadCampaign(SQLite::Database& database, std::int64_t key) {
    SQLite::Statement query(database, "SELECT * FROM campaigns WHERE key = ?");
    query.bind(1, key);
    Campaign campaign;
    if (!query.executeStep()) return fail(ErrorKind::NotFound, {}, messages::campaignNotFound(std::to_string(key)));
    TRY(getFields(RowReader(query), campaign, "a stored campaign"));
    SQLite::Statement rows(database, "SELECT * FROM candidates WHERE campaign_key = ? ORDER BY position");
    rows.bind(1, key);
    const RowReader row(rows);
    while (rows.executeStep()) {
        Candidate candidate;
        TRY(getFields(row, candidate, "a stored candidate"));
        std::int64_t candidateKey = 0;
        row.get("key", candidateKey);
        loadRunIds(database, candidateKey, candidate);
        campaign.candidates.push_back(std::move(candidate));
    }
    return campaign;
}

Result<std::vector<Campaign>> listCampaigns(SQLite::Database& database) {
    SQLite::Statement query(database, "SELECT key FROM campaigns ORDER BY created_unix_ms DESC, key DESC");
    std::vector<Campaign> campaigns;
    while (query.executeStep()) {
        ASSIGN(auto campaign, loadCampaign(database, query.getColumn(0).getInt64()));
        campaigns.push_back(std::move(campaign));
    }
    return campaigns;
}

Result<void> linkRun(SQLite::Database& database, std::int64_t campaignKey, std::string_view candidate,
                     std::string_view runId) {
    SQLite::Statement find(database, "SELECT key, nodes FROM candidates WHERE campaign_key = ? AND id = ?");
    find.bind(1, campaignKey);
    find.bind(2, std::string(candidate));
    if (!find.executeStep()) return fail(ErrorKind::NotFound, std::string(candidate));
    SQLite::Statement insert(database,
                             "INSERT OR IGNORE INTO candidate_runs (candidate_key, run_key, nodes) "
                             "SELECT ?, key, ? FROM runs WHERE id = ?");
    insert.bind(1, find.getColumn(0).getInt64());
    insert.bind(2, find.getColumn(1).getInt64());
    insert.bind(3, std::string(runId));
    insert.exec();
    return {};
}

}  // namespace steelyard::history
