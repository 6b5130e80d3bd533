// SPDX-License-Identifier: Apache-2.0
#include "tests/support/visited_record.h"

#include "engine/bench/protocol/figure.h"

namespace steelyard::test {

void splitIntoVisits(bench::CaseRecord& record, bool disturbed) {
    constexpr std::size_t kVisitsMade = 3;
    const auto count = record.samplesSeconds.size();
    record.visits.clear();
    for (std::size_t visit = 0; visit < kVisitsMade; ++visit) {
        bench::SamplingWindow window;
        window.samples = static_cast<std::int64_t>((visit + 1) * count / kVisitsMade - visit * count / kVisitsMade);
        window.after.otherCpus = disturbed ? 1.0 : 0.0;
        record.visits.push_back({record.startedUnixMs, {window}});
    }
    record.figure = bench::figureOf(record.samplesSeconds, record.visits, 1, {});
}

}  // namespace steelyard::test
