# shellcheck shell=sh
# The product in one folder, for machines with Java: zonda-VERSION.tar.gz. The other kinds begin with
# the same folder.

# What a package has of the product, apart from the chat, without which it may be built.
product_parts="zonda LICENSE jvm.options bench.options zonda.service lib plugins repository web"

# Copies the product to folder $1, with the commit and the licences of all parts.
stage_product() {
  mkdir -p "$1"
  for part in $product_parts; do
    [ -e "$product/$part" ] || die "the product in $product has no $part"
    cp -R "$product/$part" "$1/$part"
  done
  [ -d "$product/web/chat" ] || say "the product has no chat in the browser, and so have its packages"
  echo "$commit" >"$1/commit"
  same_repository "$1/repository"
  components licenses "$1" "$1/licenses"
}

# The files of the Maven repository have the time of the build in their names: here they get that of
# the packages.
same_repository() {
  built=$(find "$1" -name maven-metadata.xml -exec cat {} + \
    | sed -n 's/.*<timestamp>\(.*\)<\/timestamp>.*/\1/p' | sort -u)
  stamp=$(time_as %Y%m%d.%H%M%S)
  for each in $built; do
    find "$1" -name maven-metadata.xml | while IFS= read -r file; do
      replace_in "$file" "$each" "$stamp"
    done
    find "$1" -type f -name "*$each*" | while IFS= read -r file; do
      mv "$file" "${file%"$each"*}$stamp${file##*"$each"}"
    done
  done
}

# Runs Components.java: $1 is what it writes, $2 the folder of the product, $3 where it writes.
components() {
  "$java_home/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$here/Components.java" "$1" \
    "$here" "$2" "$3" "$version" "$commit" "$epoch"
}

make_archive() {
  stage_product "$work/archive/zonda-$version"
  pack "$work/archive" "zonda-$version" "zonda-$version.tar.gz"
  rm -rf "$work/archive"
}
