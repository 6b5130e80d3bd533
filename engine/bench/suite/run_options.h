// SPDX-License-Identifier: Apache-2.0
// The options of `steelyard-cli run` that describe a request, each listed once: the command line parser, its help, and
// the arguments with which the window starts the program walk this list. Include from .cpp files only. A new option
// needs a member in run_request.h and a line here.
#pragma once

#include <cstdint>

#include "engine/bench/suite/run_request.h"
#include "engine/core/fields.h"
#include "engine/core/limits.h"

namespace steelyard::bench {

inline constexpr std::int64_t kMostGpus = 4096;

struct RunOption {
    const char* name;          // "--batch"
    const char* help;          // one line
    std::int64_t largest = 0;  // upper limit of an integer, whose lower limit is 1
};

template <SameAs<RunRequest> T, typename Visitor>
void visitOptions(T& request, Visitor&& visit) {
    visit(RunOption{"--suite", "quick, standard, full, scaling or language"}, request.suite);
    visit(RunOption{"--workload", "Workloads, language models and GGUF files, comma separated"}, request.workloads);
    visit(RunOption{"--mode", "train, infer; of language models prefill, decode, generate"}, request.modes);
    visit(RunOption{"--device", "cpu, cuda:0, ... (default: all); cuda:0+cuda:1 share a step"}, request.devices);
    visit(RunOption{"--gpus", "Number of GPUs per case, e.g. 1,2,4", kMostGpus}, request.gpus);
    visit(RunOption{"--nodes", "Number of nodes per case, under mpirun or srun, e.g. 1,2,4", kMostGpus}, request.nodes);
    visit(RunOption{"--scaling",
                    "strong (one batch split over all GPUs or nodes), weak (one batch each), "
                    "experiments (an independent network per GPU); default: all of them"},
          request.scalings);
    visit(RunOption{"--batch", "Samples per step, total over all devices", kLargestBatch}, request.batches);
    visit(RunOption{"--threads", "CPU threads (default: number of usable physical cores)", kMostThreads},
          request.threads);
    visit(RunOption{"--precision", "fp32, tf32, bf16, fp16, int8 (inference)"}, request.precisions);
    visit(RunOption{"--isa", "sse, avx2, avx512, amx"}, request.isas);
    visit(RunOption{"--kernels",
                    "Library for matrix products on the CPU: auto (the fastest for each shape), onednn, openblas"},
          request.kernels);
    visit(RunOption{"--data", "Folder with a real data set: times the step, the input pipeline, and both together"},
          request.data);
    visit(RunOption{"--time-cap", "Maximum sampling time per case in seconds"}, request.timeCapSeconds);
    visit(RunOption{"--seed", "Seed for data, weights and the order of cases"}, request.seed);
    visit(RunOption{"--precise", "Sample until the interval is within 1 % rather than 2 %"}, request.precise);
    visit(RunOption{"--db", "History file"}, request.database);
    visit(RunOption{"--resume", "Complete an interrupted run with its original options (default: the latest run)"},
          request.resume);
}

}  // namespace steelyard::bench
