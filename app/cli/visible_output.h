// SPDX-License-Identifier: Apache-2.0
// Filter for all output of the command line: escapes control characters in foreign text, so that the terminal does not
// interpret them (engine/core/text.h). One thread.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace steelyard::cli {

// Replaces a stream's buffer for its lifetime; the stream's state is kept.
class VisibleOutput final : public std::streambuf {
public:
    explicit VisibleOutput(std::ostream& stream);
    ~VisibleOutput() override;
    VisibleOutput(const VisibleOutput&) = delete;
    VisibleOutput& operator=(const VisibleOutput&) = delete;

protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    // `all`: also write an incomplete UTF-8 sequence at the end.
    bool write(bool all);
    void install(std::streambuf* buffer);

    std::ostream& m_stream;
    std::streambuf* m_below;
    std::string m_pending;
};

}  // namespace steelyard::cli
