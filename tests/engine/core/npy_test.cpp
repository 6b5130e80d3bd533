// SPDX-License-Identifier: Apache-2.0
#include "engine/core/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace steelyard {
namespace {

// A version 1 file with a header as written by NumPy, padded to a multiple of 64.
std::string npyFile(std::string header, std::string_view data) {
    header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01");
    file += {'\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    return file + header + std::string(data);
}

std::string dictionary(std::string_view type, std::string_view shape, std::string_view fortran = "False") {
    return "{'descr': '" + std::string(type) + "', 'fortran_order': " + std::string(fortran) +
           ", 'shape': " + std::string(shape) + ", }";
}

std::string messageOfRefused(std::string_view bytes) {
    const auto array = readNpy(bytes, "a.npy");
    EXPECT_FALSE(array);
    if (array) return {};
    EXPECT_EQ(array.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(array.error().subject, "a.npy");
    EXPECT_TRUE(array.error().offset.has_value());
    return array.error().detail.text;
}

TEST(Npy, ReadsWhatNumpyWrites) {
    using namespace std::string_view_literals;
    const auto file =
        npyFile(dictionary("<f4", "(2, 3)"), "\0\0\x80\x3f\0\0\0\xc0\0\0\0\x3f\0\0\0\0\0\0\x40\x40\0\0\x80\x7f"sv);
    const auto array = readNpy(file, "a.npy");
    ASSERT_TRUE(array) << describe(array.error());
    EXPECT_EQ(array->type, "<f4");
    EXPECT_EQ(array->shape, (std::vector<std::int64_t>{2, 3}));
    const auto infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(array->values, (std::vector<double>{1, -2, 0.5, 0, 3, infinite}));
    EXPECT_EQ(npyBytes("<f4", array->shape, array->values), file);
    // A scalar, one dimension, and an array whose order makes no difference.
    EXPECT_TRUE(readNpy(npyFile(dictionary("|b1", "()"), "\x01"), "a.npy")->shape.empty());
    EXPECT_EQ(readNpy(npyFile(dictionary("<i2", "(1,)"), "\xfe\xff"), "a.npy")->values.front(), -2);
    EXPECT_TRUE(readNpy(npyFile(dictionary("|u1", "(1, 2, 1)", "True"), "ab"), "a.npy"));
    EXPECT_TRUE(readNpy(npyFile(dictionary("<f8", "(0, 4)"), ""), "a.npy")->values.empty());
}

TEST(Npy, EveryTypeIsReadBackAsWritten) {
    const std::vector<std::int64_t> shape{5};
    for (const auto* type : {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"}) {
        const bool isBool = type[1] == 'b', isUnsigned = type[1] == 'u';
        const std::vector<double> values =
            isBool ? std::vector<double>{0, 1, 1, 0, 1} : std::vector<double>{0, 1, isUnsigned ? 3.0 : -3.0, 100, 127};
        const auto array = readNpy(npyBytes(type, shape, values), "a.npy");
        ASSERT_TRUE(array) << type << describe(array.error());
        EXPECT_EQ(array->type, type);
        EXPECT_EQ(array->values, values) << type;
    }
    // Beyond the range of a type: saturation.
    const std::vector<double> extremes{-1e30, 1e30, 2.5, std::nan(""), -0.4};
    const auto stored = [&](const char* type) { return readNpy(npyBytes(type, shape, extremes), "a.npy")->values; };
    EXPECT_EQ(stored("|i1"), (std::vector<double>{-128, 127, 2, 0, 0}));
    EXPECT_EQ(stored("|u1"), (std::vector<double>{0, 255, 2, 0, 0}));
    EXPECT_EQ(stored("<i8"), (std::vector<double>{-0x1p63, 0x1p63, 2, 0, 0}));
}

TEST(Npy, RefusesHostileFiles) {
    const auto good = npyBytes("<f4", {2, 2}, std::vector<double>{1, 2, 3, 4});
    for (std::size_t length = 0; length < good.size(); ++length) (void)messageOfRefused(good.substr(0, length));
    EXPECT_NE(messageOfRefused(good + "x").find("17 bytes"), std::string::npos);
    EXPECT_NE(messageOfRefused("PK\x03\x04").find("not a NumPy array"), std::string::npos);
    const auto refused = [&](std::string_view type, std::string_view shape, std::string_view fortran = "False") {
        return messageOfRefused(npyFile(dictionary(type, shape, fortran), std::string(16, '\0')));
    };
    EXPECT_NE(refused("|O", "(2,)").find("type |O"), std::string::npos);
    EXPECT_NE(refused(">f4", "(2, 2)").find("type >f4"), std::string::npos);
    EXPECT_NE(refused("<f4", "(2, 2)", "True").find("ascontiguousarray"), std::string::npos);
    EXPECT_NE(refused("<f4", "(4294967296, 4294967296)").find("counted"), std::string::npos);
    EXPECT_NE(refused("<f4", "(4611686018427387904, 4)").find("counted"), std::string::npos);
    EXPECT_NE(refused("<f4", "(1152921504606846976,)").find("16 bytes"), std::string::npos);
    for (const auto* shape : {"(2 2)", "(-1,)", "(4", "4", "(99999999999999999999,)", "(4)", "(,)"})
        EXPECT_NE(refused("<f4", shape).find("plain numbers"), std::string::npos) << shape;
    std::string many = "(";
    for (int i = 0; i < 100; ++i) many += "1, ";
    EXPECT_NE(refused("<f4", many + ")").find("plain numbers"), std::string::npos);
    auto version = good;
    version[6] = 4;
    EXPECT_NE(messageOfRefused(version).find("version 4"), std::string::npos);
    auto length = good;
    length[6] = 2;  // the length then has four bytes, two of which are the dictionary's
    EXPECT_NE(messageOfRefused(length).find("header has"), std::string::npos);
}

}  // namespace
}  // namespace steelyard
