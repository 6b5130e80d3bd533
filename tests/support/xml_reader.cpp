// SPDX-License-Identifier: Apache-2.0
#include "tests/support/xml_reader.h"

#include <expat.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

namespace steelyard::test {
namespace {

// Builds the tree from Expat's events. Expat itself rejects malformed documents.
struct TreeBuilder {
    XmlElement root;
    std::vector<XmlElement*> open;  // from the root inwards; only the last one may get children

    static void XMLCALL start(void* self, const XML_Char* name, const XML_Char** attributes) {
        auto& builder = *static_cast<TreeBuilder*>(self);
        auto& element = builder.open.empty() ? builder.root : builder.open.back()->children.emplace_back();
        element.name = name;
        for (; *attributes != nullptr; attributes += 2) element.attributes.emplace(attributes[0], attributes[1]);
        builder.open.push_back(&element);
    }
    static void XMLCALL end(void* self, const XML_Char*) { static_cast<TreeBuilder*>(self)->open.pop_back(); }
    static void XMLCALL text(void* self, const XML_Char* characters, int count) {
        auto& open = static_cast<TreeBuilder*>(self)->open;
        open.back()->text.append(characters, static_cast<std::size_t>(count));
    }
};

void collect(const XmlElement& element, std::string_view wanted, std::vector<const XmlElement*>& found) {
    for (const auto& child : element.children) {
        if (child.name == wanted) found.push_back(&child);
        collect(child, wanted, found);
    }
}

}  // namespace

std::vector<const XmlElement*> XmlElement::all(std::string_view wanted) const {
    std::vector<const XmlElement*> found;
    collect(*this, wanted, found);
    return found;
}

std::string XmlElement::fullText() const {
    auto result = text;
    for (const auto& child : children) result += child.fullText();
    return result;
}

XmlElement readXml(std::string_view document) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                              &XML_ParserFree);
    if (!parser) throw std::bad_alloc();
    TreeBuilder builder;
    XML_SetUserData(parser.get(), &builder);
    XML_SetElementHandler(parser.get(), &TreeBuilder::start, &TreeBuilder::end);
    XML_SetCharacterDataHandler(parser.get(), &TreeBuilder::text);
    if (XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE) != XML_STATUS_OK)
        throw std::runtime_error(XML_ErrorString(XML_GetErrorCode(parser.get())));
    return std::move(builder.root);
}

}  // namespace steelyard::test
