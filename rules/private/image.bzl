"""A container image of a program."""

load("@rules_go//go:def.bzl", "GoArchive")
load(":action.bzl", "run_verb", "verb")
load(":linked.bzl", "linked")

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
    args = ctx.actions.args()
    inputs = [ctx.file.go_mod, ctx.file.go_sum, ctx.file.licences]
    for architecture, binary in sorted(ctx.split_attr.binary.items()):
        executable = binary[DefaultInfo].files_to_run.executable
        packages = ctx.actions.declare_file("%s.%s.packages.json" % (ctx.label.name, architecture))
        ctx.actions.write(packages, json.encode_indent(linked([binary[GoArchive]])) + "\n")
        args.add(executable, format = "--binary=%s")
        args.add(packages, format = "--packages=%s")
        inputs += [executable, packages]
    args.add(ctx.file.go_mod, format = "--go-mod=%s")
    args.add(ctx.file.go_sum, format = "--go-sum=%s")
    args.add(ctx.file.licences, format = "--licences=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmImage", args, inputs, [out], "the image")
    return [DefaultInfo(files = depset([out]))]

arm_image = rule(
    doc = "A folder with a container image in the OCI layout, with one static binary that runs as a user without " +
          "privileges, the licences of its Go modules, and an SBOM.",
    implementation = _arm_image_impl,
    attrs = {
        "architectures": attr.string_list(
            default = sorted(_PLATFORMS),
            doc = "Some of %s. With none of them the image is for the machine that builds: Go compiles nothing twice." %
                  ", ".join(sorted(_PLATFORMS)),
        ),
        "binary": attr.label(
            mandatory = True,
            cfg = _each_platform,
            doc = "The program, which is built without cgo. The image has it with the Go modules that it is made of, as " +
                  "`go version -m` shows them.",
            providers = [GoArchive],
        ),
        "go_mod": attr.label(
            allow_single_file = True,
            default = Label("//:go.mod"),
            doc = "The go.mod with the versions of the modules; that of Armature by default. A package of a module that it " +
                  "does not name counts as the program's own.",
        ),
        "go_sum": attr.label(
            allow_single_file = True,
            default = Label("//:go.sum"),
            doc = "Its go.sum.",
        ),
        "licences": attr.label(
            allow_single_file = True,
            default = Label("@armature_licences//:licences.json"),
            doc = "The licences of the modules, which the extension licences makes; of Armature's modules by default.",
        ),
        "_tool": verb("armimage"),
    },
)
