#!/bin/bash
# Two nodes of ejabberd at 127.0.0.1 and 127.0.0.2; one is killed while its clients get messages.
# The same load as bench/cluster.sh N loss, which does it with nodes of Zonda.
#
#   cluster.sh loss      prints what was acknowledged and lost
#
# Needs Debian's ejabberd. The nodes have passwords and archive in Mnesia, on both nodes.
# Environment, with defaults: XMPPLOAD=xmppload PAIRS=100 RATE=1000 DURATION=30 PORT=15222
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
[ "${1:-}" = loss ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
XMPPLOAD=${XMPPLOAD:-xmppload} PAIRS=${PAIRS:-100} RATE=${RATE:-1000} DURATION=${DURATION:-30} PORT=${PORT:-15222}
dir=$(mktemp -d)
pids=()
ulimit -n "$(ulimit -Hn)"

finish() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
}
trap finish EXIT

beam=$(dpkg -L ejabberd | grep '/ebin/ejabberd\.app$' | head -n 1)
export ERL_LIBS=${beam%/*/ebin/ejabberd.app}
export ERL_MAX_PORTS=200000 ERL_MAX_ETS_TABLES=2053 ERL_CRASH_DUMP_BYTES=0 ERL_EPMD_ADDRESS=127.0.0.1,127.0.0.2

start_node() { # number
  sed -e "s#@PORT@#$PORT#g" -e "s#@DOMAIN@#bench.test#g" -e "s#@MAM_DB@#mnesia#g" -e "s#@SQL@##g" -e "s#@HTTP_PORT@#15280#g" \
    -e "s#ip: \"127.0.0.1\"#ip: \"127.0.0.$1\"#" "$here/ejabberd.yml.in" >"$dir/ejabberd$1.yml"
  EJABBERD_CONFIG_PATH=$dir/ejabberd$1.yml EJABBERD_LOG_PATH=$dir/ejabberd$1.log setsid erl +K true +P 250000 \
    -name "n$1@127.0.0.$1" -setcookie bench -kernel inet_dist_use_interface "{127,0,0,$1}" -noinput \
    -mnesia dir "\"$dir/mnesia$1\"" -ejabberd quiet true -s ejabberd >"$dir/out$1" 2>&1 </dev/null &
  pids+=($!)
  for _ in $(seq 300); do
    ! (exec 3<>"/dev/tcp/127.0.0.$1/$PORT") 2>/dev/null || return 0
    sleep 0.1
  done
  echo "node $1 does not answer; see $dir/out$1" >&2
  exit 1
}

# Evaluates an expression in a process of Erlang that sees both nodes.
evaluate() { # expression
  erl -noinput -name "control@127.0.0.1" -setcookie bench -eval "
    io:format(\"~p~n\", [$1]), halt()."
}

start_node 1
start_node 2
evaluate "rpc:call('n2@127.0.0.2', ejabberd_cluster, join, ['n1@127.0.0.1'])" >&2
sleep 5
evaluate "rpc:call('n2@127.0.0.2', ejabberd_cluster, get_nodes, [])" >&2
for users in "a:$PAIRS" "b:$PAIRS"; do
  "$XMPPLOAD" register --users "$users" --server "127.0.0.1:$PORT" --domain bench.test --password secret \
    --mech SCRAM-SHA-1 --pid "${pids[0]}" >>"$dir/register.json"
done
"$root/bench/load.sh" loss --host 127.0.0.1 --port "$PORT" --domain bench.test --security none --pid "${pids[0]}" \
  --others "127.0.0.2:$PORT" --pairs "$PAIRS" --rate "$RATE" --seconds "$DURATION" --heap off
