"""Reads the facts and the specs of one API version."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmVersionInfo")

def _arm_load_impl(ctx):
    declare = lambda kind: ctx.actions.declare_file("%s.%s.json" % (ctx.attr.api_version, kind))
    ir, api, limits, notes, digests = [declare(kind) for kind in ["ir", "api", "limits", "notes", "digests"]]
    flags = [("--provider=%s", ctx.attr.provider), ("--api-version=%s", ctx.attr.api_version)]
    for document, format in ctx.attr.documents.items():
        flags += [("--document=" + format + ":%s", file) for file in document[DefaultInfo].files.to_list()]
    flags += [("--absent=%s", name) for name in ctx.attr.absent]
    if ctx.file.facts:
        flags += [("--facts=%s", ctx.file.facts), ("--update=%s", ctx.attr.update)]
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--load=%s")
    for format, value in flags:
        args.add(value, format = format)
    files = ctx.files.documents + ctx.files.facts
    for root in depset([f.owner.workspace_root for f in files]).to_list():
        if root:
            args.add(root, format = "--root=%s")
    args.add(ir, format = "--ir=%s")
    args.add(api, format = "--api=%s")
    args.add(limits, format = "--limits=%s")
    args.add(notes, format = "--notes=%s")
    args.add(digests, format = "--digests=%s")
    run_verb(
        ctx,
        "ArmLoad",
        args,
        [ctx.file.config] + files,
        [ir, api, limits, notes, digests],
        ctx.attr.api_version,
    )
    return [
        DefaultInfo(files = depset([ir])),
        ArmVersionInfo(
            api = api,
            api_version = ctx.attr.api_version,
            digests = digests,
            flags = flags,
            ir = ir,
            limits = limits,
            notes = notes,
        ),
    ]

arm_load = rule(
    doc = "Reads one API version into the IR: from the file with its facts, from its specs, or from both, which it compares.",
    implementation = _arm_load_impl,
    attrs = {
        "absent": attr.string_list(doc = "The documents that the checkout of the specs lacks, for messages."),
        "api_version": attr.string(mandatory = True, doc = "ARM's name of the version."),
        "config": attr.label(mandatory = True, allow_single_file = True, doc = "From arm_config."),
        "documents": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "The files of the version's specs, each with the name of its format, with `ref` if the others refer to " +
                  "it, or with `\"\"` if the verb can recognize the format.",
        ),
        "facts": attr.label(allow_single_file = True, doc = "The file with the facts."),
        "provider": attr.string(mandatory = True, doc = "The ARM resource provider, such as `Microsoft.Cache`."),
        "update": attr.string(doc = "The command that writes the file with the facts."),
        "_tool": verb("armload"),
    },
)
