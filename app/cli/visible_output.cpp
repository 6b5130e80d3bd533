// SPDX-License-Identifier: Apache-2.0
#include "app/cli/visible_output.h"

#include "engine/core/text.h"

namespace steelyard::cli {

VisibleOutput::VisibleOutput(std::ostream& stream) : m_stream(stream), m_below(stream.rdbuf()) {
    install(this);
}

VisibleOutput::~VisibleOutput() {
    if (!write(true)) m_stream.setstate(std::ios::badbit);
    install(m_below);
}

void VisibleOutput::install(std::streambuf* buffer) {
    const auto state = m_stream.rdstate();
    m_stream.rdbuf(buffer);  // forgets the state
    m_stream.clear(state);
}

VisibleOutput::int_type VisibleOutput::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    m_pending += traits_type::to_char_type(character);
    return write(false) ? character : traits_type::eof();
}

std::streamsize VisibleOutput::xsputn(const char* text, std::streamsize count) {
    m_pending.append(text, static_cast<std::size_t>(count));
    return write(false) ? count : 0;
}

int VisibleOutput::sync() {
    return write(true) && m_below->pubsync() == 0 ? 0 : -1;
}

bool VisibleOutput::write(bool all) {
    const auto kept = all ? 0 : incompleteTail(m_pending);
    const auto text = visibleLines(std::string_view(m_pending).substr(0, m_pending.size() - kept));
    m_pending.erase(0, m_pending.size() - kept);
    const auto size = static_cast<std::streamsize>(text.size());
    return m_below->sputn(text.data(), size) == size;
}

}  // namespace steelyard::cli
