// SPDX-License-Identifier: Apache-2.0
// Everything that the command line writes goes through here: control characters of foreign texts are shown instead of
// obeyed by the terminal (engine/core/text.h). One thread.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace steelyard::cli {

// Lies over a stream for its lifetime; the stream's state is kept.
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
    // `all`: a character of which only the beginning came is written, too.
    bool write(bool all);
    void layOver(std::streambuf* buffer);

    std::ostream& m_stream;
    std::streambuf* m_below;
    std::string m_pending;
};

}  // namespace steelyard::cli
