#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster with two nodes on this computer, for tests: each node is a network namespace with a distinct host name.
#   slurm_bed.sh up FOLDER     starts it; FOLDER/bin then has sbatch, squeue, scontrol and sinfo for it
#   slurm_bed.sh down FOLDER   stops it
# Exit code 77, with the reason on standard output, if it cannot be started. Needs root and Debian's slurmctld, slurmd,
# slurm-client and munge (Slurm 22.05 or later; no systemd, no dedicated cgroups).
set -eu
action=$1
folder=$2
nodes=(sybedA sybedB)
network=10.213.77

skip() {
  printf '%s\n' "$1"
  exit 77
}

# inside NODE COMMAND...: runs in its network namespace, with its host name.
inside() {
  local node=$1
  shift
  ip netns exec "$node" unshare --uts sh -c 'hostname "$0" && exec "$@"' "$node" "$@"
}

down() {
  local node pid file
  for file in "$folder"/run/*.pid; do
    [ -r "$file" ] && kill "$(cat "$file")" 2>/dev/null || true
  done
  for node in "${nodes[@]}"; do
    # Running jobs are processes in the namespace.
    for pid in $(ip netns pids "$node" 2>/dev/null); do kill "$pid" 2>/dev/null || true; done
  done
  sleep 0.5
  for node in "${nodes[@]}"; do
    for pid in $(ip netns pids "$node" 2>/dev/null); do kill -KILL "$pid" 2>/dev/null || true; done
    ip netns del "$node" 2>/dev/null || true
    rm -rf "/etc/netns/$node"
  done
}

# One test bed at a time on this computer. A sleeping process holds the lock until the test bed is stopped, at most ten
# minutes.
take_lock() {
  exec 9>/run/lock/steelyard-slurm-bed
  flock --wait 120 9 || skip "another test uses the namespaces"
  sleep 600 >/dev/null 2>&1 &
  lock_holder=$!
  exec 9>&-
}

requirements() {
  local program
  [ "$(id -u)" = 0 ] || skip "root is needed for network namespaces"
  for program in ip unshare slurmctld slurmd sbatch squeue munged; do
    command -v "$program" >/dev/null || skip "$program is not installed"
  done
  ip netns add sybedtry 2>/dev/null || skip "network namespaces are not available"
  if ! ip netns exec sybedtry unshare --uts true 2>/dev/null; then
    ip netns del sybedtry
    skip "programs cannot be run in network namespaces"
  fi
  ip netns del sybedtry
}

start_network() {
  local node number=1
  for node in "${nodes[@]}"; do
    ip netns add "$node"
    ip -n "$node" link set lo up
    [ -e /etc/hosts ] || continue
    mkdir -p "/etc/netns/$node"
    printf '127.0.0.1 localhost\n%s.1 %s\n%s.2 %s\n' "$network" "${nodes[0]}" "$network" "${nodes[1]}" \
      >"/etc/netns/$node/hosts"
  done
  ip link add sybed netns "${nodes[0]}" type veth peer name sybed netns "${nodes[1]}" ||
    skip "virtual network cables are not available"
  for node in "${nodes[@]}"; do
    ip -n "$node" addr add "$network.$number/24" dev sybed
    ip -n "$node" link set sybed up
    number=$((number + 1))
  done
}

write_configuration() {
  local cores version
  cores=$(nproc)
  version=$(slurmd -V | grep -o '[0-9]*\.[0-9]*' | head -n 1)
  cat >"$folder/etc/slurm.conf" <<CONF
ClusterName=steelyardtest
SlurmctldHost=${nodes[0]}($network.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
NodeName=${nodes[0]} NodeAddr=$network.1 CPUs=$cores CoresPerSocket=$cores RealMemory=1000
NodeName=${nodes[1]} NodeAddr=$network.2 CPUs=$cores CoresPerSocket=$cores RealMemory=1000
PartitionName=all Nodes=${nodes[0]},${nodes[1]} Default=YES MaxTime=60 State=UP
CONF
  # From 23.11 on cgroups can be disabled; earlier versions only check for version 1.
  if [ "$(printf '%s\n23.11\n' "$version" | sort -V | head -n 1)" = 23.11 ]; then
    echo 'CgroupPlugin=disabled' >"$folder/etc/cgroup.conf"
  else
    printf 'CgroupAutomount=no\nCgroupPlugin=cgroup/v1\n' >"$folder/etc/cgroup.conf"
  fi
}

start_daemons() {
  local node
  head -c 1024 /dev/urandom >"$folder/etc/munge.key"
  chmod 400 "$folder/etc/munge.key"
  munged --force --key-file="$folder/etc/munge.key" --socket="$folder/run/munge.socket" \
    --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" --seed-file="$folder/run/munged.seed"
  export SLURM_CONF="$folder/etc/slurm.conf"
  inside "${nodes[0]}" slurmctld
  for node in "${nodes[@]}"; do inside "$node" slurmd -N "$node"; done
}

write_programs() {
  local program
  mkdir -p "$folder/bin"
  for program in sbatch squeue scontrol sinfo srun; do
    printf '#!/bin/sh\nexport SLURM_CONF=%s\nexec ip netns exec %s %s "$@"\n' \
      "$folder/etc/slurm.conf" "${nodes[0]}" "$(command -v "$program")" >"$folder/bin/$program"
    chmod +x "$folder/bin/$program"
  done
}

await_nodes() {
  local try
  for try in $(seq 100); do
    [ "$(timeout 2 "$folder/bin/sinfo" --noheader --format=%T 2>/dev/null | sort -u)" = idle ] && return 0
    sleep 0.2
  done
  echo "the nodes do not become idle:"
  timeout 5 "$folder/bin/sinfo" || true
  tail -n 20 "$folder"/log/*.log
  return 1
}

case $action in
  up)
    requirements
    take_lock
    trap 'status=$?; [ "$status" = 0 ] || { down; kill "$lock_holder" 2>/dev/null || true; }' EXIT
    down
    rm -rf "$folder"
    mkdir -p "$folder"/{etc,run,log,state,spool.sybedA,spool.sybedB}
    chmod 711 "$folder/run" "$folder/log"
    echo "$lock_holder" >"$folder/run/lock.pid"
    start_network
    write_configuration
    start_daemons
    write_programs
    await_nodes
    ;;
  down)
    down
    ;;
esac
