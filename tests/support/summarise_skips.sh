#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the tests that the last ctest run skipped, by reason, e.g. kernels for instruction sets not supported by this machine.
# usage: tests/support/summarise_skips.sh BUILD_FOLDER
set -euo pipefail
log="$1/Testing/Temporary/LastTest.log"
[ -r "$log" ] || exit 0
# GoogleTest prints "FILE:LINE: Skipped" and the reason on the next line.
awk '
  reason { if ($0 != "") { sub(/:.*/, ""); count[$0]++; total++ } reason = 0; next }
  /: Skipped$/ { reason = 1 }
  END {
    if (total == 0) exit
    printf "%d tests were skipped on this machine:\n", total
    for (text in count) printf "  %5d  %s\n", count[text], text | "sort -k1,1nr -k2"
  }' "$log"
