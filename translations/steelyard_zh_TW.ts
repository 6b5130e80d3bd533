<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_TW">
    <context>
        <name>AdvicePresenter</name>
        <message>
            <source>%1 %2</source>
            <comment>training, network</comment>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>%1 with %2</source>
            <translation>用 %2 %1</translation>
        </message>
        <message>
            <source>No need to rent for %1: %2 takes about %3 (%4), in %5, batch %6.</source>
            <translation>%1 無需租用機器：%2以 %5、批次 %6 計算約需 %3（%4）。</translation>
        </message>
        <message>
            <source>No need to rent for %1: %2 takes about %3 (%4), in %5, batch %6, with Steelyard itself.</source>
            <translation>%1 無需租用機器：%2使用 Steelyard 本身以 %5、批次 %6 計算約需 %3（%4）。</translation>
        </message>
        <message>
            <source>The best to rent is %1: %2 takes about %3 (%4) and costs %5 (%6).</source>
            <translation>若要租用，最佳選擇是 %1：%2 約需 %3（%4），費用 %5（%6）。</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>時間與費用</translation>
        </message>
        <message>
            <source>No machine could be predicted for this job.</source>
            <translation>無法為此任務預測任何機器。</translation>
        </message>
        <message>
            <source>Job duration</source>
            <translation>任務時間</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>小時</translation>
        </message>
        <message>
            <source>Job cost</source>
            <translation>任務費用</translation>
        </message>
        <message>
            <source>recommended</source>
            <translation>推薦</translation>
        </message>
        <message>
            <source>this computer</source>
            <translation>這台電腦</translation>
        </message>
        <message>
            <source>other offers</source>
            <translation>其他報價</translation>
        </message>
        <message>
            <source>%1: nothing to pay</source>
            <translation>%1：無需付費</translation>
        </message>
        <message>
            <source>No machine can do this job within these limits.</source>
            <translation>沒有機器能在這些限制內完成此任務。</translation>
        </message>
        <message>
            <source>Time, relative</source>
            <translation>相對時間</translation>
        </message>
        <message>
            <source>Cost, relative</source>
            <translation>相對費用</translation>
        </message>
        <message>
            <source>%1 is 1 · predicted</source>
            <translation>以 %1 為 1 · 預測值</translation>
        </message>
        <message>
            <source>Relative to the cheapest, less is better</source>
            <translation>相對於最便宜的，越小越好</translation>
        </message>
        <message>
            <source>time</source>
            <translation>時間</translation>
        </message>
        <message>
            <source>cost</source>
            <translation>費用</translation>
        </message>
        <message>
            <source>nothing to pay</source>
            <translation>無需付費</translation>
        </message>
        <message>
            <source>There is no card to buy, or none to rent, that can do this job.</source>
            <translation>沒有可以購買或可以租用的顯示卡能完成此任務。</translation>
        </message>
        <message>
            <source>%1 at %2 an hour</source>
            <translation>%1（每小時 %2）</translation>
        </message>
        <message>
            <source>Buy or rent</source>
            <translation>買還是租</translation>
        </message>
        <message>
            <source>Months</source>
            <translation>月數</translation>
        </message>
        <message>
            <source>buy: %1</source>
            <translation>購買：%1</translation>
        </message>
        <message>
            <source>rent: %1</source>
            <translation>租用：%1</translation>
        </message>
        <message>
            <source>pays off after %1</source>
            <translation>%1後回本</translation>
        </message>
        <message>
            <source>best case: %1</source>
            <translation>最好情況：%1</translation>
        </message>
        <message>
            <source>worst case: %1</source>
            <translation>最壞情況：%1</translation>
        </message>
        <message>
            <source>%1 %2, batch %3, %4</source>
            <translation>%1 %2，批次 %3，%4</translation>
        </message>
        <message>
            <source>%1 with %2, batch %3, %4</source>
            <translation>%1 %2，批次 %3，%4</translation>
        </message>
        <message numerus="yes">
            <source>%n lack(s) memory</source>
            <translation>
                <numerusform>%n 台記憶體不足</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are over the budget</source>
            <translation>
                <numerusform>%n 台超出預算</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are too slow for the deadline</source>
            <translation>
                <numerusform>%n 台趕不上期限</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n belong(s) to other providers</source>
            <translation>
                <numerusform>%n 台屬於其他提供商</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are spot offers</source>
            <translation>
                <numerusform>%n 台是競價例項</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n cannot be predicted</source>
            <translation>
                <numerusform>%n 台無法預測</numerusform>
            </translation>
        </message>
        <message>
            <source>, </source>
            <translation>、</translation>
        </message>
        <message>
            <source>No machine can do this job within these limits: %1. Loosen a limit, or choose a smaller batch.</source>
            <translation>沒有機器能在這些限制內完成此任務：%1。請放寬限制，或選擇較小的批次。</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Use %1: %2 takes about %3 (%4) and there is nothing to pay.</source>
            <translation>使用%1：%2 大約需要 %3（%4），無需付費。</translation>
        </message>
        <message>
            <source>Use %1: %2 takes about %3 (%4) and %5 (%6) of electricity.</source>
            <translation>使用%1：%2 大約需要 %3（%4），電費 %5（%6）。</translation>
        </message>
        <message>
            <source>Rent %1: %2 takes about %3 (%4) and costs %5 (%6).</source>
            <translation>租用 %1：%2 大約需要 %3（%4），費用 %5（%6）。</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>two sentences</comment>
            <translation>%1%2</translation>
        </message>
        <message>
            <source>The fastest to rent, %1, would take %2 for %3.</source>
            <translation>可租用的最快機器 %1 需要 %2，費用 %3。</translation>
        </message>
        <message>
            <source>This computer would take %1.</source>
            <translation>這台電腦需要 %1。</translation>
        </message>
        <message>
            <source>This computer would take %1: %2 as long.</source>
            <translation>這台電腦需要 %1：時間是其 %2。</translation>
        </message>
        <message>
            <source>; </source>
            <translation>；</translation>
        </message>
        <message>
            <source>Prices collected on %1.</source>
            <translation>價格收集於 %1。</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>機器</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Whole job, including the machine&apos;s start-up.</source>
            <translation>整個任務的時間，含啟動機器。</translation>
        </message>
        <message>
            <source>Price times billed time.</source>
            <translation>價格乘以計費時間。</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>its price is not known</source>
            <translation>價格未知</translation>
        </message>
        <message>
            <source>Region</source>
            <translation>地區</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>類型</translation>
        </message>
        <message>
            <source>Date</source>
            <translation>日期</translation>
        </message>
        <message>
            <source>Age</source>
            <translation>已過</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>來源</translation>
        </message>
        <message>
            <source>spot</source>
            <translation>競價</translation>
        </message>
        <message>
            <source>on demand</source>
            <translation>按需</translation>
        </message>
        <message numerus="yes">
            <source>%n day(s)</source>
            <translation>
                <numerusform>%n 天</numerusform>
            </translation>
        </message>
        <message>
            <source>An old price: look it up before you decide.</source>
            <translation>舊價格：決定之前請先核對。</translation>
        </message>
        <message>
            <source>Time per step</source>
            <translation>每步時間</translation>
        </message>
        <message>
            <source>Band</source>
            <translation>區間</translation>
        </message>
        <message>
            <source>Limit</source>
            <translation>瓶頸</translation>
        </message>
        <message>
            <source>Cost</source>
            <translation>費用</translation>
        </message>
        <message>
            <source>Billed</source>
            <translation>計費時間</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%2 中的 %1</translation>
        </message>
        <message>
            <source>Scaling</source>
            <translation>擴展效率</translation>
        </message>
        <message>
            <source>Price per hour</source>
            <translation>每小時價格</translation>
        </message>
        <message>
            <source>%1 %3 (%2 %3)</source>
            <translation>%1 %3（%2 %3）</translation>
        </message>
        <message>
            <source>no machine beats these on both time and price</source>
            <translation>沒有機器在時間和價格上都更優</translation>
        </message>
        <message>
            <source>best trade-offs</source>
            <translation>最佳折衷</translation>
        </message>
        <message>
            <source>Used %5 of the time, a PC with a %1 (%2) pays off after %3, compared with renting %4.</source>
            <translation>使用率為 %5 時，購買配備 %1 的電腦（%2）與租用 %4 相比，%3後回本。</translation>
        </message>
        <message>
            <source>In the worst case renting stays cheaper.</source>
            <translation>在最差情況下，租用始終較便宜。</translation>
        </message>
        <message>
            <source>Between the best and the worst case: after %1 to %2.</source>
            <translation>從最好到最差的情況：%1至%2後。</translation>
        </message>
        <message>
            <source>Used %1 of the time, buying a PC with a %2 (%3) does not pay off within %4: renting %5 stays cheaper.</source>
            <translation>使用率為 %1 時，購買配備 %2 的電腦（%3）在 %4內無法回本：租用 %5 始終較便宜。</translation>
        </message>
        <message>
            <source>In the best case it pays off after %1.</source>
            <translation>在最好情況下，%1後回本。</translation>
        </message>
        <message>
            <source>Total paid</source>
            <translation>累計支出</translation>
        </message>
        <message>
            <source>its price rises more than %1 (then take %2)</source>
            <translation>其價格上漲超過 %1（則選 %2）</translation>
        </message>
        <message>
            <source>it runs more than %1 slower than predicted (then take %2)</source>
            <translation>其執行比預測慢 %1 以上（則選 %2）</translation>
        </message>
        <message>
            <source>It stays the best choice whatever its price or time.</source>
            <translation>無論其價格或時間如何變化，它都是最佳選擇。</translation>
        </message>
        <message>
            <source>It stays the best choice unless %1.</source>
            <translation>它始終是最佳選擇，除非%1。</translation>
        </message>
        <message>
            <source> or </source>
            <translation>，或</translation>
        </message>
        <message>
            <source>The choice is the same for time weights from %1 to %2.</source>
            <translation>時間權重在 %1 至 %2 之間時選擇不變。</translation>
        </message>
        <message>
            <source>The choice is the same for time weights above %1.</source>
            <translation>時間權重高於 %1 時選擇不變。</translation>
        </message>
        <message>
            <source>Estimates; in brackets are 80 % prediction ranges.</source>
            <translation>均為估算；括號內為 80 % 預測區間。</translation>
        </message>
        <message numerus="yes">
            <source>Calibrated with %n of your measurement(s).</source>
            <translation>
                <numerusform>已用您的 %n 次測量校準。</numerusform>
            </translation>
        </message>
        <message>
            <source>Price from %1.</source>
            <translation>價格日期：%1。</translation>
        </message>
        <message>
            <source>Source of the price: %1</source>
            <translation>價格來源：%1</translation>
        </message>
        <message>
            <source>In brackets the 80 % prediction range</source>
            <translation>括號內為 80 % 預測區間</translation>
        </message>
        <message>
            <source>Time (estimate)</source>
            <translation>時間（估算）</translation>
        </message>
        <message>
            <source>Cost (estimate)</source>
            <translation>費用（估算）</translation>
        </message>
        <message>
            <source>Price date</source>
            <translation>價格日期</translation>
        </message>
        <message>
            <source>Basis</source>
            <translation>依據</translation>
        </message>
        <message>
            <source>Physical limit</source>
            <translation>物理極限</translation>
        </message>
        <message>
            <source>the same work on both; %1 for %2 (%3, source: %4)</source>
            <translation>兩者完成相同的工作；%1 售價 %2（%3），來源 %4</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>區間</translation>
        </message>
        <message>
            <source>No measurements by this program yet: run the benchmark to narrow the intervals.</source>
            <translation>尚未用本程式量測過：執行基準測試後區間會變窄。</translation>
        </message>
        <message>
            <source>the date is unknown</source>
            <translation>日期未知</translation>
        </message>
        <message>
            <source>The price is from %1, %2 days ago: look it up before you decide.</source>
            <translation>價格來自 %1，已有 %2 天：決定前請先核對。</translation>
        </message>
        <message>
            <source>On the card this job takes about %1 (%2).</source>
            <translation>在這張顯示卡上，這項工作約需 %1（%2）。</translation>
        </message>
        <message>
            <source>%1 is left out: %2.</source>
            <translation>%1未納入比較：%2。</translation>
        </message>
        <message>
            <source>Why not</source>
            <translation>排除原因</translation>
        </message>
        <message>
            <source>%1, batch %2</source>
            <comment>precision, batch</comment>
            <translation>%1、批次 %2</translation>
        </message>
        <message>
            <source>in %1 it would take %2 (%3)</source>
            <translation>以 %1 計算約需 %2（%3）</translation>
        </message>
        <message>
            <source>with Steelyard itself, in %1, it would take %2 (%3)</source>
            <translation>使用 Steelyard 本身以 %1 計算約需 %2（%3）</translation>
        </message>
        <message>
            <source>%1 is left out (%2); %3.</source>
            <translation>%1未納入比較（%2）；%3。</translation>
        </message>
        <message>
            <source>%1 · 80 % prediction ranges · better: lower left</source>
            <translation>%1 · 估算值及 80 % 預測區間 · 越靠左下越好</translation>
        </message>
        <message>
            <source>budget %1</source>
            <translation>預算 %1</translation>
        </message>
        <message>
            <source>deadline %1</source>
            <translation>期限 %1</translation>
        </message>
        <message>
            <source>over budget</source>
            <translation>超預算</translation>
        </message>
        <message>
            <source>too slow</source>
            <translation>太慢</translation>
        </message>
        <message>
            <source>other provider</source>
            <translation>其他供應商</translation>
        </message>
        <message>
            <source>too little memory</source>
            <translation>記憶體不足</translation>
        </message>
        <message>
            <source>left out</source>
            <translation>未納入</translation>
        </message>
        <message>
            <source>%1/h</source>
            <translation>%1/小時</translation>
        </message>
    </context>
    <context>
        <name>AdviceText</name>
        <message>
            <source>Cheapest</source>
            <translation>最便宜</translation>
        </message>
        <message>
            <source>Fastest</source>
            <translation>最快</translation>
        </message>
        <message>
            <source>Balanced</source>
            <translation>均衡</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>實測</translation>
        </message>
        <message>
            <source>other networks were measured on this device</source>
            <translation>在此裝置上量測過其他網路</translation>
        </message>
        <message>
            <source>another processor</source>
            <translation>另一種處理器</translation>
        </message>
        <message>
            <source>costs time</source>
            <translation>更慢</translation>
        </message>
        <message>
            <source>Professional</source>
            <translation>專業人員</translation>
        </message>
        <message>
            <source>Competition</source>
            <translation>參加競賽</translation>
        </message>
        <message>
            <source>Researcher</source>
            <translation>研究人員</translation>
        </message>
        <message>
            <source>Team with a cluster</source>
            <translation>有叢集的團隊</translation>
        </message>
        <message>
            <source>other networks measured on the device</source>
            <translation>裝置上量測過其他網路</translation>
        </message>
        <message>
            <source>convolutional networks</source>
            <translation>卷積網路</translation>
        </message>
        <message>
            <source>transformers</source>
            <translation>Transformer</translation>
        </message>
        <message>
            <source>recurrent networks</source>
            <translation>循環網路</translation>
        </message>
        <message>
            <source>dense networks</source>
            <translation>全連接網路</translation>
        </message>
        <message>
            <source>small operations</source>
            <translation>小運算</translation>
        </message>
        <message>
            <source>batches up to 8</source>
            <translation>批次不超過 8</translation>
        </message>
        <message>
            <source>estimate from a measurement</source>
            <translation>根據實測估算</translation>
        </message>
        <message>
            <source>estimate</source>
            <translation>估算</translation>
        </message>
        <message>
            <source>no measurement on this device yet</source>
            <translation>此裝置尚無實測</translation>
        </message>
        <message>
            <source>worth it</source>
            <translation>划算</translation>
        </message>
        <message>
            <source>unclear</source>
            <translation>不明確</translation>
        </message>
        <message>
            <source>CPU or GPU in the cloud, 2017</source>
            <translation>雲端的 CPU 或 GPU，2017 年</translation>
        </message>
        <message>
            <source>CPU or GPU in the cloud, 2017: the seventh workload</source>
            <translation>雲端的 CPU 或 GPU，2017 年：第七個工作負載</translation>
        </message>
        <message>
            <source>The follow-up with TensorFlow 1.4 and CNTK 2.2</source>
            <translation>後續研究：TensorFlow 1.4 與 CNTK 2.2</translation>
        </message>
        <message>
            <source>transferred from a device of the same generation</source>
            <translation>由同一代裝置推算</translation>
        </message>
        <message>
            <source>transferred from several devices</source>
            <translation>由多個裝置推算</translation>
        </message>
        <message>
            <source>transferred from a device of another generation</source>
            <translation>由另一代裝置推算</translation>
        </message>
        <message>
            <source>device not measured, known software</source>
            <translation>裝置未量測，軟體已知</translation>
        </message>
        <message>
            <source>small operations: limited by launch overhead</source>
            <translation>小運算：取決於啟動開銷</translation>
        </message>
        <message>
            <source>unknown software on this device</source>
            <translation>軟體在此裝置上的表現未知</translation>
        </message>
        <message>
            <source>no published figures to compare with: low confidence</source>
            <translation>沒有可對照的公開資料：可信度低</translation>
        </message>
        <message>
            <source>Hobbyist (runs overnight)</source>
            <translation>夜間跑任務的愛好者</translation>
        </message>
        <message>
            <source>Beginner on a small budget</source>
            <translation>預算少的初學者</translation>
        </message>
        <message>
            <source>one chip left out</source>
            <translation>留出一種晶片</translation>
        </message>
        <message>
            <source>one family of networks left out</source>
            <translation>留出一類網路</translation>
        </message>
        <message>
            <source>transferred within a generation</source>
            <translation>同代之間推算</translation>
        </message>
        <message>
            <source>transferred to another generation</source>
            <translation>推算到另一代</translation>
        </message>
        <message>
            <source>unknown software</source>
            <translation>軟體未知</translation>
        </message>
        <message>
            <source>One run per cell. Mean seconds of an epoch, its validation included. CPU prices are preemptible, the GPU&apos;s is not.</source>
            <translation>每格一次執行。一輪的平均秒數，含驗證。CPU 為可先占價格，GPU 不是。</translation>
        </message>
        <message>
            <source>One run per cell. Mean seconds of an epoch, its validation included.</source>
            <translation>每格一次執行。一輪的平均秒數，含驗證。</translation>
        </message>
        <message>
            <source>One run per cell. Mean seconds of an epoch. CPU prices are preemptible, the GPU&apos;s is not.</source>
            <translation>每格一次執行。一輪的平均秒數。CPU 為可先占價格，GPU 不是。</translation>
        </message>
    </context>
    <context>
        <name>CampaignPresenter</name>
        <message>
            <source>this computer</source>
            <translation>本機</translation>
        </message>
        <message>
            <source>planned</source>
            <translation>已計劃</translation>
        </message>
        <message>
            <source>waiting</source>
            <translation>等待中</translation>
        </message>
        <message>
            <source>running</source>
            <translation>執行中</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>已測量</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>given up</source>
            <translation>已放棄</translation>
        </message>
        <message>
            <source>Sweep, %1</source>
            <translation>批次測量，%1</translation>
        </message>
        <message>
            <source>Not started yet</source>
            <translation>尚未開始</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>執行中</translation>
        </message>
        <message>
            <source>Ended: %1 of %2 measured</source>
            <translation>已結束：已測量 %1/%2</translation>
        </message>
        <message>
            <source>All measurements together cost at most %1.</source>
            <translation>所有測量合計最多花費 %1。</translation>
        </message>
        <message>
            <source>About %1 spent so far; the provider&apos;s bill counts.</source>
            <translation>目前約花費 %1；以提供商的帳單為準。</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>機器</translation>
        </message>
        <message>
            <source>State</source>
            <translation>狀態</translation>
        </message>
        <message>
            <source>Predicted step</source>
            <translation>預測步時</translation>
        </message>
        <message>
            <source>Predicted when the campaign was planned</source>
            <translation>即制定測量計劃時的預測</translation>
        </message>
        <message>
            <source>Measured step</source>
            <translation>實測步時</translation>
        </message>
        <message>
            <source>Ratio</source>
            <translation>比值</translation>
        </message>
        <message>
            <source>Measured over predicted; below 1 is faster than predicted</source>
            <translation>實測與預測之比；小於 1 表示比預測快</translation>
        </message>
        <message>
            <source>Whole job</source>
            <translation>整個任務</translation>
        </message>
        <message>
            <source>Measured where available, otherwise predicted</source>
            <translation>按實測值；沒有實測時按預測值</translation>
        </message>
        <message>
            <source>Job costs</source>
            <translation>任務費用</translation>
        </message>
        <message>
            <source>Spent</source>
            <translation>已花費</translation>
        </message>
        <message>
            <source>On measuring so far</source>
            <translation>目前用於測量的花費</translation>
        </message>
        <message>
            <source>Engine</source>
            <translation>排程工具</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Inside the predicted 80 % interval</source>
            <translation>在預測的 80 % 區間內</translation>
        </message>
        <message>
            <source>Outside the predicted 80 % interval</source>
            <translation>在預測的 80 % 區間外</translation>
        </message>
        <message>
            <source>Predicted and measured</source>
            <translation>預測與實測</translation>
        </message>
        <message>
            <source>%1. Measured solid, predictions hollow with their 80 % interval.</source>
            <translation>%1。實心為實測值，空心為預測值及其 80 % 區間。</translation>
        </message>
        <message>
            <source>Nothing of this campaign was predicted or measured.</source>
            <translation>該測量計劃沒有預測值，也沒有實測值。</translation>
        </message>
        <message>
            <source>Step time, less is better</source>
            <translation>步時，越小越好</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>區間</translation>
        </message>
        <message>
            <source>Predicted</source>
            <translation>預測</translation>
        </message>
        <message>
            <source>Measured</source>
            <translation>實測</translation>
        </message>
        <message>
            <source>Takes about</source>
            <translation>約需</translation>
        </message>
        <message>
            <source>From the start of the machine to the end of the measurement</source>
            <translation>從機器啟動到測量結束</translation>
        </message>
        <message>
            <source>At most</source>
            <translation>最多</translation>
        </message>
        <message>
            <source>Every attempt uses its full time limit</source>
            <translation>按每次嘗試都用滿時限計算</translation>
        </message>
        <message numerus="yes">
            <source>%n chunk(s) of a sweep</source>
            <translation>
                <numerusform>批次測量的 %n 個分塊</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 · %2 · batch %3 · %4 · %n machine(s)</source>
            <translation>
                <numerusform>%1 · %2 · 批次 %3 · %4 · %n 台機器</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ChartText</name>
        <message>
            <source>not measured</source>
            <translation>未量測</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>實測</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>預測</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>匯入</translation>
        </message>
        <message>
            <source>%1 from %2 (%3) to %4 (%5).</source>
            <translation>%1：從 %2（%3）到 %4（%5）。</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95 % 區間</translation>
        </message>
        <message>
            <source>disturbed by other programs</source>
            <translation>受其他程式干擾</translation>
        </message>
    </context>
    <context>
        <name>CheckPresenter</name>
        <message>
            <source>Main memory</source>
            <translation>主記憶體</translation>
        </message>
        <message>
            <source>Memory of %1</source>
            <translation>%1 的記憶體</translation>
        </message>
        <message>
            <source>Operations of %1</source>
            <translation>%1 的運算</translation>
        </message>
        <message>
            <source>Sustained load of %1</source>
            <translation>%1 的持續負載</translation>
        </message>
        <message>
            <source>passed</source>
            <translation>通過</translation>
        </message>
        <message>
            <source>passed, with remarks</source>
            <translation>通過，但有說明</translation>
        </message>
        <message>
            <source>faults</source>
            <translation>有故障</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未檢查</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Clock: %1 MHz at the beginning, %2 MHz at the end</source>
            <translation>時脈：開始時 %1 MHz，結束時 %2 MHz</translation>
        </message>
        <message>
            <source>At most %1 °C</source>
            <translation>最高 %1 °C</translation>
        </message>
        <message>
            <source>%1: %2.</source>
            <translation>%1：%2。</translation>
        </message>
        <message>
            <source>Part %1 of %2: %3</source>
            <translation>第 %1 部分，共 %2 部分：%3</translation>
        </message>
    </context>
    <context>
        <name>ComparePresenter</name>
        <message>
            <source>n = %1</source>
            <translation>n = %1</translation>
        </message>
        <message>
            <source>Case</source>
            <translation>案例</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>結論</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>The two runs have no case in common.</source>
            <translation>兩次執行沒有共同的案例。</translation>
        </message>
        <message numerus="yes">
            <source>Of %n common case(s): %1 faster, %2 slower, %3 without evidence of a difference.</source>
            <translation>
                <numerusform>%n 個共同案例中：%1 個較快，%2 個較慢，%3 個沒有差異的證據。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n cannot be compared.</source>
            <translation>
                <numerusform>%n 個無法比較。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s) only in one of the runs.</source>
            <translation>
                <numerusform>%n 個案例只出現在其中一次執行中。</numerusform>
            </translation>
        </message>
        <message>
            <source>not comparable: CPU busy</source>
            <translation>無法比較：CPU 忙碌</translation>
        </message>
        <message>
            <source>Before (ms)</source>
            <translation>之前 (ms)</translation>
        </message>
        <message>
            <source>After (ms)</source>
            <translation>之後 (ms)</translation>
        </message>
        <message>
            <source>Change</source>
            <translation>變化</translation>
        </message>
        <message>
            <source>t-test between runs, p = %1</source>
            <translation>各次執行間 t 檢定 p = %1</translation>
        </message>
        <message>
            <source>t-test between visits, p = %1</source>
            <translation>各輪間 t 檢定 p = %1</translation>
        </message>
        <message>
            <source>The whole machine is %1 slower than before.</source>
            <translation>整台機器比之前慢 %1。</translation>
        </message>
        <message>
            <source>The whole machine is %1 faster than before.</source>
            <translation>整台機器比之前快 %1。</translation>
        </message>
        <message>
            <source>Every case is about %1 slower, but the machine's arithmetic and memory are not: the program or its libraries differ.</source>
            <translation>每個案例都慢約 %1，但機器的運算和記憶體並未變慢：程式或其函式庫有所不同。</translation>
        </message>
        <message>
            <source>Every case is about %1 faster, but the machine's arithmetic and memory are not: the program or its libraries differ.</source>
            <translation>每個案例都快約 %1，但機器的運算和記憶體並未變快：程式或其函式庫有所不同。</translation>
        </message>
        <message>
            <source>In the machine state that both runs had; in the one it was in most: %1 ms</source>
            <translation>兩次執行共有的機器狀態下的值；多數時間所處的狀態下為 %1 毫秒</translation>
        </message>
        <message>
            <source>%1 slower</source>
            <translation>慢 %1</translation>
        </message>
        <message>
            <source>%1 faster</source>
            <translation>快 %1</translation>
        </message>
        <message>
            <source>no evidence</source>
            <translation>無證據</translation>
        </message>
        <message>
            <source>Change of the time per step</source>
            <translation>每步時間的變化</translation>
        </message>
        <message>
            <source>No case of the two runs can be compared.</source>
            <translation>兩次執行沒有可以比較的案例。</translation>
        </message>
        <message>
            <source>Time after over time before, less is better</source>
            <translation>之後與之前時間之比，越小越好</translation>
        </message>
        <message>
            <source>no change</source>
            <translation>無變化</translation>
        </message>
        <message>
            <source>after / before</source>
            <translation>之後 / 之前</translation>
        </message>
        <message>
            <source>Before: %1. After: %2. Grey: within ±%3 %, too small to count as a change.</source>
            <translation>之前：%1。之後：%2。灰色：±%3 % 以內，變化太小，不計。</translation>
        </message>
        <message>
            <source>Ratio of the times with its interval; below 1 is faster</source>
            <translation>時間之比及其區間；小於 1 表示更快</translation>
        </message>
    </context>
    <context>
        <name>DisturbancePresenter</name>
        <message>
            <source>Measured while other programs used the CPU: these results are unreliable.</source>
            <translation>測量時其他程式佔用了 CPU：這些結果不可靠。</translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases measured while other programs used the CPU: their results are unreliable.</source>
            <translation>
                <numerusform>%1 個案例中有 %n 個在其他程式佔用 CPU 時測得：其結果不可靠。</numerusform>
            </translation>
        </message>
        <message>
            <source>Both runs were measured while other programs used the CPU: their cases cannot be compared.</source>
            <translation>兩次執行測量時其他程式都佔用了 CPU：其案例無法比較。</translation>
        </message>
        <message>
            <source>The first run was measured while other programs used the CPU: its cases cannot be compared.</source>
            <translation>第一次執行測量時其他程式佔用了 CPU：其案例無法比較。</translation>
        </message>
        <message>
            <source>The second run was measured while other programs used the CPU: its cases cannot be compared.</source>
            <translation>第二次執行測量時其他程式佔用了 CPU：其案例無法比較。</translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases of the first run were measured while other programs used the CPU: they cannot be compared.</source>
            <translation>
                <numerusform>第一次執行的 %1 個案例中有 %n 個在其他程式佔用 CPU 時測得：這些案例無法比較。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases of the second run were measured while other programs used the CPU: they cannot be compared.</source>
            <translation>
                <numerusform>第二次執行的 %1 個案例中有 %n 個在其他程式佔用 CPU 時測得：這些案例無法比較。</numerusform>
            </translation>
        </message>
        <message>
            <source>Other programs used the CPU during this case; the result is unreliable.</source>
            <translation>此案例測量期間其他程式佔用了 CPU，結果不可靠。</translation>
        </message>
        <message>
            <source>The machine&apos;s state kept changing during this case; the result is unreliable.</source>
            <translation>此案例的每個取樣視窗中機器狀態都發生了變化；結果不可靠。</translation>
        </message>
        <message>
            <source>They took up to %1 CPUs.</source>
            <translation>它們最多佔用 %1 個 CPU。</translation>
        </message>
    </context>
    <context>
        <name>ErrorText</name>
        <message>
            <source>The operation</source>
            <translation>此操作</translation>
        </message>
        <message>
            <source>%1 is not valid.</source>
            <translation>%1 無效。</translation>
        </message>
        <message>
            <source>%1 was not found.</source>
            <translation>找不到 %1。</translation>
        </message>
        <message>
            <source>%1 is not supported here.</source>
            <translation>此處不支援 %1。</translation>
        </message>
        <message>
            <source>%1 does not fit into memory.</source>
            <translation>%1 超出記憶體容量。</translation>
        </message>
        <message>
            <source>%1 took longer than its time limit.</source>
            <translation>%1 超過了時間限制。</translation>
        </message>
        <message>
            <source>%1 was cancelled.</source>
            <translation>%1 已取消。</translation>
        </message>
        <message>
            <source>%1 could not be read or written.</source>
            <translation>無法讀寫 %1。</translation>
        </message>
        <message>
            <source>The disk is full: %1 could not be written.</source>
            <translation>磁碟已滿：無法寫入 %1。</translation>
        </message>
        <message>
            <source>Access to %1 is not permitted.</source>
            <translation>沒有存取 %1 的權限。</translation>
        </message>
        <message>
            <source>%1 is damaged or not of the expected format.</source>
            <translation>%1 已損毀或格式不符。</translation>
        </message>
        <message>
            <source>%1 was written by a newer version of this program.</source>
            <translation>%1 由本程式的較新版本寫成。</translation>
        </message>
        <message>
            <source>%1 is in use by another program.</source>
            <translation>%1 正被其他程式使用。</translation>
        </message>
        <message>
            <source>The measuring process of %1 ended unexpectedly.</source>
            <translation>%1 的量測行程意外結束。</translation>
        </message>
        <message>
            <source>%1 is not available.</source>
            <translation>%1 無法使用。</translation>
        </message>
        <message>
            <source>An unexpected failure in %1.</source>
            <translation>%1 發生意外故障。</translation>
        </message>
        <message>
            <source>Correct the value and try again.</source>
            <translation>請更正該值後重試。</translation>
        </message>
        <message>
            <source>Check the name and whether it still exists.</source>
            <translation>請檢查名稱以及它是否仍然存在。</translation>
        </message>
        <message>
            <source>Choose another device or precision.</source>
            <translation>請選擇其他裝置或精度。</translation>
        </message>
        <message>
            <source>Choose a smaller batch, or close other programs.</source>
            <translation>請選擇較小的批次，或關閉其他程式。</translation>
        </message>
        <message>
            <source>Raise the time cap, or choose a smaller workload.</source>
            <translation>請提高時間上限，或選擇較小的工作負載。</translation>
        </message>
        <message>
            <source>Finished cases are kept; start again for the rest.</source>
            <translation>已完成的案例會保留；其餘的請重新開始。</translation>
        </message>
        <message>
            <source>Check that the drive is connected and try again.</source>
            <translation>請檢查磁碟是否已連接，然後重試。</translation>
        </message>
        <message>
            <source>Free some space or choose another folder.</source>
            <translation>請釋出一些空間或選擇其他資料夾。</translation>
        </message>
        <message>
            <source>Choose a folder you may write to, or ask who owns the file.</source>
            <translation>請選擇可寫入的資料夾，或詢問檔案的擁有者。</translation>
        </message>
        <message>
            <source>Export the file again where it was made; nothing was changed here.</source>
            <translation>請在產生該檔案的地方重新匯出；此處未作任何變更。</translation>
        </message>
        <message>
            <source>Update this program; the file was left untouched.</source>
            <translation>請更新本程式；該檔案未被更動。</translation>
        </message>
        <message>
            <source>Close the other program, or choose another database in Settings.</source>
            <translation>請關閉其他程式，或在「設定」中選擇其他資料庫。</translation>
        </message>
        <message>
            <source>Run the case alone; if it happens again, copy the diagnostic report on the Hardware page.</source>
            <translation>請單獨執行該案例；若再次發生，請在「硬體」頁複製診斷報告。</translation>
        </message>
        <message>
            <source>Needs %1, has %2.</source>
            <translation>需要 %1，現有 %2。</translation>
        </message>
        <message>
            <source>Detail: %1</source>
            <translation>詳細資訊：%1</translation>
        </message>
        <message>
            <source>(at byte %1)</source>
            <translation>（於位元組 %1 處）</translation>
        </message>
        <message>
            <source>See the Hardware page for what is missing.</source>
            <translation>「硬體」頁會說明缺少什麼。</translation>
        </message>
        <message>
            <source>Try again; if the error persists, copy the diagnostic report on the Hardware page.</source>
            <translation>請重試；若問題依舊，請在「硬體」頁複製診斷報告。</translation>
        </message>
    </context>
    <context>
        <name>ExportFlow</name>
        <message>
            <source>Images (*.png)</source>
            <translation>影像 (*.png)</translation>
        </message>
        <message>
            <source>Drawings (*.svg)</source>
            <translation>向量圖 (*.svg)</translation>
        </message>
        <message>
            <source>PDF documents (*.pdf)</source>
            <translation>PDF 檔案 (*.pdf)</translation>
        </message>
        <message>
            <source>Tables (*.csv)</source>
            <translation>表格 (*.csv)</translation>
        </message>
        <message>
            <source>Export the chart</source>
            <translation>匯出圖表</translation>
        </message>
        <message>
            <source>The chart was not exported</source>
            <translation>圖表未能匯出</translation>
        </message>
    </context>
    <context>
        <name>Format</name>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
        <message>
            <source>%1 min %2 s</source>
            <translation>%1 分 %2 秒</translation>
        </message>
        <message>
            <source>%1 h %2 min</source>
            <translation>%1 小時 %2 分</translation>
        </message>
        <message>
            <source>%1 d %2 h</source>
            <translation>%1 天 %2 小時</translation>
        </message>
        <message>
            <source>s</source>
            <translation>秒</translation>
        </message>
        <message>
            <source>min</source>
            <translation>分鐘</translation>
        </message>
        <message>
            <source>h</source>
            <translation>小時</translation>
        </message>
        <message>
            <source>d</source>
            <translation>天</translation>
        </message>
        <message numerus="yes">
            <source>%n day(s) old</source>
            <translation>
                <numerusform>%n 天前</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n month(s) old</source>
            <translation>
                <numerusform>%n 個月前</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n year(s) old</source>
            <translation>
                <numerusform>%n 年前</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n day(s)</source>
            <translation>
                <numerusform>%n 天</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n month(s)</source>
            <translation>
                <numerusform>%n 個月</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n year(s)</source>
            <translation>
                <numerusform>%n 年</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 years</source>
            <translation>%1 年</translation>
        </message>
        <message>
            <source>Amounts in %1: 1 US dollar = %2 %1 (%3, %4).</source>
            <translation>金額以 %1 計：1 美元 = %2 %1（%3，%4）。</translation>
        </message>
    </context>
    <context>
        <name>HardwarePresenter</name>
        <message>
            <source>set by you</source>
            <translation>由您設定</translation>
        </message>
        <message>
            <source>unknown</source>
            <translation>未知</translation>
        </message>
        <message>
            <source>%1 MHz</source>
            <translation>%1 MHz</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>處理器</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名稱</translation>
        </message>
        <message>
            <source>Packages</source>
            <translation>插槽數</translation>
        </message>
        <message>
            <source>Physical cores</source>
            <translation>實體核心</translation>
        </message>
        <message>
            <source>Logical CPUs</source>
            <translation>邏輯處理器</translation>
        </message>
        <message>
            <source>%1 CPUs</source>
            <translation>%1 個 CPU</translation>
        </message>
        <message>
            <source>Core types</source>
            <translation>核心種類</translation>
        </message>
        <message>
            <source>Caches</source>
            <translation>快取</translation>
        </message>
        <message>
            <source>Instruction sets</source>
            <translation>指令集</translation>
        </message>
        <message>
            <source>Maximum clock</source>
            <translation>最高時脈</translation>
        </message>
        <message>
            <source>Current clock</source>
            <translation>目前時脈</translation>
        </message>
        <message>
            <source>Governor</source>
            <translation>調頻策略</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>Main memory</source>
            <translation>主記憶體</translation>
        </message>
        <message>
            <source>Available now</source>
            <translation>目前可用</translation>
        </message>
        <message>
            <source>Swap</source>
            <translation>交換空間</translation>
        </message>
        <message>
            <source>none</source>
            <translation>無</translation>
        </message>
        <message>
            <source>System</source>
            <translation>系統</translation>
        </message>
        <message>
            <source>Operating system</source>
            <translation>作業系統</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>核心版本</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>機型</translation>
        </message>
        <message>
            <source>Virtual machine</source>
            <translation>虛擬機器</translation>
        </message>
        <message>
            <source>Container</source>
            <translation>容器</translation>
        </message>
        <message>
            <source>Unknown processor</source>
            <translation>名稱未知的處理器</translation>
        </message>
        <message numerus="yes">
            <source>%1 of %n core(s) usable</source>
            <translation>
                <numerusform>%n 個核心中 %1 個可用</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n 個核心</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 memory</source>
            <translation>%1 記憶體</translation>
        </message>
        <message>
            <source>%1 GPU</source>
            <translation>%1 顯示卡</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>no GPU</source>
            <translation>無 GPU</translation>
        </message>
        <message>
            <source>A control group grants %1 of %2 cores.</source>
            <translation>控制群組分配了 %2 個核心中的 %1 個。</translation>
        </message>
        <message>
            <source>This process may run on %1 of %2 cores.</source>
            <translation>本行程可使用 %2 個核心中的 %1 個。</translation>
        </message>
        <message>
            <source>A control group grants %1 of %2 memory.</source>
            <translation>控制群組分配了 %2 記憶體中的 %1。</translation>
        </message>
        <message>
            <source>Fact</source>
            <translation>項目</translation>
        </message>
        <message>
            <source>Detected</source>
            <translation>偵測到</translation>
        </message>
        <message>
            <source>What the machine has</source>
            <translation>機器所擁有的</translation>
        </message>
        <message>
            <source>Allowed</source>
            <translation>允許</translation>
        </message>
        <message>
            <source>What this process may use</source>
            <translation>本行程可使用的</translation>
        </message>
        <message>
            <source>Used</source>
            <translation>使用</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>來源</translation>
        </message>
        <message>
            <source>Where the fact was read</source>
            <translation>該資訊的讀取位置</translation>
        </message>
        <message>
            <source>Memory in use</source>
            <translation>已用顯示記憶體</translation>
        </message>
        <message>
            <source>Memory bandwidth</source>
            <translation>顯示記憶體頻寬</translation>
        </message>
        <message>
            <source>Compute capability</source>
            <translation>運算能力</translation>
        </message>
        <message>
            <source>Multiprocessors</source>
            <translation>多處理器數</translation>
        </message>
        <message>
            <source>Power limit</source>
            <translation>功耗上限</translation>
        </message>
        <message>
            <source>PCI Express</source>
            <translation>PCI Express</translation>
        </message>
        <message>
            <source>generation %1, %2 lanes</source>
            <translation>第 %1 代，%2 通道</translation>
        </message>
        <message>
            <source>Driver</source>
            <translation>驅動程式</translation>
        </message>
        <message>
            <source>CUDA version</source>
            <translation>CUDA 版本</translation>
        </message>
        <message>
            <source>PCI address</source>
            <translation>PCI 位址</translation>
        </message>
        <message>
            <source>No graphics card was found.</source>
            <translation>找不到顯示卡。</translation>
        </message>
        <message>
            <source>Benchmarks run on the CPU; everything else works as well.</source>
            <translation>基準測試在 CPU 上執行；其他功能照常可用。</translation>
        </message>
        <message>
            <source>loaded</source>
            <translation>已載入</translation>
        </message>
        <message>
            <source>GPU %1</source>
            <translation>GPU %1</translation>
        </message>
        <message>
            <source>CPU quota</source>
            <translation>CPU 配額</translation>
        </message>
        <message>
            <source>Default number of threads of a benchmark</source>
            <translation>未另行指定時基準測試使用的執行緒數</translation>
        </message>
        <message>
            <source>Default for benchmarks</source>
            <translation>未另行指定時基準測試所用的</translation>
        </message>
    </context>
    <context>
        <name>HistoryPresenter</name>
        <message numerus="yes">
            <source>%n run(s), %1</source>
            <translation>
                <numerusform>%n 次執行，%1</numerusform>
            </translation>
        </message>
        <message>
            <source>The history took %1 and takes %2 now.</source>
            <translation>歷史記錄原先占用 %1，現在占用 %2。</translation>
        </message>
        <message>
            <source>Choose what to keep.</source>
            <translation>請選擇要保留的內容。</translation>
        </message>
        <message>
            <source>No run will be deleted.</source>
            <translation>不會刪除任何執行。</translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 run(s) will be deleted, from %2 to %3.</source>
            <translation>
                <numerusform>將刪除 %1 次執行中的 %n 次，從 %2 到 %3。</numerusform>
            </translation>
        </message>
        <message>
            <source>Not available during a run.</source>
            <translation>執行期間無法使用。</translation>
        </message>
    </context>
    <context>
        <name>HomePresenter</name>
        <message>
            <source>%1 · %2</source>
            <translation>%1 · %2</translation>
        </message>
        <message>
            <source>tokens/s</source>
            <translation>詞元/秒</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>樣本/秒</translation>
        </message>
        <message>
            <source>95 % interval %1</source>
            <translation>95 % 區間 %1</translation>
        </message>
        <message>
            <source>batch %1</source>
            <translation>批次 %1</translation>
        </message>
        <message>
            <source>Nothing measured yet. Run the benchmark to learn how fast this computer trains.</source>
            <translation>尚未量測。執行基準測試，即可了解這台電腦訓練得有多快。</translation>
        </message>
        <message>
            <source>%1 on your %2: %3.</source>
            <translation>您的 %2 上的 %1：%3。</translation>
        </message>
        <message>
            <source>Your %1 trains %2 at %3.</source>
            <translation>您的 %1 訓練 %2 的速度為 %3。</translation>
        </message>
        <message>
            <source>Your %1 runs %2 at %3.</source>
            <translation>您的 %1 以 %2 推論的速度為 %3。</translation>
        </message>
        <message>
            <source>Your %1 trains %2 at %3: %4 times the CPU, which reaches %5.</source>
            <translation>您的 %1 訓練 %2 的速度為 %3：是 CPU（%5）的 %4 倍。</translation>
        </message>
        <message>
            <source>Your %1 runs %2 at %3: %4 times the CPU, which reaches %5.</source>
            <translation>您的 %1 以 %2 推論的速度為 %3：是 CPU（%5）的 %4 倍。</translation>
        </message>
        <message numerus="yes">
            <source>%1, %2, %n case(s)</source>
            <translation>
                <numerusform>%1，%2，%n 個案例</numerusform>
            </translation>
        </message>
        <message>
            <source>Run benchmark</source>
            <translation>執行基準測試</translation>
        </message>
        <message numerus="yes">
            <source>Run benchmark (%n case(s))</source>
            <translation>
                <numerusform>執行基準測試（%n 個案例）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Run benchmark (%n case(s), about %1)</source>
            <translation>
                <numerusform>執行基準測試（%n 個案例，約 %1）</numerusform>
            </translation>
        </message>
        <message>
            <source>No case of the last run finished. Resume it or run again.</source>
            <translation>上次執行沒有完成任何案例。請繼續或重新執行。</translation>
        </message>
        <message>
            <source>Peak throughput reached</source>
            <translation>達到的最高輸送量</translation>
        </message>
    </context>
    <context>
        <name>LadderPresenter</name>
        <message>
            <source>This computer: %1</source>
            <translation>本機：%1</translation>
        </message>
        <message>
            <source>Where this computer stands</source>
            <translation>這台電腦的位置</translation>
        </message>
        <message>
            <source>%1, %2, batch %3, %4. Measured solid, estimates hollow with their 80 % interval.</source>
            <translation>%1，%2，批次 %3，%4。實心為實測，空心為估計及其 80 % 區間。</translation>
        </message>
        <message>
            <source>No other device can be estimated for this run.</source>
            <translation>無法為此次執行估計其他裝置。</translation>
        </message>
        <message>
            <source>Speed, more is better</source>
            <translation>速度，越大越好</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>樣本/秒</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>區間</translation>
        </message>
    </context>
    <context>
        <name>LanguagePresenter</name>
        <message>
            <source>Chat with a language model</source>
            <translation>與語言模型對話</translation>
        </message>
        <message>
            <source>Serve a language model</source>
            <translation>部署語言模型服務</translation>
        </message>
        <message>
            <source>Fine-tune a language model</source>
            <translation>微調語言模型</translation>
        </message>
        <message>
            <source>Does it fit?</source>
            <translation>裝得下嗎？</translation>
        </message>
        <message>
            <source>all weights, mixed precision</source>
            <translation>全部權重，混合精度</translation>
        </message>
        <message>
            <source>all weights, bf16</source>
            <translation>全部權重，bf16</translation>
        </message>
        <message>
            <source>%1 as %2</source>
            <comment>model, format of its weights</comment>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>%1, used</source>
            <translation>%1（二手）</translation>
        </message>
        <message>
            <source>No machine and no API can do this: loosen a limit, or choose a smaller model or format.</source>
            <translation>沒有機器也沒有 API 能做到：請放寬限制，或選擇更小的模型或格式。</translation>
        </message>
        <message>
            <source>Buy %1: about %2, %3 per million tokens, at about %4 tokens/s for each user.</source>
            <translation>購買 %1：約%2，每百萬詞元 %3，每位使用者約 %4 詞元/秒。</translation>
        </message>
        <message>
            <source>Rent %1 (%5): about %2, %3 per million tokens, at about %4 tokens/s for each user.</source>
            <translation>租用 %1（%5）：約%2，每百萬詞元 %3，每位使用者約 %4 詞元/秒。</translation>
        </message>
        <message>
            <source>Use the API of %1: about %2, %3 per million tokens.</source>
            <translation>使用 %1 的 API：約%2，每百萬詞元 %3。</translation>
        </message>
        <message>
            <source>No machine for rent can do it.</source>
            <translation>沒有可租的機器能做到。</translation>
        </message>
        <message>
            <source>Renting costs from %1 a month.</source>
            <translation>租用每月 %1 起。</translation>
        </message>
        <message>
            <source>No device for sale can do it.</source>
            <translation>沒有在售的裝置能做到。</translation>
        </message>
        <message>
            <source>Buying costs from %1 a month.</source>
            <translation>購買每月 %1 起。</translation>
        </message>
        <message>
            <source>No price of an API is known for this model.</source>
            <translation>此模型沒有已知的 API 價格。</translation>
        </message>
        <message>
            <source>An API costs from %1 a month.</source>
            <translation>API 每月 %1 起。</translation>
        </message>
        <message>
            <source>%1 needs %2 at a context of %3 tokens, %4 on a graphics card.</source>
            <translation>%1 在上下文為 %3 詞元時需要 %2，在顯示卡上需要 %4。</translation>
        </message>
        <message>
            <source>No device in the catalogue holds it alone.</source>
            <translation>目錄中沒有單個裝置裝得下。</translation>
        </message>
        <message>
            <source>It fits on %1 of %2 devices; the smallest is %3.</source>
            <translation>%2 種裝置中有 %1 種裝得下；最小的是 %3。</translation>
        </message>
        <message>
            <source>Fine-tuning %1 (%2) needs about %3 of memory and trains %4 parameters.</source>
            <translation>微調 %1（%2）約需 %3 記憶體，訓練 %4 個參數。</translation>
        </message>
        <message>
            <source>The model was trained for a context of %1 tokens.</source>
            <translation>該模型訓練時的上下文為 %1 詞元。</translation>
        </message>
        <message>
            <source>Not used of the file: %1.</source>
            <translation>檔案中未使用的內容：%1。</translation>
        </message>
        <message>
            <source>One rented machine costs less than the cheapest API above %1 million tokens a month.</source>
            <translation>每月超過 %1 百萬詞元時，租用一臺機器比最便宜的 API 便宜。</translation>
        </message>
        <message>
            <source>One bought machine costs less than the cheapest API above %1 million tokens a month.</source>
            <translation>每月超過 %1 百萬詞元時，購買一臺機器比最便宜的 API 便宜。</translation>
        </message>
        <message>
            <source>Cheapest with a tenth of the tokens: %1; with ten times as many: %2.</source>
            <translation>詞元為十分之一時最便宜的是 %1；為十倍時是 %2。</translation>
        </message>
        <message>
            <source>Every speed is predicted from published measurements, with 80 % prediction ranges; none was measured here.</source>
            <translation>所有速度均由公開的測量結果預測，帶 80 % 預測區間；均未在此處測量。</translation>
        </message>
        <message>
            <source>Prices from %1 to %2: check them.</source>
            <translation>價格日期為 %1 至 %2：請核對。</translation>
        </message>
        <message>
            <source>%1 a month</source>
            <translation>每月 %1</translation>
        </message>
        <message>
            <source>%1 per million tokens</source>
            <translation>每百萬詞元 %1</translation>
        </message>
        <message>
            <source>API</source>
            <translation>API</translation>
        </message>
        <message>
            <source>Rent</source>
            <translation>租用</translation>
        </message>
        <message>
            <source>Buy</source>
            <translation>購買</translation>
        </message>
        <message>
            <source>%1 tokens/s</source>
            <translation>%1 詞元/秒</translation>
        </message>
        <message>
            <source>%1, %2 users at once</source>
            <translation>%1，同時 %2 位使用者</translation>
        </message>
        <message>
            <source>Offer</source>
            <translation>報價</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>型別</translation>
        </message>
        <message>
            <source>Tokens/s per user</source>
            <translation>每使用者詞元/秒</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>預測</translation>
        </message>
        <message>
            <source>Users at once</source>
            <translation>同時使用者數</translation>
        </message>
        <message>
            <source>Machines</source>
            <translation>機器數</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>80 % range: %1</source>
            <translation>80 % 區間：%1</translation>
        </message>
        <message>
            <source>Speed against cost</source>
            <translation>速度與費用</translation>
        </message>
        <message>
            <source>%1 · predicted, 80 % prediction ranges</source>
            <translation>%1 · 預測值，80 % 預測區間</translation>
        </message>
        <message>
            <source>No machine can do this.</source>
            <translation>沒有機器能做到。</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>區間</translation>
        </message>
        <message>
            <source>Tokens per second per machine</source>
            <translation>一臺機器的詞元/秒</translation>
        </message>
        <message>
            <source>Cost per million tokens</source>
            <translation>每百萬詞元的費用</translation>
        </message>
        <message>
            <source>cheapest to rent</source>
            <translation>最便宜的租用</translation>
        </message>
        <message>
            <source>cheapest to buy</source>
            <translation>最便宜的購買</translation>
        </message>
        <message>
            <source>other machines for rent</source>
            <translation>其他可租的機器</translation>
        </message>
        <message>
            <source>other devices for sale</source>
            <translation>其他在售的裝置</translation>
        </message>
        <message>
            <source>API: %1</source>
            <translation>API：%1</translation>
        </message>
        <message>
            <source>Cost by load</source>
            <translation>費用隨負載</translation>
        </message>
        <message>
            <source>No machine and no API can do this.</source>
            <translation>沒有機器也沒有 API 能做到。</translation>
        </message>
        <message>
            <source>Tokens per day</source>
            <translation>每天詞元數</translation>
        </message>
        <message>
            <source>Cost per month</source>
            <translation>每月費用</translation>
        </message>
        <message>
            <source>rent: %1</source>
            <translation>租用：%1</translation>
        </message>
        <message>
            <source>buy: %1</source>
            <translation>購買：%1</translation>
        </message>
        <message>
            <source>your load</source>
            <translation>您的負載</translation>
        </message>
        <message>
            <source>Fits</source>
            <translation>裝得下</translation>
        </message>
        <message>
            <source>Usable</source>
            <translation>可用</translation>
        </message>
        <message>
            <source>Tokens/s</source>
            <translation>詞元/秒</translation>
        </message>
        <message>
            <source>predicted, all sequences together</source>
            <translation>預測值，所有序列合計</translation>
        </message>
        <message>
            <source>80 % range</source>
            <translation>80 % 區間</translation>
        </message>
        <message>
            <source>Prompt tokens/s</source>
            <translation>提示詞詞元/秒</translation>
        </message>
        <message>
            <source>predicted, a prompt that fills the context</source>
            <translation>預測值，提示詞占滿上下文</translation>
        </message>
        <message>
            <source>Longest context</source>
            <translation>最長上下文</translation>
        </message>
        <message>
            <source>Most sequences</source>
            <translation>最多序列數</translation>
        </message>
        <message>
            <source>Layers on it</source>
            <translation>其上的層數</translation>
        </message>
        <message>
            <source>the rest in the computer's memory</source>
            <translation>其餘在計算機記憶體中</translation>
        </message>
        <message>
            <source>Software</source>
            <translation>軟體</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>no</source>
            <translation>否</translation>
        </message>
        <message>
            <source>needs %1</source>
            <translation>需要 %1</translation>
        </message>
        <message>
            <source>does not fit</source>
            <translation>裝不下</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>參數量</translation>
        </message>
        <message>
            <source>Needs</source>
            <translation>需要</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>fine-tuning %1 · steps of %2 tokens · estimated</source>
            <translation>微調 %1 · 每步 %2 詞元 · 估算</translation>
        </message>
        <message>
            <source>base weights</source>
            <translation>基礎權重</translation>
        </message>
        <message>
            <source>trained weights and optimiser</source>
            <translation>所訓練的權重與最佳化器</translation>
        </message>
        <message>
            <source>activations</source>
            <translation>啟動值</translation>
        </message>
        <message>
            <source>logits</source>
            <translation>logits</translation>
        </message>
        <message>
            <source>%1 · context of %2 tokens · estimated</source>
            <translation>%1 · 上下文 %2 詞元 · 估計值</translation>
        </message>
        <message>
            <source>weights</source>
            <translation>權重</translation>
        </message>
        <message>
            <source>cache</source>
            <translation>快取</translation>
        </message>
        <message>
            <source>working space</source>
            <translation>工作空間</translation>
        </message>
        <message>
            <source>driver</source>
            <translation>驅動</translation>
        </message>
        <message>
            <source>this computer's memory: %1</source>
            <translation>本機記憶體：%1</translation>
        </message>
        <message>
            <source>this computer's %2: %1</source>
            <translation>本機的 %2：%1</translation>
        </message>
        <message>
            <source>The cheapest API costs less than a machine at any load that one machine can serve.</source>
            <translation>在一臺機器能承擔的任何負載下，最便宜的 API 都比機器便宜。</translation>
        </message>
        <message>
            <source>It stays the cheapest with a tenth of the tokens and with ten times as many.</source>
            <translation>詞元為十分之一或十倍時，它仍是最便宜的。</translation>
        </message>
        <message>
            <source>speed not published</source>
            <translation>未公佈速度</translation>
        </message>
        <message>
            <source>this computer&apos;s processor</source>
            <translation>本機的處理器</translation>
        </message>
        <message>
            <source>measured on this computer</source>
            <translation>在本機上測得</translation>
        </message>
        <message>
            <source>predicted from other language models measured on this computer</source>
            <translation>根據在本機上測量的其他語言模型預測</translation>
        </message>
        <message>
            <source>Speeds are predicted from published measurements, with 80 % prediction ranges; those of this computer&apos;s processor also from what was measured here.</source>
            <translation>速度根據已發布的測量結果預測，並給出 80 % 預測區間；本機處理器的速度還依據在此測得的結果。</translation>
        </message>
        <message>
            <source>No machine for rent and no device for sale can do it.</source>
            <translation>沒有可租的機器，也沒有可買的裝置能做到。</translation>
        </message>
        <message>
            <source>For %1 tokens, rent %2 (%3): about %4 (%5) and %6.</source>
            <translation>處理 %1 個詞元，租用 %2（%3）：約 %4（%5），%6。</translation>
        </message>
        <message>
            <source>On %1, bought, it takes about %2 (%3) and %4 of its price and electricity.</source>
            <translation>購買 %1 則約需 %2（%3），分攤的價格與電費為 %4。</translation>
        </message>
        <message>
            <source>The fastest is %1: %2 for %3.</source>
            <translation>最快的是 %1：%2，%3。</translation>
        </message>
        <message>
            <source>Buying costs less than renting after %1 such jobs.</source>
            <translation>做 %1 次這樣的工作之後，購買比租用便宜。</translation>
        </message>
        <message>
            <source>Memory is estimated from the shape of the model. Speeds are predicted from published ones of few devices, with 80 % prediction ranges; nothing was measured here.</source>
            <translation>記憶體由模型的形狀估算。速度由少數裝置的已發表資料預測，帶 80 % 預測區間；未在此處測量。</translation>
        </message>
        <message>
            <source>low confidence</source>
            <translation>可信度低</translation>
        </message>
        <message>
            <source>Fastest</source>
            <translation>最快</translation>
        </message>
        <message>
            <source>Cost</source>
            <translation>費用</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>時間</translation>
        </message>
        <message>
            <source>of the job; predicted</source>
            <translation>整個工作；預測值</translation>
        </message>
        <message>
            <source>of the job; of a purchase its share of the price, and electricity</source>
            <translation>整個工作；購買時為分攤的價格與電費</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>時間與費用</translation>
        </message>
        <message>
            <source>fine-tuning %1 · %2 tokens · predicted, 80 % prediction ranges</source>
            <translation>微調 %1 · %2 個詞元 · 預測值，80 % 預測區間</translation>
        </message>
        <message>
            <source>Job duration (hours)</source>
            <translation>工作的小時數</translation>
        </message>
        <message>
            <source>Job cost</source>
            <translation>工作的費用</translation>
        </message>
        <message>
            <source>price from %1</source>
            <translation>%1 的價格</translation>
        </message>
        <message>
            <source>estimate, price from %1</source>
            <translation>估算值，%1 的價格</translation>
        </message>
        <message>
            <source>%1 a month (%2)</source>
            <translation>每月 %1（%2）</translation>
        </message>
        <message>
            <source>your provider</source>
            <translation>您的提供商</translation>
        </message>
    </context>
    <context>
        <name>MessageText</name>
        <message>
            <source>Instruction set of the built-in kernels</source>
            <translation>內建核心的指令集</translation>
        </message>
        <message>
            <source>Threads of OpenBLAS</source>
            <translation>OpenBLAS 的執行緒</translation>
        </message>
        <message>
            <source>CPUs busy with other programs</source>
            <translation>被其他程式占用的 CPU</translation>
        </message>
        <message>
            <source>Counted FLOPs over the fewest needed</source>
            <translation>計入的 FLOP 與最少所需之比</translation>
        </message>
        <message>
            <source>Speed at the end over that at the start</source>
            <translation>結束時與開始時的速度之比</translation>
        </message>
        <message>
            <source>Peak measured with</source>
            <translation>峰值的測量方法</translation>
        </message>
        <message>
            <source>Time to measure the peak (s)</source>
            <translation>測量峰值所用時間（秒）</translation>
        </message>
        <message>
            <source>Energy read from</source>
            <translation>能耗讀取來源</translation>
        </message>
        <message>
            <source>Software</source>
            <translation>軟體</translation>
        </message>
        <message>
            <source>GPU driver</source>
            <translation>GPU 驅動程式</translation>
        </message>
        <message>
            <source>CUDA version of the driver</source>
            <translation>驅動程式的 CUDA 版本</translation>
        </message>
        <message>
            <source>Compute capability</source>
            <translation>計算能力</translation>
        </message>
        <message>
            <source>PCI bus ID</source>
            <translation>PCI 匯流排 ID</translation>
        </message>
        <message>
            <source>PCIe link, highest</source>
            <translation>PCIe 連結，最高</translation>
        </message>
        <message>
            <source>PCIe link at the start</source>
            <translation>開始時的 PCIe 連結</translation>
        </message>
        <message>
            <source>PCIe link at the end</source>
            <translation>結束時的 PCIe 連結</translation>
        </message>
        <message>
            <source>GPU power limit (W)</source>
            <translation>GPU 功率上限（W）</translation>
        </message>
        <message>
            <source>GPU clock at the start (MHz)</source>
            <translation>開始時的 GPU 時脈（MHz）</translation>
        </message>
        <message>
            <source>GPU clock at the end (MHz)</source>
            <translation>結束時的 GPU 時脈（MHz）</translation>
        </message>
        <message>
            <source>GPU memory clock at the start (MHz)</source>
            <translation>開始時的顯示記憶體時脈（MHz）</translation>
        </message>
        <message>
            <source>GPU memory clock at the end (MHz)</source>
            <translation>結束時的顯示記憶體時脈（MHz）</translation>
        </message>
        <message>
            <source>GPU temperature at the start (°C)</source>
            <translation>開始時的 GPU 溫度（°C）</translation>
        </message>
        <message>
            <source>GPU temperature at the end (°C)</source>
            <translation>結束時的 GPU 溫度（°C）</translation>
        </message>
        <message>
            <source>GPU power at the start (W)</source>
            <translation>開始時的 GPU 功率（W）</translation>
        </message>
        <message>
            <source>GPU power at the end (W)</source>
            <translation>結束時的 GPU 功率（W）</translation>
        </message>
        <message>
            <source>Processes on the GPU at the start</source>
            <translation>開始時 GPU 上的處理程序數</translation>
        </message>
        <message>
            <source>Processes on the GPU at the end</source>
            <translation>結束時 GPU 上的處理程序數</translation>
        </message>
        <message>
            <source>Copy to the GPU, pinned memory (B/s)</source>
            <translation>複製到 GPU，鎖頁記憶體（B/s）</translation>
        </message>
        <message>
            <source>Copy to the GPU, pageable memory (B/s)</source>
            <translation>複製到 GPU，可分頁記憶體（B/s）</translation>
        </message>
        <message>
            <source>Copy from the GPU, pinned memory (B/s)</source>
            <translation>從 GPU 複製，鎖頁記憶體（B/s）</translation>
        </message>
        <message>
            <source>Copy from the GPU, pageable memory (B/s)</source>
            <translation>從 GPU 複製，可分頁記憶體（B/s）</translation>
        </message>
        <message>
            <source>%1.</source>
            <comment>a clause as a sentence</comment>
            <translation>%1。</translation>
        </message>
        <message>
            <source>Clock at the start (MHz)</source>
            <translation>開始時的時脈（MHz）</translation>
        </message>
        <message>
            <source>Clock at the end (MHz)</source>
            <translation>結束時的時脈（MHz）</translation>
        </message>
        <message>
            <source>Temperature at the start (°C)</source>
            <translation>開始時的溫度（°C）</translation>
        </message>
        <message>
            <source>Temperature at the end (°C)</source>
            <translation>結束時的溫度（°C）</translation>
        </message>
        <message>
            <source>Load average at the start</source>
            <translation>開始時的平均負載</translation>
        </message>
        <message>
            <source>Load average at the end</source>
            <translation>結束時的平均負載</translation>
        </message>
        <message>
            <source>CPU pressure at the start</source>
            <translation>開始時的 CPU 壓力</translation>
        </message>
        <message>
            <source>CPU pressure at the end</source>
            <translation>結束時的 CPU 壓力</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>處理器</translation>
        </message>
        <message>
            <source>Clock governor</source>
            <translation>時脈調節器</translation>
        </message>
        <message>
            <source>Operating system</source>
            <translation>作業系統</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>核心</translation>
        </message>
        <message>
            <source>Virtual machine</source>
            <translation>虛擬機器</translation>
        </message>
        <message>
            <source>Container</source>
            <translation>容器</translation>
        </message>
        <message>
            <source>Allowed CPUs</source>
            <translation>允許使用的 CPU</translation>
        </message>
        <message>
            <source>Compiler</source>
            <translation>編譯器</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source>Library of the matrix products</source>
            <translation>矩陣乘法所用的程式庫</translation>
        </message>
        <message>
            <source>Memory bandwidth measured by</source>
            <translation>記憶體頻寬的測量方法</translation>
        </message>
        <message>
            <source>Slowest over fastest reading of the weights</source>
            <translation>讀取權重的最低頻寬與最高頻寬之比</translation>
        </message>
        <message>
            <source>CPU quota</source>
            <translation>CPU 配額</translation>
        </message>
    </context>
    <context>
        <name>NetworkPresenter</name>
        <message>
            <source>shape not in the file</source>
            <translation>檔案中沒有形狀</translation>
        </message>
        <message>
            <source>scalar</source>
            <translation>純量</translation>
        </message>
        <message>
            <source>%1: %2, %3</source>
            <translation>%1：%2，%3</translation>
        </message>
        <message numerus="yes">
            <source>Understood: %n layer(s), %1 parameters, %2 per sample</source>
            <translation>
                <numerusform>已讀懂：%n 層，%1 個參數，每樣本 %2</numerusform>
            </translation>
        </message>
        <message>
            <source>The file has dynamic dimensions: set them below.</source>
            <translation>檔案中有未定的維度：請在下面設定。</translation>
        </message>
        <message>
            <source>Not supported: %1</source>
            <translation>不支援：%1</translation>
        </message>
        <message>
            <source>The part of the network before this node, up to "%1", can be added instead.</source>
            <translation>可改為新增該節點之前、到“%1”為止的部分網路。</translation>
        </message>
        <message>
            <source>The file format is described in %1 and, with an example, in the user guide (docs/guide.md).</source>
            <translation>此類檔案的內容見 %1；使用者指南 (docs/guide.md) 中有示例。</translation>
        </message>
        <message>
            <source>Export the network without this operator, with another opset, or in floating point.</source>
            <translation>請在匯出網路時不用該運運算子、換用其他 opset，或採用浮點。</translation>
        </message>
        <message>
            <source>opset %1</source>
            <translation>opset %1</translation>
        </message>
        <message numerus="yes">
            <source>%n node(s)</source>
            <translation>
                <numerusform>%n 個節點</numerusform>
            </translation>
        </message>
        <message>
            <source>written by %1</source>
            <translation>由 %1 寫出</translation>
        </message>
        <message>
            <source>Format</source>
            <translation>格式</translation>
        </message>
        <message>
            <source>Network described in JSON</source>
            <translation>用 JSON 描述的網路</translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>另有 %n 個</numerusform>
            </translation>
        </message>
        <message>
            <source>Inputs</source>
            <translation>輸入</translation>
        </message>
        <message>
            <source>Outputs</source>
            <translation>輸出</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>層</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>參數量</translation>
        </message>
        <message>
            <source>Work</source>
            <translation>計算量</translation>
        </message>
        <message>
            <source>%1 per sample, forward</source>
            <translation>每樣本 %1（前向）</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>%1 for a training step at batch %2 in fp32</source>
            <translation>%1：批次 %2、fp32 的一個訓練步</translation>
        </message>
        <message>
            <source>%1 for inference at batch %2 in fp32</source>
            <translation>%1：批次 %2、fp32 的推理</translation>
        </message>
        <message>
            <source>Use</source>
            <translation>用途</translation>
        </message>
        <message>
            <source>training and inference</source>
            <translation>訓練和推理</translation>
        </message>
        <message>
            <source>inference</source>
            <translation>推理</translation>
        </message>
    </context>
    <context>
        <name>RecordsPresenter</name>
        <message>
            <source>At the median step</source>
            <translation>依中位步時計</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>樣本/秒</translation>
        </message>
        <message>
            <source>tokens/s</source>
            <translation>詞元/秒</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>Mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source>Step (ms)</source>
            <translation>每步（ms）</translation>
        </message>
        <message>
            <source>Median time of one step</source>
            <translation>單步時間的中位數</translation>
        </message>
        <message>
            <source>95 % interval (ms)</source>
            <translation>95 % 區間（ms）</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>輸送量</translation>
        </message>
        <message>
            <source>GFLOP/s</source>
            <translation>GFLOP/s</translation>
        </message>
        <message>
            <source>Of peak</source>
            <translation>占峰值</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>Peak of what the engine allocated</source>
            <translation>引擎所配置記憶體的峰值</translation>
        </message>
        <message>
            <source>Correctness</source>
            <translation>正確性</translation>
        </message>
        <message>
            <source>Status</source>
            <translation>狀態</translation>
        </message>
        <message>
            <source>all</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>All physical cores this process may use</source>
            <translation>本行程可用的全部實體核心</translation>
        </message>
        <message>
            <source>n = %1</source>
            <translation>n = %1</translation>
        </message>
        <message>
            <source>Case</source>
            <translation>案例</translation>
        </message>
        <message>
            <source>Median step</source>
            <translation>單步中位數</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95 % 區間</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>樣本數</translation>
        </message>
        <message>
            <source>Fastest</source>
            <translation>最快</translation>
        </message>
        <message>
            <source>Median deviation</source>
            <translation>中位絕對偏差</translation>
        </message>
        <message>
            <source>90 % below</source>
            <translation>90 % 低於</translation>
        </message>
        <message>
            <source>Stopped because</source>
            <translation>停止原因</translation>
        </message>
        <message>
            <source>Compile time</source>
            <translation>編譯時間</translation>
        </message>
        <message>
            <source>Warm-up</source>
            <translation>暖機</translation>
        </message>
        <message>
            <source>Work per step</source>
            <translation>每步運算量</translation>
        </message>
        <message>
            <source>Achieved</source>
            <translation>實際達到</translation>
        </message>
        <message>
            <source>Energy per step</source>
            <translation>每步耗能</translation>
        </message>
        <message>
            <source>Memory planned</source>
            <translation>計畫記憶體</translation>
        </message>
        <message>
            <source>Memory, engine peak</source>
            <translation>記憶體，引擎峰值</translation>
        </message>
        <message>
            <source>Memory, process peak</source>
            <translation>記憶體，行程峰值</translation>
        </message>
        <message>
            <source>Memory, device peak</source>
            <translation>記憶體，裝置峰值</translation>
        </message>
        <message>
            <source>Largest error</source>
            <translation>最大誤差</translation>
        </message>
        <message>
            <source>%1 (allowed %2)</source>
            <translation>%1（允許 %2）</translation>
        </message>
        <message>
            <source>Loss, first and last</source>
            <translation>損失，首末</translation>
        </message>
        <message>
            <source>Suggested action</source>
            <translation>建議</translation>
        </message>
        <message>
            <source>Warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>The peak was not measured in this run, or says nothing about this case.</source>
            <translation>本次執行未量測峰值，或峰值與此案例無關。</translation>
        </message>
        <message>
            <source>of the measured memory bandwidth</source>
            <translation>占實測記憶體頻寬</translation>
        </message>
        <message>
            <source>Share of the peak measured on this device and precision. Counted are the operations of the definition: an algorithm that needs fewer may exceed 100 %.</source>
            <translation>占該裝置在此精度下實測峰值的比例。按定義計算運算次數：運算較少的演算法可能超過 100 %。</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>權重</translation>
        </message>
        <message>
            <source>Key-value cache</source>
            <translation>鍵值快取</translation>
        </message>
        <message>
            <source>Memory read</source>
            <translation>記憶體讀取</translation>
        </message>
        <message>
            <source>Energy per token</source>
            <translation>每詞元能耗</translation>
        </message>
        <message>
            <source>Time to the first token</source>
            <translation>首個詞元時間</translation>
        </message>
        <message>
            <source>Between tokens (median, 90 %, 99 %)</source>
            <translation>詞元間隔（中位數、90 %、99 %）</translation>
        </message>
        <message>
            <source>Last quarter of the tokens over the first</source>
            <translation>詞元後四分之一與前四分之一之比</translation>
        </message>
        <message>
            <source>Of peak bandwidth</source>
            <translation>占峰值頻寬</translation>
        </message>
        <message>
            <source>The peak was measured while other programs used the device: run the case again.</source>
            <translation>峰值是在其他程式佔用裝置時測得的：請重新執行此案例。</translation>
        </message>
        <message>
            <source>More than 100 %: the algorithm (Winograd's) needs fewer operations than the definition, whose operations are counted.</source>
            <translation>超過 100 %：按定義計數運算量，而所用演算法（Winograd）所需的運算較少。</translation>
        </message>
        <message numerus="yes">
            <source>%n step(s), %1</source>
            <translation>
                <numerusform>%n 步，%1</numerusform>
            </translation>
        </message>
        <message>
            <source>Caution</source>
            <translation>注意</translation>
        </message>
        <message>
            <source>disturbed</source>
            <translation>受干擾</translation>
        </message>
        <message>
            <source>no interval from a single visit</source>
            <translation>僅一輪，沒有區間</translation>
        </message>
        <message>
            <source>Visits</source>
            <translation>測量輪次</translation>
        </message>
        <message>
            <source>State of the machine</source>
            <translation>機器狀態</translation>
        </message>
        <message>
            <source>a cache line travels between the cores and back in %1 ns</source>
            <translation>一條快取行在核心之間往返需 %1 ns</translation>
        </message>
        <message>
            <source>In another state (%1 ns)</source>
            <translation>在另一狀態下（%1 ns）</translation>
        </message>
        <message>
            <source>%1 of %2 count</source>
            <translation>%2 輪中計入 %1 輪</translation>
        </message>
        <message>
            <source>running</source>
            <translation>執行中</translation>
        </message>
        <message>
            <source>queued</source>
            <translation>排隊中</translation>
        </message>
        <message>
            <source>Outputs differ from fp32 by</source>
            <translation>輸出與 fp32 的差異</translation>
        </message>
        <message>
            <source>%1 (relative RMS; samples: %2)</source>
            <translation>%1（相對均方根；樣本數：%2）</translation>
        </message>
        <message>
            <source>Same top class as fp32</source>
            <translation>最高類別與 fp32 一致</translation>
        </message>
    </context>
    <context>
        <name>ReportPresenter</name>
        <message>
            <source>Prices</source>
            <translation>價格</translation>
        </message>
        <message>
            <source>Of the machines recommended and of those that none beats in both time and cost.</source>
            <translation>所建議的機器，以及沒有被其他機器同時在時間和費用上勝過的機器的價格。</translation>
        </message>
        <message>
            <source>Recommendation: %1</source>
            <translation>建議：%1</translation>
        </message>
        <message>
            <source>Ranking</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>The best first; the window shows all, with why each lost.</source>
            <translation>最佳在前；視窗中列出全部機器及其落選原因。</translation>
        </message>
        <message>
            <source>Choice</source>
            <translation>選擇</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>機器</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Class</source>
            <translation>類別</translation>
        </message>
        <message>
            <source>Measurements</source>
            <translation>量測數</translation>
        </message>
        <message>
            <source>Median error</source>
            <translation>誤差中位數</translation>
        </message>
        <message>
            <source>90th percentile</source>
            <translation>第 90 百分位</translation>
        </message>
        <message>
            <source>Time (estimate)</source>
            <translation>時間（估算）</translation>
        </message>
        <message>
            <source>Cost (estimate)</source>
            <translation>費用（估算）</translation>
        </message>
        <message>
            <source>Prediction accuracy</source>
            <translation>預測準確度</translation>
        </message>
        <message>
            <source>Within interval</source>
            <translation>在區間內</translation>
        </message>
        <message>
            <source>The predictor on published measurements. Devices and families that are left out were not part of the fit; transferred rows use the shipped constants. The error is predicted over measured, minus one; the last column is the fraction within an 80 % interval that was fitted without the device or the family.</source>
            <translation>預測器在公開量測上的表現：標明「留出」的類別未參與擬合，由其他裝置推算的類別使用隨程式發布的擬合。誤差為預測值除以實測值再減一；最後一欄為落在 80 % 區間內的比例，該區間在不含該裝置或該網路家族的情況下求得。</translation>
        </message>
    </context>
    <context>
        <name>ReportText</name>
        <message>
            <source>Deep-learning benchmark report</source>
            <translation>深度學習基準測試報告</translation>
        </message>
        <message>
            <source>Written by Steelyard %1 on %2.</source>
            <translation>由 Steelyard %1 於 %2 生成。</translation>
        </message>
        <message>
            <source>Run %1 on %2</source>
            <translation>%2 上的執行 %1</translation>
        </message>
        <message>
            <source>an unnamed computer</source>
            <translation>未命名的電腦</translation>
        </message>
        <message>
            <source>%1 of %2 cases were measured.</source>
            <translation>量測了 %2 個案例中的 %1 個。</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>執行</translation>
        </message>
        <message>
            <source>Suite</source>
            <translation>套件</translation>
        </message>
        <message>
            <source>%1 (version %2)</source>
            <translation>%1（版本 %2）</translation>
        </message>
        <message>
            <source>Program</source>
            <translation>程式</translation>
        </message>
        <message>
            <source>Started (UTC)</source>
            <translation>開始 (UTC)</translation>
        </message>
        <message>
            <source>Finished (UTC)</source>
            <translation>結束 (UTC)</translation>
        </message>
        <message>
            <source>not finished</source>
            <translation>未完成</translation>
        </message>
        <message>
            <source>Origin</source>
            <translation>來源</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>備註</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>種子</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>處理器</translation>
        </message>
        <message>
            <source>%1 (%2 cores, %3 allowed)</source>
            <translation>%1（%2 核，允許使用 %3 核）</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>GPU</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>System</source>
            <translation>系統</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>Mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source>Step time (median)</source>
            <translation>每步時間（中位數）</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95 % 區間</translation>
        </message>
        <message>
            <source>%1 to %2</source>
            <translation>%1 到 %2</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>樣本數</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>輸送量</translation>
        </message>
        <message>
            <source>Of peak</source>
            <translation>占峰值</translation>
        </message>
        <message>
            <source>Peak memory</source>
            <translation>記憶體峰值</translation>
        </message>
        <message>
            <source>Verified</source>
            <translation>已驗證</translation>
        </message>
        <message>
            <source>Stopped by</source>
            <translation>停止原因</translation>
        </message>
        <message>
            <source>Not measured</source>
            <translation>未量測</translation>
        </message>
        <message>
            <source>Status</source>
            <translation>狀態</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Compared with run %1</source>
            <translation>與執行 %1 比較</translation>
        </message>
        <message>
            <source>Base</source>
            <translation>基準</translation>
        </message>
        <message>
            <source>This run</source>
            <translation>本次執行</translation>
        </message>
        <message>
            <source>Time ratio</source>
            <translation>時間比</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>結論</translation>
        </message>
        <message>
            <source>the difference is within the noise (p = %1)</source>
            <translation>差異在噪聲範圍內 (p = %1)</translation>
        </message>
        <message>
            <source>the medians differ by less than 2 %</source>
            <translation>中位數相差不到 2 %</translation>
        </message>
        <message>
            <source>%1 differs (%2, %3)</source>
            <translation>%1 不同（%2，%3）</translation>
        </message>
        <message>
            <source>run %1 has no result (%2)</source>
            <translation>執行 %1 沒有結果（%2）</translation>
        </message>
        <message>
            <source>Charts</source>
            <translation>圖表</translation>
        </message>
        <message>
            <source>%1, %2: time per step</source>
            <translation>%1，%2：每步時間</translation>
        </message>
        <message>
            <source>Bars are medians, whiskers their 95 % intervals. Shorter is faster.</source>
            <translation>條形為中位數，須線為其 95 % 區間。越短越快。</translation>
        </message>
        <message>
            <source>Method</source>
            <translation>方法</translation>
        </message>
        <message>
            <source>Conditions</source>
            <translation>條件</translation>
        </message>
        <message>
            <source>Condition</source>
            <translation>條件</translation>
        </message>
        <message>
            <source>Value</source>
            <translation>值</translation>
        </message>
        <message>
            <source>Warnings</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>Warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>Case</source>
            <translation>案例</translation>
        </message>
        <message>
            <source>Raw samples</source>
            <translation>原始樣本</translation>
        </message>
        <message>
            <source>Seconds per step, in the order in which they were taken.</source>
            <translation>每步秒數，按取樣順序排列。</translation>
        </message>
        <message>
            <source>Steps per sample</source>
            <translation>每個樣本的步數</translation>
        </message>
        <message>
            <source>Outliers</source>
            <translation>離群值</translation>
        </message>
        <message>
            <source>ok</source>
            <translation>正常</translation>
        </message>
        <message>
            <source>out of memory</source>
            <translation>記憶體不足</translation>
        </message>
        <message>
            <source>unsupported</source>
            <translation>不支援</translation>
        </message>
        <message>
            <source>timed out</source>
            <translation>逾時</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>已取消</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>crashed</source>
            <translation>當機</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未檢查</translation>
        </message>
        <message>
            <source>precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>stable noise</source>
            <translation>噪聲穩定</translation>
        </message>
        <message>
            <source>time cap</source>
            <translation>時間上限</translation>
        </message>
        <message>
            <source>training</source>
            <translation>訓練</translation>
        </message>
        <message>
            <source>inference</source>
            <translation>推論</translation>
        </message>
        <message>
            <source>measured here</source>
            <translation>本機量測</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>匯入</translation>
        </message>
        <message>
            <source>faster</source>
            <translation>較快</translation>
        </message>
        <message>
            <source>slower</source>
            <translation>較慢</translation>
        </message>
        <message>
            <source>no evidence</source>
            <translation>沒有證據</translation>
        </message>
        <message>
            <source>not comparable</source>
            <translation>不可比較</translation>
        </message>
        <message>
            <source>suite version</source>
            <translation>套件版本</translation>
        </message>
        <message>
            <source>device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>whole time</source>
            <translation>全程</translation>
        </message>
        <message>
            <source>other programs used the CPU during the measurement</source>
            <translation>測量期間其他程式佔用了 CPU</translation>
        </message>
        <message>
            <source>Disturbed by other programs, and unreliable: %1 of them.</source>
            <translation>其中 %1 個在其他程式佔用 CPU 時測得：其結果不可靠。</translation>
        </message>
        <message>
            <source>– (peak was measured while busy)</source>
            <translation>–（測量峰值時裝置忙碌）</translation>
        </message>
        <message>
            <source>Each case is first verified on its device against a simple reference implementation, or marked as not checked with the reason. Creation of primitives, selection of algorithms and first accesses happen before timing, during compilation and an adaptive warm-up.</source>
            <translation>每個案例首先與簡單的參考實作對照，證明其在裝置上計算正確，否則標記為未檢查並說明原因。建立原語、選擇演算法和首次訪問都在計時之前的編譯和自適應預熱中完成。</translation>
        </message>
        <message>
            <source>A sample is one synchronised step, or several if a step takes less than 1 ms. At least 10 samples are taken; sampling stops when half the 95 % interval of the median is below the limit, when the noise no longer changes, or at the time limit. Intervals are computed from order statistics, without assumptions about the distribution. Outliers are kept.</source>
            <translation>一個樣本是一個同步的步，或若干步以使一個樣本至少持續 1 毫秒。至少取 10 個樣本；當中位數 95 % 區間的一半低於限值、噪聲不再變化或達到時間上限時停止取樣。區間由次序統計量得出，不對分佈作假設。離群值予以保留。</translation>
        </message>
        <message>
            <source>Data is on the device before timing unless a case says otherwise. Utilisation is the network's floating-point operations divided by the time and by the peak measured on the same device. Unknown values are shown as a dash.</source>
            <translation>除非案例另有說明，資料在計時之前已位於裝置上。利用率為網路的浮點運算量除以時間以及同一裝置上實測的峰值。未知值以短橫線表示。</translation>
        </message>
        <message>
            <source>Faster or slower needs a t-test between visits in the same state of the machine (5 % false discovery rate over all cases) and medians at least 2 % apart. The ratio is this run's median over the base's; below 1 is faster.</source>
            <translation>判定更快或更慢需要對機器同一狀態下的各輪測量做 t 檢定（所有案例的錯誤發現率為 5 %），且中位數相差至少 2 %。比值為本次執行的中位數除以基準的中位數；小於 1 表示更快。</translation>
        </message>
        <message>
            <source>too few visits, and no earlier runs that show how much results vary from run to run</source>
            <translation>測量輪次太少，也沒有更早的執行可以說明各次結果之間的差異</translation>
        </message>
        <message>
            <source>the machine was in another state in each run</source>
            <translation>兩次執行時機器處於不同狀態</translation>
        </message>
        <message>
            <source>it changed by the same factor as the whole machine</source>
            <translation>它與整台機器按相同的倍數變化</translation>
        </message>
        <message>
            <source>disturbed</source>
            <translation>受干擾</translation>
        </message>
        <message>
            <source>Machine state</source>
            <translation>機器狀態</translation>
        </message>
        <message>
            <source>A 95 % interval is where another run with as many visits is expected. The machine state is the round trip of a cache line between the cores, with the step time in the other states in parentheses; “disturbed” means that other programs used the CPU in every window.</source>
            <translation>95 % 區間是預計同樣輪次的另一次執行所處的範圍。機器狀態是一條快取行在核心之間往返的時間，括號內是其他狀態下的步時間；「受干擾」表示在每個取樣視窗中都有其他程式佔用 CPU。</translation>
        </message>
        <message>
            <source>all %1 cases</source>
            <translation>全部 %1 個案例</translation>
        </message>
        <message>
            <source>batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Language models</source>
            <translation>語言模型</translation>
        </message>
        <message>
            <source>Decoding reads weights and cache once for each token; in parentheses, the share of the bandwidth that was measured in the same process. Times of tokens are of generated text: to the first one behind the prompt, and between two others in the middle, at the 90th and at the 99th percentile.</source>
            <translation>解碼時每個詞元讀取一遍權重和快取；括號內是占同一處理程序中所測頻寬的比例。詞元時間來自產生的文字：提示之後到第一個詞元的時間，以及其餘相鄰詞元之間的中位數、第 90 和第 99 百分位數。</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>權重</translation>
        </message>
        <message>
            <source>Key-value cache</source>
            <translation>鍵值快取</translation>
        </message>
        <message>
            <source>Memory read</source>
            <translation>記憶體讀取</translation>
        </message>
        <message>
            <source>Joules per token</source>
            <translation>每個詞元的能量（焦耳）</translation>
        </message>
        <message>
            <source>First token</source>
            <translation>第一個詞元</translation>
        </message>
        <message>
            <source>Between tokens (50 %)</source>
            <translation>詞元之間（50 %）</translation>
        </message>
        <message>
            <source>90 %</source>
            <translation>90 %</translation>
        </message>
        <message>
            <source>99 %</source>
            <translation>99 %</translation>
        </message>
        <message>
            <source>Machine check of %1 UTC</source>
            <translation>機器檢查（%1 UTC）</translation>
        </message>
        <message>
            <source>Part</source>
            <translation>部分</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>Finding</source>
            <translation>發現</translation>
        </message>
        <message>
            <source>main memory</source>
            <translation>主記憶體</translation>
        </message>
        <message>
            <source>passed</source>
            <translation>通過</translation>
        </message>
        <message>
            <source>passed, with remarks</source>
            <translation>通過，但有說明</translation>
        </message>
        <message>
            <source>faults</source>
            <translation>有故障</translation>
        </message>
        <message>
            <source>memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>operations</source>
            <translation>運算</translation>
        </message>
        <message>
            <source>sustained load</source>
            <translation>持續負載</translation>
        </message>
    </context>
    <context>
        <name>ReportWords</name>
        <message>
            <source>Summary</source>
            <translation>摘要</translation>
        </message>
        <message>
            <source>Charts</source>
            <translation>圖表</translation>
        </message>
        <message>
            <source>Page %1 of %2</source>
            <translation>第 %1 頁，共 %2 頁</translation>
        </message>
        <message>
            <source>The same for all: %1.</source>
            <translation>全部相同：%1。</translation>
        </message>
    </context>
    <context>
        <name>ResultsPresenter</name>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>另有 %n 個</numerusform>
            </translation>
        </message>
        <message>
            <source>Time per step</source>
            <translation>每步時間</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>輸送量</translation>
        </message>
        <message>
            <source>FLOP/s</source>
            <translation>FLOP/s</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>匯入</translation>
        </message>
        <message>
            <source>Training speed</source>
            <translation>訓練速度</translation>
        </message>
        <message>
            <source>Inference speed</source>
            <translation>推論速度</translation>
        </message>
        <message>
            <source>b%1</source>
            <translation>批次 %1</translation>
        </message>
        <message>
            <source>t%1</source>
            <translation>%1 執行緒</translation>
        </message>
        <message>
            <source>not part of this run</source>
            <translation>不在本次執行中</translation>
        </message>
        <message>
            <source>tokens/s</source>
            <translation>詞元/秒</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>樣本/秒</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>This run has no memory figures.</source>
            <translation>本次執行沒有記憶體資料。</translation>
        </message>
        <message>
            <source>weights</source>
            <translation>權重</translation>
        </message>
        <message>
            <source>gradients</source>
            <translation>梯度</translation>
        </message>
        <message>
            <source>optimiser</source>
            <translation>最佳化器</translation>
        </message>
        <message>
            <source>activations</source>
            <translation>活化值</translation>
        </message>
        <message>
            <source>workspace</source>
            <translation>工作區</translation>
        </message>
        <message>
            <source>not planned: %1</source>
            <translation>無計畫值：%1</translation>
        </message>
        <message>
            <source>measured peak</source>
            <translation>實測峰值</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>未量測</translation>
        </message>
        <message numerus="yes">
            <source>%n case(s): %1</source>
            <translation>
                <numerusform>%n 個案例：%1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s) verified</source>
            <translation>
                <numerusform>%n 個案例已驗證</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n wrong</source>
            <translation>
                <numerusform>%n 個錯誤</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n not checked</source>
            <translation>
                <numerusform>%n 個未檢查</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 has %2</source>
            <translation>%1 有 %2</translation>
        </message>
        <message>
            <source>No finished training case in this run.</source>
            <translation>此次執行中沒有完成的訓練案例。</translation>
        </message>
        <message>
            <source>No finished inference case in this run.</source>
            <translation>此次執行中沒有完成的推論案例。</translation>
        </message>
        <message>
            <source>the work per step is unknown</source>
            <translation>每步運算量未知</translation>
        </message>
        <message>
            <source>Median time per step, less is better</source>
            <translation>每步時間中位數，越小越好</translation>
        </message>
        <message>
            <source>Speed, more is better</source>
            <translation>速度，越大越好</translation>
        </message>
    </context>
    <context>
        <name>RooflinePresenter</name>
        <message>
            <source>Roofline</source>
            <translation>屋頂線</translation>
        </message>
        <message>
            <source>This run has no performance figures.</source>
            <translation>此執行沒有運算速率資料。</translation>
        </message>
        <message>
            <source>FLOP/byte</source>
            <translation>FLOP/位元組</translation>
        </message>
        <message>
            <source>peak of %1, %2</source>
            <translation>%1 峰值，%2</translation>
        </message>
        <message>
            <source>Arithmetic intensity</source>
            <translation>運算強度</translation>
        </message>
        <message>
            <source>Performance</source>
            <translation>效能</translation>
        </message>
    </context>
    <context>
        <name>StatusText</name>
        <message>
            <source>CPUs of %1 nodes</source>
            <translation>%1 個節點的 CPU</translation>
        </message>
        <message>
            <source>ok</source>
            <translation>正常</translation>
        </message>
        <message>
            <source>does not fit</source>
            <translation>記憶體不足</translation>
        </message>
        <message>
            <source>not supported</source>
            <translation>不支援</translation>
        </message>
        <message>
            <source>timed out</source>
            <translation>逾時</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>已取消</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>crashed</source>
            <translation>當機</translation>
        </message>
        <message>
            <source>Choose a smaller batch, or a device with more memory.</source>
            <translation>請選擇較小的批次，或記憶體較大的裝置。</translation>
        </message>
        <message>
            <source>Choose another device or precision.</source>
            <translation>請選擇其他裝置或精度。</translation>
        </message>
        <message>
            <source>Raise the time cap, or choose a smaller batch.</source>
            <translation>請提高時間上限，或選擇較小的批次。</translation>
        </message>
        <message>
            <source>Run it again to complete the suite.</source>
            <translation>請再次執行以完成套件。</translation>
        </message>
        <message>
            <source>Read the reason; a report on the Hardware page helps to find the cause.</source>
            <translation>請查看原因；「硬體」頁的報告有助於查明問題。</translation>
        </message>
        <message>
            <source>Run the case alone with a smaller batch; other cases were not affected.</source>
            <translation>請以較小的批次單獨執行該案例；其他案例未受影響。</translation>
        </message>
        <message>
            <source>verified</source>
            <translation>已驗證</translation>
        </message>
        <message>
            <source>wrong result</source>
            <translation>結果錯誤</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未檢查</translation>
        </message>
        <message>
            <source>precise enough</source>
            <translation>已足夠精確</translation>
        </message>
        <message>
            <source>noise no longer shrinks</source>
            <translation>雜訊不再減小</translation>
        </message>
        <message>
            <source>time cap reached</source>
            <translation>達到時間上限</translation>
        </message>
        <message>
            <source>Compile</source>
            <translation>編譯</translation>
        </message>
        <message>
            <source>Verify</source>
            <translation>驗證</translation>
        </message>
        <message>
            <source>Warm up</source>
            <translation>暖機</translation>
        </message>
        <message>
            <source>Sample</source>
            <translation>取樣</translation>
        </message>
        <message>
            <source>Cool down</source>
            <translation>冷卻</translation>
        </message>
        <message>
            <source>faster</source>
            <translation>較快</translation>
        </message>
        <message>
            <source>slower</source>
            <translation>較慢</translation>
        </message>
        <message>
            <source>no evidence</source>
            <translation>沒有證據</translation>
        </message>
        <message>
            <source>not comparable</source>
            <translation>不可比較</translation>
        </message>
        <message>
            <source>workload</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>device</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>hardware</source>
            <translation>硬體</translation>
        </message>
        <message>
            <source>precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source>instruction set</source>
            <translation>指令集</translation>
        </message>
        <message>
            <source>data</source>
            <translation>資料</translation>
        </message>
        <message>
            <source>optimiser</source>
            <translation>最佳化器</translation>
        </message>
        <message>
            <source>suite version</source>
            <translation>套件版本</translation>
        </message>
        <message>
            <source>no result in the base</source>
            <translation>基準中沒有結果</translation>
        </message>
        <message>
            <source>no result in the other run</source>
            <translation>對比執行中沒有結果</translation>
        </message>
        <message>
            <source>The same within the noise.</source>
            <translation>在雜訊範圍內相同。</translation>
        </message>
        <message>
            <source>Less than 2 % apart.</source>
            <translation>相差不足 2 %。</translation>
        </message>
        <message>
            <source>%1: %2, %3</source>
            <translation>%1：%2，%3</translation>
        </message>
        <message>
            <source>Differs in %1.</source>
            <translation>差異：%1。</translation>
        </message>
        <message>
            <source>usable</source>
            <translation>可用</translation>
        </message>
        <message>
            <source>no backend for this vendor</source>
            <translation>沒有適用於該廠商的後端</translation>
        </message>
        <message>
            <source>driver missing</source>
            <translation>缺少驅動程式</translation>
        </message>
        <message>
            <source>driver too old</source>
            <translation>驅動程式過舊</translation>
        </message>
        <message>
            <source>driver failed</source>
            <translation>驅動程式出錯</translation>
        </message>
        <message>
            <source>hidden from this process</source>
            <translation>對本行程不可見</translation>
        </message>
        <message>
            <source>card too old</source>
            <translation>顯示卡過舊</translation>
        </message>
        <message>
            <source>GPU backend missing</source>
            <translation>缺少 GPU 後端</translation>
        </message>
        <message>
            <source>Benchmarks run on the CPU.</source>
            <translation>基準測試在 CPU 上執行。</translation>
        </message>
        <message>
            <source>Install the vendor's driver and start the program again.</source>
            <translation>請安裝廠商的驅動程式，然後重新啟動本程式。</translation>
        </message>
        <message>
            <source>Update the driver and start the program again.</source>
            <translation>請更新驅動程式，然後重新啟動本程式。</translation>
        </message>
        <message>
            <source>Check CUDA_VISIBLE_DEVICES, or the container's device options.</source>
            <translation>請檢查 CUDA_VISIBLE_DEVICES 或容器的裝置選項。</translation>
        </message>
        <message>
            <source>Install the program's GPU package.</source>
            <translation>請安裝本程式的 GPU 套件。</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>訓練</translation>
        </message>
        <message>
            <source>Inference</source>
            <translation>推論</translation>
        </message>
        <message>
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>Reference</source>
            <translation>參考實作</translation>
        </message>
        <message>
            <source>GPU</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>GPU %1</source>
            <translation>GPU %1</translation>
        </message>
        <message>
            <source>measured here</source>
            <translation>本機量測</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>匯入</translation>
        </message>
        <message>
            <source>Quick</source>
            <translation>快速</translation>
        </message>
        <message>
            <source>Standard</source>
            <translation>標準</translation>
        </message>
        <message>
            <source>Full</source>
            <translation>完整</translation>
        </message>
        <message>
            <source>Own selection</source>
            <translation>自選</translation>
        </message>
        <message>
            <source>Cloud study 2017</source>
            <translation>2017 年雲端研究</translation>
        </message>
        <message>
            <source>Tools and devices (dlbench)</source>
            <translation>工具與裝置（dlbench）</translation>
        </message>
        <message>
            <source>Flower photographs</source>
            <translation>花卉照片</translation>
        </message>
        <message>
            <source>Parameterised families (ParaDnn)</source>
            <translation>參數化系列（ParaDnn）</translation>
        </message>
        <message>
            <source>Today's networks</source>
            <translation>當今的網路</translation>
        </message>
        <message>
            <source>done</source>
            <translation>完成</translation>
        </message>
        <message>
            <source>done, some cases without result</source>
            <translation>完成，部分案例沒有結果</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>batch %1</source>
            <translation>批次 %1</translation>
        </message>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n 執行緒</numerusform>
            </translation>
        </message>
        <message>
            <source>library of the matrix products</source>
            <translation>矩陣乘法函式庫</translation>
        </message>
        <message>
            <source>input pipeline alone</source>
            <translation>僅輸入管線</translation>
        </message>
        <message>
            <source>with the input pipeline</source>
            <translation>含輸入管線</translation>
        </message>
        <message>
            <source>The machine itself</source>
            <translation>機器本身</translation>
        </message>
        <message>
            <source>whole time sampled</source>
            <translation>全程取樣</translation>
        </message>
        <message>
            <source>%1, an experiment each</source>
            <translation>%1，各做一個實驗</translation>
        </message>
        <message>
            <source>Language models</source>
            <translation>語言模型</translation>
        </message>
        <message>
            <source>Scaling</source>
            <translation>擴展性</translation>
        </message>
        <message>
            <source>Other programs used the CPU during the measurement.</source>
            <translation>測量期間其他程式佔用了 CPU。</translation>
        </message>
        <message>
            <source>Your networks</source>
            <translation>您的網路</translation>
        </message>
        <message>
            <source>Restart the computer; if the error persists, reinstall the driver.</source>
            <translation>請重新開機；若問題依舊，請重新安裝驅動程式。</translation>
        </message>
        <message>
            <source>timed part</source>
            <translation>計時對象</translation>
        </message>
        <message>
            <source>Too few visits, and no earlier runs that show how much results vary from run to run.</source>
            <translation>測量輪次太少，也沒有更早的執行可以說明各次結果之間的差異。</translation>
        </message>
        <message>
            <source>The machine was in another state in each run, so the two times cannot be compared.</source>
            <translation>兩次執行時機器處於不同狀態，因此兩個時間無法比較。</translation>
        </message>
        <message>
            <source>It changed by the same factor as the whole machine.</source>
            <translation>它與整台機器按相同的倍數變化。</translation>
        </message>
    </context>
    <context>
        <name>StudyPresenter</name>
        <message>
            <source>No configuration was measured on every workload, so none wins over all of them.</source>
            <translation>沒有一種配置在每個工作負載上都量測過，因此沒有總的勝者。</translation>
        </message>
        <message>
            <source>%1 below %2</source>
            <translation>低於 %2 時為 %1</translation>
        </message>
        <message>
            <source>%1 from %2 to %3</source>
            <translation>從 %2 到 %3 為 %1</translation>
        </message>
        <message>
            <source>%1 above %2</source>
            <translation>高於 %2 時為 %1</translation>
        </message>
        <message>
            <source>; </source>
            <translation>；</translation>
        </message>
        <message>
            <source>Relative time</source>
            <translation>相對時間</translation>
        </message>
        <message>
            <source>Relative cost</source>
            <translation>相對費用</translation>
        </message>
        <message>
            <source>%1 · %2 is 1</source>
            <translation>%1 · 以 %2 為 1</translation>
        </message>
        <message>
            <source>The table has no rows.</source>
            <translation>表格沒有列。</translation>
        </message>
        <message>
            <source>Time of an epoch</source>
            <translation>每輪時間</translation>
        </message>
        <message>
            <source>Cost of an epoch</source>
            <translation>每輪費用</translation>
        </message>
        <message>
            <source>as %1</source>
            <translation>與 %1 相同</translation>
        </message>
        <message>
            <source>the baseline was not measured on this workload</source>
            <translation>此工作負載上未量測基準</translation>
        </message>
        <message>
            <source>not in the table</source>
            <translation>表格中沒有</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>時間與費用</translation>
        </message>
        <message>
            <source>the others</source>
            <translation>其他</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>Cheapest</source>
            <translation>最便宜</translation>
        </message>
        <message>
            <source>Fastest</source>
            <translation>最快</translation>
        </message>
        <message>
            <source>Wins at weight %1</source>
            <translation>權重 %1 時的勝者</translation>
        </message>
        <message>
            <source>Platform</source>
            <translation>平台</translation>
        </message>
        <message>
            <source>Variant</source>
            <translation>變體</translation>
        </message>
        <message>
            <source>Against</source>
            <translation>對照</translation>
        </message>
        <message>
            <source>Median speed-up</source>
            <translation>加速比中位數</translation>
        </message>
        <message>
            <source>Faster on</source>
            <translation>更快的次數</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>結論</translation>
        </message>
        <message>
            <source>A two-sided sign test at the 5 % level over the workloads</source>
            <translation>對各工作負載做 5 % 水平的雙側符號檢驗</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%2 中的 %1</translation>
        </message>
        <message>
            <source>Configuration</source>
            <translation>配置</translation>
        </message>
        <message>
            <source>$/h</source>
            <translation>美元/小時</translation>
        </message>
        <message>
            <source>Break-even price</source>
            <translation>盈虧平衡價格</translation>
        </message>
        <message>
            <source>Factor on its price at which it costs as much as the baseline</source>
            <translation>使其費用與基準相同的價格倍數</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>no</source>
            <translation>否</translation>
        </message>
        <message>
            <source>Best overall: %1.</source>
            <translation>整體最佳：%1。</translation>
        </message>
        <message>
            <source>It is the best at every time weight.</source>
            <translation>在任何時間權重下都最佳。</translation>
        </message>
        <message>
            <source>By time weight: %1.</source>
            <translation>按時間權重：%1。</translation>
        </message>
        <message>
            <source>no machine beats these on both time and price</source>
            <translation>沒有機器在時間和價格上都更優</translation>
        </message>
        <message>
            <source>best trade-offs</source>
            <translation>最佳折衷</translation>
        </message>
        <message>
            <source>Minimises cost × time^weight</source>
            <translation>使 費用 × 時間^權重 最小</translation>
        </message>
        <message>
            <source>Best trade-off</source>
            <translation>最佳折衷</translation>
        </message>
        <message>
            <source>No machine beats it on both time and price</source>
            <translation>沒有機器在時間和價格上都更優</translation>
        </message>
    </context>
    <context>
        <name>SweepPresenter</name>
        <message>
            <source>Speed over nodes</source>
            <translation>不同節點數的速度</translation>
        </message>
        <message>
            <source>Nodes</source>
            <translation>節點</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Speed over batch size</source>
            <translation>速度隨批次大小的變化</translation>
        </message>
        <message>
            <source>Batch size</source>
            <translation>批次大小</translation>
        </message>
        <message>
            <source>Run a workload with several batch sizes to see a sweep here.</source>
            <translation>以多個批次大小執行一個工作負載，即可在此檢視掃描結果。</translation>
        </message>
        <message>
            <source>Speed over threads</source>
            <translation>速度隨執行緒數的變化</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source>Run a workload with several thread counts to see how it scales.</source>
            <translation>以多個執行緒數執行一個工作負載，即可檢視其擴展性。</translation>
        </message>
        <message>
            <source>proportional</source>
            <translation>線性擴展</translation>
        </message>
        <message>
            <source>batch %1 on each</source>
            <translation>每個 GPU 批次 %1</translation>
        </message>
        <message>
            <source>an experiment of batch %1 on each</source>
            <translation>每個 GPU 各做一個批次 %1 的實驗</translation>
        </message>
        <message>
            <source>Speed over GPUs</source>
            <translation>速度與 GPU 數量</translation>
        </message>
        <message>
            <source>GPUs</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>Run a workload on several GPUs to see what they gain.</source>
            <translation>在多個 GPU 上執行同一工作負載，即可在此查看其效益。</translation>
        </message>
        <message>
            <source>batch %1 divided among all</source>
            <translation>批次 %1 由全部 GPU 分擔</translation>
        </message>
    </context>
    <context>
        <name>TrendPresenter</name>
        <message>
            <source>This case was measured once only. Measure it again to see a trend.</source>
            <translation>此案例只量測過一次。再次量測即可看到趨勢。</translation>
        </message>
        <message>
            <source>on the same computer, with the same settings</source>
            <translation>同一台電腦，相同設定</translation>
        </message>
        <message>
            <source>Days since %1</source>
            <translation>自 %1 起的天數</translation>
        </message>
        <message>
            <source>Median time per step</source>
            <translation>每步時間中位數</translation>
        </message>
        <message>
            <source>time per step</source>
            <translation>每步時間</translation>
        </message>
        <message>
            <source>%1 less time</source>
            <translation>時間減少 %1</translation>
        </message>
        <message>
            <source>%1 more time</source>
            <translation>時間增加 %1</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s): no evidence of a change.</source>
            <translation>
                <numerusform>%n 次執行：沒有變化的證據。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n 次執行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n change(s)</source>
            <translation>
                <numerusform>%n 次變化</numerusform>
            </translation>
        </message>
        <message>
            <source>%1, %2: faster by %3 since %4.</source>
            <translation>%1，%2：自 %4 起加快 %3。</translation>
        </message>
        <message>
            <source>%1, %2: slower by %3 since %4.</source>
            <translation>%1，%2：自 %4 起變慢 %3。</translation>
        </message>
        <message>
            <source>machine state: %1 ns between the cores</source>
            <translation>機器狀態：核心之間 %1 ns</translation>
        </message>
        <message>
            <source>in the other state: %1 %2</source>
            <translation>在另一狀態下：%1 %2</translation>
        </message>
        <message>
            <source>Minutes since %1</source>
            <translation>自 %1 起的分鐘數</translation>
        </message>
        <message>
            <source>Hours since %1</source>
            <translation>自 %1 起的小時數</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>各次執行</translation>
        </message>
    </context>
    <context>
        <name>advisor.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>至少為 1</translation>
        </message>
    </context>
    <context>
        <name>advisor.bandwidth_unknown</name>
        <message>
            <source>its memory bandwidth is not published</source>
            <translation>其記憶體頻寬未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.batch_below_devices</name>
        <message>
            <source>has more devices than the batch has samples</source>
            <translation>裝置數多於批次中的樣本數</translation>
        </message>
    </context>
    <context>
        <name>advisor.batch_range</name>
        <message>
            <source>must be between 1 and %1</source>
            <translation>須在 1 與 %1 之間</translation>
        </message>
    </context>
    <context>
        <name>advisor.below_low</name>
        <message>
            <source>is less than "low"</source>
            <translation>小於「low」</translation>
        </message>
    </context>
    <context>
        <name>advisor.best_balance</name>
        <message>
            <source>best balance of time and cost at time weight %1</source>
            <translation>時間權重為 %1 時時間與費用最均衡</translation>
        </message>
    </context>
    <context>
        <name>advisor.card_cannot</name>
        <message>
            <source>%1 cannot run this job: it does not fit, or its time cannot be predicted</source>
            <translation>%1 無法執行此任務：記憶體放不下，或無法預測時間</translation>
        </message>
    </context>
    <context>
        <name>advisor.cheapest</name>
        <message>
            <source>cheapest: %1</source>
            <translation>最便宜：%1</translation>
        </message>
    </context>
    <context>
        <name>advisor.compute_rate_unknown</name>
        <message>
            <source>its compute rate is not published</source>
            <translation>其計算速率未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.device_unknown</name>
        <message>
            <source>no figures are known for its device</source>
            <translation>沒有其裝置的資料</translation>
        </message>
    </context>
    <context>
        <name>advisor.did_you_mean</name>
        <message>
            <source>did you mean %1?</source>
            <translation>是否想用 %1？</translation>
        </message>
    </context>
    <context>
        <name>advisor.does_not_fit</name>
        <message>
            <source>does not fit: needs %1, has %2</source>
            <translation>記憶體不足：需要 %1，只有 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.dominated</name>
        <message>
            <source>%1 is %2× as fast for %3 of the cost</source>
            <translation>%1 的速度是其 %2 倍，費用只有 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.electricity</name>
        <message>
            <source>electricity: %1 W (%2) at %3 per kWh</source>
            <translation>電費：%1 W（%2），每 kWh %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.estimated_figures</name>
        <message>
            <source>the figures of the device are estimates</source>
            <translation>裝置資料為估計值</translation>
        </message>
    </context>
    <context>
        <name>advisor.faster_but_more_expensive</name>
        <message>
            <source>%1× as fast as %2, but %3× the price</source>
            <translation>速度為 %2 的 %1 倍，但價格為其 %3 倍</translation>
        </message>
    </context>
    <context>
        <name>advisor.faster_not_more_expensive</name>
        <message>
            <source>%1× as fast as %2 and no more expensive</source>
            <translation>速度為 %2 的 %1 倍，而且不更貴</translation>
        </message>
    </context>
    <context>
        <name>advisor.fastest</name>
        <message>
            <source>fastest: %1</source>
            <translation>最快：%1</translation>
        </message>
    </context>
    <context>
        <name>advisor.fewer_fields</name>
        <message>
            <source>has fewer fields than the header</source>
            <translation>欄位數少於表頭</translation>
        </message>
    </context>
    <context>
        <name>advisor.greater_than_zero</name>
        <message>
            <source>must be greater than 0</source>
            <translation>須大於 0</translation>
        </message>
    </context>
    <context>
        <name>advisor.interruptions</name>
        <message>
            <source>expect %1 interruptions, which add %2</source>
            <translation>預計中斷 %1 次，多用 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_accelerator</name>
        <message>
            <source>speeds of such devices are published for whole pods only, not for single devices</source>
            <translation>此類裝置的速度只按整個叢集發布，沒有單一裝置的資料</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_card_too_old</name>
        <message>
            <source>the software requires a newer card (compute capability)</source>
            <translation>該軟體需要更新的顯示卡（計算能力）</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_no_bandwidth</name>
        <message>
            <source>its memory bandwidth is not published</source>
            <translation>其記憶體頻寬未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_no_prefill</name>
        <message>
            <source>no published prompt-processing speeds of this software</source>
            <translation>沒有該軟體提示處理速度的已發表資料</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_no_rate</name>
        <message>
            <source>its compute rate is not published</source>
            <translation>其運算速率未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_other_device</name>
        <message>
            <source>the software does not run on this device</source>
            <translation>該軟體無法在此裝置上執行</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_this_engine</name>
        <message>
            <source>this engine runs language models on processors only</source>
            <translation>本引擎僅在處理器上計算語言模型</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_arithmetic</name>
        <message>
            <source>limited by arithmetic</source>
            <translation>受限於計算能力</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_bandwidth</name>
        <message>
            <source>limited by memory bandwidth</source>
            <translation>受限於記憶體頻寬</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_input</name>
        <message>
            <source>limited by the input pipeline: a faster device would not help</source>
            <translation>受限於輸入流水線：換更快的裝置無濟於事</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_overhead</name>
        <message>
            <source>limited by launch overhead: a faster device would barely help, a larger batch may</source>
            <translation>受限於啟動開銷：換更快的裝置幾乎無濟於事，可嘗試更大的批次</translation>
        </message>
    </context>
    <context>
        <name>advisor.negative_weight</name>
        <message>
            <source>must not be negative</source>
            <translation>不得為負</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_card_for_job</name>
        <message>
            <source>no card with a price can run this job</source>
            <translation>沒有標價的顯示卡能執行此任務</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_column</name>
        <message>
            <source>has no column %1</source>
            <translation>沒有 %1 列</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_configuration</name>
        <message>
            <source>the table has no configuration "%1"</source>
            <translation>表中沒有配置「%1」</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_engine</name>
        <message>
            <source>does not contain this engine</source>
            <translation>不含本引擎</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_platform</name>
        <message>
            <source>the table has no platform "%1"</source>
            <translation>表中沒有平臺「%1」</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_price</name>
        <message>
            <source>its price is not known</source>
            <translation>價格未知</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_rows</name>
        <message>
            <source>has no rows</source>
            <translation>沒有資料行</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_speeds</name>
        <message>
            <source>no published speeds for "%1"</source>
            <translation>沒有「%1」的已發布速度</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_speeds_of</name>
        <message>
            <source>no published speeds for "%1"; did you mean %2?</source>
            <translation>沒有「%1」的已發布速度；是否想用 %2？</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_a_card</name>
        <message>
            <source>"%1" is not a card with a price in the catalog (see: list hardware)</source>
            <translation>「%1」不是目錄中有標價的顯示卡（參見 list hardware）</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_a_row</name>
        <message>
            <source>does not fit the columns of this table</source>
            <translation>與本表的列不符</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_an_array</name>
        <message>
            <source>must be an array</source>
            <translation>須為陣列</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_an_object</name>
        <message>
            <source>must be an object</source>
            <translation>須為物件</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_an_operation</name>
        <message>
            <source>contains an element that is not an operation: %1</source>
            <translation>含有不是操作的元素：%1</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_positive</name>
        <message>
            <source>%1 must be a number greater than 0</source>
            <translation>%1 須為大於 0 的數</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_predicted</name>
        <message>
            <source>cannot be predicted</source>
            <translation>無法預測</translation>
        </message>
    </context>
    <context>
        <name>advisor.nothing_to_rent</name>
        <message>
            <source>no machine for rent can run this job</source>
            <translation>沒有可租用的機器能執行此任務</translation>
        </message>
    </context>
    <context>
        <name>advisor.nothing_to_train</name>
        <message>
            <source>has nothing to train; use inference</source>
            <translation>沒有可訓練的參數；請改用推論</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_software</name>
        <message>
            <source>with %1, the fastest software with published speeds for it</source>
            <translation>使用 %1：有已發表速度的軟體中最快的</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_software_unseen</name>
        <message>
            <source>no speeds of %1 on devices of this vendor are published</source>
            <translation>沒有 %1 在該廠商裝置上的已發表速度</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_prompts_assumed</name>
        <message>
            <source>no prompt speeds of %1 are published: half of the peak rate is assumed</source>
            <translation>沒有 %1 提示處理速度的已發表資料：按峰值的一半估計</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_other_format</name>
        <message>
            <source>%1 does not load %2: another format of this size is assumed</source>
            <translation>%1 不能讀取 %2：按同樣大小的另一種格式估計</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_api</name>
        <message>
            <source>billed by the token, nothing when idle</source>
            <translation>依詞元計費，不用時不收費</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_bought</name>
        <message>
            <source>%1 to buy, used for %2 years, electricity included</source>
            <translation>購買價 %1，使用 %2 年，含電費</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_bought_for_jobs</name>
        <message>
            <source>%1 to buy, spread over %2 years at %3 utilization, electricity included</source>
            <translation>購買價 %1，按 %2 年、%3 使用率的小時數分攤，含電費</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_data_parallel</name>
        <message>
            <source>data parallel: each of the %1 devices trains on different sequences</source>
            <translation>%1 個裝置各自訓練自己的序列</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_divided</name>
        <message>
            <source>weights and optimizer state are sharded over %1 devices</source>
            <translation>權重與最佳化器狀態分攤到 %1 個裝置</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_does_not_fit</name>
        <message>
            <source>needs %1, has %2</source>
            <translation>需要 %1，可用 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_low_trust</name>
        <message>
            <source>the price is second-hand</source>
            <translation>價格來自二手來源</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_no_throughput</name>
        <message>
            <source>its speed is unknown: %1</source>
            <translation>其速度未知：%1</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_old_price</name>
        <message>
            <source>the price is %1 days old</source>
            <translation>價格已有 %1 天</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_too_slow</name>
        <message>
            <source>%1 tokens/s per user, fewer than the %2 required</source>
            <translation>每位使用者 %1 個詞元/秒，少於要求的 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_whole_machines</name>
        <message>
            <source>machines: %1, busy %2 of the time</source>
            <translation>需要 %1 台，使用率 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.wait_seconds</name>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
    </context>
    <context>
        <name>advisor.wait_minutes</name>
        <message>
            <source>%1 min</source>
            <translation>%1 分鐘</translation>
        </message>
    </context>
    <context>
        <name>advisor.wait_hours</name>
        <message>
            <source>%1 h</source>
            <translation>%1 小時</translation>
        </message>
    </context>
    <context>
        <name>advisor.wait_days</name>
        <message>
            <source>%1 d</source>
            <translation>%1 天</translation>
        </message>
    </context>
    <context>
        <name>advisor.old_price</name>
        <message>
            <source>the price is from %1, %2 days ago</source>
            <translation>價格日期為 %1，已有 %2 天</translation>
        </message>
    </context>
    <context>
        <name>advisor.on_line</name>
        <message>
            <source>line %1: %2</source>
            <translation>第 %1 行：%2</translation>
        </message>
    </context>
    <context>
        <name>advisor.on_pareto</name>
        <message>
            <source>no machine beats it on both time and price</source>
            <translation>沒有機器在時間和價格上都更優</translation>
        </message>
    </context>
    <context>
        <name>advisor.only_for_time</name>
        <message>
            <source>%1× as fast as %2 for %3× the price: only if you are in a hurry</source>
            <translation>速度為 %2 的 %1 倍，價格為其 %3 倍：只有趕時間才划算</translation>
        </message>
    </context>
    <context>
        <name>advisor.over_budget</name>
        <message>
            <source>%1 is %2 over the budget</source>
            <translation>%1，超出預算 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.over_deadline</name>
        <message>
            <source>%1 is %2 past the deadline</source>
            <translation>%1，超出期限 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.own_device</name>
        <message>
            <source>this computer's %1</source>
            <translation>這臺電腦的 %1</translation>
        </message>
    </context>
    <context>
        <name>advisor.own_processor</name>
        <message>
            <source>this computer's processor</source>
            <translation>這臺電腦的處理器</translation>
        </message>
    </context>
    <context>
        <name>advisor.part_of_device</name>
        <message>
            <source>fractions of a GPU are not modelled</source>
            <translation>無法對部分顯示卡建模</translation>
        </message>
    </context>
    <context>
        <name>advisor.poor_scaling</name>
        <message>
            <source>%1 devices reach %2 of ideal scaling</source>
            <translation>%1 個裝置達到理想加速的 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.precision_unsupported</name>
        <message>
            <source>does not support this precision</source>
            <translation>不支援此精度</translation>
        </message>
    </context>
    <context>
        <name>advisor.provider_excluded</name>
        <message>
            <source>the provider %1 is not selected</source>
            <translation>未選擇服務商 %1</translation>
        </message>
    </context>
    <context>
        <name>advisor.slower_but_cheaper</name>
        <message>
            <source>takes %1× as long as %2, but costs %3 less</source>
            <translation>用時為 %2 的 %1 倍，但便宜 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.slower_not_cheaper</name>
        <message>
            <source>slower than %1 and not cheaper</source>
            <translation>比 %1 慢，也不更便宜</translation>
        </message>
    </context>
    <context>
        <name>advisor.software_not_for_device</name>
        <message>
            <source>this software was measured on GPUs only</source>
            <translation>此軟體只在 GPU 上測量過</translation>
        </message>
    </context>
    <context>
        <name>advisor.spot_excluded</name>
        <message>
            <source>spot instances are excluded: they can be interrupted at any time</source>
            <translation>未包括競價執行個體：它們隨時可能被中斷</translation>
        </message>
    </context>
    <context>
        <name>advisor.start_up_time</name>
        <message>
            <source>%1 of the billed time is start-up</source>
            <translation>計費時間的 %1 用於啟動</translation>
        </message>
    </context>
    <context>
        <name>advisor.steps_range</name>
        <message>
            <source>must be greater than 0 and at most %1</source>
            <translation>須大於 0 且不超過 %1</translation>
        </message>
    </context>
    <context>
        <name>advisor.third_party_price</name>
        <message>
            <source>the price is from a third party</source>
            <translation>價格來自第三方</translation>
        </message>
    </context>
    <context>
        <name>advisor.tight_memory</name>
        <message>
            <source>tight: needs about %1 of %2</source>
            <translation>記憶體緊張：需要約 %1，共 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.too_close_to_call</name>
        <message>
            <source>too close to call compared with %1</source>
            <translation>與 %1 難分高下</translation>
        </message>
    </context>
    <context>
        <name>advisor.tuning_over_budget</name>
        <message>
            <source>costs %1, over the budget of %2</source>
            <translation>費用 %1，超過預算 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.tuning_over_deadline</name>
        <message>
            <source>takes %1, more than the %2 allowed</source>
            <translation>需要 %1，超過允許的 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.unknown_device</name>
        <message>
            <source>unknown device "%1"; did you mean %2?</source>
            <translation>未知的裝置「%1」；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>advisor.unknown_language_software</name>
        <message>
            <source>unknown software "%1" for language models; did you mean %2?</source>
            <translation>未知的語言模型軟體「%1」；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>advisor.watts_assumed</name>
        <message>
            <source>assumed</source>
            <translation>假定值</translation>
        </message>
    </context>
    <context>
        <name>advisor.watts_given</name>
        <message>
            <source>as given</source>
            <translation>依所給</translation>
        </message>
    </context>
    <context>
        <name>advisor.watts_published</name>
        <message>
            <source>from its published power</source>
            <translation>取自公布的功耗</translation>
        </message>
    </context>
    <context>
        <name>advisor.weight_range</name>
        <message>
            <source>must be between 0 and %1</source>
            <translation>須在 0 與 %1 之間</translation>
        </message>
    </context>
    <context>
        <name>advisor.wide_interval</name>
        <message>
            <source>wide interval: %1 to %2 times the predicted time</source>
            <translation>區間較寬：預測時間的 %1 到 %2 倍</translation>
        </message>
    </context>
    <context>
        <name>advisor.workload_or_platform</name>
        <message>
            <source>the workload or the platform is missing</source>
            <translation>缺少工作負載或平臺</translation>
        </message>
    </context>
    <context>
        <name>advisor.worth_the_price</name>
        <message>
            <source>%1× as fast as %2 for %3× the price: worth the higher price</source>
            <translation>速度為 %2 的 %1 倍，價格為其 %3 倍：值得多花錢</translation>
        </message>
    </context>
    <context>
        <name>app.device_twice</name>
        <message>
            <source>"%1" names a device twice</source>
            <translation>「%1」中有裝置出現兩次</translation>
        </message>
    </context>
    <context>
        <name>app.did_you_mean</name>
        <message>
            <source>did you mean %1?</source>
            <translation>是否想用 %1？</translation>
        </message>
    </context>
    <context>
        <name>app.ended_by_signal</name>
        <message>
            <source>it was terminated by signal %1</source>
            <translation>被訊號 %1 終止</translation>
        </message>
    </context>
    <context>
        <name>app.ended_with_code</name>
        <message>
            <source>it exited with code %1 before the suite was finished</source>
            <translation>套件尚未完成即以結束代碼 %1 結束</translation>
        </message>
    </context>
    <context>
        <name>app.enter_rate</name>
        <message>
            <source>no exchange rate for %1: add --exchange-rate, or store one with catalog set-currency</source>
            <translation>沒有 %1 的匯率：請加上 --exchange-rate，或用 catalog set-currency 儲存</translation>
        </message>
    </context>
    <context>
        <name>app.evaluates_onnx_files</name>
        <message>
            <source>only ONNX and GGUF files can be evaluated</source>
            <translation>只能計算 ONNX 與 GGUF 檔案</translation>
        </message>
    </context>
    <context>
        <name>app.finished_kept</name>
        <message>
            <source>%1 of %2 cases are finished and stored as run %3</source>
            <translation>%2 個用例中的 %1 個已完成，並儲存為執行 %3</translation>
        </message>
    </context>
    <context>
        <name>app.finished_not_stored</name>
        <message>
            <source>%1 of %2 cases were finished</source>
            <translation>%2 個用例中的 %1 個已完成</translation>
        </message>
    </context>
    <context>
        <name>app.folder_not_made</name>
        <message>
            <source>the folder cannot be created</source>
            <translation>無法建立資料夾</translation>
        </message>
    </context>
    <context>
        <name>app.for_language_models</name>
        <message>
            <source>is for language models only (see: list models)</source>
            <translation>僅用於語言模型（參見 list models）</translation>
        </message>
    </context>
    <context>
        <name>app.for_models_and_files</name>
        <message>
            <source>is for language models and ONNX files only</source>
            <translation>僅適用於語言模型和 ONNX 檔案</translation>
        </message>
    </context>
    <context>
        <name>app.image_not_encoded</name>
        <message>
            <source>the image could not be encoded</source>
            <translation>無法編碼影像</translation>
        </message>
    </context>
    <context>
        <name>app.job_needs_model</name>
        <message>
            <source>required with --job serve, chat or finetune</source>
            <translation>使用 --job serve、chat 或 finetune 時必需</translation>
        </message>
    </context>
    <context>
        <name>app.language_job</name>
        <message>
            <source>language models need --job serve, chat or finetune</source>
            <translation>語言模型需要 --job serve、chat 或 finetune</translation>
        </message>
    </context>
    <context>
        <name>app.language_mode</name>
        <message>
            <source>language models support decode, prefill, train, lora and qlora</source>
            <translation>語言模型支援 decode、prefill、train、lora 與 qlora</translation>
        </message>
    </context>
    <context>
        <name>app.larger_than8_mi_b</name>
        <message>
            <source>larger than 8 MiB</source>
            <translation>大於 8 MiB</translation>
        </message>
    </context>
    <context>
        <name>app.mode_of_language_models</name>
        <message>
            <source>%1 is for language models (see: list models)</source>
            <translation>%1 僅用於語言模型（參見 list models）</translation>
        </message>
    </context>
    <context>
        <name>app.needed_for_gguf</name>
        <message>
            <source>is needed with a GGUF file</source>
            <translation>對 GGUF 檔案是必需的</translation>
        </message>
    </context>
    <context>
        <name>app.needed_for_onnx</name>
        <message>
            <source>is needed with an ONNX file</source>
            <translation>對 ONNX 檔案是必需的</translation>
        </message>
    </context>
    <context>
        <name>app.needs_currency</name>
        <message>
            <source>requires --currency with a currency other than USD</source>
            <translation>需要 --currency 指定美元以外的貨幣</translation>
        </message>
    </context>
    <context>
        <name>app.needs_finetune</name>
        <message>
            <source>requires --job finetune</source>
            <translation>需要 --job finetune</translation>
        </message>
    </context>
    <context>
        <name>app.needs_prefill</name>
        <message>
            <source>requires --mode prefill</source>
            <translation>需要 --mode prefill</translation>
        </message>
    </context>
    <context>
        <name>app.needs_tuning_mode</name>
        <message>
            <source>requires --mode train, lora or qlora</source>
            <translation>需要 --mode train、lora 或 qlora</translation>
        </message>
    </context>
    <context>
        <name>app.network_changed</name>
        <message>
            <source>the file has changed since the network was added; add it again</source>
            <translation>新增網路後文件已改變；請重新新增</translation>
        </message>
    </context>
    <context>
        <name>app.network_missing</name>
        <message>
            <source>the file is missing; put it back, or remove the network from the list</source>
            <translation>檔案不存在；請放回原處，或將該網路從列表中移除</translation>
        </message>
    </context>
    <context>
        <name>app.no_database</name>
        <message>
            <source>no database is open</source>
            <translation>沒有開啟的資料庫</translation>
        </message>
    </context>
    <context>
        <name>app.no_history</name>
        <message>
            <source>the history file does not exist</source>
            <translation>歷史檔案不存在</translation>
        </message>
    </context>
    <context>
        <name>app.no_run_stored</name>
        <message>
            <source>there are no runs yet</source>
            <translation>尚無執行</translation>
        </message>
    </context>
    <context>
        <name>app.no_runs_yet</name>
        <message>
            <source>there are no runs yet; start one with: steelyard-cli run --suite quick</source>
            <translation>尚無執行；可用 steelyard-cli run --suite quick 開始</translation>
        </message>
    </context>
    <context>
        <name>app.no_such_device</name>
        <message>
            <source>there is no such device; see: steelyard-cli list hardware</source>
            <translation>沒有這個裝置（參見 list hardware）</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_in_group</name>
        <message>
            <source>%1 nodes were requested, but the group has %2 processes: start one process for each node (mpirun -np %1, or srun --mpi=pmix -N %1)</source>
            <translation>要求了 %1 個節點，但該群組有 %2 個行程：請為每個節點啟動一個行程（mpirun -np %1，或 srun --mpi=pmix -N %1）</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_need_cpu</name>
        <message>
            <source>only CPUs can share a step across nodes; use --device cpu</source>
            <translation>多個節點只能分擔其 CPU 的一步；請使用 --device cpu</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_not_resumed</name>
        <message>
            <source>a run of several nodes cannot be resumed; measure the missing cases again</source>
            <translation>多個節點的執行無法繼續；請重新測量缺少的用例</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_not_with</name>
        <message>
            <source>cannot be used with %1</source>
            <translation>不能與 %1 一起使用</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_train_only</name>
        <message>
            <source>nodes exchange gradients: only training can be split among them</source>
            <translation>節點之間交換的是梯度：只有訓練可以分擔</translation>
        </message>
    </context>
    <context>
        <name>app.not_a_date</name>
        <message>
            <source>"%1" is not a date such as 2026-08-03</source>
            <translation>「%1」不是形如 2026-08-03 的日期</translation>
        </message>
    </context>
    <context>
        <name>app.not_a_multiplier</name>
        <message>
            <source>"%1" is not of the form PLATFORM=5</source>
            <translation>「%1」不符合 PLATFORM=5 的形式</translation>
        </message>
    </context>
    <context>
        <name>app.not_a_whole_number</name>
        <message>
            <source>"%1" is not a whole number from 1 to %2</source>
            <translation>「%1」不是 1 至 %2 的整數</translation>
        </message>
    </context>
    <context>
        <name>app.not_for_fine_tuning</name>
        <message>
            <source>is not for fine-tuning</source>
            <translation>不適用於微調</translation>
        </message>
    </context>
    <context>
        <name>app.not_for_gguf</name>
        <message>
            <source>is not for GGUF files</source>
            <translation>不適用於 GGUF 檔案</translation>
        </message>
    </context>
    <context>
        <name>app.not_one_of</name>
        <message>
            <source>"%1" is not one of %2</source>
            <translation>「%1」不是以下之一：%2</translation>
        </message>
    </context>
    <context>
        <name>app.not_tokens</name>
        <message>
            <source>&quot;%1&quot; is not a list of token numbers such as 1,2,3</source>
            <translation>「%1」不是如 1,2,3 的詞元編號清單</translation>
        </message>
    </context>
    <context>
        <name>app.not_utf8</name>
        <message>
            <source>the name is not UTF-8 text; use a symbolic link with another name</source>
            <translation>名稱不是 UTF-8 文字；請改用另一個名稱的符號連結</translation>
        </message>
    </context>
    <context>
        <name>app.nothing_runnable</name>
        <message>
            <source>no case can run on this computer</source>
            <translation>沒有用例能在這臺電腦上執行</translation>
        </message>
    </context>
    <context>
        <name>app.only_for_gguf</name>
        <message>
            <source>is for GGUF files only</source>
            <translation>僅適用於 GGUF 檔案</translation>
        </message>
    </context>
    <context>
        <name>app.only_gpus_share</name>
        <message>
            <source>"%1": a case can be split among GPUs only</source>
            <translation>「%1」：用例只能分到多個 GPU</translation>
        </message>
    </context>
    <context>
        <name>app.path_not_listable</name>
        <message>
            <source>the path contains a comma or an unmatched parenthesis; rename the file or its folder</source>
            <translation>路徑含有逗號或不成對的括號；請重新命名檔案或其資料夾</translation>
        </message>
    </context>
    <context>
        <name>app.plan_not_stored</name>
        <message>
            <source>its plan was not stored</source>
            <translation>其計劃未被儲存</translation>
        </message>
    </context>
    <context>
        <name>app.report_ending</name>
        <message>
            <source>the file name must end in .pdf, .html, .md, .csv or .json</source>
            <translation>檔名須以 .pdf、.html、.md、.csv 或 .json 結尾</translation>
        </message>
    </context>
    <context>
        <name>app.samples_unknown</name>
        <message>
            <source>the number of samples per epoch is unknown; set it, or the number of --steps</source>
            <translation>每輪的樣本數未知；請設定樣本數或 --steps</translation>
        </message>
    </context>
    <context>
        <name>app.scaling_needs_gpus</name>
        <message>
            <source>requires --gpus, the number of GPUs per case</source>
            <translation>需要 --gpus，即每個用例的 GPU 數</translation>
        </message>
    </context>
    <context>
        <name>app.token_range</name>
        <message>
            <source>takes a whole number from %1 to %2</source>
            <translation>須為 %1 至 %2 的整數</translation>
        </message>
    </context>
    <context>
        <name>bench.accuracy_verdict</name>
        <message>
            <source>validation accuracy %1; published: %2</source>
            <translation>驗證準確率 %1；已發表：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.appears_twice</name>
        <message>
            <source>%1 appears twice</source>
            <translation>%1 出現了兩次</translation>
        </message>
    </context>
    <context>
        <name>bench.at_least</name>
        <message>
            <source>at least %1</source>
            <translation>至少 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.at_place</name>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.bad_date</name>
        <message>
            <source>date must be the day of the measurement, such as 2026-08-03</source>
            <translation>date 必須是測量日期，例如 2026-08-03</translation>
        </message>
    </context>
    <context>
        <name>bench.bad_mode</name>
        <message>
            <source>mode must be train or infer</source>
            <translation>mode 必須是 train 或 infer</translation>
        </message>
    </context>
    <context>
        <name>bench.bad_precision</name>
        <message>
            <source>precision must be fp32, tf32, bf16 or fp16</source>
            <translation>precision 必須是 fp32、tf32、bf16 或 fp16</translation>
        </message>
    </context>
    <context>
        <name>bench.batch_range</name>
        <message>
            <source>batch must be a whole number from 1 to %1</source>
            <translation>batch 須為 1 至 %1 的整數</translation>
        </message>
    </context>
    <context>
        <name>bench.better_than_published</name>
        <message>
            <source>%1 (better than published)</source>
            <translation>%1（優於已發表結果）</translation>
        </message>
    </context>
    <context>
        <name>bench.cannot_resume</name>
        <message>
            <source>run %1 cannot be resumed: %2</source>
            <translation>無法繼續執行 %1：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.character_count</name>
        <message>
            <source>%1 characters; %2 supports %3</source>
            <translation>%1 個字元；%2 支援 %3 個</translation>
        </message>
    </context>
    <context>
        <name>bench.check_error</name>
        <message>
            <source>the check ended with an error: %1</source>
            <translation>檢查因錯誤而結束：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.check_faults</name>
        <message>
            <source>faults were found: do not trust this machine before they are explained</source>
            <translation>發現故障：在查明原因之前請勿信任這部機器</translation>
        </message>
    </context>
    <context>
        <name>bench.check_little_memory</name>
        <message>
            <source>too little memory is free for a test</source>
            <translation>可用記憶體太少，無法測試</translation>
        </message>
    </context>
    <context>
        <name>bench.check_no_device</name>
        <message>
            <source>the device %1 is not available</source>
            <translation>裝置 %1 無法使用</translation>
        </message>
    </context>
    <context>
        <name>bench.check_no_raw_memory</name>
        <message>
            <source>this backend gives no access to plain memory</source>
            <translation>此後端不提供對原始記憶體的存取</translation>
        </message>
    </context>
    <context>
        <name>bench.check_nothing</name>
        <message>
            <source>nothing could be checked</source>
            <translation>沒有可檢查的項目</translation>
        </message>
    </context>
    <context>
        <name>bench.check_sound</name>
        <message>
            <source>no faults found: memory, operations and sustained load are as they should be</source>
            <translation>未發現故障：記憶體、運算與持續負載均正常</translation>
        </message>
    </context>
    <context>
        <name>bench.check_sound_with_remarks</name>
        <message>
            <source>no faults found, with the remarks below</source>
            <translation>未發現故障，但請注意以下說明</translation>
        </message>
    </context>
    <context>
        <name>bench.check_stopped</name>
        <message>
            <source>stopped before the end; no fault until then</source>
            <translation>提前停止；到那時為止沒有故障</translation>
        </message>
    </context>
    <context>
        <name>bench.checked_before</name>
        <message>
            <source>verified in the first visit</source>
            <translation>已在第一輪驗證</translation>
        </message>
    </context>
    <context>
        <name>bench.child_crashed</name>
        <message>
            <source>the measuring process crashed (%1)</source>
            <translation>測量行程當機（%1）</translation>
        </message>
    </context>
    <context>
        <name>bench.child_ended</name>
        <message>
            <source>the measuring process exited with code %1 and without a result</source>
            <translation>測量行程以代碼 %1 結束，沒有結果</translation>
        </message>
    </context>
    <context>
        <name>bench.child_killed</name>
        <message>
            <source>the measuring process was killed, probably because memory ran out; try a smaller batch</source>
            <translation>測量行程被終止，可能是記憶體不足；請嘗試較小的批次大小</translation>
        </message>
    </context>
    <context>
        <name>bench.child_out_of_time</name>
        <message>
            <source>the measuring process was killed: it reached the limit of CPU time (ulimit -t), or memory ran out</source>
            <translation>測量行程被終止：達到了 CPU 時間上限（ulimit -t），或記憶體耗盡</translation>
        </message>
    </context>
    <context>
        <name>bench.class_count_differs</name>
        <message>
            <source>%1 classes; %2 has %3</source>
            <translation>%1 個類別；%2 有 %3 個</translation>
        </message>
    </context>
    <context>
        <name>bench.clock_fell</name>
        <message>
            <source>the clock was %1 MHz at the beginning and %2 MHz at the end</source>
            <translation>時脈開始時為 %1 MHz，結束時為 %2 MHz</translation>
        </message>
    </context>
    <context>
        <name>bench.clock_not_reported</name>
        <message>
            <source>this machine does not report its clock</source>
            <translation>這部機器不回報時脈</translation>
        </message>
    </context>
    <context>
        <name>bench.computer_out_of_memory</name>
        <message>
            <source>the computer ran out of memory</source>
            <translation>計算機記憶體耗盡</translation>
        </message>
    </context>
    <context>
        <name>bench.computer_unknown</name>
        <message>
            <source>the computer it was started on is unknown</source>
            <translation>無法得知它在哪部電腦上開始</translation>
        </message>
    </context>
    <context>
        <name>bench.cores_changed</name>
        <message>
            <source>%1 cores, now %2</source>
            <translation>%1 個核心，現為 %2 個</translation>
        </message>
    </context>
    <context>
        <name>bench.cpu_throttled</name>
        <message>
            <source>the processor was throttled during sampling</source>
            <translation>取樣期間處理器被降頻</translation>
        </message>
    </context>
    <context>
        <name>bench.devices_missing</name>
        <message>
            <source>not all devices joined in time</source>
            <translation>並非所有裝置都及時加入</translation>
        </message>
    </context>
    <context>
        <name>bench.differs</name>
        <message>
            <source>%1 of %2 differs by %3; allowed: %4</source>
            <translation>%2 的 %1 相差 %3，容許 %4</translation>
        </message>
    </context>
    <context>
        <name>bench.document_version</name>
        <message>
            <source>version %1; this program reads up to version %2</source>
            <translation>版本 %1；本程式最高可讀版本 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.fewer_than_a_batch</name>
        <message>
            <source>%1 samples are fewer than a batch of %2</source>
            <translation>%1 個樣本少於一批的 %2 個</translation>
        </message>
    </context>
    <context>
        <name>bench.field_count</name>
        <message>
            <source>has %1 fields; the header has %2</source>
            <translation>有 %1 個欄位，表頭有 %2 個</translation>
        </message>
    </context>
    <context>
        <name>bench.figure_too_large</name>
        <message>
            <source>%1 must be at most %2</source>
            <translation>%1 最大為 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.fp16_overflow</name>
        <message>
            <source>fp16 cannot represent the values of this network: %1</source>
            <translation>fp16 無法表示此網路的數值：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.generation_batch</name>
        <message>
            <source>text is generated by inference at batch 1</source>
            <translation>文字以批次大小 1 的推論產生</translation>
        </message>
    </context>
    <context>
        <name>bench.gpu_slowed_down</name>
        <message>
            <source>the GPU was throttled: %1</source>
            <translation>GPU 被降頻：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.gpus_changed</name>
        <message>
            <source>GPUs %1, now %2</source>
            <translation>GPU %1，現為 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.host_changed</name>
        <message>
            <source>host name %1, now %2</source>
            <translation>主機名稱 %1，現為 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.inference_needs</name>
        <message>
            <source>inference at batch %1 needs %2; %3 is available</source>
            <translation>批次大小 %1 的推論需要 %2，可用 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.inference_only</name>
        <message>
            <source>%1 supports inference only; training was skipped</source>
            <translation>%1 僅支援推論，已略過訓練</translation>
        </message>
    </context>
    <context>
        <name>bench.int8_infers</name>
        <message>
            <source>int8 supports inference only; training was skipped</source>
            <translation>int8 是用於推論的精度；已略過訓練</translation>
        </message>
    </context>
    <context>
        <name>bench.interval_incomplete</name>
        <message>
            <source>ci95_low and ci95_high must be given together</source>
            <translation>ci95_low 與 ci95_high 必須同時給出</translation>
        </message>
    </context>
    <context>
        <name>bench.is_empty</name>
        <message>
            <source>is empty</source>
            <translation>為空</translation>
        </message>
    </context>
    <context>
        <name>bench.is_finished</name>
        <message>
            <source>it is finished; nothing is left to measure</source>
            <translation>它已完成，沒有剩餘的測量</translation>
        </message>
    </context>
    <context>
        <name>bench.is_reference</name>
        <message>
            <source>this is the reference backend</source>
            <translation>這是參考後端</translation>
        </message>
    </context>
    <context>
        <name>bench.known_names</name>
        <message>
            <source>known: %1</source>
            <translation>已知：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.language_inference</name>
        <message>
            <source>training of language models is not measured</source>
            <translation>語言模型的測量不包括訓練</translation>
        </message>
    </context>
    <context>
        <name>bench.no_language_backend</name>
        <message>
            <source>the backend of this device does not run language models</source>
            <translation>該裝置的後端不執行語言模型</translation>
        </message>
    </context>
    <context>
        <name>bench.load_clock_fault</name>
        <message>
            <source>%1 repetitions gave the same result, but the clock did not hold</source>
            <translation>%1 次重複的結果相同，但時脈未能維持</translation>
        </message>
    </context>
    <context>
        <name>bench.load_differs</name>
        <message>
            <source>%1 of %2 repetitions gave another result (%3 values)</source>
            <translation>%2 次重複中有 %1 次結果不同（%3 個值）</translation>
        </message>
    </context>
    <context>
        <name>bench.load_passed</name>
        <message>
            <source>%1 repetitions gave the same result, bit by bit</source>
            <translation>%1 次重複的結果逐位元相同</translation>
        </message>
    </context>
    <context>
        <name>bench.load_slower</name>
        <message>
            <source>steps became %1 slower during the load: other programs, or a limit that is not reported</source>
            <translation>負載期間步驟變慢了 %1：其他程式，或未回報的限制</translation>
        </message>
    </context>
    <context>
        <name>bench.load_throttled</name>
        <message>
            <source>slowed down by heat in %1 of the readings: check cooling and dust</source>
            <translation>%1 的讀數顯示因過熱而降速：請檢查散熱與灰塵</translation>
        </message>
    </context>
    <context>
        <name>bench.logits_differ</name>
        <message>
            <source>the logits have a relative error of %1; at most %2 is allowed</source>
            <translation>logits 的相對誤差為 %1；最多允許 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.logits_not_finite</name>
        <message>
            <source>the logits are not finite numbers</source>
            <translation>logits 不是有限數</translation>
        </message>
    </context>
    <context>
        <name>bench.loss_does_not_fall</name>
        <message>
            <source>the loss does not decrease within %1 steps: %2, then %3</source>
            <translation>損失在 %1 步內沒有下降：%2，隨後 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.loss_not_finite</name>
        <message>
            <source>the loss of %1 is not finite in step %2</source>
            <translation>%1 的損失在第 %2 步不是有限值</translation>
        </message>
    </context>
    <context>
        <name>bench.loss_verdict</name>
        <message>
            <source>loss %1; published: %2</source>
            <translation>損失 %1；已發表：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.member_not_positive</name>
        <message>
            <source>%1 must be greater than 0</source>
            <translation>%1 必須大於 0</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_changed</name>
        <message>
            <source>memory %1, now %2</source>
            <translation>記憶體 %1，現為 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_fault</name>
        <message>
            <source>at offset %1: %2 was written, %3 was read</source>
            <translation>位移 %1：寫入 %2，讀出 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_passed</name>
        <message>
            <source>%1 tested with %2 patterns: every bit was read back as written</source>
            <translation>以 %2 種圖樣測試了 %1：讀回的每個位元都與寫入一致</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_wrong</name>
        <message>
            <source>%1 wrong 64-bit words in %2 of memory; wrong bits: %3</source>
            <translation>%2 記憶體中有 %1 個錯誤的 64 位元字組；錯誤位元：%3</translation>
        </message>
    </context>
    <context>
        <name>bench.must_be_positive</name>
        <message>
            <source>must be greater than 0</source>
            <translation>必須大於 0</translation>
        </message>
    </context>
    <context>
        <name>bench.no_cases</name>
        <message>
            <source>the request contains no cases</source>
            <translation>請求中沒有案例</translation>
        </message>
    </context>
    <context>
        <name>bench.no_column</name>
        <message>
            <source>has no column %1</source>
            <translation>沒有欄位 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.no_data_to_read</name>
        <message>
            <source>the input pipeline has no data to read</source>
            <translation>輸入管線沒有可讀取的資料</translation>
        </message>
    </context>
    <context>
        <name>bench.no_device</name>
        <message>
            <source>no device is given</source>
            <translation>未給出裝置</translation>
        </message>
    </context>
    <context>
        <name>bench.no_loss</name>
        <message>
            <source>no loss was computed</source>
            <translation>沒有計算損失</translation>
        </message>
    </context>
    <context>
        <name>bench.no_measurement</name>
        <message>
            <source>contains no measurement</source>
            <translation>不含任何測量</translation>
        </message>
    </context>
    <context>
        <name>bench.no_operation_times</name>
        <message>
            <source>this backend does not time individual operations</source>
            <translation>此後端不對個別運算計時</translation>
        </message>
    </context>
    <context>
        <name>bench.no_precision_cost</name>
        <message>
            <source>the accuracy loss of int8 could not be measured: %1</source>
            <translation>int8 對輸出的影響未知：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.no_profile</name>
        <message>
            <source>no profile: %1</source>
            <translation>沒有剖析結果：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.no_ranks</name>
        <message>
            <source>this backend cannot split a step across devices</source>
            <translation>此後端無法將一步分給多個裝置</translation>
        </message>
    </context>
    <context>
        <name>bench.no_real_data</name>
        <message>
            <source>%1 has no real data set; using synthetic data</source>
            <translation>%1 沒有真實資料集，改用合成資料</translation>
        </message>
    </context>
    <context>
        <name>bench.no_validation_accuracy</name>
        <message>
            <source>no validation accuracy was computed</source>
            <translation>沒有計算驗證準確率</translation>
        </message>
    </context>
    <context>
        <name>bench.no_validation_part</name>
        <message>
            <source>there is no validation set, so no target accuracy can be reached</source>
            <translation>資料集沒有驗證部分，因此無法達到目標準確率</translation>
        </message>
    </context>
    <context>
        <name>bench.no_workload</name>
        <message>
            <source>no workload is given</source>
            <translation>未給出工作負載</translation>
        </message>
    </context>
    <context>
        <name>bench.not_a_number</name>
        <message>
            <source>%1 is not a number: "%2"</source>
            <translation>%1 不是數字：「%2」</translation>
        </message>
    </context>
    <context>
        <name>bench.not_enough_gpus</name>
        <message>
            <source>%1 GPUs are required; this computer has %2 usable</source>
            <translation>需要 %1 個 GPU；本機可用 %2 個</translation>
        </message>
    </context>
    <context>
        <name>bench.not_sustained</name>
        <message>
            <source>the last third of the run reached %1 of the speed of the first third</source>
            <translation>最後三分之一的速度為最初三分之一的 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.nothing_compared</name>
        <message>
            <source>nothing could be compared</source>
            <translation>沒有可比較的內容</translation>
        </message>
    </context>
    <context>
        <name>bench.nothing_computed</name>
        <message>
            <source>nothing is computed</source>
            <translation>沒有進行運算</translation>
        </message>
    </context>
    <context>
        <name>bench.nothing_named</name>
        <message>
            <source>the request names neither a suite nor a workload</source>
            <translation>請求中既沒有套件也沒有工作負載</translation>
        </message>
    </context>
    <context>
        <name>bench.on_line</name>
        <message>
            <source>line %1: %2</source>
            <translation>第 %1 行：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.one_speed_only</name>
        <message>
            <source>exactly one of step_seconds and samples_per_second is required</source>
            <translation>step_seconds 與 samples_per_second 必須且只能給出一個</translation>
        </message>
    </context>
    <context>
        <name>bench.operation_wrong</name>
        <message>
            <source>%1, %2: %3</source>
            <translation>%1，%2：%3</translation>
        </message>
    </context>
    <context>
        <name>bench.operations_none</name>
        <message>
            <source>none of the operations could be compared with the reference</source>
            <translation>沒有運算可與參考實作比較</translation>
        </message>
    </context>
    <context>
        <name>bench.operations_passed</name>
        <message>
            <source>%1 cases with every kind of operation agree with the reference</source>
            <translation>涵蓋各類運算的 %1 個案例與參考實作一致</translation>
        </message>
    </context>
    <context>
        <name>bench.operations_wrong</name>
        <message>
            <source>%1 of %2 cases differ from the reference</source>
            <translation>%2 個案例中有 %1 個與參考實作不一致</translation>
        </message>
    </context>
    <context>
        <name>bench.other_batch</name>
        <message>
            <source>batch %1; the published run used %2</source>
            <translation>批次大小 %1；已發表的執行使用 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.other_computer</name>
        <message>
            <source>it was started on another computer: %1</source>
            <translation>它在另一部電腦上開始：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.other_epochs</name>
        <message>
            <source>%1 epochs; the published run used %2</source>
            <translation>%1 輪；已發表的執行使用 %2 輪</translation>
        </message>
    </context>
    <context>
        <name>bench.other_node_failed</name>
        <message>
            <source>another node could not start: %1</source>
            <translation>另一個節點無法開始：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.other_program_version</name>
        <message>
            <source>it was started by version %1 (%2); this is %3 (%4)</source>
            <translation>它由版本 %1（%2）開始；目前為 %3（%4）</translation>
        </message>
    </context>
    <context>
        <name>bench.other_sample_count</name>
        <message>
            <source>%1 training samples; the published run used %2</source>
            <translation>訓練樣本 %1 個；已發表的執行使用 %2 個</translation>
        </message>
    </context>
    <context>
        <name>bench.other_software</name>
        <message>
            <source>measured by other software</source>
            <translation>由其他軟體測得</translation>
        </message>
    </context>
    <context>
        <name>bench.other_suite_version</name>
        <message>
            <source>it was started with version %1 of the suites; this program has %2</source>
            <translation>它以套件版本 %1 開始；本程式為 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.outside_interval</name>
        <message>
            <source>step_seconds must lie between ci95_low and ci95_high</source>
            <translation>step_seconds 必須介於 ci95_low 與 ci95_high 之間</translation>
        </message>
    </context>
    <context>
        <name>bench.processor_changed</name>
        <message>
            <source>processor %1, now %2</source>
            <translation>處理器 %1，現為 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.profiling_cancelled</name>
        <message>
            <source>profiling was cancelled</source>
            <translation>效能剖析已取消</translation>
        </message>
    </context>
    <context>
        <name>bench.range</name>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.sample_size_differs</name>
        <message>
            <source>a sample has %1 values; %2 expects %3</source>
            <translation>每個樣本有 %1 個值；%2 需要 %3 個</translation>
        </message>
    </context>
    <context>
        <name>bench.slow_node</name>
        <message>
            <source>%1 is the slowest: it computes for %2, the median is %3</source>
            <translation>%1 最慢：計算用時 %2，中位數為 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.still_measuring</name>
        <message>
            <source>another process is still measuring it</source>
            <translation>另一個行程仍在測量它</translation>
        </message>
    </context>
    <context>
        <name>bench.stopped</name>
        <message>
            <source>stopped</source>
            <translation>已停止</translation>
        </message>
    </context>
    <context>
        <name>bench.switched_off</name>
        <message>
            <source>verification is switched off</source>
            <translation>驗證已關閉</translation>
        </message>
    </context>
    <context>
        <name>bench.synthetic_data</name>
        <message>
            <source>the data set is synthetic</source>
            <translation>資料集是合成的</translation>
        </message>
    </context>
    <context>
        <name>bench.synthetic_only</name>
        <message>
            <source>runs on several devices support synthetic data only</source>
            <translation>在多個裝置上執行僅支援合成資料</translation>
        </message>
    </context>
    <context>
        <name>bench.threads_range</name>
        <message>
            <source>threads must be a whole number from 1 to %1</source>
            <translation>threads 須為 1 至 %1 的整數</translation>
        </message>
    </context>
    <context>
        <name>bench.timer_stalled</name>
        <message>
            <source>the timer did not advance</source>
            <translation>計時器沒有前進</translation>
        </message>
    </context>
    <context>
        <name>bench.too_large_for_reference</name>
        <message>
            <source>too large for the reference check: %1 per sample</source>
            <translation>對參考檢驗而言過大：每個樣本 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.too_many_threads</name>
        <message>
            <source>%1 threads on %2 usable cores: expect a slowdown</source>
            <translation>%1 個執行緒執行於 %2 個可用核心：速度會下降</translation>
        </message>
    </context>
    <context>
        <name>bench.took_longer</name>
        <message>
            <source>took longer than %1</source>
            <translation>耗時超過 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.training_cancelled</name>
        <message>
            <source>training of %1 was cancelled</source>
            <translation>%1 的訓練已取消</translation>
        </message>
    </context>
    <context>
        <name>bench.training_needs</name>
        <message>
            <source>training at batch %1 needs %2; %3 is available</source>
            <translation>批次大小 %1 的訓練需要 %2，可用 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.uneven_batch</name>
        <message>
            <source>a batch of %1 does not divide evenly among %2 devices</source>
            <translation>批次大小 %1 無法在 %2 個裝置間均分</translation>
        </message>
    </context>
    <context>
        <name>bench.uneven_nodes</name>
        <message>
            <source>%1: a batch of %2 does not divide evenly among %3 nodes; this case was skipped</source>
            <translation>%1：批次大小 %2 無法均分給 %3 個節點；已略過此用例</translation>
        </message>
    </context>
    <context>
        <name>bench.uneven_skipped</name>
        <message>
            <source>%1: a batch of %2 does not divide evenly among %3 GPUs; this case was skipped</source>
            <translation>%1：批次大小 %2 無法在 %3 個 GPU 間均分，已略過此案例</translation>
        </message>
    </context>
    <context>
        <name>bench.unknown_workload_name</name>
        <message>
            <source>"%1" is not a workload of this program (see: steelyard-cli list workloads)</source>
            <translation>「%1」不是本程式的工作負載（參見命令 list workloads）</translation>
        </message>
    </context>
    <context>
        <name>bench.usable_cores_changed</name>
        <message>
            <source>%1 usable cores, now %2</source>
            <translation>%1 個可用核心，現為 %2 個</translation>
        </message>
    </context>
    <context>
        <name>bench.validation_cancelled</name>
        <message>
            <source>validation of %1 was cancelled</source>
            <translation>%1 的驗證已取消</translation>
        </message>
    </context>
    <context>
        <name>bench.verification_failed</name>
        <message>
            <source>verification failed: %1</source>
            <translation>驗證失敗：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.visit_failed</name>
        <message>
            <source>a later visit failed: %1</source>
            <translation>後續的一輪測量失敗：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.waiting_cancelled</name>
        <message>
            <source>waiting for the other devices was cancelled</source>
            <translation>等待其他裝置時被取消</translation>
        </message>
    </context>
    <context>
        <name>bench.was_imported</name>
        <message>
            <source>it was imported</source>
            <translation>它是匯入的</translation>
        </message>
    </context>
    <context>
        <name>campaign.as_predicted</name>
        <message>
            <source>%1: as fast as predicted, %2 per step</source>
            <translation>%1：與預測一致，每步 %2</translation>
        </message>
    </context>
    <context>
        <name>campaign.contradicted_run</name>
        <message>
            <source>run %1 was found with two different contents; neither was stored</source>
            <translation>執行 %1 出現兩種不同的內容，均未儲存</translation>
        </message>
    </context>
    <context>
        <name>campaign.control_characters</name>
        <message>
            <source>contains control characters or line breaks, which a task file cannot hold</source>
            <translation>包含控制字元或換行符號，工作檔案無法容納</translation>
        </message>
    </context>
    <context>
        <name>campaign.cut_result</name>
        <message>
            <source>a result in %1 is incomplete</source>
            <translation>%1 中有一個結果不完整</translation>
        </message>
    </context>
    <context>
        <name>campaign.ended_without_result</name>
        <message>
            <source>ended without a result</source>
            <translation>已結束但沒有結果</translation>
        </message>
    </context>
    <context>
        <name>campaign.engine_rents_nothing</name>
        <message>
            <source>%1 cannot rent offers; name hosts with --host, or use skypilot</source>
            <translation>%1 無法租用方案；請用 --host 指定主機，或使用 skypilot</translation>
        </message>
    </context>
    <context>
        <name>campaign.engine_reports</name>
        <message>
            <source>%1 reports: %2</source>
            <translation>%1 回報：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.faster_than_predicted</name>
        <message>
            <source>%1: %2 faster than predicted, %3 instead of %4 per step</source>
            <translation>%1：比預測快 %2，每步 %3 而非 %4</translation>
        </message>
    </context>
    <context>
        <name>campaign.folder_in_use</name>
        <message>
            <source>contains the files of campaign %1; choose another folder</source>
            <translation>存有測量批次 %1 的檔案；請指定其他資料夾</translation>
        </message>
    </context>
    <context>
        <name>campaign.group_of_one</name>
        <message>
            <source>%1 machines were requested, but this process was not started as one of them</source>
            <translation>要求 %1 台機器，但此程序並非作為其中之一啟動</translation>
        </message>
    </context>
    <context>
        <name>campaign.host_not_predicted</name>
        <message>
            <source>the speed of host %1 cannot be predicted</source>
            <translation>無法預測主機 %1 的速度</translation>
        </message>
    </context>
    <context>
        <name>campaign.left_out_for_budget</name>
        <message>
            <source>%1 is excluded: with it, measuring could cost %2, more than the budget of %3</source>
            <translation>略去 %1：加上它，測量最多可能花費 %2，超過預算 %3</translation>
        </message>
    </context>
    <context>
        <name>campaign.left_out_no_backend</name>
        <message>
            <source>%1 is excluded: this program has no backend for %2</source>
            <translation>略去 %1：本程式沒有 %2 的後端</translation>
        </message>
    </context>
    <context>
        <name>campaign.left_out_rejected</name>
        <message>
            <source>%1 is excluded: %2</source>
            <translation>略去 %1：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.measured_but</name>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.measured_while_busy</name>
        <message>
            <source>measured while other programs used the processor; measure it again</source>
            <translation>測量時其他程式在使用處理器；請重新測量</translation>
        </message>
    </context>
    <context>
        <name>campaign.misses_budget</name>
        <message>
            <source>%1 now costs %2, more than the budget of %3</source>
            <translation>%1 現在需要 %2，超過 %3 的預算</translation>
        </message>
    </context>
    <context>
        <name>campaign.misses_deadline</name>
        <message>
            <source>%1 now takes %2, longer than the deadline of %3</source>
            <translation>%1 現在需要 %2，超過 %3 的期限</translation>
        </message>
    </context>
    <context>
        <name>campaign.missing_cases_title</name>
        <message>
            <source>%1 missing cases</source>
            <translation>%1 個缺少的案例</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_checksum</name>
        <message>
            <source>the checksum of the bundle is unknown</source>
            <translation>封存檔的總和檢查碼未知</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_folder</name>
        <message>
            <source>no folder for the task files is given</source>
            <translation>未指定任務檔案的資料夾</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_host</name>
        <message>
            <source>%1 needs the name of a host</source>
            <translation>%1 需要主機名稱</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_image</name>
        <message>
            <source>%1 needs --image, a container image that contains steelyard-cli</source>
            <translation>%1 需要 --image，即包含 steelyard-cli 的容器映像檔</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_offer</name>
        <message>
            <source>%1 rents offers of the catalogue; it cannot use a host</source>
            <translation>%1 租用目錄中的方案，不能使用主機</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_program</name>
        <message>
            <source>needs --program, the path of steelyard-cli on the machines, or --bundle, an archive of it</source>
            <translation>需要 --program（各機器上 steelyard-cli 的路徑）或 --bundle（其封存檔）</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_arrays</name>
        <message>
            <source>cannot run a sweep; use slurm, kubernetes or parallel</source>
            <translation>無法執行掃描；請使用 slurm、kubernetes 或 parallel</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_candidates</name>
        <message>
            <source>none of the candidates can be measured</source>
            <translation>建議中沒有可以測量的候選</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_case_finished</name>
        <message>
            <source>no case was finished</source>
            <translation>沒有案例完成</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_choice_left</name>
        <message>
            <source>no candidate can do the job; %1 was the best choice</source>
            <translation>沒有候選能完成該作業；先前的最佳選擇是 %1</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_host_here</name>
        <message>
            <source>local measures this computer; it cannot use another host</source>
            <translation>local 測量本機，不能使用其他主機</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_such_candidate</name>
        <message>
            <source>%1 names candidate %2, which this campaign does not have</source>
            <translation>%1 指定了候選 %2，但該測量批次中沒有它</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_such_chunk</name>
        <message>
            <source>%1 is not one of the %2 chunks</source>
            <translation>%1 不在 %2 個分塊之中</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_such_program</name>
        <message>
            <source>%1 is not installed or not in a folder of PATH</source>
            <translation>%1 未安裝，或不在 PATH 的資料夾中</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_dns_label</name>
        <message>
            <source>&quot;%1&quot; is not a DNS label: at most 63 lower-case letters, digits and hyphens</source>
            <translation>「%1」不是 DNS 標籤：最多 63 個小寫字母、數字和連字號</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_host</name>
        <message>
            <source>&quot;%1&quot; is not NAME, NAME=DEVICE or NAME=DEVICE:COUNT</source>
            <translation>「%1」不是 NAME、NAME=DEVICE 或 NAME=DEVICE:COUNT</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_plain_name</name>
        <message>
            <source>&quot;%1&quot; may contain only letters, digits and -_.,:@[], and may not begin with -</source>
            <translation>「%1」只能包含字母、數字和 -_.,:@[]，且不能以 - 開頭</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_result</name>
        <message>
            <source>%1 is not a complete result of a campaign: %2</source>
            <translation>%1 不是完整的測量批次結果：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_sweep</name>
        <message>
            <source>is not a sweep</source>
            <translation>不是掃描</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_distinguishable</name>
        <message>
            <source>the measurements do not distinguish %1 from %2</source>
            <translation>根據測量結果無法區分 %1 與 %2</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_launched</name>
        <message>
            <source>was not confirmed; nothing was launched</source>
            <translation>未經確認，沒有啟動任何任務</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_measured</name>
        <message>
            <source>%1 was not measured: %2</source>
            <translation>%1 未被測量：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.nothing_to_launch</name>
        <message>
            <source>no candidate is planned or failed</source>
            <translation>沒有處於計畫或失敗狀態的候選</translation>
        </message>
    </context>
    <context>
        <name>campaign.of_another_campaign</name>
        <message>
            <source>%1 is a result of campaign %2</source>
            <translation>%1 是測量批次 %2 的結果</translation>
        </message>
    </context>
    <context>
        <name>campaign.other_choice</name>
        <message>
            <source>%1 is now the best choice instead of %2</source>
            <translation>%1 現在取代 %2 成為最佳選擇</translation>
        </message>
    </context>
    <context>
        <name>campaign.other_place</name>
        <message>
            <source>%1 moves from rank %2 to rank %3</source>
            <translation>%1 從第 %2 位變為第 %3 位</translation>
        </message>
    </context>
    <context>
        <name>campaign.other_version</name>
        <message>
            <source>measured by version %1; this is version %2, and the figures may not be comparable</source>
            <translation>由版本 %1 測量；目前為版本 %2，數據可能無法比較</translation>
        </message>
    </context>
    <context>
        <name>campaign.out_of_the_ranking</name>
        <message>
            <source>%1 leaves the ranking: %2</source>
            <translation>%1 退出排名：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.outside_band</name>
        <message>
            <source>%1: outside the predicted range of %2 to %3</source>
            <translation>%1：超出 %2 至 %3 的預測區間</translation>
        </message>
    </context>
    <context>
        <name>campaign.over_budget</name>
        <message>
            <source>can cost up to %1, more than the budget of %2</source>
            <translation>最多可能花費 %1，超過預算 %2</translation>
        </message>
    </context>
    <context>
        <name>campaign.question_not_measured</name>
        <message>
            <source>the job itself was not measured</source>
            <translation>未測量該工作本身</translation>
        </message>
    </context>
    <context>
        <name>campaign.repeats_lost_spot</name>
        <message>
            <source>repeats candidate %1, whose spot instance was preempted</source>
            <translation>重複候選 %1，其競價機器已被收回</translation>
        </message>
    </context>
    <context>
        <name>campaign.same_choice</name>
        <message>
            <source>%1 stays the best choice</source>
            <translation>%1 仍是最佳選擇</translation>
        </message>
    </context>
    <context>
        <name>campaign.slower_than_predicted</name>
        <message>
            <source>%1: takes %2 longer than predicted, %3 instead of %4 per step</source>
            <translation>%1：比預測多用 %2 的時間，每步 %3 而非 %4</translation>
        </message>
    </context>
    <context>
        <name>campaign.spot_lost</name>
        <message>
            <source>the spot instance was preempted</source>
            <translation>競價機器被收回</translation>
        </message>
    </context>
    <context>
        <name>campaign.times_as_long</name>
        <message>
            <source>%1: takes %2 times as long as predicted, %3 instead of %4 per step</source>
            <translation>%1：耗時是預測的 %2 倍，每步 %3，而非 %4</translation>
        </message>
    </context>
    <context>
        <name>campaign.too_large_for_config_map</name>
        <message>
            <source>the cases exceed the size limit of a Kubernetes ConfigMap; use fewer cases</source>
            <translation>案例超過 Kubernetes ConfigMap 的大小；請減少案例</translation>
        </message>
    </context>
    <context>
        <name>campaign.too_many_chunks</name>
        <message>
            <source>%1 chunks; an array job has at most %2 tasks</source>
            <translation>有 %1 個分塊；一個陣列最多 %2 個工作</translation>
        </message>
    </context>
    <context>
        <name>campaign.tool_ended</name>
        <message>
            <source>%1 exited with code %2</source>
            <translation>%1 以代碼 %2 結束</translation>
        </message>
    </context>
    <context>
        <name>campaign.tool_says</name>
        <message>
            <source>%1 exited with code %2: %3</source>
            <translation>%1 以代碼 %2 結束：%3</translation>
        </message>
    </context>
    <context>
        <name>campaign.under_way</name>
        <message>
            <source>candidates %1 are still running</source>
            <translation>候選 %1 仍在進行中</translation>
        </message>
    </context>
    <context>
        <name>campaign.unexpected_answer</name>
        <message>
            <source>unexpected output of %1: %2</source>
            <translation>無法理解 %1 的回應：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.unknown_candidate</name>
        <message>
            <source>&quot;%1&quot; is not one of the candidates</source>
            <translation>「%1」不是建議中的候選</translation>
        </message>
    </context>
    <context>
        <name>campaign.unknown_hardware</name>
        <message>
            <source>&quot;%1&quot; is not a device of the catalogue</source>
            <translation>「%1」不是目錄中的裝置</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_column</name>
        <message>
            <source>has no column %1</source>
            <translation>沒有 %1 列</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_exchange_rate</name>
        <message>
            <source>no exchange rate for %1 was entered</source>
            <translation>未輸入 %1 的匯率</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_offer_id</name>
        <message>
            <source>there is no offer with this id</source>
            <translation>沒有此 id 的報價</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_vms_csv</name>
        <message>
            <source>contains no vms.csv, neither directly nor in a folder of a provider</source>
            <translation>不含 vms.csv，雲服務商的資料夾中也沒有</translation>
        </message>
    </context>
    <context>
        <name>catalog.price_range</name>
        <message>
            <source>must be between %1 and %2 US dollars per hour</source>
            <translation>須在每小時 %1 至 %2 美元之間</translation>
        </message>
    </context>
    <context>
        <name>catalog.rate_of_usd</name>
        <message>
            <source>prices are in US dollars, which need no exchange rate</source>
            <translation>價格以美元計，不需要匯率</translation>
        </message>
    </context>
    <context>
        <name>catalog.rate_range</name>
        <message>
            <source>the exchange rate must be between %1 and %2 per US dollar</source>
            <translation>匯率（每美元）必須介於 %1 與 %2 之間</translation>
        </message>
    </context>
    <context>
        <name>catalog.rate_source_missing</name>
        <message>
            <source>enter the date and the source of the exchange rate</source>
            <translation>請輸入匯率的日期與來源</translation>
        </message>
    </context>
    <context>
        <name>catalog.source_missing</name>
        <message>
            <source>enter the source of the price</source>
            <translation>請填寫價格的來源</translation>
        </message>
    </context>
    <context>
        <name>compute.address_space</name>
        <message>
            <source>the address space is limited (ulimit -v)</source>
            <translation>地址空間受限（ulimit -v）</translation>
        </message>
    </context>
    <context>
        <name>compute.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>必須不小於 1</translation>
        </message>
    </context>
    <context>
        <name>compute.bad_node_count</name>
        <message>
            <source>a group of %1 out of %2 nodes is not possible</source>
            <translation>無法取 %2 個節點中的 %1 個</translation>
        </message>
    </context>
    <context>
        <name>compute.bad_rank</name>
        <message>
            <source>rank %1 of %2 is not valid</source>
            <translation>行程序號 %1（共 %2）無效</translation>
        </message>
    </context>
    <context>
        <name>compute.buckets_not_ready</name>
        <message>
            <source>%1 of %2 gradient buckets were never ready</source>
            <translation>%2 個梯度桶中有 %1 個始終未就緒</translation>
        </message>
    </context>
    <context>
        <name>compute.call_failed</name>
        <message>
            <source>%1 failed: %2</source>
            <translation>%1 失敗：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.call_failed_with_code</name>
        <message>
            <source>%1 returned %2: %3</source>
            <translation>%1 傳回 %2：%3</translation>
        </message>
    </context>
    <context>
        <name>compute.cannot_be_opened</name>
        <message>
            <source>cannot be opened</source>
            <translation>無法開啟</translation>
        </message>
    </context>
    <context>
        <name>compute.capability_needed</name>
        <message>
            <source>%1 requires compute capability %2</source>
            <translation>%1 需要運算能力 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.capability_too_old</name>
        <message>
            <source>%1 requires compute capability %2; this device has %3</source>
            <translation>%1 需要運算能力 %2；此裝置為 %3</translation>
        </message>
    </context>
    <context>
        <name>compute.compiling_step</name>
        <message>
            <source>compiling the step</source>
            <translation>編譯該步</translation>
        </message>
    </context>
    <context>
        <name>compute.context_full</name>
        <message>
            <source>the context has room for %1 tokens; %2 were requested</source>
            <translation>上下文可容納 %1 個詞元；要求了 %2 個</translation>
        </message>
    </context>
    <context>
        <name>compute.copy_differs</name>
        <message>
            <source>the copied bytes differ from those sent</source>
            <translation>複製得到的位元組與送出的不同</translation>
        </message>
    </context>
    <context>
        <name>compute.cache_needs_blocks</name>
        <message>
            <source>a KV cache in %1 needs heads of a multiple of %2 elements; they have %3</source>
            <translation>%1 格式的 KV 快取要求注意力頭的元素數是 %2 的倍數；這裡是 %3</translation>
        </message>
    </context>
    <context>
        <name>compute.no_cache_type</name>
        <message>
            <source>the %1 backend does not support a KV cache in %2</source>
            <translation>%1 後端不支援 %2 格式的 KV 快取</translation>
        </message>
    </context>
    <context>
        <name>compute.depthwise_needs_vnni</name>
        <message>
            <source>depthwise convolutions in int8 need AVX-512 VNNI, or channels in multiples of 8</source>
            <translation>int8 深度卷積需要 AVX-512 VNNI，或通道數為 8 的倍數</translation>
        </message>
    </context>
    <context>
        <name>compute.driver_failed</name>
        <message>
            <source>the NVIDIA driver failed: %1</source>
            <translation>NVIDIA 驅動程式發生錯誤：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.driver_too_old</name>
        <message>
            <source>the NVIDIA driver supports CUDA %1; %2 is required</source>
            <translation>NVIDIA 驅動程式支援 CUDA %1，需要 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.element_out_of_range</name>
        <message>
            <source>element %1 is %2, not in [0, %3)</source>
            <translation>第 %1 個元素為 %2，不在 [0, %3) 內</translation>
        </message>
    </context>
    <context>
        <name>compute.family_not_computed</name>
        <message>
            <source>models of the family %1 can be predicted but not run yet</source>
            <translation>%1 系列的模型可以描述，但尚不能計算</translation>
        </message>
    </context>
    <context>
        <name>compute.given_twice</name>
        <message>
            <source>%1 is given twice</source>
            <translation>%1 被給出兩次</translation>
        </message>
    </context>
    <context>
        <name>compute.gradients_zero</name>
        <message>
            <source>all gradients are zero</source>
            <translation>所有梯度均為零</translation>
        </message>
    </context>
    <context>
        <name>compute.group_lost</name>
        <message>
            <source>the group of nodes was terminated: a process or the network between the nodes was lost, or the run was stopped</source>
            <translation>節點群組已終止：某個行程或節點間的網路已中斷，或執行被停止</translation>
        </message>
    </context>
    <context>
        <name>compute.has_no_symbol</name>
        <message>
            <source>%1 has no %2</source>
            <translation>%1 中沒有 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.holds_integers</name>
        <message>
            <source>holds integers</source>
            <translation>含整數</translation>
        </message>
    </context>
    <context>
        <name>compute.holds_no_integers</name>
        <message>
            <source>does not hold integers</source>
            <translation>不含整數</translation>
        </message>
    </context>
    <context>
        <name>compute.input_count</name>
        <message>
            <source>%1 inputs are given; the network has %2</source>
            <translation>給出了 %1 個輸入，而網路有 %2 個</translation>
        </message>
    </context>
    <context>
        <name>compute.input_without_value</name>
        <message>
            <source>this input has no value</source>
            <translation>此輸入沒有值</translation>
        </message>
    </context>
    <context>
        <name>compute.is_all_zero</name>
        <message>
            <source>%1 is all zero</source>
            <translation>%1 全為零</translation>
        </message>
    </context>
    <context>
        <name>compute.is_not_a_number</name>
        <message>
            <source>%1 is not a number</source>
            <translation>%1 不是數字</translation>
        </message>
    </context>
    <context>
        <name>compute.kept_transformed</name>
        <message>
            <source>is kept in another layout</source>
            <translation>以另一種配置儲存</translation>
        </message>
    </context>
    <context>
        <name>compute.libraries_missing</name>
        <message>
            <source>its libraries are missing: %1</source>
            <translation>缺少其所需的程式庫：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.library_missing</name>
        <message>
            <source>%1 is missing: %2</source>
            <translation>缺少 %1：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.loss_not_a_number</name>
        <message>
            <source>the loss is not a number</source>
            <translation>損失不是數字</translation>
        </message>
    </context>
    <context>
        <name>compute.missing_entry_point</name>
        <message>
            <source>the entry point %1 is missing</source>
            <translation>缺少進入點 %1</translation>
        </message>
    </context>
    <context>
        <name>compute.missing_functions</name>
        <message>
            <source>the library lacks required functions</source>
            <translation>該庫缺少所需的函式</translation>
        </message>
    </context>
    <context>
        <name>compute.more_than32_bits</name>
        <message>
            <source>%1 needs more than 32 bits</source>
            <translation>%1 需要 32 位以上</translation>
        </message>
    </context>
    <context>
        <name>compute.no_algorithm</name>
        <message>
            <source>no algorithm for this operation</source>
            <translation>沒有適用於此運算的演算法</translation>
        </message>
    </context>
    <context>
        <name>compute.no_bfloat16</name>
        <message>
            <source>bf16 requires AVX-512 BF16 or AMX; the processor lacks them or they are disabled</source>
            <translation>bf16 需要 AVX-512 BF16 或 AMX；處理器不具備或已被停用</translation>
        </message>
    </context>
    <context>
        <name>compute.no_dense_block</name>
        <message>
            <source>its weight space has no dense block for each gate</source>
            <translation>其權重空間沒有每個閘的連續區塊</translation>
        </message>
    </context>
    <context>
        <name>compute.no_device</name>
        <message>
            <source>the NVIDIA driver reports no device</source>
            <translation>NVIDIA 驅動程式未回報任何裝置</translation>
        </message>
    </context>
    <context>
        <name>compute.no_device_memory</name>
        <message>
            <source>the device could not allocate the memory</source>
            <translation>裝置無法分配記憶體</translation>
        </message>
    </context>
    <context>
        <name>compute.no_driver</name>
        <message>
            <source>no NVIDIA driver is installed</source>
            <translation>未安裝 NVIDIA 驅動程式</translation>
        </message>
    </context>
    <context>
        <name>compute.no_error_text</name>
        <message>
            <source>no error text</source>
            <translation>沒有錯誤說明</translation>
        </message>
    </context>
    <context>
        <name>compute.no_exchange_free_step</name>
        <message>
            <source>a step without gradient exchange failed: %1</source>
            <translation>不交換梯度的一步失敗：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.no_measurements</name>
        <message>
            <source>there are no measurements</source>
            <translation>沒有測量</translation>
        </message>
    </context>
    <context>
        <name>compute.no_mpi_module</name>
        <message>
            <source>this program was built without MPI, which several nodes need: install libopenmpi-dev and build it again</source>
            <translation>此程式建置時沒有 MPI，而多個節點需要它：請安裝 libopenmpi-dev 並重新建置</translation>
        </message>
    </context>
    <context>
        <name>compute.no_peak_kernel</name>
        <message>
            <source>no peak measurement for %1</source>
            <translation>沒有 %1 的峰值測量</translation>
        </message>
    </context>
    <context>
        <name>compute.no_precision</name>
        <message>
            <source>the %1 backend does not support %2</source>
            <translation>%1 後端不支援 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.no_tensor</name>
        <message>
            <source>there is no tensor %1</source>
            <translation>沒有張量 %1</translation>
        </message>
    </context>
    <context>
        <name>compute.nodes_silent</name>
        <message>
            <source>no answer from the other nodes for %1: a process or the network between the nodes was lost</source>
            <translation>其他節點已有 %1 沒有回應：某個行程或節點間的網路已中斷</translation>
        </message>
    </context>
    <context>
        <name>compute.none_within_workspace</name>
        <message>
            <source>none of %1 algorithms works within %2 of workspace</source>
            <translation>%1 種演算法都無法在 %2 工作區內執行</translation>
        </message>
    </context>
    <context>
        <name>compute.not_a_backend</name>
        <message>
            <source>the file is not a backend of this program</source>
            <translation>此檔案不是本程式的後端</translation>
        </message>
    </context>
    <context>
        <name>compute.not_a_run_id</name>
        <message>
            <source>not the id of a run</source>
            <translation>不是執行識別碼</translation>
        </message>
    </context>
    <context>
        <name>compute.one_thread_is_faster</name>
        <message>
            <source>one of %1 threads computes the step, which is faster than using all of them</source>
            <translation>此步只用 %1 個執行緒中的一個計算，比使用全部執行緒更快</translation>
        </message>
    </context>
    <context>
        <name>compute.not_captured</name>
        <message>
            <source>the step was not captured as a CUDA graph: %1</source>
            <translation>此步未被擷取為 CUDA 圖：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.not_installed</name>
        <message>
            <source>the backend is not installed</source>
            <translation>未安裝此後端</translation>
        </message>
    </context>
    <context>
        <name>compute.not_kept</name>
        <message>
            <source>is not kept after the step</source>
            <translation>此步之後不保留</translation>
        </message>
    </context>
    <context>
        <name>compute.not_one_of_several</name>
        <message>
            <source>this step is not split among devices</source>
            <translation>此步沒有分給多個裝置</translation>
        </message>
    </context>
    <context>
        <name>compute.not_repeated</name>
        <message>
            <source>a cache of %1 tokens cannot be repeated; it takes a multiple of %2</source>
            <translation>%1 個詞元的快取無法重複；須為 %2 的倍數</translation>
        </message>
    </context>
    <context>
        <name>compute.not_writable</name>
        <message>
            <source>callers cannot write this tensor</source>
            <translation>呼叫端不能寫入此張量</translation>
        </message>
    </context>
    <context>
        <name>compute.not_written_as_floats</name>
        <message>
            <source>is not written as floating-point numbers</source>
            <translation>不以浮點數寫入</translation>
        </message>
    </context>
    <context>
        <name>compute.not_written_as_integers</name>
        <message>
            <source>is not written as integers</source>
            <translation>不以整數寫入</translation>
        </message>
    </context>
    <context>
        <name>compute.not_rewound</name>
        <message>
            <source>cannot go back from token %1 to %2: only to the start, or by at most %3 tokens</source>
            <translation>無法從第 %1 個詞元退回到第 %2 個：只能退回到開頭，或最多退回 %3 個詞元</translation>
        </message>
    </context>
    <context>
        <name>compute.nothing_in_bytes</name>
        <message>
            <source>int8 needs a convolution or a dense layer: the network has none</source>
            <translation>int8 需要卷積層或全連接層：該網路沒有</translation>
        </message>
    </context>
    <context>
        <name>compute.nothing_to_copy</name>
        <message>
            <source>there is nothing to copy</source>
            <translation>沒有可複製的內容</translation>
        </message>
    </context>
    <context>
        <name>compute.only_gpus_share</name>
        <message>
            <source>only GPUs, and the CPUs of several nodes (run --nodes), can split a step</source>
            <translation>只有 GPU，以及多個節點的 CPU（run --nodes），能分擔一步</translation>
        </message>
    </context>
    <context>
        <name>compute.other_interface</name>
        <message>
            <source>built for interface version %1; this program has %2</source>
            <translation>為介面版本 %1 建置；本程式為 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.other_rank_count</name>
        <message>
            <source>for %1 ranks, not %2</source>
            <translation>用於 %1 個行程，而非 %2 個</translation>
        </message>
    </context>
    <context>
        <name>compute.other_rank_here</name>
        <message>
            <source>this process already is another rank of this group</source>
            <translation>本行程已是此群組的另一成員</translation>
        </message>
    </context>
    <context>
        <name>compute.other_runs_id</name>
        <message>
            <source>another run left its id here</source>
            <translation>另一次執行在此留下了識別碼</translation>
        </message>
    </context>
    <context>
        <name>compute.out_of_range</name>
        <message>
            <source>%1 is not in [0, %2)</source>
            <translation>%1 不在 [0, %2) 內</translation>
        </message>
    </context>
    <context>
        <name>compute.over_free_memory</name>
        <message>
            <source>the step exceeds the free memory of the device</source>
            <translation>該步超出裝置的可用記憶體</translation>
        </message>
    </context>
    <context>
        <name>compute.over_the_limit</name>
        <message>
            <source>the step exceeds the memory limit</source>
            <translation>此步超過記憶體限制</translation>
        </message>
    </context>
    <context>
        <name>compute.over_the_memory_limit</name>
        <message>
            <source>the step exceeds the memory limit</source>
            <translation>該步超出記憶體上限</translation>
        </message>
    </context>
    <context>
        <name>compute.own_recurrence</name>
        <message>
            <source>recurrent layers use built-in kernels instead of cuDNN: %1</source>
            <translation>循環層使用內建核心函式而非 cuDNN：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.rank_aborted</name>
        <message>
            <source>this rank has aborted</source>
            <translation>此行程已中止</translation>
        </message>
    </context>
    <context>
        <name>compute.rank_missing</name>
        <message>
            <source>rank 0 did not join within %1</source>
            <translation>第 0 個行程未在 %1 內加入</translation>
        </message>
    </context>
    <context>
        <name>compute.reference_convolution</name>
        <message>
            <source>oneDNN offers only its reference implementation for this convolution</source>
            <translation>oneDNN 對此卷積僅有參考實作</translation>
        </message>
    </context>
    <context>
        <name>compute.rendezvous_cancelled</name>
        <message>
            <source>waiting for the other ranks was cancelled</source>
            <translation>等待其他行程時被取消</translation>
        </message>
    </context>
    <context>
        <name>compute.shared_reduced_weights</name>
        <message>
            <source>weights shared between convolutions require fp32</source>
            <translation>卷積間共用權重需要 fp32</translation>
        </message>
    </context>
    <context>
        <name>compute.sparse_update_shared</name>
        <message>
            <source>sparse embedding updates cannot be split among devices</source>
            <translation>稀疏的嵌入更新無法分給多個裝置</translation>
        </message>
    </context>
    <context>
        <name>compute.tensors_too_large</name>
        <message>
            <source>the tensors of the step do not fit</source>
            <translation>該步的張量放不下</translation>
        </message>
    </context>
    <context>
        <name>compute.time_not_positive</name>
        <message>
            <source>a time must be greater than 0</source>
            <translation>時間必須大於 0</translation>
        </message>
    </context>
    <context>
        <name>compute.token_outside</name>
        <message>
            <source>token %1 is not in the vocabulary (0 to %2)</source>
            <translation>詞元 %1 不在詞表（0 至 %2）中</translation>
        </message>
    </context>
    <context>
        <name>compute.too_few_devices</name>
        <message>
            <source>%1 is less than 1</source>
            <translation>%1 小於 1</translation>
        </message>
    </context>
    <context>
        <name>compute.too_many_dimensions</name>
        <message>
            <source>the CUDA backend supports at most %1 dimensions here</source>
            <translation>CUDA 後端在此最多支援 %1 個維度</translation>
        </message>
    </context>
    <context>
        <name>compute.too_many_elements</name>
        <message>
            <source>%1 elements at batch %2; at most %3 can be indexed</source>
            <translation>批次大小 %2 時有 %1 個元素；最多可索引 %3 個</translation>
        </message>
    </context>
    <context>
        <name>compute.too_many_masks</name>
        <message>
            <source>the CUDA backend supports at most %1 attention masks</source>
            <translation>CUDA 後端最多支援 %1 個注意力遮罩</translation>
        </message>
    </context>
    <context>
        <name>compute.two_losses</name>
        <message>
            <source>two losses on the same logits</source>
            <translation>同一 logits 上有兩個損失</translation>
        </message>
    </context>
    <context>
        <name>compute.unequal_sequences</name>
        <message>
            <source>%1 tokens do not divide evenly among %2 sequences</source>
            <translation>%1 個詞元不能平均分給 %2 個序列（每個序列至少一個）</translation>
        </message>
    </context>
    <context>
        <name>compute.unknown_cuda_device</name>
        <message>
            <source>unknown device "%1"; CUDA devices: %2</source>
            <translation>未知的裝置「%1」；CUDA 裝置數：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.unknown_device</name>
        <message>
            <source>unknown device "%1"; known: %2</source>
            <translation>未知的裝置「%1」；已知：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.unknown_operation</name>
        <message>
            <source>unknown operation</source>
            <translation>未知的運算</translation>
        </message>
    </context>
    <context>
        <name>compute.window_too_large</name>
        <message>
            <source>windows of more than %1 positions cannot be trained</source>
            <translation>超過 %1 個位置的視窗無法訓練</translation>
        </message>
    </context>
    <context>
        <name>compute.workspace_too_small</name>
        <message>
            <source>needs %1 of workspace; %2 is allowed</source>
            <translation>需要 %1 工作區，容許 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.world_writable</name>
        <message>
            <source>%1 is writable by others; run chmod o-w</source>
            <translation>%1 可被其他使用者寫入；請執行 chmod o-w</translation>
        </message>
    </context>
    <context>
        <name>compute.wrong_element_count</name>
        <message>
            <source>%1 values for a tensor of %2</source>
            <translation>為 %2 的張量給出 %1 個值</translation>
        </message>
    </context>
    <context>
        <name>core.a_number</name>
        <message>
            <source>a number</source>
            <translation>數字</translation>
        </message>
    </context>
    <context>
        <name>core.a_string</name>
        <message>
            <source>a string</source>
            <translation>字串</translation>
        </message>
    </context>
    <context>
        <name>core.a_whole_number</name>
        <message>
            <source>a whole number</source>
            <translation>整數</translation>
        </message>
    </context>
    <context>
        <name>core.an_array</name>
        <message>
            <source>an array</source>
            <translation>陣列</translation>
        </message>
    </context>
    <context>
        <name>core.an_object</name>
        <message>
            <source>an object</source>
            <translation>物件</translation>
        </message>
    </context>
    <context>
        <name>core.at_byte</name>
        <message>
            <source>%1 (at byte %2)</source>
            <translation>%1（位於第 %2 個位元組）</translation>
        </message>
    </context>
    <context>
        <name>core.at_position</name>
        <message>
            <source>line %1, column %2: %3</source>
            <translation>第 %1 行第 %2 列：%3</translation>
        </message>
    </context>
    <context>
        <name>core.binary_data</name>
        <message>
            <source>contains binary data</source>
            <translation>含有二進位資料</translation>
        </message>
    </context>
    <context>
        <name>core.cancelled</name>
        <message>
            <source>%1 was cancelled</source>
            <translation>%1 已取消</translation>
        </message>
    </context>
    <context>
        <name>core.child_crashed</name>
        <message>
            <source>the measuring process of %1 ended unexpectedly</source>
            <translation>%1 的測量行程意外結束</translation>
        </message>
    </context>
    <context>
        <name>core.corrupt_data</name>
        <message>
            <source>%1 is damaged or not in the expected format</source>
            <translation>%1 已損毀或格式不符</translation>
        </message>
    </context>
    <context>
        <name>core.disk_full</name>
        <message>
            <source>the disk is full, %1 could not be written</source>
            <translation>磁碟已滿，無法寫入 %1</translation>
        </message>
    </context>
    <context>
        <name>core.document_version</name>
        <message>
            <source>version %1; this program reads up to version %2</source>
            <translation>版本 %1；本程式最高可讀版本 %2</translation>
        </message>
    </context>
    <context>
        <name>core.field_too_long</name>
        <message>
            <source>line %1 has a field of more than %2 bytes</source>
            <translation>第 %1 行有欄位超過 %2 位元組</translation>
        </message>
    </context>
    <context>
        <name>core.file_size_limit</name>
        <message>
            <source>the file would exceed the size limit of this process (ulimit -f)</source>
            <translation>檔案將超出此行程的大小限制（ulimit -f）</translation>
        </message>
    </context>
    <context>
        <name>core.given_twice</name>
        <message>
            <source>"%1" is given twice</source>
            <translation>「%1」給出了兩次</translation>
        </message>
    </context>
    <context>
        <name>core.implausible</name>
        <message>
            <source>is not a plausible number</source>
            <translation>不是合理的數值</translation>
        </message>
    </context>
    <context>
        <name>core.incomplete</name>
        <message>
            <source>is incomplete</source>
            <translation>不完整</translation>
        </message>
    </context>
    <context>
        <name>core.io_failed</name>
        <message>
            <source>%1 could not be read or written</source>
            <translation>無法讀寫 %1</translation>
        </message>
    </context>
    <context>
        <name>core.is_a_folder</name>
        <message>
            <source>it is a directory</source>
            <translation>它是資料夾</translation>
        </message>
    </context>
    <context>
        <name>core.is_missing</name>
        <message>
            <source>is missing</source>
            <translation>缺少</translation>
        </message>
    </context>
    <context>
        <name>core.larger_than</name>
        <message>
            <source>larger than %1 bytes</source>
            <translation>大於 %1 位元組</translation>
        </message>
    </context>
    <context>
        <name>core.listed</name>
        <message>
            <source>%1; %2</source>
            <translation>%1；%2</translation>
        </message>
    </context>
    <context>
        <name>core.locked</name>
        <message>
            <source>%1 is in use by another program</source>
            <translation>%1 正被其他程式使用</translation>
        </message>
    </context>
    <context>
        <name>core.must_be</name>
        <message>
            <source>must be %1, not %2</source>
            <translation>必須是%1，而不是%2</translation>
        </message>
    </context>
    <context>
        <name>core.must_be_positive</name>
        <message>
            <source>must be greater than 0</source>
            <translation>必須大於 0</translation>
        </message>
    </context>
    <context>
        <name>core.needs</name>
        <message>
            <source>needs %1</source>
            <translation>需要 %1</translation>
        </message>
    </context>
    <context>
        <name>core.needs_has</name>
        <message>
            <source>needs %1, has %2</source>
            <translation>需要 %1，可用 %2</translation>
        </message>
    </context>
    <context>
        <name>core.nested_too_deep</name>
        <message>
            <source>nested more than %1 levels deep</source>
            <translation>巢狀超過 %1 層</translation>
        </message>
    </context>
    <context>
        <name>core.no_header</name>
        <message>
            <source>has no header</source>
            <translation>沒有表頭</translation>
        </message>
    </context>
    <context>
        <name>core.no_memory</name>
        <message>
            <source>%1 does not fit into memory</source>
            <translation>%1 超出記憶體容量</translation>
        </message>
    </context>
    <context>
        <name>core.no_user_folder</name>
        <message>
            <source>HOME must be an absolute path; or set XDG_DATA_HOME</source>
            <translation>HOME 須為絕對路徑；或設定 XDG_DATA_HOME</translation>
        </message>
    </context>
    <context>
        <name>core.not_a_regular_file</name>
        <message>
            <source>not a regular file</source>
            <translation>不是普通檔案</translation>
        </message>
    </context>
    <context>
        <name>core.not_found</name>
        <message>
            <source>%1 was not found</source>
            <translation>找不到 %1</translation>
        </message>
    </context>
    <context>
        <name>core.not_supported</name>
        <message>
            <source>%1 is not supported here</source>
            <translation>此處不支援 %1</translation>
        </message>
    </context>
    <context>
        <name>core.not_valid</name>
        <message>
            <source>%1 is not valid</source>
            <translation>%1 無效</translation>
        </message>
    </context>
    <context>
        <name>core.open_quotes</name>
        <message>
            <source>the quotation mark opened in line %1 is not closed</source>
            <translation>第 %1 行開始的引號沒有結束</translation>
        </message>
    </context>
    <context>
        <name>core.other_format</name>
        <message>
            <source>is "%1", not "%2"</source>
            <translation>是「%1」，而不是「%2」</translation>
        </message>
    </context>
    <context>
        <name>core.out_of_range</name>
        <message>
            <source>%1 is out of range</source>
            <translation>%1 超出範圍</translation>
        </message>
    </context>
    <context>
        <name>core.permission_denied</name>
        <message>
            <source>access to %1 is denied</source>
            <translation>沒有存取 %1 的權限</translation>
        </message>
    </context>
    <context>
        <name>core.text_after_quote</name>
        <message>
            <source>text follows the closing quotation mark in line %1</source>
            <translation>第 %1 行的結束引號之後還有內容</translation>
        </message>
    </context>
    <context>
        <name>core.the_operation</name>
        <message>
            <source>the operation</source>
            <translation>此操作</translation>
        </message>
    </context>
    <context>
        <name>core.timed_out</name>
        <message>
            <source>%1 exceeded its time limit</source>
            <translation>%1 超過了時間限制</translation>
        </message>
    </context>
    <context>
        <name>core.too_many_fields</name>
        <message>
            <source>line %1 has more than %2 fields</source>
            <translation>第 %1 行超過 %2 個欄位</translation>
        </message>
    </context>
    <context>
        <name>core.too_many_rows</name>
        <message>
            <source>more than %1 rows</source>
            <translation>超過 %1 行</translation>
        </message>
    </context>
    <context>
        <name>core.true_or_false</name>
        <message>
            <source>true or false</source>
            <translation>true 或 false</translation>
        </message>
    </context>
    <context>
        <name>core.two_columns</name>
        <message>
            <source>has two columns %1</source>
            <translation>有兩個 %1 列</translation>
        </message>
    </context>
    <context>
        <name>core.unavailable</name>
        <message>
            <source>%1 is not available</source>
            <translation>%1 無法使用</translation>
        </message>
    </context>
    <context>
        <name>core.unexpected</name>
        <message>
            <source>unexpected failure in %1</source>
            <translation>%1 發生未預期的錯誤</translation>
        </message>
    </context>
    <context>
        <name>core.unknown_value</name>
        <message>
            <source>has the unknown value "%1"</source>
            <translation>的值「%1」不明</translation>
        </message>
    </context>
    <context>
        <name>core.version_too_new</name>
        <message>
            <source>%1 was written by a newer version of this program</source>
            <translation>%1 由本程式的較新版本寫入</translation>
        </message>
    </context>
    <context>
        <name>core.with_detail</name>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
    </context>
    <context>
        <name>data.a_length</name>
        <message>
            <source>a length</source>
            <translation>一個長度</translation>
        </message>
    </context>
    <context>
        <name>data.also_tried</name>
        <message>
            <source>also tried with .gz and in MNIST/raw</source>
            <translation>也嘗試過 .gz 與 MNIST/raw</translation>
        </message>
    </context>
    <context>
        <name>data.appends_to_no_list</name>
        <message>
            <source>appends to an object that is not a list</source>
            <translation>向非列表的物件追加</translation>
        </message>
    </context>
    <context>
        <name>data.arithmetic_coding</name>
        <message>
            <source>arithmetic coding</source>
            <translation>算術編碼</translation>
        </message>
    </context>
    <context>
        <name>data.array_without_lists</name>
        <message>
            <source>the array does not contain lists</source>
            <translation>陣列中不是列表</translation>
        </message>
    </context>
    <context>
        <name>data.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>至少為 1</translation>
        </message>
    </context>
    <context>
        <name>data.bad_instruction</name>
        <message>
            <source>instruction %1 is not needed for lists of numbers</source>
            <translation>指令 %1 不屬於數字列表</translation>
        </message>
    </context>
    <context>
        <name>data.bad_varint</name>
        <message>
            <source>a number ends early or is too long</source>
            <translation>有數字提前結束或過長</translation>
        </message>
    </context>
    <context>
        <name>data.batch_too_large</name>
        <message>
            <source>%1 exceeds the %2 samples, and incomplete batches are dropped</source>
            <translation>%1 超過 %2 個樣本，而不完整的批次會被捨棄</translation>
        </message>
    </context>
    <context>
        <name>data.batches_continue</name>
        <message>
            <source>its batches are consecutive; a selection of samples is not possible</source>
            <translation>其各批次前後相接，無法從中選取樣本</translation>
        </message>
    </context>
    <context>
        <name>data.became_shorter</name>
        <message>
            <source>the file was shortened while in use</source>
            <translation>檔案在使用中被縮短</translation>
        </message>
    </context>
    <context>
        <name>data.between</name>
        <message>
            <source>must be between %1 and %2</source>
            <translation>須在 %1 與 %2 之間</translation>
        </message>
    </context>
    <context>
        <name>data.binary_means_two</name>
        <message>
            <source>must be 2 for binary labels</source>
            <translation>二元標籤須為 2</translation>
        </message>
    </context>
    <context>
        <name>data.bytes_missing</name>
        <message>
            <source>ends early; %1 more bytes expected</source>
            <translation>提前結束；還應有 %1 位元組</translation>
        </message>
    </context>
    <context>
        <name>data.calls_unnamed</name>
        <message>
            <source>calls an object without a name</source>
            <translation>呼叫了沒有名稱的物件</translation>
        </message>
    </context>
    <context>
        <name>data.classes_differ</name>
        <message>
            <source>its classes differ from those of train</source>
            <translation>其類別與 train 的不同</translation>
        </message>
    </context>
    <context>
        <name>data.compressed_damaged</name>
        <message>
            <source>the compressed data is damaged</source>
            <translation>壓縮資料已損壞</translation>
        </message>
    </context>
    <context>
        <name>data.compressed_ends_early</name>
        <message>
            <source>the compressed data ends early</source>
            <translation>壓縮資料提前結束</translation>
        </message>
    </context>
    <context>
        <name>data.consecutive_batches</name>
        <message>
            <source>%1 requires consecutive batches: not shuffled, batch size %2</source>
            <translation>%1 需要前後相接的批次：不打亂，批次大小 %2</translation>
        </message>
    </context>
    <context>
        <name>data.data_checksum</name>
        <message>
            <source>wrong checksum of a record's data</source>
            <translation>記錄資料的校驗和不正確</translation>
        </message>
    </context>
    <context>
        <name>data.dimension_count</name>
        <message>
            <source>%1 dimensions; expected %2</source>
            <translation>%1 維；應為 %2 維</translation>
        </message>
    </context>
    <context>
        <name>data.dimension_too_small</name>
        <message>
            <source>every dimension must be at least 1</source>
            <translation>每個維度至少為 1</translation>
        </message>
    </context>
    <context>
        <name>data.empty_file</name>
        <message>
            <source>the file is empty</source>
            <translation>檔案為空</translation>
        </message>
    </context>
    <context>
        <name>data.empty_part</name>
        <message>
            <source>%1 of %2 samples leaves one part empty</source>
            <translation>%2 個樣本中取 %1 個會使一部分為空</translation>
        </message>
    </context>
    <context>
        <name>data.empty_stack</name>
        <message>
            <source>takes a value from an empty stack</source>
            <translation>從空堆疊取值</translation>
        </message>
    </context>
    <context>
        <name>data.ends_early</name>
        <message>
            <source>ends early</source>
            <translation>提前結束</translation>
        </message>
    </context>
    <context>
        <name>data.entry_too_large</name>
        <message>
            <source>%1 has more than %2 bytes</source>
            <translation>%1 超過 %2 位元組</translation>
        </message>
    </context>
    <context>
        <name>data.field_outside</name>
        <message>
            <source>a field extends beyond its message</source>
            <translation>有欄位超出其訊息</translation>
        </message>
    </context>
    <context>
        <name>data.file_too_large</name>
        <message>
            <source>%1 bytes exceed the limit of %2 for such a file</source>
            <translation>%1 位元組超過此類檔案的上限 %2</translation>
        </message>
    </context>
    <context>
        <name>data.header_bytes</name>
        <message>
            <source>the header has %1 bytes</source>
            <translation>檔案頭有 %1 位元組</translation>
        </message>
    </context>
    <context>
        <name>data.image_sizes</name>
        <message>
            <source>images of %1 x %2; expected %3 x %4</source>
            <translation>影像為 %1 x %2；應為 %3 x %4</translation>
        </message>
    </context>
    <context>
        <name>data.images_only</name>
        <message>
            <source>requires images [C, H, W], not %1</source>
            <translation>需要影像 [C, H, W]，而非 %1</translation>
        </message>
    </context>
    <context>
        <name>data.in_unit_interval</name>
        <message>
            <source>must be in [0, 1)</source>
            <translation>須在 [0, 1) 之內</translation>
        </message>
    </context>
    <context>
        <name>data.incomplete_record</name>
        <message>
            <source>the last record has %1 of %2 bytes</source>
            <translation>最後一條記錄只有 %2 位元組中的 %1 位元組</translation>
        </message>
    </context>
    <context>
        <name>data.indices_outside</name>
        <message>
            <source>an index is outside the samples of %1</source>
            <translation>有索引超出 %1 的樣本範圍</translation>
        </message>
    </context>
    <context>
        <name>data.input_differs</name>
        <message>
            <source>an input of %1; expected %2</source>
            <translation>輸入為 %1；應為 %2</translation>
        </message>
    </context>
    <context>
        <name>data.int_too_wide</name>
        <message>
            <source>an integer has more than 64 bits</source>
            <translation>有整數超過 64 位</translation>
        </message>
    </context>
    <context>
        <name>data.label_count</name>
        <message>
            <source>%1 labels for the %2 images of %3</source>
            <translation>%3 的 %2 張影像有 %1 個標籤</translation>
        </message>
    </context>
    <context>
        <name>data.label_range</name>
        <message>
            <source>label %1; expected %2 to %3</source>
            <translation>標籤 %1；應為 %2 至 %3</translation>
        </message>
    </context>
    <context>
        <name>data.labels_for_reviews</name>
        <message>
            <source>%1 labels for %2 reviews</source>
            <translation>%2 篇影評有 %1 個標籤</translation>
        </message>
    </context>
    <context>
        <name>data.length_checksum</name>
        <message>
            <source>wrong checksum of a record's length</source>
            <translation>記錄長度的校驗和不正確</translation>
        </message>
    </context>
    <context>
        <name>data.length_out_of_range</name>
        <message>
            <source>out of range</source>
            <translation>超出範圍</translation>
        </message>
    </context>
    <context>
        <name>data.list_count</name>
        <message>
            <source>%1 lists; the header states %2</source>
            <translation>有 %1 個列表；檔案頭宣告為 %2 個</translation>
        </message>
    </context>
    <context>
        <name>data.mark_missing</name>
        <message>
            <source>a mark is missing</source>
            <translation>缺少標記</translation>
        </message>
    </context>
    <context>
        <name>data.must_hold</name>
        <message>
            <source>%1 must hold %2 values, not %3</source>
            <translation>%1 須有 %2 個值，而非 %3 個</translation>
        </message>
    </context>
    <context>
        <name>data.name_not_text</name>
        <message>
            <source>a name is not a string</source>
            <translation>有名稱不是字串</translation>
        </message>
    </context>
    <context>
        <name>data.negative_offset</name>
        <message>
            <source>the offset is negative</source>
            <translation>偏移為負</translation>
        </message>
    </context>
    <context>
        <name>data.negative_rank</name>
        <message>
            <source>a word has rank %1</source>
            <translation>有詞的序號為 %1</translation>
        </message>
    </context>
    <context>
        <name>data.nested_lists</name>
        <message>
            <source>the lists are nested</source>
            <translation>列表巢狀</translation>
        </message>
    </context>
    <context>
        <name>data.no_array</name>
        <message>
            <source>contains no array</source>
            <translation>不含陣列</translation>
        </message>
    </context>
    <context>
        <name>data.no_image_field</name>
        <message>
            <source>a record has neither image/encoded nor image</source>
            <translation>有記錄既無 image/encoded 也無 image</translation>
        </message>
    </context>
    <context>
        <name>data.no_images</name>
        <message>
            <source>contains no images</source>
            <translation>沒有影像</translation>
        </message>
    </context>
    <context>
        <name>data.no_imdb</name>
        <message>
            <source>contains neither aclImdb/train/pos nor imdb.npz</source>
            <translation>既沒有 aclImdb/train/pos，也沒有 imdb.npz</translation>
        </message>
    </context>
    <context>
        <name>data.no_label_field</name>
        <message>
            <source>a record has none of image/class/label, class and label</source>
            <translation>有記錄沒有 image/class/label、class 或 label</translation>
        </message>
    </context>
    <context>
        <name>data.no_records</name>
        <message>
            <source>contains no records</source>
            <translation>沒有記錄</translation>
        </message>
    </context>
    <context>
        <name>data.no_reviews</name>
        <message>
            <source>contains no reviews</source>
            <translation>沒有影評</translation>
        </message>
    </context>
    <context>
        <name>data.no_samples</name>
        <message>
            <source>has no samples</source>
            <translation>沒有樣本</translation>
        </message>
    </context>
    <context>
        <name>data.not_int32</name>
        <message>
            <source>a list contains values other than 32-bit integers</source>
            <translation>有列表含 32 位整數以外的值</translation>
        </message>
    </context>
    <context>
        <name>data.not_lists</name>
        <message>
            <source>values of type %1; expected lists (|O)</source>
            <translation>值的類型為 %1；應為列表（|O）</translation>
        </message>
    </context>
    <context>
        <name>data.not_numpy</name>
        <message>
            <source>not a NumPy array</source>
            <translation>不是 NumPy 陣列</translation>
        </message>
    </context>
    <context>
        <name>data.not_one_dimension</name>
        <message>
            <source>the header does not describe an array of one dimension</source>
            <translation>檔案頭描述的不是一維陣列</translation>
        </message>
    </context>
    <context>
        <name>data.not_utf8</name>
        <message>
            <source>byte %1 is not UTF-8</source>
            <translation>位元組 %1 不是 UTF-8</translation>
        </message>
    </context>
    <context>
        <name>data.not_whole_numbers</name>
        <message>
            <source>values of type %1; expected integers</source>
            <translation>值的類型為 %1；應為整數</translation>
        </message>
    </context>
    <context>
        <name>data.npy_header</name>
        <message>
            <source>the header does not describe an array of plain numbers</source>
            <translation>檔頭描述的不是由一般數值組成的陣列</translation>
        </message>
    </context>
    <context>
        <name>data.npy_type</name>
        <message>
            <source>values of type %1; expected one of %2</source>
            <translation>數值型別為 %1；應為以下之一：%2</translation>
        </message>
    </context>
    <context>
        <name>data.fortran_order</name>
        <message>
            <source>the array is stored column by column; save numpy.ascontiguousarray(array)</source>
            <translation>陣列依欄儲存；請儲存 numpy.ascontiguousarray(array)</translation>
        </message>
    </context>
    <context>
        <name>data.shape_too_large</name>
        <message>
            <source>the header states more values than can be counted</source>
            <translation>檔頭宣告的數值個數多到無法計數</translation>
        </message>
    </context>
    <context>
        <name>compute.stored_twice</name>
        <message>
            <source>holds the same values twice, as %1 and %2; remove one</source>
            <translation>同一組數值存了兩份：%1 和 %2；請刪除其中一份</translation>
        </message>
    </context>
    <context>
        <name>data.npy_version</name>
        <message>
            <source>format version %1; expected 1 to 3</source>
            <translation>格式版本 %1；應為 1 至 3</translation>
        </message>
    </context>
    <context>
        <name>data.nul_character</name>
        <message>
            <source>contains a NUL character; not a text file</source>
            <translation>含有 NUL 字元，不是文字檔</translation>
        </message>
    </context>
    <context>
        <name>data.one_folder_per_class</name>
        <message>
            <source>expected one folder per class</source>
            <translation>應為每個類別一個資料夾</translation>
        </message>
    </context>
    <context>
        <name>data.pickle_protocol</name>
        <message>
            <source>pickle protocol %1</source>
            <translation>pickle 協議 %1</translation>
        </message>
    </context>
    <context>
        <name>data.pixels_in_bytes</name>
        <message>
            <source>%1 x %2 pixels cannot be stored in %3 bytes</source>
            <translation>%3 位元組無法容納 %1 x %2 像素</translation>
        </message>
    </context>
    <context>
        <name>data.positive_sizes</name>
        <message>
            <source>positive sizes</source>
            <translation>正的大小</translation>
        </message>
    </context>
    <context>
        <name>data.python_object</name>
        <message>
            <source>refers to the Python object "%1", which is never created</source>
            <translation>引用了 Python 物件「%1」，本程式從不建立它</translation>
        </message>
    </context>
    <context>
        <name>data.real_data_for</name>
        <message>
            <source>real data is supported for %1</source>
            <translation>支援真實資料的有 %1</translation>
        </message>
    </context>
    <context>
        <name>data.recalls_unknown</name>
        <message>
            <source>reads a value that was not stored</source>
            <translation>讀取未儲存的值</translation>
        </message>
    </context>
    <context>
        <name>data.record_count</name>
        <message>
            <source>%1 records; the published files have 10,000</source>
            <translation>%1 條記錄；公開發布的檔案有 10,000 條</translation>
        </message>
    </context>
    <context>
        <name>data.record_outside</name>
        <message>
            <source>a record of %1 bytes extends beyond the end of the file</source>
            <translation>有 %1 位元組的記錄超出檔案末尾</translation>
        </message>
    </context>
    <context>
        <name>data.remembers_nothing</name>
        <message>
            <source>stores a value from an empty stack</source>
            <translation>從空堆疊儲存值</translation>
        </message>
    </context>
    <context>
        <name>data.repeated_list</name>
        <message>
            <source>a list is repeated too often</source>
            <translation>有列表重複次數過多</translation>
        </message>
    </context>
    <context>
        <name>data.sample_outside</name>
        <message>
            <source>sample %1 is outside the %2 samples of %3</source>
            <translation>樣本 %1 超出 %3 的 %2 個樣本</translation>
        </message>
    </context>
    <context>
        <name>data.several_texts</name>
        <message>
            <source>the folder contains %1 text files; name one of them</source>
            <translation>資料夾中有 %1 個文字檔；請指定其中之一</translation>
        </message>
    </context>
    <context>
        <name>data.size_exceeds</name>
        <message>
            <source>with a size of %1 the values exceed 8 GiB</source>
            <translation>大小為 %1 時，數值超過 8 GiB</translation>
        </message>
    </context>
    <context>
        <name>data.size_text</name>
        <message>
            <source>%1 x %2</source>
            <translation>%1 x %2</translation>
        </message>
    </context>
    <context>
        <name>data.text_too_short</name>
        <message>
            <source>%1 characters do not exceed a window of %2</source>
            <translation>%1 個字元未超過大小為 %2 的視窗</translation>
        </message>
    </context>
    <context>
        <name>data.tfrecord_also_tried</name>
        <message>
            <source>also tried *.tfrec and *-of-*</source>
            <translation>也嘗試過 *.tfrec 與 *-of-*</translation>
        </message>
    </context>
    <context>
        <name>data.too_few_bytes</name>
        <message>
            <source>%1 bytes cannot hold the %2 values that the header states</source>
            <translation>%1 位元組容納不下檔案頭所宣告的 %2 個值</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_objects</name>
        <message>
            <source>contains more objects than an array of reviews can have</source>
            <translation>所含物件多於影評陣列可能有的數目</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_samples</name>
        <message>
            <source>more than 2^32 - 1 samples</source>
            <translation>超過 2^32 - 1 個樣本</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_scans</name>
        <message>
            <source>more than %1 scans</source>
            <translation>超過 %1 次掃描</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_values</name>
        <message>
            <source>more than 2^31 values in a sample</source>
            <translation>一個樣本超過 2^31 個值</translation>
        </message>
    </context>
    <context>
        <name>data.trailing_bytes</name>
        <message>
            <source>the file is longer than its header states</source>
            <translation>檔案比檔案頭所宣告的更長</translation>
        </message>
    </context>
    <context>
        <name>data.trailing_data</name>
        <message>
            <source>data follows the end</source>
            <translation>結尾之後還有資料</translation>
        </message>
    </context>
    <context>
        <name>data.unknown_wire_type</name>
        <message>
            <source>unknown wire type</source>
            <translation>未知的線路類型（wire type）</translation>
        </message>
    </context>
    <context>
        <name>data.up_to_int32</name>
        <message>
            <source>must be between 1 and 2^31 - 1</source>
            <translation>須在 1 與 2^31 - 1 之間</translation>
        </message>
    </context>
    <context>
        <name>data.utf8_incomplete</name>
        <message>
            <source>a UTF-8 sequence is incomplete</source>
            <translation>UTF-8 序列不完整</translation>
        </message>
    </context>
    <context>
        <name>data.utf8_invalid</name>
        <message>
            <source>an overlong, surrogate or too large UTF-8 sequence</source>
            <translation>UTF-8 序列過長、為代理項或超出範圍</translation>
        </message>
    </context>
    <context>
        <name>data.window_too_small</name>
        <message>
            <source>window and step must be at least 1</source>
            <translation>視窗與步長至少為 1</translation>
        </message>
    </context>
    <context>
        <name>data.words_too_few</name>
        <message>
            <source>%1 words are too few for one batch of %2 rows with %3 steps</source>
            <translation>%1 個詞不足以組成一個 %2 行、%3 步的批次</translation>
        </message>
    </context>
    <context>
        <name>data.wrong_magic</name>
        <message>
            <source>wrong magic number %1</source>
            <translation>魔數 %1 不正確</translation>
        </message>
    </context>
    <context>
        <name>data.wrong_value_type</name>
        <message>
            <source>value type %1; expected unsigned bytes (0x08)</source>
            <translation>值類型 %1；應為無符號位元組（0x08）</translation>
        </message>
    </context>
    <context>
        <name>hardware.backend_not_installed</name>
        <message>
            <source>The CUDA backend is not installed</source>
            <translation>未安裝 CUDA 後端</translation>
        </message>
    </context>
    <context>
        <name>hardware.backend_not_loaded</name>
        <message>
            <source>The CUDA backend was not loaded: %1</source>
            <translation>未能載入 CUDA 後端：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.call_returned</name>
        <message>
            <source>%1 returned %2</source>
            <translation>%1 傳回 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.cannot_be_initialised</name>
        <message>
            <source>cannot be initialised</source>
            <translation>無法初始化</translation>
        </message>
    </context>
    <context>
        <name>hardware.cannot_be_opened</name>
        <message>
            <source>cannot be opened</source>
            <translation>無法開啟</translation>
        </message>
    </context>
    <context>
        <name>hardware.capability_too_old</name>
        <message>
            <source>Compute capability %1 is too old; %2 is required</source>
            <translation>運算能力 %1 過低，需要 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.cores_unknown</name>
        <message>
            <source>the system does not distinguish cores from threads</source>
            <translation>系統未區分核心與執行緒</translation>
        </message>
    </context>
    <context>
        <name>hardware.counts_unknown</name>
        <message>
            <source>the numbers of cores and CPUs are unknown</source>
            <translation>核心數與 CPU 數不明</translation>
        </message>
    </context>
    <context>
        <name>hardware.device_not_reported</name>
        <message>
            <source>The NVIDIA driver does not report this GPU</source>
            <translation>NVIDIA 驅動程式未回報此 GPU</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_failed</name>
        <message>
            <source>The NVIDIA driver failed: %1 returned %2</source>
            <translation>NVIDIA 驅動程式發生錯誤：%1 傳回 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_library_missing</name>
        <message>
            <source>The NVIDIA kernel driver is loaded but its library is missing; start the container with GPU access: %1</source>
            <translation>NVIDIA 核心驅動已載入，但缺少其程式庫；啟動容器時請允許存取 GPU：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_not_installed</name>
        <message>
            <source>The NVIDIA driver is not installed: %1</source>
            <translation>未安裝 NVIDIA 驅動程式：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_reports_zero</name>
        <message>
            <source>the driver reports 0</source>
            <translation>驅動程式回報的值為 0</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_too_old</name>
        <message>
            <source>The NVIDIA driver is too old: it supports CUDA %1; %2 is required</source>
            <translation>NVIDIA 驅動程式過舊：支援 CUDA %1，需要 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.energy_preference</name>
        <message>
            <source>The CPU energy preference is "%1"</source>
            <translation>CPU 能源偏好為「%1」</translation>
        </message>
    </context>
    <context>
        <name>hardware.format_version</name>
        <message>
            <source>format version %1</source>
            <translation>格式版本 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.fractional_quota</name>
        <message>
            <source>The CPU quota of %1 is fractional: this wastes time or throttles threads</source>
            <translation>CPU 配額 %1 不是整數：會浪費時間或使執行緒受限</translation>
        </message>
    </context>
    <context>
        <name>hardware.governor_limits</name>
        <message>
            <source>The CPU frequency governor "%1" keeps the clock low</source>
            <translation>CPU 調頻策略「%1」使時脈維持在低檔</translation>
        </message>
    </context>
    <context>
        <name>hardware.gpu_detection_skipped</name>
        <message>
            <source>GPU detection was skipped</source>
            <translation>已略過 GPU 偵測</translation>
        </message>
    </context>
    <context>
        <name>hardware.gpu_hot</name>
        <message>
            <source>%1 is at %2 °C before the start</source>
            <translation>開始前 %1 的溫度為 %2 °C</translation>
        </message>
    </context>
    <context>
        <name>hardware.gpu_in_use</name>
        <message>
            <source>Other programs computing on %1: %2</source>
            <translation>正在 %1 上運算的其他程式：%2 個</translation>
        </message>
    </context>
    <context>
        <name>hardware.hardware_slowdown</name>
        <message>
            <source>hardware slowdown</source>
            <translation>硬體降頻</translation>
        </message>
    </context>
    <context>
        <name>hardware.hardware_thermal_slowdown</name>
        <message>
            <source>hardware thermal slowdown</source>
            <translation>硬體溫控降頻</translation>
        </message>
    </context>
    <context>
        <name>hardware.hidden_by_variable</name>
        <message>
            <source>%1 (CUDA_VISIBLE_DEVICES is "%2")</source>
            <translation>%1（CUDA_VISIBLE_DEVICES 為「%2」）</translation>
        </message>
    </context>
    <context>
        <name>hardware.kernel_driver_in_use</name>
        <message>
            <source>%1 (kernel driver in use: %2)</source>
            <translation>%1（使用中的核心驅動：%2）</translation>
        </message>
    </context>
    <context>
        <name>hardware.kernel_lacks</name>
        <message>
            <source>the kernel does not report %1</source>
            <translation>核心未回報 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.library_unusable</name>
        <message>
            <source>%1 cannot be used</source>
            <translation>無法使用 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.limit_above_memory</name>
        <message>
            <source>the control group's limit exceeds the machine's memory</source>
            <translation>控制群組的限制超過本機記憶體</translation>
        </message>
    </context>
    <context>
        <name>hardware.list_is_fixed</name>
        <message>
            <source>a list cannot be overridden</source>
            <translation>清單無法覆寫</translation>
        </message>
    </context>
    <context>
        <name>hardware.little_memory</name>
        <message>
            <source>Only %1 of %2 memory is free</source>
            <translation>%2 記憶體中僅有 %1 可用</translation>
        </message>
    </context>
    <context>
        <name>hardware.missing_entry_point</name>
        <message>
            <source>an entry point is missing</source>
            <translation>缺少進入點</translation>
        </message>
    </context>
    <context>
        <name>hardware.must_be_positive</name>
        <message>
            <source>must be greater than zero</source>
            <translation>必須大於零</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_compute_capability</name>
        <message>
            <source>The NVIDIA driver does not report the compute capability: %1</source>
            <translation>NVIDIA 驅動程式未回報運算能力：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_control_groups</name>
        <message>
            <source>no control groups are visible</source>
            <translation>看不到控制群組</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_cpu_limit</name>
        <message>
            <source>no control group limits the CPU time</source>
            <translation>沒有控制群組限制 CPU 時間</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_device</name>
        <message>
            <source>The NVIDIA driver reports no device</source>
            <translation>NVIDIA 驅動程式未回報任何裝置</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_driver_loaded</name>
        <message>
            <source>no NVIDIA driver is loaded</source>
            <translation>未載入 NVIDIA 驅動程式</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_gpu_on_bus</name>
        <message>
            <source>No GPU on the PCI bus</source>
            <translation>PCI 匯流排上沒有 GPU</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_kernel_driver</name>
        <message>
            <source>no kernel driver is bound to it</source>
            <translation>未繫結核心驅動</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_known_isa</name>
        <message>
            <source>the kernel lists no known instruction sets</source>
            <translation>核心未列出已知的指令集</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_memory_clock</name>
        <message>
            <source>the driver does not report memory clock or bus width</source>
            <translation>驅動程式未回報顯示記憶體時脈或匯流排寬度</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_memory_limit</name>
        <message>
            <source>no control group limits the memory</source>
            <translation>沒有控制群組限制記憶體</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_os_release</name>
        <message>
            <source>the os-release file is missing</source>
            <translation>缺少 os-release 檔案</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_such_fact</name>
        <message>
            <source>no such property</source>
            <translation>沒有此項目</translation>
        </message>
    </context>
    <context>
        <name>hardware.none_in_topology</name>
        <message>
            <source>none of its CPUs is in the topology</source>
            <translation>其中的 CPU 都不在拓撲中</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_a_value</name>
        <message>
            <source>"%1" is not a valid value</source>
            <translation>「%1」不是有效的值</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_driver</name>
        <message>
            <source>not reported by the driver</source>
            <translation>驅動程式未回報</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_firmware</name>
        <message>
            <source>not reported by the firmware</source>
            <translation>韌體未回報</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_kernel</name>
        <message>
            <source>not reported by the kernel</source>
            <translation>核心未回報</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_processor_or_firmware</name>
        <message>
            <source>not reported by processor or firmware</source>
            <translation>處理器與韌體皆未回報</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_system</name>
        <message>
            <source>not reported by the system</source>
            <translation>系統未回報</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_in_copied_files</name>
        <message>
            <source>not available from copied files</source>
            <translation>無法從複製的檔案得知</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_in_virtual_machine</name>
        <message>
            <source>not reported in a virtual machine</source>
            <translation>虛擬機器中不提供</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_recorded</name>
        <message>
            <source>not recorded</source>
            <translation>未記錄</translation>
        </message>
    </context>
    <context>
        <name>hardware.of_member</name>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.on_battery</name>
        <message>
            <source>The computer runs on battery</source>
            <translation>電腦正在使用電池</translation>
        </message>
    </context>
    <context>
        <name>hardware.on_battery_charged</name>
        <message>
            <source>The computer runs on battery (%1 left)</source>
            <translation>電腦正在使用電池（剩餘 %1）</translation>
        </message>
    </context>
    <context>
        <name>hardware.only_by_driver</name>
        <message>
            <source>reported only by the driver</source>
            <translation>僅由驅動程式回報</translation>
        </message>
    </context>
    <context>
        <name>hardware.other_load</name>
        <message>
            <source>Other programs keep %1 of %2 CPUs busy</source>
            <translation>其他程式佔用了 %2 個 CPU 中的 %1 個</translation>
        </message>
    </context>
    <context>
        <name>hardware.pci_not_visible</name>
        <message>
            <source>The PCI bus is not visible</source>
            <translation>看不到 PCI 匯流排</translation>
        </message>
    </context>
    <context>
        <name>hardware.power_brake</name>
        <message>
            <source>power brake</source>
            <translation>電源煞車</translation>
        </message>
    </context>
    <context>
        <name>hardware.power_cap</name>
        <message>
            <source>power cap</source>
            <translation>功耗上限</translation>
        </message>
    </context>
    <context>
        <name>hardware.power_profile</name>
        <message>
            <source>The power profile of the computer is "%1"</source>
            <translation>電腦的電源設定檔為「%1」</translation>
        </message>
    </context>
    <context>
        <name>hardware.processor_hot</name>
        <message>
            <source>The processor is at %1 °C before the start</source>
            <translation>開始前處理器溫度為 %1 °C</translation>
        </message>
    </context>
    <context>
        <name>hardware.removed_from_report</name>
        <message>
            <source>removed from this report</source>
            <translation>已從此報告移除</translation>
        </message>
    </context>
    <context>
        <name>hardware.software_thermal_slowdown</name>
        <message>
            <source>software thermal slowdown</source>
            <translation>軟體溫控降頻</translation>
        </message>
    </context>
    <context>
        <name>hardware.swap_in_use</name>
        <message>
            <source>%1 is swapped out to disk</source>
            <translation>%1 已置換到磁碟</translation>
        </message>
    </context>
    <context>
        <name>hardware.sync_boost</name>
        <message>
            <source>clocks synchronised with other GPUs</source>
            <translation>與其他 GPU 同步時脈</translation>
        </message>
    </context>
    <context>
        <name>hardware.topology_unreadable</name>
        <message>
            <source>hwloc cannot read the topology</source>
            <translation>hwloc 無法讀取拓撲</translation>
        </message>
    </context>
    <context>
        <name>hardware.unknown_pci_device</name>
        <message>
            <source>PCI device %1 is unknown</source>
            <translation>未知的 PCI 裝置 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.unreadable</name>
        <message>
            <source>cannot be read</source>
            <translation>無法讀取</translation>
        </message>
    </context>
    <context>
        <name>hardware.unsupported_vendor</name>
        <message>
            <source>No backend supports GPUs of this vendor yet</source>
            <translation>目前沒有後端支援此廠商的 GPU</translation>
        </message>
    </context>
    <context>
        <name>history.already_stored</name>
        <message>
            <source>a run with this id is already stored</source>
            <translation>已存有相同識別碼的執行</translation>
        </message>
    </context>
    <context>
        <name>history.ambiguous_campaign</name>
        <message>
            <source>several campaign ids begin with %1</source>
            <translation>有多個測量批次的識別碼以 %1 開頭</translation>
        </message>
    </context>
    <context>
        <name>history.ambiguous_id</name>
        <message>
            <source>several run ids begin with this</source>
            <translation>有多個執行識別碼以此開頭</translation>
        </message>
    </context>
    <context>
        <name>history.bad_origin</name>
        <message>
            <source>"%1" is not a valid origin of a run</source>
            <translation>「%1」不是有效的執行來源</translation>
        </message>
    </context>
    <context>
        <name>history.bad_run_id</name>
        <message>
            <source>"%1" is not a valid run id</source>
            <translation>「%1」不是有效的執行識別碼</translation>
        </message>
    </context>
    <context>
        <name>history.campaign_not_found</name>
        <message>
            <source>campaign %1 was not found</source>
            <translation>找不到測量批次 %1</translation>
        </message>
    </context>
    <context>
        <name>history.cannot_be_read</name>
        <message>
            <source>%1 cannot be read</source>
            <translation>無法讀取 %1</translation>
        </message>
    </context>
    <context>
        <name>history.damaged_samples</name>
        <message>
            <source>the stored samples are damaged: %1</source>
            <translation>儲存的樣本已損毀：%1</translation>
        </message>
    </context>
    <context>
        <name>history.empty_run_id</name>
        <message>
            <source>the run id is empty</source>
            <translation>執行識別碼為空</translation>
        </message>
    </context>
    <context>
        <name>history.file_moved</name>
        <message>
            <source>the file was moved or deleted while in use</source>
            <translation>檔案在使用期間被移動或刪除</translation>
        </message>
    </context>
    <context>
        <name>history.foreign_object</name>
        <message>
            <source>contains a %1 that this program did not create: "%2"</source>
            <translation>含有並非由本程式建立的 %1：「%2」</translation>
        </message>
    </context>
    <context>
        <name>history.frozen_forecast</name>
        <message>
            <source>the stored prediction of candidate %1 cannot be changed</source>
            <translation>候選 %1 已儲存預測，無法變更</translation>
        </message>
    </context>
    <context>
        <name>history.frozen_question</name>
        <message>
            <source>the job of a stored campaign cannot be changed</source>
            <translation>已儲存的測量批次的問題無法變更</translation>
        </message>
    </context>
    <context>
        <name>history.left_out</name>
        <message>
            <source>omitted from exported files</source>
            <translation>匯出的檔案中省略</translation>
        </message>
    </context>
    <context>
        <name>history.no_runs</name>
        <message>
            <source>there are no runs</source>
            <translation>沒有任何執行</translation>
        </message>
    </context>
    <context>
        <name>history.not_a_database</name>
        <message>
            <source>not a database</source>
            <translation>不是資料庫</translation>
        </message>
    </context>
    <context>
        <name>history.not_decompressible</name>
        <message>
            <source>the compressed data cannot be decompressed</source>
            <translation>壓縮資料無法解壓縮</translation>
        </message>
    </context>
    <context>
        <name>history.not_regular</name>
        <message>
            <source>not a regular file</source>
            <translation>不是一般檔案</translation>
        </message>
    </context>
    <context>
        <name>history.other_application</name>
        <message>
            <source>it is the database of another application</source>
            <translation>它是其他應用程式的資料庫</translation>
        </message>
    </context>
    <context>
        <name>history.other_figures</name>
        <message>
            <source>run %1 is already stored with different results, which were kept</source>
            <translation>執行 %1 已以不同的數值儲存，保留原有數值</translation>
        </message>
    </context>
    <context>
        <name>history.read_elsewhere</name>
        <message>
            <source>another process is reading it</source>
            <translation>另一個行程正在讀取它</translation>
        </message>
    </context>
    <context>
        <name>history.read_only</name>
        <message>
            <source>is read-only; changes are not possible</source>
            <translation>為只讀，無法更改</translation>
        </message>
    </context>
    <context>
        <name>history.run_finished</name>
        <message>
            <source>it is finished</source>
            <translation>它已完成</translation>
        </message>
    </context>
    <context>
        <name>history.run_is</name>
        <message>
            <source>run %1: %2</source>
            <translation>執行 %1：%2</translation>
        </message>
    </context>
    <context>
        <name>history.run_not_found</name>
        <message>
            <source>run %1 was not found</source>
            <translation>找不到執行 %1</translation>
        </message>
    </context>
    <context>
        <name>history.run_under_way</name>
        <message>
            <source>run %1 is in progress</source>
            <translation>執行 %1 正在進行</translation>
        </message>
    </context>
    <context>
        <name>history.schema_too_new</name>
        <message>
            <source>schema version %1; this program supports up to %2</source>
            <translation>結構版本 %1；本程式最高支援 %2</translation>
        </message>
    </context>
    <context>
        <name>history.unknown_encoding</name>
        <message>
            <source>unknown encoding</source>
            <translation>未知的編碼</translation>
        </message>
    </context>
    <context>
        <name>history.within_document</name>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
    </context>
    <context>
        <name>history.wrong_checksum</name>
        <message>
            <source>wrong checksum</source>
            <translation>總和檢查碼不符</translation>
        </message>
    </context>
    <context>
        <name>history.wrong_size</name>
        <message>
            <source>wrong size</source>
            <translation>大小不符</translation>
        </message>
    </context>
    <context>
        <name>main</name>
        <message>
            <source>Benchmarks and compares hardware for deep learning</source>
            <translation>評測和比較用於深度學習的硬體</translation>
        </message>
        <message>
            <source>History file.</source>
            <translation>歷史記錄檔案。</translation>
        </message>
        <message>
            <source>Page to open: home, hardware, benchmark, results, history, advice, campaigns, studies, report, settings.</source>
            <translation>起始頁面：home、hardware、benchmark、results、history、advice、campaigns、studies、report、settings。</translation>
        </message>
        <message>
            <source>Language of this session: en, zh_CN or zh_TW.</source>
            <translation>本次會話的語言：en、zh_CN 或 zh_TW。</translation>
        </message>
        <message>
            <source>Write a report (.pdf, .html, .md, .csv, .json) and exit; needs no display.</source>
            <translation>寫出報告（.pdf、.html、.md、.csv、.json）後結束；不需要顯示器。</translation>
        </message>
        <message>
            <source>Write the charts (PNG, SVG, PDF, CSV) and exit; needs no display.</source>
            <translation>寫出圖表（PNG、SVG、PDF、CSV）後結束；不需要顯示器。</translation>
        </message>
        <message>
            <source>Run to export: an id or latest.</source>
            <translation>要匯出的執行：其編號，或 latest。</translation>
        </message>
    </context>
    <context>
        <name>model.array_of_objects</name>
        <message>
            <source>an array of objects</source>
            <translation>物件陣列</translation>
        </message>
    </context>
    <context>
        <name>model.array_of_strings</name>
        <message>
            <source>an array of strings</source>
            <translation>字串陣列</translation>
        </message>
    </context>
    <context>
        <name>model.array_too_large</name>
        <message>
            <source>the result of shape %1 is too large</source>
            <translation>形狀為 %1 的結果過大</translation>
        </message>
    </context>
    <context>
        <name>model.arrays_too_deep</name>
        <message>
            <source>arrays are nested too deeply</source>
            <translation>陣列巢狀過深</translation>
        </message>
    </context>
    <context>
        <name>model.attention_range</name>
        <message>
            <source>window, scale and soft cap must not be negative, and a window requires a causal mask</source>
            <translation>視窗、縮放和軟上限不能為負，且視窗需要因果遮罩</translation>
        </message>
    </context>
    <context>
        <name>model.attributes_rank</name>
        <message>
            <source>the attributes do not match the rank</source>
            <translation>屬性與秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.axis_out_of_range</name>
        <message>
            <source>the axis is out of range</source>
            <translation>軸超出範圍</translation>
        </message>
    </context>
    <context>
        <name>model.bad_name</name>
        <message>
            <source>"%1" is not a valid name; up to 64 letters, digits and _ - . are allowed</source>
            <translation>「%1」不是有效的名稱；可用至多 64 個字母、數字及 _ - .</translation>
        </message>
    </context>
    <context>
        <name>model.batch_dimensions_differ</name>
        <message>
            <source>the batch dimensions differ</source>
            <translation>批次維度不同</translation>
        </message>
    </context>
    <context>
        <name>model.batch_norm_input</name>
        <message>
            <source>expects [F] or [C, H, W], not %1</source>
            <translation>需要 [F] 或 [C, H, W]，而非 %1</translation>
        </message>
    </context>
    <context>
        <name>model.bias_does_not_match</name>
        <message>
            <source>the bias does not match the channels</source>
            <translation>偏置與通道數不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.cannot_broadcast</name>
        <message>
            <source>%1 and %2 cannot be broadcast</source>
            <translation>%1 與 %2 無法廣播</translation>
        </message>
    </context>
    <context>
        <name>model.cannot_freeze</name>
        <message>
            <source>only dense layers, embeddings and RMS norms can be frozen</source>
            <translation>只有全連接層、嵌入層和 RMS 正規化可以凍結</translation>
        </message>
    </context>
    <context>
        <name>model.convolution_operands</name>
        <message>
            <source>takes [B, C, ...] and a weight of the same rank</source>
            <translation>需要 [B, C, ...] 與秩相同的權重</translation>
        </message>
    </context>
    <context>
        <name>model.cuts_too_much</name>
        <message>
            <source>removes more elements than the input has</source>
            <translation>裁去的元素多於輸入</translation>
        </message>
    </context>
    <context>
        <name>model.decoder_figure</name>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
    </context>
    <context>
        <name>model.dense_input</name>
        <message>
            <source>expects [F] or [T, F]; flatten %1 first</source>
            <translation>需要 [F] 或 [T, F]；請先展平 %1</translation>
        </message>
    </context>
    <context>
        <name>model.differs_between_layers</name>
        <message>
            <source>differs between layers, which is not supported</source>
            <translation>各層不同，不支援</translation>
        </message>
    </context>
    <context>
        <name>model.does_not_divide</name>
        <message>
            <source>is %1, which does not divide the %2 heads</source>
            <translation>為 %1，無法整除 %2 個注意力頭</translation>
        </message>
    </context>
    <context>
        <name>model.element_count</name>
        <message>
            <source>"%1" has %2 elements; it takes %3 to %4</source>
            <translation>「%1」有 %2 個元素；應有 %3 至 %4 個</translation>
        </message>
    </context>
    <context>
        <name>model.embedding_too_small</name>
        <message>
            <source>vocabulary and units must be at least 1</source>
            <translation>詞表與 units 至少為 1</translation>
        </message>
    </context>
    <context>
        <name>model.empty_result</name>
        <message>
            <source>the result is empty</source>
            <translation>結果為空</translation>
        </message>
    </context>
    <context>
        <name>model.ends_early</name>
        <message>
            <source>the file is shorter than its header says</source>
            <translation>檔案比其標頭所述的短</translation>
        </message>
    </context>
    <context>
        <name>model.expected_object</name>
        <message>
            <source>must be an object, not %1</source>
            <translation>須為物件，而非%1</translation>
        </message>
    </context>
    <context>
        <name>model.expects_rank</name>
        <message>
            <source>expects an input of %1 dimensions, not %2</source>
            <translation>需要 %1 維的輸入，而非 %2</translation>
        </message>
    </context>
    <context>
        <name>model.extent_too_small</name>
        <message>
            <source>every dimension must be at least 1</source>
            <translation>每個維度至少為 1</translation>
        </message>
    </context>
    <context>
        <name>model.file_changed</name>
        <message>
            <source>the file has changed: its content is #%1, not #%2</source>
            <translation>檔案已更改：其內容為 #%1，而非 #%2</translation>
        </message>
    </context>
    <context>
        <name>model.first_layer</name>
        <message>
            <source>the first layer must be an input</source>
            <translation>第一層須為輸入層</translation>
        </message>
    </context>
    <context>
        <name>model.gate_function</name>
        <message>
            <source>%1 cannot be a gate; use sigmoid, gelu, gelu_tanh or swish</source>
            <translation>%1 不能用作門控；請使用 sigmoid、gelu、gelu_tanh 或 swish</translation>
        </message>
    </context>
    <context>
        <name>model.gguf_version</name>
        <message>
            <source>GGUF version %1; versions 2 and 3 (little-endian) are supported</source>
            <translation>GGUF 版本 %1；僅支援版本 2 與 3（小端序）</translation>
        </message>
    </context>
    <context>
        <name>model.gguf_without_data</name>
        <message>
            <source>the file contains a header without weights</source>
            <translation>檔案只有標頭，沒有權重</translation>
        </message>
    </context>
    <context>
        <name>model.groups_do_not_divide</name>
        <message>
            <source>%1 filters in %2 groups do not divide %3 channels evenly</source>
            <translation>%1 個濾波器分為 %2 組，無法整除 %3 個通道</translation>
        </message>
    </context>
    <context>
        <name>model.groups_of_features</name>
        <message>
            <source>%1 features do not split into groups of %2</source>
            <translation>%1 個特徵無法分成每組 %2 個</translation>
        </message>
    </context>
    <context>
        <name>model.has_no_input</name>
        <message>
            <source>has no input</source>
            <translation>沒有輸入</translation>
        </message>
    </context>
    <context>
        <name>model.head_groups</name>
        <message>
            <source>%1 features do not split into %2 heads that share %3 keys and values</source>
            <translation>%1 個特徵無法分成 %2 個注意力頭並共用 %3 組鍵和值</translation>
        </message>
    </context>
    <context>
        <name>model.header_too_long</name>
        <message>
            <source>the header is longer than 1 GiB</source>
            <translation>標頭超過 1 GiB</translation>
        </message>
    </context>
    <context>
        <name>model.heads_do_not_divide</name>
        <message>
            <source>%1 features do not split into Q, K and V of %2 heads</source>
            <translation>%1 個特徵無法分成 %2 個頭的 Q、K、V</translation>
        </message>
    </context>
    <context>
        <name>model.indices_beyond_data</name>
        <message>
            <source>the indices exceed the data</source>
            <translation>索引超出資料範圍</translation>
        </message>
    </context>
    <context>
        <name>model.indices_beyond_shape</name>
        <message>
            <source>indices of shape %1 exceed data of shape %2</source>
            <translation>形狀為 %1 的索引超出形狀為 %2 的資料</translation>
        </message>
    </context>
    <context>
        <name>model.indices_do_not_match</name>
        <message>
            <source>the indices do not match the data</source>
            <translation>索引與資料不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.indices_do_not_select</name>
        <message>
            <source>indices of shape %1 do not fit data of shape %2</source>
            <translation>形狀為 %1 的索引不適用於形狀為 %2 的資料</translation>
        </message>
    </context>
    <context>
        <name>model.input_type</name>
        <message>
            <source>an input must be of type float32, or of type int32 with one dimension and a vocabulary</source>
            <translation>輸入須為 float32 類型，或帶詞表的一維 int32 類型</translation>
        </message>
    </context>
    <context>
        <name>model.integers_have_no_loss</name>
        <message>
            <source>the first output is of integer type; there is no loss to train with</source>
            <translation>第一個輸出是整數，沒有可用於訓練的損失函數</translation>
        </message>
    </context>
    <context>
        <name>model.irregular_layers</name>
        <message>
            <source>full and sliding attention do not alternate regularly</source>
            <translation>全域注意力與滑動視窗注意力並未規律地交替</translation>
        </message>
    </context>
    <context>
        <name>model.kernel_differs</name>
        <message>
            <source>the kernel does not match the weight</source>
            <translation>核與權重不符</translation>
        </message>
    </context>
    <context>
        <name>model.kernel_too_large</name>
        <message>
            <source>the kernel of %1 is larger than the padded input of %2</source>
            <translation>大小為 %1 的核大於填充後大小為 %2 的輸入</translation>
        </message>
    </context>
    <context>
        <name>model.kernel_too_small</name>
        <message>
            <source>kernel and stride must be at least 1</source>
            <translation>核與步幅至少為 1</translation>
        </message>
    </context>
    <context>
        <name>model.kind_missing</name>
        <message>
            <source>"kind" is missing</source>
            <translation>缺少「kind」</translation>
        </message>
    </context>
    <context>
        <name>model.language_has_no_graph</name>
        <message>
            <source>language models are not supported here; use them with run, predict, advise and show</source>
            <translation>語言模型在此沒有由層組成的網路；可用於 run、predict、advise 和 show</translation>
        </message>
    </context>
    <context>
        <name>model.matrices_do_not_match</name>
        <message>
            <source>%1 and %2 do not match</source>
            <translation>%1 與 %2 不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.member_missing</name>
        <message>
            <source>"%1" is missing</source>
            <translation>缺少「%1」</translation>
        </message>
    </context>
    <context>
        <name>model.member_must_be</name>
        <message>
            <source>"%1" must be %2, not %3</source>
            <translation>「%1」須為%2，而非%3</translation>
        </message>
    </context>
    <context>
        <name>model.member_range</name>
        <message>
            <source>"%1" must be between %2 and %3</source>
            <translation>「%1」須在 %2 與 %3 之間</translation>
        </message>
    </context>
    <context>
        <name>model.name_taken</name>
        <message>
            <source>"%1" is the name of another layer</source>
            <translation>「%1」是另一層的名稱</translation>
        </message>
    </context>
    <context>
        <name>model.name_this_layer</name>
        <message>
            <source>name this layer; the default name "%1" is taken</source>
            <translation>請為此層命名；預設名稱「%1」已被佔用</translation>
        </message>
    </context>
    <context>
        <name>model.named_twice</name>
        <message>
            <source>the name "%1" occurs twice</source>
            <translation>名稱「%1」出現兩次</translation>
        </message>
    </context>
    <context>
        <name>model.needs_shape</name>
        <message>
            <source>requires a shape</source>
            <translation>需要給出形狀</translation>
        </message>
    </context>
    <context>
        <name>model.needs_token_ids</name>
        <message>
            <source>its input must be token ids</source>
            <translation>其輸入須為詞元編號</translation>
        </message>
    </context>
    <context>
        <name>model.negative_padding</name>
        <message>
            <source>negative padding</source>
            <translation>負的填充</translation>
        </message>
    </context>
    <context>
        <name>model.network_name</name>
        <message>
            <source>"name" takes up to 64 letters, digits and _ - .</source>
            <translation>「name」可用至多 64 個字母、數字及 _ - .</translation>
        </message>
    </context>
    <context>
        <name>model.no_gradient</name>
        <message>
            <source>no gradient is known for this operation (%1); measure inference instead</source>
            <translation>此運算（%1）沒有已知的梯度；請改為測量推論</translation>
        </message>
    </context>
    <context>
        <name>model.no_layer_above</name>
        <message>
            <source>no earlier layer is named "%1"</source>
            <translation>之前沒有名為「%1」的層</translation>
        </message>
    </context>
    <context>
        <name>model.no_options</name>
        <message>
            <source>it has no options</source>
            <translation>它沒有選項</translation>
        </message>
    </context>
    <context>
        <name>model.no_output</name>
        <message>
            <source>the network has no output</source>
            <translation>網路沒有輸出</translation>
        </message>
    </context>
    <context>
        <name>model.no_scalars</name>
        <message>
            <source>does not take scalars</source>
            <translation>不接受純量</translation>
        </message>
    </context>
    <context>
        <name>model.no_token_ids</name>
        <message>
            <source>does not take token ids</source>
            <translation>不接受詞元編號</translation>
        </message>
    </context>
    <context>
        <name>model.no_trainable_weights</name>
        <message>
            <source>the first output depends on no trainable weights</source>
            <translation>第一個輸出不依賴任何可訓練的權重</translation>
        </message>
    </context>
    <context>
        <name>model.no_training_of</name>
        <message>
            <source>training this model is not supported: %1</source>
            <translation>不支援訓練此模型：%1</translation>
        </message>
    </context>
    <context>
        <name>model.norm_input</name>
        <message>
            <source>expects [C, H, W] or [T, F], not %1</source>
            <translation>需要 [C, H, W] 或 [T, F]，而非 %1</translation>
        </message>
    </context>
    <context>
        <name>model.not_an_option</name>
        <message>
            <source>"%1" is not of the form option=value</source>
            <translation>「%1」不是 option=value 的形式</translation>
        </message>
    </context>
    <context>
        <name>model.not_between</name>
        <message>
            <source>is %1; it must be between %2 and %3</source>
            <translation>為 %1；必須在 %2 與 %3 之間</translation>
        </message>
    </context>
    <context>
        <name>model.not_drawn</name>
        <message>
            <source>random weights of the family %1 are not supported in the format %2</source>
            <translation>無法以格式 %2 抽取系列 %1 的權重</translation>
        </message>
    </context>
    <context>
        <name>model.not_gguf</name>
        <message>
            <source>not a GGUF file</source>
            <translation>不是 GGUF 檔案</translation>
        </message>
    </context>
    <context>
        <name>model.not_one_per_layer</name>
        <message>
            <source>must be a list of %1 entries, one per layer</source>
            <translation>必須是 %1 項的清單，每層一項</translation>
        </message>
    </context>
    <context>
        <name>model.nothing_to_repeat</name>
        <message>
            <source>an empty input cannot be repeated</source>
            <translation>空輸入無法重複</translation>
        </message>
    </context>
    <context>
        <name>model.number_count</name>
        <message>
            <source>"%1" has %2 numbers; it takes %3</source>
            <translation>「%1」有 %2 個數；應有 %3 個</translation>
        </message>
    </context>
    <context>
        <name>model.of_layer</name>
        <message>
            <source>layer "%1" of %2: %3</source>
            <translation>%2 的層「%1」：%3</translation>
        </message>
    </context>
    <context>
        <name>model.of_workload</name>
        <message>
            <source>workload "%1": %2</source>
            <translation>工作負載「%1」：%2</translation>
        </message>
    </context>
    <context>
        <name>model.one_of</name>
        <message>
            <source>one of %1</source>
            <translation>以下之一：%1</translation>
        </message>
    </context>
    <context>
        <name>model.only_every_layer_experts</name>
        <message>
            <source>is only supported with experts in every layer</source>
            <translation>僅支援每一層都有專家的模型</translation>
        </message>
    </context>
    <context>
        <name>model.operand_count</name>
        <message>
            <source>takes %1 to %2 operands, not %3</source>
            <translation>需要 %1 至 %2 個運算元，而非 %3 個</translation>
        </message>
    </context>
    <context>
        <name>model.operand_does_not_fit</name>
        <message>
            <source>an operand has the wrong shape</source>
            <translation>有運算元的形狀不對</translation>
        </message>
    </context>
    <context>
        <name>model.optimizer_member</name>
        <message>
            <source>the optimizer %1 has no "%2"</source>
            <translation>最佳化器 %1 沒有「%2」</translation>
        </message>
    </context>
    <context>
        <name>model.option_given_twice</name>
        <message>
            <source>the option "%1" is given twice</source>
            <translation>選項「%1」被給出兩次</translation>
        </message>
    </context>
    <context>
        <name>model.part_experts</name>
        <message>
            <source>there is no layer for a mixture of experts</source>
            <translation>沒有用於混合專家的層</translation>
        </message>
    </context>
    <context>
        <name>model.part_family</name>
        <message>
            <source>the order of layers of the family %1 is unknown</source>
            <translation>%1 系列的層順序未知</translation>
        </message>
    </context>
    <context>
        <name>model.part_frozen_norm</name>
        <message>
            <source>layer norms cannot be frozen</source>
            <translation>層正規化無法凍結</translation>
        </message>
    </context>
    <context>
        <name>model.part_fused_adapters</name>
        <message>
            <source>adapters beside fused matrices are not supported</source>
            <translation>不支援為融合矩陣加入配接器</translation>
        </message>
    </context>
    <context>
        <name>model.part_latent_attention</name>
        <message>
            <source>there is no layer for latent attention</source>
            <translation>沒有用於潛在注意力的層</translation>
        </message>
    </context>
    <context>
        <name>model.part_rotary</name>
        <message>
            <source>there is no layer for a rotary embedding scaled by %1</source>
            <translation>沒有用於以 %1 縮放的旋轉位置編碼的層</translation>
        </message>
    </context>
    <context>
        <name>model.part_sinks</name>
        <message>
            <source>there is no layer for attention sinks</source>
            <translation>沒有用於注意力匯點的層</translation>
        </message>
    </context>
    <context>
        <name>model.positions_exceeded</name>
        <message>
            <source>tokens %1 to %2 exceed the %3 positions</source>
            <translation>第 %1 至 %2 個詞元超出 %3 個位置</translation>
        </message>
    </context>
    <context>
        <name>model.queries_keys_values</name>
        <message>
            <source>takes three inputs: queries, keys and values</source>
            <translation>需要三個輸入：查詢、鍵和值</translation>
        </message>
    </context>
    <context>
        <name>model.range_in_steps</name>
        <message>
            <source>%1 to %2 in steps of %3</source>
            <translation>%1 至 %2，步長為 %3</translation>
        </message>
    </context>
    <context>
        <name>model.range_of_numbers</name>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
    </context>
    <context>
        <name>model.ranks_differ</name>
        <message>
            <source>data and indices differ in rank</source>
            <translation>資料與索引的秩不同</translation>
        </message>
    </context>
    <context>
        <name>model.rate_range</name>
        <message>
            <source>the rate must be in [0, 1)</source>
            <translation>比率須在 [0, 1) 之內</translation>
        </message>
    </context>
    <context>
        <name>model.reads_beyond_input</name>
        <message>
            <source>reads beyond its input</source>
            <translation>讀取超出輸入範圍</translation>
        </message>
    </context>
    <context>
        <name>model.recurrent_weights</name>
        <message>
            <source>weights of %1 and %2 do not fit %3 units over %4 features</source>
            <translation>形狀為 %1 與 %2 的權重不適用於 %3 個單元、%4 個特徵</translation>
        </message>
    </context>
    <context>
        <name>model.reflects_too_much</name>
        <message>
            <source>reflects more elements than the input has</source>
            <translation>映像填充超過輸入的元素數</translation>
        </message>
    </context>
    <context>
        <name>model.result_too_large</name>
        <message>
            <source>the result is too large</source>
            <translation>結果過大</translation>
        </message>
    </context>
    <context>
        <name>model.rotary_range</name>
        <message>
            <source>theta and factor must be positive, and the original context must not be negative</source>
            <translation>theta 和 factor 必須為正，原始上下文長度不能為負</translation>
        </message>
    </context>
    <context>
        <name>model.rotated_features</name>
        <message>
            <source>%1 of the %2 features of a head cannot be rotated in pairs</source>
            <translation>一個注意力頭的 %2 個特徵中，%1 個無法成對旋轉</translation>
        </message>
    </context>
    <context>
        <name>model.scalar_input</name>
        <message>
            <source>the input is a scalar</source>
            <translation>輸入是純量</translation>
        </message>
    </context>
    <context>
        <name>model.scale_channels</name>
        <message>
            <source>scale and offset do not match the channels</source>
            <translation>縮放與偏移同通道數不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.scale_does_not_match</name>
        <message>
            <source>scale and offset do not match the input</source>
            <translation>縮放與偏移同輸入不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.scale_range</name>
        <message>
            <source>the factor must be finite, and the cap must not be negative</source>
            <translation>係數必須是有限值，上限不能為負</translation>
        </message>
    </context>
    <context>
        <name>model.scatter_mismatch</name>
        <message>
            <source>data, indices and updates do not match</source>
            <translation>資料、索引與更新值不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.shape_of_parameter</name>
        <message>
            <source>takes its shape from its parameter</source>
            <translation>其形狀取自參數</translation>
        </message>
    </context>
    <context>
        <name>model.shapes_differ</name>
        <message>
            <source>shapes %1 and %2 differ</source>
            <translation>形狀 %1 與 %2 不同</translation>
        </message>
    </context>
    <context>
        <name>model.shapes_do_not_match</name>
        <message>
            <source>%1 does not match %2</source>
            <translation>%1 與 %2 不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.size_per_dimension</name>
        <message>
            <source>needs a size for each dimension</source>
            <translation>每一維需要一個大小</translation>
        </message>
    </context>
    <context>
        <name>model.step_out_of_range</name>
        <message>
            <source>step %1 is out of range for %2 steps</source>
            <translation>步 %1 超出 %2 步的範圍</translation>
        </message>
    </context>
    <context>
        <name>model.strides_do_not_match</name>
        <message>
            <source>extents and strides do not match the result</source>
            <translation>各維長度與跨度同結果不符</translation>
        </message>
    </context>
    <context>
        <name>model.table_too_small</name>
        <message>
            <source>has %1 rows for a vocabulary of %2</source>
            <translation>有 %1 行，而詞表大小為 %2</translation>
        </message>
    </context>
    <context>
        <name>model.takes_channels</name>
        <message>
            <source>takes [B, C, ...]</source>
            <translation>需要 [B, C, ...]</translation>
        </message>
    </context>
    <context>
        <name>model.takes_no_input</name>
        <message>
            <source>takes no input</source>
            <translation>不接受輸入</translation>
        </message>
    </context>
    <context>
        <name>model.takes_one_input</name>
        <message>
            <source>takes one input</source>
            <translation>只接受一個輸入</translation>
        </message>
    </context>
    <context>
        <name>model.takes_sequence</name>
        <message>
            <source>takes [T, B, F]</source>
            <translation>需要 [T, B, F]</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_beyond_file</name>
        <message>
            <source>tensor "%1" extends beyond the end of the file</source>
            <translation>張量「%1」超出檔案結尾</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_dimensions</name>
        <message>
            <source>a tensor with %1 dimensions</source>
            <translation>有 %1 個維度的張量</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_format</name>
        <message>
            <source>tensor &quot;%1&quot; has the unsupported format %2; supported: %3</source>
            <translation>張量「%1」以 %2 格式儲存，無法用於計算；支援：%3</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_missing</name>
        <message>
            <source>tensor &quot;%1&quot; is missing</source>
            <translation>缺少張量「%1」</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_not_aligned</name>
        <message>
            <source>tensor "%1" is not aligned</source>
            <translation>張量「%1」未對齊</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_shape</name>
        <message>
            <source>tensor &quot;%1&quot; is %2; the header requires %3</source>
            <translation>張量「%1」的形狀是 %2；標頭要求 %3</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_size</name>
        <message>
            <source>tensor "%1" has an impossible size: %2</source>
            <translation>張量「%1」的大小不可能：%2</translation>
        </message>
    </context>
    <context>
        <name>model.text_too_long</name>
        <message>
            <source>a string of %1 bytes</source>
            <translation>長度為 %1 位元組的文字</translation>
        </message>
    </context>
    <context>
        <name>model.tied_dense</name>
        <message>
            <source>a tied dense layer requires an embedding of the same width with dense updates</source>
            <translation>共享權重的全連接層需要寬度相同、整表更新的嵌入層</translation>
        </message>
    </context>
    <context>
        <name>model.tied_one_input</name>
        <message>
            <source>a tied layer takes one input and no "bias"</source>
            <translation>共享權重的層只有一個輸入，且沒有「bias」</translation>
        </message>
    </context>
    <context>
        <name>model.title_of_decode</name>
        <message>
            <source>%1 decode (%2, context %3)</source>
            <translation>%1 解碼（%2，上下文 %3）</translation>
        </message>
    </context>
    <context>
        <name>model.title_of_generate</name>
        <message>
            <source>%1 generate (%2, prompt %3, %4 tokens)</source>
            <translation>%1 產生（%2，提示 %3，%4 個詞元）</translation>
        </message>
    </context>
    <context>
        <name>model.title_of_prefill</name>
        <message>
            <source>%1 prefill (%2, prompt %3)</source>
            <translation>%1 預填充（%2，提示 %3）</translation>
        </message>
    </context>
    <context>
        <name>model.too_many</name>
        <message>
            <source>%1 entries; at most %2 are supported</source>
            <translation>%1 項；最多支援 %2 項</translation>
        </message>
    </context>
    <context>
        <name>model.two_dimensions</name>
        <message>
            <source>takes two dimensions or more</source>
            <translation>至少需要兩維</translation>
        </message>
    </context>
    <context>
        <name>model.two_inputs</name>
        <message>
            <source>requires at least two inputs</source>
            <translation>至少需要兩個輸入</translation>
        </message>
    </context>
    <context>
        <name>model.two_matrices</name>
        <message>
            <source>takes two matrices</source>
            <translation>需要兩個矩陣</translation>
        </message>
    </context>
    <context>
        <name>model.two_widths</name>
        <message>
            <source>needs two widths for each dimension</source>
            <translation>每一維需要兩個寬度</translation>
        </message>
    </context>
    <context>
        <name>model.unbalanced_parentheses</name>
        <message>
            <source>the parentheses do not match</source>
            <translation>括號不成對</translation>
        </message>
    </context>
    <context>
        <name>model.uneven_pad</name>
        <message>
            <source>%1 channels cannot be padded evenly to %2</source>
            <translation>無法將 %1 個通道均勻填充到 %2 個</translation>
        </message>
    </context>
    <context>
        <name>model.units_or_tied</name>
        <message>
            <source>a dense layer takes either "units" or "tied_to"</source>
            <translation>全連接層只能有「units」或「tied_to」之一</translation>
        </message>
    </context>
    <context>
        <name>model.units_too_small</name>
        <message>
            <source>units must be at least 1</source>
            <translation>units 至少為 1</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_architecture</name>
        <message>
            <source>unknown model architecture "%1"; known: %2</source>
            <translation>未知的模型架構「%1」；已知的有：%2</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_input</name>
        <message>
            <source>a layer refers to an unknown input</source>
            <translation>有層引用了未知的輸入</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_kind</name>
        <message>
            <source>unknown kind of layer "%1"; did you mean "%2"?</source>
            <translation>未知的層類型「%1」；是否想用「%2」？</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_member</name>
        <message>
            <source>unknown member "%1"; did you mean "%2"?</source>
            <translation>未知的成員「%1」；是否想用「%2」？</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_model</name>
        <message>
            <source>unknown language model "%1"; did you mean %2?</source>
            <translation>未知的語言模型「%1」；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_option</name>
        <message>
            <source>unknown option "%1"; known: %2</source>
            <translation>未知的選項「%1」；已知：%2</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_output</name>
        <message>
            <source>an output refers to an unknown layer</source>
            <translation>有輸出引用了未知的層</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_tensor_type</name>
        <message>
            <source>tensor "%1" has the unknown type %2</source>
            <translation>張量「%1」的類型 %2 未知</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_value_kind</name>
        <message>
            <source>unknown value type %1</source>
            <translation>未知的值類型 %1</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_weights</name>
        <message>
            <source>unknown weight format "%1"; known: %2</source>
            <translation>未知的權重格式「%1」；已知的有：%2</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_workload</name>
        <message>
            <source>unknown workload "%1"; did you mean %2?</source>
            <translation>未知的工作負載「%1」；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>model.updates_shape</name>
        <message>
            <source>the updates are of shape %1, not %2</source>
            <translation>更新值的形狀為 %1，而非 %2</translation>
        </message>
    </context>
    <context>
        <name>model.weight_does_not_fit</name>
        <message>
            <source>a weight of %1 in %2 groups does not fit %3</source>
            <translation>形狀為 %1、分為 %2 組的權重不適用於 %3</translation>
        </message>
    </context>
    <context>
        <name>model.weights_too_large</name>
        <message>
            <source>the weights are too large</source>
            <translation>權重過大</translation>
        </message>
    </context>
    <context>
        <name>model.window_too_small</name>
        <message>
            <source>kernel, stride and dilation must be at least 1</source>
            <translation>卷積核、步幅與膨脹至少為 1</translation>
        </message>
    </context>
    <context>
        <name>model.wrong_alignment</name>
        <message>
            <source>general.alignment must be a power of two</source>
            <translation>general.alignment 必須是 2 的次方</translation>
        </message>
    </context>
    <context>
        <name>model.wrong_option_value</name>
        <message>
            <source>%1 takes %2, not "%3"</source>
            <translation>%1 取 %2，而非「%3」</translation>
        </message>
    </context>
    <context>
        <name>model.wrong_output</name>
        <message>
            <source>an output must be [V] or [T, V] with softmax, or [1] with sigmoid; %1 is %2</source>
            <translation>輸出須為 [V] 或 [T, V]（softmax），或 [1]（sigmoid）；%1 為 %2</translation>
        </message>
    </context>
    <context>
        <name>onnx.a_matrix</name>
        <message>
            <source>takes a matrix</source>
            <translation>需要一個矩陣</translation>
        </message>
    </context>
    <context>
        <name>onnx.activation</name>
        <message>
            <source>activation "%1"</source>
            <translation>活化函數「%1」</translation>
        </message>
    </context>
    <context>
        <name>onnx.activation_parameters</name>
        <message>
            <source>activation with parameters</source>
            <translation>帶參數的活化函數</translation>
        </message>
    </context>
    <context>
        <name>onnx.antialiasing</name>
        <message>
            <source>antialiasing</source>
            <translation>抗鋸齒</translation>
        </message>
    </context>
    <context>
        <name>onnx.at_node</name>
        <message>
            <source>node "%1" (%2): %3</source>
            <translation>節點「%1」（%2）：%3</translation>
        </message>
    </context>
    <context>
        <name>onnx.attribute_too_long</name>
        <message>
            <source>an attribute is too long</source>
            <translation>有屬性過長</translation>
        </message>
    </context>
    <context>
        <name>onnx.attributes_rank</name>
        <message>
            <source>the attributes do not match the rank</source>
            <translation>屬性與秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.axes_missing</name>
        <message>
            <source>the axes are missing</source>
            <translation>缺少軸</translation>
        </message>
    </context>
    <context>
        <name>onnx.axis_twice</name>
        <message>
            <source>an axis is given twice</source>
            <translation>同一個軸給出了兩次</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_depth</name>
        <message>
            <source>the depth is out of range</source>
            <translation>depth 超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_hidden_size</name>
        <message>
            <source>hidden_size is out of range</source>
            <translation>hidden_size 超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_pads</name>
        <message>
            <source>the pads are out of range</source>
            <translation>填充寬度超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_range</name>
        <message>
            <source>the range is not valid</source>
            <translation>範圍無效</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_repeats</name>
        <message>
            <source>the repeats are out of range</source>
            <translation>重複次數超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_result</name>
        <message>
            <source>the result has no valid size</source>
            <translation>結果的大小無效</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_shape</name>
        <message>
            <source>the shape is not valid</source>
            <translation>形狀無效</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_size</name>
        <message>
            <source>the size is out of range</source>
            <translation>大小超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_step</name>
        <message>
            <source>a step is out of range</source>
            <translation>步長超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.batch_given_twice</name>
        <message>
            <source>the first dimension is given as %1, but the batch size as %2</source>
            <translation>第一維給定為 %1，而批次大小給定為 %2</translation>
        </message>
    </context>
    <context>
        <name>onnx.bound_not_scalar</name>
        <message>
            <source>a bound is not a scalar</source>
            <translation>邊界不是純量</translation>
        </message>
    </context>
    <context>
        <name>onnx.bounds_do_not_match</name>
        <message>
            <source>starts, ends, axes and steps differ in length</source>
            <translation>starts、ends、axes 與 steps 的長度不同</translation>
        </message>
    </context>
    <context>
        <name>onnx.bounds_missing</name>
        <message>
            <source>the bounds are missing</source>
            <translation>缺少邊界</translation>
        </message>
    </context>
    <context>
        <name>onnx.branch_missing</name>
        <message>
            <source>the branch is missing</source>
            <translation>缺少分支</translation>
        </message>
    </context>
    <context>
        <name>onnx.branch_without_value</name>
        <message>
            <source>the branch has no value "%1"</source>
            <translation>分支中沒有值「%1」</translation>
        </message>
    </context>
    <context>
        <name>onnx.byte_count</name>
        <message>
            <source>"%1" has %2 bytes of data; its dimensions require %3</source>
            <translation>「%1」有 %2 位元組資料，而其維度需要 %3 位元組</translation>
        </message>
    </context>
    <context>
        <name>onnx.cannot_be_written</name>
        <message>
            <source>the file cannot be written</source>
            <translation>無法寫入檔案</translation>
        </message>
    </context>
    <context>
        <name>onnx.cannot_reshape</name>
        <message>
            <source>shape %1 cannot be reshaped to %2</source>
            <translation>形狀 %1 無法變形為 %2</translation>
        </message>
    </context>
    <context>
        <name>onnx.cast_to</name>
        <message>
            <source>cast to %1</source>
            <translation>轉換為 %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.channel_blocks</name>
        <message>
            <source>the channels do not divide into blocks</source>
            <translation>通道數不能按塊整除</translation>
        </message>
    </context>
    <context>
        <name>onnx.channel_groups</name>
        <message>
            <source>the channels do not divide into groups</source>
            <translation>通道數不能被分組數整除</translation>
        </message>
    </context>
    <context>
        <name>onnx.condition_not_constant</name>
        <message>
            <source>the condition depends on an input; set scalar inputs with --value NAME=NUMBER</source>
            <translation>條件依賴於輸入；純量輸入可用 --value NAME=NUMBER 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.constant_too_large</name>
        <message>
            <source>a constant is too large to be evaluated during import</source>
            <translation>常數過大，無法在匯入時求值</translation>
        </message>
    </context>
    <context>
        <name>onnx.constant_without_tensor</name>
        <message>
            <source>constant without a tensor</source>
            <translation>沒有張量的常數</translation>
        </message>
    </context>
    <context>
        <name>onnx.coordinates</name>
        <message>
            <source>coordinate transformation "%1"</source>
            <translation>座標變換「%1」</translation>
        </message>
    </context>
    <context>
        <name>onnx.cut_here</name>
        <message>
            <source>to measure the part before it, cut the graph: --outputs %1</source>
            <translation>若要測量其之前的部分，請截斷計算圖：--outputs %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.dimension_fixed</name>
        <message>
            <source>dimension %1 is %2 in the file, not %3; export the network with dynamic axes</source>
            <translation>第 %1 維在檔案中為 %2，而非 %3；請以動態軸匯出網路</translation>
        </message>
    </context>
    <context>
        <name>onnx.dimension_open</name>
        <message>
            <source>dimension %1%2 is dynamic; set it with --shape %3=%4</source>
            <translation>第 %1 維%2是動態的；請用 --shape %3=%4 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.duplicate_value</name>
        <message>
            <source>two values are named "%1"</source>
            <translation>有兩個值同名「%1」</translation>
        </message>
    </context>
    <context>
        <name>onnx.element_count</name>
        <message>
            <source>"%1" has %2 elements; its dimensions require %3</source>
            <translation>「%1」有 %2 個元素，而其維度需要 %3 個</translation>
        </message>
    </context>
    <context>
        <name>onnx.empty_file</name>
        <message>
            <source>the file is empty</source>
            <translation>檔案為空</translation>
        </message>
    </context>
    <context>
        <name>onnx.empty_result</name>
        <message>
            <source>the result is empty</source>
            <translation>結果為空</translation>
        </message>
    </context>
    <context>
        <name>onnx.equation</name>
        <message>
            <source>equation "%1"</source>
            <translation>等式「%1」</translation>
        </message>
    </context>
    <context>
        <name>onnx.equation_mismatch</name>
        <message>
            <source>the equation "%1" does not fit its operands</source>
            <translation>等式「%1」與運算元不符</translation>
        </message>
    </context>
    <context>
        <name>onnx.extent_too_small</name>
        <message>
            <source>every dimension must be at least 1</source>
            <translation>每個維度至少為 1</translation>
        </message>
    </context>
    <context>
        <name>onnx.external_data_entry</name>
        <message>
            <source>external data: %1 "%2" is not a number</source>
            <translation>外部資料：%1「%2」不是數字</translation>
        </message>
    </context>
    <context>
        <name>onnx.external_data_outside</name>
        <message>
            <source>external data must be inside the model's folder; "..", absolute paths and symbolic links are refused</source>
            <translation>外部資料必須位於模型所在的資料夾內；拒絕「..」、絕對路徑和符號連結</translation>
        </message>
    </context>
    <context>
        <name>onnx.external_data_too_short</name>
        <message>
            <source>"%1" needs %2 bytes of external data</source>
            <translation>「%1」需要 %2 位元組外部資料</translation>
        </message>
    </context>
    <context>
        <name>onnx.fewer_branch_outputs</name>
        <message>
            <source>the branch has fewer outputs than the node</source>
            <translation>分支的輸出少於該節點</translation>
        </message>
    </context>
    <context>
        <name>onnx.file_too_large</name>
        <message>
            <source>the weights exceed the 2 GiB of an ONNX file</source>
            <translation>權重超出 ONNX 檔案的 2 GiB 上限</translation>
        </message>
    </context>
    <context>
        <name>onnx.fixed_batch</name>
        <message>
            <source>the batch size in the file is fixed at %1; for batch size %2, export the network with a dynamic first dimension (torch.onnx.export: dynamic_axes or dynamic_shapes)</source>
            <translation>檔案中的批次大小固定為 %1；若要使用批次大小 %2，請以動態的第一維匯出網路（torch.onnx.export：dynamic_axes 或 dynamic_shapes）</translation>
        </message>
    </context>
    <context>
        <name>onnx.for_onnx_files</name>
        <message>
            <source>--shape, --value, --outputs and --weights apply to ONNX files only</source>
            <translation>--shape、--value、--outputs 和 --weights 僅適用於 ONNX 檔案</translation>
        </message>
    </context>
    <context>
        <name>onnx.graph_without_outputs</name>
        <message>
            <source>the graph has no outputs</source>
            <translation>計算圖沒有輸出</translation>
        </message>
    </context>
    <context>
        <name>onnx.image_blocks</name>
        <message>
            <source>the image does not divide into blocks</source>
            <translation>影像不能按塊整除</translation>
        </message>
    </context>
    <context>
        <name>onnx.index_out_of_range</name>
        <message>
            <source>an index is out of range</source>
            <translation>索引超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.indices_used</name>
        <message>
            <source>its indices output is used</source>
            <translation>使用了其索引輸出</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_missing</name>
        <message>
            <source>input %1 is missing</source>
            <translation>缺少第 %1 個輸入</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_not_constant</name>
        <message>
            <source>input %1 must be constant; set scalar inputs with --value</source>
            <translation>第 %1 個輸入必須是常數；純量輸入可用 --value 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_too_large</name>
        <message>
            <source>input "%1" is too large</source>
            <translation>輸入「%1」過大</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_type</name>
        <message>
            <source>input "%1" has the unsupported type %2</source>
            <translation>輸入「%1」的類型 %2 不受支援</translation>
        </message>
    </context>
    <context>
        <name>onnx.integer_too_wide</name>
        <message>
            <source>the integer %1 needs more than 32 bits</source>
            <translation>整數 %1 需要 32 位以上</translation>
        </message>
    </context>
    <context>
        <name>onnx.keeps_ratio</name>
        <message>
            <source>a keep_aspect_ratio_policy other than stretch</source>
            <translation>stretch 以外的 keep_aspect_ratio_policy</translation>
        </message>
    </context>
    <context>
        <name>onnx.mode</name>
        <message>
            <source>mode "%1"</source>
            <translation>模式「%1」</translation>
        </message>
    </context>
    <context>
        <name>onnx.more_elements_than_bytes</name>
        <message>
            <source>more elements than the file has bytes</source>
            <translation>元素數多於檔案的位元組數</translation>
        </message>
    </context>
    <context>
        <name>onnx.name_too_long</name>
        <message>
            <source>a name has %1 bytes</source>
            <translation>有一個名稱長達 %1 位元組</translation>
        </message>
    </context>
    <context>
        <name>onnx.needs_channels</name>
        <message>
            <source>takes [B, C, ...]</source>
            <translation>需要 [B, C, ...]</translation>
        </message>
    </context>
    <context>
        <name>onnx.negative_dimension</name>
        <message>
            <source>a dimension is negative</source>
            <translation>有一個維度為負</translation>
        </message>
    </context>
    <context>
        <name>onnx.negative_padding</name>
        <message>
            <source>negative padding</source>
            <translation>負的填充</translation>
        </message>
    </context>
    <context>
        <name>onnx.nested_too_deep</name>
        <message>
            <source>subgraphs are nested more than %1 deep</source>
            <translation>子圖巢狀超過 %1 層</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_axis</name>
        <message>
            <source>axis %1 is out of range for rank %2</source>
            <translation>軸 %1 超出秩 %2 的範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_graph</name>
        <message>
            <source>contains no graph; not an ONNX model</source>
            <translation>不含計算圖，不是 ONNX 模型</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_input_needed</name>
        <message>
            <source>the outputs do not depend on any input</source>
            <translation>輸出不依賴任何輸入</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_location</name>
        <message>
            <source>the external data has no location</source>
            <translation>外部資料沒有給出位置</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_opset</name>
        <message>
            <source>the file does not state the opset version of the standard operators</source>
            <translation>檔案未註明標準運算子的 opset 版本</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_outputs</name>
        <message>
            <source>the node has no outputs</source>
            <translation>節點沒有輸出</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_such_axis</name>
        <message>
            <source>the axis is out of range</source>
            <translation>軸超出範圍</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_such_dimension</name>
        <message>
            <source>the shape keeps a dimension that the input lacks</source>
            <translation>形狀保留了輸入沒有的維度</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_value</name>
        <message>
            <source>there is no value "%1"</source>
            <translation>沒有名為「%1」的值</translation>
        </message>
    </context>
    <context>
        <name>onnx.node_too_large</name>
        <message>
            <source>a node has too many inputs, outputs or attributes</source>
            <translation>有節點的輸入、輸出或屬性過多</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_batch</name>
        <message>
            <source>"%1" is not a batch size</source>
            <translation>「%1」不是批次大小</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_model</name>
        <message>
            <source>not a regular file</source>
            <translation>不是普通檔案</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_number</name>
        <message>
            <source>"%1" is not a number</source>
            <translation>「%1」不是數字</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_permutation</name>
        <message>
            <source>perm is not a permutation of the axes</source>
            <translation>perm 不是各軸的排列</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_shape</name>
        <message>
            <source>"%1" is not a shape such as 1x3x224x224</source>
            <translation>「%1」不是形如 1x3x224x224 的形狀</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_tensor</name>
        <message>
            <source>input "%1" is not a tensor</source>
            <translation>輸入「%1」不是張量</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_an_option</name>
        <message>
            <source>"%1" is not of the form option=value</source>
            <translation>「%1」不符合「選項=值」的形式</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_exported</name>
        <message>
            <source>%1 cannot be exported as ONNX</source>
            <translation>%1 無法匯出為 ONNX</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_onnx</name>
        <message>
            <source>not an ONNX file</source>
            <translation>不是 ONNX 檔案</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_squeezable</name>
        <message>
            <source>dimension %1 is %2, not 1</source>
            <translation>第 %1 維為 %2，而非 1</translation>
        </message>
    </context>
    <context>
        <name>onnx.of_input</name>
        <message>
            <source>input "%1": %2</source>
            <translation>輸入「%1」：%2</translation>
        </message>
    </context>
    <context>
        <name>onnx.one_axis</name>
        <message>
            <source>takes one axis</source>
            <translation>只接受一個軸</translation>
        </message>
    </context>
    <context>
        <name>onnx.one_diagonal</name>
        <message>
            <source>takes one diagonal</source>
            <translation>只接受一條對角線</translation>
        </message>
    </context>
    <context>
        <name>onnx.operands_do_not_match</name>
        <message>
            <source>the operands do not match</source>
            <translation>運算元不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.operator_at</name>
        <message>
            <source>%1, node "%2"</source>
            <translation>%1，節點「%2」</translation>
        </message>
    </context>
    <context>
        <name>onnx.operator_of_domain</name>
        <message>
            <source>%1 of %2</source>
            <translation>%2 的 %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.opset_not_supported</name>
        <message>
            <source>opset %1 is not supported; export the network with an opset from %2 to %3</source>
            <translation>不支援 opset %1；請以 opset %2 至 %3 匯出網路</translation>
        </message>
    </context>
    <context>
        <name>onnx.output_shape_rank</name>
        <message>
            <source>the output shape does not match the rank</source>
            <translation>輸出形狀與秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.output_used</name>
        <message>
            <source>output %1 is used</source>
            <translation>使用了第 %1 個輸出</translation>
        </message>
    </context>
    <context>
        <name>onnx.pad_value</name>
        <message>
            <source>the padding value is not a scalar</source>
            <translation>填充值不是純量</translation>
        </message>
    </context>
    <context>
        <name>onnx.pads_missing</name>
        <message>
            <source>the pads are missing</source>
            <translation>缺少填充寬度</translation>
        </message>
    </context>
    <context>
        <name>onnx.pads_rank</name>
        <message>
            <source>the pads do not match the rank</source>
            <translation>填充寬度與秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.parameters_do_not_match</name>
        <message>
            <source>the parameters do not match the channels</source>
            <translation>參數與通道數不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.parameters_not_constant</name>
        <message>
            <source>the parameters depend on an input</source>
            <translation>參數依賴於輸入</translation>
        </message>
    </context>
    <context>
        <name>onnx.parentheses</name>
        <message>
            <source>the parentheses do not match</source>
            <translation>括號不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.parts_too_large</name>
        <message>
            <source>the parts exceed the axis</source>
            <translation>各部分之和超出該軸</translation>
        </message>
    </context>
    <context>
        <name>onnx.rank_differs</name>
        <message>
            <source>has %1 dimensions, not %2</source>
            <translation>有 %1 維，而非 %2 維</translation>
        </message>
    </context>
    <context>
        <name>onnx.read_before_defined</name>
        <message>
            <source>"%1" is read before it is computed (a cycle, or nodes out of order)</source>
            <translation>「%1」在計算之前就被讀取（存在環，或節點順序不對）</translation>
        </message>
    </context>
    <context>
        <name>onnx.recurrent_operands</name>
        <message>
            <source>takes X, W and R of rank 3</source>
            <translation>需要秩為 3 的 X、W 和 R</translation>
        </message>
    </context>
    <context>
        <name>onnx.repeats_rank</name>
        <message>
            <source>the repeats do not match the rank</source>
            <translation>重複次數與秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.result_too_large</name>
        <message>
            <source>the result is too large</source>
            <translation>結果過大</translation>
        </message>
    </context>
    <context>
        <name>onnx.scalar_input</name>
        <message>
            <source>input "%1" is a scalar</source>
            <translation>輸入「%1」是純量</translation>
        </message>
    </context>
    <context>
        <name>onnx.scales_or_sizes</name>
        <message>
            <source>takes either scales or sizes, one for each axis</source>
            <translation>須為每個軸給出 scales 或 sizes 之一</translation>
        </message>
    </context>
    <context>
        <name>onnx.shape_not_in_file</name>
        <message>
            <source>the file does not contain its shape; set it with --shape %1=1x3x224x224</source>
            <translation>檔案中沒有其形狀；請用 --shape %1=1x3x224x224 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.shapes_do_not_match</name>
        <message>
            <source>shapes %1 and %2 do not match</source>
            <translation>形狀 %1 與 %2 不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.size_depends_on_values</name>
        <message>
            <source>the size of the result depends on the values</source>
            <translation>結果的大小取決於資料的值</translation>
        </message>
    </context>
    <context>
        <name>onnx.sparse_initializers</name>
        <message>
            <source>sparse initializers are not supported</source>
            <translation>不支援稀疏的初始化張量（sparse initializer）</translation>
        </message>
    </context>
    <context>
        <name>onnx.split_typed_data</name>
        <message>
            <source>the data of a tensor is stored in several fields</source>
            <translation>張量的資料分散在多個欄位中</translation>
        </message>
    </context>
    <context>
        <name>onnx.structure_changed</name>
        <message>
            <source>the file has changed: its structure is #%1, not #%2</source>
            <translation>檔案已更改：其結構為 #%1，而非 #%2</translation>
        </message>
    </context>
    <context>
        <name>onnx.tensor_rank</name>
        <message>
            <source>a tensor has more than %1 dimensions</source>
            <translation>有張量超過 %1 維</translation>
        </message>
    </context>
    <context>
        <name>onnx.tensor_type</name>
        <message>
            <source>tensors of type %1 are not supported</source>
            <translation>不支援類型為 %1 的張量</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_dimensions</name>
        <message>
            <source>more than 8 dimensions</source>
            <translation>超過 8 維</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_elements</name>
        <message>
            <source>"%1" has too many elements</source>
            <translation>「%1」的元素過多</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_initializers</name>
        <message>
            <source>more than %1 initializers</source>
            <translation>初始化張量（initializer）超過 %1 個</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_inputs</name>
        <message>
            <source>too many inputs or outputs</source>
            <translation>輸入或輸出過多</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_nodes</name>
        <message>
            <source>more than %1 nodes</source>
            <translation>節點超過 %1 個</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_opsets</name>
        <message>
            <source>too many operator sets</source>
            <translation>運算子集過多</translation>
        </message>
    </context>
    <context>
        <name>onnx.training_mode</name>
        <message>
            <source>training mode</source>
            <translation>訓練模式</translation>
        </message>
    </context>
    <context>
        <name>onnx.truncated</name>
        <message>
            <source>the file is truncated or damaged (%1)</source>
            <translation>檔案被截斷或已損壞（%1）</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_graphs</name>
        <message>
            <source>the model contains two graphs</source>
            <translation>模型包含兩個計算圖</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_matrices</name>
        <message>
            <source>takes two matrices</source>
            <translation>需要兩個矩陣</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_open_dimensions</name>
        <message>
            <source>the shape has two dimensions of -1</source>
            <translation>形狀中有兩個 -1</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_values</name>
        <message>
            <source>takes two values</source>
            <translation>需要兩個值</translation>
        </message>
    </context>
    <context>
        <name>onnx.blocked_scales</name>
        <message>
            <source>scales for blocks of an axis</source>
            <translation>依軸上的區塊給出的縮放係數</translation>
        </message>
    </context>
    <context>
        <name>onnx.scales_do_not_match</name>
        <message>
            <source>scales and zero points do not match the tensor</source>
            <translation>縮放係數和零點與張量不相符</translation>
        </message>
    </context>
    <context>
        <name>onnx.type</name>
        <message>
            <source>type %1</source>
            <translation>類型 %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.unknown_input</name>
        <message>
            <source>there is no input "%1"; inputs: %2</source>
            <translation>沒有輸入「%1」；現有輸入：%2</translation>
        </message>
    </context>
    <context>
        <name>onnx.unknown_letter</name>
        <message>
            <source>the result has a letter that no operand has</source>
            <translation>結果中有運算元中沒有的字母</translation>
        </message>
    </context>
    <context>
        <name>onnx.unknown_option</name>
        <message>
            <source>unknown option "%1"; known: batch, shape.INPUT, value.INPUT, outputs, weights</source>
            <translation>未知的選項「%1」；已知：batch、shape.INPUT、value.INPUT、outputs、weights</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_defined_twice</name>
        <message>
            <source>"%1" is defined twice</source>
            <translation>「%1」被定義了兩次</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_not_scalar</name>
        <message>
            <source>the value is not a scalar</source>
            <translation>值不是純量</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_rank</name>
        <message>
            <source>"%1" has more than %2 dimensions</source>
            <translation>「%1」超過 %2 維</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_type</name>
        <message>
            <source>"%1" has the unsupported type %2</source>
            <translation>「%1」的類型 %2 不受支援</translation>
        </message>
    </context>
    <context>
        <name>onnx.weights_option</name>
        <message>
            <source>weights takes "file" or "drawn"</source>
            <translation>weights 的取值為「file」或「drawn」</translation>
        </message>
    </context>
    <context>
        <name>onnx.window_too_small</name>
        <message>
            <source>kernel, stride and dilation must be at least 1</source>
            <translation>卷積核、步幅與膨脹至少為 1</translation>
        </message>
    </context>
    <context>
        <name>onnx.wrong_field_type</name>
        <message>
            <source>a field does not have the type that ONNX defines</source>
            <translation>有欄位的類型與 ONNX 的定義不符</translation>
        </message>
    </context>
    <context>
        <name>plan.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>必須不小於 1</translation>
        </message>
    </context>
    <context>
        <name>plan.batch_too_large</name>
        <message>
            <source>with %1 samples, %2 of %3 exceeds %4 elements</source>
            <translation>%1 個樣本時，%3 的 %2 超過 %4 個元素</translation>
        </message>
    </context>
    <context>
        <name>plan.decodes_only</name>
        <message>
            <source>%1 decodes with a cache and cannot be trained</source>
            <translation>%1 使用快取解碼，無法訓練</translation>
        </message>
    </context>
    <context>
        <name>plan.inference_alone</name>
        <message>
            <source>int8 supports inference only; training needs fp32, tf32, bf16 or fp16</source>
            <translation>int8 是用於推論的精度：訓練需要 fp32、tf32、bf16 或 fp16</translation>
        </message>
    </context>
    <context>
        <name>plan.nothing_to_train</name>
        <message>
            <source>%1 has nothing to train</source>
            <translation>%1 沒有可訓練的內容</translation>
        </message>
    </context>
    <context>
        <name>report.report_ending</name>
        <message>
            <source>the file name must end in .md, .html, .csv or .json</source>
            <translation>檔名須以 .md、.html、.csv 或 .json 結尾</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::AdviceForm</name>
        <message>
            <source>The job</source>
            <translation>任務</translation>
        </message>
        <message>
            <source>Network</source>
            <translation>網路</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Epochs</source>
            <translation>輪數</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步數</translation>
        </message>
        <message>
            <source>Software</source>
            <translation>軟體</translation>
        </message>
        <message>
            <source>no limit</source>
            <translation>不限</translation>
        </message>
        <message>
            <source>Budget</source>
            <translation>預算</translation>
        </message>
        <message>
            <source> h</source>
            <translation> 小時</translation>
        </message>
        <message>
            <source>Deadline</source>
            <translation>期限</translation>
        </message>
        <message>
            <source>Where</source>
            <translation>在哪裡</translation>
        </message>
        <message>
            <source>Providers</source>
            <translation>提供商</translation>
        </message>
        <message>
            <source>All providers</source>
            <translation>所有提供商</translation>
        </message>
        <message numerus="yes">
            <source>%n provider(s)</source>
            <translation>
                <numerusform>%n 家提供商</numerusform>
            </translation>
        </message>
        <message>
            <source>epochs</source>
            <translation>按輪數</translation>
        </message>
        <message>
            <source>steps</source>
            <translation>按步數</translation>
        </message>
        <message>
            <source>Job length</source>
            <translation>任務長度</translation>
        </message>
        <message>
            <source>Samples per epoch</source>
            <translation>每輪樣本數</translation>
        </message>
        <message>
            <source>Use the network's defaults</source>
            <translation>使用該網路的常用值</translation>
        </message>
        <message>
            <source>Batch, epochs and samples as the network is usually trained</source>
            <translation>該網路通常訓練時的批次、輪數和樣本數</translation>
        </message>
        <message>
            <source>Priorities</source>
            <translation>優先順序</translation>
        </message>
        <message>
            <source>Preset</source>
            <translation>預設組</translation>
        </message>
        <message>
            <source>Undo preset</source>
            <translation>復原預設組</translation>
        </message>
        <message>
            <source>Optimise for</source>
            <translation>優先考量</translation>
        </message>
        <message>
            <source>Money matters ↔ time matters</source>
            <translation>省錢 ↔ 省時</translation>
        </message>
        <message>
            <source>Include spot instances</source>
            <translation>包括競價執行個體</translation>
        </message>
        <message>
            <source>Cheaper, but the provider may take them back at any time.</source>
            <translation>較便宜，但供應商可能隨時收回。</translation>
        </message>
        <message>
            <source>Include this computer</source>
            <translation>包括本機</translation>
        </message>
        <message>
            <source>Sets: %1; budget %2; deadline %3; %4.</source>
            <translation>設定：%1；預算 %2；期限 %3；%4。</translation>
        </message>
        <message>
            <source>spot instances included</source>
            <translation>包括競價執行個體</translation>
        </message>
        <message>
            <source>no spot instances</source>
            <translation>不含競價執行個體</translation>
        </message>
        <message>
            <source>Balanced minimises cost × time^%1.</source>
            <translation>「均衡」使 費用 × 時間^%1 最小。</translation>
        </message>
        <message>
            <source>Custom settings</source>
            <translation>自己的設定</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>從列表中移除</translation>
        </message>
        <message>
            <source>The file of the network stays.</source>
            <translation>網路的檔案保留。</translation>
        </message>
        <message>
            <source>Add a network…</source>
            <translation>新增網路…</translation>
        </message>
        <message>
            <source>%1 (not available)</source>
            <translation>%1（不可用）</translation>
        </message>
        <message>
            <source>Type a name</source>
            <translation>輸入名稱</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::AdvicePage</name>
        <message>
            <source>Price of %1 set</source>
            <translation>已設定 %1 的價格</translation>
        </message>
        <message>
            <source>Cost &amp; advice</source>
            <translation>費用與建議</translation>
        </message>
        <message>
            <source>The machine</source>
            <translation>機器</translation>
        </message>
        <message>
            <source>Close the details</source>
            <translation>關閉詳細資訊</translation>
        </message>
        <message numerus="yes">
            <source>%n price(s) imported</source>
            <translation>
                <numerusform>已匯入 %n 個價格</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>(%n row(s) left out)</source>
            <translation>
                <numerusform>（略去 %n 列）</numerusform>
            </translation>
        </message>
        <message>
            <source>Loading offers…</source>
            <translation>正在檢視報價…</translation>
        </message>
        <message>
            <source>Result views</source>
            <translation>答案的檢視</translation>
        </message>
        <message>
            <source>Choices</source>
            <translation>選擇</translation>
        </message>
        <message>
            <source>Ranking</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>Relative</source>
            <translation>相對值</translation>
        </message>
        <message>
            <source>Buy or rent</source>
            <translation>買還是租</translation>
        </message>
        <message>
            <source>Prices</source>
            <translation>價格</translation>
        </message>
        <message>
            <source>All offers, best first</source>
            <translation>所有報價，最佳在前</translation>
        </message>
        <message>
            <source>Hide offers outside my limits</source>
            <translation>隱藏超出限制的報價</translation>
        </message>
        <message>
            <source>Kind of job</source>
            <translation>任務型別</translation>
        </message>
        <message>
            <source>Train a network</source>
            <translation>訓練網路</translation>
        </message>
        <message>
            <source>Run a network</source>
            <translation>執行網路</translation>
        </message>
        <message>
            <source>Choose the kind of job above, then describe it, your priorities and your limits; the answer follows every change. Times are estimated from published measurements and, where there are any, from your own; the ranges hold in 80 % of cases. Cost is price times billed time. No machine is left out: the ranking says why each one lost. A dashed line in the chart joins the best trade-offs, which no machine beats on both time and price. On the Prices page you can enter a price of your own or import a price list.</source>
            <translation>請先在上方選擇任務型別，再描述任務、優先順序和限制；答案隨每次更改而更新。時間由公開的測量結果以及您自己的測量結果（若有）估算；區間在 80 % 的情況下成立。費用等於價格乘以計費時間。沒有遺漏任何機器：排名會說明每臺機器落選的原因。圖中的虛線連線最佳折中，沒有機器在時間和價格上都更優。在“價格”頁可以輸入自己的價格或匯入價格表。</translation>
        </message>
        <message>
            <source>Search machines, devices and reasons</source>
            <translation>搜尋機器、裝置和原因</translation>
        </message>
        <message>
            <source>Measure candidates…</source>
            <translation>測量候選機器…</translation>
        </message>
        <message>
            <source>Measure the best machines where they are, and correct the advice</source>
            <translation>在最佳候選所在之處實測，並修正建議</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::BenchmarkPage</name>
        <message>
            <source>Benchmark</source>
            <translation>基準測試</translation>
        </message>
        <message>
            <source>A case is one network in one mode on one device. Each is compiled, checked against a reference, warmed up and sampled until the 95 % interval of the median is narrow enough or its time is up. Cases run one after the other in a process of their own, so that a crash ends one case only. Several batch sizes or thread counts, separated by commas, make a sweep.</source>
            <translation>案例是指一個網路以一種模式在一個裝置上執行。每個案例先編譯、與參考實作核對、暖機，然後取樣，直到中位數的 95 % 區間足夠窄或時間用完。案例在各自的行程中依序執行，因此當機只會結束一個案例。以逗號分隔多個批次大小或執行緒數即可進行掃描。</translation>
        </message>
        <message>
            <source>The CPU is busy</source>
            <translation>CPU 正忙</translation>
        </message>
        <message>
            <source>Other programs use %1 of the CPU.</source>
            <translation>其他程式佔用了 %1 的 CPU。</translation>
        </message>
        <message>
            <source>Results measured now would be unreliable. Close the other programs or wait.</source>
            <translation>現在測得的結果將不可靠。請關閉其他程式或稍候。</translation>
        </message>
        <message>
            <source>Run anyway</source>
            <translation>仍然執行</translation>
        </message>
        <message>
            <source>Do not run</source>
            <translation>不執行</translation>
        </message>
        <message>
            <source>Start when idle</source>
            <translation>閒置時開始</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>The run was not started: other programs use %1 of the CPU.</source>
            <translation>執行未開始：其他程式占用了 %1 的 CPU。</translation>
        </message>
        <message>
            <source>The run starts when other programs no longer use the CPU.</source>
            <translation>其他程式不再占用 CPU 時，執行會自動開始。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::BuiltChart</name>
        <message>
            <source>hollow = estimate</source>
            <translation>空心 = 估算</translation>
        </message>
        <message>
            <source>measured while other programs used the CPU</source>
            <translation>在其他程式占用 CPU 時測得</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CampaignDialog</name>
        <message>
            <source>Container image</source>
            <translation>容器映像檔</translation>
        </message>
        <message>
            <source>registry/steelyard:1.0</source>
            <translation>registry/steelyard:1.0</translation>
        </message>
        <message>
            <source>An image that contains steelyard-cli.</source>
            <translation>包含 steelyard-cli 的映像檔。</translation>
        </message>
        <message>
            <source>Archives (*.tar.gz)</source>
            <translation>封存檔 (*.tar.gz)</translation>
        </message>
        <message>
            <source>Rented machines need this program as an archive: choose it above.</source>
            <translation>租用的機器需要本程式的封存檔：請在上方選擇。</translation>
        </message>
        <message>
            <source>Kubernetes needs a container image that contains this program: enter its name above.</source>
            <translation>Kubernetes 需要包含本程式的容器映像檔：請在上方填寫其名稱。</translation>
        </message>
        <message>
            <source>Choose the output folder.</source>
            <translation>請選擇輸出資料夾。</translation>
        </message>
        <message>
            <source>Measure candidates</source>
            <translation>測量候選機器</translation>
        </message>
        <message>
            <source>Each machine measures the job with this program, and the advice is corrected by what was measured. Nothing starts before you press Start.</source>
            <translation>每台機器用本程式測量該任務，並用實測結果修正建議。按下「開始」之前不會啟動任何東西。</translation>
        </message>
        <message>
            <source>Write files only</source>
            <translation>僅寫入檔案</translation>
        </message>
        <message>
            <source>Start…</source>
            <translation>開始…</translation>
        </message>
        <message>
            <source>Machines of the advice</source>
            <translation>建議中的機器</translation>
        </message>
        <message>
            <source>Your own machines</source>
            <translation>您自己的機器</translation>
        </message>
        <message>
            <source>nodeA, nodeB=a100_sxm_80:4</source>
            <translation>nodeA, nodeB=a100_sxm_80:4</translation>
        </message>
        <message>
            <source>Names by which ssh or the cluster knows them; after = the device of the list of hardware, and how many of them. Without a device: a processor like this computer&apos;s.</source>
            <translation>ssh 或叢集所用的名稱；= 之後是硬體清單中的裝置及其數量。不寫裝置：與本機相同的處理器。</translation>
        </message>
        <message>
            <source>Connection</source>
            <translation>連線方式</translation>
        </message>
        <message>
            <source>%1 (not installed)</source>
            <translation>%1（未安裝）</translation>
        </message>
        <message>
            <source>Partition</source>
            <translation>分割區</translation>
        </message>
        <message>
            <source>the cluster&apos;s default</source>
            <translation>叢集的預設分割區</translation>
        </message>
        <message>
            <source>Time limit per machine</source>
            <translation>每台的時限</translation>
        </message>
        <message>
            <source> min</source>
            <translation> 分鐘</translation>
        </message>
        <message>
            <source>at most</source>
            <translation>最多</translation>
        </message>
        <message>
            <source>Budget for measuring</source>
            <translation>測量預算</translation>
        </message>
        <message>
            <source>Run the quick suite, too, which calibrates predictions</source>
            <translation>同時執行快速套件，用於校準預測</translation>
        </message>
        <message>
            <source>Archive for rented machines</source>
            <translation>用於租用機器的封存檔</translation>
        </message>
        <message>
            <source>steelyard-cli-….tar.gz</source>
            <translation>steelyard-cli-….tar.gz</translation>
        </message>
        <message>
            <source>The command line as an archive that runs on any x86-64 Linux; ./dev package builds it.</source>
            <translation>可在任何 x86-64 Linux 上執行的命令列程式封存檔；由 ./dev package 產生。</translation>
        </message>
        <message>
            <source>Output folder</source>
            <translation>檔案所在資料夾</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>選擇…</translation>
        </message>
        <message>
            <source>What will be measured</source>
            <translation>將要測量的內容</translation>
        </message>
        <message>
            <source>Planning…</source>
            <translation>正在制定計劃…</translation>
        </message>
        <message>
            <source>Nothing is rented for this.</source>
            <translation>不需要租用任何機器。</translation>
        </message>
        <message>
            <source>Not installed here: %1. Write the files, and start them where it is.</source>
            <translation>此處未安裝：%1。請寫入檔案，然後在裝有它的機器上啟動。</translation>
        </message>
        <message>
            <source>This computer</source>
            <translation>本機</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CampaignsPage</name>
        <message>
            <source>Campaigns</source>
            <translation>測量計劃</translation>
        </message>
        <message>
            <source>The campaign could not continue</source>
            <translation>測量計劃無法繼續</translation>
        </message>
        <message>
            <source>Campaign</source>
            <translation>測量計劃</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>刪除</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>開啟資料夾</translation>
        </message>
        <message>
            <source>Check now</source>
            <translation>立即查詢</translation>
        </message>
        <message>
            <source>New from the advice…</source>
            <translation>從建議新建…</translation>
        </message>
        <message>
            <source>Start…</source>
            <translation>開始…</translation>
        </message>
        <message>
            <source>Start again…</source>
            <translation>重新開始…</translation>
        </message>
        <message>
            <source>No campaign yet</source>
            <translation>還沒有測量計劃</translation>
        </message>
        <message>
            <source>The advice rests on predictions. A campaign measures its best candidates where they are, in a cloud or on machines of your own, and corrects the advice.</source>
            <translation>建議基於預測。測量計劃會在雲端或您自己的機器上實測最佳候選，並據此修正建議。</translation>
        </message>
        <message>
            <source>Choose from the advice…</source>
            <translation>從建議中選擇…</translation>
        </message>
        <message>
            <source>Machines of the campaign</source>
            <translation>測量計劃中的機器</translation>
        </message>
        <message>
            <source>Its machines are measuring.</source>
            <translation>其機器正在工作。</translation>
        </message>
        <message>
            <source>Describe the job first; then choose which machines to measure.</source>
            <translation>請先描述任務，然後選擇要測量的機器。</translation>
        </message>
        <message>
            <source>The files are in %1.</source>
            <translation>檔案位於 %1。</translation>
        </message>
        <message>
            <source>Start the measurements?</source>
            <translation>開始測量？</translation>
        </message>
        <message>
            <source>The measurements occupy the machines.</source>
            <translation>測量會佔用這些機器的時間。</translation>
        </message>
        <message>
            <source>These commands run:</source>
            <translation>將執行以下命令：</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>Delete this campaign?</source>
            <translation>刪除該測量計劃？</translation>
        </message>
        <message>
            <source>Its runs stay in the history, and its files in their folder.</source>
            <translation>其執行紀錄保留在歷史中，檔案保留在原資料夾中。</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>A campaign measures candidates of the advice where they are: rented machines by SkyPilot, a cluster by Slurm or Kubernetes, your own machines by ssh, and this computer. Each candidate keeps the prediction that was made when the campaign was planned; what is measured stands beside it, and the sentences above say what changes in the advice. Results go into the history and calibrate later predictions. The time limit holds for every machine, so the highest cost is known before anything starts.</source>
            <translation>測量計劃在候選機器所在之處對其實測：透過 SkyPilot 租用的機器、透過 Slurm 或 Kubernetes 的叢集、透過 ssh 的自有機器，以及本機。每個候選保留制定計劃時的預測；實測值列在旁邊，上方的句子說明建議有何變化。結果存入歷史，並用於校準以後的預測。時限對每台機器都有效，因此在開始之前就知道最高花費。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CaseTreeModel</name>
        <message>
            <source>Cannot run here: %1</source>
            <translation>無法在此執行：%1</translation>
        </message>
        <message>
            <source>cannot run</source>
            <translation>無法執行</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>參數量</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>時間</translation>
        </message>
        <message>
            <source>In this suite: %1</source>
            <translation>在此套件中：%1</translation>
        </message>
        <message>
            <source>, </source>
            <translation>、</translation>
        </message>
        <message>
            <source>About how long one case takes; of a suite, all its cases of the workload</source>
            <translation>一個案例大約需要的時間；選擇套件時為該工作負載全部案例的時間</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChartCanvas</name>
        <message>
            <source>Chart</source>
            <translation>圖表</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChartTableModel</name>
        <message>
            <source>Workload</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>Series</source>
            <translation>系列</translation>
        </message>
        <message>
            <source>State</source>
            <translation>狀態</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChartView</name>
        <message>
            <source>Data of the chart</source>
            <translation>圖表資料</translation>
        </message>
        <message>
            <source>Show as table</source>
            <translation>顯示為表格</translation>
        </message>
        <message>
            <source>Copy the chart and its data</source>
            <translation>複製圖表及其資料</translation>
        </message>
        <message>
            <source>Export the chart</source>
            <translation>匯出圖表</translation>
        </message>
        <message>
            <source>Image (PNG)…</source>
            <translation>影像 (PNG)…</translation>
        </message>
        <message>
            <source>Drawing (SVG)…</source>
            <translation>向量圖 (SVG)…</translation>
        </message>
        <message>
            <source>Page (PDF)…</source>
            <translation>頁面 (PDF)…</translation>
        </message>
        <message>
            <source>Data (CSV)…</source>
            <translation>資料 (CSV)…</translation>
        </message>
        <message>
            <source>Show as chart</source>
            <translation>顯示為圖表</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CheckCard</name>
        <message>
            <source>Is this machine sound?</source>
            <translation>這部機器是否完好？</translation>
        </message>
        <message>
            <source>Tests memory with patterns, compares every operation with a reference, and keeps each device busy while clocks, temperature and results are watched. For a machine that misbehaves, or a card bought used.</source>
            <translation>以圖樣測試記憶體，將每種運算與參考實作比較，並讓每個裝置持續運作，同時觀察時脈、溫度與結果。適用於表現異常的機器或二手顯示卡。</translation>
        </message>
        <message>
            <source>Check this machine</source>
            <translation>檢查這部機器</translation>
        </message>
        <message>
            <source> s of load per device</source>
            <translation> 秒負載（每個裝置）</translation>
        </message>
        <message>
            <source>Seconds of load per device</source>
            <translation>每個裝置的負載秒數</translation>
        </message>
        <message>
            <source>Progress of the check</source>
            <translation>檢查進度</translation>
        </message>
        <message>
            <source>Stop the check</source>
            <translation>停止檢查</translation>
        </message>
        <message>
            <source>A benchmark is running; a check would disturb it.</source>
            <translation>基準測試正在執行；檢查會干擾它。</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在啟動…</translation>
        </message>
        <message>
            <source>%1: %2. %3</source>
            <translation>%1：%2。%3</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChoiceView</name>
        <message>
            <source>Recommended</source>
            <translation>推薦</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::Gauge</name>
        <message>
            <source>%1: not readable here</source>
            <translation>%1：此處無法讀取</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::GpuChoice</name>
        <message>
            <source>strong scaling</source>
            <translation>強擴展</translation>
        </message>
        <message>
            <source>The GPUs share the batch: how much sooner is it done?</source>
            <translation>各 GPU 分擔同一批樣本：能提早多久完成？</translation>
        </message>
        <message>
            <source>weak scaling</source>
            <translation>弱擴展</translation>
        </message>
        <message>
            <source>Each GPU takes a whole batch: how much more is done in the same time?</source>
            <translation>每個 GPU 處理一整批樣本：同樣的時間能多做多少？</translation>
        </message>
        <message>
            <source>experiments side by side</source>
            <translation>並行獨立實驗</translation>
        </message>
        <message numerus="yes">
            <source>%n GPU(s) together</source>
            <translation>
                <numerusform>%n 個 GPU 共同計算</numerusform>
            </translation>
        </message>
        <message>
            <source>Times each case on that many GPUs. Devices, threads and real data are then left aside.</source>
            <translation>用這麼多個 GPU 為每個案例計時。此時不考慮裝置、執行緒和真實資料。</translation>
        </message>
        <message>
            <source>Each GPU runs its own steps: the alternative to splitting a case.</source>
            <translation>每個 GPU 各做自己的一步：這是共同分擔之外的另一種選擇。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HardwarePage</name>
        <message>
            <source>Hardware</source>
            <translation>硬體</translation>
        </message>
        <message>
            <source>Copy diagnostic report…</source>
            <translation>複製診斷報告…</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>處理器</translation>
        </message>
        <message>
            <source>Facts about this computer</source>
            <translation>關於這台電腦的資訊</translation>
        </message>
        <message>
            <source>Backends</source>
            <translation>後端</translation>
        </message>
        <message>
            <source>Detecting hardware…</source>
            <translation>正在偵測硬體…</translation>
        </message>
        <message>
            <source>Graphics cards</source>
            <translation>顯示卡</translation>
        </message>
        <message>
            <source>Diagnostic report</source>
            <translation>診斷報告</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>複製</translation>
        </message>
        <message>
            <source>The report is in the clipboard. Nothing was sent anywhere.</source>
            <translation>報告已在剪貼簿中。沒有向任何地方傳送內容。</translation>
        </message>
        <message>
            <source>Detected is what the machine has, allowed is what this process may use (affinity, control groups), used is what a benchmark takes unless told otherwise. A dash means unknown; its reason shows on hover. The diagnostic report contains no host name, user name or serial number.</source>
            <translation>「偵測到」是機器所擁有的，「允許」是本行程可使用的（親和性、控制群組），「使用」是未另行指定時基準測試所用的。短橫線表示未知；停留可檢視原因。診斷報告不含主機名稱、使用者名稱或序號。</translation>
        </message>
        <message>
            <source>Check this machine tests whether a machine or a used card is sound; it is no benchmark. The last result is kept beside the history and printed in reports. The same in a terminal: steelyard-cli check.</source>
            <translation>「檢查這部機器」檢驗機器或二手顯示卡是否完好，並非基準測試。最近一次的結果保存在歷史檔案旁，並印在報告中。在終端機中執行 steelyard-cli check 效果相同。</translation>
        </message>
        <message>
            <source>Your value of the fact</source>
            <translation>您為此項設定的值</translation>
        </message>
        <message>
            <source>Use this value</source>
            <translation>使用此值</translation>
        </message>
        <message>
            <source>%1: your value</source>
            <translation>%1：您的值</translation>
        </message>
        <message>
            <source>This fact cannot be set: it follows from others, or is a list.</source>
            <translation>此項無法設定：它由其他資訊得出，或者是一份清單。</translation>
        </message>
        <message>
            <source>Use detected value</source>
            <translation>還原為偵測到的值</translation>
        </message>
        <message>
            <source>The value was not accepted</source>
            <translation>未採用該值</translation>
        </message>
        <message>
            <source>Something wrong? Choose a row and correct it here; the advice will use your value.</source>
            <translation>有誤？選擇一列並在此更正；建議將使用您的值。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HistoryPage</name>
        <message>
            <source>History &amp; compare</source>
            <translation>歷史與比較</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) exported to %1</source>
            <translation>
                <numerusform>已將 %n 次執行匯出到 %1</numerusform>
            </translation>
        </message>
        <message>
            <source>All runs of %1 were there already.</source>
            <translation>%1 中的所有執行均已存在。</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) imported from %1</source>
            <translation>
                <numerusform>已從 %1 匯入 %n 次執行</numerusform>
            </translation>
        </message>
        <message>
            <source>Import…</source>
            <translation>匯入…</translation>
        </message>
        <message>
            <source>Export…</source>
            <translation>匯出…</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>刪除</translation>
        </message>
        <message>
            <source>Show results</source>
            <translation>顯示結果</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>比較</translation>
        </message>
        <message>
            <source>No runs yet</source>
            <translation>尚無執行</translation>
        </message>
        <message>
            <source>Every run is kept here. Run a benchmark, import a result file, or drop one on this window.</source>
            <translation>每次執行都保存在這裡。執行基準測試、匯入結果檔，或將檔案拖放到此視窗。</translation>
        </message>
        <message>
            <source>Choose what to run</source>
            <translation>選擇要執行的內容</translation>
        </message>
        <message>
            <source>Stored runs</source>
            <translation>已儲存的執行</translation>
        </message>
        <message>
            <source>Weighs two machines against each other; otherwise other hardware is not comparable.</source>
            <translation>將兩台機器相互比較；否則不同硬體視為不可比較。</translation>
        </message>
        <message>
            <source>Close the comparison</source>
            <translation>關閉比較</translation>
        </message>
        <message>
            <source>Comparison case by case</source>
            <translation>逐個案例比較</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in %1</source>
            <translation>
                <numerusform>%1 中有 %n 次執行</numerusform>
            </translation>
        </message>
        <message>
            <source>Select two runs (Ctrl and click, or Shift and arrow keys) to compare them.</source>
            <translation>選擇兩次執行（Ctrl + 按一下，或 Shift + 方向鍵）進行比較。</translation>
        </message>
        <message>
            <source>Import results</source>
            <translation>匯入結果</translation>
        </message>
        <message>
            <source>Results (*.json);;All files (*)</source>
            <translation>結果 (*.json);;所有檔案 (*)</translation>
        </message>
        <message>
            <source>Export results</source>
            <translation>匯出結果</translation>
        </message>
        <message>
            <source>Results (*.json)</source>
            <translation>結果 (*.json)</translation>
        </message>
        <message>
            <source>Trend</source>
            <translation>趨勢</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>繼續</translation>
        </message>
        <message>
            <source>Delete old runs…</source>
            <translation>刪除舊執行…</translation>
        </message>
        <message>
            <source>Allow different hardware</source>
            <translation>允許不同硬體</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>重新執行</translation>
        </message>
        <message>
            <source>This file is a network</source>
            <translation>此檔案描述一個網路</translation>
        </message>
        <message>
            <source>%1 describes a network, not results.</source>
            <translation>%1 描述的是網路，而不是結果。</translation>
        </message>
        <message>
            <source>Add it to the networks that can be measured and asked about?</source>
            <translation>要將其加入可測量和詢問的網路嗎？</translation>
        </message>
        <message>
            <source>Add the network</source>
            <translation>加入網路</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Measures the remaining cases of an interrupted run with its original settings.</source>
            <translation>按原先的要求，測量中斷的執行中尚缺的部分。</translation>
        </message>
        <message>
            <source>Views of the comparison</source>
            <translation>比較的檢視</translation>
        </message>
        <message>
            <source>Chart</source>
            <translation>圖表</translation>
        </message>
        <message>
            <source>Figures</source>
            <translation>數據</translation>
        </message>
        <message>
            <source>Select one run.</source>
            <translation>請選擇一次執行。</translation>
        </message>
        <message>
            <source>Select one run to show, export or delete it, two to compare them. Faster and slower need evidence: a t-test between visits in the same state of the machine, and medians at least 2 % apart. Everything else is no evidence; what cannot be compared says what differs. Double-click a note to write it. Delete old runs keeps the newest ones, or those since a day; it can be undone until the file is compacted in Settings.</source>
            <translation>選擇一次執行可檢視、匯出或刪除；選擇兩次可進行比較。判定更快或更慢需要證據：對機器同一狀態下的各輪測量做 t 檢定，且中位數相差至少 2 %。其餘均為沒有證據；無法比較的會說明差異所在。按兩下備註即可編寫。「刪除舊執行」保留最新的若干次，或某日以來的執行；在設定中壓縮檔案之前可以復原。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HomePage</name>
        <message>
            <source>This computer</source>
            <translation>這台電腦</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>執行進度</translation>
        </message>
        <message>
            <source>Choose what to run</source>
            <translation>選擇要執行的內容</translation>
        </message>
        <message>
            <source>All results</source>
            <translation>全部結果</translation>
        </message>
        <message>
            <source>Detecting hardware…</source>
            <translation>正在偵測硬體…</translation>
        </message>
        <message>
            <source>Show the run</source>
            <translation>檢視執行</translation>
        </message>
        <message>
            <source>Home tells in one sentence what the last run found. The big button runs the first suite: every network is checked for correct results before it is timed, and every value comes with its 95 % interval. Stop at any time; finished cases are kept.</source>
            <translation>首頁以一句話說明上次執行的發現。大按鈕執行第一個套件：每個網路在計時前都會檢查結果是否正確，每個數值都附有 95 % 區間。可隨時停止；已完成的案例會保留。</translation>
        </message>
        <message>
            <source>Checked, then timed</source>
            <translation>先核對，再計時</translation>
        </message>
        <message>
            <source>Every network first proves that it computes correctly on this device.</source>
            <translation>每個網路先證明其在該裝置上計算正確。</translation>
        </message>
        <message>
            <source>With an error bar</source>
            <translation>附帶誤差範圍</translation>
        </message>
        <message>
            <source>Every value is a median with its 95 % interval, and all samples are kept.</source>
            <translation>每個數值都是中位數並附 95 % 區間，全部樣本均保留。</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>重新執行</translation>
        </message>
        <message>
            <source>Find the best hardware for my job</source>
            <translation>為我的任務找最合適的硬體</translation>
        </message>
        <message>
            <source>Private</source>
            <translation>私密</translation>
        </message>
        <message>
            <source>Your results stay on this computer.</source>
            <translation>結果只保存在本機。</translation>
        </message>
        <message>
            <source>No account and no upload: you decide who sees your results.</source>
            <translation>無需帳號，不上傳：由您決定誰能看到結果。</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>複製</translation>
        </message>
        <message>
            <source>Copy as Markdown</source>
            <translation>複製為 Markdown</translation>
        </message>
        <message>
            <source>Copy as picture</source>
            <translation>複製為圖片</translation>
        </message>
        <message>
            <source>Copied as Markdown.</source>
            <translation>已複製為 Markdown。</translation>
        </message>
        <message>
            <source>Copied as a picture.</source>
            <translation>已複製為圖片。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LanguageForm</name>
        <message>
            <source>Software</source>
            <translation>軟體</translation>
        </message>
        <message>
            <source>As in the file</source>
            <translation>與檔案相同</translation>
        </message>
        <message>
            <source>Automatic</source>
            <translation>自動</translation>
        </message>
        <message>
            <source>To chat and serve: the fastest with published speeds for the device and the format. To see what fits: llama.cpp, on this computer&apos;s processor this program.</source>
            <translation>對話和提供服務：該裝置和格式有已發表速度的軟體中最快的。查看能否容納：llama.cpp；在本機處理器上為本程式。</translation>
        </message>
        <message>
            <source>MLX on Apple devices, otherwise Transformers with PEFT</source>
            <translation>蘋果裝置上為 MLX，其他裝置上為 Transformers 加 PEFT</translation>
        </message>
        <message>
            <source>The model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Type a name</source>
            <translation>輸入名稱</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>From a file…</source>
            <translation>來自檔案…</translation>
        </message>
        <message>
            <source>A config.json of Hugging Face, or a GGUF file; only its header is read.</source>
            <translation>Hugging Face 的 config.json，或 GGUF 檔案；只讀取其檔案頭。</translation>
        </message>
        <message>
            <source>Weight format</source>
            <translation>權重格式</translation>
        </message>
        <message>
            <source>Cache in 8 bits</source>
            <translation>8 位快取</translation>
        </message>
        <message>
            <source>Keys and values of earlier tokens take half the memory.</source>
            <translation>先前詞元的鍵和值只佔一半記憶體。</translation>
        </message>
        <message>
            <source>Load</source>
            <translation>用量</translation>
        </message>
        <message>
            <source>Tokens that go in with each request: in a chat, what was said so far as well</source>
            <translation>每個請求輸入的詞元：對話中包括此前的內容</translation>
        </message>
        <message>
            <source>Prompt tokens</source>
            <translation>每次提示的詞元數</translation>
        </message>
        <message>
            <source>Output tokens</source>
            <translation>每次回答的詞元數</translation>
        </message>
        <message>
            <source>Million tokens per month</source>
            <translation>每月百萬詞元</translation>
        </message>
        <message>
            <source>Lowest tokens/s per user</source>
            <translation>每位使用者至少詞元/秒</translation>
        </message>
        <message>
            <source>Money</source>
            <translation>費用</translation>
        </message>
        <message>
            <source>Share of the month in which a machine works at most</source>
            <translation>一個月中機器最多工作的時間比例</translation>
        </message>
        <message>
            <source>Highest utilization</source>
            <translation>利用率上限</translation>
        </message>
        <message>
            <source>Years that bought hardware is used</source>
            <translation>所購硬體使用年數</translation>
        </message>
        <message>
            <source>Include spot instances</source>
            <translation>包括競價例項</translation>
        </message>
        <message>
            <source>not set</source>
            <translation>未設定</translation>
        </message>
        <message>
            <source>A price of your own, per million tokens; both are needed.</source>
            <translation>您自己的價格，按每百萬詞元計；兩項都需要。</translation>
        </message>
        <message>
            <source>Context and batch</source>
            <translation>長度與數量</translation>
        </message>
        <message>
            <source>Context</source>
            <translation>上下文</translation>
        </message>
        <message>
            <source>Sequences at once</source>
            <translation>同時序列數</translation>
        </message>
        <message>
            <source>They hold the layers in turn: more memory, no more speed.</source>
            <translation>各裝置依次存放各層：記憶體更多，速度不變。</translation>
        </message>
        <message>
            <source>Devices together</source>
            <translation>裝置臺數</translation>
        </message>
        <message>
            <source>Compare all models on</source>
            <translation>比較所有模型的裝置</translation>
        </message>
        <message>
            <source>Fine-tuning</source>
            <translation>微調</translation>
        </message>
        <message>
            <source>Method</source>
            <translation>方法</translation>
        </message>
        <message>
            <source>Adapter rank</source>
            <translation>介面卡的秩</translation>
        </message>
        <message>
            <source>Sequences times their length</source>
            <translation>序列數乘以長度</translation>
        </message>
        <message>
            <source>Tokens per step</source>
            <translation>每步詞元數</translation>
        </message>
        <message>
            <source>Recompute activations</source>
            <translation>重新計算啟動值</translation>
        </message>
        <message>
            <source>Gradient checkpointing: less memory, about a third more work</source>
            <translation>梯度檢查點：記憶體更少，計算量約多三分之一</translation>
        </message>
        <message>
            <source>Context: %1 tokens</source>
            <translation>上下文：%1 詞元</translation>
        </message>
        <message>
            <source>Data set (million tokens)</source>
            <translation>資料集的百萬詞元數</translation>
        </message>
        <message>
            <source>Epochs</source>
            <translation>輪數</translation>
        </message>
        <message>
            <source>Sequence length</source>
            <translation>序列長度</translation>
        </message>
        <message>
            <source>In tokens, at most those of a step</source>
            <translation>以詞元計，最多為一步的詞元數</translation>
        </message>
        <message>
            <source>Your API: %1 per million in</source>
            <translation>您的 API：每百萬輸入 %1</translation>
        </message>
        <message>
            <source>Your API: %1 per million out</source>
            <translation>您的 API：每百萬輸出 %1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LanguageView</name>
        <message>
            <source>Open a language model</source>
            <translation>開啟語言模型</translation>
        </message>
        <message>
            <source>Language models (config.json *.gguf *.json);;All files (*)</source>
            <translation>語言模型 (config.json *.gguf *.json);;所有檔案 (*)</translation>
        </message>
        <message>
            <source>Loading devices and offers…</source>
            <translation>正在檢視裝置和報價…</translation>
        </message>
        <message>
            <source>Result views</source>
            <translation>答案的各檢視</translation>
        </message>
        <message>
            <source>Search</source>
            <translation>搜尋</translation>
        </message>
        <message>
            <source>Offers, devices or models</source>
            <translation>報價、裝置或模型</translation>
        </message>
        <message>
            <source>Choices</source>
            <translation>選擇</translation>
        </message>
        <message>
            <source>All offers</source>
            <translation>所有報價</translation>
        </message>
        <message>
            <source>Cost by load</source>
            <translation>費用隨負載</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Devices for this model</source>
            <translation>適合此模型的裝置</translation>
        </message>
        <message>
            <source>Models on one device</source>
            <translation>一個裝置上的模型</translation>
        </message>
        <message>
            <source>Hide offers outside my limits</source>
            <translation>隱藏超出限制的報價</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LiveSamplesView</name>
        <message>
            <source>Samples of the running case</source>
            <translation>進行中案例的樣本</translation>
        </message>
        <message numerus="yes">
            <source>%n sample(s), median %1</source>
            <translation>
                <numerusform>%n 個樣本，中位數 %1</numerusform>
            </translation>
        </message>
        <message>
            <source>, 95 % interval %1 to %2</source>
            <translation>，95 % 區間 %1 至 %2</translation>
        </message>
        <message>
            <source>Time per step (%1)</source>
            <translation>每步時間（%1）</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::MainWindow</name>
        <message>
            <source>Stored runs</source>
            <translation>已儲存的執行</translation>
        </message>
        <message>
            <source>Hardware</source>
            <translation>硬體</translation>
        </message>
        <message>
            <source>Home</source>
            <translation>首頁</translation>
        </message>
        <message>
            <source>There is nothing to export on this page yet.</source>
            <translation>此頁面暫無可匯出的內容。</translation>
        </message>
        <message>
            <source>Running %1 of %2</source>
            <translation>正在執行 %1 / %2</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在啟動…</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) deleted</source>
            <translation>
                <numerusform>已刪除 %n 次執行</numerusform>
            </translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>復原</translation>
        </message>
        <message>
            <source>Stop the run and close the window?</source>
            <translation>停止執行並關閉視窗？</translation>
        </message>
        <message>
            <source>Stop and close</source>
            <translation>停止並關閉</translation>
        </message>
        <message>
            <source>Keep running</source>
            <translation>繼續執行</translation>
        </message>
        <message>
            <source>Advice</source>
            <translation>建議</translation>
        </message>
        <message>
            <source>Stop the run?</source>
            <translation>停止執行？</translation>
        </message>
        <message>
            <source>Stop the run after %1?</source>
            <translation>執行已進行 %1，要停止嗎？</translation>
        </message>
        <message>
            <source>Finished cases are kept; the running case is lost.</source>
            <translation>已完成的案例會保留；正在執行的案例會遺失。</translation>
        </message>
        <message>
            <source>Stop the run</source>
            <translation>停止執行</translation>
        </message>
        <message>
            <source>A run is in progress</source>
            <translation>正在執行</translation>
        </message>
        <message>
            <source>The network was added. It is on the pages Benchmark and Cost &amp; advice.</source>
            <translation>已加入網路，見「基準測試」和「費用與建議」頁。</translation>
        </message>
        <message>
            <source>Add a network</source>
            <translation>加入網路</translation>
        </message>
        <message>
            <source>Your networks</source>
            <translation>您的網路</translation>
        </message>
        <message>
            <source>Networks (*.onnx *.json);;All files (*)</source>
            <translation>網路 (*.onnx *.json);;所有檔案 (*)</translation>
        </message>
        <message>
            <source>%1 was removed from the list. Its file stays.</source>
            <translation>已將 %1 從列表中移除，檔案保留。</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>開啟資料夾</translation>
        </message>
        <message>
            <source>Ctrl+1 to Ctrl+9 and Ctrl+0 open the pages, Ctrl+R starts a run, Ctrl+. stops it (on the Benchmark page Esc does, too), Ctrl+E exports, Ctrl+Z brings deleted runs back, F1 shows this help. Tab moves to the next control. In a chart the arrow keys move from point to point and Enter shows the case.</source>
            <translation>Ctrl+1 至 Ctrl+9 和 Ctrl+0 開啟各頁面，Ctrl+R 開始執行，Ctrl+. 停止執行（在基準測試頁面上 Esc 也可以），Ctrl+E 匯出，Ctrl+Z 復原已刪除的執行，F1 顯示本說明。Tab 移到下一個控制項。在圖表中，方向鍵在各點之間移動，Enter 顯示該案例。</translation>
        </message>
        <message>
            <source>Campaign %1: %2.</source>
            <translation>測量計劃 %1：%2。</translation>
        </message>
        <message>
            <source>See campaign</source>
            <translation>查看測量計劃</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::Navigation</name>
        <message>
            <source>Pages</source>
            <translation>頁面</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>執行進度</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::NetworkDialog</name>
        <message>
            <source>Add a network</source>
            <translation>新增網路</translation>
        </message>
        <message>
            <source>Reading the file…</source>
            <translation>正在讀取檔案…</translation>
        </message>
        <message>
            <source>Take the part before it</source>
            <translation>改用該節點之前的部分</translation>
        </message>
        <message>
            <source>Name in the list</source>
            <translation>列表中的名稱</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Add</source>
            <translation>新增</translation>
        </message>
        <message>
            <source>not set</source>
            <translation>未設定</translation>
        </message>
        <message>
            <source>The file stays where it is. The list keeps its path and recognises it by its structure.</source>
            <translation>檔案留在原處。列表記住其路徑，並按其結構識別。</translation>
        </message>
        <message>
            <source>A copy of the file is kept.</source>
            <translation>將保留一份檔案副本。</translation>
        </message>
        <message>
            <source>Shape of %1</source>
            <translation>%1 的形狀</translation>
        </message>
        <message>
            <source>Value of %1</source>
            <translation>%1 的值</translation>
        </message>
        <message>
            <source>set here if it decides sizes</source>
            <translation>若它決定尺寸，請在此設定</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::NoticeBar</name>
        <message>
            <source>Close this message</source>
            <translation>關閉此訊息</translation>
        </message>
        <message numerus="yes">
            <source>%n more below</source>
            <translation>
                <numerusform>另有 %n 則</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::Page</name>
        <message>
            <source>Exported to %1</source>
            <translation>已匯出到 %1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::PriceView</name>
        <message>
            <source>All prices with date and source</source>
            <translation>所有價格及其日期和來源</translation>
        </message>
        <message>
            <source>Choose a row to set its price</source>
            <translation>選擇一列以設定其價格</translation>
        </message>
        <message>
            <source>Price per hour</source>
            <translation>每小時價格</translation>
        </message>
        <message>
            <source>Where does the price come from?</source>
            <translation>來自哪裡？</translation>
        </message>
        <message>
            <source>Source of the price</source>
            <translation>價格來源</translation>
        </message>
        <message>
            <source>Use this price</source>
            <translation>使用此價格</translation>
        </message>
        <message>
            <source>Import price list…</source>
            <translation>匯入價目表…</translation>
        </message>
        <message>
            <source>A vms.csv of the SkyPilot catalogue</source>
            <translation>SkyPilot 目錄中的 vms.csv</translation>
        </message>
        <message>
            <source>Import a price list</source>
            <translation>匯入價目表</translation>
        </message>
        <message>
            <source>SkyPilot catalogues (vms.csv)</source>
            <translation>SkyPilot 目錄 (vms.csv)</translation>
        </message>
        <message>
            <source>Search machines, regions and sources</source>
            <translation>搜尋機器、區域和來源</translation>
        </message>
        <message>
            <source>Open the source</source>
            <translation>開啟來源</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::PruneDialog</name>
        <message>
            <source>Delete old runs</source>
            <translation>刪除舊執行</translation>
        </message>
        <message>
            <source>Keep the newest runs:</source>
            <translation>保留最新的執行（次）：</translation>
        </message>
        <message>
            <source>Keep all runs from this day on:</source>
            <translation>保留自此日起的所有執行：</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>刪除</translation>
        </message>
        <message>
            <source>Runs with a note and runs in progress are always kept. Undo restores deleted runs until the window is closed.</source>
            <translation>有備註的執行和正在進行的執行一律保留。在視窗關閉之前，可用「復原」找回已刪除的執行。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::PurchaseView</name>
        <message>
            <source>Card to buy</source>
            <translation>要買的顯示卡</translation>
        </message>
        <message>
            <source>Rest of the PC</source>
            <translation>電腦其餘零件</translation>
        </message>
        <message>
            <source>PC power without GPU</source>
            <translation>不含 GPU 的整機功率</translation>
        </message>
        <message>
            <source>Electricity price per kWh</source>
            <translation>每度電價</translation>
        </message>
        <message>
            <source>Utilisation</source>
            <translation>使用率</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>Price of %1, source %2</source>
            <translation>%1 的價格，來源 %2</translation>
        </message>
        <message>
            <source>Utilisation: %1</source>
            <translation>使用率：%1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ReportPage</name>
        <message>
            <source>Report</source>
            <translation>報告</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>執行</translation>
        </message>
        <message>
            <source>Other formats</source>
            <translation>其他格式</translation>
        </message>
        <message>
            <source>Web page (HTML)…</source>
            <translation>網頁 (HTML)…</translation>
        </message>
        <message>
            <source>Text (Markdown)…</source>
            <translation>文字 (Markdown)…</translation>
        </message>
        <message>
            <source>Table (CSV)…</source>
            <translation>表格 (CSV)…</translation>
        </message>
        <message>
            <source>Data (JSON)…</source>
            <translation>資料 (JSON)…</translation>
        </message>
        <message>
            <source>All, with the charts, as a folder…</source>
            <translation>全部格式及圖表，存為資料夾…</translation>
        </message>
        <message>
            <source>Save as PDF…</source>
            <translation>儲存為 PDF…</translation>
        </message>
        <message>
            <source>With the recommendation of Cost &amp;&amp; advice</source>
            <translation>包含「費用與建議」的建議</translation>
        </message>
        <message>
            <source>With the recommendation of Cost &amp; advice</source>
            <translation>包含「費用與建議」的建議</translation>
        </message>
        <message>
            <source>With all raw samples</source>
            <translation>包含全部原始樣本</translation>
        </message>
        <message>
            <source>Nothing to report yet</source>
            <translation>還沒有可報告的內容</translation>
        </message>
        <message>
            <source>Run a benchmark, or ask for a recommendation on the page Cost &amp; advice.</source>
            <translation>請執行基準測試，或在「費用與建議」頁面獲取建議。</translation>
        </message>
        <message>
            <source>Preview of the report</source>
            <translation>報告預覽</translation>
        </message>
        <message>
            <source>Save the report</source>
            <translation>儲存報告</translation>
        </message>
        <message>
            <source>Reports (*.%1)</source>
            <comment>a file name pattern</comment>
            <translation>報告 (*.%1)</translation>
        </message>
        <message>
            <source>Saved as %1</source>
            <translation>已儲存為 %1</translation>
        </message>
        <message>
            <source>Save the report with its charts in a folder</source>
            <translation>將報告及圖表儲存到資料夾</translation>
        </message>
        <message>
            <source>Folders (*)</source>
            <translation>資料夾 (*)</translation>
        </message>
        <message>
            <source>Saved in the folder %1</source>
            <translation>已儲存到資料夾 %1</translation>
        </message>
        <message>
            <source>The report holds what was measured, what is recommended and why, the charts, how it was measured, and the prices with their dates. It is shown here as it will be printed, in the language of the window. The recommendation is the answer on the page Cost &amp; advice as it stands there.</source>
            <translation>報告包含量測結果、建議及理由、圖表、量測方法以及帶日期的價格。這裡顯示的就是列印出來的樣子，使用視窗的語言。建議就是「費用與建議」頁面上當前的答案。</translation>
        </message>
        <message>
            <source>Writing the report…</source>
            <translation>正在寫入報告…</translation>
        </message>
        <message>
            <source>Progress of writing the report</source>
            <translation>報告寫入進度</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>The report was not saved: it was cancelled.</source>
            <translation>報告未儲存：已取消。</translation>
        </message>
        <message>
            <source>The report could not be saved</source>
            <translation>報告未儲存</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ResultsPage</name>
        <message numerus="yes">
            <source>%n case(s)</source>
            <translation>
                <numerusform>%n 個案例</numerusform>
            </translation>
        </message>
        <message>
            <source>Results</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>No results yet</source>
            <translation>尚無結果</translation>
        </message>
        <message>
            <source>Run a benchmark on this computer, or import a result file on the page History &amp; compare.</source>
            <translation>在這台電腦上執行基準測試，或在「歷史與比較」頁匯入結果檔。</translation>
        </message>
        <message>
            <source>Choose what to run</source>
            <translation>選擇要執行的內容</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>執行</translation>
        </message>
        <message>
            <source>Unit</source>
            <translation>單位</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>匯出</translation>
        </message>
        <message>
            <source>Chart as image (PNG)…</source>
            <translation>圖表存為影像 (PNG)…</translation>
        </message>
        <message>
            <source>Chart as drawing (SVG)…</source>
            <translation>圖表存為向量圖 (SVG)…</translation>
        </message>
        <message>
            <source>Chart as page (PDF)…</source>
            <translation>圖表存為頁面 (PDF)…</translation>
        </message>
        <message>
            <source>Data as table (CSV)…</source>
            <translation>資料存為表格 (CSV)…</translation>
        </message>
        <message>
            <source>Views of the run</source>
            <translation>執行的檢視</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>Batch sweep</source>
            <translation>批次掃描</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source>All figures</source>
            <translation>全部資料</translation>
        </message>
        <message>
            <source>All figures of the run</source>
            <translation>本次執行的全部資料</translation>
        </message>
        <message>
            <source>Close the details</source>
            <translation>關閉詳細資訊</translation>
        </message>
        <message>
            <source>Details of the case</source>
            <translation>案例詳細資訊</translation>
        </message>
        <message>
            <source>Case</source>
            <translation>案例</translation>
        </message>
        <message>
            <source>Each mark is the median of one case; the line through it is its 95 % interval. Cases without a result are dashes that tell why on hover. Click a mark for everything known about the case. Values far apart are drawn on a logarithmic axis. The table button above a chart shows the same data as rows.</source>
            <translation>每個標記是一個案例的中位數；穿過它的線是 95 % 區間。沒有結果的案例顯示為短橫線，停留可檢視原因。按一下標記可檢視該案例的全部資訊。相差懸殊的數值繪製在對數軸上。圖表上方的表格按鈕以列的形式顯示相同的資料。</translation>
        </message>
        <message>
            <source>Roofline</source>
            <translation>屋頂線</translation>
        </message>
        <message>
            <source>GPUs</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>重新執行</translation>
        </message>
        <message>
            <source>Measure again</source>
            <translation>重新測量</translation>
        </message>
        <message>
            <source>Measures this case in a run of its own. Close other programs first.</source>
            <translation>將此案例作為單獨的一次執行測量。請先關閉其他程式。</translation>
        </message>
        <message>
            <source>Other devices</source>
            <translation>其他裝置</translation>
        </message>
        <message>
            <source>Copy as Markdown</source>
            <translation>複製為 Markdown</translation>
        </message>
        <message>
            <source>Copy as picture</source>
            <translation>複製為圖片</translation>
        </message>
        <message>
            <source>Copied as Markdown.</source>
            <translation>已複製為 Markdown。</translation>
        </message>
        <message>
            <source>Copied as a picture.</source>
            <translation>已複製為圖片。</translation>
        </message>
        <message>
            <source>No case of this run has finished</source>
            <translation>這次執行沒有完成任何案例</translation>
        </message>
        <message>
            <source>The run is in progress. Its cases appear here when they are measured.</source>
            <translation>執行正在進行。測量完成的案例會顯示在這裡。</translation>
        </message>
        <message>
            <source>It has no results that could be shown.</source>
            <translation>沒有可顯示的結果。</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>繼續</translation>
        </message>
        <message>
            <source>Measures the remaining cases of an interrupted run with its original settings.</source>
            <translation>按原先的要求，測量中斷的執行中尚缺的部分。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunController</name>
        <message>
            <source>Skipped a line longer than %1 MiB.</source>
            <translation>略過了一行超過 %1 MiB 的內容。</translation>
        </message>
        <message>
            <source>Skipped a line that is not an event: %1</source>
            <translation>略過了一行非事件內容：%1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunNotices</name>
        <message>
            <source>The run could not be stored. All of it is in %1.</source>
            <translation>這次執行未能存入記錄。全部結果在 %1 中。</translation>
        </message>
        <message>
            <source>Import it</source>
            <translation>匯入</translation>
        </message>
        <message>
            <source>The stored runs were moved or deleted: %1 is a new, empty file.</source>
            <translation>已儲存的執行被移動或刪除：%1 是一個新的空檔案。</translation>
        </message>
        <message>
            <source>%1 Finished cases are kept.</source>
            <translation>%1 已完成的案例會保留。</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>繼續</translation>
        </message>
        <message numerus="yes">
            <source>The last run was interrupted after %1 of %n case(s).</source>
            <translation>
                <numerusform>上次執行在完成 %1 個案例（共 %n 個）後中斷。</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 The run continues; when it ends, all of it is written to a separate file.</source>
            <translation>%1 執行會繼續；結束時，全部結果會另存成一個檔案。</translation>
        </message>
        <message numerus="yes">
            <source>Benchmark stopped: %1 of %n case(s).</source>
            <translation>
                <numerusform>基準測試已停止：完成 %1/%n 個案例。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Benchmark finished: %1 of %n case(s).</source>
            <translation>
                <numerusform>基準測試完成：%1/%n 個案例。</numerusform>
            </translation>
        </message>
        <message>
            <source>See results</source>
            <translation>檢視結果</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunSetupView</name>
        <message>
            <source>GPUs together</source>
            <translation>多 GPU</translation>
        </message>
        <message>
            <source>Choose at least one kind of scaling.</source>
            <translation>請至少選擇一種擴展方式。</translation>
        </message>
        <message>
            <source>What to run</source>
            <translation>執行內容</translation>
        </message>
        <message>
            <source>Suite</source>
            <translation>套件</translation>
        </message>
        <message>
            <source>Search workloads</source>
            <translation>搜尋工作負載</translation>
        </message>
        <message>
            <source>Show only runnable</source>
            <translation>僅顯示可執行的</translation>
        </message>
        <message>
            <source>Workloads</source>
            <translation>工作負載</translation>
        </message>
        <message>
            <source>How</source>
            <translation>執行方式</translation>
        </message>
        <message>
            <source>Modes</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>裝置</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Samples per step. Several numbers, separated by commas, make a sweep.</source>
            <translation>每步的樣本數。以逗號分隔多個數字即可進行掃描。</translation>
        </message>
        <message>
            <source>CPU threads. Several numbers, separated by commas, show how it scales.</source>
            <translation>CPU 執行緒數。以逗號分隔多個數字即可檢視擴展性。</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source> s</source>
            <translation> 秒</translation>
        </message>
        <message>
            <source>Longest sampling time per case.</source>
            <translation>單個案例取樣的最長時間。</translation>
        </message>
        <message>
            <source>Time cap</source>
            <translation>時間上限</translation>
        </message>
        <message>
            <source>Sample until the 95 % interval of the median is that narrow.</source>
            <translation>取樣直到中位數的 95 % 區間達到此寬度。</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>執行</translation>
        </message>
        <message numerus="yes">
            <source>%1 (%n case(s))</source>
            <translation>
                <numerusform>%1（%n 個案例）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>all %n core(s)</source>
            <translation>
                <numerusform>全部 %n 個核心</numerusform>
            </translation>
        </message>
        <message>
            <source>Checking what can run here…</source>
            <translation>正在查看此處可執行的內容…</translation>
        </message>
        <message>
            <source>Choose a suite, or check at least one workload.</source>
            <translation>請選擇套件，或至少勾選一個工作負載。</translation>
        </message>
        <message>
            <source>Choose training, inference or both.</source>
            <translation>請選擇訓練、推論或兩者。</translation>
        </message>
        <message>
            <source>Choose at least one device.</source>
            <translation>請至少選擇一個裝置。</translation>
        </message>
        <message>
            <source>Choose at least one precision.</source>
            <translation>請至少選擇一種精度。</translation>
        </message>
        <message numerus="yes">
            <source>Run %n case(s)</source>
            <translation>
                <numerusform>執行 %n 個案例</numerusform>
            </translation>
        </message>
        <message>
            <source>About %1. You can stop at any time; finished cases are kept.</source>
            <translation>約 %1。可隨時停止；已完成的案例會保留。</translation>
        </message>
        <message>
            <source>None of the chosen cases can run here.</source>
            <translation>所選案例均無法在此執行。</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>資料</translation>
        </message>
        <message>
            <source>Choose the folder with the data sets in Settings first.</source>
            <translation>請先在「設定」中選擇資料集所在的資料夾。</translation>
        </message>
        <message>
            <source>Times the step, the input pipeline, and both together, with the files of %1</source>
            <translation>以 %1 中的檔案對訓練步、輸入管線以及兩者一起計時</translation>
        </message>
        <message>
            <source>default</source>
            <translation>預設</translation>
        </message>
        <message>
            <source>use real data</source>
            <translation>使用真實資料</translation>
        </message>
        <message>
            <source>±1 % (default ±2 %)</source>
            <translation>±1 %（預設 ±2 %）</translation>
        </message>
        <message>
            <source>Precision target</source>
            <translation>精度目標</translation>
        </message>
        <message>
            <source>The duration is unknown. You can stop at any time.</source>
            <translation>所需時間未知。可隨時停止。</translation>
        </message>
        <message>
            <source>Add a network…</source>
            <translation>新增網路…</translation>
        </message>
        <message>
            <source>Add an ONNX file, or a network described in JSON; files can also be dropped on the window.</source>
            <translation>新增 ONNX 檔案，或用 JSON 描述的網路；也可將檔案拖到視窗上。</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Remove the selected network from the list. Its file stays.</source>
            <translation>將所選網路從列表中移除，檔案保留。</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>從列表中移除</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunView</name>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>See results</source>
            <translation>檢視結果</translation>
        </message>
        <message>
            <source>New run</source>
            <translation>新的執行</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>執行進度</translation>
        </message>
        <message>
            <source>CPU load</source>
            <translation>CPU 負載</translation>
        </message>
        <message>
            <source>Clock</source>
            <translation>時脈</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>溫度</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶體</translation>
        </message>
        <message>
            <source>GPU load</source>
            <translation>GPU 負載</translation>
        </message>
        <message>
            <source>Stopping…</source>
            <translation>正在停止…</translation>
        </message>
        <message>
            <source>Hide counters</source>
            <translation>隱藏計數器</translation>
        </message>
        <message>
            <source>Show counters</source>
            <translation>顯示計數器</translation>
        </message>
        <message>
            <source>Case %1 of %2</source>
            <translation>案例 %1 / %2</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在啟動…</translation>
        </message>
        <message>
            <source>Preparing the next case</source>
            <translation>正在準備下一個案例</translation>
        </message>
        <message>
            <source>%1 so far, about %2 to go</source>
            <translation>已用 %1，約剩 %2</translation>
        </message>
        <message>
            <source>%1 so far</source>
            <translation>已用 %1</translation>
        </message>
        <message>
            <source>n = %1, median within ±%2</source>
            <translation>n = %1，中位數 ±%2 以內</translation>
        </message>
        <message>
            <source>%1…</source>
            <translation>%1…</translation>
        </message>
        <message>
            <source>Waiting for the first sample…</source>
            <translation>正在等待第一個樣本…</translation>
        </message>
        <message>
            <source>%1 MHz</source>
            <translation>%1 MHz</translation>
        </message>
        <message>
            <source>%1 °C</source>
            <translation>%1 °C</translation>
        </message>
        <message>
            <source>All of this run is in %1. Import it on the page History &amp; compare, or in the terminal: steelyard-cli history import %1</source>
            <translation>這次執行的全部結果在 %1 中。可在「歷史與比較」頁面匯入，或在終端機中執行：steelyard-cli history import %1</translation>
        </message>
        <message>
            <source>Stop the run (Esc here, Ctrl+. on every page). Finished cases are kept.</source>
            <translation>停止執行（本頁按 Esc，任何頁面按 Ctrl+.）。已完成的案例會保留。</translation>
        </message>
        <message>
            <source>The run failed</source>
            <translation>執行失敗</translation>
        </message>
        <message>
            <source>Benchmark finished</source>
            <translation>基準測試完成</translation>
        </message>
        <message>
            <source>Run stopped</source>
            <translation>執行已停止</translation>
        </message>
        <message numerus="yes">
            <source>Benchmark finished: %1 of %n case(s) in %2.</source>
            <translation>
                <numerusform>基準測試完成：%1/%n 個案例，用時 %2。</numerusform>
            </translation>
        </message>
        <message>
            <source>Stopped after %1; no case finished.</source>
            <translation>%1 後停止；沒有完成的案例。</translation>
        </message>
        <message numerus="yes">
            <source>Stopped after %1; %2 of %n case(s) finished.</source>
            <translation>
                <numerusform>%1 後停止；完成 %2/%n 個案例。</numerusform>
            </translation>
        </message>
        <message>
            <source>Case %1 of %2, visit %3 of %4</source>
            <translation>案例 %1 / %2，第 %3 輪（共 %4 輪）</translation>
        </message>
        <message>
            <source>Cases: finished, running, queued</source>
            <translation>案例：已完成、執行中、排隊中</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>繼續</translation>
        </message>
        <message>
            <source>Measures the remaining cases of an interrupted run with its original settings.</source>
            <translation>按原先的要求，測量中斷的執行中尚缺的部分。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunsModel</name>
        <message numerus="yes">
            <source>%n without result</source>
            <translation>
                <numerusform>%n 個沒有結果</numerusform>
            </translation>
        </message>
        <message>
            <source>complete</source>
            <translation>完整</translation>
        </message>
        <message>
            <source>not finished</source>
            <translation>未完成</translation>
        </message>
        <message>
            <source>Double-click to write a note.</source>
            <translation>按兩下以撰寫備註。</translation>
        </message>
        <message>
            <source>Run %1, program %2, suite version %3</source>
            <translation>執行 %1，程式 %2，套件版本 %3</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>開始時間</translation>
        </message>
        <message>
            <source>Computer</source>
            <translation>電腦</translation>
        </message>
        <message>
            <source>Suite</source>
            <translation>套件</translation>
        </message>
        <message>
            <source>Cases</source>
            <translation>案例</translation>
        </message>
        <message>
            <source>State</source>
            <translation>狀態</translation>
        </message>
        <message>
            <source>Origin</source>
            <translation>來源</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>備註</translation>
        </message>
        <message>
            <source>in progress</source>
            <translation>進行中</translation>
        </message>
        <message>
            <source>stopped by you</source>
            <translation>由您停止</translation>
        </message>
        <message numerus="yes">
            <source>stopped by you after %1 of %n case(s)</source>
            <translation>
                <numerusform>由您停止：完成 %1 個案例（共 %n 個）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>interrupted after %1 of %n case(s)</source>
            <translation>
                <numerusform>已中斷：完成 %1 個案例（共 %n 個）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n disturbed</source>
            <translation>
                <numerusform>%n 個受干擾</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>You stopped this run after %1 of %n case(s).</source>
            <translation>
                <numerusform>您在完成 %1 個案例（共 %n 個）後停止了這次執行。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>This run was interrupted after %1 of %n case(s).</source>
            <translation>
                <numerusform>這次執行在完成 %1 個案例（共 %n 個）後中斷。</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::SettingsPage</name>
        <message>
            <source>Settings</source>
            <translation>設定</translation>
        </message>
        <message>
            <source>Reset to defaults</source>
            <translation>恢復預設值</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>淺色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>語言</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主題</translation>
        </message>
        <message>
            <source>Measuring</source>
            <translation>量測</translation>
        </message>
        <message>
            <source> s</source>
            <translation> 秒</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Time cap for a case</source>
            <translation>單個案例的時間上限</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>選擇…</translation>
        </message>
        <message>
            <source>Use the default file</source>
            <translation>使用預設檔案</translation>
        </message>
        <message>
            <source>File for the results</source>
            <translation>結果檔案</translation>
        </message>
        <message>
            <source>Databases (*.sqlite)</source>
            <translation>資料庫 (*.sqlite)</translation>
        </message>
        <message>
            <source>Reset settings</source>
            <translation>重設設定</translation>
        </message>
        <message>
            <source>Set everything on this page back to its default?</source>
            <translation>將此頁面的所有設定恢復為預設值？</translation>
        </message>
        <message>
            <source>Stored runs are not touched.</source>
            <translation>已儲存的執行不受影響。</translation>
        </message>
        <message>
            <source>Reset</source>
            <translation>重設</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>Every change takes effect at once and is remembered. The measuring options are those of the next run.</source>
            <translation>每項變更立即生效並被記住。量測選項用於下一次執行。</translation>
        </message>
        <message>
            <source>Costs</source>
            <translation>費用</translation>
        </message>
        <message>
            <source>all usable cores</source>
            <translation>全部可用核心</translation>
        </message>
        <message>
            <source>half of the usable cores</source>
            <translation>一半可用核心</translation>
        </message>
        <message>
            <source>one</source>
            <translation>一個</translation>
        </message>
        <message>
            <source>Of a case on the CPU, where the Benchmark page names no number</source>
            <translation>用於 CPU 上的案例，當「基準測試」頁未指定數目時</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>執行緒</translation>
        </message>
        <message>
            <source> days</source>
            <translation> 天</translation>
        </message>
        <message>
            <source>Mark prices older than</source>
            <translation>標示早於此時間的價格</translation>
        </message>
        <message>
            <source>Files</source>
            <translation>檔案</translation>
        </message>
        <message>
            <source>Data sets for runs with real data: a folder with the files of MNIST, CIFAR-10 and others.</source>
            <translation>使用真實資料執行時的資料集：包含 MNIST、CIFAR-10 等檔案的資料夾。</translation>
        </message>
        <message>
            <source>Choose folder…</source>
            <translation>選擇資料夾…</translation>
        </message>
        <message>
            <source>Folder with the data sets</source>
            <translation>資料集所在的資料夾</translation>
        </message>
        <message>
            <source>Compacting…</source>
            <translation>正在釋放空間…</translation>
        </message>
        <message>
            <source>The file was not compacted.</source>
            <translation>沒有釋放任何空間。</translation>
        </message>
        <message>
            <source>Appearance</source>
            <translation>外觀</translation>
        </message>
        <message>
            <source>System default</source>
            <translation>跟隨系統</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>Precision target: ±1 % (default ±2 %)</source>
            <translation>精度目標：±1 %（預設 ±2 %）</translation>
        </message>
        <message>
            <source>default</source>
            <translation>預設</translation>
        </message>
        <message>
            <source>Electricity price per kWh</source>
            <translation>每度電價</translation>
        </message>
        <message>
            <source>All runs are kept in one file. Choose another file to keep runs separate or on a shared drive.</source>
            <translation>所有執行保存在一個檔案中。可另選檔案，將執行分開保存或放在共用磁碟上。</translation>
        </message>
        <message>
            <source>Compact file</source>
            <translation>壓縮檔案</translation>
        </message>
        <message>
            <source>Your results stay on this computer. The program opens no network connection; you decide who sees them.</source>
            <translation>結果只保存在本機。程式不建立任何網路連線；由您決定誰能看到結果。</translation>
        </message>
        <message>
            <source>Use synthetic data</source>
            <translation>使用合成資料</translation>
        </message>
        <message>
            <source>none: synthetic data</source>
            <translation>未選擇：使用合成資料</translation>
        </message>
        <message>
            <source>Shrinks the file to its content; deleted runs can no longer be restored.</source>
            <translation>將檔案縮小到其內容所需的大小；之後無法再找回已刪除的執行。</translation>
        </message>
        <message>
            <source>About</source>
            <translation>關於</translation>
        </message>
        <message>
            <source>Steelyard %1, Apache License 2.0</source>
            <translation>Steelyard %1，Apache 授權條款 2.0</translation>
        </message>
        <message>
            <source>With Qt %1 (LGPL 3), oneDNN, OpenBLAS, hwloc and SQLite, each under its own licence.</source>
            <translation>使用 Qt %1（LGPL 3）、oneDNN、OpenBLAS、hwloc 和 SQLite，各依其自身授權條款。</translation>
        </message>
        <message>
            <source>US dollar</source>
            <translation>美元</translation>
        </message>
        <message>
            <source>Euro</source>
            <translation>歐元</translation>
        </message>
        <message>
            <source>Chinese yuan</source>
            <translation>人民幣</translation>
        </message>
        <message>
            <source>New Taiwan dollar</source>
            <translation>新臺幣</translation>
        </message>
        <message>
            <source>Pound sterling</source>
            <translation>英鎊</translation>
        </message>
        <message>
            <source>Currency</source>
            <translation>貨幣</translation>
        </message>
        <message>
            <source>enter a rate</source>
            <translation>請輸入匯率</translation>
        </message>
        <message>
            <source>1 US dollar =</source>
            <translation>1 美元 =</translation>
        </message>
        <message>
            <source>Where is it from?</source>
            <translation>來源</translation>
        </message>
        <message>
            <source>Source of the rate</source>
            <translation>匯率來源</translation>
        </message>
        <message>
            <source>entered by you</source>
            <translation>由您輸入</translation>
        </message>
        <message>
            <source>Rate of %1. Prices are collected in US dollars and converted; this program does not go online, so enter a current rate from time to time.</source>
            <translation>%1 的匯率。價格以美元蒐集後換算；本程式不連線，請不時輸入最新匯率。</translation>
        </message>
        <message>
            <source>Enter an exchange rate: this program does not go online. Until then amounts are in US dollars.</source>
            <translation>請輸入匯率：本程式不連線。在此之前金額以美元顯示。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::StudiesPage</name>
        <message>
            <source>Studies</source>
            <translation>研究</translation>
        </message>
        <message>
            <source>Study</source>
            <translation>研究</translation>
        </message>
        <message>
            <source>Open table…</source>
            <translation>開啟表格…</translation>
        </message>
        <message>
            <source>A CSV file with the columns workload, platform, variant, epoch_seconds, price_usd_per_hour</source>
            <translation>含有 workload、platform、variant、epoch_seconds、price_usd_per_hour 各欄的 CSV 檔案</translation>
        </message>
        <message>
            <source>Open a study</source>
            <translation>開啟研究</translation>
        </message>
        <message>
            <source>Tables (*.csv)</source>
            <translation>表格 (*.csv)</translation>
        </message>
        <message>
            <source>money first</source>
            <translation>省錢優先</translation>
        </message>
        <message>
            <source>time first</source>
            <translation>省時優先</translation>
        </message>
        <message>
            <source>Compared with</source>
            <translation>比較對象</translation>
        </message>
        <message>
            <source>Workload of the chart</source>
            <translation>圖表的工作負載</translation>
        </message>
        <message>
            <source>What if a platform cost more, or less?</source>
            <translation>如果某個平台更貴或更便宜呢？</translation>
        </message>
        <message>
            <source>Views of the study</source>
            <translation>研究的檢視</translation>
        </message>
        <message>
            <source>Winners</source>
            <translation>勝者</translation>
        </message>
        <message>
            <source>Relative time</source>
            <translation>相對時間</translation>
        </message>
        <message>
            <source>Relative cost</source>
            <translation>相對費用</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>時間與費用</translation>
        </message>
        <message>
            <source>Variants</source>
            <translation>變體</translation>
        </message>
        <message>
            <source>All figures</source>
            <translation>全部資料</translation>
        </message>
        <message>
            <source>Winners per workload</source>
            <translation>各工作負載的勝者</translation>
        </message>
        <message>
            <source>Effect of the variants</source>
            <translation>變體的效果</translation>
        </message>
        <message>
            <source>All figures of the study</source>
            <translation>研究的全部資料</translation>
        </message>
        <message>
            <source>Price of %1 times</source>
            <translation>%1 的價格倍數</translation>
        </message>
        <message>
            <source>A study is a table of times and prices that somebody published. The slider says how much time counts against money: at 0 only money, at 1 both alike. The factors change the prices of a platform, to see when the answer changes. Relative figures are against the configuration chosen as baseline; the line at 1 is the baseline itself. Open a table of your own, or drop it on this window.</source>
            <translation>研究是他人公布的時間與價格的表格。滑桿表示時間相對於金錢有多重要：為 0 時只看錢，為 1 時兩者同等。倍數可改變某個平台的價格，以觀察答案何時改變。相對值以所選的基準配置為參照；1 處的線就是基準本身。可以開啟您自己的表格，或將其拖放到此視窗。</translation>
        </message>
        <message>
            <source>Priorities</source>
            <translation>優先順序</translation>
        </message>
        <message>
            <source>Money matters ↔ time matters</source>
            <translation>省錢 ↔ 省時</translation>
        </message>
        <message>
            <source>Price multipliers</source>
            <translation>價格倍數</translation>
        </message>
        <message>
            <source>Money matters ↔ time matters (weight %1)</source>
            <translation>省錢 ↔ 省時（權重 %1）</translation>
        </message>
        <message>
            <source>The table could not be opened</source>
            <translation>表格未開啟</translation>
        </message>
        <message>
            <source>The table cannot be evaluated</source>
            <translation>無法權衡此表格</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::TopologyView</name>
        <message>
            <source>Package %1</source>
            <translation>插槽 %1</translation>
        </message>
        <message>
            <source>NUMA node %1</source>
            <translation>NUMA 節點 %1</translation>
        </message>
        <message>
            <source>Processor layout</source>
            <translation>處理器配置</translation>
        </message>
        <message numerus="yes">
            <source>%n core(s), %1 of them allowed</source>
            <translation>
                <numerusform>%n 個核心，其中 %1 個允許使用</numerusform>
            </translation>
        </message>
        <message>
            <source>The topology of the processor is not available.</source>
            <translation>系統未提供處理器的構造資訊。</translation>
        </message>
        <message>
            <source>not allowed</source>
            <translation>不允許</translation>
        </message>
        <message numerus="yes">
            <source>Core %1: %2 of %n thread(s) allowed</source>
            <translation>
                <numerusform>核心 %1：%n 個執行緒中 %2 個允許使用</numerusform>
            </translation>
        </message>
        <message>
            <source>available core</source>
            <translation>可用核心</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::TrendCard</name>
        <message>
            <source>Case</source>
            <translation>案例</translation>
        </message>
        <message>
            <source>Close the trend</source>
            <translation>關閉趨勢</translation>
        </message>
        <message>
            <source>This run has no result.</source>
            <translation>此執行沒有結果。</translation>
        </message>
    </context>
    <context>
        <name>HelpText</name>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Samples that one step computes together. Larger batches use a device better and need more memory.</source>
            <translation>一步中一起計算的樣本。較大的批次能更充分利用裝置，但需要更多記憶體。</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>One pass over a batch: in training forward, backward and update; in inference forward only.</source>
            <translation>對一個批次的一次處理：訓練時包括前向、反向和更新；推論時只有前向。</translation>
        </message>
        <message>
            <source>Epoch</source>
            <translation>輪</translation>
        </message>
        <message>
            <source>One pass over all samples of a data set.</source>
            <translation>對資料集全部樣本的一次走訪。</translation>
        </message>
        <message>
            <source>fp32, tf32, bf16, fp16</source>
            <translation>fp32、tf32、bf16、fp16</translation>
        </message>
        <message>
            <source>Number formats. The shorter ones are faster on devices with units for them and take half the memory; tf32 is fp32 with fewer digits in products. Training with fp16 keeps a copy of the weights in fp32 (mixed precision).</source>
            <translation>數值格式。較短的格式在具備相應單元的裝置上更快，並只占一半記憶體；tf32 是乘法位數較少的 fp32。以 fp16 訓練時保留一份 fp32 權重（混合精度）。</translation>
        </message>
        <message>
            <source>Median and 95 % interval</source>
            <translation>中位數與 95 % 區間</translation>
        </message>
        <message>
            <source>Half of the samples are faster than the median. With a probability of 95 % the true median lies within the interval.</source>
            <translation>一半樣本比中位數快。真實中位數有 95 % 的機率落在該區間內。</translation>
        </message>
        <message>
            <source>Estimate and 80 % range</source>
            <translation>估算與 80 % 範圍</translation>
        </message>
        <message>
            <source>Computed for a device that was not measured. In 80 % of cases the true value lies within the range.</source>
            <translation>為未測量的裝置計算得出。在 80 % 的情況下，真實值落在該範圍內。</translation>
        </message>
        <message>
            <source>Correctness</source>
            <translation>正確性</translation>
        </message>
        <message>
            <source>Before it is timed, a case is computed by a simple reference as well, and the results are compared.</source>
            <translation>計時之前，還會用簡單的參考實作計算同一案例並比較結果。</translation>
        </message>
        <message>
            <source>Spot instance</source>
            <translation>競價執行個體</translation>
        </message>
        <message>
            <source>A cheaper rented machine that the provider may take back at any time.</source>
            <translation>較便宜的租用機器，供應商可隨時收回。</translation>
        </message>
        <message>
            <source>Arithmetic intensity</source>
            <translation>算術強度</translation>
        </message>
        <message>
            <source>Operations for each byte moved from or to memory.</source>
            <translation>每讀寫一個位元組記憶體所做的運算次數。</translation>
        </message>
        <message>
            <source>Roofline</source>
            <translation>屋頂線</translation>
        </message>
        <message>
            <source>The highest speed that memory bandwidth and arithmetic allow, by arithmetic intensity. Left of the bend memory limits, right of it arithmetic.</source>
            <translation>在給定算術強度下，記憶體頻寬和算力所允許的最高速度。轉折點左側受記憶體限制，右側受算力限制。</translation>
        </message>
        <message>
            <source>Launch overhead</source>
            <translation>啟動開銷</translation>
        </message>
        <message>
            <source>The time to start an operation. It limits networks of many small operations.</source>
            <translation>啟動一次運算所需的時間。由許多小運算組成的網路受其限制。</translation>
        </message>
        <message>
            <source>Best trade-offs</source>
            <translation>最佳權衡</translation>
        </message>
        <message>
            <source>Offers that no other beats on both time and price.</source>
            <translation>沒有其他報價能在時間和價格上同時勝過的報價。</translation>
        </message>
        <message>
            <source>Utilisation</source>
            <translation>使用率</translation>
        </message>
        <message>
            <source>The share of the time in which a machine computes.</source>
            <translation>機器實際計算的時間占比。</translation>
        </message>
        <message>
            <source>Terms</source>
            <translation>術語</translation>
        </message>
        <message>
            <source>Keys</source>
            <translation>按鍵</translation>
        </message>
    </context>
    <context>
        <name>advisor.instead_in_precision</name>
        <message>
            <source>in %1, batch %2, it would take %3</source>
            <translation>以 %1、批次 %2 計算約需 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.instead_in_precision_with_this_program</name>
        <message>
            <source>with Steelyard itself, in %1, batch %2, it would take %3</source>
            <translation>使用 Steelyard 本身以 %1、批次 %2 計算約需 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.instead_with_this_program</name>
        <message>
            <source>with Steelyard itself, batch %1, it would take %2</source>
            <translation>使用 Steelyard 本身以批次 %1 計算約需 %2</translation>
        </message>
    </context>
</TS>
