// SPDX-License-Identifier: Apache-2.0
// The executable as one of several ranks.
#include <algorithm>
#include <limits>

#include "engine/compute/cuda/execute/executable.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

constexpr int kRuns = 5;  // of a step without exchange; the first is not timed

Failure notARank() {
    return fail(ErrorKind::InvalidArgument, {}, messages::notOneOfSeveral());
}

}  // namespace

// Buffers are in the same order on all ranks, which have the same plan and layout.
Result<void> CudaExecutable::spreadParameters() {
    if (!m_step.parallel || m_spread) return {};
    for (const auto& buffer : m_step.buffers) {
        const bool parameter = buffer.kind == MemoryKind::Weights || buffer.kind == MemoryKind::Optimizer;
        if (!buffer.persistent || !buffer.isUsed() || !parameter) continue;
        if (auto ok = m_step.parallel->spread(buffer.data, buffer.bytes); !ok) return ok;
    }
    m_spread = true;
    return {};
}

Result<std::int64_t> CudaExecutable::valueOfRankZero(std::int64_t value) {
    if (!m_step.parallel) return notARank();
    TRY(runtime().makeCurrent());
    return m_step.parallel->valueOfRankZero(value);
}

// Uses the graph if there is one.
Result<double> CudaExecutable::secondsAlone() {
    const auto graph = m_graph ? capture() : nullptr;
    if (m_graph && !graph) return fail(ErrorKind::Internal, {}, messages::noExchangeFreeStep(m_whyNoGraph));
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRuns; ++run) {
        TRY(runtime().record(m_first.get(), stream()));
        TRY(graph ? graph->launch(stream()) : enqueueAll());
        TRY(runtime().record(m_last.get(), stream()));
        TRY(runtime().synchronize(stream()));
        ASSIGN(const auto seconds, runtime().secondsBetween(m_first.get(), m_last.get()));
        if (run > 0) best = std::min(best, seconds);
    }
    return best;
}

Result<ExchangeTimes> CudaExecutable::exchangeTimes() {
    if (!m_step.parallel) return notARank();
    TRY(runtime().makeCurrent());
    ExchangeTimes times;
    ASSIGN(const auto exchange, m_step.parallel->exchangeSeconds(m_first.get(), m_last.get()));
    m_step.parallel->pause(true);
    const auto alone = secondsAlone();
    m_step.parallel->pause(false);
    m_spread = false;  // the ranks have diverged
    if (!alone) return Failure(alone.error());
    times.exchangeSeconds = exchange;
    times.computeSeconds = *alone;
    for (const auto& bucket : m_step.parallel->buckets()) times.bytes += bucket.bytes().value();
    times.exchanges = static_cast<int>(m_step.parallel->buckets().size());
    return times;
}

}  // namespace steelyard::compute::cuda
