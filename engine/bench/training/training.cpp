// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/bench/measure/input_feed.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/bench.h"
#include "engine/data/pipeline/pipeline.h"

namespace steelyard::bench {
namespace {

using ExecutablePtr = std::unique_ptr<compute::Executable>;

Result<ExecutablePtr> compileMode(compute::Backend& backend, const model::Graph& graph,
                                  const plan::PlanOptions& planOptions, const compute::CompileOptions& options) {
    ASSIGN(auto lowered, plan::lower(graph, planOptions));
    TRY(compute::supportsPlan(backend, lowered));
    return backend.compile(std::make_shared<const plan::Plan>(std::move(lowered)), options);
}

// The last batch of a set may be incomplete: it is padded with its first samples, which are not counted.
template <typename T>
void padTo(std::vector<T>& values, std::int64_t samples, std::int64_t batch) {
    const auto perSample = values.size() / static_cast<std::size_t>(samples);
    for (auto i = samples; i < batch; ++i)
        for (std::size_t k = 0; k < perSample; ++k)
            values.push_back(values[static_cast<std::size_t>(i % samples) * perSample + k]);
}

class Trainer {
public:
    Trainer(compute::Backend& backend, const WorkloadData& source, const TrainingOptions& options, const Clock& clock,
            const std::function<bool()>& cancelled)
        : m_backend(backend),
          m_source(source),
          m_workload(source.workload),
          m_data(source.data),
          m_options(options),
          m_clock(clock),
          m_cancelled(cancelled),
          m_batch(options.batch > 0 ? options.batch : source.workload.batch) {}

    Result<void> prepare() {
        if (m_options.targetAccuracy && !m_data.validation)
            return fail(ErrorKind::InvalidArgument, m_data.train->info().source, messages::noValidationPart());
        plan::PlanOptions planOptions{plan::Mode::Train, m_batch, m_options.precision, m_workload.optimizer};
        ASSIGN(auto training, compileMode(m_backend, m_source.graph, planOptions, m_options.compile));
        m_training = std::move(training);
        planOptions.mode = plan::Mode::Infer;
        ASSIGN(auto inference, compileMode(m_backend, m_source.graph, planOptions, m_options.compile));
        m_inference = std::move(inference);
        if (auto ok = checkShapes(); !ok) return ok;
        const bool shuffle = !m_data.train->info().carriedBatch;  // stateful sequences must stay in order
        data::PipelineOptions pipeline{.batch = m_batch, .dropLast = true, .shuffle = shuffle, .seed = m_options.seed};
        pipeline.augmentation = m_source.augmentation;
        ASSIGN(auto batches, data::BatchPipeline::create(m_data.train, pipeline, m_clock));
        m_batches = std::move(batches);
        return compute::writeInitialValues(*m_training, m_options.seed);
    }

    Result<EpochResult> epoch(std::int64_t number) {
        EpochResult result{.epoch = number};
        const auto start = m_clock.nowNanoseconds();
        double loss = 0;
        for (std::int64_t i = 0; i < m_batches->batchesPerEpoch(); ++i) {
            if (m_cancelled()) return fail(ErrorKind::Cancelled, {}, messages::trainingCancelled(m_workload.id));
            ASSIGN(const auto stepLoss, trainStep());
            loss += stepLoss;
        }
        result.trainLoss = loss / static_cast<double>(m_batches->batchesPerEpoch());
        const auto trained = m_clock.nowNanoseconds();
        result.trainSeconds = secondsBetween(start, trained).value();
        if (m_data.validation) {
            TRY(validate(result));
            result.validationSeconds = secondsBetween(trained, m_clock.nowNanoseconds()).value();
        }
        return result;
    }

    // Continuation of the text by the current network, at batch 1.
    Result<GeneratedText> generate(const data::CharacterText& text, const GenerationOptions& options) {
        const plan::PlanOptions planOptions{plan::Mode::Infer, 1, m_options.precision, m_workload.optimizer};
        ASSIGN(auto single, compileMode(m_backend, m_source.graph, planOptions, m_options.compile));
        TRY(copyWeights(*single));
        return generateText(*single, text, options, m_clock);
    }

private:
    Result<void> checkShapes() const {
        const auto& input = m_training->plan().tensor(m_training->plan().inputs.front());
        const auto expected = input.elements() / m_batch;
        if (m_data.train->featureElements() != expected)
            return fail(ErrorKind::InvalidArgument, m_data.train->info().source,
                        messages::sampleSizeDiffers(m_data.train->featureElements(), m_workload.id, expected));
        const auto& head = m_training->plan().heads.front();
        const auto classes = m_training->plan().tensor(head.logits).dims.back();
        if (head.head.loss == model::LossKind::SoftmaxCrossEntropy && m_data.train->classCount() > classes)
            return fail(ErrorKind::InvalidArgument, m_data.train->info().source,
                        messages::classCountDiffers(m_data.train->classCount(), m_workload.id, classes));
        if (m_data.train->size() < m_batch)
            return fail(ErrorKind::InvalidArgument, m_data.train->info().source,
                        messages::fewerThanABatch(m_data.train->size(), m_batch));
        return {};
    }

    static Result<void> writeFeatures(compute::Executable& executable, const std::vector<float>& values,
                                      const std::vector<std::int32_t>& tokens) {
        const auto input = executable.plan().inputs.front();
        if (!tokens.empty()) return executable.write(input, std::span<const std::int32_t>(tokens));
        return executable.write(input, std::span<const float>(values));
    }

    Result<double> trainStep() {
        ASSIGN(const auto batch, m_batches->next({}));
        TRY(writeBatch(*m_training, *batch));
        ASSIGN(const auto outcome, m_training->step({m_step++, 1.0}));
        const double loss = outcome.loss.value_or(0);
        if (!std::isfinite(loss)) return fail(ErrorKind::Internal, {}, messages::lossNotFinite(m_workload.id, m_step));
        return loss;
    }

    Result<void> copyWeights(compute::Executable& target) {
        const auto& plan = m_training->plan();
        std::vector<float> values;
        for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
            values.resize(static_cast<std::size_t>(plan.tensor(plan.parameterTensors[p]).elements()));
            if (auto ok = m_training->read(plan.parameterTensors[p], values); !ok) return ok;
            if (auto ok = target.write(target.plan().parameterTensors[p], std::span<const float>(values)); !ok)
                return ok;
        }
        return {};
    }

    Result<void> validate(EpochResult& result) {
        if (auto ok = copyWeights(*m_inference); !ok) return ok;
        ASSIGN(auto batches, data::BatchPipeline::create(m_data.validation, {.batch = m_batch}, m_clock));
        Score score;
        for (std::int64_t i = 0; i < batches->batchesPerEpoch(); ++i) {
            if (m_cancelled()) return fail(ErrorKind::Cancelled, {}, messages::validationCancelled(m_workload.id));
            ASSIGN(const auto batch, batches->next({}));
            auto values = batch->values;
            auto tokens = batch->tokens;
            padTo(values, batch->samples, m_batch);
            padTo(tokens, batch->samples, m_batch);
            if (auto ok = writeFeatures(*m_inference, values, tokens); !ok) return ok;
            TRY(m_inference->step({i, 1.0}));
            if (auto ok = addScore(batch->labels, score); !ok) return ok;
        }
        result.validationLoss = score.loss / static_cast<double>(score.labels);
        result.validationAccuracy = static_cast<double>(score.right) / static_cast<double>(score.labels);
        return {};
    }

    struct Score {
        double loss = 0;
        std::int64_t right = 0, labels = 0;
    };

    Result<void> addScore(const std::vector<std::int32_t>& labels, Score& score) {
        const auto& head = m_inference->plan().heads.front();
        const auto& tensor = m_inference->plan().tensor(head.probabilities);
        m_probabilities.resize(static_cast<std::size_t>(tensor.elements()));
        if (auto ok = m_inference->read(head.probabilities, m_probabilities); !ok) return ok;
        const auto classes = static_cast<std::size_t>(tensor.dims.back());
        for (std::size_t row = 0; row < labels.size(); ++row) {
            const auto* begin = m_probabilities.data() + row * classes;
            const auto label = static_cast<std::size_t>(labels[row]);
            const bool binary = head.head.loss == model::LossKind::SigmoidCrossEntropy;
            const double p = binary ? (label == 1 ? begin[0] : 1 - begin[0]) : begin[label];
            const auto guess = binary ? static_cast<std::size_t>(begin[0] >= 0.5F)
                                      : static_cast<std::size_t>(std::max_element(begin, begin + classes) - begin);
            score.loss -= std::log(std::max(p, 1e-12));
            score.right += guess == label ? 1 : 0;
            ++score.labels;
        }
        return {};
    }

    compute::Backend& m_backend;
    const WorkloadData& m_source;
    const model::Workload& m_workload;
    const data::DatasetPair& m_data;
    const TrainingOptions& m_options;
    const Clock& m_clock;
    const std::function<bool()>& m_cancelled;
    std::int64_t m_batch;
    std::int64_t m_step = 0;
    ExecutablePtr m_training, m_inference;
    std::unique_ptr<data::BatchPipeline> m_batches;
    std::vector<float> m_probabilities;
};

}  // namespace

Result<TrainingResult> train(compute::Backend& backend, const WorkloadData& source, const TrainingOptions& options,
                             const Clock& clock, const std::function<void(const EpochResult&)>& onEpoch,
                             const std::function<bool()>& cancelled) {
    Trainer trainer(backend, source, options, clock, cancelled);
    TRY(trainer.prepare());
    TrainingResult result;
    double trained = 0;
    for (std::int64_t number = 1; number <= options.epochs; ++number) {
        ASSIGN(auto epoch, trainer.epoch(number));
        trained += epoch.trainSeconds;
        if (options.targetAccuracy && !result.secondsToTarget &&
            epoch.validationAccuracy.value_or(-1) >= *options.targetAccuracy)
            result.secondsToTarget = trained;
        if (onEpoch) onEpoch(epoch);
        result.epochs.push_back(epoch);
        if (options.stopAtTarget && result.secondsToTarget) break;
    }
    const auto text = std::dynamic_pointer_cast<const data::CharacterText>(source.data.train);
    if (options.generate && text) {
        auto generated = trainer.generate(*text, *options.generate);
        if (!generated) return Failure(generated.error());
        result.generated = std::move(*generated);
    }
    return result;
}

}  // namespace steelyard::bench
