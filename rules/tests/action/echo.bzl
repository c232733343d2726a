"""A rule whose verb writes down how it was called."""

load("//rules/private:action.bzl", "run_verb")

def _echo_impl(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".in")
    ctx.actions.write(made, "")
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    args = ctx.actions.args()
    args.add("two words")
    args.add(made, format = "--in=%s")
    args.add(out, format = "--out=%s")
    run_verb(ctx, "ArmEcho", args, [made], [out], "the call")
    return [DefaultInfo(files = depset([out]))]

echo = rule(
    implementation = _echo_impl,
    attrs = {"_tool": attr.label(default = "//rules/tests/action/echo", executable = True, cfg = "exec")},
)
