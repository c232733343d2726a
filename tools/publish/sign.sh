#!/usr/bin/env bash
# Signs a release that //tools/publish has made, with cosign.
#
#   sign.sh DIR [IMAGE@DIGEST ...]
#
# SHA256SUMS of the folder DIR gets a signature, SHA256SUMS.sig, and with it all files that it lists. Each image or
# chart in a registry gets one too, and the SBOM of the release as a signed attestation. Registries show both as
# referrers.
#
# Who signs is who cosign's identity provider says, such as a workflow of GitHub, and a public log has the signatures.
# With COSIGN_KEY, the file of a key, that key signs, and nothing but the registry is reached.
set -euo pipefail

die() { printf 'sign: %s\n' "$@" >&2; exit 1; }

dir=${1:?usage: sign.sh DIR [IMAGE@DIGEST ...]}
shift
[[ -f $dir/SHA256SUMS ]] || die "$dir has no SHA256SUMS: expected a folder that //tools/publish has made"
(cd "$dir" && sha256sum --quiet --check SHA256SUMS) || die "$dir has not what its SHA256SUMS says: nothing was signed"
for image in "$@"; do
  [[ $image =~ @sha256:[0-9a-f]{64}$ ]] || die "found $image, expected a name with a digest: a tag may lead elsewhere tomorrow"
done
boms=("$dir"/armature-*.spdx.json)
bom=$(printf '%s\n' "${boms[@]}" | sort -V | tail -n 1) # of the newest version in the folder
[[ -f $bom ]] || (($# == 0)) || die "$dir has no SBOM, armature-<version>.spdx.json, for the images"

flags=(--yes)
registry=()
if [[ -n ${COSIGN_KEY:-} ]]; then flags+=(--key "$COSIGN_KEY" --use-signing-config=false --tlog-upload=false); fi
# A registry on this machine has no certificate.
[[ $* != *127.0.0.1:* ]] || registry=(--allow-http-registry)

cosign sign-blob "${flags[@]}" --bundle "$dir/SHA256SUMS.sig.new" "$dir/SHA256SUMS"
for image in "$@"; do
  cosign sign "${flags[@]}" "${registry[@]}" --recursive "$image"
  cosign attest "${flags[@]}" "${registry[@]}" --type spdxjson --predicate "$bom" "$image"
done
mv "$dir/SHA256SUMS.sig.new" "$dir/SHA256SUMS.sig"
