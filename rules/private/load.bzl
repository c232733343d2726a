"""Reads the specs of one API version."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmVersionInfo")

def _arm_load_impl(ctx):
    declare = lambda kind: ctx.actions.declare_file("%s.%s.json" % (ctx.attr.api_version, kind))
    ir, api, notes = declare("ir"), declare("api"), declare("notes")
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--load=%s")
    args.add(ctx.attr.provider, format = "--provider=%s")
    args.add(ctx.attr.api_version, format = "--api-version=%s")
    args.add_all(ctx.files.swagger, format_each = "--swagger=%s")
    args.add_all(ctx.files.schemas, format_each = "--schema=%s")
    args.add_all(ctx.files.closure, format_each = "--file=%s")
    if ctx.attr.strict:
        args.add("--strict-files")
    for root in depset([f.owner.workspace_root for f in ctx.files.closure]).to_list():
        if root:
            args.add(root, format = "--root=%s")
    args.add(ir, format = "--ir=%s")
    args.add(api, format = "--api=%s")
    args.add(notes, format = "--notes=%s")
    run_verb(
        ctx,
        "ArmLoad",
        args,
        [ctx.file.config] + ctx.files.closure,
        [ir, api, notes],
        ctx.attr.api_version,
    )
    return [
        DefaultInfo(files = depset([ir])),
        ArmVersionInfo(api_version = ctx.attr.api_version, ir = ir, api = api, notes = notes),
    ]

arm_load = rule(
    doc = "Reads the specs of one API version into the IR.",
    implementation = _arm_load_impl,
    attrs = {
        "api_version": attr.string(mandatory = True, doc = "ARM's name of the version."),
        "closure": attr.label_list(allow_files = [".json"], doc = "Every file that may be read: the documents and all that they refer to."),
        "config": attr.label(mandatory = True, allow_single_file = True, doc = "From arm_config."),
        "provider": attr.string(mandatory = True, doc = "The ARM resource provider, such as `Microsoft.Cache`."),
        "schemas": attr.label_list(allow_files = [".json"], doc = "The deployment-template schemas of the version."),
        "strict": attr.bool(doc = "Whether a file of the closure that nothing uses is an error: for closures written by hand."),
        "swagger": attr.label_list(allow_files = [".json"], doc = "The Swagger documents of the version."),
        "_tool": verb("armload"),
    },
)
