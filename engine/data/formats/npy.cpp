// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/npy.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/core/npy.h"
#include "engine/data/files/little_endian.h"
#include "engine/data/formats/pickled_lists.h"

namespace steelyard::data {
namespace {

struct IntegerType {
    std::string_view name;
    std::int64_t bytes;
};

std::int64_t integerAt(ByteView bytes, std::size_t at, std::int64_t width) {
    switch (width) {
        case 8:
            return static_cast<std::int64_t>(little64(bytes, at));
        case 4:
            return static_cast<std::int32_t>(little32(bytes, at));
        default:
            return bytes[at];
    }
}

Result<NpyHeader> readOneDimension(ByteView bytes, const std::string& file) {
    ASSIGN(auto header, readNpyHeader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file));
    if (header.shape.size() != 1) return corrupt(file, 10, messages::notOneDimension());
    return header;
}

}  // namespace

Result<std::vector<std::int64_t>> readNpyIntegers(ByteView bytes, const std::string& file) {
    ASSIGN(const auto header, readOneDimension(bytes, file));
    constexpr IntegerType kTypes[]{{"<i8", 8}, {"<i4", 4}, {"|u1", 1}, {"|b1", 1}};
    const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                    [&](const IntegerType& candidate) { return candidate.name == header.type; });
    if (type == std::end(kTypes)) return corrupt(file, 10, messages::notWholeNumbers(header.type));
    const auto available = static_cast<std::int64_t>(bytes.size()) - header.dataOffset;
    const auto length = header.shape.front();
    if (available % type->bytes != 0 || length != available / type->bytes) {
        return corrupt(file, header.dataOffset, messages::tooFewBytes(available, length));
    }
    std::vector<std::int64_t> values(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<std::size_t>(header.dataOffset) + i * static_cast<std::size_t>(type->bytes);
        values[i] = integerAt(bytes, at, type->bytes);
    }
    return values;
}

Result<TokenLists> readNpyLists(ByteView bytes, const std::string& file) {
    ASSIGN(const auto header, readOneDimension(bytes, file));
    if (header.type != "|O") return corrupt(file, 10, messages::notLists(header.type));
    auto lists = readPickledLists(bytes.subspan(static_cast<std::size_t>(header.dataOffset)), file, header.dataOffset);
    if (lists && lists->size() != header.shape.front()) {
        return corrupt(file, header.dataOffset, messages::listCount(lists->size(), header.shape.front()));
    }
    return lists;
}

}  // namespace steelyard::data
