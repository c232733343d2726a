"""What a release has programs for."""

# The platforms, as rules_go names them.
PLATFORMS = [
    "darwin_amd64",
    "darwin_arm64",
    "linux_amd64",
    "linux_arm64",
]

# Those of the images.
IMAGE_PLATFORMS = [p for p in PLATFORMS if p.startswith("linux_")]

# The programs of the images, which are folders of //tools.
IMAGES = [
    "operator",
    "webhook",
]

# The programs of the command line, each with the flag that publish has for it.
PROGRAMS = {
    "armature": "--armature",
    "armature-types": "--types",
}
