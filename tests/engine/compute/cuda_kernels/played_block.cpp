// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda_kernels/played_block.h"

#include <ucontext.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>

#include "engine/compute/cuda/kernels/device/tensor_core.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr std::size_t kStack = 512 * 1024;

struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    bool isPresent;

    void run() const {
        if (isPresent)
            std::memcpy(to, from, bytes);
        else
            std::memset(to, 0, bytes);
    }
};

struct Thread {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(kStack);
    bool isDone = false;
    std::vector<Copy> open;                // not yet in a group
    std::deque<std::vector<Copy>> groups;  // the oldest first
};

// A synchronisation point of threads: the last one to arrive performs the collective operation.
struct Meeting {
    int arrived = 0, turn = 0;
    void* given[32] = {};
};

struct Block {
    std::vector<Thread> threads;
    std::vector<Meeting> warps;
    Meeting whole;
    ucontext_t player{};
    std::size_t current = 0;
    Copies copies = Copies::Late;
    const std::function<void()>* work = nullptr;
};
Block* block = nullptr;

void begin() {
    (*block->work)();
    block->threads[block->current].isDone = true;
    swapcontext(&block->threads[block->current].context, &block->player);
}

template <typename F>
void meet(Meeting& meeting, int count, const F& work) {
    const int turn = meeting.turn;
    if (++meeting.arrived == count) {
        work();
        meeting.arrived = 0;
        ++meeting.turn;
    }
    while (meeting.turn == turn) swapcontext(&block->threads[block->current].context, &block->player);
}

// work(all): the values of the 32 lanes of the warp, for reading and writing.
template <typename Given, typename F>
void meetWarp(Given& given, const F& work) {
    auto& meeting = block->warps[block->current / 32];
    meeting.given[block->current % 32] = &given;
    meet(meeting, 32, [&] { work([&](int lane) -> Given& { return *static_cast<Given*>(meeting.given[lane]); }); });
}

void requireAligned(const void* address, std::size_t bytes) {
    if (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) throw std::logic_error("not aligned");
}

template <typename T>
float valueIn(std::uint32_t word, int i) {
    return toFloat(T{static_cast<std::uint16_t>(i == 0 ? word & 0xffffU : word >> 16)});
}
template <typename T>
std::uint32_t wordWith(float low, float high) {
    return fromFloat<T>(low).bits | static_cast<std::uint32_t>(fromFloat<T>(high).bits) << 16;
}

struct Product {
    Sums& sums;
    const Fragment& a;
    const Fragment& b;
    int first;
};

// Matrix fragments for mma.m16n8k16 with .f16 and .bf16, in the notation of the PTX ISA: groupID = lane >> 2.
template <typename T>
void multiply(Sums& sums, const Fragment& fragmentA, const Fragment& fragmentB, int first) {
    Product given{sums, fragmentA, fragmentB, first};
    meetWarp(given, [](const auto& of) {
        float a[16][16], b[16][8];
        for (int lane = 0; lane < 32; ++lane) {
            const int group = lane >> 2, within = lane % 4;
            for (int i = 0; i < 8; ++i) {
                const int row = (i >= 0 && i < 2) || (i >= 4 && i < 6) ? group : group + 8;
                const int column = i < 4 ? within * 2 + (i & 1) : within * 2 + (i & 1) + 8;
                a[row][column] = valueIn<T>(of(lane).a.at[i / 2], i % 2);
            }
            for (int i = 0; i < 4; ++i) {
                const int row = i < 2 ? within * 2 + (i & 1) : within * 2 + (i & 1) + 8;
                b[row][group] = valueIn<T>(of(lane).b.at[of(lane).first + i / 2], i % 2);
            }
        }
        for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < 4; ++i) {
                const int row = i < 2 ? lane >> 2 : (lane >> 2) + 8, column = lane % 4 * 2 + (i & 1);
                for (int k = 0; k < 16; ++k) of(lane).sums.at[i] += a[row][k] * b[k][column];
            }
    });
}

}  // namespace

void playBlock(int threads, Copies copies, const std::function<void()>& thread) {
    Block played;
    played.threads = std::vector<Thread>(static_cast<std::size_t>(threads));
    played.warps.resize(static_cast<std::size_t>(threads) / 32);
    played.copies = copies;
    played.work = &thread;
    block = &played;
    for (auto& one : played.threads) {
        getcontext(&one.context);
        one.context.uc_stack.ss_sp = one.stack.get();
        one.context.uc_stack.ss_size = kStack;
        makecontext(&one.context, begin, 0);
    }
    for (bool isLeft = true; isLeft;) {
        isLeft = false;
        for (played.current = 0; played.current < played.threads.size(); ++played.current) {
            if (played.threads[played.current].isDone) continue;
            swapcontext(&played.player, &played.threads[played.current].context);
            isLeft = isLeft || !played.threads[played.current].isDone;
        }
    }
    block = nullptr;
}

int threadIndex() {
    return static_cast<int>(block->current);
}
void blockBarrier() {
    meet(block->whole, static_cast<int>(block->threads.size()), [] {});
}
void warpBarrier() {
    int nothing = 0;
    meetWarp(nothing, [](const auto& /*of*/) {});
}

namespace {

float shuffled(float value, const std::function<int(int)>& from) {
    struct Given {
        float value, result;
        const std::function<int(int)>& from;
    } given{value, 0, from};
    meetWarp(given, [](const auto& of) {
        for (int lane = 0; lane < 32; ++lane) of(lane).result = of(of(lane).from(lane)).value;
    });
    return given.result;
}

}  // namespace

float shuffledXor(float value, int mask) {
    return shuffled(value, [=](int lane) { return lane ^ mask; });
}
float shuffledFrom(float value, int lane) {
    return shuffled(value, [=](int /*lane*/) { return lane; });
}
float exp2Of(float value) {
    return std::exp2(value);
}

template <int Bytes>
void copyAsync(void* shared, int offset, const void* from, bool isPresent) {
    auto* to = static_cast<std::byte*>(shared) + offset;
    requireAligned(to, Bytes);
    requireAligned(from, Bytes);
    const Copy copy{to, from, Bytes, isPresent};
    if (block->copies == Copies::AtOnce) return copy.run();
    block->threads[block->current].open.push_back(copy);
}
template void copyAsync<4>(void* shared, int offset, const void* from, bool isPresent);
template void copyAsync<16>(void* shared, int offset, const void* from, bool isPresent);

void commitCopies() {
    auto& thread = block->threads[block->current];
    thread.groups.push_back(std::move(thread.open));
    thread.open.clear();
}
template <int Latest>
void waitForCopies() {
    auto& groups = block->threads[block->current].groups;
    for (; groups.size() > Latest; groups.pop_front())
        for (const auto& copy : groups.front()) copy.run();
}
template void waitForCopies<1>();

// "thread 0..7 hold the addresses of the first matrix"; each gets the r/4-th row's (r%4)-th pair of it.
template <bool Transposed>
Fragment loadMatrices(const void* shared, int offset) {
    requireAligned(static_cast<const std::byte*>(shared) + offset, 16);
    struct Given {
        const unsigned char* row;
        Fragment result;
    } given{static_cast<const unsigned char*>(shared) + offset, {}};
    meetWarp(given, [](const auto& of) {
        const auto element = [&](int matrix, int row, int column) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, of(matrix * 8 + row).row + column * 2, 2);
            return static_cast<std::uint32_t>(bits);
        };
        for (int lane = 0; lane < 32; ++lane)
            for (int matrix = 0; matrix < 4; ++matrix) {
                const int outer = lane / 4, inner = lane % 4 * 2;
                of(lane).result.at[matrix] =
                    Transposed ? element(matrix, inner, outer) | element(matrix, inner + 1, outer) << 16
                               : element(matrix, outer, inner) | element(matrix, outer, inner + 1) << 16;
            }
    });
    return given.result;
}
template Fragment loadMatrices<false>(const void* shared, int offset);
template Fragment loadMatrices<true>(const void* shared, int offset);

void multiplyAdd(Half /*type*/, Sums& sums, const Fragment& a, const Fragment& b, int first) {
    multiply<Half>(sums, a, b, first);
}
void multiplyAdd(Bfloat16 /*type*/, Sums& sums, const Fragment& a, const Fragment& b, int first) {
    multiply<Bfloat16>(sums, a, b, first);
}
std::uint32_t wordOf(Half /*type*/, float low, float high) {
    return wordWith<Half>(low, high);
}
std::uint32_t wordOf(Bfloat16 /*type*/, float low, float high) {
    return wordWith<Bfloat16>(low, high);
}

std::uint32_t loadWord(const void* from) {
    std::uint32_t word = 0;
    requireAligned(from, 4);
    std::memcpy(&word, from, 4);
    return word;
}
void storeWord(void* to, std::uint32_t word) {
    requireAligned(to, 4);
    std::memcpy(to, &word, 4);
}
Fragment loadWords(const void* from) {
    Fragment words{};
    requireAligned(from, 16);
    std::memcpy(&words, from, 16);
    return words;
}
void storeWords(void* to, const Fragment& words) {
    requireAligned(to, 16);
    std::memcpy(to, &words, 16);
}

}  // namespace steelyard::compute::cuda::kernels
