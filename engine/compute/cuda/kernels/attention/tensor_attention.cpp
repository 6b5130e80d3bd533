// SPDX-License-Identifier: Apache-2.0
// Host twin of device/tensor_attention.cu: not supported.
#include "engine/compute/cuda/kernels/attention/tensor_attention.h"

namespace steelyard::compute::cuda::kernels {

bool tensorAttentionFits(ElementType /*type*/, const AttentionShape& /*shape*/, int /*blockRows*/) {
    return false;
}

Status tensorAttentionForward(Stream /*stream*/, ElementType /*type*/, const AttentionShape& /*shape*/,
                              int /*blockRows*/, const void* /*q*/, const void* /*k*/, const void* /*v*/,
                              void* /*output*/, float* /*logSums*/) {
    return kNotSupported;
}

Status tensorAttentionBackward(Stream /*stream*/, ElementType /*type*/, const AttentionShape& /*shape*/,
                               int /*blockRows*/, const AttentionGradients& /*g*/) {
    return kNotSupported;
}

}  // namespace steelyard::compute::cuda::kernels
