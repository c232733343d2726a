# Sourced by the scripts beside it: the published specs, where somebody has put them beside the checkout.
if [[ -z ${ARMATURE_SPECS:-} && -d ../shared/specs ]]; then
  ARMATURE_SPECS=$(cd ../shared/specs && pwd)
fi
if [[ -n ${ARMATURE_SPECS:-} ]]; then export ARMATURE_SPECS; fi
