// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/network_probe.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "engine/core/messages/bench.h"
#include "engine/core/messages/compute.h"
#include "engine/core/quantile.h"

namespace steelyard::bench {
namespace {

using compute::HostGroup;
using ProbeClock = std::chrono::steady_clock;

constexpr std::int64_t kSmallest = 8;
constexpr std::int64_t kTimes = 4;  // ratio of consecutive sizes
constexpr std::int64_t kMostRuns = 50, kFewestRuns = 3;

double secondsSince(ProbeClock::time_point start) {
    return std::chrono::duration<double>(ProbeClock::now() - start).count();
}

class NetworkProbe {
public:
    NetworkProbe(HostGroup& group, const NetworkLimits& limits) : m_group(group), m_limits(limits) {}

    Result<NetworkMeasurement> measure() {
        NetworkMeasurement found;
        found.ranks = m_group.size();
        if (m_limits.peers)
            for (int rank = 1; rank < m_group.size(); ++rank) {
                ASSIGN(auto times, measurePeer(rank));
                found.peers.push_back(std::move(times));
            }
        ASSIGN(found.allReduce, sizes(m_limits.largestAllReduce, [&](std::int64_t bytes) { return allReduce(bytes); }));
        const double n = m_group.size();
        for (auto& time : found.allReduce) time.busBandwidth = time.algorithmBandwidth * 2 * (n - 1) / n;
        ASSIGN(const auto fit, fitOf(found.allReduce));
        found.link = compute::linkOf(fit, m_group.size());
        return found;
    }

private:
    using Once = std::function<Result<double>(std::int64_t)>;  // seconds, by the rank's clock

    static Result<compute::LinearTime> fitOf(const std::vector<NetworkTime>& times) {
        std::vector<compute::TimedMessage> messages;
        for (const auto& time : times) messages.push_back({time.bytes, time.seconds});
        return compute::fitTimes(messages);
    }

    Result<PeerTimes> measurePeer(int rank) {
        PeerTimes peer{.rank = rank, .times = {}, .fit = {}};
        ASSIGN(peer.times, sizes(m_limits.largestMessage, [&](std::int64_t bytes) { return roundTrip(bytes, rank); }));
        for (auto& time : peer.times) time.busBandwidth = time.algorithmBandwidth;
        ASSIGN(peer.fit, fitOf(peer.times));
        return peer;
    }

    // Rank 0 decides on repetitions and termination; the times are its own.
    Result<std::vector<NetworkTime>> sizes(Bytes largest, const Once& once) {
        std::vector<NetworkTime> rows;
        for (auto bytes = kSmallest; bytes <= largest.value(); bytes *= kTimes) {
            ASSIGN(const auto first, once(bytes));
            auto runs = std::clamp(static_cast<std::int64_t>(m_limits.size.value() / std::max(first, 1e-9)),
                                   kFewestRuns, kMostRuns);
            TRY(m_group.broadcast(&runs, sizeof runs, 0));
            m_wrong = 0;
            std::vector<double> seconds;
            for (std::int64_t run = 0; run < runs; ++run) {
                ASSIGN(const auto time, once(bytes));
                seconds.push_back(time);
            }
            NetworkTime row{.bytes = bytes, .seconds = median(std::move(seconds))};
            TRY(m_group.broadcast(&row.seconds, sizeof row.seconds, 0));
            std::vector<std::int64_t> wrong(static_cast<std::size_t>(m_group.size()));
            TRY(m_group.gather(&m_wrong, sizeof m_wrong, wrong.data()));
            for (const auto one : wrong) row.wrong += one;
            row.algorithmBandwidth = static_cast<double>(bytes) / row.seconds;
            rows.push_back(row);
            if (row.seconds > m_limits.size.value()) break;
        }
        return rows;
    }

    Result<double> allReduce(std::int64_t bytes) {
        const auto count = static_cast<std::size_t>(bytes) / sizeof(float);
        m_values.assign(count, static_cast<float>(m_group.rank() + 1));
        TRY(m_group.barrier());
        const auto start = ProbeClock::now();
        TRY(m_group.sum(m_values.data(), static_cast<std::int64_t>(count)));
        const double seconds = secondsSince(start);
        const int n = m_group.size();
        const auto expected = static_cast<float>(n * (n + 1) / 2);
        m_wrong += std::count_if(m_values.begin(), m_values.end(), [&](float value) { return value != expected; });
        return seconds;
    }

    // Half the round-trip time.
    Result<double> roundTrip(std::int64_t bytes, int other) {
        const auto count = static_cast<std::size_t>(bytes) / sizeof(float);
        const auto mark = static_cast<float>(other);
        m_values.assign(count, m_group.rank() == 0 ? mark : 0.0F);
        TRY(m_group.barrier());
        const auto start = ProbeClock::now();
        if (m_group.rank() == 0) {
            TRY(m_group.send(m_values.data(), bytes, other));
            TRY(m_group.receive(m_values.data(), bytes, other));
        } else if (m_group.rank() == other) {
            TRY(m_group.receive(m_values.data(), bytes, 0));
            TRY(m_group.send(m_values.data(), bytes, 0));
        } else {
            return 0.0;
        }
        const double seconds = secondsSince(start) / 2;
        m_wrong += std::count_if(m_values.begin(), m_values.end(), [&](float value) { return value != mark; });
        return seconds;
    }

    HostGroup& m_group;
    const NetworkLimits& m_limits;
    std::vector<float> m_values;
    std::int64_t m_wrong = 0;
};

}  // namespace

Result<NetworkMeasurement> measureNetwork(compute::HostCommunicator& ranks, const NetworkLimits& limits) {
    if (ranks.size() < 2) return fail(ErrorKind::InvalidArgument, {}, compute::messages::badNodeCount(1, ranks.size()));
    // Shared, since the communicator's thread may still write after a timed-out wait.
    const auto found = std::make_shared<NetworkMeasurement>();
    const auto measure = [found, limits](HostGroup& group) -> Result<void> {
        ASSIGN(*found, NetworkProbe(group, limits).measure());
        return {};
    };
    TRY(ranks.run(measure));
    return std::move(*found);
}

}  // namespace steelyard::bench
