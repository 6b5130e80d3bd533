// SPDX-License-Identifier: Apache-2.0
// A question about a language model, the options of its form, and the advisor's answer: plain values copied between
// threads. All speeds in an answer are predictions.
#pragma once

#include <QVariantMap>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/advisor/language/fine_tuning.h"
#include "engine/advisor/language/language_offers.h"

namespace steelyard::ui {

enum class LanguageTask { Chat, Serve, FineTune, Fit };
inline constexpr std::array kLanguageTasks{LanguageTask::Chat, LanguageTask::Serve, LanguageTask::FineTune,
                                           LanguageTask::Fit};
[[nodiscard]] std::string_view toString(LanguageTask task);  // "chat", "serve", "finetune", "fit"

// Load per month.
struct LanguageLoad {
    double tokensPerMonth = 0;  // prompts and answers
    double userSpeed = 0;       // minimum tokens per second per user
    friend bool operator==(const LanguageLoad&, const LanguageLoad&) = default;
};

struct LanguageQuestion {
    LanguageTask task = LanguageTask::Chat;
    std::string model{"llama_3_1_8b"};  // from the table, or the path of a config.json or GGUF file
    std::string weights{"q4_k_m"};
    bool smallCache = false;  // 8-bit KV cache
    // Chat and serve:
    double prompt = 1000, answer = 300;  // tokens per request
    LanguageLoad chat{3e6, 10}, serve{1e8, 20};
    double busy = 0.5, years = 3;
    bool spot = false;
    std::optional<double> apiInput, apiOutput;  // price of another API: USD per million tokens
    // Fit:
    double context = 4096, batch = 1, devices = 1;
    std::string device{"rtx4090"};  // device on which all models are compared
    // Fine-tuning:
    advisor::FineTuning tuning;
    double datasetTokens = 1e7, epochs = 1;

    [[nodiscard]] LanguageLoad& load() { return task == LanguageTask::Chat ? chat : serve; }
    [[nodiscard]] const LanguageLoad& load() const { return task == LanguageTask::Chat ? chat : serve; }
};

// For the settings file. Missing or invalid values keep their defaults.
[[nodiscard]] QVariantMap toMap(const LanguageQuestion& question);
[[nodiscard]] LanguageQuestion languageQuestionFrom(const QVariantMap& map);

struct LanguageModelOption {
    std::string id, title;
    double parameters = 0;
    double contextLength = 0;  // 0: unknown
};

// Options of the form.
struct LanguageOptions {
    std::vector<LanguageModelOption> models;
    std::vector<std::pair<std::string, std::string>> weights;  // name, title
    std::vector<std::pair<std::string, std::string>> devices;  // id, name: devices with known memory
};

// Memory of a device or this computer.
struct MemoryCapacity {
    std::string name;
    double bytes = 0;
    bool own = false;
};

struct LanguageAnswer {
    LanguageQuestion question;
    advisor::LanguageJob job;         // with context and batch of the question
    advisor::LanguageMemory memory;   // of that job on a GPU
    bool isBeyondTraining = false;    // a longer context than the model was trained for
    std::vector<std::string> unread;  // ignored members of the user's config.json
    advisor::ServingRequest request;  // chat and serve
    advisor::ServingAdvice advice;
    std::map<std::string, std::string> deviceNames;    // by id
    std::vector<advisor::LanguagePrediction> devices;  // fit: this model on every device with known memory
    // Fit: every model on one device, smallest first.
    struct OnDevice {
        LanguageModelOption model;
        advisor::LanguagePrediction prediction;
    };
    std::vector<OnDevice> models;
    std::string deviceName;
    // This model in other weight formats, smallest first.
    std::vector<std::pair<std::string, advisor::LanguageMemory>> formats;
    // Fine-tuning by each method, with the other options of the question.
    std::vector<std::pair<advisor::FineTuning::Method, advisor::FineTuningMemory>> methods;
    advisor::TuningOfferRequest tuningRequest;
    advisor::TuningAdvice tuningAdvice;
    std::vector<advisor::TuningPrediction> tuned;  // by the requested method, on every device with known memory
    std::vector<MemoryCapacity> capacities;        // ascending
};

}  // namespace steelyard::ui
