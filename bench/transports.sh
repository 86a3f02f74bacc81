#!/bin/bash
# Clients by TCP (RFC 6120), by WebSocket (RFC 7395) and by BOSH (XEP-0124) at one server, in turns.
#
#   bench/transports.sh NAME chat [TRANSPORT...]     CPU of the server for each message
#   bench/transports.sh NAME memory [TRANSPORT...]   memory of idle sessions with stream management; Zonda only
#
# NAME is a server of peers/peer.sh, which says what it reads from the environment; it is started
# without data. TRANSPORT is tcp, websocket or bosh: all three by default, of memory the first two.
# Needs xmppload, which makes the accounts.
#
# Environment, with defaults:
#   XMPPLOAD=xmppload
#   ROUNDS=3               of chat, each with all transports; the server is warm from the second on
#   PAIRS=50 RATE=1000     messages a second
#   WARMUP=5 DURATION=15   seconds of each transport and round
#   SESSIONS=5000          of memory, for which each transport gets a new process
#   SECURITY=none          or tls (Zonda)
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
[ $# -ge 2 ] || { sed -n '2,19s/^# \{0,1\}//p' "$0" >&2; exit 2; }
name=$1 what=$2
shift 2
XMPPLOAD=${XMPPLOAD:-xmppload} ROUNDS=${ROUNDS:-3} PAIRS=${PAIRS:-50} RATE=${RATE:-1000}
WARMUP=${WARMUP:-5} DURATION=${DURATION:-15} SESSIONS=${SESSIONS:-5000} SECURITY=${SECURITY:-none}
export PORT=${PORT:-15222} TLS_PORT=${TLS_PORT:-15223} HTTP_PORT=${HTTP_PORT:-15280} HTTPS_PORT=${HTTPS_PORT:-15281}
export DOMAIN=${DOMAIN:-bench.test}
case $what in
  chat) [ $# -gt 0 ] || set -- tcp websocket bosh ;;
  memory) [ $# -gt 0 ] || set -- tcp websocket ;;
  *) echo "chat or memory?" >&2; exit 2 ;;
esac

start() {
  "$here/peers/peer.sh" "$name" wipe
  pid=$("$here/peers/peer.sh" "$name" start)
  pid=${pid#pid=}
}

register() { # users
  "$XMPPLOAD" register --server "127.0.0.1:$PORT" --domain "$DOMAIN" --password secret --users "$1" >/dev/null
}

load() { # kind of load, transport, further options
  kind=$1 transport=$2
  shift 2
  case $transport:$SECURITY in
    tcp:none) port=$PORT ;;
    tcp:tls) port=$TLS_PORT ;;
    *:none) port=$HTTP_PORT ;;
    *) port=$HTTPS_PORT ;;
  esac
  "$here/load.sh" "$kind" --transport "$transport" --port "$port" --domain "$DOMAIN" --security "$SECURITY" \
    --pid "$pid" "$@"
}

trap '"$here/peers/peer.sh" "$name" stop' EXIT
if [ "$what" = memory ]; then
  for transport; do
    start # makes the store
    "$here/peers/peer.sh" "$name" stop
    "$here/load.sh" rooms accounts "${PEER_DIR:-$(dirname "$(mktemp -u)")/zonda-peers/$name}/data" "$DOMAIN" s "$SESSIONS"
    pid=$("$here/peers/peer.sh" "$name" start)
    pid=${pid#pid=}
    echo "$transport, $SECURITY:"
    load detached "$transport" --sessions "$SESSIONS" --concurrency 50 --unacknowledged 0 | grep -E "^(nobody online|online):"
  done
  exit
fi
start
register "a:$PAIRS"
register "b:$PAIRS"
for round in $(seq "$ROUNDS"); do
  for transport; do
    result=$(load plain "$transport" --pairs "$PAIRS" --rate "$RATE" --bytes 100 --warmup "$WARMUP" --seconds "$DURATION")
    echo "$name, round $round, $transport, load $(cut -d ' ' -f 1 /proc/loadavg): $result"
  done
done
