#!/bin/bash
# What an edge costs: one server, the core, and edges before it, all on loopback addresses of this machine.
#
#   bench/edge.sh hop        chat with TLS: directly, then over an edge; CPU of core and edge for each message
#   bench/edge.sh sockets    sessions that do nothing, over EDGES edges: memory of every process, CPU while idle
#   bench/edge.sh console    the same, and then the pages of the admin console (bench/console.py)
#
# The accounts are made in the store before the core starts. Needs openssl.
#
# Environment, with defaults:
#   PAIRS=100 RATE=1000       of hop; RATE is in messages a second
#   EDGES=3 SESSIONS=50000    of sockets
#   MORE=0                    further accounts, which are not online
#   WARMUP=30 DURATION=30     seconds; of sockets, how long they are idle
#   EXTRA=                    appended to the core's file
#   KEEP=                     if set, leaves the folder with files and logs
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
what=${1:-}
PAIRS=${PAIRS:-100} RATE=${RATE:-1000} EDGES=${EDGES:-3} SESSIONS=${SESSIONS:-50000}
WARMUP=${WARMUP:-30} DURATION=${DURATION:-30}
case $what in
  hop) EDGES=1 ;;
  sockets | console) ;;
  *) sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
dir=$(mktemp -d)
pids=()
loads=()
ulimit -n "$(ulimit -Hn)"

finish() {
  for pid in "${loads[@]}" "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${loads[@]}" "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
}

certificate() { # name
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=localhost" \
    -addext "subjectAltName=DNS:localhost,IP:127.0.0.1" -keyout "$dir/$1.key" -out "$dir/$1.crt" 2>>"$dir/openssl.log"
}

start() { # name, words of the command; waits for the line that says that it is ready
  name=$1
  shift
  "$root/zonda" "$@" >"$dir/$name.out" 2>&1 </dev/null &
  pids+=($!)
  for _ in $(seq 600); do
    ! grep -q " is ready" "$dir/$name.out" || return 0
    kill -0 "${pids[-1]}" 2>/dev/null || break
    sleep 0.1
  done
  echo "$name is not ready" >&2
  cat "$dir/$name.out" >&2
  exit 1
}

cpu() { awk '{ print $14 + $15 }' "/proc/$1/stat"; } # in hundredths of a second
sockets() { find "/proc/$1/fd" -lname 'socket:*' | wc -l; }
resident() { awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$1/status"; }

"$root/zonda" version >&2 # builds what has changed
trap finish EXIT
certificate core
certificate edge
certificate host
cat >"$dir/core.toml" <<TOML
hosts = ["bench.test"]
data = "$dir/data"
[http]
listen = ["127.0.0.1:15280"]
listen-tls = []
[c2s]
listen = []
listen-tls = ["127.0.0.1:15223"]
[tls]
certificate = "$dir/host.crt"
key = "$dir/host.key"
[edges]
listen = ["127.0.0.1:15225"]
certificate = "$dir/core.crt"
key = "$dir/core.key"
ca = "$dir/edge.crt"
TOML
printf '%b' "${EXTRA:-}" >>"$dir/core.toml"
accounts() { "$root/bench/load.sh" rooms accounts "$dir/data" bench.test "$@" >>"$dir/accounts.log" 2>&1; }
if [ "$what" = hop ]; then
  accounts a "$PAIRS"
  accounts b "$PAIRS"
else
  accounts s "$SESSIONS"
  [ "${MORE:-0}" = 0 ] || accounts t "$MORE"
fi
start core start --config "$dir/core.toml"
core=${pids[0]}
for n in $(seq "$EDGES"); do
  cat >"$dir/edge$n.toml" <<TOML
[edge]
core = "127.0.0.1:15225"
certificate = "$dir/edge.crt"
key = "$dir/edge.key"
ca = "$dir/core.crt"
[c2s]
listen = []
listen-tls = ["127.0.0.$((n + 1)):15223"]
[tls]
certificate = "$dir/host.crt"
key = "$dir/host.key"
TOML
  start "edge$n" edge --config "$dir/edge$n.toml"
done

chat() { # address, process
  "$root/bench/load.sh" chat --host "$1" --port 15223 --domain bench.test --pairs "$PAIRS" --rate "$RATE" \
    --warmup "$WARMUP" --seconds "$DURATION" --pid "$2"
}

tell() { # when
  echo "$1:"
  for n in $(seq 0 "$EDGES"); do
    name=$([ "$n" = 0 ] && echo core || echo "edge $n")
    pid=${pids[$n]}
    echo "  $name: $(sockets "$pid") sockets, $(resident "$pid") MiB resident, $(cpu "$pid") s/100 of CPU"
  done
}

if [ "$what" = hop ]; then
  for _ in 1 2 3; do
    echo "direct, core: $(chat 127.0.0.1 "$core")"
    echo "over the edge, core: $(chat 127.0.0.2 "$core")"
    echo "over the edge, edge: $(chat 127.0.0.2 "${pids[1]}")"
  done
  exit
fi
tell "nobody online"
each=$((SESSIONS / EDGES))
for n in $(seq "$EDGES"); do
  first=$(((n - 1) * each))
  count=$((n < EDGES ? each : SESSIONS - first))
  JAVA_OPTS="${JAVA_OPTS:--Xms256m -Xmx3g}" "$root/bench/load.sh" online --host "127.0.0.$((n + 1))" --port 15223 \
    --domain bench.test --sessions "$count" --first "$first" --concurrency 20 --heap off \
    --seconds $((3 * DURATION + 900)) >"$dir/load$n.out" 2>&1 &
  loads+=($!)
done
for n in $(seq "$EDGES"); do
  while ! grep -q "^online" "$dir/load$n.out"; do
    kill -0 "${loads[n - 1]}" 2>/dev/null || { cat "$dir/load$n.out" >&2; exit 1; }
    sleep 1
  done
  cat "$dir/load$n.out"
done
tell "all online"
sleep "$DURATION"
tell "after $DURATION s idle"
if [ "$what" = console ]; then
  "$root/bench/console.py" "$root/zonda" "$dir/core.toml" 127.0.0.1:15280 "$core"
  tell "after the console"
fi
