// SPDX-License-Identifier: Apache-2.0
// Parser for the tf.train.Example of tfrecord.h, in the protocol-buffer wire format:
//   Example { Features features = 1; }   Features { map<string, Feature> feature = 1; }
//   Feature { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3; }   each list: value = 1.
#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "engine/data/formats/tfrecord.h"

#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

// Iterates over the fields of one message. Stops at the first error and records its offset.
class ProtoMessage {
public:
    ProtoMessage(ByteView bytes, std::int64_t offset) : m_bytes(bytes), m_offset(offset) {}

    // Advances to the next field; false at the end or after an error.
    bool next() {
        if (m_damage || m_position == m_bytes.size()) return false;
        const auto key = varint();
        field = key >> 3;
        switch (key & 7) {
            case 0:
                number = varint();
                break;
            case 1:
                skip(8);
                break;
            case 2:
                payload = skip(varint());
                break;
            case 5:
                skip(4);
                break;
            default:
                damage(messages::unknownWireType());
        }
        isNumber = (key & 7) == 0;
        isPayload = (key & 7) == 2;
        return !m_damage;
    }
    // The payload of this field as a nested message.
    [[nodiscard]] ProtoMessage inner() const {
        return {payload, m_offset + static_cast<std::int64_t>(m_position - payload.size())};
    }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (m_position == m_bytes.size()) break;
            const auto byte = m_bytes[m_position++];
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if (byte < 0x80) return value;
        }
        damage(messages::badVarint());
        return 0;
    }
    [[nodiscard]] bool atEnd() const { return m_position == m_bytes.size(); }

    struct Damage {
        std::int64_t offset = 0;
        Message what;
    };
    [[nodiscard]] const std::optional<Damage>& damaged() const { return m_damage; }

    std::uint64_t field = 0;
    std::uint64_t number = 0;  // isNumber
    ByteView payload;          // isPayload
    bool isNumber = false;
    bool isPayload = false;

private:
    ByteView skip(std::uint64_t count) {
        if (count > m_bytes.size() - m_position) {
            damage(messages::fieldOutside());
            return {};
        }
        const auto part = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
        m_position += static_cast<std::size_t>(count);
        return part;
    }
    void damage(Message what) {
        if (!m_damage) m_damage = Damage{m_offset + static_cast<std::int64_t>(m_position), std::move(what)};
    }

    ByteView m_bytes;
    std::int64_t m_offset;
    std::size_t m_position = 0;
    std::optional<Damage> m_damage;
};

struct Feature {
    std::optional<ByteView> bytes;
    std::optional<std::int64_t> number;
};

// Collects the wanted fields and the first error.
class ExampleReader {
public:
    void readExample(ProtoMessage example) {
        while (example.next()) {
            if (example.field == 1 && example.isPayload) readFeatures(example.inner());
        }
        note(example);
    }
    std::optional<ProtoMessage::Damage> damage;
    std::optional<ByteView> encoded, image;
    std::optional<std::int64_t> classLabel, classNumber, label;

private:
    void note(const ProtoMessage& message) {
        if (!damage && message.damaged()) damage = *message.damaged();
    }
    void readFeatures(ProtoMessage features) {
        while (features.next()) {
            if (features.field == 1 && features.isPayload) readEntry(features.inner());
        }
        note(features);
    }
    void readEntry(ProtoMessage entry) {
        std::string_view key;
        Feature feature;
        while (entry.next()) {
            if (!entry.isPayload) continue;
            if (entry.field == 1) key = {reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size()};
            if (entry.field == 2) feature = readFeature(entry.inner());
        }
        note(entry);
        if (key == "image/encoded") encoded = feature.bytes;
        if (key == "image") image = feature.bytes;
        if (key == "image/class/label") classLabel = feature.number;
        if (key == "class") classNumber = feature.number;
        if (key == "label") label = feature.number;
    }
    Feature readFeature(ProtoMessage message) {
        Feature feature;
        while (message.next()) {
            if (!message.isPayload) continue;
            if (message.field == 1) feature.bytes = firstBytes(message.inner());
            if (message.field == 3) feature.number = firstNumber(message.inner());
        }
        note(message);
        return feature;
    }
    std::optional<ByteView> firstBytes(ProtoMessage list) {
        std::optional<ByteView> first;
        while (list.next()) {
            if (!first && list.field == 1 && list.isPayload) first = list.payload;
        }
        note(list);
        return first;
    }
    std::optional<std::int64_t> firstNumber(ProtoMessage list) {
        std::optional<std::int64_t> first;
        while (list.next()) {
            if (first || list.field != 1) continue;
            if (list.isNumber) first = static_cast<std::int64_t>(list.number);
            if (list.isPayload && !list.payload.empty()) {  // packed
                auto packed = list.inner();
                first = static_cast<std::int64_t>(packed.varint());
                note(packed);
            }
        }
        note(list);
        return first;
    }
};

}  // namespace

Result<ImageExample> parseImageExample(ByteView record, const std::string& file, std::int64_t offset) {
    ExampleReader reader;
    reader.readExample(ProtoMessage(record, offset));
    if (reader.damage) return corrupt(file, reader.damage->offset, reader.damage->what);
    const auto image = reader.encoded ? reader.encoded : reader.image;
    if (!image) return corrupt(file, offset, messages::noImageField());
    const auto label = reader.classLabel ? reader.classLabel : reader.classNumber ? reader.classNumber : reader.label;
    if (!label) return corrupt(file, offset, messages::noLabelField());
    return ImageExample{*image, *label};
}

}  // namespace steelyard::data
