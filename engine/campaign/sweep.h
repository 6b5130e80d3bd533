// SPDX-License-Identifier: Apache-2.0
// Sweeps: many cases as tasks of an array. Each task has start-up and warm-up overhead, so it gets a chunk of cases
// that takes at least a minute. The chunks of a launch are in cases.json; each task receives its index. Pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/run/resume.h"
#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

inline constexpr double kLeastChunkSeconds = 60;

// Splits the cases, in order, into chunks of at least the given estimated seconds each (unless the whole sweep is
// shorter) and at most the given number of chunks: with more cases, chunks are longer. No chunk is empty.
[[nodiscard]] std::vector<std::vector<bench::Case>> chunksOf(const std::vector<bench::Case>& cases,
                                                             const std::function<double(const bench::Case&)>& seconds,
                                                             std::size_t mostChunks,
                                                             double leastSeconds = kLeastChunkSeconds);

// {"format": "steelyard-sweep", "version": 1, "campaign": ..., "chunks": [{"candidate": "01", "order": {...}}]}; an
// order is the output of bench::toJson(RunSpec). Chunks are indexed by position.
inline constexpr std::string_view kSweepFormat = "steelyard-sweep";
inline constexpr int kSweepVersion = 1;
[[nodiscard]] std::string sweepDocument(const Campaign& campaign, const std::vector<const Candidate*>& chunks);

struct SweepChunk {
    std::string campaign, candidate;
    bench::RunSpec order;
};
// InvalidArgument if the index is out of range.
[[nodiscard]] Result<SweepChunk> sweepChunk(std::string_view document, std::int64_t index);

// Ratio of measured to estimated time over the measured chunks; 1 if there are none.
[[nodiscard]] double measuredPace(const Campaign& campaign, const std::function<double(const bench::Case&)>& seconds);

// Cases of a collected or failed chunk without a valid or final record in `done` become new chunks at the end, except
// those that an open chunk will measure. Their failed chunks are marked as given up. Returns the number of such cases.
[[nodiscard]] std::size_t replanMissing(Campaign& campaign, const std::vector<bench::CaseRecord>& done,
                                        const std::function<double(const bench::Case&)>& seconds);

}  // namespace steelyard::campaign
