// SPDX-License-Identifier: Apache-2.0
// With x^ = x - mean, n pixels and inverse = 1 / sqrt(variance + epsilon) (Ioffe and Szegedy, "Batch Normalization",
// 2015):
//   y = scale inverse x^ + offset
//   dScale = inverse sum(dy x^), dOffset = sum(dy)
//   dx = scale inverse (dy - sum(dy) / n - inverse^2 sum(dy x^) x^ / n)
#include "engine/compute/cpu/operations/channel_norm.h"

#include <cmath>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/compile/scratch_pieces.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kChunk = 256;  // pixels with float32 sums; chunks are added in double

// Per-channel scratch memory of a task.
struct Work {
    double* sums = nullptr;         // per thread: sums, then products
    float* chunks = nullptr;        // likewise, of a chunk
    float* coefficients = nullptr;  // factor, slope and constant of ChannelRows, contiguous
    std::int64_t bytes = 0;

    Work(int threads, std::int64_t channels, void* memory) {
        ScratchPieces pieces(memory);
        sums = pieces.take<double>(threads * 2 * channels);
        chunks = pieces.take<float>(threads * 2 * channels);
        coefficients = pieces.take<float>(3 * channels);
        bytes = pieces.bytes();
    }
};

struct Task {
    ChannelNorm norm;
    Value dy, to, dScale, dOffset, scratch;
    std::int64_t pixels = 0, channels = 0;
    int threads = 1;
};

template <class T>
ChannelRows<T> rowsOf(const Task& task, std::int64_t begin, std::int64_t end, const float* coefficients) {
    ChannelRows<T> rows;
    rows.x = task.norm.x.as<T>() + begin * task.channels;
    rows.y = task.to.as<T>() + begin * task.channels;
    if (task.dy) rows.dy = task.dy.as<T>() + begin * task.channels;
    rows.mean = task.norm.mean.as<float>();
    rows.factor = coefficients;
    rows.offset = task.norm.offset.as<float>();
    if (coefficients != nullptr) {
        rows.slope = coefficients + task.channels;
        rows.constant = coefficients + 2 * task.channels;
    }
    rows.relu = task.norm.relu;
    rows.rows = end - begin;
    rows.channels = task.channels;
    return rows;
}

// Sums over all pixels into the first thread's sums; `add` adds those of some rows.
template <class Add>
void sumPixels(const Task& task, const Work& work, const Add& add) {
    const auto width = 2 * task.channels;
    std::fill(work.sums, work.sums + task.threads * width, 0.0);
    parallelRows(task.pixels, task.channels, [&](std::int64_t begin, std::int64_t end) {
        auto* partial = work.sums + omp_get_thread_num() * width;
        auto* chunk = work.chunks + omp_get_thread_num() * width;
        for (auto row = begin; row < end; row += kChunk) {
            std::fill(chunk, chunk + width, 0.0F);
            add(row, std::min(end, row + kChunk), chunk);
            for (std::int64_t i = 0; i < width; ++i) partial[i] += static_cast<double>(chunk[i]);
        }
    });
    for (int thread = 1; thread < task.threads; ++thread)
        for (std::int64_t i = 0; i < width; ++i) work.sums[i] += work.sums[thread * width + i];
}

double inverseDeviation(const Task& task, std::int64_t channel) {
    return 1 / std::sqrt(static_cast<double>(task.norm.variance.as<float>()[channel]) +
                         static_cast<double>(task.norm.epsilon));
}

template <class T>
void runForward(const Task& task) {
    const Work work(task.threads, task.channels, task.scratch.as<void>());
    auto* mean = task.norm.mean.as<float>();
    // A value near the mean, to avoid cancellation in squares: the first pixel.
    kernels().rows<T>().toF32(mean, task.norm.x.as<T>(), task.channels);
    sumPixels(task, work, [&](auto begin, auto end, float* sums) {
        kernels().rows<T>().channelMoments(rowsOf<T>(task, begin, end, nullptr), sums, sums + task.channels);
    });
    const auto count = static_cast<double>(task.pixels);
    for (std::int64_t c = 0; c < task.channels; ++c) {
        const double shift = work.sums[c] / count;
        mean[c] += static_cast<float>(shift);
        task.norm.variance.as<float>()[c] =
            static_cast<float>(std::max(work.sums[task.channels + c] / count - shift * shift, 0.0));
        work.coefficients[c] = static_cast<float>(task.norm.scale.as<float>()[c] * inverseDeviation(task, c));
    }
    parallelRows(task.pixels, task.channels, [&](std::int64_t begin, std::int64_t end) {
        kernels().rows<T>().normaliseChannels(rowsOf<T>(task, begin, end, work.coefficients));
    });
}

template <class T>
void runBackward(const Task& task) {
    const Work work(task.threads, task.channels, task.scratch.as<void>());
    auto* factor = work.coefficients;
    for (std::int64_t c = 0; c < task.channels; ++c)
        factor[c] = static_cast<float>(task.norm.scale.as<float>()[c] * inverseDeviation(task, c));
    sumPixels(task, work, [&](auto begin, auto end, float* sums) {
        kernels().rows<T>().channelGradientSums(rowsOf<T>(task, begin, end, factor), sums, sums + task.channels);
    });
    const auto count = static_cast<double>(task.pixels);
    for (std::int64_t c = 0; c < task.channels; ++c) {
        const double inverse = inverseDeviation(task, c), sum = work.sums[c], product = work.sums[task.channels + c];
        task.dScale.as<float>()[c] = static_cast<float>(inverse * product);
        task.dOffset.as<float>()[c] = static_cast<float>(sum);
        factor[task.channels + c] = static_cast<float>(-factor[c] * inverse * inverse * product / count);
        factor[2 * task.channels + c] = static_cast<float>(-factor[c] * sum / count);
    }
    parallelRows(task.pixels, task.channels, [&](std::int64_t begin, std::int64_t end) {
        kernels().rows<T>().channelGradient(rowsOf<T>(task, begin, end, factor));
    });
}

Task taskOf(Compiler& compiler, const ChannelNorm& norm) {
    Task task;
    task.norm = norm;
    const auto dims = dimsOf(norm.x.desc);
    task.channels = dims[1];
    task.pixels = paddedElements(norm.x.desc) / task.channels;
    task.threads = compiler.options().threads;
    task.scratch = compiler.scratch(Work(task.threads, task.channels, nullptr).bytes);
    return task;
}

}  // namespace

void emitChannelNorm(Compiler& compiler, const ChannelNorm& norm, const Value& y) {
    auto task = taskOf(compiler, norm);
    task.to = y;
    withElementType(norm.x.desc, [&]<class T>(T) {
        compiler.task("native:batch_norm", {norm.x, y, norm.scale, norm.offset, norm.mean, norm.variance, task.scratch},
                      [task](const StepState&) { runForward<T>(task); });
    });
}

void emitChannelNormGradient(Compiler& compiler, const ChannelNorm& norm, const Value& dy, const Value& dx,
                             const Value& dScale, const Value& dOffset) {
    auto task = taskOf(compiler, norm);
    task.dy = dy;
    task.to = dx;
    task.dScale = dScale;
    task.dOffset = dOffset;
    withElementType(norm.x.desc, [&]<class T>(T) {
        compiler.task(
            "native:batch_norm_gradient",
            {norm.x, dy, dx, norm.scale, norm.offset, norm.mean, norm.variance, dScale, dOffset, task.scratch},
            [task](const StepState&) { runBackward<T>(task); });
    });
}

}  // namespace steelyard::compute::cpu
