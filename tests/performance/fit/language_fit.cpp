// SPDX-License-Identifier: Apache-2.0
#include "tests/performance/fit/language_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/core/csv.h"
#include "engine/core/messages/core.h"
#include "engine/core/quantile.h"

namespace steelyard::fit {
namespace {

using advisor::Band;
using advisor::LanguageDeviceClass;
using advisor::LanguageParameters;
using advisor::LanguageRow;
using advisor::LanguageStack;

constexpr double kRobust = 0.1;        // logarithms beyond this are weighted linearly instead of quadratically
constexpr double kTowardStart = 1e-3;  // weight of log(constant / start): decides where rows do not
constexpr int kMostSteps = 200;
constexpr double kCovered = 0.8;  // of the rows of a device whose rows are not in the band

// What the rows do not contain: on which devices a program runs, and which formats it loads. Zero: no such constant.
struct KnownSoftware {
    const char* id;
    const char* title;
    std::vector<std::string> makers, formats;
    bool hasBandwidthFactor = true, hasDecodeCost = false, hostBound = false;
};
const std::vector<KnownSoftware>& knownSoftware() {
    static const std::vector<std::string> gguf{"gguf"};
    static const std::vector<KnownSoftware> known{
        {"llamacpp_cuda", "llama.cpp CUDA", {"nvidia"}, gguf, false},
        {"llamacpp_metal", "llama.cpp Metal", {"apple"}, gguf, false},
        {"llamacpp_rocm", "llama.cpp ROCm", {"amd", "apu"}, gguf, false, true},
        {"llamacpp_vulkan", "llama.cpp Vulkan", {"nvidia", "amd", "intel", "apu"}, gguf, false, true},
        {"llamacpp_sycl", "llama.cpp SYCL", {"intel"}, gguf, false},
        {"llamacpp_cpu", "llama.cpp CPU", {"cpu"}, gguf, false},
        {"llamacpp_cpu_tuned", "llama.cpp CPU (tuned)", {"cpu"}, {}, false},
        {"ik_llamacpp_cpu", "ik_llama.cpp CPU", {"cpu"}, gguf, false, true},
        {"mlx", "MLX", {"apple"}, {"f32", "f16", "bf16", "mlx4", "mxfp4"}, true, true},
        {"mlc", "MLC", {"nvidia", "amd"}, {"f32", "f16"}},
        {"openvino_gpu", "OpenVINO GPU", {"intel", "apu"}, {"f32", "f16", "bf16", "int8"}},
        {"exllama", "exllama v1", {"nvidia"}, {"gptq4"}},
        {"exllamav2", "exllamav2", {"nvidia"}, {"f16", "gptq4"}},
        {"autoawq", "AutoAWQ", {"nvidia"}, {"awq4"}},
        {"gpt_fast", "gpt-fast", {"nvidia", "amd"}, {"bf16", "int8"}},
        {"transformers",
         "transformers",
         {"nvidia", "amd"},
         {"f32", "f16", "bf16", "nf4", "nf4_double", "awq4", "gptq4", "int8", "fp8", "mxfp4"},
         false,
         false,
         true},
        {"vllm", "vLLM", {"nvidia", "amd"}, {"f32", "f16", "bf16", "awq4", "gptq4", "int8", "fp8", "mxfp4"}},
    };
    return known;
}

double sixDigits(double value) {
    return std::stod(fmt::format("{:.6g}", value));
}

// A constant of the search, on a logarithmic scale.
struct Searched {
    double* value;
    double start, low, high;
};

LanguageParameters startValues(std::span<const LanguageRow* const> rows) {
    LanguageParameters p;
    for (const auto value :
         {LanguageDeviceClass::NvidiaGddr, LanguageDeviceClass::NvidiaUnified, LanguageDeviceClass::Apple,
          LanguageDeviceClass::Amd, LanguageDeviceClass::Intel, LanguageDeviceClass::Apu})
        p.bandwidthShare[value] = 0.9;
    for (const auto value : {LanguageDeviceClass::NvidiaHbm, LanguageDeviceClass::AmdHbm, LanguageDeviceClass::CpuX86,
                             LanguageDeviceClass::CpuArm})
        p.bandwidthShare[value] = 0.7;
    for (auto* family : {&p.gpu, &p.metal, &p.cpu}) {
        family->weightCost = {3, 8, 8, 8};
        family->cacheShare = family->cacheShareFlash = 0.5;
    }
    p.slowOnCpu = 8;
    p.cpuLayerMicroseconds = 30;
    p.cpuThreadExponent = 1;
    p.cacheShareIk = 0.5;
    p.transformersNf4 = 2;
    p.transformersDequantised = 1.3;
    p.noDot4 = 4;  // of 4 bytes a product: GP100 has none
    for (auto* family : {&p.prefillCuda, &p.prefillMetal, &p.prefillCpu, &p.prefillOther}) {
        family->referenceFlops = 1e14;
        family->rateExponent = 0.1;
        family->weightTokens = 32;
        family->layerMicroseconds = 60;
        family->attentionShare = family->attentionShareIk = 0.2;
        family->attentionShareFlash = 0.2;
    }
    p.prefillMetal.referenceFlops = 1e13;
    p.prefillCpu.referenceFlops = 1e12;
    p.prefillCpu.attentionShare = 0.15;
    p.powerExponent = 0.5;
    p.volta = 1.5;
    p.bf16Other = 2;
    for (auto* factor : {&p.cpuBits8, &p.cpuBits4Simple, &p.cpuBits4Nested, &p.cpuSlowX86}) *factor = 1.1;
    p.cpuIk = p.cpuTuned = 1.25;
    p.cpuSlowArm = 2;
    // TFLOPS per watt of a card of the architecture with its full rate.
    p.teraflopsPerWatt = {{"Ada", 0.73},    {"Ampere", 0.41}, {"Blackwell", 0.73},
                          {"Hopper", 1.41}, {"Turing", 0.43}, {"Volta", 0.42}};
    for (const auto& known : knownSoftware()) {
        std::set<std::string> devices, makers;
        bool decodes = false, prefills = false;
        for (const auto* row : rows) {
            if (row->stack != known.id) continue;
            devices.insert(row->deviceName);
            makers.emplace(makerOf(row->device.deviceClass));
            (row->prefill ? prefills : decodes) = true;
        }
        if (devices.empty()) continue;
        auto& stack = p.stacks.emplace_back();
        stack.id = known.id;
        stack.title = known.title;
        stack.makers = known.makers;
        stack.formats = known.formats;
        stack.seenOn = {makers.begin(), makers.end()};
        stack.devicesSeen = static_cast<std::int64_t>(devices.size());
        stack.hostBound = known.hostBound;
        if (decodes && !makers.contains("cpu")) stack.layerMicroseconds = known.hostBound ? 800 : 80;
        if (prefills) stack.prefillShare = makers.contains("cpu") ? 1 : 0.5;
    }
    return p;
}

std::vector<Searched> decodeConstants(LanguageParameters& p) {
    std::vector<Searched> found;
    const auto add = [&](double& value, double low, double high) { found.push_back({&value, value, low, high}); };
    for (auto& [value, share] : p.bandwidthShare) add(share, 0.2, 0.97);
    for (auto* family : {&p.gpu, &p.metal, &p.cpu}) {
        for (auto& cost : family->weightCost) add(cost, 0.5, 100);
        add(family->cacheShare, 0.05, 2);
        add(family->cacheShareFlash, 0.05, 1);
    }
    add(p.slowOnCpu, 0.5, 100);
    add(p.cpuLayerMicroseconds, 1, 300);
    add(p.cpuThreadExponent, 0.1, 3);
    add(p.cacheShareIk, 0.05, 1);
    add(p.llamaCppHbm, 0.5, 1.5);
    for (auto* factor : {&p.hbmLayers, &p.expertLayers, &p.transformersNf4, &p.transformersDequantised})
        add(*factor, 0.5, 4);
    for (auto* factor : {&p.oldChips, &p.halfLanes, &p.appleM3}) add(*factor, 0.2, 10);
    for (auto& stack : p.stacks) {
        const auto known = std::ranges::find_if(knownSoftware(), [&](const auto& one) { return stack.id == one.id; });
        if (stack.layerMicroseconds) add(*stack.layerMicroseconds, 5, 3000);
        if (known->hasBandwidthFactor) add(stack.bandwidthFactor, 0.5, 1.4);
        if (known->hasDecodeCost) add(stack.decodeCost, 0.25, 4);
    }
    return found;
}

std::vector<Searched> prefillConstants(LanguageParameters& p) {
    std::vector<Searched> found;
    const auto add = [&](double& value, double low, double high) { found.push_back({&value, value, low, high}); };
    for (auto* family : {&p.prefillCuda, &p.prefillMetal, &p.prefillCpu, &p.prefillOther}) {
        add(family->rateExponent, 0.01, 0.8);
        add(family->expertsFactor, 0.8, 4);
        add(family->weightTokens, 1, 300);
        add(family->layerMicroseconds, 1, 3000);
        add(family->attentionShare, 0.01, 2);
        add(family->attentionShareFlash, 0.01, 2);
    }
    add(p.prefillCpu.attentionShareIk, 0.01, 2);
    for (auto* factor : {&p.prefillCuda.earlyFactor, &p.prefillCpu.earlyFactor}) add(*factor, 0.2, 5);
    for (auto* factor :
         {&p.prefillCuda.quantisedFactor, &p.prefillMetal.quantisedFactor, &p.volta, &p.bf16Other, &p.cpuBits8,
          &p.cpuBits4Simple, &p.cpuBits4Nested, &p.cpuIk, &p.cpuTuned, &p.cpuSlowX86, &p.cpuSlowArm})
        add(*factor, 0.2, 5);
    add(p.powerExponent, 0.01, 2);
    for (auto& stack : p.stacks)
        if (stack.prefillShare) add(*stack.prefillShare, 0.05, 2);
    return found;
}

// Solves a x = b for a symmetric positive definite matrix, which is overwritten; false if it is not.
bool solve(std::vector<std::vector<double>>& a, std::vector<double>& b) {
    const std::size_t n = b.size();
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > 0)) return false;
        a[j][j] = std::sqrt(a[j][j]);
        for (std::size_t i = j + 1; i < n; ++i) {
            for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

// Minimises the loss over the logarithms of the constants.
class Search {
public:
    Search(const LanguageParameters& p, std::vector<Searched> constants, std::vector<const LanguageRow*> rows)
        : m_p(p), m_constants(std::move(constants)), m_rows(std::move(rows)) {
        std::map<std::pair<std::string, std::string>, double> count;
        for (const auto* row : m_rows) ++count[{row->deviceName, row->stack}];
        for (const auto* row : m_rows) m_weights.push_back(1 / count[{row->deviceName, row->stack}]);
        for (const auto& constant : m_constants) m_moved.push_back(std::log(*constant.value / constant.start));
    }
    void run() {
        if (m_rows.empty()) return;
        residuals(m_residuals);
        double best = loss(m_residuals, m_moved), damping = 1e-3;
        for (int step = 0; step < kMostSteps && damping < 1e8; ++step) {
            const auto moved = m_moved;
            linearise();
            bool better = false;
            while (!better && damping < 1e8) {
                auto next = stepFrom(moved, damping);
                apply(next);
                std::vector<double> there;
                residuals(there);
                const double value = loss(there, next);
                better = value < best;
                if (better) {
                    const bool isFlat = best - value < 1e-11 * best;
                    best = value;
                    m_moved = std::move(next);
                    m_residuals = std::move(there);
                    damping = std::max(damping / 5, 1e-9);
                    if (isFlat) return;
                } else {
                    damping *= 4;
                }
            }
            if (!better) apply(moved);
        }
    }

private:
    void apply(const std::vector<double>& moved) {
        for (std::size_t i = 0; i < moved.size(); ++i)
            *m_constants[i].value = m_constants[i].start * std::exp(moved[i]);
    }
    void residuals(std::vector<double>& out) const {
        out.clear();
        for (const auto* row : m_rows)
            out.push_back(std::log(advisor::predictedTokensPerSecond(m_p, *row) / row->measured));
    }
    [[nodiscard]] double loss(const std::vector<double>& residuals, const std::vector<double>& moved) const {
        double sum = 0;
        for (std::size_t i = 0; i < residuals.size(); ++i) {
            const double z = residuals[i] / kRobust;
            sum += m_weights[i] * 2 * kRobust * kRobust * (std::sqrt(1 + z * z) - 1);
        }
        for (const double one : moved) sum += kTowardStart * one * one;
        return sum;
    }
    // Derivatives of the residuals, by differences.
    void linearise() {
        constexpr double kDifference = 1e-5;
        m_jacobian.resize(m_constants.size());
        for (std::size_t i = 0; i < m_constants.size(); ++i) {
            const double here = *m_constants[i].value;
            *m_constants[i].value = here * std::exp(kDifference);
            residuals(m_jacobian[i]);
            std::vector<double> below;
            *m_constants[i].value = here * std::exp(-kDifference);
            residuals(below);
            *m_constants[i].value = here;
            for (std::size_t k = 0; k < below.size(); ++k)
                m_jacobian[i][k] = (m_jacobian[i][k] - below[k]) / (2 * kDifference);
        }
    }
    [[nodiscard]] std::vector<double> stepFrom(const std::vector<double>& moved, double damping) const {
        const std::size_t n = m_constants.size();
        std::vector<double> gradient(n), effective(m_rows.size());
        for (std::size_t k = 0; k < m_rows.size(); ++k)
            effective[k] = m_weights[k] / std::sqrt(1 + std::pow(m_residuals[k] / kRobust, 2));
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < n; ++i) {
            gradient[i] = kTowardStart * moved[i];
            for (std::size_t k = 0; k < m_rows.size(); ++k)
                gradient[i] += effective[k] * m_jacobian[i][k] * m_residuals[k];
            const double low = std::log(m_constants[i].low / m_constants[i].start);
            const double high = std::log(m_constants[i].high / m_constants[i].start);
            const bool atBound = (moved[i] <= low && gradient[i] > 0) || (moved[i] >= high && gradient[i] < 0);
            if (!atBound) free.push_back(i);
        }
        std::vector<std::vector<double>> matrix(free.size(), std::vector<double>(free.size()));
        std::vector<double> step(free.size());
        for (std::size_t a = 0; a < free.size(); ++a) {
            step[a] = -gradient[free[a]];
            for (std::size_t b = 0; b <= a; ++b) {
                double sum = 0;
                for (std::size_t k = 0; k < m_rows.size(); ++k)
                    sum += effective[k] * m_jacobian[free[a]][k] * m_jacobian[free[b]][k];
                matrix[a][b] = sum;
            }
            matrix[a][a] = (matrix[a][a] + kTowardStart) * (1 + damping);
        }
        auto next = moved;
        if (!solve(matrix, step)) return next;
        for (std::size_t a = 0; a < free.size(); ++a) {
            const auto& constant = m_constants[free[a]];
            next[free[a]] =
                std::clamp(moved[free[a]] + std::clamp(step[a], -1.0, 1.0), std::log(constant.low / constant.start),
                           std::log(constant.high / constant.start));
        }
        return next;
    }

    const LanguageParameters& m_p;
    std::vector<Searched> m_constants;
    std::vector<const LanguageRow*> m_rows;
    std::vector<double> m_weights, m_moved, m_residuals;
    std::vector<std::vector<double>> m_jacobian;  // by constant, then by row
};

// measured / predicted of a row, and its device.
struct Ratio {
    double value;
    std::string device;
};

Band percentiles(const std::vector<Ratio>& ratios, const std::string& without, double widening) {
    std::vector<double> values;
    for (const auto& one : ratios)
        if (one.device != without) values.push_back(one.value);
    if (values.empty()) return {};
    const double middle = quantile(values, 0.5);
    return {.low = middle * std::pow(quantile(values, 0.1) / middle, widening),
            .median = middle,
            .high = middle * std::pow(quantile(values, 0.9) / middle, widening)};
}

bool holdsForOthers(const std::vector<Ratio>& ratios, double widening) {
    std::set<std::string> devices;
    for (const auto& one : ratios) devices.insert(one.device);
    if (devices.size() < 2) return true;
    double inside = 0;
    for (const auto& device : devices) {
        const auto band = percentiles(ratios, device, widening);
        for (const auto& one : ratios)
            if (one.device == device && one.value >= band.low && one.value <= band.high) ++inside;
    }
    return inside >= kCovered * static_cast<double>(ratios.size());
}

Band bandOf(const std::vector<Ratio>& ratios) {
    double widening = 1;
    while (widening < 3 && !holdsForOthers(ratios, widening)) widening += 0.05;
    const auto band = percentiles(ratios, {}, widening);
    return {.low = sixDigits(band.low), .median = sixDigits(band.median), .high = sixDigits(band.high)};
}

// A row corrected by half (in logarithms) of the error of another one of the same device and software.
std::vector<Ratio> anchoredRatios(std::span<const LanguageRow> rows, const std::vector<double>& predicted,
                                  bool prefill) {
    constexpr double kShare = 0.5;
    std::vector<Ratio> ratios;
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = 0; b < rows.size(); ++b) {
            const auto &anchor = rows[a], &row = rows[b];
            if (anchor.prefill != prefill || row.prefill != prefill || anchor.deviceName != row.deviceName ||
                anchor.stack != row.stack || (anchor.model == row.model && anchor.weights == row.weights))
                continue;
            ratios.push_back(
                {row.measured / predicted[b] / std::pow(anchor.measured / predicted[a], kShare), row.deviceName});
        }
    return ratios;
}

std::map<std::string, Band, std::less<>> bandsOf(std::span<const LanguageRow> rows, const LanguageParameters& p,
                                                 const LanguageFolds& folds, bool prefill) {
    std::map<std::string, std::vector<Ratio>> ratios;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        if (row.prefill != prefill) continue;
        ratios["stack_unknown"].push_back({row.measured / folds.softwareLeftOut[i], row.deviceName});
        if (!folds.stackSeenElsewhere[i]) continue;
        const Ratio ratio{row.measured / folds.deviceLeftOut[i], row.deviceName};
        ratios["all"].push_back(ratio);
        const auto name = advisor::languageBandName(row.device.deviceClass, *p.findStack(row.stack), prefill);
        if (name != "all" && name != "stack_unknown") ratios[name].push_back(ratio);
    }
    ratios["anchored"] = anchoredRatios(rows, folds.deviceLeftOut, prefill);
    std::map<std::string, Band, std::less<>> bands;
    for (const auto& [name, list] : ratios)
        if (!list.empty()) bands[name] = bandOf(list);
    return bands;
}

void roundConstants(LanguageParameters& p) {
    for (const auto& constants : {decodeConstants(p), prefillConstants(p)})
        for (const auto& constant : constants) *constant.value = sixDigits(*constant.value);
}

}  // namespace

LanguageParameters fitLanguage(std::span<const LanguageRow> all, const std::function<bool(const LanguageRow&)>& use) {
    std::vector<const LanguageRow*> rows, decode, prefill;
    for (const auto& row : all) {
        if (!use(row)) continue;
        rows.push_back(&row);
        (row.prefill ? prefill : decode).push_back(&row);
    }
    auto p = startValues(rows);
    Search(p, decodeConstants(p), std::move(decode)).run();
    Search(p, prefillConstants(p), std::move(prefill)).run();
    roundConstants(p);
    for (auto* family : {&p.prefillCuda, &p.prefillMetal, &p.prefillOther})
        family->attentionShareIk = family->attentionShare;  // ik_llama.cpp runs on processors only
    return p;
}

bool isSameDevice(const LanguageRow& a, const LanguageRow& b) {
    if (a.deviceName == b.deviceName) return true;
    const auto figures = [](const LanguageRow& row) {
        const auto& device = row.device;
        return std::tuple(device.deviceClass, device.bytesPerSecond, device.fp32Flops, device.matrixFlops);
    };
    return !isCpu(a.device.deviceClass) && figures(a) == figures(b);
}

LanguageFolds languageFolds(std::span<const LanguageRow> rows) {
    LanguageFolds folds;
    folds.fitted.resize(rows.size());
    folds.deviceLeftOut.resize(rows.size());
    folds.softwareLeftOut.resize(rows.size());
    folds.stackSeenElsewhere.resize(rows.size());
    std::set<std::string> stacks;
    for (const auto& row : rows) stacks.insert(row.stack);
    const auto whole = fitLanguage(rows, [](const LanguageRow&) { return true; });
    for (std::size_t i = 0; i < rows.size(); ++i) folds.fitted[i] = predictedTokensPerSecond(whole, rows[i]);
    for (std::size_t first = 0; first < rows.size(); ++first) {
        if (folds.deviceLeftOut[first] > 0) continue;  // with another row of the device
        const auto isLeftOut = [&](const LanguageRow& row) { return isSameDevice(row, rows[first]); };
        const auto p = fitLanguage(rows, [&](const LanguageRow& row) { return !isLeftOut(row); });
        for (std::size_t i = first; i < rows.size(); ++i) {
            if (!isLeftOut(rows[i])) continue;
            folds.deviceLeftOut[i] = predictedTokensPerSecond(p, rows[i]);
            folds.stackSeenElsewhere[i] = std::ranges::any_of(rows, [&](const LanguageRow& other) {
                return other.stack == rows[i].stack && other.prefill == rows[i].prefill && !isLeftOut(other);
            });
        }
    }
    for (const auto& stack : stacks) {
        const auto p = fitLanguage(rows, [&](const LanguageRow& row) { return row.stack != stack; });
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].stack == stack) folds.softwareLeftOut[i] = predictedTokensPerSecond(p, rows[i]);
    }
    return folds;
}

LanguageParameters shippedLanguage(std::span<const LanguageRow> rows, const LanguageFolds& folds,
                                   const std::string& date) {
    auto p = fitLanguage(rows, [](const LanguageRow&) { return true; });
    p.source = fmt::format(
        "fitted to {} published speeds of language models (backtest/language_rows.csv) by fit_language", rows.size());
    p.date = date;
    // Batching: from the published sweep of one device.
    p.beta = 2;
    p.expertOverlap = 0.65;
    p.slowOnCpuWeights = {"q4_1", "q5_0", "q5_1", "q5_k_s", "q5_k_m", "q6_k"};
    // Chosen by hand for this program's cases (tests/data/language/own_cases.csv).
    auto& own = p.stacks.emplace_back();
    own.id = "steelyard";
    own.title = "Steelyard";
    own.makers = {"cpu"};
    own.formats = {"gguf"};
    own.devicesSeen = 1;
    own.decodeCost = 0.6;
    own.readShare = 0.95;
    own.cacheShare = 0.6;
    own.prefillShare = 0.9;
    auto& tensorRt = p.stacks.emplace_back();
    tensorRt.id = "tensorrt_llm";
    tensorRt.title = "TensorRT-LLM";
    tensorRt.makers = {"nvidia"};
    tensorRt.formats = {"f16", "bf16", "fp8", "awq4", "gptq4", "int8"};
    p.decodeBands = bandsOf(rows, p, folds, false);
    p.prefillBands = bandsOf(rows, p, folds, true);
    return p;
}

Result<std::string> withFolds(std::string name, std::string csv, const LanguageFolds& folds) {
    ASSIGN(const auto table, CsvDocument::parse(std::move(name), std::move(csv)));
    const auto quoted = [](std::string_view field) {
        return field.find_first_of(",\"") == std::string_view::npos ? std::string(field) : fmt::format("\"{}\"", field);
    };
    const auto replaced = [&](std::string_view heading, std::size_t row) -> std::optional<std::string> {
        if (heading == "device_left_out") return fmt::format("{:.6g}", folds.deviceLeftOut[row]);
        if (heading == "software_left_out") return fmt::format("{:.6g}", folds.softwareLeftOut[row]);
        if (heading == "stack_seen_elsewhere") return folds.stackSeenElsewhere[row] ? "1" : "0";
        return std::nullopt;
    };
    if (table.rowCount() != folds.fitted.size())
        return fail(ErrorKind::CorruptData, table.name(), steelyard::messages::implausible());
    std::string text;
    for (const auto heading : table.header()) text += (text.empty() ? "" : ",") + std::string(heading);
    text += '\n';
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        const auto fields = table.row(i);
        for (std::size_t column = 0; column < fields.size(); ++column) {
            if (column > 0) text += ',';
            text += replaced(table.header()[column], i).value_or(quoted(fields[column]));
        }
        text += '\n';
    }
    return text;
}

}  // namespace steelyard::fit
