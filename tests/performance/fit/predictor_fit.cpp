// SPDX-License-Identifier: Apache-2.0
#include "tests/performance/fit/predictor_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "engine/advisor/predict/step_model.h"
#include "engine/advisor/statistics.h"
#include "engine/core/quantile.h"

namespace steelyard::fit {
namespace {

using namespace advisor;

// Start values of the fit and centre of its prior: round numbers, independent of the rows.
constexpr Constants kStart{.conv1x1On16 = 0.5,
                           .convOn16 = 0.5,
                           .conv3x3On16 = 0.5,
                           .matMulOn16 = 0.5,
                           .batchedOn16 = 0.3,
                           .conv1x1On32 = 0.9,
                           .convOn32 = 0.9,
                           .conv3x3On32 = 1.8,
                           .matMulOn32 = 0.9,
                           .batchedOn32 = 0.5,
                           .recurrent = 0.3,
                           .tf32Ratio = 1,
                           .elementwiseBandwidth = 0.75,
                           .matrixBandwidth = 0.5,
                           .depthwiseBandwidth = 0.4,
                           .launchSeconds = 5e-6,
                           .launchPerMultiprocessor = 0.1,
                           .eagerDispatchSeconds = 3e-5,
                           .graphDispatchSeconds = 5e-6,
                           .powerExponent = 0.2,
                           .halfChannels = 30,
                           .halfReduction = 30,
                           .fusedTraffic = 0.4};

// Huber loss: quadratic near zero, linear beyond `width`.
double robustLoss(double error, double width) {
    return 2 * width * width * (std::sqrt(1 + (error / width) * (error / width)) - 1);
}

double rounded(double value) {
    return std::stod(fmt::format("{:.6g}", value));
}

struct Row {
    JobModel job;
    const DeviceModel* device = nullptr;
    SoftwareStack stack;
    std::size_t factor = 0;  // index among the fitted factors
    double seconds = 0, weight = 1;
};

// Levenberg-Marquardt on the logarithms of constants and factors, with iterative reweighting for robustness.
class Fitter {
public:
    Fitter(const PublishedData& data, const PredictorParameters& parameters,
           const std::function<bool(const PublishedRow&)>& use, const FitOptions& options)
        : m_options(options), m_fields(constantFields()) {
        std::map<std::string, std::size_t> factorOf;
        std::map<std::pair<std::string, std::string>, double> crowd;
        for (const auto& row : data.rows)
            if (use(row)) crowd[{row.chip, row.stack}] += 1;
        for (const auto& row : data.rows) {
            if (!use(row)) continue;
            const auto [entry, isNew] = factorOf.try_emplace(row.stack, factorOf.size());
            if (isNew) m_names.push_back(row.stack);
            // Five hundred rows of one card and one framework are not five hundred independent observations.
            const double weight = 1 / std::sqrt(crowd[{row.chip, row.stack}]);
            m_rows.push_back({data.jobOf(row), &data.devices[row.device], *parameters.findStack(row.stack),
                              entry->second, row.seconds, weight});
        }
        double sum = 0;
        for (const auto& row : m_rows) sum += row.weight;
        for (auto& row : m_rows) row.weight /= sum;
        for (const auto& field : m_fields) m_start.push_back(std::log(kStart.*field.member));
        m_x = m_start;
        m_x.resize(m_fields.size() + m_names.size(), 0);
    }

    FitResult run() {
        double damping = 1e-3;
        double best = objective(m_x);
        int iteration = 0;
        for (; iteration < m_options.iterations; ++iteration) {
            buildNormalEquations();
            bool improved = false;
            double gain = 0;
            for (int attempt = 0; attempt < 8 && !improved; ++attempt) {
                const auto candidate = step(damping);
                const double value = objective(candidate);
                improved = value < best;
                if (improved) {
                    gain = best - value;
                    best = value;
                    m_x = candidate;
                    damping = std::max(1e-9, damping / 4);
                } else {
                    damping *= 6;
                }
            }
            if (!improved || gain < 1e-7 * best) break;
        }
        FitResult result{constantsOf(m_x), {}, best, iteration};
        for (const auto& field : m_fields) result.constants.*field.member = rounded(result.constants.*field.member);
        for (std::size_t i = 0; i < m_names.size(); ++i)
            result.factors.emplace_back(m_names[i], rounded(std::exp(m_x[m_fields.size() + i])));
        return result;
    }

private:
    [[nodiscard]] Constants constantsOf(const std::vector<double>& x) const {
        Constants constants;
        for (std::size_t i = 0; i < m_fields.size(); ++i) constants.*m_fields[i].member = std::exp(x[i]);
        return constants;
    }

    // Relative errors, and the derivative of each by the logarithm of its stack's factor:
    // d log T / d log s = (T_gpu / T)^4, times T / measured.
    void residuals(const std::vector<double>& x, std::vector<double>& out, std::vector<double>* share = nullptr) {
        const auto constants = constantsOf(x);
        out.resize(m_rows.size());
        if (share != nullptr) share->resize(m_rows.size());
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            auto& row = m_rows[i];
            row.stack.factor = std::exp(x[m_fields.size() + row.factor]);
            const auto parts = gpuStep(row.job, *row.device, row.stack, constants);
            out[i] = relativeError(parts.seconds, row.seconds);
            if (share != nullptr) (*share)[i] = (1 + out[i]) * std::min(1.0, std::pow(parts.device / parts.seconds, 4));
        }
    }

    // The derivative of the loss, divided by 2 r.
    [[nodiscard]] double lossWeight(double r) const {
        return 1 / std::sqrt(1 + (r / m_options.robustness) * (r / m_options.robustness));
    }

    [[nodiscard]] double prior(const std::vector<double>& x) const {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double away = i < m_start.size() ? x[i] - m_start[i] : x[i];
            sum += priorWeight(i) * away * away;
        }
        return sum;
    }
    [[nodiscard]] double priorWeight(std::size_t i) const {
        return (i < m_fields.size() ? m_options.constantPrior : m_options.factorPrior) /
               static_cast<double>(m_x.size());
    }

    double objective(const std::vector<double>& x) {
        residuals(x, m_scratch);
        double sum = prior(x);
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            sum += m_rows[i].weight * robustLoss(m_scratch[i], m_options.robustness);
        return sum;
    }

    void buildNormalEquations() {
        const std::size_t n = m_x.size(), constants = m_fields.size();
        std::vector<double> base, share, moved;
        residuals(m_x, base, &share);
        std::vector<std::vector<double>> slope(constants);
        constexpr double kDelta = 1e-4;
        for (std::size_t p = 0; p < constants; ++p) {
            auto x = m_x;
            x[p] += kDelta;
            residuals(x, moved);
            slope[p].resize(base.size());
            for (std::size_t i = 0; i < base.size(); ++i) slope[p][i] = (moved[i] - base[i]) / kDelta;
        }
        m_hessian.assign(n, std::vector<double>(n, 0));
        m_gradient.assign(n, 0);
        std::vector<double> row(n, 0);
        for (std::size_t i = 0; i < base.size(); ++i) {
            const std::size_t factor = constants + m_rows[i].factor;
            for (std::size_t p = 0; p < constants; ++p) row[p] = slope[p][i];
            row[factor] = share[i];
            const double weight = m_rows[i].weight * lossWeight(base[i]);
            const auto each = [&](std::size_t p) {
                m_gradient[p] += weight * row[p] * base[i];
                for (std::size_t q = 0; q < constants; ++q) m_hessian[p][q] += weight * row[p] * row[q];
                m_hessian[p][factor] += weight * row[p] * row[factor];
            };
            for (std::size_t p = 0; p < constants; ++p) each(p);
            each(factor);
            row[factor] = 0;
        }
        for (std::size_t p = 0; p < n; ++p) {
            m_hessian[p][p] += priorWeight(p);
            m_gradient[p] += priorWeight(p) * (p < m_start.size() ? m_x[p] - m_start[p] : m_x[p]);
        }
    }

    // Solves (H + damping diag H) d = -g by Gaussian elimination with pivoting, and keeps the constants in their
    // ranges.
    std::vector<double> step(double damping) const {
        const std::size_t n = m_x.size();
        auto a = m_hessian;
        std::vector<double> d(n);
        for (std::size_t i = 0; i < n; ++i) {
            a[i][i] += damping * a[i][i] + 1e-15;
            d[i] = -m_gradient[i];
        }
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t pivot = k;
            for (std::size_t i = k + 1; i < n; ++i)
                if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
            std::swap(a[k], a[pivot]);
            std::swap(d[k], d[pivot]);
            for (std::size_t i = k + 1; i < n; ++i) {
                const double f = a[i][k] / a[k][k];
                for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
                d[i] -= f * d[k];
            }
        }
        for (std::size_t k = n; k-- > 0;) {
            for (std::size_t j = k + 1; j < n; ++j) d[k] -= a[k][j] * d[j];
            d[k] /= a[k][k];
        }
        auto x = m_x;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += std::clamp(d[i], -0.5, 0.5);
            if (i < m_fields.size()) x[i] = std::clamp(x[i], std::log(m_fields[i].low), std::log(m_fields[i].high));
        }
        return x;
    }

    FitOptions m_options;
    std::span<const ConstantField> m_fields;
    std::vector<Row> m_rows;
    std::vector<std::string> m_names;
    std::vector<double> m_start, m_x, m_scratch, m_gradient;
    std::vector<std::vector<double>> m_hessian;
};

// Few rows and a non-smooth function: a pattern search on the logarithms. The errors are logarithms, too: they span
// factors, and minimising relative errors would favour predictions that are too small where the uncertainty is large.
class ProcessorFitter {
public:
    explicit ProcessorFitter(const PublishedData& data) : m_data(data), m_fields(processorFields()) {
        for (const auto& row : data.processorRows) {
            if (std::ranges::find(m_stacks, row.stack) == m_stacks.end()) m_stacks.push_back(row.stack);
            m_crowd[row.stack] += 1;
            m_jobs.push_back(data.jobOf(row));
        }
        // At the middle of their ranges.
        for (const auto& field : m_fields) m_x.push_back(std::log(std::sqrt(field.low * field.high)));
        m_x.resize(m_fields.size() + m_stacks.size() - 1, 0);
    }

    ProcessorFit run() {
        double best = objective(m_x);
        for (double reach = 0.5; reach > 0.002;) {
            bool improved = false;
            for (std::size_t i = 0; i < m_x.size(); ++i) improved = tryBoth(i, reach, best) || improved;
            if (!improved) reach /= 2;
        }
        ProcessorFit result;
        result.constants = constantsOf(m_x);
        for (const auto& field : m_fields) result.constants.*field.member = rounded(result.constants.*field.member);
        for (const auto& stack : m_stacks) result.factors.emplace_back(stack, factorOf(m_x, stack));
        std::vector<double> errors;
        for (double r : residuals(m_x)) errors.push_back(std::abs(std::expm1(r)));
        result.medianError = quantile(errors, 0.5);
        result.p90 = quantile(errors, 0.9);
        return result;
    }

private:
    bool tryBoth(std::size_t i, double reach, double& best) {
        bool improved = false;
        for (double direction : {reach, -reach}) {
            auto x = m_x;
            x[i] += direction;
            if (i < m_fields.size()) x[i] = std::clamp(x[i], std::log(m_fields[i].low), std::log(m_fields[i].high));
            const double value = objective(x);
            if (value >= best - 1e-9) continue;
            best = value;
            m_x = x;
            improved = true;
        }
        return improved;
    }
    [[nodiscard]] ProcessorConstants constantsOf(const std::vector<double>& x) const {
        ProcessorConstants constants;
        for (std::size_t i = 0; i < m_fields.size(); ++i) constants.*m_fields[i].member = std::exp(x[i]);
        return constants;
    }
    [[nodiscard]] double factorOf(const std::vector<double>& x, const std::string& stack) const {
        const auto index = static_cast<std::size_t>(std::ranges::find(m_stacks, stack) - m_stacks.begin());
        return index == 0 ? 1 : std::exp(x[m_fields.size() + index - 1]);
    }
    [[nodiscard]] std::vector<double> residuals(const std::vector<double>& x) const {
        PredictorParameters parameters;
        parameters.processor = constantsOf(x);
        std::vector<double> result;
        for (std::size_t i = 0; i < m_jobs.size(); ++i) {
            const auto& row = m_data.processorRows[i];
            const SoftwareStack stack{.name = row.stack, .factor = factorOf(x, row.stack), .fusedAttention = true};
            result.push_back(std::log(processorStep(m_jobs[i], row.device, stack, parameters).seconds / row.seconds));
        }
        return result;
    }
    [[nodiscard]] double objective(const std::vector<double>& x) const {
        const FitOptions options;
        constexpr double kFactorPrior = 0.0008;
        double sum = 0;
        const auto r = residuals(x);
        for (std::size_t i = 0; i < r.size(); ++i)
            sum += robustLoss(r[i], options.robustness) / std::sqrt(m_crowd.at(m_data.processorRows[i].stack));
        for (std::size_t i = m_fields.size(); i < x.size(); ++i) sum += kFactorPrior * x[i] * x[i];
        return sum;
    }

    const PublishedData& m_data;
    std::span<const ProcessorField> m_fields;
    std::vector<JobModel> m_jobs;
    std::vector<std::string> m_stacks;
    std::map<std::string, double> m_crowd;
    std::vector<double> m_x;
};

}  // namespace

ProcessorFit fitProcessors(const PublishedData& data) {
    return ProcessorFitter(data).run();
}

FitResult fit(const PublishedData& data, const PredictorParameters& parameters,
              const std::function<bool(const PublishedRow&)>& use, const FitOptions& options) {
    return Fitter(data, parameters, use, options).run();
}

}  // namespace steelyard::fit
