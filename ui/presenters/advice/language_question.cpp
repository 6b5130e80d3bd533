// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/language_question.h"

#include <algorithm>
#include <cmath>

#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

constexpr double kMostTokens = 1e15;

double tokensIn(const QVariantMap& map, const char* key, double standard, double low, double high) {
    bool ok = false;
    const double value = map.value(QLatin1String(key)).toDouble(&ok);
    return ok && std::isfinite(value) ? std::clamp(value, low, high) : standard;
}

}  // namespace

std::string_view toString(LanguageTask task) {
    switch (task) {
        case LanguageTask::Chat:
            return "chat";
        case LanguageTask::Serve:
            return "serve";
        case LanguageTask::FineTune:
            return "finetune";
        case LanguageTask::Fit:
            return "fit";
    }
    return "chat";
}

LanguageQuestion::LanguageQuestion() {
    const auto usual = advisor::usualServing(advisor::ServingKind::Serve);
    const auto reading = advisor::usualServing(advisor::ServingKind::Chat);
    prompt = usual.prompt;
    answer = usual.answer;
    chat = {reading.tokensPerMonth, reading.userSpeed};
    serve = {usual.tokensPerMonth, usual.userSpeed};
    busy = usual.busy;
    years = usual.years;
    const auto fineTuning = advisor::usualTuning();
    tuning = fineTuning.job.tuning;
    datasetTokens = fineTuning.tokens;
}

QVariantMap toMap(const LanguageQuestion& q) {
    return {{QStringLiteral("task"), plain(toString(q.task))},
            {QStringLiteral("model"), plain(q.model)},
            {QStringLiteral("weights"), plain(q.weights)},
            {QStringLiteral("small_cache"), q.smallCache},
            {QStringLiteral("software"), plain(q.software)},
            {QStringLiteral("tuning_software"), plain(q.tuningSoftware)},
            {QStringLiteral("prompt"), q.prompt},
            {QStringLiteral("answer"), q.answer},
            {QStringLiteral("chat_tokens"), q.chat.tokensPerMonth},
            {QStringLiteral("chat_speed"), q.chat.userSpeed},
            {QStringLiteral("serve_tokens"), q.serve.tokensPerMonth},
            {QStringLiteral("serve_speed"), q.serve.userSpeed},
            {QStringLiteral("busy"), q.busy},
            {QStringLiteral("years"), q.years},
            {QStringLiteral("spot"), q.spot},
            {QStringLiteral("context"), q.context},
            {QStringLiteral("batch"), q.batch},
            {QStringLiteral("devices"), q.devices},
            {QStringLiteral("device"), plain(q.device)},
            {QStringLiteral("method"), static_cast<int>(q.tuning.method)},
            {QStringLiteral("rank"), qlonglong{q.tuning.rank}},
            {QStringLiteral("step_tokens"), q.tuning.tokens},
            {QStringLiteral("sequence"), q.tuning.sequence},
            {QStringLiteral("dataset_tokens"), q.datasetTokens},
            {QStringLiteral("epochs"), q.epochs},
            {QStringLiteral("checkpointing"), q.tuning.checkpointing}};
}

LanguageQuestion languageQuestionFrom(const QVariantMap& map) {
    LanguageQuestion q;
    const auto text = [&](const char* key, std::string& value) {
        if (const auto stored = map.value(QLatin1String(key)).toString(); !stored.isEmpty())
            value = stored.toStdString();
    };
    std::string task;
    text("task", task);
    for (const auto one : kLanguageTasks)
        if (task == toString(one)) q.task = one;
    text("model", q.model);
    if (map.contains(QStringLiteral("weights")))
        q.weights = map.value(QStringLiteral("weights")).toString().toStdString();
    text("device", q.device);
    text("software", q.software);
    text("tuning_software", q.tuningSoftware);
    q.smallCache = map.value(QStringLiteral("small_cache"), q.smallCache).toBool();
    q.prompt = tokensIn(map, "prompt", q.prompt, 1, 1e7);
    q.answer = tokensIn(map, "answer", q.answer, 1, 1e7);
    q.chat.tokensPerMonth = tokensIn(map, "chat_tokens", q.chat.tokensPerMonth, 1, kMostTokens);
    q.chat.userSpeed = tokensIn(map, "chat_speed", q.chat.userSpeed, 0.1, 1e5);
    q.serve.tokensPerMonth = tokensIn(map, "serve_tokens", q.serve.tokensPerMonth, 1, kMostTokens);
    q.serve.userSpeed = tokensIn(map, "serve_speed", q.serve.userSpeed, 0.1, 1e5);
    q.busy = tokensIn(map, "busy", q.busy, 0.01, 1);
    q.years = tokensIn(map, "years", q.years, 0.1, 20);
    q.spot = map.value(QStringLiteral("spot"), q.spot).toBool();
    q.context = tokensIn(map, "context", q.context, 1, 1e7);
    q.batch = tokensIn(map, "batch", q.batch, 1, 1e6);
    q.devices = tokensIn(map, "devices", q.devices, 1, 1024);
    q.tuning.method = static_cast<advisor::FineTuning::Method>(
        static_cast<int>(tokensIn(map, "method", static_cast<double>(q.tuning.method), 0, 3)));
    q.tuning.rank = static_cast<std::int64_t>(tokensIn(map, "rank", static_cast<double>(q.tuning.rank), 1, 65536));
    q.tuning.tokens = tokensIn(map, "step_tokens", q.tuning.tokens, 1, 1e8);
    q.tuning.sequence = tokensIn(map, "sequence", q.tuning.sequence, 1, 1e8);
    q.datasetTokens = tokensIn(map, "dataset_tokens", q.datasetTokens, 1, kMostTokens);
    q.epochs = tokensIn(map, "epochs", q.epochs, 0.01, 1e4);
    q.tuning.checkpointing = map.value(QStringLiteral("checkpointing"), q.tuning.checkpointing).toBool();
    return q;
}

}  // namespace steelyard::ui
