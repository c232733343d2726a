"""The custom resource definitions of a group."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_crd_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    irs = [v[ArmVersionInfo].ir for v in ctx.attr.versions]
    out = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add_all(irs, format_each = "--ir=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add(ctx.file.lock, format = "--lock=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmCRD", args, irs + plans + [ctx.file.lock], [out], "the CRDs")
    return [DefaultInfo(files = depset([out]))]

arm_crd = rule(
    doc = "A folder with the CRDs of a group and a kustomization. A folder, because their number depends on the specs.",
    implementation = _arm_crd_impl,
    attrs = {
        "lock": attr.label(mandatory = True, allow_single_file = [".bzl"], doc = "The hub lock: earlier hubs stay listed."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armcrd"),
    },
)
