# What bazelw and bootstrap.sh share: the releases of Bazel on GitHub. Both set $version.

# release_name prints the name of the release's file for this machine, or fails if there is none.
release_name() {
  local os arch
  case $(uname -s) in Linux) os=linux ;; Darwin) os=darwin ;; *) return 1 ;; esac
  case $(uname -m) in x86_64) arch=x86_64 ;; aarch64 | arm64) arch=arm64 ;; *) return 1 ;; esac
  echo "bazel-$version-$os-$arch"
}

# pinned prints the checksum of a release's file, or nothing. What GitHub publishes today must be what it published when
# the version was chosen, so a new .bazelversion needs four new lines.
pinned() { sed -n "s/ $1\$//p" "$(dirname -- "${BASH_SOURCE[0]}")/releases.sha256"; }
