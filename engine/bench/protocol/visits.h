// SPDX-License-Identifier: Apache-2.0
// Combines the visits of a case into one record: that of the first visit with the samples and the result of all. Pure
// functions; any thread.
#pragma once

#include <span>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Adds a later visit. What only the first visit does (verification, peaks, profile) is kept; warnings are merged. A
// failed later visit only adds a warning.
void addVisit(CaseRecord& record, CaseRecord later);

// Computes the result from the record's visits and updates everything derived from the time per step: summary,
// throughput and utilization, with the bandwidth that it is relative to for a language model. No-op without visits.
// `threads`: number that the case computed with.
void applyFigure(CaseRecord& record, int threads, const Noise& noise);

// Sets the bandwidth peak of a language model from the readings between the windows of its steps, the condition
// "peak_bytes_of", and the slowest over the fastest reading. False, without changes, if there are none or no
// utilization.
bool applyWeightBandwidth(CaseRecord& record, int threads);

// Visit variances of the records, for fitPrior(). Records without visits or with only disturbed ones contribute
// nothing.
[[nodiscard]] std::vector<Variance> visitVariances(std::span<const CaseRecord> records);

}  // namespace steelyard::bench
