// SPDX-License-Identifier: Apache-2.0
// gunzipStream() of byte_source.h.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/data/files/byte_source.h"

#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

constexpr int kGzipWindow = 16 + MAX_WBITS;  // zlib: 16 selects the gzip format

class GunzipStream final : public ByteStream {
public:
    explicit GunzipStream(ByteSourcePtr source) : m_source(std::move(source)) {}
    ~GunzipStream() override {
        if (m_ready) inflateEnd(&m_z);
    }

    Result<std::size_t> read(std::span<std::uint8_t> target) override {
        std::size_t total = 0;
        while (total < target.size() && !m_ended) {
            const auto got = inflateSome(target.subspan(total));
            if (!got) return got;
            total += *got;
        }
        return total;
    }
    const std::string& name() const override { return m_source->name(); }

private:
    [[nodiscard]] std::int64_t position() const { return m_filled - static_cast<std::int64_t>(m_z.avail_in); }

    Result<void> refill() {
        if (m_z.avail_in > 0) return {};
        const auto count = std::min(m_source->size() - m_filled, static_cast<std::int64_t>(m_buffer.size()));
        const auto part = std::span(m_buffer).first(static_cast<std::size_t>(count));
        if (auto done = m_source->read(m_filled, part); !done) return done;
        m_filled += count;
        m_z.next_in = m_buffer.data();
        m_z.avail_in = static_cast<uInt>(count);
        return {};
    }

    Result<std::size_t> inflateSome(std::span<std::uint8_t> target) {
        if (!m_ready) {
            if (inflateInit2(&m_z, kGzipWindow) != Z_OK) return fail(ErrorKind::OutOfMemory, name(), Message("zlib"));
            m_ready = true;
        }
        TRY(refill());
        if (m_z.avail_in == 0) {
            if (m_betweenMembers) {
                m_ended = true;
                return std::size_t{0};
            }
            return corrupt(name(), position(), messages::compressedEndsEarly());
        }
        if (m_betweenMembers) {
            inflateReset(&m_z);
            m_betweenMembers = false;
        }
        const auto room = static_cast<uInt>(std::min<std::size_t>(target.size(), std::numeric_limits<uInt>::max()));
        m_z.next_out = target.data();
        m_z.avail_out = room;
        const int status = ::inflate(&m_z, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            m_betweenMembers = true;  // another member may follow
        } else if (status == Z_MEM_ERROR) {
            return fail(ErrorKind::OutOfMemory, name(), Message("zlib"));
        } else if (status != Z_OK) {
            return corrupt(name(), position(), m_z.msg != nullptr ? Message(m_z.msg) : messages::compressedDamaged());
        }
        return static_cast<std::size_t>(room - m_z.avail_out);
    }

    ByteSourcePtr m_source;
    z_stream m_z{};
    std::array<std::uint8_t, 1 << 16> m_buffer;
    std::int64_t m_filled = 0;  // bytes taken from the source
    bool m_ready = false;
    bool m_betweenMembers = false;
    bool m_ended = false;
};

}  // namespace

std::unique_ptr<ByteStream> gunzipStream(ByteSourcePtr source) {
    return std::make_unique<GunzipStream>(std::move(source));
}

}  // namespace steelyard::data
