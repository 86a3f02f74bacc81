# shellcheck shell=sh
# An image for containers, of nothing but the server, its Java and the parts of the C library that
# Java loads: zonda-VERSION-oci-ARCH.tar, a layout of the Open Container Initiative. It has no shell:
# the file /zonda holds the options of Java, and `java @/zonda COMMAND` is the command zonda.

# The user of the image, who exists in no other system.
image_user=10001

# Prints the files of the C library that Java and its libraries load, as the loader of this system
# finds them.
c_library() {
  find "$work/runtime" -type f \( -name '*.so' -o -path '*/bin/*' -o -name jspawnhelper \) \
    -exec ldd {} \; 2>/dev/null \
    | sed -n 's/.*=> \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' \
    | grep -v "^$work/" | sort -u
  # Parts that older native libraries name, and that find hosts.
  for library in libdl.so.2 libpthread.so.0 librt.so.1 libm.so.6 libresolv.so.2 \
    libnss_files.so.2 libnss_dns.so.2; do
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p \
      | sed -n "s|^[[:space:]]*$library .*x86-64.*=> ||p; s|^[[:space:]]*$library .*AArch64.*=> ||p" \
      | head -n 1
  done
}

# Fills the folder $1 with the base: the C library, the names of users and hosts, Java.
stage_image_base() {
  mkdir -p "$1/etc" "$1/opt/zonda/licenses"
  c_library | sort -u >"$work/c-library"
  grep -q '/ld-linux' "$work/c-library" || die "the image needs a system with the C library of GNU"
  while IFS= read -r file; do
    case $file in
      */libc.so* | */ld-linux* | */libm.so* | */libdl.so* | */libpthread.so* | */librt.so* | \
        */libresolv.so* | */libnss_*) ;;
      *) die "Java loads $file, which is no part of the C library: the image would need it" ;;
    esac
    mkdir -p "$1${file%/*}"
    cp -L "$file" "$1$file"
  done <"$work/c-library"
  printf 'root:x:0:0:root:/:/none\nzonda:x:%s:%s:zonda:/var/lib/zonda:/none\n' \
    "$image_user" "$image_user" >"$1/etc/passwd"
  printf 'root:x:0:\nzonda:x:%s:\n' "$image_user" >"$1/etc/group"
  printf 'hosts: files dns\n' >"$1/etc/nsswitch.conf"
  cp -R "$work/runtime" "$1/opt/zonda/runtime"
  cp "$here/licenses/LGPL-2.1.txt" "$1/opt/zonda/licenses/libc.txt"
}

# Fills the folder $1 with the product, its configuration and the options of Java.
stage_image_product() {
  mkdir -p "$1/etc/zonda" "$1/opt"
  stage_product "$1/opt/zonda"
  # No one builds plugins, or starts services, in a container; the launcher has no shell to run in.
  rm -rf "$1/opt/zonda/repository"
  rm "$1/opt/zonda/zonda" "$1/opt/zonda/zonda.service" "$1/opt/zonda/bench.options"
  cp "$here/image/zonda.toml" "$1/etc/zonda/zonda.toml"
  # Netty would unpack this library into /tmp, from which programs may not be run in a container.
  mkdir -p "$1/opt/zonda/native"
  (
    cd "$1/opt/zonda/native"
    "$java_home/bin/jar" --extract --file "$1"/opt/zonda/lib/netty-transport-native-epoll-*"$machine".jar \
      META-INF/native
    mv META-INF/native/*.so .
    rm -rf META-INF
  )
  {
    cat "$product/jvm.options"
    echo "-Djava.library.path=/opt/zonda/native"
    echo "-Dzonda.web=/opt/zonda/web"
    echo "-Dzonda.commit=$commit"
    echo '-cp "/opt/zonda/lib/*"'
    echo im.zonda.app.Main
  } >"$1/zonda"
}

# Adds file $1 to the layout in folder $2, under the name of its SHA-256, which it prints.
add_blob() {
  name=$(sha256 "$1")
  mv "$1" "$2/blobs/sha256/$name"
  echo "$name"
}

# Adds a layer, the archive in file $1, to the layout in folder $2. Its names without and with
# compression go to the lists of the image.
add_layer() {
  diff_ids=$diff_ids${diff_ids:+, }\"sha256:$(sha256 "$1")\"
  gzip -9n <"$1" >"$work/layer.gz"
  size=$(wc -c <"$work/layer.gz")
  digest=$(add_blob "$work/layer.gz" "$2")
  layers=$layers${layers:+, }$(descriptor application/vnd.oci.image.layer.v1.tar+gzip "$digest" "$size")
  history=$history${history:+, }$(printf '{"created": "%s", "created_by": "zonda package image: %s"}' \
    "$created" "$3")
  rm "$1"
}

# Prints what refers to a blob of type $1, SHA-256 $2 and size $3.
descriptor() {
  printf '{"mediaType": "%s", "digest": "sha256:%s", "size": %d%s}' "$1" "$2" "$3" "${4:-}"
}

# Prints the configuration of the image.
image_config() {
  cat <<CONFIG
{"created": "$created", "architecture": "$debian_machine", "os": "linux",
 "config": {
  "User": "$image_user:$image_user",
  "Env": ["PATH=/opt/zonda/runtime/bin", "ZONDA_CONFIG=/etc/zonda/zonda.toml"],
  "Entrypoint": ["/opt/zonda/runtime/bin/java", "@/zonda"],
  "Cmd": ["start"],
  "WorkingDir": "/var/lib/zonda",
  "Volumes": {"/var/lib/zonda": {}},
  "ExposedPorts": {"5222/tcp": {}, "5223/tcp": {}, "5269/tcp": {}, "5280/tcp": {}, "5281/tcp": {}},
  "StopSignal": "SIGTERM",
  "Healthcheck": {
   "Test": ["CMD", "/opt/zonda/runtime/bin/java", "-XX:TieredStopAtLevel=1",
    "@/zonda", "status"],
   "Interval": 60000000000, "Timeout": 20000000000, "StartPeriod": 60000000000, "Retries": 3},
  "Labels": {
   "org.opencontainers.image.title": "Zonda",
   "org.opencontainers.image.version": "$version",
   "org.opencontainers.image.revision": "$commit",
   "org.opencontainers.image.licenses": "Apache-2.0"}},
 "rootfs": {"type": "layers", "diff_ids": [$diff_ids]},
 "history": [$history]}
CONFIG
}

make_image() {
  java_runtime
  tree=$work/image
  layout=$work/layout
  created=$(time_as %Y-%m-%dT%H:%M:%SZ)
  diff_ids=
  layers=
  history=
  mkdir -p "$layout/blobs/sha256" "$tree/data/tmp" "$tree/data/var/lib/zonda" \
    "$tree/data/srv/zonda"
  stage_image_base "$tree/base"
  stage_image_product "$tree/product"
  archive "$tree/base" . >"$work/layer"
  add_layer "$work/layer" "$layout" "Java and the C library"
  archive "$tree/product" . >"$work/layer"
  add_layer "$work/layer" "$layout" "the server"
  stage_image_folders "$tree/data" "$work/layer"
  add_layer "$work/layer" "$layout" "folders"
  image_config >"$work/config"
  size=$(wc -c <"$work/config")
  config=$(descriptor application/vnd.oci.image.config.v1+json "$(add_blob "$work/config" "$layout")" "$size")
  printf '{"schemaVersion": 2, "mediaType": "%s", "config": %s, "layers": [%s]}\n' \
    application/vnd.oci.image.manifest.v1+json "$config" "$layers" >"$work/manifest"
  size=$(wc -c <"$work/manifest")
  manifest=$(descriptor application/vnd.oci.image.manifest.v1+json \
    "$(add_blob "$work/manifest" "$layout")" "$size" "$(printf \
      ', "platform": {"architecture": "%s", "os": "linux"}, "annotations": {"org.opencontainers.image.ref.name": "%s", "io.containerd.image.name": "zonda:%s"}' \
      "$debian_machine" "$version" "$version")")
  printf '{"schemaVersion": 2, "mediaType": "%s", "manifests": [%s]}\n' \
    application/vnd.oci.image.index.v1+json "$manifest" >"$layout/index.json"
  printf '{"imageLayoutVersion": "1.0.0"}\n' >"$layout/oci-layout"
  archive "$layout" oci-layout index.json blobs >"$out/zonda-$version-oci-$debian_machine.tar"
  rm -rf "$tree" "$layout"
}

# Packs the folders of folder $1 into file $2: temporary files are everyone's, the data, and the
# files that nodes of a cluster share, are the server's alone.
stage_image_folders() {
  tar_options="--no-recursion --mode=755"
  archive "$1" srv var var/lib >"$2"
  for each in "root 0 1777 tmp" "zonda $image_user 0700 var/lib/zonda" \
    "zonda $image_user 0700 srv/zonda"; do
    # The words of a line are meant to be split.
    # shellcheck disable=SC2086
    set -- "$1" "$2" $each
    tar_options="--no-recursion --owner=$4 --group=$4 --mode=$5"
    archive "$1" "$6" >"$work/more.tar"
    "$tar" -Af "$2" "$work/more.tar"
  done
  rm "$work/more.tar"
  tar_options=
}
