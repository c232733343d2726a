"""A group before and after its integers become numbers: the same documents, with another group.yaml."""

load("//rules:defs.bzl", "arm_service_group")

_VERSIONS = [
    "2021-01-01",
    "2024-01-01",
    "2026-01-01",
]

def kiln_group(name, lock):
    """Declares the group of this package.

    Args:
      name: that of the package.
      lock: LOCK of its lock.bzl.
    """
    for v in _VERSIONS:
        native.genrule(
            name = "copy_" + v,
            srcs = ["//tests/conversions/numbers:specs/%s.json" % v],
            outs = ["specs/%s.json" % v],
            cmd = "cp $< $@",
        )
    arm_service_group(
        name = name,
        config = "group.yaml",
        group = "kiln.azure.armature.dev",
        importpath = "github.com/armature-dev/armature/" + native.package_name(),
        lock = lock,
        provider = "Contoso.Kiln",
        versions = {v: ["specs/%s.json" % v] for v in _VERSIONS},
        visibility = ["//tests:__subpackages__"],
    )
