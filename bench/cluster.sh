#!/bin/bash
# What a message, a copy in a room or a login costs in a cluster of N nodes over one PostgreSQL, all on
# loopback addresses of this machine. N = 0 is one server without [cluster], over the same database.
#
#   bench/cluster.sh N [chat|muc|login]     prints a line for each generator, and one of means
#   bench/cluster.sh N failure              kills a node: how long until its clients have resumed elsewhere
#
# Every node has a generator of its own, whose clients talk to each other; their homes are spread over
# all nodes. CPU is that of all nodes together, in us for each message, copy or login.
#
# Environment, with defaults:
#   XMPPLOAD=xmppload  the neutral load generator
#   PG_BIN=            the folder of initdb and postgres; the newest below /usr/lib/postgresql when empty
#   RATE=              messages a second for each node: 300 (chat), or 30 offered to its rooms (muc)
#   PAIRS=100 ROOMS=10 OCCUPANTS=20 LOGINS=3000
#   SESSIONS=17000     of the node that is killed, ten for each account
#   WARMUP=40 DURATION=60     seconds
#   EXTRA=             appended to each node's file
#   KEEP=              if set, leaves the folder with files and logs
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
[ $# -ge 1 ] || { sed -n '2,21s/^# \{0,1\}//p' "$0" >&2; exit 2; }
nodes=$1
what=${2:-chat}
XMPPLOAD=${XMPPLOAD:-xmppload}
PG_BIN=${PG_BIN:-$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)}
PAIRS=${PAIRS:-100} ROOMS=${ROOMS:-10} OCCUPANTS=${OCCUPANTS:-20}
LOGINS=${LOGINS:-3000} SESSIONS=${SESSIONS:-17000} WARMUP=${WARMUP:-40} DURATION=${DURATION:-60}
dir=$(mktemp -d)
chmod 755 "$dir"
pids=()
ulimit -n "$(ulimit -Hn)"

finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  as_owner "$PG_BIN/pg_ctl" -D "$dir/pg" -m fast -s stop || true
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
}

# PostgreSQL does not run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

start_database() {
  mkdir "$dir/pg"
  [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
  as_owner "$PG_BIN/initdb" -D "$dir/pg" -U zonda -A trust -E UTF8 --locale=C >"$dir/initdb.log"
  as_owner "$PG_BIN/pg_ctl" -D "$dir/pg" -s -w -l "$dir/pg/log" \
    -o "-p 15431 -c listen_addresses=127.0.0.1 -c unix_socket_directories=" start
  as_owner "$PG_BIN/createdb" -h 127.0.0.1 -p 15431 -U zonda -T template0 -E UTF8 bench
}

start_node() { # number
  file=$dir/node$1.toml
  cat >"$file" <<TOML
hosts = ["bench.test"]
data = "$dir/data$1"
[http]
listen = []
listen-tls = []
[c2s]
listen = ["127.0.0.$1:15222"]
listen-tls = []
plaintext = "loopback"
[registration]
enabled = true
rate-limit = "off"
[storage]
url = "postgresql://127.0.0.1:15431/bench"
user = "zonda"
TOML
  if [ "$nodes" != 0 ]; then
    printf '[cluster]\nname = "bench"\nnode = "n%s"\nbind = "127.0.0.%s:17800"\n' "$1" "$1" >>"$file"
  fi
  printf '%b' "${EXTRA:-}" >>"$file"
  : >"$dir/node$1.out"
  "$root/zonda" start --config "$file" >"$dir/node$1.out" 2>&1 </dev/null &
  pids+=($!)
  for _ in $(seq 600); do
    ! grep -q " is ready " "$dir/node$1.out" || return 0
    kill -0 "${pids[-1]}" 2>/dev/null || { cat "$dir/node$1.out" >&2; exit 1; }
    sleep 0.1
  done
  echo "node $1 is not ready" >&2
  exit 1
}

# The processes of the nodes, with commas.
servers() { (IFS=,; echo "${pids[*]}"); }

load() { # number of the node, then the arguments
  number=$1
  shift
  "$XMPPLOAD" "$@" --server "127.0.0.$number:15222" --domain bench.test --password secret \
    --mech SCRAM-SHA-1 --pid "$(servers)"
}

case $what in
  chat) people=$((2 * PAIRS)) options=(--pairs "$PAIRS" --rate "${RATE:-300}") ;;
  muc)
    people=$((ROOMS * OCCUPANTS))
    options=(--muc rooms.bench.test --rooms "$ROOMS" --occupants "$OCCUPANTS" --rate "${RATE:-30}")
    ;;
  login) people=$LOGINS options=() ;;
  failure) [ "$nodes" -ge 2 ] || { echo "a cluster" >&2; exit 2; } ;;
  *) echo "chat, muc, login or failure?" >&2; exit 2 ;;
esac
"$root/zonda" version >&2 # builds what has changed
trap finish EXIT
start_database
count=$((nodes == 0 ? 1 : nodes))
for n in $(seq "$count"); do start_node "$n"; done
if [ "$what" = failure ]; then
  for users in "s:$(((SESSIONS + 9) / 10))" a:50 b:50; do
    load 1 register --users "$users" >>"$dir/register.json"
  done
  others=$(seq -f '127.0.0.%g:15222' -s , 2 "$nodes")
  "$root/bench/load.sh" failure --host 127.0.0.1 --port 15222 --domain bench.test --security none --pid "${pids[0]}" \
    --others "$others" --sessions "$SESSIONS" --concurrency 300 --pairs 50 --rate 200 --resumable on \
    --warmup 5 --seconds "$DURATION" --heap off
  exit
fi
for n in $(seq "$count"); do load 1 register --users "n${n}u:$people" >>"$dir/register.json"; done
sleep 2
running=()
for n in $(seq "$count"); do
  load "$n" "$what" --users "n${n}u:$people" --room-prefix "n${n}r" "${options[@]}" --warmup "$WARMUP" \
    --duration "$DURATION" --label "$nodes nodes, $what" >"$dir/load$n.json" 2>"$dir/load$n.err" &
  running+=($!)
  [ "$what" != login ] || wait "${running[-1]}" # one after the other, so that each counts its own
done
for pid in "${running[@]}"; do wait "$pid" || true; done
cat "$dir"/load*.err >&2
cat "$dir"/load*.json
python3 - "$count" "$what" "$dir"/load*.json <<'PYTHON'
import json, sys
count, what = int(sys.argv[1]), sys.argv[2]
lines = [json.loads(line) for name in sys.argv[3:] for line in open(name) if line.startswith("{")]
shared = 1 if what == "login" else count
key = {"chat": "srv_cpu_us_per_msg", "muc": "srv_cpu_us_per_copy", "login": "srv_cpu_ms_per_login"}[what]
values = [line[key] / shared for line in lines]
print(json.dumps({"mean of": key, "generators": len(values), "value": round(sum(values) / len(values), 2),
                  "p50_us": [line.get("p50_us") for line in lines],
                  "p99_us": [line.get("p99_us") for line in lines],
                  "errors": sum(line["errors"] for line in lines)}))
PYTHON
