// SPDX-License-Identifier: Apache-2.0
// Cases and their samples as rows; see rows.h.
#include "engine/history/case_rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <map>
#include <vector>

#include "engine/history/packed_samples.h"
#include "engine/history/row_fields.h"
#include "engine/history/row_values.h"
#include "engine/history/rows.h"

namespace steelyard::history {
namespace {

using bench::CaseRecord;

std::string insertStatement() {
    std::string names = "run_key, position";
    std::string parameters = ":run_key, :position";
    for (const auto& column : columnsOf<CaseRecord>()) {
        names += ", " + column;
        parameters += ", :" + column;
    }
    return fmt::format("INSERT INTO cases ({}) VALUES ({})", names, parameters);
}

void insertSamples(SQLite::Database& database, std::int64_t caseKey, const std::vector<double>& samples) {
    if (samples.empty()) return;
    const auto packed = packSamples(samples);
    SQLite::Statement insert(database,
                             "INSERT INTO samples (case_key, count, encoding, crc32, data) "
                             "VALUES (:case_key, :count, :encoding, :crc32, :data)");
    RowWriter row(insert);
    row.put("case_key", caseKey);
    row.put("count", packed.count);
    row.put("encoding", packed.encoding);
    row.put("crc32", std::int64_t{packed.crc32});
    row.putBlob("data", packed.data);
    insert.exec();
}

void insertCaseAt(SQLite::Database& database, std::int64_t runKey, std::int64_t position, const CaseRecord& record) {
    SQLite::Statement insert(database, insertStatement());
    RowWriter row(insert);
    row.put("run_key", runKey);
    row.put("position", position);
    putFields(row, record);
    insert.exec();
    insertSamples(database, database.getLastInsertRowid(), record.samplesSeconds);
}

Result<void> getSamples(const RowReader& row, CaseRecord& record) {
    if (row.isNull("count")) return {};
    PackedSamples packed;
    row.get("count", packed.count);
    row.get("encoding", packed.encoding);
    std::int64_t crc32 = 0;
    row.get("crc32", crc32);
    packed.crc32 = static_cast<std::uint32_t>(crc32);
    row.getBlob("blob", packed.data);
    ASSIGN(auto samples, unpackSamples(packed));
    record.samplesSeconds = std::move(samples);
    return {};
}

Result<CaseRecord> readCase(const RowReader& row, Detail detail) {
    CaseRecord record;
    const bool summary = detail == Detail::Summaries;
    TRY(getFields(row, record, "a stored case", summary ? "sensors" : std::string_view()));
    if (!summary) TRY(getSamples(row, record));
    return record;
}

}  // namespace

void insertCase(SQLite::Database& database, std::int64_t runKey, const CaseRecord& record) {
    SQLite::Statement next(database, "SELECT coalesce(max(position) + 1, 0) FROM cases WHERE run_key = ?");
    next.bind(1, runKey);
    (void)next.executeStep();
    insertCaseAt(database, runKey, next.getColumn(0).getInt64(), record);
}

void replaceCase(SQLite::Database& database, std::int64_t runKey, const CaseRecord& record) {
    SQLite::Statement known(
        database, "SELECT key, position FROM cases WHERE run_key = ?1 AND hash = ?2 ORDER BY position LIMIT 1");
    known.bind(1, runKey);
    known.bind(2, bench::caseHash(record.spec));
    if (!known.executeStep()) return insertCase(database, runKey, record);
    const auto key = known.getColumn(0).getInt64();
    const auto position = known.getColumn(1).getInt64();
    known.reset();
    SQLite::Statement remove(database, "DELETE FROM cases WHERE key = ?");
    remove.bind(1, key);
    remove.exec();
    insertCaseAt(database, runKey, position, record);
}

Result<std::vector<CaseRecord>> loadCases(SQLite::Database& database, std::int64_t runKey, Detail detail) {
    SQLite::Statement query(
        database, detail == Detail::Summaries
                      ? "SELECT * FROM cases WHERE run_key = ? ORDER BY position"
                      : "SELECT cases.*, samples.count, samples.encoding, samples.crc32, samples.data AS blob "
                        "FROM cases LEFT JOIN samples ON samples.case_key = cases.key "
                        "WHERE run_key = ? ORDER BY position");
    query.bind(1, runKey);
    std::vector<CaseRecord> records;
    while (query.executeStep()) {
        ASSIGN(auto record, readCase(RowReader(query), detail));
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace steelyard::history
