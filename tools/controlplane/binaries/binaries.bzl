"""The rule that builds kube-apiserver, etcd and kubectl."""

_TOOLCHAIN = "@rules_go//go:toolchain"

def _resources(_os, _inputs):
    # It uses two cores. With a claim of two it would start only when nothing else is left to do.
    return {"cpu": 1, "memory": 3000}

def _control_plane_binaries_impl(ctx):
    binaries = {name: ctx.actions.declare_file("bin/" + name) for name in ["kube-apiserver", "etcd", "kubectl"]}
    if ctx.files.given:
        for file in ctx.files.given:
            ctx.actions.symlink(output = binaries[file.basename], target_file = file, is_executable = True)
    else:
        sdk = ctx.toolchains[_TOOLCHAIN].sdk
        modules = [f for f in ctx.files.sources if f.path.endswith("/vendor/modules.txt")]
        outputs = binaries.values()
        ctx.actions.run(
            executable = ctx.executable._build,
            arguments = [ctx.actions.args().add(sdk.go).add_all(modules).add_all(outputs)],
            inputs = depset(ctx.files.sources, transitive = [sdk.srcs, sdk.headers]),
            tools = depset([sdk.go], transitive = [sdk.tools]),
            outputs = outputs,
            mnemonic = "ControlPlane",
            progress_message = "Building kube-apiserver, etcd and kubectl (once, some minutes)",
            resource_set = _resources,
        )
    files = depset(binaries.values())
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

control_plane_binaries = rule(
    doc = """Builds bin/kube-apiserver, bin/etcd and bin/kubectl for this machine.

One action runs `go build`, because they are main packages of 2,000 others: as one action for each package
they would take several times as long.
""",
    implementation = _control_plane_binaries_impl,
    attrs = {
        "sources": attr.label(mandatory = True, doc = "go.mod, go.sum and vendor of a module whose tools they are."),
        "given": attr.label(mandatory = True, doc = "The binaries, where there is nothing to build."),
        "_build": attr.label(default = "build.sh", allow_single_file = True, executable = True, cfg = "exec"),
    },
    toolchains = [_TOOLCHAIN],
)
