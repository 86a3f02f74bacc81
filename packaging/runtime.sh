# shellcheck shell=sh
# The product with a Java of its own: zonda-VERSION-linux-ARCH.tar.gz.

# Makes the folder runtime, once for all kinds: the modules in the file modules, and no tools for
# developers.
java_runtime() {
  [ ! -d "$work/runtime" ] || return 0
  [ "$(uname -s)" = Linux ] || die "packages with a Java of their own are made on Linux"
  [ -x "$java_home/bin/jlink" ] || die "$java_home has no jlink"
  "$java_home/bin/jlink" --output "$work/runtime" --add-modules "$(modules)" \
    --strip-java-debug-attributes --no-header-files --no-man-pages --compress zip-6
}

# The names in the file modules, separated by commas.
modules() {
  sed 's/#.*//; s/ *$//; /^$/d' "$here/modules" | paste -s -d , -
}

make_runtime() {
  java_runtime
  stage_product "$work/with-java/zonda-$version"
  cp -R "$work/runtime" "$work/with-java/zonda-$version/runtime"
  pack "$work/with-java" "zonda-$version" "zonda-$version-linux-$machine.tar.gz"
  rm -rf "$work/with-java"
}
