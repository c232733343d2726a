"""Tests that start a control plane."""

load("@rules_go//go:def.bzl", "go_test")

_BINARIES = "//tools/controlplane/binaries"

def control_plane_test(name, data = [], tags = [], **kwargs):
    """A go_test that starts a kube-apiserver with its etcd.

    It finds both where KUBEBUILDER_ASSETS says, and needs nothing but the loopback device. It claims half a core,
    because it waits most of the time; one that claims two would start only when no other test is left.
    `--test_tag_filters=control-plane` runs just these.

    Args:
      name: of the test.
      data: of the test, besides the binaries.
      tags: of the test, besides those that say what it needs.
      **kwargs: of go_test.
    """
    to_root = "../" * len(native.package_name().split("/"))
    go_test(
        name = name,
        data = data + [_BINARIES],
        env = {"KUBEBUILDER_ASSETS": to_root + "tools/controlplane/binaries/bin"} | kwargs.pop("env", {}),
        tags = tags + [
            "control-plane",
            "resources:cpu:0.5",
        ],
        **kwargs
    )
