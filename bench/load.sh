#!/bin/bash
# The project's own load drivers, against any server. See bench/peers/README.md.
#
#   bench/load.sh chat|slow|storm|failure|loss|detached|online [options]  clients with XEP-0198
#   bench/load.sh plain [options]                        pairs of clients without XEP-0198, or a component
#   bench/load.sh login old|inline|token [options]       logins, one after another
#   bench/load.sh rooms chat|storm|joins [options]       occupants of rooms (XEP-0045)
#   bench/load.sh rooms report SERIES [GC-LOG [SVG]]     figures of each second as table and plot
#   bench/load.sh rooms accounts DATA DOMAIN PREFIX N    accounts in the store of a stopped Zonda
#   bench/load.sh pubsub [options]                       a node with many subscribers (XEP-0060)
#   bench/load.sh pages [options]                        pages of the items of many nodes
#   bench/load.sh nodes DATA SERVICE NODES ITEMS         nodes with items in the store of a stopped Zonda
#   bench/load.sh plugins FOLDER                         jars of plugins that are measured
#   bench/load.sh personal [options]                     logins with contacts' last items (XEP-0163)
#   bench/load.sh rooms-in-process [options]             a server and its clients without sockets
#
# Prints the options if one is wrong. Builds the classes when they are missing, and with REBUILD=1
# in any case. JAVA_OPTS: further options for the JVM of the load generator.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
module=bench
main=im.zonda.bench.ManagedLoad
scope=runtime # without the tests' logging
java_options="-Xms1g -Xmx4g -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED"
case "${1:-}" in
  plain) main=im.zonda.bench.chat.ChatLoad && shift ;;
  login) main=im.zonda.bench.login.LoginLoad && shift ;;
  rooms)
    main=im.zonda.bench.room.RoomLoad && shift
    if [ "${1:-}" = accounts ]; then
      module=app scope=test main=im.zonda.app.load.LoadAccounts && shift
    fi
    ;;
  pubsub) main=im.zonda.bench.pubsub.PublishLoad && shift ;;
  pages) main=im.zonda.bench.pubsub.PageLoad && shift ;;
  plugins) module=app scope=test main=im.zonda.app.load.PluginJars && shift ;;
  nodes) module=app scope=test main=im.zonda.app.load.LoadNodes && shift ;;
  personal) main=im.zonda.bench.pubsub.PersonalLoad && shift ;;
  rooms-in-process)
    # The server is what is measured: its own options, and a heap for many sessions.
    module=app scope=test main=im.zonda.app.load.RoomsInMemory && shift
    java_options="@$root/app/src/main/dist/jvm.options -Xmx8g"
    ;;
esac
path=$root/$module/target/load.classpath
if [ -n "${REBUILD:-}" ] || [ ! -s "$path" ] || [ ! -d "$root/bench/target/classes/im" ]; then
  (cd "$root" && mvn -B -q -ntp -Dstyle.color=never test-compile dependency:build-classpath -pl "$module" -am \
    -DincludeScope="$scope" -Dmdep.outputFile="$path.new") >&2
  mv "$path.new" "$path"
fi
classes=$root/$module/target/classes:$root/$module/target/test-classes
ulimit -n "$(ulimit -Hn)"
# shellcheck disable=SC2086
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" $java_options -Dslf4j.internal.verbosity=ERROR ${JAVA_OPTS:-} \
  -cp "$classes:$(cat "$path")" "$main" "$@"
