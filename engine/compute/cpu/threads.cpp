// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/threads.h"

#include <omp.h>
#include <xmmintrin.h>

#include "engine/compute/cpu/openblas.h"

namespace steelyard::compute::cpu {
namespace {

constexpr unsigned kFlushDenormals = 0x8040;  // MXCSR: results (bit 15) and operands (bit 6)

}  // namespace

ThreadScope::ThreadScope(int threads) : m_previousThreads(omp_get_max_threads()), m_previousMode(_mm_getcsr()) {
    omp_set_num_threads(threads);
    if (const auto* blas = openBlas(); blas != nullptr && blas->threads() != threads) blas->setThreads(threads);
    _mm_setcsr(m_previousMode | kFlushDenormals);
    // OpenMP keeps its workers, but a new worker starts in the default mode.
#pragma omp parallel
    _mm_setcsr(_mm_getcsr() | kFlushDenormals);
}

ThreadScope::~ThreadScope() {
    _mm_setcsr(m_previousMode);
    omp_set_num_threads(m_previousThreads);
}

std::string blasVersion() {
    return openBlas() != nullptr ? openBlas()->config() : "OpenBLAS is not loaded";
}

bool blasUsesOpenMp() {
    return openBlas() != nullptr && openBlas()->parallel() == OPENBLAS_OPENMP;
}

}  // namespace steelyard::compute::cpu
