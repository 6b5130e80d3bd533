#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first checks on a machine with a GPU: tests/performance/machine/gpu_checks.sh [BUILD FOLDER] [DEVICE]
# Tests labelled cuda (every kernel, every layer, NCCL in a group of one), int8, imported operations and decoders, every network
# verified in each precision, scaling over several GPUs, compute-sanitizer on small cases, comparison with PyTorch and llama.cpp.
# Continues after a failure, prints a table at the end, and exits with the number of failed checks.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../../.."
build=${1:-build/dev}
device=${2:-cuda:0}
cli=$build/bin/steelyard-cli
log=$build/gpu_checks
mkdir -p "$log"
results=()
failures=0

check() {  # check NAME COMMAND...
  local name=$1
  shift
  printf '\n== %s: %s\n' "$name" "$*" >&2
  if "$@" >"$log/$name.log" 2>&1; then
    results+=("ok      $name")
  else
    results+=("FAILED  $name ($log/$name.log)")
    failures=$((failures + 1))
    tail -n 20 "$log/$name.log" >&2
  fi
}

[ -x "$cli" ] || { echo "there is no $cli: build first" >&2; exit 1; }
"$cli" detect | tee "$log/detect.log"
if ! "$cli" doctor >"$log/doctor.log" 2>&1; then cat "$log/doctor.log" >&2; fi

check tests ctest --test-dir "$build" -L cuda --output-on-failure
# Tests of the simulated device that take a real one: int8, imported operations, their gradients, ONNX cases, decoders.
export STEELYARD_TEST_GPU_PLUGIN=$build/bin
check eight_bits "$build/bin/test_compute_cuda_simulated" --gtest_filter='*CudaEightBit*'
check onnx_eight_bits "$build/bin/test_onnx_int8" --gtest_filter='*_gpu:OnnxInt8.StepsOfExactGrids*'
check arrays "$build/bin/test_array_operations" --gtest_filter='*AGpu*:ArrayFusion*'
check gradients "$build/bin/test_array_gradients"
check onnx_cases "$build/bin/test_onnx_cases" --gtest_filter='*gpu*'
check decoders "$build/bin/test_compute_language" --gtest_filter='*Cuda*'
unset STEELYARD_TEST_GPU_PLUGIN
for precision in fp32 tf32 bf16 fp16; do
  check "verify_$precision" "$cli" verify --device "$device" --precision "$precision"
done
check verify_int8 "$cli" verify --device "$device" --precision int8 --mode infer

# One GPU only covers the exchange itself (in the tests above); scaling needs several.
gpus=$("$cli" list devices --json | grep -c '"cuda:')
if [ "$gpus" -ge 2 ]; then
  check scaling "$cli" run --suite scaling --no-save
  check scaling_bf16 "$cli" run --suite scaling --precision bf16 --no-save
  check shared "$cli" run --workload mnist_mlp,resnet56 --gpus 1,2 --scaling strong,weak,experiments --no-save --json
else
  results+=("skipped scaling: several GPUs are needed, there are $gpus")
fi

if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck initcheck synccheck; do
    check "sanitizer_$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$build/bin/test_compute_cuda_device" --gtest_filter='*Layers*:*ExchangesGradients*:*DeviceWays*'
    STEELYARD_TEST_GPU_PLUGIN=$build/bin check "sanitizer_decoders_$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$build/bin/test_compute_language" --gtest_filter='CudaDecoder.*'
    STEELYARD_TEST_GPU_PLUGIN=$build/bin check "sanitizer_eight_bits_$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$build/bin/test_compute_cuda_simulated" --gtest_filter='CudaEightBit.*'
    check "sanitizer_attention_$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$build/bin/test_compute_cuda_kernels_device" --gtest_filter='FusedAttention*'
  done
else
  results+=("skipped sanitizer: compute-sanitizer is not in PATH")
fi

peer=${STEELYARD_BENCH_PYTHON:-python3}
if "$peer" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
  check pytorch env STEELYARD_PRESET="$(basename "$build")" "$peer" tests/performance/compare/compare_together.py --device "$device"
else
  results+=("skipped pytorch: this Python has no PyTorch that sees a GPU")
fi

if [ -n "${STEELYARD_LLAMA_CUDA_PYTHON:-}" ]; then
  check llama env STEELYARD_PRESET="$(basename "$build")" python3 tests/performance/compare/compare_llama.py --device "$device"
else
  results+=("skipped llama: STEELYARD_LLAMA_CUDA_PYTHON names no llama-cpp-python that is built with GGML_CUDA")
fi

printf '\n'
printf '%s\n' "${results[@]}"
exit "$failures"
