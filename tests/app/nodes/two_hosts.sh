#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two connected hosts on this computer, for tests: each is a network namespace with a separate host name, temporary
# folder and System V namespace, so that they communicate only through the virtual link.
#   two_hosts.sh up FOLDER [RATE]   starts them ("1gbit", shaped both ways); FOLDER/mpirun then starts processes on both
#   two_hosts.sh pull               disconnects the link
#   two_hosts.sh down               ends their processes and removes them
#   two_hosts.sh run HOST COMMAND   a shell command on one of them; used by mpirun instead of ssh
# Exit code 77, with the reason on standard output, if they cannot be created. Needs root, iproute2 and Open MPI 4 or 5.
set -eu
action=$1
hosts=(synodeA synodeB)
cable=synodecable
network=10.213.78

skip() {
  printf '%s\n' "$1"
  exit 77
}

down() {
  local host pid
  for host in "${hosts[@]}"; do
    for pid in $(ip netns pids "$host" 2>/dev/null); do kill -KILL "$pid" 2>/dev/null || true; done
    ip netns del "$host" 2>/dev/null || true
    rm -rf "/etc/netns/$host"
  done
}

requirements() {
  local program
  [ "$(id -u)" = 0 ] || skip "root is needed for network namespaces"
  for program in ip tc unshare taskset mpirun; do
    command -v "$program" >/dev/null || skip "$program is not installed"
  done
  case $(mpirun --version | head -n 1) in
    *"(Open MPI) "[45].*) ;;
    *) skip "Open MPI 4 or 5 is needed, this is: $(mpirun --version | head -n 1)" ;;
  esac
  ip netns add synodetry 2>/dev/null || skip "network namespaces are not available"
  ip netns del synodetry
}

case $action in
  up)
    folder=$2
    rate=${3:-}
    requirements
    down
    for host in "${hosts[@]}"; do
      ip netns add "$host"
      ip -n "$host" link set lo up
      mkdir -p "/etc/netns/$host" "$folder/tmp.$host"
      printf '127.0.0.1 localhost\n%s.1 %s\n%s.2 %s\n' "$network" "${hosts[0]}" "$network" "${hosts[1]}" \
        >"/etc/netns/$host/hosts"
    done
    ip link add "$cable" netns "${hosts[0]}" type veth peer name "$cable" netns "${hosts[1]}" ||
      skip "virtual network cables are not available"
    number=1
    for host in "${hosts[@]}"; do
      ip -n "$host" addr add "$network.$number/24" dev "$cable"
      ip -n "$host" link set "$cable" up
      if [ -n "$rate" ]; then
        tc -n "$host" qdisc add dev "$cable" root tbf rate "$rate" burst 256kb latency 50ms ||
          skip "the cable cannot be shaped (tc tbf)"
      fi
      number=$((number + 1))
    done
    printf '%s slots=1\n%s slots=1\n' "${hosts[@]}" >"$folder/hosts"
    printf '#!/bin/sh\nexec "%s" run "$@"\n' "$(readlink -f "$0")" >"$folder/agent"
    # The mpirun options of the program's task files, and the launch agent for these hosts.
    cat >"$folder/mpirun" <<EOF
#!/bin/sh
export SYNODE_FOLDER='$folder' OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec '$(readlink -f "$0")' run ${hosts[0]} mpirun --hostfile '$folder/hosts' -np 2 --map-by ppr:1:node --bind-to none \
  --mca plm_rsh_agent '$folder/agent' --mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 2 \
  --mca oob_tcp_keepalive_probes 2 --mca odls_base_sigkill_timeout 10 --mca mpi_yield_when_idle 1 --mca btl tcp,self \
  --mca btl_tcp_if_include $network.0/24 --mca oob_tcp_if_include $network.0/24 "\$@"
EOF
    chmod +x "$folder/agent" "$folder/mpirun"
    ;;
  run)
    host=$2
    shift 2
    # A dedicated CPU for each, if there are enough.
    core=0
    [ "$host" = "${hosts[1]}" ] && [ "$(nproc --all)" -gt 1 ] && core=1
    exec taskset -c "$core" ip netns exec "$host" unshare --uts --ipc sh -c \
      'hostname "$0" && TMPDIR="$SYNODE_FOLDER/tmp.$0" && export TMPDIR && exec sh -c "$*"' "$host" "$@"
    ;;
  pull)
    ip -n "${hosts[0]}" link set "$cable" down
    ;;
  down)
    down
    ;;
esac
