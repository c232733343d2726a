# Sourced by the scripts beside it: the Go release that compiles, and the published specs, where somebody has put them
# beside the checkout.
GOTOOLCHAIN=$(sed -n 's/^toolchain //p' go.mod)
export GOTOOLCHAIN
ARMATURE_SPECS=${ARMATURE_SPECS:-$(.ci/specs.sh)}
if [[ -n $ARMATURE_SPECS ]]; then export ARMATURE_SPECS; else unset ARMATURE_SPECS; fi
