#!/usr/bin/env bash
# Makes a private Bazel. Called by bazelw, which runs HOME_DIR/bin/bazel afterwards.
#
#   bootstrap.sh HOME_DIR VERSION
#
# Takes the release from GitHub if that answers within a few seconds. Otherwise, on Debian amd64, it unpacks
# Debian's own build of the same version with the modules that it brings, fetches rules_go and gazelle from the
# Go module proxy, and makes all of it run from HOME_DIR. Nothing is installed, and no root is needed.
#
# bin/bazel appears last and in one step: if it exists, then HOME_DIR is complete, and nothing removes it again. A run
# that was killed leaves no bin/bazel, and the next one starts over. To choose again between the two sources, delete
# HOME_DIR.
set -euo pipefail
umask 022
source "$(dirname -- "${BASH_SOURCE[0]}")/debian.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/release.sh"

home=${1:?usage: bootstrap.sh HOME_DIR VERSION} version=${2:?usage: bootstrap.sh HOME_DIR VERSION}

# Bazel modules that are fetched as Go modules, with checksums as in go.sum.
rules_go=github.com/bazelbuild/rules_go@v0.60.0
rules_go_sum=h1:apGSxTTrFUyLNvX9NQmF4CbntWAO0/S5eALeVgB/6Qk=
gazelle=github.com/bazelbuild/bazel-gazelle@v0.47.0
gazelle_sum=h1:g3Rr1ZbkC1Pk20aOgBITxSD/efS1WbaSty5jC786Z3Q=

# ---- From GitHub ----------------------------------------------------------------------------------------

# fetch SECONDS URL FILE fails if it has no connection, or receives nothing, for that many seconds.
fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL --connect-timeout "$1" --speed-limit 1 --speed-time "$1" -o "$3" "$2" 2>/dev/null
  elif command -v wget >/dev/null; then
    wget -q --tries=1 --timeout="$1" -O "$3" "$2"
  else
    return 1
  fi
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi <"$1" | cut -d' ' -f1; }

# from_release returns 1 if GitHub does not answer. A download with another checksum than the pinned one ends the
# script.
from_release() {
  local name url tmp want got
  name=$(release_name) || return 1
  url=https://github.com/bazelbuild/bazel/releases/download/$version/$name
  want=$(pinned "$name")
  [[ -n $want ]] || die "tools/bazel/releases.sha256 has no checksum of $name: add the one in $url.sha256"
  # Remove the files of killed runs, but not those of a run that is still busy.
  find "$home" -maxdepth 1 -name 'release.*' -mmin +60 -exec rm -rf {} +
  tmp=$(mktemp -d "$home/release.XXXXXX") || exit
  # The small checksum shows whether GitHub answers. Some networks answer every request with a page of their own.
  if ! fetch 4 "$url.sha256" "$tmp/sha256" || ! grep -qE '^[0-9a-f]{64}\b' "$tmp/sha256"; then
    rm -rf "$tmp"
    return 1
  fi
  got=$(cut -d' ' -f1 "$tmp/sha256")
  [[ $got == "$want" ]] || { rm -rf "$tmp"; die "$url.sha256 is $got, pinned is $want: nothing was kept"; }
  say "fetching $url"
  if ! fetch 30 "$url" "$tmp/bazel"; then
    rm -rf "$tmp"
    say "the download broke off"
    return 1
  fi
  got=$(sha256 "$tmp/bazel")
  [[ $got == "$want" ]] || { rm -rf "$tmp"; die "$url has sha256 $got, pinned is $want: nothing was kept, run again"; }
  # With explicit exit, because set -e has no effect in a function whose result is tested.
  chmod +x "$tmp/bazel" && mkdir -p "$home/bin" && mv -f "$tmp/bazel" "$home/bin/bazel" || exit
  rm -rf "$tmp"
}

# ---- From Debian ----------------------------------------------------------------------------------------

# check_host lists all missing tools in one message.
check_host() {
  local missing=() tool reason="GitHub's releases are out of reach"
  if [[ $(uname -s) != Linux || $(uname -m) != x86_64 ]] || ! command -v apt-get >/dev/null; then
    die "$reason, and the other way needs Debian on x86-64." \
      "Install bazelisk, or Bazel $version, and run again."
  fi
  [[ -z ${ARMATURE_MISSING:-} ]] || missing+=("$ARMATURE_MISSING")
  for tool in apt-cache awk dpkg-deb find flock grep sed tar; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  [[ -e $keyring ]] || missing+=("$keyring (package debian-archive-keyring)")
  if ((${#missing[@]})); then
    die "$reason. To unpack Debian's Bazel, this host lacks:" "${missing[@]/#/  }" "Install them and run again."
  fi
  case $home/ in
    *[:\"\\\$%]*) die "$home: none of : \" \\ \$ % may be in this path, since it goes into library and class paths." \
      "Set XDG_CACHE_HOME to a folder with a plainer name and run again." ;;
  esac
}

# needed_packages prints the packages that Bazel's programs load: a third of the closure of bazel-bootstrap.
needed_packages() {
  paste -sd'|' <<'P'
bazel-bootstrap(-data)?
bazel-(platforms|skylib|features)
bazel-rules-(cc|java|license|proto|python|shell)
openjdk-[0-9]+-jre-headless
libc6|libgcc-s1|libstdc[+][+]6|zlib1g|libzstd1
libabsl[0-9].*|libcares2|libgrpc([+][+])?[0-9].*|libprotobuf[0-9].*|libzstd-jni1
lib(caffeine|commons-(codec|compress|io|lang3|pool2)|jsr305|xz)-java
lib(google-(auth|flogger|gson)|grpc|perfmark|reactive-streams|rx)-java
patchelf
P
}

unpack_packages() {
  apt_private get install -s bazel-bootstrap bazel-rules-shell patchelf |
    awk '/^Inst/ { print $2 }' | grep -xE "$(needed_packages)" >"$home/apt/needed"
  say "downloading $(grep -c . "$home/apt/needed") packages, about 100 MB"
  download <"$home/apt/needed"
  unpack
}

# relocate RPATH PROGRAM makes a program use the C library of the copy, which is newer than the host's.
relocate() {
  "$loader" --library-path "$libs" "$root/usr/bin/patchelf" \
    --set-interpreter "$loader" --force-rpath --set-rpath "$1" "$2"
}

# make_movable replaces absolute paths by paths in the copy. The host may have other files at the original paths.
make_movable() {
  local program link target jar jars=$share/bazel_classpath_debian_depends.txt
  for program in "$root/usr/bin/bazel" "$root"/usr/libexec/x86_64-linux-gnu/bazel/*; do
    relocate "$libs" "$program"
  done
  # jspawnhelper starts the children of the JVM; without it no repository rule could run a program.
  for program in "$jdk/bin/java" "$jdk/lib/jspawnhelper"; do
    relocate "\$ORIGIN/../lib:\$ORIGIN:$libs" "$program"
  done
  find "$root" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do
    if [[ -e $root$target ]]; then ln -sfn "$root$target" "$link"; fi
  done
  # Bazel loads this library from its own folder when it writes a compact execution log.
  ln -s "$libs/libzstd-jni.so" "$share/"
  # The manifest of grpc's jar names perfmark by absolute path, so perfmark is added to the list.
  { tr : '\n' <"$jars"; echo /usr/share/java/perfmark-api.jar; } | while read -r jar; do
    if [[ -e $root$jar ]]; then echo "$root$jar"; fi
  done | paste -sd: >"$jars.new"
  mv "$jars.new" "$jars"
}

# go_module MODULE@VERSION SUM DIR copies a module's files. Zips of modules carry no run bits.
go_module() {
  local json dir
  json=$(cd "$home" && GOWORK=off GOFLAGS=-mod=mod go mod download -json "$1") || {
    sed -n 's/^\t"Error": /bazelw: /p' <<<"$json" >&2
    die "$1 cannot be had from the Go module proxy; check GOPROXY (now: $(go env GOPROXY))"
  }
  grep -qF "\"Sum\": \"$2\"" <<<"$json" || die "$1: the checksum is not the pinned $2"
  dir=$(sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p' <<<"$json")
  cp -r --no-preserve=mode "$dir" "$3"
  find "$3" \( -name '*.sh' -o -name '*.bash' \) -exec chmod +x {} +
}

# stand_in MODULE makes an empty module in place of one that this repository never builds.
stand_in() {
  mkdir -p "$modules/$1"
  echo "module(name = \"$1\")" >"$modules/$1/MODULE.bazel"
  : >"$modules/$1/BUILD.bazel"
}

lay_out_modules() {
  local name
  say "fetching rules_go and gazelle as Go modules"
  mkdir -p "$modules/registry"
  echo '{}' >"$modules/registry/bazel_registry.json"
  go_module "$rules_go" "$rules_go_sum" "$modules/rules_go"
  go_module "$gazelle" "$gazelle_sum" "$modules/gazelle"
  # rules_go would ask go.dev for the checksums of an SDK that the installed Go takes the place of.
  sed -i '/^go_sdk\.from_file(/,/^)/d' "$modules/rules_go/MODULE.bazel"
  # The zip has no vendor folder, from which gazelle's own helper programs are built. -e: it has test-only
  # imports that need not resolve.
  (cd "$modules/gazelle" && GOWORK=off GOFLAGS= go mod vendor -e 2>"$home/vendor.log") ||
    { cat "$home/vendor.log" >&2; die "gazelle's dependencies cannot be had from the Go module proxy"; }
  for name in protobuf zlib apple_support buildozer package_metadata; do stand_in "$name"; done
  # BUILD files load from two of them.
  cat >"$modules/buildozer/buildozer_binary.bzl" <<'B'
"""An extension that makes an empty repository: only `mod tidy` would run buildozer."""

def _nothing_impl(rctx):
    rctx.file("BUILD.bazel")

_nothing = repository_rule(implementation = _nothing_impl)

buildozer_binary = module_extension(implementation = lambda _mctx: _nothing(name = "buildozer_binary"))
B
  mkdir "$modules/package_metadata/rules"
  : >"$modules/package_metadata/rules/BUILD.bazel"
  cat >"$modules/package_metadata/rules/package_metadata.bzl" <<'B'
"""The macro that gazelle calls in the repository of each Go module."""

def package_metadata(name, **_attributes):
    native.filegroup(name = name, applicable_licenses = [], visibility = ["//visibility:public"])
B
}

# without_cc removes the only use of a C++ toolchain, the launcher of sh_binary on Windows, so that the host needs no
# compiler.
without_cc() {
  cat >"$share/embedded_tools/src/tools/launcher/BUILD" <<'B'
package(default_visibility = ["//visibility:public"])

filegroup(name = "launcher")

filegroup(name = "launcher_maker")
B
}

write_rc() {
  local name
  {
    echo "# See without_cc in tools/bazel/bootstrap.sh."
    echo "common --repo_env=BAZEL_DO_NOT_DETECT_CPP_TOOLCHAIN=1"
    echo "# Modules come from this folder; the registry that is named is an empty one."
    echo "common \"--registry=file://${modules// /%20}/registry\""
    for name in platforms=tools/platforms bazel_skylib=tools/skylib bazel_features=tools/features \
      rules_{cc=rules/cc,java=rules/java,license=rules/license,proto=rules/proto,python=rules/python,shell=rules/shell}; do
      echo "common \"--override_module=${name%%=*}=$share/${name#*=}\""
    done
    for name in rules_go gazelle protobuf zlib apple_support buildozer package_metadata; do
      echo "common \"--override_module=$name=$modules/$name\""
    done
    case $home/ in
      /tmp/*) echo "# The sandbox has a /tmp of its own, where actions would not see this."
        echo "build \"--sandbox_add_mount_pair=$home\"" ;;
    esac
  } >"$home/modules.rc"
}

# finish writes the program that bazelw runs. Bazel reads the rc files of the workspace, the user and the system as
# well.
finish() {
  mkdir -p "$home/bin"
  {
    echo '#!/bin/sh'
    printf 'exec %q' "$root/usr/bin/bazel"
    printf ' %q' --install_base="$share" --trust_install_base --server_javabase="$jdk" --bazelrc="$home/modules.rc"
    echo ' "$@"'
  } >"$home/bazel.new"
  chmod +x "$home/bazel.new"
  rm -rf "$home/apt" "$home/vendor.log"
  mv -f "$home/bazel.new" "$home/bin/bazel"
}

from_debian() {
  check_host
  root=$home/root modules=$home/modules
  libs=$root/usr/lib/x86_64-linux-gnu share=$root/usr/share/bazel
  loader=$libs/ld-linux-x86-64.so.2

  exec 9>"$home.lock"
  if ! flock -n 9; then
    say "another run is preparing Bazel in $home; waiting for it"
    # The children of a killed run keep the lock as long as they run.
    flock 9
  fi
  [[ ! -x $home/bin/bazel ]] || return 0
  # Not bin: a run that reached GitHub takes no lock, and may have put its Bazel there since.
  rm -rf "${home:?}"/{apt,root,modules}

  say "GitHub's releases are out of reach: unpacking Debian's Bazel into $home (once; about 20 s)"
  configure_apt
  choose_suite
  unpack_packages
  jdk=$(find "$root/usr/lib/jvm" -maxdepth 1 -name 'java-[1-9][0-9]-openjdk-amd64')
  make_movable
  without_cc
  lay_out_modules
  write_rc
  finish
  say "Bazel is ready after $SECONDS s"
}

mkdir -p "$home"
from_release || from_debian
