# Sourced by the scripts beside it: the published specs, where somebody has put them beside the checkout.
if [[ -z ${ARMATURE_SPECS:-} && -d ../shared/specs-2026 ]]; then
  ARMATURE_SPECS=$(cd ../shared/specs-2026 && pwd)
fi
if [[ -n ${ARMATURE_SPECS:-} ]]; then export ARMATURE_SPECS; fi
