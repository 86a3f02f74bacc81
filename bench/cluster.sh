#!/bin/bash
# CPU per chat message of the nodes of a cluster, or of one server: each node has clients of its own
# who send to each other at a fixed rate, so that the homes are anywhere.
#
#   XMPPLOAD=path/to/xmppload bench/cluster.sh NODES [options of xmppload chat]
#   XMPPLOAD=path/to/xmppload bench/cluster.sh 3 --pairs 50 --bytes 100 --rate 500 --duration 20
#
# NODES: 1, 3, ...; 0 is one server without [cluster]. The rate is that of each node. Prints a line:
# CPU of all nodes and of the database per message, each less what they need when nobody talks, and
# what they need then. Folder of the database's programs: PGBIN. Ports from PORT=15300 on.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
[ $# -ge 1 ] && [ -n "${XMPPLOAD:-}" ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
nodes=$1
shift
servers=$((nodes > 0 ? nodes : 1))
port=${PORT:-15300}
pgbin=${PGBIN:-$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres 2>/dev/null | tail -n 1)")}
domain=bench.test
dir=$(mktemp -d)
pids=()

# PostgreSQL refuses to run as root.
as_owner() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done; done
  as_owner "$pgbin/pg_ctl" -D "$dir/pg" -m fast stop >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap finish EXIT

start_database() {
  [ "$(id -u)" != 0 ] || chown postgres "$dir"
  as_owner "$pgbin/initdb" -D "$dir/pg" -A trust -U zonda -E UTF8 --locale=C >/dev/null
  as_owner "$pgbin/pg_ctl" -w -D "$dir/pg" -l "$dir/pg.log" \
    -o "-p $port -h 127.0.0.1 -k $dir" start >/dev/null
  as_owner "$pgbin/psql" -q -h 127.0.0.1 -p "$port" -U zonda -d postgres -c 'create database zonda'
  [ "$(id -u)" != 0 ] || chmod 755 "$dir"
}

settings() { # node
  peers=
  for i in $(seq "$servers"); do peers="$peers${peers:+,}\"127.0.0.$i:$((port + 1))\""; done
  cat <<END
hosts = ["$domain"]
data = "$dir/n$1/data"
[c2s]
listen = ["127.0.0.1:$((port + 10 + $1))"]
listen-tls = []
plaintext = "loopback"
[registration]
enabled = true
rate-limit = "off"
[storage]
kind = "postgresql"
url = "postgresql://zonda@127.0.0.1:$port/zonda"
END
  [ "$nodes" = 0 ] || printf '[cluster]\nname = "bench"\nnode = "n%s"\nbind = "127.0.0.%s:%s"\npeers = [%s]\n' \
    "$1" "$1" $((port + 1)) "$peers"
}

start_nodes() {
  for i in $(seq "$servers"); do
    mkdir -p "$dir/n$i/data"
    [ "$i" = 1 ] || [ ! -f "$dir/n1/data/secret" ] || cp "$dir/n1/data/secret" "$dir/n$i/data/secret"
    settings "$i" >"$dir/n$i/zonda.toml"
    "$root/zonda" start --config "$dir/n$i/zonda.toml" >"$dir/n$i/log" 2>&1 </dev/null &
    pids+=($!)
    for _ in $(seq 300); do
      ! (: <"/dev/tcp/127.0.0.1/$((port + 10 + i))") 2>/dev/null || break
      sleep 0.1
    done
  done
}

# utime + stime of processes, in ticks of 10 ms.
ticks() { for pid in "$@"; do awk '{print $14 + $15 + $16 + $17}' "/proc/$pid/stat"; done | awk '{s += $1} END {print s}'; }
database() { cat "$dir/pg/postmaster.pid" | head -n 1; }
database_ticks() { ticks $(database) $(pgrep -P "$(database)"); }

load() { # node, options
  node=$1
  shift
  "$XMPPLOAD" "$@" --server "127.0.0.1:$((port + 10 + node))" --domain "$domain" --password secret \
    --users "u$node-:$users"
}

start_database
start_nodes
users=200
for i in $(seq "$servers"); do load "$i" register --conc 4 >/dev/null; done
# What is compiled and made at first use must not be counted.
for i in $(seq "$servers"); do load "$i" chat "$@" --warmup 0 --duration 20 >/dev/null & jobs[i]=$!; done
for i in $(seq "$servers"); do wait "${jobs[i]}"; done
sleep 5
seconds=20
before=$(ticks "${pids[@]}") database=$(database_ticks)
sleep $seconds
idle=$(($(ticks "${pids[@]}") - before)) idle_database=$(($(database_ticks) - database))
before=$(ticks "${pids[@]}") database=$(database_ticks) begin=$(date +%s%N)
for i in $(seq "$servers"); do load "$i" chat "$@" --pid "${pids[0]}" >"$dir/load$i" & jobs[i]=$!; done
for i in $(seq "$servers"); do wait "${jobs[i]}"; done
nanos=$(($(date +%s%N) - begin))
used=$(($(ticks "${pids[@]}") - before)) used_database=$(($(database_ticks) - database))
cat "$dir"/load* >&2
cat "$dir"/load* | awk -v nodes="$nodes" -v used=$used -v idle=$idle -v db=$used_database \
  -v dbidle=$idle_database -v seconds=$seconds -v nanos=$nanos '
  { if (match($0, /"(msgs|messages|received)": *[0-9]+/)) { n = substr($0, RSTART, RLENGTH); sub(/.*: */, "", n); sum += n } }
  END { rest = nanos / 1e9 / seconds
    printf "nodes %d: %d messages, %.1f us of the nodes and %.1f us of the database a message; idle %.1f and %.1f ms/s\n",
      nodes, sum, (used - idle * rest) * 1e4 / sum, (db - dbidle * rest) * 1e4 / sum,
      idle * 10 / seconds, dbidle * 10 / seconds }'
