#!/bin/bash
# What plugins cost: one server on loopback addresses of this machine, and clients that chat.
#
#   bench/plugins.sh cost      CPU of the server for each message: without a plugin, with a filter that lets all
#                              pass on threads of its own, with the same inline, and with the content filter
#   bench/plugins.sh faults    delay of messages while a plugin misbehaves for those to one of PAIRS accounts
#   bench/plugins.sh rounds    ROUNDS times add, upgrade and remove while they chat: messages that were lost, and
#                              the memory of classes before and after
#
# Needs openssl. `cost` takes its variants in turns; RULES is a folder with rules for the content filter.
#
# Environment, with defaults:
#   PAIRS=200 RATE=5000       messages a second
#   WARMUP=5 DURATION=20      seconds of each turn
#   TURNS=4                   of cost
#   ROUNDS=50                 of rounds
#   KEEP=                     if set, leaves the folder with files and logs
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
what=${1:-}
PAIRS=${PAIRS:-200} RATE=${RATE:-5000} WARMUP=${WARMUP:-5} DURATION=${DURATION:-20}
TURNS=${TURNS:-4} ROUNDS=${ROUNDS:-50}
case $what in
  cost | faults | rounds) ;;
  *) sed -n '2,20s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
dir=$(mktemp -d)
server=
load=
ulimit -n "$(ulimit -Hn)"

finish() {
  for pid in $load $server; do kill "$pid" 2>/dev/null || true; done
  for pid in $load $server; do wait "$pid" 2>/dev/null || true; done
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
}

"$root/zonda" version >&2 # builds what has changed
trap finish EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=localhost" \
  -addext "subjectAltName=DNS:localhost,IP:127.0.0.1" -keyout "$dir/host.key" -out "$dir/host.crt" 2>"$dir/openssl.log"
cat >"$dir/zonda.toml" <<TOML
hosts = ["bench.test"]
data = "$dir/data"
[http]
listen = []
listen-tls = []
[c2s]
listen = []
listen-tls = ["127.0.0.1:15323"]
[tls]
certificate = "$dir/host.crt"
key = "$dir/host.key"
TOML
"$root/bench/load.sh" plugins "$dir/jars"
for name in a b; do
  "$root/bench/load.sh" accounts "$dir/data" bench.test "$name" "$PAIRS" >>"$dir/accounts.log" 2>&1
done
"$root/zonda" start --config "$dir/zonda.toml" >"$dir/server.out" 2>&1 </dev/null &
server=$!
for _ in $(seq 600); do
  ! grep -q " is ready" "$dir/server.out" || break
  kill -0 "$server" 2>/dev/null || { cat "$dir/server.out" >&2; exit 1; }
  sleep 0.1
done

plugin() { "$root/zonda" plugin "$@" --config "$dir/zonda.toml" >>"$dir/plugins.out" 2>&1; }
chat() { # kind, further options
  kind=$1
  shift
  "$root/bench/load.sh" "$kind" --host 127.0.0.1 --port 15323 --domain bench.test --pairs "$PAIRS" --rate "$RATE" \
    --warmup "$WARMUP" --seconds "$DURATION" --pid "$server" "$@"
}
classes() { # bytes of the metaspace that are in use
  jcmd "$server" GC.run >/dev/null
  jcmd "$server" VM.metaspace | awk '/^ *Both:/ { print; exit }'
}

case $what in
  cost)
    for _ in $(seq "$TURNS"); do
      echo "none: $(chat chat)"
      for name in threads inline; do
        plugin add "$dir/jars/$name.jar"
        echo "$name: $(chat chat)"
        plugin remove "$name"
      done
      if [ -n "${RULES:-}" ]; then
        mkdir -p "$dir/data/plugins/content-filter"
        cp -r "$RULES/." "$dir/data/plugins/content-filter/"
        plugin add content-filter
        echo "content-filter: $(chat chat)"
        plugin remove content-filter
      fi
    done
    ;;
  faults)
    echo "none: $(chat chat)"
    # One that allocates ends the server (ExitOnOutOfMemoryError), as the page on plugins says.
    for name in throws overflows sleeps spins floods; do
      plugin add "$dir/jars/$name.jar"
      echo "$name: $(chat chat)"
      "$root/zonda" plugin list --config "$dir/zonda.toml" --json | tr ',' '\n' | grep -E '"(state|fault)"' | tr '\n' ' '
      echo
      plugin remove "$name"
    done
    ;;
  rounds)
    plugin add "$dir/jars/threads.jar"
    plugin remove threads
    echo "classes before: $(classes)"
    DURATION=$((ROUNDS * 4)) chat chat >"$dir/chat.out" &
    load=$!
    sleep "$WARMUP"
    for _ in $(seq "$ROUNDS"); do
      plugin add "$dir/jars/threads.jar"
      plugin add "$dir/jars/inline.jar"
      plugin remove threads
      plugin remove inline
    done
    echo "rounds done: $(kill -0 "$load" && echo "while they chat" || echo "after they have chatted")"
    wait "$load"
    load=
    cat "$dir/chat.out"
    echo "classes after: $(classes)"
    "$root/zonda" plugin list --config "$dir/zonda.toml"
    ;;
esac
