// SPDX-License-Identifier: Apache-2.0
// Measured language model cases as anchors of predictions, and the user's computer as a target device. Pure functions,
// except for the collector, which reads the files of GGUF models. Not thread-safe.
//
// The ratio of measured to predicted speed for the same work on the same device is the model's error there. Anchors of
// the same software and kind of work are averaged in the logarithm, weighted by similarity (1 for the same format, 1/4
// for another; less for another size), and the mean is applied with the exponent w / (w + 1), where w is the sum of
// weights: 1/2 for a single measurement, which was best on published rows (median error 9.3 % instead of 10.7 %; the
// full ratio gave 11 %). Work that was itself measured on the device is not predicted.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/advisor/language/language_model.h"
#include "engine/bench/record/record.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::advisor {

// Successful, undisturbed cases of this program: decode and prefill of one or more sequences, on processors, of models
// that still exist. In order of time; of repeated cases on one device the latest is kept. Keeps its arguments by
// reference.
class LanguageAnchorCollector {
public:
    LanguageAnchorCollector(const catalog::Catalog& catalog, const PredictorParameters& devices,
                            const model::DecoderTable& models);
    LanguageAnchorCollector(const LanguageAnchorCollector&) = delete;
    LanguageAnchorCollector& operator=(const LanguageAnchorCollector&) = delete;
    ~LanguageAnchorCollector();
    void add(const bench::RunRecord& run);
    [[nodiscard]] std::vector<LanguageAnchor> anchors() const;

private:
    struct Known;
    std::unique_ptr<Known> m_known;
};

// The processor as "own/cpu" and the GPUs found in the catalogue ("own/cuda:0"). If anchors measured the processor, its
// bandwidth and rate are their medians; otherwise those of the catalogue or an assumption.
[[nodiscard]] std::vector<LanguageTarget> ownLanguageTargets(const hardware::HardwareProfile& profile,
                                                             const catalog::Catalog& catalog,
                                                             const PredictorParameters& devices,
                                                             std::span<const LanguageAnchor> anchors);

// Corrects a prediction that has a speed by the applicable anchors; updates its basis and band.
void applyAnchors(const LanguageJob& job, const LanguageTarget& target, const LanguageStack& stack,
                  const LanguageParameters& parameters, std::span<const LanguageAnchor> anchors,
                  LanguagePrediction& prediction);

}  // namespace steelyard::advisor
