// SPDX-License-Identifier: Apache-2.0
#include "tests/support/drawn_digits.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "tests/support/data_files.h"

namespace steelyard::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Point {
    double x = 0, y = 0;  // in a box of 1 x 1, y downwards
};
using Stroke = std::vector<Point>;
using Writing = std::vector<Stroke>;

Stroke line(std::initializer_list<Point> points) {
    return points;
}

// Part of an ellipse; angles in parts of a full turn, clockwise from the right.
Stroke arc(Point centre, double radiusX, double radiusY, double from, double to) {
    constexpr int kSteps = 16;
    Stroke stroke;
    for (int i = 0; i <= kSteps; ++i) {
        const double angle = 2 * kPi * (from + (to - from) * i / kSteps);
        stroke.push_back({centre.x + radiusX * std::cos(angle), centre.y + radiusY * std::sin(angle)});
    }
    return stroke;
}

Stroke joined(Stroke first, const Stroke& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// The variants of each digit.
const std::vector<Writing>& writingsOf(int digit) {
    static const std::array<std::vector<Writing>, 10> kWritings{{
        {{arc({.5, .5}, .32, .5, 0, 1)}, {arc({.5, .5}, .24, .48, .1, 1.05)}},
        {{line({{.5, 0}, {.5, 1}})},
         {line({{.3, .2}, {.52, 0}, {.52, 1}})},
         {line({{.3, .2}, {.52, 0}, {.52, 1}}), line({{.3, 1}, {.74, 1}})}},
        {{joined(arc({.5, .27}, .32, .27, .5, 1.1), line({{.18, 1}, {.85, 1}}))},
         {joined(arc({.5, .27}, .3, .27, .55, 1.12), joined(arc({.3, .88}, .14, .12, .3, 1.1), line({{.88, .98}})))}},
        {{arc({.45, .25}, .32, .25, .55, 1.25), arc({.45, .74}, .36, .26, .75, 1.45)},
         {line({{.18, 0}, {.8, 0}, {.45, .4}}), arc({.45, .7}, .35, .3, .75, 1.42)}},
        {{line({{.62, 0}, {.12, .65}, {.9, .65}}), line({{.66, .35}, {.66, 1}})},
         {line({{.2, 0}, {.16, .5}, {.84, .5}}), line({{.8, 0}, {.78, 1}})}},
        {{line({{.82, 0}, {.25, 0}, {.2, .42}}), arc({.46, .68}, .34, .31, .62, 1.4)},
         {line({{.3, .02}, {.24, .45}}), arc({.46, .7}, .32, .3, .65, 1.4), line({{.3, .02}, {.85, .02}})}},
        {{joined(line({{.7, 0}, {.35, .3}}), arc({.5, .7}, .3, .29, .5, 1.5))},
         {joined(arc({.62, .5}, .42, .5, .78, .5), arc({.5, .7}, .3, .3, .5, 1.5))}},
        {{line({{.15, 0}, {.85, 0}, {.4, 1}})}, {line({{.15, .02}, {.82, 0}, {.42, 1}}), line({{.32, .5}, {.78, .5}})}},
        {{arc({.5, .25}, .26, .25, 0, 1), arc({.5, .74}, .32, .26, 0, 1)},
         {joined(arc({.5, .25}, .26, .24, .95, .25), arc({.5, .74}, .32, .26, .75, 1.75)),
          arc({.5, .25}, .26, .24, .25, -.05)}},
        {{joined(arc({.48, .3}, .3, .29, 0, 1), line({{.76, .5}, {.66, 1}}))},
         {arc({.48, .3}, .3, .29, 0, 1), joined(line({{.78, .25}}), arc({.42, .68}, .36, .32, 0, .4))}},
    }};
    return kWritings[static_cast<std::size_t>(digit)];
}

// Random numbers in sequence from one stream.
class Draws {
public:
    Draws(std::uint64_t seed, std::uint32_t number) : m_stream(seed, number) {}
    double between(double low, double high) { return low + (high - low) * m_stream.uniform(m_next++); }
    std::uint32_t below(std::uint32_t count) { return m_stream.below(m_next++, count); }

private:
    RandomStream m_stream;
    std::uint32_t m_next = 0;
};

struct Pen {
    double radius = 1;    // pixels
    double softness = 1;  // pixels from full ink to none
    double ink = 255;
};

// Maps a point of the unit box to the image: distorted by a slow wave, then slanted, scaled, rotated and translated.
class Placement {
public:
    explicit Placement(Draws& draws)
        : m_width(draws.between(10.5, 17.5)),
          m_height(draws.between(14, 20)),
          m_slant(draws.between(-.35, .35)),
          m_turn(draws.between(-.22, .22)),
          m_centreX(draws.between(11.7, 16.3)),
          m_centreY(draws.between(12, 16)),
          m_wave(draws.between(0, .06)),
          m_phaseX(draws.between(0, 2 * kPi)),
          m_phaseY(draws.between(0, 2 * kPi)) {}

    [[nodiscard]] Point place(Point p) const {
        const double bentX = p.x + m_wave * std::sin(2 * kPi * p.y + m_phaseX);
        const double bentY = p.y + m_wave * std::sin(2 * kPi * p.x + m_phaseY);
        const double x = (bentX - .5 - m_slant * (bentY - .5)) * m_width;
        const double y = (bentY - .5) * m_height;
        return {m_centreX + x * std::cos(m_turn) - y * std::sin(m_turn),
                m_centreY + x * std::sin(m_turn) + y * std::cos(m_turn)};
    }

private:
    double m_width, m_height, m_slant, m_turn, m_centreX, m_centreY, m_wave, m_phaseX, m_phaseY;
};

double distance(Point p, Point a, Point b) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double square = dx * dx + dy * dy;
    const double t = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0.0;
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

using Canvas = std::array<double, kDigitSide * kDigitSide>;

void draw(Canvas& canvas, const Stroke& stroke, const Pen& pen) {
    for (int y = 0; y < kDigitSide; ++y) {
        for (int x = 0; x < kDigitSide; ++x) {
            double nearest = 1e9;
            for (std::size_t i = 0; i < stroke.size(); ++i) {
                const auto next = std::min(i + 1, stroke.size() - 1);
                nearest = std::min(nearest, distance({x + .5, y + .5}, stroke[i], stroke[next]));
            }
            const double ink = pen.ink * std::clamp((pen.radius + pen.softness - nearest) / pen.softness, 0.0, 1.0);
            auto& pixel = canvas[static_cast<std::size_t>(y * kDigitSide + x)];
            pixel = std::max(pixel, ink);
        }
    }
}

struct Labelled {
    FileBytes images, labels;
};

// The same number of each digit (except for the remainder), in random order.
Labelled drawMany(int count, std::uint64_t seed, std::uint32_t part) {
    Labelled result;
    std::vector<std::uint8_t> labels(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint8_t>(i % 10);
    const RandomStream order(seed, 0x6f72646572U + part);  // "order"
    for (auto left = static_cast<std::uint32_t>(count); left > 1; --left) {
        std::swap(labels[left - 1], labels[order.below(left - 1, left)]);
    }
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
        const auto image = drawDigit(labels[i], seed, part << 30 | i);
        result.images.insert(result.images.end(), image.begin(), image.end());
    }
    result.labels = std::move(labels);
    return result;
}

void writePart(const std::filesystem::path& folder, const std::string& name, const Labelled& part, bool gzip) {
    const auto count = static_cast<std::uint32_t>(part.labels.size());
    const auto write = [&](const std::string& file, const FileBytes& bytes) {
        writeBytes(folder / (gzip ? file + ".gz" : file), gzip ? gzipFile(bytes) : bytes);
    };
    write(name + "-images-idx3-ubyte", idxFile({count, kDigitSide, kDigitSide}, part.images));
    write(name + "-labels-idx1-ubyte", idxFile({count}, part.labels));
}

}  // namespace

DigitImage drawDigit(int digit, std::uint64_t seed, std::uint32_t number) {
    Draws draws(seed, number);
    const auto& writings = writingsOf(digit);
    const auto& writing = writings[draws.below(static_cast<std::uint32_t>(writings.size()))];
    const Placement placement(draws);
    const Pen pen{draws.between(.5, 1.5), draws.between(.7, 1.3), draws.between(150, 255)};
    Canvas canvas{};
    for (const auto& stroke : writing) {
        Stroke placed;
        for (const auto& point : stroke) placed.push_back(placement.place(point));
        draw(canvas, placed, pen);
    }
    // A scratch across half of the images, and noise everywhere.
    if (draws.below(2) == 0) {
        const Pen thin{.2, .8, draws.between(60, 150)};
        const Point start{draws.between(0, kDigitSide), draws.between(0, kDigitSide)};
        const double angle = draws.between(0, 2 * kPi);
        const double length = draws.between(4, 10);
        draw(canvas, line({start, {start.x + length * std::cos(angle), start.y + length * std::sin(angle)}}), thin);
    }
    const double deviation = draws.between(5, 25);
    const RandomStream noise(seed ^ 0x6e6f697365U, number);  // "noise"
    DigitImage image{};
    for (std::uint32_t i = 0; i < image.size(); ++i) {
        const double value = canvas[i] + deviation * noise.normal(i);
        image[i] = static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
    }
    return image;
}

Result<void> writeDrawnDigits(const std::filesystem::path& folder, const DigitFiles& files) {
    if (files.train < 1 || files.test < 1 || files.train > 1'000'000 || files.test > 1'000'000) {
        return fail(ErrorKind::InvalidArgument, "number of digits", Message("must be between 1 and 1,000,000"));
    }
    try {
        writePart(folder, "train", drawMany(files.train, files.seed, 0), files.gzip);
        writePart(folder, "t10k", drawMany(files.test, files.seed, 1), files.gzip);
    } catch (const std::exception& problem) {
        return fail(ErrorKind::IoFailed, folder.string(), Message(problem.what()));
    }
    return {};
}

}  // namespace steelyard::test
