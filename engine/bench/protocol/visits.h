// SPDX-License-Identifier: Apache-2.0
// Visits of one case become one record: the first one's, with the samples of all and the figure made of them. Pure
// functions; any thread.
#pragma once

#include <span>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Adds what a later visit measured. What only the first one does (checking, peaks, profile) stays as it is; warnings
// are joined. A later visit that failed adds a warning and nothing else.
void addVisit(CaseRecord& record, CaseRecord later);

// Makes the figure of the record's visits and lets everything follow that is computed from a time per step: the
// summary, the throughput and the utilisation. Nothing without visits. `threads`: that the case computed with.
void applyFigure(CaseRecord& record, int threads, const Noise& noise);

// What the records' figures say of the noise between visits, for fitPrior(); those without or with disturbed visits
// only say nothing.
[[nodiscard]] std::vector<Variance> visitVariances(std::span<const CaseRecord> records);

}  // namespace steelyard::bench
