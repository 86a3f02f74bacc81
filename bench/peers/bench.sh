#!/bin/bash
# One measurement of one server from an empty archive: start, accounts, load, stop, count.
#
#   XMPPLOAD=path/to/xmppload bench.sh NAME SUBCOMMAND [options of xmppload]
#   XMPPLOAD=path/to/xmppload bench.sh ejabberd chat --pairs 100 --bytes 100 --rate 5000 --duration 20
#
# NAME as in peer.sh. USERS=200 accounts. Prints what xmppload prints, then the archive's entries.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
[ $# -ge 2 ] && [ -n "${XMPPLOAD:-}" ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
name=$1
shift
users=${USERS:-200}
common=(--server "127.0.0.1:${PORT:-15222}" --domain "${DOMAIN:-bench.test}" --password secret)

"$here/peer.sh" "$name" wipe
started=$("$here/peer.sh" "$name" start)
trap '"$here/peer.sh" "$name" stop' EXIT
pid=${started#pid=}
"$XMPPLOAD" register "${common[@]}" --users "u:$users" >/dev/null
# A few messages, so that what a server makes at first use is there before the clock runs.
"$XMPPLOAD" chat "${common[@]}" --users u:4 --pairs 2 --rate 10 --duration 2 --warmup 0 >/dev/null
sleep 2
"$XMPPLOAD" "$@" "${common[@]}" --pid "$pid" --users "u:$users" --label "$name"
"$here/peer.sh" "$name" stop
trap - EXIT
case $name in
  *-volatile) ;;
  *) echo "{\"label\":\"$name\",\"archive_$("$here/peer.sh" "$name" stored | sed 's/=/":/')}" ;;
esac
