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

#include "engine/advisor/usual_job.h"

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
    // The defaults of usual_job.h.
    LanguageQuestion();

    LanguageTask task = LanguageTask::Chat;
    std::string model{advisor::kUsualLanguageModel};  // from the table, or the path of a config.json or GGUF file
    std::string weights{advisor::kUsualWeights};
    bool smallCache = false;  // 8-bit KV cache
    std::string software;     // id of a stack; empty: chosen for each device
    // Chat and serve:
    double prompt = 0, answer = 0;  // tokens per request
    LanguageLoad chat, serve;
    double busy = 0, years = 0;  // fine-tuning, too
    bool spot = false;
    std::optional<double> apiInput, apiOutput;  // price of another API: USD per million tokens
    // Fit:
    double context = 4096, batch = 1, devices = 1;
    std::string device{"rtx4090"};  // device on which all models are compared
    // Fine-tuning:
    advisor::FineTuning tuning;
    double datasetTokens = 0, epochs = 1;
    std::string tuningSoftware;  // id of a training stack; empty: chosen for each device

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
    std::vector<std::pair<std::string, std::string>> weights;                   // name, title
    std::vector<std::pair<std::string, std::string>> devices;                   // id, name: devices with known memory
    std::vector<std::pair<std::string, std::string>> software, tuningSoftware;  // id, title
};

// Memory of a device or this computer.
struct MemoryCapacity {
    std::string name;
    double bytes = 0;
    bool own = false;
};

struct LanguageAnswer {
    LanguageQuestion question;
    std::string json;                 // as the command line prints it
    advisor::LanguageJob job;         // with context and batch of the question
    advisor::LanguageMemory memory;   // of that job on a GPU
    bool isBeyondTraining = false;    // a longer context than the model was trained for
    std::vector<std::string> unread;  // ignored members of the user's config.json
    advisor::ServingRequest request;  // chat and serve
    advisor::ServingAdvice advice;
    std::map<std::string, std::string> deviceNames, softwareNames;  // by id
    std::vector<advisor::LanguagePrediction> devices;               // fit: this model on every device with known memory
    std::map<std::string, advisor::LanguagePrediction> prompts;     // fit: a prompt that fills the context, by device
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
