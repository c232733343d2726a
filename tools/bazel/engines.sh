#!/usr/bin/env bash
# Makes a remote cache and a remote worker to test with, on one machine and without root.
#
#   engines.sh HOME_DIR INSTALL_BASE
#
# INSTALL_BASE is what `bazelw info install_base` prints, of a Bazel that bootstrap.sh has unpacked from Debian. From
# the package with the source of that Bazel, its worker is compiled: a server of the Remote Execution API, with a cache.
#
#   HOME_DIR/bin/remote-worker   needs --listen_port, and the folders --work_path and --cas_path
#   HOME_DIR/bin/nginx           needs -c with a configuration
#
# bin appears last and in one step, as in bootstrap.sh.
set -euo pipefail
umask 022
source "$(dirname -- "${BASH_SOURCE[0]}")/debian.sh"

home=${1:?usage: engines.sh HOME_DIR INSTALL_BASE} share=${2:?usage: engines.sh HOME_DIR INSTALL_BASE}
root=$home/root
jars=$share/bazel_classpath_debian_depends.txt
[[ -e $jars ]] || die "the engines are made of a Bazel that tools/bazel/bootstrap.sh has unpacked from Debian;" \
  "$share is of another one. Without bazelisk and an installed Bazel, on Debian x86-64 that does not reach GitHub's" \
  "releases, bazelw unpacks one."
version=$(sed -nE 's/^([0-9.]+).*/\1/p' "$share/build-label.txt")
system=${share%/share/bazel}
libs=$system/lib/x86_64-linux-gnu
java=$(find "$system/lib/jvm" -path '*/java-[1-9][0-9]-openjdk-amd64/bin/java')
worker=com/google/devtools/build/remote/worker

# compile_worker compiles the worker. Besides its classes it expects two files: the sandbox, and among its runfiles a
# program that it runs on macOS alone.
compile_worker() {
  local source=$root/usr/src/bazel-bootstrap tools=$home/classes/main/tools
  local runfiles=$home/runfiles/io_bazel/src/tools/remote/src/main/java/$worker
  say "compiling the remote worker"
  mkdir -p "$tools" "$runfiles"
  find "$source"/{src/tools/remote/src/main,tools/java/runfiles} -name '*.java' -not -path '*/testing/*' >"$home/sources"
  "$java" -m jdk.compiler/com.sun.tools.javac.Main -nowarn -proc:none -cp "$share/A-server.jar:$(<"$jars")" \
    -d "$home/classes" @"$home/sources" 2>"$home/compile.log" || { cat "$home/compile.log" >&2; die "see above"; }
  cp -L "$share/linux-sandbox" "$tools/"
  : >"$runfiles/xcode-locator"
  chmod +x "$runfiles/xcode-locator"
}

# write_programs writes the two programs below bin. nginx is newer than the host's C library, so it runs with Bazel's.
write_programs() {
  mkdir "$home/bin.new"
  {
    printf '#!/bin/sh\nexport JAVA_RUNFILES=%q RUNFILES_DIR=%q\n' "$home/runfiles" "$home/runfiles"
    printf 'exec %q -Xmx1g --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED' "$java"
    printf ' -cp %q %s "$@"\n' "$home/classes:$share/A-server.jar:$(<"$jars")" "${worker//\//.}.RemoteWorker"
  } >"$home/bin.new/remote-worker"
  {
    printf '#!/bin/sh\nexec %q --library-path %q' "$libs/ld-linux-x86-64.so.2" "$root/usr/lib/x86_64-linux-gnu:$libs"
    printf ' %q "$@"\n' "$root/usr/sbin/nginx"
  } >"$home/bin.new/nginx"
  chmod +x "$home"/bin.new/*
  mv "$home/bin.new" "$home/bin"
}

mkdir -p "$home"
exec 9>"$home.lock"
flock 9
[[ ! -d $home/bin ]] || exit 0
rm -rf "${home:?}"/*
configure_apt
choose_suite
printf '%s\n' bazel-bootstrap-source libcrypt1 libpcre2-8-0 libssl3t64 nginx | download
unpack
compile_worker
rm -rf "$home/apt" "$root/usr/src" "$home/sources" "$home/compile.log"
write_programs
say "the engines are ready after $SECONDS s"
