#!/bin/bash
# The project's own load drivers, against any server. See bench/peers/README.md.
#
#   bench/load.sh chat|slow|storm|detached [options]     clients with XEP-0198
#   bench/load.sh plain [options]                        pairs without (ChatLoad)
#
# Without options it prints them. Builds testkit's classes when they are missing; REBUILD=1 does
# so in any case. JAVA_OPTS: more options for the generator's JVM.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
classes=$root/testkit/target/classes
path=$root/testkit/target/load.classpath
if [ -n "${REBUILD:-}" ] || [ ! -s "$path" ] || [ ! -d "$classes/im/zonda/testkit/load" ]; then
  (cd "$root" && mvn -B -q -ntp test-compile dependency:build-classpath -pl testkit -am \
    -DincludeArtifactIds=HdrHistogram,jspecify,scram-common,scram-client \
    -Dmdep.outputFile="$path.new") >&2
  mv "$path.new" "$path"
fi
main=im.zonda.testkit.load.ManagedLoad
if [ "${1:-}" = plain ]; then
  main=im.zonda.testkit.load.ChatLoad
  shift
fi
ulimit -n "$(ulimit -Hn)"
# shellcheck disable=SC2086
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xms1g -Xmx4g -XX:+UseParallelGC ${JAVA_OPTS:-} \
  -cp "$classes:$(cat "$path")" "$main" "$@"
