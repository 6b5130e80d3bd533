// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/gguf_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "engine/core/file_io.h"
#include "engine/core/messages/core.h"
#include "engine/core/messages/model.h"
#include "engine/core/text.h"

namespace steelyard::model {
namespace {

// Published files have at most a few thousand tensors and pairs; vocabularies have about 262,144 entries.
constexpr std::uint64_t kMostTensors = 1 << 20, kMostPairs = 1 << 16, kMostWords = 1 << 26;
constexpr std::uint64_t kLongestName = 1 << 16, kLongestText = 1 << 26, kKeptText = 1 << 12, kKeptNumbers = 1 << 16;
constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 30;
constexpr int kDeepestArray = 4;

enum class Kind : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };

std::size_t widthOf(Kind kind) {
    switch (kind) {
        case Kind::U8:
        case Kind::I8:
        case Kind::Bool:
            return 1;
        case Kind::U16:
        case Kind::I16:
            return 2;
        case Kind::U32:
        case Kind::I32:
        case Kind::F32:
            return 4;
        case Kind::U64:
        case Kind::I64:
        case Kind::F64:
            return 8;
        case Kind::String:
        case Kind::Array:
            break;
    }
    return 0;
}

// Forward reader of the header; after the first error all reads return zero.
class Cursor {
public:
    Cursor(const std::string& name, std::uint64_t size, const GgufSource& source)
        : m_name(name), m_size(size), m_source(source) {}

    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] Error takeError() { return std::move(*m_error); }
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] std::uint64_t left() const { return m_size - m_position; }
    [[nodiscard]] std::uint64_t size() const { return m_size; }

    void refuse(Message why, ErrorKind kind = ErrorKind::CorruptData) {
        if (m_error) return;
        m_error = Error{kind, m_name, std::move(why), static_cast<std::int64_t>(m_position), {}, {}};
    }

    template <typename T>
    T number() {
        std::array<char, sizeof(T)> bytes{};
        take(bytes);
        static_assert(std::endian::native == std::endian::little);
        return failed() ? T{} : std::bit_cast<T>(bytes);
    }

    void skip(std::uint64_t count) {
        if (failed()) return;
        if (count > left()) return refuse(messages::endsEarly());
        m_position += count;
        if (m_position > kLongestHeader) refuse(messages::headerTooLong());
    }

    // A length-prefixed string. Strings longer than `kept` are skipped and returned empty.
    std::string text(std::uint64_t longest, std::uint64_t kept) {
        const auto length = number<std::uint64_t>();
        if (failed()) return {};
        if (length > left()) return refuse(messages::endsEarly()), std::string();
        if (length > longest) return refuse(messages::textTooLong(length)), std::string();
        if (length > kept) return skip(length), std::string();
        std::string value(length, '\0');
        take(value);
        return failed() ? std::string() : toUtf8(value);
    }

private:
    void take(std::span<char> target) {
        if (failed()) return;
        if (target.size() > left()) return refuse(messages::endsEarly());
        while (!target.empty()) {
            if (m_position < m_bufferStart || m_position >= m_bufferStart + m_filled) {
                const auto filled = m_source(m_position, m_buffer);
                if (!filled) {
                    m_error = filled.error();
                    return;
                }
                if (*filled == 0) return refuse(messages::endsEarly());
                m_bufferStart = m_position;
                m_filled = std::min(*filled, m_buffer.size());
            }
            const auto at = static_cast<std::size_t>(m_position - m_bufferStart);
            const auto count = std::min(target.size(), m_filled - at);
            std::memcpy(target.data(), m_buffer.data() + at, count);
            target = target.subspan(count);
            m_position += count;
        }
        if (m_position > kLongestHeader) refuse(messages::headerTooLong());
    }

    const std::string& m_name;
    std::uint64_t m_size, m_position = 0;
    const GgufSource& m_source;
    std::vector<char> m_buffer = std::vector<char>(std::size_t{1} << 16);
    std::uint64_t m_bufferStart = 0;
    std::size_t m_filled = 0;
    std::optional<Error> m_error;
};

std::optional<Kind> kindFrom(std::uint32_t number) {
    if (number > static_cast<std::uint32_t>(Kind::F64)) return std::nullopt;
    return static_cast<Kind>(number);
}

double numberOf(Cursor& cursor, Kind kind) {
    switch (kind) {
        case Kind::U8:
        case Kind::Bool:
            return cursor.number<std::uint8_t>();
        case Kind::I8:
            return cursor.number<std::int8_t>();
        case Kind::U16:
            return cursor.number<std::uint16_t>();
        case Kind::I16:
            return cursor.number<std::int16_t>();
        case Kind::U32:
            return cursor.number<std::uint32_t>();
        case Kind::I32:
            return cursor.number<std::int32_t>();
        case Kind::F32:
            return cursor.number<float>();
        case Kind::U64:
            return static_cast<double>(cursor.number<std::uint64_t>());
        case Kind::I64:
            return static_cast<double>(cursor.number<std::int64_t>());
        case Kind::F64:
            return cursor.number<double>();
        case Kind::String:
        case Kind::Array:
            break;
    }
    return 0;
}

GgufArray readArray(Cursor& cursor, int depth) {
    GgufArray array;
    const auto number = cursor.number<std::uint32_t>();
    array.length = cursor.number<std::uint64_t>();
    const auto kind = kindFrom(number);
    if (!kind) return cursor.refuse(messages::unknownValueKind(number)), array;
    if (cursor.failed()) return array;
    if (const auto width = widthOf(*kind); width > 0) {
        if (array.length > cursor.left() / width) return cursor.refuse(messages::endsEarly()), array;
        if (array.length > kKeptNumbers) return cursor.skip(array.length * width), array;
        for (std::uint64_t i = 0; i < array.length && !cursor.failed(); ++i)
            array.numbers.push_back(numberOf(cursor, *kind));
        return array;
    }
    // Each element has at least a length prefix.
    if (array.length > cursor.left() / 8) return cursor.refuse(messages::endsEarly()), array;
    if (array.length > kMostWords) return cursor.refuse(messages::tooMany(array.length, kMostWords)), array;
    if (*kind == Kind::Array && depth >= kDeepestArray) return cursor.refuse(messages::arraysTooDeep()), array;
    for (std::uint64_t i = 0; i < array.length && !cursor.failed(); ++i) {
        if (*kind == Kind::String) {
            (void)cursor.text(kLongestText, 0);
        } else {
            (void)readArray(cursor, depth + 1);
        }
    }
    return array;
}

GgufValue readValue(Cursor& cursor) {
    const auto number = cursor.number<std::uint32_t>();
    const auto kind = kindFrom(number);
    if (!kind) return cursor.refuse(messages::unknownValueKind(number)), GgufValue{};
    switch (*kind) {
        case Kind::F32:
        case Kind::F64:
            return numberOf(cursor, *kind);
        case Kind::Bool:
            return cursor.number<std::uint8_t>() != 0;
        case Kind::String:
            return cursor.text(kLongestText, kKeptText);
        case Kind::Array:
            return readArray(cursor, 1);
        case Kind::U64: {
            const auto value = cursor.number<std::uint64_t>();
            if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                return static_cast<double>(value);
            return static_cast<std::int64_t>(value);
        }
        case Kind::I64:
            return cursor.number<std::int64_t>();
        default:
            return static_cast<std::int64_t>(numberOf(cursor, *kind));
    }
}

GgufTensor readTensor(Cursor& cursor) {
    GgufTensor tensor;
    tensor.name = cursor.text(kLongestName, kLongestName);
    const auto dimensions = cursor.number<std::uint32_t>();
    if (dimensions == 0 || dimensions > 4) return cursor.refuse(messages::tensorDimensions(dimensions)), tensor;
    double elements = 1;
    for (std::uint32_t i = 0; i < dimensions && !cursor.failed(); ++i) {
        const auto size = cursor.number<std::uint64_t>();
        elements *= static_cast<double>(size);
        if (size == 0 || size > (std::uint64_t{1} << 40) || elements > 0x1p50)
            return cursor.refuse(messages::tensorSize(tensor.name, fmt::format("{}", size))), tensor;
        tensor.sizes.push_back(static_cast<std::int64_t>(size));
    }
    const auto number = cursor.number<std::uint32_t>();
    tensor.offset = cursor.number<std::uint64_t>();
    if (cursor.failed()) return tensor;
    if (const auto type = tensorTypeFromGguf(number)) {
        tensor.type = *type;
    } else {
        cursor.refuse(messages::unknownTensorType(tensor.name, number), ErrorKind::Unsupported);
    }
    return tensor;
}

// Integers and strings of the header by key.
class Facts {
public:
    Facts(const std::string& name, const GgufHeader& header) : m_name(name), m_header(header) {}

    [[nodiscard]] std::optional<Error>& error() { return m_error; }
    void refuse(std::string_view key, Message why, ErrorKind kind = ErrorKind::InvalidArgument) {
        if (!m_error) m_error = Error{kind, m_name, messages::decoderFigure(key, std::move(why)), {}, {}, {}};
    }
    void setPrefix(std::string_view prefix) { m_prefix = prefix; }

    [[nodiscard]] std::optional<double> number(std::string_view key) {
        const auto full = fmt::format("{}.{}", m_prefix, key);
        const auto found = m_header.values.find(full);
        if (found == m_header.values.end()) return std::nullopt;
        if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
        if (const auto* real = std::get_if<double>(&found->second)) return *real;
        if (const auto* flag = std::get_if<bool>(&found->second)) return *flag ? 1 : 0;
        if (const auto* array = std::get_if<GgufArray>(&found->second)) {
            // One value per layer; a specification cannot express differences between layers.
            const auto& numbers = array->numbers;
            if (!numbers.empty() && std::ranges::all_of(numbers, [&](double n) { return n == numbers.front(); }))
                return numbers.front();
            refuse(full, messages::differsBetweenLayers());
            return std::nullopt;
        }
        refuse(full, steelyard::messages::mustBe(steelyard::messages::aNumber(), steelyard::messages::aString()));
        return std::nullopt;
    }
    std::int64_t whole(std::string_view key, std::int64_t standard) {
        const auto value = number(key);
        if (!value) return standard;
        if (!(std::abs(*value) < 0x1p53) || *value != std::floor(*value)) {
            refuse(fmt::format("{}.{}", m_prefix, key), steelyard::messages::implausible());
            return standard;
        }
        return static_cast<std::int64_t>(*value);
    }
    std::int64_t need(std::string_view key) {
        if (!m_error && !m_header.values.contains(fmt::format("{}.{}", m_prefix, key)))
            refuse(fmt::format("{}.{}", m_prefix, key), steelyard::messages::isMissing());
        return whole(key, 0);
    }
    [[nodiscard]] std::string text(std::string_view key) const {
        const auto found = m_header.values.find(key);
        if (found == m_header.values.end()) return {};
        const auto* value = std::get_if<std::string>(&found->second);
        return value ? *value : std::string();
    }

private:
    const std::string& m_name;
    const GgufHeader& m_header;
    std::string m_prefix;
    std::optional<Error> m_error;
};

struct Architecture {
    std::string_view name, family;
};
constexpr std::array kArchitectures{
    Architecture{"llama", "llama"},        Architecture{"qwen2", "qwen2"},
    Architecture{"qwen2moe", "qwen2_moe"}, Architecture{"qwen3", "qwen3"},
    Architecture{"qwen3moe", "qwen3_moe"}, Architecture{"gemma2", "gemma2"},
    Architecture{"gemma3", "gemma3_text"}, Architecture{"phi3", "phi3"},
    Architecture{"gpt-oss", "gpt_oss"},    Architecture{"deepseek2", "deepseek_v2"},
    Architecture{"olmo2", "olmo2"},        Architecture{"smollm3", "smollm3"},
    Architecture{"gpt2", "gpt2"},
};

std::int64_t vocabularyOf(Facts& facts, const GgufHeader& header) {
    if (const auto found = header.values.find("tokenizer.ggml.tokens"); found != header.values.end())
        if (const auto* array = std::get_if<GgufArray>(&found->second); array != nullptr && array->length > 0)
            return static_cast<std::int64_t>(std::min<std::uint64_t>(array->length, kMostWords));
    if (const auto* embedding = header.findTensor("token_embd.weight");
        embedding != nullptr && embedding->sizes.size() == 2)
        return embedding->sizes[1];
    return facts.need("vocab_size");
}

// Properties best derived from the list of tensors; without one, the family's defaults.
void readShapes(const GgufHeader& header, DecoderSpec& spec) {
    const auto& family = spec.family;
    if (header.tensors.empty()) {
        spec.tiedEmbeddings = family.starts_with("gemma") || family == "gpt2" || family == "smollm3";
        spec.qkvBias = family.starts_with("qwen2") || family == "gpt2" || family == "gpt_oss";
        spec.outputBias = family == "gpt2" || family == "gpt_oss";
        spec.qkNorm = family.starts_with("qwen3") || family == "gemma3_text" ? QkNorm::PerHead : QkNorm::None;
        spec.fusedQkv = family == "phi3" || family == "gpt2";
    } else {
        // Of the last layer, since the first ones may have no experts.
        const auto last = fmt::format("blk.{}.", spec.layers - 1);
        const auto has = [&](std::string_view name) { return header.findTensor(last + std::string(name)) != nullptr; };
        spec.tiedEmbeddings = header.findTensor("output.weight") == nullptr;
        spec.fusedQkv = has("attn_qkv.weight");
        spec.qkvBias = has("attn_q.bias") || has("attn_qkv.bias");
        spec.outputBias = has("attn_output.bias");
        spec.feedForwardBias = has("ffn_down.bias");
        spec.routerBias = has("ffn_gate_inp.bias") || has("exp_probs_b.bias");
        spec.expertBias = has("ffn_down_exps.bias");
        spec.sharedExpertGate = has("ffn_gate_inp_shexp.weight");
        if (const auto* norm = header.findTensor(last + "attn_q_norm.weight"))
            spec.qkNorm = norm->sizes.front() == spec.headDimension ? QkNorm::PerHead : QkNorm::Whole;
    }
    if (family == "olmo2") spec.qkNorm = QkNorm::Whole;
    if (family == "gpt_oss") {
        spec.attentionSinks = true;
        spec.routerBias = spec.expertBias = true;
    }
    if (family == "gpt2") {
        spec.norm = DecoderNorm::LayerNorm;
        spec.gate = DecoderGate::None;
        spec.learnedPositions = spec.feedForwardBias = true;
    }
    if (family.starts_with("gemma")) {
        spec.gate = DecoderGate::GeGlu;
        spec.normsPerLayer = 4;
    }
    if (family == "deepseek_v2" && spec.routerBias) spec.family = "deepseek_v3";
}

void readScaling(Facts& facts, const std::string& prefix, DecoderSpec& spec) {
    auto kind = facts.text(prefix + ".rope.scaling.type");
    if (const auto factor = facts.number("rope.scaling.factor")) spec.rotaryFactor = *factor;
    if (kind.empty() || kind == "none") return;
    if (const auto known = fromName(std::type_identity<RotaryScaling>{}, kind)) {
        spec.rotaryScaling = *known;
    } else {
        facts.refuse(prefix + ".rope.scaling.type", steelyard::messages::unknownValue(kind));
    }
}

}  // namespace

double GgufTensor::bytes() const {
    double rows = 1;
    for (std::size_t i = 1; i < sizes.size(); ++i) rows *= static_cast<double>(sizes[i]);
    return tensorBytes(type, rows, sizes.empty() ? 0 : sizes.front());
}

const GgufTensor* GgufHeader::findTensor(std::string_view name) const {
    const auto found = std::ranges::find(tensors, name, &GgufTensor::name);
    return found == tensors.end() ? nullptr : &*found;
}

Result<GgufHeader> readGgufHeader(const std::string& name, std::uint64_t size, const GgufSource& source) {
    Cursor cursor(name, size, source);
    GgufHeader header;
    if (cursor.number<std::uint32_t>() != 0x46554747U) cursor.refuse(messages::notGguf());
    header.version = cursor.number<std::uint32_t>();
    if (!cursor.failed() && header.version != 2 && header.version != 3)
        cursor.refuse(messages::ggufVersion(header.version), ErrorKind::Unsupported);
    const auto tensors = cursor.number<std::uint64_t>();
    const auto pairs = cursor.number<std::uint64_t>();
    // Minimum sizes: a tensor has two lengths, a dimension, a type and an offset; a pair has a length, a type and a
    // byte.
    if (tensors > kMostTensors) cursor.refuse(messages::tooMany(fmt::format("{}", tensors), kMostTensors));
    if (pairs > kMostPairs) cursor.refuse(messages::tooMany(fmt::format("{}", pairs), kMostPairs));
    if (tensors > cursor.left() / 32 || pairs > cursor.left() / 13) cursor.refuse(messages::endsEarly());
    for (std::uint64_t i = 0; i < pairs && !cursor.failed(); ++i) {
        auto key = cursor.text(kLongestName, kLongestName);
        auto value = readValue(cursor);
        if (cursor.failed()) break;
        if (!header.values.emplace(key, std::move(value)).second) cursor.refuse(messages::namedTwice(key));
    }
    std::map<std::string_view, bool> seen;
    header.tensors.reserve(cursor.failed() ? 0 : tensors);
    for (std::uint64_t i = 0; i < tensors && !cursor.failed(); ++i) {
        header.tensors.push_back(readTensor(cursor));
        if (!cursor.failed() && !seen.emplace(header.tensors.back().name, true).second)
            cursor.refuse(messages::namedTwice(header.tensors.back().name));
    }
    if (cursor.failed()) return Failure(cursor.takeError());
    std::uint64_t alignment = 32;
    if (const auto found = header.values.find("general.alignment"); found != header.values.end()) {
        const auto* value = std::get_if<std::int64_t>(&found->second);
        if (value == nullptr || *value <= 0 || *value > (1 << 20) ||
            !std::has_single_bit(static_cast<std::uint64_t>(*value))) {
            cursor.refuse(messages::wrongAlignment());
            return Failure(cursor.takeError());
        }
        alignment = static_cast<std::uint64_t>(*value);
    }
    const auto start = (cursor.position() + alignment - 1) / alignment * alignment;
    header.hasData = size > start;
    header.dataStart = start;
    if (!header.hasData) return header;
    const auto available = static_cast<double>(size - start);
    for (const auto& tensor : header.tensors) {
        if (static_cast<double>(tensor.offset) + tensor.bytes() > available)
            cursor.refuse(messages::tensorBeyondFile(tensor.name));
        else if (tensor.offset % alignment != 0)
            cursor.refuse(messages::tensorNotAligned(tensor.name));
    }
    if (cursor.failed()) return Failure(cursor.takeError());
    return header;
}

Result<GgufHeader> ggufHeaderFromBytes(const std::string& name, std::string_view bytes) {
    return readGgufHeader(name, bytes.size(), [&](std::uint64_t offset, std::span<char> target) -> Result<std::size_t> {
        if (offset >= bytes.size()) return std::size_t{0};
        const auto count = std::min<std::size_t>(target.size(), bytes.size() - static_cast<std::size_t>(offset));
        std::memcpy(target.data(), bytes.data() + offset, count);
        return count;
    });
}

Result<GgufHeader> readGgufHeader(const std::filesystem::path& file) {
    ASSIGN(const auto descriptor, openRegularFile(file));
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0) return Failure(errorFromErrno(errno, file.string()));
    const auto read = [&](std::uint64_t offset, std::span<char> target) -> Result<std::size_t> {
        for (;;) {
            const auto count = ::pread(descriptor.get(), target.data(), target.size(), static_cast<off_t>(offset));
            if (count >= 0) return static_cast<std::size_t>(count);
            if (errno != EINTR) return Failure(errorFromErrno(errno, file.string()));
        }
    };
    return readGgufHeader(file.string(), static_cast<std::uint64_t>(status.st_size), read);
}

std::string_view ggufArchitecture(std::string_view family) {
    const auto* known = std::ranges::find(kArchitectures, family, &Architecture::family);
    return known == kArchitectures.end() ? std::string_view() : known->name;
}

Result<DecoderSpec> decoderFromGguf(const std::string& name, const GgufHeader& header) {
    Facts facts(name, header);
    const auto architecture = facts.text("general.architecture");
    const auto* known = std::ranges::find(kArchitectures, std::string_view(architecture), &Architecture::name);
    if (known == kArchitectures.end()) {
        std::string names;
        for (const auto& entry : kArchitectures) names += (names.empty() ? "" : ", ") + std::string(entry.name);
        return fail(ErrorKind::Unsupported, name, messages::unknownArchitecture(architecture, names));
    }
    facts.setPrefix(architecture);
    DecoderSpec spec;
    spec.family = known->family;
    spec.source = name;
    spec.layers = facts.need("block_count");
    spec.width = facts.need("embedding_length");
    spec.heads = facts.need("attention.head_count");
    spec.kvHeads = facts.whole("attention.head_count_kv", spec.heads);
    spec.headDimension = facts.whole("attention.key_length", spec.heads > 0 ? spec.width / spec.heads : 0);
    spec.vocabulary = vocabularyOf(facts, header);
    spec.contextLength = facts.whole("context_length", 0);
    spec.experts = facts.whole("expert_count", 0);
    spec.activeExperts = facts.whole("expert_used_count", 0);
    const auto feedForward = facts.whole("feed_forward_length", 0);
    spec.leadingDenseLayers = facts.whole("leading_dense_block_count", 0);
    if (!spec.hasExperts() || spec.leadingDenseLayers > 0) spec.feedForward = feedForward;
    if (spec.hasExperts()) spec.expertWidth = facts.whole("expert_feed_forward_length", feedForward);
    if (spec.hasExperts()) {
        const auto shared = facts.whole("expert_shared_count", 0);
        if (shared < 0 || shared > 65'536 || spec.expertWidth < 0 || spec.expertWidth > (1 << 24))
            facts.refuse("expert_shared_count", steelyard::messages::implausible());
        else
            spec.sharedExpertWidth = facts.whole("expert_shared_feed_forward_length", shared * spec.expertWidth);
    }
    spec.normEpsilon = facts.number("attention.layer_norm_rms_epsilon")
                           .value_or(facts.number("attention.layer_norm_epsilon").value_or(1e-5));
    spec.rotaryTheta = facts.number("rope.freq_base").value_or(1e4);
    if (spec.headDimension > 0 && spec.family != "deepseek_v2")
        spec.rotaryShare = static_cast<double>(facts.whole("rope.dimension_count", spec.headDimension)) /
                           static_cast<double>(spec.headDimension);
    if (spec.family == "gpt2") spec.rotaryShare = 1;
    readScaling(facts, architecture, spec);
    spec.window = facts.whole("attention.sliding_window", 0);
    if (spec.window > 0) {
        // llama.cpp derives the pattern from the architecture; files of Gemma 3 do not contain it.
        if (spec.family == "gemma2" || spec.family == "gpt_oss") spec.globalEvery = 2;
        if (spec.family == "gemma3_text") spec.globalEvery = facts.whole("attention.sliding_window_pattern", 6);
        if (spec.family == "phi3" && spec.window >= spec.contextLength) spec.window = 0;
    }
    if (spec.family == "gemma3_text") spec.localRotaryTheta = 1e4;
    spec.attentionSoftCap = facts.number("attn_logit_softcapping").value_or(0);
    spec.logitSoftCap = facts.number("final_logit_softcapping").value_or(0);
    if (spec.family == "deepseek_v2") {
        spec.latentRank = facts.need("attention.kv_lora_rank");
        spec.queryRank = facts.whole("attention.q_lora_rank", 0);
        spec.latentRotary = facts.need("rope.dimension_count");
        const auto keys = facts.whole("attention.key_length_mla", facts.whole("attention.key_length", 0));
        spec.latentPlain = keys - spec.latentRotary;
        spec.latentValue = facts.whole("attention.value_length_mla", facts.whole("attention.value_length", 0));
        spec.headDimension = keys;
        spec.kvHeads = spec.heads;
    }
    if (facts.error()) return Failure(std::move(*facts.error()));
    readShapes(header, spec);
    TRY(checkSpec(spec, name));
    return spec;
}

GgufWeights weightsOf(const GgufHeader& header, const DecoderSpec& spec) {
    GgufWeights weights;
    const bool tied = header.findTensor("output.weight") == nullptr;
    for (const auto& tensor : header.tensors) {
        const auto bytes = tensor.bytes();
        weights.total += bytes;
        if (tensor.name == "position_embd.weight" || (tensor.name == "token_embd.weight" && !tied)) continue;
        const bool routed = spec.hasExperts() && tensor.name.find("_exps.") != std::string::npos;
        const auto read =
            routed ? bytes * static_cast<double>(spec.activeExperts) / static_cast<double>(spec.experts) : bytes;
        weights.readPerToken += read;
        if (routed) weights.expertsPerToken += read;
    }
    // general.file_type: enum llama_ftype of llama.cpp.
    struct FileType {
        std::int64_t number;
        std::string_view scheme;
    };
    constexpr std::array kFileTypes{
        FileType{0, "f32"},     FileType{1, "f16"},     FileType{2, "q4_0"},    FileType{3, "q4_1"},
        FileType{7, "q8_0"},    FileType{8, "q5_0"},    FileType{9, "q5_1"},    FileType{14, "q4_k_s"},
        FileType{15, "q4_k_m"}, FileType{16, "q5_k_s"}, FileType{17, "q5_k_m"}, FileType{18, "q6_k"},
        FileType{25, "iq4_nl"}, FileType{32, "bf16"},   FileType{38, "mxfp4"},
    };
    if (const auto found = header.values.find("general.file_type"); found != header.values.end())
        if (const auto* number = std::get_if<std::int64_t>(&found->second))
            for (const auto& type : kFileTypes)
                if (type.number == *number) weights.scheme = type.scheme;
    return weights;
}

}  // namespace steelyard::model
