#!/usr/bin/env bash
# Builds kube-apiserver, etcd and kubectl from vendored modules. It runs as the Bazel action of binaries.bzl: without a
# network, and with the Go caches beside its outputs, so that it neither reads nor fills the user's.
# Usage: build.sh GO MODULES_TXT KUBE_APISERVER ETCD KUBECTL
set -euo pipefail

go=$PWD/$1 modules=$2 apiserver=$PWD/$3 etcd=$PWD/$4 kubectl=$PWD/$5

work=$(mktemp -d "$apiserver.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"

export GOROOT=${go%/bin/go} GOCACHE=$work/cache GOPATH=$work/path GOTMPDIR=$work/tmp
export CGO_ENABLED=0 GOENV=off GOFLAGS=-mod=vendor GOPROXY=off GOTOOLCHAIN=local GOWORK=off
# A sandbox has links to the files that are embedded, and go would refuse them.
export GODEBUG=embedfollowsymlinks=1

cd "$(dirname "$modules")/.."
# That setting is not for folders that are embedded as a whole: the overlay names the files that their links lead to.
find vendor/k8s.io/kubectl/pkg/util/i18n/translations -type l \
  -exec sh -c 'printf "%s %s\n" "$PWD/$1" "$(readlink -f "$1")"' - {} \; |
  awk 'BEGIN { printf "{\"Replace\": {" } { printf "%s\"%s\": \"%s\"", sep, $1, $2; sep = ", " } END { print "}}" }' >"$work/overlay.json"
version=$(sed -n 's/^# k8s.io\/kubernetes //p' vendor/modules.txt)
IFS=. read -r major minor _ <<<"${version#v}"
# The server reports these at /version, and clients decide by them what it can do.
stamp="-X k8s.io/component-base/version.gitVersion=$version"
stamp+=" -X k8s.io/component-base/version.gitMajor=$major -X k8s.io/component-base/version.gitMinor=$minor"
stamp+=" -X k8s.io/component-base/version.gitTreeState=clean"

# One go command, so that one program is compiled while another is linked; etcd has no variables that the stamp sets.
# -p: as many at once as the action has reserved. The compiler makes no debug information, which -s and -w would leave
# out of the binaries, and collects no garbage below 512 MB, as in .bazelrc. It does not optimize the built-in APIs
# (-l -N), 44 % of the code, which a server of custom resources hardly runs.
flags='-dwarf=false -d=gcstart=512'
"$go" build -p 2 -trimpath -overlay "$work/overlay.json" -gcflags="all=$flags" -gcflags="k8s.io/api/...=$flags -l -N" \
  -gcflags="k8s.io/client-go/...=$flags -l -N" -gcflags="k8s.io/kubernetes/...=$flags -l -N" \
  -ldflags "-s -w $stamp" -o "$work/bin/" \
  k8s.io/kubernetes/cmd/kube-apiserver go.etcd.io/etcd/server/v3 k8s.io/kubernetes/cmd/kubectl
mv "$work/bin/kube-apiserver" "$apiserver"
mv "$work/bin/server" "$etcd"
mv "$work/bin/kubectl" "$kubectl"
