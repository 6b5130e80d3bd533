// SPDX-License-Identifier: Apache-2.0
#include "tests/support/xml_reader.h"

#include <cctype>
#include <stdexcept>

namespace steelyard::test {
namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    XmlElement document() {
        skipProlog();
        auto root = element();
        skipSpace();
        if (m_at != m_text.size()) fail("something follows the root element");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        const auto from = m_at > 30 ? m_at - 30 : 0;
        throw std::runtime_error(why + " near: " + std::string(m_text.substr(from, 80)));
    }
    [[nodiscard]] bool looksAt(std::string_view wanted) const { return m_text.substr(m_at, wanted.size()) == wanted; }
    void expect(std::string_view wanted) {
        if (!looksAt(wanted)) fail("expected " + std::string(wanted));
        m_at += wanted.size();
    }
    void skipSpace() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0) ++m_at;
    }
    void skipTo(std::string_view end) {
        const auto found = m_text.find(end, m_at);
        if (found == std::string_view::npos) fail("no " + std::string(end));
        m_at = found + end.size();
    }
    void skipProlog() {
        skipSpace();
        if (looksAt("<!DOCTYPE")) skipTo(">");
        skipSpace();
    }
    std::string name() {
        const auto begin = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 ||
                                        m_text[m_at] == '-' || m_text[m_at] == ':')) {
            ++m_at;
        }
        if (m_at == begin) fail("expected a name");
        return std::string(m_text.substr(begin, m_at - begin));
    }
    // One character, or what an entity stands for.
    void appendCharacter(std::string& target) {
        const char character = m_text[m_at];
        const auto code = static_cast<unsigned char>(character);
        if (code < 0x20 && character != '\n' && character != '\t') fail("a control character");
        if (character != '&') {
            target += character;
            ++m_at;
            return;
        }
        static const std::map<std::string_view, char> kEntities{
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
        for (const auto& [entity, meaning] : kEntities) {
            if (!looksAt(entity)) continue;
            target += meaning;
            m_at += entity.size();
            return;
        }
        fail("an unknown entity");
    }
    void attributes(XmlElement& element) {
        while (true) {
            skipSpace();
            if (m_at >= m_text.size()) fail("an open tag");
            if (m_text[m_at] == '>' || m_text[m_at] == '/') return;
            const auto key = name();
            expect("=\"");
            std::string value;
            while (m_at < m_text.size() && m_text[m_at] != '"') {
                if (m_text[m_at] == '<') fail("< in an attribute");
                appendCharacter(value);
            }
            expect("\"");
            if (!element.attributes.emplace(key, value).second) fail("the same attribute twice");
        }
    }
    XmlElement element() {
        XmlElement result;
        expect("<");
        result.name = name();
        attributes(result);
        if (looksAt("/>")) {
            expect("/>");
            return result;
        }
        expect(">");
        while (!looksAt("</")) {
            if (m_at >= m_text.size()) fail(result.name + " is not closed");
            if (looksAt("<!--")) {
                skipTo("-->");
            } else if (m_text[m_at] == '<') {
                result.children.push_back(element());
            } else {
                appendCharacter(result.text);
            }
        }
        expect("</");
        if (name() != result.name) fail(result.name + " is closed by another name");
        expect(">");
        return result;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
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
    return Reader(document).document();
}

}  // namespace steelyard::test
