// SPDX-License-Identifier: Apache-2.0
// All kernels of the CUDA backend; see types.h for the rules.
#pragma once

#include "engine/compute/cuda/kernels/array/array_kernels.h"
#include "engine/compute/cuda/kernels/attention/fused_attention.h"
#include "engine/compute/cuda/kernels/attention/tensor_attention.h"
#include "engine/compute/cuda/kernels/decoder/decoder_layers.h"
#include "engine/compute/cuda/kernels/eight_bit/eight_bit.h"
#include "engine/compute/cuda/kernels/embedding.h"
#include "engine/compute/cuda/kernels/execution/probe.h"
#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/compute/cuda/kernels/normalisation/normalisation.h"
#include "engine/compute/cuda/kernels/optimiser/optimiser.h"
#include "engine/compute/cuda/kernels/pointwise/padding.h"
#include "engine/compute/cuda/kernels/pointwise/pointwise.h"
#include "engine/compute/cuda/kernels/pointwise/shaping.h"
#include "engine/compute/cuda/kernels/recurrent.h"
#include "engine/compute/cuda/kernels/reduction.h"
#include "engine/compute/cuda/kernels/softmax_loss.h"
