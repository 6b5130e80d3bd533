// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/gradient_exchange.h"

#include <fmt/format.h>

#include <utility>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {

GradientExchange::GradientExchange(Communicator& communicator, StreamOrder& order, std::vector<Bucket> buckets,
                                   std::vector<float*> memory, Streams streams)
    : m_communicator(communicator),
      m_order(order),
      m_buckets(std::move(buckets)),
      m_memory(std::move(memory)),
      m_streams(streams) {}

Result<void> GradientExchange::afterOperation(int operation) {
    while (m_next < m_buckets.size() && m_buckets[m_next].readyAfter <= operation) {
        if (auto ok = m_order.follow(m_streams.compute, m_streams.exchange); !ok) return ok;
        const auto b = m_next++;
        if (auto ok = m_communicator.average(m_memory[b], m_buckets[b].elements, m_streams.exchange); !ok) return ok;
    }
    return {};
}

Result<void> GradientExchange::join() {
    const auto exchanged = std::exchange(m_next, 0);
    if (exchanged < m_buckets.size())
        return fail(ErrorKind::InvalidArgument, {},
                    messages::bucketsNotReady(m_buckets.size() - exchanged, m_buckets.size()));
    if (m_buckets.empty()) return {};
    return m_order.follow(m_streams.exchange, m_streams.compute);
}

Result<void> GradientExchange::spread(float* values, std::int64_t count) {
    return m_communicator.broadcast(values, count * 4, 0, m_streams.compute);
}

}  // namespace steelyard::compute
