// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/data_parallel.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace steelyard::compute::cuda {
namespace {

constexpr int kRuns = 5;  // of the exchange alone; the first is not timed

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
    const auto stream = runtime.createStream();
    if (!stream) return Failure(stream.error());
    made->m_exchangeStream = *stream;
    const auto order = runtime.createOrderEvent();
    if (!order) return Failure(order.error());
    made->m_order = *order;
    auto word = DeviceMemory::allocate(runtime, sizeof(std::int64_t));
    if (!word) return Failure(word.error());
    made->m_word = std::move(*word);
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
    m_lossesSent = true;  // long before the update: they cost the step no time
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

Result<std::int64_t> DataParallel::fromFirst(std::int64_t value) {
    const auto stream = m_runtime.stream();
    if (auto ok = m_runtime.copyToDevice(m_word.data(), &value, sizeof value, stream); !ok) return Failure(ok.error());
    if (auto ok = spread(m_word.data(), sizeof value); !ok) return Failure(ok.error());
    if (auto ok = m_runtime.copyToHost(&value, m_word.data(), sizeof value, stream); !ok) return Failure(ok.error());
    if (auto ok = m_runtime.synchronize(stream); !ok) return Failure(ok.error());
    return value;
}

Result<double> DataParallel::exchangeSeconds(Event first, Event last) {
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRuns; ++run) {
        if (auto ok = m_runtime.record(first, m_exchangeStream); !ok) return Failure(ok.error());
        for (std::size_t b = 0; b < m_buckets.size(); ++b)
            if (auto ok = m_communicator->average(m_memory[b], m_buckets[b].elements, m_exchangeStream); !ok)
                return Failure(ok.error());
        if (auto ok = averageLosses(); !ok) return Failure(ok.error());
        if (auto ok = m_runtime.record(last, m_exchangeStream); !ok) return Failure(ok.error());
        if (auto ok = m_runtime.synchronize(m_exchangeStream); !ok) return Failure(ok.error());
        const auto seconds = m_runtime.secondsBetween(first, last);
        if (!seconds) return Failure(seconds.error());
        if (run > 0) best = std::min(best, *seconds);
    }
    return best;
}

}  // namespace steelyard::compute::cuda
