"""A container image of a program."""

load(":action.bzl", "run_verb", "verb")

def _arm_image_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add(ctx.executable.binary, format = "--binary=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmImage", args, [ctx.executable.binary], [out], "the image")
    return [DefaultInfo(files = depset([out]))]

arm_image = rule(
    doc = "A folder with a container image in the OCI layout, with one static binary that runs as a user without privileges.",
    implementation = _arm_image_impl,
    attrs = {
        "binary": attr.label(mandatory = True, executable = True, cfg = "target", doc = "The program, for Linux, linked statically."),
        "_tool": verb("armimage"),
    },
)
