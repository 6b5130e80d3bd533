// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/cpu_machine_probe.h"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/threads.h"

namespace steelyard::compute::cpu {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kLineBytes = 128;  // two lines: the prefetcher fetches adjacent ones in pairs
constexpr int kBatches = 9;
constexpr std::uint32_t kTripsPerBatch = 100;       // 5 us within a shared cache, 35 us otherwise
constexpr auto kPatience = 3ms;                     // per pair; a partner that lost its processor is not waited for
constexpr std::uint32_t kSpinsBetweenLooks = 1024;  // spins between clock reads
constexpr std::int64_t kArithmeticRounds = 20'000;  // a third of a millisecond
constexpr int kRepetitions = 3;
constexpr std::size_t kStreamBytes = 4U << 20, kMostBytes = 64U << 20, kFewestBytes = 1U << 20;
constexpr std::size_t kPasses = 4;  // parts of a stream, one per repetition

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Pins the calling thread to one processor and restores its mask at the end. If the mask cannot be read or set (more
// processors than in cpu_set_t), the thread is not pinned.
class Pinned {
public:
    explicit Pinned(int cpu) {
        if (cpu < 0 || cpu >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof m_before, &m_before) != 0) return;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(cpu), &one);
        m_isPinned = ::sched_setaffinity(0, sizeof one, &one) == 0;
    }
    ~Pinned() {
        if (m_isPinned) (void)::sched_setaffinity(0, sizeof m_before, &m_before);
    }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

private:
    cpu_set_t m_before{};
    bool m_isPinned = false;
};

std::vector<int> allowedCpus() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    std::vector<int> cpus;
    if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) cpus.push_back(cpu);
    return cpus;
}

// A processor per thread: its current one, unless taken, otherwise the first free one. Empty if there are more threads
// than processors.
std::vector<int> placesOf(const std::vector<int>& current) {
    auto free = allowedCpus();
    if (free.size() < current.size()) return {};
    std::vector<int> places(current.size(), -1);
    for (std::size_t i = 0; i < current.size(); ++i)
        if (const auto found = std::find(free.begin(), free.end(), current[i]); found != free.end()) {
            places[i] = current[i];
            free.erase(found);
        }
    for (auto& place : places)
        if (place < 0) {
            place = free.front();
            free.erase(free.begin());
        }
    return places;
}

struct alignas(kLineBytes) Line {
    std::atomic<std::uint32_t> value{0};
    std::atomic<bool> isAbandoned{false};
};

// False if the partner timed out.
bool waitFor(Line& line, std::uint32_t value, Clock::time_point deadline) {
    for (std::uint32_t spins = 1; line.value.load(std::memory_order_acquire) != value; ++spins) {
        if (spins % kSpinsBetweenLooks != 0) continue;
        if (line.isAbandoned.load(std::memory_order_relaxed) || Clock::now() > deadline) {
            line.isAbandoned.store(true, std::memory_order_relaxed);
            return false;
        }
    }
    return true;
}

// Both ends of a pair: the first writes odd numbers and waits for even ones. Returns its median over the batches, in
// seconds.
std::optional<double> serve(Line& line, Clock::time_point deadline) {
    std::array<double, kBatches> seconds{};
    std::uint32_t value = 0;
    for (auto& batch : seconds) {
        const auto start = Clock::now();
        for (std::uint32_t trip = 0; trip < kTripsPerBatch; ++trip) {
            line.value.store(++value, std::memory_order_release);
            if (!waitFor(line, ++value, deadline)) return std::nullopt;
        }
        batch = secondsSince(start) / kTripsPerBatch;
    }
    std::nth_element(seconds.begin(), seconds.begin() + kBatches / 2, seconds.end());
    return seconds[kBatches / 2];
}

void answer(Line& line, Clock::time_point deadline) {
    for (std::uint32_t value = 1; value < 2 * kBatches * kTripsPerBatch; value += 2) {
        if (!waitFor(line, value, deadline)) return;
        line.value.store(value + 1, std::memory_order_release);
    }
}

// Each thread with its neighbour: first the pairs (0, 1), (2, 3) ... concurrently, then (1, 2), (3, 4) ...
void measureRoundTrips(int threads, MachineRates& rates) {
    const auto count = static_cast<std::size_t>(threads);
    std::vector<int> current(count, -1), places;
    std::vector<Line> lines(count);
    std::vector<std::optional<double>> trips(count - 1);
    bool isWhole = true;
#pragma omp parallel num_threads(threads)
    {
        const auto self = static_cast<std::size_t>(omp_get_thread_num());
        if (self < count) current[self] = ::sched_getcpu();
#pragma omp barrier
#pragma omp single
        {
            isWhole = omp_get_num_threads() == threads;
            places = placesOf(current);
        }
        if (isWhole && !places.empty()) {
            const Pinned pinned(places[self]);
            for (const std::size_t first : {0U, 1U}) {
#pragma omp barrier
                const auto deadline = Clock::now() + kPatience;
                if (self < first) continue;
                const bool serves = (self - first) % 2 == 0;
                const auto pair = serves ? self : self - 1;
                if (pair + 1 >= count) continue;
                if (serves)
                    trips[pair] = serve(lines[pair], deadline);
                else
                    answer(lines[pair], deadline);
            }
        }
    }
    std::vector<double> known;
    for (const auto& trip : trips)
        if (trip) known.push_back(*trip);
    if (known.size() != trips.size()) return;  // the missing one may be the slowest
    std::sort(known.begin(), known.end());
    rates.slowestRoundTripSeconds = known.back();
    rates.roundTripSeconds = std::midpoint(known[(known.size() - 1) / 2], known[known.size() / 2]);
}

std::optional<double> arithmeticRate() {
    const auto kernel = kernels().peak.f32;
    if (kernel == nullptr) return std::nullopt;
    double best = 0;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
        double operations = 0;
        const auto start = Clock::now();
#pragma omp parallel reduction(+ : operations)
        {
            float value = 1;
            operations += kernel(kArithmeticRounds, &value);
        }
        if (const double seconds = secondsSince(start); seconds > 0) best = std::max(best, operations / seconds);
    }
    return best > 0 ? std::optional(best) : std::nullopt;
}

}  // namespace

std::optional<double> CpuMachineProbe::bandwidth(int threads) {
    const auto count = static_cast<std::size_t>(threads);
    const auto bytes = std::clamp(kMostBytes / count, kFewestBytes, kStreamBytes);
    const auto words = bytes / sizeof(std::uint64_t);
    if (m_streams.size() != count) m_streams.assign(count, {});
    double best = 0;
    const auto pattern = preferredReadPattern();
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
        std::uint64_t total = 0, passed = 0;
        const auto begin = (m_next++ % kPasses) * (words / kPasses);
        Clock::time_point start;
#pragma omp parallel num_threads(threads) reduction(+ : total, passed)
        {
            auto& stream = m_streams[static_cast<std::size_t>(omp_get_thread_num())];
            if (stream.empty()) stream.assign(words, 1);
#pragma omp barrier
#pragma omp master
            start = Clock::now();
            total += kernels().peak.sum(stream.data() + begin, static_cast<std::int64_t>(words / kPasses), pattern);
            passed += words / kPasses * sizeof(std::uint64_t);
        }
        // Checking the sum of ones keeps the compiler from removing reads.
        const double seconds = secondsSince(start);
        if (seconds > 0 && total == passed / sizeof(std::uint64_t))
            best = std::max(best, static_cast<double>(passed) / seconds);
    }
    return best > 0 ? std::optional(best) : std::nullopt;
}

MachineRates CpuMachineProbe::probe(int threads) {
    MachineRates rates;
    if (threads < 1) return rates;
    const ThreadScope scope(threads);
    if (threads > 1) measureRoundTrips(threads, rates);
    rates.arithmeticRate = arithmeticRate();
    rates.bandwidth = bandwidth(threads);
    return rates;
}

}  // namespace steelyard::compute::cpu
