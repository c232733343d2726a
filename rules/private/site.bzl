"""The pages about a group, as static HTML."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_site_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    irs = [v[ArmVersionInfo].ir for v in ctx.attr.versions]
    out = ctx.actions.declare_directory(ctx.label.name)
    given = ctx.files.given
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--config=%s")
    args.add_all(irs, format_each = "--ir=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add_all(given, format_each = "--given=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmSite", args, [ctx.file.config] + irs + plans + given, [out], "the pages")
    return [DefaultInfo(files = depset([out]))]

arm_site = rule(
    doc = "Writes a folder with pages about a group: of each kind at each version, and of what changes between them.",
    implementation = _arm_site_impl,
    attrs = {
        "config": attr.label(
            mandatory = True,
            allow_single_file = [".yaml"],
            doc = "The group.yaml, which has the reasons of reviewed changes.",
        ),
        "given": attr.label(allow_single_file = [".yaml"], doc = "What is given of the samples, if anything is."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armsite"),
    },
)
