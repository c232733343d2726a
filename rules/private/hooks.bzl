"""Finds the hooks in the hand-written Go files of a group."""

load(":action.bzl", "path_in_package", "run_verb", "verb")
load(":versions.bzl", "augmented_package")

def _arm_hooks_impl(ctx):
    hooks = ctx.actions.declare_file(ctx.label.name + ".json")
    places = ctx.actions.declare_file(ctx.label.name + ".places.json")
    args = ctx.actions.args()
    for file in ctx.files.srcs:
        package = augmented_package(path_in_package(file))
        args.add(file, format = "--source=" + package + "=%s")
    args.add(hooks, format = "--out=%s")
    args.add(places, format = "--places=%s")
    run_verb(ctx, "ArmHooks", args, ctx.files.srcs, [hooks, places], "the hooks")
    return [
        DefaultInfo(files = depset([hooks])),
        OutputGroupInfo(places = depset([places])),
    ]

arm_hooks = rule(
    doc = "Writes the signatures of the hooks of a group, without their bodies. The output group `places` has their " +
          "places.",
    implementation = _arm_hooks_impl,
    attrs = {
        "srcs": attr.label_list(
            mandatory = True,
            allow_files = [".go"],
            doc = "Hand-written files, as augment/<package>/<file>.go.",
        ),
        "_tool": verb("armhooks"),
    },
)
