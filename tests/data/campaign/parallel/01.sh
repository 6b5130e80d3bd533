#!/bin/sh
cd "$(dirname "$0")" || exit 1
# example machine
scp -q -o BatchMode=yes -- /home/me/steelyard.tar.gz nodeA:steelyard-bundle.tar.gz || exit 1
ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=3 -- nodeA 'bundle="$HOME/steelyard-bundle.tar.gz"
echo "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  $bundle" | sha256sum --check --quiet || exit 1
unpacked=$(mktemp -d) || exit 1
trap '\''rm -rf "$unpacked"'\'' EXIT
tar -xzf "$bundle" -C "$unpacked" || exit 1
STEELYARD=$(find "$unpacked" -type f -name steelyard-cli | head -n 1)
timeout --signal=TERM --kill-after=60 1800 "$STEELYARD" campaign measure --campaign 0123456789ab --candidate 01 --workload resnet50 --mode train --batch 64 --precision fp16 --suite quick'
code=$?
# 2: the job does not fit this machine; 124: its time is up. Another attempt would end the same way; the result says why.
case $code in 2|124) code=0 ;; esac
exit "$code"
