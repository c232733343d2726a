"""The custom resource definitions of a group."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_crd_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    irs = [v[ArmVersionInfo].ir for v in ctx.attr.versions]
    out = ctx.actions.declare_directory(ctx.label.name)
    sizes = ctx.actions.declare_file(ctx.label.name + ".sizes.md")
    args = ctx.actions.args()
    args.add_all(irs, format_each = "--ir=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add(ctx.file.lock, format = "--lock=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    args.add(sizes, format = "--sizes=%s")
    run_verb(ctx, "ArmCRD", args, irs + plans + [ctx.file.lock], [out, sizes], "the CRDs")
    return [
        DefaultInfo(files = depset([out])),
        OutputGroupInfo(sizes = depset([sizes])),
    ]

arm_crd = rule(
    doc = "Writes a folder with the CRDs of a group, its admission policies and a kustomization. It is a folder " +
          "because the number of CRDs depends on the specs. The output group `sizes` is a page with their sizes.",
    implementation = _arm_crd_impl,
    attrs = {
        "lock": attr.label(
            mandatory = True,
            allow_single_file = [".bzl"],
            doc = "The lock. The CRDs list its former hubs too.",
        ),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armcrd"),
    },
)
