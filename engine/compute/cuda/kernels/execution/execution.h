// SPDX-License-Identifier: Apache-2.0
// Distribution of work over a device, or, in the host twin, sequential execution in the same order. Every kernel is one
// of three:
//   elements(stream, count, work)          work(i) for each i
//   packs<N>(stream, count, aligned, work) work.run<N>(first) for each pack of N neighbours, work.run<1>(i) for the
// rest
//   teams<Size>(stream, rows, work)        work(team, row): Size threads process a row together
// A team has
//   reduce<Partial>(count, take, merge)    each thread accumulates its i = rank, rank + Size, ... in a Partial{}; these
// are
//                                          merged in a fixed tree; every thread gets the result. A barrier: data read
//                                          before may be overwritten after it.
//   each(count, f)                         f(i), distributed over the threads
//   once(f)                                by one thread
// Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"

#if defined(__CUDACC__)
#include "engine/compute/cuda/kernels/execution/execution_device.cuh"
#else
#include "engine/compute/cuda/kernels/execution/execution_host.h"
#endif
