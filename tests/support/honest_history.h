// SPDX-License-Identifier: Apache-2.0
// Invariants of a history file, however its runs ended: nothing incomplete is marked complete.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/bench/protocol/figure.h"
#include "engine/history/history_store.h"

namespace steelyard::test {

inline void expectHonest(const std::filesystem::path& database) {
    const auto store = history::HistoryStore::open(database);
    ASSERT_TRUE(store) << describe(store.error());
    const auto runs = (*store)->runs();
    ASSERT_TRUE(runs) << describe(runs.error());
    for (const auto& overview : *runs) {
        SCOPED_TRACE(overview.id);
        const auto run = (*store)->run(overview.id);
        ASSERT_TRUE(run) << describe(run.error());
        for (const auto& record : run->records) {
            const bool ok = record.status == bench::Status::Ok;
            EXPECT_EQ(ok, record.stepSeconds.has_value()) << bench::caseLabel(record.spec);
            EXPECT_EQ(ok, !record.samplesSeconds.empty()) << bench::caseLabel(record.spec);
            EXPECT_EQ(ok, record.stopReason.has_value()) << bench::caseLabel(record.spec);
            if (record.stepSeconds) {
                // Samples of disturbed windows are stored but not counted.
                const auto counted = record.visits.empty() ? record.samplesSeconds
                                                           : bench::countedSamples(record.samplesSeconds, record.visits,
                                                                                   record.spec.threads.value_or(1));
                EXPECT_EQ(record.stepSeconds->n, static_cast<std::int64_t>(counted.size()));
            }
        }
        ASSERT_TRUE(overview.plannedCount);
        if (overview.finishedUnixMs) {
            EXPECT_EQ(overview.caseCount, *overview.plannedCount);
            EXPECT_EQ(overview.doneCount(), overview.caseCount) << "a finished run has no cancelled case";
        } else {
            EXPECT_LE(overview.doneCount(), *overview.plannedCount);
            EXPECT_TRUE(overview.resumable);
        }
    }
}

}  // namespace steelyard::test
