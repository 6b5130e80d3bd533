// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/language_table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <tuple>

#include "app/cli/options/language_inputs.h"
#include "app/cli/tables/text_table.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using advisor::Fits;
using advisor::LanguagePrediction;

std::string fitText(const LanguagePrediction& p) {
    return p.fits == Fits::Unknown ? "-" : p.fits == Fits::Yes ? "yes" : "no";
}

std::string speedText(const LanguagePrediction& p) {
    return p.hasSpeed() ? formatNumber(p.tokensPerSecond.median) : "-";
}

std::string rangeText(const LanguagePrediction& p) {
    if (!p.hasSpeed()) return "-";
    return fmt::format("{} to {}", formatNumber(p.tokensPerSecond.low), formatNumber(p.tokensPerSecond.high));
}

std::string availableText(const LanguagePrediction& p) {
    return p.availableBytes ? languageBytes(*p.availableBytes) : "-";
}

}  // namespace

std::string jobText(const advisor::LanguageJob& job) {
    const auto& title = job.model.spec.title;
    if (job.mode == advisor::LanguageMode::Prefill)
        return fmt::format("{}, {}, prefill of {:.0f} tokens after {:.0f}", title, job.weights->title, job.context,
                           job.depth);
    return fmt::format("{}, {}, decode at context {:.0f}, batch {:.0f}", title, job.weights->title, job.context,
                       job.batch);
}

void printLanguagePredictions(std::ostream& out, const advisor::LanguageJob& job,
                              const std::vector<LanguagePrediction>& predictions) {
    const bool known = std::ranges::any_of(predictions, [](const LanguagePrediction& p) {
        return p.hasSpeed() && p.basis != advisor::Basis::Extrapolated;
    });
    fmt::print(out, "{}: predicted tokens per second with 80 % interval; {}\n\n", jobText(job),
               known ? "see \"basis\" for where stored measurements are used" : "no stored measurements");
    auto sorted = predictions;
    std::ranges::stable_sort(sorted, [](const LanguagePrediction& a, const LanguagePrediction& b) {
        const auto rank = [](const LanguagePrediction& p) {
            return std::tuple(p.fits == Fits::No, -p.tokensPerSecond.median);
        };
        return rank(a) < rank(b);
    });
    TextTable table({{"id"},
                     {"device"},
                     {"tokens/s", true},
                     {"80 % interval"},
                     {"memory", true},
                     {"of", true},
                     {"fits"},
                     {"basis"},
                     {"confidence"},
                     {"software"}});
    TextTable refused({{"id"}, {"device"}, {"no prediction because"}});
    for (const auto& p : sorted) {
        if (p.hasSpeed())
            table.add({p.id, p.name, speedText(p), rangeText(p), languageBytes(p.memory.total()), availableText(p),
                       fitText(p), std::string(toString(p.basis)), p.lowConfidence ? "low" : "normal", p.software});
        else
            refused.add({p.id, p.name, advisor::englishText(p.refusal)});
    }
    if (!table.isEmpty()) table.print(out);
    if (refused.isEmpty()) return;
    out << "\n";
    refused.print(out);
}

std::string jobText(const advisor::TuningJob& job) {
    using Method = advisor::FineTuning::Method;
    const auto& tuning = job.tuning;
    const bool adapters = tuning.method == Method::Lora || tuning.method == Method::Qlora;
    return fmt::format("{}, {}{}, steps of {:.0f} tokens in sequences of {:.0f}{}", job.model.spec.title,
                       toString(tuning.method), adapters ? fmt::format(" of rank {}", tuning.rank) : "", tuning.tokens,
                       std::min(tuning.sequence, tuning.tokens), tuning.checkpointing ? ", with checkpointing" : "");
}

void printTuningPredictions(std::ostream& out, const advisor::TuningJob& job,
                            const std::vector<advisor::TuningPrediction>& predictions) {
    fmt::print(out, "{}: predicted fine-tuning tokens per second with 80 % interval; no stored measurements\n\n",
               jobText(job));
    auto sorted = predictions;
    std::ranges::stable_sort(sorted, {}, [](const advisor::TuningPrediction& p) {
        return std::tuple(p.fits == Fits::No, -p.tokensPerSecond.median);
    });
    TextTable table({{"id"},
                     {"device"},
                     {"tokens/s", true},
                     {"80 % interval"},
                     {"memory", true},
                     {"of", true},
                     {"fits"},
                     {"confidence"},
                     {"software"}});
    TextTable refused({{"id"}, {"device"}, {"no prediction because"}});
    for (const auto& p : sorted) {
        if (!p.hasSpeed()) {
            refused.add({p.id, p.name, advisor::englishText(p.refusal)});
            continue;
        }
        const auto& speed = p.tokensPerSecond;
        table.add({p.id, p.name, formatNumber(speed.median),
                   fmt::format("{} to {}", formatNumber(speed.low), formatNumber(speed.high)),
                   languageBytes(p.neededBytes()), p.availableBytes ? languageBytes(*p.availableBytes) : "-",
                   p.fits == Fits::Unknown ? "-"
                   : p.fits == Fits::Yes   ? "yes"
                                           : "no",
                   p.lowConfidence ? "low" : "normal", p.software});
    }
    if (!table.isEmpty()) table.print(out);
    if (refused.isEmpty()) return;
    out << "\n";
    refused.print(out);
}

void printFit(std::ostream& out, const advisor::LanguageJob& job, const std::vector<LanguagePrediction>& predictions) {
    const auto need = predictions.empty() ? advisor::languageMemory(job, true) : predictions.front().memory;
    fmt::print(out, "{}: weights {}, KV cache {}, workspace {}; speeds are predicted\n\n", jobText(job),
               languageBytes(need.weights), languageBytes(need.cache), languageBytes(need.working));
    auto sorted = predictions;
    std::erase_if(sorted, [](const LanguagePrediction& p) { return !p.availableBytes; });
    std::ranges::stable_sort(sorted, {}, [](const LanguagePrediction& p) {
        return std::tuple(p.fits == Fits::No, p.fits == Fits::No ? -*p.availableBytes : *p.availableBytes);
    });
    TextTable table({{"id"},
                     {"device"},
                     {"usable", true},
                     {"fits"},
                     {"largest context", true},
                     {"largest batch", true},
                     {"layers", true},
                     {"tokens/s", true},
                     {"80 % interval"}});
    for (const auto& p : sorted)
        table.add({p.id, p.name, availableText(p), fitText(p), countText(p.largestContext), countText(p.largestBatch),
                   countText(p.layersOnDevice), p.fits == Fits::Yes ? speedText(p) : "-",
                   p.fits == Fits::Yes ? rangeText(p) : "-"});
    if (table.isEmpty())
        out << "no device with known memory\n";
    else
        table.print(out);
}

}  // namespace steelyard::cli
