// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/simulated_ranks.h"

#include "engine/compute/parallel/rendezvous.h"

namespace steelyard::compute::cuda::test {
namespace {

constexpr double kSecondsOfExchange = 20e-6;

class SimulatedCommunicator final : public Communicator {
public:
    explicit SimulatedCommunicator(std::shared_ptr<Communicator> inner) : m_inner(std::move(inner)) {}
    int rank() const override { return m_inner->rank(); }
    int size() const override { return m_inner->size(); }
    void abort() override { m_inner->abort(); }

    Result<void> average(float* values, std::int64_t count, void* stream) override {
        auto& runtime = runtimeOf(stream);
        runtime.requireDevice(values, count * 4, "what is averaged");
        return runtime.enqueue("average", kSecondsOfExchange, stream, [&runtime, inner = m_inner, values, count] {
            if (const auto ok = inner->average(values, count, nullptr); !ok) runtime.breakDown(ok.error());
        });
    }
    Result<void> broadcast(void* bytes, std::int64_t count, int root, void* stream) override {
        auto& runtime = runtimeOf(stream);
        runtime.requireDevice(bytes, count, "what is broadcast");
        return runtime.enqueue("broadcast", kSecondsOfExchange, stream,
                               [&runtime, inner = m_inner, bytes, count, root] {
                                   if (const auto ok = inner->broadcast(bytes, count, root, nullptr); !ok)
                                       runtime.breakDown(ok.error());
                               });
    }

private:
    std::shared_ptr<Communicator> m_inner;
};

}  // namespace

std::function<Result<std::shared_ptr<Communicator>>(const RankGroup&)> meetBy(const NcclTable& table) {
    return [table](const RankGroup& group) -> Result<std::shared_ptr<Communicator>> {
        auto met = initCommunicator(table, group);
        if (!met) return Failure(met.error());
        return std::make_shared<SimulatedCommunicator>(std::move(*met));
    };
}

}  // namespace steelyard::compute::cuda::test
