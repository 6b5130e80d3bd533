// SPDX-License-Identifier: Apache-2.0
// Seconds of a language model's two kinds of work on a device it has not run on. Pure functions; any thread.
//
// Decode, one token of one stream:
//   memory   W / (BW E)                W bytes of weights read, E the class's share of the bandwidth (times the
//   stack's); where reading was measured, the stack's share of that
//   compute  N k c f / V               N active weights, k operations to unpack one, V fp32 rate, f of older
//   chips cache    KV / (BW share)           KV = bytes a token x context; without flash attention x heads / kv_heads
//   launch   layers x tau              on a processor x (threads / 16)^exponent
//   t = sqrt(memory^2 + compute^2) + cache + launch; a host-bound stack takes the 4-norm of the two sums; t >= W / BW
// Prefill of n tokens at depth d:
//   x = 1 / share x (P / P0)^a x ...   how much slower than the peak P the products run
//   t = 2 N n x / P + 2 N ceil(n / 512) (experts / active) n0 x / P + attention + launch; t >= 2 N n / P x b
// Attention: 4 layers heads head_dimension n (d + n / 2) / (P share). Windows bound the context of their layers.
// A port of a model fitted on published speeds; tests hold it to that model's own figures (language_rows.csv).
#pragma once

#include <string>

#include "engine/advisor/language/language_parameters.h"

namespace steelyard::advisor {

struct LanguageDevice {
    LanguageDeviceClass deviceClass = LanguageDeviceClass::NvidiaGddr;
    double bytesPerSecond = 0;
    double fp32Flops = 0;
    double matrixFlops = 0;    // dense 16-bit peak, accumulated in 16 bits where that is faster; Apple: fp32; a
                               // processor: its fp32 rate, of at most 32 FLOP a cycle and core
    double trainingFlops = 0;  // of a GPU: dense 16-bit peak accumulated in fp32, or its fp32 rate where that is higher
    double tdpWatts = 0;       // 0: unknown
    std::string architecture;
    double threads = 0, cores = 0;  // of a processor
    bool halfLanes = false;         // 64 fp32 lanes a multiprocessor: Volta, Turing, A100
    bool oldChip = false;           // Pascal and before
    bool noDot4 = false;            // GP100
    bool appleM3 = false;           // M3 and later
    bool noPowerCap = false;        // A100
    // bytesPerSecond is what reading reached on this very device, not a figure from paper.
    bool measuredBandwidth = false;
};

struct LanguageWork {
    double readBytes = 0, expertBytes = 0;  // a token reads; of which of routed experts
    double activeWeights = 0;               // in matrices, without embedding and head
    double cacheBytesPerToken = 0;
    double layers = 0, cacheLayers = 0, heads = 0, kvHeads = 0, headDimension = 0;
    double window = 0, globalShare = 1;  // share of layers that see the whole context
    double experts = 0, activeExperts = 0;
    model::WeightCost cost = model::WeightCost::Bits16;
    bool slowOnCpu = false, isBf16 = false, isNf4 = false, isDequantised = false;
};

struct LanguageConditions {
    double context = 0;  // decode: tokens in the cache
    double prompt = 0;   // prefill: tokens at once
    double depth = 0;    // ... behind so many
    double batch = 1;    // streams that decode together
    bool flashAttention = true;
    double year = 2026.9;    // of the software
    bool llamafile = false;  // its kernels for processors
};

struct LanguageParts {
    double memory = 0, compute = 0, cache = 0, launch = 0;  // decode; prefill: passes over weights in `memory`,
                                                            // products in `compute`, attention in `cache`
    double bound = 0;                                       // never faster
    double seconds = 0;
};

// Seconds of a token of each stream.
[[nodiscard]] LanguageParts decodeParts(const LanguageParameters& parameters, const LanguageStack& stack,
                                        const LanguageDevice& device, const LanguageWork& work,
                                        const LanguageConditions& conditions);
// Seconds of a whole prompt. The stack must have a prefillShare; one without is taken as half of the peak.
[[nodiscard]] LanguageParts prefillParts(const LanguageParameters& parameters, const LanguageStack& stack,
                                         const LanguageDevice& device, const LanguageWork& work,
                                         const LanguageConditions& conditions);

// The band of a device's class; of an unknown stack, or one seen on a single device, that of unknown stacks.
[[nodiscard]] std::string languageBandName(LanguageDeviceClass deviceClass, const LanguageStack& stack, bool prefill);

}  // namespace steelyard::advisor
