// SPDX-License-Identifier: Apache-2.0
// Parses XML into a tree with Expat; std::runtime_error if the document is not well-formed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::vector<XmlElement> children;
    std::string text;  // directly in this element, entities replaced

    // All descendants with this name, in document order.
    [[nodiscard]] std::vector<const XmlElement*> all(std::string_view wanted) const;
    // The text of this element and of all descendants.
    [[nodiscard]] std::string fullText() const;
};

// The root element.
[[nodiscard]] XmlElement readXml(std::string_view document);

}  // namespace steelyard::test
