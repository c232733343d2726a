# What bootstrap.sh and engines.sh share: Debian's packages, fetched with apt's checks and unpacked below $home, without
# root. Both set $home, $root and $version.

say() { printf 'bazelw: %s\n' "$@" >&2; }
die() { say "$@"; exit 1; }

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

debian_mirror() {
  # A fresh container has no package lists yet, so the sources are searched too.
  {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sort -u || true
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
      sed -nE 's/^URIs:[[:space:]]*([^[:space:]]+).*/\1/p
               s/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+).*/\2/p' || true
  } | grep -m1 '/debian/*$'
}

# apt_private TOOL ARG... runs apt with its own state. apt reads the file given with -c last, so that it overrides the
# host's settings, and keeps a proxy or a login from there.
apt_private() { local tool=$1; shift; "apt-$tool" -c "$home/apt/apt.conf" "$@"; }

configure_apt() {
  mkdir -p "$home/apt/archives/partial"
  : >"$home/apt/status" # nothing is installed, so that the closure has everything down to libc
  cat >"$home/apt/apt.conf" <<A
Dir::State "$home/apt";
Dir::State::lists "$home/apt/lists";
Dir::State::status "$home/apt/status";
Dir::Cache "$home/apt";
Dir::Cache::archives "$home/apt/archives";
Dir::Etc::sourcelist "$home/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Install-Recommends "false";
APT::Sandbox::User "";
// Signatures are required, whatever the host allows. A list that has expired is accepted if the user says so, and if
// the host's own settings do: some mirrors are frozen on purpose.
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Languages "none";
Acquire::Retries "3";
#clear DPkg::Post-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
A
  if [[ -n ${ARMATURE_ALLOW_EXPIRED:-} ]]; then echo 'Acquire::Check-Valid-Until "false";' >>"$home/apt/apt.conf"; fi
}

# choose_suite reads the package lists of the first suite with the wanted version. Another 7.x is taken if the user says
# so.
choose_suite() {
  local mirror suite found= log=$home/apt/update.log
  mirror=$(debian_mirror) || die "no Debian mirror is configured in /etc/apt: nowhere to get Bazel from." \
    "Configure one, or install bazelisk, and run again."
  for suite in forky sid; do
    say "reading the package lists of Debian $suite"
    echo "deb [signed-by=$keyring] $mirror $suite main" >"$home/apt/sources.list"
    rm -rf "$home/apt/lists"
    mkdir -p "$home/apt/lists/partial"
    if ! apt_private get -qq update >"$log" 2>&1; then
      cat "$log" >&2
      if grep -q 'is expired' "$log"; then
        say "The package lists of Debian $suite are older than their maker wanted: somebody may hide fixes by them." \
          "If the mirror is frozen on purpose, set ARMATURE_ALLOW_EXPIRED=1 and run again."
      fi
      continue
    fi
    found=$(apt_private cache show --no-all-versions bazel-bootstrap 2>/dev/null | sed -n 's/^Version: //p')
    case $found in "$version"[+-]*) return ;; esac
  done
  case ${found:-none} in
    7.*)
      [[ -n ${ARMATURE_ALLOW_OTHER_BAZEL:-} ]] || die "Debian has Bazel $found, expected $version." \
        "Install bazelisk and run again. To go on with $found, set ARMATURE_ALLOW_OTHER_BAZEL=1."
      say "Debian has Bazel $found, not the pinned $version; going on with it"
      ;;
    *) die "Debian has Bazel ${found:-none}, expected $version." "Install bazelisk and run again." ;;
  esac
}

# download fetches the packages that are named on stdin.
download() {
  (cd "$home/apt/archives" && xargs apt-get -c "$home/apt/apt.conf" -qq download) >&2
}

# unpack unpacks what was downloaded into $root.
unpack() {
  local deb
  say "unpacking"
  mkdir -p "$root"
  for deb in "$home"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" |
      tar -x -C "$root" --exclude=./usr/include --exclude=./usr/share/{doc,lintian,man,maven-repo}
  done
}
