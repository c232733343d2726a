"""Plans the packages of a group."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_plan_impl(ctx):
    plans = {p: ctx.actions.declare_file(p + ".plan.json") for p in ctx.attr.packages}
    versions = [v[ArmVersionInfo] for v in ctx.attr.versions]
    flags = [
        ("--group=%s", ctx.attr.group),
        ("--provider=%s", ctx.attr.provider),
        ("--import-prefix=%s", ctx.attr.import_prefix),
        ("--dir=%s", ctx.label.package),
        ("--ga-name=%s", ctx.attr.ga_name),
        ("--preview-name=%s", ctx.attr.preview_name),
        ("--other-preview-name=%s", ctx.attr.other_preview_name),
        ("--config=%s", ctx.file.config),
    ]
    flags += [("--hooks=%s", file) for file in ctx.files.hooks]
    args = ctx.actions.args()
    for format, value in flags:
        args.add(value, format = format)
    for v in versions:
        args.add(v.api, format = "--api=" + v.api_version + "=%s")
    for name, file in plans.items():
        args.add(file, format = "--out=" + name + "=%s")
    inputs = [ctx.file.config] + ctx.files.hooks + [v.api for v in versions]
    run_verb(ctx, "ArmPlan", args, inputs, plans.values(), "the packages")
    return [
        DefaultInfo(files = depset(plans.values())),
        ArmPlanInfo(digests = [v.digests for v in versions], flags = flags, packages = plans, versions = versions),
    ]

arm_plan = rule(
    doc = "Chooses hubs and neighbours, and plans every generated package.",
    implementation = _arm_plan_impl,
    attrs = {
        "config": attr.label(mandatory = True, allow_single_file = [".yaml"], doc = "The group.yaml."),
        "ga_name": attr.string(mandatory = True, doc = "Pattern of the Kubernetes name of a GA version."),
        "group": attr.string(mandatory = True, doc = "The Kubernetes API group."),
        "hooks": attr.label(doc = "The group's arm_hooks, if it has hand-written files."),
        "import_prefix": attr.string(mandatory = True, doc = "The import path of a package without its name."),
        "other_preview_name": attr.string(
            mandatory = True,
            doc = "Pattern of the Kubernetes name of a preview whose suffix is not `preview`.",
        ),
        "packages": attr.string_list(mandatory = True, doc = "The packages to plan, by name."),
        "preview_name": attr.string(mandatory = True, doc = "Pattern of the Kubernetes name of a preview."),
        "provider": attr.string(mandatory = True, doc = "The ARM resource provider."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armplan"),
    },
)
