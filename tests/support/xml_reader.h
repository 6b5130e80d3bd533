// SPDX-License-Identifier: Apache-2.0
// A small strict reader of XML for tests: it accepts what is well-formed and knows the five named entities, character
// references, a document type and comments; anything else throws std::runtime_error. Not for production.
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
    std::string text;  // of this element alone, entities replaced

    // All descendants of this name, in the order of the document.
    [[nodiscard]] std::vector<const XmlElement*> all(std::string_view wanted) const;
    // Own text and that of all descendants.
    [[nodiscard]] std::string fullText() const;
};

// The root element.
[[nodiscard]] XmlElement readXml(std::string_view document);

}  // namespace steelyard::test
