#!/bin/sh
cd "$(dirname "$0")" || exit 1
STEELYARD=/opt/steelyard/bin/steelyard-cli
timeout --signal=TERM --kill-after=60 1800 "$STEELYARD" campaign measure --campaign 0123456789ab --candidate auto --results results --cases cases.json --index "$1"
code=$?
# 2: the job does not fit this machine. Another attempt would end the same way; the result says why.
[ "$code" != 2 ] || code=0
exit "$code"
