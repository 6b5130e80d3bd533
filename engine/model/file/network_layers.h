// SPDX-License-Identifier: Apache-2.0
// The tables of a network file: allowed members, and construction of layers. Internal to engine/model/file and its
// tests, which compare the tables with the schema.
#pragma once

#include <string_view>
#include <vector>

#include "engine/model/file/json_members.h"
#include "engine/model/graph.h"
#include "engine/model/optimizer.h"

namespace steelyard::model {

struct LayerEntry {
    std::string_view kind;  // as in kindName
    MemberRules rules;      // in addition to layerRules()
    Layer (*make)(const Json& layer, const std::vector<Shape>& inputs);
};

// All kinds of layers.
[[nodiscard]] const std::vector<LayerEntry>& layerEntries();
[[nodiscard]] const MemberRules& layerRules();      // for every layer: kind, name, inputs
[[nodiscard]] const MemberRules& documentRules();   // of the whole file
[[nodiscard]] const MemberRules& outputRules();     // of an element of "outputs"
[[nodiscard]] const MemberRules& optimizerRules();  // of "optimizer"
// Whether the optimizer uses that member of optimizerRules().
[[nodiscard]] bool optimizerUses(OptimizerKind kind, std::string_view member);

}  // namespace steelyard::model
