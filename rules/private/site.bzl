"""Static HTML: the pages about a group, and a site of groups and docs."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmSiteInfo", "ArmVersionInfo")

def _arm_group_site_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    irs = [v[ArmVersionInfo].ir for v in ctx.attr.versions]
    folder = ctx.label.package.rpartition("/")[2] or "group"
    pages = ctx.actions.declare_directory(ctx.label.name)
    list = ctx.actions.declare_file(ctx.label.name + ".json")
    given = ctx.files.given
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--config=%s")
    args.add_all(irs, format_each = "--ir=%s")
    args.add_all(plans, format_each = "--plan=%s")
    args.add_all(given, format_each = "--given=%s")
    args.add(folder, format = "--folder=%s")
    args.add_all([pages], format_each = "--out=%s", expand_directories = False)
    args.add(list, format = "--list=%s")
    run_verb(ctx, "ArmSite", args, [ctx.file.config] + irs + plans + given, [pages, list], "the pages")
    return [
        DefaultInfo(files = depset([pages])),
        ArmSiteInfo(folder = folder, list = list, pages = pages),
    ]

arm_group_site = rule(
    doc = "Writes a folder with pages about a group: of each kind at each version, and of what changes between them. " +
          "It belongs into an `arm_site`, with the front page, the style sheet and the search.",
    implementation = _arm_group_site_impl,
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

def _arm_site_impl(ctx):
    groups = [g[ArmSiteInfo] for g in ctx.attr.groups]
    folders = {}
    names = ["site.css", "site.js", "groups.js", "kinds.html"]
    for f in ctx.files.docs:
        if not f.is_source:
            fail("docs: found %s, which is generated; expected files of the source tree, whose paths are addresses" % f.short_path)
        names.append(f.path.removesuffix(".md").lower() + ".html")
    taken = {name.partition("/")[0]: None for name in names}
    for g in groups:
        if g.folder in folders or g.folder in taken:
            fail('groups: found "%s" twice among the groups and the docs; expected groups whose folders have names of their own' % g.folder)

        # A link and no copy: the pages of all groups are large, and an edit makes those of one.
        folders[g.folder] = ctx.actions.declare_directory(ctx.label.name + "/" + g.folder)
        ctx.actions.symlink(output = folders[g.folder], target_file = g.pages)
    index = ctx.actions.declare_file(ctx.label.name + "/index.html")
    outs = [ctx.actions.declare_file(ctx.label.name + "/" + name) for name in names]
    lists = [g.list for g in groups]
    args = ctx.actions.args()
    args.add_all(lists, format_each = "--group=%s")
    args.add(ctx.file.front, format = "--front=%s")
    args.add_all(ctx.files.docs, format_each = "--doc=%s")
    args.add(index, format = "--index=%s")
    args.add_all(outs, format_each = "--out=%s")
    run_verb(ctx, "ArmFront", args, lists + ctx.files.docs + [ctx.file.front], [index] + outs, "the front page")
    return [
        DefaultInfo(files = depset([index] + outs + folders.values())),
        OutputGroupInfo(index = depset([index])),
    ]

arm_site = rule(
    doc = "Makes a folder of static HTML of groups and docs: open its `index.html`.",
    implementation = _arm_site_impl,
    attrs = {
        "docs": attr.label_list(
            allow_files = [".md"],
            doc = "Pages of Markdown. They keep their paths in the repository, with `.html`.",
        ),
        "front": attr.label(mandatory = True, allow_single_file = [".md"], doc = "The Markdown of the front page."),
        "groups": attr.label_list(mandatory = True, providers = [ArmSiteInfo], doc = "The target `:site` of each group."),
        "_tool": verb("armfront"),
    },
)
