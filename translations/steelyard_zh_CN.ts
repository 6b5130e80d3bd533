<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
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
            <translation>%1 无需租用机器：%2以 %5、批次 %6 计算约需 %3（%4）。</translation>
        </message>
        <message>
            <source>No need to rent for %1: %2 takes about %3 (%4), in %5, batch %6, with Steelyard itself.</source>
            <translation>%1 无需租用机器：%2使用 Steelyard 自身以 %5、批次 %6 计算约需 %3（%4）。</translation>
        </message>
        <message>
            <source>The best to rent is %1: %2 takes about %3 (%4) and costs %5 (%6).</source>
            <translation>若要租用，最佳选择是 %1：%2 约需 %3（%4），费用 %5（%6）。</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>时间与费用</translation>
        </message>
        <message>
            <source>No machine could be predicted for this job.</source>
            <translation>无法为此任务预测任何机器。</translation>
        </message>
        <message>
            <source>Job duration</source>
            <translation>任务时间</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>小时</translation>
        </message>
        <message>
            <source>Job cost</source>
            <translation>任务费用</translation>
        </message>
        <message>
            <source>recommended</source>
            <translation>推荐</translation>
        </message>
        <message>
            <source>this computer</source>
            <translation>这台电脑</translation>
        </message>
        <message>
            <source>other offers</source>
            <translation>其他报价</translation>
        </message>
        <message>
            <source>%1: nothing to pay</source>
            <translation>%1：无需付费</translation>
        </message>
        <message>
            <source>No machine can do this job within these limits.</source>
            <translation>没有机器能在这些限制内完成此任务。</translation>
        </message>
        <message>
            <source>Time, relative</source>
            <translation>相对时间</translation>
        </message>
        <message>
            <source>Cost, relative</source>
            <translation>相对费用</translation>
        </message>
        <message>
            <source>%1 is 1 · predicted</source>
            <translation>以 %1 为 1 · 预测值</translation>
        </message>
        <message>
            <source>Relative to the cheapest, less is better</source>
            <translation>相对于最便宜的，越小越好</translation>
        </message>
        <message>
            <source>time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>cost</source>
            <translation>费用</translation>
        </message>
        <message>
            <source>nothing to pay</source>
            <translation>无需付费</translation>
        </message>
        <message>
            <source>There is no card to buy, or none to rent, that can do this job.</source>
            <translation>没有可以购买或可以租用的显卡能完成此任务。</translation>
        </message>
        <message>
            <source>%1 at %2 an hour</source>
            <translation>%1（每小时 %2）</translation>
        </message>
        <message>
            <source>Buy or rent</source>
            <translation>买还是租</translation>
        </message>
        <message>
            <source>Months</source>
            <translation>月数</translation>
        </message>
        <message>
            <source>buy: %1</source>
            <translation>购买：%1</translation>
        </message>
        <message>
            <source>rent: %1</source>
            <translation>租用：%1</translation>
        </message>
        <message>
            <source>pays off after %1</source>
            <translation>%1后回本</translation>
        </message>
        <message>
            <source>best case: %1</source>
            <translation>最好情况：%1</translation>
        </message>
        <message>
            <source>worst case: %1</source>
            <translation>最坏情况：%1</translation>
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
                <numerusform>%n 台内存不足</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are over the budget</source>
            <translation>
                <numerusform>%n 台超出预算</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are too slow for the deadline</source>
            <translation>
                <numerusform>%n 台赶不上期限</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n belong(s) to other providers</source>
            <translation>
                <numerusform>%n 台属于其他提供商</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n is/are spot offers</source>
            <translation>
                <numerusform>%n 台是竞价实例</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n cannot be predicted</source>
            <translation>
                <numerusform>%n 台无法预测</numerusform>
            </translation>
        </message>
        <message>
            <source>, </source>
            <translation>、</translation>
        </message>
        <message>
            <source>No machine can do this job within these limits: %1. Loosen a limit, or choose a smaller batch.</source>
            <translation>没有机器能在这些限制内完成此任务：%1。请放宽限制，或选择较小的批次。</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Use %1: %2 takes about %3 (%4) and there is nothing to pay.</source>
            <translation>使用%1：%2 大约需要 %3（%4），无需付费。</translation>
        </message>
        <message>
            <source>Use %1: %2 takes about %3 (%4) and %5 (%6) of electricity.</source>
            <translation>使用%1：%2 大约需要 %3（%4），电费 %5（%6）。</translation>
        </message>
        <message>
            <source>Rent %1: %2 takes about %3 (%4) and costs %5 (%6).</source>
            <translation>租用 %1：%2 大约需要 %3（%4），费用 %5（%6）。</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>two sentences</comment>
            <translation>%1%2</translation>
        </message>
        <message>
            <source>The fastest to rent, %1, would take %2 for %3.</source>
            <translation>可租用的最快机器 %1 需要 %2，费用 %3。</translation>
        </message>
        <message>
            <source>This computer would take %1.</source>
            <translation>这台电脑需要 %1。</translation>
        </message>
        <message>
            <source>This computer would take %1: %2 as long.</source>
            <translation>这台电脑需要 %1：时间是其 %2。</translation>
        </message>
        <message>
            <source>; </source>
            <translation>；</translation>
        </message>
        <message>
            <source>Prices collected on %1.</source>
            <translation>价格收集于 %1。</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>机器</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Whole job, including the machine&apos;s start-up.</source>
            <translation>整个任务的时间，含启动机器。</translation>
        </message>
        <message>
            <source>Price times billed time.</source>
            <translation>价格乘以计费时间。</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>its price is not known</source>
            <translation>价格未知</translation>
        </message>
        <message>
            <source>Region</source>
            <translation>地区</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>Date</source>
            <translation>日期</translation>
        </message>
        <message>
            <source>Age</source>
            <translation>已过</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>spot</source>
            <translation>竞价</translation>
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
            <translation>旧价格：决定之前请先核对。</translation>
        </message>
        <message>
            <source>Time per step</source>
            <translation>每步时间</translation>
        </message>
        <message>
            <source>Band</source>
            <translation>区间</translation>
        </message>
        <message>
            <source>Limit</source>
            <translation>瓶颈</translation>
        </message>
        <message>
            <source>Cost</source>
            <translation>费用</translation>
        </message>
        <message>
            <source>Billed</source>
            <translation>计费时间</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%2 中的 %1</translation>
        </message>
        <message>
            <source>Scaling</source>
            <translation>扩展效率</translation>
        </message>
        <message>
            <source>Price per hour</source>
            <translation>每小时价格</translation>
        </message>
        <message>
            <source>%1 %3 (%2 %3)</source>
            <translation>%1 %3（%2 %3）</translation>
        </message>
        <message>
            <source>no machine beats these on both time and price</source>
            <translation>没有机器在时间和价格上都更优</translation>
        </message>
        <message>
            <source>best trade-offs</source>
            <translation>最佳折中</translation>
        </message>
        <message>
            <source>Used %5 of the time, a PC with a %1 (%2) pays off after %3, compared with renting %4.</source>
            <translation>使用率为 %5 时，购买配备 %1 的电脑（%2）与租用 %4 相比，%3后回本。</translation>
        </message>
        <message>
            <source>In the worst case renting stays cheaper.</source>
            <translation>在最差情况下，租用始终更便宜。</translation>
        </message>
        <message>
            <source>Between the best and the worst case: after %1 to %2.</source>
            <translation>从最好到最差的情况：%1至%2后。</translation>
        </message>
        <message>
            <source>Used %1 of the time, buying a PC with a %2 (%3) does not pay off within %4: renting %5 stays cheaper.</source>
            <translation>使用率为 %1 时，购买配备 %2 的电脑（%3）在 %4内无法回本：租用 %5 始终更便宜。</translation>
        </message>
        <message>
            <source>In the best case it pays off after %1.</source>
            <translation>在最好情况下，%1后回本。</translation>
        </message>
        <message>
            <source>Total paid</source>
            <translation>累计支出</translation>
        </message>
        <message>
            <source>its price rises more than %1 (then take %2)</source>
            <translation>其价格上涨超过 %1（则选 %2）</translation>
        </message>
        <message>
            <source>it runs more than %1 slower than predicted (then take %2)</source>
            <translation>其运行比预测慢 %1 以上（则选 %2）</translation>
        </message>
        <message>
            <source>It stays the best choice whatever its price or time.</source>
            <translation>无论其价格或时间如何变化，它都是最佳选择。</translation>
        </message>
        <message>
            <source>It stays the best choice unless %1.</source>
            <translation>它始终是最佳选择，除非%1。</translation>
        </message>
        <message>
            <source> or </source>
            <translation>，或</translation>
        </message>
        <message>
            <source>The choice is the same for time weights from %1 to %2.</source>
            <translation>时间权重在 %1 至 %2 之间时选择不变。</translation>
        </message>
        <message>
            <source>The choice is the same for time weights above %1.</source>
            <translation>时间权重高于 %1 时选择不变。</translation>
        </message>
        <message>
            <source>Estimates; in brackets are 80 % prediction ranges.</source>
            <translation>均为估算；括号内为 80 % 预测区间。</translation>
        </message>
        <message numerus="yes">
            <source>Calibrated with %n of your measurement(s).</source>
            <translation>
                <numerusform>已用您的 %n 次测量校准。</numerusform>
            </translation>
        </message>
        <message>
            <source>Price from %1.</source>
            <translation>价格日期：%1。</translation>
        </message>
        <message>
            <source>Source of the price: %1</source>
            <translation>价格来源：%1</translation>
        </message>
        <message>
            <source>In brackets the 80 % prediction range</source>
            <translation>括号内为 80 % 预测区间</translation>
        </message>
        <message>
            <source>Time (estimate)</source>
            <translation>时间（估算）</translation>
        </message>
        <message>
            <source>Cost (estimate)</source>
            <translation>费用（估算）</translation>
        </message>
        <message>
            <source>Price date</source>
            <translation>价格日期</translation>
        </message>
        <message>
            <source>Basis</source>
            <translation>依据</translation>
        </message>
        <message>
            <source>Physical limit</source>
            <translation>物理极限</translation>
        </message>
        <message>
            <source>the same work on both; %1 for %2 (%3, source: %4)</source>
            <translation>两者完成相同的工作；%1 售价 %2（%3），来源 %4</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>区间</translation>
        </message>
        <message>
            <source>No measurements by this program yet: run the benchmark to narrow the intervals.</source>
            <translation>尚未用本程序测量过：运行基准测试后区间会变窄。</translation>
        </message>
        <message>
            <source>the date is unknown</source>
            <translation>日期未知</translation>
        </message>
        <message>
            <source>The price is from %1, %2 days ago: look it up before you decide.</source>
            <translation>价格来自 %1，已有 %2 天：决定前请先核对。</translation>
        </message>
        <message>
            <source>On the card this job takes about %1 (%2).</source>
            <translation>在这张显卡上，该任务约需 %1（%2）。</translation>
        </message>
        <message>
            <source>%1 is left out: %2.</source>
            <translation>%1未参与比较：%2。</translation>
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
            <translation>以 %1 计算约需 %2（%3）</translation>
        </message>
        <message>
            <source>with Steelyard itself, in %1, it would take %2 (%3)</source>
            <translation>使用 Steelyard 自身以 %1 计算约需 %2（%3）</translation>
        </message>
        <message>
            <source>%1 is left out (%2); %3.</source>
            <translation>%1未参与比较（%2）；%3。</translation>
        </message>
        <message>
            <source>%1 · 80 % prediction ranges · better: lower left</source>
            <translation>%1 · 估算值及 80 % 预测区间 · 越靠左下越好</translation>
        </message>
        <message>
            <source>budget %1</source>
            <translation>预算 %1</translation>
        </message>
        <message>
            <source>deadline %1</source>
            <translation>期限 %1</translation>
        </message>
        <message>
            <source>over budget</source>
            <translation>超预算</translation>
        </message>
        <message>
            <source>too slow</source>
            <translation>太慢</translation>
        </message>
        <message>
            <source>other provider</source>
            <translation>其他提供商</translation>
        </message>
        <message>
            <source>too little memory</source>
            <translation>内存不足</translation>
        </message>
        <message>
            <source>left out</source>
            <translation>未纳入</translation>
        </message>
        <message>
            <source>%1/h</source>
            <translation>%1/小时</translation>
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
            <translation>实测</translation>
        </message>
        <message>
            <source>other networks were measured on this device</source>
            <translation>在此设备上测量过其他网络</translation>
        </message>
        <message>
            <source>another processor</source>
            <translation>另一种处理器</translation>
        </message>
        <message>
            <source>costs time</source>
            <translation>更慢</translation>
        </message>
        <message>
            <source>Professional</source>
            <translation>专业人员</translation>
        </message>
        <message>
            <source>Competition</source>
            <translation>参加竞赛</translation>
        </message>
        <message>
            <source>Researcher</source>
            <translation>研究人员</translation>
        </message>
        <message>
            <source>Team with a cluster</source>
            <translation>有集群的团队</translation>
        </message>
        <message>
            <source>other networks measured on the device</source>
            <translation>设备上测量过其他网络</translation>
        </message>
        <message>
            <source>convolutional networks</source>
            <translation>卷积网络</translation>
        </message>
        <message>
            <source>transformers</source>
            <translation>Transformer</translation>
        </message>
        <message>
            <source>recurrent networks</source>
            <translation>循环网络</translation>
        </message>
        <message>
            <source>dense networks</source>
            <translation>全连接网络</translation>
        </message>
        <message>
            <source>small operations</source>
            <translation>小运算</translation>
        </message>
        <message>
            <source>batches up to 8</source>
            <translation>批次不超过 8</translation>
        </message>
        <message>
            <source>estimate from a measurement</source>
            <translation>根据实测估算</translation>
        </message>
        <message>
            <source>estimate</source>
            <translation>估算</translation>
        </message>
        <message>
            <source>no measurement on this device yet</source>
            <translation>此设备尚无实测</translation>
        </message>
        <message>
            <source>worth it</source>
            <translation>划算</translation>
        </message>
        <message>
            <source>unclear</source>
            <translation>不明确</translation>
        </message>
        <message>
            <source>CPU or GPU in the cloud, 2017</source>
            <translation>云端的 CPU 或 GPU，2017 年</translation>
        </message>
        <message>
            <source>CPU or GPU in the cloud, 2017: the seventh workload</source>
            <translation>云端的 CPU 或 GPU，2017 年：第七个工作负载</translation>
        </message>
        <message>
            <source>The follow-up with TensorFlow 1.4 and CNTK 2.2</source>
            <translation>后续研究：TensorFlow 1.4 与 CNTK 2.2</translation>
        </message>
        <message>
            <source>transferred from a device of the same generation</source>
            <translation>由同一代设备推算</translation>
        </message>
        <message>
            <source>transferred from several devices</source>
            <translation>由多个设备推算</translation>
        </message>
        <message>
            <source>transferred from a device of another generation</source>
            <translation>由另一代设备推算</translation>
        </message>
        <message>
            <source>device not measured, known software</source>
            <translation>设备未测量，软件已知</translation>
        </message>
        <message>
            <source>small operations: limited by launch overhead</source>
            <translation>小运算：取决于启动开销</translation>
        </message>
        <message>
            <source>unknown software on this device</source>
            <translation>软件在此设备上的表现未知</translation>
        </message>
        <message>
            <source>no published figures to compare with: low confidence</source>
            <translation>没有可对照的公开数据：可信度低</translation>
        </message>
        <message>
            <source>Hobbyist (runs overnight)</source>
            <translation>夜间跑任务的爱好者</translation>
        </message>
        <message>
            <source>Beginner on a small budget</source>
            <translation>预算少的初学者</translation>
        </message>
        <message>
            <source>one chip left out</source>
            <translation>留出一种芯片</translation>
        </message>
        <message>
            <source>one family of networks left out</source>
            <translation>留出一类网络</translation>
        </message>
        <message>
            <source>transferred within a generation</source>
            <translation>同代之间推算</translation>
        </message>
        <message>
            <source>transferred to another generation</source>
            <translation>推算到另一代</translation>
        </message>
        <message>
            <source>unknown software</source>
            <translation>软件未知</translation>
        </message>
        <message>
            <source>One run per cell. Mean seconds of an epoch, its validation included. CPU prices are preemptible, the GPU&apos;s is not.</source>
            <translation>每格一次运行。一轮的平均秒数，含验证。CPU 为可抢占价格，GPU 不是。</translation>
        </message>
        <message>
            <source>One run per cell. Mean seconds of an epoch, its validation included.</source>
            <translation>每格一次运行。一轮的平均秒数，含验证。</translation>
        </message>
        <message>
            <source>One run per cell. Mean seconds of an epoch. CPU prices are preemptible, the GPU&apos;s is not.</source>
            <translation>每格一次运行。一轮的平均秒数。CPU 为可抢占价格，GPU 不是。</translation>
        </message>
    </context>
    <context>
        <name>CampaignPresenter</name>
        <message>
            <source>this computer</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>planned</source>
            <translation>已计划</translation>
        </message>
        <message>
            <source>waiting</source>
            <translation>等待中</translation>
        </message>
        <message>
            <source>running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>已测量</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>given up</source>
            <translation>已放弃</translation>
        </message>
        <message>
            <source>Sweep, %1</source>
            <translation>批量测量，%1</translation>
        </message>
        <message>
            <source>Not started yet</source>
            <translation>尚未开始</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>Ended: %1 of %2 measured</source>
            <translation>已结束：已测量 %1/%2</translation>
        </message>
        <message>
            <source>All measurements together cost at most %1.</source>
            <translation>所有测量合计最多花费 %1。</translation>
        </message>
        <message>
            <source>About %1 spent so far; the provider&apos;s bill counts.</source>
            <translation>目前约花费 %1；以提供商的账单为准。</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>机器</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Predicted step</source>
            <translation>预测步时</translation>
        </message>
        <message>
            <source>Predicted when the campaign was planned</source>
            <translation>即制定测量计划时的预测</translation>
        </message>
        <message>
            <source>Measured step</source>
            <translation>实测步时</translation>
        </message>
        <message>
            <source>Ratio</source>
            <translation>比值</translation>
        </message>
        <message>
            <source>Measured over predicted; below 1 is faster than predicted</source>
            <translation>实测与预测之比；小于 1 表示比预测快</translation>
        </message>
        <message>
            <source>Whole job</source>
            <translation>整个任务</translation>
        </message>
        <message>
            <source>Measured where available, otherwise predicted</source>
            <translation>按实测值；没有实测时按预测值</translation>
        </message>
        <message>
            <source>Job costs</source>
            <translation>任务费用</translation>
        </message>
        <message>
            <source>Spent</source>
            <translation>已花费</translation>
        </message>
        <message>
            <source>On measuring so far</source>
            <translation>目前用于测量的花费</translation>
        </message>
        <message>
            <source>Engine</source>
            <translation>调度工具</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Inside the predicted 80 % interval</source>
            <translation>在预测的 80 % 区间内</translation>
        </message>
        <message>
            <source>Outside the predicted 80 % interval</source>
            <translation>在预测的 80 % 区间外</translation>
        </message>
        <message>
            <source>Predicted and measured</source>
            <translation>预测与实测</translation>
        </message>
        <message>
            <source>%1. Measured solid, predictions hollow with their 80 % interval.</source>
            <translation>%1。实心为实测值，空心为预测值及其 80 % 区间。</translation>
        </message>
        <message>
            <source>Nothing of this campaign was predicted or measured.</source>
            <translation>该测量计划没有预测值，也没有实测值。</translation>
        </message>
        <message>
            <source>Step time, less is better</source>
            <translation>步时，越小越好</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>区间</translation>
        </message>
        <message>
            <source>Predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>Measured</source>
            <translation>实测</translation>
        </message>
        <message>
            <source>Takes about</source>
            <translation>约需</translation>
        </message>
        <message>
            <source>From the start of the machine to the end of the measurement</source>
            <translation>从机器启动到测量结束</translation>
        </message>
        <message>
            <source>At most</source>
            <translation>最多</translation>
        </message>
        <message>
            <source>Every attempt uses its full time limit</source>
            <translation>按每次尝试都用满时限计算</translation>
        </message>
        <message numerus="yes">
            <source>%n chunk(s) of a sweep</source>
            <translation>
                <numerusform>批量测量的 %n 个分块</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 · %2 · batch %3 · %4 · %n machine(s)</source>
            <translation>
                <numerusform>%1 · %2 · 批次 %3 · %4 · %n 台机器</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ChartText</name>
        <message>
            <source>not measured</source>
            <translation>未测量</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>实测</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>%1 from %2 (%3) to %4 (%5).</source>
            <translation>%1：从 %2（%3）到 %4（%5）。</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95 % 区间</translation>
        </message>
        <message>
            <source>disturbed by other programs</source>
            <translation>受其他程序干扰</translation>
        </message>
    </context>
    <context>
        <name>CheckPresenter</name>
        <message>
            <source>Main memory</source>
            <translation>主内存</translation>
        </message>
        <message>
            <source>Memory of %1</source>
            <translation>%1 的内存</translation>
        </message>
        <message>
            <source>Operations of %1</source>
            <translation>%1 的运算</translation>
        </message>
        <message>
            <source>Sustained load of %1</source>
            <translation>%1 的持续负载</translation>
        </message>
        <message>
            <source>passed</source>
            <translation>通过</translation>
        </message>
        <message>
            <source>passed, with remarks</source>
            <translation>通过，但有说明</translation>
        </message>
        <message>
            <source>faults</source>
            <translation>有故障</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未检查</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Clock: %1 MHz at the beginning, %2 MHz at the end</source>
            <translation>时钟：开始时 %1 MHz，结束时 %2 MHz</translation>
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
            <translation>用例</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>结论</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>The two runs have no case in common.</source>
            <translation>两次运行没有共同的用例。</translation>
        </message>
        <message numerus="yes">
            <source>Of %n common case(s): %1 faster, %2 slower, %3 without evidence of a difference.</source>
            <translation>
                <numerusform>%n 个共同用例中：%1 个更快，%2 个更慢，%3 个没有差异的证据。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n cannot be compared.</source>
            <translation>
                <numerusform>%n 个无法比较。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s) only in one of the runs.</source>
            <translation>
                <numerusform>%n 个用例只出现在其中一次运行中。</numerusform>
            </translation>
        </message>
        <message>
            <source>not comparable: CPU busy</source>
            <translation>无法比较：CPU 繁忙</translation>
        </message>
        <message>
            <source>Before (ms)</source>
            <translation>之前 (ms)</translation>
        </message>
        <message>
            <source>After (ms)</source>
            <translation>之后 (ms)</translation>
        </message>
        <message>
            <source>Change</source>
            <translation>变化</translation>
        </message>
        <message>
            <source>t-test between runs, p = %1</source>
            <translation>各次运行间 t 检验 p = %1</translation>
        </message>
        <message>
            <source>t-test between visits, p = %1</source>
            <translation>各轮间 t 检验 p = %1</translation>
        </message>
        <message>
            <source>The whole machine is %1 slower than before.</source>
            <translation>整台机器比之前慢 %1。</translation>
        </message>
        <message>
            <source>The whole machine is %1 faster than before.</source>
            <translation>整台机器比之前快 %1。</translation>
        </message>
        <message>
            <source>Every case is about %1 slower, but the machine's arithmetic and memory are not: the program or its libraries differ.</source>
            <translation>每个案例都慢约 %1，但机器的运算和内存并未变慢：程序或其库有所不同。</translation>
        </message>
        <message>
            <source>Every case is about %1 faster, but the machine's arithmetic and memory are not: the program or its libraries differ.</source>
            <translation>每个案例都快约 %1，但机器的运算和内存并未变快：程序或其库有所不同。</translation>
        </message>
        <message>
            <source>In the machine state that both runs had; in the one it was in most: %1 ms</source>
            <translation>两次运行共有的机器状态下的值；多数时间所处的状态下为 %1 毫秒</translation>
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
            <translation>无证据</translation>
        </message>
        <message>
            <source>Change of the time per step</source>
            <translation>每步时间的变化</translation>
        </message>
        <message>
            <source>No case of the two runs can be compared.</source>
            <translation>两次运行没有可以比较的用例。</translation>
        </message>
        <message>
            <source>Time after over time before, less is better</source>
            <translation>之后与之前时间之比，越小越好</translation>
        </message>
        <message>
            <source>no change</source>
            <translation>无变化</translation>
        </message>
        <message>
            <source>after / before</source>
            <translation>之后 / 之前</translation>
        </message>
        <message>
            <source>Before: %1. After: %2. Grey: within ±%3 %, too small to count as a change.</source>
            <translation>之前：%1。之后：%2。灰色：±%3 % 以内，变化太小，不计。</translation>
        </message>
        <message>
            <source>Ratio of the times with its interval; below 1 is faster</source>
            <translation>时间之比及其区间；小于 1 表示更快</translation>
        </message>
    </context>
    <context>
        <name>DisturbancePresenter</name>
        <message>
            <source>Measured while other programs used the CPU: these results are unreliable.</source>
            <translation>测量时其他程序占用了 CPU：这些结果不可靠。</translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases measured while other programs used the CPU: their results are unreliable.</source>
            <translation>
                <numerusform>%1 个用例中有 %n 个在其他程序占用 CPU 时测得：其结果不可靠。</numerusform>
            </translation>
        </message>
        <message>
            <source>Both runs were measured while other programs used the CPU: their cases cannot be compared.</source>
            <translation>两次运行测量时其他程序都占用了 CPU：其用例无法比较。</translation>
        </message>
        <message>
            <source>The first run was measured while other programs used the CPU: its cases cannot be compared.</source>
            <translation>第一次运行测量时其他程序占用了 CPU：其用例无法比较。</translation>
        </message>
        <message>
            <source>The second run was measured while other programs used the CPU: its cases cannot be compared.</source>
            <translation>第二次运行测量时其他程序占用了 CPU：其用例无法比较。</translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases of the first run were measured while other programs used the CPU: they cannot be compared.</source>
            <translation>
                <numerusform>第一次运行的 %1 个用例中有 %n 个在其他程序占用 CPU 时测得：这些用例无法比较。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 cases of the second run were measured while other programs used the CPU: they cannot be compared.</source>
            <translation>
                <numerusform>第二次运行的 %1 个用例中有 %n 个在其他程序占用 CPU 时测得：这些用例无法比较。</numerusform>
            </translation>
        </message>
        <message>
            <source>Other programs used the CPU during this case; the result is unreliable.</source>
            <translation>此用例测量期间其他程序占用了 CPU，结果不可靠。</translation>
        </message>
        <message>
            <source>The machine&apos;s state kept changing during this case; the result is unreliable.</source>
            <translation>该案例的每个采样窗口中机器状态都发生了变化；结果不可靠。</translation>
        </message>
        <message>
            <source>They took up to %1 CPUs.</source>
            <translation>它们最多占用 %1 个 CPU。</translation>
        </message>
    </context>
    <context>
        <name>ErrorText</name>
        <message>
            <source>The operation</source>
            <translation>该操作</translation>
        </message>
        <message>
            <source>%1 is not valid.</source>
            <translation>%1 无效。</translation>
        </message>
        <message>
            <source>%1 was not found.</source>
            <translation>找不到 %1。</translation>
        </message>
        <message>
            <source>%1 is not supported here.</source>
            <translation>此处不支持 %1。</translation>
        </message>
        <message>
            <source>%1 does not fit into memory.</source>
            <translation>%1 超出内存容量。</translation>
        </message>
        <message>
            <source>%1 took longer than its time limit.</source>
            <translation>%1 超过了时间限制。</translation>
        </message>
        <message>
            <source>%1 was cancelled.</source>
            <translation>%1 已取消。</translation>
        </message>
        <message>
            <source>%1 could not be read or written.</source>
            <translation>无法读写 %1。</translation>
        </message>
        <message>
            <source>The disk is full: %1 could not be written.</source>
            <translation>磁盘已满：无法写入 %1。</translation>
        </message>
        <message>
            <source>Access to %1 is not permitted.</source>
            <translation>没有访问 %1 的权限。</translation>
        </message>
        <message>
            <source>%1 is damaged or not of the expected format.</source>
            <translation>%1 已损坏或格式不符。</translation>
        </message>
        <message>
            <source>%1 was written by a newer version of this program.</source>
            <translation>%1 由本程序的更新版本写成。</translation>
        </message>
        <message>
            <source>%1 is in use by another program.</source>
            <translation>%1 正被其他程序使用。</translation>
        </message>
        <message>
            <source>The measuring process of %1 ended unexpectedly.</source>
            <translation>%1 的测量进程意外结束。</translation>
        </message>
        <message>
            <source>%1 is not available.</source>
            <translation>%1 不可用。</translation>
        </message>
        <message>
            <source>An unexpected failure in %1.</source>
            <translation>%1 中发生意外故障。</translation>
        </message>
        <message>
            <source>Correct the value and try again.</source>
            <translation>请更正该值后重试。</translation>
        </message>
        <message>
            <source>Check the name and whether it still exists.</source>
            <translation>请检查名称以及它是否仍然存在。</translation>
        </message>
        <message>
            <source>Choose another device or precision.</source>
            <translation>请选择其他设备或精度。</translation>
        </message>
        <message>
            <source>Choose a smaller batch, or close other programs.</source>
            <translation>请选择更小的批次，或关闭其他程序。</translation>
        </message>
        <message>
            <source>Raise the time cap, or choose a smaller workload.</source>
            <translation>请提高时间上限，或选择更小的工作负载。</translation>
        </message>
        <message>
            <source>Finished cases are kept; start again for the rest.</source>
            <translation>已完成的用例会保留；其余的请重新开始。</translation>
        </message>
        <message>
            <source>Check that the drive is connected and try again.</source>
            <translation>请检查磁盘是否已连接，然后重试。</translation>
        </message>
        <message>
            <source>Free some space or choose another folder.</source>
            <translation>请释放一些空间或选择其他文件夹。</translation>
        </message>
        <message>
            <source>Choose a folder you may write to, or ask who owns the file.</source>
            <translation>请选择可写入的文件夹，或询问文件的所有者。</translation>
        </message>
        <message>
            <source>Export the file again where it was made; nothing was changed here.</source>
            <translation>请在生成该文件的地方重新导出；此处未作任何更改。</translation>
        </message>
        <message>
            <source>Update this program; the file was left untouched.</source>
            <translation>请更新本程序；该文件未被改动。</translation>
        </message>
        <message>
            <source>Close the other program, or choose another database in Settings.</source>
            <translation>请关闭其他程序，或在“设置”中选择其他数据库。</translation>
        </message>
        <message>
            <source>Run the case alone; if it happens again, copy the diagnostic report on the Hardware page.</source>
            <translation>请单独运行该用例；若再次发生，请在“硬件”页复制诊断报告。</translation>
        </message>
        <message>
            <source>Needs %1, has %2.</source>
            <translation>需要 %1，现有 %2。</translation>
        </message>
        <message>
            <source>Detail: %1</source>
            <translation>详情：%1</translation>
        </message>
        <message>
            <source>(at byte %1)</source>
            <translation>（在字节 %1 处）</translation>
        </message>
        <message>
            <source>See the Hardware page for what is missing.</source>
            <translation>“硬件”页会说明缺少什么。</translation>
        </message>
        <message>
            <source>Try again; if the error persists, copy the diagnostic report on the Hardware page.</source>
            <translation>请重试；若问题依旧，请在“硬件”页复制诊断报告。</translation>
        </message>
    </context>
    <context>
        <name>ExportFlow</name>
        <message>
            <source>Images (*.png)</source>
            <translation>图像 (*.png)</translation>
        </message>
        <message>
            <source>Drawings (*.svg)</source>
            <translation>矢量图 (*.svg)</translation>
        </message>
        <message>
            <source>PDF documents (*.pdf)</source>
            <translation>PDF 文档 (*.pdf)</translation>
        </message>
        <message>
            <source>Tables (*.csv)</source>
            <translation>表格 (*.csv)</translation>
        </message>
        <message>
            <source>Export the chart</source>
            <translation>导出图表</translation>
        </message>
        <message>
            <source>The chart was not exported</source>
            <translation>图表未能导出</translation>
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
            <translation>%1 小时 %2 分</translation>
        </message>
        <message>
            <source>%1 d %2 h</source>
            <translation>%1 天 %2 小时</translation>
        </message>
        <message>
            <source>s</source>
            <translation>秒</translation>
        </message>
        <message>
            <source>min</source>
            <translation>分钟</translation>
        </message>
        <message>
            <source>h</source>
            <translation>小时</translation>
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
                <numerusform>%n 个月前</numerusform>
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
                <numerusform>%n 个月</numerusform>
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
            <translation>金额以 %1 计：1 美元 = %2 %1（%3，%4）。</translation>
        </message>
    </context>
    <context>
        <name>HardwarePresenter</name>
        <message>
            <source>set by you</source>
            <translation>由您设定</translation>
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
            <translation>处理器</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Packages</source>
            <translation>插槽数</translation>
        </message>
        <message>
            <source>Physical cores</source>
            <translation>物理核心</translation>
        </message>
        <message>
            <source>Logical CPUs</source>
            <translation>逻辑处理器</translation>
        </message>
        <message>
            <source>%1 CPUs</source>
            <translation>%1 个 CPU</translation>
        </message>
        <message>
            <source>Core types</source>
            <translation>核心种类</translation>
        </message>
        <message>
            <source>Caches</source>
            <translation>缓存</translation>
        </message>
        <message>
            <source>Instruction sets</source>
            <translation>指令集</translation>
        </message>
        <message>
            <source>Maximum clock</source>
            <translation>最高频率</translation>
        </message>
        <message>
            <source>Current clock</source>
            <translation>当前频率</translation>
        </message>
        <message>
            <source>Governor</source>
            <translation>调频策略</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Main memory</source>
            <translation>主内存</translation>
        </message>
        <message>
            <source>Available now</source>
            <translation>当前可用</translation>
        </message>
        <message>
            <source>Swap</source>
            <translation>交换空间</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>System</source>
            <translation>系统</translation>
        </message>
        <message>
            <source>Operating system</source>
            <translation>操作系统</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>内核</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>机型</translation>
        </message>
        <message>
            <source>Virtual machine</source>
            <translation>虚拟机</translation>
        </message>
        <message>
            <source>Container</source>
            <translation>容器</translation>
        </message>
        <message>
            <source>Unknown processor</source>
            <translation>名称未知的处理器</translation>
        </message>
        <message numerus="yes">
            <source>%1 of %n core(s) usable</source>
            <translation>
                <numerusform>%n 个核心中 %1 个可用</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n 个核心</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 memory</source>
            <translation>%1 内存</translation>
        </message>
        <message>
            <source>%1 GPU</source>
            <translation>%1 显卡</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>no GPU</source>
            <translation>无 GPU</translation>
        </message>
        <message>
            <source>A control group grants %1 of %2 cores.</source>
            <translation>控制组分配了 %2 个核心中的 %1 个。</translation>
        </message>
        <message>
            <source>This process may run on %1 of %2 cores.</source>
            <translation>本进程可使用 %2 个核心中的 %1 个。</translation>
        </message>
        <message>
            <source>A control group grants %1 of %2 memory.</source>
            <translation>控制组分配了 %2 内存中的 %1。</translation>
        </message>
        <message>
            <source>Fact</source>
            <translation>项目</translation>
        </message>
        <message>
            <source>Detected</source>
            <translation>检测到</translation>
        </message>
        <message>
            <source>What the machine has</source>
            <translation>机器所拥有的</translation>
        </message>
        <message>
            <source>Allowed</source>
            <translation>允许</translation>
        </message>
        <message>
            <source>What this process may use</source>
            <translation>本进程可使用的</translation>
        </message>
        <message>
            <source>Used</source>
            <translation>使用</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>Where the fact was read</source>
            <translation>该信息的读取位置</translation>
        </message>
        <message>
            <source>Memory in use</source>
            <translation>已用显存</translation>
        </message>
        <message>
            <source>Memory bandwidth</source>
            <translation>显存带宽</translation>
        </message>
        <message>
            <source>Compute capability</source>
            <translation>计算能力</translation>
        </message>
        <message>
            <source>Multiprocessors</source>
            <translation>多处理器数</translation>
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
            <translation>驱动程序</translation>
        </message>
        <message>
            <source>CUDA version</source>
            <translation>CUDA 版本</translation>
        </message>
        <message>
            <source>PCI address</source>
            <translation>PCI 地址</translation>
        </message>
        <message>
            <source>No graphics card was found.</source>
            <translation>未找到显卡。</translation>
        </message>
        <message>
            <source>Benchmarks run on the CPU; everything else works as well.</source>
            <translation>基准测试在 CPU 上运行；其他功能照常可用。</translation>
        </message>
        <message>
            <source>loaded</source>
            <translation>已加载</translation>
        </message>
        <message>
            <source>GPU %1</source>
            <translation>GPU %1</translation>
        </message>
        <message>
            <source>CPU quota</source>
            <translation>CPU 配额</translation>
        </message>
        <message>
            <source>Default number of threads of a benchmark</source>
            <translation>未另行指定时基准测试使用的线程数</translation>
        </message>
        <message>
            <source>Default for benchmarks</source>
            <translation>未另行指定时基准测试所用的</translation>
        </message>
    </context>
    <context>
        <name>HistoryPresenter</name>
        <message numerus="yes">
            <source>%n run(s), %1</source>
            <translation>
                <numerusform>%n 次运行，%1</numerusform>
            </translation>
        </message>
        <message>
            <source>The history took %1 and takes %2 now.</source>
            <translation>历史记录原先占用 %1，现在占用 %2。</translation>
        </message>
        <message>
            <source>Choose what to keep.</source>
            <translation>请选择要保留的内容。</translation>
        </message>
        <message>
            <source>No run will be deleted.</source>
            <translation>不会删除任何运行。</translation>
        </message>
        <message numerus="yes">
            <source>%n of %1 run(s) will be deleted, from %2 to %3.</source>
            <translation>
                <numerusform>将删除 %1 次运行中的 %n 次，从 %2 到 %3。</numerusform>
            </translation>
        </message>
        <message>
            <source>Not available during a run.</source>
            <translation>运行期间不可用。</translation>
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
            <translation>词元/秒</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <source>95 % interval %1</source>
            <translation>95 % 区间 %1</translation>
        </message>
        <message>
            <source>batch %1</source>
            <translation>批次 %1</translation>
        </message>
        <message>
            <source>Nothing measured yet. Run the benchmark to learn how fast this computer trains.</source>
            <translation>尚未测量。运行基准测试，即可了解这台电脑训练得有多快。</translation>
        </message>
        <message>
            <source>%1 on your %2: %3.</source>
            <translation>您的 %2 上的 %1：%3。</translation>
        </message>
        <message>
            <source>Your %1 trains %2 at %3.</source>
            <translation>您的 %1 训练 %2 的速度为 %3。</translation>
        </message>
        <message>
            <source>Your %1 runs %2 at %3.</source>
            <translation>您的 %1 用 %2 推理的速度为 %3。</translation>
        </message>
        <message>
            <source>Your %1 trains %2 at %3: %4 times the CPU, which reaches %5.</source>
            <translation>您的 %1 训练 %2 的速度为 %3：是 CPU（%5）的 %4 倍。</translation>
        </message>
        <message>
            <source>Your %1 runs %2 at %3: %4 times the CPU, which reaches %5.</source>
            <translation>您的 %1 用 %2 推理的速度为 %3：是 CPU（%5）的 %4 倍。</translation>
        </message>
        <message numerus="yes">
            <source>%1, %2, %n case(s)</source>
            <translation>
                <numerusform>%1，%2，%n 个用例</numerusform>
            </translation>
        </message>
        <message>
            <source>Run benchmark</source>
            <translation>运行基准测试</translation>
        </message>
        <message numerus="yes">
            <source>Run benchmark (%n case(s))</source>
            <translation>
                <numerusform>运行基准测试（%n 个用例）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Run benchmark (%n case(s), about %1)</source>
            <translation>
                <numerusform>运行基准测试（%n 个用例，约 %1）</numerusform>
            </translation>
        </message>
        <message>
            <source>No case of the last run finished. Resume it or run again.</source>
            <translation>上次运行没有完成任何用例。请继续或重新运行。</translation>
        </message>
        <message>
            <source>Peak throughput reached</source>
            <translation>达到的最高吞吐量</translation>
        </message>
    </context>
    <context>
        <name>LadderPresenter</name>
        <message>
            <source>This computer: %1</source>
            <translation>本机：%1</translation>
        </message>
        <message>
            <source>Where this computer stands</source>
            <translation>这台电脑的位置</translation>
        </message>
        <message>
            <source>%1, %2, batch %3, %4. Measured solid, estimates hollow with their 80 % interval.</source>
            <translation>%1，%2，批次 %3，%4。实心为实测，空心为估计及其 80 % 区间。</translation>
        </message>
        <message>
            <source>No other device can be estimated for this run.</source>
            <translation>无法为此次运行估计其他设备。</translation>
        </message>
        <message>
            <source>Speed, more is better</source>
            <translation>速度，越大越好</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>区间</translation>
        </message>
    </context>
    <context>
        <name>LanguagePresenter</name>
        <message>
            <source>Chat with a language model</source>
            <translation>与语言模型对话</translation>
        </message>
        <message>
            <source>Serve a language model</source>
            <translation>部署语言模型服务</translation>
        </message>
        <message>
            <source>Fine-tune a language model</source>
            <translation>微调语言模型</translation>
        </message>
        <message>
            <source>Does it fit?</source>
            <translation>装得下吗？</translation>
        </message>
        <message>
            <source>all weights, mixed precision</source>
            <translation>全部权重，混合精度</translation>
        </message>
        <message>
            <source>all weights, bf16</source>
            <translation>全部权重，bf16</translation>
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
            <translation>没有机器也没有 API 能做到：请放宽限制，或选择更小的模型或格式。</translation>
        </message>
        <message>
            <source>Buy %1: about %2, %3 per million tokens, at about %4 tokens/s for each user.</source>
            <translation>购买 %1：约%2，每百万词元 %3，每位用户约 %4 词元/秒。</translation>
        </message>
        <message>
            <source>Rent %1 (%5): about %2, %3 per million tokens, at about %4 tokens/s for each user.</source>
            <translation>租用 %1（%5）：约%2，每百万词元 %3，每位用户约 %4 词元/秒。</translation>
        </message>
        <message>
            <source>Use the API of %1: about %2, %3 per million tokens.</source>
            <translation>使用 %1 的 API：约%2，每百万词元 %3。</translation>
        </message>
        <message>
            <source>No machine for rent can do it.</source>
            <translation>没有可租的机器能做到。</translation>
        </message>
        <message>
            <source>Renting costs from %1 a month.</source>
            <translation>租用每月 %1 起。</translation>
        </message>
        <message>
            <source>No device for sale can do it.</source>
            <translation>没有在售的设备能做到。</translation>
        </message>
        <message>
            <source>Buying costs from %1 a month.</source>
            <translation>购买每月 %1 起。</translation>
        </message>
        <message>
            <source>No price of an API is known for this model.</source>
            <translation>此模型没有已知的 API 价格。</translation>
        </message>
        <message>
            <source>An API costs from %1 a month.</source>
            <translation>API 每月 %1 起。</translation>
        </message>
        <message>
            <source>%1 needs %2 at a context of %3 tokens, %4 on a graphics card.</source>
            <translation>%1 在上下文为 %3 词元时需要 %2，在显卡上需要 %4。</translation>
        </message>
        <message>
            <source>No device in the catalogue holds it alone.</source>
            <translation>目录中没有单个设备装得下。</translation>
        </message>
        <message>
            <source>It fits on %1 of %2 devices; the smallest is %3.</source>
            <translation>%2 种设备中有 %1 种装得下；最小的是 %3。</translation>
        </message>
        <message>
            <source>Fine-tuning %1 (%2) needs about %3 of memory and trains %4 parameters.</source>
            <translation>微调 %1（%2）约需 %3 内存，训练 %4 个参数。</translation>
        </message>
        <message>
            <source>The model was trained for a context of %1 tokens.</source>
            <translation>该模型训练时的上下文为 %1 词元。</translation>
        </message>
        <message>
            <source>Not used of the file: %1.</source>
            <translation>文件中未使用的内容：%1。</translation>
        </message>
        <message>
            <source>One rented machine costs less than the cheapest API above %1 million tokens a month.</source>
            <translation>每月超过 %1 百万词元时，租用一台机器比最便宜的 API 便宜。</translation>
        </message>
        <message>
            <source>One bought machine costs less than the cheapest API above %1 million tokens a month.</source>
            <translation>每月超过 %1 百万词元时，购买一台机器比最便宜的 API 便宜。</translation>
        </message>
        <message>
            <source>Cheapest with a tenth of the tokens: %1; with ten times as many: %2.</source>
            <translation>词元为十分之一时最便宜的是 %1；为十倍时是 %2。</translation>
        </message>
        <message>
            <source>Every speed is predicted from published measurements, with 80 % prediction ranges; none was measured here.</source>
            <translation>所有速度均由公开的测量结果预测，带 80 % 预测区间；均未在此处测量。</translation>
        </message>
        <message>
            <source>Prices from %1 to %2: check them.</source>
            <translation>价格日期为 %1 至 %2：请核对。</translation>
        </message>
        <message>
            <source>%1 a month</source>
            <translation>每月 %1</translation>
        </message>
        <message>
            <source>%1 per million tokens</source>
            <translation>每百万词元 %1</translation>
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
            <translation>购买</translation>
        </message>
        <message>
            <source>%1 tokens/s</source>
            <translation>%1 词元/秒</translation>
        </message>
        <message>
            <source>%1, %2 users at once</source>
            <translation>%1，同时 %2 位用户</translation>
        </message>
        <message>
            <source>Offer</source>
            <translation>报价</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>Tokens/s per user</source>
            <translation>每用户词元/秒</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>Users at once</source>
            <translation>同时用户数</translation>
        </message>
        <message>
            <source>Machines</source>
            <translation>机器数</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>80 % range: %1</source>
            <translation>80 % 区间：%1</translation>
        </message>
        <message>
            <source>Speed against cost</source>
            <translation>速度与费用</translation>
        </message>
        <message>
            <source>%1 · predicted, 80 % prediction ranges</source>
            <translation>%1 · 预测值，80 % 预测区间</translation>
        </message>
        <message>
            <source>No machine can do this.</source>
            <translation>没有机器能做到。</translation>
        </message>
        <message>
            <source>interval</source>
            <translation>区间</translation>
        </message>
        <message>
            <source>Tokens per second per machine</source>
            <translation>一台机器的词元/秒</translation>
        </message>
        <message>
            <source>Cost per million tokens</source>
            <translation>每百万词元的费用</translation>
        </message>
        <message>
            <source>cheapest to rent</source>
            <translation>最便宜的租用</translation>
        </message>
        <message>
            <source>cheapest to buy</source>
            <translation>最便宜的购买</translation>
        </message>
        <message>
            <source>other machines for rent</source>
            <translation>其他可租的机器</translation>
        </message>
        <message>
            <source>other devices for sale</source>
            <translation>其他在售的设备</translation>
        </message>
        <message>
            <source>API: %1</source>
            <translation>API：%1</translation>
        </message>
        <message>
            <source>Cost by load</source>
            <translation>费用随负载</translation>
        </message>
        <message>
            <source>No machine and no API can do this.</source>
            <translation>没有机器也没有 API 能做到。</translation>
        </message>
        <message>
            <source>Tokens per day</source>
            <translation>每天词元数</translation>
        </message>
        <message>
            <source>Cost per month</source>
            <translation>每月费用</translation>
        </message>
        <message>
            <source>rent: %1</source>
            <translation>租用：%1</translation>
        </message>
        <message>
            <source>buy: %1</source>
            <translation>购买：%1</translation>
        </message>
        <message>
            <source>your load</source>
            <translation>您的负载</translation>
        </message>
        <message>
            <source>Fits</source>
            <translation>装得下</translation>
        </message>
        <message>
            <source>Usable</source>
            <translation>可用</translation>
        </message>
        <message>
            <source>Tokens/s</source>
            <translation>词元/秒</translation>
        </message>
        <message>
            <source>predicted, all sequences together</source>
            <translation>预测值，所有序列合计</translation>
        </message>
        <message>
            <source>80 % range</source>
            <translation>80 % 区间</translation>
        </message>
        <message>
            <source>Prompt tokens/s</source>
            <translation>提示词词元/秒</translation>
        </message>
        <message>
            <source>predicted, a prompt that fills the context</source>
            <translation>预测值，提示词占满上下文</translation>
        </message>
        <message>
            <source>Longest context</source>
            <translation>最长上下文</translation>
        </message>
        <message>
            <source>Most sequences</source>
            <translation>最多序列数</translation>
        </message>
        <message>
            <source>Layers on it</source>
            <translation>其上的层数</translation>
        </message>
        <message>
            <source>the rest in the computer's memory</source>
            <translation>其余在计算机内存中</translation>
        </message>
        <message>
            <source>Software</source>
            <translation>软件</translation>
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
            <translation>装不下</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数量</translation>
        </message>
        <message>
            <source>Needs</source>
            <translation>需要</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>fine-tuning %1 · steps of %2 tokens · estimated</source>
            <translation>微调 %1 · 每步 %2 词元 · 估算</translation>
        </message>
        <message>
            <source>base weights</source>
            <translation>基础权重</translation>
        </message>
        <message>
            <source>trained weights and optimiser</source>
            <translation>所训练的权重与优化器</translation>
        </message>
        <message>
            <source>activations</source>
            <translation>激活值</translation>
        </message>
        <message>
            <source>logits</source>
            <translation>logits</translation>
        </message>
        <message>
            <source>%1 · context of %2 tokens · estimated</source>
            <translation>%1 · 上下文 %2 词元 · 估计值</translation>
        </message>
        <message>
            <source>weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>cache</source>
            <translation>缓存</translation>
        </message>
        <message>
            <source>working space</source>
            <translation>工作空间</translation>
        </message>
        <message>
            <source>driver</source>
            <translation>驱动</translation>
        </message>
        <message>
            <source>this computer's memory: %1</source>
            <translation>本机内存：%1</translation>
        </message>
        <message>
            <source>this computer's %2: %1</source>
            <translation>本机的 %2：%1</translation>
        </message>
        <message>
            <source>The cheapest API costs less than a machine at any load that one machine can serve.</source>
            <translation>在一台机器能承担的任何负载下，最便宜的 API 都比机器便宜。</translation>
        </message>
        <message>
            <source>It stays the cheapest with a tenth of the tokens and with ten times as many.</source>
            <translation>词元为十分之一或十倍时，它仍是最便宜的。</translation>
        </message>
        <message>
            <source>speed not published</source>
            <translation>未公布速度</translation>
        </message>
        <message>
            <source>this computer&apos;s processor</source>
            <translation>本机的处理器</translation>
        </message>
        <message>
            <source>measured on this computer</source>
            <translation>在本机上测得</translation>
        </message>
        <message>
            <source>predicted from other language models measured on this computer</source>
            <translation>根据在本机上测量的其他语言模型预测</translation>
        </message>
        <message>
            <source>Speeds are predicted from published measurements, with 80 % prediction ranges; those of this computer&apos;s processor also from what was measured here.</source>
            <translation>速度根据已发布的测量结果预测，并给出 80 % 预测区间；本机处理器的速度还依据在此测得的结果。</translation>
        </message>
        <message>
            <source>No machine for rent and no device for sale can do it.</source>
            <translation>没有可租的机器，也没有可买的设备能做到。</translation>
        </message>
        <message>
            <source>For %1 tokens, rent %2 (%3): about %4 (%5) and %6.</source>
            <translation>处理 %1 个词元，租用 %2（%3）：约 %4（%5），%6。</translation>
        </message>
        <message>
            <source>On %1, bought, it takes about %2 (%3) and %4 of its price and electricity.</source>
            <translation>购买 %1 则约需 %2（%3），分摊的价格与电费为 %4。</translation>
        </message>
        <message>
            <source>The fastest is %1: %2 for %3.</source>
            <translation>最快的是 %1：%2，%3。</translation>
        </message>
        <message>
            <source>Buying costs less than renting after %1 such jobs.</source>
            <translation>做 %1 次这样的任务之后，购买比租用便宜。</translation>
        </message>
        <message>
            <source>Memory is estimated from the shape of the model. Speeds are predicted from published ones of few devices, with 80 % prediction ranges; nothing was measured here.</source>
            <translation>内存由模型的形状估算。速度由少数设备的已发表数据预测，带 80 % 预测区间；未在此处测量。</translation>
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
            <translation>费用</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>of the job; predicted</source>
            <translation>整个任务；预测值</translation>
        </message>
        <message>
            <source>of the job; of a purchase its share of the price, and electricity</source>
            <translation>整个任务；购买时为分摊的价格与电费</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>时间与费用</translation>
        </message>
        <message>
            <source>fine-tuning %1 · %2 tokens · predicted, 80 % prediction ranges</source>
            <translation>微调 %1 · %2 个词元 · 预测值，80 % 预测区间</translation>
        </message>
        <message>
            <source>Job duration (hours)</source>
            <translation>任务的小时数</translation>
        </message>
        <message>
            <source>Job cost</source>
            <translation>任务的费用</translation>
        </message>
        <message>
            <source>price from %1</source>
            <translation>%1 的价格</translation>
        </message>
        <message>
            <source>estimate, price from %1</source>
            <translation>估算值，%1 的价格</translation>
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
            <translation>内置内核的指令集</translation>
        </message>
        <message>
            <source>Threads of OpenBLAS</source>
            <translation>OpenBLAS 的线程</translation>
        </message>
        <message>
            <source>CPUs busy with other programs</source>
            <translation>被其他程序占用的 CPU</translation>
        </message>
        <message>
            <source>Counted FLOPs over the fewest needed</source>
            <translation>计入的 FLOP 与最少所需之比</translation>
        </message>
        <message>
            <source>Speed at the end over that at the start</source>
            <translation>结束时与开始时的速度之比</translation>
        </message>
        <message>
            <source>Peak measured with</source>
            <translation>峰值的测量方法</translation>
        </message>
        <message>
            <source>Time to measure the peak (s)</source>
            <translation>测量峰值所用时间（秒）</translation>
        </message>
        <message>
            <source>Energy read from</source>
            <translation>能耗读取来源</translation>
        </message>
        <message>
            <source>Software</source>
            <translation>软件</translation>
        </message>
        <message>
            <source>GPU driver</source>
            <translation>GPU 驱动程序</translation>
        </message>
        <message>
            <source>CUDA version of the driver</source>
            <translation>驱动程序的 CUDA 版本</translation>
        </message>
        <message>
            <source>Compute capability</source>
            <translation>计算能力</translation>
        </message>
        <message>
            <source>PCI bus ID</source>
            <translation>PCI 总线 ID</translation>
        </message>
        <message>
            <source>PCIe link, highest</source>
            <translation>PCIe 链路，最高</translation>
        </message>
        <message>
            <source>PCIe link at the start</source>
            <translation>开始时的 PCIe 链路</translation>
        </message>
        <message>
            <source>PCIe link at the end</source>
            <translation>结束时的 PCIe 链路</translation>
        </message>
        <message>
            <source>GPU power limit (W)</source>
            <translation>GPU 功率上限（W）</translation>
        </message>
        <message>
            <source>GPU clock at the start (MHz)</source>
            <translation>开始时的 GPU 频率（MHz）</translation>
        </message>
        <message>
            <source>GPU clock at the end (MHz)</source>
            <translation>结束时的 GPU 频率（MHz）</translation>
        </message>
        <message>
            <source>GPU memory clock at the start (MHz)</source>
            <translation>开始时的显存频率（MHz）</translation>
        </message>
        <message>
            <source>GPU memory clock at the end (MHz)</source>
            <translation>结束时的显存频率（MHz）</translation>
        </message>
        <message>
            <source>GPU temperature at the start (°C)</source>
            <translation>开始时的 GPU 温度（°C）</translation>
        </message>
        <message>
            <source>GPU temperature at the end (°C)</source>
            <translation>结束时的 GPU 温度（°C）</translation>
        </message>
        <message>
            <source>GPU power at the start (W)</source>
            <translation>开始时的 GPU 功率（W）</translation>
        </message>
        <message>
            <source>GPU power at the end (W)</source>
            <translation>结束时的 GPU 功率（W）</translation>
        </message>
        <message>
            <source>Processes on the GPU at the start</source>
            <translation>开始时 GPU 上的进程数</translation>
        </message>
        <message>
            <source>Processes on the GPU at the end</source>
            <translation>结束时 GPU 上的进程数</translation>
        </message>
        <message>
            <source>Copy to the GPU, pinned memory (B/s)</source>
            <translation>复制到 GPU，锁页内存（B/s）</translation>
        </message>
        <message>
            <source>Copy to the GPU, pageable memory (B/s)</source>
            <translation>复制到 GPU，可分页内存（B/s）</translation>
        </message>
        <message>
            <source>Copy from the GPU, pinned memory (B/s)</source>
            <translation>从 GPU 复制，锁页内存（B/s）</translation>
        </message>
        <message>
            <source>Copy from the GPU, pageable memory (B/s)</source>
            <translation>从 GPU 复制，可分页内存（B/s）</translation>
        </message>
        <message>
            <source>%1.</source>
            <comment>a clause as a sentence</comment>
            <translation>%1。</translation>
        </message>
        <message>
            <source>Clock at the start (MHz)</source>
            <translation>开始时的频率（MHz）</translation>
        </message>
        <message>
            <source>Clock at the end (MHz)</source>
            <translation>结束时的频率（MHz）</translation>
        </message>
        <message>
            <source>Temperature at the start (°C)</source>
            <translation>开始时的温度（°C）</translation>
        </message>
        <message>
            <source>Temperature at the end (°C)</source>
            <translation>结束时的温度（°C）</translation>
        </message>
        <message>
            <source>Load average at the start</source>
            <translation>开始时的平均负载</translation>
        </message>
        <message>
            <source>Load average at the end</source>
            <translation>结束时的平均负载</translation>
        </message>
        <message>
            <source>CPU pressure at the start</source>
            <translation>开始时的 CPU 压力</translation>
        </message>
        <message>
            <source>CPU pressure at the end</source>
            <translation>结束时的 CPU 压力</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>处理器</translation>
        </message>
        <message>
            <source>Clock governor</source>
            <translation>频率调节器</translation>
        </message>
        <message>
            <source>Operating system</source>
            <translation>操作系统</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>内核</translation>
        </message>
        <message>
            <source>Virtual machine</source>
            <translation>虚拟机</translation>
        </message>
        <message>
            <source>Container</source>
            <translation>容器</translation>
        </message>
        <message>
            <source>Allowed CPUs</source>
            <translation>允许使用的 CPU</translation>
        </message>
        <message>
            <source>Compiler</source>
            <translation>编译器</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>Library of the matrix products</source>
            <translation>矩阵乘法所用的库</translation>
        </message>
        <message>
            <source>Memory bandwidth measured by</source>
            <translation>内存带宽的测量方法</translation>
        </message>
        <message>
            <source>Slowest over fastest reading of the weights</source>
            <translation>读取权重的最低带宽与最高带宽之比</translation>
        </message>
        <message>
            <source>CPU quota</source>
            <translation>CPU 配额</translation>
        </message>
    </context>
    <context>
        <name>NetworkPresenter</name>
        <message>
            <source>shape not in the file</source>
            <translation>文件中没有形状</translation>
        </message>
        <message>
            <source>scalar</source>
            <translation>标量</translation>
        </message>
        <message>
            <source>%1: %2, %3</source>
            <translation>%1：%2，%3</translation>
        </message>
        <message numerus="yes">
            <source>Understood: %n layer(s), %1 parameters, %2 per sample</source>
            <translation>
                <numerusform>已读懂：%n 层，%1 个参数，每样本 %2</numerusform>
            </translation>
        </message>
        <message>
            <source>The file has dynamic dimensions: set them below.</source>
            <translation>文件中有未定的维度：请在下面设置。</translation>
        </message>
        <message>
            <source>Not supported: %1</source>
            <translation>不支持：%1</translation>
        </message>
        <message>
            <source>The part of the network before this node, up to "%1", can be added instead.</source>
            <translation>可改为添加该节点之前、到“%1”为止的部分网络。</translation>
        </message>
        <message>
            <source>The file format is described in %1 and, with an example, in the user guide (docs/guide.md).</source>
            <translation>此类文件的内容见 %1；用户指南 (docs/guide.md) 中有示例。</translation>
        </message>
        <message>
            <source>Export the network without this operator, with another opset, or in floating point.</source>
            <translation>请在导出网络时不用该算子、换用其他 opset，或采用浮点。</translation>
        </message>
        <message>
            <source>opset %1</source>
            <translation>opset %1</translation>
        </message>
        <message numerus="yes">
            <source>%n node(s)</source>
            <translation>
                <numerusform>%n 个节点</numerusform>
            </translation>
        </message>
        <message>
            <source>written by %1</source>
            <translation>由 %1 写出</translation>
        </message>
        <message>
            <source>Format</source>
            <translation>格式</translation>
        </message>
        <message>
            <source>Network described in JSON</source>
            <translation>用 JSON 描述的网络</translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>另有 %n 个</numerusform>
            </translation>
        </message>
        <message>
            <source>Inputs</source>
            <translation>输入</translation>
        </message>
        <message>
            <source>Outputs</source>
            <translation>输出</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>层</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数量</translation>
        </message>
        <message>
            <source>Work</source>
            <translation>计算量</translation>
        </message>
        <message>
            <source>%1 per sample, forward</source>
            <translation>每样本 %1（前向）</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>%1 for a training step at batch %2 in fp32</source>
            <translation>%1：批次 %2、fp32 的一个训练步</translation>
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
            <translation>训练和推理</translation>
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
            <translation>按中位步时计</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <source>tokens/s</source>
            <translation>词元/秒</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作负载</translation>
        </message>
        <message>
            <source>Mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
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
            <translation>线程</translation>
        </message>
        <message>
            <source>Step (ms)</source>
            <translation>每步（ms）</translation>
        </message>
        <message>
            <source>Median time of one step</source>
            <translation>单步时间的中位数</translation>
        </message>
        <message>
            <source>95 % interval (ms)</source>
            <translation>95 % 区间（ms）</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>吞吐量</translation>
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
            <translation>内存</translation>
        </message>
        <message>
            <source>Peak of what the engine allocated</source>
            <translation>引擎所分配内存的峰值</translation>
        </message>
        <message>
            <source>Correctness</source>
            <translation>正确性</translation>
        </message>
        <message>
            <source>Status</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>all</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>All physical cores this process may use</source>
            <translation>本进程可用的全部物理核心</translation>
        </message>
        <message>
            <source>n = %1</source>
            <translation>n = %1</translation>
        </message>
        <message>
            <source>Case</source>
            <translation>用例</translation>
        </message>
        <message>
            <source>Median step</source>
            <translation>单步中位数</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95 % 区间</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>样本数</translation>
        </message>
        <message>
            <source>Fastest</source>
            <translation>最快</translation>
        </message>
        <message>
            <source>Median deviation</source>
            <translation>中位绝对偏差</translation>
        </message>
        <message>
            <source>90 % below</source>
            <translation>90 % 低于</translation>
        </message>
        <message>
            <source>Stopped because</source>
            <translation>停止原因</translation>
        </message>
        <message>
            <source>Compile time</source>
            <translation>编译时间</translation>
        </message>
        <message>
            <source>Warm-up</source>
            <translation>预热</translation>
        </message>
        <message>
            <source>Work per step</source>
            <translation>每步计算量</translation>
        </message>
        <message>
            <source>Achieved</source>
            <translation>实际达到</translation>
        </message>
        <message>
            <source>Energy per step</source>
            <translation>每步能耗</translation>
        </message>
        <message>
            <source>Memory planned</source>
            <translation>计划内存</translation>
        </message>
        <message>
            <source>Memory, engine peak</source>
            <translation>内存，引擎峰值</translation>
        </message>
        <message>
            <source>Memory, process peak</source>
            <translation>内存，进程峰值</translation>
        </message>
        <message>
            <source>Memory, device peak</source>
            <translation>内存，设备峰值</translation>
        </message>
        <message>
            <source>Largest error</source>
            <translation>最大误差</translation>
        </message>
        <message>
            <source>%1 (allowed %2)</source>
            <translation>%1（允许 %2）</translation>
        </message>
        <message>
            <source>Loss, first and last</source>
            <translation>损失，首末</translation>
        </message>
        <message>
            <source>Suggested action</source>
            <translation>建议</translation>
        </message>
        <message>
            <source>Warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>The peak was not measured in this run, or says nothing about this case.</source>
            <translation>本次运行未测量峰值，或峰值与此用例无关。</translation>
        </message>
        <message>
            <source>of the measured memory bandwidth</source>
            <translation>占实测内存带宽</translation>
        </message>
        <message>
            <source>Share of the peak measured on this device and precision. Counted are the operations of the definition: an algorithm that needs fewer may exceed 100 %.</source>
            <translation>占该设备在此精度下实测峰值的比例。按定义计算运算次数：运算更少的算法可能超过 100 %。</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>Key-value cache</source>
            <translation>键值缓存</translation>
        </message>
        <message>
            <source>Memory read</source>
            <translation>内存读取</translation>
        </message>
        <message>
            <source>Energy per token</source>
            <translation>每词元能耗</translation>
        </message>
        <message>
            <source>Time to the first token</source>
            <translation>首个词元时间</translation>
        </message>
        <message>
            <source>Between tokens (median, 90 %, 99 %)</source>
            <translation>词元间隔（中位数、90 %、99 %）</translation>
        </message>
        <message>
            <source>Last quarter of the tokens over the first</source>
            <translation>词元后四分之一与前四分之一之比</translation>
        </message>
        <message>
            <source>Of peak bandwidth</source>
            <translation>占峰值带宽</translation>
        </message>
        <message>
            <source>The peak was measured while other programs used the device: run the case again.</source>
            <translation>峰值是在其他程序占用设备时测得的：请重新运行此用例。</translation>
        </message>
        <message>
            <source>More than 100 %: the algorithm (Winograd's) needs fewer operations than the definition, whose operations are counted.</source>
            <translation>超过 100 %：按定义计数运算量，而所用算法（Winograd）所需的运算更少。</translation>
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
            <translation>受干扰</translation>
        </message>
        <message>
            <source>no interval from a single visit</source>
            <translation>仅一轮，没有区间</translation>
        </message>
        <message>
            <source>Visits</source>
            <translation>测量轮次</translation>
        </message>
        <message>
            <source>State of the machine</source>
            <translation>机器状态</translation>
        </message>
        <message>
            <source>a cache line travels between the cores and back in %1 ns</source>
            <translation>一条缓存行在核心之间往返需 %1 ns</translation>
        </message>
        <message>
            <source>In another state (%1 ns)</source>
            <translation>在另一状态下（%1 ns）</translation>
        </message>
        <message>
            <source>%1 of %2 count</source>
            <translation>%2 轮中计入 %1 轮</translation>
        </message>
        <message>
            <source>running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>queued</source>
            <translation>排队中</translation>
        </message>
        <message>
            <source>Outputs differ from fp32 by</source>
            <translation>输出与 fp32 的差异</translation>
        </message>
        <message>
            <source>%1 (relative RMS; samples: %2)</source>
            <translation>%1（相对均方根；样本数：%2）</translation>
        </message>
        <message>
            <source>Same top class as fp32</source>
            <translation>最高类别与 fp32 一致</translation>
        </message>
    </context>
    <context>
        <name>ReportPresenter</name>
        <message>
            <source>Prices</source>
            <translation>价格</translation>
        </message>
        <message>
            <source>Of the machines recommended and of those that none beats in both time and cost.</source>
            <translation>所建议的机器，以及没有被其他机器同时在时间和费用上胜过的机器的价格。</translation>
        </message>
        <message>
            <source>Recommendation: %1</source>
            <translation>建议：%1</translation>
        </message>
        <message>
            <source>Ranking</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>The best first; the window shows all, with why each lost.</source>
            <translation>最佳在前；窗口中列出全部机器及其落选原因。</translation>
        </message>
        <message>
            <source>Choice</source>
            <translation>选择</translation>
        </message>
        <message>
            <source>Machine</source>
            <translation>机器</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Class</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Measurements</source>
            <translation>测量数</translation>
        </message>
        <message>
            <source>Median error</source>
            <translation>误差中位数</translation>
        </message>
        <message>
            <source>90th percentile</source>
            <translation>第 90 百分位</translation>
        </message>
        <message>
            <source>Time (estimate)</source>
            <translation>时间（估算）</translation>
        </message>
        <message>
            <source>Cost (estimate)</source>
            <translation>费用（估算）</translation>
        </message>
        <message>
            <source>Prediction accuracy</source>
            <translation>预测准确度</translation>
        </message>
        <message>
            <source>Within interval</source>
            <translation>在区间内</translation>
        </message>
        <message>
            <source>The predictor on published measurements. Devices and families that are left out were not part of the fit; transferred rows use the shipped constants. The error is predicted over measured, minus one; the last column is the fraction within an 80 % interval that was fitted without the device or the family.</source>
            <translation>预测器在公开测量上的表现：标明“留出”的类别未参与拟合，由其他设备推算的类别使用随程序发布的拟合。误差为预测值除以实测值再减一；最后一列为落在 80 % 区间内的比例，该区间在不含该设备或该网络家族的情况下求得。</translation>
        </message>
    </context>
    <context>
        <name>ReportText</name>
        <message>
            <source>Deep-learning benchmark report</source>
            <translation>深度学习基准测试报告</translation>
        </message>
        <message>
            <source>Written by Steelyard %1 on %2.</source>
            <translation>由 Steelyard %1 于 %2 生成。</translation>
        </message>
        <message>
            <source>Run %1 on %2</source>
            <translation>%2 上的运行 %1</translation>
        </message>
        <message>
            <source>an unnamed computer</source>
            <translation>未命名的电脑</translation>
        </message>
        <message>
            <source>%1 of %2 cases were measured.</source>
            <translation>测量了 %2 个用例中的 %1 个。</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>运行</translation>
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
            <translation>程序</translation>
        </message>
        <message>
            <source>Started (UTC)</source>
            <translation>开始 (UTC)</translation>
        </message>
        <message>
            <source>Finished (UTC)</source>
            <translation>结束 (UTC)</translation>
        </message>
        <message>
            <source>not finished</source>
            <translation>未完成</translation>
        </message>
        <message>
            <source>Origin</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>备注</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>种子</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>处理器</translation>
        </message>
        <message>
            <source>%1 (%2 cores, %3 allowed)</source>
            <translation>%1（%2 核，允许使用 %3 核）</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>GPU</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>System</source>
            <translation>系统</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作负载</translation>
        </message>
        <message>
            <source>Mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
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
            <translation>线程</translation>
        </message>
        <message>
            <source>Step time (median)</source>
            <translation>每步时间（中位数）</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95 % 区间</translation>
        </message>
        <message>
            <source>%1 to %2</source>
            <translation>%1 到 %2</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>样本数</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>吞吐量</translation>
        </message>
        <message>
            <source>Of peak</source>
            <translation>占峰值</translation>
        </message>
        <message>
            <source>Peak memory</source>
            <translation>内存峰值</translation>
        </message>
        <message>
            <source>Verified</source>
            <translation>已验证</translation>
        </message>
        <message>
            <source>Stopped by</source>
            <translation>停止原因</translation>
        </message>
        <message>
            <source>Not measured</source>
            <translation>未测量</translation>
        </message>
        <message>
            <source>Status</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Compared with run %1</source>
            <translation>与运行 %1 比较</translation>
        </message>
        <message>
            <source>Base</source>
            <translation>基准</translation>
        </message>
        <message>
            <source>This run</source>
            <translation>本次运行</translation>
        </message>
        <message>
            <source>Time ratio</source>
            <translation>时间比</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>结论</translation>
        </message>
        <message>
            <source>the difference is within the noise (p = %1)</source>
            <translation>差异在噪声范围内 (p = %1)</translation>
        </message>
        <message>
            <source>the medians differ by less than 2 %</source>
            <translation>中位数相差不到 2 %</translation>
        </message>
        <message>
            <source>%1 differs (%2, %3)</source>
            <translation>%1 不同（%2，%3）</translation>
        </message>
        <message>
            <source>run %1 has no result (%2)</source>
            <translation>运行 %1 没有结果（%2）</translation>
        </message>
        <message>
            <source>Charts</source>
            <translation>图表</translation>
        </message>
        <message>
            <source>%1, %2: time per step</source>
            <translation>%1，%2：每步时间</translation>
        </message>
        <message>
            <source>Bars are medians, whiskers their 95 % intervals. Shorter is faster.</source>
            <translation>条形为中位数，须线为其 95 % 区间。越短越快。</translation>
        </message>
        <message>
            <source>Method</source>
            <translation>方法</translation>
        </message>
        <message>
            <source>Conditions</source>
            <translation>条件</translation>
        </message>
        <message>
            <source>Condition</source>
            <translation>条件</translation>
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
            <translation>用例</translation>
        </message>
        <message>
            <source>Raw samples</source>
            <translation>原始样本</translation>
        </message>
        <message>
            <source>Seconds per step, in the order in which they were taken.</source>
            <translation>每步秒数，按采样顺序排列。</translation>
        </message>
        <message>
            <source>Steps per sample</source>
            <translation>每个样本的步数</translation>
        </message>
        <message>
            <source>Outliers</source>
            <translation>离群值</translation>
        </message>
        <message>
            <source>ok</source>
            <translation>正常</translation>
        </message>
        <message>
            <source>out of memory</source>
            <translation>内存不足</translation>
        </message>
        <message>
            <source>unsupported</source>
            <translation>不支持</translation>
        </message>
        <message>
            <source>timed out</source>
            <translation>超时</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>已取消</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>crashed</source>
            <translation>崩溃</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未检查</translation>
        </message>
        <message>
            <source>precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>stable noise</source>
            <translation>噪声稳定</translation>
        </message>
        <message>
            <source>time cap</source>
            <translation>时间上限</translation>
        </message>
        <message>
            <source>training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>inference</source>
            <translation>推理</translation>
        </message>
        <message>
            <source>measured here</source>
            <translation>本机测量</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>faster</source>
            <translation>更快</translation>
        </message>
        <message>
            <source>slower</source>
            <translation>更慢</translation>
        </message>
        <message>
            <source>no evidence</source>
            <translation>没有证据</translation>
        </message>
        <message>
            <source>not comparable</source>
            <translation>不可比较</translation>
        </message>
        <message>
            <source>suite version</source>
            <translation>套件版本</translation>
        </message>
        <message>
            <source>device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>whole time</source>
            <translation>全程</translation>
        </message>
        <message>
            <source>other programs used the CPU during the measurement</source>
            <translation>测量期间其他程序占用了 CPU</translation>
        </message>
        <message>
            <source>Disturbed by other programs, and unreliable: %1 of them.</source>
            <translation>其中 %1 个在其他程序占用 CPU 时测得：其结果不可靠。</translation>
        </message>
        <message>
            <source>– (peak was measured while busy)</source>
            <translation>–（测量峰值时设备繁忙）</translation>
        </message>
        <message>
            <source>Each case is first verified on its device against a simple reference implementation, or marked as not checked with the reason. Creation of primitives, selection of algorithms and first accesses happen before timing, during compilation and an adaptive warm-up.</source>
            <translation>每个用例首先与朴素的参考实现对照，证明其在设备上计算正确，否则标记为未检查并说明原因。创建原语、选择算法和首次访问都在计时之前的编译和自适应预热中完成。</translation>
        </message>
        <message>
            <source>A sample is one synchronised step, or several if a step takes less than 1 ms. At least 10 samples are taken; sampling stops when half the 95 % interval of the median is below the limit, when the noise no longer changes, or at the time limit. Intervals are computed from order statistics, without assumptions about the distribution. Outliers are kept.</source>
            <translation>一个样本是一个同步的步，或若干步以使一个样本至少持续 1 毫秒。至少取 10 个样本；当中位数 95 % 区间的一半低于限值、噪声不再变化或达到时间上限时停止采样。区间由次序统计量得出，不对分布作假设。离群值予以保留。</translation>
        </message>
        <message>
            <source>Data is on the device before timing unless a case says otherwise. Utilisation is the network's floating-point operations divided by the time and by the peak measured on the same device. Unknown values are shown as a dash.</source>
            <translation>除非用例另有说明，数据在计时之前已位于设备上。利用率为网络的浮点运算量除以时间以及同一设备上实测的峰值。未知值以短横线表示。</translation>
        </message>
        <message>
            <source>Faster or slower needs a t-test between visits in the same state of the machine (5 % false discovery rate over all cases) and medians at least 2 % apart. The ratio is this run's median over the base's; below 1 is faster.</source>
            <translation>判定更快或更慢需要对机器同一状态下的各轮测量做 t 检验（所有案例的错误发现率为 5 %），且中位数相差至少 2 %。比值为本次运行的中位数除以基准的中位数；小于 1 表示更快。</translation>
        </message>
        <message>
            <source>too few visits, and no earlier runs that show how much results vary from run to run</source>
            <translation>测量轮次太少，也没有更早的运行可以说明各次结果之间的差异</translation>
        </message>
        <message>
            <source>the machine was in another state in each run</source>
            <translation>两次运行时机器处于不同状态</translation>
        </message>
        <message>
            <source>it changed by the same factor as the whole machine</source>
            <translation>它与整台机器按相同的倍数变化</translation>
        </message>
        <message>
            <source>disturbed</source>
            <translation>受干扰</translation>
        </message>
        <message>
            <source>Machine state</source>
            <translation>机器状态</translation>
        </message>
        <message>
            <source>A 95 % interval is where another run with as many visits is expected. The machine state is the round trip of a cache line between the cores, with the step time in the other states in parentheses; “disturbed” means that other programs used the CPU in every window.</source>
            <translation>95 % 区间是预计同样轮次的另一次运行所处的范围。机器状态是一条缓存行在核心之间往返的时间，括号内是其他状态下的步时间；“受干扰”表示在每个采样窗口中都有其他程序占用 CPU。</translation>
        </message>
        <message>
            <source>all %1 cases</source>
            <translation>全部 %1 个用例</translation>
        </message>
        <message>
            <source>batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Language models</source>
            <translation>语言模型</translation>
        </message>
        <message>
            <source>Decoding reads weights and cache once for each token; in parentheses, the share of the bandwidth that was measured in the same process. Times of tokens are of generated text: to the first one behind the prompt, and between two others in the middle, at the 90th and at the 99th percentile.</source>
            <translation>解码时每个词元读取一遍权重和缓存；括号内是占同一进程中所测带宽的比例。词元时间来自生成的文本：提示之后到第一个词元的时间，以及其余相邻词元之间的中位数、第 90 和第 99 百分位数。</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>Key-value cache</source>
            <translation>键值缓存</translation>
        </message>
        <message>
            <source>Memory read</source>
            <translation>内存读取</translation>
        </message>
        <message>
            <source>Joules per token</source>
            <translation>每个词元的能量（焦耳）</translation>
        </message>
        <message>
            <source>First token</source>
            <translation>第一个词元</translation>
        </message>
        <message>
            <source>Between tokens (50 %)</source>
            <translation>词元之间（50 %）</translation>
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
            <translation>机器检查（%1 UTC）</translation>
        </message>
        <message>
            <source>Part</source>
            <translation>部分</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>Finding</source>
            <translation>发现</translation>
        </message>
        <message>
            <source>main memory</source>
            <translation>主内存</translation>
        </message>
        <message>
            <source>passed</source>
            <translation>通过</translation>
        </message>
        <message>
            <source>passed, with remarks</source>
            <translation>通过，但有说明</translation>
        </message>
        <message>
            <source>faults</source>
            <translation>有故障</translation>
        </message>
        <message>
            <source>memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>operations</source>
            <translation>运算</translation>
        </message>
        <message>
            <source>sustained load</source>
            <translation>持续负载</translation>
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
            <translation>图表</translation>
        </message>
        <message>
            <source>Page %1 of %2</source>
            <translation>第 %1 页，共 %2 页</translation>
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
                <numerusform>另有 %n 个</numerusform>
            </translation>
        </message>
        <message>
            <source>Time per step</source>
            <translation>每步时间</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>吞吐量</translation>
        </message>
        <message>
            <source>FLOP/s</source>
            <translation>FLOP/s</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>Training speed</source>
            <translation>训练速度</translation>
        </message>
        <message>
            <source>Inference speed</source>
            <translation>推理速度</translation>
        </message>
        <message>
            <source>b%1</source>
            <translation>批次 %1</translation>
        </message>
        <message>
            <source>t%1</source>
            <translation>%1 线程</translation>
        </message>
        <message>
            <source>not part of this run</source>
            <translation>不在本次运行中</translation>
        </message>
        <message>
            <source>tokens/s</source>
            <translation>词元/秒</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>This run has no memory figures.</source>
            <translation>本次运行没有内存数据。</translation>
        </message>
        <message>
            <source>weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>gradients</source>
            <translation>梯度</translation>
        </message>
        <message>
            <source>optimiser</source>
            <translation>优化器</translation>
        </message>
        <message>
            <source>activations</source>
            <translation>激活值</translation>
        </message>
        <message>
            <source>workspace</source>
            <translation>工作区</translation>
        </message>
        <message>
            <source>not planned: %1</source>
            <translation>无计划值：%1</translation>
        </message>
        <message>
            <source>measured peak</source>
            <translation>实测峰值</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>未测量</translation>
        </message>
        <message numerus="yes">
            <source>%n case(s): %1</source>
            <translation>
                <numerusform>%n 个用例：%1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n case(s) verified</source>
            <translation>
                <numerusform>%n 个用例已验证</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n wrong</source>
            <translation>
                <numerusform>%n 个错误</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n not checked</source>
            <translation>
                <numerusform>%n 个未检查</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 has %2</source>
            <translation>%1 有 %2</translation>
        </message>
        <message>
            <source>No finished training case in this run.</source>
            <translation>此运行中没有完成的训练用例。</translation>
        </message>
        <message>
            <source>No finished inference case in this run.</source>
            <translation>此运行中没有完成的推理用例。</translation>
        </message>
        <message>
            <source>the work per step is unknown</source>
            <translation>每步计算量未知</translation>
        </message>
        <message>
            <source>Median time per step, less is better</source>
            <translation>每步时间中位数，越小越好</translation>
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
            <translation>屋顶线</translation>
        </message>
        <message>
            <source>This run has no performance figures.</source>
            <translation>此运行没有运算速率数据。</translation>
        </message>
        <message>
            <source>FLOP/byte</source>
            <translation>FLOP/字节</translation>
        </message>
        <message>
            <source>peak of %1, %2</source>
            <translation>%1 峰值，%2</translation>
        </message>
        <message>
            <source>Arithmetic intensity</source>
            <translation>计算强度</translation>
        </message>
        <message>
            <source>Performance</source>
            <translation>性能</translation>
        </message>
    </context>
    <context>
        <name>StatusText</name>
        <message>
            <source>CPUs of %1 nodes</source>
            <translation>%1 个节点的 CPU</translation>
        </message>
        <message>
            <source>ok</source>
            <translation>正常</translation>
        </message>
        <message>
            <source>does not fit</source>
            <translation>内存不足</translation>
        </message>
        <message>
            <source>not supported</source>
            <translation>不支持</translation>
        </message>
        <message>
            <source>timed out</source>
            <translation>超时</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>已取消</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>crashed</source>
            <translation>崩溃</translation>
        </message>
        <message>
            <source>Choose a smaller batch, or a device with more memory.</source>
            <translation>请选择更小的批次，或内存更大的设备。</translation>
        </message>
        <message>
            <source>Choose another device or precision.</source>
            <translation>请选择其他设备或精度。</translation>
        </message>
        <message>
            <source>Raise the time cap, or choose a smaller batch.</source>
            <translation>请提高时间上限，或选择更小的批次。</translation>
        </message>
        <message>
            <source>Run it again to complete the suite.</source>
            <translation>请再次运行以完成套件。</translation>
        </message>
        <message>
            <source>Read the reason; a report on the Hardware page helps to find the cause.</source>
            <translation>请查看原因；“硬件”页的报告有助于查明问题。</translation>
        </message>
        <message>
            <source>Run the case alone with a smaller batch; other cases were not affected.</source>
            <translation>请以更小的批次单独运行该用例；其他用例未受影响。</translation>
        </message>
        <message>
            <source>verified</source>
            <translation>已验证</translation>
        </message>
        <message>
            <source>wrong result</source>
            <translation>结果错误</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未检查</translation>
        </message>
        <message>
            <source>precise enough</source>
            <translation>已足够精确</translation>
        </message>
        <message>
            <source>noise no longer shrinks</source>
            <translation>噪声不再减小</translation>
        </message>
        <message>
            <source>time cap reached</source>
            <translation>达到时间上限</translation>
        </message>
        <message>
            <source>Compile</source>
            <translation>编译</translation>
        </message>
        <message>
            <source>Verify</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>Warm up</source>
            <translation>预热</translation>
        </message>
        <message>
            <source>Sample</source>
            <translation>采样</translation>
        </message>
        <message>
            <source>Cool down</source>
            <translation>冷却</translation>
        </message>
        <message>
            <source>faster</source>
            <translation>更快</translation>
        </message>
        <message>
            <source>slower</source>
            <translation>更慢</translation>
        </message>
        <message>
            <source>no evidence</source>
            <translation>没有证据</translation>
        </message>
        <message>
            <source>not comparable</source>
            <translation>不可比较</translation>
        </message>
        <message>
            <source>workload</source>
            <translation>工作负载</translation>
        </message>
        <message>
            <source>mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>hardware</source>
            <translation>硬件</translation>
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
            <translation>线程</translation>
        </message>
        <message>
            <source>instruction set</source>
            <translation>指令集</translation>
        </message>
        <message>
            <source>data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>optimiser</source>
            <translation>优化器</translation>
        </message>
        <message>
            <source>suite version</source>
            <translation>套件版本</translation>
        </message>
        <message>
            <source>no result in the base</source>
            <translation>基准中没有结果</translation>
        </message>
        <message>
            <source>no result in the other run</source>
            <translation>对比运行中没有结果</translation>
        </message>
        <message>
            <source>The same within the noise.</source>
            <translation>在噪声范围内相同。</translation>
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
            <translation>差异：%1。</translation>
        </message>
        <message>
            <source>usable</source>
            <translation>可用</translation>
        </message>
        <message>
            <source>no backend for this vendor</source>
            <translation>没有适用于该厂商的后端</translation>
        </message>
        <message>
            <source>driver missing</source>
            <translation>缺少驱动程序</translation>
        </message>
        <message>
            <source>driver too old</source>
            <translation>驱动程序过旧</translation>
        </message>
        <message>
            <source>driver failed</source>
            <translation>驱动程序出错</translation>
        </message>
        <message>
            <source>hidden from this process</source>
            <translation>对本进程不可见</translation>
        </message>
        <message>
            <source>card too old</source>
            <translation>显卡过旧</translation>
        </message>
        <message>
            <source>GPU backend missing</source>
            <translation>缺少 GPU 后端</translation>
        </message>
        <message>
            <source>Benchmarks run on the CPU.</source>
            <translation>基准测试在 CPU 上运行。</translation>
        </message>
        <message>
            <source>Install the vendor's driver and start the program again.</source>
            <translation>请安装厂商的驱动程序，然后重新启动本程序。</translation>
        </message>
        <message>
            <source>Update the driver and start the program again.</source>
            <translation>请更新驱动程序，然后重新启动本程序。</translation>
        </message>
        <message>
            <source>Check CUDA_VISIBLE_DEVICES, or the container's device options.</source>
            <translation>请检查 CUDA_VISIBLE_DEVICES 或容器的设备选项。</translation>
        </message>
        <message>
            <source>Install the program's GPU package.</source>
            <translation>请安装本程序的 GPU 软件包。</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>Inference</source>
            <translation>推理</translation>
        </message>
        <message>
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>Reference</source>
            <translation>参考实现</translation>
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
            <translation>本机测量</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>Quick</source>
            <translation>快速</translation>
        </message>
        <message>
            <source>Standard</source>
            <translation>标准</translation>
        </message>
        <message>
            <source>Full</source>
            <translation>完整</translation>
        </message>
        <message>
            <source>Own selection</source>
            <translation>自选</translation>
        </message>
        <message>
            <source>Cloud study 2017</source>
            <translation>2017 年云端研究</translation>
        </message>
        <message>
            <source>Tools and devices (dlbench)</source>
            <translation>工具与设备（dlbench）</translation>
        </message>
        <message>
            <source>Flower photographs</source>
            <translation>花卉照片</translation>
        </message>
        <message>
            <source>Parameterised families (ParaDnn)</source>
            <translation>参数化系列（ParaDnn）</translation>
        </message>
        <message>
            <source>Today's networks</source>
            <translation>当今的网络</translation>
        </message>
        <message>
            <source>done</source>
            <translation>完成</translation>
        </message>
        <message>
            <source>done, some cases without result</source>
            <translation>完成，部分用例没有结果</translation>
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
                <numerusform>%n 线程</numerusform>
            </translation>
        </message>
        <message>
            <source>library of the matrix products</source>
            <translation>矩阵乘法库</translation>
        </message>
        <message>
            <source>input pipeline alone</source>
            <translation>仅输入流水线</translation>
        </message>
        <message>
            <source>with the input pipeline</source>
            <translation>含输入流水线</translation>
        </message>
        <message>
            <source>The machine itself</source>
            <translation>机器本身</translation>
        </message>
        <message>
            <source>whole time sampled</source>
            <translation>全程采样</translation>
        </message>
        <message>
            <source>%1, an experiment each</source>
            <translation>%1，各做一个实验</translation>
        </message>
        <message>
            <source>Language models</source>
            <translation>语言模型</translation>
        </message>
        <message>
            <source>Scaling</source>
            <translation>扩展性</translation>
        </message>
        <message>
            <source>Other programs used the CPU during the measurement.</source>
            <translation>测量期间其他程序占用了 CPU。</translation>
        </message>
        <message>
            <source>Your networks</source>
            <translation>您的网络</translation>
        </message>
        <message>
            <source>Restart the computer; if the error persists, reinstall the driver.</source>
            <translation>请重启电脑；若问题依旧，请重新安装驱动程序。</translation>
        </message>
        <message>
            <source>timed part</source>
            <translation>计时对象</translation>
        </message>
        <message>
            <source>Too few visits, and no earlier runs that show how much results vary from run to run.</source>
            <translation>测量轮次太少，也没有更早的运行可以说明各次结果之间的差异。</translation>
        </message>
        <message>
            <source>The machine was in another state in each run, so the two times cannot be compared.</source>
            <translation>两次运行时机器处于不同状态，因此两个时间无法比较。</translation>
        </message>
        <message>
            <source>It changed by the same factor as the whole machine.</source>
            <translation>它与整台机器按相同的倍数变化。</translation>
        </message>
    </context>
    <context>
        <name>StudyPresenter</name>
        <message>
            <source>No configuration was measured on every workload, so none wins over all of them.</source>
            <translation>没有一种配置在每个工作负载上都测量过，因此没有总的胜者。</translation>
        </message>
        <message>
            <source>%1 below %2</source>
            <translation>低于 %2 时为 %1</translation>
        </message>
        <message>
            <source>%1 from %2 to %3</source>
            <translation>从 %2 到 %3 为 %1</translation>
        </message>
        <message>
            <source>%1 above %2</source>
            <translation>高于 %2 时为 %1</translation>
        </message>
        <message>
            <source>; </source>
            <translation>；</translation>
        </message>
        <message>
            <source>Relative time</source>
            <translation>相对时间</translation>
        </message>
        <message>
            <source>Relative cost</source>
            <translation>相对费用</translation>
        </message>
        <message>
            <source>%1 · %2 is 1</source>
            <translation>%1 · 以 %2 为 1</translation>
        </message>
        <message>
            <source>The table has no rows.</source>
            <translation>表格没有行。</translation>
        </message>
        <message>
            <source>Time of an epoch</source>
            <translation>每轮时间</translation>
        </message>
        <message>
            <source>Cost of an epoch</source>
            <translation>每轮费用</translation>
        </message>
        <message>
            <source>as %1</source>
            <translation>与 %1 相同</translation>
        </message>
        <message>
            <source>the baseline was not measured on this workload</source>
            <translation>此工作负载上未测量基准</translation>
        </message>
        <message>
            <source>not in the table</source>
            <translation>表格中没有</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>时间与费用</translation>
        </message>
        <message>
            <source>the others</source>
            <translation>其他</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作负载</translation>
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
            <translation>权重 %1 时的胜者</translation>
        </message>
        <message>
            <source>Platform</source>
            <translation>平台</translation>
        </message>
        <message>
            <source>Variant</source>
            <translation>变体</translation>
        </message>
        <message>
            <source>Against</source>
            <translation>对照</translation>
        </message>
        <message>
            <source>Median speed-up</source>
            <translation>加速比中位数</translation>
        </message>
        <message>
            <source>Faster on</source>
            <translation>更快的次数</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>结论</translation>
        </message>
        <message>
            <source>A two-sided sign test at the 5 % level over the workloads</source>
            <translation>对各工作负载做 5 % 水平的双侧符号检验</translation>
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
            <translation>美元/小时</translation>
        </message>
        <message>
            <source>Break-even price</source>
            <translation>盈亏平衡价格</translation>
        </message>
        <message>
            <source>Factor on its price at which it costs as much as the baseline</source>
            <translation>使其费用与基准相同的价格倍数</translation>
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
            <translation>总体最佳：%1。</translation>
        </message>
        <message>
            <source>It is the best at every time weight.</source>
            <translation>在任何时间权重下都最佳。</translation>
        </message>
        <message>
            <source>By time weight: %1.</source>
            <translation>按时间权重：%1。</translation>
        </message>
        <message>
            <source>no machine beats these on both time and price</source>
            <translation>没有机器在时间和价格上都更优</translation>
        </message>
        <message>
            <source>best trade-offs</source>
            <translation>最佳折中</translation>
        </message>
        <message>
            <source>Minimises cost × time^weight</source>
            <translation>使 费用 × 时间^权重 最小</translation>
        </message>
        <message>
            <source>Best trade-off</source>
            <translation>最佳折中</translation>
        </message>
        <message>
            <source>No machine beats it on both time and price</source>
            <translation>没有机器在时间和价格上都更优</translation>
        </message>
    </context>
    <context>
        <name>SweepPresenter</name>
        <message>
            <source>Speed over nodes</source>
            <translation>不同节点数的速度</translation>
        </message>
        <message>
            <source>Nodes</source>
            <translation>节点</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Speed over batch size</source>
            <translation>速度随批次大小的变化</translation>
        </message>
        <message>
            <source>Batch size</source>
            <translation>批次大小</translation>
        </message>
        <message>
            <source>Run a workload with several batch sizes to see a sweep here.</source>
            <translation>用多个批次大小运行一个工作负载，即可在此查看扫描结果。</translation>
        </message>
        <message>
            <source>Speed over threads</source>
            <translation>速度随线程数的变化</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>Run a workload with several thread counts to see how it scales.</source>
            <translation>用多个线程数运行一个工作负载，即可查看其扩展性。</translation>
        </message>
        <message>
            <source>proportional</source>
            <translation>线性扩展</translation>
        </message>
        <message>
            <source>batch %1 on each</source>
            <translation>每个 GPU 批次 %1</translation>
        </message>
        <message>
            <source>an experiment of batch %1 on each</source>
            <translation>每个 GPU 各做一个批次 %1 的实验</translation>
        </message>
        <message>
            <source>Speed over GPUs</source>
            <translation>速度与 GPU 数量</translation>
        </message>
        <message>
            <source>GPUs</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>Run a workload on several GPUs to see what they gain.</source>
            <translation>在多个 GPU 上运行同一工作负载，即可在此查看其收益。</translation>
        </message>
        <message>
            <source>batch %1 divided among all</source>
            <translation>批次 %1 由全部 GPU 分担</translation>
        </message>
    </context>
    <context>
        <name>TrendPresenter</name>
        <message>
            <source>This case was measured once only. Measure it again to see a trend.</source>
            <translation>此用例只测量过一次。再次测量即可看到趋势。</translation>
        </message>
        <message>
            <source>on the same computer, with the same settings</source>
            <translation>同一台电脑，相同设置</translation>
        </message>
        <message>
            <source>Days since %1</source>
            <translation>自 %1 起的天数</translation>
        </message>
        <message>
            <source>Median time per step</source>
            <translation>每步时间中位数</translation>
        </message>
        <message>
            <source>time per step</source>
            <translation>每步时间</translation>
        </message>
        <message>
            <source>%1 less time</source>
            <translation>时间减少 %1</translation>
        </message>
        <message>
            <source>%1 more time</source>
            <translation>时间增加 %1</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s): no evidence of a change.</source>
            <translation>
                <numerusform>%n 次运行：没有变化的证据。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n 次运行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n change(s)</source>
            <translation>
                <numerusform>%n 次变化</numerusform>
            </translation>
        </message>
        <message>
            <source>%1, %2: faster by %3 since %4.</source>
            <translation>%1，%2：自 %4 起加快 %3。</translation>
        </message>
        <message>
            <source>%1, %2: slower by %3 since %4.</source>
            <translation>%1，%2：自 %4 起变慢 %3。</translation>
        </message>
        <message>
            <source>machine state: %1 ns between the cores</source>
            <translation>机器状态：核心之间 %1 ns</translation>
        </message>
        <message>
            <source>in the other state: %1 %2</source>
            <translation>在另一状态下：%1 %2</translation>
        </message>
        <message>
            <source>Minutes since %1</source>
            <translation>自 %1 起的分钟数</translation>
        </message>
        <message>
            <source>Hours since %1</source>
            <translation>自 %1 起的小时数</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>各次运行</translation>
        </message>
    </context>
    <context>
        <name>advisor.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>至少为 1</translation>
        </message>
    </context>
    <context>
        <name>advisor.bandwidth_unknown</name>
        <message>
            <source>its memory bandwidth is not published</source>
            <translation>其内存带宽未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.batch_below_devices</name>
        <message>
            <source>has more devices than the batch has samples</source>
            <translation>设备数多于批次中的样本数</translation>
        </message>
    </context>
    <context>
        <name>advisor.batch_range</name>
        <message>
            <source>must be between 1 and %1</source>
            <translation>须在 1 与 %1 之间</translation>
        </message>
    </context>
    <context>
        <name>advisor.below_low</name>
        <message>
            <source>is less than "low"</source>
            <translation>小于 “low”</translation>
        </message>
    </context>
    <context>
        <name>advisor.best_balance</name>
        <message>
            <source>best balance of time and cost at time weight %1</source>
            <translation>时间权重为 %1 时时间与费用最均衡</translation>
        </message>
    </context>
    <context>
        <name>advisor.card_cannot</name>
        <message>
            <source>%1 cannot run this job: it does not fit, or its time cannot be predicted</source>
            <translation>%1 无法运行此任务：内存放不下，或无法预测时间</translation>
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
            <translation>其计算速率未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.device_unknown</name>
        <message>
            <source>no figures are known for its device</source>
            <translation>没有其设备的数据</translation>
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
            <translation>内存不足：需要 %1，只有 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.dominated</name>
        <message>
            <source>%1 is %2× as fast for %3 of the cost</source>
            <translation>%1 的速度是其 %2 倍，费用只有 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.electricity</name>
        <message>
            <source>electricity: %1 W (%2) at %3 per kWh</source>
            <translation>电费：%1 W（%2），每 kWh %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.estimated_figures</name>
        <message>
            <source>the figures of the device are estimates</source>
            <translation>设备数据为估计值</translation>
        </message>
    </context>
    <context>
        <name>advisor.faster_but_more_expensive</name>
        <message>
            <source>%1× as fast as %2, but %3× the price</source>
            <translation>速度为 %2 的 %1 倍，但价格为其 %3 倍</translation>
        </message>
    </context>
    <context>
        <name>advisor.faster_not_more_expensive</name>
        <message>
            <source>%1× as fast as %2 and no more expensive</source>
            <translation>速度为 %2 的 %1 倍，而且不更贵</translation>
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
            <translation>字段数少于表头</translation>
        </message>
    </context>
    <context>
        <name>advisor.greater_than_zero</name>
        <message>
            <source>must be greater than 0</source>
            <translation>须大于 0</translation>
        </message>
    </context>
    <context>
        <name>advisor.interruptions</name>
        <message>
            <source>expect %1 interruptions, which add %2</source>
            <translation>预计中断 %1 次，多用 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_accelerator</name>
        <message>
            <source>speeds of such devices are published for whole pods only, not for single devices</source>
            <translation>此类设备的速度只按整个集群发布，没有单个设备的数据</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_card_too_old</name>
        <message>
            <source>the software requires a newer card (compute capability)</source>
            <translation>该软件需要更新的显卡（计算能力）</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_no_bandwidth</name>
        <message>
            <source>its memory bandwidth is not published</source>
            <translation>其内存带宽未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_no_prefill</name>
        <message>
            <source>no published prompt-processing speeds of this software</source>
            <translation>没有该软件提示处理速度的已发表数据</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_no_rate</name>
        <message>
            <source>its compute rate is not published</source>
            <translation>其计算速率未公布</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_other_device</name>
        <message>
            <source>the software does not run on this device</source>
            <translation>该软件不能在此设备上运行</translation>
        </message>
    </context>
    <context>
        <name>advisor.language_this_engine</name>
        <message>
            <source>this engine runs language models on processors only</source>
            <translation>本引擎仅在处理器上计算语言模型</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_arithmetic</name>
        <message>
            <source>limited by arithmetic</source>
            <translation>受限于计算能力</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_bandwidth</name>
        <message>
            <source>limited by memory bandwidth</source>
            <translation>受限于内存带宽</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_input</name>
        <message>
            <source>limited by the input pipeline: a faster device would not help</source>
            <translation>受限于输入流水线：换更快的设备无济于事</translation>
        </message>
    </context>
    <context>
        <name>advisor.limited_by_overhead</name>
        <message>
            <source>limited by launch overhead: a faster device would barely help, a larger batch may</source>
            <translation>受限于启动开销：换更快的设备几乎无济于事，可尝试更大的批次</translation>
        </message>
    </context>
    <context>
        <name>advisor.negative_weight</name>
        <message>
            <source>must not be negative</source>
            <translation>不得为负</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_card_for_job</name>
        <message>
            <source>no card with a price can run this job</source>
            <translation>没有标价的显卡能运行此任务</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_column</name>
        <message>
            <source>has no column %1</source>
            <translation>没有 %1 列</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_configuration</name>
        <message>
            <source>the table has no configuration "%1"</source>
            <translation>表中没有配置 “%1”</translation>
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
            <translation>表中没有平台 “%1”</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_price</name>
        <message>
            <source>its price is not known</source>
            <translation>价格未知</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_rows</name>
        <message>
            <source>has no rows</source>
            <translation>没有数据行</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_speeds</name>
        <message>
            <source>no published speeds for "%1"</source>
            <translation>没有 “%1” 的已发布速度</translation>
        </message>
    </context>
    <context>
        <name>advisor.no_speeds_of</name>
        <message>
            <source>no published speeds for "%1"; did you mean %2?</source>
            <translation>没有 “%1” 的已发布速度；是否想用 %2？</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_a_card</name>
        <message>
            <source>"%1" is not a card with a price in the catalog (see: list hardware)</source>
            <translation>“%1” 不是目录中有标价的显卡（参见 list hardware）</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_a_row</name>
        <message>
            <source>does not fit the columns of this table</source>
            <translation>与本表的列不符</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_an_array</name>
        <message>
            <source>must be an array</source>
            <translation>须为数组</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_an_object</name>
        <message>
            <source>must be an object</source>
            <translation>须为对象</translation>
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
            <translation>%1 须为大于 0 的数</translation>
        </message>
    </context>
    <context>
        <name>advisor.not_predicted</name>
        <message>
            <source>cannot be predicted</source>
            <translation>无法预测</translation>
        </message>
    </context>
    <context>
        <name>advisor.nothing_to_rent</name>
        <message>
            <source>no machine for rent can run this job</source>
            <translation>没有可租用的机器能运行此任务</translation>
        </message>
    </context>
    <context>
        <name>advisor.nothing_to_train</name>
        <message>
            <source>has nothing to train; use inference</source>
            <translation>没有可训练的参数；请改用推理</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_software</name>
        <message>
            <source>with %1, the fastest software with published speeds for it</source>
            <translation>使用 %1：有已发表速度的软件中最快的</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_software_unseen</name>
        <message>
            <source>no speeds of %1 on devices of this vendor are published</source>
            <translation>没有 %1 在该厂商设备上的已发表速度</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_prompts_assumed</name>
        <message>
            <source>no prompt speeds of %1 are published: half of the peak rate is assumed</source>
            <translation>没有 %1 提示处理速度的已发表数据：按峰值的一半估计</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_other_format</name>
        <message>
            <source>%1 does not load %2: another format of this size is assumed</source>
            <translation>%1 不能读取 %2：按同样大小的另一种格式估计</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_api</name>
        <message>
            <source>billed by the token, nothing when idle</source>
            <translation>按词元计费，不用时不收费</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_bought</name>
        <message>
            <source>%1 to buy, used for %2 years, electricity included</source>
            <translation>购买价 %1，使用 %2 年，含电费</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_bought_for_jobs</name>
        <message>
            <source>%1 to buy, spread over %2 years at %3 utilization, electricity included</source>
            <translation>购买价 %1，按 %2 年、%3 使用率的小时数分摊，含电费</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_data_parallel</name>
        <message>
            <source>data parallel: each of the %1 devices trains on different sequences</source>
            <translation>%1 个设备各自训练自己的序列</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_divided</name>
        <message>
            <source>weights and optimizer state are sharded over %1 devices</source>
            <translation>权重与优化器状态分摊到 %1 个设备</translation>
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
            <translation>价格来自二手来源</translation>
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
            <translation>价格已有 %1 天</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_too_slow</name>
        <message>
            <source>%1 tokens/s per user, fewer than the %2 required</source>
            <translation>每位用户 %1 个词元/秒，少于要求的 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.offer_whole_machines</name>
        <message>
            <source>machines: %1, busy %2 of the time</source>
            <translation>需要 %1 台，利用率 %2</translation>
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
            <translation>%1 分钟</translation>
        </message>
    </context>
    <context>
        <name>advisor.wait_hours</name>
        <message>
            <source>%1 h</source>
            <translation>%1 小时</translation>
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
            <translation>价格日期为 %1，已有 %2 天</translation>
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
            <translation>没有机器在时间和价格上都更优</translation>
        </message>
    </context>
    <context>
        <name>advisor.only_for_time</name>
        <message>
            <source>%1× as fast as %2 for %3× the price: only if you are in a hurry</source>
            <translation>速度为 %2 的 %1 倍，价格为其 %3 倍：只有赶时间才划算</translation>
        </message>
    </context>
    <context>
        <name>advisor.over_budget</name>
        <message>
            <source>%1 is %2 over the budget</source>
            <translation>%1，超出预算 %2</translation>
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
            <translation>这台电脑的 %1</translation>
        </message>
    </context>
    <context>
        <name>advisor.own_processor</name>
        <message>
            <source>this computer's processor</source>
            <translation>这台电脑的处理器</translation>
        </message>
    </context>
    <context>
        <name>advisor.part_of_device</name>
        <message>
            <source>fractions of a GPU are not modelled</source>
            <translation>无法对部分显卡建模</translation>
        </message>
    </context>
    <context>
        <name>advisor.poor_scaling</name>
        <message>
            <source>%1 devices reach %2 of ideal scaling</source>
            <translation>%1 个设备达到理想加速的 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.precision_unsupported</name>
        <message>
            <source>does not support this precision</source>
            <translation>不支持此精度</translation>
        </message>
    </context>
    <context>
        <name>advisor.provider_excluded</name>
        <message>
            <source>the provider %1 is not selected</source>
            <translation>未选择服务商 %1</translation>
        </message>
    </context>
    <context>
        <name>advisor.slower_but_cheaper</name>
        <message>
            <source>takes %1× as long as %2, but costs %3 less</source>
            <translation>用时为 %2 的 %1 倍，但便宜 %3</translation>
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
            <translation>此软件只在 GPU 上测量过</translation>
        </message>
    </context>
    <context>
        <name>advisor.spot_excluded</name>
        <message>
            <source>spot instances are excluded: they can be interrupted at any time</source>
            <translation>未包括竞价实例：它们随时可能被中断</translation>
        </message>
    </context>
    <context>
        <name>advisor.start_up_time</name>
        <message>
            <source>%1 of the billed time is start-up</source>
            <translation>计费时间的 %1 用于启动</translation>
        </message>
    </context>
    <context>
        <name>advisor.steps_range</name>
        <message>
            <source>must be greater than 0 and at most %1</source>
            <translation>须大于 0 且不超过 %1</translation>
        </message>
    </context>
    <context>
        <name>advisor.third_party_price</name>
        <message>
            <source>the price is from a third party</source>
            <translation>价格来自第三方</translation>
        </message>
    </context>
    <context>
        <name>advisor.tight_memory</name>
        <message>
            <source>tight: needs about %1 of %2</source>
            <translation>内存紧张：需要约 %1，共 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.too_close_to_call</name>
        <message>
            <source>too close to call compared with %1</source>
            <translation>与 %1 难分高下</translation>
        </message>
    </context>
    <context>
        <name>advisor.tuning_over_budget</name>
        <message>
            <source>costs %1, over the budget of %2</source>
            <translation>费用 %1，超过预算 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.tuning_over_deadline</name>
        <message>
            <source>takes %1, more than the %2 allowed</source>
            <translation>需要 %1，超过允许的 %2</translation>
        </message>
    </context>
    <context>
        <name>advisor.unknown_device</name>
        <message>
            <source>unknown device "%1"; did you mean %2?</source>
            <translation>未知的设备 “%1”；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>advisor.unknown_language_software</name>
        <message>
            <source>unknown software "%1" for language models; did you mean %2?</source>
            <translation>未知的语言模型软件 “%1”；是否指 %2？</translation>
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
            <translation>按所给</translation>
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
            <translation>须在 0 与 %1 之间</translation>
        </message>
    </context>
    <context>
        <name>advisor.wide_interval</name>
        <message>
            <source>wide interval: %1 to %2 times the predicted time</source>
            <translation>区间较宽：预测时间的 %1 到 %2 倍</translation>
        </message>
    </context>
    <context>
        <name>advisor.workload_or_platform</name>
        <message>
            <source>the workload or the platform is missing</source>
            <translation>缺少工作负载或平台</translation>
        </message>
    </context>
    <context>
        <name>advisor.worth_the_price</name>
        <message>
            <source>%1× as fast as %2 for %3× the price: worth the higher price</source>
            <translation>速度为 %2 的 %1 倍，价格为其 %3 倍：值得多花钱</translation>
        </message>
    </context>
    <context>
        <name>app.device_twice</name>
        <message>
            <source>"%1" names a device twice</source>
            <translation>“%1” 中有设备出现两次</translation>
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
            <translation>被信号 %1 终止</translation>
        </message>
    </context>
    <context>
        <name>app.ended_with_code</name>
        <message>
            <source>it exited with code %1 before the suite was finished</source>
            <translation>套件尚未完成即以退出代码 %1 结束</translation>
        </message>
    </context>
    <context>
        <name>app.enter_rate</name>
        <message>
            <source>no exchange rate for %1: add --exchange-rate, or store one with catalog set-currency</source>
            <translation>没有 %1 的汇率：请加上 --exchange-rate，或用 catalog set-currency 存储</translation>
        </message>
    </context>
    <context>
        <name>app.evaluates_onnx_files</name>
        <message>
            <source>only ONNX and GGUF files can be evaluated</source>
            <translation>只能计算 ONNX 和 GGUF 文件</translation>
        </message>
    </context>
    <context>
        <name>app.finished_kept</name>
        <message>
            <source>%1 of %2 cases are finished and stored as run %3</source>
            <translation>%2 个用例中的 %1 个已完成，并保存为运行 %3</translation>
        </message>
    </context>
    <context>
        <name>app.finished_not_stored</name>
        <message>
            <source>%1 of %2 cases were finished</source>
            <translation>%2 个用例中的 %1 个已完成</translation>
        </message>
    </context>
    <context>
        <name>app.folder_not_made</name>
        <message>
            <source>the folder cannot be created</source>
            <translation>无法创建文件夹</translation>
        </message>
    </context>
    <context>
        <name>app.for_language_models</name>
        <message>
            <source>is for language models only (see: list models)</source>
            <translation>仅用于语言模型（参见 list models）</translation>
        </message>
    </context>
    <context>
        <name>app.for_models_and_files</name>
        <message>
            <source>is for language models and ONNX files only</source>
            <translation>仅适用于语言模型和 ONNX 文件</translation>
        </message>
    </context>
    <context>
        <name>app.image_not_encoded</name>
        <message>
            <source>the image could not be encoded</source>
            <translation>无法编码图像</translation>
        </message>
    </context>
    <context>
        <name>app.job_needs_model</name>
        <message>
            <source>required with --job serve, chat or finetune</source>
            <translation>使用 --job serve、chat 或 finetune 时必需</translation>
        </message>
    </context>
    <context>
        <name>app.language_job</name>
        <message>
            <source>language models need --job serve, chat or finetune</source>
            <translation>语言模型需要 --job serve、chat 或 finetune</translation>
        </message>
    </context>
    <context>
        <name>app.language_mode</name>
        <message>
            <source>language models support decode, prefill, train, lora and qlora</source>
            <translation>语言模型支持 decode、prefill、train、lora 与 qlora</translation>
        </message>
    </context>
    <context>
        <name>app.larger_than8_mi_b</name>
        <message>
            <source>larger than 8 MiB</source>
            <translation>大于 8 MiB</translation>
        </message>
    </context>
    <context>
        <name>app.mode_of_language_models</name>
        <message>
            <source>%1 is for language models (see: list models)</source>
            <translation>%1 仅用于语言模型（参见 list models）</translation>
        </message>
    </context>
    <context>
        <name>app.needed_for_gguf</name>
        <message>
            <source>is needed with a GGUF file</source>
            <translation>对 GGUF 文件是必需的</translation>
        </message>
    </context>
    <context>
        <name>app.needed_for_onnx</name>
        <message>
            <source>is needed with an ONNX file</source>
            <translation>对 ONNX 文件是必需的</translation>
        </message>
    </context>
    <context>
        <name>app.needs_currency</name>
        <message>
            <source>requires --currency with a currency other than USD</source>
            <translation>需要 --currency 指定美元以外的货币</translation>
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
            <translation>添加网络后文件已改变；请重新添加</translation>
        </message>
    </context>
    <context>
        <name>app.network_missing</name>
        <message>
            <source>the file is missing; put it back, or remove the network from the list</source>
            <translation>文件不存在；请放回原处，或将该网络从列表中移除</translation>
        </message>
    </context>
    <context>
        <name>app.no_database</name>
        <message>
            <source>no database is open</source>
            <translation>没有打开的数据库</translation>
        </message>
    </context>
    <context>
        <name>app.no_history</name>
        <message>
            <source>the history file does not exist</source>
            <translation>历史文件不存在</translation>
        </message>
    </context>
    <context>
        <name>app.no_run_stored</name>
        <message>
            <source>there are no runs yet</source>
            <translation>尚无运行</translation>
        </message>
    </context>
    <context>
        <name>app.no_runs_yet</name>
        <message>
            <source>there are no runs yet; start one with: steelyard-cli run --suite quick</source>
            <translation>尚无运行；可用 steelyard-cli run --suite quick 开始</translation>
        </message>
    </context>
    <context>
        <name>app.no_such_device</name>
        <message>
            <source>there is no such device; see: steelyard-cli list hardware</source>
            <translation>没有这个设备（参见 list hardware）</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_in_group</name>
        <message>
            <source>%1 nodes were requested, but the group has %2 processes: start one process for each node (mpirun -np %1, or srun --mpi=pmix -N %1)</source>
            <translation>请求了 %1 个节点，但该组有 %2 个进程：请为每个节点启动一个进程（mpirun -np %1，或 srun --mpi=pmix -N %1）</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_need_cpu</name>
        <message>
            <source>only CPUs can share a step across nodes; use --device cpu</source>
            <translation>多个节点只能分担其 CPU 的一步；请使用 --device cpu</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_not_resumed</name>
        <message>
            <source>a run of several nodes cannot be resumed; measure the missing cases again</source>
            <translation>多个节点的运行无法继续；请重新测量缺少的用例</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_not_with</name>
        <message>
            <source>cannot be used with %1</source>
            <translation>不能与 %1 一起使用</translation>
        </message>
    </context>
    <context>
        <name>app.nodes_train_only</name>
        <message>
            <source>nodes exchange gradients: only training can be split among them</source>
            <translation>节点之间交换的是梯度：只有训练可以分担</translation>
        </message>
    </context>
    <context>
        <name>app.not_a_date</name>
        <message>
            <source>"%1" is not a date such as 2026-08-03</source>
            <translation>“%1” 不是形如 2026-08-03 的日期</translation>
        </message>
    </context>
    <context>
        <name>app.not_a_multiplier</name>
        <message>
            <source>"%1" is not of the form PLATFORM=5</source>
            <translation>“%1” 不符合 PLATFORM=5 的形式</translation>
        </message>
    </context>
    <context>
        <name>app.not_a_whole_number</name>
        <message>
            <source>"%1" is not a whole number from 1 to %2</source>
            <translation>“%1” 不是 1 至 %2 的整数</translation>
        </message>
    </context>
    <context>
        <name>app.not_for_fine_tuning</name>
        <message>
            <source>is not for fine-tuning</source>
            <translation>不适用于微调</translation>
        </message>
    </context>
    <context>
        <name>app.not_for_gguf</name>
        <message>
            <source>is not for GGUF files</source>
            <translation>不适用于 GGUF 文件</translation>
        </message>
    </context>
    <context>
        <name>app.not_one_of</name>
        <message>
            <source>"%1" is not one of %2</source>
            <translation>“%1” 不是以下之一：%2</translation>
        </message>
    </context>
    <context>
        <name>app.not_tokens</name>
        <message>
            <source>&quot;%1&quot; is not a list of token numbers such as 1,2,3</source>
            <translation>“%1” 不是如 1,2,3 的词元编号列表</translation>
        </message>
    </context>
    <context>
        <name>app.not_utf8</name>
        <message>
            <source>the name is not UTF-8 text; use a symbolic link with another name</source>
            <translation>名称不是 UTF-8 文本；请改用另一个名称的符号链接</translation>
        </message>
    </context>
    <context>
        <name>app.nothing_runnable</name>
        <message>
            <source>no case can run on this computer</source>
            <translation>没有用例能在这台电脑上运行</translation>
        </message>
    </context>
    <context>
        <name>app.only_for_gguf</name>
        <message>
            <source>is for GGUF files only</source>
            <translation>仅适用于 GGUF 文件</translation>
        </message>
    </context>
    <context>
        <name>app.only_gpus_share</name>
        <message>
            <source>"%1": a case can be split among GPUs only</source>
            <translation>“%1”：用例只能分到多个 GPU</translation>
        </message>
    </context>
    <context>
        <name>app.path_not_listable</name>
        <message>
            <source>the path contains a comma or an unmatched parenthesis; rename the file or its folder</source>
            <translation>路径含有逗号或不成对的括号；请重命名文件或其文件夹</translation>
        </message>
    </context>
    <context>
        <name>app.plan_not_stored</name>
        <message>
            <source>its plan was not stored</source>
            <translation>其计划未被保存</translation>
        </message>
    </context>
    <context>
        <name>app.report_ending</name>
        <message>
            <source>the file name must end in .pdf, .html, .md, .csv or .json</source>
            <translation>文件名须以 .pdf、.html、.md、.csv 或 .json 结尾</translation>
        </message>
    </context>
    <context>
        <name>app.samples_unknown</name>
        <message>
            <source>the number of samples per epoch is unknown; set it, or the number of --steps</source>
            <translation>每轮的样本数未知；请设定样本数或 --steps</translation>
        </message>
    </context>
    <context>
        <name>app.scaling_needs_gpus</name>
        <message>
            <source>requires --gpus, the number of GPUs per case</source>
            <translation>需要 --gpus，即每个用例的 GPU 数</translation>
        </message>
    </context>
    <context>
        <name>app.token_range</name>
        <message>
            <source>takes a whole number from %1 to %2</source>
            <translation>须为 %1 至 %2 的整数</translation>
        </message>
    </context>
    <context>
        <name>bench.accuracy_verdict</name>
        <message>
            <source>validation accuracy %1; published: %2</source>
            <translation>验证准确率 %1；已发表：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.appears_twice</name>
        <message>
            <source>%1 appears twice</source>
            <translation>%1 出现了两次</translation>
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
            <translation>date 必须是测量日期，例如 2026-08-03</translation>
        </message>
    </context>
    <context>
        <name>bench.bad_mode</name>
        <message>
            <source>mode must be train or infer</source>
            <translation>mode 必须是 train 或 infer</translation>
        </message>
    </context>
    <context>
        <name>bench.bad_precision</name>
        <message>
            <source>precision must be fp32, tf32, bf16 or fp16</source>
            <translation>precision 必须是 fp32、tf32、bf16 或 fp16</translation>
        </message>
    </context>
    <context>
        <name>bench.batch_range</name>
        <message>
            <source>batch must be a whole number from 1 to %1</source>
            <translation>batch 须为 1 至 %1 的整数</translation>
        </message>
    </context>
    <context>
        <name>bench.better_than_published</name>
        <message>
            <source>%1 (better than published)</source>
            <translation>%1（优于已发表结果）</translation>
        </message>
    </context>
    <context>
        <name>bench.cannot_resume</name>
        <message>
            <source>run %1 cannot be resumed: %2</source>
            <translation>无法继续运行 %1：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.character_count</name>
        <message>
            <source>%1 characters; %2 supports %3</source>
            <translation>%1 个字符；%2 支持 %3 个</translation>
        </message>
    </context>
    <context>
        <name>bench.check_error</name>
        <message>
            <source>the check ended with an error: %1</source>
            <translation>检查因错误而结束：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.check_faults</name>
        <message>
            <source>faults were found: do not trust this machine before they are explained</source>
            <translation>发现故障：在查明原因之前不要信任这台机器</translation>
        </message>
    </context>
    <context>
        <name>bench.check_little_memory</name>
        <message>
            <source>too little memory is free for a test</source>
            <translation>空闲内存太少，无法测试</translation>
        </message>
    </context>
    <context>
        <name>bench.check_no_device</name>
        <message>
            <source>the device %1 is not available</source>
            <translation>设备 %1 不可用</translation>
        </message>
    </context>
    <context>
        <name>bench.check_no_raw_memory</name>
        <message>
            <source>this backend gives no access to plain memory</source>
            <translation>该后端不提供对原始内存的访问</translation>
        </message>
    </context>
    <context>
        <name>bench.check_nothing</name>
        <message>
            <source>nothing could be checked</source>
            <translation>没有可检查的内容</translation>
        </message>
    </context>
    <context>
        <name>bench.check_sound</name>
        <message>
            <source>no faults found: memory, operations and sustained load are as they should be</source>
            <translation>未发现故障：内存、运算和持续负载均正常</translation>
        </message>
    </context>
    <context>
        <name>bench.check_sound_with_remarks</name>
        <message>
            <source>no faults found, with the remarks below</source>
            <translation>未发现故障，但请注意以下说明</translation>
        </message>
    </context>
    <context>
        <name>bench.check_stopped</name>
        <message>
            <source>stopped before the end; no fault until then</source>
            <translation>提前停止；到那时为止没有故障</translation>
        </message>
    </context>
    <context>
        <name>bench.checked_before</name>
        <message>
            <source>verified in the first visit</source>
            <translation>已在第一轮验证</translation>
        </message>
    </context>
    <context>
        <name>bench.child_crashed</name>
        <message>
            <source>the measuring process crashed (%1)</source>
            <translation>测量进程崩溃（%1）</translation>
        </message>
    </context>
    <context>
        <name>bench.child_ended</name>
        <message>
            <source>the measuring process exited with code %1 and without a result</source>
            <translation>测量进程以代码 %1 退出，没有结果</translation>
        </message>
    </context>
    <context>
        <name>bench.child_killed</name>
        <message>
            <source>the measuring process was killed, probably because memory ran out; try a smaller batch</source>
            <translation>测量进程被终止，可能是内存不足；请尝试更小的批大小</translation>
        </message>
    </context>
    <context>
        <name>bench.child_out_of_time</name>
        <message>
            <source>the measuring process was killed: it reached the limit of CPU time (ulimit -t), or memory ran out</source>
            <translation>测量进程被终止：达到了 CPU 时间上限（ulimit -t），或内存耗尽</translation>
        </message>
    </context>
    <context>
        <name>bench.class_count_differs</name>
        <message>
            <source>%1 classes; %2 has %3</source>
            <translation>%1 个类别；%2 有 %3 个</translation>
        </message>
    </context>
    <context>
        <name>bench.clock_fell</name>
        <message>
            <source>the clock was %1 MHz at the beginning and %2 MHz at the end</source>
            <translation>时钟开始时为 %1 MHz，结束时为 %2 MHz</translation>
        </message>
    </context>
    <context>
        <name>bench.clock_not_reported</name>
        <message>
            <source>this machine does not report its clock</source>
            <translation>这台机器不报告时钟频率</translation>
        </message>
    </context>
    <context>
        <name>bench.computer_out_of_memory</name>
        <message>
            <source>the computer ran out of memory</source>
            <translation>计算机内存耗尽</translation>
        </message>
    </context>
    <context>
        <name>bench.computer_unknown</name>
        <message>
            <source>the computer it was started on is unknown</source>
            <translation>无法得知它在哪台计算机上开始</translation>
        </message>
    </context>
    <context>
        <name>bench.cores_changed</name>
        <message>
            <source>%1 cores, now %2</source>
            <translation>%1 个核心，现为 %2 个</translation>
        </message>
    </context>
    <context>
        <name>bench.cpu_throttled</name>
        <message>
            <source>the processor was throttled during sampling</source>
            <translation>采样期间处理器被降频</translation>
        </message>
    </context>
    <context>
        <name>bench.devices_missing</name>
        <message>
            <source>not all devices joined in time</source>
            <translation>并非所有设备都按时加入</translation>
        </message>
    </context>
    <context>
        <name>bench.differs</name>
        <message>
            <source>%1 of %2 differs by %3; allowed: %4</source>
            <translation>%2 的 %1 相差 %3，允许 %4</translation>
        </message>
    </context>
    <context>
        <name>bench.document_version</name>
        <message>
            <source>version %1; this program reads up to version %2</source>
            <translation>版本 %1；本程序最高可读版本 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.fewer_than_a_batch</name>
        <message>
            <source>%1 samples are fewer than a batch of %2</source>
            <translation>%1 个样本少于一批的 %2 个</translation>
        </message>
    </context>
    <context>
        <name>bench.field_count</name>
        <message>
            <source>has %1 fields; the header has %2</source>
            <translation>有 %1 个字段，表头有 %2 个</translation>
        </message>
    </context>
    <context>
        <name>bench.figure_too_large</name>
        <message>
            <source>%1 must be at most %2</source>
            <translation>%1 最大为 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.fp16_overflow</name>
        <message>
            <source>fp16 cannot represent the values of this network: %1</source>
            <translation>fp16 无法表示该网络的数值：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.generation_batch</name>
        <message>
            <source>text is generated by inference at batch 1</source>
            <translation>文本以批大小 1 的推理生成</translation>
        </message>
    </context>
    <context>
        <name>bench.gpu_slowed_down</name>
        <message>
            <source>the GPU was throttled: %1</source>
            <translation>GPU 被降频：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.gpus_changed</name>
        <message>
            <source>GPUs %1, now %2</source>
            <translation>GPU %1，现为 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.host_changed</name>
        <message>
            <source>host name %1, now %2</source>
            <translation>主机名 %1，现为 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.inference_needs</name>
        <message>
            <source>inference at batch %1 needs %2; %3 is available</source>
            <translation>批大小 %1 的推理需要 %2，可用 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.inference_only</name>
        <message>
            <source>%1 supports inference only; training was skipped</source>
            <translation>%1 仅支持推理，已跳过训练</translation>
        </message>
    </context>
    <context>
        <name>bench.int8_infers</name>
        <message>
            <source>int8 supports inference only; training was skipped</source>
            <translation>int8 是用于推理的精度；已跳过训练</translation>
        </message>
    </context>
    <context>
        <name>bench.interval_incomplete</name>
        <message>
            <source>ci95_low and ci95_high must be given together</source>
            <translation>ci95_low 和 ci95_high 必须同时给出</translation>
        </message>
    </context>
    <context>
        <name>bench.is_empty</name>
        <message>
            <source>is empty</source>
            <translation>为空</translation>
        </message>
    </context>
    <context>
        <name>bench.is_finished</name>
        <message>
            <source>it is finished; nothing is left to measure</source>
            <translation>它已完成，没有剩余的测量</translation>
        </message>
    </context>
    <context>
        <name>bench.is_reference</name>
        <message>
            <source>this is the reference backend</source>
            <translation>这是参考后端</translation>
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
            <translation>语言模型的测量不包括训练</translation>
        </message>
    </context>
    <context>
        <name>bench.no_language_backend</name>
        <message>
            <source>the backend of this device does not run language models</source>
            <translation>该设备的后端不运行语言模型</translation>
        </message>
    </context>
    <context>
        <name>bench.load_clock_fault</name>
        <message>
            <source>%1 repetitions gave the same result, but the clock did not hold</source>
            <translation>%1 次重复的结果相同，但时钟未能保持</translation>
        </message>
    </context>
    <context>
        <name>bench.load_differs</name>
        <message>
            <source>%1 of %2 repetitions gave another result (%3 values)</source>
            <translation>%2 次重复中有 %1 次结果不同（%3 个值）</translation>
        </message>
    </context>
    <context>
        <name>bench.load_passed</name>
        <message>
            <source>%1 repetitions gave the same result, bit by bit</source>
            <translation>%1 次重复的结果逐位相同</translation>
        </message>
    </context>
    <context>
        <name>bench.load_slower</name>
        <message>
            <source>steps became %1 slower during the load: other programs, or a limit that is not reported</source>
            <translation>负载期间步骤变慢了 %1：其他程序，或未报告的限制</translation>
        </message>
    </context>
    <context>
        <name>bench.load_throttled</name>
        <message>
            <source>slowed down by heat in %1 of the readings: check cooling and dust</source>
            <translation>%1 的读数显示因过热降速：请检查散热和灰尘</translation>
        </message>
    </context>
    <context>
        <name>bench.logits_differ</name>
        <message>
            <source>the logits have a relative error of %1; at most %2 is allowed</source>
            <translation>logits 的相对误差为 %1；最多允许 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.logits_not_finite</name>
        <message>
            <source>the logits are not finite numbers</source>
            <translation>logits 不是有限数</translation>
        </message>
    </context>
    <context>
        <name>bench.loss_does_not_fall</name>
        <message>
            <source>the loss does not decrease within %1 steps: %2, then %3</source>
            <translation>损失在 %1 步内没有下降：%2，随后 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.loss_not_finite</name>
        <message>
            <source>the loss of %1 is not finite in step %2</source>
            <translation>%1 的损失在第 %2 步不是有限值</translation>
        </message>
    </context>
    <context>
        <name>bench.loss_verdict</name>
        <message>
            <source>loss %1; published: %2</source>
            <translation>损失 %1；已发表：%2</translation>
        </message>
    </context>
    <context>
        <name>bench.member_not_positive</name>
        <message>
            <source>%1 must be greater than 0</source>
            <translation>%1 必须大于 0</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_changed</name>
        <message>
            <source>memory %1, now %2</source>
            <translation>内存 %1，现为 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_fault</name>
        <message>
            <source>at offset %1: %2 was written, %3 was read</source>
            <translation>偏移 %1：写入 %2，读出 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_passed</name>
        <message>
            <source>%1 tested with %2 patterns: every bit was read back as written</source>
            <translation>用 %2 种图案测试了 %1：读回的每一位都与写入一致</translation>
        </message>
    </context>
    <context>
        <name>bench.memory_wrong</name>
        <message>
            <source>%1 wrong 64-bit words in %2 of memory; wrong bits: %3</source>
            <translation>%2 内存中有 %1 个错误的 64 位字；错误位：%3</translation>
        </message>
    </context>
    <context>
        <name>bench.must_be_positive</name>
        <message>
            <source>must be greater than 0</source>
            <translation>必须大于 0</translation>
        </message>
    </context>
    <context>
        <name>bench.no_cases</name>
        <message>
            <source>the request contains no cases</source>
            <translation>请求中没有用例</translation>
        </message>
    </context>
    <context>
        <name>bench.no_column</name>
        <message>
            <source>has no column %1</source>
            <translation>没有列 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.no_data_to_read</name>
        <message>
            <source>the input pipeline has no data to read</source>
            <translation>输入流水线没有可读取的数据</translation>
        </message>
    </context>
    <context>
        <name>bench.no_device</name>
        <message>
            <source>no device is given</source>
            <translation>未给出设备</translation>
        </message>
    </context>
    <context>
        <name>bench.no_loss</name>
        <message>
            <source>no loss was computed</source>
            <translation>没有计算损失</translation>
        </message>
    </context>
    <context>
        <name>bench.no_measurement</name>
        <message>
            <source>contains no measurement</source>
            <translation>不含任何测量</translation>
        </message>
    </context>
    <context>
        <name>bench.no_operation_times</name>
        <message>
            <source>this backend does not time individual operations</source>
            <translation>该后端不对单个运算计时</translation>
        </message>
    </context>
    <context>
        <name>bench.no_precision_cost</name>
        <message>
            <source>the accuracy loss of int8 could not be measured: %1</source>
            <translation>int8 对输出的影响未知：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.no_profile</name>
        <message>
            <source>no profile: %1</source>
            <translation>没有剖析结果：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.no_ranks</name>
        <message>
            <source>this backend cannot split a step across devices</source>
            <translation>该后端无法将一步分给多个设备</translation>
        </message>
    </context>
    <context>
        <name>bench.no_real_data</name>
        <message>
            <source>%1 has no real data set; using synthetic data</source>
            <translation>%1 没有真实数据集，改用合成数据</translation>
        </message>
    </context>
    <context>
        <name>bench.no_validation_accuracy</name>
        <message>
            <source>no validation accuracy was computed</source>
            <translation>没有计算验证准确率</translation>
        </message>
    </context>
    <context>
        <name>bench.no_validation_part</name>
        <message>
            <source>there is no validation set, so no target accuracy can be reached</source>
            <translation>数据集没有验证部分，因此无法达到目标准确率</translation>
        </message>
    </context>
    <context>
        <name>bench.no_workload</name>
        <message>
            <source>no workload is given</source>
            <translation>未给出工作负载</translation>
        </message>
    </context>
    <context>
        <name>bench.not_a_number</name>
        <message>
            <source>%1 is not a number: "%2"</source>
            <translation>%1 不是数字：“%2”</translation>
        </message>
    </context>
    <context>
        <name>bench.not_enough_gpus</name>
        <message>
            <source>%1 GPUs are required; this computer has %2 usable</source>
            <translation>需要 %1 个 GPU；本机可用 %2 个</translation>
        </message>
    </context>
    <context>
        <name>bench.not_sustained</name>
        <message>
            <source>the last third of the run reached %1 of the speed of the first third</source>
            <translation>最后三分之一的速度为最初三分之一的 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.nothing_compared</name>
        <message>
            <source>nothing could be compared</source>
            <translation>没有可比较的内容</translation>
        </message>
    </context>
    <context>
        <name>bench.nothing_computed</name>
        <message>
            <source>nothing is computed</source>
            <translation>没有进行计算</translation>
        </message>
    </context>
    <context>
        <name>bench.nothing_named</name>
        <message>
            <source>the request names neither a suite nor a workload</source>
            <translation>请求中既没有套件也没有工作负载</translation>
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
            <translation>step_seconds 和 samples_per_second 必须且只能给出一个</translation>
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
            <translation>没有运算可与参考实现比较</translation>
        </message>
    </context>
    <context>
        <name>bench.operations_passed</name>
        <message>
            <source>%1 cases with every kind of operation agree with the reference</source>
            <translation>涵盖各类运算的 %1 个用例与参考实现一致</translation>
        </message>
    </context>
    <context>
        <name>bench.operations_wrong</name>
        <message>
            <source>%1 of %2 cases differ from the reference</source>
            <translation>%2 个用例中有 %1 个与参考实现不一致</translation>
        </message>
    </context>
    <context>
        <name>bench.other_batch</name>
        <message>
            <source>batch %1; the published run used %2</source>
            <translation>批大小 %1；已发表的运行使用 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.other_computer</name>
        <message>
            <source>it was started on another computer: %1</source>
            <translation>它在另一台计算机上开始：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.other_epochs</name>
        <message>
            <source>%1 epochs; the published run used %2</source>
            <translation>%1 轮；已发表的运行使用 %2 轮</translation>
        </message>
    </context>
    <context>
        <name>bench.other_node_failed</name>
        <message>
            <source>another node could not start: %1</source>
            <translation>另一个节点无法开始：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.other_program_version</name>
        <message>
            <source>it was started by version %1 (%2); this is %3 (%4)</source>
            <translation>它由版本 %1（%2）开始；当前为 %3（%4）</translation>
        </message>
    </context>
    <context>
        <name>bench.other_sample_count</name>
        <message>
            <source>%1 training samples; the published run used %2</source>
            <translation>训练样本 %1 个；已发表的运行使用 %2 个</translation>
        </message>
    </context>
    <context>
        <name>bench.other_software</name>
        <message>
            <source>measured by other software</source>
            <translation>由其他软件测得</translation>
        </message>
    </context>
    <context>
        <name>bench.other_suite_version</name>
        <message>
            <source>it was started with version %1 of the suites; this program has %2</source>
            <translation>它以套件版本 %1 开始；本程序为 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.outside_interval</name>
        <message>
            <source>step_seconds must lie between ci95_low and ci95_high</source>
            <translation>step_seconds 必须介于 ci95_low 与 ci95_high 之间</translation>
        </message>
    </context>
    <context>
        <name>bench.processor_changed</name>
        <message>
            <source>processor %1, now %2</source>
            <translation>处理器 %1，现为 %2</translation>
        </message>
    </context>
    <context>
        <name>bench.profiling_cancelled</name>
        <message>
            <source>profiling was cancelled</source>
            <translation>性能剖析已取消</translation>
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
            <translation>每个样本有 %1 个值；%2 需要 %3 个</translation>
        </message>
    </context>
    <context>
        <name>bench.slow_node</name>
        <message>
            <source>%1 is the slowest: it computes for %2, the median is %3</source>
            <translation>%1 最慢：计算用时 %2，中位数为 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.still_measuring</name>
        <message>
            <source>another process is still measuring it</source>
            <translation>另一个进程仍在测量它</translation>
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
            <translation>验证已关闭</translation>
        </message>
    </context>
    <context>
        <name>bench.synthetic_data</name>
        <message>
            <source>the data set is synthetic</source>
            <translation>数据集是合成的</translation>
        </message>
    </context>
    <context>
        <name>bench.synthetic_only</name>
        <message>
            <source>runs on several devices support synthetic data only</source>
            <translation>在多个设备上运行仅支持合成数据</translation>
        </message>
    </context>
    <context>
        <name>bench.threads_range</name>
        <message>
            <source>threads must be a whole number from 1 to %1</source>
            <translation>threads 须为 1 至 %1 的整数</translation>
        </message>
    </context>
    <context>
        <name>bench.timer_stalled</name>
        <message>
            <source>the timer did not advance</source>
            <translation>计时器没有前进</translation>
        </message>
    </context>
    <context>
        <name>bench.too_large_for_reference</name>
        <message>
            <source>too large for the reference check: %1 per sample</source>
            <translation>对参考检验而言过大：每个样本 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.too_many_threads</name>
        <message>
            <source>%1 threads on %2 usable cores: expect a slowdown</source>
            <translation>%1 个线程运行在 %2 个可用核心上：速度会下降</translation>
        </message>
    </context>
    <context>
        <name>bench.took_longer</name>
        <message>
            <source>took longer than %1</source>
            <translation>耗时超过 %1</translation>
        </message>
    </context>
    <context>
        <name>bench.training_cancelled</name>
        <message>
            <source>training of %1 was cancelled</source>
            <translation>%1 的训练已取消</translation>
        </message>
    </context>
    <context>
        <name>bench.training_needs</name>
        <message>
            <source>training at batch %1 needs %2; %3 is available</source>
            <translation>批大小 %1 的训练需要 %2，可用 %3</translation>
        </message>
    </context>
    <context>
        <name>bench.uneven_batch</name>
        <message>
            <source>a batch of %1 does not divide evenly among %2 devices</source>
            <translation>批大小 %1 无法在 %2 个设备间均分</translation>
        </message>
    </context>
    <context>
        <name>bench.uneven_nodes</name>
        <message>
            <source>%1: a batch of %2 does not divide evenly among %3 nodes; this case was skipped</source>
            <translation>%1：批大小 %2 无法均分给 %3 个节点；已跳过此用例</translation>
        </message>
    </context>
    <context>
        <name>bench.uneven_skipped</name>
        <message>
            <source>%1: a batch of %2 does not divide evenly among %3 GPUs; this case was skipped</source>
            <translation>%1：批大小 %2 无法在 %3 个 GPU 间均分，已跳过该用例</translation>
        </message>
    </context>
    <context>
        <name>bench.unknown_workload_name</name>
        <message>
            <source>"%1" is not a workload of this program (see: steelyard-cli list workloads)</source>
            <translation>“%1” 不是本程序的工作负载（参见命令 list workloads）</translation>
        </message>
    </context>
    <context>
        <name>bench.usable_cores_changed</name>
        <message>
            <source>%1 usable cores, now %2</source>
            <translation>%1 个可用核心，现为 %2 个</translation>
        </message>
    </context>
    <context>
        <name>bench.validation_cancelled</name>
        <message>
            <source>validation of %1 was cancelled</source>
            <translation>%1 的验证已取消</translation>
        </message>
    </context>
    <context>
        <name>bench.verification_failed</name>
        <message>
            <source>verification failed: %1</source>
            <translation>验证失败：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.visit_failed</name>
        <message>
            <source>a later visit failed: %1</source>
            <translation>后续的一轮测量失败：%1</translation>
        </message>
    </context>
    <context>
        <name>bench.waiting_cancelled</name>
        <message>
            <source>waiting for the other devices was cancelled</source>
            <translation>等待其他设备时被取消</translation>
        </message>
    </context>
    <context>
        <name>bench.was_imported</name>
        <message>
            <source>it was imported</source>
            <translation>它是导入的</translation>
        </message>
    </context>
    <context>
        <name>campaign.as_predicted</name>
        <message>
            <source>%1: as fast as predicted, %2 per step</source>
            <translation>%1：与预测一致，每步 %2</translation>
        </message>
    </context>
    <context>
        <name>campaign.contradicted_run</name>
        <message>
            <source>run %1 was found with two different contents; neither was stored</source>
            <translation>运行 %1 出现两种不同的内容，均未保存</translation>
        </message>
    </context>
    <context>
        <name>campaign.control_characters</name>
        <message>
            <source>contains control characters or line breaks, which a task file cannot hold</source>
            <translation>包含控制字符或换行符，任务文件无法容纳</translation>
        </message>
    </context>
    <context>
        <name>campaign.cut_result</name>
        <message>
            <source>a result in %1 is incomplete</source>
            <translation>%1 中有一个结果不完整</translation>
        </message>
    </context>
    <context>
        <name>campaign.ended_without_result</name>
        <message>
            <source>ended without a result</source>
            <translation>已结束但没有结果</translation>
        </message>
    </context>
    <context>
        <name>campaign.engine_rents_nothing</name>
        <message>
            <source>%1 cannot rent offers; name hosts with --host, or use skypilot</source>
            <translation>%1 无法租用方案；请用 --host 指定主机，或使用 skypilot</translation>
        </message>
    </context>
    <context>
        <name>campaign.engine_reports</name>
        <message>
            <source>%1 reports: %2</source>
            <translation>%1 报告：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.faster_than_predicted</name>
        <message>
            <source>%1: %2 faster than predicted, %3 instead of %4 per step</source>
            <translation>%1：比预测快 %2，每步 %3 而非 %4</translation>
        </message>
    </context>
    <context>
        <name>campaign.folder_in_use</name>
        <message>
            <source>contains the files of campaign %1; choose another folder</source>
            <translation>存有测量批次 %1 的文件；请指定其他文件夹</translation>
        </message>
    </context>
    <context>
        <name>campaign.group_of_one</name>
        <message>
            <source>%1 machines were requested, but this process was not started as one of them</source>
            <translation>要求 %1 台机器，但此进程并非作为其中之一启动</translation>
        </message>
    </context>
    <context>
        <name>campaign.host_not_predicted</name>
        <message>
            <source>the speed of host %1 cannot be predicted</source>
            <translation>无法预测主机 %1 的速度</translation>
        </message>
    </context>
    <context>
        <name>campaign.left_out_for_budget</name>
        <message>
            <source>%1 is excluded: with it, measuring could cost %2, more than the budget of %3</source>
            <translation>略去 %1：加上它，测量最多可能花费 %2，超过预算 %3</translation>
        </message>
    </context>
    <context>
        <name>campaign.left_out_no_backend</name>
        <message>
            <source>%1 is excluded: this program has no backend for %2</source>
            <translation>略去 %1：本程序没有 %2 的后端</translation>
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
            <translation>测量时其他程序在使用处理器；请重新测量</translation>
        </message>
    </context>
    <context>
        <name>campaign.misses_budget</name>
        <message>
            <source>%1 now costs %2, more than the budget of %3</source>
            <translation>%1 现在需要 %2，超过 %3 的预算</translation>
        </message>
    </context>
    <context>
        <name>campaign.misses_deadline</name>
        <message>
            <source>%1 now takes %2, longer than the deadline of %3</source>
            <translation>%1 现在需要 %2，超过 %3 的期限</translation>
        </message>
    </context>
    <context>
        <name>campaign.missing_cases_title</name>
        <message>
            <source>%1 missing cases</source>
            <translation>%1 个缺失的用例</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_checksum</name>
        <message>
            <source>the checksum of the bundle is unknown</source>
            <translation>归档文件的校验和未知</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_folder</name>
        <message>
            <source>no folder for the task files is given</source>
            <translation>未指定任务文件的文件夹</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_host</name>
        <message>
            <source>%1 needs the name of a host</source>
            <translation>%1 需要主机名</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_image</name>
        <message>
            <source>%1 needs --image, a container image that contains steelyard-cli</source>
            <translation>%1 需要 --image，即包含 steelyard-cli 的容器镜像</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_offer</name>
        <message>
            <source>%1 rents offers of the catalogue; it cannot use a host</source>
            <translation>%1 租用目录中的方案，不能使用主机</translation>
        </message>
    </context>
    <context>
        <name>campaign.needs_program</name>
        <message>
            <source>needs --program, the path of steelyard-cli on the machines, or --bundle, an archive of it</source>
            <translation>需要 --program（各机器上 steelyard-cli 的路径）或 --bundle（其归档文件）</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_arrays</name>
        <message>
            <source>cannot run a sweep; use slurm, kubernetes or parallel</source>
            <translation>无法运行扫描；请使用 slurm、kubernetes 或 parallel</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_candidates</name>
        <message>
            <source>none of the candidates can be measured</source>
            <translation>建议中没有可以测量的候选</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_case_finished</name>
        <message>
            <source>no case was finished</source>
            <translation>没有用例完成</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_choice_left</name>
        <message>
            <source>no candidate can do the job; %1 was the best choice</source>
            <translation>没有候选能完成该作业；此前的最佳选择是 %1</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_host_here</name>
        <message>
            <source>local measures this computer; it cannot use another host</source>
            <translation>local 测量本机，不能使用其他主机</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_such_candidate</name>
        <message>
            <source>%1 names candidate %2, which this campaign does not have</source>
            <translation>%1 指定了候选 %2，但该测量批次中没有它</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_such_chunk</name>
        <message>
            <source>%1 is not one of the %2 chunks</source>
            <translation>%1 不在 %2 个分块之中</translation>
        </message>
    </context>
    <context>
        <name>campaign.no_such_program</name>
        <message>
            <source>%1 is not installed or not in a folder of PATH</source>
            <translation>%1 未安装，或不在 PATH 的文件夹中</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_dns_label</name>
        <message>
            <source>&quot;%1&quot; is not a DNS label: at most 63 lower-case letters, digits and hyphens</source>
            <translation>“%1”不是 DNS 标签：最多 63 个小写字母、数字和连字符</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_host</name>
        <message>
            <source>&quot;%1&quot; is not NAME, NAME=DEVICE or NAME=DEVICE:COUNT</source>
            <translation>“%1”不是 NAME、NAME=DEVICE 或 NAME=DEVICE:COUNT</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_plain_name</name>
        <message>
            <source>&quot;%1&quot; may contain only letters, digits and -_.,:@[], and may not begin with -</source>
            <translation>“%1”只能包含字母、数字和 -_.,:@[]，且不能以 - 开头</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_result</name>
        <message>
            <source>%1 is not a complete result of a campaign: %2</source>
            <translation>%1 不是完整的测量批次结果：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_a_sweep</name>
        <message>
            <source>is not a sweep</source>
            <translation>不是扫描</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_distinguishable</name>
        <message>
            <source>the measurements do not distinguish %1 from %2</source>
            <translation>根据测量结果无法区分 %1 和 %2</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_launched</name>
        <message>
            <source>was not confirmed; nothing was launched</source>
            <translation>未经确认，没有启动任何任务</translation>
        </message>
    </context>
    <context>
        <name>campaign.not_measured</name>
        <message>
            <source>%1 was not measured: %2</source>
            <translation>%1 未被测量：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.nothing_to_launch</name>
        <message>
            <source>no candidate is planned or failed</source>
            <translation>没有处于计划或失败状态的候选</translation>
        </message>
    </context>
    <context>
        <name>campaign.of_another_campaign</name>
        <message>
            <source>%1 is a result of campaign %2</source>
            <translation>%1 是测量批次 %2 的结果</translation>
        </message>
    </context>
    <context>
        <name>campaign.other_choice</name>
        <message>
            <source>%1 is now the best choice instead of %2</source>
            <translation>%1 现在取代 %2 成为最佳选择</translation>
        </message>
    </context>
    <context>
        <name>campaign.other_place</name>
        <message>
            <source>%1 moves from rank %2 to rank %3</source>
            <translation>%1 从第 %2 位变为第 %3 位</translation>
        </message>
    </context>
    <context>
        <name>campaign.other_version</name>
        <message>
            <source>measured by version %1; this is version %2, and the figures may not be comparable</source>
            <translation>由版本 %1 测量；当前为版本 %2，数据可能不可比</translation>
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
            <translation>%1：超出 %2 至 %3 的预测区间</translation>
        </message>
    </context>
    <context>
        <name>campaign.over_budget</name>
        <message>
            <source>can cost up to %1, more than the budget of %2</source>
            <translation>最多可能花费 %1，超过预算 %2</translation>
        </message>
    </context>
    <context>
        <name>campaign.question_not_measured</name>
        <message>
            <source>the job itself was not measured</source>
            <translation>未测量该作业本身</translation>
        </message>
    </context>
    <context>
        <name>campaign.repeats_lost_spot</name>
        <message>
            <source>repeats candidate %1, whose spot instance was preempted</source>
            <translation>重复候选 %1，其竞价机器已被收回</translation>
        </message>
    </context>
    <context>
        <name>campaign.same_choice</name>
        <message>
            <source>%1 stays the best choice</source>
            <translation>%1 仍是最佳选择</translation>
        </message>
    </context>
    <context>
        <name>campaign.slower_than_predicted</name>
        <message>
            <source>%1: takes %2 longer than predicted, %3 instead of %4 per step</source>
            <translation>%1：比预测多用 %2 的时间，每步 %3 而非 %4</translation>
        </message>
    </context>
    <context>
        <name>campaign.spot_lost</name>
        <message>
            <source>the spot instance was preempted</source>
            <translation>竞价机器被收回</translation>
        </message>
    </context>
    <context>
        <name>campaign.times_as_long</name>
        <message>
            <source>%1: takes %2 times as long as predicted, %3 instead of %4 per step</source>
            <translation>%1：耗时是预测的 %2 倍，每步 %3，而非 %4</translation>
        </message>
    </context>
    <context>
        <name>campaign.too_large_for_config_map</name>
        <message>
            <source>the cases exceed the size limit of a Kubernetes ConfigMap; use fewer cases</source>
            <translation>用例超过 Kubernetes ConfigMap 的大小；请减少用例</translation>
        </message>
    </context>
    <context>
        <name>campaign.too_many_chunks</name>
        <message>
            <source>%1 chunks; an array job has at most %2 tasks</source>
            <translation>有 %1 个分块；一个数组最多 %2 个任务</translation>
        </message>
    </context>
    <context>
        <name>campaign.tool_ended</name>
        <message>
            <source>%1 exited with code %2</source>
            <translation>%1 以代码 %2 结束</translation>
        </message>
    </context>
    <context>
        <name>campaign.tool_says</name>
        <message>
            <source>%1 exited with code %2: %3</source>
            <translation>%1 以代码 %2 结束：%3</translation>
        </message>
    </context>
    <context>
        <name>campaign.under_way</name>
        <message>
            <source>candidates %1 are still running</source>
            <translation>候选 %1 仍在进行中</translation>
        </message>
    </context>
    <context>
        <name>campaign.unexpected_answer</name>
        <message>
            <source>unexpected output of %1: %2</source>
            <translation>无法理解 %1 的回答：%2</translation>
        </message>
    </context>
    <context>
        <name>campaign.unknown_candidate</name>
        <message>
            <source>&quot;%1&quot; is not one of the candidates</source>
            <translation>“%1”不是建议中的候选</translation>
        </message>
    </context>
    <context>
        <name>campaign.unknown_hardware</name>
        <message>
            <source>&quot;%1&quot; is not a device of the catalogue</source>
            <translation>“%1”不是目录中的设备</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_column</name>
        <message>
            <source>has no column %1</source>
            <translation>没有 %1 列</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_exchange_rate</name>
        <message>
            <source>no exchange rate for %1 was entered</source>
            <translation>未输入 %1 的汇率</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_offer_id</name>
        <message>
            <source>there is no offer with this id</source>
            <translation>没有此 id 的报价</translation>
        </message>
    </context>
    <context>
        <name>catalog.no_vms_csv</name>
        <message>
            <source>contains no vms.csv, neither directly nor in a folder of a provider</source>
            <translation>不含 vms.csv，云服务商的文件夹中也没有</translation>
        </message>
    </context>
    <context>
        <name>catalog.price_range</name>
        <message>
            <source>must be between %1 and %2 US dollars per hour</source>
            <translation>须在每小时 %1 至 %2 美元之间</translation>
        </message>
    </context>
    <context>
        <name>catalog.rate_of_usd</name>
        <message>
            <source>prices are in US dollars, which need no exchange rate</source>
            <translation>价格以美元计，无需汇率</translation>
        </message>
    </context>
    <context>
        <name>catalog.rate_range</name>
        <message>
            <source>the exchange rate must be between %1 and %2 per US dollar</source>
            <translation>汇率（每美元）必须在 %1 与 %2 之间</translation>
        </message>
    </context>
    <context>
        <name>catalog.rate_source_missing</name>
        <message>
            <source>enter the date and the source of the exchange rate</source>
            <translation>请输入汇率的日期和来源</translation>
        </message>
    </context>
    <context>
        <name>catalog.source_missing</name>
        <message>
            <source>enter the source of the price</source>
            <translation>请填写价格的来源</translation>
        </message>
    </context>
    <context>
        <name>compute.address_space</name>
        <message>
            <source>the address space is limited (ulimit -v)</source>
            <translation>地址空间受限（ulimit -v）</translation>
        </message>
    </context>
    <context>
        <name>compute.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>必须不小于 1</translation>
        </message>
    </context>
    <context>
        <name>compute.bad_node_count</name>
        <message>
            <source>a group of %1 out of %2 nodes is not possible</source>
            <translation>无法取 %2 个节点中的 %1 个</translation>
        </message>
    </context>
    <context>
        <name>compute.bad_rank</name>
        <message>
            <source>rank %1 of %2 is not valid</source>
            <translation>进程序号 %1（共 %2）无效</translation>
        </message>
    </context>
    <context>
        <name>compute.buckets_not_ready</name>
        <message>
            <source>%1 of %2 gradient buckets were never ready</source>
            <translation>%2 个梯度桶中有 %1 个始终未就绪</translation>
        </message>
    </context>
    <context>
        <name>compute.call_failed</name>
        <message>
            <source>%1 failed: %2</source>
            <translation>%1 失败：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.call_failed_with_code</name>
        <message>
            <source>%1 returned %2: %3</source>
            <translation>%1 返回 %2：%3</translation>
        </message>
    </context>
    <context>
        <name>compute.cannot_be_opened</name>
        <message>
            <source>cannot be opened</source>
            <translation>无法打开</translation>
        </message>
    </context>
    <context>
        <name>compute.capability_needed</name>
        <message>
            <source>%1 requires compute capability %2</source>
            <translation>%1 需要计算能力 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.capability_too_old</name>
        <message>
            <source>%1 requires compute capability %2; this device has %3</source>
            <translation>%1 需要计算能力 %2；该设备为 %3</translation>
        </message>
    </context>
    <context>
        <name>compute.compiling_step</name>
        <message>
            <source>compiling the step</source>
            <translation>编译该步</translation>
        </message>
    </context>
    <context>
        <name>compute.context_full</name>
        <message>
            <source>the context has room for %1 tokens; %2 were requested</source>
            <translation>上下文可容纳 %1 个词元；请求了 %2 个</translation>
        </message>
    </context>
    <context>
        <name>compute.copy_differs</name>
        <message>
            <source>the copied bytes differ from those sent</source>
            <translation>复制得到的字节与发送的不同</translation>
        </message>
    </context>
    <context>
        <name>compute.cache_needs_blocks</name>
        <message>
            <source>a KV cache in %1 needs heads of a multiple of %2 elements; they have %3</source>
            <translation>%1 格式的 KV 缓存要求注意力头的元素数是 %2 的倍数；这里是 %3</translation>
        </message>
    </context>
    <context>
        <name>compute.no_cache_type</name>
        <message>
            <source>the %1 backend does not support a KV cache in %2</source>
            <translation>%1 后端不支持 %2 格式的 KV 缓存</translation>
        </message>
    </context>
    <context>
        <name>compute.depthwise_needs_vnni</name>
        <message>
            <source>depthwise convolutions in int8 need AVX-512 VNNI, or channels in multiples of 8</source>
            <translation>int8 深度卷积需要 AVX-512 VNNI，或通道数为 8 的倍数</translation>
        </message>
    </context>
    <context>
        <name>compute.driver_failed</name>
        <message>
            <source>the NVIDIA driver failed: %1</source>
            <translation>NVIDIA 驱动程序出错：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.driver_too_old</name>
        <message>
            <source>the NVIDIA driver supports CUDA %1; %2 is required</source>
            <translation>NVIDIA 驱动程序支持 CUDA %1，需要 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.element_out_of_range</name>
        <message>
            <source>element %1 is %2, not in [0, %3)</source>
            <translation>第 %1 个元素为 %2，不在 [0, %3) 内</translation>
        </message>
    </context>
    <context>
        <name>compute.family_not_computed</name>
        <message>
            <source>models of the family %1 can be predicted but not run yet</source>
            <translation>%1 系列的模型可以描述，但尚不能计算</translation>
        </message>
    </context>
    <context>
        <name>compute.given_twice</name>
        <message>
            <source>%1 is given twice</source>
            <translation>%1 被给出两次</translation>
        </message>
    </context>
    <context>
        <name>compute.gradients_zero</name>
        <message>
            <source>all gradients are zero</source>
            <translation>所有梯度均为零</translation>
        </message>
    </context>
    <context>
        <name>compute.group_lost</name>
        <message>
            <source>the group of nodes was terminated: a process or the network between the nodes was lost, or the run was stopped</source>
            <translation>节点组已终止：某个进程或节点间的网络已中断，或运行被停止</translation>
        </message>
    </context>
    <context>
        <name>compute.has_no_symbol</name>
        <message>
            <source>%1 has no %2</source>
            <translation>%1 中没有 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.holds_integers</name>
        <message>
            <source>holds integers</source>
            <translation>含整数</translation>
        </message>
    </context>
    <context>
        <name>compute.holds_no_integers</name>
        <message>
            <source>does not hold integers</source>
            <translation>不含整数</translation>
        </message>
    </context>
    <context>
        <name>compute.input_count</name>
        <message>
            <source>%1 inputs are given; the network has %2</source>
            <translation>给出了 %1 个输入，而网络有 %2 个</translation>
        </message>
    </context>
    <context>
        <name>compute.input_without_value</name>
        <message>
            <source>this input has no value</source>
            <translation>此输入没有值</translation>
        </message>
    </context>
    <context>
        <name>compute.is_all_zero</name>
        <message>
            <source>%1 is all zero</source>
            <translation>%1 全为零</translation>
        </message>
    </context>
    <context>
        <name>compute.is_not_a_number</name>
        <message>
            <source>%1 is not a number</source>
            <translation>%1 不是数字</translation>
        </message>
    </context>
    <context>
        <name>compute.kept_transformed</name>
        <message>
            <source>is kept in another layout</source>
            <translation>以另一种布局保存</translation>
        </message>
    </context>
    <context>
        <name>compute.libraries_missing</name>
        <message>
            <source>its libraries are missing: %1</source>
            <translation>缺少其所需的库：%1</translation>
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
            <translation>损失不是数字</translation>
        </message>
    </context>
    <context>
        <name>compute.missing_entry_point</name>
        <message>
            <source>the entry point %1 is missing</source>
            <translation>缺少入口点 %1</translation>
        </message>
    </context>
    <context>
        <name>compute.missing_functions</name>
        <message>
            <source>the library lacks required functions</source>
            <translation>该库缺少所需的函数</translation>
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
            <translation>没有适用于该运算的算法</translation>
        </message>
    </context>
    <context>
        <name>compute.no_bfloat16</name>
        <message>
            <source>bf16 requires AVX-512 BF16 or AMX; the processor lacks them or they are disabled</source>
            <translation>bf16 需要 AVX-512 BF16 或 AMX；处理器不具备或已被禁用</translation>
        </message>
    </context>
    <context>
        <name>compute.no_dense_block</name>
        <message>
            <source>its weight space has no dense block for each gate</source>
            <translation>其权重空间没有每个门的连续块</translation>
        </message>
    </context>
    <context>
        <name>compute.no_device</name>
        <message>
            <source>the NVIDIA driver reports no device</source>
            <translation>NVIDIA 驱动程序未报告任何设备</translation>
        </message>
    </context>
    <context>
        <name>compute.no_device_memory</name>
        <message>
            <source>the device could not allocate the memory</source>
            <translation>设备无法分配内存</translation>
        </message>
    </context>
    <context>
        <name>compute.no_driver</name>
        <message>
            <source>no NVIDIA driver is installed</source>
            <translation>未安装 NVIDIA 驱动程序</translation>
        </message>
    </context>
    <context>
        <name>compute.no_error_text</name>
        <message>
            <source>no error text</source>
            <translation>没有错误说明</translation>
        </message>
    </context>
    <context>
        <name>compute.no_exchange_free_step</name>
        <message>
            <source>a step without gradient exchange failed: %1</source>
            <translation>不交换梯度的一步失败：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.no_measurements</name>
        <message>
            <source>there are no measurements</source>
            <translation>没有测量</translation>
        </message>
    </context>
    <context>
        <name>compute.no_mpi_module</name>
        <message>
            <source>this program was built without MPI, which several nodes need: install libopenmpi-dev and build it again</source>
            <translation>此程序构建时没有 MPI，而多个节点需要它：请安装 libopenmpi-dev 并重新构建</translation>
        </message>
    </context>
    <context>
        <name>compute.no_peak_kernel</name>
        <message>
            <source>no peak measurement for %1</source>
            <translation>没有 %1 的峰值测量</translation>
        </message>
    </context>
    <context>
        <name>compute.no_precision</name>
        <message>
            <source>the %1 backend does not support %2</source>
            <translation>%1 后端不支持 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.no_tensor</name>
        <message>
            <source>there is no tensor %1</source>
            <translation>没有张量 %1</translation>
        </message>
    </context>
    <context>
        <name>compute.nodes_silent</name>
        <message>
            <source>no answer from the other nodes for %1: a process or the network between the nodes was lost</source>
            <translation>其他节点已有 %1 没有应答：某个进程或节点间的网络已中断</translation>
        </message>
    </context>
    <context>
        <name>compute.none_within_workspace</name>
        <message>
            <source>none of %1 algorithms works within %2 of workspace</source>
            <translation>%1 种算法都无法在 %2 工作区内运行</translation>
        </message>
    </context>
    <context>
        <name>compute.not_a_backend</name>
        <message>
            <source>the file is not a backend of this program</source>
            <translation>该文件不是本程序的后端</translation>
        </message>
    </context>
    <context>
        <name>compute.not_a_run_id</name>
        <message>
            <source>not the id of a run</source>
            <translation>不是运行标识</translation>
        </message>
    </context>
    <context>
        <name>compute.one_thread_is_faster</name>
        <message>
            <source>one of %1 threads computes the step, which is faster than using all of them</source>
            <translation>该步只用 %1 个线程中的一个计算，比使用全部线程更快</translation>
        </message>
    </context>
    <context>
        <name>compute.not_captured</name>
        <message>
            <source>the step was not captured as a CUDA graph: %1</source>
            <translation>该步未被捕获为 CUDA 图：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.not_installed</name>
        <message>
            <source>the backend is not installed</source>
            <translation>未安装该后端</translation>
        </message>
    </context>
    <context>
        <name>compute.not_kept</name>
        <message>
            <source>is not kept after the step</source>
            <translation>该步之后不保留</translation>
        </message>
    </context>
    <context>
        <name>compute.not_one_of_several</name>
        <message>
            <source>this step is not split among devices</source>
            <translation>该步没有分给多个设备</translation>
        </message>
    </context>
    <context>
        <name>compute.not_repeated</name>
        <message>
            <source>a cache of %1 tokens cannot be repeated; it takes a multiple of %2</source>
            <translation>%1 个词元的缓存无法重复；须为 %2 的倍数</translation>
        </message>
    </context>
    <context>
        <name>compute.not_writable</name>
        <message>
            <source>callers cannot write this tensor</source>
            <translation>调用方不能写入此张量</translation>
        </message>
    </context>
    <context>
        <name>compute.not_written_as_floats</name>
        <message>
            <source>is not written as floating-point numbers</source>
            <translation>不以浮点数写入</translation>
        </message>
    </context>
    <context>
        <name>compute.not_written_as_integers</name>
        <message>
            <source>is not written as integers</source>
            <translation>不以整数写入</translation>
        </message>
    </context>
    <context>
        <name>compute.not_rewound</name>
        <message>
            <source>cannot go back from token %1 to %2: only to the start, or by at most %3 tokens</source>
            <translation>无法从第 %1 个词元退回到第 %2 个：只能退回到开头，或最多退回 %3 个词元</translation>
        </message>
    </context>
    <context>
        <name>compute.nothing_in_bytes</name>
        <message>
            <source>int8 needs a convolution or a dense layer: the network has none</source>
            <translation>int8 需要卷积层或全连接层：该网络没有</translation>
        </message>
    </context>
    <context>
        <name>compute.nothing_to_copy</name>
        <message>
            <source>there is nothing to copy</source>
            <translation>没有可复制的内容</translation>
        </message>
    </context>
    <context>
        <name>compute.only_gpus_share</name>
        <message>
            <source>only GPUs, and the CPUs of several nodes (run --nodes), can split a step</source>
            <translation>只有 GPU，以及多个节点的 CPU（run --nodes），能分担一步</translation>
        </message>
    </context>
    <context>
        <name>compute.other_interface</name>
        <message>
            <source>built for interface version %1; this program has %2</source>
            <translation>为接口版本 %1 构建；本程序为 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.other_rank_count</name>
        <message>
            <source>for %1 ranks, not %2</source>
            <translation>用于 %1 个进程，而非 %2 个</translation>
        </message>
    </context>
    <context>
        <name>compute.other_rank_here</name>
        <message>
            <source>this process already is another rank of this group</source>
            <translation>本进程已是该组的另一成员</translation>
        </message>
    </context>
    <context>
        <name>compute.other_runs_id</name>
        <message>
            <source>another run left its id here</source>
            <translation>另一次运行在此留下了标识</translation>
        </message>
    </context>
    <context>
        <name>compute.out_of_range</name>
        <message>
            <source>%1 is not in [0, %2)</source>
            <translation>%1 不在 [0, %2) 内</translation>
        </message>
    </context>
    <context>
        <name>compute.over_free_memory</name>
        <message>
            <source>the step exceeds the free memory of the device</source>
            <translation>该步超出设备的可用内存</translation>
        </message>
    </context>
    <context>
        <name>compute.over_the_limit</name>
        <message>
            <source>the step exceeds the memory limit</source>
            <translation>该步超过内存限制</translation>
        </message>
    </context>
    <context>
        <name>compute.over_the_memory_limit</name>
        <message>
            <source>the step exceeds the memory limit</source>
            <translation>该步超出内存上限</translation>
        </message>
    </context>
    <context>
        <name>compute.own_recurrence</name>
        <message>
            <source>recurrent layers use built-in kernels instead of cuDNN: %1</source>
            <translation>循环层使用内置内核而非 cuDNN：%1</translation>
        </message>
    </context>
    <context>
        <name>compute.rank_aborted</name>
        <message>
            <source>this rank has aborted</source>
            <translation>该进程已中止</translation>
        </message>
    </context>
    <context>
        <name>compute.rank_missing</name>
        <message>
            <source>rank 0 did not join within %1</source>
            <translation>第 0 个进程未在 %1 内加入</translation>
        </message>
    </context>
    <context>
        <name>compute.reference_convolution</name>
        <message>
            <source>oneDNN offers only its reference implementation for this convolution</source>
            <translation>oneDNN 对该卷积仅有参考实现</translation>
        </message>
    </context>
    <context>
        <name>compute.rendezvous_cancelled</name>
        <message>
            <source>waiting for the other ranks was cancelled</source>
            <translation>等待其他进程时被取消</translation>
        </message>
    </context>
    <context>
        <name>compute.shared_reduced_weights</name>
        <message>
            <source>weights shared between convolutions require fp32</source>
            <translation>卷积间共享权重需要 fp32</translation>
        </message>
    </context>
    <context>
        <name>compute.sparse_update_shared</name>
        <message>
            <source>sparse embedding updates cannot be split among devices</source>
            <translation>稀疏的嵌入更新无法分给多个设备</translation>
        </message>
    </context>
    <context>
        <name>compute.tensors_too_large</name>
        <message>
            <source>the tensors of the step do not fit</source>
            <translation>该步的张量放不下</translation>
        </message>
    </context>
    <context>
        <name>compute.time_not_positive</name>
        <message>
            <source>a time must be greater than 0</source>
            <translation>时间必须大于 0</translation>
        </message>
    </context>
    <context>
        <name>compute.token_outside</name>
        <message>
            <source>token %1 is not in the vocabulary (0 to %2)</source>
            <translation>词元 %1 不在词表（0 至 %2）中</translation>
        </message>
    </context>
    <context>
        <name>compute.too_few_devices</name>
        <message>
            <source>%1 is less than 1</source>
            <translation>%1 小于 1</translation>
        </message>
    </context>
    <context>
        <name>compute.too_many_dimensions</name>
        <message>
            <source>the CUDA backend supports at most %1 dimensions here</source>
            <translation>CUDA 后端在此最多支持 %1 个维度</translation>
        </message>
    </context>
    <context>
        <name>compute.too_many_elements</name>
        <message>
            <source>%1 elements at batch %2; at most %3 can be indexed</source>
            <translation>批大小 %2 时有 %1 个元素；最多可索引 %3 个</translation>
        </message>
    </context>
    <context>
        <name>compute.too_many_masks</name>
        <message>
            <source>the CUDA backend supports at most %1 attention masks</source>
            <translation>CUDA 后端最多支持 %1 个注意力掩码</translation>
        </message>
    </context>
    <context>
        <name>compute.two_losses</name>
        <message>
            <source>two losses on the same logits</source>
            <translation>同一 logits 上有两个损失</translation>
        </message>
    </context>
    <context>
        <name>compute.unequal_sequences</name>
        <message>
            <source>%1 tokens do not divide evenly among %2 sequences</source>
            <translation>%1 个词元不能平均分给 %2 个序列（每个序列至少一个）</translation>
        </message>
    </context>
    <context>
        <name>compute.unknown_cuda_device</name>
        <message>
            <source>unknown device "%1"; CUDA devices: %2</source>
            <translation>未知的设备 “%1”；CUDA 设备数：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.unknown_device</name>
        <message>
            <source>unknown device "%1"; known: %2</source>
            <translation>未知的设备 “%1”；已知：%2</translation>
        </message>
    </context>
    <context>
        <name>compute.unknown_operation</name>
        <message>
            <source>unknown operation</source>
            <translation>未知的运算</translation>
        </message>
    </context>
    <context>
        <name>compute.window_too_large</name>
        <message>
            <source>windows of more than %1 positions cannot be trained</source>
            <translation>超过 %1 个位置的窗口无法训练</translation>
        </message>
    </context>
    <context>
        <name>compute.workspace_too_small</name>
        <message>
            <source>needs %1 of workspace; %2 is allowed</source>
            <translation>需要 %1 工作区，允许 %2</translation>
        </message>
    </context>
    <context>
        <name>compute.world_writable</name>
        <message>
            <source>%1 is writable by others; run chmod o-w</source>
            <translation>%1 可被其他用户写入；请执行 chmod o-w</translation>
        </message>
    </context>
    <context>
        <name>compute.wrong_element_count</name>
        <message>
            <source>%1 values for a tensor of %2</source>
            <translation>为 %2 的张量给出 %1 个值</translation>
        </message>
    </context>
    <context>
        <name>core.a_number</name>
        <message>
            <source>a number</source>
            <translation>数字</translation>
        </message>
    </context>
    <context>
        <name>core.a_string</name>
        <message>
            <source>a string</source>
            <translation>字符串</translation>
        </message>
    </context>
    <context>
        <name>core.a_whole_number</name>
        <message>
            <source>a whole number</source>
            <translation>整数</translation>
        </message>
    </context>
    <context>
        <name>core.an_array</name>
        <message>
            <source>an array</source>
            <translation>数组</translation>
        </message>
    </context>
    <context>
        <name>core.an_object</name>
        <message>
            <source>an object</source>
            <translation>对象</translation>
        </message>
    </context>
    <context>
        <name>core.at_byte</name>
        <message>
            <source>%1 (at byte %2)</source>
            <translation>%1（位于第 %2 字节）</translation>
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
            <translation>含有二进制数据</translation>
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
            <translation>%1 的测量进程意外结束</translation>
        </message>
    </context>
    <context>
        <name>core.corrupt_data</name>
        <message>
            <source>%1 is damaged or not in the expected format</source>
            <translation>%1 已损坏或格式不符</translation>
        </message>
    </context>
    <context>
        <name>core.disk_full</name>
        <message>
            <source>the disk is full, %1 could not be written</source>
            <translation>磁盘已满，无法写入 %1</translation>
        </message>
    </context>
    <context>
        <name>core.document_version</name>
        <message>
            <source>version %1; this program reads up to version %2</source>
            <translation>版本 %1；本程序最高可读版本 %2</translation>
        </message>
    </context>
    <context>
        <name>core.field_too_long</name>
        <message>
            <source>line %1 has a field of more than %2 bytes</source>
            <translation>第 %1 行有字段超过 %2 字节</translation>
        </message>
    </context>
    <context>
        <name>core.file_size_limit</name>
        <message>
            <source>the file would exceed the size limit of this process (ulimit -f)</source>
            <translation>文件将超出此进程的大小限制（ulimit -f）</translation>
        </message>
    </context>
    <context>
        <name>core.given_twice</name>
        <message>
            <source>"%1" is given twice</source>
            <translation>“%1” 给出了两次</translation>
        </message>
    </context>
    <context>
        <name>core.implausible</name>
        <message>
            <source>is not a plausible number</source>
            <translation>不是合理的数值</translation>
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
            <translation>无法读写 %1</translation>
        </message>
    </context>
    <context>
        <name>core.is_a_folder</name>
        <message>
            <source>it is a directory</source>
            <translation>它是文件夹</translation>
        </message>
    </context>
    <context>
        <name>core.is_missing</name>
        <message>
            <source>is missing</source>
            <translation>缺失</translation>
        </message>
    </context>
    <context>
        <name>core.larger_than</name>
        <message>
            <source>larger than %1 bytes</source>
            <translation>大于 %1 字节</translation>
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
            <translation>%1 正被其他程序使用</translation>
        </message>
    </context>
    <context>
        <name>core.must_be</name>
        <message>
            <source>must be %1, not %2</source>
            <translation>必须是%1，而不是%2</translation>
        </message>
    </context>
    <context>
        <name>core.must_be_positive</name>
        <message>
            <source>must be greater than 0</source>
            <translation>必须大于 0</translation>
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
            <translation>嵌套超过 %1 层</translation>
        </message>
    </context>
    <context>
        <name>core.no_header</name>
        <message>
            <source>has no header</source>
            <translation>没有表头</translation>
        </message>
    </context>
    <context>
        <name>core.no_memory</name>
        <message>
            <source>%1 does not fit into memory</source>
            <translation>%1 超出内存容量</translation>
        </message>
    </context>
    <context>
        <name>core.no_user_folder</name>
        <message>
            <source>HOME must be an absolute path; or set XDG_DATA_HOME</source>
            <translation>HOME 须为绝对路径；或设置 XDG_DATA_HOME</translation>
        </message>
    </context>
    <context>
        <name>core.not_a_regular_file</name>
        <message>
            <source>not a regular file</source>
            <translation>不是普通文件</translation>
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
            <translation>此处不支持 %1</translation>
        </message>
    </context>
    <context>
        <name>core.not_valid</name>
        <message>
            <source>%1 is not valid</source>
            <translation>%1 无效</translation>
        </message>
    </context>
    <context>
        <name>core.open_quotes</name>
        <message>
            <source>the quotation mark opened in line %1 is not closed</source>
            <translation>第 %1 行开始的引号没有结束</translation>
        </message>
    </context>
    <context>
        <name>core.other_format</name>
        <message>
            <source>is "%1", not "%2"</source>
            <translation>是 “%1”，而不是 “%2”</translation>
        </message>
    </context>
    <context>
        <name>core.out_of_range</name>
        <message>
            <source>%1 is out of range</source>
            <translation>%1 超出范围</translation>
        </message>
    </context>
    <context>
        <name>core.permission_denied</name>
        <message>
            <source>access to %1 is denied</source>
            <translation>没有访问 %1 的权限</translation>
        </message>
    </context>
    <context>
        <name>core.text_after_quote</name>
        <message>
            <source>text follows the closing quotation mark in line %1</source>
            <translation>第 %1 行的结束引号之后还有内容</translation>
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
            <translation>%1 超过了时间限制</translation>
        </message>
    </context>
    <context>
        <name>core.too_many_fields</name>
        <message>
            <source>line %1 has more than %2 fields</source>
            <translation>第 %1 行超过 %2 个字段</translation>
        </message>
    </context>
    <context>
        <name>core.too_many_rows</name>
        <message>
            <source>more than %1 rows</source>
            <translation>超过 %1 行</translation>
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
            <translation>有两个 %1 列</translation>
        </message>
    </context>
    <context>
        <name>core.unavailable</name>
        <message>
            <source>%1 is not available</source>
            <translation>%1 不可用</translation>
        </message>
    </context>
    <context>
        <name>core.unexpected</name>
        <message>
            <source>unexpected failure in %1</source>
            <translation>%1 发生意外错误</translation>
        </message>
    </context>
    <context>
        <name>core.unknown_value</name>
        <message>
            <source>has the unknown value "%1"</source>
            <translation>的值 “%1” 未知</translation>
        </message>
    </context>
    <context>
        <name>core.version_too_new</name>
        <message>
            <source>%1 was written by a newer version of this program</source>
            <translation>%1 由本程序的更新版本写入</translation>
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
            <translation>一个长度</translation>
        </message>
    </context>
    <context>
        <name>data.also_tried</name>
        <message>
            <source>also tried with .gz and in MNIST/raw</source>
            <translation>也尝试过 .gz 与 MNIST/raw</translation>
        </message>
    </context>
    <context>
        <name>data.appends_to_no_list</name>
        <message>
            <source>appends to an object that is not a list</source>
            <translation>向非列表的对象追加</translation>
        </message>
    </context>
    <context>
        <name>data.arithmetic_coding</name>
        <message>
            <source>arithmetic coding</source>
            <translation>算术编码</translation>
        </message>
    </context>
    <context>
        <name>data.array_without_lists</name>
        <message>
            <source>the array does not contain lists</source>
            <translation>数组中不是列表</translation>
        </message>
    </context>
    <context>
        <name>data.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>至少为 1</translation>
        </message>
    </context>
    <context>
        <name>data.bad_instruction</name>
        <message>
            <source>instruction %1 is not needed for lists of numbers</source>
            <translation>指令 %1 不属于数字列表</translation>
        </message>
    </context>
    <context>
        <name>data.bad_varint</name>
        <message>
            <source>a number ends early or is too long</source>
            <translation>有数字提前结束或过长</translation>
        </message>
    </context>
    <context>
        <name>data.batch_too_large</name>
        <message>
            <source>%1 exceeds the %2 samples, and incomplete batches are dropped</source>
            <translation>%1 超过 %2 个样本，而不完整的批次会被舍弃</translation>
        </message>
    </context>
    <context>
        <name>data.batches_continue</name>
        <message>
            <source>its batches are consecutive; a selection of samples is not possible</source>
            <translation>其各批次前后相接，无法从中选取样本</translation>
        </message>
    </context>
    <context>
        <name>data.became_shorter</name>
        <message>
            <source>the file was shortened while in use</source>
            <translation>文件在使用中被缩短</translation>
        </message>
    </context>
    <context>
        <name>data.between</name>
        <message>
            <source>must be between %1 and %2</source>
            <translation>须在 %1 与 %2 之间</translation>
        </message>
    </context>
    <context>
        <name>data.binary_means_two</name>
        <message>
            <source>must be 2 for binary labels</source>
            <translation>二元标签须为 2</translation>
        </message>
    </context>
    <context>
        <name>data.bytes_missing</name>
        <message>
            <source>ends early; %1 more bytes expected</source>
            <translation>提前结束；还应有 %1 字节</translation>
        </message>
    </context>
    <context>
        <name>data.calls_unnamed</name>
        <message>
            <source>calls an object without a name</source>
            <translation>调用了没有名称的对象</translation>
        </message>
    </context>
    <context>
        <name>data.classes_differ</name>
        <message>
            <source>its classes differ from those of train</source>
            <translation>其类别与 train 的不同</translation>
        </message>
    </context>
    <context>
        <name>data.compressed_damaged</name>
        <message>
            <source>the compressed data is damaged</source>
            <translation>压缩数据已损坏</translation>
        </message>
    </context>
    <context>
        <name>data.compressed_ends_early</name>
        <message>
            <source>the compressed data ends early</source>
            <translation>压缩数据提前结束</translation>
        </message>
    </context>
    <context>
        <name>data.consecutive_batches</name>
        <message>
            <source>%1 requires consecutive batches: not shuffled, batch size %2</source>
            <translation>%1 需要前后相接的批次：不打乱，批次大小 %2</translation>
        </message>
    </context>
    <context>
        <name>data.data_checksum</name>
        <message>
            <source>wrong checksum of a record's data</source>
            <translation>记录数据的校验和不正确</translation>
        </message>
    </context>
    <context>
        <name>data.dimension_count</name>
        <message>
            <source>%1 dimensions; expected %2</source>
            <translation>%1 维；应为 %2 维</translation>
        </message>
    </context>
    <context>
        <name>data.dimension_too_small</name>
        <message>
            <source>every dimension must be at least 1</source>
            <translation>每个维度至少为 1</translation>
        </message>
    </context>
    <context>
        <name>data.empty_file</name>
        <message>
            <source>the file is empty</source>
            <translation>文件为空</translation>
        </message>
    </context>
    <context>
        <name>data.empty_part</name>
        <message>
            <source>%1 of %2 samples leaves one part empty</source>
            <translation>%2 个样本中取 %1 个会使一部分为空</translation>
        </message>
    </context>
    <context>
        <name>data.empty_stack</name>
        <message>
            <source>takes a value from an empty stack</source>
            <translation>从空栈取值</translation>
        </message>
    </context>
    <context>
        <name>data.ends_early</name>
        <message>
            <source>ends early</source>
            <translation>提前结束</translation>
        </message>
    </context>
    <context>
        <name>data.entry_too_large</name>
        <message>
            <source>%1 has more than %2 bytes</source>
            <translation>%1 超过 %2 字节</translation>
        </message>
    </context>
    <context>
        <name>data.field_outside</name>
        <message>
            <source>a field extends beyond its message</source>
            <translation>有字段超出其消息</translation>
        </message>
    </context>
    <context>
        <name>data.file_too_large</name>
        <message>
            <source>%1 bytes exceed the limit of %2 for such a file</source>
            <translation>%1 字节超过此类文件的上限 %2</translation>
        </message>
    </context>
    <context>
        <name>data.header_bytes</name>
        <message>
            <source>the header has %1 bytes</source>
            <translation>文件头有 %1 字节</translation>
        </message>
    </context>
    <context>
        <name>data.image_sizes</name>
        <message>
            <source>images of %1 x %2; expected %3 x %4</source>
            <translation>图像为 %1 x %2；应为 %3 x %4</translation>
        </message>
    </context>
    <context>
        <name>data.images_only</name>
        <message>
            <source>requires images [C, H, W], not %1</source>
            <translation>需要图像 [C, H, W]，而非 %1</translation>
        </message>
    </context>
    <context>
        <name>data.in_unit_interval</name>
        <message>
            <source>must be in [0, 1)</source>
            <translation>须在 [0, 1) 之内</translation>
        </message>
    </context>
    <context>
        <name>data.incomplete_record</name>
        <message>
            <source>the last record has %1 of %2 bytes</source>
            <translation>最后一条记录只有 %2 字节中的 %1 字节</translation>
        </message>
    </context>
    <context>
        <name>data.indices_outside</name>
        <message>
            <source>an index is outside the samples of %1</source>
            <translation>有索引超出 %1 的样本范围</translation>
        </message>
    </context>
    <context>
        <name>data.input_differs</name>
        <message>
            <source>an input of %1; expected %2</source>
            <translation>输入为 %1；应为 %2</translation>
        </message>
    </context>
    <context>
        <name>data.int_too_wide</name>
        <message>
            <source>an integer has more than 64 bits</source>
            <translation>有整数超过 64 位</translation>
        </message>
    </context>
    <context>
        <name>data.label_count</name>
        <message>
            <source>%1 labels for the %2 images of %3</source>
            <translation>%3 的 %2 张图像有 %1 个标签</translation>
        </message>
    </context>
    <context>
        <name>data.label_range</name>
        <message>
            <source>label %1; expected %2 to %3</source>
            <translation>标签 %1；应为 %2 至 %3</translation>
        </message>
    </context>
    <context>
        <name>data.labels_for_reviews</name>
        <message>
            <source>%1 labels for %2 reviews</source>
            <translation>%2 篇影评有 %1 个标签</translation>
        </message>
    </context>
    <context>
        <name>data.length_checksum</name>
        <message>
            <source>wrong checksum of a record's length</source>
            <translation>记录长度的校验和不正确</translation>
        </message>
    </context>
    <context>
        <name>data.length_out_of_range</name>
        <message>
            <source>out of range</source>
            <translation>超出范围</translation>
        </message>
    </context>
    <context>
        <name>data.list_count</name>
        <message>
            <source>%1 lists; the header states %2</source>
            <translation>有 %1 个列表；文件头声明为 %2 个</translation>
        </message>
    </context>
    <context>
        <name>data.mark_missing</name>
        <message>
            <source>a mark is missing</source>
            <translation>缺少标记</translation>
        </message>
    </context>
    <context>
        <name>data.must_hold</name>
        <message>
            <source>%1 must hold %2 values, not %3</source>
            <translation>%1 须有 %2 个值，而非 %3 个</translation>
        </message>
    </context>
    <context>
        <name>data.name_not_text</name>
        <message>
            <source>a name is not a string</source>
            <translation>有名称不是字符串</translation>
        </message>
    </context>
    <context>
        <name>data.negative_offset</name>
        <message>
            <source>the offset is negative</source>
            <translation>偏移为负</translation>
        </message>
    </context>
    <context>
        <name>data.negative_rank</name>
        <message>
            <source>a word has rank %1</source>
            <translation>有词的序号为 %1</translation>
        </message>
    </context>
    <context>
        <name>data.nested_lists</name>
        <message>
            <source>the lists are nested</source>
            <translation>列表嵌套</translation>
        </message>
    </context>
    <context>
        <name>data.no_array</name>
        <message>
            <source>contains no array</source>
            <translation>不含数组</translation>
        </message>
    </context>
    <context>
        <name>data.no_image_field</name>
        <message>
            <source>a record has neither image/encoded nor image</source>
            <translation>有记录既无 image/encoded 也无 image</translation>
        </message>
    </context>
    <context>
        <name>data.no_images</name>
        <message>
            <source>contains no images</source>
            <translation>没有图像</translation>
        </message>
    </context>
    <context>
        <name>data.no_imdb</name>
        <message>
            <source>contains neither aclImdb/train/pos nor imdb.npz</source>
            <translation>既没有 aclImdb/train/pos，也没有 imdb.npz</translation>
        </message>
    </context>
    <context>
        <name>data.no_label_field</name>
        <message>
            <source>a record has none of image/class/label, class and label</source>
            <translation>有记录没有 image/class/label、class 或 label</translation>
        </message>
    </context>
    <context>
        <name>data.no_records</name>
        <message>
            <source>contains no records</source>
            <translation>没有记录</translation>
        </message>
    </context>
    <context>
        <name>data.no_reviews</name>
        <message>
            <source>contains no reviews</source>
            <translation>没有影评</translation>
        </message>
    </context>
    <context>
        <name>data.no_samples</name>
        <message>
            <source>has no samples</source>
            <translation>没有样本</translation>
        </message>
    </context>
    <context>
        <name>data.not_int32</name>
        <message>
            <source>a list contains values other than 32-bit integers</source>
            <translation>有列表含 32 位整数以外的值</translation>
        </message>
    </context>
    <context>
        <name>data.not_lists</name>
        <message>
            <source>values of type %1; expected lists (|O)</source>
            <translation>值的类型为 %1；应为列表（|O）</translation>
        </message>
    </context>
    <context>
        <name>data.not_numpy</name>
        <message>
            <source>not a NumPy array</source>
            <translation>不是 NumPy 数组</translation>
        </message>
    </context>
    <context>
        <name>data.not_one_dimension</name>
        <message>
            <source>the header does not describe an array of one dimension</source>
            <translation>文件头描述的不是一维数组</translation>
        </message>
    </context>
    <context>
        <name>data.not_utf8</name>
        <message>
            <source>byte %1 is not UTF-8</source>
            <translation>字节 %1 不是 UTF-8</translation>
        </message>
    </context>
    <context>
        <name>data.not_whole_numbers</name>
        <message>
            <source>values of type %1; expected integers</source>
            <translation>值的类型为 %1；应为整数</translation>
        </message>
    </context>
    <context>
        <name>data.npy_header</name>
        <message>
            <source>the header does not describe an array of plain numbers</source>
            <translation>文件头描述的不是由普通数值组成的数组</translation>
        </message>
    </context>
    <context>
        <name>data.npy_type</name>
        <message>
            <source>values of type %1; expected one of %2</source>
            <translation>数值类型为 %1；应为以下之一：%2</translation>
        </message>
    </context>
    <context>
        <name>data.fortran_order</name>
        <message>
            <source>the array is stored column by column; save numpy.ascontiguousarray(array)</source>
            <translation>数组按列存储；请保存 numpy.ascontiguousarray(array)</translation>
        </message>
    </context>
    <context>
        <name>data.shape_too_large</name>
        <message>
            <source>the header states more values than can be counted</source>
            <translation>文件头声明的数值个数多到无法计数</translation>
        </message>
    </context>
    <context>
        <name>compute.stored_twice</name>
        <message>
            <source>holds the same values twice, as %1 and %2; remove one</source>
            <translation>同一组数值存了两份：%1 和 %2；请删除其中一份</translation>
        </message>
    </context>
    <context>
        <name>data.npy_version</name>
        <message>
            <source>format version %1; expected 1 to 3</source>
            <translation>格式版本 %1；应为 1 至 3</translation>
        </message>
    </context>
    <context>
        <name>data.nul_character</name>
        <message>
            <source>contains a NUL character; not a text file</source>
            <translation>含有 NUL 字符，不是文本文件</translation>
        </message>
    </context>
    <context>
        <name>data.one_folder_per_class</name>
        <message>
            <source>expected one folder per class</source>
            <translation>应为每个类别一个文件夹</translation>
        </message>
    </context>
    <context>
        <name>data.pickle_protocol</name>
        <message>
            <source>pickle protocol %1</source>
            <translation>pickle 协议 %1</translation>
        </message>
    </context>
    <context>
        <name>data.pixels_in_bytes</name>
        <message>
            <source>%1 x %2 pixels cannot be stored in %3 bytes</source>
            <translation>%3 字节无法容纳 %1 x %2 像素</translation>
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
            <translation>引用了 Python 对象 “%1”，本程序从不创建它</translation>
        </message>
    </context>
    <context>
        <name>data.real_data_for</name>
        <message>
            <source>real data is supported for %1</source>
            <translation>支持真实数据的有 %1</translation>
        </message>
    </context>
    <context>
        <name>data.recalls_unknown</name>
        <message>
            <source>reads a value that was not stored</source>
            <translation>读取未存储的值</translation>
        </message>
    </context>
    <context>
        <name>data.record_count</name>
        <message>
            <source>%1 records; the published files have 10,000</source>
            <translation>%1 条记录；公开发布的文件有 10,000 条</translation>
        </message>
    </context>
    <context>
        <name>data.record_outside</name>
        <message>
            <source>a record of %1 bytes extends beyond the end of the file</source>
            <translation>有 %1 字节的记录超出文件末尾</translation>
        </message>
    </context>
    <context>
        <name>data.remembers_nothing</name>
        <message>
            <source>stores a value from an empty stack</source>
            <translation>从空栈存储值</translation>
        </message>
    </context>
    <context>
        <name>data.repeated_list</name>
        <message>
            <source>a list is repeated too often</source>
            <translation>有列表重复次数过多</translation>
        </message>
    </context>
    <context>
        <name>data.sample_outside</name>
        <message>
            <source>sample %1 is outside the %2 samples of %3</source>
            <translation>样本 %1 超出 %3 的 %2 个样本</translation>
        </message>
    </context>
    <context>
        <name>data.several_texts</name>
        <message>
            <source>the folder contains %1 text files; name one of them</source>
            <translation>文件夹中有 %1 个文本文件；请指定其中之一</translation>
        </message>
    </context>
    <context>
        <name>data.size_exceeds</name>
        <message>
            <source>with a size of %1 the values exceed 8 GiB</source>
            <translation>大小为 %1 时，数值超过 8 GiB</translation>
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
            <translation>%1 个字符未超过大小为 %2 的窗口</translation>
        </message>
    </context>
    <context>
        <name>data.tfrecord_also_tried</name>
        <message>
            <source>also tried *.tfrec and *-of-*</source>
            <translation>也尝试过 *.tfrec 与 *-of-*</translation>
        </message>
    </context>
    <context>
        <name>data.too_few_bytes</name>
        <message>
            <source>%1 bytes cannot hold the %2 values that the header states</source>
            <translation>%1 字节容纳不下文件头所声明的 %2 个值</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_objects</name>
        <message>
            <source>contains more objects than an array of reviews can have</source>
            <translation>所含对象多于影评数组可能有的数目</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_samples</name>
        <message>
            <source>more than 2^32 - 1 samples</source>
            <translation>超过 2^32 - 1 个样本</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_scans</name>
        <message>
            <source>more than %1 scans</source>
            <translation>超过 %1 次扫描</translation>
        </message>
    </context>
    <context>
        <name>data.too_many_values</name>
        <message>
            <source>more than 2^31 values in a sample</source>
            <translation>一个样本超过 2^31 个值</translation>
        </message>
    </context>
    <context>
        <name>data.trailing_bytes</name>
        <message>
            <source>the file is longer than its header states</source>
            <translation>文件比文件头所声明的更长</translation>
        </message>
    </context>
    <context>
        <name>data.trailing_data</name>
        <message>
            <source>data follows the end</source>
            <translation>结尾之后还有数据</translation>
        </message>
    </context>
    <context>
        <name>data.unknown_wire_type</name>
        <message>
            <source>unknown wire type</source>
            <translation>未知的线路类型（wire type）</translation>
        </message>
    </context>
    <context>
        <name>data.up_to_int32</name>
        <message>
            <source>must be between 1 and 2^31 - 1</source>
            <translation>须在 1 与 2^31 - 1 之间</translation>
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
            <translation>UTF-8 序列过长、为代理项或超出范围</translation>
        </message>
    </context>
    <context>
        <name>data.window_too_small</name>
        <message>
            <source>window and step must be at least 1</source>
            <translation>窗口与步长至少为 1</translation>
        </message>
    </context>
    <context>
        <name>data.words_too_few</name>
        <message>
            <source>%1 words are too few for one batch of %2 rows with %3 steps</source>
            <translation>%1 个词不足以组成一个 %2 行、%3 步的批次</translation>
        </message>
    </context>
    <context>
        <name>data.wrong_magic</name>
        <message>
            <source>wrong magic number %1</source>
            <translation>魔数 %1 不正确</translation>
        </message>
    </context>
    <context>
        <name>data.wrong_value_type</name>
        <message>
            <source>value type %1; expected unsigned bytes (0x08)</source>
            <translation>值类型 %1；应为无符号字节（0x08）</translation>
        </message>
    </context>
    <context>
        <name>hardware.backend_not_installed</name>
        <message>
            <source>The CUDA backend is not installed</source>
            <translation>未安装 CUDA 后端</translation>
        </message>
    </context>
    <context>
        <name>hardware.backend_not_loaded</name>
        <message>
            <source>The CUDA backend was not loaded: %1</source>
            <translation>未能加载 CUDA 后端：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.call_returned</name>
        <message>
            <source>%1 returned %2</source>
            <translation>%1 返回 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.cannot_be_initialised</name>
        <message>
            <source>cannot be initialised</source>
            <translation>无法初始化</translation>
        </message>
    </context>
    <context>
        <name>hardware.cannot_be_opened</name>
        <message>
            <source>cannot be opened</source>
            <translation>无法打开</translation>
        </message>
    </context>
    <context>
        <name>hardware.capability_too_old</name>
        <message>
            <source>Compute capability %1 is too old; %2 is required</source>
            <translation>计算能力 %1 过低，需要 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.cores_unknown</name>
        <message>
            <source>the system does not distinguish cores from threads</source>
            <translation>系统不区分核心与线程</translation>
        </message>
    </context>
    <context>
        <name>hardware.counts_unknown</name>
        <message>
            <source>the numbers of cores and CPUs are unknown</source>
            <translation>核心数和 CPU 数未知</translation>
        </message>
    </context>
    <context>
        <name>hardware.device_not_reported</name>
        <message>
            <source>The NVIDIA driver does not report this GPU</source>
            <translation>NVIDIA 驱动程序未报告此 GPU</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_failed</name>
        <message>
            <source>The NVIDIA driver failed: %1 returned %2</source>
            <translation>NVIDIA 驱动程序出错：%1 返回 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_library_missing</name>
        <message>
            <source>The NVIDIA kernel driver is loaded but its library is missing; start the container with GPU access: %1</source>
            <translation>NVIDIA 内核驱动已加载，但缺少其库；启动容器时请允许访问 GPU：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_not_installed</name>
        <message>
            <source>The NVIDIA driver is not installed: %1</source>
            <translation>未安装 NVIDIA 驱动程序：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_reports_zero</name>
        <message>
            <source>the driver reports 0</source>
            <translation>驱动程序报告的值为 0</translation>
        </message>
    </context>
    <context>
        <name>hardware.driver_too_old</name>
        <message>
            <source>The NVIDIA driver is too old: it supports CUDA %1; %2 is required</source>
            <translation>NVIDIA 驱动程序过旧：支持 CUDA %1，需要 %2</translation>
        </message>
    </context>
    <context>
        <name>hardware.energy_preference</name>
        <message>
            <source>The CPU energy preference is "%1"</source>
            <translation>CPU 能耗偏好为 “%1”</translation>
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
            <translation>CPU 配额 %1 不是整数：会浪费时间或使线程受限</translation>
        </message>
    </context>
    <context>
        <name>hardware.governor_limits</name>
        <message>
            <source>The CPU frequency governor "%1" keeps the clock low</source>
            <translation>CPU 调频策略 “%1” 使频率保持在低位</translation>
        </message>
    </context>
    <context>
        <name>hardware.gpu_detection_skipped</name>
        <message>
            <source>GPU detection was skipped</source>
            <translation>已跳过 GPU 检测</translation>
        </message>
    </context>
    <context>
        <name>hardware.gpu_hot</name>
        <message>
            <source>%1 is at %2 °C before the start</source>
            <translation>开始前 %1 的温度为 %2 °C</translation>
        </message>
    </context>
    <context>
        <name>hardware.gpu_in_use</name>
        <message>
            <source>Other programs computing on %1: %2</source>
            <translation>正在 %1 上计算的其他程序：%2 个</translation>
        </message>
    </context>
    <context>
        <name>hardware.hardware_slowdown</name>
        <message>
            <source>hardware slowdown</source>
            <translation>硬件降频</translation>
        </message>
    </context>
    <context>
        <name>hardware.hardware_thermal_slowdown</name>
        <message>
            <source>hardware thermal slowdown</source>
            <translation>硬件温控降频</translation>
        </message>
    </context>
    <context>
        <name>hardware.hidden_by_variable</name>
        <message>
            <source>%1 (CUDA_VISIBLE_DEVICES is "%2")</source>
            <translation>%1（CUDA_VISIBLE_DEVICES 为 “%2”）</translation>
        </message>
    </context>
    <context>
        <name>hardware.kernel_driver_in_use</name>
        <message>
            <source>%1 (kernel driver in use: %2)</source>
            <translation>%1（正在使用的内核驱动：%2）</translation>
        </message>
    </context>
    <context>
        <name>hardware.kernel_lacks</name>
        <message>
            <source>the kernel does not report %1</source>
            <translation>内核未报告 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.library_unusable</name>
        <message>
            <source>%1 cannot be used</source>
            <translation>无法使用 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.limit_above_memory</name>
        <message>
            <source>the control group's limit exceeds the machine's memory</source>
            <translation>控制组的限制超过本机内存</translation>
        </message>
    </context>
    <context>
        <name>hardware.list_is_fixed</name>
        <message>
            <source>a list cannot be overridden</source>
            <translation>列表不能被覆盖</translation>
        </message>
    </context>
    <context>
        <name>hardware.little_memory</name>
        <message>
            <source>Only %1 of %2 memory is free</source>
            <translation>%2 内存中仅有 %1 空闲</translation>
        </message>
    </context>
    <context>
        <name>hardware.missing_entry_point</name>
        <message>
            <source>an entry point is missing</source>
            <translation>缺少入口点</translation>
        </message>
    </context>
    <context>
        <name>hardware.must_be_positive</name>
        <message>
            <source>must be greater than zero</source>
            <translation>必须大于零</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_compute_capability</name>
        <message>
            <source>The NVIDIA driver does not report the compute capability: %1</source>
            <translation>NVIDIA 驱动程序未报告计算能力：%1</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_control_groups</name>
        <message>
            <source>no control groups are visible</source>
            <translation>看不到控制组</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_cpu_limit</name>
        <message>
            <source>no control group limits the CPU time</source>
            <translation>没有控制组限制 CPU 时间</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_device</name>
        <message>
            <source>The NVIDIA driver reports no device</source>
            <translation>NVIDIA 驱动程序未报告任何设备</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_driver_loaded</name>
        <message>
            <source>no NVIDIA driver is loaded</source>
            <translation>未加载 NVIDIA 驱动程序</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_gpu_on_bus</name>
        <message>
            <source>No GPU on the PCI bus</source>
            <translation>PCI 总线上没有 GPU</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_kernel_driver</name>
        <message>
            <source>no kernel driver is bound to it</source>
            <translation>未绑定内核驱动</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_known_isa</name>
        <message>
            <source>the kernel lists no known instruction sets</source>
            <translation>内核未列出已知的指令集</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_memory_clock</name>
        <message>
            <source>the driver does not report memory clock or bus width</source>
            <translation>驱动程序未报告显存频率或总线宽度</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_memory_limit</name>
        <message>
            <source>no control group limits the memory</source>
            <translation>没有控制组限制内存</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_os_release</name>
        <message>
            <source>the os-release file is missing</source>
            <translation>缺少 os-release 文件</translation>
        </message>
    </context>
    <context>
        <name>hardware.no_such_fact</name>
        <message>
            <source>no such property</source>
            <translation>没有这一项</translation>
        </message>
    </context>
    <context>
        <name>hardware.none_in_topology</name>
        <message>
            <source>none of its CPUs is in the topology</source>
            <translation>其中的 CPU 都不在拓扑中</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_a_value</name>
        <message>
            <source>"%1" is not a valid value</source>
            <translation>“%1” 不是有效的值</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_driver</name>
        <message>
            <source>not reported by the driver</source>
            <translation>驱动程序未报告</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_firmware</name>
        <message>
            <source>not reported by the firmware</source>
            <translation>固件未报告</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_kernel</name>
        <message>
            <source>not reported by the kernel</source>
            <translation>内核未报告</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_processor_or_firmware</name>
        <message>
            <source>not reported by processor or firmware</source>
            <translation>处理器和固件均未报告</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_by_system</name>
        <message>
            <source>not reported by the system</source>
            <translation>系统未报告</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_in_copied_files</name>
        <message>
            <source>not available from copied files</source>
            <translation>无法从复制的文件中得知</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_in_virtual_machine</name>
        <message>
            <source>not reported in a virtual machine</source>
            <translation>虚拟机中不提供</translation>
        </message>
    </context>
    <context>
        <name>hardware.not_recorded</name>
        <message>
            <source>not recorded</source>
            <translation>未记录</translation>
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
            <translation>计算机正在使用电池</translation>
        </message>
    </context>
    <context>
        <name>hardware.on_battery_charged</name>
        <message>
            <source>The computer runs on battery (%1 left)</source>
            <translation>计算机正在使用电池（剩余 %1）</translation>
        </message>
    </context>
    <context>
        <name>hardware.only_by_driver</name>
        <message>
            <source>reported only by the driver</source>
            <translation>仅由驱动程序报告</translation>
        </message>
    </context>
    <context>
        <name>hardware.other_load</name>
        <message>
            <source>Other programs keep %1 of %2 CPUs busy</source>
            <translation>其他程序占用了 %2 个 CPU 中的 %1 个</translation>
        </message>
    </context>
    <context>
        <name>hardware.pci_not_visible</name>
        <message>
            <source>The PCI bus is not visible</source>
            <translation>看不到 PCI 总线</translation>
        </message>
    </context>
    <context>
        <name>hardware.power_brake</name>
        <message>
            <source>power brake</source>
            <translation>电源制动</translation>
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
            <translation>计算机的电源配置为 “%1”</translation>
        </message>
    </context>
    <context>
        <name>hardware.processor_hot</name>
        <message>
            <source>The processor is at %1 °C before the start</source>
            <translation>开始前处理器温度为 %1 °C</translation>
        </message>
    </context>
    <context>
        <name>hardware.removed_from_report</name>
        <message>
            <source>removed from this report</source>
            <translation>已从此报告中移除</translation>
        </message>
    </context>
    <context>
        <name>hardware.software_thermal_slowdown</name>
        <message>
            <source>software thermal slowdown</source>
            <translation>软件温控降频</translation>
        </message>
    </context>
    <context>
        <name>hardware.swap_in_use</name>
        <message>
            <source>%1 is swapped out to disk</source>
            <translation>%1 已换出到磁盘</translation>
        </message>
    </context>
    <context>
        <name>hardware.sync_boost</name>
        <message>
            <source>clocks synchronised with other GPUs</source>
            <translation>与其他 GPU 同步频率</translation>
        </message>
    </context>
    <context>
        <name>hardware.topology_unreadable</name>
        <message>
            <source>hwloc cannot read the topology</source>
            <translation>hwloc 无法读取拓扑</translation>
        </message>
    </context>
    <context>
        <name>hardware.unknown_pci_device</name>
        <message>
            <source>PCI device %1 is unknown</source>
            <translation>未知的 PCI 设备 %1</translation>
        </message>
    </context>
    <context>
        <name>hardware.unreadable</name>
        <message>
            <source>cannot be read</source>
            <translation>无法读取</translation>
        </message>
    </context>
    <context>
        <name>hardware.unsupported_vendor</name>
        <message>
            <source>No backend supports GPUs of this vendor yet</source>
            <translation>目前没有后端支持该厂商的 GPU</translation>
        </message>
    </context>
    <context>
        <name>history.already_stored</name>
        <message>
            <source>a run with this id is already stored</source>
            <translation>已存有相同标识的运行</translation>
        </message>
    </context>
    <context>
        <name>history.ambiguous_campaign</name>
        <message>
            <source>several campaign ids begin with %1</source>
            <translation>有多个测量批次的标识以 %1 开头</translation>
        </message>
    </context>
    <context>
        <name>history.ambiguous_id</name>
        <message>
            <source>several run ids begin with this</source>
            <translation>有多个运行标识以此开头</translation>
        </message>
    </context>
    <context>
        <name>history.bad_origin</name>
        <message>
            <source>"%1" is not a valid origin of a run</source>
            <translation>“%1” 不是有效的运行来源</translation>
        </message>
    </context>
    <context>
        <name>history.bad_run_id</name>
        <message>
            <source>"%1" is not a valid run id</source>
            <translation>“%1” 不是有效的运行标识</translation>
        </message>
    </context>
    <context>
        <name>history.campaign_not_found</name>
        <message>
            <source>campaign %1 was not found</source>
            <translation>找不到测量批次 %1</translation>
        </message>
    </context>
    <context>
        <name>history.cannot_be_read</name>
        <message>
            <source>%1 cannot be read</source>
            <translation>无法读取 %1</translation>
        </message>
    </context>
    <context>
        <name>history.damaged_samples</name>
        <message>
            <source>the stored samples are damaged: %1</source>
            <translation>存储的样本已损坏：%1</translation>
        </message>
    </context>
    <context>
        <name>history.empty_run_id</name>
        <message>
            <source>the run id is empty</source>
            <translation>运行标识为空</translation>
        </message>
    </context>
    <context>
        <name>history.file_moved</name>
        <message>
            <source>the file was moved or deleted while in use</source>
            <translation>文件在使用期间被移动或删除</translation>
        </message>
    </context>
    <context>
        <name>history.foreign_object</name>
        <message>
            <source>contains a %1 that this program did not create: "%2"</source>
            <translation>含有并非由本程序创建的 %1：“%2”</translation>
        </message>
    </context>
    <context>
        <name>history.frozen_forecast</name>
        <message>
            <source>the stored prediction of candidate %1 cannot be changed</source>
            <translation>候选 %1 已保存预测，无法更改</translation>
        </message>
    </context>
    <context>
        <name>history.frozen_question</name>
        <message>
            <source>the job of a stored campaign cannot be changed</source>
            <translation>已保存的测量批次的问题无法更改</translation>
        </message>
    </context>
    <context>
        <name>history.left_out</name>
        <message>
            <source>omitted from exported files</source>
            <translation>导出的文件中省略</translation>
        </message>
    </context>
    <context>
        <name>history.no_runs</name>
        <message>
            <source>there are no runs</source>
            <translation>没有任何运行</translation>
        </message>
    </context>
    <context>
        <name>history.not_a_database</name>
        <message>
            <source>not a database</source>
            <translation>不是数据库</translation>
        </message>
    </context>
    <context>
        <name>history.not_decompressible</name>
        <message>
            <source>the compressed data cannot be decompressed</source>
            <translation>压缩数据无法解压</translation>
        </message>
    </context>
    <context>
        <name>history.not_regular</name>
        <message>
            <source>not a regular file</source>
            <translation>不是普通文件</translation>
        </message>
    </context>
    <context>
        <name>history.other_application</name>
        <message>
            <source>it is the database of another application</source>
            <translation>它是其他应用程序的数据库</translation>
        </message>
    </context>
    <context>
        <name>history.other_figures</name>
        <message>
            <source>run %1 is already stored with different results, which were kept</source>
            <translation>运行 %1 已以不同的数值保存，保留原有数值</translation>
        </message>
    </context>
    <context>
        <name>history.read_elsewhere</name>
        <message>
            <source>another process is reading it</source>
            <translation>另一个进程正在读取它</translation>
        </message>
    </context>
    <context>
        <name>history.read_only</name>
        <message>
            <source>is read-only; changes are not possible</source>
            <translation>为只读，无法更改</translation>
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
            <translation>运行 %1：%2</translation>
        </message>
    </context>
    <context>
        <name>history.run_not_found</name>
        <message>
            <source>run %1 was not found</source>
            <translation>找不到运行 %1</translation>
        </message>
    </context>
    <context>
        <name>history.run_under_way</name>
        <message>
            <source>run %1 is in progress</source>
            <translation>运行 %1 正在进行</translation>
        </message>
    </context>
    <context>
        <name>history.schema_too_new</name>
        <message>
            <source>schema version %1; this program supports up to %2</source>
            <translation>架构版本 %1；本程序最高支持 %2</translation>
        </message>
    </context>
    <context>
        <name>history.unknown_encoding</name>
        <message>
            <source>unknown encoding</source>
            <translation>未知的编码</translation>
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
            <translation>校验和不符</translation>
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
            <translation>评测和比较用于深度学习的硬件</translation>
        </message>
        <message>
            <source>History file.</source>
            <translation>历史记录文件。</translation>
        </message>
        <message>
            <source>Page to open: home, hardware, benchmark, results, history, advice, campaigns, studies, report, settings.</source>
            <translation>起始页面：home、hardware、benchmark、results、history、advice、campaigns、studies、report、settings。</translation>
        </message>
        <message>
            <source>Language of this session: en, zh_CN or zh_TW.</source>
            <translation>本次会话的语言：en、zh_CN 或 zh_TW。</translation>
        </message>
        <message>
            <source>Write a report (.pdf, .html, .md, .csv, .json) and exit; needs no display.</source>
            <translation>写出报告（.pdf、.html、.md、.csv、.json）后退出；不需要显示器。</translation>
        </message>
        <message>
            <source>Write the charts (PNG, SVG, PDF, CSV) and exit; needs no display.</source>
            <translation>写出图表（PNG、SVG、PDF、CSV）后退出；不需要显示器。</translation>
        </message>
        <message>
            <source>Run to export: an id or latest.</source>
            <translation>要导出的运行：其编号，或 latest。</translation>
        </message>
    </context>
    <context>
        <name>model.array_of_objects</name>
        <message>
            <source>an array of objects</source>
            <translation>对象数组</translation>
        </message>
    </context>
    <context>
        <name>model.array_of_strings</name>
        <message>
            <source>an array of strings</source>
            <translation>字符串数组</translation>
        </message>
    </context>
    <context>
        <name>model.array_too_large</name>
        <message>
            <source>the result of shape %1 is too large</source>
            <translation>形状为 %1 的结果过大</translation>
        </message>
    </context>
    <context>
        <name>model.arrays_too_deep</name>
        <message>
            <source>arrays are nested too deeply</source>
            <translation>数组嵌套过深</translation>
        </message>
    </context>
    <context>
        <name>model.attention_range</name>
        <message>
            <source>window, scale and soft cap must not be negative, and a window requires a causal mask</source>
            <translation>窗口、缩放和软上限不能为负，且窗口需要因果掩码</translation>
        </message>
    </context>
    <context>
        <name>model.attributes_rank</name>
        <message>
            <source>the attributes do not match the rank</source>
            <translation>属性与秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.axis_out_of_range</name>
        <message>
            <source>the axis is out of range</source>
            <translation>轴超出范围</translation>
        </message>
    </context>
    <context>
        <name>model.bad_name</name>
        <message>
            <source>"%1" is not a valid name; up to 64 letters, digits and _ - . are allowed</source>
            <translation>“%1” 不是有效的名称；可用至多 64 个字母、数字及 _ - .</translation>
        </message>
    </context>
    <context>
        <name>model.batch_dimensions_differ</name>
        <message>
            <source>the batch dimensions differ</source>
            <translation>批次维度不同</translation>
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
            <translation>偏置与通道数不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.cannot_broadcast</name>
        <message>
            <source>%1 and %2 cannot be broadcast</source>
            <translation>%1 与 %2 无法广播</translation>
        </message>
    </context>
    <context>
        <name>model.cannot_freeze</name>
        <message>
            <source>only dense layers, embeddings and RMS norms can be frozen</source>
            <translation>只有全连接层、嵌入层和 RMS 归一化可以冻结</translation>
        </message>
    </context>
    <context>
        <name>model.convolution_operands</name>
        <message>
            <source>takes [B, C, ...] and a weight of the same rank</source>
            <translation>需要 [B, C, ...] 与秩相同的权重</translation>
        </message>
    </context>
    <context>
        <name>model.cuts_too_much</name>
        <message>
            <source>removes more elements than the input has</source>
            <translation>裁去的元素多于输入</translation>
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
            <translation>需要 [F] 或 [T, F]；请先展平 %1</translation>
        </message>
    </context>
    <context>
        <name>model.differs_between_layers</name>
        <message>
            <source>differs between layers, which is not supported</source>
            <translation>各层不同，不支持</translation>
        </message>
    </context>
    <context>
        <name>model.does_not_divide</name>
        <message>
            <source>is %1, which does not divide the %2 heads</source>
            <translation>为 %1，不能整除 %2 个注意力头</translation>
        </message>
    </context>
    <context>
        <name>model.element_count</name>
        <message>
            <source>"%1" has %2 elements; it takes %3 to %4</source>
            <translation>“%1” 有 %2 个元素；应有 %3 至 %4 个</translation>
        </message>
    </context>
    <context>
        <name>model.embedding_too_small</name>
        <message>
            <source>vocabulary and units must be at least 1</source>
            <translation>词表与 units 至少为 1</translation>
        </message>
    </context>
    <context>
        <name>model.empty_result</name>
        <message>
            <source>the result is empty</source>
            <translation>结果为空</translation>
        </message>
    </context>
    <context>
        <name>model.ends_early</name>
        <message>
            <source>the file is shorter than its header says</source>
            <translation>文件比其文件头所述的短</translation>
        </message>
    </context>
    <context>
        <name>model.expected_object</name>
        <message>
            <source>must be an object, not %1</source>
            <translation>须为对象，而非%1</translation>
        </message>
    </context>
    <context>
        <name>model.expects_rank</name>
        <message>
            <source>expects an input of %1 dimensions, not %2</source>
            <translation>需要 %1 维的输入，而非 %2</translation>
        </message>
    </context>
    <context>
        <name>model.extent_too_small</name>
        <message>
            <source>every dimension must be at least 1</source>
            <translation>每个维度至少为 1</translation>
        </message>
    </context>
    <context>
        <name>model.file_changed</name>
        <message>
            <source>the file has changed: its content is #%1, not #%2</source>
            <translation>文件已更改：其内容为 #%1，而非 #%2</translation>
        </message>
    </context>
    <context>
        <name>model.first_layer</name>
        <message>
            <source>the first layer must be an input</source>
            <translation>第一层须为输入层</translation>
        </message>
    </context>
    <context>
        <name>model.gate_function</name>
        <message>
            <source>%1 cannot be a gate; use sigmoid, gelu, gelu_tanh or swish</source>
            <translation>%1 不能用作门控；请使用 sigmoid、gelu、gelu_tanh 或 swish</translation>
        </message>
    </context>
    <context>
        <name>model.gguf_version</name>
        <message>
            <source>GGUF version %1; versions 2 and 3 (little-endian) are supported</source>
            <translation>GGUF 版本 %1；仅支持版本 2 和 3（小端序）</translation>
        </message>
    </context>
    <context>
        <name>model.gguf_without_data</name>
        <message>
            <source>the file contains a header without weights</source>
            <translation>文件只有头部，没有权重</translation>
        </message>
    </context>
    <context>
        <name>model.groups_do_not_divide</name>
        <message>
            <source>%1 filters in %2 groups do not divide %3 channels evenly</source>
            <translation>%1 个滤波器分为 %2 组，无法整除 %3 个通道</translation>
        </message>
    </context>
    <context>
        <name>model.groups_of_features</name>
        <message>
            <source>%1 features do not split into groups of %2</source>
            <translation>%1 个特征无法分成每组 %2 个</translation>
        </message>
    </context>
    <context>
        <name>model.has_no_input</name>
        <message>
            <source>has no input</source>
            <translation>没有输入</translation>
        </message>
    </context>
    <context>
        <name>model.head_groups</name>
        <message>
            <source>%1 features do not split into %2 heads that share %3 keys and values</source>
            <translation>%1 个特征无法分成 %2 个注意力头并共享 %3 组键和值</translation>
        </message>
    </context>
    <context>
        <name>model.header_too_long</name>
        <message>
            <source>the header is longer than 1 GiB</source>
            <translation>文件头超过 1 GiB</translation>
        </message>
    </context>
    <context>
        <name>model.heads_do_not_divide</name>
        <message>
            <source>%1 features do not split into Q, K and V of %2 heads</source>
            <translation>%1 个特征无法分成 %2 个头的 Q、K、V</translation>
        </message>
    </context>
    <context>
        <name>model.indices_beyond_data</name>
        <message>
            <source>the indices exceed the data</source>
            <translation>索引超出数据范围</translation>
        </message>
    </context>
    <context>
        <name>model.indices_beyond_shape</name>
        <message>
            <source>indices of shape %1 exceed data of shape %2</source>
            <translation>形状为 %1 的索引超出形状为 %2 的数据</translation>
        </message>
    </context>
    <context>
        <name>model.indices_do_not_match</name>
        <message>
            <source>the indices do not match the data</source>
            <translation>索引与数据不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.indices_do_not_select</name>
        <message>
            <source>indices of shape %1 do not fit data of shape %2</source>
            <translation>形状为 %1 的索引不适用于形状为 %2 的数据</translation>
        </message>
    </context>
    <context>
        <name>model.input_type</name>
        <message>
            <source>an input must be of type float32, or of type int32 with one dimension and a vocabulary</source>
            <translation>输入须为 float32 类型，或带词表的一维 int32 类型</translation>
        </message>
    </context>
    <context>
        <name>model.integers_have_no_loss</name>
        <message>
            <source>the first output is of integer type; there is no loss to train with</source>
            <translation>第一个输出是整数，没有可用于训练的损失函数</translation>
        </message>
    </context>
    <context>
        <name>model.irregular_layers</name>
        <message>
            <source>full and sliding attention do not alternate regularly</source>
            <translation>全局注意力与滑动窗口注意力没有规律地交替</translation>
        </message>
    </context>
    <context>
        <name>model.kernel_differs</name>
        <message>
            <source>the kernel does not match the weight</source>
            <translation>核与权重不符</translation>
        </message>
    </context>
    <context>
        <name>model.kernel_too_large</name>
        <message>
            <source>the kernel of %1 is larger than the padded input of %2</source>
            <translation>大小为 %1 的核大于填充后大小为 %2 的输入</translation>
        </message>
    </context>
    <context>
        <name>model.kernel_too_small</name>
        <message>
            <source>kernel and stride must be at least 1</source>
            <translation>核与步幅至少为 1</translation>
        </message>
    </context>
    <context>
        <name>model.kind_missing</name>
        <message>
            <source>"kind" is missing</source>
            <translation>缺少 “kind”</translation>
        </message>
    </context>
    <context>
        <name>model.language_has_no_graph</name>
        <message>
            <source>language models are not supported here; use them with run, predict, advise and show</source>
            <translation>语言模型在此没有由层组成的网络；可用于 run、predict、advise 和 show</translation>
        </message>
    </context>
    <context>
        <name>model.matrices_do_not_match</name>
        <message>
            <source>%1 and %2 do not match</source>
            <translation>%1 与 %2 不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.member_missing</name>
        <message>
            <source>"%1" is missing</source>
            <translation>缺少 “%1”</translation>
        </message>
    </context>
    <context>
        <name>model.member_must_be</name>
        <message>
            <source>"%1" must be %2, not %3</source>
            <translation>“%1” 须为%2，而非%3</translation>
        </message>
    </context>
    <context>
        <name>model.member_range</name>
        <message>
            <source>"%1" must be between %2 and %3</source>
            <translation>“%1” 须在 %2 与 %3 之间</translation>
        </message>
    </context>
    <context>
        <name>model.name_taken</name>
        <message>
            <source>"%1" is the name of another layer</source>
            <translation>“%1” 是另一层的名称</translation>
        </message>
    </context>
    <context>
        <name>model.name_this_layer</name>
        <message>
            <source>name this layer; the default name "%1" is taken</source>
            <translation>请为此层命名；默认名称 “%1” 已被占用</translation>
        </message>
    </context>
    <context>
        <name>model.named_twice</name>
        <message>
            <source>the name "%1" occurs twice</source>
            <translation>名称 “%1” 出现两次</translation>
        </message>
    </context>
    <context>
        <name>model.needs_shape</name>
        <message>
            <source>requires a shape</source>
            <translation>需要给出形状</translation>
        </message>
    </context>
    <context>
        <name>model.needs_token_ids</name>
        <message>
            <source>its input must be token ids</source>
            <translation>其输入须为词元编号</translation>
        </message>
    </context>
    <context>
        <name>model.negative_padding</name>
        <message>
            <source>negative padding</source>
            <translation>负的填充</translation>
        </message>
    </context>
    <context>
        <name>model.network_name</name>
        <message>
            <source>"name" takes up to 64 letters, digits and _ - .</source>
            <translation>“name” 可用至多 64 个字母、数字及 _ - .</translation>
        </message>
    </context>
    <context>
        <name>model.no_gradient</name>
        <message>
            <source>no gradient is known for this operation (%1); measure inference instead</source>
            <translation>此运算（%1）没有已知的梯度；请改为测量推理</translation>
        </message>
    </context>
    <context>
        <name>model.no_layer_above</name>
        <message>
            <source>no earlier layer is named "%1"</source>
            <translation>之前没有名为 “%1” 的层</translation>
        </message>
    </context>
    <context>
        <name>model.no_options</name>
        <message>
            <source>it has no options</source>
            <translation>它没有选项</translation>
        </message>
    </context>
    <context>
        <name>model.no_output</name>
        <message>
            <source>the network has no output</source>
            <translation>网络没有输出</translation>
        </message>
    </context>
    <context>
        <name>model.no_scalars</name>
        <message>
            <source>does not take scalars</source>
            <translation>不接受标量</translation>
        </message>
    </context>
    <context>
        <name>model.no_token_ids</name>
        <message>
            <source>does not take token ids</source>
            <translation>不接受词元编号</translation>
        </message>
    </context>
    <context>
        <name>model.no_trainable_weights</name>
        <message>
            <source>the first output depends on no trainable weights</source>
            <translation>第一个输出不依赖任何可训练的权重</translation>
        </message>
    </context>
    <context>
        <name>model.no_training_of</name>
        <message>
            <source>training this model is not supported: %1</source>
            <translation>不支持训练此模型：%1</translation>
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
            <translation>“%1” 不是 option=value 的形式</translation>
        </message>
    </context>
    <context>
        <name>model.not_between</name>
        <message>
            <source>is %1; it must be between %2 and %3</source>
            <translation>为 %1；必须在 %2 与 %3 之间</translation>
        </message>
    </context>
    <context>
        <name>model.not_drawn</name>
        <message>
            <source>random weights of the family %1 are not supported in the format %2</source>
            <translation>无法以格式 %2 抽取系列 %1 的权重</translation>
        </message>
    </context>
    <context>
        <name>model.not_gguf</name>
        <message>
            <source>not a GGUF file</source>
            <translation>不是 GGUF 文件</translation>
        </message>
    </context>
    <context>
        <name>model.not_one_per_layer</name>
        <message>
            <source>must be a list of %1 entries, one per layer</source>
            <translation>必须是 %1 项的列表，每层一项</translation>
        </message>
    </context>
    <context>
        <name>model.nothing_to_repeat</name>
        <message>
            <source>an empty input cannot be repeated</source>
            <translation>空输入无法重复</translation>
        </message>
    </context>
    <context>
        <name>model.number_count</name>
        <message>
            <source>"%1" has %2 numbers; it takes %3</source>
            <translation>“%1” 有 %2 个数；应有 %3 个</translation>
        </message>
    </context>
    <context>
        <name>model.of_layer</name>
        <message>
            <source>layer "%1" of %2: %3</source>
            <translation>%2 的层 “%1”：%3</translation>
        </message>
    </context>
    <context>
        <name>model.of_workload</name>
        <message>
            <source>workload "%1": %2</source>
            <translation>工作负载 “%1”：%2</translation>
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
            <translation>仅支持每一层都有专家的模型</translation>
        </message>
    </context>
    <context>
        <name>model.operand_count</name>
        <message>
            <source>takes %1 to %2 operands, not %3</source>
            <translation>需要 %1 至 %2 个操作数，而非 %3 个</translation>
        </message>
    </context>
    <context>
        <name>model.operand_does_not_fit</name>
        <message>
            <source>an operand has the wrong shape</source>
            <translation>有操作数的形状不对</translation>
        </message>
    </context>
    <context>
        <name>model.optimizer_member</name>
        <message>
            <source>the optimizer %1 has no "%2"</source>
            <translation>优化器 %1 没有 “%2”</translation>
        </message>
    </context>
    <context>
        <name>model.option_given_twice</name>
        <message>
            <source>the option "%1" is given twice</source>
            <translation>选项 “%1” 被给出两次</translation>
        </message>
    </context>
    <context>
        <name>model.part_experts</name>
        <message>
            <source>there is no layer for a mixture of experts</source>
            <translation>没有用于混合专家的层</translation>
        </message>
    </context>
    <context>
        <name>model.part_family</name>
        <message>
            <source>the order of layers of the family %1 is unknown</source>
            <translation>%1 系列的层顺序未知</translation>
        </message>
    </context>
    <context>
        <name>model.part_frozen_norm</name>
        <message>
            <source>layer norms cannot be frozen</source>
            <translation>层归一化无法冻结</translation>
        </message>
    </context>
    <context>
        <name>model.part_fused_adapters</name>
        <message>
            <source>adapters beside fused matrices are not supported</source>
            <translation>不支持为融合矩阵添加适配器</translation>
        </message>
    </context>
    <context>
        <name>model.part_latent_attention</name>
        <message>
            <source>there is no layer for latent attention</source>
            <translation>没有用于潜在注意力的层</translation>
        </message>
    </context>
    <context>
        <name>model.part_rotary</name>
        <message>
            <source>there is no layer for a rotary embedding scaled by %1</source>
            <translation>没有用于以 %1 缩放的旋转位置编码的层</translation>
        </message>
    </context>
    <context>
        <name>model.part_sinks</name>
        <message>
            <source>there is no layer for attention sinks</source>
            <translation>没有用于注意力汇点的层</translation>
        </message>
    </context>
    <context>
        <name>model.positions_exceeded</name>
        <message>
            <source>tokens %1 to %2 exceed the %3 positions</source>
            <translation>第 %1 至 %2 个词元超出 %3 个位置</translation>
        </message>
    </context>
    <context>
        <name>model.queries_keys_values</name>
        <message>
            <source>takes three inputs: queries, keys and values</source>
            <translation>需要三个输入：查询、键和值</translation>
        </message>
    </context>
    <context>
        <name>model.range_in_steps</name>
        <message>
            <source>%1 to %2 in steps of %3</source>
            <translation>%1 至 %2，步长为 %3</translation>
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
            <translation>数据与索引的秩不同</translation>
        </message>
    </context>
    <context>
        <name>model.rate_range</name>
        <message>
            <source>the rate must be in [0, 1)</source>
            <translation>比率须在 [0, 1) 之内</translation>
        </message>
    </context>
    <context>
        <name>model.reads_beyond_input</name>
        <message>
            <source>reads beyond its input</source>
            <translation>读取超出输入范围</translation>
        </message>
    </context>
    <context>
        <name>model.recurrent_weights</name>
        <message>
            <source>weights of %1 and %2 do not fit %3 units over %4 features</source>
            <translation>形状为 %1 与 %2 的权重不适用于 %3 个单元、%4 个特征</translation>
        </message>
    </context>
    <context>
        <name>model.reflects_too_much</name>
        <message>
            <source>reflects more elements than the input has</source>
            <translation>镜像填充超过输入的元素数</translation>
        </message>
    </context>
    <context>
        <name>model.result_too_large</name>
        <message>
            <source>the result is too large</source>
            <translation>结果过大</translation>
        </message>
    </context>
    <context>
        <name>model.rotary_range</name>
        <message>
            <source>theta and factor must be positive, and the original context must not be negative</source>
            <translation>theta 和 factor 必须为正，原始上下文长度不能为负</translation>
        </message>
    </context>
    <context>
        <name>model.rotated_features</name>
        <message>
            <source>%1 of the %2 features of a head cannot be rotated in pairs</source>
            <translation>一个注意力头的 %2 个特征中，%1 个无法成对旋转</translation>
        </message>
    </context>
    <context>
        <name>model.scalar_input</name>
        <message>
            <source>the input is a scalar</source>
            <translation>输入是标量</translation>
        </message>
    </context>
    <context>
        <name>model.scale_channels</name>
        <message>
            <source>scale and offset do not match the channels</source>
            <translation>缩放与偏移同通道数不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.scale_does_not_match</name>
        <message>
            <source>scale and offset do not match the input</source>
            <translation>缩放与偏移同输入不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.scale_range</name>
        <message>
            <source>the factor must be finite, and the cap must not be negative</source>
            <translation>系数必须是有限值，上限不能为负</translation>
        </message>
    </context>
    <context>
        <name>model.scatter_mismatch</name>
        <message>
            <source>data, indices and updates do not match</source>
            <translation>数据、索引与更新值不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.shape_of_parameter</name>
        <message>
            <source>takes its shape from its parameter</source>
            <translation>其形状取自参数</translation>
        </message>
    </context>
    <context>
        <name>model.shapes_differ</name>
        <message>
            <source>shapes %1 and %2 differ</source>
            <translation>形状 %1 与 %2 不同</translation>
        </message>
    </context>
    <context>
        <name>model.shapes_do_not_match</name>
        <message>
            <source>%1 does not match %2</source>
            <translation>%1 与 %2 不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.size_per_dimension</name>
        <message>
            <source>needs a size for each dimension</source>
            <translation>每一维需要一个大小</translation>
        </message>
    </context>
    <context>
        <name>model.step_out_of_range</name>
        <message>
            <source>step %1 is out of range for %2 steps</source>
            <translation>步 %1 超出 %2 步的范围</translation>
        </message>
    </context>
    <context>
        <name>model.strides_do_not_match</name>
        <message>
            <source>extents and strides do not match the result</source>
            <translation>各维长度与跨度同结果不符</translation>
        </message>
    </context>
    <context>
        <name>model.table_too_small</name>
        <message>
            <source>has %1 rows for a vocabulary of %2</source>
            <translation>有 %1 行，而词表大小为 %2</translation>
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
            <translation>不接受输入</translation>
        </message>
    </context>
    <context>
        <name>model.takes_one_input</name>
        <message>
            <source>takes one input</source>
            <translation>只接受一个输入</translation>
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
            <translation>张量 “%1” 超出文件末尾</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_dimensions</name>
        <message>
            <source>a tensor with %1 dimensions</source>
            <translation>有 %1 个维度的张量</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_format</name>
        <message>
            <source>tensor &quot;%1&quot; has the unsupported format %2; supported: %3</source>
            <translation>张量 “%1” 以 %2 格式存储，无法用于计算；支持：%3</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_missing</name>
        <message>
            <source>tensor &quot;%1&quot; is missing</source>
            <translation>缺少张量 “%1”</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_not_aligned</name>
        <message>
            <source>tensor "%1" is not aligned</source>
            <translation>张量 “%1” 未对齐</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_shape</name>
        <message>
            <source>tensor &quot;%1&quot; is %2; the header requires %3</source>
            <translation>张量 “%1” 的形状是 %2；文件头要求 %3</translation>
        </message>
    </context>
    <context>
        <name>model.tensor_size</name>
        <message>
            <source>tensor "%1" has an impossible size: %2</source>
            <translation>张量 “%1” 的大小不可能：%2</translation>
        </message>
    </context>
    <context>
        <name>model.text_too_long</name>
        <message>
            <source>a string of %1 bytes</source>
            <translation>长度为 %1 字节的文本</translation>
        </message>
    </context>
    <context>
        <name>model.tied_dense</name>
        <message>
            <source>a tied dense layer requires an embedding of the same width with dense updates</source>
            <translation>共享权重的全连接层需要宽度相同、整表更新的嵌入层</translation>
        </message>
    </context>
    <context>
        <name>model.tied_one_input</name>
        <message>
            <source>a tied layer takes one input and no "bias"</source>
            <translation>共享权重的层只有一个输入，且没有 “bias”</translation>
        </message>
    </context>
    <context>
        <name>model.title_of_decode</name>
        <message>
            <source>%1 decode (%2, context %3)</source>
            <translation>%1 解码（%2，上下文 %3）</translation>
        </message>
    </context>
    <context>
        <name>model.title_of_generate</name>
        <message>
            <source>%1 generate (%2, prompt %3, %4 tokens)</source>
            <translation>%1 生成（%2，提示 %3，%4 个词元）</translation>
        </message>
    </context>
    <context>
        <name>model.title_of_prefill</name>
        <message>
            <source>%1 prefill (%2, prompt %3)</source>
            <translation>%1 预填充（%2，提示 %3）</translation>
        </message>
    </context>
    <context>
        <name>model.too_many</name>
        <message>
            <source>%1 entries; at most %2 are supported</source>
            <translation>%1 项；最多支持 %2 项</translation>
        </message>
    </context>
    <context>
        <name>model.two_dimensions</name>
        <message>
            <source>takes two dimensions or more</source>
            <translation>至少需要两维</translation>
        </message>
    </context>
    <context>
        <name>model.two_inputs</name>
        <message>
            <source>requires at least two inputs</source>
            <translation>至少需要两个输入</translation>
        </message>
    </context>
    <context>
        <name>model.two_matrices</name>
        <message>
            <source>takes two matrices</source>
            <translation>需要两个矩阵</translation>
        </message>
    </context>
    <context>
        <name>model.two_widths</name>
        <message>
            <source>needs two widths for each dimension</source>
            <translation>每一维需要两个宽度</translation>
        </message>
    </context>
    <context>
        <name>model.unbalanced_parentheses</name>
        <message>
            <source>the parentheses do not match</source>
            <translation>括号不匹配</translation>
        </message>
    </context>
    <context>
        <name>model.uneven_pad</name>
        <message>
            <source>%1 channels cannot be padded evenly to %2</source>
            <translation>无法将 %1 个通道均匀填充到 %2 个</translation>
        </message>
    </context>
    <context>
        <name>model.units_or_tied</name>
        <message>
            <source>a dense layer takes either "units" or "tied_to"</source>
            <translation>全连接层只能有 “units” 或 “tied_to” 之一</translation>
        </message>
    </context>
    <context>
        <name>model.units_too_small</name>
        <message>
            <source>units must be at least 1</source>
            <translation>units 至少为 1</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_architecture</name>
        <message>
            <source>unknown model architecture "%1"; known: %2</source>
            <translation>未知的模型架构 “%1”；已知的有：%2</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_input</name>
        <message>
            <source>a layer refers to an unknown input</source>
            <translation>有层引用了未知的输入</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_kind</name>
        <message>
            <source>unknown kind of layer "%1"; did you mean "%2"?</source>
            <translation>未知的层类型 “%1”；是否想用 “%2”？</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_member</name>
        <message>
            <source>unknown member "%1"; did you mean "%2"?</source>
            <translation>未知的成员 “%1”；是否想用 “%2”？</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_model</name>
        <message>
            <source>unknown language model "%1"; did you mean %2?</source>
            <translation>未知的语言模型 “%1”；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_option</name>
        <message>
            <source>unknown option "%1"; known: %2</source>
            <translation>未知的选项 “%1”；已知：%2</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_output</name>
        <message>
            <source>an output refers to an unknown layer</source>
            <translation>有输出引用了未知的层</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_tensor_type</name>
        <message>
            <source>tensor "%1" has the unknown type %2</source>
            <translation>张量 “%1” 的类型 %2 未知</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_value_kind</name>
        <message>
            <source>unknown value type %1</source>
            <translation>未知的值类型 %1</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_weights</name>
        <message>
            <source>unknown weight format "%1"; known: %2</source>
            <translation>未知的权重格式 “%1”；已知的有：%2</translation>
        </message>
    </context>
    <context>
        <name>model.unknown_workload</name>
        <message>
            <source>unknown workload "%1"; did you mean %2?</source>
            <translation>未知的工作负载 “%1”；是否指 %2？</translation>
        </message>
    </context>
    <context>
        <name>model.updates_shape</name>
        <message>
            <source>the updates are of shape %1, not %2</source>
            <translation>更新值的形状为 %1，而非 %2</translation>
        </message>
    </context>
    <context>
        <name>model.weight_does_not_fit</name>
        <message>
            <source>a weight of %1 in %2 groups does not fit %3</source>
            <translation>形状为 %1、分为 %2 组的权重不适用于 %3</translation>
        </message>
    </context>
    <context>
        <name>model.weights_too_large</name>
        <message>
            <source>the weights are too large</source>
            <translation>权重过大</translation>
        </message>
    </context>
    <context>
        <name>model.window_too_small</name>
        <message>
            <source>kernel, stride and dilation must be at least 1</source>
            <translation>卷积核、步幅与膨胀至少为 1</translation>
        </message>
    </context>
    <context>
        <name>model.wrong_alignment</name>
        <message>
            <source>general.alignment must be a power of two</source>
            <translation>general.alignment 必须是 2 的幂</translation>
        </message>
    </context>
    <context>
        <name>model.wrong_option_value</name>
        <message>
            <source>%1 takes %2, not "%3"</source>
            <translation>%1 取 %2，而不是 “%3”</translation>
        </message>
    </context>
    <context>
        <name>model.wrong_output</name>
        <message>
            <source>an output must be [V] or [T, V] with softmax, or [1] with sigmoid; %1 is %2</source>
            <translation>输出须为 [V] 或 [T, V]（softmax），或 [1]（sigmoid）；%1 为 %2</translation>
        </message>
    </context>
    <context>
        <name>onnx.a_matrix</name>
        <message>
            <source>takes a matrix</source>
            <translation>需要一个矩阵</translation>
        </message>
    </context>
    <context>
        <name>onnx.activation</name>
        <message>
            <source>activation "%1"</source>
            <translation>激活函数 “%1”</translation>
        </message>
    </context>
    <context>
        <name>onnx.activation_parameters</name>
        <message>
            <source>activation with parameters</source>
            <translation>带参数的激活函数</translation>
        </message>
    </context>
    <context>
        <name>onnx.antialiasing</name>
        <message>
            <source>antialiasing</source>
            <translation>抗锯齿</translation>
        </message>
    </context>
    <context>
        <name>onnx.at_node</name>
        <message>
            <source>node "%1" (%2): %3</source>
            <translation>节点 “%1”（%2）：%3</translation>
        </message>
    </context>
    <context>
        <name>onnx.attribute_too_long</name>
        <message>
            <source>an attribute is too long</source>
            <translation>有属性过长</translation>
        </message>
    </context>
    <context>
        <name>onnx.attributes_rank</name>
        <message>
            <source>the attributes do not match the rank</source>
            <translation>属性与秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.axes_missing</name>
        <message>
            <source>the axes are missing</source>
            <translation>缺少轴</translation>
        </message>
    </context>
    <context>
        <name>onnx.axis_twice</name>
        <message>
            <source>an axis is given twice</source>
            <translation>同一个轴给出了两次</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_depth</name>
        <message>
            <source>the depth is out of range</source>
            <translation>depth 超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_hidden_size</name>
        <message>
            <source>hidden_size is out of range</source>
            <translation>hidden_size 超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_pads</name>
        <message>
            <source>the pads are out of range</source>
            <translation>填充宽度超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_range</name>
        <message>
            <source>the range is not valid</source>
            <translation>范围无效</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_repeats</name>
        <message>
            <source>the repeats are out of range</source>
            <translation>重复次数超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_result</name>
        <message>
            <source>the result has no valid size</source>
            <translation>结果的大小无效</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_shape</name>
        <message>
            <source>the shape is not valid</source>
            <translation>形状无效</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_size</name>
        <message>
            <source>the size is out of range</source>
            <translation>大小超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.bad_step</name>
        <message>
            <source>a step is out of range</source>
            <translation>步长超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.batch_given_twice</name>
        <message>
            <source>the first dimension is given as %1, but the batch size as %2</source>
            <translation>第一维给定为 %1，而批次大小给定为 %2</translation>
        </message>
    </context>
    <context>
        <name>onnx.bound_not_scalar</name>
        <message>
            <source>a bound is not a scalar</source>
            <translation>边界不是标量</translation>
        </message>
    </context>
    <context>
        <name>onnx.bounds_do_not_match</name>
        <message>
            <source>starts, ends, axes and steps differ in length</source>
            <translation>starts、ends、axes 与 steps 的长度不同</translation>
        </message>
    </context>
    <context>
        <name>onnx.bounds_missing</name>
        <message>
            <source>the bounds are missing</source>
            <translation>缺少边界</translation>
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
            <translation>分支中没有值 “%1”</translation>
        </message>
    </context>
    <context>
        <name>onnx.byte_count</name>
        <message>
            <source>"%1" has %2 bytes of data; its dimensions require %3</source>
            <translation>“%1” 有 %2 字节数据，而其维度需要 %3 字节</translation>
        </message>
    </context>
    <context>
        <name>onnx.cannot_be_written</name>
        <message>
            <source>the file cannot be written</source>
            <translation>无法写入文件</translation>
        </message>
    </context>
    <context>
        <name>onnx.cannot_reshape</name>
        <message>
            <source>shape %1 cannot be reshaped to %2</source>
            <translation>形状 %1 无法变形为 %2</translation>
        </message>
    </context>
    <context>
        <name>onnx.cast_to</name>
        <message>
            <source>cast to %1</source>
            <translation>转换为 %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.channel_blocks</name>
        <message>
            <source>the channels do not divide into blocks</source>
            <translation>通道数不能按块整除</translation>
        </message>
    </context>
    <context>
        <name>onnx.channel_groups</name>
        <message>
            <source>the channels do not divide into groups</source>
            <translation>通道数不能被分组数整除</translation>
        </message>
    </context>
    <context>
        <name>onnx.condition_not_constant</name>
        <message>
            <source>the condition depends on an input; set scalar inputs with --value NAME=NUMBER</source>
            <translation>条件依赖于输入；标量输入可用 --value NAME=NUMBER 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.constant_too_large</name>
        <message>
            <source>a constant is too large to be evaluated during import</source>
            <translation>常量过大，无法在导入时求值</translation>
        </message>
    </context>
    <context>
        <name>onnx.constant_without_tensor</name>
        <message>
            <source>constant without a tensor</source>
            <translation>没有张量的常量</translation>
        </message>
    </context>
    <context>
        <name>onnx.coordinates</name>
        <message>
            <source>coordinate transformation "%1"</source>
            <translation>坐标变换 “%1”</translation>
        </message>
    </context>
    <context>
        <name>onnx.cut_here</name>
        <message>
            <source>to measure the part before it, cut the graph: --outputs %1</source>
            <translation>若要测量其之前的部分，请截断计算图：--outputs %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.dimension_fixed</name>
        <message>
            <source>dimension %1 is %2 in the file, not %3; export the network with dynamic axes</source>
            <translation>第 %1 维在文件中为 %2，而非 %3；请以动态轴导出网络</translation>
        </message>
    </context>
    <context>
        <name>onnx.dimension_open</name>
        <message>
            <source>dimension %1%2 is dynamic; set it with --shape %3=%4</source>
            <translation>第 %1 维%2是动态的；请用 --shape %3=%4 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.duplicate_value</name>
        <message>
            <source>two values are named "%1"</source>
            <translation>有两个值同名 “%1”</translation>
        </message>
    </context>
    <context>
        <name>onnx.element_count</name>
        <message>
            <source>"%1" has %2 elements; its dimensions require %3</source>
            <translation>“%1” 有 %2 个元素，而其维度需要 %3 个</translation>
        </message>
    </context>
    <context>
        <name>onnx.empty_file</name>
        <message>
            <source>the file is empty</source>
            <translation>文件为空</translation>
        </message>
    </context>
    <context>
        <name>onnx.empty_result</name>
        <message>
            <source>the result is empty</source>
            <translation>结果为空</translation>
        </message>
    </context>
    <context>
        <name>onnx.equation</name>
        <message>
            <source>equation "%1"</source>
            <translation>等式 “%1”</translation>
        </message>
    </context>
    <context>
        <name>onnx.equation_mismatch</name>
        <message>
            <source>the equation "%1" does not fit its operands</source>
            <translation>等式 “%1” 与操作数不符</translation>
        </message>
    </context>
    <context>
        <name>onnx.extent_too_small</name>
        <message>
            <source>every dimension must be at least 1</source>
            <translation>每个维度至少为 1</translation>
        </message>
    </context>
    <context>
        <name>onnx.external_data_entry</name>
        <message>
            <source>external data: %1 "%2" is not a number</source>
            <translation>外部数据：%1 “%2” 不是数字</translation>
        </message>
    </context>
    <context>
        <name>onnx.external_data_outside</name>
        <message>
            <source>external data must be inside the model's folder; "..", absolute paths and symbolic links are refused</source>
            <translation>外部数据必须位于模型所在的文件夹内；拒绝 “..”、绝对路径和符号链接</translation>
        </message>
    </context>
    <context>
        <name>onnx.external_data_too_short</name>
        <message>
            <source>"%1" needs %2 bytes of external data</source>
            <translation>“%1” 需要 %2 字节外部数据</translation>
        </message>
    </context>
    <context>
        <name>onnx.fewer_branch_outputs</name>
        <message>
            <source>the branch has fewer outputs than the node</source>
            <translation>分支的输出少于该节点</translation>
        </message>
    </context>
    <context>
        <name>onnx.file_too_large</name>
        <message>
            <source>the weights exceed the 2 GiB of an ONNX file</source>
            <translation>权重超出 ONNX 文件的 2 GiB 上限</translation>
        </message>
    </context>
    <context>
        <name>onnx.fixed_batch</name>
        <message>
            <source>the batch size in the file is fixed at %1; for batch size %2, export the network with a dynamic first dimension (torch.onnx.export: dynamic_axes or dynamic_shapes)</source>
            <translation>文件中的批次大小固定为 %1；若要使用批次大小 %2，请以动态的第一维导出网络（torch.onnx.export：dynamic_axes 或 dynamic_shapes）</translation>
        </message>
    </context>
    <context>
        <name>onnx.for_onnx_files</name>
        <message>
            <source>--shape, --value, --outputs and --weights apply to ONNX files only</source>
            <translation>--shape、--value、--outputs 和 --weights 仅适用于 ONNX 文件</translation>
        </message>
    </context>
    <context>
        <name>onnx.graph_without_outputs</name>
        <message>
            <source>the graph has no outputs</source>
            <translation>计算图没有输出</translation>
        </message>
    </context>
    <context>
        <name>onnx.image_blocks</name>
        <message>
            <source>the image does not divide into blocks</source>
            <translation>图像不能按块整除</translation>
        </message>
    </context>
    <context>
        <name>onnx.index_out_of_range</name>
        <message>
            <source>an index is out of range</source>
            <translation>索引超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.indices_used</name>
        <message>
            <source>its indices output is used</source>
            <translation>使用了其索引输出</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_missing</name>
        <message>
            <source>input %1 is missing</source>
            <translation>缺少第 %1 个输入</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_not_constant</name>
        <message>
            <source>input %1 must be constant; set scalar inputs with --value</source>
            <translation>第 %1 个输入必须是常量；标量输入可用 --value 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_too_large</name>
        <message>
            <source>input "%1" is too large</source>
            <translation>输入 “%1” 过大</translation>
        </message>
    </context>
    <context>
        <name>onnx.input_type</name>
        <message>
            <source>input "%1" has the unsupported type %2</source>
            <translation>输入 “%1” 的类型 %2 不受支持</translation>
        </message>
    </context>
    <context>
        <name>onnx.integer_too_wide</name>
        <message>
            <source>the integer %1 needs more than 32 bits</source>
            <translation>整数 %1 需要 32 位以上</translation>
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
            <translation>模式 “%1”</translation>
        </message>
    </context>
    <context>
        <name>onnx.more_elements_than_bytes</name>
        <message>
            <source>more elements than the file has bytes</source>
            <translation>元素数多于文件的字节数</translation>
        </message>
    </context>
    <context>
        <name>onnx.name_too_long</name>
        <message>
            <source>a name has %1 bytes</source>
            <translation>有一个名称长达 %1 字节</translation>
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
            <translation>有一个维度为负</translation>
        </message>
    </context>
    <context>
        <name>onnx.negative_padding</name>
        <message>
            <source>negative padding</source>
            <translation>负的填充</translation>
        </message>
    </context>
    <context>
        <name>onnx.nested_too_deep</name>
        <message>
            <source>subgraphs are nested more than %1 deep</source>
            <translation>子图嵌套超过 %1 层</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_axis</name>
        <message>
            <source>axis %1 is out of range for rank %2</source>
            <translation>轴 %1 超出秩 %2 的范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_graph</name>
        <message>
            <source>contains no graph; not an ONNX model</source>
            <translation>不含计算图，不是 ONNX 模型</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_input_needed</name>
        <message>
            <source>the outputs do not depend on any input</source>
            <translation>输出不依赖任何输入</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_location</name>
        <message>
            <source>the external data has no location</source>
            <translation>外部数据没有给出位置</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_opset</name>
        <message>
            <source>the file does not state the opset version of the standard operators</source>
            <translation>文件未注明标准算子的 opset 版本</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_outputs</name>
        <message>
            <source>the node has no outputs</source>
            <translation>节点没有输出</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_such_axis</name>
        <message>
            <source>the axis is out of range</source>
            <translation>轴超出范围</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_such_dimension</name>
        <message>
            <source>the shape keeps a dimension that the input lacks</source>
            <translation>形状保留了输入没有的维度</translation>
        </message>
    </context>
    <context>
        <name>onnx.no_value</name>
        <message>
            <source>there is no value "%1"</source>
            <translation>没有名为 “%1” 的值</translation>
        </message>
    </context>
    <context>
        <name>onnx.node_too_large</name>
        <message>
            <source>a node has too many inputs, outputs or attributes</source>
            <translation>有节点的输入、输出或属性过多</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_batch</name>
        <message>
            <source>"%1" is not a batch size</source>
            <translation>“%1” 不是批次大小</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_model</name>
        <message>
            <source>not a regular file</source>
            <translation>不是普通文件</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_number</name>
        <message>
            <source>"%1" is not a number</source>
            <translation>“%1” 不是数字</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_permutation</name>
        <message>
            <source>perm is not a permutation of the axes</source>
            <translation>perm 不是各轴的排列</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_shape</name>
        <message>
            <source>"%1" is not a shape such as 1x3x224x224</source>
            <translation>“%1” 不是形如 1x3x224x224 的形状</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_a_tensor</name>
        <message>
            <source>input "%1" is not a tensor</source>
            <translation>输入 “%1” 不是张量</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_an_option</name>
        <message>
            <source>"%1" is not of the form option=value</source>
            <translation>“%1” 不符合 “选项=值” 的形式</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_exported</name>
        <message>
            <source>%1 cannot be exported as ONNX</source>
            <translation>%1 无法导出为 ONNX</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_onnx</name>
        <message>
            <source>not an ONNX file</source>
            <translation>不是 ONNX 文件</translation>
        </message>
    </context>
    <context>
        <name>onnx.not_squeezable</name>
        <message>
            <source>dimension %1 is %2, not 1</source>
            <translation>第 %1 维为 %2，而非 1</translation>
        </message>
    </context>
    <context>
        <name>onnx.of_input</name>
        <message>
            <source>input "%1": %2</source>
            <translation>输入 “%1”：%2</translation>
        </message>
    </context>
    <context>
        <name>onnx.one_axis</name>
        <message>
            <source>takes one axis</source>
            <translation>只接受一个轴</translation>
        </message>
    </context>
    <context>
        <name>onnx.one_diagonal</name>
        <message>
            <source>takes one diagonal</source>
            <translation>只接受一条对角线</translation>
        </message>
    </context>
    <context>
        <name>onnx.operands_do_not_match</name>
        <message>
            <source>the operands do not match</source>
            <translation>操作数不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.operator_at</name>
        <message>
            <source>%1, node "%2"</source>
            <translation>%1，节点 “%2”</translation>
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
            <translation>不支持 opset %1；请以 opset %2 至 %3 导出网络</translation>
        </message>
    </context>
    <context>
        <name>onnx.output_shape_rank</name>
        <message>
            <source>the output shape does not match the rank</source>
            <translation>输出形状与秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.output_used</name>
        <message>
            <source>output %1 is used</source>
            <translation>使用了第 %1 个输出</translation>
        </message>
    </context>
    <context>
        <name>onnx.pad_value</name>
        <message>
            <source>the padding value is not a scalar</source>
            <translation>填充值不是标量</translation>
        </message>
    </context>
    <context>
        <name>onnx.pads_missing</name>
        <message>
            <source>the pads are missing</source>
            <translation>缺少填充宽度</translation>
        </message>
    </context>
    <context>
        <name>onnx.pads_rank</name>
        <message>
            <source>the pads do not match the rank</source>
            <translation>填充宽度与秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.parameters_do_not_match</name>
        <message>
            <source>the parameters do not match the channels</source>
            <translation>参数与通道数不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.parameters_not_constant</name>
        <message>
            <source>the parameters depend on an input</source>
            <translation>参数依赖于输入</translation>
        </message>
    </context>
    <context>
        <name>onnx.parentheses</name>
        <message>
            <source>the parentheses do not match</source>
            <translation>括号不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.parts_too_large</name>
        <message>
            <source>the parts exceed the axis</source>
            <translation>各部分之和超出该轴</translation>
        </message>
    </context>
    <context>
        <name>onnx.rank_differs</name>
        <message>
            <source>has %1 dimensions, not %2</source>
            <translation>有 %1 维，而非 %2 维</translation>
        </message>
    </context>
    <context>
        <name>onnx.read_before_defined</name>
        <message>
            <source>"%1" is read before it is computed (a cycle, or nodes out of order)</source>
            <translation>“%1” 在计算之前就被读取（存在环，或节点顺序不对）</translation>
        </message>
    </context>
    <context>
        <name>onnx.recurrent_operands</name>
        <message>
            <source>takes X, W and R of rank 3</source>
            <translation>需要秩为 3 的 X、W 和 R</translation>
        </message>
    </context>
    <context>
        <name>onnx.repeats_rank</name>
        <message>
            <source>the repeats do not match the rank</source>
            <translation>重复次数与秩不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.result_too_large</name>
        <message>
            <source>the result is too large</source>
            <translation>结果过大</translation>
        </message>
    </context>
    <context>
        <name>onnx.scalar_input</name>
        <message>
            <source>input "%1" is a scalar</source>
            <translation>输入 “%1” 是标量</translation>
        </message>
    </context>
    <context>
        <name>onnx.scales_or_sizes</name>
        <message>
            <source>takes either scales or sizes, one for each axis</source>
            <translation>须为每个轴给出 scales 或 sizes 之一</translation>
        </message>
    </context>
    <context>
        <name>onnx.shape_not_in_file</name>
        <message>
            <source>the file does not contain its shape; set it with --shape %1=1x3x224x224</source>
            <translation>文件中没有其形状；请用 --shape %1=1x3x224x224 指定</translation>
        </message>
    </context>
    <context>
        <name>onnx.shapes_do_not_match</name>
        <message>
            <source>shapes %1 and %2 do not match</source>
            <translation>形状 %1 与 %2 不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.size_depends_on_values</name>
        <message>
            <source>the size of the result depends on the values</source>
            <translation>结果的大小取决于数据的值</translation>
        </message>
    </context>
    <context>
        <name>onnx.sparse_initializers</name>
        <message>
            <source>sparse initializers are not supported</source>
            <translation>不支持稀疏的初始化张量（sparse initializer）</translation>
        </message>
    </context>
    <context>
        <name>onnx.split_typed_data</name>
        <message>
            <source>the data of a tensor is stored in several fields</source>
            <translation>张量的数据分散在多个字段中</translation>
        </message>
    </context>
    <context>
        <name>onnx.structure_changed</name>
        <message>
            <source>the file has changed: its structure is #%1, not #%2</source>
            <translation>文件已更改：其结构为 #%1，而非 #%2</translation>
        </message>
    </context>
    <context>
        <name>onnx.tensor_rank</name>
        <message>
            <source>a tensor has more than %1 dimensions</source>
            <translation>有张量超过 %1 维</translation>
        </message>
    </context>
    <context>
        <name>onnx.tensor_type</name>
        <message>
            <source>tensors of type %1 are not supported</source>
            <translation>不支持类型为 %1 的张量</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_dimensions</name>
        <message>
            <source>more than 8 dimensions</source>
            <translation>超过 8 维</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_elements</name>
        <message>
            <source>"%1" has too many elements</source>
            <translation>“%1” 的元素过多</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_initializers</name>
        <message>
            <source>more than %1 initializers</source>
            <translation>初始化张量（initializer）超过 %1 个</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_inputs</name>
        <message>
            <source>too many inputs or outputs</source>
            <translation>输入或输出过多</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_nodes</name>
        <message>
            <source>more than %1 nodes</source>
            <translation>节点超过 %1 个</translation>
        </message>
    </context>
    <context>
        <name>onnx.too_many_opsets</name>
        <message>
            <source>too many operator sets</source>
            <translation>算子集过多</translation>
        </message>
    </context>
    <context>
        <name>onnx.training_mode</name>
        <message>
            <source>training mode</source>
            <translation>训练模式</translation>
        </message>
    </context>
    <context>
        <name>onnx.truncated</name>
        <message>
            <source>the file is truncated or damaged (%1)</source>
            <translation>文件被截断或已损坏（%1）</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_graphs</name>
        <message>
            <source>the model contains two graphs</source>
            <translation>模型包含两个计算图</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_matrices</name>
        <message>
            <source>takes two matrices</source>
            <translation>需要两个矩阵</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_open_dimensions</name>
        <message>
            <source>the shape has two dimensions of -1</source>
            <translation>形状中有两个 -1</translation>
        </message>
    </context>
    <context>
        <name>onnx.two_values</name>
        <message>
            <source>takes two values</source>
            <translation>需要两个值</translation>
        </message>
    </context>
    <context>
        <name>onnx.blocked_scales</name>
        <message>
            <source>scales for blocks of an axis</source>
            <translation>按轴上的分块给出的缩放系数</translation>
        </message>
    </context>
    <context>
        <name>onnx.scales_do_not_match</name>
        <message>
            <source>scales and zero points do not match the tensor</source>
            <translation>缩放系数和零点与张量不匹配</translation>
        </message>
    </context>
    <context>
        <name>onnx.type</name>
        <message>
            <source>type %1</source>
            <translation>类型 %1</translation>
        </message>
    </context>
    <context>
        <name>onnx.unknown_input</name>
        <message>
            <source>there is no input "%1"; inputs: %2</source>
            <translation>没有输入 “%1”；现有输入：%2</translation>
        </message>
    </context>
    <context>
        <name>onnx.unknown_letter</name>
        <message>
            <source>the result has a letter that no operand has</source>
            <translation>结果中有操作数中没有的字母</translation>
        </message>
    </context>
    <context>
        <name>onnx.unknown_option</name>
        <message>
            <source>unknown option "%1"; known: batch, shape.INPUT, value.INPUT, outputs, weights</source>
            <translation>未知的选项 “%1”；已知：batch、shape.INPUT、value.INPUT、outputs、weights</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_defined_twice</name>
        <message>
            <source>"%1" is defined twice</source>
            <translation>“%1” 被定义了两次</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_not_scalar</name>
        <message>
            <source>the value is not a scalar</source>
            <translation>值不是标量</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_rank</name>
        <message>
            <source>"%1" has more than %2 dimensions</source>
            <translation>“%1” 超过 %2 维</translation>
        </message>
    </context>
    <context>
        <name>onnx.value_type</name>
        <message>
            <source>"%1" has the unsupported type %2</source>
            <translation>“%1” 的类型 %2 不受支持</translation>
        </message>
    </context>
    <context>
        <name>onnx.weights_option</name>
        <message>
            <source>weights takes "file" or "drawn"</source>
            <translation>weights 的取值为 “file” 或 “drawn”</translation>
        </message>
    </context>
    <context>
        <name>onnx.window_too_small</name>
        <message>
            <source>kernel, stride and dilation must be at least 1</source>
            <translation>卷积核、步幅与膨胀至少为 1</translation>
        </message>
    </context>
    <context>
        <name>onnx.wrong_field_type</name>
        <message>
            <source>a field does not have the type that ONNX defines</source>
            <translation>有字段的类型与 ONNX 的定义不符</translation>
        </message>
    </context>
    <context>
        <name>plan.at_least_one</name>
        <message>
            <source>must be at least 1</source>
            <translation>必须不小于 1</translation>
        </message>
    </context>
    <context>
        <name>plan.batch_too_large</name>
        <message>
            <source>with %1 samples, %2 of %3 exceeds %4 elements</source>
            <translation>%1 个样本时，%3 的 %2 超过 %4 个元素</translation>
        </message>
    </context>
    <context>
        <name>plan.decodes_only</name>
        <message>
            <source>%1 decodes with a cache and cannot be trained</source>
            <translation>%1 使用缓存解码，不能训练</translation>
        </message>
    </context>
    <context>
        <name>plan.inference_alone</name>
        <message>
            <source>int8 supports inference only; training needs fp32, tf32, bf16 or fp16</source>
            <translation>int8 是用于推理的精度：训练需要 fp32、tf32、bf16 或 fp16</translation>
        </message>
    </context>
    <context>
        <name>plan.nothing_to_train</name>
        <message>
            <source>%1 has nothing to train</source>
            <translation>%1 没有可训练的内容</translation>
        </message>
    </context>
    <context>
        <name>report.report_ending</name>
        <message>
            <source>the file name must end in .md, .html, .csv or .json</source>
            <translation>文件名须以 .md、.html、.csv 或 .json 结尾</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::AdviceForm</name>
        <message>
            <source>The job</source>
            <translation>任务</translation>
        </message>
        <message>
            <source>Network</source>
            <translation>网络</translation>
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
            <translation>轮数</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步数</translation>
        </message>
        <message>
            <source>Software</source>
            <translation>软件</translation>
        </message>
        <message>
            <source>no limit</source>
            <translation>不限</translation>
        </message>
        <message>
            <source>Budget</source>
            <translation>预算</translation>
        </message>
        <message>
            <source> h</source>
            <translation> 小时</translation>
        </message>
        <message>
            <source>Deadline</source>
            <translation>期限</translation>
        </message>
        <message>
            <source>Where</source>
            <translation>在哪里</translation>
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
            <translation>按轮数</translation>
        </message>
        <message>
            <source>steps</source>
            <translation>按步数</translation>
        </message>
        <message>
            <source>Job length</source>
            <translation>任务长度</translation>
        </message>
        <message>
            <source>Samples per epoch</source>
            <translation>每轮样本数</translation>
        </message>
        <message>
            <source>Use the network's defaults</source>
            <translation>使用该网络的常用值</translation>
        </message>
        <message>
            <source>Batch, epochs and samples as the network is usually trained</source>
            <translation>该网络通常训练时的批次、轮数和样本数</translation>
        </message>
        <message>
            <source>Priorities</source>
            <translation>优先级</translation>
        </message>
        <message>
            <source>Preset</source>
            <translation>预设</translation>
        </message>
        <message>
            <source>Undo preset</source>
            <translation>撤销预设</translation>
        </message>
        <message>
            <source>Optimise for</source>
            <translation>优先考虑</translation>
        </message>
        <message>
            <source>Money matters ↔ time matters</source>
            <translation>省钱 ↔ 省时</translation>
        </message>
        <message>
            <source>Include spot instances</source>
            <translation>包括竞价实例</translation>
        </message>
        <message>
            <source>Cheaper, but the provider may take them back at any time.</source>
            <translation>更便宜，但提供商可能随时收回。</translation>
        </message>
        <message>
            <source>Include this computer</source>
            <translation>包括本机</translation>
        </message>
        <message>
            <source>Sets: %1; budget %2; deadline %3; %4.</source>
            <translation>设定：%1；预算 %2；期限 %3；%4。</translation>
        </message>
        <message>
            <source>spot instances included</source>
            <translation>包括竞价实例</translation>
        </message>
        <message>
            <source>no spot instances</source>
            <translation>不含竞价实例</translation>
        </message>
        <message>
            <source>Balanced minimises cost × time^%1.</source>
            <translation>“均衡”使 费用 × 时间^%1 最小。</translation>
        </message>
        <message>
            <source>Custom settings</source>
            <translation>自己的设置</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>从列表中移除</translation>
        </message>
        <message>
            <source>The file of the network stays.</source>
            <translation>网络的文件保留。</translation>
        </message>
        <message>
            <source>Add a network…</source>
            <translation>添加网络…</translation>
        </message>
        <message>
            <source>%1 (not available)</source>
            <translation>%1（不可用）</translation>
        </message>
        <message>
            <source>Type a name</source>
            <translation>输入名称</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::AdvicePage</name>
        <message>
            <source>Price of %1 set</source>
            <translation>已设置 %1 的价格</translation>
        </message>
        <message>
            <source>Cost &amp; advice</source>
            <translation>费用与建议</translation>
        </message>
        <message>
            <source>The machine</source>
            <translation>机器</translation>
        </message>
        <message>
            <source>Close the details</source>
            <translation>关闭详情</translation>
        </message>
        <message numerus="yes">
            <source>%n price(s) imported</source>
            <translation>
                <numerusform>已导入 %n 个价格</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>(%n row(s) left out)</source>
            <translation>
                <numerusform>（略去 %n 行）</numerusform>
            </translation>
        </message>
        <message>
            <source>Loading offers…</source>
            <translation>正在查看报价…</translation>
        </message>
        <message>
            <source>Result views</source>
            <translation>答案的视图</translation>
        </message>
        <message>
            <source>Choices</source>
            <translation>选择</translation>
        </message>
        <message>
            <source>Ranking</source>
            <translation>排名</translation>
        </message>
        <message>
            <source>Relative</source>
            <translation>相对值</translation>
        </message>
        <message>
            <source>Buy or rent</source>
            <translation>买还是租</translation>
        </message>
        <message>
            <source>Prices</source>
            <translation>价格</translation>
        </message>
        <message>
            <source>All offers, best first</source>
            <translation>所有报价，最佳在前</translation>
        </message>
        <message>
            <source>Hide offers outside my limits</source>
            <translation>隐藏超出限制的报价</translation>
        </message>
        <message>
            <source>Kind of job</source>
            <translation>任务类型</translation>
        </message>
        <message>
            <source>Train a network</source>
            <translation>训练网络</translation>
        </message>
        <message>
            <source>Run a network</source>
            <translation>运行网络</translation>
        </message>
        <message>
            <source>Choose the kind of job above, then describe it, your priorities and your limits; the answer follows every change. Times are estimated from published measurements and, where there are any, from your own; the ranges hold in 80 % of cases. Cost is price times billed time. No machine is left out: the ranking says why each one lost. A dashed line in the chart joins the best trade-offs, which no machine beats on both time and price. On the Prices page you can enter a price of your own or import a price list.</source>
            <translation>请先在上方选择任务类型，再描述任务、优先级和限制；答案随每次更改而更新。时间由公开的测量结果以及您自己的测量结果（若有）估算；区间在 80 % 的情况下成立。费用等于价格乘以计费时间。没有遗漏任何机器：排名会说明每台机器落选的原因。图中的虚线连接最佳折中，没有机器在时间和价格上都更优。在“价格”页可以输入自己的价格或导入价格表。</translation>
        </message>
        <message>
            <source>Search machines, devices and reasons</source>
            <translation>搜索机器、设备和原因</translation>
        </message>
        <message>
            <source>Measure candidates…</source>
            <translation>测量候选机器…</translation>
        </message>
        <message>
            <source>Measure the best machines where they are, and correct the advice</source>
            <translation>在最佳候选所在之处实测，并修正建议</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::BenchmarkPage</name>
        <message>
            <source>Benchmark</source>
            <translation>基准测试</translation>
        </message>
        <message>
            <source>A case is one network in one mode on one device. Each is compiled, checked against a reference, warmed up and sampled until the 95 % interval of the median is narrow enough or its time is up. Cases run one after the other in a process of their own, so that a crash ends one case only. Several batch sizes or thread counts, separated by commas, make a sweep.</source>
            <translation>用例是指一个网络以一种模式在一个设备上运行。每个用例先编译、与参考实现核对、预热，然后采样，直到中位数的 95 % 区间足够窄或时间用完。用例在各自的进程中依次运行，因此崩溃只会结束一个用例。用逗号分隔多个批次大小或线程数即可进行扫描。</translation>
        </message>
        <message>
            <source>The CPU is busy</source>
            <translation>CPU 正忙</translation>
        </message>
        <message>
            <source>Other programs use %1 of the CPU.</source>
            <translation>其他程序占用了 %1 的 CPU。</translation>
        </message>
        <message>
            <source>Results measured now would be unreliable. Close the other programs or wait.</source>
            <translation>现在测得的结果将不可靠。请关闭其他程序或稍候。</translation>
        </message>
        <message>
            <source>Run anyway</source>
            <translation>仍然运行</translation>
        </message>
        <message>
            <source>Do not run</source>
            <translation>不运行</translation>
        </message>
        <message>
            <source>Start when idle</source>
            <translation>空闲时开始</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>The run was not started: other programs use %1 of the CPU.</source>
            <translation>运行未开始：其他程序占用了 %1 的 CPU。</translation>
        </message>
        <message>
            <source>The run starts when other programs no longer use the CPU.</source>
            <translation>其他程序不再占用 CPU 时，运行会自动开始。</translation>
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
            <translation>在其他程序占用 CPU 时测得</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CampaignDialog</name>
        <message>
            <source>Container image</source>
            <translation>容器镜像</translation>
        </message>
        <message>
            <source>registry/steelyard:1.0</source>
            <translation>registry/steelyard:1.0</translation>
        </message>
        <message>
            <source>An image that contains steelyard-cli.</source>
            <translation>包含 steelyard-cli 的镜像。</translation>
        </message>
        <message>
            <source>Archives (*.tar.gz)</source>
            <translation>归档文件 (*.tar.gz)</translation>
        </message>
        <message>
            <source>Rented machines need this program as an archive: choose it above.</source>
            <translation>租用的机器需要本程序的归档文件：请在上方选择。</translation>
        </message>
        <message>
            <source>Kubernetes needs a container image that contains this program: enter its name above.</source>
            <translation>Kubernetes 需要包含本程序的容器镜像：请在上方填写其名称。</translation>
        </message>
        <message>
            <source>Choose the output folder.</source>
            <translation>请选择输出文件夹。</translation>
        </message>
        <message>
            <source>Measure candidates</source>
            <translation>测量候选机器</translation>
        </message>
        <message>
            <source>Each machine measures the job with this program, and the advice is corrected by what was measured. Nothing starts before you press Start.</source>
            <translation>每台机器用本程序测量该任务，并用实测结果修正建议。按下“开始”之前不会启动任何东西。</translation>
        </message>
        <message>
            <source>Write files only</source>
            <translation>仅写入文件</translation>
        </message>
        <message>
            <source>Start…</source>
            <translation>开始…</translation>
        </message>
        <message>
            <source>Machines of the advice</source>
            <translation>建议中的机器</translation>
        </message>
        <message>
            <source>Your own machines</source>
            <translation>您自己的机器</translation>
        </message>
        <message>
            <source>nodeA, nodeB=a100_sxm_80:4</source>
            <translation>nodeA, nodeB=a100_sxm_80:4</translation>
        </message>
        <message>
            <source>Names by which ssh or the cluster knows them; after = the device of the list of hardware, and how many of them. Without a device: a processor like this computer&apos;s.</source>
            <translation>ssh 或集群所用的名称；= 之后是硬件列表中的设备及其数量。不写设备：与本机相同的处理器。</translation>
        </message>
        <message>
            <source>Connection</source>
            <translation>连接方式</translation>
        </message>
        <message>
            <source>%1 (not installed)</source>
            <translation>%1（未安装）</translation>
        </message>
        <message>
            <source>Partition</source>
            <translation>分区</translation>
        </message>
        <message>
            <source>the cluster&apos;s default</source>
            <translation>集群的默认分区</translation>
        </message>
        <message>
            <source>Time limit per machine</source>
            <translation>每台的时限</translation>
        </message>
        <message>
            <source> min</source>
            <translation> 分钟</translation>
        </message>
        <message>
            <source>at most</source>
            <translation>最多</translation>
        </message>
        <message>
            <source>Budget for measuring</source>
            <translation>测量预算</translation>
        </message>
        <message>
            <source>Run the quick suite, too, which calibrates predictions</source>
            <translation>同时运行快速套件，用于校准预测</translation>
        </message>
        <message>
            <source>Archive for rented machines</source>
            <translation>用于租用机器的归档文件</translation>
        </message>
        <message>
            <source>steelyard-cli-….tar.gz</source>
            <translation>steelyard-cli-….tar.gz</translation>
        </message>
        <message>
            <source>The command line as an archive that runs on any x86-64 Linux; ./dev package builds it.</source>
            <translation>可在任何 x86-64 Linux 上运行的命令行程序归档；由 ./dev package 生成。</translation>
        </message>
        <message>
            <source>Output folder</source>
            <translation>文件所在文件夹</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>What will be measured</source>
            <translation>将要测量的内容</translation>
        </message>
        <message>
            <source>Planning…</source>
            <translation>正在制定计划…</translation>
        </message>
        <message>
            <source>Nothing is rented for this.</source>
            <translation>不需要租用任何机器。</translation>
        </message>
        <message>
            <source>Not installed here: %1. Write the files, and start them where it is.</source>
            <translation>此处未安装：%1。请写入文件，然后在装有它的机器上启动。</translation>
        </message>
        <message>
            <source>This computer</source>
            <translation>本机</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CampaignsPage</name>
        <message>
            <source>Campaigns</source>
            <translation>测量计划</translation>
        </message>
        <message>
            <source>The campaign could not continue</source>
            <translation>测量计划无法继续</translation>
        </message>
        <message>
            <source>Campaign</source>
            <translation>测量计划</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>Check now</source>
            <translation>立即查询</translation>
        </message>
        <message>
            <source>New from the advice…</source>
            <translation>从建议新建…</translation>
        </message>
        <message>
            <source>Start…</source>
            <translation>开始…</translation>
        </message>
        <message>
            <source>Start again…</source>
            <translation>重新开始…</translation>
        </message>
        <message>
            <source>No campaign yet</source>
            <translation>还没有测量计划</translation>
        </message>
        <message>
            <source>The advice rests on predictions. A campaign measures its best candidates where they are, in a cloud or on machines of your own, and corrects the advice.</source>
            <translation>建议基于预测。测量计划会在云端或您自己的机器上实测最佳候选，并据此修正建议。</translation>
        </message>
        <message>
            <source>Choose from the advice…</source>
            <translation>从建议中选择…</translation>
        </message>
        <message>
            <source>Machines of the campaign</source>
            <translation>测量计划中的机器</translation>
        </message>
        <message>
            <source>Its machines are measuring.</source>
            <translation>其机器正在工作。</translation>
        </message>
        <message>
            <source>Describe the job first; then choose which machines to measure.</source>
            <translation>请先描述任务，然后选择要测量的机器。</translation>
        </message>
        <message>
            <source>The files are in %1.</source>
            <translation>文件位于 %1。</translation>
        </message>
        <message>
            <source>Start the measurements?</source>
            <translation>开始测量？</translation>
        </message>
        <message>
            <source>The measurements occupy the machines.</source>
            <translation>测量会占用这些机器的时间。</translation>
        </message>
        <message>
            <source>These commands run:</source>
            <translation>将运行以下命令：</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>开始</translation>
        </message>
        <message>
            <source>Delete this campaign?</source>
            <translation>删除该测量计划？</translation>
        </message>
        <message>
            <source>Its runs stay in the history, and its files in their folder.</source>
            <translation>其运行记录保留在历史中，文件保留在原文件夹中。</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>A campaign measures candidates of the advice where they are: rented machines by SkyPilot, a cluster by Slurm or Kubernetes, your own machines by ssh, and this computer. Each candidate keeps the prediction that was made when the campaign was planned; what is measured stands beside it, and the sentences above say what changes in the advice. Results go into the history and calibrate later predictions. The time limit holds for every machine, so the highest cost is known before anything starts.</source>
            <translation>测量计划在候选机器所在之处对其实测：通过 SkyPilot 租用的机器、通过 Slurm 或 Kubernetes 的集群、通过 ssh 的自有机器，以及本机。每个候选保留制定计划时的预测；实测值列在旁边，上方的句子说明建议有何变化。结果存入历史，并用于校准以后的预测。时限对每台机器都有效，因此在开始之前就知道最高花费。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CaseTreeModel</name>
        <message>
            <source>Cannot run here: %1</source>
            <translation>无法在此运行：%1</translation>
        </message>
        <message>
            <source>cannot run</source>
            <translation>无法运行</translation>
        </message>
        <message>
            <source>Workload</source>
            <translation>工作负载</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数量</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
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
            <translation>一个用例大约需要的时间；选择套件时为该负载全部用例的时间</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChartCanvas</name>
        <message>
            <source>Chart</source>
            <translation>图表</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChartTableModel</name>
        <message>
            <source>Workload</source>
            <translation>工作负载</translation>
        </message>
        <message>
            <source>Series</source>
            <translation>系列</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ChartView</name>
        <message>
            <source>Data of the chart</source>
            <translation>图表数据</translation>
        </message>
        <message>
            <source>Show as table</source>
            <translation>显示为表格</translation>
        </message>
        <message>
            <source>Copy the chart and its data</source>
            <translation>复制图表及其数据</translation>
        </message>
        <message>
            <source>Export the chart</source>
            <translation>导出图表</translation>
        </message>
        <message>
            <source>Image (PNG)…</source>
            <translation>图像 (PNG)…</translation>
        </message>
        <message>
            <source>Drawing (SVG)…</source>
            <translation>矢量图 (SVG)…</translation>
        </message>
        <message>
            <source>Page (PDF)…</source>
            <translation>页面 (PDF)…</translation>
        </message>
        <message>
            <source>Data (CSV)…</source>
            <translation>数据 (CSV)…</translation>
        </message>
        <message>
            <source>Show as chart</source>
            <translation>显示为图表</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::CheckCard</name>
        <message>
            <source>Is this machine sound?</source>
            <translation>这台机器是否完好？</translation>
        </message>
        <message>
            <source>Tests memory with patterns, compares every operation with a reference, and keeps each device busy while clocks, temperature and results are watched. For a machine that misbehaves, or a card bought used.</source>
            <translation>用图案测试内存，将每种运算与参考实现比较，并让每个设备持续工作，同时观察时钟、温度和结果。适用于表现异常的机器或二手显卡。</translation>
        </message>
        <message>
            <source>Check this machine</source>
            <translation>检查这台机器</translation>
        </message>
        <message>
            <source> s of load per device</source>
            <translation> 秒负载（每个设备）</translation>
        </message>
        <message>
            <source>Seconds of load per device</source>
            <translation>每个设备的负载秒数</translation>
        </message>
        <message>
            <source>Progress of the check</source>
            <translation>检查进度</translation>
        </message>
        <message>
            <source>Stop the check</source>
            <translation>停止检查</translation>
        </message>
        <message>
            <source>A benchmark is running; a check would disturb it.</source>
            <translation>基准测试正在运行；检查会干扰它。</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在启动…</translation>
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
            <translation>推荐</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::Gauge</name>
        <message>
            <source>%1: not readable here</source>
            <translation>%1：此处无法读取</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::GpuChoice</name>
        <message>
            <source>strong scaling</source>
            <translation>强扩展</translation>
        </message>
        <message>
            <source>The GPUs share the batch: how much sooner is it done?</source>
            <translation>各 GPU 分担同一批样本：能提前多久完成？</translation>
        </message>
        <message>
            <source>weak scaling</source>
            <translation>弱扩展</translation>
        </message>
        <message>
            <source>Each GPU takes a whole batch: how much more is done in the same time?</source>
            <translation>每个 GPU 处理一整批样本：同样的时间能多做多少？</translation>
        </message>
        <message>
            <source>experiments side by side</source>
            <translation>并行独立实验</translation>
        </message>
        <message numerus="yes">
            <source>%n GPU(s) together</source>
            <translation>
                <numerusform>%n 个 GPU 共同计算</numerusform>
            </translation>
        </message>
        <message>
            <source>Times each case on that many GPUs. Devices, threads and real data are then left aside.</source>
            <translation>用这么多个 GPU 为每个用例计时。此时不考虑设备、线程和真实数据。</translation>
        </message>
        <message>
            <source>Each GPU runs its own steps: the alternative to splitting a case.</source>
            <translation>每个 GPU 各做自己的一步：这是共同分担之外的另一种选择。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HardwarePage</name>
        <message>
            <source>Hardware</source>
            <translation>硬件</translation>
        </message>
        <message>
            <source>Copy diagnostic report…</source>
            <translation>复制诊断报告…</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>处理器</translation>
        </message>
        <message>
            <source>Facts about this computer</source>
            <translation>关于这台电脑的信息</translation>
        </message>
        <message>
            <source>Backends</source>
            <translation>后端</translation>
        </message>
        <message>
            <source>Detecting hardware…</source>
            <translation>正在检测硬件…</translation>
        </message>
        <message>
            <source>Graphics cards</source>
            <translation>显卡</translation>
        </message>
        <message>
            <source>Diagnostic report</source>
            <translation>诊断报告</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>The report is in the clipboard. Nothing was sent anywhere.</source>
            <translation>报告已在剪贴板中。没有向任何地方发送内容。</translation>
        </message>
        <message>
            <source>Detected is what the machine has, allowed is what this process may use (affinity, control groups), used is what a benchmark takes unless told otherwise. A dash means unknown; its reason shows on hover. The diagnostic report contains no host name, user name or serial number.</source>
            <translation>“检测到”是机器所拥有的，“允许”是本进程可使用的（亲和性、控制组），“使用”是未另行指定时基准测试所用的。短横线表示未知；悬停可查看原因。诊断报告不含主机名、用户名或序列号。</translation>
        </message>
        <message>
            <source>Check this machine tests whether a machine or a used card is sound; it is no benchmark. The last result is kept beside the history and printed in reports. The same in a terminal: steelyard-cli check.</source>
            <translation>“检查这台机器”检验机器或二手显卡是否完好，并非基准测试。最近一次的结果保存在历史文件旁，并印在报告中。在终端中运行 steelyard-cli check 效果相同。</translation>
        </message>
        <message>
            <source>Your value of the fact</source>
            <translation>您为此项设置的值</translation>
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
            <translation>此项不能设置：它由其他信息得出，或者是一个列表。</translation>
        </message>
        <message>
            <source>Use detected value</source>
            <translation>恢复检测到的值</translation>
        </message>
        <message>
            <source>The value was not accepted</source>
            <translation>未采用该值</translation>
        </message>
        <message>
            <source>Something wrong? Choose a row and correct it here; the advice will use your value.</source>
            <translation>有误？选择一行并在此更正；建议将使用您的值。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HistoryPage</name>
        <message>
            <source>History &amp; compare</source>
            <translation>历史与比较</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) exported to %1</source>
            <translation>
                <numerusform>已将 %n 次运行导出到 %1</numerusform>
            </translation>
        </message>
        <message>
            <source>All runs of %1 were there already.</source>
            <translation>%1 中的所有运行均已存在。</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) imported from %1</source>
            <translation>
                <numerusform>已从 %1 导入 %n 次运行</numerusform>
            </translation>
        </message>
        <message>
            <source>Import…</source>
            <translation>导入…</translation>
        </message>
        <message>
            <source>Export…</source>
            <translation>导出…</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Show results</source>
            <translation>显示结果</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>比较</translation>
        </message>
        <message>
            <source>No runs yet</source>
            <translation>尚无运行</translation>
        </message>
        <message>
            <source>Every run is kept here. Run a benchmark, import a result file, or drop one on this window.</source>
            <translation>每次运行都保存在这里。运行基准测试、导入结果文件，或将文件拖放到此窗口。</translation>
        </message>
        <message>
            <source>Choose what to run</source>
            <translation>选择要运行的内容</translation>
        </message>
        <message>
            <source>Stored runs</source>
            <translation>已保存的运行</translation>
        </message>
        <message>
            <source>Weighs two machines against each other; otherwise other hardware is not comparable.</source>
            <translation>将两台机器相互比较；否则不同硬件视为不可比较。</translation>
        </message>
        <message>
            <source>Close the comparison</source>
            <translation>关闭比较</translation>
        </message>
        <message>
            <source>Comparison case by case</source>
            <translation>逐个用例比较</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in %1</source>
            <translation>
                <numerusform>%1 中有 %n 次运行</numerusform>
            </translation>
        </message>
        <message>
            <source>Select two runs (Ctrl and click, or Shift and arrow keys) to compare them.</source>
            <translation>选择两次运行（Ctrl + 单击，或 Shift + 方向键）进行比较。</translation>
        </message>
        <message>
            <source>Import results</source>
            <translation>导入结果</translation>
        </message>
        <message>
            <source>Results (*.json);;All files (*)</source>
            <translation>结果 (*.json);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Export results</source>
            <translation>导出结果</translation>
        </message>
        <message>
            <source>Results (*.json)</source>
            <translation>结果 (*.json)</translation>
        </message>
        <message>
            <source>Trend</source>
            <translation>趋势</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Delete old runs…</source>
            <translation>删除旧运行…</translation>
        </message>
        <message>
            <source>Allow different hardware</source>
            <translation>允许不同硬件</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>重新运行</translation>
        </message>
        <message>
            <source>This file is a network</source>
            <translation>此文件描述一个网络</translation>
        </message>
        <message>
            <source>%1 describes a network, not results.</source>
            <translation>%1 描述的是网络，而不是结果。</translation>
        </message>
        <message>
            <source>Add it to the networks that can be measured and asked about?</source>
            <translation>要将其添加到可测量和询问的网络中吗？</translation>
        </message>
        <message>
            <source>Add the network</source>
            <translation>添加网络</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Measures the remaining cases of an interrupted run with its original settings.</source>
            <translation>按原先的要求，测量中断的运行中尚缺的部分。</translation>
        </message>
        <message>
            <source>Views of the comparison</source>
            <translation>比较的视图</translation>
        </message>
        <message>
            <source>Chart</source>
            <translation>图表</translation>
        </message>
        <message>
            <source>Figures</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Select one run.</source>
            <translation>请选择一次运行。</translation>
        </message>
        <message>
            <source>Select one run to show, export or delete it, two to compare them. Faster and slower need evidence: a t-test between visits in the same state of the machine, and medians at least 2 % apart. Everything else is no evidence; what cannot be compared says what differs. Double-click a note to write it. Delete old runs keeps the newest ones, or those since a day; it can be undone until the file is compacted in Settings.</source>
            <translation>选择一次运行可查看、导出或删除；选择两次可进行比较。判定更快或更慢需要证据：对机器同一状态下的各轮测量做 t 检验，且中位数相差至少 2 %。其余均为没有证据；无法比较的会说明差异所在。双击备注即可编写。“删除旧运行”保留最新的若干次，或某日以来的运行；在设置中压缩文件之前可以撤销。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::HomePage</name>
        <message>
            <source>This computer</source>
            <translation>这台电脑</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>运行进度</translation>
        </message>
        <message>
            <source>Choose what to run</source>
            <translation>选择要运行的内容</translation>
        </message>
        <message>
            <source>All results</source>
            <translation>全部结果</translation>
        </message>
        <message>
            <source>Detecting hardware…</source>
            <translation>正在检测硬件…</translation>
        </message>
        <message>
            <source>Show the run</source>
            <translation>查看运行</translation>
        </message>
        <message>
            <source>Home tells in one sentence what the last run found. The big button runs the first suite: every network is checked for correct results before it is timed, and every value comes with its 95 % interval. Stop at any time; finished cases are kept.</source>
            <translation>主页用一句话说明上次运行的发现。大按钮运行第一个套件：每个网络在计时前都会检查结果是否正确，每个数值都附有 95 % 区间。可随时停止；已完成的用例会保留。</translation>
        </message>
        <message>
            <source>Checked, then timed</source>
            <translation>先核对，再计时</translation>
        </message>
        <message>
            <source>Every network first proves that it computes correctly on this device.</source>
            <translation>每个网络先证明其在该设备上计算正确。</translation>
        </message>
        <message>
            <source>With an error bar</source>
            <translation>附带误差范围</translation>
        </message>
        <message>
            <source>Every value is a median with its 95 % interval, and all samples are kept.</source>
            <translation>每个数值都是中位数并附 95 % 区间，全部样本均保留。</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>重新运行</translation>
        </message>
        <message>
            <source>Find the best hardware for my job</source>
            <translation>为我的任务找最合适的硬件</translation>
        </message>
        <message>
            <source>Private</source>
            <translation>私密</translation>
        </message>
        <message>
            <source>Your results stay on this computer.</source>
            <translation>结果只保存在本机。</translation>
        </message>
        <message>
            <source>No account and no upload: you decide who sees your results.</source>
            <translation>无需账号，不上传：由您决定谁能看到结果。</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Copy as Markdown</source>
            <translation>复制为 Markdown</translation>
        </message>
        <message>
            <source>Copy as picture</source>
            <translation>复制为图片</translation>
        </message>
        <message>
            <source>Copied as Markdown.</source>
            <translation>已复制为 Markdown。</translation>
        </message>
        <message>
            <source>Copied as a picture.</source>
            <translation>已复制为图片。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LanguageForm</name>
        <message>
            <source>Software</source>
            <translation>软件</translation>
        </message>
        <message>
            <source>As in the file</source>
            <translation>与文件相同</translation>
        </message>
        <message>
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <source>To chat and serve: the fastest with published speeds for the device and the format. To see what fits: llama.cpp, on this computer&apos;s processor this program.</source>
            <translation>对话和提供服务：该设备和格式有已发表速度的软件中最快的。查看能否容纳：llama.cpp；在本机处理器上为本程序。</translation>
        </message>
        <message>
            <source>MLX on Apple devices, otherwise Transformers with PEFT</source>
            <translation>苹果设备上为 MLX，其他设备上为 Transformers 加 PEFT</translation>
        </message>
        <message>
            <source>The model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Type a name</source>
            <translation>输入名称</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>From a file…</source>
            <translation>来自文件…</translation>
        </message>
        <message>
            <source>A config.json of Hugging Face, or a GGUF file; only its header is read.</source>
            <translation>Hugging Face 的 config.json，或 GGUF 文件；只读取其文件头。</translation>
        </message>
        <message>
            <source>Weight format</source>
            <translation>权重格式</translation>
        </message>
        <message>
            <source>Cache in 8 bits</source>
            <translation>8 位缓存</translation>
        </message>
        <message>
            <source>Keys and values of earlier tokens take half the memory.</source>
            <translation>先前词元的键和值只占一半内存。</translation>
        </message>
        <message>
            <source>Load</source>
            <translation>用量</translation>
        </message>
        <message>
            <source>Tokens that go in with each request: in a chat, what was said so far as well</source>
            <translation>每个请求输入的词元：对话中包括此前的内容</translation>
        </message>
        <message>
            <source>Prompt tokens</source>
            <translation>每次提示的词元数</translation>
        </message>
        <message>
            <source>Output tokens</source>
            <translation>每次回答的词元数</translation>
        </message>
        <message>
            <source>Million tokens per month</source>
            <translation>每月百万词元</translation>
        </message>
        <message>
            <source>Lowest tokens/s per user</source>
            <translation>每位用户至少词元/秒</translation>
        </message>
        <message>
            <source>Money</source>
            <translation>费用</translation>
        </message>
        <message>
            <source>Share of the month in which a machine works at most</source>
            <translation>一个月中机器最多工作的时间比例</translation>
        </message>
        <message>
            <source>Highest utilization</source>
            <translation>利用率上限</translation>
        </message>
        <message>
            <source>Years that bought hardware is used</source>
            <translation>所购硬件使用年数</translation>
        </message>
        <message>
            <source>Include spot instances</source>
            <translation>包括竞价实例</translation>
        </message>
        <message>
            <source>not set</source>
            <translation>未设置</translation>
        </message>
        <message>
            <source>A price of your own, per million tokens; both are needed.</source>
            <translation>您自己的价格，按每百万词元计；两项都需要。</translation>
        </message>
        <message>
            <source>Context and batch</source>
            <translation>长度与数量</translation>
        </message>
        <message>
            <source>Context</source>
            <translation>上下文</translation>
        </message>
        <message>
            <source>Sequences at once</source>
            <translation>同时序列数</translation>
        </message>
        <message>
            <source>They hold the layers in turn: more memory, no more speed.</source>
            <translation>各设备依次存放各层：内存更多，速度不变。</translation>
        </message>
        <message>
            <source>Devices together</source>
            <translation>设备台数</translation>
        </message>
        <message>
            <source>Compare all models on</source>
            <translation>比较所有模型的设备</translation>
        </message>
        <message>
            <source>Fine-tuning</source>
            <translation>微调</translation>
        </message>
        <message>
            <source>Method</source>
            <translation>方法</translation>
        </message>
        <message>
            <source>Adapter rank</source>
            <translation>适配器的秩</translation>
        </message>
        <message>
            <source>Sequences times their length</source>
            <translation>序列数乘以长度</translation>
        </message>
        <message>
            <source>Tokens per step</source>
            <translation>每步词元数</translation>
        </message>
        <message>
            <source>Recompute activations</source>
            <translation>重新计算激活值</translation>
        </message>
        <message>
            <source>Gradient checkpointing: less memory, about a third more work</source>
            <translation>梯度检查点：内存更少，计算量约多三分之一</translation>
        </message>
        <message>
            <source>Context: %1 tokens</source>
            <translation>上下文：%1 词元</translation>
        </message>
        <message>
            <source>Data set (million tokens)</source>
            <translation>数据集的百万词元数</translation>
        </message>
        <message>
            <source>Epochs</source>
            <translation>轮数</translation>
        </message>
        <message>
            <source>Sequence length</source>
            <translation>序列长度</translation>
        </message>
        <message>
            <source>In tokens, at most those of a step</source>
            <translation>以词元计，最多为一步的词元数</translation>
        </message>
        <message>
            <source>Your API: %1 per million in</source>
            <translation>您的 API：每百万输入 %1</translation>
        </message>
        <message>
            <source>Your API: %1 per million out</source>
            <translation>您的 API：每百万输出 %1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LanguageView</name>
        <message>
            <source>Open a language model</source>
            <translation>打开语言模型</translation>
        </message>
        <message>
            <source>Language models (config.json *.gguf *.json);;All files (*)</source>
            <translation>语言模型 (config.json *.gguf *.json);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Loading devices and offers…</source>
            <translation>正在查看设备和报价…</translation>
        </message>
        <message>
            <source>Result views</source>
            <translation>答案的各视图</translation>
        </message>
        <message>
            <source>Search</source>
            <translation>搜索</translation>
        </message>
        <message>
            <source>Offers, devices or models</source>
            <translation>报价、设备或模型</translation>
        </message>
        <message>
            <source>Choices</source>
            <translation>选择</translation>
        </message>
        <message>
            <source>All offers</source>
            <translation>所有报价</translation>
        </message>
        <message>
            <source>Cost by load</source>
            <translation>费用随负载</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Devices for this model</source>
            <translation>适合此模型的设备</translation>
        </message>
        <message>
            <source>Models on one device</source>
            <translation>一个设备上的模型</translation>
        </message>
        <message>
            <source>Hide offers outside my limits</source>
            <translation>隐藏超出限制的报价</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::LiveSamplesView</name>
        <message>
            <source>Samples of the running case</source>
            <translation>正在进行的用例的样本</translation>
        </message>
        <message numerus="yes">
            <source>%n sample(s), median %1</source>
            <translation>
                <numerusform>%n 个样本，中位数 %1</numerusform>
            </translation>
        </message>
        <message>
            <source>, 95 % interval %1 to %2</source>
            <translation>，95 % 区间 %1 至 %2</translation>
        </message>
        <message>
            <source>Time per step (%1)</source>
            <translation>每步时间（%1）</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::MainWindow</name>
        <message>
            <source>Stored runs</source>
            <translation>已保存的运行</translation>
        </message>
        <message>
            <source>Hardware</source>
            <translation>硬件</translation>
        </message>
        <message>
            <source>Home</source>
            <translation>主页</translation>
        </message>
        <message>
            <source>There is nothing to export on this page yet.</source>
            <translation>此页面暂无可导出的内容。</translation>
        </message>
        <message>
            <source>Running %1 of %2</source>
            <translation>正在运行 %1 / %2</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在启动…</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) deleted</source>
            <translation>
                <numerusform>已删除 %n 次运行</numerusform>
            </translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>撤消</translation>
        </message>
        <message>
            <source>Stop the run and close the window?</source>
            <translation>停止运行并关闭窗口？</translation>
        </message>
        <message>
            <source>Stop and close</source>
            <translation>停止并关闭</translation>
        </message>
        <message>
            <source>Keep running</source>
            <translation>继续运行</translation>
        </message>
        <message>
            <source>Advice</source>
            <translation>建议</translation>
        </message>
        <message>
            <source>Stop the run?</source>
            <translation>停止运行？</translation>
        </message>
        <message>
            <source>Stop the run after %1?</source>
            <translation>运行已进行 %1，要停止吗？</translation>
        </message>
        <message>
            <source>Finished cases are kept; the running case is lost.</source>
            <translation>已完成的用例会保留；正在运行的用例会丢失。</translation>
        </message>
        <message>
            <source>Stop the run</source>
            <translation>停止运行</translation>
        </message>
        <message>
            <source>A run is in progress</source>
            <translation>正在运行</translation>
        </message>
        <message>
            <source>The network was added. It is on the pages Benchmark and Cost &amp; advice.</source>
            <translation>已添加网络，见“基准测试”和“费用与建议”页。</translation>
        </message>
        <message>
            <source>Add a network</source>
            <translation>添加网络</translation>
        </message>
        <message>
            <source>Your networks</source>
            <translation>您的网络</translation>
        </message>
        <message>
            <source>Networks (*.onnx *.json);;All files (*)</source>
            <translation>网络 (*.onnx *.json);;所有文件 (*)</translation>
        </message>
        <message>
            <source>%1 was removed from the list. Its file stays.</source>
            <translation>已将 %1 从列表中移除，文件保留。</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>Ctrl+1 to Ctrl+9 and Ctrl+0 open the pages, Ctrl+R starts a run, Ctrl+. stops it (on the Benchmark page Esc does, too), Ctrl+E exports, Ctrl+Z brings deleted runs back, F1 shows this help. Tab moves to the next control. In a chart the arrow keys move from point to point and Enter shows the case.</source>
            <translation>Ctrl+1 至 Ctrl+9 和 Ctrl+0 打开各页面，Ctrl+R 开始运行，Ctrl+. 停止运行（在基准测试页面上 Esc 也可以），Ctrl+E 导出，Ctrl+Z 恢复已删除的运行，F1 显示本帮助。Tab 移到下一个控件。在图表中，方向键在各点之间移动，Enter 显示该用例。</translation>
        </message>
        <message>
            <source>Campaign %1: %2.</source>
            <translation>测量计划 %1：%2。</translation>
        </message>
        <message>
            <source>See campaign</source>
            <translation>查看测量计划</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::Navigation</name>
        <message>
            <source>Pages</source>
            <translation>页面</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>运行进度</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::NetworkDialog</name>
        <message>
            <source>Add a network</source>
            <translation>添加网络</translation>
        </message>
        <message>
            <source>Reading the file…</source>
            <translation>正在读取文件…</translation>
        </message>
        <message>
            <source>Take the part before it</source>
            <translation>改用该节点之前的部分</translation>
        </message>
        <message>
            <source>Name in the list</source>
            <translation>列表中的名称</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Add</source>
            <translation>添加</translation>
        </message>
        <message>
            <source>not set</source>
            <translation>未设置</translation>
        </message>
        <message>
            <source>The file stays where it is. The list keeps its path and recognises it by its structure.</source>
            <translation>文件留在原处。列表记住其路径，并按其结构识别。</translation>
        </message>
        <message>
            <source>A copy of the file is kept.</source>
            <translation>将保留一份文件副本。</translation>
        </message>
        <message>
            <source>Shape of %1</source>
            <translation>%1 的形状</translation>
        </message>
        <message>
            <source>Value of %1</source>
            <translation>%1 的值</translation>
        </message>
        <message>
            <source>set here if it decides sizes</source>
            <translation>若它决定尺寸，请在此设置</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::NoticeBar</name>
        <message>
            <source>Close this message</source>
            <translation>关闭此消息</translation>
        </message>
        <message numerus="yes">
            <source>%n more below</source>
            <translation>
                <numerusform>另有 %n 条</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::Page</name>
        <message>
            <source>Exported to %1</source>
            <translation>已导出到 %1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::PriceView</name>
        <message>
            <source>All prices with date and source</source>
            <translation>所有价格及其日期和来源</translation>
        </message>
        <message>
            <source>Choose a row to set its price</source>
            <translation>选择一行以设置其价格</translation>
        </message>
        <message>
            <source>Price per hour</source>
            <translation>每小时价格</translation>
        </message>
        <message>
            <source>Where does the price come from?</source>
            <translation>来自哪里？</translation>
        </message>
        <message>
            <source>Source of the price</source>
            <translation>价格来源</translation>
        </message>
        <message>
            <source>Use this price</source>
            <translation>使用此价格</translation>
        </message>
        <message>
            <source>Import price list…</source>
            <translation>导入价目表…</translation>
        </message>
        <message>
            <source>A vms.csv of the SkyPilot catalogue</source>
            <translation>SkyPilot 目录中的 vms.csv</translation>
        </message>
        <message>
            <source>Import a price list</source>
            <translation>导入价目表</translation>
        </message>
        <message>
            <source>SkyPilot catalogues (vms.csv)</source>
            <translation>SkyPilot 目录 (vms.csv)</translation>
        </message>
        <message>
            <source>Search machines, regions and sources</source>
            <translation>搜索机器、区域和来源</translation>
        </message>
        <message>
            <source>Open the source</source>
            <translation>打开来源</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::PruneDialog</name>
        <message>
            <source>Delete old runs</source>
            <translation>删除旧运行</translation>
        </message>
        <message>
            <source>Keep the newest runs:</source>
            <translation>保留最新的运行（次）：</translation>
        </message>
        <message>
            <source>Keep all runs from this day on:</source>
            <translation>保留自此日起的所有运行：</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Runs with a note and runs in progress are always kept. Undo restores deleted runs until the window is closed.</source>
            <translation>有备注的运行和正在进行的运行始终保留。在窗口关闭之前，可用“撤消”恢复已删除的运行。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::PurchaseView</name>
        <message>
            <source>Card to buy</source>
            <translation>要买的显卡</translation>
        </message>
        <message>
            <source>Rest of the PC</source>
            <translation>电脑其余部件</translation>
        </message>
        <message>
            <source>PC power without GPU</source>
            <translation>不含 GPU 的整机功率</translation>
        </message>
        <message>
            <source>Electricity price per kWh</source>
            <translation>每千瓦时电价</translation>
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
            <translation>%1 的价格，来源 %2</translation>
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
            <translation>报告</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Other formats</source>
            <translation>其他格式</translation>
        </message>
        <message>
            <source>Web page (HTML)…</source>
            <translation>网页 (HTML)…</translation>
        </message>
        <message>
            <source>Text (Markdown)…</source>
            <translation>文本 (Markdown)…</translation>
        </message>
        <message>
            <source>Table (CSV)…</source>
            <translation>表格 (CSV)…</translation>
        </message>
        <message>
            <source>Data (JSON)…</source>
            <translation>数据 (JSON)…</translation>
        </message>
        <message>
            <source>All, with the charts, as a folder…</source>
            <translation>全部格式及图表，存为文件夹…</translation>
        </message>
        <message>
            <source>Save as PDF…</source>
            <translation>保存为 PDF…</translation>
        </message>
        <message>
            <source>With the recommendation of Cost &amp;&amp; advice</source>
            <translation>包含“费用与建议”的建议</translation>
        </message>
        <message>
            <source>With the recommendation of Cost &amp; advice</source>
            <translation>包含“费用与建议”的建议</translation>
        </message>
        <message>
            <source>With all raw samples</source>
            <translation>包含全部原始样本</translation>
        </message>
        <message>
            <source>Nothing to report yet</source>
            <translation>还没有可报告的内容</translation>
        </message>
        <message>
            <source>Run a benchmark, or ask for a recommendation on the page Cost &amp; advice.</source>
            <translation>请运行基准测试，或在“费用与建议”页面获取建议。</translation>
        </message>
        <message>
            <source>Preview of the report</source>
            <translation>报告预览</translation>
        </message>
        <message>
            <source>Save the report</source>
            <translation>保存报告</translation>
        </message>
        <message>
            <source>Reports (*.%1)</source>
            <comment>a file name pattern</comment>
            <translation>报告 (*.%1)</translation>
        </message>
        <message>
            <source>Saved as %1</source>
            <translation>已保存为 %1</translation>
        </message>
        <message>
            <source>Save the report with its charts in a folder</source>
            <translation>将报告及图表保存到文件夹</translation>
        </message>
        <message>
            <source>Folders (*)</source>
            <translation>文件夹 (*)</translation>
        </message>
        <message>
            <source>Saved in the folder %1</source>
            <translation>已保存到文件夹 %1</translation>
        </message>
        <message>
            <source>The report holds what was measured, what is recommended and why, the charts, how it was measured, and the prices with their dates. It is shown here as it will be printed, in the language of the window. The recommendation is the answer on the page Cost &amp; advice as it stands there.</source>
            <translation>报告包含测量结果、建议及理由、图表、测量方法以及带日期的价格。这里显示的就是打印出来的样子，使用窗口的语言。建议就是“费用与建议”页面上当前的答案。</translation>
        </message>
        <message>
            <source>Writing the report…</source>
            <translation>正在写入报告…</translation>
        </message>
        <message>
            <source>Progress of writing the report</source>
            <translation>报告写入进度</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>The report was not saved: it was cancelled.</source>
            <translation>报告未保存：已取消。</translation>
        </message>
        <message>
            <source>The report could not be saved</source>
            <translation>报告未保存</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::ResultsPage</name>
        <message numerus="yes">
            <source>%n case(s)</source>
            <translation>
                <numerusform>%n 个用例</numerusform>
            </translation>
        </message>
        <message>
            <source>Results</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>No results yet</source>
            <translation>尚无结果</translation>
        </message>
        <message>
            <source>Run a benchmark on this computer, or import a result file on the page History &amp; compare.</source>
            <translation>在这台电脑上运行基准测试，或在“历史与比较”页导入结果文件。</translation>
        </message>
        <message>
            <source>Choose what to run</source>
            <translation>选择要运行的内容</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Unit</source>
            <translation>单位</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>导出</translation>
        </message>
        <message>
            <source>Chart as image (PNG)…</source>
            <translation>图表存为图像 (PNG)…</translation>
        </message>
        <message>
            <source>Chart as drawing (SVG)…</source>
            <translation>图表存为矢量图 (SVG)…</translation>
        </message>
        <message>
            <source>Chart as page (PDF)…</source>
            <translation>图表存为页面 (PDF)…</translation>
        </message>
        <message>
            <source>Data as table (CSV)…</source>
            <translation>数据存为表格 (CSV)…</translation>
        </message>
        <message>
            <source>Views of the run</source>
            <translation>运行的视图</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Batch sweep</source>
            <translation>批次扫描</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>All figures</source>
            <translation>全部数据</translation>
        </message>
        <message>
            <source>All figures of the run</source>
            <translation>本次运行的全部数据</translation>
        </message>
        <message>
            <source>Close the details</source>
            <translation>关闭详情</translation>
        </message>
        <message>
            <source>Details of the case</source>
            <translation>用例详情</translation>
        </message>
        <message>
            <source>Case</source>
            <translation>用例</translation>
        </message>
        <message>
            <source>Each mark is the median of one case; the line through it is its 95 % interval. Cases without a result are dashes that tell why on hover. Click a mark for everything known about the case. Values far apart are drawn on a logarithmic axis. The table button above a chart shows the same data as rows.</source>
            <translation>每个标记是一个用例的中位数；穿过它的线是 95 % 区间。没有结果的用例显示为短横线，悬停可查看原因。单击标记可查看该用例的全部信息。相差悬殊的数值绘制在对数轴上。图表上方的表格按钮以行的形式显示相同的数据。</translation>
        </message>
        <message>
            <source>Roofline</source>
            <translation>屋顶线</translation>
        </message>
        <message>
            <source>GPUs</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>重新运行</translation>
        </message>
        <message>
            <source>Measure again</source>
            <translation>重新测量</translation>
        </message>
        <message>
            <source>Measures this case in a run of its own. Close other programs first.</source>
            <translation>将该案例作为单独的一次运行测量。请先关闭其他程序。</translation>
        </message>
        <message>
            <source>Other devices</source>
            <translation>其他设备</translation>
        </message>
        <message>
            <source>Copy as Markdown</source>
            <translation>复制为 Markdown</translation>
        </message>
        <message>
            <source>Copy as picture</source>
            <translation>复制为图片</translation>
        </message>
        <message>
            <source>Copied as Markdown.</source>
            <translation>已复制为 Markdown。</translation>
        </message>
        <message>
            <source>Copied as a picture.</source>
            <translation>已复制为图片。</translation>
        </message>
        <message>
            <source>No case of this run has finished</source>
            <translation>此次运行没有完成任何用例</translation>
        </message>
        <message>
            <source>The run is in progress. Its cases appear here when they are measured.</source>
            <translation>运行正在进行。测量完成的用例会显示在这里。</translation>
        </message>
        <message>
            <source>It has no results that could be shown.</source>
            <translation>没有可显示的结果。</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Measures the remaining cases of an interrupted run with its original settings.</source>
            <translation>按原先的要求，测量中断的运行中尚缺的部分。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunController</name>
        <message>
            <source>Skipped a line longer than %1 MiB.</source>
            <translation>跳过了一行超过 %1 MiB 的内容。</translation>
        </message>
        <message>
            <source>Skipped a line that is not an event: %1</source>
            <translation>跳过了一行非事件内容：%1</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunNotices</name>
        <message>
            <source>The run could not be stored. All of it is in %1.</source>
            <translation>这次运行未能存入记录。全部结果在 %1 中。</translation>
        </message>
        <message>
            <source>Import it</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>The stored runs were moved or deleted: %1 is a new, empty file.</source>
            <translation>已保存的运行被移动或删除：%1 是一个新的空文件。</translation>
        </message>
        <message>
            <source>%1 Finished cases are kept.</source>
            <translation>%1 已完成的用例会保留。</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message numerus="yes">
            <source>The last run was interrupted after %1 of %n case(s).</source>
            <translation>
                <numerusform>上次运行在完成 %1 个用例（共 %n 个）后中断。</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 The run continues; when it ends, all of it is written to a separate file.</source>
            <translation>%1 运行会继续；结束时，全部结果会另存为一个文件。</translation>
        </message>
        <message numerus="yes">
            <source>Benchmark stopped: %1 of %n case(s).</source>
            <translation>
                <numerusform>基准测试已停止：完成 %1/%n 个用例。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Benchmark finished: %1 of %n case(s).</source>
            <translation>
                <numerusform>基准测试完成：%1/%n 个用例。</numerusform>
            </translation>
        </message>
        <message>
            <source>See results</source>
            <translation>查看结果</translation>
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
            <translation>请至少选择一种扩展方式。</translation>
        </message>
        <message>
            <source>What to run</source>
            <translation>运行内容</translation>
        </message>
        <message>
            <source>Suite</source>
            <translation>套件</translation>
        </message>
        <message>
            <source>Search workloads</source>
            <translation>搜索工作负载</translation>
        </message>
        <message>
            <source>Show only runnable</source>
            <translation>仅显示可运行的</translation>
        </message>
        <message>
            <source>Workloads</source>
            <translation>工作负载</translation>
        </message>
        <message>
            <source>How</source>
            <translation>运行方式</translation>
        </message>
        <message>
            <source>Modes</source>
            <translation>模式</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Samples per step. Several numbers, separated by commas, make a sweep.</source>
            <translation>每步的样本数。用逗号分隔多个数字即可进行扫描。</translation>
        </message>
        <message>
            <source>CPU threads. Several numbers, separated by commas, show how it scales.</source>
            <translation>CPU 线程数。用逗号分隔多个数字即可查看扩展性。</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source> s</source>
            <translation> 秒</translation>
        </message>
        <message>
            <source>Longest sampling time per case.</source>
            <translation>单个用例采样的最长时间。</translation>
        </message>
        <message>
            <source>Time cap</source>
            <translation>时间上限</translation>
        </message>
        <message>
            <source>Sample until the 95 % interval of the median is that narrow.</source>
            <translation>采样直到中位数的 95 % 区间达到此宽度。</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message numerus="yes">
            <source>%1 (%n case(s))</source>
            <translation>
                <numerusform>%1（%n 个用例）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>all %n core(s)</source>
            <translation>
                <numerusform>全部 %n 个核心</numerusform>
            </translation>
        </message>
        <message>
            <source>Checking what can run here…</source>
            <translation>正在查看此处可运行的内容…</translation>
        </message>
        <message>
            <source>Choose a suite, or check at least one workload.</source>
            <translation>请选择套件，或至少勾选一个工作负载。</translation>
        </message>
        <message>
            <source>Choose training, inference or both.</source>
            <translation>请选择训练、推理或两者。</translation>
        </message>
        <message>
            <source>Choose at least one device.</source>
            <translation>请至少选择一个设备。</translation>
        </message>
        <message>
            <source>Choose at least one precision.</source>
            <translation>请至少选择一种精度。</translation>
        </message>
        <message numerus="yes">
            <source>Run %n case(s)</source>
            <translation>
                <numerusform>运行 %n 个用例</numerusform>
            </translation>
        </message>
        <message>
            <source>About %1. You can stop at any time; finished cases are kept.</source>
            <translation>约 %1。可随时停止；已完成的用例会保留。</translation>
        </message>
        <message>
            <source>None of the chosen cases can run here.</source>
            <translation>所选用例均无法在此运行。</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Choose the folder with the data sets in Settings first.</source>
            <translation>请先在“设置”中选择数据集所在的文件夹。</translation>
        </message>
        <message>
            <source>Times the step, the input pipeline, and both together, with the files of %1</source>
            <translation>用 %1 中的文件对训练步、输入管线以及两者一起计时</translation>
        </message>
        <message>
            <source>default</source>
            <translation>默认</translation>
        </message>
        <message>
            <source>use real data</source>
            <translation>使用真实数据</translation>
        </message>
        <message>
            <source>±1 % (default ±2 %)</source>
            <translation>±1 %（默认 ±2 %）</translation>
        </message>
        <message>
            <source>Precision target</source>
            <translation>精度目标</translation>
        </message>
        <message>
            <source>The duration is unknown. You can stop at any time.</source>
            <translation>所需时间未知。可随时停止。</translation>
        </message>
        <message>
            <source>Add a network…</source>
            <translation>添加网络…</translation>
        </message>
        <message>
            <source>Add an ONNX file, or a network described in JSON; files can also be dropped on the window.</source>
            <translation>添加 ONNX 文件，或用 JSON 描述的网络；也可将文件拖到窗口上。</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Remove the selected network from the list. Its file stays.</source>
            <translation>将所选网络从列表中移除，文件保留。</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>从列表中移除</translation>
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
            <translation>查看结果</translation>
        </message>
        <message>
            <source>New run</source>
            <translation>新的运行</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>运行进度</translation>
        </message>
        <message>
            <source>CPU load</source>
            <translation>CPU 负载</translation>
        </message>
        <message>
            <source>Clock</source>
            <translation>频率</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>GPU load</source>
            <translation>GPU 负载</translation>
        </message>
        <message>
            <source>Stopping…</source>
            <translation>正在停止…</translation>
        </message>
        <message>
            <source>Hide counters</source>
            <translation>隐藏计数器</translation>
        </message>
        <message>
            <source>Show counters</source>
            <translation>显示计数器</translation>
        </message>
        <message>
            <source>Case %1 of %2</source>
            <translation>用例 %1 / %2</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在启动…</translation>
        </message>
        <message>
            <source>Preparing the next case</source>
            <translation>正在准备下一个用例</translation>
        </message>
        <message>
            <source>%1 so far, about %2 to go</source>
            <translation>已用 %1，约剩 %2</translation>
        </message>
        <message>
            <source>%1 so far</source>
            <translation>已用 %1</translation>
        </message>
        <message>
            <source>n = %1, median within ±%2</source>
            <translation>n = %1，中位数 ±%2 以内</translation>
        </message>
        <message>
            <source>%1…</source>
            <translation>%1…</translation>
        </message>
        <message>
            <source>Waiting for the first sample…</source>
            <translation>正在等待第一个样本…</translation>
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
            <translation>这次运行的全部结果在 %1 中。可在“历史与比较”页面导入，或在终端中运行：steelyard-cli history import %1</translation>
        </message>
        <message>
            <source>Stop the run (Esc here, Ctrl+. on every page). Finished cases are kept.</source>
            <translation>停止运行（本页按 Esc，任何页面按 Ctrl+.）。已完成的用例会保留。</translation>
        </message>
        <message>
            <source>The run failed</source>
            <translation>运行失败</translation>
        </message>
        <message>
            <source>Benchmark finished</source>
            <translation>基准测试完成</translation>
        </message>
        <message>
            <source>Run stopped</source>
            <translation>运行已停止</translation>
        </message>
        <message numerus="yes">
            <source>Benchmark finished: %1 of %n case(s) in %2.</source>
            <translation>
                <numerusform>基准测试完成：%1/%n 个用例，用时 %2。</numerusform>
            </translation>
        </message>
        <message>
            <source>Stopped after %1; no case finished.</source>
            <translation>%1 后停止；没有完成的用例。</translation>
        </message>
        <message numerus="yes">
            <source>Stopped after %1; %2 of %n case(s) finished.</source>
            <translation>
                <numerusform>%1 后停止；完成 %2/%n 个用例。</numerusform>
            </translation>
        </message>
        <message>
            <source>Case %1 of %2, visit %3 of %4</source>
            <translation>案例 %1 / %2，第 %3 轮（共 %4 轮）</translation>
        </message>
        <message>
            <source>Cases: finished, running, queued</source>
            <translation>用例：已完成、运行中、排队中</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Measures the remaining cases of an interrupted run with its original settings.</source>
            <translation>按原先的要求，测量中断的运行中尚缺的部分。</translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::RunsModel</name>
        <message numerus="yes">
            <source>%n without result</source>
            <translation>
                <numerusform>%n 个没有结果</numerusform>
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
            <translation>双击以编写备注。</translation>
        </message>
        <message>
            <source>Run %1, program %2, suite version %3</source>
            <translation>运行 %1，程序 %2，套件版本 %3</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>开始时间</translation>
        </message>
        <message>
            <source>Computer</source>
            <translation>电脑</translation>
        </message>
        <message>
            <source>Suite</source>
            <translation>套件</translation>
        </message>
        <message>
            <source>Cases</source>
            <translation>用例</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Origin</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>备注</translation>
        </message>
        <message>
            <source>in progress</source>
            <translation>进行中</translation>
        </message>
        <message>
            <source>stopped by you</source>
            <translation>由您停止</translation>
        </message>
        <message numerus="yes">
            <source>stopped by you after %1 of %n case(s)</source>
            <translation>
                <numerusform>由您停止：完成 %1 个用例（共 %n 个）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>interrupted after %1 of %n case(s)</source>
            <translation>
                <numerusform>已中断：完成 %1 个用例（共 %n 个）</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n disturbed</source>
            <translation>
                <numerusform>%n 个受干扰</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>You stopped this run after %1 of %n case(s).</source>
            <translation>
                <numerusform>您在完成 %1 个用例（共 %n 个）后停止了此次运行。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>This run was interrupted after %1 of %n case(s).</source>
            <translation>
                <numerusform>此次运行在完成 %1 个用例（共 %n 个）后中断。</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>steelyard::ui::SettingsPage</name>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Reset to defaults</source>
            <translation>恢复默认值</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Measuring</source>
            <translation>测量</translation>
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
            <translation>单个用例的时间上限</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>Use the default file</source>
            <translation>使用默认文件</translation>
        </message>
        <message>
            <source>File for the results</source>
            <translation>结果文件</translation>
        </message>
        <message>
            <source>Databases (*.sqlite)</source>
            <translation>数据库 (*.sqlite)</translation>
        </message>
        <message>
            <source>Reset settings</source>
            <translation>重置设置</translation>
        </message>
        <message>
            <source>Set everything on this page back to its default?</source>
            <translation>将此页面的所有设置恢复为默认值？</translation>
        </message>
        <message>
            <source>Stored runs are not touched.</source>
            <translation>已保存的运行不受影响。</translation>
        </message>
        <message>
            <source>Reset</source>
            <translation>重置</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>Every change takes effect at once and is remembered. The measuring options are those of the next run.</source>
            <translation>每项更改立即生效并被记住。测量选项用于下一次运行。</translation>
        </message>
        <message>
            <source>Costs</source>
            <translation>费用</translation>
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
            <translation>一个</translation>
        </message>
        <message>
            <source>Of a case on the CPU, where the Benchmark page names no number</source>
            <translation>用于 CPU 上的用例，当“基准测试”页未指定数目时</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source> days</source>
            <translation> 天</translation>
        </message>
        <message>
            <source>Mark prices older than</source>
            <translation>标记早于此时间的价格</translation>
        </message>
        <message>
            <source>Files</source>
            <translation>文件</translation>
        </message>
        <message>
            <source>Data sets for runs with real data: a folder with the files of MNIST, CIFAR-10 and others.</source>
            <translation>使用真实数据运行时的数据集：包含 MNIST、CIFAR-10 等文件的文件夹。</translation>
        </message>
        <message>
            <source>Choose folder…</source>
            <translation>选择文件夹…</translation>
        </message>
        <message>
            <source>Folder with the data sets</source>
            <translation>数据集所在的文件夹</translation>
        </message>
        <message>
            <source>Compacting…</source>
            <translation>正在释放空间…</translation>
        </message>
        <message>
            <source>The file was not compacted.</source>
            <translation>没有释放任何空间。</translation>
        </message>
        <message>
            <source>Appearance</source>
            <translation>外观</translation>
        </message>
        <message>
            <source>System default</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>Precision target: ±1 % (default ±2 %)</source>
            <translation>精度目标：±1 %（默认 ±2 %）</translation>
        </message>
        <message>
            <source>default</source>
            <translation>默认</translation>
        </message>
        <message>
            <source>Electricity price per kWh</source>
            <translation>每千瓦时电价</translation>
        </message>
        <message>
            <source>All runs are kept in one file. Choose another file to keep runs separate or on a shared drive.</source>
            <translation>所有运行保存在一个文件中。可另选文件，将运行分开保存或放在共享磁盘上。</translation>
        </message>
        <message>
            <source>Compact file</source>
            <translation>压缩文件</translation>
        </message>
        <message>
            <source>Your results stay on this computer. The program opens no network connection; you decide who sees them.</source>
            <translation>结果只保存在本机。程序不建立任何网络连接；由您决定谁能看到结果。</translation>
        </message>
        <message>
            <source>Use synthetic data</source>
            <translation>使用合成数据</translation>
        </message>
        <message>
            <source>none: synthetic data</source>
            <translation>未选择：使用合成数据</translation>
        </message>
        <message>
            <source>Shrinks the file to its content; deleted runs can no longer be restored.</source>
            <translation>将文件缩小到其内容所需的大小；之后无法再恢复已删除的运行。</translation>
        </message>
        <message>
            <source>About</source>
            <translation>关于</translation>
        </message>
        <message>
            <source>Steelyard %1, Apache License 2.0</source>
            <translation>Steelyard %1，Apache 许可证 2.0</translation>
        </message>
        <message>
            <source>With Qt %1 (LGPL 3), oneDNN, OpenBLAS, hwloc and SQLite, each under its own licence.</source>
            <translation>使用 Qt %1（LGPL 3）、oneDNN、OpenBLAS、hwloc 和 SQLite，各依其自身许可证。</translation>
        </message>
        <message>
            <source>US dollar</source>
            <translation>美元</translation>
        </message>
        <message>
            <source>Euro</source>
            <translation>欧元</translation>
        </message>
        <message>
            <source>Chinese yuan</source>
            <translation>人民币</translation>
        </message>
        <message>
            <source>New Taiwan dollar</source>
            <translation>新台币</translation>
        </message>
        <message>
            <source>Pound sterling</source>
            <translation>英镑</translation>
        </message>
        <message>
            <source>Currency</source>
            <translation>货币</translation>
        </message>
        <message>
            <source>enter a rate</source>
            <translation>请输入汇率</translation>
        </message>
        <message>
            <source>1 US dollar =</source>
            <translation>1 美元 =</translation>
        </message>
        <message>
            <source>Where is it from?</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>Source of the rate</source>
            <translation>汇率来源</translation>
        </message>
        <message>
            <source>entered by you</source>
            <translation>由您输入</translation>
        </message>
        <message>
            <source>Rate of %1. Prices are collected in US dollars and converted; this program does not go online, so enter a current rate from time to time.</source>
            <translation>%1 的汇率。价格以美元收集后换算；本程序不联网，请不时输入最新汇率。</translation>
        </message>
        <message>
            <source>Enter an exchange rate: this program does not go online. Until then amounts are in US dollars.</source>
            <translation>请输入汇率：本程序不联网。在此之前金额以美元显示。</translation>
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
            <translation>打开表格…</translation>
        </message>
        <message>
            <source>A CSV file with the columns workload, platform, variant, epoch_seconds, price_usd_per_hour</source>
            <translation>含有 workload、platform、variant、epoch_seconds、price_usd_per_hour 各列的 CSV 文件</translation>
        </message>
        <message>
            <source>Open a study</source>
            <translation>打开研究</translation>
        </message>
        <message>
            <source>Tables (*.csv)</source>
            <translation>表格 (*.csv)</translation>
        </message>
        <message>
            <source>money first</source>
            <translation>省钱优先</translation>
        </message>
        <message>
            <source>time first</source>
            <translation>省时优先</translation>
        </message>
        <message>
            <source>Compared with</source>
            <translation>比较对象</translation>
        </message>
        <message>
            <source>Workload of the chart</source>
            <translation>图表的工作负载</translation>
        </message>
        <message>
            <source>What if a platform cost more, or less?</source>
            <translation>如果某个平台更贵或更便宜呢？</translation>
        </message>
        <message>
            <source>Views of the study</source>
            <translation>研究的视图</translation>
        </message>
        <message>
            <source>Winners</source>
            <translation>胜者</translation>
        </message>
        <message>
            <source>Relative time</source>
            <translation>相对时间</translation>
        </message>
        <message>
            <source>Relative cost</source>
            <translation>相对费用</translation>
        </message>
        <message>
            <source>Time against cost</source>
            <translation>时间与费用</translation>
        </message>
        <message>
            <source>Variants</source>
            <translation>变体</translation>
        </message>
        <message>
            <source>All figures</source>
            <translation>全部数据</translation>
        </message>
        <message>
            <source>Winners per workload</source>
            <translation>各工作负载的胜者</translation>
        </message>
        <message>
            <source>Effect of the variants</source>
            <translation>变体的效果</translation>
        </message>
        <message>
            <source>All figures of the study</source>
            <translation>研究的全部数据</translation>
        </message>
        <message>
            <source>Price of %1 times</source>
            <translation>%1 的价格倍数</translation>
        </message>
        <message>
            <source>A study is a table of times and prices that somebody published. The slider says how much time counts against money: at 0 only money, at 1 both alike. The factors change the prices of a platform, to see when the answer changes. Relative figures are against the configuration chosen as baseline; the line at 1 is the baseline itself. Open a table of your own, or drop it on this window.</source>
            <translation>研究是他人公布的时间与价格的表格。滑块表示时间相对于金钱有多重要：为 0 时只看钱，为 1 时两者同等。倍数可改变某个平台的价格，以观察答案何时改变。相对值以所选的基准配置为参照；1 处的线就是基准本身。可以打开您自己的表格，或将其拖放到此窗口。</translation>
        </message>
        <message>
            <source>Priorities</source>
            <translation>优先级</translation>
        </message>
        <message>
            <source>Money matters ↔ time matters</source>
            <translation>省钱 ↔ 省时</translation>
        </message>
        <message>
            <source>Price multipliers</source>
            <translation>价格倍数</translation>
        </message>
        <message>
            <source>Money matters ↔ time matters (weight %1)</source>
            <translation>省钱 ↔ 省时（权重 %1）</translation>
        </message>
        <message>
            <source>The table could not be opened</source>
            <translation>表格未打开</translation>
        </message>
        <message>
            <source>The table cannot be evaluated</source>
            <translation>无法权衡此表格</translation>
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
            <translation>NUMA 节点 %1</translation>
        </message>
        <message>
            <source>Processor layout</source>
            <translation>处理器布局</translation>
        </message>
        <message numerus="yes">
            <source>%n core(s), %1 of them allowed</source>
            <translation>
                <numerusform>%n 个核心，其中 %1 个允许使用</numerusform>
            </translation>
        </message>
        <message>
            <source>The topology of the processor is not available.</source>
            <translation>系统未提供处理器的构造信息。</translation>
        </message>
        <message>
            <source>not allowed</source>
            <translation>不允许</translation>
        </message>
        <message numerus="yes">
            <source>Core %1: %2 of %n thread(s) allowed</source>
            <translation>
                <numerusform>核心 %1：%n 个线程中 %2 个允许使用</numerusform>
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
            <translation>用例</translation>
        </message>
        <message>
            <source>Close the trend</source>
            <translation>关闭趋势</translation>
        </message>
        <message>
            <source>This run has no result.</source>
            <translation>此运行没有结果。</translation>
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
            <translation>一步中一起计算的样本。较大的批次能更好地利用设备，但需要更多内存。</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>One pass over a batch: in training forward, backward and update; in inference forward only.</source>
            <translation>对一个批次的一次处理：训练时包括前向、反向和更新；推理时只有前向。</translation>
        </message>
        <message>
            <source>Epoch</source>
            <translation>轮</translation>
        </message>
        <message>
            <source>One pass over all samples of a data set.</source>
            <translation>对数据集全部样本的一次遍历。</translation>
        </message>
        <message>
            <source>fp32, tf32, bf16, fp16</source>
            <translation>fp32、tf32、bf16、fp16</translation>
        </message>
        <message>
            <source>Number formats. The shorter ones are faster on devices with units for them and take half the memory; tf32 is fp32 with fewer digits in products. Training with fp16 keeps a copy of the weights in fp32 (mixed precision).</source>
            <translation>数值格式。较短的格式在具备相应单元的设备上更快，并只占一半内存；tf32 是乘法位数较少的 fp32。以 fp16 训练时保留一份 fp32 权重（混合精度）。</translation>
        </message>
        <message>
            <source>Median and 95 % interval</source>
            <translation>中位数与 95 % 区间</translation>
        </message>
        <message>
            <source>Half of the samples are faster than the median. With a probability of 95 % the true median lies within the interval.</source>
            <translation>一半样本比中位数快。真实中位数有 95 % 的概率落在该区间内。</translation>
        </message>
        <message>
            <source>Estimate and 80 % range</source>
            <translation>估算与 80 % 范围</translation>
        </message>
        <message>
            <source>Computed for a device that was not measured. In 80 % of cases the true value lies within the range.</source>
            <translation>为未测量的设备计算得出。在 80 % 的情况下，真实值落在该范围内。</translation>
        </message>
        <message>
            <source>Correctness</source>
            <translation>正确性</translation>
        </message>
        <message>
            <source>Before it is timed, a case is computed by a simple reference as well, and the results are compared.</source>
            <translation>计时之前，还会用简单的参考实现计算同一用例并比较结果。</translation>
        </message>
        <message>
            <source>Spot instance</source>
            <translation>竞价实例</translation>
        </message>
        <message>
            <source>A cheaper rented machine that the provider may take back at any time.</source>
            <translation>较便宜的租用机器，提供商可随时收回。</translation>
        </message>
        <message>
            <source>Arithmetic intensity</source>
            <translation>算术强度</translation>
        </message>
        <message>
            <source>Operations for each byte moved from or to memory.</source>
            <translation>每读写一个字节内存所做的运算次数。</translation>
        </message>
        <message>
            <source>Roofline</source>
            <translation>屋顶线</translation>
        </message>
        <message>
            <source>The highest speed that memory bandwidth and arithmetic allow, by arithmetic intensity. Left of the bend memory limits, right of it arithmetic.</source>
            <translation>在给定算术强度下，内存带宽和算力所允许的最高速度。转折点左侧受内存限制，右侧受算力限制。</translation>
        </message>
        <message>
            <source>Launch overhead</source>
            <translation>启动开销</translation>
        </message>
        <message>
            <source>The time to start an operation. It limits networks of many small operations.</source>
            <translation>启动一次运算所需的时间。由许多小运算组成的网络受其限制。</translation>
        </message>
        <message>
            <source>Best trade-offs</source>
            <translation>最佳权衡</translation>
        </message>
        <message>
            <source>Offers that no other beats on both time and price.</source>
            <translation>没有其他报价能在时间和价格上同时胜过的报价。</translation>
        </message>
        <message>
            <source>Utilisation</source>
            <translation>利用率</translation>
        </message>
        <message>
            <source>The share of the time in which a machine computes.</source>
            <translation>机器实际计算的时间占比。</translation>
        </message>
        <message>
            <source>Terms</source>
            <translation>术语</translation>
        </message>
        <message>
            <source>Keys</source>
            <translation>按键</translation>
        </message>
    </context>
    <context>
        <name>advisor.instead_in_precision</name>
        <message>
            <source>in %1, batch %2, it would take %3</source>
            <translation>以 %1、批次 %2 计算约需 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.instead_in_precision_with_this_program</name>
        <message>
            <source>with Steelyard itself, in %1, batch %2, it would take %3</source>
            <translation>使用 Steelyard 自身以 %1、批次 %2 计算约需 %3</translation>
        </message>
    </context>
    <context>
        <name>advisor.instead_with_this_program</name>
        <message>
            <source>with Steelyard itself, batch %1, it would take %2</source>
            <translation>使用 Steelyard 自身以批次 %1 计算约需 %2</translation>
        </message>
    </context>
</TS>
