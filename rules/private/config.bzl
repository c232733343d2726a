"""Takes from group.yaml what reading a spec depends on."""

load(":action.bzl", "run_verb", "verb")

def _arm_config_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    args = ctx.actions.args()
    args.add(ctx.file.config, format = "--config=%s")
    args.add(ctx.attr.provider, format = "--provider=%s")
    args.add(out, format = "--out=%s")
    run_verb(ctx, "ArmConfig", args, [ctx.file.config], [out], "the exports")
    return [DefaultInfo(files = depset([out]))]

arm_config = rule(
    doc = "The part of group.yaml that ArmLoad reads, so that an edit elsewhere in it reads no spec again.",
    implementation = _arm_config_impl,
    attrs = {
        "config": attr.label(mandatory = True, allow_single_file = [".yaml"], doc = "The group.yaml."),
        "provider": attr.string(mandatory = True, doc = "The ARM resource provider, whose types alone may be exported."),
        "_tool": verb("armconfig"),
    },
)
