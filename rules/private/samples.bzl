"""A sample of each kind of a group, at each version."""

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
    given = ctx.files.given
    args.add_all(given, format_each = "--given=%s")
    run_verb(ctx, "ArmSample", args, shapes + plans + given, [out], "the samples")
    return [DefaultInfo(files = depset([out]))]

arm_samples = rule(
    doc = "Writes a folder with a small object of each kind of a group, and a folder in it for each older version.",
    implementation = _arm_samples_impl,
    attrs = {
        "given": attr.label(allow_single_file = [".yaml"], doc = "What is given of the samples, if anything is."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armsample"),
    },
)
