// SPDX-License-Identifier: Apache-2.0
// A stub of libnvidia-ml with the real C interface (NVML API Reference Guide): one GPU on bus 0000:21:00.0.
// FAKE_NVML_INIT is the result of nvmlInit_v2; FAKE_NVML_MANY reports more processes than fit.
#include <cstdlib>
#include <cstring>

extern "C" {

struct FakeMemory {
    unsigned long long total, free, used;
};
struct FakeUtilization {
    unsigned gpu, memory;
};
struct FakeProcess {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
};

static int theGpu = 0;
static constexpr int kInvalid = 2, kNotFound = 6, kTooSmall = 7;

static int answer(void* device, unsigned* out, unsigned value) {
    if (device != &theGpu || out == nullptr) return kInvalid;
    *out = value;
    return 0;
}

int nvmlInit_v2() {
    const char* status = std::getenv("FAKE_NVML_INIT");
    return status != nullptr ? std::atoi(status) : 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
    if (std::strcmp(id, "0000:21:00.0") != 0) return kNotFound;
    *device = &theGpu;
    return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
    std::strncpy(text, "580.65.06", size);
    return 0;
}
int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
    return answer(device, mhz, type == 1 ? 1755 : type == 2 ? 2619 : 0);
}
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
    return sensor == 0 ? answer(device, celsius, 64) : kInvalid;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
    return answer(device, milliwatts, 612'500);
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
    return answer(device, milliwatts, 700'000);
}
int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* value) {
    return answer(device, value, 5);
}
int nvmlDeviceGetMaxPcieLinkWidth(void* device, unsigned* value) {
    return answer(device, value, 16);
}
int nvmlDeviceGetCurrPcieLinkGeneration(void* device, unsigned* value) {
    return answer(device, value, 1);
}
int nvmlDeviceGetCurrPcieLinkWidth(void* device, unsigned* value) {
    return answer(device, value, 8);
}
int nvmlDeviceGetUtilizationRates(void* /*device*/, FakeUtilization* load) {
    *load = {97, 41};
    return 0;
}
int nvmlDeviceGetMemoryInfo(void* /*device*/, FakeMemory* memory) {
    *memory = {100, 40, 60};
    return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void* /*device*/, unsigned long long* millijoules) {
    static unsigned long long counted = 1'000'000;
    *millijoules = counted += 2'500;
    return 0;
}
int nvmlDeviceGetCurrentClocksEventReasons(void* /*device*/, unsigned long long* reasons) {
    *reasons = 0x4 | 0x20 | 0x1;
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* /*device*/, unsigned* count, FakeProcess* processes) {
    const unsigned running = std::getenv("FAKE_NVML_MANY") != nullptr ? 1000 : 2;
    const unsigned room = *count;
    *count = running;
    if (room < running) return kTooSmall;
    processes[0] = {4242, 1 << 20, ~0U, ~0U};
    processes[1] = {77, 1 << 30, ~0U, ~0U};
    return 0;
}

}  // extern "C"
