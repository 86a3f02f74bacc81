#!/bin/bash
# Loads that `zonda bench` does not have yet, against any server. See bench/peers/README.md.
#
#   bench/load.sh chat|failure|loss|online [options]   clients with XEP-0198
#   bench/load.sh plain [options]                        pairs of clients without XEP-0198, or a component
#   bench/load.sh accounts DATA DOMAIN PREFIX N          accounts in the store of a stopped Zonda
#   bench/load.sh pages [options]                        pages of the items of many nodes
#   bench/load.sh nodes DATA SERVICE NODES ITEMS         nodes with items in the store of a stopped Zonda
#   bench/load.sh plugins FOLDER                         jars of plugins that are measured
#   bench/load.sh personal [options]                     logins with contacts' last items (XEP-0163)
#
# Prints the options if one is wrong. Builds the classes when they are missing, and with REBUILD=1
# in any case. JAVA_OPTS: further options for the JVM of the load generator.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
main=im.zonda.app.load.ManagedLoad
java_options="-Xms1g -Xmx4g -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED"
case "${1:-}" in
  plain) main=im.zonda.app.load.chat.ChatLoad && shift ;;
  accounts) main=im.zonda.app.load.LoadAccounts && shift ;;
  pages) main=im.zonda.app.load.pubsub.PageLoad && shift ;;
  plugins) main=im.zonda.app.load.PluginJars && shift ;;
  nodes) main=im.zonda.app.load.LoadNodes && shift ;;
  personal) main=im.zonda.app.load.pubsub.PersonalLoad && shift ;;
esac
path=$root/app/target/load.classpath
if [ -n "${REBUILD:-}" ] || [ ! -s "$path" ] || [ ! -d "$root/app/target/test-classes/im" ]; then
  (cd "$root" && mvn -B -q -ntp -Dstyle.color=never test-compile dependency:build-classpath -pl app -am \
    -DincludeScope=test -Dmdep.outputFile="$path.new") >&2
  mv "$path.new" "$path"
fi
classes=$root/app/target/classes:$root/app/target/test-classes
ulimit -n "$(ulimit -Hn)"
# shellcheck disable=SC2086
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" $java_options -Dslf4j.internal.verbosity=ERROR ${JAVA_OPTS:-} \
  -cp "$classes:$(cat "$path")" "$main" "$@"
