#!/bin/bash
# Starts and stops one server for measurements, on loopback only. See README.md.
#
#   peer.sh NAME start    prints "pid=N"; the server answers on 127.0.0.1:$PORT
#   peer.sh NAME stop     stops that process, and no other
#   peer.sh NAME wipe     stops it and drops its data
#   peer.sh NAME stored   counts what its archive holds, by the server's own files
#
# NAME: ejabberd (archive in Mnesia), ejabberd-sqlite, prosody (archive in its own files),
#       prosody-sqlite, zonda, zonda-volatile (storage.durable and storage.archive off)
# Environment, with defaults:
#   PORT=15222 TLS_PORT=15223 HTTP_PORT=15280 HTTPS_PORT=15281 DOMAIN=bench.test
#   PEER_DIR=${TMPDIR or the system's folder for temporary files}/zonda-peers/NAME
#   EXTRA_ERL=          more flags for the Erlang VM, such as "+sbwt none"
#   PROSODY_BACKEND=epoll
#   ZONDA=              the launcher; this source tree's when empty
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
usage() { sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# = 2 ] || usage
templates=$here/../src/main/resources/im/zonda/bench/target
name=$1
action=$2
PORT=${PORT:-15222}
TLS_PORT=${TLS_PORT:-15223}
HTTP_PORT=${HTTP_PORT:-15280}
HTTPS_PORT=${HTTPS_PORT:-15281}
DOMAIN=${DOMAIN:-bench.test}
dir=${PEER_DIR:-$(dirname "$(mktemp -u)")/zonda-peers/$name}
pidfile=$dir/pid

running() { [ -s "$pidfile" ] && kill -0 "$(cat "$pidfile")" 2>/dev/null; }

# From file $1 to file $2; what follows is NAME=VALUE.
fill() {
  from=$1 to=$2
  shift 2
  cp "$from" "$to"
  for pair in "$@"; do
    sed -i "s#@${pair%%=*}@#${pair#*=}#g" "$to"
  done
}

start_ejabberd() { # mnesia|sql
  if [ "$1" = sql ]; then
    sql="sql_type: sqlite\\nsql_database: \"$dir/archive.sqlite\""
  else
    sql=
  fi
  fill "$templates/ejabberd.yml.in" "$dir/ejabberd.yml" \
    "PORT=$PORT" "HTTP_PORT=$HTTP_PORT" "DOMAIN=$DOMAIN" "DIR=$dir" "MAM_DB=$1" "SQL=$sql" STARTTLS=false TLS=false CERTIFICATES=
  beam=$(dpkg -L ejabberd | grep '/ebin/ejabberd\.app$' | head -n 1)
  export ERL_LIBS=${beam%/*/ebin/ejabberd.app}
  export EJABBERD_CONFIG_PATH=$dir/ejabberd.yml EJABBERD_LOG_PATH=$dir/ejabberd.log
  export ERL_MAX_PORTS=200000 ERL_MAX_ETS_TABLES=2053 ERL_CRASH_DUMP_BYTES=0
  # No node name, so neither epmd nor a port for other nodes; the flags are ejabberdctl's.
  # shellcheck disable=SC2086
  setsid erl +K true +P 250000 ${EXTRA_ERL:-} -noinput -mnesia dir "\"$dir/mnesia\"" \
    -ejabberd quiet true -s ejabberd >"$dir/out" 2>&1 </dev/null &
}

start_prosody() { # internal|sql
  mkdir -p "$dir/data"
  root=false
  [ "$(id -u)" != 0 ] || root=true
  fill "$templates/prosody.cfg.lua.in" "$dir/prosody.cfg.lua" \
    "PORT=$PORT" "HTTP_PORT=$HTTP_PORT" "DOMAIN=$DOMAIN" "DIR=$dir" "STORAGE=$1" "ROOT=$root" \
    "BACKEND=${PROSODY_BACKEND:-epoll}" TLS_PORT= CERTIFICATES= TLS=
  setsid prosody --root --config "$dir/prosody.cfg.lua" -F >"$dir/out" 2>&1 </dev/null &
}

start_zonda() { # "" or what is appended to the file
  fill "$here/zonda.toml.in" "$dir/zonda.toml" \
    "PORT=$PORT" "TLS_PORT=$TLS_PORT" "HTTP_PORT=$HTTP_PORT" "HTTPS_PORT=$HTTPS_PORT" \
    "DOMAIN=$DOMAIN" "DIR=$dir"
  printf '%b' "$1" >>"$dir/zonda.toml"
  launcher=${ZONDA:-$here/../../zonda}
  "$launcher" version >/dev/null # builds what has changed, before the clock runs
  setsid "$launcher" start --config "$dir/zonda.toml" >"$dir/out" 2>&1 </dev/null &
}

answers() {
  (exec 3<>"/dev/tcp/127.0.0.1/$PORT" &&
    printf '<?xml version="1.0"?><stream:stream xmlns="jabber:client" %s to="%s" version="1.0">' \
      'xmlns:stream="http://etherx.jabber.org/streams"' "$DOMAIN" >&3 &&
    timeout 2 grep -q -m 1 -a '' <(head -c 40 <&3)) 2>/dev/null
}

start() {
  ! running || { echo "$name runs already: pid=$(cat "$pidfile")" >&2; exit 1; }
  ! answers || { echo "something else answers on port $PORT" >&2; exit 1; }
  mkdir -p "$dir"
  ulimit -n "$(ulimit -Hn)"
  case $name in
    ejabberd) start_ejabberd mnesia ;;
    ejabberd-sqlite) start_ejabberd sql ;;
    prosody) start_prosody internal ;;
    prosody-sqlite) start_prosody sql ;;
    zonda) start_zonda '' ;;
    zonda-volatile) start_zonda '[storage]\narchive = false\ndurable = false\n' ;;
    *) usage ;;
  esac
  echo $! >"$pidfile"
  for _ in $(seq 300); do
    running || { echo "$name ended; see $dir/out" >&2; exit 1; }
    ! answers || { echo "pid=$(cat "$pidfile")"; return; }
    sleep 0.1
  done
  echo "$name does not answer on port $PORT; see $dir/out" >&2
  exit 1
}

stop() {
  running || { rm -f "$pidfile"; return 0; }
  pid=$(cat "$pidfile")
  kill "$pid"
  for _ in $(seq 200); do
    kill -0 "$pid" 2>/dev/null || { rm -f "$pidfile"; return 0; }
    sleep 0.1
  done
  echo "$name (pid $pid) does not end; killed" >&2
  kill -9 "$pid"
  rm -f "$pidfile"
}

# Rows that the archive holds. The server should be stopped, or at rest.
stored() {
  case $name in
    ejabberd)
      ! running || { echo "stop it first: Mnesia's file is written at the end" >&2; exit 1; }
      ERL_CRASH_DUMP_BYTES=0 erl -noinput -eval "
        {ok, T} = dets:open_file(\"$dir/mnesia/archive_msg.DAT\"),
        io:format(\"entries=~p~n\", [dets:info(T, no_objects)]), halt()." ;;
    ejabberd-sqlite)
      echo "entries=$(sqlite3 "$dir/archive.sqlite" 'select count(*) from archive')" ;;
    prosody)
      echo "entries=$(find "$dir/data" -path '*/archive/*.list' -exec cat {} + | grep -c '^item(')" ;;
    prosody-sqlite)
      echo "entries=$(sqlite3 "$dir/data/prosody.sqlite" 'select count(*) from prosodyarchive')" ;;
    zonda*) echo "entries=$(sqlite3 "$dir/data/zonda.db" 'select count(*) from message')" ;;
    *) usage ;;
  esac
}

case $action in
  start) start ;;
  stop) stop ;;
  wipe) stop && rm -rf "$dir" ;;
  stored) stored ;;
  *) usage ;;
esac
