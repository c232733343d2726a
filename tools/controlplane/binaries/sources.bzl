"""The sources of kube-apiserver, etcd and kubectl, or the binaries that KUBEBUILDER_ASSETS names."""

_BUILD = """package(default_visibility = ["//visibility:public"])

filegroup(name = "sources", srcs = {sources})

filegroup(name = "given", srcs = {given})
"""

_BINARIES = ["etcd", "kube-apiserver", "kubectl"]

def _control_plane_sources_impl(rctx):
    assets = rctx.getenv("KUBEBUILDER_ASSETS")
    if assets:
        for name in _BINARIES:
            binary = rctx.path(assets + "/" + name) if assets.startswith("/") else None
            if not binary or not binary.exists:
                fail(("KUBEBUILDER_ASSETS is %r: expected the absolute path of a folder with %s; `setup-envtest use -p path` " +
                      "prints one, and without the variable they are built") % (assets, ", ".join(_BINARIES)))
            rctx.symlink(binary, name)
        rctx.file("BUILD.bazel", _BUILD.format(sources = "[]", given = repr(_BINARIES)))
        return

    # go checks the modules against go.sum. It takes them from the user's module cache, or else from GOPROXY.
    for label in [rctx.attr.go_mod, rctx.attr.go_sum]:
        rctx.file(label.name, rctx.read(label))
    for command in [
        ["go", "mod", "vendor"],
        # A BUILD file that a module brings would hide its folder from glob.
        ["find", "vendor", "-type", "f", "(", "-name", "BUILD", "-o", "-name", "*.bazel", ")", "-delete"],
    ]:
        result = rctx.execute(command, timeout = 1800, environment = {
            "GOFLAGS": "-mod=readonly",
            "GOWORK": "off",
        })
        if result.return_code:
            fail("the modules of the control plane cannot be had: `%s` failed:\n%s" % (" ".join(command), result.stderr))
    rctx.file("BUILD.bazel", _BUILD.format(
        sources = 'glob(["go.mod", "go.sum", "vendor/**"])',
        given = "[]",
    ))

control_plane_sources = repository_rule(
    doc = "Vendors the Go modules of kube-apiserver, etcd and kubectl, unless KUBEBUILDER_ASSETS names a folder that has them.",
    implementation = _control_plane_sources_impl,
    environ = ["KUBEBUILDER_ASSETS"],
    attrs = {
        "go_mod": attr.label(mandatory = True, doc = "The module whose tools they are."),
        "go_sum": attr.label(mandatory = True, doc = "The checksums of its modules."),
    },
)
