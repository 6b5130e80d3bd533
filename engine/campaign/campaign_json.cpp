// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/campaign_json.h"

#include "engine/campaign/campaign_fields.h"
#include "engine/core/json/json_document.h"

namespace steelyard::campaign {

std::string toJson(const Campaign& campaign, int indent) {
    return dumpJson(toJsonValue(campaign), indent);
}

std::string toJson(const Campaign& campaign, const Comparison& comparison, int indent) {
    auto document = toJsonValue(campaign);
    document["comparison"] = toJsonValue(comparison);
    return dumpJson(document, indent);
}

Result<Campaign> campaignFromJson(std::string_view text) {
    return readDocument<Campaign>(text);
}

}  // namespace steelyard::campaign
