#!/bin/bash
# What many publish-subscribe nodes cost a Zonda: start without and with them, and pages of their items.
#
#   bench/nodes.sh [NODES [ITEMS]]     20000 nodes with 50 items each by default
#
# Prints for each of ROUNDS=3 starts the seconds until it is ready and the CPU of the process, without nodes
# and with them in turns, then the times of pages of 20 items of one node each. The variables of
# peers/peer.sh apply.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
nodes=${1:-20000} items=${2:-50} ROUNDS=${ROUNDS:-3}
export PORT=${PORT:-15222} DOMAIN=${DOMAIN:-bench.test}
dir=$(mktemp -d)
trap 'peer full stop; rm -rf "$dir"' EXIT

peer() { PEER_DIR=$dir/$1 "$here/peers/peer.sh" zonda "$2"; }

for each in empty full; do # makes the stores
  peer "$each" start >/dev/null
  peer "$each" stop
  "$here/load.sh" accounts "$dir/$each/data" "$DOMAIN" a 1
done
"$here/load.sh" nodes "$dir/full/data" "pubsub.$DOMAIN" "$nodes" "$items"
TIMEFORMAT='%U s user, %S s system'
for _ in $(seq "$ROUNDS"); do
  for each in empty full; do
    echo "$each:"
    time "${ZONDA:-$here/../zonda}" start --config "$dir/$each/zonda.toml" --exit-when-ready | grep " is ready"
  done
done
pid=$(peer full start)
"$here/load.sh" pages --port "$PORT" --domain "$DOMAIN" --security none --pid "${pid#pid=}" --nodes "$nodes" \
  --page "$((items < 20 ? items : 20))"
