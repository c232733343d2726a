#!/usr/bin/env bash
# Builds kube-apiserver and etcd of this folder's go.mod, unless they are there, and prints the folder that
# holds them, for KUBEBUILDER_ASSETS. The first build takes some minutes. Needs go, and nothing else.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")"

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/armature
key=$(cat go.mod go.sum "$(basename "${BASH_SOURCE[0]}")" | cksum | cut -d' ' -f1)
out=$cache/controlplane/$key
mkdir -p "$cache/controlplane"

# One build at a time; a second one waits and finds the work done.
exec 9>"$cache/controlplane/.lock"
flock 9

if [[ ! -e $out/etcd ]]; then
  version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
  IFS=. read -r major minor _ <<<"${version#v}"
  # The server reports these at /version, and clients decide by them what it can do.
  stamp="-X k8s.io/component-base/version.gitVersion=$version"
  stamp+=" -X k8s.io/component-base/version.gitMajor=$major -X k8s.io/component-base/version.gitMinor=$minor"
  stamp+=" -X k8s.io/component-base/version.gitTreeState=clean"
  rm -rf "$out.new"
  mkdir "$out.new"
  export CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off
  echo "building kube-apiserver $version (once; some minutes)" >&2
  go build -trimpath -ldflags "-s -w $stamp" -o "$out.new/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
  echo "building etcd" >&2
  go build -trimpath -ldflags '-s -w' -o "$out.new/etcd" go.etcd.io/etcd/server/v3
  rm -rf "$out"
  mv "$out.new" "$out"
fi
echo "$out"
