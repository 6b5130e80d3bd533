// SPDX-License-Identifier: Apache-2.0
// Predicted tokens per second of training and fine-tuning a language model on a device that it was not measured on.
// Pure functions; any thread.
//
// Seconds of a step of n tokens in sequences of s:
//   products   2 N n (1 + a (1 + full + again)) / (P share)      N active weights with the head, a the fraction of
//              layers with trained weights, `again` 1 if activations are recomputed
//   attention  4 L w n s / 2 (1 + a (2 + again)) / (P att)       w heads x head dimension; causal: half of s
//   launch     L (2 + again) tau                                 if the host launches one operation at a time
//   unpack     N (2 + again) u / BW                              u bytes moved per quantised weight and pass
//   optimizer  trained m / (BW updates)                          m bytes moved per trained weight and update
//   t = ((products + attention)^4 + launch^4)^(1/4) + unpack + optimizer; t >= all FLOPs / P
//   share = stack's (P / P0)^-x (width / 4096)^y, at most the highest of any row; P clamped to the range of the rows
// P: dense 16-bit peak accumulated in fp32; the fp32 rate without matrix units. Constants: fitted by
// tests/performance/fit/fit_training on resources/backtest/training_rows.csv.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/advisor/predict/predictor_parameters.h"
#include "engine/core/error.h"

namespace steelyard::advisor {

// Storage format of the frozen weights in fine-tuning. Groups4: AWQ, GPTQ.
enum class TrainingBase { Bits16, Nf4, Groups4, Mlx4 };
[[nodiscard]] std::string_view toString(TrainingBase value);
[[nodiscard]] std::optional<TrainingBase> fromName(std::type_identity<TrainingBase>, std::string_view name);

// Software that trains language models.
struct TrainingStack {
    std::string id, title;            // "transformers", "Transformers + PEFT"
    std::vector<std::string> makers;  // vendors of supported devices: nvidia, amd, intel, apple, apu, cpu
    std::vector<std::string> seenOn;  // vendors of the devices in its rows
    std::int64_t devicesSeen = 0;
    double share = 0.5;            // of the reference peak
    double layerMicroseconds = 0;  // per layer and pass; 0: not limited by launches

    [[nodiscard]] bool runsOn(std::string_view maker) const;
    [[nodiscard]] bool isSeenOn(std::string_view maker) const;
};

struct TrainingParameters {
    std::string source, date;
    double referenceFlops = 0, lowestFlops = 0, highestFlops = 0;  // P0; the range of P covered by rows
    double rateExponent = 0, widthExponent = 0, attentionShare = 1, highestShare = 1;
    double nf4Bytes = 0, groupsBytes = 0, optimizerBytes = 0;
    double expertsShare = 1;  // relative to a dense model: sparse layers do small products
    std::vector<TrainingStack> stacks;
    // "training": measured over predicted, with the device left out. "stack_unknown": with the stack left out; also for
    // vendors whose devices it was not seen on. "experts": between published ratios of sparse and dense models.
    std::map<std::string, Band, std::less<>> bands;

    [[nodiscard]] const TrainingStack* findStack(std::string_view id) const;
    [[nodiscard]] double unpackedBytes(TrainingBase base) const;
};
[[nodiscard]] Result<TrainingParameters> trainingParametersFromJson(std::string_view name, std::string_view text);
// models/training_predictor.json in the resources.
[[nodiscard]] Result<TrainingParameters> loadTrainingParameters(const std::filesystem::path& resources);
[[nodiscard]] std::string toJson(const TrainingParameters& parameters);

struct TrainingDevice {
    double flops = 0, bytesPerSecond = 0;
    std::string maker;
};

struct TrainingWork {
    double layers = 0, width = 0, attentionWidth = 0;
    double weights = 0;         // in matrices that a token passes through, with the head
    double storedWeights = 0;   // in all matrices, unpacked by each pass
    double trainedWeights = 0;  // changed by an update
    double adaptedShare = 1;    // fraction of layers
    double sequence = 0, stepTokens = 0, stepsPerUpdate = 1;
    bool full = false, checkpointing = true, hasExperts = false;
    TrainingBase base = TrainingBase::Bits16;

    // FLOPs per step of products with weights, and of attention.
    [[nodiscard]] double productFlops() const;
    [[nodiscard]] double attentionFlops() const;
};

struct TrainingParts {
    double products = 0, attention = 0, launch = 0, unpack = 0, optimizer = 0;  // seconds per step
    double bound = 0;                                                           // lower bound
    double seconds = 0;
};
[[nodiscard]] TrainingParts trainingParts(const TrainingParameters& parameters, const TrainingStack& stack,
                                          const TrainingDevice& device, const TrainingWork& work);

// A published speed.
struct TrainingRow {
    std::string deviceName, model, stack;
    TrainingDevice device;
    TrainingWork work;
    double measured = 0;  // tokens per second per device
};
[[nodiscard]] Result<std::vector<TrainingRow>> trainingRowsFromCsv(std::string name, std::string text);
// backtest/training_rows.csv in the resources.
[[nodiscard]] Result<std::vector<TrainingRow>> loadTrainingRows(const std::filesystem::path& resources);
// Tokens per second. An unknown stack is taken as the geometric mean of the known ones.
[[nodiscard]] double predictedTokensPerSecond(const TrainingParameters& parameters, const TrainingRow& row);
[[nodiscard]] TrainingStack unknownTrainingStack(const TrainingParameters& parameters);

}  // namespace steelyard::advisor
