#!/bin/bash
# What a message, a copy in a room or a login costs in a cluster of N nodes over one PostgreSQL, all on
# loopback addresses of this machine. N = 0 is one server without [cluster], over the same database.
#
#   bench/cluster.sh N [chat|muc|login]     prints a line for each generator, and one of means
#   bench/cluster.sh N failure              kills a node: how long until its clients have resumed elsewhere
#   bench/cluster.sh N loss                 kills a node whose clients get messages: what is lost
#   bench/cluster.sh N join|drain           chat at the first node: as before, and while the last one joins or is drained
#   bench/cluster.sh N stall                the same while the database stands still for 3 s
#   bench/cluster.sh N memory               memory of all nodes together for each idle session
#
# Every node has a generator of its own, whose clients talk to each other; their homes are spread over
# all nodes. CPU is that of all nodes together, in us for each message, copy or login.
#
# Environment, with defaults:
#   XMPPLOAD=xmppload  the neutral load generator
#   PG_BIN=            the folder of initdb and postgres; the newest below /usr/lib/postgresql when empty
#   RATE=              messages a second for each node: 300 (chat), or 30 offered to its rooms (muc)
#   PAIRS=100 ROOMS=10 OCCUPANTS=20 LOGINS=3000
#   ROUNDS=3           of login, the same accounts each time: the last figures are those of warm servers
#   SESSIONS=17000     of the node that is killed, ten for each account; of memory 10000, over all nodes
#   WARMUP=40 DURATION=60     seconds
#   EXTRA=             appended to each node's file
#   ZONDA=             the program, another build's for comparison; this tree's when empty
#   PORT=15222 PG_PORT=15431 NODE_PORT=17800  of clients, of the database, between nodes
#   THREADS=           if set, prints CPU and context switches by thread of all nodes while they are loaded
#   KEEP=              if set, leaves the folder with files and logs
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
[ $# -ge 1 ] || { sed -n '2,27s/^# \{0,1\}//p' "$0" >&2; exit 2; }
nodes=$1
what=${2:-chat}
XMPPLOAD=${XMPPLOAD:-xmppload}
PG_BIN=${PG_BIN:-$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)}
PAIRS=${PAIRS:-100} ROOMS=${ROOMS:-10} OCCUPANTS=${OCCUPANTS:-20}
PORT=${PORT:-15222} PG_PORT=${PG_PORT:-15431} NODE_PORT=${NODE_PORT:-17800} ZONDA=${ZONDA:-$root/zonda}
LOGINS=${LOGINS:-3000} SESSIONS=${SESSIONS:-$([ "$what" = memory ] && echo 10000 || echo 17000)} ROUNDS=${ROUNDS:-3}
WARMUP=${WARMUP:-40} DURATION=${DURATION:-60}
# One that the server lets people choose.
PASSWORD=a-password-of-the-bench
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
    -o "-p $PG_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=" start
  as_owner "$PG_BIN/createdb" -h 127.0.0.1 -p $PG_PORT -U zonda -T template0 -E UTF8 bench
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
listen = ["127.0.0.$1:$PORT"]
listen-tls = []
plaintext = "loopback"
[registration]
enabled = true
rate-limit = "off"
[storage]
url = "postgresql://127.0.0.1:$PG_PORT/bench"
user = "zonda"
TOML
  if [ "$nodes" != 0 ]; then
    printf '[cluster]\nname = "bench"\nnode = "n%s"\nbind = "127.0.0.%s:17800"\n' "$1" "$1" >>"$file"
  fi
  printf '%b' "${EXTRA:-}" >>"$file"
  : >"$dir/node$1.out"
  "$ZONDA" start --config "$file" >"$dir/node$1.out" 2>&1 </dev/null &
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
  "$XMPPLOAD" "$@" --server "127.0.0.$number:$PORT" --domain bench.test --password "$PASSWORD" \
    --mech SCRAM-SHA-1 --pid "$(servers)"
}

case $what in
  chat) people=$((2 * PAIRS)) options=(--pairs "$PAIRS" --rate "${RATE:-300}") ;;
  muc)
    people=$((ROOMS * OCCUPANTS))
    options=(--muc rooms.bench.test --rooms "$ROOMS" --occupants "$OCCUPANTS" --rate "${RATE:-30}")
    ;;
  login) people=$LOGINS options=() ;;
  failure | loss | join | drain) [ "$nodes" -ge 2 ] || { echo "a cluster" >&2; exit 2; } ;;
  memory | stall) ;;
  *) echo "chat, muc, login, failure, loss, join, drain, stall or memory?" >&2; exit 2 ;;
esac
"$ZONDA" version >&2 # builds what has changed
trap finish EXIT
start_database
count=$((nodes == 0 ? 1 : nodes))
[ "$what" != join ] || count=$((nodes - 1))
for n in $(seq "$count"); do start_node "$n"; done
if [ "$what" = loss ]; then
  for users in "a:$PAIRS" "b:$PAIRS"; do load 1 register --users "$users" >>"$dir/register.json"; done
  "$root/bench/load.sh" loss --password "$PASSWORD" --host 127.0.0.1 --port "$PORT" --domain bench.test --security none --pid "${pids[0]}" \
    --others "127.0.0.2:$PORT" --pairs "$PAIRS" --rate "${RATE:-1000}" --seconds "$DURATION" --heap off
  exit
fi
if [ "$what" = failure ]; then
  for users in "s:$(((SESSIONS + 9) / 10))" a:50 b:50; do
    load 1 register --users "$users" >>"$dir/register.json"
  done
  others=$(seq -f "127.0.0.%g:$PORT" -s , 2 "$nodes")
  "$root/bench/load.sh" failure --password "$PASSWORD" --host 127.0.0.1 --port $PORT --domain bench.test --security none --pid "${pids[0]}" \
    --others "$others" --sessions "$SESSIONS" --concurrency 300 --pairs 50 --rate 200 --resumable on \
    --warmup 5 --seconds "$DURATION" --heap off
  exit
fi
# Chat of resumable sessions at the first node.
pairs() { # what it says before the figures, warm-up
  echo "$1: $("$root/bench/load.sh" chat --password "$PASSWORD" --host 127.0.0.1 --port "$PORT" --domain bench.test --security none \
    --resumable on --pairs "$PAIRS" --rate "${RATE:-5000}" --warmup "$2" --seconds "$DURATION" --pid "${pids[0]}")"
}

# Sends a signal to all processes of the database.
signal_database() {
  first=$(head -n 1 "$dir/pg/postmaster.pid")
  ps -o pid= --pid "$first" --ppid "$first" | xargs kill "-$1"
}

if [ "$what" = join ] || [ "$what" = drain ] || [ "$what" = stall ]; then
  for users in "a:$PAIRS" "b:$PAIRS"; do load 1 register --users "$users" >>"$dir/register.json"; done
  pairs "$count nodes" "$WARMUP"
  pairs "meanwhile, $what" 5 &
  chat=$!
  sleep $((5 + 5 + DURATION / 4)) # logins, warm-up
  if [ "$what" = join ]; then
    start_node "$nodes"
  elif [ "$what" = stall ]; then
    signal_database STOP
    sleep 3
    signal_database CONT
  else
    "$ZONDA" cluster drain --config "$dir/node$nodes.toml"
  fi
  wait "$chat"
  pairs "afterwards" 5
  exit
fi

# Live heap after a collection, and resident memory, of all nodes, in KiB.
memory() {
  heap=0 resident=0
  for pid in "${pids[@]}"; do
    "$JAVA_HOME/bin/jcmd" "$pid" GC.run >"$dir/jcmd.out"
    used=$("$JAVA_HOME/bin/jcmd" "$pid" GC.heap_info | sed -n 's/.* used \([0-9]*\)K.*/\1/p' | head -n 1)
    heap=$((heap + used))
    resident=$((resident + $(awk '/VmRSS/ { print $2 }' "/proc/$pid/status")))
  done
  echo "$heap $resident"
}

if [ "$what" = memory ]; then
  each=$((SESSIONS / count))
  load 1 register --users "s:$SESSIONS" >>"$dir/register.json"
  sleep 5
  read -r heap resident <<<"$(memory)"
  loads=()
  for n in $(seq "$count"); do
    "$root/bench/load.sh" online --password "$PASSWORD" --host "127.0.0.$n" --port "$PORT" --domain bench.test --security none --heap off \
      --sessions "$each" --first $(((n - 1) * each)) --concurrency 20 --seconds 600 >"$dir/online$n.out" 2>&1 &
    loads+=($!)
  done
  for n in $(seq "$count"); do
    while ! grep -q "^online" "$dir/online$n.out"; do
      kill -0 "${loads[n - 1]}" 2>/dev/null || { cat "$dir/online$n.out" >&2; break; }
      sleep 1
    done
  done
  sleep 10
  read -r heap_after resident_after <<<"$(memory)"
  for pid in "${loads[@]}"; do kill "$pid" 2>/dev/null || true; done
  online=$((each * count))
  echo "$count nodes, $online sessions: live heap $(((heap_after - heap) * 1024 / online)) bytes, resident" \
    "$(((resident_after - resident) * 1024 / online)) bytes for each session, all nodes together"
  exit
fi
for n in $(seq "$count"); do load 1 register --users "n${n}u:$people" >>"$dir/register.json"; done
sleep 2
running=()
if [ "$what" = login ]; then
  for round in $(seq 2 "$ROUNDS"); do
    for n in $(seq "$count"); do
      load "$n" login --users "n${n}u:$people" --warmup 0 --duration 1 >>"$dir/rounds.json" 2>>"$dir/rounds.err"
    done
  done
  cat "$dir/rounds.json"
fi
for n in $(seq "$count"); do
  load "$n" "$what" --users "n${n}u:$people" --room-prefix "n${n}r" "${options[@]}" --warmup "$WARMUP" \
    --duration "$DURATION" --label "$nodes nodes, $what" >"$dir/load$n.json" 2>"$dir/load$n.err" &
  running+=($!)
  [ "$what" != login ] || wait "${running[-1]}" # one after the other, so that each counts its own
done
if [ -n "${THREADS:-}" ] && [ "$what" != login ]; then
  sleep $((WARMUP + 2))
  python3 "$root/bench/threads.py" $((DURATION - 5)) "${pids[@]}"
fi
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
