"""What programs are linked with in place of the modules that they are made of."""

# The value of runtime.modinfo, which generator/buildinfo replaces.
PLACEHOLDER = "armature.modinfopath\tunknown\n" + "#" * 16000 + "\nmodinfo.armature"
