#!/bin/sh
cd "$(dirname "$0")" || exit 1
# example machine
bundle=/home/me/steelyard.tar.gz
echo "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  $bundle" | sha256sum --check --quiet || exit 1
unpacked=$(mktemp -d) || exit 1
trap 'rm -rf "$unpacked"' EXIT
tar -xzf "$bundle" -C "$unpacked" || exit 1
STEELYARD=$(find "$unpacked" -type f -name steelyard-cli | head -n 1)
mpirun --hostfile 01.hosts -np 2 --map-by ppr:1:node --bind-to none --mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 2 --mca odls_base_sigkill_timeout 10 --mca mpi_yield_when_idle 1 --mca btl tcp,self --mca btl_tcp_if_include 10.99.0.0/24 --mca oob_tcp_if_include 10.99.0.0/24 timeout --signal=TERM --kill-after=60 1800 "$STEELYARD" campaign measure --campaign 0123456789ab --candidate 01 --nodes 2 --workload resnet50 --mode train --batch 64 --precision fp16 --suite quick --results results
code=$?
# 2: the job does not fit this machine; 124: its time is up. Another attempt would end the same way; the result says why.
case $code in 2|124) code=0 ;; esac
exit "$code"
