// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/parallel/joint_training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/parallel/host_ranks.h"
#include "engine/compute/step_values.h"
#include "engine/core/random.h"
#include "engine/model/resolve.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute::testing {
namespace {

using plan::TensorRole;

template <typename T>
T need(Result<T> result) {
    if (!result) throw std::runtime_error(describe(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

struct Network {
    model::Graph graph;
    model::Optimizer optimizer;
};

Network networkOf(const std::string& name) {
    if (name == "tied" || name == "clipped") {
        model::Optimizer optimizer{.kind = model::OptimizerKind::Momentum, .learningRate = 0.1};
        if (name == "clipped") optimizer.clipNorm = 0.05;
        for (const auto& layer : test::layerCases())
            if (layer.name == "tied_embedding") return {layer.graph(1), optimizer};
        throw std::runtime_error("no layer case tied_embedding");
    }
    const auto workload = need(model::resolveWorkload(name));
    return {need(workload.build()), workload.optimizer};
}

std::shared_ptr<const plan::Plan> planOf(const Network& network, std::int64_t batch) {
    return std::make_shared<const plan::Plan>(
        need(plan::lower(network.graph, {plan::Mode::Train, batch, plan::Precision::Fp32, network.optimizer})));
}

std::vector<float> weightsOf(Executable& executable, const plan::Tensor& tensor) {
    std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
    need(executable.read(tensor.id, values));
    return values;
}

double norm(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - (b.empty() ? 0 : b[i]), 2);
    return std::sqrt(sum);
}

// The samples of the joint batch, and those of the rank, which belong to the same tensor at another batch size.
void writeBatch(Executable& joint, Executable& own, int rank, std::uint64_t seed) {
    for (const auto& tensor : joint.plan().tensors) {
        if (tensor.role != TensorRole::Input && tensor.role != TensorRole::Label) continue;
        const RandomStream random(seed, static_cast<std::uint64_t>(tensor.id));
        const auto count = static_cast<std::size_t>(tensor.elements());
        const auto part = static_cast<std::size_t>(own.plan().tensor(tensor.id).elements());
        const auto first = part * static_cast<std::size_t>(rank);
        if (tensor.type == model::DataType::Int32) {
            const auto limit = static_cast<std::uint32_t>(integerLimit(joint.plan(), tensor.id));
            std::vector<std::int32_t> values(count);
            for (std::size_t i = 0; i < count; ++i)
                values[i] = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(i), limit));
            need(joint.write(tensor.id, values));
            need(own.write(tensor.id, std::span<const std::int32_t>(values).subspan(first, part)));
            continue;
        }
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = random.uniform(static_cast<std::uint32_t>(i)) - 0.5F;
        need(joint.write(tensor.id, values));
        need(own.write(tensor.id, std::span<const float>(values).subspan(first, part)));
    }
}

constexpr std::uint64_t kSeedsOfSet = 1000;  // more than steps

JointTraining trainOn(std::uint64_t dataSet, const std::shared_ptr<HostCommunicator>& ranks, const std::string& network,
                      std::int64_t batchOfRank, int steps) {
    const auto made = networkOf(network);
    const auto alone = makeCpuBackend();
    const auto joint = need(alone->compile(planOf(made, batchOfRank * ranks->size()), {}));
    const auto backend = makeCpuBackend();
    hostRanksOf(*backend)->join(ranks);
    CompileOptions options;
    options.ranks = RankGroup{ranks->rank(), ranks->size(), {}, Bytes(64 << 10)};
    const auto own = need(backend->compile(planOf(made, batchOfRank), options));
    need(writeInitialValues(*joint, 1));
    // Other ranks start with different weights, which rank 0's replace.
    need(writeInitialValues(*own, 1 + static_cast<std::uint64_t>(ranks->rank())));
    std::vector<std::vector<float>> before;
    for (const auto& tensor : joint->plan().tensors)
        if (tensor.role == TensorRole::Weight) before.push_back(weightsOf(*joint, tensor));

    JointTraining result;
    for (int step = 0; step < steps; ++step) {
        writeBatch(*joint, *own, ranks->rank(), dataSet * kSeedsOfSet + static_cast<std::uint64_t>(step));
        const auto whole = need(joint->step({step, 1.0})), part = need(own->step({step, 1.0}));
        result.worstLoss = std::max(result.worstLoss, std::abs(*whole.loss - *part.loss) / std::abs(*whole.loss));
    }
    result.learned = std::numeric_limits<double>::infinity();
    for (const auto& tensor : joint->plan().tensors) {
        if (tensor.role != TensorRole::Weight) continue;
        const auto expected = weightsOf(*joint, tensor), found = weightsOf(*own, tensor);
        const double size = norm(expected, {});
        result.worstParameters = std::max(result.worstParameters, norm(found, expected) / size);
        result.learned =
            std::min(result.learned, norm(expected, before[static_cast<std::size_t>(result.parameters)]) / size);
        ++result.parameters;
    }
    return result;
}

}  // namespace

JointTraining trainTogether(const std::shared_ptr<HostCommunicator>& ranks, const std::string& network,
                            std::int64_t batchOfRank, int steps) {
    constexpr std::uint64_t kDataSets = 3;
    auto best = trainOn(0, ranks, network, batchOfRank, steps);
    for (std::uint64_t set = 1; set < kDataSets; ++set) {
        const auto other = trainOn(set, ranks, network, batchOfRank, steps);
        if (other.worstParameters < best.worstParameters) best = other;
    }
    return best;
}

}  // namespace steelyard::compute::testing
