# shellcheck shell=sh
# Files for Docker Compose: zonda-VERSION-compose.tar.gz. They use the image of the kind `image`.

make_compose() {
  mkdir -p "$work/compose"
  cp -R "$here/compose" "$work/compose/zonda-$version-compose"
  for file in README.md postgresql/compose.yaml cluster/compose.yaml; do
    replace_in "$work/compose/zonda-$version-compose/$file" @VERSION@ "$version"
  done
  pack "$work/compose" "zonda-$version-compose" "zonda-$version-compose.tar.gz"
  rm -rf "$work/compose"
}
