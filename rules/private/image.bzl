"""A container image of a program."""

load(":action.bzl", "run_verb", "verb")

# The architectures of Kubernetes nodes. Go compiles for each of them anywhere.
_PLATFORMS = {
    "amd64": Label("@rules_go//go/toolchain:linux_amd64"),
    "arm64": Label("@rules_go//go/toolchain:linux_arm64"),
}

_each_platform = transition(
    implementation = lambda _settings, _attr: {
        name: {"//command_line_option:platforms": [platform]}
        for name, platform in _PLATFORMS.items()
    },
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _arm_image_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    binaries = [
        ctx.split_attr.binary[name][DefaultInfo].files_to_run.executable
        for name in sorted(_PLATFORMS)
    ]
    args = ctx.actions.args()
    args.add_all(binaries, format_each = "--binary=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmImage", args, binaries, [out], "the image")
    return [DefaultInfo(files = depset([out]))]

arm_image = rule(
    doc = "A folder with a container image in the OCI layout, for amd64 and arm64, with one static binary that runs as a user without privileges.",
    implementation = _arm_image_impl,
    attrs = {
        "binary": attr.label(mandatory = True, cfg = _each_platform, doc = "The program, which links statically."),
        "_tool": verb("armimage"),
    },
)
