// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/convolution/convolution_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/convolution/convolution_forward.h"

namespace steelyard::compute::cpu {
namespace {

using PrimitiveDesc = convolution_forward::primitive_desc;

constexpr std::int64_t kUncachedBytes = 8 << 20;        // of a result in between; less stays in the cache anyway
constexpr std::int64_t kCachedBytesOfThread = 2 << 20;  // of a result in between, of the images that run together
constexpr std::int64_t kMostTimes = 4;                  // as many images are tried, too
constexpr std::int64_t kTrialBytes = 128 << 20;         // of a result in between in trials

class ConvolutionChain {
public:
    ConvolutionChain(Compiler& compiler, std::size_t length) : m_compiler(compiler) {
        for (std::size_t k = 0; k < length; ++k)
            m_links.push_back(
                compiler.asOperation(k, [&](const plan::Operation& op) { return forwardConvolution(compiler, op); }));
        m_batch = m_links.front().maker.shape.source[0];
    }

    // Whether the library has code for parts of the batch, in the layouts that it chooses for the whole.
    [[nodiscard]] bool isPossible() {
        const auto bytes = bytesBetween();
        if (m_batch * bytes < kUncachedBytes) return false;
        for (const auto& link : m_links)
            if (link.normalisation == Normalisation::After || hasWinogradWeights(link.maker.shape)) return false;
        const auto whole = descriptions(m_batch);
        if (whole.empty()) return false;
        m_source = whole.front().src_desc();
        m_target = whole.back().dst_desc();
        auto images = std::clamp<std::int64_t>(m_compiler.options().threads * kCachedBytesOfThread / bytes, 1, m_batch);
        while (m_batch % images != 0) --images;
        const auto unit = kMostTimes * images;
        m_trialBatch = std::min(m_batch, blocks(kTrialBytes, bytes * unit) * unit);
        for (std::int64_t times = 1; times <= kMostTimes && times * images < m_batch; times *= 2) {
            if (m_batch % (times * images) != 0) break;
            auto parts = descriptions(times * images);
            if (parts.empty()) break;
            for (std::size_t k = 0; k < m_links.size(); ++k)
                if (!divides(parts[k], whole[k])) return false;
            m_candidates.push_back(std::move(parts));
        }
        return !m_candidates.empty();
    }

    // The fastest parts of the batch, unless one operation after the other is faster, each by the library's direct
    // convolution.
    [[nodiscard]] bool isFaster() {
        const auto whole = descriptions(m_trialBatch);
        if (whole.empty()) return false;
        std::string key = "chain";
        for (const auto& link : m_links) key += " " + trialKey(of(link.maker, m_trialBatch), "forward");
        std::vector<TrialMaker> trials{trial(whole)};
        for (const auto& parts : m_candidates) {
            key += fmt::format(" {}", imagesOf(parts));
            trials.push_back(trial(parts));
        }
        const auto choice = m_compiler.tuner().fastest(key, trials);
        if (choice.index == 0) return false;
        m_parts = m_candidates[static_cast<std::size_t>(choice.index - 1)];
        return true;
    }

    // A shortcut may be the source of the chain: each part then overwrites the bytes that it has read, and no others.
    void emit() {
        std::vector<Operands> operands;
        for (std::size_t k = 0; k < m_links.size(); ++k)
            operands.push_back(m_compiler.asOperation(k, [&](const plan::Operation& op) {
                auto own = forwardWeights(m_compiler, op, m_links[k], m_parts[k].weights_desc());
                if (k == 0) own.a = m_compiler.valueAs(op.inputs[0], m_source);
                if (k + 1 < m_links.size())
                    own.c = m_compiler.scratch(m_parts[k].dst_desc());
                else if (m_compiler.fusion().addsInput)
                    own.c = m_compiler.defineOver(op.output, op.inputs[1], m_target);
                else
                    own.c = m_compiler.define(op.output, m_target);
                return own;
            }));
        for (std::int64_t part = 0; part < m_batch / imagesOf(m_parts); ++part)
            for (std::size_t k = 0; k < m_links.size(); ++k) {
                auto own = operands[k];
                const auto& desc = m_parts[k];
                own.a = k == 0 ? own.a.viewed(desc.src_desc(), part * bytesOf(desc.src_desc())) : operands[k - 1].c;
                if (k + 1 == m_links.size()) own.c = own.c.viewed(desc.dst_desc(), part * bytesOf(desc.dst_desc()));
                emitLibrary<convolution_forward>(m_compiler, LibraryConvolution<PrimitiveDesc>{desc, desc}, own);
            }
        m_compiler.take(m_links.size());
    }

private:
    using Descriptions = std::vector<PrimitiveDesc>;  // of all links

    static std::int64_t imagesOf(const Descriptions& descs) { return dimsOf(descs.front().src_desc())[0]; }

    // Of the largest result in between, per image.
    [[nodiscard]] std::int64_t bytesBetween() const {
        std::int64_t bytes = 0;
        for (std::size_t k = 0; k + 1 < m_links.size(); ++k) {
            const auto& shape = m_links[k].maker.shape;
            const auto size = static_cast<std::int64_t>(dnnl::memory::data_type_size(shape.kind));
            bytes = std::max(bytes, shape.target[1] * shape.target[2] * shape.target[3] * size);
        }
        return bytes;
    }

    static ConvolutionMaker of(ConvolutionMaker maker, std::int64_t batch) {
        maker.shape.source[0] = maker.shape.target[0] = batch;
        return maker;
    }

    // For a number of images. Empty if the library has no code, or if the layouts differ in between.
    [[nodiscard]] Descriptions descriptions(std::int64_t batch) const {
        Descriptions all;
        try {
            for (const auto& link : m_links) {
                const auto desc = describeDirect(of(link.maker, batch), makeForward);
                if (!desc || (!all.empty() && desc->src_desc() != all.back().dst_desc())) return {};
                all.push_back(*desc);
            }
        } catch (const dnnl::error&) {
            return {};
        }
        return all;
    }

    // Runs of all links, for as many images as the descriptions are for, until the trial's batch is complete.
    [[nodiscard]] TrialMaker trial(const Descriptions& descs) const {
        const auto parts = m_trialBatch / imagesOf(descs);
        return [descs, parts, engine = m_compiler.engine()]() -> Trial {
            struct Call {
                dnnl::primitive primitive;
                std::unordered_map<int, dnnl::memory> arguments;
            };
            const auto all = [&](const Desc& part) {
                return trialMemory(plainDesc(Dims{parts * bytesOf(part)}, DataKind::u8), engine);
            };
            const auto source = all(descs.front().src_desc()), target = all(descs.back().dst_desc());
            std::vector<dnnl::memory> between;
            std::vector<std::unordered_map<int, dnnl::memory>> constants;
            for (const auto& desc : descs) {
                between.push_back(trialMemory(desc.dst_desc(), engine));
                auto& own = constants.emplace_back();
                own.emplace(DNNL_ARG_WEIGHTS, trialMemory(desc.weights_desc(), engine));
                if (desc.bias_desc().get_size() > 0) own.emplace(DNNL_ARG_BIAS, trialMemory(desc.bias_desc(), engine));
                if (desc.scratchpad_desc().get_size() > 0)
                    own.emplace(DNNL_ARG_SCRATCHPAD, trialMemory(desc.scratchpad_desc(), engine));
            }
            const auto partOf = [&](const dnnl::memory& whole, const Desc& desc, std::int64_t part) {
                return dnnl::memory(desc, engine,
                                    static_cast<std::byte*>(whole.get_data_handle()) + part * bytesOf(desc));
            };
            std::vector<Call> calls;
            for (std::int64_t part = 0; part < parts; ++part)
                for (std::size_t k = 0; k < descs.size(); ++k) {
                    auto arguments = constants[k];
                    arguments[DNNL_ARG_SRC] = k == 0 ? partOf(source, descs[k].src_desc(), part) : between[k - 1];
                    arguments[DNNL_ARG_DST] =
                        k + 1 == descs.size() ? partOf(target, descs[k].dst_desc(), part) : between[k];
                    calls.push_back({convolution_forward(descs[k]), std::move(arguments)});
                }
            return [source, target, calls = std::move(calls), stream = dnnl::stream(engine)] {
                for (const auto& call : calls) call.primitive.execute(stream, call.arguments);
            };
        };
    }

    Compiler& m_compiler;
    std::vector<ForwardConvolution> m_links;
    std::int64_t m_batch = 0, m_trialBatch = 0;
    std::vector<Descriptions> m_candidates;  // for parts of increasing size
    Descriptions m_parts;                    // those chosen
    Desc m_source, m_target;                 // of all images
};

}  // namespace

bool emitConvolutionChain(Compiler& compiler) {
    if (compiler.training() || compiler.options().kernels != "auto") return false;
    if (compiler.plan().options.precision == plan::Precision::Int8) return false;
    const auto length = compiler.fusion().chain;
    if (length == 0) return false;
    ConvolutionChain chain(compiler, length);
    if (!chain.isPossible() || !chain.isFaster()) return false;
    chain.emit();
    return true;
}

}  // namespace steelyard::compute::cpu
