// SPDX-License-Identifier: Apache-2.0
// The executable as one of several ranks.
#include <algorithm>
#include <chrono>
#include <limits>

#include "engine/compute/cpu/executable.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

constexpr int kRunsAlone = 5;  // of a step without exchange; the first is not timed

Failure notOneRank() {
    return fail(ErrorKind::InvalidArgument, {}, messages::notOneOfSeveral());
}

bool isSpread(const plan::Tensor& tensor) {
    using plan::TensorRole;
    const bool parameter = tensor.role == TensorRole::Weight || tensor.role == TensorRole::State ||
                           tensor.role == TensorRole::OptimizerState;
    return parameter && tensor.type != model::DataType::Int32;
}

}  // namespace

void CpuExecutable::attach(std::shared_ptr<HostCommunicator> communicator) {
    std::vector<float*> memory, losses;
    for (const auto& bucket : m_step.buckets) memory.push_back(bucket.as<float>());
    for (const auto& head : plan().heads)
        losses.push_back(m_step.values[static_cast<std::size_t>(head.loss)].as<float>());
    m_step.parallel->attach(std::move(communicator), std::move(memory), std::move(losses));
}

// Row-major, since layouts may differ between ranks.
Result<void> CpuExecutable::spreadParameters() {
    if (!m_step.parallel || m_spread) return {};
    auto& communicator = m_step.parallel->communicator();
    for (const auto& tensor : plan().tensors) {
        if (!isSpread(tensor)) continue;
        // Shared, since the thread may still write after a timed-out wait.
        const auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(tensor.elements()));
        TRY(read(tensor.id, *values));
        TRY(communicator.run([values](HostGroup& group) {
            return group.broadcast(values->data(), static_cast<std::int64_t>(values->size() * sizeof(float)), 0);
        }));
        if (communicator.rank() > 0) TRY(write(tensor.id, *values));
    }
    m_spread = true;
    return {};
}

Result<std::int64_t> CpuExecutable::valueOfRankZero(std::int64_t value) {
    if (!m_step.parallel) return notOneRank();
    return m_step.parallel->valueOfRankZero(value);
}

Result<double> CpuExecutable::secondsAlone() {
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRunsAlone; ++run) {
        const auto start = std::chrono::steady_clock::now();
        TRY(step({m_steps, 1.0}));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (run > 0) best = std::min(best, seconds);
    }
    return best;
}

Result<ExchangeTimes> CpuExecutable::exchangeTimes() {
    if (!m_step.parallel) return notOneRank();
    TRY(spreadParameters());
    ExchangeTimes times;
    ASSIGN(times.exchangeSeconds, m_step.parallel->exchangeSeconds());
    m_step.parallel->pause(true);
    const auto alone = secondsAlone();
    m_step.parallel->pause(false);
    m_spread = false;  // the ranks have diverged
    if (!alone) return Failure(alone.error());
    times.computeSeconds = *alone;
    for (const auto& bucket : m_step.parallel->buckets()) times.bytes += bucket.bytes().value();
    times.exchanges = static_cast<int>(m_step.parallel->buckets().size());
    return times;
}

}  // namespace steelyard::compute::cpu
