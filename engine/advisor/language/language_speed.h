// SPDX-License-Identifier: Apache-2.0
// Predicted seconds of decode and prefill of a language model on a device that it was not measured on. Pure functions;
// any thread.
//
// Decode, one token of one stream:
//   memory   W / (BW E)              W bytes of weights read, E the class's fraction of the bandwidth (times the
//                                    stack's); with a measured read bandwidth, the stack's fraction of that
//   compute  N k c f / V             N active weights, k operations to unpack one, V fp32 rate, f for older chips
//   cache    KV / (BW share)         KV = bytes per token x context; without flash attention x heads / kv_heads
//   launch   layers x tau            on a processor x (threads / 16)^exponent
//   t = sqrt(memory^2 + compute^2) + cache + launch; host-bound stacks: the 4-norm of the two sums; t >= W / BW
// Prefill of n tokens at depth d:
//   x = 1 / share x (P / P0)^a x ...   slowdown of matrix products relative to the peak P
//   t = 2 N n x / P + 2 N ceil(n / 512) (experts / active) n0 x / P + attention + launch; t >= 2 N n / P x b
// Attention: 4 layers heads head_dimension n (d + n / 2) / (P share). Windows bound the context of their layers.
// Ported from a model fitted on published speeds; tests compare it with that model's results (language_rows.csv).
#pragma once

#include <string>

#include "engine/advisor/language/language_parameters.h"

namespace steelyard::advisor {

struct LanguageDevice {
    LanguageDeviceClass deviceClass = LanguageDeviceClass::NvidiaGddr;
    double bytesPerSecond = 0;
    double fp32Flops = 0;
    double matrixFlops = 0;    // dense 16-bit peak, with fp16 accumulation if faster; Apple: fp32; processor:
                               // fp32 rate, at most 32 FLOP per cycle and core
    double trainingFlops = 0;  // GPU: dense 16-bit peak with fp32 accumulation, or the fp32 rate if higher
    double tdpWatts = 0;       // 0: unknown
    std::string architecture;
    double threads = 0, cores = 0;     // of a processor
    bool halfLanes = false;            // 64 fp32 lanes per multiprocessor: Volta, Turing, A100
    bool oldChip = false;              // Pascal and older
    bool noDot4 = false;               // GP100
    bool appleM3 = false;              // M3 and newer
    bool noPowerCap = false;           // A100
    std::optional<double> capability;  // NVIDIA: compute capability, 8.6
    // bytesPerSecond is the measured read bandwidth of this device, not a specification.
    bool measuredBandwidth = false;
};

struct LanguageWork {
    double readBytes = 0, expertBytes = 0;  // read per token; the part in routed experts
    double activeWeights = 0;               // in matrices, without embedding and output head
    double cacheBytesPerToken = 0;
    double layers = 0, cacheLayers = 0, heads = 0, kvHeads = 0, headDimension = 0;
    double window = 0, globalShare = 1;  // fraction of layers with full context
    double experts = 0, activeExperts = 0;
    model::WeightCost cost = model::WeightCost::Bits16;
    bool slowOnCpu = false, isBf16 = false, isNf4 = false, isDequantised = false;
};

struct LanguageConditions {
    double context = 0;  // decode: tokens in the cache
    double prompt = 0;   // prefill: tokens of the prompt
    double depth = 0;    // prefill: tokens before the prompt
    double batch = 1;    // streams decoded together
    bool flashAttention = true;
    double year = 2026.9;    // release date of the software
    bool llamafile = false;  // uses llamafile's processor kernels
};

struct LanguageParts {
    double memory = 0, compute = 0, cache = 0, launch = 0;  // decode; prefill: passes over weights in `memory`,
                                                            // products in `compute`, attention in `cache`
    double bound = 0;                                       // lower bound by the roofline
    double seconds = 0;
};

// Seconds per token of each stream.
[[nodiscard]] LanguageParts decodeParts(const LanguageParameters& parameters, const LanguageStack& stack,
                                        const LanguageDevice& device, const LanguageWork& work,
                                        const LanguageConditions& conditions);
// Seconds of a whole prompt. For a stack without a prefillShare, half of the peak is assumed.
[[nodiscard]] LanguageParts prefillParts(const LanguageParameters& parameters, const LanguageStack& stack,
                                         const LanguageDevice& device, const LanguageWork& work,
                                         const LanguageConditions& conditions);

// The band of a device's class; for an unknown stack, or one seen on a single device, that of unknown stacks.
[[nodiscard]] std::string languageBandName(LanguageDeviceClass deviceClass, const LanguageStack& stack, bool prefill);

}  // namespace steelyard::advisor
