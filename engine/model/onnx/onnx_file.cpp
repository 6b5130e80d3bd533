// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/onnx_file.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <limits>

// A field with an unexpected wire type is a defect of the file. The library only asserts, which would abort the
// program, or in a release build continue reading.
namespace steelyard::model::onnx {
struct WrongWireType {};
}  // namespace steelyard::model::onnx
#define protozero_assert(holds) ((holds) ? void() : throw ::steelyard::model::onnx::WrongWireType())
#include <protozero/pbf_reader.hpp>

#include "engine/core/half.h"
#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

constexpr int kMostNodes = 100'000;
constexpr int kMostInitializers = 100'000;
constexpr std::size_t kMostRank = 8;
constexpr int kMostDepth = 8;
constexpr std::size_t kMostName = 1024;
constexpr std::size_t kMostListed = 1'000'000;  // elements per attribute
constexpr std::int64_t kMostElements = std::int64_t{1} << 44;

struct Refusal {
    Message reason;
    std::int64_t offset = 0;
};

// Reads messages by field number; a failure is a Refusal, thrown and caught in this file.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_begin(bytes.data()), m_place(bytes), m_size(bytes.size()) {}

    void readModel(File& file) {
        auto message = begin(m_place);
        bool hasGraph = false;
        while (message.next()) {
            switch (message.tag()) {
                case 1:
                    file.irVersion = message.get_int64();
                    break;
                case 2:
                    file.producer = name(message.get_view());
                    break;
                case 7:
                    if (hasGraph) refuse(messages::twoGraphs());
                    hasGraph = true;
                    readGraph(message.get_view(), file.graph, 0);
                    break;
                case 8:
                    readOpset(message.get_view(), file);
                    break;
                default:
                    message.skip();
            }
        }
        if (!hasGraph) refuse(messages::noGraph());
    }

    Tensor readTensor(std::string_view bytes) {
        const Place place(*this, bytes);
        auto message = begin(bytes);
        Tensor tensor;
        std::int64_t location = 0;
        while (message.next()) {
            switch (message.tag()) {
                case 1:
                    wholes(message, [&](std::int64_t v) { addDimension(tensor, v); });
                    break;
                case 2:
                    tensor.type = static_cast<ElementType>(message.get_int32());
                    break;
                case 4:
                    readFixed<float>(message, tensor);
                    break;
                case 5:
                case 7:
                case 11:
                    wholes(message, [&](std::int64_t v) { addValue(tensor, static_cast<double>(v)); });
                    break;
                case 8:
                    tensor.name = name(message.get_view());
                    break;
                case 9:
                    tensor.raw = view(message.get_view());
                    tensor.isRaw = true;
                    break;
                case 10:
                    readFixed<double>(message, tensor);
                    break;
                case 13:
                    readEntry(message.get_view(), tensor);
                    break;
                case 14:
                    location = message.get_int32();
                    break;
                default:
                    message.skip();
            }
        }
        if ((location == 1) == tensor.location.empty()) refuse(messages::noLocation());
        checkTensor(tensor);
        return tensor;
    }

    [[nodiscard]] std::int64_t offset() const { return m_place.data() - m_begin; }

private:
    using Message = protozero::pbf_reader;

    // Records the location for errors.
    class Place {
    public:
        Place(Reader& reader, std::string_view bytes) : m_reader(reader), m_before(reader.m_place) {
            reader.m_place = bytes;
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() {
            // The innermost location is kept.
            if (std::uncaught_exceptions() == 0) m_reader.m_place = m_before;
        }

    private:
        Reader& m_reader;
        std::string_view m_before;
    };

    [[noreturn]] void refuse(steelyard::Message reason) const { throw Refusal{std::move(reason), offset()}; }
    static std::string_view view(protozero::data_view bytes) { return {bytes.data(), bytes.size()}; }
    static Message begin(std::string_view bytes) { return Message(bytes.data(), bytes.size()); }
    [[nodiscard]] std::string name(protozero::data_view bytes) const {
        if (bytes.size() > kMostName) refuse(messages::nameTooLong(bytes.size()));
        return {bytes.data(), bytes.size()};
    }

    // An integer field, optionally packed.
    template <class Take>
    void wholes(Message& message, const Take& take) {
        if (message.wire_type() != protozero::pbf_wire_type::length_delimited) return take(message.get_int64());
        for (const auto value : message.get_packed_int64()) take(value);
    }

    void addDimension(Tensor& tensor, std::int64_t extent) const {
        if (tensor.shape.size() == kMostRank) refuse(messages::tensorRank(kMostRank));
        if (extent < 0) refuse(messages::negativeDimension());
        tensor.shape.push_back(extent);
    }
    void addValue(Tensor& tensor, double value) const {
        if (tensor.values.size() >= m_size) refuse(messages::moreElementsThanBytes());
        tensor.values.push_back(value);
    }
    // float_data, double_data: a single packed field is not copied.
    template <class T>
    void readFixed(Message& message, Tensor& tensor) {
        if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
            const auto bytes = view(message.get_view());
            if (tensor.raw.empty() && tensor.values.empty() && bytes.size() % sizeof(T) == 0) {
                tensor.raw = bytes;
                return;
            }
            refuse(messages::splitTypedData());
        }
        if constexpr (sizeof(T) == 4)
            addValue(tensor, static_cast<double>(message.get_float()));
        else
            addValue(tensor, message.get_double());
    }

    void readEntry(protozero::data_view bytes, Tensor& tensor) {
        auto message = begin(view(bytes));
        std::string key, value;
        while (message.next()) {
            if (message.tag() == 1) {
                key = name(message.get_view());
            } else if (message.tag() == 2) {
                value = name(message.get_view());
            } else {
                message.skip();
            }
        }
        const auto number = [&] {
            std::int64_t result = 0;
            if (value.empty() || value.size() > 18 || value.find_first_not_of("0123456789") != std::string::npos)
                refuse(messages::externalDataEntry(key, value));
            for (char c : value) result = result * 10 + (c - '0');
            return result;
        };
        if (key == "location") tensor.location = value;
        if (key == "offset") tensor.offset = number();
        if (key == "length") tensor.length = number();
    }

    void checkTensor(const Tensor& tensor) const {
        std::int64_t count = 1;
        for (auto extent : tensor.shape)
            if (__builtin_mul_overflow(count, extent, &count) || count > kMostElements)
                refuse(messages::tooManyElements(tensor.name));
        const auto width = bytesOf(tensor.type);
        if (!tensor.location.empty() || width == 0) return;
        if (tensor.isRaw || !tensor.raw.empty()) {
            if (static_cast<std::int64_t>(tensor.raw.size()) != count * width)
                refuse(messages::byteCount(tensor.name, tensor.raw.size(), count * width));
        } else if (static_cast<std::int64_t>(tensor.values.size()) != count) {
            refuse(messages::elementCount(tensor.name, tensor.values.size(), count));
        }
    }

    void readOpset(protozero::data_view bytes, File& file) {
        auto message = begin(view(bytes));
        std::string domain;
        std::int64_t version = 0;
        while (message.next()) {
            if (message.tag() == 1) {
                domain = name(message.get_view());
            } else if (message.tag() == 2) {
                version = message.get_int64();
            } else {
                message.skip();
            }
        }
        if (file.opsets.size() > 1000) refuse(messages::tooManyOpsets());
        file.opsets[domain == "ai.onnx" ? "" : domain] = version;
    }

    void readGraph(protozero::data_view data, Graph& graph, int depth) {
        const auto bytes = view(data);
        const Place place(*this, bytes);
        if (depth > kMostDepth) refuse(messages::nestedTooDeep(kMostDepth));
        auto message = begin(bytes);
        while (message.next()) {
            switch (message.tag()) {
                case 1:
                    if (++m_nodes > kMostNodes) refuse(messages::tooManyNodes(kMostNodes));
                    graph.nodes.push_back(readNode(message.get_view(), depth));
                    break;
                case 2:
                    graph.name = name(message.get_view());
                    break;
                case 5:
                    if (++m_initializers > kMostInitializers) refuse(messages::tooManyInitializers(kMostInitializers));
                    graph.initializers.push_back(readTensor(view(message.get_view())));
                    break;
                case 11:
                case 12: {
                    auto& list = message.tag() == 11 ? graph.inputs : graph.outputs;
                    if (list.size() > 200'000) refuse(messages::tooManyInputs());
                    list.push_back(readValueInfo(message.get_view()));
                    break;
                }
                case 15:
                    refuse(messages::sparseInitializers());
                    break;
                default:
                    message.skip();
            }
        }
    }

    Node readNode(protozero::data_view data, int depth) {
        const auto bytes = view(data);
        const Place place(*this, bytes);
        auto message = begin(bytes);
        Node node;
        while (message.next()) {
            switch (message.tag()) {
                case 1:
                    node.inputs.push_back(name(message.get_view()));
                    break;
                case 2:
                    node.outputs.push_back(name(message.get_view()));
                    break;
                case 3:
                    node.name = name(message.get_view());
                    break;
                case 4:
                    node.kind = name(message.get_view());
                    break;
                case 5:
                    node.attributes.push_back(readAttribute(message.get_view(), depth));
                    break;
                case 7:
                    node.domain = name(message.get_view());
                    break;
                default:
                    message.skip();
            }
        }
        if (node.domain == "ai.onnx") node.domain.clear();
        if (node.inputs.size() + node.outputs.size() + node.attributes.size() > 100'000)
            refuse(messages::nodeTooLarge());
        return node;
    }

    Attribute readAttribute(protozero::data_view data, int depth) {
        const auto bytes = view(data);
        const Place place(*this, bytes);
        auto message = begin(bytes);
        Attribute attribute;
        while (message.next()) {
            switch (message.tag()) {
                case 1:
                    attribute.name = name(message.get_view());
                    break;
                case 2:
                    attribute.real = message.get_float();
                    break;
                case 3:
                    attribute.whole = message.get_int64();
                    break;
                case 4:
                    attribute.text = std::string(view(message.get_view()).substr(0, kMostName));
                    break;
                case 5:
                    attribute.tensor = readTensor(view(message.get_view()));
                    break;
                case 6: {
                    auto graph = std::make_shared<Graph>();
                    readGraph(message.get_view(), *graph, depth + 1);
                    attribute.graph = std::move(graph);
                    break;
                }
                case 7:
                    if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
                        for (const auto value : message.get_packed_float()) add(attribute.reals, value);
                    } else {
                        add(attribute.reals, message.get_float());
                    }
                    break;
                case 8:
                    wholes(message, [&](std::int64_t v) { add(attribute.wholes, v); });
                    break;
                case 9:
                    add(attribute.texts, std::string(view(message.get_view()).substr(0, kMostName)));
                    break;
                case 20:
                    attribute.type = message.get_int32();
                    break;
                default:
                    message.skip();
            }
        }
        return attribute;
    }
    template <class T>
    void add(std::vector<T>& list, T value) const {
        if (list.size() >= kMostListed) refuse(messages::attributeTooLong());
        list.push_back(std::move(value));
    }

    ValueInfo readValueInfo(protozero::data_view data) {
        const auto bytes = view(data);
        const Place place(*this, bytes);
        auto message = begin(bytes);
        ValueInfo info;
        while (message.next()) {
            if (message.tag() == 1) {
                info.name = name(message.get_view());
            } else if (message.tag() == 2) {
                auto type = begin(view(message.get_view()));
                while (type.next()) {
                    if (type.tag() == 1) {
                        info.isTensor = true;
                        readTensorType(type.get_view(), info);
                    } else {
                        type.skip();
                    }
                }
            } else {
                message.skip();
            }
        }
        return info;
    }

    void readTensorType(protozero::data_view bytes, ValueInfo& info) {
        auto message = begin(view(bytes));
        while (message.next()) {
            if (message.tag() == 1) {
                info.type = static_cast<ElementType>(message.get_int32());
            } else if (message.tag() == 2) {
                info.hasShape = true;
                auto shape = begin(view(message.get_view()));
                while (shape.next()) {
                    if (shape.tag() == 1) {
                        readDimension(shape.get_view(), info);
                    } else {
                        shape.skip();
                    }
                }
            } else {
                message.skip();
            }
        }
    }

    void readDimension(protozero::data_view bytes, ValueInfo& info) {
        if (info.dims.size() == kMostRank) refuse(messages::valueRank(info.name, kMostRank));
        info.dims.push_back(-1);
        info.symbols.emplace_back();
        auto message = begin(view(bytes));
        while (message.next()) {
            if (message.tag() == 1) {
                const auto extent = message.get_int64();
                info.dims.back() = extent > 0 ? extent : -1;  // 0 and -1 are written for "unknown"
            } else if (message.tag() == 2) {
                info.symbols.back() = name(message.get_view());
            } else {
                message.skip();
            }
        }
    }

    const char* m_begin;
    std::string_view m_place;
    std::size_t m_size;  // total bytes
    int m_nodes = 0, m_initializers = 0;
};

Failure corrupt(const std::string& subject, Message reason, std::int64_t offset) {
    return Failure(Error{ErrorKind::CorruptData, subject, std::move(reason), offset, {}, {}});
}

template <class Read>
Result<void> guarded(Reader& reader, const std::string& subject, const Read& read) {
    try {
        read();
        return {};
    } catch (const Refusal& refusal) {
        return corrupt(subject, refusal.reason, refusal.offset);
    } catch (const WrongWireType&) {
        return corrupt(subject, messages::wrongFieldType(), reader.offset());
    } catch (const protozero::exception& error) {
        return corrupt(subject, messages::truncated(error.what()), reader.offset());
    }
}

Result<std::shared_ptr<File>> parsed(std::string_view bytes, const std::string& path) {
    auto file = std::make_shared<File>();
    file->path = path;
    if (bytes.empty()) return corrupt(path, messages::emptyFile(), 0);
    Reader reader(bytes);
    TRY(guarded(reader, path, [&] { reader.readModel(*file); }));
    return file;
}

template <class T>
T loaded(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

double element(ElementType type, const char* from) {
    switch (type) {
        case ElementType::Float:
            return static_cast<double>(loaded<float>(from));
        case ElementType::Double:
            return loaded<double>(from);
        case ElementType::Float16:
            return static_cast<double>(fromHalf(loaded<std::uint16_t>(from)));
        case ElementType::BFloat16:
            return static_cast<double>(std::bit_cast<float>(std::uint32_t{loaded<std::uint16_t>(from)} << 16));
        case ElementType::Uint8:
            return loaded<std::uint8_t>(from);
        case ElementType::Int8:
            return loaded<std::int8_t>(from);
        case ElementType::Bool:
            return loaded<std::uint8_t>(from) != 0 ? 1 : 0;
        case ElementType::Uint16:
            return loaded<std::uint16_t>(from);
        case ElementType::Int16:
            return loaded<std::int16_t>(from);
        case ElementType::Uint32:
            return loaded<std::uint32_t>(from);
        case ElementType::Int32:
            return loaded<std::int32_t>(from);
        case ElementType::Uint64:
            return static_cast<double>(loaded<std::uint64_t>(from));
        case ElementType::Int64:
            return static_cast<double>(loaded<std::int64_t>(from));
        default:
            return 0;
    }
}

// An element of a typed field: halves are stored as bits.
double typedElement(ElementType type, double value) {
    if (type == ElementType::Float16) return static_cast<double>(fromHalf(static_cast<std::uint16_t>(value)));
    if (type == ElementType::BFloat16)
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16));
    return value;
}

// Calls take(index, value) for each element.
template <class Take>
Result<void> forElements(const Tensor& tensor, const std::string& path, const Take& take) {
    const auto width = bytesOf(tensor.type);
    if (width == 0) return fail(ErrorKind::Unsupported, tensor.name, messages::tensorType(toString(tensor.type)));
    std::int64_t count = 1;
    for (auto extent : tensor.shape) count *= extent;
    std::shared_ptr<const MappedFile> external;
    auto bytes = tensor.raw;
    if (!tensor.location.empty()) {
        const auto folder = std::filesystem::path(path).parent_path().string();
        ASSIGN(external, MappedFile::openBeneath(folder, tensor.location));
        const auto all = external->bytes();
        const auto needed = static_cast<std::uint64_t>(count * width);
        const auto from = static_cast<std::uint64_t>(tensor.offset);
        if (from > all.size() || needed > all.size() - from ||
            (tensor.length >= 0 && static_cast<std::uint64_t>(tensor.length) != needed))
            return corrupt(tensor.location, messages::externalDataTooShort(tensor.name, needed), tensor.offset);
        bytes = all.substr(from, needed);
    } else if (!tensor.values.empty()) {
        for (std::size_t i = 0; i < tensor.values.size(); ++i) take(i, typedElement(tensor.type, tensor.values[i]));
        return {};
    }
    for (std::int64_t i = 0; i < count; ++i)
        take(static_cast<std::size_t>(i), element(tensor.type, bytes.data() + i * width));
    return {};
}

}  // namespace

std::string_view toString(ElementType type) {
    constexpr std::array<std::string_view, 17> names{
        "undefined", "float32", "uint8",   "int8",   "uint16", "int16",     "int32",      "int64",   "string",
        "bool",      "float16", "float64", "uint32", "uint64", "complex64", "complex128", "bfloat16"};
    const auto index = static_cast<std::size_t>(type);
    return index < names.size() ? names[index] : "unknown";
}

bool isFloating(ElementType type) {
    return type == ElementType::Float || type == ElementType::Float16 || type == ElementType::Double ||
           type == ElementType::BFloat16;
}

std::int64_t bytesOf(ElementType type) {
    switch (type) {
        case ElementType::Uint8:
        case ElementType::Int8:
        case ElementType::Bool:
            return 1;
        case ElementType::Uint16:
        case ElementType::Int16:
        case ElementType::Float16:
        case ElementType::BFloat16:
            return 2;
        case ElementType::Float:
        case ElementType::Int32:
        case ElementType::Uint32:
            return 4;
        case ElementType::Int64:
        case ElementType::Uint64:
        case ElementType::Double:
            return 8;
        default:
            return 0;
    }
}

const Attribute* Node::find(std::string_view attribute) const {
    for (const auto& candidate : attributes)
        if (candidate.name == attribute) return &candidate;
    return nullptr;
}

Result<std::shared_ptr<const File>> readBytes(std::string_view bytes, const std::string& path) {
    ASSIGN(auto file, parsed(bytes, path));
    return std::shared_ptr<const File>(std::move(file));
}

Result<std::shared_ptr<const File>> readFile(const std::string& path) {
    ASSIGN(auto mapping, MappedFile::open(path));
    ASSIGN(auto file, parsed(mapping->bytes(), path));
    file->mapping = std::move(mapping);
    return std::shared_ptr<const File>(std::move(file));
}

Result<Tensor> readTensorBytes(std::string_view bytes, const std::string& subject) {
    Reader reader(bytes);
    Tensor tensor;
    TRY(guarded(reader, subject, [&] { tensor = reader.readTensor(bytes); }));
    return tensor;
}

Result<std::vector<double>> tensorValues(const Tensor& tensor, const std::string& path) {
    std::vector<double> values;
    std::int64_t count = 1;
    for (auto extent : tensor.shape) count *= extent;
    if (tensor.location.empty()) values.reserve(static_cast<std::size_t>(count));
    TRY(forElements(tensor, path, [&](std::size_t /*index*/, double value) { values.push_back(value); }));
    return values;
}

Result<void> readTensor(const Tensor& tensor, const std::string& path, std::span<float> values) {
    return forElements(tensor, path, [&](std::size_t index, double value) {
        if (index < values.size()) values[index] = static_cast<float>(value);
    });
}

}  // namespace steelyard::model::onnx
