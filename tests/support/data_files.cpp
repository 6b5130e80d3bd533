// SPDX-License-Identifier: Apache-2.0
#include "tests/support/data_files.h"

#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
// jpeglib.h needs size_t and FILE declared before it.
#include <jpeglib.h>

namespace steelyard::test {
namespace {

// Little-endian, at most 8 bytes.
void put(FileBytes& bytes, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put(FileBytes& bytes, std::string_view text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
}

void put(FileBytes& bytes, const FileBytes& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

// zlib's windowBits select the container: 31 gzip, -15 none.
FileBytes deflated(const FileBytes& content, int windowBits) {
    z_stream z{};
    if (deflateInit2(&z, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("zlib");
    FileBytes out(deflateBound(&z, static_cast<uLong>(content.size())) + 32);
    z.next_in = const_cast<Bytef*>(content.data());
    z.avail_in = static_cast<uInt>(content.size());
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    const int status = deflate(&z, Z_FINISH);
    out.resize(out.size() - z.avail_out);
    deflateEnd(&z);
    if (status != Z_STREAM_END) throw std::runtime_error("zlib");
    return out;
}

// Bit by bit, by definition: the reader's version uses tables.
std::uint32_t slowCrc32c(const FileBytes& bytes) {
    std::uint32_t crc = ~0U;
    for (const auto byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0U);
    }
    return ~crc;
}

std::uint32_t masked(std::uint32_t crc) {
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

// A length-delimited field of the protocol-buffer wire format.
FileBytes field(int number, const FileBytes& content) {
    FileBytes bytes{static_cast<std::uint8_t>(number << 3 | 2)};
    auto length = content.size();
    for (; length >= 0x80; length >>= 7) bytes.push_back(static_cast<std::uint8_t>(length | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(length));
    put(bytes, content);
    return bytes;
}

FileBytes featureEntry(std::string_view key, const FileBytes& feature) {
    auto entry = field(1, bytesOf(key));
    put(entry, field(2, feature));
    return field(1, entry);
}

FileBytes npyHeader(std::string_view type, std::size_t length) {
    std::string text =
        "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" + std::to_string(length) + ",), }";
    text.append(128 - 10 - 1 - text.size(), ' ');
    text.push_back('\n');
    auto bytes = bytesOf("\x93NUMPY");
    put(bytes, 0x0001, 2);
    put(bytes, text.size(), 2);
    put(bytes, text);
    return bytes;
}

}  // namespace

FileBytes bytesOf(std::string_view text) {
    return {text.begin(), text.end()};
}

void writeBytes(const std::filesystem::path& file, const FileBytes& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream) throw std::runtime_error("cannot write " + file.string());
}

FileBytes idxFile(const std::vector<std::uint32_t>& dimensions, const FileBytes& values) {
    FileBytes bytes{0, 0, 8, static_cast<std::uint8_t>(dimensions.size())};
    std::size_t total = 1;
    for (const auto size : dimensions) {
        for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(size >> shift));
        total *= size;
    }
    for (std::size_t i = 0; i < total; ++i) bytes.push_back(values[i % values.size()]);
    return bytes;
}

FileBytes gzipFile(const FileBytes& content) {
    return deflated(content, 31);
}

FileBytes cifarFile(int records) {
    FileBytes bytes;
    for (int i = 0; i < records; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(i % 10));
        for (int k = 0; k < 3072; ++k) bytes.push_back(static_cast<std::uint8_t>(i + k));
    }
    return bytes;
}

FileBytes jpegFile(int width, int height, const FileBytes& pixels, const JpegSettings& settings) {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);  // an error ends the test program: these are the test's images
    jpeg_create_compress(&info);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &data, &size);
    info.image_width = static_cast<JDIMENSION>(width);
    info.image_height = static_cast<JDIMENSION>(height);
    info.input_components = settings.grey ? 1 : settings.cmyk ? 4 : 3;
    info.in_color_space = settings.grey ? JCS_GRAYSCALE : settings.cmyk ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, settings.quality, TRUE);
    if (settings.progressive) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    const auto rowBytes = static_cast<std::size_t>(width * info.input_components);
    while (info.next_scanline < info.image_height) {
        auto* row = const_cast<JSAMPROW>(pixels.data() + info.next_scanline * rowBytes);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    FileBytes bytes(data, data + size);
    std::free(data);
    return bytes;
}

FileBytes anyJpeg(int width, int height, const JpegSettings& settings) {
    const int channels = settings.grey ? 1 : settings.cmyk ? 4 : 3;
    FileBytes pixels;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                pixels.push_back(static_cast<std::uint8_t>((x * 255 / width + y * 128 / height + 60 * c) % 256));
            }
        }
    }
    return jpegFile(width, height, pixels, settings);
}

FileBytes recordFile(const std::vector<FileBytes>& records) {
    FileBytes bytes;
    for (const auto& record : records) {
        FileBytes length;
        put(length, record.size(), 8);
        put(bytes, length);
        put(bytes, masked(slowCrc32c(length)), 4);
        put(bytes, record);
        put(bytes, masked(slowCrc32c(record)), 4);
    }
    return bytes;
}

FileBytes exampleRecord(std::string_view imageKey, const FileBytes& image, std::string_view labelKey,
                        std::int64_t label) {
    FileBytes packed;
    auto rest = static_cast<std::uint64_t>(label);
    for (; rest >= 0x80; rest >>= 7) packed.push_back(static_cast<std::uint8_t>(rest | 0x80));
    packed.push_back(static_cast<std::uint8_t>(rest));
    auto features = featureEntry("image/aspect", field(2, field(1, {0, 0, 0x80, 0x3f})));
    put(features, featureEntry(imageKey, field(1, field(1, image))));
    put(features, featureEntry(labelKey, field(3, field(1, packed))));
    return field(1, features);
}

FileBytes zipFile(const std::vector<std::pair<std::string, FileBytes>>& entries, bool deflate) {
    FileBytes bytes;
    FileBytes directory;
    for (const auto& [name, content] : entries) {
        const auto offset = bytes.size();
        const auto packed = deflate ? deflated(content, -15) : content;
        FileBytes facts;  // common to both headers: version, flags, method, time, date, checksum, sizes, name length
        put(facts, 20, 2);
        put(facts, 0, 2);
        put(facts, deflate ? 8 : 0, 2);
        put(facts, 0, 4);
        put(facts, crc32_z(0, content.data(), content.size()), 4);
        put(facts, packed.size(), 4);
        put(facts, content.size(), 4);
        put(facts, name.size(), 2);
        put(facts, 0, 2);  // extra field
        put(bytes, 0x04034b50, 4);
        put(bytes, facts);
        put(bytes, name);
        put(bytes, packed);
        put(directory, 0x02014b50, 4);
        put(directory, 20, 2);
        put(directory, facts);
        put(directory, 0, 6);  // comment, disk, attributes
        put(directory, 0, 4);
        put(directory, offset, 4);
        put(directory, name);
    }
    const auto start = bytes.size();
    put(bytes, directory);
    put(bytes, 0x06054b50, 4);
    put(bytes, 0, 4);
    put(bytes, entries.size(), 2);
    put(bytes, entries.size(), 2);
    put(bytes, directory.size(), 4);
    put(bytes, start, 4);
    put(bytes, 0, 2);
    return bytes;
}

FileBytes npyIntegers(const std::vector<std::int64_t>& values) {
    auto bytes = npyHeader("<i8", values.size());
    for (const auto value : values) put(bytes, static_cast<std::uint64_t>(value), 8);
    return bytes;
}

FileBytes npyLists(const std::vector<std::vector<int>>& lists) {
    using namespace std::string_view_literals;
    auto bytes = npyHeader("|O", lists.size());
    put(bytes, "\x80\x02"sv);
    put(bytes, "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85"sv);
    put(bytes,
        "c_codecs\nencode\nX\x01\x00\x00\x00"
        "bX\x06\x00\x00\x00latin1\x86R\x87R"sv);
    put(bytes, "(K\x01J"sv);
    put(bytes, lists.size(), 4);
    put(bytes,
        "\x85"
        "cnumpy\ndtype\nX\x02\x00\x00\x00O8\x89\x88\x87R"sv);
    put(bytes, "(K\x03X\x01\x00\x00\x00|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ftb\x89]("sv);
    for (const auto& list : lists) {
        put(bytes, "]("sv);
        for (const auto number : list) {
            put(bytes, "J"sv);
            put(bytes, static_cast<std::uint32_t>(number), 4);
        }
        put(bytes, "e"sv);
    }
    put(bytes, "etb."sv);
    return bytes;
}

}  // namespace steelyard::test
