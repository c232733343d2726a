"""Writes the part of group.yaml that affects how a spec is read."""

load(":action.bzl", "run_verb", "verb")

def _arm_config_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--config=%s")
    args.add(ctx.attr.provider, format = "--provider=%s")
    if ctx.attr.names:
        args.add(ctx.attr.names, format = "--names=%s")
    args.add(out, format = "--out=%s")
    run_verb(ctx, "ArmConfig", args, [ctx.file.config], [out], "the exports")
    return [DefaultInfo(files = depset([out]))]

arm_config = rule(
    doc = "Checks group.yaml and writes the part that ArmLoad reads. After an edit of any other part, no spec is " +
          "read again.",
    implementation = _arm_config_impl,
    attrs = {
        "config": attr.label(mandatory = True, allow_single_file = [".yaml"], doc = "The group.yaml."),
        "names": attr.string(doc = "The names of properties in the lock, as JSON."),
        "provider": attr.string(mandatory = True, doc = "The ARM resource provider. Only its types may be exported."),
        "_tool": verb("armconfig"),
    },
)
