"""A sample of each kind of a group."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_samples_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    shapes = [v[ArmVersionInfo].limits for v in ctx.attr.versions]
    out = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add_all(shapes, format_each = "--limits=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmSample", args, shapes + plans, [out], "the samples")
    return [DefaultInfo(files = depset([out]))]

arm_samples = rule(
    doc = "Writes a folder with the smallest object of each kind of a group.",
    implementation = _arm_samples_impl,
    attrs = {
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armsample"),
    },
)
