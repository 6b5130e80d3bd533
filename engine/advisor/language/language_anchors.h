// SPDX-License-Identifier: Apache-2.0
// Measured cases of language models as anchors of predictions, and the user's computer as a device of theirs. Functions
// of values but for the collector, which reads the files that cases of GGUF models name. One thread.
//
// What was measured over what is predicted for the same work on the same device says how far the model is off there.
// Of the anchors of the same software and kind of work, each with a weight (1 for the same format, a quarter for
// another one; less for another size), the mean of the logarithm counts with the exponent w / (w + 1), where w is the
// sum of weights: a half for a single measurement, which was the best share on published rows (median error 9.3
// instead of 10.7 %; the whole ratio gave 11 %), and more the more agree. The same work that was measured on the same
// device is not predicted at all.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/advisor/language/language_model.h"
#include "engine/bench/record/record.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::advisor {

// Cases of this program that ended well: decoding and prompts of one sequence or several, on processors, not
// disturbed, of models that can still be found. Newest last; of the same work on the same device the newest stays.
// Keeps its arguments by reference.
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

// The processor as "own/cpu" and the usable GPUs of the catalogue ("own/cuda:0"). A processor that anchors measured has
// the bandwidth and the rate that they found, by their medians; without them, those of the catalogue or an assumption.
[[nodiscard]] std::vector<LanguageTarget> ownLanguageTargets(const hardware::HardwareProfile& profile,
                                                             const catalog::Catalog& catalog,
                                                             const PredictorParameters& devices,
                                                             std::span<const LanguageAnchor> anchors);

// Corrects a prediction, which has a speed, by the anchors that apply; says so in its basis and band.
void applyAnchors(const LanguageJob& job, const LanguageTarget& target, const LanguageStack& stack,
                  const LanguageParameters& parameters, std::span<const LanguageAnchor> anchors,
                  LanguagePrediction& prediction);

}  // namespace steelyard::advisor
