// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/peak_probe.h"

#include <algorithm>
#include <limits>

#include "engine/bench/synthetic_inputs.h"
#include "engine/model/graph.h"

namespace steelyard::bench {
namespace {

// Large enough for the blocked kernels to reach their rate, small enough to take milliseconds on one core.
constexpr std::int64_t kExtent = 1024;
constexpr double kBudgetSeconds = 0.2;
constexpr int kMinimumRepetitions = 3;

}  // namespace

Result<double> measurePeakFlops(compute::Backend& backend, plan::Precision precision, const compute::CompileOptions& options,
                                const Clock& clock) {
    model::GraphBuilder builder("peak_probe");
    const auto x = builder.input({kExtent});
    builder.head(builder.dense(builder.dense(x, kExtent, false), kExtent, false));
    auto graph = std::move(builder).build();
    if (!graph) return Failure(graph.error());
    auto lowered = plan::lower(*graph, {plan::Mode::Infer, kExtent, precision, {}});
    if (!lowered) return Failure(lowered.error());
    const auto plan = std::make_shared<const plan::Plan>(std::move(*lowered));
    auto executable = backend.compile(plan, options);
    if (!executable) return Failure(executable.error());
    if (auto ok = writeSyntheticState(**executable, 1); !ok) return Failure(ok.error());

    double best = std::numeric_limits<double>::infinity();
    double spent = 0;
    for (int i = 0; i < kMinimumRepetitions || spent < kBudgetSeconds; ++i) {
        const auto start = clock.nowNanoseconds();
        const auto outcome = (*executable)->step({i, 1.0});
        if (!outcome) return Failure(outcome.error());
        const double seconds = secondsBetween(start, clock.nowNanoseconds()).value();
        spent += std::max(seconds, 1e-6);
        if (seconds > 0 && i > 0) best = std::min(best, seconds);
    }
    return 2 * 2.0 * static_cast<double>(kExtent) * kExtent * kExtent / best;  // two products of kExtent^3 macs
}

}  // namespace steelyard::bench
