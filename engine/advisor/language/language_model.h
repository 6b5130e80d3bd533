// SPDX-License-Identifier: Apache-2.0
// A language model on the devices of the catalogue and the user's own: memory use, tokens per second, and the longest
// context and largest batch that fit. Speeds are predicted, from published rows alone or also from the user's
// measurements; each states its basis and has a band. Pure functions of values loaded once; any thread.
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
    double context = 4096;  // tokens in the cache; prefill: length of the prompt after `depth`
    double depth = 0;       // prefill: tokens already in the cache
    double batch = 1;       // concurrent sequences

    // Derived from model and weights alone, once sized() has computed it.
    std::optional<model::WeightBytes> countedBytes;
    std::optional<double> countedMatrices;

    // As stored in the user's file, or by the rules of the scheme.
    [[nodiscard]] model::WeightBytes weightBytes() const;
};
// The same job with its tensors counted, for callers that evaluate many devices, contexts or batches.
[[nodiscard]] LanguageJob sized(LanguageJob job);
// InvalidArgument names an unknown weight format. Empty `weights`: the format of a GGUF file, else q4_k_m.
[[nodiscard]] Result<const model::WeightScheme*> weightsOfJob(const model::ResolvedDecoder& model,
                                                              std::string_view weights);

struct LanguageMemory {
    double weights = 0, cache = 0;
    double working = 0;  // compute buffer of llama.cpp: 512 tokens x (vocabulary + width) x 4 B
    double context = 0;  // of the driver, on a GPU with dedicated memory
    [[nodiscard]] double total() const { return weights + cache + working + context; }
};
[[nodiscard]] LanguageMemory languageMemory(const LanguageJob& job, bool isDiscreteGpu);

// Driver context, on a GPU with dedicated memory.
[[nodiscard]] double driverBytes(bool isDiscreteGpu);

// The part of a device's memory available to a model: all of a card's dedicated memory; with shared memory two thirds
// up to 36 GiB and three quarters above (the limit of Apple's Metal; assumed for other shared memory, where it is
// configurable).
struct LanguageTarget {
    std::string id, name;
    std::string deviceId;  // catalogue id, or that of an own device (DeviceModel::id)
    LanguageDevice device;
    bool isDiscreteGpu = false, lowTrust = false;
    std::optional<double> memoryBytes, usableBytes;  // absent: unknown (processors, whose memory size varies)
};

enum class LanguageRefusal {
    None,
    NotAModelledDevice,  // TPUs and other accelerators: no published single-stream rows
    ComputeRateUnknown,
    BandwidthUnknown,
    StackNotForDevice,
    CardTooOld,     // for this stack: compute capability
    NoPrefillRows,  // for this stack
    ThisEngine,     // this program: language models run on processors only
};
[[nodiscard]] std::string_view toString(LanguageRefusal refusal);
// Empty for None.
[[nodiscard]] Message messageOf(LanguageRefusal refusal);
[[nodiscard]] std::string englishText(LanguageRefusal refusal);

// If refused, sets `refusal`.
[[nodiscard]] std::optional<LanguageTarget> languageTarget(const catalog::HardwareSpec& spec, LanguageRefusal& refusal);

// A measured speed (language_anchors.h).
struct LanguageAnchor {
    LanguageJob job;  // with sizes: sized()
    LanguageDevice device;
    std::string deviceId;  // LanguageTarget::deviceId
    std::string software;  // id of a stack
    Interval tokensPerSecond;
};

struct LanguagePrediction {
    std::string id, name;
    LanguageRefusal refusal = LanguageRefusal::None;
    std::string software;             // id of the stack
    Interval tokensPerSecond;         // all sequences together; 0 if refused
    double boundTokensPerSecond = 0;  // upper bound by the roofline
    // Extrapolated from published rows, anchored by measurements of this program (applyAnchors()), or measured.
    Basis basis = Basis::Extrapolated;
    std::string band;  // name of the row class that the interval is from
    bool lowConfidence =
        false;  // prefill of processors and other vendors, devices with doubtful figures, single-device stacks
    LanguageParts parts;
    LanguageMemory memory;
    std::optional<double> availableBytes;
    Fits fits = Fits::Unknown;
    std::optional<double> largestContext;  // at this batch; 0: the weights do not fit; absent: memory unknown
    std::optional<double> largestBatch;    // at this context
    // Layers that fit on the device with their part of the cache, the rest in system memory; all if the model fits.
    std::optional<double> layersOnDevice;

    [[nodiscard]] bool hasSpeed() const { return refusal == LanguageRefusal::None; }
};

// The stack of this id; nullptr for "" and "llamacpp", which mean the default of each device. InvalidArgument with the
// closest known id.
[[nodiscard]] Result<const LanguageStack*> languageStack(const LanguageParameters& parameters,
                                                         std::string_view software);

struct LanguageRequest {
    // Stack id; "llamacpp": its backend for each device; empty: the same, but this program on own processors.
    std::string software;
    std::vector<std::string> only;  // device ids, also from `own`; empty: all
    std::vector<LanguageTarget> own;
    std::vector<LanguageAnchor> anchors;
    // Number of each device, as pipeline stages: more memory, no more speed.
    double count = 1;
    std::optional<double> memoryBytes;     // of every device, overrides its specification (a processor's RAM)
    std::optional<double> bytesPerSecond;  // likewise, e.g. for fewer memory channels
};
// Devices by id from `own` and the catalogue, in the order of `only`; all if it is empty. They point into the
// arguments. NotFound: an unknown id, with the closest known one.
struct ChosenDevices {
    std::vector<const LanguageTarget*> own;
    std::vector<const catalog::HardwareSpec*> catalogued;
};
[[nodiscard]] Result<ChosenDevices> chosenDevices(const catalog::Catalog& catalog, const std::vector<std::string>& only,
                                                  const std::vector<LanguageTarget>& own);

// The user's own devices first, then the catalogue in its order. NotFound names an unknown device, InvalidArgument
// unknown software.
[[nodiscard]] Result<std::vector<LanguagePrediction>> predictLanguage(const LanguageJob& job,
                                                                      const catalog::Catalog& catalog,
                                                                      const LanguageParameters& parameters,
                                                                      const LanguageRequest& request);

// The memory of a target and the part available to a model.
void setMemory(LanguageTarget& target, double bytes);
// The input of the speed model, for callers that vary it (a batch sweep).
[[nodiscard]] LanguageWork languageWork(const LanguageJob& job, const LanguageParameters& parameters);
[[nodiscard]] LanguagePrediction predictOn(const LanguageJob& job, const LanguageTarget& target,
                                           const LanguageStack& stack, const LanguageParameters& parameters);
// The llama.cpp backend for a device.
[[nodiscard]] std::string_view usualStack(LanguageDeviceClass value);

struct FineTuning {
    enum class Method { Full, FullBf16, Lora, Qlora };
    Method method = Method::Lora;
    std::int64_t rank = 16;
    model::LoraTargets targets = model::LoraTargets::AllLinear;
    double tokens = 2048;    // per step: batch x length
    double sequence = 2048;  // sequence length, at most `tokens`
    bool checkpointing = true;
};
struct FineTuningMemory {
    double trained = 0;      // trained parameters
    double base = 0;         // frozen weights
    double optimiser = 0;    // trained weights, gradients, Adam's two moments
    double activations = 0;  // kept for the backward pass
    double logits = 0;       // 14 B x vocabulary per token in common implementations
    [[nodiscard]] double total() const { return base + optimiser + activations + logits; }
};
// Full: 16 B per parameter (mixed precision, Adam), 8 in pure bf16. LoRA: base 2 B, adapters 16 B per parameter. QLoRA:
// base in nf4 with double quantisation, embedding and head in 16 bits.
[[nodiscard]] FineTuningMemory fineTuningMemory(const model::DecoderSpec& spec, const FineTuning& tuning);

}  // namespace steelyard::advisor
