// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/data_parallel.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace steelyard::compute::cpu {
namespace {

constexpr int kExchangeRuns = 5;  // the first is not timed

}  // namespace

void DataParallel::attach(std::shared_ptr<HostCommunicator> communicator, std::vector<float*> memory,
                          std::vector<float*> losses) {
    m_communicator = std::move(communicator);
    m_memory = std::move(memory);
    m_losses = std::move(losses);
    m_exchange.emplace(*m_communicator, *m_communicator, m_buckets, m_memory,
                       GradientExchange::Streams{HostCommunicator::computeStream(), m_communicator->exchangeStream()});
}

void DataParallel::keep(const Result<void>& result) {
    if (!result && !m_failure) m_failure = result.error();
}

Result<void> DataParallel::averageLosses() {
    for (auto* loss : m_losses) TRY(m_communicator->average(loss, 1, m_communicator->exchangeStream()));
    return {};
}

void DataParallel::afterOperation(int operation) {
    if (m_paused || m_failure) return;
    keep(m_exchange->afterOperation(operation));
    if (m_lossesSent || m_buckets.empty() || operation < m_buckets.front().readyAfter) return;
    m_lossesSent = true;
    keep(averageLosses());
}

void DataParallel::join() {
    if (m_paused || m_failure) return;
    m_lossesSent = false;
    keep(m_exchange->join());
}

Result<void> DataParallel::outcome() {
    if (auto failure = std::exchange(m_failure, std::nullopt)) return Failure(std::move(*failure));
    return {};
}

Result<std::int64_t> DataParallel::valueOfRankZero(std::int64_t value) {
    // Shared, since the thread may still write after a timed-out wait.
    const auto word = std::make_shared<std::int64_t>(value);
    TRY(m_communicator->broadcast(word.get(), sizeof value, 0, m_communicator->exchangeStream()));
    TRY(m_communicator->wait());
    return *word;
}

Result<double> DataParallel::exchangeSeconds() {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kExchangeRuns; ++run) {
        ASSIGN(const auto together, valueOfRankZero(run));
        const auto start = Clock::now();
        for (std::size_t b = 0; b < m_buckets.size(); ++b)
            TRY(m_communicator->average(m_memory[b], m_buckets[b].elements, m_communicator->exchangeStream()));
        TRY(averageLosses());
        TRY(m_communicator->wait());
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (together > 0) best = std::min(best, seconds);
    }
    return best;
}

}  // namespace steelyard::compute::cpu
