// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/language_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "engine/compute/language/reference_decoder.h"
#include "engine/core/messages/bench.h"
#include "engine/core/random.h"

namespace steelyard::bench {
namespace {

using model::LanguageTask;

constexpr std::uint64_t kTokenStream = 0x6000;
// Length of the prompt that is processed once and then repeated in the cache; a multiple of
// compute::LanguageDecoder::kRepeatUnit.
constexpr std::int64_t kRepeated = 128;

// The exact decoder dequantises about 250 million weights per second, and reads them twice.
constexpr double kAffordableWeights = 0.3e9;
constexpr std::int64_t kCheckedPrompt = 6;

// Relative RMS error of logits. Kernels round activations to 8 bits for block formats and to bfloat16 for bfloat16
// weights; the cache is in binary16 or in 8-bit blocks.
double toleranceOf(const model::DecoderSpec& spec, model::TensorType type, model::CacheType cache) {
    // Rounding may change the choice between two experts with nearly equal router scores.
    if (spec.hasExperts()) return 0.25;
    if (cache == model::CacheType::Q8_0) return 5e-2;
    switch (type) {
        case model::TensorType::F32:
        case model::TensorType::F16:
            return 5e-3;
        case model::TensorType::Bf16:
            return 1.7e-2;
        default:
            return 5e-2;
    }
}

double relativeError(std::span<const float> found, std::span<const float> exact) {
    double difference = 0, sum = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const auto a = static_cast<double>(found[i]), b = static_cast<double>(exact[i]);
        difference += (a - b) * (a - b);
        sum += b * b;
    }
    return sum > 0 ? std::sqrt(difference / sum) : INFINITY;
}

bool isFinite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace

Result<std::unique_ptr<LanguageCase>> LanguageCase::open(const Case& spec, compute::Backend& backend,
                                                         const model::DecoderTable* table, int threads) {
    ASSIGN(auto name, model::parseLanguageName(spec.workload));
    auto* computing = compute::languageBackendOf(backend);
    if (computing == nullptr) return fail(ErrorKind::Unsupported, spec.device, messages::noLanguageBackend());
    if (spec.mode != plan::Mode::Infer) return fail(ErrorKind::Unsupported, {}, messages::languageInference());
    std::unique_ptr<LanguageCase> result(new LanguageCase(std::move(name), *computing));
    const auto& named = result->m_name;
    static const model::DecoderTable kNoTable;
    std::shared_ptr<const model::GgufWeightFile> file;
    ASSIGN(const auto resolved, model::resolveDecoder(table != nullptr ? *table : kNoTable, named.model));
    if (named.isFile()) {
        ASSIGN(file, model::GgufWeightFile::open(named.model));
        result->m_weightBytes = {resolved.fileWeightBytes.value_or(0), resolved.fileReadPerToken.value_or(0),
                                 resolved.fileExpertsPerToken.value_or(0)};
        result->m_format = resolved.fileScheme;
    } else {
        const auto* scheme = model::findWeightScheme(named.weights);
        ASSIGN(result->m_drawn, model::GgufWeightFile::layOut(resolved.spec, *scheme));
        file = result->m_drawn;
        result->m_weightBytes = model::weightBytes(resolved.spec, *scheme);
        result->m_format = scheme->name;
    }
    const auto positions = std::max(named.positions(), std::int64_t{kCheckedPrompt + 1});
    result->m_options = {
        .device = spec.device, .context = positions, .threads = threads, .sequences = spec.batch, .cache = named.cache};
    ASSIGN(result->m_weights, compute::decoderWeights(std::move(file), positions));
    result->m_spec = result->m_weights.spec;
    ASSIGN(result->m_memory, computing->plannedDecoderMemory(result->m_weights, result->m_options));
    return result;
}

compute::MemoryFigures LanguageCase::plannedMemory() const {
    compute::MemoryFigures figures;
    // Drawn weights are in the computer's memory.
    const auto drawn = m_drawn != nullptr && m_options.device == "cpu" ? m_drawn->drawnBytes() : 0;
    figures.weights = Bytes(m_memory.weights + drawn);
    figures.activations = Bytes(m_memory.cache);
    figures.workspace = Bytes(m_memory.buffers);
    figures.peak = Bytes(m_memory.total() + drawn);
    return figures;
}

double LanguageCase::flops() const {
    const auto parameters = model::parametersOf(m_spec);
    const double perToken = 2 * parameters.activeMatrices;
    const double head = 2 * static_cast<double>(m_spec.vocabulary) * static_cast<double>(m_spec.width);
    // Number of tokens attended to, including the token itself; limited by a sliding window.
    const auto seen = [&](double first, double count) {
        const auto of = [&](double window) {
            double sum = 0;
            for (double i = 0; i < count; ++i) sum += window > 0 ? std::min(window, first + i + 1) : first + i + 1;
            return sum;
        };
        const auto global = static_cast<double>(m_spec.globalLayers());
        const auto layers = static_cast<double>(m_spec.layers);
        return m_spec.window > 0 ? global * of(0) + (layers - global) * of(static_cast<double>(m_spec.window))
                                 : layers * of(0);
    };
    const double perSeen = 4 * static_cast<double>(m_spec.heads) * static_cast<double>(m_spec.headDimension);
    const auto prompt = static_cast<double>(m_name.prompt), sequences = static_cast<double>(m_options.sequences);
    switch (m_name.task) {
        case LanguageTask::Prefill:
            return sequences * (prompt * perToken + head + perSeen * seen(0, prompt));
        case LanguageTask::Decode:
            return sequences * (perToken + head + perSeen * seen(static_cast<double>(m_name.context), 1));
        case LanguageTask::Generate: {
            const auto tokens = static_cast<double>(m_name.tokens);
            return sequences *
                   ((prompt + tokens - 1) * perToken + tokens * head + perSeen * seen(0, prompt + tokens - 1));
        }
    }
    return 0;
}

// Sequences share the weights. Experts are assumed to be chosen at random per token: the expected fraction of experts
// used by at least one token.
double LanguageCase::weightBytesOfStep() const {
    if (!m_spec.hasExperts()) return m_weightBytes.readPerToken;
    const double all = static_cast<double>(m_spec.experts) / static_cast<double>(m_spec.activeExperts);
    const double needed = 1 - std::pow(1 - 1 / all, static_cast<double>(m_options.sequences));
    return m_weightBytes.readPerToken + m_weightBytes.expertsPerToken * (needed * all - 1);
}

std::optional<double> LanguageCase::bytes() const {
    switch (m_name.task) {
        case LanguageTask::Prefill:
            return std::nullopt;
        case LanguageTask::Decode:
            return weightBytesOfStep() + cacheBytesBehind(m_name.context + 1);
        case LanguageTask::Generate:
            break;
    }
    // The prompt in one pass over the weights, then each token.
    double sum = 0;
    for (std::int64_t i = 0; i < m_name.tokens; ++i) sum += weightBytesOfStep() + cacheBytesBehind(m_name.prompt + i);
    return sum;
}

double LanguageCase::cacheBytesBehind(std::int64_t tokens) const {
    return static_cast<double>(m_options.sequences) *
           model::cacheBytes(m_spec, static_cast<double>(tokens), m_options.cache);
}

LanguageUse LanguageCase::use() const {
    LanguageUse use;
    use.task = model::toString(m_name.task);
    use.weights = m_format;
    use.tokensPerStep = m_name.tokensOfStep();
    if (m_name.task == LanguageTask::Decode) use.context = m_name.context;
    if (m_name.task != LanguageTask::Decode) use.prompt = m_name.prompt;
    use.weightBytes = static_cast<std::int64_t>(m_weightBytes.total);
    use.readBytesPerToken = static_cast<std::int64_t>(m_weightBytes.readPerToken);
    use.cacheBytes = m_memory.cache;
    use.layers = m_spec.layers;
    use.checkedLayers = m_checkedLayers;
    use.firstTokenSeconds = m_firstToken;
    use.tokenSeconds = m_tokenSeconds;
    return use;
}

void LanguageCase::draw(std::uint64_t seed) {
    if (m_drawn != nullptr) m_drawn->draw(seed);
}

std::int32_t LanguageCase::token(std::int64_t index) const {
    return static_cast<std::int32_t>(
        RandomStream(0, kTokenStream)
            .below(static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(m_spec.vocabulary)));
}

std::vector<std::int32_t> LanguageCase::tokens(std::int64_t count) const {
    std::vector<std::int32_t> list(static_cast<std::size_t>(m_options.sequences * count));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = token(static_cast<std::int64_t>(i));
    return list;
}

std::int64_t LanguageCase::affordableLayers() const {
    const auto parameters = model::parametersOf(m_spec);
    const double head = static_cast<double>(m_spec.vocabulary) * static_cast<double>(m_spec.width);
    double perLayer = parameters.activeMatrices / static_cast<double>(m_spec.layers);
    // Each token of a prompt may use different experts.
    if (m_spec.hasExperts()) perLayer *= kCheckedPrompt;
    const double layers = std::floor((kAffordableWeights - head) / perLayer);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(layers), 2, m_spec.layers);
}

Verification LanguageCase::verify(std::uint64_t seed) {
    Verification result;
    auto part = m_weights;
    part.layers.resize(static_cast<std::size_t>(std::min(affordableLayers(), m_spec.layers)));
    m_checkedLayers = static_cast<std::int64_t>(part.layers.size());
    const auto type = part.layers.empty() ? part.head.type : part.layers.front().query.type;
    result.tolerance = toleranceOf(m_spec, type, m_options.cache);
    const auto context = kCheckedPrompt + 1, sequences = m_options.sequences;
    const auto exact = compute::makeReferenceDecoder(part, context);
    auto made = m_backend.makeDecoder(std::move(part), {.device = m_options.device,
                                                        .context = context,
                                                        .threads = m_options.threads,
                                                        .sequences = sequences,
                                                        .cache = m_options.cache});
    if (!made) {
        result.reason = messageOf(made.error());
        return result;
    }
    // Each sequence starts at another token, depending on the seed.
    const auto begin = static_cast<std::int64_t>(seed % 16);
    const auto tokenAt = [&](std::int64_t sequence, std::int64_t position) {
        return token(begin + sequence * context + position);
    };
    const auto failed = [&] {
        result.state = VerificationState::Fail;
        result.reason = messages::logitsNotFinite();
        return result;
    };
    double worst = 0;
    std::vector<std::vector<float>> found;  // after the prompt, and after one more token
    for (const auto& [first, count] :
         {std::pair{std::int64_t{0}, kCheckedPrompt}, std::pair{kCheckedPrompt, std::int64_t{1}}}) {
        std::vector<std::int32_t> list;
        for (std::int64_t s = 0; s < sequences; ++s)
            for (std::int64_t i = 0; i < count; ++i) list.push_back(tokenAt(s, first + i));
        const auto logits = (*made)->append(list);
        if (!logits || !isFinite(*logits)) return failed();
        found.emplace_back(logits->begin(), logits->end());
    }
    // With several sequences, the first and the last one.
    for (const auto sequence : std::set<std::int64_t>{0, sequences - 1}) {
        std::vector<std::int32_t> list;
        for (std::int64_t i = 0; i < context; ++i) list.push_back(tokenAt(sequence, i));
        if (!exact->rewind(0)) return failed();
        const auto prompt = std::span<const std::int32_t>(list).first(kCheckedPrompt);
        for (std::size_t piece = 0; piece < found.size(); ++piece) {
            const auto expected = exact->append(piece == 0 ? prompt : std::span<const std::int32_t>(list).last(1));
            if (!expected) return failed();
            const auto of = std::span<const float>(found[piece])
                                .subspan(static_cast<std::size_t>(sequence) * expected->size(), expected->size());
            worst = std::max(worst, relativeError(of, *expected));
        }
    }
    result.maxRelativeError = worst;
    result.state = worst <= *result.tolerance ? VerificationState::Pass : VerificationState::Fail;
    if (result.state == VerificationState::Fail)
        result.reason = messages::logitsDiffer(fmt::format("{:.2g}", worst), fmt::format("{:.2g}", *result.tolerance));
    return result;
}

Result<void> LanguageCase::prepare() {
    ASSIGN(m_decoder, m_backend.makeDecoder(std::move(m_weights), m_options));
    if (m_name.task != LanguageTask::Decode) {
        m_tokens = tokens(m_name.prompt);
        return {};
    }
    const auto first = std::min(m_name.context, kRepeated);
    ASSIGN(const auto logits, m_decoder->append(tokens(first)));
    if (!isFinite(logits)) return fail(ErrorKind::Internal, {}, messages::logitsNotFinite());
    m_next.resize(static_cast<std::size_t>(m_options.sequences));
    return first < m_name.context ? m_decoder->repeatTo(m_name.context) : Result<void>{};
}

void LanguageCase::beginSampling() {
    m_firstToken.clear();
    m_tokenSeconds.clear();
}

Result<void> LanguageCase::step(const Clock& clock) {
    if (m_name.task == LanguageTask::Decode) {
        for (auto& next : m_next) next = token(m_steps++);
        TRY(m_decoder->rewind(m_name.context));
        ASSIGN(const auto logits, m_decoder->append(m_next));
        (void)logits;
        return {};
    }
    TRY(m_decoder->rewind(0));
    auto start = clock.nowNanoseconds();
    ASSIGN(auto logits, m_decoder->append(m_tokens));
    if (m_name.task == LanguageTask::Prefill) return {};
    const auto words = static_cast<std::size_t>(m_spec.vocabulary);
    m_next.resize(static_cast<std::size_t>(m_options.sequences));
    for (std::int64_t i = 1; i <= m_name.tokens; ++i) {
        for (std::size_t s = 0; s < m_next.size(); ++s)
            m_next[s] = compute::greedyToken(logits.subspan(s * words, words));
        const auto now = clock.nowNanoseconds();
        (i == 1 ? m_firstToken : m_tokenSeconds).push_back(secondsBetween(start, now).value());
        start = now;
        if (i == m_name.tokens) break;
        ASSIGN(logits, m_decoder->append(m_next));
    }
    return {};
}

Result<StepProfile> LanguageCase::profile(const Clock& clock, const std::function<bool()>& cancelled,
                                          const ProfileLimits& limits) {
    if (!m_decoder->countTimes()) return fail(ErrorKind::Unsupported, {}, messages::noOperationTimes());
    ASSIGN(auto profile, profiledSteps([&](std::int64_t) { return step(clock); }, clock, cancelled, limits));
    const auto steps = static_cast<double>(profile.steps);
    for (const auto& time : m_decoder->times()) {
        ProfiledOperation operation;
        operation.name = time.operation;
        operation.kind = time.kind;
        operation.pass = "forward";
        operation.seconds = time.seconds / steps;
        profile.operations.push_back(std::move(operation));
    }
    return profile;
}

}  // namespace steelyard::bench
