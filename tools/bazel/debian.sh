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
// Signatures are required, whatever the host allows. An expired mirror is accepted, because some mirrors are frozen
// on purpose.
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::Check-Valid-Until "false";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Languages "none";
Acquire::Retries "3";
#clear DPkg::Post-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
A
}

# choose_suite reads the package lists of the first suite with the wanted version, or else of one with any 7.x.
choose_suite() {
  local mirror suite found
  mirror=$(debian_mirror) || die "no Debian mirror is configured in /etc/apt: nowhere to get Bazel from." \
    "Configure one, or install bazelisk, and run again."
  for suite in forky sid; do
    say "reading the package lists of Debian $suite"
    echo "deb [signed-by=$keyring] $mirror $suite main" >"$home/apt/sources.list"
    rm -rf "$home/apt/lists"
    mkdir -p "$home/apt/lists/partial"
    apt_private get -qq update >&2 || continue
    found=$(apt_private cache show --no-all-versions bazel-bootstrap 2>/dev/null | sed -n 's/^Version: //p')
    case $found in "$version"[+-]*) return ;; esac
  done
  case ${found:-none} in
    7.*) say "Debian has Bazel $found, not the pinned $version; going on with it" ;;
    *) die "Debian has Bazel ${found:-none}, expected $version or another 7.x." "Install bazelisk and run again." ;;
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
