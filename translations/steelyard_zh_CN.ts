<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
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
        <source>95 % interval %1</source>
        <translation>95 % 区间 %1</translation>
    </message>
    <message>
        <source>%1 from %2 (%3) to %4 (%5).</source>
        <translation>%1：从 %2（%3）到 %4（%5）。</translation>
    </message>
</context>
<context>
    <name>ComparePresenter</name>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>Mann-Whitney p = %1</source>
        <translation>Mann-Whitney 检验 p = %1</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Base (ms)</source>
        <translation>基准（ms）</translation>
    </message>
    <message>
        <source>Other (ms)</source>
        <translation>对比（ms）</translation>
    </message>
    <message>
        <source>Other / base</source>
        <translation>对比 / 基准</translation>
    </message>
    <message>
        <source>Ratio of the median times; below 1 is faster</source>
        <translation>时间中位数之比；小于 1 表示更快</translation>
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
        <translation><numerusform>%n 个共同用例中：%1 个更快，%2 个更慢，%3 个没有差异的证据。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n cannot be compared.</source>
        <translation><numerusform>%n 个无法比较。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) only in one of the runs.</source>
        <translation><numerusform>%n 个用例只出现在其中一次运行中。</numerusform></translation>
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
        <source>The Hardware page tells what is missing.</source>
        <translation>“硬件”页会说明缺少什么。</translation>
    </message>
    <message>
        <source>Try again; if it stays, copy the diagnostic report on the Hardware page.</source>
        <translation>请重试；若问题依旧，请在“硬件”页复制诊断报告。</translation>
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
        <source>Threads that a benchmark uses unless told otherwise</source>
        <translation>未另行指定时基准测试使用的线程数</translation>
    </message>
    <message>
        <source>Logical CPUs</source>
        <translation>逻辑处理器</translation>
    </message>
    <message>
        <source>CPU time granted</source>
        <translation>分配的 CPU 时间</translation>
    </message>
    <message>
        <source>%1 CPUs</source>
        <translation>%1 个 CPU</translation>
    </message>
    <message>
        <source>Kinds of cores</source>
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
        <source>Highest clock</source>
        <translation>最高频率</translation>
    </message>
    <message>
        <source>Clock now</source>
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
        <source>Processor of unknown name</source>
        <translation>名称未知的处理器</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n core(s) usable</source>
        <translation><numerusform>%n 个核心中 %1 个可用</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation><numerusform>%n 个核心</numerusform></translation>
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
        <source>What a benchmark takes unless told otherwise</source>
        <translation>未另行指定时基准测试所用的</translation>
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
        <source>Nothing measured yet. Run the benchmark: in about two minutes you know how fast this computer trains.</source>
        <translation>尚未测量。运行基准测试：大约两分钟后您就知道这台电脑训练得有多快。</translation>
    </message>
    <message>
        <source>The last run has no result. The Results page tells why, case by case.</source>
        <translation>上次运行没有结果。“结果”页逐个用例说明原因。</translation>
    </message>
    <message>
        <source>Your %1 trains %2 at %3.</source>
        <translation>您的 %1 训练 %2 的速度为 %3。</translation>
    </message>
    <message>
        <source>Your %1 predicts with %2 at %3.</source>
        <translation>您的 %1 用 %2 推理的速度为 %3。</translation>
    </message>
    <message>
        <source>Your %1 trains %2 at %3: %4 times the CPU, which reaches %5.</source>
        <translation>您的 %1 训练 %2 的速度为 %3：是 CPU（%5）的 %4 倍。</translation>
    </message>
    <message>
        <source>Your %1 predicts with %2 at %3: %4 times the CPU, which reaches %5.</source>
        <translation>您的 %1 用 %2 推理的速度为 %3：是 CPU（%5）的 %4 倍。</translation>
    </message>
    <message>
        <source>Highest rate of work</source>
        <translation>最高计算速率</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2, %n case(s)</source>
        <translation><numerusform>%1，%2，%n 个用例</numerusform></translation>
    </message>
    <message>
        <source>Run benchmark</source>
        <translation>运行基准测试</translation>
    </message>
    <message numerus="yes">
        <source>Run benchmark (%n case(s))</source>
        <translation><numerusform>运行基准测试（%n 个用例）</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Run benchmark (%n case(s), about %1)</source>
        <translation><numerusform>运行基准测试（%n 个用例，约 %1）</numerusform></translation>
    </message>
</context>
<context>
    <name>RecordsPresenter</name>
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
        <source>Share of the peak measured on this device and precision</source>
        <translation>占该设备与精度实测峰值的比例</translation>
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
        <source>The peak was not measured in this run.</source>
        <translation>本次运行未测量峰值。</translation>
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
        <source>%1 steps, %2</source>
        <translation>%1 步，%2</translation>
    </message>
    <message>
        <source>Work per step</source>
        <translation>每步计算量</translation>
    </message>
    <message>
        <source>, %1 of the measured peak</source>
        <translation>，占实测峰值 %1</translation>
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
        <source>What to try</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>ResultsPresenter</name>
    <message>
        <source>Time per step</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>每秒样本数</translation>
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
        <source>the work per step is not known</source>
        <translation>每步计算量未知</translation>
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
        <source>This run has no such cases.</source>
        <translation>本次运行没有这类用例。</translation>
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
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Median time per step</source>
        <translation>每步时间中位数</translation>
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
    <message numerus="yes">
        <source>%n case(s): %1</source>
        <translation><numerusform>%n 个用例：%1</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) verified</source>
        <translation><numerusform>%n 个用例已验证</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n wrong</source>
        <translation><numerusform>%n 个错误</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n not checked</source>
        <translation><numerusform>%n 个未检查</numerusform></translation>
    </message>
</context>
<context>
    <name>StatusText</name>
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
        <source>Too few samples.</source>
        <translation>样本太少。</translation>
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
        <source>no backend for this maker</source>
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
        <source>Install the maker's driver and start the program again.</source>
        <translation>请安装厂商的驱动程序，然后重新启动本程序。</translation>
    </message>
    <message>
        <source>Update the driver and start the program again.</source>
        <translation>请更新驱动程序，然后重新启动本程序。</translation>
    </message>
    <message>
        <source>Restart the computer; if it stays, reinstall the driver.</source>
        <translation>请重启电脑；若问题依旧，请重新安装驱动程序。</translation>
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
        <translation><numerusform>%n 线程</numerusform></translation>
    </message>
    <message>
        <source>library of the matrix products</source>
        <translation>矩阵乘法库</translation>
    </message>
    <message>
        <source>what is timed</source>
        <translation>计时对象</translation>
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
</context>
<context>
    <name>main</name>
    <message>
        <source>Weighs hardware for deep learning</source>
        <translation>为深度学习称量硬件</translation>
    </message>
    <message>
        <source>File with the stored runs.</source>
        <translation>保存运行的文件。</translation>
    </message>
    <message>
        <source>Page to start with: home, hardware, benchmark, results, history, settings.</source>
        <translation>起始页面：home、hardware、benchmark、results、history、settings。</translation>
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
</context>
<context>
    <name>steelyard::ui::BuiltChart</name>
    <message>
        <source>hollow: predicted</source>
        <translation>空心：预测</translation>
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
        <source>About how long one case takes</source>
        <translation>一个用例大约所需的时间</translation>
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
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
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
    <name>steelyard::ui::Gauge</name>
    <message>
        <source>%1: not readable here</source>
        <translation>%1：此处无法读取</translation>
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
        <source>Looking at the hardware…</source>
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
</context>
<context>
    <name>steelyard::ui::HistoryPage</name>
    <message>
        <source>History &amp; compare</source>
        <translation>历史与比较</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) exported to %1</source>
        <translation><numerusform>已将 %n 次运行导出到 %1</numerusform></translation>
    </message>
    <message>
        <source>All runs of %1 were there already.</source>
        <translation>%1 中的所有运行均已存在。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) imported from %1</source>
        <translation><numerusform>已从 %1 导入 %n 次运行</numerusform></translation>
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
        <source>Compare different hardware</source>
        <translation>比较不同硬件</translation>
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
        <translation><numerusform>%1 中有 %n 次运行</numerusform></translation>
    </message>
    <message>
        <source>Select two runs (Ctrl and click) to compare them.</source>
        <translation>选择两次运行（Ctrl + 单击）进行比较。</translation>
    </message>
    <message>
        <source>Base: %1. Other: %2. The verdict is about the other run.</source>
        <translation>基准：%1。对比：%2。结论针对对比运行。</translation>
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
        <source>Select one run to show, export or delete it, two to compare them. Faster and slower need evidence: a rank test over all samples and medians at least 2 % apart. Everything else is no evidence; what cannot be compared says what differs. Double-click a note to write it.</source>
        <translation>选择一次运行可显示、导出或删除，选择两次可进行比较。“更快”和“更慢”需要证据：对全部样本的秩检验，且中位数相差至少 2 %。其余一律为没有证据；无法比较的会说明差异所在。双击备注即可编辑。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Measures what is missing of an interrupted run, as it was ordered.</source>
        <translation>按原先的要求，测量中断的运行中尚缺的部分。</translation>
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
        <source>Looking at the hardware…</source>
        <translation>正在检测硬件…</translation>
    </message>
    <message>
        <source>Nothing leaves this computer: results are kept in a file of yours.</source>
        <translation>任何内容都不会离开这台电脑：结果保存在您自己的文件中。</translation>
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
        <source>Exported to %1</source>
        <translation>已导出到 %1</translation>
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
        <source>Yours alone</source>
        <translation>只属于您</translation>
    </message>
    <message>
        <source>Nothing leaves this computer. Results are a file of yours.</source>
        <translation>任何内容都不会离开这台电脑。结果是您自己的文件。</translation>
    </message>
</context>
<context>
    <name>steelyard::ui::LiveSamplesView</name>
    <message>
        <source>Samples of the case under way</source>
        <translation>正在进行的用例的样本</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s), median %1</source>
        <translation><numerusform>%n 个样本，中位数 %1</numerusform></translation>
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
        <source>The run has ended (%1): %2 of %n case(s) with a result.</source>
        <translation><numerusform>运行结束（%1）：%n 个用例中 %2 个有结果。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted</source>
        <translation><numerusform>已删除 %n 次运行</numerusform></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤消</translation>
    </message>
    <message>
        <source>A run is under way</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Stop the run and close the window?</source>
        <translation>停止运行并关闭窗口？</translation>
    </message>
    <message>
        <source>Finished cases are kept; the case under way is lost.</source>
        <translation>已完成的用例会保留；正在进行的用例会丢失。</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
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
    <name>steelyard::ui::NoticeBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>steelyard::ui::ResultsPage</name>
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
        <source>Exported to %1</source>
        <translation>已导出到 %1</translation>
    </message>
    <message>
        <source>Each mark is the median of one case; the line through it is its 95 % interval. Cases without a result are dashes that tell why on hover. Click a mark for everything known about the case. Values far apart are drawn on a logarithmic axis. The table button above a chart shows the same data as rows.</source>
        <translation>每个标记是一个用例的中位数；穿过它的线是 95 % 区间。没有结果的用例显示为短横线，悬停可查看原因。单击标记可查看该用例的全部信息。相差悬殊的数值绘制在对数轴上。图表上方的表格按钮以行的形式显示相同的数据。</translation>
    </message>
</context>
<context>
    <name>steelyard::ui::RunController</name>
    <message>
        <source>A line of more than %1 MiB was skipped.</source>
        <translation>跳过了一行超过 %1 MiB 的内容。</translation>
    </message>
    <message>
        <source>A line that is no event was skipped: %1</source>
        <translation>跳过了一行非事件内容：%1</translation>
    </message>
    <message>
        <source>ended by signal %1</source>
        <translation>被信号 %1 终止</translation>
    </message>
    <message>
        <source>ended with code %1 before its suite was finished</source>
        <translation>套件尚未完成即以代码 %1 结束</translation>
    </message>
</context>
<context>
    <name>steelyard::ui::RunSetupView</name>
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
        <source>each network's own</source>
        <translation>各网络自身的值</translation>
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
        <source>the suite's own</source>
        <translation>套件自身的值</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>The longest time that one case is sampled.</source>
        <translation>单个用例采样的最长时间。</translation>
    </message>
    <message>
        <source>Time cap</source>
        <translation>时间上限</translation>
    </message>
    <message>
        <source>within 1 % instead of 2 %</source>
        <translation>1 % 以内，而非 2 %</translation>
    </message>
    <message>
        <source>Sample until the 95 % interval of the median is that narrow.</source>
        <translation>采样直到中位数的 95 % 区间达到此宽度。</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n case(s))</source>
        <translation><numerusform>%1（%n 个用例）</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>all %n core(s)</source>
        <translation><numerusform>全部 %n 个核心</numerusform></translation>
    </message>
    <message>
        <source>Looking at what can run here…</source>
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
        <translation><numerusform>运行 %n 个用例</numerusform></translation>
    </message>
    <message>
        <source>About %1. You can stop at any time; finished cases are kept.</source>
        <translation>约 %1。可随时停止；已完成的用例会保留。</translation>
    </message>
    <message>
        <source>How long it takes is not known. You can stop at any time.</source>
        <translation>所需时间未知。可随时停止。</translation>
    </message>
    <message>
        <source>None of the chosen cases can run here.</source>
        <translation>所选用例均无法在此运行。</translation>
    </message>
</context>
<context>
    <name>steelyard::ui::RunView</name>
    <message>
        <source>Finished cases</source>
        <translation>已完成的用例</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the run (Esc). Finished cases are kept.</source>
        <translation>停止运行（Esc）。已完成的用例会保留。</translation>
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
        <source>The run ended early</source>
        <translation>运行提前结束</translation>
    </message>
    <message>
        <source>The run has ended</source>
        <translation>运行已结束</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 of %n case(s) with a result, in %3</source>
        <translation><numerusform>%1：%n 个用例中 %2 个有结果，用时 %3</numerusform></translation>
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
</context>
<context>
    <name>steelyard::ui::RunsModel</name>
    <message numerus="yes">
        <source>%n without result</source>
        <translation><numerusform>%n 个没有结果</numerusform></translation>
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
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
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
        <source>Sample until the 95 % interval is within 1 % instead of 2 %</source>
        <translation>采样直到 95 % 区间在 1 % 以内，而非 2 %</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>the suite's own</source>
        <translation>套件自身的值</translation>
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
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>All runs are kept in one file. Choose another to keep runs apart, or to share a disk.</source>
        <translation>所有运行保存在一个文件中。可选择其他文件以分开保存，或使用共享磁盘。</translation>
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
        <source>Nothing leaves this computer. The program opens no network connection; results are files of yours, and you decide whom to give them.</source>
        <translation>任何内容都不会离开这台电脑。本程序不打开网络连接；结果是您自己的文件，由您决定交给谁。</translation>
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
        <translation><numerusform>%n 个核心，其中 %1 个允许使用</numerusform></translation>
    </message>
    <message>
        <source>The system does not tell how the processor is built.</source>
        <translation>系统未提供处理器的构造信息。</translation>
    </message>
    <message>
        <source>a core that this process may use</source>
        <translation>本进程可使用的核心</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>不允许</translation>
    </message>
    <message numerus="yes">
        <source>Core %1: %2 of %n thread(s) allowed</source>
        <translation><numerusform>核心 %1：%n 个线程中 %2 个允许使用</numerusform></translation>
    </message>
</context>
</TS>
