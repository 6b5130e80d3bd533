// SPDX-License-Identifier: Apache-2.0
// The only place that depends on the major version of oneDNN. Version 2 builds a primitive descriptor from an operation
// descriptor, version 3 takes the arguments directly; memory descriptors are a plain struct in 2 and a handle in 3.
// Absent tensors (no bias) are empty descriptors in both. Functions throw dnnl::error if there is no implementation.
#pragma once

#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::compute::cpu {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
using DataKind = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

struct Window {  // per spatial dimension
    Dims kernel, stride, begin, end;
};

#if DNNL_VERSION_MAJOR >= 3

// Version 2 requires the shift as an input of the backward pass, version 3 rejects it.
inline constexpr bool kBatchNormBackwardTakesShift = false;

// Whether an optional descriptor is empty: in version 3 it has no handle, and accessing it throws.
[[nodiscard]] inline bool isEmpty(const Desc& desc) {
    return desc.get(true) == nullptr || desc.get_size() == 0;
}

template <class Primitive, class... Args>
[[nodiscard]] auto describe(const dnnl::engine& engine, const dnnl::primitive_attr& attributes, const Args&... args) {
    return typename Primitive::primitive_desc(engine, args..., attributes);
}
template <class Primitive, class Hint, class... Args>
[[nodiscard]] auto describeBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                    const Hint& hint, const Args&... args) {
    return typename Primitive::primitive_desc(engine, args..., hint, attributes);
}

[[nodiscard]] inline Dims dimsOf(const Desc& desc) {
    return desc.get_dims();
}
[[nodiscard]] inline Dims paddedDimsOf(const Desc& desc) {
    return desc.get_padded_dims();
}
[[nodiscard]] inline Dims stridesOf(const Desc& desc) {
    return desc.get_strides();
}
[[nodiscard]] inline Dims innerBlocksOf(const Desc& desc) {
    return desc.get_inner_blks();
}
[[nodiscard]] inline Dims innerIndicesOf(const Desc& desc) {
    return desc.get_inner_idxs();
}
[[nodiscard]] inline DataKind kindOf(const Desc& desc) {
    return desc.get_data_type();
}
[[nodiscard]] inline bool isBlocked(const Desc& desc) {
    return desc.get_format_kind() == dnnl::memory::format_kind::blocked;
}

inline void appendActivation(dnnl::post_ops& operations, dnnl::algorithm algorithm, float alpha, float beta) {
    operations.append_eltwise(algorithm, alpha, beta);
}
[[nodiscard]] inline auto describeEltwise(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                          dnnl::prop_kind propagation, dnnl::algorithm algorithm, const Desc& data,
                                          float alpha, float beta) {
    return dnnl::eltwise_forward::primitive_desc(engine, propagation, algorithm, data, data, alpha, beta, attributes);
}
[[nodiscard]] inline auto describeEltwiseBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                  const dnnl::eltwise_forward::primitive_desc& hint,
                                                  dnnl::algorithm algorithm, const Desc& data, float alpha,
                                                  float beta) {
    return dnnl::eltwise_backward::primitive_desc(engine, algorithm, data, data, data, alpha, beta, hint, attributes);
}
[[nodiscard]] inline auto describePool(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                       dnnl::prop_kind propagation, dnnl::algorithm algorithm, const Desc& source,
                                       const Desc& target, const Window& w) {
    return dnnl::pooling_forward::primitive_desc(engine, propagation, algorithm, source, target, w.stride, w.kernel,
                                                 Dims(w.kernel.size(), 0), w.begin, w.end, attributes);
}
[[nodiscard]] inline auto describePoolBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                               const dnnl::pooling_forward::primitive_desc& hint,
                                               dnnl::algorithm algorithm, const Desc& source, const Desc& target,
                                               const Window& w) {
    return dnnl::pooling_backward::primitive_desc(engine, algorithm, source, target, w.stride, w.kernel,
                                                  Dims(w.kernel.size(), 0), w.begin, w.end, hint, attributes);
}
[[nodiscard]] inline auto describeBatchNorm(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                            dnnl::prop_kind propagation, const Desc& layout, float epsilon,
                                            dnnl::normalization_flags flags) {
    return dnnl::batch_normalization_forward::primitive_desc(engine, propagation, layout, layout, epsilon, flags,
                                                             attributes);
}
[[nodiscard]] inline auto describeBatchNormBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                    const dnnl::batch_normalization_forward::primitive_desc& hint,
                                                    const Desc& layout, float epsilon,
                                                    dnnl::normalization_flags flags) {
    return dnnl::batch_normalization_backward::primitive_desc(engine, dnnl::prop_kind::backward, layout, layout, layout,
                                                              epsilon, flags, hint, attributes);
}
[[nodiscard]] inline auto describeConcat(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                         int dimension, const std::vector<Desc>& sources) {
    return dnnl::concat::primitive_desc(engine, dimension, sources, attributes);
}
[[nodiscard]] inline auto describeBinary(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                         dnnl::algorithm algorithm, const Desc& a, const Desc& b, const Desc& target) {
    return dnnl::binary::primitive_desc(engine, algorithm, a, b, target, attributes);
}

[[nodiscard]] inline auto describeResponseNorm(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                               const Desc& data, std::int64_t size, float alpha, float beta,
                                               float bias) {
    return dnnl::lrn_forward::primitive_desc(engine, dnnl::prop_kind::forward_inference,
                                             dnnl::algorithm::lrn_across_channels, data, data, size, alpha, beta, bias,
                                             attributes);
}
[[nodiscard]] inline auto describeDeconvolution(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                const Desc& source, const Desc& weights, const Desc& bias,
                                                const Desc& target, const Window& w, const Dims& dilation) {
    return dnnl::deconvolution_forward::primitive_desc(engine, dnnl::prop_kind::forward_inference,
                                                       dnnl::algorithm::deconvolution_direct, source, weights, bias,
                                                       target, w.stride, dilation, w.begin, w.end, attributes);
}

#else

inline constexpr bool kBatchNormBackwardTakesShift = true;

[[nodiscard]] inline bool isEmpty(const Desc& desc) {
    return desc.get_size() == 0;
}

template <class Primitive, class... Args>
[[nodiscard]] auto describe(const dnnl::engine& engine, const dnnl::primitive_attr& attributes, const Args&... args) {
    return typename Primitive::primitive_desc(typename Primitive::desc(args...), attributes, engine);
}
template <class Primitive, class Hint, class... Args>
[[nodiscard]] auto describeBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                    const Hint& hint, const Args&... args) {
    return typename Primitive::primitive_desc(typename Primitive::desc(args...), attributes, engine, hint);
}

[[nodiscard]] inline Dims dimsOf(const Desc& desc) {
    return desc.dims();
}
[[nodiscard]] inline Dims paddedDimsOf(const Desc& desc) {
    return Dims(desc.data.padded_dims, desc.data.padded_dims + desc.data.ndims);
}
[[nodiscard]] inline Dims stridesOf(const Desc& desc) {
    const auto& strides = desc.data.format_desc.blocking.strides;
    return Dims(strides, strides + desc.data.ndims);
}
[[nodiscard]] inline Dims innerBlocksOf(const Desc& desc) {
    const auto& blocking = desc.data.format_desc.blocking;
    return Dims(blocking.inner_blks, blocking.inner_blks + blocking.inner_nblks);
}
[[nodiscard]] inline Dims innerIndicesOf(const Desc& desc) {
    const auto& blocking = desc.data.format_desc.blocking;
    return Dims(blocking.inner_idxs, blocking.inner_idxs + blocking.inner_nblks);
}
[[nodiscard]] inline DataKind kindOf(const Desc& desc) {
    return desc.data_type();
}
[[nodiscard]] inline bool isBlocked(const Desc& desc) {
    return desc.data.format_kind == dnnl_blocked;
}

inline void appendActivation(dnnl::post_ops& operations, dnnl::algorithm algorithm, float alpha, float beta) {
    operations.append_eltwise(1.0F, algorithm, alpha, beta);
}
[[nodiscard]] inline auto describeEltwise(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                          dnnl::prop_kind propagation, dnnl::algorithm algorithm, const Desc& data,
                                          float alpha, float beta) {
    return describe<dnnl::eltwise_forward>(engine, attributes, propagation, algorithm, data, alpha, beta);
}
[[nodiscard]] inline auto describeEltwiseBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                  const dnnl::eltwise_forward::primitive_desc& hint,
                                                  dnnl::algorithm algorithm, const Desc& data, float alpha,
                                                  float beta) {
    return describeBackward<dnnl::eltwise_backward>(engine, attributes, hint, algorithm, data, data, alpha, beta);
}
[[nodiscard]] inline auto describePool(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                       dnnl::prop_kind propagation, dnnl::algorithm algorithm, const Desc& source,
                                       const Desc& target, const Window& w) {
    return describe<dnnl::pooling_forward>(engine, attributes, propagation, algorithm, source, target, w.stride,
                                           w.kernel, w.begin, w.end);
}
[[nodiscard]] inline auto describePoolBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                               const dnnl::pooling_forward::primitive_desc& hint,
                                               dnnl::algorithm algorithm, const Desc& source, const Desc& target,
                                               const Window& w) {
    return describeBackward<dnnl::pooling_backward>(engine, attributes, hint, algorithm, source, target, w.stride,
                                                    w.kernel, w.begin, w.end);
}
[[nodiscard]] inline auto describeBatchNorm(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                            dnnl::prop_kind propagation, const Desc& layout, float epsilon,
                                            dnnl::normalization_flags flags) {
    return describe<dnnl::batch_normalization_forward>(engine, attributes, propagation, layout, epsilon, flags);
}
[[nodiscard]] inline auto describeBatchNormBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                    const dnnl::batch_normalization_forward::primitive_desc& hint,
                                                    const Desc& layout, float epsilon,
                                                    dnnl::normalization_flags flags) {
    return describeBackward<dnnl::batch_normalization_backward>(engine, attributes, hint, dnnl::prop_kind::backward,
                                                                layout, layout, epsilon, flags);
}
[[nodiscard]] inline auto describeConcat(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                         int dimension, const std::vector<Desc>& sources) {
    return dnnl::concat::primitive_desc(dimension, sources, engine, attributes);
}
[[nodiscard]] inline auto describeBinary(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                         dnnl::algorithm algorithm, const Desc& a, const Desc& b, const Desc& target) {
    return describe<dnnl::binary>(engine, attributes, algorithm, a, b, target);
}

[[nodiscard]] inline auto describeResponseNorm(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                               const Desc& data, std::int64_t size, float alpha, float beta,
                                               float bias) {
    return describe<dnnl::lrn_forward>(engine, attributes, dnnl::prop_kind::forward_inference,
                                       dnnl::algorithm::lrn_across_channels, data, size, alpha, beta, bias);
}
[[nodiscard]] inline auto describeDeconvolution(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                const Desc& source, const Desc& weights, const Desc& bias,
                                                const Desc& target, const Window& w, const Dims& dilation) {
    return describe<dnnl::deconvolution_forward>(engine, attributes, dnnl::prop_kind::forward_inference,
                                                 dnnl::algorithm::deconvolution_direct, source, weights, bias, target,
                                                 w.stride, dilation, w.begin, w.end);
}

#endif

// Row-major, no padding.
[[nodiscard]] inline Desc plainDesc(const Dims& dims, DataKind kind) {
    Dims strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
    return Desc(dims, kind, strides);
}
[[nodiscard]] inline Desc anyDesc(const Dims& dims, DataKind kind) {
    return Desc(dims, kind, Tag::any);
}
[[nodiscard]] inline bool isPlain(const Desc& desc) {
    return desc == plainDesc(dimsOf(desc), kindOf(desc));
}
[[nodiscard]] inline std::int64_t bytesOf(const Desc& desc) {
    return static_cast<std::int64_t>(desc.get_size());
}

// The library silently falls back to reference code, which is two hundred times slower and never a valid choice for
// matrix operations.
[[nodiscard]] inline bool isReference(std::string_view implementation) {
    return implementation.substr(0, 3) == "ref" || implementation.find("ref:") != std::string_view::npos;
}

}  // namespace steelyard::compute::cpu
