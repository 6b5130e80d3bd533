// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/jpeg_image.h"

#include <fmt/format.h>
#include <jerror.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
// jpeglib.h needs size_t and FILE declared before it.
#include <jpeglib.h>

#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

// Huffman codes have at least one bit, and every 8 x 8 block at the sparsest sampling (4:1 in both directions, for two
// components) needs one: no intact image has more pixels per byte.
constexpr std::int64_t kMostPixelsPerByte = 1024;

// libjpeg reports errors through a function that must not return; it jumps back to the guarded function that made the
// call. Between setjmp and longjmp there are only C frames and plain values, so that no destructor is skipped. The
// decoder and everything with a destructor live in the caller of the guarded functions.
struct Decoder {
    jpeg_decompress_struct info{};  // first member: callbacks receive a pointer to it
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf back{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    bool damaged = false;  // a warning that indicates damage; its text is in `message`
    bool created = false;
    int mostScans = 0;
    bool tooManyScans = false;

    ~Decoder() {
        if (created) jpeg_destroy_decompress(&info);
    }
};

Decoder& decoderOf(j_common_ptr info) {
    return *reinterpret_cast<Decoder*>(info);
}

[[noreturn]] void onError(j_common_ptr info) {
    auto& decoder = decoderOf(info);
    if (!decoder.damaged) info->err->format_message(info, decoder.message.data());
    std::longjmp(decoder.back, 1);
}

// Level -1 is a warning. Warnings about missing or undecodable data indicate damage; others (unusual header fields,
// stray bytes between segments) occur in intact photographs.
void onMessage(j_common_ptr info, int level) {
    if (level >= 0) return;
    switch (info->err->msg_code) {
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_JPEG_EOF:
        case JWRN_MUST_RESYNC: {
            auto& decoder = decoderOf(info);
            if (!decoder.damaged) info->err->format_message(info, decoder.message.data());
            decoder.damaged = true;
            std::longjmp(decoder.back, 1);
        }
        default:
            break;
    }
}

void onProgress(j_common_ptr info) {
    auto& decoder = decoderOf(info);
    if (decoder.info.input_scan_number <= decoder.mostScans) return;
    decoder.tooManyScans = true;
    std::longjmp(decoder.back, 1);
}

// Guarded: false after an error; the reason is in decoder.message, or decoder.tooManyScans is set.
bool readHeader(Decoder& decoder, const std::uint8_t* bytes, std::size_t count) {
    if (setjmp(decoder.back) != 0) return false;
    jpeg_create_decompress(&decoder.info);
    decoder.created = true;
    decoder.info.progress = &decoder.progress;
    jpeg_mem_src(&decoder.info, bytes, static_cast<unsigned long>(count));
    jpeg_read_header(&decoder.info, TRUE);
    return true;
}

// Guarded.
bool startDecoding(Decoder& decoder) {
    if (setjmp(decoder.back) != 0) return false;
    const bool fourInks = decoder.info.jpeg_color_space == JCS_CMYK || decoder.info.jpeg_color_space == JCS_YCCK;
    decoder.info.out_color_space = fourInks ? JCS_CMYK : JCS_RGB;
    return jpeg_start_decompress(&decoder.info) != FALSE;
}

// Guarded.
bool readRows(Decoder& decoder, std::uint8_t* pixels, std::size_t rowBytes) {
    if (setjmp(decoder.back) != 0) return false;
    while (decoder.info.output_scanline < decoder.info.output_height) {
        JSAMPROW row = pixels + decoder.info.output_scanline * rowBytes;
        jpeg_read_scanlines(&decoder.info, &row, 1);
    }
    return jpeg_finish_decompress(&decoder.info) != FALSE;
}

Failure damagedAt(const Decoder& decoder, std::size_t count, const std::string& file) {
    const auto* source = decoder.created ? decoder.info.src : nullptr;
    // At the end of the data libjpeg inserts an end marker: the error position is then the end of the file.
    const auto left = source != nullptr && !(decoder.info.err->msg_code == JWRN_JPEG_EOF) ? source->bytes_in_buffer : 0;
    return corrupt(file, static_cast<std::int64_t>(count - std::min(left, count)),
                   decoder.tooManyScans ? messages::tooManyScans(decoder.mostScans) : Message(decoder.message.data()));
}

Result<void> checkSize(const Decoder& decoder, std::size_t bytes, const std::string& file, const JpegLimits& limits) {
    const std::int64_t width = decoder.info.image_width;
    const std::int64_t height = decoder.info.image_height;
    const auto most = std::min(limits.pixels, kMostPixelsPerByte * static_cast<std::int64_t>(bytes));
    if (width > limits.side || height > limits.side || width * height > most) {
        return corrupt(file, 0, messages::pixelsInBytes(width, height, bytes));
    }
    if (decoder.info.arith_code != FALSE) return fail(ErrorKind::Unsupported, file, messages::arithmeticCoding());
    return {};
}

// Adobe stores inverted ink values: 255 is no ink.
void inksToRgb(const std::vector<std::uint8_t>& inks, std::vector<std::uint8_t>& rgb) {
    rgb.resize(inks.size() / 4 * 3);
    for (std::size_t i = 0; i < inks.size() / 4; ++i) {
        const unsigned black = inks[4 * i + 3];
        for (std::size_t c = 0; c < 3; ++c) {
            rgb[3 * i + c] = static_cast<std::uint8_t>((inks[4 * i + c] * black + 127) / 255);
        }
    }
}

// Position of a resized coordinate between two source pixels.
struct Between {
    std::int64_t low = 0, high = 0;
    float share = 0;  // weight of `high`
};

std::vector<Between> places(std::int64_t from, std::int64_t to) {
    std::vector<Between> result(static_cast<std::size_t>(to));
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    for (std::int64_t i = 0; i < to; ++i) {
        const double x = std::clamp((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0, static_cast<double>(from - 1));
        const auto low = static_cast<std::int64_t>(x);
        result[static_cast<std::size_t>(i)] = {low, std::min(low + 1, from - 1),
                                               static_cast<float>(x - static_cast<double>(low))};
    }
    return result;
}

}  // namespace

Result<RgbImage> decodeJpeg(ByteView bytes, const std::string& file, const JpegLimits& limits) {
    if (bytes.empty()) return corrupt(file, 0, messages::emptyFile());
    Decoder decoder;
    decoder.info.err = jpeg_std_error(&decoder.errors);
    decoder.errors.error_exit = onError;
    decoder.errors.emit_message = onMessage;
    decoder.progress.progress_monitor = onProgress;
    decoder.mostScans = limits.scans;
    if (!readHeader(decoder, bytes.data(), bytes.size())) return damagedAt(decoder, bytes.size(), file);
    TRY(checkSize(decoder, bytes.size(), file, limits));
    if (!startDecoding(decoder)) return damagedAt(decoder, bytes.size(), file);

    RgbImage image{decoder.info.output_width, decoder.info.output_height, {}};
    const auto rowBytes =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(decoder.info.output_components);
    image.pixels.resize(rowBytes * static_cast<std::size_t>(image.height));
    if (!readRows(decoder, image.pixels.data(), rowBytes)) return damagedAt(decoder, bytes.size(), file);
    if (decoder.info.output_components == 4) {
        const auto inks = std::move(image.pixels);
        inksToRgb(inks, image.pixels);
    }
    return image;
}

void resizeBilinear(const RgbImage& image, std::int64_t height, std::int64_t width, std::span<float> planes) {
    const auto columns = places(image.width, width);
    const auto rows = places(image.height, height);
    const auto plane = static_cast<std::size_t>(height * width);
    std::size_t out = 0;
    for (const auto& y : rows) {
        const auto* upper = image.pixels.data() + y.low * image.width * 3;
        const auto* lower = image.pixels.data() + y.high * image.width * 3;
        for (const auto& x : columns) {
            for (int c = 0; c < 3; ++c) {
                const auto mix = [&](const std::uint8_t* row) {
                    const float left = row[3 * x.low + c];
                    return left + (static_cast<float>(row[3 * x.high + c]) - left) * x.share;
                };
                const float top = mix(upper);
                planes[static_cast<std::size_t>(c) * plane + out] = (top + (mix(lower) - top) * y.share) / 255.0F;
            }
            ++out;
        }
    }
}

}  // namespace steelyard::data
