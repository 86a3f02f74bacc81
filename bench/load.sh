#!/bin/bash
# The project's own load drivers, against any server. See bench/peers/README.md.
#
#   bench/load.sh chat|slow|storm|detached [options]     clients with XEP-0198
#   bench/load.sh plain [options]                        pairs without (ChatLoad)
#   bench/load.sh rooms chat|storm|joins [options]       people in rooms (XEP-0045)
#   bench/load.sh rooms accounts DATA DOMAIN PREFIX N    accounts for them, in a store of ours
#   bench/load.sh rooms report SERIES [GC-LOG [SVG]]     what happened in each second
#   bench/load.sh rooms-in-process [options]             a server and people without sockets
#
# Without options it prints them. Builds the classes when they are missing; REBUILD=1 does
# so in any case. JAVA_OPTS: more options for the generator's JVM.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
module=testkit
main=im.zonda.testkit.load.ManagedLoad
scope=runtime # without the tests' logging
java_options="-Xms1g -Xmx4g -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED"
case "${1:-}" in
  plain) main=im.zonda.testkit.load.ChatLoad ;;
  rooms) main=im.zonda.testkit.load.RoomLoad ;;
  rooms-in-process)
    # The server is what is measured: its own options, and a heap for the many.
    module=app
    scope=test
    main=im.zonda.app.soak.RoomsInProcess
    java_options="@$root/app/src/main/dist/jvm.options -Xmx8g"
    ;;
esac
case "${1:-}" in plain | rooms | rooms-in-process) shift ;; esac
path=$root/$module/target/load.classpath
if [ -n "${REBUILD:-}" ] || [ ! -s "$path" ] || [ ! -d "$root/testkit/target/classes/im" ]; then
  (cd "$root" && mvn -B -q -ntp test-compile dependency:build-classpath -pl "$module" -am \
    -DincludeScope="$scope" -Dmdep.outputFile="$path.new") >&2
  mv "$path.new" "$path"
fi
classes=$root/$module/target/classes:$root/$module/target/test-classes
ulimit -n "$(ulimit -Hn)"
# shellcheck disable=SC2086
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" $java_options -Dslf4j.internal.verbosity=ERROR ${JAVA_OPTS:-} \
  -cp "$classes:$(cat "$path")" "$main" "$@"
