// SPDX-License-Identifier: Apache-2.0
// Numbers, sizes, durations and dates for display, by locale: three significant digits, one unit, and a dash for
// unknown values. Stateless but for the currency; any
// thread. The locale defaults to the application's (QLocale()).
#pragma once

#include <QCoreApplication>
#include <QLocale>
#include <QString>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/money.h"

namespace steelyard::ui {

// The divisor that brings a number into a readable range, and the unit.
struct ScaledUnit {
    double divisor = 1;  // shown = value / divisor
    QString unit;        // "ms", "MiB", "GFLOP/s"
};

inline constexpr double kMillisecond = 1e-3;  // in seconds: the unit of a step on screen

class Format {
    Q_DECLARE_TR_FUNCTIONS(Format)

public:
    // An en dash: marks unknown values on screen.
    static QString unknown();

    // "1.23", "12.3", "123", "1,234"; never scientific notation.
    static QString number(double value, const QLocale& locale = QLocale());
    static QString number(const std::optional<double>& value, const QLocale& locale = QLocale());
    static QString integer(std::int64_t value, const QLocale& locale = QLocale());
    static QString percent(double fraction, const QLocale& locale = QLocale());
    // "11.2–11.6".
    static QString range(double low, double high, const QLocale& locale = QLocale());

    // A time for file names: "2026-11-24-1602", local time.
    static QString fileStamp(std::int64_t unixMs);

    // "1.40 GiB".
    static QString bytes(std::int64_t bytes, const QLocale& locale = QLocale());
    static QString bytes(const std::optional<std::int64_t>& bytes, const QLocale& locale = QLocale());
    // For measured times: "12.3 ms".
    static QString seconds(double seconds, const QLocale& locale = QLocale());
    // For remaining times: "45 s", "2 min 05 s", "1 h 03 min".
    static QString duration(double seconds, const QLocale& locale = QLocale());
    // Amounts in US dollars, shown in the currency: "$0.45", "€1,240". Digits as in engine/core/money.h, by locale.
    static QString money(double usd, const QLocale& locale = QLocale());
    static QString moneyRange(double lowUsd, double highUsd, const QLocale& locale = QLocale());
    // Historical prices, which today's rates do not apply to.
    static QString usDollars(double usd, const QLocale& locale = QLocale());
    // The currency of all amounts: like QLocale's default a setting of the process, set before the window and then by
    // the settings page only; may be read from any thread.
    static void setCurrency(const ExchangeRate& rate);
    static ExchangeRate currency();
    static QString currencySymbol();       // "€"
    static double inCurrency(double usd);  // for the axes of charts
    // "Amounts in EUR: 1 US dollar = 0.86 EUR (20 November 2026, ECB)."; empty for US dollars.
    static QString rateSentence();
    // Predicted duration of a job, rounded to its uncertainty: "48 min", "4.8 d"; "25–90 min".
    static QString wait(double seconds, const QLocale& locale = QLocale());
    static QString waitRange(double lowSeconds, double highSeconds, const QLocale& locale = QLocale());
    // In the unit that wait() uses for `ofSeconds`, next to which it is shown: "63 min" and "32–120 min".
    static QString waitRangeBeside(double ofSeconds, double lowSeconds, double highSeconds,
                                   const QLocale& locale = QLocale());
    // "2.5×".
    static QString times(double factor, const QLocale& locale = QLocale());
    // For chart labels: number(), but "914 k" instead of "914,286".
    static QString compact(double value, const QLocale& locale = QLocale());
    // "25.6 M" for parameter counts.
    static QString count(double value, const QLocale& locale = QLocale());

    static QString dateTime(std::int64_t unixMs, const QLocale& locale = QLocale());
    static QString date(std::int64_t unixMs, const QLocale& locale = QLocale());
    // "2026-07-09" -> "July 9, 2026", "2026-07" -> "July 2026"; in Chinese also "2026" -> "2026年". Other
    // text is unchanged.
    static QString isoDate(const std::string& text, const QLocale& locale = QLocale());
    // "3 days old", "4 months old", "2 years old".
    static QString age(int days);
    // "11 days", "18 months", "4 years".
    static QString span(double days);

    // For wrapped labels: lines do not break between a number and its rate, or at the slash in "samples/s".
    static QString unbroken(QString text);

    // The unit in which the largest of several values has at most four digits before the decimal point.
    static ScaledUnit secondsUnit(double largest);
    static ScaledUnit bytesUnit(double largest);
    static ScaledUnit flopRateUnit(double largest);

private:
    static ScaledUnit waitUnit(double seconds);
};

}  // namespace steelyard::ui
