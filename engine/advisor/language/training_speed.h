// SPDX-License-Identifier: Apache-2.0
// Tokens per second of training and fine-tuning a language model on a device it was not trained on. Pure functions;
// any thread.
//
// A step of n tokens in sequences of s, seconds:
//   products   2 N n (1 + a (1 + full + again)) / (P share)      N active weights with the head, a the share of layers
//              with trained weights, `again` where activations are recomputed
//   attention  4 L w n s / 2 (1 + a (2 + again)) / (P att)       w heads x head dimension; causal: half of s
//   launch     L (2 + again) tau                                 a host that launches operation by operation
//   unpack     N (2 + again) u / BW                              u bytes a quantised weight moves in each pass
//   optimizer  trained m / (BW updates)                          m bytes a trained weight moves in an update
//   t = ((products + attention)^4 + launch^4)^(1/4) + unpack + optimizer; t >= all FLOPs / P
//   share = stack's (P / P0)^-x (width / 4096)^y, at most the highest that any row reached; P within what rows cover
// P: dense 16-bit peak accumulated in fp32, without matrix units the fp32 rate. Constants: fitted by
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

// How the frozen weights of a fine-tuning are stored. Groups4: AWQ, GPTQ.
enum class TrainingBase { Bits16, Nf4, Groups4, Mlx4 };
[[nodiscard]] std::string_view toString(TrainingBase value);
[[nodiscard]] std::optional<TrainingBase> fromName(std::type_identity<TrainingBase>, std::string_view name);

// A program that trains language models.
struct TrainingStack {
    std::string id, title;            // "transformers", "Transformers + PEFT"
    std::vector<std::string> makers;  // whose devices it runs on: nvidia, amd, intel, apple, apu, cpu
    std::vector<std::string> seenOn;  // makers of the devices of its rows
    std::int64_t devicesSeen = 0;
    double share = 0.5;            // of the reference peak
    double layerMicroseconds = 0;  // of a layer and pass; 0: launches are not what it waits for

    [[nodiscard]] bool runsOn(std::string_view maker) const;
    [[nodiscard]] bool isSeenOn(std::string_view maker) const;
};

struct TrainingParameters {
    std::string source, date;
    double referenceFlops = 0, lowestFlops = 0, highestFlops = 0;  // P0; the range of P that rows cover
    double rateExponent = 0, widthExponent = 0, attentionShare = 1, highestShare = 1;
    double nf4Bytes = 0, groupsBytes = 0, optimizerBytes = 0;
    double expertsShare = 1;  // of a dense model's share: sparse layers do small products
    std::vector<TrainingStack> stacks;
    // "training": measured over predicted, with the device left out. "stack_unknown": with the stack left out; for
    // makers whose devices it was not seen on, too. "experts": between published ratios of sparse and dense models.
    std::map<std::string, Band, std::less<>> bands;

    [[nodiscard]] const TrainingStack* findStack(std::string_view id) const;
    [[nodiscard]] double unpackedBytes(TrainingBase base) const;
};
[[nodiscard]] Result<TrainingParameters> trainingParametersFromJson(std::string_view name, std::string_view text);
// models/training_predictor.json of the resources.
[[nodiscard]] Result<TrainingParameters> loadTrainingParameters(const std::filesystem::path& resources);
[[nodiscard]] std::string toJson(const TrainingParameters& parameters);

struct TrainingDevice {
    double flops = 0, bytesPerSecond = 0;
    std::string maker;
};

struct TrainingWork {
    double layers = 0, width = 0, attentionWidth = 0;
    double weights = 0;         // in matrices that a token passes through, with the head
    double storedWeights = 0;   // in all matrices: what a pass unpacks
    double trainedWeights = 0;  // that an update changes
    double adaptedShare = 1;    // of the layers
    double sequence = 0, stepTokens = 0, stepsPerUpdate = 1;
    bool full = false, checkpointing = true, hasExperts = false;
    TrainingBase base = TrainingBase::Bits16;

    // FLOPs of a step in products of weights, and in attention.
    [[nodiscard]] double productFlops() const;
    [[nodiscard]] double attentionFlops() const;
};

struct TrainingParts {
    double products = 0, attention = 0, launch = 0, unpack = 0, optimizer = 0;  // seconds of a step
    double bound = 0;                                                           // never faster
    double seconds = 0;
};
[[nodiscard]] TrainingParts trainingParts(const TrainingParameters& parameters, const TrainingStack& stack,
                                          const TrainingDevice& device, const TrainingWork& work);

// A published speed.
struct TrainingRow {
    std::string deviceName, model, stack;
    TrainingDevice device;
    TrainingWork work;
    double measured = 0;  // tokens per second of one device
};
[[nodiscard]] Result<std::vector<TrainingRow>> trainingRowsFromCsv(std::string name, std::string text);
// backtest/training_rows.csv of the resources.
[[nodiscard]] Result<std::vector<TrainingRow>> loadTrainingRows(const std::filesystem::path& resources);
// Tokens per second. A stack that is not known is taken as the geometric mean of those that are.
[[nodiscard]] double predictedTokensPerSecond(const TrainingParameters& parameters, const TrainingRow& row);
[[nodiscard]] TrainingStack unknownTrainingStack(const TrainingParameters& parameters);

}  // namespace steelyard::advisor
