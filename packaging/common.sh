# shellcheck shell=sh
# What the scripts of all kinds use: the version, the commit and its time, and archives that are the
# same each time.

say() { printf 'zonda: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1"
  else
    shasum -a 256 <"$1"
  fi | cut -c 1-64
}

git_of_root() {
  [ -e "$root/.git" ] && git -C "$root" "$@" 2>/dev/null
}

# The first version in the pom is that of the project.
version=$(sed -n 's/.*<version>\(.*\)<\/version>.*/\1/p' "$root/pom.xml" | head -n 1)

# The commit, with a + if files were changed since; `unknown` without git.
commit=$(git_of_root rev-parse --short=12 HEAD || echo unknown)
if [ "$commit" != unknown ]; then
  git_of_root diff --quiet HEAD -- || commit=$commit+
fi

# The time of the packages, in seconds since 1970; without git that of the jars.
epoch=${SOURCE_DATE_EPOCH:-$(git_of_root log -1 --format=%ct || date -u -d "$(
  sed -n 's/.*<project.build.outputTimestamp>\(.*\)<\/.*/\1/p' "$root/pom.xml"
)" +%s)}

# Prints the time of the packages in the form $1.
time_as() {
  date -u -d "@$epoch" "+$1" 2>/dev/null || date -u -r "$epoch" "+$1"
}

# This machine, in the words of the Java installations.
case $(uname -m) in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) machine=$(uname -m) ;;
esac

# The same in the words of Debian and of containers.
case $machine in
  x86_64) debian_machine=amd64 ;;
  aarch64) debian_machine=arm64 ;;
  *) debian_machine=$machine ;;
esac

need_gnu_tar() {
  for tar in tar gtar; do
    if "$tar" --version 2>/dev/null | grep -q 'GNU tar'; then return 0; fi
  done
  die "GNU tar is needed: the tar of this system does not make the same archive each time"
}

# Writes what is named $2... in folder $1 to standard output, as an archive. Options of tar before
# the folder are in tar_options.
tar_options=
archive() {
  folder=$1
  shift
  # The options are meant to be split.
  # shellcheck disable=SC2086
  "$tar" --format=gnu --sort=name --mtime="@$epoch" --numeric-owner --owner=0 --group=0 \
    --mode=u+rwX,go+rX,go-w $tar_options -C "$folder" -cf - "$@"
}

# Packs the folder $2 of the folder $1 into the file $3 of the packages.
pack() {
  archive "$1" "$2" >"$work/packed.tar"
  gzip -9n <"$work/packed.tar" >"$out/$3"
  rm -f "$work/packed.tar"
}

# Replaces the text $2 by $3 in file $1. The texts hold no slashes.
replace_in() {
  sed "s/$2/$3/g" "$1" >"$1.new"
  cat "$1.new" >"$1"
  rm -f "$1.new"
}
