// SPDX-License-Identifier: Apache-2.0
#include "ui/text/help_text.h"

namespace steelyard::ui {

std::vector<std::pair<QString, QString>> HelpText::terms() {
    return {
        {tr("Batch"), tr("Samples that one step computes together. Larger batches use a device better and need more "
                         "memory.")},
        {tr("Step"), tr("One pass over a batch: in training forward, backward and update; in inference forward only.")},
        {tr("Epoch"), tr("One pass over all samples of a data set.")},
        {tr("fp32, tf32, bf16, fp16"),
         tr("Number formats. The shorter ones are faster on devices with units for them and take half the memory; "
            "tf32 is fp32 with fewer digits in products. Training with fp16 keeps a copy of the weights in fp32 "
            "(mixed precision).")},
        {tr("Median and 95 % interval"), tr("Half of the samples are faster than the median. With a probability of 95 "
                                            "% the true median lies within the "
                                            "interval.")},
        {tr("Estimate and 80 % range"),
         tr("Computed for a device that was not measured. In 80 % of cases the true value lies within the range.")},
        {tr("Correctness"), tr("Before it is timed, a case is computed by a simple reference as well, and the results "
                               "are compared.")},
        {tr("Spot instance"), tr("A cheaper rented machine that the provider may take back at any time.")},
        {tr("Arithmetic intensity"), tr("Operations for each byte moved from or to memory.")},
        {tr("Roofline"),
         tr("The highest speed that memory bandwidth and arithmetic allow, by arithmetic intensity. Left "
            "of the bend memory limits, right of it arithmetic.")},
        {tr("Launch overhead"), tr("The time to start an operation. It limits networks of many small operations.")},
        {tr("Best trade-offs"), tr("Offers that no other beats on both time and price.")},
        {tr("Utilisation"), tr("The share of the time in which a machine computes.")},
    };
}

QString HelpText::page(const QString& about, const QString& keys) {
    auto html = QStringLiteral("<p><a href=\"#terms\">%1</a> · <a href=\"#keys\">%2</a></p><p>%3</p>")
                    .arg(tr("Terms").toHtmlEscaped(), tr("Keys").toHtmlEscaped(), about.toHtmlEscaped());
    html += QStringLiteral("<h3><a name=\"terms\"></a>%1</h3>").arg(tr("Terms").toHtmlEscaped());
    for (const auto& [term, meaning] : terms())
        html += QStringLiteral("<p><b>%1</b><br/>%2</p>").arg(term.toHtmlEscaped(), meaning.toHtmlEscaped());
    html += QStringLiteral("<h3><a name=\"keys\"></a>%1</h3><p>%2</p>")
                .arg(tr("Keys").toHtmlEscaped(), keys.toHtmlEscaped());
    return html;
}

}  // namespace steelyard::ui
