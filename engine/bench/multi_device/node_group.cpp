// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/node_group.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

using compute::HostGroup;

// Shared, since the communicator's thread may still write after a timed-out wait.
struct Texts {
    std::string own;
    std::vector<std::string> all;
};

Result<void> gather(HostGroup& group, Texts& texts) {
    const auto size = static_cast<std::size_t>(group.size());
    const auto length = static_cast<std::int64_t>(texts.own.size());
    std::vector<std::int64_t> lengths(size);
    TRY(group.gather(&length, sizeof length, lengths.data()));
    const auto longest = static_cast<std::size_t>(*std::max_element(lengths.begin(), lengths.end()));
    auto padded = texts.own;
    padded.resize(longest);
    std::string together(longest * size, '\0');
    if (longest > 0) TRY(group.gather(padded.data(), static_cast<std::int64_t>(longest), together.data()));
    for (std::size_t rank = 0; rank < size; ++rank)
        texts.all.push_back(together.substr(rank * longest, static_cast<std::size_t>(lengths[rank])));
    return {};
}

}  // namespace

Result<std::vector<std::string>> gatherTexts(compute::HostCommunicator& ranks, const std::string& own) {
    const auto texts = std::make_shared<Texts>(Texts{own, {}});
    TRY(ranks.run([texts](HostGroup& group) { return gather(group, *texts); }));
    return std::move(texts->all);
}

Result<std::string> broadcastText(compute::HostCommunicator& ranks, const std::string& own) {
    const auto text = std::make_shared<std::string>(own);
    const auto spread = [text](HostGroup& group) -> Result<void> {
        auto length = static_cast<std::int64_t>(text->size());
        TRY(group.broadcast(&length, sizeof length, 0));
        text->resize(static_cast<std::size_t>(length));
        return length > 0 ? group.broadcast(text->data(), length, 0) : Result<void>();
    };
    TRY(ranks.run(spread));
    return std::move(*text);
}

Result<void> allReady(compute::HostCommunicator& ranks, const Result<void>& own) {
    ASSIGN(const auto reasons, gatherTexts(ranks, own ? std::string() : describe(own.error())));
    if (!own) return own;
    for (const auto& reason : reasons)
        if (!reason.empty()) return fail(ErrorKind::Internal, {}, messages::otherNodeFailed(Message(reason)));
    return {};
}

}  // namespace steelyard::bench
