// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"

namespace steelyard::data {
namespace {

constexpr int kMostThreads = 256;
constexpr int kMostAhead = 4096;
constexpr std::int64_t kMostSamples = std::numeric_limits<std::uint32_t>::max();
constexpr double kWaitingTooMuch =
    0.1;  // fraction of the time; below it, the gain of a faster pipeline would be within run-to-run noise

using Order = std::shared_ptr<const std::vector<std::int64_t>>;

// Determines and fills the batch at position n of the endless sequence. Immutable; any thread.
class BatchMaker {
public:
    BatchMaker(DatasetPtr dataset, const PipelineOptions& options)
        : m_dataset(std::move(dataset)), m_options(options), m_perEpoch(m_dataset->size() / options.batch) {
        if (!options.dropLast && m_dataset->size() % options.batch != 0) ++m_perEpoch;
    }

    [[nodiscard]] std::int64_t perEpoch() const { return m_perEpoch; }
    [[nodiscard]] const std::string& name() const { return m_dataset->info().name; }
    [[nodiscard]] Order orderOf(std::int64_t epoch) const {
        return std::make_shared<const std::vector<std::int64_t>>(
            epochOrder(m_dataset->size(), m_options.shuffle, m_options.seed, epoch));
    }

    // May throw std::bad_alloc.
    [[nodiscard]] Result<void> make(std::int64_t n, const std::vector<std::int64_t>& order, Batch& batch,
                                    std::vector<float>& scratch) const {
        batch.epoch = n / m_perEpoch;
        batch.number = n % m_perEpoch;
        const auto first = batch.number * m_options.batch;
        batch.samples = std::min(m_options.batch, m_dataset->size() - first);
        batch.indices.assign(order.begin() + first, order.begin() + first + batch.samples);
        const auto features = static_cast<std::size_t>(batch.samples * m_dataset->featureElements());
        const bool values = m_dataset->featureKind() == FeatureKind::Values;
        batch.values.resize(values ? features : 0);
        batch.tokens.resize(values ? 0 : features);
        batch.labels.resize(static_cast<std::size_t>(batch.samples * m_dataset->labelElements()));
        auto filled = m_dataset->fillBatch(batch.indices, {batch.values, batch.tokens, batch.labels});
        if (filled && m_options.augmentation.any()) augment(batch, scratch);
        return filled;
    }

private:
    void augment(Batch& batch, std::vector<float>& scratch) const {
        const auto elements = static_cast<std::size_t>(m_dataset->featureElements());
        for (std::size_t i = 0; i < batch.indices.size(); ++i) {
            augmentImage(std::span(batch.values).subspan(i * elements, elements), m_dataset->featureShape(),
                         m_options.augmentation, {m_options.seed, batch.epoch, batch.indices[i]}, scratch);
        }
    }

    DatasetPtr m_dataset;
    PipelineOptions m_options;
    std::int64_t m_perEpoch = 0;
};

Error cancelled(const std::string& name) {
    return Error{ErrorKind::Cancelled, name, {}, {}, {}, {}};
}

// next() produces the batch itself.
class DirectPipeline final : public BatchPipeline {
public:
    DirectPipeline(BatchMaker maker, const Clock& clock) : m_maker(std::move(maker)), m_clock(clock) {}

    Result<const Batch*> next(std::stop_token stop) override {
        if (m_error) return Failure(*m_error);
        if (stop.stop_requested()) return Failure(cancelled(m_maker.name()));
        const auto start = m_clock.nowNanoseconds();
        if (m_next == 0) m_started = start;
        const auto made = guarded(m_maker.name(), [&]() -> Result<void> {
            if (m_next % m_maker.perEpoch() == 0) m_order = m_maker.orderOf(m_next / m_maker.perEpoch());
            return m_maker.make(m_next, *m_order, m_batch, m_scratch);
        });
        const auto spent = secondsBetween(start, m_clock.nowNanoseconds());
        m_statistics.consumerWait += spent;
        m_statistics.producing += spent;
        if (!made) {
            m_error = made.error();
            return Failure(*m_error);
        }
        ++m_next;
        ++m_statistics.batches;
        m_statistics.samples += m_batch.samples;
        m_statistics.samplesProduced += m_batch.samples;
        return &m_batch;
    }

    PipelineStatistics statistics() const override {
        auto result = m_statistics;
        if (m_next > 0) result.elapsed = secondsBetween(m_started, m_clock.nowNanoseconds());
        return result;
    }

    std::int64_t batchesPerEpoch() const override { return m_maker.perEpoch(); }

private:
    BatchMaker m_maker;
    const Clock& m_clock;
    Order m_order;
    Batch m_batch;
    std::vector<float> m_scratch;
    std::optional<Error> m_error;
    std::int64_t m_next = 0;
    std::int64_t m_started = 0;
    PipelineStatistics m_statistics;
};

// A ring of ahead + 1 batches; the extra one is held by the consumer. Batch n is in slot n mod size and may be started
// once batch n - size has been released. Every member below the mutex is guarded by it; a slot's batch belongs to the
// producer that claimed it until `ready` equals its number, then to the consumer until released.
class ThreadedPipeline final : public BatchPipeline {
public:
    ThreadedPipeline(BatchMaker maker, const PipelineOptions& options, const Clock& clock)
        : m_maker(std::move(maker)), m_clock(clock), m_slots(static_cast<std::size_t>(options.ahead) + 1) {
        m_statistics.producers = options.threads;
        m_threads.reserve(static_cast<std::size_t>(options.threads));
        for (int i = 0; i < options.threads; ++i) {
            m_threads.emplace_back([this](std::stop_token stop) { produce(stop); });
        }
    }

    Result<const Batch*> next(std::stop_token stop) override {
        std::unique_lock lock(m_mutex);
        const auto start = m_clock.nowNanoseconds();
        if (!m_started) m_started = start;
        if (m_holding) {
            m_holding = false;
            ++m_released;
            m_slotFree.notify_all();
        }
        auto& slot = slotOf(m_released);
        const bool arrived = !stop.stop_requested() &&
                             m_batchReady.wait(lock, stop, [&] { return slot.ready == m_released || slot.error; });
        m_statistics.consumerWait += secondsBetween(start, m_clock.nowNanoseconds());
        if (!arrived) return Failure(cancelled(m_maker.name()));
        if (slot.error) return Failure(*slot.error);
        m_holding = true;
        ++m_statistics.batches;
        m_statistics.samples += slot.batch.samples;
        return &slot.batch;
    }

    PipelineStatistics statistics() const override {
        const std::lock_guard lock(m_mutex);
        auto result = m_statistics;
        if (m_started) result.elapsed = secondsBetween(*m_started, m_clock.nowNanoseconds());
        return result;
    }

    std::int64_t batchesPerEpoch() const override { return m_maker.perEpoch(); }

private:
    struct Slot {
        std::int64_t ready = -1;  // number of the batch in the slot
        std::optional<Error> error;
        Batch batch;
    };

    Slot& slotOf(std::int64_t n) { return m_slots[static_cast<std::size_t>(n) % m_slots.size()]; }

    // Waits for a free slot and claims the next number. Nothing at shutdown.
    std::optional<std::int64_t> claim(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
        const auto start = m_clock.nowNanoseconds();
        const auto room = [&] {
            return !m_failed && m_claimed < m_released + static_cast<std::int64_t>(m_slots.size());
        };
        const bool free = m_slotFree.wait(lock, stop, room);
        m_statistics.producerWait += secondsBetween(start, m_clock.nowNanoseconds());
        if (!free || stop.stop_requested()) return std::nullopt;
        return m_claimed++;
    }

    // Called with the mutex held. Numbers are claimed in order, so each epoch's order is created and replaced once.
    Order orderFor(std::int64_t n) {
        const auto epoch = n / m_maker.perEpoch();
        if (!m_order || epoch != m_orderEpoch) {
            m_order = m_maker.orderOf(epoch);
            m_orderEpoch = epoch;
        }
        return m_order;
    }

    void produce(const std::stop_token& stop) {
        std::vector<float> scratch;
        std::unique_lock lock(m_mutex);
        while (const auto n = claim(lock, stop)) {
            auto& slot = slotOf(*n);
            std::int64_t start = 0;
            const auto made = guarded(m_maker.name(), [&] {
                const auto order = orderFor(*n);
                lock.unlock();
                start = m_clock.nowNanoseconds();
                return m_maker.make(*n, *order, slot.batch, scratch);
            });
            if (!lock.owns_lock()) {
                const auto spent = secondsBetween(start, m_clock.nowNanoseconds());
                lock.lock();
                m_statistics.producing += spent;
            }
            if (made) {
                slot.ready = *n;
                m_statistics.samplesProduced += slot.batch.samples;
            } else {
                slot.error = made.error();
                m_failed = true;
            }
            m_batchReady.notify_all();
        }
    }

    BatchMaker m_maker;
    const Clock& m_clock;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_slotFree;
    std::condition_variable_any m_batchReady;
    std::vector<Slot> m_slots;
    std::int64_t m_claimed = 0;   // next number to produce
    std::int64_t m_released = 0;  // number of released batches
    bool m_holding = false;       // the consumer holds batch m_released
    bool m_failed = false;        // no further batch is started
    Order m_order;
    std::int64_t m_orderEpoch = 0;
    std::optional<std::int64_t> m_started;
    PipelineStatistics m_statistics;

    std::vector<std::jthread> m_threads;  // last: joined before other members are destroyed
};

Result<void> check(const Dataset& dataset, const PipelineOptions& options) {
    const auto bad = [](std::string_view what, Message why) {
        return fail(ErrorKind::InvalidArgument, std::string(what), std::move(why));
    };
    const auto& info = dataset.info();
    if (dataset.size() < 1) return bad("data set", messages::noSamples());
    if (dataset.size() > kMostSamples) return bad("data set", messages::tooManySamples());
    if (options.batch < 1) return bad("batch", messages::atLeastOne());
    if (options.dropLast && options.batch > dataset.size()) {
        return bad("batch", messages::batchTooLarge(options.batch, dataset.size()));
    }
    if (options.threads < 0 || options.threads > kMostThreads)
        return bad("threads", messages::between(0, kMostThreads));
    if (options.threads > 0 && (options.ahead < 1 || options.ahead > kMostAhead)) {
        return bad("ahead", messages::between(1, kMostAhead));
    }
    const auto& how = options.augmentation;
    if (!(how.shiftFraction >= 0 && how.shiftFraction < 1)) return bad("shift", messages::inUnitInterval());
    if (how.any() && (info.featureKind != FeatureKind::Values || info.featureShape.size() != 3)) {
        return bad("augmentation", messages::imagesOnly(shapeText(info.featureShape)));
    }
    if (info.carriedBatch && (options.shuffle || options.batch != *info.carriedBatch)) {
        return bad("batch", messages::consecutiveBatches(info.name, *info.carriedBatch));
    }
    return {};
}

}  // namespace

std::optional<double> PipelineStatistics::producibleRate() const {
    if (samplesProduced == 0 || producing.value() <= 0) return std::nullopt;
    return static_cast<double>(samplesProduced) * std::max(producers, 1) / producing.value();
}

std::optional<double> PipelineStatistics::waitFraction() const {
    if (elapsed.value() <= 0) return std::nullopt;
    return std::min(1.0, consumerWait / elapsed);
}

std::optional<bool> PipelineStatistics::pipelineLimits() const {
    const auto waited = waitFraction();
    if (!waited) return std::nullopt;
    return *waited > kWaitingTooMuch;
}

Result<std::unique_ptr<BatchPipeline>> BatchPipeline::create(DatasetPtr dataset, const PipelineOptions& options,
                                                             const Clock& clock) {
    TRY(check(*dataset, options));
    const auto name = dataset->info().name;
    return guarded(name, [&]() -> Result<std::unique_ptr<BatchPipeline>> {
        BatchMaker maker(std::move(dataset), options);
        if (options.threads == 0) return std::make_unique<DirectPipeline>(std::move(maker), clock);
        return std::make_unique<ThreadedPipeline>(std::move(maker), options, clock);
    });
}

}  // namespace steelyard::data
