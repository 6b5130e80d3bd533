// SPDX-License-Identifier: Apache-2.0
// Sweeps: many cases as the tasks of an array. A task costs its start and a warm-up, so it gets a chunk of cases that
// takes at least a minute. The chunks of a launch are in cases.json; a task is told its index there. Pure functions.
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

// The cases in their order, in chunks of at least so many estimated seconds each, but for a sweep that is shorter as a
// whole, and in at most so many chunks: with more cases than fit, chunks are longer. No chunk is empty.
[[nodiscard]] std::vector<std::vector<bench::Case>> chunksOf(const std::vector<bench::Case>& cases,
                                                             const std::function<double(const bench::Case&)>& seconds,
                                                             std::size_t mostChunks,
                                                             double leastSeconds = kLeastChunkSeconds);

// {"format": "steelyard-sweep", "version": 1, "campaign": ..., "chunks": [{"candidate": "01", "order": {...}}]}; an
// order is what bench::toJson(RunSpec) writes. The index of a chunk is its place.
inline constexpr std::string_view kSweepFormat = "steelyard-sweep";
inline constexpr int kSweepVersion = 1;
[[nodiscard]] std::string sweepDocument(const Campaign& campaign, const std::vector<const Candidate*>& chunks);

struct SweepChunk {
    std::string campaign, candidate;
    bench::RunSpec order;
};
// InvalidArgument when there is no such index.
[[nodiscard]] Result<SweepChunk> sweepChunk(std::string_view document, std::int64_t index);

// How much longer the chunks that were measured took than was estimated: 1 where none was.
[[nodiscard]] double measuredPace(const Campaign& campaign, const std::function<double(const bench::Case&)>& seconds);

// Cases of a collected or failed chunk without a good or a final record in `done` become new chunks at the end: what is
// missing; what an open chunk will measure is not. Failed chunks that they come from are given up. Returns how many
// cases that are.
[[nodiscard]] std::size_t replanMissing(Campaign& campaign, const std::vector<bench::CaseRecord>& done,
                                        const std::function<double(const bench::Case&)>& seconds);

}  // namespace steelyard::campaign
