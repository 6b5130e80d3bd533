// SPDX-License-Identifier: Apache-2.0
// All kernels of the CUDA backend; see types.h for the rules.
#pragma once

#include "engine/compute/cuda/kernels/embedding.h"
#include "engine/compute/cuda/kernels/fused_attention.h"
#include "engine/compute/cuda/kernels/normalisation.h"
#include "engine/compute/cuda/kernels/optimiser.h"
#include "engine/compute/cuda/kernels/padding.h"
#include "engine/compute/cuda/kernels/pointwise.h"
#include "engine/compute/cuda/kernels/probe.h"
#include "engine/compute/cuda/kernels/recurrent.h"
#include "engine/compute/cuda/kernels/reduction.h"
#include "engine/compute/cuda/kernels/shaping.h"
#include "engine/compute/cuda/kernels/softmax_loss.h"
#include "engine/compute/cuda/kernels/tensor_attention.h"
#include "engine/compute/cuda/kernels/types.h"
