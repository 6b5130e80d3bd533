// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/bucket_plan.h"

#include <algorithm>
#include <map>

namespace steelyard::compute {
namespace {

struct Ready {
    plan::TensorId gradient = plan::kNoTensor;
    int after = -1;
};

// In order of completion; a tied gradient is complete after its last writer.
std::vector<Ready> readiness(const plan::Plan& plan) {
    std::map<plan::TensorId, int> last;
    for (std::size_t i = 0; i < plan.operations.size(); ++i) {
        const auto& op = plan.operations[i];
        if (op.pass == plan::Pass::Update) continue;
        for (auto id : op.writes())
            if (plan.tensor(id).role == plan::TensorRole::Gradient) last[id] = static_cast<int>(i);
    }
    std::vector<Ready> order;
    for (const auto& [gradient, after] : last) order.push_back({gradient, after});
    std::stable_sort(order.begin(), order.end(), [](const Ready& a, const Ready& b) { return a.after < b.after; });
    return order;
}

std::int64_t aligned(std::int64_t elements, std::int64_t alignment) {
    return (elements + alignment - 1) / alignment * alignment;
}

}  // namespace

std::vector<Bucket> planBuckets(const plan::Plan& plan, const BucketOptions& options) {
    std::vector<Bucket> buckets;
    for (const auto& [gradient, after] : readiness(plan)) {
        const auto elements = aligned(plan.tensor(gradient).elements(), options.alignment);
        const auto enough = buckets.size() <= 1 ? options.first : options.enough;
        if (buckets.empty() || buckets.back().bytes().value() >= enough.value()) buckets.emplace_back();
        auto& bucket = buckets.back();
        bucket.gradients.push_back({gradient, bucket.elements});
        bucket.elements += elements;
        bucket.readyAfter = after;
    }
    return buckets;
}

bool updatesSparsely(const plan::Plan& plan) {
    if (plan.options.mode != plan::Mode::Train) return false;
    return std::any_of(plan.operations.begin(), plan.operations.end(), [](const plan::Operation& op) {
        const auto* embedding = std::get_if<model::Embedding>(&op.layer);
        return embedding != nullptr && embedding->sparseUpdate;
    });
}

}  // namespace steelyard::compute
