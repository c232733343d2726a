"""A container image of a program."""

load(":action.bzl", "run_verb", "verb")

# The architectures of Kubernetes nodes. Go compiles for each of them anywhere.
_PLATFORMS = {
    "amd64": Label("@rules_go//go/toolchain:linux_amd64"),
    "arm64": Label("@rules_go//go/toolchain:linux_arm64"),
}

_PLATFORM = "//command_line_option:platforms"

# Without cgo Go links statically.
_PURE = str(Label("@rules_go//go/config:pure"))

def _each_platform_impl(settings, attr):
    if not attr.architectures:
        return {"host": {_PLATFORM: settings[_PLATFORM], _PURE: True}}
    return {name: {_PLATFORM: [_PLATFORMS[name]], _PURE: True} for name in attr.architectures}

_each_platform = transition(
    implementation = _each_platform_impl,
    inputs = [_PLATFORM],
    outputs = [_PLATFORM, _PURE],
)

def _arm_image_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    binaries = [
        binary[DefaultInfo].files_to_run.executable
        for _, binary in sorted(ctx.split_attr.binary.items())
    ]
    args = ctx.actions.args()
    args.add_all(binaries, format_each = "--binary=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmImage", args, binaries, [out], "the image")
    return [DefaultInfo(files = depset([out]))]

arm_image = rule(
    doc = "A folder with a container image in the OCI layout, with one static binary that runs as a user without " +
          "privileges.",
    implementation = _arm_image_impl,
    attrs = {
        "architectures": attr.string_list(
            default = sorted(_PLATFORMS),
            doc = "Some of %s. With none of them the image is for the machine that builds: Go compiles nothing twice." %
                  ", ".join(sorted(_PLATFORMS)),
        ),
        "binary": attr.label(mandatory = True, cfg = _each_platform, doc = "The program. It is built without cgo."),
        "_tool": verb("armimage"),
    },
)
