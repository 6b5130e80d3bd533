// SPDX-License-Identifier: Apache-2.0
#include "ui/text/format.h"

#include <QDateTime>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

// Decimals for three significant digits.
int decimalsFor(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude == 0 || magnitude >= 99.95) return 0;
    if (magnitude >= 9.995) return 1;
    if (magnitude >= 0.9995) return 2;
    const int leadingZeros = static_cast<int>(std::floor(-std::log10(magnitude)));
    return std::min(3 + leadingZeros, 12);
}

// "48", "4.8", "0.48", "480".
QString twoDigits(double value, const QLocale& locale) {
    if (value >= 99.5) return locale.toString(qlonglong{std::llround(value / 10) * 10});
    return locale.toString(value, 'f', value == 0 || value >= 9.95 ? 0 : decimalsFor(value) - 1);
}

QString amountIn(double usd, const ExchangeRate& rate, const QLocale& locale, bool withSymbol = true) {
    const double amount = rate.of(usd);
    if (!std::isfinite(amount)) return Format::unknown();
    const auto symbol = withSymbol ? plain(symbolOf(rate.currency)) : QString();
    if (amount == 0) return symbol + QLatin1Char('0');
    if (std::fabs(amount) < kLeastAmount) return QLatin1Char('<') + symbol + locale.toString(kLeastAmount, 'f', 4);
    return symbol + locale.toString(amount, 'f', moneyDecimals(amount));
}

// The process's setting (format.h).
struct ShownCurrency {
    std::mutex mutex;
    ExchangeRate rate;
};
ShownCurrency& shownCurrency() {
    static ShownCurrency shown;
    return shown;
}

}  // namespace

QString Format::unknown() {
    return QStringLiteral("–");
}

QString Format::number(double value, const QLocale& locale) {
    if (!std::isfinite(value)) return unknown();
    return locale.toString(value, 'f', decimalsFor(value));
}

QString Format::number(const std::optional<double>& value, const QLocale& locale) {
    return value ? number(*value, locale) : unknown();
}

QString Format::integer(std::int64_t value, const QLocale& locale) {
    return locale.toString(qlonglong{value});
}

QString Format::percent(double fraction, const QLocale& locale) {
    if (!std::isfinite(fraction)) return unknown();
    const double value = fraction * 100;
    return locale.toString(value, 'f', std::fabs(value) < 9.95 ? 1 : 0) + QStringLiteral(" %");
}

QString Format::range(double low, double high, const QLocale& locale) {
    return QStringLiteral("%1–%2").arg(number(low, locale), number(high, locale));
}

QString Format::bytes(std::int64_t bytes, const QLocale& locale) {
    const auto scaled = bytesUnit(static_cast<double>(bytes));
    if (scaled.divisor == 1) return QStringLiteral("%1 %2").arg(integer(bytes, locale), scaled.unit);
    return QStringLiteral("%1 %2").arg(number(static_cast<double>(bytes) / scaled.divisor, locale), scaled.unit);
}

QString Format::bytes(const std::optional<std::int64_t>& value, const QLocale& locale) {
    return value ? bytes(*value, locale) : unknown();
}

QString Format::seconds(double seconds, const QLocale& locale) {
    if (!std::isfinite(seconds)) return unknown();
    if (std::fabs(seconds) >= 120) return duration(seconds, locale);
    const auto scaled = secondsUnit(seconds);
    return QStringLiteral("%1 %2").arg(number(seconds / scaled.divisor, locale), scaled.unit);
}

QString Format::duration(double seconds, const QLocale& locale) {
    if (!std::isfinite(seconds) || seconds < 0) return unknown();
    const auto whole = std::llround(seconds);
    const auto two = [](long long value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (whole < 120) return tr("%1 s").arg(integer(whole, locale));
    if (whole < 3600) return tr("%1 min %2 s").arg(integer(whole / 60, locale), two(whole % 60));
    const auto minutes = std::llround(seconds / 60);
    if (minutes < 24 * 60) return tr("%1 h %2 min").arg(integer(minutes / 60, locale), two(minutes % 60));
    const auto hours = std::llround(seconds / 3600);
    return tr("%1 d %2 h").arg(integer(hours / 24, locale), two(hours % 24));
}

QString Format::money(double usd, const QLocale& locale) {
    return amountIn(usd, currency(), locale);
}

QString Format::usDollars(double usd, const QLocale& locale) {
    return amountIn(usd, {}, locale);
}

// "$0.10–0.35", not "$0.0953–0.35".
QString Format::moneyRange(double lowUsd, double highUsd, const QLocale& locale) {
    const auto rate = currency();
    const double low = rate.of(lowUsd), high = rate.of(highUsd);
    const bool exact = !std::isfinite(low) || !std::isfinite(high) || std::fabs(low) < kLeastAmount;
    const auto first = exact
                           ? amountIn(lowUsd, rate, locale)
                           : plain(symbolOf(rate.currency)) + locale.toString(low, 'f', decimalsOfLowerEnd(low, high));
    return QStringLiteral("%1–%2").arg(first, amountIn(highUsd, rate, locale, false));
}

void Format::setCurrency(const ExchangeRate& rate) {
    auto& shown = shownCurrency();
    const std::lock_guard lock(shown.mutex);
    shown.rate = rate;
}

ExchangeRate Format::currency() {
    auto& shown = shownCurrency();
    const std::lock_guard lock(shown.mutex);
    return shown.rate;
}

QString Format::currencySymbol() {
    return plain(symbolOf(currency().currency));
}

double Format::inCurrency(double usd) {
    return currency().of(usd);
}

QString Format::rateSentence() {
    const auto rate = currency();
    if (rate.currency == Currency::UsDollar) return {};
    return tr("Amounts in %1: 1 US dollar = %2 %1 (%3, %4).")
        .arg(plain(toString(rate.currency)), number(rate.perUsd), isoDate(rate.date), plain(rate.source));
}

QString Format::wait(double seconds, const QLocale& locale) {
    if (!std::isfinite(seconds) || seconds < 0) return unknown();
    const auto scaled = waitUnit(seconds);
    return QStringLiteral("%1 %2").arg(twoDigits(seconds / scaled.divisor, locale), scaled.unit);
}

QString Format::waitRange(double low, double high, const QLocale& locale) {
    return waitRangeBeside(high, low, high, locale);
}

QString Format::waitRangeBeside(double of, double low, double high, const QLocale& locale) {
    if (!std::isfinite(low) || !std::isfinite(high) || low < 0) return unknown();
    const auto scaled = waitUnit(of);
    return QStringLiteral("%1–%2 %3")
        .arg(twoDigits(low / scaled.divisor, locale), twoDigits(high / scaled.divisor, locale), scaled.unit);
}

ScaledUnit Format::waitUnit(double seconds) {
    if (seconds < 99.5) return {1, tr("s")};
    if (seconds < 99.5 * 60) return {60, tr("min")};
    if (seconds < 60 * 3600.0) return {3600, tr("h")};
    return {86400, tr("d")};
}

QString Format::times(double factor, const QLocale& locale) {
    return number(factor, locale) + QStringLiteral("×");
}

QString Format::compact(double value, const QLocale& locale) {
    return std::isfinite(value) && std::fabs(value) >= 9999.5 ? count(value, locale) : number(value, locale);
}

QString Format::count(double value, const QLocale& locale) {
    static constexpr std::array<const char*, 5> kPrefixes{"", " k", " M", " G", " T"};
    std::size_t step = 0;
    while (std::fabs(value) >= 999.5 && step + 1 < kPrefixes.size()) {
        value /= 1000;
        ++step;
    }
    const auto text = step == 0 ? integer(std::llround(value), locale) : number(value, locale);
    return text + QString::fromLatin1(kPrefixes[step]);
}

QString Format::dateTime(std::int64_t unixMs, const QLocale& locale) {
    const auto moment = QDateTime::fromMSecsSinceEpoch(unixMs);
    // Qt 6.4 does not support day periods of the "B" kind (zh_TW) and prints the letter.
    const auto pattern = locale.timeFormat(QLocale::ShortFormat);
    const auto time = pattern.contains(QLatin1Char('B')) ? moment.time().toString(QStringLiteral("HH:mm"))
                                                         : locale.toString(moment.time(), pattern);
    return QStringLiteral("%1 %2").arg(locale.toString(moment.date(), QLocale::ShortFormat), time);
}

QString Format::date(std::int64_t unixMs, const QLocale& locale) {
    return locale.toString(QDateTime::fromMSecsSinceEpoch(unixMs).date(), QLocale::ShortFormat);
}

QString Format::unbroken(QString text) {
    constexpr QChar kNoBreakSpace(0x00a0), kWordJoiner(0x2060);
    // "17,970 tokens/s", "11 samples/s", "563 GFLOP/s"; the units are translated.
    static const QRegularExpression kRate(QStringLiteral("(\\d) (\\S{1,10})/(s|秒)(?!\\w)"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    return text.replace(kRate, QStringLiteral("\\1%1\\2%2/%2\\3").arg(kNoBreakSpace).arg(kWordJoiner));
}

QString Format::isoDate(const std::string& text, const QLocale& locale) {
    constexpr std::size_t kDay = 10, kMonth = 7, kYear = 4;
    const bool chinese = locale.language() == QLocale::Chinese;
    if (text.size() == kYear && chinese && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
        return QString::fromStdString(text) + QStringLiteral("年");
    if (text.size() != kDay && text.size() != kMonth) return QString::fromStdString(text);
    const auto written = QString::fromStdString(text.size() == kMonth ? text + "-01" : text);
    const auto date = QDate::fromString(written, Qt::ISODate);
    if (!date.isValid()) return QString::fromStdString(text);
    if (text.size() == kMonth)
        return locale.toString(date, chinese ? QStringLiteral("yyyy年M月") : QStringLiteral("MMMM yyyy"));
    // The long format without the day of the week.
    auto format = locale.dateFormat(QLocale::LongFormat);
    static const QRegularExpression kWeekday(QStringLiteral("\\s*(dddd|ddd),?\\s*"));
    return locale.toString(date, format.remove(kWeekday));
}

namespace {

constexpr double kDaysOfMonth = 365.25 / 12;
constexpr double kFewDays = 60;
constexpr double kFewMonths = 24;

}  // namespace

QString Format::age(int days) {
    const double months = days / kDaysOfMonth;
    if (days < kFewDays) return tr("%n day(s) old", nullptr, days);
    if (months < kFewMonths) return tr("%n month(s) old", nullptr, static_cast<int>(std::lround(months)));
    return tr("%n year(s) old", nullptr, static_cast<int>(std::lround(months / 12)));
}

QString Format::span(double days) {
    const double months = days / kDaysOfMonth;
    if (days < kFewDays) return tr("%n day(s)", nullptr, static_cast<int>(std::lround(days)));
    if (months <= kFewMonths) return tr("%n month(s)", nullptr, static_cast<int>(std::lround(months)));
    const double years = months / 12;
    if (std::fabs(years - std::round(years)) < 0.05)
        return tr("%n year(s)", nullptr, static_cast<int>(std::lround(years)));
    return tr("%1 years").arg(QLocale().toString(years, 'f', 1));
}

ScaledUnit Format::secondsUnit(double largest) {
    const double magnitude = std::fabs(largest);
    if (magnitude >= 0.9995 || magnitude == 0) return {1, QStringLiteral("s")};
    if (magnitude >= 0.9995e-3) return {1e-3, QStringLiteral("ms")};
    if (magnitude >= 0.9995e-6) return {1e-6, QStringLiteral("µs")};
    return {1e-9, QStringLiteral("ns")};
}

ScaledUnit Format::bytesUnit(double largest) {
    static constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double divisor = 1;
    std::size_t step = 0;
    while (std::fabs(largest) / divisor >= 999.5 && step + 1 < kUnits.size()) {
        divisor *= 1024;
        ++step;
    }
    return {divisor, QString::fromLatin1(kUnits[step])};
}

ScaledUnit Format::flopRateUnit(double largest) {
    static constexpr std::array<const char*, 6> kUnits{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"};
    double divisor = 1;
    std::size_t step = 0;
    while (std::fabs(largest) / divisor >= 999.5 && step + 1 < kUnits.size()) {
        divisor *= 1000;
        ++step;
    }
    return {divisor, QString::fromLatin1(kUnits[step])};
}

QString Format::fileStamp(std::int64_t unixMs) {
    return QDateTime::fromMSecsSinceEpoch(unixMs).toString(QStringLiteral("yyyy-MM-dd-HHmm"));
}

}  // namespace steelyard::ui
