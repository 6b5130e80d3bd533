// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/data_parallel.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace steelyard::compute::cuda {
namespace {

constexpr int kRuns = 5;  // timing runs of the exchange; the first is not timed

}  // namespace

DataParallel::DataParallel(DeviceRuntime& runtime, std::shared_ptr<Communicator> communicator,
                           std::vector<Bucket> buckets)
    : m_runtime(runtime), m_communicator(std::move(communicator)), m_buckets(std::move(buckets)) {}

DataParallel::~DataParallel() {
    if (m_order != nullptr) m_runtime.destroyEvent(m_order);
    if (m_exchangeStream != nullptr) m_runtime.destroyStream(m_exchangeStream);
}

Result<std::unique_ptr<DataParallel>> DataParallel::make(DeviceRuntime& runtime,
                                                         std::shared_ptr<Communicator> communicator,
                                                         std::vector<Bucket> buckets) {
    std::unique_ptr<DataParallel> made(new DataParallel(runtime, std::move(communicator), std::move(buckets)));
    ASSIGN(const auto stream, runtime.createStream());
    made->m_exchangeStream = stream;
    ASSIGN(const auto order, runtime.createOrderEvent());
    made->m_order = order;
    ASSIGN(auto word, DeviceMemory::allocate(runtime, sizeof(std::int64_t)));
    made->m_word = std::move(word);
    return made;
}

void DataParallel::place(std::vector<float*> buckets, std::vector<float*> losses) {
    m_memory = std::move(buckets);
    m_losses = std::move(losses);
    StreamOrder& order = *this;
    m_exchange.emplace(*m_communicator, order, m_buckets, m_memory,
                       GradientExchange::Streams{m_runtime.stream(), m_exchangeStream});
}

Result<void> DataParallel::follow(void* earlier, void* later) {
    if (auto ok = m_runtime.record(m_order, earlier); !ok) return ok;
    return m_runtime.wait(m_order, later);
}

Result<void> DataParallel::averageLosses() {
    for (auto* loss : m_losses)
        if (auto ok = m_communicator->average(loss, 1, m_exchangeStream); !ok) return ok;
    return {};
}

Result<void> DataParallel::afterOperation(int operation) {
    if (m_paused) return {};
    if (auto ok = m_exchange->afterOperation(operation); !ok) return ok;
    if (m_lossesSent || m_buckets.empty() || operation < m_buckets.front().readyAfter) return {};
    m_lossesSent = true;  // long before the update, so that they cost the step no time
    return averageLosses();
}

Result<void> DataParallel::join() {
    if (m_paused) return {};
    m_lossesSent = false;
    return m_exchange->join();
}

Result<void> DataParallel::spread(void* bytes, std::int64_t count) {
    return m_communicator->broadcast(bytes, count, 0, m_runtime.stream());
}

Result<std::int64_t> DataParallel::valueOfRankZero(std::int64_t value) {
    const auto stream = m_runtime.stream();
    TRY(m_runtime.copyToDevice(m_word.data(), &value, sizeof value, stream));
    TRY(spread(m_word.data(), sizeof value));
    TRY(m_runtime.copyToHost(&value, m_word.data(), sizeof value, stream));
    TRY(m_runtime.synchronize(stream));
    return value;
}

Result<double> DataParallel::exchangeSeconds(Event first, Event last) {
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRuns; ++run) {
        TRY(m_runtime.record(first, m_exchangeStream));
        for (std::size_t b = 0; b < m_buckets.size(); ++b)
            TRY(m_communicator->average(m_memory[b], m_buckets[b].elements, m_exchangeStream));
        TRY(averageLosses());
        TRY(m_runtime.record(last, m_exchangeStream));
        TRY(m_runtime.synchronize(m_exchangeStream));
        ASSIGN(const auto seconds, m_runtime.secondsBetween(first, last));
        if (run > 0) best = std::min(best, seconds);
    }
    return best;
}

}  // namespace steelyard::compute::cuda
