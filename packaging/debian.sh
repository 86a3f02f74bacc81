# shellcheck shell=sh
# A package for Debian with a Java of its own: zonda_VERSION_ARCH.deb. It is packed from a folder by
# dpkg-deb; the files that only it has are in the folder debian.

# Versions of unfinished work come before the version, in the order of their commits.
debian_version() {
  case $version in
    *-SNAPSHOT) echo "${version%-SNAPSHOT}~$(time_as %Y%m%d%H%M%S)" ;;
    *) echo "$version" ;;
  esac
}

# Prints the unit of the package: that of the product, with the paths of Debian.
debian_unit() {
  sed -e '1,/^\[Unit\]/{/^\[Unit\]/!d;}' -e 's|/opt/zonda/|/usr/lib/zonda/|' \
    -e 's|^Description=.*|&\nDocumentation=man:zonda(1)|' "$product/zonda.service"
}

# What the launcher of the staged package $1 prints for a command.
staged_zonda() {
  staged=$1
  shift
  (cd "$work" && env -u ZONDA_JAVA ZONDA_OFFLINE=yes ZONDA_NO_CACHE=1 "$staged/zonda" "$@")
}

# Puts the product into folder $1, with what the system expects in other places.
stage_debian_product() {
  lib=$1/usr/lib/zonda
  doc=$1/usr/share/doc/zonda
  mkdir -p "$1/usr/lib" "$1/usr/share/doc" "$1/usr/lib/systemd/system"
  stage_product "$lib"
  cp -R "$work/runtime" "$lib/runtime"
  mkdir -p "$doc"
  mv "$lib/licenses" "$doc/licenses"
  mv "$lib/runtime/legal" "$doc/licenses/java"
  rm "$lib/LICENSE" "$lib/zonda.service"
  debian_unit >"$1/usr/lib/systemd/system/zonda.service"
  cp "$root/docs/reference/config.md" "$doc/zonda.toml.md"
  cp "$here/debian/copyright" "$doc/copyright"
  {
    printf 'zonda (%s) unstable; urgency=medium\n\n' "$(debian_version)"
    printf '  * Made from commit %s. CHANGELOG.md of the sources has the changes.\n\n' "$commit"
    printf ' -- The Zonda authors <zonda@zonda.im>  %s\n' "$(time_as '%a, %d %b %Y %H:%M:%S +0000')"
  } | gzip -9n >"$doc/changelog.gz"
}

# The command, its manual pages and completions.
stage_debian_command() {
  mkdir -p "$1/usr/bin" "$1/usr/share/man/man1" "$1/usr/share/bash-completion/completions" \
    "$1/usr/share/fish/vendor_completions.d"
  cp "$here/debian/zonda" "$1/usr/bin/zonda"
  staged_zonda "$1/usr/lib/zonda" manual "$1/usr/share/man/man1"
  gzip -9n "$1"/usr/share/man/man1/*
  staged_zonda "$1/usr/lib/zonda" completion | sed '1{/^#!/d;}' \
    >"$1/usr/share/bash-completion/completions/zonda"
  staged_zonda "$1/usr/lib/zonda" completion --fish \
    >"$1/usr/share/fish/vendor_completions.d/zonda.fish"
}

# What dpkg reads, for the package in folder $1.
stage_debian_control() {
  mkdir -p "$1/DEBIAN" "$1/etc/zonda" "$1/usr/share/lintian/overrides"
  cp "$here/debian/zonda.toml" "$1/etc/zonda/zonda.toml"
  cp "$here/debian/lintian-overrides" "$1/usr/share/lintian/overrides/zonda"
  echo /etc/zonda/zonda.toml >"$1/DEBIAN/conffiles"
  for script in postinst prerm postrm; do cp "$here/debian/$script" "$1/DEBIAN/$script"; done
  size=$(find "$1" -type f ! -path '*/DEBIAN/*' -exec cat {} + | wc -c)
  sed -e "s/@VERSION@/$(debian_version)/" -e "s/@ARCHITECTURE@/$debian_machine/" \
    -e "s/@SIZE@/$((size / 1024))/" "$here/debian/control" >"$1/DEBIAN/control"
  (
    cd "$1"
    find . -type f ! -path './DEBIAN/*' ! -path './etc/*' | sed 's|^\./||' | sort \
      | while IFS= read -r file; do md5sum "$file"; done
  ) >"$1/DEBIAN/md5sums"
}

make_debian() {
  command -v dpkg-deb >/dev/null 2>&1 || die "dpkg-deb is needed for the package of Debian"
  java_runtime
  tree=$work/debian
  stage_debian_product "$tree"
  stage_debian_command "$tree"
  stage_debian_control "$tree"
  chmod -R u+rwX,go+rX,go-w "$tree"
  chmod 755 "$tree"/DEBIAN/postinst "$tree"/DEBIAN/prerm "$tree"/DEBIAN/postrm
  chmod 644 "$tree"/DEBIAN/control "$tree"/DEBIAN/conffiles "$tree"/DEBIAN/md5sums
  find "$tree" -exec touch -h -d "@$epoch" {} +
  # Most of it is compressed already: more takes minutes, and saves little.
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zxz -z1 --build "$tree" \
    "$out/zonda_$(debian_version)_$debian_machine.deb" >/dev/null
  rm -rf "$tree"
}
