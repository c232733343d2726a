"""The report about a group, and the picture of its conversions."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _arm_report_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    versions = [v[ArmVersionInfo] for v in ctx.attr.versions]

    # Shapes and notes have no docs, so that an edit of a description changes no report.
    inputs = [ctx.file.config] + plans + [v.limits for v in versions] + [v.notes for v in versions]
    md = ctx.actions.declare_file(ctx.label.name + ".md")
    json = ctx.actions.declare_file(ctx.label.name + ".json")
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--config=%s")
    args.add_all([v.limits for v in versions], format_each = "--limits=%s")
    args.add_all([v.notes for v in versions], format_each = "--notes=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add(md, format = "--md=%s")
    args.add(json, format = "--json=%s")
    run_verb(ctx, "ArmReport", args, inputs, [md, json], "the report")
    return [DefaultInfo(files = depset([md, json], transitive = [
        ctx.attr.crds[OutputGroupInfo].sizes,
        ctx.attr.graph[DefaultInfo].files,
    ]))]

arm_report = rule(
    doc = "Writes the report of a group, as a page and as JSON: what it exports, approximates and skips, with " +
          "reasons and places, and what becomes of each property between versions.",
    implementation = _arm_report_impl,
    attrs = {
        "config": attr.label(
            mandatory = True,
            allow_single_file = [".yaml"],
            doc = "The group.yaml, which has the reasons of reviewed changes.",
        ),
        "crds": attr.label(
            mandatory = True,
            doc = "The group's arm_crd. The sizes of the CRDs are a page of their own, because they change with " +
                  "every description.",
        ),
        "graph": attr.label(mandatory = True, doc = "The group's arm_graph. The page refers to it."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions."),
        "_tool": verb("armreport"),
    },
)

def _arm_pages_impl(ctx):
    return [OutputGroupInfo(_validation = depset(ctx.files.pages))]

arm_pages = rule(
    doc = "Builds pages whose targets are manual as validations: with `test`, and not with `build` (see .bazelrc).",
    implementation = _arm_pages_impl,
    attrs = {"pages": attr.label_list(mandatory = True, doc = "The group's arm_graph and arm_report.")},
)

def _arm_graph_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    dot = ctx.actions.declare_file(ctx.label.name + ".dot")
    links = ctx.actions.declare_file(ctx.label.name + ".json")
    args = ctx.actions.args()
    args.add(ctx.label.package, format = "--dir=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add(dot, format = "--dot=%s")
    args.add(links, format = "--links=%s")
    run_verb(ctx, "ArmGraph", args, plans, [dot, links], "the conversion graph")
    return [
        DefaultInfo(files = depset([dot])),
        OutputGroupInfo(links = depset([links])),
    ]

arm_graph = rule(
    doc = "Draws the conversion graph of a group, in DOT, the language of Graphviz. The output group `links` has its " +
          "links as JSON, with the types that may have hooks.",
    implementation = _arm_graph_impl,
    attrs = {
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "_tool": verb("armgraph"),
    },
)
