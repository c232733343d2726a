#!/usr/bin/env bash
# Prints the folder with the published specs that lie beside the checkout, which it unpacks if need be, or nothing.
set -euo pipefail
unpack=$(dirname -- "${BASH_SOURCE[0]}")/../../shared/specs-all/unpack.sh
[[ ! -f $unpack ]] || bash "$unpack"
