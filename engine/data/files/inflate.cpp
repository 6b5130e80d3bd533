// SPDX-License-Identifier: Apache-2.0
// The parts of byte_source.h that need zlib.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/data/files/byte_source.h"

namespace steelyard::data {
namespace {

constexpr int kGzipWindow = 16 + MAX_WBITS;  // zlib: 16 asks for the gzip format
constexpr int kRawWindow = -MAX_WBITS;       // negative: no header
// Deflate cannot expand by more than this (a 258-byte match in two bits); zlib's technical notes.
constexpr std::int64_t kMostExpansion = 1032;

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
            if (inflateInit2(&m_z, kGzipWindow) != Z_OK) return fail(ErrorKind::OutOfMemory, name(), "zlib");
            m_ready = true;
        }
        TRY(refill());
        if (m_z.avail_in == 0) {
            if (m_betweenMembers) {
                m_ended = true;
                return std::size_t{0};
            }
            return corrupt(name(), position(), "the compressed data end early");
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
            return fail(ErrorKind::OutOfMemory, name(), "zlib");
        } else if (status != Z_OK) {
            return corrupt(name(), position(), m_z.msg != nullptr ? m_z.msg : "the compressed data are damaged");
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

Result<std::vector<std::uint8_t>> inflateExactly(ByteView compressed, std::int64_t size, const std::string& file,
                                                 std::int64_t offset) {
    const auto input = static_cast<std::int64_t>(compressed.size());
    constexpr std::int64_t kMost = std::numeric_limits<uInt>::max();
    if (size < 0 || size > kMost || input > kMost || size > kMostExpansion * input) {
        return corrupt(file, offset, fmt::format("{} bytes cannot come from {} compressed ones", size, input));
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    std::uint8_t nothing = 0;  // zlib wants a place to write to even for an empty entry
    z_stream z{};
    if (inflateInit2(&z, kRawWindow) != Z_OK) return fail(ErrorKind::OutOfMemory, file, "zlib");
    z.next_in = const_cast<Bytef*>(compressed.data());  // zlib's interface; it does not write there
    z.avail_in = static_cast<uInt>(input);
    z.next_out = bytes.empty() ? &nothing : bytes.data();
    z.avail_out = static_cast<uInt>(size);
    const int status = ::inflate(&z, Z_FINISH);
    const auto used = input - static_cast<std::int64_t>(z.avail_in);
    const bool whole = status == Z_STREAM_END && z.avail_out == 0;
    const std::string problem = z.msg != nullptr ? z.msg : "the compressed data do not have the stated length";
    inflateEnd(&z);
    if (!whole) return corrupt(file, offset + used, problem);
    return bytes;
}

}  // namespace steelyard::data
