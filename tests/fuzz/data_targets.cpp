// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/data_targets.h"

#include <algorithm>
#include <string>

#include "engine/core/npy.h"
#include "engine/data/files/zip_archive.h"
#include "engine/data/formats/cifar10.h"
#include "engine/data/formats/idx.h"
#include "engine/data/formats/imdb.h"
#include "engine/data/formats/jpeg_image.h"
#include "engine/data/formats/npy.h"
#include "engine/data/formats/pickled_lists.h"
#include "engine/data/formats/tfrecord.h"
#include "engine/data/text/text.h"
#include "tests/fuzz/promises.h"
#include "tests/support/data_files.h"

namespace steelyard::test {
namespace {

using data::ByteView;
using Seeds = std::vector<FileBytes>;

constexpr const char* kName = "input";

// Damage is reported with a position; the only other error permitted for arbitrary bytes is "not supported".
template <typename T>
bool checked(const Result<T>& result, std::int64_t size, std::int64_t base = 0) {
    if (result) return true;
    const auto& error = result.error();
    require(error.subject == kName, "the error names the file");
    require(!error.detail.text.empty(), "the error says what is wrong");
    if (error.kind == ErrorKind::Unsupported) return false;
    require(error.kind == ErrorKind::CorruptData, "the error is about damage");
    require(error.offset.has_value(), "the error has an offset");
    require(*error.offset >= base && *error.offset <= base + size, "the offset is in the file");
    return false;
}

std::int64_t sizeOf(ByteView bytes) {
    return static_cast<std::int64_t>(bytes.size());
}

void runIdx(ByteView bytes) {
    for (const int dimensions : {1, 3}) {
        const auto idx = readIdx(*data::streamOf(data::viewBytes(kName, bytes)), dimensions);
        if (!checked(idx, sizeOf(bytes))) continue;
        std::int64_t total = 1;
        for (const auto size : idx->dimensions) total *= size;
        require(static_cast<std::int64_t>(idx->bytes.size()) == total, "as many values as the dimensions say");
        require(idx->headerBytes + total == sizeOf(bytes), "the whole file was read");
    }
}

void runIdxGzip(ByteView bytes) {
    for (const int dimensions : {1, 3}) {
        const auto idx = readIdx(*data::gunzipStream(data::viewBytes(kName, bytes)), dimensions);
        // Offsets after decompression may lie beyond the compressed file, by the largest ratio of deflate.
        if (!checked(idx, 1032 * sizeOf(bytes))) continue;
        require(sizeOf(idx->bytes) <= 1032 * sizeOf(bytes), "no more than can be compressed");
    }
}

void runCifar(ByteView bytes) {
    data::CifarRecords records;
    const auto done = data::appendCifarRecords(*data::viewBytes(kName, bytes), records);
    if (!checked(done, sizeOf(bytes))) return;
    require(records.labels.size() * 3073 == bytes.size(), "every record was read");
    require(*std::max_element(records.labels.begin(), records.labels.end()) < 10, "labels are 0 to 9");
}

void runText(ByteView bytes) {
    const auto text = data::decodeUtf8(bytes, kName);
    const auto words = data::splitWords(bytes, kName);
    const auto review = data::tokeniseReview(bytes, kName);
    require(text.has_value() == words.has_value() && text.has_value() == review.has_value(), "one opinion on UTF-8");
    if (!checked(text, sizeOf(bytes))) return;
    const auto again = data::decodeUtf8(bytesOf(data::encodeUtf8(*text)), kName);
    // A second byte-order mark would be interpreted as one.
    require(text->starts_with(U'\ufeff') || (again && *again == *text), "encoding inverts decoding");
    const auto ranks = data::rankWords(*words, 10);
    require(ranks.size() <= 10 && ranks.contains(data::kUnknownWord), "a bounded vocabulary with <unk>");
    const auto windows = data::CharacterText::create(*text, {.window = 4, .step = 3}, kName);
    if (!windows) return;
    std::vector<std::int32_t> ids(4);
    std::int32_t label = 0;
    require((*windows)->readSample((*windows)->size() - 1, {{}, ids, {&label, 1}}).has_value(),
            "the last window is readable");
}

void runZip(ByteView bytes) {
    constexpr std::int64_t kLimit = 1 << 20;
    const auto source = data::viewBytes(kName, bytes);
    const auto archive = data::ZipArchive::open(*source, kLimit);
    if (!archive) return;
    const auto content = archive->read("x_train.npy", kLimit);
    if (content) require(sizeOf(*content) <= kLimit, "the limit");
    (void)data::readImdbNpz(*source).has_value();
}

void runNpy(ByteView bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto array = readNpy(text, kName);
    if (checked(array, sizeOf(bytes))) {
        require(array->values.size() <= bytes.size(), "no number out of nothing");
        const auto again = readNpy(npyBytes(array->type, array->shape, array->values), kName);
        require(again && again->shape == array->shape && again->values.size() == array->values.size(),
                "writing inverts reading");
    }
    const auto numbers = data::readNpyIntegers(bytes, kName);
    (void)checked(numbers, sizeOf(bytes));
    const auto lists = data::readNpyLists(bytes, kName);
    if (checked(lists, sizeOf(bytes))) require(lists->tokens.size() <= bytes.size(), "no number out of nothing");
}

void runPickle(ByteView bytes) {
    const auto lists = data::readPickledLists(bytes, kName, 7);
    if (!checked(lists, sizeOf(bytes), 7)) return;
    require(lists->tokens.size() <= bytes.size(), "no number out of nothing");
    require(lists->starts.back() == static_cast<std::int64_t>(lists->tokens.size()), "the lists cover the numbers");
}

void runJpeg(ByteView bytes) {
    const auto image = data::decodeJpeg(bytes, kName, {.side = 4096, .pixels = 1 << 18, .scans = 10});
    if (!checked(image, sizeOf(bytes))) return;
    require(image->width > 0 && image->height > 0, "a picture has a size");
    require(static_cast<std::int64_t>(image->pixels.size()) == image->width * image->height * 3, "RGB");
    std::vector<float> planes(3 * 7 * 5);
    data::resizeBilinear(*image, 7, 5, planes);
    for (const float value : planes) require(value >= 0 && value <= 1, "values are in [0, 1]");
}

void runRecords(ByteView bytes) {
    const auto source = data::viewBytes(kName, bytes);
    const auto places = data::indexRecords(*source);
    if (!checked(places, sizeOf(bytes))) return;
    for (const auto& place : *places) {
        const auto record = data::readRecord(*source, place);
        if (!checked(record, sizeOf(bytes))) continue;
        (void)checked(data::parseImageExample(*record, kName, place.offset), sizeOf(*record), place.offset);
    }
}

void runExample(ByteView bytes) {
    const auto example = data::parseImageExample(bytes, kName, 1000);
    if (!checked(example, sizeOf(bytes), 1000)) return;
    const auto picture = example->encoded;
    require(picture.empty() ||
                (picture.data() >= bytes.data() && picture.data() + picture.size() <= bytes.data() + bytes.size()),
            "the picture is a part of the record");
}

FileBytes someValues() {
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
}

Seeds idxSeeds() {
    return {idxFile({2, 3, 4}, someValues()), idxFile({7}, someValues())};
}
Seeds idxGzipSeeds() {
    return {gzipFile(idxFile({2, 3, 4}, someValues())), gzipFile(idxFile({700}, someValues()))};
}
Seeds cifarSeeds() {
    return {cifarFile(1), cifarFile(2)};
}
Seeds textSeeds() {
    return {bytesOf("the cat sat\non the <unk> mat\r\n"),
            bytesOf("\xef\xbb\xbf"
                    "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80, it's <br />!")};
}
Seeds npySeeds() {
    const auto floats = npyBytes("<f2", {2, 3}, std::vector<double>{1, -2, 0.5, 0, 3, 1e9});
    return {npyIntegers({1, -2, 3}), npyLists({{1, 2, 3}, {}, {70000}}), bytesOf(floats)};
}
Seeds zipSeeds() {
    const std::vector<std::pair<std::string, FileBytes>> entries{{"x_train.npy", npyLists({{1}, {2, 3}})},
                                                                 {"y_train.npy", npyIntegers({0, 1})},
                                                                 {"x_test.npy", npyLists({{4}})},
                                                                 {"y_test.npy", npyIntegers({1})}};
    return {zipFile(entries, false), zipFile(entries, true)};
}
Seeds pickleSeeds() {
    const auto npy = npyLists({{1, 2, 3}, {}, {70000}});
    return {{npy.begin() + 128, npy.end()},
            bytesOf("N](](K\x01"
                    "ee\x85"
                    "b.")};
}
Seeds jpegSeeds() {
    return {anyJpeg(24, 16), anyJpeg(9, 9, {.grey = true}), anyJpeg(17, 20, {.progressive = true}),
            anyJpeg(8, 8, {.cmyk = true})};
}
Seeds exampleSeeds() {
    return {exampleRecord("image/encoded", bytesOf("picture"), "image/class/label", 300),
            exampleRecord("image", bytesOf("picture"), "class", 1)};
}
Seeds recordSeeds() {
    return {recordFile(exampleSeeds()), recordFile({bytesOf(""), bytesOf("x")})};
}

constexpr FuzzTarget kTargets[]{
    {"idx", runIdx, idxSeeds},
    {"idx_gzip", runIdxGzip, idxGzipSeeds},
    {"cifar10", runCifar, cifarSeeds},
    {"text", runText, textSeeds},
    {"zip", runZip, zipSeeds},
    {"npy", runNpy, npySeeds},
    {"pickle", runPickle, pickleSeeds},
    {"jpeg", runJpeg, jpegSeeds},
    {"records", runRecords, recordSeeds},
    {"example", runExample, exampleSeeds},
};

}  // namespace

std::span<const FuzzTarget> dataTargets() {
    return kTargets;
}

}  // namespace steelyard::test
