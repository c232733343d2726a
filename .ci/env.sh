# Sourced by the scripts beside it: the Go release that compiles, and the published specs, where somebody has put them
# beside the checkout.
GOTOOLCHAIN=$(sed -n 's/^toolchain //p' go.mod)
export GOTOOLCHAIN
if [[ -z ${ARMATURE_SPECS:-} && -d ../shared/specs-2026 ]]; then
  ARMATURE_SPECS=$(cd ../shared/specs-2026 && pwd)
fi
if [[ -n ${ARMATURE_SPECS:-} ]]; then export ARMATURE_SPECS; fi
