// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/support/sample_data.h"

#include "engine/core/messages/bench.h"
#include "engine/core/messages/compute.h"
#include "engine/core/messages/hardware.h"
#include "engine/hardware/profile/profile_json.h"
#include "tests/support/visited_record.h"

namespace steelyard::ui::sample {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
constexpr std::int64_t kStart = 1'767'225'600'000;  // 2026-01-01 00:00 UTC

hardware::TopologyNode thread(int index, bool allowed) {
    hardware::TopologyNode node;
    node.kind = hardware::TopologyKind::Thread;
    node.index = index;
    node.allowed = allowed;
    return node;
}

hardware::TopologyNode package(int index) {
    hardware::TopologyNode node;
    node.kind = hardware::TopologyKind::Package;
    node.index = index;
    hardware::TopologyNode numa;
    numa.kind = hardware::TopologyKind::Numa;
    numa.index = index;
    numa.bytes = 32 * 1024 * kMiB;
    hardware::TopologyNode cache;
    cache.kind = hardware::TopologyKind::Cache;
    cache.cacheLevel = 3;
    cache.bytes = 32 * kMiB;
    for (int core = 0; core < 8; ++core) {
        hardware::TopologyNode one;
        one.kind = hardware::TopologyKind::Core;
        one.index = index * 8 + core;
        one.allowed = index == 0 || core < 4;
        one.children = {thread(one.index, one.allowed), thread(one.index + 16, one.allowed)};
        cache.children.push_back(one);
    }
    numa.children = {cache};
    node.children = {numa};
    return node;
}

hardware::GpuInfo gpu(int index, hardware::GpuStatus status, const Message& reason) {
    using hardware::known;
    hardware::GpuInfo info;
    info.id = "cuda:" + std::to_string(index);
    info.vendor = "NVIDIA";
    info.status = status;
    info.reason = reason;
    info.name = known<std::string>("Example GPU 1000", "libcuda.so.1");
    info.pciBusId = known<std::string>("0000:0" + std::to_string(index + 1) + ":00.0", "/sys/bus/pci");
    info.memoryBytes = known<std::int64_t>(24 * 1024 * kMiB, "libcuda.so.1");
    info.computeCapability = known<std::string>("8.9", "libcuda.so.1");
    info.multiprocessors = known(60, "libcuda.so.1");
    info.driver = known<std::string>("580.00", "libnvidia-ml.so.1");
    return info;
}

bench::CaseRecord failedRecord(const std::string& workload, bench::Status status, const Message& reason) {
    bench::CaseRecord record;
    record.spec.workload = workload;
    record.spec.batch = 128;
    record.deviceName = "Example CPU 16";
    record.status = status;
    record.reason = reason;
    record.memory.plannedBytes = 90 * 1024 * kMiB;
    return record;
}

double flopsOf(const std::string& workload) {
    if (workload == "mnist_mlp") return 5e8;
    if (workload == "mnist_cnn") return 9e9;
    return workload == "resnet50" ? 4e11 : 9e10;
}

}  // namespace

WorkloadCatalogue catalogue(int usableGpus) {
    WorkloadCatalogue result;
    result.workloads = {
        {"mnist_mlp", "MNIST MLP", "woolf2017", {plan::Mode::Train, plan::Mode::Infer}, 128, 669'706, 4, true, {}},
        {"mnist_cnn", "MNIST CNN", "woolf2017", {plan::Mode::Train, plan::Mode::Infer}, 128, 1'199'882, 6, true, {}},
        {"resnet50", "ResNet-50", "dlbench", {plan::Mode::Train, plan::Mode::Infer}, 16, 25'557'032, 14, true, {}},
        {"lstm_ptb", "LSTM on PTB", "dlbench", {plan::Mode::Train, plan::Mode::Infer}, 128, 6'180'624, 12, true, {}},
        {"flowers_vgg16",
         "VGG16 on flowers",
         "kaggle_flowers",
         {plan::Mode::Train, plan::Mode::Infer},
         128,
         14'717'253,
         30,
         false,
         bench::messages::trainingNeeds(16, Bytes(90 * 1024 * kMiB), Bytes(64 * 1024 * kMiB))},
        {"bert_large", "BERT large", "staples", {plan::Mode::Train, plan::Mode::Infer}, 8, 335'141'888, 60, true, {}},
    };
    result.suites = {
        {"quick", "Quick", 14, 90, {"mnist_mlp", "mnist_cnn", "resnet50", "lstm_ptb"}},
        {"standard", "Standard", 40, 600, {"mnist_mlp", "mnist_cnn", "resnet50", "lstm_ptb", "bert_large"}}};
    result.devices = {{"cpu", "Example CPU 16", true, {}},
                      {"cuda:0", "Example GPU 1000", false, hardware::messages::driverNotInstalled("libcuda.so.1")}};
    if (usableGpus > 0) result.devices.pop_back();
    for (int index = 0; index < usableGpus; ++index)
        result.devices.push_back({"cuda:" + std::to_string(index), "Simulated GPU", true, {}});
    result.precisions = {plan::Precision::Fp32, plan::Precision::Bf16};
    result.maxThreads = 12;
    return result;
}

hardware::HardwareProfile profile() {
    using hardware::known;
    using hardware::unknown;
    hardware::HardwareProfile result;
    auto& cpu = result.cpu;
    cpu.name = known<std::string>("Example CPU 16", "/proc/cpuinfo");
    cpu.vendor = known<std::string>("Example", "/proc/cpuinfo");
    cpu.architecture = known<std::string>("x86_64", "uname");
    cpu.packages = known(2, "hwloc");
    cpu.cores = known(16, "hwloc");
    cpu.threads = known(32, "hwloc");
    cpu.allowedCores = known(12, "sched_getaffinity");
    cpu.allowedCpus = known(24, "sched_getaffinity");
    cpu.quotaCores = unknown<double>(hardware::messages::noCpuLimit(), "/sys/fs/cgroup/cpu.max");
    cpu.usableThreads = known(12, "sched_getaffinity");
    cpu.kinds = known(std::vector<hardware::CpuKind>{{0, "uniform", 16, {}, {}}}, "hwloc");
    cpu.caches = known(
        std::vector<hardware::CacheInfo>{
            {1, "data", 48 * 1024, 16, 2}, {2, "unified", 2 * kMiB, 16, 2}, {3, "unified", 32 * kMiB, 2, 16}},
        "hwloc");
    cpu.isa = known(
        std::vector<std::string>{"sse4_2", "avx", "avx2", "fma", "avx512", "avx512_vnni", "avx512_bf16", "amx_bf16"},
        "/proc/cpuinfo");
    cpu.numa = known(std::vector<hardware::NumaNode>{{0, {}, {}}, {1, {}, {}}}, "hwloc");
    cpu.baseMhz = unknown<double>(hardware::messages::notBySystem());
    cpu.maxMhz = known(3800.0, "/sys/devices/system/cpu");
    cpu.currentMhz = known(2400.0, "/proc/cpuinfo");
    cpu.governor = unknown<std::string>(hardware::messages::notInVirtualMachine());
    cpu.topology.kind = hardware::TopologyKind::Machine;
    cpu.topology.children = {package(0), package(1)};
    result.memory.totalBytes = known<std::int64_t>(64 * 1024 * kMiB, "/proc/meminfo");
    result.memory.availableBytes = known<std::int64_t>(51 * 1024 * kMiB, "/proc/meminfo");
    result.memory.limitBytes = unknown<std::int64_t>(hardware::messages::noMemoryLimit(), "/sys/fs/cgroup/memory.max");
    result.memory.swapTotalBytes = known<std::int64_t>(0, "/proc/meminfo");
    result.gpuReason = hardware::messages::noGpuOnBus();
    result.environment.os = known<std::string>("Example Linux 13", "/etc/os-release");
    result.environment.kernel = known<std::string>("6.12.0-example", "uname");
    result.environment.hostname = known<std::string>("workshop", "uname");
    result.environment.machine = unknown<std::string>(hardware::messages::notByFirmware());
    result.environment.container = known<std::string>("none", "/proc/1/environ");
    result.environment.virtualMachine = known<std::string>("kvm", "cpuid");
    result.backends = {{"cpu", true, {}},
                       {"cuda", false, compute::messages::librariesMissing("libsteelyard_cuda.so")},
                       {"reference", true, {}}};
    return result;
}

hardware::HardwareProfile profileWithGpus() {
    auto result = profile();
    result.gpus = {gpu(0, hardware::GpuStatus::Usable, {}),
                   gpu(1, hardware::GpuStatus::DriverMissing, hardware::messages::driverNotInstalled("libcuda.so.1"))};
    result.gpuReason = {};
    result.cpu.topology.children.front().pciBusIds = {"0000:01:00.0"};
    return result;
}

bench::CaseRecord okRecord(const std::string& workload, plan::Mode mode, const std::string& device, double step) {
    bench::CaseRecord record;
    const auto all = catalogue();
    const auto* option = all.findWorkload(workload);
    record.spec.workload = workload;
    record.spec.mode = mode;
    record.spec.device = device;
    record.spec.batch = option ? option->defaultBatch : 32;
    record.spec.optimizer = mode == plan::Mode::Train ? "sgd" : "";
    record.deviceName = device == "cpu" ? "Example CPU 16" : "Example GPU 1000";
    record.status = bench::Status::Ok;
    for (int index = 0; index < 30; ++index)
        record.samplesSeconds.push_back(step * (1 + 0.004 * ((index * 7) % 11 - 5)));
    record.stepSeconds =
        bench::Summary{step, step * 0.985, step * 1.017, step * 1.002, step * 0.006, step * 0.97, step * 1.03, {}, 30};
    test::splitIntoVisits(record);
    record.throughput = bench::Throughput{static_cast<double>(record.spec.batch) / step, "samples/s"};
    record.flopsPerStep = flopsOf(workload) / (mode == plan::Mode::Train ? 1 : 3);
    record.bytesPerStep = *record.flopsPerStep / (workload == "mnist_mlp" ? 3 : 40);
    record.utilization = bench::Utilization{*record.flopsPerStep / step, 5e12, *record.flopsPerStep / step / 5e12};
    const auto weights = option ? option->parameters * 4 : kMiB;
    auto& memory = record.memory;
    memory.weightBytes = weights;
    memory.gradientBytes = mode == plan::Mode::Train ? weights : 0;
    memory.optimizerBytes = mode == plan::Mode::Train ? weights : 0;
    memory.activationBytes = weights * 2;
    memory.workspaceBytes = 16 * kMiB;
    memory.plannedBytes = *memory.weightBytes + *memory.gradientBytes + *memory.optimizerBytes +
                          *memory.activationBytes + *memory.workspaceBytes;
    memory.enginePeakBytes = *memory.plannedBytes * 21 / 20;
    memory.processPeakBytes = *memory.plannedBytes * 2;
    record.verification = {bench::VerificationState::Pass, 2.5e-6, 1e-4, 2.31, 1.04, {}};
    record.stopReason = bench::StopReason::Precision;
    record.warmUp = {6, 0.4};
    record.compileSeconds = 0.12;
    record.conditions = {{"governor", "unknown"}, {"library", "example 1.0"}};
    record.startedUnixMs = kStart;
    return record;
}

bench::RunRecord run(const std::string& id, double pace) {
    bench::RunRecord result;
    result.id = id;
    result.suite = "quick";
    result.suiteVersion = "1";
    result.programVersion = "0.1.0";
    result.startedUnixMs = kStart;
    result.finishedUnixMs = kStart + 92'000;
    result.computer = "workshop";
    result.profileJson = hardware::toJson(profile());
    const std::pair<const char*, double> steps[] = {
        {"mnist_mlp", 0.002}, {"mnist_cnn", 0.04}, {"resnet50", 1.5}, {"lstm_ptb", 0.4}};
    for (const auto& [workload, step] : steps) {
        result.records.push_back(okRecord(workload, plan::Mode::Train, "cpu", step * pace));
        result.records.push_back(okRecord(workload, plan::Mode::Infer, "cpu", step * 0.3 * pace));
        result.records.push_back(okRecord(workload, plan::Mode::Train, "cuda:0", step * 0.07 * pace));
    }
    result.records.push_back(
        failedRecord("flowers_vgg16", bench::Status::OutOfMemory,
                     messageOf({ErrorKind::OutOfMemory, "flowers_vgg16", {}, {}, 90 * 1024 * kMiB, 51 * 1024 * kMiB})));
    result.records.push_back(
        failedRecord("bert_large", bench::Status::Crashed, bench::messages::childCrashed("Killed")));
    result.records[1].verification = {bench::VerificationState::NotChecked, {}, {}, {}, {},
                                      bench::messages::switchedOff()};
    result.records[2].warnings = {bench::messages::cpuThrottled()};
    return result;
}

bench::RunRecord sweepRun() {
    auto result = run("5eedc0ffee01");
    result.suite = "custom";
    result.records.clear();
    for (const int batch : {1, 2, 4, 8, 16}) {
        auto record = okRecord("resnet50", plan::Mode::Train, "cpu", 0.05 + 0.09 * batch);
        record.spec.batch = batch;
        result.records.push_back(record);
    }
    for (const int threads : {1, 2, 4, 8}) {
        auto record = okRecord("mnist_cnn", plan::Mode::Train, "cpu", 0.02 + 0.3 / threads);
        record.spec.threads = threads;
        result.records.push_back(record);
    }
    return result;
}

namespace {

// `rate`: samples per second of one GPU; `gain`: speed-up of all GPUs together.
bench::CaseRecord sharedRecord(const char* workload, int gpus, char kind, std::int64_t batch, double rate,
                               double gain) {
    const double step = static_cast<double>(batch) / (rate * gain);
    auto record = okRecord(workload, plan::Mode::Train, "cuda:0", step);
    std::vector<std::string> ids;
    record.spec.device.clear();
    for (int index = 0; index < gpus; ++index) {
        ids.push_back("cuda:" + std::to_string(index));
        record.spec.device += (index > 0 ? std::string(1, kind) : std::string()) + ids.back();
    }
    record.spec.batch = batch;
    record.deviceName = "Simulated GPU";
    record.throughput = bench::Throughput{rate * gain, "samples/s"};
    if (gpus == 1) return record;
    auto& use = record.parallel.emplace();
    use.devices = ids;
    use.rankStepSeconds.assign(ids.size(), step);
    if (kind != '+') return record;
    use.exchangeSeconds = step * 0.2;
    use.computeSeconds = step * 0.9;
    use.exposedSeconds = step * 0.1;
    use.exchangedBytes = 100 * kMiB;
    return record;
}

}  // namespace

bench::RunRecord scalingRun() {
    auto result = run("51ca11906b05");
    result.suite = "scaling";
    result.note = "simulated GPUs";
    result.records.clear();
    const std::pair<const char*, double> workloads[] = {{"resnet50", 900}, {"lstm_ptb", 2400}};
    for (const auto& [workload, rate] : workloads) {
        constexpr std::int64_t kBatch = 128;
        result.records.push_back(sharedRecord(workload, 1, '+', kBatch, rate, 1));
        for (const int gpus : {2, 4, 8}) {
            const double n = gpus;
            result.records.push_back(sharedRecord(workload, gpus, '+', kBatch, rate, n / (1 + 0.08 * n)));
            result.records.push_back(sharedRecord(workload, gpus, '+', kBatch * gpus, rate, n / (1 + 0.02 * n)));
            result.records.push_back(sharedRecord(workload, gpus, '/', kBatch * gpus, rate, 0.99 * n));
        }
    }
    return result;
}

}  // namespace steelyard::ui::sample
