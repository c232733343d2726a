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
    for document, format in ctx.attr.documents.items():
        args.add_all(document[DefaultInfo].files, format_each = "--document=" + format + ":%s")
    args.add_all(ctx.files.closure, format_each = "--file=%s")
    if ctx.attr.published:
        args.add(ctx.attr.published, format = "--published=%s")
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
        "closure": attr.label_list(
            allow_files = True,
            doc = "Every file that may be read: the documents and the files that they refer to.",
        ),
        "config": attr.label(mandatory = True, allow_single_file = True, doc = "From arm_config."),
        "documents": attr.label_keyed_string_dict(
            allow_files = True,
            mandatory = True,
            doc = "The version's own documents, each with the name of its format, or with `\"\"` if the verb can " +
                  "recognize it.",
        ),
        "provider": attr.string(mandatory = True, doc = "The ARM resource provider, such as `Microsoft.Cache`."),
        "published": attr.string(doc = "The formats from which the version was published, as the lock has them."),
        "strict": attr.bool(doc = "Whether an unused file of the closure is an error, as in closures written by hand."),
        "_tool": verb("armload"),
    },
)
