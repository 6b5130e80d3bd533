<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
    <context>
        <name>AdvicePresenter</name>
        <message numerus="yes">
            <source>%n lack(s) memory</source>
            <translation>
                <numerusform>%n lacks memory</numerusform>
                <numerusform>%n lack memory</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are over the budget</source>
            <translation>
                <numerusform>%n is over the budget</numerusform>
                <numerusform>%n are over the budget</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are too slow for the deadline</source>
            <translation>
                <numerusform>%n is too slow for the deadline</numerusform>
                <numerusform>%n are too slow for the deadline</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n belong(s) to other providers</source>
            <translation>
                <numerusform>%n belongs to another provider</numerusform>
                <numerusform>%n belong to other providers</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are spot offers</source>
            <translation>
                <numerusform>%n is a spot offer</numerusform>
                <numerusform>%n are spot offers</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n cannot be predicted</source>
            <translation>
                <numerusform>%n cannot be predicted</numerusform>
                <numerusform>%n cannot be predicted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n day(s)</source>
            <translation>
                <numerusform>%n day</numerusform>
                <numerusform>%n days</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Calibrated with %n of your measurement(s).</source>
            <translation>
                <numerusform>Calibrated with %n of your measurements.</numerusform>
                <numerusform>Calibrated with %n of your measurements.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>CampaignPresenter</name>
        <message numerus="yes">
            <source>%n chunk(s) of a sweep</source>
            <translation>
                <numerusform>%n chunk of a sweep</numerusform>
                <numerusform>%n chunks of a sweep</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 · %2 · batch %3 · %4 · %n machine(s)</source>
            <translation>
                <numerusform>%1 · %2 · batch %3 · %4 · %n machine</numerusform>
                <numerusform>%1 · %2 · batch %3 · %4 · %n machines</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ComparePresenter</name>
        <message numerus="yes">
            <source>Of %n common case(s): %1 faster, %2 slower, %3 without evidence of a difference.</source>
            <translation>
                <numerusform>Of %n common case: %1 faster, %2 slower, %3 without evidence of a difference.</numerusform>
                <numerusform>Of %n common cases: %1 faster, %2 slower, %3 without evidence of a difference.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n cannot be compared.</source>
            <translation>
                <numerusform>%n cannot be compared.</numerusform>
                <numerusform>%n cannot be compared.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s) only in one of the runs.</source>
            <translation>
                <numerusform>%n case only in one of the runs.</numerusform>
                <numerusform>%n cases only in one of the runs.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>DisturbancePresenter</name>
        <message numerus="yes">
            <source>%n of %1 cases measured while other programs used the CPU: their results are unreliable.</source>
            <translation>
                <numerusform>%n of %1 cases was measured while other programs used the CPU: its result is unreliable.</numerusform>
                <numerusform>%n of %1 cases were measured while other programs used the CPU: their results are unreliable.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases of the first run were measured while other programs used the CPU: they cannot be compared.</source>
            <translation>
                <numerusform>%n of %1 cases of the first run was measured while other programs used the CPU: it cannot be compared.</numerusform>
                <numerusform>%n of %1 cases of the first run were measured while other programs used the CPU: they cannot be compared.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases of the second run were measured while other programs used the CPU: they cannot be compared.</source>
            <translation>
                <numerusform>%n of %1 cases of the second run was measured while other programs used the CPU: it cannot be compared.</numerusform>
                <numerusform>%n of %1 cases of the second run were measured while other programs used the CPU: they cannot be compared.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Format</name>
        <message numerus="yes">
            <source>%n day(s) old</source>
            <translation>
                <numerusform>%n day old</numerusform>
                <numerusform>%n days old</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n month(s) old</source>
            <translation>
                <numerusform>%n month old</numerusform>
                <numerusform>%n months old</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n year(s) old</source>
            <translation>
                <numerusform>%n year old</numerusform>
                <numerusform>%n years old</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n day(s)</source>
            <translation>
                <numerusform>%n day</numerusform>
                <numerusform>%n days</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n month(s)</source>
            <translation>
                <numerusform>%n month</numerusform>
                <numerusform>%n months</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n year(s)</source>
            <translation>
                <numerusform>%n year</numerusform>
                <numerusform>%n years</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>HardwarePresenter</name>
        <message numerus="yes">
            <source>%1 of %n core(s) usable</source>
            <translation>
                <numerusform>%1 of %n core usable</numerusform>
                <numerusform>%1 of %n cores usable</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n core</numerusform>
                <numerusform>%n cores</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>HistoryPresenter</name>
        <message numerus="yes">
            <source>%n run(s), %1</source>
            <translation>
                <numerusform>%n run, %1</numerusform>
                <numerusform>%n runs, %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 run(s) will be deleted, from %2 to %3.</source>
            <translation>
                <numerusform>%n of %1 runs will be deleted, from %2 to %3.</numerusform>
                <numerusform>%n of %1 runs will be deleted, from %2 to %3.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>HomePresenter</name>
        <message numerus="yes">
            <source>%1, %2, %n case(s)</source>
            <translation>
                <numerusform>%1, %2, %n case</numerusform>
                <numerusform>%1, %2, %n cases</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Run benchmark (%n case(s))</source>
            <translation>
                <numerusform>Run benchmark (%n case)</numerusform>
                <numerusform>Run benchmark (%n cases)</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Run benchmark (%n case(s), about %1)</source>
            <translation>
                <numerusform>Run benchmark (%n case, about %1)</numerusform>
                <numerusform>Run benchmark (%n cases, about %1)</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>NetworkPresenter</name>
        <message numerus="yes">
            <source>Understood: %n layer(s), %1 parameters, %2 per sample</source>
            <translation>
                <numerusform>Understood: %n layer, %1 parameters, %2 per sample</numerusform>
                <numerusform>Understood: %n layers, %1 parameters, %2 per sample</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n node(s)</source>
            <translation>
                <numerusform>%n node</numerusform>
                <numerusform>%n nodes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>and %n more</numerusform>
                <numerusform>and %n more</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>RecordsPresenter</name>
        <message numerus="yes">
            <source>%n step(s), %1</source>
            <translation>
                <numerusform>%n step, %1</numerusform>
                <numerusform>%n steps, %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ResultsPresenter</name>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>and %n more</numerusform>
                <numerusform>and %n more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s): %1</source>
            <translation>
                <numerusform>%n case: %1</numerusform>
                <numerusform>%n cases: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s) verified</source>
            <translation>
                <numerusform>%n case verified</numerusform>
                <numerusform>%n cases verified</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n wrong</source>
            <translation>
                <numerusform>%n wrong</numerusform>
                <numerusform>%n wrong</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n not checked</source>
            <translation>
                <numerusform>%n not checked</numerusform>
                <numerusform>%n not checked</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>StatusText</name>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n thread</numerusform>
                <numerusform>%n threads</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TrendPresenter</name>
        <message numerus="yes">
            <source>%n run(s): no evidence of a change.</source>
            <translation>
                <numerusform>%n run: no evidence of a change.</numerusform>
                <numerusform>%n runs: no evidence of a change.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n run</numerusform>
                <numerusform>%n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n change(s)</source>
            <translation>
                <numerusform>%n change</numerusform>
                <numerusform>%n changes</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::AdviceForm</name>
        <message numerus="yes">
            <source>%n provider(s)</source>
            <translation>
                <numerusform>%n provider</numerusform>
                <numerusform>%n providers</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::AdvicePage</name>
        <message numerus="yes">
            <source>%n price(s) imported</source>
            <translation>
                <numerusform>%n price imported</numerusform>
                <numerusform>%n prices imported</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>(%n row(s) left out)</source>
            <translation>
                <numerusform>(%n row left out)</numerusform>
                <numerusform>(%n rows left out)</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::GpuChoice</name>
        <message numerus="yes">
            <source>%n GPU(s) together</source>
            <translation>
                <numerusform>%n GPU together</numerusform>
                <numerusform>%n GPUs together</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HistoryPage</name>
        <message numerus="yes">
            <source>%n run(s) exported to %1</source>
            <translation>
                <numerusform>%n run exported to %1</numerusform>
                <numerusform>%n runs exported to %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) imported from %1</source>
            <translation>
                <numerusform>%n run imported from %1</numerusform>
                <numerusform>%n runs imported from %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in %1</source>
            <translation>
                <numerusform>%n run in %1</numerusform>
                <numerusform>%n runs in %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LiveSamplesView</name>
        <message numerus="yes">
            <source>%n sample(s), median %1</source>
            <translation>
                <numerusform>%n sample, median %1</numerusform>
                <numerusform>%n samples, median %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::MainWindow</name>
        <message numerus="yes">
            <source>%n run(s) deleted</source>
            <translation>
                <numerusform>%n run deleted</numerusform>
                <numerusform>%n runs deleted</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ResultsPage</name>
        <message numerus="yes">
            <source>%n case(s)</source>
            <translation>
                <numerusform>%n case</numerusform>
                <numerusform>%n cases</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunNotices</name>
        <message numerus="yes">
            <source>The last run was interrupted after %1 of %n case(s).</source>
            <translation>
                <numerusform>The last run was interrupted after %1 of %n case.</numerusform>
                <numerusform>The last run was interrupted after %1 of %n cases.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Benchmark stopped: %1 of %n case(s).</source>
            <translation>
                <numerusform>Benchmark stopped: %1 of %n case.</numerusform>
                <numerusform>Benchmark stopped: %1 of %n cases.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Benchmark finished: %1 of %n case(s).</source>
            <translation>
                <numerusform>Benchmark finished: %1 of %n case.</numerusform>
                <numerusform>Benchmark finished: %1 of %n cases.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunSetupView</name>
        <message numerus="yes">
            <source>%1 (%n case(s))</source>
            <translation>
                <numerusform>%1 (%n case)</numerusform>
                <numerusform>%1 (%n cases)</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>all %n core(s)</source>
            <translation>
                <numerusform>all %n core</numerusform>
                <numerusform>all %n cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Run %n case(s)</source>
            <translation>
                <numerusform>Run %n case</numerusform>
                <numerusform>Run %n cases</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunView</name>
        <message numerus="yes">
            <source>Benchmark finished: %1 of %n case(s) in %2.</source>
            <translation>
                <numerusform>Benchmark finished: %1 of %n case in %2.</numerusform>
                <numerusform>Benchmark finished: %1 of %n cases in %2.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Stopped after %1; %2 of %n case(s) finished.</source>
            <translation>
                <numerusform>Stopped after %1; %2 of %n case finished.</numerusform>
                <numerusform>Stopped after %1; %2 of %n cases finished.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunsModel</name>
        <message numerus="yes">
            <source>%n disturbed</source>
            <translation>
                <numerusform>%n disturbed</numerusform>
                <numerusform>%n disturbed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>interrupted after %1 of %n case(s)</source>
            <translation>
                <numerusform>interrupted after %1 of %n case</numerusform>
                <numerusform>interrupted after %1 of %n cases</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>stopped by you after %1 of %n case(s)</source>
            <translation>
                <numerusform>stopped by you after %1 of %n case</numerusform>
                <numerusform>stopped by you after %1 of %n cases</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n without result</source>
            <translation>
                <numerusform>%n without result</numerusform>
                <numerusform>%n without result</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>You stopped this run after %1 of %n case(s).</source>
            <translation>
                <numerusform>You stopped this run after %1 of %n case.</numerusform>
                <numerusform>You stopped this run after %1 of %n cases.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>This run was interrupted after %1 of %n case(s).</source>
            <translation>
                <numerusform>This run was interrupted after %1 of %n case.</numerusform>
                <numerusform>This run was interrupted after %1 of %n cases.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::TopologyView</name>
        <message numerus="yes">
            <source>%n core(s), %1 of them allowed</source>
            <translation>
                <numerusform>%n core, %1 of them allowed</numerusform>
                <numerusform>%n cores, %1 of them allowed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Core %1: %2 of %n thread(s) allowed</source>
            <translation>
                <numerusform>Core %1: %2 of %n thread allowed</numerusform>
                <numerusform>Core %1: %2 of %n threads allowed</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::NoticeBar</name>
        <message numerus="yes">
            <source>%n more below</source>
            <translation>
                <numerusform>%n more below</numerusform>
                <numerusform>%n more below</numerusform>
            </translation>
        </message>
    </context>
</TS>
