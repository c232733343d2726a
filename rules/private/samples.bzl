"""A sample of each kind of a group."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_samples_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    apis = [v[ArmVersionInfo].api for v in ctx.attr.versions]
    out = ctx.actions.declare_directory(ctx.label.name)
    source = ctx.actions.declare_file(ctx.label.name + ".go")
    args = ctx.actions.args()
    args.add_all(apis, format_each = "--api=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    args.add(source, format = "--go=%s")
    run_verb(ctx, "ArmSample", args, apis + plans, [out, source], "the samples")
    return [
        DefaultInfo(files = depset([out])),
        OutputGroupInfo(source = depset([source])),
    ]

arm_samples = rule(
    doc = "Writes a folder with the smallest object of each kind of a group. The output group `source` is a Go file " +
          "with the same.",
    implementation = _arm_samples_impl,
    attrs = {
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armsample"),
    },
)
