// SPDX-License-Identifier: Apache-2.0
// A language model on the devices of the catalogue and the user's own: what it needs of memory, how many tokens a
// second it gives, and the longest context and largest batch that fit. Speeds are predicted, from published rows alone
// or also from what the user measured; each says which, and has a band. Pure functions of values loaded once; any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/language/language_speed.h"
#include "engine/advisor/predict/memory_model.h"
#include "engine/advisor/predict/predictor.h"
#include "engine/catalog/catalog.h"
#include "engine/core/error.h"
#include "engine/model/decoder/decoder_table.h"

namespace steelyard::advisor {

enum class LanguageMode { Decode, Prefill };
[[nodiscard]] std::string_view toString(LanguageMode mode);

struct LanguageJob {
    model::ResolvedDecoder model;
    const model::WeightScheme* weights = nullptr;
    model::CacheType cache = model::CacheType::F16;
    LanguageMode mode = LanguageMode::Decode;
    double context = 4096;  // tokens in the cache; prefill: of the prompt behind `depth`
    double depth = 0;       // prefill: tokens before the prompt
    double batch = 1;       // sequences at once

    // What follows from model and weights alone, where sized() has counted it.
    std::optional<model::WeightBytes> countedBytes;
    std::optional<double> countedMatrices;

    // As stored in the user's file, or by the scheme's rules.
    [[nodiscard]] model::WeightBytes weightBytes() const;
};
// The same job with its tensors counted, for callers that ask about many devices, contexts or batches.
[[nodiscard]] LanguageJob sized(LanguageJob job);
// InvalidArgument names the weight format that is not known. `weights` empty: the format of a GGUF file, else q4_k_m.
[[nodiscard]] Result<const model::WeightScheme*> weightsOfJob(const model::ResolvedDecoder& model,
                                                              std::string_view weights);

struct LanguageMemory {
    double weights = 0, cache = 0;
    double working = 0;  // compute buffer of llama.cpp: 512 tokens x (vocabulary + width) x 4 B
    double context = 0;  // of the driver, on a GPU with memory of its own
    [[nodiscard]] double total() const { return weights + cache + working + context; }
};
[[nodiscard]] LanguageMemory languageMemory(const LanguageJob& job, bool isDiscreteGpu);

// Of the driver, on a GPU with memory of its own.
[[nodiscard]] double driverBytes(bool isDiscreteGpu);

// What of a device's memory a model may take: all of a card's own; where it is shared with the system, two thirds up to
// 36 GiB and three quarters above (the limit of Apple's Metal; assumed for other shared memory, where it is a setting).
struct LanguageTarget {
    std::string id, name;
    std::string deviceId;  // of the catalogue, or of an own device (DeviceModel::id)
    LanguageDevice device;
    bool isDiscreteGpu = false, lowTrust = false;
    std::optional<double> memoryBytes, usableBytes;  // absent: not published (processors, whose memory is chosen)
};

enum class LanguageRefusal {
    None,
    NotAModelledDevice,  // TPUs and other accelerators: no published rows of single streams
    ComputeRateUnknown,
    BandwidthUnknown,
    StackNotForDevice,
    NoPrefillRows,  // of this stack
    ThisEngine,     // runs language models on processors only
};
[[nodiscard]] std::string_view toString(LanguageRefusal refusal);
// Empty for None.
[[nodiscard]] Message messageOf(LanguageRefusal refusal);
[[nodiscard]] std::string englishText(LanguageRefusal refusal);

// Refused: in `refusal`.
[[nodiscard]] std::optional<LanguageTarget> languageTarget(const catalog::HardwareSpec& spec, LanguageRefusal& refusal);

// A speed that was measured (language_anchors.h).
struct LanguageAnchor {
    LanguageJob job;  // sized()
    LanguageDevice device;
    std::string deviceId;  // LanguageTarget::deviceId
    std::string software;  // id of a stack
    Interval tokensPerSecond;
};

struct LanguagePrediction {
    std::string id, name;
    LanguageRefusal refusal = LanguageRefusal::None;
    std::string software;             // id of the stack
    Interval tokensPerSecond;         // of all sequences together; 0 when refused
    double boundTokensPerSecond = 0;  // the roof: never faster
    // Extrapolated from published rows, anchored by measurements of this program (applyAnchors()), or measured.
    Basis basis = Basis::Extrapolated;
    std::string band;  // the class of rows that the interval is from
    bool lowConfidence =
        false;  // processors' and other makers' prefill, devices with doubtful figures, one-device stacks
    LanguageParts parts;
    LanguageMemory memory;
    std::optional<double> availableBytes;
    Fits fits = Fits::Unknown;
    std::optional<double> largestContext;  // with this batch; 0: not even the weights fit; absent: memory unknown
    std::optional<double> largestBatch;    // with this context
    // Layers that fit with their share of the cache when the rest stays in the computer's memory; all where it fits.
    std::optional<double> layersOnDevice;

    [[nodiscard]] bool hasSpeed() const { return refusal == LanguageRefusal::None; }
};

struct LanguageRequest {
    // Id of a stack; "llamacpp": that of each device; empty: the same, on own processors this program.
    std::string software;
    std::vector<std::string> only;  // ids of devices, or of `own`; empty: all
    std::vector<LanguageTarget> own;
    std::vector<LanguageAnchor> anchors;
    // So many of each device hold the layers in turn: as much more memory, no more speed.
    double count = 1;
    std::optional<double> memoryBytes;     // of every device, in place of its own (a processor's RAM)
    std::optional<double> bytesPerSecond;  // likewise, as with fewer memory channels
};
// Devices by id, those of `own` and those of the catalogue, each in the order of `only`; all of them where it is empty.
// They point into the arguments. NotFound: an id that neither has, with the nearest one.
struct ChosenDevices {
    std::vector<const LanguageTarget*> own;
    std::vector<const catalog::HardwareSpec*> catalogued;
};
[[nodiscard]] Result<ChosenDevices> chosenDevices(const catalog::Catalog& catalog, const std::vector<std::string>& only,
                                                  const std::vector<LanguageTarget>& own);

// The user's own devices first, then the catalogue in its order. NotFound names the device, InvalidArgument the
// software that is not known.
[[nodiscard]] Result<std::vector<LanguagePrediction>> predictLanguage(const LanguageJob& job,
                                                                      const catalog::Catalog& catalog,
                                                                      const LanguageParameters& parameters,
                                                                      const LanguageRequest& request);

// The memory of a target, and of it what a model may take.
void setMemory(LanguageTarget& target, double bytes);
// As the model sees a job, for callers that vary it (a batch sweep).
[[nodiscard]] LanguageWork languageWork(const LanguageJob& job, const LanguageParameters& parameters);
[[nodiscard]] LanguagePrediction predictOn(const LanguageJob& job, const LanguageTarget& target,
                                           const LanguageStack& stack, const LanguageParameters& parameters);
// The stack of llama.cpp for a device.
[[nodiscard]] std::string_view usualStack(LanguageDeviceClass value);

struct FineTuning {
    enum class Method { Full, FullBf16, Lora, Qlora };
    Method method = Method::Lora;
    std::int64_t rank = 16;
    model::LoraTargets targets = model::LoraTargets::AllLinear;
    double tokens = 2048;    // of a step: batch x length
    double sequence = 2048;  // its sequences' length, at most `tokens`
    bool checkpointing = true;
};
struct FineTuningMemory {
    double trained = 0;      // parameters
    double base = 0;         // frozen weights
    double optimiser = 0;    // trained weights, gradients, Adam's two moments
    double activations = 0;  // kept for the backward pass
    double logits = 0;       // 14 B x vocabulary a token in the usual code
    [[nodiscard]] double total() const { return base + optimiser + activations + logits; }
};
// Full: 16 B a parameter (mixed precision, Adam), 8 in pure bf16. LoRA: base 2 B, adapters 16 B each. QLoRA: base in
// nf4 with double quantisation, embedding and head in 16 bits.
[[nodiscard]] FineTuningMemory fineTuningMemory(const model::DecoderSpec& spec, const FineTuning& tuning);

}  // namespace steelyard::advisor
