// SPDX-License-Identifier: Apache-2.0
// Valid files of every format read by engine/data, created in memory: input for reader tests, which damage them, and
// seeds for the fuzzers. Written from the formats' specifications, independent of the readers' code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace steelyard::test {

using FileBytes = std::vector<std::uint8_t>;

[[nodiscard]] FileBytes bytesOf(std::string_view text);
void writeBytes(const std::filesystem::path& file, const FileBytes& bytes);

// Unsigned bytes, e.g. {2, 28, 28}; values repeat if there are fewer.
[[nodiscard]] FileBytes idxFile(const std::vector<std::uint32_t>& dimensions, const FileBytes& values);
[[nodiscard]] FileBytes gzipFile(const FileBytes& content);

// Records with label i mod 10 and pixel k of record i equal to (i + k) mod 256.
[[nodiscard]] FileBytes cifarFile(int records);

struct JpegSettings {
    int quality = 90;
    bool progressive = false;
    bool grey = false;
    bool cmyk = false;  // "pixels" are then inks
};
// `pixels` is height x width x 3 (grey: 1, cmyk: 4).
[[nodiscard]] FileBytes jpegFile(int width, int height, const FileBytes& pixels, const JpegSettings& settings = {});
// A smooth image, for tests in which the content is irrelevant.
[[nodiscard]] FileBytes anyJpeg(int width, int height, const JpegSettings& settings = {});

[[nodiscard]] FileBytes recordFile(const std::vector<FileBytes>& records);
// A tf.train.Example with the bytes feature `imageKey`, the integer feature `labelKey`, and one more float feature.
[[nodiscard]] FileBytes exampleRecord(std::string_view imageKey, const FileBytes& image, std::string_view labelKey,
                                      std::int64_t label);

[[nodiscard]] FileBytes zipFile(const std::vector<std::pair<std::string, FileBytes>>& entries, bool deflate);
[[nodiscard]] FileBytes npyIntegers(const std::vector<std::int64_t>& values);
// An object array of lists, pickled with protocol 2 as NumPy does.
[[nodiscard]] FileBytes npyLists(const std::vector<std::vector<int>>& lists);

}  // namespace steelyard::test
